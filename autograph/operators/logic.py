"""``and``, ``or``, ``not`` and chained comparisons, as lazy as Python's."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autograph.dispatch import Backend, Variables, backend_of
from autograph.operators.state import as_users, user_statement

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def and_(value: Any, *rest: Callable[[], Any]) -> Any:
    """``value and rest[0]() and …``: the first operand that is false, or the last."""
    for index, thunk in enumerate(rest):
        if type(value) is not bool and (backend := backend_of(value)) is not None:
            return _staged("and", backend, value, rest[index:], user_statement(1))
        if not value:
            return value
        try:
            value = thunk()
        except BaseException as error:
            if (unbound := as_users(error, thunk)) is not None:
                raise unbound from None
            raise
    return value


def or_(value: Any, *rest: Callable[[], Any]) -> Any:
    """``value or rest[0]() or …``: the first operand that is true, or the last."""
    for index, thunk in enumerate(rest):
        if type(value) is not bool and (backend := backend_of(value)) is not None:
            return _staged("or", backend, value, rest[index:], user_statement(1))
        if value:
            return value
        try:
            value = thunk()
        except BaseException as error:
            if (unbound := as_users(error, thunk)) is not None:
                raise unbound from None
            raise
    return value


def _staged(word: str, backend: Backend, value: Any, rest: tuple[Callable[[], Any], ...], statement: str) -> Any:
    variables = Variables((f"an operand of '{word}'",), statement)
    join = and_ if word == "and" else or_

    def other() -> tuple[Any]:
        return (join(rest[0](), *rest[1:]),)

    def same() -> tuple[Any]:
        return (value,)

    branches = (other, same) if word == "and" else (same, other)
    return backend.cond(value, *branches, variables)[0]


def not_(value: Any) -> Any:
    """``not value``."""
    if type(value) is bool or (backend := backend_of(value)) is None:
        return not value
    return backend.not_(value)


def chain(left: Any, *links: tuple[str, Callable[[], Any]]) -> Any:
    """``left < middle() < right()``: each operand made once, and only if the comparisons before it hold."""
    (symbol, thunk), *more = links
    try:
        right = thunk()
    except BaseException as error:
        if (unbound := as_users(error, thunk)) is not None:
            raise unbound from None
        raise
    first = _COMPARISONS[symbol](left, right)
    return and_(first, lambda: chain(right, *more)) if more else first
