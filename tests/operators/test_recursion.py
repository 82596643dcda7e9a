import numpy as np
import pytest

import runtime
from autograph.operators import recursion


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_function_that_calls_itself(n):
    assert int(runtime.function(factorial)(np.int64(n))) == factorial(n)


@pytest.mark.parametrize("n", [0, 3, 4])
def test_functions_that_call_one_another(n):
    assert bool(runtime.function(even)(np.int64(n))) == even(n)


def test_what_is_not_known_to_call_itself_stays():
    assert recursion.guarded(len) is len and recursion.guarded(factorial) is factorial


def test_it_shows_on_the_stack():
    heard = []

    def deep(n):
        return deep(n - 1) if n else recursion.found()

    recursion.when_found(listener := lambda: heard.append(1))
    try:
        assert not deep(20) and heard == []  # nobody has asked what to call for it: it may be a part of a function
        assert recursion.guarded(deep) is deep
        assert not deep(2) and heard == []
        assert deep(20) and heard == [1]
        assert not deep(20)  # that is known by now
        assert deep.__code__ in recursion.recurring
    finally:
        recursion._forget.remove(listener)


def of_many_regions(x):
    total = 0
    for i in (*range(200),):
        if x > i:
            total = total + i
    return total


@pytest.mark.parametrize("deep", [1, 12])
def test_what_has_called_the_graph_may_call_itself(deep):
    def calls(n):
        return calls(n - 1) if n else graph(np.int64(150))

    graph = runtime.function(of_many_regions)
    recursion.guarded(calls)  # as one that was converted and stayed as it is
    assert int(calls(deep)) == of_many_regions(150)
    assert calls.__code__ not in recursion.recurring and graph.experimental_get_tracing_count() == 1


def test_a_guarded_function_is_the_function_while_nothing_is_traced():
    def called(n):
        return n + 1

    recursion.recurring.set(called.__code__, True)
    made = recursion.guarded(called)
    assert made is not called and made(1) == 2 and made.__name__ == "called"
