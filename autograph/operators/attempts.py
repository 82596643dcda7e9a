"""Exceptions that only the graph knows to be raised, and that a clause of the program's catches.

A graph cannot go back to an ``except`` clause. So the function around the clause is followed twice from its beginning,
once with the exception raised while tracing, for Python itself to catch, and once without; the graph decides between
what the two leave.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MethodType

from autograph import dispatch
from autograph.dispatch import Statement
from autograph.errors import StagingError
from autograph.operators.branches import staged_if
from autograph.operators.loops import truth
from autograph.operators.mutations import Mutations, codes_in
from autograph.operators.questions import Way, outlined
from autograph.operators.state import State, note, statement_of

_MOST = 64  # ways through a function


def follow(
    function: Callable[..., object],
    state: Sequence[str] | None,
    functions: Sequence[Callable[..., object]],
    /,
    *arguments: object,
    **keywords: object,
) -> object:
    """What the function returns, whichever way it takes when the graph runs."""
    if dispatch.attempt_all() is None:
        return function(*arguments, **keywords)
    function = function if state is not None else outlined(function)
    state = [name for name in state or () if any(_has(one, name) for one in functions)]
    given = _named(function, arguments) + [*keywords.items()]
    ways = set[frozenset[tuple[int, bool]]]()

    def explored(answers: Mapping[int, bool]) -> object:
        attempt = dispatch.attempt_all()
        assert attempt is not None
        start = len(attempt.recorded)
        mutations, cells = Mutations((function,), restores=True, variables=given), State(state, *functions)
        before, way = cells.read(), Way(attempt.recorded, answers)
        try:
            with way.followed():
                result = function(*arguments, **keywords)
        except BaseException:
            if way.open is None:
                raise
        if way.open is None:
            return result
        number, test = way.open[0], truth(way.open[1])
        statement = statement_of(function)
        backend = dispatch.backend_of(test)
        ways.add(frozenset(answers.items()))
        if len(ways) == _MOST:
            raise StagingError(_MANY.format(statement))
        cells.write(before)
        take_back(mutations, attempt, start, statement, _ACTS)
        if backend is None:  # as it turns out, it is known
            return explored({**answers, number: bool(test)})

        def way_with(answer: bool) -> Callable[[], object]:
            return lambda: explored({**answers, number: answer})

        return staged_if(
            backend, test, way_with(True), way_with(False), state, (), statement, functions, variables=given
        )

    return explored({})


def _has(function: Callable[..., object], name: str) -> bool:
    """Whether a variable of a statement is one of this function, be it of the module's: others may have it alone."""
    code = getattr(function, "__code__", None)
    return code is not None and (name in code.co_freevars or any(name in one.co_names for one in codes_in(code)))


def take_back(
    mutations: Mutations, attempt: dispatch.Attempt | None, start: int, statement: Statement, acts: str
) -> None:
    """Have everything as it was, for both answers to a question to be followed from the beginning.

    Raises StagingError, by the template `acts`, if what was recorded since the start must not be done again.
    """
    if attempt is not None:
        attempt.silence(start)  # it is shown on the way that is gone
        if attempt.acted(start):
            raise StagingError(acts.format(statement))
    try:
        mutations.restore(statement)
    except StagingError as error:
        note(error, statement)
        raise


def _named(function: Callable[..., object], arguments: Sequence[object]) -> list[tuple[str, object]]:
    """Arguments by the names of the parameters: what is returned may be one of them."""
    own = [function.__self__] if isinstance(function, MethodType) else []
    names = function.__code__.co_varnames
    values = [*own, *arguments]
    return [(names[n] if n < len(names) else f"argument {n}", value) for n, value in enumerate(values)]


_MANY = (
    "exceptions that only the graph knows to be raised, and that are caught here, lead to more than "
    f"{_MOST} ways through this. Ask for a condition with `if` instead, or put a part of the `try` into a function of "
    "its own.\n  {}"
)
_ACTS = (
    "an exception that only the graph knows to be raised is caught behind something that draws a random number, "
    "calls Python or writes a Variable, which would happen more than once: the function is followed from its "
    "beginning with the exception and without. Put the `try` into a function of its own, or ask for the condition with "
    "`if`.\n  {}"
)
