"""What NumPy's functions about the bits of numbers do with tensors: those of floats, and those of bytes."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from autograph.errors import refused
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew
from runtime.staging.numpy_protocol.meanings import means, numpys, operand, universal
from runtime.tensors import making, mathematics, shaping
from runtime.tensors.conversion import cast
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor

Order = Literal["big", "little"]


def _floats(x: object, function: np.ufunc) -> Tensor:
    """An operand in the dtype in which a function of one or two numbers computes."""
    value = operand(x)
    others = [np.dtype(np.int64)] * (function.nin - 1)
    return cast(value, function.resolve_dtypes((value.dtype.dtype, *others, *[None] * function.nout))[0])


@universal(np.ldexp)
def _ldexp(x1: object, x2: object, /) -> Tensor:
    powers = operand(x2)
    if not powers.dtype.is_integer:
        np.ldexp(1.0, np.ones(1, powers.dtype.dtype))  # raises what NumPy raises
    return apply(ew.ldexp, _floats(x1, np.ldexp), cast(powers, np.int64))


@universal(np.frexp)
def _frexp(x: object, /) -> tuple[Tensor, Tensor]:
    value = _floats(x, np.frexp)
    exponent = apply(ew.exponent, value)
    return apply(ew.ldexp, value, cast(-exponent, np.int64)), exponent


@universal(np.spacing)
def _spacing(x: object, /) -> Tensor:
    value = _floats(x, np.spacing)
    below, above = (operand(value.dtype.dtype.type(number)) for number in (-np.inf, np.inf))
    return apply(ew.nextafter, value, mathematics.where(value < 0, below, above)) - value


def _weights(bitorder: Order) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """How far the bits of a byte are moved, in the order in which they are listed."""
    if bitorder not in ("big", "little"):
        np.packbits([1], bitorder=bitorder)  # raises what NumPy raises
    return np.arange(8, dtype=np.uint8)[:: -1 if bitorder == "big" else 1]


def _along_last(a: object, axis: int | None) -> tuple[Tensor, int]:
    x = operand(a)
    if axis is None:
        return shaping.reshape(x, [-1]), 0
    at = axis_of(axis, len(x.shape))
    return numpys(np.moveaxis, x, at, -1), at


@means(np.unpackbits)
def _unpackbits(a: object, /, axis: int | None = None, count: int | None = None, bitorder: Order = "big") -> Tensor:
    if operand(a).dtype.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    x, at = _along_last(a, axis)
    bits = apply(ew.bitwise_and, apply(ew.right_shift, x[..., None], operand(_weights(bitorder))), operand(np.uint8(1)))
    *others, size = making.like_shape(x)
    bits = shaping.reshape(bits, [*others, size * 8])
    if count is not None:
        whole = making.like_shape(bits)[-1]
        if not isinstance(count, int) or not isinstance(whole, int):
            raise refused(TypeError("np.unpackbits with a count= or a size that only the graph knows: write bits[:n]"))
        kept = bits[..., :count]
        bits = kept if count <= whole else numpys(np.pad, kept, [(0, 0)] * len(others) + [(0, count - whole)])
    return numpys(np.moveaxis, bits, -1, at)  # type: ignore[no-any-return]


@means(np.packbits)
def _packbits(a: object, /, axis: int | None = None, bitorder: Order = "big") -> Tensor:
    if not (operand(a).dtype.is_integer or operand(a).dtype.is_bool):
        raise TypeError("Expected an input array of integer or boolean data type")
    x, at = _along_last(a, axis)
    *others, size = making.like_shape(x)
    bits = numpys(np.pad, cast(mathematics.not_equal(x, 0), np.uint8), [(0, 0)] * len(others) + [(0, -size % 8)])
    bits = shaping.reshape(bits, [*others, (size + 7) // 8, 8])
    moved = apply(ew.left_shift, bits, operand(_weights(bitorder)))
    return numpys(np.moveaxis, numpys(np.sum, moved, -1, dtype=np.uint8), -1, at)  # type: ignore[no-any-return]
