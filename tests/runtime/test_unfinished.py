"""What a call has changed by the time that it raises an exception stays changed, as without a graph."""

import copy

import numpy as np
import pytest

import runtime
from runtime.functions.function import _until_raised
from tests.programs import EXECUTORS

counter = 0


class Broke(Exception):
    def __init__(self, need, have):
        super().__init__(f"need {need}, have {have}")
        self.need = need


class Account:
    def __init__(self):
        self.balance, self.log, self.n, self.by, self.seen, self.stock = 10.0, [], 0, {}, set(), {}

    def withdraw(self, xs):
        for x in xs:
            if x > self.balance:
                raise Broke(x, self.balance)
            self.balance -= x
            self.n += 1
        return self.balance

    def added(self, xs):
        for x in xs:
            self.n += x
        if xs[0] > 2:
            raise ValueError("no")
        return self.n

    def kept(self, xs):
        for x in xs:
            self.log.append(x)
            if len(self.log) > 4:
                raise ValueError(len(self.log))
        return self.log[-1]

    def met(self, xs):
        for x in xs:
            self.seen.add(x)
            if x > 3:
                raise ValueError(x)
        return len(self.seen)

    def asserted(self, xs):
        for x in xs:
            self.log.append(x)
            self.balance = self.balance / x if x > 0 else 1 / (x + 3)
        if not self.balance > 0.5:
            raise AssertionError("small")
        return self.balance

    def item(self, xs):
        self.n += 1
        self.log.append(self.n)
        value = xs[int(xs[0])]
        self.n += 1
        return value

    def nested(self, xs):
        self.n = 0
        self._step(xs)
        return self.n

    def _step(self, xs):
        for x in xs:
            self.n += 1
            if x < 0:
                self._bad(x)

    def _bad(self, x):
        raise ValueError("negative", x)

    def caught(self, xs):
        try:
            self._step(xs)
        except ValueError:
            self.n = -1
        if xs[-1] > 4:
            raise KeyError("k")
        return self.n

    def sold(self, xs):
        for x in xs:
            k = int(x)
            if self.by.setdefault(k, 3) < 1:
                raise Broke(k, self.balance)
            self.by[k] -= 1
            self.stock[k] = self.stock.get(k, 0) + 1
            self.balance += x
        return self.balance / len(self.stock)


GIVEN = (
    [1.0, 2.0],
    [3.0, 4.0],
    [1.0, -5.0, 2.0],
    [2.0],
    [4.0, 5.0],
    [20.0, 1.0],
    [0.0, 1.0, 30.0],
    [2.0, 2.0, 2.0, 2.0],
)


def state(account):
    return {name: repr(sorted(part) if isinstance(part, set) else part) for name, part in vars(account).items()}


def told(function, *arguments):
    try:
        return repr(function(*arguments))
    except Exception as error:
        return type(error), repr(error.args), {k: repr(v) for k, v in vars(error).items() if k != "__notes__"}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", [name for name in vars(Account) if not name.startswith("_")])
def test_an_object_is_left_as_without_a_graph(name, jit_compile):
    one, other = Account(), Account()
    plain, staged = getattr(one, name), runtime.function(getattr(other, name), numpy=True, jit_compile=jit_compile)
    for xs in GIVEN:
        assert told(staged, np.array(xs)) == told(plain, np.array(xs))
        assert state(other) == state(one), xs


def written(a, limit):
    for i in range(len(a)):
        a[i] = a[i] * 2
        if a[i] > limit:
            raise OverflowError(i)
    return a.sum()


def counted(d, x):
    d["n"] = d["n"] + 1
    if x > 2:
        raise KeyError("k")
    d["m"] = x
    return d["n"]


def listed(items, x):
    items.append(x)
    if x > 2:
        raise ValueError(x)
    items.append(2 * x)
    return len(items)


def of_module(unused, x):
    global counter
    counter += 1
    if x > 2:
        raise ValueError(x)
    return counter


def put_into_rows(given, x):
    a, mask = given
    a[0] = x
    a[mask] = np.arange(2.0)[: int(x)]
    return a


def put_where_others_were(given, x):
    a, mask = given
    a[0] = x
    for i in range(len(a)):
        a[i] = a[mask][:, 0] * 2
    return a


def masked(*truths):
    return np.arange(6.0).reshape(3, 2), np.array(truths)


CALLS = [
    (
        put_into_rows,
        [(masked(True, True, False), 2.0), (masked(True, False, True), 1.0), (masked(False, True, True), 0.0)],
    ),
    (put_where_others_were, [(masked(True, True, False), 2.0), (masked(True, True, True), 1.0)]),
    (written, [(np.array([1.0, 7.0, 2.0]), 9.0), (np.array([1.0, 2.0]), 9.0), (np.array([3.0, 6.0]), 9.0)]),
    (counted, [({"n": 0}, 1.0), ({"n": 4}, 3.0), ({"n": 1, "m": 2.0}, 4.0)]),
    (listed, [([], 1.0), ([], 3.0), ([], 5.0)]),
    (of_module, [(0, 1.0), (0, 3.0), (0, 1.0), (0, 4.0)]),
]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("function, calls", CALLS, ids=[function.__name__ for function, _ in CALLS])
def test_arguments_and_globals_are_left_as_without_a_graph(function, calls, jit_compile):
    global counter
    found = []
    for called in (function, runtime.function(function, numpy=True, jit_compile=jit_compile)):
        counter, left = 0, []
        for given, x in calls:
            given = copy.deepcopy(given)
            left.append((told(called, given, np.float64(x)), repr(given), counter))
        found.append(left)
    assert found[1] == found[0]


def test_an_exception_that_nothing_was_changed_before_costs_no_second_graph():
    @runtime.function(numpy=True)
    def root(x):
        if x < 0:
            raise ValueError(x)
        return np.sqrt(x)

    assert root(np.float64(4.0)) == 2
    with pytest.raises(ValueError):
        root(np.float64(-1.0))
    assert not root.get_concrete_function(np.float64(1.0))._changes_state


class Told:
    def __init__(self):
        self.count = 0

    def printed(self, xs):
        for x in xs:
            self.count += 1
            print("seen", x)
            if x < 0:
                raise ValueError(x)

    def indexed(self, xs):
        for x in xs:
            self.count += 1
            print("seen", x)
            xs[int(x)] += 1.0

    def drawn(self, xs):
        for x in xs:
            self.count += 1
            if np.random.rand() > x:
                raise ValueError(x)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", ["printed", "indexed"])
def test_what_is_printed_until_then_is_printed_once(name, jit_compile, capfd):
    one, other = Told(), Told()
    plain, graph = getattr(one, name), runtime.function(getattr(other, name), numpy=True, jit_compile=jit_compile)
    for xs in ([1.0, 0.0], [1.0, -1.0, 2.0], [2.0, 3.0, 0.0], [0.0]):
        shown = []
        for function in (plain, graph):
            given = np.array(xs)
            outcome = told(function, given)
            shown.append((outcome, given.tolist(), capfd.readouterr().out))
        assert shown[1] == shown[0] and vars(other) == vars(one)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_an_exception_says_where_what_was_changed_is_as_before(jit_compile):
    told = Told()
    graph = runtime.function(told.drawn, numpy=True, jit_compile=jit_compile)
    graph(np.ones(3))
    with pytest.raises(ValueError) as caught:
        graph(np.array([1.0, -1.0, 1.0]))
    (note,) = [note for note in caught.value.__notes__ if "had changed before" in note]
    assert note.startswith("What drawn had changed before is as it was") and told.count == 3


def test_what_nobody_has_asked_about_is_followed_once_more_at_most():
    def spread(a, places):
        a[0] = 7
        np.add.at(a, places, 1)
        return a

    leaving = _until_raised(None)
    before = leaving.experimental_get_tracing_count()
    with pytest.raises(IndexError):
        runtime.function(spread, numpy=True)(np.arange(3), np.array([0, 5]))
    assert leaving.experimental_get_tracing_count() <= before + 1
