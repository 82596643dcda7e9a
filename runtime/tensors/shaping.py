"""Making tensors, changing their shape, reading and updating their parts, by TensorFlow's names."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.graph.dtypes import DType, as_dtype, bool_, float32, int32, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.op import Op
from runtime.graph.shapes import axis_of
from runtime.ops import effects, elementwise as ew, indexing, shape as ops
from runtime.tensors.conversion import (
    cast,
    constant,
    convert_to_tensor,
    dimensions,
    index_parts,
    of_dtype,
    operand,
    promote,
    result_dtype,
    static_value,
)
from runtime.tensors.growing import contents, has_grown
from runtime.tensors.mathematics import axes, conj, logical_and
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import current


def _shaped(op: Op, x: Any, shape: Any) -> Any:
    dims, given = dimensions(shape)
    return apply(op, x, *given, shape=dims)


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    """A tensor of this shape with every element equal to `value`."""
    return _shaped(ops.fill, operand(value), dims)


def _full(shape: Any, value: Any, dtype: Any) -> Any:
    kind = as_dtype(dtype)
    element = _element(value, kind)
    dims, given = dimensions(shape)
    if not given and current() is None:
        return EagerTensor(np.full(dims, element, kind.dtype))
    return apply(ops.fill, EagerTensor(element), *given, shape=dims)


def _element(value: Any, kind: DType) -> Any:
    return np.array(b"" if kind == string else value, kind.dtype)


def zeros(shape: Any, dtype: Any = float32, name: str | None = None) -> Any:
    """Zeros (empty strings for the string dtype)."""
    return _full(shape, 0, dtype)


def ones(shape: Any, dtype: Any = float32, name: str | None = None) -> Any:
    """Ones."""
    return _full(shape, 1, dtype)


def _like(x: Any, dtype: Any, value: int) -> Any:
    x = operand(x)
    kind = as_dtype(dtype) if dtype is not None else x.dtype
    return filled_like(x, EagerTensor(_element(value, kind)))


def filled_like(x: Tensor, value: Tensor) -> Any:
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


def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros of the shape (and dtype) of another tensor."""
    return _like(input, dtype, 0)


def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones of the shape (and dtype) of another tensor."""
    return _like(input, dtype, 1)


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = float32, name: str | None = None
) -> Any:
    """The identity matrix; as many of them as fill `batch_shape`, if it is given."""
    rows = not_negative(num_rows, "eye", "num_rows")
    columns = rows if num_columns is None else not_negative(num_columns, "eye", "num_columns")
    made = apply(ops.eye, rows=rows, columns=columns, dtype=as_dtype(dtype))
    if batch_shape is None:
        return made
    return broadcast_to(made, [*_listed_shape(batch_shape), rows, columns])


def _listed_shape(shape: Any) -> list[Any]:
    """A shape argument as a list of ints and scalar tensors."""
    dims, given = dimensions(shape)
    rest = iter(given)
    return [next(rest) if d is None else d for d in dims]


def not_negative(value: Any, function: str, parameter: str) -> int:
    """A size that must be known while tracing."""
    size = int(value)
    if size < 0:
        raise InvalidArgumentError(f"{function} with {parameter}={size}: it must not be negative")
    return size


def require(holds: Any, message: str, *values: Any) -> None:
    """Raise InvalidArgumentError unless a condition holds, at once or when the graph runs."""
    known = static_value(holds) if isinstance(holds, Tensor) else holds
    if known is None:
        apply(effects.assert_, holds, *values, message=message, python=False)
    elif not np.all(known):
        raise InvalidArgumentError(message)


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Any:
    """Numbers from `start` (0 by default) up to but not including `limit`, `delta` apart, which must not be 0."""
    return numbers(start, limit, delta, dtype)


def numbers(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, python: bool = False) -> Any:
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
        start, limit, delta = (v.item() for v in values)
        count = len(ops.arange(start, limit, delta, kind.dtype))
    return apply(ops.range_, *parts, count=count, dtype=kind, python=python)


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float) and not isinstance(value, np.generic) else operand(value)


def linspace(start: Any, stop: Any, num: int, name: str | None = None, axis: int = 0) -> Any:
    """`num` numbers from `start` to `stop`, both included; of tensors, along a new axis."""
    a, b = promote([operand(start), operand(stop)])
    if not a.dtype.is_floating:
        a, b = cast(a, "float64"), cast(b, "float64")
    return apply(ops.linspace, a, b, num=not_negative(num, "linspace", "num"), axis=int(axis))


def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: Any = None, dtype: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A new axis (the last by default) of `depth` elements: `on_value` at each index, elsewhere `off_value`."""
    depth = not_negative(depth, "one_hot", "depth")
    if on_value is None and off_value is None:
        result = apply(ops.one_hot, operand(indices), depth=depth, dtype=as_dtype(dtype or float32))
    else:
        both = [1 if on_value is None else on_value, 0 if off_value is None else off_value]
        if dtype is None and not builtins.any(isinstance(v, Tensor | np.ndarray | np.generic) for v in both):
            dtype = operand(both).dtype
        on, off = promote(both) if dtype is None else (cast(v, dtype) for v in both)
        hot = apply(ops.one_hot, operand(indices), depth=depth, dtype=bool_)
        result = apply(ew.where, hot, on, off)
    if axis is None or axis == -1:
        return result
    rank = len(result.shape)
    order = [*builtins.range(rank - 1)]
    order.insert(axis_of(int(axis), rank), rank - 1)
    return transpose(result, order)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The same elements in another shape; one dimension may be -1. Raises ValueError if they do not fill it."""
    return _shaped(ops.reshape, operand(tensor), shape)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """The tensor repeated along axes of size 1 to fill a shape."""
    return _shaped(ops.broadcast_to, operand(input), shape)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Any:
    """The axes in the order `perm`, reversed by default; with `conjugate`, of the complex conjugate."""
    made = apply(ops.transpose, operand(a), axes=None if perm is None else axes(perm))
    return conj(made) if conjugate and made.dtype.is_complex else made


def expand_dims(input: Any, axis: int, name: str | None = None) -> Any:
    """A new axis of size 1."""
    return apply(ops.expand_dims, operand(input), axis=int(axis))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Axes of size 1 removed."""
    where = axes(axis)
    return apply(ops.squeeze, operand(input), axis=(where,) if isinstance(where, int) else where)


def concat(values: Any, axis: int, name: str = "concat") -> Any:
    """Tensors joined along an axis."""
    if isinstance(values, Tensor):
        return values
    return apply(ops.concat, *promote([operand(v) for v in values]), axis=int(axis))


def stack(values: Any, axis: int = 0, name: str = "stack") -> Any:
    """Tensors of one shape joined along a new axis."""
    values = contents(values)
    if has_grown(values):  # a list that has grown in a graph
        values = values.stacked()
    if isinstance(values, Tensor):
        rank = len(values.shape)
        order = [*builtins.range(1, rank)]
        order.insert(axis_of(int(axis), rank), 0)
        return values if order == [*builtins.range(rank)] else transpose(values, order)
    if not len(values):
        raise ValueError("stack needs at least one tensor")
    return apply(ops.stack, *promote([operand(v) for v in values]), axis=int(axis))


def _unknown(problem: str) -> InvalidArgumentError:
    """The error about what is not known while tracing, which no clause of the program may swallow."""
    return refused(InvalidArgumentError(problem))


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    """The parts along an axis, as a list. Raises ValueError where the number is unknown and not given."""
    x = operand(value)
    at = axis_of(int(axis), len(x.shape))
    count = num if num is not None else x.shape.as_list()[at]
    if count is None:
        raise _unknown(f"unstack of {x} along axis {axis}: its size is known only when the graph runs; give `num`")
    _of_size(x, at, count, "unstack")
    before = (slice(None),) * at
    return [x[(*before, i)] for i in builtins.range(count)]


def split(value: Any, num_or_size_splits: Any, axis: int = 0, num: int | None = None, name: str = "split") -> list[Any]:
    """A tensor cut along an axis into so many equal parts, or into parts of these sizes."""
    x = operand(value)
    at = axis_of(int(axis), len(x.shape))
    size = x.shape.as_list()[at]
    parts = static_value(num_or_size_splits)
    if parts is None:
        raise _unknown("split: the number or the sizes of the parts must be known while tracing")
    if parts.ndim == 0:
        count = int(parts)
        if size is None:
            raise _unknown(f"split of {x} along axis {at}: its size must be known while tracing")
        if count < 1 or size % count:
            raise ValueError(f"split of {x} along axis {at}: size {size} is not {count} equal parts")
        sizes = [size // count] * count
    else:
        sizes = [int(n) for n in parts]
        if sizes.count(-1) == 1 and size is not None:
            sizes[sizes.index(-1)] = size - sum(n for n in sizes if n != -1)
        if min(sizes, default=0) < 0:
            raise ValueError(f"split of {x} along axis {at}: size {size} is not {list(parts)}")
        _of_size(x, at, sum(sizes), "split")
    if num is not None and num != len(sizes):
        raise ValueError(f"split into {len(sizes)} parts: num={num}")
    ends = np.cumsum(sizes, dtype=int).tolist()
    before = (slice(None),) * at
    return [x[(*before, slice(start, end))] for start, end in zip([0, *ends], ends)]


def _of_size(x: Tensor, axis: int, size: int, function: str) -> None:
    """Raise ValueError, at once or when the graph runs, unless an axis has this size."""
    known = x.shape.as_list()[axis]
    message = f"{function} of {x} along axis {axis}: its size is not {size}"
    require(known == size if known is not None else x.shape[axis] == size, message)


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """The tensor repeated so many times along each axis."""
    x, times = operand(input), axes(multiples)
    times = (times,) if isinstance(times, int) else tuple(times)
    if x.shape.rank not in (None, len(times)):
        raise InvalidArgumentError(f"tile of {x} by {times}: one number for each of {x.shape.rank} axes is wanted")
    return apply(ops.tile, x, multiples=tuple(not_negative(n, "tile", "multiples") for n in times))


def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Any:
    """Each element repeated `repeats` times, or as often as its number in a list says."""
    x, times = operand(input), static_value(repeats)
    if times is None:
        raise _unknown("repeat: `repeats` must be known while tracing")
    if np.any(times < 0):
        raise ValueError("repeats may not contain negative values.")
    if times.size == 1:
        return apply(ops.repeat, x, repeats=int(times.item()), axis=axis)
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    at = axis_of(axis, len(x.shape))
    _of_size(x, at, len(times), "repeat")
    return gather(x, np.repeat(np.arange(len(times)), times), axis=at)


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None) -> Any:
    """A border around the tensor: ``paddings[axis] = (before, after)``.

    `mode` is ``"CONSTANT"``, or ``"REFLECT"`` or ``"SYMMETRIC"`` for what a mirror would show, without or with the
    elements at the edge; these need a known shape.
    """
    x, pairs = operand(tensor), static_value(paddings)
    if pairs is None:
        raise _unknown("pad: `paddings` must be known while tracing")
    pairs = tuple((int(a), int(b)) for a, b in pairs)
    if x.shape.rank not in (None, len(pairs)) or builtins.any(min(pair) < 0 for pair in pairs):
        raise InvalidArgumentError(f"pad of {x} by {pairs}: a pair of numbers, none negative, for each axis is wanted")
    how = mode.lower()
    if not pairs:
        return reshape(x, ())  # a scalar
    if how == "constant":
        value = static_value(constant_values)
        if value is None:
            raise _unknown("pad: `constant_values` must be known while tracing")
        number = np.asarray(value).astype(x.dtype.dtype).item()
        return apply(ops.pad, x, paddings=pairs, value=number)
    if how not in ("reflect", "symmetric"):
        raise ValueError(f"pad with mode {mode!r}: it is 'CONSTANT', 'REFLECT' or 'SYMMETRIC'")
    for axis, (pair, size) in enumerate(zip(pairs, x.shape)):
        if not builtins.any(pair):
            continue
        if size is None:
            raise _unknown(f"pad of {x} along axis {axis}: {mode} needs a size that is known while tracing")
        if max(pair) > size - (how == "reflect"):
            raise InvalidArgumentError(f"pad of {x} by {pair} along axis {axis}: {mode} has no so many elements")
        mirrored: Any = how
        x = gather(x, np.pad(np.arange(size), pair, mirrored), axis=axis)
    return x


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """The elements along the axes (all, for None) in reverse order."""
    x = operand(tensor)
    return apply(ops.reverse, x, axis=tuple(builtins.range(len(x.shape))) if axis is None else axes(axis))


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Any:
    """The elements shifted along the axes; what falls off comes back at the other end."""
    return apply(ops.roll, operand(input), shift=axes(shift), axis=axes(axis))


def identity(input: Any, name: str | None = None) -> Any:
    """The tensor itself, as a new tensor."""
    return apply(ops.identity, convert_to_tensor(input))


def shape(input: Any, out_type: Any = int32, name: str | None = None) -> Any:
    """The shape as a tensor of rank 1."""
    x, kind = operand(input), as_dtype(out_type)
    known = x.shape
    if known.is_fully_defined():
        return constant(np.array(list(known), kind.dtype))
    return apply(ops.shape, x, dtype=kind)


def size(input: Any, out_type: Any = int32, name: str | None = None) -> Any:
    """The number of elements."""
    x, kind = operand(input), as_dtype(out_type)
    known = x.shape
    if known.is_fully_defined():
        return constant(np.array(known.num_elements(), kind.dtype))
    return apply(ops.size, x, dtype=kind)


def rank(input: Any, name: str | None = None) -> Any:
    """The number of axes."""
    x = operand(input)
    return constant(np.int32(len(x.shape))) if x.shape.rank is not None else apply(ops.rank, x, dtype=int32)


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
    middle = [*builtins.range(batch, at)]
    x = transpose(x, [*builtins.range(batch), at, *middle, *builtins.range(at + 1, len(x.shape))])
    x = x[(*_numbers_along(where, batch), where)]
    rank, new = len(where.shape), len(where.shape) - batch
    moved = [*builtins.range(rank, rank + len(middle))]
    kept = [*builtins.range(batch), *moved, *builtins.range(batch, batch + new)]
    return transpose(x, [*kept, *builtins.range(rank + len(middle), len(x.shape))]) if middle else x


def _numbers_along(indices: Tensor, count: int) -> list[Any]:
    """For each of the first axes, the position along it, in the shape of indices that it goes together with."""
    dims, rank = [*indices.shape], len(indices.shape)
    return [range(dims[i])[(..., *[None] * (rank - 1 - i))] for i in builtins.range(count)]


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
    starts, sizes = _listed_shape(begin), _listed_shape(size)
    if not len(starts) == len(sizes) == len(x.shape):
        raise InvalidArgumentError(f"slice of {x}: a begin and a size are wanted for each of {len(x.shape)} axes")
    for start, count, whole in zip(starts, sizes, like_shape(x)):
        rest = isinstance(count, int) and count == -1
        end = whole if rest else start + count
        message = f"slice of {x}: begin {start} and size {count} do not lie in an axis of {whole}"
        known = builtins.all(isinstance(v, int) for v in (start, end, whole))
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


def linalg_diag(diagonal: Any, name: str | None = None) -> Any:
    """The matrix with this diagonal; of a tensor, one for each vector of its last axis."""
    x = operand(diagonal)
    if len(x.shape) == 1:
        return apply(ops.diag, x)
    along = range(x.shape[-1])
    return apply(ew.where, along[:, None] == along, x[..., None], EagerTensor(np.zeros((), x.dtype.dtype)))


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """The tensor, checked to be compatible with a shape."""
    tensor = operand(x)
    return apply(ops.ensure_shape, tensor, shape=tensor.shape.merge_with(shape).dims)
