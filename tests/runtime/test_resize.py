"""Pictures in other sizes: what each number of the result is made of, on all executors, whatever sizes are known."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS

PICTURES = [(8, 9, 3), (1, 7, 1), (2, 5, 4, 3), (3, 1, 1, 2), (1, 6, 3, 1), (0, 4, 5, 3), (2, 4, 5, 0)]
SIZES = [(16, 18), (3, 2), (1, 1), (5, 11), (4, 5)]


def height(distance, method):
    """What an old row counts for in a new one, by how far apart they are."""
    if method == "bilinear":
        return max(1 - distance, 0)
    if distance < 1:
        return (1.5 * distance - 2.5) * distance**2 + 1
    return ((-0.5 * distance + 2.5) * distance - 4) * distance + 2 if distance < 2 else 0


def along(x, axis, new, method, antialias):
    old = x.shape[axis]
    width = max(old / new, 1.0) if antialias else 1.0
    rows = []
    for i in range(new):
        middle = (i + 0.5) * old / new - 0.5
        if method == "bicubic" and not antialias:
            middle = np.floor(middle) + np.rint((middle - np.floor(middle)) * 1024) / 1024
        weights = np.array([height(abs(middle - j) / width, method) for j in range(old)])
        rows.append(np.tensordot(x, weights / weights.sum(), ([axis], [0])))
    return np.stack(rows, axis)


@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("method", ["bilinear", "bicubic"])
@pytest.mark.parametrize("jit", [None, *EXECUTORS])
def test_resize(jit, method, antialias):
    def resized(x, size):
        return tf.image.resize(x, size, method, antialias=antialias)

    for shape in PICTURES:
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        unknown = [tf.TensorSpec([None] * len(shape), tf.float32), tf.TensorSpec([2], tf.int32)]
        for size in SIZES:
            rows = along(x.astype(np.float64), -3, size[0], method, antialias)
            wanted = along(rows, -2, size[1], method, antialias)
            if jit is None:
                found = [resized(tf.constant(x), size)]
            else:
                found = [
                    tf.function(lambda x, size=size: resized(x, size), jit_compile=jit)(x),
                    tf.function(resized, input_signature=unknown, jit_compile=jit)(x, size),
                ]
            for made in found:
                assert made.dtype == tf.float32
                np.testing.assert_allclose(made, wanted, atol=4e-6, err_msg=f"{shape} {size}")


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float16", "float64"])
def test_other_numbers_become_float32(dtype):
    x = np.arange(24).reshape(2, 4, 3).astype(dtype)
    np.testing.assert_array_equal(tf.image.resize(x, [4, 8]), tf.image.resize(x.astype(np.float32), [4, 8]))


@pytest.mark.parametrize("jit", EXECUTORS)
def test_gradient(jit):
    """Of a sum, to which each old number adds what it counts for in all new ones."""
    x = np.ones((1, 3, 4, 2), np.float32)

    @tf.function(jit_compile=jit)
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(tf.image.resize(x, [7, 5]))
        return tape.gradient(total, x)

    counts = [along(np.eye(n), 0, new, "bilinear", False).sum(0) for n, new in ((3, 7), (4, 5))]
    wanted = np.broadcast_to(np.multiply.outer(*counts)[None, :, :, None], x.shape)
    np.testing.assert_allclose(gradient(tf.constant(x)), wanted, atol=1e-6)


def test_sizes_that_are_known_stay_so():
    for dims, wanted in [([None, 32, 32, 3], [None, 64, 8, 3]), ([None, None, 3], [64, 8, 3])]:
        f = tf.function(lambda x: tf.image.resize(x, [64, 8]), input_signature=[tf.TensorSpec(dims)])
        assert f.get_concrete_function().structured_outputs.shape.as_list() == wanted


FITTED = [
    lambda x: tf.image.resize_with_crop_or_pad(x, 5, 8), lambda x: tf.image.resize_with_pad(x, 5, 8),
    lambda x: tf.image.resize_with_pad(x, 7, 3, "nearest"), lambda x: tf.image.central_crop(x, 0.4),
]  # fmt: skip


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("number", range(len(FITTED)))
def test_pictures_are_cut_and_padded_whose_size_only_the_graph_knows(number, jit):
    change = FITTED[number]
    for dims in ([None, None, 2], [None, None, None, 2]):
        f = tf.function(change, input_signature=[tf.TensorSpec(dims)], jit_compile=jit)
        for height, width in ((4, 6), (9, 7), (5, 8), (6, 20), (11, 3)):
            shape = [height, width, 2] if len(dims) == 3 else [3, height, width, 2]
            x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
            wanted = change(x)
            assert f(x).shape == wanted.shape
            np.testing.assert_allclose(f(x), wanted, rtol=1e-6)
        if number < 3:
            known = f.get_concrete_function().structured_outputs.shape.as_list()
            assert known[-3:-1] == wanted.shape.as_list()[-3:-1]
