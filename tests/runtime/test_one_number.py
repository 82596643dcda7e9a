"""Whether two names are those of one number: ``is`` says of numbers what it says in Python, or is refused."""

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load, outcome

ASKED_OF = {
    "two made anew": "a = x.sum(); b = x.max(); r = a is b, a is not b, a is x[0], x[0] is x[0]",
    "one by two names": "a = x.sum(); b = a; r = a is b, (a, b)[1] is a, [a][0] is a",
    "another type": "a = x.sum(); r = a is int(x[0]), a is None, a is x, a is text, int(x[0]) is float(x[0])",
    "truths of NumPy's": "a = x[0] > 2; b = x[1] > 3; r = a is b, a is np.True_, a is True, bool(a) is a",
    "small numbers of Python's": "a = int(x[0]); b = int(x[1]); r = a is b, a is small, b is not small",
    "one of two": "a = x.sum(); b = x.max(); c = a if x[0] > 2 else b; r = c is a, c is b",
    "one of two of Python's": "a = float(x[0]); b = 1.5; c = a if x[0] > 2 else b; r = c is a, c is b",
    "none or a number": "a = x.sum(); c = a if x[0] > 2 else None; r = c is None, c is a",
    "the last that was found": "best = prev = None; r = []\nfor v in x:\n    if best is None or v > best:\n"
    "        prev = best\n        best = v\n    r.append(best is prev)",
    "an element of a list": "found = []\nfor v in x:\n    if v > 2:\n        found.append(v)\n"
    "r = len(found) and found[-1] is x[0]",
    "the item of a loop": "last = x[0]; r = 0\nfor v in x:\n    r += v is last\n    last = v",
}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", ASKED_OF.values(), ids=ASKED_OF)
def test_whether_numbers_are_one_is_as_in_python_or_refused(body, jit_compile):
    """A graph has no objects for numbers: where they may be one, it is not taken to know."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    program = load(f"def f(x, small=3, text='a'):\n{lines}\n    return r\n", np=np)
    graph = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for x in ([3, 4], [1, 1], [300, 300], [3, 1]):
        expected, got = outcome(program, np.array(x)), outcome(graph, np.array(x))
        refused = got[0] == "StagingError" and "compare them with ==" in got[1]
        assert refused or repr(got) == repr(expected)
