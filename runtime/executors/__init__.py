"""How graphs are run: by NumPy, whose text is their meaning, or as native code."""

from __future__ import annotations

import functools
import importlib.util
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from runtime.depth import room_for
from runtime.executors import numpy
from runtime.graph import Graph
from runtime.ops import nn, structure


def compile_graph(graph: Graph, jit_compile: bool | None = None, tensor_type: Any = None) -> Callable[..., Any]:
    """A function from arrays (and Variables) to a tuple of arrays.

    Args:
      graph: what to run.
      jit_compile: True for native code throughout, False for NumPy alone, None for native code where the graph has
        loops, calls itself, or convolves. Without llvmlite, NumPy runs everything.
      tensor_type: the class of eager tensors; if it is given, the result may have an attribute `direct` that takes and
        returns them.
    Raises:
      InvalidArgumentError: with `jit_compile=True`, for an operation that has no native form.
    """
    if jit_compile is False:
        return numpy.compile_graph(graph)
    if jit_compile is None and not _may_gain(graph):
        return numpy.compile_graph(graph)
    if not _native_available():
        if jit_compile:
            warnings.warn("jit_compile=True needs llvmlite (pip install llvmlite); NumPy is used", stacklevel=2)
        return numpy.compile_graph(graph)
    from runtime.executors import native

    with room_for(graph):
        return native.compile_graph(graph, bool(jit_compile), tensor_type)


def only_for(direct: Callable[..., Any], places: Sequence[bool]) -> Callable[..., Any] | None:
    """`direct` for arrays alone, or for tensors alone, as `places` says of each argument; None if it takes both."""
    from runtime.executors import native

    if any(places) != all(places):
        return None
    native.only_for(direct, all(places))
    return direct


def front(direct: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """A built-in function that calls `direct`, and `otherwise` with arguments that are not for it."""
    from runtime.executors import native

    return native.front(direct, otherwise)


def _may_gain(graph: Graph) -> bool:
    """Whether it is worth looking further: most graphs need not load the compiler."""
    return any(node.op in (structure.while_, structure.call, *nn.HEAVY) for node in graph.walk())


@functools.cache
def _native_available() -> bool:
    if importlib.util.find_spec("llvmlite") is None:
        return False
    from runtime.executors import native

    return native.available()
