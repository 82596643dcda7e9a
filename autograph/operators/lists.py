"""Lists that staged statements may change, and looking things up by a staged index."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from sys import getrefcount
from typing import Any

from autograph import dispatch
from autograph.operators import definitions
from autograph.operators.calls import call, defined
from autograph.operators.state import hide_frame
from autograph.reading import is_exactly


def list_(values: Iterable[object], own: bool = False) -> list[object]:
    """The list ``[...]``, or one of other values; while something is traced, one that a staged statement can make
    longer, as it can the lists in it that nobody else knows: nobody has `values` if it is made for this alone, or if
    that is its caller's `own`."""
    if dispatch.active and (backend := dispatch.tracing()) is not None:
        if (
            type(values) is list
            and values
            and is_exactly(values[0], *_FILLED)
            and (own or getrefcount(values) == _ALONE)
        ):
            values = _with_own(backend, values)
        result = backend.call(list, (values,), {})
        if result is not NotImplemented:
            return result  # type: ignore[no-any-return]
    return values if isinstance(values, list) else [*values]


def copied(value: object) -> object:
    """A copy that was made by the very expression; while something is traced, and it is a list, dictionary or set of
    Python's, one that a staged statement can change."""
    if type(value) is list:
        return list_(value, own=True)
    return call(type(value), value) if type(value) is dict or type(value) is set else value


def dict_(items: Any) -> dict[object, object]:
    """The dictionary ``{...}``, or that of some items; while something is traced, one that may have staged keys."""
    if dispatch.active and dispatch.tracing() is not None:
        return call(dict, items)  # type: ignore[no-any-return]
    return items if type(items) is dict else dict(items)


def set_(elements: Iterable[object]) -> set[object]:
    """The set ``{...}`` of some elements; while something is traced, one that may have staged elements."""
    if dispatch.active and dispatch.tracing() is not None:
        return call(set, elements)  # type: ignore[no-any-return]
    return elements if type(elements) is set else {*elements}


_FILLED = (list, dict, set)


def _empty(value: object) -> object:
    """A dictionary or set that something is put into, if there is nothing in it yet."""
    return value if value else call(type(value))


def _with_own(backend: dispatch.Backend, values: list[object]) -> list[object]:
    """A list that was made by the very expression, in which those lists are the backend's, too, that were made there,
    so that nobody else knows them."""
    made = []
    for value in values:
        if is_exactly(value, *_FILLED) and getrefcount(value) == _IN_ONE:
            value = backend.call(list, (_with_own(backend, value),), {}) if type(value) is list else _empty(value)
        made.append(value)
    return made


def _alone(value: list[object]) -> int:
    return getrefcount(value)


def _in_loop(values: list[object]) -> int:
    for value in values:
        return getrefcount(value)
    return 0


# How many references Python counts to a list that only the call has, and to one that only such a list and a loop have.
_ALONE, _IN_ONE = _alone([]), _in_loop([[]])


def unpacked(value: Any, before: int, behind: int | None = None) -> object:
    """What ``a, b = value`` takes apart; with `behind`, as in ``a, *b, c = value``, what is left between is a list.

    Of text and lists whose length only the graph knows, it tells whether there is enough of them.
    """
    try:
        if dispatch.active and (backend := dispatch.backend_of(value)) is not None:
            items = backend.call(unpacked, (value,), {})
            if items is not NotImplemented:
                if behind is None:
                    return defined(definitions.unpacked)(items, before)
                return defined(definitions.unpacked_with_rest)(items, before, behind)
        if behind is None:
            return value
        items = [*value]
        end = len(items) - behind
        if end < before:
            least = before + behind
            raise ValueError(f"not enough values to unpack (expected at least {least}, got {len(items)})")
    except BaseException as error:
        hide_frame(error)
        raise
    return (*items[:before], list_(items[before:end]), *items[end:])


def displayed(marks: str, *values: Any) -> list[object]:
    """The list ``[*a, b]``; `marks` has a star for each of the values whose items it has."""
    made: Any = []
    try:
        for mark, value in zip(marks, values):
            if mark == " ":
                made.append(value)
                continue
            backend = dispatch.backend_of(value) if dispatch.active else None
            items = NotImplemented if backend is None else backend.call(displayed, (value,), {})
            if items is not NotImplemented:
                made = list_(made)
                made.extend(items)
            else:
                made.extend([*value])
    except BaseException as error:
        hide_frame(error)
        raise
    return made  # type: ignore[no-any-return]


def get_item(table: Any, index: object) -> object:
    """``table[index]``; staged if the index is and the table is one of Python's."""
    kind = type(index)
    if dispatch.active and kind is not int and kind is not str and (backend := dispatch.of_key(index)) is not None:
        result = backend.call(operator.getitem, (table, index), {})
        if result is not NotImplemented:
            return result
    try:
        return table[index]
    except BaseException as error:
        hide_frame(error)
        raise
