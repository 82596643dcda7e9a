"""What NumPy's functions that go through an array part by part do with tensors: by windows, and by stretches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograph.errors import refused
from runtime.graph.shapes import axis_of
from runtime.staging.numpy_protocol.meanings import MAKERS, means, numpys, operand
from runtime.tensors import making
from runtime.tensors.tensor import Tensor


@means(np.lib.stride_tricks.sliding_window_view)
def _sliding_window_view(
    x: object, window_shape: int | Sequence[int], axis: int | Sequence[int] | None = None
) -> object:
    found = operand(x)
    rank = len(found.shape)
    window = [window_shape] if isinstance(window_shape, int | np.integer | Tensor) else [*window_shape]
    axes = [*range(rank)] if axis is None else [axis] if isinstance(axis, int | np.integer) else [*axis]
    if len(window) != len(axes):
        raise ValueError(
            f"np.lib.stride_tricks.sliding_window_view: {len(window)} window_shape elements and {len(axes)} axes"
        )
    for at, width in zip(axes, window):
        if isinstance(width, Tensor):
            raise refused(
                TypeError("np.lib.stride_tricks.sliding_window_view: only the graph knows the window's shape")
            )
        found = _windowed(found, axis_of(at, rank), int(width))
    return found


def _windowed(x: Tensor, axis: int, width: int) -> Tensor:
    """The windows along an axis, each as a new last axis."""
    if width < 0:
        raise ValueError("`window_shape` cannot contain negative values")
    size = making.like_shape(x)[axis]
    if isinstance(size, int) and size < width:
        raise ValueError("window shape cannot be larger than input array shape")
    starts = (np.arange if isinstance(size, int) else MAKERS[np.arange])(size - width + 1)
    windows = numpys(np.take, x, starts[:, None] + np.arange(width), axis)
    return numpys(np.moveaxis, windows, axis + 1, -1)  # type: ignore[no-any-return]
