"""A list, dictionary or set that is given and that the program keeps as well is one, whichever way it is changed."""

import copy

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load

PROGRAM = """
ITEMS, TABLE, SEEN, ARRAYS = [], {}, set(), [np.zeros(2)]


class Graph:
    def __init__(self):
        self.next, self.seen = {0: [1, 2], 1: [2], 2: [0]}, []

    def visit(self, n, seen):
        seen.append(n)
        for other in self.next[n]:
            if other not in self.seen:
                self.visit(other, seen)
        return len(self.seen)


GRAPH = Graph()


def both_ways(items, x):
    items.append(x)
    ITEMS.append(2 * x)
    return items, items is ITEMS, len(ITEMS)


def seen_elsewhere(table, x):
    table[len(table)] = x
    return len(TABLE), table is TABLE


def changed_elsewhere(table, x):
    TABLE[len(TABLE)] = x
    return len(table), TABLE


def of_a_set(seen, x):
    seen.add(len(seen))
    SEEN.add(-1)
    return len(SEEN), x, seen is SEEN


def of_an_object(graph, x):
    return GRAPH.visit(0, graph), x


def of_arrays(arrays, x):
    arrays[0] += x
    arrays.append(x)
    return ARRAYS[0], len(ARRAYS), arrays is ARRAYS


def in_the_end(items, x):
    items.append(x)
    ITEMS.append(-x)
    return ITEMS[99]


def read(items, x):
    return x + len(items) + len(ITEMS)
"""
CALLS = {
    "both_ways": "ITEMS", "seen_elsewhere": "TABLE", "changed_elsewhere": "TABLE", "of_a_set": "SEEN",
    "of_an_object": "GRAPH.seen", "of_arrays": "ARRAYS", "in_the_end": "ITEMS", "read": "ITEMS",
}  # fmt: skip
OTHERS = {"TABLE": {}, "SEEN": {5}, "ARRAYS": [np.ones(2)]}


@pytest.mark.filterwarnings("ignore::UserWarning")  # calls that change what the program has are traced each
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", CALLS)
def test_what_is_given_and_kept_is_one(name, jit_compile):
    def outcomes(decorate):
        f = load(PROGRAM + f"\n\ndef kept():\n    return {CALLS[name]}\n", "kept", np=np)
        known = f.__globals__
        decorated = decorate(known[name])
        for x in (1, np.float64(2), np.float64(3), 1, np.float64(2)):
            for given in (f(), copy.deepcopy(OTHERS.get(CALLS[name], [])), f()):
                try:
                    yield repr((decorated(given, x), given, f()))
                except Exception as error:
                    yield repr((type(error), given, f()))

    graph = tf.function(jit_compile=jit_compile, numpy=True)
    assert [*outcomes(graph)] == [*outcomes(lambda f: f)]
