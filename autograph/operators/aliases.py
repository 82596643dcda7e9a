"""Who else holds an object: variables of the functions that are running, which a statement may not mention."""

from __future__ import annotations

import functools
import operator
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import BuiltinFunctionType, CellType, FrameType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

from autograph.dispatch import wholes
from autograph.operators.places import Place
from autograph.reading import attributes_of, is_own, members_of, module_of_class, slot_in, slots_of
from autograph.rules import is_left_alone

_DEPTH = 3  # containers in one another through which an object is looked for
_DEEP = 12  # and where it may be any of several
_MOST = 2000  # objects that are looked at for one variable


def holders(
    value: object, name: str, same: Callable[[object, object], bool] = operator.is_, place: Place | None = None
) -> Iterator[tuple[str, object]]:
    """The variables that lead to an object, and what is found there; but for the variable of this name, or the
    `place`, that a statement assigns. What is the `same` is found: views of an array have other identities than the
    array has."""
    own: FrameType | None = None  # where the statement stands
    for frame, key, held in _variables(sys._getframe(1)):
        own = own or frame
        if not _is(own, frame, key, name):
            yield from ((key, one) for one in _within(held, place=place) if same(one, value))


class _Outermost(threading.local):
    """The call, of those that this thread is tracing, which all others are within."""

    frame: FrameType | None = None
    given: Sequence[object] = ()


_outermost = _Outermost()


class traced_call:
    """While a function is called to be traced: what it makes is held by what it calls, by what it was given, or by
    variables of modules that these use, and by nothing else."""

    def __init__(self, *given: object) -> None:
        self.given = given

    def __enter__(self) -> None:
        self.is_outermost = _outermost.frame is None
        if self.is_outermost:
            _outermost.frame, _outermost.given = sys._getframe(1), self.given

    def __exit__(self, *_: object) -> None:
        if self.is_outermost:
            _outermost.frame, _outermost.given = None, ()


def held_besides(values: Iterable[object], *wholes: object) -> set[int]:
    """The identities of those of some values that variables of the functions that are running lead to, or what the
    outermost that is traced was given, other than through those that hold them all."""
    wanted, found, skipped = {*map(id, values)}, set(), {*map(id, wholes)}
    for _, _, held in _variables(sys._getframe(1)):
        found |= wanted.intersection(map(id, _within(held, skipped, _parts_and_cells)))
    return found


def _variables(frame: FrameType | None) -> Iterator[tuple[FrameType | None, str, object]]:
    """The variables of the functions that are running, within the outermost call that is traced, and what that was
    given; without a frame those of modules."""
    while frame is not None and frame is not _outermost.frame:
        module = frame.f_globals
        if not is_own(module.get("__name__")):
            yield from ((frame, key, held) for key, held in frame.f_locals.items())
            if module is not frame.f_locals:
                used = ((name, module.get(name)) for name in frame.f_code.co_names)
                yield from ((None, name, held) for name, held in used if not isinstance(held, _NO_HOLDERS))
        frame = frame.f_back
    yield from ((None, "what the function was given", held) for held in _outermost.given)


_NO_HOLDERS = (FunctionType, BuiltinFunctionType, ModuleType, type, int, float, str, type(None))


def _is(own: FrameType | None, frame: FrameType | None, key: str, name: str) -> bool:
    """Whether a variable of a function that is running, or of a module, is the one that is assigned."""
    if key != name:
        return False
    if frame is own or frame is None or own is None:
        return True
    return key in own.f_code.co_freevars and key in frame.f_code.co_cellvars + frame.f_code.co_freevars


def _within(
    start: object, but: Collection[int] = (), parts_of: Callable[[object], Sequence[object]] | None = None,
    place: Place | None = None,
) -> Iterator[object]:  # fmt: skip
    """A value and what it holds, without what one of these holds, and what is in a place."""
    level, seen = [start], 0
    for _ in range((_DEPTH if parts_of is None else _DEEP) + 1):
        inside: list[object] = []
        for one in level:
            yield one
            seen += 1
            if seen > _MOST:
                return
            if place is not None and one is place.holder:
                inside += _besides(one, place.key)
            elif id(one) not in but:
                inside += (parts_of or _parts)(one)
        level = inside


def _parts(value: Any) -> list[object]:
    kind = type(value)
    if id(kind) in wholes:
        return [*wholes[id(kind)](value)]  # one of several values, or what looks at another
    if issubclass(kind, list):
        return [*list.__iter__(value)]
    if issubclass(kind, tuple):
        return [*tuple.__iter__(value)]
    if issubclass(kind, dict):
        return [*dict.values(value)]
    if kind is FunctionType:
        return [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    if kind is MethodType:
        return [value.__self__]
    if kind is functools.partial:
        return [value.func, *value.args, *value.keywords.values()]
    if issubclass(kind, type) or is_own(module_of_class(kind)):
        return []
    return [*(attributes_of(value) or {}).values()]


def _besides(holder: object, key: object) -> list[object]:
    """What an object holds besides what is at a key; without a key, it all is."""
    if key is None:
        return []
    if isinstance(holder, list):
        return [part for index, part in enumerate(list.__iter__(holder)) if index != key]
    held: Any = holder if isinstance(holder, dict) else attributes_of(holder) or {}
    return [part for other, part in dict.items(held) if other != key]


def _parts_and_cells(value: object) -> list[object]:
    """What a value holds; of functions also what they take from those around them, which may have returned."""
    if isinstance(value, deque | set | frozenset):
        return [*value]
    if type(value) is GeneratorType:
        return [*(value.gi_frame.f_locals.values() if value.gi_frame is not None else ())]
    if isinstance(value, type) and not is_left_alone(module_of_class(value)):
        return [*members_of(value).values()]
    cells = value.__closure__ or () if type(value) is FunctionType else ()
    slots = [slot_in(value, slot, None) for slot in slots_of(type(value))]
    return [*_parts(value), *slots, *(cell.cell_contents for cell in cells if _is_filled(cell))]


def _is_filled(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
