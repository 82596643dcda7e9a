"""Heaps and sorted lists: the definitions do what C's functions do, and staged programs what plain ones do."""

import bisect
import heapq
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import runtime
from autograph.operators import ordered
from autograph.operators.ordered import DEFINITIONS
from tests.programs import outcome

ITEMS = st.lists(st.tuples(st.integers(0, 4), st.integers()), max_size=12)  # of which some are equal at first
HEAPS = [heapq.heapify, heapq.heappop]
WITH_ITEM = [heapq.heappush, heapq.heappushpop, heapq.heapreplace]
SEARCHES = [bisect.bisect_left, bisect.bisect_right, bisect.insort_left, bisect.insort_right]


class Item:
    """One that is compared by its first part only, so that it can be told which of equals it is."""

    def __init__(self, parts):
        self.parts = parts

    def __lt__(self, other):
        return self.parts[0] < other.parts[0]


def left(function, items, *arguments, heap=True, **keywords):
    """What a function gives, and how it leaves the list."""
    items = [Item(parts) for parts in items]
    if heap:
        heapq.heapify(items)
    result = outcome(lambda: function(items, *arguments, **keywords))
    result = (result[0], result[1].parts if isinstance(result[1], Item) else result[1])
    return result, [item.parts for item in items]


@pytest.mark.parametrize("function", HEAPS, ids=lambda f: f.__name__)
@given(items=ITEMS)
def test_heaps(function, items):
    is_heap = function is not heapq.heapify
    assert left(function, items, heap=is_heap) == left(DEFINITIONS[function], items, heap=is_heap)


@pytest.mark.parametrize("function", WITH_ITEM, ids=lambda f: f.__name__)
@given(items=ITEMS, number=st.integers(0, 4))
def test_heaps_that_take_an_item(function, items, number):
    item = Item((number, -1))
    assert left(function, items, item) == left(DEFINITIONS[function], items, item)


@pytest.mark.parametrize("function", SEARCHES, ids=lambda f: f.__name__)
@given(items=ITEMS, number=st.integers(0, 4), low=st.integers(-1, 5), high=st.none() | st.integers(0, 5))
def test_searches(function, items, number, low, high):
    items = sorted(items, key=lambda parts: parts[0])
    high = None if high is None else min(high, len(items))
    for item, keywords in [(Item((number, -1)), {}), (Item((number, -1)), {"key": lambda item: item})]:
        if "insort" not in function.__name__ or not keywords:
            given_ = left(function, items, item, low, high, heap=False, **keywords)
            assert given_ == left(DEFINITIONS[function], items, item, low, high, heap=False, **keywords)


@pytest.mark.parametrize("function", [heapq.nlargest, heapq.nsmallest], ids=lambda f: f.__name__)
@given(items=ITEMS, n=st.integers(-1, 14))
def test_the_first_in_order(function, items, n):
    for key in (None, lambda parts: parts[0]):
        assert function(n, items, key=key) == DEFINITIONS[function](n, items, key=key)


def sorted_by_a_heap(xs):
    heap = list(xs)
    heapq.heapify(heap)
    made = []
    while heap:
        made.append(heapq.heappop(heap))
    return made


def largest(xs):
    heap = []
    for x in xs:
        if len(heap) < 3:
            heapq.heappush(heap, x)
        elif x > heap[0]:
            heapq.heapreplace(heap, x)
    return heap


def pushed_through(xs):
    heap, out = [], []
    for x in xs:
        if x > 0.5:
            heapq.heappush(heap, -x)
        else:
            out.append(heapq.heappushpop(heap, x))
    return heap, out


def in_order(xs):
    made = []
    for x in xs:
        bisect.insort(made, x)
    return made


def grades(xs):
    bounds = [0.2, 0.5, 0.5, 0.9]
    return [bisect.bisect(bounds, x) for x in xs], [bisect.bisect_left(bounds, x, 1, 3) for x in xs]


def in_an_array(xs):
    return bisect.bisect_left(xs, xs[2]), bisect.bisect_right(np.sort(xs), 0.5)


def ends(xs):
    return heapq.nlargest(2, xs), heapq.nsmallest(2, list(xs), key=lambda x: abs(x - 0.5))


def shortest_paths(weights):
    """Dijkstra's algorithm, with pairs in the heap."""
    n = len(weights)
    distances = [float("inf")] * n
    distances[0] = 0.0
    waiting = [(0.0, 0)]
    while waiting:
        distance, here = heapq.heappop(waiting)
        if distance > distances[here]:
            continue
        for there in range(n):
            if weights[here, there] > 0.3 and distance + weights[here, there] < distances[there]:
                distances[there] = distance + weights[here, there]
                heapq.heappush(waiting, (distances[there], there))
    return distances


def tasks(xs):
    """Of equals that which stands first in the list."""
    heap = []
    for i, x in enumerate(xs):
        heapq.heappush(heap, (int(x * 3), -i, x))
    return [heapq.heappop(heap) for _ in range(3)]


PROGRAMS = [sorted_by_a_heap, largest, pushed_through, in_order, grades, in_an_array, ends, shortest_paths, tasks]


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("size", [3, 4, 40])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_staged_programs(program, size, jit_compile):
    if jit_compile:
        pytest.importorskip("llvmlite")
    draw = np.random.default_rng(size)
    xs = draw.random((size, size) if program is shortest_paths else size)
    found = runtime.function(program, numpy=True, jit_compile=jit_compile)(xs)
    np.testing.assert_equal(found, program(xs))


def test_a_heap_of_what_the_graph_does_not_decide_is_cs():
    def scheduled(x):
        heap = [3, 1, 2]
        heapq.heapify(heap)
        least = heapq.heappop(heap)
        if x > 0:
            heapq.heappush(heap, 0)
        return least, heap

    staged = runtime.function(scheduled, numpy=True)
    for x in (1.0, -1.0):
        assert staged(np.float64(x)) == scheduled(x)


def test_an_empty_heap_raises_what_pythons_raises():
    def first(xs):
        heap = [x for x in xs if x > 9]
        return heapq.heappop(heap)

    with pytest.raises(IndexError):
        runtime.function(first, numpy=True)(np.ones(4))


class Counting:
    """One that counts how often any two of its kind are compared."""

    compared = 0

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        Counting.compared += 1
        return self.value < other.value


def drained(numbers, made):
    heap = []
    for number in numbers:
        heapq.heappush(heap, made(number))
    found = [heapq.heappushpop(heap, made(5)), heapq.heapreplace(heap, made(7))]
    while len(heap) > 0:
        found.append(heapq.heappop(heap))
    return found


def inserted(numbers, made):
    found = []
    for number in numbers:
        bisect.insort(found, made(number))
    return found, bisect.bisect_left(found, made(3)), bisect.bisect(found, made(3), 1, key=lambda item: item)


def while_traced(call):
    kept = []
    runtime.function(lambda x: kept.append(call()) or x)(1.0)
    return kept[0]


@pytest.mark.parametrize("function", [drained, inserted])
@pytest.mark.parametrize("made", [int, lambda n: (n % 3, str(n)), lambda n: [n % 3, (n,)]])
@given(numbers=st.lists(st.integers(0, 9), min_size=2, max_size=30))
def test_plain_items_while_something_is_traced(function, made, numbers):
    assert while_traced(lambda: function(numbers, made)) == function(numbers, made)


@pytest.mark.parametrize("function", [drained, inserted])
@given(numbers=st.lists(st.integers(0, 9), min_size=2, max_size=30))
def test_objects_are_compared_as_often_as_without_a_trace(function, numbers):
    counts = []
    for call in (lambda: function(numbers, Counting), lambda: while_traced(lambda: function(numbers, Counting))):
        Counting.compared = 0
        call()
        counts.append(Counting.compared)
    assert counts[0] == counts[1]


@pytest.mark.parametrize("function", [drained, inserted])
def test_what_is_not_compared_is_not_asked_whether_it_is_staged(function, monkeypatch):
    asked = []
    is_staged = ordered._is_staged
    monkeypatch.setattr(ordered, "_is_staged", lambda value: asked.append(value) or is_staged(value))
    for count in (100, 1600):
        asked.clear()
        while_traced(lambda count=count: function([n * 7919 % count for n in range(count)], lambda n: (n,)))
        assert len(asked) < 8 * count * math.log2(count)


@pytest.mark.parametrize("items, at", [([3], 0), ([7, 1, 4, 4], 1), ([2, 9, 5, 8, 5, 1], 5)])
def test_a_heap_with_a_staged_item_among_plain_ones(items, at):
    def f(x):
        heap = [*sorted(items)]
        heap[at] = x
        heapq.heapify(heap)
        heapq.heappush(heap, 4)
        least = [heapq.heappop(heap)]
        heapq.heapreplace(heap, 6)
        least.append(heapq.heappushpop(heap, 2))
        place = bisect.bisect(sorted([*items, x]), 5)
        return (*least, *[heapq.heappop(heap) for _ in items], place)

    graph = runtime.function(f, jit_compile=False)
    for x in (0, 5, 11):
        assert tuple(map(int, graph(runtime.constant(x)))) == f(x)


def test_a_heap_that_changes_while_it_is_compared():
    def f():
        heap = []

        class Item:
            def __lt__(self, other):
                heap.clear()
                return True

        heap += [Item() for _ in range(4)]
        return heapq.heappop(heap)

    for call in (f, lambda: while_traced(f)):
        with pytest.raises(RuntimeError, match="list changed size during iteration"):
            call()


@pytest.mark.parametrize(
    "text",
    [
        "heapq.heappush(3, 4)",
        "heapq.heappop([])",
        "heapq.heappush([1])",
        "bisect.bisect([1], 1, -1)",
        "bisect.bisect([1], 'a')",
        "heapq.heappush([1], 'a')",
        "heapq.heapreplace([], 1)",
        "bisect.bisect([1, 2], 1, 0.5)",
    ],
)
def test_what_is_wrong_is_told_in_pythons_words(text):
    call = eval(f"lambda: {text}", {"heapq": heapq, "bisect": bisect})
    assert outcome(lambda: while_traced(call)) == outcome(call)
