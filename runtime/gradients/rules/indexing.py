"""Gradients of reading and updating parts of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from runtime.gradients.cells import Step, constant, gradient, zero
from runtime.gradients.rules.shape import like_shape, ones, rank_of
from runtime.gradients.things import Gradient, Part, broadcast
from runtime.graph.dtypes import float64, int64
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew, indexing, reduce, shape as shape_ops
from runtime.tensors.making import like_shape as sizes_like
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.shaping import reshape
from runtime.tensors.tensor import EagerTensor, Tensor

Given = Sequence[Tensor | Part | None]


@gradient(indexing.getitem, masks=True)
def getitem(step: Step, g: Tensor) -> Given:
    _, *given = step.inputs
    return [added_at(g, given, step.attributes["index"]), *(None for _ in given)]


def added_at(g: Tensor, given: Sequence[Tensor], index: object) -> Part:
    """The gradient of a part, to be added there."""

    def into(whole: Gradient) -> Gradient:
        return apply(indexing.setitem, whole, g, *given, index=index, how="add")

    return Part(into)


@gradient(indexing.setitem, masks=True)
def setitem(step: Step, g: Tensor) -> Given:
    """What was overwritten has no influence; of places that are set more than once, the last value has."""
    x, value, *given = step.inputs
    a = step.attributes
    if a["how"] != "set":
        places = _at_index(given, a["index"])
        return [*_combined(a["how"], x, value, step.outputs[0], g, places), *(None for _ in given)]
    part = apply(indexing.getitem, g, *given, index=a["index"]) if step.wanted[1] else None
    if part is not None and any(v.type.shape != () and not v.type.dtype.is_bool for v in given):
        part = part * _is_last(g, part, given, a["index"])
    rest = apply(indexing.setitem, g, zero(g), *given, index=a["index"], how="set") if step.wanted[0] else None
    return [rest, part, *(None for _ in given)]


def _is_last(g: Tensor, part: Tensor, given: Sequence[Tensor], index: object) -> Tensor:
    """1 for each element of a part that is still there when all are set, 0 for one that another has overwritten."""
    numbers = positions(part)
    written = apply(indexing.setitem, broadcast(zero(numbers), g), numbers, *given, index=index, how="set")
    there = apply(indexing.getitem, written, *given, index=index)
    return apply(ew.cast, apply(ew.equal, there, numbers), dtype=g.type.dtype)


def positions(x: Tensor) -> Tensor:
    """A number of its own for each element, from 1 on."""
    flat = reshape(apply(ew.cast, ones(x), dtype=float64), [-1])
    numbers = apply(reduce.cumsum, flat, axis=0, exclusive=False, reverse=False, dtype=float64)
    return like_shape(numbers, x)


@gradient(indexing.gather, masks=True)
def gather(step: Step, g: Tensor) -> Given:
    x, indices = step.inputs
    axis = axis_of(step.attributes["axis"], rank_of(x))
    part = added_at(g, [indices], (*(slice(None),) * axis, indexing.INPUT))
    return [replace(part, rows=None if axis else lambda: _rows(x, indices, g)), None]


def _rows(x: Tensor, indices: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Rows of a tensor one after the other, and their numbers."""
    return reshape(values, [-1, *sizes_like(x)[1:]]), reshape(indices, [-1])


@gradient(indexing.gather_nd, masks=True)
def gather_nd(step: Step, g: Tensor) -> Given:
    x, indices = step.inputs

    def into(whole: Gradient) -> Gradient:
        return apply(indexing.scatter, whole, indices, g, how="add")

    dims = indices.type.shape
    return [Part(into, (lambda: _rows(x, indices, g)) if dims is not None and dims[1:] == (1,) else None), None]


@gradient(indexing.scatter, masks=True)
def scatter(step: Step, g: Tensor) -> Given:
    x, indices, updates = step.inputs
    how = step.attributes["how"]
    if how != "set":
        whole, share = _combined(how, x, updates, step.outputs[0], g, _at_vectors(indices))
        return [whole, None, share]
    part = apply(indexing.gather_nd, g, indices) if step.wanted[2] else None
    if part is not None:
        numbers = positions(part)
        written = apply(indexing.scatter, broadcast(zero(numbers), g), indices, numbers, how="set")
        last = apply(ew.equal, apply(indexing.gather_nd, written, indices), numbers)
        part = part * apply(ew.cast, last, dtype=g.type.dtype)
    gone = broadcast(zero(updates), updates)
    rest = apply(indexing.scatter, g, indices, gone, how="set") if step.wanted[0] else None
    return [rest, None, part]


Parted = tuple[Tensor, Tensor]  # the gradients of the tensor, and of what comes to its places


class _Places(NamedTuple):
    """Places of a tensor: what takes what is there, and what combines values with that."""

    take: Callable[[Tensor], Tensor]
    put: Callable[[Tensor, Tensor, str], Tensor]


def _at_vectors(indices: Tensor) -> _Places:
    return _Places(
        lambda x: apply(indexing.gather_nd, x, indices),
        lambda x, values, how: apply(indexing.scatter, x, indices, values, how=how),
    )


def _at_index(given: Sequence[Tensor], index: object) -> _Places:
    return _Places(
        lambda x: apply(indexing.getitem, x, *given, index=index),
        lambda x, values, how: apply(indexing.setitem, x, values, *given, index=index, how=how),
    )


def _combined(how: str, x: Tensor, values: Tensor, y: Tensor, g: Tensor, at: _Places) -> Parted:
    if how not in _COMBINING:
        raise LookupError(f"no gradient goes through np.{indexing.combining(how).__name__}.at")
    return _COMBINING[how](x, values, y, g, at)


def _summed(x: Tensor, values: Tensor, y: Tensor, g: Tensor, at: _Places) -> Parted:
    return g, at.take(g)


def _subtracted(x: Tensor, values: Tensor, y: Tensor, g: Tensor, at: _Places) -> Parted:
    return g, -at.take(g)


def _extreme(x: Tensor, values: Tensor, y: Tensor, g: Tensor, at: _Places) -> Parted:
    """It goes to what the result is; where several are equal, each has a share."""
    kept = apply(ew.cast, apply(ew.equal, x, y), dtype=g.type.dtype)
    values = apply(ew.cast, values, dtype=y.type.dtype)
    taken = apply(ew.cast, apply(ew.equal, values, at.take(y)), dtype=g.type.dtype)
    shares = g / at.put(kept, taken, "add")
    return shares * kept, at.take(shares) * taken


def _multiplied(x: Tensor, values: Tensor, y: Tensor, g: Tensor, at: _Places) -> Parted:
    """The factor of each number is what all others make: those in its place may repeat, and may be zero."""
    flat = apply(ew.equal, values, zero(values))
    zeros = apply(ew.cast, flat, dtype=int64)
    others = apply(ew.where, flat, zero(values) + 1, values)
    whole = at.put(x, others, "mul")
    count = at.put(broadcast(zero(zeros), x), zeros, "add")
    gone = apply(ew.greater, at.take(count), zeros)
    part = at.take(g) * conjugate(at.take(whole) / others)
    rest = at.put(g, conjugate(values), "mul")
    return rest, apply(ew.where, gone, zero(part), part)


def _divided(x: Tensor, values: Tensor, y: Tensor, g: Tensor, at: _Places) -> Parted:
    divisors = conjugate(values)
    rest = at.put(g, divisors, "div")
    return rest, -at.take(g * conjugate(y)) / divisors


_COMBINING = {
    "add": _summed, "sub": _subtracted, "max": _extreme, "min": _extreme, "mul": _multiplied, "div": _divided,
}  # fmt: skip


@gradient(indexing.boolean_mask, masks=True)
def boolean_mask(step: Step, g: Tensor) -> Given:
    _, mask = step.inputs
    return [added_at(g, [mask], (*(slice(None),) * step.attributes["axis"], indexing.INPUT)), None]


def along_axis(x: Tensor, indices: Tensor, axis: int) -> tuple[list[Tensor], tuple[object, ...]]:
    """The index of the elements at these places along an axis."""
    given, rank = [], rank_of(x)
    for a in range(rank):
        if a == axis:
            given.append(indices)
            continue
        size = apply(shape_ops.length, indices, axis=a, dtype=int64)
        dim = indices.type.shape[a] if indices.type.shape is not None else None
        numbers = apply(
            shape_ops.range_, EagerTensor(np.asarray(0, np.int64)), size, EagerTensor(np.asarray(1, np.int64)),
            count=dim if isinstance(dim, int) else None, dtype=int64,
        )  # fmt: skip
        for other in range(rank):
            if other != a:
                numbers = apply(shape_ops.expand_dims, numbers, axis=other)
        given.append(numbers)
    return given, (indexing.INPUT,) * rank


@gradient(indexing.sort)
def sort(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    axis = axis_of(step.attributes["axis"], rank_of(x))
    given, index = along_axis(x, apply(indexing.argsort, x, axis=axis), axis)
    return [added_at(g, given, index)]


@gradient(indexing.top_k, masks=True)
def top_k(step: Step, g: Tensor | None, _: object) -> Given:
    (x,), (_, order) = step.inputs, step.outputs
    if g is None:
        return [None]
    given, index = along_axis(x, order, rank_of(x) - 1)
    return [added_at(g, given, index)]


@gradient(indexing.unique, masks=True)
def unique(step: Step, g: Tensor | None, _: object) -> Given:
    """Each distinct element is the first of those that are the same."""
    (x,), (values, _) = step.inputs, step.outputs
    if g is None:
        return [None]
    same = apply(ew.equal, apply(shape_ops.expand_dims, values, axis=1), x)
    return [added_at(g, [apply(reduce.argmax, same, axis=1, dtype=int64)], (indexing.INPUT,))]


constant(indexing.argsort, indexing.order_of_rows, indexing.searchsorted)
