"""An object that a staged statement exchanges for another may be known to others: they see what is done to it alone."""

import numpy as np
import pytest

import runtime
import runtime as tf
from autograph import StagingError
from tests.programs import load


class Box:
    def __init__(self, value):
        self.value = value


def read_by_the_other_name(x):
    xs = [1.0, 2.0]
    ys = xs
    if x > 1:
        xs = [5.0, 6.0]
    ys[0] = x
    return xs[0] + ys[1]


def written_by_the_variable(x):
    xs = [1.0, 2.0]
    ys = xs
    if x > 1:
        xs = [5.0, 6.0]
    xs[0] = x
    return ys


def dictionary(x):
    a = {"k": 1.0}
    b = a
    if x > 1:
        a = {"k": 2.0}
    b["k"] = x
    return a["k"]


def attribute(x):
    a = Box(1.0)
    b = a
    if x > 1:
        a = Box(2.0)
    b.value = x
    return a.value


def loop(x):
    a = [1.0]
    b = a
    while x > 1:
        a = [2.0]
        x = x - 1
    b[0] = x
    return a[0]


def in_another_list(x):
    a = [1.0]
    held = {"one": (a, 2)}
    if x > 1:
        a = [2.0]
    held["one"][0][0] = x
    return a[0]


class Inherits(Box):
    pass


def in_an_object(x):
    a = [1.0]
    held = Inherits(a)
    if x > 1:
        a = [2.0]
    held.value[0] = x
    return a[0]


def _exchanged(a, x):
    if x > 1:
        a = [2.0]
    return a


def of_the_caller(x):
    a = [1.0]
    b = _exchanged(a, x)
    a[0] = x * 10
    return b[0]


def nobody_else(x):
    xs = [1.0, 2.0]
    if x > 1:
        xs = [5.0, 6.0]
    xs[0] = xs[0] + x
    return xs


def built_anew(x):
    out = []
    while x > 0:
        out = out + [x]
        x = x - 1
    return out


def changed_or_another(x):
    xs = [x, 2.0]
    if x > 1:
        xs.remove(2.0)
    else:
        xs = [5.0, x]
    return xs


def an_item_changed_or_another(x):
    xs = [x, 2.0]
    if x > 1:
        xs[0] = 9.0
    else:
        xs = [5.0, x]
    return xs


PROGRAMS = [
    changed_or_another, an_item_changed_or_another,
    read_by_the_other_name, written_by_the_variable, dictionary, attribute, loop, in_another_list, in_an_object,
    of_the_caller, nobody_else, built_anew,
]  # fmt: skip


def values(result):
    return [np.asarray(v).item() for v in result] if isinstance(result, list) else np.asarray(result).item()


@pytest.mark.parametrize("jit", [False, True, None])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_aliases(program, jit):
    traced = runtime.function(program, jit_compile=jit)
    for x in (0.5, 1.5, 2.5):
        assert values(traced(np.float64(x))) == values(program(np.float64(x)))


ELEMENTS = ("a * i", "np.zeros(3) + i", "np.zeros(3)")
USES = [
    "out[0][1:][0] = 5", "y = out[0]\n    y += 1", "y = out[0]\n    y[0] = 5", "y = out[0][:2]\n    y *= 2",
    "out[0][:] = 3", "y = out[0]\n    if n > 1:\n        y = out[1]\n    y[0] = 9", "for y in out:\n        y += 1",
    "y = out[0]\n    while y[0] < 5:\n        y += 1", "y = out[0]\n    if n > 1:\n        y[0] = 7",
    "np.add(out[0], 1, out=out[0])", "y = out[-1].T\n    y[0] = 7", "for k, y in enumerate(out):\n        y[k] = 3",
    "y = out[0].reshape(3, 1)\n    y[0, 0] = 4", "y = out[0] if n > 5 else out[1]\n    y[0] = 4", "out[0].fill(3)",
    "o = sorted(out, key=lambda v: v[0])\n    o[0][0] = 4", "o = max(out, key=lambda v: v[0])\n    o[0] = 4",
    "o = out[1:]\n    o[0][0] = 4", "o = list(map(lambda v: v, out))\n    o[0][0] = 4", "np.copyto(out[0], 4)",
    "b = a * 3\n    out.append(b)\n    b[0] = 5", "b = np.zeros(3)\n    out.append(b)\n    b[0] = 5",
]  # fmt: skip
ALLOWED = [
    "out[0] += 1", "out[n - 1] *= 2", "out[0] = out[0] + 1", "y = out[0].copy()\n    y[0] = 4",
    "y = out[0] * 2\n    y[0] = 4", "y = out.pop()\n    y[0] = 4\n    y[1:][0] = 5\n    out.append(y.copy())",
    "y = out[0]\n    y = y + 1", "out[0], out[1] = out[1], out[0]",
    "b = np.zeros(3)\n    b[0] = 5\n    out.append(b)", "x = out[0][1:].sum() + out[-1].max()", "out.append(out[0])",
    "y = np.zeros(3) + n\n    y[1:][0] = 5\n    out.append(y)",
]  # fmt: skip


def _with_elements(element, use):
    return load(
        f"def f(a, n):\n    out = []\n    for i in range(n):\n        out.append({element})\n    {use}\n"
        "    return [x for x in out]\n",
        np=np,
    )


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("use", USES)
def test_an_array_in_a_list_that_the_graph_makes_longer_is_not_written(use, element):
    with pytest.raises(StagingError, match="list whose length the graph decides|cannot be written by this name"):
        tf.function(_with_elements(element, use))(np.array([1.0, 2, 3]), np.int64(3))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("use", ALLOWED)
def test_what_leaves_the_arrays_in_such_a_list_alone(use, element):
    f = _with_elements(element, use)
    found = tf.function(f)(np.array([1.0, 2, 3]), np.int64(3))
    np.testing.assert_array_equal(np.array(found), np.array(f(np.array([1.0, 2, 3]), 3)))


def test_tensors_in_such_a_list_are_values():
    @tf.function
    def f(x, n):
        out = []
        for i in range(n):
            out.append(x * tf.cast(i, tf.float32))
        y = out[-1]
        y += 1.0
        return out[-1], y

    last, more = f(tf.constant([1.0, 2.0]), tf.constant(3))
    assert last.numpy().tolist() == [2, 4] and more.numpy().tolist() == [3, 5]
