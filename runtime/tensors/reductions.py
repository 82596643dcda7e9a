"""Reductions and scans along axes, by TensorFlow's names."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from autograph.errors import refused
from runtime.graph.dtypes import as_dtype, float64, int64, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, reduce as reduce_ops
from runtime.tensors.composites import Formed
from runtime.tensors.conversion import cast, known_numbers, operand
from runtime.tensors.mathematics import not_equal
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, TensorLike


def axes(axis: AxisLike) -> Any:
    """An axis argument as an int, a tuple of ints or None."""
    if axis is None or isinstance(axis, int):
        return axis
    known: object = known_numbers(axis)
    if known is None:
        raise refused(InvalidArgumentError("an axis must be known while tracing"))
    found = np.asarray(known)
    if found.dtype.kind not in "iu" and found.size:
        raise TypeError(f"an axis is a whole number, not {axis!r}")
    return int(found) if found.ndim == 0 else tuple(int(a) for a in found)


# What reductions return: a test holds these words against the rows.
_SAME = "of the dtype of `input_tensor`"
_FLOAT = "of the dtype of `input_tensor` if those are floats or complex numbers,\n  or else of float64"
_REAL = (
    "of the floats that `input_tensor` holds, of those of its parts\n  if the numbers are complex, or else of float64"
)
_BOOL = "of booleans"
_LOWEST = (
    ".\n  Of no elements it is -inf, or the lowest integer; where only the graph knows that there are none, an error"
)
_HIGHEST = _LOWEST.replace("-inf", "inf").replace("lowest", "highest")

_REDUCTION = """{summary}

Args:
  input_tensor: a tensor of any shape.
  axis: the axis to reduce, or several; all of them by default. Negative ones count from the last.
  keepdims: whether the axes that are reduced stay, with size 1.
Returns: a tensor of the remaining axes, {result}{note}.
Raises:
  ValueError: if there is no such axis.

>>> x = tf.constant({example})
>>> print(tf.{name}(x){value})
{whole}
>>> print(tf.{name}(x, axis=1){value})
{rows}
"""


class Reduction(Protocol):
    """A function of the elements along axes."""

    __name__: str
    __qualname__: str

    def __call__(
        self, input_tensor: TensorLike, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
    ) -> Tensor: ...


def _reduction(
    op: Op, summary: str, result: str, whole: str, rows: str, *, name: str = "", given: bool = False,
    nothing: int = 0, note: str = "",
) -> Reduction:  # fmt: skip
    """The function of a row, and what it gives for an example: for all elements, and for those of each row.

    `given` says that the row is told the dtype of the result, and `nothing` that the result is the lowest number (-1)
    or the highest (1) where no elements are, which the `note` tells.
    """

    called = name.rpartition(".")[2] or f"reduce_{op.name}"

    def function(
        input_tensor: TensorLike, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
    ) -> Tensor:
        if isinstance(input_tensor, Formed):
            return input_tensor._form(called)(input_tensor, axis, keepdims)  # type: ignore[no-any-return]
        x = operand(input_tensor)
        dtype = {"dtype": x.dtype} if given else {}
        if nothing and x.type.shape is not None and 0 in x.type.shape and x.dtype.dtype.kind in "iuf":
            return _of_nothing(x, nothing, op is reduce_ops.reduce_logsumexp, axes(axis), bool(keepdims))
        return apply(op, x, axis=axes(axis), keepdims=bool(keepdims), **dtype)

    function.__name__ = function.__qualname__ = f"reduce_{op.name}"
    function.__doc__ = _REDUCTION.format(
        summary=summary, result=result, note=note,
        example="[[True, False], [True, True]]" if result is _BOOL else "[[1.0, 2.0], [3.0, 5.0]]",
        name=name or function.__name__, value=".numpy()" if result in (_SAME, _BOOL) else ".numpy().round(3)",
        whole=whole, rows=rows,
    )  # fmt: skip
    return function


def _of_nothing(x: Tensor, sign: int, is_float: bool, axis: Any, keepdims: bool) -> Tensor:
    """The lowest or the highest number for all that is left of a tensor without elements."""
    dtype = x.dtype if x.dtype.is_floating or not is_float else float64
    limit = sign * np.inf if dtype.is_floating else dtype.max if sign > 0 else dtype.min
    total = apply(reduce_ops.reduce_sum, x, axis=axis, keepdims=keepdims, dtype=dtype)
    return apply(ew.add, total, operand(np.asarray(limit, dtype.dtype)))


reduce_sum = _reduction(
    reduce_ops.reduce_sum, "The sum of the elements along axes.", _SAME, "11.0", "[3. 8.]", given=True
)
reduce_prod = _reduction(
    reduce_ops.reduce_prod, "The product of the elements along axes.", _SAME, "30.0", "[ 2. 15.]", given=True
)
reduce_max = _reduction(
    reduce_ops.reduce_max, "The largest element along axes.", _SAME, "5.0", "[2. 5.]", nothing=-1, note=_LOWEST
)
reduce_min = _reduction(
    reduce_ops.reduce_min, "The smallest element along axes.", _SAME, "1.0", "[1. 3.]", nothing=1, note=_HIGHEST
)
reduce_any = _reduction(
    reduce_ops.reduce_any, "Whether any element along axes is true.", _BOOL, "True", "[ True  True]"
)
reduce_all = _reduction(
    reduce_ops.reduce_all, "Whether all elements along axes are true.", _BOOL, "False", "[False  True]"
)
reduce_std = _reduction(
    reduce_ops.reduce_std, "The standard deviation of the elements along axes.", _REAL, "1.479", "[0.5 1. ]",
    name="math.reduce_std",
)  # fmt: skip
reduce_variance = _reduction(
    reduce_ops.reduce_var, "The variance of the elements along axes.", _REAL, "2.188", "[0.25 1.  ]",
    name="math.reduce_variance",
)  # fmt: skip
reduce_logsumexp = _reduction(
    reduce_ops.reduce_logsumexp, "``log(sum(exp(x)))`` along axes, without overflow.", _FLOAT, "5.185",
    "[2.313 5.127]", nothing=-1, note=_LOWEST,
)  # fmt: skip


def reduce_mean(
    input_tensor: TensorLike, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean of the elements along axes.

    Args:
      input_tensor: a tensor of any shape, of numbers.
      axis: the axis to reduce, or several; all of them by default. Negative ones count from the last.
      keepdims: whether the axes that are reduced stay, with size 1.
    Returns: a tensor of the remaining axes, of the dtype of `input_tensor`: the mean of integers, rounded towards zero.
    Raises:
      ValueError: if there is no such axis.

    >>> x = tf.constant([[1.0, 2.0], [3.0, 5.0]])
    >>> print(tf.reduce_mean(x))
    tf.Tensor(2.75, shape=(), dtype=float32)
    >>> print(tf.reduce_mean(x, axis=0))
    tf.Tensor([2.  3.5], shape=(2,), dtype=float32)
    """
    if isinstance(input_tensor, Formed):
        return input_tensor._form("reduce_mean")(input_tensor, axis, keepdims)  # type: ignore[no-any-return]
    x = operand(input_tensor)
    if not x.dtype.is_integer:
        return apply(reduce_ops.reduce_mean, x, axis=axes(axis), keepdims=bool(keepdims), dtype=x.dtype)
    exact = apply(reduce_ops.reduce_mean, x, axis=axes(axis), keepdims=bool(keepdims), dtype=as_dtype("float64"))
    return cast(exact, x.dtype)


def count_nonzero(
    input: TensorLike, axis: AxisLike = None, keepdims: bool = False, dtype: DTypeLike = int64, name: str | None = None
) -> Tensor:
    """How many elements along axes are not zero.

    Args:
      input: a tensor of any shape; of texts those count that are not empty.
      axis: the axis to count along, or several; all of them by default.
      keepdims: whether these axes stay, with size 1.
      dtype: the dtype of the result, int64 by default.
    Returns: a tensor of the remaining axes.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.math.count_nonzero([[0, 1], [2, 3]], axis=0))
    tf.Tensor([1 2], shape=(2,), dtype=int64)
    """
    x = operand(input)
    nonzero = cast(not_equal(x, "" if x.dtype == string else 0), dtype)
    return apply(reduce_ops.reduce_sum, nonzero, axis=axes(axis), keepdims=bool(keepdims), dtype=as_dtype(dtype))


def argmax(
    input: TensorLike, axis: int | None = None, output_type: DTypeLike = int64, name: str | None = None
) -> Tensor:
    """Where the largest element along an axis is: its index there, the first of several.

    Args:
      input: a tensor of rank 1 or more.
      axis: the axis to search along, the first by default.
      output_type: the dtype of the result, int64 by default.
    Returns: a tensor of the remaining axes.
    Raises:
      ValueError: if there is no such axis, or no element along it.

    >>> print(tf.argmax([[1, 9, 2], [8, 0, 3]], axis=1))
    tf.Tensor([1 0], shape=(2,), dtype=int64)
    """
    return apply(reduce_ops.argmax, operand(input), axis=axis if axis is not None else 0, dtype=as_dtype(output_type))


def argmin(
    input: TensorLike, axis: int | None = None, output_type: DTypeLike = int64, name: str | None = None
) -> Tensor:
    """Where the smallest element along an axis is: its index there, the first of several.

    Args:
      input: a tensor of rank 1 or more.
      axis: the axis to search along, the first by default.
      output_type: the dtype of the result, int64 by default.
    Returns: a tensor of the remaining axes.
    Raises:
      ValueError: if there is no such axis, or no element along it.

    >>> print(tf.argmin([[1, 9, 2], [8, 0, 3]], axis=1))
    tf.Tensor([0 1], shape=(2,), dtype=int64)
    """
    return apply(reduce_ops.argmin, operand(input), axis=axis if axis is not None else 0, dtype=as_dtype(output_type))


def cumsum(
    x: TensorLike, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Sums of the elements up to each one along an axis.

    Args:
      x: a tensor of rank 1 or more, of numbers.
      axis: the axis to add along.
      exclusive: whether each sum leaves its own element out, so that the first is 0.
      reverse: whether to add from the end.
    Returns: a tensor of the shape and dtype of `x`.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.cumsum([1, 2, 3]))
    tf.Tensor([1 3 6], shape=(3,), dtype=int32)
    >>> print(tf.cumsum([1, 2, 3], exclusive=True, reverse=True))
    tf.Tensor([5 3 0], shape=(3,), dtype=int32)
    """
    if isinstance(x, Formed):
        return x._form("cumsum")(x, axis, exclusive, reverse)  # type: ignore[no-any-return]
    x = operand(x)
    return apply(reduce_ops.cumsum, x, axis=int(axis), exclusive=exclusive, reverse=reverse, dtype=x.dtype)


def cumprod(
    x: TensorLike, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Products of the elements up to each one along an axis.

    Args:
      x: a tensor of rank 1 or more, of numbers.
      axis: the axis to multiply along.
      exclusive: whether each product leaves its own element out, so that the first is 1.
      reverse: whether to multiply from the end.
    Returns: a tensor of the shape and dtype of `x`.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.math.cumprod([1, 2, 3]))
    tf.Tensor([1 2 6], shape=(3,), dtype=int32)
    """
    x = operand(x)
    return apply(reduce_ops.cumprod, x, axis=int(axis), exclusive=exclusive, reverse=reverse, dtype=x.dtype)
