"""Loops that try again, and what else is caught where something turns out to be known."""

from contextlib import suppress

import numpy as np
import pytest

import runtime


def breaks(x):
    y = 0
    for k in range(len(x)):
        try:
            y = 10 // int(x[k])
            break
        except ZeroDivisionError:
            pass
    return y


def returns(x):
    for k in range(len(x)):
        try:
            return 10 // int(x[k])
        except ZeroDivisionError:
            continue
    return -1


def with_an_else(x):
    n = 0
    for k in range(len(x)):
        try:
            y = 10 // int(x[k])
        except ZeroDivisionError:
            n += 1
            continue
        else:
            break
    else:
        return -5
    return y, n


def suppressed(x):
    for k in range(len(x)):
        with suppress(ZeroDivisionError):
            return 10 // int(x[k])
    return -3


def raised_there(x, most=3):
    for k in range(most):
        try:
            if x[k] < 2:
                raise ValueError("small")
            return x[k]
        except ValueError:
            pass
    return 0.0


def literal(x):
    for attempt in range(3):
        try:
            v = int(x[attempt])
            break
        except (ValueError, OverflowError):
            v = -1
    return v


def collected(x):
    out = []
    for k in range(len(x)):
        try:
            out.append(6 // int(x[k]))
        except ZeroDivisionError:
            out.append(-1)
    return out


def forever(x):
    i = 0
    n = 0
    while True:
        try:
            i = int(x[i])
            n += 1
        except IndexError:
            return n
        if n > 10:
            return -n


def unpacked(x):
    try:
        a, b = x[x > 0]
        return a - b
    except ValueError as error:
        return str(error)[:8]


def first_item(x):
    try:
        return next(v for v in x if v > 2)
    except StopIteration:
        return -1.0


def helper(x):
    for k in range(len(x)):
        try:
            return 10 // int(x[k])
        except ZeroDivisionError:
            pass
    return 7


def around_a_helper(x):
    try:
        return helper(x)
    except AssertionError:
        return -77


PROGRAMS = [  # fmt: skip
    breaks,
    returns,
    with_an_else,
    suppressed,
    raised_there,
    literal,
    collected,
    forever,
    first_item,
    around_a_helper,
    unpacked,
]
VALUES = [[0.0, 3, 1], [0.0, 0, 0], [2.0, 1, 5], [np.nan, 1, 2], [-1.0, 0, 4], [1.0, 2, 9]]


def observed(f, given):
    try:
        return repr(np.asarray(f(np.array(given))).tolist())  # a number that is one or another is NumPy's
    except (ValueError, ZeroDivisionError, IndexError) as error:
        return repr(error)


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_loops_that_try_again(f, jit_compile):
    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    assert [observed(g, given) for given in VALUES] == [observed(f, given) for given in VALUES]


def test_what_is_returned_elsewhere_may_be_unbound():
    def f(x, m):
        n = 0
        for k in range(m):
            if x[k] != 0:
                y = 10 // int(x[k])
                break
            n += 1
        else:
            return -5
        return y, n

    g = runtime.function(f, numpy=True)
    for given in VALUES[:3]:
        assert g(np.array(given), np.array(3)) == f(np.array(given), 3)


def test_an_index_error_is_no_value_error():
    def f(x):
        try:
            return x[5]
        except ValueError:
            return -1.0
        except IndexError:
            return -2.0

    assert runtime.function(f, numpy=True)(np.ones(2)) == -2.0
    for jit_compile in (None, False, True):
        with pytest.raises(IndexError) as found:
            runtime.function(lambda x, i: x[i], numpy=True, jit_compile=jit_compile)(np.ones(2), np.int64(7))
        assert type(found.value) is IndexError


def test_what_python_says_of_a_stand_in_is_not_caught():
    def f(x):
        i, text = int(x[0]), "hello"
        try:
            return "aeiou".encode(text[i]) > b"a"
        except (TypeError, IndexError):
            return False

    with pytest.raises(TypeError, match="was raised by what was given a value that only the graph knows"):
        runtime.function(f, numpy=True)(np.array([1.0]))
