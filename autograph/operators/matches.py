"""``match``: which case it is, found by Python itself, with the graph asked where a pattern or guard cannot know."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from autograph import dispatch
from autograph.dispatch import Name, Role, Statement
from autograph.operators.branches import staged_if
from autograph.operators.state import as_users, statement_of


def match_case(select: Callable[[Any], int | None], subject: Any, state: Sequence[str] = ()) -> Any:
    """The number of the case, ``select(subject)``, or None; `state` are the names that its patterns bind.

    Where the truth of a staged value is asked for, both answers are followed, and the graph decides between them.
    """
    try:
        if not dispatch.active:
            return select(subject)
        statement = statement_of(select)
        backend = dispatch.backend_of(subject)
        absent = NotImplemented if backend is None else backend.call(operator.is_, (subject, None), {})
        if backend is None or absent is NotImplemented or absent is False:
            return _explored(select, subject, (), state, statement)

        def nothing() -> Any:
            return _explored(select, None, (), state, statement)

        def something() -> Any:
            return _explored(select, subject, (), state, statement)

        return staged_if(backend, absent, nothing, something, state, (), statement, (select,), _CASE)
    except BaseException as error:
        if (unbound := as_users(error, select)) is not None:
            raise unbound from None
        raise


_CASE = Name("the case", Role.RESULT, phrase=True)


def _explored(
    select: Callable[[Any], Any], subject: Any, answers: Sequence[bool], state: Sequence[str], statement: Statement
) -> Any:
    try:
        with dispatch.answering(answers):
            found = select(subject)
    except dispatch.Unanswered as question:
        test = question.value
    else:
        return -1 if found is None else found
    backend = dispatch.backend_of(test)
    assert backend is not None

    def follow(answer: bool) -> Callable[[], Any]:
        return lambda: _explored(select, subject, (*answers, answer), state, statement)

    return staged_if(backend, test, follow(True), follow(False), state, (), statement, (select,), _CASE)
