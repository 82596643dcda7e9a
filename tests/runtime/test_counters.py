"""``itertools.count``, asked for numbers where only the graph knows how many."""

import heapq
import itertools
from collections import defaultdict

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import EXECUTORS


def in_a_branch(a):
    tick, out = itertools.count(), []
    for v in a:
        if v > 1:
            out.append((next(tick), v))
    return out


def with_a_step(a):
    tick, out = itertools.count(5, step=2), []
    for _ in a:
        out.append(next(tick))
    return out, next(tick), tick


def of_floats(a):
    tick, out = itertools.count(0.5, 0.25), []
    for v in a:
        if v > 0:
            out.append(next(tick, None))
    return out, f"{tick}"


def in_a_heap(a):
    tick, queue, out = itertools.count(), [], []
    for v in a:
        heapq.heappush(queue, (v, next(tick), int(v)))
    while queue:
        v, number, i = heapq.heappop(queue)
        if v > 0.5:
            heapq.heappush(queue, (v - 1, next(tick), i + 1))
        out.append((v, number, i))
    return out


class Queue:
    def __init__(self):
        self.items, self.numbers = [], itertools.count(1)

    def push(self, priority, item):
        heapq.heappush(self.items, (priority, next(self.numbers), item))


def of_an_object(a):
    queue = Queue()
    for v in a:
        if v > 0:
            queue.push(v, v * 2)
    return queue.items, next(queue.numbers)


def names(a):
    numbers, known = itertools.count(), {}
    for v in a:
        if int(v) not in known:
            known[int(v)] = next(numbers)
    return known


def of_a_table(a):
    known = defaultdict(itertools.count().__next__)
    return [known[int(v)] for v in a], dict(known)


def from_there_on(a):
    tick, total = itertools.count(a[0]), 0
    for v in a:
        if v > 1:
            total += next(tick)
    return total


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "program",
    [in_a_branch, with_a_step, of_floats, in_a_heap, of_an_object, names, of_a_table, from_there_on],
    ids=lambda program: program.__name__,
)
def test_each_number_is_given_once(program, jit_compile):
    f = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for a in ([1.0, 2.0, 3.0, 0.0, 5.0], [3.0], [0.0, 2.0, 4.0]):
        assert repr(f(np.array(a))) == repr(program(np.array(a)))


def test_what_goes_through_one_is_told_to_ask_for_each_number():
    @runtime.function(numpy=True)
    def f(a):
        tick, total = itertools.count(), 0
        for v in a:
            if v > 1:
                total += next(tick)
        for i in tick:
            if i > 8:
                return total

    with pytest.raises(StagingError, match=r"Ask for each with next\(\)"):
        f(np.array([1.0, 2.0]))


def test_a_loop_that_only_the_graph_leaves_says_so():
    @runtime.function(numpy=True)
    def f(a):
        for i in itertools.count():
            if a[i] > 2:
                return i

    with pytest.raises(StagingError, match="Use `while`"):
        f(np.array([1.0, 3.0]))
