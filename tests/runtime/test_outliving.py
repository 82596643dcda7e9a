"""What a program with NumPy's manners changes that outlives a call is, after each call, as it is without a graph."""

import functools
import gc
import queue
import random
import re
import weakref
from collections import OrderedDict, defaultdict, deque

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import load

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


def test_a_staged_statement_calls_a_function_that_changes_what_outlives_the_call():
    def observed(fn):
        held = Counter()
        inner = fn(held.add)
        outer = fn(lambda x: inner(x) if x[0] > 0 else x[0])
        return [(outer(np.full(2, by)), as_seen(held)) for by in (1.0, -1.0, 2.0, 3.0, -1.0)]

    assert repr(observed(runtime.function(numpy=True))) == repr(observed(lambda f: f))


def test_what_is_traced_anew_has_called_a_function_that_changes_something_once():
    def observed(fn, **options):
        held = Counter()
        inner = fn(held.add, **options)

        def outer(x):
            found, known = inner(x), {}
            known[int(x[0])] = found
            return known[int(x[0])] + 1

        outer = fn(outer)
        return [(outer(np.full(2, by)), as_seen(held)) for by in (1.0, -1.0, 2.0)]

    signature = [runtime.TensorSpec([2], runtime.float64)]
    expected = repr(observed(lambda f: f))
    for options in ({}, {"input_signature": signature}):
        assert repr(observed(functools.partial(runtime.function, numpy=True), **options)) == expected


def test_a_staged_statement_of_tensors_calls_no_function_that_changes_what_outlives_the_call():
    inner = runtime.function(Counter().add, numpy=True)

    @runtime.function
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
    graph = runtime.function(held.note, numpy=True)
    with pytest.warns(UserWarning, match="traced for each of 9 calls, as it changes 'self."):
        for _ in range(12):
            graph(np.ones(2))
    assert re.search(r"trace 11, which changed 'self\.\S+' and was for one call", graph.explain_tracing())


def test_a_function_that_always_raises_is_traced_once():
    @runtime.function(numpy=True)
    def fail(x):
        raise ValueError(x.sum())

    for _ in range(3):
        with pytest.raises(ValueError):
            fail(np.ones(2))
    assert fail.experimental_get_tracing_count() == 1


class Plain:
    pass


def an_exception_while_tracing(decorate, found):
    class E:
        def __init__(s):
            s.d = {1: 2.0}
            s.n = 0

        def f(s, x, k):
            s.n += 1
            s.v = x * 2
            return s.d[k] * x

    e = E()
    f = decorate(e.f)
    for k in (1, 5, 1):
        try:
            found.append(f(np.ones(2), k))
        except KeyError as er:
            found.append(repr(er))
        found.append((e.n, e.v))


def an_attribute_that_is_deleted(decorate, found):
    o = Plain()

    def g(x):
        if hasattr(o, "u"):
            del o.u
        else:
            o.u = 1
        return x

    f = decorate(g)
    for _ in range(4):
        f(np.ones(1))
        found.append(hasattr(o, "u"))


def a_list_that_grows(decorate, found):
    o = Plain()
    o.a = np.zeros(2)
    o.l = [o.a]

    def g(x):
        o.l.append(x * 2)
        return len(o.l)

    f = decorate(g)
    found += [f(np.ones(2)), f(np.ones(2))]
    found.append(o.l[0] is o.a)
    o.a[0] = 7
    found.append(o.l)


def types_of_what_is_left(decorate, found):
    o = Plain()
    o.l = None

    def g(x):
        o.l = []
        o.s = x.shape
        o.k = [v for v in (1, 2)]
        o.d = {"a": [1]}
        return x

    f = decorate(g)
    f(np.ones(2))
    found += [type(o.l).__name__, type(o.s).__name__, type(o.k).__name__, type(o.d["a"]).__name__]


def the_order_of_attributes(decorate, found):
    o = Plain()

    def g(x):
        o.p = x
        o.q = x * 2
        o.r = 1
        o.s = x.sum()
        return x

    f = decorate(g)
    f(np.ones(2))
    found.append(list(vars(o)))


def arrays_written_between_calls(decorate, found):
    class Net:
        def __init__(s):
            s.w = np.zeros(2)

        def predict(s, x):
            return x @ s.w

    n = Net()
    f = decorate(n.predict)
    x = np.ones(2)
    found.append(f(x))
    n.w[:] = [1, 2]
    found.append(f(x))
    n.w -= 0.5
    found.append(f(x))


def slots(decorate, found):
    class S:
        __slots__ = ("a", "b", "__weakref__")

        def __init__(s):
            s.a = 1.0

        def f(s, x):
            return x * s.a

    s = S()
    f = decorate(s.f)
    x = np.ones(1)
    found.append(f(x))
    s.a = 3.0
    found.append(f(x))


def containers(decorate, found):
    o = Plain()
    o.s = {1}
    o.q = deque([1])
    o.dd = defaultdict(int, a=1)
    o.od = OrderedDict(a=1)
    f = decorate(lambda x: x * len(o.s) + len(o.q) + o.dd["a"] + o.od["a"])
    x = np.ones(1)
    found.append(f(x))
    o.s.add(2)
    found.append(f(x))
    o.q.append(3)
    found.append(f(x))
    o.dd["a"] = 5
    found.append(f(x))
    o.od["a"] = 7
    found.append(f(x))


def a_raise_before_anything_changes(decorate, found):
    class C:
        def __init__(s):
            s.n = 0
            s.v = 0.0

        def f(s, x):
            if x < 0:
                raise ValueError("neg")
            s.n += 1
            s.v = s.v + x
            return s.v

    c = C()
    f = decorate(c.f)
    for x in (1.0, -1.0, 2.0):
        try:
            found.append(f(np.float64(x)))
        except ValueError as e:
            found.append(str(e))
        found.append((c.n, c.v))


def an_attribute_that_is_missing(decorate, found):
    class C:
        def __init__(s):
            s._w = None

        def f(s, x):
            try:
                return x * s.extra
            except AttributeError:
                return x

    c = C()
    f = decorate(c.f)
    x = np.ones(1)
    found.append(f(x))
    c.extra = 5
    found.append(f(x))


SCENARIOS = [
    an_exception_while_tracing,
    an_attribute_that_is_deleted,
    a_list_that_grows,
    types_of_what_is_left,
    the_order_of_attributes,
    arrays_written_between_calls,
    slots,
    containers,
    a_raise_before_anything_changes,
    an_attribute_that_is_missing,
]  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.__name__)
def test_what_happens_between_calls_is_as_without_a_graph(scenario):
    found, wanted = [], []
    scenario(lambda function: runtime.function(function, numpy=True), found)
    scenario(lambda function: function, wanted)
    assert repr(found) == repr(wanted)


def test_an_attribute_that_nobody_reads_may_change():
    held = Counter()
    graph = runtime.function(lambda given, x: x * given.weights, numpy=True)
    for _ in range(4):
        held.n += 1
        graph(held, np.ones(2))
    assert graph.experimental_get_tracing_count() == 1


def test_what_only_the_graph_raises_leaves_what_was_changed_before():
    held = Counter()

    @runtime.function(numpy=True)
    def change(x):
        held.n += 1
        held.seen.append(x * 2)
        held.total = x * 3
        if x < 0:
            raise ValueError("below 0")
        return held.n

    assert change(np.float64(1)) == 1
    with pytest.raises(ValueError, match="below 0"):
        change(np.float64(-1))
    assert held.n == 2 and held.seen == [2, -2] and held.total == -3
    assert change(np.float64(2)) == 3 and held.total == 6


def test_what_cannot_be_put_in_its_place_is_refused():
    kept = ValueError()

    @runtime.function(numpy=True)
    def f(x):
        kept.args = (x * 2,)
        return x

    with pytest.raises(StagingError, match="'kept' outlives the call, and holds"):
        f(np.ones(1))
    assert kept.args == ()


def test_queues_are_left_as_without_a_graph():
    waiting = queue.Queue()
    graph = runtime.function(lambda x: (waiting.put(x * 2), waiting.qsize())[1], numpy=True)
    assert [graph(np.ones(1) * k) for k in range(3)] == [1, 2, 3]
    assert [waiting.get().tolist() for _ in range(3)] == [[0.0], [2.0], [4.0]]


def test_deques_are_left_as_without_a_graph():
    def run(decorate):
        around, kept = deque([0.0], maxlen=3), Counter()
        kept.window = deque(maxlen=2)

        @decorate
        def at_both_ends(x):
            around.append(x.sum())
            around.appendleft(x.max())
            return around, around[0], len(around)

        @decorate
        def through(x):
            around.append(x[0])
            return around.popleft(), [*around]

        @decorate
        def averaged(x):
            kept.window.append(x.sum())
            kept.n += 1
            return sum(kept.window) / len(kept.window), kept.window

        found = []
        for number in range(5):
            x = np.array([1.0, 2.0]) + number
            results = at_both_ends(x), through(x), averaged(x)
            found.append(repr((results, around, vars(kept), results[0][0] is around, results[2][1] is kept.window)))
        return found

    assert run(runtime.function(numpy=True)) == run(lambda f: f)


class Binds:
    def __init__(self):
        self.w = np.zeros(2)

    @functools.cached_property
    def array(self):
        return np.ones(2)

    @functools.cached_property
    def twice(self):
        return self.w * 2

    @functools.cached_property
    def listed(self):
        return [1, 2]

    @runtime.function(numpy=True)
    def array_of_a_property(self):
        return self.array

    @runtime.function(numpy=True)
    def computed_by_a_property(self, x=1):
        return self, self.twice

    @runtime.function(numpy=True)
    def list_of_a_property(self):
        return self.listed

    def made(self):
        return [1, 2]

    @runtime.function(numpy=True)
    def list_of_a_method(self):
        self.found = self.made()
        return self.found

    @runtime.function(numpy=True)
    def dictionary(self):
        self.found = {1: [2], "w": self.w}
        return self.found, self.found[1]


@pytest.mark.parametrize("name", [name for name in vars(Binds) if type(vars(Binds)[name]) is runtime.Function])
def test_what_is_bound_and_returned_is_one_object(name):
    """A list, a dictionary or what a cached property gave was a copy, and of the property another at each call."""
    one = Binds()
    for _ in range(3):
        found = getattr(one, name)()
        held = [*vars(one).values(), one, *vars(one).get("found", {1: 0} if name == "dictionary" else [])]
        held += [vars(one)["found"][1]] if name == "dictionary" else []
        parts = found if isinstance(found, tuple) else [found]
        assert all(any(part is other for other in held) for part in parts)


class Holder:
    def __init__(self, held):
        self.held = held


@pytest.mark.parametrize(
    "made", ["np.ones(2)", "[1]", "{1: 2}", "LARGE * 2", "x + 1", "[1, x]", "Holder([1])", "Holder(np.ones(2))"]
)
def test_what_is_made_and_returned_twice_is_one_object(made):
    """An object with nothing of the graph in it was copied by itself, beside what it held."""
    text = f"def f(x):\n    made = {made}\n    outer = Holder(Holder(made))\n    return outer, made, [outer.held]\n"
    f = runtime.function(load(text, Holder=Holder, np=np, LARGE=np.arange(3.0)), numpy=True)
    (outer, made, held), again = f(np.ones(2)), f(np.ones(2))
    assert outer.held is held[0] and outer.held.held is made
    assert again[0] is not outer and again[1] is not made and again[0].held.held is again[1]
