"""What loaded code asks before it runs a statement as plain Python, in place."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import NamedTuple

from autograph import dispatch
from autograph.dispatch import by_type
from autograph.errors import StagingError
from autograph.operators import spent
from autograph.operators.counted import as_counted
from autograph.operators.items import Items, stands_in
from autograph.operators.protocols import says_truth, truth_of
from autograph.operators.ranges import may_repeat
from autograph.operators.state import hide_frame, user_statement

# Types of Python's whose truth is known while tracing; a class need not be hashable.
ORDINARY = dispatch.kinds(bool, int, float, str, bytes, type(None), list, tuple, dict, set, frozenset)


def is_staged(value: object) -> bool:
    """Whether a staged value decides."""
    if not dispatch.active or (kind := id(type(value))) in ORDINARY:
        return False
    if spent.left:
        spent.check(value)
    if by_type.get(kind, 0) is not None and dispatch.backend_of(value) is not None:
        return True
    return type(value) is Items and not value.is_counted()


def is_repeated(items: object) -> bool:
    """Whether a loop over this is one for the operator: staged values decide, or the graph may have to repeat it."""
    known = may_repeat(items) or as_counted(items) is not None
    return known or is_staged(items) or (dispatch.active > 0 and stands_in(items))


def is_asked(value: object) -> bool:
    """Whether a staged value decides, or an object of the user's says itself whether it is true."""
    return dispatch.active > 0 and (is_staged(value) or says_truth(value))


class Staged(NamedTuple):
    """The test of an ``elif`` that a staged value decides, and which arm it belongs to."""

    value: object
    arm: int


def decided(value: object, arm: int | None = None) -> object:
    """The truth of an ordinary value as a bool; a staged value as it is, or together with its `arm`."""
    if id(type(value)) in ORDINARY:
        return bool(value)
    if dispatch.active:
        value = truth_of(value)
        if type(value) is bool:
            return value
        staged = spent.left or by_type.get(id(type(value)), 0) is not None or type(value) is Items
    else:
        staged = False
    if staged and is_staged(value):
        return value if arm is None else Staged(value, arm)
    try:
        return bool(value)
    except BaseException as error:
        hide_frame(error)
        raise


def settled(parameters: dict[str, object]) -> None:
    """Check that it is known of arguments whether they are None.

    Raises StagingError if only the graph knows.
    """
    for name, value in parameters.items():
        backend = dispatch.backend_of(value)
        if backend is not None and dispatch.backend_of(backend.call(operator.is_, (value, None), {})) is not None:
            raise StagingError(
                f"'{name}' is None only in some runs of the graph, and whether a default stands in for it is decided "
                f"while tracing. Bind it to another variable first (`given = {name}`).\n  {user_statement(1)}"
            )


def listed(variables: dict[str, object], generated: Sequence[str]) -> list[str]:
    """The names of a frame's variables, as ``dir()`` has them, less those that the compiler made."""
    return sorted(visible(variables, generated))


def visible(variables: dict[str, object], generated: Sequence[str]) -> dict[str, object]:
    """The variables of a frame, ``locals()``, less those that the compiler made."""
    for name in generated:
        variables.pop(name, None)
    return variables
