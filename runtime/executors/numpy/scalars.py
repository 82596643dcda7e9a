"""Which numbers of a graph the NumPy executor holds as Python's own: those for which Python computes what NumPy does.

An iteration of a loop on NumPy's scalars takes three times as long as one on Python's. For float64, ``+``, ``-``,
``*``, ``abs`` and comparisons are the same to the last bit; division by zero and powers are not. Whole numbers are the
same where they surely stay within their type, as those that count and index do. A truth value, once it is Python's or
NumPy's, only ever decides, or becomes a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from runtime.graph.dtypes import bool_, float64
from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.ops import draws, effects, elementwise as ew, indexing, lists, shape as shape_ops, structure
from runtime.ops.intervals import is_whole, wrapping
from runtime.ops.trip_count import has_loop

_ARITHMETIC = {ew.add, ew.subtract, ew.multiply, ew.negative, ew.absolute}
_BITS = {ew.bitwise_and, ew.bitwise_or, ew.bitwise_xor, ew.invert, ew.right_shift}  # of whole numbers, which stay small
_OF_WHOLE = {*_ARITHMETIC, *_BITS, ew.floor_divide, ew.mod}
CONVERSIONS = {ew.cast, ew.widen, ew.fit}
_INDEXED = {indexing.getitem: 1, indexing.setitem: 2, lists.read: 1}  # by operation, the first input that is an index
LOGIC = {ew.logical_and: "{} and {}", ew.logical_or: "{} or {}", ew.logical_not: "not {}"}


def plain_numbers(graph: Graph) -> set[Value]:
    """Those of a graph and its regions; none if there is no loop in which they would be quicker."""
    if not has_loop(graph):
        return set()
    # What is exact is as Python computes it, or an error.
    marks = _Marks(wrapping(graph) - {v for n in graph.walk() if "exact" in n.attributes for v in n.outputs})
    plain = {v for v in graph.inputs if marks.may_be(v) and marks.is_wanted(v, graph)}
    marks.mark(graph, plain)
    return plain


def takes_plain(node: Node, number: int) -> bool:
    """Whether an operation gives the same if the input of that number is Python's as if it is NumPy's."""
    types = [v.type for v in node.inputs]
    if node.op is indexing.setitem and number == 1:
        return node.attributes["how"] == "set" and types[0].dtype == types[1].dtype
    if node.op in _INDEXED:
        return number >= _INDEXED[node.op] and is_whole(node.inputs[number])
    if node.op is lists.write:
        return number == 1
    if node.op in LOGIC:
        return all(isinstance(t, TensorType) and t.shape == () and t.dtype == bool_ for t in types)
    if node.op is ew.where:
        return is_choice(node)
    if rounds(node):
        return False
    if node.op in CONVERSIONS:
        whole = types[0].dtype.is_integer and node.op is ew.fit  # which asks whether the number fits
        return types[0].shape == () and (whole or node.outputs[0].type.dtype == float64 or is_whole(node.outputs[0]))
    if node.op in (effects.require_, ew.narrow, draws.draw_):
        return True
    if (node.op in _OF_WHOLE or node.op.compares) and any(t.dtype.is_integer for t in types):
        return len({t.dtype for t in types}) == 1
    if node.op not in _ARITHMETIC and not node.op.compares:
        return False
    # Beside a float32 a Python number would be one, too.
    return all(t.dtype == float64 or t.dtype.is_bool for t in types)


def rounds(node: Node) -> bool:
    """Whether an integer is made of a float, which NumPy also does of one that is not finite, and Python does not."""
    if node.op is not ew.cast or node.inputs[0].type.shape != ():
        return False
    return node.inputs[0].type.dtype.is_floating and node.outputs[0].type.dtype.is_integer


def is_choice(node: Node) -> bool:
    """Whether it is one of two numbers."""
    types = [v.type for v in node.inputs]
    return (
        node.op is ew.where
        and all(isinstance(t, TensorType) and t.shape == () for t in types)
        and types[0].dtype == bool_
        and types[1].dtype == types[2].dtype
        and types[1].dtype.dtype.kind in "biufc"
    )


def is_item(node: Node) -> bool:
    """Whether it is one number of an array, each of whose axes has an index."""
    if node.op is not indexing.getitem:
        return False
    shape = node.inputs[0].type.shape
    parts = node.attributes["index"]
    return (
        shape is not None
        and len(shape) > 0
        and len(parts) == len(shape)
        and all(part is indexing.INPUT or isinstance(part, int) for part in parts)
        and all(map(is_whole, node.inputs[1:]))
    )


class _Marks:
    """What marks the numbers of a graph; those that may wrap stay NumPy's."""

    def __init__(self, wraps: set[Value]) -> None:
        self.wraps = wraps

    def may_be(self, value: Value) -> bool:
        type_ = value.type
        if not isinstance(type_, TensorType) or type_.shape != ():
            return False
        return type_.dtype in (float64, bool_) or (is_whole(value) and value not in self.wraps)

    def mark(self, graph: Graph, plain: set[Value]) -> None:
        for node in graph.nodes:
            if node.op is structure.while_:
                self.mark_loop(node, plain)
            elif node.op is structure.if_:
                for region in node.regions:
                    _captured(region.inputs, node.inputs[1:], plain)
                    self.mark(region, plain)
                results = zip(node.outputs, *(region.outputs for region in node.regions))
                plain.update(v for v, *made in results if self.may_be(v) and plain.issuperset(made))
            elif len(node.outputs) == 1 and self.may_be(node.outputs[0]) and _is_plain(node, plain):
                if not _is_made(node) or self.is_wanted(node.outputs[0], graph):
                    plain.add(node.outputs[0])

    def mark_loop(self, node: Node, plain: set[Value]) -> None:
        """A variable is plain if every iteration leaves it so, whatever it is before; what the loop reads may become
        so."""
        test, body = node.regions
        count = len(node.outputs)
        state = {i for i, v in enumerate(node.outputs) if self.may_be(v)}
        while True:
            inside = set(plain)
            for region in node.regions:
                inside.update(region.inputs[i] for i in state)
                _captured(region.inputs[count:], node.inputs[count:], inside)
            for mine in zip(test.inputs[count:], body.inputs[count:]):
                if self.may_be(mine[0]) and any(self.is_wanted(v, region) for v, region in zip(mine, node.regions)):
                    inside.update(mine)
            self.mark(body, inside)
            lost = {i for i in state if body.outputs[i] not in inside}
            if not lost:
                break
            state -= lost
        self.mark(test, inside)
        plain |= inside
        plain.update(node.outputs[i] for i in state)

    def is_wanted(self, value: Value, graph: Graph) -> bool:
        """Whether something would be quicker with a Python number."""
        for node in graph.nodes:
            if value in node.inputs:
                if self.gains(node) and any(takes_plain(node, i) for i, v in enumerate(node.inputs) if v is value):
                    return True
                for region in node.regions:
                    if node.op is structure.while_:  # what it begins with is made a number there
                        pairs = zip(node.inputs[len(node.outputs) :], region.inputs[len(node.outputs) :])
                    else:
                        pairs = zip(node.inputs[1:], region.inputs)
                    if any(outer is value and self.is_wanted(inner, region) for outer, inner in pairs):
                        return True
        return False

    def gains(self, node: Node) -> bool:
        """Whether an operation is quicker if its numbers are Python's: not if it needs one of NumPy's, which wraps."""
        return node.op not in CONVERSIONS and not (len(node.outputs) == 1 and node.outputs[0] in self.wraps)


def _is_made(node: Node) -> bool:
    """Whether a Python number has to be made of another one, which takes time of its own."""
    return is_item(node) or (node.op is ew.cast and node.outputs[0].type.dtype == float64)


def _is_plain(node: Node, plain: set[Value]) -> bool:
    if node.op is draws.draw_:
        return bool(node.attributes["weak"])
    result = node.outputs[0].type.dtype
    if node.op is shape_ops.constant:
        return result != float64 or math.isfinite(np.asarray(node.attributes["value"])[()])
    if node.op.compares:
        return all(v.type.shape == () for v in node.inputs)
    if "exact" in node.attributes:  # Python computes it, whatever it is given
        return True
    if node.op in LOGIC:
        return takes_plain(node, 0)
    if is_item(node):
        return result == float64
    if node.op is lists.size:
        return True
    if node.op is ew.where:
        return is_choice(node) and plain.issuperset(node.inputs)
    if node.op is ew.cast and result == float64:
        (x,) = node.inputs
        return takes_plain(node, 0) and not x.type.dtype.is_complex
    if node.op not in _OF_WHOLE and node.op not in CONVERSIONS:
        return False
    return takes_plain(node, 0) and plain.issuperset(node.inputs)


def _captured(inner: Iterable[Value], outer: Iterable[Value], plain: set[Value]) -> None:
    plain.update(mine for mine, theirs in zip(inner, outer) if theirs in plain)
