"""Variables that are written as a whole, once: their new value is made where it stays.

A run writes to memory of its own, which the Variables are given at its end. Where the first thing that happens to a
Variable is that all of it is replaced, that memory need not hold the old value before: this is read where it was, and
the new one is computed into its place, in the same loop as all else that is computed from the same numbers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.graph.op import Op
from runtime.ops import effects, elementwise as ew

WRITES: dict[Op, Op | None] = {  # what writes all elements, and how it combines them with what is there
    effects.assign: None,
    effects.assign_add: ew.add,
    effects.assign_sub: ew.subtract,
}


@dataclass(frozen=True)
class Updates:
    """A graph with the first writes as late as they can be.

    Attributes:
      graph: the graph.
      whole: the Variables whose first write is of all elements, outside of branches and loops.
      made: values that are assigned first, and are nothing else than that; each with its Variable.
    """

    graph: Graph
    whole: Collection[Value]
    made: dict[Value, Value]


def updates(graph: Graph, written: Collection[Value]) -> Updates:
    """What there is to know of the Variables that a graph writes."""
    firsts = {value: _first(graph, value) for value in written}
    whole = {value: node for value, node in firsts.items() if node is not None}
    nodes: list[Node] = []
    late: dict[Value, Node] = {}  # writes that wait for somebody who needs them
    made: dict[Value, Value] = {}
    results = {v for node in graph.nodes for v in node.outputs}
    for node in graph.nodes:
        for value in [v for v, write in late.items() if v in node.inputs or set(write.outputs) & set(node.inputs)]:
            nodes.append(late.pop(value))
        handle = next((v for v, write in whole.items() if write is node), None)
        if handle is None:
            nodes.append(node)
            continue
        *before, write = _as_assignment(node)
        nodes += before
        results.update(v for n in before for v in n.outputs)
        value = write.inputs[1]
        is_made = value in results and value not in graph.outputs and value not in made
        if write.op is effects.assign and is_made and _is_like(value, handle):
            made[value] = handle
            late[handle] = write
        else:
            nodes.append(write)
    return Updates(replace(graph, nodes=(*nodes, *late.values())), set(whole), made)


def _first(graph: Graph, value: Value) -> Node | None:
    """The first node that may write a Variable, if it is one that writes all of it."""
    writes = (node for node in graph.nodes if value in node.inputs and node.effect == "write")
    first = next(writes, None)
    return first if first is not None and first.op in WRITES else None


def _as_assignment(node: Node) -> list[Node]:
    """A sum with what a Variable holds, or a difference, as one that is computed and then assigned."""
    handle, delta = node.inputs
    operation = WRITES[node.op]
    is_same = isinstance(delta.type, TensorType) and delta.type.dtype == handle.type.dtype
    if operation is None or not is_same or not _spreads(delta, handle):
        return [node]
    type_ = TensorType(handle.type.dtype, handle.type.shape)
    held, new = Value(type_, handle.hint), Value(type_, handle.hint)
    read = replace(node, op=effects.read_variable, inputs=(handle,), outputs=(held,))
    combined = replace(node, op=operation, inputs=(held, delta), outputs=(new,))
    return [read, combined, replace(node, op=effects.assign, inputs=(handle, new))]


def _spreads(delta: Value, handle: Value) -> bool:
    """Whether a value is known to broadcast to the shape of a Variable."""
    own, whole = tuple(delta.type.shape or ()), tuple(handle.type.shape or ())
    pairs = zip(reversed(own), reversed(whole))
    return len(own) <= len(whole) and all(a in (1, b) for a, b in pairs)


def _is_like(value: Value, handle: Value) -> bool:
    """Whether a value is of the dtype and shape of a Variable that has dimensions."""
    type_, wanted = value.type, handle.type
    return (
        isinstance(type_, TensorType)
        and bool(type_.shape)
        and (type_.dtype, type_.shape) == (wanted.dtype, wanted.shape)
    )
