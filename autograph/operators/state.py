"""The variables of a staged statement, found in the closure cells of its bodies."""

from __future__ import annotations

import inspect
import itertools
import linecache
import os
import sys
from collections.abc import Callable, Sequence
from types import FrameType, FunctionType

from autograph.dispatch import Name, Role, Statement
from autograph.operators.places import CellPlace, ItemPlace, Place
from autograph.reading import is_own
from autograph.rules import is_converted_always


class State:
    """Reads and writes the named variables of functions that share them."""

    def __init__(self, names: Sequence[str], *functions: Callable[..., object] | None) -> None:
        self.names = tuple(names)
        known = [f for f in functions if isinstance(f, FunctionType)]
        self.places = [_place(name, known) for name in names]

    def read(self) -> list[object]:
        return [place.read() for place in self.places]

    def variables(self) -> list[object]:
        """What these variables are, to tell whether another place is one of them."""
        return [place.identity for place in self.places]

    def write(self, values: Sequence[object]) -> None:
        for place, value in zip(self.places, values, strict=True):
            place.write(value)


def with_returns(state: Sequence[str], returns: Sequence[str | None]) -> Sequence[str]:
    """The names of a state together with the flags and values that a ``return`` was turned into, in turn."""
    if not returns:
        return state
    roles = itertools.cycle((Role.RETURN_FLAG, Role.RETURNED))
    return [*state, *(Name(name, role) for name, role in zip(returns, roles) if name is not None)]


def _place(name: str, functions: Sequence[FunctionType]) -> Place:
    for function in functions:
        names = function.__code__.co_freevars
        if name in names:
            return CellPlace(name, (function.__closure__ or ())[names.index(name)], None, None)
    return ItemPlace(name, functions[0].__globals__, name, None)


def user_statement(depth: int) -> Statement:
    """The user's statement that called an operator: ``file.py:12: if x > 0:``."""
    frame = user_frame(depth + 1)
    return _statement(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)


def user_frame(depth: int) -> FrameType:
    """The frame of the user's code that called an operator."""
    frame = called = sys._getframe(depth + 1)
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__")):
        frame = frame.f_back
    return called if frame.f_back is None else frame


def _is_ours(module: str | None) -> bool:
    """Whether it is a built-in function's own operators, or one of Python's types as the graph has it."""
    return is_own(module) or is_converted_always(module)


def statement_of(function: Callable[..., object]) -> Statement:
    """The user's statement that a function made by the compiler came from."""
    code = function.__code__
    return _statement(code.co_filename, code.co_firstlineno, function.__globals__)


def _statement(filename: str, line: int, module: dict[str, object]) -> Statement:
    return Statement(filename, line, linecache.getline(filename, line, module).strip())


def hide_frame(error: BaseException) -> None:
    """Take the frame that has caught the error, and is about to raise it again, out of its traceback."""
    if error.__traceback__ is not None:
        error.__traceback__ = error.__traceback__.tb_next


def note(error: BaseException, statement: str) -> None:
    """Tell, in a note of the user's own exception, which statement was being staged when it was raised."""
    if isinstance(error, Exception) and statement not in str(error):
        error.add_note(f"while staging {statement}")


def as_users(error: BaseException, *functions: Callable[..., object] | None) -> UnboundLocalError | None:
    """Take the operator's own frame out of the traceback; the operator then raises the error again.

    Where a body found a variable of the function around it unbound, Python would have said so of a local variable: that
    error is returned, to be raised instead. A function of the user's that finds a variable around it unbound keeps its
    NameError; the mark tells the operators further out which of the two it is.
    """
    traceback = error.__traceback__
    hide_frame(error)
    if not isinstance(error, NameError) or isinstance(error, UnboundLocalError):
        return None
    if not str(error).startswith("cannot access free variable"):
        return None
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code if traceback is not None else None
    if code in [f.__code__ for f in functions if isinstance(f, FunctionType)]:
        error._in_generated_code = True  # type: ignore[attr-defined]
    if not getattr(error, "_in_generated_code", False):
        return None
    caller = sys._getframe(2)
    if error.name in caller.f_code.co_freevars and not is_body(caller):
        error._in_generated_code = False  # type: ignore[attr-defined]  # it comes from outside the user's function
    elif error.name in caller.f_code.co_cellvars:
        message = f"cannot access local variable '{error.name}' where it is not associated with a value"
        return UnboundLocalError(message).with_traceback(error.__traceback__)  # which Python gives no name
    return None


def as_local(error: NameError) -> NameError:
    """What Python would say of a variable that a staged body finds unbound: that a local variable of the function is.

    Unlike in `as_users` the error may not get as far as the user's function, as the graph raises it.
    """
    if isinstance(error, UnboundLocalError) or not str(error).startswith("cannot access free variable"):
        return error
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if error.name in frame.f_code.co_cellvars:
            message = f"cannot access local variable '{error.name}' where it is not associated with a value"
            return UnboundLocalError(message).with_traceback(error.__traceback__)
        if error.name in frame.f_code.co_freevars and not is_body(frame):
            return error
        frame = frame.f_back
    return error


def is_body(frame: FrameType) -> bool:
    """Whether the frame runs a body, which an operator calls, rather than a function of the user's."""
    around = frame.f_back
    if around is None or frame.f_code.co_flags & _SUSPENDED:
        return False
    return around.f_code.co_filename in _STATEMENTS


_SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR  # a loop only goes on with these
INLINED = sys.version_info >= (3, 12)  # a list comprehension has the variables of the function around
_STATEMENTS = {
    os.path.join(os.path.dirname(__file__), f"{name}.py")
    for name in (
        "branches",
        "loops",
        "logic",
        "matches",
        "finals",
        "asserts",
        "progress",
        *(["items"] if INLINED else []),
    )
}
