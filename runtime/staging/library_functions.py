"""NumPy's functions that its protocols do not pass on, as those that make arrays."""

from __future__ import annotations

import collections
import itertools
import linecache
import queue
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph import StagingError
from autograph.dispatch import backend_of, before_staging
from autograph.operators import spent
from autograph.operators.arrays import set_array
from autograph.operators.calls import call, converted, set_functions, set_methods
from autograph.operators.items import Items, stands_in
from autograph.reading import is_a, is_exactly
from autograph.rules import LED_BY_FIRST, SEEN_THROUGH, STAGED_FUNCTIONS
from runtime.control import of_numbers, of_promoted
from runtime.control.handles import kept_if_asked
from runtime.graph.dtypes import NumPyArray, as_dtype
from runtime.graph.op import NUMPY
from runtime.graph.owner import Owner
from runtime.graph.shapes import TensorShape, is_known
from runtime.ops import elementwise as ew, shape as shape_ops
from runtime.staging import outside
from runtime.staging.counters import Count
from runtime.staging.dictionaries import Counter, DefaultDict, OrderedDict
from runtime.staging.hashed import Dict, Set
from runtime.staging.numpy_protocol.listed import made_of_lists, of_their_dtype
from runtime.staging.numpy_protocol.meanings import (
    FUNCTIONS,
    MAKERS,
    UFUNCS,
    Meaning,
    operand as as_array,
    plain,
    values_of,
)
from runtime.staging.queues import Deque
from runtime.tensors import conversion, making, nest
from runtime.tensors.conversion import is_tensor, operand
from runtime.tensors.frames import user_place
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.growing import has_grown
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, SymbolicTensor
from runtime.tensors.trace import Way, current, ways
from runtime.tensors.views import Array, arrayed, as_it_is, made_by, owned

if TYPE_CHECKING:
    from typing_extensions import TypeIs


def _isstaged_among(value: object) -> bool:
    if isinstance(value, TensorShape):
        return not is_known(tuple(value))
    return (
        isinstance(value, SymbolicTensor)
        or has_grown(value)
        or (is_tensor(value) and not isinstance(value, EagerTensor))
    )


def staged_among(args: Sequence[object], kwargs: Mapping[str, object]) -> list[object]:
    """What only the graph knows of what a function was given."""
    leaves = nest.flatten([[plain(a) for a in args], [plain(value) for value in kwargs.values()]])
    return [leaf for leaf in leaves if _isstaged_among(leaf)]


def _making(function: Callable[..., object], meaning: Meaning) -> Callable[..., object]:
    """A function that makes arrays, which the graph does where only it knows how large they are, or what they hold."""

    def called(*args: object, **kwargs: object) -> object:
        if current() is None or not staged_among(args, kwargs):
            return function(*args, **kwargs)
        if function in _ARRAYS:  # which look after empty lists themselves
            return of_their_dtype(args, kwargs, made)
        return made_of_lists(function, args, kwargs, made)

    def made(args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        values, named = values_of(args, kwargs)
        operands = [*values, *named.values()]
        array = made_by(function.__name__, meaning(*values, **named), operands, Owner.ARRAY, named)
        if isinstance(array, Array) and not any(isinstance(o, Array) for o in nest.flatten(operands)):
            array.layout = not any(type(o) is str and o == "F" for o in operands)
        return array

    return called


_ARRAYS = {np.array, np.asarray, np.asanyarray, np.asarray_chkfinite}


def _of_lists(function: Any) -> Callable[..., object]:
    """A function whose first argument may list numbers that only the graph knows, where NumPy would ask for them."""

    def called(*args: object, **kwargs: object) -> object:
        if current() is None or not args or not isinstance(args[0], list | tuple) or not staged_among(args[:1], {}):
            return function(*args, **kwargs)
        return made_of_lists(function, args, kwargs, made)

    def made(args: Sequence[Any], kwargs: Mapping[str, object]) -> object:
        return function(_array_of(args[0]), *args[1:], **kwargs)

    return called


def _of_operands(ufunc: np.ufunc) -> Callable[..., object]:
    """A universal function, each of whose operands may list numbers that only the graph knows."""

    def called(*args: object, **kwargs: object) -> object:
        if current() is None or not any(isinstance(one, list | tuple) and staged_among([one], {}) for one in args):
            return ufunc(*args, **kwargs)
        return made_of_lists(ufunc, args, kwargs, made)

    def made(args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        return ufunc(*_arrays_of(args), **kwargs)

    return called


def _of_parts(function: Any) -> Callable[..., object]:
    """A function whose first argument lists arrays, which NumPy asks, but may list lists, which it does not."""

    def called(*args: object, **kwargs: object) -> object:
        if current() is None or not args or not isinstance(args[0], list | tuple) or has_grown(args[0]):
            return function(*args, **kwargs)

        return made_of_lists(function, args, kwargs, joined)

    def joined(args: Sequence[Any], kwargs: Mapping[str, object]) -> object:
        return function(_arrays_of(args[0]), *args[1:], **kwargs)

    return called


def _of_deques(meaning: Callable[..., object]) -> Callable[..., object]:
    """What a function of NumPy's means, which takes a deque for a list of its items."""

    def called(*args: object, **kwargs: object) -> object:
        if current() is not None and any(is_a(one, (collections.deque, Deque)) for one in args):
            args = tuple([call(list, one) if is_a(one, (collections.deque, Deque)) else one for one in args])
        return meaning(*args, **kwargs)

    return called


def _array_of(listed: object) -> object:
    listed = plain(listed)
    return arrayed(as_array(listed), nest.flatten(listed), Owner.ARRAY)


def _arrays_of(values: Iterable[object]) -> list[object]:
    """The values, with those that list what only the graph knows as arrays."""
    return [_array_of(one) if isinstance(one, list | tuple) and staged_among([one], {}) else one for one in values]


def _number(kind: type[np.generic]) -> Callable[..., object]:
    """A type of NumPy's numbers as a function, which makes an array of an array."""
    dtype = as_dtype(kind)

    def called(*args: object, **kwargs: object) -> object:
        if current() is None or not staged_among(args, kwargs):
            return kind(*args, **kwargs)
        (value,) = args
        x = operand(plain(value))
        if owner_of(x) is Owner.PYTHON and dtype.is_integer and x.dtype.is_floating:
            x = apply(ew.python_int, x)  # which checks that there is one
        made = conversion.of_dtype(x, dtype) if x.type.weak else conversion.cast(x, dtype)
        return owned(made, Owner.NUMPY) if made.type.shape == () else arrayed(made, [value])

    return called


def _of_ufunc(method: Any) -> Callable[..., object]:
    """A method of NumPy's universal functions, whose operands may be lists of what only the graph knows.

    ``np.add.at(a, ...)`` writes to arrays that cannot be written, too.
    """
    count = 2 if method.__name__ == "outer" else 1

    def called(*args: object, **kwargs: object) -> object:
        if current() is None:
            return method(*args, **kwargs)
        return of_their_dtype(args, kwargs, made)

    def made(args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        return method(*_arrays_of(args[:count]), *args[count:], **kwargs)

    def at(array: object, *args: object) -> object:
        if type(array) is np.ndarray and not array.flags.writeable:
            raise ValueError("assignment destination is read-only")
        return method(array, *args)

    return at if method.__name__ == "at" else called


def _led(function: Any) -> Callable[..., object]:
    """A function that NumPy asks only its first argument about, which may be an array that only Python has."""
    of_lists = _of_lists(function)

    def called(*args: object, **kwargs: object) -> object:
        if current() is not None and args and _is_pythons(args[0]) and staged_among(args[1:], kwargs):
            return function(as_it_is(args[0]), *args[1:], **kwargs)
        return of_lists(*args, **kwargs)

    return called


def _of_array(method: Any) -> Callable[..., object]:
    """A method of an array that only Python has: the graph's, where only that knows what it is given."""

    def called(*args: object, **kwargs: object) -> object:
        array = method.__self__
        if current() is None or not _is_pythons(array) or not staged_among(args, kwargs):
            return method(*args, **kwargs)
        if method.__name__ in _WRITING:
            ways.takes(Way.STATE)
        return getattr(as_it_is(array), method.__name__)(*args, **kwargs)

    return called


_WRITING = frozenset("fill itemset partition put resize setfield sort".split())


def _is_pythons(value: object) -> TypeIs[NumPyArray]:
    return type(value) is np.ndarray and value.dtype.kind in "biufc"


def _made(value: object) -> object:
    """An array that is made while tracing and written later: the graph's, where it is known to write it."""
    if type(value) is not np.ndarray or current() is None or value.dtype.kind not in "biufc":
        return value
    if not ways.takes(Way.ARRAYS):
        return value
    first = value.reshape(-1)[:1]
    if value.size and value.tobytes() == np.broadcast_to(first.reshape(()), value.shape).tobytes():
        made = making.fill(list(value.shape), EagerTensor(first.reshape(())))
    else:
        made = apply(shape_ops.constant, value=value.copy(), dtype=EagerTensor(first).dtype)
    array = Array(made.traced_in, made.value)
    array.layout = value.flags.c_contiguous
    array.called = _assigned() or array.called
    return array


def _deque(*args: Any, **kwargs: Any) -> object:
    """A deque that is made while tracing: the graph's, where it is known to change it."""
    if current() is None:
        return collections.deque(*args, **kwargs)
    return kept_if_asked((converted(Deque) if ways.takes(Way.ARRAYS) else collections.deque)(*args, **kwargs))


def _count(*args: Any, **kwargs: Any) -> object:
    """An ``itertools.count`` that is made while tracing: the graph's, where it is known to ask it for numbers."""
    if current() is None:
        return itertools.count(*args, **kwargs)
    return (converted(Count) if ways.takes(Way.COUNTERS) else itertools.count)(*args, **kwargs)


def _queue(kind: Any) -> Callable[..., object]:
    """A queue for threads that is made while tracing: nobody puts anything there while it waits."""

    def get(self: Any, block: bool = True, timeout: float | None = None) -> object:
        if block and timeout is None and self.empty():
            raise StagingError(_WAITS.format(kind.__name__, "is empty"))
        return kind.get(self, block, timeout)

    def put(self: Any, item: object, block: bool = True, timeout: float | None = None) -> None:
        if block and timeout is None and hasattr(self, "full") and self.full():
            raise StagingError(_WAITS.format(kind.__name__, "is full"))
        kind.put(self, item, block, timeout)

    body = {"get": get, "put": put, "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    made = type(kind.__name__, (kind,), body)
    return lambda *args, **kwargs: (kind if current() is None else made)(*args, **kwargs)


_WAITS = (
    "this queue.{} {} while the function is traced, and would be waited for: it is for threads, and no part of a "
    "graph. Use collections.deque, with append and popleft (or pop)."
)


def _hashed(kind: type, ours: type) -> Callable[..., object]:
    """A dictionary or set that is made while tracing: the graph's, where that is known to have a key."""

    def made(*args: Any, **kwargs: Any) -> object:
        given = args[1:] if kind is collections.defaultdict else args
        if current() is None or kwargs or given[1:]:
            return kind(*args, **kwargs)
        items = given[0] if given else ()
        if kind is set and type(items) is Items:
            items.in_any_order()
        return kept_if_asked(converted(ours)(*args)) if _is_graphs(items) else kind(*args)

    return made


_HASHED: dict[type, type[Dict] | type[Set]] = {
    dict: Dict,
    set: Set,
    collections.defaultdict: DefaultDict,
    collections.Counter: Counter,
    collections.OrderedDict: OrderedDict,
}


def _of_class(method: Any) -> Callable[..., object]:
    """``dict.fromkeys`` as the graph's, as calling the class is; and ``datetime.now``, which asks outside."""
    if (asking := outside.of_class(method)) is not None:
        return asking
    ours: Any = _HASHED.get(method.__self__) if method.__name__ == "fromkeys" else None
    if ours is None:
        return spent.checked(method)

    def made(keys: object, *value: object) -> object:
        staged = current() is not None and not value[1:] and _is_graphs(keys)
        return converted(ours.fromkeys)(keys, *value) if staged else method(keys, *value)

    return made


def _is_graphs(items: object) -> bool:
    """Whether a dictionary or set of these is the graph's."""
    if backend_of(items) is not None or stands_in(items) or type(items) is Items:
        return True
    return ways.takes(Way.KEYS) and not _has_texts(items)


def _has_texts(items: Any) -> bool:
    """Whether texts are the keys of a dictionary, or the elements of a set, that is made of these."""
    return is_exactly(items, dict, set, list, tuple) and any(type(key) is str for key in items)


def _assigned() -> str:
    """The variable that the user's line assigns, if it is only one."""
    place = user_place()
    text = "" if place is None else linecache.getline(place.filename, place.line or 0)
    found = re.match(r"\s*(\w+)\s*(:[^=]*)?=[^=]", text)
    return found[1] if found is not None else ""


def _named(name: str) -> Any:
    """A function of NumPy by its dotted name; None where this release has none."""
    found: object = np
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _functions() -> list[tuple[object, Callable[..., object]]]:
    found: list[tuple[object, Callable[..., object]]] = []
    for name in STAGED_FUNCTIONS["numpy"]:
        last, function = name.rpartition(".")[2], _named(name)
        if last == "at":
            continue  # a method, which is another object each time
        if isinstance(function, type) and issubclass(function, np.generic):
            found.append((function, _number(function)))
        elif function in MAKERS:
            found.append((function, _making(function, MAKERS[function])))
    known = {id(function) for function, _ in found}
    joins = {name: _named(name) for name in SEEN_THROUGH if id(_named(name)) not in known}
    found += [(function, _of_parts(function)) for name, function in joins.items() if name in _STACKED]
    known |= {*map(id, joins.values())}
    led = [_named(name) for name in LED_BY_FIRST]
    found += [(function, _led(function)) for function in led]
    known |= {*map(id, led)}
    others = [one for one in (*FUNCTIONS, *NUMPY, *UFUNCS) if id(one) not in known]
    found += [(one, _of_operands(one) if isinstance(one, np.ufunc) else _of_lists(one)) for one in others]
    found = [(function, _of_deques(of_promoted(function, of_numbers(meaning)))) for function, meaning in found]
    found += [(kind, _queue(kind)) for kind in (queue.Queue, queue.LifoQueue, queue.PriorityQueue, queue.SimpleQueue)]
    found += [(collections.deque, _deque), (itertools.count, _count)]
    return [*found, *((kind, _hashed(kind, ours)) for kind, ours in _HASHED.items())]


_STACKED = frozenset("column_stack dstack hstack row_stack stack vstack".split())

set_array(_made)
set_methods([(np.ndarray, _of_array), (np.ufunc, _of_ufunc), (type, _of_class)])
before_staging(lambda: set_functions(_functions()))  # which has NumPy load its part that draws
