"""What a function makes and returns with nothing of the graph in it, as ``[1, 2]``: each call returns its own."""

from __future__ import annotations

import copy
import gc
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph import UNSET
from autograph.reading import is_own, reached
from runtime.control.leaves import Slot
from runtime.control.lists import KnownList
from runtime.control.plans import Chosen, Filling, ListPlan, ObjectPlan, RowPlan, slots
from runtime.tensors import nest

_MOST = 10_000  # objects that are looked at; what holds more is one for all calls


class OwnCopies:
    """The parts of a plan of which each call gets a copy.

    `was_there` gives what was there before the function was called, by its identity, or UNSET: that is not copied.
    """

    def __init__(self, plan: object, was_there: Callable[[int], object]) -> None:
        self.values: dict[int, object] = {}  # by the identity of the part
        self._kept: dict[int, object] = {}
        for part in _constants(plan):
            value = Filling(_no_slot, "", True).value(part)
            if not _is_library(value):
                memo = _Memo(was_there, self._kept)
                try:
                    made = copy.deepcopy(value, memo)
                except Exception:  # a lock, or a file: there is but one
                    continue
                if made is not value:
                    self.values[id(part)] = value

    def begun(self) -> dict[int, object]:
        """The memo of `copy.deepcopy` for the copies of one call: what is one object is one there, too."""
        return dict(self._kept)


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
        elif not isinstance(part, RowPlan):
            if nest.is_nested(part) and any(True for _ in slots(part)):
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
