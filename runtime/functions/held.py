"""What the objects of a program held when a graph was made that reads them: with others in them it is another graph."""

from __future__ import annotations

import itertools
import operator
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph import UNSET
from autograph.reading import attributes_of, is_made_later, is_own, slot_in, slots_of

_VALUES = (bool, int, float, complex, str, bytes, type(None), np.ndarray, np.generic)
_NUMBERS = (bool, int, float, complex, str, bytes)
_COMPARED = 1 << 18  # bytes of an array that is looked at for what was written into it
_MOST_OBJECTS = 500  # of more it is not asked: that would take longer than the graph
_DEEPEST = 4  # lists, tuples and dictionaries in one another
_MOST = 200  # elements of one: a longer one is what it is by its length and its identity

Test = Callable[[Any], bool]


class Held:
    """The attributes of some objects that code can ask for: numbers, arrays and other objects by identity, small arrays
    by their elements, too, lists and dictionaries by what is in them. The objects are held weakly.

    Args:
      objects: each with the names that are asked for, or None for all.
      others: what else has to hold.
    """

    # Each object with what is asked of its attributes, and those that it does not have; or how many there are.
    _tests: list[tuple[weakref.ref[Any], Callable[[Any], Any], dict[str, Test], frozenset[str] | int]]

    def __init__(
        self, objects: Iterable[tuple[object, frozenset[str] | None]], others: Sequence[Held] = ()
    ) -> None:  # fmt: skip
        self._tests = [test for other in others for test in other._tests]
        for one, names in itertools.islice(objects, _MOST_OBJECTS):
            if isinstance(one, type) or is_own(type(one).__module__) or not is_made_later(type(one)):
                continue
            try:
                reference = weakref.ref(one)
            except TypeError:
                continue
            held = _attributes(one)
            asked = [key for key in held if names is None or key in names]
            tests = {key: test for key in asked if (test := _test(held[key])) is not None}
            missing = None if names is None else names - held.keys()
            if tests or missing is None or attributes_of(one) is not None:
                read = _attributes if slots_of(type(one)) else attributes_of
                self._tests.append((reference, read, tests, len(held) if missing is None else missing))

    def __bool__(self) -> bool:
        return bool(self._tests)

    def holds(self) -> bool:
        """Whether all is as it was; objects that are gone are asked for by nobody."""
        for reference, read, tests, rest in self._tests:
            one = reference()
            if one is None:
                continue
            held = read(one)
            if len(held) != rest if isinstance(rest, int) else not rest.isdisjoint(held):
                return False
            for key, test in tests.items():
                if not test(held.get(key, UNSET)):
                    return False
        return True


def _attributes(one: object) -> dict[str, Any]:
    held = attributes_of(one)
    slots = slots_of(type(one))
    if not slots:
        return held or {}
    return {**(held or {}), **{s: v for s in slots if (v := slot_in(one, s, UNSET)) is not UNSET}}


def _test(value: Any, deep: int = 0) -> Test | None:
    """What asks whether another value is this one; None where nothing does."""
    kind = type(value)
    if kind is np.ndarray and value.nbytes <= _COMPARED and not value.dtype.hasobject:
        before = value.tobytes()
        return lambda now: now is value and now.tobytes() == before
    if kind in _NUMBERS:
        return lambda now: now is value or (type(now) is kind and now == value and repr(now) == repr(value))
    if isinstance(value, _VALUES):
        return lambda now: now is value
    if isinstance(value, set | frozenset | deque) and len(value) <= _MOST:
        listed = [*value]
        return lambda now: type(now) is kind and len(now) == len(listed) and all(map(operator.is_, now, listed))
    if kind in (list, tuple) and deep < _DEEPEST and len(value) <= _MOST:
        count, parts = len(value), [(i, test) for i, v in enumerate(value) if (test := _test(v, deep + 1)) is not None]
        return lambda now: type(now) is kind and len(now) == count and all(test(now[i]) for i, test in parts)
    if isinstance(value, dict) and deep < _DEEPEST and len(value) <= _MOST:
        keys, tests = [*value], {k: test for k, v in value.items() if (test := _test(v, deep + 1)) is not None}
        return lambda now: type(now) is kind and [*now] == keys and all(test(now[k]) for k, test in tests.items())
    try:
        reference = weakref.ref(value)
    except TypeError:
        return None
    return lambda now: now is reference()


NOTHING_HELD = Held(())
