"""What a graph alone knows to be an index of Python's sequences, or how often one is repeated, is one where Python says
so, and raises what Python raises elsewhere."""

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load, outcome

INDICES = {
    "Python's or NumPy's": "min(3, x[1])", "from a branch": "(1 if x[0] > 2 else x[1])",
    "a float of NumPy's": "x[0] * 1.0",
    "a float of Python's": "len(x) * 0.5", "a float in one branch": "(1.0 if x[0] > 2 else x[1])",
    "a float in the other": "(1.0 if x[0] > 5 else x[1])", "a truth value": "(x[0] > 2)", "an array": "x[:1]",
    "an array of floats": "x / 2",
}  # fmt: skip
SEQUENCES = [
    "[5, 6, 7, 8]",
    "(5, 6, 7, 8)",
    "'text'",
    "b'text'",
    "range(4)",
    "[v for v in x if v >= 0]",
    "[[1], [2], [3], [4]]",
]
# fmt: skip


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("jit", EXECUTORS[-1:])
def test_an_item_is_that_of_python_and_so_is_the_exception(sequence, index, jit):
    f = load(f"def f(x):\n    items = {sequence}\n    at = {index}\n    return items[at]")
    graph = runtime.function(f, numpy=True, jit_compile=jit)
    for x in (np.array([3, 1, 2, 0]), np.array([0, 3, 1, 1])):
        assert repr(outcome(graph, x)) == repr(outcome(f, x))


@pytest.mark.parametrize("count", ["min(2, x[1])", "(1 if x[0] > 2 else x[1])", "(1.5 if x[0] > 2 else x[1])"])
@pytest.mark.parametrize("expression", ["[x[0]] * count", "count * [x[0], 1]", "'ab' * count", "items + [0] * count"])
def test_a_list_is_repeated_as_often_as_python_repeats_it(expression, count):
    f = load(f"def f(x):\n    items = [x[1]]\n    count = {count}\n    return {expression}")
    for x in (np.array([3, 1, 2, 0]), np.array([0, 3, 1, 1])):
        assert repr(outcome(runtime.function(f, numpy=True), x)) == repr(outcome(f, x))
