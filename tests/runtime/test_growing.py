"""Lists that only the graph knows, in the hands of functions of C's, which read and write a list's own memory."""

import array
import bisect
import collections
import csv
import heapq
import io
import itertools
import json
import math
import operator
import os
import random
import struct

import numpy as np
import pytest

import autograph
import runtime
from runtime.functions import tracing
from runtime.graph.dtypes import float32
from runtime.graph.graph import ListType
from runtime.serialization import types
from runtime.tensors.trace import Way, ways
from tests.programs import EXECUTORS, lacks_native_form, load

READ = {
    "array": lambda h: array.array("d", h),
    "join": lambda h: ",".join(h),
    "bytes": lambda h: bytes(h),
    "fsum": lambda h: math.fsum(h),
    "json": lambda h: json.dumps(h),
    "struct": lambda h: struct.pack("2d", *h),
    "csv": lambda h: csv.writer(io.StringIO()).writerow(h),
    "path": lambda h: os.path.join("a", *h),
    "iterate": lambda h: sum(list.__iter__(h)),
    "item": lambda h: list.__getitem__(h, 0) + 1,
    "copy": lambda h: math.fsum(list.copy(h)),
    "search": lambda h: list.index(h, 0.7),
    "product": lambda h: list(itertools.product(h, h)),
    "count": lambda h: operator.countOf(h, 0.7),
    "sample": lambda h: random.sample(h, 1),
}
WRITTEN = {
    "append": lambda h: list.append(h, 1.0),
    "insert": lambda h: list.insert(h, 0, 1.0),
    "pop": lambda h: list.pop(h),
    "reverse": lambda h: list.reverse(h),
    "sort": lambda h: list.sort(h),
    "clear": lambda h: list.clear(h),
    "delete": lambda h: list.__delitem__(h, 0),
    "set": lambda h: list.__setitem__(h, 0, 1.0),
    "extend": lambda h: list.extend(h, [1.0]),
    "push": lambda h: heapq.heappush(h, 0.1),
    "heapify": lambda h: heapq.heapify(h),
    "sorted": lambda h: bisect.insort(h, 0.1),
    "shuffle": lambda h: random.shuffle(h),
}


@pytest.mark.parametrize("name", [*READ, *WRITTEN])
def test_what_is_not_converted_gets_an_error_and_never_another_list(name):
    function = autograph.do_not_convert({**READ, **WRITTEN}[name])

    def grown(xs):
        made = []
        for x in xs:
            if x > 0.3:
                made.append(x)
        function(made)
        return made

    with pytest.raises(Exception) as raised:
        runtime.function(grown)(np.array([0.1, 0.9, 0.5, 0.7]))
    told = isinstance(raised.value, (runtime.errors.OperatorNotAllowedInGraphError, autograph.StagingError))
    assert told or name in ("csv", "iterate", "item"), raised.value  # which speak for themselves


def test_the_error_has_the_call():
    def grown(xs):
        made = []
        for x in xs:
            if x > 0.3:
                made.append(x)
        return list.__lt__(made, [0.5])

    told = r"a function of C's: its elements and.*`list.__lt__\(made, \[0.5\]\)` \("
    with pytest.raises(runtime.errors.OperatorNotAllowedInGraphError, match=told):
        runtime.function(grown)(np.array([0.1, 0.9]))


@pytest.mark.parametrize("items", ["(x for x in l)", "iter(l)", "zip(l)", "enumerate(l)", "reversed(l)", "map(abs, l)"])
@pytest.mark.parametrize("given", ["list(g)", "{'k': [*g]}", "next(g)", "(1, [v for v in g])"])
def test_an_iterator_from_before_gives_nothing_that_stands_for_an_element(items, given):
    f = load(f"def f(n):\n    l = [1, 2]\n    g = {items}\n    if n > 0: l.append(3)\n    return {given}\n")
    for n in (1, 0):
        try:
            found = runtime.function(f, numpy=True)(np.int64(n))
        except runtime.errors.OperatorNotAllowedInGraphError as error:
            assert "known only when the graph runs" in str(error)
        else:
            assert found == f(n)


@pytest.mark.numpy_may_take_over
@pytest.mark.parametrize("jit_compile", [False, None, True])
@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize("first", [(4,), (1, 4), (), (2, 2, 2)])
@pytest.mark.parametrize("other", [(1, 4), (4,), (3, 4), ()])
def test_elements_may_have_other_numbers_of_dimensions(first, other, count, jit_compile):
    def f(a, b, n):
        made = [a]
        for _ in range(n):
            made.append(b)
        return made, made[n - 1]

    given = np.ones(first), np.zeros(other), np.int64(count)
    wanted = f(*given)
    try:
        found = runtime.function(f, numpy=True, jit_compile=jit_compile)(*given)
    except Exception as error:
        if jit_compile and lacks_native_form(error):
            return
        raise
    assert [np.shape(e) for e in found[0]] == [np.shape(e) for e in wanted[0]]
    assert np.array_equal(found[1], wanted[1])


def test_a_type_tells_elements_of_which_nothing_is_known_from_those_of_any_shape():
    unknown = ListType(float32, None)
    assert unknown.holding((4,)) == ListType(float32, (4,)) == unknown.joined(ListType(float32, (4,)))
    mixed = ListType(float32, (4,)).holding((1, 4))
    assert mixed == ListType(float32, None, mixed=True) == mixed.holding((4,)) == mixed.joined(unknown)
    assert unknown.joined(mixed) == mixed != unknown
    assert ListType(float32, (4,)).joined(ListType(float32, (5,))) == ListType(float32, (None,))
    assert ListType(float32, (4,)).joined(unknown) == ListType(float32, (4,))
    assert types.read(types.written(mixed)) == mixed
    assert types.read(types.written(unknown)) == unknown


BEHIND_ONE_ANOTHER = [
    ("np.arange(i) * 1.5", "np.concatenate(parts), np.hstack(parts), np.concatenate(parts, axis=-1)"),
    ("a[:i]", "np.concatenate(parts, dtype=np.float32, casting='same_kind'), len(parts)"),
    ("a[a > a[i]]", "np.concatenate(parts).sum(), np.hstack(parts)"),
    ("np.ones((i, 2)) * i", "np.vstack(parts), np.concatenate(parts), np.concatenate(parts, axis=None)"),
    ("a * i", "np.concatenate(parts), np.vstack(parts), np.hstack(parts), np.stack(parts)"),
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("part, joined", BEHIND_ONE_ANOTHER)
def test_arrays_of_any_length_are_joined(part, joined, jit_compile):
    program = load(
        "def f(a):\n"
        "    parts = []\n"
        "    for i in range(len(a)):\n"
        "        if a[i] > 0:\n"
        f"            parts.append({part})\n"
        f"    return {joined}\n",
        np=np,
    )
    a = np.array([1.0, -1, 2, 5])
    assert repr(runtime.function(program, numpy=True, jit_compile=jit_compile)(a)) == repr(program(a))


@pytest.mark.parametrize("made", ["list(given)", "list()", "given[:]", "[*given]", "list((1.0, 2.0))", "list(a)"])
def test_a_list_made_here_of_another_grows(made):
    program = load(
        "def f(given, a):\n"
        f"    local = {made}\n"
        "    for v in a:\n"
        "        if v > 1:\n"
        "            local.append(v)\n"
        "    return local, given\n"
    )
    given = [1.0, 2.0], np.array([3.0, 1, 2, 5])
    assert runtime.function(program, numpy=True)(*given) == program(*given)
    assert given[0] == [1.0, 2.0]


def taken_from_a_queue(edges):
    degrees, ready, order = {}, collections.deque(), []
    for u, v in edges:
        degrees[v] = degrees.get(v, 0) + 1
    for u in range(4):
        if u not in degrees:
            ready.append(u)
    while ready:
        order.append(ready.popleft())
    return order


def test_a_queue_of_the_functions_is_not_looked_for_among_what_the_program_keeps(monkeypatch):
    taken, once = [], tracing.trace_once

    def noted(*arguments):
        taken.append(ways.taken)
        return once(*arguments)

    monkeypatch.setattr(tracing, "trace_once", noted)
    edges = np.array([[0, 2], [3, 2], [2, 1]])  # 0 and 3 come first
    assert runtime.function(taken_from_a_queue, numpy=True)(edges) == taken_from_a_queue(edges) == [0, 3]
    assert not any(Way.HISTORIES in some or Way.ROWS in some for some in taken)


def test_what_it_costs_to_clear_a_list_does_not_grow_with_how_often_it_was_cleared():
    @runtime.function
    def f(x):
        found = []
        for _ in range(50):
            found.append(1)
            found.clear()
        kept.append(found)
        return x

    kept: list = []
    f(1)
    assert not kept[0].moves
