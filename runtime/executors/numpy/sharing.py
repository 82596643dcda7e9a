"""What outlives a run and may share memory with what the graph was given, or with its constants: it is copied.

That are results, and what Variables and Python functions are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.graph.graph import Graph, ListType, Node, TensorType, Value
from runtime.ops import structure


class _Block(NamedTuple):
    """What operation of a block makes a value, and what the inputs of a region are in the block around."""

    makers: dict[Value, Node]
    given: dict[Value, Value]
    around: _Block | None

    @classmethod
    def of(cls, nodes: Sequence[Node], given: dict[Value, Value] | None = None, around: _Block | None = None) -> _Block:
        return cls({value: node for node in nodes for value in node.outputs}, given or {}, around)


def shared_outputs(graph: Graph) -> list[int]:
    """The numbers of the results that may be, or lie in, the memory of an input or a constant."""
    block = _Block.of(graph.nodes)
    return [
        i
        for i, v in enumerate(graph.outputs)
        if isinstance(v.type, ListType) or (isinstance(v.type, TensorType) and not _is_fresh(v, block))
    ]


def shared_and_kept(nodes: Sequence[Node]) -> set[tuple[Node, int]]:
    """The operations of a block that keep such a value as an input, with the number of the input."""
    block = _Block.of(nodes)
    return {
        (node, i)
        for node in nodes
        if node.op.keeps
        for i, v in enumerate(node.inputs)
        if isinstance(v.type, TensorType) and not _is_fresh(v, block)
    }


def _is_fresh(value: Value, block: _Block) -> bool:
    """Whether operations have made the value, whatever way it has come."""
    waiting, seen = [(value, block)], {value}

    def look(value: Value, block: _Block) -> None:
        if value not in seen:
            seen.add(value)
            waiting.append((value, block))

    while waiting:
        value, block = waiting.pop()
        node = block.makers.get(value)
        if node is None:
            if block.around is None:
                return False
            look(block.given[value], block.around)
        elif node.op in (structure.if_, structure.while_):
            number, repeats = node.outputs.index(value), node.op is structure.while_
            given = node.inputs if repeats else node.inputs[1:]
            if repeats:
                look(given[number], block)
            for region in node.regions[repeats:]:
                look(region.outputs[number], _Block.of(region.nodes, dict(zip(region.inputs, given)), block))
        elif node.op.shares(node):
            return False
    return True


def apart(
    results: Sequence[object], numbers: Sequence[int], given: Sequence[object], constants: Sequence[object]
) -> object:
    """The results, those of these numbers copied if they share memory with what was given, or are one of it."""
    made = list(results)
    arrays = [a for a in (*given, *constants) if isinstance(a, np.ndarray)]

    def own(result: Any) -> object:
        if isinstance(result, list):  # the elements of a list
            return [own(element) for element in result]
        shares = isinstance(result, np.ndarray) and any(
            result is a or np.may_share_memory(result, a)
            for a in arrays  # of nothing there is no memory
        )
        return result.copy() if shares else result

    for number in numbers:
        made[number] = own(made[number])
    return tuple(made)
