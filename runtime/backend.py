"""What staged values of this library mean to converted code: the `autograph` backend."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Mapping
from typing import Any

from autograph import Attempt, register_backend
from runtime import control, mathematics, shaping
from runtime.arrays import TensorArray
from runtime.conversion import cast
from runtime.dtypes import float32, int32
from runtime.lists import TensorList
from runtime.ops import effects
from runtime.ops import elementwise as ew
from runtime.tensor import SymbolicTensor, Tensor
from runtime.trace import apply, current
from runtime.variables import Variable


class RuntimeBackend:
    """Stages statements whose condition or items are symbolic tensors, or Variables under a trace."""

    def is_staged(self, value: object) -> bool:
        if isinstance(value, TensorArray):
            return False
        if isinstance(value, TensorList):
            return value.rows is not None
        return isinstance(value, SymbolicTensor | control.Choice) or current() is not None

    cond = staticmethod(control.staged_cond)
    while_loop = staticmethod(control.staged_while)
    for_loop = staticmethod(control.staged_for)

    def content(self, value: Any) -> Any:
        if isinstance(value, TensorList):
            return value.content
        return value.elements if isinstance(value, TensorArray) else None

    def set_content(self, value: Any, content: Any) -> None:
        if isinstance(value, TensorList):
            value.content = content
        else:
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
    if isinstance(value, TensorList):
        return value.staged().count()
    known = value.shape
    if known.rank == 0:
        raise TypeError(f"a scalar tensor has no length: {value}")
    return known[0] if known.rank is not None and known[0] is not None else shaping.shape(value)[0]


def _sorted(value: Any, key: Any, reverse: bool) -> Any:
    if isinstance(value, TensorList):
        made = value.copy()
        made.sort(key=key, reverse=reverse)
        return made
    return sorted_tensor(value, key, reverse) if isinstance(value, SymbolicTensor) else NotImplemented


def sorted_tensor(value: Any, key: Any, reverse: bool) -> Any:
    """The rows of a tensor in order."""
    order = "DESCENDING" if reverse else "ASCENDING"
    if key is None:
        return shaping.sort(value, 0, order)
    return shaping.gather(value, shaping.argsort(control.map_fn(key, value), 0, order))


def _round(value: Any, digits: int | None = None) -> Any:
    if digits is None:
        return cast(mathematics.rint(value), int32)
    scale = 10**digits
    return mathematics.rint(value * scale) / scale


def _contains(items: Any, value: Any) -> Any:
    if isinstance(items, TensorList) and items.rows is not None:
        items = items.stacked()
    if isinstance(items, Tensor):
        return mathematics.reduce_any(items == value)
    if not isinstance(items, list | tuple | dict | set | frozenset | range):
        return NotImplemented
    found: Any = False
    for item in items:
        same = True if item is value else item == value
        if same is True:
            return True
        if same is not False:
            same = mathematics.reduce_all(same)
            found = same if found is False else apply(ew.logical_or, found, same)
    return found


def _getitem(table: Any, index: Any) -> Any:
    if type(table) in (list, tuple) and not isinstance(index, control.Choice):
        return TensorList(table)[index]
    if isinstance(table, dict):
        return _value_of(table, index)
    return NotImplemented


def _value_of(table: dict[Any, Any], key: Any) -> Any:
    """The value for a staged key: one branch for each key that there is."""

    def arm(keys: list[Any]) -> Any:
        if not keys:
            raise KeyError(key)
        return control.cond(mathematics.equal(key, keys[0]), lambda: table[keys[0]], lambda: arm(keys[1:]))

    return arm([k for k in table if isinstance(k, int | float | str | bytes)])


def _is(value: Any, other: Any) -> Any:
    choices = [control.choice_of(v) for v in (value, other)]
    if choices[0] is None and choices[1] is None:
        return NotImplemented
    return control.is_option(choices[0], other) if choices[0] is not None else control.is_option(choices[1], value)


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
    operator.contains: _contains,
    operator.is_: _is,
    operator.getitem: _getitem,
    builtins.list: lambda values=(): TensorList(values),
}

_TYPES = (SymbolicTensor, Variable, TensorArray, TensorList, control.Choice)
register_backend(_TYPES, RuntimeBackend(), announces=True)
