"""The same computation twice is done once."""

from __future__ import annotations

from runtime.graph.graph import Graph, Node, Value, replaced
from runtime.ops import structure
from runtime.optimise.rewriting import Names, finished, frozen, in_regions, is_pure, renamed


def common_subexpressions(graph: Graph) -> Graph:
    """Let later nodes use the results of equal nodes before them."""
    names: Names = {}
    seen: dict[object, tuple[Value, ...]] = {}
    nodes: list[Node] = []
    key: tuple[object, ...]
    for node in graph.nodes:
        node = in_regions(_handed_in_once(renamed(node, names)), common_subexpressions)
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


def _handed_in_once(node: Node) -> Node:
    """A branch or loop that is given no value twice, besides what a loop begins with."""
    if node.op not in (structure.if_, structure.while_):
        return node
    state = len(node.outputs) if node.op is structure.while_ else 0
    first = len(node.inputs) - len(node.regions[0].inputs)
    captured = node.inputs[first + state :]
    if len({*captured}) == len(captured):
        return node
    kept = [state + i for i, value in enumerate(captured) if value not in captured[:i]]
    regions = []
    for region in node.regions:
        given = region.inputs[state:]
        names = {v: given[captured.index(outside)] for v, outside in zip(given, captured)}
        inputs = (*region.inputs[:state], *(region.inputs[i] for i in kept))
        nodes = [renamed(inner, names) for inner in region.nodes]
        regions.append(replaced(finished(region, nodes, names), inputs=inputs))
    inputs = (*node.inputs[: first + state], *(node.inputs[first + i] for i in kept))
    return replaced(node, inputs=inputs, regions=tuple(regions))
