"""Gradients of products and decompositions of matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.gradients.cells import Step, gradient, refused, zero
from runtime.gradients.rules.reduce import kept
from runtime.gradients.rules.shape import like_shape, rank_of
from runtime.gradients.things import broadcast
from runtime.graph.dtypes import int64
from runtime.ops import elementwise as ew, linalg, reduce, shape as shape_ops
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.shaping import reshape
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import Size

Given = Sequence[Tensor | None]


def turned(x: Tensor) -> Tensor:
    """Matrices with rows and columns exchanged, and conjugate."""
    rank = rank_of(x)
    return conjugate(apply(shape_ops.transpose, x, axes=(*range(rank - 2), rank - 1, rank - 2)))


def product(a: Tensor, b: Tensor) -> Tensor:
    return apply(linalg.matmul, a, b)


def _expanded(x: Tensor, axis: int) -> Tensor:
    return apply(shape_ops.expand_dims, x, axis=axis)


@gradient(linalg.matmul)
def matmul(step: Step, g: Tensor) -> Given:
    """Vectors are matrices of one row, or of one column."""
    a, b = step.inputs
    row, column = rank_of(a) == 1, rank_of(b) == 1
    left, right = _expanded(a, 0) if row else a, _expanded(b, 1) if column else b
    if row:
        g = _expanded(g, -1 if column else -2)
    if column:
        g = _expanded(g, -1)
    made: list[Tensor | None] = [None, None]
    if step.wanted[0]:
        made[0] = _of_vector(product(g, turned(right)), -2) if row else product(g, turned(right))
    if step.wanted[1]:
        made[1] = _of_vector(product(turned(left), g), -1) if column else product(turned(left), g)
    return made


def _of_vector(x: Tensor, axis: int) -> Tensor:
    return apply(shape_ops.squeeze, x, axis=(axis,))


@gradient(linalg.einsum)
def einsum(step: Step, g: Tensor) -> Given:
    """The same sum with the result in the place of the operand."""
    terms, result = _terms(step)
    made: list[Tensor | None] = []
    for number, (x, term) in enumerate(zip(step.inputs, terms)):
        if not step.wanted[number]:
            made.append(None)
            continue
        others = [i for i in range(len(terms)) if i != number]
        operands = [g, *(conjugate(step.inputs[i]) for i in others)]
        given = [result, *(terms[i] for i in others)]
        once = "".join(dict.fromkeys(term))  # an axis that an operand names twice is a diagonal of it
        lonely = [c for c in once if not any(c in t for t in given)]  # it was summed, and is the same all along
        for c in lonely:
            axis = term.index(c)
            size = x.type.shape[axis] if x.type.shape is not None else None
            if not isinstance(size, int):
                size = list(x.shape)[axis]
            operands.append(broadcast_ones(g, size))
            given.append(c)
        part = apply(linalg.einsum, *operands, equation=f"{','.join(given)}->{once}")
        made.append(part if once == term else _on_diagonal(part, x, once, term))
    return made


def broadcast_ones(g: Tensor, size: Size) -> Tensor:
    one = EagerTensor(np.ones((), g.type.dtype.dtype))
    if isinstance(size, int):
        return apply(shape_ops.fill, one, shape=(size,))
    return apply(shape_ops.fill, one, size, shape=(None,))


def _on_diagonal(part: Tensor, x: Tensor, once: str, term: str) -> Tensor:
    """What belongs to the elements of a tensor whose places along some axes are the same."""
    on = None
    for i, c in enumerate(term):
        if (first := term.index(c)) != i:
            a, b = _numbers(x, first), _numbers(x, i)
            here = apply(ew.equal, a, b)
            on = here if on is None else apply(ew.logical_and, on, here)
    wide = part
    for i, c in enumerate(term):
        if term.index(c) != i:
            wide = apply(shape_ops.expand_dims, wide, axis=i)
    assert on is not None
    return apply(ew.where, on, wide, zero(part))


def _numbers(x: Tensor, axis: int) -> Tensor:
    """The number of each element along an axis."""
    ones = broadcast(EagerTensor(np.ones((), np.int64)), x)
    return apply(reduce.cumsum, ones, axis=axis, exclusive=False, reverse=False, dtype=int64)


def _terms(step: Step) -> tuple[list[str], str]:
    """What the equation names of each operand, and of the result: an ellipsis becomes letters that it does not use."""
    text = step.attributes["equation"].replace(" ", "")
    left, arrow, result = text.partition("->")
    terms = left.split(",")
    if "..." in text:
        free = [c for c in _LETTERS if c not in text]
        most = max(rank_of(x) - len(t.replace("...", "")) for t, x in zip(terms, step.inputs) if "..." in t)
        rest = "".join(free[:most])
        ellipses = [rest[most - (rank_of(x) - len(t.replace("...", ""))) :] for t, x in zip(terms, step.inputs)]
        terms = [t.replace("...", e) for t, e in zip(terms, ellipses)]
        result = result.replace("...", rest) if arrow else result
        if not arrow:
            letters = left.replace("...", "").replace(",", "")
            result = rest + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        return terms, result
    if not arrow:
        letters = left.replace(",", "")
        result = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return terms, result


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@gradient(linalg.tensordot)
def tensordot(step: Step, g: Tensor) -> Given:
    a, b = step.inputs
    left, right = linalg.summed_axes(step.attributes["axes"], rank_of(a), rank_of(b))
    free_a = [i for i in range(rank_of(a)) if i not in left]
    free_b = [i for i in range(rank_of(b)) if i not in right]
    made: list[Tensor | None] = [None, None]
    if step.wanted[0]:  # the free axes of a, then those summed over in the order of b
        part = apply(linalg.tensordot, g, conjugate(b), axes=([*range(len(free_a), rank_of(g))], free_b))
        summed = [left[right.index(i)] for i in sorted(right)]
        made[0] = _in_order(part, [*free_a, *summed])
    if step.wanted[1]:
        part = apply(linalg.tensordot, conjugate(a), g, axes=(free_a, [*range(len(free_a))]))
        summed = [right[left.index(i)] for i in sorted(left)]
        made[1] = _in_order(part, [*summed, *free_b])
    return made


def _in_order(x: Tensor, places: Sequence[int]) -> Tensor:
    """A tensor with each axis in its place."""
    return apply(shape_ops.transpose, x, axes=tuple(int(i) for i in np.argsort(places)))


@gradient(linalg.outer)
def outer(step: Step, g: Tensor) -> Given:
    a, b = step.inputs
    flat_a, flat_b = reshape(a, [-1]), reshape(b, [-1])
    return [
        like_shape(product(g, conjugate(flat_b)), a) if step.wanted[0] else None,
        like_shape(product(conjugate(flat_a), g), b) if step.wanted[1] else None,
    ]


@gradient(linalg.inverse)
def inverse(step: Step, g: Tensor) -> Given:
    (y,) = step.outputs
    back = turned(y)
    return [apply(ew.negative, product(product(back, g), back))]


@gradient(linalg.cholesky)
def cholesky(step: Step, g: Tensor) -> Given:
    """Symmetric, as the matrix is."""
    (y,) = step.outputs
    back = apply(linalg.inverse, y)
    inner = apply(shape_ops.tril, product(turned(y), g), k=0)
    inner = inner - _diagonal(inner) * 0.5
    made = product(product(turned(back), inner), back)
    return [(made + turned(made)) * 0.5]


def _diagonal(x: Tensor) -> Tensor:
    return apply(shape_ops.tril, apply(shape_ops.triu, x, k=0), k=0)


@gradient(linalg.solve)
def solve(step: Step, g: Tensor) -> Given:
    a, b = step.inputs
    (x,) = step.outputs
    vector = rank_of(b) == 1
    wide = _expanded(g, -1) if vector else g
    back = apply(linalg.solve, turned(a), wide)
    known = _expanded(x, -1) if vector else x
    first = apply(ew.negative, product(back, turned(known))) if step.wanted[0] else None
    return [first, _of_vector(back, -1) if vector else back]


@gradient(linalg.det)
def det(step: Step, g: Tensor) -> Given:
    (x,), (y,) = step.inputs, step.outputs
    scale = _expanded(_expanded(g * conjugate(y), -1), -1)
    return [scale * turned(apply(linalg.inverse, x))]


@gradient(linalg.slogdet)
def slogdet(step: Step, sign: Tensor | None, log: Tensor | None) -> Given:
    """The logarithm follows the real part of what is added, relative to the determinant, and the sign the imaginary."""
    (x,), kind = step.inputs, step.inputs[0].type.dtype
    factor = None if log is None else apply(ew.cast, log, dtype=kind)
    if sign is not None and kind.is_complex:
        turn = apply(ew.cast, apply(ew.imag, conjugate(sign) * step.outputs[0]), dtype=kind) * -1j
        factor = turn if factor is None else factor + turn
    if factor is None:
        return [None]
    return [_expanded(_expanded(factor, -1), -1) * turned(apply(linalg.inverse, x))]


refused(
    "its row has no rule for one; matmul, inv, solve, cholesky, det, slogdet and norm have",
    linalg.qr, linalg.eigh, linalg.eigvalsh, linalg.svd, linalg.singular_values, linalg.lstsq, linalg.fourier,
)  # fmt: skip


@gradient(linalg.trace)
def trace(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    return [_diagonal(broadcast(_expanded(_expanded(g, -1), -1), x))]


@gradient(linalg.norm)
def norm(step: Step, g: Tensor) -> Given:
    """At zero, where it has a corner, the gradient is zero."""
    (x,), (y,) = step.inputs, step.outputs
    order = step.attributes["order"]
    top = kept(step, y)
    g = kept(step, g)
    flat = apply(ew.equal, top, zero(top))
    size = apply(ew.where, flat, zero(top) + 1, top)
    if order is None or (order == 2 and _of_vectors(step)):
        return [apply(ew.where, flat, zero(g), g / size) * x]
    if not _of_vectors(step) and order != "fro":
        raise LookupError(f"no gradient goes through the norm of matrices of order {order}: use norms of vectors")
    if order == "fro":
        return [apply(ew.where, flat, zero(g), g / size) * x]
    sign, far = apply(ew.sign, x), apply(ew.absolute, x)
    if order in (np.inf, -np.inf):
        chosen = apply(ew.equal, far, top)
        number = apply(
            reduce.reduce_sum, apply(ew.cast, chosen, dtype=far.type.dtype), axis=step.attributes["axis"],
            keepdims=True, dtype=far.type.dtype,
        )  # fmt: skip
        return [apply(ew.where, chosen, g / number, zero(g)) * sign]
    if order == 0:
        return [None]
    if order == 1:
        return [g * sign]
    share = apply(ew.where, flat, zero(far), (far / size) ** (order - 1))
    return [g * share * sign]


def _of_vectors(step: Step) -> bool:
    axis = step.attributes["axis"]
    (x,) = step.inputs
    if axis is None:
        return x.type.shape is not None and len(x.type.shape) == 1
    return isinstance(axis, int) or len(axis) == 1
