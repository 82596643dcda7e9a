"""What every turn of a loop would compute alike is computed once, before it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runtime.graph import Graph, Node, Value
from runtime.ops import shape as shape_ops
from runtime.ops import structure
from runtime.optimise.rewriting import Names, cannot_fail, in_regions, renamed


def invariant_motion(graph: Graph) -> Graph:
    """Move nodes out of the bodies of loops if their inputs do not change there, and if they cannot fail.

    A loop may have no turn: what could fail must not be computed for nothing.
    """
    nodes: list[Node] = []
    for node in graph.nodes:
        node = in_regions(node, invariant_motion)
        if node.op is structure.while_:
            moved, node = _moved_out(node)
            nodes += moved
        nodes.append(node)
    return replace(graph, nodes=tuple(nodes))


def _moved_out(node: Node) -> tuple[list[Node], Node]:
    test, body = node.regions
    count = len(node.outputs)
    outside: Names = dict(zip(body.inputs[count:], node.inputs[count:]))
    constants = {n.outputs[0]: n for n in body.nodes if n.op is shape_ops.constant}
    moved: list[Node] = []
    left: list[Node] = []
    for inner in body.nodes:
        number = inner.op is shape_ops.constant and np.ndim(inner.attributes["value"]) == 0  # it costs nothing
        free = not number and cannot_fail(inner)
        if free and all(v in outside or v in constants for v in inner.inputs):
            for v in inner.inputs:
                if v not in outside:  # a constant goes along, and stays as well
                    outside[v] = Value(v.type, v.hint)
                    moved.append(replace(constants[v], outputs=(outside[v],)))
            outputs = tuple(Value(v.type, v.hint) for v in inner.outputs)
            moved.append(replace(renamed(inner, outside), outputs=outputs))
            outside.update(zip(inner.outputs, outputs))
        else:
            left.append(inner)
    used = {v for n in left for v in n.inputs} | set(body.outputs)
    made = {v for n in left for v in n.outputs} | set(body.inputs)
    needed = [v for v in outside if v in used and v not in made]
    if not needed:
        return [], node
    body = replace(body, nodes=tuple(left), inputs=(*body.inputs, *needed))
    test = replace(test, inputs=(*test.inputs, *(Value(v.type, v.hint) for v in needed)))
    return moved, replace(node, inputs=(*node.inputs, *(outside[v] for v in needed)), regions=(test, body))
