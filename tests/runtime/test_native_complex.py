"""Complex numbers, products of slices and slices of any step, in machine code: what plain NumPy gives."""

import itertools

import numpy as np
import pytest

import runtime as tf
from tests.exactly import difference
from tests.fuzz.compare import same_bits
from tests.programs import EXECUTORS

pytestmark = pytest.mark.skipif(True not in EXECUTORS, reason="needs llvmlite")


def escapes(c):
    n = np.zeros(c.shape, int)
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            z, k = 0j, 0
            while abs(z) <= 2 and k < 50:
                z = z * z + c[i, j]
                k += 1
            n[i, j] = k
    return n


def elements(x, y):
    found = [x + y, x - y, x * y, x / y, -x, abs(x), np.angle(x), x.conj(), x.real, x.imag, x**2, x**3, x**4, x * 2]
    found += [x**0, x**7, np.power(x, 2.0), x**11]
    found += [x == y, x != x, np.exp(x / 10), np.sqrt(x), np.sin(x / 9), np.where(x.real > 0, x, y), x + 1.5, 1 / x]
    return [*found, np.isnan(x), np.isinf(x), np.isfinite(y), np.square(x), np.log(x), np.reciprocal(y), x.astype(bool)]


def parts(x, y):
    return [
        x.sum(), x.mean(), x.prod(), x.sum(axis=0), x.mean(axis=1), x[0, 0], x[1], x[:, ::2], x.T, x.reshape(-1),
        np.concatenate([x, y]), np.stack([x, y]), np.cumsum(x, axis=0), np.roll(x, 1, 0), np.diag(x), np.trace(x),
        np.tile(x, 2), np.pad(x, 1), np.array([x[0, 0], 2, y[1, 1]]), x[np.array([1, 0])], np.full(3, x[0, 1]),
    ]  # fmt: skip


def products(x, y):
    return x @ y, x @ y[:, 0], x[0] @ y, np.dot(x[0], y[:, 1]), np.outer(x[0], y[0]), np.vdot(x[0], y[:, 0]), x.T @ x


def writes(x, y):
    z = x.copy()
    for i in range(len(x)):
        z[i] = z[i] * 1j
        z[i, 1:] += x[i, :-1] * (1 + 2j)
    z[0] = 0
    z[:, 1] = np.arange(len(x))
    return z, y


def numbers(x, y):
    total, factor = 0j, complex(1, 2)
    for i in range(len(x)):
        total += x[i, 0] * factor
    return total, total.real, total.imag, abs(total), total.conjugate(), x[0, 0].real, x[0, 0] == 1


def transform(x, y):
    n = len(x)
    out = np.zeros(n, complex)
    for k in range(n):
        s = 0j
        for j in range(n):
            s += x[j, 0] * np.exp(-2j * np.pi * k * j / n)
        out[k] = s
    return out


def drawn(dtype, *shape):
    draw = np.random.default_rng(len(shape))
    return ((draw.normal(size=shape) + 1j * draw.normal(size=shape)) * 2).astype(dtype)


def agree(f, *arguments):
    wanted = f(*[a.copy() if isinstance(a, np.ndarray) else a for a in arguments])
    found = tf.function(f, jit_compile=True, numpy=True)(*[np.copy(a)[()] for a in arguments])
    assert not difference(found, wanted)


@pytest.mark.parametrize("size", [5, 70])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("f", [elements, parts, products, writes, numbers, transform], ids=lambda f: f.__name__)
def test_complex_numbers(f, dtype, size):
    if size < 10 or f in (elements, products):
        agree(f, drawn(dtype, size, size), drawn(dtype, size, size)[::-1])


def test_points_that_escape():
    agree(escapes, drawn(np.complex128, 6, 7))


def test_edges_of_complex_arithmetic():
    big, tiny = 1e300, 1e-300
    values = [0, 1, 1j, -1 - 1j, big, big * 1j, complex(big, tiny), complex(tiny, -big), complex(np.inf, 1), np.nan]
    x, y = map(np.array, zip(*itertools.product(values, repeat=2)))
    with np.errstate(all="ignore"):
        agree(lambda x, y: (x / y, x * y, x == y, np.abs(x), np.reciprocal(y), np.isinf(x)), x + 0j, y + 0j)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_reciprocals_are_numpys_to_the_last_bit(dtype):
    numbers = [0.0, -0.0, 1.0, -1.0, 3.0, 0.3, 1e-30, -1e30, np.inf, -np.inf, np.nan]
    x = np.array([complex(*pair) for pair in itertools.product(numbers, repeat=2)], dtype)
    with np.errstate(all="ignore"):
        wanted = np.reciprocal(x)
    assert same_bits(tf.function(tf.math.reciprocal, jit_compile=True)(x).numpy(), wanted)


def test_long_arrays_are_divided_among_threads():
    x = drawn(np.complex128, 400_000)
    agree(lambda x, f: (x * f + x.conj(), (x * x).sum()), x, np.complex128(2 - 1j))


def test_what_numpys_libraries_compute_is_handed_back():
    def f(a, b):
        found = np.zeros(3)
        for i in range(3):
            found[i] = np.linalg.solve(a + i * np.eye(3), b)[0] * 2 + i
        return found, np.linalg.det(a), np.fft.fft(b * 2), np.einsum("ij,j->i", a, b)

    a = np.arange(9.0).reshape(3, 3) + 4 * np.eye(3)
    agree(f, a, np.array([1.0, 2.0, 3.0]))


def slices(a, b, x, n):
    return [
        a[:n, :n] @ x[:n], x[:n] @ a[:n, :n], a.T[:n, :n] @ x[:n], x[:n] @ a.T[:n, :n], a[:n, :n] @ b[:n, 3],
        b[:n, 3] @ a[:n, :n], a[:n, 2] @ b[:n, 3], a[2, :n] @ b[:n, 3], x[::-1][:n] @ b[:n, 3], a[:n, :n] @ x[::-1][:n],
        a[:n, :n] @ b[:n, :n], a[:n, :n] @ x[::2][:n], a[:0, :n] @ x[:n], a[:n, :0] @ x[:0], np.dot(a[:, 1], b[:, 2]),
        a[::2, ::2] @ x[::2], a @ x, x @ a, a[:, :1] @ x[:1], x[:1] @ a[:1],
    ]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128, np.int64])
@pytest.mark.parametrize("size", [8, 200])
def test_products_of_slices_with_gaps(dtype, size):
    draw = np.random.default_rng(0)
    a, b, x = ((draw.normal(size=shape) * 3).astype(dtype) for shape in ((size, size), (size, size), size))
    f = tf.function(slices, jit_compile=True, numpy=True)
    for n in (0, 1, 3, size // 2):
        assert not difference(f(a, b, x, np.int64(n)), slices(a, b, x, n))


def test_slices_of_any_step():
    def f(x, i, j, k):
        y = x.copy()
        y[i:j:k] = -1
        return x[i:j:k], y, x[::k], x[i::k], x[:j:k]

    far = 2**62
    g = tf.function(f, jit_compile=True, numpy=True)
    for n in (0, 1, 5):
        x = np.arange(float(n))
        for i, j, k in itertools.product((-far, -7, -1, 0, 2, 9), (-far, -6, 0, 3, far), (-(2**63), -3, -1, 1, 2, far)):
            bounds = [np.int64(v) for v in (i, j, k)]
            assert not difference(g(x, *bounds), f(x, *bounds))
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        g(np.ones(3), np.int64(0), np.int64(1), np.int64(0))


@pytest.mark.parametrize("f", [np.var, np.std, np.linalg.norm, np.sort, np.max, np.isclose], ids=lambda f: f.__name__)
def test_what_is_not_written_for_complex_numbers_is_refused_or_right(f):
    x = drawn(np.complex128, 3, 4)

    def call(x):
        return f(x, x + 1) if f is np.isclose else f(x)

    try:
        agree(call, x)
    except tf.errors.InvalidArgumentError as error:
        assert "complex numbers" in str(error)
