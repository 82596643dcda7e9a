"""Python's truth values in arithmetic are whole numbers of Python's, NumPy's are what NumPy makes of them."""

import itertools

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


def test_truths_are_counted_in_whole_numbers_of_pythons():
    def f(n):
        wins = 0
        for i in range(n):
            wins += i % 3 == 1
        return wins, wins + True

    assert list(map(type, runtime.function(f, numpy=True)(np.int64(30)))) == [int, int]
    assert runtime.function(f, numpy=True)(np.int64(30)) == f(30)
