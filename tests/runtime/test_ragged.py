"""Rows of different lengths and sparse tensors: what is refused, and how graphs take what is several tensors."""

import numpy as np
import pytest

import runtime as tf

ROWS = [[3, 1], [], [4, 1, 5]]


def rows(lists=ROWS):
    return tf.ragged.constant(lists)


MADE = {
    "ragged": lambda n: tf.RaggedTensor.from_row_lengths(tf.range(n), [1, n - 1]),
    "sparse": lambda n: tf.sparse.from_dense(tf.range(1, n + 1)),
    "slices": lambda n: tf.IndexedSlices(tf.range(n), tf.range(n), [9]),
}


def summed(value):
    return tf.reduce_sum(value.values)


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["", "compiled"])
def test_how_many_values_there_are_decides_about_no_graph(kind, options):
    f = tf.function(lambda value, others: (summed(value), others["a"]), **options)
    for n in (3, 5, 4):
        value = MADE[kind](n)
        found, same = f(value, {"a": value})
        assert found == summed(value) and type(same) is type(value)
        assert same.values.numpy().tolist() == value.values.numpy().tolist()
    assert f.experimental_get_tracing_count() == 1
    concrete = f.get_concrete_function(MADE[kind](3), {"a": MADE[kind](3)})
    assert concrete(MADE[kind](6), {"a": MADE[kind](6)})[0] == summed(MADE[kind](6))


@pytest.mark.parametrize("kind", MADE)
def test_what_is_made_of_several_tensors_goes_through_branches_and_loops(kind):
    def program(value, times):
        kept, other = value, value
        for _ in tf.range(times):
            more = other.values + 1
            other = tf.IndexedSlices(more, value.indices, [9]) if kind == "slices" else other.with_values(more)
        if tf.reduce_sum(value.values) > 5:
            kept = other
        return kept

    f = tf.function(program)
    for n in (3, 5):
        found, expected = f(MADE[kind](n), tf.constant(2)), program(MADE[kind](n), 2)
        assert type(found) is type(expected)
        assert found.values.numpy().tolist() == expected.values.numpy().tolist()


@pytest.mark.parametrize("kind", MADE)
def test_what_is_around_a_function_is_in_its_graph(kind):
    value = MADE[kind](4)
    assert tf.function(lambda x: summed(value) * x)(2) == 2 * summed(value)


def test_a_loop_over_rows_is_one_of_the_graph(capsys):
    @tf.function
    def f(lists):
        best, at = lists[0], -1
        for i, row in enumerate(lists):
            print(row.shape)
            if tf.size(row) >= tf.size(best):
                best, at = row, i
            if at == 2:
                break
        else:
            at = 100
        return best, at

    for lists, expected in ((ROWS, [[4, 1, 5], 2]), ([[1], [], []], [[1], 100]), ([[], [7], []], [[7], 100])):
        best, at = f(rows(lists))
        assert [best.numpy().tolist(), at.numpy()] == expected
    traced = capsys.readouterr().out.split("\n")[:-1]
    assert {*traced} == {"(None,)"} and len(traced) < 6  # as the types of the variables settle
    assert f.experimental_get_tracing_count() == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda r: list(r),
        lambda r: [tf.reduce_sum(row) for row in r],
        lambda r: [tf.reduce_sum(row) for row in r if tf.size(row) > 0],
        lambda r: [(tf.size(a), tf.size(b)) for a, b in zip(r, r[1:])],
        lambda r: [(i, tf.size(row)) for i, row in enumerate(r)],
        lambda r: next(iter(r)),
        lambda r: [*r][2],
        lambda r: sum(tf.size(row) for row in r),
        lambda r: max(tf.size(row) for row in r),
    ],
)
def test_what_python_does_with_rows_it_does_in_graphs(function):
    def plain(value):
        return [plain(v) for v in value] if isinstance(value, list | tuple) else tf.constant(value).numpy().tolist()

    assert plain(tf.function(function)(rows())) == plain(function(rows()))


def test_rows_of_a_number_that_only_the_graph_knows():
    @tf.function(reduce_retracing=True)
    def f(values, ids):
        lists = tf.RaggedTensor.from_value_rowids(values, ids)
        total = 0
        for row in lists:
            total += tf.size(row) ** 2
        return total, lists, lists.to_tensor()

    for ids in ([0, 0, 2], [0, 1, 2, 3], [5]):
        total, lists, whole = f(tf.range(len(ids)), tf.constant(ids))
        expected = tf.RaggedTensor.from_value_rowids(tf.range(len(ids)), ids)
        assert total == sum(len(row) ** 2 for row in expected.to_list())
        assert lists.to_list() == expected.to_list()
        assert whole.numpy().tolist() == expected.to_tensor().numpy().tolist()


def test_texts_are_split_into_rows():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def words(lines):
        found = 0
        for line in tf.strings.split(lines):
            for word in line:
                if tf.strings.length(word) > 1:
                    found += 1
        return found

    for lines in (["ab c de", "", "f"], ["gh"], ["", "i jk"]):
        assert words(tf.constant(lines)) == sum(len(word) > 1 for line in lines for word in line.split())


def test_a_structure_is_whole_unless_it_is_expanded():
    value = {"b": rows(), "a": MADE["sparse"](3)}
    assert [type(leaf).__name__ for leaf in tf.nest.flatten(value)] == ["SparseTensor", "RaggedTensor"]
    leaves = tf.nest.flatten(value, expand_composites=True)
    assert [leaf.shape.rank for leaf in leaves] == [2, 1, 1, 1, 1]
    again = tf.nest.pack_sequence_as(value, leaves, expand_composites=True)
    assert again["b"].to_list() == ROWS
    with pytest.raises(ValueError, match="one has a leaf"):
        tf.nest.assert_same_structure(rows(), tf.constant(1), expand_composites=True)
    tf.nest.assert_same_structure(rows(), tf.constant(1))


@pytest.mark.parametrize(
    "made, options, text",
    [
        (lambda: rows(), {}, "[[3, 1], [], [4, 1, 5]]"),
        (lambda: {"r": [rows([[1.5], []])]}, {}, "{'r': [[[1.500000], []]]}"),
        (lambda: rows([["a", "b'c"], []]), {}, "[['a', 'b\\'c'], []]"),
        (lambda: rows([[True]]), {}, "[[true]]"),
        (lambda: rows([[1, 2, 3], [4]] * 2), {"summarize": 1}, "[[1, ..., 3], ..., [4]]"),
        (lambda: MADE["sparse"](1), {}, "'SparseTensor(indices=[[0]], values=[1], shape=[1])'"),
    ],
)
def test_rows_are_printed_as_lists(made, options, text, capsys):
    for function in (tf.print, tf.function(tf.print)):
        function(made(), **options)
        assert capsys.readouterr().err == f"{text}\n"


def derivative(source):
    with tf.GradientTape() as tape:
        tape.watch(source.values)
        found = tf.reduce_sum(source.values**2)
    return tape.gradient(found, source)


def nested():
    return rows([[[1, 2], [3]], [], [[4, 5, 6]]])


ROW, SOME_ROWS = tf.RaggedTensorSpec([None], tf.int32), tf.RaggedTensorSpec([None, None], tf.int32)


@tf.function(input_signature=[SOME_ROWS])
def specified(given):
    return tf.reduce_sum(given, 1)


TEXTS = [["ab", "c"], [], ["d e"]]
FLOATS = [[1.0, 3.0], [5.0]]

# As TensorFlow has them.
FOUND = [
    (lambda: tf.reduce_sum(rows(), 0), [7, 2, 5]),
    (lambda: tf.reduce_sum(rows(), 1), [4, 0, 10]),
    (lambda: tf.reduce_sum(rows()), 14),
    (lambda: tf.reduce_sum(rows(), -1, keepdims=True), [[4], [0], [10]]),
    (lambda: tf.reduce_max(rows()[:, :1], 1), [3, -(2**31), 4]),
    (lambda: tf.reduce_min(rows([[3, 1], [4]]), 1), [1, 4]),
    (lambda: tf.reduce_prod(rows(), 1), [3, 1, 20]),
    (lambda: tf.reduce_any(rows() > 3, 1), [False, False, True]),
    (lambda: tf.reduce_all(rows() > 1, 1), [False, True, False]),
    (lambda: tf.reduce_mean(rows(FLOATS), 1), [2.0, 5.0]),
    (lambda: tf.math.reduce_variance(rows(FLOATS), 1), [1.0, 0.0]),
    (lambda: tf.math.reduce_std(rows(FLOATS), 1), [1.0, 0.0]),
    (lambda: tf.reduce_sum(nested(), 0), [[5, 7, 6], [3]]),
    (lambda: tf.reduce_sum(nested(), 1), [[4, 2], [], [4, 5, 6]]),
    (lambda: tf.reduce_sum(nested(), 2), [[3, 3], [], [15]]),
    (lambda: tf.reduce_sum(nested(), [1, 2]), [6, 0, 15]),
    (lambda: tf.concat([rows(), rows() + 10], 0), [*ROWS, [13, 11], [], [14, 11, 15]]),
    (lambda: tf.concat([rows(), [[7], [8], [9]]], 1), [[3, 1, 7], [8], [4, 1, 5, 9]]),
    (lambda: tf.stack([rows(), rows([[1]])]), [ROWS, [[1]]]),
    (lambda: tf.stack([rows(), rows()], 1), [[row, row] for row in ROWS]),
    (lambda: tf.expand_dims(rows(), 0), [ROWS]),
    (lambda: tf.expand_dims(rows(), 1), [[row] for row in ROWS]),
    (lambda: tf.expand_dims(rows(), -1), [[[n] for n in row] for row in ROWS]),
    (lambda: tf.squeeze(tf.expand_dims(rows(), 1), 1), ROWS),
    (lambda: tf.tile(rows(), [2, 2]), [row * 2 for row in ROWS] * 2),
    (lambda: tf.reverse(rows(), [0, 1]), [[5, 1, 4], [], [1, 3]]),
    (lambda: tf.gather(rows(), [2, 0]), [[4, 1, 5], [3, 1]]),
    (lambda: tf.gather(rows(), [[2], [0]]), [[[4, 1, 5]], [[3, 1]]]),
    (lambda: tf.gather([10, 20, 30], rows([[0], [1, 2]])), [[10], [20, 30]]),
    (lambda: tf.gather(rows(), rows([[0], [], [2, 0]]), batch_dims=1), [[3], [], [5, 4]]),
    (lambda: tf.ragged.boolean_mask(rows(), rows() > 1), [[3], [], [4, 5]]),
    (lambda: tf.ragged.boolean_mask(rows(), [True, False, True]), [[3, 1], [4, 1, 5]]),
    (lambda: tf.where(rows() > 1, rows(), 0), [[3, 0], [], [4, 0, 5]]),
    (lambda: tf.where(rows() > 3), [[2, 0], [2, 2]]),
    (lambda: tf.where([True, False, True], rows(), rows([[0], [9], []])), [[3, 1], [9], [4, 1, 5]]),
    (lambda: tf.size(nested()), 6),
    (lambda: tf.rank(nested()), 3),
    (lambda: rows()[:, 1:], [[1], [], [1, 5]]),
    (lambda: rows()[:, -2:], [[3, 1], [], [1, 5]]),
    (lambda: rows()[::-1, ::2], [[4, 5], [], [3]]),
    (lambda: rows()[:, ::-1], [[1, 3], [], [5, 1, 4]]),
    (lambda: rows()[..., :1], [[3], [], [4]]),
    (lambda: nested()[:, 0:1], [[[1, 2]], [], [[4, 5, 6]]]),
    (lambda: nested()[:, :, :1], [[[1], [3]], [], [[4]]]),
    (lambda: nested()[0, 0], [1, 2]),
    (lambda: nested().to_tensor(), [[[1, 2, 0], [3, 0, 0]], [[0] * 3] * 2, [[4, 5, 6], [0] * 3]]),
    (lambda: nested().to_tensor(shape=[None, 1, 2]), [[[1, 2]], [[0, 0]], [[4, 5]]]),
    (lambda: tf.sparse.to_dense(nested().to_sparse()), [[[1, 2, 0], [3, 0, 0]], [[0] * 3] * 2, [[4, 5, 6], [0] * 3]]),
    (lambda: nested().merge_dims(0, 1), [[1, 2], [3], [4, 5, 6]]),
    (lambda: nested().merge_dims(1, 2), [[1, 2, 3], [], [4, 5, 6]]),
    (lambda: nested().merge_dims(0, 2), [1, 2, 3, 4, 5, 6]),
    (lambda: nested().row_lengths(axis=2), [[2, 1], [], [3]]),
    (lambda: nested().bounding_shape(), [3, 2, 3]),
    (lambda: nested() * 2 + nested(), [[[3, 6], [9]], [], [[12, 15, 18]]]),
    (lambda: rows() + [[10], [20], [30]], [[13, 11], [], [34, 31, 35]]),
    (lambda: 10 - rows(), [[7, 9], [], [6, 9, 5]]),
    (lambda: tf.maximum(2, rows()), [[3, 2], [], [4, 2, 5]]),
    (lambda: tf.add_n([rows(), rows()]), [[6, 2], [], [8, 2, 10]]),
    (lambda: tf.clip_by_value(rows(), 2, 4), [[3, 2], [], [4, 2, 4]]),
    (lambda: tf.nn.relu(-tf.cast(rows(), tf.float32)), [[0, 0], [], [0, 0, 0]]),
    (lambda: tf.ones_like(rows()), [[1, 1], [], [1, 1, 1]]),
    (lambda: tf.one_hot(rows([[0], [1]]), 2), [[[1, 0]], [[0, 1]]]),
    (lambda: tf.nn.embedding_lookup(tf.constant([[1.0], [2.0]]), rows([[0], [1, 0]])), [[[1]], [[2], [1]]]),
    (lambda: tf.ragged.range([3, 0, 2]), [[0, 1, 2], [], [0, 1]]),
    (lambda: tf.ragged.range([1, 5], [4, 10], 2), [[1, 3], [5, 7, 9]]),
    (lambda: tf.ragged.stack([rows(), rows([[1]])]), [ROWS, [[1]]]),
    (lambda: tf.RaggedTensor.from_tensor(tf.ones([1, 2, 1]), ragged_rank=2), [[[1], [1]]]),
    (lambda: tf.map_fn(tf.reduce_sum, rows()), [4, 0, 10]),
    (lambda: tf.map_fn(lambda x: x[:1], rows(), fn_output_signature=ROW), [[3], [], [4]]),
    (lambda: tf.map_fn(tf.range, tf.constant([2, 1]), fn_output_signature=ROW), [[0, 1], [0]]),
    (lambda: tf.map_fn(lambda x: x[:, :1], nested(), fn_output_signature=SOME_ROWS), [[[1], [3]], [], [[4]]]),
    (lambda: tf.strings.upper(rows(TEXTS)), [[b"AB", b"C"], [], [b"D E"]]),
    (lambda: tf.strings.length(rows(TEXTS)), [[2, 1], [], [3]]),
    (lambda: tf.strings.join([rows(TEXTS), "!"]), [[b"ab!", b"c!"], [], [b"d e!"]]),
    (lambda: tf.strings.reduce_join(rows(TEXTS), axis=1, separator="-"), [b"ab-c", b"", b"d e"]),
    (lambda: tf.strings.ngrams(rows([["a", "b", "c"], ["d"]]), 2), [[b"a b", b"b c"], []]),
    (lambda: tf.strings.split([["a b"], ["c"]]), [[[b"a", b"b"]], [[b"c"]]]),
    (lambda: tf.strings.split(rows(TEXTS)), [[[b"ab"], [b"c"]], [], [[b"d", b"e"]]]),
    (lambda: tf.strings.unicode_encode(rows([[97, 98], [99]]), "UTF-8"), [b"ab", b"c"]),
]


def listed(value):
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    return value.numpy().tolist()


@pytest.mark.parametrize(("function", "expected"), FOUND)
def test_functions_of_tensors_take_rows(function, expected):
    assert listed(function()) == expected
    assert listed(tf.function(function)()) == expected


def test_how_many_rows_there_are_in_rows_decides_about_no_graph():
    f = tf.function(lambda given: (tf.reduce_sum(given, 2), given[:, :1], tf.concat([given, given], 1)))
    for lists in ([[[1, 2], [3]], []], [[[1]], [[2], [3, 4], []]], [[], []]):
        given = tf.RaggedTensor.from_nested_row_lengths(
            tf.range(sum(len(r) for rows in lists for r in rows)),
            [[len(rows) for rows in lists], [len(r) for rows in lists for r in rows]],
        )
        expected = tf.reduce_sum(given, 2), given[:, :1], tf.concat([given, given], 1)
        assert [*map(listed, f(given))] == [*map(listed, expected)]
    assert f.experimental_get_tracing_count() == 1


def test_functions_say_which_rows_they_take():
    assert listed(specified(rows())) == [4, 0, 10] and listed(specified(rows([[7]]))) == [7]
    assert specified.experimental_get_tracing_count() == 1
    concrete = tf.function(lambda r: r[:, :1]).get_concrete_function(tf.RaggedTensorSpec([None, None], tf.int32))
    assert listed(concrete(rows())) == [[3], [], [4]]
    (spec,), _ = concrete.structured_input_signature
    assert repr(spec) == "RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64)"
    assert spec == tf.RaggedTensorSpec([None, None], tf.int32) and spec.is_compatible_with(rows())
    assert not spec.is_compatible_with(nested())

    @tf.function(input_signature=[tf.SparseTensorSpec([None, 2], tf.int32)])
    def total(given):
        return tf.reduce_sum(given.values)

    assert total(tf.sparse.from_dense([[1, 0], [2, 3]])) == 6


@pytest.mark.parametrize("kind", ["concat", "loop"])
def test_gradients_go_through_rows(kind):
    v = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        made = tf.RaggedTensor.from_row_lengths(v, [2, 1])
        if kind == "concat":
            loss = tf.reduce_sum(tf.concat([made, made * made], 1)[:, 1:])
        else:
            loss = tf.reduce_sum(tf.function(lambda r: tf.map_fn(tf.reduce_max, r))(made))
    assert tape.gradient(loss, v).numpy().tolist() == ([2.0, 5.0, 6.0] if kind == "concat" else [0.0, 1.0, 1.0])


def batches(data):
    return [listed(b) if isinstance(b, tf.RaggedTensor | tf.Tensor) else listed(tf.sparse.to_dense(b)) for b in data]


COUNTED = tf.data.Dataset.range(4).map(tf.range)
DATA = [
    (lambda: COUNTED.ragged_batch(2), [[[], [0]], [[0, 1], [0, 1, 2]]]),
    (lambda: COUNTED.ragged_batch(3, drop_remainder=True), [[[], [0], [0, 1]]]),
    (lambda: COUNTED.sparse_batch(3, [4]).take(1), [[[0] * 4, [0] * 4, [0, 1, 0, 0]]]),
    (lambda: tf.data.Dataset.from_tensor_slices(rows()), ROWS),
    (lambda: tf.data.Dataset.from_tensor_slices(rows()).batch(2), [ROWS[:2], ROWS[2:]]),
    (lambda: tf.data.Dataset.from_tensor_slices(rows()).batch(2).map(lambda r: r * 2), [[[6, 2], []], [[8, 2, 10]]]),
    (lambda: tf.data.Dataset.from_tensor_slices(rows()).batch(3).map(lambda r: tf.reduce_sum(r, 1)), [[4, 0, 10]]),
    (lambda: tf.data.Dataset.from_tensor_slices(rows()).batch(2).unbatch(), ROWS),
    (lambda: tf.data.Dataset.from_tensors(rows()).repeat(2).batch(2), [[ROWS, ROWS]]),
    (lambda: tf.data.Dataset.from_tensor_slices(nested()), [[[1, 2], [3]], [], [[4, 5, 6]]]),
    (lambda: tf.data.Dataset.from_tensor_slices(["a b", "c"]).batch(2).map(tf.strings.split), [[[b"a", b"b"], [b"c"]]]),
    (lambda: tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0], [0, 2]])), [[1, 0], [0, 2]]),
    (lambda: tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0], [0, 2]])).batch(2), [[[1, 0], [0, 2]]]),
]


@pytest.mark.parametrize(("data", "expected"), DATA)
def test_rows_are_elements_of_datasets(data, expected):
    assert batches(data()) == expected
    (spec,) = {repr(tf.type_spec_from_value(e)).partition("(")[0] for e in data()}
    assert isinstance(data().element_spec, tf.TensorSpec)
    assert spec == "TensorSpec" or spec in repr(data().element_spec)

    @tf.function
    def counted(given):
        count = 0
        for e in given:
            count += tf.size(e) if isinstance(e, tf.RaggedTensor | tf.Tensor) else tf.size(e.values)
        return count

    sizes = [tf.size(e) if isinstance(e, tf.RaggedTensor | tf.Tensor) else tf.size(e.values) for e in data()]
    assert counted(data()) == sum(sizes)


def test_generators_yield_rows_of_their_spec():
    def yields(*values):
        signature = tf.RaggedTensorSpec([2, None], tf.int32)
        return tf.data.Dataset.from_generator(lambda: iter(values), output_signature=signature)

    assert batches(yields(rows([[1], []]), rows([[2, 3], [4]])).batch(2)) == [[[[1], []], [[2, 3], [4]]]]
    with pytest.raises(TypeError, match="RaggedTensorSpec"):
        list(yields(rows([[1]])))


def sparse(lists):
    return tf.sparse.from_dense(lists)


A, B = [[0.0, 3.0], [0.0, 0.0], [4.0, 0.0]], [[1.0, 0.0], [0.0, 0.0], [-9.0, 2.0]]

# As TensorFlow has them, of A and B.
SPARSE = [
    (lambda a, b: tf.sparse.add(a, b), [[1, 3], [0, 0], [-5, 2]]),
    (lambda a, b: tf.sparse.add(a, tf.ones([3, 2])), [[1, 4], [1, 1], [5, 1]]),
    (lambda a, b: tf.sparse.add(a, b, threshold=4.0), [[0, 0], [0, 0], [-5, 0]]),
    (lambda a, b: tf.sparse.maximum(a, b), [[1, 3], [0, 0], [4, 2]]),
    (lambda a, b: tf.sparse.minimum(a, b), [[0, 0], [0, 0], [-9, 0]]),
    (lambda a, b: tf.sparse.reduce_sum(a), 7),
    (lambda a, b: tf.sparse.reduce_sum(a, 0), [4, 3]),
    (lambda a, b: tf.sparse.reduce_sum(a, -1, keepdims=True), [[3], [0], [4]]),
    (lambda a, b: tf.sparse.reduce_max(b, 1), [1, 0, 2]),
    (lambda a, b: tf.sparse.reduce_max(b), 2),
    (lambda a, b: tf.sparse.sparse_dense_matmul(a, [[1.0], [2.0]]), [[6], [0], [4]]),
    (lambda a, b: tf.sparse.sparse_dense_matmul(a, tf.ones([3, 1]), adjoint_a=True), [[4], [3]]),
    (lambda a, b: tf.sparse.sparse_dense_matmul(a, [[1.0, 2.0]], adjoint_b=True), [[6], [0], [4]]),
    (lambda a, b: tf.sparse.sparse_dense_matmul(tf.ones([1, 3]), a), [[4, 3]]),
    (lambda a, b: tf.sparse.transpose(a), [[0, 0, 4], [3, 0, 0]]),
    (lambda a, b: tf.sparse.reshape(a, [2, -1]), [[0, 3, 0], [0, 4, 0]]),
    (lambda a, b: tf.sparse.retain(a, [False, True]), [[0, 0], [0, 0], [4, 0]]),
    (lambda a, b: tf.sparse.slice(a, [0, 1], [2, 9]), [[3], [0]]),
    (lambda a, b: tf.sparse.concat(0, [a, b]), A + B),
    (lambda a, b: tf.sparse.concat(-1, [a, b]), [x + y for x, y in zip(A, B)]),
    (lambda a, b: tf.sparse.expand_dims(a), [[[x] for x in row] for row in A]),
    (lambda a, b: tf.sparse.expand_dims(a, 0), [A]),
    (lambda a, b: tf.sparse.softmax(a), [[0, 1], [0, 0], [1, 0]]),
    (lambda a, b: tf.sparse.map_values(tf.square, b), [[1, 0], [0, 0], [81, 4]]),
    (lambda a, b: tf.sparse.eye(1, 2), [[1, 0]]),
]


@pytest.mark.parametrize(("function", "expected"), SPARSE)
def test_functions_of_sparse_tensors(function, expected):
    def dense(value):
        return listed(tf.sparse.to_dense(value) if isinstance(value, tf.SparseTensor) else value)

    assert dense(function(sparse(A), sparse(B))) == expected
    traced = tf.function(function)
    assert dense(traced(sparse(A), sparse(B))) == expected
    assert dense(traced(sparse(A), sparse(A))) == dense(function(sparse(A), sparse(A)))
    assert traced.experimental_get_tracing_count() == 1


def test_the_gradient_of_a_sparse_product_is_a_tensor():
    w = tf.Variable(tf.ones([2, 2]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sparse.sparse_dense_matmul(sparse(A), w) ** 2)
    assert tape.gradient(loss, w).numpy().tolist() == [[32.0, 32.0], [18.0, 18.0]]


REFUSED = [
    (lambda: tf.sparse.add(sparse(A), tf.sparse.eye(2)), tf.errors.InvalidArgumentError, "shapes differ"),
    (lambda: tf.sparse.add(1, 2), TypeError, "At least one input"),
    (lambda: tf.sparse.reshape(sparse(A), [4]), tf.errors.InvalidArgumentError, "differ in size"),
    (lambda: tf.sparse.sparse_dense_matmul(sparse(A), tf.ones([3, 1])), tf.errors.InvalidArgumentError, "sizes differ"),
    (lambda: tf.sparse.concat(0, [sparse(A), tf.sparse.eye(3)]), tf.errors.InvalidArgumentError, "shapes differ"),
    (lambda: tf.sparse.reduce_sum(sparse(A), output_is_sparse=True), NotImplementedError, "from_dense"),
    (lambda: tf.ragged.constant([[1]], ragged_rank=2), ValueError, "it takes rows, which are lists"),
    (lambda: tf.ragged.constant([1], ragged_rank=1), ValueError, "it takes rows"),
    (lambda: tf.ragged.constant([[[1, 2]]], inner_shape=(3,)), ValueError, r"values have the shape \(2,\)"),
    (lambda: rows()[:, 1], ValueError, "loop over the rows"),
    (lambda: rows() + tf.constant([1, 2, 3]), TypeError, r"x \* y\[:, tf.newaxis\]"),
    (lambda: np.ones(3) + rows(), TypeError, r"x \* y\[:, tf.newaxis\]"),
    (lambda: rows() + rows([[[1], [2, 3]], [], [[4], [], []]]), TypeError, "are not computed with together"),
    (lambda: np.exp(rows()), TypeError, "does not support ufuncs"),
    (lambda: derivative(rows([[1.0]])), TypeError, "not of RaggedTensor"),
    (lambda: derivative(tf.IndexedSlices([1.0], [0])), TypeError, "not of IndexedSlices"),
    (lambda: rows() @ rows(), TypeError, "matmul takes no RaggedTensor"),
    (lambda: tf.math.cumprod(rows()), TypeError, r"tf.math.segment_sum\(x.values"),
    (lambda: tf.reduce_sum(MADE["sparse"](3)), TypeError, "reduce_sum takes no SparseTensor"),
    (lambda: tf.shape(rows()), TypeError, "bounding_shape"),
    (lambda: tf.concat([rows(), nested()], 0), ValueError, "differ in how many dimensions are ragged"),
    (lambda: tf.gather(rows(), [0, 7]), tf.errors.InvalidArgumentError, "no number of a row"),
    (lambda: tf.gather(rows(), rows([[0], [0], []]), batch_dims=1), tf.errors.InvalidArgumentError, "not in its row"),
    (lambda: tf.squeeze(rows(), 1), tf.errors.InvalidArgumentError, "not all rows have one value"),
    (lambda: tf.reduce_sum(rows(), 2), ValueError, "axis=2 of a RaggedTensor of rank 2"),
    (lambda: tf.convert_to_tensor(rows()), TypeError, r"x.to_tensor\(\)"),
    (lambda: rows().merge_dims(0, 2), ValueError, r"merge_dims\(0, 2\)"),
    (lambda: rows().row_lengths(axis=0), ValueError, "the ragged dimensions are 1 to 1"),
    (lambda: rows().to_tensor(shape=[1, 2, 3]), ValueError, "does not fit"),
    (lambda: tf.scan(lambda a, x: a, rows()), TypeError, "takes no RaggedTensor: .* Loop over its rows"),
    (lambda: tf.map_fn(tf.reduce_sum, MADE["sparse"](3)), TypeError, "takes no SparseTensor"),
    (lambda: tf.map_fn(tf.reduce_sum, MADE["slices"](3)), TypeError, "takes no IndexedSlices"),
    (lambda: tf.data.Dataset.from_tensors(rows()).padded_batch(2), TypeError, "pads tensors"),
    (lambda: specified(tf.constant([[1]])), TypeError, "structure of its input_signature"),
    (lambda: specified(nested()), TypeError, "structure of its input_signature"),
    (lambda: specified(rows([["a"]])), TypeError, "int32"),
    (lambda: tf.RaggedTensorSpec([None], ragged_rank=2), ValueError, "ragged_rank=2"),
    (lambda: tf.exp(MADE["sparse"](3)), TypeError, "tf.sparse.to_dense"),
    (lambda: MADE["sparse"](3) * tf.ones([3]), TypeError, "it takes a number"),
    (lambda: tf.sparse.to_dense(rows()), TypeError, "takes a SparseTensor, not RaggedTensor"),
    (lambda: tf.RaggedTensor.from_sparse(rows()), TypeError, "takes a SparseTensor, not RaggedTensor"),
    (lambda: tf.RaggedTensor.from_row_splits([1], [0.0, 1.0]), TypeError, "int64"),
    (lambda: tf.RaggedTensor.from_row_splits(1, [0, 1]), ValueError, "rank 1 or more"),
    (lambda: tf.RaggedTensor.from_tensor([[1]], lengths=[1], padding=0), ValueError, "lengths or padding"),
    (lambda: tf.ragged.stack([[[1]], [1]]), ValueError, "tensors of one rank"),
    (lambda: tf.ragged.range([[1, 2]]), ValueError, "tensors of rank 1"),
    (lambda: tf.ragged.cross([[1, 2]]), AttributeError, "no attribute 'cross': loop over the rows"),
    (lambda: tf.sparse.cross, AttributeError, "no attribute 'cross': compute with x.values"),
]


@pytest.mark.parametrize(("action", "kind", "message"), REFUSED)
def test_what_there_is_not_is_refused_by_name(action, kind, message):
    with pytest.raises(kind, match=message):
        action()
