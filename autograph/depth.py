"""Room for deeply nested code: a long chain of branches nests as many functions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_LIMIT = 6000  # Python's own compiler copes with this depth on an ordinary stack


@contextmanager
def room() -> Iterator[None]:
    """Raise the recursion limit for a while (also usable as a decorator)."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
