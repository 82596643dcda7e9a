"""Text with values in it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograph import dispatch
from autograph.operators import protocols
from autograph.operators.calls import call
from autograph.operators.marks import asked, filled, handed_on
from autograph.operators.state import hide_frame
from autograph.reading import is_a


def text(template: str, *values: object) -> object:
    """``template.format(*values)``; made by the graph if a value is staged."""
    return made(str.format, template, *values)


def percent(template: str, values: object) -> object:
    """``template % values``."""
    return made(operator.mod, template, values)


def made(function: Callable[..., object], template: str, *values: object, **keywords: object) -> object:
    """What a function of Python's makes of a text and values; made by the graph if a value is staged."""
    try:
        if dispatch.active:
            if function is str.join and values:
                items = call(list, values[0])
                if (result := _joined(template, items)) is not NotImplemented:
                    return handed_on(result)
                values = ([*items], *values[1:])
            return handed_on(of_text(function, (template, *values), keywords))
        return function(template, *values, **keywords)
    except BaseException as error:
        hide_frame(error)
        raise


def _joined(separator: str, items: object) -> object:
    """A text made of items, if only the graph knows how many there are; else NotImplemented."""
    backend = dispatch.backend_of(items)
    return NotImplemented if backend is None else backend.call(str.join, (separator, items), {})


def of_text(function: Any, arguments: Sequence[Any], keywords: Mapping[str, object]) -> object:
    """What a function of Python's that makes text makes of its arguments, while something is traced."""
    try:
        if function is str.format and protocols.names_part(arguments[0]):
            template, values = protocols.resolved(arguments[0], arguments[1:], keywords)
            arguments = (template, *values)
        given = arguments[:1] if function in BUILTINS else [*arguments[1:], *keywords.values()]
        if dispatch.staged_in(leaves(given)) is None:
            try:
                made, found = asked(function, arguments, keywords, False)
                if not found:
                    return made
            except TypeError:  # perhaps a special method of the user's gives something staged
                arguments, keywords, given = _written(function, arguments, keywords)
                if dispatch.staged_in(leaves(given)) is None:
                    raise
            else:
                arguments, keywords, given = _written(function, arguments, keywords)
                if dispatch.staged_in(leaves(given)) is None:
                    return filled(made, found)
        else:
            arguments, keywords, given = _written(function, arguments, keywords)
        backend = dispatch.staged_in(leaves(given))
        result = NotImplemented if backend is None else backend.call(function, (*arguments,), keywords)
        return function(*arguments, **keywords) if result is NotImplemented else result
    except BaseException as error:
        hide_frame(error)
        raise


def _written(
    function: object, arguments: Sequence[Any], keywords: Mapping[str, object]
) -> tuple[Sequence[object], Mapping[str, object], Sequence[object]]:
    """The arguments with the texts of the user's objects in their place, and those of them that text is made of."""
    if function is format and len(arguments) in (1, 2):
        made = protocols.text_of_format(*arguments)
        if made is not NotImplemented:
            return (made,), keywords, [made]
    if function in BUILTINS:
        given = protocols.written(function, arguments[:1])
        return (*given, *arguments[1:]), keywords, given
    if function is str.format:
        arguments, keywords = protocols.formatted(arguments, keywords)
    template, values = arguments[0], arguments[1:]
    if function is str.format_map and [type(v) for v in values] == [dict]:
        values = (dict(zip(values[0], protocols.written(function, [*values[0].values()], template))),)
    elif function is not str.join:
        values = protocols.written(function, values, template)
        keywords = dict(zip(keywords, protocols.written(function, [*keywords.values()], template)))
    return (template, *values), keywords, [*values, *keywords.values()]


BUILTINS = (str, repr, ascii, format)


def leaves(values: Iterable[object]) -> list[object]:
    """Values, and those in the lists, tuples and dictionaries among them: all whose text is part of theirs."""
    found = [*values]
    seen = set()
    for value in found:
        inner: Iterable[object] | None
        if is_a(value, dict):
            inner = dict.values(value)
        elif type(value) is protocols.Written:
            inner = (value.text, value.representation)
        elif protocols.has_unknown_length(value):
            inner = None
        elif type(value) is slice:
            inner = (value.start, value.stop, value.step)
        else:
            inner = dispatch.elements(value) if is_a(value, (tuple, list)) else None
        if inner is not None and id(value) not in seen:
            seen.add(id(value))
            found += inner
    return found
