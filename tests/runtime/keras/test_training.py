"""What training does with examples, weights of classes and chance, and what layers and optimizers leave alone."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import runtime as tf

keras = tf.keras
layers = keras.layers


class Watched(layers.Layer):
    """It notes the examples that it sees."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def call(self, x):
        tf.py_function(lambda x: self.seen.append([int(v) for v in x.numpy()[:, 0]]), [x], [])
        return x


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("batch_size", [4, 5, 32])
def test_each_epoch_has_each_example_once_in_an_order_of_its_own_if_it_is_shuffled(shuffle, batch_size):
    x = np.arange(20.0, dtype=np.float32)[:, None]
    watched = Watched()
    model = keras.Sequential([watched, layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, x, batch_size=batch_size, epochs=3, shuffle=shuffle, verbose=0)
    batches = -(-20 // batch_size)
    epochs = [list(itertools.chain(*watched.seen[len(watched.seen) - batches * (3 - n) :][:batches])) for n in range(3)]
    for order in epochs:
        assert sorted(order) == [*range(20)]
        assert (order == [*range(20)]) == (not shuffle)
    assert (epochs[0] == epochs[1] == epochs[2]) == (not shuffle)


CLASSES = np.array([0, 2, 1, 0, 2])
TARGETS = {
    "numbers": (CLASSES, "sparse_categorical_crossentropy"),
    "a column": (CLASSES[:, None], "sparse_categorical_crossentropy"),
    "one-hot": (np.eye(3, dtype=np.float32)[CLASSES], "categorical_crossentropy"),
    "a tensor": (tf.constant(CLASSES), "sparse_categorical_crossentropy"),
}


@pytest.mark.parametrize(
    "sample_weight", [None, np.array([1.0, 0.5, 2.0, 1.0, 3.0], np.float32)], ids=["alone", "both"]
)
@pytest.mark.parametrize("targets, loss", TARGETS.values(), ids=TARGETS)
def test_weights_of_classes_are_weights_of_their_examples(targets, loss, sample_weight):
    x = np.linspace(-1, 1, 10, dtype=np.float32).reshape(5, 2)

    def trained(**options):
        model = keras.Sequential([layers.Dense(3, activation="softmax", kernel_initializer="ones")])
        model.compile(keras.optimizers.SGD(0.5), loss)
        x_and_y = (tf.constant(x), targets) if isinstance(targets, tf.Tensor) else (x, targets)
        history = model.fit(*x_and_y, shuffle=False, epochs=2, verbose=0, **options).history["loss"]
        return np.concatenate([history, *(w.ravel() for w in model.get_weights())])

    weights = np.array([2.0, 1.0, 0.25], np.float32)[CLASSES] * (1 if sample_weight is None else sample_weight)
    given = weights if not isinstance(targets, tf.Tensor) else tf.constant(weights)
    wanted = trained(sample_weight=given)
    np.testing.assert_allclose(trained(class_weight={0: 2.0, 2: 0.25}, sample_weight=sample_weight), wanted, rtol=1e-6)


KINDS = {"SimpleRNN": {"activation": "linear"}, "GRU": {}, "LSTM": {}}


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_recurrent_layer_drops_it_drops_in_all_steps(kind):
    """One feature alone is let through by the kernel: dropped, the layer gives what it gives for zeros."""
    x = np.ones((64, 3, 1), np.float32) * np.array([1.0, 2.0, 3.0], np.float32)[None, :, None]
    layer = getattr(layers, kind)(2, dropout=0.5, seed=3, return_sequences=True, **KINDS[kind])
    found = layer(x, training=True).numpy()
    zero, twice = layer(0 * x).numpy(), layer(2 * x).numpy()
    dropped = np.isclose(found, zero, atol=1e-6).all((1, 2))
    kept = np.isclose(found, twice, atol=1e-6).all((1, 2))
    assert (dropped ^ kept).all()
    assert 16 < dropped.sum() < 48


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_recurrent_layer_drops_of_its_state_is_dropped(kind):
    x = np.ones((64, 2, 1), np.float32)
    layer = getattr(layers, kind)(1, recurrent_dropout=0.5, seed=3, **KINDS[kind])
    found = layer(x, training=True).numpy()
    assert np.isfinite(found).all()
    assert len(np.unique(found.round(5))) == 2  # of one state, kept or not
    assert not np.isclose(found, layer(x).numpy()).any() or kind != "SimpleRNN"


class Plain:
    """A cell that is no layer."""

    state_size = 2

    def __call__(self, inputs, states):
        return self.call(inputs, states)

    def call(self, inputs, states):
        return states[0] + inputs, states[0] + inputs


class Several(Plain):
    state_size = [2, 2]

    def call(self, inputs, states):
        return states[0] + states[1] + inputs, (states[0] + inputs, states[1] + 1.0)


def test_cells_may_be_any_objects_with_one_state_or_several():
    x = np.arange(12.0, dtype=np.float32).reshape(1, 6, 2)
    np.testing.assert_array_equal(layers.RNN(Plain())(x), x.sum(1))
    found = layers.RNN(Several(), return_sequences=True, return_state=True)(x)
    np.testing.assert_array_equal(found[0][0], np.cumsum(x[0], 0) + np.arange(6.0)[:, None])
    np.testing.assert_array_equal(found[2], [[6.0, 6.0]])


def test_the_weights_of_a_cell_that_has_some_stay():
    cell = layers.SimpleRNNCell(2)
    cell.build((None, 3))
    cell.built = True
    held = cell.kernel
    layer = layers.RNN(cell)
    layer(np.ones((1, 4, 3), np.float32))
    assert cell.kernel is held
    assert len(layer.weights) == 3


@pytest.mark.parametrize("names", [[], ["a"], ["a", "b"], ["a", "b", "c"]], ids=" ".join)
@pytest.mark.parametrize("how", ["var_list", "var_names"])
def test_what_is_excluded_from_weight_decay_is_that_alone(how, names):
    variables = {name: tf.Variable(1.0, name=name) for name in "abc"}
    optimizer = keras.optimizers.SGD(0.5, weight_decay=0.5)
    given = [variables[name] for name in names] if how == "var_list" else names
    optimizer.exclude_from_weight_decay(**{how: given})
    optimizer.apply_gradients([(tf.constant(0.0), v) for v in variables.values()])
    assert {name: float(v) for name, v in variables.items()} == {n: 1.0 if n in names else 0.75 for n in "abc"}


SHAPES = [(2, 3), (5, 2, 3), (1, 3), (2, 1), (2, 4), (3,), (1, 1, 1)]
MERGES = {"Add": np.add, "Subtract": np.subtract, "Multiply": np.multiply, "Maximum": np.maximum, "Minimum": np.minimum}


@pytest.mark.parametrize("shapes", [*itertools.product(SHAPES, repeat=2)], ids=str)
def test_inputs_are_merged_as_numpy_broadcasts_them_or_refused_by_name(shapes):
    a, b = (np.arange(1.0, np.prod(s) + 1, dtype=np.float32).reshape(s) for s in shapes)
    for name, function in MERGES.items():
        try:
            wanted = function(a, b)
        except ValueError:
            with pytest.raises(ValueError, match=name):
                getattr(layers, name)()([a, b])
        else:
            np.testing.assert_array_equal(getattr(layers, name)()([a, b]), wanted)


def test_areas_under_curves_of_few_examples_are_those_of_keras():
    """`auc_figures.json` was written by Keras 3: curve, sums, thresholds, labels, predictions, weights, area."""
    rows = json.loads((Path(__file__).parent / "auc_figures.json").read_text())
    for curve, how, count, labels, predictions, weights, area in rows:
        metric = keras.metrics.AUC(num_thresholds=count, curve=curve, summation_method=how)
        metric.update_state(labels, predictions, weights)
        assert float(metric.result()) == pytest.approx(area, abs=1e-5), (curve, how, count, labels, predictions)


def test_a_model_without_metrics_needs_no_targets():
    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(1, kernel_initializer="ones")

        def call(self, x):
            made = self.dense(x)
            self.add_loss(tf.reduce_mean(made**2))
            return made

    model = Model()
    model.compile(keras.optimizers.SGD(0.1))
    losses = model.fit(np.ones((4, 2), np.float32), epochs=3, verbose=0).history["loss"]
    assert losses[0] == 4.0 and losses[0] > losses[1] > losses[2]


def distance(y, wanted):
    return tf.reduce_mean(abs(y - wanted))


def test_metrics_have_the_names_of_what_they_are_made_of():
    model = keras.Sequential([layers.Dense(1)])
    metrics = [distance, "mae", keras.metrics.MeanSquaredError(name="m"), keras.losses.mean_squared_error]
    model.compile("sgd", "mse", metrics=metrics)
    x = np.ones((2, 1), np.float32)
    assert [*model.fit(x, x, verbose=0).history] == ["distance", "loss", "m", "mae", "mean_squared_error"]


def test_warnings_of_training_are_told_at_the_users_line():
    class Unused(tf.keras.layers.Layer):
        def build(self, input_shape):
            self.left_out = self.add_weight(shape=[2], name="left_out")
            self.used = self.add_weight(shape=[2], name="used")

        def call(self, inputs):
            return inputs * self.used

    model = tf.keras.Sequential([tf.keras.Input([2]), Unused()])
    model.compile("sgd", "mse")
    with pytest.warns(UserWarning, match="Gradients do not exist") as caught:
        model.fit(np.ones([4, 2]), np.ones([4, 2]), verbose=0)
    assert [w.filename for w in caught] == [__file__]
    model = tf.keras.Sequential([tf.keras.Input([2]), layers.Dense(2)])
    model.compile("sgd", "mse")
    batches = tf.data.Dataset.from_tensors((np.ones([4, 2]), np.ones([4, 2]))).repeat(2)
    with pytest.warns(UserWarning, match="the data ended after 2 of 5 batches") as caught:
        model.fit(batches, steps_per_epoch=5, verbose=0)
    assert [w.filename for w in caught] == [__file__]


class Ends(keras.callbacks.Callback):
    """How many steps there were, by their kinds."""

    def __init__(self):
        super().__init__()
        self.train = self.test = self.predict = 0

    def on_train_batch_end(self, batch, logs=None):
        self.train += 1

    def on_test_batch_end(self, batch, logs=None):
        self.test += 1

    def on_predict_batch_end(self, batch, logs=None):
        self.predict += 1


def test_arrays_without_a_size_of_batches_are_divided_into_the_steps():
    x, y = np.ones((10, 2), np.float32), np.ones((10, 1), np.float32)
    model, ends = keras.Sequential([layers.Dense(1)]), Ends()
    model.compile("sgd", "mse")
    model.fit(
        x, y, steps_per_epoch=5, epochs=2, validation_data=(x, y), validation_steps=4, verbose=0, callbacks=[ends]
    )
    assert (ends.train, ends.test) == (10, 8)
    model.evaluate(x, y, steps=3, verbose=0, callbacks=[ends])
    assert model.predict(x, steps=2, verbose=0, callbacks=[ends]).shape == (10, 1)
    assert (ends.test, ends.predict) == (11, 2)


@pytest.mark.parametrize("wrap", [lambda array: [array], lambda array: (array,)])
def test_inputs_and_targets_may_be_lists_of_one(wrap):
    x, y = np.ones((10, 2), np.float32), np.ones((10, 1), np.float32)
    start = keras.Input((2,))
    for model in (keras.Sequential([start, layers.Dense(1)]), keras.Model(start, layers.Dense(1)(start))):
        model.compile("sgd", "mse", metrics=["mae"])
        assert "mae" in model.fit(wrap(x), wrap(y), verbose=0).history
        assert model.evaluate(wrap(x), wrap(y), verbose=0) == model.evaluate(x, y, verbose=0)
        assert model.predict(wrap(x), verbose=0).shape == (10, 1)
