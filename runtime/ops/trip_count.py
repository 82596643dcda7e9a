"""Loops that count their iterations: how they can be seen in a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, shape as shape_ops, structure

# Comparisons, and what they are with their operands exchanged.
_FLIPPED = {
    ew.less: ew.greater, ew.less_equal: ew.greater_equal, ew.greater: ew.less, ew.greater_equal: ew.less_equal,
}  # fmt: skip


@dataclass(frozen=True)
class Count:
    """What is counted: the `state` with that number, growing by `step` while it compares as `how` with its `bound`."""

    state: int
    step: int
    how: Op
    bound: Value | int  # an input of the body, or a number


def has_loop(graph: Graph) -> bool:
    return any(node.op is structure.while_ for node in graph.walk())


def constants(graph: Graph) -> dict[Value, Any]:
    """The numbers in a graph that are known."""
    return {
        n.outputs[0]: np.asarray(n.attributes["value"])[()]
        for n in graph.nodes
        if n.op is shape_ops.constant and np.ndim(n.attributes["value"]) == 0
    }


def counted(node: Node) -> Count | None:
    """What decides alone how long a loop runs, if it is an integer that grows by a small number; None for others."""
    return _counted(node, node.regions[0].outputs[0])


def limited(node: Node) -> Count | None:
    """What ends a loop if nothing else does before."""
    test = node.regions[0]
    made = {v: n for n in test.nodes for v in n.outputs}
    waiting = [test.outputs[0]]
    while waiting:
        value = waiting.pop()
        if value in made and made[value].op is ew.logical_and:
            waiting += made[value].inputs
        elif (found := _counted(node, value)) is not None:
            return found
    return None


def _counted(node: Node, decision: Value) -> Count | None:
    test, body = node.regions
    count = len(node.outputs)
    made = {v: n for n in test.nodes for v in n.outputs}

    def source(value: Value) -> Value:
        while value in made and made[value].op is ew.cast and made[value].inputs[0].type.dtype == value.type.dtype:
            (value,) = made[value].inputs
        return value

    last = made.get(source(decision))
    if last is None or last.op not in _FLIPPED or any(n.effect == "write" for n in test.nodes):
        return None  # a test that does something besides is done as often as it is asked
    (left, right), how = map(source, last.inputs), last.op
    if right in test.inputs[:count]:
        left, right, how = right, left, _FLIPPED[how]
    if left not in test.inputs[:count] or left.type.dtype != right.type.dtype or not left.type.dtype.is_integer:
        return None
    state, known = test.inputs.index(left), constants(test)
    if right in test.inputs[count:]:
        bound: Value | int = body.inputs[test.inputs.index(right)]
    elif right in known:
        bound = int(known[right])
    else:
        return None
    grown = next((n for n in body.nodes if body.outputs[state] in n.outputs), None)
    if grown is None or grown.op not in (ew.add, ew.subtract) or grown.inputs[0] is not body.inputs[state]:
        return None
    step = int(constants(body).get(grown.inputs[1], np.int64(0)))
    step = -step if grown.op is ew.subtract else step
    upwards = how in (ew.less, ew.less_equal)
    return Count(state, step, how, bound) if (step > 0) == upwards and abs(step) in range(1, 128) else None
