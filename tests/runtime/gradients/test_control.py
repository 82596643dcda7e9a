"""Gradients through branches, loops, calls and recursion: eager, in a graph, around one, natively, by differences."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, lacks_native_form, load
from tests.runtime.gradients.differences import by_differences, close

# Programs of a vector `x` and a number `n`; each returns one number.
PROGRAMS = {
    "if": """
def f(x, n):
    if x[0] > 0:
        y = x * x
    else:
        y = -3.0 * x
    return tf.reduce_sum(y * x)
""",
    "if without else": """
def f(x, n):
    y = tf.sin(x)
    if n > 2:
        y = y * x
    return tf.reduce_sum(y)
""",
    "nested if": """
def f(x, n):
    if n > 2:
        if x[1] > 0:
            y = tf.exp(x)
            z = x[0]
        else:
            y = x * x
            z = tf.reduce_sum(x)
        y = y * z
    else:
        y = x
    return tf.reduce_sum(y)
""",
    "while": """
def f(x, n):
    y = x
    while tf.reduce_sum(y * y) < 50.0:
        y = y * 1.5 + tf.sin(y)
    return tf.reduce_sum(y)
""",
    "for over range": """
def f(x, n):
    y = x
    for i in tf.range(n):
        y = y * x + tf.cast(i, y.dtype)
    return tf.reduce_sum(y)
""",
    "no iteration": """
def f(x, n):
    y = x * 2.0
    for i in tf.range(n - 100):
        y = y / tf.reduce_sum(x - x)
    return tf.reduce_sum(y * x)
""",
    "break": """
def f(x, n):
    y = x
    for i in tf.range(n + 10):
        y = y * 1.3
        if tf.reduce_sum(tf.abs(y)) > 9.0:
            break
        y = y + tf.cos(x)
    return tf.reduce_sum(y * y)
""",
    "continue": """
def f(x, n):
    y = x
    for i in tf.range(n):
        if i % 2 == 1:
            continue
        y = tf.tanh(y) + x
    return tf.reduce_sum(y)
""",
    "early return": """
def f(x, n):
    y = x
    for i in tf.range(n):
        y = y * x
        if y[0] > 3.0:
            return tf.reduce_sum(y) * 2.0
    return tf.reduce_sum(y * y)
""",
    "nested loops": """
def f(x, n):
    y = x
    for i in tf.range(n):
        z = y
        for j in tf.range(i):
            z = tf.sin(z) + 0.5 * x
        y = y + z
    return tf.reduce_sum(y)
""",
    "if in a loop": """
def f(x, n):
    y, s = x, 0.0
    for i in tf.range(n):
        if y[0] > 1.0:
            y = y * 0.5
        else:
            y = y * y + x
            s = s + tf.reduce_sum(y)
    return tf.reduce_sum(y) + s
""",
    "a loop in a branch": """
def f(x, n):
    if n > 1:
        y = x
        while y[1] < 4.0:
            y = y * 2.0
    else:
        y = x
    return tf.reduce_sum(y * x)
""",
    "items of a tensor": """
def f(x, n):
    total = 0.0
    for e in x:
        total = total * e + tf.exp(e)
    return total
""",
    "an invariant of the loop": """
def f(x, n):
    w = tf.reshape(tf.concat([x, x * x], 0), [-1, 3])
    y = x
    for i in tf.range(n):
        y = tf.tanh(tf.linalg.matvec(tf.transpose(w) @ w, y)) if False else tf.tanh(y @ (tf.transpose(w) @ w))
    return tf.reduce_sum(y)
""",
    "items written": """
def f(x, n):
    y = tf.zeros([6], x.dtype)
    for i in tf.range(3):
        y[i] = x[i] * x[i]
        y[i + 3] = tf.reduce_sum(y)
    return tf.reduce_sum(y * y)
""",
    "items read and written": """
def f(x, n):
    y = x * 1.0
    for i in tf.range(n):
        y[i % 3] = tf.sin(y[(i + 1) % 3]) + x[0]
    return tf.reduce_sum(y)
""",
    "slices": """
def f(x, n):
    y = tf.concat([x, x], 0)
    for i in tf.range(3):
        y = tf.concat([y[1:], y[:1] * x[0]], 0)
        y[2:4] = y[2:4] * 2.0
    return tf.reduce_sum(y * y)
""",
    "a TensorArray": """
def f(x, n):
    a = tf.TensorArray(x.dtype, size=4)
    s = x
    for i in tf.range(4):
        s = s * 2.0 + x[0]
        a = a.write(i, s)
    return tf.reduce_sum(a.stack() ** 2) + tf.reduce_sum(a.read(1))
""",
    "a TensorArray that is read": """
def f(x, n):
    a = tf.TensorArray(x.dtype, size=n + 1, clear_after_read=False)
    a = a.write(0, x)
    for i in tf.range(n):
        a = a.write(i + 1, tf.sin(a.read(i)) * x)
    return tf.reduce_sum(a.read(n))
""",
    "a TensorArray of a tensor": """
def f(x, n):
    a = tf.TensorArray(x.dtype, size=3, clear_after_read=False).unstack(x * x)
    s = 0.0
    for i in tf.range(3):
        s = s * a.read(i) + tf.exp(a.read(2 - i))
    return s
""",
    "a growing TensorArray": """
def f(x, n):
    a = tf.TensorArray(x.dtype, size=0, dynamic_size=True)
    for i in tf.range(n):
        a = a.write(i, x * tf.cast(i, x.dtype) * x)
    return tf.reduce_sum(a.stack())
""",
    "a growing list": """
def f(x, n):
    items = []
    for i in tf.range(n):
        items.append(x * x[0] + tf.cast(i, x.dtype))
    total = 0.0
    for item in items:
        total = total + tf.reduce_sum(item * item)
    return total
""",
    "a list that is popped": """
def f(x, n):
    items = [x, x * x]
    for i in tf.range(n):
        items.append(items[-1] * x)
    last = items.pop()
    first = items.pop(0)
    return tf.reduce_sum(last * first) + tf.reduce_sum(items[0])
""",
    "rows that are sorted": """
def f(x, n):
    rows = [[x[0]], [x[1], x[2]], [x[0], x[1], x[2]]]
    for i in range(n):
        rows[i % 2].append(x[i % 3] * 2.0)
    rows.sort(key=lambda row: -len(row))
    return tf.reduce_sum(tf.stack(rows[0])) * tf.reduce_sum(tf.stack(rows[1])) + tf.reduce_sum(tf.stack(rows[2]))
""",
    "map_fn": """
def f(x, n):
    return tf.reduce_sum(tf.map_fn(lambda e: e * e * x[0], x))
""",
    "scan": """
def f(x, n):
    return tf.reduce_sum(tf.scan(lambda a, e: a * e + 1.0, x, initializer=x[0]))
""",
    "cond": """
def f(x, n):
    return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.reduce_sum(x**3), lambda: tf.reduce_sum(x))
""",
    "while_loop": """
def f(x, n):
    return tf.reduce_sum(tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, x))[1])
""",
    "switch_case": """
def f(x, n):
    return tf.switch_case(n % 3, [lambda: x[0] * x[1], lambda: tf.exp(x[2]), lambda: tf.reduce_sum(x * x)])
""",
    "a conditional expression": """
def f(x, n):
    y = x * x if n > 2 else x
    return tf.reduce_sum(y if x[0] > 0 else tf.sin(y))
""",
    "a call": """
@tf.function
def g(x, n):
    y = x
    while n > 0:
        y = y * tf.sin(x)
        n = n - 1
    return y, tf.reduce_sum(x)

def f(x, n):
    y, s = g(x, n)
    z, _ = g(y, n)
    return tf.reduce_sum(y * z) * s
""",
    "calls in a loop": """
@tf.function
def g(x, y):
    if x[0] > y[0]:
        return x * y
    return x + y * y

def f(x, n):
    y = x
    for i in tf.range(n):
        y = g(y * 0.5, x)
    return tf.reduce_sum(y)
""",
    "recursion": """
def g(x, n):
    if n <= 0:
        r = x * x
    else:
        r = x * tf.sin(g(x, n - 1))
    return r

def f(x, n):
    return tf.reduce_sum(g(x, n))
""",
    "recursion in two branches": """
def g(x, n):
    if n < 2:
        r = x
    else:
        r = g(x, n - 1) * 0.5 + g(x * x, n - 2)
    return r

def f(x, n):
    return tf.reduce_sum(g(x, n))
""",
    "a value from before a branch": """
def f(x, n):
    root = tf.sqrt(x - x)
    if n > 100:
        y = root
    else:
        y = x * x
    return tf.reduce_sum(y)
""",
    "light work in a loop": """
def f(x, n):
    y, s = x, 0.0
    for i in tf.range(n):
        h = tf.maximum(tf.expand_dims(y, 1) * x, 0.0)
        y = y + tf.where(y > x[i % 3], tf.reduce_sum(tf.transpose(h) * x, 1), 0.5 * y) * 0.125
        s = s + tf.reduce_sum(tf.reshape(h, [-1])[1:] * x[0])
    return tf.reduce_sum(y) + s
""",
    "items written with gaps": """
def f(x, n):
    a = tf.TensorArray(x.dtype, size=0, dynamic_size=True, clear_after_read=False, element_shape=[3])
    for i in tf.range(n):
        a = a.write(2 * i, x * tf.cast(i + 1, x.dtype) * x)
        a = a.write(i, x * a.read(2 * i))
    return tf.reduce_sum(a.stack() * x)
""",
    "a masked loop": """
def f(x, n):
    y = x
    for i in tf.range(n):
        y = tf.where(y < 1.0, y + 0.5 * tf.sqrt(1.0 - y) + 0.25, y)
    return tf.reduce_sum(y * x)
""",
    "where": """
def f(x, n):
    return tf.reduce_sum(tf.where(x > 100.0, tf.sqrt(x - x) / (x - x), x * x))
""",
    "an optional": """
def f(x, n):
    best = None
    for i in tf.range(n):
        if i == 1:
            best = x * x
    return tf.reduce_sum(x if best is None else best)
""",
    "integers beside": """
def f(x, n):
    count, y = 0, x
    while count < n:
        count = count + 1
        y = y * tf.cast(count, x.dtype)
    return tf.reduce_sum(y) / tf.cast(count + 1, x.dtype)
""",
    "a state that others pass on": """
def f(x, n):
    a, b, c = x, x * 2.0, x * 3.0
    for i in tf.range(n):
        a, b, c = b, c * 0.5, a * x
    return tf.reduce_sum(a)
""",
    "a stopped gradient": """
def f(x, n):
    y = x
    for i in tf.range(n):
        y = y * tf.stop_gradient(y - y + 2.0) + x
    return tf.reduce_sum(y)
""",
}  # fmt: skip
X = np.array([0.7, 1.3, 0.4])


def programs():
    return [pytest.param(text, id=name.replace(" ", "-")) for name, text in PROGRAMS.items()]


def gradient(f, x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, n)
    return tape.gradient(y, x, unconnected_gradients="zero")


def plain(f):
    return lambda x: float(f(tf.constant(x), tf.constant(4)))


@pytest.mark.parametrize("text", programs())
def test_at_once(text):
    f = load(text, tf=tf)
    if "y[" in text and "] =" in text:
        pytest.skip("tensors at hand are not written to")
    close(gradient(f, tf.constant(X), tf.constant(4)), wanted(text))


def wanted(text):
    graph = tf.function(load(text, tf=tf), jit_compile=False)
    return by_differences(plain(graph), [X], 0)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("around", [False, True], ids=["inside", "around"])
@pytest.mark.parametrize("size", [3, None], ids=["known", "open"])
@pytest.mark.parametrize("text", programs())
def test_in_a_graph(text, size, around, jit_compile):
    f = load(text, tf=tf)
    specs = [tf.TensorSpec([size], tf.float64), tf.TensorSpec([], tf.int32)]
    try:
        if around:
            function = tf.function(f, jit_compile=jit_compile, input_signature=specs)
            found = gradient(function, tf.constant(X), tf.constant(4))
        else:
            function = tf.function(lambda x, n: gradient(f, x, n), jit_compile=jit_compile, input_signature=specs)
            found = function(tf.constant(X), tf.constant(4))
    except tf.errors.InvalidArgumentError as error:
        if not (jit_compile and lacks_native_form(error, unknown=size is None)):
            raise
        return
    assert found.dtype == tf.float64 and found.shape == [3]
    close(found, wanted(text))


@pytest.mark.parametrize("text", programs())
def test_twice(text):
    """The second derivative, by differences of the first."""
    f = load(text, tf=tf)

    def slope(x):
        g = gradient(f, x, tf.constant(4))
        return tf.reduce_sum(g * tf.constant([1.0, -0.5, 2.0], tf.float64))

    first = tf.function(slope, jit_compile=False)
    second = tf.function(lambda x: gradient(lambda y, _: slope(y), x, 0), jit_compile=False)
    close(second(tf.constant(X)), by_differences(lambda x: float(first(tf.constant(x))), [X], 0), 1e-4)


def test_a_loop_keeps_what_light_work_starts_from_and_not_what_it_makes():
    def f(x):
        y = x
        for i in tf.range(5):
            h = tf.nn.relu(tf.matmul(y, tf.transpose(x)))
            y = tf.sin(tf.matmul(tf.where(h > 0.5, h, 0.5), x[i] * x))
        return tf.reduce_sum(y)

    function = tf.function(lambda x: tf.gradients(f(x), x), input_signature=[tf.TensorSpec([5, 3])])
    kept = [
        line.split(" = ")[0].strip()
        for line in str(function.get_concrete_function().graph).splitlines()
        if "written(" in line
    ]
    assert len(kept) == 4, kept  # y, the product under `relu`, that under `sin`, and i
