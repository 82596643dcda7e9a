"""What a place of code has met is known until nothing is traced, and no longer than it holds."""

import functools
import math

import numpy as np
import pytest

import autograph
import runtime
from autograph import dispatch
from autograph.operators import spent
from autograph.operators.seen import Seen
from tests.programs import staging


@pytest.fixture(autouse=True)
def traces_end(monkeypatch):
    """As if no test had registered a backend that stages at any time, with which nothing is kept."""
    monkeypatch.setattr(dispatch, "lasting", 0)
    monkeypatch.setattr(dispatch, "active", 0)
    monkeypatch.setattr(spent, "left", {})


def double(x):
    return x + x if x else 0


def meet(x):
    return x + 1


def keep(x):
    return x * 2


def test_a_function_that_is_met_is_known_until_nothing_is_traced():
    seen = Seen(["f met"])
    with staging():
        met = seen.meet("f met", double)
        assert autograph.is_converted(met)
        assert getattr(seen, "f met") is double and getattr(seen, "f converted") is met
        assert seen.meet("f met", abs) is not met  # the name stands for something else by now
    assert getattr(seen, "f met") is not double


def test_users_may_call_their_functions_what_they_like():
    @runtime.function
    def f(x):
        return meet(keep(meet(x)))

    assert float(f(1.0)) == 5.0


class Plain:
    pass


class Never:
    def __bool__(self):
        return False


class Endless:
    def __next__(self):
        return 1


@pytest.mark.parametrize("value, known", [(1, True), ([], True), (Plain(), True), (Never(), False), (Endless(), False)])
def test_the_truth_of_a_type_is_pythons_unless_a_class_says_it(value, known):
    seen = Seen(["truth 0"])
    with staging():
        for _ in range(2):
            autograph.operators.decided(value)
            assert seen.true("truth 0", value) is value
        assert (getattr(seen, "truth 0") is type(value)) is known
    assert getattr(seen, "truth 0") is not type(value)


def test_a_class_that_changes_is_asked_anew():
    class Box:
        def __bool__(self):
            return True

        def __contains__(self, item):
            return item == 1

    def f(box):
        asked = [(1 if box else 0, 2 in box) for _ in range(3)]
        Box.__bool__ = lambda self: False
        Box.__contains__ = lambda self, item: True
        return asked, [(1 if box else 0, 2 in box) for _ in range(3)]

    found = []
    runtime.function(lambda x: found.append(autograph.to_graph(f)(Box())) or x)(1.0)
    assert found == [([(1, False)] * 3, [(0, True)] * 3)]


def test_a_place_that_has_met_ordinary_values_stages_the_others():
    def f(values, table, x):
        found = []
        for value in values:
            if value:
                found.append(1)
            if value is not None:
                found.append(2)
            found.append(table[0 if value is None else 1])
        return found

    @runtime.function
    def g(x):
        return f([1, 2, 0, x > 0, 3, x > 5], [10, 20], x)

    assert [int(v) for v in g(1.0)] == f([1, 2, 0, True, 3, False], [10, 20], 1.0)


def test_no_frame_of_a_place_is_in_the_traceback():
    @autograph.convert
    def f(table, key):
        return table[key] if key in table else len(key)

    with staging():
        for _ in range(2):
            with pytest.raises(TypeError) as caught:
                f({}, 1)
    frames = []
    traceback = caught.tb
    while traceback is not None:
        frames.append(traceback.tb_frame.f_code.co_filename)
        traceback = traceback.tb_next
    assert all(name == __file__ for name in frames), frames


class Steps:
    def step(self, x):
        return x + 1

    def choose(self, x):
        return x + 1 if x else 0


@pytest.mark.parametrize("left", [False, True])
def test_what_a_place_calls_is_known_where_it_may_be_called_as_it_is(left, monkeypatch):
    it = iter([1])
    monkeypatch.setattr(spent, "left", {id(it): (it, "a loop")} if left else {})
    seen = Seen(["f", "g", "h"])
    nothing = seen.f
    with staging():
        seen.callee("f", math.ulp)
        assert (seen.f is math.ulp) is not left
        assert seen.callee("g", double) is not double and seen.g is not double and seen.g is not nothing
        seen.callee("f", abs)  # another: the place is not asked again
        assert seen.f is not abs
        made = functools.partial(math.ulp)
        seen.callee("h", made)
        assert seen.h is not made  # it is made anew for each call
    assert seen.f is seen.g is seen.h is nothing


@pytest.mark.parametrize("left", [False, True])
def test_the_methods_of_pythons_types_are_known_by_the_type(left, monkeypatch):
    it = iter([1])
    monkeypatch.setattr(spent, "left", {id(it): (it, "a loop")} if left else {})
    seen = Seen(["t", "m"])
    nothing = seen.t
    with staging():
        for method, kind in ([].append, list), ("a".upper, str), ({}.get, dict):
            for _ in range(2):  # another type takes the place when it is met there again
                seen.method(("t", "m"), method)
            assert (seen.t is kind) is not left
        known = seen.t
        seen.method(("t", "m"), np.ones(2).sum)
        seen.method(("t", "m"), math.ulp)
        assert seen.t is known and (seen.m is math.ulp) is not left
        steps = Steps()
        assert seen.method(("t", "m"), steps.step)(1) == 2
        assert seen.t is known
        other = Seen(["t", "m"])
        assert other.method(("t", "m"), steps.choose)(1) == 2
        assert other.t is nothing and other.m is not Steps.choose
    assert seen.t is seen.m is other.m is nothing
