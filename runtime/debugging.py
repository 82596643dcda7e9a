"""Assertions that hold when the graph runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph.dtypes import as_dtype
from runtime.ops import effects, elementwise as ew
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import operand, promote
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor

__all__ = [
    "Assert", "assert_all_finite", "assert_equal", "assert_greater", "assert_greater_equal", "assert_less",
    "assert_less_equal", "assert_near", "assert_negative", "assert_non_negative", "assert_non_positive",
    "assert_none_equal", "assert_positive", "assert_rank", "assert_scalar", "assert_shapes", "assert_type",
    "is_numeric_tensor",
]  # fmt: skip


def Assert(condition: Any, data: Any = (), summarize: int = 3, name: str | None = None) -> None:
    """Raise InvalidArgumentError, with `data` (three elements of each axis), unless the condition holds everywhere."""
    _usual(summarize, "Assert")
    apply(effects.assert_, operand(condition), *(operand(d) for d in data), message="assertion failed:", python=False)


def _usual(summarize: Any, function: str) -> None:
    if summarize not in (None, 3):
        raise NotImplementedError(f"{function} with summarize={summarize!r}: messages show three elements of each axis")


def _comparison(symbol: str, compare: Callable[..., Any]) -> Callable[..., None]:
    def check(x: Any, y: Any, message: str | None = None, summarize: Any = None, name: str | None = None) -> None:
        _usual(summarize, "the assertion")
        text = f"{message or ''} Condition x {symbol} y did not hold.".strip()
        a, b = promote([operand(x), y])
        apply(effects.assert_, compare(a, b), a, b, message=text, python=False)

    check.__doc__ = f"Raise InvalidArgumentError unless ``x {symbol} y`` for all elements."
    return check


assert_equal = _comparison("==", m.equal)
assert_none_equal = _comparison("!=", m.not_equal)
assert_less = _comparison("<", m.less)
assert_less_equal = _comparison("<=", m.less_equal)
assert_greater = _comparison(">", m.greater)
assert_greater_equal = _comparison(">=", m.greater_equal)


def _sign(symbol: str, compare: Callable[..., Any]) -> Callable[..., None]:
    def check(x: Any, message: str | None = None, summarize: Any = None, name: str | None = None) -> None:
        _usual(summarize, "the assertion")
        text = f"{message or ''} Condition x {symbol} 0 did not hold element-wise: x =".strip()
        value = operand(x)
        apply(effects.assert_, compare(value, 0), value, message=text, python=False)

    check.__doc__ = f"Raise InvalidArgumentError unless ``x {symbol} 0`` for all elements."
    return check


assert_positive = _sign(">", m.greater)
assert_negative = _sign("<", m.less)
assert_non_negative = _sign(">=", m.greater_equal)
assert_non_positive = _sign("<=", m.less_equal)


def assert_near(
    x: Any, y: Any, rtol: float | None = None, atol: float | None = None, message: str | None = None
) -> None:
    """Raise InvalidArgumentError unless ``|x - y| <= atol + rtol * |y|`` everywhere; each ten epsilons by default."""
    a, b = promote([operand(x), y])
    slack = 10 * float(np.finfo(a.dtype.dtype).eps) if a.dtype.is_floating or a.dtype.is_complex else 0.0
    close = apply(ew.is_close, a, b, rtol=slack if rtol is None else rtol, atol=slack if atol is None else atol)
    apply(effects.assert_, close, a, b, message=message or "x and y are not close:", python=False)


def assert_shapes(shapes: Any, data: Any = None, summarize: Any = None, message: str | None = None) -> None:
    """Raise ValueError unless the tensors have the given shapes; letters stand for sizes that must agree."""
    _usual(summarize, "assert_shapes")
    if data is not None:
        raise NotImplementedError("assert_shapes with data=: the message tells the tensor and its shape")
    sizes: dict[str, int | None] = {}
    for tensor, wanted in shapes.items() if isinstance(shapes, dict) else shapes:
        actual = operand(tensor).shape.as_list()
        if len(actual) != len(wanted):
            raise ValueError(f"{message or ''} {tensor} has rank {len(actual)}, not {len(wanted)}".strip())
        for size, want in zip(actual, wanted):
            want = sizes.setdefault(want, size) if isinstance(want, str) else want
            if None not in (size, want) and size != want:
                raise ValueError(f"{message or ''} {tensor} has shape {tuple(actual)}, not {tuple(wanted)}".strip())


def assert_rank(x: Any, rank: int, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless the tensor has this rank."""
    if len(operand(x).shape) != rank:
        raise ValueError(f"{message or ''} {x} has rank {len(operand(x).shape)}, not {rank}".strip())


def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Any:
    """The tensor; raises ValueError unless its shape is ()."""
    x = operand(tensor)
    if x.shape.rank != 0:
        raise ValueError(f"{message or ''} Expected a scalar, got {x} of shape {x.shape}.".strip())
    return x


def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise TypeError unless the tensor has this dtype."""
    if operand(tensor).dtype != tf_type:
        raise TypeError(f"{message or ''} {tensor} must be of type {as_dtype(tf_type).name}".strip())


def assert_all_finite(x: Any, message: str = "", name: str | None = None) -> Any:
    """The tensor; raises InvalidArgumentError if an element is NaN or infinite."""
    value = operand(x)
    text = f"{message} : Tensor had NaN or Inf values:".strip(" :")
    apply(effects.assert_, apply(ew.is_finite, value), value, message=text, python=False)
    return value


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether the value is a tensor of numbers."""
    return isinstance(tensor, Tensor) and not tensor.dtype.is_bool and tensor.dtype != "string"
