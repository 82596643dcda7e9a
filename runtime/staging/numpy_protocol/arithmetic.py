"""What NumPy's universal functions that are made of others do with tensors, and their methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import control
from runtime.graph.errors import OperatorNotAllowedInGraphError
from runtime.graph.op import NUMPY, Op
from runtime.graph.shapes import axis_of, is_known
from runtime.ops import elementwise as ew
from runtime.staging.numpy_protocol.meanings import (
    ACCUMULATIONS,
    FUNCTIONS,
    REDUCTIONS,
    Meaning,
    is_pythons,
    means,
    need,
    operand,
    universal,
)
from runtime.tensors import making, mathematics, shaping
from runtime.tensors.conversion import cast, promote
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import AxisLike, Casting, DTypeLike


def _result(function: Callable[..., Any], *values: Tensor) -> np.dtype[np.generic]:
    """The dtype of what NumPy makes of values of these dtypes; raises TypeError where it makes nothing of them."""
    return function(*(np.ones(1, v.dtype.dtype) for v in values)).dtype


def _number(value: object, like: Tensor) -> EagerTensor:
    return EagerTensor(np.asarray(value, like.dtype.dtype))


def _scaled(function: np.ufunc, top: float, bottom: float) -> Callable[..., object]:
    """A multiple, whose factor NumPy has in the dtype that it computes with."""

    def meaning(x: object, /) -> Tensor:
        value = operand(x)
        kind = _result(function, value)
        wide = np.float32 if kind == np.float16 else kind
        factor = np.divide(
            wide.type(top) if hasattr(wide, "type") else wide(top),
            wide.type(bottom) if hasattr(wide, "type") else wide(bottom),
        )
        return cast(cast(value, wide) * EagerTensor(np.asarray(factor)), kind)

    return meaning


for _function, _top, _bottom in (
    (np.degrees, 180.0, np.pi),
    (np.rad2deg, 180.0, np.pi),
    (np.radians, np.pi, 180.0),
    (np.deg2rad, np.pi, 180.0),
):
    universal(_function)(_scaled(_function, _top, _bottom))


@universal(np.fabs)
def _fabs(x: object, /) -> Tensor:
    value = operand(x)
    return mathematics.abs(cast(value, _result(np.fabs, value)))


def _ignoring(function: np.ufunc, op: Op) -> Callable[..., object]:
    def meaning(x1: object, x2: object, /) -> Tensor:
        x, y = promote([x1, x2])
        _result(function, x, y)
        found = apply(op, x, y)
        if not (x.dtype.is_floating or x.dtype.is_complex):
            return found
        return mathematics.where(mathematics.is_nan(x), y, mathematics.where(mathematics.is_nan(y), x, found))

    return meaning


universal(np.fmax)(_ignoring(np.fmax, ew.maximum))
universal(np.fmin)(_ignoring(np.fmin, ew.minimum))


@universal(np.heaviside)
def _step(x1: object, x2: object, /) -> Tensor:
    x, y = promote([x1, x2])
    kind = _result(np.heaviside, x, y)
    x, y = cast(x, kind), cast(y, kind)
    sure = mathematics.where(x < 0, _number(0, x), _number(1, x))
    return mathematics.where(mathematics.is_nan(x), x, mathematics.where(mathematics.equal(x, 0), y, sure))


@universal(np.signbit)
def _sign_bit(x: object, /) -> Tensor:
    value = operand(x)
    _result(np.signbit, value)
    value = cast(value, np.float64) if not value.dtype.is_floating else value
    return apply(ew.copysign, _number(1, value), value) < 0


@means(np.fix)
def _toward_zero(x: object) -> Tensor:
    return apply(ew.trunc, operand(x))


@means(np.isposinf)
def _is_positive_infinity(x: object) -> Tensor:
    value = operand(x)
    _result(np.isposinf, value)
    return (
        mathematics.equal(value, np.inf) if value.dtype.is_floating else making.zeros(making.like_shape(value), np.bool)
    )


@means(np.isneginf)
def _is_negative_infinity(x: object) -> Tensor:
    value = operand(x)
    _result(np.isneginf, value)
    return (
        mathematics.equal(value, -np.inf)
        if value.dtype.is_floating
        else making.zeros(making.like_shape(value), np.bool)
    )


@means(np.isreal)
def _is_real(x: object) -> Tensor:
    return mathematics.equal(mathematics.imag(operand(x)), 0)


@means(np.iscomplex)
def _is_complex(x: object) -> Tensor:
    return mathematics.not_equal(mathematics.imag(operand(x)), 0)


means(np.iscomplexobj)(lambda x: operand(x).dtype.is_complex)
means(np.isrealobj)(lambda x: not operand(x).dtype.is_complex)


# Of a tensor they ask its dtype alone, which is known while tracing.


def _typed(value: object) -> Any:
    """What has the dtype of a value, as NumPy weighs it: of Python's number in the graph such a number."""
    if not isinstance(value, Tensor | list | tuple):
        return value
    kind = operand(value).dtype.dtype
    return kind.type(0).item() if is_pythons(value) else kind


@means(np.result_type)
def _result_type(*arrays_and_dtypes: Any) -> object:
    return np.result_type(*map(_typed, arrays_and_dtypes))


@means(np.can_cast)
def _can_cast(from_: Any, to: Any, casting: Casting = "safe") -> bool:
    return np.can_cast(_typed(from_), to, casting)


@means(np.common_type)
def _common_type(*arrays: Any) -> object:
    return np.common_type(*(np.empty(0, operand(x).dtype.dtype) for x in arrays))


@means(np.sinc)
def _sinc(x: object) -> Tensor:
    value = operand(x)
    kind = _result(np.sinc, value)
    value = cast(value, kind)
    scaled = (
        mathematics.where(mathematics.equal(value, 0), _number(1e-20 if kind.itemsize > 2 else 6e-8, value), value)
        * np.pi
    )
    return cast(mathematics.sin(scaled) / scaled, kind)


@universal(np.divmod)
def _quotient_and_rest(x1: object, x2: object, /) -> tuple[Tensor, Tensor]:
    x, y = promote([x1, x2])
    return apply(ew.floor_divide, x, y), apply(ew.mod, x, y)


@universal(np.modf)
def _fraction_and_whole(x: object, /) -> tuple[Tensor, Tensor]:
    value = operand(x)
    value = cast(value, np.modf(np.ones(1, value.dtype.dtype))[0].dtype)
    whole = apply(ew.trunc, value)
    rest = mathematics.where(mathematics.is_inf(value), _number(0, value), value - whole)
    return apply(ew.copysign, rest, value), whole


@universal(np.logaddexp2)
def _log_of_sum(x1: object, x2: object, /) -> Tensor:
    x, y = promote([x1, x2])
    kind = _result(np.logaddexp2, x, y)
    x, y = cast(x, kind), cast(y, kind)
    apart = mathematics.abs(x - y)
    more = apply(ew.log1p, apply(ew.exp2, -apart)) * _number(np.log2(np.e), x)
    return mathematics.where(mathematics.equal(x, y), x + 1, mathematics.maximum(x, y) + more)


@means(np.array_equiv)
def _equivalent(a1: object, a2: object) -> Tensor | bool:
    x, y = promote([operand(a1), operand(a2)])
    if not all(is_known(v.type.shape) for v in (x, y)):
        raise OperatorNotAllowedInGraphError("np.array_equiv of arrays whose sizes are not known has no staged meaning")
    try:
        np.broadcast_shapes(*(tuple(d if isinstance(d, int) else 1 for d in making.like_shape(v)) for v in (x, y)))
    except ValueError:
        return False
    return FUNCTIONS[np.all](mathematics.equal(x, y))


@means(np.astype)
def _as_type(x: object, dtype: DTypeLike, /, *, copy: bool = True) -> Tensor:
    return operand(x).astype(dtype)


# Running results: each step joins results that lie twice as far apart as those before.


def _accumulated(op: Op, function: np.ufunc) -> Callable[..., object]:
    def meaning(array: object, axis: int = 0, dtype: DTypeLike | None = None) -> Tensor:
        x = operand(array)
        x = cast(x, _result(function, x, x) if dtype is None else dtype)
        at = axis_of(axis, len(x.shape))
        size = making.like_shape(x)[at]
        places = shaping.reshape(making.range(size, dtype=np.int64), [-1] + [1] * (len(x.shape) - 1 - at))

        def step(width: Tensor, found: Any) -> tuple[Tensor, Tensor]:
            before = found[(*[slice(None)] * at, shaping.reshape(mathematics.maximum(places - width, 0), [-1]))]
            return width * 2, mathematics.where(places >= width, apply(op, before, found), found)

        if isinstance(size, int) and size <= 1:
            return shaping.identity(x)
        first = cast(operand(1), np.int64)
        return control.while_loop(lambda width, _: width < size, step, (first, shaping.identity(x)))[1]

    return meaning


def _last(function: np.ufunc, accumulated: Callable[..., Any]) -> Callable[..., object]:
    """What a ufunc's reduction is: the last of its running results."""

    def meaning(array: object, axis: AxisLike = 0, dtype: DTypeLike | None = None, keepdims: object = False) -> Tensor:
        x = operand(array)
        _result(function, x, x)
        if not len(x.shape):
            return shaping.identity(x)
        if axis is None:
            axes = [*range(len(x.shape))]
        else:
            axes = [axis_of(a, len(x.shape)) for a in (axis if isinstance(axis, tuple) else (axis,))]
        for at in axes:
            size = making.like_shape(x)[at]
            if not isinstance(size, int) or size == 0:
                dims = making.like_shape(x)
                dims[at] = 1
                if function.identity is None:
                    need(
                        size > 0,
                        ValueError(f"zero-size array to reduction operation {function.__name__} which has no identity"),
                    )
                start = _number(1 if function.identity is None else function.identity, x)
                x = shaping.concat([shaping.broadcast_to(start, dims), x], at)
            x = accumulated(x, at, dtype)[(*[slice(None)] * at, slice(-1, None))]
        return x if keepdims else shaping.squeeze(x, tuple(axes)) if axes else x

    return meaning


_each: Any
for _each in (np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.gcd, np.lcm, np.logaddexp, np.logical_xor):
    _accumulate = _accumulated(NUMPY[_each], _each)
    ACCUMULATIONS[_each] = Meaning(_each.accumulate, _accumulate)
    REDUCTIONS[_each] = Meaning(_each.reduce, _last(_each, _accumulate))
for _each in (np.maximum, np.minimum):
    ACCUMULATIONS[_each] = Meaning(_each.accumulate, _accumulated(NUMPY[_each], _each))
