"""What a loop goes through may change in it: the graph finds the items that Python finds."""

import collections

import numpy as np
import pytest

import runtime
from autograph import StagingError, operators
from tests.programs import EXECUTORS, load, outcome

ARRAYS = {
    "the last": "for x in a:\n    s += x\n    a[-1] = 50",
    "the next": "for i, x in enumerate(a):\n    if i + 1 < len(a):\n        a[i + 1] += x",
    "itself": "for i, x in enumerate(a):\n    a[i] = x * 2\n    s += a[i]",
    "beside": "for x, y in zip(a, b):\n    s = s * 2 + x + y\n    b[-1] += 1",
    "from the end": "for x in reversed(a):\n    s = s * 2 + x\n    a[0] += 5",
    "a part": "for x in a[1:]:\n    s += x\n    a[-1] = 50",
    "backwards": "for x in a[::-1]:\n    s += x\n    a[0] = 50",
    "rows": "for row in m:\n    for x in row:\n        s += x\n        row[-1] = 7",
    "flat": "for x in m.flat:\n    s += x\n    m[-1, -1] = 50",
    "until it ends": "for x in a:\n    if s > 3:\n        break\n    s += x\n    a[-1] += 50\n    a[1] = 9",
    "by another name": "c = a\nfor x in c:\n    s += x\n    a[-1] = 50",
    "a new one of that name": "for x in a:\n    s += x\n    a = a * 2",
}
LISTS = {
    "longer": "q = [i for i in range(n)]\nfor u in q:\n    if u < 20:\n        q.append(u + 7)",
    "shorter": "q = [i for i in range(n)]\nfor u in q:\n    s += u\n    q.pop()",
    "removed": "q = [i for i in range(n)]\nfor u in q:\n    if u < 2:\n        q.remove(u)",
    "removed once": "q = [i for i in range(n)]\nfor u in q:\n    if u == 1:\n        q.remove(u)\n        break",
    "the next": "q = [0] * n\nfor i, u in enumerate(q):\n    if i + 1 < n:\n        q[i + 1] = u + 1",
    "tuples": "q = [(i, i * 0.5) for i in range(n)]\nfor a, b in q:\n    if a < 9:\n        q.append((a + 4, b + 1.0))",
    "copies": "q = [i for i in range(n)]\nfor u in q[:]:\n    q.append(u)\nfor u in list(q):\n    q.append(1)",
    "another": "q = [i for i in range(n)]\nfor u in q:\n    s += u\n    q = [s] + q[1:]",
    "nested": "q = [i for i in range(n)]\nfor u in q:\n    for v in q:\n        s += u * v\n        if len(q) < 8:\n"
    "            q.append(u + v)",
    "a row": "q = [[j for j in range(i)] for i in range(n + 1)]\nfor u in q[n]:\n    if u < 2:\n"
    "        q[n].append(u + 5)\n    s += u",
    "a row, shorter": "q = [[j for j in range(i)] for i in range(n + 1)]\nfor u in q[n]:\n    s += u\n    q[n].pop()",
    "rows": "q = [[0] * n for _ in range(4)]\nfor r in q:\n    for j, u in enumerate(r):\n        if j + 1 < n:\n"
    "            r[j + 1] = u + 1",
    "rows, fewer": "q = [[j for j in range(i % 4)] for i in range(n)]\nfor r in q:\n    if len(r) < 2:\n"
    "        q.pop()",
    "rows beside": "q = [[j for j in range(i)] for i in range(n + 1)]\nfor a, b in zip(q[n - 1], q[n]):\n"
    "    s += b * 3 + a\n    q[n - 1].append(b)\n    q[n].append(a)\n    if s > 50:\n        break",
}

REVERSED = {
    "removed": "q = [i for i in range(n)]\nfor u in reversed(q):\n    if u % 2 == 0:\n        q.remove(u)",
    "written": "q = [i for i in range(n)]\nfor u in reversed(q):\n    s = s * 2 + u\n    q[0] += 3",
    "longer": "q = [i for i in range(n)]\nfor u in reversed(q):\n    s += u\n    q.append(u)",
    "counted": "q = [i for i in range(n)]\nfor i, u in enumerate(reversed(q)):\n    s += i * u\n    q[0] += 1",
    "beside": "q = [i for i in range(n)]\nfor u, v in zip(q, reversed(q)):\n    s = s * 2 + u - v\n    q[0] += 1",
    "shorter": "q = [i for i in range(n)]\nfor u in reversed(q):\n    s += u\n    q.pop()\n    if q:\n        q.pop()",
    "cut": "q = [i for i in range(n)]\nfor u in reversed(q):\n    s += u\n    if u == 2:\n        del q[1:]",
    "rows": "q = [[j for j in range(i)] for i in range(n)]\nfor r in reversed(q):\n    r.append(len(q[0]))",
    "at once": "q = [i for i in range(n)]\ns = list(reversed(q))\nfor u in s:\n    q[0] += u",
    "sums": "q = [i for i in range(n)]\ns = sum(reversed(q)) + max(reversed(q)) + sorted(reversed(q))[0]",
    "known": "q = [n, 2, n + 1]\nfor u in reversed(q):\n    s = s * 3 + u\n    q[0] += s",
}
TABLE = "q = {}\nfor i in range(n):\n    q[i * 3 % 7] = i\n"
GROUPS = "q = {}\nfor i in range(n):\n    q.setdefault(i % 3, []).append(i)\n"
DEQUE = "from collections import deque\nq = deque()\nfor i in range(n):\n    q.append(i)\n"
TABLES = {
    "items": TABLE + "for k, v in q.items():\n    s = s * 2 + v\n    q[(k + 3) % 7 if (k + 3) % 7 in q else k] += 10",
    "values": TABLE + "for v in q.values():\n    s = s * 2 + v\n    q[0] += 10",
    "keys": TABLE + "for k in q:\n    s = s * 2 + k\n    q[k] = k",
    "more": TABLE + "for k in q:\n    if k == 3:\n        q[k + 100] = 1",
    "fewer": TABLE + "for k in q:\n    if k == 3:\n        del q[k]",
    "fewer at the end": TABLE + "for k in q:\n    if k == 3:\n        del q[k]\n        break",
    "others": TABLE + "for k in list(q):\n    del q[k]\n    q[k + 9] = k",
    "counted": TABLE + "for i, (k, v) in enumerate(q.items()):\n    s = s * 2 + v + i\n    q[0] += 1",
    "beside": TABLE + "for i, k in zip(range(9), q):\n    s = s * 2 + k + i\n    q[k] += 1",
    "known keys": "q = {1: 5, 2: 6, 3: 7}\nq[2] = n\n"
    "for k, v in q.items():\n    s = s * 2 + v\n    q[3] += n\nq[n] = 5",
    "lists": GROUPS
    + "for k, v in q.items():\n    for x in v:\n        s = s * 2 + x\n    v.append(k)\n    q[0].append(s)",
    "lists, told": GROUPS
    + "s = [(k, len(v), v[0]) for k, v in q.items() if len(v) > 1], sum(len(v) for v in q.values())",
    "lists, chosen": GROUPS + "s = max(q.items(), key=lambda item: len(item[1]))[0]",
    "lists, mapped": GROUPS + "s = list(map(len, q.values())), {k: v[-1] for k, v in q.items()}",
    "reversed": TABLE + "for k, v in reversed(q.items()):\n    s = s * 2 + v\n    q[0] += 5",
    "reversed, more": TABLE + "for k in reversed(q):\n    q[k + 100] = 1",
    "in lists": TABLE + "s = list(reversed(q)), list(enumerate(q)), list(zip(q, q.values())), dict(zip(q.values(), q))",
    "queue, reversed": DEQUE + "q.append(0)\nfor u in reversed(q):\n    q.append(u)",
    "queue": DEQUE + "for u in q:\n    s = s * 2 + u\n    q[-1] += 3",
    "queue, longer": DEQUE + "for u in q:\n    s = s * 2 + u\n    if s > 3:\n        q.append(s)",
    "queue, shorter": DEQUE + "for u in q:\n    s = s * 2 + u\n    if s > 3:\n        q.popleft()",
    "queue, until it ends": DEQUE + "for u in q:\n    s = s * 2 + u\n    if s > 3:\n        q.popleft()\n        break",
}


def program(lines, result, given):
    text = f"def f({given}):\n    s = 0\n" + "".join(f"    {line}\n" for line in [*lines.split("\n"), result])
    return load(text, Counter=collections.Counter, deque=collections.deque)


def told(value):
    if isinstance(value, dict):
        return {told(key): told(item) for key, item in value.items()}, [*map(told, value)]
    if isinstance(value, collections.deque):
        return [*map(told, value)]
    if isinstance(value, list | tuple):
        return type(value)(map(told, value))
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("lines", ARRAYS.values(), ids=ARRAYS)
def test_arrays(lines, jit_compile):
    f = program(lines, "return s, a, b, m", "a, b, m")

    def given():
        return np.array([3, 1, 0, 2, 7]), np.arange(5), np.arange(6).reshape(2, 3)

    mine, theirs = given(), given()
    found = outcome(runtime.function(f, numpy=True, jit_compile=jit_compile), *mine)
    assert told(found) == told(outcome(f, *theirs))
    assert told(mine) == told(theirs)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "lines", [*LISTS.values(), *REVERSED.values()], ids=[*LISTS, *(f"reversed-{k}" for k in REVERSED)]
)
def test_lists(lines, jit_compile):
    f = program(lines, "return s, q", "n")
    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for n in (5, 3):
        assert told(outcome(g, np.int64(n))) == told(outcome(f, n))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("lines", TABLES.values(), ids=TABLES)
def test_dictionaries_and_queues(lines, jit_compile):
    f = program(lines, "return s, q", "n")
    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for n in (5, 1, 9):
        assert told(outcome(g, np.int64(n))) == told(outcome(f, n))


LITERALS = {  # lists, dictionaries and queues that Python has, until a statement of the graph changes them
    "queue": ("q = [n]", "for u in q:\n    s += u\n    if u > 0: q.append(u - 1)"),
    "beside one of several kinds": (
        "q, w = [1], [0, 0, 2**53 + 1]",
        "for x in q:\n    w[0] += 0.5\n    if x < n: q.append(x + 1)\ns = w",
    ),
    "beside truth": (
        "q, w = [1], [True, 0, 0]",
        "for x in q:\n    w[1] += x\n    if x < n: q.append(x + 1)\ns = w, w[0] is True",
    ),
    "beside a known one": (
        "q, w = [1], [1, 2, 3]",
        "for x in q:\n    if x < n: q.append(x + 1)\na, b, c = w\ns = a + b",
    ),
    "places": ("q = [(0, 0)]", "for a, b in q:\n    s += a\n    if b < n: q.append((a + b, b + 1))"),
    "one of two": (
        "a, b = [1, 2], [7]\nq = a if n > 2 else b",
        "for x in q:\n    if len(q) < 4: q.append(x)\ns = a, b",
    ),
    "one of two, by its name": (
        "a, b = [1, 2], [7]\nq = a if n > 2 else b",
        "for x in q:\n    if len(a) < 6: a.append(9)\n    s += x\nq = a",
    ),
    "one of two, popped": (
        "a, b = [1, 2, 3], [7, 5]\nq = a if n > 2 else b",
        "for x in q:\n    s += x\n    if len(q) > 1: q.pop()",
    ),
    "exchanged": (
        "q, b = [1, 2], [7]\nif n > 1: q, b = b, q",
        "for x in q:\n    if len(b) < 5: b.append(x)\n    q[-1] += 1\ns = b",
    ),
    "a queue that is put back": ("q = deque([3, 4])", "for x in q:\n    if n > 20: q.append(1); q.pop()\n    s += x"),
    "unread": ("q = [1, 2]", "for x in q:\n    s += 1\n    if s < n: q.append(s)"),
    "popped unread": ("q = [1, 2, 3]", "for i, _ in enumerate(q):\n    s += i\n    if n == i: q.pop()"),
    "beside another": ("q = [1, 2, 3]", "for _, y in zip(q, [4, 5, 6]):\n    s += y\n    if n == s - 4: q.clear()"),
    "removed and left": ("q = [4, 3, 5, 1]", "for x in q:\n    if x == n: q.remove(x); break\n    s += x"),
    "inserted and left": ("q = [2, 4, 7]", "for i, x in enumerate(q):\n    if x > n: q.insert(i, n); break"),
    "iter, then longer": ("q = [3, 1]", "it = iter(q)\nif n > 3: q.append(7)\ns = len(list(it))"),
    "iter, in a loop": ("q = [3, 1]", "it = iter(q)\nif n > 3: q.append(7)\nfor _ in it: s += 1"),
    "enumerate": ("q = [1, 2, 3]", "r = enumerate(q)\nif n > 3: q.append(5)\nfor i, _ in r: s += i"),
    "map": ("q = [1, 2, 3]", "r = map(lambda x: 1, q)\nif n > 3: q.append(5)\nfor v in r: s += v"),
    "reversed": ("q = [1, 2, 3]", "r = reversed(q)\nif n > 3: q.append(5)\nelse: q.pop()\ns = list(r)"),
    "reversed, made": ("q = [i for i in range(n)]", "r = reversed(q)\nif n > 3: q.append(3)\ns = list(r)"),
    "at its end": (
        "q = [i for i in range(n - 1)]", "it = iter(q)\ns = next(it, -1)\nq.append(50)\nfor x in it: s = s * 10 + x",
    ),
    "at its end, asked": (
        "q = [i for i in range(n - 1)]", "it = iter(q)\ns = next(it, -1)\nq.append(50)\ns = s, next(it, -1)",
    ),
    "deleted and left": ("q = {1: 1, 5: 2, 9: 0}", "for k in q:\n    if k == n: del q[k]; break\n    s += k"),
    "deleted": ("q = {1: 1, 5: 2, 9: 0}", "for k in q:\n    if k == n: del q[k]\n    s += k"),
    "entered and left": ("q = {1: 1, 5: 2, 9: 0}", "for k, v in q.items():\n    if k == n: q[7] = v; break"),
    "entered": ("q = {1: 1, 5: 2, 9: 0}", "for k, v in q.items():\n    if k == n: q[k + 10] = v"),
    "the last one taken": ("q = {1: 1, 5: 2, 9: 0}", "for k in q:\n    if k == n: q.popitem(); break"),
    "counted": ("q = Counter([1, 1, 5])", "for k, v in q.items():\n    if k == n: q[k + 5] = 1; break"),
    "queue and left": ("q = deque([1, 5, 3])", "for x in q:\n    if x == n: q.append(9); break\nelse: q.append(100)"),
    "queue and on": ("q = deque([1, 5, 3])", "for x in q:\n    if x == n: q.append(9)"),
    "iter of a dictionary": ("q = {n: 1, n + 1: 2}", "it = iter(q)\ns = next(it)\nq[n + 5] = 1\ns = next(it)"),
}  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("made, lines", LITERALS.values(), ids=LITERALS)
def test_what_is_written_there(made, lines, jit_compile):
    f = program(f"{made}\n{lines}", "return s, list(q) if type(q) is deque else q", "n")
    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for n in (5, 1, 9, 2, 0):
        expected = outcome(f, n)
        assert expected[0] in ("returns", "RuntimeError")
        assert told(outcome(g, np.int64(n))) == told(expected), n


def test_an_array_that_is_a_variable_of_the_loop_is_refused():
    f = program("z = a * 1.0\nfor x in z:\n    s += x\n    z += 1", "return s", "a")
    with pytest.raises(StagingError, match="goes through an array that is changed in it"):
        runtime.function(f, numpy=True)(np.arange(4))


class Numbers:
    def by_number(self, number):
        raise AssertionError("nobody asked for it")

    ordered = one_by_one = by_number

    def __iter__(self):
        return iter([1, 2, 3])


def test_an_object_of_the_programs_may_have_any_methods():
    def f(n):
        def body(x):
            nonlocal n
            n = n + x

        operators.for_stmt(Numbers(), body, ("n",))  # as printed code has it
        return n, sorted(Numbers())

    assert runtime.function(f, numpy=True)(np.int64(4)) == (10, [1, 2, 3])
