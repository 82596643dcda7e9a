"""Which lists only the graph knows the length of."""

from __future__ import annotations

from typing import Any


class Growing(list):  # type: ignore[type-arg]
    """A list that a staged statement can make longer or shorter; once one has, `rows` holds its elements."""

    rows: Any = None

    def stacked(self, exact: bool = False) -> Any:
        """Its elements as one tensor; Python's numbers keep their 64 bits if it is to be `exact`."""
        raise NotImplementedError


def has_grown(value: Any) -> bool:
    """Whether a value is a list of which only the graph knows how long it is."""
    return isinstance(value, Growing) and value.rows is not None
