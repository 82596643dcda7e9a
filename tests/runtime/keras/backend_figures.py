"""What functions of Keras's backend give: run with TensorFlow installed, it writes the figures.

    python -m tests.runtime.keras.backend_figures tensorflow

`EXPRESSIONS` name the functions by `K`, and tensors of `ARRAYS`.
"""

import importlib
import json
import sys
from pathlib import Path

import numpy as np

FIGURES = Path(__file__).with_name("backend_figures.json")
ARRAYS = {
    "A": np.float32([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]]),
    "B": np.float32([[0.4, 0.3, 0.9], [0.2, 0.8, 0.5]]),
    "N": np.int32([[1, 0, 2], [2, 2, 0]]),
    "T": np.arange(24, dtype=np.float32).reshape(2, 3, 4),
    "D": np.array([[True, False, True], [False, False, True]]),
    "P": np.float32([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]]),
    "Z": np.float32([[0, 1, 0], [1, 0, 0]]),
}
EXPRESSIONS = [
    "K.mean(A)", "K.mean(A, axis=-1)", "K.mean(A, axis=0, keepdims=True)", "K.mean(D)", "K.mean(N)",
    "K.sum(A, axis=[0, 1])", "K.sum(N, axis=-1)", "K.sum(A, -1, True)", "K.max(A, axis=-1)", "K.min(A)",
    "K.prod(A, axis=0)", "K.std(A, axis=-1)", "K.var(A)", "K.var(D)", "K.any(N, axis=-1)", "K.all(A)", "K.any(D)",
    "K.argmax(A)", "K.argmin(A, axis=0)", "K.clip(A, -0.5, 1)", "K.clip(A, 1., 0.)", "K.flatten(A)",
    "K.batch_flatten(T)", "K.concatenate([A, B])", "K.concatenate([A, B], axis=0)", "K.expand_dims(A)",
    "K.expand_dims(A, 0)", "K.squeeze(K.expand_dims(A, 1), 1)", "K.permute_dimensions(T, (2, 0, 1))",
    "K.dot(A, K.transpose(B))", "K.dot(T, K.ones((4, 2)))", "K.batch_dot(T, T, axes=(2, 2))",
    "K.batch_dot(T, T, axes=1)", "K.batch_dot(A, B, axes=1)", "K.batch_dot(T, K.permute_dimensions(T, (0, 2, 1)))",
    "K.batch_dot(A, T, axes=(1, 1))", "K.batch_dot(T, A, axes=(1, 1))", "K.repeat(A, 2)",
    "K.repeat_elements(A, 2, axis=1)", "K.shape(T)", "K.zeros((2, ))", 'K.ones((2, ), dtype="int32")', "K.eye(2)",
    "K.constant([1, 2])", "K.constant(2, shape=(2, ))", "K.zeros_like(A)", "K.ones_like(N)",
    "K.l2_normalize(A, axis=-1)", "K.softmax(A)", "K.softmax(A, axis=0)", "K.relu(A)", "K.relu(A, alpha=0.1)",
    "K.relu(A, max_value=1.)", "K.relu(A, threshold=0.6)", "K.relu(A, alpha=0.1, max_value=1., threshold=0.6)",
    "K.elu(A)", "K.elu(A, alpha=0.5)", "K.sigmoid(A)", "K.hard_sigmoid(A)", "K.tanh(A)", "K.softplus(A)",
    "K.softsign(A)", "K.binary_crossentropy(Z, P)", "K.binary_crossentropy(Z, A, from_logits=True)",
    "K.categorical_crossentropy(Z, P)", "K.categorical_crossentropy(Z, A, from_logits=True)",
    "K.sparse_categorical_crossentropy(N[:, 0], P)", "K.sparse_categorical_crossentropy(N[:, 0], A, from_logits=True)",
    "K.in_top_k(P, N[:, 0], 1)", "K.one_hot(N, 3)", "K.reverse(A, axes=-1)", "K.reverse(A, [0, 1])",
    "K.switch(A>0, A, B)", "K.switch(tf.constant(True), lambda:A, lambda:B)", "K.gather(A, [1, 0])",
    'K.cast(A, "int32")', "K.cast_to_floatx(np.array([1., 2.]))", "K.cumsum(A)", "K.cumsum(A, axis=-1)",
    "K.cumprod(A, axis=1)", "K.pow(A, 2)", "K.square(A)", "K.sqrt(B)", "K.exp(A)", "K.log(B)", "K.abs(A)", "K.sign(A)",
    "K.round(A)", "K.sin(A)", "K.cos(A)", "K.maximum(A, B)", "K.minimum(A, 0.)", "K.equal(A, B)", "K.not_equal(N, 1)",
    "K.greater(A, B)", "K.greater_equal(A, B)", "K.less(A, B)", "K.less_equal(A, B)", "K.stack([A, B])",
    "K.stack([A, B], axis=-1)", "K.tile(A, [1, 2])", "K.reshape(A, (3, 2))", "K.transpose(A)", "K.arange(3)",
    "K.arange(1, 6, 2)", 'K.arange(0, 3, dtype="float32")', "K.map_fn(lambda x:x*2, A)", "K.foldl(lambda a, x:a+x, A)",
    "K.foldr(lambda a, x:a-x, A)", "K.stop_gradient(A)", "K.variable(np.array([1., 2.]))",
    "K.update(K.variable([1.]), [2.])", "K.update_add(K.variable([1.]), [2.])", "K.update_sub(K.variable([1.]), [2.])",
]  # fmt: skip


def found(tf, expression):
    """The dtype of what an expression gives, and its elements."""
    names = {name: tf.constant(array) for name, array in ARRAYS.items()}
    made = eval(expression, {"K": tf.keras.backend, "np": np, "tf": tf, **names})
    array = np.asarray(made)
    rounded = array if array.dtype.kind in "biu" else np.vectorize(lambda x: float(f"{x:.6g}"))(array)
    return [array.dtype.name, rounded.tolist()]


def main():
    tf = importlib.import_module(sys.argv[1])
    figures = {expression: found(tf, expression) for expression in EXPRESSIONS}
    FIGURES.write_text(json.dumps(figures) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
