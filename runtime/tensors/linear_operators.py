"""Linear operators: matrices that are told by what they are made of."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, overload

from runtime.graph.dtypes import DType, as_dtype, float32
from runtime.graph.shapes import TensorShape
from runtime.tensors import making, mathematics as m, reductions
from runtime.tensors.conversion import cast, operand
from runtime.tensors.decompositions import adjoint, cholesky_solve, eigvalsh, slogdet, svd, triangular_solve
from runtime.tensors.diagonals import diag, diag_part
from runtime.tensors.parts import gather
from runtime.tensors.products import cholesky, det, inv, matmul, solve
from runtime.tensors.shaping import concat, expand_dims, reshape, shape as shape_of, squeeze
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, SizeLike, TensorLike


class LinearOperator:
    """What all linear operators do; each has `to_dense`, the matrix that it stands for.

    Args:
      dtype: the dtype of its elements.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of the matrix, None for what is
        not.
      name: its name.

    >>> isinstance(tf.linalg.LinearOperatorIdentity(2), tf.linalg.LinearOperator)
    True
    """

    def __init__(
        self, dtype: DTypeLike, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if is_positive_definite and is_non_singular is False:
            raise ValueError("A positive definite matrix is always non-singular.")
        if is_non_singular and is_square is False:
            raise ValueError("A non-singular operator is always square.")
        self._dtype, self._name = as_dtype(dtype), name or type(self).__name__
        self.is_non_singular = is_non_singular or is_positive_definite or is_non_singular
        self.is_self_adjoint, self.is_positive_definite = is_self_adjoint, is_positive_definite
        self._square = is_square

    def to_dense(self, name: str | None = None) -> Tensor:
        """The matrix, a tensor of shape [..., rows, columns].

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).to_dense().numpy().tolist()
        [[1.0, 0.0], [0.0, 2.0]]
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what its matrix is: to_dense")

    @property
    def dtype(self) -> DType:
        """The dtype of its elements.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).dtype
        tf.float32
        """
        return self._dtype

    @property
    def name(self) -> str:
        """Its name.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).name
        'LinearOperatorDiag'
        """
        return self._name

    @functools.cached_property
    def shape(self) -> TensorShape:
        """The shape of the matrix, as far as it is known.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).shape
        TensorShape([2, 2])
        """
        return TensorShape(self.to_dense().shape)

    @property
    def is_square(self) -> bool | None:
        """Whether it has as many rows as columns, None if that is not known.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).is_square
        True
        """
        rows, columns = self.shape[-2:]
        return rows == columns if isinstance(rows, int) and isinstance(columns, int) else self._square

    @property
    def batch_shape(self) -> TensorShape:
        """The shape without rows and columns.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).batch_shape
        TensorShape([])
        """
        return self.shape[:-2]

    @property
    def tensor_rank(self) -> int | None:
        """How many dimensions the shape has.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).tensor_rank
        2
        """
        return self.shape.rank

    @property
    def range_dimension(self) -> int | None:
        """How many rows there are.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).range_dimension
        2
        """
        return self.shape[-2]  # type: ignore[no-any-return]

    @property
    def domain_dimension(self) -> int | None:
        """How many columns there are.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).domain_dimension
        2
        """
        return self.shape[-1]  # type: ignore[no-any-return]

    def shape_tensor(self, name: str | None = None) -> Tensor:
        """The shape as a tensor.

        >>> print(tf.linalg.LinearOperatorDiag([1.0, 2.0]).shape_tensor())
        tf.Tensor([2 2], shape=(2,), dtype=int32)
        """
        return shape_of(self.to_dense())

    @overload
    def matmul(
        self, x: LinearOperator, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = None
    ) -> LinearOperator: ...

    @overload
    def matmul(
        self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = None
    ) -> Tensor: ...

    def matmul(
        self, x: TensorLike | LinearOperator, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = None
    ) -> Tensor | LinearOperator:
        """The product with a matrix of shape [..., columns, n]; of two operators their composition.

        Args:
          x: the matrix.
          adjoint, adjoint_arg: whether this, or `x`, is conjugated and transposed first.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).matmul([[3.0], [4.0]]).numpy().tolist()
        [[3.0], [8.0]]
        """
        if isinstance(x, LinearOperator):
            left = self.adjoint() if adjoint else self
            return LinearOperatorComposition([left, x.adjoint() if adjoint_arg else x])
        return matmul(self.to_dense(), operand(x), adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def __matmul__(self, other: TensorLike | LinearOperator) -> Any:
        return self.matmul(other)

    def matvec(self, x: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
        """The product with a vector of shape [..., columns].

        Args:
          x: the vector.
          adjoint: whether this is conjugated and transposed first.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).matvec([3.0, 4.0]).numpy().tolist()
        [3.0, 8.0]
        """
        return squeeze(self.matmul(expand_dims(operand(x), -1), adjoint), -1)

    @overload
    def solve(
        self, rhs: LinearOperator, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = None
    ) -> LinearOperator: ...

    @overload
    def solve(
        self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = None
    ) -> Tensor: ...

    def solve(
        self,
        rhs: TensorLike | LinearOperator,
        adjoint: bool = False,
        adjoint_arg: bool = False,
        name: str | None = None,
    ) -> Tensor | LinearOperator:
        """What the product with is `rhs`, of shape [..., rows, n].

        Args:
          rhs: the matrix.
          adjoint, adjoint_arg: whether this, or `rhs`, is conjugated and transposed first.
        Raises:
          NotImplementedError: if this is not square.
          LinAlgError: if it has no inverse.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).solve([[3.0], [4.0]]).numpy().tolist()
        [[3.0], [2.0]]
        """
        self._be_square("solve")
        if isinstance(rhs, LinearOperator):
            left = self.adjoint() if adjoint else self
            return LinearOperatorComposition([left.inverse(), rhs.adjoint() if adjoint_arg else rhs])
        given = _turned(operand(rhs)) if adjoint_arg else operand(rhs)
        return self._solved(given, adjoint)

    def _solved(self, rhs: Tensor, adjoint: bool) -> Tensor:
        if self.is_self_adjoint and self.is_positive_definite:
            return cholesky_solve(cholesky(self.to_dense()), rhs)
        return solve(_turned(self.to_dense()) if adjoint else self.to_dense(), rhs)

    def solvevec(self, rhs: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
        """What the product with is `rhs`, a vector of shape [..., rows].

        Args:
          rhs: the vector.
          adjoint: whether this is conjugated and transposed first.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).solvevec([3.0, 4.0]).numpy().tolist()
        [3.0, 2.0]
        """
        return squeeze(self.solve(expand_dims(operand(rhs), -1), adjoint), -1)

    def _be_square(self, what: str) -> None:
        if self.is_square is False:
            raise NotImplementedError(f"{what} of {self.name}, which is of shape {self.shape}: only of a square one")

    def determinant(self, name: str | None = None) -> Tensor:
        """The determinant, of shape [...].

        >>> float(tf.linalg.LinearOperatorDiag([1.0, 2.0]).determinant())
        2.0
        """
        self._be_square("determinant")
        return det(self.to_dense())

    def log_abs_determinant(self, name: str | None = None) -> Tensor:
        """The logarithm of the absolute value of the determinant, of shape [...].

        >>> float(tf.linalg.LinearOperatorDiag([1.0, 1.0]).log_abs_determinant())
        0.0
        """
        self._be_square("log_abs_determinant")
        return slogdet(self.to_dense())[1]

    def trace(self, name: str | None = None) -> Tensor:
        """The sum of the diagonal, of shape [...].

        >>> float(tf.linalg.LinearOperatorDiag([1.0, 2.0]).trace())
        3.0
        """
        return reductions.reduce_sum(self.diag_part(), -1)

    def diag_part(self, name: str | None = None) -> Tensor:
        """The diagonal, of shape [..., n].

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).diag_part().numpy().tolist()
        [1.0, 2.0]
        """
        return diag_part(self.to_dense())

    def adjoint(self, name: str | None = None) -> LinearOperator:
        """This, conjugated and transposed.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).adjoint().matvec([3.0, 4.0]).numpy().tolist()
        [3.0, 8.0]
        """
        return self if self.is_self_adjoint else LinearOperatorAdjoint(self)

    @property
    def H(self) -> LinearOperator:
        """This, conjugated and transposed.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).H.matvec([3.0, 4.0]).numpy().tolist()
        [3.0, 8.0]
        """
        return self.adjoint()

    def inverse(self, name: str | None = None) -> LinearOperator:
        """The inverse.

        Raises:
          ValueError: if this is known to have none.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).inverse().matvec([3.0, 4.0]).numpy().tolist()
        [3.0, 2.0]
        """
        if self.is_square is False:
            raise ValueError(f"Cannot take the Inverse: {self.name} is not square")
        if self.is_non_singular is False:
            raise ValueError(f"Cannot take the Inverse: {self.name} is singular")
        return LinearOperatorInversion(self)

    def cholesky(self, name: str | None = None) -> LinearOperator:
        """The lower triangular matrix whose product with its adjoint this is.

        Raises:
          ValueError: if this was not said to be self-adjoint and positive definite.

        >>> tf.linalg.LinearOperatorDiag([4.0], is_positive_definite=True).cholesky().to_dense().numpy().tolist()
        [[2.0]]
        """
        if not (self.is_positive_definite and self.is_self_adjoint):
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        return LinearOperatorLowerTriangular(cholesky(self.to_dense()), is_non_singular=True)

    def add_to_tensor(self, x: TensorLike, name: str | None = None) -> Tensor:
        """The sum of this and a matrix of its shape.

        Args:
          x: the matrix.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).add_to_tensor([[1.0, 1.0], [1.0, 1.0]]).numpy().tolist()
        [[2.0, 1.0], [1.0, 3.0]]
        """
        return m.add(self.to_dense(), operand(x))

    def eigvals(self, name: str | None = None) -> Tensor:
        """The eigenvalues, of shape [..., n], the smallest first.

        Raises:
          NotImplementedError: if this was not said to be self-adjoint.

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).eigvals().numpy().tolist()
        [1.0, 2.0]
        """
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        return eigvalsh(self.to_dense())

    def cond(self, name: str | None = None) -> Tensor:
        """The largest singular value over the smallest, of shape [...].

        >>> float(tf.linalg.LinearOperatorDiag([1.0, 2.0]).cond())
        2.0
        """
        values = m.abs(svd(self.to_dense(), compute_uv=False))  # type: ignore[arg-type]
        return m.divide(reductions.reduce_max(values, -1), reductions.reduce_min(values, -1))


def _turned(x: Tensor) -> Tensor:
    return adjoint(x)


class LinearOperatorFullMatrix(LinearOperator):
    """A matrix.

    Args:
      matrix: of shape [..., rows, columns].
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      name: its name.

    >>> operator = tf.linalg.LinearOperatorFullMatrix([[2.0, 1.0], [0.0, 1.0]])
    >>> operator.matvec([1.0, 2.0]).numpy().tolist(), float(operator.determinant())
    ([4.0, 2.0], 2.0)
    """

    def __init__(
        self, matrix: TensorLike, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:  # fmt: skip
        self._matrix = operand(matrix)
        if self._matrix.shape.rank is not None and self._matrix.shape.rank < 2:
            raise ValueError(f"Argument matrix must have at least 2 dimensions.  Found: {self._matrix}")
        super().__init__(
            self._matrix.dtype, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
        )  # fmt: skip

    def to_dense(self, name: str | None = None) -> Tensor:
        return self._matrix


class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix.

    Args:
      diag: the diagonal, of shape [..., n].
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      name: its name.

    >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).matvec([3.0, 4.0]).numpy().tolist()
    [3.0, 8.0]
    """

    def __init__(
        self, diag: TensorLike, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None, name: str = "LinearOperatorDiag",
    ) -> None:  # fmt: skip
        self._diag = operand(diag)
        known = True if not self._diag.dtype.is_complex else is_self_adjoint
        super().__init__(self._diag.dtype, is_non_singular, known, is_positive_definite, True, name)

    @property
    def diag(self) -> Tensor:
        """The diagonal, of shape [..., n].

        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).diag.numpy().tolist()
        [1.0, 2.0]
        """
        return self._diag

    def to_dense(self, name: str | None = None) -> Tensor:
        return diag(self._diag)

    def diag_part(self, name: str | None = None) -> Tensor:
        return self._diag

    def determinant(self, name: str | None = None) -> Tensor:
        return reductions.reduce_prod(self._diag, -1)

    def log_abs_determinant(self, name: str | None = None) -> Tensor:
        return reductions.reduce_sum(m.log(m.abs(self._diag)), -1)

    def eigvals(self, name: str | None = None) -> Tensor:
        return self._diag

    def inverse(self, name: str | None = None) -> LinearOperator:
        return LinearOperatorDiag(1 / self._diag, self.is_non_singular, self.is_self_adjoint)

    def _solved(self, rhs: Tensor, adjoint: bool) -> Tensor:
        along = m.conj(self._diag) if adjoint and self._diag.dtype.is_complex else self._diag
        return m.divide(rhs, expand_dims(along, -1))


class LinearOperatorScaledIdentity(LinearOperator):
    """The identity, times a number.

    Args:
      num_rows: how many rows there are.
      multiplier: the number, or several for several matrices.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      assert_proper_shapes: accepted.
      name: its name.

    >>> tf.linalg.LinearOperatorScaledIdentity(2, 3.0).to_dense().numpy().tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """

    def __init__(
        self, num_rows: SizeLike, multiplier: TensorLike, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None, is_square: bool | None = True,
        assert_proper_shapes: bool = False, name: str = "LinearOperatorScaledIdentity",
    ) -> None:  # fmt: skip
        self._rows, self._multiplier = num_rows, operand(multiplier)
        known = True if not self._multiplier.dtype.is_complex else is_self_adjoint
        super().__init__(self._multiplier.dtype, is_non_singular, known, is_positive_definite, True, name)

    @property
    def multiplier(self) -> Tensor:
        """The number.

        >>> float(tf.linalg.LinearOperatorScaledIdentity(2, 3.0).multiplier)
        3.0
        """
        return self._multiplier

    def to_dense(self, name: str | None = None) -> Tensor:
        one = making.eye(self._rows, dtype=self._dtype)  # type: ignore[arg-type]
        return m.multiply(one, self._multiplier[..., None, None])


class LinearOperatorIdentity(LinearOperator):
    """The identity.

    Args:
      num_rows: how many rows there are.
      batch_shape: the shape of several of them.
      dtype: the dtype, float32 by default.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: accepted: all hold.
      assert_proper_shapes: accepted.
      name: its name.

    >>> tf.linalg.LinearOperatorIdentity(2).matvec([3.0, 4.0]).numpy().tolist()
    [3.0, 4.0]
    """

    def __init__(
        self, num_rows: SizeLike, batch_shape: Sequence[int] | None = None, dtype: DTypeLike | None = None,
        is_non_singular: bool | None = True, is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True, is_square: bool | None = True, assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:  # fmt: skip
        self._rows, self._batch = num_rows, batch_shape
        super().__init__(dtype or float32, True, True, True, True, name)

    def to_dense(self, name: str | None = None) -> Tensor:
        return making.eye(self._rows, batch_shape=self._batch, dtype=self._dtype)  # type: ignore[arg-type]

    def _solved(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return matmul(self.to_dense(), rhs)

    def inverse(self, name: str | None = None) -> LinearOperator:
        return self


class LinearOperatorZeros(LinearOperator):
    """A matrix of zeros.

    Args:
      num_rows: how many rows there are.
      num_columns: how many columns; as many by default.
      batch_shape: the shape of several of them.
      dtype: the dtype, float32 by default.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: accepted.
      assert_proper_shapes: accepted.
      name: its name.

    >>> tf.linalg.LinearOperatorZeros(1, 2).to_dense().numpy().tolist()
    [[0.0, 0.0]]
    """

    def __init__(
        self, num_rows: SizeLike, num_columns: SizeLike | None = None, batch_shape: Sequence[int] | None = None,
        dtype: DTypeLike | None = None, is_non_singular: bool | None = False, is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = False, is_square: bool | None = True, assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:  # fmt: skip
        self._dims: list[Any] = [*(batch_shape or ()), num_rows, num_rows if num_columns is None else num_columns]
        super().__init__(dtype or float32, False, is_self_adjoint, False, is_square, name)

    def to_dense(self, name: str | None = None) -> Tensor:
        return making.zeros(self._dims, self._dtype)


class LinearOperatorLowerTriangular(LinearOperator):
    """A lower triangular matrix.

    Args:
      tril: a matrix of shape [..., n, n], of which what is above the diagonal does not count.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      name: its name.

    >>> tf.linalg.LinearOperatorLowerTriangular([[2.0, 9.0], [1.0, 1.0]]).solvevec([2.0, 4.0]).numpy().tolist()
    [1.0, 3.0]
    """

    def __init__(
        self, tril: TensorLike, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:  # fmt: skip
        self._tril = _lower(operand(tril))
        super().__init__(self._tril.dtype, is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def to_dense(self, name: str | None = None) -> Tensor:
        return self._tril

    def determinant(self, name: str | None = None) -> Tensor:
        return reductions.reduce_prod(self.diag_part(), -1)

    def _solved(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return triangular_solve(self._tril, rhs, lower=True, adjoint=adjoint)


def _lower(x: Tensor) -> Tensor:
    rows = making.range(making.like_shape(x)[-2])
    columns = making.range(making.like_shape(x)[-1])
    return m.where(expand_dims(rows, 1) >= columns, x, cast(0, x.dtype))


class _OfAnother(LinearOperator):
    """What is made of another operator, of which the same is known unless it is told."""

    def __init__(
        self, operator: LinearOperator, is_non_singular: bool | None, is_self_adjoint: bool | None,
        is_positive_definite: bool | None, is_square: bool | None, name: str,
    ) -> None:  # fmt: skip
        self._operator = operator
        super().__init__(
            operator.dtype,
            operator.is_non_singular if is_non_singular is None else is_non_singular,
            operator.is_self_adjoint if is_self_adjoint is None else is_self_adjoint,
            operator.is_positive_definite if is_positive_definite is None else is_positive_definite,
            operator.is_square if is_square is None else is_square,
            name,
        )

    @property
    def operator(self) -> LinearOperator:
        """The other.

        >>> tf.linalg.LinearOperatorAdjoint(tf.linalg.LinearOperatorDiag([1.0, 2.0])).operator.name
        'LinearOperatorDiag'
        """
        return self._operator


class LinearOperatorAdjoint(_OfAnother):
    """Another one, conjugated and transposed.

    Args:
      operator: the other.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known; that of the other by default.
      name: its name.

    >>> full = tf.linalg.LinearOperatorFullMatrix([[2.0, 1.0]])
    >>> tf.linalg.LinearOperatorAdjoint(full).to_dense().numpy().tolist()
    [[2.0], [1.0]]
    """

    def __init__(
        self, operator: LinearOperator, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        name = name or f"{operator.name}_adjoint"
        super().__init__(operator, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)

    def to_dense(self, name: str | None = None) -> Tensor:
        return _turned(self._operator.to_dense())

    def adjoint(self, name: str | None = None) -> LinearOperator:
        return self._operator

    def _solved(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return self._operator._solved(rhs, not adjoint)


class LinearOperatorInversion(_OfAnother):
    """The inverse of another one.

    Args:
      operator: the other.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known; that of the other by default.
      name: its name.

    >>> full = tf.linalg.LinearOperatorFullMatrix([[2.0, 0.0], [0.0, 4.0]])
    >>> tf.linalg.LinearOperatorInversion(full).to_dense().numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """

    def __init__(
        self, operator: LinearOperator, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        name = name or f"{operator.name}_inv"
        super().__init__(operator, is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def to_dense(self, name: str | None = None) -> Tensor:
        return inv(self._operator.to_dense())

    def inverse(self, name: str | None = None) -> LinearOperator:
        return self._operator


class _Several(LinearOperator):
    """What is made of several operators."""

    def __init__(
        self, operators: Sequence[LinearOperator], is_non_singular: bool | None, is_self_adjoint: bool | None,
        is_positive_definite: bool | None, is_square: bool | None, name: str | None, between: str,
    ) -> None:  # fmt: skip
        if not operators:
            raise ValueError(f"Expected a non-empty list of operators. Found: {operators}")
        if len({one.dtype for one in operators}) > 1:
            raise TypeError(f"Expected all operators to have the same dtype.  Found {[o.dtype for o in operators]}")
        self._operators = [*operators]
        if is_non_singular is None and all(one.is_non_singular for one in operators):
            is_non_singular = True
        super().__init__(
            operators[0].dtype, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
            name or between.join(one.name for one in operators),
        )  # fmt: skip

    @property
    def operators(self) -> list[LinearOperator]:
        """What it is made of.

        >>> len(tf.linalg.LinearOperatorComposition([tf.linalg.LinearOperatorDiag([1.0, 2.0])]).operators)
        1
        """
        return self._operators


class LinearOperatorComposition(_Several):
    """The product of several operators, of which the last is applied first.

    Args:
      operators: them.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      name: its name.

    >>> twice = tf.linalg.LinearOperatorScaledIdentity(2, 2.0)
    >>> tf.linalg.LinearOperatorComposition([twice, twice]).matvec([1.0, 2.0]).numpy().tolist()
    [4.0, 8.0]
    """

    def __init__(
        self, operators: Sequence[LinearOperator], is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name, "_o_")

    def to_dense(self, name: str | None = None) -> Tensor:
        return functools.reduce(matmul, [one.to_dense() for one in self._operators])


class LinearOperatorKronecker(_Several):
    """The Kronecker product of several operators.

    Args:
      operators: them.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      name: its name.

    >>> two = [tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.linalg.LinearOperatorFullMatrix([[3.0]])]
    >>> tf.linalg.LinearOperatorKronecker(two).to_dense().numpy().tolist()
    [[3.0, 0.0], [0.0, 6.0]]
    """

    def __init__(
        self, operators: Sequence[LinearOperator], is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        known = True if all(one.is_self_adjoint for one in operators) else is_self_adjoint
        super().__init__(operators, is_non_singular, known, is_positive_definite, is_square, name, "_x_")

    def to_dense(self, name: str | None = None) -> Tensor:
        return functools.reduce(_kronecker, [one.to_dense() for one in self._operators])


def _kronecker(a: Tensor, b: Tensor) -> Tensor:
    (r, c), (s, d) = (making.like_shape(x)[-2:] for x in (a, b))
    product = m.multiply(a[..., :, None, :, None], b[..., None, :, None, :])
    return reshape(product, [*making.like_shape(product)[:-4], r * s, c * d])


class LinearOperatorBlockDiag(_Several):
    """Several operators one after the other along the diagonal.

    Args:
      operators: them.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      name: its name.

    >>> two = [tf.linalg.LinearOperatorDiag([1.0]), tf.linalg.LinearOperatorFullMatrix([[3.0, 4.0]])]
    >>> tf.linalg.LinearOperatorBlockDiag(two).to_dense().numpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 3.0, 4.0]]
    """

    def __init__(
        self, operators: Sequence[LinearOperator], is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
        is_square: bool | None = True, name: str | None = None,
    ) -> None:  # fmt: skip
        known = True if all(one.is_self_adjoint for one in operators) else is_self_adjoint
        super().__init__(operators, is_non_singular, known, is_positive_definite, is_square, name, "_ds_")

    def to_dense(self, name: str | None = None) -> Tensor:
        made = self._operators[0].to_dense()
        for one in self._operators[1:]:
            block = one.to_dense()
            above = [*making.like_shape(made)[:-1], making.like_shape(block)[-1]]
            below = [*making.like_shape(block)[:-1], making.like_shape(made)[-1]]
            top = concat([made, making.zeros(above, self._dtype)], -1)
            made = concat([top, concat([making.zeros(below, self._dtype), block], -1)], -2)
        return made


class LinearOperatorHouseholder(LinearOperator):
    """The reflection of vectors at the plane that stands upright on another vector.

    Args:
      reflection_axis: that vector, of shape [..., n].
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: accepted.
      name: its name.

    >>> tf.linalg.LinearOperatorHouseholder([2.0, 0.0]).matvec([3.0, 4.0]).numpy().tolist()
    [-3.0, 4.0]
    """

    def __init__(
        self, reflection_axis: TensorLike, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:  # fmt: skip
        self._axis = operand(reflection_axis)
        super().__init__(self._axis.dtype, is_non_singular, True, False, True, name)

    @property
    def reflection_axis(self) -> Tensor:
        """That vector.

        >>> tf.linalg.LinearOperatorHouseholder([2.0, 0.0]).reflection_axis.numpy().tolist()
        [2.0, 0.0]
        """
        return self._axis

    def to_dense(self, name: str | None = None) -> Tensor:
        length = m.sqrt(reductions.reduce_sum(m.square(self._axis), -1, keepdims=True))
        unit = expand_dims(m.divide(self._axis, length), -1)
        one = making.eye(making.like_shape(self._axis)[-1], dtype=self._dtype)
        return one - 2 * matmul(unit, unit, transpose_b=True)

    def _solved(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return matmul(self.to_dense(), rhs)


class LinearOperatorToeplitz(LinearOperator):
    """A matrix that is the same along each diagonal.

    Args:
      col: the first column, of shape [..., n].
      row: the first row, of shape [..., n].
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      name: its name.

    >>> tf.linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]).to_dense().numpy().tolist()
    [[1.0, 3.0], [2.0, 1.0]]
    """

    def __init__(
        self, col: TensorLike, row: TensorLike, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:  # fmt: skip
        self._col, self._row = operand(col), operand(row)
        super().__init__(self._col.dtype, is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    @property
    def col(self) -> Tensor:
        """The first column.

        >>> tf.linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]).col.numpy().tolist()
        [1.0, 2.0]
        """
        return self._col

    @property
    def row(self) -> Tensor:
        """The first row.

        >>> tf.linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]).row.numpy().tolist()
        [1.0, 3.0]
        """
        return self._row

    def to_dense(self, name: str | None = None) -> Tensor:
        size = making.like_shape(self._col)[-1]
        places = making.range(size)
        both = concat([self._row[..., :0:-1], self._col], -1)  # from the last of the row to the last of the column
        return gather(both, expand_dims(places, 1) - places + size - 1, axis=-1)


class LinearOperatorPermutation(LinearOperator):
    """A permutation of vectors.

    Args:
      perm: which element comes where, whole numbers of shape [..., n].
      dtype: the dtype of the matrix.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of it.
      name: its name.

    >>> tf.linalg.LinearOperatorPermutation([1, 0]).matvec([3.0, 4.0]).numpy().tolist()
    [4.0, 3.0]
    """

    def __init__(
        self, perm: TensorLike, dtype: DTypeLike = float32, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str = "LinearOperatorPermutation",
    ) -> None:  # fmt: skip
        self._perm = operand(perm)
        super().__init__(dtype, is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    @property
    def perm(self) -> Tensor:
        """Which element comes where.

        >>> tf.linalg.LinearOperatorPermutation([1, 0]).perm.numpy().tolist()
        [1, 0]
        """
        return self._perm

    def to_dense(self, name: str | None = None) -> Tensor:
        return making.one_hot(self._perm, making.like_shape(self._perm)[-1], dtype=self._dtype)


class LinearOperatorLowRankUpdate(LinearOperator):
    """An operator, and the product ``u @ diag @ v.H`` added to it.

    Args:
      base_operator: the operator.
      u: of shape [..., n, k].
      diag_update: of shape [..., k]; ones by default.
      v: of shape [..., n, k]; `u` by default.
      is_diag_update_positive: what is known of it.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: what is known of the whole.
      name: its name.

    >>> base = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    >>> tf.linalg.LinearOperatorLowRankUpdate(base, [[1.0], [0.0]]).to_dense().numpy().tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """

    def __init__(
        self, base_operator: LinearOperator, u: TensorLike, diag_update: TensorLike | None = None,
        v: TensorLike | None = None, is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:  # fmt: skip
        self._base, self._u = base_operator, operand(u)
        self._v = self._u if v is None else operand(v)
        self._update = None if diag_update is None else operand(diag_update)
        positive = is_diag_update_positive or diag_update is None
        if v is None and base_operator.is_self_adjoint:
            is_self_adjoint = True
            if positive and base_operator.is_positive_definite:
                is_positive_definite = True
        super().__init__(
            base_operator.dtype, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
        )  # fmt: skip

    def to_dense(self, name: str | None = None) -> Tensor:
        left = self._u if self._update is None else m.multiply(self._u, expand_dims(self._update, -2))
        return self._base.add_to_tensor(matmul(left, self._v, adjoint_b=True))
