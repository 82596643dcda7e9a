"""Staged logic, and what may have to be answered by the graph; test_plain_values.py has the plain forms."""

import numpy as np
import pytest

import runtime
from autograph import operators as ag__
from tests.programs import load, outcome, staging


@pytest.mark.parametrize("a", [0, 2, "", []], ids=repr)
@pytest.mark.parametrize("b", [0, 3, None], ids=repr)
def test_where_only_the_truth_counts(a, b):
    for staged in (False, True):
        both, one = (lambda: ag__.and_(a, lambda: b, truth=True)), (lambda: ag__.or_(a, lambda: b, truth=True))
        if staged:
            with staging():
                found = both(), one()
        else:
            found = both(), one()
        assert tuple(map(bool, found)) == (bool(a and b), bool(a or b))


@pytest.mark.parametrize("value, items", [(1, [1, 2]), (3, (1, 2)), ("a", "abc"), ("k", {"k": 1}), ([], [[]])], ids=str)
def test_membership_is_pythons(value, items):
    with staging():
        assert ag__.in_(value, items) is (value in items)
        assert ag__.not_in(value, items) is (value not in items)


def test_errors_are_pythons():
    assert outcome(ag__.in_, 1, 2) == outcome(lambda: 1 in 2)
    assert outcome(ag__.chain, 1, ("<", lambda: "a")) == outcome(lambda: 1 < "a")


def test_identity_is_pythons():
    value = [1]
    assert ag__.is_(value, value) and not ag__.is_(value, [1]) and ag__.is_not(value, [1])
    assert ag__.is_(None, None)


def test_a_chain_gives_what_its_comparisons_give():
    class Compared:
        def __lt__(self, other):
            return "less"

        def __gt__(self, other):
            return []

    value = Compared()
    assert ag__.chain(value, ("<", lambda: value), ("<", lambda: 1)) == "less"
    assert ag__.chain(value, (">", lambda: value), ("<", lambda: 1 / 0)) == []
    assert ag__.chain(value, (">", lambda: value), ("<", lambda: 1 / 0), truth=True) is False


def asked(x, y):
    a = x > 0 and y > 0
    b = x > 5 or not y > 5
    c = 0 < x <= y < 9
    d = x in (1, y) or x not in [2, 3]
    e = x > 0 and y > 0 and x + y > 5 and (x > y or x == 2)
    return a, b, c, d, e


@pytest.mark.parametrize("x, y", [(1, 6), (6, 1), (2, 4), (-1, -1), (3, 8), (2, 2)])
def test_the_graph_decides(x, y):
    made = runtime.function(asked)(np.int64(x), np.int64(y))
    assert tuple(bool(value) for value in made) == tuple(map(bool, asked(x, y)))


def guarded(x, y):
    return x != 0 and y // x > 1


@pytest.mark.parametrize("x, y", [(0, 4), (2, 4), (3, 4)])
def test_an_operand_is_only_asked_where_the_one_before_says_so(x, y):
    assert bool(runtime.function(guarded)(np.int64(x), np.int64(y))) == guarded(x, y)


@pytest.mark.parametrize("count", [2, 8, 9, 10, 17, 30])
@pytest.mark.parametrize("word", ["and", "or"])
def test_each_operand_of_a_long_chain_counts(word, count):
    terms = f" {word} ".join(f"x != {n}" if word == "and" else f"x == {n}" for n in range(count))
    f = load(f"def f(x):\n    return {terms}\n", "f")
    g = load(f"def g(x):\n    return 1 if {terms} else 0\n", "g")
    for name, function in (("value", f), ("truth", g)):
        staged = runtime.function(function)
        found = [int(staged(np.int64(x))) for x in range(count + 1)]
        assert found == [int(function(x)) for x in range(count + 1)], name


@pytest.mark.parametrize("symbol", ["<", "<=", ">", ">="])
def test_an_ordering_of_items_that_are_staged(symbol):
    pairs = [
        "(a, b), (b, c)", "[a, 1], [c, b, 2]", "(a, [b, c]), (1, [b, a])", "(), (a,)", "(a, 'y'), (b, 'x')",
        "((a, b), c), ((b, a), c)", "(1, 2), (1, b)",
    ]  # fmt: skip
    items = ", ".join(pair.replace("), (", f") {symbol} (").replace("], [", f"] {symbol} [") for pair in pairs)
    program = load(f"def f(a, b, c):\n    return {items}, (a, 1) {symbol} (b, c) {symbol} (c, 9)\n")
    staged = runtime.function(program)
    for given in [(1, 1, 1), (1, 2, 1), (2, 1, 3), (0, 0, 1), (1, 1, 2), (3, 2, 1)]:
        found = staged(*map(np.int64, given))
        assert len(found) == len(pairs) + 1
        assert tuple(map(bool, found)) == program(*given)
