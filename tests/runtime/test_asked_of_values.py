"""What a program asks of its values with `numpy=True` is answered as it is without a graph."""

import collections.abc
import numbers
import typing
from collections.abc import Iterable, Sized
from typing import SupportsIndex

import numpy as np
import pytest

import runtime
from tests.programs import load

NAMES = {
    "np": np, "numbers": numbers, "collections": collections, "typing": typing, "Iterable": Iterable, "Sized": Sized,
    "SupportsIndex": SupportsIndex,
}  # fmt: skip
PROTOCOLS = [
    *(f"collections.abc.{name}" for name in collections.abc.__all__ if "Async" not in name and name != "Buffer"),
    *(f"typing.Supports{name}" for name in ("Abs", "Bytes", "Complex", "Float", "Index", "Int", "Round")),
    *(f"numbers.{name}" for name in numbers.__all__),
    "Iterable", "(str, Sized)", "int | Sized", "SupportsIndex", "(int, float)", "np.ndarray", "np.generic",
]  # fmt: skip
ATTRIBUTES = (
    "__abs__ __array__ __array_interface__ __array_priority__ __bool__ __call__ __contains__ __dict__ __float__ "
    "__getitem__ __hash__ __index__ __int__ __iter__ __len__ __next__ __reversed__ __setitem__ append bit_length dtype "
    "hex is_integer item keys ndim numerator real shape tolist"
).split()
QUESTIONS = {
    "isinstance": "[isinstance(v, kind) for kind in KINDS]",
    "written": f"[{', '.join(f'isinstance(v, {kind})' for kind in PROTOCOLS)}]",
    "hasattr": "[hasattr(v, name) for name in ATTRIBUTES]",
    "type": "(type(v), type(v).__name__, v.__class__, callable(v), np.isscalar(v), isinstance(v, type(v)))",
}
VALUES = {
    "a float": "float(y)",
    "an int": "int(n)",
    "a bool": "bool(y > 1)",
    "NumPy's float": "y",
    "NumPy's int": "n",
    "NumPy's bool": "y > 1",
    "a float32": "np.float32(y)",
    "a complex number": "complex(y, 1)",
    "NumPy's complex number": "x[0, 0] * 1j",
    "an array": "x",
    "a row": "x[0]",
    "an element": "x[0, 0]",
    "an array of no dimensions": "np.array(y)",
    "an int of a loop": "counted(n)",
    "a list of the graph's": "positive(x[0])",
    "a tuple": "(y, n)",
    "one of two ints": "(n if y > 1 else 3 * n)",
    "a number of an array's size": "len(x) * 2",
}
SOURCE = """
def counted(n):
    i = 0
    while i * i < n:
        i += 1
    return i

def positive(values):
    found = []
    for value in values:
        if value > 0:
            found.append(value)
    return found

def f(x, n, y):
    v = {}
    return {}
"""


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("value", VALUES)
def test_a_question_is_answered_as_of_the_value_itself(value, question):
    kinds = [eval(kind, NAMES) for kind in PROTOCOLS if kind.startswith(("numbers", "(int", "np."))]
    f = load(SOURCE.format(VALUES[value], QUESTIONS[question]), KINDS=kinds, ATTRIBUTES=ATTRIBUTES, **NAMES)
    staged = runtime.function(f, numpy=True)
    x = np.array([[1.5, -2.0, 3.0], [0.5, 1.0, 2.0]])
    for y in (2.5, 0.5):
        assert staged(x, np.int64(5), np.float64(y)) == f(x, np.int64(5), np.float64(y))


def test_what_may_be_a_number_or_an_array_has_the_class_that_it_has():
    def f(x, y):
        value = y if y > 1 else x
        return type(value + 1).__name__, hasattr(value, "__len__"), type(np.sqrt(value))

    for y in (2.0, 0.5):
        assert runtime.function(f, numpy=True)(np.ones(2), np.float64(y)) == f(np.ones(2), np.float64(y))
