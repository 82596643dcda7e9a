"""What a program has NumPy do about floating-point errors: a graph ignores them, and refuses to tell of them."""

from __future__ import annotations

import numpy as np
import pytest

import runtime
from autograph import StagingError


def divided(a, b, mode):
    if mode == "raise":
        with np.errstate(divide="raise", invalid="raise"):
            return a / b
    if mode == "zero":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(a / b, nan=0, posinf=0, neginf=0)
    return a / b


def of_a_variable(a, b, mode):
    with np.errstate(all=mode):
        return a / b


def set_for_all(a, b, mode):
    before = np.seterr(mode)
    try:
        return a / b
    finally:
        np.seterr(**before)


def in_a_loop(a, b, mode):
    total = 0.0
    for x, y in zip(a, b):
        if y > 0:
            with np.errstate(divide=mode):
                total += x / y
    return total


def under_a_clause(a, b, mode):
    try:
        with np.errstate(divide=mode):
            return a / b
    except Exception:
        return a


PROGRAMS = [divided, of_a_variable, set_for_all, in_a_loop, under_a_clause]
NUMERATOR, DIVISOR = np.array([1.0, 0.0, 6.0]), np.array([0.0, 0.0, 3.0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_ignores_errors_is_what_it_is_in_python(program):
    staged = runtime.function(program, numpy=True)
    for mode in ("ignore", "warn") if program is not divided else ("zero", "ignore"):
        before = np.geterr()
        np.testing.assert_array_equal(staged(NUMERATOR, DIVISOR, mode), program(NUMERATOR.copy(), DIVISOR.copy(), mode))
        assert np.geterr() == before


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_tells_of_errors_is_refused_where_it_is_asked_for(program):
    name = "seterr" if program is set_for_all else "errstate"
    with pytest.raises(StagingError, match=rf"np\.{name} is to raise floating-point errors"):
        runtime.function(program, numpy=True)(NUMERATOR, DIVISOR, "raise")
