"""`SparseTensor`: the elements of a tensor that are not zero, and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from runtime.graph.dtypes import DType, bool_, int64, string
from runtime.graph.shapes import TensorShape
from runtime.tensors import making
from runtime.tensors.composites import Formed
from runtime.tensors.conversion import cast, convert_to_tensor, get_static_value, operand
from runtime.tensors.mathematics import equal, where
from runtime.tensors.parts import argsort, gather, gather_nd, tensor_scatter_nd_update
from runtime.tensors.reductions import cumprod, reduce_all, reduce_max, reduce_sum
from runtime.tensors.shaping import concat, require, reshape, shape as shape_of, stack
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike


class SparseTensor(Formed):
    """Some elements of a tensor, by their places; all others are zero.

    `tf.sparse` has what makes a tensor of one, and one of a tensor. In a `function` it is an argument, a result, a
    variable of a loop, and neither the number of its elements nor its shape decides about a graph.

    Args:
      indices: int64 of shape [n, rank]: the place of each element.
      values: the elements, of shape [n].
      dense_shape: int64 of shape [rank]: the shape of the tensor.
    Raises:
      ValueError: if these shapes do not go together.

    >>> tf.sparse.to_dense(tf.SparseTensor([[0, 1], [1, 0]], [3, 4], [2, 2]))
    <tf.Tensor: shape=(2, 2), dtype=int32, numpy=
    array([[0, 3],
           [4, 0]], dtype=int32)>
    """

    of_any_length = frozenset({"_indices", "_values"})
    instead: ClassVar[str] = (
        "it is the elements of a tensor that are not zero. Compute with its values "
        "(tf.SparseTensor(x.indices, f(x.values), x.dense_shape)), or make a tensor of it: tf.sparse.to_dense(x)"
    )

    def __init__(self, indices: TensorLike, values: TensorLike, dense_shape: TensorLike) -> None:
        self._indices, self._values = convert_to_tensor(indices, int64), convert_to_tensor(values)
        self._dense_shape = convert_to_tensor(dense_shape, int64)
        for what, tensor, rank in (
            ("indices", self._indices, 2), ("values", self._values, 1), ("dense_shape", self._dense_shape, 1),
        ):  # fmt: skip
            if tensor.shape.rank not in (rank, None):
                raise ValueError(f"the {what} of a SparseTensor are of rank {rank}, not of shape {tensor.shape}")
        together = TensorShape([*self._values.shape.with_rank(1).dims, *self._dense_shape.shape.with_rank(1).dims])  # type: ignore[misc]
        if not self._indices.shape.is_compatible_with(together):
            raise ValueError(
                f"indices of shape {self._indices.shape}, values of shape {self._values.shape} and a dense_shape of "
                f"shape {self._dense_shape.shape} do not go together: [n, rank], [n] and [rank] are wanted"
            )

    @property
    def indices(self) -> Tensor:
        """The places of its elements, int64 of shape [n, rank].

        >>> print(tf.sparse.from_dense([0, 3, 0]).indices)
        tf.Tensor([[1]], shape=(1, 1), dtype=int64)
        """
        return self._indices

    @property
    def values(self) -> Tensor:
        """Its elements, of shape [n].

        >>> print(tf.sparse.from_dense([0, 3, 0]).values)
        tf.Tensor([3], shape=(1,), dtype=int32)
        """
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        """The shape of the tensor whose elements they are, int64 of shape [rank].

        >>> print(tf.sparse.from_dense([0, 3, 0]).dense_shape)
        tf.Tensor([3], shape=(1,), dtype=int64)
        """
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """The dtype of its elements, whatever the shape.

        >>> tf.sparse.from_dense([0, 3, 0]).dtype
        tf.int32
        """
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the tensor whose elements they are, as far as it is known.

        >>> tf.sparse.from_dense([0, 3, 0]).shape
        TensorShape([3])
        """
        if isinstance(self._dense_shape, Tensor):
            known: Any = get_static_value(self._dense_shape)
            if known is not None:
                return TensorShape([int(d) for d in known])
        rank = (self._dense_shape.shape.dims or (None,))[0]
        rank = (self._indices.shape.dims or (None, None))[1] if rank is None else rank
        return TensorShape([None] * rank if isinstance(rank, int) else None)

    def get_shape(self) -> TensorShape:
        """`shape`, as a method.

        >>> tf.sparse.from_dense([0, 3, 0]).get_shape()
        TensorShape([3])
        """
        return self.shape

    def with_values(self, new_values: TensorLike) -> SparseTensor:
        """Other elements at the same places.

        Args:
          new_values: the elements, of shape [n].

        >>> print(tf.sparse.from_dense([0, 3, 0]).with_values([5.0]).values)
        tf.Tensor([5.], shape=(1,), dtype=float32)
        """
        return SparseTensor(self._indices, new_values, self._dense_shape)

    def _scaled(self, other: TensorLike, name: str) -> TensorLike:
        factor = operand(other)
        if factor.shape.rank != 0:
            raise TypeError(
                f"a SparseTensor {name} by a tensor of shape {factor.shape}: it takes a number. {self.instead}"
            )
        return factor if isinstance(other, Tensor) else other

    def __mul__(self, other: TensorLike, /) -> SparseTensor:
        return self.with_values(self._values * self._scaled(other, "multiplied"))

    def __truediv__(self, other: TensorLike, /) -> SparseTensor:
        return self.with_values(self._values / self._scaled(other, "divided"))

    def __repr__(self) -> str:
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._dense_shape!s})"


def from_dense(tensor: TensorLike, name: str | None = None) -> SparseTensor:
    """The elements of a tensor that are not zero, or not the empty text.

    Args:
      tensor: a tensor of any shape.

    >>> print(tf.sparse.from_dense([[0, 3], [4, 0]]).indices.numpy())
    [[0 1]
     [1 0]]
    """
    whole = operand(tensor)
    places = where(whole if whole.dtype == bool_ else whole != (b"" if whole.dtype == string else cast(0, whole.dtype)))
    return SparseTensor(places, gather_nd(whole, places), shape_of(whole, int64))


def to_dense(
    sp_input: SparseTensor,
    default_value: TensorLike | None = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """The tensor, of the shape `dense_shape`, whose elements a SparseTensor has.

    Args:
      sp_input: the SparseTensor.
      default_value: what all other elements are, zero or the empty text by default.
      validate_indices: whether to check that the places are in order, and none is there twice.
    Raises:
      InvalidArgumentError: if they are not, or outside of the shape.

    >>> print(tf.sparse.to_dense(tf.SparseTensor([[1]], [3], [3]), default_value=-1).numpy())
    [-1  3 -1]
    """
    given = _sparse(sp_input, "to_dense")
    indices, shape = given.indices, given.dense_shape
    require(
        reduce_all((indices >= 0) & (indices < shape)), "an index of the SparseTensor is out of bounds", indices, shape
    )
    if validate_indices:
        at = _places(given)
        require(
            reduce_all(at[1:] > at[:-1]),
            "indices of the SparseTensor are repeated or out of order; tf.sparse.reorder puts them in order",
            indices,
        )
    if default_value is None:
        whole = making.zeros(shape, given.dtype)
    else:
        whole = making.fill(shape, convert_to_tensor(default_value, given.dtype))
    return tensor_scatter_nd_update(whole, indices, given.values)


def reorder(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The same elements in the order of their places.

    Args:
      sp_input: the SparseTensor, of any shape.

    >>> tf.sparse.reorder(tf.SparseTensor([[2], [0]], [3, 4], [3])).values.numpy()
    array([4, 3], dtype=int32)
    """
    given = _sparse(sp_input, "reorder")
    order = argsort(_places(given), stable=True)
    return SparseTensor(gather(given.indices, order), gather(given.values, order), given.dense_shape)


def _sparse(value: object, function: str) -> SparseTensor:
    if not isinstance(value, SparseTensor):
        raise TypeError(f"{function} takes a SparseTensor, not {type(value).__name__}")
    return value


def _places(given: SparseTensor) -> Tensor:
    """The number of each element among all that the tensor has."""
    steps = cumprod(given.dense_shape, exclusive=True, reverse=True)
    return reduce_sum(given.indices * steps, 1)


def sparse_stack(parts: Sequence[SparseTensor]) -> SparseTensor:
    """SparseTensors of one rank as the rows of one, as large as the largest."""
    numbers = [
        concat([making.fill([shape_of(p.values)[0], 1], cast(n, int64)), p.indices], 1) for n, p in enumerate(parts)
    ]
    largest = reduce_max(stack([p.dense_shape for p in parts]), 0)
    shape = concat([[cast(len(parts), int64)], largest], 0)
    return SparseTensor(concat(numbers, 0), concat([p.values for p in parts], 0), shape)


def sparse_row(given: SparseTensor, number: TensorLike) -> SparseTensor:
    """One part along the first axis."""
    kept = reshape(where(equal(given.indices[:, 0], cast(number, int64))), [-1])
    return SparseTensor(gather(given.indices, kept)[:, 1:], gather(given.values, kept), given.dense_shape[1:])
