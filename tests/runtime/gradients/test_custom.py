"""Gradients that a program gives itself, stopped and recomputed ones, and those of calls of Python."""

import numpy as np
import pytest

import runtime as tf
from runtime.graph.graph import ListType
from tests.programs import EXECUTORS
from tests.runtime.gradients.differences import close
from tests.runtime.gradients.test_tape import BOTH

c = tf.constant


@tf.custom_gradient
def scaled(x):
    return x * x, lambda upstream: upstream * 1000.0


@tf.custom_gradient
def branching(x):
    if x > 0:
        y = x * x
    else:
        y = -x

    def back(upstream):
        if x > 0:
            g = upstream * 10.0
        else:
            g = upstream * 20.0
        return g

    return y, back


@tf.custom_gradient
def two(x, y):
    e = tf.exp(x)

    def back(dz, dw):
        return dz * e * 5.0, dw * 7.0 + dz

    return (e * y, y * 2.0), back


v = tf.Variable(3.0)


@tf.custom_gradient
def reading(x):
    def back(upstream, variables=None):
        return upstream * v * 7.0, [upstream * x * 100.0 for _ in variables]

    return x * v, back


@BOTH
def test_of_one_result(run):
    x = c(2.0)

    def program():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x) * 3.0
        return y, tape.gradient(y, x)

    assert [float(a) for a in run(program)] == [12.0, 3000.0]


@BOTH
def test_with_branches_in_a_loop(run):
    x = c(2.0)

    def program():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(3):
                y = branching(y)
            z = branching(-y)
        return tape.gradient(z, x)

    assert float(run(program)) == -20000.0


@BOTH
def test_of_several_results(run):
    x, y = c(0.0), c(4.0)

    def program():
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z, w = two(x, y)
            total = z * 2.0 + w
        return tape.gradient(total, [x, y])

    assert [float(a) for a in run(program)] == [10.0, 9.0]


@BOTH
def test_that_reads_a_variable(run):
    x = c(2.0)

    def program():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = reading(x) * 2.0
        return tape.gradient(y, [x, v])

    assert [float(a) for a in run(program)] == [42.0, 400.0]


def test_around_a_function():
    f = tf.function(lambda x: scaled(tf.sin(x)) + x)
    x = c(0.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 1001.0


@BOTH
def test_the_gradient_can_be_differentiated(run):
    @tf.custom_gradient
    def cubed(x):
        return x**3, lambda upstream: upstream * 3.0 * x * x

    x = c(2.0)

    def program():
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = cubed(x)
            g = inner.gradient(y, x)
        return g, outer.gradient(g, x)

    assert [float(a) for a in run(program)] == [12.0, 12.0]


@BOTH
def test_what_is_refused(run):
    @tf.custom_gradient
    def no_pair(x):
        return x

    @tf.custom_gradient
    def takes_no_variables(x):
        return x * v, lambda upstream: upstream

    @tf.custom_gradient
    def too_many(x):
        return x * 2.0, lambda upstream: (upstream, upstream)

    def asked(f):
        x = c(1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    with pytest.raises(TypeError, match="no_pair has a custom gradient: it returns its result and a function"):
        run(lambda: asked(no_pair))
    with pytest.raises(TypeError, match="takes_no_variables reads 'Variable:0'.*`variables`"):
        run(lambda: asked(takes_no_variables))
    with pytest.raises(ValueError, match="too_many: 2 gradients for 1 tensors"):
        run(lambda: asked(too_many))


@BOTH
def test_recomputed(run):
    calls = []
    w = tf.Variable([1.0, 2.0])

    @tf.recompute_grad
    def layer(x):
        calls.append(1)
        return tf.tanh(x * w) * tf.exp(x)

    x = c([0.3, 0.7])

    def program():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(layer(x) * x)
        return tape.gradient(y, [x, w])

    found = run(program)
    assert len(calls) == 2
    a, b = x.numpy(), w.numpy()
    t, e = np.tanh(a * b), np.exp(a)
    close(found[0], t * e + a * ((1 - t * t) * b * e + t * e), 1e-5)
    close(found[1], a * (1 - t * t) * a * e, 1e-5)


@BOTH
def test_calls_of_python(run):
    x = c([2.0, 3.0])

    def program():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, n = tf.py_function(lambda a: [a * a * a, tf.size(a)], [x], [tf.float32, tf.int32])
            z = tf.reduce_sum(y) * tf.cast(n, tf.float32)
        return tape.gradient(z, x)

    np.testing.assert_array_equal(run(program), [24.0, 54.0])


@BOTH
def test_calls_of_functions_of_arrays_have_no_gradient(run):
    x = c([2.0, 3.0])

    def program():
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.numpy_function(np.square, [x * 2.0], tf.float32)
            z = tf.reduce_sum(y * x)
        return tape.gradient(y, x), tape.gradient(y, x, unconnected_gradients="zero"), tape.gradient(z, x)

    none, zeros, partly = run(program)
    assert none is None
    np.testing.assert_array_equal(zeros, [0.0, 0.0])
    np.testing.assert_array_equal(partly, [16.0, 36.0])


@BOTH
def test_random_numbers_move_with_their_mean(run):
    mean, spread = c(2.0), c(3.0)

    def program():
        with tf.GradientTape() as tape:
            tape.watch([mean, spread])
            x = tf.random.normal([50], mean, spread)
        d_mean, d_spread = tape.gradient(x, [mean, spread])
        return d_mean, d_spread, tf.reduce_sum((x - mean) / spread)

    found = run(program)
    assert float(found[0]) == 50.0
    close(found[1], found[2].numpy(), 1e-4)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_a_loop_keeps_less_of_what_is_recomputed(jit_compile):
    w = tf.Variable(0.7)

    def layer(x):
        a = tf.sin(x * w)
        return tf.tanh(tf.exp(a) * x) + a

    def graph(layer):
        @tf.function(jit_compile=jit_compile)
        def f(x, n):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x
                for _ in tf.range(n):
                    y = layer(y)
            return tape.gradient(y, [x, w])

        return f

    x, n = c([0.3, 0.6]), c(5)
    plain, less = graph(layer), graph(tf.recompute_grad(layer))
    for mine, other in zip(less(x, n), plain(x, n), strict=True):
        close(mine, other.numpy(), 1e-5)
    kept = [
        sum(isinstance(v.type, ListType) for node in f.get_concrete_function(x, n).traced.nodes for v in node.outputs)
        for f in (plain, less)
    ]
    assert kept[1] < kept[0]
