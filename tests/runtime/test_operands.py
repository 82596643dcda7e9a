"""Operators that numbers of a program on NumPy have no meaning for: the errors are Python's, word by word."""

import operator

import numpy as np
import pytest

import runtime as tf

NUMBERS = {
    "int": lambda x: int(x[0]),
    "float": lambda x: float(x[0]),
    "bool": lambda x: bool(x[0] > 0),
    "complex": lambda x: complex(x[0]),
    "round": lambda x: round(x[0]),
    "str": lambda x: "%.1f" % x[0],
}
COMPARED = "lt le gt ge".split()
OPERATORS = ["add", "sub", "truediv", "floordiv", "and", "or", "lshift", *COMPARED]


def told(function, *arguments):
    with pytest.raises(TypeError) as caught:
        function(*arguments)
    return str(caught.value)


@pytest.mark.parametrize("other", ["a", [1], (1,), {}, {1}, None, b"a", ...], ids=repr)
@pytest.mark.parametrize("number", NUMBERS)
def test_the_error_names_the_types_that_python_names(number, other):
    made = NUMBERS[number]
    for name in OPERATORS:
        apply = getattr(operator, f"__{name}__")
        programs = [lambda x, f=apply: f(made(x), other), lambda x, f=apply: f(other, made(x))]
        for function in programs[: 1 if name in COMPARED else 2]:  # Python asks the number whether it is greater
            x = np.array([3.0, 1.0])
            try:
                function(x)
            except TypeError as error:
                assert told(tf.function(function, numpy=True), x) == str(error), name


def test_equality_with_what_is_no_number_is_false():
    function = tf.function(lambda x: (int(x[0]) == "a", float(x[0]) != [1]), numpy=True)
    assert function(np.array([3.0])) == (False, True)


@pytest.mark.parametrize("keys", [
    lambda x: x * 2, lambda x: (x[0],), lambda x: (x[0], x[1] + 1), lambda x: (x[0], x), lambda x: x[0],
])  # fmt: skip
@pytest.mark.parametrize("axis", [-1, 0, 5])
def test_keys_of_lexsort_without_dimensions(keys, axis):
    def function(x):
        return np.lexsort(keys(x), axis)

    x = np.array([3.0, 1.0])
    try:
        expected = function(x)
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error)) as caught:
            tf.function(function, numpy=True)(x)
        assert str(caught.value) == str(error)
        return
    found = tf.function(function, numpy=True)(x)
    assert type(found) is type(expected) and found == expected
