"""The objects that a list held before, for what is equal to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_VALUES = (bool, int, float, complex, str, bytes, np.generic)


def restored(was: Sequence[Any], now: list[Any]) -> list[Any]:
    """What a list holds `now`, and what it held before for what is the same at the start, at the end, or after some
    elements have been taken out in front."""
    if all(issubclass(kind, _VALUES) for kind in {*map(type, was), *map(type, now)}):
        return now  # one is as good as another that is equal
    first = _alike(was, now)
    if first < min(len(was), len(now)):
        for start in range(1, len(was)):
            if is_same(was[start], now[0]) and _alike(was[start:], now) == len(was) - start:
                return [*was[start:], *now[len(was) - start :]]
    last = _alike(was[first:][::-1], now[first:][::-1])
    return [*was[:first], *now[first : len(now) - last], *was[len(was) - last :]]


def _alike(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many elements at the start are the same."""
    return next((i for i, (a, b) in enumerate(zip(one, other)) if not is_same(a, b)), min(len(one), len(other)))


def is_same(a: Any, b: Any) -> bool:
    """Whether two numbers, texts, arrays or structures of them are equal and of the same types, zeros and NaN by what
    they are."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, dict):
        return [*a] == [*b] and all(map(is_same, a.values(), b.values()))
    if isinstance(a, str | bytes):
        return bool(a == b)
    x, y = np.asarray(a), np.asarray(b)
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()
