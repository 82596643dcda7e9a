"""What functions are given, and when they are traced again."""

import collections

import numpy as np


def run(tf, see):
    F = tf.function
    c = tf.constant

    @F
    def f(x):
        print("trace", x.dtype if hasattr(x, "dtype") else x)
        return x * 2

    see(
        "np_reuse",
        lambda: [f(np.array([1, 2])), f(c([1, 2], tf.int64)), f(np.array([3, 4])), f(np.float32(2)), f(c(2.0))],
    )
    see("np_scalar", lambda: [f(np.int64(3)), f(np.float64(3)), f(np.bool_(True)) if False else 0])

    @F
    def double(a):
        print("Tracing with", a)
        return a + a

    see("double", lambda: [double(c(1)), double(c(2)), double(c(1.1)), double(c("a")), double(c("b"))])
    P = collections.namedtuple("P", "x y")

    @F
    def st(d):
        print("trace")
        return tf.nest.map_structure(lambda v: v + 1, d)

    see("dict_order", lambda: [st({"a": c(1), "b": c(2)}), st({"b": c(1), "a": c(2)})])
    see("namedtuple", lambda: [st(P(c(1), c(2))), st((c(1), c(2))), st([c(1), c(2)])])

    @F
    def kw(x, *args, scale=2, **kws):
        print("trace", scale, sorted(kws))
        for a in args:
            x = x + a
        for k in sorted(kws):
            x = x * kws[k]
        return x * scale

    see("kw", lambda: [kw(c(1)), kw(c(1), c(2), c(3)), kw(c(1), scale=3), kw(c(1), b=c(3), a=c(2)), kw(x=c(5))])

    @F
    def default(x, y=c(3.0), z=None):
        return x + y if z is None else x + z

    see("default", lambda: [default(c(1.0)), default(c(1.0), z=c(5.0)), default(c(1.0), c(9.0))])

    class Holder:
        pass

    @F
    def obj(o, x):
        print("trace obj")
        return x + o.v

    def objs():
        a, b = Holder(), Holder()
        a.v = 1
        b.v = 2
        out = [obj(a, c(1)), obj(b, c(1)), obj(a, c(2))]
        a.v = 10
        out.append(obj(a, c(1)))
        return out

    see("objects", objs)

    @F(reduce_retracing=True)
    def rr(x):
        print("trace", x.shape)
        return tf.reduce_sum(x)

    see("reduce_retracing", lambda: [rr(tf.ones([i])) for i in range(1, 6)])

    @F(input_signature=[tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([], tf.int32)])
    def sig(x, n):
        print("trace", x.shape)
        return tf.reduce_sum(x, 0) * tf.cast(n, tf.float32)

    see("sig", lambda: [sig(tf.ones([3, 2]), c(2)), sig(np.ones((1, 2), np.float32), 3), sig([[1.0, 2.0]], n=4)])
    see("sig_bad_rank", lambda: sig(tf.ones([3]), c(2)))
    see("sig_bad_dtype", lambda: sig(tf.ones([3, 2], tf.int32), c(2)))
    see("sig_missing", lambda: sig(tf.ones([3, 2])))
    see("sig_extra", lambda: sig(tf.ones([3, 2]), c(1), c(2)))

    @F
    def mutable(x, l):
        l = l + [x]
        return l

    see("list_arg", lambda: mutable(c(1), [c(2)]))

    @F
    def gen(x):
        return [x * i for i in (1, 2, 3)], {"k": (x, None)}, None

    see("structure_out", lambda: gen(c(2)))

    @F
    def strs(s, x):
        print("trace", s)
        return x + len(s)

    see("str_arg", lambda: [strs("ab", c(1)), strs("ab", c(2)), strs("abc", c(1))])

    @F
    def types(x, t):
        return tf.cast(x, t)

    see("dtype_arg", lambda: [types(c(1.7), tf.int32), types(c(1.7), tf.int64), types(c(2), tf.float32)])
    see("count", lambda: f.experimental_get_tracing_count())
    see("name", lambda: [f.__name__, f.python_function.__name__])

    @F
    def none():
        pass

    see("none", lambda: none())

    @F
    def v(var):
        print("trace v")
        var.assign_add(1.0)
        return var * 2.0

    def variables():
        a, b = tf.Variable(1.0), tf.Variable(10.0)
        return [v(a), v(b), v(a), a.read_value(), b.read_value()]

    see("var_args", variables)

    @F
    def two(a, b):
        print("trace two")
        a.assign_add(1.0)
        return a + b

    def alias():
        a, b = tf.Variable(1.0), tf.Variable(10.0)
        return [two(a, b), two(b, a), two(a, a), two(b, b)]

    see("aliasing", alias)
