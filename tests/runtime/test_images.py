"""What is done to the results of a convolution is done before they are stored, if nothing needs them as they were."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")
from runtime.executors.native import machine


def convolved(x, w):
    return tf.nn.conv2d(x, w, 1, "SAME")


def squeezed(x, w):
    return tf.nn.relu(convolved(x, w))


def several_operations(x, w):
    return np.tanh(tf.nn.relu(convolved(x, w))) * 2.0


def needed_before(x, w):
    y = convolved(x, w)
    return y, tf.nn.relu(y)


def needed_twice(x, w):
    y = convolved(x, w)
    return np.square(y) + y, y * y


def by_the_library(x, w):
    return np.sin(tf.nn.relu(convolved(x, w)))


def pooled(x, w):
    return tf.nn.max_pool2d(squeezed(x, w), 2, 2, "VALID")


def one_after_the_other(x, w):
    i, same = tf.constant(0), w[:, :, :, : x.shape[-1]]
    while i < 2:
        x = tf.nn.relu(convolved(np.tanh(x), same))
        i += 1
    return convolved(x, w)


def in_branches(x, w):
    y = convolved(x, w)
    if np.sum(x) > 0:
        z = tf.nn.relu(y)
    else:
        z = -y
    return z


PROGRAMS = [
    squeezed, several_operations, needed_before, needed_twice, by_the_library, pooled, one_after_the_other, in_branches,
]  # fmt: skip


def images(size, channels, units, window, dtype):
    draw = np.random.default_rng(size).standard_normal
    x, w = draw((2, size, size, channels)), draw((window, window, channels, units)) * 0.2
    return tf.constant(x.astype(dtype)), tf.constant(w.astype(dtype))


@pytest.mark.sampled(6, each="program")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("sizes", [(9, 3, 5, 3), (14, 4, 20, 2), (16, 32, 40, 3), (13, 33, 64, 3)], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_convolutions_and_what_follows(program, sizes, dtype):
    given = images(*sizes, dtype)
    native, plain = (tf.function(program, jit_compile=compile_)(*given) for compile_ in (True, False))
    transformed = dtype == np.float32 and sizes[1] >= 32 and sizes[3] == 3
    for a, b in zip(tf.nest.flatten(native), tf.nest.flatten(plain), strict=True):
        # In units of the last place of the largest result, since the order of additions is free.
        terms = sizes[1] * sizes[3] ** 2
        places = (150 if transformed else max(20, terms / 3)) * np.finfo(dtype).eps
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=0, atol=places * np.abs(b.numpy()).max())


@pytest.mark.parametrize("program, loops", [(squeezed, 1), (needed_before, 2)], ids=["once", "twice"])
def test_a_result_is_stored_once_unless_it_is_needed_before(program, loops, monkeypatch):
    texts = []
    compile_ = machine._optimised
    monkeypatch.setattr(machine, "_optimised", lambda module, *a: texts.append(str(module)) or compile_(module, *a))
    tf.function(program, jit_compile=True)(*images(64, 3, 64, 5, np.float32))
    (text,) = [t for t in texts if "@core" in t]
    assert text.count("define internal i32 @part") == loops


@pytest.mark.parametrize("units", [1, 2, 16])
def test_what_follows_a_convolution_may_be_one_number(units):
    images, filters = np.ones((1, 3, 3, 1), np.float32), np.ones((1, 1, 1, units), np.float32)
    f = tf.function(lambda x, w: np.imag(tf.nn.conv2d(x, w, 1, "VALID")), jit_compile=True)
    np.testing.assert_array_equal(np.asarray(f(images, filters)), np.zeros((1, 3, 3, units)))
