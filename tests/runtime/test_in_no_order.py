"""A graph does not know in which order Python goes through a set: what does not depend on it is done in any."""

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import load, outcome

HEAD = "def f(x):\n    s = set()\n    for v in x: s.add(int(v))\n    return "
WORKING = [
    "sorted(v * 2 for v in s if v > 0)", "max(v * 3 for v in s)", "min((v for v in s if v > 5), default=-1)",
    "sorted({v % 2 for v in s})", "set(v + 1 for v in s) == {1, 2, 3, 4}", "any(v > 2 for v in s)",
    "all(v > 2 for v in s)",
    "set(range(1, 10)) - {int(v) for v in s}", "sorted(((v, -v) for v in s), reverse=True)", "len({v // 2 for v in s})",
]  # fmt: skip
REFUSED = [
    "[v for v in s]", "list(v for v in s)", "sum(v * 1.5 for v in s)", "next(v for v in s)", "{v: 1 for v in s}",
    "sorted((v for v in s), key=lambda v: v % 2)", "max((v for v in s), key=lambda v: v % 2)",
]  # fmt: skip


@pytest.mark.parametrize("expression", WORKING)
def test_what_does_not_depend_on_it_is_what_python_makes(expression):
    f = load(HEAD + expression)
    graph = runtime.function(f, numpy=True)
    for x in (np.array([3, 1, 2, 0, 3]), np.array([7, -2])):
        assert repr(outcome(graph, x)) == repr(outcome(f, x))


@pytest.mark.parametrize("expression", REFUSED)
def test_what_depends_on_it_is_refused(expression):
    with pytest.raises(StagingError, match="the order in which Python goes through this set"):
        runtime.function(load(HEAD + expression), numpy=True)(np.array([3, 1, 2, 0, 3]))
