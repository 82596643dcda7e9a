"""What stands for an object of the user's that the graph keeps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar


class Handle(tuple[Any, ...]):
    """An object whose attributes the graph keeps: a structure of one number, its own among the objects of its class.

    Two that have the same number are one object. Each class of objects has a class of handles, with their methods.
    """

    __slots__ = ()
    of: ClassVar[Any]  # what has the attributes

    @classmethod
    def made(cls, number: object) -> Any:
        return tuple.__new__(cls, (number,))


def number_in(handle: Handle) -> Any:
    """The number of an object, whatever its class has for an index."""
    return tuple.__getitem__(handle, 0)


def again(handle: Handle, numbers: Iterable[object]) -> Any:
    """A handle of the same class."""
    return tuple.__new__(type(handle), numbers)
