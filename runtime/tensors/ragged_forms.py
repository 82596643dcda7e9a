"""What functions of tensors are for rows of different lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph.dtypes import as_dtype, bool_, int32, int64
from runtime.ops import texts
from runtime.tensors import making, reductions, shaping
from runtime.tensors.conversion import cast, convert_to_tensor, operand
from runtime.tensors.mathematics import equal, maximum, where as tensor_where
from runtime.tensors.operations import apply
from runtime.tensors.parts import gather as gather_rows, gather_nd, repeat
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.segments import (
    unsorted_segment_max,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sum,
)
from runtime.tensors.shaping import require, reshape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, TensorLike

Reduction = Callable[..., Any]

# Reductions: of each row by segments, of what is behind the ragged dimensions by the function of tensors.


def _any(values: Tensor, ids: Tensor, count: Tensor) -> Tensor:
    return unsorted_segment_sum(cast(values, int32), ids, count) > 0


def _all(values: Tensor, ids: Tensor, count: Tensor) -> Tensor:
    return equal(unsorted_segment_sum(cast(values == convert_to_tensor(False), int32), ids, count), 0)


_BY_SEGMENTS: dict[str, Callable[..., Tensor]] = {
    "reduce_sum": unsorted_segment_sum,
    "reduce_prod": unsorted_segment_prod,
    "reduce_max": unsorted_segment_max,
    "reduce_min": unsorted_segment_min,
    "reduce_any": _any,
    "reduce_all": _all,
}


def _reduced(name: str, x: RaggedTensor, axis: AxisLike, keepdims: bool) -> Any:
    """The reduction of a name along axes, the last of them first."""
    rank, given = len(x.shape), reductions.axes(axis)
    of_tensors: Reduction = getattr(reductions, name)
    if given is None:
        made = of_tensors(x.flat_values)
        return reshape(made, [1] * rank) if keepdims else made
    several = (given,) if isinstance(given, int) else given
    wanted = sorted({_axis(one, rank) for one in several}, reverse=True)
    if wanted == [*range(rank - 1, -1, -1)]:
        return _reduced(name, x, None, keepdims)
    found: Any = x
    for one in wanted:
        if isinstance(found, RaggedTensor):
            found = _along(name, found, one, keepdims)
        else:
            found = of_tensors(found, one, keepdims)
    return found


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} of a RaggedTensor of rank {rank}")
    return axis + rank if axis < 0 else axis


def _along(name: str, x: RaggedTensor, axis: int, keepdims: bool) -> Any:
    """A reduction along one axis."""
    if axis > 1:
        inner = x._values
        if isinstance(inner, RaggedTensor):
            return x.with_values(_along(name, inner, axis - 1, keepdims))
        return x.with_values(getattr(reductions, name)(inner, axis - 1, keepdims))
    if isinstance(x._values, RaggedTensor):
        made = _of_rows_of_rows(name, x, axis)
    elif axis:
        made = _BY_SEGMENTS[name](x._values, x.value_rowids(), x.nrows())
    else:
        columns = cast(making.range(shaping.size(x.value_rowids(), int64)), x.row_splits.dtype)
        columns = columns - gather_rows(x.row_starts(), x.value_rowids())
        made = _BY_SEGMENTS[name](x._values, columns, x.bounding_shape(1))
    return expand_dims(made, axis) if keepdims else made


def _of_rows_of_rows(name: str, x: RaggedTensor, axis: int) -> Any:
    """A reduction of rows that are rows: each place of the inner ones with those of the others."""
    inner = x._values
    if isinstance(inner._values, RaggedTensor):
        raise ValueError(f"{name}(axis={axis}) of a RaggedTensor with three ragged dimensions or more: {x.instead}")
    ids = x.value_rowids() if axis else inner_columns(x)
    count = x.nrows() if axis else x.bounding_shape(1)
    longest = maximum(reductions.reduce_max(shaping.concat([[0], cast(inner._lengths(), int64)], 0)), 1)
    of_each = cast(gather_rows(ids, inner.value_rowids()), int64) * longest + cast(inner_columns(inner), int64)
    lengths = unsorted_segment_max(inner._lengths(), ids, count)
    lengths = maximum(lengths, 0)
    whole = _BY_SEGMENTS[name](inner._values, of_each, cast(count, int64) * longest)
    whole = reshape(whole, [count, longest, *making.like_shape(whole)[1:]])
    return RaggedTensor.from_tensor(whole, lengths=lengths, row_splits_dtype=x.row_splits.dtype)


def inner_columns(x: RaggedTensor) -> Tensor:
    """The place of each value in its row."""
    ids = x.value_rowids()
    return making.range(shaping.size(ids, x.row_splits.dtype)) - gather_rows(x.row_starts(), ids)


def _simple(name: str) -> Reduction:
    def function(
        input_tensor: RaggedTensor, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
    ) -> Any:
        return _reduced(reduction, input_tensor, axis, keepdims)

    reduction = function.__name__ = name
    return function


reduce_sum, reduce_prod, reduce_max = map(_simple, ("reduce_sum", "reduce_prod", "reduce_max"))
reduce_min, reduce_any, reduce_all = map(_simple, ("reduce_min", "reduce_any", "reduce_all"))


def cumsum(x: RaggedTensor, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> RaggedTensor:
    """Sums of the elements up to each one along an axis, those that are not there counting for nothing."""
    sums = reductions.cumsum(x.to_tensor(), _axis(axis, len(x.shape)), exclusive, reverse)
    return x.with_flat_values(gather_nd(sums, x._places()))


def reduce_mean(
    input_tensor: RaggedTensor, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
) -> Any:
    if axis is None:
        return _of_all(reductions.reduce_mean, input_tensor, keepdims)
    ones = input_tensor.mapped(making.ones_like)
    total, count = (_reduced("reduce_sum", x, axis, keepdims) for x in (input_tensor, ones))
    return total // count if input_tensor.dtype.is_integer else total / count


def reduce_variance(
    input_tensor: RaggedTensor, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
) -> Any:
    if axis is None:
        return _of_all(reductions.reduce_variance, input_tensor, keepdims)
    squared: Any = input_tensor * input_tensor
    squares = reduce_mean(squared, axis, keepdims)
    mean = reduce_mean(input_tensor, axis, keepdims)
    found = squares - mean * mean
    return found.mapped(_not_negative) if isinstance(found, RaggedTensor) else _not_negative(found)


def _not_negative(x: Tensor) -> Tensor:
    return tensor_where(x < 0, x * 0, x)  # what rounding has left


def reduce_std(
    input_tensor: RaggedTensor, axis: AxisLike = None, keepdims: bool = False, name: str | None = None
) -> Any:
    return reduce_variance(input_tensor, axis, keepdims) ** 0.5


def _of_all(of_tensors: Reduction, x: RaggedTensor, keepdims: bool) -> Tensor:
    made: Tensor = of_tensors(x.flat_values)
    return reshape(made, [1] * len(x.shape)) if keepdims else made


def reduce_join(
    inputs: RaggedTensor,
    axis: AxisLike = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Any:
    rank, given = len(inputs.shape), reductions.axes(axis)
    if given is None:
        return apply(texts.reduce_join, inputs.flat_values, axis=None, keepdims=keepdims, separator=separator.encode())
    (one,) = (given,) if isinstance(given, int) else given
    at = _axis(one, rank)
    if isinstance(inputs._values, RaggedTensor) and at > 1:
        return inputs.with_values(reduce_join(inputs._values, at - 1, keepdims, separator))
    if at != 1 or rank != 2:
        raise ValueError(f"reduce_join(axis={axis}) of a RaggedTensor of shape {inputs.shape}: it takes the innermost")
    texts_ = inputs._values
    if separator:
        texts_ = tensor_where(equal(inner_columns(inputs), 0), texts_, convert_to_tensor(separator) + texts_)
    padded = inputs.with_values(texts_).to_tensor()
    return apply(texts.reduce_join, padded, axis=(1,), keepdims=keepdims, separator=b"")


# Rows together and apart.


def concat(values: Sequence[Any], axis: AxisLike, name: str = "concat") -> Any:
    one = reductions.axes(axis)
    at = _axis(int(one if isinstance(one, int) else one[0]), len(_rank_of(values)))
    rows = _as_rows(values)
    if at == 0:
        return _one_after_another(rows)
    if at > 1:
        first = rows[0]
        return first.with_values(shaping.concat([first.values_beside(other) for other in rows], at - 1))
    counts = [row.nrows() for row in rows]
    for count in counts[1:]:
        require(equal(count, counts[0]), "concat along axis 1 takes as many rows of each", count, counts[0])
    whole = _one_after_another(rows)  # whose rows then come in another order
    numbers = making.range(counts[0])
    order = reshape(shaping.stack([numbers + number * counts[0] for number in range(len(rows))], 1), [-1])
    beside = gather(whole, order)
    splits = gather_rows(beside.row_splits, making.range(counts[0] + 1) * len(rows))
    return RaggedTensor.from_row_splits(beside._values, splits, validate=False)


def _rank_of(values: Sequence[Any]) -> Any:
    return next(value.shape for value in values if isinstance(value, RaggedTensor))


def _as_rows(values: Sequence[Any]) -> list[RaggedTensor]:
    """Tensors and rows as rows of as many ragged dimensions."""
    most = max(value.ragged_rank for value in values if isinstance(value, RaggedTensor))
    kind = next(value.row_splits.dtype for value in values if isinstance(value, RaggedTensor))
    made = [
        value if isinstance(value, RaggedTensor) else RaggedTensor.from_tensor(operand(value), ragged_rank=most)
        for value in values
    ]
    if any(value.ragged_rank != most for value in made):
        shapes = ", ".join(str(value.shape) for value in made)
        raise ValueError(f"RaggedTensors of shapes {shapes}, which differ in how many dimensions are ragged")
    return [value.with_row_splits_dtype(kind) for value in made]


def _one_after_another(rows: Sequence[RaggedTensor]) -> RaggedTensor:
    inner = [row._values for row in rows]
    values = _one_after_another(inner) if isinstance(inner[0], RaggedTensor) else shaping.concat(inner, 0)
    lengths = shaping.concat([row._lengths() for row in rows], 0)
    return RaggedTensor.from_row_lengths(values, lengths, validate=False)


def stack(values: Sequence[Any], axis: int = 0, name: str = "stack") -> Any:
    """Along the first axis a row of rows for each; along another what `concat` makes of rows with one more axis."""
    at = _axis(int(axis), len(_rank_of(values)) + 1)
    rows = _as_rows(values)
    if at:
        return concat([expand_dims(row, at) for row in rows], at)
    counts = shaping.stack([row.nrows() for row in rows])
    return RaggedTensor.from_row_lengths(_one_after_another(rows), counts, validate=False)


def expand_dims(input: Any, axis: AxisLike, name: str | None = None) -> Any:
    if not isinstance(input, RaggedTensor):
        return shaping.expand_dims(input, axis)
    one = reductions.axes(axis)
    at, splits = _axis(int(one), len(input.shape) + 1), input.row_splits
    if at > 1:
        return input.with_values(expand_dims(input._values, at - 1))
    if at == 1:
        ones = making.range(input.nrows() + 1)
        return RaggedTensor.from_row_splits(input, cast(ones, splits.dtype), validate=False)
    ends = shaping.stack([cast(0, splits.dtype), input.nrows()])
    return RaggedTensor.from_row_splits(input, ends, validate=False)


def squeeze(input: Any, axis: AxisLike = None, name: str | None = None) -> Any:
    if not isinstance(input, RaggedTensor):
        return shaping.squeeze(input, axis)
    one = reductions.axes(axis)
    if one is None:
        raise ValueError("squeeze of a RaggedTensor needs an axis")
    at = _axis(int(one if isinstance(one, int) else one[0]), len(input.shape))
    if at > 1:
        return input.with_values(squeeze(input._values, at - 1))
    if at == 0:
        require(equal(input.nrows(), 1), "squeeze(axis=0) of a RaggedTensor takes one row", input.nrows())
        return input._values
    require(reductions.reduce_all(equal(input._lengths(), 1)), "squeeze(axis=1): not all rows have one value")
    return input._values


def tile(input: RaggedTensor, multiples: TensorLike, name: str | None = None) -> Any:
    times = [int(m) for m in np.asarray(multiples)]
    if len(times) != len(input.shape):
        raise ValueError(f"tile by {times} of a RaggedTensor of shape {input.shape}: one number for each dimension")
    inner = times[1:] if isinstance(input._values, RaggedTensor) else [1, *times[2:]]
    made = input
    if any(m != 1 for m in times[2:]):
        of_values: Callable[..., Any] = tile if isinstance(input._values, RaggedTensor) else shaping.tile
        made = input.with_values(of_values(input._values, [1, *inner[1:]]))
    made = concat([made] * times[1], 1) if times[1] != 1 else made
    return concat([made] * times[0], 0) if times[0] != 1 else made


def reverse(tensor: RaggedTensor, axis: AxisLike, name: str | None = None) -> Any:
    one = reductions.axes(axis)
    made = tensor
    for each in (one,) if isinstance(one, int) else one:
        at = _axis(int(each), len(tensor.shape))
        made = made[(*[slice(None)] * at, slice(None, None, -1))]
    return made


def gather(
    params: Any,
    indices: Any,
    validate_indices: bool | None = None,
    axis: int | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Any:
    """Rows at indices; of a tensor, at indices in rows; with `batch_dims=1` values of each row at indices in it."""
    if batch_dims not in (0, 1) or axis not in (None, batch_dims):
        raise ValueError(f"gather with axis={axis}, batch_dims={batch_dims} of a RaggedTensor: {RaggedTensor.instead}")
    if batch_dims:
        return _of_each_row(params, indices)
    if isinstance(indices, RaggedTensor):
        return indices.mapped(lambda places: gather(params, places))
    places = operand(indices)
    if not isinstance(params, RaggedTensor):
        return gather_rows(params, places)
    count = params.nrows()
    inside = reductions.reduce_all((places >= 0) & (cast(places, count.dtype) < count))
    require(inside, "gather: an index is no number of a row", places, count)
    if places.shape.rank == 0:
        return params[places]
    if places.shape.rank == 1:
        starts, lengths = gather_rows(params.row_starts(), places), gather_rows(params._lengths(), places)
        return params._picked(starts, lengths, 1)
    sizes = making.like_shape(places)
    flat = gather(params, reshape(places, [-1]))
    for size in reversed(sizes[1:]):
        lengths = making.fill([flat.nrows() // cast(size, flat.row_splits.dtype)], cast(size, flat.row_splits.dtype))
        flat = RaggedTensor.from_row_lengths(flat, lengths, validate=False)
    return flat


def _of_each_row(params: Any, indices: Any) -> Any:
    rows = params if isinstance(params, RaggedTensor) else RaggedTensor.from_tensor(operand(params))
    if not isinstance(indices, RaggedTensor):
        given = operand(indices)
        at = rows.row_starts()
        if given.shape.rank == 1:
            return gather(rows._values, cast(given, at.dtype) + at)
        return gather(rows._values, cast(given, at.dtype) + shaping.expand_dims(at, 1))
    ids = indices.value_rowids()
    places = cast(indices._values, rows.row_splits.dtype)
    lengths = cast(gather_rows(rows._lengths(), ids), places.dtype)
    require(reductions.reduce_all((places >= 0) & (places < lengths)), "gather: an index is not in its row", places)
    return indices.with_values(gather(rows._values, places + gather_rows(rows.row_starts(), ids)))


def boolean_mask(tensor: Any, mask: Any, axis: int | None = None, name: str = "boolean_mask") -> Any:
    """Values where a mask of the same rows holds, in their rows; or the rows for which a mask of rank 1 holds."""
    if not isinstance(mask, RaggedTensor):
        given = operand(mask)
        if isinstance(tensor, RaggedTensor) and given.shape.rank == 1:
            return gather(tensor, reshape(tensor_where(given), [-1]))
        mask = RaggedTensor.from_tensor(given)
    data = tensor if isinstance(tensor, RaggedTensor) else RaggedTensor.from_tensor(operand(tensor))
    held = data.values_beside(mask)
    if isinstance(held, RaggedTensor):
        return data.with_values(boolean_mask(data._values, held))
    lengths = unsorted_segment_sum(cast(held, data.row_splits.dtype), data.value_rowids(), data.nrows())
    kept = gather(data._values, reshape(tensor_where(held), [-1]))
    return RaggedTensor.from_row_lengths(kept, lengths, validate=False)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    if x is None and y is None:
        held = condition.flat_values
        return gather_rows(condition._places(), reshape(tensor_where(held), [-1]))
    if x is None or y is None:
        raise ValueError("where takes both x and y, or neither")
    if not isinstance(condition, RaggedTensor):
        first = x if isinstance(x, RaggedTensor) else y
        given = operand(condition)
        if given.shape.rank == 0:
            condition = first.mapped(lambda v: making.ones_like(v, bool_)) & given
        else:
            parts = _as_rows([x, y])
            numbers = making.range(parts[0].nrows())
            return gather(_one_after_another(parts), tensor_where(given, numbers, numbers + parts[0].nrows()))

    def beside(value: Any) -> Any:
        if isinstance(value, RaggedTensor):
            for _ in range(value.ragged_rank):
                value = value._values
        return value

    for value in (x, y):
        if isinstance(value, RaggedTensor):
            condition._combined(lambda a, b: a, value)  # which checks that the rows go together
    return condition.mapped(lambda held: tensor_where(held, beside(x), beside(y)))


def size(input: RaggedTensor, out_type: DTypeLike = int32, name: str | None = None) -> Tensor:
    return shaping.size(input.flat_values, out_type)


def strings_join(join: Callable[..., Tensor], inputs: Sequence[Any], separator: str) -> Any:
    """Texts put together, of rows of the same lengths, and numbers of texts beside them."""
    made = inputs[0]
    for other in inputs[1:]:
        if isinstance(made, RaggedTensor):
            made = made._combined(lambda a, b: join([a, b], separator), other)
        elif isinstance(other, RaggedTensor):
            made = other._combined(lambda a, b: join([a, b], separator), made, True)
        else:
            made = join([made, other], separator)
    return made


def ngrams(
    of_tensors: Callable[..., Tensor],
    data: RaggedTensor,
    width: int | Sequence[int],
    separator: str,
    pad_values: str | tuple[str, str] | None,
    padding_width: int | None,
    preserve_short_sequences: bool,
) -> Any:
    """Those of each row."""
    if isinstance(data._values, RaggedTensor):
        options = (width, separator, pad_values, padding_width, preserve_short_sequences)
        return data.with_values(ngrams(of_tensors, data._values, *options))
    widths = [width] if isinstance(width, int) else [*width]
    pads = (pad_values, pad_values) if pad_values is None or isinstance(pad_values, str) else pad_values
    if preserve_short_sequences:
        raise ValueError("ngrams of a RaggedTensor with preserve_short_sequences=True: loop over the rows")
    made = []
    for n in widths:
        count = 0 if pad_values is None else min(n - 1, n if padding_width is None else padding_width)
        sides = [making.fill([data.nrows(), count], text) for text in pads if text is not None]
        whole = concat([*sides[:1], data, *sides[1:]], 1) if count else data
        lengths = maximum(whole._lengths() - (n - 1), 0)
        columns = [whole._picked(whole.row_starts() + at, lengths, 1)._values for at in range(n)]
        joined = columns[0]
        for column in columns[1:]:
            joined = joined + convert_to_tensor(separator) + column
        made.append(RaggedTensor.from_row_lengths(joined, lengths, validate=False))
    return concat(made, 1) if len(made) > 1 else made[0]


def ragged_stack(parts: Sequence[Any], splits: DTypeLike) -> RaggedTensor:
    """Tensors or rows of one rank as the rows of one, with splits of a dtype."""
    rows = [part if isinstance(part, RaggedTensor) else operand(part) for part in parts]
    if isinstance(rows[0], RaggedTensor):
        return stack(rows).with_row_splits_dtype(splits)  # type: ignore[no-any-return]
    lengths = shaping.stack([shaping.shape(row, as_dtype(splits))[0] for row in rows])
    if rows[0].shape.rank == 1:
        return RaggedTensor.from_row_lengths(shaping.concat(rows, 0), lengths, validate=False)
    inner = [RaggedTensor.from_tensor(row, ragged_rank=len(row.shape) - 1) for row in rows]
    return stack(inner).with_row_splits_dtype(splits)  # type: ignore[no-any-return]


def ragged_range(
    starts: TensorLike,
    limits: TensorLike | None = None,
    deltas: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = int64,
) -> RaggedTensor:
    """Rows of numbers, each as `tf.range` has them.

    Args:
      starts, limits, deltas: numbers, or tensors of shape [rows]: where each row begins, where it ends, and by how much
        its numbers grow; with one alone, where it ends.
      dtype: the dtype of the numbers.
      row_splits_dtype: int32 or int64.
    Returns: a RaggedTensor of shape [rows, None].
    Raises:
      ValueError: for tensors of a higher rank.

    >>> tf.ragged.range([2, 0, 3])
    <tf.RaggedTensor [[0, 1], [], [0, 1, 2]]>
    >>> tf.ragged.range([0, 5], [3, 11], [1, 2])
    <tf.RaggedTensor [[0, 1, 2],
     [5, 7, 9]]>
    """
    first, last = (cast(0, operand(starts).dtype), starts) if limits is None else (starts, limits)
    given = [operand(x) if dtype is None else convert_to_tensor(x, dtype) for x in (first, last, deltas)]
    kind = as_dtype(row_splits_dtype)
    if any(x.shape.rank not in (0, 1) for x in given):
        raise ValueError("ragged.range takes numbers, or tensors of rank 1")
    dtypes = [x.dtype for x in given if not x.type.weak] or [given[0].dtype]
    begin, end, step = (cast(x, dtypes[0]) for x in given)
    zeros = (begin + end + step) * cast(0, dtypes[0])
    begin, end, step = (shaping.reshape(x + zeros, [-1]) for x in (begin, end, step))
    counts = cast(-((begin - end) // step), kind)
    counts = maximum(counts, 0)
    made = RaggedTensor.from_row_lengths(repeat(begin, counts), counts, validate=False)
    steps = cast(inner_columns(made), begin.dtype) * repeat(step, counts)
    return made.with_values(made._values + steps)
