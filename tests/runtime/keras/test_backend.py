"""Functions of Keras's backend: the numbers and dtypes of TensorFlow, at once and in graphs."""

import json

import numpy as np
import pytest

import runtime as tf
from tests.runtime.keras.backend_figures import ARRAYS, EXPRESSIONS, FIGURES

K = tf.keras.backend
WANTED = json.loads(FIGURES.read_text(encoding="utf-8"))
STATEFUL = ("variable", "zeros(", "ones(", "eye", "update", "cast_to_floatx")


def test_there_are_figures_for_all():
    assert [*WANTED] == EXPRESSIONS


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_function_gives_what_tensorflow_gives(expression):
    dtype, wanted = WANTED[expression]

    def f(**names):
        return eval(expression, {"K": K, "np": np, "tf": tf, **names})

    given = {name: tf.constant(array) for name, array in ARRAYS.items()}
    ways = [f] if any(name in expression for name in STATEFUL) else [f, tf.function(f)]
    for made in (way(**given) for way in ways):
        array = np.asarray(made)
        assert array.dtype == dtype and array.shape == np.shape(wanted)
        np.testing.assert_allclose(array, wanted, rtol=2e-5, atol=1e-6)


def test_what_is_known_of_tensors_and_the_values_of_variables():
    x, v, w = tf.ones([2, 3]), K.variable(np.array([1.0, 2.0]), name="v"), K.zeros((2,), "int32")
    assert (K.int_shape(x), K.ndim(x), K.dtype(x), K.count_params(v)) == ((2, 3), 2, "float32", 2)
    assert v.dtype == tf.float32 and w.dtype == tf.int32 and v.name.startswith("v")
    K.batch_set_value([(v, [3, 4]), (w, np.array([5, 6]))])
    assert [array.tolist() for array in K.batch_get_value([v, w])] == [[3.0, 4.0], [5, 6]]
    K.set_value(v, np.array([0.5, 0.25]))
    assert K.get_value(v).tolist() == K.eval(v + 0.0).tolist() == [0.5, 0.25]


def test_sizes_that_are_not_known_while_tracing():
    known = []

    @tf.function(input_signature=[tf.TensorSpec([None, 3, None])])
    def f(t):
        known.append((K.int_shape(t), K.ndim(t)))
        return K.batch_flatten(t), K.batch_flatten(t[..., :2]), K.batch_dot(t, t, axes=2)

    wide, narrow, products = f(tf.ones([2, 3, 4]))
    assert known == [((None, 3, None), 3)]
    assert wide.shape == (2, 12) and narrow.shape == (2, 6) and products.numpy().tolist() == [[[4.0] * 3] * 3] * 2


@pytest.mark.parametrize(
    "draw, low, high",
    [(K.random_normal, -9, 9), (K.truncated_normal, -2, 2), (K.random_uniform, 0, 1)],
)
def test_random_numbers_come_anew(draw, low, high):
    graph = tf.function(lambda: draw((50,)))
    first, second = graph().numpy(), graph().numpy()
    assert first.dtype == np.float32 and (first != second).any() and low <= first.min() <= first.max() <= high
    assert {*K.random_bernoulli((90,), p=0.5).numpy().tolist()} == {0.0, 1.0}
    assert K.random_bernoulli((9,), dtype="int32").numpy().tolist() == [0] * 9


def test_a_loss_and_a_metric_that_are_written_with_it():
    def loss(y_true, y_pred):
        return K.mean(K.square(y_pred - K.cast(y_true, "float32")), axis=-1) + 0.1 * K.sum(K.abs(y_pred), axis=-1)

    def accuracy(y_true, y_pred):
        return K.mean(K.equal(K.round(K.clip(y_pred, 0, 1)), y_true))

    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", loss, metrics=[accuracy])
    x, y = np.float32([[0.25, 0.5], [1.0, -1.0]]), np.float32([[1], [0]])
    assert model.evaluate(x, y, verbose=0) == pytest.approx([0.0625 / 2 + 0.0375, 1.0])


@pytest.mark.parametrize("condition", [True, False])
def test_one_of_two_values(condition):
    f = tf.function(lambda c: K.switch(c, lambda: tf.constant(1.0), lambda: tf.constant(2.0)))
    assert f(tf.constant(condition)).numpy() == (1.0 if condition else 2.0)
    assert K.switch([True, False], [[1, 1], [2, 2]], [[3, 3], [4, 4]]).numpy().tolist() == [[1, 1], [4, 4]]


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="takes a matrix"):
        K.repeat(tf.ones([2, 3, 4]), 2)
    with pytest.raises(ValueError, match="that of the examples"):
        K.batch_dot(tf.ones([2, 3]), tf.ones([2, 3]), axes=0)
