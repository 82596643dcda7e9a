"""What loaded code asks before it runs a statement as plain Python, in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from autograph import dispatch
from autograph.operators.items import Items
from autograph.operators.state import hide_frame


def is_staged(value: Any) -> bool:
    """Whether a staged value decides."""
    return bool(dispatch.active) and (dispatch.backend_of(value) is not None or type(value) is Items)


class Staged(NamedTuple):
    """The test of an ``elif`` that a staged value decides, and which arm it belongs to."""

    value: Any
    arm: int


def decided(value: Any, arm: int | None = None) -> Any:
    """The truth of an ordinary value as a bool; a staged value as it is, or together with its `arm`."""
    if is_staged(value):
        return value if arm is None else Staged(value, arm)
    try:
        return bool(value)
    except BaseException as error:
        hide_frame(error)
        raise


def visible(variables: dict[str, Any], generated: Sequence[str]) -> dict[str, Any]:
    """The variables of a frame, ``locals()``, less those that the compiler made."""
    for name in generated:
        variables.pop(name, None)
    return variables
