"""Clauses of the user's around what is traced: what only the graph raises is out of their reach."""

from __future__ import annotations

import sys

from autograph.dispatch import Signal
from autograph.errors import Refuses
from autograph.except_clauses import any_clause, catching
from runtime.graph.errors import InvalidArgumentError
from runtime.tensors.frames import OURS
from runtime.tensors.trace import current, outside_of_functions

import numpy as np  # isort: skip


class Refusal(Refuses, Signal):
    """A `StagingError` that the user's code must not catch on its way out of the trace."""


def not_caught(error: BaseException) -> None:
    """Refuse an exception that the graph raises and the user's code around would catch."""
    if outside_of_functions():  # what is traced runs within this very call, as of map_fn, or is only looked at
        return
    handler = catching(error, OURS, "trace_once")
    if handler is not None:
        raise Refusal(
            f"{type(error).__name__} is raised only when the graph runs, and the clause at line {handler.line} would "
            "catch it, which a graph cannot do. Ask for the condition with `if` instead of catching the exception, or "
            f"leave the `try` out of the function.\n  {handler}"
        )


def may_be_caught() -> bool:
    """Whether the user's code around would catch that an operation of the graph fails."""
    if outside_of_functions() or not any_clause(OURS, "trace_once"):
        return False
    return any(catching(error, OURS, "trace_once") is not None for error in _FAILURES)


_FAILURES = (ValueError(), IndexError(), np.linalg.LinAlgError(), InvalidArgumentError(""), OverflowError())


def indexed(depth: int = 2) -> None:
    """Refuse an index that only the graph knows where the user's code would catch that it is out of range.

    The frame `depth` calls away asks for an element: where that is this library, the index is in range.
    """
    if current() is not None and not sys._getframe(depth).f_code.co_filename.startswith(OURS):
        not_caught(IndexError())
