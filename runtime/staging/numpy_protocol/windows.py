"""What NumPy's functions that go through an array part by part do with tensors: by windows, and by stretches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime import control
from runtime.graph.shapes import axis_of
from runtime.staging.numpy_protocol.joining import along
from runtime.staging.numpy_protocol.meanings import MAKERS, REDUCTIONS, means, need, numpys, operand
from runtime.tensors import making, mathematics, shaping
from runtime.tensors.conversion import cast, static_value
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
    need(size >= width, ValueError("window shape cannot be larger than input array shape"))
    starts = (np.arange if isinstance(size, int) else MAKERS[np.arange])(size - width + 1)
    windows = numpys(np.take, x, starts[:, None] + np.arange(width), axis)
    return numpys(np.moveaxis, windows, axis + 1, -1)  # type: ignore[no-any-return]


def by_stretches(ufunc: Any, x: object, indices: object, axis: Any = 0, dtype: object = None) -> Tensor | None:
    """What ``ufunc.reduceat`` is: each stretch from one index to the next, reduced; None where indices are no vector.

    Raises IndexError for an index that lies outside.
    """
    found, starting = operand(x), operand(indices)
    at = axis_of(axis, len(found.shape))
    size = making.like_shape(found)[at]
    if len(starting.shape) != 1:
        return None
    places = static_value(starting)
    if places is None or not isinstance(size, int) or len(places) > _UNROLLED:
        return _each_stretch(ufunc, found, starting, at, {} if dtype is None else {"dtype": dtype})
    if wrong := [int(place) for place in places if not 0 <= place < size]:
        raise IndexError(f"index {wrong[0]} out-of-bounds in {ufunc.__name__}.reduceat [0, {size})")
    starts = [int(place) for place in places]
    given = {} if dtype is None else {"dtype": dtype}
    length = size // len(starts) if starts and size % len(starts) == 0 else 0
    if length and starts == [*range(0, size, length)]:
        dims = making.like_shape(found)
        found = shaping.reshape(found, [*dims[:at], len(starts), length, *dims[at + 1 :]])
        return REDUCTIONS[ufunc](found, axis=at + 1, **given)  # type: ignore[no-any-return]
    ends = [end if start < end else start + 1 for start, end in zip(starts, [*starts[1:], size])]
    parts = [along(found, at, slice(start, end)) for start, end in zip(starts, ends)]
    reduced = [REDUCTIONS[ufunc](part, axis=at, keepdims=True, **given) for part in parts]
    return numpys(np.concatenate, reduced, at)  # type: ignore[no-any-return]


_UNROLLED = 32  # stretches; more are a loop


def _each_stretch(ufunc: Any, x: Tensor, indices: Tensor, axis: int, given: dict[str, Any]) -> Tensor:
    """The stretches along an axis, one after the other."""
    moved = numpys(np.moveaxis, x, axis, 0)
    size = making.like_shape(moved)[0]
    starts = cast(indices, np.int64)
    inside = numpys(np.all, mathematics.logical_and(starts >= 0, starts < size))
    need(inside, IndexError(f"index out-of-bounds in {ufunc.__name__}.reduceat"))
    followed = shaping.concat([starts[1:], shaping.reshape(cast(operand(size), np.int64), [1])], 0)
    ends = mathematics.where(starts < followed, followed, starts + 1)

    def reduced(bounds: tuple[Any, Any]) -> Tensor:
        start, end = bounds
        return REDUCTIONS[ufunc](moved[start:end], axis=0, **given)  # type: ignore[no-any-return]

    made = control.map_fn(reduced, (starts, ends))
    return numpys(np.moveaxis, made, 0, axis)  # type: ignore[no-any-return]
