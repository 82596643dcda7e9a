"""Fourier transforms of the last axes of tensors, and what is made of them: cosine transforms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from runtime.graph.dtypes import complex64, complex128, float32, float64
from runtime.ops import linalg as ops
from runtime.tensors import making, mathematics as m
from runtime.tensors.conversion import cast, is_tensor, operand, static_value
from runtime.tensors.operations import apply
from runtime.tensors.parts import pad, roll
from runtime.tensors.shaping import concat, reverse
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, ShapeLike, Size, TensorLike


def _along(function: str, x: Tensor, count: Size | None = None, axis: int = -1) -> Tensor:
    """A transform of NumPy's along an axis, of the precision of its operand."""
    wide = x.dtype in (float64, complex128)
    found = apply(ops.fourier, x, function=function, count=count, axis=axis, norm=None)
    if found.dtype.is_complex:
        return cast(found, complex128 if wide else complex64)
    return cast(found, float64 if wide else float32)


def _complex(function: str, input: TensorLike) -> Tensor:
    x = operand(input)
    if x.dtype.is_floating and not is_tensor(input):  # lists and arrays are taken for what is wanted
        x = cast(x, complex128 if x.dtype == float64 else complex64)
    if not x.dtype.is_complex:
        raise TypeError(f"{function} of {x.dtype.name}: it takes complex numbers; cast the tensor, or take rfft")
    return x


def _real(function: str, input: TensorLike) -> Tensor:
    x = operand(input)
    if x.dtype not in (float32, float64):
        raise TypeError(f"{function} of {x.dtype.name}: it takes float32 or float64")
    return x


def _counts(function: str, fft_length: ShapeLike | None, rank: int) -> list[int | None]:
    """How many points there are along each axis, where that is said."""
    if fft_length is None:
        return [None] * rank
    known = static_value(operand(fft_length))
    if known is None:
        raise ValueError(f"{function} with an fft_length that only the graph knows: a transform has a known size")
    if known.shape != (rank,):
        raise ValueError(f"{function} with fft_length={known.tolist()}: it is a list of {rank}")
    return [int(n) for n in known]


_Complex = Callable[..., Tensor]


def _complex_transform(name: str, rank: int) -> _Complex:
    base = name.rstrip("23d")

    def transform(input: TensorLike, name: str | None = None) -> Tensor:
        x = _complex(transform.__name__, input)
        for axis in range(-rank, 0):
            x = _along(base, x, axis=axis)
        return x

    axes = "axis" if rank == 1 else f"{rank} axes"
    way = "inverse of the Fourier transform" if name.startswith("i") else "Fourier transform"
    size = [2] * rank
    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""The {way} along the last {axes}.

Args:
  input: complex numbers of rank {rank} or more.
Returns: a tensor of the shape and dtype of `input`.
Raises:
  TypeError: for a tensor of other numbers.

>>> print(tf.signal.{name}(tf.ones({size}, tf.complex64)).shape)
{tuple(size) if rank > 1 else "(2,)"}
"""
    return transform


fft, ifft = _complex_transform("fft", 1), _complex_transform("ifft", 1)
fft2d, ifft2d = _complex_transform("fft2d", 2), _complex_transform("ifft2d", 2)
fft3d, ifft3d = _complex_transform("fft3d", 3), _complex_transform("ifft3d", 3)


def _to_frequencies(name: str, input: TensorLike, fft_length: ShapeLike | None, rank: int) -> Tensor:
    x = _real(name, input)
    counts = _counts(name, fft_length, rank)
    x = _along("rfft", x, counts[-1])
    for axis in range(-rank, -1):
        x = _along("fft", x, counts[axis], axis)
    return x


def _from_frequencies(name: str, input: TensorLike, fft_length: ShapeLike | None, rank: int) -> Tensor:
    x = _complex(name, input)
    counts = _counts(name, fft_length, rank)
    for axis in range(-rank, -1):
        x = _along("ifft", x, counts[axis], axis)
    return _along("irfft", x, counts[-1])


def rfft(input_tensor: TensorLike, fft_length: ShapeLike | None = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers along the last axis: its frequencies from 0 on, as the others mirror them.

    Args:
      input_tensor: float32 or float64 of rank 1 or more.
      fft_length: a list of how many elements are transformed: more are cut off, zeros added; all by default.
    Returns: complex numbers, of the same shape but for the last axis, of size n // 2 + 1.
    Raises:
      TypeError: for other numbers.
      ValueError: for a length that only the graph knows.

    >>> print(tf.signal.rfft([1.0, 1.0, 1.0, 1.0]).numpy())
    [4.+0.j 0.+0.j 0.+0.j]
    """
    return _to_frequencies("rfft", input_tensor, fft_length, 1)


def rfft2d(input_tensor: TensorLike, fft_length: ShapeLike | None = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers along the last two axes.

    Args:
      input_tensor: float32 or float64 of rank 2 or more.
      fft_length: a list of how many elements are transformed along each of them; all by default.
    Returns: complex numbers, of the same shape but for the last axis, of size n // 2 + 1.
    Raises:
      TypeError: for other numbers.
      ValueError: for lengths that only the graph knows.

    >>> tf.signal.rfft2d(tf.ones([2, 6])).shape
    TensorShape([2, 4])
    """
    return _to_frequencies("rfft2d", input_tensor, fft_length, 2)


def rfft3d(input_tensor: TensorLike, fft_length: ShapeLike | None = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers along the last three axes.

    Args:
      input_tensor: float32 or float64 of rank 3 or more.
      fft_length: a list of how many elements are transformed along each of them; all by default.
    Returns: complex numbers, of the same shape but for the last axis, of size n // 2 + 1.
    Raises:
      TypeError: for other numbers.
      ValueError: for lengths that only the graph knows.

    >>> tf.signal.rfft3d(tf.ones([2, 2, 6])).shape
    TensorShape([2, 2, 4])
    """
    return _to_frequencies("rfft3d", input_tensor, fft_length, 3)


def irfft(input_tensor: TensorLike, fft_length: ShapeLike | None = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft`.

    Args:
      input_tensor: complex numbers of rank 1 or more.
      fft_length: a list of how many real numbers there are, 2 * (n - 1) by default.
    Returns: floats of the same shape but for the last axis.
    Raises:
      TypeError: for other numbers.
      ValueError: for a length that only the graph knows.

    >>> print(tf.signal.irfft(tf.constant([4, 0, 0], tf.complex64)).numpy())
    [1. 1. 1. 1.]
    """
    return _from_frequencies("irfft", input_tensor, fft_length, 1)


def irfft2d(input_tensor: TensorLike, fft_length: ShapeLike | None = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft2d`.

    Args:
      input_tensor: complex numbers of rank 2 or more.
      fft_length: a list of how many numbers there are along each of the last two axes.
    Returns: floats of the same shape but for these axes.
    Raises:
      TypeError: for other numbers.
      ValueError: for lengths that only the graph knows.

    >>> tf.signal.irfft2d(tf.ones([2, 4], tf.complex64)).shape
    TensorShape([2, 6])
    """
    return _from_frequencies("irfft2d", input_tensor, fft_length, 2)


def irfft3d(input_tensor: TensorLike, fft_length: ShapeLike | None = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft3d`.

    Args:
      input_tensor: complex numbers of rank 3 or more.
      fft_length: a list of how many numbers there are along each of the last three axes.
    Returns: floats of the same shape but for these axes.
    Raises:
      TypeError: for other numbers.
      ValueError: for lengths that only the graph knows.

    >>> tf.signal.irfft3d(tf.ones([2, 2, 4], tf.complex64)).shape
    TensorShape([2, 2, 6])
    """
    return _from_frequencies("irfft3d", input_tensor, fft_length, 3)


def _shifted(x: TensorLike, axes: AxisLike, way: int) -> Tensor:
    given = operand(x)
    every = range(len(given.shape)) if axes is None else [axes] if isinstance(axes, int) else axes
    sizes = making.like_shape(given)
    along = [int(axis) for axis in every]  # type: ignore[union-attr,arg-type]
    for axis in along:
        half = sizes[axis] // 2
        given = roll(given, half * way, axis)
    return given


def fftshift(x: TensorLike, axes: AxisLike = None, name: str | None = None) -> Tensor:
    """Frequencies in the order of their size, the lowest in the middle.

    Args:
      x: a tensor of any shape.
      axes: the axes along which they are shifted; all by default.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.signal.fftshift([0, 1, 2, -2, -1]))
    tf.Tensor([-2 -1  0  1  2], shape=(5,), dtype=int32)
    """
    return _shifted(x, axes, 1)


def ifftshift(x: TensorLike, axes: AxisLike = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`.

    Args:
      x: a tensor of any shape.
      axes: the axes along which frequencies are shifted back; all by default.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.signal.ifftshift([-2, -1, 0, 1, 2]))
    tf.Tensor([ 0  1  2 -2 -1], shape=(5,), dtype=int32)
    """
    return _shifted(x, axes, -1)


# Cosine transforms.

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


def of_length(x: Tensor, n: Size) -> Tensor:
    """The first elements along the last axis, or all of them and zeros."""
    size = making.like_shape(x)[-1]
    if isinstance(size, int) and isinstance(n, int):
        if size >= n:
            return x[..., :n] if size > n else x
        return pad(x, [*[[0, 0]] * (len(x.shape) - 1), [0, n - size]])
    missing = m.maximum(n - size, 0)
    return pad(x[..., :n], [*[[0, 0]] * (len(x.shape) - 1), [0, missing]])


def _phases(n: int, sign: int, x: Tensor) -> Tensor:
    """Turns of the complex plane by quarters of a circle, in n steps."""
    angle = cast(making.range(n), x.dtype) * (sign * math.pi / (2 * n))
    return m.complex(m.cos(angle) * 2.0, m.sin(angle) * 2.0)


def _weights(n: int, first: float, others: float, x: Tensor) -> Tensor:
    return cast(concat([[first], [others] * (n - 1)], 0), x.dtype)


def _second(x: Tensor, n: int, ortho: bool) -> Tensor:
    made = m.real(_along("rfft", x, 2 * n)[..., :n] * _phases(n, -1, x))
    return made * _weights(n, 0.5 / math.sqrt(n), math.sqrt(0.5 / n), x) if ortho else made


def _third(x: Tensor, n: int, ortho: bool) -> Tensor:
    x = x * _weights(n, math.sqrt(n), math.sqrt(n / 2), x) if ortho else x * float(n)
    return _along("irfft", _phases(n, 1, x) * m.complex(x, m.multiply(x, 0.0)), 2 * n)[..., :n]


def dct(
    input: TensorLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The cosine transform along the last axis.

    Args:
      input: float32 or float64 of rank 1 or more.
      type: 1, 2, 3 or 4: where its cosines begin and end.
      n: how many elements are transformed: more are cut off, zeros added; all by default.
      axis: -1, the last axis.
      norm: ``"ortho"`` for a transform that keeps lengths; not for type 1.
    Returns: a tensor of the dtype of `input`, and of its shape but for the last axis, of size n.
    Raises:
      NotImplementedError: for another axis.
      ValueError: for another type or norm, for type 1 with a norm or of one element, and for a size that only the graph
        knows.

    >>> print(tf.signal.dct([1.0, 1.0], norm="ortho").numpy().round(3))
    [1.414 0.   ]
    """
    if type not in _INVERSE or norm not in (None, "ortho") or (type == 1 and norm):
        raise ValueError(f"dct of type {type} with norm={norm!r}: types are 1 to 4, and from 2 on 'ortho' is a norm")
    if axis != -1:
        raise NotImplementedError(f"dct with axis={axis}: it goes along the last axis, -1; tf.transpose moves another")
    x: Tensor = _real("dct", input)
    size: Any = making.like_shape(x)[-1] if n is None else n
    if (known := static_value(size) if isinstance(size, Tensor) else size) is None or int(known) < 1:
        raise ValueError("dct of a size that only the graph knows: give n" if known is None else f"dct with n={known}")
    count = int(known)
    x = of_length(x, count)
    if type == 1:
        if count < 2:
            raise ValueError("dct of type 1 takes two elements or more")
        return m.real(_along("rfft", concat([x, reverse(x[..., 1:-1], [-1])], -1)))
    if type == 2:
        return _second(x, count, norm == "ortho")
    if type == 3:
        return _third(x, count, norm == "ortho")
    made = _second(of_length(x, 2 * count), 2 * count, False)[..., 1::2]
    return made * math.sqrt(0.5 / count) if norm == "ortho" else made


def idct(
    input: TensorLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of the cosine transform, but for a factor of 2 * n where there is no norm (2 * (n - 1) for type 1).

    Args:
      input: float32 or float64 of rank 1 or more.
      type: of which transform.
      n: how many elements there are, all by default.
      axis: -1, the last axis.
      norm: ``"ortho"`` for a transform that keeps lengths; not for type 1.
    Returns: a tensor of the dtype of `input`, and of its shape but for the last axis, of size n.
    Raises:
      NotImplementedError: for another axis.
      ValueError: as `dct`.

    >>> print(tf.signal.idct([2.0, 0.0]).numpy() / 4)
    [0.5 0.5]
    """
    return dct(input, _INVERSE.get(type, type), n, axis, norm)
