"""How graphs are run: by NumPy, whose text is their meaning, or as native code."""

from __future__ import annotations

from runtime.executors.registry import EXECUTORS, Division, Executor, check, compile_graph, divide, register
from runtime.graph.graph import Graph
from runtime.graph.op import are_heavy
from runtime.ops import structure

__all__ = ["EXECUTORS", "Division", "check", "compile_graph", "divide"]


def _may_gain(graph: Graph) -> bool:
    """Whether it is worth looking further: most graphs need not load the compiler."""
    nodes = [*graph.walk()]
    return any(node.op in (structure.while_, structure.call) for node in nodes) or are_heavy(nodes)


register(Executor("numpy", "runtime.executors.numpy"))
register(Executor("native", "runtime.executors.native", requires="llvmlite", compiles=True, gains=_may_gain))
