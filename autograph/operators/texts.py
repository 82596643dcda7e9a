"""Text with values in it."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from autograph import dispatch
from autograph.operators.state import hide_frame
from autograph.reading import is_a


def text(template: str, *values: object) -> Any:
    """``template.format(*values)``; made by the graph if a value is staged."""
    return made(str.format, template, *values)


def percent(template: str, values: object) -> Any:
    """``template % values``."""
    return made(operator.mod, template, values)


def made(function: Any, template: str, *values: Any, **keywords: object) -> Any:
    """What a function of Python's makes of a text and values; made by the graph if a value is staged."""
    try:
        if dispatch.active:
            if function is str.join:
                values = ([*values[0]], *values[1:])
            backend = dispatch.staged_in(leaves((*values, *keywords.values())))
            result = NotImplemented if backend is None else backend.call(function, (template, *values), keywords)
            if result is not NotImplemented:
                return result
        return function(template, *values, **keywords)
    except BaseException as error:
        hide_frame(error)
        raise


def leaves(values: Iterable[Any]) -> list[Any]:
    """Values, and those in the lists, tuples and dictionaries among them: all whose text is part of theirs."""
    found = [*values]
    seen = set()
    for value in found:
        if is_a(value, dict):
            inner: Iterable[Any] | None = dict.values(value)
        else:
            inner = dispatch.elements(value) if is_a(value, (tuple, list)) else None
        if inner is not None and id(value) not in seen:
            seen.add(id(value))
            found += inner
    return found
