"""Who wants to know when an object gets something that can be saved: a state that is to be restored may be for it."""

from __future__ import annotations

from collections.abc import Callable

waiting: list[Callable[[object], object]] = []  # what is told of the object; empty unless something is to be restored


def has_more(owner: object) -> None:
    """Tell those who wait that an object holds more than before."""
    for tell in list(waiting):
        tell(owner)
