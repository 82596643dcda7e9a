"""Iterators that a loop has gone on with until the graph decides: nobody may ask them for items afterwards.

How such an iterator is asked has no end of spellings (``[*it]``, ``set(it)``, ``a, *b = it``, a library's function), so
its holders get something in its place that refuses: variables of the functions that run, attributes, containers,
closures. An object of a user's class stays the one it is, and gets a class that refuses. Where a holder can hold
nothing else (a set, a method, an exception), the loop is refused.
"""

from __future__ import annotations

import functools
import gc
import operator
import sys
import threading
import types
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeGuard

from autograph import dispatch
from autograph.dispatch import Statement
from autograph.errors import StagingError
from autograph.operators.fixed import inside
from autograph.reading import (
    attributes_of,
    found_in,
    is_exactly,
    is_made_later,
    is_own,
    module_of_class,
    slot_in,
    slots_of,
)

left: dict[int, tuple[object, Statement]] = {}
dispatch.when_ended(lambda: [left.popitem() for _ in range(len(left))])
_MOST = 1000  # iterators that are looked at for one loop
_WATCHED = types.FrameType, types.ModuleType, functools.partial  # which hold what their variables do; see `checked`
_KNOWN = 2  # references to what is in a list: that, and the argument of who counts them
_HELD = 3  # to the iterator of a loop that nobody else holds: the loop's, too


class Rest:
    """An iterator of Python's, to be gone on with: unlike others it is not asked for an iterator again. Nobody but this
    library has one, nor the `made` iterator, if there is one that it goes through."""

    def __init__(self, items: Iterable[object], made: object = None) -> None:
        self.iterator, self.made = iter(items), made

    def __iter__(self) -> Iterator[object]:
        return self

    def __next__(self) -> object:
        return next(self.iterator)


def parts_of(iterator: Iterator[object]) -> list[Iterator[object]]:
    """An iterator and those that it may take its items from, as far as they can be seen before it is at its end."""
    parts, seen = [iterator], {id(iterator)}
    for part in parts:
        new = {id(p): p for p in _sources(part) if _is_iterator(p) and id(p) not in seen}
        seen.update(new)
        parts += [*new.values()][: _MOST - len(parts)]
    return parts


def leave(parts: list[Iterator[object]], statement: Statement) -> bool:
    """Have nobody ask iterators that a loop may have left at an item that only the graph knows, nor those around them.

    The first is that of the loop; where nobody else holds it there is nothing to do. Returns whether no iterator was
    left so before.
    """
    first = not left
    if _are_shared(parts):
        waiting: Sequence[object]
        waiting, others = parts, _Others()
        while waiting and len(others.values) < _MOST:
            waiting = others.take([p for p in waiting if id(p) not in left and type(p) is not Left], statement)
    return first and bool(left)


def _are_shared(parts: list[Iterator[object]]) -> bool:
    """Whether anybody holds one of these iterators besides the loop, and those of them that go through another."""
    among = {*map(id, parts)}
    direct = [part for holder in parts for part in gc.get_referents(holder)]
    through = [p for p in direct if is_exactly(p, tuple, dict, types.CellType)]
    through = [p for p in through if not among.isdisjoint(map(id, gc.get_referents(p)))]
    inner = Counter(map(id, direct))
    inner.update(id(part) for holder in {id(p): p for p in through}.values() for part in gc.get_referents(holder))
    del direct
    if any(sys.getrefcount(through[n]) > inner[id(through[n])] + _KNOWN for n in range(len(through))):
        return True
    alone = {id(one) for part in parts if type(part) is Rest for one in (part, part.made)}
    return any(
        sys.getrefcount(parts[n]) > inner[id(parts[n])] + (_KNOWN if n else _HELD) and id(parts[n]) not in alone
        for n in range(len(parts))
    )


def check(*values: object) -> None:
    """Refuse to go on with an iterator that was left so."""
    for value in values if left else ():
        for part in (value, *inside(value)):
            if type(part) is Left:
                part._refuse()
            if id(part) in left:
                raise refusal(*left[id(part)])


def watched(items: object) -> Any:
    """What a loop in place goes over: it must not go on with an iterator that a loop in it has left."""
    return _watched(items) if dispatch.active and _is_iterator(items) else items


def _watched(iterator: Iterator[object]) -> Iterator[object]:
    """The items, each asked for only after a check; whoever makes them sees the loop as their caller, not this."""
    return map(operator.itemgetter(1), zip(_checks(iterator), iterator))


def _checks(iterator: object) -> Iterator[None]:
    while True:
        if left:
            check(iterator)
        yield


def checked(function: Callable[..., object]) -> Callable[..., object]:
    """What to call for a function that may ask its arguments for items; `super` asks who calls it."""
    return functools.partial(_called, function) if left and function is not super else function


class _Handed(threading.local):
    """What a function is called with in this library, for who counts the references to its arguments."""

    given: tuple[object, ...] = ()  # the arguments of the last call
    times = 0  # how often the callers hold them

    def references(self, value: object) -> int:
        """How often a value, if that was given first, is held by who handed it on."""
        return self.times if self.given and self.given[0] is value else 0


handed = _Handed()


def _called(function: Callable[..., object], /, *arguments: object, **keywords: object) -> object:
    check(*arguments, *keywords.values())
    before = handed.given, handed.times
    handed.given, handed.times = arguments, 2  # here, and where the partial was called, which is none of Python's calls
    try:
        return function(*arguments, **keywords)
    finally:
        handed.given, handed.times = before


def behind_check(function: Any, arguments: Iterable[object]) -> Any:
    """The function that `checked` gave another for, after the check of its arguments; any other as it is. A partial of
    the user's function has taken in what `checked` gave, and has arguments of its own."""
    if type(function) is not functools.partial or function.func is not _called:
        return function
    called, *own = function.args
    check(*own, *function.keywords.values(), *arguments)
    return functools.partial(called, *own, **function.keywords) if own or function.keywords else called


def refusal(iterator: object, statement: Statement) -> StagingError:
    """What is wrong with going on with an iterator that a loop may have left."""
    return StagingError(
        f"a `break` that only the graph decides may have left a loop over this {type(iterator).__name__}, so only the "
        f"graph knows what items are left in it. Loop over a list instead, and keep the index with enumerate().\n"
        f"  {statement}"
    )


def _held_elsewhere(holder: object, statement: Statement) -> StagingError:
    return StagingError(
        f"a `break` that only the graph decides may leave this loop, and its iterator is held by a "
        f"{type(holder).__name__}, too: whoever asks it for items there could not be told that only the graph knows "
        f"what items are left. Loop over a list instead, and keep the index with enumerate().\n"
        f"  {statement}"
    )


class Left:
    """Stands for an iterator of Python's that only the graph knows the rest of: whatever asks for that is refused."""

    __slots__ = ("_iterator", "_statement")

    def __init__(self, iterator: object, statement: Statement) -> None:
        self._iterator, self._statement = iterator, statement

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self._iterator)

    def __repr__(self) -> str:
        return repr(self._iterator)

    def __getattr__(self, name: str) -> object:
        if name in ("close", "__enter__", "__exit__"):
            return getattr(self._iterator, name)
        if name.startswith("__"):
            raise AttributeError(name)
        return self._refuse()

    def _refuse(self, *_: object) -> NoReturn:
        raise refusal(self._iterator, self._statement)

    def __iter__(self) -> Iterator[object]:
        return self  # what is written in C would call an error of this an error of types

    __next__ = __length_hint__ = __contains__ = __getitem__ = __copy__ = __deepcopy__ = _refuse
    __reduce_ex__ = _refuse  # type: ignore[assignment]


def _is_iterator(value: object) -> TypeGuard[Iterator[object]]:
    return found_in(type(value), "__next__") is not None


def _sources(iterator: object) -> list[object]:
    """What an iterator refers to, and may take its items from."""
    direct = gc.get_referents(iterator)
    through = [part for part in direct if is_exactly(part, tuple, dict, types.CellType)]
    return direct + [part for holder in through for part in gc.get_referents(holder)]


class _Others:
    """What takes the place of iterators, and of tuples with such in them."""

    def __init__(self) -> None:
        self.values: list[object] = []  # so that their identities stay theirs
        self.of: dict[int, object] = {}

    def take(self, values: list[object], statement: Statement) -> list[object]:
        """Have all holders of these hold others; returns the holders that cannot, and have to be replaced too."""
        for value in values:
            self.values.append(value)
            if type(value) is tuple:
                self.of[id(value)] = tuple([self.of.get(id(part), part) for part in value])
                continue
            left[id(value)] = value, statement
            made: type = type(value)
            if not is_made_later(made) or is_own(module_of_class(made)) or not _made_to_refuse(value, statement):
                self.of[id(value)] = Left(value, statement)
        frame: types.FrameType | None = sys._getframe(1)
        while frame is not None:
            if not is_own(frame.f_globals.get("__name__")):
                _replace_variables(frame, self.of)
            frame = frame.f_back
        found: list[object] = []
        asked = tuple(values)  # from Python 3.13 on this is among the answers
        ours = {*map(id, (values, asked, self.values, self.of, *left.values(), *self.of.values()))}
        for holder in gc.get_referrers(*asked) if values else ():
            if id(holder) in ours or type(holder) is Left:
                continue
            if _is_iterator(holder):
                found += [holder] if not getattr(holder, "gi_running", False) else []
            elif type(holder) is tuple:
                found += [holder] if id(holder) not in self.of else []
            else:
                _replace_in(holder, self.of)
                kind = type(holder.__self__) if type(holder) is types.MethodType else type(holder)
                watched = isinstance(holder, _WATCHED) or is_own(module_of_class(kind))
                if not watched and any(id(part) in self.of for part in gc.get_referents(holder)):
                    raise _held_elsewhere(holder, statement)
        return found


def _replace_variables(frame: types.FrameType, others: dict[int, object]) -> None:
    variables = frame.f_locals
    names = [name for name, held in [*variables.items()] if id(held) in others]
    for name in names:
        variables[name] = others[id(variables[name])]  # from Python 3.13 on that is all
    if names and sys.version_info < (3, 13):
        import ctypes

        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))


def _replace_in(holder: Any, others: dict[int, object]) -> None:
    """Replace what a container, a closure or an object holds."""
    kind = type(holder)
    if kind is types.CellType:
        if id(holder.cell_contents) in others:
            holder.cell_contents = others[id(holder.cell_contents)]
    elif issubclass(kind, dict):
        for key in [key for key, held in dict.items(holder) if id(held) in others]:
            dict.__setitem__(holder, key, others[id(dict.__getitem__(holder, key))])
    elif issubclass(kind, list | deque):
        base = list if issubclass(kind, list) else deque
        for index, held in enumerate([*base.__iter__(holder)]):
            if id(held) in others:
                base.__setitem__(holder, index, others[id(held)])
    elif not issubclass(kind, types.FrameType | type | types.ModuleType):
        slots = [(slot, slot_in(holder, slot)) for slot in slots_of(kind)]
        for name, held in [*(attributes_of(holder) or {}).items(), *slots]:
            if id(held) in others:
                object.__setattr__(holder, name, others[id(held)])


def _made_to_refuse(iterator: object, statement: Statement) -> bool:
    """Give an object a class that refuses to go on with it, and is else the one that it has; tells whether it can."""
    other = Left(iterator, statement)
    kind: type = type(iterator)
    members: dict[str, object] = {"__slots__": (), "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    members["__next__"] = lambda self: other._refuse()
    try:
        object.__setattr__(iterator, "__class__", type(kind)(kind.__name__, (kind,), members))
    except (TypeError, AttributeError):
        return False
    return True
