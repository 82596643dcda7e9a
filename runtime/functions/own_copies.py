"""What a function makes and returns with nothing of the graph in it, as ``[1, 2]``: each call returns its own."""

from __future__ import annotations

import copy
import functools
import gc
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph import UNSET
from autograph.reading import found_in, held_by, is_made_later, is_own, module_of_class, new_one, reached
from autograph.rules import is_left_alone
from runtime.control.leaves import Slot
from runtime.control.lists import KnownList
from runtime.control.plans import Chosen, Filling, HandlePlan, ListPlan, ObjectPlan, RowPlan, handles_in, slots
from runtime.tensors import nest

_MOST = 10_000  # objects that are looked at; what holds more is one for all calls


class OwnCopies:
    """The parts of a plan of which each call gets a copy.

    `was_there` gives what was there before the function was called, by its identity, or UNSET: that is not copied.
    """

    def __init__(self, plan: object, was_there: Callable[[int], object]) -> None:
        self.values: dict[int, Callable[[dict[int, Any] | None], object]] = {}  # what copies a part, by its identity
        self._kept: dict[int, object] = {}
        for part in _constants(plan):
            value = Filling(_no_slot, "", True).value(part)
            if not _is_library(value):
                for objects in ([*_with_a_say(value, was_there)], []):
                    copied = functools.partial(_copied, value, objects)
                    try:
                        made = copied(_Memo(was_there, self._kept))
                    except Exception:  # a lock, or a file: there is but one, unless a class knows better
                        continue
                    if made is not value:
                        self.values[id(part)] = copied
                    break

    def begun(self) -> dict[int, object]:
        """The memo of `copy.deepcopy` for the copies of one call: what is one object is one there, too."""
        return dict(self._kept)


def _with_a_say(value: object, was_there: Callable[[int], object]) -> Iterator[object]:
    """The objects made in the call whose classes say how they are copied: plain Python makes them, and copies none."""

    def parts(one: object) -> Iterable[object]:
        return _parts(one) if was_there(id(one)) is UNSET else ()

    for one in reached(value, parts):
        kind = type(one)
        own = is_made_later(kind) and not is_left_alone(module_of_class(kind)) and kind.__new__ is object.__new__
        if own and was_there(id(one)) is UNSET and not isinstance(one, type | BaseException | list | dict):
            if any(found_in(kind, name) is not found_in(object, name) for name in _SAY):
                yield one


_SAY = ("__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")


def _copied(value: object, objects: Iterable[object], memo: dict[int, Any] | None) -> object:
    """A deep copy, in which these objects have what they have, whatever their classes say."""
    memo = {} if memo is None else memo
    new = [(one, new_one(one)) for one in objects if id(one) not in memo]
    memo.update((id(one), made) for one, made in new)
    for one, made in new:
        for name, held in held_by(one).items():
            object.__setattr__(made, name, copy.deepcopy(held, memo))
    return copy.deepcopy(value, memo)


class _Memo(dict[int, Any]):
    """As `copy.deepcopy` takes it: what was there before the call stands for itself."""

    def __init__(self, was_there: Callable[[int], object], kept: dict[int, object]) -> None:
        super().__init__()
        self._was_there, self._kept = was_there, kept

    def get(self, key: int, default: Any = None) -> Any:
        if key in self:
            return self[key]
        found = self._was_there(key)
        if found is UNSET:
            return default
        self._kept[key] = found
        return found


def _constants(plan: object) -> Iterator[object]:
    """The largest parts of a plan without a slot."""
    waiting = [plan]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Slot):
            continue
        if isinstance(part, Chosen):
            waiting += part.options
        elif isinstance(part, ListPlan):
            waiting += part.elements
        elif isinstance(part, ObjectPlan):
            waiting += part.parts
        elif not isinstance(part, RowPlan | HandlePlan):
            if nest.is_nested(part) and (any(True for _ in slots(part)) or any(True for _ in handles_in(part))):
                waiting += nest.parts(part)
            else:
                yield part


def _is_library(value: object) -> bool:
    """Whether a value is, or leads to, an object of this library's, as a Variable: there is but one."""
    for number, one in enumerate(reached(value, _parts)):
        kind = type(one)
        if number >= _MOST or (is_own(kind.__module__) and kind is not KnownList):
            return True
    return False


def _parts(value: object) -> Iterable[object]:
    if type(value) is KnownList:
        return list.__iter__(value)
    if isinstance(value, type | types.ModuleType | types.FunctionType | types.BuiltinFunctionType):
        return ()
    return gc.get_referents(value)


def _no_slot(slot: Slot) -> object:
    raise AssertionError("a part without a slot has one")
