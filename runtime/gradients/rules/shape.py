"""Gradients of what makes tensors, and of what changes their shape."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.gradients.cells import Step, constant, gradient, zero
from runtime.gradients.things import broadcast
from runtime.graph.dtypes import int64
from runtime.graph.shapes import axis_of, is_known
from runtime.ops import elementwise as ew, indexing, reduce, shape as shape_ops
from runtime.tensors.making import like_shape as dims_of
from runtime.tensors.operations import apply
from runtime.tensors.shaping import reshape
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import Size

Given = Sequence[Tensor | None]


def rank_of(x: Tensor) -> int:
    if x.type.shape is None:
        raise ValueError(
            "its gradient needs a tensor whose rank is known: tell it with tf.ensure_shape(x, [None, ...])"
        )
    return len(x.type.shape)


def like_shape(x: Tensor, other: Tensor) -> Tensor:
    """A tensor in the shape of another with as many elements."""
    if x.type.shape == other.type.shape and x.type.shape is not None:
        return x
    rank_of(other)
    return reshape(x, dims_of(other))


@gradient(shape_ops.fill)
def fill(step: Step, g: Tensor) -> Given:
    value, *rest = step.inputs
    if value.type.shape == ():
        return [apply(reduce.reduce_sum, g, axis=None, keepdims=False, dtype=g.type.dtype), *(None for _ in rest)]
    return [g, *(None for _ in rest)]


@gradient(shape_ops.reshape, shape_ops.squeeze, shape_ops.expand_dims)
def reshaped(step: Step, g: Tensor) -> Given:
    x, *rest = step.inputs
    return [like_shape(g, x), *(None for _ in rest)]


@gradient(shape_ops.broadcast_to)
def broadcast_to(step: Step, g: Tensor) -> Given:
    return [g, *(None for _ in step.inputs[1:])]


@gradient(shape_ops.identity, shape_ops.ensure_shape, passes=True)
def identity(_: Step, g: Tensor) -> Given:
    return [g]


@gradient(shape_ops.transpose)
def transpose(step: Step, g: Tensor) -> Given:
    axes = step.attributes["axes"]
    back = None if axes is None else tuple(int(i) for i in np.argsort([a % len(axes) for a in axes]))
    return [apply(shape_ops.transpose, g, axes=back)]


@gradient(shape_ops.concat)
def concat(step: Step, g: Tensor) -> Given:
    made: list[Tensor | None] = []
    rank = rank_of(g)
    axis = axis_of(step.attributes["axis"], rank)
    start: Size = 0
    for x, wanted in zip(step.inputs, step.wanted):
        size = x.type.shape[axis] if x.type.shape is not None else None
        if not isinstance(size, int):
            size = apply(shape_ops.length, x, axis=axis, dtype=int64)
        end = start + size
        made.append(_between(g, axis, start, end) if wanted else None)
        start = end
    return made


def _between(x: Tensor, axis: int, start: Size, end: Size) -> Tensor:
    given = [b for b in (start, end) if not isinstance(b, int)]
    bounds = [b if isinstance(b, int) else indexing.INPUT for b in (start, end)]
    return apply(indexing.getitem, x, *given, index=(*(slice(None),) * axis, slice(*bounds)))


@gradient(shape_ops.stack)
def stack(step: Step, g: Tensor) -> Given:
    axis = axis_of(step.attributes["axis"], rank_of(g))
    return [
        apply(indexing.getitem, g, index=(*(slice(None),) * axis, i)) if wanted else None
        for i, wanted in enumerate(step.wanted)
    ]


def _sum(x: Tensor, axes: Sequence[int]) -> Tensor:
    return apply(reduce.reduce_sum, x, axis=tuple(axes), keepdims=False, dtype=x.type.dtype)


@gradient(shape_ops.tile)
def tile(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    multiples = tuple(step.attributes["multiples"])
    rank = max(rank_of(x), len(multiples))
    dims = [1] * (rank - rank_of(x)) + dims_of(x)
    counts = [1] * (rank - len(multiples)) + list(multiples)
    apart = reshape(g, [size for pair in zip(counts, dims) for size in pair])
    return [like_shape(_sum(apart, range(0, 2 * rank, 2)), x)]


@gradient(shape_ops.repeat)
def repeat(step: Step, g: Tensor) -> Given:
    (x,), axis, count = step.inputs, step.attributes["axis"], step.attributes["repeats"]
    if axis is None:
        return [like_shape(_sum(reshape(g, [apply(shape_ops.size, x, dtype=int64), count]), [1]), x)]
    axis = axis_of(axis, rank_of(x))
    dims = dims_of(x)
    return [_sum(reshape(g, [*dims[: axis + 1], count, *dims[axis + 1 :]]), [axis + 1])]


@gradient(shape_ops.pad)
def pad(step: Step, g: Tensor) -> Given:
    index = tuple(slice(a, -b if b else None) for a, b in step.attributes["paddings"])
    return [apply(indexing.getitem, g, index=index)]


@gradient(shape_ops.reverse)
def reverse(step: Step, g: Tensor) -> Given:
    return [apply(shape_ops.reverse, g, axis=step.attributes["axis"])]


@gradient(shape_ops.roll)
def roll(step: Step, g: Tensor) -> Given:
    shift = step.attributes["shift"]
    back = tuple(-s for s in shift) if isinstance(shift, tuple) else -shift
    return [apply(shape_ops.roll, g, shift=back, axis=step.attributes["axis"])]


@gradient(shape_ops.range_)
def range_(step: Step, g: Tensor) -> Given:
    """``start + i * delta``; where it ends changes by whole elements."""
    number = apply(reduce.cumsum, ones(g), axis=0, exclusive=True, reverse=False, dtype=g.type.dtype)
    return [_sum(g, [0]), None, _sum(g * number, [0])]


def ones(x: Tensor) -> Tensor:
    return broadcast(EagerTensor(np.ones((), x.type.dtype.dtype)), x)


@gradient(shape_ops.linspace)
def linspace(step: Step, g: Tensor) -> Given:
    num, axis = step.attributes["num"], axis_of(step.attributes["axis"], rank_of(g))
    share = np.linspace(0, 1, num).reshape([num if a == axis else 1 for a in range(rank_of(g))])
    part = EagerTensor(share.astype(g.type.dtype.dtype))
    return [_sum(g * (1 - part), [axis]), _sum(g * part, [axis])]


@gradient(shape_ops.triu)
def triu(step: Step, g: Tensor) -> Given:
    return [apply(shape_ops.triu, g, k=step.attributes["k"])]


@gradient(shape_ops.tril)
def tril(step: Step, g: Tensor) -> Given:
    return [apply(shape_ops.tril, g, k=step.attributes["k"])]


@gradient(shape_ops.diag)
def diag(step: Step, g: Tensor) -> Given:
    """Of a vector a matrix is made, of a matrix a vector."""
    (x,) = step.inputs
    if rank_of(x) == 1:
        return [apply(shape_ops.diag, g)]
    rows, columns = (apply(shape_ops.length, x, axis=a, dtype=int64) for a in (0, 1))
    down = EagerTensor(np.asarray(0, np.int64))
    along = [
        apply(shape_ops.range_, down, size, down + 1, count=d if isinstance(d, int) else None, dtype=int64)
        for size, d in zip((rows, columns), x.type.shape)
    ]
    on = apply(ew.equal, apply(shape_ops.expand_dims, along[0], axis=1), along[1])
    if is_known(x.type.shape) and x.type.shape[0] <= x.type.shape[1]:
        wide = apply(shape_ops.expand_dims, g, axis=1)
    elif is_known(x.type.shape):
        wide = apply(shape_ops.expand_dims, g, axis=0)
    else:
        square = apply(shape_ops.diag, g)
        base = broadcast(zero(g), x)
        size = apply(shape_ops.length, g, axis=0, dtype=int64)
        part = slice(None, indexing.INPUT)
        return [apply(indexing.setitem, base, square, size, size, index=(part, part), how="set")]
    return [apply(ew.where, on, wide, zero(g))]


constant(
    shape_ops.bitcast, shape_ops.constant, shape_ops.stop_gradient, shape_ops.shape, shape_ops.size, shape_ops.rank,
    shape_ops.length, shape_ops.eye, shape_ops.one_hot, shape_ops.nonzero,
)  # fmt: skip
