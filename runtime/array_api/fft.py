"""Fourier transforms, as the extension of the standard has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.array_api.support import Norm, array, check_device, dtype_of, tensor
from runtime.graph.dtypes import float64
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike

__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft",
    "rfftfreq", "rfftn",
]  # fmt: skip


def _axes(axes: Sequence[int] | None, s: Sequence[int] | None) -> Sequence[int] | None:
    """The last axes, where sizes are given and axes are not."""
    return axes if axes is not None or s is None else [*range(-len(s), 0)]


def fft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The Fourier transform along an axis.

    Args:
      x: a tensor of complex numbers, of rank 1 or more.
      n: how many elements are transformed: more are cut off, zeros added; all by default.
      axis: the axis.
      norm: what the result is divided by, and where, as `numpy.fft.fft` says it.
    Returns: a tensor of complex numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.fft(xp.asarray([1 + 0j, 1 + 0j]), n=4).dtype
    tf.complex128
    """
    given = tensor("fft", x, "complex floating")
    return array(np.fft.fft(given, n=n, axis=axis, norm=norm))


def ifft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `fft`.

    Args:
      x: a tensor of complex numbers, of rank 1 or more.
      n: how many elements are transformed: more are cut off, zeros added; all by default.
      axis: the axis.
      norm: what the result is divided by, and where, as `numpy.fft.ifft` says it.
    Returns: a tensor of complex numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.ifft(xp.asarray([1 + 0j, 1 + 0j]), n=4).dtype
    tf.complex128
    """
    given = tensor("ifft", x, "complex floating")
    return array(np.fft.ifft(given, n=n, axis=axis, norm=norm))


def rfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The Fourier transform of real numbers along an axis: the half of it that says all.

    Args:
      x: a tensor of floats, of rank 1 or more.
      n: how many elements are transformed: more are cut off, zeros added; all by default.
      axis: the axis.
      norm: what the result is divided by, and where, as `numpy.fft.rfft` says it.
    Returns: a tensor of complex numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.rfft(xp.asarray([1.0, 1.0]), n=4).dtype
    tf.complex128
    """
    given = tensor("rfft", x, "real floating")
    return array(np.fft.rfft(given, n=n, axis=axis, norm=norm))


def irfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `rfft`.

    Args:
      x: a tensor of complex numbers, of rank 1 or more.
      n: how many elements are transformed: more are cut off, zeros added; all by default.
      axis: the axis.
      norm: what the result is divided by, and where, as `numpy.fft.irfft` says it.
    Returns: a tensor of real numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.irfft(xp.asarray([1 + 0j, 1 + 0j]), n=4).dtype
    tf.float64
    """
    given = tensor("irfft", x, "complex floating")
    return array(np.fft.irfft(given, n=n, axis=axis, norm=norm))


def hfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The Fourier transform of what is its own conjugate, reversed: real numbers, of one half.

    Args:
      x: a tensor of complex numbers, of rank 1 or more.
      n: how many elements are transformed: more are cut off, zeros added; all by default.
      axis: the axis.
      norm: what the result is divided by, and where, as `numpy.fft.hfft` says it.
    Returns: a tensor of real numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.hfft(xp.asarray([1 + 0j, 1 + 0j]), n=4).dtype
    tf.float64
    """
    given = tensor("hfft", x, "complex floating")
    return array(np.fft.hfft(given, n=n, axis=axis, norm=norm))


def ihfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Tensor:
    """The inverse of `hfft`.

    Args:
      x: a tensor of floats, of rank 1 or more.
      n: how many elements are transformed: more are cut off, zeros added; all by default.
      axis: the axis.
      norm: what the result is divided by, and where, as `numpy.fft.ihfft` says it.
    Returns: a tensor of complex numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.ihfft(xp.asarray([1.0, 1.0]), n=4).dtype
    tf.complex128
    """
    given = tensor("ihfft", x, "real floating")
    return array(np.fft.ihfft(given, n=n, axis=axis, norm=norm))


def fftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """The Fourier transform along several axes.

    Args:
      x: a tensor of complex numbers, of rank 1 or more.
      s: how many elements are transformed along each axis; all by default.
      axes: the axes; all by default.
      norm: what the result is divided by, and where, as `numpy.fft.fftn` says it.
    Returns: a tensor of complex numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.fftn(xp.ones((4, 4), dtype=xp.complex128)).dtype
    tf.complex128
    """
    given = tensor("fftn", x, "complex floating")
    return array(np.fft.fftn(given, s=s, axes=_axes(axes, s), norm=norm))


def ifftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """The inverse of `fftn`.

    Args:
      x: a tensor of complex numbers, of rank 1 or more.
      s: how many elements are transformed along each axis; all by default.
      axes: the axes; all by default.
      norm: what the result is divided by, and where, as `numpy.fft.ifftn` says it.
    Returns: a tensor of complex numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.ifftn(xp.ones((4, 4), dtype=xp.complex128)).dtype
    tf.complex128
    """
    given = tensor("ifftn", x, "complex floating")
    return array(np.fft.ifftn(given, s=s, axes=_axes(axes, s), norm=norm))


def rfftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """The Fourier transform of real numbers along several axes: the half of it that says all.

    Args:
      x: a tensor of floats, of rank 1 or more.
      s: how many elements are transformed along each axis; all by default.
      axes: the axes; all by default.
      norm: what the result is divided by, and where, as `numpy.fft.rfftn` says it.
    Returns: a tensor of complex numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.rfftn(xp.ones((4, 4), dtype=xp.float64)).dtype
    tf.complex128
    """
    given = tensor("rfftn", x, "real floating")
    return array(np.fft.rfftn(given, s=s, axes=_axes(axes, s), norm=norm))


def irfftn(
    x: Tensor,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Tensor:
    """The inverse of `rfftn`.

    Args:
      x: a tensor of complex numbers, of rank 1 or more.
      s: how many elements are transformed along each axis; all by default.
      axes: the axes; all by default.
      norm: what the result is divided by, and where, as `numpy.fft.irfftn` says it.
    Returns: a tensor of real numbers, of the same rank.

    >>> xp = tf.array_api
    >>> xp.fft.irfftn(xp.ones((4, 4), dtype=xp.complex128)).dtype
    tf.float64
    """
    given = tensor("irfftn", x, "complex floating")
    return array(np.fft.irfftn(given, s=s, axes=_axes(axes, s), norm=norm))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """The frequencies of `fft`.

    Args:
      n: how many elements are transformed.
      d: the distance between two of them.
      dtype: the dtype, float64 by default.
      device: ``"cpu"``, or None.
    Returns: a tensor of rank 1, whose shape follows from `n`.

    >>> tf.array_api.fft.fftfreq(4).dtype
    tf.float64
    """
    check_device(device)
    return array(np.fft.fftfreq(n, d=d).astype(dtype_of(dtype, float64).dtype))


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """The frequencies of `rfft`.

    Args:
      n: how many elements are transformed.
      d: the distance between two of them.
      dtype: the dtype, float64 by default.
      device: ``"cpu"``, or None.
    Returns: a tensor of rank 1, whose shape follows from `n`.

    >>> tf.array_api.fft.rfftfreq(4).dtype
    tf.float64
    """
    check_device(device)
    return array(np.fft.rfftfreq(n, d=d).astype(dtype_of(dtype, float64).dtype))


def fftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """A transform with frequency 0 in the middle.

    Args:
      x: a tensor of floats or complex numbers, of rank 1 or more.
      axes: the axes; all by default.
    Returns: a tensor of the same shape and dtype.

    >>> xp = tf.array_api
    >>> xp.fft.fftshift(xp.ones(4)).shape
    TensorShape([4])
    """
    given = tensor("fftshift", x, "floating-point")
    return array(np.fft.fftshift(given, axes=axes))


def ifftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """The inverse of `fftshift`.

    Args:
      x: a tensor of floats or complex numbers, of rank 1 or more.
      axes: the axes; all by default.
    Returns: a tensor of the same shape and dtype.

    >>> xp = tf.array_api
    >>> xp.fft.ifftshift(xp.ones(4)).shape
    TensorShape([4])
    """
    given = tensor("ifftshift", x, "floating-point")
    return array(np.fft.ifftshift(given, axes=axes))
