"""Code that is not converted asks lists of the graph: it is told what Python tells, or refused by name."""

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.programs import EXECUTORS, load, outcome

MADE = {
    "of a known length": "items = xs.tolist()",
    "of any length": "items = []\n    for v in xs: items.append(float(v))",
    "of any length, with nothing in it": "items = []\n    for v in xs:\n        if v > 9: items.append(float(v))",
}
OF_LENGTHS = "len(items)|bool(items)|not items|[*items]|list(items)|tuple(items)|[*reversed(items)]|items or 5"
QUESTIONS = f"""
{OF_LENGTHS}|[*enumerate(items)]|[*zip(items, items)]|1.0 in items|7.0 in items|items.index(2.0)|items.count(2.0)
sorted(items)|sum(items)|any(items)|max(items)|items == [1.0, 2.0, 2.0]|items != [1.0]|items < [2.0]|items[1]|items[-1]
items[:2]|items + [3.0]|items * 2|items.copy()|str(items)|hash(items)
"""


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("lines", MADE.values(), ids=MADE)
def test_code_that_is_not_converted_asks_a_list(lines, jit_compile):
    for asked in QUESTIONS.strip().replace("\n", "|").split("|"):
        text = f"@apart\ndef ask(items): return {asked}\ndef f(xs):\n    {lines}\n    return ask(items)\n"
        plain = load(text, apart=autograph.do_not_convert)
        staged = tf.function(plain, numpy=True, jit_compile=jit_compile)
        xs = np.array([1.0, 2.0, 2.0])
        expected, found = (outcome(lambda f=f: repr(f(xs))) for f in (plain, staged))
        if found[0] in ("OperatorNotAllowedInGraphError", "StagingError"):
            assert "tolist" not in lines or asked not in OF_LENGTHS.split("|"), asked
        else:
            assert found == expected or found[0] == expected[0] != "returns", asked


LISTED = {
    "numbers of a known length": "items = [xs[0], xs[1], xs[2]]",
    "numbers": "items = []\n    for v in xs: items.append(float(v))",
    "arrays": "items = []\n    for k in range(len(xs)): items.append(xs[k : k + 1])",
    "rows": "items = []\n    for v in xs: items.append([v, 1.0])",
    "integers": "items = []\n    for k in range(len(xs)): items.append(k)",
}
OF_NUMPYS = {
    "written": "a = np.sort(items)\n    a[0] = 5\n    return a",
    "written by a view": "a = np.cumsum(items)\n    a += 1\n    b = a[1:]\n    b[0] = 9\n    return a",
    "a list again": "return np.add(items, 1).tolist()",
    "a universal function's": "a = np.multiply(items, 2)\n    a[-1] = 4\n    return isinstance(a, np.ndarray), a",
    "joined": "a = np.concatenate([items, items])\n    a[0] = 7\n    return a, a.dtype",
    "a number": "return np.max(items), np.sum(items)",
}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("made", OF_NUMPYS)
@pytest.mark.parametrize("listed", LISTED)
def test_what_numpy_makes_of_a_list_there_is_an_array(listed, made, jit_compile):
    body = OF_NUMPYS[made]
    text = f"@apart\ndef made(items):\n    {body}\ndef f(xs):\n    {LISTED[listed]}\n    return made(items)\n"
    plain = load(text, np=np, apart=autograph.do_not_convert)
    xs = np.array([2.0, 1.0, 3.0])
    assert repr(tf.function(plain, numpy=True, jit_compile=jit_compile)(xs)) == repr(plain(xs))
