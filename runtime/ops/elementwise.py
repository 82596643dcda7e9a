"""Arithmetic, mathematics, comparison and logic, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import shapes
from runtime.dtypes import DType, bool_
from runtime.graph import TensorType
from runtime.ops.op import elementwise, kernel, op

add = elementwise("add", "{0} + {1}", numpy=np.add, tf="AddV2")
subtract = elementwise("subtract", "{0} - {1}", numpy=np.subtract, tf="Sub")
multiply = elementwise("multiply", "{0} * {1}", numpy=np.multiply, tf="Mul")
divide = elementwise("divide", "{0} / {1}", numpy=(np.divide,), tf="RealDiv")
floor_divide = elementwise("floor_divide", "{0} // {1}", numpy=np.floor_divide, tf="FloorDiv")
mod = elementwise("mod", "{0} % {1}", numpy=np.mod, tf="FloorMod")
power = elementwise("power", "{0} ** {1}", numpy=np.power, tf="Pow")
maximum = elementwise("maximum", "np.maximum({0}, {1})", numpy=np.maximum)
minimum = elementwise("minimum", "np.minimum({0}, {1})", numpy=np.minimum)
atan2 = elementwise("atan2", "np.arctan2({0}, {1})", numpy=np.arctan2)
hypot = elementwise("hypot", "np.hypot({0}, {1})", numpy=np.hypot)
fmod = elementwise("fmod", "np.fmod({0}, {1})", numpy=np.fmod, tf="Mod")
copysign = elementwise("copysign", "np.copysign({0}, {1})", numpy=np.copysign)
float_power = elementwise("float_power", "np.float_power({0}, {1})", numpy=np.float_power)
logaddexp = elementwise("logaddexp", "np.logaddexp({0}, {1})", numpy=np.logaddexp)

negative = elementwise("negative", "-{0}", numpy=np.negative, tf="Neg")
positive = elementwise("positive", "+{0}", numpy=np.positive, tf="Identity")
absolute = elementwise("absolute", "np.abs({0})", numpy=np.absolute, tf="Abs")
sign = elementwise("sign", "np.sign({0})", numpy=np.sign)
square = elementwise("square", "np.square({0})", numpy=np.square)
sqrt = elementwise("sqrt", "np.sqrt({0})", numpy=np.sqrt)
cbrt = elementwise("cbrt", "np.cbrt({0})", numpy=np.cbrt)
reciprocal = elementwise("reciprocal", "np.reciprocal({0})", numpy=np.reciprocal)
exp = elementwise("exp", "np.exp({0})", numpy=np.exp)
exp2 = elementwise("exp2", "np.exp2({0})", numpy=np.exp2)
expm1 = elementwise("expm1", "np.expm1({0})", numpy=np.expm1)
log = elementwise("log", "np.log({0})", numpy=np.log)
log2 = elementwise("log2", "np.log2({0})", numpy=np.log2)
log10 = elementwise("log10", "np.log10({0})", numpy=np.log10)
log1p = elementwise("log1p", "np.log1p({0})", numpy=np.log1p)
sin = elementwise("sin", "np.sin({0})", numpy=np.sin)
cos = elementwise("cos", "np.cos({0})", numpy=np.cos)
tan = elementwise("tan", "np.tan({0})", numpy=np.tan)
asin = elementwise("asin", "np.arcsin({0})", numpy=np.arcsin)
acos = elementwise("acos", "np.arccos({0})", numpy=np.arccos)
atan = elementwise("atan", "np.arctan({0})", numpy=np.arctan)
sinh = elementwise("sinh", "np.sinh({0})", numpy=np.sinh)
cosh = elementwise("cosh", "np.cosh({0})", numpy=np.cosh)
tanh = elementwise("tanh", "np.tanh({0})", numpy=np.tanh)
asinh = elementwise("asinh", "np.arcsinh({0})", numpy=np.arcsinh)
acosh = elementwise("acosh", "np.arccosh({0})", numpy=np.arccosh)
atanh = elementwise("atanh", "np.arctanh({0})", numpy=np.arctanh)
floor = elementwise("floor", "np.floor({0})", numpy=np.floor)
ceil = elementwise("ceil", "np.ceil({0})", numpy=np.ceil)
trunc = elementwise("trunc", "np.trunc({0})", numpy=np.trunc)
rint = elementwise("rint", "np.rint({0})", numpy=np.rint)
conj = elementwise("conj", "np.conj({0})", numpy=np.conjugate)
real = elementwise("real", "np.real({0})", numpy=np.real)
imag = elementwise("imag", "np.imag({0})", numpy=np.imag)
angle = elementwise("angle", "np.angle({0})", numpy=np.angle)

is_nan = elementwise("is_nan", "np.isnan({0})", numpy=np.isnan)
is_inf = elementwise("is_inf", "np.isinf({0})", numpy=np.isinf)
is_finite = elementwise("is_finite", "np.isfinite({0})", numpy=np.isfinite)
logical_not = elementwise("logical_not", "np.logical_not({0})", numpy=np.logical_not)
logical_and = elementwise("logical_and", "np.logical_and({0}, {1})", numpy=np.logical_and)
logical_or = elementwise("logical_or", "np.logical_or({0}, {1})", numpy=np.logical_or)
logical_xor = elementwise("logical_xor", "np.logical_xor({0}, {1})", numpy=np.logical_xor)
bitwise_and = elementwise("bitwise_and", "{0} & {1}", numpy=np.bitwise_and)
bitwise_or = elementwise("bitwise_or", "{0} | {1}", numpy=np.bitwise_or)
bitwise_xor = elementwise("bitwise_xor", "{0} ^ {1}", numpy=np.bitwise_xor)
invert = elementwise("invert", "~{0}", numpy=np.invert)
left_shift = elementwise("left_shift", "{0} << {1}", numpy=np.left_shift)
right_shift = elementwise("right_shift", "{0} >> {1}", numpy=np.right_shift)


def _comparison(name: str, symbol: str, numpy: Any, tf: str) -> Any:
    def rule(x: TensorType, y: TensorType) -> TensorType:
        return TensorType(bool_, shapes.broadcast(x.shape, y.shape))

    return op(name, rule, f"{{0}} {symbol} {{1}}", numpy=numpy, tf=tf, literals=True)


equal = _comparison("equal", "==", np.equal, "Equal")
not_equal = _comparison("not_equal", "!=", np.not_equal, "NotEqual")
less = _comparison("less", "<", np.less, "Less")
less_equal = _comparison("less_equal", "<=", np.less_equal, "LessEqual")
greater = _comparison("greater", ">", np.greater, "Greater")
greater_equal = _comparison("greater_equal", ">=", np.greater_equal, "GreaterEqual")


@kernel
def sigmoid_of(x: Any) -> Any:
    """1 / (1 + exp(-x)), without overflow on either side."""
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e)).astype(e.dtype)


sigmoid = elementwise("sigmoid", "sigmoid_of({0})")
softplus = elementwise("softplus", "np.logaddexp({0}, np.zeros_like({0}))")
relu = elementwise("relu", "np.maximum({0}, np.zeros_like({0}))")


def _cast(x: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, x.shape)


cast = op("cast", _cast, "{dtype}({0})")  # between numbers; strings.py has the rest


def _where(test: TensorType, x: TensorType, y: TensorType) -> TensorType:
    return TensorType(x.dtype, shapes.broadcast(test.shape, x.shape, y.shape))


where = op("where", _where, "np.where({0}, {1}, {2})[()]", tf="SelectV2")


def _clip(x: TensorType, low: TensorType, high: TensorType) -> TensorType:
    return TensorType(x.dtype, shapes.broadcast(x.shape, low.shape, high.shape))


clip = op("clip", _clip, "np.clip({0}, {1}, {2})", tf="ClipByValue", literals=True)


def _round(x: TensorType, *, decimals: int) -> TensorType:
    return TensorType(x.dtype, x.shape)


round_ = op("round", _round, "np.round({0}, {decimals})")


def _is_close(x: TensorType, y: TensorType, **_: Any) -> TensorType:
    return TensorType(bool_, shapes.broadcast(x.shape, y.shape))


is_close = op("is_close", _is_close, "np.isclose({0}, {1}, rtol={rtol}, atol={atol})")
