"""What outlives a run and may share memory with what the graph was given, or with its constants: it is copied.

That are results, and what Variables and Python functions are given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph.graph import Graph, ListType, Node, TensorType, Value
from runtime.ops import structure


def shared_outputs(graph: Graph) -> list[int]:
    """The numbers of the results that may be, or lie in, the memory of an input or a constant."""
    return [
        i
        for i, v in enumerate(graph.outputs)
        if isinstance(v.type, ListType)
        or (isinstance(v.type, TensorType) and not _is_fresh(v, _makers(graph.nodes), lambda _: False, set()))
    ]


def shared_and_kept(nodes: Sequence[Node]) -> set[tuple[Node, int]]:
    """The operations of a block that keep such a value as an input, with the number of the input."""
    makers = _makers(nodes)
    return {
        (node, i)
        for node in nodes
        if node.op.keeps
        for i, v in enumerate(node.inputs)
        if isinstance(v.type, TensorType) and not _is_fresh(v, makers, lambda _: False, set())
    }


def _makers(nodes: Sequence[Node]) -> dict[Value, Node]:
    return {value: node for node in nodes for value in node.outputs}


def _is_fresh(value: Value, makers: dict[Value, Node], around: Callable[[Value], bool], seen: set[Value]) -> bool:
    """Whether operations have made the value; `around` tells of the inputs of a region."""
    if value in seen:
        return True
    seen.add(value)
    node = makers.get(value)
    if node is None:
        return around(value)
    if node.op not in (structure.if_, structure.while_):
        return not node.op.shares(node)
    number = node.outputs.index(value)
    given = node.inputs if node.op is structure.while_ else node.inputs[1:]
    if node.op is structure.while_ and not _is_fresh(given[number], makers, around, seen):
        return False
    regions = node.regions[1:] if node.op is structure.while_ else node.regions

    def inside(region: Graph) -> bool:
        outer = dict(zip(region.inputs, given))
        return _is_fresh(
            region.outputs[number], _makers(region.nodes), lambda v: _is_fresh(outer[v], makers, around, seen), seen
        )

    return all(map(inside, regions))


def apart(
    results: Sequence[object], numbers: Sequence[int], given: Sequence[object], constants: Sequence[object]
) -> object:
    """The results, those of these numbers copied if they share memory with what was given."""
    made = list(results)
    arrays = [a for a in (*given, *constants) if isinstance(a, np.ndarray)]

    def own(result: Any) -> object:
        if isinstance(result, list):  # the elements of a list
            return [own(element) for element in result]
        shares = isinstance(result, np.ndarray) and any(np.may_share_memory(result, a) for a in arrays)
        return result.copy() if shares else result

    for number in numbers:
        made[number] = own(made[number])
    return tuple(made)
