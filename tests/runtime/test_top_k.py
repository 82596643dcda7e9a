"""The largest elements of rows, few or many of them: ties in the order of their places, NaN before all numbers."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS

KINDS = [
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
]
SHAPES = [(5,), (3000,), (7, 300), (2, 3, 400), (0, 300), (300, 1), (40, 60)]


def wanted(x, k):
    """What Python's stable sorting gives."""
    rows = x.reshape(-1, x.shape[-1])
    order = [sorted(range(len(row)), key=lambda i: (row[i] == row[i], -float(row[i]), i))[:k] for row in rows]
    places = np.array(order, np.int32).reshape(*x.shape[:-1], k)
    return np.take_along_axis(x, places, -1), places


def numbers(kind, shape, among):
    """Few or many distinct numbers, with NaN among them if there are: here and there, or everywhere."""
    made = np.random.default_rng(0).integers(0, among, shape)
    if np.dtype(kind).kind != "f":
        return made.astype(kind)
    values = made / 2.0 - 4.0
    return np.where(made % 7 == 3 if among > 1 else True, np.nan, values).astype(kind)


@pytest.mark.parametrize("kind, jit", [(k, j) for k in KINDS for j in EXECUTORS if k != "float16" or not j])
def test_largest(kind, jit):
    for shape in SHAPES:
        for k in {0, 1, min(3, shape[-1]), shape[-1]}:
            for among in (1, 3, 100):
                x = numbers(kind, shape, among)
                values, places = tf.function(lambda x, k=k: tf.math.top_k(x, k), jit_compile=jit)(tf.constant(x))
                expected = wanted(x, k)
                np.testing.assert_array_equal(places, expected[1], err_msg=f"{shape} {k} {among}")
                np.testing.assert_array_equal(values, expected[0], err_msg=f"{shape} {k} {among}")


@pytest.mark.parametrize("jit", EXECUTORS)
def test_rows_of_unknown_length(jit):
    f = tf.function(
        lambda x: tf.math.top_k(x, 2), input_signature=[tf.TensorSpec([None, None], tf.float32)], jit_compile=jit
    )
    for shape in [(1, 2), (3, 2000), (2000, 3), (0, 5)]:
        x = numbers("float32", shape, 20)
        for found, expected in zip(f(x), wanted(x, 2)):
            np.testing.assert_array_equal(found, expected)
    with pytest.raises(tf.errors.InvalidArgumentError, match="no 2 elements"):
        f(np.zeros((4, 1), np.float32))
