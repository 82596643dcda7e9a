"""Parts of tensors: picked, replaced, repeated and put in order, by TensorFlow's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.graph.dtypes import as_dtype, int32
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import axis_of
from runtime.ops import indexing, shape as ops
from runtime.tensors import making
from runtime.tensors.conversion import (
    cast,
    index_parts,
    operand,
    promote,
    static_value,
)
from runtime.tensors.mathematics import logical_and
from runtime.tensors.operations import apply
from runtime.tensors.shaping import (
    broadcast_to,
    concat,
    listed_shape,
    not_negative,
    of_size,
    require,
    reshape,
    reverse,
    transpose,
    unknown_yet,
)
from runtime.tensors.tensor import Tensor


def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Any:
    """Each element repeated `repeats` times, or as often as its number in a list says."""
    x, times = operand(input), static_value(repeats)
    if times is None:
        raise unknown_yet("repeat: `repeats` must be known while tracing")
    if np.any(times < 0):
        raise ValueError("repeats may not contain negative values.")
    if times.size == 1:
        return apply(ops.repeat, x, repeats=int(times.item()), axis=axis)
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    at = axis_of(axis, len(x.shape))
    of_size(x, at, len(times), "repeat")
    return gather(x, np.repeat(np.arange(len(times)), times), axis=at)


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None) -> Any:
    """A border around the tensor: ``paddings[axis] = (before, after)``.

    `mode` is ``"CONSTANT"``, or ``"REFLECT"`` or ``"SYMMETRIC"`` for what a mirror would show, without or with the
    elements at the edge; these need a known shape.
    """
    x, pairs = operand(tensor), static_value(paddings)
    if pairs is None:
        raise unknown_yet("pad: `paddings` must be known while tracing")
    pairs = tuple((int(a), int(b)) for a, b in pairs)
    if x.shape.rank not in (None, len(pairs)) or any(min(pair) < 0 for pair in pairs):
        raise InvalidArgumentError(f"pad of {x} by {pairs}: a pair of numbers, none negative, for each axis is wanted")
    how = mode.lower()
    if not pairs:
        return reshape(x, ())  # a scalar
    if how == "constant":
        value = static_value(constant_values)
        if value is None:
            raise unknown_yet("pad: `constant_values` must be known while tracing")
        number = np.asarray(value).astype(x.dtype.dtype).item()
        return apply(ops.pad, x, paddings=pairs, value=number)
    if how not in ("reflect", "symmetric"):
        raise ValueError(f"pad with mode {mode!r}: it is 'CONSTANT', 'REFLECT' or 'SYMMETRIC'")
    for axis, (pair, size) in enumerate(zip(pairs, x.shape)):
        if not any(pair):
            continue
        if size is None:
            raise unknown_yet(f"pad of {x} along axis {axis}: {mode} needs a size that is known while tracing")
        if max(pair) > size - (how == "reflect"):
            raise InvalidArgumentError(f"pad of {x} by {pair} along axis {axis}: {mode} has no so many elements")
        mirrored: Any = how
        x = gather(x, np.pad(np.arange(size), pair, mirrored), axis=axis)
    return x


def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: int | None = None, batch_dims: int = 0,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The parts of `params` at `indices` along an axis. Raises InvalidArgumentError for an index outside, when run.

    The first `batch_dims` axes of both go together. `validate_indices` says nothing here: all are checked.
    """
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


def _numbers_along(indices: Tensor, count: int) -> list[Any]:
    """For each of the first axes, the position along it, in the shape of indices that it goes together with."""
    dims, rank = [*indices.shape], len(indices.shape)
    return [making.range(dims[i])[(..., *[None] * (rank - 1 - i))] for i in range(count)]


def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Any:
    """The parts of `params` at index vectors (the last axis of `indices`); the first `batch_dims` axes go together."""
    x, where = operand(params), operand(indices)
    if batch_dims:
        batch = axis_of(batch_dims, len(where.shape))
        dims = [*where.shape[:-1], 1]
        along = [cast(broadcast_to(n, dims), where.dtype) for n in _numbers_along(where, batch)]
        where = concat([*along, where], -1)
    return apply(indexing.gather_nd, x, where)


def boolean_mask(tensor: Any, mask: Any, axis: int | None = None, name: str = "boolean_mask") -> Any:
    """The elements where the mask is true."""
    return apply(indexing.boolean_mask, operand(tensor), operand(mask), axis=int(axis or 0))


def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """A copy of the tensor with the parts at index vectors replaced."""
    x, new = promote([operand(tensor), operand(updates)])
    return apply(indexing.scatter, x, operand(indices), new, how="set")


def tensor_scatter_nd_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """A copy of the tensor with `updates` added to the parts at index vectors."""
    x, new = promote([operand(tensor), operand(updates)])
    return apply(indexing.scatter, x, operand(indices), new, how="add")


def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """A part that starts at `begin` and has the given size (-1: up to the end); it must lie inside."""
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


def with_item(tensor: Any, index: Any, value: Any) -> Any:
    """A copy of the tensor with a part replaced: what ``tensor[index] = value`` would make of an array."""
    x = operand(tensor)
    parts, given = index_parts(index)
    new = cast(operand(value), x.dtype)
    return apply(indexing.setitem, x, new, *given, index=parts, how="set")


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """The elements along an axis in order, NaN behind all numbers; ``"DESCENDING"`` is the other way round."""
    result = apply(indexing.sort, operand(values), axis=axis)
    return reverse(result, axis) if _descends(direction) else result


def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Any:
    """The indices that sort an axis as `sort` does; equal elements keep their order, `stable` or not."""
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
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = int32, name: str | None = None
) -> Any:
    """Where values would go in a sorted sequence, on the ``"left"`` or ``"right"`` of equal elements."""
    if side not in ("left", "right"):
        raise ValueError(f"side={side!r}: it is 'left' or 'right'")
    found = apply(indexing.searchsorted, *promote([operand(sorted_sequence), operand(values)]), side=side)
    return cast(found, out_type)


def top_k(input: Any, k: int = 1, sorted: bool = True, name: str | None = None) -> Any:
    """The `k` largest elements along the last axis, and their indices; in order, whether or not it is asked for."""
    x, k = operand(input), not_negative(k, "top_k", "k")
    if not len(x.shape):
        raise InvalidArgumentError("top_k of a scalar: it has no axis")
    size = x.shape[-1]
    if isinstance(size, int) and size < k:
        raise InvalidArgumentError(f"top_k of {x}: there are no {k} elements along its last axis")
    return apply(indexing.top_k, x, k=k)


def unique(x: Any, out_idx: Any = int32, name: str | None = None) -> Any:
    """The distinct elements in order of appearance, and for each element its index among them."""
    return apply(indexing.unique, operand(x), dtype=as_dtype(out_idx))
