"""Functions whose results ``functools`` keeps, called with what only the graph knows: nothing of that shows."""

import dataclasses
import functools
import gc

import numpy as np
import pytest

import runtime
from autograph import StagingError
from runtime.tensors.trace import Trace
from tests.programs import EXECUTORS, outcome


def fibonacci(n):
    @functools.cache
    def f(k):
        return k if k < 2 else f(k - 1) + f(k - 2)

    return f(int(n[0])), f(3)


def common(a, b):
    @functools.lru_cache(maxsize=None)
    def go(i, j):
        if i == len(a) or j == len(b):
            return 0
        if a[i] == b[j]:
            return 1 + go(i + 1, j + 1)
        return max(go(i + 1, j), go(i, j + 1))

    return go(0, 0)


@functools.lru_cache
def binomial(n, k):
    if k == 0 or k == n:
        return 1
    return binomial(n - 1, k - 1) + binomial(n - 1, k)


def of_the_module(x):
    return binomial(int(x[0]), int(x[1])), binomial(5, 2)


def by_name(x):
    return binomial(n=int(x[0]), k=2), binomial(int(x[1]), k=1)


def coins(values, amount):
    @functools.lru_cache(128)
    def least(left):
        if left == 0:
            return 0
        if left < 0:
            return 10**6
        return min(least(left - v) + 1 for v in values)

    return least(amount)


def of_each(x):
    @functools.cache
    def square(k):
        return k * k + 1

    return [square(v) for v in x], square(x[0]), square(int(x[1])), square(2.5)


class Grid:
    def __init__(self, costs):
        self.costs = costs

    @functools.lru_cache(None)  # noqa: B019 (as people write it)
    def least(self, i, j):
        if i == 0 and j == 0:
            return self.costs[0, 0]
        best = np.inf
        if i > 0:
            best = min(best, self.least(i - 1, j))
        if j > 0:
            best = min(best, self.least(i, j - 1))
        return self.costs[i, j] + best


def of_a_method(costs):
    return Grid(costs).least(costs.shape[0] - 1, costs.shape[1] - 1)


def of_two_objects(x):
    @functools.cache
    def scaled(weights, k):
        return k * weights.costs

    first, second = Grid(2), Grid(3)
    return [scaled(one, int(v)) for v in x for one in (first, second)]


def cleared(x):
    @functools.cache
    def double(k):
        return 2 * k

    once = double(x[0])
    double.cache_clear()
    return once, double(x[0])


@functools.lru_cache(maxsize=8)
def table(size):
    return np.arange(size) ** 2


def made_by_python(x):
    return x + table(3), table(3) is table(3)


def of_what_cannot_be_a_key(x):
    @functools.cache
    def total(values):
        return values.sum()

    return total(x)


def kept_between_calls_of_it(x):
    seen = []

    @functools.cache
    def double(k):
        seen.append(k)
        return 2 * k

    first = [double(int(v)) for v in x]
    double.cache_clear()
    return first, double(int(x[0])), double(int(x[0])), double(x[0]), seen


def first_of_a_kind_gives_its_type(x):
    @functools.cache
    def stirling(n, k):
        if n == k:
            return 1
        if k == 0 or k > n:
            return 0
        return k * stirling(n - 1, k) + stirling(n - 1, k - 1)

    return stirling(int(x[0]), int(x[1])), stirling(x[0], x[1])


class Series:
    def __init__(self, start):
        self.start = start

    @functools.cache  # noqa: B019 (as people write it)
    def term(self, n):
        return n if n < 2 else self.term(n - 1) + self.term(n - 2)

    @classmethod
    @functools.cache
    def factorial(cls, n):
        return 1 if n < 2 else n * cls.factorial(n - 1)


def first_of_a_method(x):
    series = Series(x)
    return series.term(int(x[0])), series.term(x[1]), series.term(3), Series.factorial(int(x[0]))


def of_any_number_of_arguments(x):
    @functools.cache
    def total(*values):
        return sum(values)

    @functools.cache
    def folded(values):
        return 0 if len(values) == 0 else values[0] + 2 * folded(values[1:])

    return total(*x), total(*x.tolist()), total(), total(1, 2), folded(tuple(x)), folded(tuple(x.tolist()))


def of_a_list(x):
    @functools.cache
    def total(values):
        return sum(values)

    try:
        return total([int(x[0]), 2])
    except TypeError as error:
        return str(error)


PROGRAMS = [
    (kept_between_calls_of_it, (np.array([3, 4, 3]),)),
    (first_of_a_kind_gives_its_type, (np.array([5, 2]),)),
    (first_of_a_method, (np.array([4, 2]),)),
    (of_any_number_of_arguments, (np.array([3, 1, 2]),)),
    (of_a_list, (np.array([3, 1]),)),
    (fibonacci, (np.array([10]),)),
    (common, (np.array([1, 2, 3]), np.array([2, 3]))),
    (of_the_module, (np.array([6, 2]),)),
    (by_name, (np.array([5, 3]),)),
    (coins, (np.array([1, 3]), 5)),
    (of_each, (np.array([1, 2, 1]),)),
    (of_a_method, (np.array([[1.0, 2.0], [5.0, 1.0]]),)),
    (of_two_objects, (np.array([1, 2]),)),
    (cleared, (np.array([4]),)),
    (made_by_python, (np.array([1, 2, 3]),)),
    (of_what_cannot_be_a_key, (np.array([1, 2, 3]),)),
]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(("program", "given"), PROGRAMS, ids=[program.__name__ for program, _ in PROGRAMS])
def test_results_are_those_of_the_function(program, given, jit_compile):
    graph = runtime.function(program, numpy=True, jit_compile=jit_compile)
    expected = outcome(lambda: repr(program(*given)))
    assert [outcome(lambda: repr(graph(*given))) for _ in range(2)] == [expected] * 2


def test_a_recursion_that_only_a_memory_ends_in_time_ends():
    n = np.array([80])  # it would take years
    assert runtime.function(fibonacci, numpy=True)(n)[0] == 23416728348467685


class Counted:
    def __init__(self, factor):
        self.factor, self.calls = factor, 0

    @functools.cache  # noqa: B019 (as people write it)
    def times(self, *values):
        self.calls += 1
        return sum(values) * self.factor


@dataclasses.dataclass(frozen=True)
class Weight:
    value: int


KINDS = {
    "numbers": [lambda f, n: f(n), lambda f, n: f(n, 1)],
    "text": [lambda f, n: f(n), lambda f, n: f("a")],
    "tuples": [lambda f, n: f((n, 1)), lambda f, n: f(n)],
    "none": [lambda f, n: f(None, n), lambda f, n: f(n)],
    "objects": [lambda f, n: f(Weight(2), n), lambda f, n: f(Weight(3), n)],
    "sets": [lambda f, n: f(frozenset((1, 2)), n), lambda f, n: f(frozenset((1, 2)), n)],
    "three": [lambda f, n: f(n), lambda f, n: f(n, 1), lambda f, n: f()],
}


def _in_branches(f, x, calls):
    if x[0] > 2:
        calls[0](f, int(x[1]))
    else:
        calls[1](f, int(x[1]))


def _in_one_branch(f, x, calls):
    if x[0] > 2:
        for call in calls:
            call(f, int(x[0]))


def _in_a_loop(f, x, calls):
    for v in x:
        if v > 2:
            calls[0](f, int(v))
        else:
            calls[1](f, int(v))


def _in_a_condition(f, x, calls):
    i = 0
    while i < int(x[0]) and calls[0](f, i % 2) is not None:
        calls[1](f, i % 2)
        i += 1


FIRST = [
    *((_in_one_branch, kind, False) for kind in KINDS),
    *((statement, "numbers", jit) for statement in (_in_branches, _in_a_loop, _in_a_condition) for jit in EXECUTORS),
]


@pytest.mark.parametrize(("statement", "kind", "jit_compile"), FIRST)
def test_what_a_statement_of_the_graph_calls_first_is_kept_after_it(statement, kind, jit_compile):
    def local(x):
        log = []

        @functools.cache
        def f(*given):
            log.append(len(given))
            return len(given)

        statement(f, x, KINDS[kind])
        return [call(f, int(x[0])) for call in KINDS[kind]], log

    def method(x):
        counted = Counted(2)
        for _ in range(2):
            statement(lambda *given: counted.times(*given), x, KINDS["numbers"])
        return counted.times(int(x[0]), 1), counted.times(int(x[1])), counted.calls

    def each_its_own(x):
        total = 0
        for v in x:
            counted = Counted(int(v))
            if v > 2:
                total += counted.times(int(v))
            total += counted.times(3) * 10 + counted.calls
        return total

    for program in (local, method, each_its_own) if statement is _in_branches else (local,):
        graph = runtime.function(program, numpy=True, jit_compile=jit_compile)
        for x in (np.array([3, 4, 3]), np.array([1, 4, 3])):
            got = outcome(lambda: repr(graph(x)))
            refused = kind == "three" and got[0] == "StagingError" and "for the first time in a statement" in str(got)
            assert refused or got == outcome(lambda: repr(program(x)))


def test_a_method_of_an_object_that_outlives_the_call_may_not_change_it():
    with pytest.raises(StagingError, match="'times' keeps its results from one call to the next, and changes"):
        runtime.function(lambda c, x: c.times(int(x[0])), numpy=True)(Counted(2), np.array([3]))


LOG: list[int] = []


@functools.cache
def logged(k):
    LOG.append(k)
    return k * k


@functools.cache
def printed(k):
    print(k)
    return k * k


@pytest.mark.parametrize(("function", "what"), [(logged, "changes 'LOG"), (printed, "prints or draws")])
def test_what_would_act_again_in_each_call_is_refused(function, what):
    with pytest.raises(StagingError, match=f"'{function.__name__}' keeps its results .* {what}.* would do again"):
        runtime.function(lambda x: function(int(x[0])), numpy=True)(np.array([3]))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_only_what_computes_alone_may_keep_its_last_results(jit_compile):
    def last(x):
        @functools.lru_cache(maxsize=1)
        def double(k):
            return 2 * k

        return double(int(x[0])), double(int(x[1])), double(int(x[0]))

    def seen(x):
        log = []

        @functools.lru_cache(maxsize=1)
        def double(k):
            log.append(k)
            return 2 * k

        return double(int(x[0])), double(int(x[1])), double(int(x[0])), log

    assert runtime.function(last, numpy=True, jit_compile=jit_compile)(np.array([3, 4])) == (6, 8, 6)
    with pytest.raises(
        StagingError, match=r"'double' changes 'log.* keeps only its last 1 results[^.]*. Leave maxsize out"
    ):
        runtime.function(seen, numpy=True, jit_compile=jit_compile)(np.array([3, 4]))


def test_what_is_not_counted_is_refused_by_name():
    def counted(x):
        return binomial(int(x[0]), 1), binomial.cache_info().hits

    def by_type(x):
        @functools.lru_cache(typed=True)
        def f(k):
            return k

        return f(int(x[0]))

    with pytest.raises(StagingError, match=r"cache_info\(\) of 'binomial' has no staged meaning"):
        runtime.function(counted, numpy=True)(np.array([3]))
    with pytest.raises(StagingError, match=r"'f' keeps its results by the types .* leave typed out"):
        runtime.function(by_type, numpy=True)(np.array([3]))


def test_what_is_kept_goes_with_the_graph():
    def alive():
        gc.collect()
        return sum(type(one) is Trace for one in gc.get_objects())

    before = alive()
    for program, given in PROGRAMS[:3]:
        runtime.function(program, numpy=True, jit_compile=False)(*given)
    assert alive() == before
