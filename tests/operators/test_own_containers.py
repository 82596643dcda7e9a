"""Containers of the program's own, which say in Python what their items are: what built-in functions make of them."""

import functools
import itertools
import math

import numpy as np
import pytest

import runtime
from tests.programs import load


class Listed:
    def __init__(self, items):
        self.items = list(items)

    def __iter__(self):
        return iter(self.items)


class Generated(Listed):
    def __iter__(self):
        yield from self.items


class Indexed:
    def __init__(self, items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


EXPRESSIONS = [
    "max(c)", "min(c)", "max(c, key=lambda v: -v)", "max(c, default=1)", "sorted(c)", "sorted(c, reverse=True)[0]",
    "sorted(c, key=lambda v: -v)", "any(c)", "all(c)", "sum(c)", "xs[0] in c", "7.0 in c", "list(c)",
    "xs[1] + 1 not in c", "tuple(c)", "np.max(list(c))", "functools.reduce(max, c)", "math.fsum(c)",
    "[v for v in c if v > 0]", "max(map(abs, c))", "dict(enumerate(c))", "list(zip(c, c))", "[*c]",
    "max(zip(c, range(9)))",
]  # fmt: skip


@pytest.mark.parametrize("kind", [Listed, Generated, Indexed])
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_what_built_in_functions_make_of_a_container(text, kind):
    f = load(f"def f(xs):\n    c = C(xs)\n    return {text}\n", C=kind, functools=functools, math=math, np=np)
    graph = runtime.function(f, numpy=True)
    for xs in (np.array([1.5, -2.0, 3.0]), np.array([0.0, 4.0, -1.0])):
        assert repr(graph(xs)) == repr(f(xs))


class Counting:
    """Numbers without end, and one iterator over them."""

    def __init__(self):
        self.given = itertools.count()

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.given)


@pytest.mark.parametrize("text", ["3 in c", "any(c)", "(3 in c, next(c))", "any(v > 4 for v in c)"])
def test_no_more_items_are_asked_for_than_python_asks_for(text):
    f = load(f"def f(x):\n    c = C()\n    return {text}, next(c), x\n", C=Counting)
    assert runtime.function(f, numpy=True)(np.float64(1.0)) == f(np.float64(1.0))
