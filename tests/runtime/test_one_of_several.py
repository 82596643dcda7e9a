"""Objects, lists and dictionaries of which only the graph knows which one a variable holds: it is that one."""

import collections
import dataclasses

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load


class Box:
    def __init__(self, n):
        self.n = n


@dataclasses.dataclass
class Pair:
    a: float
    b: float = 2.0


class Doubling:
    """Whose properties, items and operators do more than assign."""

    def __init__(self):
        self.items, self._v = [], 1.0

    def __iadd__(self, x):
        self.items = [*self.items, x]
        return self

    def __setitem__(self, key, value):
        self._v = self._v * 2 + value

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value + 1


Named = collections.namedtuple("Named", "a b")

PROGRAMS = """
a, b = Box(1.0), Box(2.0)
c = a if n > 1 else b
for i in range(n): c.n += x
return a.n, b.n
---
a, b = Box(1.0), Box(2.0)
c = a if n > 1 else b
if x > 1:
    c.n = x
    c = b
c.n *= 2
return a.n, b.n
---
a, b = Box(1.0), Box(2.0)
cur, other = a, b
for i in range(n):
    cur.n += i
    cur, other = other, cur
return a.n, b.n, cur.n
---
bs = [Box(float(i)) for i in range(4)]
for i in range(n):
    bs[i % 4].n += x
return [b.n for b in bs]
---
bs = [Box(float(i)) for i in range(4)]
j = 0
while j < n:
    c = bs[j]
    c.n = c.n * 2 + 1
    j += 1
return [b.n for b in bs]
---
bs = [[1.0], [2.0], [3.0]]
for i in range(n):
    bs[i % 3][0] += x
return bs
---
ds = [{'v': 1.0}, {'v': 2.0}]
for i in range(n):
    ds[i % 2]['v'] += x
return ds[0]['v'], ds[1]['v']
---
ds = {'a': {'v': 1.0}, 'b': {'v': 2.0}}
k = 'a' if n > 1 else 'b'
ds[k]['v'] += x
return ds['a']['v'], ds['b']['v']
---
a, b = Box([1.0]), Box([2.0])
c = a if n > 1 else b
c.n[0] = x
return a.n, b.n
---
a, b = Box([1.0]), Box([2.0])
c = a if n > 1 else b
c.n = [x, 1.0] if n > 2 else [x, 2.0]
return a.n[0], b.n[0]
---
a, b = Box(Box(1.0)), Box(Box(2.0))
c = a if n > 1 else b
c.n.n = x
return a.n.n, b.n.n
---
a, b = Box(Box(1.0)), Box(Box(2.0))
c = a if n > 1 else b
c.n = Box(x)
return a.n.n, b.n.n
---
a, b = Box(1.0), Box(2.0)
c = a if n > 1 else b
d = b if n > 2 else a
c.n = d.n + x
d.n = c.n * 2
return a.n, b.n
---
a, b = Box(1.0), Box(2.0)
c = a if n > 1 else b
c.m = x
return hasattr(a, 'm'), hasattr(b, 'm')
---
a, b = Box(1.0), Box(2.0)
c = a if n > 1 else b
del c.n
return hasattr(a, 'n'), hasattr(b, 'n')
---
p, q = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
c = p if n > 1 else q
c[n % 3] = x
return p, q
---
p, q = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
c = p if n > 1 else q
c[1:] = [x, x]
return p, q
---
p, q = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
c = p if n > 1 else q
del c[0]
return len(p), len(q)
---
p, q = [3.0, 2.0, 1.0], [6.0, 5.0, 4.0]
c = p if n > 1 else q
c.sort()
return p, q
---
p, q = [3.0, 2.0, 1.0], [6.0, 5.0, 4.0]
c = p if n > 1 else q
c += [x]
return p, q
---
p, q = [3.0], [6.0]
c = p if n > 1 else q
d = c
d[0] = x
return p, q, c
---
p, q, r = [3.0], [6.0], [9.0]
c = p if n == 1 else q if n == 2 else r
c[0] = x
e = [c, p]
e[0][0] += 1
return p, q, r
---
p, q = [3.0], [6.0]
def g(o, v): o[0] = v; return o
c = g(p if n > 1 else q, x)
return p, q, c
---
p, q = [3.0], [6.0]
c = p if n > 1 else q
fs = lambda: c[0]
c[0] = x
p[0] += 1
return fs()
---
o = None
if n > 1: o = Box(1.0)
if o is not None: o.n = x
return 0.0 if o is None else o.n
---
head = Box(None)
head.v = 0.0
t = Box(head); t.v = 1.0
u = Box(t); u.v = 2.0
c = u
for i in range(2):
    if i < n and c.n is not None: c = c.n
c.v = x
return head.v, t.v, u.v
---
a, b = Box(1.0), Box(2.0)
try:
    c = a if n > 1 else b
    c.n = x
finally:
    c.n += 1
return a.n, b.n
---
a, b = Box(1.0), Box(2.0)
c = a if n > 1 else b
while c.n < 5:
    c.n += x
    if c.n > 4: break
return a.n, b.n
---
a, b = Box(1.0), Box(2.0)
while True:
    c = a if n % 2 else b
    c.n += x
    n -= 1
    if n < 0: return a.n, b.n
---
a, b = Doubling(), Doubling()
c = a if n > 1 else b
c.v = x
c[0] = 3.0
return a.v, b.v
---
a, b = Doubling(), Doubling()
c = a if n > 1 else b
c += x
return len(a.items), len(b.items), len(c.items)
---
p, q = Pair(1.0), Pair(2.0)
c = p if n > 1 else q
c.a, c.b = c.b, c.a
return p.a, p.b, q.a, q.b
---
p, q = Named(1.0, [2.0]), Named(3.0, [4.0])
c = p if n > 1 else q
c.b[0] = x
return p.b, q.b
---
a, b = Box(np.zeros(2)), Box(np.ones(2))
c = a if n > 1 else b
c.n = np.full(2, x)
return a.n, b.n
"""


@pytest.mark.parametrize("jit", [False, None])
@pytest.mark.parametrize("body", PROGRAMS.strip().split("\n---\n"))
def test_what_is_done_to_one_of_several_is_seen_by_all_who_know_it(body, jit):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    f = load(f"def f(n, x):\n{lines}", np=np, Box=Box, Pair=Pair, Doubling=Doubling, Named=Named)
    graph = tf.function(f, jit_compile=jit, numpy=True)
    for n in range(4):
        found, wanted = graph(np.int64(n), np.float64(3.5)), f(np.int64(n), np.float64(3.5))
        pairs = zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True)
        assert all(np.array_equal(a, b) for a, b in pairs), n


def kept_or_new(n, m):
    box = Box(n)
    pair = (box, 1)
    if n > m:
        if n > 5:
            late = n
        z = late
        box = Box(z)
    return box.n, pair[0].n


@pytest.mark.parametrize("jit", [False, None, True])
def test_an_attribute_that_may_be_unbound_is_asked_where_it_is_read(jit):
    graph = tf.function(kept_or_new, numpy=True, jit_compile=jit)
    assert [graph(*map(np.int64, pair)) for pair in [(1, 2), (7, 2)]] == [(1, 1), (7, 7)]


RETURNED = {
    "an object in an object": "a, b = Box(1), Box(2)\n    o = Box(a)\n    if n > 2: o.n = b\n    return o.n.n, o",
    "a list or nothing": "o = Box(None)\n    if n > 2: o.n = [1]\n    return o.n, o",
    "a dictionary, or another": (
        "d = {0: 1}\n    o = Box(d)\n    for i in range(n):\n        if i == 1: o.n = {}\n        o.n[i] = i\n"
        "    return o.n, o"
    ),
}


@pytest.mark.parametrize("body", RETURNED.values(), ids=RETURNED)
def test_an_object_that_is_returned_holds_what_it_holds(body):
    f = load(f"def f(n):\n    {body}\n", Box=Box)
    for n in (0, 1, 3, 5):
        found, made = tf.function(f, numpy=True)(np.int64(n))
        expected, plain = f(n)
        assert found == expected
        held, there = (getattr(one.n, "n", one.n) for one in (made, plain))
        assert held == there and type(held) is type(there)


@pytest.mark.parametrize("function", ["max", "min"])
def test_a_default_of_none_is_none(function):
    f = load(
        f"def f(n):\n    v = {function}([i for i in range(n) if i > 1], default=None)\n"
        "    return (-1 if v is None else v + 1), v is None\n"
    )
    g = load(f"def f(n):\n    return {function}([i for i in range(n)], default=None) + 1\n")
    for n in (0, 2, 5):
        assert tuple(np.asarray(x).item() for x in tf.function(f)(np.int64(n))) == f(n)
    assert int(tf.function(g)(np.int64(3))) == g(3)
    with pytest.raises(TypeError, match="None"):
        tf.function(g)(np.int64(0))


def lightest(edges):
    """Kruskal's algorithm: each edge is one of the rows that were sorted."""
    parent, total = [*range(5)], 0

    def find(x):
        while parent[x] != x:
            x = parent[x]
        return x

    for u, v, weight in sorted(edges.tolist(), key=lambda edge: edge[2]):
        a, b = find(u), find(v)
        if a != b:
            parent[a] = b
            total += weight
    return total, parent


def spread(pairs, k):
    shortest = min(pairs.tolist(), key=lambda pair: abs(pair[0] - k))
    first, *rest = shortest
    return first, rest, len(shortest), [*shortest], sum(shortest)


@pytest.mark.parametrize("jit_compile", [None, False])
def test_one_of_several_lists_of_one_length_is_unpacked(jit_compile):
    edges = np.array([[0, 1, 7], [1, 2, 5], [0, 2, 9], [2, 3, 1], [3, 4, 2]])
    for f, *others in ((lightest,), (spread, np.int64(2)), (spread, np.int64(0))):
        graph = tf.function(f, numpy=True, jit_compile=jit_compile)
        for given in (edges, edges[::-1].copy()):
            found, wanted = graph(given, *others), f(given, *others)
            assert repr(found) == repr(wanted)


# Classes of objects one of which has an attribute `k` of its own, and what is done with it.
LACKING = {
    "nothing": "pass",
    "__getattr__": "def __getattr__(self, name):\n        if name != 'k': raise AttributeError(name)\n        return 7",
    "the class": "k = 5",
    "a slot": "__slots__ = ('k',)",
}
ASKED = {
    "read": "return c.k",
    "getattr": "return getattr(c, 'k', 4)",
    "hasattr": "return hasattr(c, 'k')",
    "in a clause": "try: return c.k\n    except AttributeError: return 3",
    "written": "c.k += 1\n    return a.k, c.k",
    "found in a list": "return [a, b][int(n > 0)].k",
    "one of three": "return [a, b, A()][n].k",
}


def observed(function, n):
    try:
        return repr(function(np.array([1.0]), np.int64(n)))
    except AttributeError:
        return AttributeError


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("lacking", LACKING)
def test_an_attribute_that_one_of_several_objects_may_lack(lacking, asked, jit_compile):
    for other in ("pass", "b.k = 2"):
        text = (
            f"class A:\n    {LACKING[lacking]}\ndef f(x, n):\n    a, b = A(), A()\n    a.k = 1\n    {other}\n"
            f"    c = a if x[0] > n else b\n    {ASKED[asked]}\n"
        )
        f = load(text, __name__="program")
        graph = tf.function(f, numpy=True, jit_compile=jit_compile)
        for n in (0, 1):
            assert observed(graph, n) == observed(f, n), (other, n)
