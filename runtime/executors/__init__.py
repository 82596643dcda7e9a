"""How graphs are run: by NumPy, whose text is their meaning, or as native code."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from runtime.executors.numpy import text as numpy
from runtime.executors.registry import Executor, register
from runtime.graph.depth import room_for
from runtime.graph.graph import Graph
from runtime.ops import structure


def _may_gain(graph: Graph) -> bool:
    """Whether it is worth looking further: most graphs need not load the compiler."""
    return any(node.op.heavy or node.op in (structure.while_, structure.call) for node in graph.walk())


NATIVE = register(Executor("native", "runtime.executors.native", requires="llvmlite", gains=_may_gain))


def compile_graph(graph: Graph, jit_compile: bool | None = None, tensor_type: object = None) -> Callable[..., Any]:
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
    if jit_compile is None and not NATIVE.gains(graph):
        return numpy.compile_graph(graph)
    if not NATIVE.is_there:
        if jit_compile:
            warnings.warn(
                f"jit_compile=True needs {NATIVE.requires} (pip install {NATIVE.requires}); NumPy is used", stacklevel=2
            )
        return numpy.compile_graph(graph)
    with room_for(graph):
        compiled: Callable[..., object] = NATIVE.functions.compile_graph(graph, bool(jit_compile), tensor_type)
        return compiled


def only_for(direct: Callable[..., object], places: Sequence[bool]) -> Callable[..., Any] | None:
    """`direct` for arrays alone, or for tensors alone, as `places` says of each argument; None if it takes both."""
    if any(places) != all(places):
        return None
    NATIVE.functions.only_for(direct, all(places))
    return direct


def front(direct: Callable[..., object], otherwise: Callable[..., object]) -> Callable[..., Any]:
    """A built-in function that calls `direct`, and `otherwise` with arguments that are not for it."""
    made: Callable[..., Any] = NATIVE.functions.front(direct, otherwise)
    return made
