"""Arguments of every kind: arrays, objects, structures, texts."""

import dataclasses
import gc
import weakref

import numpy as np


def run(tf, see):
    F = tf.function
    c = tf.constant

    @F
    def f(x):
        print("Tracing", x)
        return x + 1

    see(
        "np",
        lambda: [
            f(np.array([1, 2])),
            f(np.array([3, 4])),
            f(np.array([1.0, 2.0], np.float32)),
            f(c([1.0, 2.0])),
            f(np.ones((2, 2))),
        ],
    )

    @F
    def g(x, y):
        print("Tracing", x, y)
        return tf.matmul(x, y)

    see(
        "np2",
        lambda: [
            g(np.ones((2, 3), np.float32), np.ones((3, 2), np.float32)),
            g(tf.ones((2, 3)), np.ones((3, 2), np.float32)),
        ],
    )

    @F
    def shape_of(x):
        print(x.shape, x.dtype.name, len(x.shape))
        return tf.shape(x)

    see("np_shape", lambda: [shape_of(np.zeros((2, 3))), shape_of(tf.zeros((2, 3)))])

    @F
    def mix(x, n, flag=True):
        print("trace", n, flag)
        if flag:
            x = x * n
        return x

    see(
        "mix",
        lambda: [
            mix(np.float32(2), 3),
            mix(np.float32(4), 3),
            mix(c(2.0), 3, False),
            mix(c(1.0), np.int32(3)) if False else 0,
        ],
    )

    class K:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return isinstance(o, K) and self.v == o.v

        def __hash__(self):
            return hash(self.v)

    n = []

    @F
    def obj(o, x):
        n.append(1)
        return x * o.v

    see("equal_objects", lambda: [obj(K(2), c(1)), obj(K(2), c(1)), obj(K(3), c(1)), len(n)])

    def weak():
        class Z:
            pass

        z = Z()
        z.v = 1
        f2 = F(lambda o, x: x + 1)
        f2(z, c(1))
        w = weakref.ref(z)
        del z
        gc.collect()
        return w() is None

    see("weak", weak)
    m = []

    @F
    def lst(l):
        m.append(1)
        return l[0] + l[1]

    see("list_tuple", lambda: [lst([c(1), c(2)]), lst((c(1), c(2))), lst([c(3), c(4)]), len(m)])
    see("list_py", lambda: [lst([1, 2]), lst([1, 2]), lst([1, 3]), len(m)])

    @F
    def mutate(l, x):
        l.append(x)
        return x

    def mut():
        l = []
        mutate(l, c(1))
        return len(l)

    see("mutated_arg", mut)

    @F
    def mdict(d, x):
        d["new"] = x
        return d["a"] + x

    def mut2():
        d = {"a": c(1)}
        out = mdict(d, c(2))
        return out, sorted(d)

    see("mutated_dict", mut2)

    @dataclasses.dataclass
    class P:
        x: object
        y: object

    see("dataclass", lambda: F(lambda p: p.x + p.y)(P(c(1), c(2))))

    @F
    def strs(s):
        print("trace", s)
        return tf.strings.length(s)

    see("strings", lambda: [strs(c("ab")), strs(c("abc")), strs(np.array(["a", "bc"]))])
    my = []

    @F
    def my_add(a, b):
        print("tracing")
        for i in tf.range(3):
            tf.print(i)
        return a + b

    see(
        "my_add",
        lambda: [
            my_add(c("hello"), c("world")),
            my_add(c("a"), c("b")),
            my_add(c(1), c(2)),
            my_add("x", "y"),
            my_add("x", "z"),
        ],
    )
    see("inputs", lambda: [str(t) for t in my_add.get_concrete_function(c(1), c(2)).inputs])
    see("get_cf_count", lambda: my_add.experimental_get_tracing_count())

    def nested_list(x):
        return {"a": [x, (x + 1, None)], "b": 3}

    see("nested_out", lambda: F(nested_list)(c(1)))
    see("kwonly", lambda: F(lambda *, a, b=2: a + b)(a=c(1)))
    see("varargs", lambda: F(lambda *a: tf.add_n(list(a)))(c(1.0), c(2.0), c(3.0)))
    see("too_many", lambda: F(lambda a: a)(c(1), c(2)))
    see("missing", lambda: F(lambda a: a)())
    see("wrong_kw", lambda: F(lambda a: a)(c(1), zz=2))
    see("set_arg", lambda: F(lambda s, x: x + len(s))({1, 2}, c(1)))
    see("ragged_list", lambda: F(lambda x: tf.size(x[0]) + tf.size(x[1]))([c([1, 2]), c([1])]))
    see("bytes", lambda: F(lambda b, x: tf.strings.join([b, x]))(b"ab", c("c")))
    see(
        "none_arg",
        lambda: [F(lambda a, b: b if a is None else a)(None, c(1)), F(lambda a, b: b if a is None else a)(c(2), c(1))],
    )
    see("complex", lambda: F(lambda a: a * 2)(1 + 2j))
    see("bool_tensor", lambda: [F(lambda a: tf.logical_not(a))(True), F(lambda a: tf.logical_not(a))(c(True))])
    see("int_float_cache", lambda: [f(1), f(2), f(1.5)])
    see("scalar_np", lambda: [f(np.int32(1)), f(np.int64(5))])
