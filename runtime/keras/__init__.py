"""Layers, models and what trains them, by Keras's names."""
