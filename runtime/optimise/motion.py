"""What every iteration of a loop would compute alike is computed once, before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from runtime.graph.graph import Graph, Node, Value, replaced
from runtime.graph.shapes import is_known
from runtime.ops import elementwise as ew, linalg, shape as shape_ops, structure
from runtime.ops.indexing import INPUT, getitem
from runtime.ops.trip_count import counted
from runtime.optimise.rewriting import Names, cannot_fail, in_regions, renamed


def invariant_motion(graph: Graph) -> Graph:
    """Move nodes out of the bodies of loops if their inputs do not change there, and if they cannot fail.

    A loop may have no iteration: what could fail must not be computed for nothing.
    """
    return _before_loops(graph, moved_out)


def products_of_rows(graph: Graph) -> Graph:
    """In a loop over all matrices of a stack, have their products with one matrix be made at once, before it.

    One large product is quicker than many small ones, and gives the same numbers.
    """
    return _before_loops(graph, _with_products_outside)


def _before_loops(graph: Graph, split: Callable[[Node], tuple[list[Node], Node]]) -> Graph:
    """Have each loop, the inner ones first, preceded by the nodes that `split` takes out of it."""
    nodes: list[Node] = []
    for node in graph.nodes:
        node = in_regions(node, lambda region: _before_loops(region, split))
        if node.op is structure.while_:
            moved, node = split(node)
            nodes += moved
        nodes.append(node)
    return replaced(graph, nodes=tuple(nodes))


def _capturing(node: Node, nodes: Sequence[Node], captured: Mapping[Value, Value]) -> Node:
    """A loop with other nodes in its body, which use these values (as the body has them) of those outside."""
    test, body = node.regions
    body = replaced(body, nodes=tuple(nodes), inputs=(*body.inputs, *captured))
    test = replaced(test, inputs=(*test.inputs, *(Value(v.type, v.hint) for v in captured)))
    return replaced(node, inputs=(*node.inputs, *captured.values()), regions=(test, body))


def _with_products_outside(node: Node) -> tuple[list[Node], Node]:
    _, body = node.regions
    count = len(node.outputs)
    outside = dict(zip(body.inputs[count:], node.inputs[count:]))
    rows = {n.outputs[0]: n for n in body.nodes if n.op is getitem and n.attributes["index"] == (INPUT,)}
    iterations = _trips(node)
    made: list[Node] = []
    captured: Names = {}
    nodes: list[Node] = []
    for inner in body.nodes:
        row = rows.get(inner.inputs[0]) if inner.op is linalg.matmul else None
        if row is not None and row.inputs[0] in outside and inner.inputs[1] in outside and row.inputs[1] in iterations:
            stack, matrix = outside[row.inputs[0]], outside[inner.inputs[1]]
            if (
                _is_stack(stack, iterations[row.inputs[1]])
                and matrix.type.shape is not None
                and len(matrix.type.shape) == 2
            ):
                type_ = inner.op.rule(stack.type, matrix.type)
                product, inside = Value(type_, inner.outputs[0].hint), Value(type_, inner.outputs[0].hint)
                made.append(replaced(inner, inputs=(stack, matrix), outputs=(product,)))
                captured[inside] = product
                inner = replaced(row, inputs=(inside, row.inputs[1]), outputs=inner.outputs)
        nodes.append(inner)
    return made, _capturing(node, nodes, captured) if made else node


def _is_stack(value: Value, iterations: int) -> bool:
    shape = value.type.shape
    return is_known(shape) and len(shape) == 3 and shape[0] == iterations


def _trips(node: Node) -> dict[Value, int]:
    """The variable that counts the iterations, as the body has it, and where it ends, if that is known."""
    count = counted(node)
    if count is None or count.how is not ew.less or not isinstance(count.bound, int):
        return {}
    return {node.regions[1].inputs[count.state]: count.bound}


def moved_out(node: Node) -> tuple[list[Node], Node]:
    """What each iteration of a loop would compute alike, and the loop without it."""
    _, body = node.regions
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
                    moved.append(replaced(constants[v], outputs=(outside[v],)))
            outputs = tuple(Value(v.type, v.hint) for v in inner.outputs)
            moved.append(replaced(renamed(inner, outside), outputs=outputs))
            outside.update(zip(inner.outputs, outputs))
        else:
            left.append(inner)
    used = {v for n in left for v in n.inputs} | set(body.outputs)
    made = {v for n in left for v in n.outputs} | set(body.inputs)
    needed = [v for v in outside if v in used and v not in made]
    return (moved, _capturing(node, left, {v: outside[v] for v in needed})) if needed else ([], node)
