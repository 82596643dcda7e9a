import numpy as np
import pytest

import autograph
import runtime
from autograph import operators as ag__
from tests.exactly import difference
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


TABLE = np.array([3.0, 1.0, 4.0, 1.0])
PAIRS = np.arange(16).reshape(4, 4)


class Holder:
    table = np.array([1, 2, 3, 5], np.uint8)


def from_a_global(x):
    return TABLE[np.argmax(x)], TABLE[np.argsort(x)]


def from_the_end(x):
    return TABLE[-np.argmax(x)], TABLE[~np.argmax(x)], PAIRS[-int(x[0]), 1], (5, 6, 7)[-int(x[3])], {-1: 8}[-int(x[3])]


def from_two_axes(x):
    return PAIRS[np.argmax(x), np.argmin(x)], PAIRS[np.argmax(x)]


STEPS = [3, 1, 4, 1, 5]


def from_parts(x):
    i = np.argmax(x)
    steps = 0
    for step in STEPS[i:]:
        steps += step
    hann = np.hanning(6)
    return TABLE[i:].sum(), TABLE[:i], PAIRS[1:i, ::2], PAIRS[i, 1:], hann[i - 2 : i + 2] @ x, STEPS[:i], steps


def from_an_attribute(x):
    return Holder.table[np.argsort(x)], Holder.table[int(x[1])]


def from_one_made_inside(x):
    grid = np.linspace(0, 1, 300)
    total = 0.0
    for i in range(300):
        total += grid[i] * x[i % 4]
    rows, columns = np.triu_indices(4, k=1)
    for i in np.argsort(x):
        total += rows[i] * columns[i]
    return total


def from_what_is_computed_of_one(x):
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(4) / 4)
    out = np.zeros(4)
    for i, value in enumerate(x):
        out[i] = value * window[i]
    return out


@pytest.mark.parametrize("native", [False, None])
@pytest.mark.parametrize(
    "function",
    [
        from_a_global,
        from_the_end,
        from_two_axes,
        from_parts,
        from_an_attribute,
        from_one_made_inside,
        from_what_is_computed_of_one,
    ],
)
def test_an_array_of_numpys_is_looked_up_by_the_graph(function, native):
    x = np.array([2.0, 0.0, 3.0, 1.0])
    staged = runtime.function(function, numpy=True, jit_compile=native)
    assert not difference(staged(x), function(x))
    assert len(staged.get_concrete_function(x).graph.nodes) < 30


def test_a_part_of_an_array_of_numpys_that_only_the_graph_finds_is_not_written():
    @runtime.function
    def overwritten(i):
        row = PAIRS[i]
        row[0] = 7
        return row

    with pytest.raises(autograph.StagingError, match="part of an array that only Python has"):
        overwritten(np.int64(1))
    assert PAIRS[1, 0] == 4


def test_an_index_that_no_array_of_numpys_has():
    with pytest.raises(IndexError, match="out of bounds"):
        runtime.function(lambda i: TABLE[i], jit_compile=False)(np.int64(4))


def reached(x):
    waiting, seen, steps = [0], np.zeros(4, dtype=bool), 0
    while waiting:
        j = waiting.pop(0)
        if not seen[j]:
            seen[j] = True
            waiting.extend(np.where(x > x[j])[0])
        steps += 1
    return steps


def halved(x):
    kept, stack = np.zeros(len(x), dtype=bool), [(0, len(x) - 1)]
    while stack:
        low, high = stack.pop()
        middle = (low + high) // 2
        if x[high] - x[low] > 0.2 and middle > low:
            kept[middle] = True
            stack.append((low, middle))
            stack.append((middle, high))
    return kept


def ratio(x):
    return np.divide(x, x - 0.6, out=np.zeros(4), where=x != 0.6)


@pytest.mark.parametrize("native", [False, None])
@pytest.mark.parametrize("function", [reached, halved, ratio])
def test_what_data_decide_is_kept_in_lists_and_new_arrays(function, native):
    x = np.array([0.3, 0.6, 0.7, 0.95])
    with np.errstate(all="ignore"):
        assert not difference(runtime.function(function, numpy=True, jit_compile=native)(x), function(x))
