"""Functions of `math` that are defined in Python for staged numbers give, and raise, what they do."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

import runtime as tf
from autograph.operators.mathematics import DEFINITIONS
from tests.programs import EXECUTORS, load

pytestmark = pytest.mark.numpy_may_take_over  # what they raise, NumPy's executor raises

WHOLE = {
    "gcd": "math.gcd(n, k)", "gcd of three": "math.gcd(n, k, 30)", "gcd of one": "math.gcd(n)", "lcm": "math.lcm(n, k)",
    "isqrt": "math.isqrt(n)", "factorial": "math.factorial(k)", "perm": "math.perm(k, n % 7)", "all": "math.perm(k)",
    "comb": "math.comb(k, n % 9)", "floats": "math.gcd(n, 2.0)", "negative": "math.comb(k, -n)",
}  # fmt: skip
REAL = {
    "dist": "math.dist([x], [y])", "isclose": "math.isclose(x, y)", "wide": "math.isclose(x, y, rel_tol=0.5)",
    "absolute": "math.isclose(x, y, abs_tol=2.0)", "bad": "math.isclose(x, y, rel_tol=-x)",
    "remainder": "math.remainder(x, y)", "modf": "math.modf(x)",
}  # fmt: skip


def made(expression, jit_compile):
    text = "def f(a, m):\n    x, y, n, k = float(a[0]), float(a[1]), int(m[0]), int(m[1])\n    return "
    f = load(text + expression, math=math)
    return f, tf.function(f, jit_compile=jit_compile, numpy=True)


def check(f, graph, *arguments):
    try:
        wanted = f(*arguments)
    except (ValueError, TypeError) as error:
        with pytest.raises(type(error)):
            graph(*arguments)
        return
    if isinstance(wanted, int) and not isinstance(wanted, bool) and wanted >= 2**63:
        with pytest.raises(OverflowError):
            graph(*arguments)
        return
    try:
        found = graph(*arguments)
    except OverflowError:
        assert f.__code__.co_names.count("comb")  # it multiplies before it divides
    else:
        assert repr(found) == repr(wanted)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", WHOLE)
def test_of_whole_numbers(name, jit_compile):
    f, graph = made(WHOLE[name], jit_compile)
    numbers = [
        0,
        1,
        2,
        12,
        18,
        24,
        99,
        1000003,
        2**31 - 1,
        2**52 + 1,
        2**62,
        2**63 - 1,
        3037000499**2 - 1,
        3037000499**2,
    ]
    for n in [*numbers, -1, -12, -(2**40)]:
        for k in (0, 1, 5, 18, -4, 21, 35) if name not in ("isqrt", "gcd of one") else (1,):
            check(f, graph, np.array([1.0, 1.0]), np.array([n, k]))


FLOATS = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", REAL)
def test_of_floats(name, jit_compile):
    f, graph = made(REAL[name], jit_compile)
    numbers = [
        0.0,
        -0.0,
        0.1,
        1.0,
        -1.0,
        1.0 + 1e-10,
        2.5,
        -7.5,
        1e16,
        1e300,
        5e-324,
        np.inf,
        -np.inf,
        np.nan,
        0.3,
        6.0,
    ]
    for x in numbers:
        for y in numbers:
            check(f, graph, np.array([x, y]), np.array([1, 1]))


def test_each_definition_is_tried():
    tried = {text.partition("(")[0].removeprefix("math.") for text in (*WHOLE.values(), *REAL.values())}
    assert {function.__name__ for function in DEFINITIONS} == tried


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@settings(max_examples=40, deadline=None)
@given(st.lists(FLOATS, min_size=1, max_size=8))
@example([0.1] * 10)
@example([1e16, 1.0, -1e16])
@example([1e308, 1e308, -1e308])
def test_floats_are_added_as_python_adds_them(jit_compile, numbers):
    """From Python 3.12 on what a sum loses is not lost."""
    a = np.array(numbers)
    for f in (lambda a: sum([float(v) for v in a]), lambda a: sum(float(v) for v in a), lambda a: sum(a.tolist(), 0.5)):
        assert repr(tf.function(f, jit_compile=jit_compile, numpy=True)(a)) == repr(f(a))
