"""The functions that work element by element."""

from __future__ import annotations

import numpy as np

from runtime.array_api.support import Number, binary, converted, pair, tensor, unary
from runtime.tensors.effects import numpy_function
from runtime.tensors.tensor import Tensor


def abs(x: Tensor, /) -> Tensor:
    """The absolute value of each element.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape, of the same dtype, or of its parts for complex numbers.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.abs(tf.array_api.asarray([-1.5, 2.0])))
    tf.Tensor([1.5 2. ], shape=(2,), dtype=float64)
    """
    return unary(np.abs, "abs", x, "numeric")


def acos(x: Tensor, /) -> Tensor:
    """The angle whose cosine each element is.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.acos(tf.array_api.asarray([1.0, 0.0])))
    tf.Tensor([0.         1.57079633], shape=(2,), dtype=float64)
    """
    return unary(np.acos, "acos", x, "floating-point")


def acosh(x: Tensor, /) -> Tensor:
    """The number whose hyperbolic cosine each element is.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.acosh(tf.array_api.asarray([1.0, 2.0])))
    tf.Tensor([0.        1.3169579], shape=(2,), dtype=float64)
    """
    return unary(np.acosh, "acosh", x, "floating-point")


def asin(x: Tensor, /) -> Tensor:
    """The angle whose sine each element is.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.asin(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         1.57079633], shape=(2,), dtype=float64)
    """
    return unary(np.asin, "asin", x, "floating-point")


def asinh(x: Tensor, /) -> Tensor:
    """The number whose hyperbolic sine each element is.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.asinh(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         0.88137359], shape=(2,), dtype=float64)
    """
    return unary(np.asinh, "asinh", x, "floating-point")


def atan(x: Tensor, /) -> Tensor:
    """The angle whose tangent each element is.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.atan(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         0.78539816], shape=(2,), dtype=float64)
    """
    return unary(np.atan, "atan", x, "floating-point")


def atanh(x: Tensor, /) -> Tensor:
    """The number whose hyperbolic tangent each element is.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.atanh(tf.array_api.asarray([0.0, 0.5])))
    tf.Tensor([0.         0.54930614], shape=(2,), dtype=float64)
    """
    return unary(np.atanh, "atanh", x, "floating-point")


def bitwise_invert(x: Tensor, /) -> Tensor:
    """Each element with its bits inverted; of booleans, the opposite.

    Args:
      x: a tensor of any shape, of integers or booleans.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.bitwise_invert(tf.array_api.asarray([0, 5])))
    tf.Tensor([-1 -6], shape=(2,), dtype=int64)
    """
    return unary(np.bitwise_invert, "bitwise_invert", x, "integer or boolean")


def ceil(x: Tensor, /) -> Tensor:
    """Each element, rounded up.

    Args:
      x: a tensor of any shape, of integers or floats.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.ceil(tf.array_api.asarray([1.2, -1.2])))
    tf.Tensor([ 2. -1.], shape=(2,), dtype=float64)
    """
    return unary(np.ceil, "ceil", x, "real numeric")


def conj(x: Tensor, /) -> Tensor:
    """The complex conjugate of each element.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.conj(tf.array_api.asarray([1 + 2j])))
    tf.Tensor([1.-2.j], shape=(1,), dtype=complex128)
    """
    return unary(np.conj, "conj", x, "numeric")


def cos(x: Tensor, /) -> Tensor:
    """The cosine of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.cos(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([1.         0.54030231], shape=(2,), dtype=float64)
    """
    return unary(np.cos, "cos", x, "floating-point")


def cosh(x: Tensor, /) -> Tensor:
    """The hyperbolic cosine of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.cosh(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([1.         1.54308063], shape=(2,), dtype=float64)
    """
    return unary(np.cosh, "cosh", x, "floating-point")


def exp(x: Tensor, /) -> Tensor:
    """e to the power of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.exp(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([1.         2.71828183], shape=(2,), dtype=float64)
    """
    return unary(np.exp, "exp", x, "floating-point")


def expm1(x: Tensor, /) -> Tensor:
    """e to the power of each element, minus 1, exact near 0.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.expm1(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         1.71828183], shape=(2,), dtype=float64)
    """
    return unary(np.expm1, "expm1", x, "floating-point")


def floor(x: Tensor, /) -> Tensor:
    """Each element, rounded down.

    Args:
      x: a tensor of any shape, of integers or floats.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.floor(tf.array_api.asarray([1.2, -1.2])))
    tf.Tensor([ 1. -2.], shape=(2,), dtype=float64)
    """
    return unary(np.floor, "floor", x, "real numeric")


def imag(x: Tensor, /) -> Tensor:
    """The imaginary part of each element.

    Args:
      x: a tensor of any shape, of complex numbers.
    Returns: a tensor of the same shape, of the dtype of its parts.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.imag(tf.array_api.asarray([1 + 2j])))
    tf.Tensor([2.], shape=(1,), dtype=float64)
    """
    return unary(np.imag, "imag", x, "complex floating")


def isfinite(x: Tensor, /) -> Tensor:
    """Whether each element is neither infinite nor NaN.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape, of booleans.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.isfinite(tf.array_api.asarray([1.0, float('inf')])))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return unary(np.isfinite, "isfinite", x, "numeric")


def isinf(x: Tensor, /) -> Tensor:
    """Whether each element is infinite.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape, of booleans.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.isinf(tf.array_api.asarray([1.0, float('inf')])))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return unary(np.isinf, "isinf", x, "numeric")


def isnan(x: Tensor, /) -> Tensor:
    """Whether each element is NaN.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape, of booleans.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.isnan(tf.array_api.asarray([1.0, float('nan')])))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return unary(np.isnan, "isnan", x, "numeric")


def log(x: Tensor, /) -> Tensor:
    """The natural logarithm of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.log(tf.array_api.asarray([1.0, 2.0])))
    tf.Tensor([0.         0.69314718], shape=(2,), dtype=float64)
    """
    return unary(np.log, "log", x, "floating-point")


def log10(x: Tensor, /) -> Tensor:
    """The logarithm of each element to the base 10.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.log10(tf.array_api.asarray([1.0, 100.0])))
    tf.Tensor([0. 2.], shape=(2,), dtype=float64)
    """
    return unary(np.log10, "log10", x, "floating-point")


def log1p(x: Tensor, /) -> Tensor:
    """The natural logarithm of 1 plus each element, exact near 0.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.log1p(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         0.69314718], shape=(2,), dtype=float64)
    """
    return unary(np.log1p, "log1p", x, "floating-point")


def log2(x: Tensor, /) -> Tensor:
    """The logarithm of each element to the base 2.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.log2(tf.array_api.asarray([1.0, 8.0])))
    tf.Tensor([0. 3.], shape=(2,), dtype=float64)
    """
    return unary(np.log2, "log2", x, "floating-point")


def logical_not(x: Tensor, /) -> Tensor:
    """The opposite of each element.

    Args:
      x: a tensor of any shape, of booleans.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.logical_not(tf.array_api.asarray([True, False])))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return unary(np.logical_not, "logical_not", x, "bool")


def negative(x: Tensor, /) -> Tensor:
    """Each element, negated.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.negative(tf.array_api.asarray([1, -2])))
    tf.Tensor([-1  2], shape=(2,), dtype=int64)
    """
    return unary(np.negative, "negative", x, "numeric")


def positive(x: Tensor, /) -> Tensor:
    """Each element, as it is.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.positive(tf.array_api.asarray([1, -2])))
    tf.Tensor([ 1 -2], shape=(2,), dtype=int64)
    """
    return unary(np.positive, "positive", x, "numeric")


def real(x: Tensor, /) -> Tensor:
    """The real part of each element.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape, of the dtype of its parts.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.real(tf.array_api.asarray([1 + 2j])))
    tf.Tensor([1.], shape=(1,), dtype=float64)
    """
    return unary(np.real, "real", x, "numeric")


def reciprocal(x: Tensor, /) -> Tensor:
    """1 divided by each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.reciprocal(tf.array_api.asarray([2.0, 4.0])))
    tf.Tensor([0.5  0.25], shape=(2,), dtype=float64)
    """
    return unary(np.reciprocal, "reciprocal", x, "floating-point")


def round(x: Tensor, /) -> Tensor:
    """Each element, rounded to the nearest whole number, halves to the even one.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.round(tf.array_api.asarray([0.5, 1.5, 1.7])))
    tf.Tensor([0. 2. 2.], shape=(3,), dtype=float64)
    """
    return unary(np.round, "round", x, "numeric")


def sign(x: Tensor, /) -> Tensor:
    """-1, 0 or 1, as each element is negative, zero or positive; of complex numbers, those of length 1.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.sign(tf.array_api.asarray([-3, 0, 2])))
    tf.Tensor([-1  0  1], shape=(3,), dtype=int64)
    """
    return unary(np.sign, "sign", x, "numeric")


def signbit(x: Tensor, /) -> Tensor:
    """Whether the sign of each element is set, as it is for -0.0.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the same shape, of booleans.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.signbit(tf.array_api.asarray([-0.0, 1.0])))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return unary(np.signbit, "signbit", x, "real floating")


def sin(x: Tensor, /) -> Tensor:
    """The sine of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.sin(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         0.84147098], shape=(2,), dtype=float64)
    """
    return unary(np.sin, "sin", x, "floating-point")


def sinh(x: Tensor, /) -> Tensor:
    """The hyperbolic sine of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.sinh(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         1.17520119], shape=(2,), dtype=float64)
    """
    return unary(np.sinh, "sinh", x, "floating-point")


def sqrt(x: Tensor, /) -> Tensor:
    """The square root of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.sqrt(tf.array_api.asarray([4.0, 2.25])))
    tf.Tensor([2.  1.5], shape=(2,), dtype=float64)
    """
    return unary(np.sqrt, "sqrt", x, "floating-point")


def square(x: Tensor, /) -> Tensor:
    """Each element times itself.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.square(tf.array_api.asarray([2, -3])))
    tf.Tensor([4 9], shape=(2,), dtype=int64)
    """
    return unary(np.square, "square", x, "numeric")


def tan(x: Tensor, /) -> Tensor:
    """The tangent of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.tan(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         1.55740772], shape=(2,), dtype=float64)
    """
    return unary(np.tan, "tan", x, "floating-point")


def tanh(x: Tensor, /) -> Tensor:
    """The hyperbolic tangent of each element.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.tanh(tf.array_api.asarray([0.0, 1.0])))
    tf.Tensor([0.         0.76159416], shape=(2,), dtype=float64)
    """
    return unary(np.tanh, "tanh", x, "floating-point")


def trunc(x: Tensor, /) -> Tensor:
    """Each element, rounded towards zero.

    Args:
      x: a tensor of any shape, of integers or floats.
    Returns: a tensor of the same shape and dtype.
    Raises:
      TypeError: for other dtypes.

    >>> print(tf.array_api.trunc(tf.array_api.asarray([1.7, -1.7])))
    tf.Tensor([ 1. -1.], shape=(2,), dtype=float64)
    """
    return unary(np.trunc, "trunc", x, "real numeric")


def add(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The sum of elements.

    Args:
      x1, x2: tensors of numbers, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.add(xp.asarray([1, 2]), xp.asarray([10, 20])))
    tf.Tensor([11 22], shape=(2,), dtype=int64)
    """
    return binary(np.add, "add", x1, x2, "numeric")


def atan2(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The angle of the point whose second coordinate is `x1` and whose first is `x2`.

    Args:
      x1, x2: tensors of floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.atan2(xp.asarray([0.0, 1.0]), xp.asarray([-1.0, 0.0])))
    tf.Tensor([3.14159265 1.57079633], shape=(2,), dtype=float64)
    """
    return binary(np.atan2, "atan2", x1, x2, "real floating")


def bitwise_and(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The bits that both elements have.

    Args:
      x1, x2: tensors of integers or booleans, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.bitwise_and(xp.asarray([6, 5]), xp.asarray([3, 4])))
    tf.Tensor([2 4], shape=(2,), dtype=int64)
    """
    return binary(np.bitwise_and, "bitwise_and", x1, x2, "integer or boolean")


def bitwise_left_shift(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The bits of one element, moved to the left by the other.

    Args:
      x1, x2: tensors of integers, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.bitwise_left_shift(xp.asarray([1, 3]), xp.asarray([4, 1])))
    tf.Tensor([16  6], shape=(2,), dtype=int64)
    """
    return binary(np.bitwise_left_shift, "bitwise_left_shift", x1, x2, "integral")


def bitwise_or(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The bits that one element or the other has.

    Args:
      x1, x2: tensors of integers or booleans, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.bitwise_or(xp.asarray([6, 5]), xp.asarray([3, 4])))
    tf.Tensor([7 5], shape=(2,), dtype=int64)
    """
    return binary(np.bitwise_or, "bitwise_or", x1, x2, "integer or boolean")


def bitwise_right_shift(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The bits of one element, moved to the right by the other.

    Args:
      x1, x2: tensors of integers, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.bitwise_right_shift(xp.asarray([16, 7]), xp.asarray([2, 1])))
    tf.Tensor([4 3], shape=(2,), dtype=int64)
    """
    return binary(np.bitwise_right_shift, "bitwise_right_shift", x1, x2, "integral")


def bitwise_xor(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The bits that one of two elements has.

    Args:
      x1, x2: tensors of integers or booleans, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.bitwise_xor(xp.asarray([6, 5]), xp.asarray([3, 4])))
    tf.Tensor([5 1], shape=(2,), dtype=int64)
    """
    return binary(np.bitwise_xor, "bitwise_xor", x1, x2, "integer or boolean")


def copysign(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The size of one element with the sign of the other.

    Args:
      x1, x2: tensors of floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.copysign(xp.asarray([1.0, 2.0]), xp.asarray([-1.0, 3.0])))
    tf.Tensor([-1.  2.], shape=(2,), dtype=float64)
    """
    return binary(np.copysign, "copysign", x1, x2, "real floating")


def divide(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The quotient of elements.

    Args:
      x1, x2: tensors of floats or complex numbers, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.divide(xp.asarray([1.0, 2.0]), xp.asarray([4.0, 4.0])))
    tf.Tensor([0.25 0.5 ], shape=(2,), dtype=float64)
    """
    return binary(np.divide, "divide", x1, x2, "floating-point")


def equal(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether elements are equal.

    Args:
      x1, x2: tensors of numbers or booleans, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of booleans.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.equal(xp.asarray([1, 2]), xp.asarray([1, 3])))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return binary(np.equal, "equal", x1, x2, "any")


def floor_divide(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The quotient of elements, rounded down.

    Args:
      x1, x2: tensors of integers or floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.floor_divide(xp.asarray([7, -7]), xp.asarray([2, 2])))
    tf.Tensor([ 3 -4], shape=(2,), dtype=int64)
    """
    return binary(np.floor_divide, "floor_divide", x1, x2, "real numeric")


def greater(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether one element is greater than the other.

    Args:
      x1, x2: tensors of integers or floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of booleans.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.greater(xp.asarray([1, 2]), xp.asarray([0, 3])))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return binary(np.greater, "greater", x1, x2, "real numeric")


def greater_equal(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether one element is greater than the other, or equal.

    Args:
      x1, x2: tensors of integers or floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of booleans.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.greater_equal(xp.asarray([1, 2]), xp.asarray([1, 3])))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return binary(np.greater_equal, "greater_equal", x1, x2, "real numeric")


def hypot(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The square root of the sum of the squares of two elements.

    Args:
      x1, x2: tensors of floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.hypot(xp.asarray([3.0]), xp.asarray([4.0])))
    tf.Tensor([5.], shape=(1,), dtype=float64)
    """
    return binary(np.hypot, "hypot", x1, x2, "real floating")


def less(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether one element is less than the other.

    Args:
      x1, x2: tensors of integers or floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of booleans.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.less(xp.asarray([1, 2]), xp.asarray([0, 3])))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return binary(np.less, "less", x1, x2, "real numeric")


def less_equal(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether one element is less than the other, or equal.

    Args:
      x1, x2: tensors of integers or floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of booleans.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.less_equal(xp.asarray([1, 2]), xp.asarray([1, 3])))
    tf.Tensor([ True  True], shape=(2,), dtype=bool)
    """
    return binary(np.less_equal, "less_equal", x1, x2, "real numeric")


def logaddexp(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The logarithm of the sum of the exponentials of two elements.

    Args:
      x1, x2: tensors of floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.logaddexp(xp.asarray([0.0, 1.0]), xp.asarray([0.0, 2.0])))
    tf.Tensor([0.69314718 2.31326169], shape=(2,), dtype=float64)
    """
    return binary(np.logaddexp, "logaddexp", x1, x2, "real floating")


def logical_and(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether both elements are True.

    Args:
      x1, x2: tensors of booleans, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.logical_and(xp.asarray([True, True]), xp.asarray([True, False])))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return binary(np.logical_and, "logical_and", x1, x2, "bool")


def logical_or(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether one element or the other is True.

    Args:
      x1, x2: tensors of booleans, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.logical_or(xp.asarray([True, False]), xp.asarray([True, False])))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return binary(np.logical_or, "logical_or", x1, x2, "bool")


def logical_xor(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether one of two elements is True.

    Args:
      x1, x2: tensors of booleans, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.logical_xor(xp.asarray([True, False]), xp.asarray([True, True])))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return binary(np.logical_xor, "logical_xor", x1, x2, "bool")


def maximum(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The greater of two elements; NaN where one is.

    Args:
      x1, x2: tensors of integers or floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.maximum(xp.asarray([1, 5]), xp.asarray([3, 2])))
    tf.Tensor([3 5], shape=(2,), dtype=int64)
    """
    return binary(np.maximum, "maximum", x1, x2, "real numeric")


def minimum(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The lesser of two elements; NaN where one is.

    Args:
      x1, x2: tensors of integers or floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.minimum(xp.asarray([1, 5]), xp.asarray([3, 2])))
    tf.Tensor([1 2], shape=(2,), dtype=int64)
    """
    return binary(np.minimum, "minimum", x1, x2, "real numeric")


def multiply(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The product of elements.

    Args:
      x1, x2: tensors of numbers, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.multiply(xp.asarray([1, 2]), xp.asarray([10, 20])))
    tf.Tensor([10 40], shape=(2,), dtype=int64)
    """
    return binary(np.multiply, "multiply", x1, x2, "numeric")


def not_equal(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Whether elements differ.

    Args:
      x1, x2: tensors of numbers or booleans, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of booleans.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.not_equal(xp.asarray([1, 2]), xp.asarray([1, 3])))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    return binary(np.not_equal, "not_equal", x1, x2, "any")


def pow(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """One element to the power of the other.

    Args:
      x1, x2: tensors of numbers, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.pow(xp.asarray([2, 3]), xp.asarray([3, 2])))
    tf.Tensor([8 9], shape=(2,), dtype=int64)
    """
    return binary(np.pow, "pow", x1, x2, "numeric")


def remainder(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """What is left of a division rounded down: it has the sign of the divisor.

    Args:
      x1, x2: tensors of integers or floats, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.remainder(xp.asarray([7, -7]), xp.asarray([3, 3])))
    tf.Tensor([1 2], shape=(2,), dtype=int64)
    """
    return binary(np.remainder, "remainder", x1, x2, "real numeric")


def subtract(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The difference of elements.

    Args:
      x1, x2: tensors of numbers, whose shapes broadcast and whose dtypes promote by the
        standard; one of them may be a number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.subtract(xp.asarray([10, 20]), xp.asarray([1, 2])))
    tf.Tensor([ 9 18], shape=(2,), dtype=int64)
    """
    return binary(np.subtract, "subtract", x1, x2, "numeric")


def nextafter(x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """The next float after one element, towards the other.

    Args:
      x1, x2: tensors of floats, whose shapes broadcast and whose dtypes promote by the standard; one of them may be a
        number of Python's.
    Returns: a tensor of the shape that both broadcast to, of the dtype that both promote to; a graph calls NumPy.
    Raises:
      TypeError: for other dtypes, and for two that do not promote.

    >>> xp = tf.array_api
    >>> print(xp.nextafter(xp.asarray(1.0), 2.0) - 1.0)
    tf.Tensor(2.220446049250313e-16, shape=(), dtype=float64)
    """
    a, b = pair("nextafter", x1, x2, "real floating")
    found: Tensor = numpy_function(np.nextafter, [a, b], a.dtype)
    return found


def clip(x: Tensor, /, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    """Each element, or the nearer of two limits where it lies outside.

    Args:
      x: a tensor of any shape, of integers or floats.
      min, max: the limits: numbers, or tensors whose shapes broadcast with that of `x`; None for no limit.
    Returns: a tensor of the shape that all broadcast to, of the dtype of `x`.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.clip(xp.asarray([1, 5, 9]), 2, 6))
    tf.Tensor([2 5 6], shape=(3,), dtype=int64)
    """
    found = tensor("clip", x, "real numeric")
    if min is not None:
        found = converted(binary(np.maximum, "clip", found, min, "real numeric"), found.dtype)
    if max is not None:
        found = converted(binary(np.minimum, "clip", found, max, "real numeric"), found.dtype)
    return found
