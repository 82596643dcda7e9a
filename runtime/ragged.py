"""Rows of different lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph.dtypes import DType, as_dtype, int32, int64
from runtime.tensors import making
from runtime.tensors.conversion import cast as _cast, constant as _constant, convert_to_tensor
from runtime.tensors.parts import argsort as _argsort, boolean_mask as _rows_where, gather as _gather
from runtime.tensors.public import face as _face
from runtime.tensors.ragged_forms import (
    boolean_mask as _boolean_mask,
    ragged_range as range,
    ragged_stack as _stacked,
    stack as _stack,
)
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, SizeLike, Structure, TensorLike

__all__ = [
    "boolean_mask", "constant", "map_flat_values", "range", "row_splits_to_segment_ids", "segment_ids_to_row_splits",
    "stack", "stack_dynamic_partitions",
]  # fmt: skip


def constant(
    pylist: Structure,
    dtype: DTypeLike | None = None,
    ragged_rank: int | None = None,
    inner_shape: Sequence[int] | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = int64,
) -> RaggedTensor | Tensor:
    """Rows of different lengths, of nested lists.

    Args:
      pylist: the rows: lists of numbers or texts, or of lists of one length.
      dtype: the dtype of the values; by default that of `tf.constant`.
      ragged_rank: how many dimensions are ragged, 0 for a tensor; by default all but the first and those of
        `inner_shape`.
      inner_shape: the shape of each value; () by default where `ragged_rank` does not tell.
      row_splits_dtype: int32 or int64.
    Returns: a RaggedTensor of shape [rows, None, ...]; of a list without rows, a tensor.
    Raises:
      ValueError: for lists that are nested in more ways than one, and for more ragged dimensions than there are.

    >>> tf.ragged.constant([[3, 1], [], [4]])
    <tf.RaggedTensor [[3, 1], [], [4]]>
    >>> tf.ragged.constant([[[3, 1], [4, 1]], [[5, 9]]], ragged_rank=1).shape
    TensorShape([2, None, 2])
    """
    depth = _depth(pylist)
    inner = None if inner_shape is None else tuple(inner_shape)
    if ragged_rank is None:
        ragged_rank = max(depth - 1 - len(inner or ()), min(depth - 1, 1), 0)
    if ragged_rank == 0 or depth == 0:
        return _constant(pylist, dtype, inner)
    if depth <= ragged_rank:
        raise ValueError(f"ragged.constant({pylist!r:.60}, ragged_rank={ragged_rank}): it takes rows, which are lists")
    return _nested(pylist, dtype, ragged_rank, inner, depth, as_dtype(row_splits_dtype))


def _nested(
    rows: Any, dtype: DTypeLike | None, ragged_rank: int, inner: tuple[int, ...] | None, depth: int, kind: DType
) -> RaggedTensor:
    """Rows of so many ragged dimensions."""
    flat = [value for row in rows for value in row]
    splits = _constant(np.cumsum([0, *map(len, rows)]), kind)
    if ragged_rank > 1:
        values: Any = _nested(flat, dtype, ragged_rank - 1, inner, depth - 1, kind)
        return RaggedTensor.from_row_splits(values, splits, validate=False)
    found = _constant(flat, dtype)
    if not flat:
        found = making.zeros([0, *(inner or (0,) * (depth - 2))], found.dtype)
    if inner is not None and (*found.shape[1:],) != inner:
        raise ValueError(f"ragged.constant with inner_shape={inner}: the values have the shape {(*found.shape[1:],)}")
    return RaggedTensor.from_row_splits(found, splits, validate=False)


def _depth(value: object) -> int:
    """How deep lists are nested, to the numbers or to lists without any."""
    if isinstance(value, np.ndarray | Tensor):
        return len(value.shape)
    if not isinstance(value, list | tuple):
        return 0
    depths = [(_depth(part), _is_empty(part)) for part in value]
    scalars = {depth for depth, empty in depths if not empty}
    if len(scalars) > 1 or any(depth > min(scalars) for depth, empty in depths if empty and scalars):
        raise ValueError("all scalar values must have the same nesting depth")
    return 1 + max((depth for depth, _ in depths), default=0)


def _is_empty(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_empty, value))


def stack(values: Sequence[TensorLike], axis: int = 0, name: str | None = None) -> RaggedTensor:
    """Tensors, or RaggedTensors, of any lengths and one rank along a new dimension.

    Args:
      values: the tensors, of one dtype.
      axis: where the new dimension is.
    Raises:
      ValueError: for none, for numbers, and for values of several ranks.

    >>> tf.ragged.stack([tf.range(2), tf.range(3)])
    <tf.RaggedTensor [[0, 1], [0, 1, 2]]>
    """
    rows = [one if isinstance(one, RaggedTensor) else convert_to_tensor(one) for one in values]
    if not rows or len({len(row.shape) for row in rows}) > 1 or not len(rows[0].shape):
        raise ValueError("ragged.stack takes tensors of one rank, which is not 0, at least one of them")
    if axis == 0:
        if any(isinstance(row, RaggedTensor) for row in rows):
            return _stack(rows, 0)  # type: ignore[no-any-return]
        return _stacked(rows, int32)
    return _stack([row if isinstance(row, RaggedTensor) else RaggedTensor.from_tensor(row) for row in rows], axis)  # type: ignore[no-any-return]


def boolean_mask(data: TensorLike, mask: TensorLike, name: str | None = None) -> Tensor | RaggedTensor:
    """The values where a mask holds, in their rows.

    Args:
      data: a tensor or a RaggedTensor.
      mask: booleans: of the shape of `data`, or one for each row.
    Returns: a RaggedTensor of the ragged dimensions of the mask; a tensor for a mask of rank 1 and a tensor.
    Raises:
      InvalidArgumentError: if the rows have other lengths than those of the mask.

    >>> tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])
    <tf.RaggedTensor [[1], [3, 4]]>
    """
    if (
        not isinstance(data, RaggedTensor)
        and not isinstance(mask, RaggedTensor)
        and len(convert_to_tensor(mask).shape) == 1
    ):
        return _rows_where(data, mask)
    return _boolean_mask(data, mask)  # type: ignore[no-any-return]


def row_splits_to_segment_ids(splits: TensorLike, name: str | None = None, out_type: DTypeLike | None = None) -> Tensor:
    """The number of the row of each value, by where the rows begin and end.

    Args:
      splits: whole numbers of shape [rows + 1].
      out_type: the dtype of the numbers, that of `splits` by default.
    Returns: a tensor of shape [values].

    >>> print(tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3]).numpy())
    [0 0 2]
    """
    given = convert_to_tensor(splits, None if isinstance(splits, Tensor) else int64)
    rows = RaggedTensor.from_row_splits(making.range(given[-1]), given)
    return _cast(rows.value_rowids(), out_type or given.dtype)


def segment_ids_to_row_splits(
    segment_ids: TensorLike,
    num_segments: SizeLike | None = None,
    out_type: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Where rows begin and end, by the number of the row of each value.

    Args:
      segment_ids: whole numbers of shape [values] that never decrease.
      num_segments: how many rows there are; by default the last value is in the last row.
      out_type: the dtype of the result, int64 by default.
    Returns: a tensor of shape [rows + 1].

    >>> print(tf.ragged.segment_ids_to_row_splits([0, 0, 2]).numpy())
    [0 2 2 3]
    """
    given = convert_to_tensor(segment_ids, None if isinstance(segment_ids, Tensor) else int64)
    rows = RaggedTensor.from_value_rowids(given, given, num_segments)
    return _cast(rows.row_splits, out_type or int64)


def stack_dynamic_partitions(
    data: TensorLike, partitions: TensorLike, num_partitions: SizeLike, name: str | None = None
) -> RaggedTensor:
    """Values in rows, by the number of the row of each, in whatever order these are.

    Args:
      data: a tensor of shape [n, ...].
      partitions: whole numbers of shape [n].
      num_partitions: how many rows there are.
    Returns: a RaggedTensor of shape [num_partitions, None, ...].

    >>> tf.ragged.stack_dynamic_partitions([1, 2, 3], [1, 0, 1], 3)
    <tf.RaggedTensor [[2], [1, 3], []]>
    """
    numbers = convert_to_tensor(partitions)
    order = _argsort(numbers, stable=True)
    return RaggedTensor.from_value_rowids(
        _gather(data, order), _cast(_gather(numbers, order), int64), _cast(num_partitions, int64)
    )


def map_flat_values(op: Callable[..., TensorLike], *args: Structure, **kwargs: Structure) -> Structure:
    """What a function makes of the values of RaggedTensors, in their rows.

    Args:
      op: takes tensors and gives one of shape [n, ...], with a value for each.
      args, kwargs: what to call it with: the `flat_values` of each RaggedTensor, all else as it is.
    Returns: a RaggedTensor with the rows of the first; without any, what the function gives.
    Raises:
      InvalidArgumentError: if the rows have other lengths than those of the first, or the result another length.

    >>> tf.ragged.map_flat_values(tf.square, tf.ragged.constant([[3, 1], [], [4]]))
    <tf.RaggedTensor [[9, 1], [], [16]]>
    """
    first = next((a for a in (*args, *kwargs.values()) if isinstance(a, RaggedTensor)), None)
    if first is None:
        return op(*args, **kwargs)

    def beside(value: Any) -> Any:
        if value.ragged_rank != first.ragged_rank:
            raise ValueError(f"map_flat_values of {value.ragged_rank} and {first.ragged_rank} ragged dimensions")
        mine: Any = first
        while isinstance(mine, RaggedTensor):
            mine, value = mine.values, mine.values_beside(value)
        return value

    def flat(value: object) -> object:
        return beside(value) if isinstance(value, RaggedTensor) else value

    return first.with_flat_values(op(*map(flat, args), **{key: flat(value) for key, value in kwargs.items()}))


__getattr__, __dir__ = _face("ragged", globals())
