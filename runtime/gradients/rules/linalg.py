"""Gradients of products and decompositions of matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.gradients.cells import Step, gradient, refused, zero
from runtime.gradients.rules.reduce import kept
from runtime.gradients.rules.shape import like_shape, rank_of
from runtime.gradients.things import Gradient, broadcast, zeros_like
from runtime.graph import shapes
from runtime.graph.dtypes import int64
from runtime.graph.op import Op
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew, indexing, linalg, matrix_functions, reduce, shape as shape_ops
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.shaping import reshape, unknown_yet
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
        part = apply(linalg.einsum, *operands, **{**step.attributes, "equation": f"{','.join(given)}->{once}"})
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
    """The number of each element along an axis, from 1 on."""
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


refused("its row has no rule for one: say linalg.solve of the normal equations", linalg.lstsq)


refused(
    "its row has no rule for one: of matrices that equal their adjoints, linalg.eigh has", linalg.eig, linalg.eigvals
)


@gradient(matrix_functions.expm, matrix_functions.sqrtm, matrix_functions.logm)
def of_matrices(step: Step, g: Tensor) -> Given:
    """The function of matrices with a change beside them has in its place how they change."""
    (x,) = step.inputs
    last, adjoint = rank_of(x) - 1, turned(x)
    above = apply(shape_ops.concat, adjoint, g, axis=last)
    below = apply(shape_ops.concat, zeros_like(x), adjoint, axis=last)
    whole = apply(step.op, apply(shape_ops.concat, above, below, axis=last - 1))
    size = apply(shape_ops.length, x, axis=-1, dtype=int64)
    return [_from(_up_to(whole, size, -2), size)]


@gradient(linalg.lu)
def lu(step: Step, g: Tensor | None, rows: Tensor | None) -> Given:
    """By the two triangles: what is above the diagonal, with it, and what is below."""
    (x,), (both, order) = step.inputs, step.outputs
    assert g is not None
    one = _on_the_diagonal(broadcast(EagerTensor(np.ones((), x.type.dtype.dtype)), order))
    lower, upper = apply(shape_ops.tril, both, k=-1) + one, apply(shape_ops.triu, both, k=0)
    inner = apply(shape_ops.tril, product(turned(lower), apply(shape_ops.tril, g, k=-1)), k=-1)
    inner = inner + apply(shape_ops.triu, product(apply(shape_ops.triu, g, k=0), turned(upper)), k=0)
    moved = apply(linalg.solve, turned(lower), inner)
    moved = turned(apply(linalg.solve, upper, turned(moved)))
    # Row k of the product is row order[k] of the matrix.
    numbers = _of_kind(_numbers(order, rank_of(order) - 1), order) - 1
    chosen = apply(ew.equal, _expanded(order, -2), _expanded(numbers, -1))
    return [product(_of_kind(chosen, x), moved)]


def _on_the_diagonal(values: Tensor) -> Tensor:
    """Matrices with these numbers on their diagonals, and zeros around them."""
    rows = _expanded(values, -1)
    return _diagonal(broadcast(rows, rows * _expanded(values, -2)))


def _spread(values: Tensor) -> Tensor:
    """One over the difference of each pair of numbers, that of the column less that of the row; 0 if these agree."""
    apart = _expanded(values, -2) - _expanded(values, -1)
    same = apply(ew.equal, apart, zero(apart))
    safe = apply(ew.where, same, zero(apart) + 1, apart)
    return apply(ew.where, same, zero(apart), safe / (safe * safe + 1e-20))  # no more than rounding parts some of them


def _of_kind(x: Tensor, like_this: Tensor) -> Tensor:
    return apply(ew.cast, x, dtype=like_this.type.dtype)


def _of_eigenvalues(values: Tensor, vectors: Tensor, g: Tensor | None, around: Tensor | None, lower: bool) -> Tensor:
    """By the half of the matrix that is read: each number beside the diagonal stands for two."""
    inner = None if g is None else _on_the_diagonal(_of_kind(g, vectors))
    if around is not None:
        turn = _of_kind(_spread(values), vectors) * product(turned(vectors), around)
        inner = turn if inner is None else inner + turn
    assert inner is not None
    whole = product(product(vectors, inner), turned(vectors))
    whole = whole + turned(whole)
    half = apply(shape_ops.tril, whole, k=0) if lower else apply(shape_ops.triu, whole, k=0)
    return half - _diagonal(half) * 0.5


@gradient(linalg.eigh)
def eigh(step: Step, g: Tensor | None, around: Tensor | None) -> Given:
    values, vectors = step.outputs
    return [_of_eigenvalues(values, vectors, g, around, step.attributes["lower"])]


@gradient(linalg.eigvalsh)
def eigvalsh(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    lower = step.attributes["lower"]
    values, vectors = _several(linalg.eigh, x, lower=lower)
    return [_of_eigenvalues(values, vectors, g, None, lower)]


def _several(op: Op, x: Tensor, **attributes: object) -> Sequence[Tensor]:
    """The results of an operation that has more than one."""
    return list(apply(op, x, **attributes))


@gradient(linalg.svd)
def svd(step: Step, left: Tensor | None, g: Tensor | None, right: Tensor | None) -> Given:
    """Of the vectors that belong to singular values; further ones may be turned as one likes."""
    (x,), (u, s, vh) = step.inputs, step.outputs
    if step.attributes["full_matrices"] and not _is_square(x) and (left is not None or right is not None):
        if x.type.shape is None or None in x.type.shape[-2:]:
            raise unknown_yet("svd: say full_matrices=False for a gradient, or matrices whose size is known")
        raise LookupError(
            f"no gradient goes through the vectors of svd with full_matrices=True of {shapes.show(x.type.shape)}: "
            "those beyond the singular values are not determined. Say full_matrices=False."
        )
    if step.attributes["full_matrices"] and not _is_square(x):
        u, s, vh = _several(linalg.svd, x, full_matrices=False)
    return [_of_singular(u, s, vh, left, g, None if right is None else turned(right))]


@gradient(linalg.singular_values)
def singular_values(step: Step, g: Tensor) -> Given:
    u, s, vh = _several(linalg.svd, step.inputs[0], full_matrices=False)
    return [_of_singular(u, s, vh, None, g, None)]


def _is_square(x: Tensor) -> bool:
    return x.type.shape is not None and x.type.shape[-1] == x.type.shape[-2] is not None


def _of_singular(
    u: Tensor, s: Tensor, vh: Tensor, left: Tensor | None, g: Tensor | None, right: Tensor | None
) -> Tensor:
    """What turns the vectors within the spaces that they span, and what turns them out of these."""
    sizes, spread = _of_kind(s, u), _of_kind(_spread(s * s), u)
    columns, rows = _expanded(sizes, -2), _expanded(sizes, -1)
    inner = _on_the_diagonal(zero(sizes) * sizes if g is None else _of_kind(g, u))
    outer = None
    if left is not None:
        turn = product(turned(u), left)
        inner = inner + spread * (turn - turned(turn)) * columns
        if u.type.dtype.is_complex:
            inner = inner + _diagonal(turn - turned(turn)) / (2 * columns)
        outer = product((left - product(u, turn)) / columns, vh)
    if right is not None:
        turn = product(vh, right)
        inner = inner + rows * spread * (turn - turned(turn))
        rest = product(u / columns, turned(right - product(turned(vh), turn)))
        outer = rest if outer is None else outer + rest
    made = product(product(u, inner), vh)
    return made if outer is None else made + outer


@gradient(linalg.qr)
def qr(step: Step, left: Tensor | None, right: Tensor | None) -> Given:
    """Of wide matrices, the first columns decide what the others become."""
    (x,), (q, r) = step.inputs, step.outputs
    rows, width = (x.type.shape or (None, None))[-2:]
    beyond = rows - width if isinstance(rows, int) and isinstance(width, int) else None
    if beyond is not None and beyond > 0 and step.attributes["mode"] == "complete":
        raise LookupError(
            f"no gradient goes through qr with full_matrices=True, or mode='complete', of {rows} rows and {width} "
            "columns: the further columns are not determined. Say full_matrices=False, or mode='reduced'."
        )
    if beyond is not None and beyond >= 0:
        return [_of_triangle(q, r, left, right)]
    count = apply(shape_ops.length, r, axis=-2, dtype=int64)
    further = _from(x, count)
    if right is None:
        rest: Gradient = zeros_like(further)
    else:
        moved = product(further, turned(_from(right, count)))
        left = moved if left is None else left + moved
        rest = product(q, _from(right, count))
    made = _of_triangle(q, _up_to(r, count, -1), left, None if right is None else _up_to(right, count, -1))
    return [apply(shape_ops.concat, made, rest, axis=rank_of(x) - 1)]


def _up_to(x: Tensor, count: Tensor, axis: int) -> Tensor:
    """The first elements along an axis."""
    return apply(indexing.getitem, x, count, index=_until(x, axis))


def _until(x: Tensor, axis: int) -> tuple[object, ...]:
    return (*[slice(None)] * axis_of(axis, rank_of(x)), slice(None, indexing.INPUT))


def _from(x: Tensor, count: Tensor) -> Tensor:
    """The columns from this one on."""
    return apply(indexing.getitem, x, count, index=(Ellipsis, slice(indexing.INPUT, None)))


def _of_triangle(q: Tensor, r: Tensor, left: Tensor | None, right: Tensor | None) -> Tensor:
    inner = None if right is None else product(right, turned(r))
    if left is not None:
        turn = product(turned(q), left)
        inner = -turn if inner is None else inner - turn
    assert inner is not None
    inner = apply(shape_ops.triu, inner, k=0)
    inner = inner + turned(inner)
    made = product(q, inner - _diagonal(inner) * 0.5)
    made = made if left is None else made + left
    return turned(apply(linalg.solve, r, turned(made)))


_SWAPPED = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


@gradient(linalg.fourier)
def fourier(step: Step, g: Tensor) -> Given:
    """The opposite transform, without its factor where this one has none."""
    (x,), a = step.inputs, step.attributes
    axis, function, points = axis_of(a["axis"], rank_of(x)), a["function"], a["count"]
    more = {"axis": axis, "norm": _SWAPPED[a["norm"]]}
    if function in ("fft", "ifft"):
        made = apply(linalg.fourier, g, function="ifft" if function == "fft" else "fft", count=None, **more)
    elif function == "rfft":
        whole = g if points is not None else _fitted(g, x, axis)
        made = apply(linalg.fourier, whole, function="ifft", count=points, **more)
    else:  # the first stands for itself, the one in the middle does too, and each of the others for two
        made = apply(linalg.fourier, g, function="rfft", count=None, **more)
        number = _numbers(made, axis) - 1
        size = apply(shape_ops.length, g, axis=axis, dtype=int64)
        alone = apply(ew.logical_or, apply(ew.equal, number, number * 0), apply(ew.equal, number * 2, size))
        made = made * apply(ew.where, alone, zero(made) + 1, zero(made) + 2)
    return [_fitted(made, x, axis)]


def _fitted(made: Tensor, x: Tensor, axis: int) -> Tensor:
    """As many elements along an axis as another tensor has: the first, or zeros behind those that there are."""
    have, wanted = made.type.shape, x.type.shape
    if have is not None and wanted is not None and have[axis] == wanted[axis] is not None:
        return made
    first = _up_to(made, apply(shape_ops.length, x, axis=axis, dtype=int64), axis)
    count = apply(shape_ops.length, first, axis=axis, dtype=int64)
    return apply(indexing.setitem, broadcast(zero(made), x), first, count, index=_until(x, axis), how="set")


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
