"""TensorSpec: a tensor's dtype and shape without its value."""

from __future__ import annotations

from typing import Any, Protocol

from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.shapes import TensorShape, show
from runtime.tensors.types import DTypeLike, PatternLike


class HasShape(Protocol):
    """What has a dtype and a shape: a tensor, a Variable, an array, a TensorSpec."""

    @property
    def dtype(self) -> Any: ...

    @property
    def shape(self) -> Any: ...


class TensorSpec:
    """The dtype and shape of a tensor, without its value: what a function may expect of an argument.

    Args:
      shape: the shape: None for any, a None inside for a dimension of any size.
      dtype: the dtype, float32 by default.
      name: the name of the argument in the graph.

    >>> spec = tf.TensorSpec([None, 3], tf.int32)
    >>> spec.is_compatible_with(tf.ones([2, 3], tf.int32)), spec.is_compatible_with(tf.ones([2, 4], tf.int32))
    (True, False)
    """

    __slots__ = ("dtype", "name", "shape")

    def __init__(self, shape: PatternLike = None, dtype: DTypeLike = "float32", name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype: DType = as_dtype(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: HasShape, name: str | None = None) -> TensorSpec:
        """The spec that one tensor fits: its dtype and shape.

        Args:
          tensor: a tensor, a Variable or an array.
          name: the name of the argument in the graph.

        >>> tf.TensorSpec.from_tensor(tf.zeros([2, 3]))
        TensorSpec(shape=(2, 3), dtype=tf.float32, name=None)
        """
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: HasShape, name: str | None = None) -> TensorSpec:
        """The spec that is another, by another name.

        Args:
          spec: a TensorSpec, or what has a dtype and a shape.
          name: the name of the argument in the graph; that of the spec by default.

        >>> tf.TensorSpec.from_spec(tf.TensorSpec([2], tf.int32), name="n")
        TensorSpec(shape=(2,), dtype=tf.int32, name='n')
        """
        return cls(spec.shape, spec.dtype, name or getattr(spec, "name", None))

    def is_compatible_with(self, other: object) -> bool:
        """Whether another spec, or a tensor, has this dtype and a shape that fits; anything else has not.

        >>> tf.TensorSpec([None]).is_compatible_with(tf.TensorSpec([4]))
        True
        """
        dtype, shape = getattr(other, "dtype", None), getattr(other, "shape", None)
        return dtype is not None and bool(self.dtype == dtype) and self.shape.is_compatible_with(shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and (self.dtype, self.shape, self.name) == (
            other.dtype,
            other.shape,
            other.name,
        )

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={show(self.shape.dims)}, dtype={self.dtype!r}, name={self.name!r})"
