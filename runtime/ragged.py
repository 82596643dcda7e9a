"""Rows of different lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.graph.dtypes import int64
from runtime.tensors import making
from runtime.tensors.conversion import constant as _constant, convert_to_tensor
from runtime.tensors.public import face as _face
from runtime.tensors.ragged_tensor import RaggedTensor, check_rank as _check_rank
from runtime.tensors.shaping import concat as _concat, shape as _shape_of, stack as _stack
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, Structure, TensorLike

__all__ = ["constant", "map_flat_values", "stack"]


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
      ragged_rank: how many dimensions are ragged: 1, or 0 for a tensor.
      inner_shape: the shape of each value; () by default where `ragged_rank` does not tell.
      row_splits_dtype: int32 or int64.
    Returns: a RaggedTensor of shape [rows, None, ...]; of a list without rows, a tensor.
    Raises:
      ValueError: for lists that are nested in more ways than one, and for more ragged dimensions than one.

    >>> tf.ragged.constant([[3, 1], [], [4]])
    <tf.RaggedTensor [[3, 1], [], [4]]>
    >>> tf.ragged.constant([[[3, 1], [4, 1]], [[5, 9]]], ragged_rank=1).shape
    TensorShape([2, None, 2])
    """
    depth = _depth(pylist)
    inner = None if inner_shape is None else tuple(inner_shape)
    if ragged_rank is None:
        ragged_rank = max(depth - 1 - len(inner or ()), min(depth - 1, 1))
    if ragged_rank == 0 or depth == 0:
        return _constant(pylist, dtype, inner)
    _check_rank(ragged_rank)
    if depth < 2:
        raise ValueError(f"ragged.constant({pylist!r:.60}, ragged_rank=1): it takes rows, which are lists")
    rows = [[*row] for row in pylist]
    found = _constant([value for row in rows for value in row], dtype)
    if not any(rows):
        found = making.zeros([0, *(inner or (0,) * (depth - 2))], found.dtype)
    if inner is not None and (*found.shape[1:],) != inner:
        raise ValueError(f"ragged.constant with inner_shape={inner}: the values have the shape {(*found.shape[1:],)}")
    splits = np.cumsum([0, *map(len, rows)])
    return RaggedTensor.from_row_splits(found, _constant(splits, row_splits_dtype), validate=False)


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
    """Tensors of rank 1 as the rows of a RaggedTensor.

    Args:
      values: the tensors, of one dtype and any lengths.
      axis: 0.
    Raises:
      ValueError: for tensors of another rank, and another axis.

    >>> tf.ragged.stack([tf.range(2), tf.range(3)])
    <tf.RaggedTensor [[0, 1], [0, 1, 2]]>
    """
    rows = [convert_to_tensor(row) for row in values]
    if axis != 0 or not rows or any(row.shape.rank != 1 for row in rows):
        raise ValueError("ragged.stack takes tensors of rank 1, at least one of them, and axis=0")
    lengths = _stack([_shape_of(row)[0] for row in rows])
    return RaggedTensor.from_row_lengths(_concat(rows, 0), lengths, validate=False)


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

    def flat(value: object) -> object:
        return first.values_beside(value) if isinstance(value, RaggedTensor) else value

    return first.with_values(op(*map(flat, args), **{key: flat(value) for key, value in kwargs.items()}))


__getattr__, __dir__ = _face("ragged", globals())
