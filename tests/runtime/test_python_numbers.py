"""Python's integers in graphs: exact in 64 bits, int32 or int64 once they leave, and never wrapped into a dtype."""

import enum
import re

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load

pytestmark = pytest.mark.numpy_may_take_over  # it has integers beyond 64 bits

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
        "return tf.stack([a[0], x])",
        "a[0] = x\n    return a",
        "v.assign(x)\n    return v.read_value()",
        "v.assign_add(x)\n    return v.read_value()",
        "return np.maximum(a, x)",
        "return tf.cast(x, tf.int32)",
        "return tf.constant(x, tf.int32)",
        "found = [a[0]]\n    while n < 2:\n        found.append(x)\n        n = n + 1\n    return found",
    ],
)
def test_a_number_that_a_dtype_does_not_hold_is_an_error_as_in_numpy(statement, jit_compile):
    v = tf.Variable(1)
    f = tf.function(load(BIG.format(statement), "f", np=np, tf=tf, v=v), jit_compile=jit_compile)
    plain = load(BIG.format(statement), "f", np=np, tf=tf, v=tf.Variable(1))
    a = np.array([1, 2], np.int32)
    if "tf." not in statement and "found" not in statement and "v." not in statement:
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


IN_LISTS = [
    "out = []\n    for i in range(n):\n        out.append(2**40)\n    return out",
    "out = [2**40]\n    for i in range(n):\n        out.append(i)\n    return out",
    "out = [1]\n    for i in range(n):\n        out.append(2**40 + i)\n    return out",
    "out = []\n    x = 1\n    for i in range(n):\n        x = x * 100003\n        out.append(x)\n    return out",
    "out = [0, 1]\n    while len(out) < n * 20:\n        out.append(out[-1] + out[-2])\n    return out",
    "out = []\n    for i in range(n):\n        out.append((2**40, i))\n    return out",
    "out = []\n    for i in range(n):\n        out.insert(0, 2**40 + i)\n    return out[0] + 1, out",
    "out = [0] * 3\n    for i in range(n):\n        out[i] = 2**40\n    return out",
    "out = [0] * 3\n    out[n - 1] = 2**40\n    return out",
    "out = [1, 2, 3]\n    out[n - 1] *= 2**35\n    return out",
    "out = [i for i in range(n)]\n    out.append(2**40)\n    return out, out.pop(), out[-1]",
    "out = [i * 2**35 for i in range(n)]\n    return sum(out), min(out), max(out), 2**35 in out",
    "out = [2**40 - i for i in range(n)]\n    return sorted(out), out.index(2**40 - 1), out.count(2**40), out[1:]",
    "out = [2**40 - i for i in range(n)]\n    out.sort()\n    out.reverse()\n    out += [2**41, 1]\n    return out",
    "out = []\n    for i in range(n):\n        out.append(i)\n    out[0] = -2**62\n    return out + [2**33]",
    "t = (1, 2**40, 3)\n    return t[n - 2]",
    "m = 0\n    for i in range(n):\n        m = max(m, 2**40 + i)\n    return m, min(m, 2**50)",
    "a = []\n    for i in range(n):\n        a.append([i, 2**40])\n    return a, a[-1][1] - 1",
    "out = [1]\n    if n > 2:\n        out = [2**40, 2]\n    return out",
    "return [v for v in [1, 2**40] if v > n]",
    "out = [2**40, n + 2**41]\n    out.sort(reverse=True)\n    return out",
    "out = []\n    for i in range(n):\n        if i % 2:\n            out.append(2**40 + i)\n    return out, len(out)",
]


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
@pytest.mark.parametrize("body", IN_LISTS)
def test_numbers_in_lists_are_exact(body, jit_compile):
    f = load(f"def f(n):\n    {body}\n")
    found = tf.function(f, jit_compile=jit_compile)(np.int64(3))
    assert tf.nest.map_structure(int, found) == f(3)


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
def test_pythons_floats_in_lists_have_64_bits(jit_compile):
    def f(n):
        parts = []
        for i in range(n):
            parts.append(0.1 * i)
        return sum(parts) == 0.1 + 0.2, max(parts) > 0.2, parts[1] == 0.1, parts

    *exact, parts = tf.function(f, jit_compile=jit_compile)(np.int64(3))
    assert [bool(x) for x in exact] == [True, False, True]
    assert [part.dtype for part in parts] == [tf.float32] * 3


def test_lists_hold_what_tensors_and_64_bits_hold():
    def tensors(n):
        out = [n]
        for _ in range(n):
            out.append(2**40)
        return out

    def large(n):
        out = []
        for _ in range(n):
            out.append(2**63)
        return out

    def late(n, a):
        out = []
        for _ in range(n):
            out.append(2**40)
        out.append(a)
        return out

    with pytest.raises(OverflowError, match="out of bounds for int32"):
        tf.function(tensors)(tf.constant(3))
    with pytest.raises(OverflowError, match="out of bounds for int32"):
        tf.function(late)(np.int64(3), tf.constant(3))

    def very_small(n):
        out = []
        for _ in range(n):
            out.append(-(2**63) - 1)
        return out

    for function in (large, very_small):
        with pytest.raises(OverflowError, match="too large for the 64 bits"):
            tf.function(function)(tf.constant(3))
    with pytest.raises(OverflowError, match="out of bounds for uint8"):
        tf.function(lambda x: x + [300])(tf.constant([3], tf.uint8))


LATE = """
def f(n, a):
    out = []
    for i in range(n):
        out.append({number} + i * 0)
    out.append(a)
    return out
"""


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int32", "uint32", "int64", "uint64"])
def test_numbers_in_a_list_fit_the_tensor_that_it_meets(dtype, jit_compile):
    limits = np.iinfo(dtype)
    for number in {limits.min, -1, 0, limits.max, limits.min - 1, limits.max + 1}:
        if -(2**63) <= number < 2**63:
            f = tf.function(load(LATE.format(number=number)), jit_compile=jit_compile)
            if limits.min <= number <= limits.max:
                assert [int(v) for v in f(np.int64(2), tf.constant(1, dtype))] == [number, number, 1]
            else:
                with pytest.raises(OverflowError):
                    f(np.int64(2), tf.constant(1, dtype))


def rounded(x):
    return round(x * 4)


def test_what_may_be_a_number_or_an_array_is_not_rounded_as_either():
    """Python makes an int of NumPy's number, and NumPy's arrays cannot be rounded this way."""
    of_any_rank = tf.function(rounded, input_signature=[tf.TensorSpec(None, tf.float32)])
    with pytest.raises(tf.errors.UnknownRankError, match=r"round\(\) of .*multiply.*ensure_shape"):
        of_any_rank(np.float32(0.6))
    known = tf.function(lambda x: rounded(tf.ensure_shape(x, ())), input_signature=[tf.TensorSpec(None, tf.float32)])
    assert known(np.float32(0.6)) == rounded(np.float32(0.6)) == 2


HALVES = [
    0.15,
    0.25,
    0.285,
    0.5,
    1.005,
    1.5,
    2.5,
    2.675,
    -0.05,
    1e22,
    5e-324,
    1e300,
    2.0**53 + 2,
    4503599627370497.5,
    12350.0,
]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("digits", [0, 1, 2, 3, 5, 16, 22, 30, -1, -2, -3, -10, -19])
def test_pythons_floats_are_rounded_to_digits_as_python_does(digits, jit_compile):
    """NumPy multiplies, rounds and divides, which gives another number for one in some thousand."""
    f = tf.function(lambda x: round(float(x), digits), jit_compile=jit_compile, numpy=True)
    drawn = np.random.default_rng(abs(digits)).integers(-(10**6), 10**6, 300) / 10.0 ** (digits + 1)
    for x in [*HALVES, *(-v for v in HALVES), 0.0, -0.0, np.inf, np.nan, *drawn, *(drawn * 1e5 + 0.5)]:
        found, wanted = f(np.float64(x)), round(float(x), digits)
        assert type(found) is float and (repr(found) == repr(wanted)), x


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("digits", [0, 2, -1, -2, -5, -18, -19, -30])
def test_pythons_whole_numbers_are_rounded_to_digits_as_python_does(digits, jit_compile):
    f = tf.function(lambda n: round(int(n), digits), jit_compile=jit_compile, numpy=True)
    drawn = np.random.default_rng(abs(digits)).integers(-(2**62), 2**62, 40).tolist()
    for n in [0, 5, 15, 25, -15, 150, 250, 349, 350, -350, 2**53 + 1, 2**60 + 12345, -(2**63), 2**63 - 1, *drawn]:
        wanted = round(n, digits)
        if -(2**63) <= wanted < 2**63:
            assert f(np.int64(n)) == wanted, n
        else:
            with pytest.raises(OverflowError):
                f(np.int64(n))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("digits", [0, 1, 3, -1, -2])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_numpys_numbers_are_rounded_to_digits_as_numpy_does(dtype, digits, jit_compile):
    f = tf.function(lambda x: round(x, digits), jit_compile=jit_compile, numpy=True)
    for x in (np.random.default_rng(1).integers(-(10**6), 10**6, 100) / 7.0).astype(dtype):
        found, wanted = f(x), round(x, digits)
        assert (found, type(found)) == (wanted, type(wanted)), x


# What Python raises for its own numbers where NumPy computes on, and where it gives another kind of number.

RAISING = """
z ** 2; 10 // k; 10 / k; k / k; 1 / z; z // z; z % z; 5 % z; divmod(9, k)[1]; 1 << k; 1000 >> k; k ** -1; k ** -2
2.0 ** k; z ** k; 10 % k; z ** -1; z ** 3; 1.5 ** z; True / k; k / True; (k > 1) / (k > 0); k < 2**70;
k != 10**30; -2**64 < k; k ** z if k >= 0 else 0; z ** 0.5 if z >= 0 else z; 7 % len(range(k)); k & 2**40
k == 2**63; k < 2**63; k >> 1
Level.HIGH > k; k + Level.LOW; k * Level.HIGH; k == Level.HIGH; max(k, Level.LOW); Level.HIGH // k
Level.HIGH % z; k // 3
"""


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 4


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("expression", [part.strip() for part in RAISING.replace("\n", ";").split(";") if part.strip()])
def test_numbers_of_pythons_raise_what_python_raises(expression, jit_compile):
    f = load(f"def f(n, x):\n    k, z = int(n), float(x)\n    return {expression}\n", Level=Level)
    staged = tf.function(f, jit_compile=jit_compile, numpy=True)
    for n, x in ((4, 2.5), (0, 0.0), (-3, -2.0), (2, -0.0), (1, 1e200)):
        given = np.int64(n), np.float64(x)
        try:
            wanted = f(*given)
        except (ArithmeticError, ValueError) as error:
            with pytest.raises(type(error), match=f"^{re.escape(str(error))}"):
                staged(*given)
        else:
            np.testing.assert_allclose(staged(*given), wanted, rtol=1e-12)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "expression, error, told",
    [
        ("z ** 0.5", tf.errors.OperatorNotAllowedInGraphError, "is complex, and only the graph knows"),
        ("(-2) ** z", tf.errors.OperatorNotAllowedInGraphError, "is complex, and only the graph knows"),
        ("1 << (k + 70)", OverflowError, "has 64 bits, which do not hold this one"),
        ("2 ** (k + 70)", OverflowError, "whole number of Python's that a graph makes, and those have 64 bits"),
        ("(k + 1) * 10**19", OverflowError, "10000000000000000000 meets a number of Python's"),
        ("k % 2**64", OverflowError, "18446744073709551616 meets a number of Python's"),
    ],
)
def test_numbers_that_no_graph_has_are_errors(expression, error, told, jit_compile):
    f = tf.function(
        load(f"def f(n, x):\n    k, z = int(n), float(x)\n    return {expression}\n"), jit_compile=jit_compile
    )
    with pytest.raises(error, match=told):
        f(np.int64(-3), np.float64(-2.5))


KINDS = ("int(n)", "float(n) * 1.25", "int(n) > 2", "2", "2.5", "True")
TOGETHER = (
    "max(x, y)", "min(x, y)", "np.where(n > 2, x, y)", "np.where(n < 2, x, y)", "np.stack([x, y])", "np.outer(x, y)",
    "np.array([x, y])", "np.clip(x, y, 9)", "tf.clip_by_value(x, y, 9)", "tf.where(n > 2, x, y)", "np.maximum(x, y)",
)  # fmt: skip


@pytest.mark.parametrize("expression", TOGETHER)
def test_numbers_of_different_kinds_have_the_values_that_python_gives_them(expression):
    for x, y in ((x, y) for x in KINDS for y in KINDS if x != y):
        f = load(f"def f(n):\n    x, y = {x}, {y}\n    return {expression}\n", np=np, tf=tf)
        try:
            wanted = f(np.int64(3))
        except TypeError:
            continue  # of a library that takes no truth values
        for jit_compile in EXECUTORS:
            made = np.asarray(tf.function(f, jit_compile=jit_compile)(np.int64(3)))
            assert np.allclose(made, np.asarray(wanted)), (x, y, made, wanted)


def test_numbers_of_different_kinds_have_one_dtype_on_every_executor():
    for x, y in (("int(n)", "True"), ("True", "int(n)"), ("int(n)", "float(n)"), ("float(n)", "True")):
        for expression in ("max(x, y)", "tf.where(n > 2, x, y)", "np.stack([x, y])"):
            f = load(f"def f(n):\n    x, y = {x}, {y}\n    return {expression}\n", np=np, tf=tf)
            dtypes = {tf.function(f, jit_compile=j)(tf.constant(3)).dtype.name for j in EXECUTORS}
            assert len(dtypes) == 1, (x, y, expression, dtypes)


COUNTED = (
    "len(str(i))", "len(f'{i}:{i}')", "len('yes' if i > 2 else 'no')", "range(i)[-1]", "sum(range(i))", "(i > 2) + 1",
    "len([v for v in range(9) if v < i])", "len(range(i))", "abs(i > 2)", "round(i / 2)",
)  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("expression", COUNTED)
def test_what_is_counted_is_a_number_of_pythons_with_64_bits(expression, jit_compile):
    f = load(f"def f(n):\n    i = int(n)\n    r = {expression}\n    return r, r * 10**12, r - 2, type(r) is int\n")
    found, wanted = tf.function(f, jit_compile=jit_compile, numpy=True)(np.int64(5)), f(np.int64(5))
    assert found == wanted and [*map(type, found)] == [*map(type, wanted)]
