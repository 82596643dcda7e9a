"""What loaded code asks before it runs a statement as plain Python, in place."""

from __future__ import annotations

from typing import Any

from autograph import dispatch
from autograph.operators.state import hide_frame


def is_staged(value: Any) -> bool:
    """Whether a staged value decides."""
    return bool(dispatch.active) and dispatch.backend_of(value) is not None


def decided(value: Any) -> Any:
    """The truth of an ordinary value as a bool; a staged value as it is."""
    if is_staged(value):
        return value
    try:
        return bool(value)
    except BaseException as error:
        hide_frame(error)
        raise
