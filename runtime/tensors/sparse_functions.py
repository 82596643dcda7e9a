"""Functions of sparse tensors, by TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph.dtypes import bool_, float32, int64
from runtime.tensors import making
from runtime.tensors.conversion import cast, convert_to_tensor, operand
from runtime.tensors.mathematics import equal, exp, where
from runtime.tensors.parts import argsort, gather, unique
from runtime.tensors.products import matmul
from runtime.tensors.reductions import axes, cumprod, reduce_all, reduce_sum as dense_sum
from runtime.tensors.segments import (
    unsorted_segment_max,
    unsorted_segment_min,
    unsorted_segment_sum,
)
from runtime.tensors.shaping import (
    concat as dense_concat,
    identity,
    require,
    reshape as dense_reshape,
    stack,
    transpose as dense_transpose,
)
from runtime.tensors.sparse_tensor import SparseTensor, reorder, to_dense
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, SizeLike, Structure, TensorLike


def _sparse(value: object, function: str) -> SparseTensor:
    if not isinstance(value, SparseTensor):
        raise TypeError(f"{function} takes a SparseTensor, not {type(value).__name__}")
    return value


def _numbers(places: Tensor, shape: Tensor) -> Tensor:
    """The number of each place among all of a shape."""
    return dense_sum(places * cumprod(shape, exclusive=True, reverse=True), 1)


def _places(numbers: Tensor, shape: Tensor) -> Tensor:
    """The places by their numbers."""
    steps = cumprod(shape, exclusive=True, reverse=True)
    return (numbers[:, None] // steps) % shape


def _merged(
    numbers: Tensor, values: Tensor, shape: Tensor, join: Callable[[Tensor, Tensor, Tensor], Tensor]
) -> SparseTensor:
    """Values by their numbers, those of one number together, in order."""
    order = argsort(numbers, stable=True)
    known = unique(gather(numbers, order), out_idx=int64)
    count = cast(making.like_shape(known.y)[0], int64)
    joined = join(gather(values, order), known.idx, count)
    return SparseTensor(_places(known.y, shape), joined, shape)


def add(a: SparseTensor | TensorLike, b: SparseTensor | TensorLike, threshold: TensorLike = 0) -> SparseTensor | Tensor:
    """The sum of two tensors, of which at least one is sparse.

    Args:
      a, b: SparseTensors, or tensors, of one shape.
      threshold: elements of a sparse sum that are nearer to zero than this are left out.
    Returns: a SparseTensor; a tensor if one of the two is.

    >>> x = tf.sparse.from_dense([[0, 3], [4, 0]])
    >>> tf.sparse.to_dense(tf.sparse.add(x, x)).numpy().tolist()
    [[0, 6], [8, 0]]
    """
    if not isinstance(a, SparseTensor) or not isinstance(b, SparseTensor):
        if not isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
            raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
        first, second = (to_dense(reorder(x)) if isinstance(x, SparseTensor) else operand(x) for x in (a, b))
        return first + second
    require(reduce_all(equal(a.dense_shape, b.dense_shape)), "sparse.add: the shapes differ", a.dense_shape)
    numbers = dense_concat([_numbers(a.indices, a.dense_shape), _numbers(b.indices, b.dense_shape)], 0)
    found = _merged(numbers, dense_concat([a.values, b.values], 0), a.dense_shape, unsorted_segment_sum)
    if isinstance(threshold, int | float) and not threshold:
        return found
    kept = (found.values >= threshold) | (found.values <= -operand(threshold))
    return retain(found, kept)


def _extreme(name: str, a: object, b: object, join: Callable[[Tensor, Tensor, Tensor], Tensor]) -> SparseTensor:
    first, second = _sparse(a, name), _sparse(b, name)
    zero = cast(0, first.dtype)
    mine, theirs = _numbers(first.indices, first.dense_shape), _numbers(second.indices, second.dense_shape)
    none = [making.fill([making.like_shape(x)[0]], zero) for x in (mine, theirs)]
    numbers, values = dense_concat([mine, theirs], 0), dense_concat([first.values, second.values], 0)
    shape, ones = first.dense_shape, dense_concat([n * 0 + 1 for n in (mine, theirs)], 0)
    both = _merged(numbers, values, shape, join)
    once = _merged(dense_concat([numbers, numbers], 0), dense_concat([values, *none], 0), shape, join)
    times = _merged(numbers, ones, shape, unsorted_segment_sum)
    return both.with_values(where(equal(times.values, 2), both.values, once.values))


def maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The larger elements of two sparse tensors of one shape.

    Args:
      sp_a, sp_b: the SparseTensors.

    >>> x, y = tf.sparse.from_dense([0, 3, -1]), tf.sparse.from_dense([2, 1, 0])
    >>> tf.sparse.to_dense(tf.sparse.maximum(x, y)).numpy().tolist()
    [2, 3, 0]
    """
    return _extreme("maximum", sp_a, sp_b, unsorted_segment_max)


def minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The smaller elements of two sparse tensors of one shape.

    Args:
      sp_a, sp_b: the SparseTensors.

    >>> x, y = tf.sparse.from_dense([0, 3, -1]), tf.sparse.from_dense([2, 1, 0])
    >>> tf.sparse.to_dense(tf.sparse.minimum(x, y)).numpy().tolist()
    [0, 1, -1]
    """
    return _extreme("minimum", sp_a, sp_b, unsorted_segment_min)


def _reduced(name: str, given: object, axis: AxisLike, keepdims: bool | None, sparse: bool, join: Any) -> Tensor:
    if sparse:
        raise NotImplementedError(f"sparse.{name} with output_is_sparse=True: tf.sparse.from_dense makes it sparse")
    x, several = _sparse(given, name), axes(axis)
    rank = x.shape.rank
    if rank is None and several is not None:
        raise ValueError(f"sparse.{name} along axis={axis}: the rank is not known")
    if several is None:
        return dense_reshape(
            join(x.values, making.zeros([making.like_shape(x.values)[0]], int64), 1),
            [1] * (rank or 0) if keepdims else [],
        )
    assert rank is not None
    gone = {int(a) % rank for a in ((several,) if isinstance(several, int) else several)}
    left = [a for a in range(rank) if a not in gone]
    dims = [x.dense_shape[a] for a in left]
    shape = stack([cast(1, int64), *dims])
    places = stack([x.indices[:, 0] * 0, *(x.indices[:, a] for a in left)], 1)
    found = join(x.values, _numbers(places, shape), _product(shape))
    wanted: list[Any] = [1 if a in gone else x.dense_shape[a] for a in range(rank)] if keepdims else dims
    return dense_reshape(found, wanted)


def _product(shape: Tensor) -> Tensor:
    return cumprod(shape)[-1]


def reduce_sum(
    sp_input: SparseTensor, axis: AxisLike = None, keepdims: bool | None = None, output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The sum of the elements along axes.

    Args:
      sp_input: the SparseTensor, of any shape.
      axis: the axis, or several, all by default.
      keepdims: whether they stay, with size 1.
      output_is_sparse: must be False; `tf.sparse.from_dense` makes the result sparse.
    Returns: a tensor of the remaining axes.
    Raises:
      NotImplementedError: for a sparse result.

    >>> tf.sparse.reduce_sum(tf.sparse.from_dense([[0, 3], [4, 1]]), 1).numpy().tolist()
    [3, 5]
    """
    return _reduced("reduce_sum", sp_input, axis, keepdims, output_is_sparse, unsorted_segment_sum)


def reduce_max(
    sp_input: SparseTensor, axis: AxisLike = None, keepdims: bool | None = None, output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The largest of the elements that are there, along axes; 0 where none is.

    Args:
      sp_input: the SparseTensor, of any shape.
      axis: the axis, or several, all by default.
      keepdims: whether they stay, with size 1.
      output_is_sparse: must be False; `tf.sparse.from_dense` makes the result sparse.
    Returns: a tensor of the remaining axes.
    Raises:
      NotImplementedError: for a sparse result.

    >>> tf.sparse.reduce_max(tf.sparse.from_dense([[0, -3], [4, 1], [0, 0]]), 1).numpy().tolist()
    [-3, 4, 0]
    """

    def join(values: Tensor, ids: Tensor, count: Any) -> Tensor:
        found = unsorted_segment_max(values, ids, count)
        there = unsorted_segment_sum(cast(ids * 0 + 1, int64), ids, count)
        return where(equal(there, 0), cast(0, found.dtype), found)

    return _reduced("reduce_max", sp_input, axis, keepdims, output_is_sparse, join)


def sparse_dense_matmul(
    sp_a: SparseTensor | TensorLike,
    b: SparseTensor | TensorLike,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of two matrices, of which one is sparse.

    Args:
      sp_a, b: the matrices, one of them a SparseTensor.
      adjoint_a, adjoint_b: whether one is conjugated and transposed first.
    Returns: a tensor of rank 2.

    >>> x = tf.sparse.from_dense([[0.0, 3.0], [4.0, 0.0]])
    >>> tf.sparse.sparse_dense_matmul(x, [[1.0], [2.0]]).numpy().tolist()
    [[6.0], [4.0]]
    """
    if isinstance(b, SparseTensor):
        return matmul(sp_a, to_dense(reorder(b)), adjoint_a=adjoint_a, adjoint_b=adjoint_b)  # type: ignore[arg-type]
    x = _sparse(sp_a, "sparse_dense_matmul")
    if adjoint_a:
        x = transpose(x.with_values(dense_transpose(x.values, conjugate=True)) if x.dtype.is_complex else x)
    right = identity(b)  # whose gradient is that of a tensor, not of rows
    if adjoint_b:
        right = dense_transpose(right, conjugate=right.dtype.is_complex)
    require(equal(x.dense_shape[1], cast(making.like_shape(right)[0], int64)), "sparse_dense_matmul: the sizes differ")
    rows = gather(right, x.indices[:, 1]) * x.values[:, None]
    return unsorted_segment_sum(rows, x.indices[:, 0], x.dense_shape[0])


def transpose(sp_input: SparseTensor, perm: AxisLike = None, name: str | None = None) -> SparseTensor:
    """The axes in another order, the reverse by default.

    Args:
      sp_input: the SparseTensor, of any shape.
      perm: which axis comes where.

    >>> tf.sparse.to_dense(tf.sparse.transpose(tf.sparse.from_dense([[0, 3, 1]]))).numpy().tolist()
    [[0], [3], [1]]
    """
    x = _sparse(sp_input, "transpose")
    rank = x.shape.rank
    if rank is None:
        raise ValueError("sparse.transpose of a SparseTensor whose rank is not known")
    order = [*range(rank)][::-1] if perm is None else [int(a) for a in np.asarray(perm)]
    return reorder(SparseTensor(gather(x.indices, order, axis=1), x.values, gather(x.dense_shape, order)))


def reshape(sp_input: SparseTensor, shape: TensorLike, name: str | None = None) -> SparseTensor:
    """The same elements, in their order, in another shape.

    Args:
      sp_input: the SparseTensor, of any shape.
      shape: the shape, in which one size may be -1.
    Raises:
      InvalidArgumentError: if it has room for another number of elements.

    >>> tf.sparse.to_dense(tf.sparse.reshape(tf.sparse.from_dense([[0, 3], [1, 0]]), [-1])).numpy().tolist()
    [0, 3, 1, 0]
    """
    x, wanted = _sparse(sp_input, "reshape"), convert_to_tensor(shape, int64)
    known = _product(where(wanted < 0, cast(1, int64), wanted))
    total = _product(x.dense_shape)
    size = where(wanted < 0, total // known, wanted)
    require(equal(_product(size), total), "sparse.reshape: the shapes differ in size", x.dense_shape, wanted)
    return SparseTensor(_places(_numbers(x.indices, x.dense_shape), size), x.values, size)


def retain(sp_input: SparseTensor, to_retain: TensorLike) -> SparseTensor:
    """Some of the elements.

    Args:
      sp_input: the SparseTensor, of any shape.
      to_retain: a boolean for each element that it has.

    >>> tf.sparse.retain(tf.sparse.from_dense([3, 0, 4]), [False, True]).values.numpy().tolist()
    [4]
    """
    x = _sparse(sp_input, "retain")
    kept = dense_reshape(where(convert_to_tensor(to_retain, bool_)), [-1])
    return SparseTensor(gather(x.indices, kept), gather(x.values, kept), x.dense_shape)


def slice(  # its name
    sp_input: SparseTensor, start: TensorLike, size: TensorLike, name: str | None = None
) -> SparseTensor:
    """A part of a sparse tensor.

    Args:
      sp_input: the SparseTensor, of any shape.
      start: where it begins along each axis.
      size: how large it is along each, as far as there are elements.

    >>> tf.sparse.to_dense(tf.sparse.slice(tf.sparse.from_dense([[0, 3], [1, 0]]), [0, 1], [2, 5])).numpy().tolist()
    [[3], [0]]
    """
    x, first = _sparse(sp_input, "slice"), convert_to_tensor(start, int64)
    left = x.dense_shape - first
    wanted = convert_to_tensor(size, int64)
    shape = where(wanted < left, wanted, left)
    part = retain(x, reduce_all((x.indices >= first) & (x.indices < first + shape), 1))
    return SparseTensor(part.indices - first, part.values, shape)


def concat(axis: int, sp_inputs: Sequence[SparseTensor], name: str | None = None) -> SparseTensor:
    """Sparse tensors joined along an axis.

    Args:
      axis: the axis.
      sp_inputs: the SparseTensors, whose shapes differ along it alone.
    Raises:
      InvalidArgumentError: if other sizes differ.

    >>> x = tf.sparse.from_dense([[0, 3]])
    >>> tf.sparse.to_dense(tf.sparse.concat(1, [x, x])).numpy().tolist()
    [[0, 3, 0, 3]]
    """
    given = [_sparse(x, "concat") for x in sp_inputs]
    rank = given[0].shape.rank
    if rank is None:
        raise ValueError("sparse.concat of SparseTensors whose rank is not known")
    at, places, total = axis % rank, [], cast(0, int64)
    along = convert_to_tensor(np.arange(rank) == at)
    for x in given:
        same = equal(x.dense_shape, given[0].dense_shape) | along
        require(reduce_all(same), "sparse.concat: the shapes differ", x.dense_shape, given[0].dense_shape)
        places.append(x.indices + where(along, total, cast(0, int64)))
        total = total + x.dense_shape[at]
    values = dense_concat([x.values for x in given], 0)
    return reorder(SparseTensor(dense_concat(places, 0), values, where(along, total, given[0].dense_shape)))


def expand_dims(sp_input: SparseTensor, axis: int | None = None, name: str | None = None) -> SparseTensor:
    """The sparse tensor with a new axis of size 1.

    Args:
      sp_input: the SparseTensor, of any shape.
      axis: where the new axis is, the last by default.

    >>> tf.sparse.expand_dims(tf.sparse.from_dense([0, 3]), 0).shape
    TensorShape([1, 2])
    """
    x = _sparse(sp_input, "expand_dims")
    rank = x.shape.rank
    if rank is None:
        raise ValueError("sparse.expand_dims of a SparseTensor whose rank is not known")
    at = (-1 if axis is None else axis) % (rank + 1)
    none = x.indices[:, :1] * 0
    places = dense_concat([x.indices[:, :at], none, x.indices[:, at:]], 1)
    return SparseTensor(places, x.values, dense_concat([x.dense_shape[:at], [cast(1, int64)], x.dense_shape[at:]], 0))


def map_values(op: Callable[..., TensorLike], *args: Structure, **kwargs: Structure) -> SparseTensor:
    """What a function makes of the values of sparse tensors that have elements at the same places.

    Args:
      op: takes tensors and gives one of shape [n], with a value for each element.
      args, kwargs: what to call it with: the `values` of each SparseTensor, all else as it is.

    >>> tf.sparse.map_values(tf.square, tf.sparse.from_dense([0, 3])).values.numpy().tolist()
    [9]
    """

    def plain(value: object) -> object:
        return value.values if isinstance(value, SparseTensor) else value

    first = next(x for x in (*args, *kwargs.values()) if isinstance(x, SparseTensor))
    return first.with_values(op(*map(plain, args), **{key: plain(value) for key, value in kwargs.items()}))


def softmax(sp_logits: SparseTensor, name: str | None = None) -> SparseTensor:
    """The softmax of the elements of each row that are there.

    Args:
      sp_logits: the SparseTensor, of rank 2 or more, of floats.

    >>> tf.sparse.softmax(tf.sparse.from_dense([[1.0, 0.0, 1.0]])).values.numpy().tolist()
    [0.5, 0.5]
    """
    x = _sparse(sp_logits, "softmax")
    ids, count = _numbers(x.indices[:, :-1], x.dense_shape[:-1]), _product(x.dense_shape[:-1])
    shares = exp(x.values - gather(unsorted_segment_max(x.values, ids, count), ids))
    return x.with_values(shares / gather(unsorted_segment_sum(shares, ids, count), ids))


def eye(
    num_rows: SizeLike, num_columns: SizeLike | None = None, dtype: DTypeLike = float32, name: str | None = None
) -> SparseTensor:
    """Ones on the diagonal, of shape [num_rows, num_columns].

    Args:
      num_rows, num_columns: the size, as many columns as rows by default.
      dtype: the dtype.

    >>> tf.sparse.to_dense(tf.sparse.eye(2)).numpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    rows = cast(num_rows, int64)
    columns = rows if num_columns is None else cast(num_columns, int64)
    count = where(rows < columns, rows, columns)
    numbers = making.range(count)
    return SparseTensor(stack([numbers, numbers], 1), making.ones([count], dtype), stack([rows, columns]))
