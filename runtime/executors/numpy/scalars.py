"""Which numbers of a graph the NumPy executor holds as Python's own: those for which Python computes what NumPy does.

An iteration of a loop on NumPy's scalars takes three times as long as one on Python's. For float64, ``+``, ``-``, ``*``
and comparisons are the same to the last bit; division by zero and powers are not, and integers would not wrap. A truth
value, once it is Python's or NumPy's, only ever decides, or becomes a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from runtime.graph.dtypes import bool_, float64
from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.ops import effects, elementwise as ew, shape as shape_ops, structure
from runtime.ops.trip_count import has_loop

_ARITHMETIC = {ew.add, ew.subtract, ew.multiply, ew.negative}
LOGIC = {ew.logical_and: "{} and {}", ew.logical_or: "{} or {}", ew.logical_not: "not {}"}


def plain_numbers(graph: Graph) -> set[Value]:
    """Those of a graph and its regions; none if there is no loop in which they would be quicker."""
    if not has_loop(graph):
        return set()
    plain = {v for v in graph.inputs if _may_be(v) and _is_wanted(v, graph)}
    _mark(graph, plain)
    return plain


def takes_plain(node: Node) -> bool:
    """Whether an operation gives the same for a Python number as for NumPy's."""
    types = [v.type for v in node.inputs]
    if node.op in LOGIC:
        return all(isinstance(t, TensorType) and t.shape == () and t.dtype == bool_ for t in types)
    if node.op is ew.cast:
        return types[0].shape == () and node.attributes["dtype"] == float64
    if node.op is effects.require_:
        return True
    # Beside a float32 a Python number would be one, too.
    return (node.op in _ARITHMETIC or node.op.compares) and all(
        t.dtype == float64 or t.dtype.is_integer or t.dtype.is_bool for t in types
    )


def _may_be(value: Value) -> bool:
    type_ = value.type
    return isinstance(type_, TensorType) and type_.shape == () and type_.dtype in (float64, bool_)


def _mark(graph: Graph, plain: set[Value]) -> None:
    for node in graph.nodes:
        if node.op is structure.while_:
            _mark_loop(node, plain)
        elif node.op is structure.if_:
            for region in node.regions:
                _captured(region.inputs, node.inputs[1:], plain)
                _mark(region, plain)
            results = zip(node.outputs, *(region.outputs for region in node.regions))
            plain.update(v for v, *made in results if _may_be(v) and plain.issuperset(made))
        elif len(node.outputs) == 1 and _may_be(node.outputs[0]) and _is_plain(node, plain):
            if node.op is not ew.cast or _is_wanted(node.outputs[0], graph):
                plain.add(node.outputs[0])


def _is_plain(node: Node, plain: set[Value]) -> bool:
    if node.op is shape_ops.constant:
        return node.outputs[0].type.dtype == bool_ or math.isfinite(np.asarray(node.attributes["value"])[()])
    if node.op.compares:
        return all(v.type.shape == () for v in node.inputs)
    if node.op in LOGIC:
        return takes_plain(node)
    if node.op is ew.cast:
        (x,) = node.inputs
        return takes_plain(node) and not x.type.dtype.is_complex
    return takes_plain(node) and plain.issuperset(node.inputs)


def _mark_loop(node: Node, plain: set[Value]) -> None:
    """A variable is plain if every iteration leaves it so, whatever it is before; what the loop reads may become so."""
    test, body = node.regions
    count = len(node.outputs)
    state = {i for i, v in enumerate(node.outputs) if _may_be(v)}
    while True:
        inside = set(plain)
        for region in node.regions:
            inside.update(region.inputs[i] for i in state)
            _captured(region.inputs[count:], node.inputs[count:], inside)
        for mine in zip(test.inputs[count:], body.inputs[count:]):
            if _may_be(mine[0]) and any(_is_wanted(v, region) for v, region in zip(mine, node.regions)):
                inside.update(mine)
        _mark(body, inside)
        lost = {i for i in state if body.outputs[i] not in inside}
        if not lost:
            break
        state -= lost
    _mark(test, inside)
    plain |= inside
    plain.update(node.outputs[i] for i in state)


def _is_wanted(value: Value, graph: Graph) -> bool:
    """Whether something would be quicker with a Python number."""
    for node in graph.nodes:
        if value in node.inputs:
            if takes_plain(node) and node.op is not ew.cast:
                return True
            for region in node.regions:
                pairs = zip(node.inputs[len(node.inputs) - len(region.inputs) :], region.inputs)
                if any(outer is value and _is_wanted(inner, region) for outer, inner in pairs):
                    return True
    return False


def _captured(inner: Iterable[Value], outer: Iterable[Value], plain: set[Value]) -> None:
    plain.update(mine for mine, theirs in zip(inner, outer) if theirs in plain)
