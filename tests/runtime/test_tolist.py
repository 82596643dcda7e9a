"""``tolist()`` gives a list that the program may change as any other that it has made."""

import heapq

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import load

CHANGED = [
    "l.append(k)", "l.pop()", "l.insert(i, k)", "l.remove(l[i])", "del l[0]", "l.extend([k, k + 1])", "l += [k]",
    "l.reverse()", "l.sort()", "l.clear()", "l[i] = k", "l[i], l[0] = l[0], l[i]", "heapq.heappush(l, k)",
    "m = l\n        m.append(k)", "l = l[::-1]",
]  # fmt: skip
MADE = ["a.tolist()", "list(a.tolist())", "a.tolist()[:]", "a.tolist() * 2", "a.tolist() + [7]", "sorted(a.tolist())",
        "[v for v in a.tolist()]", "(a * 2).tolist()"]  # fmt: skip
INPUTS = [np.array([3, 1, 4, 1, 5]), np.array([2, 7]), np.array([9])]


def check(text, *arguments, jit_compile=False, **names):
    f = load(text, np=np, heapq=heapq, **names)
    mine, theirs = ([np.copy(a) for a in arguments] for _ in range(2))
    found = runtime.function(f, numpy=True, jit_compile=jit_compile)(*mine)
    assert not (difference(found, f(*theirs)) or difference(mine, theirs, "the arguments"))


@pytest.mark.parametrize("changed", CHANGED)
@pytest.mark.parametrize("made", ["a.tolist()", "a.tolist()[:]"])
@pytest.mark.parametrize("given", INPUTS, ids=str)
@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_statement_that_the_graph_decides_changes_it(changed, made, given, jit_compile):
    text = f"def f(a):\n    l, k, i = {made}, int(a[-1]), int(a[0]) % len(a)\n    if a[0] > 2:\n        {changed}\n"
    check(text + "    return l, len(l)\n", given, jit_compile=jit_compile)


@pytest.mark.parametrize("made", MADE)
def test_what_is_made_of_it_may_grow(made):
    check(f"def f(a):\n    l = {made}\n    if a[0] > 2:\n        l.append(9)\n    return l\n", INPUTS[0])


@pytest.mark.parametrize("asked", ["l.index(k)", "l.count(k)", "k in l", "t.index(k)", "t.count(k)", "k in t",
                                   "l.index(k, 1)", "list.index(l, k)", "tuple.count(t, k)"])  # fmt: skip
@pytest.mark.parametrize("kind", [int, np.int64])
@pytest.mark.parametrize("k", [4, 7])
def test_a_number_of_pythons_is_looked_for_among_those_of_the_graph(asked, kind, k):
    text = f"def f(a, k):\n    l, t = a.tolist(), (a[1], a[0], 4, a[2])\n    try:\n        return {asked}\n"
    f = load(text + "    except ValueError:\n        return -1\n")
    assert not difference(runtime.function(f, numpy=True)(INPUTS[0], kind(k)), f(INPUTS[0], kind(k)))


def test_rows_of_it_grow():
    text = "def f(a):\n    rows = a.tolist()\n    for row in rows:\n        if row[0] > 2:\n            row.append(9)\n"
    check(text + "    if a[0, 0] > 2:\n        rows.pop()\n    return rows\n", np.array([[3, 1], [4, 1], [0, 2]]))


@pytest.mark.parametrize("items, taken", [("l", "x"), ("zip(l, l[1:])", "x, y"), ("enumerate(l)", "y, x"),
                                          ("reversed(l)", "x"), ("zip(l, reversed(l))", "x, y")])  # fmt: skip
def test_a_long_one_is_gone_through_by_the_graph(items, taken):
    text = f"def f(a):\n    l, s = a.tolist(), 0\n    for {taken} in {items}:\n        if x > 2:\n            s += x\n"
    f = runtime.function(load(text + "    return s\n"), numpy=True)
    counts = [len(f.get_concrete_function(np.arange(size)).graph.nodes) for size in (100, 200)]
    assert counts[1] - counts[0] <= 7 * 100  # to take them out of the array, and to put them into a list
    check(text + "    return s\n", np.arange(100) % 7)
