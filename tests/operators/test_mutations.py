import numpy as np
import pytest

from autograph import StagingError
from autograph.operators.mutations import Mutations

STATEMENT = "f.py:1: if x:"


class Box:
    shared = 0

    def __init__(self):
        self.n, self.inner = 1, [1]


class Slots:
    __slots__ = ("n",)


def changed(make, change):
    """What a mutations finds changed, as the names and new values; and what was changed, which it has put back."""
    held = make()

    def body():
        change(held)

    mutations = Mutations([body])
    body()
    return sorted((place.name, value) for place, value in mutations.restore(STATEMENT)), held


def slots():
    made = Slots()
    made.n = 1
    return made


@pytest.mark.parametrize(
    "make, change, found",
    [
        (lambda: [1, 2], lambda h: h.__setitem__(1, 5), [("held[1]", 5)]),
        (lambda: [[1], [2]], lambda h: h[1].__setitem__(0, 5), [("held[1][0]", 5)]),
        (lambda: {"k": 1}, lambda h: h.update(k=5), [("held['k']", 5)]),
        (lambda: {"k": 1}, lambda h: h.update(j=5), [("held['j']", 5)]),
        (lambda: ({"k": [1]},), lambda h: h[0]["k"].__setitem__(0, 5), [("held[0]['k'][0]", 5)]),
        (Box, lambda h: setattr(h, "n", 5), [("held.n", 5)]),
        (Box, lambda h: setattr(h, "new", 5), [("held.new", 5)]),
        (Box, lambda h: h.inner.__setitem__(0, 5), [("held.inner[0]", 5)]),
        (Box, lambda h: setattr(type(h), "shared", 5), [("Box.shared", 5)]),
        (slots, lambda h: setattr(h, "n", 5), [("held.n", 5)]),
        (Box, lambda h: None, []),
    ],
)
def test_what_is_changed_is_found_and_put_back(make, change, found):
    results, held = changed(make, change)
    assert results == found
    assert repr(getattr(held, "__dict__", held)) == repr(getattr(make(), "__dict__", held))
    assert Box.shared == 0


def test_a_variable_of_a_function_around():
    n = 1

    def inner():
        nonlocal n
        n = 2

    def body():
        inner()

    mutations = Mutations([body])
    body()
    assert [(place.name, value) for place, value in mutations.restore(STATEMENT)] == [("n", 2)]
    assert n == 1


def test_a_change_of_what_a_graph_cannot_change_is_refused_and_put_back():
    held = {1, 2}

    def body():
        held.add(3)

    mutations = Mutations([body])
    body()
    with pytest.raises(StagingError, match="'held' is a set that a staged statement changes in place"):
        mutations.restore(STATEMENT)
    assert held == {1, 2}


def test_arrays_are_closed_while_a_statement_is_traced():
    held = np.zeros(2)

    def body():
        held[0] = 1

    with pytest.raises(StagingError, match="'held' is a NumPy array that is written here"), Mutations([body]).closed():
        body()
    assert held.tolist() == [0, 0]
