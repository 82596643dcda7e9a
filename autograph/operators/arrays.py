"""Arrays made while a graph is traced: they are Python's, or the graph's, as the backend has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from autograph import dispatch

T = TypeVar("T")

_made: Callable[[object], object] = lambda value: value


def set_array(made: Callable[[object], object]) -> None:
    """Tell what becomes of an array that is made while something is traced, and written later; a backend does so."""
    global _made
    _made = made


def array(value: T) -> T:
    """A new array, which something may write."""
    return _made(value) if dispatch.active else value  # type: ignore[return-value]
