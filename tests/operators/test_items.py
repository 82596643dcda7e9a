import types

import numpy as np
import pytest

import autograph
import runtime
from autograph import operators as ag__
from autograph.operators.items import Items
from tests.programs import load, outcome, staging

KINDS = {
    "a list": lambda: [1, 2, 3], "none": tuple, "a text": lambda: "abc", "a dictionary": lambda: {1: 2, 2: 3},
    "a range": lambda: range(4), "an iterator": lambda: iter([5, 2, 6]),
}  # fmt: skip


@pytest.mark.parametrize("items", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("staged", [False, True])
def test_a_comprehension_is_pythons(items, staged):
    make = lambda: [ag__.list_comp(lambda x: (x, x), items()), ag__.list_comp(lambda x: x, items(), lambda x: x != 2)]
    expected = [[(x, x) for x in items()], [x for x in items() if x != 2]]
    if not staged:
        assert make() == expected
        return
    with staging():
        assert make() == expected


def test_items_are_taken_apart():
    assert ag__.list_comp(lambda a, b: a + b, [(1, 2), (3, 4)], lambda a, b: a > 1) == [7]
    wrong = lambda: ag__.list_comp(lambda a, b: a, [(1, 2, 3)])
    assert outcome(wrong) == ("ValueError", "too many values to unpack (expected 2)")
    few = lambda: ag__.list_comp(lambda a, b: a, [iter([1])])
    assert outcome(few) == ("ValueError", "not enough values to unpack (expected 2, got 1)")
    none = lambda: ag__.list_comp(lambda a, b: a, [5])
    assert outcome(none) == ("TypeError", "cannot unpack non-iterable int object")


class Indexed:
    """What has items, and no iterator of its own."""

    def __getitem__(self, index):
        return [10, 20][index]


PAIRS = {
    "a dictionary": {1: 0, 2: 0}, "a set": frozenset((4, 5)), "a text": "ab", "indexed": Indexed(),
    "a range": range(2), "an array": np.arange(2),
}  # fmt: skip


@pytest.mark.parametrize("item", PAIRS.values(), ids=PAIRS)
def test_whatever_python_takes_apart_is_taken_apart(item):
    with staging():
        assert ag__.list_comp(lambda a, b: (a, b), [item]) == [(a, b) for a, b in [item]]
        assert ag__.list_comp(lambda a, b: (a, b), [iter(item)]) == [(a, b) for a, b in [item]]


def test_a_generator_is_lazy_and_looks_like_one():
    log = []
    made = ag__.generator(lambda x: log.append(x) or x * 2, [1, 2, 3])
    assert isinstance(made, types.GeneratorType) and log == []
    assert next(made) == 2 and log == [1]
    assert [*made] == [4, 6] and [*made] == []


def test_inner_loops_are_nested():
    made = ag__.list_comp(lambda x: ag__.generator(lambda y: (x, y), range(x)), [1, 2], nested=True)
    assert made == [(x, y) for x in [1, 2] for y in range(x)]


def test_steps_follow_one_another():
    items = Items([1, 2, 3, 4]).each("filter", lambda x: x % 2 == 0).each("map", lambda x: x * 10)
    assert items.is_whole() and [*items] == [20, 40]
    closed = Items([1, 2])
    closed.close()
    assert [*closed] == []


def squares(xs):
    return sum([x * x for x in xs if x > 1]), sum(x for x in xs), max(x - 1 for x in xs)


@pytest.mark.parametrize("xs", [[1, 2, 3], [0, 1], [5]])
def test_staged_items(xs):
    made = runtime.function(squares)(np.array(xs))
    assert tuple(map(int, made)) == squares(xs)


@pytest.mark.parametrize(
    "made", ["[x for x in xs if box if x]", "{x for x in xs if box if x}", "{x: 1 for x in xs if box if x}"]
)
def test_each_condition_is_asked_once(made):
    asked = []

    class Box:
        def __bool__(self):
            asked.append(1)
            return False

    f = autograph.convert(load(f"def f(xs, box):\n    return {made}\n"))
    with staging():
        assert not f([1, 2], Box())
    assert len(asked) == 2
