"""What passes share: nodes with other inputs, regions one by one, and what surely cannot fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runtime.graph import Graph, Node, TensorType, Value
from runtime.ops import shape as shape_ops
from runtime.ops import structure
from runtime.ops.op import OPS
from runtime.shapes import broadcast

Names = dict[Value, Value]  # what stands for a value that is no more


def renamed(node: Node, names: Mapping[Value, Value]) -> Node:
    """The node with its inputs replaced."""
    if not any(v in names for v in node.inputs):
        return node
    return replace(node, inputs=tuple(names.get(v, v) for v in node.inputs))


def in_regions(node: Node, rewrite: Callable[[Graph], Graph]) -> Node:
    """The node with its regions rewritten."""
    return replace(node, regions=tuple(map(rewrite, node.regions))) if node.regions else node


def finished(graph: Graph, nodes: Iterable[Node], names: Mapping[Value, Value]) -> Graph:
    """The graph with other nodes, its results replaced."""
    return replace(graph, nodes=tuple(nodes), outputs=tuple(names.get(v, v) for v in graph.outputs))


def constant(value: Any, output: Value, node: Node) -> Node:
    """A node that makes `output` a constant, in the place of another."""
    return Node(OPS["constant"], (), (output,), {"value": value, "dtype": output.type.dtype}, (), node.place)


def spliced(region: Graph, given: Sequence[Value]) -> tuple[list[Node], list[Value]]:
    """The nodes of a region with values from outside for its inputs, and its results; no value is in both graphs."""
    names: Names = dict(zip(region.inputs, given))
    nodes = []
    for node in region.nodes:
        outputs = tuple(Value(v.type, v.hint) for v in node.outputs)
        nodes.append(replace(renamed(node, names), outputs=outputs))
        names.update(zip(node.outputs, outputs))
    return nodes, [names.get(v, v) for v in region.outputs]


def is_pure(node: Node) -> bool:
    """Whether a node gives the same for the same inputs and does nothing else."""
    return not node.effect and not node.regions and node.op is not structure.call and bool(node.outputs)


_HARMLESS = {"transpose", "expand_dims", "identity", "cast", "shape", "size", "rank", "where"}


def cannot_fail(node: Node) -> bool:
    """Whether computing a node can raise nothing, whatever its inputs hold."""
    if node.op is shape_ops.constant:
        return True
    if not is_pure(node) or not all(isinstance(v.type, TensorType) for v in node.inputs):
        return False
    if node.op.name == "power" and node.outputs[0].type.dtype.is_integer:
        return False  # a negative power
    if any(v.type.dtype.name == "string" for v in (*node.inputs, *node.outputs)):
        return False
    if node.op.literals or node.op.name in _HARMLESS:
        return _fit(node)
    known = all(v.type.shape is not None and None not in v.type.shape for v in node.inputs)
    return known and node.op.name in ("matmul", "reshape", "concat", "stack", "sum", "mean", "squeeze")


def _fit(node: Node) -> bool:
    """Whether operands surely go together element by element."""
    shapes = [v.type.shape for v in node.inputs]
    if sum(shape != () for shape in shapes) <= 1:
        return True
    if any(shape is None or None in shape for shape in shapes):
        return False
    try:
        broadcast(*shapes)
    except ValueError:
        return False
    return True


def frozen(value: Any) -> Any:
    """An attribute in a form that can be compared; what cannot be is itself alone."""
    if isinstance(value, np.ndarray | np.generic):
        small = value.size <= 64 and value.dtype != object
        return ("array", value.dtype.str, value.shape, value.tobytes()) if small else ("object", id(value))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(frozen, value))
    if isinstance(value, slice):
        return ("slice", frozen(value.start), frozen(value.stop), frozen(value.step))
    if isinstance(value, bool | int | float | complex | str | bytes | type(None)):
        return (type(value).__name__, repr(value))
    return ("object", id(value))
