"""Functions as graphs: concrete functions, signatures, what is known of them."""


def run(tf, see):
    @tf.function
    def affine(x, w, b=1.0):
        return tf.matmul(x, w) + b

    def concrete():
        made = affine.get_concrete_function(tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([2, 1], tf.float32))
        return [
            made(tf.ones([1, 2]), tf.ones([2, 1])),
            made(x=tf.ones([2, 2]), w=tf.ones([2, 1])),
            made.structured_outputs,
            len(made.inputs),
            [str(t.shape) for t in made.outputs],
            made.structured_input_signature[0][0],
        ]

    see("concrete", concrete)

    def wrong(*given, **named):
        made = affine.get_concrete_function(tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([2, 1], tf.float32))
        return made(*given, **named)

    see("concrete_dtype", lambda: wrong(tf.ones([1, 2], tf.int32), tf.ones([2, 1])))
    see("concrete_too_few", lambda: wrong(tf.ones([1, 2])))
    see("concrete_unknown_name", lambda: wrong(tf.ones([1, 2]), tf.ones([2, 1]), c=3))

    def names():
        graph = affine.get_concrete_function(tf.TensorSpec([1, 2], tf.float32), tf.TensorSpec([2, 1], tf.float32)).graph
        kinds = [op.type for op in graph.get_operations()]
        return graph.get_operation_by_name("x").type, graph.get_tensor_by_name("w:0").shape, "MatMul" in kinds

    see("graph", names)
    see("inside", lambda: [tf.inside_function(), tf.function(lambda: tf.inside_function())(), tf.executing_eagerly()])

    def counted():
        @tf.function
        def f(x):
            return x

        f(tf.constant(1))
        f(tf.constant(2))
        f(tf.constant(1.0))
        f(1)
        f(2)
        return f.experimental_get_tracing_count()

    see("counted", counted)

    def relaxed():
        shapes = []

        @tf.function(reduce_retracing=True)
        def f(x):
            shapes.append(str(x.shape))
            return tf.shape(x)

        return [f(tf.zeros([n, 2])) for n in (1, 2, 3, 4)], shapes

    see("relaxed", relaxed)

    def signature():
        @tf.function(input_signature=[tf.TensorSpec([None], tf.int32, name="numbers")])
        def f(x):
            print("traced", x.shape)
            return tf.reduce_sum(x)

        return f(tf.constant([1, 2])), f(tf.constant([1, 2, 3])), f([4, 5])

    see("signature", signature)

    def nested_signature():
        @tf.function(input_signature=[{"a": tf.TensorSpec([], tf.int32), "b": [tf.TensorSpec([], tf.float32)]}])
        def f(d):
            return tf.cast(d["a"], tf.float32) + d["b"][0]

        return f({"a": tf.constant(1), "b": [tf.constant(2.5)]})

    see("nested_signature", nested_signature)
    see("spec", lambda: [str(tf.TensorSpec([None, 3])), repr(tf.TensorSpec([], tf.int32, name="n"))])
    see("spec_of", lambda: repr(tf.TensorSpec.from_tensor(tf.ones([2], tf.float64))))
    see(
        "spec_compatible",
        lambda: [tf.TensorSpec([None, 3]).is_compatible_with(t) for t in (tf.ones([2, 3]), tf.ones([3]))],
    )
    see(
        "shape",
        lambda: [str(tf.TensorShape([1, None])), tf.TensorShape([2, 3]).num_elements(), tf.TensorShape(None).rank],
    )
    see("shape_merge", lambda: tf.TensorShape([None, 3]).merge_with([2, None]))
    see("shape_mismatch", lambda: tf.TensorShape([1]).merge_with([2]))
    see("shape_concat", lambda: [tf.TensorShape([1, 2]) + [3], tf.TensorShape([1, 2, 3])[1:]])

    @tf.function
    def pair(x):
        return {"sum": tf.reduce_sum(x), "parts": [x[0], (x[1], None)]}

    see("structure", lambda: pair(tf.constant([1, 2])))

    def method():
        class Scale:
            def __init__(self, by):
                self.by = by

            @tf.function
            def __call__(self, x):
                print("traced for", self.by)
                return x * self.by

        two, three = Scale(2), Scale(3)
        return [two(tf.constant(1)), three(tf.constant(1)), two(tf.constant(5))]

    see("methods", method)

    def outer():
        @tf.function
        def inner(x):
            print("inner traced")
            return x + 1

        @tf.function
        def whole(x):
            print("outer traced")
            return inner(x) + inner(x * 2)

        return whole(tf.constant(1)), whole(tf.constant(5))

    see("functions_in_functions", outer)

    def recursive():
        @tf.function
        def f(x):
            if x > 0:
                return f(x - 1) + 1
            return 0

        return f(tf.constant(3))

    def changes():
        factor = 2

        @tf.function
        def f(x):
            return x * factor

        first = f(tf.constant(1))
        factor = 10
        return first, f(tf.constant(1)), f(tf.constant(1.0))

    see("outer_values", changes)

    def leak():
        kept = []

        @tf.function
        def f(x):
            kept.append(x + 1)
            return x

        f(tf.constant(1))
        return kept[0] + 1

    see("leaked", leak)

    def failing():
        @tf.function
        def f(x):
            raise ValueError("not this one")

        return f(tf.constant(1))

    see("raises", failing)

    def fails_at_run_time():
        @tf.function
        def f(x, i):
            return tf.gather(x, i)

        return f(tf.constant([1, 2]), tf.constant(5))

    see("gather_beyond", fails_at_run_time)
    see("reshape_wrong", lambda: tf.function(lambda x, n: tf.reshape(x, [n]))(tf.ones([3]), tf.constant(2)))
    see("matmul_wrong", lambda: tf.function(tf.matmul)(tf.ones([2, 3]), tf.ones([2, 3])))
    see("divided", lambda: [tf.constant(7) / 2, tf.constant(-7) // 2, tf.constant(-7) % 3, tf.constant(7.0) // 2])
    see(
        "bool_of_tensor",
        lambda: [bool(tf.constant(True)), int(tf.constant(3)), float(tf.constant(2.5)), len(tf.ones([4, 2]))],
    )
    see("index", lambda: [[10, 20, 30][tf.constant(1)], list(range(tf.constant(3)))])
    see("bool_in_graph", lambda: tf.function(lambda x: bool(x))(tf.constant(True)))
    see("numpy_in_graph", lambda: tf.function(lambda x: x.numpy())(tf.constant(1)))

    def sessions():
        v1 = tf.compat.v1
        graph = v1.Graph()
        with graph.as_default():
            x = v1.placeholder(tf.float32, [None], name="x")
            total = v1.get_variable("total", [], initializer=v1.zeros_initializer())
            added = total.assign_add(tf.reduce_sum(x))
            with v1.Session() as session:
                session.run(v1.global_variables_initializer())
                first = session.run(added, {x: [1.0, 2.0]})
                second = session.run({"t": total, "p": [added, x * 2]}, feed_dict={x: [3.0]})
                return [first, sorted(second), second["p"][1]]

    see("session", sessions)

    def unfed():
        v1 = tf.compat.v1
        with v1.Graph().as_default(), v1.Session() as session:
            return session.run(v1.placeholder(tf.float32, []) + 1)

    see("session_unfed", unfed)
