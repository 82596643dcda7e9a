"""The native executor: graphs, or parts of them, as machine code."""

from __future__ import annotations

from runtime.executors.native import (  # noqa: F401 - they register handlers
    control,
    convolution,
    decompositions,
    draws,
    effects,
    indexing,
    lists,
    masks,
    matrices,
    pooling,
    products,
    reductions,
    repeating,
    rows,
    selecting,
    shaping,
    sorting,
    telling,
)
from runtime.executors.native.machine import available
from runtime.executors.native.regions import compile_graph, divide

__all__ = ["available", "compile_graph", "divide"]
