"""Elements sorted into parts by numbers, put together again, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from runtime.graph.dtypes import as_dtype, int32, int64
from runtime.ops import elementwise as ew
from runtime.tensors import making, mathematics as m, reductions
from runtime.tensors.conversion import cast, matched, operand
from runtime.tensors.operations import apply
from runtime.tensors.parts import boolean_mask, gather, tensor_scatter_nd_add, tensor_scatter_nd_update, unique
from runtime.tensors.segments import unsorted_segment_sum
from runtime.tensors.shaping import concat, expand_dims, require, reshape, shape, size, stack, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, ShapeLike, SizeLike, TensorLike


def dynamic_partition(
    data: TensorLike, partitions: TensorLike, num_partitions: int, name: str | None = None
) -> list[Tensor]:
    """A tensor taken apart by numbers that tell where each of its parts goes.

    Args:
      data: a tensor of shape [*the shape of `partitions`, ...].
      partitions: whole numbers of any shape, from 0 on and less than `num_partitions`.
      num_partitions: how many results there are.
    Returns: a list with as many tensors, each of shape [how often its number comes, ...], in the order of `data`.
    Raises:
      InvalidArgumentError: if a number is none of a result, when it is run.

    >>> small, large = tf.dynamic_partition([1, 20, 3, 40], [0, 1, 0, 1], 2)
    >>> print(small.numpy(), large.numpy())
    [1 3] [20 40]
    """
    x, numbers = operand(data), operand(partitions)
    inside = m.logical_and(m.greater_equal(numbers, 0), m.less(numbers, num_partitions))
    require(reductions.reduce_all(inside), "dynamic_partition: a number is not less than num_partitions", numbers)
    rank = len(making.like_shape(numbers))
    if rank == 0:
        x, numbers = expand_dims(x, 0), expand_dims(numbers, 0)
    return [boolean_mask(x, m.equal(numbers, number)) for number in range(num_partitions)]


def dynamic_stitch(indices: Sequence[TensorLike], data: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Tensors put together by numbers that tell where each of their parts goes: what undoes `dynamic_partition`.

    Args:
      indices: a list of whole numbers, each of any shape.
      data: a list of as many tensors, each of the shape of its numbers and what all have in common.
    Returns: a tensor of shape [the largest number + 1, ...]; where a number comes again, the last part counts, and
      where none comes, there are zeros.
    Raises:
      ValueError: if there are not as many numbers as tensors.

    >>> print(tf.dynamic_stitch([[0, 2], [1]], [[10, 30], [20]]).numpy())
    [10 20 30]
    """
    if len(indices) != len(data) or not indices:
        raise ValueError(f"dynamic_stitch takes a tensor for each list of numbers, not {len(data)} for {len(indices)}")
    places, parts = [operand(i) for i in indices], matched([*data])
    rest = making.like_shape(parts[0])[len(making.like_shape(places[0])) :]
    flat = concat([reshape(place, [-1]) for place in places], 0)
    rows = concat([reshape(part, [-1, *rest]) for part in parts], 0)
    count = reductions.reduce_max(concat([[-1], flat], 0)) + 1
    return tensor_scatter_nd_update(making.zeros([count, *rest], rows.dtype), flat[:, None], rows)


class UniqueWithCounts(NamedTuple):
    """What `unique_with_counts` gives, by TensorFlow's names."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]


def unique_with_counts(x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None) -> UniqueWithCounts:
    """The distinct elements in the order in which they appear, which of them each element is, and how often each comes.

    Args:
      x: a tensor of rank 1.
      out_idx: the dtype of the numbers, int32 by default, or int64.
    Returns: three tensors, `y`, `idx` and `count`, of which the second has the shape of `x`.
    Raises:
      ValueError: if `x` is not of rank 1.

    >>> print(tf.unique_with_counts([7, 5, 7]).count.numpy())
    [2 1]
    """
    y, idx = unique(x, out_idx)
    return UniqueWithCounts(y, idx, unsorted_segment_sum(making.ones_like(idx), idx, size(y)))


def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: SizeLike | None = None,
    maxlength: SizeLike | None = None,
    dtype: DTypeLike = int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Tensor:
    """How often each whole number comes.

    Args:
      arr: whole numbers of any shape, none less than 0.
      weights: what each counts for, of the shape of `arr`; 1 by default.
      minlength: how many results there are at least.
      maxlength: how many there are at most; what is not less than it is not counted.
      dtype: the dtype of the result without weights, int32 by default; that of the weights with them.
      axis: -1 to count in each row of a matrix; all elements together by default.
      binary_output: whether it is only told that a number comes, by 1.
    Returns: a tensor of shape [the largest number + 1], for rows of shape [rows, the largest number + 1].
    Raises:
      InvalidArgumentError: if a number is less than 0, when it is run.
      ValueError: for another axis than 0 or -1, and for `weights` beside `binary_output`.

    >>> print(tf.math.bincount([1, 1, 2, 5]).numpy())
    [0 2 1 0 0 1]
    """
    if axis not in (None, 0, -1):
        raise ValueError(f"bincount counts along axis=-1, or all elements (axis=None or 0), not axis={axis}")
    if weights is not None and binary_output:
        raise ValueError("bincount: binary_output=True has no use for weights")
    numbers = cast(operand(arr), int64)
    require(reductions.reduce_all(m.greater_equal(numbers, 0)), "bincount: a number is less than 0", numbers)
    flat = reshape(numbers, [-1])
    count = reductions.reduce_max(concat([[np.int64(-1)], flat], 0)) + 1
    if minlength is not None:
        count = m.maximum(count, cast(minlength, int64))
    if maxlength is not None:
        count = m.minimum(count, cast(maxlength, int64))
    ones = making.ones_like(numbers, as_dtype(dtype)) if weights is None else operand(weights)
    if axis == -1 and len(making.like_shape(numbers)) > 1:
        chosen = m.equal(numbers[..., None], making.range(count))
        counted = reductions.reduce_sum(apply(ew.where, chosen, ones[..., None], cast(0, ones.dtype)), -2)
    else:
        inside = m.less(flat, count)
        counted = unsorted_segment_sum(boolean_mask(reshape(ones, [-1]), inside), boolean_mask(flat, inside), count)
    return m.minimum(counted, cast(1, counted.dtype)) if binary_output else counted


def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """The permutation that undoes another: where each number stands in it.

    Args:
      x: the numbers from 0 on in some order, a tensor of rank 1.
    Returns: a tensor of the shape and dtype of `x`.
    Raises:
      InvalidArgumentError: if they are not all the numbers from 0 on, when it is run.

    >>> print(tf.math.invert_permutation([2, 0, 1]).numpy())
    [1 2 0]
    """
    order = operand(x)
    numbers = making.range(shape(order)[0], dtype=order.dtype)
    found = tensor_scatter_nd_add(making.zeros_like(order), order[:, None], numbers + 1) - 1
    whole = reductions.reduce_all(m.equal(gather(order, m.maximum(found, cast(0, found.dtype))), numbers))
    require(whole, "invert_permutation: these are not the numbers from 0 on, each once", order)
    return found


def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: SizeLike | None = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """How often each class was predicted for each label.

    Args:
      labels: the true classes, whole numbers of shape [n].
      predictions: what was predicted, whole numbers of shape [n].
      num_classes: how many classes there are; the largest number + 1 by default.
      weights: what each counts for, of shape [n]; 1 by default.
      dtype: the dtype of the result, int32 by default.
    Returns: a tensor of shape [classes, classes]: a row for each label, a column for each prediction.
    Raises:
      InvalidArgumentError: if a number is no class, when it is run.

    >>> print(tf.math.confusion_matrix([1, 2, 2], [1, 1, 2]).numpy())
    [[0 0 0]
     [0 1 0]
     [0 1 1]]
    """
    rows, columns = (cast(operand(x), int64) for x in (labels, predictions))
    largest = reductions.reduce_max(concat([[np.int64(-1)], reshape(rows, [-1]), reshape(columns, [-1])], 0))
    count = largest + 1 if num_classes is None else cast(num_classes, int64)
    fits = m.logical_and(m.less(largest, count), reductions.reduce_all(m.greater_equal(concat([rows, columns], 0), 0)))
    require(fits, "confusion_matrix: a number is no class", rows, columns)
    ones = making.ones_like(rows, as_dtype(dtype)) if weights is None else cast(operand(weights), dtype)
    return tensor_scatter_nd_add(making.zeros([count, count], dtype), stack([rows, columns], -1), ones)


def unravel_index(indices: TensorLike, dims: ShapeLike, name: str | None = None) -> Tensor:
    """The coordinates of elements that are counted in the order of memory.

    Args:
      indices: whole numbers, of shape [n] or a single one.
      dims: the shape of the tensor that they are elements of.
    Returns: a tensor of shape [axes, n], or of shape [axes] for a single one, of the dtype of `indices`.
    Raises:
      InvalidArgumentError: if a number is no element, when it is run.

    >>> print(tf.unravel_index([2, 5], [2, 3]).numpy())
    [[0 1]
     [2 2]]
    """
    numbers = operand(indices)
    sizes = cast(operand(dims), numbers.dtype)
    inside = m.logical_and(m.greater_equal(numbers, 0), m.less(numbers, reductions.reduce_prod(sizes)))
    require(reductions.reduce_all(inside), "unravel_index: a number is no element of such a tensor", numbers)
    steps = reductions.cumprod(sizes, exclusive=True, reverse=True)
    if numbers.shape.rank:
        sizes, steps = sizes[:, None], steps[:, None]
    return m.floormod(m.floordiv(numbers, steps), sizes)


def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Sequences with as many of their first elements in reverse order as each has; the others stay.

    Args:
      input: a tensor of rank 2 or more.
      seq_lengths: how long each sequence is, whole numbers of shape [sequences].
      seq_axis: the axis along which the sequences run.
      batch_axis: the axis along which one follows on the other, 0 by default.
    Returns: a tensor of the shape of `input`.
    Raises:
      ValueError: without `seq_axis`.
      InvalidArgumentError: if a sequence is longer than its axis, when it is run.

    >>> print(tf.reverse_sequence([[1, 2, 3, 0], [4, 5, 0, 0]], [3, 2], seq_axis=1).numpy())
    [[3 2 1 0]
     [5 4 0 0]]
    """
    if seq_axis is None:
        raise ValueError("reverse_sequence needs the axis along which the sequences run: seq_axis=1")
    x, lengths = operand(input), operand(seq_lengths)
    rank = len(making.like_shape(x))
    along, across = seq_axis % rank, (batch_axis or 0) % rank
    order = [across, along, *(a for a in range(rank) if a not in (across, along))]
    rows = transpose(x, order)
    require(
        reductions.reduce_all(m.less_equal(lengths, cast(shape(rows)[1], lengths.dtype))),
        "reverse_sequence: a sequence is longer than its axis", lengths,
    )  # fmt: skip
    places = making.range(shape(rows)[1], dtype=lengths.dtype)
    ends = lengths[:, None]
    places = apply(ew.where, m.less(places, ends), ends - 1 - places, places + making.zeros_like(ends))
    return transpose(gather(rows, places, batch_dims=1), np.argsort(order).tolist())


def histogram_fixed_width_bins(
    values: TensorLike,
    value_range: TensorLike,
    nbins: SizeLike = 100,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """In which of several intervals of one width each number lies; what lies outside goes to the first, or the last.

    Args:
      values: a tensor of any shape, of real numbers.
      value_range: where the first begins, and where the last ends: two numbers.
      nbins: how many there are, 100 by default.
      dtype: the dtype of the result, int32 by default.
    Returns: a tensor of the shape of `values`.
    Raises:
      InvalidArgumentError: if the range has no width, when it is run.

    >>> print(tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 2.0, 5.0], [0.0, 5.0], nbins=5).numpy())
    [0 0 1 2 4]
    """
    x, ends = matched([values, value_range])
    require(m.less(ends[0], ends[1]), "histogram_fixed_width: the range has no width", ends)
    count = cast(nbins, x.dtype)
    scaled = m.divide(m.multiply(count, x - ends[0]), ends[1] - ends[0])
    bounded = m.clipped(m.floor(scaled), cast(0, scaled.dtype), cast(count - 1, scaled.dtype))
    return cast(bounded, dtype)


def histogram_fixed_width(
    values: TensorLike,
    value_range: TensorLike,
    nbins: SizeLike = 100,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """How many numbers lie in each of several intervals of one width; what lies outside counts for the first, or last.

    Args:
      values: a tensor of any shape, of real numbers.
      value_range: where the first begins, and where the last ends: two numbers.
      nbins: how many there are, 100 by default.
      dtype: the dtype of the result, int32 by default.
    Returns: a tensor of shape [nbins].
    Raises:
      InvalidArgumentError: if the range has no width, when it is run.

    >>> print(tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0], [0.0, 5.0], nbins=5).numpy())
    [2 1 1 0 1]
    """
    places = reshape(histogram_fixed_width_bins(values, value_range, nbins), [-1])
    return unsorted_segment_sum(making.ones_like(places, as_dtype(dtype)), places, nbins)
