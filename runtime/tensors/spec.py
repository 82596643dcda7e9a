"""TensorSpec: a tensor's dtype and shape without its value."""

from __future__ import annotations

from typing import Any

from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.shapes import TensorShape, show


class TensorSpec:
    """What a function may expect of an argument.

    Args:
      shape: the shape; None for an unknown rank, a None inside for an unknown dimension.
      dtype: the element type; float32 by default.
      name: the argument's name in the graph.
    """

    __slots__ = ("dtype", "name", "shape")

    def __init__(self, shape: Any = None, dtype: Any = "float32", name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype: DType = as_dtype(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor."""
        return cls(tensor.shape, tensor.dtype, name)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a tensor or spec has this dtype and a compatible shape."""
        return bool(self.dtype == other.dtype) and self.shape.is_compatible_with(other.shape)

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
