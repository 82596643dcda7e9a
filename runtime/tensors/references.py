"""What stands for a tensor or a Variable where one object is to be told from another."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Reference(Generic[T]):
    """Stands for an object in dictionaries and sets: equal to what stands for the same one, and to nothing else."""

    __slots__ = ("_object",)

    def __init__(self, object_: T) -> None:
        self._object = object_

    def deref(self) -> T:
        """The object."""
        return self._object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._object is other._object

    def __hash__(self) -> int:
        return id(self._object)

    def __repr__(self) -> str:
        return f"<Reference to {self._object!r}>"
