"""What a number or an array of the graph cannot do, it refuses as Python and NumPy do: by the same exception."""

import numpy as np
import pytest

import runtime
from tests.programs import load, outcome

EXPRESSIONS = [
    "[v for v in x[0]]", "list(x[0])", "sum(x[0])", "sorted(x[0])", "tuple(len(x) + int(x[0]))", "max(x[0])",
    "set(x[0])",
    "iter(x[0])", "zip(x, x[0])", "enumerate(x[0])", "[].extend(x[0])", "dict(x[0])", "any(x[0])", "x[0] in x[1]",
    "len(x[0])", "len(int(x[0]))", "x[0][0]", "x[0]['a']", "x['a']", "x[1.0]", "x[x * 1.0]", "int(x[0])[0]", "x[0, 0]",
    "x[0:1.5]", "np.asarray(x[0])[0]", "len(np.asarray(x[0]))", "x[0].missing", "x.missing", "int(x[0]).missing",
    "range(0, 5, x[3])", "[*x[0]]", "[*len(x), int(x[0])]", "[a for a, b in x]", "[a for a, *b in x]", "(x[0] > 1)[0]",
]  # fmt: skip
STATEMENTS = [
    "for v in x[0]: pass", "for v in np.asarray(x[0]): pass", "a, b = x[0]", "a, *b = x[0]", "a, b = int(x[0])",
    "a, *b = np.asarray(x[0])", "for a, b in x: pass",
]  # fmt: skip


@pytest.mark.parametrize("statement", [*(f"return {e}" for e in EXPRESSIONS), *STATEMENTS])
def test_the_exception_is_that_of_python(statement):
    f = load(f"def f(x):\n    {statement}", np=np)
    x = np.array([3, 1, 2, 0])
    wanted = outcome(f, x)
    assert wanted[0] != "returns" and outcome(runtime.function(f, numpy=True), x) == wanted
