"""What NumPy's functions of neighbouring elements do with tensors: differences, convolutions, polynomials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew
from runtime.staging.numpy_protocol.joining import along, flat, joined
from runtime.staging.numpy_protocol.meanings import FUNCTIONS, means, need, operand
from runtime.tensors import making, mathematics, parts, reductions, shaping
from runtime.tensors.conversion import cast, promote, static_value
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, TensorLike


@means(np.diff)
def _diff(a: object, n: int = 1, axis: int = -1, prepend: object = np._NoValue, append: object = np._NoValue) -> object:  # type: ignore[attr-defined]
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    x = operand(a)
    rank = len(x.shape)
    if rank == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    at = axis_of(axis, rank)
    ends = [_end(e, x, at) for e in (prepend, append)]
    if ends != [None, None]:
        x = joined([v for v in (ends[0], x, ends[1]) if v is not None], at)
    op = ew.not_equal if x.dtype.is_bool else ew.subtract
    for _ in range(n):
        x = apply(op, along(x, at, slice(1, None)), along(x, at, slice(None, -1)))
    return x


def _end(value: object, x: Tensor, axis: int) -> Tensor | None:
    if value is np._NoValue:  # type: ignore[attr-defined]
        return None
    end = operand(value)
    if len(end.shape):
        return end
    dims = making.like_shape(x)
    dims[axis] = 1
    return shaping.broadcast_to(end, dims)


@means(np.ediff1d)
def _differences(ary: object, to_end: object = None, to_begin: object = None) -> Tensor:
    x = flat(ary)
    made = [apply(ew.subtract, x[1:], x[:-1])]
    given: tuple[tuple[str, Any], ...] = (("to_end", to_end), ("to_begin", to_begin))
    for name, value in given:
        if value is None:
            continue
        end = flat(value)
        number = isinstance(value, bool | int | float | complex)
        if not np.can_cast(np.min_scalar_type(value) if number else end.dtype.dtype, x.dtype.dtype, "same_kind"):
            raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
        made.insert(len(made) if name == "to_end" else 0, cast(end, x.dtype))
    return shaping.concat(made, 0) if len(made) > 1 else made[0]


@means(np.gradient)
def _gradient(f: object, *varargs: TensorLike, axis: AxisLike = None, edge_order: int = 1) -> object:
    x = operand(f)
    rank = len(x.shape)
    where = reductions.axes(axis)
    axes = (
        [*range(rank)]
        if where is None
        else [axis_of(a, rank) for a in (where if isinstance(where, tuple) else (where,))]
    )
    steps = _steps(x, axes, varargs)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if x.dtype.is_integer:
        x = cast(x, np.float64)
    made = [_slope(x, at, step, edge_order) for at, step in zip(axes, steps)]
    return made[0] if len(made) == 1 else tuple(made)


def _steps(x: Tensor, axes: list[int], given: Any) -> list[Any]:
    """The distance between elements along each axis: a number, or the distances one by one."""
    if not given:
        return [1.0] * len(axes)
    if len(given) == 1 and (isinstance(given[0], int | float) or len(operand(given[0]).shape) == 0):
        return [given[0]] * len(axes)
    if len(given) != len(axes):
        raise TypeError("invalid number of arguments")
    steps: list[object] = []
    for at, distance in zip(axes, given):
        if isinstance(distance, int | float):
            steps.append(distance)
            continue
        places = operand(distance)
        if len(places.shape) > 1:
            raise ValueError("distances must be either scalars or 1d")
        size, count = making.like_shape(x)[at], making.like_shape(places)[0] if len(places.shape) else None
        if count is not None:
            message = "when 1d, distances must match the length of the corresponding dimension"
            need(size == count, ValueError(message))
        steps.append(places if count is None else _apart(distance, places))
    return steps


def _apart(given: object, places: Tensor) -> Tensor | float:
    """The distances between places; a number if they are known to be the same."""
    known = None if isinstance(given, Tensor) else static_value(places)
    if known is None:
        return _diff(cast(places, np.float64) if places.dtype.is_integer else places)
    apart = np.diff(known.astype(np.float64) if known.dtype.kind in "iu" else known)
    return apart[0] if apart.size and (apart == apart[0]).all() else operand(apart)


def _slope(x: Tensor, at: int, step: Tensor | float, edge_order: int) -> Tensor:
    size = making.like_shape(x)[at]
    message = (
        "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required."
    )
    need(size >= edge_order + 1, ValueError(message))

    def part(start: int | None, stop: int | None) -> Tensor:
        return along(x, at, slice(start, stop))

    if not isinstance(step, Tensor) or not len(step.shape):
        inner = (part(2, None) - part(None, -2)) / (2.0 * step)
        if edge_order == 1:
            first, last = (part(1, 2) - part(0, 1)) / step, (part(-1, None) - part(-2, -1)) / step
        else:
            first = (-1.5 / step) * part(0, 1) + (2.0 / step) * part(1, 2) + (-0.5 / step) * part(2, 3)
            last = (0.5 / step) * part(-3, -2) + (-2.0 / step) * part(-2, -1) + (1.5 / step) * part(-1, None)
    else:
        inner, first, last = _uneven(part, step, (-1,) + (1,) * (len(x.shape) - 1 - at), edge_order)
    return cast(shaping.concat([first, inner, last], at), x.dtype if not x.dtype.is_bool else np.float64)


def _uneven(
    part: Callable[[int | None, int | None], Tensor], step: Tensor, dims: tuple[int, ...], edge_order: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The slope between elements whose distances differ; where they happen not to, as NumPy has it then."""
    dx1, dx2 = (shaping.reshape(step[s], dims) for s in (slice(None, -1), slice(1, None)))
    a, b, c = -dx2 / (dx1 * (dx1 + dx2)), (dx2 - dx1) / (dx1 * dx2), dx1 / (dx2 * (dx1 + dx2))
    inner = a * part(None, -2) + b * part(1, -1) + c * part(2, None)
    if edge_order == 1:
        return inner, (part(1, 2) - part(0, 1)) / step[0], (part(-1, None) - part(-2, -1)) / step[-1]
    d, e = step[0], step[1]
    first = (
        -(2.0 * d + e) / (d * (d + e)) * part(0, 1) + (d + e) / (d * e) * part(1, 2) + -d / (e * (d + e)) * part(2, 3)
    )
    d, e = step[-2], step[-1]
    last = (
        e / (d * (d + e)) * part(-3, -2)
        + -(e + d) / (d * e) * part(-2, -1)
        + (2.0 * e + d) / (e * (d + e)) * part(-1, None)
    )
    return inner, first, last


def _trapezoid(y: object, x: object = None, dx: float | Tensor = 1.0, axis: int = -1) -> Tensor:
    values = operand(y)
    rank = len(values.shape)
    at = axis_of(axis, rank)
    if x is None:
        width = dx
    else:
        places = operand(x)
        if len(places.shape) == 1:
            width = shaping.reshape(_diff(places), (-1,) + (1,) * (rank - 1 - at))
        else:
            width = _diff(places, axis=axis)
    both = width * (along(values, at, slice(1, None)) + along(values, at, slice(None, -1))) / 2.0
    return FUNCTIONS[np.sum](both, at)


means(np.trapezoid)(_trapezoid)


@means(np.unwrap)
def _unwrap(p: object, discont: float | None = None, axis: int = -1, *, period: float = 2 * np.pi) -> Tensor:
    x = operand(p)
    at = axis_of(axis, len(x.shape))
    apart = _diff(x, axis=axis)
    discont = period / 2 if discont is None else discont
    kind = np.result_type(apart.dtype.dtype, period)
    if np.issubdtype(kind, np.integer):
        high, rest = divmod(period, 2)
        unsure = rest == 0
    else:
        high, unsure = period / 2, True
    low = -high
    inside = mathematics.mod(apart - low, period) + low
    if unsure:
        inside = mathematics.where(mathematics.logical_and(inside == low, apart > 0), high, inside)
    correct = mathematics.where(mathematics.abs(apart) < discont, 0, inside - apart)
    rest_of = along(x, at, slice(1, None)) + FUNCTIONS[np.cumsum](correct, at)
    return shaping.concat([cast(along(x, at, slice(None, 1)), kind), cast(rest_of, kind)], at)


# Convolutions.

_UNROLLED = 32  # products of slices that are added one by one


@means(np.correlate)
def _correlate(a: object, v: object, mode: str = "valid") -> Tensor:
    x, y = promote([operand(a), operand(v)])
    if len(x.shape) != 1 or len(y.shape) != 1:
        raise ValueError("object too deep for desired array")
    n, m = making.like_shape(x)[0], making.like_shape(y)[0]
    for size, name in ((n, "first"), (m, "second")):
        need(size > 0, ValueError(f"{name} array argument cannot be empty"))
    if not isinstance(n, int) or not isinstance(m, int):
        if not isinstance(m, int):
            raise refused(
                TypeError(
                    "np.correlate and np.convolve with an array whose size only the graph knows have no staged "
                    "meaning; the size of the shorter one, the second, must be known. Use runtime.ensure_shape(v, [n])"
                )
            )
        turned = False
        if mode not in ("full", 2):
            shorter = ValueError(
                "np.correlate and np.convolve of an array whose size only the graph knows: it is shorter than the "
                f"other one, which has {m} elements, and NumPy would exchange the two. Tell its size "
                "(runtime.ensure_shape(a, [n])), or pad it before"
            )
            need(n >= m, shorter)
    else:
        turned = n < m
    y = conjugate(y)
    if turned:
        made = _slid(y, x, mode)
        return shaping.reverse(made, 0)
    return _slid(x, y, mode)


def _slid(x: Tensor, y: Tensor, mode: Any) -> Tensor:
    """The sums of products of a row and the shorter one, at each place that the mode tells: of those that are there,
    as a zero beside the row would make something of infinity and NaN."""
    n, m = making.like_shape(x)[0], making.like_shape(y)[0]
    if mode not in ("valid", "same", "full", 0, 1, 2):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    before = {"valid": 0, "same": m // 2, "full": m - 1}[("valid", "same", "full")[mode] if type(mode) is int else mode]
    after = {"valid": 0, "same": m - 1 - m // 2, "full": m - 1}[
        ("valid", "same", "full")[mode] if type(mode) is int else mode
    ]
    if m <= _UNROLLED:
        total: Any = None
        for i in range(m):
            skipped, left = i - before, m - 1 - i - after  # of the row, at its start and end; or missing, if negative
            term = apply(ew.multiply, x[max(skipped, 0) : n - max(left, 0)], y[i])
            if skipped < 0 or left < 0:
                term = parts.pad(term, [(max(-skipped, 0), max(-left, 0))])
            total = term if total is None else apply(ew.add, total, term)
        return total
    places = making.range(n + (before + after - m + 1), dtype=np.int64)[:, None] + np.arange(m)
    if not before and not after:
        return _product(x[places], y)
    there = mathematics.logical_and(places >= before, places < n + before)
    products = apply(ew.multiply, parts.pad(x, [(before, after)])[places], y)
    return FUNCTIONS[np.sum](mathematics.where(there, products, cast(0, products.dtype)), 1)


def _product(a: Tensor, b: Tensor) -> Tensor:
    return FUNCTIONS[np.dot](a, b)


@means(np.convolve)
def _convolve(a: object, v: object, mode: str = "full") -> Tensor:
    x, y = (operand(z) for z in (a, v))
    x, y = (z[None] if not len(z.shape) else z for z in (x, y))
    sizes = [making.like_shape(z)[0] for z in (x, y)]
    for size, name in zip(sizes, "av"):
        need(size > 0, ValueError(f"{name} cannot be empty"))
    if isinstance(sizes[0], int) and (not isinstance(sizes[1], int) or sizes[1] > sizes[0]):
        x, y = y, x
    reversed_ = shaping.reverse(y, 0)
    return _correlate(x, conjugate(reversed_), mode)


# Between given points.


@means(np.interp)
def _interpolated(
    x: object,
    xp: object,
    fp: object,
    left: TensorLike | None = None,
    right: TensorLike | None = None,
    period: float | None = None,
) -> Tensor:
    values = operand(fp)
    values = cast(values, np.complex128 if values.dtype.is_complex else np.float64)
    at, places = cast(operand(x), np.float64), cast(operand(xp), np.float64)
    if len(places.shape) != 1 or len(values.shape) != 1:
        raise ValueError("Data points must be 1-D sequences")
    counts = [making.like_shape(v)[0] for v in (places, values)]
    need(counts[0] == counts[1], ValueError("fp and xp are not of the same length."))
    if isinstance(counts[0], int) and counts[0] == 0:
        raise ValueError("array of sample points is empty")
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period, left, right = abs(period), None, None
        at, places = at % period, places % period
        order = parts.argsort(places)
        places, values = places[order], values[order]
        places = shaping.concat([places[-1:] - period, places, places[0:1] + period], 0)
        values = shaping.concat([values[-1:], values, values[0:1]], 0)
    last = making.like_shape(places)[0] - 1
    low = mathematics.maximum(parts.searchsorted(places, at, "right", np.int64) - 1, 0)
    high = mathematics.minimum(low + 1, last)
    x0, x1, f0, f1 = places[low], places[high], values[low], values[high]
    slope = (f1 - f0) / cast(x1 - x0, values.dtype)
    found = slope * cast(at - x0, values.dtype) + f0
    lost = mathematics.is_nan(found)
    other = slope * cast(at - x1, values.dtype) + f1
    other = mathematics.where(mathematics.logical_and(mathematics.is_nan(other), f0 == f1), f0, other)
    found = mathematics.where(lost, other, found)
    found = mathematics.where(at == x0, f0, found)
    found = mathematics.where(at == places[-1], values[-1], found)
    found = mathematics.where(at < places[0], values[0] if left is None else cast(operand(left), values.dtype), found)
    beyond = values[-1] if right is None else cast(operand(right), values.dtype)
    found = mathematics.where(at > places[-1], beyond, found)
    lost = mathematics.logical_and(mathematics.is_nan(at), operand(last > 0))
    return mathematics.where(lost, cast(at, values.dtype), found)


@means(np.vander)
def _vandermonde(x: object, N: int | None = None, increasing: bool = False) -> Tensor:
    row = operand(x)
    if len(row.shape) != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    count = making.like_shape(row)[0] if N is None else N
    row = cast(row, np.promote_types(row.dtype.dtype, int))
    ones = shaping.broadcast_to(cast(operand(1), row.dtype), [making.like_shape(row)[0], 1])
    if not isinstance(count, int):
        raise refused(
            TypeError("np.vander of an array whose size only the graph knows: give the number of columns, N=")
        )
    columns: list[Tensor] = [ones[:, :count]]
    if count > 1:
        powers = shaping.broadcast_to(row[:, None], [making.like_shape(row)[0], count - 1])
        columns.append(FUNCTIONS[np.cumprod](powers, 1))
    made = shaping.concat(columns, 1) if len(columns) > 1 else columns[0]
    return made if increasing else shaping.reverse(made, 1)


_CROSSED = (2, 3) if np.lib.NumpyVersion(np.__version__) < "2.5.0" else (3,)  # sizes of vectors that it takes


@means(np.cross)
def _cross(a: object, b: object, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor:
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = promote([operand(a), operand(b)])
    if not len(x.shape) or not len(y.shape):
        raise ValueError("At least one array has zero dimension")
    moved: list[Tensor] = [FUNCTIONS[np.moveaxis](v, at, -1) for v, at in ((x, axisa), (y, axisb))]
    sizes = [making.like_shape(v)[-1] for v in moved]
    if any(isinstance(n, int) and n not in _CROSSED for n in sizes):
        wanted = " or ".join(map(str, _CROSSED))
        raise ValueError(f"incompatible dimensions for cross product\n(dimension must be {wanted})")
    if any(not isinstance(n, int) or n != 3 for n in sizes):
        raise refused(
            TypeError("np.cross of vectors that are not known to have three dimensions has no staged meaning")
        )
    (a0, a1, a2), (b0, b1, b2) = ([v[..., i] for i in range(3)] for v in moved)
    made = shaping.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], -1)
    return FUNCTIONS[np.moveaxis](made, -1, axisc)
