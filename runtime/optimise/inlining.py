"""Calls of small functions become what they do."""

from __future__ import annotations

from runtime.graph.graph import Callee, Graph, Node
from runtime.ops import structure
from runtime.optimise.rewriting import Names, cloned, finished, in_regions, renamed, spliced

_SMALL = 12  # nodes


def inlining(graph: Graph) -> Graph:
    """Replace calls of graphs that are small and call nothing, thus not themselves either."""
    names: Names = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        node = in_regions(renamed(node, names), inlining)
        callee = node.attributes.get("graph")
        if node.op is structure.call and isinstance(callee, Callee) and _is_small(callee.graph):
            assert callee.graph is not None
            inside, results = spliced(cloned(callee.graph), node.inputs)
            nodes += inside
            names.update(zip(node.outputs, results))
        else:
            nodes.append(node)
    return finished(graph, nodes, names)


def _is_small(graph: Graph | None) -> bool:
    if graph is None:
        return False
    inside = list(graph.walk())
    return len(inside) <= _SMALL and not any(n.op is structure.call for n in inside)
