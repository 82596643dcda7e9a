"""Room for deeply nested code: a long chain of branches nests as many functions."""

from __future__ import annotations

import functools
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat, starmap
from types import FrameType
from typing import ParamSpec, TypeVar

from autograph.errors import ConversionError

P = ParamSpec("P")
R = TypeVar("R")

_LIMIT = 6000  # Python's own compiler copes with this depth on an ordinary stack
_lock = threading.Lock()
_users = 0  # how many need the limit that was raised
_before: int | None = None  # the limit that was there; None while nothing is raised
_ours = 0  # the limit that was set instead of it


def room() -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a function that meets the recursion limit run again under a higher one (a decorator).

    The limit is the whole process's, so it is raised only where it has to be. Raises ConversionError where even that is
    not enough. The function must not mind being begun twice.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def roomy(*arguments: P.args, **keywords: P.kwargs) -> R:
            try:
                return function(*arguments, **keywords)
            except RecursionError:
                pass
            finally:
                _put_back()  # it may have stayed raised because this thread was deep in it
            with raised(lambda before: _LIMIT):
                try:
                    return function(*arguments, **keywords)
                except RecursionError:
                    raise ConversionError(
                        "the code is nested too deeply to be converted: a chain of more than about a thousand "
                        "branches, or an expression of as many operators. Split it, or mark the function "
                        "@autograph.do_not_convert."
                    ) from None

        return roomy

    return decorated


@contextmanager
def raised(wanted: Callable[[int], int]) -> Iterator[None]:
    """Raise the recursion limit to what is wanted, given what it was before anybody raised it here.

    The last of those who need it puts it back; a limit that somebody else has set meanwhile stays.
    """
    global _users, _before, _ours
    with _lock:
        if _before is None or sys.getrecursionlimit() != _ours:
            _before = sys.getrecursionlimit()
        _ours = max(sys.getrecursionlimit(), wanted(_before))
        sys.setrecursionlimit(_ours)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
        _put_back()


def _put_back() -> None:
    """Put the limit back if nobody needs the raised one, and no thread is so deep that it would stand beyond it."""
    global _before
    if _before is None or _users:
        return
    with _lock:
        if _before is None or _users:
            return
        if sys.getrecursionlimit() != _ours or _lowered(_before):
            _before = None


def _lowered(limit: int) -> bool:
    """Set a limit unless a thread is near it; whether it was set.

    Python 3.11 ends the whole process where a thread finds itself more than fifty calls beyond the limit, and crashes
    where frames of a thread are looked at while it runs. So a single native call looks and sets, a step up in all
    threads at a time, without the garbage collections in which other threads get their turn.
    """
    frames: Iterator[FrameType | None] = chain.from_iterable(map(dict.values, starmap(sys._current_frames, [()])))
    for _ in range(min(250, limit // 4)):  # native calls count as well, and have no frames
        frames = map(getattr, frames, repeat("f_back"), repeat(None))
    collects = gc.isenabled()
    gc.disable()
    try:
        return next(chain(filter(None, frames), map(sys.setrecursionlimit, [limit]))) is None
    finally:
        if collects:
            gc.enable()
