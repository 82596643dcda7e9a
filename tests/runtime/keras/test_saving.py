"""Layers and models made again: from configurations, from files of models and from files of weights."""

import json
import os
import re
import zipfile

import numpy as np
import pytest

import runtime as tf
from runtime.checkpoints import archives
from tests.runtime.keras.layer_figures import LAYERS, SPREAD, waves, words

k = tf.keras
L = k.layers


@pytest.fixture(autouse=True)
def from_the_beginning():
    k.backend.clear_session()
    k.utils.set_random_seed(0)


TEXTS = np.array([["a b a", "c"], ["b", ""]])

# Layers that the figures do not have, and options of others that are no plain values.
MORE = {
    "activation": (lambda k: k.Activation("swish"), [(2, 3)]),
    "activity": (lambda k: k.ActivityRegularization(l1=0.1, l2=0.2), [(2, 3)]),
    "add": (lambda k: k.Add(), [(2, 3), (2, 3)]),
    "attention": (lambda k: k.Attention(use_scale=True, score_mode="concat", dropout=0.5), [(2, 4, 3), (2, 5, 3)]),
    "average pooling 1d": (lambda k: k.AveragePooling1D(2, padding="same"), [(1, 5, 2)]),
    "cropping 1d": (lambda k: k.Cropping1D((1, 2)), [(1, 5, 2)]),
    "dense with all": (
        lambda k: k.Dense(
            3, kernel_initializer=tf.keras.initializers.Constant(0.5), bias_initializer="ones", dtype="float64",
            kernel_regularizer=tf.keras.regularizers.L1L2(0.1, 0.2), activity_regularizer="l2", trainable=False,
            kernel_constraint=tf.keras.constraints.MaxNorm(1.5), bias_constraint="non_neg",
        ),
        [(2, 4)],
    ),
    "dropout": (lambda k: k.Dropout(0.5, noise_shape=(None, 1), seed=3), [(2, 4)]),
    "alpha dropout": (lambda k: k.AlphaDropout(0.5, [2, 1]), [(2, 4)]),
    "gaussian dropout": (lambda k: k.GaussianDropout(0.5), [(2, 4)]),
    "gaussian noise": (lambda k: k.GaussianNoise(0.5), [(2, 4)]),
    "global average 1d": (lambda k: k.GlobalAveragePooling1D(data_format="channels_first"), [(2, 4, 3)]),
    "global average 3d": (lambda k: k.GlobalAveragePooling3D(), [(2, 2, 2, 2, 3)]),
    "global max 2d": (lambda k: k.GlobalMaxPooling2D(keepdims=True), [(2, 2, 2, 3)]),
    "global max 3d": (lambda k: k.GlobalMaxPooling3D(), [(2, 2, 2, 2, 3)]),
    "identity": (lambda k: k.Identity(), [(2, 3)]),
    "initializers": (
        lambda k: k.Dense(
            2, kernel_initializer=tf.keras.initializers.VarianceScaling(2.0, "fan_out", "uniform", seed=1),
            bias_initializer=tf.keras.initializers.TruncatedNormal(0.5, seed=2),
        ),
        [(2, 3)],
    ),
    "masking": (lambda k: k.Masking(0.5), [(2, 4, 3)]),
    "max pooling 3d": (lambda k: k.MaxPooling3D(2, data_format="channels_first"), [(1, 2, 4, 4, 4)]),
    "maximum": (lambda k: k.Maximum(), [(2, 3), (2, 3)]),
    "minimum": (lambda k: k.Minimum(), [(2, 3), (2, 3)]),
    "multiply": (lambda k: k.Multiply(), [(2, 3), (2, 3)]),
    "normalization": (lambda k: k.Normalization(mean=[1.0, 2.0, 3.0], variance=2.0), [(2, 3)]),
    "normalization of all": (lambda k: k.Normalization(axis=None, mean=0.5, variance=2.0, invert=True), [(2, 3)]),
    "rescaling": (lambda k: k.Rescaling([1.0, 2.0], offset=0.5), [(3, 2)]),
    "spatial dropout 1d": (lambda k: k.SpatialDropout1D(0.5), [(2, 4, 3)]),
    "spatial dropout 2d": (lambda k: k.SpatialDropout2D(0.5, data_format="channels_first"), [(2, 4, 3, 3)]),
    "spatial dropout 3d": (lambda k: k.SpatialDropout3D(0.5, "channels_last", 3), [(1, 2, 2, 2, 3)]),
    "rnn of a cell": (lambda k: k.RNN(k.SimpleRNNCell(2, activation="relu"), return_state=True), [(2, 3, 2)]),
    "rnn with states": (lambda k: k.LSTM(2, stateful=True, dropout=0.5, return_state=True), [(2, 3, 2)]),
    "bidirectional of two": (
        lambda k: k.Bidirectional(k.GRU(2), backward_layer=k.LSTM(2, go_backwards=True), merge_mode="concat"),
        [(2, 3, 2)],
    ),
    "bidirectional of none": (lambda k: k.Bidirectional(k.GRU(2), merge_mode=None), [(2, 3, 2)]),
    "embedding with a mask": (lambda k: k.Embedding(5, 2, mask_zero=True), [words((2, 3))]),
    "time distributed nested": (lambda k: k.TimeDistributed(k.TimeDistributed(k.Dense(2))), [(2, 2, 2, 3)]),
    "additive attention": (lambda k: k.AdditiveAttention(dropout=0.5, seed=1), [(2, 3, 4), (2, 5, 4)]),
    "bins": (lambda k: k.Discretization([0.0, 0.5], output_mode="one_hot"), [(2, 3)]),
    "bins by number": (lambda k: adapted(k.Discretization(num_bins=3)), [(2, 3)]),
    "classes": (lambda k: k.CategoryEncoding(5, output_mode="count"), [words((2, 3))]),
    "words": (lambda k: adapted_to(k.StringLookup(output_mode="tf_idf", mask_token="")), [TEXTS]),
    "words back": (lambda k: k.StringLookup(vocabulary=["a", "b"], invert=True, num_oov_indices=2), [words((2, 3))]),
    "numbers": (lambda k: k.IntegerLookup(9, 2, 1, vocabulary=[2], oov_method="farmhash", salt=3), [words((2, 3))]),
    "texts": (lambda k: adapted_to(k.TextVectorization(output_sequence_length=3, ngrams=(1, 2))), [TEXTS[:, :1]]),
    "hashed": (lambda k: k.Hashing(7, "a", salt=[1, 2], output_mode="count", dtype="float64"), [TEXTS]),
    "resizing": (lambda k: k.Resizing(3, 4, "bicubic", antialias=True, pad_to_aspect_ratio=True), [(2, 5, 6, 1)]),
    "center crop": (lambda k: k.CenterCrop(3, 4, "channels_first"), [(2, 1, 5, 6)]),
    "random flip": (lambda k: k.RandomFlip("vertical", seed=3), [(2, 5, 6, 1)]),
    "random crop": (lambda k: k.RandomCrop(3, 4, seed=3), [(2, 5, 6, 1)]),
    "random translation": (lambda k: k.RandomTranslation(0.2, (0.1, 0.3), "wrap", "nearest", 3), [(2, 5, 6, 1)]),
    "random rotation": (lambda k: k.RandomRotation(0.2, "constant", seed=3, fill_value=2.0), [(2, 5, 6, 1)]),
    "random zoom": (lambda k: k.RandomZoom(0.2, seed=3), [(2, 5, 6, 1)]),
    "random contrast": (lambda k: k.RandomContrast(0.2, (0, 1), seed=3), [(2, 5, 6, 1)]),
    "random brightness": (lambda k: k.RandomBrightness((-0.1, 0.2), (0, 1), seed=3), [(2, 5, 6, 1)]),
    "upsampling 1d": (lambda k: k.UpSampling1D(3), [(1, 2, 2)]),
    "zero padding 1d": (lambda k: k.ZeroPadding1D((1, 2)), [(1, 2, 2)]),
    "zero padding 3d": (lambda k: k.ZeroPadding3D(1), [(1, 2, 2, 2, 1)]),
    "a model": (lambda k: tf.keras.Sequential([k.Dense(3), tf.keras.Sequential([k.Dense(2)])]), [(2, 4)]),
}  # fmt: skip


def adapted(layer):
    layer.adapt(waves((20,)))
    return layer


def adapted_to(layer):
    layer.adapt(TEXTS[:, :1])
    return layer


ALL = {**{name: row[:2] for name, row in LAYERS.items()}, **MORE}
APART = {"Layer", "InputLayer", "Lambda", "SimpleRNNCell", "GRUCell", "LSTMCell", "StackedRNNCells"}  # tried elsewhere


def made(name):
    make, shapes = ALL[name]
    inputs = [tf.constant(x if isinstance(x, np.ndarray) else waves(x, i)) for i, x in enumerate(shapes)]
    spread = name in SPREAD
    return make(L), inputs if spread else [inputs if len(inputs) > 1 else inputs[0]]


def values(structure):
    return [np.asarray(t) for t in tf.nest.flatten(structure)]


def same(found, wanted):
    found, wanted = values(found), values(wanted)
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", ALL)
def test_a_layer_from_its_configuration(name):
    layer, inputs = made(name)
    config = layer.get_config()
    again = type(layer).from_config(json.loads(json.dumps(config)))
    assert json.dumps(again.get_config()) == json.dumps(config)
    k.utils.set_random_seed(0)
    wanted = layer(*inputs)
    again(*inputs)
    again.set_weights(layer.get_weights())
    if getattr(layer, "stateful", False):
        layer.reset_states()
        again.reset_states()
        wanted = layer(*inputs)
    k.utils.set_random_seed(0)
    same(again(*inputs), wanted)
    assert [v.name for v in again.weights] == [v.name for v in layer.weights]
    assert [v.trainable for v in again.weights] == [v.trainable for v in layer.weights]
    assert [v.dtype for v in again.weights] == [v.dtype for v in layer.weights]
    if name != "a model":  # which knows its inputs then
        assert json.dumps(layer.get_config()) == json.dumps(config)  # being built changes nothing


@pytest.mark.parametrize("name", ALL)
def test_a_layer_in_a_file(name, tmp_path):
    layer, inputs = made(name)
    symbols = [k.Input(batch_shape=x.shape.as_list(), dtype=x.dtype) for x in tf.nest.flatten(inputs)]
    spread = symbols if name in SPREAD else [symbols if len(symbols) > 1 else symbols[0]]
    model = k.Model(symbols, layer(*spread))
    model.save(tmp_path / "model.keras")
    again = k.models.load_model(tmp_path / "model.keras")
    flat = tf.nest.flatten(inputs)
    same(again(flat), model(flat))
    if name != "a model":  # whose layers were built before it was placed
        assert [v.name for v in again.weights] == [v.name for v in model.weights]


def test_each_layer_is_among_these():
    known = {value for value in vars(L).values() if isinstance(value, type) and issubclass(value, L.Layer)}
    tried = {type(made(name)[0]) for name in ALL} | {getattr(L, name) for name in APART}
    assert known - tried == set()


def branched():
    a, b = k.Input((4,), name="a"), k.Input((4,), name="b")
    shared = L.Dense(3, activation="relu", name="shared")
    both = shared(a) + 2 * shared(b) - shared(shared.__class__(4, name="before")(a))
    return k.Model(
        {"a": a, "b": b}, {"part": L.Dense(2, name="part")(both[:, 1:]), "ratio": both[..., 0] / (abs(both[:, -1]) + 1)}
    )


@k.saving.register_keras_serializable("tests")
class Reader(k.Model):
    """A class of one's own, whose arguments are kept without being told."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.embed = L.Embedding(10, 4)
        self.steps = [L.LSTM(units, name="reads"), L.Dense(2)]

    def call(self, words, scale, training=None):
        for layer in (self.embed, *self.steps):
            words = layer(words)
        return words * scale


def test_a_model_of_inputs_and_outputs(tmp_path):
    model = branched()
    model.compile(
        k.optimizers.Adam(k.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)),
        loss={"part": "mse", "ratio": k.losses.Huber(2.0)}, loss_weights={"part": 1.0, "ratio": 0.5},
        metrics={"part": ["mae", k.metrics.RootMeanSquaredError()]}, steps_per_execution=2,
    )  # fmt: skip
    x = {"a": waves((8, 4)), "b": waves((8, 4), 1)}
    y = {"part": waves((8, 2)), "ratio": waves((8,))}
    model.fit(x, y, batch_size=2, verbose=0)
    model.save(tmp_path / "model.keras")
    again = k.models.load_model(tmp_path / "model.keras")
    same(again.predict(x, verbose=0), model.predict(x, verbose=0))
    assert int(again.optimizer.iterations) == 4 and again.steps_per_execution == 2
    wanted = model.fit(x, y, epochs=3, shuffle=False, verbose=0).history
    assert again.fit(x, y, epochs=3, shuffle=False, verbose=0).history == wanted
    same(again.get_weights(), model.get_weights())
    without = k.models.load_model(tmp_path / "model.keras", compile=False)
    assert not without.compiled


def test_a_class_of_ones_own(tmp_path):
    model = Reader(5, name="reader")
    words, scale = np.arange(6).reshape(2, 3), tf.constant(2.0)
    wanted = model(words, scale=scale)
    model.save(tmp_path / "model.keras")
    k.backend.clear_session()
    again = k.models.load_model(tmp_path / "model.keras")
    assert type(again) is Reader and again.get_config()["units"] == 5 and again.name == "reader"
    same(again(words, scale=scale), wanted)
    assert [v.name for v in again.weights] == [v.name for v in model.weights]


class Scaled(L.Layer):
    def __init__(self, factor=2.0, inner=None, **kwargs):
        super().__init__(**kwargs)
        self.factor, self.inner = factor, inner

    def call(self, inputs):
        return (inputs if self.inner is None else self.inner(inputs)) * self.factor


def halved(x):
    return x / 2


def squares(y, found):
    return tf.reduce_mean((y - found) ** 2, -1)


class Near(k.initializers.Initializer):
    def __init__(self, value):
        self.value = value

    def __call__(self, shape, dtype=None, **kwargs):
        return tf.fill(shape, tf.cast(self.value, dtype or "float32"))

    def get_config(self):
        return {"value": self.value}


def test_what_is_of_ones_own_is_told_by_name(tmp_path):
    model = k.Sequential([
        k.Input((3,)), Scaled(3.0, inner=L.Dense(2, activation=halved, kernel_initializer=Near(0.5))), L.Lambda(halved),
    ])  # fmt: skip
    model.compile("sgd", loss=squares, metrics=[squares])
    x, y = waves((4, 3)), waves((4, 2))
    model.fit(x, y, verbose=0)
    model.save(tmp_path / "model.keras")
    known = {"Scaled": Scaled, "halved": halved, "squares": squares, "Near": Near}
    for missing in known:
        some = {name: value for name, value in known.items() if name != missing}
        with pytest.raises(ValueError, match=f"'{missing}'"):
            k.models.load_model(tmp_path / "model.keras", custom_objects=some)
    again = k.models.load_model(tmp_path / "model.keras", custom_objects=known)
    with k.saving.custom_object_scope(known):
        third = k.models.load_model(tmp_path / "model.keras")
        from_text = k.models.model_from_json(model.to_json())
    from_text.set_weights(model.get_weights())
    for one in (again, third, from_text):
        same(one.predict(x, verbose=0), model.predict(x, verbose=0))
    assert again.evaluate(x, y, verbose=0) == model.evaluate(x, y, verbose=0)


def test_names_of_packages_keep_classes_apart():
    @k.saving.register_keras_serializable("one", "Same")
    class First(L.Layer):
        def call(self, inputs):
            return inputs + 1

    @k.saving.register_keras_serializable("two", "Same")
    class Second(L.Layer):
        def call(self, inputs):
            return inputs + 2

    for cls in (First, Second):
        config = L.serialize(cls())
        assert type(L.deserialize(json.loads(json.dumps(config)))) is cls
    assert k.saving.get_registered_object("one>Same") is First
    with pytest.raises(ValueError, match="it is for classes and functions"):
        k.saving.register_keras_serializable()(3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: k.optimizers.SGD(0.1, momentum=0.9, nesterov=True), lambda: k.optimizers.Adam(0.01, amsgrad=True),
        lambda: k.optimizers.AdamW(0.01, weight_decay=0.1), lambda: k.optimizers.RMSprop(0.01, centered=True),
        lambda: k.optimizers.Adagrad(0.1), lambda: k.optimizers.Lion(0.01),
        lambda: k.optimizers.SGD(0.1, use_ema=True, clipnorm=1.0),
        lambda: k.optimizers.Adam(0.01, gradient_accumulation_steps=2),
    ],
)  # fmt: skip
def test_training_goes_on_where_it_was(make, tmp_path):
    model = k.Sequential([k.Input((3,)), L.Dense(4, activation="tanh"), L.BatchNormalization(), L.Dense(1)])
    model.compile(make(), "mse")
    x, y = waves((8, 3)), waves((8, 1))
    model.fit(x, y, batch_size=4, verbose=0)
    model.save(tmp_path / "model.keras")
    again = k.models.load_model(tmp_path / "model.keras")
    for one in (model, again):
        one.fit(x, y, batch_size=4, epochs=3, shuffle=False, verbose=0)
    same(again.get_weights(), model.get_weights())
    same(again.optimizer.variables, model.optimizer.variables)


@pytest.mark.parametrize("kind", ["sequential", "functional"])
def test_what_is_frozen_stays_frozen(kind, tmp_path):
    inner = k.Sequential([k.Input((3,)), L.Dense(2, name="frozen"), L.Dense(2, name="free")])
    inner.get_layer("frozen").trainable = False
    inputs = k.Input((3,))
    model = k.Sequential([inner, L.Dense(1)]) if kind == "sequential" else k.Model(inputs, L.Dense(1)(inner(inputs)))
    model.compile("adam", "mse")
    x, y = waves((8, 3)), waves((8, 1))
    model.fit(x, y, verbose=0)
    model.save(tmp_path / "model.keras")
    again = k.models.load_model(tmp_path / "model.keras")
    assert len(again.trainable_variables) == len(model.trainable_variables) == 4
    for one in (model, again):
        one.fit(x, y, shuffle=False, verbose=0)
    same(again.get_weights(), model.get_weights())
    model.trainable = False
    assert type(model).from_config(model.get_config()).trainable_variables == []


def test_a_compile_of_ones_own_is_left_to_the_user(tmp_path):
    class Pair(k.Sequential):
        def compile(self, first, second):
            super().compile(first)
            self.second = second

        def get_config(self):
            return super().get_config()

    model = Pair([k.Input((2,)), L.Dense(1)])
    model.compile("sgd", 3)
    model.save(tmp_path / "model.keras")
    with pytest.warns(UserWarning, match="Pair has a compile"):
        again = k.models.load_model(tmp_path / "model.keras", custom_objects={"Pair": Pair})
    assert type(again) is Pair and not again.compiled


def test_copies_have_functions_as_they_are():
    model = k.Sequential([k.Input((2,)), L.Lambda(lambda x: x * 3), L.Dense(1, activation=lambda x: x + 1)])
    again = k.models.clone_model(model)
    again.set_weights(model.get_weights())
    same(again(tf.ones([2, 2])), model(tf.ones([2, 2])))
    with pytest.raises(ValueError, match="a function without a name"):
        model.to_json()


def test_copies_of_layers_by_a_function():
    def wider(layer):
        config = layer.get_config()
        return type(layer).from_config({**config, "units": config["units"] * 2})

    model = k.Sequential([k.Input((2,)), L.Dense(3), L.Dense(1)])
    assert k.models.clone_model(model, clone_function=wider).output_shape == (None, 2)
    a = k.Input((2,))
    shared = L.Dense(2)
    model = k.Model(a, [shared(shared(a)), shared(a)])
    again = k.models.clone_model(model, clone_function=lambda layer: type(layer).from_config(layer.get_config()))
    assert len(again.weights) == 2 and again.weights[0] is not model.weights[0]
    with pytest.raises(ValueError, match="it gives a layer"):
        k.models.clone_model(model, clone_function=lambda layer: None)
    with pytest.raises(ValueError, match="input_tensors"):
        k.models.clone_model(model, input_tensors=[a])


def saved(tmp_path):
    model = k.Sequential([k.Input((3,)), L.Dense(2)])
    model.save(tmp_path / "model.keras")
    return model


@pytest.mark.parametrize(
    "spoil, says",
    [
        (lambda data: b"", "is not a model, or is damaged: File is not a zip file"),
        (lambda data: data[: len(data) // 2], "is damaged: File is not a zip file"),
        (lambda data: data.replace(b"\x93NUMPY", b"\x93NUMPI", 1), "Bad CRC-32"),
        (lambda data: b"\x89HDF\r\n\x1a\n" + data, "is a file of HDF5"),
    ],
)
def test_files_that_are_none(tmp_path, spoil, says):
    saved(tmp_path)
    path = tmp_path / "model.keras"
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(ValueError, match=re.escape(says)) as error:
        k.models.load_model(path)
    assert repr(str(path)) in str(error.value)


def rewritten(path, **members):
    """The file with other members; None leaves one out."""
    with zipfile.ZipFile(path) as archive:
        known = {name: archive.read(name) for name in archive.namelist()}
    known.update({name.replace("_json", ".json"): value for name, value in members.items()})
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in known.items():
            if value is not None:
                archive.writestr(name, value)


def test_files_of_other_contents(tmp_path):
    saved(tmp_path)
    path = tmp_path / "model.keras"
    about = json.loads(zipfile.ZipFile(path).read("about.json"))
    for changed, says in (
        ({**about, "version": 99}, "a later version"),
        ({**about, "format": "else"}, "is not a model, as save() writes it. It has arrays alone"),
        (
            {**about, "model": {"class_name": "Dense", "module": "keras.layers", "config": {}}},
            "does not describe a model",
        ),
        ({**about, "model": 3}, "does not describe a model: it makes 3"),
        ([1], "where a dictionary stands"),
    ):
        rewritten(path, about_json=json.dumps(changed))
        with pytest.raises(ValueError, match=re.escape(says)):
            k.models.load_model(path)
    rewritten(path, about_json="{")
    with pytest.raises(ValueError, match="or is damaged"):
        k.models.load_model(path)
    np.savez(tmp_path / "objects.npz", a=np.array([print], object))
    with pytest.raises(ValueError, match="cannot be read as a file of weights: Object arrays cannot be loaded"):
        k.Sequential([k.Input((3,)), L.Dense(2)]).load_weights(tmp_path / "objects.npz")
    for error in (FileNotFoundError, ValueError):
        with pytest.raises(error, match="File not found"):
            k.models.load_model(tmp_path / "none.keras")
    with pytest.raises(ValueError, match="is a folder"):
        k.models.load_model(tmp_path)
    rewritten(tmp_path / "objects.npz", **{"model.weights.h5": b""})
    with pytest.raises(ValueError, match="was written by Keras"):
        k.models.load_model(tmp_path / "objects.npz")


def test_what_cannot_be_saved_leaves_no_file(tmp_path):
    model = k.Sequential([k.Input((3,)), L.Dense(2)])
    with pytest.raises(ValueError, match=re.escape("ends in '.keras'")):
        model.save(tmp_path / "model.h5")
    with pytest.raises(ValueError, match="which is not built"):
        k.Sequential([L.Dense(2)]).save(tmp_path / "model.keras")
    model.compile("sgd", loss=lambda y, found: found)
    with pytest.raises(ValueError, match="a function without a name"):
        model.save(tmp_path / "model.keras")
    model = k.Sequential([k.Input((3,)), Scaled(factor=1j)])
    with pytest.raises(TypeError, match=re.escape("1j is among what it was made or compiled with")):
        model.save(tmp_path / "model.keras")
    with pytest.raises(FileNotFoundError, match="cannot be written: there is no folder '.*none'"):
        k.Sequential([k.Input((3,)), L.Dense(2)]).save(tmp_path / "none" / "model.keras")
    assert os.listdir(tmp_path) == []


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    model = saved(tmp_path)
    path = tmp_path / "model.keras"
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        model.save(path, overwrite=False)
    monkeypatch.setattr(np.lib.format, "write_array", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model.save(path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["model.keras"]


def test_the_same_model_makes_the_same_file(tmp_path):
    model = saved(tmp_path)
    first = (tmp_path / "model.keras").read_bytes()
    model.save(tmp_path / "model.keras")
    assert (tmp_path / "model.keras").read_bytes() == first


def test_weights_alone(tmp_path):
    model = k.Sequential([k.Input((3,)), L.Dense(2, name="a"), L.Dense(2, name="b")])
    model.save_weights(tmp_path / "model.weights.npz")
    assert np.load(tmp_path / "model.weights.npz").files == [
        f"{number:05}/sequential/{name}" for number, name in enumerate(["a/kernel", "a/bias", "b/kernel", "b/bias"])
    ]
    again = k.models.clone_model(model)
    again.load_weights(tmp_path / "model.weights.npz")
    same(again.get_weights(), model.get_weights())
    model.save(tmp_path / "model.keras")
    other = k.models.clone_model(model)
    other.load_weights(tmp_path / "model.keras")
    same(other.get_weights(), model.get_weights())
    np.savez(tmp_path / "arrays.npz", *(w + 1 for w in model.get_weights()))
    other.load_weights(tmp_path / "arrays.npz")
    same(other.get_weights(), [w + 1 for w in model.get_weights()])
    head = k.Sequential([k.Input((3,)), L.Dense(2), L.Dense(5)])
    with pytest.warns(UserWarning, match="'sequential_1/dense_1/kernel', 'sequential_1/dense_1/bias' stay as they are"):
        head.load_weights(tmp_path / "model.keras", skip_mismatch=True)
    same(head.get_weights()[:2], model.get_weights()[:2])


def test_texts_in_archives(tmp_path):
    given = {"words": np.array([[b"a", b"\x00\xff"], [b"", b"long " * 9]], object), "numbers": np.arange(3)}
    archives.write(tmp_path / "some.npz", {"a": 1}, given)
    about, arrays = archives.read(tmp_path / "some.npz", "some")
    assert about == {"a": 1} and arrays["words"].tolist() == given["words"].tolist()
    np.testing.assert_array_equal(arrays["numbers"], given["numbers"])
