"""Functions with control flow of their own are converted wherever a graph is handed them: as partials, and as parts
of loops and branches that are written with functions."""

import functools

import numpy as np
import pytest

import runtime as tf


def scaled(x, factor=2.0, offset=0.0):
    if x > 0:
        return x * factor + offset
    return x - factor


def larger(total, x):
    if x > total:
        return total + x
    return total


def is_small(i):
    if i > 50.0:
        return False
    return i < 3.0


def next_one(i):
    if i > 100.0:
        return i
    return i + 1.0


class Scaling:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return scaled(x, self.factor)

    def until(self, x, limit):
        while x < limit:
            x = x * self.factor
        return x


PARTIALS = {
    "of a function": (functools.partial(scaled, factor=3.0), 2.0, 6.0),
    "of a partial": (functools.partial(functools.partial(scaled, factor=3.0), offset=1.0), 2.0, 7.0),
    "of a method": (functools.partial(Scaling(2.0).until, limit=9.0), 1.0, 16.0),
    "of an object": (functools.partial(Scaling(2.0)), -3.0, -5.0),
    "of a lambda": (functools.partial(lambda a, x: a if x > 0 else x, 5.0), 2.0, 5.0),
}


@pytest.mark.parametrize("name", PARTIALS)
@pytest.mark.parametrize("jit", [False, True])
def test_partials(name, jit):
    function, x, wanted = PARTIALS[name]
    x = tf.constant(x)
    assert tf.function(function, jit_compile=jit)(x).numpy() == wanted == float(function(x))
    assert tf.function(lambda x: function(x), jit_compile=jit)(x).numpy() == wanted
    assert tf.function(lambda x: tf.map_fn(function, x), jit_compile=jit)(x[None]).numpy().tolist() == [wanted]


def test_what_is_not_the_users_stays_as_it_is():
    assert tf.function(functools.partial(np.multiply, 3.0))(tf.constant(2.0)).numpy() == 6.0
    assert tf.function(functools.partial(pow, 3.0))(tf.constant(2.0)).numpy() == 9.0


def given(x):
    return functools.partial(scaled, x)


OF_FUNCTIONS = {
    "map_fn": (lambda x: tf.map_fn(scaled, x), [2.0, -3.0, 6.0]),
    "vectorized_map": (lambda x: tf.vectorized_map(scaled, x), [2.0, -3.0, 6.0]),
    "foldl": (lambda x: tf.foldl(larger, x), 4.0),
    "foldr": (lambda x: tf.foldr(larger, x), 3.0),
    "scan": (lambda x: tf.scan(larger, x), [1.0, 1.0, 4.0]),
    "while_loop": (lambda x: tf.while_loop(is_small, next_one, [x[0]])[0], 3.0),
    "cond": (lambda x: tf.cond(x[0] > 0, given(x[0]), given(x[1])), 2.0),
    "case": (lambda x: tf.case([(x[0] > 5, given(x[2]))], default=given(x[1])), -3.0),
    "switch_case": (lambda x: tf.switch_case(tf.cast(x[0], tf.int32), [given(x[0]), given(x[2])]), 6.0),
    "switch_case by a known number": (lambda x: tf.switch_case(1, [given(x[0]), given(x[1]), given(x[2])]), -3.0),
}


@pytest.mark.parametrize("name", OF_FUNCTIONS)
@pytest.mark.parametrize("jit", [False, True])
def test_functions_of_loops_and_branches(name, jit):
    function, wanted = OF_FUNCTIONS[name]
    assert tf.function(function, jit_compile=jit)(tf.constant([1.0, -1.0, 3.0])).numpy().tolist() == wanted
