"""`RaggedTensor`: rows of different lengths, as their values one after the other and where each row begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar, NoReturn

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray, as_dtype, int32, int64
from runtime.graph.shapes import TensorShape
from runtime.ops import indexing, shape as shape_ops
from runtime.tensors import making
from runtime.tensors.composites import Composite
from runtime.tensors.conversion import cast, convert_to_tensor, operand
from runtime.tensors.mathematics import minimum, where
from runtime.tensors.operations import apply
from runtime.tensors.operators import Operators, function
from runtime.tensors.parts import boolean_mask, gather, repeat
from runtime.tensors.reductions import cumsum, reduce_all, reduce_any, reduce_max
from runtime.tensors.segments import sequence_mask
from runtime.tensors.shaping import broadcast_to, concat, expand_dims, require, stack
from runtime.tensors.sparse_tensor import SparseTensor
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import DTypeLike, SizeLike, Structure, TensorLike

_SPLITS = (int32, int64)


class RaggedTensor(Operators, Composite):
    """Rows of different lengths: a loop goes through them, and operators compute with all of their values.

    `tf.ragged.constant`, `tf.ragged.stack` and the methods ``from_…`` make one. It has one ragged dimension, the
    second; those behind it are uniform. In a `function` it is an argument, a result, a variable of a loop, and the
    number of its values decides about no graph. Functions of each element take it; others that take tensors take its
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

    _values: Tensor
    _row_splits: Tensor

    def __init__(self, values: object, row_splits: object) -> None:
        raise ValueError(
            "RaggedTensor constructor is private: use one of the methods that make one, such as "
            "RaggedTensor.from_row_splits, or tf.ragged.constant"
        )

    @classmethod
    def _made(cls, values: Tensor, row_splits: Tensor) -> RaggedTensor:
        made: RaggedTensor = object.__new__(cls)
        made._values, made._row_splits = values, row_splits
        return made

    # How one is made.

    @classmethod
    def from_row_splits(
        cls, values: TensorLike, row_splits: TensorLike, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of values, by where in these they begin and end.

        Args:
          values: a tensor of shape [n, ...].
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
        cls, values: TensorLike, row_lengths: TensorLike, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of values, by how many each has.

        Args:
          values: a tensor of shape [n, ...].
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
        cls, values: TensorLike, row_starts: TensorLike, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of values, by where each begins.

        Args:
          values: a tensor of shape [n, ...].
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
        cls, values: TensorLike, row_limits: TensorLike, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of values, by where each ends.

        Args:
          values: a tensor of shape [n, ...].
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
        values: TensorLike,
        value_rowids: TensorLike,
        nrows: SizeLike | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Rows of values, by the number of the row of each value.

        Args:
          values: a tensor of shape [n, ...].
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
          ragged_rank: 1, the number of ragged dimensions.
          row_splits_dtype: int32 or int64.
        Raises:
          ValueError: for both lengths and padding, another ragged_rank, or a tensor without rows.

        >>> tf.RaggedTensor.from_tensor([[3, 1, 0], [4, 0, 0]], padding=0)
        <tf.RaggedTensor [[3, 1], [4]]>
        """
        whole, kind = operand(tensor), as_dtype(row_splits_dtype)
        check_rank(ragged_rank)
        if whole.shape.rank is None or whole.shape.rank < 2:
            raise ValueError(f"from_tensor takes a tensor of rows, of rank 2 or more, not of shape {whole.shape}")
        if lengths is not None and padding is not None:
            raise ValueError("from_tensor takes lengths or padding, not both")
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

    # What it is.

    @property
    def values(self) -> Tensor:
        """The values of all rows, a tensor of shape [n, ...].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).values)
        tf.Tensor([3 1 4], shape=(3,), dtype=int32)
        """
        return self._values

    @property
    def flat_values(self) -> Tensor:
        """The values of all rows, a tensor of shape [n, ...]: `values`, as there is one ragged dimension.

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).flat_values.numpy())
        [3 1 4]
        """
        return self._values

    @property
    def row_splits(self) -> Tensor:
        """Where each row begins, and the last one ends, whole numbers of shape [rows + 1].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).row_splits)
        tf.Tensor([0 2 2 3], shape=(4,), dtype=int64)
        """
        return self._row_splits

    @property
    def nested_row_splits(self) -> tuple[Tensor]:
        """The splits of each ragged dimension: a tuple of `row_splits`, of shape [rows + 1].

        >>> len(tf.ragged.constant([[3, 1], [], [4]]).nested_row_splits)
        1
        """
        return (self._row_splits,)

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
        (splits,) = self._row_splits.type.shape or (None,)
        inner = self._values.type.shape
        return TensorShape([splits - 1 if isinstance(splits, int) else None, None, *(inner or (None,))[1:]])

    def get_shape(self) -> TensorShape:
        """`shape`, as a method.

        >>> tf.ragged.constant([[3, 1], [], [4]]).get_shape()
        TensorShape([3, None])
        """
        return self.shape

    @property
    def ragged_rank(self) -> int:
        """How many ragged dimensions the shape has: 1.

        >>> tf.ragged.constant([[3, 1], [], [4]]).ragged_rank
        1
        """
        return 1

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

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Tensor:
        """How many values each row has, of shape [rows].

        Args:
          axis: 1, the ragged dimension.

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).row_lengths().numpy())
        [2 0 1]
        """
        if axis != 1:
            raise ValueError(f"row_lengths(axis={axis!r}): the ragged dimension is 1")
        return self.row_limits() - self.row_starts()

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor]:
        """The lengths of the rows of each ragged dimension: a tuple of `row_lengths`, of shape [rows].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).nested_row_lengths()[0].numpy())
        [2 0 1]
        """
        return (self.row_lengths(),)

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The number of the row of each value, of shape [n].

        >>> print(tf.ragged.constant([[3, 1], [], [4]]).value_rowids().numpy())
        [0 0 2]
        """
        return repeat(making.range(self.nrows()), self.row_lengths())

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
        inner = [cast(d, kind) for d in making.like_shape(self._values)[1:]]
        whole = stack([self.nrows(kind), cast(self._longest(), kind), *inner])
        return whole if axis is None else whole[axis]

    def _longest(self) -> Tensor:
        return reduce_max(concat([making.zeros([1], self._row_splits.dtype), self.row_lengths()], 0))

    def _columns(self) -> Tensor:
        """The place of each value in its row."""
        numbers = making.range(_count(self._values, self._row_splits.dtype))
        return numbers - gather(self.row_starts(), self.value_rowids())

    # What becomes of it.

    def with_values(self, new_values: TensorLike) -> RaggedTensor:
        """The same rows with other values.

        Args:
          new_values: a tensor of shape [n, ...], with a value for each.

        >>> tf.ragged.constant([[3, 1], [], [4]]).with_values([True, False, True])
        <tf.RaggedTensor [[True, False], [], [True]]>
        """
        given = _rows(new_values)
        require(_count(given, int64) == _count(self._values, int64), "with_values takes a value for each that there is")
        return self._made(given, self._row_splits)

    def with_flat_values(self, new_values: TensorLike) -> RaggedTensor:
        """The same rows with other values: `with_values`.

        Args:
          new_values: a tensor of shape [n, ...], with a value for each.

        >>> tf.ragged.constant([[3, 1], [], [4]]).with_flat_values([2, 7, 1])
        <tf.RaggedTensor [[2, 7], [], [1]]>
        """
        return self.with_values(new_values)

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
        inner, kind = making.like_shape(self._values)[1:], self._row_splits.dtype
        lengths, starts = self.row_lengths(), self.row_starts()
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
        if len(wanted) != rank or any(w not in (None, -1, d) for w, d in zip(wanted[2:], inner)):
            raise ValueError(f"to_tensor(shape={shape!r}) of a RaggedTensor of shape {self.shape}: it does not fit")
        return [None if isinstance(w, int) and w < 0 else w for w in wanted]

    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """The elements of its rows as those of a SparseTensor.

        Raises ValueError if the values have a rank above 1.

        >>> print(tf.sparse.to_dense(tf.ragged.constant([[3, 1], [], [4]]).to_sparse()).numpy())
        [[3 1]
         [0 0]
         [4 0]]
        """
        if self._values.shape.rank != 1:
            raise ValueError(f"to_sparse of a RaggedTensor of shape {self.shape}: its values are to be of rank 1")
        places = stack([cast(self.value_rowids(), int64), cast(self._columns(), int64)], 1)
        return SparseTensor(places, self._values, self.bounding_shape(out_type=int64))

    def to_list(self) -> list[Structure]:
        """The rows as lists of Python's.

        Raises ValueError while a function is traced.

        >>> tf.ragged.constant([[3, 1], [], [4]]).to_list()
        [[3, 1], [], [4]]
        """
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
            return np.empty(0, self.dtype.as_numpy_dtype)
        if len({len(row) for row in rows}) == 1:
            return np.stack(rows)
        result: NumPyArray = np.empty(len(rows), object)
        for number, row in enumerate(rows):
            result[number] = row
        return result

    def _arrays(self, wanted: str) -> list[NumPyArray]:
        if not isinstance(self._values, EagerTensor) or not isinstance(self._row_splits, EagerTensor):
            raise ValueError(f"RaggedTensor.{wanted}(): its values are known only when the graph runs")
        splits: NumPyArray = np.asarray(self._row_splits.numpy())
        values: NumPyArray = np.asarray(self._values.numpy())
        return [values[start:end] for start, end in pairwise(splits)]

    # Its rows.

    def row(self) -> Callable[[Any], Tensor]:
        """What gives the row of a number, with what all of them need made once."""
        starts, limits = self.row_starts(), self.row_limits()
        return lambda index: self._values[starts[index] : limits[index]]

    def __iter__(self) -> Iterator[Tensor]:
        count = self.shape[0]
        if not isinstance(count, int):
            raise TypeError(
                "how many rows a RaggedTensor has is known only when the graph runs: iterate over it with `for` in a "
                "converted function"
            )
        return map(self.row(), range(count))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._sliced(index)
        if isinstance(index, tuple) and index and not isinstance(index[0], slice):
            row, rest = self[index[0]], index[1:]
            return row[rest] if rest else row
        if isinstance(index, tuple) and len(index) == 1:
            return self[index[0]]
        if isinstance(index, int | np.integer) or (not isinstance(index, tuple) and operand(index).shape.rank == 0):
            return self.row()(index)
        raise ValueError(
            f"RaggedTensor[{index!r}]: it takes the number of a row, or a slice of rows; loop over the rows for parts "
            "of each, or pad them: x.to_tensor()"
        )

    def _sliced(self, rows: slice) -> RaggedTensor:
        lengths, starts = self.row_lengths()[rows], self.row_starts()[rows]
        made = self._made(self._values, _splits_of(lengths))
        count = made._row_splits[-1]
        shift = repeat(starts - made.row_starts(), lengths)
        return self._made(gather(self._values, making.range(count) + shift), made._row_splits)

    # What its values come to.

    def values_beside(self, other: RaggedTensor) -> Tensor:
        """The values of one that has rows of the same lengths; raises InvalidArgumentError if it has not."""
        a, b = self._row_splits, cast(other._row_splits, self._row_splits.dtype)
        problem = "the rows of RaggedTensors that are computed with together have other lengths"
        require(_length(a) == _length(b), problem, a, b)
        require(reduce_all(a == b), problem, a, b)
        return other._values

    def _binary(self, name: str, other: object, swapped: bool = False) -> Any:
        if other is None and name in ("eq", "ne"):
            return name == "ne"
        values: Any = other
        if isinstance(other, RaggedTensor) and name != "matmul":
            values = self.values_beside(other)
        elif name == "matmul" or operand(other).shape.rank != 0:
            raise TypeError(
                "an operator of a RaggedTensor takes a number or a RaggedTensor whose rows have the same lengths; with "
                "a number for each row write x.with_values(x.values * tf.gather(y, x.value_rowids()))"
            )
        compute: Any = function(name)
        found = compute(values, self._values) if swapped else compute(self._values, values)
        return self._made(found, self._row_splits)

    def mapped(self, compute: Callable[[Tensor], Any]) -> RaggedTensor:
        return self._made(compute(self._values), self._row_splits)

    def _unary(self, name: str) -> Any:
        return self.mapped(function(name))

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __getattr__(self, name: str) -> NoReturn:
        why = "" if name.startswith("__") else f": {self.instead}"
        raise AttributeError(f"'RaggedTensor' object has no attribute '{name}'{why}", name=name, obj=self)

    def __repr__(self) -> str:
        if isinstance(self._values, EagerTensor) and isinstance(self._row_splits, EagerTensor):
            return f"<tf.RaggedTensor {_shown(self.numpy())}>"
        return f"tf.RaggedTensor(values={self._values!s}, row_splits={self._row_splits!s})"


def _shown(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    if not value.size:
        return repr(value.tolist())
    return np.array2string(value, separator=", ", formatter={"all": _shown})


def check_rank(ragged_rank: int) -> None:
    if ragged_rank != 1:
        raise ValueError(
            f"ragged_rank={ragged_rank!r}: a RaggedTensor has one ragged dimension here, the second. Rows of rows that "
            "differ in length are a list of RaggedTensors, or padded"
        )


def _rows(values: TensorLike) -> Tensor:
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


def _count(tensor: Tensor, dtype: DTypeLike) -> Tensor:
    """How many parts a tensor has along its first axis."""
    return cast(apply(shape_ops.length, tensor, axis=0, dtype=int64), dtype)


def _splits_of(lengths: Tensor) -> Tensor:
    return concat([making.zeros([1], lengths.dtype), cumsum(lengths)], 0)
