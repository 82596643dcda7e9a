"""Making tensors, and changing their shape.

A shape given to an operation may hold dimensions known only at run time: the attribute `shape` then has None there, and
the dimensions follow as inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime import shapes
from runtime.dtypes import DType, int64
from runtime.errors import InvalidArgumentError
from runtime.graph import TensorType
from runtime.ops.op import kernel, op, show_attribute
from runtime.shapes import Dims, axis_of

Attributes = Mapping[str, Any]


@kernel
def dims(shape: Sequence[int | None], given: Iterable[Any]) -> tuple[int, ...]:
    """A shape with its unknown dimensions filled in."""
    rest = iter(given)
    return tuple(int(next(rest)) if d is None else d for d in shape)


def show_shape(shape: Sequence[int | None], given: Sequence[str]) -> str:
    """A shape as code: ``(2, n)``."""
    rest = iter(given)
    parts = [next(rest) if d is None else str(d) for d in shape]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _known(shape: Sequence[int | None]) -> Dims:
    return tuple(None if d is None else d for d in shape)


def _constant(*, value: Any, dtype: DType) -> TensorType:
    return TensorType(dtype, np.shape(value))


def _show_constant(_: Sequence[str], attributes: Attributes) -> str:
    value, dtype = attributes["value"], show_attribute(attributes["dtype"])
    if np.ndim(value) == 0:
        item = value.item() if hasattr(value, "item") else value
        return f"{dtype}({_literal(item)})" if dtype != "np.object_" else repr(item)
    return f"np.array({_literal(np.asarray(value).tolist())}, dtype={dtype})"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if not isinstance(value, float) or np.isfinite(value):
        return repr(value)
    return "np.nan" if np.isnan(value) else "np.inf" if value > 0 else "-np.inf"


constant = op("constant", _constant, "{value}", tf="Const", render=_show_constant)


def _fill(value: TensorType, *_: TensorType, shape: Sequence[int | None]) -> TensorType:
    return TensorType(value.dtype, _known(shape))


@kernel
def filled(value: Any, *given: Any, shape: Any, dtype: Any = None) -> Any:
    return np.full(dims(shape, given), value, np.asarray(value).dtype)


fill = op(
    "fill", _fill, "filled({*}, shape={shape})", tf="Fill",
    render=lambda i, a: f"np.full({show_shape(a['shape'], i[1:])}, {i[0]})",
)  # fmt: skip


def _reshape(x: TensorType, *_: TensorType, shape: Sequence[int | None]) -> TensorType:
    new = _known(shape)
    assert new is not None
    if -1 in new:
        others = [d for d in new if d != -1]
        known = x.shape is not None and None not in x.shape and None not in others
        rest = shapes.product(x.shape or ()) // max(shapes.product(others), 1) if known else None
        new = tuple(rest if d == -1 else d for d in new)
    if x.shape is not None and None not in x.shape and None not in new:
        if shapes.product(x.shape) != shapes.product(new):
            raise ValueError(
                f"reshape of {shapes.show(x.shape)} to {tuple(shape)}: "
                f"{shapes.product(x.shape)} elements do not fill {shapes.product(new)}"
            )
    return TensorType(x.dtype, new)


@kernel
def reshaped(x: Any, *given: Any, shape: Any) -> Any:
    return np.reshape(x, dims(shape, given))


reshape = op(
    "reshape", _reshape, "reshaped({*}, shape={shape})",
    render=lambda i, a: f"np.reshape({i[0]}, {show_shape(a['shape'], i[1:])})",
)  # fmt: skip


def _broadcast_to(x: TensorType, *_: TensorType, shape: Sequence[int | None]) -> TensorType:
    return TensorType(x.dtype, _known(shape))


@kernel
def broadcasted(x: Any, *given: Any, shape: Any) -> Any:
    return np.broadcast_to(x, dims(shape, given)).copy()


broadcast_to = op(
    "broadcast_to", _broadcast_to, "broadcasted({*}, shape={shape})",
    render=lambda i, a: f"np.broadcast_to({i[0]}, {show_shape(a['shape'], i[1:])})",
)  # fmt: skip


def _transpose(x: TensorType, *, axes: tuple[int, ...] | None) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, None)
    order = range(len(x.shape))[::-1] if axes is None else [axis_of(a, len(x.shape)) for a in axes]
    if sorted(order) != list(range(len(x.shape))):
        raise ValueError(f"transpose of {shapes.show(x.shape)} by {axes}: each axis must be named once")
    return TensorType(x.dtype, tuple(x.shape[a] for a in order))


transpose = op("transpose", _transpose, "np.transpose({0}, {axes})")


def _expand_dims(x: TensorType, *, axis: int) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, None)
    at = axis_of(axis, len(x.shape) + 1)
    return TensorType(x.dtype, (*x.shape[:at], 1, *x.shape[at:]))


expand_dims = op("expand_dims", _expand_dims, "np.expand_dims({0}, {axis})")


def _squeeze(x: TensorType, *, axis: tuple[int, ...] | None) -> TensorType:
    if x.shape is None or (axis is None and None in x.shape):
        return TensorType(x.dtype, None)
    gone = {i for i, d in enumerate(x.shape) if d == 1} if axis is None else {axis_of(a, len(x.shape)) for a in axis}
    if any(x.shape[a] not in (1, None) for a in gone):
        raise ValueError(f"squeeze of {shapes.show(x.shape)} along {axis}: only dimensions of size 1 can go")
    return TensorType(x.dtype, tuple(d for i, d in enumerate(x.shape) if i not in gone))


squeeze = op("squeeze", _squeeze, "np.squeeze({0}, {axis})")


def _concat(*xs: TensorType, axis: int) -> TensorType:
    known = [x.shape for x in xs if x.shape is not None]
    if len(known) < len(xs):
        return TensorType(xs[0].dtype, None)
    if len({len(s) for s in known}) > 1 or not known[0]:
        raise ValueError(f"concat of {', '.join(shapes.show(s) for s in known)}: all need the same rank, at least 1")
    at = axis_of(axis, len(known[0]))
    joined: Dims = known[0]
    for shape in known[1:]:
        for i, (a, b) in enumerate(zip(known[0], shape)):
            if i != at and None not in (a, b) and a != b:
                raise ValueError(
                    f"concat of {shapes.show(known[0])} and {shapes.show(shape)} along axis {at}: axis {i} differs"
                )
        joined = tuple(b if a is None else a for a, b in zip(joined or (), shape))
    total = None if any(s[at] is None for s in known) else sum(s[at] or 0 for s in known)
    return TensorType(xs[0].dtype, tuple(total if i == at else d for i, d in enumerate(joined or ())))


concat = op("concat", _concat, "np.concatenate(({*},), {axis})", tf="ConcatV2")


def _stack(*xs: TensorType, axis: int) -> TensorType:
    shape = xs[0].shape
    for x in xs[1:]:
        if x.shape is not None and shape is not None and len(x.shape) != len(shape):
            raise ValueError(f"stack of {shapes.show(shape)} and {shapes.show(x.shape)}: the shapes must be equal")
        shape = shapes.join(shape, x.shape)
    if shape is None:
        return TensorType(xs[0].dtype, None)
    at = axis_of(axis, len(shape) + 1)
    return TensorType(xs[0].dtype, (*shape[:at], len(xs), *shape[at:]))


stack = op("stack", _stack, "np.stack(({*},), {axis})", tf="Pack")


def _tile(x: TensorType, *, multiples: tuple[int, ...]) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, None)
    return TensorType(x.dtype, tuple(None if d is None else d * m for d, m in zip(x.shape, multiples)))


tile = op("tile", _tile, "np.tile({0}, {multiples})")


def _repeat(x: TensorType, *, repeats: int, axis: int | None) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, (None,) if axis is None else None)
    if axis is None:
        return TensorType(x.dtype, (None if None in x.shape else shapes.product(x.shape) * repeats,))
    at = axis_of(axis, len(x.shape))
    return TensorType(x.dtype, tuple(d * repeats if i == at and d is not None else d for i, d in enumerate(x.shape)))


repeat = op("repeat", _repeat, "np.repeat({0}, {repeats}, {axis})")


def _pad(x: TensorType, *, paddings: Sequence[tuple[int, int]], **_: Any) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, None)
    return TensorType(x.dtype, tuple(None if d is None else d + a + b for d, (a, b) in zip(x.shape, paddings)))


pad = op("pad", _pad, "np.pad({0}, {paddings}, mode='constant', constant_values={value})", tf="PadV2")


def _same(x: TensorType, **_: Any) -> TensorType:
    return TensorType(x.dtype, x.shape)


reverse = op("reverse", _same, "np.flip({0}, {axis})", tf="ReverseV2")
roll = op("roll", _same, "np.roll({0}, {shift}, {axis})")


def _ensured(x: TensorType, *, shape: Dims) -> TensorType:
    return TensorType(x.dtype, shape)


@kernel
def of_shape(x: Any, shape: Dims) -> Any:
    if not shapes.fits(np.shape(x), shape):
        raise InvalidArgumentError(
            f"Shape of tensor {np.shape(x)} is not compatible with expected shape {shapes.show(shape)}."
        )
    return x


ensure_shape = op("ensure_shape", _ensured, "of_shape({0}, {shape})")
identity = op("identity", _same, "{0}")


def _shape(x: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, (None if x.shape is None else len(x.shape),))


shape = op("shape", _shape, "np.array(np.shape({0}), dtype={dtype})")


def _scalar(_: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, ())


size = op("size", _scalar, "{dtype}(np.size({0}))")
rank = op("rank", _scalar, "{dtype}(np.ndim({0}))")


def _length(_: TensorType, *, axis: int, dtype: DType) -> TensorType:
    return TensorType(dtype, ())


length = op("length", _length, "{dtype}(np.shape({0})[{axis}])", tf="StridedSlice")


def _range(start: TensorType, limit: TensorType, delta: TensorType, *, count: int | None, dtype: DType) -> TensorType:
    return TensorType(dtype, (count,))


range_ = op("range", _range, "np.arange({0}, {1}, {2}, dtype={dtype})", tf="Range")


def _linspace(start: TensorType, stop: TensorType, *, num: int) -> TensorType:
    return TensorType(start.dtype, (num,))


linspace = op("linspace", _linspace, "np.linspace({0}, {1}, {num}).astype(np.asarray({0}).dtype)", tf="LinSpace")


def _eye(*, rows: int, columns: int, dtype: DType) -> TensorType:
    return TensorType(dtype, (rows, columns))


eye = op("eye", _eye, "np.eye({rows}, {columns}, dtype={dtype})", tf="MatrixDiagV3")


@kernel
def one_hot_of(indices: Any, depth: int, dtype: Any) -> Any:
    return (np.asarray(indices)[..., None] == np.arange(depth)).astype(dtype)


def _one_hot(x: TensorType, *, depth: int, dtype: DType) -> TensorType:
    return TensorType(dtype, None if x.shape is None else (*x.shape, depth))


one_hot = op("one_hot", _one_hot, "one_hot_of({0}, {depth}, {dtype})")

triu = op("triu", _same, "np.triu({0}, {k})", tf="MatrixBandPart")
tril = op("tril", _same, "np.tril({0}, {k})", tf="MatrixBandPart")


def _diag(x: TensorType) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, None)
    if len(x.shape) == 1:
        return TensorType(x.dtype, (x.shape[0], x.shape[0]))
    known = [d for d in x.shape if d is not None]
    return TensorType(x.dtype, (min(known) if len(known) == 2 else None,))


diag = op("diag", _diag, "np.diag({0})")


def _true_indices(x: TensorType) -> TensorType:
    return TensorType(int64, (None, None if x.shape is None else len(x.shape)))


nonzero = op("nonzero", _true_indices, "np.argwhere({0})", tf="Where")
