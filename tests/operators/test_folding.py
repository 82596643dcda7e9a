"""Functions of `functools`, `itertools`, `math` and `statistics` that go through items, where a graph has those."""

import functools
import itertools
import math
import operator
import statistics

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import load, outcome

MODULES = {"np": np, "functools": functools, "itertools": itertools, "math": math, "operator": operator}
MODULES["statistics"] = statistics
FOLDS = [
    "functools.reduce(lambda p, q: p * 0.5 + q, a)", "functools.reduce(max, a)",
    "functools.reduce(operator.add, a, 0.5)", "functools.reduce(lambda p, q: p if p > q else q, a)",
    "functools.reduce(lambda p, q: (p[1], p[0] + q), a, (a[0], a[0]))",
    "list(itertools.accumulate(a))", "list(itertools.accumulate(a, max))", "max(list(itertools.accumulate(a)))",
    "[v * 2 for v in itertools.accumulate(a, lambda p, q: p * 0.5 + q)]", "next(itertools.accumulate(a), None)",
    "list(itertools.takewhile(lambda v: v > 0, a))", "list(itertools.dropwhile(lambda v: v > 0, a))",
    "list(itertools.filterfalse(lambda v: v > 0, a))", "list(itertools.compress(a, [v > 0 for v in a]))",
    "math.prod(a)", "math.fsum(a)", "math.fsum(v * v for v in a)", "math.prod(v for v in a if v > 0)",
    "statistics.fmean(a)", "statistics.median(a)", "statistics.median_low(a)", "statistics.median_high(a)",
]  # fmt: skip
ITEMS = {"an array": "x", "a list": "[float(v) for v in x]", "some": "[v for v in x if v > 0]"}


@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("text", FOLDS)
def test_folds(text, items):
    f = load(f"def f(x):\n    a = {ITEMS[items]}\n    return {text}\n", **MODULES)
    for jit in (None, False):
        graph = runtime.function(f, numpy=True, jit_compile=jit)
        for x in (np.array([3.5, 1.25, -2.0, 0.1]), np.array([2.0]), np.arange(1.0, 100.0)):
            wanted, found = outcome(f, x), outcome(graph, x)
            assert found[0] == wanted[0], (found, wanted)
            assert wanted[0] != "returns" or not difference(found[1], wanted[1])


@pytest.mark.parametrize("text", FOLDS)
def test_nothing_to_fold(text):
    f = load(f"def f(x):\n    a = [v for v in x if v > 9]\n    return {text}\n", **MODULES)
    wanted = outcome(f, np.ones(3))
    found = outcome(runtime.function(f, numpy=True), np.ones(3))
    assert found[0] == wanted[0], (found, wanted)
    assert wanted[0] != "returns" or found[1] == wanted[1]


@pytest.mark.parametrize("text", FOLDS)
def test_long_arrays_are_loops_of_the_graph(text):
    f = load(f"def f(x):\n    a = x\n    return {text}\n", **MODULES)
    sizes = [
        sum(1 for _ in runtime.function(f, numpy=True).get_concrete_function(np.ones(n)).graph.walk())
        for n in (300, 900)
    ]
    assert sizes[0] == sizes[1] < 200


def test_sums_are_exact():
    """To the last bit, whatever cancels, and where what is left lies half-way between two floats."""

    @runtime.function(numpy=True)
    def total(x):
        return math.fsum(x)

    rng = np.random.default_rng(3)
    given = [rng.standard_normal(60) * 10.0 ** rng.integers(-18, 18, 60) for _ in range(30)]
    given += [np.array(x) for x in ([1e16, 1.0, 1e-16], [1.0, 2.0**-53, 2.0**-106], [1e16, -1.0, -1e-20], [0.1] * 10)]
    given += [np.array(x) for x in ([-0.0, -0.0], [1.0, np.inf], [np.nan, 1.0], [-np.inf, -np.inf])]
    for x in given:
        np.testing.assert_array_equal(total(x), math.fsum(x))
    for wrong in ([np.inf, -np.inf], [1e308, 1e308, -1e308]):
        assert outcome(total, np.array(wrong))[0] == outcome(math.fsum, wrong)[0]
