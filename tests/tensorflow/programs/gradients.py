"""Tapes: in functions, around them, of loops, of higher order."""

import numpy as np


def run(tf, see):
    F = tf.function
    c = tf.constant

    @F
    def add(a, b):
        return a + b

    see("add", lambda: add([1, 2], [3, 8]))

    @F
    def dense(x, w, b):
        return add(tf.matmul(x, w), b)

    see("dense", lambda: dense(tf.ones([3, 2]), tf.ones([2, 2]), tf.ones([2])))

    def tape():
        w = tf.Variable(np.ones((3, 2)), dtype=tf.float32)
        b = tf.Variable(np.zeros(2), dtype=tf.float32)
        with tf.GradientTape() as t:
            y = dense([[1.0, 2.0, 3.0]], w, b)
        return t.gradient(y, [w, b])

    see("tape", tape)

    def rnn():
        x = tf.reshape(tf.range(24, dtype=tf.float32), [2, 4, 3]) / 10
        w = tf.Variable(tf.eye(3) * 0.5)

        @F
        def step(x, n):
            x = tf.transpose(x, [1, 0, 2])
            out = tf.TensorArray(tf.float32, size=4)
            s = tf.zeros([2, 3])
            for i in tf.range(n):
                s = tf.tanh(tf.matmul(s, w) + x[i])
                out = out.write(i, s)
            return tf.transpose(out.stack(), [1, 0, 2])

        with tf.GradientTape() as t:
            l = tf.reduce_sum(step(x, c(4)))
        return l, t.gradient(l, w)

    see("rnn", rnn)

    def inside():
        v = tf.Variable(3.0)

        @F
        def g(x):
            with tf.GradientTape() as t:
                y = v * v * x
                if x > 2:
                    y = y * 2.0
            return t.gradient(y, v)

        return [g(c(1.0)), g(c(3.0))]

    see("inside", inside)

    def second():
        x = c(3.0)
        with tf.GradientTape() as t2:
            t2.watch(x)
            with tf.GradientTape() as t1:
                t1.watch(x)
                y = x**3
            d = t1.gradient(y, x)
        return d, t2.gradient(d, x)

    see("second", second)

    def persistent():
        x = c(3.0)
        with tf.GradientTape(persistent=True) as t:
            t.watch(x)
            y = x * x
            z = y * y
        return t.gradient(z, x), t.gradient(y, x)

    see("persistent", persistent)

    def used_twice():
        x = c(3.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
        return t.gradient(y, x), t.gradient(y, x)

    see("used_twice", used_twice)
    see(
        "none",
        lambda: (lambda v, w: [(lambda t: t.gradient(v * 2.0, w))(t) for t in [tf.GradientTape()]] if False else None)(
            0, 0
        ),
    )

    def unconnected():
        a, b = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape(persistent=True) as t:
            y = a * 2.0
        return t.gradient(y, b), t.gradient(y, b, unconnected_gradients="zero"), t.gradient(y, {"a": a, "b": b})

    see("unconnected", unconnected)

    def ints():
        x = c(3)
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
        return t.gradient(y, x)

    see("ints", ints)

    def jac():
        x = c([1.0, 2.0, 3.0])
        with tf.GradientTape() as t:
            t.watch(x)
            y = x**2
        return t.jacobian(y, x)

    see("jacobian", jac)

    def bjac():
        x = c([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as t:
            t.watch(x)
            y = x**2
        return t.batch_jacobian(y, x)

    see("batch_jacobian", bjac)

    def stop():
        v = tf.Variable(2.0)
        with tf.GradientTape() as t:
            y = v * v
            with t.stop_recording():
                z = v * 10.0
            y = y + z + tf.stop_gradient(v) * v
        return t.gradient(y, v)

    see("stop", stop)

    def gather():
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        with tf.GradientTape() as t:
            y = tf.reduce_sum(tf.gather(v, [0, 2, 0]) * 2.0)
        return tf.convert_to_tensor(t.gradient(y, v))

    see("gather", gather)

    @tf.custom_gradient
    def clip(x):
        def grad(dy):
            return tf.clip_by_value(dy, -1.0, 1.0)

        return x * 5.0, grad

    def custom():
        x = c([1.0, 2.0])
        with tf.GradientTape() as t:
            t.watch(x)
            y = clip(x) * c([0.1, 10.0])
        return y, t.gradient(y, x)

    see("custom", custom)

    def whileg():
        x = c(1.1)

        @F
        def f(x):
            y = x
            while y < 10.0:
                y = y * x + 1.0
            return y

        with tf.GradientTape() as t:
            t.watch(x)
            y = f(x)
        return y, t.gradient(y, x)

    see("while", whileg)
    see("tf_gradients", lambda: F(lambda x: tf.gradients(x * x + x, x))(c(3.0)))
    see("tf_gradients_eager", lambda: tf.gradients(c(3.0) * 2, c(3.0)))

    def train():
        w = tf.Variable(5.0)

        @F
        def loop(n):
            for i in tf.range(n):
                with tf.GradientTape() as t:
                    l = (w - 2.0) ** 2
                w.assign_sub(0.1 * t.gradient(l, w))
            return w.read_value()

        return loop(c(20))

    see("train", train)

    def hess():
        v = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = tf.reduce_sum(v**3)
            g = t1.gradient(y, v)
        return t2.jacobian(g, v)

    see("hessian", hess)

    def accum():
        v = tf.Variable(1.0)
        with tf.GradientTape(watch_accessed_variables=False) as t:
            y = v * 2.0
        return t.gradient(y, v), [w.name for w in t.watched_variables()]

    see("not_accessed", accum)

    def outputs():
        x = c([1.0, 2.0])
        with tf.GradientTape() as t:
            t.watch(x)
            y = [x * 2.0, x * x]
        return t.gradient(y, x, output_gradients=[c([1.0, 1.0]), c([10.0, 100.0])])

    see("output_gradients", outputs)

    def reset():
        x = c(2.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
            t.reset()
            t.watch(x)
            z = x * 3.0
        return t.gradient(z, x)

    see("reset", reset)
