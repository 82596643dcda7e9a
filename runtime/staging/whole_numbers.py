"""What `bin`, `hex`, `oct` and the methods of ints and floats mean for staged ones.

The methods are defined as one would write them in Python, and these definitions are converted.
"""

from __future__ import annotations

import builtins
from typing import Any

from runtime.staging.builtin_functions import MEANINGS
from runtime.tensors.conversion import is_tensor
from runtime.tensors.from_numpy import type_of
from runtime.tensors.numbers import METHODS


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
    return x % 1.0 == 0.0  # of what is not finite the rest is NaN


def _whole(value: Any) -> Any:
    """A whole number of Python's, of one that may be used as an index."""
    if is_tensor(value) and not (value.dtype.is_integer or value.dtype.is_bool):
        raise TypeError(f"'{type_of(value).__name__}' object cannot be interpreted as an integer")
    return MEANINGS[int](value) if is_tensor(value) else value


for _function, _form in ((builtins.bin, "#b"), (builtins.hex, "#x"), (builtins.oct, "#o")):
    MEANINGS[_function] = lambda value, form=_form: MEANINGS[builtins.format](_whole(value), form)
METHODS[int] = {definition.__name__: definition for definition in (bit_length, bit_count)}
METHODS[float] = {"is_integer": is_integer}
