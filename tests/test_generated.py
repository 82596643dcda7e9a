"""Comparisons that data classes and ``functools.total_ordering`` make, and ``!=`` by ``==``, are staged as others."""

import dataclasses
import functools

import numpy as np
import pytest

import runtime
from tests.programs import at_rest, load


@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: object = 0
    seen: int = dataclasses.field(default=0, compare=False)


@dataclasses.dataclass(frozen=True)
class Fixed:
    x: int


@dataclasses.dataclass(order=True, slots=True, kw_only=True)
class Slots:
    x: int
    pair: tuple = (1, 2)


@dataclasses.dataclass
class Empty:
    pass


@functools.total_ordering
class Ordered:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Ordered) and self.x == other.x

    def __lt__(self, other):
        return self.x < other.x


class Alike:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Alike) and self.x == other.x


COMPARED = {
    "Point(n, 1) {} Point(2, 1)": ("==", "!=", "<", "<=", ">", ">="),
    "Point(2, n, n) {} Point(2, 2, 7)": ("==", "!=", "<", "<=", ">", ">="),
    "Point(2, (n, 1)) {} Point(2, (2, 1))": ("==", "!=", "<", ">="),
    "Fixed(n) {} Fixed(2)": ("==", "!="),
    "Slots(x=n) {} Slots(x=2)": ("==", "!=", "<", ">="),
    "Slots(x=2, pair=(n, 1)) {} Slots(x=2, pair=(2, 0))": ("==", "!=", ">"),
    "(n, Empty()) {} (2, Empty())": ("==", "!="),
    "Point(n) {} Fixed(2)": ("==", "!="),
    "Ordered(n) {} Ordered(2)": ("==", "!=", "<", "<=", ">", ">="),
    "Alike(n) {} Alike(2)": ("==", "!="),
    "Alike(n) {} 2": ("==", "!="),
    "(Alike(n), 1) {} (Alike(2), 1)": ("==", "!="),
    "(3, (n, 1)) {} (3, (2, 1))": ("==", "!=", "<", "<=", ">", ">="),
    "Alike(n) {} [Alike(1), Alike(2)]": ("in", "not in"),
    "Point(n) {} (Point(2), Point(7))": ("in", "not in"),
    "tuple([Alike(n), 1]) {} [(Alike(2), 1), 5]": ("in", "not in"),
}
NAMES = {cls.__name__: cls for cls in (Point, Fixed, Slots, Empty, Ordered, Alike)}


@pytest.mark.parametrize("sides, operator", [(s, o) for s, operators in COMPARED.items() for o in operators])
def test_the_graph_decides_what_python_would(sides, operator):
    f = load(f"def f(n):\n    if {sides.format(operator)}:\n        return 1\n    return 0\n", **NAMES)
    graph = runtime.function(f, input_signature=[runtime.TensorSpec([], runtime.int64)])
    assert [int(graph(np.int64(n))) for n in (1, 2, 3)] == [f(n) for n in (1, 2, 3)]


def test_the_class_is_as_it_was_afterwards():
    with at_rest():
        runtime.function(lambda n: n + 1)(np.int64(1))  # what other tests have left ends
    before = [dict(vars(cls)) for cls in NAMES.values()], Point.__eq__.__code__
    with at_rest():
        runtime.function(lambda n: Point(n) == Point(2) and Alike(n) != Alike(2))(np.int64(1))
    assert ([dict(vars(cls)) for cls in NAMES.values()], Point.__eq__.__code__) == before
    assert Alike.__ne__ is object.__ne__
