"""What a function may expect of rows of different lengths and of sparse tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from runtime.graph.dtypes import DType, as_dtype, int64
from runtime.graph.shapes import TensorShape
from runtime.tensors import nest
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.sparse_tensor import SparseTensor
from runtime.tensors.spec import TensorSpec
from runtime.tensors.types import DTypeLike, PatternLike, TensorLike


class RaggedTensorSpec(TensorSpec):
    """The dtype and shape of rows of different lengths: what a function, or a dataset, may expect of them.

    Args:
      shape: the shape: a None inside for a dimension of any size, which those that are ragged are.
      dtype: the dtype of the values, float32 by default.
      ragged_rank: how many dimensions are ragged, all but the first by default; with 0 it is a tensor, of which a
        dataset makes rows when it batches.
      row_splits_dtype: int32 or int64.
    Raises:
      ValueError: if there are not as many dimensions.

    >>> @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    ... def longest(rows):
    ...     return tf.reduce_max(rows.row_lengths())
    >>> print(longest(tf.ragged.constant([[3, 1], [], [4]])).numpy())
    2
    """

    __slots__ = ("ragged_rank", "row_splits_dtype")

    def __init__(
        self,
        shape: PatternLike = None,
        dtype: DTypeLike = "float32",
        ragged_rank: int | None = None,
        row_splits_dtype: DTypeLike = int64,
        flat_values_spec: object = None,
    ) -> None:
        super().__init__(shape, dtype)
        rank = self.shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("RaggedTensorSpec needs a shape, or a ragged_rank")
            ragged_rank = rank - 1
        if rank is not None and not 0 <= ragged_rank <= max(rank - 1, 0):
            raise ValueError(f"RaggedTensorSpec of shape {self.shape} with ragged_rank={ragged_rank}")
        self.ragged_rank = ragged_rank
        self.row_splits_dtype: DType = as_dtype(row_splits_dtype)

    def _opened(self) -> object:
        """Rows with the spec of each tensor that they are made of; if none are ragged, the spec itself."""
        if not self.ragged_rank:
            return self
        dims: list[Any] = [None] * (self.ragged_rank + 1) if self.shape.rank is None else self.shape.as_list()
        inner: Any = TensorSpec([None, *dims[self.ragged_rank + 1 :]], self.dtype)
        for axis in reversed(range(self.ragged_rank)):
            count = dims[axis] + 1 if axis == 0 and dims[axis] is not None else None
            inner = RaggedTensor._made(inner, TensorSpec([count], self.row_splits_dtype))  # type: ignore[arg-type]
        return inner

    def is_compatible_with(self, other: object) -> bool:
        """Whether another spec, or a RaggedTensor, has this dtype, as many ragged dimensions, and a shape that fits.

        >>> tf.RaggedTensorSpec([None, None], tf.int32).is_compatible_with(tf.ragged.constant([[3], []]))
        True
        """
        found = closed(other)
        return (
            isinstance(found, RaggedTensorSpec)
            and (found.dtype, found.ragged_rank) == (self.dtype, self.ragged_rank)
            and self.shape.is_compatible_with(found.shape)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaggedTensorSpec) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"RaggedTensorSpec({self.shape!r}, {self.dtype!r}, {self.ragged_rank}, {self.row_splits_dtype!r})"


class SparseTensorSpec(TensorSpec):
    """The dtype and shape of a SparseTensor: what a function, or a dataset, may expect of one.

    Args:
      shape: the shape: a None inside for a dimension of any size.
      dtype: the dtype of the elements, float32 by default.

    >>> @tf.function(input_signature=[tf.SparseTensorSpec([None, None], tf.int32)])
    ... def total(x):
    ...     return tf.reduce_sum(x.values)
    >>> print(total(tf.sparse.from_dense([[0, 3], [4, 0]])).numpy())
    7
    """

    __slots__ = ()

    def __init__(self, shape: PatternLike = None, dtype: DTypeLike = "float32") -> None:
        super().__init__(shape, dtype)

    def _opened(self) -> object:
        """A sparse tensor with the spec of each tensor that it is made of."""
        rank = self.shape.rank
        made: Any = object.__new__(SparseTensor)
        made._indices = TensorSpec([None, rank], int64)
        made._values = TensorSpec([None], self.dtype)
        made._dense_shape = TensorSpec([rank], int64)
        return made

    def is_compatible_with(self, other: object) -> bool:
        """Whether another spec, or a SparseTensor, has this dtype and a shape that fits.

        >>> tf.SparseTensorSpec([None], tf.int32).is_compatible_with(tf.sparse.from_dense([0, 3]))
        True
        """
        found = closed(other)
        return (
            isinstance(found, SparseTensorSpec)
            and found.dtype == self.dtype
            and self.shape.is_compatible_with(found.shape)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparseTensorSpec) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"SparseTensorSpec({self.shape!r}, {self.dtype!r})"


def _mapped(leaf: Callable[[Any], object], structure: Any) -> Any:
    """A structure with its leaves replaced, of which what is made of several tensors is one."""
    if not nest.is_nested(structure) or isinstance(structure, RaggedTensor | SparseTensor):
        return leaf(structure)
    return nest.of_kind(structure, [_mapped(leaf, part) for part in nest.parts(structure)])


def parts_in(structure: Any, new: Iterator[object]) -> Any:
    """A structure with its leaves replaced, of which what is made of several tensors is one."""
    return _mapped(lambda _: next(new), structure)


def opened(structure: Any) -> Any:
    """A structure of specs in which those of several tensors are such values, with a spec for each tensor."""

    def leaf(spec: object) -> object:
        return spec._opened() if isinstance(spec, RaggedTensorSpec | SparseTensorSpec) else spec

    return _mapped(leaf, structure)


def closed(structure: Any) -> Any:
    """The other way round: a structure of specs, one for each value."""

    def leaf(value: Any) -> object:
        if isinstance(value, RaggedTensor):
            return RaggedTensorSpec(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)
        return SparseTensorSpec(value.shape, value.dtype) if isinstance(value, SparseTensor) else value

    return _mapped(leaf, structure)


def type_spec_from_value(value: TensorLike) -> TensorSpec:
    """The spec that a value fits.

    Args:
      value: a tensor, a RaggedTensor, a SparseTensor, a Variable, or what becomes a tensor.
    Returns: a TensorSpec, RaggedTensorSpec or SparseTensorSpec of its shape and dtype.
    Raises:
      TypeError: if it becomes no tensor.

    >>> tf.type_spec_from_value(tf.ragged.constant([[3, 1], []]))
    RaggedTensorSpec(TensorShape([2, None]), tf.int32, 1, tf.int64)
    """
    found = closed(value)
    if isinstance(found, TensorSpec):
        return found
    tensor: Any = value if hasattr(value, "dtype") else convert_to_tensor(value)
    return TensorSpec.from_tensor(tensor)


def with_axis(one: Any, size: int | None) -> object:
    """The spec of so many of these together, opened as they are."""
    spec = closed(one)
    shape = TensorShape([size]).concatenate(spec.shape)
    if isinstance(spec, SparseTensorSpec):
        return SparseTensorSpec(shape, spec.dtype)._opened()
    return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank + 1, spec.row_splits_dtype)._opened()


def without_axis(one: Any) -> object:
    """The spec of one part along the first axis, opened as it is."""
    spec = closed(one)
    shape = spec.shape[1:] if spec.shape.rank else None
    if isinstance(spec, SparseTensorSpec):
        return SparseTensorSpec(shape, spec.dtype)._opened()
    if isinstance(spec, RaggedTensorSpec):
        return RaggedTensorSpec(shape, spec.dtype, max(spec.ragged_rank - 1, 0), spec.row_splits_dtype)._opened()
    return TensorSpec(shape, spec.dtype)
