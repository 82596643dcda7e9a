"""Passes over graphs: each takes a graph and returns a new one."""

from __future__ import annotations

from dataclasses import replace

from runtime.graph import Graph, Node, Value
from runtime.ops import elementwise as ew
from runtime.ops import shape as shape_ops
from runtime.ops import structure


def dead_code(graph: Graph) -> Graph:
    """Drop the nodes whose results nobody needs; what writes to the world stays."""
    needed: set[Value] = set(graph.outputs)
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if node.effect == "write" or any(v in needed for v in node.outputs):
            node = replace(node, regions=tuple(dead_code(region) for region in node.regions))
            needed.update(node.inputs)
            kept.append(node)
    return replace(graph, nodes=tuple(reversed(kept)))


def plain_logic(graph: Graph) -> Graph:
    """``a and b`` is staged as a branch, since `b` may fail; where it cannot, it is computed at once.

    Only element-wise operations surely cannot fail.
    """
    nodes: list[Node] = []
    for node in graph.nodes:
        node = replace(node, regions=tuple(plain_logic(region) for region in node.regions))
        found = _as_logic(node)
        if found is None:
            nodes.append(node)
        else:
            nodes += found
    return replace(graph, nodes=tuple(nodes))


def _as_logic(node: Node) -> list[Node] | None:
    """An `if` on booleans as ``logical_and`` or ``logical_or``, with the operations of its one branch before it."""
    if node.op is not structure.if_ or len(node.outputs) != 1:
        return None
    test, *captured = node.inputs
    then, orelse = node.regions
    for busy, idle, op in ((then, orelse, ew.logical_and), (orelse, then, ew.logical_or)):
        outside = dict(zip(idle.inputs, captured))
        if idle.nodes or outside.get(idle.outputs[0]) is not test:
            continue
        if not all(_cannot_fail(n) for n in busy.nodes) or busy.outputs[0].type != test.type:
            continue
        names = dict(zip(busy.inputs, captured))
        moved = [replace(n, inputs=tuple(names.get(v, v) for v in n.inputs)) for n in busy.nodes]
        result = names.get(busy.outputs[0], busy.outputs[0])
        return [*moved, Node(op, (test, result), node.outputs, {}, (), node.place)]
    return None


def _cannot_fail(node: Node) -> bool:
    return node.op is shape_ops.constant or (node.op.literals and not node.op.effect)


PASSES = (plain_logic, dead_code)


def optimise(graph: Graph) -> Graph:
    """All passes in order; the result is checked."""
    for rewrite in PASSES:
        graph = rewrite(graph)
    return graph.verify()
