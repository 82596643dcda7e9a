"""What an exception tells that a loop has to leave behind."""

from __future__ import annotations

import pytest

from autograph.errors import StagingError, raise_as_it_is
from autograph.operators.raised import Telling, without_signals

TELLING = Telling(lambda value: False)


def raised(error, context=None):
    error.__context__ = context
    return error


def test_exceptions_are_told_apart_by_all_that_they_tell():
    first, second = ValueError("a", (1, [2])), ValueError("a", (1, [3]))
    assert TELLING.likeness(first) == TELLING.likeness(ValueError("a", (1, [2])))
    assert TELLING.likeness(first) != TELLING.likeness(second) != TELLING.likeness(TypeError("a", (1, [3])))
    assert TELLING.likeness(raised(ValueError("a"), KeyError(1))) != TELLING.likeness(ValueError("a"))


def test_what_is_not_staged_stays_the_same():
    error = ValueError("a", [1])
    argument = error.args[1]
    assert TELLING.staged_parts(error) == []
    assert TELLING.tell(error, iter(())).args[1] is argument


def test_signals_of_this_library_are_no_contexts():
    last = KeyError(1)
    error = raised(ValueError(2), raised(StagingError("ours"), last))
    error.__suppress_context__ = True
    without_signals(error)
    assert error.__context__ is last and error.__suppress_context__


def test_an_exception_keeps_its_context_and_what_is_handled_comes_before_that():
    context, handled = KeyError("context"), TypeError("handled")
    with pytest.raises(ValueError) as caught:
        try:
            raise handled
        except TypeError:
            raise_as_it_is(raised(ValueError("it"), context))
    assert caught.value.__context__ is context and context.__context__ is handled
    alone = ValueError("alone")
    with pytest.raises(ValueError) as caught:
        raise_as_it_is(alone)
    assert caught.value.__context__ is None
