"""Mathematics on tensors, element by element, by TensorFlow's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runtime.graph.op import Op
from runtime.ops import elementwise as ew, shape as shape_ops
from runtime.tensors.conversion import cast, operand, promote
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

# What functions of elements return: a test holds these words against the rows.
_SAME = "of the dtype of `x`"
_FLOAT = (
    "of the dtype of `x` if those are floats or complex numbers;\n"
    "  integers and booleans become floats that hold them, float64 for 32 bits and more"
)
_NUMBERS = "of the dtype of `x`, or int8 for booleans"
_REAL = "of the dtype of `x`, or of its parts if the numbers are complex"
_PROMOTED = "of the dtype that both promote to"
_WHOLE = "of the dtype that both\n  promote to, or int8 if that is one of booleans"
_QUOTIENT = "of the dtype that both\n  promote to, or float64 if that is one of integers or booleans"
_ANGLE = "of floats"
_ANGLES = "of the floats that both\n  promote to, or that hold what both promote to"
_BITS = "of the dtype that both\n  promote to, which must be one of integers or booleans"
_SHIFTED = "of the dtype that both\n  promote to, which must be one of integers; booleans are taken for int8"
_BOOL = "of booleans"

_UNARY = """{summary}

Args:
  x: a tensor of any shape, or what becomes one.
Returns: a tensor of the shape of `x`, {result}.
Raises:
  InvalidArgumentError, or TypeError while tracing: if there is no such function of elements of this dtype.

>>> print(tf.{example}{value})
{shown}
"""

_BINARY = """{summary}

Args:
  x, y: tensors whose shapes go together by NumPy's broadcasting, or what becomes such.
Returns: a tensor of the shape to which those of `x` and `y` broadcast, {result}.
Raises:
  ValueError: if the shapes do not go together.
  InvalidArgumentError, or TypeError while tracing: if there is no such function of elements of these dtypes.

>>> print(tf.{example}{value})
{shown}
"""


class Unary(Protocol):
    """A function of one tensor, element by element."""

    __name__: str
    __qualname__: str

    def __call__(self, x: TensorLike, name: str | None = None) -> Tensor: ...


class Binary(Protocol):
    """A function of two tensors, element by element."""

    __name__: str
    __qualname__: str

    def __call__(self, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor: ...


def _describe(function: Unary | Binary, op: Op, text: str, summary: str, result: str, example: str, shown: str) -> None:
    value = ".numpy().round(3)" if result in (_FLOAT, _ANGLE, _ANGLES) else ".numpy()"
    function.__name__ = function.__qualname__ = op.name
    function.__doc__ = text.format(summary=summary, result=result, example=example, value=value, shown=shown)


def _unary(op: Op, summary: str, result: str, example: str, shown: str) -> Unary:
    def function(x: TensorLike, name: str | None = None) -> Tensor:
        return apply(op, operand(x))

    _describe(function, op, _UNARY, summary, result, example, shown)
    return function


def _binary(op: Op, summary: str, result: str, example: str, shown: str) -> Binary:
    def function(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
        a, b = promote([operand(x) if _number(x) == _number(y) else x, y])
        return apply(op, a, b)

    _describe(function, op, _BINARY, summary, result, example, shown)
    return function


def _number(x: object) -> bool:
    return isinstance(x, bool | int | float | complex)


add = _binary(ew.add, "``x + y``.", _PROMOTED, "add([1, 2], [10, 20])", "[11 22]")
subtract = _binary(ew.subtract, "``x - y``.", _PROMOTED, "subtract([1, 2], 1.5)", "[-0.5  0.5]")
multiply = _binary(ew.multiply, "``x * y``.", _PROMOTED, "multiply([1, 2], [10, 20])", "[10 40]")
divide = truediv = _binary(ew.divide, "``x / y``.", _QUOTIENT, "divide([1.0, 2.0], 4)", "[0.25 0.5 ]")
floordiv = _binary(
    ew.floor_divide,
    "``x // y``: the quotient rounded towards minus infinity.",
    _WHOLE,
    "math.floordiv([7, -7], 2)",
    "[ 3 -4]",
)
mod = floormod = _binary(
    ew.mod, "``x % y``: what `floordiv` leaves, with the sign of `y`.", _WHOLE, "math.mod([7, -7], 4)", "[3 1]"
)
pow = _binary(ew.power, "``x ** y``.", _WHOLE, "pow([2.0, 3.0], 2)", "[4. 9.]")
maximum = _binary(
    ew.maximum, "The larger of `x` and `y`; NaN where either is.", _PROMOTED, "maximum([1, 5], 3)", "[3 5]"
)
minimum = _binary(
    ew.minimum, "The smaller of `x` and `y`; NaN where either is.", _PROMOTED, "minimum([1, 5], 3)", "[1 3]"
)
atan2 = _binary(
    ew.atan2,
    "The angle of the point ``(y, x)``, in radians between -pi and pi: the first argument is the height.",
    _ANGLES,
    "atan2([1.0, -1.0], [0.0, -1.0])",
    "[ 1.571 -2.356]",
)
equal = _binary(ew.equal, "Whether ``x == y``.", _BOOL, "equal([1, 2], [1, 3])", "[ True False]")
not_equal = _binary(ew.not_equal, "Whether ``x != y``.", _BOOL, "not_equal([1, 2], [1, 3])", "[False  True]")
less = _binary(ew.less, "Whether ``x < y``.", _BOOL, "less([1, 2], 2)", "[ True False]")
less_equal = _binary(ew.less_equal, "Whether ``x <= y``.", _BOOL, "less_equal([1, 2], 1)", "[ True False]")
greater = _binary(ew.greater, "Whether ``x > y``.", _BOOL, "greater([1, 2], 1)", "[False  True]")
greater_equal = _binary(ew.greater_equal, "Whether ``x >= y``.", _BOOL, "greater_equal([1, 2], 2)", "[False  True]")
logical_and = _binary(
    ew.logical_and,
    "Whether both `x` and `y` are true.",
    _BOOL,
    "logical_and([True, True], [True, False])",
    "[ True False]",
)
logical_or = _binary(
    ew.logical_or, "Whether `x` or `y` is true, or both.", _BOOL, "logical_or([True, False], False)", "[ True False]"
)
logical_xor = _binary(
    ew.logical_xor,
    "Whether one of `x` and `y` is true, and not both.",
    _BOOL,
    "math.logical_xor([True, False], True)",
    "[False  True]",
)
bitwise_and = _binary(
    ew.bitwise_and, "``x & y``: the bits that both have.", _BITS, "bitwise.bitwise_and([6, 5], 3)", "[2 1]"
)
bitwise_or = _binary(
    ew.bitwise_or, "``x | y``: the bits that either has.", _BITS, "bitwise.bitwise_or([6, 5], 3)", "[7 7]"
)
bitwise_xor = _binary(
    ew.bitwise_xor,
    "``x ^ y``: the bits that one has and not the other.",
    _BITS,
    "bitwise.bitwise_xor([6, 5], 3)",
    "[5 6]",
)
left_shift = _binary(
    ew.left_shift, "``x << y``: the bits moved up by `y` places.", _SHIFTED, "bitwise.left_shift([1, 3], 2)", "[ 4 12]"
)
right_shift = _binary(
    ew.right_shift,
    "``x >> y``: the bits moved down by `y` places.",
    _SHIFTED,
    "bitwise.right_shift([8, -8], 2)",
    "[ 2 -2]",
)

negative = _unary(ew.negative, "`x` with its sign changed: ``-x``.", _SAME, "negative([1.0, -2.0])", "[-1.  2.]")
abs = _unary(
    ew.absolute,
    "The distance of each element from zero; of a complex number, its modulus.",
    _REAL,
    "abs([-1.5, 2.0])",
    "[1.5 2. ]",
)
sign = _unary(
    ew.sign,
    "-1, 0 or 1, as an element is negative, zero or positive; a complex number is divided by its modulus.",
    _SAME,
    "sign([-2.5, 0.0, 7.0])",
    "[-1.  0.  1.]",
)
square = _unary(ew.square, "``x * x``.", _NUMBERS, "square([-2, 3])", "[4 9]")
sqrt = _unary(ew.sqrt, "The square root; NaN for negative numbers.", _FLOAT, "sqrt([4.0, 2.0])", "[2.    1.414]")
reciprocal = _unary(
    ew.reciprocal,
    "``1 / x``, rounded towards zero for integers.",
    _NUMBERS,
    "math.reciprocal([2.0, -4.0])",
    "[ 0.5  -0.25]",
)
exp = _unary(ew.exp, "e to the power `x`.", _FLOAT, "exp([0.0, 1.0])", "[1.    2.718]")
expm1 = _unary(
    ew.expm1, "``exp(x) - 1``, which stays accurate near 0.", _FLOAT, "math.expm1([0.0, 1.0])", "[0.    1.718]"
)
log = _unary(
    ew.log,
    "The natural logarithm: -inf for 0, NaN for negative numbers.",
    _FLOAT,
    "math.log([1.0, 10.0])",
    "[0.    2.303]",
)
log1p = _unary(
    ew.log1p, "``log(1 + x)``, which stays accurate near 0.", _FLOAT, "math.log1p([0.0, 1.0])", "[0.    0.693]"
)
sin = _unary(ew.sin, "The sine of angles in radians.", _FLOAT, "sin([0.0, np.pi / 2])", "[0. 1.]")
cos = _unary(ew.cos, "The cosine of angles in radians.", _FLOAT, "cos([0.0, np.pi])", "[ 1. -1.]")
tan = _unary(ew.tan, "The tangent of angles in radians.", _FLOAT, "tan([0.0, 1.0])", "[0.    1.557]")
asin = _unary(
    ew.asin,
    "The angle between -pi/2 and pi/2 whose sine is `x`; NaN outside of [-1, 1].",
    _FLOAT,
    "asin([0.0, 1.0])",
    "[0.    1.571]",
)
acos = _unary(
    ew.acos,
    "The angle between 0 and pi whose cosine is `x`; NaN outside of [-1, 1].",
    _FLOAT,
    "acos([1.0, 0.0])",
    "[0.    1.571]",
)
atan = _unary(
    ew.atan, "The angle between -pi/2 and pi/2 whose tangent is `x`.", _FLOAT, "atan([0.0, 1.0])", "[0.    0.785]"
)
sinh = _unary(ew.sinh, "The hyperbolic sine.", _FLOAT, "sinh([0.0, 1.0])", "[0.    1.175]")
cosh = _unary(ew.cosh, "The hyperbolic cosine.", _FLOAT, "cosh([0.0, 1.0])", "[1.    1.543]")
tanh = _unary(ew.tanh, "The hyperbolic tangent.", _FLOAT, "tanh([0.0, 1.0])", "[0.    0.762]")
asinh = _unary(ew.asinh, "The number whose hyperbolic sine is `x`.", _FLOAT, "asinh([0.0, 1.0])", "[0.    0.881]")
acosh = _unary(
    ew.acosh,
    "The number, 0 or above, whose hyperbolic cosine is `x`; NaN below 1.",
    _FLOAT,
    "acosh([1.0, 2.0])",
    "[0.    1.317]",
)
atanh = _unary(
    ew.atanh,
    "The number whose hyperbolic tangent is `x`; NaN outside of [-1, 1].",
    _FLOAT,
    "atanh([0.0, 0.5])",
    "[0.    0.549]",
)
sigmoid = _unary(
    ew.sigmoid,
    "The logistic function, ``1 / (1 + exp(-x))``, without overflow.",
    _FLOAT,
    "sigmoid([0.0, 2.0])",
    "[0.5   0.881]",
)
softplus = _unary(
    ew.softplus,
    "``log(1 + exp(x))``, without overflow: a smooth `relu`.",
    _FLOAT,
    "math.softplus([0.0, 100.0])",
    "[  0.693 100.   ]",
)
floor = _unary(
    ew.floor, "The largest whole number that is not above each element.", _SAME, "floor([1.7, -1.2])", "[ 1. -2.]"
)
ceil = _unary(
    ew.ceil, "The smallest whole number that is not below each element.", _SAME, "math.ceil([1.2, -1.7])", "[ 2. -1.]"
)
rint = round = _unary(
    ew.rint, "The nearest whole number; halves go to the even one.", _FLOAT, "round([0.5, 1.5, -1.7])", "[ 0.  2. -2.]"
)
real = _unary(
    ew.real,
    "The real part of complex numbers; other numbers as they are.",
    _REAL,
    "math.real([1 + 2j, 3.0])",
    "[1. 3.]",
)
imag = _unary(
    ew.imag,
    "The imaginary part of complex numbers; zeros for other numbers.",
    _REAL,
    "math.imag([1 + 2j, 3.0])",
    "[2. 0.]",
)
conj = _unary(
    ew.conj,
    "The complex conjugate; other numbers as they are.",
    _NUMBERS,
    "math.conj([1 + 2j, 3.0])",
    "[1.-2.j 3.-0.j]",
)
angle = _unary(
    ew.angle,
    "The angle of complex numbers in the plane, in radians.",
    _ANGLE,
    "math.angle([1j, -1.0])",
    "[1.571 3.142]",
)
is_nan = _unary(ew.is_nan, "Whether each element is NaN.", _BOOL, "math.is_nan([1.0, np.nan])", "[False  True]")
is_inf = _unary(
    ew.is_inf,
    "Whether each element is infinite, of either sign.",
    _BOOL,
    "math.is_inf([1.0, -np.inf])",
    "[False  True]",
)
is_finite = _unary(
    ew.is_finite,
    "Whether each element is neither NaN nor infinite.",
    _BOOL,
    "math.is_finite([1.0, np.inf, np.nan])",
    "[ True False False]",
)
logical_not = _unary(
    ew.logical_not, "Whether each element is False, or zero.", _BOOL, "logical_not([True, False])", "[False  True]"
)


def rsqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """``1 / sqrt(x)``: infinite for 0, NaN for negative numbers.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.math.rsqrt([4.0, 0.25]))
    tf.Tensor([0.5 2. ], shape=(2,), dtype=float32)
    """
    return apply(ew.reciprocal, apply(ew.sqrt, operand(x)))


def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """``(x - y) ** 2``, element by element with broadcasting.

    Args:
      x, y: tensors whose shapes broadcast.
    Returns: a tensor of the shape to which they broadcast and of the dtype to which they promote.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.math.squared_difference([1, 5], 3))
    tf.Tensor([4 4], shape=(2,), dtype=int32)
    """
    return square(subtract(x, y))


def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """``x / y``, and 0 wherever `y` is 0.

    Args:
      x, y: tensors whose shapes broadcast.
    Returns: a tensor of the shape to which they broadcast, and of the dtype of ``x / y``.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.math.divide_no_nan([1.0, 2.0], [0.0, 4.0]))
    tf.Tensor([0.  0.5], shape=(2,), dtype=float32)
    """
    x, y = promote([operand(x), y])
    zero = equal(y, 0)
    return apply(ew.where, zero, cast(0 * x, x.dtype), apply(ew.divide, x, apply(ew.where, zero, 0 * y + 1, y)))


def add_n(inputs: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """The sum of tensors.

    Args:
      inputs: one tensor or more, whose shapes broadcast.
    Returns: a tensor of the shape to which they broadcast and of the dtype to which they promote.
    Raises:
      IndexError: if there is no tensor.

    >>> print(tf.add_n([[1, 2], [10, 20], [100, 200]]))
    tf.Tensor([111 222], shape=(2,), dtype=int32)
    """
    total = operand(inputs[0])
    for x in inputs[1:]:
        total = total + x
    return total


def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Tensor:
    """The elements of `t`, those outside of an interval moved to its nearer end.

    Args:
      t: a tensor of any shape.
      clip_value_min, clip_value_max: the ends of the interval: numbers, or tensors that broadcast with `t`.
    Returns: a tensor of the shape to which the three broadcast and of the dtype to which they promote.

    >>> print(tf.clip_by_value([-5, 2, 9], 0, 4))
    tf.Tensor([0 2 4], shape=(3,), dtype=int32)
    """
    return apply(ew.clip, *promote([operand(t), clip_value_min, clip_value_max]))


def where(
    condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Elements of `x` where a condition holds, and of `y` elsewhere; or, with the condition alone, where it holds.

    Args:
      condition: a tensor of booleans; of other numbers, those hold that are not zero.
      x, y: tensors, or numbers; the shapes of all three broadcast. Both are given, or neither.
    Returns: a tensor of the shape to which the three broadcast and of the dtype to which `x` and `y` promote;
      without them, the indices of the elements that hold, int64 of shape [number of them, rank of the condition].
    Raises:
      ValueError: if only one of `x` and `y` is given.

    >>> x = tf.constant([3, -1, 4])
    >>> print(tf.where(x > 0, x, 0))
    tf.Tensor([3 0 4], shape=(3,), dtype=int32)
    >>> print(tf.where(x > 0))
    tf.Tensor(
    [[0]
     [2]], shape=(2, 1), dtype=int64)
    """
    if x is None and y is None:
        return apply(shape_ops.nonzero, operand(condition))
    if x is None or y is None:
        raise ValueError("where takes both x and y, or neither")
    a, b = promote([operand(x) if _number(x) and _number(y) else x, y])
    return apply(ew.where, operand(condition), a, b)
