"""Products of tensors and other linear algebra, by TensorFlow's names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.graph.dtypes import as_dtype, float32
from runtime.ops import linalg as linalg_ops, shape as shape_ops
from runtime.tensors.conversion import cast, matched, operand
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.reductions import axes
from runtime.tensors.shaping import expand_dims, squeeze
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, TensorLike


def matrix_transpose(a: TensorLike, name: str | None = None) -> Tensor:
    """Matrices with rows and columns exchanged: the last two axes.

    Args:
      a: a tensor of shape [..., n, m].
    Returns: a tensor of shape [..., m, n] and of the dtype of `a`.
    Raises:
      ValueError: if the rank is less than 2.

    >>> print(tf.linalg.matrix_transpose([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor(
    [[1 4]
     [2 5]
     [3 6]], shape=(3, 2), dtype=int32)
    """
    x = operand(a)
    rank = len(x.shape)
    return apply(shape_ops.transpose, x, axes=(*range(rank - 2), rank - 1, rank - 2))


def matmul(
    a: TensorLike, b: TensorLike, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The product of matrices: the last two axes are rows and columns, those before them broadcast.

    Args:
      a: a tensor of shape [..., n, k], or [..., k, n] if it is to be transposed.
      b: a tensor of shape [..., k, m], or [..., m, k] if it is to be transposed.
      transpose_a, transpose_b: whether to exchange rows and columns first.
      adjoint_a, adjoint_b: the same, and take the complex conjugate.
    Returns: a tensor of shape [..., n, m] and of the dtype to which `a` and `b` promote.
    Raises:
      ValueError: if columns and rows differ in number, or one matrix is to be both transposed and adjoint.

    >>> a = tf.constant([[1, 2], [3, 4]])
    >>> print(tf.matmul(a, [[1], [10]]))
    tf.Tensor(
    [[21]
     [43]], shape=(2, 1), dtype=int32)
    """
    for letter, transposed, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transposed and adjoint:
            raise ValueError(f"Only one of transpose_{letter} and adjoint_{letter} can be True.")
    x, y = matched([a, b])
    x = matrix_transpose(x) if transpose_a or adjoint_a else x
    y = matrix_transpose(y) if transpose_b or adjoint_b else y
    return apply(linalg_ops.matmul, conjugate(x) if adjoint_a else x, conjugate(y) if adjoint_b else y)


def matvec(
    a: TensorLike, b: TensorLike, transpose_a: bool = False, adjoint_a: bool = False, name: str | None = None
) -> Tensor:
    """The product of matrices and vectors; the axes before theirs broadcast.

    Args:
      a: a tensor of shape [..., n, k], or [..., k, n] if it is to be transposed.
      b: a tensor of shape [..., k].
      transpose_a: whether to exchange rows and columns first.
      adjoint_a: the same, and take the complex conjugate.
    Returns: a tensor of shape [..., n] and of the dtype to which `a` and `b` promote.
    Raises:
      ValueError: if the sizes do not fit, or `a` is to be both transposed and adjoint.

    >>> print(tf.linalg.matvec([[1, 2], [3, 4]], [1, 10]))
    tf.Tensor([21 43], shape=(2,), dtype=int32)
    """
    column = expand_dims(b, -1)
    return squeeze(matmul(a, column, transpose_a, adjoint_a=adjoint_a), -1)


def tensordot(
    a: TensorLike, b: TensorLike, axes: int | Sequence[int | Sequence[int]], name: str | None = None
) -> Tensor:
    """Sums of products over pairs of axes of two tensors.

    Args:
      a, b: tensors, of one axis at least.
      axes: the axes to sum over: a list for `a` and one for `b`; or how many, the last of `a` and the first of `b`.
    Returns: a tensor of the other axes of `a`, then those of `b`, of the dtype to which both promote.
    Raises:
      ValueError: if the sizes of two axes differ.

    >>> print(tf.tensordot([[1, 2], [3, 4]], [10, 100], axes=1))
    tf.Tensor([210 430], shape=(2,), dtype=int32)
    >>> print(tf.tensordot([[1, 2], [3, 4]], [[1, 0], [0, 1]], axes=[[0, 1], [0, 1]]))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    x, y = matched([a, b])
    if isinstance(axes, int) and x.type.shape is not None and y.type.shape is not None:
        linalg_ops.summed_axes(axes, len(x.type.shape), len(y.type.shape))
    return apply(linalg_ops.tensordot, x, y, axes=axes)


def einsum(equation: str, *inputs: TensorLike, name: str | None = None, optimize: str | bool | None = None) -> Tensor:
    """Sums of products, told by a letter for each axis: letters that the result has not are summed over.

    Args:
      equation: the letters of each input, ``->``, and those of the result, as in ``"ij,jk->ik"``.
      inputs: tensors whose axes have the same sizes where they have the same letter.
      optimize: False to add in the order of `numpy.einsum`; large sums are made of products of matrices otherwise.
    Returns: a tensor of the shape that the letters tell and of the dtype to which the inputs promote.
    Raises:
      ValueError: if letters and axes differ in number, or one letter stands for two sizes.

    >>> print(tf.einsum("ij,j->i", [[1, 2], [3, 4]], [10, 100]))
    tf.Tensor([210 430], shape=(2,), dtype=int32)
    """
    return apply(linalg_ops.einsum, *matched(inputs), equation=equation, in_any_order=optimize is not False)


def norm(
    tensor: TensorLike,
    ord: str | float = "euclidean",
    axis: AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The norm along axes: of vectors along one, of matrices over two, of all elements as one vector by default.

    Args:
      tensor: a tensor of any shape; integers are taken for float32.
      ord: ``"euclidean"`` (or ``"fro"``), or a number p for the p-th root of the sum of p-th powers; infinity for the
        largest of all.
      axis: an axis, or two of them.
      keepdims: whether these axes stay, with size 1.
    Returns: a tensor of the remaining axes, of floats.
    Raises:
      ValueError: if there is no such norm, or no such axis.

    >>> print(tf.norm([3.0, 4.0]))
    tf.Tensor(5.0, shape=(), dtype=float32)
    >>> print(tf.norm([[3.0, -4.0], [1.0, 2.0]], ord=1, axis=1))
    tf.Tensor([7. 3.], shape=(2,), dtype=float32)
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


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """The sum of the diagonal of matrices.

    Args:
      x: a tensor of shape [..., n, m].
    Returns: a tensor of the shape of `x` without the last two axes, and of its dtype.
    Raises:
      ValueError: if the rank is less than 2.

    >>> print(tf.linalg.trace([[1, 2], [3, 4]]))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    return apply(linalg_ops.trace, operand(x))


def inv(x: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of square matrices.

    Args:
      x: a tensor of shape [..., n, n].
      adjoint: whether it is that of their conjugate transposes.
    Returns: a tensor of the same shape, of floats or complex numbers: float64 for integers.
    Raises:
      ValueError: if a matrix is not square, or has no inverse.

    >>> print(tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]))
    tf.Tensor(
    [[0.5  0.  ]
     [0.   0.25]], shape=(2, 2), dtype=float32)
    """
    inverse = apply(linalg_ops.inverse, operand(x))
    return conjugate(matrix_transpose(inverse)) if adjoint else inverse


def det(x: TensorLike, name: str | None = None) -> Tensor:
    """The determinant of square matrices.

    Args:
      x: a tensor of shape [..., n, n].
    Returns: a tensor of the shape of `x` without the last two axes, of floats or complex numbers: float64 for integers.
    Raises:
      ValueError: if a matrix is not square.

    >>> print(tf.linalg.det([[2.0, 0.0], [0.0, 4.0]]))
    tf.Tensor(8.0, shape=(), dtype=float32)
    """
    return apply(linalg_ops.det, operand(x))


def cholesky(x: TensorLike, name: str | None = None) -> Tensor:
    """The lower triangular matrices L with ``L @ adjoint(L) == x``.

    Args:
      x: a tensor of shape [..., n, n], of symmetric (or Hermitian) matrices that are positive definite.
    Returns: a tensor of the same shape, of floats or complex numbers: float64 for integers.
    Raises:
      ValueError: if a matrix is not square, or not positive definite.

    >>> print(tf.linalg.cholesky([[4.0, 2.0], [2.0, 10.0]]))
    tf.Tensor(
    [[2. 0.]
     [1. 3.]], shape=(2, 2), dtype=float32)
    """
    return apply(linalg_ops.cholesky, operand(x))


def solve(matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The `x` with ``matrix @ x == rhs``.

    Args:
      matrix: a tensor of shape [..., n, n].
      rhs: a tensor of shape [..., n, m].
      adjoint: whether the conjugate transpose of the matrix is meant.
    Returns: a tensor of shape [..., n, m], of floats or complex numbers.
    Raises:
      ValueError: if a matrix is not square or has no inverse, or the rows differ in number.

    >>> print(tf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]))
    tf.Tensor(
    [[1. ]
     [0.5]], shape=(2, 1), dtype=float32)
    """
    a, b = matched([matrix, rhs])
    return apply(linalg_ops.solve, conjugate(matrix_transpose(a)) if adjoint else a, b)
