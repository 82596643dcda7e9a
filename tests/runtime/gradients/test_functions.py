"""Gradients of functions: `grad`, `value_and_grad`, `jvp`; of NumPy's functions as they stand."""

import functools

import numpy as np
import pytest

import runtime as tf
from tests.runtime.gradients.differences import by_differences, close


def stencil(a):
    out = np.zeros_like(a)
    for i in range(1, len(a) - 1):
        out[i] = a[i - 1] - 2 * a[i] * a[i + 1]
    return np.sum(out * out)


def in_place(a):
    b = a[1:]
    b *= 2.0
    a += 1.0
    return np.sum(a * b.sum())


def recurrence(a):
    for i in range(1, len(a)):
        a[i] = a[i] * a[i - 1] + np.sin(a[i])
    return a[-1]


def until(a):
    steps = 0.0
    while np.sum(a * a) > 0.5:
        a = a * 0.7
        steps = steps + np.max(np.abs(a))
    return steps + np.linalg.norm(a)


def reductions(a):
    m = np.outer(a, a) + np.diag(a)
    return np.mean(np.sort(m, axis=1)) + np.prod(a) + np.cumsum(a)[2] + np.std(a) + np.einsum("ij,j->", m, a)


X = np.array([0.9, -0.6, 1.3, 0.4])


@pytest.mark.parametrize("function", [stencil, in_place, recurrence, until, reductions])
def test_functions_of_numpy(function):
    x = X.copy()
    value, found = tf.value_and_grad(function)(x.copy())
    close(value, function(X.copy()))
    close(found, by_differences(lambda a: float(function(a.copy())), [x], 0))
    assert found.dtype == tf.float64


def test_of_several_arguments_and_structures():
    def loss(parameters, x, scale):
        return tf.reduce_sum(parameters["w"] * x + parameters["b"][0]) * scale

    parameters = {"w": np.array([1.0, 2.0]), "b": [0.5]}
    x = np.array([3.0, 4.0])
    found = tf.grad(loss)(parameters, x, 2.0)
    close(found["w"], [6.0, 8.0])
    close(found["b"][0], 4.0)
    first, second = tf.grad(loss, argnums=(1, 2))(parameters, x, 2.0)
    close(first, [2.0, 4.0])
    close(second, 12.0)


def test_of_what_can_be_called():
    class Square:
        def __call__(self, x):
            return x * x

        def cube(self, x):
            if x > 0:
                return x**3
            return x

    for function, wanted in [
        (Square(), 4.0), (Square().cube, 12.0), (tf.function(lambda x: x * x), 4.0), (np.exp, np.exp(2.0)),
        (functools.partial(lambda a, x: a * x, 3.0), 3.0), (tf.math.log, 0.5),
    ]:  # fmt: skip
        close(tf.grad(function)(2.0), wanted, 1e-6)


def test_of_gradients():
    assert float(tf.grad(tf.grad(tf.grad(lambda x: x**4)))(2.0)) == 48.0
    assert float(tf.function(lambda x: tf.grad(lambda y: y * y * x)(x))(tf.constant(3.0))) == 27.0


def test_the_graph_is_made_once():
    traced = []

    def f(x):
        traced.append(1)
        return np.sum(x * x)

    g = tf.grad(f)
    for _ in range(3):
        g(np.ones(2))
    g(np.ones(3))
    assert len(traced) == 2


def test_what_has_no_influence_has_zeros():
    np.testing.assert_array_equal(tf.grad(lambda x, y: tf.reduce_sum(x), 1)(np.ones(2), np.ones(3)), np.zeros(3))


def test_what_else_is_returned():
    (value, more), found = tf.value_and_grad(lambda x: (x * x, {"x": x}), has_aux=True)(3.0)
    assert (float(value), float(more["x"]), float(found)) == (9.0, 3.0, 6.0)
    found, more = tf.grad(lambda x: (x * x, x), has_aux=True)(3.0)
    assert (float(found), float(more)) == (6.0, 3.0)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: tf.grad(lambda x: x * x)(2), "argument 0, which holds int32.*Pass floats"),
        (lambda: tf.grad(lambda x: x * 2)(np.ones(2)), r"returns float64 of shape \(2,\).*reduce_sum"),
        (lambda: tf.grad(lambda x: [x, x])(1.0), "returns a list: it must be one number"),
        (lambda: tf.grad(lambda x: tf.cast(x, tf.int32))(1.0), "returns int32"),
        (lambda: tf.grad(lambda x: x, 1)(1.0), "for argument 1: it is called with 1"),
        (lambda: tf.jvp(lambda x: x, [1], [1.0]), "argument 0, which holds int32"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_a_direction_for_each_argument():
    with pytest.raises(ValueError, match="1 tangents for 2 arguments"):
        tf.jvp(lambda x, y: x * y, [1.0, 2.0], [1.0])


def loops(x, y):
    total = x
    for i in range(3):
        if total[0] > 1.0:
            total = total * 0.5 + y
        else:
            total = np.sin(total) * x
    return total, [np.sum(total * y), tf.shape(y)[0]]


def test_forward():
    x, y, dx, dy = np.array([0.5, 1.5]), np.array([0.3, 0.2]), np.array([1.0, -2.0]), np.array([0.5, 0.25])
    (total, (number, count)), (d_total, (d_number, d_count)) = tf.jvp(loops, [x, y], [dx, dy])
    step = 1e-6
    after, before = (tf.function(loops)(x + s * dx, y + s * dy) for s in (step, -step))
    close(d_total, (after[0] - before[0]).numpy() / (2 * step))
    close(d_number, float(after[1][0] - before[1][0]) / (2 * step))
    assert int(count) == 2 and int(d_count) == 0 and total.shape == [2] and number.shape == []


def test_gradients_by_what_is_a_constant_of_the_function_are_refused():
    x = tf.constant([1.0, 2.0])

    @tf.function
    def slopes(a):
        return tf.gradients(x * x * a, x)

    @tf.function
    def watched(a):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * a
        return tape.gradient(y, x)

    with pytest.raises(ValueError, match="was made outside of the function and is a constant in it"):
        slopes(tf.constant(3.0))
    assert watched(tf.constant(3.0)).numpy().tolist() == [6.0, 12.0]
