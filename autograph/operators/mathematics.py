"""Functions of `math` as plain Python defines them, for numbers that are staged: divisors, combinations, distances.

These definitions are converted. They raise what the functions raise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators.calls import defined
from autograph.operators.ordered import meaning


def _gcd(*integers: object) -> int:
    found = 0
    for number in integers:
        a, b = found, defined(_index)(number)
        while b != 0:
            a, b = b, a % b
        found = abs(a)
    return found


def _lcm(*integers: object) -> int:
    found = 1
    for number in integers:
        n = defined(_index)(number)
        divisor = defined(_gcd)(found, n)
        found = abs(found // divisor * n) if divisor != 0 else 0
    return found


def _isqrt(n: Any) -> int:
    n = defined(_index)(n)
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(math.sqrt(n))  # of the nearest float: it may be one off
    if root > 0 and root > n // root:
        root -= 1
    elif root + 1 <= n // (root + 1):
        root += 1
    return root


def _factorial(x: object) -> int:
    n = defined(_index)(x)
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    product = 1
    for i in range(2, n + 1):
        product = product * i
    return product


def _counts(n: Any, k: Any) -> tuple[int, int]:
    n, k = defined(_index)(n), defined(_index)(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    return n, k


def _perm(n: Any, k: Any = None) -> int:
    if k is None:
        return defined(_factorial)(n)  # type: ignore[no-any-return]
    n, k = defined(_counts)(n, k)
    product = 1
    if k > n:
        product = 0
    else:
        for i in range(k):
            product = product * (n - i)
    return product


def _comb(n: Any, k: object) -> int:
    n, k = defined(_counts)(n, k)
    ways = 1
    if k > n:
        ways = 0
    else:
        for i in range(min(k, n - k)):
            ways = ways * (n - i) // (i + 1)
    return ways


def _dist(p: Sequence[float], q: Sequence[float]) -> float:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return math.hypot(*[defined(real)(a) - defined(real)(b) for a, b in zip(p, q)])


def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> bool:
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    a, b = defined(real)(a), defined(real)(b)
    if a == b:
        close = True
    elif math.isinf(a) or math.isinf(b):
        close = False
    else:
        difference = abs(b - a)
        close = difference <= abs(rel_tol * b) or difference <= abs(rel_tol * a) or difference <= abs_tol
    return close


def _remainder(x: Any, y: Any) -> float:
    x, y = defined(real)(x), defined(real)(y)
    if math.isnan(x) or math.isnan(y):
        rest = x + y
    elif math.isinf(x) or y == 0:
        raise ValueError("math domain error")
    elif math.isinf(y):
        rest = x
    else:
        size, by = abs(x), abs(y)
        below = math.fmod(size, by)
        above = by - below
        if below < above:
            rest = below
        elif below > above:
            rest = -above
        else:  # of two that are as near, the even multiple
            rest = below - 2.0 * math.fmod(0.5 * (size - below), by)
        rest = math.copysign(1.0, x) * rest
    return rest


def _modf(x: Any) -> tuple[float, float]:
    x = defined(real)(x)
    if math.isinf(x):
        parts = math.copysign(0.0, x), x
    else:
        rest = math.fmod(x, 1.0) if not math.isnan(x) else x
        parts = math.copysign(rest, x), math.copysign(x - rest, x)
    return parts


def real(number: Any) -> float:
    """A number as a float; text is none here, though `float` reads it."""
    if type(number) is str:
        raise TypeError("must be real number, not str")
    return float(number)


def _index(number: Any) -> int:
    kind = type(number)
    if not hasattr(kind, "__index__"):
        raise TypeError(f"'{kind.__name__}' object cannot be interpreted as an integer")
    return int(number)


DEFINITIONS: dict[Callable[..., object], Callable[..., object]] = {
    math.comb: _comb,
    math.dist: _dist,
    math.factorial: _factorial,
    math.gcd: _gcd,
    math.isclose: _isclose,
    math.isqrt: _isqrt,
    math.lcm: _lcm,
    math.modf: _modf,
    math.perm: _perm,
    math.remainder: _remainder,
}
MEANINGS = [(function, meaning(function, definition)) for function, definition in DEFINITIONS.items()]
