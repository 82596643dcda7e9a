"""Each option of each layer, and each value that is none: outputs, shapes, names of weights, configurations."""

import numpy as np


def waves(shape, phase=0.0):
    return (np.sin(np.arange(int(np.prod(shape))) * 0.7 + phase) * 0.8).reshape(shape).astype(np.float32)


LEFT = np.array([[True, True, False], [True, False, True]])
STATE = [waves((2, 2), 3.0)]
# A layer, the shapes of what it is given (or that itself), and options of the call.
CASES = {
    "Dense(2)": [[(3, 4)], [(2, 3, 4)], [(4,)], [np.arange(6).reshape(2, 3)]],
    "Dense(2, use_bias=False)": [[(3, 4)]],
    "Dense(2, 'tanh', kernel_regularizer='l2', bias_regularizer='l1', activity_regularizer='l2')": [[(3, 4)]],
    "Dense(2, kernel_constraint='unit_norm', bias_constraint='non_neg', name='mine')": [[(3, 4)]],
    "Dense(0)": [[(3, 4)]],
    "Dense('two')": [[(3, 4)]],
    "Dense(2, activation='steep')": [[(3, 4)]],
    "Dense(2, wide=True)": [[(3, 4)]],
    "Dense(2, dtype='float64')": [[(3, 4)]],
    "Dense(2, trainable=False, kernel_initializer='ones')": [[(3, 4)]],
    "Embedding(5, 2)": [[np.array([[1.0, 4.0]], np.float32)], [np.array([0, 3])], [np.array(2)]],
    "Embedding(5, 2, mask_zero=True)": [[np.array([[1, 0]])]],
    "Embedding(5, 2, embeddings_regularizer='l2', embeddings_constraint='non_neg')": [[np.array([1])]],
    "Embedding(0, 2)": [[np.array([1])]],
    "EinsumDense('ab,bc->ac', 3)": [[(2, 4)]],
    "EinsumDense('ab,bc->ac', 3, bias_axes='c', activation='relu')": [[(2, 4)]],
    "EinsumDense('...x,xy->...y', 3)": [[(2, 3, 4)]],
    "EinsumDense('abc,cd->abd', (None, 3))": [[(2, 3, 4)]],
    "EinsumDense('ab,bc', 3)": [[(2, 4)]],
    "Attention()": [[(2, 3, 4), (2, 5, 4)], [(2, 3, 4), (2, 5, 4), (2, 5, 4)]],
    "Attention(use_scale=True)": [[(2, 3, 4), (2, 5, 4)]],
    "Attention(score_mode='concat')": [[(2, 3, 4), (2, 5, 4)]],
    "Attention(use_scale=True, score_mode='concat')": [[(2, 3, 4), (2, 5, 4)]],
    "Attention(score_mode='near')": [[(2, 3, 4), (2, 5, 4)]],
    "MultiHeadAttention(2, 3)": [],
    "MultiHeadAttention(2, 3, value_dim=2, output_shape=(3, 2))": [],
    "MultiHeadAttention(0, 3)": [],
    "BatchNormalization()": [[(3, 4)], [(3, 4), {"training": True}], [(2, 3, 4), {"training": True, "mask": LEFT}]],
    "BatchNormalization(axis=1, momentum=0.5, epsilon=0.1)": [[(3, 4), {"training": True}]],
    "BatchNormalization(center=False)": [[(3, 4), {"training": True}]],
    "BatchNormalization(scale=False)": [[(3, 4), {"training": True}]],
    "BatchNormalization(trainable=False)": [[(3, 4), {"training": True}]],
    "BatchNormalization(gamma_initializer='zeros', beta_initializer='ones')": [[(3, 4)]],
    "BatchNormalization(axis=5)": [[(3, 4)]],
    "LayerNormalization()": [[(3, 4)], [(2, 3, 4)]],
    "LayerNormalization(axis=1, epsilon=0.1)": [[(2, 3, 4)]],
    "LayerNormalization(axis=[1, 2], center=False, scale=False)": [[(2, 3, 4)]],
    "GroupNormalization(2)": [[(2, 4)], [(2, 3, 4)]],
    "GroupNormalization(-1)": [[(2, 3, 4)]],
    "GroupNormalization(1, axis=1, epsilon=0.1, center=False)": [[(2, 3, 4)]],
    "GroupNormalization(3)": [[(2, 3, 4)]],
    "GroupNormalization(8)": [[(2, 3, 4)]],
    "UnitNormalization(axis=[0, 1])": [[(2, 3)]],
    "Normalization(mean=1.0, variance=4.0)": [[(2, 3)]],
    "Normalization(mean=[1.0, 2.0, 3.0], variance=[4.0, 1.0, 2.0])": [[(2, 3)]],
    "Normalization(mean=1.0, variance=4.0, invert=True)": [[(2, 3)]],
    "Normalization(axis=None, mean=1.0, variance=4.0)": [[(2, 3)]],
    "Normalization(mean=1.0)": [[(2, 3)]],
    "Rescaling(0.5)": [[(2, 3)], [np.arange(6, dtype=np.uint8).reshape(2, 3)]],
    "Rescaling(0.5, offset=1)": [[(2, 3)]],
    "Masking()": [[np.array([[[0.0, 0.0], [1.0, 0.0]]], np.float32)]],
    "Masking(1.0)": [[np.array([[[0.0, 0.0], [1.0, 1.0]]], np.float32)]],
    "ReLU()": [[(2, 3)]],
    "ReLU(max_value=0.3)": [[(2, 3)]],
    "ReLU(negative_slope=0.1, threshold=0.2)": [[(2, 3)]],
    "ReLU(max_value=0.5, negative_slope=0.1, threshold=0.2)": [[(2, 3)]],
    "ReLU(max_value=-1.0)": [[(2, 3)]],
    "ReLU(negative_slope=-1.0)": [[(2, 3)]],
    "LeakyReLU(0.1)": [[(2, 3)]],
    "PReLU()": [[(2, 3)], [(2, 3, 4)]],
    "PReLU(shared_axes=[1])": [[(2, 3, 4)]],
    "PReLU(shared_axes=[1, 2])": [[(2, 3, 4)]],
    "PReLU(alpha_initializer='ones', alpha_regularizer='l2', alpha_constraint='non_neg')": [[(2, 3)]],
    "ELU(0.5)": [[(2, 3)]],
    "Softmax()": [[(2, 3)], [(2, 3), {"mask": LEFT}]],
    "Softmax(axis=[0, 1])": [[(2, 3)]],
    "Activation('relu')": [[(2, 3)]],
    "Activation(None)": [[(2, 3)]],
    "ActivityRegularization(l1=0.5)": [[(2, 3)]],
    "ActivityRegularization(l2=0.5)": [[(2, 3)]],
    "Dropout(0.5)": [[(2, 3)]],
    "Dropout(0.0)": [[(2, 3), {"training": True}]],
    "Dropout(1.5)": [[(2, 3)]],
    "SpatialDropout1D(0.0)": [[(2, 3, 4), {"training": True}]],
    "GaussianNoise(0.0)": [[(2, 3), {"training": True}]],
    "GaussianNoise(-1.0)": [[(2, 3)]],
    "GaussianDropout(0.0)": [[(2, 3), {"training": True}]],
    "Identity()": [[(2, 3)]],
    "Flatten()": [[(2, 3, 4)], [(2,)]],
    "Flatten(data_format='channels_first')": [[(2, 3, 4)], [(2, 3)]],
    "Reshape((2, -1))": [[(2, 3, 4)]],
    "Reshape((4, 3))": [[(2, 3, 4)]],
    "Reshape((5,))": [[(2, 3, 4)]],
    "Reshape((-1, -1))": [[(2, 3, 4)]],
    "Permute((2, 1))": [[(2, 3, 4)]],
    "Permute((1, 3))": [[(2, 3, 4)]],
    "RepeatVector(3)": [[(2, 3)]],
    "RepeatVector('3')": [[(2, 3)]],
    "ZeroPadding1D((1, 2))": [[(1, 2, 3)]],
    "ZeroPadding1D(2)": [[(1, 2, 3)]],
    "ZeroPadding2D(1)": [[(1, 2, 2, 1)]],
    "ZeroPadding2D((1, 2))": [[(1, 2, 2, 1)]],
    "ZeroPadding2D((1, 0), data_format='channels_first')": [[(1, 1, 2, 2)]],
    "ZeroPadding2D((1, 2, 3))": [[(1, 2, 2, 1)]],
    "ZeroPadding3D(((1, 0), (0, 1), (0, 0)))": [[(1, 1, 2, 2, 1)]],
    "ZeroPadding3D((0, 1, 0))": [[(1, 1, 2, 2, 1)]],
    "Cropping1D(1)": [[(1, 4, 2)]],
    "Cropping1D((0, 2))": [[(1, 4, 2)]],
    "Cropping2D(((1, 0), (0, 1)))": [[(1, 3, 3, 1)]],
    "Cropping2D(1, data_format='channels_first')": [[(1, 1, 3, 4)]],
    "Cropping2D(2)": [[(1, 3, 3, 1)]],
    "UpSampling1D(2)": [[(1, 2, 3)]],
    "UpSampling2D()": [[(1, 2, 2, 1)]],
    "UpSampling2D(3, data_format='channels_first')": [[(1, 1, 2, 2)]],
    "UpSampling2D(2, interpolation='near')": [[(1, 2, 2, 1)]],
    "Add()": [[(2, 3), (2, 3)], [(2, 3), (2, 3), (2, 1)], [(2, 3)], [(2, 3), (2, 4)]],
    "Subtract()": [[(2, 3), (2, 3)], [(2, 3), (2, 3), (2, 3)]],
    "Multiply()": [[(2, 3), (2, 3), (2, 3)]],
    "Average()": [[(2, 3), (2, 3), (2, 3)]],
    "Maximum()": [[(2, 3), (2, 3), (2, 3)]],
    "Minimum()": [[(2, 3), (2, 3), (2, 3)]],
    "Concatenate()": [[(2, 3), (2, 1)], [(2, 3), (3, 3)], [(2, 3), (2, 3, 1)]],
    "Concatenate(axis=0)": [[(2, 3), (1, 3)]],
    "Concatenate(axis=1)": [[(2, 3, 2), (2, 1, 2)], [(2, 3), (2, 1)]],
    "Dot(axes=1)": [[(2, 3), (2, 3)], [(2, 3), (2, 4)]],
    "Dot(axes=(2, 1))": [[(2, 3, 4), (2, 4, 5)]],
    "Dot(axes=-1, normalize=True)": [[(2, 3), (2, 3)]],
    "Dot(axes='last')": [[(2, 3), (2, 3)]],
    "Lambda(lambda x: x * 2)": [[(2, 3)]],
    "Lambda(lambda x, by: x * by, arguments={'by': 3.0})": [[(2, 3)]],
    "TimeDistributed(L.Dense(2))": [[(2, 3, 4)], [(2, 3, 4), {"mask": LEFT}]],
    "TimeDistributed(L.Flatten())": [[(2, 3, 4, 2)]],
}
for name in ("MaxPooling", "AveragePooling"):
    CASES |= {
        f"{name}1D()": [[(1, 5, 2)]],
        f"{name}1D(3, strides=1, padding='same')": [[(1, 5, 2)]],
        f"{name}1D(2, data_format='channels_first')": [[(1, 2, 5)]],
        f"{name}2D((2, 1))": [[(1, 4, 3, 1)]],
        f"{name}2D(2, strides=(1, 2), padding='same')": [[(1, 3, 5, 1)]],
        f"{name}2D(2, padding='full')": [[(1, 3, 5, 1)]],
        f"{name}3D((1, 2, 1))": [[(1, 2, 2, 3, 1)]],
    }
for name in ("GlobalMaxPooling", "GlobalAveragePooling"):
    CASES |= {
        f"{name}1D()": [[(2, 3, 2)]] + [[(2, 3, 2), {"mask": LEFT}]] * ("Average" in name),
        f"{name}1D(keepdims=True)": [[(2, 3, 2)]],
        f"{name}1D(data_format='channels_first')": [[(2, 3, 2)]],
        f"{name}2D(data_format='channels_first', keepdims=True)": [[(2, 3, 2, 2)]],
        f"{name}3D()": [[(1, 2, 2, 2, 2)]],
    }
for name in ("Conv1D(2, ", "SeparableConv1D(2, ", "DepthwiseConv1D("):
    CASES |= {
        f"{name}2)": [[(1, 5, 2)]],
        f"{name}3, padding='same', use_bias=False)": [[(1, 5, 2)]],
        f"{name}2, strides=2, activation='relu')": [[(1, 5, 2)]],
        f"{name}2, dilation_rate=2)": [[(1, 5, 2)]],
        f"{name}2, padding='around')": [[(1, 5, 2)]],
        f"{name}2, strides=0)": [[(1, 5, 2)]],
        f"{name}2, strides=2, dilation_rate=2)": [[(1, 5, 2)]],
    }
CASES |= {
    "Conv1D(4, 2, groups=2)": [[(1, 5, 2)], [(1, 5, 3)]],
    "Conv1D(3, 2, groups=2)": [[(1, 5, 2)]],
    "Conv1D(2, 3, padding='causal', dilation_rate=2)": [[(1, 5, 2)]],
    "Conv2D(2, (1, 2), padding='causal')": [[(1, 3, 3, 1)]],
    "Conv2D(2, (1, 2), kernel_regularizer='l2', bias_constraint='non_neg')": [[(1, 3, 3, 1)], [(1, 3, 3)]],
    "Conv3D(1, 2, padding='same')": [[(1, 2, 3, 2, 1)]],
    "DepthwiseConv2D(2, depth_multiplier=2, padding='same')": [[(1, 3, 3, 2)]],
    "SeparableConv2D(2, 2, depth_multiplier=2, use_bias=False)": [[(1, 3, 3, 2)]],
    "Conv1DTranspose(2, 2, strides=2, padding='same')": [[(1, 3, 2)]],
    "Conv2DTranspose(1, 3, strides=2, output_padding=1, use_bias=False)": [[(1, 2, 3, 2)]],
    "Conv2DTranspose(1, 2, dilation_rate=2)": [[(1, 2, 3, 2)]],
}
ACTIVE = {"SimpleRNN": "", "GRU": "recurrent_activation='relu', ", "LSTM": "recurrent_activation='relu', "}
for name, more in ACTIVE.items():
    CASES |= {
        f"{name}(2)": [
            [(2, 3, 2)],
            [(2, 3, 2), {"mask": LEFT}],
            [(2, 3, 2), {"initial_state": STATE * (1 + (name == "LSTM"))}],
            [(2, 3)],
        ],
        f"{name}(2, {more}activation='sigmoid', use_bias=False)": [[(2, 3, 2)]],
        f"{name}(2, return_sequences=True)": [[(2, 3, 2)], [(2, 3, 2), {"mask": LEFT}]],
        f"{name}(2, return_state=True)": [[(2, 3, 2)]],
        f"{name}(2, return_sequences=True, return_state=True, go_backwards=True)": [[(2, 3, 2)]],
        f"{name}(2, unroll=True, return_sequences=True)": [[(2, 3, 2)], [(2, 3, 2), {"mask": LEFT}]],
        f"{name}(2, dropout=0.5, recurrent_dropout=0.25, seed=1)": [[(2, 3, 2)]],
        f"{name}(2, kernel_regularizer='l2', recurrent_regularizer='l1', bias_regularizer='l2')": [[(2, 3, 2)]],
        f"{name}(2, kernel_constraint='non_neg', recurrent_constraint='unit_norm')": [[(2, 3, 2)]],
        f"{name}(0)": [[(2, 3, 2)]],
        f"RNN(L.{name}Cell(2), zero_output_for_mask=True, return_sequences=True)": [[(2, 3, 2), {"mask": LEFT}]],
        f"RNN([L.{name}Cell(2), L.{name}Cell(3)], return_state=True)": [[(2, 3, 2)]],
        f"Bidirectional(L.{name}(2, return_sequences=True))": [[(2, 3, 2)], [(2, 3, 2), {"mask": LEFT}]],
        f"Bidirectional(L.{name}(2, return_state=True))": [
            [(2, 3, 2)],
            [(2, 3, 2), {"initial_state": STATE * (2 + 2 * (name == "LSTM"))}],
        ],
    }
CASES |= {
    "LSTM(2, unit_forget_bias=False)": [[(2, 3, 2)]],
    "GRU(2, reset_after=False)": [[(2, 3, 2)]],
    **{f"Bidirectional(L.GRU(2), merge_mode={mode!r})": [[(2, 3, 2)]] for mode in ("mul", "ave", None, "min")},
    "Bidirectional(L.GRU(2), backward_layer=L.GRU(3, go_backwards=True))": [[(2, 3, 2)]],
    "Bidirectional(L.GRU(2), backward_layer=L.GRU(2))": [[(2, 3, 2)]],
    "Bidirectional(L.Dense(2))": [[(2, 3, 2)]],
}


def plain(config):
    """What of a configuration is numbers, texts and truth values; what is None is as if it were not there."""
    if isinstance(config, list | tuple):
        return [plain(value) for value in config]
    if isinstance(config, dict) and "class_name" in config:
        return {config["class_name"]: plain(config.get("config"))}
    if isinstance(config, dict):
        found = {str(key): plain(value) for key, value in config.items() if key not in APART and value is not None}
        return {key: found[key] for key in sorted(found)}
    return config if isinstance(config, int | float | str | None) else type(config).__name__


APART = {"dtype", "name", "quantization_config", "seed"}


def run(tf, see):
    k = tf.keras
    L = k.layers

    def outcome(expression, given, options):
        layer = eval(f"L.{expression}", {"L": L})
        inputs = [tf.constant(waves(s, n * 0.3) if isinstance(s, tuple) else s) for n, s in enumerate(given)]
        inputs = inputs[0] if len(inputs) == 1 else inputs
        options = {
            key: [tf.constant(v) for v in value] if isinstance(value, list) else value for key, value in options.items()
        }
        layer(inputs, **options)
        weights = layer.weights
        for number, weight in enumerate(weights):
            if weight.trainable or "moving" in weight.name:
                value = waves(tuple(weight.shape), number)
                weight.assign(np.abs(value) + 0.5 if "variance" in weight.name else value)
        found = layer(inputs, **options)
        first = [v for v in layer.non_trainable_variables if "moving" in v.name]
        names = [[w.name.rpartition("/")[2].partition(":")[0], [*w.shape]] for w in layer.trainable_weights]
        found = tf.nest.flatten(found)
        return found, [float(v) for v in layer.losses], [v.numpy() for v in first], names

    def facts(expression, given):
        layer = eval(f"L.{expression}", {"L": L})
        shapes = [s if isinstance(s, tuple) else s.shape for s in given]
        shape = layer.compute_output_shape(shapes[0] if len(shapes) == 1 else shapes)
        return layer.name.rstrip("0123456789"), plain(shape)

    for expression, rows in CASES.items():
        for number, row in enumerate(rows):
            options = row[-1] if isinstance(row[-1], dict) else {}
            given = [part for part in row if not isinstance(part, dict)]
            see(
                f"{expression} of {number}",
                lambda expression=expression, given=given, options=options: outcome(expression, given, options),
            )
            if not options:
                see(f"facts of {expression} of {number}", lambda e=expression, given=given: facts(e, given))
