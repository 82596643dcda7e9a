"""Decompositions of matrices, and what is computed by them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runtime.graph.dtypes import int32, int64
from runtime.ops import elementwise as ew, linalg as ops
from runtime.tensors import making, mathematics as m
from runtime.tensors.activations import floating
from runtime.tensors.conversion import cast, operand
from runtime.tensors.making import like_shape, linalg_diag
from runtime.tensors.mathematics import where
from runtime.tensors.operations import apply, apply_all, conjugate
from runtime.tensors.parts import gather
from runtime.tensors.products import einsum, matmul, matrix_transpose, norm, solve
from runtime.tensors.reductions import reduce_max, reduce_prod, reduce_sum
from runtime.tensors.shaping import expand_dims, reshape, shape, stack
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, SizeLike, TensorLike


class Qr(NamedTuple):
    """What `qr` gives, by TensorFlow's names."""

    q: Tensor
    r: Tensor


def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Matrices as products of one with orthonormal columns and one that is upper triangular.

    Args:
      input: floats or complex numbers of shape [..., m, n].
      full_matrices: whether the first is square.
    Returns: two tensors of the dtype of `input`, `q` of shape [..., m, k] and `r` of [..., k, n]; k is the lesser of
      m and n, or m with `full_matrices`.

    >>> q, r = tf.linalg.qr([[3.0, 0.0], [4.0, 5.0]])
    >>> print(tf.abs(r))
    tf.Tensor(
    [[5. 4.]
     [0. 3.]], shape=(2, 2), dtype=float32)
    """
    q, r = apply_all(ops.qr, operand(input), mode="complete" if full_matrices else "reduced")
    return Qr(q, r)


def svd(
    tensor: TensorLike, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor] | Tensor:
    """The singular values of matrices, and the vectors that belong to them.

    Args:
      tensor: floats or complex numbers of shape [..., m, n].
      full_matrices: whether the matrices of vectors are square.
      compute_uv: whether the vectors are wanted.
    Returns: the values in descending order, of shape [..., k], k the lesser of m and n; and two matrices u and v of
      shapes [..., m, k] and [..., n, k] (square with `full_matrices`): ``u @ diag(s) @ adjoint(v)`` is `tensor`. The
      values alone without `compute_uv`.

    >>> print(tf.linalg.svd([[3.0, 0.0], [0.0, -4.0]], compute_uv=False))
    tf.Tensor([4. 3.], shape=(2,), dtype=float32)
    """
    x = operand(tensor)
    if not compute_uv:
        return apply(ops.singular_values, x)
    u, s, vh = apply_all(ops.svd, x, full_matrices=bool(full_matrices))
    return s, u, adjoint(vh)


def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues and eigenvectors of matrices that equal their adjoints; the lower triangle is read.

    Args:
      tensor: floats or complex numbers of shape [..., n, n].
    Returns: the values in ascending order, real, of shape [..., n], and the vectors, the columns of a tensor of the
      shape and dtype of `tensor`.

    >>> values, vectors = tf.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])
    >>> print(values)
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    values, vectors = apply_all(ops.eigh, operand(tensor), lower=True)
    return values, vectors


def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """The eigenvalues of matrices that equal their adjoints; the lower triangle is read.

    Args:
      tensor: floats or complex numbers of shape [..., n, n].
    Returns: the values in ascending order, real, of shape [..., n].

    >>> print(tf.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    return apply(ops.eigvalsh, operand(tensor), lower=True)


class LogMatrixDeterminant(NamedTuple):
    """What `slogdet` gives, by TensorFlow's names."""

    sign: Tensor
    log_abs_determinant: Tensor


def slogdet(input: TensorLike, name: str | None = None) -> LogMatrixDeterminant:
    """The signs of the determinants of matrices, and the logarithms of their absolute values.

    Args:
      input: floats or complex numbers of shape [..., n, n].
    Returns: two tensors of shape [...]: the signs (`sign`), of the dtype of `input`, and the logarithms
      (`log_abs_determinant`), real.

    >>> sign, log = tf.linalg.slogdet([[-1.0, 0.0], [0.0, 1.0]])
    >>> print(sign, log)
    tf.Tensor(-1.0, shape=(), dtype=float32) tf.Tensor(0.0, shape=(), dtype=float32)
    """
    sign, found = apply_all(ops.slogdet, operand(input))
    return LogMatrixDeterminant(sign, found)


def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """The logarithms of the determinants of positive definite matrices.

    Args:
      matrix: floats or complex numbers of shape [..., n, n].
    Returns: real numbers of shape [...].
    Raises:
      LinAlgError: if a matrix is not positive definite.

    >>> print(tf.linalg.logdet([[1.0, 0.0], [0.0, 1.0]]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    factor = apply(ops.cholesky, operand(matrix))
    return reduce_sum(apply(ew.log, _real(main_diagonals(factor))), axis=-1) * 2


def _real(x: Tensor) -> Tensor:
    return apply(ew.real, x) if x.dtype.is_complex else x


def triangular_solve(
    matrix: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """What solves systems of equations whose matrices are triangular.

    Args:
      matrix: floats or complex numbers of shape [..., n, n]; the other triangle is not read.
      rhs: the right sides, of shape [..., n, k].
      lower: whether it is the lower triangle.
      adjoint: whether the adjoint of the matrix is meant.
    Returns: a tensor of shape [..., n, k] and of the dtype to which both promote.
    Raises:
      LinAlgError: if a matrix is singular.

    >>> print(tf.linalg.triangular_solve([[2.0, 9.0], [1.0, 1.0]], [[2.0], [3.0]]))
    tf.Tensor(
    [[1.]
     [2.]], shape=(2, 1), dtype=float32)
    """
    part = band_part(matrix, -1, 0) if lower else band_part(matrix, 0, -1)
    return solve(part, rhs, adjoint=adjoint)


def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """What solves systems of equations, given the Cholesky factors of their matrices.

    Args:
      chol: what `cholesky` gives for the matrices: lower triangular, of shape [..., n, n].
      rhs: the right sides, of shape [..., n, k].
    Returns: a tensor of shape [..., n, k] and of the dtype to which both promote.

    >>> factor = tf.linalg.cholesky([[4.0, 0.0], [0.0, 1.0]])
    >>> print(tf.linalg.cholesky_solve(factor, [[8.0], [3.0]]))
    tf.Tensor(
    [[2.]
     [3.]], shape=(2, 1), dtype=float32)
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)


def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor:
    """The complex conjugates of the transposes of matrices.

    Args:
      matrix: a tensor of shape [..., m, n].
    Returns: a tensor of shape [..., n, m] and of the same dtype.

    >>> print(tf.linalg.adjoint([[1 + 2j, 3]]))
    tf.Tensor(
    [[1.-2.j]
     [3.-0.j]], shape=(2, 1), dtype=complex128)
    """
    return conjugate(matrix_transpose(matrix))


def band_part(input: TensorLike, num_lower: SizeLike, num_upper: SizeLike, name: str | None = None) -> Tensor:
    """Matrices with zeros away from the diagonal.

    Args:
      input: a tensor of shape [..., m, n].
      num_lower, num_upper: how many diagonals below and above the main one stay; all if negative.
    Returns: a tensor of the same shape and dtype.

    >>> print(tf.linalg.band_part([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0, 1))
    tf.Tensor(
    [[1 2 0]
     [0 5 6]
     [0 0 9]], shape=(3, 3), dtype=int32)
    """
    x = operand(input)
    dims = shape(x, int64)
    rows = expand_dims(making.range(dims[-2]), 1)
    columns = making.range(dims[-1])
    lower, upper = cast(num_lower, int64), cast(num_upper, int64)
    kept = ((lower < 0) | (rows - columns <= lower)) & ((upper < 0) | (columns - rows <= upper))
    return where(kept, x, cast(0, x.dtype))


def main_diagonals(x: Tensor) -> Tensor:
    """The main diagonals of matrices [..., m, n], of shape [..., the lesser of m and n]."""
    rows, columns = x.shape[-2], x.shape[-1]
    if isinstance(rows, int) and isinstance(columns, int):
        size = min(rows, columns)
        x = x[..., :size, :size]
    else:
        dims = shape(x)
        least = where(dims[-2] < dims[-1], dims[-2], dims[-1])
        x = x[..., :least, :least]
    return einsum("...ii->...i", x)


def with_main_diagonals(x: Tensor, given: Tensor) -> Tensor:
    """Matrices with other main diagonals."""
    dims, count = shape(x, int64), shape(given, int64)[-1]
    rows, columns = making.range(dims[-2]), making.range(dims[-1])
    spread = expand_dims(gather(given, apply(ew.minimum, rows, count - 1), axis=-1), -1)
    return where(expand_dims(rows, 1) == columns, spread, x)


def pinv(
    a: TensorLike, rcond: TensorLike | None = None, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The pseudo-inverses of matrices, by Moore and Penrose.

    Args:
      a: a tensor of shape [..., m, n], of floats.
      rcond: singular values that are not larger than this part of the largest count as zero; ``10 * max(m, n)`` times
        the distance from 1 to the next number of the dtype by default.
      validate_args: accepted.
    Returns: a tensor of shape [..., n, m] and of the dtype of `a`.

    >>> print(tf.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).numpy())
    [[0.5 0. ]
     [0.  0. ]]
    """
    x = floating(a)
    values, u, v = svd(x)
    least = _negligible(x, 10.0) if rcond is None else cast(operand(rcond), x.dtype)
    large = m.greater(values, expand_dims(least * reduce_max(values, -1), -1))
    factors = apply(ew.where, large, m.reciprocal(apply(ew.where, large, values, cast(1, x.dtype))), cast(0, x.dtype))
    return matmul(v * expand_dims(factors, -2), u, adjoint_b=True)


def matrix_rank(
    a: TensorLike, tol: TensorLike | None = None, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """How many singular values of matrices are not zero.

    Args:
      a: a tensor of shape [..., m, n], of floats.
      tol: what is not larger counts as zero; ``max(m, n)`` times the largest times the distance from 1 to the next
        number of the dtype by default.
      validate_args: accepted.
    Returns: a tensor of shape [...], of int32.

    >>> print(tf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    x = floating(a)
    values = svd(x, compute_uv=False)
    least = _negligible(x, 1.0) * reduce_max(values, -1) if tol is None else cast(operand(tol), x.dtype)
    return reduce_sum(cast(m.greater(values, expand_dims(least, -1)), int32), -1)


def _negligible(x: Tensor, times: float) -> Tensor:
    """Which part of the largest singular value is that of rounding."""
    rows, columns = like_shape(x)[-2:]
    return cast(m.maximum(rows, columns), x.dtype) * cast(times * np.finfo(x.dtype.dtype).eps, x.dtype)


def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """The tensor with given elements where its index is the same twice, and zeros elsewhere.

    Args:
      diagonal: a tensor of any shape.
    Returns: a tensor of the shape of `diagonal`, twice.

    >>> print(tf.linalg.tensor_diag([1, 2]).numpy())
    [[1 0]
     [0 2]]
    """
    x = operand(diagonal)
    sizes = like_shape(x)
    return reshape(linalg_diag(reshape(x, [-1])), [*sizes, *sizes])


def tensor_diag_part(input: TensorLike, name: str | None = None) -> Tensor:
    """The elements of a tensor where its index is the same twice.

    Args:
      input: a tensor whose shape is another one, twice.
    Returns: a tensor of that other shape.
    Raises:
      ValueError: if the shape is none twice.

    >>> print(tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy())
    [1 4]
    """
    x = operand(input)
    half, rest = divmod(len(like_shape(x)), 2)
    if rest or not x.shape[:half].is_compatible_with(x.shape[half:]):
        raise ValueError(f"tensor_diag_part takes a tensor whose shape is another one twice, not {x.shape}")
    sizes = like_shape(x)[:half]
    count = reduce_prod(stack([cast(size, int32) for size in sizes])) if half else 1
    return reshape(main_diagonals(reshape(x, [count, count])), sizes)


def normalize(
    tensor: TensorLike, ord: str | float = "euclidean", axis: AxisLike = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Tensors of norm 1, and what their norms were.

    Args:
      tensor: a tensor of any shape, of floats or complex numbers.
      ord: which norm, as `runtime.norm` takes it.
      axis: the axis along which vectors lie, or two for matrices; all elements are one vector by default.
    Returns: two tensors: the quotients, of the shape of `tensor`, and the norms, whose axes have size 1.

    >>> unit, length = tf.linalg.normalize([3.0, 4.0])
    >>> print(unit.numpy(), length.numpy())
    [0.6 0.8] [5.]
    """
    x = floating(tensor)
    lengths = norm(x, ord, axis, keepdims=True)
    return m.divide(x, cast(lengths, x.dtype)), lengths
