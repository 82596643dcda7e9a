"""Layers and models as users make them: what is told, what is kept, and what is said of what does not fit."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf

k = tf.keras
L = k.layers


@pytest.fixture(autouse=True)
def from_the_beginning():
    k.backend.clear_session()
    k.utils.set_random_seed(0)


class Scaled(L.Layer):
    def __init__(self, units, factor=2.0, **kwargs):
        super().__init__(**kwargs)
        self.units, self.factor = units, factor
        self.dense = L.Dense(units)

    def call(self, inputs, training=None):
        if training:
            return self.dense(inputs) * self.factor
        return self.dense(inputs)


class Net(k.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Scaled(4), Scaled(3)]
        self.heads = {"b": L.Dense(2), "a": L.Dense(1)}

    def call(self, inputs):
        for block in self.blocks:
            inputs = block(inputs)
        return {name: head(inputs) for name, head in self.heads.items()}


# What is done, the error, and what it says.
REFUSED = [
    (lambda: L.Dense(0), ValueError, "Dense with units=0: it is a whole number of at least 1"),
    (lambda: L.Dense(2, activation="rellu"), ValueError, "'rellu'. Did you mean 'relu'"),
    (lambda: L.Dense(2, actvation="relu"), ValueError, "'actvation'. Did you mean 'activation'"),
    (lambda: L.Dense(2, kernel_initializer="glorot"), ValueError, "Did you mean 'glorot"),
    (lambda: L.Dense(2)(tf.ones([3])), ValueError, "expected min_ndim=2, found ndim=1"),
    (lambda: built(L.Dense(2), 3)(tf.ones([1, 4])), ValueError, "expected axis -1 of input shape to have value 3, but"),
    (lambda: L.Dense(2)(k.Input((None,))), ValueError, "axis -1 of its inputs, which is not known"),
    (lambda: L.Dense(2).count_params(), ValueError, "'dense', which is not built"),
    (lambda: L.Dense(2).kernel, AttributeError, "The layer 'dense' is not built yet"),
    (lambda: L.Dense(2).set_weights([np.ones(2)]), ValueError, "and it has 0: none. It is not built"),
    (lambda: built(L.Dense(2), 3).set_weights([np.ones([2, 2]), np.ones(2)]), ValueError, "has shape (3, 2), and"),
    (lambda: L.Conv2D(2, 3)(tf.ones([4, 4, 1])), ValueError, "expected ndim=4, found ndim=3"),
    (lambda: L.Conv2D(2, 3, padding="full"), ValueError, "padding='full': it is one of valid, same"),
    (lambda: L.Conv2D(2, (3, 3, 3)), ValueError, "kernel_size=(3, 3, 3)"),
    (lambda: L.Conv2D(2, 3, strides=2, dilation_rate=2), ValueError, "one of them must be 1"),
    (lambda: L.Conv2D(3, 3, groups=2), ValueError, "filters=3 and groups=2: they do not divide"),
    (lambda: L.Conv2D(2, 5)(tf.ones([1, 3, 3, 1])), ValueError, "window"),
    (lambda: L.GroupNormalization(3)(tf.ones([2, 4])), ValueError, "has 3 groups, which do not divide 4 channels"),
    (lambda: L.GroupNormalization(8)(tf.ones([2, 4])), ValueError, "has 8 groups, which do not divide 4 channels"),
    (lambda: L.GroupNormalization(0)(tf.ones([2, 4])), ValueError, "has 0 groups, which do not divide 4 channels"),
    (lambda: L.GroupNormalization(-2)(tf.ones([2, 4])), ValueError, "has -2 groups, which do not divide 4 channels"),
    (lambda: L.GroupNormalization(-1)(tf.ones([2, 0])), ValueError, "has -1 groups, which do not divide 0 channels"),
    (lambda: L.Dropout(1.5), ValueError, "rate=1.5: it is a number from 0 to 1"),
    (lambda: L.Reshape((5,))(tf.ones([2, 4])), ValueError, "4 elements do not go into 5"),
    (lambda: L.Add()(tf.ones([2, 3])), ValueError, "it was called with one tensor"),
    (lambda: L.Concatenate()([tf.ones([2, 3]), tf.ones([1, 3])]), ValueError, "which differ along others"),
    (lambda: L.MultiHeadAttention(2, 3)(tf.ones([2, 3]), tf.ones([2, 3])), ValueError, "[batch, time, features]"),
    (lambda: L.RNN(L.Dense(2)), ValueError, "a cell has a method call(inputs, states)"),
    (lambda: L.GRU(2, stateful=True)(k.Input((3, 2))), ValueError, "the size of its batches must be known"),
    (lambda: tf.sin(k.Input((3,))), TypeError, "keras.layers.Lambda"),
    (lambda: [1 for _ in k.Input((3,))], TypeError, "take parts of it"),
    (lambda: k.Input(3), ValueError, "it is a tuple, as (3,)"),
    (lambda: k.Sequential([lambda x: x]), ValueError, "keras.layers.Lambda(function)"),
    (lambda: k.Sequential([L.Flatten(name="a"), L.Flatten(name="a")]), ValueError, "a layer named 'a' already"),
    (lambda: k.Sequential().build((None, 2)), ValueError, "has no layers"),
    (lambda: k.Model(k.Input((2,)), L.Dense(1)(k.Input((2,)))), ValueError, "disconnected"),
    (lambda: k.Model(k.Input((2,)), 3), ValueError, "outputs=3"),
    (lambda: two()(tf.ones([1, 2])), ValueError, "has 2 inputs, ['a', 'b']; it was called with 1"),
    (lambda: two()({"a": tf.ones([1, 2])}), ValueError, "it was called without 'b'"),
    (lambda: two()([tf.ones([1, 2]), tf.ones([1, 5])]), ValueError, "expected shape=(None, 3), found shape=(1, 5)"),
    (lambda: dense().fit(np.ones([2, 3]), np.ones([2, 1])), ValueError, "which is not compiled"),
    (lambda: trained().fit(np.ones([2, 3]), np.ones([3, 1])), ValueError, "whose first sizes differ"),
    (lambda: trained().fit(np.ones([2, 5]), np.ones([2, 1]), verbose=0), ValueError, "found shape=(2, 5)"),
    (lambda: trained().fit(np.ones([2, 3]), verbose=0), ValueError, "there are none: give y"),
    (lambda: trained().fit(np.ones([0, 3]), np.ones([0, 1])), ValueError, "the arrays are empty"),
    (lambda: trained().fit(np.ones([4, 3]), np.ones([4, 1]), validation_split=2), ValueError, "between 0 and 1"),
    (lambda: trained().fit(batches(), np.ones([4, 1])), ValueError, "it gives the targets"),
    (lambda: trained().fit(batches().repeat(), verbose=0), ValueError, "say steps_per_epoch"),
    (lambda: trained().fit(np.ones([4, 3]), np.ones([4, 1]), callbacks=[print]), ValueError, "print"),
    (lambda: trained(loss="mes"), ValueError, "Did you mean 'mse'"),
    (lambda: trained(optimizer="adm"), ValueError, "Did you mean 'Adam'"),
    (lambda: L.Layer()(1), NotImplementedError, "write def call(self, inputs)"),
    (lambda: k.datasets.mnist.load_data(), NotImplementedError, "keras.datasets.digits"),
    (lambda: k.utils.to_categorical([3], 2), ValueError, "from 3 to 3, with 2 classes"),
    (lambda: Unready(), RuntimeError, "before its __init__() has called super().__init__()"),
]  # fmt: skip


class Unready(L.Layer):
    def __init__(self):
        self.label = self.name


def built(layer, *sizes):
    layer.build((None, *sizes))
    return layer


def dense():
    return k.Sequential([k.Input((3,)), L.Dense(1)])


def trained(optimizer="sgd", loss="mse"):
    model = dense()
    model.compile(optimizer=optimizer, loss=loss)
    return model


def two():
    a, b = k.Input((2,), name="a"), k.Input((3,), name="b")
    return k.Model([a, b], L.Concatenate()([a, b]))


def batches(count=2):
    return tf.data.Dataset.from_tensor_slices((np.ones([8, 3], "f4"), np.ones([8, 1], "f4"))).batch(8 // count)


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_refused_says_why(number):
    act, error, says = REFUSED[number]
    with pytest.raises(error, match=re.escape(says)):
        act()


def test_a_layer_made_in_a_function_is_refused_as_a_variable_is():
    with pytest.raises(ValueError, match="ariable"):
        tf.function(lambda x: L.Dense(2)(x))(tf.ones([1, 2]))


def test_names_and_weights_of_nested_layers():
    net = Net()
    net(tf.ones([2, 5]))
    assert [v.path for v in net.variables] == [
        "net/scaled/dense/kernel", "net/scaled/dense/bias", "net/scaled_1/dense_1/kernel",
        "net/scaled_1/dense_1/bias", "net/dense_3/kernel", "net/dense_3/bias", "net/dense_2/kernel",
        "net/dense_2/bias",
    ]  # fmt: skip
    assert [v.name for v in net.variables] == ["kernel", "bias"] * 4
    dense = net.blocks[0].variables
    assert repr(dense[1]).startswith("<Variable path=net/scaled/dense/bias, shape=(") and "value=[" in repr(dense[1])
    assert [type(layer).__name__ for layer in net.layers] == ["Scaled", "Scaled", "Dense", "Dense"]
    assert len(net.submodules) == 6 and isinstance(net, tf.Module)
    net.blocks[0].trainable = False
    assert len(net.trainable_variables) == 6 and len(net.non_trainable_variables) == 2
    net.blocks[0].trainable = True
    assert len(net.trainable_variables) == 8


def test_training_reaches_the_layers_inside():
    layer = Scaled(2)
    x = tf.ones([1, 3])
    plain = layer(x)
    np.testing.assert_allclose(layer(x, training=True), plain * 2)
    model = k.Sequential([layer])
    np.testing.assert_allclose(model(x, training=True), plain * 2)
    np.testing.assert_allclose(tf.function(lambda x: model(x, training=True))(x), plain * 2)
    np.testing.assert_allclose(model(x), plain)


def test_a_step_by_hand_makes_weights_and_slots_on_its_first_call():
    net, optimizer, traced = Net(), k.optimizers.Adam(0.01), []

    @tf.function
    def step(x):
        traced.append(1)
        with tf.GradientTape() as tape:
            outputs = net(x, training=True)
            loss = tf.reduce_mean(outputs["a"] ** 2) + tf.reduce_mean(outputs["b"] ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss

    losses = [float(step(tf.ones([4, 5]))) for _ in range(40)]
    assert losses[-1] < losses[0] / 4 and int(optimizer.iterations) == 40
    assert len(traced) <= 2  # again, as weights are made in the first one


def test_weights_are_made_within_a_loop_of_a_graph():
    net, optimizer = Net(), k.optimizers.SGD(0.01)

    @tf.function
    def train(x, steps):
        loss = 0.0
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((net(x)["a"] - 1.0) ** 2)
            weights = [v for v in net.trainable_variables if "dense_2" not in v.name]
            gradients = tape.gradient(loss, weights, unconnected_gradients="zero")
            optimizer.apply_gradients(zip(gradients, weights))
        return loss

    assert train(tf.ones([4, 5]) / 5, tf.constant(200)) < 0.05 and len(net.weights) == 8


def test_a_configuration_makes_the_same_layer_again():
    layer = Scaled(3, factor=5.0, name="mine")
    assert {k: v for k, v in layer.get_config().items() if k in ("units", "factor", "name")} == {
        "units": 3, "factor": 5.0, "name": "mine"
    }  # fmt: skip
    assert Scaled.from_config(layer.get_config()).factor == 5.0
    made = [
        L.Conv2D(3, (2, 1), activation="relu", kernel_regularizer="l2"), L.LSTM(4, return_sequences=True),
        L.Bidirectional(L.GRU(3), merge_mode="sum"), L.TimeDistributed(L.Dense(2)), L.BatchNormalization(momentum=0.5),
        L.MultiHeadAttention(2, 3), L.Embedding(4, 3, mask_zero=True), L.RNN(L.StackedRNNCells([L.GRUCell(2)])),
        L.LayerNormalization(axis=[1]), L.SpatialDropout1D(0.5), L.Rescaling(2.0), L.Conv2DTranspose(2, 3),
        L.SeparableConv2D(2, 3), L.DepthwiseConv2D(3), L.EinsumDense("ab,bc->ac", 4), L.Normalization(),
        L.MaxPooling2D(3, padding="same"), L.ZeroPadding2D(((1, 2), (0, 0))), L.Softmax(axis=1), L.PReLU(),
    ]  # fmt: skip
    for one in made:
        config = json.loads(json.dumps(L.serialize(one)))
        other = L.deserialize(config)
        assert type(other) is type(one) and json.dumps(L.serialize(other)) == json.dumps(L.serialize(one))


@pytest.mark.parametrize("data_format", ["channels_last", "channels_first"])
@pytest.mark.parametrize("kind", [L.SpatialDropout1D, L.SpatialDropout2D, L.SpatialDropout3D])
def test_spatial_dropout_drops_whole_channels(kind, data_format):
    if kind is L.SpatialDropout1D:
        layer, axis, rank = kind(0.5, seed=2), -1, 1
    else:
        layer, axis, rank = (
            kind(0.5, data_format, seed=2),
            -1 if data_format == "channels_last" else 1,
            int(kind.__name__[-2]),
        )
    x = np.ones([3, *[4] * rank, 4], np.float32)
    y = np.moveaxis(layer(x, training=True).numpy(), axis, 1)
    assert y.shape == (3, 4, *[4] * rank)
    channels = y.reshape(12, -1)
    assert (channels == channels[:, :1]).all() and {*channels[:, 0].tolist()} == {0.0, 2.0}
    assert (layer(x).numpy() == 1).all()


class Reading(L.LSTM):
    def __init__(self, units, more=1, **kwargs):
        super().__init__(units, **kwargs)
        self.more = more


class Handing(L.Dense):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


class Telling(L.Dense):
    def __init__(self, units, *, doubled=False, **kwargs):
        self.factor = kwargs.pop("factor", 3)
        super().__init__(units * 2 if doubled else units, **kwargs)

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


@pytest.mark.parametrize("made, wanted", [
    (lambda: Reading(3, activation="relu", more=2, zero_output_for_mask=True, activity_regularizer="l2",
                     autocast=False),
     {"units": 3, "activation": "relu", "more": 2, "zero_output_for_mask": True, "autocast": False}),
    (lambda: Handing(3, "relu", name="last"), {"units": 3, "activation": "relu", "name": "last"}),
    (lambda: Telling(3, factor=4, activity_regularizer="l1"), {"units": 3, "factor": 4}),
    (lambda: L.LSTM(2, zero_output_for_mask=True), {"zero_output_for_mask": True}),
    (lambda: L.EinsumDense("ab,bc->ac", 4, activity_regularizer="l2"), {"equation": "ab,bc->ac"}),
    (lambda: L.MaxPooling2D(3, input_shape=(8, 8, 1)), {"pool_size": (3, 3)}),
])  # fmt: skip
def test_options_that_a_class_hands_on_are_in_its_configuration(made, wanted):
    layer = made()
    config = layer.get_config()
    assert {name: config[name] for name in wanted} == wanted
    again = type(layer).from_config(config)
    assert again.get_config() == config
    assert (again.activity_regularizer is None) == (layer.activity_regularizer is None)


def test_both_directions_are_what_the_layer_is():
    both = L.Bidirectional(Reading(3, activation="relu", recurrent_activation="tanh"))
    for one in (both.forward_layer, both.backward_layer):
        assert type(one) is Reading and one.get_config()["recurrent_activation"] == "tanh"
        assert one.get_config()["activation"] == "relu"


class Counting(L.Layer):
    """A layer that assigns to its weight where it makes it."""

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1],), name="w")
        self.w.assign(tf.range(input_shape[-1], dtype=tf.float32))

    def call(self, inputs):
        return inputs * self.w


class Outer(k.Model):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def call(self, inputs):
        return self.inner(inputs)


TABLE = np.float32([[5.0, 1.0], [7.0, 2.0], [9.0, 3.0]])


@pytest.mark.parametrize("within", ["at once", "symbols", "model of symbols", "build", "output shape", "map_fn"])
@pytest.mark.parametrize("make, inputs", [
    (Counting, np.ones((2, 3), np.float32)),
    (lambda: Outer(Counting()), np.ones((2, 3), np.float32)),
    (lambda: L.Normalization(mean=[1.0, 2.0, 3.0], variance=4.0), np.ones((2, 3), np.float32)),
    (lambda: L.Embedding(3, 2, weights=TABLE), np.int32([[0, 2], [1, 1]])),
    (lambda: L.Bidirectional(L.SimpleRNN(1), weights=[np.full(s, 0.1) for s in [(2, 1), (1, 1), (1,)] * 2]),
     np.ones((2, 3, 2), np.float32)),
])  # fmt: skip
def test_values_that_build_gives_to_weights_stay_whatever_builds(make, inputs, within):
    layer, shape = make(), (None, *inputs.shape[1:])
    if within == "symbols":
        layer(k.Input(shape[1:], dtype=inputs.dtype))
    elif within == "model of symbols":
        layer = k.Sequential([k.Input(shape[1:], dtype=inputs.dtype), layer])
    elif within == "build":
        layer.build(shape)
    elif within == "output shape":
        layer.compute_output_shape(shape)
    elif within == "map_fn":
        tf.map_fn(lambda x: layer(x[None])[0], tf.constant(inputs), fn_output_signature=tf.float32)
    np.testing.assert_allclose(layer(inputs), make()(inputs))


def test_a_layer_that_is_given_mean_and_variance_has_no_weights():
    layer = L.Normalization(mean=1.0, variance=[4.0, 1.0, 0.25])
    assert tf.function(layer)(np.ones((2, 3))).shape == layer(np.ones((2, 3))).shape and layer.weights == []
    with pytest.raises(ValueError, match="was given mean and variance"):
        layer.adapt(np.ones((2, 3)))


def test_asking_for_shapes_leaves_losses_alone():
    inner = L.Dense(2, activity_regularizer="l2")
    model = k.Sequential([inner, L.ActivityRegularization(0.5)])
    model(np.ones((3, 2)))
    wanted = [float(loss) for loss in model.losses]
    assert len(wanted) == 2
    for _ in range(2):
        model.compute_output_shape((None, 2)), inner.compute_output_shape((None, 2))
        assert [float(loss) for loss in model.losses] == wanted
    model(np.ones((3, 2)))
    assert [float(loss) for loss in model.losses] == wanted


def test_models_are_made_again_from_their_configurations(tmp_path):
    inputs = k.Input((4,), name="x")
    h = L.Dense(3, activation="relu", name="h")(inputs)
    model = k.Model({"x": inputs}, {"y": L.Add()([h, L.Activation("tanh")(h)]), "h": h})
    other = k.models.model_from_json(model.to_json())
    model.save_weights(tmp_path / "weights.npz")
    other.load_weights(tmp_path / "weights.npz")
    x = {"x": np.random.default_rng(0).normal(size=(3, 4))}
    for name, value in model.predict(x, verbose=0).items():
        np.testing.assert_array_equal(other.predict(x, verbose=0)[name], value)
    with pytest.raises(FileExistsError):
        model.save_weights(tmp_path / "weights.npz", overwrite=False)
    with pytest.raises(ValueError, match="2 arrays were given, and it has 4"):
        k.Sequential([k.Input((4,)), L.Dense(3), L.Dense(2)]).load_weights(tmp_path / "weights.npz")


def test_masks_stop_recurrent_layers_where_sequences_end():
    model = k.Sequential([L.Embedding(5, 3, mask_zero=True), L.Bidirectional(L.LSTM(4)), L.Dense(2)])
    short = tf.constant([[1, 2, 3]])
    long = tf.constant([[1, 2, 3, 0, 0]])
    np.testing.assert_allclose(model(short), model(long), atol=1e-6)
    graph = tf.function(lambda x: model(x))
    np.testing.assert_allclose(graph(short), graph(long), atol=1e-6)
    unknown = graph.get_concrete_function(tf.TensorSpec([None, None], tf.int32))
    np.testing.assert_allclose(unknown(short), unknown(long), atol=1e-6)


class Padded(L.Layer):
    """Whole numbers as floats; zeros do not count."""

    def compute_mask(self, inputs, mask=None):
        return tf.not_equal(inputs, 0)

    def call(self, inputs):
        return tf.cast(inputs, tf.float32)[..., None]


class Declared(Padded):
    supports_masking = True


class Silent(Padded):
    supports_masking = False


@pytest.mark.parametrize("layer, mean", [(Padded, 3.0), (Declared, 3.0), (Silent, 1.5)])
def test_a_mask_of_ones_own_reaches_the_next_layer(layer, mean):
    x = tf.constant([[4, 2, 0, 0]])
    assert L.GlobalAveragePooling1D()(layer()(x)).numpy() == [[mean]]
    model = k.Sequential([k.Input((4,), dtype="int32"), layer(), L.GlobalAveragePooling1D()])
    assert model(x).numpy() == [[mean]]
    assert model.predict(x, verbose=0) == [[mean]]


class Weighted(L.Layer):
    """Steps that do not count become zeros; it asks for a mask."""

    def call(self, inputs, mask=None):
        assert mask is not None and mask.shape.rank == 2
        return inputs * tf.cast(mask, inputs.dtype)[..., None]


class Added(L.Layer):
    def call(self, x, y, x_mask=None, y_mask=None):
        assert x_mask is not None and y_mask is None
        return x + y


def test_a_mask_is_there_while_a_model_is_put_together():
    i = k.Input((4,))
    embedded = L.Embedding(5, 3, mask_zero=True)
    inner = k.Model(i, embedded(i))
    for y in (embedded(i), L.Dropout(0.5)(embedded(i)), L.LSTM(3, return_sequences=True)(embedded(i)), inner(i)):
        model = k.Model(i, Weighted()(y))
        assert not model.predict([[1, 2, 0, 0]], verbose=0)[0, 2:].any()
    k.Model(i, Added()(embedded(i), L.Dense(3)(i)[:, None]))
    assert k.Sequential([k.Input((4,)), embedded, Weighted()]).output_shape == (None, 4, 3)
    with pytest.raises(AssertionError):
        Weighted()(L.Dense(3)(i))


def test_a_program_asks_for_a_mask_sets_and_deletes_it():
    layer = L.Embedding(5, 3, mask_zero=True)

    def f(x):
        y = layer(x)
        mask = y._keras_mask
        del y._keras_mask
        try:
            del y._keras_mask
        except AttributeError:
            y = y + 1.0
        z = L.GlobalAveragePooling1D()(y)
        y._keras_mask = mask
        return mask, z, L.GlobalAveragePooling1D()(y)

    x = tf.constant([[1, 2, 0, 0]])
    for mask, whole, masked in (f(x), tf.function(f)(x)):
        assert mask.numpy().tolist() == [[True, True, False, False]]
        np.testing.assert_allclose(whole, layer.embeddings.numpy()[[1, 2, 0, 0]].mean(0, keepdims=True) + 1, atol=1e-6)
        np.testing.assert_allclose(masked, layer.embeddings.numpy()[[1, 2]].mean(0, keepdims=True) + 1, atol=1e-6)
    assert not hasattr(tf.constant(1.0), "_keras_mask")


@pytest.mark.parametrize(
    "call",
    [
        lambda x: L.Dropout(0.5)(inputs=x), lambda x: L.LayerNormalization()(inputs=x),
        lambda x: L.MultiHeadAttention(1, 2)(query=x, value=tf.identity(x)), lambda x: L.Activation("relu")(inputs=x),
    ],
)  # fmt: skip
def test_masks_are_handed_on_by_calls_with_names(call):
    x = L.Embedding(5, 3, mask_zero=True)(tf.constant([[1, 2, 0, 0]]))
    assert call(x)._keras_mask.numpy().tolist() == [[True, True, False, False]]


@pytest.mark.parametrize("axes, shape", [(None, [2, 3]), ((1, 2), [2, 3, 2])])
def test_what_attends_to_nothing_has_weights_of_0(axes, shape):
    layer = L.MultiHeadAttention(1, 2, attention_axes=axes)
    x = tf.ones([*shape, 4])
    mask = np.ones([2, *shape[1:], *shape[1:]], bool)
    mask[0, 0] = False
    y, weights = layer(x, x, attention_mask=tf.constant(mask), return_attention_scores=True)
    assert not weights[0, 0, 0].numpy().any() and not y[0, 0].numpy().any()
    keys = [*range(-len(shape) + 1, 0)]
    sums = tf.reduce_sum(weights, keys).numpy()
    np.testing.assert_allclose(sums[:, 0], mask.any(tuple(keys)), rtol=1e-6)


@pytest.mark.parametrize("options, shape, mean", [({}, [3, 4], True), ({"dropout": 0.5}, [3, 4], False),
                                                  ({"attention_axes": (1, 2)}, [3, 2, 4], False)])  # fmt: skip
def test_what_attends_to_nothing_gives_what_keras_gives(options, shape, mean):
    layer = L.MultiHeadAttention(1, 2, **options)
    x = tf.constant(np.random.default_rng(0).normal(size=[1, *shape]).astype("f4"))
    layer(x, x)
    nothing = layer(x, x, attention_mask=tf.zeros([1, *shape[:-1], *shape[:-1]], tf.bool))
    values = tf.reduce_mean(layer.value_dense(x), 1, keepdims=True)
    wanted = layer.output_dense(tf.broadcast_to(values, [1, shape[0], 1, 2])) if mean else tf.zeros_like(nothing)
    np.testing.assert_allclose(nothing, wanted, atol=1e-6)


@pytest.mark.parametrize("merge_mode, count", [("concat", 5), (None, 6)])
def test_states_of_both_directions_are_a_tuple(merge_mode, count):
    made = L.Bidirectional(L.LSTM(2, return_state=True), merge_mode)(tf.ones([1, 3, 2]))
    assert type(made) is tuple and len(made) == count
    assert type(L.Bidirectional(L.LSTM(2), None)(tf.ones([1, 3, 2]))) is tuple


def test_states_last_from_batch_to_batch():
    layer = L.GRU(3, stateful=True, return_sequences=True)
    x = tf.constant(np.random.default_rng(0).normal(size=(2, 6, 2)).astype("f4"))
    whole = layer(x).numpy()
    layer.reset_states()
    parts = np.concatenate([layer(x[:, :4]), layer(x[:, 4:])], 1)
    np.testing.assert_allclose(parts, whole, atol=1e-6)


@pytest.mark.parametrize("default", [None, False, True])
def test_who_is_told_nothing_of_training_gets_the_default_of_call(default):
    told = []

    class Told(L.Layer):
        def call(self, inputs, training=default):
            told.append(training)
            return inputs

    layer, x = Told(), tf.ones([1, 2])
    model = k.Sequential([layer])
    model(x)  # which builds it
    told.clear()
    layer(x)
    layer(x, training=not default)
    model(x)
    model(x, training=False)
    assert told == [default, not default, default, False]


def test_dropout_in_training_only():
    layer = L.LSTM(4, dropout=0.5, recurrent_dropout=0.5)
    x = tf.ones([2, 3, 5])
    np.testing.assert_array_equal(layer(x), layer(x))
    assert not np.array_equal(layer(x, training=True), layer(x, training=True))


def test_losses_of_layers_are_minimized():
    class Kept(L.Layer):
        def call(self, inputs):
            self.add_loss(tf.reduce_sum(inputs**2))
            return inputs

    model = k.Sequential([k.Input((3,)), L.Dense(2, kernel_regularizer="l2"), Kept()])
    assert len(model(tf.ones([1, 3])) * 0 + 1) == 1 and len(model.losses) == 2
    model(tf.ones([1, 3]))
    assert len(model.losses) == 2  # those of the last call
    model.compile(optimizer=k.optimizers.SGD(0.01))
    history = model.fit(np.ones([8, 3]), epochs=5, verbose=0).history["loss"]
    assert history[-1] < history[0]


def test_a_step_of_ones_own_trains():
    class Own(k.Sequential):
        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
            weights = self.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            return {"mine": loss}

    model = Own([L.Dense(1)])
    model.compile(optimizer=k.optimizers.SGD(0.1))
    history = model.fit(np.ones([8, 3]), np.ones([8, 1]), epochs=5, verbose=0).history
    assert [*history] == ["mine"] and history["mine"][-1] < history["mine"][0]


def test_inputs_alone_are_what_a_step_gets():
    class Encoded(k.Model):
        def __init__(self):
            super().__init__()
            self.narrow, self.wide = L.Dense(2), L.Dense(4)
            self.mean = k.metrics.Mean(name="loss")

        @property
        def metrics(self):
            return [self.mean]

        def call(self, inputs):
            return self.wide(self.narrow(inputs))

        def train_step(self, data):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self(data) - data) ** 2)
            weights = self.trainable_weights
            self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            self.mean.update_state(loss)
            return {"loss": self.mean.result()}

    model = Encoded()
    model.compile(optimizer=k.optimizers.Adam(0.05))
    losses = model.fit(np.random.default_rng(0).normal(size=(40, 4)), epochs=20, verbose=0).history["loss"]
    assert losses[-1] < losses[0] * 0.8


@pytest.mark.parametrize(
    "options", [{}, {"run_eagerly": True}, {"steps_per_execution": 3}, {"jit_compile": False}], ids=str
)
def test_all_ways_to_train_give_the_same(options):
    def run(**options):
        k.utils.set_random_seed(3)
        model = k.Sequential([k.Input((3,)), L.Dense(4, activation="tanh"), L.Dense(1)])
        model.compile(optimizer="adam", loss="mse", metrics=["mae"], **options)
        x = np.random.default_rng(0).normal(size=(22, 3))
        return model.fit(x, x[:, :1], epochs=3, batch_size=4, verbose=0).history

    found, wanted = run(**options), run()
    for name in wanted:
        np.testing.assert_allclose(found[name], wanted[name], rtol=1e-4)


def test_datasets_and_arrays_train_alike():
    x = np.random.default_rng(0).normal(size=(10, 3)).astype("f4")
    y = x[:, :1]
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
    histories = []
    for args, options in (((x, y), {"batch_size": 4}), ((data,), {}), ((data.repeat(),), {"steps_per_epoch": 3})):
        k.utils.set_random_seed(3)
        model = trained()
        histories.append(model.fit(*args, epochs=2, shuffle=False, verbose=0, **options).history["loss"])
    np.testing.assert_allclose(histories[1], histories[0], rtol=1e-5)
    np.testing.assert_allclose(histories[2], histories[0], rtol=1e-5)
    with pytest.warns(UserWarning, match="the data ended after 3 of 5 batches"):
        trained().fit(data, steps_per_epoch=5, verbose=0)


def test_a_frozen_layer_stays_as_it_is():
    model = k.Sequential([k.Input((3,)), L.Dense(2), L.Dense(1)])
    model.compile(optimizer=k.optimizers.SGD(0.1), loss="mse")
    x, y = np.ones([4, 3]), np.zeros([4, 1])
    model.fit(x, y, verbose=0)
    model.layers[0].trainable = False
    model.compile(optimizer=k.optimizers.SGD(0.1), loss="mse")
    before = [w.copy() for w in model.get_weights()]
    model.fit(x, y, verbose=0)
    after = model.get_weights()
    np.testing.assert_array_equal(after[0], before[0])
    assert not np.array_equal(after[2], before[2])


def test_callbacks_stop_training():
    model = trained()
    stop = k.callbacks.EarlyStopping(monitor="loss", min_delta=10.0, patience=1)
    history = model.fit(np.ones([4, 3]), np.zeros([4, 1]), epochs=20, verbose=0, callbacks=[stop])
    assert 1 < len(history.epoch) < 5


def test_what_fit_prints(capsys):
    model = trained()
    model.fit(np.ones([8, 3]), np.zeros([8, 1]), epochs=2, batch_size=4, verbose=2, validation_split=0.5)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Epoch 1/2" and lines[2] == "Epoch 2/2"
    assert re.fullmatch(r"1/1 - \d+s - \d+(s|ms|us)/step - loss: \d+\.\d{4} - val_loss: \d+\.\d{4}", lines[1])
    model.fit(np.ones([8, 3]), np.zeros([8, 1]), verbose=1)
    assert "1/1 ━━━━━━━━━━━━━━━━━━━━ 0s " in capsys.readouterr().out
    model.fit(np.ones([8, 3]), np.zeros([8, 1]), verbose=0)
    assert capsys.readouterr().out == ""


def test_the_summary_of_a_model_with_branches(capsys):
    a, b = k.Input((2,), name="a"), k.Input((3,), name="b")
    k.Model([a, b], L.Dense(2)(L.Concatenate()([a, b])), name="both").summary()
    assert capsys.readouterr().out.splitlines() == [
        'Model: "both"',
        "┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓",
        "┃ Layer (type)        ┃ Output Shape      ┃    Param # ┃ Connected to      ┃",
        "┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩",
        "│ a (InputLayer)      │ (None, 2)         │          0 │ -                 │",
        "├─────────────────────┼───────────────────┼────────────┼───────────────────┤",
        "│ b (InputLayer)      │ (None, 3)         │          0 │ -                 │",
        "├─────────────────────┼───────────────────┼────────────┼───────────────────┤",
        "│ concatenate         │ (None, 5)         │          0 │ a[0][0], b[0][0]  │",
        "│ (Concatenate)       │                   │            │                   │",
        "├─────────────────────┼───────────────────┼────────────┼───────────────────┤",
        "│ dense (Dense)       │ (None, 2)         │         12 │ concatenate[0][0] │",
        "└─────────────────────┴───────────────────┴────────────┴───────────────────┘",
        " Total params: 12 (48.00 B)",
        " Trainable params: 12 (48.00 B)",
        " Non-trainable params: 0 (0.00 B)",
    ]


@pytest.mark.parametrize(
    "options, columns",
    [
        ({"show_trainable": True}, [19, 17, 11, 16, 7]), ({"line_length": 80}, [23, 19, 13, 20]),
        ({"positions": [0.3, 0.6, 0.8, 1.0]}, [21, 22, 13, 15]), ({"line_length": 200}, [59, 51, 34, 51]),
        ({"positions": [0.2, 0.4, 0.5, 0.6]}, [23, 23, 14, 11]),
    ],
)  # fmt: skip
def test_a_summary_divides_its_lines_as_keras_does(capsys, options, columns):
    a, b = k.Input((2,), name="a"), k.Input((3,), name="b")
    k.Model([a, b], L.Dense(2)(L.Concatenate()([a, b]))).summary(**options)
    rule, head = capsys.readouterr().out.splitlines()[1:3]
    assert [len(part) for part in rule.strip("┏┓").split("┳")] == columns
    assert ("┃ Trai… ┃" in head) == bool(options.get("show_trainable"))


def test_a_summary_shows_models_in_models_in_models(capsys):
    inner = k.Sequential([k.Input((2,)), k.Sequential([k.Input((2,)), L.Dense(2, name="d")], name="in")], name="out")
    k.Sequential([k.Input((2,)), inner]).summary(expand_nested=True)
    printed = capsys.readouterr().out
    assert "│    └ in (Sequential)" in printed and "│       └ d (Dense)" in printed


def test_whole_numbers_and_doubles_are_cast():
    layer = built(L.Dense(2), 3)
    assert layer(np.ones([1, 3], np.uint8)).dtype == layer(np.ones([1, 3])).dtype == "float32"
    assert layer([[1, 2, 3]]).shape == (1, 2)
    assert built(L.Dense(2, dtype="float64"), 3)(np.ones([1, 3], "f4")).dtype == "float64"


def test_the_runtime_is_imported_without_keras():
    code = (
        "import sys, runtime; assert not any(m.startswith('runtime.keras') for m in sys.modules); runtime.keras.Model"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "name, instead",
    [("RandomGrayscale", "tf.image has rgb_to_grayscale"), ("ConvLSTM2D", "keras.layers.RNN"), ("Wrapper", "derive")],
)
def test_a_layer_that_there_is_not_is_told_with_what_there_is(name, instead):
    with pytest.raises(AttributeError, match=f"no attribute '{name}': .*{instead}"):
        getattr(L, name)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'$"):
        getattr(L, "Nothing")  # noqa: B009


@pytest.mark.parametrize("size", [None, 5])
def test_borders_are_cropped_of_what_only_the_graph_knows(size):
    layer = tf.keras.layers.Cropping1D((1, 2))
    f = tf.function(layer, input_signature=[tf.TensorSpec([None, size, 2], tf.float32)])
    x = np.arange(10, dtype=np.float32).reshape(1, 5, 2)
    np.testing.assert_array_equal(f(x), x[:, 1:-2])
    with pytest.raises(ValueError, match="crops 1 and 2 of 3: nothing is left"):
        layer(x[:, :3])
