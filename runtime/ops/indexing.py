"""Reading and updating parts of tensors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.graph import dimensions, shapes
from runtime.graph.dtypes import DType, NumPyArray, int32, int64
from runtime.graph.errors import InvalidArgumentError, OutOfBoundsError
from runtime.graph.graph import Attributes, Node, TensorType
from runtime.graph.op import NAMESPACE, NUMPY, Op, always, kernel, op
from runtime.graph.shapes import Dim, Dims, axis_of
from runtime.ops import elementwise as ew

# An index is a tuple of parts: an int, a slice, None (a new axis), Ellipsis, or INPUT where a tensor stands; the parts
# of a slice may be INPUT too. The tensors follow as inputs, in order.


class _Input:
    def __repr__(self) -> str:
        return "INPUT"


INPUT = NAMESPACE["INPUT"] = _Input()


@kernel
def index_of(parts: Sequence[object], given: Sequence[Any]) -> Any:
    """The NumPy index, tensors filled in."""
    rest = iter(given)

    def one(part: object) -> object:
        if part is INPUT:
            value = next(rest)
            return value if np.ndim(value) or np.asarray(value).dtype == bool else int(value)
        if isinstance(part, slice):
            return slice(*(_bound(next(rest)) if b is INPUT else b for b in (part.start, part.stop, part.step)))
        return part

    return tuple([one(part) for part in parts])


def _bound(value: np.generic | NumPyArray) -> int:
    return int(value)


def show_index(parts: Sequence[object], given: Sequence[str]) -> str:
    """An index as code: ``1:, i``."""
    rest = iter(given)

    def one(part: object) -> str:
        if part is INPUT:
            return next(rest)
        if isinstance(part, slice):
            bounds = [
                "" if b is None else next(rest) if b is INPUT else str(b) for b in (part.start, part.stop, part.step)
            ]
            return ":".join(bounds if bounds[2] else bounds[:2])
        return {None: "None", Ellipsis: "..."}.get(part, str(part)) if part is None or part is Ellipsis else str(part)

    return ", ".join([one(part) for part in parts]) or "()"


@kernel
def item(x: NumPyArray, *given: object, index: Sequence[object]) -> np.generic | NumPyArray:
    try:
        return x[index_of(index, given)]
    except IndexError as error:
        raise OutOfBoundsError(str(error)) from None


def _getitem(x: TensorType, *given: TensorType, index: Sequence[object]) -> TensorType:
    return TensorType(x.dtype, indexed(x.shape, index, given), sizes=_sizes(x.sizes, index))


def _sizes(sizes: tuple[object, ...] | None, index: Sequence[Any]) -> Any:
    """The dimensions that a part of a shape holds."""
    if sizes is None or len(index) != 1 or not isinstance(index[0], int | slice):
        return None
    (part,) = index
    if isinstance(part, int):
        return (sizes[part],) if -len(sizes) <= part < len(sizes) else None
    return None if INPUT in (part.start, part.stop, part.step) else sizes[part]


def indexed(shape: Dims, index: Sequence[Any], given: Sequence[TensorType]) -> Dims:
    """The shape of a part of a tensor; raises IndexError (as NumPy does) if it surely lies outside."""
    if shape is None:
        return None
    if wrong := [g for g in given if not (g.dtype.is_bool or g.dtype.is_integer)]:
        raise OutOfBoundsError(
            f"an index is an integer, a slice, None, or an array of integers or booleans, not {wrong[0]}"
        )
    if any(g.dtype.is_bool and g.shape is None for g in given):  # who knows for how many axes it stands
        return None
    used = sum(part is not None and part is not Ellipsis for part in index)
    used += sum(len(g.shape) - 1 for g in given if g.dtype.is_bool and g.shape is not None)
    if used > len(shape):
        raise OutOfBoundsError(
            f"too many indices for array: array is {len(shape)}-dimensional, but {used} were indexed"
        )
    full = (slice(None),) * (len(shape) - used)
    at = next((i for i, part in enumerate(index) if part is Ellipsis), None)
    parts = [*index, *full] if at is None else [*index[: at + 1], *full, *index[at + 1 :]]
    rest = iter(given)
    dims: list[Dim] = []
    fancy: list[Dims] = []
    axis = 0
    for part in parts:
        if part is None or part is Ellipsis:
            dims.append(1 if part is None else _APART)
            continue
        if part is INPUT:
            g = next(rest)
            if g.shape is None:
                return None
            if g.dtype.is_bool:
                _check_mask(g.shape, shape[axis : axis + len(g.shape)], axis)
            axis += len(g.shape) if g.dtype.is_bool else 1
            if g.shape or g.dtype.is_bool:
                fancy.append((None,) if g.dtype.is_bool else g.shape)
            dims.append(_PICKED)
            continue
        size = shape[axis]
        axis += 1
        if isinstance(part, slice):
            dims.append(_sliced(size, part, rest))
        else:
            if isinstance(size, int) and not -size <= part < size:
                raise OutOfBoundsError(f"index {part} is out of bounds for axis {axis - 1} with size {size}")
            dims.append(_PICKED)
    return _with_fancy(dims, shapes.broadcast(*fancy)) if fancy else _plain(dims)


def _check_mask(mask: Sequence[Dim], dims: Sequence[Dim], axis: int) -> None:
    for number, (count, size) in enumerate(zip(mask, dims), axis):
        if isinstance(size, int) and isinstance(count, int) and count != size:
            raise OutOfBoundsError(f"a mask of {count} elements does not go with axis {number} of size {size}")


# What stands for an axis of which numbers pick elements (beside arrays, NumPy takes a number for one), and for an
# ellipsis, which parts what is on either side of it even if it stands for no axis.
_PICKED, _APART = -1, -2


def _plain(dims: Sequence[Dim]) -> tuple[Dim, ...]:
    return tuple(d for d in dims if d not in (_PICKED, _APART))


def _with_fancy(dims: list[Dim], fancy: Dims) -> Dims:
    if fancy is None:
        return None
    at = [i for i, d in enumerate(dims) if d == _PICKED]
    together = at == list(range(at[0], at[-1] + 1))
    before, after = (_plain(dims[: at[0]]), _plain(dims[at[0] :])) if together else ((), _plain(dims))
    return (*before, *fancy, *after)


def _sliced(size: Dim, part: slice, rest: Iterator[object]) -> Dim:
    bounds = [part.start, part.stop, part.step]
    unknown = [next(rest) for b in bounds if b is INPUT]
    if unknown or size is None:
        return None
    return dimensions.sliced(size, *bounds)


def _is_array(node: Node) -> bool:
    """Numbers are NumPy's scalars, unless the index has an ellipsis."""
    return node.outputs[0].type.shape != () or Ellipsis in node.attributes["index"]


def _show_getitem(inputs: Sequence[str], attributes: Attributes) -> str:
    return f"{inputs[0]}[{show_index(attributes['index'], inputs[1:])}]"


getitem = op(
    "getitem",
    _getitem,
    "item({*}, index={index})",
    tf="StridedSlice",
    render=_show_getitem,
    takes_weak=True,
    shares=_is_array,
    light=True,
)


# What becomes of an element and of what comes to its place, one after the other, by what `how` may say besides "set".
_SHORT = {
    "add": ew.add, "sub": ew.subtract, "mul": ew.multiply, "div": ew.divide, "min": ew.minimum, "max": ew.maximum,
}  # fmt: skip
_UFUNCS: dict[Op, np.ufunc] = {
    row: function
    for function, row in NUMPY.items()
    if isinstance(function, np.ufunc) and function.nin == 2 and function.signature is None
}
COMBINED: dict[str, Op] = {**_SHORT, **{row.name: row for row in _UFUNCS if row not in _SHORT.values()}}
HOW: dict[Op, str] = {row: how for how, row in COMBINED.items()}


def combining(how: str) -> np.ufunc:
    """The function of NumPy's that makes of an element and of what comes to its place what `how` says."""
    return _UFUNCS[COMBINED[how]]


@kernel
def with_item(x: object, value: np.generic | NumPyArray, *given: object, index: Sequence[object], how: str) -> object:
    """A copy of `x` with a part set, or combined with values."""
    return written_item(np.array(x), value, *given, index=index, how=how)


@kernel
def written_item(
    result: Any, value: np.generic | NumPyArray, *given: object, index: Sequence[object], how: str
) -> object:
    """The array itself, which nobody else has, with a part set, or combined with values in the dtype of these."""
    where = index_of(index, given)
    try:
        if how != "set":
            part = np.shape(result[where])
            if np.ndim(value) <= len(part):  # NumPy 2.4 loses what is added to one place twice if it has to broadcast
                value = np.broadcast_to(value, part)
            vectors = _leading(result, where) if value.shape == part and value.dtype == result.dtype else None
            if vectors is None:
                combining(how).at(result, where, value)
            else:
                combined_at(combining(how), result, vectors, np.asarray(value))
        else:
            result[where] = bare(result, value)
    except IndexError as error:
        raise OutOfBoundsError(str(error)) from None
    return result


def bare(target: Any, value: Any) -> Any:
    """What to set elements to: where these are objects, NumPy would take an array without axes for one of them."""
    return value[()] if target.dtype == object and isinstance(value, np.ndarray) and not value.ndim else value


def _leading(x: NumPyArray, where: Sequence[object]) -> Sequence[NumPyArray] | None:
    """Indices of the first axes, counted from the front, if they are arrays of whole numbers and nothing else."""
    if not where or not x.flags.c_contiguous:
        return None
    if not all(isinstance(part, np.ndarray) and part.ndim and part.dtype.kind in "iu" for part in where):
        return None
    arrays = np.broadcast_arrays(*(np.asarray(part, np.int64) for part in where))
    return [_from_front(indices, size) for indices, size in zip(arrays, x.shape)]


def _from_front(indices: NumPyArray, size: int) -> NumPyArray:
    return np.where(indices < 0, indices + size, indices) if indices.size and indices.min() < 0 else indices


_BLOCK = 1 << 16  # elements of which NumPy is told the places at a time


def combined_at(function: np.ufunc, x: NumPyArray, vectors: Sequence[NumPyArray], values: NumPyArray) -> None:
    """What becomes of parts at index vectors, one after the other where they are the same; `x` is in C order.

    NumPy does that several times as fast with the numbers of elements as with any other index.
    """
    depth = len(vectors)
    first: NumPyArray = vectors[0] if depth else np.zeros((), np.int64)
    for indices, size in zip(vectors[1:], x.shape[1:]):
        first = first * size + indices
    flat, first = x.reshape(-1), first.reshape(-1)
    rest = math.prod(x.shape[depth:])
    rows = values.reshape(len(first), rest)
    if rest == 1:
        function.at(flat, first, values.reshape(-1))
        return
    step = max(_BLOCK // max(rest, 1), 1)
    for start in range(0, len(first) if rest else 0, step):
        part = slice(start, start + step)
        places = first[part, None] * rest + np.arange(rest)
        function.at(flat, places.reshape(-1), rows[part].reshape(-1))


def _with_item(x: TensorType, value: TensorType, *given: TensorType, index: Sequence[object], how: str) -> TensorType:
    part = indexed(x.shape, index, given)
    if part is not None and value.shape is not None:
        dims = (1,) * (len(value.shape) - len(part)) + part  # more ones in front are fine
        pairs = zip(reversed(dims), reversed(value.shape))
        if any(isinstance(p, int) and isinstance(d, int) and d not in (1, p) for p, d in pairs):
            raise ValueError(f"a value of shape {shapes.show(value.shape)} does not fit a part of {shapes.show(part)}")
    return TensorType(x.dtype, x.shape)


_LARGE = 4096  # elements that take longer to copy than an operation takes to be called


def _copied(node: Node) -> float:
    """What machine code saves, which writes to the place where NumPy's executor has to copy the array."""
    dims = node.outputs[0].type.shape
    return shapes.product(dims) / _LARGE if shapes.is_known(dims) else 0.0


setitem = op(
    "setitem",
    _with_item,
    "with_item({*}, index={index}, how={how})",
    in_place="written_item({*}, index={index}, how={how})",
    tf="TensorStridedSliceUpdate",
    raises=(ValueError("could not broadcast input array"),),
    heavy=_copied,
)


@kernel
def gathered(x: NumPyArray, indices: NumPyArray, axis: int) -> object:
    size = np.shape(x)[axis]
    wrong = np.argwhere((np.asarray(indices) < 0) | (np.asarray(indices) >= size))
    if len(wrong):
        at = tuple(wrong[0].tolist())
        place = f"indices[{','.join(map(str, at))}]" if at else "indices"
        raise InvalidArgumentError(f"{place} = {np.asarray(indices)[at]} is not in [0, {size})")
    return np.take(x, indices, axis)


def _gather(x: TensorType, indices: TensorType, *, axis: int) -> TensorType:
    if x.shape is None or indices.shape is None:
        return TensorType(x.dtype, None)
    at = axis_of(axis, len(x.shape))
    return TensorType(x.dtype, (*x.shape[:at], *indices.shape, *x.shape[at + 1 :]))


gather = op(
    "gather", _gather, "gathered({0}, {1}, {axis})", tf="GatherV2", raises=(IndexError("index is out of bounds"),)
)


def _vectors(x: NumPyArray, indices: object) -> tuple[NumPyArray, ...]:
    """Index vectors as NumPy's index; each must lie inside, counted from the front."""
    given = np.asarray(indices)
    if given.shape[-1] > np.ndim(x):
        raise InvalidArgumentError(f"index vectors of {given.shape[-1]} numbers for a tensor of rank {np.ndim(x)}")
    wrong = np.argwhere(((given < 0) | (given >= np.shape(x)[: given.shape[-1]])).any(-1))
    if len(wrong):
        at = tuple(wrong[0].tolist())
        raise InvalidArgumentError(f"indices[{','.join(map(str, at))}] = {given[at].tolist()} is not in {np.shape(x)}")
    return tuple(np.moveaxis(given, -1, 0))


@kernel
def gathered_nd(x: NumPyArray, indices: object) -> object:
    return x[_vectors(x, indices)]


def _gather_nd(x: TensorType, indices: TensorType) -> TensorType:
    if x.shape is None or indices.shape is None or not isinstance(depth := indices.shape[-1], int):
        return TensorType(x.dtype, None)
    return TensorType(x.dtype, (*indices.shape[:-1], *x.shape[depth:]))


gather_nd = op("gather_nd", _gather_nd, "gathered_nd({0}, {1})", shares=always)  # vectors of no indices leave all of it


@kernel
def scattered(x: NumPyArray, indices: NumPyArray, updates: NumPyArray, how: str) -> object:
    result = np.array(x, order="C")
    where = _vectors(x, indices)
    part = (*(where[0].shape if where else ()), *result.shape[len(where) :])
    try:
        values = np.broadcast_to(updates, part)
    except ValueError:
        raise InvalidArgumentError(
            f"updates of shape {np.shape(updates)} do not fit: at indices of shape {np.shape(indices)} there is {part}"
        ) from None
    if how == "set":
        result[where] = bare(result, updates)
    else:
        combined_at(combining(how), result, where, values)
    return result


def _first(x: TensorType, *_: TensorType, **__: object) -> TensorType:
    return TensorType(x.dtype, x.shape)


def _scatter_name(node: Node) -> str:
    how = node.attributes["how"]
    return f"TensorScatter{'Update' if how == 'set' else how.title()}"


scatter = op("scatter", _first, "scattered({0}, {1}, {2}, {how})", tf=_scatter_name)


def _mask(x: TensorType, mask: TensorType, *, axis: int) -> TensorType:
    if x.shape is None or mask.shape is None:
        return TensorType(x.dtype, None)
    end = axis + len(mask.shape)
    if end > len(x.shape):
        raise OutOfBoundsError(
            f"boolean_mask of a tensor of rank {len(x.shape)} with a mask of rank {len(mask.shape)} from axis {axis} "
            f"on: that would need {end} axes"
        )
    return TensorType(x.dtype, (*x.shape[:axis], None, *x.shape[end:]))


@kernel
def masked(x: object, mask: object, axis: int) -> object:
    try:
        return np.asarray(x)[(slice(None),) * axis + (np.asarray(mask),)]
    except IndexError as error:
        raise OutOfBoundsError(str(error)) from None


boolean_mask = op("boolean_mask", _mask, "masked({0}, {1}, {axis})")


def _sorted(x: TensorType, *, axis: int) -> TensorType:
    if x.shape is not None:
        axis_of(axis, len(x.shape))
    return TensorType(x.dtype, x.shape)


sort = op("sort", _sorted, "np.sort({0}, axis={axis})")


def _argsort(x: TensorType, *, axis: int) -> TensorType:
    return TensorType(int32, _sorted(x, axis=axis).shape)


argsort = op("argsort", _argsort, "np.argsort({0}, axis={axis}, kind='stable').astype(np.int32)", by_position=True)


@kernel
def python_order(*columns: NumPyArray, reverse: bool) -> NumPyArray:
    """The places of rows in the order that Python's `sorted` gives them, which depends on its way where NaN is."""
    if any(np.isnan(column).any() for column in columns if column.dtype.kind == "f"):
        rows = [*zip(*(column.tolist() for column in columns))]
        keys = rows if len(columns) > 1 else [key for (key,) in rows]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse), np.int32)
    order = np.arange(len(columns[0]))
    order = order[::-1] if reverse else order
    for column in reversed(columns):
        order = order[np.argsort(column[order], kind="stable")]
    return (order[::-1] if reverse else order).astype(np.int32)


def _python_order(*columns: TensorType, reverse: bool) -> TensorType:
    return _argsort(columns[0], axis=0)


order_of_rows = op("python_order", _python_order, "python_order({*}, reverse={reverse})", by_position=True)


def _searchsorted(edges: TensorType, values: TensorType, *, side: str) -> TensorType:
    if edges.shape is not None and len(edges.shape) > 1:
        raise ValueError("object too deep for desired array")
    return TensorType(int64, values.shape)


searchsorted = op(
    "searchsorted",
    _searchsorted,
    "np.searchsorted({0}, {1}, side={side})",
    tf=lambda node: "LowerBound" if node.attributes["side"] == "left" else "UpperBound",
)


def _top_k(x: TensorType, *, k: int) -> tuple[TensorType, TensorType]:
    shape = None if x.shape is None else (*x.shape[:-1], k)
    return TensorType(x.dtype, shape), TensorType(int32, shape)


@kernel
def largest(x: NumPyArray, k: int) -> tuple[object, object]:
    if np.shape(x)[-1] < k:
        raise InvalidArgumentError(f"top_k of a tensor of shape {np.shape(x)}: its last axis has no {k} elements")
    array: NumPyArray = np.asarray(x)
    size = array.shape[-1]
    # NumPy sorts whole numbers of 8 and 16 bits by their digits, which is as fast as finding the largest.
    fit = array.dtype.kind == "f" or (array.dtype.kind in "iu" and array.dtype.itemsize > 2)
    if not 0 < 4 * k <= size or array.size < _FEW or not fit:
        order = _descending(array)[..., :k]
    else:
        rows = array.reshape(-1, size)
        places = _places_of_largest(rows, k)
        order = np.take_along_axis(places, _descending(np.take_along_axis(rows, places, -1)), -1)
        order = order.reshape(*array.shape[:-1], k)
    return np.take_along_axis(array, order, -1), order.astype(np.int32)


_FEW = 2048  # elements that are sorted before all steps of anything else are called


def _descending(x: NumPyArray) -> NumPyArray:
    """The order in which the largest come first, NaN before all, and of equal ones the first."""
    order = np.flip(np.argsort(np.flip(x, -1), axis=-1, kind="stable"), -1)
    return x.shape[-1] - 1 - order


def _places_of_largest(rows: NumPyArray, k: int) -> NumPyArray:
    """Where the k largest of each row are, in the order of their places; k is less than the length of a row."""
    count, size = rows.shape
    least = np.partition(rows, size - k, -1)[:, size - k, None]
    chosen = ~(rows < least)
    if (np.count_nonzero(chosen, -1) > k).any():  # of those that equal the least one, the first are chosen
        larger, equal = ~(rows <= least), rows == least
        if (last := np.isnan(least)).any():
            larger, equal = larger & ~last, equal | (last & np.isnan(rows))
        missing = k - np.count_nonzero(larger, -1, keepdims=True)
        chosen = larger | (equal & (np.cumsum(equal, -1, dtype=np.int32) <= missing))
    return np.flatnonzero(chosen).reshape(count, k) % size


top_k = op("top_k", _top_k, "largest({0}, {k})", tf="TopKV2")


def _unique(x: TensorType, *, dtype: DType) -> tuple[TensorType, TensorType]:
    if x.shape is not None and len(x.shape) != 1:
        raise ValueError(f"unique of {shapes.show(x.shape)}: it takes a tensor of rank 1")
    return TensorType(x.dtype, (None,)), TensorType(dtype, x.shape)


@kernel
def distinct(x: NumPyArray, dtype: type) -> tuple[object, object]:
    """The distinct elements in the order of their first appearance, and where each element is among them."""
    if np.ndim(x) != 1:
        raise InvalidArgumentError(f"unique of {np.shape(x)}: it takes a tensor of rank 1")
    _, first, where = np.unique(x, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return np.asarray(x)[np.sort(first)], place[where].astype(dtype)


unique = op("unique", _unique, "distinct({0}, {dtype})")
