"""What there is no such thing of says what there is instead; tables and files do the same in a graph and natively."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS


@pytest.mark.parametrize("name", ["ragged", "RaggedTensor", "sparse", "bfloat16", "math.igamma"])
def test_what_is_missing_says_what_to_do(name):
    space, _, last = name.rpartition(".")
    with pytest.raises(AttributeError, match=f"has no attribute '{last}': .{{20}}"):
        getattr(getattr(tf, space) if space else tf, last)
    assert not hasattr(tf, "ragged")


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
