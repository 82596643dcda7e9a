"""Iterators of ordinary items, however they hide how far they have got: a graph takes their items where Python does, or
refuses to, as it would take them once, while it is traced."""

import array
import collections
import csv
import itertools
import re

import numpy as np
import pytest

import runtime
from autograph import StagingError
from runtime.errors import OperatorNotAllowedInGraphError
from tests.programs import load

L = [1, 2, 3, 4]


class Indexed:
    def __getitem__(self, i):
        if i > 3:
            raise IndexError(i)
        return i + 1

    def __len__(self):
        return 4


class Counts:
    def __init__(self):
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.i += 1
        if self.i > 4:
            raise StopIteration
        return self.i


class Slotted(Counts):
    __slots__ = ("i",)


def generated():
    yield from L


def counter():
    counted = [0]

    def f():
        counted[0] += 1
        return counted[0]

    return f


ITERATORS = {
    "list": lambda: iter(L), "tuple": lambda: iter((1, 2, 3)), "str": lambda: map(int, "123"),
    "set": lambda: iter({1, 2, 3}),
    "bytes": lambda: iter(b"\1\2\3"), "bytearray": lambda: iter(bytearray(b"\1\2\3")),
    "range": lambda: iter(range(1, 5)),
    "long range": lambda: map(lambda k: k - 2**70, iter(range(2**70 + 1, 2**70 + 5))),
    "dict": lambda: iter({1: 0, 2: 0, 3: 0}),
    "values": lambda: iter({0: 1, 1: 2, 2: 3}.values()), "dict backwards": lambda: reversed({1: 0, 2: 0, 3: 0}),
    "ordered": lambda: iter(collections.OrderedDict({1: 0, 2: 0, 3: 0})), "deque": lambda: iter(collections.deque(L)),
    "deque backwards": lambda: reversed(collections.deque(L)), "array": lambda: iter(array.array("i", L)),
    "memory": lambda: iter(memoryview(b"\1\2\3")), "ndarray": lambda: iter(np.array(L)),
    "indexed": lambda: iter(Indexed()),
    "indexed backwards": lambda: reversed(Indexed()), "list backwards": lambda: reversed(L), "object": Counts,
    "tuple backwards": lambda: reversed((1, 2, 3)), "range backwards": lambda: reversed(range(4)), "slots": Slotted,
    "generator": generated, "generator expression": lambda: (k for k in L),
    "enumerate": lambda: map(sum, enumerate(L)),
    "zip": lambda: map(sum, zip(L, L)), "map": lambda: map(abs, L), "filter": lambda: filter(None, L),
    "callable": lambda: iter(counter(), 5), "pops": lambda: iter([3, 2, 1].pop, 0),
    "count": lambda: itertools.count(1),
    "cycle": lambda: itertools.cycle([1, 2]), "accumulate": lambda: itertools.accumulate(L),
    "chain": lambda: itertools.chain(L, L), "chain of iterators": lambda: itertools.chain(iter(L), map(abs, iter(L))),
    "from_iterable": lambda: itertools.chain.from_iterable([L, L]),
    "compress": lambda: itertools.compress(L, [1, 0, 1, 1]),
    "dropwhile": lambda: itertools.dropwhile(lambda v: v < 2, L),
    "takewhile": lambda: itertools.takewhile(lambda v: v < 4, L),
    "filterfalse": lambda: itertools.filterfalse(lambda v: v == 2, L), "islice": lambda: itertools.islice(L, 3),
    "starmap": lambda: itertools.starmap(pow, [(1, 2), (2, 2), (3, 2)]), "tee": lambda: itertools.tee(L)[0],
    "zip_longest": lambda: map(sum, itertools.zip_longest(L, L)), "pairwise": lambda: map(sum, itertools.pairwise(L)),
    "product": lambda: map(sum, itertools.product(L, [1])),
    "permutations": lambda: map(sum, itertools.permutations(L, 2)),
    "combinations": lambda: map(sum, itertools.combinations(L, 2)),
    "with replacement": lambda: map(sum, itertools.combinations_with_replacement(L, 2)),
    "groups": lambda: map(lambda p: p[0], itertools.groupby(L)), "keys": lambda: (k for k, g in itertools.groupby(L)),
    "matches": lambda: map(lambda m: int(m.group()), re.finditer(r"\d", "1234")),
    "rows of text": lambda: map(lambda r: int(r[0]), csv.reader(["1", "2", "3", "4"])),
    "nditer": lambda: map(int, np.nditer(np.array(L))),
    "ndenumerate": lambda: map(lambda p: p[1], np.ndenumerate(np.array(L))),
    "flat": lambda: np.array(L).flat, "ndindex": lambda: map(sum, np.ndindex(4)),
    "maps of maps": lambda: map(abs, map(abs, map(abs, iter(np.array(L))))),
}  # fmt: skip
USES = {
    "next in a loop": "for i in range(n):\n        out += next(it, 0)",
    "all in a loop": "for i in range(n):\n        out += len(list(itertools.islice(it, 2)))",
    "a loop in a loop": "for i in range(n):\n        for v in it:\n            out += v\n            if v > 1: break",
    "in a branch": "if n > 1:\n        out += next(it, 0)\n    out = out * 10 + next(it, 0)",
    "in vain": "if n > 1:\n        next(it, 0)\n    out = out * 10 + next(it, 0)",
    "in a list": "q = [it]\n    i = 0\n    while i < n:\n        i += 1\n        out += next(q[0], 0)",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", ITERATORS)
def test_items_are_taken_where_python_takes_them_or_not_at_all(name, use):
    text = f"def f(n):\n    it = make()\n    out = 0\n    {USES[use]}\n    return out\n"
    f = load(text, make=ITERATORS[name], itertools=itertools)
    graph = runtime.function(f, jit_compile=False)
    for n in (0, 1, 3):
        try:
            got = int(graph(np.int64(n)))
        except (StagingError, OperatorNotAllowedInGraphError):
            continue
        assert got == f(n), f"n = {n}"
