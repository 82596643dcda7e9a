"""Bessel's modified functions of the first kind, of order 0 and 1.

All is computed with 64 bits: by the power series up to 20, all of whose terms are positive, and by Hankel's asymptotic
series beyond, where its error is less than what the numbers hold.
"""

from __future__ import annotations

import math
from typing import Any

from runtime.ops import elementwise as ew
from runtime.tensors import mathematics as m
from runtime.tensors.gamma import polynomial, where_either, with_64_bits
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

_FAR = 20.0


def _near(order: int) -> list[float]:
    """What the powers of (x / 2)**2 are multiplied by, the highest first."""
    return [1 / (math.factorial(k) * math.factorial(k + order)) for k in reversed(range(52))]


def _asymptotic(order: int) -> list[float]:
    """What the powers of 1 / x are multiplied by, the highest first."""
    found = [1.0]
    for k in range(1, 26):
        found.append(-found[-1] * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k))
    return found[::-1]


_SERIES = {order: (_near(order), _asymptotic(order)) for order in (0, 1)}


def _scaled(x: Any, order: int) -> Any:
    """The function times ``exp(-abs(x))``."""
    near, far = _SERIES[order]
    size, inner = m.abs(x), m.clipped(x, -_FAR, _FAR)
    by_powers = m.exp(-m.abs(inner)) * polynomial(near, m.square(inner) / 4.0)
    large = m.maximum(size, _FAR)
    by_inverses = polynomial(far, 1.0 / large) / m.sqrt(2 * math.pi * large)
    if order:
        by_powers, by_inverses = by_powers * inner / 2.0, by_inverses * apply(ew.sign, x)
    return where_either(size < _FAR, by_powers, by_inverses)


def bessel_i0e(x: TensorLike, name: str | None = None) -> Tensor:
    """Bessel's modified function of order 0, times ``exp(-abs(x))``.

    Args:
      x: real numbers of any shape; integers are taken for float64.
    Returns: a tensor of the shape of `x`.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.bessel_i0e([0.0, 1.0]).numpy().round(4))
    [1.     0.4658]
    """
    return with_64_bits(lambda v: _scaled(v, 0), x)


def bessel_i1e(x: TensorLike, name: str | None = None) -> Tensor:
    """Bessel's modified function of order 1, times ``exp(-abs(x))``.

    Args:
      x: real numbers of any shape; integers are taken for float64.
    Returns: a tensor of the shape of `x`.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.bessel_i1e([0.0, 1.0]).numpy().round(4))
    [0.     0.2079]
    """
    return with_64_bits(lambda v: _scaled(v, 1), x)


def bessel_i0(x: TensorLike, name: str | None = None) -> Tensor:
    """Bessel's modified function of order 0.

    Args:
      x: real numbers of any shape; integers are taken for float64.
    Returns: a tensor of the shape of `x`.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.bessel_i0([0.0, 1.0]).numpy().round(4))
    [1.     1.2661]
    """
    return with_64_bits(lambda v: _scaled(v, 0) * m.exp(m.abs(v)), x)


def bessel_i1(x: TensorLike, name: str | None = None) -> Tensor:
    """Bessel's modified function of order 1.

    Args:
      x: real numbers of any shape; integers are taken for float64.
    Returns: a tensor of the shape of `x`.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.bessel_i1([0.0, 1.0]).numpy().round(4))
    [0.     0.5652]
    """
    return with_64_bits(lambda v: _scaled(v, 1) * m.exp(m.abs(v)), x)
