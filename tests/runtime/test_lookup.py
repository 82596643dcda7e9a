"""What there is no such thing of says what there is instead; tables and files do the same in a graph and natively."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS


@pytest.mark.parametrize("name", ["ragged.cross", "sparse.cross", "bfloat16", "math.igamma"])
def test_what_is_missing_says_what_to_do(name):
    space, _, last = name.rpartition(".")
    with pytest.raises(AttributeError, match=f"has no attribute '{last}': .{{20}}"):
        getattr(getattr(tf, space) if space else tf, last)
    assert not hasattr(tf, "bfloat16")


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_tables_in_loops(jit_compile):
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(np.arange(4), np.arange(4) ** 2), -1)

    def total(n):
        found = np.int64(0)
        for i in tf.range(n):
            found += table.lookup(i)
        return found

    graph = tf.function(total, jit_compile=jit_compile if jit_compile is not True else None)
    assert int(graph(tf.constant(4, tf.int64))) == 14 == int(total(tf.constant(4, tf.int64)))


def test_files_are_read_when_the_graph_runs(tmp_path):
    path = str(tmp_path / "text")
    read = tf.function(lambda: tf.io.read_file(path))
    for text in ("one", "two\0"):
        tf.io.write_file(path, text)
        assert read().numpy() == text.encode()
    with pytest.raises(tf.errors.NotFoundError, match="nothing"):
        tf.io.read_file(str(tmp_path / "nothing"))
    with pytest.raises(FileExistsError, match="overwrite=True"):
        tf.io.gfile.copy(path, path)


@pytest.mark.parametrize(
    "words, buckets, dtype, keys, found, size",
    [
        ((["a", "b", "c"], [0, 1, 2]), 5, None, ["a", "zz", "q", ""], [0, 5, 6, 6], 8),
        ((["a", "b", "c"], [0, 1, 2]), 5, None, [["c"], ["zz"]], [[2], [5]], 8),
        ((np.array([5, 6]), [0, 1]), 5, None, np.array([5, 7, 8, -100]), [0, 5, 4, 6], 7),
        ((np.array([5, 6]), [0, 1]), 5, tf.int32, np.array([5, 7, 8, -100], np.int32), [0, 5, 4, 6], 7),
        (None, 5, tf.string, ["a"], [4], 5), (None, 5, tf.int64, np.array([7, 8]), [3, 2], 5),
    ],
)  # fmt: skip
def test_words_that_are_not_in_a_vocabulary_share_numbers(words, buckets, dtype, keys, found, size):
    made = words and tf.lookup.KeyValueTensorInitializer(*words, value_dtype=tf.int64)
    table = tf.lookup.StaticVocabularyTable(made, buckets, dtype)
    for lookup in (table.lookup, tf.function(table.lookup), table.__getitem__):
        result = lookup(tf.constant(keys))
        assert result.dtype == tf.int64 and result.numpy().tolist() == found
    assert int(table.size()) == int(tf.function(table.size)()) == size


@pytest.mark.parametrize(
    "make, error",
    [
        (lambda words: tf.lookup.StaticVocabularyTable(words(["a"], [0]), 5), TypeError),
        (lambda words: tf.lookup.StaticVocabularyTable(words(["a"], [0], value_dtype=tf.int64), 0), ValueError),
        (lambda words: tf.lookup.StaticVocabularyTable(words([1.5], [0], value_dtype=tf.int64), 2), TypeError),
        (lambda words: tf.lookup.StaticVocabularyTable(None, 2, tf.float32), TypeError),
        (lambda words: tf.lookup.StaticVocabularyTable(None, 2).lookup([1]), TypeError),
    ],
)
def test_vocabularies_of_wrong_kinds_are_refused(make, error):
    with pytest.raises(error):
        make(tf.lookup.KeyValueTensorInitializer)
