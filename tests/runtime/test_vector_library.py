"""Functions of elements in native code: how far from the exact value, and the same for equal numbers everywhere."""

import numpy as np
import pytest

import runtime

pytest.importorskip("llvmlite")

from runtime.executors.native import vector_library  # noqa: E402 - it needs llvmlite

ONE = {
    "sin": (-1e3, 1e3), "cos": (-1e3, 1e3), "tan": (-1e3, 1e3), "arcsin": (-1, 1), "arccos": (-1, 1),
    "arctan": (-50, 50), "sinh": (-60, 60), "cosh": (-60, 60), "arcsinh": (-1e4, 1e4), "arccosh": (1, 1e4),
    "arctanh": (-1, 1), "cbrt": (-1e6, 1e6), "exp2": (-100, 100), "log2": (1e-30, 1e30), "log10": (1e-30, 1e30),
}  # fmt: skip
TWO = {"arctan2": (-10, 10), "hypot": (-1e10, 1e10), "power": (0, 5)}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, 1e-40, 5e-324, 1e22, -1e30, 3.4e38, 2.0, -2.5]
MOST = 4  # units in the last place, as the C library promises

names = pytest.mark.parametrize("name", [*ONE, *TWO])
dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def arguments(name, dtype, count):
    draw = np.random.default_rng(len(name))
    low, high = {**ONE, **TWO}[name]
    return [draw.uniform(low, high, count).astype(dtype) for _ in range(2 if name in TWO else 1)]


def native(name):
    function = getattr(np, name)
    if name in TWO:
        return runtime.function(lambda x, y: function(x, y), jit_compile=True, numpy=True)
    return runtime.function(lambda x: function(x), jit_compile=True, numpy=True)


@names
@dtypes
def test_errors_are_as_documented(name, dtype):
    given = arguments(name, dtype, 20_011)
    found = native(name)(*given)
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(*(x.astype(np.longdouble) for x in given))
    step = np.spacing(np.abs(exact).astype(dtype))
    off = np.abs(found.astype(np.longdouble) - exact) / step
    assert found.dtype == dtype and np.max(off) <= MOST


@names
@dtypes
def test_special_numbers(name, dtype):
    with np.errstate(all="ignore"):
        one = np.array(SPECIAL).astype(dtype)
        given = [one] if name in ONE else [np.repeat(one, len(one)), np.tile(one, len(one))]
        wanted = getattr(np, name)(*(x.astype(np.longdouble) for x in given)).astype(dtype)
    found = native(name)(*given)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    np.testing.assert_array_equal(np.signbit(found[~np.isnan(wanted)]), np.signbit(wanted[~np.isnan(wanted)]))
    np.testing.assert_allclose(found, wanted, rtol=4 * np.finfo(dtype).eps, atol=0 if dtype == np.float64 else 1e-44)


@dtypes
def test_a_power_of_one_half_is_the_root_that_numpy_takes(dtype):
    x = np.array(SPECIAL).astype(dtype)
    for function in (lambda x: x**0.5, lambda x: np.power(x, 0.5)):
        found = runtime.function(function, jit_compile=True, numpy=True)(x)
        with np.errstate(all="ignore"):
            wanted = function(x)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found[~np.isnan(wanted)]), np.signbit(wanted[~np.isnan(wanted)]))


@names
@dtypes
@pytest.mark.parametrize("known", [True, False])
def test_equal_numbers_have_equal_results_wherever_they_stand(name, dtype, known):
    function = native(name)
    spec = [runtime.TensorSpec([None], dtype)] * (2 if name in TWO else 1)
    open_sizes = runtime.function(function.python_function, jit_compile=True, input_signature=spec)
    values = arguments(name, dtype, 3)
    for count in (1, 2, 5, 8, 17, 64, 131):
        given = [np.full(count, x[0]) for x in values]
        found = np.asarray(function(*given) if known else open_sizes(*given))
        assert len({number.tobytes() for number in found}) == 1


@names
def test_where_the_library_has_none(name, monkeypatch):
    monkeypatch.setattr(vector_library, "found", lambda name, dtype: False)
    given = arguments(name, np.float64, 100)
    np.testing.assert_allclose(native(name)(*given), getattr(np, name)(*given), rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_in_loops_of_the_graph(dtype):
    """Where a loop computes numbers, one after the other or several at a time, they are as near."""

    @runtime.function(jit_compile=True, numpy=True)
    def damped(x):
        out = np.empty_like(x)
        for i in range(len(x)):
            y = x[i]
            while y > 0.5:
                y = np.sin(y) * np.cos(y * 0.3)
            out[i] = y + np.arctan2(y, x[i])
        return out

    x = np.linspace(0, 3, 400).astype(dtype)
    wanted = np.empty_like(x)
    for i, y in enumerate(x):
        while y > 0.5:
            y = np.sin(y) * np.cos(y * dtype(0.3))
        wanted[i] = y + np.arctan2(y, x[i])
    np.testing.assert_allclose(damped(x), wanted, rtol=1e-4 if dtype == np.float32 else 1e-12)
