"""Convolution and pooling of images: [batch, height, width, channels]."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import TensorType
from runtime.graph.op import kernel, op
from runtime.graph.shapes import Dim, Dims

Pair = tuple[int, int]
Padding = str | tuple[Pair, Pair]


def padding_of(
    padding: Padding, size: Pair, window: Pair, strides: Pair, dilations: Pair = (1, 1)
) -> tuple[Pair, Pair]:
    """How many rows and columns are added before and after.

    >>> padding_of("SAME", (5, 5), (3, 3), (2, 2)), padding_of("VALID", (5, 5), (3, 3), (2, 2))
    (((1, 1), (1, 1)), ((0, 0), (0, 0)))
    """
    if not isinstance(padding, str):
        return padding
    if padding == "VALID":
        return (0, 0), (0, 0)
    found = []
    for d, k, s, r in zip(size, window, strides, dilations):
        total = max((-(-d // s) - 1) * s + (k - 1) * r + 1 - d, 0)
        found.append((total // 2, total - total // 2))
    return found[0], found[1]


def _windows(
    x: NumPyArray, window: Pair, strides: Pair, dilations: Pair, pads: tuple[Pair, Pair], fill: float
) -> NumPyArray:
    """All windows: [batch, rows, columns, channels, window rows, window columns], a view of the padded images."""
    if any(map(any, pads)):
        x = np.pad(x, ((0, 0), *pads, (0, 0)), constant_values=fill)
    reach = tuple((k - 1) * r + 1 for k, r in zip(window, dilations))
    if any(d < r for d, r in zip(x.shape[1:3], reach)):
        raise InvalidArgumentError(f"a window of {reach} is larger than an image of {x.shape[1:3]}")
    views = np.lib.stride_tricks.sliding_window_view(x, reach, (1, 2))
    return views[:, :: strides[0], :: strides[1], :, :: dilations[0], :: dilations[1]]


@kernel
def convolved(x: NumPyArray, filters: NumPyArray, strides: Pair, padding: Padding, dilations: Pair) -> object:
    """Windows as rows of a matrix, times the filters."""
    rows, columns, channels, units = filters.shape
    if x.shape[3] != channels:
        raise InvalidArgumentError(f"images have {x.shape[3]} channels and filters {channels}")
    pads = padding_of(padding, x.shape[1:3], (rows, columns), strides, dilations)
    views = _windows(x, (rows, columns), strides, dilations, pads, 0)
    matrix = views.transpose(0, 1, 2, 4, 5, 3).reshape(-1, rows * columns * channels)
    return (matrix @ filters.reshape(-1, units)).reshape(*views.shape[:3], units)


def _positions(
    size: Dims, window: Sequence[Dim], strides: Pair, padding: Padding, dilations: Pair = (1, 1)
) -> list[Dim]:
    """The rows and columns of the result."""
    found: list[Dim] = []
    for axis, (d, k, s, r) in enumerate(zip(size or (None, None), window, strides, dilations)):
        if not isinstance(d, int) or not isinstance(k, int):
            found.append(None)
        elif padding == "SAME":
            found.append(-(-d // s))
        else:
            extra = 0 if isinstance(padding, str) else sum(padding[axis])
            count = (d + extra - (k - 1) * r - 1) // s + 1
            if count < 1:
                raise ValueError(f"a window of {(k - 1) * r + 1} does not fit {d + extra} rows or columns of images")
            found.append(count)
    return found


def _conv2d(x: TensorType, filters: TensorType, *, strides: Pair, padding: Padding, dilations: Pair) -> TensorType:
    for what, t in (("images", x), ("filters", filters)):
        if t.shape is not None and len(t.shape) != 4:
            raise ValueError(f"conv2d takes {what} of rank 4; these have shape {shapes.show(t.shape)}")
    if x.shape is None or filters.shape is None:
        return TensorType(x.dtype, (None,) * 4)
    if isinstance(x.shape[3], int) and isinstance(filters.shape[2], int) and x.shape[3] != filters.shape[2]:
        raise ValueError(
            f"conv2d of images {shapes.show(x.shape)} and filters {shapes.show(filters.shape)}: "
            f"{x.shape[3]} channels meet {filters.shape[2]}"
        )
    middle = _positions(x.shape[1:3], filters.shape[:2], strides, padding, dilations)
    return TensorType(x.dtype, (x.shape[0], *middle, filters.shape[3]))


conv2d = op(
    "conv2d", _conv2d, "convolved({0}, {1}, {strides}, {padding}, {dilations})", tf="Conv2D", heavy=lambda _: 1.0
)


@kernel
def pooled(x: NumPyArray, how: str, window: Pair, strides: Pair, padding: Padding) -> object:
    """The largest element, or the mean of those inside the image, of each window and channel."""
    pads = padding_of(padding, x.shape[1:3], window, strides)
    if how == "max":
        lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        return np.ascontiguousarray(_windows(x, window, strides, (1, 1), pads, lowest).max((-2, -1)))
    total = _windows(x, window, strides, (1, 1), pads, 0).sum((-2, -1), dtype=x.dtype)
    ones = np.ones((1, *x.shape[1:3], 1), x.dtype)
    return total / _windows(ones, window, strides, (1, 1), pads, 0).sum((-2, -1), dtype=x.dtype)


def _pool2d(x: TensorType, *, how: str, window: Pair, strides: Pair, padding: Padding) -> TensorType:
    if x.shape is None:
        return TensorType(x.dtype, (None,) * 4)
    if len(x.shape) != 4:
        raise ValueError(f"{how}_pool2d takes images of rank 4; these have shape {shapes.show(x.shape)}")
    return TensorType(x.dtype, (x.shape[0], *_positions(x.shape[1:3], window, strides, padding), x.shape[3]))


pool2d = op(
    "pool2d",
    _pool2d,
    "pooled({0}, {how}, {window}, {strides}, {padding})",
    tf=lambda node: "MaxPool" if node.attributes["how"] == "max" else "AvgPool",
    heavy=lambda _: 1.0,
)
