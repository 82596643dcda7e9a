"""``match``: which case it is, found by Python itself, with the graph asked where a pattern or guard cannot know."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from autograph import dispatch
from autograph.dispatch import Name, Role, Statement
from autograph.operators.attempts import take_back
from autograph.operators.branches import staged_if
from autograph.operators.loops import truth
from autograph.operators.mutations import Mutations
from autograph.operators.state import as_users, statement_of
from autograph.reading import is_exactly


def match_case(select: Callable[[object], int | None], subject: Any, state: Sequence[str] = ()) -> object:
    """The number of the case, ``select(subject)``, or None; `state` are the names that its patterns bind.

    Where the truth of a staged value is asked for, both answers are followed, and the graph decides between them.
    """
    try:
        if not dispatch.active:
            return select(subject)
        return _chosen(select, subject, state, statement_of(select))
    except BaseException as error:
        if (unbound := as_users(error, select)) is not None:
            raise unbound from None
        raise


def alternatives(value: object) -> Sequence[tuple[object, object]]:
    """What a value may be, as only the graph knows, where it may be a structure: the tests for each, and these."""
    return ()


def _chosen(select: Callable[[object], int | None], subject: Any, state: Sequence[str], statement: Statement) -> object:
    """The case for whichever structure the subject, or a part of it, is: a pattern of Python's cannot ask."""
    is_sequence = is_exactly(subject, tuple, list)
    parts = [*subject] if is_sequence else [subject]
    for number, part in enumerate(parts):
        backend = dispatch.backend_of(part)
        found: Any = () if backend is None else backend.call(alternatives, (part,), {})
        if backend is None or found is NotImplemented or not found:
            continue

        def rest(waiting: Any, number: int = number, backend: dispatch.Backend = backend) -> object:
            (test, option), *others = waiting
            known = type(subject)([*parts[:number], option, *parts[number + 1 :]]) if is_sequence else option
            this = functools.partial(_chosen, select, known, state, statement)
            if not others:
                return this()
            another = functools.partial(rest, others)
            return staged_if(backend, test, this, another, state, (), statement, (select, subject), _CASE)

        return rest(found)
    return _asked(select, subject, parts, 0, state, statement)


def _asked(
    select: Callable[[object], int | None], subject: Any, parts: list[object], done: int, state: Sequence[str],
    statement: Statement,
) -> object:  # fmt: skip
    """The case, once the graph was asked of each part of the subject whether it is None, or True or False where a case
    names these: a pattern of Python's cannot ask. So many questions have been `done`."""
    singletons = _singletons(select)
    for number in range(done, len(parts) * len(singletons)):
        index, wanted = number // len(singletons), singletons[number % len(singletons)]
        backend = dispatch.backend_of(parts[index])
        found = NotImplemented if backend is None else backend.call(operator.is_, (parts[index], wanted), {})
        if backend is None or found is NotImplemented or found is False:
            continue
        others = [*parts[:index], wanted, *parts[index + 1 :]]
        known = wanted if parts[0] is subject else type(subject)(others)

        def this() -> object:
            return _asked(select, known, others, number + 1, state, statement)  # noqa: B023 (it is called at once)

        def another() -> object:
            return _asked(select, subject, parts, number + 1, state, statement)  # noqa: B023

        return staged_if(backend, found, this, another, state, (), statement, (select, subject), _CASE)
    return _explored(select, subject, (), state, statement)


def _singletons(select: Callable[[object], int | None]) -> list[object]:
    constants = getattr(select, "__code__").co_consts  # noqa: B009 (what it is was not asked)
    return [None, *(truth for truth in (True, False) if any(constant is truth for constant in constants))]


_CASE = Name("the case", Role.RESULT, phrase=True)


def _explored(
    select: Callable[[object], object],
    subject: Any,
    answers: Sequence[bool],
    state: Sequence[str],
    statement: Statement,
) -> object:
    mutations, attempt = Mutations((select, subject), restores=True), dispatch.attempt_all()
    start = len(attempt.recorded) if attempt is not None else 0
    try:
        with dispatch.answering(answers):
            found = select(subject)
    except dispatch.Unanswered as question:
        test = question.value
    else:
        return -1 if found is None else found
    backend = dispatch.backend_of(test)
    assert backend is not None
    test = truth(test)  # as it is now
    take_back(mutations, attempt, start, statement, _ACTS)

    def follow(answer: bool) -> Callable[[], object]:
        return lambda: _explored(select, subject, (*answers, answer), state, statement)

    return staged_if(backend, test, follow(True), follow(False), state, (), statement, (select, subject), _CASE)


_ACTS = (
    "a guard or pattern that only the graph can decide draws a random number, calls Python or writes a "
    "Variable, which would happen more than once: each answer is followed from the beginning of the match. Do it "
    "before the match, or write it with if and elif.\n  {}"
)
