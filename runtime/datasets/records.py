"""Datasets of the records of files."""

from __future__ import annotations

from runtime.datasets.dataset import Dataset
from runtime.datasets.lines import of_files
from runtime.ops.records import records_of
from runtime.tensors.types import TensorLike


class TFRecordDataset(Dataset):
    """The records of files that `TFRecordWriter` has written, one after another.

    Args:
      filenames: a string, a tensor of strings of any shape, or a dataset of strings.
      compression_type: "GZIP" or "ZLIB" for files that are packed so; "" or None for others.
      buffer_size: how many bytes are read at once.
      num_parallel_reads: from so many files a record each in turn, instead of one file after another.
    Raises:
      DataLossError: if a file holds something else, or is not packed as is said, when a record is asked for.
      NotFoundError: if there is no such file, when its first record is asked for.
      TypeError: for names that are no strings.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
    >>> with tf.io.TFRecordWriter(path) as writer:
    ...     for number in range(2):
    ...         feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[number]))
    ...         example = tf.train.Example(features=tf.train.Features(feature={"n": feature}))
    ...         writer.write(example.SerializeToString())
    >>> wanted = {"n": tf.io.FixedLenFeature([], tf.int64)}
    >>> data = tf.data.TFRecordDataset(path).map(lambda record: tf.io.parse_single_example(record, wanted))
    >>> [int(example["n"]) for example in data]
    [0, 1]
    """

    def __new__(  # type: ignore[misc]  # in a trace the graph makes it
        cls,
        filenames: TensorLike | Dataset,
        compression_type: str | None = None,
        buffer_size: int | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> Dataset:
        return of_files("TFRecordDataset", records_of, filenames, compression_type, buffer_size, num_parallel_reads)
