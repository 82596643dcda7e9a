"""Comprehensions take items of the graph apart as statements do: some of a part, the rest, one name twice."""

import numpy as np
import pytest

import runtime
from tests.programs import load, outcome

EXPRESSIONS = [
    "[w for _, _, w in rows]", "sum(w for *_, w in rows)", "[(p, r) for p, *r in rows]",
    "[m for p, *m, q in rows if p > 1]",
    "[p for (p,) in [(v,) for v in x if v > 0]]", "{p: r for i, (p, *r) in enumerate(rows)}",
    "[p for p, *q, r, s, t in rows]",
    "[s for s, s, *_ in rows]", "[(k, more) for k, *more in zip(x, x, x)]", "[q for (q,) in rows]",
    "[p for p, *q in x]",
    "[a + b[0] for a, *b in [[1, 2, x[0]]]]",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_it_gives_what_python_gives(expression):
    f = load(
        "def f(x):\n    rows = []\n    for v in x:\n        if v > 0: rows.append((v, v * 2, 1.5))\n"
        f"    return {expression}"
    )
    for x in (np.array([3, 1, 2, 0]), np.array([0, 0])):
        assert repr(outcome(runtime.function(f, numpy=True), x)) == repr(outcome(f, x))
