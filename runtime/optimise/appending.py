"""Appending to a row of a list: a program says it as reading the row, making a list of it, and setting it again."""

from __future__ import annotations

from runtime.graph.graph import Graph, Node, TensorType, Value, replaced
from runtime.ops import lists
from runtime.optimise.rewriting import finished, in_regions
from runtime.optimise.simplification import Made, fitted


def appending(graph: Graph) -> Graph:
    """Append to rows where they are, and ask an array for its length rather than a list that is made of it."""
    made: dict[Value, Node] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        node = in_regions(node, appending)
        if node.op is lists.set_item:
            node = _appended(node, made) or node
        elif node.op is lists.count and (before := _by(node.inputs[0], lists.from_tensor, made)):
            node = replaced(node, inputs=before.inputs)
        nodes.append(node)
        made.update(dict.fromkeys(node.outputs, node))
    return finished(graph, nodes, {})


def _by(value: Value, op: object, made: Made) -> Node | None:
    node = made.get(value)
    return node if node is not None and node.op is op else None


def _appended(node: Node, made: Made) -> Node | None:
    """The node that appends, if a row is set to what it was and one more."""
    elements, index, row = node.inputs
    stacked = _by(row, lists.stack, made)
    written = stacked and _by(stacked.inputs[0], lists.write, made)
    if not written or not written.attributes["dynamic"]:
        return None
    longer, at, value = written.inputs
    size = made.get(fitted(at, made))
    before = _by(longer, lists.from_tensor, made)
    old = before and _by(before.inputs[0], lists.item, made)
    if before is None or not old or old.inputs[0] is not elements or old.inputs[1] is not index:
        return None
    if size is None or size.op not in (lists.size, lists.count) or size.inputs[0] not in (longer, before.inputs[0]):
        return None
    if not isinstance(value.type, TensorType) or value.type.dtype != elements.type.dtype:
        return None
    return replaced(node, op=lists.append_cell, inputs=(elements, index, value))
