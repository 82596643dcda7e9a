"""What does not go together and is refused, where going on would give something else; and what then goes together."""

import numpy as np


def run(tf, see):
    c = tf.constant
    x, two = c([1.0, 2.0, 3.0]), c([[1.0, 2.0], [3.0, 4.0]])

    def both(what, function):
        see(what, function)
        see(f"{what}, in a graph", lambda: tf.function(function)())

    both("a float chooses", lambda: tf.switch_case(c(1.0), [lambda: c(10), lambda: c(20)]))
    both("a bool chooses", lambda: tf.switch_case(c(True), [lambda: c(10), lambda: c(20)]))
    both("a number chooses", lambda: tf.switch_case(c(1), [lambda: c(10), lambda: c(20)]))
    both("map of another shape", lambda: tf.map_fn(lambda v: v, x, fn_output_signature=tf.TensorSpec([2], tf.float32)))
    both("map of a shape", lambda: tf.map_fn(lambda v: v, two, fn_output_signature=tf.TensorSpec([None], tf.float32)))
    both("map of a float", lambda: tf.map_fn(lambda v: 0.5, x))
    both(
        "map of a loop", lambda: tf.map_fn(lambda v: tf.while_loop(lambda i: i < v, lambda i: (i + 1.0,), (0.0,))[0], x)
    )
    see("map of uneven tensors", lambda: tf.map_fn(lambda t: t[0], (x, x[:1]), fn_output_signature=tf.float32))
    see("map of uneven tensors, in a graph", lambda: tf.function(
        lambda a, b: tf.map_fn(lambda t: t[0], (a, b), fn_output_signature=tf.float32))(x, x[:1]))  # fmt: skip
    both("another structure", lambda: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, [s]), (c(0), c(0))))
    both("too few invariants", lambda: tf.while_loop(
        lambda i, s: i < 3, lambda i, s: (i + 1, s), (c(0), x), shape_invariants=(tf.TensorShape([]),)))  # fmt: skip
    see("too many for an array", lambda: tf.TensorArray(tf.float32, 2).unstack(x).stack())
    see("too few for an array", lambda: tf.TensorArray(tf.float32, 4).unstack(x).stack())
    see("an array that grows", lambda: tf.TensorArray(tf.float32, 0, dynamic_size=True).unstack(x).stack())

    def slope_of(**options):
        v = tf.Variable(3.0, **options)
        with tf.GradientTape() as tape:
            y = v * v
        return v.trainable, tape.gradient(y, v)

    see("trainable", lambda: [slope_of(trainable=how) for how in (None, True, False)])
    see("trainable by default", slope_of)

    def fitted(**options):
        model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1, kernel_initializer="ones")])
        model.compile(tf.keras.optimizers.SGD(0.1, **options), "mse")
        history = model.fit(np.eye(2), np.ones([2, 1]), epochs=3, verbose=0)
        return history.history["loss"], model.get_weights()

    see("a loss that is scaled", lambda: [fitted(), fitted(loss_scale_factor=8.0)])
