"""Clauses of the user's around what is traced: what only the graph raises is out of their reach."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from types import CodeType, FrameType

from autograph.dispatch import Statement
from autograph.errors import StagingError
from autograph.except_clauses import any_clause, catching, caught_unseen, codes_around, codes_of_users
from autograph.operators import questions
from autograph.operators.lists import get_item
from autograph.operators.seen import Seen
from autograph.rules import is_converted_always
from runtime.graph.dtypes import python_numbers
from runtime.graph.errors import InvalidArgumentError
from runtime.tensors.frames import OURS
from runtime.tensors.tensor import Meaning, Tensor
from runtime.tensors.trace import Followed, current, outside_of_functions, ways

import numpy as np  # isort: skip


def _in_a_function() -> bool:
    """Whether what is being traced is a Function's: it does not run within this very call, as that of map_fn does, nor
    is it a graph that a program fills, whose clauses around have been left when it runs."""
    trace = current()
    return not outside_of_functions() and (trace is None or not trace.of_function().is_open)


def not_caught(
    error: BaseException,
    bad: Callable[[], Tensor | None] | None = None,
    softly: bool = False,
    words: Callable[[], object] | None = None,
) -> bool:
    """Refuse an exception that the graph raises and the user's code around would catch.

    Where the function around can be followed with the exception and without, it is raised on the way with it; `bad`
    makes the test that the graph raises it for, if that is known here, and `words` what it says then, if only the graph
    knows that. With `softly` the exception is one that seldom comes: rather than be refused, the function is traced
    with it out of the clause's reach.
    Returns: whether the function is followed without it here, so that the graph need not raise it any more.
    """
    if not _in_a_function() or (not _is_raised_there(error) and _is_of_a_type_of_pythons()):
        return False
    handler = catching(error, OURS, "trace_once")
    if handler is None or (softly and not ways.asks()):
        return False
    question = questions.begin() if bad is not None else 0
    if (known := questions.answered(question)) is not None:
        if known:
            raise error if words is None or not python_numbers.are_numpys else type(error)(Meaning.pythons(words()))
        return True
    codes = codes_around(error, OURS, "trace_once")
    if not all(ways.takes(Followed(code)) for code in itertools.islice(codes, 1)):
        raise _refusal(questions.Uncaught, error, handler)  # the function is traced anew, and both ways are followed
    if question and bad is not None:
        test = None if softly and questions.are_many() else bad()
        if test is not None:
            questions.ask(question, test)
        if softly:
            return False
    for code in codes:
        if not ways.takes(Followed(code)):
            break  # if no operator calls the function itself, one around it has to begin anew
    raise _refusal(questions.Undecided if questions.may_be_asked() else questions.Uncaught, error, handler)


def decided(test: Callable[[], Tensor], refusal: StagingError, known: bool | None = None) -> bool:
    """What only the graph knows, unless it is `known`, and the program has to know at once: the function around is
    followed with either answer. Raises the refusal where it cannot be."""
    question = questions.begin() if _in_a_function() else 0
    if (answer := questions.answered(question)) is not None:
        return answer
    if known is not None:
        return known
    if not _in_a_function():
        raise refusal
    codes = codes_of_users(OURS, "trace_once")
    if not all(ways.takes(Followed(code)) for code in itertools.islice(codes, 1)):
        raise questions.Uncaught(str(refusal))  # the function is traced anew
    if question:
        questions.ask(question, test())
    for code in codes:
        if not ways.takes(Followed(code)):
            break
    raise (questions.Undecided if questions.may_be_asked() else questions.Uncaught)(str(refusal))


def _is_of_a_type_of_pythons() -> bool:
    """Whether this library computes what a dictionary, say, of Python's is in a graph: what it computes with is as it
    has to be, and what it raises in Python's stead it raises itself."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(OURS):
        if is_converted_always(frame.f_globals.get("__name__")):
            return True
        frame = frame.f_back
    return False


def _is_raised_there(error: BaseException) -> bool:
    """Whether it is such a type that raises the exception by a statement of its own, as ``table[key]`` does."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and is_converted_always(last.tb_frame.f_globals.get("__name__"))


def _refusal(kind: type[questions.Uncaught], error: BaseException, handler: Statement) -> questions.Uncaught:
    return kind(
        f"{type(error).__name__} is raised only when the graph runs, and the clause at line {handler.line} would "
        "catch it, which a graph cannot do here. Ask for the condition with `if` instead of catching the exception, or "
        f"leave the `try` out of the function.\n  {handler}"
    )


def is_caught(error: BaseException) -> bool:
    """Whether the user's code around would catch an exception."""
    return _in_a_function() and catching(error, OURS, "trace_once") is not None


def overlooking(error: BaseException) -> Statement | None:
    """The clause of the user's that would catch an exception, if it asks nothing of it."""
    return caught_unseen(error, OURS, "trace_once") if _in_a_function() else None


def is_guarded() -> bool:
    """Whether the user's code around is in functions with clauses."""
    return _in_a_function() and any_clause(OURS, "trace_once")


def may_be_caught() -> bool:
    """Whether the user's code around would catch that an operation of the graph fails."""
    if not is_guarded():
        return False
    return any(catching(error, OURS, "trace_once") is not None for error in _FAILURES)


_FAILURES = (
    ValueError(), IndexError(), np.linalg.LinAlgError(), InvalidArgumentError(""), OverflowError(), TypeError(),
)  # fmt: skip


_IN_ITS_STEAD = (get_item.__code__, Seen.get_item.__code__)  # what asks for an element where the program does
_of_each: set[CodeType] = set()  # what asks each of several values, within such a call or such a method:
_methods: set[CodeType] = {*_IN_ITS_STEAD}


def asks_each(inner: CodeType, method: CodeType) -> None:
    """Know that code asks each of several values for an element, where a method's caller asks for that."""
    _of_each.add(inner)
    _methods.add(method)


def _asks(frame: FrameType | None) -> FrameType | None:
    """Who asks for an element: a frame, or the one in whose stead it does."""
    while frame is not None and (frame.f_code in _methods or frame.f_code in _of_each):
        if frame.f_code in _of_each:
            while frame is not None and frame.f_code not in _methods:
                frame = frame.f_back
        frame = None if frame is None else frame.f_back
    return frame


def indexed(
    bad: Callable[[], Tensor | None] | None = None,
    depth: int = 2,
    what: str = "list",
    words: Callable[[], object] | None = None,
) -> None:
    """Refuse an index that only the graph knows where the user's code would catch that it is out of range.

    `bad` makes the test whether it is. The frame `depth` calls away asks for an element: where that is this library,
    the index is in range, unless the depth is 0. The exception names what the index is out of range of, or has `words`.
    """
    if current() is None:
        return
    frame = _asks(sys._getframe(depth))
    if not depth or frame is None or not frame.f_code.co_filename.startswith(OURS):
        not_caught(IndexError(f"{what} index out of range"), bad, words=words)
