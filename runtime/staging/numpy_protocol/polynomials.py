"""What NumPy's functions of polynomials, given by their coefficients from the highest power on, do with tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.staging.numpy_protocol.meanings import MAKERS, means, numpys, operand
from runtime.tensors import making, mathematics, shaping
from runtime.tensors.conversion import cast
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.types import Size
from runtime.tensors.views import Array


@means(np.polyval)
def _polynomial(p: object, x: object) -> Tensor:
    coefficients, at = operand(p), operand(x)
    count = making.like_shape(coefficients)[0] if len(coefficients.shape) else 1
    if not isinstance(count, int):
        raise refused(TypeError("np.polyval of coefficients of which only the graph knows how many there are"))
    if count == 0:
        zeros = numpys(np.zeros_like, at)  # of a number, too, an array
        return Array(zeros.traced_in, zeros.value) if isinstance(zeros, SymbolicTensor) else zeros
    zero = making.filled_like(at, cast(operand(0), at.dtype))
    total = shaping.identity(zero)
    for i in range(count):
        total = total * at + (coefficients[i] if len(coefficients.shape) else coefficients)
    return total


def _of_one_length(a1: object, a2: object) -> list[Tensor]:
    """Coefficients of two polynomials, the shorter with zeros in front."""
    both = [numpys(np.atleast_1d, operand(a)) for a in (a1, a2)]
    sizes = [making.like_shape(a)[0] for a in both]
    most = max(sizes) if all(isinstance(n, int) for n in sizes) else mathematics.maximum(*sizes)
    return [shaping.concat([making.zeros([most - n], a.dtype), a], 0) for a, n in zip(both, sizes)]


@means(np.polyadd)
def _sum(a1: object, a2: object) -> Tensor:
    x, y = _of_one_length(a1, a2)
    return x + y


@means(np.polysub)
def _difference(a1: object, a2: object) -> Tensor:
    x, y = _of_one_length(a1, a2)
    return x - y


@means(np.polymul)
def _product(a1: object, a2: object) -> Any:
    """Without the zeros in front that come of zeros in front of either."""
    x, y = (numpys(np.atleast_1d, operand(a)) for a in (a1, a2))
    return numpys(np.convolve, x, y)[_leading_zeros(x) + _leading_zeros(y) :]


def _leading_zeros(x: Tensor) -> Tensor:
    last = making.like_shape(x)[0] - 1  # which stays, whatever it is
    places = mathematics.where(mathematics.not_equal(x, 0), making.range(last + 1, dtype=np.int64), last)
    return numpys(np.min, places, initial=np.iinfo(np.int64).max)  # type: ignore[no-any-return]


def _falling(size: Size) -> Any:
    return np.arange(size, 0, -1) if isinstance(size, int) else MAKERS[np.arange](size, 0, -1)


@means(np.polyder)
def _derivative(p: object, m: object = 1) -> Tensor:
    if int(m) < 0:  # type: ignore[call-overload]
        raise ValueError("Order of derivative must be positive (see polyint)")
    made = operand(p)
    for _ in range(int(m)):  # type: ignore[call-overload]
        made = made[:-1] * _falling(making.like_shape(made)[0] - 1)
    return made


@means(np.polyint)
def _integral(p: object, m: object = 1, k: Any = None) -> Tensor:
    if int(m) < 0:  # type: ignore[call-overload]
        raise ValueError("Order of integral must be positive (see polyder)")
    made, count = operand(p), int(m)  # type: ignore[call-overload]
    constants = numpys(np.atleast_1d, operand(0.0 if k is None else k))
    given = making.like_shape(constants)[0]
    if given == 1 and count > 1:
        constants, given = numpys(np.repeat, constants, count), count
    if not isinstance(given, int) or given < count:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    for i in range(count):
        made = numpys(np.concatenate, [made / _falling(making.like_shape(made)[0]), constants[i : i + 1]])
    return made
