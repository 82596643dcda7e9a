"""NumPy's arrays without dimensions, which can be written, and its numbers, which cannot."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load

PROGRAMS = [
    "q = np.where(n > 1, n * 0.5, 2.0)\np = q\np += 1\nreturn p, q",
    "q = np.where(n > 1, n, 2)\nr = q * 2\nr += 1\nreturn r, q, isinstance(q, np.ndarray), isinstance(r, np.ndarray)",
    "q = np.zeros_like(n)\np = q\np[...] = n + 1\nif n > 1: q += 5\nreturn p, q",
    "q = np.copy(n)\nq += 1\nreturn q, n",
    "q = np.where(n > 0, 1.5, 2.5)\nreturn str(q), f'{q}', repr([q]), q.shape, float(q)",
    "best = 0.0\nfor v in a: best = np.where(v > best, v, best)\nreturn best",
    "best, k = a[0], 0\nwhile k < n:\n    best = np.where(a[k] > best, a[k], best) + 0.5\n    k += 1\nreturn best * 2",
    "out = np.zeros_like(a)\nfor i in range(3):\n    c = np.where(a[i] > 1, 1, 0)\n    out[i] = c\n    c += 1\n"
    "    out[i] += c\nreturn out",
    "q = np.where(n > 1, 2.0, 1.0)\nreturn 2 in q, 1.0 in q",
    "q = None\nif n > 0: q = np.where(n > 1, 2.0, 1.0)\nc = q\nif n > 2: c += 1\n"
    "return c is None, c if n > 0 else 0, q if n > 0 else 0",
]  # fmt: skip


def plain(value):
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    value = value.numpy() if hasattr(value, "numpy") else value
    return (
        value.decode() if isinstance(value, bytes) else value if isinstance(value, str) else np.asarray(value).tolist()
    )


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", PROGRAMS)
def test_an_array_without_dimensions_is_one_that_can_be_written(body, jit_compile):
    f = load("def f(n, a):\n" + "".join(f"    {line}\n" for line in body.splitlines()), np=np)
    graph = tf.function(f, jit_compile=jit_compile)
    for n in (0, 1, 2, 3):
        arguments = np.int64(n), np.array([1.0, 5.0, 2.0])
        assert plain(graph(*arguments)) == plain(f(*arguments)), n


def test_an_array_of_unknown_rank_is_no_number_before_the_graph_runs():
    run = tf.function(lambda x: int(x[0]) + 1, input_signature=[tf.TensorSpec(None, tf.float64)])
    with pytest.raises(tf.errors.UnknownRankError, match=r"int\(\) of .*ensure_shape"):
        run(np.ones(2))


GIVEN = {
    "itself": lambda n: n,
    "in a list": lambda n: [n],
    "a list, repeated": lambda n: [1, 2] * n,
    "repeated, a list": lambda n: n * [1, 2],
    "is an array": lambda n: isinstance(n, np.ndarray),
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("order", [(0, 1, 0), (1, 0, 1)])
def test_a_number_and_an_array_without_dimensions_are_told_apart_whichever_comes_first(given, order):
    values = [np.array(3), np.int64(3)]
    f = tf.function(numpy=True)(given)
    for number in order:
        assert repr(f(values[number])) == repr(given(values[number])), number


def test_a_tensor_and_an_array_share_a_graph_in_which_that_does_not_matter():
    f = tf.function(lambda x: x + 1)
    for value in (tf.constant(1, tf.int64), np.int64(1), np.array(1)):
        f(value)
    assert f.experimental_get_tracing_count() == 1
