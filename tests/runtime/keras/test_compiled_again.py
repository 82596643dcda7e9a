"""What a model keeps of what it was compiled with, what things are called, and what data are told of epochs.

The numbers and names are those that Keras 3.14 with TensorFlow 2.21 gives for the same programs.
"""

import numpy as np
import pytest

import runtime as tf

k = tf.keras
L = k.layers
X = np.sin(np.arange(120) * 0.9).reshape(24, 5).astype("f4")
Y = np.cos(np.arange(48) * 0.4).reshape(24, 2).astype("f4")


@pytest.fixture(autouse=True)
def from_the_beginning():
    k.backend.clear_session()


def sequence(*layers):
    model = k.Sequential([k.Input((5,)), *(layers or [L.Dense(2)])])
    model.set_weights([
        (np.sin(np.arange(w.size) * 0.7 + i) * 0.4).reshape(w.shape) for i, w in enumerate(model.get_weights())
    ])  # fmt: skip
    return model


def two_outputs():
    x = k.Input((5,))
    return k.Model(x, [L.Dense(2, name="a")(x), L.Dense(2, name="b")(x)])


def trained(model, x=X, y=Y, **options):
    return model.fit(x, y, shuffle=False, verbose=0, **options).history


def name_of_a_model():
    x = k.Input((5,))
    return k.Model(x, L.Dense(2)(x)).name


def test_what_is_not_said_again_is_kept():
    model = sequence()
    model.compile("sgd", "mse", metrics=["mae"])
    assert [*trained(model)] == ["loss", "mae"]
    model.compile(k.optimizers.SGD(0.5))
    assert [*trained(model)] == ["loss", "mae"]
    model.compile("sgd", "mae", metrics=[])
    assert [*trained(model)] == ["loss"]
    model.compile("sgd", metrics=["mse"])
    assert [*trained(model)] == ["loss", "mse"]
    assert model.loss == "mae"


def test_numbers_of_an_epoch_are_in_one_order():
    model = sequence()
    model.compile("sgd", "mse", metrics=["mae"], weighted_metrics=["mae"])
    seen = []
    told = k.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append([*logs]))
    names = [*trained(model, validation_data=(X, Y), callbacks=[told])]
    assert names == ["loss", "mae", "val_loss", "val_mae", "val_weighted_mae", "weighted_mae"] == seen[0]


def test_steps_that_were_made_train_what_they_did():
    model = sequence(L.Dense(3), L.Dense(2))
    model.compile("sgd", "mse")
    trained(model)
    model.layers[0].trainable = False
    before = model.get_weights()
    with pytest.warns(UserWarning, match="trainable of 'dense' has changed since 'sequential' was compiled"):
        trained(model)
    assert not any(map(np.array_equal, before, model.get_weights()))
    model.compile("sgd", "mse")
    before = model.get_weights()
    trained(model)
    assert [*map(np.array_equal, before, model.get_weights())] == [True, True, False, False]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_is_frozen_before_the_first_step_stays_so():
    model = sequence(L.Dense(3), L.Dense(2))
    model.compile("adam", "mse")
    model.layers[0].trainable = False
    before = model.get_weights()
    trained(model)
    model.layers[0].trainable = True
    trained(model)
    assert [*map(np.array_equal, before, model.get_weights())] == [True, True, False, False]


def test_a_sequence_counts_among_models():
    assert name_of_a_model() == "functional"
    model = sequence(L.Dense(2), L.Dense(3))
    assert name_of_a_model() == "functional_2"
    model.add(L.Dense(2))
    model.add(L.Dense(2))
    assert name_of_a_model() == "functional_5"
    model.pop()
    assert name_of_a_model() == "functional_7"
    late = k.Sequential([L.Dense(2), L.Dense(3)])
    assert name_of_a_model() == "functional_8"
    late(X)
    assert name_of_a_model() == "functional_10"


def test_each_optimizer_has_a_name_of_its_own():
    names = [k.optimizers.get(name).name for name in ("adam", "adam", "rmsprop", "adamw", "sgd")]
    assert names == ["adam", "adam_1", "rm_sprop", "adam_w", "sgd"]
    model = sequence()
    model.compile("adam")
    assert [v.path for v in model.optimizer.variables] == ["adam_2/iteration", "adam_2/learning_rate"]
    assert k.optimizers.Adam(name="adam").name == "adam"
    with pytest.warns(UserWarning, match="decay=...: it is ignored"):
        k.optimizers.SGD(decay=1e-6)


def test_what_dictionaries_hold_is_in_the_order_of_their_keys():
    a, b = k.Input((5,), name="a"), k.Input((2,), name="b")
    model = k.Model({"b": b, "a": a}, {"z": L.Dense(1, name="l1")(a), "y": L.Dense(2, name="l2")(b)})
    assert [t.name for t in model.inputs] == model.input_names == ["a", "b"]
    assert [t.shape[1] for t in model.outputs] == [2, 1]
    assert model.output_names == ["l2", "l1"]
    by_name = model({"b": Y, "a": X})
    assert [*by_name] == ["z", "y"]
    np.testing.assert_array_equal(model([X, Y])["z"], by_name["z"])


def test_each_output_with_a_loss_has_a_target():
    model = two_outputs()
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match=r"one target was given, and the outputs \['a', 'b'\] have a loss"):
        trained(model)
    model.compile("sgd", ["mse", None])
    with pytest.warns(UserWarning, match="Gradients do not exist for variables 'b/kernel', 'b/bias'"):
        assert [*trained(model)] == ["loss"]
    model = sequence()
    model.compile("sgd", ["mse", "mae"])
    with pytest.raises(ValueError, match=r"loss: 2 were given, \['mse', 'mae'\], for one output"):
        trained(model)


@pytest.mark.parametrize("part, name, cls", [
    ("metrics", "auc", "AUC"), ("metrics", "mean_io_u", "MeanIoU"), ("metrics", "f1_score", "F1Score"),
    ("metrics", "sparse_top_k_categorical_accuracy", None), ("initializers", "uniform", "RandomUniform"),
    ("initializers", "normal", "RandomNormal"), ("initializers", "one", "Ones"), ("initializers", "zero", "Zeros"),
    ("regularizers", "orthogonal_regularizer", "OrthogonalRegularizer"), ("constraints", "min_max_norm", "MinMaxNorm"),
])  # fmt: skip
def test_names_in_words(part, name, cls):
    if name == "mean_io_u":
        with pytest.raises(TypeError, match="num_classes"):
            getattr(k, part).get(name)
    elif cls is None:
        assert callable(getattr(k, part).get(name))
    else:
        assert type(getattr(k, part).get(name)).__name__ == cls


class Told(k.utils.PyDataset):
    """Batches that write down what they are told."""

    def __init__(self, **options):
        super().__init__(**options)
        self.said = ""

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return X[8 * index : 8 * index + 8], Y[8 * index : 8 * index + 8]

    def on_epoch_begin(self):
        self.said += "b"

    def on_epoch_end(self):
        self.said += "e"


@pytest.mark.filterwarnings("ignore:the data ended:UserWarning")
@pytest.mark.parametrize("options, said", [
    ({"epochs": 2}, "ebebe"), ({"epochs": 3, "steps_per_epoch": 5}, "ebebebe"),
    ({"epochs": 4, "steps_per_epoch": 2}, "ebebebebe"),
    ({"epochs": 5, "callbacks": [k.callbacks.EarlyStopping("loss", min_delta=100, patience=1)]}, "ebebe"),
])  # fmt: skip
def test_data_are_told_of_epochs(options, said):
    model, data = sequence(), Told()
    model.compile("sgd", "mse")
    trained(model, data, None, **options)
    assert data.said == said


def test_data_are_told_of_epochs_elsewhere():
    model, data = sequence(), Told(workers=2, use_multiprocessing=False, max_queue_size=4)
    assert (data.workers, data.use_multiprocessing, data.max_queue_size, data.num_batches) == (2, False, 4, 3)
    model.compile("sgd", "mse")
    trained(model, epochs=3, validation_data=data, validation_steps=2)
    assert data.said == "ebeebeebe"
    model.evaluate(data, verbose=0)
    assert data.said == "ebeebeebeebe"
    data.said = ""
    model.predict(data, verbose=0)
    assert data.said == "be"

    class Stopping(k.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            self.model.stop_training = batch == 1

    data.said = ""
    trained(model, data, None, epochs=3, callbacks=[Stopping()])
    assert data.said == "eb"


def test_data_without_an_end():
    class Endless(k.utils.PyDataset):
        num_batches = None

        def __getitem__(self, index):
            return X[index : index + 2], Y[index : index + 2]

    model = sequence()
    model.compile("sgd", "mse")
    assert len(trained(model, Endless(), None, epochs=2, steps_per_epoch=4)["loss"]) == 2
    with pytest.raises(ValueError, match="say steps_per_epoch"):
        trained(model, Endless(), None)
    with pytest.raises(NotImplementedError, match="defines neither __len__"):
        trained(model, k.utils.PyDataset(), None)


def test_the_size_of_batches_that_are_given_is_ignored():
    model = sequence()
    model.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(8)
    expected = model.evaluate(data, verbose=0)
    with pytest.warns(UserWarning, match="with batch_size=5: it gives batches already, and the number is ignored"):
        assert model.evaluate(data, batch_size=5, verbose=0) == expected


@pytest.mark.parametrize("options", [
    {"epochs": 2}, {"epochs": 9, "callbacks": [k.callbacks.EarlyStopping("loss", min_delta=100, patience=1)]},
], ids=["to the end", "stopped"])  # fmt: skip
def test_training_ends_with_the_averages_that_were_swapped(options):
    ends = []
    for swap in ([], [k.callbacks.SwapEMAWeights(swap_on_epoch=True)]):
        model = sequence()
        model.compile(k.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.9), "mse")
        trained(model, batch_size=8, **{**options, "callbacks": [*options.get("callbacks", []), *swap]})
        ends.append(model.get_weights())
    np.testing.assert_allclose(ends[1][0], ends[0][0], rtol=1e-5)


def test_means_have_the_rank_of_the_data():
    layer = L.Normalization()
    layer.adapt(X)
    assert layer.mean.shape.as_list() == layer.variance.shape.as_list() == [1, 5]
    np.testing.assert_allclose(layer.mean[0], X.mean(0), atol=1e-6)
    assert L.Normalization(axis=None, mean=0.5, variance=2.0)(X).shape == X.shape
    assert [w.shape.as_list() for w in layer.weights] == [[5], [5]]


def test_dropout_for_selu_keeps_mean_and_variance():
    x = np.random.default_rng(0).normal(size=(300, 300)).astype("f4")
    layer = L.AlphaDropout(0.3, seed=2)
    made = layer(x, training=True).numpy()
    np.testing.assert_allclose([made.mean(), made.var()], [0, 1], atol=0.02)
    np.testing.assert_allclose(np.polyfit(x[made > 2], made[made > 2], 1), [0.861, 0.4541], atol=1e-4)
    assert abs(np.isclose(made, -1.0595481, atol=1e-4).mean() - 0.3) < 0.01
    for same in (layer(x), L.AlphaDropout(0.0)(x, training=True)):
        np.testing.assert_array_equal(same, x)
    rows = L.AlphaDropout(0.5, noise_shape=[None, 1], seed=1)(x, training=True).numpy()
    assert {len({*row.tolist()}) for row in rows} == {1, 300}
    with pytest.raises(ValueError, match="AlphaDropout with rate=1"):
        L.AlphaDropout(1)
