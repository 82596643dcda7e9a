"""Data sets, control flow by functions, TensorArrays, calls of Python."""

import numpy as np


def run(tf, see):
    F = tf.function
    c = tf.constant
    D = tf.data.Dataset

    @F
    def total(ds):
        s = c(0)
        for x in ds:
            s += x
        return s

    see("sum", lambda: total(D.from_tensor_slices([1, 2, 3])))

    @F
    def upto(ds):
        s = c(0, tf.int64)
        for i, x in ds.enumerate():
            if i >= 3:
                break
            s += x
        return s

    see("break", lambda: upto(D.range(10)))
    see(
        "list",
        lambda: [
            list(D.range(5).map(lambda v: v * v).as_numpy_iterator()),
            list(D.range(10).filter(lambda v: v % 3 == 0).as_numpy_iterator()),
        ],
    )
    see("batch", lambda: [x for x in D.range(7).batch(3)])
    see("batch_drop", lambda: [x for x in D.range(7).batch(3, drop_remainder=True)])
    see("dict", lambda: [x for x in D.from_tensor_slices({"a": [1, 2], "b": [[1.0, 2.0], [3.0, 4.0]]})])
    see("zip", lambda: [x for x in D.zip((D.range(3), D.range(3, 6)))])
    see(
        "spec",
        lambda: [
            str(D.range(3).batch(2).element_spec),
            str(D.from_tensor_slices((np.ones((4, 2), np.float32), np.zeros(4, np.int32))).element_spec),
        ],
    )
    see(
        "card",
        lambda: [
            int(D.range(5).cardinality()),
            int(D.range(5).repeat().cardinality()),
            int(D.range(5).filter(lambda v: v > 1).cardinality()),
            len(D.range(7).batch(2)),
        ],
    )
    see("reduce", lambda: D.range(5).reduce(np.int64(0), lambda a, b: a + b))
    see("window", lambda: [list(w.as_numpy_iterator()) for w in D.range(7).window(3, shift=2)])
    see("flat_map", lambda: list(D.range(3).flat_map(lambda v: D.range(v + 1)).as_numpy_iterator()))
    see(
        "interleave",
        lambda: list(
            D.range(1, 4)
            .interleave(lambda v: D.from_tensors(v).repeat(3), cycle_length=2, block_length=2)
            .as_numpy_iterator()
        ),
    )
    see("padded", lambda: [x for x in D.range(1, 4).map(lambda v: tf.fill([v], v)).padded_batch(2)])
    see("scan", lambda: list(D.range(5).scan(np.int64(0), lambda s, x: (s + x, s + x)).as_numpy_iterator()))
    see("take_while", lambda: list(D.range(10).take_while(lambda v: v < 4).as_numpy_iterator()))
    see(
        "gen",
        lambda: [x for x in D.from_generator(lambda: iter([1, 2, 3]), output_signature=tf.TensorSpec([], tf.int32))],
    )
    see("concat", lambda: list(D.range(2).concatenate(D.range(5, 7)).skip(1).repeat(2).as_numpy_iterator()))
    see("unbatch", lambda: list(D.from_tensor_slices([[1, 2], [3, 4]]).unbatch().as_numpy_iterator()))
    see(
        "choose",
        lambda: list(
            D.choose_from_datasets(
                [D.range(3), D.range(10, 13)], D.from_tensor_slices(np.array([0, 1, 1, 0], np.int64))
            ).as_numpy_iterator()
        ),
    )

    def it():
        i = iter(D.range(2))
        return [next(i), next(i), next(i)]

    see("iter_end", it)

    @F
    def nextf(i):
        return next(i) * 2

    def it2():
        i = iter(D.range(5))
        return [nextf(i), nextf(i), i.get_next()]

    see("iter_fn", it2)
    see("shuffle", lambda: sorted(D.range(10).shuffle(5, seed=1).as_numpy_iterator()))
    see("cache", lambda: list(D.range(3).cache().prefetch(tf.data.AUTOTUNE).as_numpy_iterator()))
    see(
        "case",
        lambda: [
            F(lambda x: tf.case([(x < 1, lambda: c(10)), (x < 5, lambda: c(20))], default=lambda: c(30)))(c(v))
            for v in (0, 3, 9)
        ],
    )
    see(
        "switch_case",
        lambda: [
            F(lambda i: tf.switch_case(i, [lambda: c(1), lambda: c(2)], default=lambda: c(-1)))(c(v)) for v in (0, 1, 7)
        ],
    )
    see("while_loop", lambda: tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s + i), [c(0), c(0)]))
    see(
        "while_max",
        lambda: F(lambda: tf.while_loop(lambda i: True, lambda i: (i + 1,), [c(0)], maximum_iterations=7))(),
    )
    see(
        "shape_inv",
        lambda: F(
            lambda: tf.while_loop(
                lambda i, x: i < 3,
                lambda i, x: (i + 1, tf.concat([x, [i]], 0)),
                [c(0), c([9])],
                shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
            )
        )(),
    )
    see("foldl", lambda: tf.foldl(lambda a, x: a * 2 + x, c([1, 2, 3])))
    see("foldr", lambda: tf.foldr(lambda a, x: a * 2 + x, c([1, 2, 3]), initializer=c(1)))
    see("scan_fn", lambda: tf.scan(lambda a, x: a + x, c([1, 2, 3]), reverse=True))
    see("map_fn", lambda: tf.map_fn(lambda t: t[0] * t[1], (c([1, 2]), c([3, 4])), fn_output_signature=tf.int32))
    see(
        "map_fn2",
        lambda: tf.map_fn(lambda x: (x, x * 2.0), c([1.0, 2.0]), fn_output_signature=(tf.float32, tf.float32)),
    )
    see("vectorized", lambda: tf.vectorized_map(lambda x: tf.reduce_sum(x * x), c([[1.0, 2.0], [3.0, 4.0]])))

    def ta():
        a = tf.TensorArray(tf.int32, size=0, dynamic_size=True, clear_after_read=False)
        for i in range(3):
            a = a.write(i, i * 2)
        return a.read(1), a.read(1), a.stack(), a.size(), a.gather([2, 0])

    see("ta", ta)
    see("ta_unstack", lambda: tf.TensorArray(tf.float32, 3).unstack(c([[1.0], [2.0], [3.0]])).read(2))
    see("ta_concat", lambda: tf.TensorArray(tf.int32, 2, infer_shape=False).write(0, [1, 2]).write(1, [3]).concat())
    see(
        "ta_split",
        lambda: [tf.TensorArray(tf.int32, 2, infer_shape=False).split([1, 2, 3], [1, 2]).read(i) for i in range(2)],
    )
    see("ta_cleared", lambda: (lambda a: [a.read(0), a.read(0)])(tf.TensorArray(tf.int32, 1).write(0, 5)))
    see("ta_bound", lambda: tf.TensorArray(tf.int32, 1).write(3, 5))
    see("ta_dtype", lambda: tf.TensorArray(tf.int32, 1).write(0, 5.5))
    see("ta_scatter", lambda: tf.TensorArray(tf.int32, 4).scatter([3, 0], c([7, 8])).gather([0, 3]))

    @F
    def talist(n):
        a = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        i = 0
        while i < n:
            a = a.write(i, tf.cast(i, tf.float32) ** 2)
            i += 1
        return a.stack()

    see("ta_while", lambda: [talist(c(4)), talist(c(0))])
    eff = []

    @F
    def py(x):
        y = tf.py_function(lambda v: eff.append(v.numpy()) or v * 2, inp=[x], Tout=tf.int32)
        z = tf.numpy_function(lambda v: v + 1, [x], tf.int32)
        return y + z

    see("py_function", lambda: [py(c(1)), py(c(2)), [int(e) for e in eff]])

    def pyerr(v):
        raise KeyError("no such")

    see("py_error", lambda: F(lambda x: tf.py_function(pyerr, [x], tf.int32))(c(1)))
    import threading

    def threads():
        n = []

        @F
        def f(x):
            n.append(1)
            return x * 2

        out = [None] * 6

        def go(i):
            out[i] = int(f(c(i)))

        ts = [threading.Thread(target=go, args=(i,)) for i in range(6)]
        [t.start() for t in ts]
        [t.join() for t in ts]
        return out, len(n)

    see("threads", threads)

    @F
    def nested(x):
        @F
        def inner(y):
            print("inner")
            if y > 0:
                return y * 2
            return y

        return inner(x) + inner(x + 1)

    see("nested", lambda: [nested(c(1)), nested(c(-5))])
