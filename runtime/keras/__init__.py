"""Layers, models and what trains them, by Keras's names."""

from runtime.keras import (
    activations as activations,
    backend as backend,
    callbacks as callbacks,
    constraints as constraints,
    initializers as initializers,
    losses as losses,
    metrics as metrics,
    optimizers as optimizers,
    regularizers as regularizers,
)
