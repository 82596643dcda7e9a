"""Mathematics on tensors, by TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.graph.dtypes import as_dtype, float32, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, linalg as linalg_ops, reduce as reduce_ops, shape as shape_ops
from runtime.tensors.conversion import cast, operand, promote, static_value
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


# Reductions.


def axes(axis: Any) -> Any:
    """An axis argument as an int, a tuple of ints or None."""
    if axis is None or isinstance(axis, int):
        return axis
    known: Any = static_value(operand(axis)) if not isinstance(axis, list | tuple) else axis
    if known is None:
        raise refused(InvalidArgumentError("an axis must be known while tracing"))
    return int(known) if getattr(known, "ndim", 1) == 0 else tuple(int(a) for a in known)


def _reduction(op: Op, doc: str, given: bool = False) -> Callable[..., Any]:
    def function(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
        x = operand(input_tensor)
        dtype = {"dtype": x.dtype} if given else {}
        return apply(op, x, axis=axes(axis), keepdims=bool(keepdims), **dtype)

    function.__name__ = function.__qualname__ = f"reduce_{op.name}"
    function.__doc__ = doc + " Over `axis` (an int or several; all by default); `keepdims` keeps them with size 1."
    return function


reduce_sum = _reduction(reduce_ops.reduce_sum, "The sum, in the dtype of the tensor.", given=True)
reduce_prod = _reduction(reduce_ops.reduce_prod, "The product, in the dtype of the tensor.", given=True)
reduce_max = _reduction(reduce_ops.reduce_max, "The largest element.")
reduce_min = _reduction(reduce_ops.reduce_min, "The smallest element.")
reduce_any = _reduction(reduce_ops.reduce_any, "Whether any element is true.")
reduce_all = _reduction(reduce_ops.reduce_all, "Whether all elements are true.")
reduce_std = _reduction(reduce_ops.reduce_std, "The standard deviation.")
reduce_variance = _reduction(reduce_ops.reduce_var, "The variance.")
reduce_logsumexp = _reduction(reduce_ops.reduce_logsumexp, "log(sum(exp(x))), without overflow.")


def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The mean over `axis`, in the dtype of the tensor: the mean of ints is rounded towards zero."""
    x = operand(input_tensor)
    if not x.dtype.is_integer:
        return apply(reduce_ops.reduce_mean, x, axis=axes(axis), keepdims=bool(keepdims), dtype=x.dtype)
    exact = apply(reduce_ops.reduce_mean, x, axis=axes(axis), keepdims=bool(keepdims), dtype=as_dtype("float64"))
    return cast(exact, x.dtype)


def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool = False, dtype: Any = int64, name: str | None = None
) -> Any:
    """How many elements are not zero."""
    nonzero = cast(not_equal(input, 0), dtype)
    return apply(reduce_ops.reduce_sum, nonzero, axis=axes(axis), keepdims=bool(keepdims), dtype=as_dtype(dtype))


def argmax(input: Any, axis: int | None = None, output_type: Any = int64, name: str | None = None) -> Any:
    """The index of the largest element along an axis (the first by default)."""
    return apply(reduce_ops.argmax, operand(input), axis=axis if axis is not None else 0, dtype=as_dtype(output_type))


def argmin(input: Any, axis: int | None = None, output_type: Any = int64, name: str | None = None) -> Any:
    """The index of the smallest element along an axis (the first by default)."""
    return apply(reduce_ops.argmin, operand(input), axis=axis if axis is not None else 0, dtype=as_dtype(output_type))


def cumsum(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Running sums along an axis."""
    x = operand(x)
    return apply(reduce_ops.cumsum, x, axis=int(axis), exclusive=exclusive, reverse=reverse, dtype=x.dtype)


def cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Running products along an axis."""
    x = operand(x)
    return apply(reduce_ops.cumprod, x, axis=int(axis), exclusive=exclusive, reverse=reverse, dtype=x.dtype)


# Products.


def matrix_transpose(a: Any, name: str | None = None) -> Any:
    """The last two axes exchanged."""
    x = operand(a)
    rank = len(x.shape)
    return apply(shape_ops.transpose, x, axes=(*range(rank - 2), rank - 1, rank - 2))


def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The matrix product of the last two axes. Raises ValueError if columns and rows differ in number."""
    for letter, transposed, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if transposed and adjoint:
            raise ValueError(f"Only one of transpose_{letter} and adjoint_{letter} can be True.")
    x, y = promote([operand(a), operand(b)])
    x = matrix_transpose(x) if transpose_a or adjoint_a else x
    y = matrix_transpose(y) if transpose_b or adjoint_b else y
    return apply(linalg_ops.matmul, conj(x) if adjoint_a else x, conj(y) if adjoint_b else y)


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Any:
    """The sum of products over the given axes."""
    x, y = promote([operand(a), operand(b)])
    return apply(linalg_ops.tensordot, x, y, axes=axes)


def einsum(equation: str, *inputs: Any, name: str | None = None, optimize: Any = None) -> Any:
    """Sums of products in Einstein's notation; `optimize` changes nothing but the order of the work in TensorFlow."""
    return apply(linalg_ops.einsum, *promote([operand(x) for x in inputs]), equation=equation)


def norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The norm over `axis`: of vectors along one, of matrices over two, of all elements as one vector by default.

    `ord` is ``"euclidean"`` (``"fro"``), a number, or infinity.
    """
    x, where = operand(tensor), axes(axis)
    if not (ord in ("euclidean", "fro") or isinstance(ord, int | float)):
        raise ValueError(f"norm with ord={ord!r}: it is 'euclidean', 'fro' or a number")
    order = None if ord in ("euclidean", "fro") else ord
    if not x.dtype.is_floating and not x.dtype.is_complex:
        x = cast(x, float32)
    dtype = as_dtype(np.abs(np.ones(1, x.dtype.dtype)).dtype)
    if where is None and order is not None:
        found = apply(
            linalg_ops.norm, apply(shape_ops.reshape, x, shape=(-1,)), order=order, axis=0, keepdims=False, dtype=dtype
        )
        return apply(shape_ops.reshape, found, shape=(1,) * len(x.shape)) if keepdims else found
    return apply(linalg_ops.norm, x, order=order, axis=where, keepdims=bool(keepdims), dtype=dtype)


def trace(x: Any, name: str | None = None) -> Any:
    """The sum of the diagonal."""
    return apply(linalg_ops.trace, operand(x))


inv = _unary(linalg_ops.inverse, "The inverse of a matrix.")
det = _unary(linalg_ops.det, "The determinant of a matrix.")
cholesky = _unary(linalg_ops.cholesky, "The Cholesky factor of a positive definite matrix.")


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """The `x` with ``matrix @ x == rhs``; with `adjoint`, of the conjugate transpose of the matrix."""
    a, b = promote([operand(matrix), operand(rhs)])
    return apply(linalg_ops.solve, conj(matrix_transpose(a)) if adjoint else a, b)
