"""The gamma function and the error function, and what belongs to them: made of other functions, as their slopes are.

All is computed with 64 bits. The series are Lanczos's for the gamma function, Stirling's for its logarithm's slope, and
Wichura's quotients (algorithm AS 241) for the quantiles of the normal distribution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph.dtypes import float64
from runtime.ops import elementwise as ew
from runtime.tensors import mathematics as m
from runtime.tensors.activations import floating
from runtime.tensors.conversion import cast, constant
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

# fmt: off
_LANCZOS = (
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
)
_STIRLING = (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12, 0.0)
_CENTRE = (
    2.50908092873012267e3, 3.34305755835881281e4, 6.72657709270087009e4, 4.59219539315498715e4, 1.37316937655094611e4,
    1.97159095030655144e3, 1.33141667891784377e2, 3.38713287279636661e0,
), (
    5.22649527885285456e3, 2.87290857357219427e4, 3.93078958000927106e4, 2.12137943015865959e4, 5.39419602142475111e3,
    6.87187007492057908e2, 4.23133307016009113e1, 1.0,
)
_SIDES = (
    7.74545014278341408e-4, 2.27238449892691846e-2, 2.41780725177450612e-1, 1.27045825245236838e0,
    3.64784832476320460e0, 5.76949722146069141e0, 4.63033784615654530e0, 1.42343711074968358e0,
), (
    1.05075007164441684e-9, 5.47593808499534495e-4, 1.51986665636164572e-2, 1.48103976427480075e-1,
    6.89767334985100005e-1, 1.67638483018380385e0, 2.05319162663775882e0, 1.0,
)
_TAILS = (
    2.01033439929228813e-7, 2.71155556874348758e-5, 1.24266094738807844e-3, 2.65321895265761231e-2,
    2.96560571828504891e-1, 1.78482653991729134e0, 5.46378491116411437e0, 6.65790464350110378e0,
), (
    2.04426310338993979e-15, 1.42151175831644589e-7, 1.84631831751005468e-5, 7.86869131145613259e-4,
    1.48753612908506149e-2, 1.36929880922735805e-1, 5.99832206555887938e-1, 1.0,
)
# fmt: on
_FAR = [(-1.0) ** k * math.prod(range(1, 2 * k, 2)) for k in reversed(range(26))]  # of erfc, in powers of 1 / (2 x * x)


def with_64_bits(function: Callable[[Any], Tensor], x: TensorLike) -> Tensor:
    value = floating(x)
    if value.dtype.is_complex:
        raise TypeError("a function of real numbers, not of complex ones")
    return cast(function(cast(value, float64)), value.dtype)


def polynomial(coefficients: Sequence[float], x: Any) -> Any:
    made = constant(coefficients[0], dtype=float64)
    for coefficient in coefficients[1:]:
        made = made * x + coefficient
    return made


def where_either(condition: Tensor, x: Any, y: Any) -> Any:
    a, b = (v if isinstance(v, Tensor) else constant(v, dtype=float64) for v in (x, y))
    return apply(ew.where, condition, a, b)


def _angle(x: Any) -> Any:
    """Half a turn times what is left of a number behind the point: sines and tangents of it are exact at integers."""
    return (x - m.floor(x)) * math.pi


def lgamma(x: TensorLike, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function.

    Args:
      x: a tensor of any shape, of real numbers.
    Returns: a tensor of the shape of `x`, of floats; infinity at zero and at negative whole numbers.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.lgamma([0.5, 3.0, 5.0]).numpy().round(3))
    [0.572 0.693 3.178]
    """

    def logarithm(x: Any) -> Tensor:
        mirrored = m.less(x, 0.5)
        z = where_either(mirrored, 1 - x, x) - 1
        series: Any = 0.99999999999980993
        for number, coefficient in enumerate(_LANCZOS, 1):
            series = series + coefficient / (z + number)
        t = z + 7.5
        made = m.log(series) + (m.log(t) - 1) * (z + 0.5) - 7.0 + 0.5 * math.log(2 * math.pi)
        sine = m.abs(m.sin(_angle(where_either(mirrored, x, 0.5))))
        made = where_either(mirrored, math.log(math.pi) - m.log(sine) - made, made)
        return where_either(m.is_inf(x), np.inf, made)

    return with_64_bits(logarithm, x)


def digamma(x: TensorLike, name: str | None = None) -> Tensor:
    """The slope of the logarithm of the gamma function.

    Args:
      x: a tensor of any shape, of real numbers.
    Returns: a tensor of the shape of `x`, of floats; NaN at negative whole numbers.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.digamma([0.5, 1.0, 5.0]).numpy().round(3))
    [-1.964 -0.577  1.506]
    """

    def slope(x: Any) -> Tensor:
        mirrored = m.less(x, 0.5)
        z = where_either(mirrored, 1 - x, x)
        made: Any = 0.0
        for number in range(10):
            made = made - 1 / (z + number)
        w = z + 10
        made = made + m.log(w) - 0.5 / w - polynomial(_STIRLING, 1 / (w * w))
        angle = where_either(mirrored, _angle(x), 1.0)
        turned = math.pi / m.tan(angle)
        return where_either(mirrored, where_either(m.equal(angle, 0.0), np.nan, made - turned), made)

    return with_64_bits(slope, x)


def erfc(x: TensorLike, name: str | None = None) -> Tensor:
    """``1 - erf(x)``, accurate where that is next to nothing, too.

    Args:
      x: a tensor of any shape, of real numbers.
    Returns: a tensor of the shape of `x`, of floats.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.erfc([-1.0, 0.0, 1.0]).numpy().round(3))
    [1.843 1.    0.157]
    """

    def complement(x: Any) -> Tensor:
        size = m.abs(x)
        near, far = m.less(size, 1.0), m.greater(size, 6.0)
        middle = where_either(m.logical_or(near, far), 2.0, size)
        large = where_either(far, m.minimum(size, constant(30.0, dtype=float64)), 7.0)
        factor = where_either(
            far,
            polynomial(_FAR, 0.5 / (large * large)) / (large * math.sqrt(math.pi)),
            polynomial(ew.ERF_ABOVE_1[1], (middle - 2) / (middle + 2)),
        )
        reach = m.exp(-(where_either(near, 1.0, size) ** 2)) * factor
        outside = where_either(m.less(x, 0.0), 2 - reach, reach)
        return where_either(near, 1 - apply(ew.erf, x), outside)

    return with_64_bits(complement, x)


def erfinv(x: TensorLike, name: str | None = None) -> Tensor:
    """The numbers of which the error function gives these.

    Args:
      x: a tensor of any shape, of real numbers between -1 and 1.
    Returns: a tensor of the shape of `x`, of floats: infinities for -1 and 1, NaN outside.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.erfinv([-1.0, 0.0, 0.5]).numpy().round(3))
    [ -inf 0.    0.477]
    """
    return with_64_bits(lambda x: _quantile(x / 2, (1 - m.abs(x)) / 2) / math.sqrt(2), x)


def ndtri(x: TensorLike, name: str | None = None) -> Tensor:
    """The quantiles of the normal distribution of mean 0 and variance 1: the numbers that are not passed so often.

    Args:
      x: a tensor of any shape, of probabilities.
    Returns: a tensor of the shape of `x`, of floats: infinities for 0 and 1, NaN outside.
    Raises:
      TypeError: for complex numbers.

    >>> print(tf.math.ndtri([0.025, 0.5, 0.975]).numpy().round(3))
    [-1.96  0.    1.96]
    """
    return with_64_bits(lambda p: _quantile(p - 0.5, m.minimum(p, 1 - p)), x)


def _quantile(middle: Any, tail: Any) -> Any:
    """The quantile of a probability: how far that is from one half, and from the nearer end."""
    central = m.less_equal(m.abs(middle), 0.425)
    q = where_either(central, middle, 0.0)
    r = 0.180625 - q * q
    inner = q * polynomial(_CENTRE[0], r) / polynomial(_CENTRE[1], r)
    within = m.logical_and(m.logical_not(central), m.greater(tail, 0.0))
    root = m.sqrt(-m.log(where_either(within, tail, 0.05)))
    far = m.greater(root, 5.0)
    near, most = where_either(far, 2.0, root) - 1.6, where_either(far, root, 5.0) - 5.0
    outer = where_either(
        far,
        polynomial(_TAILS[0], most) / polynomial(_TAILS[1], most),
        polynomial(_SIDES[0], near) / polynomial(_SIDES[1], near),
    )
    outer = where_either(within, outer, where_either(m.equal(tail, 0.0), np.inf, np.nan))
    return where_either(central, inner, where_either(m.less(middle, 0.0), -outer, outer))
