"""What NumPy's functions that join, cut, turn and pad arrays do with tensors."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.graph.dtypes import NumPyArray
from runtime.graph.shapes import axis_of
from runtime.staging.numpy_protocol.meanings import FUNCTIONS, means, need, operand
from runtime.tensors import making, mathematics, parts, reductions, shaping
from runtime.tensors.conversion import assigned, cast, of_dtype, static_value
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import IndexPart, ShapeLike, Size, TensorLike


def flat(a: object) -> Tensor:
    return shaping.reshape(operand(a), [-1])


def along(x: Tensor, axis: int, part: IndexPart) -> Tensor:
    """A part of a tensor along one of its axes."""
    return x[(*[slice(None)] * axis, part)]


def joined(values: Sequence[object], axis: int | None) -> Tensor:
    return FUNCTIONS[np.concatenate](values, axis)


@means(np.append)
def _append(arr: object, values: object, axis: int | None = None) -> object:
    if axis is None:
        return joined([flat(arr), flat(values)], 0)
    return joined([arr, values], axis)


@means(np.column_stack)
def _column_stack(tup: Sequence[TensorLike]) -> object:
    return joined([_column(operand(x)) for x in tup], 1)


def _column(x: Tensor) -> Tensor:
    return x if len(x.shape) > 1 else shaping.transpose(operand(x)[None] if len(x.shape) else x[None, None])


@means(np.block)
def _block(arrays: object) -> object:
    depth = _depth(arrays)
    rank = max([depth, *(len(operand(x).shape) for x in _leaves(arrays))])

    def put(part: object, level: int) -> Tensor:
        if type(part) is list:
            return joined([put(p, level + 1) for p in part], rank - depth + level)
        x = operand(part)
        return x[(None,) * (rank - len(x.shape))] if len(x.shape) < rank else x

    return put(arrays, 0)


def _depth(part: object) -> int:
    """How deep lists are nested, which must be the same everywhere."""
    if isinstance(part, tuple):
        raise TypeError("np.block: only lists can be used to arrange blocks, and np.block does not allow tuples")
    if type(part) is not list:
        return 0
    if not part:
        raise ValueError("np.block: List at arrays cannot be empty")
    depths = {_depth(p) for p in part}
    if len(depths) > 1:
        raise ValueError(f"np.block: list depths are mismatched: {sorted(depths)}")
    return 1 + depths.pop()


def _leaves(part: object) -> list[object]:
    return [leaf for p in part for leaf in _leaves(p)] if type(part) is list else [part]


@means(np.broadcast_arrays)
def _broadcast_arrays(*args: object) -> object:
    values = [operand(x) for x in args]
    shape = common_shape(values)
    return tuple(shaping.broadcast_to(x, shape) for x in values)


def common_shape(values: Sequence[Tensor]) -> list[Size]:
    """The shape that operands have together."""
    return common_dims([making.like_shape(x) for x in values])


def common_dims(shapes: Sequence[list[Size]]) -> list[Size]:
    """The dimensions that shapes have together; raises ValueError where they do not go together."""
    dims: list[Size] = []
    for sizes in itertools.zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1):
        known = {s for s in sizes if isinstance(s, int)} - {1}
        if len(known) > 1:
            raise ValueError("shape mismatch: objects cannot be broadcast to a single shape")
        staged = [s for s in sizes if not isinstance(s, int)]
        found: Size = known.pop() if known else 1
        for size in staged if found == 1 else ():
            found = size if isinstance(found, int) else mathematics.where(found == 1, size, found)
        dims.append(found)
    return dims[::-1]


# Cut.


@means(np.array_split)
def _array_split(ary: object, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    x = operand(ary)
    at = axis_of(axis, len(x.shape))
    whole = making.like_shape(x)[at]
    if hasattr(indices_or_sections, "__len__") and np.ndim(indices_or_sections) == 1:
        bounds = [None, *indices_or_sections, None]
        return [along(x, at, slice(a, b)) for a, b in itertools.pairwise(bounds)]
    count = _sections(indices_or_sections)
    each, more = whole // count, whole % count
    sizes = [each + (1 if i < more else 0) if isinstance(whole, int) else each + (more > i) * 1 for i in range(count)]
    ends = [0, *itertools.accumulate(sizes)]
    return [along(x, at, slice(a, b)) for a, b in itertools.pairwise(ends)]


def _sections(count: object) -> int:
    known = static_value(operand(count))
    if known is None:
        raise refused(TypeError("np.split into a number of parts that only the graph knows: how many must be known"))
    if int(known) <= 0:
        raise ValueError("number sections must be larger than 0.")
    return int(known)


@means(np.split)
def _split(ary: object, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    x = operand(ary)
    whole = making.like_shape(x)[axis_of(axis, len(x.shape))]
    if not hasattr(indices_or_sections, "__len__") or np.ndim(indices_or_sections) == 0:
        count = _sections(indices_or_sections)
        need(whole % count == 0, ValueError("array split does not result in an equal division"))
    return _array_split(x, indices_or_sections, axis)


@means(np.hsplit)
def _hsplit(ary: object, indices_or_sections: object) -> object:
    rank = len(operand(ary).shape)
    if rank == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return _split(ary, indices_or_sections, 1 if rank > 1 else 0)


@means(np.vsplit)
def _vsplit(ary: object, indices_or_sections: object) -> object:
    if len(operand(ary).shape) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return _split(ary, indices_or_sections, 0)


@means(np.dsplit)
def _dsplit(ary: object, indices_or_sections: object) -> object:
    if len(operand(ary).shape) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return _split(ary, indices_or_sections, 2)


if hasattr(np, "unstack"):  # since NumPy 2.1

    @means(np.unstack)
    def _unstack(x: object, /, *, axis: int = 0) -> object:
        value = operand(x)
        if not len(value.shape):
            raise ValueError("Input array must be at least 1-d.")
        at = axis_of(axis, len(value.shape))
        return tuple(along(value, at, i) for i in range(_known(making.like_shape(value)[at], "np.unstack")))


def _known(size: object, function: str) -> int:
    if not isinstance(size, int):
        raise refused(
            TypeError(f"{function} along an axis whose size only the graph knows: how many parts is not known")
        )
    return size


# Turn.


@means(np.flipud)
def _flip_up(m: object) -> object:
    if len(operand(m).shape) < 1:
        raise ValueError("Input must be >= 1-d.")
    return FUNCTIONS[np.flip](m, 0)


@means(np.fliplr)
def _flip_left(m: object) -> object:
    if len(operand(m).shape) < 2:
        raise ValueError("Input must be >= 2-d.")
    return FUNCTIONS[np.flip](m, 1)


@means(np.rot90)
def _rotated(m: object, k: int = 1, axes: tuple[int, int] = (0, 1)) -> object:
    x = operand(m)
    flip = FUNCTIONS[np.flip]
    rank = len(x.shape)
    np.rot90(np.empty((0,) * rank), k, axes)  # raises what NumPy raises
    first, second = (axis_of(a, rank) for a in axes)
    turns = int(k) % 4
    if turns == 0:
        return x[...]
    if turns == 2:
        return flip(flip(x, first), second)
    order = [*range(rank)]
    order[first], order[second] = second, first
    return shaping.transpose(flip(x, second), order) if turns == 1 else flip(shaping.transpose(x, order), second)


@means(np.rollaxis)
def _roll_axis(a: object, axis: int, start: int = 0) -> object:
    x = operand(a)
    shape = np.rollaxis(np.empty([*range(2, len(x.shape) + 2)]), axis, start).shape
    return shaping.transpose(x, [d - 2 for d in shape])


# Pad.

_BORDERS = ("constant", "edge", "reflect", "symmetric", "wrap")


@means(np.pad)
def _pad(array: object, pad_width: TensorLike, mode: str = "constant", *, constant_values: TensorLike = 0) -> Tensor:
    x = operand(array)
    rank = len(x.shape)
    if mode not in _BORDERS:
        raise refused(
            TypeError(f"np.pad with mode={mode!r} has no staged meaning: there is {', '.join(map(repr, _BORDERS))}")
        )
    if isinstance(pad_width, dict):
        pairs = [(0, 0)] * rank
        for axis, width in pad_width.items():
            pairs[axis_of(axis, rank)] = tuple(np.broadcast_to(width, 2).tolist())
    else:
        pairs = _pairs(pad_width, rank, "pad_width")
    for pair in pairs:
        for width in pair:
            if isinstance(width, int) and width < 0:
                raise ValueError("index can't contain negative values")
    if mode == "constant":
        values = _pairs(constant_values, rank, "constant_values")
        for axis, (widths, fills) in enumerate(zip(pairs, values)):
            x = _with_border(x, axis, widths, fills)
        return x
    for axis, (before, after) in enumerate(pairs):
        if isinstance(before, int) and isinstance(after, int) and before == after == 0:
            continue
        size = making.like_shape(x)[axis]
        if isinstance(size, int) and size == 0:
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
        x = along(x, axis, _mirrored(size, before, after, mode))
    return x


def _pairs(given: TensorLike, rank: int, name: str) -> list[tuple[object, object]]:
    """For each axis a pair of what was given for one, for all, or for each; integers as Python's."""
    if any(isinstance(v, Tensor) for v in _leaves_of(given)):
        if not isinstance(given, tuple | list):
            return [(given, given)] * rank
        if not any(isinstance(v, tuple | list) for v in given):
            before, after = given if len(given) == 2 else (given[0], given[0])
            return [(before, after)] * rank
        each = [v if len(v) == 2 else (v[0], v[0]) for v in given]
        return [tuple(v) for v in (each * rank if len(each) == 1 else each)]
    found = np.asarray(given)
    if name == "pad_width" and found.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    return [tuple(pair) for pair in np.broadcast_to(found, (rank, 2)).tolist()]


def _leaves_of(part: object) -> list[object]:
    return [leaf for p in part for leaf in _leaves_of(p)] if isinstance(part, list | tuple) else [part]


def _with_border(x: Tensor, axis: int, widths: tuple[Any, Any], fills: tuple[object, object]) -> Tensor:
    if (
        all(isinstance(w, int) for w in widths)
        and not any(isinstance(f, Tensor) for f in fills)
        and fills[0] == fills[1]
    ):
        if widths == (0, 0):
            return x
        pairs = [(0, 0)] * len(x.shape)
        pairs[axis] = widths
        return parts.pad(x, pairs, constant_values=assigned(np.asarray(fills[0])[()], x.dtype))
    dims = making.like_shape(x)
    borders = []
    for width, value in zip(widths, fills):
        dims[axis] = width
        filling = value if isinstance(value, Tensor) else assigned(np.asarray(value)[()], x.dtype)
        borders.append(shaping.broadcast_to(cast(operand(filling), x.dtype), dims))
    return shaping.concat([borders[0], x, borders[1]], axis)


def _mirrored(size: Any, before: Any, after: Any, mode: Any) -> Tensor | NumPyArray:
    """Which element stands at each place of an axis with a border."""
    if all(isinstance(v, int) for v in (size, before, after)):
        return np.pad(np.arange(size), (before, after), mode)
    place = making.range(size + before + after, dtype=np.int64) - before
    if mode == "edge":
        return mathematics.minimum(mathematics.maximum(place, 0), size - 1)
    if mode == "wrap":
        return place % size
    period = size * 2 if mode == "symmetric" else mathematics.maximum(size * 2 - 2, 1)
    place = place % period
    back = period - 1 - place if mode == "symmetric" else period - place
    return mathematics.where(place < size, place, back)


# Put in and take out.


@means(np.delete)
def _delete(arr: object, obj: Any, axis: int | None = None) -> Tensor:
    x = flat(arr) if axis is None else operand(arr)
    at = 0 if axis is None else axis_of(axis, len(x.shape))
    size = making.like_shape(x)[at]
    if isinstance(size, int) and not any(isinstance(v, Tensor) for v in _leaves_of(obj)):
        return along(x, at, np.delete(np.arange(size), obj))
    if isinstance(obj, slice | list | tuple | np.ndarray) or len(operand(obj).shape):
        raise refused(TypeError("np.delete of several elements that only the graph knows: write x[mask]"))
    place = cast(operand(obj), np.int64)
    message = IndexError("np.delete: the index is out of bounds for the axis")
    need(mathematics.logical_and(place >= -size, place < size), message)
    place = mathematics.where(place < 0, place + size, place)
    kept = making.range(size - 1, dtype=np.int64)
    return along(x, at, kept + cast(kept >= place, np.int64))


@means(np.insert)
def _insert(arr: object, obj: Any, values: object, axis: int | None = None) -> Tensor:
    x = flat(arr) if axis is None else operand(arr)
    at = 0 if axis is None else axis_of(axis, len(x.shape))
    dims = making.like_shape(x)
    size, new = dims[at], of_dtype(values, x.dtype)
    several = isinstance(obj, slice) or (isinstance(obj, list | tuple | np.ndarray) and np.ndim(obj) != 0)
    if isinstance(obj, slice) or (several and (not isinstance(size, int) or any(isinstance(v, Tensor) for v in obj))):
        raise refused(
            TypeError("np.insert at several places that only the graph knows: write np.concatenate of slices")
        )
    if not several:
        place = obj if isinstance(obj, int) else cast(operand(obj), np.int64)
        if len(new.shape) == len(x.shape) and at:
            new = shaping.transpose(new, [*range(1, at + 1), 0, *range(at + 1, len(x.shape))]) if at else new
        dims[at] = making.like_shape(new)[at - len(dims)] if len(new.shape) >= len(dims) - at else 1
        new = shaping.broadcast_to(new, dims)
        fits = mathematics.logical_and(operand(place) >= -size, operand(place) <= size)
        need(fits, IndexError(f"index {obj} is out of bounds for axis {at} with size {size}"))
        place = place + size if isinstance(place, int) and place < 0 else place
        if not isinstance(place, int):
            place = mathematics.where(place < 0, place + size, place)
        return shaping.concat([along(x, at, slice(None, place)), new, along(x, at, slice(place, None))], at)
    count = len(np.arange(size)[obj]) if np.asarray(obj).dtype == bool else len(obj)
    dims[at] = count
    order = np.insert(np.arange(size), obj, np.arange(size, size + count))
    return along(shaping.concat([x, shaping.broadcast_to(new, dims)], at), at, order)


@means(np.resize)
def _resized(a: object, new_shape: ShapeLike) -> object:
    x = flat(a)
    dims = shaping.listed_shape(new_shape if isinstance(new_shape, list | tuple) else [new_shape])
    total = 1
    for size in dims:
        if isinstance(size, int) and size < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
        total = total * size
    size = making.like_shape(x)[0]
    if not isinstance(size, int) or size == 0:  # zeros are taken where there is nothing to repeat
        x, size = shaping.concat([x, making.zeros([1], x.dtype)], 0), mathematics.maximum(size, 1)
    return shaping.reshape(x[making.range(total, dtype=np.int64) % size], dims)


@means(np.trim_zeros)
def _trimmed(filt: object, trim: Any = "fb") -> object:
    """Without zeros at its ends."""
    np.trim_zeros(np.zeros(1), trim)  # raises what NumPy raises
    x = operand(filt)
    if len(x.shape) != 1:
        raise refused(TypeError("np.trim_zeros of an array with several axes has no staged meaning: write slices"))
    size = making.like_shape(x)[0]
    places, other = making.range(size, dtype=np.int64), mathematics.not_equal(x, 0)
    any_other = reductions.reduce_any(other)
    low = FUNCTIONS[np.min](mathematics.where(other, places, size), initial=np.iinfo(np.int64).max)
    last = FUNCTIONS[np.max](mathematics.where(other, places, -1), initial=-1)
    high = last + 1
    start = mathematics.where(any_other, low, 0) if "f" in trim.lower() else 0
    stop = mathematics.where(any_other, high, 0) if "b" in trim.lower() else mathematics.where(any_other, size, 0)
    return x[start:stop]
