"""Python's integers in graphs: exact in 64 bits, int32 or int64 once they leave, and never wrapped into a dtype."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load

PROGRAMS = """
def tens(n):
    x = 1
    for _ in range(n):
        x = x * 10
    return x

def while_tens(n):
    x = 1
    while n > 0:
        x, n = x * 10, n - 1
    return x

def factorial(n):
    r = 1
    for i in range(1, n + 1):
        r *= i
    return r

def down(n):
    r = 1
    for i in range(n, 0, -1):
        r *= i
    return r

def numbered(n):
    r = 1
    for i, _ in enumerate(range(n)):
        r = r * (i + 10)
    return r

def branch(n):
    return 10**10 if n > 11 else -(10**10) if n > 10 else 7

def bounds(n):
    x = 2**31 - 10
    while n > 0:
        x, n = x + 1, n - 1
    return x

def low_bounds(n):
    x = -(2**31) + 10
    while n > 0:
        x, n = x - 1, n - 1
    return x

def several(n):
    x, y = 1, 1.5
    while n > 0:
        x, y, n = x * 10, y * 2, n - 1
    return x, [y, {"x": x + 1}], (x % 7, x // 3, -x)

def compared(n):
    x, y = 1, n * 0 + 5
    while n > 0:
        x, n = x * 10, n - 1
    return x > y, y < x, x == y, y != x, y < 10**10, -(10**10) >= y

def whole(n):
    return int(n) * 10**9, int(n / 3) * 10**9, round(n / 3) + 2**40, float(n) * 2

def called(n):
    def inner(m, k):
        for _ in range(m):
            k = k * 10
        return k
    return inner(n, 3) + inner(n, 4)

def length(n):
    found = [0]
    while n > 0:
        found.append(n)
        n = n - 1
    return len(found) * 10**9

def item(n):
    x, big = tf.constant(np.arange(5)), 1
    for _ in range(n):
        big = big * 10
    return x[big % 5], x[:big], x[-3:big]
"""
NAMES = [line[4 : line.index("(")] for line in PROGRAMS.splitlines() if line.startswith("def ")]


def as_constant(value):
    """What `constant` makes of Python's numbers."""
    return tf.nest.map_structure(
        lambda v: v if isinstance(v, np.ndarray | np.generic) else np.asarray(tf.constant(v)), value
    )


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_what_python_makes_them(name, jit_compile):
    function = load(PROGRAMS, name, np=np, tf=tf)
    graph = tf.function(function, jit_compile=jit_compile)
    for n in (0, 1, 3, 9, 10, 11, 12, 13, 15):
        wanted = tf.nest.flatten(as_constant(function(n if name != "whole" else np.int32(n))))
        for mine, want in zip(tf.nest.flatten(graph(tf.constant(n))), wanted, strict=True):
            assert (np.asarray(mine).tolist(), mine.dtype) == (want.tolist(), want.dtype), n
    assert graph.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
def test_numbers_stay_exact_from_function_to_function(jit_compile):
    inner = tf.function(load(PROGRAMS, "tens"), jit_compile=jit_compile)

    @tf.function(jit_compile=jit_compile)
    def outer(n):
        total = 0
        for i in range(3):
            total += inner(n) * (i + inner(n))
        return total

    for n in (2, 4, 6, 8):
        assert int(outer(tf.constant(n))) == sum(10**n * (i + 10**n) for i in range(3))


BIG = """
def f(n, a):
    x = 1
    while n > 0:
        x, n = x * 10, n - 1
    {}
"""


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
@pytest.mark.parametrize(
    "statement",
    [
        "return a + x",
        "return x - a",
        "return np.stack([a[0], x])",
        "a[0] = x\n    return a",
        "v.assign(x)\n    return v.read_value()",
        "v.assign_add(x)\n    return v.read_value()",
        "return np.maximum(a, x)",
        "return tf.cast(x, tf.int32)",
        "return tf.constant(x, tf.int32)",
        "found = [1]\n    while n < 2:\n        found.append(x)\n        n = n + 1\n    return found",
    ],
)
def test_a_number_that_a_dtype_does_not_hold_is_an_error_as_in_numpy(statement, jit_compile):
    v = tf.Variable(1)
    f = tf.function(load(BIG.format(statement), "f", np=np, tf=tf, v=v), jit_compile=jit_compile)
    plain = load(BIG.format(statement), "f", np=np, tf=tf, v=tf.Variable(1))
    a = np.array([1, 2], np.int32)
    if "tf." not in statement and "found" not in statement and "v." not in statement and "stack" not in statement:
        with pytest.raises(OverflowError):
            plain(12, a.copy())
    with pytest.raises(OverflowError, match="Python integer 1000000000000 out of bounds for int32"):
        f(tf.constant(12), a.copy())
    assert int(v) == 1
    mine, wanted = (np.asarray(g(3, a.copy()) if g is plain else g(tf.constant(3), a.copy())) for g in (f, plain))
    assert mine.tolist() == wanted.tolist()


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
def test_a_number_takes_the_dtype_of_a_variable_of_64_bits(jit_compile):
    v = tf.Variable(np.int64(0))
    f = tf.function(load(BIG.format("v.assign(x)\n    return v + x"), "f", v=v), jit_compile=jit_compile)
    assert (int(f(tf.constant(12), 0)), int(v)) == (2 * 10**12, 10**12)


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
@pytest.mark.parametrize("bad, error", [(np.nan, ValueError), (np.inf, OverflowError), (1e30, OverflowError)])
def test_what_is_no_whole_number_of_64_bits_is_an_error(bad, error, jit_compile):
    f = tf.function(lambda x: int(x), jit_compile=jit_compile)
    assert int(f(np.float64(-7.9))) == -7
    with pytest.raises(error):
        f(np.float64(bad))


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
def test_a_number_without_a_sign_is_whole_if_64_bits_hold_it(jit_compile):
    f = tf.function(load("def f(x):\n    return int(x)", "f"), jit_compile=jit_compile)
    found = f(np.uint64(2**63 - 1))
    assert (int(found), found.dtype) == (2**63 - 1, tf.int64)
    with pytest.raises(OverflowError):
        f(np.uint64(2**63))


@pytest.mark.parametrize("jit_compile", [False, None])
def test_numbers_are_printed_and_told_as_they_are(jit_compile, capsys):
    text = BIG.format('print_(x)\n    if n < 1:\n        raise ValueError(f"{x} is too much")\n    return n')
    f = tf.function(load(text, "f", print_=tf.print), jit_compile=jit_compile)
    with pytest.raises(ValueError, match="1000000000000 is too much"):
        f(tf.constant(12), 0)
    assert capsys.readouterr().err == "1000000000000\n"
