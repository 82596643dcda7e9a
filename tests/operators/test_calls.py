import functools
import pickle

import numpy as np
import pytest

import autograph
import runtime
from autograph import operators as ag__
from autograph.operators.calls import applied
from tests.programs import at_rest, staging


@pytest.fixture(autouse=True)
def nothing_is_traced():
    with at_rest():
        yield


def double(x):
    return x * 2 if x > 0 else x


class Doubles:
    def __call__(self, x):
        return double(x)

    def method(self, x):
        return double(x)


@pytest.mark.parametrize(
    "function", [double, Doubles(), Doubles().method, functools.partial(double), abs, "{}".format, Doubles, np.tanh]
)
def test_while_nothing_is_traced_a_function_is_itself(function):
    assert ag__.converted(function) is function


@pytest.mark.parametrize("function", [double, Doubles(), Doubles().method, functools.partial(double), abs, float])
def test_the_converted_form_does_the_same(function):
    expected = function(3)
    with staging():
        assert ag__.call(function, 3) == ag__.converted(function)(3) == expected


def test_a_user_function_is_converted_while_something_is_traced():
    with staging():
        made = ag__.converted(double)
        assert autograph.is_converted(made) and ag__.converted(double) is made
        assert autograph.is_converted(ag__.converted(Doubles().method).__func__)
        assert autograph.is_converted(ag__.converted(functools.partial(double, 3)).func)
    assert ag__.converted(double) is double


def test_an_error_shows_no_frame_of_the_operator():
    def fails():
        raise KeyError("mine")

    with pytest.raises(KeyError) as error:
        ag__.call(fails)
    assert [entry.name for entry in error.traceback] == [error.traceback[0].name, "fails"]


def test_what_is_handed_to_a_built_in_function_pickles_as_it_was():
    assert applied(double) is double
    with staging():
        made = applied(double)
        assert made is not double and made(3) == 6
        assert pickle.loads(pickle.dumps(made)) is double


def test_staged_arguments_reach_the_built_in_function():
    def f(x):
        return abs(x) + max(x, 2) + len([x, x])

    assert [int(runtime.function(f)(np.int64(n))) for n in (-3, 5)] == [f(-3), f(5)]
