"""What NumPy's functions that change, join and fill shapes do with tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph import StagingError
from autograph.errors import refused
from autograph.operators.effects import is_made_here
from runtime.control.lists import TensorList
from runtime.graph.dtypes import as_dtype
from runtime.graph.op import Op
from runtime.graph.shapes import axis_of
from runtime.ops import shape as shape_ops
from runtime.staging.numpy_protocol.meanings import METHODS, is_pythons, means, operand
from runtime.staging.numpy_protocol.reductions import summed
from runtime.tensors import making, mathematics, parts, products, reductions, shaping
from runtime.tensors.conversion import cast
from runtime.tensors.growing import has_grown
from runtime.tensors.links import are_open, before_loops, related
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import Way, ways
from runtime.tensors.types import AxisLike, Casting, DTypeLike, ShapeLike, Size, TensorLike
from runtime.tensors.views import Array, in_order, lies_in_order, whole


@means(np.reshape)
def _reshape(a: object, shape: Any, order: str = "C", *, copy: bool | None = None) -> object:
    x = operand(a)
    if copy is False and not (isinstance(x, Array) and (x.shape.rank == 1 or lies_in_order(x, decides=True))):
        raise refused(
            ValueError("np.reshape with copy=False: only arrays whose elements lie in C order have such views")
        )
    if in_order(x, order) == "C":
        return shaping.reshape(x, shape)
    dims = [shape] if isinstance(shape, int) or getattr(shape, "shape", None) == () else list(shape)
    return shaping.transpose(shaping.reshape(shaping.transpose(x), dims[::-1]))


@means(np.ravel, method="ravel")
def _ravel(a: object, order: str = "C") -> object:
    return _reshape(a, [-1], order)


@means(np.shares_memory, np.may_share_memory)
def _shares_memory(a: object, b: object) -> bool:
    """Whether arrays are one array, or all of one and a part of it: more is known only where they lie."""
    x, y = (before_loops(one) for one in (a, b))
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        return bool(np.shares_memory(x, y))
    for one, other in ((x, y), (y, x)):
        if isinstance(one, Array) and isinstance(other, np.ndarray) and _may_be_met(one, whole(other)):
            ways.takes(Way.STATE)  # in which an array that the program keeps is the graph's
            raise _not_known()
    if not (isinstance(x, Array) and isinstance(y, Array)):
        return False  # tensors are values
    x.traced_in.ask_which()
    if any({id(x), id(y)} == {id(one), id(other)} for one, other in x.traced_in.root.sharing):
        return True
    empty = any(0 in (v.shape.as_list() if v.shape.rank is not None else ()) for v in (x, y))
    sure = all(v.shape.is_fully_defined() for v in (x, y)) and (x is x.place or y is y.place)
    apart = x.place is not y.place and all(place is not y.place for place in related(x.place))
    if empty or (apart and not are_open(x, y)):
        return False
    if x.place is y.place and sure:
        return True
    raise _not_known()


def _may_be_met(array: Array, pythons: np.ndarray) -> bool:
    """Whether an array of the graph may be one that only Python has: it was there before, or variables may hold it."""
    return not is_made_here(pythons) or id(pythons) in array.traced_in.root.memories


def _not_known() -> StagingError:
    return refused(
        StagingError(
            "whether these arrays share memory is known only when the graph runs: they may be parts of one array. Ask "
            "outside of the function, or make a copy of one of them."
        )
    )


def _shape_method(x: object, *shape: object, order: str = "C", copy: bool | None = None) -> object:
    return _reshape(x, shape[0] if len(shape) == 1 else list(shape), order, copy=copy)


METHODS["reshape"] = _shape_method
METHODS["flatten"] = lambda x, order="C": _reshape(x, [-1], order)
METHODS["copy"] = lambda x, order="C": shaping.identity(x)
METHODS["transpose"] = lambda x, *axes: shaping.transpose(x, (axes[0] if len(axes) == 1 else axes) or None)
METHODS["conj"] = METHODS["conjugate"] = lambda x: mathematics.conj(x)

means(np.transpose, np.permute_dims)(lambda a, axes=None: shaping.transpose(a, axes))
means(np.matrix_transpose)(lambda x: products.matrix_transpose(x))
means(np.squeeze, method="squeeze")(lambda a, axis=None: _squeeze(operand(a), axis))
means(np.flip)(lambda m, axis=None: shaping.reverse(m, axis))
means(np.roll)(lambda a, shift, axis=None: parts.roll(a, shift, axis))
means(np.broadcast_to)(lambda array, shape: shaping.broadcast_to(operand(array), shape))
means(np.copy)(lambda a, order="K": shaping.identity(operand(a)))
means(np.shape)(lambda a: () if is_pythons(a) else tuple(operand(a).shape) if has_grown(a) else operand(a).shape)
means(np.ndim)(lambda a: operand(a).ndim)
means(np.repeat, method="repeat")(lambda a, repeats, axis=None: parts.repeat(operand(a), repeats, axis))


def _squeeze(x: Tensor, axis: AxisLike) -> object:
    return x if x.shape.rank == 0 and axis in (0, -1) else shaping.squeeze(x, axis)


@means(np.expand_dims)
def _expand_dims(a: object, axis: object) -> object:
    x, new = operand(a), axis if isinstance(axis, tuple | list) else (axis,)
    rank = len(x.shape) + len(new)
    at = [axis_of(i, rank) for i in new]
    if len(set(at)) < len(at):
        raise ValueError("repeated axis")
    for i in sorted(at):
        x = shaping.expand_dims(x, i)
    return x


@means(np.swapaxes, method="swapaxes")
def _swapaxes(a: TensorLike, axis1: int, axis2: int) -> object:
    order = list(range(len(operand(a).shape)))
    i, j = axis_of(axis1, len(order)), axis_of(axis2, len(order))
    order[i], order[j] = order[j], order[i]
    return shaping.transpose(a, order)


@means(np.moveaxis)
def _moveaxis(a: TensorLike, source: int | Sequence[int], destination: int | Sequence[int]) -> object:
    return shaping.transpose(a, _moved(len(operand(a).shape), source, destination))


def _moved(rank: int, source: int | Sequence[int], destination: int | Sequence[int]) -> list[int]:
    """The axes in the order that moves some of them; NumPy says which, and refuses what it does."""
    return [d - 2 for d in np.moveaxis(np.empty(range(2, rank + 2)), source, destination).shape]


@means(np.size)
def _size(a: object, axis: object = None) -> object:
    x = operand(a)
    if axis is None:
        return x.size  # type: ignore[attr-defined]
    dims = making.like_shape(x)
    total: object = 1
    for i in axis if isinstance(axis, tuple) else (axis,):
        total = total * dims[axis_of(i, len(dims))]
    return total


def _cast_to(dtype: DTypeLike | None, casting: Casting, values: list[Tensor]) -> list[Tensor]:
    """Operands of a function that joins them, as ``dtype=`` wants them; raises TypeError for what NumPy refuses."""
    if dtype is None:
        return values
    for x in values:
        if not np.can_cast(x.dtype.dtype, dtype, casting):
            raise TypeError(f"Cannot cast array data from {x.dtype.dtype!r} to {np.dtype(dtype)!r} by {casting!r}")
    return [cast(x, dtype) for x in values]


@means(np.concatenate, np.concat)
def _concatenate(
    arrays: Sequence[object], axis: int | None = 0, *, dtype: DTypeLike | None = None, casting: Casting = "same_kind"
) -> Tensor:
    if has_grown(arrays):
        arrays = [_all_of(arrays, axis)]
    values = _cast_to(dtype, casting, [operand(a) for a in arrays])
    if axis is None:
        return shaping.concat([shaping.reshape(x, [-1]) for x in values], 0)
    return shaping.concat(values, axis)


@means(np.stack)
def _stack(
    arrays: Sequence[object], axis: int = 0, *, dtype: DTypeLike | None = None, casting: Casting = "same_kind"
) -> object:
    if has_grown(arrays):
        (whole,) = _cast_to(dtype, casting, [operand(arrays)])
        return _moveaxis(whole, 0, axis)
    return shaping.stack(_cast_to(dtype, casting, [operand(a) for a in arrays]), axis)


def _all_of(arrays: object, axis: int | None) -> Tensor:
    """What a list of unknown length holds, one behind the other along an axis."""
    made = _behind_one_another(arrays)
    if made is None or axis_of(axis or 0, len(made.shape)) != 0:
        return _merged(operand(arrays), axis)
    return made


def _behind_one_another(arrays: object) -> Tensor | None:
    return arrays.concatenated() if isinstance(arrays, TensorList) else None


def _merged(x: Tensor, axis: int | None) -> Tensor:
    """Arrays that a list of unknown length holds, one behind the other along an axis."""
    if axis is None:
        return shaping.reshape(x, [-1])
    if len(x.shape) < 2:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    at = axis_of(axis, len(x.shape) - 1)
    x = _moveaxis(x, 0, at)
    dims = making.like_shape(x)
    return shaping.reshape(x, [*dims[:at], -1, *dims[at + 2 :]])


def _joining(rank: int, axis: int) -> Callable[..., object]:
    def meaning(tup: Sequence[object], *, dtype: DTypeLike | None = None, casting: Casting = "same_kind") -> object:
        if has_grown(tup):
            made = _behind_one_another(tup)
            if made is not None and ((len(made.shape) > 1 and axis == 0) or rank == len(made.shape) == 1):
                return _concatenate([made], dtype=dtype, casting=casting)
            whole = operand(tup)
            while len(whole.shape) < rank + 1:
                whole = whole[:, None]
            return _concatenate([_merged(whole, 0 if len(whole.shape) == 2 else axis)], dtype=dtype, casting=casting)
        values = [_of_rank(operand(x), rank) for x in tup]
        return _concatenate(values, 0 if len(values[0].shape) == 1 else axis, dtype=dtype, casting=casting)

    return meaning


def _of_rank(x: Tensor, rank: int) -> Tensor:
    """A tensor with this many dimensions at least."""
    count = len(x.shape)
    if count >= rank:
        return x
    if rank == 3:
        return x[None, ..., None] if count == 1 else x[..., None] if count else x[None, None, None]
    return x[(None,) * (rank - count)]


means(np.vstack)(_joining(2, 0))
means(np.hstack)(_joining(1, 1))
means(np.dstack)(lambda tup: _concatenate([_of_rank(operand(x), 3) for x in tup], 2))
for _function, _rank in ((np.atleast_1d, 1), (np.atleast_2d, 2), (np.atleast_3d, 3)):

    def _at_least(*arys: object, rank: int = _rank) -> object:
        made = tuple(_of_rank(operand(x), rank) for x in arys)
        return made[0] if len(made) == 1 else made

    means(_function)(_at_least)


@means(np.tile)
def _tile(A: object, reps: AxisLike) -> object:
    x = operand(A)
    times = tuple(int(r) for r in np.atleast_1d(np.asarray(reductions.axes(reps))))
    x = x[(None,) * max(len(times) - len(x.shape), 0)] if len(times) > len(x.shape) else x
    return shaping.tile(x, (1,) * (len(x.shape) - len(times)) + times)


def _filled(value: int) -> Callable[..., object]:
    def meaning(
        a: object, dtype: DTypeLike | None = None, order: str = "K", *, shape: ShapeLike | None = None
    ) -> Tensor:
        x = operand(a)
        kind = x.dtype if dtype is None else np.dtype(dtype)
        element = np.asarray(value, as_dtype(kind).dtype)
        return making.filled_like(x, EagerTensor(element)) if shape is None else making.fill(shape, element)

    return meaning


means(np.zeros_like)(_filled(0))
means(np.ones_like)(_filled(1))


@means(np.full_like)
def _full_like(
    a: object, fill_value: object, dtype: DTypeLike | None = None, order: str = "K", *, shape: ShapeLike | None = None
) -> object:
    x = operand(a)
    kind = x.dtype if dtype is None else np.dtype(dtype)
    value = fill_value if isinstance(fill_value, Tensor) else np.asarray(fill_value)
    if isinstance(value, np.ndarray):  # NumPy checks that an int fits, and truncates a float
        value = EagerTensor(np.full(value.shape, fill_value, as_dtype(kind).dtype))
    value = cast(value, kind)
    return making.filled_like(x, value) if shape is None else shaping.broadcast_to(value, shape)


# Diagonals.


@means(np.diagonal, method="diagonal")
def _diagonal(a: object, offset: int = 0, axis1: int = 0, axis2: int = 1) -> object:
    x = operand(a)
    if len(x.shape) < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = axis_of(axis1, len(x.shape)), axis_of(axis2, len(x.shape))
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    x = shaping.transpose(x, _moved(len(x.shape), (first, second), (-2, -1)))
    rows, columns = making.like_shape(x)[-2:]
    down, right = max(-offset, 0), max(offset, 0)
    count = _lesser(rows - down, columns - right)
    along = making.range(count, dtype=np.int64)
    return x[(..., along + down, along + right)]


def _lesser(a: Size, b: Size) -> Size:
    if isinstance(a, int) and isinstance(b, int):
        return max(min(a, b), 0)
    return mathematics.maximum(mathematics.minimum(a, b), 0)


@means(np.diag)
def _diag(v: object, k: int = 0) -> object:
    x = operand(v)
    if len(x.shape) == 2:
        return _diagonal(x, k)
    if len(x.shape) != 1:
        raise ValueError("Input must be 1- or 2-d.")
    made = apply(shape_ops.diag, x)
    return made if k == 0 else parts.pad(made, ((max(-k, 0), max(k, 0)), (max(k, 0), max(-k, 0))))


@means(np.trace, method="trace")
def _trace(a: object, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None) -> object:
    x = _diagonal(a, offset, axis1, axis2)
    return summed(x, -1, dtype)


def _triangle(op: Op) -> Callable[..., object]:
    def meaning(m: object, k: int = 0) -> object:
        x = operand(m)
        if x.shape.rank == 1:  # as often as it has elements
            x = shaping.broadcast_to(x, making.like_shape(x) * 2)
        return apply(op, x, k=int(k))

    return meaning


means(np.triu)(_triangle(shape_ops.triu))
means(np.tril)(_triangle(shape_ops.tril))
