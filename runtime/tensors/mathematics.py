"""Mathematics on tensors, element by element, by TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.graph.op import Op
from runtime.ops import elementwise as ew, shape as shape_ops
from runtime.tensors.conversion import cast, operand, promote
from runtime.tensors.operations import apply


def _unary(op: Op, doc: str) -> Callable[..., Any]:
    def function(x: Any, name: str | None = None) -> Any:
        return apply(op, operand(x))

    function.__name__ = function.__qualname__ = op.name
    function.__doc__ = doc
    return function


def _binary(op: Op, doc: str) -> Callable[..., Any]:
    def function(x: Any, y: Any, name: str | None = None) -> Any:
        a, b = promote([operand(x) if _number(x) == _number(y) else x, y])
        return apply(op, a, b)

    function.__name__ = function.__qualname__ = op.name
    function.__doc__ = doc
    return function


def _number(x: Any) -> bool:
    return isinstance(x, bool | int | float | complex)


add = _binary(ew.add, "x + y, element by element with broadcasting.")
subtract = _binary(ew.subtract, "x - y, element by element with broadcasting.")
multiply = _binary(ew.multiply, "x * y, element by element with broadcasting.")
divide = truediv = _binary(ew.divide, "x / y, element by element; ints give float64.")
floordiv = _binary(ew.floor_divide, "x // y, rounded towards minus infinity.")
mod = floormod = _binary(ew.mod, "x % y, with the sign of y.")
pow = _binary(ew.power, "x ** y, element by element.")
maximum = _binary(ew.maximum, "The larger of x and y, element by element.")
minimum = _binary(ew.minimum, "The smaller of x and y, element by element.")
atan2 = _binary(ew.atan2, "The angle of the point (y, x), in radians.")
equal = _binary(ew.equal, "x == y, element by element.")
not_equal = _binary(ew.not_equal, "x != y, element by element.")
less = _binary(ew.less, "x < y, element by element.")
less_equal = _binary(ew.less_equal, "x <= y, element by element.")
greater = _binary(ew.greater, "x > y, element by element.")
greater_equal = _binary(ew.greater_equal, "x >= y, element by element.")
logical_and = _binary(ew.logical_and, "x and y, element by element.")
logical_or = _binary(ew.logical_or, "x or y, element by element.")
logical_xor = _binary(ew.logical_xor, "Whether one of x and y is true, element by element.")
bitwise_and = _binary(ew.bitwise_and, "x & y, bit by bit.")
bitwise_or = _binary(ew.bitwise_or, "x | y, bit by bit.")
bitwise_xor = _binary(ew.bitwise_xor, "x ^ y, bit by bit.")
left_shift = _binary(ew.left_shift, "x << y.")
right_shift = _binary(ew.right_shift, "x >> y.")

negative = _unary(ew.negative, "-x.")
abs = _unary(ew.absolute, "The absolute value, or the modulus of a complex number.")
sign = _unary(ew.sign, "-1, 0 or 1.")
square = _unary(ew.square, "x * x.")
sqrt = _unary(ew.sqrt, "The square root.")
reciprocal = _unary(ew.reciprocal, "1 / x.")
exp = _unary(ew.exp, "e to the power x.")
expm1 = _unary(ew.expm1, "exp(x) - 1, accurate near 0.")
log = _unary(ew.log, "The natural logarithm.")
log1p = _unary(ew.log1p, "log(1 + x), accurate near 0.")
sin = _unary(ew.sin, "The sine of x in radians.")
cos = _unary(ew.cos, "The cosine of x in radians.")
tan = _unary(ew.tan, "The tangent of x in radians.")
asin = _unary(ew.asin, "The inverse sine, in radians.")
acos = _unary(ew.acos, "The inverse cosine, in radians.")
atan = _unary(ew.atan, "The inverse tangent, in radians.")
sinh = _unary(ew.sinh, "The hyperbolic sine.")
cosh = _unary(ew.cosh, "The hyperbolic cosine.")
tanh = _unary(ew.tanh, "The hyperbolic tangent.")
asinh = _unary(ew.asinh, "The inverse hyperbolic sine.")
acosh = _unary(ew.acosh, "The inverse hyperbolic cosine.")
atanh = _unary(ew.atanh, "The inverse hyperbolic tangent.")
sigmoid = _unary(ew.sigmoid, "1 / (1 + exp(-x)).")
softplus = _unary(ew.softplus, "log(1 + exp(x)).")
floor = _unary(ew.floor, "The largest whole number that is not above x.")
ceil = _unary(ew.ceil, "The smallest whole number that is not below x.")
rint = round = _unary(ew.rint, "The nearest whole number; halves go to the even one.")
real = _unary(ew.real, "The real part.")
imag = _unary(ew.imag, "The imaginary part.")
conj = _unary(ew.conj, "The complex conjugate.")
angle = _unary(ew.angle, "The angle of a complex number, in radians.")
is_nan = _unary(ew.is_nan, "Whether each element is NaN.")
is_inf = _unary(ew.is_inf, "Whether each element is infinite.")
is_finite = _unary(ew.is_finite, "Whether each element is neither NaN nor infinite.")
logical_not = _unary(ew.logical_not, "not x, element by element.")


def rsqrt(x: Any, name: str | None = None) -> Any:
    """1 / sqrt(x)."""
    return apply(ew.reciprocal, apply(ew.sqrt, operand(x)))


def squared_difference(x: Any, y: Any, name: str | None = None) -> Any:
    """(x - y) ** 2."""
    return square(subtract(x, y))


def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y, and 0 where y is 0."""
    x, y = promote([operand(x), y])
    zero = equal(y, 0)
    return apply(ew.where, zero, cast(0 * x, x.dtype), apply(ew.divide, x, apply(ew.where, zero, 0 * y + 1, y)))


def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of a list of tensors of one shape."""
    total = operand(inputs[0])
    for x in inputs[1:]:
        total = total + x
    return total


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """`t` with its elements moved into [clip_value_min, clip_value_max]; dtypes promote."""
    return apply(ew.clip, *promote([operand(t), clip_value_min, clip_value_max]))


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Elements of `x` where the condition holds, else of `y`; with the condition alone, the indices where it holds."""
    if x is None and y is None:
        return apply(shape_ops.nonzero, operand(condition))
    if x is None or y is None:
        raise ValueError("where takes both x and y, or neither")
    a, b = promote([operand(x) if _number(x) and _number(y) else x, y])
    return apply(ew.where, operand(condition), a, b)
