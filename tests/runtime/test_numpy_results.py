"""Functions that give NumPy's arrays and numbers: what they give is what they give without a graph."""

import itertools
import math

import numpy as np
import pytest

import runtime as tf
from tests.exactly import difference
from tests.programs import EXECUTORS, load


def hits(x):
    n = len(x)
    count = 0
    for i in range(n):
        if x[i] > 0.5:
            count += 1
    return count, 4 * count / n, count > 3


def doubled(n):
    s, i = 1, 0
    while i < n:
        s *= 3
        i += 1
    return s, i, np.array([s, 1])


def crc(a):
    c = 0xFFFF
    for b in a:
        c ^= int(b)
        c = (c >> 1) ^ (0x8408 if c & 1 else 0)
    return c


def choices(x):
    total = 0
    for i in range(len(x)):
        total += np.where(i > 0, i, 2)
    return total, np.where(x > 0, 1, 2), np.where(x > 0, 1.5, 2)


def shapes(x):
    return x.shape, x.ndim, x.size, len(x), x.T.shape[0] * 0.5, x[:, 0].shape


def lists(x):
    found, pairs = [], []
    for i in range(len(x)):
        found.append(i * 0.5)
        pairs.append((i, x[i]))
    return found, pairs


def made(x):
    z = np.zeros(3)
    return z, np.zeros(3, int), z, [1, 2.5, True, "text", None], {"a": x[0], "b": 7}


def numbers(x):
    i, f = int(x[0]), float(x[1])
    return i, f, i + 1, f * 2, np.float64(i), np.float32(f), np.int8(i), x[0].item(), round(f), min(f, 0.5), x.sum() > f


def functions(x):
    return np.allclose(x, x), np.array_equal(x, x), np.size(x), np.sum(x), np.argmax(x), x.max().item(), math.sqrt(2)


def small(x):
    return x + 1, x * 2.0, x + np.float32(1), x / 2, x > 1, x.mean(), x[0] + 1, x[0] * 0.5


def arrays_of_numbers(x):
    of_one = np.asarray(x[0])
    of_one += 1
    of_one[...] = of_one * 2
    kinds = isinstance(np.asarray(x.max()), np.ndarray), np.isscalar(np.asarray(x[0])), np.isscalar(x[0])
    again = np.asarray(of_one)
    return (
        of_one, x[0], kinds, again is of_one, np.asarray(x.sum()), np.asanyarray(x[1]), np.asarray(x[0], x.dtype),
        np.asarray(x[0], np.float32), np.asarray(len(x)), np.broadcast_to(x[0], ()), np.asarray(x[:1]),
        np.asarray(x) is x,
    )  # fmt: skip


def either(x):
    if x[0] > 0:
        return x * 2
    return None


PROGRAMS = {
    hits: np.linspace(0, 1, 300), doubled: np.int64(30), crc: np.arange(200, dtype=np.uint8),
    choices: np.arange(60.0) - 3, shapes: np.ones((2, 3)), lists: np.arange(200.0), made: np.arange(3.0),
    numbers: np.array([2.75, 0.1]), functions: np.arange(4.0), small: np.array([1, 2], np.float32),
    either: np.array([-1.0]), arrays_of_numbers: np.array([1.5, 2.5]),
}  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_results_are_those_of_the_program(f, jit_compile):
    x = PROGRAMS[f]
    try:
        found = tf.function(f, jit_compile=jit_compile, numpy=True)
        for _ in range(3):  # the short ways of later calls, too
            assert not difference(found(x), f(x))
    except tf.errors.InvalidArgumentError as error:
        assert "jit_compile=True" in str(error)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.float16, np.float32, np.complex64])
def test_small_dtypes_stay_small(dtype):
    x = np.array([1, 2, 3], dtype)

    def f(x):
        return x + 1, x[0] * 2, x * 0.5, x.sum(), x / 3, -x

    assert not difference(tf.function(f, numpy=True)(x), f(x))


OF_TWO = [
    np.hypot, np.arctan2, np.logaddexp, np.logaddexp2, np.copysign, np.heaviside, np.true_divide, np.float_power,
    np.power, np.floor_divide, np.mod, np.fmod, np.maximum, np.add, np.multiply, np.bitwise_and, np.greater, np.divmod,
]  # fmt: skip
KINDS = "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8".split()


@pytest.mark.parametrize("function", OF_TWO, ids=lambda function: function.__name__)
def test_arrays_of_two_dtypes_make_one_of_numpys_dtype(function):
    def f(x, y):
        return function(x, y)

    graph = tf.function(f, numpy=True)
    for first, second in itertools.product(KINDS, repeat=2):
        x, y = np.array([3, 1, 2]).astype(first), np.array([1, 3, 2]).astype(second)
        try:
            wanted = f(x, y)
        except TypeError:
            with pytest.raises(TypeError):
                graph(x, y)
        else:
            parts = zip(wanted, graph(x, y)) if isinstance(wanted, tuple) else [(wanted, graph(x, y))]
            assert all(a.dtype == b.dtype for a, b in parts), (first, second)


def test_sizes_that_only_the_graph_knows_are_pythons():
    f = tf.function(shapes, numpy=True, input_signature=[tf.TensorSpec([None, None], tf.float64)])
    x = np.ones((2, 3))
    assert not difference(f(x), shapes(x))
    as_tensors = tf.function(lambda x: x.shape, input_signature=[tf.TensorSpec([None, None], tf.float64)])
    assert [int(n) for n in as_tensors(x)] == [2, 3]


def test_an_array_that_is_given_and_returned_is_that_array():
    @tf.function(numpy=True)
    def f(x, y):
        x[0] = 5
        return x, x[1:], x.T, y, x * 1

    x, y = np.ones((3, 3)), np.ones(2)
    same, rows, turned, other, new = f(x, y)
    assert same is x and other is y and rows.base is x and turned.base is x
    rows[0, 0] = 9
    assert x[1, 0] == 9 and new[1, 0] == 1


COPIES = [
    lambda a: a.copy(), lambda a: np.array(a), lambda a: np.copy(a), lambda a: a.flatten(), lambda a: a.astype(a.dtype),
    lambda a: a.copy() if len(a) < 2 else a[:1].copy(), lambda a: np.array(a.copy()),
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("shape", [(0,), (1,), (3,), (0, 2)])
@pytest.mark.parametrize("f", COPIES)
def test_a_copy_is_another_array(f, shape, jit_compile):
    given = np.ones(shape)
    graph = tf.function(f, jit_compile=jit_compile, numpy=True)
    for _ in range(2):
        found = graph(given)
        assert found is not given and not np.shares_memory(found, given) and not difference(found, f(given))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_each_result_can_be_written_and_nothing_else_sees_it(jit_compile):
    @tf.function(numpy=True, jit_compile=jit_compile)
    def f(x):
        return np.zeros(3), np.zeros(3), x + 1, np.ones(3) * 2

    for _ in range(2):
        x = np.zeros(3)
        results = f(x)
        for number, result in enumerate(results):
            result += number + 1
        assert [r.tolist() for r in results] == [[1] * 3, [2] * 3, [4] * 3, [6] * 3] and x.tolist() == [0] * 3


# What may, or may not, be the memory of an argument: by a branch, by how often a loop runs, by what is called.
PERHAPS_GIVEN = [
    "y = x * 2\nfor i in range(n):\n    y = x[::-1] if i % 2 else x",
    "y = x * 2\nwhile n > 0:\n    n = n - 1\n    if n % 2:\n        y = x",
    "y = x * 2\nif n > 1:\n    y = x[:2]\nelse:\n    y = y[:2]",
    "y, z = x * 2, x\nfor i in range(n):\n    y, z = z, y",
    "y = x + 1\nfor i in range(n):\n    for j in range(n):\n        y = x if i * j == 1 else y",
    "y = K\nfor i in range(n):\n    y = K[::-1]",
]


@pytest.mark.parametrize("numpy", [True, False])
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", PERHAPS_GIVEN)
def test_results_of_statements_keep_their_values_when_arguments_are_written(body, jit_compile, numpy):
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    result = "y" if numpy else "y + 0"  # a statement tells which array it is
    for n in map(np.int64, range(4)):
        constants, given = [np.arange(3.0), np.arange(3.0)], [np.array([5.0, 6.0, 7.0]) for _ in range(2)]
        plain = load(f"def f(x, n):\n{lines}\n    return {result}\n", K=constants[0])
        graph = load(f"def f(x, n):\n{lines}\n    return y\n", K=constants[1])
        both = [plain(given[0], n), tf.function(graph, jit_compile=jit_compile, numpy=numpy)(given[1], n)]
        for x in given:
            x[:] = 77
        np.testing.assert_array_equal(both[1], both[0])
        if numpy:
            for found in both:
                found[...] = 99
            assert constants[0].tolist() == constants[1].tolist()
            assert given[0].tolist() == given[1].tolist()


def test_a_function_inside_of_another_gives_what_it_gives_alone():
    @tf.function(numpy=True)
    def inner(x):
        x += 1
        return x, len(x), x[0], x.sum() > 2, 2.5

    def f(call, x):
        same, count, first, large, number = call(x)
        same[0] = count
        return x, np.float32(1) * number, np.float32(1) * count, first * np.float32(2), large, np.int8(1) + count

    for x in (np.ones(3), np.ones(3, np.float32)):
        plain, staged = x.copy(), x.copy()
        wanted = f(inner.python_function, plain)
        found = tf.function(lambda x: f(inner, x), numpy=True)(staged)
        assert not (difference(found, wanted) or difference(staged, plain))


def test_results_of_tensors_are_arrays():
    f = tf.function(lambda x: (x * 2, tf.reduce_sum(x)), numpy=True)
    assert not difference(f(tf.constant([1.0, 2.0])), (np.array([2, 4], np.float32), np.float32(3)))


def test_pythons_dtypes_are_numpys():
    def f(x):
        return x.astype(int), x.astype(float), np.zeros(2, float), np.full(2, len(x)), np.full(2, 0.5 * len(x))

    x = np.ones(2, np.float32)
    assert not difference(tf.function(f, numpy=True)(x), f(x))


def test_methods_and_copies_keep_the_option():
    class Scaled:
        def __init__(self, factor):
            self.factor = factor

        @tf.function(numpy=True)
        def of(self, x):
            return x * self.factor

    assert type(Scaled(2).of(np.ones(2))) is np.ndarray
    assert type(tf.function(numpy=True)(np.sum)(np.ones(2))) is np.float64


def test_a_tape_refuses_what_it_cannot_follow():
    f, v = tf.function(lambda x: (x * x).sum(), numpy=True), tf.Variable(3.0)
    g = tf.function(lambda: v * v, numpy=True)
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        assert f(np.ones(2)) == 2  # what it does not follow is as ever
        for call in (lambda: f(x), g):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Leave numpy=True out where a tape records"):
                call()
    assert f(x) == 5 and g() == 9


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("n", range(5))
def test_steps_between_as_many_numbers_as_the_graph_says(n, endpoint):
    f = tf.function(lambda x, n: np.linspace(x, x + 3, n, endpoint, True), jit_compile=False, numpy=True)
    for found, wanted in zip(f(np.float64(1), np.int64(n)), np.linspace(1.0, 4.0, n, endpoint, True)):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("kind", ["uint8", "uint16", "uint32", "uint64", "int8", "int32"])
def test_loops_over_ranges_that_end_before_they_start(kind):
    @tf.function(jit_compile=False)
    def f(a, b):
        count, last = 0, tf.cast(0, kind)
        for i in tf.range(a, b):
            count, last = count + 1, i
        return count, last

    for a, b in ((5, 2), (2, 5), (3, 3), (100, 120)):
        count, last = f(tf.constant(a, kind), tf.constant(b, kind))
        assert (int(count), int(last)) == (max(b - a, 0), b - 1 if b > a else 0)
