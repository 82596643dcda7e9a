"""`IndexedSlices`: rows of a tensor and their numbers, as the gradient of a table has them whose rows are looked up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.graph.dtypes import DType
from runtime.graph.shapes import TensorShape
from runtime.ops import indexing
from runtime.tensors.composites import Composite
from runtime.tensors.conversion import convert_to_tensor, operand
from runtime.tensors.making import zeros
from runtime.tensors.operations import apply
from runtime.tensors.read_as_tensors import ReadAsTensor
from runtime.tensors.shaping import expand_dims
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import TensorLike


class IndexedSlices(ReadAsTensor, Composite):
    """Rows of a tensor, and which ones they are: what the methods ``scatter_…`` of Variables take.

    The gradient of a Variable whose rows are looked up, by `gather` or an Embedding layer, is one. Where a tensor is
    taken, it stands for the tensor of that shape whose rows are the sums of those that have its number.

    Args:
      values: a tensor of shape [n, ...].
      indices: whole numbers of shape [n]: which rows of the tensor the values are.
      dense_shape: the shape of that tensor, if it is known.

    >>> tf.Variable([1, 2, 3]).scatter_add(tf.IndexedSlices([10, 30], [0, 2]))
    <tf.Variable 'Variable:0' shape=(3,) dtype=int32, numpy=array([11,  2, 33], dtype=int32)>
    >>> table = tf.Variable([[1.0], [2.0], [3.0]])
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(tf.gather(table, [2, 0, 2]))
    >>> gradient = tape.gradient(loss, table)
    >>> print(gradient.indices.numpy(), tf.reshape(gradient, [-1]).numpy())
    [2 0 2] [1. 0. 2.]
    """

    of_any_length = frozenset({"_values", "_indices"})
    instead = "it is rows of a tensor, which tf.convert_to_tensor(x) makes of it"

    def __init__(self, values: TensorLike, indices: TensorLike, dense_shape: TensorLike | None = None) -> None:
        self._values, self._indices = operand(values), operand(indices)
        self._dense_shape = None if dense_shape is None else operand(dense_shape)

    @property
    def values(self) -> Tensor:
        """The rows, a tensor of shape [n, ...].

        >>> print(tf.IndexedSlices([1.0], [5]).values)
        tf.Tensor([1.], shape=(1,), dtype=float32)
        """
        return self._values

    @property
    def indices(self) -> Tensor:
        """Which rows they are, whole numbers of shape [n].

        >>> print(tf.IndexedSlices([1.0], [5]).indices)
        tf.Tensor([5], shape=(1,), dtype=int32)
        """
        return self._indices

    @property
    def dense_shape(self) -> Tensor | None:
        """The shape of the tensor whose rows they are, or None.

        >>> print(tf.IndexedSlices([1.0], [5], [9]).dense_shape)
        tf.Tensor([9], shape=(1,), dtype=int32)
        """
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values, whatever their shape.

        >>> tf.IndexedSlices([1.0], [5]).dtype
        tf.float32
        """
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the tensor whose rows they are, as far as it is known.

        >>> tf.IndexedSlices([[1.0, 2.0]], [5]).shape, tf.IndexedSlices([1.0], [5], [9]).shape
        (TensorShape([None, 2]), TensorShape([9]))
        """
        if isinstance(self._dense_shape, EagerTensor):
            return TensorShape(tuple(map(int, self._dense_shape.array)))
        rows = self._values.type.shape
        return TensorShape(None if rows is None else (None, *rows[1:]))

    def __tensor__(self) -> Tensor:
        if self._dense_shape is None:
            raise ValueError("IndexedSlices without dense_shape= do not tell the shape of the tensor that they are of")
        whole = zeros(self._dense_shape, self.dtype)
        return apply(indexing.scatter, whole, expand_dims(self._indices, -1), self._values, how="add")

    def mapped(self, compute: Callable[[Tensor], Any]) -> Any:
        return compute(self.__tensor__())

    def __neg__(self) -> Any:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __repr__(self) -> str:
        return f"IndexedSlices(indices={self._indices!r}, values={self._values!r})"


def of_each(function: Callable[[Tensor], Tensor], x: TensorLike) -> Any:
    """What a function makes of a tensor; of rows that were looked up, of each by itself, as often as it was."""
    if not isinstance(x, IndexedSlices):
        return function(convert_to_tensor(x))
    return IndexedSlices(function(x.values), x.indices, x.dense_shape)
