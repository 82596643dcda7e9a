"""Items of Python's that the graph counts, though they are no range: products of ranges, numbers of the graph in lists.

What a loop over lists gives is held against plain Python with loops of the graph wherever one can be, and as it comes.
"""

import itertools

import numpy as np
import pytest

import autograph
import runtime
from tests.programs import EXECUTORS, unrolled


def over_a_product(x):
    found = np.zeros_like(x)
    for i, j in itertools.product(range(x.shape[0]), range(x.shape[1])):
        if x[i, j] > 0.5:
            found[i, j] = x[i, j] * i - j
    return found


def over_indices(x):
    found = np.zeros_like(x)
    for i, j in np.ndindex(*x.shape):
        found[i, j] = x[i, j] + i * j
    return found


def over_whole_indices(x):
    total = 0.0
    for index in np.ndindex(x.shape):
        total += x[index] * index[0]
    return total


def over_steps(x):
    total = 0
    for i, j, k in itertools.product(range(3, 0, -1), range(2, 9, 3), range(5)):
        if x[0, 0] * i > j - k:
            total += i * 100 + j * 10 + k
    return total


def over_a_product_that_is_left(x):
    total, places = 0.0, itertools.product(range(5), range(5))
    for i, j in places:
        if i == 1 and j == 2:
            break
        total += x[i % 2, 0]
    for i, j in places:
        total += 100 * i + j
    return total


def over_a_product_to_its_end(x):
    total, places = 0.0, itertools.product(range(5), range(5))
    for i, j in places:
        total += x[i % 2, j % 2]
    return total, list(places)


def over_letters(x):
    text = ""
    for letter, i in itertools.product("ab", range(9)):
        text += letter * (i % 2)
    return text, x.sum()


def found_in_a_product(x):
    for i, j in np.ndindex(*x.shape):
        if x[i, j] > 0.99:
            return i, j
    return -1, -1


def counted_until_it_is_large(x):
    count = 0
    for i, j in itertools.product(range(x.shape[0]), range(x.shape[1])):
        if x[i, j] > 0.97:
            break
        count += 1
    else:
        count = -1
    return count, i, j


@pytest.mark.parametrize("shape", [(2, 2), (40, 50)], ids=str)
@pytest.mark.parametrize(
    "program",
    [
        over_a_product, over_indices, over_whole_indices, over_steps, over_a_product_that_is_left,
        over_a_product_to_its_end, over_letters, found_in_a_product, counted_until_it_is_large,
    ],
)  # fmt: skip
def test_a_product_of_ranges_is_counted(program, shape):
    x = np.random.default_rng(0).random(shape)
    found, wanted = runtime.function(program, numpy=True)(x), program(x)
    if not isinstance(wanted, tuple):
        found, wanted = (found,), (wanted,)
    for one, other in zip(found, wanted, strict=True):
        assert one == other if isinstance(other, str | list) else np.allclose(one, other)


@pytest.mark.parametrize("program", [over_a_product, over_indices, over_whole_indices])
def test_a_product_of_ranges_is_a_loop_of_the_graph(program):
    graph = runtime.function(program, numpy=True).get_concrete_function(np.ones((40, 50))).graph
    assert len([*graph.walk()]) < 200


def counts(x):
    found = {}
    for v in x.tolist():
        found[v] = found.get(v, 0) + 1
    return found


def groups(x):
    found = {}
    for v, w in zip(x.tolist(), x[::-1].tolist()):
        if v not in found:
            found[v] = 0
        found[v] += 2 * w
    return found


def last_places(x):
    found = {}
    for i, v in enumerate(x.tolist()):
        found[v] = i
    return found, i, v


def from_a_place_on(x):
    total = 0
    for i, (v, w) in enumerate(zip(x.tolist(), tuple(x.tolist())), 5):
        total = total * 3 % 1001 + i * v - w
    return total


def with_pythons_numbers(x):
    total, weights = 0.0, [0.5 * i for i in range(len(x))]
    for v, w, k in zip(x.tolist(), weights, range(100, 0, -2)):
        total = total * 0.5 + v * w - k
    return total


def an_iterator(x):
    places = iter(x.tolist())
    first = next(places)
    total = 0
    for v in places:
        total = total * 2 % 77 + v - first
    return total, next(places, None)


def in_pairs(x):
    total, places = 0, iter(x.tolist())
    for v, w in zip(places, places):
        total = total * 2 % 77 + 10 * v + w
    return total


def backwards(x):
    total, items = 0, tuple(x.tolist())
    for v, (i, w) in zip(reversed(x.tolist()), enumerate(reversed(items), 3)):
        total = total * 2 % 77 + v * w + i
    return total


def taken_in_the_loop(x):
    total, places, others = 0, iter(x.tolist()), x.tolist()
    for v, w in zip(places, others):
        total = total * 2 % 77 + 10 * v + w + next(places, 0)
    return total


def begun_with(x):
    places = zip(x.tolist(), x.tolist())
    next(places)
    total = 0
    for v, w in places:
        total = total * 2 % 77 + v - w
    return total, list(places)


def gone_on_with(x):
    places = zip(x.tolist(), x.tolist())
    total = 0
    for v, w in places:
        total = total * 2 % 77 + v + w
        if total > 50:
            break
    for v, w in places:
        total += 1000
    return total


def strictly(x):
    total = 0
    for v, w in zip(x.tolist(), x.tolist(), strict=True):
        total = total * 2 % 77 + v + w
    return total


def of_different_lengths(x):
    total = 0
    for v, w in zip(x.tolist(), x[:-1].tolist()):
        total = total * 2 % 77 + v + 2 * w
    return total


def made_longer(x):
    items, total = x.tolist(), 0
    for v in items:
        if len(items) < 50:
            items.append(v + 1)
        total = total * 2 % 77 + v
    return total, len(items)


def made_shorter(x):
    items, total = x.tolist(), 0
    for v in items:
        items.pop()
        total = total * 2 % 77 + v
    return total, items


def changed_ahead(x):
    items, total = x.tolist(), 0
    for i, v in enumerate(items):
        if i + 1 < len(items):
            items[i + 1] += 1
        total = total * 2 % 77 + v
    return total, items


def changed_by_another(x):
    items, total = x.tolist(), 0

    def change():
        items[-1] = items[-1] + 1

    for v in items:
        change()
        total = total * 2 % 77 + v
    return total, items


def changed_as_an_attribute(x):
    class Held:
        pass

    held, total = Held(), 0
    held.items = x.tolist()
    for v in held.items:
        held.items[-1] += v
        total = total * 2 % 77 + v
    return total, held.items


def until_one_is_found(x):
    for i, v in enumerate(x.tolist()):
        if v == 3:
            return i
    return -1


def best_so_far(x):
    best = None
    for v in x.tolist():
        if best is None or v > best:
            best = v
    return best


def of_different_types(x):
    total = 0.0
    for v in [*x.tolist(), 0.5, *x.astype(float).tolist()]:
        total = total * 0.5 + v
    return total


def numbers_of_numpys(x):
    total = x[0]
    for v in list(x):
        total = total * 2 % 77 + v
    return total, type(v).__name__


def a_list_that_is_kept(x):
    found, items = [], x.tolist()
    for v in items:
        found.append(v * 2)
    return found, items


def nested(x):
    total = 0
    for v in x.tolist():
        for w in x.tolist():
            if v < w:
                total = total * 2 % 77 + v * w
    return total


def looked_up(x):
    places = {}
    for v in x.tolist():
        places[v] = len(places)
    return [places[v] for v in x.tolist()], places


def each_once(x):
    seen = set()
    return [v for v in x.tolist() if not (v in seen or seen.add(v))]


def how_many_of_each(x):
    return {v: sum(1 for w in x.tolist() if w == v) for v in x.tolist()}


def side_by_side(x):
    return [v * w if v > w else (v - w) * i for i, (v, w) in enumerate(zip(x.tolist(), reversed(x.tolist())))]


def changed_by_the_element(x):
    items = x.tolist()
    return [items.pop() + v for v in items], items


def of_an_iterator(x):
    items = iter(x.tolist())
    return [v * 2 for v in items if v > 2], [*items]


def pairs_of_an_array(x):
    found, last = {}, None
    for u, v in x.reshape(-1, 1).repeat(2, 1).tolist():
        found.setdefault(u % 3, []).append(v)
        last = v
    return found, last


def rows_that_are_kept(x):
    kept, rows = [], [[v, 2 * v] for v in x.tolist()]
    for row in rows:
        if row[0] > 2:
            kept.append(row)
    return kept, rows


def rows_that_are_taken_apart_and_kept(x):
    kept, rows = [], [[v, 2 * v] for v in x.tolist()]
    for row in rows:
        v, w = row
        row[1] = v + w
        kept.append(row)
    return kept, rows


def rows_that_are_changed_ahead(x):
    total, rows = 0, [[v, 2 * v] for v in x.tolist()]
    for i, (v, w) in enumerate(rows):
        rows[-1][1] += i
        total = total * 2 % 1001 + v * w
    for v, w in rows:
        rows[-1][1] += v
        total = total * 2 % 1001 + v * w
    return total, rows


def rows_that_are_changed(x):
    rows = [[v, 2 * v] for v in x.tolist()]
    for row in rows:
        row[0] += row[1]
    return rows


def rows_that_get_longer(x):
    rows = [[v] for v in x.tolist()]
    for row in rows:
        if row[0] > 2:
            row.append(1)
    return rows


def a_row_that_is_changed_by_another_name(x):
    rows = [[v, v] for v in x.tolist()]
    first, total = rows[-1], 0
    for row in rows:
        first[0] += 1
        total = total * 2 % 1001 + row[0]
    return total, first, rows


def one_row_many_times(x):
    row = [x[0], x[1]]
    total, rows = 0, [row] * len(x)
    for one in rows:
        one[1] += 1
        total = total * 3 % 101 + one[1]
    return total, rows


def with_their_numbers(x):
    places, total = {}, 0
    for i, v in [(i, v) for i, v in enumerate(x.tolist())]:
        places[v] = i
        total = total * 2 % 1001 + i * v
    return places, total


def rows_of_other_kinds(x):
    total = 0
    for v, w in [(v, v * 0.5 if i % 2 else v) for i, v in enumerate(x.tolist())]:
        total += v * w
    return total


def rows_of_other_lengths(x):
    total = 0
    for row in [[v] * (i % 3) for i, v in enumerate(x.tolist())]:
        for v in row:
            total = total * 2 % 1001 + v
    return total


def rows_with_others(x):
    total = 0
    for i, (u, v) in enumerate(zip(x.tolist(), [(v, -v) for v in x.tolist()])):
        total = total * 2 % 1001 + i * u + v[0] * v[1]
    return total


PROGRAMS = [
    rows_that_are_taken_apart_and_kept, rows_that_are_changed_ahead,
    pairs_of_an_array, rows_that_are_kept, rows_that_are_changed, rows_that_get_longer,
    a_row_that_is_changed_by_another_name, one_row_many_times, with_their_numbers, rows_of_other_kinds,
    rows_of_other_lengths, rows_with_others,
    looked_up, each_once, how_many_of_each, side_by_side, changed_by_the_element, of_an_iterator,
    counts, groups, last_places, from_a_place_on, with_pythons_numbers, an_iterator, in_pairs, backwards,
    taken_in_the_loop,
    begun_with, strictly, of_different_lengths, made_longer, made_shorter, changed_ahead,
    changed_by_another, changed_as_an_attribute, until_one_is_found, best_so_far, of_different_types,
    numbers_of_numpys, a_list_that_is_kept, nested,
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("limit", [0, 30, 500], ids=str)
@pytest.mark.parametrize("size", [3, 20], ids=str)
@pytest.mark.parametrize("program", PROGRAMS)
def test_lists_of_numbers_are_gone_through_as_python_does(program, size, limit, jit_compile):
    x = np.random.default_rng(size).integers(0, 6, size)
    with unrolled(limit):
        f = runtime.function(program, numpy=True, jit_compile=jit_compile)
        for numbers in (x, x[::-1].copy()):
            found, wanted = f(numbers), program(numbers)
            assert repr(found) == repr(wanted)


def test_a_class_of_the_users_is_not_asked_for_its_length():
    class Told:
        asked = 0

        def __len__(self):
            Told.asked += 1
            return 20

        def __getitem__(self, index):
            return index

    def f(x):
        total = x
        for v in reversed(Told()):
            total = total + v
        return total

    plain, counts = f(np.float64(1)), []
    for g in (f, runtime.function(f, numpy=True)):
        Told.asked = 0
        assert g(np.float64(1)) == plain
        counts.append(Told.asked)
    assert counts[0] == counts[1]


def test_what_a_break_leaves_of_an_iterator_is_gone_on_with_or_refused():
    x = np.arange(20)
    with pytest.raises(autograph.StagingError, match="may have left a loop over this zip"):
        runtime.function(gone_on_with, numpy=True)(x)


LOOPS = [
    counts, groups, last_places, from_a_place_on, nested, backwards, each_once, pairs_of_an_array, with_their_numbers,
    rows_with_others,
]  # fmt: skip


@pytest.mark.parametrize("program", LOOPS)
def test_a_list_of_numbers_is_gone_through_by_a_loop_of_the_graph(program):
    lengths = []
    for size in (100, 200):
        f = runtime.function(program, numpy=True)
        lengths.append(len([*f.get_concrete_function(np.arange(size) % 7).graph.walk()]))
    assert lengths[1] - lengths[0] <= 12 * 100  # an element is taken from its array, and is a part of the list
