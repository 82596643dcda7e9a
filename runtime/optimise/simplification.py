"""Operations that change nothing, or that another before them undoes: only what is exact for every value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.graph.graph import Graph, Node, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, indexing, reduce, shape as shape_ops
from runtime.optimise.rewriting import Names, finished, frozen, in_regions, renamed

Made = Mapping[Value, Node]  # by their results
Rule = Callable[[Node, Made], Value | None]


def simplification(graph: Graph) -> Graph:
    """Replace the results of such operations by what they are equal to, type and all."""
    names: Names = {}
    made: dict[Value, Node] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        node = in_regions(renamed(node, names), simplification)
        rule = RULES.get(node.op)
        equal = rule(node, made) if rule is not None else None
        if equal is not None and equal.type == node.outputs[0].type:
            names[node.outputs[0]] = equal
            continue
        nodes.append(node)
        made.update(dict.fromkeys(node.outputs, node))
    return finished(graph, nodes, names)


def _number(value: Value, made: Made) -> object:
    """The number that a value is, if it is a constant."""
    node = made.get(value)
    if node is None or node.op is not shape_ops.constant or np.ndim(node.attributes["value"]):
        return None
    return node.attributes["value"]


def _neutral(right: float, left: float | None = None, kinds: str = "biuf") -> Rule:
    """``x * 1``, for the kinds of numbers of which it changes none.

    Adding 0 makes 0 of -0; and in a product of complex numbers the parts of one meet those of the other, so that an
    infinity beside a zero becomes NaN.
    """

    def rule(node: Node, made: Made) -> Value | None:
        x, y = node.inputs
        if node.outputs[0].type.dtype.dtype.kind not in kinds:
            return None
        if _is(_number(y, made), right):
            return x
        return y if left is not None and _is(_number(x, made), left) else None

    return rule


def _is(number: Any, wanted: float) -> bool:
    if number is None or not bool(number == wanted):
        return False
    return not np.signbit(np.real(number)) and not (np.iscomplexobj(number) and np.signbit(np.imag(number)))


def _difference(node: Node, made: Made) -> Value | None:
    """``x - 0``; ``x + c - c`` of integers, which wrap alike both ways."""
    x, y = node.inputs
    before, number = made.get(x), _number(y, made)
    if number is not None and before is not None and before.op is ew.add and x.type.dtype.is_integer:
        a, b = before.inputs
        for kept, added in ((a, b), (b, a)):
            if _number(added, made) == number:
                return kept
    return _neutral(0, kinds="biufc")(node, made)


def _undone(node: Node, made: Made) -> Value | None:
    """``not not x``, ``- - x``."""
    before = made.get(node.inputs[0])
    return before.inputs[0] if before is not None and before.op is node.op else None


def _same_operands(node: Node, made: Made) -> Value | None:
    x, y = node.inputs
    return x if x is y else None


def _first(node: Node, made: Made) -> Value | None:
    return node.inputs[0]


def _of_that_shape(node: Node, made: Made) -> Value | None:
    """What has the shape already."""
    return _of_known_size(node.inputs[0])


def _of_known_size(value: Value) -> Value | None:
    """A value for another of its type: of a size that is not known nothing shows that it is the same."""
    return None if value.type.shape is None or None in value.type.shape else value


def _widened_before(node: Node, made: Made) -> Value | None:
    """What was made wider and is narrow again; whole numbers alone are made narrow."""
    before = made.get(node.inputs[0])
    if before is None or before.op not in (ew.cast, ew.widen):
        return None
    (x,) = before.inputs
    return x if x.type.dtype.is_integer and node.inputs[0].type.dtype.size > x.type.dtype.size else None


def _transposed_back(node: Node, made: Made) -> Value | None:
    before = made.get(node.inputs[0])
    if before is None or before.op is not node.op or node.inputs[0].type.shape is None:
        return None
    rank = len(node.inputs[0].type.shape)
    first, second = (
        list(range(rank))[::-1] if axes is None else [a % rank for a in axes]
        for axes in (before.attributes["axes"], node.attributes["axes"])
    )
    return before.inputs[0] if [first[a] for a in second] == list(range(rank)) else None


def _same_branches(node: Node, made: Made) -> Value | None:
    test, x, y = node.inputs
    if x is not y:
        return None
    return x if test.type.shape == () else _of_known_size(x)  # a mask of more dimensions, or longer ones, repeats it


def _written_again(node: Node, made: Made) -> Value | None:
    """``x[...] = y`` of one shape is y; ``x[i] = x[i]``, and ``x[i] = y`` a second time, leave x as it is."""
    array, value, *given = node.inputs
    index = node.attributes["index"]
    if node.attributes["how"] != "set":
        return None
    if not given and all(part is Ellipsis or part == slice(None) for part in index):
        return _of_known_size(value)
    read, before = made.get(value), made.get(array)
    if read is not None and read.op is indexing.getitem and read.inputs[0] is array:
        if _same_place(read, read.inputs[1:], index, given, made):
            return array
    return array if before is not None and _writes(before, index, given, made) and before.inputs[1] is value else None


def _read_back(node: Node, made: Made) -> Value | None:
    """``x[i]`` just after ``x[i] = y``, where y has the shape and dtype of the part."""
    array, *given = node.inputs
    before = made.get(array)
    if before is None or not _writes(before, node.attributes["index"], given, made):
        return None
    single = all(v.type.shape == () and not v.type.dtype.is_bool for v in given)  # of several that meet, the last stays
    return _of_known_size(before.inputs[1]) if single else None


def _writes(node: Node, index: object, given: Sequence[Value], made: Made) -> bool:
    """Whether a node sets a part of an array."""
    set_ = node.op is indexing.setitem and node.attributes["how"] == "set"
    return set_ and _same_place(node, node.inputs[2:], index, given, made)


def _same_place(node: Node, mine: Sequence[Value], index: object, given: Sequence[Value], made: Made) -> bool:
    if frozen(node.attributes["index"]) != frozen(index) or len(mine) != len(given):
        return False
    return all(fitted(a, made) is fitted(b, made) for a, b in zip(mine, given))


def fitted(value: Value, made: Made) -> Value:
    """An index as it was before it was given another dtype, in which it is the same number."""
    while (node := made.get(value)) is not None and (node.op is ew.fit or _keeps_number(node)):
        value = node.inputs[0]
    return value


def _keeps_number(node: Node) -> bool:
    """Whether a node makes an integer one of a dtype that holds all those of its own."""
    if node.op not in (ew.cast, ew.widen):
        return False
    given, made = node.inputs[0].type.dtype, node.outputs[0].type.dtype
    return given.is_integer and made.is_integer and made.min <= given.min and given.max <= made.max


RULES: dict[Op, Rule] = {
    ew.add: _neutral(0, 0, kinds="biu"),
    ew.subtract: _difference,
    ew.multiply: _neutral(1, 1),
    ew.divide: _neutral(1),
    ew.power: _neutral(1),
    ew.negative: _undone,
    ew.logical_not: _undone,
    ew.invert: _undone,
    ew.logical_and: _same_operands,
    ew.logical_or: _same_operands,
    ew.bitwise_and: _same_operands,
    ew.bitwise_or: _same_operands,
    ew.maximum: _same_operands,
    ew.minimum: _same_operands,
    ew.positive: _first,
    shape_ops.identity: _first,
    shape_ops.stop_gradient: _first,
    reduce.sum_to: _of_that_shape,
    reduce.sum_like: _of_that_shape,
    ew.cast: _first,
    ew.fit: _widened_before,
    ew.narrow: _widened_before,
    shape_ops.reshape: _of_that_shape,
    shape_ops.broadcast_to: _of_that_shape,
    shape_ops.transpose: _transposed_back,
    ew.where: _same_branches,
    indexing.getitem: _read_back,
    indexing.setitem: _written_again,
}
