"""Layers, models and what trains them, by Keras's names."""

from runtime.keras import (
    activations,
    backend,
    callbacks,
    constraints,
    datasets,
    initializers,
    layers,
    losses,
    metrics,
    models,
    optimizers,
    preprocessing,
    regularizers,
    saving,
    utils,
)
from runtime.keras.initializers import Initializer
from runtime.keras.layers import Input, InputSpec, Layer
from runtime.keras.layers.symbolic import KerasTensor
from runtime.keras.losses import Loss
from runtime.keras.losses.reduction import find_masks_with as _find_masks_with
from runtime.keras.metrics import Metric
from runtime.keras.models import Functional, Model, Sequential
from runtime.keras.optimizers import Optimizer
from runtime.keras.regularizers import Regularizer
from runtime.tensors.masks import mask_of as _mask_of

__all__ = [
    "Functional", "Initializer", "Input", "InputSpec", "KerasTensor", "Layer", "Loss", "Metric", "Model",
    "Optimizer", "Regularizer", "Sequential", "activations", "backend", "callbacks", "constraints", "datasets",
    "initializers", "layers", "losses", "metrics", "models", "optimizers", "preprocessing", "regularizers", "saving",
    "utils",
]  # fmt: skip

_find_masks_with(_mask_of)  # losses and metrics leave out what layers have masked
