"""Parameters and states as dictionaries, lists and nested ones that loops of a graph make anew: as without a graph."""

import numpy as np
import pytest

import runtime as tf

LISTED = [tf.constant([1.0, -1.0]), tf.constant(2.0)]
KEYED = {"w": tf.constant([1.0, -1.0]), "b": tf.constant(2.0)}
NESTED = {"layers": [{"w": tf.constant([1.0, 0.5])}, {"w": tf.constant([2.0, 1.0])}], "scale": (tf.constant(3.0),)}


def mapped(state, n):
    for _ in tf.range(n):
        state = tf.nest.map_structure(lambda x: x * 0.5 + 1.0, state)
    return state


def momentum(state, n):
    velocity = tf.nest.map_structure(tf.zeros_like, state)
    for _ in tf.range(n):
        velocity = tf.nest.map_structure(lambda v, x: 0.9 * v - 0.1 * x, velocity, state)
        state = tf.nest.map_structure(lambda x, v: x + v, state, velocity)
    return state, velocity


def packed(state, n):
    for i in tf.range(n):
        tf.nest.assert_same_structure(state, state)
        moved = [x + tf.cast(i, tf.float32) for x in tf.nest.flatten(state)]
        state = tf.nest.pack_sequence_as(state, moved)
    return state


def descended(state, n):
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(state)
            loss = tf.add_n([tf.reduce_sum((x - 1.0) ** 2) for x in tf.nest.flatten(state)])
        slopes = tape.gradient(loss, state)
        state = tf.nest.map_structure(lambda x, slope: x - 0.1 * slope, state, slopes)
    return state


def accepted(state, n):
    """Some of the states that are proposed are taken, as by samplers."""
    count = 0
    for i in tf.range(n):
        proposed = tf.nest.map_structure(lambda x: x + tf.sin(tf.cast(i, tf.float32)), state)
        if tf.add_n([tf.reduce_sum(x) for x in tf.nest.flatten(proposed)]) < 12.0:
            state = proposed
            count += 1
    return state, count


def best(state, n):
    found, least = state, 1e9
    for _ in tf.range(n):
        loss = tf.add_n([tf.reduce_sum((x - 2.0) ** 2) for x in tf.nest.flatten(state)])
        if loss < least:
            found, least = state, loss
        state = tf.nest.map_structure(lambda x: x + 0.75, state)
    return found, least


def chosen(state, n):
    if n > 2:
        state = tf.nest.map_structure(lambda x: x + 1.0, state)
    return tf.nest.flatten(state), tf.nest.map_structure(lambda x: x * 2.0, state)


def scanned(state, n):
    for _ in tf.range(n):
        rows = tf.nest.map_structure(lambda x: tf.stack([x, x + 1.0]), state)
        sums = tf.scan(lambda a, x: tf.nest.map_structure(lambda p, q: p + q, a, x), rows)
        state = tf.nest.map_structure(lambda x: x[-1], tf.map_fn(lambda x: x, sums))
        _, state = tf.while_loop(lambda i, _: i < 2, lambda i, s: (i + 1, mapped(s, 1)), (0, state))
    return state


@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("state", [LISTED, KEYED, NESTED], ids=["listed", "keyed", "nested"])
@pytest.mark.parametrize("program", [mapped, momentum, packed, descended, accepted, best, chosen, scanned])
def test_as_without_a_graph(program, state, n):
    expected, made = program(state, n), tf.function(program)(state, tf.constant(n))
    tf.nest.assert_same_structure(expected, made)
    for x, y in zip(tf.nest.flatten(expected), tf.nest.flatten(made)):
        np.testing.assert_allclose(y, x, rtol=1e-5)


def zipped(params, n):
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(params)
            loss = tf.add_n([tf.reduce_sum(p**2) for p in params])
        params = [p - 0.1 * slope for p, slope in zip(params, tape.gradient(loss, params))]
    return params


def numbered(params, n):
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(params)
            loss = tf.constant(0.0)
            for i, p in enumerate(params):
                loss += tf.reduce_sum(p**2) * (i + 1.0)
        slopes = tape.gradient(loss, params)
        params = [params[i] - 0.1 * slopes[i] for i in range(len(params))]
    return params


def indexed(params, n):
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(params[0])
            loss = tf.reduce_sum(params[0] ** 2) * params[1]
        params = [params[0] - 0.1 * tape.gradient(loss, params[0]), params[1]]
    return params


@pytest.mark.parametrize("program", [zipped, numbered, indexed])
def test_parts_are_what_a_tape_watches(program):
    expected, made = program(LISTED, 3), tf.function(program)(LISTED, tf.constant(3))
    for x, y in zip(expected, made):
        np.testing.assert_allclose(y, x, rtol=1e-5)


def test_items_of_a_dictionary_are_what_a_tape_watches():
    def program(params, n):
        for _ in tf.range(n):
            with tf.GradientTape() as tape:
                tape.watch(list(params.values()))
                loss = tf.constant(0.0)
                for _, p in params.items():
                    loss += tf.reduce_sum(p**2)
            slopes = tape.gradient(loss, params)
            params = {key: p - 0.1 * slopes[key] for key, p in params.items()}
        return params

    expected, made = program(KEYED, 3), tf.function(program)(KEYED, tf.constant(3))
    for key, x in expected.items():
        np.testing.assert_allclose(made[key], x, rtol=1e-5)


def test_a_list_that_is_written_while_it_is_gone_through():
    def program(params, n):
        for k in tf.range(n):
            params = [p + tf.cast(k, tf.float32) for p in params]
        total = tf.constant(0.0)
        for i, p in enumerate(params):
            total = total * 2.0 + p
            if i == 0:
                params = [params[0], params[1] * 3.0]
        for p, q in zip(params, params):
            total += p * q
        return total

    given = [tf.constant(1.0), tf.constant(2.0)]
    np.testing.assert_allclose(tf.function(program)(given, tf.constant(3)), program(given, 3))
