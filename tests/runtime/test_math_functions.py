"""Functions of Python's `math` become part of the graph: the same floats, ints and errors."""

import itertools
import math
import statistics
import types

import numpy as np
import pytest

import runtime
import runtime as tf
from autograph.operators import folding
from autograph.operators.mathematics import DEFINITIONS
from autograph.rules import STAGED_FUNCTIONS
from tests.programs import load

OF_TWO = {"atan2": "math.atan2(x, y)", "copysign": "math.copysign(x, y)", "fmod": "math.fmod(x, y)"}
OF_TWO |= {"pow": "math.pow(x, y)", "hypot": "math.hypot(x, y, 2)", "log": "math.log(x, y)"}
OF_TWO |= {
    "frexp": "math.frexp(x)[0] * 8 + math.frexp(x)[1]", "ldexp": "math.ldexp(x, int(math.copysign(1000, y)))",
}  # fmt: skip
OF_REAL_NUMBERS = [
    "math.fsum([x, y])", "math.dist([x], [y])", "math.ldexp(x, 1)", "statistics.fmean([x])",
    *(f"math.{name}(x)" for name in ("ceil", "trunc", "modf", "sqrt", "isnan", "log")),
    *(f"math.{name}(2.0, x)" for name in ("pow", "hypot", "log", "remainder", "isclose", "atan2")),
]  # fmt: skip
DEFINED = {function.__name__ for function in (*DEFINITIONS, *folding.DEFINITIONS)}  # in Python: tests/operators
NAMES = [name for name in sorted(STAGED_FUNCTIONS["math"] - DEFINED) if hasattr(math, name)]
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


@pytest.mark.parametrize("text", OF_REAL_NUMBERS)
@pytest.mark.parametrize("kind", [str, complex])
def test_text_and_complex_numbers_are_no_real_numbers(text, kind):
    f = load(f"def f(n):\n    x = y = {kind.__name__}(n)\n    return {text}\n", math=math, statistics=statistics)
    with pytest.raises(TypeError) as wanted:
        f(2)
    with pytest.raises(TypeError) as found:
        runtime.function(f, numpy=True)(np.int64(2))
    if kind is str:
        assert str(found.value).split("\n")[0] == str(wanted.value)


def test_without_a_trace_they_are_pythons():
    assert math.sqrt(runtime.constant(4.0)) == 2.0
    f = types.FunctionType(load("def f(x):\n    return math.sqrt(4.0) * x\n", math=math).__code__, {"math": math})
    assert runtime.function(f)(runtime.constant(1.0)).numpy() == 2.0


# Functions made of others, with Python's own as the reference.

NORMAL = statistics.NormalDist()
REFERENCES = {
    "lgamma": (math.lgamma, [-3.5, -0.5, -1e-3, 1e-8, 0.3, 0.5, 1.0, 1.5, 2.0, 3.7, 20.0, 1e3, 1e10, math.inf]),
    "erfc": (math.erfc, [-7.0, -2.0, -1.0, -0.3, 0.0, 0.5, 1.0, 1.5, 3.0, 5.9, 6.1, 10.0, 20.0, 26.0, 50.0]),
    "ndtri": (NORMAL.inv_cdf, [1e-300, 1e-10, 0.05, 0.075, 0.1, 0.5, 0.7, 0.925, 0.93, 1 - 1e-10]),
}
SLOPES = {
    "lgamma": lambda x: tf.math.digamma(x),
    "erfc": lambda x: -2 / math.sqrt(math.pi) * tf.exp(-(x**2)),
    "erfinv": lambda x: math.sqrt(math.pi) / 2 * tf.exp(tf.math.erfinv(x) ** 2),
    "ndtri": lambda x: math.sqrt(2 * math.pi) * tf.exp(tf.math.ndtri(x) ** 2 / 2),
}


@pytest.mark.parametrize("jit", [None, False, True], ids=["at once", "numpy", "native"])
@pytest.mark.parametrize("name", REFERENCES)
def test_functions_of_python(name, jit):
    reference, values = REFERENCES[name]
    function = getattr(tf.math, name)
    run = function if jit is None else tf.function(function, jit_compile=jit)
    wanted = [reference(value) for value in values]
    np.testing.assert_allclose(run(tf.constant(values, tf.float64)), wanted, rtol=2e-13, atol=1e-15)
    small = run(tf.constant(values, tf.float32))
    wide = np.float32(values)[np.isfinite(small)]
    wanted = [reference(float(value)) if 0 < value < 1 or name != "ndtri" else math.nan for value in wide]
    least = 1e-15 if name == "lgamma" else 1e-38
    assert small.dtype == tf.float32
    np.testing.assert_allclose(
        small.numpy()[np.isfinite(small)], np.float32(wanted), rtol=1e-6, atol=1e-15 if name == "lgamma" else 1e-38
    )


def test_the_slope_of_the_logarithm_of_the_gamma_function():
    known = {1.0: -0.5772156649015329, 0.5: -1.9635100260214235, 10.0: 2.251752589066721, -0.5: 0.03648997397857652}
    np.testing.assert_allclose(tf.math.digamma(tf.constant([*known], tf.float64)), [*known.values()], rtol=1e-13)
    x = tf.constant([0.2, 1.7, 30.0, -1.3], tf.float64)  # from one number to the next it grows by the reciprocal
    np.testing.assert_allclose(tf.math.digamma(x + 1) - tf.math.digamma(x), 1 / x, rtol=1e-12)
    assert np.isnan(tf.math.digamma([0.0, -2.0])).all() and np.isinf(tf.math.lgamma([0.0, -2.0])).all()


def test_numbers_of_which_the_error_function_gives_these():
    x = tf.constant([-0.99, -0.85, -0.3, 1e-10, 0.5, 0.86, 1 - 1e-6], tf.float64)
    np.testing.assert_allclose(tf.math.erf(tf.math.erfinv(x)), x, rtol=1e-14)
    assert tf.math.erfinv([-1.0, 1.0]).numpy().tolist() == [-math.inf, math.inf]
    assert tf.math.ndtri([0.0, 1.0]).numpy().tolist() == [-math.inf, math.inf]
    assert np.isnan(tf.math.erfinv([-1.1, 2.0, math.nan])).all() and np.isnan(tf.math.ndtri([-0.1, 2.0])).all()


@pytest.mark.parametrize("name", SLOPES)
def test_slopes_of_functions_that_are_made_of_others(name):
    inside = {"lgamma": [-1.3, 0.3, 2.5, 40.0], "erfc": [-3.0, -0.2, 0.7, 2.0, 7.0]}.get(name, [0.02, 0.3, 0.6, 0.97])
    x = tf.constant(inside, tf.float64)

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = getattr(tf.math, name)(x)
        return tape.gradient(y, x)

    np.testing.assert_allclose(slope(x), SLOPES[name](x), rtol=1e-10)


@pytest.mark.parametrize("name", ["lgamma", "digamma", "erfc", "erfinv", "ndtri"])
def test_functions_of_real_numbers_refuse_others(name):
    with pytest.raises(TypeError, match="real numbers"):
        getattr(tf.math, name)([1j])
    assert getattr(tf.math, name)([1]).dtype == tf.float64
