"""Python's truth values in arithmetic are whole numbers of Python's, NumPy's are what NumPy makes of them."""

import itertools
from collections import deque

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import EXECUTORS, load

TRUTHS = ["n > 2", "n == 3", "x[0] > 1"]
OTHERS = ["n", "True", "False", "7", "n * 0.5", "x", "x[0]", "x > 1"]
OPERATORS = "+ - * / // % ** & | ^ == != < <= > >= << >>".split()


def outcome(f, n):
    x = np.array([2.0, 1.0, 0.0])
    try:
        result = f(np.int64(n), x)
    except StagingError:
        return None
    except Exception as error:
        return type(error)
    return type(result), getattr(result, "dtype", None), repr(np.asarray(result).tolist())  # where NaN is itself


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("operator", OPERATORS)
def test_operators(operator, jit_compile):
    pairs = [*itertools.product(TRUTHS, TRUTHS + OTHERS), *itertools.product(OTHERS, TRUTHS)]
    for a, b in pairs:
        text = f"def f(n, x):\n    n = int(n)\n    return ({a}) {operator} ({b})\n"
        graph = runtime.function(load(text, np=np), numpy=True, jit_compile=jit_compile)
        for n in (1, 3):
            found = outcome(graph, n)
            assert found is None or found == outcome(load(text, np=np), n), f"({a}) {operator} ({b}), n = {n}"


KINDS = ["v", "int(v)", "float(v)", "v > 3", "bool(v > 3)"]
BESIDE = ["True", "False", "3", "3.0", "None", "x[0]", "int(x[0])", "x[0] > 3", "u", "'a'"]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_none_or_a_number_is_equal_in_the_truth_of_what_it_is(kind, jit_compile):
    pairs = [pair for other in BESIDE for pair in (("t", other), (other, "t"))]
    asked = ", ".join(f"{a} {operator} {b}" for a, b in pairs for operator in ("==", "!="))
    text = (
        "def f(x):\n    t = u = None\n    for v in x:\n"
        f"        if v > 2:\n            t = {kind}\n        if v > 4:\n            u = v\n"
        f"    return {asked}, t in (3, 4)\n"
    )
    program = load(text, np=np)
    graph = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for x in ([1, 2], [3, 1], [4, 3], [3, 5]):
        assert repr(graph(np.array(x))) == repr(program(np.array(x)))


def test_truths_are_counted_in_whole_numbers_of_pythons():
    def f(n):
        wins = 0
        for i in range(n):
            wins += i % 3 == 1
        return wins, wins + True

    assert list(map(type, runtime.function(f, numpy=True)(np.int64(30)))) == [int, int]
    assert runtime.function(f, numpy=True)(np.int64(30)) == f(30)


CONTAINERS = """
    items, table, queue, seen = [1, 2], {1: 2}, deque([1, 2]), {1, 2}
    pairs, rows, some = [(1, 2)], [[1], [2, 3]], [1.5, None]
    objects = [Kept(1)]
    if x[0] > n:
        items.append(3)
        table[int(x[1])] = 5
        queue.append(4)
        seen.add(9)
        pairs.append((3, 4))
        rows.append([4])
        some.append(7)
        objects.append(Kept(2))
    part = x[x > 1]
"""
COMPARED = [
    "items {} [1, 2]", "items {} items[:]", "table {} {{1: 2}}", "table {} table", "queue {} deque([1, 2])",
    "seen {} {{1, 2}}", "pairs {} [(1, 2)]", "pairs[-1] {} (3, 4)", "rows {} [[1], [2, 3]]", "rows[-1] {} [4]",
    "some {} [1.5, None]", "some[-1] {} None", "objects[0] {} objects[-1]", "part.shape {} (1,)",
    "part.shape {} x.shape", "part[:, None].shape {} (1, 1)", "len(part) {} 1", "str(n) {} '3'",
    "sorted(items) {} items",
]  # fmt: skip
ORDERED = [
    "items {} [1, 2]",
    "queue {} deque([1, 3])",
    "seen {} {{1, 2}}",
    "pairs {} [(1, 2), (0, 0)]",
    "pairs[-1] {} (2, 9)",
]


class Kept:
    def __init__(self, number):
        self.number = number


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
def test_what_comparisons_of_containers_give_is_pythons(operator, jit_compile):
    texts = [text.format(operator) for text in (COMPARED if operator in ("==", "!=") else ORDERED)]
    lines = f"def f(n, x):{CONTAINERS}    return {', '.join(texts)}\n"
    f = load(lines, np=np, deque=deque, Kept=Kept)
    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for n in (1, 3):
        x = np.array([2.0, 1.0, 0.0])
        for text, found, wanted in zip(texts, g(np.int64(n), x), f(np.int64(n), x), strict=True):
            assert (type(found), found) == (type(wanted), wanted), text


BEFORE = ("None", "False", "True", "0", "1.0", "x[1] > 1", "not x[1] > 1")
SET = ("float(x[0]) > 1", "x[0] > 1", "not x[0] > 1", "1", "None", "True", "False")
IDENTITIES = (
    "t is True, t is False, t is not True, True is t, t is None, t is not False and t is not None, t is u, u is t, "
    "v is t, t in (True, None), w is True, w is not False, w is u, v is w"
)


@pytest.mark.parametrize("before", BEFORE)
def test_what_the_graph_knows_to_be_a_truth_value_is_that_or_another(before):
    """NumPy's truth values are not Python's, of which there are two."""
    for value in SET:
        text = (
            f"def f(x):\n    t = {before}\n    u = not x[1] > 1\n    v = w = None\n    if x[0] < 1: v = not x[1] > 1\n"
            f"    if x[2] > 0:\n        w = t\n        t = {value}\n"
            f"    return [{IDENTITIES}]\n"
        )
        plain = load(text)
        staged = runtime.function(plain, numpy=True)
        for x in itertools.product((0.0, 2.0), (0.0, 2.0), (0.0, 1.0)):
            assert repr(staged(np.array(x))) == repr(plain(np.array(x))), (value, x)
