"""With `numpy=True` a variable, or a part of one, may be a value of one structure or of another, as the graph finds."""

import math

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import EXECUTORS, load, outcome

HEAD = "def f(x):\n    "
PROGRAMS = {
    "a tuple where None was, beside a number": """
best = (math.inf, None)
for i, v in enumerate(x):
    if v < best[0]: best = (v, (i, 2 * i))
return best, best[1] == (0, 0), best[1] is None
""",
    "and is taken apart": """
best = (math.inf, None, None)
for i, v in enumerate(x):
    if v < best[0]: best = (v, (i, v), None)
    elif v == 5: best = (v, None, "five")
if best[1] is None: return best
at, value = best[1]
return best, at + value
""",
    "a tuple or a number": """
w = 0
for v in x:
    if v > 2: w = (v, 1)
    elif v < 0: w = -1
return w
""",
    "tuples of two lengths": """
t = (1,)
if len(x) and x.sum() > 0: t = (1, 2)
return t[1] if len(t) == 2 else t
""",
    "tuples of two lengths, taken apart": """
t = (1,)
for v in x:
    if v > 4: t = (v, 2)
    elif v < -4: t = [1, v, 3]
a, b = t
return a, b
""",
    "a number or a text": """
found = "none"
for v in x:
    if v > 3: found = v
return found, found == "none", str(found)
""",
    "dictionaries with other keys": """
best = {"error": np.inf}
for i, v in enumerate(x):
    if v < best["error"]: best = {"error": v, "at": i}
return best
""",
    "a list or a tuple of what is returned": """
for i in range(len(x) - 1):
    if x[i] > x[i + 1]: return "falls", (i, x[i])
return "rises", [v for v in x if v > 3]
""",
}
ARGUMENTS = [np.array([3.0, -1, 4, 1, 5]), np.array([3.0]), np.array([]), np.array([-5.0, -4, 1, 6])]


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("lines", PROGRAMS.values(), ids=PROGRAMS)
def test_it_is_what_python_has(lines, jit):
    f = load(HEAD + "\n    ".join(lines.strip().splitlines()), np=np, math=math)
    graph = tf.function(f, numpy=True, jit_compile=jit)
    for x in ARGUMENTS:
        mine, wanted = outcome(graph, x), outcome(f, x)
        assert repr(mine) == repr(wanted)


def test_a_tuple_that_is_longer_after_each_iteration_is_refused_with_what_to_write():
    f = load("def f(x):\n    t = ()\n    for v in x:\n        if v > 0: t = t + (v,)\n    return t")
    with pytest.raises(StagingError, match=r"'t' never settles in this loop: .* list"):
        tf.function(f, numpy=True)(np.arange(3.0))


OTHERS = {
    "text": '"none"', "bytes": 'b"none"', "None": "None", "a class": "object", "a dictionary": "{1: 2}",
    "text of the graph": '("a" if x.sum() > 2 else "b")', "a dictionary of the graph": "counts",
}  # fmt: skip


@pytest.mark.parametrize("number", ["x[0]", "(x[0] > 1)", "len(x)", "int(x.sum())", "x"])
@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_a_number_beside_what_is_none_compares_as_numpy_or_python_has_it(number, other):
    f = load(
        "def f(x):\n    counts = {}\n    for v in x: counts[int(v)] = 1\n"
        f"    return {number} == {other}, {other} == {number}, {number} != {other}"
    )
    for x in (np.array([1.5, 2.0]), np.array([1, 5], np.uint8)):
        assert repr(outcome(tf.function(f, numpy=True), x)) == repr(outcome(f, x))
