"""What a staged statement changes elsewhere; the programs of tests/test_effects.py have the kinds of places."""

import numpy as np
import pytest

import runtime
from autograph import StagingError
from autograph.operators.effects import Effects, Watch
from autograph.operators.mutations import Mutations


class Box:
    def __init__(self, n):
        self.n = n

    def method(self):
        return self.n


def test_each_part_finds_places_and_leaves_them_as_they_were():
    box, numbers = Box(1), [1, 2]

    def body():
        box.n = 5
        numbers[0] = 7

    names = ["x"]
    effects = Effects(names, Mutations([body]), "f.py:1: if x:")
    body()
    assert sorted(effects.leave()) == [5, 7]
    assert box.n == 1 and numbers == [1, 2]
    assert names[0] == "x" and sorted(names[1:]) == ["box.n", "numbers[0]"]
    assert sorted(effects.leave()) == [1, 1]  # the other part changes nothing

    effects.finish([3 for _ in effects.places])
    assert box.n == 3 and numbers[0] == 3


def test_a_method_cannot_be_replaced():
    def body():
        Box.method = lambda self: 0

    kept = Box.method
    effects = Effects([], Mutations([body]), "f.py:1: if x:")
    body()
    with pytest.raises(StagingError, match=r"'Box.method' is a method"):
        effects.leave()
    assert Box.method is kept


def test_what_outlives_the_call_holds_no_staged_value():
    box = Box(np.int64(1))

    def f(x):
        if x > 0:
            box.n = x
        return x

    with pytest.raises(StagingError, match=r"'box.n' outlives the call"):
        runtime.function(f)(np.int64(2))
    assert box.n == 1


def test_what_is_made_in_the_call_may_hold_one():
    def f(x):
        box = Box(0)
        if x > 0:
            box.n = x
        return box.n

    assert [int(runtime.function(f)(np.int64(n))) for n in (2, -2)] == [2, 0]


def test_a_watch_over_nothing_says_nothing():
    with Watch([lambda: 1]):
        pass
