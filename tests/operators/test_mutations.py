import collections
import functools
import re

import numpy as np
import pytest

import runtime
from autograph import StagingError
from autograph.operators.mutations import Mutations

STATEMENT = "f.py:1: if x:"


class Box:
    shared = 0

    def __init__(self):
        self.n, self.inner = 1, [1]


class Slots:
    __slots__ = ("n",)


def changed(make, change):
    """What a mutations finds changed, as the names and new values; and what was changed, which it has put back."""
    held = make()

    def body():
        change(held)

    mutations = Mutations([body])
    body()
    return sorted((place.name, value) for place, value in mutations.restore(STATEMENT)), held


def slots():
    made = Slots()
    made.n = 1
    return made


@pytest.mark.parametrize(
    "make, change, found",
    [
        (lambda: [1, 2], lambda h: h.__setitem__(1, 5), [("held[1]", 5)]),
        (lambda: [[1], [2]], lambda h: h[1].__setitem__(0, 5), [("held[1][0]", 5)]),
        (lambda: {"k": 1}, lambda h: h.update(k=5), [("held['k']", 5)]),
        (lambda: {"k": 1}, lambda h: h.update(j=5), [("held['j']", 5)]),
        (lambda: ({"k": [1]},), lambda h: h[0]["k"].__setitem__(0, 5), [("held[0]['k'][0]", 5)]),
        (Box, lambda h: setattr(h, "n", 5), [("held.n", 5)]),
        (Box, lambda h: setattr(h, "new", 5), [("held.new", 5)]),
        (Box, lambda h: h.inner.__setitem__(0, 5), [("held.inner[0]", 5)]),
        (Box, lambda h: setattr(type(h), "shared", 5), [("Box.shared", 5)]),
        (slots, lambda h: setattr(h, "n", 5), [("held.n", 5)]),
        (Box, lambda h: None, []),
    ],
)
def test_what_is_changed_is_found_and_put_back(make, change, found):
    results, held = changed(make, change)
    assert results == found
    assert repr(getattr(held, "__dict__", held)) == repr(getattr(make(), "__dict__", held))
    assert Box.shared == 0


def test_a_variable_of_a_function_around():
    n = 1

    def inner():
        nonlocal n
        n = 2

    def body():
        inner()

    mutations = Mutations([body])
    body()
    assert [(place.name, value) for place, value in mutations.restore(STATEMENT)] == [("n", 2)]
    assert n == 1


def test_a_change_of_what_a_graph_cannot_change_is_refused_and_put_back():
    held = {1, 2}

    def body():
        held.add(3)

    mutations = Mutations([body])
    body()
    with pytest.raises(StagingError, match="'held' is a set that a staged statement changes in place"):
        mutations.restore(STATEMENT)
    assert held == {1, 2}


def test_arrays_are_closed_while_a_statement_is_traced():
    held = np.zeros(2)

    def body():
        held[0] = 1

    with pytest.raises(StagingError, match="'held' is a NumPy array that is written here"), Mutations([body]).closed():
        body()
    assert held.tolist() == [0, 0]


def swap(items):
    items["a"] = items.pop("a")


TWO_CHANGES = {
    "two lists": (lambda: ([1], [2]), lambda h: (h[0].append(3), h[1].append(3)), r"'held\[1\]' is a list"),
    "two orders": (
        lambda: ({"a": 1, "b": 2}, {"a": 1, "b": 2}),
        lambda h: (swap(h[0]), swap(h[1])),
        r"order of the keys of 'held\[1\]'",
    ),
    "an order, a list": (
        lambda: ({"a": 1, "b": 2}, [1]),
        lambda h: (swap(h[0]), h[1].append(2)),
        r"order of the keys of 'held\[0\]'",
    ),
    "a list, a set": (lambda: ([1], {1}), lambda h: (h[0].append(2), h[1].add(2)), r"'held\[0\]' is a list"),
    "an order, a deque": (
        lambda: ({"a": 1, "b": 2}, collections.deque([1])),
        lambda h: (swap(h[0]), h[1].append(2)),
        r"order of the keys of 'held\[0\]'",
    ),
    "two sets": (lambda: ({1}, {2}), lambda h: (h[0].add(3), h[1].add(3)), r"'held\[1\]' is a set"),
}


@pytest.mark.parametrize("two", TWO_CHANGES)
def test_the_first_change_that_cannot_be_is_told_and_all_is_put_back(two):
    make, change, told = TWO_CHANGES[two]
    held = make()

    def body():
        change(held)

    mutations = Mutations([body])
    body()
    with pytest.raises(StagingError, match=f"{told}(?s:.*)f.py:1: if x:"):
        mutations.restore(STATEMENT)
    assert held == make() and [[*part] for part in held] == [[*part] for part in make()]


def kept(value=None, *, held=[0.0], others={"k": 0.0}):  # noqa: B006
    if value is not None:
        held[0] = value
        others["k"] = value
    return held[0] + others["k"]


def kept_by_default(value=None, held=[0.0]):  # noqa: B006
    if value is not None:
        held[0] = value
    return held[0]


COUNT = 0


def counted():
    global COUNT
    COUNT += 1


@pytest.mark.parametrize(
    "function, names",
    [
        (lambda: kept(5.0), ["kept['held'][0]", "kept['others']['k']"]),
        (lambda: kept_by_default(5.0), ["kept_by_default[0]"]),
        (counted, ["COUNT"]),
        (lambda: counted(), ["COUNT"]),
    ],
)
def test_what_functions_keep_is_seen_and_refused_by_name(function, names):
    before = kept(), kept_by_default(), COUNT
    mutations = Mutations([function])
    function()
    assert sorted(place.name for place, _ in mutations.restore(STATEMENT)) == names
    assert (kept(), kept_by_default(), COUNT) == before

    def f(x):
        if x > 0:
            function()
        return x

    with pytest.raises(StagingError, match=f"'{re.escape(names[-1])}' outlives the call"):
        runtime.function(f)(np.float64(1.0))
    assert (kept(), kept_by_default(), COUNT) == before


class Counter:
    def __init__(self):
        self.n = 0

    def step(self):
        self.n += 1
        return self.n


@pytest.mark.parametrize("spelled", ["counter.step", "functools.partial(counter.step)", "counter.step.__call__"])
def test_what_a_method_changes_is_seen_and_named(spelled):
    held = {"step": eval(spelled, {"counter": Counter(), "functools": functools})}
    step = held["step"]
    counter = step.func.__self__ if type(step) is functools.partial else step.__self__
    counter = counter if isinstance(counter, Counter) else counter.__self__

    def body():
        step()

    mutations = Mutations([body])
    body()
    ((place, value),) = mutations.restore(STATEMENT)
    assert (place.name, value, counter.n) == ("step.n", 1, 0)


GLOBAL = 1


def new_global():
    global GLOBAL
    GLOBAL += 1
    return GLOBAL


@pytest.mark.parametrize(
    "make, change",
    [
        (lambda: [1, 2], lambda h: h.__setitem__(1, 5)),
        (lambda: [1, 2], lambda h: h.append(5)),
        (lambda: [1, 2], lambda h: h.pop()),
        (lambda: {"k": 1}, lambda h: h.update(k=5)),
        (lambda: {"k": 1}, lambda h: h.update(j=5)),
        (lambda: {"k": 1, "j": 2}, lambda h: h.update(k=h.pop("k"))),
        (lambda: {"k": 1}, lambda h: h.clear()),
        (Box, lambda h: setattr(h, "n", 5)),
        (Box, lambda h: setattr(h, "new", 5)),
        (Box, lambda h: delattr(h, "n")),
        (slots, lambda h: setattr(h, "n", 5)),
        (lambda: None, lambda h: new_global()),
        (lambda: {1, 2}, lambda h: h.add(3)),
    ],
)
def test_one_change_and_not_all_is_as_it_was(make, change):
    held, other = make(), [1]

    def body():
        nonlocal other
        change(held)
        return other, GLOBAL

    mutations = Mutations([body])
    assert mutations.holds(())
    change(held)
    assert not mutations.holds(())


def test_a_variable_that_is_assigned_is_not_as_it_was_unless_that_is_known():
    held, variable = {"k": 1}, 1

    def body():
        nonlocal variable
        held["k"] = 2
        variable = 2

    mutations = Mutations([body])
    cells = dict(zip(body.__code__.co_freevars, body.__closure__))
    variable = 2
    assert not mutations.holds(()) and mutations.holds([(id(cells["variable"]), None)])
    held["k"] = 2
    both = [(id(cells["variable"]), None), (id(held), "k")]
    assert mutations.holds(both) and not any(mutations.holds([one]) for one in both)


def test_what_arrays_hold_is_not_known_to_be_as_it_was():
    held = np.zeros(3)

    def body():
        held[0] = 1

    assert not Mutations([body]).holds(())
