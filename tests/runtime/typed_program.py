"""A program of a user who checks types: what it does is of no matter, a type checker has to find nothing."""

# mypy: warn-return-any

from __future__ import annotations

import numpy as np

import runtime as tf


class Layer:
    def __init__(self, units: int) -> None:
        self.w = tf.Variable(tf.random.normal([3, units], stddev=0.1))
        self.b = tf.Variable(tf.zeros([units]))

    @tf.function
    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return tf.nn.relu(x @ self.w + self.b)


@tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
def total(x: tf.Tensor) -> tf.Tensor:
    result = tf.constant(0)
    for item in x:
        if item > 2:
            result += item
    return result


def rows(n: int) -> list[tf.Tensor]:
    array = tf.TensorArray(tf.float32, size=n)
    for i in range(n):
        array = array.write(i, tf.cast(i, tf.float32) ** 2)
    return tf.unstack(array.stack())


layer = Layer(4)
x = tf.constant(np.ones((2, 3), np.float32))
y = layer(x)
shown = [y.shape[0], y.numpy(), float(tf.reduce_sum(y)), int(tf.argmax(y[0])), -y, 1 - y, y[:, None], y[..., 0]]
a, b = tf.split(tf.range(6), 2)
n = tf.shape(x)[0]
z = tf.reshape(x, [n, -1]) + tf.ones([n, 3]) * tf.fill(tf.shape(x), 2.0)
q = tf.where(z > 1, z, 0.0)
e = tf.concat([x, x], axis=0)
s = tf.stack([tf.reduce_sum(r) for r in rows(3)])
t = tf.reduce_mean(x, axis=[0, 1])
u = tf.transpose(x, [1, 0])
w: tf.Tensor = tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), [tf.constant(0)])[0]
v = layer.w.assign_add(tf.zeros_like(layer.w))
g = tf.gather(x, [0, 1])
o = tf.one_hot([1, 2], 3)
m = tf.matmul(x, u)
ok = tf.equal(x, x)
k = tf.sqrt(2.0) + tf.maximum(x, 0) + tf.abs(x) + tf.pow(x, 2)
d = tf.as_dtype("float32") == tf.float32
for batch in tf.data.Dataset.from_tensor_slices(np.arange(4)).shuffle(4).batch(2):
    tf.print(batch)
tf.debugging.assert_equal(x, x)
tf.pad(x, [[1, 1], [0, 0]])
tf.linalg.norm(x, ord=np.inf)
tf.expand_dims(x, -1)
tf.clip_by_value(x, 0, 1)
if tf.reduce_any(x > 0):
    pass
h = tf.cond(tf.constant(True), lambda: x, lambda: -x)
tf.Variable(lambda: tf.zeros([2]))
f = total.get_concrete_function()
