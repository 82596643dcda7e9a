"""What NumPy refuses a graph refuses: numbers that an array cannot hold, results for arrays of another shape."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load

NUMBERS = [
    np.float64(np.nan), np.float64(-np.inf), np.float64(1e30), np.float64(300.5), np.float64(-3.5), np.float64(7.0),
    np.float32(2.0**40), np.float16(7.5), np.int64(300), np.int64(-1), np.int64(2**40), np.int16(7), np.uint8(200),
    np.bool_(True),
]  # fmt: skip
WRITES = ["a[n] = v", "a[0] = v", "a[:] = v", "a.fill(v)", "a[n] += v", "a[n] = v * 1", "a[...] = v", "a[-1:] = v"]


def outcome(f, *arguments):
    arguments = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        with np.errstate(all="ignore"):
            return repr(f(*arguments).tolist()), repr(arguments[0].tolist())
    except Exception as error:
        return type(error), repr(arguments[0].tolist())


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "bool", "float32"])
@pytest.mark.parametrize("native", EXECUTORS)
@pytest.mark.parametrize("write", WRITES)
def test_numbers_that_an_array_of_whole_numbers_does_not_hold(write, native, dtype):
    f = load(f"def f(a, v, n):\n    {write}\n    return a\n")
    graph = tf.function(f, numpy=True, jit_compile=native)
    for number in NUMBERS:
        if dtype[0] == "u" and number.dtype.kind == "f" and not 0 <= number <= 100:
            continue  # what C makes of floats that unsigned numbers do not hold differs
        if native and number.dtype == np.float16:
            continue  # has no native form
        given = np.zeros(3, dtype), number, np.int64(1)
        assert outcome(graph, *given) == outcome(f, *given), number


def test_constants_that_an_array_of_whole_numbers_does_not_hold():
    for text in ("np.nan", "float('inf')", "1e30", "2 + 1j", "300", "-1", "2.5", "np.float32(9.5)", "np.int64(400)"):
        f = load(f"def f(a, n):\n    a[n] = {text}\n    return a\n", np=np)
        for dtype in ("int8", "uint8", "int64"):
            given = np.zeros(3, dtype), np.int64(1)
            assert outcome(tf.function(f, numpy=True), *given) == outcome(f, *given), (text, dtype)


OUT = {
    "np.sum(a, axis=0, out=o)": [((2, 3), (3,)), ((2, 1), (3,)), ((2, 3), (2, 3)), ((3, 3), (1,))],
    "a.mean(axis=1, out=o)": [((2, 3), (2,)), ((2, 3), (1,)), ((2, 3), (2, 1))],
    "np.matmul(a, a.T, out=o)": [((2, 3), (2, 2)), ((1, 3), (2, 2)), ((1, 3), (1, 3))],
    "np.dot(a, a.T, out=o)": [((2, 2), (2, 2)), ((1, 1), (2, 2))],
    "np.cumsum(a, axis=0, out=o)": [((2, 3), (2, 3)), ((1, 3), (2, 3))],
    "np.add(a, 1, out=o)": [((2, 3), (2, 3)), ((1, 3), (2, 3)), ((2, 3), (3,))],
    "np.add.reduce(a, out=o)": [((2, 3), (3,)), ((2, 1), (3,))],
}


@pytest.mark.parametrize("text", OUT)
def test_results_for_arrays_of_another_shape(text):
    f = load(f"def f(a, o):\n    {text}\n    return o\n", np=np)
    for native in EXECUTORS:
        graph = tf.function(f, numpy=True, jit_compile=native)
        for shape, out in OUT[text]:
            given = np.arange(float(np.prod(shape))).reshape(shape), np.zeros(out)
            mine, plain = outcome(graph, *given)[0], outcome(f, *given)[0]
            assert mine == plain or isinstance(mine, type), (shape, out)
            assert isinstance(plain, type) or shape[0] == 1 or mine == plain, (shape, out)


# Calls whose arguments have to have one size, with sizes that differ, or may.
SIZES = [
    "np.convolve(a, b[:3], 'valid')", "np.convolve(a, b[:3], 'same')", "np.correlate(a, b[:3])",
    "np.correlate(a, b[:3], 'same')", "np.convolve(a, b[:3])", "np.bincount(a.astype(int), b)",
    "np.histogram(a, 3, weights=b)[0]", "np.gradient(a, b)", "np.lexsort((a, b))",
    "np.lib.stride_tricks.sliding_window_view(a, 3)",
]  # fmt: skip


@pytest.mark.parametrize("text", SIZES)
def test_sizes_that_do_not_fit_are_found_when_the_graph_runs(text):
    f = load(f"def f(a, b):\n    return {text}\n", np=np)
    spec = tf.TensorSpec([None], tf.float64)
    known = spec if "[:3]" not in text else tf.TensorSpec([4], tf.float64)
    for graph in (tf.function(f), tf.function(f, input_signature=[spec, known])):
        for n, m in ((4, 4), (2, 4), (5, 4), (1, 4)):
            try:
                found = np.asarray(graph(np.arange(n) * 1.5, np.arange(m) * 2.0))
            except (ValueError, TypeError, tf.errors.OpError):
                continue
            assert np.allclose(found, f(np.arange(n) * 1.5, np.arange(m) * 2.0)), (n, m)


INSERTED = [
    "np.insert(a, 0, 300)", "np.insert(a, 1, -1)", "np.insert(a, 1, 2.7)", "np.insert(a, [1, 2], [3, 4])",
    "np.insert(a, 0, a[1])", "np.pad(a, 1, constant_values=300)", "np.pad(a, 1, constant_values=-1)",
    "np.pad(a, (1, 2), constant_values=(1, 300))", "np.pad(a, 1, constant_values=2.5)", "a.put([0, 1], [3.3, 400])",
    "np.put(a, [0], [300])", "a.put(0, 5)", "a.put([0, 1], [3, 4])",
]  # fmt: skip


@pytest.mark.parametrize("text", INSERTED)
def test_numbers_that_are_put_among_others(text):
    f = load(f"def f(a):\n    b = {text}\n    return a if b is None else b\n", np=np)
    for dtype in ("int8", "uint8", "float32", "int64"):
        assert outcome(tf.function(f, numpy=True), np.arange(6).astype(dtype)) == outcome(f, np.arange(6).astype(dtype))


ELEMENTS = [
    "[np.arange(2), np.arange(2) * 2]", "[np.ones(2), np.ones(2)]", "[np.ones(2, np.float32), np.ones(2, np.float32)]",
]  # fmt: skip
UPDATES = ["+= 1.5", "+= np.ones((2, 2))", "*= 3", "-= np.float64(0.5)", "+= [1, 2]", "/= 2"]


@pytest.mark.parametrize("made", ELEMENTS)
@pytest.mark.parametrize("update", UPDATES)
def test_an_element_of_a_list_is_updated_as_an_array_is(update, made):
    f = load(f"def f(a, n):\n    rows = {made}\n    rows[n] {update}\n    return a + rows[0] * 1.0 + rows[1]\n", np=np)
    for native in EXECUTORS:
        graph = tf.function(f, numpy=True, jit_compile=native)
        assert outcome(graph, np.zeros(2), np.int64(1)) == outcome(f, np.zeros(2), np.int64(1))
