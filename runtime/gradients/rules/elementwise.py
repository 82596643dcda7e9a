"""Gradients of what works element by element."""

from __future__ import annotations

import math
from collections.abc import Sequence

from runtime.gradients.cells import Step, constant, derivative, gradient, zero
from runtime.ops import elementwise as ew
from runtime.tensors import mathematics as m
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor

Given = Sequence[Tensor | None]


def select(test: Tensor, x: Tensor, y: Tensor) -> Tensor:
    return apply(ew.where, test, x, y)


derivative(ew.add, 1, 1)
derivative(ew.subtract, 1, -1)
derivative(ew.multiply, lambda x, y, z: y, lambda x, y, z: x)
derivative(ew.divide, lambda x, y, z: 1 / y, lambda x, y, z: -z / y)
derivative(ew.mod, 1, lambda x, y, z: -apply(ew.floor_divide, x, y))
derivative(ew.nextafter, 1, None)
derivative(ew.ldexp, lambda x, n, y: apply(ew.ldexp, x * 0 + 1, n), None)
derivative(ew.fmod, 1, lambda x, y, z: -apply(ew.trunc, x / y))


def _by_base(x: Tensor, y: Tensor, _: Tensor) -> Tensor:
    """``y * x ** (y - 1)``, which is 0 for the power 0, at 0 too."""
    flat = apply(ew.equal, y, zero(y))
    return select(flat, zero(y), y) * x ** select(flat, y, y - 1)


def _by_exponent(x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    """``z * log(x)``; where the logarithm is none, only whole powers are there, which do not change by a little."""
    known = apply(ew.not_equal, x, zero(x)) if x.type.dtype.is_complex else apply(ew.greater, x, zero(x))
    return z * select(known, m.log(select(known, x, zero(x) + 1)), zero(z))


derivative(ew.power, _by_base, _by_exponent)
derivative(ew.float_power, _by_base, _by_exponent)
derivative(ew.atan2, lambda y, x, z: x / (x * x + y * y), lambda y, x, z: -y / (x * x + y * y))
derivative(ew.hypot, lambda x, y, z: _over(x, z), lambda x, y, z: _over(y, z))
derivative(ew.copysign, lambda x, y, z: apply(ew.copysign, zero(x) + 1, x) * apply(ew.copysign, zero(y) + 1, y), None)
derivative(ew.logaddexp, lambda x, y, z: m.sigmoid(x - y), lambda x, y, z: m.sigmoid(y - x))


def _over(x: Tensor, y: Tensor) -> Tensor:
    """A quotient, 0 where the divisor is."""
    none = apply(ew.equal, y, zero(y))
    quotient = x / select(none, zero(y) + 1, y)
    return select(none, zero(quotient), quotient)


derivative(ew.negative, -1)
derivative(ew.positive, 1)
derivative(ew.square, lambda x, y: 2 * x)
derivative(ew.sqrt, lambda x, y: 0.5 / y)
derivative(ew.cbrt, lambda x, y: 1 / (3 * y * y))
derivative(ew.reciprocal, lambda x, y: -y * y)
derivative(ew.exp, lambda x, y: y)
derivative(ew.exp2, lambda x, y: math.log(2) * y)
derivative(ew.expm1, lambda x, y: y + 1)
derivative(ew.log, lambda x, y: 1 / x)
derivative(ew.log2, lambda x, y: 1 / (math.log(2) * x))
derivative(ew.log10, lambda x, y: 1 / (math.log(10) * x))
derivative(ew.log1p, lambda x, y: 1 / (1 + x))
derivative(ew.sin, lambda x, y: m.cos(x))
derivative(ew.cos, lambda x, y: -m.sin(x))
derivative(ew.tan, lambda x, y: 1 + y * y)
derivative(ew.asin, lambda x, y: 1 / m.sqrt(1 - x * x))
derivative(ew.acos, lambda x, y: -1 / m.sqrt(1 - x * x))
derivative(ew.atan, lambda x, y: 1 / (1 + x * x))
derivative(ew.sinh, lambda x, y: m.cosh(x))
derivative(ew.cosh, lambda x, y: m.sinh(x))
derivative(ew.tanh, lambda x, y: 1 - y * y)
derivative(ew.asinh, lambda x, y: 1 / m.sqrt(1 + x * x))
derivative(ew.acosh, lambda x, y: 1 / (m.sqrt(x - 1) * m.sqrt(x + 1)))
derivative(ew.atanh, lambda x, y: 1 / (1 - x * x))
derivative(ew.sigmoid, lambda x, y: y * (1 - y))
derivative(ew.erf, lambda x, y: 2 / math.sqrt(math.pi) * m.exp(-x * x))
derivative(ew.softplus, lambda x, y: m.sigmoid(x))


@gradient(ew.absolute)
def absolute(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    return [step.times(g, apply(ew.sign, x))]


@gradient(ew.sign)
def sign(step: Step, g: Tensor) -> Given:
    """Of complex numbers, what turns them; the sign of others does not change by a little."""
    (x,), (y,) = step.inputs, step.outputs
    if not x.type.dtype.is_complex:
        return [zero(g)]
    along = apply(ew.real, apply(ew.conj, y) * g)
    return [_over(g - y * along, apply(ew.absolute, x))]


@gradient(ew.conj)
def conj(_: Step, g: Tensor) -> Given:
    return [apply(ew.conj, g)]


@gradient(ew.real)
def real(_: Step, g: Tensor) -> Given:
    return [g]


@gradient(ew.imag)
def imag(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    return [g * 1j if x.type.dtype.is_complex else None]


@gradient(ew.complex_)
def complex_(_: Step, g: Tensor) -> Given:
    return [apply(ew.real, g), apply(ew.imag, g)]


@gradient(ew.angle)
def angle(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    if not x.type.dtype.is_complex:
        return [None]
    size = apply(ew.absolute, x)
    return [_over(x, size * size) * 1j * g]


@gradient(ew.relu, masks=True)
def relu(step: Step, g: Tensor) -> Given:
    (x,) = step.inputs
    return [select(apply(ew.greater, x, zero(x)), g, zero(g))]


@gradient(ew.maximum, masks=True)
def maximum(step: Step, g: Tensor) -> Given:
    """Where both are the same, it is the first that counts."""
    x, y = step.inputs
    return _either(step, apply(ew.greater_equal, x, y), g)


@gradient(ew.minimum, masks=True)
def minimum(step: Step, g: Tensor) -> Given:
    x, y = step.inputs
    return _either(step, apply(ew.less_equal, x, y), g)


def _either(step: Step, first: Tensor, g: Tensor) -> Given:
    parts = ((first, g, zero(g)), (first, zero(g), g))
    return [select(*part) if wanted else None for part, wanted in zip(parts, step.wanted)]


@gradient(ew.where, masks=True)
def where(step: Step, g: Tensor) -> Given:
    test, *_ = step.inputs
    parts = ((test, g, zero(g)), (test, zero(g), g))
    return [None, *(select(*part) if wanted else None for part, wanted in zip(parts, step.wanted[1:]))]


@gradient(ew.clip, masks=True)
def clip(step: Step, g: Tensor) -> Given:
    """On the bounds, it is the number that counts."""
    x, low, high = step.inputs
    under, over = apply(ew.less, x, low), apply(ew.greater, x, high)
    outside = apply(ew.logical_or, under, over)
    parts = (select(outside, zero(g), g), select(under, g, zero(g)), select(over, g, zero(g)))
    return [part if wanted else None for part, wanted in zip(parts, step.wanted)]


@gradient(ew.cast)
def cast(_: Step, g: Tensor) -> Given:
    return [g]


constant(
    ew.floor_divide, ew.floor, ew.ceil, ew.trunc, ew.rint, ew.round_, ew.python_round, ew.is_nan, ew.is_inf,
    ew.is_finite, ew.is_close, ew.logical_not, ew.logical_and, ew.logical_or, ew.logical_xor, ew.bitwise_and,
    ew.bitwise_or, ew.bitwise_xor, ew.invert, ew.left_shift, ew.right_shift, ew.equal, ew.not_equal, ew.less,
    ew.less_equal, ew.greater, ew.greater_equal, ew.fit, ew.widen, ew.python_int, ew.narrow, ew.gcd, ew.lcm,
    ew.exponent, ew.bitwise_count,
)  # fmt: skip
