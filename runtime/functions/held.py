"""What the objects of a program held when a graph was made that reads them: with others in them it is another graph."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph import UNSET
from autograph.reading import attributes_of, is_made_later, is_own

_VALUES = (bool, int, float, complex, str, bytes, type(None), np.ndarray, np.generic)
_DEEPEST = 4  # lists, tuples and dictionaries in one another
_MOST = 200  # elements of one: a longer one is what it is by its length and its identity

Test = Callable[[Any], bool]


class Held:
    """The attributes of some objects: numbers, arrays and other objects by identity, lists and dictionaries by what is
    in them. The objects are held weakly."""

    def __init__(self, objects: Iterable[object], others: Sequence[Held] = ()) -> None:
        self._tests: list[tuple[weakref.ref[Any], dict[str, Test], int]] = [t for other in others for t in other._tests]
        for one in objects:
            held = attributes_of(one) if is_made_later(type(one)) and not is_own(type(one).__module__) else None
            if held is None or isinstance(one, type):
                continue
            try:
                reference = weakref.ref(one)
            except TypeError:
                continue
            tests = {key: test for key, value in held.items() if (test := _test(value)) is not None}
            self._tests.append((reference, tests, len(held)))

    def __bool__(self) -> bool:
        return bool(self._tests)

    def holds(self) -> bool:
        """Whether all is as it was; objects that are gone are asked for by nobody."""
        for reference, tests, count in self._tests:
            one = reference()
            if one is None:
                continue
            held: Any = attributes_of(one)
            if len(held) != count:
                return False
            for key, test in tests.items():
                if not test(held.get(key, UNSET)):
                    return False
        return True


def _test(value: Any, deep: int = 0) -> Test | None:
    """What asks whether another value is this one; None where nothing does."""
    kind = type(value)
    if isinstance(value, _VALUES):
        return lambda now: now is value
    if kind in (list, tuple) and deep < _DEEPEST and len(value) <= _MOST:
        count, parts = len(value), [(i, test) for i, v in enumerate(value) if (test := _test(v, deep + 1)) is not None]
        return lambda now: type(now) is kind and len(now) == count and all(test(now[i]) for i, test in parts)
    if kind is dict and deep < _DEEPEST and len(value) <= _MOST:
        keys, tests = [*value], {k: test for k, v in value.items() if (test := _test(v, deep + 1)) is not None}
        return lambda now: type(now) is dict and [*now] == keys and all(test(now[k]) for k, test in tests.items())
    try:
        reference = weakref.ref(value)
    except TypeError:
        return None
    return lambda now: now is reference()


NOTHING_HELD = Held(())
