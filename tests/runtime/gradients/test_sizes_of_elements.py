"""Gradients through lists and TensorArrays whose elements have sizes of their own."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import load
from tests.runtime.gradients.differences import by_differences, close

PROGRAMS = {
    "slices": """
def f(x, n):
    rows = []
    for i in range(n): rows.append(x[:i + 1])
    s = x[0] * 0.0
    for r in rows: s = s + tf.reduce_sum(r * r)
    return s
""",
    "one": """
def f(x, n):
    l = []
    for i in range(n): l.append(x[:1] if i % 2 else x)
    s = x[0] * 0.0
    for r in l: s = s + tf.reduce_sum(r * r)
    return s
""",
    "ta": """
def f(x, n):
    a = tf.TensorArray(x.dtype, size=n, element_shape=[None], infer_shape=False, clear_after_read=False)
    for i in tf.range(n):
        a = a.write(i, x[:i + 1] * x[0])
    s = x[0] * 0.0
    for i in tf.range(n):
        s = s + tf.reduce_sum(a.read(i) * a.read(n - 1 - i)[:1])
    return s
""",
    "written anew": """
def f(x, n):
    l = [x[:1], x[:2]]
    for i in range(n):
        l.append(x[:i % 3 + 1])
        l[i % 2] = x[i % 2:] * tf.reduce_sum(l[i % 3 % 2])
    s = x[0] * 0.0
    for r in l: s = s + tf.reduce_sum(r * r)
    return s
""",
    "index": """
def f(x, n):
    l = [x[:1], x[:2], x[:3]]
    s = x[0] * 0.0
    for i in range(n): s = s + tf.reduce_sum(l[i % 3]**2)
    return s
""",
    "last": """
def f(x, n):
    l = []
    for i in range(n): l.append(x[i:] * 2.0)
    return tf.reduce_sum(l[-1]**2) + tf.reduce_sum(l[0])
""",
    "popped": """
def f(x, n):
    l = [x]
    s = x[0] * 0.0
    for i in range(n):
        l.append(x[i:] * 2.0)
        s = s + tf.reduce_sum(l.pop(0)**2)
    l.insert(0, x[1:] * x[2])
    return s + tf.reduce_sum(l[0]) * tf.reduce_sum(l[1])
""",
    "split": """
def f(x, n):
    a = tf.TensorArray(tf.float64, size=2, element_shape=[None], infer_shape=False).split(x, [n, 4-n])
    return tf.reduce_sum(a.read(0)**2) + 2*tf.reduce_sum(a.read(1)**3)
""",
    "split one": """
def f(x, n):
    a = tf.TensorArray(tf.float64, size=2, element_shape=[None], infer_shape=False).split(x, [n, 4-n])
    return tf.reduce_sum(a.read(0)**2)
""",
    "gap": """
def f(x, n):
    y = tf.TensorArray(tf.float64, size=2, element_shape=[4]).write(0, x).concat()
    return tf.reduce_sum(y * y)
""",
    "stack": """
def f(x, n):
    l = []
    for i in range(n): l.append(x[i:i+2] * 2.0)
    return tf.reduce_sum(tf.stack(l[:2])**2) if n > 3 else tf.reduce_sum(l[0])
""",
    "slice": """
def f(x, n):
    l = []
    for i in range(n): l.append(x[:i + 1])
    m = l[1:]
    s = x[0] * 0.0
    for r in m: s = s + tf.reduce_sum(r * r)
    return s
""",
    "slots": """
def f(x, n):
    l = []
    for i in range(n): l.append(x[:i + 1])
    m = l + l[::-1]
    l.extend(m)
    s = x[0] * 0.0
    for i, r in enumerate(l): s = s + tf.reduce_sum(r * r) * float(i)
    return s
""",
}  # fmt: skip
X = np.array([0.7, 1.3, 0.4, 1.1])


def gradient(f, x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, n)
    return tape.gradient(y, x, unconnected_gradients="zero")


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradient(name, n):
    f = load(PROGRAMS[name], tf=tf)
    plain = tf.function(f, jit_compile=False)
    wanted = by_differences(lambda x: float(plain(tf.constant(x), tf.constant(n))), [X], 0)
    specs = [tf.TensorSpec([4], tf.float64), tf.TensorSpec([], tf.int32)]
    close(gradient(f, tf.constant(X), n), wanted)
    for jit_compile in (False, True):
        inside = tf.function(lambda x, n: gradient(f, x, n), input_signature=specs, jit_compile=jit_compile)
        close(inside(tf.constant(X), tf.constant(n)), wanted)
        around = tf.function(f, jit_compile=jit_compile)
        close(gradient(around, tf.constant(X), tf.constant(n)), wanted)
