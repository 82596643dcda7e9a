"""Numbers of Python's that the dtype of the array beside them does not hold: NumPy's result, or NumPy's error."""

import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.graph.op import NUMPY
from tests.exactly import difference
from tests.programs import outcome

KINDS = [np.int8, np.uint8, np.uint32, np.int64, np.uint64, np.float32]
NUMBERS = [-1, 2, 300, -(2**40), 2**40, 2**70]
OF_TWO = [f for f in NUMPY if isinstance(f, np.ufunc) and f.nin == 2 and f.signature is None]


def check(program, *given):
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        wanted = outcome(program, *(np.copy(g) if isinstance(g, np.ndarray) else g for g in given))
        for jit in (None, False):
            found = outcome(tf.function(program, numpy=True, jit_compile=jit), *given)
            assert found[0] == wanted[0], (given, found, wanted)
            assert wanted[0] != "returns" or not difference(found[1], wanted[1]), given


@pytest.mark.parametrize("function", OF_TWO, ids=lambda f: f.__name__)
def test_functions_of_an_array_and_a_number(function):
    for kind in KINDS[:4]:
        x = np.array([1, 100, 5], kind)
        for number in NUMBERS[:-1]:
            check(lambda x, n=number: function(x, n), x)
            if function is not np.power:
                check(lambda x, n=number: function(n, x), x)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_limits(kind):
    """Those beyond the dtype are none; one that no number can keep to is NumPy's error."""
    x = np.array([1, 100, 5], kind)
    for low in (None, *NUMBERS[:-1], -(2**70), 1.5):
        for high in (None, *NUMBERS, 50.5):
            if high == 50.5 and (low or 0) > 50:
                continue  # floats, as one of two that never meet is
            check(lambda x, low=low, high=high: np.clip(x, low, high), x)

    def counted(x):
        n = 0
        for _ in x:
            n += 100
        return np.clip(x, -n, n), x.clip(0, n)

    check(counted, x)


OPERATORS = [
    *("x + -1", "x[0] - 300", "x * 300", "x // -1", "-1 - x", "x & -1", "x / 300", "-2 / x", "x[0] / -2", "x < 300"),
    *("x / (100 * len(x))", "x.sum() / -2", "300 / x[1]", "np.where(x > 1, x, -1)", "np.where(x > 1, 300, x)"),
]


@pytest.mark.parametrize("text", OPERATORS)
def test_operators_with_a_number(text):
    def program(x):
        return eval(text, {"x": x, "np": np})

    for kind in (np.uint8, np.int8):
        check(program, np.array([3, 100], kind))
