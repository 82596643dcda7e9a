"""Python's whole numbers are exact in a graph, or it raises: they never wrap where 64 bits do not hold them."""

import functools
import itertools
import math
import operator

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import runtime as tf
from runtime.ops import shape
from tests.programs import EXECUTORS, load

pytestmark = pytest.mark.numpy_may_take_over  # it has integers beyond 64 bits

# What may leave 64 bits: each is given an array of whole numbers.
GROWING = """
x = 1; for v in a: x = x * int(v); return x
x = 1; for v in a: x *= 10 ** 3 * int(v); return -x
x, y = 0, 1; for _ in range(int(a[0])): x, y = y, x + y; return x
x, n = 1, int(a[0]); while n > 0: x, n = x * 10, n - 1; return x
x = 5381; for v in a: x = x * 33 + int(v); return x
x = 0; for v in a: x -= int(v) ** 2; return x
x = int(a[0]); return x * x * x - x
x = int(a[0]); return abs(x) + abs(-x)
x = int(a[0]); return -x
x = int(a[1]); return x + int(a[0]) if x > 3 else x - int(a[0])
return sum(int(v) for v in a)
return sum([int(v) for v in a])
return math.prod([int(v) for v in a])
return functools.reduce(operator.mul, [int(v) for v in a])
return list(itertools.accumulate([int(v) for v in a]))[-1]
x = 0; for v in a.tolist(): x += v; return x
return int(a.sum()) * 4
d = {'k': 1}; for v in a: d['k'] *= int(v); return d['k']
c = Box(); c.n = 1; for v in a: c.n = c.n * int(v) + 1; return c.n
return max(int(v) * 3 for v in a)
x = 1; for i in range(len(a)): x = x * (i + int(a[i])); return x % 1000
x, k = 1, 0; while x < 10 ** 30 and k < int(a[0]): x, k = x * 7 + k, k + 1; return x, k
return int(a[0]) ** 2 + int(a[1]) ** 3
return int(a[1]) ** (len(a) * 2 - 3)
return 3 ** (abs(int(a[0])) % 80)
out = []; for v in a: out.append(int(v) * 2 ** 32); return sum(out)
""".strip().splitlines()


class Box:
    pass


def program(text):
    """A function of an array, from statements with semicolons between them; what follows a loop's colon is its body."""
    lines = [f"    {part.strip()}" for part in text.split(";")]
    names = {"math": math, "operator": operator, "itertools": itertools, "functools": functools, "Box": Box}
    return load("def f(a):\n" + "\n".join(lines) + "\n", **names)


def leaves(value):
    return [int(part) for part in tf.nest.flatten(value)]


ARRAYS = [
    [3, 1, 4, 1, 5], [2**62, 2**61, 5], [-(2**63), 1], [2**62, 2**62, 5], [40, 7], [100, 200, 300, 400], [0, 2**63 - 1],
    [2**21, 2**21, 2**21], [-1, 2**63 - 1, 1],
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", [*EXECUTORS, None])
@pytest.mark.parametrize("text", GROWING)
def test_a_number_that_64_bits_do_not_hold_raises(text, jit_compile):
    f, raised = program(text), 0
    graph = tf.function(f, jit_compile=jit_compile)
    for numbers in ARRAYS:
        a = np.array(numbers, np.int64)
        try:
            found = leaves(graph(a))
        except OverflowError as error:
            assert "whole number of Python's" in str(error) or "out of bounds" in str(error)
            raised += 1
        else:
            assert found == leaves(f(a)), numbers
    assert 0 < raised < len(ARRAYS)


OPERATIONS = st.sampled_from(["x + y", "x - y", "x * y", "-x", "abs(x)", "x + 1", "3 * x", "y - 7", "x // 3", "x % 10"])
WHOLE = st.one_of(st.integers(-10, 10), st.integers(-(2**63), 2**63 - 1), st.sampled_from([2**62, -(2**63), 2**31]))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@settings(max_examples=40, deadline=None)
@given(st.lists(OPERATIONS, min_size=1, max_size=5), WHOLE, WHOLE)
def test_any_arithmetic_is_pythons_or_raises(jit_compile, operations, first, second):
    steps = "".join(f"    x, y = {text}, x\n" for text in operations)
    f = load(f"def f(a):\n    x, y = int(a[0]), int(a[1])\n{steps}    return x, y\n")
    a, x, y = np.array([first, second]), first, second
    too_large = False
    for text in operations:
        x, y = eval(text, {"abs": abs, "x": x, "y": y}), x
        too_large = too_large or not -(2**63) <= x < 2**63
    graph = tf.function(f, jit_compile=jit_compile)
    try:
        found = leaves(graph(a))
    except OverflowError:
        assert too_large
    else:
        # What nobody needs is not computed: a number may have been too large on the way.
        assert found == leaves(f(a))


# What surely stays within 64 bits, of which nothing is asked: it costs what it did.
SMALL = [
    "n = 0; while a[n] > 0: n += 1; return n",
    "n = 0; while a[0] > n: n += 3; return n",
    "s = 0; for i in range(1000): s += i * i; return s",
    "k = len(a) - 1; while k >= 0 and a[k] > 2: k -= 1; return a[k]",
    "n = 0; for v in a: n = n + 1 if v > 2 else n - 1; return n",
    "for i in range(len(a)): a[i] = a[len(a) - 1 - i]; return a",
    "n = 1; for v in a: n = (n * 31 + 7) % 1000; return n",
    "return 2 * len(a) + 1",
    "n = 0; for v in a: n = max(n + 1, 0) if v > 0 else 0; return n",
]


@pytest.mark.parametrize("text", SMALL)
def test_numbers_that_count_and_index_are_not_asked(text):
    f = program(text)
    concrete = tf.function(f).get_concrete_function(np.arange(6)[::-1])
    assert not [node.op.name for node in concrete.graph.walk() if "exact" in node.attributes]


def test_numpys_numbers_wrap_as_they_do_in_numpy():
    f = tf.function(lambda a: a[0] * 4 + 1)
    with np.errstate(over="ignore"):
        assert f(np.array([2**62])) == np.array([2**62])[0] * 4 + 1


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_what_a_loop_does_not_come_to_raises_nothing(jit_compile):
    """What is the same in each iteration is computed before the loop, but not if it may raise."""

    @tf.function(jit_compile=jit_compile)
    def f(a):
        x, out = int(a[0]), 0
        for v in a[1:]:
            if v > 0:
                out = x * x - x * x + int(v)
        return out

    assert int(f(np.array([2**62, -1, 0]))) == 0
    with pytest.raises(OverflowError):
        f(np.array([2**62, -1, 5]))


def test_the_error_names_the_users_line():
    f = program("x = 1; for v in a: x = x * int(v); return x")
    with pytest.raises(OverflowError, match=r"1267650600228229401496703205376 is a whole number of Python's") as caught:
        tf.function(f)(np.array([2**50, 2**50]))
    assert "x = x * int(v)" in "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])


COMPARED = ["k < z", "k <= z", "k > z", "k >= z", "k == z", "k != z", "z < k", "z <= k", "z > k", "z == k", "z != k"]
DIVIDED = ["k / 3", "k / j", "7 / k", "(k + 1) / (j - 1)", "k / j > 2.0"]
LARGE = [0, 1, -1, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**53 + 3, 2**62 + 1, 2**63 - 1, -(2**63), 2**63 - 512]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("expression", [*COMPARED, *DIVIDED])
def test_whole_numbers_that_floats_do_not_hold(expression, jit_compile):
    """Python compares and divides them as they are; NumPy makes floats of them first."""
    f = load(f"def f(m, a):\n    k, j, z = int(m[0]), int(m[1]), float(a[0])\n    return {expression}\n")
    graph = tf.function(f, jit_compile=jit_compile, numpy=True)
    for k, j in itertools.product(LARGE, [3, -7, 2**53 + 1] if expression in DIVIDED else [3]):
        for z in {float(k), np.nextafter(float(k), 0.0), 2.0**63, np.inf, np.nan, 0.5} if "z" in expression else {0.0}:
            given = np.array([k, j]), np.array([z])
            if "k" in expression.partition("/")[2] and k == 0:
                continue
            try:
                found = graph(*given)
            except OverflowError:
                assert expression == "(k + 1) / (j - 1)" and k == 2**63 - 1
            else:
                assert (type(found), found) == (type(f(*given)), f(*given)), (k, j, z)


def test_small_numbers_meet_floats_as_they_did():
    def f(a):
        found = 0
        for i in range(len(a)):
            if i < float(a[i]) and i / 3 < 5.0:
                found += 1
        return found

    concrete = tf.function(f).get_concrete_function(np.arange(6.0))
    assert not [node.op.name for node in concrete.graph.walk() if "exact" in node.attributes]


FAR = [*(sign * (2**e + d) for e in (52, 53, 60, 62) for d in (-1, 0, 1) for sign in (1, -1)), 0, 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("steps", [1, 3, 4, 7])
def test_ranges_of_large_numbers_are_pythons(steps):
    """NumPy counts them in floats, and loses the last number or has one too many."""
    for start, limit in itertools.product(FAR, FAR):
        for delta in {(limit - start) // steps + d for d in (-1, 0, 1)}:
            wanted = range(start, limit, delta) if delta else ()
            if not delta or len(wanted) > 99 or not -(2**63) <= delta < 2**63:
                continue
            made = shape.arange(np.array(start), np.int64(limit), np.int64(delta), np.int64)
            assert made.dtype == np.int64 and made.tolist() == [*wanted], (start, limit, delta)


@pytest.mark.parametrize("start, limit, delta", [(0, 2**62, 1), (5, -(2**63), -1), (-(2**63), 2**63 - 1, 2)])
def test_a_range_that_no_memory_holds_is_refused_and_the_other_way_it_is_empty(start, limit, delta):
    with pytest.raises(tf.errors.InvalidArgumentError, match="more numbers than any memory holds"):
        shape.arange(np.int64(start), np.int64(limit), np.int64(delta), np.int64)
    assert shape.arange(np.int64(start), np.int64(limit), np.int64(-delta), np.int64).tolist() == []


@pytest.mark.parametrize(
    "numbers",
    [
        (0.0, 1.0, 0.3),
        (1, 0.0, -0.25),
        (np.float32(0.5), 3, 1),
        (5, 5, 1),
        (0.0, 2.5e16, 5e15),
        (3e18, 0, -1e18),
        (2, 9, 3),
    ],
)
def test_ranges_of_small_numbers_and_floats_are_numpys(numbers):
    for dtype in (np.float64, np.float32, np.int64):
        made = shape.arange(*map(np.asarray, numbers), dtype)
        assert made.dtype == dtype and made.tolist() == np.arange(*numbers, dtype=dtype).tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="must not be zero"):
        shape.arange(*map(np.asarray, numbers[:2]), np.asarray(0), np.float64)
