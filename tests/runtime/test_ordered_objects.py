"""Objects of the program's that say themselves which of two comes first, by what only the graph knows."""

import bisect
import functools
import heapq
from dataclasses import dataclass, field

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load, outcome


class Less:
    def __init__(self, p, n):
        self.p, self.n = p, n

    def __lt__(self, other):
        return self.p < other.p


class LessInTwoSteps(Less):
    def __lt__(self, other):
        if self.p != other.p:
            return self.p < other.p
        return self.n > other.n


class Greater:
    def __init__(self, p, n):
        self.p, self.n = p, n

    def __gt__(self, other):
        return self.p > other.p


@dataclass(order=True)
class Data:
    p: int
    n: int = field(compare=False)


@functools.total_ordering
class Total:
    def __init__(self, p, n):
        self.held, self.n = [p], n

    @property
    def p(self):
        return self.held[0]

    def __eq__(self, other):
        return self.held == other.held

    def __lt__(self, other):
        return self.held < other.held


CLASSES = {"Less": Less, "LessInTwoSteps": LessInTwoSteps, "Greater": Greater, "Data": Data, "Total": Total}
MADE = {
    "all": "items = [C(x, i) for i, x in enumerate(a.tolist())]",
    "some": "items = []\n    for i, x in enumerate(a.tolist()):\n        if x != 4:\n            items.append(C(x, i))",
    "two": "items = [C(int(a[0]), 0), C(2, 1)]",
}
USES = [
    "[t.n for t in sorted(items)]", "[t.n for t in sorted(items, reverse=True)]",
    "items.sort() or [t.n for t in items]",
    "(min(items).n, max(items).n)", "(min(items[0], items[-1]).n, max(C(3, 7), items[0]).n)",
    "heapq.heapify(items) or [heapq.heappop(items).n for _ in range(2)]",
    "[heapq.heappush(heap, t) for t in items] and [t.n for t in heap]",
    "[bisect.insort(heap, t) for t in items] and [t.n for t in heap]",
    "heapq.heapify(items) or (heapq.heapreplace(items, C(0, 8)).n, [t.p for t in items])",
    "[t.n for t in heapq.nsmallest(2, items)]", "[t.n for t in heapq.nlargest(2, items)]",
    "[i for t, i in sorted((t, i) for i, t in enumerate(items))]",
]  # fmt: skip
INPUTS = [np.array([3, 1, 4, 1, 5, 9, 2, 6]), np.array([2, 7, 0])]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("name", CLASSES)
def test_objects_come_in_their_own_order(name, made, jit_compile):
    for use in USES:
        f = load(
            f"def f(a):\n    {MADE[made]}\n    heap = []\n    return {use}\n",
            bisect=bisect,
            heapq=heapq,
            C=CLASSES[name],
        )
        g = runtime.function(f, numpy=True, jit_compile=jit_compile)
        for a in INPUTS:
            assert outcome(g, a) == outcome(f, a), (use, a)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_events_are_taken_from_a_heap(jit_compile):
    def f(a):
        heap = [Data(int(x), i) for i, x in enumerate(a)]
        heapq.heapify(heap)
        log, now = [], 0
        while heap and len(log) < 12:
            event = heapq.heappop(heap)
            now = event.p
            log.append((now, event.n))
            if now % 2 and now < 7:
                heapq.heappush(heap, Data(now + 3, event.n + 10))
        return log, now

    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for a in INPUTS:
        assert outcome(g, a) == outcome(f, a)


def test_objects_that_hold_nothing_of_the_graph_are_python_s_to_order():
    asked = []

    class Counted(Less):
        def __lt__(self, other):
            asked.append((self.n, other.n))
            return self.p < other.p

    def f(a):
        return [t.n for t in sorted(Counted(p, n) for n, p in enumerate((3, 1, 2)))], a.sum()

    expected = f(np.ones(2)), asked[:]
    asked.clear()
    assert (runtime.function(f, numpy=True)(np.ones(2)), asked) == expected


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_what_says_only_what_is_equal_is_unequal_otherwise(jit_compile):
    class Point:
        def __init__(self, x):
            self.x = x

        def __eq__(self, other):
            return self.x == other.x

    def f(a):
        points = []
        for x in a.tolist():
            if x != 4:
                points.append(Point(x))
        return Point(3) != points[0], points[0] != Point(3), points[0] != points[1], points[1] != points[1]

    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for a in (*INPUTS, np.array([3, 3])):
        assert outcome(g, a) == outcome(f, a)
