"""What NumPy's functions that join arrays make of a list to which a loop of the graph has appended."""

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import EXECUTORS, load

PARTS = {
    "numbers": lambda x, i: x[0, 0] * i,
    "rows": lambda x, i: x[0] * i,
    "matrices": lambda x, i: x * i,
    "three axes": lambda x, i: x[None] * i,
}
JOINED = {
    "vstack": np.vstack,
    "hstack": np.hstack,
    "stack": np.stack,
    "stack last": lambda parts: np.stack(parts, -1),
    "stack as": lambda parts: np.stack(parts, dtype=np.float32),
    "vstack as": lambda parts: np.vstack(parts, dtype=np.float32),
    "concatenate": np.concatenate,
    "concatenate last": lambda parts: np.concatenate(parts, -1),
    "concatenate flat": lambda parts: np.concatenate(parts, axis=None),
}
X = np.arange(6.0).reshape(2, 3)


def outcome(function, *arguments):
    try:
        found = np.asarray(function(*arguments))
    except Exception as error:
        return type(error)
    return found.dtype, found.shape, found.tolist()


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("joined", JOINED)
@pytest.mark.parametrize("parts", PARTS)
def test_a_list_that_has_grown_is_joined(parts, joined, jit):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(PARTS[parts](x, i))
        return JOINED[joined](out)

    wanted = outcome(f, X, np.int64(3))
    if isinstance(wanted, type):
        with pytest.raises(wanted):
            tf.function(f, jit_compile=jit)(X, np.int64(3))
    else:
        assert outcome(tf.function(f, jit_compile=jit), X, np.int64(3)) == wanted


@pytest.mark.parametrize("jit", EXECUTORS)
def test_what_differs_in_size_is_not_stacked(jit):
    """Sizes that only the graph knows are compared when it runs."""
    row = tf.TensorSpec([None], tf.float32)
    stacked = tf.function(lambda a, b: tf.stack([a, b]), jit_compile=jit, input_signature=[row, row])
    assert stacked(tf.zeros([2]), tf.ones([2])).shape == (2, 2)
    with pytest.raises(ValueError, match="all input arrays must have the same shape"):
        stacked(tf.zeros([2]), tf.zeros([3]))


FINALLY = {
    "longer": "items = [m, *items]\n            return items, n",
    "of another length": "items = items[:1]\n            return items, n",
    "in a tuple": "found = items, [n]\n            return found",
    "by another name": "other = items = [m]\n            other.append(n)\n            return other, len(items)",
}


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("lines", FINALLY.values(), ids=FINALLY)
def test_what_a_branch_returns_is_changed_by_finally(lines, jit):
    text = f"""
def f(n, m):
    items = [n, m]
    try:
        if n > m:
            {lines}
    finally:
        items.append(9)
        items.reverse()
    return items, m
"""
    f = load(text)
    graph = tf.function(f, numpy=True, jit_compile=jit)
    for n, m in ((1, 2), (2, 1)):
        assert repr(graph(np.int64(n), np.int64(m))) == repr(f(np.int64(n), np.int64(m)))


TWO_NAMES = (
    "l = [1]\nif n > 3: r = l\nelse:\n    l = [9]\n    r = l",
    "r = l = [1]\nif n > 3: pass\nelse: r = l = [9]",
    "l = [1]\nif n > 3: r = l\nelse: r = l = [n]",
    "o = Box([1])\nif n > 3: r = o.l\nelse:\n    o.l = [9]\n    r = o.l\nl = o.l",
    "o = Box([1])\ndef h():\n    if n > 3: return o.l\n    o.l = [9]\n    return o.l\nr = h()\nl = o.l",
    "o = Box([1])\ndef h():\n    try:\n        if n > 3: raise KeyError\n        o.l = [9]\n    except KeyError: pass\n"
    "    return o.l\nr = h()\nl = o.l",
    "l = {'a': 1}\nif n > 3: r = l\nelse:\n    l = {'a': 9}\n    r = l",
    "l = Box(1)\nif n > 3: r = l\nelse:\n    l = Box(9)\n    r = l",
    "l = [1]\nfor i in range(n):\n    if i == 2:\n        l = [i]\n    r = l",
    "l, r = [1], [2]\nif n > 3: r = l\nelse: l = r",
)
CHANGED = ("r.append(5)", "l.append(5)", "r[0] = 7", "l[0] = 7", "r.append(n); l[0] = 4")


class Box:
    def __init__(self, l):
        self.l = l


def inside(value):
    return value if isinstance(value, list | dict) else value.l


@pytest.mark.parametrize("made", TWO_NAMES)
def test_two_names_of_one_list_stay_names_of_one(made):
    for change in CHANGED:
        if "{'a'" in made or "l = Box(1)" in made:
            if "append" in change:
                continue
            change = change.replace("[0]", "['a']" if "{" in made else ".l")
        body = "\n".join([made, change, "return inside(l), inside(r)"])
        f = load("def f(n):\n    " + body.replace("\n", "\n    ") + "\n", Box=Box, inside=inside)
        graph = tf.function(f)
        for n in (1, 2, 5):
            try:
                wanted = [*map(numbers_in, f(n))]
            except UnboundLocalError:
                continue
            try:
                found = [*map(numbers_in, graph(np.int64(n)))]
            except StagingError:
                continue
            assert found == wanted, (change, n)


def numbers_in(value):
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return [np.asarray(v).item() for v in values]
