"""``while`` and ``for``."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence, Sized
from typing import Any

from autograph import dispatch
from autograph.dispatch import Backend, Name, Role, Statement, attempt_all, backend_of
from autograph.errors import StagingError
from autograph.operators import calls, spent
from autograph.operators.branches import staged_if
from autograph.operators.effects import Effects
from autograph.operators.heap import Heap
from autograph.operators.items import Items, with_steps
from autograph.operators.state import State, as_local, as_users, note, user_statement, with_returns


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], Any],
    state: Sequence[str] = (),
    returns: Sequence[str | None] = (),
) -> None:
    """Run `body` while `test()` holds; `returns` are the names of what a ``return`` was turned into.

    A loop whose test becomes staged during its first turn is staged from its start; one that becomes staged later has
    its first turns unrolled.
    """
    attempt = attempt_all() if dispatch.active else None
    recorded: Sized = attempt.recorded if attempt is not None else ()
    start = len(recorded)
    turns = 0
    try:
        if attempt is not None:
            cells = State(with_returns(state, returns), test, body)
            before, heap = cells.read(), Heap((test, body), cells.variables(), restores=True)
        value = test()
        if not dispatch.active:
            while value:
                body()
                value = test()
            return
        backend = None
        while value is True or ((backend := backend_of(value)) is None and value):
            turns += 1
            body()
            value = test()
    except BaseException as error:
        if (unbound := as_users(error, test, body)) is not None:
            raise unbound from None
        raise
    if backend is None:
        return
    statement = user_statement(1)
    if attempt is None:
        _staged_while(backend, test, body, State(with_returns(state, returns), test, body), statement)
    elif turns > 1:
        _tested_late(backend, value, test, body, cells, statement)
    else:
        attempt.rewind(start)
        cells.write(before)
        try:
            heap.restore(statement)
            _staged_while(backend, test, body, cells, statement)
        except StagingError:  # the first turn settles what a variable is: keep it out of the loop
            if not turns:
                raise
            attempt.rewind(start)
            cells.write(before)
            test()
            body()
            _staged_while(backend, test, body, cells, statement)


class _Parts:
    """The parts of a staged loop, each run from a given state; what they change is found, and put back after each."""

    def __init__(self, cells: State, functions: Sequence[Callable[..., Any] | None], statement: Statement) -> None:
        self.cells = cells
        self.names = list(cells.names)
        self.before = cells.read()
        self.own = list(self.before)
        self.effects = Effects(self.names, Heap(functions, cells.variables()), statement)

    def run(self, part: Callable[..., Any], values: Sequence[Any], *arguments: Any) -> tuple[Any, list[Any]]:
        """What a part returns when the state has these values, and the state after it."""
        count = len(self.own)
        after: list[Any] = []
        try:
            self.cells.write(values[:count])
            self.effects.enter(values[count:])
            with self.effects.heap.closed():
                result = part(*arguments)
            after += self.cells.read()
        except NameError as error:
            raise as_local(error) from None
        finally:
            self.cells.write(self.own)
            changed = self.effects.leave()
            self.before += [place.before for place in self.effects.places[len(self.before) - count :]]
        return result, after + changed

    def finish(self, values: Sequence[Any]) -> None:
        """Leave the state as the loop will have left it."""
        self.cells.write(values[: len(self.own)])
        self.effects.finish(values[len(self.own) :], self.cells.places)


def _staged_while(
    backend: Backend, test: Callable[[], Any], body: Callable[[], Any], cells: State, statement: Statement
) -> None:
    parts = _Parts(cells, (test, body), statement)

    def run_test(*values: Any) -> Any:
        result, after = parts.run(lambda: _truth(test()), values)
        if any(a is not b for a, b in zip(after, [*values, *parts.before[len(values) :]])):
            raise _TestHasEffects
        return result

    def run_body(*values: Any) -> list[Any]:
        return parts.run(body, values)[1]

    try:
        try:
            after = backend.while_loop(run_test, run_body, parts.before, parts.effects.variables())
        except _TestHasEffects:
            _tested_late(backend, test(), test, body, cells, statement)
            return
    except BaseException as error:
        note(error, statement)
        raise
    parts.finish(after)


def _truth(value: Any) -> Any:
    """What a test says; of what may change, as long as it is what it was when it was asked."""
    backend = backend_of(value)
    if backend is None:
        return bool(value)
    result = backend.call(bool, (value,), {})
    return value if result is NotImplemented else result


class _TestHasEffects(Exception):
    """The test of a loop changes variables."""


def _tested_late(
    backend: Backend, first: Any, test: Callable[[], Any], body: Callable[[], Any], cells: State, statement: Statement
) -> None:
    """A loop whose test has been made already (`first`), as it may change the state; then it ends each turn."""
    parts = _Parts(cells, (test, body), statement)

    def turn() -> Any:
        body()
        return _truth(test())

    def run_test(go_on: Any, *_: Any) -> Any:
        return go_on

    def run_body(_: Any, *values: Any) -> list[Any]:
        try:
            result, after = parts.run(turn, values)
        finally:
            state[1:], names[1:] = parts.before, parts.names
        return [result, *after]

    state, names = [first, *parts.before], [_TEST, *parts.names]
    variables = parts.effects.variables(names)
    after = backend.while_loop(run_test, run_body, state, variables)
    parts.finish(after[1:])


_TEST = Name("the test of the loop", Role.RESULT, phrase=True)


def for_stmt(
    items: Any,
    body: Callable[[Any], Any],
    state: Sequence[str] = (),
    test: Callable[[], Any] | None = None,
    functions: Sequence[Callable[..., Any]] = (),
    returns: Sequence[str | None] = (),
) -> None:
    """Run ``body(item)`` for each item, as long as `test()`, asked after each turn, holds.

    `returns` are the names of what a ``return`` was turned into; `functions` are those in whose cells the variables
    are, if not the body itself.
    """
    functions = functions or (body,)
    if type(items) is Items and dispatch.active and items.is_whole():
        for_stmt(items.source, with_steps(items, body), state, test, (body,), returns)
        return
    backend = backend_of(items)
    if dispatch.active:
        spent.check(items)
    if backend is not None:
        cells = State(with_returns(state, returns), *functions, test)
        _staged_for(backend, items, body, test, cells, user_statement(1))
        return
    try:
        if test is None:
            for item in items:
                body(item)
            return
        iterator = iter(items)
        while True:
            try:
                item = next(iterator)  # a `for` over it would ask it for an iterator again
            except StopIteration:
                return
            body(item)
            value = test()
            if type(value) is not bool and (backend := backend_of(value)) is not None:
                names = with_returns(state, returns)
                _masked(backend, iterator, body, test, names, user_statement(1), (*functions, test))
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
    statement: Statement,
) -> None:
    parts = _Parts(cells, (body, test, items), statement)

    def run_test(*values: Any) -> Any:
        assert test is not None
        return parts.run(test, values)[0]

    def run_body(item: Any, *values: Any) -> list[Any]:
        return parts.run(body, values, item)[1]

    variables = parts.effects.variables(item=_parameter(body))
    try:
        after = backend.for_loop(items, run_test if test is not None else None, run_body, parts.before, variables)
    except BaseException as error:
        note(error, statement)
        raise
    parts.finish(after)


def _parameter(function: Callable[..., Any]) -> str:
    code = getattr(function, "__code__", None)
    return code.co_varnames[0] if code is not None and code.co_argcount else "item"


_MOST_TURNS = 500  # of a loop over an iterator that does not tell its length


def _masked(
    backend: Backend,
    rest: Iterator[Any],
    body: Callable[[Any], Any],
    test: Callable[[], Any],
    state: Sequence[str],
    statement: Statement,
    functions: Sequence[Callable[..., Any]],
) -> None:
    """The further turns of a Python loop that a staged ``break`` may end: each runs only if the loop goes on."""
    if spent.leave(rest, statement):
        calls.forget()  # what is known to need no conversion may have to be checked
    endless = operator.length_hint(rest, -1) < 0
    number = -1
    while True:
        number += 1
        try:
            item = next(rest)
        except StopIteration:
            return
        if endless and number > _MOST_TURNS:
            raise StagingError(
                f"only the graph knows when to leave this loop, and its items may have no end: {number} turns were "
                f"traced. Use `while`, or a range().\n  {statement}"
            )

        def turn(item: Any = item) -> None:
            body(item)

        staged_if(backend, test(), turn, None, state, (), statement, functions)
