"""Making tensors, by TensorFlow's names."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from runtime.graph.dtypes import DType, as_dtype, bool_, float32, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew, shape as ops
from runtime.tensors.composites import with_forms
from runtime.tensors.conversion import (
    are_open,
    cast,
    dimensions,
    matched,
    of_dtype,
    operand,
    promote,
    result_dtype,
    static_value,
)
from runtime.tensors.operations import apply
from runtime.tensors.shaping import (
    broadcast_to,
    expand_dims,
    listed_shape,
    not_negative,
    require,
    reshape,
    shaped,
    transpose,
)
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import current
from runtime.tensors.types import DTypeLike, ShapeLike, SizeLike, TensorLike


def fill(dims: ShapeLike, value: TensorLike, name: str | None = None) -> Tensor:
    """A tensor with every element equal to `value`.

    Args:
      dims: its shape.
      value: a scalar.
    Returns: a tensor of this shape, of the dtype of `value`.
    Raises:
      InvalidArgumentError: if `value` has more than one element.

    >>> print(tf.fill([2, 3], 7))
    tf.Tensor(
    [[7 7 7]
     [7 7 7]], shape=(2, 3), dtype=int32)
    """
    element = operand(value)
    if element.type.shape not in (None, (), (1,)):
        raise InvalidArgumentError(f"fill takes one value for all elements, not one of shape {element.shape}")
    return shaped(ops.fill, element, dims)


def _full(shape: object, value: object, dtype: DTypeLike) -> Tensor:
    kind = as_dtype(dtype)
    element = _element(value, kind)
    dims, given = dimensions(shape)
    if not given and current() is None and not any(size is not None and size < 0 for size in dims):
        return EagerTensor(np.full(dims, element, kind.dtype))  # type: ignore[arg-type]
    return apply(ops.fill, EagerTensor(element), *given, shape=dims)


def _element(value: object, kind: DType) -> object:
    return np.array(b"" if kind == string else value, kind.dtype)


def zeros(shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """A tensor of zeros.

    Args:
      shape: its shape.
      dtype: its dtype, float32 by default; for strings the elements are empty ones, for booleans False.
    Returns: a tensor of this shape and dtype.

    >>> print(tf.zeros([2, 3]))
    tf.Tensor(
    [[0. 0. 0.]
     [0. 0. 0.]], shape=(2, 3), dtype=float32)
    """
    return _full(shape, 0, dtype)


def ones(shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """A tensor of ones.

    Args:
      shape: its shape.
      dtype: its dtype, float32 by default.
    Returns: a tensor of this shape and dtype.

    >>> print(tf.ones([3], tf.int64))
    tf.Tensor([1 1 1], shape=(3,), dtype=int64)
    """
    return _full(shape, 1, dtype)


def _like(x: TensorLike, dtype: DTypeLike | None, value: int) -> Tensor:
    x = operand(x)
    kind = as_dtype(dtype) if dtype is not None else x.dtype
    return filled_like(x, EagerTensor(_element(value, kind)))


def filled_like(x: Tensor, value: Tensor) -> Tensor:
    """A value in the shape of a tensor, which may have any number of dimensions."""
    if x.shape.rank is None:
        return apply(ew.where, EagerTensor(np.False_), cast(x, value.dtype), value)
    if value.type.shape != ():
        return broadcast_to(value, x.shape)
    dims, given = dimensions(x.shape)
    return apply(ops.fill, value, *given, shape=dims)


def like_shape(x: Tensor) -> list[Any]:
    """The dimensions of a tensor, those that only the graph knows as tensors."""
    return list(x.shape)


@with_forms
def zeros_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Zeros in the shape of another tensor.

    Args:
      input: a tensor of any shape.
      dtype: the dtype of the result; that of `input` by default.
    Returns: a tensor of the shape of `input`.

    >>> print(tf.zeros_like([1, 2, 3]))
    tf.Tensor([0 0 0], shape=(3,), dtype=int32)
    """
    return _like(input, dtype, 0)


@with_forms
def ones_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Ones in the shape of another tensor.

    Args:
      input: a tensor of any shape.
      dtype: the dtype of the result; that of `input` by default.
    Returns: a tensor of the shape of `input`.

    >>> print(tf.ones_like([[1, 2], [3, 4]], dtype=tf.float32))
    tf.Tensor(
    [[1. 1.]
     [1. 1.]], shape=(2, 2), dtype=float32)
    """
    return _like(input, dtype, 1)


def eye(
    num_rows: SizeLike,
    num_columns: SizeLike | None = None,
    batch_shape: ShapeLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """The identity matrix: ones on the diagonal, zeros elsewhere.

    Args:
      num_rows, num_columns: its size; as many columns as rows by default.
      batch_shape: the shape of a batch of such matrices, if more than one is wanted.
      dtype: its dtype, float32 by default.
    Returns: a tensor of shape [*batch_shape, num_rows, num_columns].
    Raises:
      InvalidArgumentError: if a size is negative.

    >>> print(tf.eye(2))
    tf.Tensor(
    [[1. 0.]
     [0. 1.]], shape=(2, 2), dtype=float32)
    """
    sizes = [
        _size(n, "eye", what) for n, what in ((num_rows, "num_rows"), (num_columns, "num_columns")) if n is not None
    ]
    rows, columns = sizes[0], sizes[-1]
    if isinstance(rows, int) and isinstance(columns, int):
        made = apply(ops.eye, rows=rows, columns=columns, dtype=as_dtype(dtype))
    else:
        made = cast(apply(ew.equal, expand_dims(range(rows), 1), range(columns)), dtype)
    if batch_shape is None:
        return made
    return broadcast_to(made, [*listed_shape(batch_shape), rows, columns])


def _size(value: SizeLike, function: str, parameter: str) -> Any:
    """A size as a number of Python's, or as a tensor where only the graph knows it."""
    if not are_open(value):
        return not_negative(value, function, parameter)
    size = operand(value)
    require(size >= 0, f"{function}: {parameter} must not be negative", size)
    return size


def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str = "range",
) -> Tensor:
    """Numbers in equal steps: from `start` up to `limit`, which is not one of them.

    Args:
      start: the first number; with one argument alone that is the limit, and the first number 0.
      limit: the end.
      delta: the step, which must not be 0.
      dtype: the dtype of the result; by default the one to which the arguments promote, int32 for Python's integers.
    Returns: a tensor of rank 1.
    Raises:
      ValueError: if the step is 0.
      TypeError: for a dtype that is none of real numbers.

    >>> print(tf.range(4))
    tf.Tensor([0 1 2 3], shape=(4,), dtype=int32)
    >>> print(tf.range(1.0, 2.0, 0.25))
    tf.Tensor([1.   1.25 1.5  1.75], shape=(4,), dtype=float32)
    """
    if dtype is not None and not (as_dtype(dtype).is_integer or as_dtype(dtype).is_floating):
        raise TypeError(f"range with dtype={as_dtype(dtype).name}: it gives integers or floats")
    return numbers(start, limit, delta, dtype)


def numbers(
    start: object, limit: object = None, delta: object = 1, dtype: DTypeLike | None = None, python: bool = False
) -> Tensor:
    """A range; items of one that is `python` are Python's numbers where a loop finds them."""
    if limit is None:
        start, limit = 0, start
    given = [start, limit, delta]
    kind = as_dtype(dtype) if dtype is not None else result_dtype([_plain(v) for v in given])
    if kind is None:
        kind = operand([v for v in given if not isinstance(v, Tensor)]).dtype
        if builtins.any(isinstance(v, Tensor) and v.dtype.is_floating for v in given):
            kind = float32
    parts = [of_dtype(operand(v), kind) for v in given]
    values = [static_value(p) for p in parts]
    if values[2] is not None:
        ops.not_zero(values[2])
    count = None
    if builtins.all(v is not None for v in values):
        bounds: list[Any] = [v.item() for v in values]
        if kind.is_integer:  # which need not be made to be counted, and `len` counts no further than 63 bits
            count = max(0, -((bounds[0] - bounds[1]) // bounds[2]))
        else:
            count = len(ops.arange(bounds[0], bounds[1], bounds[2], kind.dtype))
    return apply(ops.range_, *parts, count=count, dtype=kind, python=python)


def _plain(value: object) -> object:
    return value if isinstance(value, int | float) and not isinstance(value, np.generic) else operand(value)


def linspace(start: TensorLike, stop: TensorLike, num: SizeLike, name: str | None = None, axis: int = 0) -> Tensor:
    """Numbers in equal steps from `start` to `stop`, both included.

    Args:
      start, stop: numbers, or tensors of one shape; integers are taken for float64.
      num: how many numbers.
      axis: where the new axis goes if `start` and `stop` are tensors.
    Returns: a tensor of shape [num], or of the shape of `start` with a new axis of size `num`.
    Raises:
      InvalidArgumentError: if `num` is negative.

    >>> print(tf.linspace(0.0, 1.0, 5))
    tf.Tensor([0.   0.25 0.5  0.75 1.  ], shape=(5,), dtype=float32)
    """
    a, b = matched([start, stop])
    if not a.dtype.is_floating:
        a, b = cast(a, "float64"), cast(b, "float64")
    count = _size(num, "linspace", "num")
    if isinstance(count, int):
        return apply(ops.linspace, a, b, num=count, axis=int(axis))
    at = axis_of(int(axis), len(a.shape) + 1)
    numbers = reshape(range(count), [-1, *[1] * (len(a.shape) - at)])
    low, high = expand_dims(a, at), expand_dims(b, at)
    steps = cast(apply(ew.maximum, count - 1, operand(1)), a.dtype)
    made = low + cast(numbers, a.dtype) * ((high - low) / steps)
    is_last = apply(ew.logical_and, numbers == count - 1, numbers > 0)
    return apply(ew.where, is_last, high, made)


@with_forms
def one_hot(
    indices: TensorLike,
    depth: SizeLike,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Indices as vectors that are `on_value` at the index and `off_value` everywhere else.

    Args:
      indices: a tensor of integers of any shape; an index outside of [0, depth) gives a vector without `on_value`.
      depth: the length of the vectors.
      on_value, off_value: scalars, 1 and 0 by default.
      axis: where the new axis goes, the last by default.
      dtype: the dtype of the result; by default that of the two values, or float32 without them.
    Returns: a tensor of the shape of `indices` with one more axis, of size `depth`.
    Raises:
      InvalidArgumentError: if `depth` is negative, or the indices are no integers.

    >>> print(tf.one_hot([0, 2], 3))
    tf.Tensor(
    [[1. 0. 0.]
     [0. 0. 1.]], shape=(2, 3), dtype=float32)
    >>> print(tf.one_hot([0, 2], 3, on_value=5, off_value=-1))
    tf.Tensor(
    [[ 5 -1 -1]
     [-1 -1  5]], shape=(2, 3), dtype=int32)
    """
    depth = _size(depth, "one_hot", "depth")
    if not operand(indices).dtype.is_integer:
        raise InvalidArgumentError(f"one_hot of {operand(indices)}: indices are integers; use tf.cast")

    def hot(kind: DType) -> Tensor:
        if isinstance(depth, int):
            return apply(ops.one_hot, operand(indices), depth=depth, dtype=kind)
        numbers = cast(range(depth), operand(indices).dtype)
        return cast(apply(ew.equal, expand_dims(indices, -1), numbers), kind)

    if on_value is None and off_value is None:
        result = hot(as_dtype(dtype or float32))
    else:
        both = [1 if on_value is None else on_value, 0 if off_value is None else off_value]
        if dtype is None and not builtins.any(isinstance(v, Tensor | np.ndarray | np.generic) for v in both):
            dtype = operand(both).dtype
        on, off = promote(both) if dtype is None else (cast(v, dtype) for v in both)
        result = apply(ew.where, hot(bool_), on, off)
    if axis is None or axis == -1:
        return result
    rank = len(result.shape)
    order = [*builtins.range(rank - 1)]
    order.insert(axis_of(int(axis), rank), rank - 1)
    return transpose(result, order)


def linalg_diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """The matrices that have given diagonals, and zeros elsewhere.

    Args:
      diagonal: a tensor of shape [..., n].
    Returns: a tensor of shape [..., n, n] and of the dtype of `diagonal`.
    Raises:
      InvalidArgumentError: if `diagonal` is a scalar.

    >>> print(tf.linalg.diag([1, 2]))
    tf.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """
    x = operand(diagonal)
    if not len(x.shape):
        raise InvalidArgumentError(f"diag of {x}: a scalar has no axis")
    if len(x.shape) == 1:
        return apply(ops.diag, x)
    along = range(x.shape[-1])
    return apply(ew.where, along[:, None] == along, x[..., None], EagerTensor(np.zeros((), x.dtype.dtype)))
