"""NumPy's functions that call one of the user's for each part of an array, or go through its elements or windows."""

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import load

X = np.arange(24.0).reshape(4, 6)[:, ::-1] % 7 + 0.25
K = np.array([[5, 7, 1], [27, 3, 2]])


@np.vectorize
def steps(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


@np.vectorize
def larger(a, b):
    return a - b if a > b else a + b


def both(v):
    return v + 1, v > 2


NAMES = {
    "np": np, "steps": steps, "larger": larger, "apart": np.vectorize(both),
    "whole": np.vectorize(lambda v: int(v), otypes=[float]), "windows": np.lib.stride_tricks.sliding_window_view,
}  # fmt: skip

CALLS = [
    "steps(k)",
    "larger(x, x[0])",
    "larger(x[0], 2.0)",
    "larger(3, x)",
    "apart(x)",
    "whole(x)",
    "np.vectorize(lambda v, t: v if v > t else t)(x, 3.0)",
    "np.vectorize(np.sin)(x)",
    "np.vectorize(lambda u, v: u + v, otypes=[float])(x.astype(np.float32) / 3, x[::-1] / 7)",
    "np.vectorize(lambda u: (u + 0.1) * 3, otypes=[np.float32])((x / 7).astype(np.float32))",
    "np.vectorize(lambda u: u * 1j * u, otypes=[complex])((x / 7 + 0.3j).astype(np.complex64))",
    "np.vectorize(lambda u: u * 9, otypes=[int])(k.astype(np.int8))",
    "larger(x[0, 0], 1.5)",
    "np.apply_along_axis(np.sum, 0, x)",
    "np.apply_along_axis(np.sort, 1, x)",
    "np.apply_along_axis(lambda v: v.max() - v[v > 2].sum(), 1, x)",
    "np.apply_along_axis(lambda v, c: v * c, 0, x, 3)",
    "np.apply_along_axis(lambda v, c=1: v.mean() if v[0] > c else -c, 1, x, c=2.0)",
    "np.apply_along_axis(lambda v: np.outer(v[:2], v[:3]), 1, x)",
    "np.apply_along_axis(np.cumsum, 1, x.reshape(2, 2, 6))",
    "np.apply_along_axis(np.argmax, -1, x)",
    "np.apply_along_axis(np.sum, 0, x[0])",
    "windows(x[0], 3)",
    "windows(x[0], 3).mean(axis=1)",
    "windows(x, (2, 3)).max(axis=(2, 3))",
    "windows(x, 2, axis=0)",
    "windows(x, (2, 2), axis=(1, 1))",
    "windows(x[x > 2], window_shape=2)",
    "np.add.reduceat(x[0], [0, 2, 5])",
    "np.add.reduceat(x, [0, 3, 1, 2], axis=1)",
    "np.add.reduceat(np.add.reduceat(x, np.arange(0, 4, 2), axis=0), np.arange(0, 6, 2), axis=1)",
    "np.maximum.reduceat(x, [1, 1, 3])",
    "np.multiply.reduceat(k, [0, 1], axis=-1, dtype=np.float32)",
    "np.add.reduceat(k.astype(np.uint8), [1, 0])",
    "np.logical_or.reduceat(x > 3, [0, 2])",
    "[i * j + v for (i, j), v in np.ndenumerate(x) if v > 2]",
    "sum(v * i for (i,), v in np.ndenumerate(x[0]))",
    "[at for at, v in np.ndenumerate(x[:2, :2])]",
    "sum(v for v in np.nditer(x))",
]


def check(f, jit_compile):
    arguments = X.copy(), K.copy()
    found = runtime.function(f, numpy=True, jit_compile=jit_compile)(*arguments)
    assert not difference(found, f(X.copy(), K.copy()))


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("text", CALLS)
def test_what_is_called_for_parts_of_arrays(text, jit_compile):
    check(load(f"def f(x, k):\n    return {text}\n", **NAMES), jit_compile)


def largest(x, k):
    best, place = -1.0, (0, 0)
    doubled = np.zeros_like(x)
    for (i, j), v in np.ndenumerate(x):
        doubled[i, j] = 2 * v
        if v > best:
            best, place = v, (i, j)
    total = 0.0
    for (i,), v in np.ndenumerate(x[x > 3]):
        total += i * v
    return best, place, doubled, total


@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_loop_over_the_elements_and_their_places(jit_compile):
    check(largest, jit_compile)


@pytest.mark.parametrize(
    "text, error, words",
    [
        ("np.vectorize(abs, excluded=[1])(x)", TypeError, "np.vectorize with excluded"),
        ("np.vectorize(np.sum, signature='(n)->()')(x)", TypeError, "np.vectorize with signature"),
        ("np.add.reduceat(x[0], [0, 6])", IndexError, r"index 6 out-of-bounds in add.reduceat \[0, 6\)"),
        ("np.add.reduceat(x[0], k[0] + 9)", IndexError, "out-of-bounds in add.reduceat"),
        ("windows(x[0], 9)", ValueError, "cannot be larger than input array shape"),
        ("windows(x, 2)", ValueError, "1 window_shape elements and 2 axes"),
        ("windows(x[0], 2, writeable=True)", TypeError, "writeable="),
        ("windows(x[0], k[0, 0])", TypeError, "only the graph knows the window's shape"),
    ],
)
def test_what_is_refused(text, error, words):
    with pytest.raises(error, match=words):
        check(load(f"def f(x, k):\n    return {text}\n", **NAMES), False)
