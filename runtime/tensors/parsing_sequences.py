"""Sequence examples as tensors: of each its context, and its features that have a value for each step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from runtime.graph.dtypes import NumPyArray, as_dtype, int64, string
from runtime.graph.errors import InvalidArgumentError
from runtime.ops import examples
from runtime.tensors.conversion import operand
from runtime.tensors.effects import numpy_function
from runtime.tensors.parsing import (
    _KINDS,
    _SHOWN,
    FixedLenSequenceFeature,
    Parsed,
    RaggedFeature,
    VarLenFeature,
    Wanted,
    _flat,
    parse_example,
    parse_single_example,
)
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.shaping import ensure_shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

Features = dict[str, Parsed]


def parse_single_sequence_example(
    serialized: TensorLike,
    context_features: Mapping[str, Wanted] | None = None,
    sequence_features: Mapping[str, Wanted] | None = None,
    example_name: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Features, Features]:
    """The features of a sequence example.

    Args:
      serialized: what `SequenceExample.SerializeToString` gives, a scalar string.
      context_features: those of its context, by their names, as of `parse_single_example`.
      sequence_features: those that have a value for each step: `FixedLenSequenceFeature`, whose rows are the steps,
        `VarLenFeature` or `RaggedFeature`.
      example_name: accepted.
    Returns: two dictionaries: of tensors, and of tensors of shape [steps, ...], SparseTensors of shape [steps, most]
      and RaggedTensors of as many rows.
    Raises:
      InvalidArgumentError: if a feature is missing, or has values of another dtype or number, when it is run.
      ValueError: for a tensor that is no scalar, and without features.

    >>> steps = [tf.train.Feature(float_list=tf.train.FloatList(value=[v, v])) for v in (0.5, 1.5)]
    >>> lists = tf.train.FeatureLists(feature_list={"x": tf.train.FeatureList(feature=steps)})
    >>> record = tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> wanted = {"x": tf.io.FixedLenSequenceFeature([2], tf.float32)}
    >>> print(tf.io.parse_single_sequence_example(record, {}, wanted)[1]["x"].numpy().tolist())
    [[0.5, 0.5], [1.5, 1.5]]
    """
    given = operand(serialized)
    if given.shape.rank not in (0, None):
        raise ValueError("Input serialized must be a scalar")
    _some(context_features, sequence_features)
    context = parse_single_example(given, context_features) if context_features else {}
    found = {key: _List(key, one).single(given) for key, one in sorted((sequence_features or {}).items())}
    return context, found


def parse_sequence_example(
    serialized: TensorLike,
    context_features: Mapping[str, Wanted] | None = None,
    sequence_features: Mapping[str, Wanted] | None = None,
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Features, Features, dict[str, Tensor]]:
    """The features of a batch of sequence examples.

    Args:
      serialized: what `SequenceExample.SerializeToString` gives, strings of shape [n].
      context_features: those of their contexts, by their names, as of `parse_example`.
      sequence_features: those that have a value for each step: `FixedLenSequenceFeature`, whose rows are the steps, as
        many as the longest has, filled up with zeros; `VarLenFeature` or `RaggedFeature`.
      example_names: accepted.
    Returns: three dictionaries: of tensors of shape [n, ...], of tensors of shape [n, steps, ...], SparseTensors and
      RaggedTensors of as many dimensions, and of how many steps each example has, for `FixedLenSequenceFeature`.
    Raises:
      InvalidArgumentError: if a feature is missing, or has values of another dtype or number, when it is run.
      ValueError: for strings of another rank, and without features.

    >>> def record(*values):
    ...     steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[v])) for v in values]
    ...     lists = tf.train.FeatureLists(feature_list={"x": tf.train.FeatureList(feature=steps)})
    ...     return tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> wanted = {"x": tf.io.FixedLenSequenceFeature([], tf.int64)}
    >>> _, found, lengths = tf.io.parse_sequence_example([record(1, 2), record(3)], {}, wanted)
    >>> found["x"].numpy().tolist(), lengths["x"].numpy().tolist()
    ([[1, 2], [3, 0]], [2, 1])
    """
    given = operand(serialized)
    if given.shape.rank not in (1, None):
        raise ValueError("Input serialized must be of shape [n]")
    _some(context_features, sequence_features)
    context = parse_example(given, context_features) if context_features else {}
    found: Features = {}
    lengths: dict[str, Tensor] = {}
    for key, one in sorted((sequence_features or {}).items()):
        column = _List(key, one)
        if column.rows:
            found[key], lengths[key] = column.padded(given)
        else:
            found[key] = column.several(given)
    return context, found, lengths


def _some(context: object, sequence: object) -> None:
    if not context and not sequence:
        raise ValueError("Both context_features and sequence_features are None, but at least one should have values.")


class _List:
    """A feature that has a value for each step."""

    def __init__(self, key: str, wanted: Wanted) -> None:
        if not isinstance(wanted, FixedLenSequenceFeature | VarLenFeature | RaggedFeature):
            raise TypeError(
                f"Feature list: {key} is a {type(wanted).__name__}: FixedLenSequenceFeature, VarLenFeature and "
                "RaggedFeature are there"
            )
        self.wanted, self.dtype = wanted, as_dtype(wanted.dtype)
        self.key = wanted.value_key or key if isinstance(wanted, RaggedFeature) else key
        self.rows = isinstance(wanted, FixedLenSequenceFeature)
        dims = wanted.shape if isinstance(wanted, FixedLenSequenceFeature) else []
        self.dims = [int(d) for d in np.asarray(dims, dtype=object).ravel()]  # type: ignore[call-overload]

    def _read(self, text: bytes, number: int) -> list[Sequence[object]]:
        """The values of each step."""
        try:
            steps = examples.sequences_of(text).get(self.key)
        except ValueError as error:
            raise InvalidArgumentError(f"Could not parse example input {number}: {text!r:.60} ({error})") from None
        if steps is None:
            if isinstance(self.wanted, FixedLenSequenceFeature) and not self.wanted.allow_missing:
                raise InvalidArgumentError(
                    f"Name: <unknown>, Feature list '{self.key}' is required but could not be found.  Did you mean to "
                    "include it in feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?"
                )
            return []
        return [self._checked(step, place) for place, step in enumerate(steps)]

    def _checked(self, step: examples.Feature, place: int) -> Sequence[object]:
        kind, values = step
        if kind is not None and _KINDS[kind] != self.dtype:
            raise InvalidArgumentError(
                f"Feature list: {self.key}, Index: {place}.  Data types don't match. Data type: "
                f"{_SHOWN[_KINDS[kind]]} but expected type: {_SHOWN[self.dtype]}"
            )
        if self.rows and len(values) != math.prod(self.dims):
            raise InvalidArgumentError(
                f"Feature list: {self.key}, Index: {place}.  Number of {_SHOWN[self.dtype]} values != expected.  "
                f"Values size: {len(values)} but output shape: {self.dims}"
            )
        return values

    def _array(self, values: Sequence[object]) -> NumPyArray:
        made = np.empty(len(values), self.dtype.dtype)
        made[:] = values
        return made

    def single(self, given: Tensor) -> Parsed:
        if not self.rows:
            values, lengths, _ = self._parts(given)
            return self._as_wanted(RaggedTensor.from_row_lengths(values, lengths, validate=False))

        def read(texts: object) -> NumPyArray:
            steps = self._read(_flat(texts)[0], 0)
            return self._array([v for step in steps for v in step]).reshape([len(steps), *self.dims])

        found: Tensor = numpy_function(read, [given], self.dtype)  # type: ignore[assignment]
        return ensure_shape(found, [None, *self.dims])

    def padded(self, given: Tensor) -> tuple[Tensor, Tensor]:
        nothing = b"" if self.dtype == string else 0

        def read(texts: object) -> tuple[NumPyArray, NumPyArray]:
            all_ = [self._read(text, number) for number, text in enumerate(_flat(texts))]
            counts = np.array([len(steps) for steps in all_], np.int64)
            made = np.full([len(all_), max(map(len, all_), default=0), *self.dims], nothing, self.dtype.dtype)
            for row, steps in zip(made, all_):
                row[: len(steps)] = self._array([v for s in steps for v in s]).reshape([len(steps), *self.dims])
            return made, counts

        values, counts = numpy_function(read, [given], [self.dtype, int64])  # type: ignore[misc]
        size = given.shape[0] if given.shape.rank else None
        return ensure_shape(values, [size, None, *self.dims]), ensure_shape(counts, [size])

    def several(self, given: Tensor) -> Parsed:
        values, lengths, counts = self._parts(given)
        inner = RaggedTensor.from_row_lengths(values, lengths, validate=False)
        return self._as_wanted(RaggedTensor.from_row_lengths(inner, counts, validate=False))

    def _parts(self, given: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """All values, how many each step has, and how many steps each example has."""

        def read(texts: object) -> tuple[NumPyArray, NumPyArray, NumPyArray]:
            all_ = [self._read(text, number) for number, text in enumerate(_flat(texts))]
            steps = [step for one in all_ for step in one]
            lengths, counts = ([*map(len, parts)] for parts in (steps, all_))
            values = self._array([v for step in steps for v in step])
            return values, np.array(lengths, np.int64), np.array(counts, np.int64)

        values, lengths, counts = numpy_function(read, [given], [self.dtype, int64, int64])  # type: ignore[misc]
        size = given.shape[0] if given.shape.rank else None
        return (
            ensure_shape(values, [None]),
            ensure_shape(lengths, [None]),
            ensure_shape(counts, [size if given.shape.rank else 1]),
        )

    def _as_wanted(self, rows: RaggedTensor) -> Parsed:
        if isinstance(self.wanted, RaggedFeature):
            return rows.with_row_splits_dtype(self.wanted.row_splits_dtype)
        return rows.to_sparse()
