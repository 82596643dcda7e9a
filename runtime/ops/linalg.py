"""Products and decompositions of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import DType, NumPyArray, as_dtype, int32
from runtime.graph.graph import Attributes, Node, TensorType
from runtime.graph.op import DO_NOT_FIT, always, kernel, op, show_attribute, where_shapes_are_known
from runtime.graph.shapes import Dim
from runtime.ops.reduce import Axis, reduced


def _matmul(a: TensorType, b: TensorType) -> TensorType:
    if a.shape is None or b.shape is None:
        return TensorType(a.dtype, None)
    if not a.shape or not b.shape:
        raise ValueError(f"matmul of {shapes.show(a.shape)} and {shapes.show(b.shape)}: a scalar has no rows; use *")
    inner, outer = a.shape[-1], b.shape[-2] if len(b.shape) > 1 else b.shape[0]
    if isinstance(inner, int) and isinstance(outer, int) and inner != outer:
        raise ValueError(
            f"matmul of {shapes.show(a.shape)} and {shapes.show(b.shape)}: {inner} columns meet {outer} rows"
        )
    batch = shapes.broadcast(a.shape[:-2], b.shape[:-2]) or ()
    rows = a.shape[-2:-1] if len(a.shape) > 1 else ()
    columns = b.shape[-1:] if len(b.shape) > 1 else ()
    return TensorType(a.dtype, (*batch, *rows, *columns))


def _product_name(node: Node) -> str:
    return "MatMul" if all(len(v.type.shape or (0, 0)) < 3 for v in node.inputs) else "BatchMatMulV2"


matmul = op(
    "matmul",
    _matmul,
    "{0} @ {1}",
    numpy=np.matmul,
    tf=_product_name,
    total=where_shapes_are_known,
    raises=(ValueError("matmul: Input operand 1 has a mismatch in its core dimension"),),
)


def _common_size(a: Dim, b: Dim) -> Dim:
    """The size that an axis of two operands has in a sum, where one that is 1 goes with any."""
    if a == 1 or a == b:
        return b
    if b == 1 or isinstance(a, int):
        return a
    return b if isinstance(b, int) else None


def _einsum(*xs: TensorType, equation: str, in_any_order: bool) -> TensorType:
    if any(x.shape is None for x in xs):
        return TensorType(xs[0].dtype, None)
    given, arrow, result = equation.replace(" ", "").partition("->")
    terms = given.split(",")
    if len(terms) != len(xs):
        raise ValueError(f"einsum {equation!r}: it names {len(terms)} operands, and is given {len(xs)}")
    if not arrow:
        letters = given.replace(",", "").replace(".", "")
        result = "..." * ("..." in given) + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    sizes: dict[str, Dim] = {}
    more = 0  # axes that "..." stands for; they are numbered from the last one on
    for term, x in zip(terms, xs):
        beyond = len(x.shape or ()) - len(term.replace("...", ""))
        if beyond < 0 or (beyond and "..." not in term):
            raise ValueError(f"einsum {equation!r}: {term!r} names {len(term)} axes of {shapes.show(x.shape)}")
        more = max(more, beyond)
        for letter, size in zip(_spelled(term, beyond), x.shape or ()):
            known = sizes.setdefault(letter, size)
            if isinstance(known, int) and isinstance(size, int) and known != size and 1 not in (known, size):
                raise ValueError(f"einsum {equation!r}: axis {letter!r} has {known} elements, and {size}")
            sizes[letter] = _common_size(known, size)
    if unknown := [c for c in _spelled(result, more) if c not in sizes]:
        raise ValueError(f"einsum {equation!r}: no operand has the axis {unknown[0]!r} of the result")
    return TensorType(xs[0].dtype, tuple(sizes[c] for c in _spelled(result, more)))


def _spelled(term: str, more: int) -> list[str]:
    """The axes of an operand, with numbers for those that ``...`` stands for, so that the last ones go together.

    >>> _spelled("a...b", 2)
    ['a', '2', '1', 'b']
    """
    head, dots, tail = term.partition("...")
    return [*head, *(str(number) for number in range(more if dots else 0, 0, -1)), *tail]


_LARGE = 2048  # elements that take longer to multiply one by one than to be laid out for a product of matrices


@kernel
def summed(equation: str, *xs: NumPyArray, in_any_order: bool) -> object:
    """Sums of products: large ones by products of matrices, if any order will do, as these are faster."""
    large = in_any_order and len(xs) > 1 and sum(map(np.size, xs)) >= _LARGE
    inexact = large and all(np.asarray(x).dtype.kind in "fc" and np.asarray(x).dtype.itemsize > 2 for x in xs)
    return np.einsum(equation, *xs, optimize=inexact)


def _shown_einsum(inputs: Sequence[str], attributes: Attributes) -> str:
    equation = show_attribute(attributes["equation"])
    if attributes["in_any_order"]:
        return f"summed({', '.join([equation, *inputs])}, in_any_order=True)"
    return f"np.einsum({', '.join([equation, *inputs])})"


einsum = op(
    "einsum", _einsum, "summed({equation}, {*}, in_any_order={in_any_order})", shares=always, render=_shown_einsum,
    total=where_shapes_are_known, raises=(DO_NOT_FIT,),
)  # fmt: skip


@kernel
def contracted(a: NumPyArray, b: NumPyArray, axes: Any) -> object:
    return np.tensordot(a, b, axes)


def summed_axes(axes: Any, a: int, b: int) -> tuple[list[int], list[int]]:
    """The axes over which `tensordot` of tensors of these ranks sums, in pairs, counted from the front."""
    if isinstance(axes, int):
        if axes > min(a, b):  # NumPy sums over none where it is negative
            raise ValueError(f"tensordot over {axes} axes of tensors of rank {a} and {b}: they have not so many")
        left, right = list(range(a - axes, a)), list(range(axes))
    else:
        left, right = ([x] if isinstance(x, int) else list(x) for x in axes)
    left, right = [shapes.axis_of(i, a) for i in left], [shapes.axis_of(i, b) for i in right]
    if len(left) != len(right) or len({*left}) < len(left) or len({*right}) < len(right):
        raise ValueError(f"tensordot over axes {left} and {right}: they go in pairs, and each is there once")
    return left, right


def _tensordot(a: TensorType, b: TensorType, *, axes: object) -> TensorType:
    if a.shape is None or b.shape is None:
        return TensorType(a.dtype, None)
    left, right = summed_axes(axes, len(a.shape), len(b.shape))
    for i, j in zip(left, right):
        m, n = a.shape[i], b.shape[j]
        if isinstance(m, int) and isinstance(n, int) and m != n:
            raise ValueError(
                f"tensordot of {shapes.show(a.shape)} and {shapes.show(b.shape)}: "
                f"axis {i} has {m} elements, axis {j} has {n}"
            )
    kept = [d for i, d in enumerate(a.shape) if i not in left]
    return TensorType(a.dtype, (*kept, *(d for i, d in enumerate(b.shape) if i not in right)))


tensordot = op(
    "tensordot", _tensordot, "contracted({0}, {1}, {axes})", total=where_shapes_are_known,
    raises=(ValueError("shape-mismatch for sum"),),
)  # fmt: skip


def _outer(a: TensorType, b: TensorType) -> TensorType:
    return TensorType(a.dtype, (shapes.elements(a.shape), shapes.elements(b.shape)))


outer = op("outer", _outer, "np.outer({0}, {1})")


def _same(x: TensorType, *_: TensorType, **__: object) -> TensorType:
    return TensorType(x.dtype, x.shape)


def square(x: TensorType) -> TensorType:
    """The same type, if these may be square matrices; raises LinAlgError with NumPy's words."""
    if x.shape is not None and len(x.shape) < 2:
        raise np.linalg.LinAlgError(f"{len(x.shape)}-dimensional array given. Array must be at least two-dimensional")
    if x.shape is not None and len(sizes := {d for d in x.shape[-2:] if isinstance(d, int)}) > 1:
        raise np.linalg.LinAlgError(
            f"Last 2 dimensions of the array must be square, not {' and '.join(map(str, sizes))}"
        )
    return _same(x)


inverse = op(
    "inverse", square, "np.linalg.inv({0})", tf="MatrixInverse", raises=(np.linalg.LinAlgError("Singular matrix"),)
)
cholesky = op(
    "cholesky", square, "np.linalg.cholesky({0})", raises=(np.linalg.LinAlgError("Matrix is not positive definite"),)
)


def _solve(a: TensorType, b: TensorType) -> TensorType:
    square(a)
    if a.shape is not None and b.shape:
        columns, rows = a.shape[-1], b.shape[-1 if len(b.shape) == 1 else -2]
        if isinstance(columns, int) and isinstance(rows, int) and columns != rows:
            raise ValueError(
                f"solve of {shapes.show(a.shape)} and {shapes.show(b.shape)}: {columns} unknowns, {rows} rows"
            )
    return TensorType(b.dtype, b.shape)


solve = op(
    "solve", _solve, "np.linalg.solve({0}, {1})", tf="MatrixSolve", raises=(np.linalg.LinAlgError("Singular matrix"),)
)


def _det(x: TensorType) -> TensorType:
    square(x)
    return TensorType(x.dtype, None if x.shape is None else x.shape[:-2])


det = op("det", _det, "np.linalg.det({0})", tf="MatrixDeterminant")


def _norm(x: TensorType, *, order: float | int | None, axis: Axis, keepdims: bool, dtype: DType) -> TensorType:
    if order is not None and x.shape is not None:
        np.linalg.norm(np.ones((1,) * len(x.shape)), order, axis)  # raises where these have no such norm
    return TensorType(dtype, reduced(x.shape, axis, keepdims))


def _decomposable(x: NumPyArray) -> NumPyArray:
    """A matrix for LAPACK's singular values, which may never end where an element is infinite: of NaN it says so."""
    infinite = np.isinf(x)
    return np.where(infinite, x.dtype.type(np.nan), x) if infinite.any() else x


@kernel
def norm_of(x: NumPyArray, order: float | int | None, axis: Axis, keepdims: bool, dtype: type) -> object:
    if x.dtype.kind != "c":
        x = x.astype(dtype)  # small numbers have squares in the dtype of the norm
    if order is None:
        return np.sqrt(np.sum(np.square(np.abs(x)), axis=axis, keepdims=keepdims)).astype(dtype)
    two = x.ndim if axis is None else np.size(axis)
    if two == 2 and order in (2, -2, "nuc"):
        x = _decomposable(x)
    return np.linalg.norm(x, order, axis, keepdims).astype(dtype)


norm = op("norm", _norm, "norm_of({0}, {order}, {axis}, {keepdims}, {dtype})")


def _trace(x: TensorType) -> TensorType:
    return TensorType(x.dtype, None if x.shape is None else x.shape[:-2])


trace = op("trace", _trace, "np.trace({0}, axis1=-2, axis2=-1, dtype=np.asarray({0}).dtype)")


# Decompositions. LAPACK has them, by way of NumPy, which also says of what dtype they are.


def _at_least_matrices(x: TensorType) -> tuple[Dim, ...] | None:
    """The shape of matrices; raises LinAlgError with NumPy's words for what has fewer axes."""
    if x.shape is not None and len(x.shape) < 2:
        raise np.linalg.LinAlgError(f"{len(x.shape)}-dimensional array given. Array must be at least two-dimensional")
    return x.shape


def _real(dtype: DType) -> DType:
    return as_dtype(np.zeros(0, dtype.dtype).real.dtype)


def _lesser(a: Dim, b: Dim) -> Dim:
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else a if a == b else None


def _slogdet(x: TensorType) -> tuple[TensorType, TensorType]:
    dims = _det(x).shape
    return TensorType(x.dtype, dims), TensorType(_real(x.dtype), dims)


@kernel
def sign_and_log(x: NumPyArray) -> tuple[object, object]:
    sign, log = np.linalg.slogdet(x)
    return sign, log


slogdet = op("slogdet", _slogdet, "sign_and_log({0})", tf="LogMatrixDeterminant")


def _qr(x: TensorType, *, mode: str) -> tuple[TensorType, TensorType]:
    dims = _at_least_matrices(x)
    if dims is None:
        return TensorType(x.dtype, None), TensorType(x.dtype, None)
    *batch, rows, columns = dims
    rank = rows if mode == "complete" else _lesser(rows, columns)
    return TensorType(x.dtype, (*batch, rows, rank)), TensorType(x.dtype, (*batch, rank, columns))


@kernel
def orthogonal(x: NumPyArray, mode: str) -> tuple[object, object]:
    made = np.linalg.qr(x, mode)  # type: ignore[call-overload]
    return tuple(made)


qr = op("qr", _qr, "orthogonal({0}, {mode})", tf="Qr")


def _eigenvalues(x: TensorType, *, lower: bool) -> TensorType:
    square(x)
    return TensorType(_real(x.dtype), None if x.shape is None else x.shape[:-1])


def _eigh(x: TensorType, *, lower: bool) -> tuple[TensorType, TensorType]:
    return _eigenvalues(x, lower=lower), square(x)


@kernel
def eigenvectors(x: NumPyArray, lower: bool) -> tuple[object, object]:
    values, vectors = np.linalg.eigh(x, "L" if lower else "U")
    return values, vectors


@kernel
def eigenvalues(x: NumPyArray, lower: bool) -> object:
    return np.linalg.eigvalsh(x, "L" if lower else "U")


eigh = op("eigh", _eigh, "eigenvectors({0}, {lower})", tf="SelfAdjointEigV2")
eigvalsh = op("eigvalsh", _eigenvalues, "eigenvalues({0}, {lower})", tf="SelfAdjointEigV2")


def _singular_values(x: TensorType) -> TensorType:
    dims = _at_least_matrices(x)
    return TensorType(_real(x.dtype), None if dims is None else (*dims[:-2], _lesser(*dims[-2:])))


def _svd(x: TensorType, *, full_matrices: bool) -> tuple[TensorType, TensorType, TensorType]:
    values, dims = _singular_values(x), x.shape
    if dims is None or values.shape is None:
        return TensorType(x.dtype, None), values, TensorType(x.dtype, None)
    *batch, rows, columns = dims
    rank = values.shape[-1]
    left, right = (rows, columns) if full_matrices else (rank, rank)
    return TensorType(x.dtype, (*batch, rows, left)), values, TensorType(x.dtype, (*batch, right, columns))


@kernel
def singular(x: NumPyArray, full_matrices: bool) -> tuple[object, object, object]:
    u, s, vh = np.linalg.svd(_decomposable(x), full_matrices)
    return u, s, vh


@kernel
def singular_values_of(x: NumPyArray) -> object:
    return np.linalg.svd(_decomposable(x), compute_uv=False)


svd = op("svd", _svd, "singular({0}, {full_matrices})", tf="Svd")
singular_values = op("singular_values", _singular_values, "singular_values_of({0})", tf="Svd")


def _lstsq(a: TensorType, b: TensorType, *, rcond: float | None) -> tuple[TensorType, ...]:
    rows, columns = _matrix(a, "first")
    if b.shape is not None and len(b.shape) not in (1, 2):
        raise np.linalg.LinAlgError(f"{len(b.shape)}-dimensional array given. Array must be two-dimensional")
    if b.shape and isinstance(rows, int) and isinstance(b.shape[0], int) and rows != b.shape[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    found = None if b.shape is None else (columns, *b.shape[1:])
    real = _real(a.dtype)
    return (
        TensorType(a.dtype, found), TensorType(real, (None,)), TensorType(int32, ()),
        TensorType(real, (_lesser(rows, columns),)),
    )  # fmt: skip


def _matrix(x: TensorType, which: str) -> tuple[Dim, Dim]:
    if x.shape is None:
        return None, None
    if len(x.shape) != 2:
        raise np.linalg.LinAlgError(f"{len(x.shape)}-dimensional array given. Array must be two-dimensional")
    return x.shape[0], x.shape[1]


@kernel
def least_squares(a: NumPyArray, b: NumPyArray, rcond: float | None) -> tuple[object, ...]:
    x, rest, rank, values = np.linalg.lstsq(_decomposable(a), _decomposable(b), rcond)
    return x, rest, np.int32(rank), values


lstsq = op("lstsq", _lstsq, "least_squares({0}, {1}, {rcond})")


def _complex(x: TensorType) -> DType:
    return as_dtype(np.result_type(x.dtype.dtype, np.complex64))


def _eigvals(x: TensorType) -> TensorType:
    square(x)
    return TensorType(_complex(x), None if x.shape is None else x.shape[:-1])


def _eig(x: TensorType) -> tuple[TensorType, TensorType]:
    return _eigvals(x), TensorType(_complex(x), square(x).shape)


@kernel
def eigenvalues_of_any(x: NumPyArray) -> object:
    return np.linalg.eigvals(x).astype(np.result_type(x.dtype, np.complex64))


@kernel
def eigenvectors_of_any(x: NumPyArray) -> tuple[object, object]:
    kind = np.result_type(x.dtype, np.complex64)
    values, vectors = np.linalg.eig(x)
    return values.astype(kind), vectors.astype(kind)


eigvals = op("eigvals", _eigvals, "eigenvalues_of_any({0})", tf="Eig")
eig = op("eig", _eig, "eigenvectors_of_any({0})", tf="Eig")


def square_matrices(x: NumPyArray) -> NumPyArray:
    """Square matrices one after another; raises LinAlgError with NumPy's words for others."""
    if x.shape[-1] != x.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    return x.reshape(math.prod(x.shape[:-2]), *x.shape[-2:])


def _lu(x: TensorType, *, dtype: DType) -> tuple[TensorType, TensorType]:
    return square(x), TensorType(dtype, None if x.shape is None else x.shape[:-1])


@kernel
def triangles(x: NumPyArray, dtype: type) -> tuple[object, object]:
    """By elimination, column by column, for all matrices at once: the largest of a column divides what is below it."""
    n = x.shape[-1]
    flat = square_matrices(x).copy()
    rows, each = np.tile(np.arange(n, dtype=dtype), (len(flat), 1)), np.arange(len(flat))
    for k in range(n):
        largest = k + np.argmax(np.abs(flat[:, k:, k]), axis=1)
        for part in (flat, rows):
            part[each, largest], part[:, k] = part[:, k].copy(), part[each, largest]
        if not np.all(flat[:, k, k]):
            raise np.linalg.LinAlgError("Singular matrix")
        flat[:, k + 1 :, k] /= flat[:, k, k, None]
        flat[:, k + 1 :, k + 1 :] -= flat[:, k + 1 :, k, None] * flat[:, None, k, k + 1 :]
    return flat.reshape(x.shape), rows.reshape(x.shape[:-1])


lu = op("lu", _lu, "triangles({0}, {dtype})", tf="Lu")


# Fourier transforms.


def _transformed(x: TensorType, *, function: str, count: int | None, axis: int, norm: str | None) -> TensorType:
    dtype = as_dtype(getattr(np.fft, function)(np.ones(2, x.dtype.dtype)).dtype)
    if x.shape is None:
        return TensorType(dtype, None)
    at = shapes.axis_of(axis, len(x.shape))
    size: Dim = x.shape[at] if count is None else count
    if count is None and function == "irfft":
        size = None if not isinstance(size, int) else 2 * (size - 1)
    if isinstance(size, int) and size < 1:
        raise ValueError(f"Invalid number of FFT data points ({size}) specified.")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if function == "rfft":
        size = size // 2 + 1 if isinstance(size, int) else None
    return TensorType(dtype, (*x.shape[:at], size, *x.shape[at + 1 :]))


@kernel
def transformed(x: NumPyArray, function: str, count: int | None, axis: int, norm: str | None) -> object:
    return getattr(np.fft, function)(x, count, axis, norm)


fourier = op(
    "fourier",
    _transformed,
    "transformed({0}, {function}, {count}, {axis}, {norm})",
    tf=lambda node: node.attributes["function"].upper(),
)
