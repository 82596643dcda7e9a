"""Which lists only the graph knows the length of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Growing(list):  # type: ignore[type-arg]
    """A list that a staged statement can make longer or shorter; once one has, `rows` holds its elements."""

    rows: object = None

    def stacked(self, exact: bool = False) -> object:
        """Its elements as one tensor; Python's numbers keep their 64 bits if it is to be `exact`."""
        raise NotImplementedError


def has_grown(value: object) -> bool:
    """Whether a value is a list of which only the graph knows how long it is."""
    return isinstance(value, Growing) and value.rows is not None


READERS: dict[type, Callable[[Any], object]] = {}  # by the type of what stands for one of several lists


def contents(value: object) -> Any:
    """A variable that is one of several lists as a copy of that which it is, for reading; any other value as it is."""
    reader = READERS.get(type(value))
    return value if reader is None else reader(value)
