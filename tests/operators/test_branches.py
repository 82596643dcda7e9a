import numpy as np
import pytest

import runtime
from autograph import operators as ag__


def chain(tests, log):
    """An ``if`` with these tests, and an ``else``, that writes down what is asked and run."""

    def arm(i):
        return (lambda: log.append(f"test {i}") or tests[i]), (lambda: log.append(f"body {i}") or i)

    return ag__.if_chain([arm(i) for i in range(len(tests))], lambda: log.append("else") or -1)


@pytest.mark.parametrize(
    "tests, ran",
    [
        ((True, True), "test 0, body 0"),
        ((0, [1]), "test 0, test 1, body 1"),
        ((None, "", 0), "test 0, test 1, test 2, else"),
    ],
)
def test_a_chain_asks_until_a_test_holds(tests, ran):
    log = []
    chain(tests, log)
    assert ", ".join(log) == ran


def test_no_branch_is_no_value():
    assert ag__.if_chain([(lambda: False, lambda: 1)]) is None
    assert ag__.if_stmt(0, lambda: 1) is None


def test_an_unbound_variable_is_the_functions():
    def f(c):
        if c:
            x = 1

        def body():
            return x

        return ag__.if_stmt(True, body)

    assert f(True) == 1
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'x'"):
        f(False)


def signs(x, y):
    n = 0
    if x > 0:
        n = 1
        y = y + 1
    elif x < 0:
        n = y
    elif y > 0:
        n = y = 7
    return n, y, 10 if x > y else 20


@pytest.mark.parametrize("x, y", [(2, 1), (-2, 4), (0, 1), (0, 0)])
def test_the_graph_decides_between_staged_branches(x, y):
    assert tuple(map(int, runtime.function(signs)(np.int64(x), np.int64(y)))) == signs(x, y)


def test_both_branches_are_traced_from_the_same_state():
    seen = []

    def f(x):
        n = 1
        if x > 0:
            n = n + 1
            seen.append(n)
        else:
            n = n + 2
        return n

    traced = runtime.function(lambda x: f(x))
    with pytest.raises(Exception, match="seen"):  # a list from outside, which a graph cannot make longer
        traced(np.int64(1))
    assert seen == []
