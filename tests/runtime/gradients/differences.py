"""Gradients by differences, to compare with."""

import itertools

import numpy as np


def weights_for(shape, kind="f", seed=0):
    """Numbers by which results count, none like another."""
    numbers = np.random.default_rng(seed).uniform(0.5, 1.5, (2, *shape))
    return numbers[0] + 1j * numbers[1] if kind == "c" else numbers[0]


def by_differences(function, arrays, number, step=1e-6):
    """How a sum, a float64, changes with each element of one of the arrays; of complex ones, with both their parts."""
    x = np.asarray(arrays[number])
    made = np.zeros(x.shape, x.dtype)
    for index in np.ndindex(x.shape):
        for part in (1, 1j) if x.dtype.kind == "c" else (1,):
            values = []
            for sign in (1, -1):
                moved = x.copy()
                moved[index] += sign * step * part
                values.append(function(*arrays[:number], moved[()], *arrays[number + 1 :]))
            made[index] += part * (values[0] - values[1]) / (2 * step)
    return made


def close(found, wanted, tolerance=1e-5):
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=tolerance, atol=tolerance)


def product(*options):
    return list(itertools.product(*options))
