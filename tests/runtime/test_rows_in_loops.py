"""Rows of tables and objects that a loop keeps from one iteration for the next, as the best so far: each program gives
what it gives as plain Python, or is refused where a change would not be seen by every name."""

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import EXECUTORS, load, outcome

MADE = "g = [[i * 7 % 5, n - i] for i in range(n)]"
RAGGED = "g = []\nfor i in range(n):\n    g.append([])\n    for j in range(i * 7 % 5): g[i].append(j)"
KEYED = "g = {}\nfor i in range(n): g.setdefault(i * i % 5, []).append(i)"
PROGRAMS = {
    "the best of pairs": (MADE, """
b = g[0]
for r in g:
    if r[0] * r[1] > b[0] * b[1]: b = r
return b, g"""),
    "the best but the first": (MADE, """
b = g[0]
for r in g[1:]:
    if r[0] * r[1] > b[0] * b[1]: b = r
return b[0], len(b)"""),
    "by index": (MADE, """
b = g[0]
for i in range(len(g)):
    r = g[i]
    if r[0] > b[0]: b = r
return b"""),
    "none at first": (MADE, """
b = None
for r in g:
    if b is None or r[0] * r[1] > b[0] * b[1]: b = r
return b"""),
    "changed in the end": (MADE, """
b = g[0]
for r in g:
    if r[0] * r[1] > b[0] * b[1]: b = r
b[1] = 100
return g, b"""),
    "none at first, changed in the end": (MADE, """
b = None
for r in g:
    if b is None or r[0] * r[1] > b[0] * b[1]: b = r
b[0] = 7
return g, b"""),
    "changed on the way": (MADE, """
b = g[0]
for r in g:
    if r[0] * r[1] > b[0] * b[1]: b = r
    b[1] += 1
return g, b"""),
    "the two best, made in the loop": ("", """
b = c = None
for i in range(n):
    r = [i, n - i]
    if b is None or r[0] * r[1] > b[0] * b[1]:
        c = b
        b = r
b[0] = 7
if c is not None: c[1] = 8
return b, c"""),
    "that of the last iteration": ("", """
prev, s = None, 0
for i in range(n):
    p = [i, i * i]
    if prev is not None and i % 2:
        prev[1] += 5
        s += prev[1]
    if i % 3:
        prev = p
        p[0] += 1
        s += prev[0]
return s"""),
    "the longest of rows": (RAGGED, """
b = g[0]
for r in g:
    if len(r) > len(b): b = r
b.append(99)
return g, b"""),
    "the longest of rows, none at first": (RAGGED, """
b = None
for r in g:
    if b is None or len(r) > len(b): b = r
return b"""),
    "the longest by key": (KEYED, """
b = []
for k, r in g.items():
    if len(r) > len(b): b = r
return b"""),
    "a row that may not be there": (KEYED, """
row = g.get(n)
return (0 if row is None else sum(row)), sum(g.get(n + 1, []))"""),
    "made where there is none": ("", """
g = {}
for i in range(n):
    row = g.get(i % 3)
    if row is None: g[i % 3] = [i]
    else: row.append(i)
return g"""),
    "the last, or a new one": ("", """
g = []
for i in range(n):
    last = g[-1] if g else None
    if last is None or len(last) >= 2: g.append([i])
    else: last.append(i)
return g"""),
    "an object": ("", """
best = None
for i in range(n):
    p = Point(i, n - i)
    if best is None or p.a * p.b > best.a * best.b: best = p
return best.a, best.b"""),
    "an object, one at first": ("", """
best = Point(0, 0)
for i in range(n):
    p = Point(i, n - i)
    if p.a * p.b > best.a * best.b: best = p
best.a = 50
return best.a, best.b"""),
}  # fmt: skip


class Point:
    def __init__(self, a, b):
        self.a, self.b = a, b


def program(first, rest):
    return "def f(n):\n" + "\n".join(f"    {line}" for line in (first + "\n" + rest).splitlines() if line)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("parts", PROGRAMS.values(), ids=PROGRAMS)
def test_what_a_loop_keeps_is_what_python_keeps(parts, jit_compile):
    f = load(program(*parts), Point=Point)
    graph = runtime.function(load(program(*parts), Point=Point), numpy=True, jit_compile=jit_compile)
    for n in (6, 3, 1, 11):
        assert outcome(graph, np.int64(n)) == outcome(f, n), n


@pytest.mark.parametrize(
    "lines",
    [
        "best, second = Point(0, 0), None\n    for i in range(n):\n        p = Point(i, n)\n        second = best\n"
        "        best = p\n    best.a = 5\n    return second.a",
        "r = g[-1]\n    for i in range(n):\n        g.append([i])\n        r.append(i)\n    return g",
    ],
)
def test_what_would_not_be_seen_by_every_name_is_refused(lines):
    f = load(f"def f(n):\n    g = [[i] for i in range(n)]\n    {lines}\n", Point=Point)
    found = outcome(runtime.function(f, numpy=True, jit_compile=False), np.int64(5))
    assert found[0] == "StagingError" or found == outcome(f, 5)


def test_a_row_that_may_have_moved_is_refused():
    lines = "r = g[0]\n    g.insert(n, [n])\n    r.append(1)\n    return g"
    f = load(f"def f(n):\n    g = [[i] for i in range(n)]\n    {lines}\n")
    with pytest.raises(StagingError, match="Look it up again|use a copy"):
        runtime.function(f)(runtime.constant(3))
