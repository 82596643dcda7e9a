"""Rows of different lengths, and tensors of which most elements are zero."""

LISTS = {
    "numbers": [[1, 2], [], [3]],
    "floats": [[1.5], [2.0, -1.0, 4.0]],
    "texts": [["a"], [], ["b", "cd"]],
    "even": [[1, 2], [3, 4]],
    "empty": [[], []],
    "many": [list(range(50))] * 3,
    "no_rows": [],
    "no_lists": [1, 2],
    "uneven_depth": [[1], 2],
}


def made(tf):
    return {
        "row_splits": lambda: tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 2, 3]),
        "row_lengths": lambda: tf.RaggedTensor.from_row_lengths(["a", "b"], [2, 0]),
        "row_starts": lambda: tf.RaggedTensor.from_row_starts([1, 2, 3], [0, 1]),
        "row_limits": lambda: tf.RaggedTensor.from_row_limits([1, 2, 3], [1, 3]),
        "rowids": lambda: tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2]),
        "rowids_and_rows": lambda: tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=5),
        "no_rowids": lambda: tf.RaggedTensor.from_value_rowids(tf.zeros([0]), tf.zeros([0], tf.int64)),
        "padding": lambda: tf.RaggedTensor.from_tensor([[1, 0, 2, 0], [0, 0, 0, 0], [3, 0, 0, 0]], padding=0),
        "inner_padding": lambda: tf.RaggedTensor.from_tensor([[[1, 0], [0, 0]], [[0, 0], [0, 2]]], padding=[0, 0]),
        "lengths": lambda: tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], lengths=[1, 9]),
        "whole": lambda: tf.RaggedTensor.from_tensor([[1, 2], [3, 0]], row_splits_dtype=tf.int32),
        "inner": lambda: tf.RaggedTensor.from_row_splits(tf.reshape(tf.range(6), [3, 2]), [0, 2, 3]),
        "inner_shape": lambda: tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], inner_shape=(2,)),
        "inner_rank": lambda: tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1),
        "dtypes": lambda: tf.ragged.constant([[1], []], tf.float64, row_splits_dtype=tf.int32),
        "stack": lambda: tf.ragged.stack([[1, 2], [3]]),
        "sparse": lambda: tf.RaggedTensor.from_sparse(tf.sparse.from_dense([[3, 1], [0, 0], [5, 0]])),
    }


def parts(x):
    return [
        x, x.shape, x.ragged_rank, x.dtype, x.values, x.flat_values, x.row_splits, x.nested_row_splits, x.row_lengths(),
        x.nrows(), x.value_rowids(), x.row_starts(), x.row_limits(), x.bounding_shape(), x.to_list(), x.to_tensor(),
        x.uniform_row_length, str(x), list(x),
    ]  # fmt: skip


def run(tf, see):
    see_as_text = lambda what, action: see(what, lambda: repr(action()))  # noqa: E731
    for name, value in LISTS.items():
        see_as_text(f"of_{name}", lambda value=value: tf.ragged.constant(value))
    for name, action in made(tf).items():
        see_as_text(f"from_{name}", lambda action=action: parts(action()))
    asked(tf, see, see_as_text)
    computed(tf, see, see_as_text)
    sparse(tf, see, see_as_text)
    functions(tf, see, see_as_text)
    texts(tf, see, see_as_text)


def asked(tf, see, see_as_text):
    x = tf.ragged.constant([[1, 2], [], [3]])
    see_as_text("rows", lambda: [x[0], x[-1], x[1], x[0, 1], x[tf.constant(2)], x[0][0]])
    see_as_text("slices", lambda: [x[1:], x[:2], x[::2], x[::-1], x[5:]])
    see("past_the_end", lambda: x[5])
    see_as_text("padded", lambda: [x.to_tensor(9), x.to_tensor(9, shape=[None, 4]), x.to_tensor(shape=(2, 1))])
    see_as_text("padded_more", lambda: x.to_tensor(-1, shape=[4, 3]))
    see_as_text("inner_padded", lambda: made(tf)["inner"]().to_tensor([7, 8]))
    see_as_text("sizes", lambda: [x.bounding_shape(axis=1), x.bounding_shape(out_type=tf.int32), x.nrows(tf.int32)])
    see_as_text("arrays", lambda: [x.numpy(), tf.ragged.constant([[1, 2], [3, 4]]).numpy()])
    see_as_text("to_sparse", lambda: x.to_sparse())
    see_as_text("with_values", lambda: x.with_values([9.0, 8.0, 7.0]))
    see("len", lambda: len(x))
    see("bool", lambda: bool(x))
    see("hash", lambda: hash(x))
    see("constructor", lambda: tf.RaggedTensor([1], [0, 1]))
    see("is_tensor", lambda: [tf.is_tensor(x), tf.nest.is_nested(x), x in [x]])
    see_as_text("nest", lambda: [tf.nest.flatten([x]), tf.nest.flatten(x, expand_composites=True)])
    see_as_text("nest_map", lambda: tf.nest.map_structure(lambda y: y * 2, {"a": x}))
    see_as_text("nest_map_expanded", lambda: tf.nest.map_structure(lambda y: y + y, x, expand_composites=True))
    see("wrong_lengths", lambda: tf.RaggedTensor.from_row_lengths([1, 2, 3], [1, 1]))
    see("wrong_splits", lambda: tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 1, 3]))
    see("wrong_start", lambda: tf.RaggedTensor.from_row_splits([1, 2, 3], [1, 3]))
    see("wrong_rowids", lambda: tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 2, 1]))
    see("not_right_ragged", lambda: tf.RaggedTensor.from_sparse(tf.sparse.from_dense([[1, 0, 2]])))


def computed(tf, see, see_as_text):
    x, y = tf.ragged.constant([[1, 2], [], [3]]), tf.ragged.constant([[5, 1], [], [3]])
    see_as_text("operators", lambda: [x + 1, 2 - x, x * y, x / 2, -x, abs(-x), x // y, x % 2, x**2])
    see_as_text("compared", lambda: [x == y, x != y, x < 2, y >= x, x == x, (x > 1) & (y > 1), ~(x > 1)])
    see_as_text("none", lambda: x == None)  # noqa: E711
    see_as_text("functions", lambda: [tf.abs(x), tf.square(x), tf.cast(x, tf.float32), tf.negative(x)])
    see_as_text("mapped", lambda: tf.ragged.map_flat_values(tf.add, x, y=y))
    see_as_text("mapped_nothing", lambda: tf.ragged.map_flat_values(tf.add, 1, 2))
    see("other_lengths", lambda: x + tf.ragged.constant([[1], [2], [3]]))

    def gradient():
        v = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            rows = tf.RaggedTensor.from_row_lengths(v, [1, 2])
            found = rows.to_tensor() ** 2
        return tf.convert_to_tensor(tape.gradient(found, v))

    see("gradient", gradient)

    def of_rows():
        v = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            found = tf.RaggedTensor.from_row_lengths(v, [1, 2]) * 3.0
        return tape.gradient(found, v)

    see("gradient_of_rows", of_rows)


def sparse(tf, see, see_as_text):
    x = tf.SparseTensor([[0, 1], [1, 2]], [1, 2], [3, 4])
    turned = tf.SparseTensor([[1, 2], [0, 1]], [1, 2], [3, 4])
    see_as_text("sparse", lambda: [str(x), x, x.shape, x.get_shape(), x.dtype, x.indices, x.values, x.dense_shape])
    see_as_text("dense", lambda: [tf.sparse.to_dense(x), tf.sparse.to_dense(x, default_value=-1)])
    see_as_text("texts", lambda: tf.sparse.to_dense(tf.SparseTensor([[1]], ["a"], [3])))
    see_as_text("turned", lambda: [tf.sparse.reorder(turned), tf.sparse.to_dense(turned, validate_indices=False)])
    for name, whole in {"two": [[0, 1], [2, 0]], "text": [["", "a"]], "one": [0.0, 2.5], "bool": [True, False]}.items():
        see_as_text(f"from_dense_{name}", lambda whole=whole: tf.sparse.from_dense(whole))
    see_as_text("scaled", lambda: [x * 2, x / 2, x.with_values([5, 6])])
    see("out_of_order", lambda: tf.sparse.to_dense(turned))
    see("twice", lambda: tf.sparse.to_dense(tf.SparseTensor([[0, 0], [0, 0]], [1, 2], [3, 4])))
    see("out_of_bounds", lambda: tf.sparse.to_dense(tf.SparseTensor([[9, 9]], [1], [3, 4])))
    see("sparse_plus", lambda: x + 1)
    see("sparse_part", lambda: x[0])
    see("sparse_len", lambda: len(x))
    see("sparse_lengths", lambda: tf.SparseTensor([[0, 1]], [1, 2], [3, 4]))
    see("sparse_ranks", lambda: tf.SparseTensor([[0, 1]], [1], [3]))
    see("sparse_vector", lambda: tf.SparseTensor([0, 1], [1], [3]))
    see("one_class", lambda: tf.SparseTensor is tf.sparse.SparseTensor)


def texts(tf, see, see_as_text):
    given = ["a b  c", "", "d"]
    calls = {
        "split": lambda x: tf.strings.split(x),
        "split_by": lambda x: tf.strings.split(x, " ", maxsplit=1),
        "bytes_split": lambda x: tf.strings.bytes_split(x),
        "decode": lambda x: tf.strings.unicode_decode(x, "UTF-8"),
        "characters": lambda x: tf.strings.unicode_split(x, "UTF-8"),
        "decode_with_offsets": lambda x: tf.strings.unicode_decode_with_offsets(x, "UTF-8"),
        "characters_with_offsets": lambda x: tf.strings.unicode_split_with_offsets(x, "UTF-8"),
    }
    for name, call in calls.items():
        see_as_text(name, lambda call=call: call(given))
        see_as_text(f"{name}_in_a_graph", lambda call=call: tf.function(call)(tf.constant(given)))


def functions(tf, see, see_as_text):
    rows = tf.ragged.constant([[1, 2], [], [3], [4, 5, 6]])

    @tf.function
    def total(x, most):
        print("traced")
        found = 0
        for row in x:
            if tf.size(row) == 0:
                continue
            found += tf.reduce_sum(row)
            if found > most:
                break
        return found

    see("loop", lambda: [total(rows, 100), total(tf.ragged.constant([[1], [9, 2], [8, 8], [2]]), 100), total(rows, 5)])

    @tf.function
    def nested(x):
        found = 0
        for row in x:
            for item in row:
                if item % 2 == 0:
                    found += item
        return found

    see("nested", lambda: nested(rows))

    @tf.function
    def captured(factor):
        found = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        i = 0
        for row in rows:
            found = found.write(i, tf.reduce_sum(row) * factor)
            i += 1
        return found.stack()

    see("captured", lambda: captured(2))

    @tf.function
    def kept(x, times):
        for _ in tf.range(times):
            x = x * 2
        return {"x": x, "half": x.with_values(x.values // 2)}

    see_as_text("returned", lambda: kept(rows, tf.constant(3)))

    @tf.function
    def chosen(values, first):
        if first:
            found = tf.RaggedTensor.from_row_lengths(values, [1, 2])
        else:
            found = tf.RaggedTensor.from_row_lengths(values, [2, 1])
        return found

    see_as_text("chosen", lambda: [chosen(tf.constant([1, 2, 3]), tf.constant(k)) for k in (True, False)])

    @tf.function
    def asked_inside(x):
        print(x.shape, x.dtype, x.ragged_rank)
        return x.to_tensor(7), x.row_lengths(), x.value_rowids(), x[1:], x[::2], x[3], x.nrows(), x == 3, x.to_sparse()

    see_as_text("in_a_graph", lambda: asked_inside(rows))

    @tf.function
    def unevenly(values, lengths):
        return tf.RaggedTensor.from_row_lengths(values, lengths)

    see("wrong_in_a_graph", lambda: unevenly(tf.constant([1, 2]), tf.constant([1, 2])))

    @tf.function
    def whole(x, factor):
        print("traced")
        return x, tf.sparse.to_dense(x * factor), tf.sparse.reorder(x)

    def of_sparse():
        return [whole(tf.sparse.from_dense(part), 2) for part in ([[0, 1], [2, 0]], [[1, 1], [2, 0]])]

    see_as_text("sparse_in_a_graph", of_sparse)
