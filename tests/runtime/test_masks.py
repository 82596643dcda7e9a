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


CHOSEN = {"x[m]": 1, "x[a]": 2, "x[:, b]": 2, "x[a, 1]": 1, "z[m]": 2, "z[:, n]": 2, "z[m, 1:]": 2, "z[m, None]": 3,
          "z[..., n]": 2, "z[0, n]": 1, "x[None, m]": 2, "x[t]": 3}  # fmt: skip


@pytest.mark.parametrize("text", CHOSEN)
def test_how_many_dimensions_are_left_is_known(text):
    ranks = []
    f = load(
        f"def f(x, z, m, n, a, b, t):\n    y = {text}\n    note(len(y.shape))\n    return y, y.shape\n",
        note=ranks.append,
    )
    x, z = np.arange(20.0).reshape(4, 5), np.arange(60.0).reshape(4, 5, 3)
    arguments = x, z, x > 3, z[0] > 3, x[:, 1] > 3, x[1] > 6, np.array(True)
    staged = runtime.function(f, numpy=True, jit_compile=False)
    assert not difference(staged(*arguments), f(*arguments)) and ranks[0] == CHOSEN[text]
