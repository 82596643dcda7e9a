"""Iterators that a loop has gone on with until the graph decides: nobody may ask them for items afterwards."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from autograph import dispatch
from autograph.dispatch import Statement
from autograph.errors import StagingError
from autograph.operators.fixed import inside

_left: dict[int, tuple[Any, Statement]] = {}
dispatch.when_ended(lambda: [_left.popitem() for _ in range(len(_left))])


def leave(iterator: Any, statement: Statement) -> bool:
    """Remember an iterator that a loop may leave at an item that only the graph knows, and those it takes items from.

    Returns whether none was left so before.
    """
    first = not _left
    waiting = [iterator]
    while waiting:
        part = waiting.pop()
        if hasattr(type(part), "__next__") and id(part) not in _left:
            _left[id(part)] = part, statement
            around = part.gi_frame if type(part) is types.GeneratorType else None
            waiting += [*inside(part), *(around.f_locals.values() if around is not None else ())]
    return first


def check(*values: Any) -> None:
    """Refuse to go on with an iterator that was left so."""
    for value in values if _left else ():
        for part in (value, *inside(value)):
            if id(part) in _left:
                _, statement = _left[id(part)]
                raise StagingError(
                    f"a `break` that only the graph decides may have left a loop over this {type(part).__name__}, so "
                    "only the graph knows what items are left in it. Loop over a list instead, and keep the index "
                    f"with enumerate().\n  {statement}"
                )


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """What to call for a function that may ask its arguments for items."""
    return functools.partial(_called, function) if _left else function


def _called(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
    check(*arguments, *keywords.values())
    return function(*arguments, **keywords)
