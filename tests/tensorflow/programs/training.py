"""Models that carry masks, and gradients through what is scattered and through lists."""

import numpy as np


def waves(shape, phase=0.0):
    size = int(np.prod(shape))
    return (np.sin(np.arange(size) * 0.7 + phase) * 0.8).reshape(shape).astype(np.float32)


def weighted(model):
    """A model whose weights are numbers of a sine."""
    model.set_weights([waves(w.shape, i) for i, w in enumerate(model.get_weights())])
    return model


def run(tf, see):
    layers, c = tf.keras.layers, tf.constant
    words = np.array([[1, 2, 3, 0], [4, 0, 0, 0], [5, 1, 2, 3]], np.int32)
    wanted = waves((3, 1), 2)

    def trained(inputs, outputs, *data):
        model = weighted(tf.keras.Model(inputs, outputs))
        model.compile("sgd", "mse")
        history = model.fit(list(data) if len(data) > 1 else data[0], wanted, epochs=2, shuffle=False, verbose=0)
        return history.history["loss"], model.predict(list(data) if len(data) > 1 else data[0], verbose=0)

    def embedded():
        inputs = tf.keras.Input((4,))
        return inputs, layers.Embedding(6, 3, mask_zero=True)(inputs)

    def end(x):
        return layers.Dense(1)(layers.GlobalAveragePooling1D()(x))

    def attention():
        inputs, x = embedded()
        return trained(inputs, end(layers.MultiHeadAttention(2, 2)(x, x)), words)

    def residual():
        inputs, x = embedded()
        return trained(inputs, end(layers.Add()([x, layers.MultiHeadAttention(2, 2)(x, x)])), words)

    def both_directions():
        inputs, x = embedded()
        pair = layers.Bidirectional(layers.LSTM(2, return_sequences=True), merge_mode=None)(x)
        return trained(inputs, end(layers.Concatenate()(pair)), words)

    def with_states():
        inputs, x = embedded()
        y, *_ = layers.Bidirectional(layers.GRU(2, return_sequences=True, return_state=True))(x)
        return trained(inputs, end(y), words)

    def teacher_forcing():
        first, second = tf.keras.Input((4,)), tf.keras.Input((4,))
        embedding = layers.Embedding(6, 3, mask_zero=True)
        _, h, s = layers.LSTM(2, return_state=True)(embedding(first))
        y = layers.LSTM(2, return_sequences=True)(embedding(second), initial_state=[h, s])
        return trained([first, second], end(y), words, words[::-1])

    def merged(layer):
        def of_masked_and_not():
            one, x = embedded()
            two, y = embedded()
            return (
                trained([one, two], end(layer([x, y])), words, words[::-1]),
                trained(one, end(layer([x, layers.Lambda(lambda t: t * 2.0)(x)])), words),
            )

        return of_masked_and_not

    see("attention", attention)
    see("residual", residual)
    see("both_directions", both_directions)
    see("with_states", with_states)
    see("teacher_forcing", teacher_forcing)
    see("added", merged(layers.Add()))
    see("joined", merged(layers.Concatenate()))
    see("joined_in_time", merged(layers.Concatenate(axis=1)))
    see("softmax_of_none", lambda: layers.Softmax()(c([[1.0, 2.0]]), mask=c([[False, False]])))

    class Cell(layers.Layer):
        def __init__(self):
            super().__init__()
            self.state_size = [2, 1]

        def build(self, shape):
            self.kernel = self.add_weight(shape=(shape[-1], 2), name="kernel")

        def call(self, x, states):
            h, n = states
            return h + n, [tf.tanh(x @ self.kernel + h), n + 0.5]

    def cells():
        inputs = tf.keras.Input((4, 3))
        y = layers.RNN([Cell(), layers.GRUCell(2)], return_sequences=True)(inputs)
        return trained(inputs, end(y), waves((3, 4, 3)))

    see("cells", cells)

    def gradients(function, *values):
        given = [value if tf.is_tensor(value) else c(value) for value in values]
        with tf.GradientTape() as tape:
            tape.watch(given)
            result = function(*given)
        return result, tape.gradient(result, given)

    def scattered(operation):
        def of_squares(x, updates):
            return tf.reduce_sum(operation(x, [[0], [2], [2]], updates) ** 2 * waves((4, 2), 1))

        return lambda: gradients(of_squares, waves((4, 2)), waves((3, 2), 3))

    see("scatter_sub", scattered(tf.tensor_scatter_nd_sub))
    see("scatter_max", scattered(tf.tensor_scatter_nd_max))
    see("scatter_min", scattered(tf.tensor_scatter_nd_min))
    see("scatter_ties", lambda: gradients(
        lambda x, u: tf.reduce_sum(tf.tensor_scatter_nd_max(x, [[0], [0]], u)), [1.0, 2.0], [1.0, 1.0]))  # fmt: skip
    see("slopes_at_corners", lambda: [
        gradients(lambda x: tf.reduce_sum(function(x)), [-1.0, 0.0, 6.0, 7.0])[1]
        for function in (tf.nn.relu, tf.nn.relu6, tf.nn.selu, tf.nn.elu, tf.nn.leaky_relu)
    ])  # fmt: skip

    def listed(**options):
        @tf.function
        def powers(x):
            steps = tf.TensorArray(tf.float32, clear_after_read=False, **options)
            for i in tf.range(4):
                steps = steps.write(i, x if i == 0 else steps.read(i - 1) * x + 1.0)
            return tf.reduce_sum(steps.stack() ** 2)

        return lambda: gradients(powers, [0.5, -0.3, 0.8])

    see("read_in_a_branch", listed(size=0, dynamic_size=True))
    see("read_in_a_branch_of_known_size", listed(size=4))

    matrix = waves((4, 3), 1).astype(np.float64) + np.eye(4, 3)
    square = matrix.T @ matrix * [1.0, 2.0, 3.0]

    def decomposed(function, value=matrix):
        def of_squares(x):
            return tf.add_n([tf.reduce_sum(tf.cast(waves(part.shape), part.dtype) * part**2) for part in function(x)])

        return lambda: (gradients(of_squares, value), tf.function(lambda x: gradients(of_squares, x)[1])(c(value)))

    see("eigenvalues", decomposed(lambda x: [tf.linalg.eigvalsh(x)], square))
    see("eigenvectors", decomposed(tf.linalg.eigh, square))
    see("singular_values", decomposed(lambda x: [tf.linalg.svd(x, compute_uv=False)]))
    see("singular_vectors", decomposed(tf.linalg.svd))
    see("singular_vectors_of_wide", decomposed(tf.linalg.svd, matrix.T))
    see("orthogonal", decomposed(tf.linalg.qr))
    see("orthogonal_of_wide", decomposed(tf.linalg.qr, matrix.T))

    def line():
        model = tf.keras.Sequential([tf.keras.Input((2,)), layers.Dense(1, activation="sigmoid")])
        return weighted(model)

    targets = np.array([[1.0], [0.0], [1.0]], np.float32)

    def names_of_metrics():
        def meanDistance(y, z):
            return tf.reduce_mean(tf.abs(y - z))

        model = line()
        metrics = ["AUC", "mae", tf.keras.metrics.Precision(), lambda y, z: tf.reduce_mean(z), meanDistance]
        model.compile("sgd", "binary_crossentropy", metrics=metrics)
        return model.fit(waves((3, 2)), targets, epochs=2, verbose=0).history

    def no_metric():
        model = line()
        model.compile("sgd", "mse", metrics=[None])
        return model.fit(waves((3, 2)), targets, verbose=0).history

    class Parts(tf.keras.utils.PyDataset):
        ended = 0

        def __len__(self):
            return 3

        def __getitem__(self, index):
            return waves((3, 2))[index : index + 1], targets[index : index + 1]

        def on_epoch_end(self):
            self.ended += 1

    def by_number():
        model, parts = line(), Parts()
        model.compile("sgd", "mse")
        history = model.fit(parts, epochs=2, shuffle=False, verbose=0).history
        return history, model.evaluate(parts, verbose=0), model.predict(parts, verbose=0), parts.ended >= 2

    see("names_of_metrics", names_of_metrics)
    see("no_metric", no_metric)
    see("by_number", by_number)

    def attended(layer, queries=(3, 4, 2), values=(3, 5, 2)):
        def of_sequences():
            one, two = tf.keras.Input(queries[1:]), tf.keras.Input(values[1:])
            return trained([one, two], end(layer([one, two])), waves(queries), waves(values, 2))

        return of_sequences

    def masked(layer):
        masks = [c([[True, True, False], [True, False, False]]), c([[True, False], [False, True]])]
        given = [c(waves((2, 3, 2))), c(waves((2, 2, 2), 1))]
        return layer(given, mask=masks, return_attention_scores=True), layer(given, use_causal_mask=True)

    see("additive", attended(layers.AdditiveAttention()))
    see("additive_without_scale", attended(layers.AdditiveAttention(use_scale=False)))
    see("scaled", attended(layers.Attention(use_scale=True)))
    see("concatenated", attended(layers.Attention(score_mode="concat")))
    see("additive_masked", lambda: masked(layers.AdditiveAttention(use_scale=False)))
    see("dot_masked", lambda: masked(layers.Attention()))
    see("bins", lambda: layers.Discretization([0.0, 0.5, 1.0])(c([[-1.0, 0.0, 0.2], [0.5, 0.9, 3.0]])))

    def found_bins(count, data, **options):
        layer = layers.Discretization(num_bins=count, **options)
        layer.adapt(data)
        return [float(b) for b in layer.bin_boundaries], layer(c([-1.0, 0.0, 0.3, 5.0]))

    see("bins_of_few", lambda: found_bins(3, np.arange(12.0, dtype=np.float32)))
    see("bins_of_fewer", lambda: found_bins(4, np.array([1.0, 2.0], np.float32)))
    see("bins_of_many", lambda: found_bins(5, waves((40, 13)), output_mode="one_hot"))
    see("encoded", lambda: [
        layers.CategoryEncoding(num_tokens=4, output_mode=mode)(c(values))
        for mode in ("one_hot", "multi_hot", "count")
        for values in ([3, 2, 0, 1], [[3], [0]], [[0, 1], [0, 0], [1, 2]])
        if (mode, np.ndim(values)) != ("one_hot", 2) or np.shape(values)[1] == 1
    ])  # fmt: skip
    see("counted", lambda: layers.CategoryEncoding(num_tokens=3, output_mode="count")(
        c([[0, 1, 1]]), count_weights=c([[0.5, 1.0, 2.0]])))  # fmt: skip

    def factored(rank, **options):
        def of_steps():
            variable = tf.Variable(waves((2, 3, 4)[-rank:] if rank else ()))
            optimizer = tf.keras.optimizers.Adafactor(**options)
            for step in range(3):
                optimizer.apply_gradients([(c(waves(tuple(variable.shape), step) * 3), variable)])
            return variable.numpy()

        return of_steps

    for rank in range(4):
        see(f"factored_{rank}", factored(rank, learning_rate=0.1))
    see(
        "factored_otherwise", factored(2, learning_rate=2.0, clip_threshold=0.5, beta_2_decay=-0.5, relative_step=False)
    )
    see("factored_decaying", factored(2, learning_rate=0.1, weight_decay=0.1))
