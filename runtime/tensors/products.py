"""Products of tensors and other linear algebra, by TensorFlow's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.graph.dtypes import as_dtype, float32
from runtime.ops import linalg as linalg_ops, shape as shape_ops
from runtime.tensors.conversion import cast, operand, promote
from runtime.tensors.mathematics import _unary, conj
from runtime.tensors.operations import apply
from runtime.tensors.reductions import axes


def matrix_transpose(a: Any, name: str | None = None) -> Any:
    """The last two axes exchanged."""
    x = operand(a)
    rank = len(x.shape)
    return apply(shape_ops.transpose, x, axes=(*range(rank - 2), rank - 1, rank - 2))


def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The matrix product of the last two axes. Raises ValueError if columns and rows differ in number."""
    for letter, transposed, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transposed and adjoint:
            raise ValueError(f"Only one of transpose_{letter} and adjoint_{letter} can be True.")
    x, y = promote([operand(a), operand(b)])
    x = matrix_transpose(x) if transpose_a or adjoint_a else x
    y = matrix_transpose(y) if transpose_b or adjoint_b else y
    return apply(linalg_ops.matmul, conj(x) if adjoint_a else x, conj(y) if adjoint_b else y)


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Any:
    """The sum of products over the given axes."""
    x, y = promote([operand(a), operand(b)])
    return apply(linalg_ops.tensordot, x, y, axes=axes)


def einsum(equation: str, *inputs: Any, name: str | None = None, optimize: Any = None) -> Any:
    """Sums of products in Einstein's notation; `optimize` changes nothing but the order of the work in TensorFlow."""
    return apply(linalg_ops.einsum, *promote([operand(x) for x in inputs]), equation=equation)


def norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The norm over `axis`: of vectors along one, of matrices over two, of all elements as one vector by default.

    `ord` is ``"euclidean"`` (``"fro"``), a number, or infinity.
    """
    x, where = operand(tensor), axes(axis)
    if not (ord in ("euclidean", "fro") or isinstance(ord, int | float)):
        raise ValueError(f"norm with ord={ord!r}: it is 'euclidean', 'fro' or a number")
    order = None if ord in ("euclidean", "fro") else ord
    if not x.dtype.is_floating and not x.dtype.is_complex:
        x = cast(x, float32)
    dtype = as_dtype(np.abs(np.ones(1, x.dtype.dtype)).dtype)
    if where is None and order is not None:
        found = apply(
            linalg_ops.norm, apply(shape_ops.reshape, x, shape=(-1,)), order=order, axis=0, keepdims=False, dtype=dtype
        )
        return apply(shape_ops.reshape, found, shape=(1,) * len(x.shape)) if keepdims else found
    return apply(linalg_ops.norm, x, order=order, axis=where, keepdims=bool(keepdims), dtype=dtype)


def trace(x: Any, name: str | None = None) -> Any:
    """The sum of the diagonal."""
    return apply(linalg_ops.trace, operand(x))


inv = _unary(linalg_ops.inverse, "The inverse of a matrix.")
det = _unary(linalg_ops.det, "The determinant of a matrix.")
cholesky = _unary(linalg_ops.cholesky, "The Cholesky factor of a positive definite matrix.")


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """The `x` with ``matrix @ x == rhs``; with `adjoint`, of the conjugate transpose of the matrix."""
    a, b = promote([operand(matrix), operand(rhs)])
    return apply(linalg_ops.solve, conj(matrix_transpose(a)) if adjoint else a, b)
