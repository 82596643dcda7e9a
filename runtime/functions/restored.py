"""The objects that a list held before, for what is equal to them: a graph does not know of which type a number was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_VALUES = (bool, int, float, complex, str, bytes, np.generic)


def restored(was: Sequence[Any], now: list[Any]) -> list[Any]:
    """What a list holds `now`, and what it held before for what is equal at the start, at the end, or after some
    elements have been taken out in front."""
    if len(kinds := {*map(type, was), *map(type, now)}) == 1 and issubclass(kinds.pop(), _VALUES):
        return now  # one is as good as another that is equal
    first = _alike(was, now)
    if first < min(len(was), len(now)):
        for start in range(1, len(was)):
            if _is_equal(was[start], now[0]) and _alike(was[start:], now) == len(was) - start:
                return [*was[start:], *now[len(was) - start :]]
    last = _alike(was[first:][::-1], now[first:][::-1])
    return [*was[:first], *now[first : len(now) - last], *was[len(was) - last :]]


def _alike(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many elements at the start are equal."""
    return next((i for i, (a, b) in enumerate(zip(one, other)) if not _is_equal(a, b)), min(len(one), len(other)))


def _is_equal(a: Any, b: Any) -> bool:
    """Whether two numbers, texts or structures of them are equal, zeros and NaN by what they are."""
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(_is_equal, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and [*a] == [*b] and all(map(_is_equal, a.values(), b.values()))
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, str | bytes) or isinstance(b, str | bytes):
        return bool(a == b)
    return bool(np.array(a).astype(type(b)).tobytes() == np.array(b).tobytes())
