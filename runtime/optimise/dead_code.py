"""Nodes whose results nobody needs, and variables of loops that only keep themselves alive."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph.graph import Graph, Node, Value, replaced
from runtime.ops import structure
from runtime.optimise.rewriting import Names, finished, in_regions, renamed


def dead_code(graph: Graph) -> Graph:
    """Drop the nodes whose results nobody needs, and what is handed to regions in vain; what writes stays."""
    return _live(graph)[0]


def _live(graph: Graph) -> tuple[Graph, set[Value]]:
    """The graph without dead nodes, and all values that the others and its results use."""
    needed: set[Value] = set(graph.outputs)
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if node.effect == "write" or not needed.isdisjoint(node.outputs):
            node = without_idle_inputs(in_regions(_without_idle_results(node, needed), dead_code))
            needed.update(node.inputs)
            kept.append(node)
    return replaced(graph, nodes=tuple(reversed(kept))), needed


def _without_idle_results(node: Node, needed: set[Value]) -> Node:
    """A branch gives only what somebody uses."""
    if node.op is not structure.if_:
        return node
    kept = [i for i, value in enumerate(node.outputs) if value in needed]
    if len(kept) == len(node.outputs):
        return node
    regions = tuple(replaced(r, outputs=tuple(r.outputs[i] for i in kept)) for r in node.regions)
    return replaced(node, outputs=tuple(node.outputs[i] for i in kept), regions=regions)


def without_idle_inputs(node: Node) -> Node:
    """A branch or loop takes only what its regions use."""
    if node.op not in (structure.if_, structure.while_):
        return node
    first = 1 if node.op is structure.if_ else 0
    state = len(node.outputs) if node.op is structure.while_ else 0
    used = set()
    for region in node.regions:
        inside = {v for n in region.nodes for v in n.inputs} | set(region.outputs)
        used |= {i for i, v in enumerate(region.inputs) if v in inside}
    kept = [i for i in range(len(node.regions[0].inputs)) if i < state or i in used]
    if len(kept) == len(node.regions[0].inputs):
        return node
    regions = tuple(replaced(r, inputs=tuple(r.inputs[i] for i in kept)) for r in node.regions)
    return replaced(node, inputs=(*node.inputs[:first], *(node.inputs[first + i] for i in kept)), regions=regions)


def dead_state(graph: Graph) -> Graph:
    """Drop the variables of loops that nothing outside, no test and no other variable needs.

    A variable that no iteration changes is no state: it is handed in once.
    """
    names: Names = {}
    nodes = []
    _, used = _live(graph)
    for node in graph.nodes:
        node = in_regions(renamed(node, names), dead_state)
        if node.op is structure.while_:
            node = _without_constants(node, names)
            node = _only(node, _needed(node, used))
        nodes.append(node)
    return finished(graph, nodes, names)


def _without_constants(node: Node, names: Names) -> Node:
    """Iteration state that stays as it is into what the loop captures."""
    _, body = node.regions
    count = len(node.outputs)
    same = [
        i for i in range(count) if body.outputs[i] is body.inputs[i] and node.inputs[i].type == node.outputs[i].type
    ]
    if not same:
        return node
    names.update((node.outputs[i], node.inputs[i]) for i in same)
    changing = [i for i in range(count) if i not in same]
    order = [*changing, *same, *range(count, len(node.inputs))]
    regions = tuple(replaced(r, inputs=tuple(r.inputs[i] for i in order)) for r in node.regions)
    regions = (regions[0], replaced(regions[1], outputs=tuple(body.outputs[i] for i in changing)))
    return replaced(
        node,
        inputs=tuple(node.inputs[i] for i in order),
        outputs=tuple(node.outputs[i] for i in changing),
        regions=regions,
    )


def _needed(node: Node, used: set[Value]) -> list[int]:
    """The variables that have to be kept."""
    test, body = node.regions
    count = len(node.outputs)
    asked = {v for n in test.nodes for v in n.inputs} | set(test.outputs)
    live = {i for i in range(count) if node.outputs[i] in used or test.inputs[i] in asked}
    while True:
        _, values = _live(replaced(body, outputs=tuple(body.outputs[i] for i in live)))
        more = live | {i for i in range(count) if body.inputs[i] in values}
        if more == live:
            return sorted(live)
        live = more


def _only(node: Node, kept: Sequence[int]) -> Node:
    count = len(node.outputs)
    if len(kept) == count:
        return node
    test, body = node.regions
    order = [*kept, *range(count, len(node.inputs))]
    body = dead_code(replaced(body, outputs=tuple(body.outputs[i] for i in kept)))
    test, body = (replaced(r, inputs=tuple(r.inputs[i] for i in order)) for r in (test, body))
    outputs = tuple(node.outputs[i] for i in kept)
    return replaced(node, inputs=tuple(node.inputs[i] for i in order), outputs=outputs, regions=(test, body))
