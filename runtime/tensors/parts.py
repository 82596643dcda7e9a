"""Parts of tensors: picked, replaced, repeated and put in order, by TensorFlow's names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.graph.dtypes import as_dtype, bool_, int32, int64, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew, indexing, reduce, shape as ops
from runtime.tensors import making
from runtime.tensors.composites import formed_in
from runtime.tensors.conversion import (
    are_open,
    cast,
    index_parts,
    is_number,
    known_numbers,
    matched,
    operand,
    static_value,
)
from runtime.tensors.mathematics import greater_equal, less, less_equal, logical_and, maximum
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.reductions import axes, cumsum, reduce_all, reduce_sum
from runtime.tensors.shaping import (
    broadcast_to,
    concat,
    expand_dims,
    listed_shape,
    not_negative,
    of_size,
    require,
    reshape,
    reverse,
    shape,
    transpose,
    unstack,
)
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, IndexLike, ShapeLike, SizeLike, TensorLike


def repeat(input: TensorLike, repeats: TensorLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element repeated, the repetitions beside each other.

    Args:
      input: a tensor of any shape.
      repeats: how often: one number for all, or one for each part along the axis.
      axis: the axis along which to repeat; by default the elements are taken as one long row.
    Returns: a tensor of the dtype of `input`, and of its shape but for the axis; of rank 1 without an axis.
    Raises:
      ValueError: if a number is negative, or there is not one for each part.

    >>> print(tf.repeat([1, 2], 3))
    tf.Tensor([1 1 1 2 2 2], shape=(6,), dtype=int32)
    >>> print(tf.repeat([1, 2], [1, 3]))
    tf.Tensor([1 2 2 2], shape=(4,), dtype=int32)
    """
    x = operand(input)
    if are_open(repeats):
        return _repeated(x, operand(repeats), axis)
    times = known_numbers(repeats)
    if np.any(times < 0):
        raise ValueError("repeats may not contain negative values.")
    if times.size == 1:
        return apply(ops.repeat, x, repeats=int(times.item()), axis=axis)
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    at = axis_of(axis, len(x.shape))
    of_size(x, at, len(times), "repeat")
    return gather(x, np.repeat(np.arange(len(times)), times), axis=at)


def _repeated(x: Tensor, times: Tensor, axis: int | None) -> Tensor:
    """Each part so many times, as the graph finds."""
    require(reduce_all(greater_equal(times, 0)), "repeats may not contain negative values.", times)
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    at = axis_of(axis, len(x.shape))
    if times.shape.rank == 0:
        times = broadcast_to(times, [x.shape[at]])
    require(shape(times)[0] == x.shape[at], f"repeat along axis {at}: a number for each part is wanted", times)
    ends = cumsum(cast(times, int64))
    count = concat([making.zeros([1], int64), ends], 0)[-1]
    return gather(x, apply(indexing.searchsorted, ends, making.range(count), side="right"), axis=at)


def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    constant_values: TensorLike = 0,
    name: str | None = None,
) -> Tensor:
    """A tensor with a border around it.

    Args:
      tensor: a tensor of any shape.
      paddings: for each axis how many elements come before and after, as pairs of numbers.
      mode: ``"CONSTANT"`` for `constant_values`; ``"REFLECT"`` or ``"SYMMETRIC"`` for what a mirror would show, without
        or with the elements at the edge.
      constant_values: the number that the border holds.
    Returns: a tensor of the dtype of `tensor`, larger by the border.
    Raises:
      InvalidArgumentError: if there is not one pair for each axis, or a number is negative or more than a mirror shows.
      ValueError: for another mode.

    >>> print(tf.pad([1, 2], [[1, 2]]))
    tf.Tensor([0 1 2 0 0], shape=(5,), dtype=int32)
    >>> print(tf.pad([1, 2, 3], [[2, 2]], mode="REFLECT"))
    tf.Tensor([3 2 1 2 3 2 1], shape=(7,), dtype=int32)
    """
    x = operand(tensor)
    if are_open(paddings) or are_open(constant_values) or x.dtype == string:  # NumPy pads with texts of its own
        return _padded(x, paddings, mode.lower(), constant_values)
    pairs = known_numbers(paddings)
    if np.ndim(pairs) != 2 or np.shape(pairs)[1] != 2:
        raise InvalidArgumentError(f"pad of {x} by {pairs}: a pair of numbers, none negative, for each axis is wanted")
    pairs = tuple((int(a), int(b)) for a, b in pairs)
    if x.shape.rank not in (None, len(pairs)) or any(min(pair) < 0 for pair in pairs):
        raise InvalidArgumentError(f"pad of {x} by {pairs}: a pair of numbers, none negative, for each axis is wanted")
    how = mode.lower()
    if not pairs:
        return reshape(x, ())  # a scalar
    if how == "constant":
        value = static_value(operand(constant_values))
        number = np.asarray(value).astype(x.dtype.dtype).item()
        return apply(ops.pad, x, paddings=pairs, value=number)
    if how not in ("reflect", "symmetric"):
        raise ValueError(f"pad with mode {mode!r}: it is 'CONSTANT', 'REFLECT' or 'SYMMETRIC'")
    if any(any(pair) and not isinstance(size, int) for pair, size in zip(pairs, making.like_shape(x))):
        return _padded(x, pairs, how, constant_values)
    for axis, (pair, size) in enumerate(zip(pairs, making.like_shape(x))):
        if not any(pair):
            continue
        if max(pair) > size - (how == "reflect"):
            raise InvalidArgumentError(f"pad of {x} by {pair} along axis {axis}: {mode} has no so many elements")
        mirrored: Any = how
        x = gather(x, np.pad(np.arange(size), pair, mirrored), axis=axis)
    return x


def _padded(x: Tensor, paddings: TensorLike, mode: str, value: TensorLike) -> Tensor:
    """A border whose width only the graph knows, or how much there is for a mirror to show."""
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError(f"pad with mode {mode!r}: it is 'CONSTANT', 'REFLECT' or 'SYMMETRIC'")
    pairs = paddings if isinstance(paddings, list | tuple) else unstack(paddings)
    if len(pairs) != len(x.shape):
        raise InvalidArgumentError(f"pad of {x} by {pairs}: a pair of numbers, none negative, for each axis is wanted")
    for axis, pair in enumerate(pairs):
        before, after = listed_shape(pair)
        if not are_open([before, after]) and not before and not after:
            continue
        size = x.shape[axis]
        most = size - 1 if mode == "reflect" else size
        for count in (operand(before), operand(after)):
            inside = greater_equal(count, 0)
            inside = inside if mode == "constant" else logical_and(inside, count <= most)
            require(inside, f"pad along axis {axis}: the border is wider than there are elements", count)
        if mode == "constant":
            dims: list[Any] = list(x.shape)
            border = cast(b"" if x.dtype == string and is_number(value) else value, x.dtype)
            edges = [making.fill([*dims[:axis], n, *dims[axis + 1 :]], border) for n in (before, after)]
            x = concat([edges[0], x, edges[1]], axis)
            continue
        places = making.range(-before, size + after)
        first, last = (
            (places * -1, 2 * (size - 1) - places) if mode == "reflect" else (-1 - places, 2 * size - 1 - places)
        )
        places = apply(ew.where, places < 0, first, apply(ew.where, places >= size, last, places))
        x = gather(x, places, axis=axis)
    return x


def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: bool | None = None,
    axis: int | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The parts of a tensor at indices along an axis.

    Args:
      params: a tensor of rank 1 or more.
      indices: integers, a tensor of any shape.
      validate_indices: accepted; all are checked.
      axis: the axis of `params`; the first that is no batch's by default.
      batch_dims: how many axes, the first of both tensors, go together.
    Returns: a tensor of the dtype of `params` and of its shape, in which the axes of `indices`, without those of
      batches, stand in the place of `axis`.
    Raises:
      InvalidArgumentError: if an index is outside, when it is run.

    >>> print(tf.gather([10, 20, 30], [2, 0, 0]))
    tf.Tensor([30 10 10], shape=(3,), dtype=int32)
    >>> print(tf.gather([[1, 2, 3], [4, 5, 6]], [2, 0], axis=1))
    tf.Tensor(
    [[3 1]
     [6 4]], shape=(2, 2), dtype=int32)
    >>> print(tf.gather([[1, 2, 3], [4, 5, 6]], [[0], [2]], batch_dims=1))
    tf.Tensor(
    [[1]
     [6]], shape=(2, 1), dtype=int32)
    """
    if (one := formed_in((params, indices))) is not None:
        return one._form("gather")(params, indices, None, axis, batch_dims)  # type: ignore[no-any-return]
    x, where = operand(params), operand(indices)
    at = batch_dims if axis is None else int(axis)
    if not batch_dims:
        return apply(indexing.gather, x, where, axis=at)
    batch, at = axis_of(batch_dims, len(where.shape) + 1), axis_of(at, len(x.shape))
    if batch > at:
        raise ValueError(f"gather with batch_dims={batch_dims} along axis {at}: the axis comes after those of batches")
    size = x.shape[at]
    require(logical_and(where >= 0, where < size), f"gather: an index is not in [0, {size})", where)
    middle = [*range(batch, at)]
    x = transpose(x, [*range(batch), at, *middle, *range(at + 1, len(x.shape))])
    x = x[(*_numbers_along(where, batch), where)]
    rank, new = len(where.shape), len(where.shape) - batch
    moved = [*range(rank, rank + len(middle))]
    kept = [*range(batch), *moved, *range(batch, batch + new)]
    return transpose(x, [*kept, *range(rank + len(middle), len(x.shape))]) if middle else x


def _numbers_along(indices: Tensor, count: int) -> list[Tensor]:
    """For each of the first axes, the position along it, in the shape of indices that it goes together with."""
    dims, rank = [*indices.shape], len(indices.shape)
    return [making.range(dims[i])[(..., *[None] * (rank - 1 - i))] for i in range(count)]


def roll(input: TensorLike, shift: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """The elements moved along axes; those that leave at one end come in at the other.

    Args:
      input: a tensor of rank 1 or more.
      shift: by how many places, towards the end: an integer for each axis, or one for all of them.
      axis: the axis, or several; a shift for each of one axis alone adds up.
    Returns: a tensor of the shape and dtype of `input`.
    Raises:
      ValueError: if there is no such axis, or `shift` is no scalar and no row of as many as there are axes.

    >>> print(tf.roll([1, 2, 3, 4], shift=1, axis=0))
    tf.Tensor([4 1 2 3], shape=(4,), dtype=int32)
    """
    x, places = operand(input), operand(shift)
    known = static_value(places)
    if known is not None and known.ndim < 2:
        return apply(ops.roll, x, shift=axes(known), axis=axes(axis))
    if axis is None:  # NumPy's: all elements as one row
        return reshape(roll(reshape(x, [-1]), places, 0), shape(x))
    if places.shape.rank not in (0, 1):
        raise ValueError(f"roll: `shift` must be a scalar or of rank 1, not of shape {places.shape}")
    along = axes(axis)
    several = along if isinstance(along, tuple) else (along,)
    places = cast(places, int64)
    each = broadcast_to(places, [len(several)]) if len(several) > 1 else reshape(reduce_sum(places), [1])
    for number, at in enumerate(several):
        size = shape(x, int64)[int(at)]
        start = size - each[number] % maximum(size, 1)
        x = gather(x, (making.range(size) + start) % maximum(size, 1), axis=at)
    return x


def gather_nd(params: TensorLike, indices: TensorLike, batch_dims: int = 0, name: str | None = None) -> Tensor:
    """The parts of a tensor at index vectors.

    Args:
      params: a tensor of rank 1 or more.
      indices: integers of shape [..., k]: vectors, each of which names the first k axes of `params`.
      batch_dims: how many axes, the first of both tensors, go together.
    Returns: a tensor of shape [..., *the other axes of params], of the dtype of `params`.
    Raises:
      InvalidArgumentError: if an index is outside, when it is run.

    >>> print(tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    """
    x, where = operand(params), operand(indices)
    if batch_dims:
        batch = axis_of(batch_dims, len(where.shape))
        dims = [*where.shape[:-1], 1]
        along = [cast(broadcast_to(n, dims), where.dtype) for n in _numbers_along(where, batch)]
        where = concat([*along, where], -1)
    return apply(indexing.gather_nd, x, where)


def boolean_mask(tensor: TensorLike, mask: TensorLike, axis: int | None = None, name: str = "boolean_mask") -> Tensor:
    """The parts of a tensor where a mask is true.

    Args:
      tensor: a tensor of rank 1 or more.
      mask: booleans, of the shape that axes of `tensor` have from `axis` on; of numbers, those but 0 are true.
      axis: the first of these axes, 0 by default.
    Returns: a tensor of the dtype of `tensor` with one axis instead of the mask's, as long as it has true elements.
    Raises:
      IndexError: if the shapes do not go together, or there is no such axis.

    >>> print(tf.boolean_mask([1, 2, 3], [True, False, True]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    if (one := formed_in((tensor, mask))) is not None:
        return one._form("boolean_mask")(tensor, mask, axis)  # type: ignore[no-any-return]
    x, at = operand(tensor), int(axis or 0)
    if at < 0 or x.type.shape is not None:
        at = axis_of(at, len(x.shape))
    return apply(indexing.boolean_mask, x, cast(mask, bool_), axis=at)


def _scattered(tensor: TensorLike, indices: TensorLike, updates: TensorLike, how: str) -> Tensor:
    x, new = matched([tensor, updates])
    return apply(indexing.scatter, x, operand(indices), new, how=how)


def tensor_scatter_nd_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """A copy of a tensor with other values at index vectors.

    Args:
      tensor: a tensor of rank 1 or more.
      indices: integers of shape [..., k]: vectors, each of which names the first k axes of `tensor`.
      updates: the values, of shape [..., *the other axes of tensor]; the last one counts where an index comes again.
    Returns: a tensor of the shape of `tensor` and of the dtype to which both promote.
    Raises:
      InvalidArgumentError: if an index is outside, when it is run.

    >>> print(tf.tensor_scatter_nd_update([1, 2, 3], [[0], [2]], [10, 30]))
    tf.Tensor([10  2 30], shape=(3,), dtype=int32)
    """
    return _scattered(tensor, indices, updates, "set")


def tensor_scatter_nd_add(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """A copy of a tensor with values added at index vectors.

    Args:
      tensor: a tensor of rank 1 or more.
      indices: integers of shape [..., k]: vectors, each of which names the first k axes of `tensor`.
      updates: the values, of shape [..., *the other axes of tensor]; all are added where an index comes again.
    Returns: a tensor of the shape of `tensor` and of the dtype to which both promote.
    Raises:
      InvalidArgumentError: if an index is outside, when it is run.

    >>> print(tf.tensor_scatter_nd_add([1, 2, 3], [[0], [0]], [10, 100]))
    tf.Tensor([111   2   3], shape=(3,), dtype=int32)
    """
    return _scattered(tensor, indices, updates, "add")


def tensor_scatter_nd_sub(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """A copy of a tensor with values subtracted at index vectors, one after the other.

    Args:
      tensor: a tensor of rank 1 or more.
      indices: integers of shape [..., k]: vectors, each of which names the first k axes of `tensor`.
      updates: the values, of shape [..., *the other axes of tensor].
    Returns: a tensor of the shape of `tensor` and of the dtype to which both promote.
    Raises:
      InvalidArgumentError: if an index is outside, when it is run.

    >>> print(tf.tensor_scatter_nd_sub([8, 2, 3], [[0], [0]], [4, 1]))
    tf.Tensor([3 2 3], shape=(3,), dtype=int32)
    """
    return _scattered(tensor, indices, updates, "sub")


def tensor_scatter_nd_min(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """A copy of a tensor with what is greater than values set to these at index vectors, one after the other.

    Args:
      tensor: a tensor of rank 1 or more.
      indices: integers of shape [..., k]: vectors, each of which names the first k axes of `tensor`.
      updates: the values, of shape [..., *the other axes of tensor].
    Returns: a tensor of the shape of `tensor` and of the dtype to which both promote.
    Raises:
      InvalidArgumentError: if an index is outside, when it is run.

    >>> print(tf.tensor_scatter_nd_min([8, 2, 3], [[0], [0]], [4, 1]))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    return _scattered(tensor, indices, updates, "min")


def tensor_scatter_nd_max(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """A copy of a tensor with what is less than values set to these at index vectors, one after the other.

    Args:
      tensor: a tensor of rank 1 or more.
      indices: integers of shape [..., k]: vectors, each of which names the first k axes of `tensor`.
      updates: the values, of shape [..., *the other axes of tensor].
    Returns: a tensor of the shape of `tensor` and of the dtype to which both promote.
    Raises:
      InvalidArgumentError: if an index is outside, when it is run.

    >>> print(tf.tensor_scatter_nd_max([8, 2, 3], [[0], [0]], [4, 1]))
    tf.Tensor([8 2 3], shape=(3,), dtype=int32)
    """
    return _scattered(tensor, indices, updates, "max")


def slice_(input_: TensorLike, begin: ShapeLike, size: ShapeLike, name: str | None = None) -> Tensor:
    """A block of a tensor, which must lie inside of it.

    Args:
      input_: a tensor of any shape.
      begin: where it starts, a number for each axis.
      size: its size along each axis; -1 for all that follows.
    Returns: a tensor of shape `size` and of the dtype of `input_`.
    Raises:
      InvalidArgumentError: if there is not one number for each axis, or the block does not lie inside.

    >>> print(tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]))
    tf.Tensor(
    [[2 3]
     [5 6]], shape=(2, 2), dtype=int32)
    """
    x, parts = operand(input_), []
    starts, sizes = listed_shape(begin), listed_shape(size)
    if not len(starts) == len(sizes) == len(x.shape):
        raise InvalidArgumentError(f"slice of {x}: a begin and a size are wanted for each of {len(x.shape)} axes")
    for start, count, whole in zip(starts, sizes, making.like_shape(x)):
        rest = isinstance(count, int) and count == -1
        end = whole if rest else start + count
        message = f"slice of {x}: begin {start} and size {count} do not lie in an axis of {whole}"
        known = all(isinstance(v, int) for v in (start, end, whole))
        inside = 0 <= start <= end <= whole if known else None
        require(inside if known else logical_and(logical_and(start >= 0, end >= start), whole >= end), message)
        parts.append(slice(start, None if rest else end))
    return x[tuple(parts)]


def strided_slice(
    input_: TensorLike,
    begin: ShapeLike,
    end: ShapeLike,
    strides: ShapeLike | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: object = None,
    name: str | None = None,
) -> Tensor:
    """A block of a tensor, as an index of slices has it: ``input_[begin[0]:end[0]:strides[0], ...]``.

    Args:
      input_: a tensor of any shape.
      begin, end, strides: where the slice of each axis begins and ends, and its steps, 1 by default.
      begin_mask, end_mask: bits, one for each axis, of slices that begin at the first, or end at the last element.
      ellipsis_mask, new_axis_mask, shrink_axis_mask: bits of what is ``...``, ``None``, or a number (`begin`) instead.
      var: accepted as None.
    Returns: a tensor of the dtype of `input_`.
    Raises:
      NotImplementedError: for another `var`: assign to a part of the Variable, ``v[1:3].assign(value)``.

    >>> print(tf.strided_slice([1, 2, 3, 4, 5], [0], [5], [2]))
    tf.Tensor([1 3 5], shape=(3,), dtype=int32)
    """
    if var is not None:
        raise NotImplementedError("strided_slice with var=: assign to a part of the Variable, v[1:3].assign(value)")
    first, last = listed_shape(begin), listed_shape(end)
    steps = [1] * len(first) if strides is None else listed_shape(strides)
    index: list[Any] = []
    for axis, (start, stop, step) in enumerate(zip(first, last, steps, strict=True)):
        bit = 1 << axis
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_axis_mask & bit:
            index.append(start)
        else:
            index.append(slice(None if begin_mask & bit else start, None if end_mask & bit else stop, step))
    return operand(input_)[tuple(index)]


def with_item(tensor: TensorLike, index: IndexLike, value: TensorLike) -> Tensor:
    """A copy of a tensor with a part replaced: what ``tensor[index] = value`` would make of an array.

    Args:
      tensor: a tensor of rank 1 or more.
      index: what may stand between the brackets: numbers, slices, tensors of integers or booleans, and tuples of these.
      value: what broadcasts to the shape of the part; it is cast to the dtype of `tensor`.
    Returns: a tensor of the shape and dtype of `tensor`.
    Raises:
      ValueError: if the value does not fit; IndexError if the index is outside.

    >>> print(tf.with_item([1, 2, 3], slice(1, None), 0))
    tf.Tensor([1 0 0], shape=(3,), dtype=int32)
    """
    x = operand(tensor)
    parts, given = index_parts(index)
    new = cast(operand(value), x.dtype)
    return apply(indexing.setitem, x, new, *given, index=parts, how="set")


def sort(values: TensorLike, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """The elements along an axis in order.

    Args:
      values: a tensor of rank 1 or more, of numbers.
      axis: the axis to sort along, the last by default.
      direction: ``"ASCENDING"``, with NaN behind all numbers, or ``"DESCENDING"``, the other way round.
    Returns: a tensor of the shape and dtype of `values`.
    Raises:
      ValueError: for another direction, or if there is no such axis.

    >>> print(tf.sort([3, 1, 2], direction="DESCENDING"))
    tf.Tensor([3 2 1], shape=(3,), dtype=int32)
    """
    result = apply(indexing.sort, operand(values), axis=axis)
    return reverse(result, axis) if _descends(direction) else result


def argsort(
    values: TensorLike, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """The indices that put the elements along an axis in order; equal elements stay in theirs.

    Args:
      values: a tensor of rank 1 or more, of numbers.
      axis: the axis to sort along, the last by default.
      direction: ``"ASCENDING"`` or ``"DESCENDING"``, as for `sort`.
      stable: accepted; the order is always stable.
    Returns: a tensor of integers of the shape of `values`.
    Raises:
      ValueError: for another direction, or if there is no such axis.

    >>> print(tf.argsort([30, 10, 20]))
    tf.Tensor([1 2 0], shape=(3,), dtype=int32)
    """
    x = operand(values)
    if not _descends(direction):
        return apply(indexing.argsort, x, axis=axis)
    # From the back, so that of equal elements the first comes first when all is turned round.
    order = reverse(apply(indexing.argsort, reverse(x, axis), axis=axis), axis)
    return x.shape[axis] - 1 - order


def _descends(direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"direction={direction!r}: it is 'ASCENDING' or 'DESCENDING'")
    return direction == "DESCENDING"


def searchsorted(
    sorted_sequence: TensorLike,
    values: TensorLike,
    side: str = "left",
    out_type: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """Where values would have to be put into a sorted sequence for it to stay sorted.

    Args:
      sorted_sequence: a tensor of shape [n], in ascending order; or of [..., n], of several sequences.
      values: a tensor of any shape; for several sequences of [..., m], those for each.
      side: ``"left"`` for the place before equal elements, ``"right"`` for the one after them.
      out_type: the dtype of the result, int32 by default.
    Returns: a tensor of the shape of `values`, of indices in [0, n].
    Raises:
      ValueError: for another side.

    >>> print(tf.searchsorted([1, 3, 5], [0, 3, 9]))
    tf.Tensor([0 1 3], shape=(3,), dtype=int32)
    """
    if side not in ("left", "right"):
        raise ValueError(f"side={side!r}: it is 'left' or 'right'")
    sequence, wanted = matched([sorted_sequence, values])
    if (sequence.shape.rank or 0) < 2:
        return cast(apply(indexing.searchsorted, sequence, wanted, side=side), out_type)
    before = (less if side == "left" else less_equal)(expand_dims(sequence, -2), expand_dims(wanted, -1))
    count = cast(before, out_type)
    return apply(reduce.reduce_sum, count, axis=-1, keepdims=False, dtype=count.dtype)


class TopKV2(NamedTuple):
    """What `top_k` gives, by TensorFlow's names."""

    values: Tensor
    indices: Tensor


class Unique(NamedTuple):
    """What `unique` gives, by TensorFlow's names."""

    y: Tensor
    idx: Tensor


def top_k(
    input: TensorLike, k: SizeLike = 1, sorted: bool = True, index_type: DTypeLike = int32, name: str | None = None
) -> TopKV2:
    """The largest elements along the last axis, in descending order, and where they are.

    Args:
      input: a tensor of shape [..., n], of numbers.
      k: how many.
      sorted: accepted; they always are in order.
      index_type: the dtype of the indices, int32 by default.
    Returns: two tensors of shape [..., k]: the elements (`values`), of the dtype of `input`, and their `indices`.
    Raises:
      InvalidArgumentError: if there are not so many elements, or `k` is negative.

    >>> values, indices = tf.math.top_k([3, 9, 5], k=2)
    >>> print(values)
    tf.Tensor([9 5], shape=(2,), dtype=int32)
    >>> print(indices)
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    x = operand(input)
    if len(x.shape) and are_open(k):
        count = operand(k)
        fits = logical_and(count >= 0, count <= x.shape[-1])
        require(fits, "top_k: there are not so many elements along the last axis", count)
        places = argsort(x, direction="DESCENDING")[..., :count]
        return TopKV2(gather(x, places, batch_dims=len(x.shape) - 1), cast(places, index_type))
    k = not_negative(k, "top_k", "k")
    if not len(x.shape):
        raise InvalidArgumentError("top_k of a scalar: it has no axis")
    size = x.shape[-1]
    if isinstance(size, int) and size < k:
        raise InvalidArgumentError(f"top_k of {x}: there are no {k} elements along its last axis")
    largest, places = apply_all(indexing.top_k, x, k=k)
    return TopKV2(largest, cast(places, index_type))


def unique(x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None) -> Unique:
    """The distinct elements in the order in which they appear, and for each element which of them it is.

    Args:
      x: a tensor of shape [n].
      out_idx: the dtype of the indices, int32 by default.
    Returns: two tensors: the k distinct elements (`y`), of shape [k] and the dtype of `x`, and indices of them (`idx`),
      of shape [n].
    Raises:
      ValueError: if the rank is not 1.

    >>> distinct, which = tf.unique([7, 5, 7])
    >>> print(distinct)
    tf.Tensor([7 5], shape=(2,), dtype=int32)
    >>> print(which)
    tf.Tensor([0 1 0], shape=(3,), dtype=int32)
    """
    distinct, places = apply_all(indexing.unique, operand(x), dtype=as_dtype(out_idx))
    return Unique(distinct, places)
