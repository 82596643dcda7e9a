"""What staged values of this library mean to converted code: the `autograph` backend."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any

from autograph import Attempt, register_backend
from runtime import control, mathematics, shaping
from runtime.arrays import TensorArray
from runtime.conversion import cast
from runtime.dtypes import float32, int32
from runtime.ops import effects
from runtime.ops import elementwise as ew
from runtime.tensor import SymbolicTensor
from runtime.trace import apply, current
from runtime.variables import Variable


class RuntimeBackend:
    """Stages statements whose condition or items are symbolic tensors, or Variables under a trace."""

    def is_staged(self, value: object) -> bool:
        if isinstance(value, TensorArray):
            return False
        return isinstance(value, SymbolicTensor | control.Choice) or current() is not None

    cond = staticmethod(control.staged_cond)
    while_loop = staticmethod(control.staged_while)
    for_loop = staticmethod(control.staged_for)

    def content(self, value: Any) -> Any:
        return value.elements if isinstance(value, TensorArray) else None

    def set_content(self, value: Any, content: Any) -> None:
        value.elements = content

    def not_(self, value: Any) -> Any:
        return apply(ew.logical_not, control.truth(value))

    def assert_(self, test: Any, message: Callable[[], object] | None, statement: str) -> None:
        text = str(message()) if message is not None else f"assertion failed: {statement}"
        apply(effects.assert_, control.truth(test), message=text, python=True)

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        meaning = _BUILTINS.get(function)
        return NotImplemented if meaning is None else meaning(*arguments, **keywords)

    def attempt(self) -> Attempt | None:
        trace = current()
        return None if trace is None else Attempt(trace.nodes, trace.rewind)


def _len(value: Any) -> Any:
    known = value.shape
    if known.rank == 0:
        raise TypeError(f"a scalar tensor has no length: {value}")
    return known[0] if known.rank is not None and known[0] is not None else shaping.shape(value)[0]


def _sorted(value: Any, key: Any, reverse: bool) -> Any:
    order = "DESCENDING" if reverse else "ASCENDING"
    if not isinstance(value, SymbolicTensor):
        return NotImplemented
    if key is None:
        return shaping.sort(value, 0, order)
    return shaping.gather(value, shaping.argsort(control.map_fn(key, value), 0, order))


def _round(value: Any, digits: int | None = None) -> Any:
    if digits is None:
        return cast(mathematics.rint(value), int32)
    scale = 10**digits
    return mathematics.rint(value * scale) / scale


_BUILTINS: dict[Any, Callable[..., Any]] = {
    builtins.len: _len,
    builtins.range: shaping.range,
    builtins.abs: mathematics.abs,
    builtins.int: lambda value: cast(value, int32),
    builtins.float: lambda value: cast(value, float32),
    builtins.bool: control.truth,
    builtins.round: _round,
    builtins.pow: lambda x, y, mod=None: x**y if mod is None else x**y % mod,
    builtins.sorted: lambda x, key=None, reverse=False: _sorted(x, key, reverse),
    builtins.divmod: lambda x, y: (x // y, x % y),
}

register_backend((SymbolicTensor, Variable, TensorArray, control.Choice), RuntimeBackend(), announces=True)
