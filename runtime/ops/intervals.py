"""Which whole numbers of a graph no operation takes beyond their type, so that Python computes them as NumPy does.

NumPy's numbers wrap where they leave their type, and Python's grow. Each number has an interval in which it surely
lies; a loop's is widened until an iteration leaves it as it is, and cut where the loop's test ends it. A number of
Python's that iterations move by little stays far within 64 bits, however long a loop can run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.graph.op import Span
from runtime.ops import elementwise as ew, lists, shape as shape_ops, structure

_FAR = 2**62  # where no loop comes that begins within half of it and takes steps no larger than `_SMALL`:
_SMALL = 2**16  # it would take ten hours of a billion iterations a second
_EXACT = 2**53  # up to here floats hold every whole number
_DEEPEST = 4  # loops in one another whose intervals are looked for; each goes through what is inside several times
_SWAPPED = {
    ew.less: ew.greater, ew.less_equal: ew.greater_equal, ew.greater: ew.less, ew.greater_equal: ew.less_equal,
}  # fmt: skip


def is_whole(value: Value) -> bool:
    """Whether it is one number of 32 or 64 bits."""
    kind = value.type
    return type(kind) is TensorType and kind.shape == () and kind.dtype.name in _NAMES


_NAMES = ("int32", "int64")


def becomes_float(node: Node) -> bool:
    """Whether it compares a whole number of Python's with a float of Python's, or divides one by another: NumPy makes
    floats of both, which do not hold every number of 64 bits, and Python does not."""
    types = [value.type for value in node.inputs]
    if node.op is ew.divide:
        return types == [ew.PYTHONS_WHOLE, ew.PYTHONS_WHOLE]
    return node.op.compares and types in ([ew.PYTHONS_WHOLE, ew.PYTHONS_FLOAT], [ew.PYTHONS_FLOAT, ew.PYTHONS_WHOLE])


def wrapping(graph: Graph) -> set[Value]:
    """The whole numbers of a graph and its regions that an operation computes and may take beyond their type.

    And what it makes of whole numbers as floats, if these may not hold them.
    """
    walk = _Walk()
    walk.follow(graph.nodes)
    return walk.wrapping


class _Walk:
    def __init__(self) -> None:
        self.found: dict[Value, Span] = {}
        self.wrapping: set[Value] = set()
        self.depth = 0

    def of(self, value: Value) -> Span:
        return self.found.get(value) or _type_of(value)

    def follow(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node.op is structure.while_:
                self.loop(node)
            elif node.op is structure.if_:
                for region in node.regions:
                    self.give(region.inputs, [self.of(v) if is_whole(v) else None for v in node.inputs[1:]])
                    self.follow(region.nodes)
                for value, *ends in zip(node.outputs, *(region.outputs for region in node.regions)):
                    if is_whole(value):
                        self.found[value] = _joined(*map(self.of, ends))
            elif len(node.outputs) == 1 and is_whole(node.outputs[0]):
                self.compute(node, node.outputs[0])
            elif becomes_float(node):
                large = any(max(map(abs, self.of(v))) > _EXACT for v in node.inputs if is_whole(v))
                (self.wrapping.add if large else self.wrapping.discard)(node.outputs[0])

    def give(self, values: Sequence[Value], spans: Sequence[Span | None]) -> None:
        self.found.update((value, span) for value, span in zip(values, spans) if span is not None)

    def compute(self, node: Node, result: Value) -> None:
        span = self.span_of(node)
        least, most = _type_of(result)
        if span is not None and least <= span[0] and span[1] <= most:
            self.found[result] = span
            self.wrapping.discard(result)
        else:
            self.found[result] = least, most
            self.wrapping.add(result)

    def span_of(self, node: Node) -> Span | None:
        if node.op is shape_ops.constant:
            number = int(np.asarray(node.attributes["value"]))
            return number, number
        if node.op in (lists.size, lists.count):
            return 0, _type_of(node.outputs[0])[1]
        if node.op is ew.fit:
            return self.of(node.inputs[0]) if is_whole(node.inputs[0]) else None
        operands = node.inputs[1:] if node.op is ew.where else node.inputs
        if node.op.span is None or not operands or not all(map(is_whole, operands)):
            return None
        given = [self.of(value) for value in operands]
        try:
            return _joined(*given) if node.op is ew.where else node.op.span(*given)
        except ArithmeticError:
            return None

    def loop(self, node: Node) -> None:
        count = len(node.outputs)
        given = [self.of(v) if is_whole(v) else None for v in node.inputs]
        state, known = given[:count], len(self.wrapping)
        self.depth += 1
        if self.depth > _DEEPEST:
            state = [_type_of(v) if is_whole(v) else None for v in node.outputs]
        while True:
            ends = self.iteration(node, state, given)
            pairs = zip(state, ends, node.outputs)
            wider = [s if s is None or e is None else _widened(s, e, v) for s, e, v in pairs]
            if wider == state:
                break
            state = wider
        left = _left(given, ends)
        if len(self.wrapping) > known and left != state:  # what an iteration cuts off was widened too far
            ends = self.iteration(node, left, given)
            if _left(left, ends) != left:
                ends = self.iteration(node, state, given)
            left = _left(given, ends)
        self.depth -= 1
        self.give(node.outputs, left)

    def iteration(self, node: Node, state: Sequence[Span | None], given: Sequence[Span | None]) -> list[Span | None]:
        """What an iteration leaves of a loop's state."""
        test, body = node.regions
        count = len(node.outputs)
        self.give(test.inputs, [*state, *given[count:]])
        self.follow(test.nodes)
        limits = limits_of(test, count, lambda v: self.of(v) if is_whole(v) else None, self.hands_on)
        inside = [None if span is None else _cut(span, limits.get(i)) for i, span in enumerate(state)]
        self.give(body.inputs, [*inside, *given[count:]])
        self.follow(body.nodes)
        return [None if span is None else self.of(v) for span, v in zip(state, body.outputs)]

    def hands_on(self, node: Node) -> bool:
        return node.op in (ew.widen, ew.cast) and node.outputs[0] not in self.wrapping


def limits_of(
    test: Graph, count: int, span_of: Callable[[Value], Span | None], hands_on: Callable[[Node], bool]
) -> dict[int, Span]:
    """Between which whole numbers those of a loop's state lie where an iteration begins, as its test says.

    `span_of` tells of what they are compared with, as far as it is known, and `hands_on` whether an operation gives the
    number that it is given.
    """
    made = {output: node for node in test.nodes for output in node.outputs}
    found: dict[int, Span] = {}
    waiting = [test.outputs[0]]
    while waiting:
        node = made.get(waiting.pop())
        if node is not None and node.op is ew.logical_and:
            waiting += node.inputs
        elif node is not None and node.op in _SWAPPED:
            first, second = node.inputs
            for value, other, how in ((first, second, node.op), (second, first, _SWAPPED[node.op])):
                while value in made and hands_on(made[value]):
                    (value,) = made[value].inputs
                span = span_of(other)
                if span is None or value not in test.inputs[:count] or not (_is_integer(value) and _is_integer(other)):
                    continue
                number = test.inputs.index(value)
                low, high = found.get(number, _type_of(value))
                if how is ew.less or how is ew.less_equal:
                    high = min(high, int(span[1]) - (how is ew.less))
                else:
                    low = max(low, int(span[0]) + (how is ew.greater))
                found[number] = low, high
    return found


def _is_integer(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.dtype.is_integer


def _type_of(value: Value) -> Span:
    dtype = value.type.dtype
    return dtype.min, dtype.max


def _joined(a: Span, b: Span) -> Span:
    return min(a[0], b[0]), max(a[1], b[1])


def _cut(span: Span, limits: Span | None) -> Span:
    """What of a span lies within limits; all of it if nothing does, as then nobody comes there."""
    if limits is None or max(span[0], limits[0]) > min(span[1], limits[1]):
        return span
    return max(span[0], limits[0]), min(span[1], limits[1])


def _widened(span: Span, end: Span, value: Value) -> Span:
    """A span that goes on growing grows as far as it can at once."""
    least, most = _type_of(value)
    if isinstance(value.type, TensorType) and value.type.weak:
        return -_grown(-span[0], -end[0], -least), _grown(span[1], end[1], most)
    return span[0] if end[0] >= span[0] else least, span[1] if end[1] <= span[1] else most


def _grown(before: float, after: float, most: float) -> float:
    """How far a number of Python's comes that was at most the one, and after an iteration is at most the other."""
    if after <= before or (before == _FAR and after <= _FAR + _SMALL):
        return before
    return _FAR if before <= _FAR // 2 and after <= _FAR else most


def _left(given: Sequence[Span | None], ends: Sequence[Span | None]) -> list[Span | None]:
    """Where numbers lie that begin in some spans, and that iterations leave in others."""
    return [None if a is None or b is None else _joined(a, _settled(b)) for a, b in zip(given, ends)]


def _settled(end: Span) -> Span:
    """Where a number lies that iterations have moved by little: within `_FAR`, as the other numbers of the loop."""
    low, high = end
    return (-_FAR if -_FAR - _SMALL <= low < -_FAR else low), (_FAR if _FAR < high <= _FAR + _SMALL else high)
