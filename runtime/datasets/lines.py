"""Datasets of the lines of files."""

from __future__ import annotations

import functools
import gzip
import io
import itertools
import zlib
from collections.abc import Callable, Iterable
from typing import IO

import numpy as np

from runtime.datasets.dataset import AUTOTUNE, UNKNOWN_CARDINALITY, Dataset, Elements, interleaved, transformation
from runtime.graph.dtypes import string
from runtime.graph.errors import DataLossError, NotFoundError
from runtime.tensors.conversion import operand
from runtime.tensors.record_files import PACKED
from runtime.tensors.shaping import reshape
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import EagerTensor
from runtime.tensors.types import TensorLike


class TextLineDataset(Dataset):
    """The lines of files, one after another, without what ends them.

    Args:
      filenames: a string, a tensor of strings of any shape, or a dataset of strings.
      compression_type: "GZIP" or "ZLIB" for files that are packed so; "" or None for others.
      buffer_size: how many bytes are read at once.
      num_parallel_reads: from so many files a line each in turn, instead of one file after another.
    Raises:
      DataLossError: if a file is not packed as is said.
      NotFoundError: if there is no such file, when its first line is asked for.
      TypeError: for names that are no strings.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "words"
    >>> _ = path.write_text("red\\ngreen\\n")
    >>> list(tf.data.TextLineDataset(str(path)).as_numpy_iterator())
    [b'red', b'green']
    """

    def __new__(  # type: ignore[misc]  # in a trace the graph makes it
        cls,
        filenames: TensorLike | Dataset,
        compression_type: str | None = None,
        buffer_size: int | None = None,
        num_parallel_reads: int | None = None,
        name: str | None = None,
    ) -> Dataset:
        return of_files("TextLineDataset", _lines, filenames, compression_type, buffer_size, num_parallel_reads)


@transformation
def of_files(
    name: str,
    parts: Callable[[IO[bytes]], Iterable[bytes]],
    filenames: TensorLike | Dataset,
    packed: str | None,
    size: int | None,
    at_once: int | None,
) -> Dataset:
    """A dataset of the parts of files."""
    if packed not in PACKED:
        raise ValueError(f"{name} with compression_type={packed!r}: it is one of {PACKED}")
    if size is not None and size < 0:
        raise ValueError(f"{name} with buffer_size={size}: it must not be negative")
    if at_once is not None and at_once < 1 and at_once != AUTOTUNE:
        raise ValueError(f"{name} with num_parallel_reads={at_once}: it must be at least 1")
    if isinstance(filenames, Dataset):
        spec, given = filenames.spec, filenames
    else:
        names = operand(filenames)
        spec, given = TensorSpec((), names.dtype), Dataset.from_tensor_slices(reshape(names, [-1]))
    if not isinstance(spec, TensorSpec) or spec.dtype != string:
        raise TypeError(f"{name} takes names of files, strings, not {spec}")

    def make() -> Elements:
        files = (_parts(path.numpy().decode(), packed, size, parts) for path in given)
        if at_once in (None, AUTOTUNE):
            return itertools.chain.from_iterable(files)
        return interleaved(files, at_once, 1)

    return Dataset(make, UNKNOWN_CARDINALITY, TensorSpec((), string))


def _parts(path: str, packed: str | None, size: int | None, parts: Callable[[IO[bytes]], Iterable[bytes]]) -> Elements:
    unpacked = functools.partial(open, buffering=size if size and size > 1 else -1)
    opened: Callable[[str, str], IO[bytes]] = gzip.open if packed == "GZIP" else unpacked  # type: ignore[assignment]
    try:
        with opened(path, "rb") as file:
            for part in parts(io.BytesIO(zlib.decompress(file.read())) if packed == "ZLIB" else file):
                yield EagerTensor.of(np.array(part, object))
    except FileNotFoundError as error:
        raise NotFoundError(f"{path}; No such file or directory") from error
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise DataLossError(f"{path} is no file that {packed} has packed: {error}") from error


def _lines(file: IO[bytes]) -> Iterable[bytes]:
    return (line.removesuffix(b"\n").removesuffix(b"\r") for line in file)
