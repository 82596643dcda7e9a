"""Layers, models and what trains them, by Keras's names."""

from runtime.keras import optimizers as optimizers
