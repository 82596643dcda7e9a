"""What is imported when it is first asked for: a place is a module, or what ``module:name`` stands for."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any


def found(place: str) -> Any:
    """What is at a place.

    >>> found("math:floor")(2.5)
    2
    """
    module, _, name = place.partition(":")
    imported = importlib.import_module(module)
    return getattr(imported, name) if name else imported


def called(place: str) -> Callable[..., Any]:
    """A function that calls the one at a place.

    >>> called("math:floor")(2.5)
    2
    """
    there = functools.cache(lambda: found(place))

    def function(*args: object, **kwargs: object) -> object:
        return there()(*args, **kwargs)

    return function


def places(module: str, names: str) -> dict[str, str]:
    """By name, the places of what a module has.

    >>> places("math", "floor ceil")
    {'floor': 'math:floor', 'ceil': 'math:ceil'}
    """
    return {name: f"{module}:{name}" for name in names.split()}


def face(
    members: MutableMapping[str, object], late: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], Iterable[str]]]:
    """``__getattr__`` and ``__dir__`` of a module that has some of its names late.

    Args:
      members: what it has; what was asked for is among them from then on.
      late: the places of the others, by name.
    """

    def getattribute(name: str) -> Any:
        if name not in late:
            raise AttributeError(f"module {members['__name__']!r} has no attribute {name!r}")
        members[name] = found(late[name])
        return members[name]

    return getattribute, lambda: sorted({*members, *late})
