"""Making tensors, by TensorFlow's names."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from runtime.graph.dtypes import DType, as_dtype, bool_, float32, string
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew, shape as ops
from runtime.tensors.conversion import (
    cast,
    dimensions,
    of_dtype,
    operand,
    promote,
    result_dtype,
    static_value,
)
from runtime.tensors.operations import apply
from runtime.tensors.shaping import broadcast_to, listed_shape, not_negative, shaped, transpose
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import current


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    """A tensor of this shape with every element equal to `value`."""
    return shaped(ops.fill, operand(value), dims)


def _full(shape: Any, value: Any, dtype: Any) -> Any:
    kind = as_dtype(dtype)
    element = _element(value, kind)
    dims, given = dimensions(shape)
    if not given and current() is None:
        return EagerTensor(np.full(dims, element, kind.dtype))
    return apply(ops.fill, EagerTensor(element), *given, shape=dims)


def _element(value: Any, kind: DType) -> Any:
    return np.array(b"" if kind == string else value, kind.dtype)


def zeros(shape: Any, dtype: Any = float32, name: str | None = None) -> Any:
    """Zeros (empty strings for the string dtype)."""
    return _full(shape, 0, dtype)


def ones(shape: Any, dtype: Any = float32, name: str | None = None) -> Any:
    """Ones."""
    return _full(shape, 1, dtype)


def _like(x: Any, dtype: Any, value: int) -> Any:
    x = operand(x)
    kind = as_dtype(dtype) if dtype is not None else x.dtype
    return filled_like(x, EagerTensor(_element(value, kind)))


def filled_like(x: Tensor, value: Tensor) -> Any:
    """A value in the shape of a tensor, which may have any number of dimensions."""
    if x.shape.rank is None:
        return apply(ew.where, EagerTensor(np.False_), cast(x, value.dtype), value)
    if value.type.shape != ():
        return broadcast_to(value, x.shape)
    dims, given = dimensions(x.shape)
    return apply(ops.fill, value, *given, shape=dims)


def like_shape(x: Tensor) -> list[Any]:
    """The dimensions of a tensor, those that only the graph knows as tensors."""
    return list(x.shape)


def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros of the shape (and dtype) of another tensor."""
    return _like(input, dtype, 0)


def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones of the shape (and dtype) of another tensor."""
    return _like(input, dtype, 1)


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = float32, name: str | None = None
) -> Any:
    """The identity matrix; as many of them as fill `batch_shape`, if it is given."""
    rows = not_negative(num_rows, "eye", "num_rows")
    columns = rows if num_columns is None else not_negative(num_columns, "eye", "num_columns")
    made = apply(ops.eye, rows=rows, columns=columns, dtype=as_dtype(dtype))
    if batch_shape is None:
        return made
    return broadcast_to(made, [*listed_shape(batch_shape), rows, columns])


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Any:
    """Numbers from `start` (0 by default) up to but not including `limit`, `delta` apart, which must not be 0."""
    return numbers(start, limit, delta, dtype)


def numbers(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, python: bool = False) -> Any:
    """A range; items of one that is `python` are Python's numbers where a loop finds them."""
    if limit is None:
        start, limit = 0, start
    given = [start, limit, delta]
    kind = as_dtype(dtype) if dtype is not None else result_dtype([_plain(v) for v in given])
    if kind is None:
        kind = operand([v for v in given if not isinstance(v, Tensor)]).dtype
        if builtins.any(isinstance(v, Tensor) and v.dtype.is_floating for v in given):
            kind = float32
    parts = [of_dtype(operand(v), kind) for v in given]
    values = [static_value(p) for p in parts]
    if values[2] is not None:
        ops.not_zero(values[2])
    count = None
    if builtins.all(v is not None for v in values):
        start, limit, delta = (v.item() for v in values)
        count = len(ops.arange(start, limit, delta, kind.dtype))
    return apply(ops.range_, *parts, count=count, dtype=kind, python=python)


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float) and not isinstance(value, np.generic) else operand(value)


def linspace(start: Any, stop: Any, num: int, name: str | None = None, axis: int = 0) -> Any:
    """`num` numbers from `start` to `stop`, both included; of tensors, along a new axis."""
    a, b = promote([operand(start), operand(stop)])
    if not a.dtype.is_floating:
        a, b = cast(a, "float64"), cast(b, "float64")
    return apply(ops.linspace, a, b, num=not_negative(num, "linspace", "num"), axis=int(axis))


def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: Any = None, dtype: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A new axis (the last by default) of `depth` elements: `on_value` at each index, elsewhere `off_value`."""
    depth = not_negative(depth, "one_hot", "depth")
    if on_value is None and off_value is None:
        result = apply(ops.one_hot, operand(indices), depth=depth, dtype=as_dtype(dtype or float32))
    else:
        both = [1 if on_value is None else on_value, 0 if off_value is None else off_value]
        if dtype is None and not builtins.any(isinstance(v, Tensor | np.ndarray | np.generic) for v in both):
            dtype = operand(both).dtype
        on, off = promote(both) if dtype is None else (cast(v, dtype) for v in both)
        hot = apply(ops.one_hot, operand(indices), depth=depth, dtype=bool_)
        result = apply(ew.where, hot, on, off)
    if axis is None or axis == -1:
        return result
    rank = len(result.shape)
    order = [*builtins.range(rank - 1)]
    order.insert(axis_of(int(axis), rank), rank - 1)
    return transpose(result, order)


def linalg_diag(diagonal: Any, name: str | None = None) -> Any:
    """The matrix with this diagonal; of a tensor, one for each vector of its last axis."""
    x = operand(diagonal)
    if len(x.shape) == 1:
        return apply(ops.diag, x)
    along = range(x.shape[-1])
    return apply(ew.where, along[:, None] == along, x[..., None], EagerTensor(np.zeros((), x.dtype.dtype)))
