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


REFUSED = [
    (lambda: rows([[[1], [2, 3]], [[4]]]), ValueError, "one ragged dimension here"),
    (lambda: tf.ragged.constant([[1]], ragged_rank=2), ValueError, "one ragged dimension here"),
    (lambda: tf.ragged.constant([1], ragged_rank=1), ValueError, "it takes rows"),
    (lambda: tf.ragged.constant([[[1, 2]]], inner_shape=(3,)), ValueError, r"values have the shape \(2,\)"),
    (lambda: rows()[:, 1:], ValueError, "loop over the rows"),
    (lambda: rows() + tf.constant([1, 2, 3]), TypeError, r"tf.gather\(y, x.value_rowids"),
    (lambda: np.ones(3) + rows(), TypeError, r"tf.gather\(y, x.value_rowids"),
    (lambda: np.exp(rows()), TypeError, "does not support ufuncs"),
    (lambda: derivative(rows([[1.0]])), TypeError, "not of RaggedTensor"),
    (lambda: derivative(tf.IndexedSlices([1.0], [0])), TypeError, "not of IndexedSlices"),
    (lambda: rows() @ rows(), TypeError, "takes a number or a RaggedTensor"),
    (lambda: tf.reduce_sum(rows()), TypeError, r"tf.math.segment_sum\(x.values"),
    (lambda: tf.convert_to_tensor(rows()), TypeError, r"x.to_tensor\(\)"),
    (lambda: rows().merge_dims(0, 1), AttributeError, r"no attribute 'merge_dims'.*x.to_tensor\(\)"),
    (lambda: rows().row_lengths(axis=0), ValueError, "the ragged dimension is 1"),
    (lambda: rows().to_tensor(shape=[1, 2, 3]), ValueError, "does not fit"),
    (lambda: tf.map_fn(tf.reduce_sum, rows()), TypeError, "takes no RaggedTensor: .* Loop over its rows"),
    (lambda: tf.map_fn(tf.reduce_sum, MADE["slices"](3)), TypeError, "takes no IndexedSlices"),
    (lambda: tf.data.Dataset.from_tensors(rows()), TypeError, "RaggedTensor cannot become a tensor"),
    (lambda: tf.data.Dataset.from_tensor_slices(rows()), TypeError, "RaggedTensor cannot become a tensor"),
    (lambda: tf.data.Dataset.range(2).map(lambda i: rows()), TypeError, "RaggedTensor cannot become a tensor"),
    (lambda: tf.exp(MADE["sparse"](3)), TypeError, "tf.sparse.to_dense"),
    (lambda: MADE["sparse"](3) * tf.ones([3]), TypeError, "it takes a number"),
    (lambda: tf.sparse.to_dense(rows()), TypeError, "takes a SparseTensor, not RaggedTensor"),
    (lambda: tf.RaggedTensor.from_sparse(rows()), TypeError, "takes a SparseTensor, not RaggedTensor"),
    (lambda: tf.RaggedTensor.from_row_splits([1], [0.0, 1.0]), TypeError, "int64"),
    (lambda: tf.RaggedTensor.from_row_splits(1, [0, 1]), ValueError, "rank 1 or more"),
    (lambda: tf.RaggedTensor.from_tensor([[1]], lengths=[1], padding=0), ValueError, "lengths or padding"),
    (lambda: tf.ragged.stack([[[1]]]), ValueError, "tensors of rank 1"),
    (lambda: tf.ragged.range([1, 2]), AttributeError, "no attribute 'range': loop over the rows"),
    (lambda: tf.sparse.add, AttributeError, "no attribute 'add': compute with x.values"),
    (lambda: tf.RaggedTensorSpec, AttributeError, "leave input_signature out"),
]


@pytest.mark.parametrize(("action", "kind", "message"), REFUSED)
def test_what_there_is_not_is_refused_by_name(action, kind, message):
    with pytest.raises(kind, match=message):
        action()
