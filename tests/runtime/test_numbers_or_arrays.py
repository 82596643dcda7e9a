"""A variable that is a number, or an array, or one with more dimensions, is the very one that it is without a graph."""

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.exactly import difference
from tests.programs import EXECUTORS, load, outcome

START = {"0": "p = 0", "0.0": "p = 0.0", "1": "p = 1", "a number of NumPy's": "p = m[0, 1]"}
COLLECTED = {
    "a sum": "for v in m: p = v + p",
    "some": "for v in m:\n    if v[0] > 1: p = p * v",
    "in place": "for v in m: p += v",
    "some in place": "for v in m:\n    if v[0] > 1: p += v",
    "one": "if m[0, 0] > 1: p = m[0] + 1",
    "the largest": "for v in m: p = np.maximum(v, p)",
}
USES = [
    "p", "p, p + 1, m * p", "np.shape(p), np.ndim(p), np.size(p)", "np.sum(p), np.mean(p), float(np.max(p))",
    "np.asarray(p), np.array([p, p]), np.atleast_1d(p)", "np.zeros_like(p), np.full(2, p), np.full_like(m, p)",
    "-p, abs(p), p ** 2, 7 - p, p // 2, p % 3", "p == 1, np.all(p == 1), np.any(p > 3)", "np.where(m > p, m, p)",
    "np.dot(p, m.T), np.outer(p, m[0])", "[p, 1], (p, p)", "p is None, f'{p}'", "p.shape, p.sum()", "len(p)",
    "(m * p).T.shape, np.concatenate([m[0], np.atleast_1d(p)])", "np.sqrt(p), np.round(p, 1), np.isnan(p)",
]  # fmt: skip
WRITES = [
    "m[0] = p", "m[:] = m * p", "m[m > 1] = p", "m += p", "m[1] *= p", "q = np.zeros(2)\nq[:] = p\nm[0] = q",
    "np.multiply(m, p, out=m)", "m[0, 0] = np.sum(p)", "if np.sum(p) > 4: m[0] = p\nelse: m[1] = p",
]  # fmt: skip
GIVEN = [np.array([[1.0, 1], [1, 0], [0.5, 2]]), np.array([[4.0, 1], [1, 0], [2, 2]]), np.array([[3, 1], [5, 2]])]


def indented(text):
    return "".join(f"    {line}\n" for line in text.splitlines())


def check(text):
    """That a program leaves the same results and arguments with a graph as without."""
    f = load(text, np=np)
    graph = runtime.function(f, numpy=True)
    for m in GIVEN:
        mine, wanted = m.copy(), m.copy()
        found = outcome(graph, mine)
        expected = outcome(f, wanted)
        if expected[0] != "returns":
            assert found[0] == expected[0], found
            continue
        assert found[0] == "returns", found
        assert not difference(found[1], expected[1]), found
        assert np.array_equal(mine, wanted)


PROGRAMS = {
    f"{use}, {name} from {start}": f"{START[start]}\n{COLLECTED[name]}\nreturn {use}"
    for number, use in enumerate(USES)
    for start, name in zip([*START][number % 3 :] + [*START], COLLECTED)
}
PROGRAMS |= {
    f"{write}, {name}": f"{START[start]}\n{COLLECTED[name]}\n{write}\nreturn m"
    for write in WRITES
    for start, name in (("0", "some"), ("1", "in place"), ("a number of NumPy's", "one"))
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_it_is_what_it_is_without_a_graph(program):
    check("def f(m):\n" + indented(program))


FROM_NOTHING = {
    "in place": "for v in m:\n    if p is None: p = v + 0\n    else: p += v",
    "some in place": "for v in m:\n    if v[0] > 1:\n        if p is None: p = v + 1\n        else: p += v",
    "the largest": "for v in m: p = v * 2 if p is None else np.maximum(p, v)",
}


@pytest.mark.parametrize("lines", FROM_NOTHING.values(), ids=FROM_NOTHING)
def test_what_begins_as_none_may_be_written_in_place(lines):
    check("def f(m):\n" + indented(f"p = None\n{lines}\nreturn p"))


OF_SEVERAL_RANKS = {
    "a row": "x = m\nif m[0, 0] > 1: x = m[0]\nreturn x, x.shape, x.ndim, x + 1, x.sum(), len(x)",
    "a column": "x = m[:, 0]\nif m[0, 0] > 1: x = m[:, :1]\nreturn x.shape, x @ np.ones(x.shape[-1])",
    "of means": "x = m\nfor v in m:\n    if x.sum() > v[0]: x = x.mean(0)\nreturn x",
    "ever more": "x = m\nwhile x.sum() < 60: x = x[None] * 2\nreturn x",
}


@pytest.mark.parametrize("program", OF_SEVERAL_RANKS.values(), ids=OF_SEVERAL_RANKS)
def test_arrays_have_the_dimensions_that_they_have_without_a_graph(program):
    check("def f(m):\n" + indented(program))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_a_sum_of_rows_has_known_dimensions(jit_compile):
    def total(rows):
        s = 0
        for row in rows:
            s = s + row
        return s

    graph = runtime.function(total, numpy=True, jit_compile=jit_compile)
    for rows in (np.arange(6.0).reshape(3, 2), np.zeros((0, 2))):
        assert not difference(graph(rows), total(rows))
        outputs = graph.get_concrete_function(rows).graph.outputs
        assert all(output.type.shape is not None for output in outputs)


def test_what_is_kept_of_an_array_that_is_written_later_is_that_very_array_or_refused():
    def history(rows):
        s, kept = 0, []
        for row in rows:
            s += row
            kept.append(s)
        return kept

    with pytest.raises(StagingError, match="a copy"):
        runtime.function(history, numpy=True)(np.arange(6.0).reshape(3, 2))
