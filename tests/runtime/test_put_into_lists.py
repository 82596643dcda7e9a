"""What only the graph knows how many there are of is put into lists; lists without elements, and lists in lists."""

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import EXECUTORS, load, outcome

ITEMS = {
    "reversed": "reversed(xs[i:])",
    "map": "map(abs, xs[i:])",
    "a generator": "(v * 2 for v in xs[i:])",
    "filter": "filter(lambda v: v > 2, xs[i:])",
    "a dictionary": "{v: 1 for v in xs[i:]}",
    "a list": "xs[i:]",
    "an array": "x[i:]",
    "sorted": "sorted(xs[i:])",
}
PLACES = ["xs[i:] = {}", "xs[:i] = {}", "xs[1:3] = {}", "xs[i:i] = {}", "xs[i - 1:i + 1] = {}", "xs[i:i - 2] = {}"]
PLACES += ["xs[-i:i + 1] = {}", "xs[9:i] = {}", "xs[i:-1] = {}", "xs.extend({})", "xs += {}", "xs[:] = {}"]
PROGRAMS = {place.format(name): place.format(items) for place in PLACES for name, items in ITEMS.items()}


def agrees(f, *calls, jit_compile=None):
    graph = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for given in calls:
        found, expected = outcome(graph, *given), outcome(f, *given)
        assert found[0] == expected[0], (found, expected)
        assert not difference(found[1], expected[1])


@pytest.mark.parametrize("line", PROGRAMS.values(), ids=PROGRAMS)
def test_items_are_put_where_they_go(line):
    text = f"def f(x):\n    xs, i = list(x), 0\n    while xs[i] > 2: i += 1\n    {line}\n    return xs\n"
    agrees(load(text, np=np), *([np.array(x)] for x in ([3, 5, 1, 4, 2], [1, 2, 3], [4, 2, 5, 6])))


def written(xs, empty):
    for i, x in enumerate(xs):
        empty[i] = x
    return empty


def added(xs, empty):
    for i, x in enumerate(xs):
        empty[i] += x
    return empty


def in_lists(xs, empty):
    out = [[] for _ in empty]
    for i, x in enumerate(xs):
        out[i].append(x)
    return out


def deleted(xs, empty):
    for i, _ in enumerate(xs):
        del empty[i]
    return empty


def taken(xs, empty):
    for i, _ in enumerate(xs):
        empty.pop(i)
    return empty


def read(xs, empty):
    s = 0
    for i, x in enumerate(xs):
        if x > 0:
            s += empty[i]
    return s


def caught(xs, empty):
    n = 0
    for i, _ in enumerate(xs):
        try:
            n += empty[i]
        except IndexError:
            n -= 1
    return n


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("f", [written, added, in_lists, deleted, taken, read, caught], ids=lambda f: f.__name__)
def test_a_list_without_elements_has_none_anywhere(f, jit_compile):
    agrees(lambda xs: f(xs, []), *([np.array(xs)] for xs in ([], [1.0, 2.0], [-1.0])), jit_compile=jit_compile)


MADE = {
    "truths": ("[[False] * 4 for _ in w]", "rows[1][c] = True"),
    "numbers": ("[[0] * 4 for k in range(4) if k != 2]", "rows[1][c] += c"),
    "what it goes through": ("[[v, v, v, v] for v in w]", "rows[1][c] = w[1]"),
    "of a list of lists": ("[[[0] * 4 for _ in range(4)] for _ in w][0]", "rows[1][c] = c"),
}


@pytest.mark.parametrize("made, line", MADE.values(), ids=MADE)
def test_the_lists_that_a_comprehension_makes_are_written_at_places_of_the_graph(made, line):
    text = f"def f(w):\n    rows = {made}\n    for c in range(w[0]):\n        {line}\n    return rows\n"
    agrees(load(text, np=np), [np.array([3, 1, 2])], [np.array([0, 1, 2])])
