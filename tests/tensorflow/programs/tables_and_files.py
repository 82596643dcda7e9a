"""Tables, files, texts that hold numbers, types of the user's own, optimizers of TensorFlow 1."""

import os
import tempfile


def run(tf, see):
    c, F, v1 = tf.constant, tf.function, tf.compat.v1
    T = tf.lookup

    def table(keys, values, default):
        return T.StaticHashTable(T.KeyValueTensorInitializer(keys, values), default)

    words = table(["a", "b"], [1, 2], -1)
    see("words", lambda: [words.lookup(c(["a", "z", "b"])), words.size(), words[c("b")], words.key_dtype.name])
    see("words_graph", lambda: F(lambda x: words.lookup(x) * 2)(c([["a"], ["q"]])))
    see("numbers", lambda: table(c([3, 5], tf.int64), ["x", "y"], "?").lookup(c([5, 4], tf.int64)))
    see("floats", lambda: table(["a"], [0.5], 7.0).lookup(c(["a", ""])))
    see("twice", lambda: table(["a", "a"], [1, 2], -1))
    see("same_twice", lambda: table(["a", "a"], [1, 1], -1).size())
    see("wrong_keys", lambda: words.lookup(c([1])))
    see("unlike", lambda: table(["a", "b"], [1], -1))
    see(
        "mapped",
        lambda: list(tf.data.Dataset.from_tensor_slices(["b", "c"]).map(lambda w: words.lookup(w)).as_numpy_iterator()),
    )

    def changing():
        made = T.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
        made.insert(c(["a", "b"]), c([7, 8], tf.int64))
        made.insert(c(["a"]), c([9], tf.int64))
        before = made.lookup(c(["a", "b", "c"])), made.size()
        made.remove(c(["a"]))
        keys, values = made.export()
        return before, made.size(), keys, values

    see("changing", changing)

    def counting():
        made = T.experimental.MutableHashTable(tf.string, tf.int64, default_value=0)

        @F
        def count(texts):
            for word in texts:
                made.insert(word, made.lookup(word) + 1)
            return made.size()

        return count(c(["x", "y", "x"])), made.lookup(c(["x", "y"]))

    see("counting", counting)

    def from_file():
        path = os.path.join(tempfile.mkdtemp(), "words.txt")
        tf.io.write_file(path, "red\t1\ngreen\t2\n")
        I = T.TextFileIndex
        lines = T.TextFileInitializer(path, tf.string, I.WHOLE_LINE, tf.int64, I.LINE_NUMBER)
        columns = T.TextFileInitializer(path, tf.string, 0, tf.int64, 1)
        return [
            T.StaticHashTable(lines, -1).lookup(c(["green\t2", "red"])),
            T.StaticHashTable(columns, -1).lookup(c(["green", "red"])),
        ]

    see("from_file", from_file)

    # Files.
    def files():
        path = os.path.join(tempfile.mkdtemp(), "new", "f.txt")
        tf.io.write_file(path, "hello\nyou\0")
        read = F(lambda name: tf.io.read_file(name))
        found = tf.io.matching_files(os.path.join(os.path.dirname(path), "*.txt"))
        return [read(c(path)), tf.strings.length(tf.io.read_file(path)), len(found), tf.io.gfile.exists(path)]

    see("files", files)
    see("no_file", lambda: tf.io.read_file("/no/such/file"))
    see("no_files", lambda: tf.io.matching_files("/no/such/folder/*"))
    see("raw", lambda: tf.io.decode_raw(c(b"\x01\x00\x02\x00"), tf.int16))
    see("raw_rows", lambda: F(lambda x: tf.io.decode_raw(x, tf.uint8))(c([b"ab", b"\x00\x00"])))
    see("raw_big", lambda: tf.io.decode_raw(c([b"\x00\x01"]), tf.int16, little_endian=False))
    see("raw_bad", lambda: tf.io.decode_raw(c(b"abc"), tf.int16))
    see("csv", lambda: tf.io.decode_csv(["1,2.5,a", '4,,"x,y"'], [[0], [0.5], [""]]))
    see("csv_graph", lambda: F(lambda x: tf.io.decode_csv(x, [[0], [0.5]]))(c("7,1")))
    see("csv_columns", lambda: tf.io.decode_csv(["1;2;3"], [[0], [0]], field_delim=";", select_cols=[0, 2]))
    see("csv_na", lambda: tf.io.decode_csv(["NA"], [[5]], na_value="NA"))
    see("csv_required", lambda: tf.io.decode_csv([",1"], [c([], tf.int32), [0]]))
    see("csv_short", lambda: tf.io.decode_csv(["1"], [[0], [0]]))
    see("csv_no_number", lambda: tf.io.decode_csv(["x"], [[0]]))
    see(
        "base64",
        lambda: [tf.io.encode_base64(["hi", ""]), tf.io.encode_base64("hi", pad=True), tf.io.decode_base64("aGk")],
    )

    # What an object says of itself.
    class Kind(tf.types.experimental.TraceType):
        def __init__(self, of):
            self.of = of

        def is_subtype_of(self, other):
            return type(other) is Kind and issubclass(self.of, other.of)

        def most_specific_common_supertype(self, others):
            return self if all(self == other for other in others) else None

        def placeholder_value(self, placeholder_context=None):
            return self.of()

        def __eq__(self, other):
            return type(other) is Kind and self.of is other.of

        def __hash__(self):
            return hash(self.of)

    class Fruit:
        weight = c(3)

        def __tf_tracing_type__(self, context):
            return Kind(type(self))

    class Apple(Fruit):
        weight = c(1)

    class Mango(Fruit):
        weight = c(2)

    @F
    def weigh(fruit, other):
        print("trace", type(fruit).__name__, type(other).__name__)
        return fruit.weight + other.weight

    see("fruit", lambda: [weigh(Apple(), Mango()), weigh(Apple(), Mango()), weigh(Mango(), Apple())])
    see("fruit_again", lambda: [weigh(Apple(), Mango()), weigh(Apple(), Apple())])

    # Optimizers of TensorFlow 1.
    def training(make, steps=3):
        with v1.Graph().as_default():
            w = v1.get_variable("w", initializer=[2.0, -1.0])
            counter = v1.train.get_or_create_global_step()
            train = make().minimize(tf.reduce_sum((w - 5.0) ** 2), global_step=counter)
            with v1.Session() as session:
                session.run(v1.global_variables_initializer())
                for _ in range(steps):
                    session.run(train)
                return [*session.run([w, counter]), sorted(v.name for v in v1.global_variables())]

    see("descent", lambda: training(lambda: v1.train.GradientDescentOptimizer(0.1)))
    see("momentum", lambda: training(lambda: v1.train.MomentumOptimizer(0.1, 0.9)))
    see("nesterov", lambda: training(lambda: v1.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)))
    see("adam", lambda: training(lambda: v1.train.AdamOptimizer(0.1)))

    def in_parts():
        with v1.Graph().as_default():
            w = v1.get_variable("w", initializer=2.0)
            other = v1.get_variable("other", initializer=1.0)
            optimizer = v1.train.GradientDescentOptimizer(0.5)
            pairs = optimizer.compute_gradients(w * w, [w, other])
            train = optimizer.apply_gradients([(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in pairs if g is not None])
            with v1.Session() as session:
                session.run(v1.global_variables_initializer())
                session.run(train)
                return [session.run(w), pairs[1][0]]

    see("in_parts", in_parts)

    def without():
        with v1.Graph().as_default():
            w = v1.get_variable("w", initializer=2.0)
            v1.train.GradientDescentOptimizer(0.5).minimize(c(1.0), var_list=[w])

    see("without", without)
    see("devices", lambda: [tf.config.list_physical_devices("GPU"), len(tf.config.list_physical_devices("CPU"))])
    see("kinds", lambda: [d.device_type for d in tf.config.list_logical_devices("CPU")])
    see("identity_n", lambda: tf.identity_n([c(1), c("a")]))
    see("time", lambda: [tf.timestamp().dtype.name, tf.timestamp().shape, bool(F(tf.timestamp)() > 1e9)])
    see("iterable", lambda: tf.debugging.assert_proper_iterable([c(1)]))
    see("no_iterable", lambda: tf.debugging.assert_proper_iterable(c([1])))
    see("rebatch", lambda: list(tf.data.Dataset.range(6).batch(4).rebatch(3)))

    def leaking():
        kept = []
        F(lambda: kept.append(tf.constant(1) + 1))()
        return F(lambda: kept[0] + 1)()

    see("leaking", leaking)
    see("invert", lambda: F(lambda x: tf.bitwise.invert(x))(c([5, -1])))
    see("no_indices", lambda: tf.one_hot([0.5], 2))
    see("short_mask", lambda: tf.boolean_mask([1, 2, 3], [True, False]))
    see("unknown_size", lambda: tf.zeros([None, 2]))

    def gradient(f, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    see("slope_of_sign", lambda: gradient(tf.sign, c([1.5, 0.0])))
    see("slope_of_max", lambda: gradient(lambda x: tf.math.segment_max(x, [0, 0, 1]), c([2.0, 2.0, 1.0])))
    see("slope_of_prod", lambda: gradient(lambda x: tf.math.unsorted_segment_prod(x, [0, 0, 1], 2), c([2.0, 3.0, 4.0])))
    scatter = tf.tensor_scatter_nd_max
    see("slope_of_scatter", lambda: gradient(lambda x: scatter(x, [[0], [1]], x[1:] * 2), c([1.0, 2.0, 0.5])))
    see("slope_of_complex", lambda: gradient(lambda x: tf.abs(tf.complex(x, 2 * x)), c([3.0, 1.0])))
