"""``if`` and conditional expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.dispatch import Backend, Variables, backend_of
from autograph.operators.state import Containers, State, as_users, user_statement


def if_stmt(
    test: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any] | None = None,
    state: Sequence[str] = (),
    local: Sequence[str] = (),
) -> Any:
    """Run `body` if the test holds, else `orelse`; staged, both are traced and the graph decides.

    `state` names the variables that either may change, `local` those whose change nobody sees afterwards.
    """
    if type(test) is bool or (backend := backend_of(test)) is None:
        try:
            if test:
                return body()
            return orelse() if orelse is not None else None
        except BaseException as error:
            if (unbound := as_users(error, body, orelse)) is not None:
                raise unbound from None
            raise
    return staged_if(backend, test, body, orelse, state, local, user_statement(1))


def staged_if(
    backend: Backend,
    test: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any] | None,
    state: Sequence[str],
    local: Sequence[str],
    statement: str,
) -> Any:
    """Trace both branches from the same state, then leave the variables as the graph will have them."""
    cells, hidden = State(state, body, orelse), State(local, body, orelse)
    before, hidden_before = cells.read(), hidden.read()
    containers = Containers(state, 2, body, orelse)

    def run(branch: Callable[[], Any] | None) -> Callable[[], tuple[Any, ...]]:
        def traced() -> tuple[Any, ...]:
            cells.write([backend.inside(value) for value in before])
            hidden.write([backend.inside(value) for value in hidden_before])
            result = branch() if branch is not None else None
            containers.check(statement)
            return (result, *cells.read())

        return traced

    variables = Variables(("the return value", *state), statement)
    try:
        result, *after = backend.cond(test, run(body), run(orelse), variables)
    except BaseException:
        cells.write(before)
        raise
    finally:
        hidden.write(hidden_before)
    cells.write(after)
    return result


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """``body() if test else orelse()``."""
    if type(test) is bool or (backend := backend_of(test)) is None:
        try:
            return body() if test else orelse()
        except BaseException as error:
            if (unbound := as_users(error, body, orelse)) is not None:
                raise unbound from None
            raise
    variables = Variables(("the conditional expression",), user_statement(1))
    return backend.cond(test, lambda: (body(),), lambda: (orelse(),), variables)[0]
