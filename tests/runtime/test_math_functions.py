"""Functions of Python's `math` become part of the graph: the same floats, ints and errors."""

import itertools
import math
import types

import numpy as np
import pytest

import runtime
from autograph.rules import STAGED_FUNCTIONS
from tests.programs import load

OF_TWO = {"atan2": "math.atan2(x, y)", "copysign": "math.copysign(x, y)", "fmod": "math.fmod(x, y)"}
OF_TWO |= {"pow": "math.pow(x, y)", "hypot": "math.hypot(x, y, 2)", "log": "math.log(x, y)"}
WHOLE = "comb factorial gcd isqrt lcm perm".split()  # which are in test_whole_numbers
NAMES = [name for name in sorted(STAGED_FUNCTIONS["math"]) if hasattr(math, name) and name not in WHOLE]
NUMBERS = [0.0, -0.0, 0.5, 1.0, -1.0, 3.7, -2.5, 1e3, 1e300, math.inf, -math.inf, math.nan]


def outcome(function, *values):
    try:
        found = function(*map(np.float64, values))
        return type(found), found
    except (ArithmeticError, ValueError) as error:
        return type(error), str(error).split("\n")[0]


def same(found, wanted):
    if found[0] is not wanted[0] or isinstance(wanted[1], str):
        return found == wanted
    return found[1] == wanted[1] or math.isclose(found[1], wanted[1]) or found[1] != found[1] and wanted[1] != wanted[1]


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_numbers_and_errors_are_pythons(name, jit_compile):
    f = load(f"def f(x, y):\n    return {OF_TWO.get(name, f'math.{name}(x)')}\n", math=math)
    staged = runtime.function(f, jit_compile=jit_compile, numpy=True)
    for x, y in itertools.product(NUMBERS, NUMBERS if name in OF_TWO else [2.0]):
        if name in ("ceil", "floor", "trunc") and abs(x) == 1e300:
            continue  # an int that 64 bits do not hold
        assert same(outcome(staged, x, y), outcome(f, x, y)), (x, y)


def test_what_is_imported_by_name_and_loops():
    def distances(points):
        out = np.zeros(len(points))
        for i in range(len(points)):
            for j in range(len(points)):
                out[i] += math.exp(-math.sqrt((points[i, 0] - points[j, 0]) ** 2))
        return out, math.floor(out[0])

    points = np.random.default_rng(0).random((30, 1))
    found, whole = runtime.function(distances, numpy=True)(points)
    wanted = distances(points)
    np.testing.assert_allclose(found, wanted[0])
    assert (type(whole), whole) == (int, wanted[1])


def test_without_a_trace_they_are_pythons():
    assert math.sqrt(runtime.constant(4.0)) == 2.0
    f = types.FunctionType(load("def f(x):\n    return math.sqrt(4.0) * x\n", math=math).__code__, {"math": math})
    assert runtime.function(f)(runtime.constant(1.0)).numpy() == 2.0
