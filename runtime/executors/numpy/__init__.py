"""A graph as Python on NumPy."""

from __future__ import annotations

from runtime.executors.numpy.run import compile_graph

__all__ = ["compile_graph"]
