"""What functions of Python's `math` mean for staged numbers: floats of Python's, and the errors that Python raises."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograph.operators.calls import set_functions
from autograph.rules import STAGED_FUNCTIONS
from runtime.control import of_numbers
from runtime.graph.dtypes import int64
from runtime.graph.op import Op
from runtime.graph.owner import Owner
from runtime.ops import elementwise as ew
from runtime.staging.builtin_functions import MEANINGS
from runtime.staging.numpy_protocol.meanings import need
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import is_tensor
from runtime.tensors.from_numpy import owner_of, type_of
from runtime.tensors.numbers import is_text, number
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import current

Numbers = Callable[..., Any]


def _always(*_: object) -> bool:
    return True


def _finite(x: Tensor) -> Tensor:
    return m.logical_not(m.is_inf(x))


# Where Python raises a ValueError; NaN is in each domain.
_DOMAINS: dict[str, Numbers] = {
    "sqrt": lambda x: m.logical_not(x < 0),
    "log": lambda x: m.logical_not(x <= 0),
    "log2": lambda x: m.logical_not(x <= 0),
    "log10": lambda x: m.logical_not(x <= 0),
    "log1p": lambda x: m.logical_not(x <= -1),
    "asin": lambda x: m.logical_not(m.abs(x) > 1),
    "acos": lambda x: m.logical_not(m.abs(x) > 1),
    "acosh": lambda x: m.logical_not(x < 1),
    "atanh": lambda x: m.logical_not(m.abs(x) >= 1),
    "sin": _finite,
    "cos": _finite,
    "tan": _finite,
    "fmod": lambda x, y: m.logical_or(m.logical_or(x != x, y != y), m.logical_and(_finite(x), y != 0)),
    "pow": lambda x, y: m.logical_not(
        m.logical_or(
            m.logical_and(m.logical_and(x < 0, _finite(x)), m.logical_and(_finite(y), apply(ew.floor, y) < y)),
            m.logical_and(x == 0, m.logical_and(y < 0, _finite(y))),
        )
    ),
}

# Which results may be too large, for which Python raises an OverflowError.
_LARGE = frozenset(("exp", "exp2", "expm1", "sinh", "cosh", "pow"))

_ROWS: dict[str, Op] = {
    "acos": ew.acos, "acosh": ew.acosh, "asin": ew.asin, "asinh": ew.asinh, "atan": ew.atan, "atan2": ew.atan2,
    "atanh": ew.atanh, "cbrt": ew.cbrt, "copysign": ew.copysign, "cos": ew.cos, "cosh": ew.cosh, "erf": ew.erf,
    "exp": ew.exp, "exp2": ew.exp2, "expm1": ew.expm1, "fabs": ew.absolute, "fmod": ew.fmod, "hypot": ew.hypot,
    "isfinite": ew.is_finite, "isinf": ew.is_inf, "isnan": ew.is_nan, "log10": ew.log10, "log1p": ew.log1p,
    "log2": ew.log2, "log": ew.log, "pow": ew.power, "sin": ew.sin, "sinh": ew.sinh, "sqrt": ew.sqrt, "tan": ew.tan,
    "tanh": ew.tanh,
}  # fmt: skip


def _of_row(name: str) -> Numbers:
    row, inside = _ROWS[name], _DOMAINS.get(name, _always)

    def meaning(*values: Any) -> Any:
        need(inside(*values), ValueError("math domain error"))
        made = apply(row, *values)
        if name in _LARGE:
            fits = m.is_finite(made)
            for value in values:
                fits = m.logical_or(fits, m.logical_not(m.is_finite(value)))
            need(fits, OverflowError("math range error"))
        return made

    return meaning


def _log(x: object, base: object = None) -> object:
    if base is None:
        return _MEANINGS["log"](x)
    below = _MEANINGS["log"](base)
    above = _MEANINGS["log"](x)
    need(below != 0, ZeroDivisionError("float division by zero"))
    return apply(ew.divide, above, below)


def _hypot(*values: Any) -> object:
    made, *others = values
    for value in others:
        made = apply(ew.hypot, made, value)
    return m.abs(made)


def _whole(row: Op) -> Numbers:
    return lambda x: MEANINGS[int](number(apply(row, x)))


def _frexp(x: Any) -> tuple[object, object]:
    exponent = apply(ew.cast, apply(ew.exponent, x), dtype=int64, weak=True)
    return number(apply(ew.ldexp, x, apply(ew.negative, exponent))), number(exponent)


def _ldexp(x: Any, exponent: Any) -> object:
    whole = exponent.dtype.is_integer if owner_of(exponent) is Owner.TENSOR else issubclass(type_of(exponent), int)
    if not whole:  # nor are NumPy's numbers
        raise TypeError("Expected an int as second argument to ldexp.")
    x = _float(x)
    made = apply(ew.ldexp, x, MEANINGS[int](exponent))
    need(m.logical_or(m.is_finite(made), m.logical_not(m.is_finite(x))), OverflowError("math range error"))
    return made


_MEANINGS: dict[str, Numbers] = {
    **{name: _of_row(name) for name in _ROWS},
    "ceil": _whole(ew.ceil),
    "degrees": lambda x: apply(ew.multiply, x, _float(180.0 / math.pi)),
    "floor": _whole(ew.floor),
    "hypot": _hypot,
    "radians": lambda x: apply(ew.multiply, x, _float(math.pi / 180.0)),
    "trunc": _whole(ew.trunc),
}
_BY_NAME: dict[str, Numbers] = {**_MEANINGS, "frexp": _frexp, "ldexp": _ldexp, "log": _log}


_NOT_REAL = (str, complex)  # of which float() reads the first


def _float(value: object) -> Any:
    return MEANINGS[float](value)


def _called(function: Callable[..., object], meaning: Numbers) -> Callable[..., object]:
    def called(*args: object, **kwargs: object) -> object:
        if current() is None or kwargs or not any(is_tensor(a) for a in args):
            return function(*args, **kwargs)
        kinds = [str if is_text(a) else type_of(a) for a in args]
        if any(issubclass(kind, _NOT_REAL) for kind in kinds):
            return function(*[kind(1) for kind in kinds])  # which raises what it raises of such
        return number(meaning(*args) if meaning is _ldexp else meaning(*map(_float, args)))

    return called


def _functions() -> list[tuple[object, Callable[..., object]]]:
    names = sorted(STAGED_FUNCTIONS["math"] & _BY_NAME.keys())  # others are defined in Python
    there = [(getattr(math, name, None), _BY_NAME[name]) for name in names]
    return [(function, of_numbers(_called(function, meaning))) for function, meaning in there if function is not None]


set_functions(_functions())
