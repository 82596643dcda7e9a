"""Python's dictionaries, sets and sequences asked for what only the graph knows, and dictionaries that a function binds
anew: each program gives what it gives as plain Python."""

import collections
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import EXECUTORS, load, outcome

NAMES = {
    "Place": collections.namedtuple("Place", "x y"),
    "collections": collections,
    "FEW": {1: 10, 2: 20},
    "MANY": {k: k * k - 3 for k in range(-20, 60)},
    "FLOATS": {k / 4: k for k in range(20)},
    "TEXTS": {f"k{i}": i for i in range(12)},
    "PLACES": {(i, j): i * 10 + j for i in range(4) for j in range(5)},
    "MIXED": {1: 5, "a": 6, 2.5: 7, (1, 2): 8, None: 9, **{i: i for i in range(10, 20)}},
    "PAIRS": {k: (k, k + 0.5) for k in range(12)},
    "LARGE": {2**70: 1, **{i: i for i in range(12)}},
    "DEFAULTS": collections.defaultdict(int, {3: 4}),
    "COUNTS": collections.Counter([3, 3, 1]),
    "ORDERED": collections.OrderedDict([(3, 1), (0, 5)]),
    "EQUAL": {1 + 0j: 5, 2.5 + 1j: 6, Fraction(1, 2): 7, Decimal(3): 8, Fraction(1, 3): 9},
    "TRUE": {np.True_: 4, 7: 6},
    "NONE": {None: 3, 1: 4},
    "MORE": {**{i: i for i in range(20)}, 30 + 0j: 7, Decimal(60): 8},
    "SET": frozenset(range(0, 40, 3)),
    "LIST": [3, 0, 7, 3],
    "TUPLE": (2, 7, 2),
}
ASKED = [
    "FEW.get(n, 0)", "FEW.get(n)", "FEW[n] if n in FEW else -1", "MANY.get(n, -100)", "MANY[n]", "n in MANY",
    "MANY.get(2 * n)",    "[MANY.get(i * n, 7) for i in range(3)]", "sum(MANY.get(i - 25, 1) for i in range(n + 60))",
    "FLOATS.get(n / 4, -1)", "FLOATS.get(n + 0.1, -1)", "n in FLOATS", "FLOATS.get(n)",
    "PLACES.get((n, n + 1), -1)", "(n, 2) in PLACES",
    "PLACES[n, 2] if (n, 2) in PLACES else None", "PLACES.get((1, 2, n))",
    "MIXED.get(n, 0)", "n in MIXED", "MIXED.get(n + 0.5, 0)", "MIXED.get((1, n), 0)",
    "PAIRS.get(n, (0, 0.0))", "PAIRS[n]",
    "LARGE.get(n, -1)", "DEFAULTS.get(n, 7)", "COUNTS.get(n, 7) + COUNTS[n]", "ORDERED.get(n, 9)", "n in SET",
    "EQUAL.get(n, 0)", "EQUAL.get(n / 6, 0)", "n / 14 in EQUAL", "TRUE.get(n // 7, 0)",
    "MORE.get(n, -1)", "MORE.get(n * 10, -1)",
    "NONE.get(1 if n > 0 else None, 9)", "NONE[1 if n > 0 else None]", "(1 if n > 0 else None) in NONE",
    "(1 if n > 0 else None) in SET", "collections.Counter([n, n % 2]) <= collections.Counter([0, 1])",
    "LIST.index(n)", "LIST.count(n)", "TUPLE.index(n)", "TUPLE.count(n)", "LIST.index(3, 1)", "[3, 0].index(n)",
    "LIST.index(n, 2)", "TUPLE.index(n, 1, 3)", "LIST.index(n, -2)", "dict.get(FEW, n, 5)", "list.index(LIST, n)",
    "Place(n, 2) in PLACES", "PLACES.get(Place(n, 2), 5)",
    "FEW.get(1, n)", "FEW.get(n, n * 2)", "MANY.get(n, n / 2)", "TEXTS.get('k1', n)", "FEW.get(FEW.get(n, 1), 0)",
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("asked", ASKED)
def test_what_python_has_is_asked_for_what_the_graph_knows(asked, jit_compile):
    f = load(f"def f(n):\n    return {asked}\n", **NAMES)
    graph = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for n in (3, 0, 7, -20, 59, 60):
        expected, found = outcome(f, n), outcome(graph, np.int64(n))
        if expected[0] == "returns":
            assert found == expected, n
        else:
            assert found[0] == expected[0], n


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_one_line_is_asked_for_what_python_knows_and_for_what_the_graph_does(jit_compile):
    text = """
def f(n):
    total = 0
    for key in ((1, 2), (n, 2), (3, n), (n, n)):
        if key in PLACES:
            total += PLACES[key]
    return total
"""
    f = load(text, **NAMES)
    for n in (0, 2, 7):
        assert runtime.function(f, numpy=True, jit_compile=jit_compile)(np.int64(n)) == f(n)


BOUND = {
    "a table of a step, from that of the last": """
def f(n):
    dp = {0: 1}
    for i in range(n):
        nxt = {}
        for s, c in dp.items():
            nxt[s] = nxt.get(s, 0) + c
            nxt[s + i] = nxt.get(s + i, 0) + c
        dp = nxt
    return dp, list(dp)
""",
    "sums of a step, of known keys": """
def f(n):
    dp = {0: 1}
    for i in range(n):
        nxt = {}
        for s, c in dp.items():
            nxt[s + 1] = nxt.get(s + 1, 0) + c
            nxt[s * 2] = nxt.get(s * 2, 0) + 1
        dp = nxt
    return dp
""",
    "places of a step": """
def f(n):
    dp = {(0, 0): 1}
    for i in range(n):
        nxt = {}
        for (a, b), c in dp.items():
            nxt[a + 1, b] = nxt.get((a + 1, b), 0) + c
            nxt[a, b + 1] = nxt.get((a, b + 1), 0) + c
        dp = nxt
    return dp
""",
    "all of a step at once": """
def f(n):
    dp = {0: 1}
    for i in range(n):
        dp = {k + 1: v * 2 for k, v in dp.items()}
    return dp
""",
    "counts of a step": """
def f(n):
    dp = collections.Counter({0: 1})
    for i in range(n):
        nxt = collections.Counter()
        for s, c in dp.items():
            nxt[s + 1] += c
            nxt[s] += c
        dp = nxt
    return dp
""",
    "made anew at times": """
def f(n):
    d = {0: 1}
    for i in range(n):
        if i == 2: d = {}
        d[i] = i
    return d
""",
    "none at first": """
def f(n):
    d = None
    for i in range(n):
        if d is None: d = {}
        d[i % 2] = i
    return d
""",
    "a table of known keys": """
def f(n):
    t = {i: i * i for i in range(12)}
    return t.get(n, -1), n in t, t[n % 12]
""",
    "that of before stays as it was": """
def f(n):
    d0 = {0: 1}
    d = d0
    for i in range(n):
        new = {}
        new[i] = 5
        d = new
    d[77] = 1
    return d0, d
""",
    "another in a branch, by another name": """
def f(n):
    d = {0: 1}
    if n > 2:
        e = {n: 2}
        d = e
    d[9] = 3
    return d
""",
    "the one or the other, by another name": """
def f(n):
    d = {0: 1}
    e = {5: 5}
    if n > 2:
        d = e
    d[9] = 3
    return d, e
""",
    "changed once more": """
def f(n):
    d = {0: 1}
    hist = []
    for i in range(n):
        new = {}
        new[i] = len(d)
        d = new
        hist.append(len(new))
        new[100] = 1
    return d, hist
""",
    "a queue of a step": """
def f(n):
    q = collections.deque([1])
    for i in range(n):
        r = collections.deque()
        for x in q:
            r.append(x + i)
            if i % 2: r.append(x)
        q = r
    q.append(5)
    return list(q)
""",
    "sets": """
def f(n):
    s = set()
    t = s
    for i in range(n):
        t = {i}
        s.add(i * 2)
    t.add(100)
    return sorted(s), sorted(t)
""",
    "copies": """
def f(n):
    d = {0: 1}
    for i in range(n):
        new = dict(d)
        d[50 + i] = 1
        d = new
        d[i] = 3
    return d
""",
    "in an attribute": """
def f(n):
    class Box: pass
    b = Box()
    b.d = {0: 1}
    first = b.d
    for i in range(n):
        new = {i: 3}
        b.d = new
        new[i + 20] = 4
    first[7] = 7
    return b.d, first
""",
    "a dictionary, then one with a default": """
def f(n):
    cur = {n: 1}
    k = 0
    while k < n:
        new = collections.defaultdict(int)
        for s in cur:
            new[s % 3] += cur[s]
            new[s // 2] += 1
        cur = new
        k += 1
    return sum(cur.values()), cur
""",
    "sums of a step, by default": """
def f(n):
    dp = {0: 1}
    for i in range(n):
        nxt = collections.defaultdict(int)
        for s, c in dp.items():
            nxt[s] += c
            nxt[s + i] += c
        dp = nxt
    return dp[0], dict(dp)
""",
    "the one or the other, of lists": """
def f(n):
    d = {1: [1]}
    if n > 2:
        d = collections.defaultdict(list)
        d[n].append(3)
    return d
""",
    "the one or the other kind": """
def f(n):
    d = {0: 1} if n > 2 else collections.defaultdict(int)
    d[n] = 4
    return d.get(0, 7), d
""",
    "a default of the program's": """
def f(n):
    dp = {0: 1}
    for i in range(n):
        nxt = collections.defaultdict(lambda: 5)
        for s, c in dp.items():
            nxt[s + 1] += c
        dp = nxt
    return dp[100]
""",
    "an iterator that two branches go on with": """
def f(n):
    xs = [i for i in range(n)]
    it = iter(xs)
    a = next(it, -1)
    if n > 2:
        a += next(it, -1)
        a += next(it, -1)
    else:
        a = next(it, -5) + next(it, -7)
    return a
""",
    "the rest of an iterator in two branches": """
def f(n):
    xs = [i for i in range(n)]
    it = iter(xs)
    a = next(it, -1)
    if n > 2:
        a += sum(it)
    else:
        for v in it: a += v * 3
    return a
""",
    "two that change places": """
def f(n):
    a, b = {0: 1}, {}
    for i in range(n):
        b[i] = len(a)
        a, b = b, a
    return a, b
""",
    "the one or the other": """
def f(n):
    d = {0: 1} if n > 3 else {1: 2, n: 3}
    d[n] = d.get(n, 5) + 1
    e = d or {7: 7}
    e[n + 1] = 0
    return d, e, d is e
""",
    "another one in a branch": """
def f(n):
    d = {0: 1}
    if n > 3:
        d = {n: 2}
    return d[n] if n in d else -1
""",
    "one whose keys are known": """
def f(n):
    d, s, zeros = {i: 0 for i in range(3)}, {i for i in range(3)}, dict.fromkeys(range(4), 0)
    for i in range(n):
        d[i % 3] += i
        s.add(i % 5)
        zeros[i % 4] += 1
    return d, sorted(s), zeros
""",
    "lists by known keys": """
def f(n):
    d = {i: [] for i in range(3)}
    for i in range(n):
        d[i % 3].append(i)
    return sum(d[0]) - sum(d[1])
""",
    "keys alone, in their order": """
def f(n):
    xs = [i * i % 7 for i in range(n)]
    seen = dict.fromkeys(xs)
    seen[n] = None
    first = list(seen)
    seen.pop(n)
    return first, seen, len(seen), seen.get(0), [k for k in seen if k > 1], n in seen
""",
    "of a number of keys": """
def f(n):
    d = dict.fromkeys(range(n), 0)
    for i in range(n):
        d[i * i % n] += 1
    return d, sum(d.values())
""",
    "a default that has items": """
def f(n):
    d = collections.defaultdict(int, {0: 5})
    for i in range(n):
        d[i % 4] += i
    return d[n % 4], d
""",
    "a memo of a function": """
def f(n, memo=None):
    memo = memo or {}
    if n not in memo:
        memo[n] = n * n
    return memo[n], memo
""",
    "lists by key, in the order of keys": """
def f(n):
    groups = {}
    for i in range(n):
        groups.setdefault(i * 5 % 3, []).append(i)
    for k, v in sorted(groups.items()):
        v.append(k)
    k, v = sorted(groups.items())[0]
    v.append(100)
    return groups, {k: len(v) for k, v in groups.items()}, {k: sorted(v, reverse=True) for k, v in groups.items()}
""",
    "lists by key, in an order of their own": """
def f(n):
    groups, out = {}, []
    for i in range(n):
        groups.setdefault(i * 5 % 3, []).append(i)
    for k, v in sorted(groups.items(), key=lambda kv: (-len(kv[1]), kv[0])):
        out.append((k, len(v), v[0]))
    top = sorted(groups.items(), key=lambda kv: len(kv[1]), reverse=True)[:2]
    return out, [k for k, v in top], sum(len(v) for k, v in top), len(top)
""",
    "what is made of items": """
def f(n):
    d = {i: i * i for i in range(n)}
    return {v: k for k, v in d.items() if k % 2}, {k // 2: v for k, v in d.items()}
""",
    "the first key and item": """
def f(n):
    d = {}
    for i in range(n + 1):
        d[i * 3 % 5] = i
    it = iter(d.items())
    k, v = next(it)
    for key, value in it:
        k += key
        v += value
    return next(iter(d)), next(iter(d.values())), next(iter(d.items())), k, v
""",
}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("text", BOUND.values(), ids=BOUND)
def test_dictionaries_that_are_bound_anew(text, jit_compile):
    f = load(text, **NAMES)
    graph = runtime.function(load(text, **NAMES), numpy=True, jit_compile=jit_compile)
    for n in (6, 3, 1, 11):
        assert outcome(graph, np.int64(n)) == outcome(f, n), n


@pytest.mark.parametrize(
    "lines",
    [
        "for k, v in sorted(g.items()):\n        g[2 - k] = [1]\n    return g",
        "s = 0\n    for k, v in sorted(g.items()):\n        if 1 in g: del g[1]\n        s += sum(v)\n    return s",
        "it = sorted(g.items())\n    g[0] = [5]\n    return [sum(v) for k, v in it]",
        "return {k: v for k, v in g.items() if v}",
    ],
)
def test_lists_in_order_that_change_are_refused_with_the_users_line(lines):
    text = f"def f(n):\n    g = {{}}\n    for i in range(n): g.setdefault(i * 5 % 3, []).append(i)\n    {lines}\n"
    f = load(text)
    with pytest.raises(StagingError) as caught:
        runtime.function(f, numpy=True).get_concrete_function(np.int64(6))
    assert "hashed.py" not in str(caught.value)
    assert repr(runtime.function(f, numpy=True)(np.int64(6))) == repr(f(6))  # a graph for each number


def test_nothing_else_goes_where_there_is_nothing():
    f = load("def f(n):\n    d = dict.fromkeys([n])\n    d[n] = 5\n    return d\n")
    with pytest.raises(StagingError, match=r"give dict.fromkeys\(\) a value"):
        runtime.function(f)(runtime.constant(1))


@pytest.mark.parametrize(
    "lines",
    [
        "return list(g.items())",
        "it = list(g.items())\n    it[0][1].append(9)\n    return g, it, it[0][1] is g[0]",
        "it = list(g.items())\n    g[0], g[7] = [5], [1]\n    return it, g",
        "lists = list(g.values())\n    for v in lists: v.append(len(v))\n    return lists, g",
    ],
)
def test_a_list_of_items_has_the_very_lists(lines):
    text = f"def f(n):\n    g = {{}}\n    for i in range(n): g.setdefault(i * 5 % 3, []).append(i)\n    {lines}\n"
    f = load(text)
    assert repr(runtime.function(f, numpy=True)(np.int64(5))) == repr(f(np.int64(5)))
