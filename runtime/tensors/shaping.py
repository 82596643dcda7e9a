"""The shape of tensors: asked for, changed, put together and cut, by TensorFlow's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.graph.dtypes import as_dtype, int32
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.op import Op
from runtime.graph.shapes import axis_of
from runtime.ops import effects, shape as ops
from runtime.tensors.conversion import (
    constant,
    convert_to_tensor,
    dimensions,
    operand,
    promote,
    static_value,
)
from runtime.tensors.growing import contents, has_grown
from runtime.tensors.mathematics import conj
from runtime.tensors.operations import apply
from runtime.tensors.reductions import axes
from runtime.tensors.tensor import Tensor


def shaped(op: Op, x: Any, shape: Any) -> Any:
    dims, given = dimensions(shape)
    return apply(op, x, *given, shape=dims)


def listed_shape(shape: Any) -> list[Any]:
    """A shape argument as a list of ints and scalar tensors."""
    dims, given = dimensions(shape)
    rest = iter(given)
    return [next(rest) if d is None else d for d in dims]


def not_negative(value: Any, function: str, parameter: str) -> int:
    """A size that must be known while tracing."""
    size = int(value)
    if size < 0:
        raise InvalidArgumentError(f"{function} with {parameter}={size}: it must not be negative")
    return size


def require(holds: Any, message: str, *values: Any) -> None:
    """Raise InvalidArgumentError unless a condition holds, at once or when the graph runs."""
    known = static_value(holds) if isinstance(holds, Tensor) else holds
    if known is None:
        apply(effects.assert_, holds, *values, message=message, python=False)
    elif not np.all(known):
        raise InvalidArgumentError(message)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The same elements in another shape; one dimension may be -1. Raises ValueError if they do not fill it."""
    return shaped(ops.reshape, operand(tensor), shape)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """The tensor repeated along axes of size 1 to fill a shape."""
    return shaped(ops.broadcast_to, operand(input), shape)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Any:
    """The axes in the order `perm`, reversed by default; with `conjugate`, of the complex conjugate."""
    made = apply(ops.transpose, operand(a), axes=None if perm is None else axes(perm))
    return conj(made) if conjugate and made.dtype.is_complex else made


def expand_dims(input: Any, axis: int, name: str | None = None) -> Any:
    """A new axis of size 1."""
    return apply(ops.expand_dims, operand(input), axis=int(axis))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Axes of size 1 removed."""
    where = axes(axis)
    return apply(ops.squeeze, operand(input), axis=(where,) if isinstance(where, int) else where)


def concat(values: Any, axis: int, name: str = "concat") -> Any:
    """Tensors joined along an axis."""
    if isinstance(values, Tensor):
        return values
    return apply(ops.concat, *promote([operand(v) for v in values]), axis=int(axis))


def stack(values: Any, axis: int = 0, name: str = "stack") -> Any:
    """Tensors of one shape joined along a new axis."""
    values = contents(values)
    if has_grown(values):  # a list that has grown in a graph
        values = values.stacked()
    if isinstance(values, Tensor):
        rank = len(values.shape)
        order = [*range(1, rank)]
        order.insert(axis_of(int(axis), rank), 0)
        return values if order == [*range(rank)] else transpose(values, order)
    if not len(values):
        raise ValueError("stack needs at least one tensor")
    return apply(ops.stack, *promote([operand(v) for v in values]), axis=int(axis))


def unknown_yet(problem: str) -> InvalidArgumentError:
    """The error about what is not known while tracing, which no clause of the program may swallow."""
    return refused(InvalidArgumentError(problem))


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    """The parts along an axis, as a list. Raises ValueError where the number is unknown and not given."""
    x = operand(value)
    at = axis_of(int(axis), len(x.shape))
    count = num if num is not None else x.shape.as_list()[at]
    if count is None:
        raise unknown_yet(f"unstack of {x} along axis {axis}: its size is known only when the graph runs; give `num`")
    of_size(x, at, count, "unstack")
    before = (slice(None),) * at
    return [x[(*before, i)] for i in range(count)]


def split(value: Any, num_or_size_splits: Any, axis: int = 0, num: int | None = None, name: str = "split") -> list[Any]:
    """A tensor cut along an axis into so many equal parts, or into parts of these sizes."""
    x = operand(value)
    at = axis_of(int(axis), len(x.shape))
    size = x.shape.as_list()[at]
    parts = static_value(num_or_size_splits)
    if parts is None:
        raise unknown_yet("split: the number or the sizes of the parts must be known while tracing")
    if parts.ndim == 0:
        count = int(parts)
        if size is None:
            raise unknown_yet(f"split of {x} along axis {at}: its size must be known while tracing")
        if count < 1 or size % count:
            raise ValueError(f"split of {x} along axis {at}: size {size} is not {count} equal parts")
        sizes = [size // count] * count
    else:
        sizes = [int(n) for n in parts]
        if sizes.count(-1) == 1 and size is not None:
            sizes[sizes.index(-1)] = size - sum(n for n in sizes if n != -1)
        if min(sizes, default=0) < 0:
            raise ValueError(f"split of {x} along axis {at}: size {size} is not {list(parts)}")
        of_size(x, at, sum(sizes), "split")
    if num is not None and num != len(sizes):
        raise ValueError(f"split into {len(sizes)} parts: num={num}")
    ends = np.cumsum(sizes, dtype=int).tolist()
    before = (slice(None),) * at
    return [x[(*before, slice(start, end))] for start, end in zip([0, *ends], ends)]


def of_size(x: Tensor, axis: int, size: int, function: str) -> None:
    """Raise ValueError, at once or when the graph runs, unless an axis has this size."""
    known = x.shape.as_list()[axis]
    message = f"{function} of {x} along axis {axis}: its size is not {size}"
    require(known == size if known is not None else x.shape[axis] == size, message)


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """The tensor repeated so many times along each axis."""
    x, times = operand(input), axes(multiples)
    times = (times,) if isinstance(times, int) else tuple(times)
    if x.shape.rank not in (None, len(times)):
        raise InvalidArgumentError(f"tile of {x} by {times}: one number for each of {x.shape.rank} axes is wanted")
    return apply(ops.tile, x, multiples=tuple(not_negative(n, "tile", "multiples") for n in times))


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """The elements along the axes (all, for None) in reverse order."""
    x = operand(tensor)
    return apply(ops.reverse, x, axis=tuple(range(len(x.shape))) if axis is None else axes(axis))


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Any:
    """The elements shifted along the axes; what falls off comes back at the other end."""
    return apply(ops.roll, operand(input), shift=axes(shift), axis=axes(axis))


def identity(input: Any, name: str | None = None) -> Any:
    """The tensor itself, as a new tensor."""
    return apply(ops.identity, convert_to_tensor(input))


def shape(input: Any, out_type: Any = int32, name: str | None = None) -> Any:
    """The shape as a tensor of rank 1."""
    x, kind = operand(input), as_dtype(out_type)
    known = x.shape
    if known.is_fully_defined():
        return constant(np.array(list(known), kind.dtype))
    return apply(ops.shape, x, dtype=kind)


def size(input: Any, out_type: Any = int32, name: str | None = None) -> Any:
    """The number of elements."""
    x, kind = operand(input), as_dtype(out_type)
    known = x.shape
    if known.is_fully_defined():
        return constant(np.array(known.num_elements(), kind.dtype))
    return apply(ops.size, x, dtype=kind)


def rank(input: Any, name: str | None = None) -> Any:
    """The number of axes."""
    x = operand(input)
    return constant(np.int32(len(x.shape))) if x.shape.rank is not None else apply(ops.rank, x, dtype=int32)


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """The tensor, checked to be compatible with a shape."""
    tensor = operand(x)
    return apply(ops.ensure_shape, tensor, shape=tensor.shape.merge_with(shape).dims)
