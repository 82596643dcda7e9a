"""What programs begin with, and smaller functions of networks."""

import numpy as np


def run(tf, see):
    c, F, N = tf.constant, tf.function, tf.nn
    rs = np.random.RandomState(0)
    x = rs.rand(2, 5, 6, 7)
    v = rs.rand(3, 4)

    def both(name, f, *args):
        """At once, in a graph, in one that knows ranks alone; and the slope."""
        see(name, lambda: f(*map(c, args)))
        specs = [tf.TensorSpec([None] * (a.ndim - 1) + [a.shape[-1]], a.dtype) for a in args]
        see(f"{name} open", lambda: F(f, input_signature=specs)(*map(c, args)))

        def slope():
            given = [c(a) for a in args]
            with tf.GradientTape() as tape:
                tape.watch(given)
                made = tf.concat(
                    [tf.cast(tf.reshape(part, [-1]), tf.float64) for part in tf.nest.flatten(f(*given))], 0
                )
                loss = tf.reduce_sum(made * tf.linspace(c(1.0, tf.float64), 2.0, tf.size(made)))
            return tape.gradient(loss, given)

        see(f"{name} slope", slope)

    see("logger", lambda: tf.get_logger().setLevel("ERROR"))
    see("old logger", lambda: tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR))
    see("old level", lambda: tf.compat.v1.logging.get_verbosity())
    see("gpu", lambda: [tf.test.is_gpu_available(), tf.test.gpu_device_name(), tf.test.is_built_with_cuda()])
    see("scope", lambda: tf.get_current_name_scope())

    def scopes():
        with tf.name_scope("a"), tf.name_scope("b"):
            return tf.get_current_name_scope()

    see("scopes", scopes)

    class Case(tf.test.TestCase):
        def runTest(self):
            self.assertAllEqual(c([1, 2]), [1, 2])
            self.assertAllClose({"a": c([1.0])}, {"a": np.array([1.0 + 1e-7])})
            self.assertNotAllClose([1.0], [1.1])
            self.assertShapeEqual(np.zeros([2]), tf.zeros([2]))
            self.assertAllInRange(c([0.5]), 0, 1)
            return self.evaluate([c(1), {"b": tf.Variable(2.0)}])

    see("case", lambda: Case().runTest())
    for name, check in (
        ("equal", lambda case: case.assertAllEqual([1], [2])),
        ("equal shape", lambda case: case.assertAllEqual([1, 1], 1)),
        ("close", lambda case: case.assertAllClose([1.0], [1.1])),
        ("close keys", lambda case: case.assertAllClose({"a": 1.0}, {"b": 1.0})),
        ("not close", lambda case: case.assertNotAllClose([1.0], [1.0])),
        ("range", lambda case: case.assertAllInRange([2.0], 0, 1)),
    ):
        see(f"case {name}", lambda: check(Case()))

    both("lrn", lambda a: N.local_response_normalization(tf.cast(a, tf.float32), 2, 1.5, 0.3, 0.7), x)
    see("lrn default", lambda: N.lrn(c(x, tf.float32)))
    both("weighted_moments", lambda a, w: N.weighted_moments(a, [0], w), v, rs.rand(3, 4))
    both("weighted_moments wide", lambda a, w: N.weighted_moments(a, [0, 1], w, keepdims=True), v, rs.rand(3, 1))
    for shift in (None, c(0.25, tf.float64)):
        both(f"sufficient {shift is None}", lambda a, s=shift: N.sufficient_statistics(a, [0], s)[:3], v)
        both(
            f"normalized {shift is None}",
            lambda a, s=shift: N.normalize_moments(*N.sufficient_statistics(a, [1], s)),
            v,
        )
    both("average loss", lambda a: N.compute_average_loss(a), v[0])
    both("average loss weights", lambda a, w: N.compute_average_loss(a, w, global_batch_size=8), v[0], v[1])
    both("regularization", lambda a: N.scale_regularization_loss(a), v[0])
    for padding in ("VALID", "SAME"):
        for stride, rate in ((1, 1), (2, 1), (1, 2)):
            options = [1, stride, stride, 1], padding, "NHWC", [1, rate, rate, 1]
            f = rs.rand(2, 3, 7)
            both(f"dilation {padding} {stride} {rate}", lambda a, f=f, o=options: N.dilation2d(a, f, *o), x)
            both(f"erosion {padding} {stride} {rate}", lambda a, f=f, o=options: N.erosion2d(a, f, *o), x)
            both(
                f"filters {padding} {stride} {rate}",
                lambda f, o=options: N.erosion2d(c(x), tf.ensure_shape(f, [2, 3, 7]), *o),
                f,
            )
    see("dilation format", lambda: N.dilation2d(c(x), c(x[0, :2, :2]), [1] * 4, "SAME", "NCHW", [1] * 4))
    for block, edges in (([2], [[1, 0]]), ([2, 3], [[0, 1], [0, 0]]), ([1, 2], [[0, 0], [2, 0]])):
        both(f"space_to_batch {block}", lambda a, b=block, e=edges: tf.space_to_batch(a, b, e), x)
        both(
            f"batch_to_space {block}",
            lambda a, b=block, e=edges: tf.batch_to_space(tf.space_to_batch(a, b, e), b, e),
            x,
        )
    see("space_to_batch odd", lambda: tf.space_to_batch(c(x), [2], [[0, 0]]))
    see("batch_to_space odd", lambda: tf.batch_to_space(c(x), [3], [[0, 0]]))
    see("space_to_batch nn", lambda: N.space_to_batch(c(x), [5], [[0, 0]]))
    for name in ("bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e"):
        both(name, getattr(tf.math, name), np.array([0.0, 0.5, -3.0, 19.9, 20.1, 80.0]))
        see(f"{name} small", lambda: getattr(tf.math, name)(c([0.0, 1e-3, -7.0])))
        see(f"{name} integers", lambda: getattr(tf.math, name)(c([1, 2])))

    both("pass through", lambda a: tf.grad_pass_through(tf.round)(a) * 3.0, v)
    weight = tf.Variable(2.0, dtype=tf.float64)
    both("pass through weight", lambda a: tf.grad_pass_through(lambda y: y * weight)(a), v)
    see("eigvals", lambda: tf.sort(tf.math.real(tf.eigvals(c([[2.0, 0.0], [1.0, 3.0]])))))
    see("matrix_square_root", lambda: tf.matrix_square_root(c([[4.0, 0.0], [0.0, 9.0]])))

    a, b = tf.keras.Input([3], name="a"), tf.keras.Input([2], name="b")
    joined = tf.keras.layers.Concatenate(name="joined")([a, b])
    model = tf.keras.Model([a, b], [joined, tf.keras.layers.Dense(1, name="score")(joined)])
    see("output_names", lambda: model.output_names)
    see("input_names", lambda: [t.name for t in model.inputs])
