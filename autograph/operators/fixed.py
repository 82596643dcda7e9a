"""What a graph cannot change, and a staged statement must leave as it is: how much a container holds, the class of an
object, what a class inherits from, the code and defaults of a function, how far an iterator has got."""

from __future__ import annotations

import _random
import ctypes
import gc
import io
import itertools
import pickle
import types
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from autograph.errors import ChangedError, GrownError, StagingError
from autograph.identity import ByIdentity
from autograph.reading import found_in, is_a, is_made_later, module_of_class, order_of
from autograph.rules import is_converted_always

GROWING: tuple[type, ...] = (set, deque, bytearray, array)


Key = TypeVar("Key")
Held = TypeVar("Held")


class Fact(NamedTuple):
    """One thing about something: what it was, how to tell, how to have it so again, and the error if it is not."""

    name: object
    holder: object
    was: Any
    read: Callable[..., Any]
    write: Callable[..., None] | None
    refused: Callable[[str, object, str], StagingError]


def facts_of(name: object, value: Any) -> tuple[Fact, ...]:
    """What has to stay as it is about something that a staged statement can reach."""
    kind = type(value)
    if id(kind) in _KINDS:
        read, write, refused = _KINDS[id(kind)]
        return (Fact(name, value, read(value), read, write, refused),)
    if issubclass(kind, type):
        return (Fact(name, value, order_of(value), order_of, None, _INHERITS),)
    if issubclass(kind, OrderedDict):
        return (Fact(name, value, _order(value), _order, _set_order, reordered_error),)
    if issubclass(kind, GROWING):
        plain = next(p for p in GROWING if issubclass(kind, p))
        read, write = _reader(plain), _writer(plain)
        return (Fact(name, value, read(value), read, write, grown),)
    if issubclass(kind, BaseException):
        read, write, refused = _args, _set_args, _refusal("the arguments of the exception '{}'")
        return (Fact(name, value, _args(value), read, write, refused),)
    for base, read, write, refused in _HIDDEN:
        if issubclass(kind, base):
            return (Fact(name, value, read(value), read, write, refused),)
    if _draws(kind) is not None:
        return (Fact(name, value, _drawn(value), _drawn, _draw_again, _drawn_in),)
    if _advances_in_c(kind):
        return (Fact(name, value, _state(value), _state, None, _refusal(_FAR)),)
    if is_made_later(kind) and not is_converted_always(module_of_class(kind)):
        return (Fact(name, value, kind, type, _set_class, _CLASS),)
    return ()


def holds(fact: Fact) -> bool:
    """Whether it is still so; nothing is compared but what things are."""
    now, was = fact.read(fact.holder), fact.was
    if now is was:
        return True
    if type(now) is bytes:
        return bool(now == was)
    if not is_a(now, (tuple, list)):
        return False
    return len(now) == len(was) and all(a is b or (type(a) is type(b) is int and a == b) for a, b in zip(now, was))


def grown(name: str, container: object, statement: str) -> StagingError:
    """The error for a container that a staged statement makes longer or shorter."""
    kind = type(container).__name__
    what = f"'{name}' is a {kind}" if name else f"it is a {kind}"
    return GrownError(
        f"{what} that a staged statement changes in place, which would happen once, while tracing. "
        f"Collect the values in a list made in this function, or make the {kind} anew by an assignment.\n  {statement}",
        container,
    )


def put_in_order(items: dict[Key, object], known: dict[Key, object]) -> None:
    """Have a dictionary hold its keys in the order in which it held them."""
    kind: Any = OrderedDict if is_a(items, OrderedDict) else dict
    kind.clear(items)
    for key, value in known.items():
        kind.__setitem__(items, key, value)


def reordered_error(name: str, container: object, statement: str) -> StagingError:
    """The error for a dictionary whose keys a staged statement puts in another order."""
    return GrownError(
        f"a staged statement cannot change the order of the keys of '{name}': the change would be made once, while "
        f"tracing. Make the dictionary anew by an assignment.\n  {statement}",
        container,
    )


def _refusal(what: str) -> Callable[[str, object, str], StagingError]:
    def refused(name: str, holder: object, statement: str) -> StagingError:
        return ChangedError(
            f"a staged statement cannot change {what.format(name)}: the change would be made once, while tracing. Make "
            f"it before the statement, or choose between two objects instead.\n  {statement}",
            holder,
        )

    return refused


def _reader(plain: Any) -> Callable[..., object]:
    if plain is array:
        return array.tobytes
    return bytes if plain is bytearray else lambda value: [*plain.__iter__(value)]


def _writer(plain: Any) -> Callable[[object, object], None]:
    def write(value: Any, content: Any) -> None:
        if plain in (set, deque):
            plain.clear(value)
            (plain.update if plain is set else plain.extend)(value, content)
        else:  # which nobody makes longer or shorter as long as somebody sees its memory
            plain.__setitem__(value, slice(None), content if plain is bytearray else array(value.typecode, content))

    return write


def _set_class(value: object, was: type) -> None:
    object.__setattr__(value, "__class__", was)


def _made_of(function: types.FunctionType) -> tuple[tuple[object, ...] | None, types.CodeType]:
    code = function.__code__
    return function.__defaults__, _originals.get(code, code)


def _make_of(function: types.FunctionType, was: tuple[tuple[object, ...] | None, types.CodeType]) -> None:
    function.__defaults__ = was[0]
    if _made_of(function)[1] is not was[1]:
        function.__code__ = was[1]


_originals: ByIdentity[types.CodeType] = ByIdentity()


def stands_for(code: types.CodeType, original: types.CodeType) -> None:
    """Tell that a function is given this code in the place of its own, to do the same."""
    _originals.set(code, original)


def _of_generator(generator: types.GeneratorType[object, object, object]) -> tuple[object, ...]:
    frame = None if generator.gi_running else generator.gi_frame
    return () if frame is None else (frame.f_lasti, *frame.f_locals.values())


def _order(items: OrderedDict[object, object]) -> list[object]:
    return [*OrderedDict.__iter__(items)]


def _set_order(items: OrderedDict[object, object], was: list[object]) -> None:
    for key in was:
        OrderedDict.move_to_end(items, key)


def _index(iterator: Any) -> bytes:
    """How far an iterator over a sequence has got, as text; none if it is at its end."""
    state = iterator.__reduce__()[2:]
    return b"%d" % state[0] if state else b""


def _set_index(iterator: Any, was: bytes) -> None:
    if was and iterator.__reduce__()[2:]:
        iterator.__setstate__(int(was))


def _advances_in_c(kind: type) -> bool:
    """Whether objects of this type are iterators of C's, which do not tell how far they have got; but for files."""
    return type(found_in(kind, "__next__")) is types.WrapperDescriptorType and kind.__module__ not in ("io", "_io")


def _state(iterator: object) -> bytes:
    """What an iterator of C's holds, as far as it can be seen from outside.

    That is its memory, that of the object whose method it calls, and the items of the tuples that it refers to.
    """
    found = [_memory(iterator), b"%d" % getattr(iterator, "iterindex", 0)]  # NumPy's nditer has its state elsewhere
    for part in gc.get_referents(iterator):
        if type(part) is tuple:
            found += [b"%d" % id(item) for item in part]
        elif is_a(part, types.BuiltinMethodType) and not is_a(part.__self__, (type, types.ModuleType)):
            found.append(_memory(part.__self__))
    return b" ".join(found)


def _memory(value: object) -> bytes:
    """The memory of an object, but for its type and how often it is referred to."""
    start = object.__basicsize__
    return ctypes.string_at(id(value) + start, type(value).__basicsize__ - start)


def _args(error: BaseException) -> tuple[object, ...]:
    return BaseException.args.__get__(error)  # type: ignore[no-any-return, attr-defined]


def _set_args(error: BaseException, was: tuple[object, ...]) -> None:
    BaseException.args.__set__(error, was)  # type: ignore[attr-defined]


def _written(file: io.StringIO | io.BytesIO) -> bytes:
    """What a file in memory holds, and where it is read and written; nothing if it is closed."""
    if file.closed:
        return b""
    kind: Any = io.StringIO if is_a(file, io.StringIO) else io.BytesIO
    content = kind.getvalue(file)
    text = content.encode("utf-8", "surrogatepass") if type(content) is str else content
    return b"%d " % kind.tell(file) + text


def _write_again(file: io.StringIO | io.BytesIO, was: bytes) -> None:
    if file.closed or not was:
        return
    at, _, content = was.partition(b" ")
    kind: Any = io.StringIO if is_a(file, io.StringIO) else io.BytesIO
    kind.seek(file, 0)
    kind.truncate(file)
    kind.write(file, content.decode("utf-8", "surrogatepass") if kind is io.StringIO else content)
    kind.seek(file, int(at))


def _where_read(file: io.TextIOWrapper | io.BufferedReader) -> bytes:
    """How far a file has got that is only read; nothing of one that may be written, as what is shown is."""
    if file.closed or not file.readable() or file.writable():
        return b""
    buffer = getattr(file, "buffer", None)
    return _memory(file) + (_memory(buffer) if is_a(buffer, io.BufferedReader) else b"")


def _draws(kind: type) -> str | None:
    """The attribute where a generator of random numbers of NumPy's has what it takes its bits from."""
    found = (name for name in ("bit_generator", "_bit_generator") if found_in(kind, name) is not None)
    return next(found, None) if not is_made_later(kind) else None


def _drawn(generator: object) -> bytes:
    """What the next random numbers depend on."""
    return pickle.dumps(getattr(generator, _draws(type(generator)) or "").state)


def _draw_again(generator: object, was: bytes) -> None:
    getattr(generator, _draws(type(generator)) or "").state = pickle.loads(was)


def _shown(view: memoryview) -> bytes:
    """What a view of some memory shows; nothing if it has been let go."""
    try:
        return view.tobytes()
    except ValueError:
        return b""


def _show_again(view: memoryview, was: bytes) -> None:
    if was and view.c_contiguous and not view.readonly:
        view.cast("B")[:] = was


def _memory_of_c(value: Any) -> bytes:
    return ctypes.string_at(ctypes.addressof(value), ctypes.sizeof(value))


def _write_memory_of_c(value: Any, was: bytes) -> None:
    ctypes.memmove(ctypes.addressof(value), was, len(was))


def _drawn_in(name: str, holder: object, statement: str) -> StagingError:
    return StagingError(
        f"'{name}' draws random numbers in a staged statement, which would happen once, while tracing. Draw them "
        f"before the statement, or with what draws them in a graph.\n  {statement}"
    )


def _remaining(iterator: Any) -> bytes:
    return b"%d" % iterator.__length_hint__()


def _counted(iterator: itertools.count[int]) -> bytes:
    return repr(iterator).encode()


def _of_context(variable: ContextVar[object]) -> tuple[object, ...]:
    """What it gives: its default if it has not been set, or nothing at all."""
    try:
        return (variable.get(),)
    except LookupError:
        return ()


def _set_context(variable: ContextVar[object], was: tuple[object, ...]) -> None:
    for value in was:
        variable.set(value)


_numbers = iter(range(1))
_sequences: list[object] = [*(iter(kind()) for kind in (list, tuple, str, bytes, bytearray)), reversed([])]
_others: list[object] = [iter({}), iter({}.items()), iter({}.values()), iter(set())]
if _numbers.__reduce__()[2] is None:  # from Python 3.12 on it cannot go back
    _others.append(_numbers)
else:
    _sequences.append(_numbers)
_FAR = "how far the iterator '{}' has got"

_FILE = _refusal("the file in memory '{}'")
_READ = "how far the file '{}' has been read"
# Objects of C's that hold more than can be seen.
_HIDDEN: list[
    tuple[type, Callable[..., object], Callable[..., None] | None, Callable[[str, object, str], StagingError]]
] = [
    (_random.Random, _random.Random.getstate, _random.Random.setstate, _drawn_in),
    (io.StringIO, _written, _write_again, _FILE),
    (io.BytesIO, _written, _write_again, _FILE),
    (io.TextIOWrapper, _where_read, None, _refusal(_READ)),
    (io.BufferedReader, _where_read, None, _refusal(_READ)),
    (memoryview, _shown, _show_again, _refusal("the memory that '{}' shows")),
    (ctypes.c_int.__mro__[2], _memory_of_c, _write_memory_of_c, _refusal("what '{}' holds for functions of C")),
]
_INHERITS = _refusal("what the class '{}' inherits from")
_CLASS = _refusal("the class of '{}'")
_TOLD: dict[int, tuple[Callable[..., object], Callable[..., None] | None, str]] = {
    id(types.FunctionType): (_made_of, _make_of, "the code or the defaults of '{}'"),
    id(types.GeneratorType): (_of_generator, None, "how far the generator '{}' has got"),
    id(itertools.count): (_counted, None, _FAR),
    id(ContextVar): (_of_context, _set_context, "the context variable '{}'"),
    **{id(type(i)): (_index, _set_index, _FAR) for i in _sequences},
    **{id(type(i)): (_remaining, None, _FAR) for i in _others},
}
_KINDS = {key: (read, write, _refusal(what)) for key, (read, write, what) in _TOLD.items()}


def register_iterator(kind: type[Held], read: Callable[[Held], bytes], write: Callable[[Held, bytes], None]) -> None:
    """Tell how far an iterator of this type has got, which takes what it gives from somewhere and does nothing else."""
    _KINDS[id(kind)] = read, write, _refusal(_FAR)
    calm.add(id(kind))


_EMPTY: tuple[Iterable[object], ...] = (
    [], (), "", "\u03b1", b"", bytearray(), range(0), {}, {}.items(), {}.values(), set(),
)  # fmt: skip
_PYTHONS: tuple[type, ...] = (
    enumerate,
    zip,
    reversed,
    itertools.count,
    itertools.repeat,
    type(reversed([])),
    type(reversed({})),
)
calm = {*map(id, (*_PYTHONS, *(type(iter(empty)) for empty in _EMPTY)))}
"""The types of iterators that change nothing but how far they have got, by their identity."""
own: dict[int, Callable[..., Iterable[object]]] = {}
"""What iterators of this library's take their items from, and ask about them, by the identity of their type."""


def inside(value: object) -> list[object]:
    """What an iterator of C's takes its items from, or asks about them: other iterators, and functions."""
    kind = type(value)
    if id(kind) in own:
        return [part for part in own[id(kind)](value) if _may_advance(part)]
    if kind is not _TEE and (id(kind) in _KINDS or not _advances_in_c(kind)):
        return []
    referred = gc.get_referents(value)
    for part in referred:
        if type(part) is tuple:
            referred += part
    return [part for part in referred if _may_advance(part)]


def _may_advance(part: object) -> bool:
    kind = type(part)
    if issubclass(kind, type):
        return False
    return found_in(kind, "__next__") is not None or found_in(kind, "__call__") is not None or kind is _TEE


# What the iterators of one tee() share. Since Python 3.12 they refer to their class as well.
_TEE = next(type(part) for part in gc.get_referents(itertools.tee(())[0]) if not isinstance(part, type))
