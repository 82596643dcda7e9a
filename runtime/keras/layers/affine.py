"""Pictures seen through an affine transformation: shifted, turned, larger or smaller."""

from __future__ import annotations

from runtime.graph.dtypes import float32, int32
from runtime.keras.shapes import sizes_of
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, constant
from runtime.tensors.making import range as arange
from runtime.tensors.parts import gather
from runtime.tensors.shaping import expand_dims, reshape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Size

FILL_MODES = ("reflect", "wrap", "constant", "nearest")
INTERPOLATIONS = ("nearest", "bilinear")


def transformed(x: Tensor, rows: Tensor, interpolation: str, fill_mode: str, fill_value: float) -> Tensor:
    """What a picture shows at places that are an affine function of the places in the result.

    Args:
      x: pictures, of shape [batch, height, width, channels], of floats.
      rows: ``(a, b, c, d, e, f)`` for each, of shape [batch, 6]: what is at column x and row y of the result comes from
        column ``a * x + b * y + c`` and row ``d * x + e * y + f``.
      interpolation: one of `INTERPOLATIONS`.
      fill_mode: one of `FILL_MODES`: what there is outside of a picture.
      fill_value: the value outside, for ``"constant"``.
    Returns: a tensor of the shape and dtype of `x`.

    >>> shift = tf.constant([[1.0, 0.0, 1.0, 0.0, 1.0, 0.0]])
    >>> print(transformed(tf.constant([[[[1.0], [2.0], [3.0]]]]), shift, "bilinear", "constant", 0.0)[0, 0, :, 0])
    tf.Tensor([2. 3. 0.], shape=(3,), dtype=float32)
    """
    _, height, width, _ = sizes_of(x)
    across = cast(arange(width), float32)
    down = expand_dims(cast(arange(height), float32), -1)
    a, b, c, d, e, f = (reshape(rows[:, i], [-1, 1, 1]) for i in range(6))
    column = _inside(a * across + b * down + c, width, fill_mode)
    row = _inside(d * across + e * down + f, height, fill_mode)
    if interpolation == "nearest":
        return _read(x, _nearest(row), _nearest(column), fill_value)
    left, top = m.floor(column), m.floor(row)
    right, below = left + 1.0, top + 1.0

    def between(at: Tensor) -> Tensor:
        """Between the columns to the left and to the right."""
        one, other = (_read(x, at, place, fill_value) for place in (left, right))
        return _weight(right - column, x) * one + _weight(column - left, x) * other

    return _weight(below - row, x) * between(top) + _weight(row - top, x) * between(below)


def _weight(w: Tensor, x: Tensor) -> Tensor:
    return cast(expand_dims(w, -1), x.dtype)


def _nearest(place: Tensor) -> Tensor:
    """Numbers rounded, halves away from 0."""
    return m.sign(place) * m.floor(m.abs(place) + 0.5)


def _inside(place: Tensor, count: Size, fill_mode: str) -> Tensor:
    """Places outside of a picture as such inside that show the same; those of a constant stay."""
    if fill_mode == "constant":
        return place
    size = cast(count, float32)
    last = size - 1.0
    if fill_mode == "reflect":
        place = _mirrored(place, size)
    elif fill_mode == "wrap":
        # As TensorFlow has it: it counts how often a picture of one column less fits in.
        span = m.maximum(last, 1.0)
        below = place + size * (_whole(-place / span) + 1.0)
        above = place - size * _whole(place / span)
        place = m.where(place < 0.0, below, m.where(place > last, above, place))
    return m.minimum(m.maximum(place, 0.0), last)


def _mirrored(place: Tensor, size: Tensor) -> Tensor:
    """``d c b a | a b c d | d c b a``."""
    twice = size * 2.0
    below = m.where(place < twice, place + twice * _whole(-place / twice), place)
    below = m.where(below < -size, below + twice, -below - 1.0)
    above = place - twice * _whole(place / twice)
    above = m.where(above >= size, twice - above - 1.0, above)
    return m.where(place < 0.0, below, m.where(place > size - 1.0, above, place))


def _whole(x: Tensor) -> Tensor:
    """What is before the point."""
    return m.floor(m.abs(x)) * m.sign(x)


def _read(x: Tensor, row: Tensor, column: Tensor, fill_value: float) -> Tensor:
    """The elements at whole places of each picture, or a value where there are none."""
    batch, height, width, channels = sizes_of(x)
    high, wide = cast(height, float32), cast(width, float32)
    there = m.logical_and(m.logical_and(row >= 0.0, row < high), m.logical_and(column >= 0.0, column < wide))
    place = cast(m.where(there, row, 0.0), int32) * cast(width, int32) + cast(m.where(there, column, 0.0), int32)
    place = place + reshape(arange(batch), [-1, 1, 1]) * cast(height, int32) * cast(width, int32)
    found = gather(reshape(x, [-1, channels]), place)
    return m.where(expand_dims(there, -1), found, constant(fill_value, x.dtype))
