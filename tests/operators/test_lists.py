import numpy as np
import pytest

import runtime
from autograph import operators as ag__
from tests.programs import at_rest, outcome, staging


@pytest.fixture(autouse=True)
def nothing_is_traced():
    with at_rest():
        yield


def test_while_nothing_is_traced_a_list_is_itself():
    values = [1, 2]
    assert ag__.list_(values) is values
    assert ag__.list_((1, 2)) == [1, 2] and ag__.list_("ab") == ["a", "b"]


@pytest.mark.parametrize("table, index", [([1, 2], 1), ((1, 2), -1), ({"a": 3}, "a"), ([1, 2, 3], slice(1, 3))])
def test_an_ordinary_index_is_pythons(table, index):
    assert ag__.get_item(table, index) == table[index]
    with staging():
        assert ag__.get_item(table, index) == table[index]


@pytest.mark.parametrize("table, index", [([1], 5), ({}, "k"), (3, 0), ([1], "a")])
def test_an_error_is_pythons_and_shows_no_frame_of_the_operator(table, index):
    assert outcome(ag__.get_item, table, index) == outcome(lambda: table[index])
    with pytest.raises(Exception) as error:
        ag__.get_item(table, index)
    assert [entry.name for entry in error.traceback] == [error.traceback[0].name]


def looked_up(i):
    table = [10, 20, 30]
    named = {0: 5, 1: 6, 2: 7}
    return table[i], (1, 2, 3)[i], named[i]


@pytest.mark.parametrize("i", [0, 1, 2])
def test_a_staged_index_is_looked_up_by_the_graph(i):
    assert tuple(map(int, runtime.function(looked_up)(np.int64(i)))) == looked_up(i)


def grown(n):
    made = []
    i = 0
    while i < n:
        made.append(i * i)
        i += 1
    made.append(-1)
    return made


@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_list_grows_in_a_staged_loop(n):
    assert [int(v) for v in runtime.function(grown)(np.int64(n))] == grown(n)
