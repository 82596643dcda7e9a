"""Sums, extremes, means and the like along axes, as NumPy makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.op import Op
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew, reduce
from runtime.staging.numpy_protocol.meanings import ACCUMULATIONS, FUNCTIONS, REDUCTIONS, means, operand
from runtime.tensors import making, mathematics, reductions, shaping
from runtime.tensors.conversion import cast, of_dtype
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import AxisLike, DTypeLike, TensorLike

# Reductions: NumPy widens small integers.


def _axis(axis: AxisLike, x: Tensor) -> int | tuple[int, ...] | None:
    """An axis argument as an int, a tuple of ints or None; NumPy's arrays without dimensions have one here."""
    if axis is None or isinstance(axis, tuple):
        return axis
    found = reductions.axes(axis)
    return None if x.shape.rank == 0 and found in (0, -1) else found


def _sum_dtype(x: Tensor, dtype: DTypeLike | None) -> DType:
    if dtype is not None:
        return as_dtype(np.dtype(dtype))
    return as_dtype(np.sum(np.ones(1, x.dtype.dtype)).dtype)


def _mean_dtype(x: Tensor, dtype: DTypeLike | None) -> DType:
    if dtype is not None:
        return as_dtype(np.dtype(dtype))
    return as_dtype(np.mean(np.ones(1, x.dtype.dtype)).dtype)


def _only(x: Tensor, where: Any, otherwise: object) -> Tensor:
    """The elements for which a mask holds, and a number that changes nothing for the others."""
    if where is True:
        return x
    where = shaping.broadcast_to(where, making.like_shape(x))
    chosen: Tensor = mathematics.where(where, x, EagerTensor(np.asarray(otherwise, x.dtype.dtype)))
    return chosen


def _start(initial: object, dtype: DType) -> Tensor:
    """What a reduction starts with; a Python number must fit."""
    made: Tensor = cast(operand(initial), dtype) if hasattr(initial, "dtype") else of_dtype(initial, dtype)
    return made


def _folded(op: Op) -> Op:
    """What a reduction does with two elements."""
    assert op.fold is not None
    return op.fold


def _summing(op: Op) -> Callable[..., object]:
    combine = _folded(op)

    def meaning(
        a: object,
        axis: AxisLike = None,
        dtype: DTypeLike | None = None,
        keepdims: object = False,
        initial: object = None,
        where: object = True,
    ) -> Tensor:
        x = operand(a)
        kind = _sum_dtype(x, dtype)
        x = _only(x, where, combine.neutral)
        total = apply(op, x, axis=_axis(axis, x), keepdims=bool(keepdims), dtype=kind)
        return total if initial is None else apply(combine, _start(initial, kind), total)

    return meaning


summed = means(np.sum, method="sum")(_summing(reduce.reduce_sum))
means(np.prod, method="prod")(_summing(reduce.reduce_prod))


@means(np.mean, method="mean")
def _mean(
    a: object, axis: AxisLike = None, dtype: DTypeLike | None = None, keepdims: object = False, where: object = True
) -> object:
    x = operand(a)
    kind = _mean_dtype(x, dtype)
    if where is True:
        return apply(reduce.reduce_mean, x, axis=_axis(axis, x), keepdims=bool(keepdims), dtype=kind)
    total = apply(reduce.reduce_sum, _only(x, where, 0), axis=_axis(axis, x), keepdims=bool(keepdims), dtype=kind)
    return apply(ew.divide, total, cast(_count(x, axis, keepdims, where), kind))


def _count(x: Tensor, axis: AxisLike, keepdims: object, where: object = True) -> Tensor:
    """How many elements go into each result of a reduction."""
    ones = cast(shaping.broadcast_to(operand(where), making.like_shape(x)), np.int64)
    return apply(reduce.reduce_sum, ones, axis=_axis(axis, x), keepdims=bool(keepdims), dtype=as_dtype(np.int64))


def _extreme(op: Op) -> Callable[..., object]:
    combine = _folded(op)

    def meaning(
        a: object, axis: AxisLike = None, keepdims: object = False, initial: object = None, where: TensorLike = True
    ) -> object:
        x = operand(a)
        at = _axis(axis, x)
        if initial is None:
            if where is not True:
                raise ValueError(f"np.{op.name} with where= needs an `initial` value, for where nothing is chosen")
            return apply(op, x, axis=at, keepdims=bool(keepdims))
        start = _start(initial, x.dtype)
        if where is not True:
            x = mathematics.where(shaping.broadcast_to(where, making.like_shape(x)), x, start)
        found = apply(op, _with_one_more(x, at, start), axis=at, keepdims=bool(keepdims))
        return apply(combine, found, start)

    return meaning


def _with_one_more(x: Tensor, axis: int | tuple[int, ...] | None, element: Tensor) -> Tensor:
    """A tensor with this element behind the others along each axis that is reduced, so that none is missing."""
    rank = len(x.shape)
    for along in range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,):
        dims = making.like_shape(x)
        dims[axis_of(along, rank)] = 1
        x = shaping.concat([x, shaping.broadcast_to(element, dims)], along)
    return x


means(np.max, np.amax, method="max")(_extreme(reduce.reduce_max))
means(np.min, np.amin, method="min")(_extreme(reduce.reduce_min))


def _asking(op: Op) -> Callable[..., object]:
    def meaning(a: object, axis: AxisLike = None, keepdims: object = False, where: object = True) -> object:
        x = operand(a)
        if where is not True:
            x = _only(cast(x, np.bool), where, _folded(op).neutral)
        return apply(op, x, axis=_axis(axis, x), keepdims=bool(keepdims))

    return meaning


means(np.any, method="any")(_asking(reduce.reduce_any))
means(np.all, method="all")(_asking(reduce.reduce_all))

REDUCTIONS.update(
    {
        np.add: FUNCTIONS[np.sum],
        np.multiply: FUNCTIONS[np.prod],
        np.maximum: FUNCTIONS[np.max],
        np.minimum: FUNCTIONS[np.min],
        np.logical_or: FUNCTIONS[np.any],
        np.logical_and: FUNCTIONS[np.all],
    }
)


@means(np.var, method="var")
def _variance(
    a: object, axis: AxisLike = None, dtype: DTypeLike | None = None, ddof: float = 0, keepdims: object = False, *,
    where: object = True, mean: object = None, correction: float | None = None,
) -> object:  # fmt: skip
    if correction is not None and ddof:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    ddof = ddof if correction is None else correction
    x = operand(a)
    at = reductions.axes(axis)
    if where is True and mean is None and dtype is None and type(ddof) is int and ddof == 0:
        return apply(reduce.reduce_var, x, axis=at, keepdims=bool(keepdims))
    kind = _mean_dtype(x, dtype)
    x = x if x.dtype.is_complex else cast(x, kind)
    centre = _mean(x, at, kind, True, where) if mean is None else operand(mean)
    apart = mathematics.abs(x - centre)
    total = summed(apart * apart, at, apart.dtype, keepdims, where=where)
    free = mathematics.maximum(cast(_count(x, at, keepdims, where), total.dtype) - ddof, 0)
    return cast(total / free, total.dtype)


@means(np.std, method="std")
def _deviation(
    a: object, axis: AxisLike = None, dtype: DTypeLike | None = None, ddof: float = 0, keepdims: object = False, *,
    where: object = True, mean: object = None, correction: float | None = None,
) -> object:  # fmt: skip
    x = operand(a)
    if where is True and mean is None and dtype is None and type(ddof) is int and ddof == 0 and correction is None:
        return apply(
            reduce.reduce_std,
            x,
            axis=axis if axis is None or isinstance(axis, tuple) else reductions.axes(axis),
            keepdims=bool(keepdims),
        )
    return mathematics.sqrt(_variance(a, axis, dtype, ddof, keepdims, where=where, mean=mean, correction=correction))


def _position(op: Op) -> Callable[..., object]:
    def meaning(a: object, axis: Any = None, *, keepdims: object = False) -> Tensor:
        x = operand(a)
        axis = _axis(axis, x)
        found = apply(op, x, axis=axis, dtype=as_dtype(np.int64))
        if not keepdims:
            return found
        return shaping.expand_dims(found, axis) if axis is not None else shaping.reshape(found, [1] * len(x.shape))

    return meaning


means(np.argmax, method="argmax")(_position(reduce.argmax))
means(np.argmin, method="argmin")(_position(reduce.argmin))


def _cumulative(op: Op) -> Callable[..., object]:
    def meaning(a: object, axis: AxisLike = None, dtype: DTypeLike | None = None) -> object:
        x = operand(a)
        along = _axis(axis, x)
        if isinstance(along, tuple):
            raise TypeError(f"{op.name} goes along one axis, a whole number: not {axis!r}")
        x = shaping.reshape(x, [-1]) if along is None else x
        return apply(op, x, axis=along or 0, exclusive=False, reverse=False, dtype=_sum_dtype(x, dtype))

    return meaning


means(np.cumsum, method="cumsum")(_cumulative(reduce.cumsum))
means(np.cumprod, method="cumprod")(_cumulative(reduce.cumprod))
ACCUMULATIONS.update({np.add: FUNCTIONS[np.cumsum], np.multiply: FUNCTIONS[np.cumprod]})


def _including(function: object, first: int) -> Callable[..., object]:
    """By the name of the array API: an axis must be given, and what it begins with may be shown."""

    def meaning(
        x: object, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
    ) -> object:
        value = operand(x)
        if axis is None:
            if len(value.shape) != 1:
                raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
            axis = -1
        made = FUNCTIONS[function](value, axis, dtype)
        if not include_initial:
            return made
        total = made
        dims = making.like_shape(total)
        dims[axis_of(axis, len(dims))] = 1
        start = EagerTensor(np.asarray(first, total.dtype.dtype))
        return shaping.concat([shaping.broadcast_to(start, dims), total], axis)

    return meaning


if hasattr(np, "cumulative_sum"):  # since NumPy 2.1
    means(np.cumulative_sum)(_including(np.cumsum, 0))
    means(np.cumulative_prod)(_including(np.cumprod, 1))


@means(np.count_nonzero)
def _count_nonzero(a: object, axis: AxisLike = None, *, keepdims: object = False) -> object:
    x = operand(a)
    return reductions.count_nonzero(x, _axis(axis, x), bool(keepdims))
