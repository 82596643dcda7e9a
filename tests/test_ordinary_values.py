"""Places of code that have met ordinary values, and then meet others: staged ones, other types, other functions."""

import weakref

import numpy as np
import pytest

import autograph
import runtime
from tests.programs import EXECUTORS


class Box:
    def __init__(self, value, *items):
        self.value, self.items = value, items
        self.asked = 0

    def __contains__(self, value):
        return value in self.items

    def __len__(self):
        return len(self.items)

    @property
    def counted(self):
        self.asked += 1
        return self.value

    def plus(self, value):
        return self.value + value if value > 0 else self.value


class Called:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        return x * self.by if x > 0 else x


def method(box, x):
    return box.plus(x)


def call(function, x):
    return function(x)


def attribute(box, x):
    return getattr(box, "counted") + getattr(box, "missing", 1)


def item(table, key):
    return table[key]


def contained(value, items):
    return value in items


def same(value, other):
    return value is other


def length(items):
    return len(items)


def kind(value):
    return type(value) is float


def until(limit):
    count = 0
    while count < limit:
        count = count + 1
    return count


def emptied(items):
    total = 0
    while items:
        total = total + items.pop()
    return total


def first(items, wanted):
    found = -1
    for index, value in enumerate(items):
        if value == wanted:
            found = index
            break
    return found


def over(items):
    total = 0
    for value in items:
        total = total + value
    return total


def generated(items, by):
    return sum(value * by for value in items), max(value + by for value in items), any(value > by for value in items)


def taken(iterator):
    return next(iterator) + next(iterator, 0)


ORDINARY = [
    (method, lambda: (Box(1.0), 2.0)),
    (method, lambda: (Box(1.0), -2.0)),
    (call, lambda: (Called(3.0), 2.0)),
    (call, lambda: (str, 2.0)),
    (call, lambda: (abs, -2.0)),
    (call, lambda: (lambda x: x + 1 if x else x, 2.0)),
    (attribute, lambda: (Box(2.0), 0)),
    (item, lambda: ([1.0, 2.0], 1)),
    (item, lambda: ({"a": 1.0}, "a")),
    (contained, lambda: (2, Box(0, 1, 2))),
    (contained, lambda: (3, [1, 2])),
    (contained, lambda: ("a", {"a": 1})),
    (same, lambda: (None, None)),
    (same, lambda: ("a", 1)),
    (length, lambda: ([1, 2],)),
    (length, lambda: (Box(0, 1, 2),)),
    (length, lambda: ({1: 2}.items(),)),
    (kind, lambda: (1.5,)),
    (kind, lambda: (Box(1),)),
    (until, lambda: (3,)),
    (emptied, lambda: ([1, 2, 3],)),
    (first, lambda: ([5, 6, 7], 6)),
    (over, lambda: ([1, 2, 3],)),
    (over, lambda: ({1: 2, 3: 4}.values(),)),
    (over, lambda: ((x * x for x in [1, 2]),)),
    (generated, lambda: ([1, 2, 3], 2)),
    (taken, lambda: (iter([1, 2]),)),
    (taken, lambda: (enumerate([]) or iter([4]),)),
]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_a_place_that_has_met_ordinary_values_meets_staged_ones(jit_compile):
    """Each function has met many ordinary values in the trace, and gives of staged ones what it gives without that."""
    wanted = [_outcome(f, make) for f, make in ORDINARY]

    def staged(x, n):
        return (
            [method(Box(x), x), method(Box(1.0), x), call(Called(x), x), call(abs, x), attribute(Box(x), x)],
            [item([1.0, 2.0, 3.0], n), contained(n, [1, 2]), contained(n, Box(0, 1, 2)), same(x, None)],
            [until(n), first([1, 2, 3], n), over(runtime.range(n)), over([x, x]), over(v * x for v in [1.0, 2.0])],
            generated([1.0, 2.0], x),
        )

    @runtime.function(jit_compile=jit_compile)
    def cold(x, n):
        return staged(x, n)

    @runtime.function(jit_compile=jit_compile)
    def warm(x, n):
        for _ in range(6):
            met = [_outcome(f, make) for f, make in ORDINARY]
            assert met == wanted
        return staged(x, n)

    x, n = np.float32(1.5), np.int32(2)
    expected = [np.asarray(v) for part in cold(x, n) for v in part]
    found = [np.asarray(v) for part in warm(x, n) for v in part]
    assert [v.tolist() for v in found] == [v.tolist() for v in expected]
    assert [v.tolist() for v in found[:5]] == [3.0, 2.5, 2.25, 1.5, 2.5]
    assert [v.tolist() for v in found[9:14]] == [2, 1, 1, 3.0, 4.5]


@autograph.do_not_convert
def _outcome(function, make):
    try:
        return autograph.traced_form(function)(*make())
    except Exception as error:
        return type(error).__name__, str(error)


def test_an_attribute_is_asked_for_once():
    """What a property gives may be staged, and its code runs as often as Python would run it."""
    box = Box(None)

    @runtime.function
    def f(x):
        box.value = x
        return attribute(box, x)

    assert float(f(np.float32(2.0))) == 3.0 and box.asked == 1


def test_what_stands_in_a_class_may_change_in_a_trace():
    class Own(Box):
        pass

    found = []

    @runtime.function
    def f(x):
        own = Own(0, 1)
        found.append([contained(1, own) for _ in range(3)])
        Own.__contains__ = lambda self, value: value > 5
        found.append([contained(1, own), contained(6, own)])
        Own.plus = lambda self, value: "other"
        found.append([method(own, 1.0) for _ in range(3)])
        return x

    f(np.float32(1.0))
    assert found == [[True, True, True], [False, True], ["other"] * 3]


def test_a_name_of_pythons_may_be_the_modules_own():
    space = {}
    found = []
    text = "def f(items):\n    return len(items)\n"
    code = compile(text, "<len>", "exec")
    exec(code, space)
    f = autograph.convert(space["f"], source=text)

    @runtime.function
    def traced(x):
        found.append([f([1, 2]) for _ in range(4)])
        space["len"] = lambda items: "mine"
        found.append([f([1, 2]) for _ in range(2)])
        return x

    traced(np.float32(1.0))
    assert found == [[2] * 4, ["mine"] * 2]


def test_what_a_loop_asks_for_its_truth_lives_no_longer_for_that():
    class Items(list):
        pass

    gone = []

    def run():
        items = Items([1, 2])
        gone.append(weakref.ref(items))
        return emptied(items)

    @runtime.function
    def f(x):
        for _ in range(6):
            run()
        gone[:] = [ref() for ref in gone]
        return x

    f(np.float32(1.0))
    assert gone == [None] * 6
