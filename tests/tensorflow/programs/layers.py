"""Layers, losses, metrics, optimizers and training."""

import numpy as np


def run(tf, see):
    k = tf.keras
    L = k.layers
    c = tf.constant
    rng = np.random.default_rng(0)
    X = rng.normal(size=(64, 4)).astype(np.float32)
    Y = (X.sum(1) > 0).astype(np.int32)

    def seq():
        m = k.Sequential(
            [
                k.Input((4,)),
                L.Dense(8, activation="relu", kernel_initializer="ones"),
                L.Dense(2, kernel_initializer="ones"),
            ]
        )
        m.compile(
            optimizer=k.optimizers.SGD(0.1),
            loss=k.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
        h = m.fit(X, Y, epochs=2, batch_size=16, shuffle=False, verbose=0)
        return (
            {a: [round(float(v), 4) for v in b] for a, b in h.history.items()},
            [round(float(v), 4) for v in m.evaluate(X, Y, verbose=0)],
            m.predict(X[:2], verbose=0),
        )

    see("fit", seq)

    def functional():
        i = k.Input((4,))
        a = L.Dense(3, kernel_initializer="ones")(i)
        b = L.Dense(3, kernel_initializer="ones")(i)
        o = L.Concatenate()([a, L.Add()([a, b])])
        m = k.Model(i, o)
        return m(X[:2]), m.count_params(), m.output_shape, [type(l).__name__ for l in m.layers]

    see("functional", functional)

    def sub():
        class M(k.Model):
            def __init__(self):
                super().__init__()
                self.d = L.Dense(1, kernel_initializer="ones")

            def call(self, x, training=False):
                return self.d(x) * (2.0 if training else 1.0)

        m = M()
        y = m(X[:2])
        z = m(X[:2], training=True)
        return y, z, len(m.trainable_variables), [w.shape for w in m.weights]

    see("subclass", sub)

    def custom():
        class Lin(L.Layer):
            def __init__(self, n):
                super().__init__()
                self.n = n

            def build(self, s):
                self.w = self.add_weight(shape=(s[-1], self.n), initializer="ones", trainable=True)
                self.b = self.add_weight(shape=(self.n,), initializer="zeros")

            def call(self, x):
                return x @ self.w + self.b

        l = Lin(2)
        return l(X[:1]), l.built, len(l.weights), l.count_params()

    see("custom_layer", custom)

    def step():
        m = k.Sequential([k.Input((4,)), L.Dense(2, kernel_initializer="ones")])
        o = k.optimizers.Adam(0.01)
        n = []

        @tf.function
        def s(x, y):
            n.append(1)
            with tf.GradientTape() as t:
                l = tf.reduce_mean(k.losses.sparse_categorical_crossentropy(y, m(x), from_logits=True))
            g = t.gradient(l, m.trainable_variables)
            o.apply_gradients(zip(g, m.trainable_variables))
            return l

        return [s(X, Y) for _ in range(4)], m.trainable_variables[1], int(o.iterations)

    see("train_step", step)
    for name, make, shape in [
        ("conv", lambda: L.Conv2D(2, 3, kernel_initializer="ones", padding="same", strides=2), (1, 5, 5, 2)),
        ("conv1", lambda: L.Conv1D(2, 2, kernel_initializer="ones", dilation_rate=2), (1, 6, 2)),
        ("dw", lambda: L.DepthwiseConv2D(2, depthwise_initializer="ones", depth_multiplier=2), (1, 4, 4, 2)),
        ("ct", lambda: L.Conv2DTranspose(2, 3, strides=2, kernel_initializer="ones"), (1, 2, 2, 1)),
        ("mp", lambda: L.MaxPooling2D(2), (1, 5, 5, 1)),
        ("ap", lambda: L.AveragePooling2D(2, strides=1, padding="same"), (1, 3, 3, 1)),
        ("gap", lambda: L.GlobalAveragePooling2D(), (2, 3, 3, 2)),
        ("bn", lambda: L.BatchNormalization(), (4, 3)),
        ("ln", lambda: L.LayerNormalization(), (2, 5)),
        ("flat", lambda: L.Flatten(), (2, 3, 2)),
        ("resh", lambda: L.Reshape((3, -1)), (2, 6)),
        ("perm", lambda: L.Permute((2, 1)), (1, 2, 3)),
        ("rnn", lambda: L.SimpleRNN(3, kernel_initializer="ones", recurrent_initializer="ones"), (2, 4, 2)),
        (
            "lstm",
            lambda: L.LSTM(3, kernel_initializer="ones", recurrent_initializer="ones", return_sequences=True),
            (2, 4, 2),
        ),
        (
            "gru",
            lambda: L.GRU(3, kernel_initializer="ones", recurrent_initializer="ones", return_state=True),
            (2, 4, 2),
        ),
        (
            "bi",
            lambda: L.Bidirectional(L.SimpleRNN(2, kernel_initializer="ones", recurrent_initializer="ones")),
            (2, 3, 2),
        ),
        ("td", lambda: L.TimeDistributed(L.Dense(2, kernel_initializer="ones")), (2, 3, 2)),
        ("up", lambda: L.UpSampling2D(2), (1, 2, 2, 1)),
        ("zp", lambda: L.ZeroPadding2D(1), (1, 2, 2, 1)),
        ("prelu", lambda: L.LeakyReLU(), (2, 3)),
        ("soft", lambda: L.Softmax(), (2, 3)),
        (
            "sep",
            lambda: L.SeparableConv2D(2, 2, depthwise_initializer="ones", pointwise_initializer="ones"),
            (1, 3, 3, 2),
        ),
        ("rep", lambda: L.RepeatVector(2), (2, 3)),
    ]:

        def one(make=make, shape=shape):
            x = (np.arange(np.prod(shape)).reshape(shape) / 7).astype(np.float32)
            l = make()
            y = l(x)
            z = l(x, training=True) if name == "bn" else 0
            return y, z, l.count_params()

        see("layer_" + name, one)

    def emb():
        e = L.Embedding(5, 2, embeddings_initializer="ones", mask_zero=True)
        return e(np.array([[1, 0]])), e.compute_mask(np.array([[1, 0]]))

    see("embedding", emb)
    for n in [
        "mse",
        "mae",
        "binary_crossentropy",
        "categorical_crossentropy",
        "kld",
        "hinge",
        "huber",
        "log_cosh",
        "cosine_similarity",
        "poisson",
        "mape",
        "msle",
    ]:
        see("loss_" + n, lambda n=n: k.losses.get(n)(c([[0.0, 1.0], [1.0, 0.0]]), c([[0.3, 0.7], [0.6, 0.4]])))
    for cls in ["SGD", "Adam", "RMSprop", "Adagrad", "AdamW", "Adamax", "Nadam", "Adadelta", "Lion", "Ftrl"]:

        def opt(cls=cls):
            o = getattr(k.optimizers, cls)(learning_rate=0.1)
            v = tf.Variable([1.0, -2.0])
            for i in range(3):
                o.apply_gradients([(c([0.5, 1.0 + i]), v)])
            return v.numpy().round(4).tolist()

        see("opt_" + cls, opt)
    for mn, a in [
        ("Accuracy", ([1, 2, 3], [1, 2, 4])),
        ("BinaryAccuracy", ([1, 0, 1], [0.9, 0.2, 0.3])),
        ("Precision", ([1, 0, 1], [0.9, 0.8, 0.3])),
        ("Recall", ([1, 0, 1], [0.9, 0.8, 0.3])),
        ("AUC", ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])),
        ("Mean", ([1.0, 2.0, 6.0],)),
        ("MeanSquaredError", ([1.0, 2.0], [2.0, 4.0])),
        ("SparseCategoricalAccuracy", ([1, 0], [[0.1, 0.9], [0.3, 0.7]])),
        ("TopKCategoricalAccuracy", ([[0, 1.0, 0]], [[0.1, 0.2, 0.7]])),
        ("F1Score", ([[1.0, 0], [0, 1.0]], [[0.9, 0.1], [0.7, 0.3]])),
    ]:

        def met(mn=mn, a=a):
            m = getattr(k.metrics, mn)()
            m.update_state(*a)
            x = m.result()
            m.reset_state()
            return x, m.name

        see("metric_" + mn, met)
    for q, s in enumerate(
        [
            lambda: k.optimizers.schedules.ExponentialDecay(0.1, 10, 0.5, staircase=True),
            lambda: k.optimizers.schedules.CosineDecay(0.1, 10),
            lambda: k.optimizers.schedules.PiecewiseConstantDecay([5, 8], [1.0, 0.5, 0.1]),
            lambda: k.optimizers.schedules.PolynomialDecay(0.1, 10),
        ]
    ):
        see("sched_%d" % q, lambda s=s: [round(float(s()(i)), 5) for i in (0, 4, 6, 9, 12)])

    def ds():
        m = k.Sequential([k.Input((4,)), L.Dense(1, kernel_initializer="ones")])
        m.compile("sgd", "mse")
        d = tf.data.Dataset.from_tensor_slices((X, Y.astype(np.float32)[:, None])).batch(16)
        h = m.fit(d, epochs=2, verbose=0, validation_data=d)
        return {a: [round(float(v), 4) for v in b] for a, b in h.history.items()}

    see("fit_dataset", ds)

    def reg():
        l = L.Dense(2, kernel_initializer="ones", kernel_regularizer=k.regularizers.L2(0.1))
        l(X[:1])
        return l.losses

    see("regularizer", reg)

    def early():
        m = k.Sequential([k.Input((4,)), L.Dense(1, kernel_initializer="ones")])
        m.compile(k.optimizers.SGD(0.0), "mse")
        h = m.fit(
            X,
            X[:, :1],
            epochs=10,
            shuffle=False,
            verbose=0,
            callbacks=[k.callbacks.EarlyStopping(monitor="loss", patience=2)],
        )
        return len(h.history["loss"])

    see("early", early)

    def freeze():
        m = k.Sequential([k.Input((4,)), L.Dense(2), L.Dense(1)])
        m.layers[0].trainable = False
        return len(m.trainable_variables), len(m.non_trainable_variables), len(m.variables)

    see("freeze", freeze)
    see(
        "drop",
        lambda: [
            L.Dropout(0.5)(c([[1.0, 2.0]])),
            float(tf.reduce_mean(L.Dropout(0.5, seed=1)(tf.ones((100, 100)), training=True))) > 0.9,
        ],
    )

    def cfg():
        d = L.Dense(3, activation="relu", name="dd")
        g = d.get_config()
        return g["units"], g["activation"], g["name"], L.Dense.from_config(g).units

    see("config", cfg)

    def summ():
        m = k.Sequential([k.Input((10,)), L.Dense(4), L.Dense(2), L.Dense(1)])
        m.summary()

    see("summary", summ)
    see("bad_act", lambda: L.Dense(2, activation="rleu"))
    see("bad_shape", lambda: (lambda l: [l(X), l(np.ones((2, 5), np.float32))])(L.Dense(2)))
    see("unbuilt", lambda: k.Sequential([L.Dense(2)]).summary())
    see("not_compiled", lambda: k.Sequential([k.Input((4,)), L.Dense(1)]).fit(X, Y, verbose=0))
    see("categorical", lambda: k.utils.to_categorical([0, 2, 1]))

    def mha():
        l = L.MultiHeadAttention(2, 3, kernel_initializer="ones")
        x = (np.arange(12).reshape(1, 3, 4) / 5).astype(np.float32)
        return l(x, x), l.count_params()

    see("mha", mha)

    def save():
        import os
        import tempfile

        m = k.Sequential([k.Input((4,)), L.Dense(2)])
        p = os.path.join(tempfile.mkdtemp(), "w.weights.h5")
        m.save_weights(p)
        w = m.get_weights()
        m.set_weights([a * 0 for a in w])
        m.load_weights(p)
        return bool(np.allclose(m.get_weights()[0], w[0]))

    see("save_weights", save)
