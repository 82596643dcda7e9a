"""A program of a user who checks types: what it does is of no matter, a type checker has to find nothing."""

# mypy: warn-return-any, warn-unused-ignores

from __future__ import annotations

from typing import assert_type

import numpy as np

import autograph
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


# A signature is what it was, whatever is put around the function.


@tf.function
def power(base: float, exponent: int = 2) -> float:
    return base**exponent


@tf.function(jit_compile=False)
def name(of: str, *more: int) -> str:
    return of


@autograph.convert
def half(number: int) -> float:
    return number / 2


@autograph.convert(recursive=False)
def third(number: int) -> float:
    return number / 3


class Counter:
    @tf.function
    def after(self, steps: int) -> int:
        return steps


assert_type(power(1.5, exponent=3), float)
assert_type(name("a", 1, 2), str)
assert_type(half(1), float)
assert_type(third(1), float)
assert_type(autograph.to_graph(half)(1), float)
assert_type(autograph.do_not_convert(half)(1), float)
assert_type(tf.function(half)(1), float)
assert_type(Counter().after(3), int)
assert_type(Counter.after(Counter(), 3), int)


def wrong() -> None:
    """Calls that a type checker refuses."""
    power("a")  # type: ignore[arg-type]
    power(1.0, power=2)  # type: ignore[call-arg]
    name(1)  # type: ignore[arg-type]
    half("a")  # type: ignore[arg-type]
    third()  # type: ignore[call-arg]
    Counter().after("a")  # type: ignore[arg-type]
