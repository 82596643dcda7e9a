"""What only the graph knows and the program has to know at once, as whether it goes on in an ``except`` clause.

Both answers are followed, each from the beginning of the function around (`autograph.operators.attempts`). Here is what
was answered on the way that is being followed, and to which question.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType, MethodType, TracebackType
from typing import Any, NoReturn

from autograph import dispatch
from autograph.dispatch import Signal
from autograph.errors import Refuses
from autograph.operators.state import with_returns


class Uncaught(Refuses, Signal):
    """A `StagingError` that the user's code must not catch on its way out of the trace: a clause would catch an
    exception that only the graph raises."""


class Undecided(Uncaught):
    """A test further out decides whether it is raised, for which both answers can be followed."""


class Asked(Signal):
    """A question that nothing has been answered to yet: the function begins anew. Should a clause of the program's end
    it, as a ``finally`` that returns does, what follows counts for nothing."""


class Way:
    """One way through a function: its answers to questions, by their numbers, which are the same each time."""

    def __init__(self, recorded: object, answers: Mapping[int, bool]) -> None:
        self.recorded, self.answers = recorded, answers
        self.asked = 0
        self.open: tuple[int, object] | None = None  # the question that nothing has been answered to yet, and its test

    @contextmanager
    def followed(self) -> Iterator[None]:
        before, _local.way = _local.way, self
        try:
            yield
        finally:
            _local.way = before


class _Local(threading.local):
    codes: frozenset[CodeType] = frozenset()
    way: Way | None = None  # the innermost


_local = _Local()
_MANY = 5  # one less than there can be


def set_following(follow: Callable[..., object]) -> None:
    """Tell what follows all ways through a function, given it, the names of variables, the functions in whose cells
    these are, and its arguments."""
    global _follow
    _follow = follow


def set_outlined(form: Callable[[FunctionType], FunctionType]) -> None:
    """Tell what gives the form of a converted function whose statements are functions, also where nothing is staged: so
    a loop in it is followed one iteration at a time, and not on all ways through all of them."""
    global _outlined
    _outlined = form


def outlined(function: Callable[..., object]) -> Callable[..., object]:
    """A function, or a method, whose statements are functions."""
    if type(function) is MethodType:
        return MethodType(outlined(function.__func__), function.__self__)
    return _outlined(function) if type(function) is FunctionType else function


_follow: Callable[..., object]
_outlined: Callable[[FunctionType], FunctionType]


@contextmanager
def following(codes: frozenset[CodeType]) -> Iterator[None]:
    """Follow all ways through the functions that have these codes."""
    before, _local.codes = _local.codes, codes
    try:
        yield
    finally:
        _local.codes = before


def followed(function: object, state: Sequence[str] | None = None, returns: Sequence[str | None] = ()) -> Any:
    """A function, or what follows all ways through it; `state` and `returns` name the variables that the body of a
    statement may change, as operators are given them."""
    if not _local.codes or getattr(function, "__code__", None) not in _local.codes:
        return function
    names = None if state is None else with_returns(state, returns)
    return functools.partial(_follow, function, names, (function,))


def on_all_ways(function: object, state: Sequence[str], functions: Sequence[Callable[..., object]]) -> Any:
    """What follows all ways through a function, whatever its code; the variables are in the cells of `functions`."""
    return functools.partial(_follow, function, state, functions)


def may_be_asked() -> bool:
    """Whether some function is being followed on all its ways."""
    return _local.way is not None


def begin() -> int:
    """The number of the next question; 0 if none can be asked here: nothing is followed, or not in this graph."""
    way = _local.way
    attempt = dispatch.attempt_all() if way is not None else None
    if way is None or attempt is None or attempt.recorded is not way.recorded:
        return 0
    way.asked += 1
    return way.asked


def are_many() -> bool:
    """Whether few more may be asked on this way."""
    return _local.way is not None and len(_local.way.answers) >= _MANY


def answered(number: int) -> bool | None:
    """What is answered to a question on this way; None if nobody has asked it."""
    return _local.way.answers.get(number) if number and _local.way is not None else None


class asking:
    """``with asking(number, test): …`` asks the question, if it can be, where what is traced needs the answer."""

    def __init__(self, number: int, test: object) -> None:
        self.number, self.test = number, test

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self.number and isinstance(error, Undecided):
            ask(self.number, self.test)


def ask(number: int, test: object) -> NoReturn:
    """Ask a question: the function begins anew, with either answer."""
    way = _local.way
    assert way is not None
    way.open = way.open or (number, test)
    raise Asked
