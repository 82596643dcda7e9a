"""Graphs as data.

All graphs stand in one list, by numbers: regions before the graphs that hold them. The values of a graph are numbers,
too: its inputs first, then what its nodes make, in order. Of types only those are written that nothing else says: what
a loop carries, what a branch gives, what a graph takes that others call, and of a constant whether it is a number of
Python's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from runtime.gradients.custom import OwnGradient
from runtime.graph.graph import Callee, Graph, Node, TensorType, Value
from runtime.ops import shape as shape_ops, structure
from runtime.serialization import attributes, structures, types
from runtime.serialization.values import Encoder, NotSavable, Writer

DECLARED = (structure.if_, structure.while_)  # the types of whose results are written


class GraphWriter:
    """Writes graphs, and those that they call, each once."""

    def __init__(self) -> None:
        own: dict[type, Encoder] = {Callee: self._callee, OwnGradient: self._gradient}
        self.writer = Writer({**attributes.ENCODERS, **structures.ENCODERS, **own})
        self.graphs: list[dict[str, object]] = []
        self.callees: list[dict[str, object]] = []
        self._known: dict[int, int] = {}  # callees by identity

    def graph(self, graph: Graph) -> int:
        """Write a graph; returns its number."""
        numbers: dict[Value, int] = {value: number for number, value in enumerate(graph.inputs)}
        nodes = []
        for node in graph.nodes:
            nodes.append(self._node(node, numbers))
            numbers.update({value: len(numbers) + i for i, value in enumerate(node.outputs)})
        self.graphs.append({
            "name": graph.name, "inputs": [value.hint for value in graph.inputs], "nodes": nodes,
            "outputs": [numbers[value] for value in graph.outputs],
        })  # fmt: skip
        return len(self.graphs) - 1

    def _node(self, node: Node, numbers: dict[Value, int]) -> dict[str, object]:
        try:
            if node.op in attributes.CODE:
                raise NotSavable(f"{attributes.CODE[node.op]}, which is code")
            made: dict[str, object] = {
                "op": node.op.name, "inputs": [numbers[value] for value in node.inputs],
                "hints": [value.hint for value in node.outputs],
            }  # fmt: skip
            if node.attributes:
                made["attributes"] = {name: attributes.written(node, name, self.writer) for name in node.attributes}
        except NotSavable as error:
            place = f"\n  {node.place.filename}:{node.place.line}" if node.place is not None else ""
            raise NotSavable(f"{node.op.stem!r} cannot be saved: {error}{place}") from None
        if node.regions:
            made["regions"] = [self.graph(region) for region in node.regions]
        found = [value.type for value in node.outputs]
        if node.op is shape_ops.constant and isinstance(found[0], TensorType) and found[0].weak:  # a number of Python's
            made["weak"] = True
        if node.op in DECLARED:
            made["types"] = list(map(types.written, found))
        if node.place is not None:  # not where the file was: that is nobody's business
            made["place"] = [os.path.basename(node.place.filename), node.place.line]
        return made

    def _callee(self, callee: Callee, _: Writer) -> object:
        number = self._known.get(id(callee))
        if number is None:
            number = self._known[id(callee)] = len(self.callees)
            entry: dict[str, object] = {}
            self.callees.append(entry)
            graph = callee.source or callee.graph
            assert graph is not None
            entry.update(
                name=callee.name, graph=self.graph(graph), takes=_types(graph.inputs), gives=_types(graph.outputs)
            )
        return {"callee": number}

    def _gradient(self, own: OwnGradient, _: Writer) -> object:
        return {"gradient": [self.graph(own.graph), own.captured, [*own.made]]}


def _types(values: Iterable[Value]) -> list[object]:
    return [types.written(value.type) for value in values]
