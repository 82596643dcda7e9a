"""The same computation twice is done once."""

from __future__ import annotations

from runtime.graph.graph import Graph, Node, Value
from runtime.optimise.rewriting import Names, finished, frozen, in_regions, is_pure, renamed


def common_subexpressions(graph: Graph) -> Graph:
    """Let later nodes use the results of equal nodes before them."""
    names: Names = {}
    seen: dict[object, tuple[Value, ...]] = {}
    nodes: list[Node] = []
    key: tuple[object, ...]
    for node in graph.nodes:
        node = in_regions(renamed(node, names), common_subexpressions)
        if is_pure(node):
            key = (node.op, node.inputs)
            if node.attributes:
                key += tuple([(k, frozen(v)) for k, v in sorted(node.attributes.items())])
            before = seen.get(key)
            if before is not None and all(a.type == b.type for a, b in zip(before, node.outputs)):
                names.update(zip(node.outputs, before))
                continue
            seen[key] = node.outputs
        nodes.append(node)
    return finished(graph, nodes, names)
