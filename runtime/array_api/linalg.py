"""Linear algebra, as the extension of the standard has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from runtime.array_api.statistics import sum as total
from runtime.array_api.support import Axes, Order, array, moved, pair, tensor
from runtime.graph.dtypes import as_dtype
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike

__all__ = [
    "EighResult", "QRResult", "SVDResult", "SlogdetResult",
    "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power",
    "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot",
    "trace", "vecdot", "vector_norm",
]  # fmt: skip


class EighResult(NamedTuple):
    """What `eigh` gives: the eigenvalues, from the least on, and the eigenvectors, as columns.

    >>> tf.array_api.linalg.eigh(tf.array_api.eye(2))._fields  # doctest: +ELLIPSIS
    (...)
    """

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """What `qr` gives: columns at right angles to each other, and a triangle; their product is the matrix.

    >>> tf.array_api.linalg.qr(tf.array_api.eye(2))._fields  # doctest: +ELLIPSIS
    (...)
    """

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """What `slogdet` gives: the sign of a determinant, and the logarithm of its size.

    >>> tf.array_api.linalg.slogdet(tf.array_api.eye(2))._fields  # doctest: +ELLIPSIS
    (...)
    """

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """What `svd` gives: the singular values, from the greatest on, between two matrices of singular vectors.

    >>> tf.array_api.linalg.svd(tf.array_api.eye(2))._fields  # doctest: +ELLIPSIS
    (...)
    """

    U: Tensor
    S: Tensor
    Vh: Tensor


def _given(function: str, x: object, kind: str = "floating-point", square: bool = False) -> Tensor:
    found = tensor(function, x, kind)
    if found.ndim < 2:
        raise ValueError(f"{function} takes matrices, of rank 2 or more; the tensor has rank {found.ndim}")
    return found


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """The triangle whose product with its transpose is a matrix.

    Args:
      x: positive definite matrices, a tensor of floats or complex numbers of shape [..., n, n].
      upper: whether the triangle is the upper one.
    Returns: a tensor of the same shape and dtype.

    >>> xp = tf.array_api
    >>> print(xp.linalg.cholesky(xp.asarray([[4.0]])))
    tf.Tensor([[2.]], shape=(1, 1), dtype=float64)
    """
    lower = np.linalg.cholesky(_given("cholesky", x))
    return array(np.conj(np.swapaxes(lower, -1, -2)) if upper else lower)


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The cross product of vectors.

    Args:
      x1, x2: tensors of numbers, of size 3 along the axis, whose shapes broadcast else.
      axis: the axis, a negative number.
    Returns: a tensor of the dtype that both promote to.

    >>> xp = tf.array_api
    >>> print(xp.linalg.cross(xp.asarray([1, 0, 0]), xp.asarray([0, 1, 0])))
    tf.Tensor([0 0 1], shape=(3,), dtype=int64)
    """
    a, b = pair("cross", x1, x2, "numeric")
    if axis >= 0:
        raise ValueError(f"cross with axis={axis}: it counts from the end, and is negative")
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(f"cross takes vectors of size 3; the shapes are {a.shape} and {b.shape}")
    return array(np.linalg.cross(a, b, axis=axis))


def det(x: Tensor, /) -> Tensor:
    """The determinant of matrices.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., n, n].
    Returns: a tensor of shape [...] and of the same dtype.

    >>> xp = tf.array_api
    >>> print(xp.linalg.det(xp.asarray([[2.0]])))
    tf.Tensor(2.0, shape=(), dtype=float64)
    """
    return array(np.linalg.det(_given("det", x)))


def inv(x: Tensor, /) -> Tensor:
    """The inverse of matrices.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., n, n].
    Returns: a tensor of the same shape and dtype.

    >>> xp = tf.array_api
    >>> print(xp.linalg.inv(xp.asarray([[2.0]])))
    tf.Tensor([[0.5]], shape=(1, 1), dtype=float64)
    """
    return array(np.linalg.inv(_given("inv", x)))


def eigvalsh(x: Tensor, /) -> Tensor:
    """The eigenvalues of matrices that are their own conjugate transpose, from the least on.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., n, n].
    Returns: a tensor of floats of shape [..., n].

    >>> xp = tf.array_api
    >>> print(xp.linalg.eigvalsh(xp.asarray([[2.0]])))
    tf.Tensor([2.], shape=(1,), dtype=float64)
    """
    return array(np.linalg.eigvalsh(_given("eigvalsh", x)))


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """The diagonal of matrices.

    Args:
      x: a tensor of shape [..., m, n].
      offset: which one: above the main one if it is positive, below if it is negative.
    Returns: a tensor of the same dtype, of shape [..., k].

    >>> xp = tf.array_api
    >>> print(xp.linalg.diagonal(xp.asarray([[1, 2], [3, 4]])))
    tf.Tensor([1 4], shape=(2,), dtype=int64)
    """
    return array(np.linalg.diagonal(_given("diagonal", x, "any"), offset=offset))


def eigh(x: Tensor, /) -> EighResult:
    """The eigenvalues and eigenvectors of matrices that are their own conjugate transpose.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., n, n].
    Returns: a named tuple of eigenvalues, of shape [..., n], and eigenvectors, of shape [..., n, n].

    >>> xp = tf.array_api
    >>> print(xp.linalg.eigh(xp.asarray([[2.0]])).eigenvalues)
    tf.Tensor([2.], shape=(1,), dtype=float64)
    """
    return EighResult(*map(array, np.linalg.eigh(_given("eigh", x))))


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The product of matrices, of vectors, or of one with the other.

    Args:
      x1, x2: tensors of numbers, of shape [..., m, k] and [..., k, n]; [k] for vectors.
    Returns: a tensor of the dtype that both promote to, of shape [..., m, n].
    Raises:
      ValueError: if the shapes do not go together.

    >>> xp = tf.array_api
    >>> print(xp.linalg.matmul(xp.asarray([[1, 2]]), xp.asarray([[3], [4]])))
    tf.Tensor([[11]], shape=(1, 1), dtype=int64)
    """
    return array(np.matmul(*pair("matmul", x1, x2, "numeric")))


def matrix_norm(x: Tensor, /, *, keepdims: bool = False, ord: Order = "fro") -> Tensor:
    """A norm of matrices.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., m, n].
      keepdims: whether the axes stay, with size 1.
      ord: which one: ``"fro"``, ``"nuc"``, 1, -1, 2, -2, or infinity of either sign.
    Returns: a tensor of floats of shape [...].

    >>> xp = tf.array_api
    >>> print(xp.linalg.matrix_norm(xp.asarray([[3.0, 4.0]])))
    tf.Tensor(5.0, shape=(), dtype=float64)
    """
    return array(np.linalg.matrix_norm(_given("matrix_norm", x), keepdims=keepdims, ord=ord))


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Matrices to the power of a whole number.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., m, m].
      n: the power; for a negative one the inverse is multiplied.
    Returns: a tensor of the same shape and dtype.

    >>> xp = tf.array_api
    >>> print(xp.linalg.matrix_power(xp.asarray([[2.0]]), 3))
    tf.Tensor([[8.]], shape=(1, 1), dtype=float64)
    """
    return array(np.linalg.matrix_power(_given("matrix_power", x), n))


def matrix_rank(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """How many rows of matrices no others make up.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., m, n].
      rtol: up to what part of the greatest singular value one counts as zero.
    Returns: a tensor of int64 of shape [...].

    >>> xp = tf.array_api
    >>> print(xp.linalg.matrix_rank(xp.asarray([[1.0, 2.0], [2.0, 4.0]])))
    tf.Tensor(1, shape=(), dtype=int64)
    """
    given = _given("matrix_rank", x)
    values = svdvals(given)
    size, kind = max(given.shape[-1], given.shape[-2]), given.dtype.dtype
    part = size * np.finfo(kind).eps if rtol is None else rtol
    least = np.max(values, axis=-1, keepdims=True) * (part[..., None] if isinstance(part, Tensor) else part)
    return array(np.count_nonzero(values > least, axis=-1))


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Matrices with rows and columns swapped.

    Args:
      x: a tensor of shape [..., m, n].
    Returns: a tensor of the same dtype, of shape [..., n, m].

    >>> xp = tf.array_api
    >>> xp.linalg.matrix_transpose(xp.ones((2, 3))).shape
    TensorShape([3, 2])
    """
    return array(np.swapaxes(_given("matrix_transpose", x, "any"), -1, -2))


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The product of each element of one vector with each of another.

    Args:
      x1, x2: tensors of numbers, of shape [m] and [n].
    Returns: a tensor of the dtype that both promote to, of shape [m, n].

    >>> xp = tf.array_api
    >>> print(xp.linalg.outer(xp.asarray([1, 2]), xp.asarray([3]))[:, 0])
    tf.Tensor([3 6], shape=(2,), dtype=int64)
    """
    a, b = pair("outer", x1, x2, "numeric")
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"outer takes vectors, of rank 1; the tensors have rank {a.ndim} and {b.ndim}")
    return array(np.linalg.outer(a, b))


def pinv(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """The matrices nearest to an inverse.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., m, n].
      rtol: up to what part of the greatest singular value one counts as zero.
    Returns: a tensor of the same dtype, of shape [..., n, m].

    >>> xp = tf.array_api
    >>> xp.linalg.pinv(xp.ones((2, 3))).shape
    TensorShape([3, 2])
    """
    given = _given("pinv", x)
    size = max(given.shape[-1], given.shape[-2])
    return array(np.linalg.pinv(given, rcond=size * np.finfo(given.dtype.dtype).eps if rtol is None else rtol))


def qr(x: Tensor, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Matrices as the product of columns at right angles to each other and a triangle.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., m, n].
      mode: ``"reduced"`` for as many columns as the smaller of m and n, ``"complete"`` for m.
    Returns: a named tuple of both.

    >>> xp = tf.array_api
    >>> xp.linalg.qr(xp.ones((3, 2))).R.shape
    TensorShape([2, 2])
    """
    return QRResult(*map(array, np.linalg.qr(_given("qr", x), mode=mode)))


def slogdet(x: Tensor, /) -> SlogdetResult:
    """The sign of the determinant of matrices, and the logarithm of its size.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., n, n].
    Returns: a named tuple of tensors of shape [...].

    >>> xp = tf.array_api
    >>> print(xp.linalg.slogdet(xp.asarray([[-1.0]])).sign)
    tf.Tensor(-1.0, shape=(), dtype=float64)
    """
    return SlogdetResult(*map(array, np.linalg.slogdet(_given("slogdet", x))))


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """What, multiplied by matrices, gives others.

    Args:
      x1: the matrices, a tensor of floats or complex numbers of shape [..., n, n].
      x2: what they give, of shape [..., n, k], or [n].
    Returns: a tensor of the shape of `x2`, of the dtype that both promote to.

    >>> xp = tf.array_api
    >>> print(xp.linalg.solve(xp.asarray([[2.0]]), xp.asarray([6.0])))
    tf.Tensor([3.], shape=(1,), dtype=float64)
    """
    a, b = pair("solve", x1, x2, "floating-point")
    return array(np.linalg.solve(_given("solve", a), b))


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """The singular values and vectors of matrices.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., m, n].
      full_matrices: whether the vectors are squares, or as many as there are values.
    Returns: a named tuple of vectors, values, of shape [..., k], and vectors.

    >>> xp = tf.array_api
    >>> print(xp.linalg.svd(xp.asarray([[3.0, 4.0]])).S)
    tf.Tensor([5.], shape=(1,), dtype=float64)
    """
    return SVDResult(*map(array, np.linalg.svd(_given("svd", x), full_matrices=full_matrices)))


def svdvals(x: Tensor, /) -> Tensor:
    """The singular values of matrices, from the greatest on.

    Args:
      x: a tensor of floats or complex numbers, of shape [..., m, n].
    Returns: a tensor of floats of shape [..., k].

    >>> xp = tf.array_api
    >>> print(xp.linalg.svdvals(xp.asarray([[3.0, 4.0]])))
    tf.Tensor([5.], shape=(1,), dtype=float64)
    """
    return array(np.linalg.svdvals(_given("svdvals", x)))


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Tensor:
    """The sum of products over axes of two tensors.

    Args:
      x1, x2: tensors of numbers.
      axes: how many axes at the end of one and the beginning of the other, or which of each.
    Returns: a tensor of the dtype that both promote to, of the axes that are left of both shapes.

    >>> xp = tf.array_api
    >>> xp.linalg.tensordot(xp.ones((2, 3)), xp.ones((3, 4)), axes=1).shape
    TensorShape([2, 4])
    """
    a, b = pair("tensordot", x1, x2, "numeric")
    return array(np.tensordot(a, b, axes=axes))


def trace(x: Tensor, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """The sum of the diagonal of matrices.

    Args:
      x: a tensor of numbers, of shape [..., m, n].
      offset: which diagonal: above the main one if it is positive, below if it is negative.
      dtype: the dtype; by default that of `x`, or 64 bits for smaller integers.
    Returns: a tensor of that dtype, of shape [...].

    >>> xp = tf.array_api
    >>> print(xp.linalg.trace(xp.asarray([[1, 2], [3, 4]])))
    tf.Tensor(5, shape=(), dtype=int64)
    """
    found = diagonal(_given("trace", x, "numeric"), offset=offset)
    return total(found, axis=-1, dtype=None if dtype is None else as_dtype(dtype))


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The sum of products of vectors; those of `x1` are conjugated.

    Args:
      x1, x2: tensors of numbers, of the same size along the axis, whose shapes broadcast else.
      axis: the axis, a negative number.
    Returns: a tensor of the dtype that both promote to, without that axis.

    >>> xp = tf.array_api
    >>> print(xp.linalg.vecdot(xp.asarray([1, 2]), xp.asarray([3, 4])))
    tf.Tensor(11, shape=(), dtype=int64)
    """
    a, b = pair("vecdot", x1, x2, "numeric")
    if axis >= 0:
        raise ValueError(f"vecdot with axis={axis}: it counts from the end, and is negative")
    return array(np.vecdot(moved(a, axis, -1), moved(b, axis, -1)))


def vector_norm(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False, ord: int | float = 2) -> Tensor:
    """A norm of vectors.

    Args:
      x: a tensor of floats or complex numbers, of any shape.
      axis: the axis along which, or a tuple of them; None for all.
      keepdims: whether the axes stay, with size 1.
      ord: which one: a number, infinity of either sign among them.
    Returns: a tensor of floats, without these axes.

    >>> xp = tf.array_api
    >>> print(xp.linalg.vector_norm(xp.asarray([3.0, 4.0])))
    tf.Tensor(5.0, shape=(), dtype=float64)
    """
    given = tensor("vector_norm", x, "floating-point")
    norm: Callable[..., object] = np.linalg.vector_norm  # whose types forget that the axis may be None
    return array(norm(given, axis=axis, keepdims=keepdims, ord=ord))
