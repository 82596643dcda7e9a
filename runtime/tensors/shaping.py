"""The shape of tensors: asked for, changed, put together and cut, by TensorFlow's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.graph import shapes
from runtime.graph.dtypes import as_dtype, int32
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.op import Op
from runtime.graph.shapes import TensorShape, axis_of
from runtime.ops import effects, elementwise as ew, shape as ops
from runtime.tensors.composites import Formed, formed_in, with_forms
from runtime.tensors.conversion import (
    are_open,
    constant,
    convert_to_tensor,
    dimensions,
    known_numbers,
    matched,
    operand,
    static_value,
)
from runtime.tensors.growing import contents, has_grown
from runtime.tensors.operations import apply, apply_all, conjugate as conjugated
from runtime.tensors.reductions import axes
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, PatternLike, ShapeLike, TensorLike


def shaped(op: Op, x: object, shape: object) -> Tensor:
    dims, given = dimensions(shape)
    return apply(op, x, *given, shape=dims)


def listed_shape(shape: object) -> list[Any]:
    """A shape argument as a list of ints and scalar tensors."""
    dims, given = dimensions(shape)
    rest = iter(given)
    return [next(rest) if d is None else d for d in dims]


def not_negative(value: Any, function: str, parameter: str) -> int:
    """A size that must be known while tracing."""
    try:
        size = int(value)
    except (TypeError, ValueError):
        raise TypeError(f"{function} with {parameter}={value!r:.60}: it must be a whole number") from None
    if size < 0:
        raise InvalidArgumentError(f"{function} with {parameter}={size}: it must not be negative")
    return size


def require(holds: Any, message: str, *values: object) -> None:
    """Raise InvalidArgumentError unless a condition holds, at once or when the graph runs."""
    known = static_value(holds) if isinstance(holds, Tensor) else holds
    if known is None:
        apply_all(effects.assert_, holds, *values, message=message, python=False)
    elif not np.all(known):
        raise InvalidArgumentError(message)


def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """The same elements, in the same order, in another shape.

    Args:
      tensor: a tensor of any shape.
      shape: the new shape; one dimension may be -1, for as many as are left.
    Returns: a tensor of this shape and of the dtype of `tensor`.
    Raises:
      ValueError: if the elements do not fill the shape.

    >>> print(tf.reshape([1, 2, 3, 4, 5, 6], [2, -1]))
    tf.Tensor(
    [[1 2 3]
     [4 5 6]], shape=(2, 3), dtype=int32)
    """
    return shaped(ops.reshape, operand(tensor), shape)


def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """The tensor repeated along axes of size 1, and along new ones before the first, until it fills a shape.

    Args:
      input: a tensor whose shape broadcasts to `shape`.
      shape: the new shape.
    Returns: a tensor of this shape and of the dtype of `input`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.broadcast_to([1, 2], [2, 2]))
    tf.Tensor(
    [[1 2]
     [1 2]], shape=(2, 2), dtype=int32)
    """
    return shaped(ops.broadcast_to, operand(input), shape)


def transpose(a: TensorLike, perm: AxisLike = None, conjugate: bool = False, name: str = "transpose") -> Tensor:
    """The tensor with its axes in another order.

    Args:
      a: a tensor of any shape.
      perm: for each axis of the result the axis of `a` that it is; the reverse order by default.
      conjugate: whether to take the complex conjugate, too.
    Returns: a tensor of the dimensions of `a` in this order and of its dtype.
    Raises:
      ValueError: if `perm` does not name each axis once.

    >>> print(tf.transpose([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor(
    [[1 4]
     [2 5]
     [3 6]], shape=(3, 2), dtype=int32)
    """
    made = apply(ops.transpose, operand(a), axes=None if perm is None else axes(perm))
    return conjugated(made) if conjugate else made


def expand_dims(input: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """The tensor with a new axis of size 1.

    Args:
      input: a tensor of any shape.
      axis: where the new axis is in the result, a number or a list of one; negative from the end.
    Returns: a tensor of one rank more and of the dtype of `input`.
    Raises:
      ValueError: if there can be no such axis, or it is not one.

    >>> tf.expand_dims(tf.zeros([2, 3]), axis=0).shape
    TensorShape([1, 2, 3])
    """
    if isinstance(input, Formed):
        return input._form("expand_dims")(input, axis)  # type: ignore[no-any-return]
    return apply(ops.expand_dims, operand(input), axis=_one_axis(axis, "expand_dims"))


def _one_axis(axis: AxisLike, function: str) -> int:
    """An axis that is given as a number, or as the only one of a list or a tensor."""
    found = axes(axis)
    if isinstance(found, tuple) and len(found) == 1:
        return int(found[0])
    if not isinstance(found, int):
        raise ValueError(f"{function} along axis={axis!r}: it takes one axis")
    return found


def squeeze(input: TensorLike, axis: AxisLike = None, name: str | None = None) -> Tensor:
    """The tensor without axes of size 1.

    Args:
      input: a tensor of any shape.
      axis: the axis to leave out, or several, each of size 1; by default all that have this size.
    Returns: a tensor of the other axes and of the dtype of `input`.
    Raises:
      ValueError: if an axis has another size.

    >>> tf.squeeze(tf.zeros([1, 3, 1])).shape
    TensorShape([3])
    """
    if isinstance(input, Formed):
        return input._form("squeeze")(input, axis)  # type: ignore[no-any-return]
    where = axes(axis)
    return apply(ops.squeeze, operand(input), axis=(where,) if isinstance(where, int) else where)


def concat(values: TensorLike, axis: AxisLike, name: str = "concat") -> Tensor:
    """Tensors joined along one of their axes.

    Args:
      values: tensors whose shapes differ along this axis alone.
      axis: the axis along which they come one after the other, a number or a list of one.
    Returns: a tensor as long along the axis as all together, of the dtype to which they promote.
    Raises:
      ValueError: if there is no tensor, no such axis, or other sizes differ.

    >>> print(tf.concat([[1, 2], [3]], axis=0))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    if isinstance(values, Tensor):
        return values
    given: Any = [*values]  # type: ignore[misc]
    if (one := formed_in(given)) is not None:
        return one._form("concat")(given, axis)  # type: ignore[no-any-return]
    parts = matched(given)
    if not parts:
        raise ValueError("concat needs at least one tensor")
    return apply(ops.concat, *parts, axis=_one_axis(axis, "concat"))


def stack(values: TensorLike, axis: int = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape joined along a new axis.

    Args:
      values: the tensors.
      axis: where the new axis is in the result.
    Returns: a tensor of one rank more, and of the dtype to which they promote.
    Raises:
      ValueError: if there is no tensor, or their shapes differ.

    >>> print(tf.stack([[1, 2], [3, 4]], axis=1))
    tf.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    given = contents(values)
    if has_grown(given):  # a list that has grown in a graph
        given = given.stacked()
    if isinstance(given, Tensor):
        if int(axis) == 0 and given.shape.rank != 0:
            return given
        rank = len(given.shape)
        order = [*range(1, rank)]
        order.insert(axis_of(int(axis), rank), 0)
        return transpose(given, order)
    if not len(given):
        raise ValueError("stack needs at least one tensor")
    if (one := formed_in(given)) is not None:
        return one._form("stack")([*given], axis)  # type: ignore[no-any-return]
    return apply(ops.stack, *matched([*given]), axis=int(axis))


def unknown_yet(problem: str) -> InvalidArgumentError:
    """The error about what is not known while tracing, which no clause of the program may swallow."""
    return refused(InvalidArgumentError(problem))


def unstack(value: TensorLike, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """The parts of a tensor along an axis, which they do not have any more: what `stack` puts together.

    Args:
      value: a tensor of rank 1 or more.
      num: how many parts there are; needed only if tracing does not tell.
      axis: the axis to part along.
    Returns: a list of tensors, of the shape of `value` without the axis and of its dtype.
    Raises:
      ValueError: if the number of parts is not known, or not `num`.

    >>> a, b = tf.unstack([[1, 2], [3, 4]])
    >>> print(b)
    tf.Tensor([3 4], shape=(2,), dtype=int32)
    """
    x = operand(value)
    at = axis_of(int(axis), len(x.shape))
    count = num if num is not None else x.shape.as_list()[at]
    if count is None:
        raise unknown_yet(f"unstack of {x} along axis {axis}: its size is known only when the graph runs; give `num`")
    of_size(x, at, count, "unstack")
    before: tuple[Any, ...] = (slice(None),) * at
    return [x[(*before, i)] for i in range(count)]


def split(
    value: TensorLike, num_or_size_splits: TensorLike, axis: int = 0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """A tensor cut along an axis into several that keep it.

    Args:
      value: a tensor of rank 1 or more.
      num_or_size_splits: how many parts of equal size, or a list of their sizes, which may be tensors; one
        may be -1 for what is left.
      axis: the axis to cut.
      num: how many parts there are, if that is to be checked.
    Returns: a list of tensors of the dtype of `value`, and of its shape but for the axis.
    Raises:
      ValueError: if the size of the axis is not that of all parts, or not known.

    >>> first, rest = tf.split([1, 2, 3, 4, 5], [2, -1])
    >>> print(rest)
    tf.Tensor([3 4 5], shape=(3,), dtype=int32)
    """
    x = operand(value)
    at = axis_of(int(axis), len(x.shape))
    size = x.shape.as_list()[at]
    parts = known_numbers(num_or_size_splits)
    before: tuple[Any, ...] = (slice(None),) * at
    if parts is None:
        if isinstance(num_or_size_splits, Tensor) and num_or_size_splits.shape.rank == 0:
            raise unknown_yet("split: the number of the parts must be known while tracing")
        pieces = listed_shape(num_or_size_splits)
        rest = [i for i, piece in enumerate(pieces) if isinstance(piece, int) and piece == -1]
        if rest:
            pieces[rest[0]] = x.shape[at] - sum(piece for i, piece in enumerate(pieces) if i != rest[0])
        total = operand(sum(pieces[1:], start=pieces[0]))
        require(total == x.shape[at], f"split of {x} along axis {at}: the parts are not all of it", total)
        starts = [operand(sum(pieces[1:i], start=pieces[0]) if i else 0) for i in range(len(pieces))]
        return [x[(*before, slice(start, start + piece))] for start, piece in zip(starts, pieces)]
    if parts.ndim == 0:
        count = int(parts)
        if size is None:
            raise unknown_yet(f"split of {x} along axis {at}: its size must be known while tracing")
        if count < 1 or size % count:
            raise InvalidArgumentError(f"split of {x} along axis {at}: size {size} is not {count} equal parts")
        sizes = [size // count] * count
    else:
        sizes = [int(n) for n in parts]
        if sizes.count(-1) == 1 and size is not None:
            sizes[sizes.index(-1)] = size - sum(n for n in sizes if n != -1)
        if min(sizes, default=0) < 0:
            raise InvalidArgumentError(f"split of {x} along axis {at}: size {size} is not {list(parts)}")
        of_size(x, at, sum(sizes), "split")
    if num is not None and num != len(sizes):
        raise ValueError(f"split into {len(sizes)} parts: num={num}")
    ends = np.cumsum(sizes, dtype=int).tolist()
    return [x[(*before, slice(start, end))] for start, end in zip([0, *ends], ends)]


def of_size(x: Tensor, axis: int, size: int, function: str) -> None:
    """Raise ValueError, at once or when the graph runs, unless an axis has this size."""
    known = x.shape.as_list()[axis]
    message = f"{function} of {x} along axis {axis}: its size is not {size}"
    require(known == size if known is not None else x.shape[axis] == size, message)


def tile(input: TensorLike, multiples: AxisLike, name: str | None = None) -> Tensor:
    """The tensor repeated along its axes.

    Args:
      input: a tensor of any shape.
      multiples: how often along each axis.
    Returns: a tensor as many times as large along each axis, of the dtype of `input`.
    Raises:
      InvalidArgumentError: if there is not one number for each axis, or one is negative.

    >>> print(tf.tile([1, 2], [3]))
    tf.Tensor([1 2 1 2 1 2], shape=(6,), dtype=int32)
    """
    if isinstance(input, Formed):
        return input._form("tile")(input, multiples)  # type: ignore[no-any-return]
    x = operand(input)
    if are_open(multiples):
        counts = listed_shape(multiples)
        dims: list[Any] = list(x.shape)
        if len(counts) != len(dims):
            raise InvalidArgumentError(f"tile of {x} by {counts}: one number for each of {len(dims)} axes is wanted")
        for count in counts:
            require(count >= 0, "tile: multiples must not be negative", operand(count))
        wide = reshape(x, [n for dim in dims for n in (1, dim)])
        wide = broadcast_to(wide, [n for pair in zip(counts, dims) for n in pair])
        return reshape(wide, [count * dim for count, dim in zip(counts, dims)])
    times = axes(multiples)
    times = (times,) if isinstance(times, int) else tuple(times)
    if x.shape.rank not in (None, len(times)):
        raise InvalidArgumentError(f"tile of {x} by {times}: one number for each of {x.shape.rank} axes is wanted")
    return apply(ops.tile, x, multiples=tuple(not_negative(n, "tile", "multiples") for n in times))


def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """The elements along axes in reverse order.

    Args:
      tensor: a tensor of any shape.
      axis: the axis, or several; None for all.
    Returns: a tensor of the shape and dtype of `tensor`.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.reverse([1, 2, 3], [0]))
    tf.Tensor([3 2 1], shape=(3,), dtype=int32)
    """
    if isinstance(tensor, Formed):
        return tensor._form("reverse")(tensor, axis)  # type: ignore[no-any-return]
    x = operand(tensor)
    return apply(ops.reverse, x, axis=tuple(range(len(x.shape))) if axis is None else axes(axis))


@with_forms
def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """The same tensor, as a new object; of a Variable, its value now.

    Args:
      input: a tensor of any shape, or what becomes one.
    Returns: a tensor of the shape and dtype of `input`.

    >>> v = tf.Variable(1)
    >>> before = tf.identity(v)
    >>> v = v.assign(2)
    >>> print(before)
    tf.Tensor(1, shape=(), dtype=int32)
    """
    return apply(ops.identity, convert_to_tensor(input))


def identity_n(input: TensorLike, name: str | None = None) -> list[Tensor]:
    """The same tensors, as new objects.

    Args:
      input: a list of tensors, of any shapes.
    Returns: a list of as many tensors.

    >>> [x.shape.as_list() for x in tf.identity_n([1, [2.0, 3.0]])]
    [[], [2]]
    """
    return [identity(x) for x in input]  # type: ignore[union-attr]


def shape(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> Tensor:
    """The shape of a tensor, as a tensor; it holds the dimensions, too, that tracing does not know.

    Args:
      input: a tensor of any shape.
      out_type: the dtype of the result, int32 by default.
    Returns: a tensor of shape [rank].

    >>> print(tf.shape(tf.zeros([2, 3])))
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    """
    if isinstance(input, Formed):
        kind_ = type(input).__name__
        raise TypeError(f"shape of a {kind_}: x.shape is what is known, and x.bounding_shape() has room for all rows")
    x, kind = operand(input), as_dtype(out_type)
    known = x.shape
    if known.is_fully_defined():
        return constant(np.array(list(known), kind.dtype))
    return apply(ops.shape, x, dtype=kind)


def size(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> Tensor:
    """The number of elements, as a tensor.

    Args:
      input: a tensor of any shape.
      out_type: the dtype of the result, int32 by default.
    Returns: a scalar: a tensor of shape ().

    >>> print(tf.size([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor(6, shape=(), dtype=int32)
    """
    if isinstance(input, Formed):
        return input._form("size")(input, out_type)  # type: ignore[no-any-return]
    x, kind = operand(input), as_dtype(out_type)
    known = x.shape
    if known.is_fully_defined():
        return constant(np.array(known.num_elements(), kind.dtype))
    return apply(ops.size, x, dtype=kind)


def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """The number of axes, as a tensor.

    Args:
      input: a tensor of any shape.
    Returns: an int32 scalar: a tensor of shape ().

    >>> print(tf.rank([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    if isinstance(input, Formed) and input.shape.rank is not None:
        return constant(np.int32(input.shape.rank))
    x = operand(input)
    return constant(np.int32(len(x.shape))) if x.shape.rank is not None else apply(ops.rank, x, dtype=int32)


def shape_n(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> list[Tensor]:
    """The shapes of several tensors.

    Args:
      input: a list of tensors of any shapes.
      out_type: the dtype of the results, int32 by default, or int64.
    Returns: a list of as many tensors, each of shape [rank].

    >>> [x.numpy().tolist() for x in tf.shape_n([tf.zeros([2, 3]), tf.zeros([4])])]
    [[2, 3], [4]]
    """
    return [shape(x, out_type) for x in input]  # type: ignore[union-attr]


def broadcast_static_shape(shape_x: PatternLike, shape_y: PatternLike) -> TensorShape:
    """The shape to which two others broadcast.

    Args:
      shape_x, shape_y: the shapes, None for dimensions that are not known.
    Returns: a TensorShape.
    Raises:
      ValueError: if they do not go together.

    >>> tf.broadcast_static_shape([2, 1], [3])
    TensorShape([2, 3])
    """
    return TensorShape(shapes.pattern(shapes.broadcast(TensorShape(shape_x).dims, TensorShape(shape_y).dims)))


def broadcast_dynamic_shape(shape_x: TensorLike, shape_y: TensorLike) -> Tensor:
    """The shape to which two others broadcast that only the graph may know.

    Args:
      shape_x, shape_y: shapes, whole numbers of shape [rank].
    Returns: a tensor of shape [rank], of the larger rank.
    Raises:
      InvalidArgumentError: if they do not go together, when it is run.

    >>> print(tf.broadcast_dynamic_shape([2, 1], [3]))
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    """
    x, y = matched([shape_x, shape_y])
    rank = max(len(x), len(y))
    ones = [operand(np.ones(rank - len(v), v.dtype.dtype)) for v in (x, y)]
    a, b = concat([ones[0], x], 0), concat([ones[1], y], 0)
    either = apply(ew.logical_or, apply(ew.equal, a, operand(1)), apply(ew.equal, b, operand(1)))
    fits = apply(ew.logical_or, apply(ew.equal, a, b), either)
    for i in range(rank):
        require(fits[i], "broadcast_dynamic_shape: the shapes do not go together", x, y)
    return apply(ew.where, apply(ew.equal, a, operand(1)), b, a)


def ensure_shape(x: TensorLike, shape: PatternLike, name: str | None = None) -> Tensor:
    """The tensor, if a shape fits it; what tracing did not know of its shape it knows afterwards.

    Args:
      x: a tensor of any shape.
      shape: the shape that it must have; None for dimensions of any size.
    Returns: a tensor of the shape and dtype of `x`.
    Raises:
      InvalidArgumentError: if the shape does not fit: at once, or when the graph runs where only that can tell.

    >>> tf.ensure_shape(tf.zeros([2, 3]), [None, 3]).shape
    TensorShape([2, 3])
    >>> tf.ensure_shape(tf.zeros([2, 3]), [3])
    Traceback (most recent call last):
        ...
    runtime.errors.InvalidArgumentError: ensure_shape: a tensor of shape (2, 3) does not have the shape (3,)
    """
    tensor = operand(x)
    try:
        dims = tensor.shape.merge_with(shape).dims
    except ValueError:
        raise InvalidArgumentError(
            f"ensure_shape: a tensor of shape {tensor.shape} does not have the shape {TensorShape(shape)}"
        ) from None
    return apply(ops.ensure_shape, tensor, shape=dims)
