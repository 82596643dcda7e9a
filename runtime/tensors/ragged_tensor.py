"""`RaggedTensor`: rows of different lengths, as their values one after the other and where each row begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn

import numpy as np

from autograph.late import places
from runtime.graph.dtypes import DType, NumPyArray, as_dtype, int32, int64
from runtime.graph.shapes import TensorShape
from runtime.ops import indexing, shape as shape_ops
from runtime.tensors import making
from runtime.tensors.composites import Formed
from runtime.tensors.conversion import cast, convert_to_tensor, operand
from runtime.tensors.mathematics import maximum, minimum, where
from runtime.tensors.operations import apply
from runtime.tensors.operators import Operators, function
from runtime.tensors.parts import boolean_mask, gather, repeat
from runtime.tensors.reductions import cumsum, reduce_all, reduce_any, reduce_max, reduce_prod
from runtime.tensors.segments import sequence_mask
from runtime.tensors.shaping import broadcast_to, concat, expand_dims, require, reshape, stack, unstack
from runtime.tensors.sparse_tensor import SparseTensor
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import DTypeLike, SizeLike, Structure, TensorLike

_SPLITS = (int32, int64)

Values = Any  # what becomes a tensor, or a RaggedTensor


class RaggedTensor(Operators, Formed):
    """Rows of different lengths: a loop goes through them, and operators compute with all of their values.

    `tf.ragged.constant`, `tf.ragged.stack` and the methods ``from_…`` make one. The second dimension is ragged, and
    those behind it as far as the values are rows of different lengths themselves (`ragged_rank`). In a `function` it
    is an argument, a result, a variable of a loop, and the number of its values decides about no graph. Functions of
    each element take it, reductions, `concat`, `stack`, `gather` and `map_fn`; others that take tensors take its
    `values`, by `tf.ragged.map_flat_values`, or what `to_tensor` makes of it.

    >>> rows = tf.ragged.constant([[1, 2], [], [3]])
    >>> rows * 10
    <tf.RaggedTensor [[10, 20], [], [30]]>
    >>> @tf.function
    ... def longest(rows):
    ...     found = 0
    ...     for row in rows:
    ...         found = tf.maximum(found, tf.size(row))
    ...     return found
    >>> print(longest(rows).numpy())
    2
    """

    of_any_length = frozenset({"_values"})
    instead: ClassVar[str] = (
        "it is rows of different lengths. Loop over its rows, compute with its values "
        "(tf.ragged.map_flat_values(f, x), tf.math.segment_sum(x.values, x.value_rowids())), or pad it: x.to_tensor()"
    )
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # an operator of an array and this is this one's

    forms = MappingProxyType(
        places(
            "runtime.tensors.ragged_forms",
            "boolean_mask concat cumsum expand_dims gather ngrams reduce_all reduce_any reduce_join reduce_max "
            "reduce_mean reduce_min reduce_prod reduce_std reduce_sum reduce_variance reverse size squeeze stack "
            "strings_join tile where",
        )
    )

    _values: Any  # a tensor, or rows of different lengths
    _row_splits: Tensor

    def __init__(self, values: object, row_splits: object) -> None:
        raise ValueError(
            "RaggedTensor constructor is private: use one of the methods that make one, such as "
            "RaggedTensor.from_row_splits, or tf.ragged.constant"
        )

    @classmethod
    def _made(cls, values: Tensor | RaggedTensor, row_splits: Tensor) -> RaggedTensor:
        made: RaggedTensor = object.__new__(cls)
        made._values, made._row_splits = values, row_splits
        return made

    # How one is made.

    @classmethod
    def from_row_splits(
        cls, values: Values, row_splits: TensorLike, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of values, by where in these they begin and end.

        Args:
          values: a tensor of shape [n, ...], or a RaggedTensor of n rows.
          row_splits: whole numbers of shape [rows + 1] from 0 to n: where each row begins, and the last one ends.
          validate: whether to check that.
        Raises:
          InvalidArgumentError: if they are none.

        >>> tf.RaggedTensor.from_row_splits([3, 1, 4], [0, 2, 2, 3])
        <tf.RaggedTensor [[3, 1], [], [4]]>
        """
        rows, splits = _rows(values), _numbers("row_splits", row_splits)
        if validate:
            problem = "the arguments do not form a RaggedTensor: row_splits"
            count = _count(rows, splits.dtype)
            require(_length(splits) > 0, f"{problem} hold at least one number")
            require(splits[0] == 0, f"{problem} begin with 0", splits)
            require(reduce_all(splits[1:] >= splits[:-1]), f"{problem} never decrease", splits)
            require(splits[-1] == count, f"{problem} end with the number of values", splits, count)
        return cls._made(rows, splits)

    @classmethod
    def from_row_lengths(
        cls, values: Values, row_lengths: TensorLike, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of values, by how many each has.

        Args:
          values: a tensor of shape [n, ...], or a RaggedTensor of n rows.
          row_lengths: whole numbers of shape [rows], n in all.
          validate: whether to check that.
        Raises:
          InvalidArgumentError: if they are not.

        >>> tf.RaggedTensor.from_row_lengths([3, 1, 4], [2, 0, 1])
        <tf.RaggedTensor [[3, 1], [], [4]]>
        """
        return cls.from_row_splits(values, _splits_of(_numbers("row_lengths", row_lengths)), name, validate)

    @classmethod
    def from_row_starts(
        cls, values: Values, row_starts: TensorLike, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of values, by where each begins.

        Args:
          values: a tensor of shape [n, ...], or a RaggedTensor of n rows.
          row_starts: whole numbers of shape [rows], the first of which is 0.
          validate: whether to check them.
        Raises:
          InvalidArgumentError: if they decrease, or are too large.

        >>> tf.RaggedTensor.from_row_starts([3, 1, 4], [0, 2, 2])
        <tf.RaggedTensor [[3, 1], [], [4]]>
        """
        rows, starts = _rows(values), _numbers("row_starts", row_starts)
        ends = expand_dims(_count(rows, starts.dtype), 0)
        return cls.from_row_splits(rows, concat([starts, ends], 0), name, validate)

    @classmethod
    def from_row_limits(
        cls, values: Values, row_limits: TensorLike, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of values, by where each ends.

        Args:
          values: a tensor of shape [n, ...], or a RaggedTensor of n rows.
          row_limits: whole numbers of shape [rows], the last of which is n.
          validate: whether to check them.
        Raises:
          InvalidArgumentError: if they decrease, or do not end with n.

        >>> tf.RaggedTensor.from_row_limits([3, 1, 4], [2, 2, 3])
        <tf.RaggedTensor [[3, 1], [], [4]]>
        """
        limits = _numbers("row_limits", row_limits)
        return cls.from_row_splits(values, concat([making.zeros([1], limits.dtype), limits], 0), name, validate)

    @classmethod
    def from_value_rowids(
        cls,
        values: Values,
        value_rowids: TensorLike,
        nrows: SizeLike | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Rows of values, by the number of the row of each value.

        Args:
          values: a tensor of shape [n, ...], or a RaggedTensor of n rows.
          value_rowids: whole numbers of shape [n] that never decrease.
          nrows: how many rows there are; by default the last value is in the last row.
          validate: whether to check them.
        Raises:
          InvalidArgumentError: if they are none.

        >>> tf.RaggedTensor.from_value_rowids([3, 1, 4], [0, 0, 2], nrows=4)
        <tf.RaggedTensor [[3, 1], [], [4], []]>
        """
        rows, numbers = _rows(values), _numbers("value_rowids", value_rowids)
        none = making.fill([1], cast(-1, numbers.dtype))
        last = concat([none, numbers], 0)[-1]
        count = last + 1 if nrows is None else cast(nrows, numbers.dtype)
        if validate:
            problem = "the arguments do not form a RaggedTensor: value_rowids"
            require(_count(rows, numbers.dtype) == _count(numbers, numbers.dtype), f"{problem} are one for each value")
            require(reduce_all(numbers[1:] >= numbers[:-1]), f"{problem} never decrease", numbers)
            require(reduce_all(numbers >= 0), f"{problem} are not negative", numbers)
            require(last < count, f"{problem} are below nrows", numbers, count)
        places = making.range(count + 1, dtype=numbers.dtype)
        splits = cast(apply(indexing.searchsorted, numbers, places, side="left"), numbers.dtype)
        return cls.from_row_splits(rows, splits, name, validate)

    @classmethod
    def from_tensor(
        cls,
        tensor: TensorLike,
        lengths: TensorLike | None = None,
        padding: TensorLike | None = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: DTypeLike = int64,
    ) -> RaggedTensor:
        """The rows of a tensor, without what they end with.

        Args:
          tensor: a tensor of shape [rows, n, ...].
          lengths: how many elements of each row to keep.
          padding: the element that does not count where rows end with it; all count by default.
          ragged_rank: the number of ragged dimensions.
          row_splits_dtype: int32 or int64.
        Raises:
          ValueError: for both lengths and padding, or either with a ragged_rank above 1; for a tensor of a rank that is
            not above `ragged_rank`.

        >>> tf.RaggedTensor.from_tensor([[3, 1, 0], [4, 0, 0]], padding=0)
        <tf.RaggedTensor [[3, 1], [4]]>
        """
        whole, kind = operand(tensor), as_dtype(row_splits_dtype)
        if whole.shape.rank is None or not 1 <= ragged_rank < whole.shape.rank:
            raise ValueError(f"from_tensor with ragged_rank={ragged_rank!r} of a tensor of shape {whole.shape}")
        if (lengths is not None and padding is not None) or (ragged_rank > 1 and not lengths is padding is None):
            raise ValueError("from_tensor takes lengths or padding, not both, and none with a ragged_rank above 1")
        size = cast(apply(shape_ops.length, whole, axis=1, dtype=int64), kind)
        if padding is not None:
            differs = whole != convert_to_tensor(padding, whole.dtype)
            counts = reduce_any(differs, tuple(range(2, whole.shape.rank))) if whole.shape.rank > 2 else differs
            ends = where(counts, making.range(1, size + 1, dtype=kind), cast(0, kind))
            none = making.zeros([_count(whole, int64), 1], kind)
            kept = reduce_max(concat([none, ends], 1), 1)
        elif lengths is not None:
            kept = minimum(cast(lengths, kind), size)
        else:
            kept = broadcast_to(size, [_count(whole, int64)])
        if ragged_rank > 1:
            dims = making.like_shape(whole)
            inner = cls.from_tensor(reshape(whole, [dims[0] * dims[1], *dims[2:]]), ragged_rank=ragged_rank - 1)
            return cls.from_row_lengths(inner.with_row_splits_dtype(kind), kept)
        return cls.from_row_lengths(boolean_mask(whole, sequence_mask(kept, size)), kept)

    @classmethod
    def from_sparse(
        cls, st_input: SparseTensor, name: str | None = None, row_splits_dtype: DTypeLike = int64
    ) -> RaggedTensor:
        """The rows of a SparseTensor of rank 2 that has the first elements of each row.

        Args:
          st_input: the SparseTensor, in order.
          row_splits_dtype: int32 or int64.
        Raises:
          TypeError: for another value.
          InvalidArgumentError: if it lacks an element before one that it has.

        >>> tf.RaggedTensor.from_sparse(tf.sparse.from_dense([[3, 1], [0, 0]]))
        <tf.RaggedTensor [[3, 1], []]>
        """
        if not isinstance(st_input, SparseTensor):
            raise TypeError(f"from_sparse takes a SparseTensor, not {type(st_input).__name__}")
        if st_input.shape.rank != 2:
            raise ValueError(f"from_sparse takes a SparseTensor of rank 2, not of shape {st_input.shape}")
        kind = as_dtype(row_splits_dtype)
        numbers, columns = cast(st_input.indices[:, 0], kind), cast(st_input.indices[:, 1], kind)
        made = cls.from_value_rowids(st_input.values, numbers, cast(st_input.dense_shape[0], kind))
        require(reduce_all(columns == made._columns()), "the SparseTensor is not right-ragged", st_input.indices)
        return made

    @classmethod
    def from_uniform_row_length(
        cls,
        values: Values,
        uniform_row_length: SizeLike,
        nrows: SizeLike | None = None,
        validate: bool = True,
        name: str | None = None,
    ) -> RaggedTensor:
        """Rows of values that are all of one length.

        Args:
          values: a tensor of shape [n, ...], or a RaggedTensor of n rows.
          uniform_row_length: the length.
          nrows: how many rows there are, n // uniform_row_length by default.
          validate: whether to check that the rows hold all values.
        Raises:
          InvalidArgumentError: if they do not.

        >>> tf.RaggedTensor.from_uniform_row_length([3, 1, 4, 1], 2)
        <tf.RaggedTensor [[3, 1],
         [4, 1]]>
        """
        rows = _rows(values)
        length = cast(uniform_row_length, int64)
        count = _count(rows, int64) // length if nrows is None else cast(nrows, int64)
        return cls.from_row_splits(rows, making.range(count + 1) * length, validate=validate)

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: TensorLike,
        nested_value_rowids: Sequence[TensorLike],
        nested_nrows: Sequence[SizeLike | None] | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Rows of rows of values, by the number of the row of each.

        Args:
          flat_values: a tensor of shape [n, ...].
          nested_value_rowids: the numbers of each ragged dimension, those of the outermost first.
          nested_nrows: how many rows each has.
          validate: whether to check them.
        Raises:
          InvalidArgumentError: if they are none.

        >>> tf.RaggedTensor.from_nested_value_rowids([3, 1, 4], [[0, 1], [0, 0, 1]])
        <tf.RaggedTensor [[[3, 1]],
         [[4]]]>
        """
        counts = nested_nrows or [None] * len(nested_value_rowids)
        return _rows_of_rows(cls.from_value_rowids, flat_values, [*zip(nested_value_rowids, counts)], validate)

    @classmethod
    def from_nested_row_splits(
        cls,
        flat_values: TensorLike,
        nested_row_splits: Sequence[TensorLike],
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Rows of rows of values, by where in what they are made of they begin and end.

        Args:
          flat_values: a tensor of shape [n, ...].
          nested_row_splits: the splits of each ragged dimension, those of the outermost first.
          validate: whether to check them.
        Raises:
          InvalidArgumentError: if they are none.

        >>> tf.RaggedTensor.from_nested_row_splits([3, 1, 4], [[0, 1, 2], [0, 2, 3]])
        <tf.RaggedTensor [[[3, 1]],
         [[4]]]>
        """
        return _rows_of_rows(cls.from_row_splits, flat_values, [*zip(nested_row_splits)], validate)

    @classmethod
    def from_nested_row_lengths(
        cls,
        flat_values: TensorLike,
        nested_row_lengths: Sequence[TensorLike],
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Rows of rows of values, by how many each has.

        Args:
          flat_values: a tensor of shape [n, ...].
          nested_row_lengths: the lengths of each ragged dimension, those of the outermost first.
          validate: whether to check them.
        Raises:
          InvalidArgumentError: if they are none.

        >>> tf.RaggedTensor.from_nested_row_lengths([3, 1, 4], [[1, 1], [2, 1]])
        <tf.RaggedTensor [[[3, 1]],
         [[4]]]>
        """
        return _rows_of_rows(cls.from_row_lengths, flat_values, [*zip(nested_row_lengths)], validate)

    # What it is.

    @property
    def values(self) -> Tensor | RaggedTensor:
        """The values of all rows, a tensor of shape [n, ...], or a RaggedTensor of n rows.

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).values)
        tf.Tensor([3 1 4], shape=(3,), dtype=int32)
        """
        return self._values

    @property
    def flat_values(self) -> Tensor:
        """The values of the innermost rows, a tensor of shape [n, ...].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).flat_values.numpy())
        [3 1 4]
        """
        inner: Any = self._values
        return inner.flat_values if isinstance(inner, RaggedTensor) else inner  # type: ignore[no-any-return]

    @property
    def row_splits(self) -> Tensor:
        """Where each row begins, and the last one ends, whole numbers of shape [rows + 1].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).row_splits)
        tf.Tensor([0 2 2 3], shape=(4,), dtype=int64)
        """
        return self._row_splits

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The `row_splits` of each ragged dimension, those of the outermost first, a tuple.

        >>> len(tf.ragged.constant([[3, 1], [], [4]]).nested_row_splits)
        1
        """
        inner = self._values
        return (self._row_splits, *(inner.nested_row_splits if isinstance(inner, RaggedTensor) else ()))

    @property
    def dtype(self) -> DType:
        """The dtype of the values, whatever their shape.

        >>> tf.ragged.constant([[3], []]).dtype
        tf.int32
        """
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape, in which the ragged dimension is None.

        >>> tf.ragged.constant([[3], []]).shape
        TensorShape([2, None])
        """
        splits, inner = self._row_splits.shape.dims, self._values.shape.dims
        (count,) = splits or (None,)
        return TensorShape([count - 1 if isinstance(count, int) else None, None, *(inner or (None,))[1:]])

    def get_shape(self) -> TensorShape:
        """`shape`, as a method.

        >>> tf.ragged.constant([[3, 1], [], [4]]).get_shape()
        TensorShape([3, None])
        """
        return self.shape

    @property
    def ragged_rank(self) -> int:
        """How many ragged dimensions the shape has, at least 1.

        >>> tf.ragged.constant([[3, 1], [], [4]]).ragged_rank
        1
        """
        return 1 + (self._values.ragged_rank if isinstance(self._values, RaggedTensor) else 0)

    @property
    def uniform_row_length(self) -> None:
        """None: nothing says that the rows, of whatever shape, are of one length.

        >>> tf.ragged.constant([[3, 1], [], [4]]).uniform_row_length is None
        True
        """
        return None

    def nrows(self, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
        """How many rows there are, a whole number of shape ().

        Args:
          out_type: its dtype, that of `row_splits` by default.

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).nrows().numpy())
        3
        """
        return _count(self._row_splits, out_type or self._row_splits.dtype) - 1

    def row_starts(self, name: str | None = None) -> Tensor:
        """Where in the values each row begins, of shape [rows].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).row_starts().numpy())
        [0 2 2]
        """
        return self._row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """Where in the values each row ends, of shape [rows].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).row_limits().numpy())
        [2 2 3]
        """
        return self._row_splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Tensor | RaggedTensor:
        """How many values each row has, of shape [rows]; those of rows of rows in a RaggedTensor.

        Args:
          axis: the ragged dimension, the second by default.

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).row_lengths().numpy())
        [2 0 1]
        """
        if axis > 1 and isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.row_lengths(axis - 1))
        if axis != 1:
            raise ValueError(f"row_lengths(axis={axis!r}): the ragged dimensions are 1 to {self.ragged_rank}")
        return self._lengths()

    def _lengths(self) -> Tensor:
        return self.row_limits() - self.row_starts()

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The lengths of the rows of each ragged dimension, those of the outermost first, a tuple.

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).nested_row_lengths()[0].numpy())
        [2 0 1]
        """
        inner = self._values
        return (self._lengths(), *(inner.nested_row_lengths() if isinstance(inner, RaggedTensor) else ()))

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The number of the row of each value, of shape [n].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).value_rowids().numpy())
        [0 0 2]
        """
        return repeat(making.range(self.nrows()), self._lengths())

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The `value_rowids` of each ragged dimension, those of the outermost first, a tuple.

        >>> [ids.numpy().tolist() for ids in tf.ragged.constant([[[3, 1]], [[], [4]]]).nested_value_rowids()]
        [[0, 1, 1], [0, 0, 2]]
        """
        inner = self._values
        return (self.value_rowids(), *(inner.nested_value_rowids() if isinstance(inner, RaggedTensor) else ()))

    def bounding_shape(
        self, axis: int | None = None, name: str | None = None, out_type: DTypeLike | None = None
    ) -> Tensor:
        """The shape that `to_tensor` has: with the longest row.

        Args:
          axis: which dimension to give, of shape (); all by default, of shape [rank].
          out_type: the dtype, that of `row_splits` by default.

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).bounding_shape().numpy())
        [3 2]
        """
        kind = as_dtype(out_type or self._row_splits.dtype)
        if isinstance(self._values, RaggedTensor):
            inner = unstack(self._values.bounding_shape(out_type=kind)[1:], len(self.shape) - 2)
        else:
            inner = [cast(d, kind) for d in making.like_shape(self._values)[1:]]
        whole = stack([self.nrows(kind), cast(self._longest(), kind), *inner])
        return whole if axis is None else whole[axis]

    def _longest(self) -> Tensor:
        return reduce_max(concat([making.zeros([1], self._row_splits.dtype), self._lengths()], 0))

    def _columns(self) -> Tensor:
        """The place of each value in its row."""
        numbers = making.range(_count(self._values, self._row_splits.dtype))
        return numbers - gather(self.row_starts(), self.value_rowids())

    # What becomes of it.

    def with_values(self, new_values: Values) -> RaggedTensor:
        """The same rows with other values.

        Args:
          new_values: a tensor of shape [n, ...], with a value for each, or a RaggedTensor with a row for each.

        >>> tf.ragged.constant([[3, 1], [], [4]]).with_values([True, False, True])
        <tf.RaggedTensor [[True, False], [], [True]]>
        """
        given = _rows(new_values)
        require(_count(given, int64) == _count(self._values, int64), "with_values takes a value for each that there is")
        return self._made(given, self._row_splits)

    def with_flat_values(self, new_values: TensorLike) -> RaggedTensor:
        """The same rows, down to the innermost, with other values.

        Args:
          new_values: a tensor of shape [n, ...], with a value for each.

        >>> tf.ragged.constant([[3, 1], [], [4]]).with_flat_values([2, 7, 1])
        <tf.RaggedTensor [[2, 7], [], [1]]>
        """
        inner = self._values
        return self.with_values(inner.with_flat_values(new_values) if isinstance(inner, RaggedTensor) else new_values)

    def with_row_splits_dtype(self, dtype: DTypeLike) -> RaggedTensor:
        """The same rows with splits of another dtype.

        Args:
          dtype: int32 or int64.

        >>> tf.ragged.constant([[3, 1], [], [4]]).with_row_splits_dtype(tf.int32).row_splits.dtype
        tf.int32
        """
        inner = self._values.with_row_splits_dtype(dtype) if isinstance(self._values, RaggedTensor) else self._values
        return self._made(inner, cast(self._row_splits, dtype))

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Tensor | RaggedTensor:
        """Dimensions that follow one another as one.

        Args:
          outer_axis, inner_axis: the first and the last of them.
        Returns: a RaggedTensor, or a tensor if no dimension is ragged any more.
        Raises:
          ValueError: if there are no such dimensions.

        >>> tf.ragged.constant([[[3, 1], []], [[4]]]).merge_dims(1, 2)
        <tf.RaggedTensor [[3, 1], [4]]>
        """
        rank = len(self.shape)
        first, last = (axis + rank if axis < 0 else axis for axis in (outer_axis, inner_axis))
        if not 0 <= first <= last < rank:
            raise ValueError(f"merge_dims({outer_axis}, {inner_axis}) of a RaggedTensor of shape {self.shape}")
        if first == last:
            return self
        inner = self._values
        if first > 1:
            return self.with_values(_merged(inner, first - 1, last - 1))
        if first == 0:
            return _merged(inner, 0, last - 1)
        if isinstance(inner, RaggedTensor):
            joined = self._made(inner._values, gather(inner._row_splits, self._row_splits))
            return joined.merge_dims(1, last - 1)
        sizes = making.like_shape(inner)[1:last]
        count = reduce_prod(stack([cast(size, self._row_splits.dtype) for size in sizes]))
        return self._made(_merged(inner, 0, last - 1), self._row_splits * count)

    def to_tensor(
        self,
        default_value: TensorLike | None = None,
        name: str | None = None,
        shape: TensorShape | Sequence[SizeLike | None] | None = None,
    ) -> Tensor:
        """The rows in a tensor, of shape [rows, longest, ...].

        Args:
          default_value: what shorter rows end with, zero or the empty text by default.
          shape: the shape that it is to have; None in it is for what the rows have. Rows that are longer are cut.

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).to_tensor(-1))
        tf.Tensor(
        [[ 3  1]
         [-1 -1]
         [ 4 -1]], shape=(3, 2), dtype=int32)
        """
        wanted = self._wanted(shape)
        if isinstance(self._values, RaggedTensor):
            padded = self._values.to_tensor(default_value, shape=[None, *wanted[2:]])
            return self._made(padded, self._row_splits).to_tensor(default_value, shape=[*wanted[:2], *wanted[2:]])
        inner, kind = making.like_shape(self._values)[1:], self._row_splits.dtype
        lengths, starts = self._lengths(), self.row_starts()
        if wanted[0] is not None:
            none = making.zeros([wanted[0]], kind)
            lengths, starts = (concat([x, none], 0)[: wanted[0]] for x in (lengths, starts))
        columns = self._longest() if wanted[1] is None else cast(wanted[1], kind)
        places = expand_dims(starts, 1) + making.range(columns)
        there = sequence_mask(lengths, columns)
        default = making.zeros(inner, self.dtype) if default_value is None else operand(default_value)
        default = broadcast_to(convert_to_tensor(default, self.dtype), [1, *inner])
        after = _count(self._values, kind)
        return gather(concat([self._values, default], 0), where(there, places, after))

    def _wanted(self, shape: TensorShape | Sequence[SizeLike | None] | None) -> list[SizeLike | None]:
        """The dimensions that `to_tensor` is asked for."""
        rank = self.shape.rank or 2
        if shape is None:
            return [None] * rank
        wanted = [*shape.as_list()] if isinstance(shape, TensorShape) else [*shape]
        inner = self.shape.as_list()[2:]
        if len(wanted) != rank or any(
            not isinstance(w, Tensor) and d is not None and w not in (None, -1, d) for w, d in zip(wanted[2:], inner)
        ):
            raise ValueError(f"to_tensor(shape={shape!r}) of a RaggedTensor of shape {self.shape}: it does not fit")
        return [None if isinstance(w, int) and w < 0 else w for w in wanted]

    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """The elements of its rows as those of a SparseTensor.

        Raises ValueError if there are uniform dimensions behind the ragged ones.

        >>> print(tf.sparse.to_dense(tf.ragged.constant([[3, 1], [], [4]]).to_sparse()).numpy())
        [[3 1]
         [0 0]
         [4 0]]
        """
        if self.flat_values.shape.rank != 1:
            raise ValueError(f"to_sparse of a RaggedTensor of shape {self.shape}: its values are to be of rank 1")
        return SparseTensor(self._places(), self.flat_values, self.bounding_shape(out_type=int64))

    def _places(self) -> Tensor:
        """The indices of each value."""
        places = stack([cast(self.value_rowids(), int64), cast(self._columns(), int64)], 1)
        if not isinstance(self._values, RaggedTensor):
            return places
        inner = self._values._places()
        return concat([gather(places, inner[:, 0]), inner[:, 1:]], 1)

    def to_list(self) -> list[Structure]:
        """The rows as lists of Python's.

        Raises ValueError while a function is traced.

        >>> tf.ragged.constant([[3, 1], [], [4]]).to_list()
        [[3, 1], [], [4]]
        """
        if isinstance(self._values, RaggedTensor):
            rows = self._values.to_list()
            return [rows[a:b] for a, b in pairwise(np.asarray(self._known("to_list", self._row_splits)).tolist())]
        return [row.tolist() for row in self._arrays("to_list")]

    def numpy(self) -> NumPyArray:
        """The rows as arrays in an array of objects; if all have one length, as an array of the dtype.

        Raises ValueError while a function is traced.

        >>> tf.ragged.constant([[3], [1]]).numpy()
        array([[3],
               [1]], dtype=int32)
        """
        rows = self._arrays("numpy")
        if not rows:
            return np.empty((0, 0, *(d or 0 for d in self.shape.as_list()[2:])), self.dtype.as_numpy_dtype)
        if len({len(row) for row in rows}) == 1:
            return np.stack(rows)
        result: NumPyArray = np.empty(len(rows), object)
        for number, row in enumerate(rows):
            result[number] = row
        return result

    def _arrays(self, wanted: str) -> list[NumPyArray]:
        splits, inner = np.asarray(self._known(wanted, self._row_splits)), self._values
        values = inner.numpy() if isinstance(inner, RaggedTensor) else np.asarray(self._known(wanted, inner))
        return [values[start:end] for start, end in pairwise(splits)]

    @staticmethod
    def _known(wanted: str, tensor: Tensor) -> object:
        if not isinstance(tensor, EagerTensor):
            raise ValueError(f"RaggedTensor.{wanted}(): its values are known only when the graph runs")
        return tensor.numpy()

    # Its rows.

    def row(self) -> Callable[[Any], Any]:
        """What gives the row of a number, with what all of them need made once."""
        starts, limits = self.row_starts(), self.row_limits()
        return lambda index: self._values[starts[index] : limits[index]]

    def __iter__(self) -> Iterator[Any]:
        count = self.shape[0]
        if not isinstance(count, int):
            raise TypeError(
                "how many rows a RaggedTensor has is known only when the graph runs: iterate over it with `for` in a "
                "converted function"
            )
        return map(self.row(), range(count))

    def __getitem__(self, index: Any) -> Any:
        parts = self._written_out(index if isinstance(index, tuple) else (index,))
        first, rest = parts[0], parts[1:]
        if isinstance(first, slice):
            rows = self if first == slice(None) else self._sliced(first)
            return rows._inside(rest) if rest else rows
        if isinstance(first, int | np.integer) or (first is not None and operand(first).shape.rank == 0):
            row = self.row()(first)
            return row[rest if len(rest) > 1 else rest[0]] if rest else row
        raise ValueError(
            f"RaggedTensor[{index!r}]: it takes numbers and slices of rows and of what is in them; tf.gather takes "
            "several numbers, and tf.expand_dims makes new axes"
        )

    def _written_out(self, index: tuple[Any, ...]) -> tuple[Any, ...]:
        """An index with slices for the ellipsis in it."""
        at = next((number for number, part in enumerate(index) if part is Ellipsis), None)
        if at is None:
            return index or (slice(None),)
        return (*index[:at], *[slice(None)] * (len(self.shape) - len(index) + 1), *index[at + 1 :])

    def _sliced(self, rows: slice) -> RaggedTensor:
        lengths, starts = self._lengths()[rows], self.row_starts()[rows]
        return self._picked(starts, lengths, 1)

    def _picked(self, starts: Tensor, lengths: Tensor, step: int) -> RaggedTensor:
        """Rows of so many of the values each, from a place on, one of so many."""
        made = self._made(self._values, _splits_of(lengths))
        places = making.range(made._row_splits[-1]) - repeat(made.row_starts(), lengths)
        return self._made(_gathered(self._values, repeat(starts, lengths) + places * step), made._row_splits)

    def _inside(self, rest: tuple[Any, ...]) -> RaggedTensor:
        """Parts of each row."""
        columns, more = rest[0], rest[1:]
        if not isinstance(columns, slice):
            raise ValueError(
                f"RaggedTensor[..., {columns!r}]: a ragged dimension takes a slice, as not all rows have such a value; "
                "loop over the rows, or pad them: x.to_tensor()"
            )
        made = self if columns == slice(None) else self._cut(columns)
        return made.with_values(made._values[(slice(None), *more)]) if more else made

    def _cut(self, columns: slice) -> RaggedTensor:
        """The same part of each row."""
        step = 1 if columns.step is None else int(columns.step)
        lengths = self._lengths()
        low, high = (0, lengths) if step > 0 else (-1, lengths - 1)

        def bound(given: Any, otherwise: Any) -> Any:
            if given is None:
                return lengths * 0 + otherwise
            at = cast(given, lengths.dtype)
            return minimum(maximum(where(at < 0, at + lengths, at + lengths * 0), low), high)

        first = bound(columns.start, low if step > 0 else high)
        last = bound(columns.stop, high if step > 0 else low)
        count = maximum((last - first + (step - 1 if step > 0 else step + 1)) // step, 0)
        return self._picked(self.row_starts() + first, count, step)

    # What its values come to.

    def values_beside(self, other: RaggedTensor) -> Any:
        """The values of one that has rows of the same lengths; raises InvalidArgumentError if it has not."""
        a, b = self._row_splits, cast(other._row_splits, self._row_splits.dtype)
        problem = "the rows of RaggedTensors that are computed with together have other lengths"
        require(_length(a) == _length(b), problem, a, b)
        require(reduce_all(a == b), problem, a, b)
        mine, values = self._values, other._values
        return values if isinstance(mine, RaggedTensor) is isinstance(values, RaggedTensor) else _mixed(self, other)

    def _combined(self, compute: Callable[[Any, Any], Any], other: Any, swapped: bool = False) -> RaggedTensor:
        """What a function of each pair of elements comes to: of this and a number, a tensor that has a value for each
        row, or one that has rows of the same lengths."""
        if isinstance(other, RaggedTensor):
            if other.ragged_rank != self.ragged_rank:
                _mixed(self, other)
            values = self.values_beside(other)
        else:
            values = self._broadcast(other)
        if isinstance(self._values, RaggedTensor):
            return self._made(self._values._combined(compute, values, swapped), self._row_splits)
        return self._made(compute(values, self._values) if swapped else compute(self._values, values), self._row_splits)

    def _broadcast(self, other: Any) -> Any:
        """What stands beside the values of what broadcasts to the rows."""
        given = operand(other)
        dims, rank = given.shape.dims, len(self.shape)
        if dims is not None and len(dims) <= len(self._values.shape) - 1 - (self.ragged_rank - 1):
            return other  # it goes with each value
        if dims is None or len(dims) != rank or dims[1] != 1:
            raise TypeError(
                "an operator of a RaggedTensor takes a number, a RaggedTensor whose rows have the same lengths, or a "
                f"tensor of shape [rows, 1]; this one has the shape {given.shape}. With a number for each row write "
                "x * y[:, tf.newaxis]"
            )
        rows = given[:, 0]
        return gather(rows, self.value_rowids()) if dims[0] != 1 else rows[:1]

    def _binary(self, name: str, other: object, swapped: bool = False) -> Any:
        if other is None and name in ("eq", "ne"):
            return name == "ne"
        if name == "matmul":
            raise TypeError(f"matmul takes no RaggedTensor: {self.instead}")
        compute: Any = function(name)
        return self._combined(compute, other, swapped)

    def mapped(self, compute: Callable[[Tensor], Any]) -> RaggedTensor:
        inner = self._values
        return self._made(
            inner.mapped(compute) if isinstance(inner, RaggedTensor) else compute(inner), self._row_splits
        )

    def _unary(self, name: str) -> Any:
        return self.mapped(function(name))

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __getattr__(self, name: str) -> NoReturn:
        why = "" if name.startswith("__") else f": {self.instead}"
        raise AttributeError(f"'RaggedTensor' object has no attribute '{name}'{why}", name=name, obj=self)

    def __repr__(self) -> str:
        if all(isinstance(part, EagerTensor) for part in (self.flat_values, *self.nested_row_splits)):
            return f"<tf.RaggedTensor {_shown(self.numpy())}>"
        if not isinstance(self.flat_values, Tensor):
            return f"a RaggedTensor of {self.flat_values!r}"  # specs
        return f"tf.RaggedTensor(values={self._values!s}, row_splits={self._row_splits!s})"


def _shown(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    if not value.size:
        return repr(value.tolist())
    return np.array2string(value, separator=", ", formatter={"all": _shown})


def _merged(values: Any, first: int, last: int) -> Any:
    """Dimensions that follow one another as one."""
    if isinstance(values, RaggedTensor):
        return values.merge_dims(first, last)
    dims = making.like_shape(values)
    return values if first == last else reshape(values, [*dims[:first], -1, *dims[last + 1 :]])


def _gathered(values: Any, places: Tensor) -> Any:
    """Values at places, which may be rows."""
    if not isinstance(values, RaggedTensor):
        return gather(values, places)
    return values._picked(gather(values.row_starts(), places), gather(values._lengths(), places), 1)


def _mixed(a: RaggedTensor, b: RaggedTensor) -> NoReturn:
    raise TypeError(
        f"RaggedTensors of shapes {a.shape} and {b.shape}, with {a.ragged_rank} and {b.ragged_rank} ragged dimensions, "
        "are not computed with together"
    )


def _rows_of_rows(
    rows_of: Callable[..., RaggedTensor], flat_values: TensorLike, dimensions: Sequence[tuple[Any, ...]], validate: bool
) -> RaggedTensor:
    """Values in rows, and these in rows, by what tells of each ragged dimension, the outermost first."""
    made: Any = flat_values
    for told in reversed(dimensions):
        made = rows_of(made, *told, validate=validate)
    return made  # type: ignore[no-any-return]


def _rows(values: Any) -> Any:
    if isinstance(values, RaggedTensor):
        return values
    found = convert_to_tensor(values)
    if found.shape.rank == 0:
        raise ValueError("the values of a RaggedTensor have the rank 1 or more; a number was given")
    return found


def _numbers(what: str, given: TensorLike) -> Tensor:
    """Splits, lengths or numbers of rows: int64, unless they are int32 tensors."""
    found = convert_to_tensor(given) if isinstance(given, Tensor) or hasattr(given, "dtype") else None
    found = convert_to_tensor(given, int64) if found is None else found
    if found.dtype not in _SPLITS:
        raise ValueError(f"{what} are int32 or int64, not {found.dtype.name}")
    if found.shape.rank not in (1, None):
        raise ValueError(f"{what} are of rank 1, not of shape {found.shape}")
    return found


def _length(tensor: Tensor) -> Tensor:
    return _count(tensor, int64)


def _count(tensor: Tensor | RaggedTensor, dtype: DTypeLike) -> Tensor:
    """How many parts a tensor has along its first axis."""
    if isinstance(tensor, RaggedTensor):
        return tensor.nrows(dtype)
    return cast(apply(shape_ops.length, tensor, axis=0, dtype=int64), dtype)


def _splits_of(lengths: Tensor) -> Tensor:
    return concat([making.zeros([1], lengths.dtype), cumsum(lengths)], 0)
