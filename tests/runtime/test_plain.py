"""Python's own numbers in graphs that NumPy runs: quicker, and the same to the last bit."""

import warnings

import numpy as np
import pytest

import runtime as tf
from tests.programs import load


def text(f, *arguments):
    return str(tf.function(f, jit_compile=False).get_concrete_function(*arguments).graph)


def newton(x, n):
    i, guess = 0, x
    while i < n and abs(guess * guess - x) > 1e-9:
        guess = 0.5 * (guess + x / guess)
        i += 1
    return guess


def divides_by_zero(x, n):
    i, y = 0, 1.0
    while i < n:
        y = y * 0.5 + 1.0 / (x - x)
        i += 1
    return y


def overflows(x, n):
    i = 0
    while i < n:
        x = x * x * 1e200
        i += 1
    return x, x - x


def meets_single_precision(x, n):
    y, i = tf.constant(0.1), 0
    while i < n:
        x = x * 1.1
        y = y + tf.cast(x, tf.float32)
        i += 1
    return y, x * tf.constant([1.0, 2.0], tf.float64)


def flags(x, n):
    found, odd, i = False, True, 0
    while i < n and not found:
        odd = not odd
        found = x > 3.0 or (odd and x < -3.0)
        x = x * -1.5
        i += 1
    return found, odd, tf.math.logical_xor(found, odd), tf.cast(found, tf.float32), tf.stack([found, odd])


def starts_without_a_number(x, n):
    best, i = float("nan"), 0
    while i < n:
        if not best >= x:
            best = x
        x = x - 0.25
        i += 1
    return best, -best


def remainders(x, n):
    i = 0
    while i < n:
        x = (x * 1.7) % 0.3 - (x // 0.2) + x**2.0
        i += 1
    return x


def powers_and_functions(x, n):
    i = 0
    while i < n:
        x = tf.maximum(tf.sqrt(abs(x)), tf.exp(-x * 0.1)) + 0.0 * x
        i += 1
    return x, tf.where(x > 1.0, x, -x)


PROGRAMS = [
    newton, divides_by_zero, overflows, meets_single_precision, flags, starts_without_a_number, remainders,
    powers_and_functions,
]  # fmt: skip


@pytest.mark.parametrize("x", [0.0, -0.0, 2.0, -7.25, 1e200, float("inf"), float("nan")])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_results_are_those_of_numpys_numbers(program, x):
    arguments = np.float64(x), np.int64(5)
    mine = tf.nest.flatten(tf.function(program, jit_compile=False)(*arguments))
    with np.errstate(all="ignore"):
        wanted = tf.nest.flatten(program(*map(tf.constant, arguments)))
    for a, b in zip(mine, wanted, strict=True):
        b = np.asarray(b)
        assert isinstance(a, tf.Tensor) and (a.dtype == b.dtype or isinstance(b[()], int | float))
        np.testing.assert_array_equal(a, b)
        assert np.array_equal(np.signbit(a), np.signbit(b)) or np.isnan(b).all() or b.dtype == bool


def test_loops_read_as_they_were_written():
    found = text(flags, np.float64(1), np.int64(3))
    assert "np.logical" not in found.split("return")[0] and "np.float64(" not in found
    assert "while i < n and not found:" in found


def test_what_a_loop_reads_is_made_a_number_before_it():
    def f(x, y, n):
        i = 0
        z = tf.exp(y)
        while i < n:
            x = x * z - 1.0
            i += 1
        return x

    found = text(f, np.float64(1), np.float64(2), np.int64(3))
    before, inside = found.split("while")
    assert "float(" in before and "float(" not in inside.split("return")[0]


def test_graphs_without_loops_have_numpys_numbers_alone():
    assert "float(" not in text(lambda x: x * 2.0 + 1.0 if x > 0.0 else x, np.float64(1)).replace("np.float64(", "")


MADE = [
    "t", "-t", "t * 0.5", "tf.cast(t, tf.float64)", "tf.cast(-t, tf.float64)",
    "tf.cast(-t * 1.0, tf.float64)", "(t if x > 0.0 else -t)",
]  # fmt: skip
USES = [
    "0.0 / {}", "{} / 0.0", "tf.cast(k, tf.float64) / {}", "{} % 0.0", "{} // 0.0",
    "{} ** -1.0", "0.0 ** {}", "x / {}",
]  # fmt: skip


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("made", MADE)
def test_what_python_refuses_of_its_numbers_is_refused_and_numpys_go_on(made, use):
    source = (
        "def f(x, n):\n    k, t, total, best = 0, 0.0, x * 0.0, x\n    while k < n:\n"
        f"        if not (total > {use.format(made)}):\n            best = x + {use.format(made)}\n"
        f"        total = total + {use.format(made)}\n        t, k = t - 0.5, k + 1\n    return total, best"
    )
    program = load(source, tf=tf)
    staged = tf.function(program, jit_compile=False)
    for x in (0.0, 2.0, -3.0):
        with np.errstate(all="ignore"):
            try:
                wanted = program(np.float64(x), 4)
            except ZeroDivisionError:
                with pytest.raises(ZeroDivisionError):
                    staged(np.float64(x), np.int64(4))
            else:
                np.testing.assert_array_equal(staged(np.float64(x), np.int64(4)), wanted)


def counts_and_indexes(x, n):
    i, total, last = 0, 0.0, -1
    while i < n:
        for j in range(i % 3 + 1):
            total = total + abs(x[i - j]) * (i // 2 - j)
            last = j if x[i] > x[j] else last
        i += 1
    return total, i, last


def smallest_so_far(x, n):
    a = np.zeros((n + 1, 2))
    for i in range(1, n + 1):
        a[i, 0] = min(a[i - 1, 0], x[i - 1] - 1.0, a[i - 1, 1])
        a[i, 1] = max(a[i - 1, 1], abs(x[i - 1])) + i
    return a


def wraps(x, n):
    h, small, i = np.int64(2**62 - 1), np.int32(2**31 - 3), 0
    while i < n:
        h, small, i = h * 3 + i, small + np.int32(1), i + 1
    return h, small


def counts_down(x, n):
    found, i = [], n
    while i > 0 and x[i - 1] >= -5.0:
        i -= 1
        found.append(i)
    return found, i - 1, i * i


def chooses_of_whole_numbers(x, n):
    y = (x * 3.0).astype(np.int64)
    best, at = y[0], 0
    for i in range(1, n):
        d = y[i] - y[i - 1] + (2 if y[i] == y[i - 1] else -i)
        best, at = max(best, d), (i if d > best else at)
    return best, at, best + at


ARRAYS = [counts_and_indexes, smallest_so_far, wraps, counts_down, chooses_of_whole_numbers]


@pytest.mark.parametrize("values", [[0.5, -2.0, 3.25, 3.25, -0.0], [np.nan, np.inf, -np.inf, 1.0, 1e308]])
@pytest.mark.parametrize("program", ARRAYS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("jit", [False, True], ids=["numpy", "native"])
def test_whole_numbers_and_items_are_as_in_numpy(program, values, jit):
    x, n = np.array(values), np.int64(len(values))
    if program is chooses_of_whole_numbers and np.isnan(x[0]):
        x = np.arange(5.0) % 3
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = program(x, n)
    mine = tf.function(program, jit_compile=jit, numpy=True)(x, n)
    for a, b in zip(tf.nest.flatten(mine), tf.nest.flatten(wanted), strict=True):
        np.testing.assert_array_equal(a, b)
        assert np.asarray(a).dtype == np.asarray(b).dtype


def test_counters_and_items_are_read_as_pythons_numbers():
    inside = text(smallest_so_far, np.ones(500), 500).split("while")[1]
    assert ".item(" in inside and "np.where" not in inside and "np.int" not in inside and "wide(" not in inside


def test_whole_numbers_of_pythons_stay_that_within_a_loop():
    def f(x, m, n):
        k, best, i = int(m), int(m), 0
        while i < n:
            k = (k * 3 - i) % 1000003
            best = k + 1 if k > best else -best
            x = x * 0.5 + k
            i += 1
        return k, best, x

    given = np.float64(1), np.int64(5), np.int64(3)
    inside = text(f, *given).split("while")[1].split("return")[0]
    assert "exact(" in inside and "int(" not in inside and "np." not in inside
    assert [np.asarray(v).item() for v in tf.function(f, jit_compile=False)(*given)] == list(f(1.0, 5, 3))


def chosen(x, n):
    i, y = 0, 0.0
    while i < n:
        y = y * 0.5 + tf.where(i < 2, x, -x)
        i += 1
    return y


def compared(x, n):
    i, less, y = 0, False, 0.0
    while i < n:
        less = y < x
        y = y + 1.0 if less else y - 0.5
        i += 1
    return less, y


def put_at_the_end(x, n):
    out, i = [x], 0
    while i < n:
        out.append(x)
        i += 1
    return tf.stack(out)


def becomes_infinite(x, n):
    best, i = float("inf"), 0
    while i < n:
        best = float("-inf") if best < x else best - 1.0
        i += 1
    return best


@pytest.mark.parametrize(
    "function, before, inside",
    [
        (chosen, "y, i = 0.0, 0", "add = y * 0.5 + (x if i < 2 else negative)"),
        (compared, "less, y, i = False, 0.0, 0", "less_1 = y < x"),
        (put_at_the_end, "i, out = 0, list_pack", "written(out, len(out), x, True)"),
        (becomes_infinite, "best, i = np.float64(np.inf), 0", "result = np.float64(-np.inf)"),
    ],
)
def test_numbers_of_a_loop_are_pythons_where_these_are_quicker(function, before, inside):
    first, loop = text(function, np.float64(1), np.int64(3)).split("while")
    assert before in first and inside in loop


def test_an_index_outside_is_still_refused():
    def f(x, n):
        total = 0.0
        for i in range(n):
            total = total + x[i]
        return total

    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        tf.function(f, jit_compile=False)(np.ones(3), np.int64(4))


def test_a_choice_computes_both_as_numpy_does():
    def f(x, n):
        i, y = 0, 0.0
        while i < n:
            y = y + tf.where(i < 1, 1.0, x[i + 1])
            i += 1
        return y

    with pytest.raises(IndexError):
        tf.function(f, jit_compile=False)(np.ones(1), np.int64(1))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64])
@pytest.mark.parametrize("factor", [1.5, -2e5, 1e30, np.inf, np.nan])
def test_an_integer_is_made_of_any_float(factor, dtype):
    """Python refuses to make one of what is not finite, and NumPy does not."""

    def f(x, n):
        z = np.zeros(3, dtype)
        z[n % 3] = np.float64(x[0]) * factor
        y, i = x[0] * 0.5, 0
        while i < n and y != x[1]:
            y, i = y * y, i + 1
        return y, (x[0] * factor).astype(dtype), (y * factor).astype(dtype), z

    x, n = np.array([3, 2]), np.int64(4)
    for jit_compile in (None, False):
        try:
            wanted = repr(f(x, n))
        except (OverflowError, ValueError) as error:
            with pytest.raises(type(error), match=str(error)):
                tf.function(f, numpy=True, jit_compile=jit_compile)(x, n)
        else:
            assert repr(tf.function(f, numpy=True, jit_compile=jit_compile)(x, n)) == wanted
