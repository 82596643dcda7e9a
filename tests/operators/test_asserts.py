import numpy as np
import pytest

import runtime
from autograph import operators as ag__
from tests.programs import EXECUTORS, load


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


RAISES = {
    "a key that is missing": "{}['k']", "an index": "f'{a[i]} of {a[100]}'",
    "the largest of nothing": "f'{a[:0].max()}'", "a division": "1 // (len(a) - 3)",
    "a name": "unknown", "nothing": "f'{i} in {a}'",
}  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("statement", ["assert i < 2, {}", "for v in a:\n        assert v + i < 4, {}"])
@pytest.mark.parametrize("message", RAISES.values(), ids=RAISES)
def test_what_a_message_raises_is_raised_where_the_assertion_fails(message, statement, jit_compile):
    f = load(f"def f(a, i):\n    {statement.format(message)}\n    return a.sum() + i\n", np=np)

    def outcome(function, i):
        try:
            return function(np.arange(3), np.int64(i))
        except Exception as error:
            return AssertionError if isinstance(error, AssertionError) else type(error), str(error)

    graph = runtime.function(f, jit_compile=jit_compile, numpy=True)
    assert [outcome(graph, i) for i in (0, 1, 2, 1)] == [outcome(f, i) for i in (0, 1, 2, 1)]
