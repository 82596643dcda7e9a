"""What is said to write instead of a function of NumPy's that has no staged meaning."""

import math
import operator

import numpy as np
import pytest

import runtime
from runtime.graph.op import NUMPY
from runtime.staging.numpy_protocol.meanings import FUNCTIONS
from runtime.staging.numpy_protocol.remedies import INSTEAD
from runtime.tensors.frames import instead_of


@pytest.mark.parametrize("function", INSTEAD, ids=lambda f: f.__name__)
def test_what_is_recommended_is_there(function):
    assert function not in FUNCTIONS and function not in NUMPY
    if INSTEAD[function].startswith("an index "):
        return
    library, _, name = INSTEAD[function].partition(".")
    if library == "np":
        recommended = operator.attrgetter(name)(np)
        assert recommended in FUNCTIONS or recommended in NUMPY
    else:
        assert library == "runtime" and callable(operator.attrgetter(name)(runtime))


@pytest.mark.parametrize(
    "function, call",
    [
        (np.histogram2d, lambda x: np.histogram2d(x, x)),
        (np.real_if_close, np.real_if_close),
        (np.roots, np.roots),
    ],
)
def test_it_is_said_where_the_function_is_refused(function, call):
    with pytest.raises(TypeError) as refused:
        runtime.function(call)(np.array([1.0, 2.0, 3.0]))
    assert f"np.{function.__name__} has no staged meaning here" in str(refused.value)
    assert f"Use {INSTEAD[function]}, which has one, or runtime.py_function" in str(refused.value)


def test_where_nothing_is_near():
    with pytest.raises(TypeError, match=r"np\.hypot\.accumulate has no staged meaning.*Use an operation of runtime"):
        runtime.function(np.hypot.accumulate)(np.ones(4))


@pytest.mark.parametrize("name", sorted(f.__name__ for f in instead_of if getattr(f, "__module__", "") == "math"))
def test_what_is_recommended_for_a_function_of_math_becomes_part_of_a_graph(name):
    function, instead = getattr(math, name), instead_of[getattr(math, name)]
    if not instead.startswith("np.") or "(" in instead:
        pytest.skip("an expression, which stands there as it is")
    recommended = getattr(np, instead.removeprefix("np."))
    given = [1.25 if name == "acosh" else 0.75, 0.5][: getattr(recommended, "nin", 2)]
    plain = function(*given)
    found = runtime.function(lambda *values: recommended(*values))(*map(runtime.constant, given))
    np.testing.assert_allclose(np.asarray(found), plain, rtol=1e-6)
