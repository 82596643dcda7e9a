"""Arithmetic, mathematics, comparison and logic, element by element."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, SupportsInt, TypeAlias

import numpy as np

from runtime.graph import shapes
from runtime.graph.dimensions import largest
from runtime.graph.dtypes import DType, NumPyArray, bool_, float16, float64, int32, int64
from runtime.graph.graph import Node, TensorType
from runtime.graph.op import Op, Span, always, elementwise, in_corners, kernel, op, where_operands_fit
from runtime.graph.public import (
    ANGLE,
    ANGLES,
    BITS,
    BOOL,
    FLOAT,
    NUMBERS,
    PROMOTED,
    QUOTIENT,
    REAL,
    SAME,
    SHIFTED,
    WHOLE,
    Public,
)

# Between which numbers results lie. An ArithmeticError says that Python may raise one, or give another kind of number.


def _ratio(x: Span, y: Span) -> Span:
    _not_zero(y)
    if max(map(abs, (*x, *y))) > _EXACT:  # Python rounds the quotient alone, and not what is divided before
        raise OverflowError
    return in_corners(operator.truediv)(x, y)


def _quotient(x: Span, y: Span) -> Span:
    _not_zero(y)
    most = max(map(abs, x))
    return (-most, most) if min(map(abs, y)) >= 1 else in_corners(lambda a, b: a / b)(x, y)


def _remainder(_: Span, y: Span) -> Span:
    _not_zero(y)
    return min(y[0], 0), max(y[1], 0)


def _bits(x: Span, y: Span) -> Span:
    """Of ``|`` and ``^``, which have no more bits than the larger operand."""
    most = max(int(n) if n >= 0 else ~int(n) for n in (*x, *y))
    top = (1 << most.bit_length()) - 1
    return (0 if x[0] >= 0 and y[0] >= 0 else ~top), top


def _common_bits(x: Span, y: Span) -> Span:
    """Of ``&``, where what is not negative has no bits beyond its own."""
    ends = [span[1] for span in (x, y) if span[0] >= 0]
    return (0, min(ends)) if ends else _bits(x, y)


def _moved_down(x: Span, y: Span) -> Span:
    if y[0] < 0:
        raise FloatingPointError  # Python has a ValueError for it
    return in_corners(lambda a, b: int(a) >> min(int(b), 64))(x, y)


def _not_zero(span: Span) -> None:
    if span[0] <= 0 <= span[1]:
        raise ZeroDivisionError


def _power(x: Span, y: Span) -> Span:
    if x[0] < 0 and not (isinstance(y[0], int) and isinstance(y[1], int)):
        raise FloatingPointError  # of a negative number that may be complex
    if y[0] < 0:
        _not_zero(x)
    base, least = max(map(abs, x)), min(map(abs, x))
    if y[1] > 1000 and base > 1 and isinstance(base, int):
        raise OverflowError
    found = [a**b for a in (base, least) for b in y if a or b >= 0]
    return (-max(found) if x[0] < 0 else 0), max(found)


def _shifted(x: Span, y: Span) -> Span:
    low, high = in_corners(lambda a, b: a * 2 ** min(b, 64))(x, (max(y[0], 0), max(y[1], 0)))
    return min(low, 0), max(high, 0)  # NumPy gives 0 where Python refuses to shift


def _size(x: Span) -> Span:
    return 0, max(map(abs, x))


def _squared(x: Span) -> Span:
    return 0, max(map(abs, x)) ** 2


def _either(_: Span, x: Span, y: Span) -> Span:
    return min(x[0], y[0]), max(x[1], y[1])


def _rounded(function: Callable[[float], float]) -> Callable[[Span], Span]:
    """A span whose ends are rounded; infinite ones stay."""
    return in_corners(lambda x: x if math.isinf(x) else function(x))


def _whole(x: Span) -> Span:
    """What `python_int` makes of floats; it raises an error for what 64 bits do not hold."""
    low, high = (min(max(end, int64.min), int64.max) for end in x)
    return int(low), int(high)


def _root(x: Span) -> Span:
    low, high = (math.sqrt(max(end, 0)) for end in x)
    return low, high


_EXACT = 2**53  # whole numbers up to here are as exact as numbers of 64 bits with a point
_same = in_corners(lambda x: x)
_ADD, _SUB = in_corners(operator.add), in_corners(operator.sub)
_MUL, _NEG = in_corners(operator.mul), in_corners(operator.neg)

# fmt: off
add = elementwise("add", "{0} + {1}", operator.add, grows=True, span=_ADD, numpy=np.add, tf="AddV2", public=Public(
    "add math.add", "``x + y``.", PROMOTED, "add([1, 2], [10, 20])", "[11 22]"))
subtract = elementwise("subtract", "{0} - {1}", operator.sub, grows=True, span=_SUB,
    numpy=np.subtract, tf="Sub", public=Public(
    "subtract math.subtract", "``x - y``.", PROMOTED, "subtract([1, 2], 1.5)", "[-0.5  0.5]"))
multiply = elementwise("multiply", "{0} * {1}", operator.mul, grows=True, span=_MUL,
    numpy=np.multiply, tf="Mul", public=Public(
    "multiply math.multiply", "``x * y``.", PROMOTED, "multiply([1, 2], [10, 20])", "[10 40]"))
divide = elementwise("divide", "{0} / {1}", span=_ratio, numpy=(np.divide,), tf="RealDiv", cost=3, public=Public(
    "divide truediv math.divide math.truediv", "``x / y``.", QUOTIENT, "divide([1.0, 2.0], 4)", "[0.25 0.5 ]"))
floor_divide = elementwise("floor_divide", "{0} // {1}", operator.floordiv, span=_quotient,
    numpy=np.floor_divide, cost=20, tf="FloorDiv", public=Public(
    "math.floordiv", "``x // y``: the quotient rounded towards minus infinity.",
    WHOLE, "math.floordiv([7, -7], 2)", "[ 3 -4]"))
mod = elementwise("mod", "{0} % {1}", span=_remainder, numpy=np.mod, cost=20, tf="FloorMod", public=Public(
    "math.floormod math.mod", "``x % y``: what `floordiv` leaves, with the sign of `y`.",
    WHOLE, "math.mod([7, -7], 4)", "[3 1]"))


def _has_no_negative_power(node: Node) -> bool:
    return where_operands_fit(node) and not node.outputs[0].type.dtype.is_integer


power = elementwise("power", "{0} ** {1}", total=_has_no_negative_power, grows=True, span=_power,
    raises=(ValueError("Integers to negative integer powers are not allowed."),),
    numpy=np.power, tf="Pow", cost=60, public=Public(
    "pow math.pow", "``x ** y``.", WHOLE, "pow([2.0, 3.0], 2)", "[4. 9.]"))
maximum = elementwise("maximum", "np.maximum({0}, {1})", largest, span=in_corners(max), numpy=np.maximum, public=Public(
    "maximum math.maximum", "The larger of `x` and `y`; NaN where either is.", PROMOTED, "maximum([1, 5], 3)", "[3 5]"))
minimum = elementwise("minimum", "np.minimum({0}, {1})", span=in_corners(min), numpy=np.minimum, public=Public(
    "minimum math.minimum", "The smaller of `x` and `y`; NaN where either is.",
    PROMOTED, "minimum([1, 5], 3)", "[1 3]"))
atan2 = elementwise("atan2", "np.arctan2({0}, {1})", numpy=np.arctan2, cost=30, public=Public(
    "atan2 math.atan2",
    "The angle of the point ``(y, x)``, in radians between -pi and pi: the first argument is the height.",
    ANGLES, "atan2([1.0, -1.0], [0.0, -1.0])", "[ 1.571 -2.356]"))
hypot = elementwise("hypot", "np.hypot({0}, {1})", numpy=np.hypot, cost=8)
fmod = elementwise("fmod", "np.fmod({0}, {1})", numpy=np.fmod, cost=60, tf="Mod")
copysign = elementwise("copysign", "np.copysign({0}, {1})", numpy=np.copysign)
nextafter = elementwise("nextafter", "np.nextafter({0}, {1})", numpy=np.nextafter, cost=5)
ldexp = elementwise("ldexp", "np.ldexp({0}, {1})", cost=5, literals=())
exponent = elementwise("exponent", "np.frexp({0})[1]", cost=5)  # of the power of two above a number
bitwise_count = elementwise("bitwise_count", "np.bitwise_count({0})", numpy=np.bitwise_count, cost=2)
gcd = elementwise("gcd", "np.gcd({0}, {1})", numpy=np.gcd, cost=60)
lcm = elementwise("lcm", "np.lcm({0}, {1})", numpy=np.lcm, cost=60)
float_power = elementwise("float_power", "np.float_power({0}, {1})", numpy=np.float_power, cost=60)
logaddexp = elementwise("logaddexp", "np.logaddexp({0}, {1})", numpy=np.logaddexp, cost=30)

negative = elementwise("negative", "-{0}", operator.neg, grows=True, span=_NEG,
    numpy=np.negative, tf="Neg", public=Public(
    "negative math.negative", "`x` with its sign changed: ``-x``.", SAME, "negative([1.0, -2.0])", "[-1.  2.]"))
positive = elementwise("positive", "+{0}", span=_same, numpy=np.positive, tf="Identity")
absolute = elementwise("absolute", "np.abs({0})", grows=True, span=_size, numpy=np.absolute, tf="Abs", public=Public(
    "abs math.abs", "The distance of each element from zero; of a complex number, its modulus.",
    REAL, "abs([-1.5, 2.0])", "[1.5 2. ]"))
sign = elementwise("sign", "np.sign({0})", numpy=np.sign, public=Public(
    "sign math.sign",
    "-1, 0 or 1, as an element is negative, zero or positive; a complex number is divided by its modulus.",
    SAME, "sign([-2.5, 0.0, 7.0])", "[-1.  0.  1.]"))
square = elementwise("square", "np.square({0})", span=_squared, numpy=np.square, public=Public(
    "square math.square", "``x * x``.", NUMBERS, "square([-2, 3])", "[4 9]"))
sqrt = elementwise("sqrt", "np.sqrt({0})", span=_root, numpy=np.sqrt, cost=3, public=Public(
    "sqrt math.sqrt", "The square root; NaN for negative numbers.", FLOAT, "sqrt([4.0, 2.0])", "[2.    1.414]"))
cbrt = elementwise("cbrt", "np.cbrt({0})", numpy=np.cbrt, cost=15)
reciprocal = elementwise("reciprocal", "np.reciprocal({0})", numpy=np.reciprocal, public=Public(
    "math.reciprocal", "``1 / x``, rounded towards zero for integers.",
    NUMBERS, "math.reciprocal([2.0, -4.0])", "[ 0.5  -0.25]"))
exp = elementwise("exp", "np.exp({0})", numpy=np.exp, cost=8, public=Public(
    "exp math.exp", "e to the power `x`.", FLOAT, "exp([0.0, 1.0])", "[1.    2.718]"))
exp2 = elementwise("exp2", "np.exp2({0})", numpy=np.exp2, cost=8)
expm1 = elementwise("expm1", "np.expm1({0})", numpy=np.expm1, cost=12, public=Public(
    "math.expm1", "``exp(x) - 1``, which stays accurate near 0.", FLOAT, "math.expm1([0.0, 1.0])", "[0.    1.718]"))
log = elementwise("log", "np.log({0})", numpy=np.log, cost=12, public=Public(
    "math.log", "The natural logarithm: -inf for 0, NaN for negative numbers.",
    FLOAT, "math.log([1.0, 10.0])", "[0.    2.303]"))
log2 = elementwise("log2", "np.log2({0})", numpy=np.log2, cost=12)
log10 = elementwise("log10", "np.log10({0})", numpy=np.log10, cost=12)
log1p = elementwise("log1p", "np.log1p({0})", numpy=np.log1p, cost=12, public=Public(
    "math.log1p", "``log(1 + x)``, which stays accurate near 0.", FLOAT, "math.log1p([0.0, 1.0])", "[0.    0.693]"))
sin = elementwise("sin", "np.sin({0})", numpy=np.sin, cost=20, public=Public(
    "sin math.sin", "The sine of angles in radians.", FLOAT, "sin([0.0, np.pi / 2])", "[0. 1.]"))
cos = elementwise("cos", "np.cos({0})", numpy=np.cos, cost=20, public=Public(
    "cos math.cos", "The cosine of angles in radians.", FLOAT, "cos([0.0, np.pi])", "[ 1. -1.]"))
tan = elementwise("tan", "np.tan({0})", numpy=np.tan, cost=20, public=Public(
    "tan math.tan", "The tangent of angles in radians.", FLOAT, "tan([0.0, 1.0])", "[0.    1.557]"))
asin = elementwise("asin", "np.arcsin({0})", numpy=np.arcsin, cost=20, public=Public(
    "asin math.asin", "The angle between -pi/2 and pi/2 whose sine is `x`; NaN outside of [-1, 1].",
    FLOAT, "asin([0.0, 1.0])", "[0.    1.571]"))
acos = elementwise("acos", "np.arccos({0})", numpy=np.arccos, cost=20, public=Public(
    "acos math.acos", "The angle between 0 and pi whose cosine is `x`; NaN outside of [-1, 1].",
    FLOAT, "acos([1.0, 0.0])", "[0.    1.571]"))
atan = elementwise("atan", "np.arctan({0})", numpy=np.arctan, cost=20, public=Public(
    "atan math.atan", "The angle between -pi/2 and pi/2 whose tangent is `x`.",
    FLOAT, "atan([0.0, 1.0])", "[0.    0.785]"))
sinh = elementwise("sinh", "np.sinh({0})", numpy=np.sinh, cost=20, public=Public(
    "sinh math.sinh", "The hyperbolic sine.", FLOAT, "sinh([0.0, 1.0])", "[0.    1.175]"))
cosh = elementwise("cosh", "np.cosh({0})", numpy=np.cosh, cost=20, public=Public(
    "cosh math.cosh", "The hyperbolic cosine.", FLOAT, "cosh([0.0, 1.0])", "[1.    1.543]"))
tanh = elementwise("tanh", "np.tanh({0})", numpy=np.tanh, cost=12, public=Public(
    "tanh math.tanh nn.tanh", "The hyperbolic tangent.", FLOAT, "tanh([0.0, 1.0])", "[0.    0.762]"))
asinh = elementwise("asinh", "np.arcsinh({0})", numpy=np.arcsinh, cost=20, public=Public(
    "asinh math.asinh", "The number whose hyperbolic sine is `x`.", FLOAT, "asinh([0.0, 1.0])", "[0.    0.881]"))
acosh = elementwise("acosh", "np.arccosh({0})", numpy=np.arccosh, cost=20, public=Public(
    "acosh math.acosh", "The number, 0 or above, whose hyperbolic cosine is `x`; NaN below 1.",
    FLOAT, "acosh([1.0, 2.0])", "[0.    1.317]"))
atanh = elementwise("atanh", "np.arctanh({0})", numpy=np.arctanh, cost=20, public=Public(
    "atanh math.atanh", "The number whose hyperbolic tangent is `x`; NaN outside of [-1, 1].",
    FLOAT, "atanh([0.0, 0.5])", "[0.    0.549]"))
floor = elementwise("floor", "np.floor({0})", span=_rounded(math.floor), numpy=np.floor, public=Public(
    "floor math.floor", "The largest whole number that is not above each element.",
    SAME, "floor([1.7, -1.2])", "[ 1. -2.]"))
ceil = elementwise("ceil", "np.ceil({0})", span=_rounded(math.ceil), numpy=np.ceil, public=Public(
    "math.ceil", "The smallest whole number that is not below each element.",
    SAME, "math.ceil([1.2, -1.7])", "[ 2. -1.]"))
trunc = elementwise("trunc", "np.trunc({0})", span=_rounded(math.trunc), numpy=np.trunc)
rint = elementwise("rint", "np.rint({0})", span=_rounded(round), numpy=np.rint, public=Public(
    "math.rint", "The nearest whole number; halves go to the even one.",
    FLOAT, "math.rint([0.5, 1.5, -1.7])", "[ 0.  2. -2.]"))
conj = elementwise("conj", "np.conj({0})", numpy=np.conjugate, public=Public(
    "math.conj", "The complex conjugate; other numbers as they are.",
    NUMBERS, "math.conj([1 + 2j, 3.0])", "[1.-2.j 3.-0.j]"))
real = elementwise("real", "np.real({0})", numpy=np.real, shares=always, public=Public(
    "math.real", "The real part of complex numbers; other numbers as they are.",
    REAL, "math.real([1 + 2j, 3.0])", "[1. 3.]"))
imag = elementwise("imag", "np.imag({0})", numpy=np.imag, shares=always, public=Public(
    "math.imag", "The imaginary part of complex numbers; zeros for other numbers.",
    REAL, "math.imag([1 + 2j, 3.0])", "[2. 0.]"))


@kernel
def complex_of(real: NumPyArray, imag: NumPyArray) -> object:
    """Both parts as they are: a sum would lose signs of zeros, and make NaN of infinities."""
    kind = np.result_type(real, imag, np.complex64)
    if np.result_type(real, imag).kind != "f":
        raise TypeError("complex numbers are made of floats")
    made = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), kind)
    made.real, made.imag = real, imag
    return made[()]


complex_ = elementwise("complex", "complex_of({0}, {1})", public=Public(
    "complex dtypes.complex", "The complex numbers that have given real and imaginary parts.",
    "of complex numbers of twice the size", "complex([1.0, 2.0], 0.5)",
    "[1.+0.5j 2.+0.5j]"))
angle = elementwise("angle", "np.angle({0})", numpy=np.angle, cost=30, public=Public(
    "math.angle", "The angle of complex numbers in the plane, in radians.",
    ANGLE, "math.angle([1j, -1.0])", "[1.571 3.142]"))

is_nan = elementwise("is_nan", "np.isnan({0})", numpy=np.isnan, public=Public(
    "math.is_nan", "Whether each element is NaN.", BOOL, "math.is_nan([1.0, np.nan])", "[False  True]"))
is_inf = elementwise("is_inf", "np.isinf({0})", numpy=np.isinf, public=Public(
    "math.is_inf", "Whether each element is infinite, of either sign.",
    BOOL, "math.is_inf([1.0, -np.inf])", "[False  True]"))
is_finite = elementwise("is_finite", "np.isfinite({0})", numpy=np.isfinite, public=Public(
    "math.is_finite", "Whether each element is neither NaN nor infinite.",
    BOOL, "math.is_finite([1.0, np.inf, np.nan])", "[ True False False]"))
logical_not = elementwise("logical_not", "np.logical_not({0})", numpy=np.logical_not, public=Public(
    "logical_not math.logical_not", "Whether each element is False, or zero.",
    BOOL, "logical_not([True, False])", "[False  True]"))
logical_and = elementwise("logical_and", "np.logical_and({0}, {1})", numpy=np.logical_and, public=Public(
    "logical_and math.logical_and", "Whether both `x` and `y` are true.",
    BOOL, "logical_and([True, True], [True, False])", "[ True False]"))
logical_or = elementwise("logical_or", "np.logical_or({0}, {1})", numpy=np.logical_or, public=Public(
    "logical_or math.logical_or", "Whether `x` or `y` is true, or both.",
    BOOL, "logical_or([True, False], False)", "[ True False]"))
logical_xor = elementwise("logical_xor", "np.logical_xor({0}, {1})", numpy=np.logical_xor, public=Public(
    "math.logical_xor", "Whether one of `x` and `y` is true, and not both.",
    BOOL, "math.logical_xor([True, False], True)", "[False  True]"))
bitwise_and = elementwise("bitwise_and", "{0} & {1}", span=_common_bits, numpy=np.bitwise_and, public=Public(
    "bitwise.bitwise_and", "``x & y``: the bits that both have.", BITS, "bitwise.bitwise_and([6, 5], 3)", "[2 1]"))
bitwise_or = elementwise("bitwise_or", "{0} | {1}", span=_bits, numpy=np.bitwise_or, public=Public(
    "bitwise.bitwise_or", "``x | y``: the bits that either has.", BITS, "bitwise.bitwise_or([6, 5], 3)", "[7 7]"))
bitwise_xor = elementwise("bitwise_xor", "{0} ^ {1}", span=_bits, numpy=np.bitwise_xor, public=Public(
    "bitwise.bitwise_xor", "``x ^ y``: the bits that one has and not the other.",
    BITS, "bitwise.bitwise_xor([6, 5], 3)", "[5 6]"))
invert = elementwise("invert", "~{0}", span=in_corners(operator.invert), numpy=np.invert, public=Public(
    "bitwise.invert", "Each bit the other one; of booleans, `logical_not`.",
    SAME, "bitwise.invert([5, -1])", "[-6  0]"))
left_shift = elementwise("left_shift", "{0} << {1}", span=_shifted, numpy=np.left_shift, public=Public(
    "bitwise.left_shift", "``x << y``: the bits moved up by `y` places.",
    SHIFTED, "bitwise.left_shift([1, 3], 2)", "[ 4 12]"))
right_shift = elementwise("right_shift", "{0} >> {1}", span=_moved_down, numpy=np.right_shift, public=Public(
    "bitwise.right_shift", "``x >> y``: the bits moved down by `y` places.",
    SHIFTED, "bitwise.right_shift([8, -8], 2)", "[ 2 -2]"))


def _comparison(name: str, symbol: str, numpy: object, tf: str, public: Public) -> Op:
    def rule(x: TensorType, y: TensorType) -> TensorType:
        return TensorType(bool_, shapes.broadcast(x.shape, y.shape))

    columns: dict[str, object] = {"literals": (0, 1), "total": where_operands_fit, "compares": True, "public": public}
    return op(name, rule, f"{{0}} {symbol} {{1}}", numpy=numpy, tf=tf, light=True, **columns)


equal = _comparison("equal", "==", np.equal, "Equal", public=Public(
    "equal math.equal", "Whether ``x == y``.", BOOL, "equal([1, 2], [1, 3])", "[ True False]"))
not_equal = _comparison("not_equal", "!=", np.not_equal, "NotEqual", public=Public(
    "not_equal math.not_equal", "Whether ``x != y``.", BOOL, "not_equal([1, 2], [1, 3])", "[False  True]"))
less = _comparison("less", "<", np.less, "Less", public=Public(
    "less math.less", "Whether ``x < y``.", BOOL, "less([1, 2], 2)", "[ True False]"))
less_equal = _comparison("less_equal", "<=", np.less_equal, "LessEqual", public=Public(
    "less_equal math.less_equal", "Whether ``x <= y``.", BOOL, "less_equal([1, 2], 1)", "[ True False]"))
greater = _comparison("greater", ">", np.greater, "Greater", public=Public(
    "greater math.greater", "Whether ``x > y``.", BOOL, "greater([1, 2], 1)", "[False  True]"))
greater_equal = _comparison("greater_equal", ">=", np.greater_equal, "GreaterEqual", public=Public(
    "greater_equal math.greater_equal", "Whether ``x >= y``.", BOOL, "greater_equal([1, 2], 2)", "[False  True]"))
# fmt: on


@kernel
def sigmoid_of(x: NumPyArray) -> object:
    """1 / (1 + exp(-x)), without overflow on either side."""
    if x.dtype.kind in "iu":  # whose smallest numbers have no opposite
        x = x.astype(np.exp(np.ones((), x.dtype)).dtype)
    e = np.exp(np.where(x.real >= 0, -x, x) if x.dtype.kind == "c" else -np.abs(x))
    return np.where(x.real >= 0, 1 / (1 + e), e / (1 + e)).astype(e.dtype)


# Of `erf`: erf(x) / x is a polynomial in x * x up to 1, and erfc(x) * exp(x * x) one in (x - 2) / (x + 2) from there to
# 6; they were interpolated between Chebyshev's points, with 50 digits. The first of each is for numbers of 32 bits.
# fmt: off
ERF_BELOW_1 = (
    7.875875062685488e-05, -0.000801686428716587, 0.005189087423433974, -0.026854212010626412, 0.11283594715160218,
    -0.37612626666720334, 1.1283791658483509,
), (
    5.957176147748911e-11, -1.1372848856791674e-09, 1.4659775274047436e-08, -1.6350312701054695e-07,
    1.6461000484121368e-06, -1.4925595266831182e-05, 0.0001205533111164271, -0.000854832698083379,
    0.0052239776248180145, -0.026866170645076792, 0.11283791670954879, -0.3761263890318375, 1.1283791670955126,
)
ERF_ABOVE_1 = (
    0.00017761528754330538, -0.0009579565732626801, -0.0008781811746630497, 0.006997470970135616,
    0.0037352553538276025, -0.07897865730891011, 0.24165813437907882, -0.42718584608697696, 0.2553956765552486,
), (
    5.5122843241217635e-08, 9.610629801816115e-08, -1.363330829462481e-07, -5.143808653845284e-07,
    -4.114710965297881e-07, 1.1954890930098656e-06, 3.749252793129386e-06, 1.3933694614170019e-06,
    -1.3961435485530436e-05, -2.758040999497952e-05, 2.7524858073592343e-05, 0.0001743612301523324,
    4.355563625422083e-05, -0.0009819770300382499, -0.0008471432519791012, 0.006997461739289359,
    0.003732892404344617, -0.07897858101573307, 0.24165819424246635, -0.4271858474139584, 0.25539567631050575,
)
# Up to 4, where it is 1 for 32 bits, erf(x) / x is also a quotient of polynomials in x * x, but for 2e-9 of it: fitted
# by least squares, with weights by which the largest errors are the same.
_ERF_ABOVE = (
    -1.320153415386444e-08, 4.684622722263526e-06, 0.0003796048182226702, 0.003849668610707054, 0.05431702469131462,
    0.18520498776632055, 1.128379169373857,
)
_ERF_BELOW = (
    6.310914234373196e-05, 0.0013075761662638401, 0.015462189895523067, 0.11395903892404392, 0.49746706060374346, 1.0,
)
# fmt: on


@kernel
def error_function(x: NumPyArray) -> object:
    """The integral of the normal distribution between -x and x, for a variance of one half."""
    result = np.exp(np.zeros((), x.dtype)).dtype
    if result.kind == "c":
        raise TypeError("erf is a function of real numbers")
    given = np.asarray(x)
    flat = given.reshape(-1)
    made = np.empty(flat.shape, result)
    for start in range(0, len(flat), _ERF_BLOCK):
        part = slice(start, start + _ERF_BLOCK)
        made[part] = _erf_of_64_bits(flat[part]) if result == np.float64 else _erf_of_32_bits(flat[part])
    return made.reshape(given.shape)[()]


_ERF_BLOCK = 1 << 14  # numbers that stay in a processor's cache with all that is made of them


def _erf_of_64_bits(x: NumPyArray) -> NumPyArray:
    y = np.asarray(x, np.float64)
    size = np.minimum(np.abs(y), 6)
    near = size * _polynomial(ERF_BELOW_1[1], size * size)
    far = 1 - np.exp(-size * size) * _polynomial(ERF_ABOVE_1[1], (size - 2) / (size + 2))
    return np.copysign(np.where(size < 1, near, far), y)


def _erf_of_32_bits(x: NumPyArray) -> NumPyArray:
    """With 64 bits, of which 29 are right; with 32, the last of them would not be."""
    y = np.array(x, np.float64)
    np.clip(y, -4, 4, out=y)
    square = y * y
    y *= _polynomial(_ERF_ABOVE, square)
    y /= _polynomial(_ERF_BELOW, square)
    return y


def _polynomial(coefficients: Sequence[float], x: NumPyArray) -> NumPyArray:
    """Horner's scheme, in one array."""
    first, second, *rest = coefficients
    y = x * first
    y += second
    for coefficient in rest:
        y *= x
        y += coefficient
    return y


# fmt: off
erf = elementwise("erf", "error_function({0})", cost=20, public=Public(
    "math.erf", "The error function: how likely a normal number of variance 1/2 is to lie between ``-x`` and `x`.",
    FLOAT, "math.erf([-1.0, 0.0, 2.0])", "[-0.843  0.     0.995]"))
sigmoid = elementwise("sigmoid", "sigmoid_of({0})", cost=12, public=Public(
    "sigmoid math.sigmoid nn.sigmoid", "The logistic function, ``1 / (1 + exp(-x))``, without overflow.",
    FLOAT, "sigmoid([0.0, 2.0])", "[0.5   0.881]"))
softplus = elementwise("softplus", "np.logaddexp({0}, np.zeros_like({0}))", cost=30, public=Public(
    "math.softplus nn.softplus", "``log(1 + exp(x))``, without overflow: a smooth `relu`.",
    FLOAT, "math.softplus([0.0, 100.0])", "[  0.693 100.   ]"))
relu = elementwise("relu", "np.maximum({0}, np.zeros_like({0}))")
# fmt: on


def _cast(x: TensorType, *, dtype: DType, weak: bool = False) -> TensorType:
    wider = x.dtype.is_integer and dtype.is_integer and dtype.size > x.dtype.size and x.dtype.min < 0
    return TensorType(dtype, x.shape, weak, sizes=x.sizes if wider or dtype == x.dtype else None)


# Between numbers; strings.py has the rest.
cast = op("cast", _cast, "{dtype}({0})", keeps_weak=True, light=True, total=always, shares=always, span=_same)


PYTHONS_WHOLE = TensorType(int64, (), weak=True)  # a whole number of Python's
PYTHONS_FLOAT = TensorType(float64, (), weak=True)
Whole: TypeAlias = "np.integer[Any]"  # a number of Python's, as graphs hand it to kernels


@functools.cache
def _bounds(dtype: type) -> tuple[int, int]:
    """The least and the largest number of a dtype; NumPy takes a microsecond to tell."""
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max)


@kernel
def fitting(x: Whole, dtype: type) -> object:
    """A Python integer, in 64 bits here, as a number of a dtype that holds it.

    Raises OverflowError for one that it does not hold, as NumPy does.
    """
    low, high = _bounds(dtype)
    if low <= x <= high:
        return dtype(x)
    raise OverflowError(f"Python integer {x} out of bounds for {np.dtype(dtype).name}")


def _fitted(x: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, x.shape, sizes=x.sizes)


fit = op(
    "fit", _fitted, "fitting({0}, {dtype})", keeps_weak=True, tf="Cast", shares=always,
    raises=(OverflowError("Python integer out of bounds"),),
)  # fmt: skip


@kernel
def exact(number: int) -> int:
    """A whole number that Python has computed, which 64 bits hold.

    Raises OverflowError for one that they do not hold, and ValueError, as NumPy does, for a power below 0.
    """
    if isinstance(number, float):
        raise ValueError("Integers to negative integer powers are not allowed.")
    if -(2**63) <= number < 2**63:
        return number
    raise OverflowError(
        f"{number} is a whole number of Python's that a graph makes, and those have 64 bits there. Compute with floats "
        "(float(x)), keep numbers small with %, or leave this to Python (autograph.do_not_convert)"
    )


_ZERO = np.int64(0)


@kernel
def wide(x: Whole) -> object:
    """A whole number in 64 bits; NumPy adds much faster than it converts."""
    return x + _ZERO


def _widened(x: TensorType) -> TensorType:
    if not x.dtype.is_bool and not (x.dtype.is_integer and x.dtype.max <= int64.max):
        raise TypeError(f"widen: 64 bits do not hold every number of {x.dtype.name}; python_int looks at each")
    return TensorType(int64, x.shape, weak=True, sizes=x.sizes if x.dtype.is_integer else None)


# An integer, or a truth value, as one of Python's.
widen = op("widen", _widened, "wide({0})", keeps_weak=True, tf="Cast", total=always, span=_same)


@kernel
def whole(x: SupportsInt) -> object:
    """What Python's ``int`` makes of a number, in 64 bits.

    Raises ValueError for NaN, OverflowError for infinities and what 64 bits do not hold.
    """
    return np.int64(int(x))


def _python_int(x: TensorType) -> TensorType:
    return TensorType(int64, x.shape, weak=True)


python_int = op(
    "python_int", _python_int, "whole({0})", keeps_weak=True, tf="Cast", span=_whole,
    raises=(
        ValueError("cannot convert float NaN to integer"), OverflowError("cannot convert float infinity to integer")
    ),
)  # fmt: skip


@kernel
def narrow_int(x: Whole) -> object:
    """A Python integer, in 64 bits here, as `constant` has it: int32 where that holds it, or else int64."""
    return np.int32(x) if -(2**31) <= x < 2**31 else np.int64(x)


def _narrow(x: TensorType) -> TensorType:
    return TensorType(int32, x.shape, sizes=x.sizes)


narrow = op("narrow", _narrow, "narrow_int({0})", keeps_weak=True, tf="Cast", total=always, shares=always)


def _where(test: TensorType, x: TensorType, y: TensorType) -> TensorType:
    return TensorType(x.dtype, shapes.broadcast(test.shape, x.shape, y.shape))


where = op(
    "where", _where, "np.where({0}, {1}, {2})[()]", tf="SelectV2", light=True, total=where_operands_fit, span=_either
)


def _clip(x: TensorType, low: TensorType, high: TensorType) -> TensorType:
    return TensorType(x.dtype, shapes.broadcast(x.shape, low.shape, high.shape))


clip = op(
    "clip", _clip, "np.clip({0}, {1}, {2})", tf="ClipByValue", literals=(1, 2), total=where_operands_fit, light=True
)


def _round(x: TensorType, *, decimals: int) -> TensorType:
    return TensorType(float16 if x.dtype.is_bool else x.dtype, x.shape)


round_ = op("round", _round, "np.round({0}, {decimals})", total=always)


@kernel
def rounded(x: Any, digits: int) -> object:
    """What Python's ``round`` makes of one of its numbers: the nearest that has so many decimals, as it is written."""
    whole = isinstance(np.asarray(x).item(), int)
    return np.int64(exact(round(int(x), digits))) if whole else np.float64(round(float(x), digits))


def _rounded_type(x: TensorType, *, digits: int) -> TensorType:
    return TensorType(x.dtype, x.shape, x.weak)


# NumPy multiplies, rounds and divides instead: 0.15 is 0.2 for it, and 0.1 for Python.
python_round = op("python_round", _rounded_type, "rounded({0}, {digits})", keeps_weak=True, tf="Round")


def _is_close(x: TensorType, y: TensorType, **_: object) -> TensorType:
    return TensorType(bool_, shapes.broadcast(x.shape, y.shape))


is_close = op("is_close", _is_close, "np.isclose({0}, {1}, rtol={rtol}, atol={atol})", total=where_operands_fit)
