"""NumPy's functions that are written in Python, and ask whether they were given an array."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

import runtime

SERIES = {
    polynomial.polyval: "polynomial", chebyshev.chebval: "chebyshev", legendre.legval: "legendre",
    laguerre.lagval: "laguerre", hermite.hermval: "hermite", hermite_e.hermeval: "hermite_e",
}  # fmt: skip
COEFFICIENTS = np.arange(12.0).reshape(4, 3)


@pytest.mark.parametrize("value", SERIES, ids=SERIES.values())
def test_series_of_several_columns(value):
    """One value for each column and each element: the shape says that an array was seen to be one."""

    def program(x):
        return value(x, COEFFICIENTS), value(x, COEFFICIENTS[:, :2], tensor=False), value(x[0, 0], COEFFICIENTS)

    staged = runtime.function(program, numpy=True)
    for x in (np.array([[0.5, 1.0], [2.0, -1.0]]), np.array([[3.0, 0.0], [1.0, 1.5]])):
        for found, wanted in zip(staged(x), program(x)):
            assert type(found) is type(wanted)
            assert found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_values_from_roots():
    def program(x):
        return polynomial.polyvalfromroots(x, [1.0, 2.0, 3.0])

    x = np.linspace(-1, 4, 6).reshape(2, 3)
    np.testing.assert_allclose(runtime.function(program, numpy=True)(x), program(x), atol=1e-12)
