"""What is known of things, found by what they are, not by what they equal; it keeps nothing alive."""

from __future__ import annotations

import sys
import weakref
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
D = TypeVar("D")


class ByIdentity(Generic[T]):
    """A value for each of some functions, classes or code objects, for as long as these live.

    Neither hashes nor compares them, as a class may say itself how that is done. What a value refers to must not be
    what it is kept for, or neither would ever die.
    """

    def __init__(self) -> None:
        self.values: dict[int, T] = {}  # by `id`, for those who look often
        self._references: dict[int, weakref.ref[object]] = {}

    def __contains__(self, thing: object) -> bool:
        return id(thing) in self.values

    @overload
    def get(self, thing: object) -> T | None: ...
    @overload
    def get(self, thing: object, default: D) -> T | D: ...
    def get(self, thing: object, default: object = None) -> object:
        return self.values.get(id(thing), default)

    def set(self, thing: object, value: T) -> T:
        key = id(thing)
        if key not in self._references:
            values, references = self.values, self._references

            def forget(_: object) -> None:
                values.pop(key, None)
                references.pop(key, None)

            references[key] = weakref.ref(thing, forget)
        self.values[key] = value
        return value

    def clear(self) -> list[object]:
        """Forget everything; returns what was held, for it may be much that dies with it."""
        held = [*self.values.values(), *self._references.values()]
        self.values.clear()
        self._references.clear()
        return held

    def __len__(self) -> int:
        return len(self.values)


class Attributes(dict[str, object]):
    """The attributes of a function, as they were, and beside them what it becomes: that dies with the function.

    A converted function has the variables of its original, which may in turn hold the original. Kept anywhere else
    than in the original, neither would ever be freed.
    """

    called: object = None  # what converted code calls for it while something is traced; None: the function itself
    since: object = None  # what `called` holds for
    bound: object = None  # what `called` holds for where the function is called as a method
    forms: dict[object, Any] | None = None  # what else was made of it

    def __reduce__(self) -> str | tuple[object, ...]:
        return dict, (dict(self),)

    def __reduce_ex__(self, protocol: object) -> str | tuple[object, ...]:
        return self.__reduce__()


_OURS = 3  # references to the attributes of a function: its own, a variable and an argument


def attributes_of(function: Any) -> Attributes:
    """Where to keep what a function becomes."""
    known = function.__dict__
    if type(known) is Attributes:
        return known
    if known and sys.getrefcount(known) > _OURS:
        return Attributes()  # somebody else has them, and is to see them change: nothing can be kept
    any(map(setattr, (function,), ("__dict__",), map(Attributes, (known,))))  # at once: no other thread comes between
    return function.__dict__  # type: ignore[no-any-return]
