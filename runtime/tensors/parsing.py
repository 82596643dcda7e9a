"""`parse_example`: the features of serialized examples as tensors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import NumPyArray, as_dtype, float32, int32, int64, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import TensorShape
from runtime.ops import examples
from runtime.tensors import making
from runtime.tensors.conversion import cast, convert_to_tensor, operand
from runtime.tensors.effects import numpy_function
from runtime.tensors.making import fill
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.shaping import ensure_shape, reshape
from runtime.tensors.sparse_tensor import SparseTensor
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, PatternLike, TensorLike

_KINDS = {"bytes_list": string, "float_list": float32, "int64_list": int64}
_SHOWN = {string: "string", float32: "float", int64: "int64"}


class FixedLenFeature(NamedTuple):
    """A feature of which each example has as many values: a tensor of one shape.

    shape: that shape.
    dtype: the dtype: `int64`, `float32` or `string`.
    default_value: what stands for it where an example has none; without it, that is an error.

    >>> tf.io.FixedLenFeature([2], tf.int64)
    FixedLenFeature(shape=[2], dtype=tf.int64, default_value=None)
    """

    shape: PatternLike
    dtype: DTypeLike
    default_value: TensorLike | None = None


class VarLenFeature(NamedTuple):
    """A feature of which an example has any number of values: a SparseTensor, of rank 1, or 2 in a batch.

    dtype: the dtype: `int64`, `float32` or `string`.

    >>> tf.io.VarLenFeature(tf.int64)
    VarLenFeature(dtype=tf.int64)
    """

    dtype: DTypeLike


class RaggedFeature(NamedTuple):
    """A feature of which an example has any number of values: a tensor of rank 1, in a batch a RaggedTensor.

    dtype: the dtype: `int64`, `float32` or `string`.
    value_key: the name of the feature, that under which it is asked for by default.
    partitions: must be empty: the values are in rows by the examples.
    row_splits_dtype: `int32` or `int64`.
    validate: accepted.

    >>> tf.io.RaggedFeature(tf.int64).row_splits_dtype
    tf.int32
    """

    dtype: DTypeLike
    value_key: str | None = None
    partitions: tuple[object, ...] = ()
    row_splits_dtype: DTypeLike = int32
    validate: bool = False


class FixedLenSequenceFeature(NamedTuple):
    """A feature of which an example has any number of values: rows of one shape, any number of them.

    shape: the shape of a row.
    dtype: the dtype: `int64`, `float32` or `string`.
    allow_missing: must be True: an example may have none.
    default_value: what fills up the rows of shorter examples of a batch; zero or nothing by default.

    >>> tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)
    FixedLenSequenceFeature(shape=[], dtype=tf.int64, allow_missing=True, default_value=None)
    """

    shape: PatternLike
    dtype: DTypeLike
    allow_missing: bool = False
    default_value: TensorLike | None = None


Wanted: TypeAlias = "FixedLenFeature | FixedLenSequenceFeature | VarLenFeature | RaggedFeature"
Parsed: TypeAlias = "Tensor | SparseTensor | RaggedTensor"


def parse_single_example(
    serialized: TensorLike,
    features: Mapping[str, Wanted],
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> dict[str, Parsed]:
    """The features of an example.

    Args:
      serialized: what `Example.SerializeToString` gives, a scalar string.
      features: which ones, by their names: `FixedLenFeature`, `FixedLenSequenceFeature`, `VarLenFeature` or
        `RaggedFeature`.
      example_names: accepted.
    Returns: a dictionary of tensors, SparseTensors for `VarLenFeature`, in the order of names.
    Raises:
      InvalidArgumentError: if a feature is missing, or has values of another dtype or number, when it is run.
      ValueError: for a tensor that is no scalar, and without features.

    >>> feature = tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 2.0]))
    >>> record = tf.train.Example(features=tf.train.Features(feature={"x": feature})).SerializeToString()
    >>> print(tf.io.parse_single_example(record, {"x": tf.io.FixedLenFeature([2], tf.float32)})["x"])
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    given = operand(serialized)
    if given.shape.rank not in (0, None):
        raise ValueError("Input serialized must be a scalar")
    return _parsed(given, features, 0)


def parse_example(
    serialized: TensorLike,
    features: Mapping[str, Wanted],
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> dict[str, Parsed]:
    """The features of a batch of examples.

    Args:
      serialized: what `Example.SerializeToString` gives, strings of shape [n].
      features: which ones, by their names: `FixedLenFeature`, `FixedLenSequenceFeature`, `VarLenFeature` or
        `RaggedFeature`.
      example_names: accepted.
    Returns: a dictionary of tensors of shape [n, ...], SparseTensors for `VarLenFeature`, RaggedTensors for
      `RaggedFeature`, in the order of names.
    Raises:
      InvalidArgumentError: if a feature is missing, or has values of another dtype or number, when it is run.
      ValueError: for strings of another rank, and without features.

    >>> lists = [tf.train.Feature(int64_list=tf.train.Int64List(value=v)) for v in ([1, 2], [3])]
    >>> records = [tf.train.Example(features=tf.train.Features(feature={"x": x})).SerializeToString() for x in lists]
    >>> wanted = tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)
    >>> print(tf.io.parse_example(records, {"x": wanted})["x"].numpy().tolist())
    [[1, 2], [3, 0]]
    """
    given = operand(serialized)
    if given.shape.rank not in (0, 1, None):
        raise ValueError("Input serialized must be a scalar, or of shape [n]")
    return _parsed(given, features, 0 if given.shape.rank == 0 else 1)


def _parsed(given: Tensor, features: Mapping[str, Wanted], rank: int) -> dict[str, Parsed]:
    if not features:
        raise ValueError("Invalid argument: features cannot be empty.")
    open_ = {key: one for key, one in features.items() if isinstance(one, VarLenFeature | RaggedFeature)}
    fixed = {key: one for key, one in features.items() if key not in open_}
    found: dict[str, Parsed] = {**_of_fixed(given, fixed, rank)} if fixed else {}
    for key, one in open_.items():
        found[key] = _of_any_number(given, key, one, rank)
    return {key: found[key] for key in sorted(found)}


def _of_any_number(given: Tensor, key: str, wanted: VarLenFeature | RaggedFeature, rank: int) -> Parsed:
    """A feature of which each example has as many values as it likes."""
    name = key
    if isinstance(wanted, RaggedFeature):
        name = wanted.value_key or key
        if wanted.partitions:
            raise NotImplementedError(f"Feature: {key} with partitions={wanted.partitions!r}: examples are the rows")
    column = _Column(name, FixedLenSequenceFeature([], wanted.dtype, allow_missing=True), rank)

    def read(texts: object) -> tuple[NumPyArray, NumPyArray]:
        rows = [_features(text, number) for number, text in enumerate(_flat(texts))]
        parts = [column._one(features.get(name, (None, [])), ()) for features in rows]
        return np.concatenate([column._array([]), *parts]), np.array([len(part) for part in parts], np.int64)

    values, lengths = numpy_function(read, [given], [column.dtype, int64])  # type: ignore[misc]
    known = given.shape.as_list() if rank and given.shape.rank is not None else [None if rank else 1]
    values, lengths = ensure_shape(values, [None]), ensure_shape(lengths, known)
    if isinstance(wanted, RaggedFeature):
        rows = RaggedTensor.from_row_lengths(values, cast(lengths, wanted.row_splits_dtype), validate=False)
        return rows if rank else values
    if rank:
        return RaggedTensor.from_row_lengths(values, lengths, validate=False).to_sparse()
    numbers = making.range(lengths[0])
    return SparseTensor(reshape(numbers, [-1, 1]), values, lengths)


def _of_fixed(given: Tensor, features: Mapping[str, Wanted], rank: int) -> dict[str, Tensor]:
    columns = {key: _Column(key, features[key], rank) for key in sorted(features)}

    def read(texts: object, *defaults: object) -> tuple[NumPyArray, ...]:
        found = [_features(text, number) for number, text in enumerate(_flat(texts))]
        return tuple(column.of(found, default) for column, default in zip(columns.values(), defaults))

    defaults = [column.default for column in columns.values()]
    made = numpy_function(read, [given, *defaults], [column.dtype for column in columns.values()])
    sizes = list(given.shape.as_list()) if given.shape.rank is not None else [None] * rank
    return {
        key: ensure_shape(x, [*sizes, *column.shape])
        for (key, column), x in zip(columns.items(), made)  # type: ignore[arg-type]
    }


def _flat(value: object) -> list[Any]:
    made: list[Any] = np.array(value, object).ravel().tolist()  # without a dtype NumPy takes zeros off the end of bytes
    return made


def _features(text: bytes, number: int) -> dict[str, examples.Feature]:
    try:
        return examples.from_bytes(text)
    except ValueError as error:
        raise InvalidArgumentError(f"Could not parse example input {number}, value: {text!r:.60} ({error})") from None


class _Column:
    """A feature, of all examples."""

    def __init__(self, key: str, wanted: Wanted, rank: int) -> None:
        if not isinstance(wanted, FixedLenFeature | FixedLenSequenceFeature):
            raise TypeError(
                f"Feature: {key} is a {type(wanted).__name__}: FixedLenFeature, VarLenFeature, RaggedFeature and "
                "FixedLenSequenceFeature(..., allow_missing=True), which pads, are there"
            )
        self.key, self.rank, self.dtype = key, rank, as_dtype(wanted.dtype)
        if self.dtype not in _SHOWN:
            raise InvalidArgumentError(f"Feature: {key} of {self.dtype.name}: it is one of float32, int64 and string")
        self.rows = isinstance(wanted, FixedLenSequenceFeature)
        dims = TensorShape(wanted.shape).dims
        if not shapes.is_known(dims):
            raise ValueError(f"Feature: {key} of shape {dims}: sizes are known, but for FixedLenSequenceFeature's rows")
        if isinstance(wanted, FixedLenSequenceFeature) and not wanted.allow_missing:
            raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
        self.dims = [int(d) for d in dims]
        self.shape = [None, *self.dims] if self.rows else self.dims
        self.default = self._default(wanted.default_value)

    def _default(self, value: TensorLike | None) -> Tensor:
        """What fills up rows, or stands for all values: one, as many as there are, or none."""
        if value is None:
            return fill([0], "" if self.dtype == string else cast(0, self.dtype))
        made = reshape(convert_to_tensor(value, self.dtype), [-1])
        known, wanted = made.shape.num_elements(), 1 if self.rows else math.prod(self.dims)
        if known is not None and known != wanted:
            raise InvalidArgumentError(f"Feature: {self.key}: default_value has {known} values, of {wanted}")
        return made

    def _array(self, values: Sequence[object]) -> NumPyArray:
        made = np.empty(len(values), self.dtype.dtype)
        made[:] = values
        return made

    def of(self, found: Sequence[Mapping[str, examples.Feature]], default: object) -> NumPyArray:
        given = _flat(default)
        parts = [self._one(features.get(self.key, (None, [])), given) for features in found]
        if not self.rank:
            return parts[0]
        if self.rows:
            longest = max(map(len, parts), default=0)
            nothing = given[0] if given else b"" if self.dtype == string else 0
            parts = [self._padded(part, longest, nothing) for part in parts]
        made = np.empty([len(parts), *(parts[0].shape if parts else [0] * self.rows + self.dims)], self.dtype.dtype)
        for number, part in enumerate(parts):
            made[number, ...] = part  # not the array itself, where it holds one string
        return made

    def _padded(self, part: NumPyArray, length: int, nothing: object) -> NumPyArray:
        made = np.full([length, *self.dims], nothing, self.dtype.dtype)
        made[: len(part)] = part
        return made

    def _one(self, feature: examples.Feature, default: Sequence[object]) -> NumPyArray:
        kind, values = feature
        if kind is None:
            if self.rows:
                return self._array([]).reshape([0, *self.dims])
            if len(default) != math.prod(self.dims) or not default:
                raise InvalidArgumentError(
                    f"Feature: {self.key} (data type: {_SHOWN[self.dtype]}) is required but could not be found."
                )
            return self._array(default).reshape(self.dims)
        if _KINDS[kind] != self.dtype:
            raise InvalidArgumentError(
                f"Key: {self.key}.  Data types don't match. Data type: {_SHOWN[_KINDS[kind]]} but expected type: "
                f"{_SHOWN[self.dtype]}"
            )
        size = math.prod(self.dims)
        if len(values) != size if not self.rows else bool(len(values) % size):
            raise InvalidArgumentError(
                f"Key: {self.key}.  Number of {_SHOWN[self.dtype]} values != expected.  Values size: {len(values)} but "
                f"output shape: {self.shape}"
            )
        return self._array(values).reshape([-1, *self.dims] if self.rows else self.dims)
