"""What Python's functions that compare items make of items, keys and tuples about which the graph decides."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import autograph
import runtime
from runtime.ops import indexing
from tests.programs import EXECUTORS, load

EXPRESSIONS = [
    "min(range(len(d)), key=lambda i: d[i])", "max(range(3), key=d.__getitem__)", "max([0, 2, 1], key=lambda i: d[i])",
    "max(d, key=lambda v: -v)", "min([(d[0], 1), (d[1], 2)])", "max([(d[0], 'a'), (d[1], 'b')])",
    "max(enumerate(d), key=lambda t: t[1])", "max(zip(d, range(9)))", "min((v, -i) for i, v in enumerate(d))",
    "min({'a': d[0], 'b': d[1]}.items(), key=lambda kv: kv[1])[0]",
    "max((d[i] * d[j], i, j) for i in range(3) for j in range(i))",
    "max('abc', key=lambda s: d['abc'.index(s)])", "max(d[0], d[1], d[2], key=lambda v: v % 2)",
    "max(itertools.combinations(d, 2), key=lambda p: p[0] - p[1])", "sorted(itertools.pairwise(d))[0]",
    "min(itertools.product(d[:2], [1, 0]))", "list(itertools.chain(d, [9.0]))[-1]",
    "max((d[0], 1), (d[1], 0))", "min(2, 0, 1, key=lambda i: d[i])",
    "min((t for t in [(d[0], 0), (d[1], 1)]), default=3)", "min([], key=lambda v: d[v], default=d[0])",
    "sorted(enumerate(d), key=lambda t: -t[1])", "sorted(range(len(d)), key=lambda i: d[i])",
    "sorted(range(len(d)), key=lambda i: d[i], reverse=True)", "sorted([(d[0], 1), (d[1], 2), (d[2], 0)])",
    "sorted(zip(d, range(9)), reverse=True)",
    "sorted('abc', key=lambda s: d['abc'.index(s)])",
    "sorted(d, key=lambda v: (v % 2, -v))", "sorted([-d[0], d[1], d[2]], key=abs)",
    "sorted([3, 1, 2], key=lambda k: -k)",
    "sorted([[d[0], 2], [d[1], 1]], key=lambda pair: pair[1])", "sorted({'b': d[0], 'a': d[1]})",
    "sorted({'b': d[0], 'a': d[1]}.items(), key=lambda kv: kv[1])",
    "sorted((i for i in range(4)), key=lambda i: d[i] > 1)",
    "sorted([v for v in d if v > 1], key=lambda v: -v)",
    "sorted([(v, i) for i, v in enumerate(d) if v > 1], reverse=True)",
    "sorted(list(range(4)), key=lambda i: (d[i], i))", "max(d), min(d), max(list(d)), min(d.tolist())",
]  # fmt: skip
NUMBERS = st.sampled_from([0.0, 1.0, 1.5, 2.0, 3.0])


@pytest.mark.parametrize("expression", EXPRESSIONS)
@settings(deadline=None, max_examples=12)
@given(values=st.lists(NUMBERS, min_size=4, max_size=6))
def test_items_are_compared_as_python_compares_them(expression, values):
    function = load(f"def f(d):\n    return {expression}\n", itertools=itertools)
    values = np.array(values)
    found = runtime.function(function, numpy=True, jit_compile=False)(values)
    np.testing.assert_equal(found, function(values))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_the_same_with_each_executor(jit_compile):
    function = load(f"def f(d):\n    return [{', '.join(EXPRESSIONS)}]\n", itertools=itertools)
    values = np.array([1.5, 0.0, 2.0, 1.5])
    np.testing.assert_equal(runtime.function(function, numpy=True, jit_compile=jit_compile)(values), function(values))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_nan_is_neither_less_nor_greater(size, dtype, jit_compile):
    staged = runtime.function(lambda a: (max(a), min(a)), numpy=True, jit_compile=jit_compile)
    for places in range(2**size):
        values = np.where([places >> i & 1 for i in range(size)], np.nan, np.arange(size)[::-1] * 2.0 - 3).astype(dtype)
        np.testing.assert_equal(staged(values), (max(values), min(values)))


def test_a_list_sorts_itself():
    def f(d, n):
        known, grown, places = [d[1], d[0], d[2]], [], list(range(4))
        for i in range(n):
            grown.append((d[i], -i))
        known.sort(reverse=True)
        grown.sort()
        places.sort(key=lambda i: -d[i])
        best = grown[0]
        grown.sort(key=lambda pair: pair[1])
        return known, grown, best, places

    d = np.array([2.0, 1.0, 2.0, 0.5])
    np.testing.assert_equal(runtime.function(f, numpy=True)(d, np.int64(4)), f(d, np.int64(4)))


def test_objects_stand_in_order_too():
    class Item:
        def __init__(self, name, cost):
            self.name, self.cost = name, cost

    def f(d):
        items = [Item("a", d[0]), Item("b", d[1]), Item("c", d[2])]
        items.sort(key=lambda item: item.cost)
        return [item.cost * 2 for item in items], min(items, key=lambda item: -item.cost).cost

    d = np.array([2.0, 3.0, 1.0])
    np.testing.assert_equal(runtime.function(f, numpy=True)(d), f(d))


def test_keys_of_several_kinds_are_refused():
    with pytest.raises(autograph.StagingError, match="keys of one kind"):
        runtime.function(lambda d: sorted([1, 2], key=lambda i: d[i] if i == 1 else (d[i], 1)))(np.ones(3))


FIRST = [
    "next(i for i, v in enumerate(d) if v > 1)", "next((i for i, v in enumerate(d) if v > 9), -1)",
    "next((v for v in d if v > 1.5), 0.0)", "next(i for i in range(4) if d[i] >= 0)",
    "next((i * 2 for i in [3, 1, 2] if d[i] > 1), None)", "next(filter(lambda v: v > 1, d))",
    "next((k for k, v in {'a': d[0], 'b': d[1]}.items() if v < 1), 'none')", "next((x for x in [] if d[0] > x), 7)",
    "next(s for s in ('x', 'yy') if len(s) == 2)", "next(i for i in range(len(d) - 1) if d[i] > d[i + 1])",
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("expression", FIRST)
def test_the_first_that_the_graph_finds(expression, jit_compile):
    function = load(f"def f(d):\n    return {expression}\n")
    staged = runtime.function(function, numpy=True, jit_compile=jit_compile)
    for values in ([0.0, 2.0, 1.0, 3.0], [2.0, 1.5, 0.5, 0.0], [1.0, 1.0, 2.0, 0.0]):
        np.testing.assert_equal(staged(np.array(values)), function(np.array(values)))


def test_no_first_item_is_an_error_when_the_graph_runs():
    staged = runtime.function(lambda d: next(v for v in d if v > 9))
    with pytest.raises(RuntimeError, match=r"next\(\) found no item"):
        staged(np.zeros(3))


def test_who_goes_on_behind_the_first_is_told():
    def f(d):
        positive = (v for v in d if v > 0)
        return next(positive, 0.0), next(positive, 0.0)

    with pytest.raises(autograph.StagingError, match="nobody knows which are left"):
        runtime.function(f)(np.ones(3))


def in_order(x):
    grown = []
    for v in x:
        if v != 7:
            grown.append(v)
    grown.sort(reverse=True)
    pairs = sorted([(v > 1, v, i) for i, v in enumerate(x)])
    return (
        sorted(x), sorted(x, reverse=True), sorted(x, key=lambda v: -v), sorted(x, key=lambda v: v * 2, reverse=True),
        sorted(enumerate(x), key=lambda p: p[1]), sorted(zip(x, range(99)), reverse=True), pairs, grown,
    )  # fmt: skip


@pytest.mark.numpy_may_take_over  # machine code leaves NaN to it
@pytest.mark.filterwarnings("ignore:.* has been traced")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nan_stays_where_pythons_way_of_sorting_leaves_it(dtype, jit_compile):
    """NaN is not less than anything, so which comparisons are made decides; zeros of both signs are equal."""
    run = runtime.function(in_order, numpy=True, jit_compile=jit_compile)
    numbers = np.random.default_rng(3)
    for size in (1, 2, 5, 9, 40):
        for special in ([np.nan, 0.0, -0.0, 2.0], [0.0, -0.0, 1.0], [3.0, 1.0, np.inf]):
            x = numbers.choice(special + [0.5, -1.0, 4.0], size).astype(dtype)
            assert repr(run(x)) == repr(in_order(x))


@pytest.mark.parametrize(
    "text",
    [
        "sorted(a)", "sorted(a, reverse=True)", "sorted(list(a))", "sorted([a[0], a[1]])", "list(a).sort()",
        "sorted(a, key=lambda row: row)", "sorted([(a[0], 1), (a[1], 2)])", "sorted(a[:1])", "sorted(a[:0])",
        "sorted(a[:, :1])", "sorted(a[:, :1], key=lambda row: row)", "any(a)", "all(a)", "1 if a else 2", "not a",
        "a[0] in list(a)", "bool(a[:0])", "1 if a[:1, :1] else 2",
    ],
)  # fmt: skip
def test_rows_are_compared_as_in_numpy(text):
    """Rows of several numbers were sorted column by column; NumPy cannot tell which of two is less."""
    f = load(f"def f(a):\n    return {text}\n")

    def outcome(function):
        try:
            return [np.asarray(part).tolist() for part in np.atleast_1d(function(np.array([[3, 0], [1, 1], [2, 5]])))]
        except ValueError as error:
            return type(error), str(error)

    assert outcome(runtime.function(f, numpy=True)) == outcome(f)


def test_a_key_that_holds_an_array_is_refused():
    with pytest.raises(autograph.StagingError, match="this key is an array, or has one. Give a key of numbers"):
        runtime.function(lambda a: sorted(zip(a[:, 0], a)), numpy=True)(np.array([[3, 0], [1, 1]]))


@given(st.integers(1, 3), st.booleans(), st.data())
@settings(deadline=None, max_examples=100)
def test_rows_are_in_the_order_of_python(columns, reverse, data):
    """Those that are equal stay in the order in which they came, in reverse as well; NaN is where Python leaves it."""
    kinds = [st.integers(0, 2), st.sampled_from([0.0, -0.0, 1.5]), st.sampled_from([0.0, 1.0, np.nan]), st.booleans()]
    size = data.draw(st.integers(0, 7))
    found = [np.array(data.draw(st.lists(data.draw(st.sampled_from(kinds)), min_size=size, max_size=size)))
             for _ in range(columns)]  # fmt: skip
    keys = [*zip(*(column.tolist() for column in found))] if columns > 1 else found[0].tolist()
    order = indexing.order_of_rows.kernel(*found, reverse=reverse)
    assert order.dtype == np.int32 and order.tolist() == sorted(range(size), key=keys.__getitem__, reverse=reverse)


def improved(x, first):
    """The points of a search, the best of which comes first in each iteration."""
    points = [[x + k, np.sum((x - k) ** 2)] for k in range(3)]
    for k in range(40):
        points.sort(key=lambda point: point[1])
        if points[0][1] < 0.1:
            break
        middle = points[0][0] * 0.5
        value = np.sum(middle**2)
        points[-1] = [middle, value] if value < points[-1][1] else [middle + 1, value + 1]
    return points, k, first[0] * 2


def of_dictionaries(x, first):
    points = [{"at": v, "steps": 0} for v in x]
    for _ in range(4):
        points.sort(key=lambda point: -point["at"])
        points[0]["at"] *= 0.25
        points[0]["steps"] += 1
    return points


def mixed(x, first):
    rows = [[int(v), float(k)] for k, v in enumerate(x)]
    rows.sort(reverse=True)
    rows[0][1] = 7
    return rows


def known_by_another_name(x, first):
    rows = [[x[0], 1.0], [x[1], 2.0], first]
    one, others = rows[0], rows[:]
    rows.sort(key=lambda row: row[0])
    one[1], first[1] = 9.0, 8.0
    rows[1][0] += 1
    return rows, others, one


def kept_by_a_function(x, first):
    rows = [[x[0], 1.0], [x[1], 2.0]]

    def best(row=rows[0]):
        return row

    rows.sort(key=lambda row: row[0])
    rows[0][1] = 5.0
    return rows, best()


def in_some_cases(x, first):
    rows = [[x[0], 1.0], [x[1], 2.0]]
    if x[0] > 1:
        rows.sort(key=lambda row: row[0])
    rows[0][1] = 9.0
    return rows


def written_arrays(x, first):
    rows = [[v, np.arange(3) * k] for k, v in enumerate(x)]
    one = rows[1][1]
    rows.sort(key=lambda row: row[0])
    one[0] = rows[0][1][1] = 7
    return rows


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "program",
    [improved, of_dictionaries, mixed, known_by_another_name, kept_by_a_function, in_some_cases, written_arrays],
    ids=lambda program: program.__name__,
)
def test_lists_stay_the_same_lists_where_somebody_sees_that(program, jit_compile):
    f = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for x in ([2.0, 3.0, 1.0], [1.0, 2.0, 3.0]):
        mine, wanted = ([np.array(x), [2.5, 0.0]] for _ in range(2))
        assert repr(f(*mine)) == repr(program(*wanted)) and mine[1] == wanted[1]
