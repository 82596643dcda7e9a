"""``finally`` clauses that jump."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from autograph import dispatch
from autograph.dispatch import backend_of
from autograph.operators.branches import staged_if
from autograph.operators.caught import caught
from autograph.operators.state import as_users, user_statement


class finally_:
    """``with finally_(body): …`` runs `body` in the end, which tells whether it jumps: then no exception goes on.

    Where only the graph knows that, it raises the exception if the clause does not jump.
    """

    def __init__(self, body: Callable[[], object]) -> None:
        self.body = body

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, traceback: TracebackType | None) -> bool:
        if isinstance(error, dispatch.Signal):
            return False  # it is no exception of the program
        try:
            jumps = self.body()
        except BaseException as raised:
            if (unbound := as_users(raised, self.body)) is not None:
                raise unbound from None
            raise
        if error is None:
            return False
        backend = backend_of(jumps)
        if backend is not None or jumps:
            caught(error)
        if backend is None:
            return bool(jumps)

        def goes_on() -> None:
            raise error

        staged_if(backend, jumps, lambda: None, goes_on, (), (), user_statement(1))
        return True
