"""The exceptions of the compiler; each also is one that Python users already catch."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, MemberDescriptorType, TracebackType
from typing import NamedTuple, NoReturn, TypeVar

E = TypeVar("E", bound=BaseException)
F = TypeVar("F", bound=Callable[..., object])
_BETWEEN = (functools.__file__, contextlib.__file__)  # by which functions of a library call one another
_HERE = (os.path.join(os.path.dirname(os.path.abspath(__file__)), ""),)


class Refused(NamedTuple):
    """An error that says that this library cannot do something, and from where it was asked: the file, line and
    function of each call, the innermost first."""

    error: BaseException
    calls: Sequence[tuple[str, int, str]]


class _Met(threading.local):
    errors: list[Refused] | None = None


_met = _Met()


def refused(error: E) -> E:
    """Remember that this library has refused something of a program that is being staged: no clause of the program may
    swallow the error, as it says nothing about the program."""
    if _met.errors is not None:
        calls: list[tuple[str, int, str]] = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and len(calls) < 20:
            calls.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
            frame = frame.f_back
        _met.errors.append(Refused(error, calls))
    return error


@contextmanager
def refusals() -> Iterator[list[Refused]]:
    """What is refused from here on."""
    around, _met.errors = _met.errors, []
    try:
        yield _met.errors
    finally:
        if around is not None:
            around += _met.errors
        _met.errors = around


def refused_so_far() -> Sequence[Refused]:
    """What has been refused since the innermost `refusals` began."""
    return _met.errors or ()


class Refuses(BaseException):
    """Base of the errors that say that this library cannot do something, not that the program is wrong."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        refused(self)


class AutographError(Exception):
    """Base of every error that the compiler itself raises."""


class ConversionError(AutographError, ValueError):
    """A function could not be converted; the message says which one, why, and what to do instead."""


class SourceNotFoundError(ConversionError, OSError):
    """The source text of a function could not be found."""


class StagingError(Refuses, AutographError, TypeError, ValueError):
    """A statement cannot be staged as written; the message names the variable, the line and the remedy."""


class GrownError(StagingError):
    """A staged statement makes a `container` longer or shorter that only Python has, be it in an `argument`."""

    def __init__(self, message: str, container: object = None) -> None:
        super().__init__(message)
        self.container = container
        self.argument: tuple[str, Sequence[tuple[bool, object]]] | None = None


class ChangedError(StagingError):
    """A staged statement changes what a `holder` has, as how far an iterator has got, that only Python has."""

    def __init__(self, message: str, holder: object) -> None:
        super().__init__(message)
        self.holder = holder


class UndefinedVariableError(Refuses, AutographError, UnboundLocalError, ValueError):
    """A variable may be unbound where a staged statement needs its value."""


def without_frames(traceback: TracebackType | None, hidden: tuple[str, ...]) -> TracebackType | None:
    """The traceback less the frames whose file lies under one of the `hidden` folders, and of what these call one
    another by.

    With AUTOGRAPH_FULL_TRACEBACK set in the environment nothing is hidden.
    """
    if os.environ.get("AUTOGRAPH_FULL_TRACEBACK"):
        return traceback
    kept = []
    is_ours = False
    while traceback is not None:
        filename = traceback.tb_frame.f_code.co_filename
        is_ours = filename.startswith(hidden) or (is_ours and filename in _BETWEEN)
        if not is_ours:
            kept.append(traceback)
        traceback = traceback.tb_next
    result: TracebackType | None = None
    for entry in reversed(kept):
        result = TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


def hides_frames(function: F, hidden: tuple[str, ...] = _HERE) -> F:
    """Have what users call raise its errors at their line, without the frames of this library (a decorator)."""

    @functools.wraps(function)
    def called(*arguments: object, **keywords: object) -> object:
        try:
            return function(*arguments, **keywords)
        except Exception as error:
            error.__traceback__ = without_frames(error.__traceback__, hidden)
            raise  # which adds no frame

    return called  # type: ignore[return-value]


def with_article(noun: str) -> str:
    """A noun, or the name of a type, as a sentence has it.

    >>> with_article("int32 tensor"), with_article("uint8 tensor"), with_article("Box")
    ('an int32 tensor', 'a uint8 tensor', 'a Box')
    """
    return f"{'an' if noun[:1] in tuple('aeioAEIO') else 'a'} {noun}"


def raise_as_it_is(error: BaseException) -> NoReturn:
    """Raise an exception with the context that it has; what is being handled now came before all of that."""
    context = error.__context__
    if context is None:
        raise error
    first, handled = _first(error), sys.exception()
    if handled is not None and handled is not first and _first(handled) is not first:
        first.__context__ = handled
    try:
        raise error
    finally:
        error.__context__ = context


def _first(error: BaseException) -> BaseException:
    """The one at the end of the contexts of an exception."""
    while error.__context__ is not None:
        error = error.__context__
    return error


def held_by_exception(exception: BaseException) -> dict[str, object]:
    """What an exception holds, also where it has no dictionary for that."""
    held: dict[str, object] = {}
    for kind in type(exception).__mro__[:-2]:
        slots = [name for name, part in vars(kind).items() if type(part) is MemberDescriptorType]
        values = {name: getattr(exception, name) for name in slots if hasattr(exception, name)}
        # Python's own have all of theirs, of which None says that it was never given.
        held |= {name: value for name, value in values.items() if "__slots__" in vars(kind) or value is not None}
    return held | vars(exception)
