"""Variables, modules and the functions that hold them."""


def run(tf, see):
    def assignments():
        v = tf.Variable([1.0, 2.0], name="v")
        first = v.assign([3.0, 4.0])
        return [first, v.assign_add([1.0, 1.0]), v.assign_sub([0.5, 0.5]), v.read_value(), v.name, v.shape, v.trainable]

    see("assign", assignments)
    see("printed", lambda: [str(tf.Variable(1.5, name="a")), repr(tf.Variable([1, 2], name="b"))])
    see("arithmetic", lambda: [tf.Variable(2.0) * 3, 1 - tf.Variable(2.0), -tf.Variable([1]), tf.Variable([1, 2])[0]])
    see("wrong_shape", lambda: tf.Variable([1.0, 2.0]).assign([1.0]))
    see("wrong_dtype", lambda: tf.Variable(1).assign(2.5))
    see("any_shape", lambda: tf.Variable([1.0], shape=tf.TensorShape([None])).assign([1.0, 2.0]))
    see("dtype", lambda: tf.Variable(1, dtype=tf.float64))
    see("from_call", lambda: tf.Variable(lambda: tf.ones([2])))
    see("hash", lambda: {tf.Variable(1.0): 1})
    see("bool", lambda: bool(tf.Variable(1)))
    see("len", lambda: len(tf.Variable([1, 2, 3])))
    see("iterate", lambda: list(tf.Variable([1, 2])))
    see("truth", lambda: [tf.Variable(1) == tf.Variable(1), tf.Variable([1, 2]) > 1])

    def parts():
        v = tf.Variable([1, 2, 3, 4])
        v[1].assign(20)
        v[2:].assign([30, 40])
        return v

    see("parts", parts)

    def scattered():
        v = tf.Variable([1, 2, 3, 4])
        v.scatter_nd_update([[0], [2]], [9, 8])
        v.scatter_nd_add([[0]], [1])
        v.scatter_update(tf.IndexedSlices(tf.constant([7]), tf.constant([3])))
        return v, v.gather_nd([[0]]), v.sparse_read([1])

    see("scattered", scattered)

    def rebound():
        v = tf.Variable(1.0)
        w = v
        w += 1.0
        return v, w

    see("augmented", rebound)

    def made_inside():
        @tf.function
        def f(x):
            v = tf.Variable(1.0)
            return v + x

        return f(tf.constant(1.0))

    see("made_at_each_call", made_inside)

    def made_once():
        class Counter:
            def __init__(self):
                self.v = None

            @tf.function
            def __call__(self, x):
                if self.v is None:
                    self.v = tf.Variable(0.0)
                return self.v.assign_add(x)

        counter, other = Counter(), Counter()
        return [counter(tf.constant(1.0)), counter(tf.constant(2.0)), other(tf.constant(5.0))]

    see("made_once", made_once)

    @tf.function
    def doubled(v):
        v.assign(v * 2)
        return v

    see("in_function", lambda: [doubled(v) for v in [tf.Variable(3)] for _ in range(2)])

    @tf.function
    def guarded(v, x):
        while v < x:
            v.assign_add(1)
            if v == 3:
                v.assign(10)
        return v.read_value(), x

    see("loop", lambda: [guarded(tf.Variable(0), tf.constant(8)), guarded(tf.Variable(4), tf.constant(6))])

    class Dense(tf.Module):
        def __init__(self, size, name=None):
            super().__init__(name=name)
            self.w = tf.Variable(tf.ones([2, size]), name="w")
            self.b = tf.Variable(tf.zeros([size]), name="b", trainable=False)

        def __call__(self, x):
            return tf.matmul(x, self.w) + self.b

    class Net(tf.Module):
        def __init__(self):
            super().__init__(name="net")
            self.layers = [Dense(2, "one"), Dense(1)]
            self.by_name = {"z": tf.Variable(1.0, name="z"), "a": tf.Variable(2.0, name="a")}

        @tf.function
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x * self.by_name["a"]

        @tf.Module.with_name_scope
        def scoped(self):
            return tf.Variable(1.0, name="v").name

    def module():
        net = Net()
        return {
            "called": net(tf.constant([[1.0, 2.0]])),
            "variables": [v.name for v in net.variables],
            "trainable": [v.name for v in net.trainable_variables],
            "fixed": [v.name for v in net.non_trainable_variables],
            "submodules": [m.name for m in net.submodules],
            "name": [net.name, net.scoped()],
        }

    see("module", module)

    def late():
        net = Net()
        net.more = Dense(1, "late")
        before = len(net.variables)
        del net.by_name
        return before, len(net.variables), [m.name for m in net.submodules]

    see("module_changes", late)

    def captured():
        v = tf.Variable(1.0, name="captured")
        f = tf.function(lambda x: x * v)
        concrete = f.get_concrete_function(tf.TensorSpec([], tf.float32))
        v.assign(4.0)
        return concrete(tf.constant(2.0)), [w.name for w in concrete.variables], len(concrete.captured_inputs)

    see("captured", captured)

    def condition():
        a, b = tf.Variable(1.0), tf.Variable(2.0)

        @tf.function
        def f(first):
            v = a if first else b
            v.assign_add(10.0)
            return v.read_value()

        return [f(True), f(False), a, b]

    see("chosen_by_python", condition)

    def ordered():
        v = tf.Variable(0)

        @tf.function
        def f():
            a = v + 1
            v.assign(5)
            b = v + 1
            with tf.control_dependencies([v.assign(7)]):
                d = tf.identity(v)
            return a, b, d

        return f(), v

    see("order", ordered)
