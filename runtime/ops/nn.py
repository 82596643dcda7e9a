"""Convolution and pooling: of [batch, size, ..., channels], with as many sizes as windows have.

A convolution is one sum of products of three tensors: images, filters and results. So there are three rows, each of
which gives the part of the sum that belongs to one of them, and each is the gradient of the others.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, SupportsInt

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Node, TensorType
from runtime.graph.op import kernel, op, show_attribute
from runtime.graph.shapes import Dim
from runtime.ops.shape import dims, with_sizes

Pair = tuple[int, int]
Numbers = tuple[int, ...]  # one for each size
Padding = str | tuple[Pair, ...]
Slices = tuple[slice, ...]
Render = Callable[[Sequence[str], Mapping[str, object]], str]


def padding_of(
    padding: Padding, size: Sequence[int], window: Sequence[int], strides: Numbers, dilations: Numbers
) -> tuple[Pair, ...]:
    """How much is added before and after, along each size.

    >>> [padding_of(how, (5, 5), (3, 3), (2, 2), (1, 1)) for how in ("SAME", "VALID")]
    [((1, 1), (1, 1)), ((0, 0), (0, 0))]
    """
    if not isinstance(padding, str):
        return padding
    if padding == "VALID":
        return ((0, 0),) * len(strides)
    found = []
    for d, k, s, r in zip(size, window, strides, dilations):
        total = max((-(-d // s) - 1) * s + (k - 1) * r + 1 - d, 0)
        found.append((total // 2, total - total // 2))
    return tuple(found)


def reach_of(window: Sequence[int], dilations: Sequence[int]) -> Numbers:
    """Over how much windows reach."""
    return tuple((k - 1) * r + 1 for k, r in zip(window, dilations))


def _padded(x: NumPyArray, pads: Sequence[Pair], fill: float) -> NumPyArray:
    if not any(map(any, pads)):
        return x
    return np.pad(x, ((0, 0), *pads, (0, 0)), constant_values=fill)


def _windows(
    x: NumPyArray, window: Sequence[int], strides: Numbers, dilations: Numbers, pads: Sequence[Pair], fill: float
) -> NumPyArray:
    """All windows: [batch, *places, channels, *window], a view of the padded images."""
    x = _padded(x, pads, fill)
    count, reach = len(strides), reach_of(window, dilations)
    _check_reach(reach, x.shape[1:-1])
    views = np.lib.stride_tricks.sliding_window_view(x, reach, tuple(range(1, count + 1)))
    every = [slice(None, None, s) for s in strides], [slice(None, None, r) for r in dilations]
    return views[(slice(None), *every[0], slice(None), *every[1])]


def _check_reach(reach: Numbers, size: Sequence[int]) -> None:
    if any(d < r for d, r in zip(size, reach)):
        raise InvalidArgumentError(
            f"windows over {reach} pixels are larger than images of {tuple(size)}, padding included"
        )


def _columns(x: NumPyArray, window: Sequence[int], groups: int, strides: Numbers, padding: Padding,
             dilations: Numbers) -> tuple[NumPyArray, Numbers]:  # fmt: skip
    """The windows as rows of a matrix for each group, [groups, places, window * channels], and the places."""
    pads = padding_of(padding, x.shape[1:-1], window, strides, dilations)
    views, count = _windows(x, window, strides, dilations, pads, 0), len(strides)
    last = count + 1
    moved = views.transpose(*range(last), *range(last + 1, last + 1 + count), last)
    places, taps = moved.shape[:last], math.prod(window)
    rows = moved.reshape(math.prod(places), taps, groups, x.shape[-1] // groups)
    return rows.transpose(2, 0, 1, 3).reshape(groups, len(rows), taps * (x.shape[-1] // groups)), places


def _filter_matrices(filters: NumPyArray, groups: int) -> NumPyArray:
    """Filters as [groups, window * channels, units of a group]."""
    units = filters.shape[-1] // groups
    return filters.reshape(math.prod(filters.shape[:-1]), groups, units).transpose(1, 0, 2)


@kernel
def convolved(
    x: NumPyArray, filters: NumPyArray, strides: Numbers, padding: Padding, dilations: Numbers, groups: int = 1
) -> object:
    """Windows as rows of a matrix, times the filters."""
    *window, channels, units = filters.shape
    if x.shape[-1] != channels * groups or units % groups:
        met = f" in {groups} groups" if groups > 1 else ""
        raise InvalidArgumentError(
            f"{_name(strides)} of images {x.shape} and filters {filters.shape}: {x.shape[-1]} channels meet "
            f"{channels}{met}"
        )
    rows, places = _columns(x, window, groups, strides, padding, dilations)
    made = np.matmul(rows, _filter_matrices(filters, groups))
    return made.transpose(1, 0, 2).reshape(*places, units)


@kernel
def images_of(
    results: NumPyArray, filters: NumPyArray, *given: SupportsInt, shape: Sequence[int | None], strides: Numbers,
    padding: Padding, dilations: Numbers, groups: int = 1,
) -> object:  # fmt: skip
    """The results, each times its filters, added up where the windows lay in images of this size."""
    size, (*window, channels, units) = dims(shape, given), filters.shape
    _check_places(size, window, results.shape, strides, padding, dilations)
    if results.shape[-1] != units or units % groups:
        raise InvalidArgumentError(
            f"{_name(strides)}_transpose of {results.shape} and filters {filters.shape}: {results.shape[-1]} channels "
            f"meet {units}"
        )
    pads = padding_of(padding, size, window, strides, dilations)
    count = math.prod(results.shape[:-1])
    rows = results.reshape(count, groups, units // groups).transpose(1, 0, 2)
    parts = np.matmul(rows, _filter_matrices(filters, groups).transpose(0, 2, 1)).transpose(1, 0, 2)
    parts = parts.reshape(*results.shape[:-1], groups, *window, channels)
    whole = np.zeros((len(results), *(a + d + b for d, (a, b) in zip(size, pads)), groups, channels), parts.dtype)
    n = len(size)
    for tap in np.ndindex(*window):
        places = zip(tap, dilations, strides, results.shape[1:-1])
        index = tuple(slice(k * r, k * r + (m - 1) * s + 1, s) if m else slice(0) for k, r, s, m in places)
        whole[(slice(None), *index)] += parts[(slice(None),) * (n + 2) + tap]
    inside = tuple(slice(a, a + d) for d, (a, _) in zip(size, pads))
    return np.ascontiguousarray(whole[(slice(None), *inside)]).reshape(len(results), *size, groups * channels)


@kernel
def filters_of(
    x: NumPyArray, results: NumPyArray, *given: SupportsInt, shape: Sequence[int | None], strides: Numbers,
    padding: Padding, dilations: Numbers, groups: int = 1,
) -> object:  # fmt: skip
    """The sums of what lay under windows of this size, each times the result there."""
    window = dims(shape, given)
    _check_places(x.shape[1:-1], window, results.shape, strides, padding, dilations)
    rows, _ = _columns(x, window, groups, strides, padding, dilations)
    units = results.shape[-1]
    given_rows = results.reshape(rows.shape[1], groups, units // groups).transpose(1, 0, 2)
    made = np.matmul(rows.transpose(0, 2, 1), given_rows)  # [groups, window * channels, units of a group]
    return made.transpose(1, 0, 2).reshape(*window, x.shape[-1] // groups, units)


def _check_places(
    size: Sequence[int], window: Sequence[int], results: Sequence[int], strides: Numbers, padding: Padding,
    dilations: Numbers,
) -> None:  # fmt: skip
    pads, reach = padding_of(padding, size, window, strides, dilations), reach_of(window, dilations)
    places = tuple((d + sum(p) - k) // s + 1 for d, p, k, s in zip(size, pads, reach, strides))
    if places != tuple(results[1:-1]):
        raise InvalidArgumentError(
            f"{_name(strides)} with filters of {tuple(window)}: images of {tuple(size)} have results of {places}, not "
            f"of {tuple(results[1:-1])}"
        )


def _positions(
    size: Sequence[Dim], window: Sequence[Dim], strides: Numbers, padding: Padding, dilations: Numbers
) -> list[Dim]:
    """The sizes of the result."""
    found: list[Dim] = []
    for axis, (d, k, s, r) in enumerate(zip(size, window, strides, dilations)):
        extra = 0 if isinstance(padding, str) else sum(padding[axis])
        reach = (k - 1) * r + 1 if isinstance(k, int) else None
        if isinstance(d, int) and (padding == "SAME" or reach is not None):
            count = -(-d // s) if padding == "SAME" or reach is None else (d + extra - reach) // s + 1
            if count < 1 and (padding != "SAME" or d):
                raise ValueError(f"a window of {reach} does not fit {d + extra} rows or columns of images")
            found.append(count)
        else:
            stays = s == 1 and (padding == "SAME" or reach == extra + 1)
            found.append(d if stays else None)
    return found


def _dims(t: TensorType, count: int, function: str, what: str) -> Sequence[Dim]:
    """The dimensions, None for what is not known."""
    if t.shape is None:
        return (None,) * (count + 2)
    if len(t.shape) != count + 2:
        raise ValueError(f"{function} takes {what} of rank {count + 2}; these have shape {shapes.show(t.shape)}")
    return t.shape


def _name(strides: Numbers) -> str:
    return f"conv{len(strides)}d"


def _times(d: Dim, groups: int) -> Dim:
    return d * groups if isinstance(d, int) else d if groups == 1 else None


def _convolution(
    x: TensorType, filters: TensorType, *, strides: Numbers, padding: Padding, dilations: Numbers, groups: int
) -> TensorType:
    name, n = _name(strides), len(strides)
    size, window = _dims(x, n, name, "images"), _dims(filters, n, name, "filters")
    depth = _times(window[n], groups)
    if isinstance(size[-1], int) and isinstance(depth, int) and size[-1] != depth:
        raise InvalidArgumentError(
            f"{name} of images {shapes.show(x.shape)} and filters {shapes.show(filters.shape)}: "
            f"{size[-1]} channels meet {window[n]}{f' in {groups} groups' if groups > 1 else ''}"
        )
    units = window[-1]
    if isinstance(units, int) and units % groups:
        raise ValueError(
            f"{name} with filters {shapes.show(filters.shape)}: {groups} groups do not share {units} units"
        )
    middle = _positions(size[1:-1], window[:n], strides, padding, dilations)
    return TensorType(x.dtype, (size[0], *middle, units))


def _images(
    results: TensorType, filters: TensorType, *given: TensorType, shape: Sequence[int | None], strides: Numbers,
    padding: Padding, dilations: Numbers, groups: int,
) -> TensorType:  # fmt: skip
    name, n = f"{_name(strides)}_transpose", len(strides)
    places, window = _dims(results, n, name, "results"), _dims(filters, n, name, "filters")
    size = with_sizes(shape, given)
    _fit(name, size, window[:n], places, strides, padding, dilations)
    if isinstance(places[-1], int) and isinstance(window[-1], int) and places[-1] != window[-1]:
        raise ValueError(
            f"{name} of {shapes.show(results.shape)} and filters {shapes.show(filters.shape)}: {places[-1]} channels "
            f"meet {window[-1]}"
        )
    return TensorType(results.dtype, (places[0], *size, _times(window[n], groups)))


def _filters(
    x: TensorType, results: TensorType, *given: TensorType, shape: Sequence[int | None], strides: Numbers,
    padding: Padding, dilations: Numbers, groups: int,
) -> TensorType:  # fmt: skip
    name, n = _name(strides), len(strides)
    size, places = _dims(x, n, name, "images"), _dims(results, n, name, "results")
    window = with_sizes(shape, given)
    _fit(name, size[1:-1], window, places, strides, padding, dilations)
    depth = size[-1] // groups if isinstance(size[-1], int) else _times(size[-1], groups)
    return TensorType(x.dtype, (*window, depth, places[-1]))


def _fit(
    name: str, size: Sequence[Dim], window: Sequence[Dim], places: Sequence[Dim], strides: Numbers, padding: Padding,
    dilations: Numbers,
) -> None:  # fmt: skip
    """That images of this size have results of that one."""
    wanted = _positions(size, window, strides, padding, dilations)
    if any(a != b for a, b in zip(wanted, places[1:-1]) if isinstance(a, int) and isinstance(b, int)):
        raise ValueError(
            f"{name}: images of {shapes.show(tuple(size))} have results of {shapes.show(tuple(wanted))}, not of "
            f"{shapes.show(tuple(places[1:-1]))}"
        )


def _options(attributes: Mapping[str, object], *names: str) -> str:
    return "".join(f", {name}={show_attribute(attributes[name])}" for name in names)


def _shown(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
    groups = _options(attributes, "groups") if attributes.get("groups", 1) != 1 else ""
    given = ", ".join(show_attribute(attributes[name]) for name in ("strides", "padding", "dilations"))
    return f"convolved({inputs[0]}, {inputs[1]}, {given}{groups})"


def _shown_part(function: str) -> Render:
    def render(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
        groups = ("groups",) if attributes.get("groups", 1) != 1 else ()
        shape = attributes["shape"]
        options = _options(attributes, "shape", "strides", "padding", "dilations", *groups)
        assert isinstance(shape, tuple)
        return f"{function}({', '.join(inputs)}{options})"

    return render


def _of_rank(two: str, three: str, deep: str = "") -> Callable[[Node], str]:
    """The name in TensorFlow, which has one for two sizes, one for three, and one for a group for each channel."""

    def name(node: Node) -> str:
        attributes = node.attributes
        if len(attributes["strides" if "strides" in attributes else "window"]) == 3:
            return three
        return deep if deep and attributes.get("groups", 1) > 1 else two

    return name


_PART = "shape={shape}, strides={strides}, padding={padding}, dilations={dilations}, groups={groups})"
convolution = op(
    "convolution",
    _convolution,
    "convolved({0}, {1}, {strides}, {padding}, {dilations}, {groups})",
    tf=_of_rank("Conv2D", "Conv3D", "DepthwiseConv2dNative"),
    heavy=lambda _: 1.0,
    render=_shown,
)
convolution_images = op(
    "convolution_images",
    _images,
    "images_of({*}, " + _PART,
    tf=_of_rank("Conv2DBackpropInput", "Conv3DBackpropInputV2", "DepthwiseConv2dNativeBackpropInput"),
    heavy=lambda _: 1.0,
    takes_shape=True,
    render=_shown_part("images_of"),
)
convolution_filters = op(
    "convolution_filters",
    _filters,
    "filters_of({*}, " + _PART,
    tf=_of_rank("Conv2DBackpropFilter", "Conv3DBackpropFilterV2", "DepthwiseConv2dNativeBackpropFilter"),
    heavy=lambda _: 1.0,
    takes_shape=True,
    render=_shown_part("filters_of"),
)


def _lowest(x: NumPyArray) -> float:
    return -np.inf if x.dtype.kind == "f" else int(np.iinfo(x.dtype).min)


@kernel
def pooled(
    x: NumPyArray, how: str, window: Numbers, strides: Numbers, padding: Padding, dilations: Numbers | None = None
) -> object:
    """The largest element, or the mean of those inside the image, of each window and channel: along one size after the
    other, as that is a few operations with the whole image."""
    dilations = dilations or (1,) * len(window)
    places = _places_in(x.shape[1:-1], window, strides, padding, dilations)
    if how == "max":
        return _combined(x, places, np.maximum, _lowest(x))
    wide = np.float32 if x.dtype == np.float16 else x.dtype
    total = _combined(x.astype(wide, copy=False), places, np.add, 0).astype(x.dtype, copy=False)
    return total / _inside(places, x.dtype)


@dataclass(frozen=True)
class _Places:
    """Where windows begin along one size of images, by how much they move on, and where each of their elements lies."""

    size: int  # of the images
    count: int  # of the windows
    before: int  # of padding
    stride: int
    taps: tuple[int, ...]  # from the beginning of a window

    def inside(self, tap: int) -> tuple[slice, slice]:
        """The windows of which an element is inside of the image, and where it is there."""
        first = tap - self.before
        low = max(-(first // self.stride), 0)  # the least number with first + low * stride >= 0
        high = min((self.size - 1 - first) // self.stride + 1, self.count)
        if high <= low:
            return slice(0), slice(0)
        start = first + low * self.stride
        return slice(low, high), slice(start, start + (high - low - 1) * self.stride + 1, self.stride)


def _places_in(
    size: Sequence[int], window: Sequence[int], strides: Numbers, padding: Padding, dilations: Numbers
) -> list[_Places]:
    pads, reach = padding_of(padding, size, window, strides, dilations), reach_of(window, dilations)
    _check_reach(reach, [d + sum(p) for d, p in zip(size, pads)])
    return [
        _Places(d, (d + a + b - k) // s + 1, a, s, tuple(range(0, k, r)))
        for d, (a, b), k, s, r in zip(size, pads, reach, strides, dilations)
    ]


def _each_tap(places: Sequence[_Places]) -> Iterator[tuple[int, Slices, Slices]]:
    """The elements of windows by their numbers: for which windows they are inside of the image, and where."""
    for number, tap in enumerate(itertools.product(*(along.taps for along in places))):
        here, there = zip(*(along.inside(t) for along, t in zip(places, tap)))
        yield number, (slice(None), *here), (slice(None), *there)


def _combined(x: NumPyArray, places: Sequence[_Places], function: np.ufunc, start: float) -> NumPyArray:
    """The elements of each window in one, which is the start where there are none."""
    for axis, along in enumerate(places, 1):
        every = (slice(None),) * axis
        found: NumPyArray | None = None
        parts = [along.inside(tap) for tap in along.taps]
        whole = [there for here, there in parts if here == slice(0, along.count)]
        if len(whole) == len(parts) > 1:
            found = function(x[(*every, whole[0])], x[(*every, whole[1])])
            parts = parts[2:]
        else:
            found = np.full((*x.shape[:axis], along.count, *x.shape[axis + 1 :]), start, x.dtype)
        for here, there in parts:
            part = found[(*every, here)]
            function(part, x[(*every, there)], out=part)
        x = found
    return x


def _inside(places: Sequence[_Places], dtype: np.dtype[Any]) -> NumPyArray:
    """How many elements of each window are inside of the image: [1, *places, 1]."""
    counts = np.ones((1, *(along.size for along in places), 1), dtype)
    return _combined(counts, places, np.add, 0)


def _largest(x: NumPyArray, places: Sequence[_Places]) -> NumPyArray:
    """Which element of each window is the largest one: the first of several, and NaN before all; padding is none."""
    counts, taps = [along.count for along in places], [len(along.taps) for along in places]
    best = np.full((len(x), *counts, x.shape[-1]), _lowest(x), x.dtype)
    # The first of those inside, which is it where all are the least number there is; then numbers grow.
    chosen = np.zeros(best.shape, np.min_scalar_type(math.prod(taps)))
    for axis, along in enumerate(places):
        firsts = np.zeros(along.count, chosen.dtype)
        for number in reversed(range(taps[axis])):
            firsts[along.inside(along.taps[number])[0]] = number * math.prod(taps[axis + 1 :])
        chosen += firsts.reshape(-1, *(1,) * (len(places) - axis))
    for number, here, there in _each_tap(places):
        value, so_far = x[there], best[here]
        more = ~(value <= so_far)
        if x.dtype.kind == "f":
            more &= so_far == so_far
        np.maximum(so_far, value, out=so_far)
        np.maximum(chosen[here], more * chosen.dtype.type(number), out=chosen[here])
    return chosen


@kernel
def unpooled(
    x: NumPyArray, results: NumPyArray, how: str, window: Numbers, strides: Numbers, padding: Padding,
    dilations: Numbers | None = None,
) -> object:  # fmt: skip
    """The results, added up where the largest elements of windows lie, or shared among all of each window."""
    dilations = dilations or (1,) * len(window)
    made = np.zeros(x.shape, results.dtype)
    if not results.size:
        return made
    places = _places_in(x.shape[1:-1], window, strides, padding, dilations)
    chosen = _largest(x, places) if how == "max" else None
    if chosen is None:
        results = results / _inside(places, results.dtype)
    is_finite = np.isfinite(results).all()  # a product takes a fraction of the time of a choice, and there is no NaN
    for number, here, there in _each_tap(places):
        part = results[here]
        if chosen is not None:
            mine = chosen[here] == number
            part = part * mine if is_finite else np.where(mine, part, results.dtype.type(0))
        made[there] += part
    return made


@kernel
def chosen_in(
    x: NumPyArray, values: NumPyArray, window: Numbers, strides: Numbers, padding: Padding,
    dilations: Numbers | None = None,
) -> object:  # fmt: skip
    """Of other images, the elements that stand where those of `x` are the largest of each window."""
    places = _places_in(values.shape[1:-1], window, strides, padding, dilations or (1,) * len(window))
    made = np.zeros((len(values), *(along.count for along in places), values.shape[-1]), values.dtype)
    if made.size:
        chosen = _largest(x, places)
        for number, here, there in _each_tap(places):
            np.copyto(made[here], values[there], where=chosen[here] == number)
    return made


def _pool(
    x: TensorType, *, how: str, window: Numbers, strides: Numbers, padding: Padding, dilations: Numbers
) -> TensorType:
    n = len(window)
    size = _dims(x, n, f"{how}_pool{n}d", "images")
    middle = _positions(size[1:-1], window, strides, padding, dilations)
    return TensorType(x.dtype, (size[0], *middle, size[-1]))


def _unpool(
    x: TensorType, results: TensorType, *, how: str, window: Numbers, strides: Numbers, padding: Padding,
    dilations: Numbers,
) -> TensorType:  # fmt: skip
    n = len(window)
    size, places = _dims(x, n, f"{how}_pool{n}d", "images"), _dims(results, n, f"{how}_pool{n}d", "results")
    _fit(f"{how}_pool{n}d", size[1:-1], window, places, strides, padding, dilations)
    return TensorType(results.dtype, x.shape)


def _choice(
    x: TensorType, values: TensorType, *, window: Numbers, strides: Numbers, padding: Padding,
    dilations: Numbers,
) -> TensorType:  # fmt: skip
    made = _pool(x, how="max", window=window, strides=strides, padding=padding, dilations=dilations)
    return TensorType(values.dtype, made.shape)


def _shown_pool(function: str) -> Render:
    def render(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
        names = [name for name in ("how", "window", "strides", "padding") if name in attributes]
        if set(attributes["dilations"]) != {1}:  # type: ignore[call-overload]
            names.append("dilations")
        return f"{function}({', '.join(inputs)}, {', '.join(show_attribute(attributes[name]) for name in names)})"

    return render


def _of_pool(largest: str, mean: str) -> Callable[[Node], str]:
    """The name in TensorFlow."""

    def name(node: Node) -> str:
        stem = largest if node.attributes.get("how", "max") == "max" else mean
        return stem.replace("Pool", "Pool3D") if len(node.attributes["window"]) == 3 else stem

    return name


_WINDOWS = "{window}, {strides}, {padding}, {dilations})"
pool = op(
    "pool", _pool, "pooled({0}, {how}, " + _WINDOWS, tf=_of_pool("MaxPool", "AvgPool"), heavy=lambda _: 1.0,
    render=_shown_pool("pooled"),
)  # fmt: skip
unpool = op(
    "unpool", _unpool, "unpooled({0}, {1}, {how}, " + _WINDOWS, tf=_of_pool("MaxPoolGrad", "AvgPoolGrad"),
    heavy=lambda _: 1.0, render=_shown_pool("unpooled"),
)  # fmt: skip
pool_choice = op(
    "pool_choice", _choice, "chosen_in({0}, {1}, " + _WINDOWS, tf=_of_pool("MaxPoolGradGrad", ""), heavy=lambda _: 1.0,
    render=_shown_pool("chosen_in"),
)  # fmt: skip
