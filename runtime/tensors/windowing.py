"""Windows: what the parts of a signal are multiplied by, so that they fade in and out."""

from __future__ import annotations

import math

from runtime.graph.dtypes import as_dtype, float32
from runtime.tensors import making, mathematics as m
from runtime.tensors.bessel import bessel_i0
from runtime.tensors.conversion import cast, operand, static_value
from runtime.tensors.reductions import cumsum
from runtime.tensors.shaping import concat, reverse
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, Size, SizeLike, TensorLike


def _places(window_length: SizeLike, dtype: DTypeLike) -> tuple[Size, Tensor]:
    """The length, and the numbers from 0 on."""
    kind = as_dtype(dtype)
    if not kind.is_floating:
        raise ValueError(f"a window with dtype={kind.name}: it has floats")
    given = operand(window_length)
    length: Size = given if (known := static_value(given)) is None else int(known)
    return length, cast(making.range(length), kind)


def _raised_cosine(window_length: SizeLike, periodic: bool, dtype: DTypeLike, a: float, b: float) -> Tensor:
    length, places = _places(window_length, dtype)
    if isinstance(length, int) and length == 1:
        return making.ones([1], dtype)
    whole = length - length % 2 if periodic else length - 1
    return a - b * m.cos(places * (2 * math.pi) / cast(operand(whole), places.dtype))


def hann_window(
    window_length: SizeLike, periodic: bool = True, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """Hann's window: one wave of a cosine, from 0 to 1 and back.

    Args:
      window_length: how many numbers.
      periodic: whether it is a period, so that windows one after another are as smooth; only even lengths are.
      dtype: that of the result.
    Returns: floats of shape [window_length].
    Raises:
      ValueError: for a dtype that is none of floats.

    >>> print(tf.signal.hann_window(4).numpy().round(3))
    [0.  0.5 1.  0.5]
    """
    return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(
    window_length: SizeLike, periodic: bool = True, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """Hamming's window: one wave of a cosine, from 0.08 to 1 and back.

    Args:
      window_length: how many numbers.
      periodic: whether it is a period, so that windows one after another are as smooth; only even lengths are.
      dtype: that of the result.
    Returns: floats of shape [window_length].
    Raises:
      ValueError: for a dtype that is none of floats.

    >>> print(tf.signal.hamming_window(4).numpy().round(3))
    [0.08 0.54 1.   0.54]
    """
    return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46)


def vorbis_window(window_length: SizeLike, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """The window of the format Vorbis, for `mdct`.

    Args:
      window_length: how many numbers.
      dtype: that of the result.
    Returns: floats of shape [window_length].
    Raises:
      ValueError: for a dtype that is none of floats.

    >>> print(tf.signal.vorbis_window(4).numpy().round(3))
    [0.228 0.974 0.974 0.228]
    """
    length, places = _places(window_length, dtype)
    waves = m.sin((places + 0.5) * math.pi / cast(operand(length), places.dtype))
    return m.sin(m.square(waves) * (math.pi / 2))


def kaiser_window(
    window_length: SizeLike, beta: TensorLike = 12.0, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """Kaiser's window.

    Args:
      window_length: how many numbers.
      beta: how narrow it is: 0 for a rectangle.
      dtype: that of the result.
    Returns: floats of shape [window_length].
    Raises:
      ValueError: for a dtype that is none of floats.

    >>> print(tf.signal.kaiser_window(3, beta=1.0).numpy().round(3))
    [0.79 1.   0.79]
    """
    length, places = _places(window_length, dtype)
    if isinstance(length, int) and length == 1:
        return making.ones([1], dtype)
    half = cast(operand(length - 1), places.dtype) / 2.0
    width = cast(operand(beta), places.dtype)
    inside = m.maximum(1.0 - m.square((places - half) / half), 0.0)
    return m.divide(bessel_i0(width * m.sqrt(inside)), bessel_i0(width))


def kaiser_bessel_derived_window(
    window_length: SizeLike, beta: TensorLike = 12.0, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """The window that is derived from Kaiser's, for `mdct`.

    Args:
      window_length: how many numbers, an even one.
      beta: how narrow it is.
      dtype: that of the result.
    Returns: floats of shape [window_length].
    Raises:
      ValueError: for a dtype that is none of floats.

    >>> print(tf.signal.kaiser_bessel_derived_window(4, beta=1.0).numpy().round(3))
    [0.553 0.833 0.833 0.553]
    """
    length, _ = _places(window_length, dtype)
    sums = cumsum(kaiser_window(length // 2 + 1, beta, dtype))
    rising = m.sqrt(sums[:-1] / sums[-1])
    return concat([rising, reverse(rising, [0])], 0)
