"""Sizes and axes that only the graph knows."""


def run(tf, see):
    c = tf.constant
    F = tf.function
    S = tf.TensorSpec
    x = c([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    v = c([3, 1, 2])
    n = c(2)
    O = S([None, None])
    V = S([None], tf.int32)
    N = S([], tf.int32)

    def t(name, f, sig, *args):
        see(name, lambda: f(*args))
        see(name + "_g", lambda: F(f)(*args))
        see(name + "_o", lambda: F(f, input_signature=sig)(*args))

    t("tile", lambda x, n: tf.tile(x, [n, 1]), [O, N], x, n)
    t("tile_shape", lambda x: tf.tile(x[:1], [tf.shape(x)[0], 2]), [O], x)
    t("tile_vec", lambda v: tf.tile(v, [tf.size(v)]), [V], v)
    t("repeat", lambda v, n: tf.repeat(v, n), [V, N], v, n)
    t("repeat_ax", lambda x, n: tf.repeat(x, n, axis=1), [O, N], x, n)
    t("repeat_vec", lambda v: tf.repeat(v, v), [V], v)
    t("repeat_vax", lambda x, v: tf.repeat(x, v, axis=1), [O, V], x, v)
    t("one_hot", lambda v, n: tf.one_hot(v, n + 2), [V, N], v, n)
    t("one_hot_m", lambda v: tf.one_hot(v, tf.reduce_max(v) + 1, on_value=5, off_value=-1, axis=0), [V], v)
    t("eye", lambda x: tf.eye(tf.shape(x)[0], tf.shape(x)[1]), [O], x)
    t("eye_b", lambda n: tf.eye(n, batch_shape=[n]), [N], n)
    t("linspace", lambda n: tf.linspace(0.0, 1.0, n + 3), [N], n)
    t("linspace1", lambda n: tf.linspace(2.0, 5.0, n - 1), [N], n)
    t("linspacev", lambda n: tf.linspace([0.0, 1.0], [1.0, 5.0], n + 1, axis=1), [N], n)
    t("pad", lambda v, n: tf.pad(v, [[n, 5 - tf.shape(v)[0]]]), [V, N], v, n)
    t("pad_v", lambda x, n: tf.pad(x, [[0, n], [n, 0]], constant_values=7.0), [O, N], x, n)
    t("pad_r", lambda v, n: tf.pad(v, [[n, n]], mode="REFLECT"), [V, N], v, n)
    t("pad_s", lambda v, n: tf.pad(v, [[n, n]], "SYMMETRIC"), [V, N], v, n)
    for mode in ("REFLECT", "SYMMETRIC"):
        t(f"pad known {mode}", lambda x, m=mode: tf.pad(x, [[0, 1], [2, 1]], m), [O], x)
        t(f"pad far {mode}", lambda x, m=mode: tf.pad(x, [[0, 1], [4, 1]], m), [O], x)
    t("pad_t", lambda v, n: tf.pad(v, tf.reshape(tf.stack([n, n]), [1, 2])), [V, N], v, n)
    t("pad_bad", lambda v, n: tf.pad(v, [[n - 5, 0]]), [V, N], v, n)
    t("pad_cv", lambda v, n: tf.pad(v, [[1, 1]], constant_values=n), [V, N], v, n)
    t("split", lambda v, n: tf.split(v, [n, -1]), [V, N], v, n)
    t("split_t", lambda v, n: tf.split(v, tf.stack([n, 3 - n])), [V, N], v, n)
    t("split_ax", lambda x, n: tf.split(x, [n, 3 - n], axis=1), [O, N], x, n)
    t("split_rank", lambda x: tf.split(x, 3, axis=tf.rank(x) - 1), [S([None, 3])], x)
    t("top_k", lambda v, n: tf.math.top_k(v, n), [V, N], v, n)
    t("top_k2", lambda x, n: tf.math.top_k(x, k=n), [O, N], x, n)
    t("rank_axis", lambda x: tf.reduce_sum(x, axis=tf.rank(x) - 1), [O], x)
    t("rank_axes", lambda x: tf.reduce_mean(x, axis=tf.range(1, tf.rank(x))), [O], x)
    t("rank_perm", lambda x: tf.transpose(x, tf.range(tf.rank(x))[::-1]), [O], x)
    t("rank_concat", lambda x: tf.concat([x, x], tf.rank(x) - 1), [O], x)
    t("rank_exp", lambda x: tf.expand_dims(x, tf.rank(x)), [O], x)
    t("flat", lambda x: tf.reshape(x, [tf.shape(x)[0], -1]), [O], x)
    t("flat2", lambda x: tf.reshape(x, tf.concat([tf.shape(x)[:1], [-1, 1]], 0)), [O], x)
    t("swap", lambda x: tf.reshape(x, tf.reverse(tf.shape(x), [0])), [O], x)
    t("zlike", lambda x: tf.zeros(tf.shape(x)[1:]), [O], x)
    t("zz", lambda x: tf.zeros([tf.shape(x)[0], 4]) + tf.ones(tf.shape(x)[0])[:, None], [O], x)
    t("randn", lambda x: tf.shape(tf.random.normal(tf.shape(x))), [O], x)
    t("bcast", lambda x, v: tf.broadcast_to(v[None], [tf.shape(x)[0], 3]), [O, V], x, v)
    t("bdyn", lambda x, v: tf.broadcast_dynamic_shape(tf.shape(x), tf.shape(v)), [O, V], x, v)
    t("gathernd", lambda x, n: tf.gather_nd(x, tf.stack([n - 1, n], 0)), [O, N], x, n)
    t("last", lambda x: x[tf.range(tf.shape(x)[0]), [1, 0]] if False else tf.gather(x, tf.shape(x)[0] - 1), [O], x)
    t("slice", lambda x, n: tf.slice(x, [0, n - 1], [-1, n]), [O, N], x, n)
    t("sl", lambda x, n: x[n - 2 : n, n - 1 :], [O, N], x, n)
    t("mask", lambda v, n: tf.boolean_mask(v, v > n - 1), [V, N], v, n)
    t("where", lambda v, n: tf.where(v >= n), [V, N], v, n)
    t("static", lambda x: tf.get_static_value(tf.shape(x)[1]) or -1, [S([None, 3])], x)
    t(
        "ta",
        lambda n: (
            tf.TensorArray(tf.float32, size=n, element_shape=[]).unstack(tf.cast(tf.range(n), tf.float32)).stack()
        ),
        [N],
        n,
    )
    t("fill", lambda n: tf.fill(tf.stack([n, n]), 1), [N], n)
    t("sequence", lambda v: tf.sequence_mask(v, tf.reduce_max(v) + 1), [V], v)
    t("strided", lambda x: tf.strided_slice(x, [0, 0], [2, 3], [1, 2]), [O], x)

    def g(f):
        with tf.GradientTape() as tp:
            tp.watch(x)
            y = f(x)
        return tp.gradient(y, x)

    w = c([[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]])
    for nm, f in dict(
        tile=lambda a: tf.tile(a * w, [n, n]),
        rep=lambda a: tf.repeat(a * a, n, axis=0),
        pad=lambda a: tf.pad(a * a, [[n, 0], [0, n]]),
        refl=lambda a: tf.pad(a * w, [[0, 1], [n, n - 1]], mode="REFLECT") * tf.reshape(tf.range(18.0), [3, 6]),
    ).items():
        see("g_" + nm, lambda: F(lambda n_: g(lambda a: f(a)))(n))

    many = tf.Variable(2)
    see("of_a_variable", lambda: F(lambda a: [tf.tile(a, [many]), tf.one_hot(a, many + 2), tf.zeros([many, 1])])(v))
    see("of_a_variable_eager", lambda: [tf.tile(v, [many]), tf.zeros([many, 1])])
    see("negative", lambda: F(lambda k: tf.tile([1], [k]))(c(-1)))
    see("negative_eye", lambda: F(lambda k: tf.eye(k))(c(-1)))
