"""Which lists only the graph knows the length of."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from runtime.graph.errors import OperatorNotAllowedInGraphError
from runtime.tensors.frames import OURS, asker

_OF_OBJECTS: Any = vars(object)["__class__"]


class Growing(list):  # type: ignore[type-arg]
    """A list that a staged statement can make longer or shorter; once one has, `rows` holds its elements."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What the user's code is told: it knows of lists."""
        return type(self) if sys._getframe(1).f_code.co_filename.startswith(OURS) else list

    @__class__.setter
    def __class__(self, kind: type) -> None:
        _OF_OBJECTS.__set__(self, kind)

    @property
    def rows(self) -> object:
        """Its elements, where only the graph knows how many there are; else None."""
        return None

    @property
    def is_kept(self) -> bool:
        """Whether it is an object of the graph's, which is one by all names."""
        return False

    @property
    def is_grown(self) -> bool:
        """Whether only the graph knows how many there are, which costs less to ask."""
        return self.rows is not None

    def known_length(self) -> int | None:
        """How many there are, if that is known all the same."""
        return None

    def stacked(self, exact: bool = False) -> object:
        """Its elements as one tensor; Python's numbers keep their 64 bits if it is to be `exact`."""
        raise NotImplementedError


class Withheld:
    """What stands in a list's own memory, which functions of C's read and write directly, for elements that only the
    graph knows: whatever such a function asks of it is refused."""

    __slots__ = ()

    def refuse(self, *_: object) -> NoReturn:
        raise OperatorNotAllowedInGraphError(
            "A list that the graph makes longer or shorter cannot be handed to a function of C's: its elements and "
            f"their number are known only when the graph runs, and {asker('elements')}"
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __float__ = __int__ = __index__ = __complex__ = __bool__ = (
        refuse
    )
    __abs__ = __neg__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        refuse
    )
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __round__ = __hash__ = refuse  # type: ignore
    __len__ = __iter__ = __getitem__ = __str__ = __repr__ = __reduce_ex__ = refuse  # type: ignore[assignment]


_FIRST, _OTHERS, _LAST = Withheld(), Withheld(), Withheld()


def withheld(count: int) -> list[Withheld]:
    """What stands in the memory of a list of so many elements, so that a loop over it that goes on meanwhile meets it
    for each; there are three at least, as of two a function of C's may take one without a question."""
    return [_FIRST, *[_OTHERS] * max(count - 2, 1), _LAST]


def is_withheld(memory: list[object], count: int) -> bool:
    """Whether a list's own memory is as it was left for so many elements."""
    if list.__len__(memory) != max(count, 3):
        return False
    return list.__getitem__(memory, 0) is _FIRST and list.__getitem__(memory, -1) is _LAST


def has_grown(value: object) -> bool:
    """Whether a value is a list of which only the graph knows how long it is."""
    return isinstance(value, Growing) and value.is_grown


READERS: dict[type, Callable[[Any], object]] = {}  # by the type of what stands for one of several lists


def contents(value: object) -> Any:
    """A variable that is one of several lists as a copy of that which it is, for reading; any other value as it is."""
    reader = READERS.get(type(value))
    return value if reader is None else reader(value)
