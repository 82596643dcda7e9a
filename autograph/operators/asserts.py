"""``assert``."""

from __future__ import annotations

from collections.abc import Callable

from autograph.dispatch import backend_of
from autograph.operators import questions
from autograph.operators.protocols import truth_of
from autograph.operators.state import as_users, user_statement


def assert_stmt(test: object, message: Callable[[], object] | None = None) -> None:
    """``assert test, message()``; staged, the graph checks it when it runs."""
    if type(test) is not bool:
        test = truth_of(test)
    backend = None if type(test) is bool else backend_of(test)
    if backend is not None:
        question = questions.begin()
        known = questions.answered(question)
        if known is None:
            with questions.asking(question, test):
                backend.assert_(test, message, user_statement(1))
            return
        test = known
    if not test:
        if message is None:
            raise AssertionError
        try:
            text = message()
        except BaseException as error:
            if (unbound := as_users(error, message)) is not None:
                raise unbound from None
            raise
        raise AssertionError(text)
