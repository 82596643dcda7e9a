"""Systems of equations with matrices of special forms, or with more or fewer equations than unknowns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.tensors import mathematics as m
from runtime.tensors.activations import floating
from runtime.tensors.conversion import cast, operand
from runtime.tensors.decompositions import adjoint as adjoint_of, cholesky_solve, eigh, eigvalsh, pinv, triangular_solve
from runtime.tensors.diagonals import diag, diag_part
from runtime.tensors.making import eye, like_shape
from runtime.tensors.operations import conjugate
from runtime.tensors.parts import boolean_mask, pad
from runtime.tensors.products import cholesky, matmul, matrix_transpose, solve
from runtime.tensors.shaping import expand_dims, squeeze, stack
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike


def lstsq(
    matrix: TensorLike, rhs: TensorLike, l2_regularizer: float = 0.0, fast: bool = True, name: str | None = None
) -> Tensor:
    """What solves systems of equations best: with the least sum of squares of what remains, then of the solution.

    Args:
      matrix: floats or complex numbers of shape [..., m, n].
      rhs: the right sides, of shape [..., m, k].
      l2_regularizer: what the sum of squares of the solution counts for.
      fast: whether the product of the matrix with its adjoint is solved; its rank must be the lesser of m and n then.
        Otherwise singular values are computed, and `l2_regularizer` is not used; so they are if neither that is given
        nor the shape is known.
    Returns: a tensor of shape [..., n, k] and of the dtype of `matrix`.
    Raises:
      LinAlgError: with `fast`, if a matrix has a lower rank and there is no regularizer.

    >>> print(tf.linalg.lstsq([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [[1.0], [3.0], [5.0]]).numpy().round(3))
    [[1.]
     [2.]]
    """
    a, b = floating(matrix), operand(rhs)
    rows, columns = like_shape(a)[-2:]
    known = isinstance(rows, int) and isinstance(columns, int)
    if not fast or (not known and not l2_regularizer):
        return matmul(pinv(a), b)
    tall = not known or rows >= columns  # with a regularizer both ways are one
    size = columns if tall else rows
    turned = adjoint_of(a)
    squares = matmul(turned, a) if tall else matmul(a, turned)
    if l2_regularizer:
        squares = squares + eye(size, dtype=a.dtype) * cast(l2_regularizer, a.dtype)
    factor = cholesky(squares)
    return cholesky_solve(factor, matmul(turned, b)) if tall else matmul(turned, cholesky_solve(factor, b))


def _diagonals(diagonals: TensorLike | Sequence[TensorLike], form: str) -> tuple[Tensor, Tensor, Tensor]:
    """The diagonal above the main one, that one, and the one below, each as long as the main one."""
    if form == "sequence":
        upper, main, lower = (operand(part) for part in diagonals)  # type: ignore[union-attr]
        n, around = like_shape(main)[-1], [[0, 0]] * (len(main.shape) - 1)
        upper = pad(upper, [*around, [0, 1]]) if like_shape(upper)[-1] != n else upper
        lower = pad(lower, [*around, [1, 0]]) if like_shape(lower)[-1] != n else lower
        return upper, main, lower
    x = operand(diagonals)
    if form == "matrix":
        around = [[0, 0]] * (len(x.shape) - 2)
        upper, lower = diag_part(x, k=1), diag_part(x, k=-1)
        return pad(upper, [*around, [0, 1]]), diag_part(x), pad(lower, [*around, [1, 0]])
    if form != "compact":
        raise ValueError(f"diagonals_format={form!r}: it is 'matrix', 'sequence' or 'compact'")
    return x[..., 0, :], x[..., 1, :], x[..., 2, :]


def tridiagonal_matmul(
    diagonals: TensorLike, rhs: TensorLike, diagonals_format: str = "compact", name: str | None = None
) -> Tensor:
    """Products with matrices that have only the main diagonal and those beside it.

    Args:
      diagonals: the one above the main one, that one, and the one below: of shape [..., 3, n] (``"compact"``), a list
        of three (``"sequence"``), or whole matrices of shape [..., n, n] (``"matrix"``). What is above the first row
        or below the last is not read.
      rhs: the other factors, of shape [..., n, k].
      diagonals_format: which of these.
    Returns: a tensor of shape [..., n, k] and of the dtype of both.
    Raises:
      ValueError: for another format.

    >>> print(tf.linalg.tridiagonal_matmul([[1.0, 9.0], [2.0, 3.0], [9.0, 4.0]], [[1.0], [1.0]]).numpy())
    [[3.]
     [7.]]
    """
    upper, main, lower = _diagonals(diagonals, diagonals_format)
    x = operand(rhs)
    around = [[0, 0]] * (len(x.shape) - 2)
    after, before = pad(x[..., 1:, :], [*around, [0, 1], [0, 0]]), pad(x[..., :-1, :], [*around, [1, 0], [0, 0]])
    return expand_dims(main, -1) * x + expand_dims(upper, -1) * after + expand_dims(lower, -1) * before


def tridiagonal_solve(
    diagonals: TensorLike,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """What solves systems of equations with only the main diagonal and those beside it.

    Whole matrices are made of the diagonals.

    Args:
      diagonals, diagonals_format: as for `tridiagonal_matmul`.
      rhs: the right sides, of shape [..., n] or [..., n, k].
      transpose_rhs, conjugate_rhs: whether the right sides are rows, or conjugate.
      partial_pivoting, perturb_singular: accepted; rows are always exchanged where that is better.
    Returns: a tensor of the shape of `rhs`, turned if it was.
    Raises:
      ValueError: for another format.
      LinAlgError: if a matrix has no inverse.

    >>> print(tf.linalg.tridiagonal_solve([[1.0, 9.0], [2.0, 3.0], [9.0, 4.0]], [3.0, 7.0]).numpy().round(3))
    [1. 1.]
    """
    upper, main, lower = _diagonals(diagonals, diagonals_format)
    x = operand(rhs)
    single = len(x.shape) == len(main.shape)
    x = conjugate(x) if conjugate_rhs else x
    right = expand_dims(x, -1) if single else matrix_transpose(x) if transpose_rhs else x
    if like_shape(main)[-1] == 1:
        whole = expand_dims(main, -1)
    else:
        whole = diag(stack([upper, main, lower], axis=-2), k=(-1, 1), align="LEFT_RIGHT")
    found = solve(whole, right)
    return squeeze(found, -1) if single else found


def banded_triangular_solve(
    bands: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """What solves systems of equations whose matrices are triangular, with few diagonals.

    Args:
      bands: the diagonals, of shape [..., number of diagonals, n], from the highest to the lowest; what is outside of
        the matrix is not read.
      rhs: the right sides, of shape [..., n, k].
      lower: whether the last of them are below the main one, which is the first; it is the last otherwise.
      adjoint: whether the adjoint of the matrix is meant.
    Returns: a tensor of shape [..., n, k].
    Raises:
      LinAlgError: if a matrix has no inverse.

    >>> print(tf.linalg.banded_triangular_solve([[2.0, 2.0], [9.0, 1.0]], [[2.0], [3.0]]).numpy())
    [[1.]
     [1.]]
    """
    x = operand(bands)
    count: Any = like_shape(x)[-2]
    if not isinstance(count, int):
        raise ValueError(f"banded_triangular_solve of shape {x.shape}: how many diagonals there are must be known")
    limits = (1 - count, 0) if lower else (0, count - 1)
    whole = diag(x, k=limits, align="LEFT_RIGHT") if count > 1 else diag(x[..., 0, :])
    return triangular_solve(whole, rhs, lower=lower, adjoint=adjoint)


def eigh_tridiagonal(
    alpha: TensorLike,
    beta: TensorLike,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    tol: float | None = None,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """The eigenvalues of a matrix that equals its adjoint and has only the main diagonal and those beside it.

    Args:
      alpha: the main diagonal, of shape [n].
      beta: the diagonal above it, of shape [n - 1].
      eigvals_only: whether the eigenvectors are not wanted.
      select: ``"a"`` for all eigenvalues, ``"i"`` for those with the numbers in `select_range`, both included, ``"v"``
        for those between the values in it.
      select_range: two numbers.
      tol: accepted; they are as exact as those of `eigh`.
    Returns: the eigenvalues in ascending order, of shape [m]; with eigenvectors, the columns of a tensor of shape
      [n, m].
    Raises:
      ValueError: for another `select`.

    >>> print(tf.linalg.eigh_tridiagonal([2.0, 2.0], [1.0]).numpy())
    [1. 3.]
    """
    main, above = floating(alpha), floating(beta)
    if select not in ("a", "i", "v") or (select != "a") != (select_range is not None):
        raise ValueError(
            f"eigh_tridiagonal with select={select!r}, select_range={select_range}: 'a', or 'i' and 'v' with two"
        )
    whole = diag(main)
    if like_shape(main)[-1] != 1:
        whole = whole + diag(above, k=1) + diag(conjugate(above), k=-1)
    values, vectors = (eigvalsh(whole), None) if eigvals_only else eigh(whole)
    if select == "i" and select_range is not None:
        first, last = (int(i) for i in select_range)
        values = values[first : last + 1]
        vectors = vectors if vectors is None else vectors[:, first : last + 1]
    elif select == "v" and select_range is not None:
        inside = m.logical_and(m.greater(values, select_range[0]), m.less_equal(values, select_range[1]))
        vectors = vectors if vectors is None else boolean_mask(vectors, inside, axis=1)
        values = boolean_mask(values, inside)
    return values if vectors is None else (values, vectors)
