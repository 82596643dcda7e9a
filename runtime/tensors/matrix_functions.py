"""Functions of matrices of any kind: their triangles, eigenvalues and exponentials."""

from __future__ import annotations

from typing import NamedTuple

from runtime.graph.dtypes import as_dtype, int32
from runtime.ops import linalg as ops
from runtime.tensors.activations import floating
from runtime.tensors.operations import apply, apply_all
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
    return apply(ops.expm, floating(input))
