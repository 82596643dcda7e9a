"""What NumPy's statistics do with tensors: averages, quantiles, covariances, histograms, and those that skip NaN."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew
from runtime.staging.numpy_protocol.joining import flat
from runtime.staging.numpy_protocol.meanings import FUNCTIONS, REDUCTIONS, means, need, need_one_shape, numpys, operand
from runtime.tensors import making, mathematics, parts, products, reductions, shaping
from runtime.tensors.conversion import cast, static_value
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import AxisLike, DTypeLike, Size, TensorLike


def _floats(x: Tensor) -> bool:
    return x.dtype.is_floating or x.dtype.is_complex


def _zero(x: Tensor, value: object = 0) -> Tensor:
    return EagerTensor(np.asarray(value, x.dtype.dtype))


@means(np.ptp)
def _range(a: object, axis: AxisLike = None, keepdims: object = False) -> Tensor:
    x = operand(a)
    high, low = (numpys(f, x, axis, keepdims=keepdims) for f in (np.max, np.min))
    return apply(ew.subtract, high, low)


def _check_axes(x: Tensor, axis: AxisLike) -> None:
    """Raise where there is no such axis; most functions let arrays without dimensions have one."""
    where = reductions.axes(axis)
    for at in () if where is None else where if isinstance(where, tuple) else (where,):
        axis_of(at, len(x.shape))


@means(np.average)
def _average(
    a: object,
    axis: AxisLike = None,
    weights: TensorLike | None = None,
    returned: bool = False,
    *,
    keepdims: object = False,
) -> Tensor | tuple[Tensor, Tensor]:
    x = operand(a)
    _check_axes(x, axis)
    if weights is None:
        mean = numpys(np.mean, x, axis, keepdims=keepdims)
        need(numpys(np.size, mean) != 0, ZeroDivisionError("division by zero"))
        count = numpys(np.size, x) / numpys(np.size, mean) if returned else None
        return (mean, shaping.broadcast_to(cast(operand(count), mean.dtype), mean.shape)) if returned else mean
    w = operand(weights)
    known = [making.like_shape(v) for v in (x, w)]
    if len(known[0]) != len(known[1]):
        w = _along(x, w, axis)
    elif any(isinstance(m, int) and isinstance(n, int) and m != n for m, n in zip(*known)):
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    others = [np.float64] if x.dtype.is_integer or x.dtype.is_bool else []
    kind = np.result_type(x.dtype.dtype, w.dtype.dtype, *others)
    scale = numpys(np.sum, shaping.broadcast_to(w, x.shape), axis, kind, keepdims=keepdims)
    empty = reductions.reduce_any(mathematics.equal(scale, 0))
    need(mathematics.logical_not(empty), ZeroDivisionError("Weights sum to zero, can't be normalized"))
    mean = numpys(np.sum, cast(x, kind) * cast(w, kind), axis, keepdims=keepdims) / scale
    return (mean, scale) if returned else mean


def _along(x: Tensor, weights: Tensor, axis: AxisLike) -> Tensor:
    """Weights of the elements along one axis, in a shape that broadcasts."""
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    where = reductions.axes(axis)
    if len(weights.shape) != 1 or isinstance(where, tuple):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    at = axis_of(where, len(x.shape))
    size, count = making.like_shape(x)[at], making.like_shape(weights)[0]
    if isinstance(size, int) and isinstance(count, int) and size != count:
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    return shaping.reshape(weights, [-1] + [1] * (len(x.shape) - 1 - at))


@means(np.cov)
def _covariance(
    m: object,
    y: object = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: float | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> Tensor:
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    values = [operand(v) for v in ((m,) if y is None else (m, y))]
    for x, name in zip(values, "my"):
        if len(x.shape) > 2:
            raise ValueError(f"{name} has more than 2 dimensions")
    kind = np.result_type(*(x.dtype.dtype for x in values), np.float64) if dtype is None else np.dtype(dtype)
    rows = [cast(_rows(x, rowvar, i == 1), kind) for i, x in enumerate(values)]
    x = shaping.concat(rows, 0) if len(rows) > 1 else rows[0]
    ddof = (0 if bias else 1) if ddof is None else int(ddof)
    free = making.like_shape(x)[1] - ddof
    free = max(free, 0) if isinstance(free, int) else mathematics.maximum(free, 0)
    x = x - numpys(np.mean, x, 1, keepdims=True)
    turned = shaping.transpose(x)
    made = products.matmul(x, conjugate(turned))
    share = np.true_divide(1, np.float64(free)) if isinstance(free, int) else 1.0 / cast(operand(free), np.float64)
    made = cast(made * share, kind)
    size = making.like_shape(made)[0]
    return shaping.reshape(made, ()) if isinstance(size, int) and size == 1 else _squeezed(made)


def _rows(x: Tensor, rowvar: bool, second: bool) -> Tensor:
    if len(x.shape) < 2:
        return x[None] if len(x.shape) else x[None, None]
    size = making.like_shape(x)[0]
    return x if rowvar or (second and size == 1) else shaping.transpose(x)


def _squeezed(x: Tensor) -> Tensor:
    return x if all(isinstance(d, int) and d > 1 for d in making.like_shape(x)) else shaping.squeeze(x)


@means(np.corrcoef)
def _correlation(x: object, y: object = None, rowvar: bool = True, *, dtype: DTypeLike | None = None) -> Tensor:
    made = _covariance(x, y, rowvar, dtype=dtype)
    if made.shape.rank == 0:
        return made / made
    spread = mathematics.sqrt(mathematics.real(numpys(np.diag, made)))
    made = made / cast(spread, made.dtype)[:, None] / cast(spread, made.dtype)[None, :]
    if not made.dtype.is_complex:
        return numpys(np.clip, made, -1, 1)
    real, imag = (numpys(np.clip, part, -1, 1) for part in (mathematics.real(made), mathematics.imag(made)))
    return cast(cast(real, made.dtype) + cast(imag, made.dtype) * 1j, made.dtype)


# Quantiles.


def _in_front(x: Tensor, axis: AxisLike) -> tuple[Tensor, list[int]]:
    """The elements that go together along the first axis, and which axes they were along."""
    rank = len(x.shape)
    where = reductions.axes(axis)
    if where is None:
        return shaping.reshape(x, [-1]), [*range(rank)]
    axes = [axis_of(a, rank) for a in (where if isinstance(where, tuple) else (where,))]
    if len(set(axes)) < len(axes):
        raise ValueError("repeated axis")
    rest = [i for i in range(rank) if i not in axes]
    x = shaping.transpose(x, [*axes, *rest])
    if len(axes) == 1:
        return x, axes
    sizes = making.like_shape(x)  # -1 would say nothing where nothing is kept
    return shaping.reshape(x, [math.prod(sizes[: len(axes)]), *sizes[len(axes) :]]), axes


def _kept(x: Tensor, axes: list[int], rank: int, keepdims: object, leading: int = 0) -> Tensor:
    """A result with the axes that were reduced, of size 1, if they are to be kept."""
    if not keepdims:
        return x
    return x[(*[slice(None)] * leading, *(None if i in axes else slice(None) for i in range(rank)))]


@means(np.median)
def _median(a: object, axis: AxisLike = None, keepdims: object = False) -> Tensor:
    x = operand(a)
    ahead, axes = _in_front(x, axis)
    count = making.like_shape(ahead)[0]
    ordered = parts.sort(ahead, 0)
    if isinstance(count, int) and count == 0:
        return _kept(numpys(np.mean, ahead, 0), axes, len(x.shape), keepdims)
    found = numpys(np.mean, ordered[(count - 1) // 2 : count // 2 + 1], 0)
    if _floats(x):
        lost = reductions.reduce_any(mathematics.is_nan(ahead), 0)
        found = mathematics.where(lost, _zero(found, np.nan), found)
    return _kept(found, axes, len(x.shape), keepdims)


_OFFSETS = {
    "interpolated_inverted_cdf": (0, 1),
    "hazen": (0.5, 0.5),
    "weibull": (0, 0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
_METHODS = ("linear", "lower", "higher", "nearest", "midpoint", *_OFFSETS)


@means(np.percentile)
def _percentile(
    a: object,
    q: Any,
    axis: AxisLike = None,
    method: str = "linear",
    keepdims: object = False,
) -> Tensor:
    x = operand(a)
    hundred = x.dtype.dtype.type(100) if x.dtype.is_floating else 100
    if isinstance(q, Tensor):
        share = apply(
            ew.divide,
            *(
                cast(
                    operand(v),
                    np.result_type(q.dtype.dtype, hundred, np.float32 if x.dtype.name == "float32" else np.float64),
                )
                for v in (q, hundred)
            ),
        )
    else:
        share = np.true_divide(q, hundred)
    return _quantile_of(
        x, share, axis, method, keepdims, type(q) in (int, float), "Percentiles must be in the range [0, 100]"
    )


@means(np.quantile)
def _quantile(
    a: object,
    q: TensorLike,
    axis: AxisLike = None,
    method: str = "linear",
    keepdims: object = False,
) -> Tensor:
    x = operand(a)
    if isinstance(q, int | float) and x.dtype.is_floating:
        share: TensorLike = np.asarray(q, x.dtype.dtype)
    else:
        share = q if isinstance(q, Tensor) else np.asarray(q)
    return _quantile_of(
        x, share, axis, method, keepdims, type(q) in (int, float), "Quantiles must be in the range [0, 1]"
    )


def _quantile_of(x: Tensor, q: Any, axis: AxisLike, method: str, keepdims: object, weak: bool, message: str) -> Tensor:
    if x.dtype.is_complex:
        raise TypeError("a must be an array of real numbers")
    if method not in _METHODS:
        known = {"inverted_cdf", "averaged_inverted_cdf", "closest_observation"}
        kind = refused(
            TypeError(f"np.quantile with method={method!r} has no staged meaning: use {', '.join(_METHODS)}")
        )
        raise kind if method in known else ValueError(f"{method!r} is not a valid method. Use one of: {_METHODS}")
    if isinstance(q, Tensor):
        inside = mathematics.logical_and(q >= 0, q <= 1)
        need(reductions.reduce_all(inside), ValueError(message))
    elif not np.all((np.asarray(q) >= 0) & (np.asarray(q) <= 1)):
        raise ValueError(message)
    if len(q.shape) > 2:
        raise ValueError("q must be a scalar or 1d")
    ahead, axes = _in_front(x, axis)
    count = making.like_shape(ahead)[0]
    if isinstance(count, int) and count == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    ordered = parts.sort(ahead, 0)
    place = _virtual(count, q if isinstance(q, Tensor) else np.asarray(q), method)
    whole = place.dtype.is_integer if isinstance(place, Tensor) else place.dtype.kind in "iu"
    if method in ("lower", "higher", "nearest") or whole:
        found = ordered[_within(cast(operand(place), np.int64), count)]
    else:
        if x.dtype.is_bool:
            raise TypeError("numpy boolean subtract, the `-` operator, is not supported; cast the array first")
        floor = _numpy_floor(place)
        low, high = (_within(cast(operand(p), np.int64), count) for p in (floor, floor + 1))
        gamma = operand(place - floor)
        if method == "midpoint":
            gamma = mathematics.where(gamma == 0, _zero(gamma), _zero(gamma, 0.5))
        previous, following = ordered[low], ordered[high]
        if not _floats(x):
            previous, following = cast(previous, np.float64), cast(following, np.float64)
        if weak:
            gamma = cast(gamma, previous.dtype)
        gamma = shaping.reshape(gamma, [*making.like_shape(gamma), *[1] * (len(ahead.shape) - 1)])
        apart = following - previous
        found = mathematics.where(gamma >= 0.5, following - apart * (1 - gamma), previous + apart * gamma)
    if _floats(x):
        lost = reductions.reduce_any(mathematics.is_nan(ahead), 0)
        found = mathematics.where(lost, _zero(found, np.nan), found)
    return _kept(found, axes, len(x.shape), keepdims, len(q.shape))


def _virtual(count: Size, q: Any, method: str) -> Any:
    """Between which places of the elements in order a quantile lies."""
    if method in _OFFSETS:
        alpha, beta = _OFFSETS[method]
        return q * count + (alpha + q * (1 - alpha - beta)) - 1
    place = q * (count - 1)
    if method == "lower":
        return _numpy_floor(place)
    if method == "higher":
        return -_numpy_floor(-place)
    if method == "nearest":
        floor = _numpy_floor(place)
        rest = place - floor
        odd = _numpy_floor(floor / 2) * 2 != floor
        if isinstance(place, Tensor):
            up = mathematics.logical_or(rest > 0.5, mathematics.logical_and(rest == 0.5, odd))
            return floor + cast(up, place.dtype)
        return floor + ((rest > 0.5) | ((rest == 0.5) & odd))
    if method == "midpoint":
        return 0.5 * (_numpy_floor(place) + -_numpy_floor(-place))
    return place


def _numpy_floor(x: Tensor | float) -> Any:
    return mathematics.floor(x) if isinstance(x, Tensor) else np.floor(x)


def _within(places: Tensor, count: Size) -> Tensor:
    return mathematics.minimum(mathematics.maximum(places, 0), count - 1)


# Without NaN.


def _without(x: Tensor, value: object) -> tuple[Any, Any]:
    """The elements with another value for NaN, and where it is; None for what holds none."""
    if not _floats(x):
        return x, None
    lost = mathematics.is_nan(x)
    return mathematics.where(lost, _zero(x, value), x), lost


def _skipping(function: Callable[..., object], value: int) -> Callable[..., object]:
    def meaning(
        a: object, axis: object = None, dtype: object = None, keepdims: object = False, initial: object = None,
        where: object = True,
    ) -> object:  # fmt: skip
        x, _ = _without(operand(a), value)
        return numpys(function, x, axis, dtype, keepdims=keepdims, initial=initial, where=where)

    return meaning


means(np.nansum)(_skipping(np.sum, 0))
means(np.nanprod)(_skipping(np.prod, 1))


def _running(function: Callable[..., object], value: int) -> Callable[..., object]:
    def meaning(a: object, axis: object = None, dtype: object = None) -> object:
        return numpys(function, _without(operand(a), value)[0], axis, dtype)

    return meaning


means(np.nancumsum)(_running(np.cumsum, 0))
means(np.nancumprod)(_running(np.cumprod, 1))


def _extreme(function: Callable[..., object], value: float) -> Callable[..., object]:
    def meaning(a: object, axis: object = None, keepdims: object = False) -> Tensor:
        x = operand(a)
        if x.dtype.is_complex:
            raise refused(TypeError(f"np.nan{function.__name__} of complex numbers has no staged meaning"))
        kept, lost = _without(x, value)
        found = numpys(function, kept, axis, keepdims=keepdims)
        if lost is None:
            return found
        none_left = numpys(np.all, lost, axis, keepdims=keepdims)
        return mathematics.where(none_left, _zero(found, np.nan), found)

    return meaning


means(np.nanmax)(_extreme(np.max, -np.inf))
means(np.nanmin)(_extreme(np.min, np.inf))


def _position(function: Callable[..., object], value: float) -> Callable[..., object]:
    def meaning(a: object, axis: AxisLike = None, *, keepdims: object = False) -> object:
        x = operand(a)
        if x.dtype.is_complex:
            raise refused(TypeError(f"np.nan{function.__name__} of complex numbers has no staged meaning"))
        kept, lost = _without(x, value)
        if lost is not None:
            none_left = reductions.reduce_any(numpys(np.all, lost, axis))
            need(mathematics.logical_not(none_left), ValueError("All-NaN slice encountered"))
        return numpys(function, kept, axis, keepdims=keepdims)

    return meaning


means(np.nanargmax)(_position(np.argmax, -np.inf))
means(np.nanargmin)(_position(np.argmin, np.inf))


@means(np.nanmean)
def _nan_mean(
    a: object, axis: object = None, dtype: object = None, keepdims: object = False, *, where: object = True
) -> Tensor:
    x = operand(a)
    kept, lost = _without(x, 0)
    if lost is None:
        return numpys(np.mean, x, axis, dtype, keepdims=keepdims, where=where)
    count = numpys(np.sum, mathematics.logical_not(lost), axis, np.int64, keepdims=keepdims, where=where)
    total = numpys(np.sum, kept, axis, dtype, keepdims=keepdims, where=where)
    return cast(apply(ew.divide, *_promoted(total, count)), total.dtype)


def _promoted(x: Tensor, count: Tensor) -> tuple[Tensor, Tensor]:
    kind = np.result_type(x.dtype.dtype, np.int64)
    return cast(x, kind), cast(count, kind)


@means(np.nanvar)
def _nan_variance(
    a: object, axis: AxisLike = None, dtype: object = None, ddof: float = 0, keepdims: object = False
) -> Tensor:
    x = operand(a)
    if x.type.shape == () and axis in (0, -1) and (x.dtype.is_floating or x.dtype.is_complex):
        axis = None  # what these find are sums, for which NumPy takes a number for an array of one
    _check_axes(x, axis)
    kept, lost = _without(x, 0)
    if lost is None:
        return numpys(np.var, x, axis, dtype, ddof=ddof, keepdims=keepdims)
    kind = x.dtype.dtype if dtype is None else np.dtype(dtype)  # type: ignore[call-overload]
    there = mathematics.logical_not(lost)
    counted = numpys(np.sum, there, axis, np.int64, keepdims=True)
    mean = cast(apply(ew.divide, *_promoted(numpys(np.sum, kept, axis, kind, keepdims=True), counted)), kind)
    apart = mathematics.where(lost, _zero(x), cast(kept - cast(mean, x.dtype), x.dtype))
    squares = mathematics.real(apart * mathematics.conj(apart)) if x.dtype.is_complex else apart * apart
    total = numpys(np.sum, squares, axis, None if x.dtype.is_complex else kind, keepdims=keepdims)
    free = numpys(np.sum, there, axis, np.int64, keepdims=keepdims) - ddof
    found = cast(apply(ew.divide, *_promoted(total, free)), total.dtype)
    return mathematics.where(free <= 0, _zero(found, np.nan), found)


@means(np.nanstd)
def _nan_deviation(
    a: object, axis: AxisLike = None, dtype: object = None, ddof: float = 0, keepdims: object = False
) -> Tensor:
    found = _nan_variance(a, axis, dtype, ddof, keepdims)
    return mathematics.sqrt(found)


@means(np.nanmedian)
def _nan_median(a: object, axis: AxisLike = None, keepdims: object = False) -> Tensor:
    x = operand(a)
    sizes = making.like_shape(x)
    if any(isinstance(size, int) and size == 0 for size in sizes):
        return _nan_mean(x, axis, keepdims=keepdims)
    if not x.dtype.is_floating:
        return _median(x, axis, keepdims=keepdims)
    ahead, axes = _in_front(x, axis)
    ordered = parts.sort(ahead, 0)
    count = numpys(np.sum, mathematics.logical_not(mathematics.is_nan(ahead)), 0, np.int64, keepdims=True)
    places = [mathematics.maximum(p, 0) for p in ((count - 1) // 2, count // 2)]
    low, high = (numpys(np.take_along_axis, ordered, place, 0)[0] for place in places)
    wide = cast(low, np.float32) if x.dtype.name == "float16" else low
    found = mathematics.where(places[0][0] == places[1][0], low, cast((wide + cast(high, wide.dtype)) / 2, x.dtype))
    found = mathematics.where(count[0] == 0, _zero(found, np.nan), found)
    return _kept(found, axes, len(x.shape), keepdims)


def _of_numbers(quantile: Callable[..., object], name: str) -> Callable[..., object]:
    def meaning(a: object, q: TensorLike, axis: AxisLike = None, method: str = "linear") -> object:
        x = operand(a)
        if _floats(x):
            if axis is not None and len(x.shape) != 1:
                raise refused(
                    TypeError(
                        f"{name} with axis= has no staged meaning: each row would have another number of elements"
                    )
                )
            x = parts.boolean_mask(flat(x), mathematics.logical_not(mathematics.is_nan(flat(x))))
            axis = None
        return quantile(x, q, axis, method=method)

    return meaning


means(np.nanpercentile)(_of_numbers(_percentile, "np.nanpercentile"))
means(np.nanquantile)(_of_numbers(_quantile, "np.nanquantile"))

# Counts.


@means(np.bincount)
def _bin_count(x: object, /, weights: TensorLike | None = None, minlength: Size = 0) -> Tensor:
    places = operand(x)
    if len(places.shape) != 1:
        raise ValueError(
            "object too deep for desired array" if len(places.shape) else "object of too small depth for desired array"
        )
    if not np.can_cast(places.dtype.dtype, np.int64, "safe"):
        raise TypeError(
            f"Cannot cast array data from {places.dtype.dtype!r} to dtype('int64') according to the rule 'safe'"
        )
    if not isinstance(minlength, Tensor) and int(minlength) < 0:
        raise ValueError("'minlength' must not be negative")
    places = cast(places, np.int64)
    least = numpys(np.min, places, initial=0)
    need(least >= 0, ValueError("'list' argument must have no negative elements"))
    count = mathematics.maximum(numpys(np.max, places, initial=-1) + 1, minlength)
    if weights is None or making.like_shape(places)[0] == 0:  # NumPy does not look at weights of nothing
        values = making.ones([making.like_shape(places)[0]], np.int64)
    else:
        values = cast(operand(weights), np.float64)
        need_one_shape(places, values, ValueError("The weights and list don't have the same length."))
    known = static_value(count) if isinstance(count, Tensor) else count
    empty = making.zeros([count if known is None else int(known)], values.dtype)
    return parts.tensor_scatter_nd_add(empty, places[:, None], values)


@means(np.digitize)
def _digitized(x: object, bins: object, right: bool = False) -> Tensor:
    at, edges = operand(x), operand(bins)
    if at.dtype.is_complex:
        raise TypeError("x may not be complex")
    if len(edges.shape) != 1:
        raise ValueError("object too deep for desired array")
    side = "left" if right else "right"
    known = static_value(edges)
    rises, falls = ((edges[1:] >= edges[:-1]), (edges[1:] <= edges[:-1]))
    if known is not None:
        if not (np.all(known[1:] >= known[:-1]) or np.all(known[1:] <= known[:-1])):
            raise ValueError("bins must be monotonically increasing or decreasing")
        rising: bool | Tensor = bool(np.all(known[1:] >= known[:-1]))
    else:
        rising = reductions.reduce_all(rises)
        monotonic = mathematics.logical_or(rising, reductions.reduce_all(falls))
        need(monotonic, ValueError("bins must be monotonically increasing or decreasing"))
    upwards: Any = numpys(np.searchsorted, edges, at, side) if rising is not False else None
    if rising is True:
        return upwards
    downwards = making.like_shape(edges)[0] - numpys(np.searchsorted, shaping.reverse(edges, 0), at, side)
    downwards = cast(downwards, np.int64)
    return downwards if rising is False else mathematics.where(rising, upwards, downwards)


def _outer_edges(x: Tensor, limits: Any) -> tuple[Any, Any]:
    """The first and the last edge of a histogram."""
    if limits is not None:
        first, last = limits
        if not any(isinstance(v, Tensor) for v in (first, last)):
            if first > last:
                raise ValueError("max must be larger than min in range parameter.")
            if not (np.isfinite(first) and np.isfinite(last)):
                raise ValueError(f"supplied range of [{first}, {last}] is not finite")
            return (first - 0.5, last + 0.5) if first == last else (first, last)
        first, last = operand(first), operand(last)
        need(first <= last, ValueError("max must be larger than min in range parameter."))
    else:
        size = making.like_shape(x)[0]
        if isinstance(size, int) and size == 0:
            return 0, 1
        if isinstance(size, int):
            first, last = numpys(np.min, x), numpys(np.max, x)
        else:
            limits = np.iinfo(x.dtype.dtype) if x.dtype.is_integer else np.finfo(x.dtype.dtype)
            first, last = numpys(np.min, x, initial=limits.max), numpys(np.max, x, initial=limits.min)
            empty = operand(size == 0)
            first = mathematics.where(empty, _zero(first), first)
            last = mathematics.where(empty, _zero(last, 1), last)
        if _floats(x):
            finite = mathematics.logical_and(mathematics.is_finite(first), mathematics.is_finite(last))
            need(finite, ValueError("autodetected range is not finite"))
    same = first == last
    if _floats(first) or _floats(last):
        return mathematics.where(same, first - 0.5, first), mathematics.where(same, last + 0.5, last)
    first, last = cast(first, np.float64), cast(last, np.float64)
    return mathematics.where(same, first - 0.5, first), mathematics.where(same, last + 0.5, last)


@means(np.histogram_bin_edges)
def _edges(
    a: object, bins: TensorLike | str = 10, range: Sequence[TensorLike] | None = None, weights: TensorLike | None = None
) -> Tensor:
    return _edges_of(flat(a), bins, range)[0]


def _edges_of(x: Tensor, bins: Any, limits: Any) -> tuple[Tensor, tuple[Any, Any, int] | None]:
    """The edges of the bins; and the first, the last, and how many, if they lie evenly."""
    if isinstance(bins, str):
        raise refused(TypeError(f"np.histogram with bins={bins!r} has no staged meaning: give their number or edges"))
    if (len(bins.shape) if isinstance(bins, Tensor) else np.ndim(bins)) == 1:
        edges = operand(bins)
        rises = reductions.reduce_all(edges[:-1] <= edges[1:])
        need(rises, ValueError("`bins` must increase monotonically, when an array"))
        return shaping.identity(edges), None
    if isinstance(bins, Tensor):
        raise refused(TypeError("np.histogram with a number of bins that only the graph knows has no staged meaning"))
    if np.ndim(bins) != 0:
        raise ValueError("`bins` must be 1d, when an array")
    try:
        count = int(bins.__index__())
    except (TypeError, AttributeError):
        raise TypeError("`bins` must be an integer, a string, or an array") from None
    if count < 1:
        raise ValueError("`bins` must be positive, when an integer")
    first, last = _outer_edges(x, limits)
    kinds = [v.dtype.dtype if isinstance(v, Tensor) else v for v in (first, last)]
    kind = np.result_type(*kinds, x.dtype.dtype)
    kind = np.result_type(kind, float) if np.issubdtype(kind, np.integer) else kind
    edges = numpys(np.linspace, first, last, count + 1, dtype=kind)
    return operand(edges), (first, last, count)


@means(np.histogram)
def _histogram(
    a: object,
    bins: TensorLike | str = 10,
    range: Sequence[TensorLike] | None = None,
    density: bool | None = None,
    weights: TensorLike | None = None,
) -> tuple[Tensor, Tensor]:
    x = flat(a)
    if x.dtype.is_bool:
        x = cast(x, np.uint8)
    w = None if weights is None else flat(weights)
    if weights is not None:
        need_one_shape(operand(a), operand(weights), ValueError("weights should have the same shape as a."))
    edges, even = _edges_of(x, bins, range)
    kind = np.dtype(np.intp) if w is None else w.dtype.dtype
    if even is not None:
        first, last, count = even
        value = cast(x, edges.dtype)
        inside = mathematics.logical_and(value >= first, value <= last)
        place = cast((value - first) / (last - first) * count, np.int64)
        place = mathematics.minimum(mathematics.maximum(mathematics.where(inside, place, 0), 0), count)
        place = mathematics.where(place == count, count - 1, place)
        place = mathematics.where(value < edges[place], mathematics.maximum(place - 1, 0), place)
        on = mathematics.logical_and(value >= edges[place + 1], place != count - 1)
        place = mathematics.where(on, place + 1, place)
        values = mathematics.where(inside, 1 if w is None else w, 0) if w is not None else cast(inside, np.int64)
        found = parts.tensor_scatter_nd_add(making.zeros([count], values.dtype), place[:, None], values)
        found = cast(found, kind)
    else:
        order = parts.argsort(x)
        ordered = x[order]
        ends = [
            numpys(np.searchsorted, ordered, edges[:-1], "left"),
            numpys(np.searchsorted, ordered, edges[-1:], "right"),
        ]
        places = shaping.concat(ends, 0)
        if w is not None:
            sums = shaping.concat([making.zeros([1], w.dtype), numpys(np.cumsum, w[order])], 0)
            places = cast(sums[places], kind)
        found = numpys(np.diff, places)
    if not density:
        return found, edges
    widths = cast(numpys(np.diff, edges), np.float64)
    return found / widths / numpys(np.sum, found), edges


REDUCTIONS[np.fmax], REDUCTIONS[np.fmin] = FUNCTIONS[np.nanmax], FUNCTIONS[np.nanmin]
