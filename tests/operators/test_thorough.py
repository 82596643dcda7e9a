"""Containers that a function gives, and that its caller changes in statements of the graph."""

import functools
import itertools
from collections import deque

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import load


def empty():
    return {}


def some():
    return {1: 10, 4: 20}


def known():
    return {1, 2}


def one():
    return [0]


def several(*values):
    return [*values]


def of_both(a):
    return a.tolist(), [1, 2], {}


def inside():
    def inner():
        return [1]

    return inner()


def board():
    return Board()


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def descended(n, into):
    if n > 0:
        into.append(n)
        descended(n - 1, into)


class Board:
    def __init__(self):
        self.counts, self.high = empty(), one()

    def add(self, x):
        self.counts[x] = self.counts.get(x, 0) + 1
        if x > 2:
            self.high.append(x)

    def of(self, *given):
        return [self.high[0], *given]


class Named(Board):
    def __init__(self, name="a"):
        super().__init__()
        self.name = name


small = lambda x: [x, 1]  # noqa: E731
NAMES = {
    f.__name__: f
    for f in (factorial, descended, empty, some, known, one, several, of_both, inside, board, Board, Named)
} | {"small": small, "functools": functools, "itertools": itertools, "deque": deque}  # fmt: skip
LISTS = [
    "one()", "small(a[-1])", "several(*a.tolist())", "inside()", "of_both(a)[1]", "of_both(a)[0]", "Board().of(a[0])",
    "sum([[1], [2]], [])", "[1, 2].__add__([3])", "functools.reduce(lambda p, q: p + [q], a.tolist(), [])",
    "list(itertools.accumulate(a.tolist()))", "list(reversed(a.tolist()))", "None or []", "max(one(), one())",
]  # fmt: skip
CHANGED = ["l.append(l[-1] if l else 1)", "l.insert(0, 5)", "l += [k]", "l.extend([k, 1])"]
HASHED = ["empty()", "some()", "known()", "of_both(a)[2]"]
PROGRAMS = {
    "attributes": "b = Board()\n    for x in a.tolist():\n        b.add(x)\n    return b.counts, b.high",
    "given": "b = board()\n    for x in a.tolist():\n        b.add(x)\n    return b.counts, b.high",
    "inherited": "b = Named(name='b')\n    for x in a.tolist():\n        b.add(x)\n    return b.counts, b.high, b.name",
    "taken apart": "l, m, d = of_both(a)\n    if a[0] > 2:\n        l.append(7)\n        m.pop()\n        d[k] = 1\n"
    "    return l, m, d",
    "the rest": "first, *rest = a.tolist()\n    if a[0] > 2:\n        rest.append(first)\n    return rest, first",
    "in lists": "ls = [one() for _ in range(3)]\n    for x in a.tolist():\n        ls[x % 3].append(x)\n    return ls",
    "in dictionaries": "d = {k: one() for k in range(3)}\n    for x in a.tolist():\n        d[x % 3].append(x)\n"
    "    return d",
    "shared": "kept = one()\n    def give():\n        return kept\n    l, m = give(), give()\n    if a[0] > 2:\n"
    "        l.append(5)\n    return l is m, m, kept",
    "recursion": "l = one()\n    if a[0] > 2:\n        l.append(5)\n    return factorial(int(a[0])), l",
    "recursion that changes it": "l = one()\n    descended(int(a[0]), l)\n    return l",
    "beside an iterator that a loop has left": "it = iter([1, 2, 9])\n    for y in it:\n        if y == k:\n"
    "            break\n    b = Named('b')\n    for x in a.tolist():\n        b.add(x)\n    return b.counts, b.high, y",
    "items asked one by one": "d, e, l = {}, {}, one()\n    for x in a.tolist():\n        d[x], e[x] = 1, 1\n"
    "    if d == e and any(x > 4 for x in d) and not all(x > 2 for x in a):\n        l.append(k)\n    return l",
    "items asked one by one beside an iterator that a loop has left": "it = iter([1, 2, 9])\n    for y in it:\n"
    "        if y == k:\n            break\n    d, e, l = {}, {}, one()\n    for x in a.tolist():\n"
    "        d[x], e[x] = 1, 1\n    if d == e and any(x > 4 for x in d) and not all(x > 2 for x in a):\n"
    "        l.append(k)\n    return l, y",
    "wrong": "Named(1, 2)\n    l = one()\n    if a[0] > 2:\n        l.append(5)\n    return l",
}  # fmt: skip
INPUTS = [np.array([3, 1, 4, 1, 5]), np.array([2, 7]), np.array([9])]


def outcome(f, a):
    try:
        return f(a)
    except TypeError as error:
        return [str(error)]


def check(lines, jit_compile):
    f = load(f"def f(a):\n    k = int(a[-1])\n    {lines}\n", **NAMES)
    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for a in INPUTS:
        assert not difference(outcome(g, a), outcome(f, a))


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("changed", CHANGED)
@pytest.mark.parametrize("made", LISTS)
def test_a_list_that_a_call_gives_may_grow(made, changed, jit_compile):
    check(f"l = {made}\n    if a[0] > 2:\n        {changed}\n    return l, len(l)", jit_compile)


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("made", HASHED)
def test_keys_of_the_graph_are_put_into_what_a_call_gives(made, jit_compile):
    put = "d.add(x)" if made == "known()" else "d[x] = d.get(x, 0) + 1"
    given = "sorted(d)" if made == "known()" else "d"
    check(f"d = {made}\n    for x in a.tolist():\n        {put}\n    return {given}, len(d), k in d", jit_compile)


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("lines", PROGRAMS.values(), ids=PROGRAMS)
def test_what_functions_and_constructors_give_is_changed_as_by_python(lines, jit_compile):
    check(lines, jit_compile)
