"""What TensorFlow gives for functions of neural networks, and their gradients: kept in nn_figures.json.

The file is written anew where TensorFlow is installed, by ``python -m tests.runtime.nn_figures``; tests only read it.
"""

import json
import os
from pathlib import Path

import numpy as np

PATH = Path(__file__).with_suffix(".json")


def waves(*shape, step=0.7, size=1.5):
    """Numbers that look drawn, and are the same everywhere."""
    count = int(np.prod(shape))
    return (size * np.sin(np.arange(count) * step * 3.3 + step) + 0.3 * np.cos(np.arange(count) ** 2)).reshape(shape)


def arrays():
    floats = {
        "F": waves(2, 5), "G": waves(2, 5, step=0.9), "P": np.abs(waves(2, 5, step=0.4)) % 1, "V": waves(5, step=0.3),
        "C": waves(2, 3, 4), "X": waves(2, 6, 5, 4), "W": waves(3, 2, 4, 6, size=0.5), "D": waves(3, 2, 4, 2, size=0.5),
        "L": waves(2, 9, 3), "K": waves(3, 3, 4, size=0.5), "B": waves(1, 4, 5, 3, 2), "T": waves(2, 3, 2, 2, 3),
        "Q": waves(1, 1, 8, 3), "H": waves(2, 4, 4, 6), "Y": waves(2, 5, 4), "Z": waves(1, 2, 2, 2, 3),
        "O": waves(7, 2, 5, step=0.8),
    }  # fmt: skip
    whole = {
        "I": np.array([3, 0], np.int32),
        "J": np.array([[1, 2, 0], [3, 3, 1]], np.int32),
        "M": np.array([[1, 1, 3], [2, 4, 1]], np.int32),
    }
    return {**{k: v.astype(np.float32) for k, v in floats.items()}, **whole}


ARRAYS = arrays()

EXPRESSIONS = [
    *(f"tf.nn.{name}(F)" for name in (
        "relu", "relu6", "elu", "selu", "gelu", "silu", "swish", "softsign", "softplus", "leaky_relu", "crelu",
        "softmax", "log_softmax", "l2_loss", "zero_fraction", "sigmoid", "tanh",
    )),
    "tf.nn.relu6(F * 9.0)", "tf.nn.gelu(F, approximate=True)", "tf.nn.silu(F, beta=0.5)", "tf.nn.crelu(F, axis=0)",
    "tf.nn.softmax(C, axis=1)", "tf.nn.log_softmax(C, axis=0)", "tf.math.erf(F)",
    "tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(P), logits=F)",
    "tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(P, axis=0), logits=F, axis=0)",
    "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=I, logits=F)",
    "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=J, logits=C)",
    "tf.nn.sigmoid_cross_entropy_with_logits(labels=P, logits=F)",
    "tf.nn.sigmoid_cross_entropy_with_logits(labels=P, logits=F * 100.0)",
    "tf.nn.weighted_cross_entropy_with_logits(labels=P, logits=F, pos_weight=2.5)",
    "tf.nn.log_poisson_loss(targets=P * 5.0, log_input=F)",
    "tf.nn.log_poisson_loss(targets=P * 5.0, log_input=F, compute_full_loss=True)",
    "tf.nn.moments(C, axes=[0, 1])", "tf.nn.moments(C, axes=[1], keepdims=True)",
    "tf.nn.moments(C, axes=[1], shift=0.5)",
    "tf.nn.batch_normalization(F, V, V * V, V, V + 1.0, 0.001)",
    "tf.nn.batch_normalization(F, V, V * V, None, None, 0.5)",
    "tf.nn.l2_normalize(F)", "tf.nn.l2_normalize(C, axis=1)", "tf.nn.l2_normalize(C, axis=[0, 2], epsilon=9.0)",
    "tf.nn.embedding_lookup(G, I % 2)", "tf.nn.embedding_lookup(C, I % 2, max_norm=1.5)",
    "tf.math.in_top_k([3, 0], F, k=2)", "tf.nn.top_k(F, k=3)", "tf.nn.bias_add(X, V[:4])",
    "tf.nn.ctc_loss(M, O, label_length=[3, 2], logit_length=[7, 5])",
    "tf.nn.ctc_loss(M, O, label_length=[1, 0], logit_length=[7, 7], blank_index=-1)",
    "tf.nn.ctc_loss(M, O[:2], label_length=[1, 1], logit_length=[2, 2], logits_time_major=False)",
    "tf.nn.ctc_loss(M, O, label_length=[3, 2], logit_length=[7, 5], unique=None)",
    "tf.nn.conv2d(X, W, strides=1, padding='VALID')", "tf.nn.conv2d(X, W, strides=[2, 1], padding='SAME')",
    "tf.nn.conv2d(X, W, strides=1, padding='SAME', dilations=2)",
    "tf.nn.conv2d(X, W, strides=[1, 2, 2, 1], padding=[[0, 0], [2, 1], [0, 1], [0, 0]])",
    "tf.nn.conv1d(L, K, stride=1, padding='SAME')", "tf.nn.conv1d(L, K, stride=2, padding='VALID')",
    "tf.nn.conv1d(L, K, stride=1, padding='VALID', dilations=2)",
    "tf.nn.conv3d(B, T, strides=[1, 1, 1, 1, 1], padding='SAME')",
    "tf.nn.conv3d(B, T, strides=[1, 1, 2, 1, 1], padding='VALID')",
    "tf.nn.convolution(X, W, strides=2, padding='SAME')", "tf.nn.convolution(L, K, padding='SAME', dilations=3)",
    "tf.nn.atrous_conv2d(X, W, rate=2, padding='VALID')",
    "tf.nn.depthwise_conv2d(X, D, strides=[1, 1, 1, 1], padding='SAME')",
    "tf.nn.depthwise_conv2d(X, D, strides=[1, 2, 2, 1], padding='VALID')",
    "tf.nn.depthwise_conv2d(X, D, strides=[1, 1, 1, 1], padding='VALID', dilations=[2, 1])",
    "tf.nn.separable_conv2d(X, D, Q, strides=[1, 1, 1, 1], padding='SAME')",
    "tf.nn.separable_conv2d(X, D, Q, strides=[1, 1, 1, 1], padding='VALID', dilations=[2, 2])",
    "tf.nn.conv2d_transpose(H, W, output_shape=[2, 6, 5, 4], strides=1, padding='VALID')",
    "tf.nn.conv2d_transpose(H, W, output_shape=[2, 8, 7, 4], strides=2, padding='SAME')",
    "tf.nn.conv2d_transpose(H, W, output_shape=[2, 4, 4, 4], strides=1)",
    "tf.nn.conv1d_transpose(Y, K, output_shape=[2, 10, 3], strides=2)",
    "tf.nn.conv1d_transpose(Y, K, output_shape=[2, 7, 3], strides=1, padding='VALID')",
    "tf.nn.conv3d_transpose(Z, T, output_shape=[1, 4, 4, 4, 2], strides=2, padding='SAME')",
    "tf.nn.conv3d_transpose(Z, T, output_shape=[1, 3, 4, 3, 2], strides=1, padding='VALID')",
    "tf.nn.conv_transpose(H, W, output_shape=[2, 8, 7, 4], strides=2)",
    "tf.nn.conv_transpose(H, W, output_shape=[2, 6, 5, 4], strides=1, padding='VALID')",
    *(f"tf.nn.{how}_pool{n}d({x}, ksize=2, strides={s}, padding='{padding}')" for how in ("max", "avg")
      for n, x in ((1, "L"), (2, "X"), (3, "B")) for s in (1, 2) for padding in ("VALID", "SAME")),
    "tf.nn.max_pool(X, ksize=3, strides=2, padding='SAME')", "tf.nn.avg_pool(X, ksize=3, strides=2, padding='SAME')",
    "tf.nn.max_pool2d(X, ksize=2, strides=1, padding=[[0, 0], [1, 0], [0, 1], [0, 0]])",
    "tf.nn.pool(X, [2, 3], 'AVG', strides=[2, 1], padding='SAME')",
    "tf.nn.pool(X, [2, 2], 'MAX', padding='VALID', dilations=[2, 1])",
    "tf.nn.max_pool_with_argmax(X, ksize=2, strides=2, padding='SAME')",
    "tf.nn.max_pool_with_argmax(X, ksize=2, strides=1, padding='VALID', include_batch_in_index=True)",
    "tf.nn.max_pool_with_argmax(X, ksize=2, strides=1, padding='VALID', output_dtype=tf.int32)",
]  # fmt: skip


def values(found):
    parts = found if isinstance(found, tuple | list) else [found]
    return [np.asarray(part) for part in parts]


def used(expression):
    code = compile(expression, "figures", "eval")
    return [name for name in ARRAYS if name in code.co_names]


def _written(array):
    return {
        "shape": list(array.shape),
        "dtype": str(array.dtype),
        "numbers": [_short(v) for v in array.ravel().tolist()],
    }


def _short(value):
    return float(f"{value:.8g}") if isinstance(value, float) else value


def _figures(tf, expression):
    given = {name: tf.constant(ARRAYS[name]) for name in used(expression)}
    floats = {name: x for name, x in given.items() if x.dtype.is_floating}
    with tf.GradientTape() as tape:
        tape.watch(list(floats.values()))
        found = eval(expression, {"tf": tf, **given})
        parts = found if isinstance(found, tuple | list) else [found]
        total = tf.add_n(
            [tf.reduce_sum(p * weights(p.shape)) for p in parts if p.dtype.is_floating] or [tf.constant(0.0)]
        )
    try:
        gradients = tape.gradient(total, floats)
    except Exception as error:  # some it has not, on these machines
        print(expression, "has no gradient:", str(error)[:200])
        gradients = None
    return {
        "values": [_written(v) for v in values(found)],
        "gradients": gradients
        if gradients is None
        else {n: _written(np.asarray(tf.convert_to_tensor(g))) for n, g in gradients.items() if g is not None},
    }


def weights(shape):
    return waves(*shape, step=0.11).astype(np.float32) if len(shape) else np.float32(1.5)


def read():
    return json.loads(PATH.read_text(encoding="utf-8"))


if __name__ == "__main__":
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # which refuses some convolutions
    import tensorflow

    lines = [f"{json.dumps(e)}: {json.dumps(_figures(tensorflow, e), separators=(',', ':'))}" for e in EXPRESSIONS]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
