"""``if`` and conditional expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.dispatch import RETURN_VALUE, Backend, Name, Role, Statement, backend_of
from autograph.operators import questions
from autograph.operators.effects import Effects
from autograph.operators.mutations import Mutations
from autograph.operators.plain import Staged
from autograph.operators.protocols import truth_of
from autograph.operators.state import State, as_local, as_users, note, statement_of, user_statement, with_returns


def if_stmt(
    test: object,
    body: Callable[[], object],
    orelse: Callable[[], object] | None = None,
    state: Sequence[str] = (),
    local: Sequence[str] = (),
    returns: Sequence[str | None] = (),
) -> object:
    """Run `body` if the test holds, else `orelse`; staged, both are traced and the graph decides.

    `state` names the variables that either may change, `local` those whose change nobody sees afterwards, `returns`
    those more that a ``return`` was turned into: a flag and a value, and perhaps more such pairs.
    """
    if type(test) is not bool:
        test = truth_of(test)
    if type(test) is bool or (backend := backend_of(test)) is None:
        try:
            chosen = body if test else orelse
            return questions.followed(chosen, state, returns)() if chosen is not None else None
        except BaseException as error:
            if (unbound := as_users(error, body, orelse)) is not None:
                raise unbound from None
            raise
    return staged_if(backend, test, body, orelse, with_returns(state, returns), local, user_statement(1))


def if_chain(
    arms: Sequence[tuple[Callable[[], object], Callable[[], object]]],
    orelse: Callable[[], object] | None = None,
    state: Sequence[str] = (),
    local: Sequence[str] = (),
    staged: Staged | None = None,
    returns: Sequence[str | None] = (),
) -> object:
    """``if``, ``elif`` …: run the body of the first arm (test and body) whose test holds, else `orelse`.

    With `staged`, the tests before that arm were false, and its own is known.
    """
    start = 0 if staged is None else staged.arm
    for index, (test, body) in enumerate(arms[start:], start):
        try:
            value = staged.value if staged is not None and index == start else truth_of(test())
            if type(value) is bool or (backend := backend_of(value)) is None:
                if value:
                    return questions.followed(body, state, returns)()
                continue
        except BaseException as error:
            if (unbound := as_users(error, test, body)) is not None:
                raise unbound from None
            raise
        rest = arms[index + 1 :]

        def otherwise(rest: Any = rest) -> object:
            return if_chain(rest, orelse, state, local, returns=returns)

        functions = [body, *(f for arm in rest for f in arm), orelse]
        following = otherwise if rest else orelse
        names = with_returns(state, returns)
        return staged_if(backend, value, body, following, names, local, statement_of(test), functions)
    try:
        return questions.followed(orelse, state, returns)() if orelse is not None else None
    except BaseException as error:
        if (unbound := as_users(error, orelse)) is not None:
            raise unbound from None
        raise


def staged_if(
    backend: Backend,
    test: object,
    body: Callable[[], object],
    orelse: Callable[[], object] | None,
    state: Sequence[str],
    local: Sequence[str],
    statement: Statement,
    functions: Sequence[Callable[..., object] | None] = (),
    result: Name = RETURN_VALUE,
    variables: Sequence[tuple[str, object]] = (),
) -> object:
    """Trace both branches from the same state, then leave the variables as the graph will have them.

    `functions` are those in whose cells the variables are, if not the branches themselves; `result` is what to call
    what the branches return; `variables` are what else they may change, which the functions may not lead to.
    """
    question = questions.begin()
    if (known := questions.answered(question)) is not None:
        chosen = body if known else orelse
        return chosen() if chosen is not None else None
    functions = functions or (body, orelse)
    cells, hidden = State(state, *functions), State(local, *functions)
    before, hidden_before = cells.read(), hidden.read()
    names: list[str] = [result, *state]
    mutations = Mutations(functions, [*cells.variables(), *hidden.variables()], variables=variables)
    effects = Effects(names, mutations, statement, getattr(backend, "lists_grow", False))
    sides: list[list[object]] = []

    def run(branch: Callable[[], object] | None) -> Callable[[], list[object]]:
        def traced() -> list[object]:
            left: list[object] = []
            try:
                with effects.mutations.closed():
                    left.append(questions.followed(branch, state)() if branch is not None else None)
                left += cells.read()
                sides.append(left)
            except NameError as error:
                raise as_local(error) from None
            finally:
                cells.write(before)
                hidden.write(hidden_before)
                changed = effects.leave()
                if sides and sides[-1] is left:
                    left += changed
                for side in sides:  # what one branch has changed, the other leaves as it was
                    side += [place.before for place in effects.places[len(side) - 1 - len(before) :]]
            return left

        return traced

    try:
        with questions.asking(question, test):
            value, *after = backend.cond(test, run(body), run(orelse), effects.variables())
    except BaseException as error:
        note(error, statement)
        raise
    cells.write(after[: len(before)])
    effects.finish(after[len(before) :], cells.places)
    return value


def if_exp(test: object, body: Callable[[], object], orelse: Callable[[], object]) -> object:
    """``body() if test else orelse()``."""
    if type(test) is not bool:
        test = truth_of(test)
    if type(test) is bool or (backend := backend_of(test)) is None:
        try:
            return body() if test else orelse()
        except BaseException as error:
            if (unbound := as_users(error, body, orelse)) is not None:
                raise unbound from None
            raise
    return staged_if(backend, test, body, orelse, (), (), user_statement(1), result=_EXPRESSION)


_EXPRESSION = Name("the conditional expression", Role.RESULT, phrase=True)
