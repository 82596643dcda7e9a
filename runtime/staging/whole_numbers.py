"""What `bin`, `hex`, `oct`, `chr` and the methods of ints and floats mean for staged ones.

The methods are defined as one would write them in Python, and these definitions are converted.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from autograph.operators.calls import defined
from runtime.staging.builtin_functions import MEANINGS
from runtime.staging.text_methods import answer
from runtime.tensors.conversion import is_tensor
from runtime.tensors.from_numpy import FromNumpy, type_of
from runtime.tensors.numbers import METHODS
from runtime.tensors.tensor import Tensor


def bit_length(n: int) -> int:
    rest, bits = abs(n), 0
    while rest > 0:
        rest, bits = rest >> 1, bits + 1
    return bits


def bit_count(n: int) -> int:
    rest, bits = abs(n), 0
    while rest > 0:
        rest, bits = rest >> 1, bits + (rest & 1)
    return bits


def is_integer(x: float) -> bool:
    return bool(x % 1.0 == 0.0)  # of what is not finite the rest is NaN


def power_modulo(x: int, y: int, modulus: int) -> int:
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    base = x % modulus
    if y < 0:
        y = -y
        inverse, other = 1, 0
        divisor, rest = base, modulus
        while rest != 0:
            count = divisor // rest
            divisor, rest = rest, divisor - count * rest
            inverse, other = other, inverse - count * other
        if divisor != 1 and divisor != -1:
            raise ValueError("base is not invertible for the given modulus")
        base = inverse * divisor % modulus
    made = 1 % modulus
    while y > 0:
        if y & 1:
            made = made * base % modulus
        y >>= 1
        if y > 0:
            base = base * base % modulus
    return made


def _power(x: Any, y: Any, modulus: Any = None) -> object:
    if modulus is None:
        return x**y
    if any(isinstance(value, Tensor) and not isinstance(value, FromNumpy) for value in (x, y, modulus)):
        return x**y % modulus
    kinds = [type_of(value) for value in (x, y, modulus)]
    if any(kind not in (int, bool) for kind in kinds):
        names = ", ".join(f"'{kind.__name__}'" for kind in kinds)
        raise TypeError(f"unsupported operand type(s) for ** or pow(): {names}")
    return defined(power_modulo)(*map(_whole, (x, y, modulus)))


def _whole(value: Any) -> Any:
    """A whole number of Python's, of one that may be used as an index."""
    if is_tensor(value) and not (value.dtype.is_integer or value.dtype.is_bool):
        raise TypeError(f"'{type_of(value).__name__}' object cannot be interpreted as an integer")
    return MEANINGS[int](value) if is_tensor(value) else value


for _function, _form in ((builtins.bin, "#b"), (builtins.hex, "#x"), (builtins.oct, "#o")):
    MEANINGS[_function] = lambda value, form=_form: MEANINGS[builtins.format](_whole(value), form)
MEANINGS[builtins.chr] = lambda value: answer(chr, "text", _whole(value))
METHODS[int] = {definition.__name__: definition for definition in (bit_length, bit_count)}
METHODS[float] = METHODS[np.floating] = {"is_integer": is_integer}
MEANINGS[builtins.pow] = _power
