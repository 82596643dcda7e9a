"""Text with values in it."""

from __future__ import annotations

import operator
from typing import Any

from autograph import dispatch
from autograph.operators.state import hide_frame


def text(template: str, *values: Any) -> Any:
    """``template.format(*values)``; made by the graph if a value is staged."""
    return made(str.format, template, *values)


def percent(template: str, values: Any) -> Any:
    """``template % values``."""
    return made(operator.mod, template, values)


def made(function: Any, template: str, *values: Any, **keywords: Any) -> Any:
    """What a function of Python's makes of a text and values; made by the graph if a value is staged."""
    try:
        if dispatch.active:
            parts: list[Any] = []
            for value in (*values, *keywords.values()):
                parts += (
                    value.values() if isinstance(value, dict) else value if isinstance(value, tuple | list) else [value]
                )
            backend = dispatch.staged_in(parts)
            result = NotImplemented if backend is None else backend.call(function, (template, *values), keywords)
            if result is not NotImplemented:
                return result
        return function(template, *values, **keywords)
    except BaseException as error:
        hide_frame(error)
        raise
