"""Between which numbers those of Python's surely lie that a graph computes: whether it computes as Python does.

Python's whole numbers have no limit, those of a graph 64 bits; Python raises an error where NumPy divides by zero. What
depends on a tensor only the graph knows; but what comes from Python's numbers alone, as a loop's counter does, Python
would have computed exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from runtime.graph.dtypes import int64
from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.graph.op import Span
from runtime.ops import elementwise as ew, shape as shape_ops, structure
from runtime.ops.intervals import limits_of
from runtime.ops.trip_count import Count, limited

_WHOLE: Span = (int64.min, int64.max)
_SMALL = 2**20  # a step that no loop, however long it can run, makes often enough to leave 64 bits
_JOINS = 12  # iterations that a loop's numbers are followed for, until they stay where they are


class _Differs(Exception):
    """Python may compute something else: 64 bits may not hold a number, or a divisor may be 0."""


def surely_as_python(nodes: Iterable[Node], constants: Mapping[Value, object]) -> bool:
    """Whether what these nodes compute from Python's numbers alone is what Python computes.

    `constants` are values from outside that are the same at each run.
    """
    known = {value: span for value, array in constants.items() if (span := _of_constant(array, value)) is not None}
    try:
        _Spans().follow(nodes, known)
    except _Differs:
        return False
    return True


Known = dict[Value, Span]  # what comes from Python's numbers alone; of other values nothing is to be known


class _Spans:
    def __init__(self) -> None:
        self.inside: dict[int, Known] = {}  # what is known in regions
        self.moves: dict[Value, Span] = {}  # by how much loops move what they only add to
        self.last: dict[int, tuple[list[Span | None], Sequence[Span | None]]] = {}  # what loops were given, and left

    def follow(self, nodes: Iterable[Node], known: Known) -> None:
        for node in nodes:
            if node.op is shape_ops.constant:
                spans: Sequence[Span | None] = [_of_constant(node.attributes["value"], node.outputs[0])]
            elif node.op is structure.while_:
                spans = self._loop(node, [known.get(value) for value in node.inputs])
            elif node.op is structure.if_:
                spans = self._branches(node, known)
            else:
                spans = _computed(node, [known.get(value) for value in node.inputs])
            known.update((value, span) for value, span in zip(node.outputs, spans) if span is not None)

    def _region(self, region: Graph, given: Sequence[Span | None]) -> Known:
        known = {value: span for value, span in zip(region.inputs, given) if span is not None}
        self.follow(region.nodes, known)
        self.inside[id(region)] = known
        return known

    def _branches(self, node: Node, known: Known) -> Sequence[Span | None]:
        decision, *given = [known.get(value) for value in node.inputs]
        inside = [self._region(region, given) for region in node.regions]
        if decision is None:  # only the graph knows which it is
            return [None] * len(node.outputs)
        ends = [[held.get(v) for v in region.outputs] for held, region in zip(inside, node.regions)]
        return [None if a is None or b is None else _joined(a, b) for a, b in zip(*ends)]

    def _loop(self, node: Node, given: list[Span | None]) -> Sequence[Span | None]:
        """What a loop leaves; one in a loop is mostly given what it was given for the iteration before."""
        last = self.last.get(id(node))
        if last is None or last[0] != given:
            self.last[id(node)] = last = given, self._followed(node, given)
        return last[1]

    def _followed(self, node: Node, given: list[Span | None]) -> Sequence[Span | None]:
        """What a loop leaves: numbers that it only adds to come as far as its iterations take them, and others are
        followed until they stay where they are."""
        count = len(node.outputs)
        test, body = node.regions
        counter = limited(node)
        iterations = _iterations(counter, body, given) if counter is not None else None
        state, steps = given[:count], dict[int, Span]()
        if counter is not None and iterations is not None:
            steps[counter.state] = (counter.step, counter.step)
        elif counter is not None:
            state[counter.state] = None  # data end the loop, so how far it counts comes from them, too
        limits = self._limits(test, count, [None] * count + given[count:])
        others = self._added_to_others(node, given) if iterations is None else set[int]()
        left = list(state)  # what iterations leave
        for turn in range(_JOINS):
            before = list(state)
            for number, step in steps.items():
                assert iterations is not None
                state[number] = _moved(given[number], step, max(iterations - 1, 0))
            inside = self._region(body, [*_within(state, limits), *given[count:]])
            left = [inside.get(value) for value in body.outputs]
            for number, value in enumerate(body.outputs):
                was, span = state[number], inside.get(value)
                if was is None or (counter is not None and number == counter.state and number in steps):
                    continue
                found = self._step(value, body.inputs[number], body) if span is not None else None
                if span is None:
                    state[number] = None
                elif found is not None and iterations is not None:
                    steps[number] = found
                    state[number] = _moved(given[number], found, max(iterations - 1, 0))
                elif found is not None and max(map(abs, found)) <= _SMALL and number not in others:
                    state[number] = None
                else:
                    steps.pop(number, None)
                    joined = _joined(was, span)
                    if turn > _JOINS // 2 and joined != was and _is_float(value):
                        joined = _as_far_as_zero(was, joined)
                    state[number] = _up_to(joined, limits[number]) if turn and number in limits else joined
            if state == before:
                break
        else:
            raise _Differs
        for number in limits:
            start, end = given[number], left[number]
            if state[number] is not None and number not in steps:
                state[number] = None if start is None or end is None else _joined(start, end)
        for number, step in steps.items():
            assert iterations is not None
            state[number] = _moved(given[number], step, iterations)
            self.moves[node.outputs[number]] = _moved((0, 0), step, iterations) or (0, 0)
        self._region(test, [*state, *given[count:]])
        return state

    def _added_to_others(self, node: Node, given: Sequence[Span | None]) -> set[int]:
        """The numbers of a loop that Python could decide whose step is small only while its other numbers are: those
        may grow as fast as a sequence of Fibonacci's, which no count of iterations that could be made bounds."""
        count = len(node.outputs)
        test, body = node.regions
        if self._region(test, given).get(test.outputs[0]) is None:
            return set()
        self._region(body, [*[None] * count, *given[count:]])
        return {
            number for number, value in enumerate(body.outputs) if self._step(value, body.inputs[number], body) is None
        }

    def _limits(self, test: Graph, count: int, given: Sequence[Span | None]) -> dict[int, Span]:
        """Between which whole numbers those of a loop's state lie where an iteration begins, as its test says."""
        known = self._region(test, given)
        return limits_of(test, count, known.get, lambda node: node.op in (ew.widen, shape_ops.identity))

    def _step(self, after: Value, before: Value, region: Graph) -> Span | None:
        """By how much a region moves a number, if it only adds to it; None if it does anything else."""
        if after is before:
            return (0, 0)
        node = next((n for n in region.nodes if after in n.outputs), None)
        if node is None:
            return None
        at, known = node.outputs.index(after), self.inside[id(region)]
        if node.op is structure.while_ and after in self.moves:
            inner, by = self._step(node.inputs[at], before, region), self.moves[after]
            others = [v for n, v in enumerate(node.inputs) if n != at]
        elif node.op is structure.if_:
            steps = [self._step_in_branch(branch, at, node, before) for branch in node.regions]
            return None if None in steps else _joined(*steps)  # type: ignore[arg-type]
        elif node.op is ew.add or node.op is ew.subtract:
            first, second = node.inputs
            if node.op is ew.add and not _uses(first, before, region):
                first, second = second, first
            found = known.get(second)
            if found is None:
                return None
            inner, by = self._step(first, before, region), found if node.op is ew.add else (-found[1], -found[0])
            others = [second]
        else:
            return None
        if inner is None or any(_uses(value, before, region) for value in others):
            return None
        return inner[0] + by[0], inner[1] + by[1]

    def _step_in_branch(self, branch: Graph, at: int, node: Node, before: Value) -> Span | None:
        own = [mine for mine, given in zip(branch.inputs, node.inputs[1:]) if given is before]
        found = [self._step(branch.outputs[at], mine, branch) for mine in own]
        return next((step for step in found if step is not None), None)


def _of_constant(array: object, value: Value) -> Span | None:
    kind = value.type
    if not isinstance(kind, TensorType) or kind.shape != ():
        return None
    number = np.asarray(array).item()
    return (number, number) if isinstance(number, int | float) and number == number else None


def _computed(node: Node, given: Sequence[Span | None]) -> Sequence[Span | None]:
    if node.regions or node.op.effect or not given or None in given:
        return [None] * len(node.outputs)
    return [_fitting(value, node, [span for span in given if span is not None]) for value in node.outputs]


def _fitting(value: Value, node: Node, given: Sequence[Span]) -> Span | None:
    kind = value.type
    if not isinstance(kind, TensorType) or kind.shape != ():
        return None
    if kind.dtype.is_bool:
        return (0, 1)
    whole = kind.dtype.is_integer
    least, most = (kind.dtype.min, kind.dtype.max) if whole else (-math.inf, math.inf)
    try:
        span = node.op.span(*given) if node.op.span is not None else (least, most)
    except ArithmeticError:
        if kind.weak:
            raise _Differs from None
        return None
    if any(bound != bound for bound in span):  # of infinity and zero
        span = (least, most)
    if whole and not all(isinstance(bound, int) for bound in span):
        span = _outwards(span)
    if least <= span[0] and span[1] <= most:
        return span
    if kind.weak and whole:
        raise _Differs
    return None  # NumPy's numbers wrap in Python, too


def _within(state: Sequence[Span | None], limits: Mapping[int, Span]) -> list[Span | None]:
    """The numbers that an iteration begins with."""
    found = list(state)
    for number, (low, high) in limits.items():
        span = found[number]
        if span is not None and max(low, span[0]) <= min(high, span[1]):
            found[number] = max(low, span[0]), min(high, span[1])
    return found


def _up_to(span: Span, limits: Span) -> Span:
    """A span that goes on growing, as far as it can where the test ends that."""
    return _WHOLE[0] if limits[0] > _WHOLE[0] else span[0], _WHOLE[1] if limits[1] < _WHOLE[1] else span[1]


def _is_float(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.dtype.is_floating


def _as_far_as_zero(was: Span, span: Span) -> Span:
    """A span of floats that goes on growing, as far as it can: floats have no end, and mostly keep their sign."""
    low, high = span
    if low < was[0]:
        low = 0.0 if low >= 0 else -math.inf
    if high > was[1]:
        high = 0.0 if high <= 0 else math.inf
    return low, high


def _outwards(span: Span) -> Span:
    low, high = (bound if math.isinf(bound) else round(bound) for bound in (span[0] - 1, span[1] + 1))
    return low, high


def _joined(a: Span, b: Span) -> Span:
    return min(a[0], b[0]), max(a[1], b[1])


def _iterations(counter: Count, body: Graph, given: Sequence[Span | None]) -> int | None:
    """How often a loop runs at most, if that comes from Python's numbers."""
    start = given[counter.state]
    bound = counter.bound
    end = (bound, bound) if isinstance(bound, int) else given[body.inputs.index(bound)]
    if start is None or end is None:
        return None
    distance = end[1] - start[0] if counter.step > 0 else start[1] - end[0]
    if not isinstance(distance, int):
        return None
    last = counter.how in (ew.less_equal, ew.greater_equal)  # the bound itself has an iteration, too
    return max(0, (distance + last + abs(counter.step) - 1) // abs(counter.step))


def _moved(start: Span | None, step: Span, times: int) -> Span | None:
    """Where a number is that moves by a step as often."""
    if start is None:
        return None
    span = start[0] + min(step[0], 0) * times, start[1] + max(step[1], 0) * times
    if not (_WHOLE[0] <= span[0] and span[1] <= _WHOLE[1]) and isinstance(start[0], int):
        raise _Differs
    return span


def _uses(value: Value, before: Value, region: Graph) -> bool:
    """Whether a value comes from the number of the iteration before."""
    made = {output: node for node in region.nodes for output in node.outputs}
    waiting, seen = [value], set()
    while waiting:
        found = waiting.pop()
        if found is before:
            return True
        if found in made and found not in seen:
            seen.add(found)
            waiting += made[found].inputs
    return False
