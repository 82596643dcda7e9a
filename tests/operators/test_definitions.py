"""The definitions of built-in functions do what these do."""

import operator

import pytest

from autograph.operators import definitions, ordered
from tests.programs import outcome

ITEMS = ([], [3], [3, 1, 2], [0, False, 0.0], (2, 2.0, 1), "abc", [None, 1], [[2], [1, 5]], range(4))
FUNCTIONS = [
    (definitions.sum_, sum),
    (definitions.any_, any),
    (definitions.all_, all),
    (ordered.min_, min),
    (ordered.max_, max),
    (definitions.collect_all, list),
]


def kept(result):
    """The outcome; of an error its type, as the words of Python's differ between versions."""
    return result if result[0] == "returns" else result[0]


@pytest.mark.parametrize("items", ITEMS, ids=repr)
@pytest.mark.parametrize("made, built_in", FUNCTIONS, ids=lambda f: f.__name__)
def test_of_items(made, built_in, items):
    if None in list(items) and built_in in (min, max):
        pytest.skip("None is what stands for no item yet")
    assert kept(outcome(made, items)) == kept(outcome(built_in, items))


@pytest.mark.parametrize("made, built_in", [(ordered.min_, min), (ordered.max_, max)])
def test_the_first_of_equals_by_a_key_and_a_default(made, built_in):
    items = ["bb", "a", "cc", "d"]
    assert made(items, key=len) == built_in(items, key=len)
    assert made([], default=7) == built_in([], default=7)
    with pytest.raises(ValueError) as said:
        built_in([])
    with pytest.raises(ValueError) as raised:
        made([])
    assert str(raised.value) == str(said.value)


def test_sum_begins_with_the_start():
    assert definitions.sum_([[1], [2]], [0]) == sum([[1], [2]], [0])


@pytest.mark.parametrize("value", [3, 2.0, 9])
def test_where_and_how_often(value):
    items = [3, 2, 3]
    assert definitions.count_(items, value) == items.count(value)
    assert kept(outcome(definitions.index_, items, value)) == kept(outcome(items.index, value))


@pytest.mark.parametrize("count", [-1, 0, 1, 3])
@pytest.mark.parametrize("items", [[], [1, 2]], ids=str)
def test_repetition(items, count):
    assert definitions.repeat(items, count) == items * count


def test_a_list_that_fits_nowhere():
    with pytest.raises(MemoryError):
        definitions.repeat([1], 2**62)
    assert definitions.repeat([], 2**62) == []


def test_collect_makes_a_list_longer():
    made = [0]
    assert definitions.collect(made, range(5), lambda x: x * 10, lambda x: x % 2) is made
    assert made == [0, 10, 30]
    assert definitions.collect([], "ab", None, None) == ["a", "b"]


def test_items_go_through_the_steps():
    done = []
    body = definitions.with_nested(lambda x: (x, -x), done.append)
    body = definitions.with_filter(lambda x: x % 2, body)
    body = definitions.with_map(lambda x: x + 1, body)
    for item in range(4):
        body(item)
    assert done == [1, -1, 3, -3]


def test_lists_are_compared_item_by_item():
    assert definitions.equal_lists([1, (2, 3)], [1, (2, 3)])
    assert not definitions.equal_lists([1, 2], [1, 3]) and not definitions.equal_lists([1], [1, 2])
    for items, others in [([1, 2], [1, 3]), ([1, 3], [1, 2]), ([1], [1, 2]), ([1, 2], [1, 2])]:
        for compare in (operator.lt, operator.le, operator.gt, operator.ge):
            assert definitions.ordered_lists(items, others, compare) == compare(items, others)


def test_what_a_list_contains():
    nan = float("nan")
    assert definitions.contains_([1, (2, 3)], (2, 3)) and definitions.contains_([nan], nan)
    assert not definitions.contains_([1, 2], 3) and not definitions.contains_([], 1)
