"""Sparse tensors taken apart, filled up, and rows of a tensor added by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from runtime.graph.dtypes import bool_, int64
from runtime.tensors import making
from runtime.tensors.conversion import cast, convert_to_tensor, operand
from runtime.tensors.mathematics import equal, maximum, sqrt, where
from runtime.tensors.parts import gather, tensor_scatter_nd_update
from runtime.tensors.reductions import reduce_all, reduce_max
from runtime.tensors.segments import segment_mean as means, segment_sum as sums, unsorted_segment_sum
from runtime.tensors.shaping import concat, expand_dims, require, reshape
from runtime.tensors.sparse_functions import _sparse, slice
from runtime.tensors.sparse_tensor import SparseTensor, reorder
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import SizeLike, TensorLike

Share: TypeAlias = Callable[[Tensor, Tensor], Tensor]


def split(sp_input: SparseTensor, num_split: int, axis: int, name: str | None = None) -> list[SparseTensor]:
    """Parts of a sparse tensor along an axis, of which the first are larger by one where they cannot be equal.

    Args:
      sp_input: the SparseTensor, of any shape.
      num_split: how many parts there are.
      axis: along which axis.
    Returns: a list of SparseTensors.
    Raises:
      ValueError: if the rank is not known, or there are no parts.

    >>> parts = tf.sparse.split(tf.sparse.from_dense([[0, 3, 1], [4, 0, 0]]), 2, axis=1)
    >>> [tf.sparse.to_dense(part).numpy().tolist() for part in parts]
    [[[0, 3], [4, 0]], [[1], [0]]]
    """
    x = _sparse(sp_input, "split")
    rank = x.shape.rank
    if rank is None or num_split < 1 or not -rank <= axis < rank:
        raise ValueError(f"sparse.split in {num_split} parts along axis {axis} of a SparseTensor of rank {rank}")
    at = axis % rank
    whole = x.dense_shape[at]
    require(whole >= num_split, "sparse.split: there are more parts than places along the axis", whole)
    size, larger = whole // num_split, whole % num_split
    along = np.arange(rank) == at
    parts, start = [], cast(0, int64)
    for number in range(num_split):
        length = size + cast(larger > number, int64)
        first = where(along, start, cast(0, int64))
        parts.append(slice(x, first, where(along, length, x.dense_shape)))
        start = start + length
    return parts


def fill_empty_rows(
    sp_input: SparseTensor, default_value: TensorLike, name: str | None = None
) -> tuple[SparseTensor, Tensor]:
    """A sparse matrix with an element at the beginning of each row that has none.

    Args:
      sp_input: the SparseTensor, of shape [n, d].
      default_value: the element, of shape ().
    Returns: the SparseTensor, and booleans of shape [n]: which rows had no element.

    >>> full, empty = tf.sparse.fill_empty_rows(tf.sparse.from_dense([[0, 3], [0, 0]]), -1)
    >>> tf.sparse.to_dense(full).numpy().tolist(), empty.numpy().tolist()
    ([[0, 3], [-1, 0]], [False, True])
    """
    x = _sparse(sp_input, "fill_empty_rows")
    rows = x.dense_shape[0]
    there = unsorted_segment_sum(cast(x.indices[:, 0] * 0 + 1, int64), x.indices[:, 0], rows)
    empty = equal(there, 0)
    numbers = reshape(where(empty), [-1])
    added = concat([expand_dims(numbers, 1), making.zeros([making.like_shape(numbers)[0], _rank(x) - 1], int64)], 1)
    element = cast(convert_to_tensor(default_value, None if isinstance(default_value, Tensor) else x.dtype), x.dtype)
    values = concat([x.values, making.fill([making.like_shape(numbers)[0]], element)], 0)
    return reorder(SparseTensor(concat([x.indices, added], 0), values, x.dense_shape)), empty


def _rank(x: SparseTensor) -> int:
    if x.shape.rank is None:
        raise ValueError("the rank of the SparseTensor is not known")
    return x.shape.rank


def to_indicator(sp_input: SparseTensor, vocab_size: SizeLike, name: str | None = None) -> Tensor:
    """Which numbers are among the elements along the last axis.

    Args:
      sp_input: the SparseTensor of whole numbers, of shape [..., n].
      vocab_size: how many numbers there are: 0, 1 … `vocab_size` - 1.
    Returns: a tensor of booleans of shape [..., vocab_size].
    Raises:
      InvalidArgumentError: for a number that is outside.

    >>> x = tf.SparseTensor([[0, 0], [1, 1]], tf.constant([2, 0], tf.int64), [2, 2])
    >>> tf.sparse.to_indicator(x, 3).numpy().tolist()
    [[False, False, True], [True, False, False]]
    """
    x = _sparse(sp_input, "to_indicator")
    numbers, size = cast(x.values, int64), cast(vocab_size, int64)
    require(reduce_all((numbers >= 0) & (numbers < size)), "to_indicator: a number is outside of the vocabulary", size)
    places = concat([x.indices[:, :-1], expand_dims(numbers, 1)], 1)
    shape: Any = concat([x.dense_shape[:-1], reshape(size, [1])], 0)
    none = making.fill(shape, cast(False, bool_))
    return tensor_scatter_nd_update(none, places, making.fill([making.like_shape(numbers)[0]], cast(True, bool_)))


def reset_shape(sp_input: SparseTensor, new_shape: TensorLike | None = None) -> SparseTensor:
    """The same elements at the same places of another shape.

    Args:
      sp_input: the SparseTensor, of any shape.
      new_shape: as many sizes, none of which is smaller; by default as small as the elements allow.
    Raises:
      InvalidArgumentError: for a smaller size.

    >>> tf.sparse.reset_shape(tf.sparse.from_dense([[0, 3, 0]]), [2, 4]).dense_shape.numpy().tolist()
    [2, 4]
    """
    from_last = convert_to_tensor(new_shape, int64) if new_shape is not None else None
    x = _sparse(sp_input, "reset_shape")
    if from_last is None:
        from_last = _largest(x)
    else:
        require(reduce_all(from_last >= x.dense_shape), "reset_shape: a size is smaller", from_last, x.dense_shape)
    return SparseTensor(x.indices, x.values, from_last)


def _largest(x: SparseTensor) -> Tensor:
    return reduce_max(concat([x.indices + 1, making.zeros([1, _rank(x)], int64)], 0), 0)


def _of_rows(
    name: str, what: str, shown: str, of_segments: Callable[[Tensor, TensorLike], Tensor], share: Share
) -> Callable[..., Tensor]:
    def function(
        data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: SizeLike | None = None,
        sparse_gradient: bool = False, name: str | None = None,
    ) -> Tensor:  # fmt: skip
        rows = gather(data, indices)
        if num_segments is None:
            return of_segments(rows, segment_ids)
        ids = operand(segment_ids)
        total = unsorted_segment_sum(rows, ids, num_segments)
        ones = making.ones([making.like_shape(ids)[0]], rows.dtype)
        return share(total, reshape(unsorted_segment_sum(ones, ids, num_segments), [-1, *_ones_behind(rows)]))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{what} of rows that are chosen from a tensor, by segments.

    Args:
      data: a tensor of shape [n, ...].
      indices: whole numbers of shape [m]: which rows.
      segment_ids: whole numbers of shape [m] that never fall: in which segment each of them is.
      num_segments: how many segments there are; as many as `segment_ids` tells by default.
      sparse_gradient: accepted: of the gradient only the rows that are chosen are not zero.
    Returns: a tensor of shape [segments, ...]; zeros for a segment of no rows.

    >>> tf.sparse.{name}([[1.0, 2.0], [3.0, 4.0]], [0, 1, 1], [0, 0, 1]).numpy().tolist()
    {shown}
    """
    return function


def _ones_behind(rows: Tensor) -> list[int]:
    return [1] * (len(rows.shape) - 1)


def _by_root(rows: Tensor, segment_ids: TensorLike) -> Tensor:
    ids = operand(segment_ids)
    total, ones = sums(rows, ids), making.ones([making.like_shape(ids)[0]], rows.dtype)
    return total / sqrt(maximum(reshape(sums(ones, ids), [-1, *_ones_behind(rows)]), cast(1, rows.dtype)))


segment_sum = _of_rows("segment_sum", "The sums", "[[4.0, 6.0], [3.0, 4.0]]", sums, lambda total, count: total)
segment_mean = _of_rows(
    "segment_mean", "The means", "[[2.0, 3.0], [3.0, 4.0]]", means,
    lambda total, n: total / maximum(n, cast(1, n.dtype)),
)  # fmt: skip
segment_sqrt_n = _of_rows(
    "segment_sqrt_n", "The sums, by the root of how many they are,",
    "[[2.8284270763397217, 4.242640972137451], [3.0, 4.0]]", _by_root,
    lambda total, n: total / sqrt(maximum(n, cast(1, n.dtype))),
)  # fmt: skip
