"""Room for deeply nested code: a long chain of branches nests as many functions."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from autograph.errors import ConversionError

P = ParamSpec("P")
R = TypeVar("R")

_LIMIT = 6000  # Python's own compiler copes with this depth on an ordinary stack
_lock = threading.Lock()
_users = 0
_before = 0


def room() -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a function that meets the recursion limit run again under a higher one (a decorator).

    The limit is the whole process's, so it is raised only where it has to be, by the first of several threads, and put
    back by the last; a limit that somebody else has set meanwhile stays. Raises ConversionError where even that is not
    enough. The function must not mind being begun twice.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def roomy(*arguments: P.args, **keywords: P.kwargs) -> R:
            try:
                return function(*arguments, **keywords)
            except RecursionError:
                pass
            _raise()
            try:
                return function(*arguments, **keywords)
            except RecursionError:
                raise ConversionError(
                    "the code is nested too deeply to be converted: a chain of more than about a thousand branches, or "
                    "an expression of as many operators. Split it, or mark the function @autograph.do_not_convert."
                ) from None
            finally:
                _put_back()

        return roomy

    return decorated


def _raise() -> None:
    global _users, _before
    with _lock:
        if not _users:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_before, _LIMIT))
        _users += 1


def _put_back() -> None:
    global _users
    with _lock:
        _users -= 1
        if not _users and sys.getrecursionlimit() == max(_before, _LIMIT):
            sys.setrecursionlimit(_before)
