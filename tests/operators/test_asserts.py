import numpy as np
import pytest

import runtime
from autograph import operators as ag__


def test_what_holds_makes_no_message():
    ag__.assert_stmt(True, lambda: 1 / 0)
    ag__.assert_stmt([0])


def test_what_fails_is_pythons_error():
    with pytest.raises(AssertionError, match="^no 3$"):
        ag__.assert_stmt([], lambda: f"no {1 + 2}")
    with pytest.raises(AssertionError) as error:
        ag__.assert_stmt(0)
    assert error.value.args == ()


def test_an_error_of_the_message_or_the_test_goes_on():
    class NoTruth:
        def __bool__(self):
            raise TypeError("no truth")

    with pytest.raises(ZeroDivisionError):
        ag__.assert_stmt(False, lambda: 1 / 0)
    with pytest.raises(TypeError, match="no truth"):
        ag__.assert_stmt(NoTruth())


def test_the_graph_checks_a_staged_condition_when_it_runs():
    def f(x):
        assert x > 0, f"x is {x}"
        return x + 1

    graph = runtime.function(f)
    assert graph(np.int64(2)) == 3
    with pytest.raises(AssertionError, match="x is -1"):
        graph(np.int64(-1))
    assert graph(np.int64(5)) == 6
