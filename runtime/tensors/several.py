"""Numbers of which only the graph knows what dtype they have, as those see them that want one dtype."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.tensors.operators import Operators


class Several(Operators):
    """One of several numbers, of different dtypes: programs have them, but no operation takes them as they are."""

    def numbers(self) -> Sequence[object]:
        """The numbers that it may be."""
        raise NotImplementedError

    def distribute(self, function: Callable[[object], object]) -> object:
        """What a function makes of the one that it is."""
        raise NotImplementedError


def with_each(function: Callable[..., object], *arguments: Any) -> object:
    """What a function makes of arguments in which one is one of several numbers, also as an element of a list, tuple or
    dictionary: the graph calls it with the one that it is. NotImplemented where there is none."""
    found = _found(arguments)
    if found is None:
        return NotImplemented
    return found.distribute(lambda number: function(*_put(number, found, arguments)))


def _found(value: object) -> Several | None:
    if isinstance(value, Several):
        return value
    if type(value) is dict:
        value = [*value.values()]
    if type(value) in (list, tuple):
        return next((found for part in value if (found := _found(part)) is not None), None)  # type: ignore[attr-defined]
    return None


def _put(number: object, several: Several, value: Any) -> Any:
    """A structure with one of several numbers in their place."""
    if value is several:
        return number
    if type(value) is dict:
        return {key: _put(number, several, part) for key, part in value.items()}
    return type(value)(_put(number, several, part) for part in value) if type(value) in (list, tuple) else value
