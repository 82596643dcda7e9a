"""``while`` and ``for``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Sized
from typing import Any

from autograph import dispatch
from autograph.dispatch import Backend, Variables, attempt_all, backend_of
from autograph.errors import StagingError
from autograph.operators.state import Containers, State, as_users, note, user_statement


def while_stmt(test: Callable[[], Any], body: Callable[[], Any], state: Sequence[str] = ()) -> None:
    """Run `body` while `test()` holds.

    A loop whose test becomes staged during its first turn is staged from its start; one that becomes staged later has
    its first turns unrolled.
    """
    attempt = attempt_all() if dispatch.active else None
    recorded: Sized = attempt.recorded if attempt is not None else ()
    start = mark = len(recorded)
    before: tuple[Any, ...] = ()
    turns = 0
    try:
        value = test()
        if not dispatch.active:
            while value:
                body()
                value = test()
            return
        if (backend := backend_of(value)) is None and value:
            before, turns = State(state, test, body).read(), 1
            body()
            mark = len(recorded)
            value = test()
            if (backend := backend_of(value)) is None:
                turns = 2
                while value:
                    body()
                    mark = len(recorded)
                    value = test()
                    if value is True:
                        continue
                    if (backend := backend_of(value)) is not None:
                        break
    except BaseException as error:
        if (unbound := as_users(error, test, body)) is not None:
            raise unbound from None
        raise
    if backend is None:
        return
    statement, cells = user_statement(1), State(state, test, body)
    if attempt is not None:
        attempt.rewind(mark)
    if turns != 1 or attempt is None:
        _staged_while(backend, test, body, cells, statement)
        return
    attempt.rewind(start)
    cells.write(before)
    try:
        _staged_while(backend, test, body, cells, statement)
    except StagingError:  # the first turn settles what a variable is: keep it out of the loop
        attempt.rewind(start)
        cells.write(before)
        body()
        _staged_while(backend, test, body, cells, statement)


def _staged_while(
    backend: Backend, test: Callable[[], Any], body: Callable[[], Any], cells: State, statement: str
) -> None:
    before = cells.read()
    containers = Containers(cells.names, 2, test, body)

    def run_test(*values: Any) -> Any:
        cells.write(values)
        return test()

    def run_body(*values: Any) -> tuple[Any, ...]:
        cells.write(values)
        body()
        containers.check(statement)
        return cells.read()

    try:
        after = backend.while_loop(run_test, run_body, before, Variables(cells.names, statement))
    except BaseException as error:
        cells.write(before)
        note(error, statement)
        raise
    cells.write(after)


def for_stmt(
    items: Any, body: Callable[[Any], Any], state: Sequence[str] = (), test: Callable[[], Any] | None = None
) -> None:
    """Run ``body(item)`` for each item, as long as `test()`, asked after each turn, holds."""
    backend = backend_of(items)
    if backend is not None:
        _staged_for(backend, items, body, test, State(state, body, test), user_statement(1))
        return
    try:
        if test is None:
            for item in items:
                body(item)
            return
        iterator = iter(items)
        for item in iterator:
            body(item)
            value = test()
            if type(value) is not bool and (backend := backend_of(value)) is not None:
                _masked(backend, iterator, body, test, state, user_statement(1))
                return
            if not value:
                return
    except BaseException as error:
        if (unbound := as_users(error, body, test)) is not None:
            raise unbound from None
        raise


def _staged_for(
    backend: Backend,
    items: Any,
    body: Callable[[Any], Any],
    test: Callable[[], Any] | None,
    cells: State,
    statement: str,
) -> None:
    before = cells.read()
    containers = Containers(cells.names, 2, body)

    def run_test(*values: Any) -> Any:
        assert test is not None
        cells.write(values)
        return test()

    def run_body(item: Any, *values: Any) -> tuple[Any, ...]:
        cells.write(values)
        body(item)
        containers.check(statement)
        return cells.read()

    variables = Variables(cells.names, statement, _parameter(body))
    try:
        after = backend.for_loop(items, run_test if test is not None else None, run_body, before, variables)
    except BaseException as error:
        cells.write(before)
        note(error, statement)
        raise
    cells.write(after)


def _parameter(function: Callable[..., Any]) -> str:
    code = getattr(function, "__code__", None)
    return code.co_varnames[0] if code is not None and code.co_argcount else "item"


def _masked(
    backend: Backend,
    rest: Iterator[Any],
    body: Callable[[Any], Any],
    test: Callable[[], Any],
    state: Sequence[str],
    statement: str,
) -> None:
    """The further turns of a Python loop that a staged ``break`` may end: each runs only if the loop goes on."""
    for item in rest:

        def turn(item: Any = item) -> None:
            body(item)

        cells = State(state, body, test)
        before = cells.read()

        def run(branch: Callable[[], None] | None, cells: State = cells, before: Any = before) -> Any:
            def traced() -> tuple[Any, ...]:
                cells.write([backend.inside(value) for value in before])
                if branch is not None:
                    branch()
                return cells.read()

            return traced

        cells.write(backend.cond(test(), run(turn), run(None), Variables(tuple(state), statement)))
