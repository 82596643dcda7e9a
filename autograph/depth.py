"""Room for deeply nested code: a long chain of branches nests as many functions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from autograph.errors import ConversionError

_LIMIT = 6000  # Python's own compiler copes with this depth on an ordinary stack


@contextmanager
def room() -> Iterator[None]:
    """Raise the recursion limit for a while (also usable as a decorator).

    Raises ConversionError where that is not enough.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _LIMIT))
    try:
        yield
    except RecursionError:
        raise ConversionError(
            "the code is nested too deeply to be converted: a chain of more than about a thousand branches, or an "
            "expression of as many operators. Split it, or mark the function @autograph.do_not_convert."
        ) from None
    finally:
        sys.setrecursionlimit(before)
