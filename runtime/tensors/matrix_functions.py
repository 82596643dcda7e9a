"""Functions of matrices of any kind: their triangles, eigenvalues, exponentials, logarithms and roots."""

from __future__ import annotations

from typing import NamedTuple

from runtime.graph.dtypes import as_dtype, int32
from runtime.ops import linalg as ops, matrix_functions
from runtime.tensors.activations import floating
from runtime.tensors.conversion import of_dtype, operand
from runtime.tensors.decompositions import band_part, triangular_solve
from runtime.tensors.diagonals import diag_part, set_diag
from runtime.tensors.making import linalg_diag, ones_like
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.parts import argsort, gather
from runtime.tensors.products import matmul
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, TensorLike


class Lu(NamedTuple):
    """The triangles of matrices in one tensor, and the order of the rows."""

    lu: Tensor
    p: Tensor


def lu(input: TensorLike, output_idx_type: DTypeLike = int32, name: str | None = None) -> Lu:
    """Matrices as products of a lower and an upper triangle, their rows in such an order that that is exact.

    Args:
      input: floats or complex numbers of shape [..., n, n].
      output_idx_type: the dtype of the numbers of rows, int32 or int64.
    Returns: a named tuple: `lu`, of the shape and dtype of `input`, with the lower triangle, whose diagonal is 1, below
      the diagonal and the upper one above; and `p` of shape [..., n]: row k of their product is row p[k] of `input`.
    Raises:
      LinAlgError: if a matrix has no inverse.

    >>> both, rows = tf.linalg.lu([[1.0, 2.0], [4.0, 4.0]])
    >>> print(both.numpy(), rows.numpy())
    [[4.   4.  ]
     [0.25 1.  ]] [1 0]
    """
    kind = as_dtype(output_idx_type)
    if kind.name not in ("int32", "int64"):
        raise TypeError(f"lu with output_idx_type={kind.name}: it is int32 or int64")
    both, rows = apply_all(ops.lu, floating(input), dtype=kind)
    return Lu(both, rows)


def eig(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues and eigenvectors of matrices of any kind, as complex numbers.

    Args:
      tensor: floats or complex numbers of shape [..., n, n].
    Returns: the values, in no order, of shape [..., n], and the vectors, the columns of a tensor of the shape of
      `tensor`; both complex64 for float32, complex128 for float64. No gradient goes through them.

    >>> values, vectors = tf.linalg.eig([[0.0, 1.0], [-1.0, 0.0]])
    >>> print(values)
    tf.Tensor([0.+1.j 0.-1.j], shape=(2,), dtype=complex64)
    """
    values, vectors = apply_all(ops.eig, floating(tensor))
    return values, vectors


def eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """The eigenvalues of matrices of any kind, as complex numbers.

    Args:
      tensor: floats or complex numbers of shape [..., n, n].
    Returns: the values, in no order, of shape [..., n], complex64 for float32, complex128 for float64. No gradient goes
      through them.

    >>> print(tf.linalg.eigvals([[2.0, 0.0], [1.0, 3.0]]))
    tf.Tensor([3.+0.j 2.+0.j], shape=(2,), dtype=complex64)
    """
    return apply(ops.eigvals, floating(tensor))


def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """The exponentials of matrices: the sums of their powers, each divided by the factorial of its number.

    Args:
      input: floats or complex numbers of shape [..., n, n].
    Returns: a tensor of the shape and dtype of `input`.

    >>> print(tf.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy())
    [[1. 1.]
     [0. 1.]]
    """
    return apply(matrix_functions.expm, floating(input))


def sqrtm(input: TensorLike, name: str | None = None) -> Tensor:
    """The square roots of matrices whose eigenvalues have the positive real part.

    Args:
      input: floats or complex numbers of shape [..., n, n].
    Returns: a tensor of the shape and dtype of `input`; NaN where a matrix of floats has no root of floats.

    >>> print(tf.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).numpy())
    [[2. 0.]
     [0. 3.]]
    """
    return apply(matrix_functions.sqrtm, floating(input))


def logm(input: TensorLike, name: str | None = None) -> Tensor:
    """The logarithms of matrices: those of which the matrices are the exponentials.

    Args:
      input: floats or complex numbers of shape [..., n, n].
    Returns: a tensor of the shape and dtype of `input`; NaN where a matrix of floats has no logarithm of floats.

    >>> print(tf.linalg.logm([[1.0, 1.0], [0.0, 1.0]]).numpy())
    [[0. 1.]
     [0. 0.]]
    """
    return apply(matrix_functions.logm, floating(input))


def lu_reconstruct(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The matrices of which `lu` gave these triangles.

    Args:
      lower_upper, perm: what `lu` gave, of shapes [..., n, n] and [..., n].
      validate_args: accepted.
    Returns: a tensor of the shape and dtype of `lower_upper`.

    >>> print(tf.linalg.lu_reconstruct(*tf.linalg.lu([[1.0, 2.0], [4.0, 4.0]])).numpy())
    [[1. 2.]
     [4. 4.]]
    """
    both = floating(lower_upper)
    product = matmul(_unit_lower(both), band_part(both, 0, -1))
    return _in_order(product, argsort(operand(perm)))


def lu_solve(
    lower_upper: TensorLike, perm: TensorLike, rhs: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """What solves systems of equations, given the triangles of their matrices.

    Args:
      lower_upper, perm: what `lu` gave for the matrices, of shapes [..., n, n] and [..., n].
      rhs: the right sides, of shape [..., n, k].
      validate_args: accepted.
    Returns: a tensor of shape [..., n, k] and of the dtype of `lower_upper`.

    >>> triangles = tf.linalg.lu([[0.0, 2.0], [4.0, 4.0]])
    >>> print(tf.linalg.lu_solve(*triangles, [[2.0], [8.0]]).numpy())
    [[1.]
     [1.]]
    """
    both = floating(lower_upper)
    lower = triangular_solve(_unit_lower(both), _in_order(of_dtype(operand(rhs), both.dtype), operand(perm)))
    return triangular_solve(both, lower, lower=False)


def lu_matrix_inverse(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The inverses of matrices, given their triangles.

    Args:
      lower_upper, perm: what `lu` gave for the matrices, of shapes [..., n, n] and [..., n].
      validate_args: accepted.
    Returns: a tensor of the shape and dtype of `lower_upper`.

    >>> print(tf.linalg.lu_matrix_inverse(*tf.linalg.lu([[0.0, 2.0], [4.0, 4.0]])).numpy())
    [[-0.5   0.25]
     [ 0.5   0.  ]]
    """
    both = floating(lower_upper)
    one = linalg_diag(ones_like(diag_part(both)))
    return lu_solve(both, perm, one)


def _unit_lower(both: Tensor) -> Tensor:
    return set_diag(band_part(both, -1, 0), ones_like(diag_part(both)))


def _in_order(x: Tensor, order: Tensor) -> Tensor:
    """The rows of matrices in another order."""
    return gather(x, order, axis=-2, batch_dims=len(order.shape) - 1)
