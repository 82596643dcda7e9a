"""What the making of items changes is seen as far as a loop did ask for items, whichever turn the graph leaves."""

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import Table, load


class Counts:
    """An iterator that keeps in attributes how far it has got."""

    def __init__(self, end):
        self.n = 0
        self.end = end
        self.last = None
        self.log = []

    def __iter__(self):
        return self

    def __next__(self):
        if self.n >= self.end:
            raise StopIteration
        self.n += 1
        self.last = self.n
        self.log.append(self.n)
        return self.n


class ByIndex:
    def __init__(self):
        self.asked = 0

    def __getitem__(self, index):
        self.asked += 1
        return [1, 2, 3, 4][index]


class Generates:
    def __init__(self):
        self.n = 0

    def items(self):
        while self.n < 4:
            self.n += 1
            yield self.n
        self.n = -1


ITEMS = {
    "an iterator": ("c = Counts(4)", "c", "c.n, c.last, len(c.log), c.end", "c.last"),
    "an iterator in an attribute": ("c = Box(); c.it = Counts(4)", "c.it", "c.it.n", "c.it.n"),
    "zip": ("c = Counts(4)", "map(max, zip(c, [0, 0, 0, 0, 0, 0]))", "c.n, c.log", "len(c.log)"),
    "filter": ("c = Counts(6)", "filter(lambda i: i % 2, iter(c))", "c.n", "c.n"),
    "a generator expression": ("c = Counts(4)", "(i + 0 for i in c)", "c.n", "c.n"),
    "a callable and a sentinel": ("c = Counts(9)", "iter(c.__next__, 4)", "c.n", "c.n"),
    "items by index": ("c = ByIndex()", "c", "c.asked", "c.asked"),
    "a method that generates": ("c = Generates()", "c.items()", "c.n", "c.n"),
    "a variable of the function around": (
        "k = 0\n    def g():\n        nonlocal k\n        for i in range(1, 5):\n            k += i\n"
        "            yield i",
        "g()", "k", "k"),
    "a list that is appended to": (
        "log = []\n    def g():\n        for i in range(1, 5):\n            log.append(i)\n            yield i",
        "g()", "log", "len(log)"),
    "a dictionary": (
        "d = {'k': 0}\n    def g():\n        for i in range(1, 5):\n            d['k'] += i\n            yield i",
        "g()", "d", "d['k']"),
    "an array": (
        "a = np.zeros(5) + n\n    def g():\n        for i in range(1, 5):\n            a[i] = i\n            yield i",
        "g()", "a", "a.sum()"),
    "a function that is mapped": (
        "log = []\n    def g(i):\n        log.append(i)\n        return i", "map(g, [1, 2, 3, 4])", "log", "len(log)"),
}  # fmt: skip
LOOPS = {
    "break": "for v in {items}:\n        if v > n: break\n        s += v",
    "break at the end": "for v in {items}:\n        s += v\n        if v > n: break",
    "return": "def find():\n        for v in {items}:\n            if v > n: return v * 10\n        return -1\n"
              "    s = find()",
    "else": "for v in {items}:\n        if v > n: break\n        s += v\n    else:\n        s += 100",
    "continue": "for v in {items}:\n        if v == n: continue\n        if v > n + 1: break\n        s += v",
    "any": "s = any(v > n for v in {items})",
    "seen in the loop": "for v in {items}:\n        if v > n: break\n        s += v + {number}",
}  # fmt: skip


class Box:
    pass


NAMES = {"np": np, "Counts": Counts, "ByIndex": ByIndex, "Generates": Generates, "Box": Box, "Table": Table}


def plainly(value):
    if isinstance(value, dict):
        return {key: plainly(part) for key, part in value.items()}
    return [*map(plainly, value)] if isinstance(value, list | tuple) else np.asarray(value).tolist()


def program(items, loop):
    setup, what, seen, number = ITEMS[items]
    body = LOOPS[loop].format(items=what, number=number)
    return f"def f(n):\n    s = 0\n    {setup}\n    {body}\n    return s, {seen}\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("items", ITEMS)
def test_what_was_asked_for_is_what_was_changed(items, loop):
    f = load(program(items, loop), **NAMES)
    graph = runtime.function(f)
    for n in (0, 1, 2, 3, 9):
        assert plainly(graph(np.int64(n))) == plainly(f(np.int64(n)))


REFUSED = {
    "'c.n' is changed both in this loop and where its items are made": (
        "c = Box()\n    c.n = 0\n    def g():\n        for i in range(4):\n            c.n += 1\n            yield i\n"
        "    for v in g():\n        if v > n: break\n        c.n += 10\n    return c.n"),
    "StopIteration is raised only when the graph runs": (
        "c = Counts(4)\n    for v in c:\n        if v > n: break\n        c.n += 1\n    return c.n"),
    "'d' is a bytearray": (
        "d = bytearray()\n    def g():\n        for i in range(4):\n            d.append(i)\n            yield i\n"
        "    for v in g():\n        if v > n: break\n    return len(d)"),
    "a key of 'd' only in some cases": (
        "d = Table()\n    def g():\n        for i in range(4):\n            d[i] = i\n            yield i\n"
        "    for v in g():\n        if v > n: break\n    return d"),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_a_change_that_cannot_be_of_some_turns_is_refused_by_name(message):
    with pytest.raises(StagingError, match=message):
        runtime.function(load(f"def f(n):\n    {REFUSED[message]}\n", **NAMES))(np.int64(1))
