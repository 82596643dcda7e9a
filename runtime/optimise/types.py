"""What is known of shapes goes as far as it can: into inlined functions, through loops, to the elements of lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.graph import shapes
from runtime.graph.graph import Graph, ListType, Node, TensorType, Type, Value, replaced
from runtime.ops import lists, structure
from runtime.optimise.rewriting import renamed

_ROUNDS = 4  # iterations of a loop after which its types are taken as they were traced


def type_propagation(graph: Graph, recorded: bool = False) -> Graph:
    """Give values the narrowest types that follow from the inputs.

    A list that was made without a shape for its elements has that of what is put into it.

    Nodes that stand as they were `recorded` have the types that their rules gave for their inputs: they are asked again
    only where an input has another type by now.
    """
    return _Propagation(recorded).graph(graph, [v.type for v in graph.inputs])


class _Propagation:
    def __init__(self, recorded: bool) -> None:
        self.recorded = recorded

    def graph(self, graph: Graph, types: Sequence[Type]) -> Graph:
        """The graph for inputs of these types."""
        names: dict[Value, Value] = {}
        inputs = tuple(self._typed(v, t, names) for v, t in zip(graph.inputs, types))
        nodes = []
        for node in graph.nodes:
            known = self.recorded and not node.regions and names.keys().isdisjoint(node.inputs)
            known = known and node.attributes.get("shape", ()) is not None
            nodes.append(node if known else self._node(renamed(node, names), names))
        made: dict[Value, Value] = {}
        nodes = [_with_element_shape(node, nodes, made) for node in nodes]
        nodes = [renamed(node, made) for node in nodes]
        outputs = tuple(made.get(names.get(v, v), names.get(v, v)) for v in graph.outputs)
        return replaced(graph, inputs=inputs, nodes=tuple(nodes), outputs=outputs)

    def _typed(self, value: Value, type_: Type, names: dict[Value, Value]) -> Value:
        if type_ == value.type and _sizes(type_) == _sizes(value.type):
            return value
        narrow = _narrower(value.type, type_)
        if narrow == value.type and _sizes(narrow) == _sizes(value.type):
            return value
        names[value] = Value(narrow, value.hint)
        return names[value]

    def _node(self, node: Node, names: dict[Value, Value]) -> Node:
        given = [v.type for v in node.inputs]
        if node.op is structure.if_:
            regions = tuple(self.graph(r, given[1:]) for r in node.regions)
            found: list[Type] = [_joined(a.type, b.type) for a, b in zip(*(r.outputs for r in regions))]
            node = replaced(node, regions=regions)
        elif node.op is structure.while_:
            node, found = self._loop(node, given)
        elif node.op is structure.call:
            return node
        else:
            if (
                node.attributes.get("shape", ()) is None and given and isinstance(given[0], ListType)
            ):  # that of missing elements
                node = replaced(node, attributes={**node.attributes, "shape": given[0].shape})
            try:
                result = node.op.rule(*given, **node.attributes)
            except (ValueError, TypeError, IndexError):  # it will be raised when the graph runs
                return node
            found = list(result) if isinstance(result, tuple) else [result]
        outputs = tuple(self._typed(v, t, names) for v, t in zip(node.outputs, found))
        return replaced(node, outputs=outputs) if outputs != node.outputs else node

    def _loop(self, node: Node, given: list[Type]) -> tuple[Node, list[Type]]:
        count = len(node.outputs)
        test, body = node.regions
        traced = [v.type for v in node.outputs]
        types = [_narrower(t, g) if _is_list(t) else _of_any_iteration(g) for t, g in zip(traced, given)]
        for _ in range(_ROUNDS):
            inside = self.graph(body, [*types, *given[count:]])
            after = [v.type for v in inside.outputs]
            wider = [_joined(a, b) for a, b in zip(types, after)]
            if wider == types:
                break
            types = wider
        else:
            types = traced
            inside = self.graph(body, [*types, *given[count:]])
        regions = (self.graph(test, [*types, *given[count:]]), inside)
        return replaced(node, regions=regions), list(types)


def _with_element_shape(node: Node, nodes: Sequence[Node], names: dict[Value, Value]) -> Node:
    """A node that makes a list, with the shape of the elements that it gets."""
    if node.op not in (lists.new, lists.pack) or node.inputs[1:] or node.attributes["shape"] is not None:
        return node
    (value,) = node.outputs
    found: set[Any] = set()
    for user in nodes:
        if user.op is structure.while_ or user.op in (lists.write, lists.extend, lists.insert):
            found |= {o.type.shape for v, o in zip(user.inputs, user.outputs) if v is value}
    if len(found) != 1 or None in found:
        return node
    (shape,) = found
    names[value] = Value(replace(value.type, shape=shape), value.hint)
    return replaced(node, outputs=(names[value],), attributes={**node.attributes, "shape": shape})


def _is_list(type_: Type) -> bool:
    return isinstance(type_, ListType)


def _of_any_iteration(type_: Type) -> Type:
    """The type without the number that it is before the loop."""
    return replace(type_, sizes=None) if isinstance(type_, TensorType) else type_


def _joined(a: Type, b: Type) -> Type:
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        return replace(a, shape=shapes.join(a.shape, b.shape), sizes=a.sizes if a.sizes == b.sizes else None)
    if isinstance(a, ListType) and isinstance(b, ListType):
        return a.joined(b)
    return a


def _narrower(a: Type, b: Type) -> Type:
    """What both types say of a value's shape, with the dtype of the first."""
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        sizes = a.sizes if b.sizes is None else b.sizes
        return TensorType(a.dtype, shapes.meet(a.shape, b.shape), a.weak, sizes)
    if isinstance(a, ListType) and isinstance(b, ListType):
        shape = shapes.pattern(shapes.meet(a.shape, b.shape))
        return replace(a, shape=shape, mixed=a.mixed and shape is None)
    return a


def _sizes(type_: Type) -> object:
    return type_.sizes if isinstance(type_, TensorType) else None
