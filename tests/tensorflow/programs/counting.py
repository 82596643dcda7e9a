"""Elements sorted and counted by numbers, functions with care for zeros, numbers of a seed."""

import numpy as np


def run(tf, see):
    c = tf.constant
    F = tf.function

    def both(name, f, *args, spec=None):
        see(name, lambda: f(*[c(a) for a in args]))
        see(name + "_graph", lambda: F(f)(*[c(a) for a in args]))
        if spec is not False:
            see(
                name + "_open",
                lambda: F(
                    f, input_signature=[tf.TensorSpec([None] * np.ndim(a), np.asarray(c(a)).dtype) for a in args]
                )(*[c(a) for a in args]),
            )

    f4 = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]], np.float32)
    v = np.array([0.0, 1.0, 2.0, -3.0], np.float32)
    ids = np.array([0, 0, 2], np.int32)
    for n in ("sum", "mean", "prod", "max", "min"):
        both("seg_" + n, lambda x, i, n=n: getattr(tf.math, "segment_" + n)(x, i), f4.T.copy(), ids)
        both("segi_" + n, lambda x, i, n=n: getattr(tf.math, "segment_" + n)(x, i), np.array([3, 4, 5]), ids)
    for n in ("sum", "mean", "prod", "max", "min", "sqrt_n"):
        both(
            "useg_" + n,
            lambda x, i, n=n: getattr(tf.math, "unsorted_segment_" + n)(x, i, 4),
            f4.T.copy(),
            ids[::-1].copy(),
        )
    see("seg_bad", lambda: tf.math.segment_sum([1, 2], [1, 0]))
    both("part", lambda x, p: tf.dynamic_partition(x, p, 3), v, np.array([0, 2, 2, 0], np.int32))
    both("part2", lambda x, p: tf.dynamic_partition(x, p, 2), f4, np.array([[0, 1, 1], [0, 0, 1]], np.int32))
    see("part_bad", lambda: tf.dynamic_partition([1, 2], [0, 5], 2))
    both(
        "stitch",
        lambda a, b: tf.dynamic_stitch([a, [1, 4]], [b, [10.0, 20.0]]),
        np.array([0, 2, 3], np.int32),
        np.array([5.0, 6.0, 7.0], np.float32),
    )
    see("stitch2", lambda: tf.dynamic_stitch([[0], [2, 1]], [[[1, 2]], [[3, 4], [5, 6]]]))
    see(
        "stitch3",
        lambda: tf.dynamic_stitch(
            [6, [4, 1], [[5, 2], [0, 3]]], [[61, 62], [[41, 42], [11, 12]], [[[51, 52], [21, 22]], [[1, 2], [31, 32]]]]
        ),
    )
    both("bincount", lambda x: tf.math.bincount(x), np.array([1, 1, 2, 5], np.int32))
    both("bincount_w", lambda x, w: tf.math.bincount(x, w, minlength=8), np.array([1, 1, 2, 5], np.int32), v)
    both("bincount_max", lambda x: tf.math.bincount(x, minlength=2, maxlength=4), np.array([1, 1, 2, 5], np.int32))
    see("bincount_axis", lambda: tf.math.bincount([[1, 1, 2], [0, 0, 0]], axis=-1))
    see("bincount_bin", lambda: tf.math.bincount([[1, 1, 2], [0, 0, 0]], axis=-1, binary_output=True))
    see("bincount_empty", lambda: tf.math.bincount(tf.zeros([0], tf.int32)))
    see("bincount_dt", lambda: tf.math.bincount([1, 1], dtype=tf.int64))
    see("bincount_neg", lambda: tf.math.bincount([1, -1]))
    see("bincount_wdt", lambda: tf.math.bincount([1, 1], weights=[1, 2]))
    both("meshgrid", lambda a, b: tf.meshgrid(a, b), np.array([1, 2, 3]), np.array([4, 5]))
    both("meshij", lambda a, b: tf.meshgrid(a, b, indexing="ij"), np.array([1, 2, 3]), np.array([4, 5]))
    see("mesh3", lambda: tf.meshgrid([1, 2], [3], [4, 5, 6]))
    see("mesh1", lambda: tf.meshgrid([1, 2]))
    see("mesh_bad", lambda: tf.meshgrid([1], indexing="zz"))
    both("complex", lambda a, b: tf.complex(a, b), v, v[::-1].copy())
    see("complex_inf", lambda: tf.complex(1.0, np.inf))
    see("complex64", lambda: tf.complex(c(1.0, tf.float64), c(2.0, tf.float64)))
    see("complex_int", lambda: tf.complex(1, 2))
    both("bitcast", lambda a: tf.bitcast(a, tf.int32), v)
    both("bitcast_u8", lambda a: tf.bitcast(a, tf.uint8), v)
    see("bitcast_up", lambda: tf.bitcast(c([[0, 0, 128, 63]], tf.uint8), tf.float32))
    see("bitcast_bad", lambda: tf.bitcast(c([[0, 0, 128]], tf.uint8), tf.float32))
    for t in ("uint8", "int8", "int32", "int64", "float16", "float32"):
        both(
            "sat_" + t,
            lambda a, t=t: tf.saturate_cast(a, getattr(tf, t)),
            np.array([-1e20, -3.7, 3.7, 300, 1e10, 1e20], np.float32),
        )
        see("sati_" + t, lambda t=t: tf.saturate_cast(c([-70000, -5, 5, 300, 70000]), getattr(tf, t)))
    M = tf.math
    x0 = np.array([0.0, 0.0, 2.0, -1.0], np.float32)
    y0 = np.array([0.0, np.inf, 3.0, 5.0], np.float32)
    for n in ("xlogy", "xlog1py", "xdivy", "multiply_no_nan"):
        both(n, lambda a, b, n=n: getattr(M, n)(a, b), x0, y0)
        both(n + "r", lambda a, b, n=n: getattr(M, n)(a, b), y0, x0)

    def g(f, *args):
        xs = [c(a) for a in args]
        with tf.GradientTape() as t:
            t.watch(xs)
            y = f(*xs)
        return t.gradient(y, xs)

    for n in ("xlogy", "xlog1py", "xdivy", "multiply_no_nan"):
        see("grad_" + n, lambda n=n: g(getattr(M, n), x0, np.array([2.0, 3.0, 4.0, 5.0], np.float32)))
        see("grad0_" + n, lambda n=n: g(getattr(M, n), x0, np.array([0.0, 3.0, 4.0, 5.0], np.float32)))
    both("recip", M.reciprocal_no_nan, v)
    see("grad_recip", lambda: g(M.reciprocal_no_nan, v))
    both("log_sigmoid", M.log_sigmoid, np.array([-100.0, 0.0, 100.0], np.float32))
    both("softsign", M.softsign, v)
    both("msoftmax", M.softmax, f4)
    both("mlogsm", M.log_softmax, f4)
    both("polyval", lambda x: M.polyval([c(1.0), c(-2.0), 3.0], x), v)
    both("rnorm", lambda x: M.reduce_euclidean_norm(x, 1), f4)
    see("rnormi", lambda: M.reduce_euclidean_norm([3, 5]))
    both("cle", lambda x: M.cumulative_logsumexp(x, axis=1), f4)
    see("cle_ex", lambda: M.cumulative_logsumexp(c(f4), axis=1, exclusive=True))
    see("cle_rev", lambda: M.cumulative_logsumexp(c(f4), axis=0, reverse=True))
    both("nondec", M.is_non_decreasing, np.array([1, 1, 3]))
    both("incr", M.is_strictly_increasing, np.array([1, 1, 3]))
    see("nondec0", lambda: M.is_non_decreasing(tf.zeros([0])))
    both("invperm", M.invert_permutation, np.array([2, 0, 1], np.int32))
    see("invperm_bad", lambda: M.invert_permutation([2, 0, 2]))
    see("invperm_bad2", lambda: M.invert_permutation([3, 0, 1]))
    both(
        "conf",
        lambda a, b: M.confusion_matrix(a, b),
        np.array([1, 2, 2, 0], np.int32),
        np.array([1, 1, 2, 0], np.int32),
    )
    see("conf_n", lambda: M.confusion_matrix([1], [1], num_classes=4, weights=[0.5], dtype=tf.float32))
    see("conf_bad", lambda: M.confusion_matrix([1], [9], num_classes=4))
    both("unravel", lambda i: tf.unravel_index(i, [2, 3]), np.array([2, 5, 0], np.int32))
    see("unravel1", lambda: tf.unravel_index(5, [2, 3]))
    see("unravel_bad", lambda: tf.unravel_index([6], [2, 3]))
    both("revseq", lambda x, l: tf.reverse_sequence(x, l, seq_axis=1, batch_axis=0), f4, np.array([2, 3], np.int32))
    see("revseq0", lambda: tf.reverse_sequence(c(f4), [1, 2, 1], seq_axis=0, batch_axis=1))
    see("revseq_bad", lambda: tf.reverse_sequence(c(f4), [4, 2], seq_axis=1))
    both(
        "hist",
        lambda x: tf.histogram_fixed_width(x, [0.0, 5.0], nbins=5),
        np.array([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], np.float32),
    )
    both(
        "histb",
        lambda x: tf.histogram_fixed_width_bins(x, [0.0, 5.0], nbins=5),
        np.array([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], np.float32),
    )
    both("tdiv", lambda a, b: tf.truncatediv(a, b), np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2]))
    both("tmod", lambda a, b: tf.truncatemod(a, b), np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2]))
    both("uwc", lambda x: tf.unique_with_counts(x), np.array([7, 5, 7, 1]))
    see("scalar_mul", lambda: tf.scalar_mul(2.0, [1.0, 3.0]))
    both(
        "cross",
        lambda a, b: tf.linalg.cross(a, b),
        np.array([[1.0, 2.0, 3.0]], np.float32),
        np.array([[4.0, 5.0, 6.0]], np.float32),
        spec=False,
    )
    see("dtypes", lambda: [tf.double.name, tf.half.name, tf.as_string([1, 2]), tf.realdiv(1.0, 2.0)])
    see("zeros_none", lambda: tf.zeros([None, 2]))
    # random
    R = tf.random
    see(
        "sl",
        lambda: [
            R.stateless_normal([2, 3], [1, 2]).shape,
            R.stateless_uniform([2], [1, 2], 5, 10, tf.int32).dtype.name,
            bool(tf.reduce_all(R.stateless_uniform([5], [1, 2]) == R.stateless_uniform([5], [1, 2]))),
            bool(tf.reduce_all(R.stateless_uniform([5], [1, 2]) == R.stateless_uniform([5], [1, 3]))),
        ],
    )
    see("sl_bad", lambda: R.stateless_uniform([2], [1, 2], dtype=tf.int32))
    see("sl_badseed", lambda: R.stateless_normal([2], [1, 2, 3, 4]))
    see("sl_graph", lambda: F(lambda n: R.stateless_normal([n, 2], [1, n]))(c(3)).shape)

    def gen():
        g = R.Generator.from_seed(1)
        a, b = g.normal([3]), g.normal([3])
        g.reset_from_seed(1)
        return [
            bool(tf.reduce_all(a == g.normal([3]))),
            bool(tf.reduce_all(a == b)),
            g.uniform([2, 2], maxval=5, dtype=tf.int32).shape,
            len(g.split(3)),
            g.make_seeds(4).shape,
        ]

    see("gen", gen)

    def gen2():
        g = R.Generator.from_seed(1)

        @F
        def f():
            return g.normal([])

        a, b = f(), f()
        h = R.Generator.from_seed(1)
        return [bool(a == b), bool(a == h.normal([])), bool(b == h.normal([]))]

    see("gen2", gen2)
    see(
        "split",
        lambda: [
            R.split([1, 2], 3).shape,
            R.fold_in([1, 2], 3).shape,
            R.experimental.stateless_split([1, 2]).shape,
            R.experimental.stateless_fold_in([1, 2], 1).dtype.name,
        ],
    )
    see("gg", lambda: R.get_global_generator().normal([2]).shape)
    see("slshuf", lambda: tf.sort(R.experimental.stateless_shuffle([3, 1, 2], [1, 2])))
    see("slcat", lambda: R.stateless_categorical([[0.0, 100.0], [100.0, 0.0]], 3, [1, 2]))
