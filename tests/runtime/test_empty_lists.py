"""Arrays of lists that the graph finds empty: NumPy makes arrays of floats with one axis of them."""

import numpy as np
import pytest

import runtime
from runtime.errors import InvalidArgumentError
from tests.programs import EXECUTORS, load

SOME, NONE = np.array([[1.0, 2.0], [-3.0, 4.0], [1.0, 5.0]]), np.array([[-1.0, 2.0], [-3.0, 4.0], [-1.0, 5.0]])


def kept(x):
    found = []
    for row in x:
        if row[0] > 0:
            found.append(row)
    return found


def numbers(x):
    return [int(row[1]) for row in x if row[0] > 0]


def pairs(x):
    found = []
    for row in x:
        if row[0] > 0:
            found.append((int(row[0]), row[1]))
    return found


def summed(x):
    total = np.zeros(2)
    for row in np.array(kept(x)):
        total += row
    return total


def asked(x):
    found = kept(x)
    if len(found) == 0:
        return np.zeros(2)
    return np.array(found).mean(axis=0)


def in_a_loop(x):
    centers = x[:2].copy()
    for turn in range(3):
        groups = [[] for _ in range(2)]
        for row in x:
            groups[int(row[0] > turn)].append(row)
        for j in range(2):
            centers[j] = np.sum(groups[j], axis=0)
    return centers


def two_lists(x):
    found, others = numbers(x), numbers(-x)
    return np.concatenate([found, others]), np.array(found) + 1, np.array(others)


def counted(x):
    found = np.array(numbers(x))
    return len(found), found.size, found.tolist(), [int(n) for n in found], sum(i * n for i, n in enumerate(found))


def drawn(x):
    return np.random.default_rng(0).random(), np.array(numbers(x))


def shown(x):
    found = np.array(numbers(x))
    print(found, found.dtype)
    return found


CASES = {
    "np.array of arrays": lambda x: np.array(kept(x)),
    "its shape": lambda x: (np.array(kept(x)).shape, np.array(kept(x)).ndim, np.array(kept(x)).T),
    "np.sum of arrays": lambda x: np.sum(kept(x), axis=0),
    "a method": lambda x: np.array(kept(x)).sum(axis=0),
    "an axis": lambda x: np.array(kept(x)).sum(axis=1),
    "a column": lambda x: np.array(kept(x))[:, 0],
    "np.vstack": lambda x: np.vstack(kept(x)),
    "np.asarray of tuples": lambda x: np.asarray(pairs(x)),
    "np.array of ints": lambda x: np.array(numbers(x)),
    "np.array of ints with a dtype": lambda x: np.array(numbers(x), dtype=np.int32),
    "np.sum of ints": lambda x: np.sum(numbers(x)),
    "np.cumsum of ints": lambda x: np.cumsum(numbers(x)),
    "np.max of ints": lambda x: np.max(numbers(x)),
    "an index": lambda x: x[np.array(numbers(x), dtype=int) % 3],
    "np.array of floats": lambda x: np.array([row[1] for row in x if row[0] > 0]),
    "a ufunc": lambda x: np.sqrt(numbers(x)),
    **{f.__name__: f for f in (summed, asked, in_a_loop, two_lists, counted, drawn, shown)},
}


def outcome(f, x):
    with np.errstate(all="ignore"):
        try:
            return repr(f(x.copy()))
        except (ValueError, IndexError) as error:
            return type(error), str(error)


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_arrays_of_empty_lists_are_numpys(case, jit_compile, capsys):
    f = runtime.function(CASES[case], numpy=True, jit_compile=jit_compile)
    for x in (SOME, SOME, SOME, SOME, NONE, NONE, SOME):  # the first are called by the short way in the end
        wanted = outcome(CASES[case], x), capsys.readouterr().out
        assert (outcome(f, x), capsys.readouterr().out) == wanted


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("case", [numbers, summed, two_lists, shown], ids=lambda case: case.__name__)
def test_calls_that_repeat_themselves_go_a_short_way_until_a_list_is_empty(case, jit_compile, capsys):
    def program(x):
        return case(x), np.array(numbers(x)), np.mean(numbers(x) or [0])

    graph = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for x in (SOME, SOME, SOME, NONE, SOME, NONE):
        told = []
        for function in (program, graph):
            found = repr(function(x))
            told.append((found, capsys.readouterr().out))
        assert told[0] == told[1]
    assert graph.experimental_get_tracing_count() <= 4


def test_a_function_that_another_calls_is_traced_anew_with_it():
    inner = runtime.function(lambda x: np.array(numbers(x)), numpy=True)
    outer = runtime.function(lambda x: inner(x), numpy=True)
    assert [repr(outer(x)) for x in (SOME, NONE)] == [repr(np.array(numbers(x))) for x in (SOME, NONE)]


def test_a_graph_by_itself_says_that_the_list_is_empty():
    f = runtime.function(lambda x: np.array(numbers(x)), numpy=True)
    concrete = f.get_concrete_function(SOME)
    with pytest.raises(InvalidArgumentError, match="a list is empty, and NumPy makes another array of nothing"):
        concrete(NONE)


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("kinds", [("v", "v"), ("v", "1"), ("int(v)", "len(x)"), ("v > 1", "v > 2")])
def test_what_numpy_makes_of_a_list_without_axes_is_of_numpys_type(kinds, jit_compile):
    one, other = kinds
    for asked in (
        "np.tensordot(l, l, 1)", "np.all(l)", "np.any(l, axis=0)", "np.size(l)", "np.array_equal(l, x)",
        "np.allclose(l, 1)", "np.sum(l)", "np.count_nonzero(l)", "np.logical_and.reduce(l)", "np.dot(l, l)",
    ):  # fmt: skip
        text = (
            f"def f(x):\n    l = []\n    for v in x: l.append({one} if v > 0 else {other})\n"
            f"    found = {asked}\n    return found, type(found).__name__\n"
        )
        plain, graph = load(text, np=np), runtime.function(load(text, np=np), numpy=True, jit_compile=jit_compile)
        for x in ([1.0, -2.0], [-1.0, -2.0], [], [3.0, 0.5]):
            assert repr(graph(np.array(x))) == repr(plain(np.array(x))), text
