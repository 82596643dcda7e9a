"""Public functions as users call them: eager and staged, the gradient is that of differences."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.gradients.differences import by_differences, close

c = tf.constant
M = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
W = np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]], np.float32)  # another dtype
FUNCTIONS = {
    "promotion": lambda x: x * W,
    "promotion of a list": lambda x: tf.stack([x, W]),
    "a function of NumPy's": lambda x: np.sum(np.sin(x) ** 2, axis=0) + np.tanh(x),
    "methods": lambda x: x.sum() * x.mean(axis=0) + x.T @ x,
    "NumPy's products": lambda x: np.dot(x, x.T) + np.linalg.norm(x) + np.einsum("ij,ij->", x, x),
    "elements": lambda x: tf.ensure_shape(sum(row[0] * row for row in x), [3]),
    "items": lambda x: x[0] * x[-1, ::-1] + x[:, 1].sum(),
    "parts": lambda x: tf.unstack(x)[1] ** 2 + tf.split(x, 3, axis=1)[2][0],
    "a list of numbers and tensors": lambda x: tf.convert_to_tensor([x[0, 0], 2.0, x[1, 1]]) ** 2,
    "while_loop": lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, x))[1],
    "map_fn": lambda x: tf.map_fn(lambda row: row * row[0], x),
    "scan": lambda x: tf.scan(lambda a, row: a * row, x),
    "norm": lambda x: tf.norm(x, axis=1),
    "linspace": lambda x: tf.linspace(x[0], x[1], 4),
    "clip_by_value": lambda x: tf.clip_by_value(x, -0.9, 1.2),
    "add_n": lambda x: tf.add_n([x, x, x * x]),
    "leaky_relu": lambda x: tf.nn.leaky_relu(x),
    "softmax": lambda x: tf.nn.softmax(x) * W,
    "log_softmax": lambda x: tf.nn.log_softmax(x, axis=0),
    "cross entropy": lambda x: tf.nn.softmax_cross_entropy_with_logits(np.abs(W) / 5, x),
    "l2_loss": tf.nn.l2_loss,
    "bias_add": lambda x: tf.nn.bias_add(x, x[0]),
    "where": lambda x: tf.where(x > 0, x * x, -x),
    "boolean_mask": lambda x: tf.boolean_mask(x, [True, False]),
    "update": lambda x: tf.tensor_scatter_nd_update(x, [[0, 1]], [x[1, 1] * 3.0]) * x,
    "less by some": lambda x: tf.tensor_scatter_nd_sub(x, [[0, 1], [0, 1]], [x[1, 1] * 3.0, x[0, 0]]) * x,
    "the larger ones": lambda x: tf.tensor_scatter_nd_max(x, [[0], [1], [0]], [x[1] * 3.0, x[0] * x[1], x[0] + x[1]]),
    "the smaller ones": lambda x: tf.tensor_scatter_nd_min(x, [[1]], [x[0] * x[1]]) * x,
    "gather": lambda x: tf.gather(x, [2, 0, 2], axis=1),
    "segment_sum": lambda x: tf.math.segment_sum(x, c([0, 0])) ** 2,
    "unsorted segments": lambda x: (
        tf.math.unsorted_segment_max(x, [1, 1], 2)[1:] * tf.math.unsorted_segment_min(x, [0, 0], 1)
    ),
    "products of segments": lambda x: tf.math.segment_prod(x, [0, 0]) + tf.math.unsorted_segment_mean(x, [1, 1], 2)[1:],
    "products with zeros": lambda x: tf.math.unsorted_segment_prod(
        tf.concat([x, (x[:1] - x[0]) * 2.0, x[1:] * [[0.0, 1.0, 1.0]]], 0), [0, 0, 0, 1], 2
    ),
    "segments": lambda x: (
        tf.math.segment_max(x, [0, 1]) * tf.math.segment_min(x, [0, 0]) + tf.math.segment_mean(x, [0, 0])
    ),
    "cumprod": lambda x: tf.math.cumprod(x, axis=1),
    "sort": lambda x: tf.sort(x)[:, :2],
    "top_k": lambda x: tf.math.top_k(x, 2)[0],
    "diagonals": lambda x: tf.linalg.diag(x[0]) @ x[1],
    "solve": lambda x: tf.linalg.solve(x @ x.T + np.eye(2), x),
    "determinant": lambda x: tf.linalg.det(x @ x.T) + tf.linalg.trace(x @ x.T),
    "variance": lambda x: tf.math.reduce_variance(x, axis=1) + tf.math.reduce_std(x),
    "logsumexp": lambda x: tf.reduce_logsumexp(x, axis=1),
    "divide_no_nan": lambda x: tf.math.divide_no_nan(x, x * x + 1.0),
    "rsqrt": lambda x: tf.math.rsqrt(x * x + 1.0),
    "one_hot": lambda x: tf.one_hot([0, 1], 2, dtype=tf.float64) @ x,
    "pad and tile": lambda x: tf.tile(tf.pad(x, [[1, 0], [0, 1]]), [1, 2]),
    "a TensorArray": lambda x: tf.TensorArray(tf.float64, size=2).unstack(x * x).write(0, x[1]).stack() * x,
    "fill": lambda x: tf.fill([2, 2], x[0, 2]) * x[:, :2],
    "repeat and roll": lambda x: tf.roll(tf.repeat(x, 2, axis=0), 1, axis=1),
    "roll along both": lambda x: tf.roll(x, (1, -2), (0, 1)),
    "einsum": lambda x: tf.einsum("ij,kj->ik", x, x) + tf.tensordot(x, x, [[1], [1]]),
}


def total(f, x):
    made = f(x)
    return tf.reduce_sum(made * tf.cast(tf.reshape(tf.range(1, tf.size(made) + 1), tf.shape(made)), made.dtype))


def gradient(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = total(f, x)
    return tape.gradient(y, x)


@pytest.mark.parametrize("f", FUNCTIONS.values(), ids=[name.replace(" ", "-") for name in FUNCTIONS])
def test_a_function_in_all_forms(f):
    wanted = by_differences(lambda x: float(total(f, c(x))), [M], 0)
    close(gradient(f, c(M)), wanted)
    close(tf.function(lambda x: gradient(f, x))(c(M)), wanted)
    around = tf.function(lambda x: f(x))
    close(gradient(around, c(M)), wanted)
    kept = c(M)
    close(tf.function(lambda: gradient(f, kept))(), wanted)


def test_lists_that_a_function_returns():
    @tf.function
    def rows(x, n):
        found = []
        for i in tf.range(n):
            found.append(x * tf.cast(i, x.dtype))
        return found

    x = c([2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = rows(x, c(3))
        y = found[2][0] * found[1][1]
    np.testing.assert_array_equal(tape.gradient(y, x), [6.0, 4.0])
