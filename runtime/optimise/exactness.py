"""Python's whole numbers are computed with as Python does, or an error tells that 64 bits do not hold them."""

from __future__ import annotations

from runtime.graph.graph import Graph, Node, Value, replaced
from runtime.ops.elementwise import PYTHONS_WHOLE
from runtime.ops.intervals import becomes_float, wrapping
from runtime.optimise.rewriting import in_regions


def exact_numbers(graph: Graph) -> Graph:
    """Mark the operations for which NumPy's arithmetic may not do with the attribute `exact`.

    It does for most: they count, or index, or compute with what counts. A number of NumPy's wraps, as it does in NumPy.
    """
    if not any(map(_asks, graph.walk())):
        return graph
    return _marked(graph, wrapping(graph))


def _asks(node: Node) -> bool:
    return (node.op.grows and node.outputs[0].type == PYTHONS_WHOLE) or becomes_float(node)


def _marked(graph: Graph, may_wrap: set[Value]) -> Graph:
    nodes = []
    for node in graph.nodes:
        if _asks(node) and node.outputs[0] in may_wrap:
            node = replaced(node, attributes={**node.attributes, "exact": True})
        nodes.append(in_regions(node, lambda region: _marked(region, may_wrap)))
    return replaced(graph, nodes=tuple(nodes))
