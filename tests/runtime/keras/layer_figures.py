"""What TensorFlow's Keras gives for layers and models with fixed weights: run with it installed, it writes the figures.

    python -m tests.runtime.keras.layer_figures tensorflow

`LAYERS` and `MODELS` are the same programs for both libraries; weights and inputs are numbers of a sine.
"""

import importlib
import json
import sys
from pathlib import Path

import numpy as np

FIGURES = Path(__file__).with_name("layer_figures.json")


def waves(shape, phase=0.0):
    size = int(np.prod(shape))
    return (np.sin(np.arange(size) * 0.7 + phase) * 0.8).reshape(shape).astype(np.float32)


def words(shape):
    return (np.arange(int(np.prod(shape))) * 7 % 5).reshape(shape).astype(np.int32)


# A layer, the shapes of its inputs (or words for numbers), and options of the call.
LAYERS = {
    "dense": (lambda k: k.Dense(3, activation="tanh"), [(2, 4)], {}),
    "dense of rank 3": (lambda k: k.Dense(3, use_bias=False, activation="relu"), [(2, 3, 4)], {}),
    "einsum": (lambda k: k.EinsumDense("abc,cd->abd", (None, 3), bias_axes="d"), [(2, 3, 4)], {}),
    "einsum of heads": (lambda k: k.EinsumDense("abc,cde->abde", (None, 2, 3), bias_axes="de"), [(2, 3, 4)], {}),
    "einsum of dots": (lambda k: k.EinsumDense("...x,xy->...y", output_shape=3, bias_axes="y"), [(2, 3, 4)], {}),
    "embedding": (lambda k: k.Embedding(5, 3), [words((2, 4))], {}),
    "conv1d": (lambda k: k.Conv1D(3, 2, strides=2, padding="same"), [(2, 7, 2)], {}),
    "conv1d causal": (lambda k: k.Conv1D(2, 3, dilation_rate=2, padding="causal"), [(1, 7, 2)], {}),
    "conv2d": (lambda k: k.Conv2D(3, 3, activation="relu"), [(1, 5, 6, 2)], {}),
    "conv2d same": (lambda k: k.Conv2D(2, (2, 3), strides=(2, 1), padding="same"), [(1, 5, 6, 2)], {}),
    "conv2d in groups": (lambda k: k.Conv2D(4, 2, groups=2), [(1, 4, 4, 4)], {}),
    "conv2d dilated": (lambda k: k.Conv2D(2, 2, dilation_rate=2), [(1, 5, 5, 1)], {}),
    "conv3d": (lambda k: k.Conv3D(2, 2), [(1, 3, 3, 4, 2)], {}),
    "depthwise": (lambda k: k.DepthwiseConv2D(2, depth_multiplier=2), [(1, 4, 4, 2)], {}),
    "depthwise 1d": (lambda k: k.DepthwiseConv1D(2, strides=2, padding="same"), [(1, 5, 2)], {}),
    "separable": (lambda k: k.SeparableConv2D(3, 2, activation="relu"), [(1, 4, 4, 2)], {}),
    "separable 1d": (lambda k: k.SeparableConv1D(3, 2, padding="same"), [(1, 5, 2)], {}),
    "transposed": (lambda k: k.Conv2DTranspose(3, 3, strides=2, padding="same"), [(1, 3, 3, 2)], {}),
    "transposed valid": (lambda k: k.Conv2DTranspose(2, 2, strides=3), [(1, 3, 2, 2)], {}),
    "transposed more": (lambda k: k.Conv2DTranspose(2, 3, strides=2, output_padding=1), [(1, 3, 3, 1)], {}),
    "transposed 1d": (lambda k: k.Conv1DTranspose(2, 3, strides=2), [(1, 4, 2)], {}),
    "transposed 3d": (lambda k: k.Conv3DTranspose(1, 2, strides=2), [(1, 2, 2, 2, 2)], {}),
    "max pooling": (lambda k: k.MaxPooling2D(2), [(1, 5, 4, 2)], {}),
    "max pooling same": (lambda k: k.MaxPooling2D(3, strides=2, padding="same"), [(1, 5, 4, 2)], {}),
    "average pooling": (lambda k: k.AveragePooling2D(2, strides=1), [(1, 3, 4, 2)], {}),
    "average pooling same": (lambda k: k.AveragePooling2D(2, padding="same"), [(1, 3, 5, 2)], {}),
    "max pooling 1d": (lambda k: k.MaxPooling1D(2), [(1, 5, 2)], {}),
    "average pooling 3d": (lambda k: k.AveragePooling3D(2), [(1, 2, 4, 2, 2)], {}),
    "global average": (lambda k: k.GlobalAveragePooling2D(), [(2, 3, 4, 2)], {}),
    "global max": (lambda k: k.GlobalMaxPooling1D(keepdims=True), [(2, 3, 2)], {}),
    "batch in training": (lambda k: k.BatchNormalization(), [(4, 3)], {"training": True}),
    "batch of images": (lambda k: k.BatchNormalization(momentum=0.5), [(2, 2, 3, 2)], {"training": True}),
    "batch in use": (lambda k: k.BatchNormalization(), [(4, 3)], {"training": False}),
    "batch along axis 1": (lambda k: k.BatchNormalization(axis=1, scale=False), [(2, 3, 4)], {"training": True}),
    "layer normalization": (lambda k: k.LayerNormalization(), [(2, 3, 4)], {}),
    "layer normalization of axes": (lambda k: k.LayerNormalization(axis=[1, 2], center=False), [(2, 3, 4)], {}),
    "layer normalization by variance": (lambda k: k.LayerNormalization(rms_scaling=True, scale=False), [(2, 3, 4)], {}),
    "normalization of known data": (
        lambda k: k.Normalization(mean=[1.0, -2.0, 0.5], variance=[4.0, 1.0, 0.25], invert=True), [(2, 3)], {},
    ),
    "group normalization": (lambda k: k.GroupNormalization(2), [(2, 3, 4)], {}),
    "unit normalization": (lambda k: k.UnitNormalization(), [(2, 3)], {}),
    "rms normalization": (lambda k: k.RMSNormalization(), [(2, 3)], {}),
    "rms normalization of axes": (lambda k: k.RMSNormalization(axis=(-1, -2), epsilon=0.1), [(2, 3, 4)], {}),
    "prelu": (lambda k: k.PReLU(shared_axes=[1]), [(2, 3, 4)], {}),
    "leaky relu": (lambda k: k.LeakyReLU(), [(2, 3)], {}),
    "elu": (lambda k: k.ELU(0.5), [(2, 3)], {}),
    "relu": (lambda k: k.ReLU(0.5, 0.1, 0.2), [(2, 3)], {}),
    "softmax": (lambda k: k.Softmax(axis=1), [(2, 3)], {}),
    "gelu": (lambda k: k.Activation("gelu"), [(2, 3)], {}),
    "flatten": (lambda k: k.Flatten(), [(2, 3, 4)], {}),
    "flatten channels first": (lambda k: k.Flatten(data_format="channels_first"), [(2, 3, 4)], {}),
    "permute": (lambda k: k.Permute((2, 1)), [(2, 3, 4)], {}),
    "reshape": (lambda k: k.Reshape((-1, 2)), [(2, 3, 4)], {}),
    "repeat": (lambda k: k.RepeatVector(3), [(2, 3)], {}),
    "zero padding": (lambda k: k.ZeroPadding2D(((1, 0), (2, 1))), [(1, 2, 2, 1)], {}),
    "cropping": (lambda k: k.Cropping2D((1, 0)), [(1, 4, 2, 1)], {}),
    "upsampling between": (lambda k: k.UpSampling2D((2, 3), interpolation="bilinear"), [(2, 2, 3, 2)], {}),
    "upsampling between, first": (
        lambda k: k.UpSampling2D(2, "channels_first", interpolation="bilinear"), [(1, 2, 1, 3)], {},
    ),
    "upsampling 3d": (lambda k: k.UpSampling3D((1, 2, 3)), [(1, 2, 2, 1, 2)], {}),
    "cropping 3d": (lambda k: k.Cropping3D(((1, 0), (0, 2), (1, 1))), [(1, 3, 3, 4, 1)], {}),
    "upsampling": (lambda k: k.UpSampling2D((2, 3)), [(1, 2, 2, 1)], {}),
    "subtract": (lambda k: k.Subtract(), [(2, 3), (2, 3)], {}),
    "average": (lambda k: k.Average(), [(2, 3), (2, 3), (2, 1)], {}),
    "concatenate": (lambda k: k.Concatenate(axis=1), [(2, 3, 2), (2, 1, 2)], {}),
    "dot": (lambda k: k.Dot(axes=(1, 2), normalize=True), [(2, 3, 4), (2, 5, 3)], {}),
    "simple rnn": (lambda k: k.SimpleRNN(3), [(2, 4, 2)], {}),
    "simple rnn of all": (lambda k: k.SimpleRNN(3, return_sequences=True, go_backwards=True), [(2, 4, 2)], {}),
    "lstm": (lambda k: k.LSTM(3), [(2, 4, 2)], {}),
    "lstm of all": (lambda k: k.LSTM(2, return_sequences=True), [(2, 3, 2)], {}),
    "lstm unrolled": (lambda k: k.LSTM(2, unroll=True, recurrent_activation="hard_sigmoid"), [(2, 3, 2)], {}),
    "gru": (lambda k: k.GRU(3), [(2, 4, 2)], {}),
    "gru before": (lambda k: k.GRU(2, reset_after=False, return_sequences=True), [(2, 3, 2)], {}),
    "gru masked": (lambda k: k.GRU(2), [(2, 3, 2)], {"mask": np.array([[True, True, False], [True, False, True]])}),
    "stacked cells": (lambda k: k.RNN(k.StackedRNNCells([k.LSTMCell(2), k.GRUCell(3)])), [(2, 3, 2)], {}),
    "bidirectional": (lambda k: k.Bidirectional(k.LSTM(2, return_sequences=True)), [(2, 3, 2)], {}),
    "bidirectional sum": (lambda k: k.Bidirectional(k.GRU(2), merge_mode="sum"), [(2, 3, 2)], {}),
    "time distributed": (lambda k: k.TimeDistributed(k.Dense(2)), [(2, 3, 4)], {}),
    "attention of heads": (lambda k: k.MultiHeadAttention(2, 3), [(2, 4, 5), (2, 3, 6)], {}),
    "attention causal": (
        lambda k: k.MultiHeadAttention(2, 3, value_dim=4, output_shape=2, use_bias=False),
        [(2, 4, 5), (2, 4, 5)],
        {"use_causal_mask": True},
    ),
    "attention with outputs of axes": (
        lambda k: k.MultiHeadAttention(2, 3, output_shape=(2, 5)), [(2, 4, 3), (2, 3, 6)], {},
    ),
    "attention along axes": (
        lambda k: k.MultiHeadAttention(2, 3, attention_axes=(1, 2)), [(1, 2, 3, 4), (1, 2, 2, 4)], {},
    ),
    "attention along the last": (
        lambda k: k.MultiHeadAttention(2, 3, attention_axes=2),
        [(1, 2, 3, 4), (1, 2, 2, 4)],
        {"attention_mask": np.array([[[[[True, False], [True, True], [False, True]]]]])},
    ),
    "activity in training": (lambda k: k.ActivityRegularization(0.1, 0.2), [(4, 3)], {}),
}  # fmt: skip

SPREAD = tuple(name for name in LAYERS if name.startswith("attention "))  # inputs are arguments, rather than a list


def mlp(k):
    return k.Sequential([k.Input((4,)), k.layers.Dense(5, activation="relu"), k.layers.Dense(3, activation="softmax")])


def cnn(k):
    return k.Sequential([
        k.Input((6, 6, 1)), k.layers.Conv2D(3, 3, activation="relu"), k.layers.BatchNormalization(),
        k.layers.MaxPooling2D(), k.layers.Flatten(), k.layers.Dense(3),
    ])  # fmt: skip


def rnn(k):
    return k.Sequential([
        k.Input((4,), dtype="int32"), k.layers.Embedding(5, 3, mask_zero=True), k.layers.LSTM(4),
        k.layers.Dense(1, activation="sigmoid", kernel_regularizer=k.regularizers.L2(0.1)),
    ])  # fmt: skip


def branches(k):
    a, b = k.Input((3,), name="a"), k.Input((2,), name="b")
    h = k.layers.Concatenate()([k.layers.Dense(3, activation="tanh")(a), b])
    return k.Model([a, b], [k.layers.Dense(1, name="u")(h), k.layers.Dense(2, name="v")(h)])


# A model, how it is compiled, and what it is trained on: inputs, targets, and options of fit. A bias before a
# normalisation has rounding for a gradient, of which Adam makes steps; and TensorFlow's squares what repeated rows of
# an embedding have apart. So these two are trained without it.
MODELS = {
    "mlp": (mlp, dict(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"]),
            waves((10, 4)), np.arange(10) % 3, dict(epochs=3, batch_size=4)),
    "weights of classes": (mlp, dict(optimizer="sgd", loss="sparse_categorical_crossentropy", metrics=["accuracy"]),
                           waves((10, 4)), np.arange(10) % 3, dict(epochs=2, class_weight={0: 1.0, 1: 2.0, 2: 0.5})),
    "weights of examples": (mlp, dict(optimizer="rmsprop", loss="categorical_crossentropy", weighted_metrics=["mae"]),
                            waves((6, 4)), np.eye(3, dtype="f4")[np.arange(6) % 3],
                            dict(epochs=2, batch_size=3, sample_weight=np.arange(6) / 3.0)),
    "split": (mlp, dict(optimizer="adam", loss="mse", metrics=["mae"]),
              waves((10, 4)), waves((10, 3), 1.0), dict(epochs=2, batch_size=3, validation_split=0.3)),
    "cnn": (cnn, dict(optimizer="sgd", loss="logits", metrics=["accuracy"]),
            waves((8, 6, 6, 1)), np.arange(8) % 3, dict(epochs=2, batch_size=4)),
    "rnn": (rnn, dict(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"]),
            words((6, 4)), np.arange(6) % 2, dict(epochs=2, batch_size=3)),
    "branches": (branches,
                 dict(optimizer="sgd", loss=["mse", "mae"], loss_weights=[1.0, 0.5], metrics=[["mae"], ["mse"]]),
                 [waves((6, 3)), waves((6, 2), 0.5)], [waves((6, 1), 1.0), waves((6, 2), 2.0)],
                 dict(epochs=2, batch_size=4)),
}  # fmt: skip


def numbered(model):
    """Give a layer or a model weights that are known."""
    values = []
    for number, weight in enumerate(model.weights):
        name = getattr(weight, "path", weight.name)
        value = waves(tuple(weight.shape), number)
        values.append(np.abs(value) + 0.5 if "variance" in name else value)
    model.set_weights(values)


def given(shapes):
    return [waves(s, n * 0.3) if isinstance(s, tuple) else s for n, s in enumerate(shapes)]


def of_layer(tf, name, run=lambda tf, function: function):
    """The output of a layer, its gradients by weights and inputs, and its weights that no gradient changes."""
    make, shapes, options = LAYERS[name]
    tf.keras.backend.clear_session()
    layer = make(tf.keras.layers)
    inputs = [tf.constant(value) for value in given(shapes)]
    options = {key: tf.constant(value) if isinstance(value, np.ndarray) else value for key, value in options.items()}

    def call(inputs):
        return (
            layer(*inputs, **options) if name in SPREAD else layer(inputs if len(inputs) > 1 else inputs[0], **options)
        )

    call(inputs)
    numbered(layer)
    sources = [x for x in inputs if x.dtype == tf.float32]

    def step(*inputs):
        with tf.GradientTape() as tape:
            tape.watch([x for x in inputs if x.dtype == tf.float32])
            y = call(list(inputs))
            loss = tf.reduce_sum(y * y * 0.5 + y)
        found = tape.gradient(loss, [*layer.trainable_variables, *[x for x in inputs if x.dtype == tf.float32]])
        return y, [tf.convert_to_tensor(g) for g in found]

    y, gradients = run(tf, step)(*inputs)
    assert len(gradients) == len(layer.trainable_variables) + len(sources)
    rest = [v.numpy() for v in layer.non_trainable_variables if "seed" not in v.name]
    return [y.numpy(), *[g.numpy() for g in gradients], *rest]


def of_model(tf, name):
    """The history of a model, its weights after training, and what it predicts."""
    make, how, x, y, options = MODELS[name]
    k = tf.keras
    k.backend.clear_session()
    model = make(k)
    numbered(model)
    how = {key: k.losses.SparseCategoricalCrossentropy(from_logits=True) if value == "logits" else value
           for key, value in how.items()}  # fmt: skip
    model.compile(**how)
    history = model.fit(x, y, shuffle=False, verbose=0, **options).history
    predicted = model.predict(x, verbose=0)
    predicted = predicted if isinstance(predicted, list) else [predicted]
    figures = {key: np.array(values) for key, values in sorted(history.items())}
    tested = model.evaluate(x, y, verbose=0)
    return {
        **figures,
        "evaluated": np.array(tested),
        "weights": [np.asarray(w) for w in model.get_weights()],
        "predicted": predicted,
    }


def plain(value):
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    array = np.asarray(value, np.float64)
    return {"shape": list(array.shape), "values": [float(f"{v:.8g}") for v in array.ravel()]}


def main(library):
    tf = importlib.import_module(library)
    figures = {
        "version": tf.__version__,
        "layers": {name: plain(of_layer(tf, name)) for name in LAYERS},
        "models": {name: plain(of_model(tf, name)) for name in MODELS},
    }
    FIGURES.write_text(json.dumps(figures) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
