"""Staged loops, and loops that turn out to be; test_plain_values.py has the plain forms."""

import numpy as np
import pytest

import runtime
from autograph import operators as ag__
from tests.programs import outcome


def powers(x, n):
    total, i = 0, 0
    while i < n and total < 100:
        total = total + x**i
        i = i + 1
    return total, i


@pytest.mark.parametrize("n", [0, 1, 3, 9])
def test_a_staged_while(n):
    assert tuple(map(int, runtime.function(powers)(np.int64(3), np.int64(n)))) == powers(3, n)


def found(xs, wanted):
    where = -1
    for i, x in enumerate(xs):
        if x == wanted:
            where = i
            break
    else:
        where = -2
    return where


@pytest.mark.parametrize("wanted", [5, 7, 1, 0])
@pytest.mark.parametrize("items", [np.array, lambda values: [*map(np.int64, values)]], ids=["tensor", "list"])
def test_a_staged_break(items, wanted):
    values = [5, 7, 1]
    assert int(runtime.function(found)(items(values), np.int64(wanted))) == found(values, wanted)


def late(x):
    n = 0
    while n < 3:  # which is known, until it no longer is
        n = n + 1
        if n == 2:
            n = n + x
    return n


@pytest.mark.parametrize("x", [0, 1, 5])
def test_a_test_that_becomes_staged_in_the_course_of_the_loop(x):
    assert int(runtime.function(late)(np.int64(x))) == late(x)


def skipped(n):
    total = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        total = total + i
    return total


@pytest.mark.parametrize("n", [0, 1, 6])
def test_a_range_that_only_the_graph_can_count(n):
    assert int(runtime.function(skipped)(np.int64(n))) == skipped(n)


def test_an_ordinary_range_is_unrolled():
    seen = []

    def f(x):
        for i in range(3):
            seen.append(i)
            x = x + i
        return x

    assert int(runtime.function(f)(np.int64(1))) == 4
    assert seen == [0, 1, 2]


def test_a_test_ends_a_loop_over_ordinary_items():
    seen = []
    ag__.for_stmt(iter("abcd"), seen.append, (), lambda: len(seen) < 2)
    assert seen == ["a", "b"]


@pytest.mark.parametrize("items", [3, None, object], ids=str)
def test_what_cannot_be_gone_through_is_pythons_error(items):
    assert outcome(ag__.for_stmt, items, lambda item: None) == outcome(lambda: [*iter(items)])


def test_an_unbound_variable_is_the_functions():
    def f():
        if False:
            n = 0

        def body(item):
            nonlocal n
            n = n + item

        ag__.for_stmt([1], body, ("n",))

    with pytest.raises(UnboundLocalError, match="cannot access local variable 'n'"):
        f()


class Steps:
    def __init__(self):
        self.taken = 0


def walked(n, step, steps):
    while n > 1:
        steps.taken = steps.taken + 1
        n = n - step
    return n, steps.taken


def counted(numbers, limit, steps):
    while (number := numbers.pop()) < limit:
        steps.taken = steps.taken + number
    return steps.taken


@pytest.mark.parametrize("n, step", [(5, 2), (1, 2), (2, 2), (9, 1)])
def test_a_loop_that_has_run_with_ordinary_values_is_staged_all_the_same(n, step):
    """Its first iteration need not be part of the staged loop, as nobody has noted how everything was before it."""

    def f(x):
        before = [walked(n, step, Steps()) for _ in range(5)]
        late = walked(n, step + (x - x), Steps())
        first = walked(n + (x - x), step, Steps())
        again = walked(n, step + (x - x), Steps())
        return before[-1], late, first, again

    plain = f(3)
    for function in (runtime.function(f), runtime.function(jit_compile=False)(f)):
        assert [[int(v) for v in pair] for pair in function(np.int64(3))] == [[*pair] for pair in plain]


def test_a_test_that_does_something_is_done_once_however_often_the_loop_was_ordinary():
    def f(x):
        before = [counted([9, 2, 1], 5, Steps()) for _ in range(5)]
        return before[-1], counted([9, 2, 1], x, Steps()), counted([9, 2, 1], 5 + (x - x), Steps())

    assert [int(v) for v in runtime.function(f)(np.int64(5))] == [*f(5)]


def below(a, b):
    return a < b


def counted_up_to(n):
    i = 0
    while below(i, n):
        i = i + 1
    return i


@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_loop_that_has_been_staged_is_staged_from_its_start_however_often_it_runs_plainly(before):
    """A test that calls a function may do anything, and is not done again for a loop that is staged late."""

    def traced(between):
        @runtime.function
        def f(n):
            plain = [counted_up_to(k) for k in range(before)]
            first = counted_up_to(n)
            plain += [counted_up_to(k) for k in range(between)]
            assert plain == [*range(before), *range(between)]
            return first, counted_up_to(n)

        assert [int(v) for v in f(np.int64(3))] == [3, 3]
        return len(f.get_concrete_function(np.int64(3)).graph.get_operations())

    assert traced(0) == traced(9)


def asked_as_long_as_none_is(k):
    seen = []

    def large(value):
        seen.append(value)
        return value > 5

    return any(large(k + step) for step in (1, 3, 4) if step <= k), seen


def known_by_then(n):
    memory = {}

    def wins(k):
        if k in memory:
            return memory[k]
        memory[k] = any(not wins(k - step) for step in (1, 3, 4) if step <= k)
        return memory[k]

    return wins(n), memory


@pytest.mark.parametrize("function", [asked_as_long_as_none_is, known_by_then])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_what_makes_the_items_changes_what_is_around_only_while_the_loop_goes_on(function, n):
    graph = runtime.function(lambda x: function(int(x[0])), numpy=True)
    assert outcome(lambda: repr(graph(np.array([n])))) == outcome(lambda: repr(function(n)))
