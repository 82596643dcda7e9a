"""Tuples and lists with items of the graph compare as Python's, and `complex` makes numbers of such parts."""

import numpy as np
import pytest

import runtime
from tests.programs import load

COMPARISONS = [
    "(x[0], x[1]) == (1, 2)", "(x[0], x[1]) != (1, 2)", "goal == (x[0], x[1])", "goal != (1, 2)",
    "(x[0], x[1]) == (x[1], x[0])",
    "(x[0],) == (x[0], x[1])", "(x[0],) != (x[0], x[1])", "[x[0], 2] == [1, x[1]]", "(x[0], 2) == [x[0], 2]",
    "(x[0], (x[1], 'a')) == (1, (2, 'a'))", "(x[0], (x[1], 'a')) != (1, (2, 'b'))", "() == (x[0],)",
    "goal == (1, 2) == (x[0], x[1])", "not (x[0], 1) == (x[1], 1)", "(x[0], None) == (1, None)",
    "(x[0] / 0.0, 1) == (x[0] / 0.0, 1)",
]  # fmt: skip


@pytest.mark.parametrize("x", [[1, 2], [2, 2], [0, 0]])
@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize("jit", [False, None])
def test_compared_as_in_python(comparison, x, jit):
    program = load(f"def f(x):\n    goal = (x[0], x[1])\n    return {comparison}")
    x = np.array(x)
    with np.errstate(all="ignore"):
        wanted = program(x)
        found = runtime.function(program, numpy=True, jit_compile=jit)(x)
    assert found == wanted and type(found) is type(wanted)


def test_a_search_ends_at_its_goal():
    def walk(x, goal):
        r, c, steps = x[0], x[1], 0
        while (r, c) != (goal[0], goal[1]):
            if r < goal[0]:
                r += 1
            else:
                c += 1
            steps += 1
        return r, c, steps

    x, goal = np.array([0, 1]), np.array([3, 5])
    assert runtime.function(walk, numpy=True)(x, goal) == walk(x, goal)


def test_items_that_are_arrays_have_no_one_truth():
    f = runtime.function(lambda x: (x, 1) == (x + 1, 1), numpy=True)
    with pytest.raises(ValueError):
        f(np.arange(3.0))


def test_complex_numbers_of_staged_parts():
    def f(x):
        return complex(x[0], x[1]), complex(x[0]), complex(x[1], 2), complex(x[0] * 1j), complex(0.5, x[1])

    for x in (np.array([1.5, -0.0]), np.array([np.inf, np.nan]), np.array([3, 4])):
        with np.errstate(all="ignore"):
            found, wanted = runtime.function(f, numpy=True)(x), f(x)
        np.testing.assert_array_equal(found, wanted)
        assert all(type(a) is complex for a in found)
        np.testing.assert_array_equal(np.signbit(np.imag(found)), np.signbit(np.imag(wanted)))


def test_complex_of_complex_parts_says_what_to_write():
    f = runtime.function(lambda x: complex(x[0], 1j), numpy=True)
    with pytest.raises(TypeError, match=r"write a \+ b \* 1j"):
        f(np.ones(2))


LISTS = {
    "numbers": """
def f(x, y, n):
    t = []
    for i in range(n):
        t.append(x[i])
    u = []
    for i in range(len(y)):
        u.append(y[i])
    return t, u, [1, 2]
""",
    "tuples": """
def f(x, y, n):
    t = [(x[i], i * 0.5) for i in range(n)]
    u = [(y[i], 0.5) for i in range(len(y))]
    t.append((1, 2.0))
    return t, u, [(1, 0.0), (2, 0.5)]
""",
    "rows": """
def f(x, y, n):
    t = [[] for _ in range(3)]
    for i in range(n):
        t[x[i] % 3].append(x[i])
    u = [[], [1], [2]]
    return t[0], t[1], t[n % 3]
""",
}
PAIRS = [f"{a} {symbol} {b}" for symbol in ("==", "!=", "<", "<=", ">", ">=") for a, b in ("tu", "tk", "kt", "tt")]


@pytest.mark.parametrize("made", LISTS)
@pytest.mark.parametrize("jit", [False, None])
def test_lists_whose_lengths_the_graph_knows_compare_as_pythons(made, jit):
    program = load(LISTS[made].replace("return ", "t, u, k = ") + f"    return {', '.join(PAIRS)}\n")
    f = runtime.function(program, numpy=True, jit_compile=jit)
    for x, y, n in [([1, 2, 3], [1, 2, 3], 3), ([1, 2], [1, 3], 2), ([2, 1], [1, 3], 0), ([4, 2, 6, 8], [1], 4)]:
        given = np.array(x), np.array(y), np.int64(n)
        assert list(f(*given)) == list(program(*given))


def test_the_largest_of_rows_is_that_of_python():
    program = load("""
def f(x, n):
    t = [[] for _ in range(3)]
    for i in range(n):
        t[x[i] % 3].append(x[i])
    best = t[0][:]
    for row in t:
        if row > best:
            best = row[:]
    return best, max(t), min(t)
""")
    f = runtime.function(program, numpy=True)
    for x in ([4, 2, 6, 8], [3, 1, 7, 0], [0, 0, 0, 0]):
        assert f(np.array(x), np.int64(4)) == program(np.array(x), 4)


PROGRAMS = {
    "by their names": "cur, goal = (x[0], x[1]), (3, 1)\nreturn cur == goal, cur != goal, cur < goal, cur >= goal",
    "lists": "l, m = [x[0], x[1]], [3, 1]\nreturn l == m, l < m, max(l, m), [l, m].index(m), l in [m]",
    "in a branch": "cur, goal = (x[0], x[1]), (3, 0)\nif cur == goal: return 'there'\nreturn cur",
    "the largest": """
best = (0, 0)
for i, v in enumerate(x):
    t = (v, -i)
    if t > best: best = t
return best""",
    "a state": """
state, seen = (0, 0), []
while state != (2, 1):
    r, c = state
    seen.append(state)
    state = (r + (c == 1), (c + 1) % 2)
    if len(seen) > x[0]: break
return seen, state""",
}


@pytest.mark.parametrize("lines", PROGRAMS.values(), ids=PROGRAMS)
def test_tuples_and_lists_in_variables_compare_as_in_python(lines):
    f = load("def f(x):\n    " + "\n    ".join(lines.strip().splitlines()))
    graph = runtime.function(f, numpy=True)
    for x in (np.array([3, 1, 2]), np.array([3, 0, 9])):
        assert repr(graph(x)) == repr(f(x))
