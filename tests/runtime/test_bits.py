"""NumPy's functions about the bits of numbers: to the last bit, for zeros, infinities and the smallest floats, too."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS

FLOATS = [0.0, -0.0, 1.0, -2.5, 0.1, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 2.5e-308, 1.7e308, 1e-45, 3.4e38]
WHOLE = [0, 1, -1, 12, -18, 7, 30, -128, 127]


def same(found, wanted):
    for a, b in zip(*(v if isinstance(v, tuple) else (v,) for v in (found, wanted))):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(np.signbit(a[a == a]), np.signbit(b[b == b]))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_floats(kind, jit_compile):
    with np.errstate(all="ignore"):
        x = np.array(FLOATS).astype(kind)
        for f in (np.frexp, np.spacing, lambda x: np.ldexp(*np.frexp(x))):
            same(tf.function(f, numpy=True, jit_compile=jit_compile)(x), f(x))
        for other in (*FLOATS, np.float32(1.5)):
            f = lambda x, other=other: np.nextafter(x, other)
            same(tf.function(f, numpy=True, jit_compile=jit_compile)(x), f(x))
        powers = [0, 3, -3, 1023, -1070, 5000, -5000, 2**40]
        for power in powers:
            f = lambda x, n: np.ldexp(x, n)
            same(tf.function(f, numpy=True, jit_compile=jit_compile)(x, np.int64(power)), np.ldexp(x, np.int64(power)))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_divisors(kind, jit_compile):
    x = np.array(WHOLE).astype(kind)

    def f(x):
        found = np.gcd.outer(x, x), np.lcm(x, 6), np.gcd(x, x[3]), np.bitwise_count(x)
        return *found, np.gcd.reduce(x), np.lcm.reduce(x[3:5]), np.gcd.reduce(x[x == 12]), np.gcd.accumulate(x)

    same(tf.function(f, numpy=True, jit_compile=jit_compile)(x), f(x))


def test_no_multiple_of_nothing():
    for f, size in ((np.lcm.reduce, 0), (lambda x: np.lcm.reduce(x[x > 100]), 3)):
        with pytest.raises(ValueError, match="zero-size array to reduction operation lcm which has no identity"):
            tf.function(f, numpy=True)(np.zeros(size, np.int64))
