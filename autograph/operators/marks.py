"""Text that code of others makes of staged values: a mark stands in it for each, until the graph has their texts.

``str(deque([x]))`` and the ``__repr__`` that `dataclasses` writes ask `x` for its text while something is traced. There
`x` gives a mark, and what comes out is a template with `x` for the mark.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence

from autograph import dispatch
from autograph.operators.state import hide_frame

_MARK = re.compile("\0(\\d+)\0")


class Found(list[tuple[object, str]]):
    """The values that were asked for their text, each with how a template asks for it."""


class _Asked(threading.local):
    """Where the values go that are asked; None where no text is made."""

    values: Found | None = None
    by_others = False  # what makes the text takes nothing but text


_asked = _Asked()


def mark(value: object, how: str) -> str | None:
    """What stands for the text of a value; `how` is what a template has behind its number: ``!r``, ``:>5``."""
    if _asked.values is None:
        return None
    _asked.values.append((value, how))
    return f"\0{len(_asked.values) - 1}\0"


def text_of(function: Callable[..., object], *arguments: object, by_others: bool = False) -> object:
    """The text that a function makes, staged if staged values are in it; `by_others` if it takes nothing but text."""
    made, found = asked(function, arguments, {}, by_others)
    return filled(made, found)


def asked(
    function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object], by_others: bool
) -> tuple[object, Found]:
    """The text that a function makes, and the values that have marks in it."""
    before, found = (_asked.values, _asked.by_others), Found()
    _asked.values, _asked.by_others = found, by_others
    try:
        return function(*arguments, **keywords), found
    except BaseException as error:
        hide_frame(error)
        raise
    finally:
        _asked.values, _asked.by_others = before


def filled(text: object, found: Found) -> object:
    """A text with the values in the place of their marks."""
    if not found or type(text) is not str:
        return text
    parts = _MARK.split(text)
    numbers = [int(part) for part in parts[1::2]]
    if not numbers:
        return text
    if parts == ["", parts[1], ""] and found[numbers[0]][1] == "":
        return found[numbers[0]][0]  # a text, as it is
    for i, part in enumerate(parts):
        if i % 2 == 0:
            parts[i] = part.replace("{", "{{").replace("}", "}}")
        else:
            parts[i] = f"{{{i // 2}{found[int(part)][1]}}}"
    values = [found[number][0] for number in numbers]
    backend = dispatch.staged_in(values)
    return text if backend is None else backend.call(str.format, ("".join(parts), *values), {})


def handed_on(text: object) -> object:
    """A text that may be staged, for whoever makes another text of it."""
    if _asked.by_others and type(text) is not str and dispatch.backend_of(text) is not None:
        return mark(text, "")
    return text
