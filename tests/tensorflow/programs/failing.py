"""What operations raise, at once and in graphs that know the shapes only when they run."""


def run(tf, see):
    V, M, I = (tf.TensorSpec([None] * rank, tf.float32) for rank in (1, 2, 4))
    ones, variable = tf.ones, tf.Variable([1.0, 2.0], shape=[2])
    cases = {
        "add": (lambda x, y: x + y, [V, V], [ones([2]), ones([3])]),
        "matmul": (lambda x, y: x @ y, [M, M], [ones([2, 3]), ones([2, 3])]),
        "concat": (lambda x, y: tf.concat([x, y], 0), [M, M], [ones([2, 3]), ones([2, 2])]),
        "stack": (lambda x, y: tf.stack([x, y]), [V, V], [ones([2]), ones([3])]),
        "gather": (lambda x: tf.gather(x, [5]), [V], [ones([2])]),
        "index": (lambda x: x[5], [V], [ones([2])]),
        "split": (lambda x: tf.split(x, 2), [V], [ones([3])]),
        "squeeze": (lambda x: tf.squeeze(x, 0), [M], [ones([2, 3])]),
        "broadcast": (lambda x: tf.broadcast_to(x, [4]), [V], [ones([2])]),
        "where": (lambda x, y: tf.where(x > 0, x, y), [V, V], [ones([2]), ones([3])]),
        "inverse": (tf.linalg.inv, [M], [tf.zeros([2, 2])]),
        "inverse of no square": (tf.linalg.inv, [M], [tf.zeros([2, 3])]),
        "solve": (tf.linalg.solve, [M, M], [tf.zeros([2, 2]), ones([2, 1])]),
        "einsum": (lambda x, y: tf.einsum("ij,jk->ik", x, y), [M, M], [ones([2, 3]), ones([2, 3])]),
        "tensordot": (lambda x, y: tf.tensordot(x, y, 1), [M, M], [ones([2, 3]), ones([2, 3])]),
        "slice": (lambda x: tf.slice(x, [1], [5]), [V], [ones([3])]),
        "scatter": (lambda x: tf.tensor_scatter_nd_update(x, [[7]], [1.0]), [V], [ones([3])]),
        "conv2d": (lambda x, y: tf.nn.conv2d(x, y, 1, "VALID"), [I, I], [ones([1, 4, 4, 2]), ones([2, 2, 3, 1])]),
        "top_k": (lambda x: tf.math.top_k(x, 5)[0], [V], [ones([3])]),
        "ensure_shape": (lambda x: tf.ensure_shape(x, [2]), [V], [ones([3])]),
        "range": (lambda x: tf.range(0.0, x[0], x[1]), [V], [tf.constant([3.0, 0.0])]),
        "zeros": (lambda x: tf.zeros([tf.cast(x[0], tf.int32)]), [V], [tf.constant([-3.0])]),
        "assign": (lambda x: variable.assign(x) + 0.0, [V], [ones([3])]),
        "segments": (lambda x: tf.math.segment_sum(x, [1, 0]), [V], [ones([2])]),
        "argmax": (tf.argmax, [V], [ones([0])]),
        "reshape": (lambda x: tf.reshape(x, [2, -1]), [V], [ones([3])]),
        "mirror": (lambda x: tf.pad(x, [[1, 1]], "REFLECT"), [V], [ones([1])]),
        "logits": (tf.nn.softmax_cross_entropy_with_logits, [M, M], [ones([2, 3]), ones([2, 4])]),
        "labels": (lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([5, 0], x), [M], [ones([2, 3])]),
    }
    for name, (function, specs, args) in cases.items():
        graph = tf.function(lambda *x, f=function: f(*x), input_signature=specs)
        see(name, lambda: function(*args))
        see(f"{name} graph", lambda: graph(*args))

        def caught():
            try:
                return graph(*args)
            except tf.errors.InvalidArgumentError as error:
                return isinstance(error, tf.errors.OpError)

        see(f"{name} caught", caught)

    @tf.function(input_signature=[M])
    def inside(x):
        return tf.py_function(lambda y: y.numpy() @ y.numpy(), [x], tf.float32)

    see("its own", lambda: inside(ones([2, 3])))
