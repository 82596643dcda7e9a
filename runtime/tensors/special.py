"""Functions of numbers that are said by others: with care for zeros and limits, of several tensors, and comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from runtime.graph.dtypes import as_dtype, bool_
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew
from runtime.tensors import making, mathematics as m, reductions
from runtime.tensors.activations import floating
from runtime.tensors.conversion import cast, constant, matched, operand
from runtime.tensors.indexed_slices import IndexedSlices, of_each
from runtime.tensors.operations import apply
from runtime.tensors.shaping import broadcast_to, concat, reshape, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, TensorLike


def _zero(x: Tensor) -> Tensor:
    return constant(0, dtype=x.dtype)


def _where_not_zero(x: Tensor, made: Tensor) -> Tensor:
    """What was made of `x`, and zero where that is zero."""
    return apply(ew.where, m.equal(x, _zero(x)), _zero(made), made)


def _guarded(x: Tensor, y: Tensor) -> Tensor:
    """`y`, and 1 where `x` is zero: what the function of it comes to there is not used, nor is its slope."""
    return apply(ew.where, m.equal(x, _zero(x)), constant(1, dtype=y.dtype), y)


def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Products that are zero where `y` is, also where `x` is infinite or NaN.

    Args:
      x, y: tensors of floats or complex numbers whose shapes go together by NumPy's broadcasting.
    Returns: a tensor of the shape to which those of `x` and `y` broadcast.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.math.multiply_no_nan([np.inf, 2.0], [0.0, 3.0]).numpy())
    [0. 6.]
    """
    a, b = map(floating, matched([x, y]))
    none = m.equal(b, _zero(b))
    return apply(ew.where, none, _zero(a), m.multiply(apply(ew.where, none, _zero(a), a), b))


def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """``1 / x``, and zero where `x` is zero.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the shape of `x`.

    >>> print(tf.math.reciprocal_no_nan([0.0, 4.0]).numpy())
    [0.   0.25]
    """
    value = floating(x)
    return _where_not_zero(value, m.reciprocal(_guarded(value, value)))


def xlogy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """``x * log(y)``, and zero where `x` is zero, whatever `y` is.

    Args:
      x, y: tensors of floats or complex numbers whose shapes go together by NumPy's broadcasting.
    Returns: a tensor of the shape to which those of `x` and `y` broadcast.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.math.xlogy([0.0, 2.0], [0.0, 1.0]).numpy())
    [0. 0.]
    """
    a, b = map(floating, matched([x, y]))
    return _where_not_zero(a, m.multiply(a, m.log(_guarded(a, b))))


def xlog1py(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """``x * log(1 + y)``, and zero where `x` is zero, whatever `y` is.

    Args:
      x, y: tensors of floats or complex numbers whose shapes go together by NumPy's broadcasting.
    Returns: a tensor of the shape to which those of `x` and `y` broadcast.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.math.xlog1py([0.0, 2.0], [-1.0, 0.0]).numpy())
    [0. 0.]
    """
    a, b = map(floating, matched([x, y]))
    return _where_not_zero(a, m.multiply(a, m.log1p(_guarded(a, b))))


def xdivy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """``x / y``, and zero where `x` is zero, whatever `y` is.

    Args:
      x, y: tensors of floats or complex numbers whose shapes go together by NumPy's broadcasting.
    Returns: a tensor of the shape to which those of `x` and `y` broadcast.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.math.xdivy([0.0, 2.0], [0.0, 4.0]).numpy())
    [0.  0.5]
    """
    a, b = map(floating, matched([x, y]))
    return _where_not_zero(a, m.divide(a, _guarded(a, b)))


def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """``log(sigmoid(x))``, accurate for small probabilities, too.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape of `x`.

    >>> print(tf.math.log_sigmoid([0.0, -100.0]).numpy().round(3))
    [  -0.693 -100.   ]
    """
    return m.negative(m.softplus(m.negative(floating(x))))


def polyval(coeffs: Sequence[TensorLike], x: TensorLike, name: str | None = None) -> Tensor:
    """The values of a polynomial.

    Args:
      coeffs: a list of its coefficients, that of the highest power first: scalars, or tensors that broadcast with `x`.
      x: where it is asked for, a tensor of any shape.
    Returns: a tensor of the shape to which `x` and the coefficients broadcast; zeros for no coefficients.
    Raises:
      ValueError: for coefficients that are no list.

    >>> print(tf.math.polyval([1.0, 0.0, -1.0], [2.0, 3.0]).numpy())
    [3. 8.]
    """
    if not isinstance(coeffs, list | tuple):
        raise ValueError(f"polyval takes a list of coefficients, not {type(coeffs).__name__}: polyval([*coeffs], x)")
    value = operand(x)
    if not coeffs:
        return making.zeros_like(value)
    made = operand(coeffs[0])
    for coefficient in coeffs[1:]:
        made = m.add(m.multiply(made, value), coefficient)
    return made


@overload
def scalar_mul(scalar: TensorLike, x: IndexedSlices, name: str | None = None) -> IndexedSlices: ...  # type: ignore[overload-overlap]  # IndexedSlices are tensors, too
@overload
def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor: ...
def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor | IndexedSlices:
    """A number times a tensor.

    Args:
      scalar: a tensor of shape (), or a number.
      x: a tensor of any shape.
    Returns: a tensor of the shape of `x`; of `IndexedSlices` such.
    Raises:
      ValueError: if `scalar` is none.

    >>> print(tf.math.scalar_mul(2.0, [1.0, 3.0]).numpy())
    [2. 6.]
    """
    if operand(scalar).shape.rank not in (0, None):
        raise ValueError(f"scalar_mul takes a number first, not a tensor of shape {operand(scalar).shape}")
    return of_each(lambda values: m.multiply(scalar, values), x)


def reduce_euclidean_norm(
    input_tensor: TensorLike, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The square root of the sum of the squares along axes.

    Args:
      input_tensor: a tensor of any shape, of floats or complex numbers.
      axis: the axis, or several; all of them by default.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of the other axes, of the dtype of the input.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.math.reduce_euclidean_norm([[3.0, 4.0], [6.0, 8.0]], axis=1).numpy())
    [ 5. 10.]
    """
    x = operand(input_tensor)
    squares = m.multiply(x, m.conj(x)) if x.dtype.is_complex else m.square(floating(x))
    return cast(m.sqrt(reductions.reduce_sum(squares, axis, keepdims)), x.dtype)


def cumulative_logsumexp(
    x: TensorLike, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """``log(cumsum(exp(x)))`` along an axis, without overflow.

    Args:
      x: a tensor of rank 1 or more, of floats.
      axis: the axis.
      exclusive: whether each sum goes up to the element before, so that the first is that of none: ``-inf``.
      reverse: whether the sums begin at the end.
    Returns: a tensor of the shape of `x`.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.math.cumulative_logsumexp([0.0, 0.0, 100.0]).numpy().round(3))
    [  0.      0.693 100.   ]
    """
    value = floating(x)
    rank = len(making.like_shape(value))
    axis = axis_of(axis, rank)
    order = [a for a in range(rank) if a != axis]
    rows = transpose(value, [*order, axis])  # the axis comes last
    size = rows.shape[-1]
    numbers = making.range(size)
    left, right = reshape(numbers, [-1, 1]), reshape(numbers, [1, -1])
    comparison = {
        (False, False): m.less_equal(right, left), (True, False): m.less(right, left),
        (False, True): m.greater_equal(right, left), (True, True): m.greater(right, left),
    }[exclusive, reverse]  # fmt: skip
    least = constant(-np.inf, dtype=value.dtype)
    made = reductions.reduce_logsumexp(apply(ew.where, comparison, rows[..., None, :], least), -1)
    back = np.argsort([*order, axis]).tolist()
    return transpose(made, back)


def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether no element is less than the one before, in the order of memory.

    Args:
      x: a tensor of any shape, of real numbers.
    Returns: a boolean of shape (), true for fewer than two elements.

    >>> print(tf.math.is_non_decreasing([1, 1, 3]))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    flat = reshape(x, [-1])
    return reductions.reduce_all(m.greater_equal(flat[1:], flat[:-1]))


def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether each element is greater than the one before, in the order of memory.

    Args:
      x: a tensor of any shape, of real numbers.
    Returns: a boolean of shape (), true for fewer than two elements.

    >>> print(tf.math.is_strictly_increasing([1, 1, 3]))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    flat = reshape(x, [-1])
    return reductions.reduce_all(m.greater(flat[1:], flat[:-1]))


def truncatediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Quotients, rounded towards zero.

    Args:
      x, y: tensors of real numbers whose shapes go together by NumPy's broadcasting.
    Returns: a tensor of the shape to which those of `x` and `y` broadcast.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.truncatediv([7, -7], 2).numpy())
    [ 3 -3]
    """
    a, b = matched([x, y])
    if a.dtype.is_floating:
        return apply(ew.trunc, m.divide(a, b))
    return m.floordiv(m.subtract(a, truncatemod(a, b)), b)


def truncatemod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """What is left by divisions that round towards zero: of the sign of `x`.

    Args:
      x, y: tensors of real numbers whose shapes go together by NumPy's broadcasting.
    Returns: a tensor of the shape to which those of `x` and `y` broadcast.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.truncatemod([7, -7], 2).numpy())
    [ 1 -1]
    """
    return apply(ew.fmod, *matched([x, y]))


def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """A tensor with its elements in another dtype; what that does not hold becomes the nearest number that it holds.

    Args:
      value: a tensor of any shape, of real numbers.
      dtype: the dtype of the result.
    Returns: a tensor of the shape of `value`.

    >>> print(tf.saturate_cast([-5.7, 3.2, 999.0], tf.uint8).numpy())
    [  0   3 255]
    """
    x, kind = operand(value), as_dtype(dtype)
    if kind is bool_ or kind.is_complex or x.dtype.is_bool or x.dtype.is_complex:
        return cast(x, kind)
    low, high = (_nearest_inside(limit, x.dtype.dtype, kind) for limit in (kind.min, kind.max))
    return cast(m.clipped(x, constant(low, dtype=x.dtype), constant(high, dtype=x.dtype)), kind)


def _nearest_inside(limit: Any, given: Any, kind: Any) -> Any:
    """The largest or smallest number of a dtype that another one holds as well."""
    if np.issubdtype(given, np.integer):
        bounds = np.iinfo(given)
        whole = limit if kind.is_integer else int(max(min(float(limit), 2.0**80), -(2.0**80)))
        return min(max(int(whole), int(bounds.min)), int(bounds.max))
    with np.errstate(over="ignore"):
        found = np.asarray(limit).astype(given)[()]
    if kind.is_integer and abs(int(found) if np.isfinite(found) else 2**80) > abs(int(limit)):
        found = np.nextafter(found, np.zeros((), given)[()])
    return np.clip(found, np.finfo(given).min, np.finfo(given).max)


def meshgrid(*args: TensorLike, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """The coordinates of the points of a grid, one tensor for each axis.

    Args:
      args: the numbers along each axis: tensors of rank 1, or scalars.
      indexing: ``"xy"`` if the first one runs along the columns, and the second along the rows, as in pictures;
        ``"ij"`` if all run along axes in their own order.
    Returns: a list with as many tensors, each of rank as many.
    Raises:
      ValueError: for another `indexing`.

    >>> x, y = tf.meshgrid([1, 2, 3], [4, 5])
    >>> print(x.numpy(), y.numpy())
    [[1 2 3]
     [1 2 3]] [[4 4 4]
     [5 5 5]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f'meshgrid takes indexing="xy" or "ij", not {indexing!r}')
    rows = [reshape(x, [-1]) for x in args]
    order = [1, 0, *range(2, len(rows))] if indexing == "xy" and len(rows) > 1 else [*range(len(rows))]
    sizes = [rows[i].shape[0] for i in order]
    places = [order.index(i) for i in range(len(rows))]
    placed = [reshape(x, [*[1] * at, -1, *[1] * (len(rows) - at - 1)]) for x, at in zip(rows, places)]
    return [broadcast_to(x, sizes) for x in placed]


def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """The cross products of vectors of three numbers, which lie along the last axis.

    Args:
      a, b: tensors of one shape [..., 3], of real numbers.
    Returns: a tensor of this shape.
    Raises:
      ValueError: if the last axis has another size, or the shapes differ.

    >>> print(tf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy())
    [0 0 1]
    """
    x, y = matched([a, b])
    if (x.shape[-1], y.shape[-1]) != (3, 3):
        raise ValueError(f"cross takes vectors of three numbers, not tensors of shape {x.shape} and {y.shape}")
    (a0, a1, a2), (b0, b1, b2) = ([v[..., i : i + 1] for i in range(3)] for v in (x, y))
    return concat([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], -1)
