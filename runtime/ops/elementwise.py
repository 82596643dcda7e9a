"""Arithmetic, mathematics, comparison and logic, element by element."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.graph import shapes
from runtime.graph.dimensions import largest
from runtime.graph.dtypes import DType, bool_, float16, int32, int64
from runtime.graph.graph import Node, TensorType
from runtime.graph.op import always, elementwise, kernel, op, where_operands_fit

add = elementwise("add", "{0} + {1}", operator.add, numpy=np.add, tf="AddV2")
subtract = elementwise("subtract", "{0} - {1}", operator.sub, numpy=np.subtract, tf="Sub")
multiply = elementwise("multiply", "{0} * {1}", operator.mul, numpy=np.multiply, tf="Mul")
divide = elementwise("divide", "{0} / {1}", numpy=(np.divide,), tf="RealDiv", cost=3)
floor_divide = elementwise("floor_divide", "{0} // {1}", operator.floordiv, numpy=np.floor_divide, tf="FloorDiv")
mod = elementwise("mod", "{0} % {1}", numpy=np.mod, tf="FloorMod")


def _has_no_negative_power(node: Node) -> bool:
    return where_operands_fit(node) and not node.outputs[0].type.dtype.is_integer


power = elementwise("power", "{0} ** {1}", total=_has_no_negative_power, numpy=np.power, tf="Pow", cost=60)
maximum = elementwise("maximum", "np.maximum({0}, {1})", largest, numpy=np.maximum)
minimum = elementwise("minimum", "np.minimum({0}, {1})", numpy=np.minimum)
atan2 = elementwise("atan2", "np.arctan2({0}, {1})", numpy=np.arctan2)
hypot = elementwise("hypot", "np.hypot({0}, {1})", numpy=np.hypot)
fmod = elementwise("fmod", "np.fmod({0}, {1})", numpy=np.fmod, tf="Mod")
copysign = elementwise("copysign", "np.copysign({0}, {1})", numpy=np.copysign)
float_power = elementwise("float_power", "np.float_power({0}, {1})", numpy=np.float_power)
logaddexp = elementwise("logaddexp", "np.logaddexp({0}, {1})", numpy=np.logaddexp)

negative = elementwise("negative", "-{0}", operator.neg, numpy=np.negative, tf="Neg")
positive = elementwise("positive", "+{0}", numpy=np.positive, tf="Identity")
absolute = elementwise("absolute", "np.abs({0})", numpy=np.absolute, tf="Abs")
sign = elementwise("sign", "np.sign({0})", numpy=np.sign)
square = elementwise("square", "np.square({0})", numpy=np.square)
sqrt = elementwise("sqrt", "np.sqrt({0})", numpy=np.sqrt, cost=3)
cbrt = elementwise("cbrt", "np.cbrt({0})", numpy=np.cbrt)
reciprocal = elementwise("reciprocal", "np.reciprocal({0})", numpy=np.reciprocal)
exp = elementwise("exp", "np.exp({0})", numpy=np.exp, cost=8)
exp2 = elementwise("exp2", "np.exp2({0})", numpy=np.exp2)
expm1 = elementwise("expm1", "np.expm1({0})", numpy=np.expm1)
log = elementwise("log", "np.log({0})", numpy=np.log, cost=12)
log2 = elementwise("log2", "np.log2({0})", numpy=np.log2)
log10 = elementwise("log10", "np.log10({0})", numpy=np.log10)
log1p = elementwise("log1p", "np.log1p({0})", numpy=np.log1p)
sin = elementwise("sin", "np.sin({0})", numpy=np.sin, cost=60)
cos = elementwise("cos", "np.cos({0})", numpy=np.cos, cost=60)
tan = elementwise("tan", "np.tan({0})", numpy=np.tan)
asin = elementwise("asin", "np.arcsin({0})", numpy=np.arcsin)
acos = elementwise("acos", "np.arccos({0})", numpy=np.arccos)
atan = elementwise("atan", "np.arctan({0})", numpy=np.arctan)
sinh = elementwise("sinh", "np.sinh({0})", numpy=np.sinh)
cosh = elementwise("cosh", "np.cosh({0})", numpy=np.cosh)
tanh = elementwise("tanh", "np.tanh({0})", numpy=np.tanh, cost=12)
asinh = elementwise("asinh", "np.arcsinh({0})", numpy=np.arcsinh)
acosh = elementwise("acosh", "np.arccosh({0})", numpy=np.arccosh)
atanh = elementwise("atanh", "np.arctanh({0})", numpy=np.arctanh)
floor = elementwise("floor", "np.floor({0})", numpy=np.floor)
ceil = elementwise("ceil", "np.ceil({0})", numpy=np.ceil)
trunc = elementwise("trunc", "np.trunc({0})", numpy=np.trunc)
rint = elementwise("rint", "np.rint({0})", numpy=np.rint)
conj = elementwise("conj", "np.conj({0})", numpy=np.conjugate)
real = elementwise("real", "np.real({0})", numpy=np.real, shares=always)
imag = elementwise("imag", "np.imag({0})", numpy=np.imag, shares=always)
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


def _comparison(name: str, symbol: str, numpy: object, tf: str) -> Any:
    def rule(x: TensorType, y: TensorType) -> TensorType:
        return TensorType(bool_, shapes.broadcast(x.shape, y.shape))

    columns: dict[str, Any] = {"literals": (0, 1), "total": where_operands_fit, "compares": True}
    return op(name, rule, f"{{0}} {symbol} {{1}}", numpy=numpy, tf=tf, **columns)


equal = _comparison("equal", "==", np.equal, "Equal")
not_equal = _comparison("not_equal", "!=", np.not_equal, "NotEqual")
less = _comparison("less", "<", np.less, "Less")
less_equal = _comparison("less_equal", "<=", np.less_equal, "LessEqual")
greater = _comparison("greater", ">", np.greater, "Greater")
greater_equal = _comparison("greater_equal", ">=", np.greater_equal, "GreaterEqual")


@kernel
def sigmoid_of(x: Any) -> object:
    """1 / (1 + exp(-x)), without overflow on either side."""
    if x.dtype.kind in "iu":  # whose smallest numbers have no opposite
        x = x.astype(np.exp(np.ones((), x.dtype)).dtype)
    e = np.exp(np.where(x.real >= 0, -x, x) if x.dtype.kind == "c" else -np.abs(x))
    return np.where(x.real >= 0, 1 / (1 + e), e / (1 + e)).astype(e.dtype)


sigmoid = elementwise("sigmoid", "sigmoid_of({0})", cost=12)
softplus = elementwise("softplus", "np.logaddexp({0}, np.zeros_like({0}))")
relu = elementwise("relu", "np.maximum({0}, np.zeros_like({0}))")


def _cast(x: TensorType, *, dtype: DType, weak: bool = False) -> TensorType:
    wider = x.dtype.is_integer and dtype.is_integer and dtype.size > x.dtype.size and x.dtype.min < 0
    return TensorType(dtype, x.shape, weak, sizes=x.sizes if wider or dtype == x.dtype else None)


# Between numbers; strings.py has the rest.
cast = op("cast", _cast, "{dtype}({0})", keeps_weak=True, total=always, shares=always)


@kernel
def fitting(x: Any, dtype: Any) -> object:
    """A Python integer, in 64 bits here, as a number of a dtype that holds it.

    Raises OverflowError for one that it does not hold, as NumPy does.
    """
    bounds = np.iinfo(dtype)
    if bounds.min <= x <= bounds.max:
        return dtype(x)
    raise OverflowError(
        f"Python integer {x} out of bounds for {np.dtype(dtype).name}, which it takes here; make a tensor of 64 bits "
        "of it (runtime.cast(n, 'int64'))"
    )


def _fitted(x: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, x.shape, sizes=x.sizes)


fit = op("fit", _fitted, "fitting({0}, {dtype})", keeps_weak=True, tf="Cast", shares=always)


_ZERO = np.int64(0)


@kernel
def wide(x: Any) -> object:
    """A whole number in 64 bits; NumPy adds much faster than it converts."""
    return x + _ZERO


def _widened(x: TensorType) -> TensorType:
    if not x.dtype.is_bool and not (x.dtype.is_integer and x.dtype.max <= int64.max):
        raise TypeError(f"widen: 64 bits do not hold every number of {x.dtype.name}; python_int looks at each")
    return TensorType(int64, x.shape, weak=True, sizes=x.sizes if x.dtype.is_integer else None)


# An integer, or a truth value, as one of Python's.
widen = op("widen", _widened, "wide({0})", keeps_weak=True, tf="Cast", total=always)


@kernel
def whole(x: Any) -> Any:
    """What Python's ``int`` makes of a number, in 64 bits.

    Raises ValueError for NaN, OverflowError for infinities and what 64 bits do not hold.
    """
    return np.int64(int(x))


def _python_int(x: TensorType) -> TensorType:
    return TensorType(int64, x.shape, weak=True)


python_int = op("python_int", _python_int, "whole({0})", tf="Cast")


@kernel
def narrow_int(x: Any) -> object:
    """A Python integer, in 64 bits here, as `constant` has it: int32 where that holds it, or else int64."""
    return np.int32(x) if -(2**31) <= x < 2**31 else np.int64(x)


def _narrow(x: TensorType) -> TensorType:
    return TensorType(int32, x.shape, sizes=x.sizes)


narrow = op("narrow", _narrow, "narrow_int({0})", keeps_weak=True, tf="Cast", total=always, shares=always)


def _where(test: TensorType, x: TensorType, y: TensorType) -> TensorType:
    return TensorType(x.dtype, shapes.broadcast(test.shape, x.shape, y.shape))


where = op("where", _where, "np.where({0}, {1}, {2})[()]", tf="SelectV2", total=where_operands_fit)


def _clip(x: TensorType, low: TensorType, high: TensorType) -> TensorType:
    return TensorType(x.dtype, shapes.broadcast(x.shape, low.shape, high.shape))


clip = op("clip", _clip, "np.clip({0}, {1}, {2})", tf="ClipByValue", literals=(1, 2), total=where_operands_fit)


def _round(x: TensorType, *, decimals: int) -> TensorType:
    return TensorType(float16 if x.dtype.is_bool else x.dtype, x.shape)


round_ = op("round", _round, "np.round({0}, {decimals})", total=always)


def _is_close(x: TensorType, y: TensorType, **_: object) -> TensorType:
    return TensorType(bool_, shapes.broadcast(x.shape, y.shape))


is_close = op("is_close", _is_close, "np.isclose({0}, {1}, rtol={rtol}, atol={atol})", total=where_operands_fit)
