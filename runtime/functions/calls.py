"""Calls that are like an earlier one, told by the dtypes and shapes of tensors, by how the elements of arrays lie, and
by Python's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.tensors.tensor import EagerTensor

_KEPT = 256  # calls that are known: of more, all are forgotten
_VALUES = frozenset([int, bool, str, bytes, type(None)])  # which equal their likes; those below tell 0.0 from -0.0
_SHOWN = frozenset([float, complex])

Leaves: TypeAlias = list[Any]
Run: TypeAlias = Callable[[Leaves], object]


ANOTHER = object()  # the result of a run that is not for this call any more


class Calls:
    """What does a call, by what tells calls apart."""

    def __init__(self) -> None:
        self._runs: dict[object, Run] = {}

    def find(self, args: Sequence[object], kwargs: Mapping[str, object]) -> tuple[Run, Leaves] | None:
        """What does such a call, and the tensors and arrays that it takes."""
        if not self._runs:
            return None
        found = taken_apart(args, kwargs)
        if found is None:
            return None
        key, leaves = found
        run = self._runs.get(key)
        return None if run is None else (run, leaves)

    def keep(self, key: object, run: Run) -> None:
        """Have calls with such a key run this."""
        if len(self._runs) >= _KEPT:
            self._runs.clear()
        self._runs[key] = run


def taken_apart(args: Sequence[object], kwargs: Mapping[str, object]) -> tuple[object, Leaves] | None:
    """What tells calls apart, and the tensors and arrays in them; None where other things are among the arguments.

    It takes as long as there are arguments, however large they are.
    """
    key: list[object] = []
    leaves: Leaves = []
    seen: list[object] = []  # lists and dictionaries
    for value in args:
        kind = type(value)
        if kind is EagerTensor:
            array = value.array  # type: ignore[attr-defined]
            key += (kind, array.dtype, array.shape)
            leaves.append(value)
        elif not _add(value, key, leaves, seen):
            return None
    for name, value in kwargs.items():
        key.append(name)
        if not _add(value, key, leaves, seen):
            return None
    return tuple(key), leaves


def _add(value: Any, key: list[object], leaves: Leaves, seen: list[object]) -> bool:
    """Add what tells a value from others; returns whether there is such a thing."""
    kind = type(value)
    if kind is EagerTensor:
        array = value.array
        key += (kind, array.dtype, array.shape)
        leaves.append(value)
    elif kind is np.ndarray or isinstance(value, np.generic):
        key += (kind, value.dtype, value.shape, value.flags.c_contiguous)
        leaves.append(value)
    elif kind in _VALUES:
        key += (kind, value)
    elif kind in _SHOWN:
        key += (kind, repr(value))
    elif kind is dict or kind is list or kind is tuple:
        parts = value.values() if kind is dict else value
        key += (kind, tuple(value) if kind is dict else len(value))
        if kind is dict:
            for name in value:
                if type(name) is not str:  # 1 equals True
                    return False
        if kind is not tuple:
            if any(one is value for one in seen):  # one list in two places is one list in the graph
                return False
            seen.append(value)
        for part in parts:
            if not _add(part, key, leaves, seen):
                return False
    else:
        return False
    return True


def is_plain(leaf: Any) -> bool:
    """Whether it holds numbers, in the order of bytes that the machine has."""
    dtype = leaf.array.dtype if type(leaf) is EagerTensor else leaf.dtype
    return dtype.kind in "biufc" and bool(dtype.isnative)
