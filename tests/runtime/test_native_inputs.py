"""What native code cannot hold is handed on, left alone, or refused with our own error."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

VALUES = [tf.constant(np.array([1, 0], kind)) for kind in "?bhilBHILefdFD"] + [tf.constant(["a", "b"])]


def handed_on(h, x):
    return h


def beside_work(h, x):
    return h, x + 1.0


def unused_by_a_loop(h, x):
    i = 0
    while i < 3:
        x = x + 1.0
        i += 1
    return x


def handed_past_a_loop(h, x):
    return unused_by_a_loop(h, x), h


def handed_on_by_a_loop(h, x):
    i = 0
    k = h
    while i < x[0]:
        k = h
        i += 1
    return k


def computed_in_a_loop(h, x):
    i = 0
    while i < x[0]:
        h = h + h
        i += 1
    return h


def in_a_branch(h, x):
    if x[0] > 0:
        h = h[:1]
    return h


inner = tf.function(handed_past_a_loop)


def in_a_call(h, x):
    return inner(h, x)


FUNCTIONS = [
    handed_on, beside_work, unused_by_a_loop, handed_past_a_loop, handed_on_by_a_loop, computed_in_a_loop,
    in_a_branch, in_a_call,
]  # fmt: skip


def leaves(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.sampled(6, each="function")
@pytest.mark.filterwarnings("ignore:handed_past_a_loop has been traced")  # by how many cases that came before
@pytest.mark.parametrize("open_rank", [False, True])
@pytest.mark.parametrize("jit_compile", [None, True, False])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_any_dtype(function, jit_compile, open_rank):
    x = np.array([2.0], np.float32)
    for h in VALUES:
        expected = function(h, tf.constant(x))
        signature = [tf.TensorSpec(None, h.dtype), tf.TensorSpec([1], tf.float32)] if open_rank else None
        graph = tf.function(function, jit_compile=jit_compile, input_signature=signature)
        try:
            results = graph(h, tf.constant(x))
        except tf.errors.InvalidArgumentError as error:
            assert jit_compile and "jit_compile=True" in str(error) and h.dtype.name in str(error)
            assert function in (computed_in_a_loop, in_a_branch)
            continue
        for one, other in zip(leaves(results), leaves(expected), strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)


def part_beside_nothing(x, i):
    return x[6:2:2, i]


def set_beside_nothing(x, i):
    x[6:2:2, i] = 1.0
    return x


def rows(x, i):
    return x[i]


def set_rows(x, i):
    x[i] = 1.0
    return x


@pytest.mark.numpy_may_take_over  # of an axis without elements
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("jit_compile", [True, False])
@pytest.mark.parametrize("function", [part_beside_nothing, set_beside_nothing, rows, set_rows])
def test_numbers_outside_are_refused_where_nothing_is_taken(function, jit_compile, known):
    for shape in (3, 3, 2), (0, 3), (3, 0), (0, 0):
        signature = [tf.TensorSpec([None] * len(shape), tf.float64), tf.TensorSpec([None], tf.int64)]
        graph = tf.function(function, jit_compile=jit_compile, input_signature=None if known else signature)
        for numbers in ([6, 8, 5], [0], [-1, 2], [-4], []):
            i = np.array(numbers, int)
            try:
                expected = function(np.zeros(shape), i)
            except IndexError:
                with pytest.raises(IndexError):
                    graph(np.zeros(shape), i)
            else:
                np.testing.assert_array_equal(graph(np.zeros(shape), i), expected)
