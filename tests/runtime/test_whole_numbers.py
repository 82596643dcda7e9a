"""Functions and methods of whole numbers become part of the graph: the same numbers, texts and errors."""

import itertools
import math

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load

pytestmark = pytest.mark.numpy_may_take_over  # it has quotients of numbers that floats do not hold

PAIRS = [*itertools.product((0, 1, 4, 12, -18), (0, 1, 3, 5, -4))]
NUMBERS = [0, 1, 2, 5, 15, 16, 17, 20, -1, -255, 2**31, 3037000499**2, 2**62, 2**63 - 1]
OF_ONE = {
    "chr(abs(a) % 1000 + 40)": NUMBERS, "ord(chr(abs(a) % 1000 + 40))": NUMBERS,
    "bin(a)": NUMBERS, "hex(a)": NUMBERS, "oct(a)": NUMBERS, "bin(a > 1)": [0, 2], "len(hex(a)) - 2": NUMBERS,
    "a.bit_length()": NUMBERS, "a.bit_count()": NUMBERS, "math.isqrt(a)": NUMBERS, "math.gcd(a)": NUMBERS,
    "math.factorial(a)": [0, 1, 5, 20, -1], "math.perm(a)": [0, 4, -1], "math.gcd(a, 12, 18)": NUMBERS[:9],
    "math.lcm(a, 4, 6)": [0, 1, 9, -5],
    "int(a / 2)": NUMBERS[:12], "int(a / 3 * 2)": NUMBERS[:11], "int(-a * 1.5)": NUMBERS[:11],
    "pow(a, 65537, 1000003)": NUMBERS,
    "float(a).is_integer()": NUMBERS,
    "np.float64(a / 2).is_integer()": NUMBERS, "(a / 2).is_integer()": NUMBERS, "(a * math.inf).is_integer()": [0, 1],
    "sum([math.gcd(i, 6) for i in range(5) if i < a])": [0, 3, 9],
}  # fmt: skip
OF_TWO = (
    "math.gcd(a, b)", "math.lcm(a, b)", "math.comb(a, b)", "math.perm(a, b)", "pow(a, b, 7)", "pow(5, a, b)",
    "pow(a, 3, b)", "pow(a, b, a)", "pow(a > 1, b, 5)",
)  # fmt: skip


def outcome(function, *values):
    try:
        return function(*values)
    except (ArithmeticError, ValueError) as error:
        return type(error), str(error).split("\n")[0]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("expression", [*OF_ONE, *OF_TWO])
def test_they_are_pythons(expression, jit_compile):
    f = load(f"def f(a, b):\n    a, b = int(a), int(b)\n    return {expression}\n", math=math, np=np)
    staged = runtime.function(f, jit_compile=jit_compile, numpy=True)
    for a, b in PAIRS if expression in OF_TWO else [(a, 0) for a in OF_ONE[expression]]:
        found, wanted = outcome(staged, np.int64(a), np.int64(b)), outcome(f, a, b)
        assert (type(found), found) == (type(wanted), wanted), (a, b)


@pytest.mark.parametrize("call", ["math.gcd(x, 2)", "math.factorial(x)", "bin(x)", "hex(x)"])
def test_floats_are_no_whole_numbers(call):
    f = load(f"def f(x):\n    return {call}\n", math=math)
    with pytest.raises(TypeError, match="'float.*' object cannot be interpreted as an integer"):
        runtime.function(f)(np.float64(2.0))


def test_a_factorial_that_64_bits_do_not_hold():
    with pytest.raises(OverflowError, match="51090942171709440000 is a whole number of Python's"):
        runtime.function(lambda n: math.factorial(int(n)))(np.int64(21))


def test_numpys_numbers_have_no_methods_of_pythons():
    with pytest.raises(AttributeError, match="bit_length"):
        runtime.function(lambda n: n.bit_length())(np.int64(3))


@pytest.mark.parametrize("numpy", [False, True])
def test_a_large_float_becomes_the_whole_number_that_it_is(numpy):
    f = load("def f(x):\n    return int(float(x) * 2.0) % 1000, int(x) % 1000\n")
    for x in (2.0**24 + 1, 2.0**40 + 3, -(2.0**30) - 7):
        found = runtime.function(f, numpy=numpy)(np.float64(x))
        assert tuple(int(v) for v in found) == f(x)


def test_numpys_numbers_have_no_power_of_three():
    def f(a, n):
        return pow(a, 2, n)

    with pytest.raises(TypeError, match="unsupported operand"):
        runtime.function(f)(np.int64(3), np.int64(5))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_what_64_bits_do_not_hold_is_more_than_any_number(jit_compile):
    def f(n):
        least, most = 1 << 63, -(1 << 70)
        for k in range(3):
            least, most = min(least, n * k), max(n + k, most)
        return least, most, n < 1 << 64, n == 2**100, -(1 << 63) - 1 >= n, min(n, 2**90, key=lambda x: x)

    for kind in (np.int64, runtime.constant):
        found = runtime.function(f, jit_compile=jit_compile)(kind(3))
        assert [np.asarray(x).item() for x in found] == [*f(3)]


def test_what_64_bits_do_not_hold_is_no_value_of_a_graph():
    with pytest.raises(OverflowError, match=f"Python integer {2**63} is too large for the 64 bits"):
        runtime.function(lambda n: 1 << 63 if n > 2 else n)(np.int64(3))
