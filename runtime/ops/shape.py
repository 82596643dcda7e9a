"""Making tensors, and changing their shape.

A shape given to an operation may hold dimensions known only at run time: the attribute `shape` then has None there, and
the dimensions follow as inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, SupportsInt

import numpy as np

from runtime.graph import shapes
from runtime.graph.dimensions import is_natural, largest, quotient
from runtime.graph.dtypes import DType, NumPyArray, NumPyDType, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Attributes, Node, TensorType
from runtime.graph.op import always, kernel, op, show_attribute, where_rank_is_known, where_shapes_are_known
from runtime.graph.shapes import Dim, Dims, axis_of


@kernel
def dims(shape: Sequence[int | None], given: Iterable[SupportsInt]) -> tuple[int, ...]:
    """A shape with its unknown dimensions filled in."""
    rest = iter(given)
    return tuple(int(next(rest)) if d is None else d for d in shape)


def show_shape(shape: Sequence[int | None], given: Sequence[str]) -> str:
    """A shape as code: ``(2, n)``."""
    rest = iter(given)
    parts = [next(rest) if d is None else str(d) for d in shape]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def with_sizes(shape: Sequence[int | None], given: Sequence[TensorType]) -> tuple[Dim, ...]:
    """A shape with what is known of its dimensions that are given as tensors."""
    sizes = iter([None if t.sizes is None else t.sizes[0] for t in given])
    return tuple(next(sizes) if d is None else d for d in shape)


_SHORT = 16  # elements of a constant that may be a shape


def _constant(*, value: NumPyArray, dtype: DType, weak: bool = False) -> TensorType:
    shape = np.shape(value)
    short = dtype.is_integer and (not shape or (len(shape) == 1 and shape[0] <= _SHORT))
    sizes = None
    if short:
        sizes = tuple(np.asarray(value).tolist()) if shape else (np.asarray(value).item(),)
    return TensorType(dtype, shape, weak, sizes)


def _is_array(node: Node) -> bool:
    return node.outputs[0].type.shape != ()


def _show_constant(_: Sequence[str], attributes: Attributes) -> str:
    value, dtype = attributes["value"], show_attribute(attributes["dtype"])
    if np.ndim(value) == 0:
        item = value.item() if hasattr(value, "item") else value
        return f"{dtype}({show_attribute(item)})" if dtype != "np.object_" else repr(item)
    return f"np.array({show_attribute(np.asarray(value).tolist())}, dtype={dtype})"


constant = op("constant", _constant, "{value}", tf="Const", render=_show_constant, total=always, shares=_is_array)


def _fill(value: TensorType, *given: TensorType, shape: Sequence[int | None]) -> TensorType:
    return TensorType(value.dtype, with_sizes(shape, given))


@kernel
def filled(value: object, *given: SupportsInt, shape: Sequence[int | None], dtype: object = None) -> object:
    return np.full(dims(shape, given), value, np.asarray(value).dtype)


fill = op(
    "fill", _fill, "filled({*}, shape={shape})", tf="Fill", takes_shape=True,
    render=lambda i, a: f"np.full({show_shape(a['shape'], i[1:])}, {i[0]})",
    raises=(ValueError("negative dimensions are not allowed"),),
)  # fmt: skip


def _reshape(x: TensorType, *given: TensorType, shape: Sequence[int | None]) -> TensorType:
    new = tuple(  # a number that turns out to be -1 stands for another
        n if n is None or d is not None or n == -1 or is_natural(n) else None
        for d, n in zip(shape, with_sizes(shape, given))
    )
    if -1 in new:
        total, others = shapes.elements(x.shape), shapes.elements(tuple(d for d in new if d != -1))
        if isinstance(total, int) and isinstance(others, int):
            rest: Dim = total // max(others, 1)
        else:  # it goes in without a rest, and is not zero, or the reshape fails
            rest = None if total is None or others is None or others == 0 else quotient(total, others)
        new = tuple(rest if d == -1 else d for d in new)
    if shapes.is_known(x.shape) and shapes.is_known(new):
        if shapes.product(x.shape) != shapes.product(new):
            raise ValueError(
                f"reshape of {shapes.show(x.shape)} to {tuple(shape)}: "
                f"{shapes.product(x.shape)} elements do not fill {shapes.product(new)}"
            )
    return TensorType(x.dtype, new)


@kernel
def reshaped(x: NumPyArray, *given: SupportsInt, shape: Sequence[int | None]) -> NumPyArray:
    return np.reshape(x, dims(shape, given))


def _surely_fills(node: Node) -> bool:
    """The sizes are known, and were compared."""
    return len(node.inputs) == 1 and where_shapes_are_known(node) and shapes.is_known(node.outputs[0].type.shape)


reshape = op(
    "reshape", _reshape, "reshaped({*}, shape={shape})", takes_shape=True, total=_surely_fills,
    render=lambda i, a: f"np.reshape({i[0]}, {show_shape(a['shape'], i[1:])})", shares=always,
    light=True,
    raises=(ValueError("cannot reshape array"),),
)  # fmt: skip


def _broadcast_to(x: TensorType, *given: TensorType, shape: Sequence[int | None]) -> TensorType:
    if x.shape is not None:
        pairs = zip(reversed(x.shape), reversed(shape))
        wrong = any(isinstance(a, int) and isinstance(b, int) and a not in (1, b) for a, b in pairs)
        if wrong or len(x.shape) > len(shape):
            raise ValueError(f"broadcast_to of {shapes.show(x.shape)} to {tuple(shape)}: it does not fit")
    return TensorType(x.dtype, with_sizes(shape, given))


@kernel
def broadcasted(x: NumPyArray, *given: SupportsInt, shape: Sequence[int | None]) -> object:
    return np.broadcast_to(x, dims(shape, given)).copy()


broadcast_to = op(
    "broadcast_to", _broadcast_to, "broadcasted({*}, shape={shape})", takes_shape=True, shares=always,
    render=lambda i, a: f"np.broadcast_to({i[0]}, {show_shape(a['shape'], i[1:])})", light=True,
    raises=(ValueError("operands could not be broadcast together with remapped shapes"),),
)  # fmt: skip


def _transpose(x: TensorType, *, axes: tuple[int, ...] | None) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, None)
    order = range(len(x.shape))[::-1] if axes is None else [axis_of(a, len(x.shape)) for a in axes]
    if sorted(order) != list(range(len(x.shape))):
        raise ValueError(f"transpose of {shapes.show(x.shape)} by {axes}: each axis must be named once")
    return TensorType(x.dtype, tuple(x.shape[a] for a in order))


transpose = op(
    "transpose", _transpose, "np.transpose({0}, {axes})", total=where_rank_is_known, shares=always, light=True
)


def _expand_dims(x: TensorType, *, axis: int) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, None)
    at = axis_of(axis, len(x.shape) + 1)
    return TensorType(x.dtype, (*x.shape[:at], 1, *x.shape[at:]))


expand_dims = op(
    "expand_dims", _expand_dims, "np.expand_dims({0}, {axis})", total=where_rank_is_known, shares=always, light=True
)


def _squeeze(x: TensorType, *, axis: tuple[int, ...] | None) -> TensorType:
    if x.shape is None or (axis is None and not shapes.is_known(x.shape)):
        return TensorType(x.dtype, None)
    gone = {i for i, d in enumerate(x.shape) if d == 1} if axis is None else {axis_of(a, len(x.shape)) for a in axis}
    if any(isinstance(x.shape[a], int) and x.shape[a] != 1 for a in gone):
        raise ValueError(f"squeeze of {shapes.show(x.shape)} along {axis}: only dimensions of size 1 can go")
    return TensorType(x.dtype, tuple(d for i, d in enumerate(x.shape) if i not in gone))


squeeze = op(
    "squeeze", _squeeze, "np.squeeze({0}, {axis})", total=where_shapes_are_known, shares=always, light=True,
    raises=(ValueError("cannot select an axis to squeeze out which has size not equal to one"),),
)  # fmt: skip


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
            if i != at and isinstance(a, int) and isinstance(b, int) and a != b:
                raise ValueError(
                    f"concat of {shapes.show(known[0])} and {shapes.show(shape)} along axis {at}: axis {i} differs"
                )
        joined = shapes.meet(shape, joined)
    total: Dim = 0
    for shape in known:
        total = None if total is None or (d := shape[at]) is None else total + d
    return TensorType(xs[0].dtype, tuple(total if i == at else d for i, d in enumerate(joined or ())))


concat = op(
    "concat",
    _concat,
    "np.concatenate(({*},), {axis})",
    tf="ConcatV2",
    total=where_shapes_are_known,
    raises=(ValueError("all the input array dimensions except for the concatenation axis must match exactly"),),
)


def _may_be_equal(a: tuple[Dim, ...], b: tuple[Dim, ...]) -> bool:
    pairs = [(m, n) for m, n in zip(a, b) if isinstance(m, int) and isinstance(n, int)]
    return len(a) == len(b) and all(m == n for m, n in pairs)


def _stack(*xs: TensorType, axis: int) -> TensorType:
    shape = xs[0].shape
    for x in xs[1:]:
        if x.shape is not None and shape is not None and not _may_be_equal(x.shape, shape):
            raise ValueError(f"stack of {shapes.show(shape)} and {shapes.show(x.shape)}: the shapes must be equal")
        shape = shapes.meet(x.shape, shape)  # they are equal, or it fails
    if shape is None:
        return TensorType(xs[0].dtype, None)
    at = axis_of(axis, len(shape) + 1)
    numbers = [x.sizes for x in xs] if not shape else []
    sizes = tuple(s[0] for s in numbers if s) if numbers and all(numbers) else None
    return TensorType(xs[0].dtype, (*shape[:at], len(xs), *shape[at:]), sizes=sizes)


stack = op(
    "stack",
    _stack,
    "np.stack(({*},), {axis})",
    tf="Pack",
    total=where_shapes_are_known,
    raises=(ValueError("all input arrays must have the same shape"),),
)


def _tile(x: TensorType, *, multiples: tuple[int, ...]) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, None)
    rank = max(len(x.shape), len(multiples))
    dims, counts = ((1,) * (rank - len(x.shape)) + x.shape), (1,) * (rank - len(multiples)) + tuple(multiples)
    return TensorType(x.dtype, tuple(None if d is None else d * m for d, m in zip(dims, counts)))


tile = op("tile", _tile, "np.tile({0}, {multiples})")


def _repeat(x: TensorType, *, repeats: int, axis: int | None) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, (None,) if axis is None else None)
    if axis is None:
        total = shapes.elements(x.shape)
        return TensorType(x.dtype, (None if total is None else total * repeats,))
    at = axis_of(axis, len(x.shape))
    return TensorType(x.dtype, tuple(d * repeats if i == at and d is not None else d for i, d in enumerate(x.shape)))


repeat = op("repeat", _repeat, "np.repeat({0}, {repeats}, {axis})")


def _pad(x: TensorType, *, paddings: Sequence[tuple[int, int]], **_: object) -> TensorType:
    if not paddings:
        raise TypeError("pad of a scalar: it has no border")
    if x.shape is None:
        return TensorType(x.dtype, None)
    if len(paddings) != len(x.shape):
        raise ValueError(f"pad of {shapes.show(x.shape)} by {paddings}: a pair of numbers for each axis is wanted")
    return TensorType(x.dtype, tuple(None if d is None else d + a + b for d, (a, b) in zip(x.shape, paddings)))


pad = op("pad", _pad, "np.pad({0}, {paddings}, mode='constant', constant_values={value})", tf="PadV2")


def _same(x: TensorType, **_: object) -> TensorType:
    return TensorType(x.dtype, x.shape)


def _along(x: TensorType, *, axis: int | tuple[int, ...] | None, **_: object) -> TensorType:
    """The same type, if there are such axes."""
    for a in axis if isinstance(axis, tuple) else () if axis is None or x.shape is None else (axis,):
        if x.shape is not None:
            axis_of(a, len(x.shape))
    return TensorType(x.dtype, x.shape)


def _backwards(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
    """``x[::-1]``, where the axes are counted from the first; NumPy's function takes ten times as long to do it."""
    axis = attributes["axis"]
    axes = axis if isinstance(axis, tuple) else (axis,)
    if not axes or len({*axes}) < len(axes) or not all(isinstance(a, int) and a >= 0 for a in axes):
        return f"np.flip({inputs[0]}, {axis!r})"
    return f"{inputs[0]}[{', '.join('::-1' if a in axes else ':' for a in range(max(axes) + 1))}]"


reverse = op("reverse", _along, "np.flip({0}, {axis})", tf="ReverseV2", shares=always, render=_backwards)
roll = op("roll", _along, "np.roll({0}, {shift}, {axis})")


def _ensured(x: TensorType, *, shape: Dims) -> TensorType:
    return TensorType(x.dtype, shapes.meet(shape, x.shape))


@kernel
def of_shape(x: NumPyArray, shape: Dims) -> object:
    if not shapes.fits(np.shape(x), shape):
        raise InvalidArgumentError(
            f"Shape of tensor {np.shape(x)} is not compatible with expected shape {shapes.show(shape)}."
        )
    return x


ensure_shape = op("ensure_shape", _ensured, "of_shape({0}, {shape})", shares=always)
identity = op("identity", _same, "{0}", total=always, shares=always, span=lambda x: x)
stop_gradient = op("stop_gradient", _same, "{0}", tf="StopGradient", total=always, shares=always)


def _first_ones(*xs: TensorType, count: int, gradient: object) -> TensorType | tuple[TensorType, ...]:
    types = tuple(TensorType(x.dtype, x.shape) for x in xs[:count])
    return types if count != 1 else types[0]


@kernel
def first_ones(*values: object, count: int) -> object:
    return values[:count] if count != 1 else values[0]


# Values whose gradient the program gives itself: it goes to the inputs behind them.
with_gradient = op(
    "custom_gradient", _first_ones, "first_ones({*}, count={count})", tf="IdentityN", total=always, shares=always
)


def _bits(x: TensorType, *, dtype: DType) -> TensorType:
    if not {x.dtype.name, dtype.name}.isdisjoint(("bool", "string")):
        raise TypeError(f"bitcast of {x.dtype.name} to {dtype.name}: only numbers are made of bits that others have")
    if x.shape is None or x.dtype.size == dtype.size:
        return TensorType(dtype, x.shape)
    ratio, rest = divmod(max(x.dtype.size, dtype.size), min(x.dtype.size, dtype.size))
    if x.dtype.size > dtype.size:
        return TensorType(dtype, (*x.shape, ratio))
    if rest or not x.shape or (isinstance(x.shape[-1], int) and x.shape[-1] != ratio):
        raise ValueError(
            f"bitcast of {x} to {dtype.name}, whose numbers are {ratio} times as large: "
            f"a last axis of size {ratio} is wanted"
        )
    return TensorType(dtype, x.shape[:-1])


@kernel
def bits_as(x: NumPyArray, dtype: Any) -> object:
    given = np.asarray(x)
    ratio = np.dtype(dtype).itemsize // given.dtype.itemsize
    if ratio > 1 and given.shape[-1:] != (ratio,):
        raise InvalidArgumentError(f"bitcast of {given.shape} to {np.dtype(dtype)}: a last axis of {ratio} is wanted")
    if ratio == 1:
        return given.view(dtype)[()]
    if ratio == 0:
        given = given[..., None]
    found = np.ascontiguousarray(given).view(dtype)
    return found[..., 0] if ratio > 1 else found


bitcast = op("bitcast", _bits, "bits_as({0}, {dtype})", shares=always)


def _shape(x: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, (None if x.shape is None else len(x.shape),), sizes=x.shape)


shape = op("shape", _shape, "np.array(np.shape({0}), dtype={dtype})", total=always)


def _size(x: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, (), sizes=(shapes.elements(x.shape),))


size = op("size", _size, "{dtype}(np.size({0}))", total=always)


def _rank(x: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, (), sizes=None if x.shape is None else (len(x.shape),))


rank = op("rank", _rank, "{dtype}(np.ndim({0}))", total=always)


def _length(x: TensorType, *, axis: int, dtype: DType, weak: bool = False) -> TensorType:
    return TensorType(dtype, (), weak, None if x.shape is None else (x.shape[axis],))


length = op("length", _length, "{dtype}(np.shape({0})[{axis}])", tf="StridedSlice", total=where_rank_is_known)


_LISTED = 32  # numbers of a range that are written down: as many as there are axes at most


def _range(
    start: TensorType, limit: TensorType, delta: TensorType, *, count: int | None, dtype: DType, python: bool = False
) -> TensorType:
    bounds = [(t.sizes or (None,))[0] for t in (start, limit, delta)]
    if all(isinstance(bound, int) for bound in bounds) and bounds[2]:
        numbers = range(*bounds)  # type: ignore[arg-type]
        known = tuple(numbers) if len(numbers) <= _LISTED and dtype.is_integer else None
        return TensorType(dtype, (len(numbers),), sizes=known)
    if count is not None or limit.dtype.size < 8 or start.sizes is None or limit.sizes is None or delta.sizes != (1,):
        return TensorType(dtype, (count,))
    first, last = start.sizes[0], limit.sizes[0]
    return TensorType(dtype, (None if first is None or last is None else largest(last - first, 0),))


def not_zero(delta: object) -> None:
    """Refuse a range whose numbers are not apart."""
    if delta == 0:
        error = InvalidArgumentError("range() arg 3 must not be zero")
        error.numpys = ValueError(str(error))
        raise error


@kernel
def arange(start: Any, limit: Any, delta: Any, dtype: type | NumPyDType) -> NumPyArray:
    """What `np.arange` makes, which counts integers in their own dtype or as floats, so that large ones get lost."""
    not_zero(delta)
    whole = all(np.issubdtype(np.asarray(x).dtype, np.integer) for x in (start, limit, delta))
    if whole:
        start, limit, delta = int(start), int(limit), int(delta)
    if abs(limit - start) >= 2**62 * abs(delta):
        if (limit > start) == (delta > 0):
            raise InvalidArgumentError(f"range({start}, {limit}, {delta}) has more numbers than any memory holds")
        return np.empty(0, dtype)
    if not whole or abs(limit - start) < 2**52:
        return np.arange(start, limit, delta, dtype=dtype)
    numbers = np.arange(len(range(start, limit, delta)), dtype=np.uint64)
    return (numbers * np.uint64(delta % 2**64) + np.uint64(start % 2**64)).astype(dtype)


range_ = op(
    "range",
    _range,
    "arange({0}, {1}, {2}, dtype={dtype})",
    tf="Range",
    raises=(ValueError("Maximum allowed size exceeded"),),
)


def _linspace(start: TensorType, stop: TensorType, *, num: int, axis: int) -> TensorType:
    around = shapes.broadcast(start.shape, stop.shape)
    if around is None:
        return TensorType(start.dtype, None)
    at = axis_of(axis, len(around) + 1)
    return TensorType(start.dtype, (*around[:at], num, *around[at:]))


linspace = op(
    "linspace", _linspace, "np.linspace({0}, {1}, {num}, axis={axis}).astype(np.asarray({0}).dtype)", tf="LinSpace"
)


def _eye(*, rows: int, columns: int, dtype: DType) -> TensorType:
    return TensorType(dtype, (rows, columns))


eye = op("eye", _eye, "np.eye({rows}, {columns}, dtype={dtype})", tf="MatrixDiagV3")


@kernel
def one_hot_of(indices: object, depth: int, dtype: object) -> object:
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
    return TensorType(x.dtype, (min(x.shape) if shapes.is_known(x.shape) else None,))


diag = op(
    "diag", _diag, "np.diag({0})",
    tf=lambda node: "MatrixDiagPartV3" if len(node.inputs[0].type.shape or ()) == 2 else "MatrixDiagV3",
    shares=always,
)  # fmt: skip


def _true_indices(x: TensorType) -> TensorType:
    return TensorType(int64, (None, None if x.shape is None else len(x.shape)))


nonzero = op("nonzero", _true_indices, "np.argwhere({0})", tf="Where")
