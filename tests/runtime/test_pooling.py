"""Windows that lie outside of their image in part, or altogether, on NumPy and natively, whatever sizes are known."""

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.ops import nn
from runtime.tensors.operations import apply

pytest.importorskip("llvmlite")

WINDOWS = [(2, 1), (2, 2), (3, 1), (1, 3), (3, 3)]
SIZES = [(1, 1), (1, 4), (2, 1), (3, 2), (5, 4)]


def images(shape, seed):
    made = np.random.default_rng(seed).integers(-4, 5, shape) / 2.0
    return made.astype(np.float64)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("how", ["max", "avg", "choice"])
@pytest.mark.parametrize("strides, dilations", [((1, 1), (2, 1)), ((2, 1), (1, 1)), ((1, 1), (3, 2)), ((3, 3), (1, 2))])
@pytest.mark.parametrize("window", WINDOWS)
def test_windows_that_hold_no_pixel(window, strides, dilations, how):
    options = {"window": window, "strides": strides, "padding": "SAME", "dilations": dilations}
    row = nn.pool_choice if how == "choice" else nn.unpool
    options |= {} if how == "choice" else {"how": how}
    for size, known in itertools.product(SIZES, (True, False)):
        x = images((2, *size, 3), 0)
        other = (
            x * 2 - 1 if how == "choice" else images(nn.pooled(x, "max", window, strides, "SAME", dilations).shape, 1)
        )
        spec = [tf.TensorSpec(v.shape if known else [None] * 4, tf.float64) for v in (x, other)]

        def f(x, other):
            return apply(row, x, other, **options)

        with np.errstate(all="ignore"):
            wanted = tf.function(f, input_signature=spec, jit_compile=False)(x, other)
            found = tf.function(f, input_signature=spec, jit_compile=True)(x, other)
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=f"{size} {known}")
