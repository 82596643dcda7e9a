"""What a call may do at once that is like an earlier one: no signature is made, and no graph is looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.functions.concrete import ConcreteFunction
from runtime.tensors.tensor import EagerTensor

_DIRECT = 4  # native functions that a call tries


class Shortcuts:
    """The short ways of one function, for calls without keywords."""

    def __init__(self) -> None:
        self._direct: tuple[Callable[..., object], ...] = ()  # native functions, which return None for other arguments
        self._quick: dict[object, Callable[..., object]] = {}  # by dtypes and shapes: they take arrays

    def called(self, args: Sequence[object]) -> object:
        """What one of the native functions gives; None if none takes such arguments. The first has been asked."""
        for direct in self._direct[1:]:
            result = direct(*args)
            if result is not None:
                return result
        return None

    def quick(self, args: Sequence[object]) -> Callable[..., Any] | None:
        """What takes the arrays of such arguments."""
        return self._quick.get(_key_of(args)) if self._quick else None

    def add(self, args: Sequence[object], concrete: ConcreteFunction) -> bool:
        """Know the graph that such arguments have; returns whether calls ask its native function first from now on."""
        if concrete.quick is None or len(args) != concrete.takes:
            return False
        direct, is_first = concrete.direct, not self._direct
        if direct is not None and len(self._direct) < _DIRECT and direct not in self._direct:
            self._direct = (*self._direct, direct)
        scalars = any(isinstance(a, np.generic) for a in args)  # native functions are for tensors and arrays
        if (scalars or direct is None) and (key := _key_of(args)) is not None:
            self._quick[key] = concrete.quick
        return direct is not None and is_first


def _key_of(args: Sequence[object]) -> object:
    """What tells calls apart whose arguments are all eager tensors or arrays; None for any others."""
    key: list[object] = []
    for a in args:
        array = a.array if type(a) is EagerTensor else a
        if (type(array) is not np.ndarray and not isinstance(array, np.generic)) or array.dtype.kind not in "biufc":
            return None
        if not array.dtype.isnative:
            return None
        key += (array.dtype, array.shape, type(a))
    return tuple(key)
