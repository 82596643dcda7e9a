"""Gradients of reductions and scans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.gradients.cells import Step, constant, gradient, zero
from runtime.gradients.things import broadcast, cast, zeros_like
from runtime.graph.dtypes import DType, int64
from runtime.graph.shapes import axis_of, elements
from runtime.ops import elementwise as ew, indexing, reduce, shape as shape_ops
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import dimensions
from runtime.tensors.making import like_shape as dims_of
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.shaping import reshape
from runtime.tensors.tensor import EagerTensor, Tensor

Given = Sequence[Tensor | None]


def axes_of(step: Step) -> tuple[int, ...] | None:
    """The axes along which it reduces, as numbers from the front; None for all of a tensor of unknown rank."""
    (x, *_), axis = step.inputs, step.attributes["axis"]
    if x.type.shape is None:
        return axis if isinstance(axis, tuple) or axis is None else (axis,)
    rank = len(x.type.shape)
    if axis is None:
        return tuple(range(rank))
    return tuple(axis_of(a, rank) for a in (axis if isinstance(axis, tuple) else (axis,)))


def kept(step: Step, y: Tensor) -> Tensor:
    """A result with the axes along which it was reduced, of size 1."""
    axes, (x, *_) = axes_of(step), step.inputs
    if step.attributes["keepdims"] or not axes:
        return y
    if x.type.shape is None:  # negative axes count from the end, which is the same once all are there
        for axis in sorted(axes, key=lambda a: (a < 0, a if a >= 0 else -a)):
            y = apply(shape_ops.expand_dims, y, axis=axis)
        return y
    for axis in sorted(axes):
        y = apply(shape_ops.expand_dims, y, axis=axis)
    return y


def count(step: Step) -> Tensor:
    """How many elements go into one."""
    axes, (x, *_) = axes_of(step), step.inputs
    total: object = elements(None if x.type.shape is None or axes is None else tuple(x.type.shape[a] for a in axes))
    if not isinstance(total, int):
        total = apply(shape_ops.size, x, dtype=int64)
        if axes is not None and (x.type.shape is None or len(axes) < len(x.type.shape)):
            total = EagerTensor(np.int64(1))
            for axis in axes:
                total = total * apply(shape_ops.length, x, axis=axis, dtype=int64)
        return cast(total, _real(x))
    return EagerTensor(np.asarray(total, _real(x).dtype))


def _real(x: Tensor) -> DType:
    """The dtype of the parts of numbers."""
    return x.type.dtype if not x.type.dtype.is_complex else apply(ew.real, EagerTensor(zero(x).array)).type.dtype  # type: ignore[attr-defined]


@gradient(reduce.reduce_sum)
def total(step: Step, g: Tensor) -> Given:
    return [broadcast(kept(step, g), step.inputs[0])]


@gradient(reduce.reduce_mean)
def mean(step: Step, g: Tensor) -> Given:
    return [broadcast(kept(step, g / count(step)), step.inputs[0])]


@gradient(reduce.reduce_max, reduce.reduce_min, masks=True)
def extreme(step: Step, g: Tensor) -> Given:
    """Elements that are the largest together share it."""
    (x,), (y,) = step.inputs, step.outputs
    chosen = apply(ew.equal, x, kept(step, y))
    number = apply(
        reduce.reduce_sum, apply(ew.cast, chosen, dtype=g.type.dtype), axis=step.attributes["axis"], keepdims=True,
        dtype=g.type.dtype,
    )  # fmt: skip
    return [apply(ew.where, chosen, kept(step, g) / number, zero(g))]


@gradient(reduce.reduce_prod)
def product(step: Step, g: Tensor) -> Given:
    """The product of the other elements, which is more than the product by the element where there are zeros."""
    (x,) = step.inputs
    axes = axes_of(step)
    if x.type.shape is None or axes is None:
        return [kept(step, g) * conjugate(kept(step, step.outputs[0]) / x)]
    if not axes:
        return [g]
    rank = len(x.type.shape)
    order = [*(a for a in range(rank) if a not in axes), *axes]
    moved = apply(shape_ops.transpose, x, axes=tuple(order))
    flat = reshape(moved, [*(dims_of(moved)[: rank - len(axes)]), -1]) if 0 not in x.type.shape else None
    if flat is None:
        return [zeros_like(x)]  # type: ignore[list-item]
    options = {"axis": rank - len(axes), "dtype": x.type.dtype, "exclusive": True}
    before = apply(reduce.cumprod, flat, reverse=False, **options)
    after = apply(reduce.cumprod, flat, reverse=True, **options)
    others = reshape(before * after, dims_of(moved))
    back = apply(shape_ops.transpose, others, axes=tuple(int(i) for i in np.argsort(order)))
    return [step.times(broadcast(kept(step, g), x), conjugate(back))]


@gradient(reduce.reduce_std)
def deviation(step: Step, g: Tensor) -> Given:
    """Where all elements are the same, none changes it by a little."""
    (x,), (y,) = step.inputs, step.outputs
    number = count(step)
    flat = apply(ew.equal, y, zero(y))
    scale = apply(ew.where, flat, zero(g), g / (apply(ew.where, flat, zero(y) + 1, y) * number))
    return [_apart(step, x) * kept(step, scale)]


@gradient(reduce.reduce_var)
def variance(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    return [_apart(step, x) * kept(step, 2 * g / count(step))]


def _apart(step: Step, x: Tensor) -> Tensor:
    return x - apply(reduce.reduce_mean, x, axis=step.attributes["axis"], keepdims=True, dtype=x.type.dtype)


@gradient(reduce.reduce_logsumexp)
def logsumexp(step: Step, g: Tensor) -> Given:
    """What is infinite on both sides has no share."""
    (x,), (y,) = step.inputs, step.outputs
    top = kept(step, y)
    finite = apply(ew.is_finite, top)
    return [step.times(kept(step, g), conjugate(m.exp(x - apply(ew.where, finite, top, zero(top)))))]


def _reversed_sum(step: Step, x: Tensor) -> Tensor:
    a = step.attributes
    return apply(
        reduce.cumsum, x, axis=a["axis"], exclusive=a["exclusive"], reverse=not a["reverse"], dtype=x.type.dtype
    )


@gradient(reduce.cumsum)
def cumsum(step: Step, g: Tensor) -> Given:
    return [_reversed_sum(step, g)]


@gradient(reduce.cumprod)
def cumprod(step: Step, g: Tensor) -> Given:
    """Each element is in all products behind it: what comes before it, times sums of what comes between.

    The sums, ``s[i] = g[i] + x[i + 1] * s[i + 1]``, are found for all elements at once, over ever longer distances, so
    that no element is divided by: it may be zero.
    """
    (x,), (y,) = step.inputs, step.outputs
    axis, shape = step.attributes["axis"], x.type.shape
    if shape is None or not isinstance(size := shape[axis], int):
        return [_reversed_sum(step, g * conjugate(y)) / conjugate(x)]
    axis = axis_of(axis, len(shape))
    if step.attributes["reverse"]:
        x, g = (apply(shape_ops.reverse, v, axis=(axis,)) for v in (x, g))
    sums = _shifted(g, axis, 1) if step.attributes["exclusive"] else g
    factors = _shifted(conjugate(x), axis, 1)
    distance = 1
    while distance < size:
        sums = sums + factors * _shifted(sums, axis, distance)
        factors = factors * _shifted(factors, axis, distance)
        distance *= 2
    before = apply(reduce.cumprod, x, axis=axis, exclusive=True, reverse=False, dtype=x.type.dtype)
    made = sums * conjugate(before)
    return [apply(shape_ops.reverse, made, axis=(axis,)) if step.attributes["reverse"] else made]


def _shifted(x: Tensor, axis: int, by: int) -> Tensor:
    """The elements moved to the front along an axis, with zeros behind them."""
    assert x.type.shape is not None
    size = x.type.shape[axis]
    assert isinstance(size, int)
    by = min(by, size)
    rest = apply(indexing.getitem, x, index=(*(slice(None),) * axis, slice(by, None)))
    return apply(shape_ops.pad, rest, paddings=tuple((0, by * (a == axis)) for a in range(len(x.type.shape))), value=0)


@gradient(reduce.sum_to, reduce.sum_like)
def sum_to(step: Step, g: Tensor) -> Given:
    """It repeats what was summed, and sums what was repeated."""
    (x, *rest) = step.inputs
    if x.type.shape is None or g.type.shape is None:
        return [broadcast(g, x), *(None for _ in rest)]
    for _ in range(len(x.type.shape) - len(g.type.shape)):
        g = apply(shape_ops.expand_dims, g, axis=0)
    shape, sizes = dimensions(x.shape)
    return [apply(reduce.sum_to, g, *sizes, shape=shape), *(None for _ in rest)]


constant(reduce.reduce_any, reduce.reduce_all, reduce.argmax, reduce.argmin)
