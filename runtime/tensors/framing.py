"""Signals in parts that overlap, and the spectra of these."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from runtime.graph.dtypes import as_dtype, float32
from runtime.graph.shapes import axis_of
from runtime.tensors import making, mathematics as m, reductions as r
from runtime.tensors.conversion import cast, operand, static_value
from runtime.tensors.fourier import dct, irfft, of_length, rfft
from runtime.tensors.parts import gather, pad
from runtime.tensors.shaping import concat, expand_dims, reshape, reverse, split, tile
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, SizeLike, TensorLike
from runtime.tensors.windowing import hann_window, vorbis_window

Window = Callable[..., Tensor]  # of a length, with a dtype


def _known(function: str, **sizes: SizeLike) -> list[int]:
    """Sizes that must be known while tracing."""
    found = []
    for name, size in sizes.items():
        value = static_value(operand(size))
        if value is None or int(value) < 1:
            what = "one that only the graph knows" if value is None else str(int(value))
            raise ValueError(f"{function} with {name}={what}: it is a number from 1 on, known while tracing")
        found.append(int(value))
    return found


def frame(
    signal: TensorLike,
    frame_length: SizeLike,
    frame_step: SizeLike,
    pad_end: bool = False,
    pad_value: TensorLike = 0,
    axis: int = -1,
    name: str | None = None,
) -> Tensor:
    """A signal in parts of one length, that may overlap.

    Args:
      signal: a tensor of shape [..., samples, ...].
      frame_length: how many samples a part has.
      frame_step: how many samples further the next part begins.
      pad_end: whether parts begin as long as there are samples, what is missing being padded.
      pad_value: what it is padded with.
      axis: the axis of the samples.
    Returns: a tensor of shape [..., parts, frame_length, ...] and of the dtype of `signal`.
    Raises:
      ValueError: for a length or a step that only the graph knows, or less than 1.

    >>> print(tf.signal.frame([1, 2, 3, 4, 5], 3, 2).numpy())
    [[1 2 3]
     [3 4 5]]
    """
    x = operand(signal)
    length, step = _known("frame", frame_length=frame_length, frame_step=frame_step)
    at = axis_of(axis, len(x.shape))
    samples = making.like_shape(x)[at]
    if pad_end:
        count = -(-samples // step)
        missing = _at_least_0((count - 1) * step + length - samples)
        around = [[0, 0]] * at + [[0, missing]] + [[0, 0]] * (len(x.shape) - at - 1)
        x = pad(x, around, constant_values=pad_value)
    else:
        count = _at_least_0(1 + (samples - length) // step)
    starts = expand_dims(making.range(count) * step, 1)
    return gather(x, starts + making.range(length), axis=at)


def _at_least_0(size: Any) -> Any:
    return m.maximum(size, 0) if isinstance(size, Tensor) else max(size, 0)


def overlap_and_add(signal: TensorLike, frame_step: SizeLike, name: str | None = None) -> Tensor:
    """A signal of parts that overlap, which are added up: what `frame` took apart.

    Args:
      signal: a tensor of shape [..., parts, frame_length].
      frame_step: how many samples further the next part begins.
    Returns: a tensor of shape [..., (parts - 1) * frame_step + frame_length] and of the dtype of `signal`.
    Raises:
      ValueError: for a length or a step that only the graph knows, or a tensor of lower rank.

    >>> print(tf.signal.overlap_and_add([[1, 1, 1], [1, 1, 1]], 2).numpy())
    [1 1 2 1 1]
    """
    x = operand(signal)
    if len(x.shape) < 2:
        raise ValueError(f"overlap_and_add of shape {x.shape}: it takes [..., parts, frame_length]")
    *outer, parts, width = making.like_shape(x)
    length, step = _known("overlap_and_add", frame_length=width, frame_step=frame_step)
    layers = -(-length // step)
    x = reshape(of_length(x, layers * step), [*outer, parts, layers, step])
    around: list[list[int]] = [[0, 0]] * len(outer)
    moved = [pad(x[..., k, :], [*around, [k, layers - 1 - k], [0, 0]]) for k in range(layers)]
    joined = reshape(functools.reduce(m.add, moved), [*outer, (parts + layers - 1) * step])
    return joined[..., : (parts - 1) * step + length]


def _points(length: int, fft_length: SizeLike | None) -> int:
    """How many points a transform has: a power of 2, where nothing is said."""
    return _known("stft", fft_length=fft_length)[0] if fft_length is not None else 1 << (length - 1).bit_length()


def stft(
    signals: TensorLike,
    frame_length: SizeLike,
    frame_step: SizeLike,
    fft_length: SizeLike | None = None,
    window_fn: Window | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """The short-time Fourier transform: the frequencies in each of the parts of a signal.

    Args:
      signals: floats of shape [..., samples].
      frame_length: how many samples a part has.
      frame_step: how many samples further the next part begins.
      fft_length: how many points are transformed; the next power of 2 by default.
      window_fn: the window of a part, of its length and a `dtype`; None for none.
      pad_end: whether zeros follow the signal, so that parts begin as long as there are samples.
    Returns: complex numbers of shape [..., parts, fft_length // 2 + 1].
    Raises:
      ValueError: for sizes that only the graph knows, or less than 1.

    >>> tf.signal.stft(tf.ones([10]), frame_length=4, frame_step=2).shape
    TensorShape([4, 3])
    """
    length, step = _known("stft", frame_length=frame_length, frame_step=frame_step)
    parts = frame(signals, length, step, pad_end)
    if window_fn is not None:
        parts = parts * window_fn(length, dtype=parts.dtype)
    return rfft(parts, [_points(length, fft_length)])


def inverse_stft_window_fn(
    frame_step: SizeLike, forward_window_fn: Window = hann_window, name: str | None = None
) -> Window:
    """The window with which `inverse_stft` gives back the signal.

    Args:
      frame_step: how many samples further the next part begins.
      forward_window_fn: the window that `stft` had.
    Returns: a function of a length and a dtype, that gives floats of shape [length].

    >>> window = tf.signal.inverse_stft_window_fn(2)
    >>> print(window(4, dtype=tf.float32).numpy().round(3))
    [0. 1. 1. 1.]
    """
    (step,) = _known("inverse_stft_window_fn", frame_step=frame_step)

    def window(frame_length: SizeLike, dtype: DTypeLike = float32) -> Tensor:
        (length,) = _known("inverse_stft_window_fn", frame_length=frame_length)
        forward = forward_window_fn(length, dtype=as_dtype(dtype))
        layers = -(-length // step)
        energies = reshape(of_length(m.square(forward), layers * step), [layers, step])
        sums = tile(r.reduce_sum(energies, 0), [layers])
        return forward / sums[:length]

    return window


def inverse_stft(
    stfts: TensorLike,
    frame_length: SizeLike,
    frame_step: SizeLike,
    fft_length: SizeLike | None = None,
    window_fn: Window | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """The signal with these frequencies in its parts.

    Args:
      stfts: complex numbers of shape [..., parts, fft_length // 2 + 1].
      frame_length: how many samples a part has.
      frame_step: how many samples further the next part begins.
      fft_length: how many points were transformed; the next power of 2 by default.
      window_fn: the window of a part: with `inverse_stft_window_fn` the signal comes back, but for its ends.
    Returns: floats of shape [..., samples].
    Raises:
      ValueError: for sizes that only the graph knows, or less than 1.

    >>> window = tf.signal.inverse_stft_window_fn(2)
    >>> frequencies = tf.signal.stft(tf.ones([8]), 4, 2)
    >>> print(tf.signal.inverse_stft(frequencies, 4, 2, window_fn=window).numpy().round(3))
    [0.  0.5 1.  1.  1.  1.  1.  0.5]
    """
    length, step = _known("inverse_stft", frame_length=frame_length, frame_step=frame_step)
    parts = of_length(irfft(stfts, [_points(length, fft_length)]), length)
    if window_fn is not None:
        parts = parts * window_fn(length, dtype=parts.dtype)
    return overlap_and_add(parts, step)


def _windowed(parts: Tensor, length: int, window_fn: Window | None) -> Tensor:
    return parts * (math.sqrt(0.5) if window_fn is None else window_fn(length, dtype=parts.dtype))


def mdct(
    signals: TensorLike,
    frame_length: SizeLike,
    window_fn: Window | None = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The modified cosine transform: half as many frequencies as each part of a signal has samples.

    Args:
      signals: floats of shape [..., samples].
      frame_length: how many samples a part has, a multiple of 4; the next one begins in its middle.
      window_fn: the window of a part, of its length and a `dtype`; None for the same number everywhere.
      pad_end: whether zeros follow the signal, so that parts begin as long as there are samples.
      norm: ``"ortho"`` for a transform that keeps lengths.
    Returns: floats of shape [..., parts, frame_length // 2].
    Raises:
      ValueError: for another length.

    >>> tf.signal.mdct(tf.ones([16]), 8).shape
    TensorShape([3, 4])
    """
    (length,) = _known("mdct", frame_length=frame_length)
    if length % 4:
        raise ValueError(f"mdct with frame_length={length}: it is a multiple of 4")
    parts = _windowed(frame(signals, length, length // 2, pad_end), length, window_fn)
    a, b, c, d = split(parts, 4, axis=-1)
    return dct(concat([-reverse(c, [-1]) - d, a - reverse(b, [-1])], -1), type=4, norm=norm)


def inverse_mdct(
    mdcts: TensorLike, window_fn: Window | None = vorbis_window, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The signal of which `mdct` gave these frequencies; its first and last half part are not whole.

    Args:
      mdcts: floats of shape [..., parts, frame_length // 2].
      window_fn: the window of a part, that of `mdct`.
      norm: that of `mdct`.
    Returns: floats of shape [..., samples].
    Raises:
      ValueError: for a length that only the graph knows.

    >>> frequencies = tf.signal.mdct(tf.ones([16]), 8)
    >>> print(tf.signal.inverse_mdct(frequencies).numpy().round(3)[4:12])
    [1. 1. 1. 1. 1. 1. 1. 1.]
    """
    x = operand(mdcts)
    (half,) = _known("inverse_mdct", frame_length=making.like_shape(x)[-1])
    waves = dct(x, type=4, norm=norm)
    if norm is None:
        waves = waves * (0.5 / half)
    low, high = split(waves, 2, axis=-1)
    parts = concat([high, -reverse(high, [-1]), -reverse(low, [-1]), -low], -1)
    return overlap_and_add(_windowed(parts, 2 * half, window_fn), half)


# The mel scale, on which frequencies lie as people hear them.


def _mel(hertz: Any) -> Any:
    return 1127.0 * m.log(1.0 + hertz / 700.0)


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: SizeLike = 129,
    sample_rate: TensorLike = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """What each frequency counts for in each band of the mel scale.

    Args:
      num_mel_bins: how many bands.
      num_spectrogram_bins: how many frequencies, of which the first is 0.
      sample_rate: how many samples a second has.
      lower_edge_hertz: where the lowest band begins.
      upper_edge_hertz: where the highest band ends.
      dtype: that of the result.
    Returns: floats of shape [num_spectrogram_bins, num_mel_bins].
    Raises:
      ValueError: for no bands, a negative edge, edges in another order, an edge beyond half the rate, or another dtype.

    >>> tf.signal.linear_to_mel_weight_matrix(num_mel_bins=4, num_spectrogram_bins=9).shape
    TensorShape([9, 4])
    """
    kind, rate = as_dtype(dtype), static_value(operand(sample_rate))
    if num_mel_bins < 1 or not 0.0 <= lower_edge_hertz < upper_edge_hertz or not kind.is_floating:
        raise ValueError(
            f"linear_to_mel_weight_matrix with num_mel_bins={num_mel_bins}, lower_edge_hertz={lower_edge_hertz}, "
            f"upper_edge_hertz={upper_edge_hertz}, dtype={kind.name}: one band or more, edges from 0 on, and floats"
        )
    if rate is not None and (rate <= 0 or upper_edge_hertz > rate / 2):
        raise ValueError(f"upper_edge_hertz={upper_edge_hertz} is beyond half of sample_rate={rate}")
    highest = cast(operand(sample_rate), kind) / 2.0
    hertz = making.linspace(m.multiply(highest, 0.0), highest, num_spectrogram_bins)[1:]
    lowest, last = (_mel(cast(operand(edge), kind)) for edge in (lower_edge_hertz, upper_edge_hertz))
    bands = making.linspace(lowest, last, num_mel_bins + 2)
    lower, centre, upper = bands[:-2], bands[1:-1], bands[2:]
    heard = expand_dims(_mel(hertz), 1)
    rising, falling = (heard - lower) / (centre - lower), (upper - heard) / (upper - centre)
    return pad(m.maximum(m.minimum(rising, falling), 0.0), [[1, 0], [0, 0]])


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: TensorLike, name: str | None = None) -> Tensor:
    """The cepstral coefficients of spectra on the mel scale.

    Args:
      log_mel_spectrograms: floats of shape [..., bands], logarithms.
    Returns: floats of the same shape.
    Raises:
      ValueError: for no bands.

    >>> print(tf.signal.mfccs_from_log_mel_spectrograms([1.0, 1.0]).numpy().round(3))
    [2. 0.]
    """
    x = operand(log_mel_spectrograms)
    (bands,) = _known("mfccs_from_log_mel_spectrograms", bands=making.like_shape(x)[-1])
    return dct(x) / math.sqrt(2.0 * bands)
