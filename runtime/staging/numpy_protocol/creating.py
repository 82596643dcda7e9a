"""What NumPy's functions that make arrays do where a size, or what they are to hold, is known only in the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import StagingError, refused
from autograph.reading import is_a
from runtime.control.lists import TensorList
from runtime.control.one_array import unless_empty
from runtime.graph.dtypes import as_dtype
from runtime.graph.owner import Owner
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew
from runtime.staging.numpy_protocol import shapes  # noqa: F401 - registers what is joined
from runtime.staging.numpy_protocol.joining import common_dims, common_shape
from runtime.staging.numpy_protocol.meanings import FUNCTIONS, MAKERS, Meaning, means, operand
from runtime.tensors import conversion, making, mathematics, reductions, shaping
from runtime.tensors.conversion import cast
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.numbers import Range
from runtime.tensors.operations import apply
from runtime.tensors.python_errors import refuse_where
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import DTypeLike, ShapeLike, Size, TensorLike


def makes(*functions: object) -> Callable[[Callable[..., object]], Callable[..., Any]]:
    """Register what functions make that NumPy's protocols do not pass on: calls of them are met by name."""

    def register(does: Callable[..., object]) -> Callable[..., object]:
        MAKERS.update({function: Meaning(function, does) for function in functions})
        return does

    return register


def sizes(shape: ShapeLike) -> list[Size]:
    """A shape as it was given, one number for a single dimension; raises as NumPy does for what is no size."""
    if isinstance(shape, Tensor) and len(shape.shape) == 1:
        count = making.like_shape(shape)[0]
        if not isinstance(count, int):
            raise refused(TypeError("a shape of which only the graph knows how many dimensions it has has no meaning"))
        given: list[Any] = [shape[i] for i in range(count)]
    else:
        given = [*shape] if np.iterable(shape) and not isinstance(shape, Tensor) else [shape]
    for size in given:
        if isinstance(size, Tensor):
            if not size.dtype.is_integer or size.shape.rank != 0:
                kind = f"numpy.{size.dtype.name}" if not size.type.weak else "float"
                raise TypeError(f"'{kind}' object cannot be interpreted as an integer: {size}")
        elif size.__index__() < 0:
            raise ValueError("negative dimensions are not allowed")
    return given


def filled(shape: ShapeLike, value: object, dtype: DTypeLike) -> Tensor:
    """An array of one element, repeated."""
    element = EagerTensor(np.asarray(value, as_dtype(np.dtype(dtype)).dtype))
    dims = sizes(shape)
    return making.fill(dims, element) if dims else shaping.identity(element)


def _blank(value: int) -> Callable[..., object]:
    def meaning(shape: ShapeLike, dtype: DTypeLike | None = None, order: str = "C") -> object:
        _check_order(order)
        return filled(shape, value, float if dtype is None else dtype)

    return meaning


def _check_order(order: str) -> None:
    if order not in ("C", "F"):
        raise ValueError(f"only 'C' or 'F' order is permitted (got {order!r})")


makes(np.zeros, np.empty)(_blank(0))
makes(np.ones)(_blank(1))


@makes(np.ndarray)
def _ndarray(shape: ShapeLike, dtype: DTypeLike = float) -> object:
    return filled(shape, 0, dtype)


@makes(np.full)
def _full(shape: ShapeLike, fill_value: object, dtype: DTypeLike | None = None, order: str = "C") -> Tensor:
    _check_order(order)
    value = operand(fill_value)
    value = cast(value, value.dtype.dtype if dtype is None else np.dtype(dtype))
    dims = sizes(shape)
    return shaping.broadcast_to(value, dims) if len(value.shape) or not dims else making.fill(dims, value)


@means(np.empty_like)
def _empty_like(
    prototype: object, dtype: DTypeLike | None = None, order: str = "K", *, shape: ShapeLike | None = None
) -> object:
    return FUNCTIONS[np.zeros_like](prototype, dtype, order, shape=shape)


def _triangle_of(
    rows: Size, columns: Size, k: Size, holds: Callable[[Tensor, Size], Tensor], dtype: DTypeLike
) -> Tensor:
    first = making.range(rows, dtype=np.int64)[:, None]
    second = making.range(columns, dtype=np.int64)[None, :]
    return cast(holds(second - first, k), np.dtype(dtype))


@makes(np.eye)
def _eye(N: Size, M: Size | None = None, k: Size = 0, dtype: DTypeLike = float, order: str = "C") -> Tensor:
    _check_order(order)
    rows, columns = sizes([N, N if M is None else M])
    for size in (rows, columns):
        _refuse_negative(size, "negative dimensions are not allowed")
    return _triangle_of(rows, columns, k, lambda place, k: place == k, dtype)


@makes(np.identity)
def _identity(n: Size, dtype: DTypeLike | None = None) -> Tensor:
    return _eye(n, dtype=float if dtype is None else dtype)


@makes(np.tri)
def _tri(N: Size, M: Size | None = None, k: Size = 0, dtype: DTypeLike = float) -> Tensor:
    rows, columns = sizes([N, N if M is None else M])
    return _triangle_of(rows, columns, k, lambda place, k: place <= k, dtype)


@makes(np.arange)
def _arange(
    *bounds: object,
    start: object = None,
    stop: object = None,
    step: object = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    named = [n for n in (start, stop, step)[len(bounds) :]]
    start, stop, step = [*bounds, *named]
    if stop is None:
        start, stop = 0, start
    given = [0 if start is None else start, stop, 1 if step is None else step]
    for value in given:
        if isinstance(value, Tensor) and value.shape.rank not in (None, 0):
            raise TypeError(f"only 0-dimensional arrays can be converted to Python scalars: {value}")
    kind = np.arange(*map(_example, given)).dtype if dtype is None else np.dtype(dtype)
    values = [v if isinstance(v, Tensor) else operand(v) for v in given]
    first, end, by = (cast(v, np.result_type(kind, np.int64) if kind.kind in "iub" else v.dtype) for v in values)
    if kind.kind in "iu" and all(v.dtype.is_integer for v in values):
        return cast(making.range(first, end, by, dtype=np.int64), kind)
    first, end, by = (cast(v, np.float64) for v in (first, end, by))
    count = mathematics.maximum(cast(mathematics.ceil((end - first) / by), np.int64), 0)
    first, by = cast(first, kind), cast(first + by, kind) - cast(first, kind)
    return first + cast(making.range(count, dtype=np.int64), kind) * by


def _example(value: object) -> Any:
    """A number, or an array, of the same dtype: NumPy says what it makes of those."""
    if not isinstance(value, Tensor):
        return value
    one = np.ones((), value.type.dtype.dtype)
    return one.item() if value.type.weak else one


def _refuse_negative(size: Any, message: str) -> None:
    """Raise ValueError for a number below 0, as a graph would if only it knows: a range would be an empty one."""

    def refuse() -> None:
        raise ValueError(message)

    refuse_where(size < 0, refuse)


@means(np.linspace)
def _linspace(
    start: TensorLike,
    stop: TensorLike,
    num: Size = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor | tuple[Tensor, Tensor]:
    num = num if isinstance(num, Tensor) else num.__index__()
    _refuse_negative(
        num, f"Number of samples, {num if isinstance(num, int) else 'of the graph'}, must be non-negative."
    )
    kind = np.linspace(_example(start), _example(stop), 2).dtype
    first, last = (cast(operand(v), kind) for v in (start, stop))
    between = num - 1 if endpoint else num
    apart = last - first
    dims = [-1] + [1] * len(apart.shape)
    numbers = making.range(num, dtype=np.int64)
    places = shaping.reshape(cast(numbers, kind), dims)
    if isinstance(between, int):
        parts: Tensor = EagerTensor(np.asarray(max(between, 1), kind))
    else:
        parts = cast(mathematics.maximum(between, 1), kind)
    step = apart / parts
    flat = mathematics.equal(step, 0)
    flat = reductions.reduce_any(flat) if len(apart.shape) else flat
    made = mathematics.where(flat, places / parts * apart, places * step) + first
    if endpoint:
        at_end = shaping.reshape(mathematics.logical_and(numbers == num - 1, numbers > 0), dims)
        made = mathematics.where(at_end, last, made)
    if dtype is not None:
        made = cast(mathematics.floor(made) if np.issubdtype(dtype, np.integer) else made, np.dtype(dtype))
    whole = FUNCTIONS[np.moveaxis](made, 0, axis) if axis_of(axis, len(made.shape)) else made
    if not retstep:
        return whole
    nothing = cast(operand(np.nan), kind)  # there is no step between fewer than two
    if isinstance(between, int):
        return whole, step if between > 0 else nothing
    return whole, mathematics.where(between > 0, step, nothing)


makes(np.linspace)(_linspace)


@means(np.logspace)
def _logspace(
    start: TensorLike,
    stop: TensorLike,
    num: Size = 50,
    endpoint: bool = True,
    base: TensorLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    exponents = _linspace(start, stop, num, endpoint, axis=axis)
    made = (
        base**exponents
        if not isinstance(base, int | float)
        else apply(ew.power, *conversion.promote([base, exponents]))
    )
    return made if dtype is None else cast(made, np.dtype(dtype))


makes(np.logspace)(_logspace)


@means(np.geomspace)
def _geomspace(
    start: TensorLike, stop: TensorLike, num: Size = 50, endpoint: bool = True, dtype: DTypeLike | None = None
) -> Tensor:
    first, last = operand(start), operand(stop)
    if first.dtype.is_complex or last.dtype.is_complex or len(first.shape) or len(last.shape):
        raise refused(TypeError("np.geomspace of complex numbers or arrays has no staged meaning: use np.logspace"))
    kind = np.geomspace(_example(start), _example(stop), 2).dtype
    first, last = cast(first, kind), cast(last, kind)
    sign = mathematics.sign(first)
    logs = (apply(ew.log10, v / sign) for v in (first, last))
    made = _logspace(*logs, num=num, endpoint=endpoint)
    numbers = making.range(num, dtype=np.int64)
    made = mathematics.where(numbers == 0, first / sign, made)
    if endpoint:
        made = mathematics.where(mathematics.logical_and(numbers == num - 1, numbers > 0), last / sign, made)
    return cast(made * sign, kind if dtype is None else np.dtype(dtype))


makes(np.geomspace)(_geomspace)


@means(np.meshgrid)
def _mesh(*xi: object, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Tensor, ...]:
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    rows = [shaping.reshape(operand(x), [-1]) for x in xi]
    count = len(rows)
    places = [*range(count)]
    if indexing == "xy" and count > 1:
        places[0], places[1] = 1, 0
    made = [x[(*[None] * at, slice(None), *[None] * (count - 1 - at))] for x, at in zip(rows, places)]
    if sparse or not made:
        return tuple(made)
    dims = common_shape(made)
    return tuple(shaping.identity(shaping.broadcast_to(x, dims)) for x in made)


@makes(np.indices)
def _indices(dimensions: ShapeLike, dtype: DTypeLike = int, sparse: bool = False) -> Tensor | tuple[Tensor, ...]:
    dims = sizes(dimensions)
    rows = [cast(making.range(n, dtype=np.int64), np.dtype(dtype)) for n in dims]
    made = [x[(*[None] * at, slice(None), *[None] * (len(dims) - 1 - at))] for at, x in enumerate(rows)]
    return tuple(made) if sparse else shaping.stack([shaping.broadcast_to(x, dims) for x in made], 0)


def array(
    object: object, dtype: DTypeLike | None = None, *, copy: bool | None = True, order: str = "K", ndmin: int = 0
) -> Any:
    """An array of its own of what holds values of the graph."""
    if is_a(object, (dict, set, frozenset)):
        kind = type(object).__name__
        raise StagingError(f"np.array of a {kind} has no staged meaning: make a list of its values, or of its keys.")
    if is_a(object, Range):
        raise StagingError("np.array of a range that only the graph knows has no staged meaning: write np.arange(...).")
    if isinstance(object, TensorList) and (dtype is None or not object.is_of_numbers()):
        return unless_empty(
            object,
            lambda: object.arrayed(_array_of(object, dtype, copy, ndmin)),
            lambda: np.array([], dtype, copy=copy, ndmin=ndmin),  # type: ignore[call-overload]
        )
    return _array_of(object, dtype, copy, ndmin)


def _array_of(object: object, dtype: DTypeLike | None, copy: bool | None, ndmin: int) -> Tensor:
    x = operand(object)
    x = cast(x, x.type.dtype.dtype if dtype is None else np.dtype(dtype))
    if copy is False and isinstance(object, Tensor) is False:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    missing = ndmin - len(x.shape) if ndmin else 0
    x = x[(None,) * missing] if missing > 0 else x
    return shaping.identity(x) if copy or x is object else x


makes(np.array)(array)


@makes(np.ascontiguousarray, np.asfortranarray)
def _with_layout(a: object, dtype: DTypeLike | None = None) -> Tensor:
    made = _as_array(a, dtype)
    return shaping.reshape(made, [1]) if made.shape.rank == 0 else made


@makes(np.asarray, np.asanyarray, np.asarray_chkfinite)
def _as_array(a: object, dtype: DTypeLike | None = None, order: str = "K", *, copy: bool | None = None) -> Tensor:
    is_array = isinstance(a, Tensor) and owner_of(a) in (Owner.TENSOR, Owner.ARRAY) and not is_a(a, Range)
    if isinstance(a, Tensor) and is_array and (dtype is None or np.dtype(dtype) == a.dtype.dtype) and not copy:
        return a
    return array(a, dtype, copy=copy)


def _triangle_indices(upper: bool) -> Callable[..., object]:
    def meaning(n: Size, k: Size = 0, m: Size | None = None) -> tuple[Tensor, ...]:
        lower = _tri(n, m, k - 1 if upper else k, np.bool)
        return FUNCTIONS[np.nonzero](mathematics.logical_not(lower) if upper else lower)

    return meaning


makes(np.triu_indices)(_triangle_indices(True))
makes(np.tril_indices)(_triangle_indices(False))


def _indices_from(upper: bool) -> Callable[..., object]:
    def meaning(arr: object, k: Size = 0) -> object:
        x = operand(arr)
        if len(x.shape) != 2:
            raise ValueError("input array must be 2-d")
        rows, columns = making.like_shape(x)
        if isinstance(rows, int) and isinstance(columns, int) and not isinstance(k, Tensor):
            return (np.triu_indices if upper else np.tril_indices)(rows, k, columns)
        return _triangle_indices(upper)(rows, k, columns)

    return meaning


MAKERS.update({function: FUNCTIONS[function] for function in (np.concatenate, np.concat, np.full_like)})
means(np.triu_indices_from)(_indices_from(True))
means(np.tril_indices_from)(_indices_from(False))


@makes(np.diag_indices)
def _diagonal_indices(n: Size, ndim: int = 2) -> tuple[Tensor, ...]:
    return (making.range(sizes(n)[0], dtype=np.int64),) * ndim


@means(np.diag_indices_from)
def _diagonal_indices_from(arr: object) -> tuple[Tensor, ...]:
    dims = making.like_shape(operand(arr))
    if len(dims) < 2:
        raise ValueError("input array must be at least 2-d")
    if len({d for d in dims if isinstance(d, int)}) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return _diagonal_indices(dims[0], len(dims))


def _frequencies(real: bool) -> Callable[..., object]:
    def meaning(n: Size, d: float | Tensor = 1.0) -> Tensor:
        if isinstance(n, Tensor) and not n.dtype.is_integer:
            raise ValueError("n should be an integer")
        share = 1.0 / (n * d)
        if real:
            return cast(making.range(n // 2 + 1, dtype=np.int64), np.float64) * share
        places = making.range(n, dtype=np.int64)
        return cast(mathematics.where(places < (n - 1) // 2 + 1, places, places - n), np.float64) * share

    return meaning


makes(np.fft.fftfreq)(_frequencies(False))
makes(np.fft.rfftfreq)(_frequencies(True))


@makes(np.broadcast_shapes)
def _broadcast_shapes(*args: Any) -> tuple[Size, ...]:
    return tuple(common_dims([[*shape] if np.iterable(shape) else [shape] for shape in args]))
