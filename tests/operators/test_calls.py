import functools
import pickle

import numpy as np
import pytest

import autograph
import runtime
from autograph import operators as ag__
from autograph.operators.calls import applied
from tests.programs import EXECUTORS, at_rest, staging


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


# What Python itself calls of the user's classes: those of objects at hand before the trace, and of descriptors.


class Descriptor:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = getattr(instance, self.name, 0)
        return value if value > 2 else 2

    def __set__(self, instance, value):
        if value > 10:
            value = 10
        setattr(instance, self.name, value)

    def __delete__(self, instance):
        setattr(instance, self.name, 0)


class Computed:
    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner=None):
        value = self.function(instance)
        return value if value > 3 else -value


class Described:
    level = Descriptor()
    other = Descriptor()

    def __init__(self, level):
        self.level = level

    @Computed
    def twice(self):
        return self.level * 2 if self.level > 4 else self.level


class Adding:
    def __init__(self, by):
        self.by = by

    def __add__(self, n):
        return n + self.by if n > 2 else n - self.by

    __radd__ = __add__

    @property
    def doubled(self):
        return Adding(self.by * 2)


ADDING = Adding(5)


def sets_a_descriptor(n, m):
    box = Described(n)
    if m > 3:
        box.level += m
    for _ in range(n):
        box.level -= 1
    return box.level, box.twice


def sets_one_only_in_a_branch(n, m):
    box = Described(m)
    if n > 2:
        box.other = m
    return box.other, box.level


def deletes_through_a_descriptor(n, m):
    box = Described(n)
    if m > 3:
        del box.level
    return box.level + n


def adds_to_a_global_object(n, m):
    return ADDING + n, m + ADDING, ADDING.doubled + m


@pytest.mark.parametrize(
    "program",
    [sets_a_descriptor, sets_one_only_in_a_branch, deletes_through_a_descriptor, adds_to_a_global_object],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_what_python_calls_of_classes_is_converted(program, jit_compile):
    staged = runtime.function(program, jit_compile=jit_compile)
    for n, m in ((4, 7), (1, -3), (0, 12), (9, 2)):
        given = np.int64(n), np.int64(m)
        assert np.array_equal(runtime.nest.map_structure(np.asarray, staged(*given)), program(*given))
