"""Branches that need not be: on a constant, or to spare a computation that costs nothing."""

from __future__ import annotations

import numpy as np

from runtime.graph.graph import Graph, Node, replaced
from runtime.ops import elementwise as ew, shape as shape_ops, structure
from runtime.optimise.rewriting import Names, cannot_fail, finished, in_regions, renamed, spliced


def constant_tests(graph: Graph) -> Graph:
    """An `if` on a constant is the branch that is taken; a loop whose test is never true is what it started with."""
    known = {node.outputs[0]: node.attributes["value"] for node in graph.nodes if node.op is shape_ops.constant}
    names: Names = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        node = in_regions(renamed(node, names), constant_tests)
        if node.op is structure.if_ and node.inputs[0] in known:
            region = node.regions[0 if np.all(known[node.inputs[0]]) else 1]
            inside, results = spliced(region, node.inputs[1:])
            nodes += inside
            known |= {n.outputs[0]: n.attributes["value"] for n in inside if n.op is shape_ops.constant}
            names.update(zip(node.outputs, results))
        elif node.op is structure.while_ and _never(node.regions[0]):
            names.update(zip(node.outputs, node.inputs))
        else:
            nodes.append(node)
    return finished(graph, nodes, names)


def _never(test: Graph) -> bool:
    known = {node.outputs[0]: node.attributes["value"] for node in test.nodes if node.op is shape_ops.constant}
    return test.outputs[0] in known and not np.any(known[test.outputs[0]])


def plain_logic(graph: Graph) -> Graph:
    """``a and b`` is staged as a branch, since `b` may fail; where it cannot, it is computed at once.

    Only operations on numbers that cost nothing are.
    """
    nodes: list[Node] = []
    for node in graph.nodes:
        node = in_regions(node, plain_logic)
        found = _as_logic(node)
        if found is None:
            nodes.append(node)
        else:
            nodes += found
    return replaced(graph, nodes=tuple(nodes))


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
        if not all(_costs_little(n) for n in busy.nodes) or busy.outputs[0].type != test.type:
            continue
        moved, (result,) = spliced(busy, captured)
        return [*moved, Node(op, (test, result), node.outputs, {}, (), node.place)]
    return None


def _costs_little(node: Node) -> bool:
    return node.op is shape_ops.constant or (bool(node.op.literals) and cannot_fail(node))
