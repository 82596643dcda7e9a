"""Generators whose statements the graph decides: each item comes when Python would have it come."""

import functools
from collections import Counter, deque

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import load


def every_other(a):
    def some(items):
        before = None
        for x in items:
            if before is None or x != before:
                yield x
            before = x

    return [v * 2 for v in some(a.tolist())]


def counted(a):
    def below():
        n = 0
        while n < a[0]:
            yield n
            n += 1

    return sum(below()), [n for n in below() if n != 1]


def of_one_another(a):
    def even(items):
        for x in items:
            if x % 2 == 0:
                yield x

    def halves(items):
        for x in even(items):
            yield x // 2
            if x > 2:
                yield from (x, x + 1)

    out = []
    for h in halves(a.tolist()):
        out.append(h)
    return out


class Table:
    def __init__(self, a):
        self.a = a

    def above(self, k):
        for x in self.a.tolist():
            if x > k:
                yield x, x * k


def of_a_method(a):
    return list(Table(a).above(2))


def ended_by_itself(a):
    def some():
        for x in a.tolist():
            if x == 0:
                return
            if x > 1:
                yield x

    total = 0
    for x in some():
        total += x
        if total > 3:
            total -= 1
    return total


def left(a):
    log = []

    def some():
        for x in a.tolist():
            log.append(-x)
            if x > 1:
                yield x
        log.append(0)

    for x in some():
        log.append(x)
        if x > 3:
            break
    return log


def returned_from(a):
    def some():
        k = 0
        while True:
            if a[k % len(a)] > 1:
                yield k
            k += 1
            if k > 20:
                return

    for k in some():
        if k > 1:
            return k
    return -1


def in_turn(a):
    log = []

    def some():
        for x in a.tolist():
            log.append(-x)
            if x > 1:
                yield x

    for x in some():
        log.append(x)
    return log


def begun_once(a):
    def some():
        for x in a.tolist():
            if x > 1:
                yield x

    items = some()
    return sum(items), list(items)


def with_defaults(a):
    def some(least=1, *more, step=2):
        for x in a.tolist():
            if x > least:
                yield x * step + len(more)

    return list(some()), list(some(2, 5, step=3))


PROGRAMS = [
    every_other, counted, of_one_another, of_a_method, ended_by_itself, left, returned_from, in_turn, begun_once,
    with_defaults,
]  # fmt: skip
INPUTS = [np.array([3, 1, 4, 4, 0, 6]), np.array([2, 7]), np.array([0])]


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_items_come_as_from_a_generator(program, jit_compile):
    f = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for a in INPUTS:
        assert not difference(f(a), program(a))


TAKEN = [
    "list(some())", "sorted(some())", "max(some(), default=-1)", "{x: 1 for x in some()}",
    "len(set(some()))", "list(enumerate(some()))", "list(map(lambda v: v + 1, some()))", "sum(1 for _ in some())",
    "list(filter(lambda v: v > 2, some()))", "[(x, y) for x in some() for y in some()]", "dict(Counter(some()))",
    "list(deque(some()))", "np.array(list(some()))", "functools.reduce(lambda p, q: p + q, some(), 0)",
]  # fmt: skip


@pytest.mark.parametrize("taken", TAKEN)
def test_all_of_it_is_taken(taken):
    lines = "def f(a):\n    def some():\n        for x in a.tolist():\n            if x > 1:\n                yield x\n"
    f = load(f"{lines}\n    return {taken}\n", np=np, functools=functools, Counter=Counter, deque=deque)
    g = runtime.function(f, numpy=True)
    for a in INPUTS[:2]:
        assert repr(g(a)) == repr(f(a))


def neighbours(grid, r, c):
    h, w = grid.shape
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        nr, nc = r + dr, c + dc
        if 0 <= nr < h and 0 <= nc < w and grid[nr, nc] == 0:
            yield nr, nc


def filled(grid):
    todo, count = [(0, 0)], 0
    while todo:
        r, c = todo.pop()
        if grid[r, c] == 0:
            grid[r, c] = 2
            count += 1
            for place in neighbours(grid, r, c):
                todo.append(place)
                grid[place] = 0
    return count


WALLS = np.zeros((5, 5), int)
WALLS[1, :4] = WALLS[3, 1:] = 1


@pytest.mark.parametrize("grid", [WALLS, np.zeros((3, 3), int), np.array([[0, 1], [1, 0]])], ids=str)
def test_what_goes_through_it_may_change_what_it_looks_at(grid):
    mine, theirs = grid.copy(), grid.copy()
    assert runtime.function(filled, numpy=True)(mine) == filled(theirs)
    assert mine.tolist() == theirs.tolist()


def caught(a):
    def some():
        try:
            for x in a.tolist():
                if x > 1:
                    yield x
        finally:
            a[0] = 9

    return list(some())


def sent(a):
    def some():
        got = None
        for x in a.tolist():
            if x > 1:
                got = yield got

    return list(some())


@pytest.mark.parametrize("program", [caught, sent])
def test_what_is_more_than_a_generator_of_items_is_refused(program):
    with pytest.raises(TypeError, match="asks for it now"):
        runtime.function(program, numpy=True)(np.array([3, 1, 4]))


def test_wrong_arguments_are_told_as_by_python():
    def f(a):
        if a[0] > 2:
            a[0] = 1
        return list(neighbours(a))

    with pytest.raises(TypeError, match=r"neighbours\(\) missing 2 required positional arguments: 'r' and 'c'"):
        runtime.function(f, numpy=True)(np.array([3, 1, 4]))
