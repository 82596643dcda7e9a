"""The first values of Variables that a function makes while it is traced, where they depend on its arguments.

What the graph has computed by then is computed at once, of the arguments of the call that is traced.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.executors import compile_graph
from runtime.graph.errors import VariableCreationError
from runtime.graph.graph import Graph, HandleType, Node, Place, Value
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace


def value_now(trace: Trace, value: Value) -> object:
    """The array that a value of a trace going on has in the call that is traced.

    Raises VariableCreationError where that is not known yet.
    """
    nodes, outside = _behind(trace, value)
    for node in nodes:
        _check(trace, node)
    arrays = [_given(trace, one) for one in outside]
    graph = Graph(trace.name, tuple(outside), tuple(nodes), (value,))
    results = compile_graph(graph, False)(*arrays)
    return results[0]


def _behind(trace: Trace, value: Value) -> tuple[Sequence[Node], Sequence[Value]]:
    """The nodes of a trace that a value depends on, and what these are given from outside."""
    needed, nodes = {value}, []
    for node in reversed(trace.nodes):
        if needed.intersection(node.outputs):
            nodes.append(node)
            needed.update(node.inputs)
    made = {output for node in nodes for output in node.outputs}
    return nodes[::-1], [
        one for one in dict.fromkeys([v for n in nodes for v in n.inputs] + [value]) if one not in made
    ]


def _check(trace: Trace, node: Node) -> None:
    """Refuse what must not happen before the graph runs, and the value of a Variable that has been written by now."""
    if node.effect == "write" and not node.op.draws:
        raise VariableCreationError(
            f"the initial value of a Variable depends on {node.op.stem}{_at(node.place)}, which is done when the graph "
            "runs. Make the Variable outside the function."
        )
    for handle in node.inputs:
        if isinstance(handle.type, HandleType) and (writer := _writer(trace, handle, node)) is not None:
            raise VariableCreationError(
                f"the initial value of a Variable depends on '{handle.hint}', which the function has written before"
                f"{_at(writer.place)}. Make the Variable first, or outside the function."
            )


def _writer(trace: Trace, handle: Value, until: Node | None = None) -> Node | None:
    """What has written a Variable in this trace, or in those around it, before a node."""
    for node in trace.nodes:
        if node is until:
            break
        if handle in node.inputs and node.effect == "write":
            return node
    outer = next((around for around, inside in trace.captured.items() if inside is handle), None)
    return _writer(trace.parent, outer) if outer is not None and trace.parent is not None else None


def _given(trace: Trace, value: Value) -> object:
    """The array, or the Variable, behind an input of a trace."""
    for around, inside in trace.captured.items():
        if inside is value and trace.parent is not None:
            if isinstance(around.type, HandleType):
                return _given(trace.parent, around)
            return value_now(trace.parent, around)
    for variable, handle in trace.variables.values():
        if handle is value:
            return variable
    leaf: Any = next((given for given, mine in zip(trace.given or (), trace.inputs) if mine is value), None)
    if leaf is None:
        raise VariableCreationError(
            f"the initial value of a Variable depends on '{value.hint}', which changes from one iteration of a loop "
            "that the graph runs to the next. Make the Variable before the loop."
        )
    if isinstance(leaf, TensorSpec):
        raise VariableCreationError(
            f"the initial value of a Variable depends on the argument '{value.hint}', of which nothing but dtype and "
            "shape is known here. Call the function with values before get_concrete_function, or make the Variable "
            "outside."
        )
    if isinstance(leaf, SymbolicTensor):
        assert trace.parent is not None
        return value_now(trace.parent, leaf.record_in(trace.parent))
    return leaf.concrete()


def _at(place: Place | None) -> str:
    return f" ({place.filename}:{place.line})" if place is not None else ""
