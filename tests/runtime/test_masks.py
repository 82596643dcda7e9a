"""Arrays indexed by truth values, among slices and numbers, for reading and for writing."""

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import load

WRITES = [
    "x[y > 2] = x[y > 2] ** 2",
    "x[m] = y[m]",
    "x[m] += 1",
    "x[m, 1] = 5",
    "x[m, 1] = y[m, 0]",
    "x[1:, :2][m[1:]] = y[1:, 1:][m[1:]]",
    "x[y > 2] *= y[y > 2]",
    "x[m] = y[0]",
    "x[m] = np.arange(3.0 * m.sum()).reshape(-1, 3)",
    "x[:, n] = y[:, n]",
    "x[..., n] = y[..., 0:1]",
    "x[1, n] = 7",
    "x[1:3, n] += 3",
    "x[::-1, n] = y[:, n]",
    "x[None, m] = y[None, m]",
    "x[m] = y[:1]",
    "x[m, :] = -x[m]",
]


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("text", WRITES)
def test_what_a_mask_chooses(text, jit_compile):
    f = load(f"def f(x, y):\n    m, n = y[:, 0] > 2, y[0] > 9\n    {text}\n    return x, x[m, 1:], x[:, n]\n", np=np)
    x, y = np.arange(12.0).reshape(4, 3), np.arange(12.0).reshape(4, 3)[::-1].copy()
    mine, theirs = x.copy(), x.copy()
    found = runtime.function(f, numpy=True, jit_compile=jit_compile)(mine, y)
    assert not (difference(found, f(theirs, y)) or difference(mine, theirs, "the argument"))


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("text", ["x[m] = y[:2]", "x[m[1:]] = 0", "x[m, 0] = y[m, 0][:-1]"])
def test_a_mask_that_does_not_fit(text, jit_compile):
    f = load(f"def f(x, y):\n    m = y[:, 0] > 2\n    {text}\n    return x\n")
    for function in (f, runtime.function(f, jit_compile=jit_compile)):
        with pytest.raises((ValueError, IndexError)):
            function(np.zeros((4, 3)), np.arange(12.0).reshape(4, 3))
