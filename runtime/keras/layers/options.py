"""The options that all layers take by keyword."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from runtime.keras.layers.kinds import RegularizerLike
from runtime.tensors.types import DTypeLike


class LayerOptions(TypedDict, total=False):
    """Those that stand nowhere else."""

    trainable: bool
    dtype: DTypeLike | None
    autocast: bool
    name: str | None
    input_shape: Sequence[int | None] | None
    batch_input_shape: Sequence[int | None] | None
    batch_shape: Sequence[int | None] | None
    batch_size: int | None


class Options(LayerOptions, total=False):
    """The options of layers that do not name the regularizer of their outputs."""

    activity_regularizer: RegularizerLike
