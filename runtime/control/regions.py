"""Tracing functions into closed regions of the graph."""

from __future__ import annotations

import functools
import itertools
import linecache
import os
from collections.abc import Callable, Sequence
from typing import Any

from autograph import AutographError, StagingError, Variables
from autograph.dispatch import Signal, Statement
from autograph.errors import Refused, Refuses, refused_so_far
from autograph.except_clauses import catching
from autograph.operators.buffers import is_of_closed
from autograph.operators.definitions import NoItem
from autograph.operators.questions import Uncaught
from autograph.operators.raised import raised_by_program, without_signals
from autograph.rules import is_installed
from runtime.graph.depth import one_deeper
from runtime.graph.dtypes import python_numbers
from runtime.graph.graph import Place
from runtime.graph.owner import Owner
from runtime.ops import effects
from runtime.ops.effects import Held
from runtime.tensors import nest
from runtime.tensors.clauses import not_caught
from runtime.tensors.frames import OURS
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.operations import apply_all
from runtime.tensors.several import Several, with_each
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace, current

import numpy as np  # isort: skip


def tracing() -> Trace:
    trace = current()
    if trace is None:
        raise RuntimeError("staged control flow outside of a trace")
    return trace


class Ended(Signal):
    """The graph never gets any further than this: in all cases an exception is raised before."""


def traced(function: Callable[..., Sequence[object]], *arguments: object) -> Sequence[object] | None:
    """What a part of a program leaves; None if it ends in an exception, which the graph then raises.

    What goes wrong in a branch or in the body of a loop goes wrong only when that runs. That something cannot be
    staged is told at once.
    """
    try:
        with one_deeper():
            return function(*arguments)
    except Ended:
        return None
    except (Exception, SystemExit) as error:
        if not _belongs_to_the_program(error):
            raise
        raise_later(error)
        return None


def in_order(trace: Trace, function: Callable[..., object], *arguments: object, **keywords: object) -> object:
    """Call a function that is traced; an exception behind others that the graph may raise is the graph's to raise, and
    so is one that tells of values which only the graph has."""
    try:
        return function(*arguments, **keywords)
    except (Exception, SystemExit) as error:
        if not _belongs_to_the_program(error):
            raise
        if not any(node.effect == "write" for node in trace.nodes) and not _tells_of_values(error):
            raise
        raise_later(error)
        raise Ended from None


def _belongs_to_the_program(error: BaseException) -> bool:
    """Whether plain Python would raise the exception too, as far as can be told."""
    if isinstance(error, AutographError | Refuses):
        return False
    if isinstance(error, RecursionError):
        return False
    if raised_by_program(error, OURS):
        return True
    if is_of_closed(error):
        return False
    if isinstance(error, AssertionError | NotImplementedError):
        return False
    return "SymbolicTensor" not in str(error) or "NoneType" in str(error) or "unsupported operand" in str(error)


def _tells_of_values(error: BaseException) -> bool:
    """Whether the arguments of an exception of the user's hold symbolic tensors."""
    kinds = SymbolicTensor | Several
    return raised_by_program(error, OURS) and any(isinstance(part, kinds) for part in nest.flatten(list(error.args)))


def raise_later(error: BaseException) -> None:
    """Have the graph raise an exception; tensors in its arguments are given their values.

    Raises StagingError if the user's code would catch it: what it caught would have to be undone when the graph runs;
    and the refusal of this library's if the exception stands in the place of one.
    """
    not_replaced(error, refused_so_far())
    if isinstance(error, StopIteration | StopAsyncIteration) and not isinstance(error, NoItem):
        raise Uncaught(
            f"{type(error).__name__} is raised only when the graph runs, and whoever iterates would take it for the "
            "end. Use a loop over an index, or a list."
        )
    not_caught(error)
    without_signals(error)
    _raise_with(error, [*error.args], effects.told_by(error, tracing().of_function().handled))


def _raise_with(error: BaseException, arguments: list[Any], attributes: dict[str, Any]) -> None:
    """Have the graph raise an exception with these arguments and attributes."""
    if with_each(functools.partial(_raise_with, error), arguments, attributes, promoted=True) is not NotImplemented:
        return  # one exception for each of several numbers
    values: list[object] = []

    def number(part: object) -> object:
        if isinstance(part, SymbolicTensor):
            values.append(part)
            return Held(len(values) - 1, owner_of(part) if python_numbers.are_numpys else Owner.TENSOR)
        return part

    arguments = [nest.map_structure(number, argument) for argument in arguments]
    attributes = {key: nest.map_structure(number, value) for key, value in attributes.items()}
    template = effects.renewed(error, arguments, effects.filled(attributes, lambda held: held))
    with tracing().at(lambda: _raised_at(error)):
        apply_all(effects.raise_, *values, exception=template, arguments=arguments, attributes=attributes)


def _raised_at(error: BaseException) -> Place | None:
    """The last line of the user's that an exception went through."""
    traceback, place = error.__traceback__, None
    while traceback is not None:
        filename = traceback.tb_frame.f_code.co_filename
        if not filename.startswith(OURS) and not is_installed(filename):
            place = Place(filename, traceback.tb_lineno)
        traceback = traceback.tb_next
    return place


def not_swallowed(refusals: Sequence[Refused]) -> None:
    """Raise the first error of this library's that ended in the user's code: a clause there has caught it, or a
    ``finally`` that jumps, or an ``__exit__``, and the program went on as Python would not; or what the code called
    that is written in C has made another error of it, which was caught.

    What this library itself or another one has caught was theirs to try; but NumPy takes for an answer that something
    is no array (``array_equal``).
    """
    for error, calls in refusals:
        last = error.__traceback__  # its first frame is the last that the error went through
        if last is not None and not last.tb_frame.f_code.co_filename.startswith(OURS):
            filename, line = last.tb_frame.f_code.co_filename, last.tb_lineno
        elif _is_swallowed_in_c(error, calls):
            filename, line = _asked_at(calls, (*OURS, _NUMPY))
        else:
            continue
        if not filename or (is_installed(filename) and not filename.startswith(_NUMPY)):
            continue
        text = linecache.getline(filename, line).strip()
        met = StagingError(str(error)).with_traceback(last) if isinstance(error, Uncaught) else error
        met.add_note(f"  A `try` or `with` hid this while it was traced: {Statement(filename, line, text)}")
        raise met


def not_replaced(error: BaseException, refusals: Sequence[Refused]) -> None:
    """Raise the refusal of this library's in whose place the error was raised: by a clause of the user's, or by what is
    written in C and was called in the same line."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if type(error) in (TypeError, ValueError) and traceback is not None and refusals:
        place = (traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)
        if place == _asked_at(refusals[-1].calls, OURS):
            raise refusals[-1].error from None
    before, seen = error.__context__, set()
    while before is not None and id(before) not in seen:
        seen.add(id(before))
        before = before.__context__
    not_swallowed([refusal for refusal in refusals if id(refusal.error) in seen])


def _asked_at(calls: Sequence[tuple[str, int, str]], libraries: tuple[str, ...]) -> tuple[str, int]:
    """The file and line of the innermost call that none of these libraries made; no file if there is none."""
    return next(((file, line) for file, line, _ in calls if not file.startswith(libraries)), ("", 0))


def _is_swallowed_in_c(error: BaseException, calls: Sequence[tuple[str, int, str]]) -> bool:
    """Whether what asked for a value was not written in Python, and has made something else of the error.

    It ends in the method that raised it then, or has no traceback at all.
    """
    *_, asked = ["", *(name for _, _, name in itertools.takewhile(lambda call: call[0].startswith(OURS), calls))]
    last = error.__traceback__
    return asked in _VALUES and (last is None or last.tb_frame.f_code.co_name == asked)


_VALUES = frozenset(("__hash__", "__index__", "__int__", "__float__", "__complex__"))
_NUMPY = os.path.dirname(np.__file__)


class naming:
    """Says in errors which statement of the user was being staged, and lets no clause of the user's catch a refusal."""

    def __init__(self, variables: Variables) -> None:
        self.statement = variables.statement

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if error is None:
            return
        if isinstance(error, StagingError) and catching(error, OURS, "trace_once") is not None:
            raise Uncaught(str(error)) from None
        if self.statement and self.statement not in str(error):
            error.add_note(f"  {self.statement}")
