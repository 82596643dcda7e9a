"""What layers take for their initializers, regularizers, constraints and activations: objects, or their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from runtime.keras.constraints import Constraint
from runtime.keras.initializers import Initializer
from runtime.keras.regularizers import Regularizer
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

ActivationLike: TypeAlias = str | Mapping[str, object] | Callable[..., Tensor] | None
InitializerLike: TypeAlias = "str | Mapping[str, object] | type[Initializer] | Callable[..., TensorLike] | None"
RegularizerLike: TypeAlias = (
    "str | Mapping[str, object] | type[Regularizer] | Callable[[TensorLike], TensorLike] | None"
)
ConstraintLike: TypeAlias = "str | Mapping[str, object] | type[Constraint] | Callable[[TensorLike], TensorLike] | None"

# How much, along each axis: one number, or one for each; and before and after.
Sizes: TypeAlias = "int | Sequence[int]"
Pairs: TypeAlias = "int | Sequence[int] | Sequence[Sequence[int]]"
