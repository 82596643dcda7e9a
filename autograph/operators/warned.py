"""``warnings.warn`` in converted code: it names the line that plain Python names, whatever stands between."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any

from autograph.operators.calls import call
from autograph.operators.state import user_frame
from autograph.reading import is_own


def called_from(depth: int, level: int, until: str = "") -> tuple[FrameType | None, int]:
    """The frame of the user's code that is so many calls up, counted from 1, from where an operator was called; None
    where that is behind a frame of the module `until`, or behind all, with how many calls behind it."""
    frame: FrameType | None = user_frame(depth + 1)
    is_call = True
    while frame is not None and (module := frame.f_globals.get("__name__")) != until:
        if not is_own(module):
            level -= is_call
            if level <= 0:
                return frame, 0
            back = frame.f_back and frame.f_back.f_globals.get("__name__")
            is_call = not is_own(back) or back == call.__module__  # else it is a part of a function
        frame = frame.f_back
    return None, level


def warn(message: Any, category: Any = None, stacklevel: int = 1, source: object = None, **others: Any) -> None:
    """``warnings.warn``"""
    if others:
        warnings.warn(message, category, stacklevel, source, **others)
        return
    frame, _ = called_from(1, stacklevel)
    names: dict[str, Any] = vars(sys) if frame is None else frame.f_globals
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    filename, line = ("sys", 1) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
    registry = names.setdefault("__warningregistry__", {})
    warnings.warn_explicit(message, kind, filename, line, names.get("__name__"), registry, source=source)


MEANINGS = [(warnings.warn, warn)]
