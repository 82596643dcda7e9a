"""Making tensors, changing their shape, reading and updating their parts, by TensorFlow's names."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from runtime.control.choices import contents
from runtime.conversion import (
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
from runtime.dtypes import as_dtype, float32, int32, string
from runtime.mathematics import axes
from runtime.ops import indexing
from runtime.ops import shape as ops
from runtime.ops.op import Op
from runtime.shapes import product
from runtime.tensor import EagerTensor, Tensor
from runtime.trace import apply, current


def _shaped(op: Op, x: Any, shape: Any) -> Any:
    dims, given = dimensions(shape)
    return apply(op, x, *given, shape=dims)


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    """A tensor of this shape with every element equal to `value`."""
    return _shaped(ops.fill, operand(value), dims)


def _full(shape: Any, value: Any, dtype: Any) -> Any:
    kind = as_dtype(dtype)
    element = np.array(b"" if kind == string else value, kind.dtype)
    dims, given = dimensions(shape)
    if not given and current() is None:
        return EagerTensor(np.full(dims, element, kind.dtype))
    return apply(ops.fill, EagerTensor(element), *given, shape=dims)


def zeros(shape: Any, dtype: Any = float32, name: str | None = None) -> Any:
    """Zeros (empty strings for the string dtype)."""
    return _full(shape, 0, dtype)


def ones(shape: Any, dtype: Any = float32, name: str | None = None) -> Any:
    """Ones."""
    return _full(shape, 1, dtype)


def _like(x: Any, dtype: Any, value: int) -> Any:
    x = operand(x)
    kind = as_dtype(dtype) if dtype is not None else x.dtype
    known = x.shape
    return _full(known if known.is_fully_defined() else _dynamic_shape(x), value, kind)


def _dynamic_shape(x: Tensor) -> list[Any]:
    return [d if d is not None else _length(x, i) for i, d in enumerate(x.shape)]


def _length(x: Tensor, axis: int) -> Any:
    return apply(ops.length, x, axis=axis, dtype=int32)


def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros of the shape (and dtype) of another tensor."""
    return _like(input, dtype, 0)


def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones of the shape (and dtype) of another tensor."""
    return _like(input, dtype, 1)


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = float32, name: str | None = None
) -> Any:
    """The identity matrix."""
    rows = int(num_rows)
    return apply(ops.eye, rows=rows, columns=rows if num_columns is None else int(num_columns), dtype=as_dtype(dtype))


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Any:
    """Numbers from `start` (0 by default) up to but not including `limit`, `delta` apart."""
    if limit is None:
        start, limit = 0, start
    given = [start, limit, delta]
    kind = as_dtype(dtype) if dtype is not None else result_dtype([_plain(v) for v in given])
    if kind is None:
        kind = operand(sum(v for v in given if not isinstance(v, Tensor))).dtype
        if builtins.any(isinstance(v, Tensor) and v.dtype.is_floating for v in given):
            kind = float32
    parts = [of_dtype(operand(v), kind) for v in given]
    values = [static_value(p) for p in parts]
    count = None
    if builtins.all(v is not None for v in values):
        count = len(np.arange(*(v.item() for v in values)))
    return apply(ops.range_, *parts, count=count, dtype=kind)


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float) and not isinstance(value, np.generic) else operand(value)


def linspace(start: Any, stop: Any, num: int, name: str | None = None, axis: int = 0) -> Any:
    """`num` numbers from `start` to `stop`, both included."""
    a, b = promote([operand(start), operand(stop)])
    if not a.dtype.is_floating:
        a, b = cast(a, "float64"), cast(b, "float64")
    return apply(ops.linspace, a, b, num=int(num))


def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: Any = None, dtype: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Rows of zeros with a one at each index."""
    kind = as_dtype(dtype) if dtype is not None else float32
    result = apply(ops.one_hot, operand(indices), depth=int(depth), dtype=kind)
    if on_value is None and off_value is None:
        return result
    on, off = 1 if on_value is None else on_value, 0 if off_value is None else off_value
    return result * (on - off) + off


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The same elements in another shape; one dimension may be -1. Raises ValueError if they do not fill it."""
    return _shaped(ops.reshape, operand(tensor), shape)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """The tensor repeated along axes of size 1 to fill a shape."""
    return _shaped(ops.broadcast_to, operand(input), shape)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Any:
    """The axes in the order `perm`; reversed by default."""
    return apply(ops.transpose, operand(a), axes=None if perm is None else axes(perm))


def matrix_transpose(a: Any, name: str | None = None) -> Any:
    """The last two axes exchanged."""
    x = operand(a)
    rank = len(x.shape)
    return apply(ops.transpose, x, axes=(*builtins.range(rank - 2), rank - 1, rank - 2))


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
    if getattr(values, "rows", None) is not None:  # a list that has grown in a graph
        values = values.stacked()
    if isinstance(values, Tensor):
        return values if axis == 0 else transpose(values)
    if not len(values):
        raise ValueError("stack needs at least one tensor")
    return apply(ops.stack, *promote([operand(v) for v in values]), axis=int(axis))


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    """The parts along an axis, as a list. Raises ValueError where the number is unknown and not given."""
    x = operand(value)
    count = num if num is not None else x.shape[axis]
    if count is None:
        raise ValueError(f"unstack of {x} along axis {axis}: its size is known only when the graph runs; give `num`")
    before = (slice(None),) * (axis % len(x.shape))
    return [x[(*before, i)] for i in builtins.range(count)]


def split(value: Any, num_or_size_splits: Any, axis: int = 0, num: int | None = None, name: str = "split") -> list[Any]:
    """A tensor cut along an axis into so many equal parts, or into parts of these sizes."""
    x = operand(value)
    at = int(axis) % len(x.shape)
    if isinstance(num_or_size_splits, int):
        size = x.shape[at]
        if size is None or size % num_or_size_splits:
            raise ValueError(f"split of {x} along axis {at}: size {size} is not {num_or_size_splits} equal parts")
        sizes = [size // num_or_size_splits] * num_or_size_splits
    else:
        sizes = [int(s) for s in np.asarray(num_or_size_splits)]
        if -1 in sizes:
            sizes[sizes.index(-1)] = (x.shape[at] or 0) - sum(s for s in sizes if s != -1)
    ends = np.cumsum(sizes).tolist()
    before = (slice(None),) * at
    return [x[(*before, slice(end - size, end))] for end, size in zip(ends, sizes)]


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """The tensor repeated so many times along each axis."""
    times = axes(multiples)
    return apply(ops.tile, operand(input), multiples=(times,) if isinstance(times, int) else times)


def repeat(input: Any, repeats: int, axis: int | None = None, name: str | None = None) -> Any:
    """Each element repeated."""
    return apply(ops.repeat, operand(input), repeats=int(repeats), axis=axis)


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None) -> Any:
    """A border around the tensor: ``paddings[axis] = (before, after)``."""
    if mode.upper() != "CONSTANT":
        raise NotImplementedError(f"pad with mode {mode!r}; only 'CONSTANT' is there")
    pairs = tuple((int(a), int(b)) for a, b in np.asarray(paddings))
    return apply(ops.pad, operand(tensor), paddings=pairs, value=constant_values)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """The elements along the axes in reverse order."""
    return apply(ops.reverse, operand(tensor), axis=axes(axis))


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
        return constant(np.array(product(known), kind.dtype))
    return apply(ops.size, x, dtype=kind)


def rank(input: Any, name: str | None = None) -> Any:
    """The number of axes."""
    x = operand(input)
    return constant(np.int32(len(x.shape))) if x.shape.rank is not None else apply(ops.rank, x, dtype=int32)


def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: int | None = None, batch_dims: int = 0,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The parts of `params` at `indices` along an axis. Raises InvalidArgumentError for an index outside, when run."""
    return apply(indexing.gather, operand(params), operand(indices), axis=int(axis or 0))


def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Any:
    """The parts of `params` at index vectors (the last axis of `indices`)."""
    return apply(indexing.gather_nd, operand(params), operand(indices))


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
    """A part that starts at `begin` and has the given size (-1: up to the end)."""
    starts, sizes = axes(begin), axes(size)
    return operand(input_)[tuple(slice(b, None if s == -1 else b + s) for b, s in zip(starts, sizes))]


def with_item(tensor: Any, index: Any, value: Any) -> Any:
    """A copy of the tensor with a part replaced: what ``tensor[index] = value`` would make of an array."""
    x = operand(tensor)
    parts, given = index_parts(index)
    new = cast(operand(value), x.dtype)
    return apply(indexing.setitem, x, new, *given, index=parts, how="set")


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """The elements along an axis in order."""
    result = apply(indexing.sort, operand(values), axis=axis)
    return result if direction == "ASCENDING" else reverse(result, axis)


def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Any:
    """The indices that sort an axis; equal elements keep their order."""
    x = operand(values)
    return apply(indexing.argsort, x if direction == "ASCENDING" else -x, axis=axis)


def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = int32, name: str | None = None
) -> Any:
    """Where values would go in a sorted sequence."""
    found = apply(indexing.searchsorted, *promote([operand(sorted_sequence), operand(values)]), side=side)
    return cast(found, out_type)


def top_k(input: Any, k: int = 1, sorted: bool = True, name: str | None = None) -> Any:
    """The `k` largest elements along the last axis, and their indices."""
    return apply(indexing.top_k, operand(input), k=int(k))


def unique(x: Any, out_idx: Any = int32, name: str | None = None) -> Any:
    """The distinct elements in order of appearance, and for each element its index among them."""
    return apply(indexing.unique, operand(x), dtype=as_dtype(out_idx))


def linalg_diag(diagonal: Any, name: str | None = None) -> Any:
    """The matrix with this diagonal."""
    return apply(ops.diag, operand(diagonal))


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """The tensor, checked to be compatible with a shape."""
    tensor = operand(x)
    return apply(ops.ensure_shape, tensor, shape=tensor.shape.merge_with(shape).dims)
