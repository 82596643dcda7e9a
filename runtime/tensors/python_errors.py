"""What Python raises for its own numbers where NumPy computes on: a divisor that is 0, a count of bits below 0 …"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph import errors
from runtime.graph.dtypes import float64
from runtime.ops import effects, elementwise as ew
from runtime.tensors import mathematics
from runtime.tensors.clauses import not_caught
from runtime.tensors.conversion import operand, static_value
from runtime.tensors.from_numpy import type_of
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.tensor import Tensor

FAILING: dict[str, Callable[[Any, Any], object]] = {
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}


def before(name: str, x: Any, y: Any) -> tuple[Any, Any]:
    """The operands to compute with, once the graph has been told to raise what Python raises for them."""
    if name == "pow":
        return _base(x, y), y
    if name in ("lshift", "rshift"):
        refuse_where(y < 0, lambda: FAILING[name](1, -1))
    else:
        refuse_where(y == 0, lambda: FAILING[name](type_of(x)(1), type_of(y)(0)))
    return x, y


def after(name: str, x: Any, y: Any, made: Any) -> None:
    """Have the graph raise what Python raises for a float that is too large, and OverflowError for too far a shift."""
    if name == "lshift":
        refuse_where(made >> y != x, _large)
    if name != "pow" or made.dtype.is_complex or made.dtype.is_integer:
        return
    fits = mathematics.is_finite(made)
    for value in (x, y):
        if isinstance(value, Tensor):
            fits = mathematics.logical_or(fits, mathematics.logical_not(mathematics.is_finite(value)))
    refuse_where(mathematics.logical_not(fits), lambda: 10.0**400)


def _base(x: Any, y: Any) -> Any:
    """What is raised to a power: of whole numbers one below 0 is that of floats."""
    kinds, known = (type_of(x), type_of(y)), static_value(y)
    if complex in kinds:
        return x
    if float not in kinds:
        if known is None or known >= 0:
            return x
        x = type(x)(x.traced_in, apply(ew.cast, x, dtype=float64, weak=True).record_in(x.traced_in), python=True)
    if known is None or known < 0:
        refuse_where(_both(x == 0, y < 0), lambda: 0.0**-1.0)
    if known is None or known != np.floor(known):
        broken = apply(ew.floor, y) != y if isinstance(y, Tensor) and type_of(y) is float else known is not None
        refuse_where(_both(x < 0, broken), _complex)
    return x


def _complex() -> None:
    raise errors.OperatorNotAllowedInGraphError(
        "a number below 0 to a power that is no whole number is complex, and only the graph knows whether it is. "
        "Begin with a complex number, or ask first: x ** y if x >= 0 else ..."
    )


def _large() -> None:
    raise OverflowError("a whole number of Python's that a graph makes has 64 bits, which do not hold this one")


def _both(a: Tensor | bool, b: Tensor | bool) -> Tensor | bool:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return mathematics.logical_and(a, b)
    return (a if b else False) if isinstance(a, Tensor) else (b if a else False)


def refuse_where(bad: Tensor | bool, raising: Callable[[], object]) -> None:
    """Have the graph raise what a function does, where something holds; at once if that is known."""
    known = static_value(bad) if isinstance(bad, Tensor) else bad
    if known is not None:
        if known:
            raising()
        return
    try:
        raising()
    except Exception as error:
        raised = error.with_traceback(None)
    not_caught(raised, lambda: operand(bad))
    apply_all(effects.require_, bad, wanted=0, otherwise=(None, raised))
