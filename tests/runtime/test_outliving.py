"""What a program with NumPy's manners changes that outlives a call is, after each call, as it is without a graph."""

import gc
import random
import weakref

import numpy as np
import pytest

import runtime
from autograph import StagingError

TOTAL = 0.0


class Counter:
    count = 0

    def __init__(self):
        self.n, self.total, self.weights, self.seen, self.found = 0, 0.0, np.ones(2), [], {}

    def add(self, x):
        self.n += 1
        self.total = self.total + x.sum()
        return self.total / self.n

    def step(self, x):
        self.weights = self.weights - 0.1 * x
        return self.weights * 2

    def fit(self, x):
        self.mean_ = x.mean()
        self.solution_ = np.linalg.solve(np.eye(2) * 2, x[:2])
        return self

    def note(self, x):
        self.seen.append(x.sum())
        self.found["last"] = x
        return len(self.seen)

    def notes_in_a_loop(self, x):
        for i in range(3):
            self.seen.append(x[0] * i)
        return len(self.seen)

    def of_the_class(self, x):
        Counter.count += 1
        return x * Counter.count

    def behind_a_branch(self, x):
        self.n += 1
        if x[0] > 1:
            self.total = self.total + x[0]
        return self.total

    def remembers(self, x):
        if self.n not in self.found:
            self.found[self.n] = x.sum()
        return self.found[self.n]

    def is_traced_more_than_once(self, x):
        self.n += 1
        kept = []
        for i in range(int(x[0])):
            if x[i % 2] > 0:
                kept.append(x[i % 2])
        self.total = self.total + sum(kept)
        return len(kept)

    def raises(self, x):
        self.n += 1
        if self.n == 2:
            raise ValueError("the second time")
        return x


class Layer:
    def __init__(self):
        self.weights, self.given = np.ones((2, 2)), None

    def forward(self, x):
        self.given = x, x @ self.weights
        return np.maximum(self.given[1], 0)

    def train(self, x):
        y = self.forward(x.reshape(1, 2))
        x, z = self.given
        self.weights = self.weights - 0.1 * (x.T @ (z > 0))
        return y.sum()


class Node:
    def __init__(self, value, behind):
        self.value, self.behind = value, behind


class Chain:
    def __init__(self):
        self.first = None

    def push(self, x):
        self.first = Node(x.sum(), self.first)
        total, node = 0, self.first
        while node is not None:
            total, node = total + node.value, node.behind
        return total


METHODS = [
    *(getattr(Counter, name) for name in vars(Counter) if not name.startswith("_") and name != "count"),
    Layer.train, Chain.push,
]  # fmt: skip


def as_seen(value):
    if isinstance(value, Counter | Layer | Chain | Node):
        return {key: as_seen(part) for key, part in vars(value).items()}
    if isinstance(value, list | tuple):
        return [*map(as_seen, value)]
    if isinstance(value, dict):
        return {key: as_seen(part) for key, part in value.items()}
    return repr(value)


def calls(method, decorate):
    """What some calls of a method of one object give, and leave in it."""
    Counter.count = 0
    made = {"Counter": Counter, "Layer": Layer, "Chain": Chain}[method.__qualname__.partition(".")[0]]()
    called, found = decorate(method.__get__(made)), []
    for x in (np.array([2.0, 3.0]), np.array([0.5, 1.0]), np.array([4.0, -1.0])):
        try:
            result = called(x)
            found.append("itself" if result is made else as_seen(result))
        except ValueError as error:
            found.append(str(error))
        found.append(as_seen(made))
    return found


@pytest.mark.parametrize("jit_compile", [None, False], ids=["default", "numpy"])
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.__name__)
def test_objects_are_left_as_without_a_graph(method, jit_compile):
    def decorate(function):
        return runtime.function(function, numpy=True, jit_compile=jit_compile)

    assert calls(method, decorate) == calls(method, lambda function: function)


def of_a_module(x):
    global TOTAL
    TOTAL = TOTAL + x.sum()
    return TOTAL


def test_variables_of_the_module_are_left_as_without_a_graph():
    global TOTAL
    TOTAL, graph = 0.0, runtime.function(of_a_module, numpy=True)
    assert [float(graph(np.ones(2))) for _ in range(3)] == [2, 4, 6] and TOTAL == 6 and type(TOTAL) is np.float64


def test_variables_around_are_left_as_without_a_graph():
    count, total = 0, np.zeros(2)

    @runtime.function(numpy=True)
    def add(x):
        nonlocal count, total
        count += 1
        total = total + x
        return total * count

    assert [add(np.ones(2)).tolist() for _ in range(3)] == [[1, 1], [4, 4], [9, 9]]
    assert count == 3 and total.tolist() == [3, 3]


def test_random_numbers_are_drawn_at_each_call():
    def draw(x):
        return x + np.random.rand() + random.random()

    np.random.seed(7), random.seed(7)
    plain = [float(draw(np.zeros(1))[0]) for _ in range(3)]
    np.random.seed(7), random.seed(7)
    graph = runtime.function(draw, numpy=True)
    assert [float(graph(np.zeros(1))[0]) for _ in range(3)] == plain


def test_a_generator_goes_on_from_call_to_call():
    def draw(rng, n):
        total = 0.0
        for _ in range(n):
            total += rng.normal()
        return total

    one, other = np.random.default_rng(0), np.random.default_rng(0)
    graph = runtime.function(draw, numpy=True)
    assert [graph(one, 3) for _ in range(3)] == [draw(other, 3) for _ in range(3)]


def test_a_generator_made_in_the_function_begins_anew():
    graph = runtime.function(lambda x: x + np.random.default_rng(0).normal(), numpy=True)
    assert graph(np.zeros(1)) == graph(np.zeros(1)) and graph.experimental_get_tracing_count() == 1


def test_an_iterator_around_goes_on_from_call_to_call():
    numbers = iter([1, 2, 3])
    graph = runtime.function(lambda x: x + next(numbers), numpy=True)
    assert [graph(np.zeros(1)).tolist() for _ in range(2)] == [[1], [2]] and [*numbers] == [3]


def test_a_function_that_changes_nothing_is_traced_once():
    held = Counter()

    @runtime.function(numpy=True)
    def read(x):
        if not held.found:
            held.found["lazily"] = 1
        return x * held.found["lazily"]

    for _ in range(4):
        read(np.ones(2))
    assert read.experimental_get_tracing_count() == 2  # the first call filled the dictionary


def test_a_function_that_others_call_is_left_as_without_a_graph():
    held = Counter()
    inner = runtime.function(held.add, numpy=True)
    outer = runtime.function(lambda x: inner(x) * 2 + inner(x), numpy=True)
    plain = Counter()
    for _ in range(2):
        assert outer(np.ones(2)) == plain.add(np.ones(2)) * 2 + plain.add(np.ones(2))
        assert as_seen(held) == as_seen(plain)


def test_a_staged_statement_calls_no_function_that_changes_what_outlives_the_call():
    held = Counter()
    inner = runtime.function(held.add, numpy=True)

    @runtime.function(numpy=True)
    def outer(x):
        return inner(x) if x[0] > 0 else x[0]

    with pytest.raises(StagingError, match=r"add changes what outlives the call \(self.n\)"):
        outer(np.ones(2))


class Part:
    def __init__(self, weight):
        self.weight = weight


class Whole:
    def __init__(self):
        self.rate, self.parts, self.options, self.sizes = 2.0, [Part(1.0), Part(3.0)], {"bias": 0.5}, (1, 2)

    def __call__(self, x):
        for part in self.parts:
            x = x * part.weight
        return x * self.rate + self.options["bias"] + len(self.sizes)


def other_rate(whole):
    whole.rate = 5.0


def another_part(whole):
    whole.parts[1] = Part(7.0)


def one_more_part(whole):
    whole.parts.append(Part(2.0))


def other_weight(whole):
    whole.parts[0].weight = np.full(2, 4.0)


def other_option(whole):
    whole.options["bias"] = 1.5


def other_sizes(whole):
    whole.sizes = (1, 2, 3)


CHANGES = [other_rate, another_part, one_more_part, other_weight, other_option, other_sizes]


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: c.__name__)
def test_a_change_of_an_object_between_two_calls_is_seen(change):
    whole = Whole()
    graph = runtime.function(whole.__call__, numpy=True)
    other = runtime.function(lambda given, x: given(x), numpy=True)
    around = runtime.function(lambda x: graph(x) + 1, numpy=True)
    x = np.ones(2)
    for _ in range(2):
        for _ in range(3):
            assert graph(x).tolist() == other(whole, x).tolist() == whole(x).tolist()
            assert around(x).tolist() == (whole(x) + 1).tolist()
        change(whole)
    assert graph(x).tolist() == whole(x).tolist() and around(x).tolist() == (whole(x) + 1).tolist()
    assert graph.experimental_get_tracing_count() <= 3


def test_a_value_that_an_object_has_again_needs_no_other_graph():
    whole = Whole()
    graph, rates = runtime.function(whole.__call__, numpy=True), (2.0, 5.0)
    for number in range(6):
        whole.rate = rates[number % 2]
        graph(np.ones(2))
    assert graph.experimental_get_tracing_count() == 2


def test_objects_are_not_kept_alive_by_what_is_asked_of_them():
    whole = Whole()
    part, reference = weakref.ref(whole.parts[0]), weakref.ref(whole)
    graph = runtime.function(lambda given, x: given(x), numpy=True)
    graph(whole, np.ones(2))
    del whole
    gc.collect()
    assert reference() is None and part() is None


def test_it_is_told_why_a_function_is_traced_at_each_call():
    held = Counter()
    graph = runtime.function(held.add, numpy=True)
    with pytest.warns(UserWarning, match="traced for each of 9 calls, as it changes 'self.n'"):
        for _ in range(12):
            graph(np.ones(2))
    assert "trace 11, which changed 'self.n' and was for one call" in graph.explain_tracing()


def test_a_function_that_always_raises_is_traced_once():
    @runtime.function(numpy=True)
    def fail(x):
        raise ValueError(x.sum())

    for _ in range(3):
        with pytest.raises(ValueError):
            fail(np.ones(2))
    assert fail.experimental_get_tracing_count() == 1
