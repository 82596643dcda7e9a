"""What functions of the runtime take, as types: texts, which only type checkers read; and what can become one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from runtime.graph.dtypes import DTypeLike as DTypeLike
from runtime.graph.shapes import PatternLike as PatternLike

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import EllipsisType
    from typing import Literal, Protocol

    import numpy as np

    from runtime.graph.shapes import TensorShape
    from runtime.tensors.tensor import Tensor

    class HasTensor(Protocol):
        """What can be read as a tensor: a Variable."""

        def __tensor__(self) -> Tensor: ...


# What becomes a tensor: numbers, text and arrays as well, and nested lists of all these.
Scalar: TypeAlias = "bool | int | float | complex | str | bytes | np.generic"
TensorLike: TypeAlias = "Tensor | HasTensor | np.ndarray[Any, Any] | Scalar | Sequence[TensorLike]"

# One dimension, and a shape to be made: its dimensions, each of which may be a tensor, or a tensor that holds them all.
SizeLike: TypeAlias = "int | np.integer[Any] | Tensor | HasTensor"
ShapeLike: TypeAlias = "TensorShape | Sequence[SizeLike] | SizeLike | np.ndarray[Any, Any]"

# One dimension of a tensor at hand: a number where it is known.
Size: TypeAlias = "int | Tensor"

# One axis, or several; None for all of them, or for none, as the function says.
AxisLike: TypeAlias = "int | Sequence[int] | np.integer[Any] | np.ndarray[Any, Any] | Tensor | HasTensor | None"

# What NumPy may do to a dtype where it casts.
Casting: TypeAlias = 'Literal["no", "equiv", "safe", "same_kind", "unsafe"]'

# What may stand in the brackets behind a tensor.
IndexPart: TypeAlias = (
    "int | slice | EllipsisType | Tensor | HasTensor | np.integer[Any] | np.ndarray[Any, Any] | Sequence[int] | None"
)
IndexLike: TypeAlias = "IndexPart | tuple[IndexPart, ...]"

# Tensors in lists, tuples, dicts, named tuples and dataclasses, nested as wanted; Python has no type for it.
Structure: TypeAlias = Any

# What a `Session` is fed: values by tensors, or by their names.
Feeds: TypeAlias = Mapping[Any, object]


def has_tensor(value: object) -> bool:
    """Whether its class says how it is read as a tensor: a user's `__getattr__` may answer to anything."""
    return hasattr(value.__class__, "__tensor__")
