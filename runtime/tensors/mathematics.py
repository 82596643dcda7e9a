"""Mathematics on tensors, element by element, by TensorFlow's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.ops import elementwise as ew, shape as shape_ops
from runtime.tensors.composites import formed_in
from runtime.tensors.conversion import cast, is_number, matched, operand, promote
from runtime.tensors.operations import apply
from runtime.tensors.public import Binary as Binary, binary, unary
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

add = binary(ew.add)
subtract = binary(ew.subtract)
multiply = binary(ew.multiply)
divide = truediv = binary(ew.divide)
floordiv = binary(ew.floor_divide)
mod = floormod = binary(ew.mod)
pow = binary(ew.power)
maximum = binary(ew.maximum)
minimum = binary(ew.minimum)
atan2 = binary(ew.atan2)
equal = binary(ew.equal)
not_equal = binary(ew.not_equal)
less = binary(ew.less)
less_equal = binary(ew.less_equal)
greater = binary(ew.greater)
greater_equal = binary(ew.greater_equal)
logical_and = binary(ew.logical_and)
logical_or = binary(ew.logical_or)
logical_xor = binary(ew.logical_xor)
bitwise_and = binary(ew.bitwise_and)
bitwise_or = binary(ew.bitwise_or)
bitwise_xor = binary(ew.bitwise_xor)
complex = binary(ew.complex_)
invert = unary(ew.invert)
left_shift = binary(ew.left_shift)
right_shift = binary(ew.right_shift)

negative = unary(ew.negative)
abs = unary(ew.absolute)
sign = unary(ew.sign)
square = unary(ew.square)
sqrt = unary(ew.sqrt)
reciprocal = unary(ew.reciprocal)
exp = unary(ew.exp)
expm1 = unary(ew.expm1)
log = unary(ew.log)
log1p = unary(ew.log1p)
sin = unary(ew.sin)
cos = unary(ew.cos)
tan = unary(ew.tan)
asin = unary(ew.asin)
acos = unary(ew.acos)
atan = unary(ew.atan)
sinh = unary(ew.sinh)
cosh = unary(ew.cosh)
tanh = unary(ew.tanh)
asinh = unary(ew.asinh)
acosh = unary(ew.acosh)
atanh = unary(ew.atanh)
sigmoid = unary(ew.sigmoid)
softplus = unary(ew.softplus)
erf = unary(ew.erf)
floor = unary(ew.floor)
ceil = unary(ew.ceil)
rint = unary(ew.rint)
real = unary(ew.real)
imag = unary(ew.imag)
conj = unary(ew.conj)
angle = unary(ew.angle)
is_nan = unary(ew.is_nan)
is_inf = unary(ew.is_inf)
is_finite = unary(ew.is_finite)
logical_not = unary(ew.logical_not)


def round(x: TensorLike, name: str | None = None) -> Tensor:
    """The nearest whole number; halves go to the even one. Integers stay as they are.

    Args:
      x: a tensor of any shape, of real numbers.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.round([0.5, 1.5, -1.7]))
    tf.Tensor([ 0.  2. -2.], shape=(3,), dtype=float32)
    """
    value = operand(x)
    return value if value.dtype.is_integer else apply(ew.rint, value)


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
    x, y = matched([x, y])
    zero = equal(y, 0)
    return apply(ew.where, zero, cast(0 * x, x.dtype), apply(ew.divide, x, apply(ew.where, zero, 0 * y + 1, y)))


def add_n(inputs: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """The sum of tensors.

    Args:
      inputs: one tensor or more, whose shapes broadcast.
    Returns: a tensor of the shape to which they broadcast and of the dtype to which they promote.
    Raises:
      ValueError: if there is no tensor.

    >>> print(tf.add_n([[1, 2], [10, 20], [100, 200]]))
    tf.Tensor([111 222], shape=(2,), dtype=int32)
    """
    if not len(inputs):
        raise ValueError("add_n needs at least one tensor, and inputs has none")
    total: Any = inputs[0] if formed_in(inputs) is not None else operand(inputs[0])
    for x in inputs[1:]:
        total = total + x
    return total  # type: ignore[no-any-return]


def clipped(x: TensorLike, low: TensorLike, high: TensorLike) -> Tensor:
    """The elements of a tensor, those outside of an interval moved to its nearer end."""
    x, low, high = promote([operand(x), low, high])
    if low.shape.rank == high.shape.rank == 0:
        return apply(ew.clip, x, low, high)
    return minimum(maximum(x, low), high)  # which of -0.0 and 0.0 it is: NumPy asks the ends so if they are arrays


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
    if (one := formed_in((condition, x, y))) is not None:
        return one._form("where")(condition, x, y)  # type: ignore[no-any-return]
    if x is None and y is None:
        return apply(shape_ops.nonzero, operand(condition))
    if x is None or y is None:
        raise ValueError("where takes both x and y, or neither")
    a, b = promote([operand(x) if is_number(x) and is_number(y) else x, y])
    return apply(ew.where, operand(condition), a, b)
