"""Derivatives in a direction, and second derivatives in a graph, against tapes."""

import numpy as np
import pytest

import runtime as tf

X, Y = np.array([1.0, 2.0, -0.5]), np.array([3.0, 0.5, 2.0])


def polynomial(x, y):
    return tf.reduce_sum(x**3 * y) + x * y


def looped(x, y):
    z = x
    for i in tf.range(3):
        if tf.reduce_sum(z) > 0.0:
            z = z * y + tf.cast(i, x.dtype)
    return z


def looked_up(x, y):
    return tf.gather(x, [0, 2, 0]) * y


def sliced(x, y):
    return tf.stack([x[0] * y[1], tf.exp(x[2])])


FUNCTIONS = [polynomial, looped, looked_up, sliced]
ways = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["at once", "graph"])


def jacobians(f, x, y):
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = f(x, y)
    return tape.jacobian(z, [x, y], unconnected_gradients="zero")


@ways
@pytest.mark.parametrize("variable", [False, True], ids=["tensor", "Variable"])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_direction_is_the_jacobian_times_the_tangents(f, variable, way):
    x, y = tf.Variable(X) if variable else tf.constant(X), tf.constant(Y)
    v, w = np.array([1.0, 0.5, 2.0]), np.array([0.0, 1.0, -1.0])

    def change():
        with tf.autodiff.ForwardAccumulator([x, y], [v, w]) as direction:
            z = tf.function(f)(x, y) if way is tf.function else f(x, y)
        return direction.jvp(z), direction.jvp({"z": [z]})["z"][0]

    first, again = way(change)()
    of_x, of_y = jacobians(f, tf.constant(X), y)
    np.testing.assert_allclose(first, np.tensordot(of_x, v, 1) + np.tensordot(of_y, w, 1), rtol=1e-12)
    np.testing.assert_array_equal(first, again)


def test_what_does_not_change_has_none_or_zeros():
    x = tf.constant(X)
    with tf.autodiff.ForwardAccumulator(x, X) as direction:
        still, whole, used = tf.stop_gradient(x), tf.cast(x, tf.int32), x * 2.0
        np.testing.assert_array_equal(direction.jvp(used), 2 * X)  # it may be asked within
    later = x * 3.0
    for one in (still, whole, later):
        assert direction.jvp(one) is None
        zeros = direction.jvp(one, unconnected_gradients="zero")
        assert zeros.dtype == one.dtype and zeros.numpy().tolist() == [0, 0, 0]


@ways
def test_directions_within_directions_and_around_tapes(way):
    x = tf.constant(X)
    one, other = np.eye(3)[:2]

    def second():
        with tf.autodiff.ForwardAccumulator(x, one) as outer:
            with tf.autodiff.ForwardAccumulator(x, other) as inner:
                y = x[0] ** 2 * x[1] ** 3
            mixed = inner.jvp(y)
            with tf.GradientTape() as tape:
                tape.watch(x)
                z = tf.reduce_sum(x**4)
            slope = tape.gradient(z, x)
        return outer.jvp(mixed), outer.jvp(slope)

    mixed, product = way(second)()
    np.testing.assert_allclose(mixed, 2 * X[0] * 3 * X[1] ** 2)
    np.testing.assert_allclose(product, 12 * X**2 * one)


@pytest.mark.parametrize(
    "primals, tangents, told",
    [
        ([X], [X, X], "2 tangents for 1 primals"),
        (tf.constant(X), [1.0], "must be alike"),
        (tf.constant([1]), tf.constant([1]), "of tensors and Variables of floats"),
        (1.0, 1.0, "of tensors and Variables of floats"),
    ],
)
def test_directions_that_are_none(primals, tangents, told):
    with pytest.raises(ValueError, match=told):
        tf.autodiff.ForwardAccumulator(primals, tangents)


@pytest.mark.parametrize("signature", [None, [tf.TensorSpec([None], tf.float64)] * 2], ids=["known", "any size"])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_hessians_are_jacobians_of_gradients(f, signature):
    @tf.function(input_signature=signature)
    def found(x, y):
        return tf.hessians([f(x, y), tf.reduce_sum(x)], [x, y])

    for made, number in zip(found(tf.constant(X), tf.constant(Y)), (0, 1)):
        given = [tf.constant(X), tf.constant(Y)]
        with tf.GradientTape() as outer:
            outer.watch(given)
            with tf.GradientTape() as tape:
                tape.watch(given)
                z = f(*given)
            slope = tape.gradient(z, given[number], unconnected_gradients="zero")
        wanted = outer.jacobian(slope, given[number], unconnected_gradients="zero")
        np.testing.assert_allclose(made, wanted, rtol=1e-12)


def test_hessians_of_variables_and_matrices():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    (made,) = tf.function(lambda: tf.hessians(tf.linalg.det(v), v))()
    assert made.shape == (2, 2, 2, 2) and made[0, 0, 1, 1] == 1.0 and made[0, 1, 1, 0] == -1.0
    with pytest.raises(RuntimeError, match="GradientTape"):
        tf.hessians(tf.constant(1.0), v)
    with pytest.raises(NotImplementedError, match="aggregation_method"):
        tf.function(lambda: tf.hessians(v * v, v, aggregation_method=1))()
