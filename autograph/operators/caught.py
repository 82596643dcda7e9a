"""Exceptions that libraries raise for what only the graph knows, as ``json.dumps(n)`` does: without a graph there would
be none, so that no clause of the program's is to catch them."""

from __future__ import annotations

import ast
import dis
import inspect
import itertools
import linecache
import re
import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

from autograph import dispatch
from autograph.errors import Refuses, StagingError
from autograph.identity import ByIdentity
from autograph.operators.asserts import assert_stmt
from autograph.operators.calls import has_meaning
from autograph.reading import found_in, is_own, variable_in
from autograph.rules import is_converted_always, is_left_alone


def caught(error: BaseException | None = None) -> None:
    """Refuse an exception that a clause has just caught if what has no staged meaning has failed for a staged value."""
    if not dispatch.active:
        return
    error = sys.exc_info()[1] if error is None else error
    if not isinstance(error, Exception) or isinstance(error, Refuses):
        return
    if _is_own_fault(error):
        raise StagingError(
            f"{type(error).__name__} was raised by a fault of this library, and a clause around would catch that, "
            f"as it would not without a graph. Please report it.\n  {type(error).__name__}: {error}"
        ) from error
    call = failed(error)
    if call is not None:
        filename, line, text = call
        raise StagingError(
            f"{type(error).__name__} was raised by what was given a value that only the graph knows, and a clause "
            "around would catch that, as it would not without a graph: what is called here has no staged meaning. "
            "Call it outside of the function, with runtime.py_function, or without the clause.\n"
            f"  {filename}:{line}: {text}\n  {type(error).__name__}: {error}"
        ) from error


def asking(manager: AbstractContextManager[object]) -> object:
    """What a ``with`` enters that asks so itself, as it stands too deep in others for a clause of its own."""
    kind = type(manager)
    return _Asking(manager) if hasattr(kind, "__enter__") and hasattr(kind, "__exit__") else manager


class _Asking:
    def __init__(self, manager: AbstractContextManager[object]) -> None:
        self.manager = manager

    def __enter__(self) -> object:
        return type(self.manager).__enter__(self.manager)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: types.TracebackType | None
    ) -> object:
        leave = type(self.manager).__exit__
        try:
            if error is not None:
                caught(error)
        except BaseException as refused:
            leave(self.manager, type(refused), refused, refused.__traceback__)
            raise
        return leave(self.manager, kind, error, traceback)


def failed(error: BaseException) -> tuple[str, int, str] | None:
    """Which call of the user's raised the exception since it was given something staged; None if none did."""
    calls = [*_calls(error.__traceback__)]
    beyond = next((i for i, call in enumerate(reversed(calls)) if not is_left_alone(_module(call))), None)
    if beyond is None:
        return None
    users, libraries = calls[len(calls) - beyond - 1], calls[len(calls) - beyond :]
    if not _names_what_stands_in(error, calls[-1]) and not dispatch.blames_staging(error):
        if any(is_own(_module(call)) for call in libraries):
            return None
        given = any(_blamed([*call.tb_frame.f_locals.values()]) for call in libraries)
        if not given and not _gives_staged(users):
            return None
    filename, line = users.tb_frame.f_code.co_filename, users.tb_lineno
    return filename, line, linecache.getline(filename, line, users.tb_frame.f_globals).strip()


def _is_own_fault(error: BaseException) -> bool:
    """Whether this library has failed in its own code, where it meant to raise nothing: by an assertion of its own, by
    a name that it does not have, or by an attribute that something lacks."""
    calls = [*_calls(error.__traceback__)]
    last = calls[-1] if calls else None
    if last is None or last.tb_frame.f_code is assert_stmt.__code__ or not _is_written_here(_module(last)):
        return False
    instruction = dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]]
    if isinstance(error, AssertionError):
        return instruction == "RAISE_VARARGS"
    is_name = isinstance(error, NameError) and instruction.startswith(("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FAST"))
    return is_name or (isinstance(error, AttributeError) and instruction.startswith(("LOAD_ATTR", "LOAD_METHOD")))


def _is_written_here(module: str) -> bool:
    """Whether a module is this library's, and not one in which it has Python's own types and functions, which raise
    what these raise."""
    return is_own(module) and not is_converted_always(module)


def _names_what_stands_in(error: BaseException, last: types.TracebackType) -> bool:
    """Whether Python itself says of an operand that it is what stands for a value here, as in ``must be str, not
    Scalar``."""
    if not isinstance(error, TypeError | AttributeError):
        return False
    opcode = last.tb_frame.f_code.co_code[last.tb_lasti]
    if dis.opname[opcode].startswith(("RAISE", "RERAISE")):
        return False
    return not dispatch.staged_names().isdisjoint(re.findall(r"(?:not |got |')([A-Za-z]+)", str(error)))


def _calls(traceback: types.TracebackType | None) -> Iterator[types.TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _module(call: types.TracebackType) -> str:
    return str(call.tb_frame.f_globals.get("__name__"))


def _blamed(values: Sequence[object]) -> bool:
    """Whether one of these values is staged, and that may be why the exception was raised."""
    backend = dispatch.backend_within(values)
    return backend is not None and not hasattr(backend, "blames_staging")


def _gives_staged(users: types.TracebackType) -> bool:
    """Whether the instruction that failed is a call of something of C's with a staged value, as its text shows."""
    frame = users.tb_frame
    call = _call_at(users)
    if call is None:
        return False
    function = _known(call.func, frame)
    if _is_pythons(function) or has_meaning(function):  # what that raises, it raises without a graph, too
        return False
    names = {n.id for part in (*call.args, *call.keywords) for n in ast.walk(part) if isinstance(n, ast.Name)}
    return _blamed([variable_in(frame, name) for name in names])


_seen: ByIdentity[dict[int, ast.Call | None]] = ByIdentity()  # by code and place in it: a loop may fail at each item


def _call_at(users: types.TracebackType) -> ast.Call | None:
    """The call that an instruction makes, as its text shows; None for any other instruction."""
    code, place = users.tb_frame.f_code, users.tb_lasti
    known = _seen.get(code)
    if known is None:
        known = _seen.set(code, {})
    if place not in known:
        is_call = "CALL" in dis.opname[code.co_code[place]]
        where = next(itertools.islice(code.co_positions(), place // 2, None), None) if is_call else None
        found = None if where is None else _expression(users.tb_frame, where)
        known[place] = found if isinstance(found, ast.Call) else None
    return known[place]


_Positions = tuple[int | None, int | None, int | None, int | None]


def _expression(frame: types.FrameType, where: _Positions) -> ast.expr | None:
    """The expression at a place of the source; None if it is not there."""
    first, last, start, end = where
    if first is None or last is None or start is None or end is None:
        return None
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)[first - 1 : last]
    if len(lines) <= last - first:
        return None
    parts = [line.encode() for line in lines]
    parts[-1] = parts[-1][:end]
    parts[0] = parts[0][start:]
    try:
        return ast.parse(b"(" + b"".join(parts) + b")", mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _known(function: ast.expr, frame: types.FrameType) -> object:
    """What the text of a call names, of modules, classes and variables; None if that is not known."""
    if isinstance(function, ast.Name):
        return variable_in(frame, function.id)
    if not isinstance(function, ast.Attribute):
        return None
    holder = _known(function.value, frame)
    return None if holder is None else inspect.getattr_static(holder, function.attr, None)


def _is_pythons(function: object) -> bool:
    """Whether Python code takes its arguments, and an exception at the call is that these do not fit."""
    if isinstance(function, type):
        return types.FunctionType in (type(found_in(function, "__init__")), type(found_in(function, "__new__")))
    return isinstance(function, types.FunctionType | types.MethodType | staticmethod | classmethod)
