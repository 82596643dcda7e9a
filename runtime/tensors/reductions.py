"""Reductions and scans along axes, by TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.errors import refused
from runtime.graph.dtypes import as_dtype, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.op import Op
from runtime.ops import reduce as reduce_ops
from runtime.tensors.conversion import cast, operand, static_value
from runtime.tensors.mathematics import not_equal
from runtime.tensors.operations import apply


def axes(axis: Any) -> Any:
    """An axis argument as an int, a tuple of ints or None."""
    if axis is None or isinstance(axis, int):
        return axis
    known: Any = static_value(operand(axis)) if not isinstance(axis, list | tuple) else axis
    if known is None:
        raise refused(InvalidArgumentError("an axis must be known while tracing"))
    return int(known) if getattr(known, "ndim", 1) == 0 else tuple(int(a) for a in known)


def _reduction(op: Op, doc: str, given: bool = False) -> Callable[..., Any]:
    def function(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
        x = operand(input_tensor)
        dtype = {"dtype": x.dtype} if given else {}
        return apply(op, x, axis=axes(axis), keepdims=bool(keepdims), **dtype)

    function.__name__ = function.__qualname__ = f"reduce_{op.name}"
    function.__doc__ = doc + " Over `axis` (an int or several; all by default); `keepdims` keeps them with size 1."
    return function


reduce_sum = _reduction(reduce_ops.reduce_sum, "The sum, in the dtype of the tensor.", given=True)
reduce_prod = _reduction(reduce_ops.reduce_prod, "The product, in the dtype of the tensor.", given=True)
reduce_max = _reduction(reduce_ops.reduce_max, "The largest element.")
reduce_min = _reduction(reduce_ops.reduce_min, "The smallest element.")
reduce_any = _reduction(reduce_ops.reduce_any, "Whether any element is true.")
reduce_all = _reduction(reduce_ops.reduce_all, "Whether all elements are true.")
reduce_std = _reduction(reduce_ops.reduce_std, "The standard deviation.")
reduce_variance = _reduction(reduce_ops.reduce_var, "The variance.")
reduce_logsumexp = _reduction(reduce_ops.reduce_logsumexp, "log(sum(exp(x))), without overflow.")


def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The mean over `axis`, in the dtype of the tensor: the mean of ints is rounded towards zero."""
    x = operand(input_tensor)
    if not x.dtype.is_integer:
        return apply(reduce_ops.reduce_mean, x, axis=axes(axis), keepdims=bool(keepdims), dtype=x.dtype)
    exact = apply(reduce_ops.reduce_mean, x, axis=axes(axis), keepdims=bool(keepdims), dtype=as_dtype("float64"))
    return cast(exact, x.dtype)


def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool = False, dtype: Any = int64, name: str | None = None
) -> Any:
    """How many elements are not zero."""
    nonzero = cast(not_equal(input, 0), dtype)
    return apply(reduce_ops.reduce_sum, nonzero, axis=axes(axis), keepdims=bool(keepdims), dtype=as_dtype(dtype))


def argmax(input: Any, axis: int | None = None, output_type: Any = int64, name: str | None = None) -> Any:
    """The index of the largest element along an axis (the first by default)."""
    return apply(reduce_ops.argmax, operand(input), axis=axis if axis is not None else 0, dtype=as_dtype(output_type))


def argmin(input: Any, axis: int | None = None, output_type: Any = int64, name: str | None = None) -> Any:
    """The index of the smallest element along an axis (the first by default)."""
    return apply(reduce_ops.argmin, operand(input), axis=axis if axis is not None else 0, dtype=as_dtype(output_type))


def cumsum(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Running sums along an axis."""
    x = operand(x)
    return apply(reduce_ops.cumsum, x, axis=int(axis), exclusive=exclusive, reverse=reverse, dtype=x.dtype)


def cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Running products along an axis."""
    x = operand(x)
    return apply(reduce_ops.cumprod, x, axis=int(axis), exclusive=exclusive, reverse=reverse, dtype=x.dtype)
