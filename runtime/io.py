"""Files, and texts that hold numbers: read and written when the graph runs."""

from __future__ import annotations

import base64
import csv
import glob as _glob
import os
import shutil
import types as _types
from collections.abc import Sequence
from typing import Literal

import numpy as np

from runtime.graph.dtypes import NumPyArray, as_dtype, bool_, string, uint8
from runtime.graph.errors import InvalidArgumentError, NotFoundError
from runtime.ops import protos
from runtime.tensors.conversion import operand
from runtime.tensors.effects import numpy_function
from runtime.tensors.parsing import (
    FixedLenFeature as FixedLenFeature,
    FixedLenSequenceFeature as FixedLenSequenceFeature,
    RaggedFeature as RaggedFeature,
    VarLenFeature as VarLenFeature,
    parse_example as parse_example,
    parse_single_example as parse_single_example,
)
from runtime.tensors.parsing_sequences import (
    parse_sequence_example as parse_sequence_example,
    parse_single_sequence_example as parse_single_sequence_example,
)
from runtime.tensors.public import face as _face
from runtime.tensors.record_files import TFRecordOptions as TFRecordOptions, TFRecordWriter as TFRecordWriter
from runtime.tensors.shaping import ensure_shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, TensorLike

__all__ = [
    "FixedLenFeature", "FixedLenSequenceFeature", "RaggedFeature", "TFRecordOptions", "TFRecordWriter",
    "VarLenFeature", "decode_base64", "decode_csv",
    "decode_raw", "encode_base64", "gfile", "matching_files", "parse_example",
    "parse_sequence_example", "parse_single_example", "parse_single_sequence_example", "parse_tensor",
    "read_file", "serialize_tensor", "write_file",
]  # fmt: skip


def _array(value: object) -> NumPyArray:
    """An array as a function of the user's gets it: of one string NumPy would make one that loses zeros at its end."""
    return np.array(value, object) if isinstance(value, bytes) else np.asarray(value)


def read_file(filename: TensorLike, name: str | None = None) -> Tensor:
    """What a file holds, as one string.

    Args:
      filename: its name, a scalar.
    Returns: a tensor of strings of shape ().
    Raises:
      NotFoundError: if there is no such file, when it is run.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "greeting")
    >>> tf.io.write_file(path, "hello")
    >>> print(tf.io.read_file(path))
    tf.Tensor(b'hello', shape=(), dtype=string)
    """

    def read(path: object) -> object:
        try:
            with open(_path(path), "rb") as file:
                return np.array(file.read(), object)
        except FileNotFoundError as error:
            raise NotFoundError(f"{_path(path)}; No such file or directory") from error

    return ensure_shape(numpy_function(read, [operand(filename)], string), ())  # type: ignore[arg-type]


def write_file(filename: TensorLike, contents: TensorLike, name: str | None = None) -> None:
    """Make a file of a string, and the folders that it is in.

    Args:
      filename: its name, a tensor of strings of shape ().
      contents: what it holds, a tensor of strings of shape ().

    >>> import tempfile, os
    >>> tf.io.write_file(os.path.join(tempfile.mkdtemp(), "new", "greeting"), "hello")
    """

    def write(path: object, text: object) -> None:
        os.makedirs(os.path.dirname(_path(path)) or ".", exist_ok=True)
        with open(_path(path), "wb") as file:
            file.write(_bytes(text))

    numpy_function(write, [operand(filename), operand(contents)], [])


def _bytes(text: object) -> bytes:
    found: bytes = _array(text).item()
    return found


def _path(path: object) -> str:
    return _bytes(path).decode()


def matching_files(pattern: TensorLike, name: str | None = None) -> Tensor:
    """The names of the files that fit patterns, in order.

    Args:
      pattern: a scalar or a tensor of shape [patterns], of strings, with ``*`` and ``?``.
    Returns: a tensor of strings of shape [files].

    >>> print(tf.io.matching_files("/no/such/folder/*"))
    tf.Tensor([], shape=(0,), dtype=string)
    """

    def find(patterns: object) -> object:
        names = {name for one in np.ravel(_array(patterns)) for name in _glob.glob(one.decode())}
        return np.array([name.encode() for name in sorted(names)], object)

    return ensure_shape(numpy_function(find, [operand(pattern)], string), [None])  # type: ignore[arg-type]


def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Strings as letters, digits, ``-`` and ``_`` alone.

    Args:
      input: a tensor of strings of any shape.
      pad: whether ``=`` fills up the last four letters.
    Returns: a tensor of its shape.

    >>> print(tf.io.encode_base64("hi"))
    tf.Tensor(b'aGk', shape=(), dtype=string)
    """

    def encode(text: bytes) -> bytes:
        found = base64.urlsafe_b64encode(text)
        return found if pad else found.rstrip(b"=")

    return _each(encode, input)


def decode_base64(input: TensorLike, name: str | None = None) -> Tensor:
    """The strings that `encode_base64` has made letters of.

    Args:
      input: a tensor of strings of any shape.
    Returns: a tensor of its shape.

    >>> print(tf.io.decode_base64("aGk"))
    tf.Tensor(b'hi', shape=(), dtype=string)
    """
    return _each(lambda text: base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4)), input)


def _each(change: object, input: TensorLike) -> Tensor:
    given = operand(input)

    def changed(texts: object) -> object:
        array = _array(texts)
        made = np.empty(array.shape, object)
        for at in np.ndindex(array.shape):
            made[at] = change(array[at])  # type: ignore[operator]
        return made

    return ensure_shape(numpy_function(changed, [given], string), given.shape)  # type: ignore[arg-type]


def decode_raw(
    input_bytes: TensorLike, out_type: DTypeLike, little_endian: bool = True, name: str | None = None
) -> Tensor:
    """The numbers whose bytes strings hold.

    Args:
      input_bytes: a tensor of strings of any shape, all of one length.
      out_type: the dtype of the numbers.
      little_endian: whether the first byte of a number is its smallest part.
    Returns: a tensor of shape [*the shape of `input_bytes`, numbers in each].
    Raises:
      InvalidArgumentError: if the lengths differ, or are no multiple of that of a number, when it is run.

    >>> print(tf.io.decode_raw(tf.constant(b"\\x01\\x00\\x02\\x00"), tf.int16).numpy())
    [1 2]
    """
    given, kind = operand(input_bytes), as_dtype(out_type)
    if kind == string:
        raise TypeError("decode_raw reads numbers: strings are strings already")

    def read(texts: object) -> object:
        array = _array(texts)
        flat = [bytes(text) for text in np.ravel(array)]
        if len({len(text) for text in flat}) > 1 or any(len(text) % kind.size for text in flat):
            raise InvalidArgumentError(
                f"decode_raw: strings of {[len(t) for t in flat]} bytes are not numbers of {kind.size}"
            )
        order = kind.dtype.newbyteorder("<" if little_endian else ">") if kind not in (bool_, uint8) else kind.dtype
        rows = [np.frombuffer(text, order).astype(kind.dtype) for text in flat]
        return np.array(rows, kind.dtype).reshape(*array.shape, -1)

    return ensure_shape(numpy_function(read, [given], kind), given.shape + [None])  # type: ignore[arg-type]


def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor:
    """A tensor as one string, from which `parse_tensor` makes it again; TensorFlow reads and writes it so, too.

    Args:
      tensor: a tensor of any shape and dtype.
    Returns: a tensor of strings of shape ().

    >>> print(tf.io.parse_tensor(tf.io.serialize_tensor([1.5, 2.5]), tf.float32).numpy())
    [1.5 2.5]
    """
    given = operand(tensor)

    def write(array: object) -> object:
        return np.array(protos.to_bytes(_array(array), given.dtype), object)

    return ensure_shape(numpy_function(write, [given], string), ())  # type: ignore[arg-type]


def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor:
    """The tensor of a string that `serialize_tensor` has made.

    Args:
      serialized: a tensor of strings of shape ().
      out_type: the dtype of the tensor.
    Returns: a tensor of that dtype, whose shape only the string knows: `tf.ensure_shape` says it in a graph.
    Raises:
      InvalidArgumentError: if it is of another dtype, or the string is of no tensor, when it is run.

    >>> print(tf.io.parse_tensor(tf.io.serialize_tensor(["a", "b"]), tf.string).numpy())
    [b'a' b'b']
    """
    kind = as_dtype(out_type)

    def read(text: object) -> object:
        try:
            made, found = protos.from_bytes(_bytes(text))
        except ValueError as error:
            raise InvalidArgumentError(f"parse_tensor: this string is of no tensor: {error}") from None
        if found != kind:
            raise InvalidArgumentError(f"parse_tensor: the string is of a tensor of {found.name}, not {kind.name}")
        return made

    return numpy_function(read, [operand(serialized)], kind)  # type: ignore[return-value]


def decode_csv(
    records: TensorLike,
    record_defaults: Sequence[TensorLike],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """Lines of values with commas between them, a tensor for each column.

    Args:
      records: a tensor of strings of any shape, a line in each.
      record_defaults: for each column a tensor of its dtype: what stands for an empty value, or an empty one if there
        must be none.
      field_delim: what stands between two values, instead of the comma.
      use_quote_delim: whether values may stand in quotation marks.
      na_value: what else counts as an empty value.
      select_cols: the numbers of the columns that are wanted, in order.
    Returns: a list of tensors of the shape of `records`.
    Raises:
      InvalidArgumentError: if a line has another number of values, or one is no number, when it is run.

    >>> a, b = tf.io.decode_csv(["1,x", "2,y"], [[0], [""]])
    >>> print(a.numpy(), b.numpy())
    [1 2] [b'x' b'y']
    """
    given, defaults = operand(records), [operand(x) for x in record_defaults]
    kinds = [x.dtype for x in defaults]

    def read(lines: object, *given_defaults: object) -> tuple[object, ...]:
        array = _array(lines)
        quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE
        texts = [line.decode("utf-8", "surrogateescape") for line in np.ravel(array)]
        rows = [next(csv.reader([text], delimiter=field_delim, quoting=quoting), [""]) for text in texts]
        rows = rows if select_cols is None else [[row[i] for i in select_cols] for row in rows]
        made: list[object] = []
        for number, kind in enumerate(kinds):
            default = np.ravel(_array(given_defaults[number]))
            column = np.empty(len(rows), kind.dtype)
            for at, row in enumerate(rows):
                if len(row) != len(kinds):
                    raise InvalidArgumentError(f"Expect {len(kinds)} fields but have {len(row)} in record {at}")
                column[at] = _value(row[number], kind, default, na_value, number, at)
            made.append(column.reshape(array.shape))
        return tuple(made)

    found = numpy_function(read, [given, *defaults], kinds)
    return [ensure_shape(x, given.shape) for x in found]  # type: ignore[union-attr]


def _value(text: str, kind: object, default: object, empty: str, column: int, line: int) -> object:
    if text in ("", empty):
        if not len(default):  # type: ignore[arg-type]
            raise InvalidArgumentError(f"Field {column} is required but missing in record {line}!")
        return default[0]  # type: ignore[index]
    if kind == string:
        return text.encode("utf-8", "surrogateescape")
    try:
        return kind.dtype.type(text)  # type: ignore[attr-defined]
    except ValueError:
        raise InvalidArgumentError(f"Field {column} in record {line} is not a valid {kind.name}: {text}") from None  # type: ignore[attr-defined]


def _free(path: str, overwrite: bool) -> str:
    if os.path.exists(path) and not overwrite:
        raise FileExistsError(f"{path} exists: say overwrite=True")
    return path


def _copy(source: str, path: str, overwrite: bool) -> str:
    return shutil.copy(source, _free(path, overwrite))


# Files by Python's own functions, under TensorFlow's names.
gfile = _types.SimpleNamespace(
    GFile=open,
    exists=os.path.exists,
    isdir=os.path.isdir,
    glob=lambda pattern: sorted(_glob.glob(pattern)),
    listdir=os.listdir,
    makedirs=lambda path: os.makedirs(path, exist_ok=True),
    mkdir=os.mkdir,
    remove=os.remove,
    rename=lambda src, dst, overwrite=False: os.replace(src, _free(dst, overwrite)),
    copy=lambda src, dst, overwrite=False: _copy(src, dst, overwrite),
    rmtree=shutil.rmtree,
    stat=os.stat,
    walk=os.walk,
    join=os.path.join,
)

__getattr__, __dir__ = _face("io", globals())
