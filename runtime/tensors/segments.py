"""Rows of tensors that belong together, combined; masks of sequences."""

from __future__ import annotations

import numpy as np

from runtime.graph.dtypes import bool_, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.ops import elementwise as ew, indexing
from runtime.tensors import making
from runtime.tensors.conversion import cast, operand
from runtime.tensors.operations import apply
from runtime.tensors.parts import tensor_scatter_nd_add, tensor_scatter_nd_max, tensor_scatter_nd_min
from runtime.tensors.reductions import reduce_all, reduce_max
from runtime.tensors.shaping import concat, expand_dims, require, reshape, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, ShapeLike, SizeLike, TensorLike


def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The sums of the rows of a tensor that belong together.

    Args:
      data: a tensor of shape [n, ...].
      segment_ids: to which sum each row goes: a tensor of n whole numbers, none less than the one before.
    Returns: a tensor of shape [the last number + 1, ...] and of the dtype of `data`, zeros where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row, or a number is less than the one before.

    >>> print(tf.math.segment_sum([[1, 2], [3, 4], [5, 6]], [0, 0, 1]))
    tf.Tensor(
    [[4 6]
     [5 6]], shape=(2, 2), dtype=int32)
    """
    x, ids, count = _ordered("segment_sum", data, segment_ids)
    base = making.zeros([count, *making.like_shape(x)[1:]], x.dtype)
    return apply(indexing.setitem, base, x, ids, index=(indexing.INPUT,), how="add")


def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The means of the rows of a tensor that belong together.

    Args:
      data: a tensor of shape [n, ...], of floats or complex numbers.
      segment_ids: to which mean each row goes: a tensor of n whole numbers, none less than the one before.
    Returns: a tensor of shape [the last number + 1, ...] and of the dtype of `data`, zeros where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row, or a number is less than the one before.

    >>> print(tf.math.segment_mean([1.0, 3.0, 5.0], [0, 0, 2]))
    tf.Tensor([2. 0. 5.], shape=(3,), dtype=float32)
    """
    x, ids, count = _ordered("segment_mean", data, segment_ids)
    return unsorted_segment_mean(x, ids, count)


def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The products of the rows of a tensor that belong together.

    Args:
      data: a tensor of shape [n, ...].
      segment_ids: to which product each row goes: a tensor of n whole numbers, none less than the one before.
    Returns: a tensor of shape [the last number + 1, ...] and of the dtype of `data`, ones where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row, or a number is less than the one before.

    >>> print(tf.math.segment_prod([2, 3, 5], [0, 0, 2]))
    tf.Tensor([6 1 5], shape=(3,), dtype=int32)
    """
    x, ids, count = _ordered("segment_prod", data, segment_ids)
    return unsorted_segment_prod(x, ids, count)


def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The largest of the rows of a tensor that belong together, element by element.

    Args:
      data: a tensor of shape [n, ...], of real numbers.
      segment_ids: to which result each row goes: a tensor of n whole numbers, none less than the one before.
    Returns: a tensor of shape [the last number + 1, ...] and of the dtype of `data`, zeros where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row, or a number is less than the one before.

    >>> print(tf.math.segment_max([-2, -3, 5], [0, 0, 2]))
    tf.Tensor([-2  0  5], shape=(3,), dtype=int32)
    """
    x, ids, count = _ordered("segment_max", data, segment_ids)
    return _zero_where_empty(unsorted_segment_max(x, ids, count), ids, count)


def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The smallest of the rows of a tensor that belong together, element by element.

    Args:
      data: a tensor of shape [n, ...], of real numbers.
      segment_ids: to which result each row goes: a tensor of n whole numbers, none less than the one before.
    Returns: a tensor of shape [the last number + 1, ...] and of the dtype of `data`, zeros where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row, or a number is less than the one before.

    >>> print(tf.math.segment_min([2, 3, 5], [0, 0, 2]))
    tf.Tensor([2 0 5], shape=(3,), dtype=int32)
    """
    x, ids, count = _ordered("segment_min", data, segment_ids)
    return _zero_where_empty(unsorted_segment_min(x, ids, count), ids, count)


def _ordered(what: str, data: TensorLike, segment_ids: TensorLike) -> tuple[Tensor, Tensor, Tensor]:
    """Rows, to which segment each goes, where none goes to one before the last, and how many segments there are."""
    x, ids = _rows_and_ids(what, data, segment_ids)
    require(reduce_all(ids[1:] >= ids[:-1]), f"{what}: a number is less than the one before", ids)
    require(reduce_all(ids >= 0), f"{what}: a number is below 0", ids)
    return x, ids, reduce_max(concat([[np.int64(-1)], cast(ids, int64)], 0)) + 1


def _zero_where_empty(found: Tensor, ids: Tensor, count: Tensor) -> Tensor:
    full = unsorted_segment_max(making.ones_like(ids), ids, count) > 0
    full = reshape(full, [count, *[1] * (len(making.like_shape(found)) - 1)])
    return apply(ew.where, full, found, cast(0, found.dtype))


def unsorted_segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: SizeLike, name: str | None = None
) -> Tensor:
    """The sums of the rows of a tensor that belong together, in whatever order they are.

    Args:
      data: a tensor of shape [*the shape of `segment_ids`, ...].
      segment_ids: to which sum each row goes, whole numbers; rows of numbers below 0 go to none.
      num_segments: how many sums there are.
    Returns: a tensor of shape [num_segments, ...] and of the dtype of `data`, zeros where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row; IndexError if a number is too large.

    >>> print(tf.math.unsorted_segment_sum([1, 2, 4], [2, 0, 2], 3))
    tf.Tensor([2 0 5], shape=(3,), dtype=int32)
    """
    x, ids, base = _parts("unsorted_segment_sum", data, segment_ids, num_segments)
    return tensor_scatter_nd_add(base, ids, x)


def unsorted_segment_prod(
    data: TensorLike, segment_ids: TensorLike, num_segments: SizeLike, name: str | None = None
) -> Tensor:
    """The products of the rows of a tensor that belong together, in whatever order they are.

    Args:
      data: a tensor of shape [*the shape of `segment_ids`, ...].
      segment_ids: to which product each row goes, whole numbers; rows of numbers below 0 go to none.
      num_segments: how many products there are.
    Returns: a tensor of shape [num_segments, ...] and of the dtype of `data`, ones where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row; IndexError if a number is too large.

    >>> print(tf.math.unsorted_segment_prod([2, 3, 5], [2, 0, 2], 3))
    tf.Tensor([ 3  1 10], shape=(3,), dtype=int32)
    """
    x, ids, base = _parts("unsorted_segment_prod", data, segment_ids, num_segments, "one")
    return apply(indexing.scatter, base, ids, x, how="mul")


def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: SizeLike, name: str | None = None
) -> Tensor:
    """The means of the rows of a tensor that belong together, in whatever order they are.

    Args:
      data: a tensor of shape [*the shape of `segment_ids`, ...], of floats or complex numbers.
      segment_ids: to which mean each row goes, whole numbers; rows of numbers below 0 go to none.
      num_segments: how many means there are.
    Returns: a tensor of shape [num_segments, ...] and of the dtype of `data`, zeros where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row; IndexError if a number is too large.

    >>> print(tf.math.unsorted_segment_mean([1.0, 2.0, 4.0], [1, 0, 1], 2))
    tf.Tensor([2.  2.5], shape=(2,), dtype=float32)
    """
    x, ids, base = _parts("unsorted_segment_mean", data, segment_ids, num_segments)
    return tensor_scatter_nd_add(base, ids, x) / _counts(x, segment_ids, num_segments)


def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: SizeLike, name: str | None = None
) -> Tensor:
    """The sums of the rows of a tensor that belong together, divided by the square roots of how many these are.

    Args:
      data: a tensor of shape [*the shape of `segment_ids`, ...], of floats or complex numbers.
      segment_ids: to which sum each row goes, whole numbers; rows of numbers below 0 go to none.
      num_segments: how many sums there are.
    Returns: a tensor of shape [num_segments, ...] and of the dtype of `data`, zeros where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row; IndexError if a number is too large.

    >>> print(tf.math.unsorted_segment_sqrt_n([1.0, 2.0, 4.0, 6.0, 8.0], [1, 0, 1, 1, 1], 2))
    tf.Tensor([2.  9.5], shape=(2,), dtype=float32)
    """
    x, ids, base = _parts("unsorted_segment_sqrt_n", data, segment_ids, num_segments)
    return tensor_scatter_nd_add(base, ids, x) / apply(ew.sqrt, _counts(x, segment_ids, num_segments))


def unsorted_segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: SizeLike, name: str | None = None
) -> Tensor:
    """The largest of the rows of a tensor that belong together, element by element, in whatever order they are.

    Args:
      data: a tensor of shape [*the shape of `segment_ids`, ...], of real numbers.
      segment_ids: to which result each row goes, whole numbers; rows of numbers below 0 go to none.
      num_segments: how many results there are.
    Returns: a tensor of shape [num_segments, ...] and of the dtype of `data`, its smallest number where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row; IndexError if a number is too large.

    >>> print(tf.math.unsorted_segment_max([1, 5, 4], [1, 0, 1], 2))
    tf.Tensor([5 4], shape=(2,), dtype=int32)
    """
    x, ids, base = _parts("unsorted_segment_max", data, segment_ids, num_segments, "min")
    return tensor_scatter_nd_max(base, ids, x)


def unsorted_segment_min(
    data: TensorLike, segment_ids: TensorLike, num_segments: SizeLike, name: str | None = None
) -> Tensor:
    """The smallest of the rows of a tensor that belong together, element by element, in whatever order they are.

    Args:
      data: a tensor of shape [*the shape of `segment_ids`, ...], of real numbers.
      segment_ids: to which result each row goes, whole numbers; rows of numbers below 0 go to none.
      num_segments: how many results there are.
    Returns: a tensor of shape [num_segments, ...] and of the dtype of `data`, its largest number where no row goes.
    Raises:
      InvalidArgumentError: if there is not one number for each row; IndexError if a number is too large.

    >>> print(tf.math.unsorted_segment_min([1, 5, 4], [1, 0, 1], 2))
    tf.Tensor([5 1], shape=(2,), dtype=int32)
    """
    x, ids, base = _parts("unsorted_segment_min", data, segment_ids, num_segments, "max")
    return tensor_scatter_nd_min(base, ids, x)


def _rows_and_ids(what: str, data: TensorLike, segment_ids: TensorLike) -> tuple[Tensor, Tensor]:
    """Rows, and to which segment each goes."""
    x, ids = operand(data), operand(segment_ids)
    if ids.shape.rank != 1 or not ids.dtype.is_integer:
        raise InvalidArgumentError(f"{what} takes whole numbers in a tensor of rank 1, not {ids}")
    require(shape(x)[0] == shape(ids)[0], f"{what}: there is not one number for each row", shape(x), shape(ids))
    return x, ids


def _flat(data: TensorLike, segment_ids: TensorLike) -> tuple[Tensor, Tensor]:
    """Rows and numbers of rank 1 from numbers of any rank, each of which is for one row."""
    x, ids = operand(data), operand(segment_ids)
    rank = 1 if ids.type.shape is None else len(ids.type.shape)
    if rank < 2:
        return x, ids
    fits = reduce_all(shape(x)[:rank] == shape(ids))
    require(fits, "there is not one number of a segment for each row", shape(x), shape(ids))
    return reshape(x, [-1, *making.like_shape(x)[rank:]]), reshape(ids, [-1])


def _parts(
    what: str, data: TensorLike, segment_ids: TensorLike, num_segments: SizeLike, start: str = ""
) -> tuple[Tensor, Tensor, Tensor]:
    """The rows (those of numbers below 0 change nothing), index vectors of their segments, what is where none is."""
    x, ids = _rows_and_ids(what, *_flat(data, segment_ids))
    value = 1 if start == "one" else 0
    if start in ("min", "max"):
        value = getattr(x.dtype, start)
    nothing = cast(value, x.dtype)
    base = making.fill([num_segments, *making.like_shape(x)[1:]], nothing)
    stays = reshape(ids >= 0, [-1, *[1] * (len(making.like_shape(x)) - 1)])
    return apply(ew.where, stays, x, nothing), _places(ids), base


def _places(ids: Tensor) -> Tensor:
    """The index vectors of segments; those of rows that go nowhere, which add nothing, are the first one's."""
    return expand_dims(apply(ew.maximum, ids, cast(0, ids.dtype)), -1)


def _counts(x: Tensor, segment_ids: TensorLike, num_segments: SizeLike) -> Tensor:
    """How many rows each segment has, at least 1, to divide by."""
    ids = operand(segment_ids)
    ids = ids if ids.shape.rank == 1 else reshape(ids, [-1])
    none = making.fill([num_segments], cast(0, x.dtype))
    found = tensor_scatter_nd_add(none, _places(ids), cast(ids >= 0, x.dtype))
    least = apply(ew.where, found == cast(0, x.dtype), cast(1, x.dtype), found)
    return reshape(least, [num_segments, *[1] * (len(making.like_shape(x)) - 1)])


def scatter_nd(indices: TensorLike, updates: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Zeros with values added at index vectors.

    Args:
      indices: whole numbers of shape [..., k]: vectors, each the place of a part.
      updates: the parts, of shape [..., *the shape of a part].
      shape: the shape of the result.
    Returns: a tensor of this shape and of the dtype of `updates`; where places are the same, the sum.
    Raises:
      IndexError: if a place is outside.

    >>> print(tf.scatter_nd([[1], [3], [1]], [5, 6, 7], [5]))
    tf.Tensor([ 0 12  0  6  0], shape=(5,), dtype=int32)
    """
    values = operand(updates)
    return tensor_scatter_nd_add(making.zeros(shape, values.dtype), indices, values)


def sequence_mask(
    lengths: TensorLike, maxlen: SizeLike | None = None, dtype: DTypeLike = bool_, name: str | None = None
) -> Tensor:
    """Which places belong to sequences of given lengths.

    Args:
      lengths: whole numbers of any shape.
      maxlen: how many places there are, as many as the longest sequence has by default.
      dtype: the dtype of the result, booleans by default.
    Returns: a tensor of shape [*the shape of `lengths`, maxlen].

    >>> print(tf.sequence_mask([1, 3], 4, dtype=tf.int32))
    tf.Tensor(
    [[1 0 0 0]
     [1 1 1 0]], shape=(2, 4), dtype=int32)
    """
    counts = cast(operand(lengths), int64)
    size = reduce_max(counts) if maxlen is None else cast(maxlen, int64)
    return cast(making.range(size) < expand_dims(counts, -1), dtype)
