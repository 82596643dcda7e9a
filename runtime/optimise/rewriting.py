"""What passes share: nodes with other inputs, regions one by one, and what surely cannot fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from runtime.graph.graph import Graph, Node, TensorType, Value, replaced
from runtime.graph.op import is_total
from runtime.ops import shape as shape_ops, structure

Names = dict[Value, Value]  # what stands for a value that is no more


def renamed(node: Node, names: Mapping[Value, Value]) -> Node:
    """The node with its inputs replaced."""
    if names.keys().isdisjoint(node.inputs):
        return node
    return replaced(node, inputs=tuple(names.get(v, v) for v in node.inputs))


def in_regions(node: Node, rewrite: Callable[[Graph], Graph]) -> Node:
    """The node with its regions rewritten."""
    return replaced(node, regions=tuple(map(rewrite, node.regions))) if node.regions else node


def finished(graph: Graph, nodes: Iterable[Node], names: Mapping[Value, Value]) -> Graph:
    """The graph with other nodes, its results replaced."""
    return replaced(graph, nodes=tuple(nodes), outputs=tuple(names.get(v, v) for v in graph.outputs))


def constant(value: object, output: Value, node: Node) -> Node:
    """A node that makes `output` a constant, in the place of another."""
    return Node(shape_ops.constant, (), (output,), {"value": value, "dtype": output.type.dtype}, (), node.place)


def spliced(region: Graph, given: Sequence[Value]) -> tuple[list[Node], list[Value]]:
    """The nodes of a region with values from outside for its inputs, and its results; no value is in both graphs."""
    names: Names = dict(zip(region.inputs, given))
    nodes = []
    for node in region.nodes:
        outputs = tuple(Value(v.type, v.hint) for v in node.outputs)
        nodes.append(replaced(renamed(node, names), outputs=outputs))
        names.update(zip(node.outputs, outputs))
    return nodes, [names.get(v, v) for v in region.outputs]


def cloned(graph: Graph) -> Graph:
    """The graph with values of its own: what it knows of dimensions holds for the one call that it stands for."""
    names: Names = {}

    def own(value: Value) -> Value:
        names[value] = Value(value.type.without_symbols(), value.hint)
        return names[value]

    inputs = tuple(map(own, graph.inputs))
    nodes = []
    for node in graph.nodes:
        node = in_regions(renamed(node, names), cloned)
        nodes.append(replaced(node, outputs=tuple(map(own, node.outputs))))
    return replaced(graph, inputs=inputs, nodes=tuple(nodes), outputs=tuple(names.get(v, v) for v in graph.outputs))


def is_pure(node: Node) -> bool:
    """Whether a node gives the same for the same inputs and does nothing else."""
    return not node.effect and not node.regions and node.op is not structure.call


def cannot_fail(node: Node) -> bool:
    """Whether computing a node can raise nothing, whatever its inputs hold."""
    return is_pure(node) and not any(_is_special(v) for v in (*node.inputs, *node.outputs)) and is_total(node)


def _is_special(value: Value) -> bool:
    return not isinstance(value.type, TensorType) or value.type.dtype.has_objects


def frozen(value: object) -> object:
    """An attribute in a form that can be compared; what cannot be is itself alone."""
    if isinstance(value, np.ndarray | np.generic):
        small = value.size <= 64 and value.dtype != object
        return ("array", value.dtype.str, value.shape, value.tobytes()) if small else ("object", id(value))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(frozen, value))
    if isinstance(value, slice):
        return ("slice", frozen(value.start), frozen(value.stop), frozen(value.step))
    if type(value) in (float, complex):
        return (type(value).__name__, repr(value))  # which tells the signs of zeros
    if type(value) in (bool, int, str, bytes, type(None)):
        return (type(value).__name__, value)
    return ("object", id(value))
