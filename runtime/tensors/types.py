"""What the functions of the runtime take, as types for their signatures."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

import numpy as np

from runtime.graph.dtypes import DTypeLike as DTypeLike
from runtime.graph.shapes import PatternLike as PatternLike, TensorShape

if TYPE_CHECKING:
    from runtime.tensors.tensor import Tensor


class HasTensor(Protocol):
    """What can be read as a tensor: a Variable."""

    def __tensor__(self) -> Tensor: ...


Text: TypeAlias = str | bytes
Number: TypeAlias = bool | int | float | complex

# What becomes a tensor: numbers, text and arrays as well, and nested lists of all these.
TensorLike: TypeAlias = Union[
    "Tensor", HasTensor, np.ndarray[Any, Any], np.generic, Number, Text, Sequence["TensorLike"]
]

# One dimension, and a shape to be made: its dimensions, each of which may be a tensor, or a tensor that holds them all.
SizeLike: TypeAlias = Union[int, np.integer[Any], "Tensor", HasTensor]
ShapeLike: TypeAlias = TensorShape | Sequence[SizeLike] | SizeLike | np.ndarray[Any, Any]

# One axis, or several; None for all of them, or for none, as the function says.
AxisLike: TypeAlias = Union[int, Sequence[int], np.integer[Any], np.ndarray[Any, Any], "Tensor", HasTensor, None]

# What may stand in the brackets behind a tensor.
IndexPart: TypeAlias = Union[
    int, slice, EllipsisType, "Tensor", HasTensor, np.integer[Any], np.ndarray[Any, Any], Sequence[int], None
]
IndexLike: TypeAlias = IndexPart | tuple[IndexPart, ...]

# Tensors in lists, tuples, dicts, named tuples and dataclasses, nested as wanted; Python has no type for it.
Structure: TypeAlias = Any
