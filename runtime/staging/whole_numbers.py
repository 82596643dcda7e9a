"""What `bin`, `hex`, `oct`, Python's `math` of whole numbers and the methods of ints and floats mean for staged ones.

They are defined as one would write them in Python, and these definitions are converted.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

from autograph.operators.calls import defined, set_functions
from runtime.staging.builtin_functions import MEANINGS
from runtime.tensors.conversion import is_tensor
from runtime.tensors.from_numpy import type_of
from runtime.tensors.numbers import METHODS
from runtime.tensors.trace import current


def gcd(*numbers: int) -> int:
    found = 0
    for number in numbers:
        while number != 0:
            found, number = number, found % number
    return abs(found)


def lcm(*numbers: int) -> int:
    found = 1
    for number in numbers:
        if number == 0 or found == 0:
            found = 0
        else:
            found = abs(found // math.gcd(found, number) * number)
    return found


def isqrt(n: int) -> int:
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(math.sqrt(n))
    while root > 0 and root > n // root:
        root -= 1
    while root + 1 <= n // (root + 1):
        root += 1
    return root


def factorial(n: int) -> int:
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    if n > 20:
        raise OverflowError("whole numbers have 64 bits in a graph, which the factorial of more than 20 does not fit")
    found = 1
    for number in range(2, n + 1):
        found *= number
    return found


def comb(n: int, k: int) -> int:
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    found = 1 if k <= n else 0
    for number in range(min(k, n - k)):
        found = found * (n - number) // (number + 1)
    return found


def perm(n: int, k: int | None = None) -> int:
    if k is None:
        return math.factorial(n)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    found = 1 if k <= n else 0
    if k <= n:
        for number in range(n - k + 1, n + 1):
            found *= number
    return found


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


def _of_whole_numbers(function: Callable[..., object], definition: Any) -> Callable[..., object]:
    def called(*args: object, **kwargs: object) -> object:
        if current() is None or kwargs or not any(is_tensor(a) for a in args):
            return function(*args, **kwargs)
        return defined(definition)(*map(_whole, args))

    return called


for _function, _form in ((builtins.bin, "#b"), (builtins.hex, "#x"), (builtins.oct, "#o")):
    MEANINGS[_function] = lambda value, form=_form: MEANINGS[builtins.format](_whole(value), form)
METHODS[int] = {definition.__name__: definition for definition in (bit_length, bit_count)}
METHODS[float] = {"is_integer": is_integer}
set_functions(
    (function, _of_whole_numbers(function, definition))
    for definition in (gcd, lcm, isqrt, factorial, comb, perm)
    if (function := getattr(math, definition.__name__, None)) is not None
)
