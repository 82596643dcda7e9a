"""What programs see of training, as TensorFlow's Keras has it: metrics of steps of one's own, orders and names.

The numbers are those that Keras 3.14 with TensorFlow 2.21 gives for the same programs, weights and data.
"""

import numpy as np
import pytest

import runtime as tf

k = tf.keras
L = k.layers
X = np.sin(np.arange(60) * 0.9).reshape(20, 3).astype("f4")
Y = X @ np.array([[1.0], [-2.0], [0.5]], "f4") + 0.3


@pytest.fixture(autouse=True)
def from_the_beginning():
    k.backend.clear_session()


def fixed(model):
    model.set_weights([
        (np.sin(np.arange(w.size) * 0.7 + i) * 0.4).reshape(w.shape).astype(w.dtype)
        for i, w in enumerate(model.get_weights())
    ])  # fmt: skip
    return model


class Own(k.Model):
    """A step of training that brings the metrics of `compile` up to date by itself."""

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            found = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=found)
        self.optimizer.apply(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
        for metric in self.metrics:
            metric.update_state(loss) if metric.name == "loss" else metric.update_state(y, found)
        return {metric.name: metric.result() for metric in self.metrics}


def test_metrics_of_compile_in_a_step_of_ones_own():
    inputs = k.Input((3,))
    model = fixed(Own(inputs, L.Dense(1)(L.Dense(4, activation="tanh")(inputs))))
    model.compile(k.optimizers.Adam(0.05), "mse", metrics=["mae"])
    history = model.fit(X, Y, epochs=3, batch_size=5, verbose=0, shuffle=False).history
    assert [*history] == ["mae", "loss"]
    np.testing.assert_allclose(history["mae"], [0.5407, 0.1799, 0.2590], atol=1e-4)
    np.testing.assert_allclose(history["loss"], [0.3850, 0.0468, 0.0821], atol=1e-4)
    assert [metric.name for metric in model.metrics] == ["loss", "compile_metrics"]


def test_metrics_of_models_and_layers_are_theirs():
    class Counting(L.Layer):
        def __init__(self):
            super().__init__()
            self.seen = k.metrics.Sum(name="seen")

        def call(self, inputs):
            self.seen.update_state(tf.ones_like(inputs))
            return inputs

    class Net(k.Model):
        def __init__(self):
            super().__init__()
            self.counting, self.dense = Counting(), L.Dense(1)
            self.kept = {"means": [k.metrics.Mean(name="mean")]}

        def call(self, inputs):
            outputs = self.dense(self.counting(inputs))
            self.kept["means"][0].update_state(outputs)
            return outputs

    net = Net()
    assert [m.name for m in net.metrics] == ["mean", "seen"] and [m.name for m in net.counting.metrics] == ["seen"]
    net.compile("sgd", "mse")
    history = net.fit(X, Y, epochs=2, batch_size=5, verbose=0).history
    assert history["seen"] == [60.0, 60.0]  # from the beginning in each epoch
    assert net.trainable_variables == net.weights and len(net.weights) == 2
    checkpoint = tf.train.Checkpoint(metric=net.counting.seen)
    assert len(list(checkpoint.metric.variables)) == 1


def test_the_same_metric_twice_has_two_names():
    classes = (Y[:, 0] > 0).astype("i4")
    model = fixed(k.Sequential([k.Input((3,)), L.Dense(2, activation="softmax")]))
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"], weighted_metrics=["accuracy"])
    history = model.fit(X, classes, class_weight={0: 1.0, 1: 3.0}, batch_size=20, shuffle=False, verbose=0).history
    np.testing.assert_allclose(history["loss"], [1.2657], atol=1e-4)
    assert {name: round(values[0], 4) for name, values in history.items() if name != "loss"} == {
        "accuracy": 0.7, "weighted_accuracy": 0.7143
    }  # fmt: skip
    model.fit(X, classes, class_weight={0: 1.0, 1: 3.0}, batch_size=20, shuffle=False, verbose=0)
    assert round(model.train_on_batch(X, classes, return_dict=True)["loss"], 4) == 0.5991  # of this batch alone
    assert round(model.test_on_batch(X, classes, return_dict=True)["loss"], 4) == 0.5966


def test_layers_and_weights_are_in_keras_order():
    title, body = (k.Input((None,), dtype="int32", name=name) for name in ("title", "body"))
    tags = k.Input((3,), name="tags")
    words = L.Embedding(20, 4, mask_zero=True, name="words")
    both = L.concatenate([L.LSTM(3, name="of_title")(words(title)), L.GRU(3, name="of_body")(words(body)), tags])
    outputs = {"priority": L.Dense(1, name="priority")(both), "department": L.Dense(2, name="department")(both)}
    model = k.Model([title, body, tags], outputs)
    assert [layer.name for layer in model.layers] == [
        "title", "body", "words", "of_title", "of_body", "tags", "concatenate", "department", "priority"
    ]  # fmt: skip


def test_one_output_in_a_list_is_that_output():
    inputs = k.Input((3,))
    model = k.Model([inputs], [L.Dense(2)(inputs)])
    assert model(X).shape == (20, 2) and model.predict(X, verbose=0).shape == (20, 2)


def test_losses_of_outputs_are_by_example():
    layer = L.Dense(2, activity_regularizer="l1", kernel_initializer="ones")
    found = []
    for size in (1, 8):
        layer(tf.ones([size, 2]))
        found += map(float, layer.losses)
    np.testing.assert_allclose(found, [0.04, 0.04], rtol=1e-6)


def test_states_are_no_weights():
    layer = L.LSTM(3, stateful=True, return_sequences=True)
    model = k.Sequential([k.Input(batch_shape=(2, 4, 2)), layer])
    assert len(model.weights) == 3 and len(layer.states) == 2
    fixed(model)
    z = np.sin(np.arange(32)).reshape(2, 8, 2).astype("f4")
    first, second = (model.predict(part, verbose=0, batch_size=2) for part in (z[:, :4], z[:, 4:]))
    np.testing.assert_allclose(first[0, -1], [0.046, 0.1613, 0.1332], atol=1e-4)
    np.testing.assert_allclose(second[0, -1], [-0.101, 0.0837, 0.1664], atol=1e-4)
    layer.reset_states()
    np.testing.assert_allclose(
        model.predict(z[:, 4:], verbose=0, batch_size=2)[0, -1], [-0.1054, 0.0775, 0.1616], atol=1e-4
    )


def test_generators_give_batches_until_they_end():
    def batches():
        for i in range(4):
            yield X[i * 5 : i * 5 + 5], Y[i * 5 : i * 5 + 5]

    model, other = (fixed(k.Sequential([k.Input((3,)), L.Dense(1)])) for _ in range(2))
    for one in (model, other):
        one.compile("sgd", "mse")
    wanted = other.fit(X, Y, batch_size=5, shuffle=False, verbose=0).history
    assert model.fit(batches(), verbose=0).history == wanted
    assert model.evaluate(batches(), verbose=0) == pytest.approx(model.evaluate(X, Y, verbose=0))
    with pytest.warns(UserWarning, match="a generator gives its batches once"):
        model.fit(batches(), epochs=2, verbose=0)
    model.fit(batches(), epochs=2, steps_per_epoch=2, verbose=0)


def numbers(count, given=None):
    for i in range(count):
        if given is not None:
            given.append(i)
        yield np.full((2, 3), i, np.float32), np.full((2, 1), i / 2, np.float32)


# What Keras gives, which keeps the first two batches of a generator and begins with them whenever it begins anew.
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("count, options, loss", [
    (6, {"epochs": 1}, [45.6676]),
    (6, {"epochs": 3}, [45.6676, 1.4423, 1.4198]),
    (6, {"epochs": 4, "steps_per_epoch": 4}, [20.907, 95.1886, 1.4423, 1.4198]),
    (4, {"epochs": 3, "steps_per_epoch": 4}, [20.907, 0.0, 2.5663]),
    (3, {"epochs": 3, "steps_per_epoch": 4}, [10.3004, 2.9054, 2.8593]),
    (1, {"epochs": 3, "steps_per_epoch": 4}, [0.0, 0.0, 0.0]),
])  # fmt: skip
def test_a_generator_that_ends_before_training_does(count, options, loss):
    model = k.Sequential([L.Dense(1, kernel_initializer="ones")])
    model.compile(k.optimizers.SGD(0.001), "mse")
    assert model.fit(numbers(count), verbose=0, **options).history["loss"] == pytest.approx(loss, abs=1e-3)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("count, steps, loss", [
    (30, 2, [0.212, 0.094, 38.783]), (3, 2, [0.212, 0.094, 38.783]), (2, 2, [0.212, 0.094, 38.783]),
    (4, None, [1.959, 0.094, 38.783]),
])  # fmt: skip
def test_each_epoch_is_validated_with_the_first_batches_of_a_generator(count, steps, loss):
    model = k.Sequential([L.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    options = {"epochs": 3, "steps_per_epoch": 4, "validation_steps": steps, "verbose": 0}
    history = model.fit(numbers(20), validation_data=numbers(count), **options).history
    assert history["val_loss"] == pytest.approx(loss, abs=1e-3)


def test_batches_of_a_generator_are_given_once_behind_the_first_ones():
    given = []
    model = k.Sequential([L.Dense(1)])
    model.compile("sgd", "mse")
    options = {"epochs": 2, "steps_per_epoch": 1, "validation_steps": 3, "verbose": 0}
    model.fit(numbers(9), validation_data=numbers(9, given), **options)
    assert given == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="must yield at least one batch"):
        model.fit(numbers(0), verbose=0)


def test_losses_come_before_metrics():
    inputs = k.Input((3,))
    model = k.Model(inputs, {"b": L.Dense(1, name="b")(inputs), "a": L.Dense(1, name="a")(inputs)})
    model.compile("sgd", {"a": "mse", "b": "mae"}, metrics={"a": ["mape"], "b": ["mae"]})
    found = model.evaluate(X, {"a": Y, "b": Y}, verbose=0, return_dict=True)
    listed = model.evaluate(X, {"a": Y, "b": Y}, verbose=0)
    assert listed == [found[name] for name in ("loss", "b_loss", "a_loss", "a_mape", "b_mae")]


def test_sequences_of_labels_that_come_at_any_time():
    labels, logits = np.array([[1, 2, 0]]), np.sin(np.arange(15)).reshape(1, 5, 3).astype("f4")
    np.testing.assert_allclose(k.losses.CTC()(labels, logits), 2.1809, atol=1e-4)
    model = fixed(k.Sequential([k.Input((5, 3)), L.Dense(3)]))
    model.compile(k.optimizers.Adam(0.1), k.losses.CTC())
    losses = model.fit(logits, labels, epochs=40, verbose=0).history["loss"]
    assert losses[-1] < losses[0] / 2
    with pytest.raises(ValueError, match=r"ctc with y_pred of shape \(5, 3\): it is \[batch, times, classes\]"):
        k.losses.ctc(labels, logits[0])
