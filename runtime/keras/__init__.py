"""Layers, models and what trains them, by Keras's names."""

from runtime.keras import backend as backend, optimizers as optimizers
