"""Where a variable or a part of an object is held, to be read, written and put back."""

from __future__ import annotations

from typing import Any

from autograph.dispatch import UNDEFINED, holder_of


class Place:
    """Where a value is held: a cell, a key of a dictionary or list, an attribute, or the content of a staged object."""

    def __init__(self, name: str, holder: Any, key: Any, old: Any) -> None:
        self.name, self.holder, self.key, self.old = name, holder, key, old

    @property
    def before(self) -> Any:
        """What the place was before the statement, for those who read it."""
        return self.old

    @property
    def identity(self) -> Any:
        return id(self.holder), self.key

    def read(self) -> Any:
        raise NotImplementedError

    def write(self, value: Any) -> None:
        raise NotImplementedError


class CellPlace(Place):
    def read(self) -> Any:
        try:
            return self.holder.cell_contents
        except ValueError:
            return UNDEFINED

    def write(self, value: Any) -> None:
        if value is not UNDEFINED:
            self.holder.cell_contents = value
        elif self.read() is not UNDEFINED:
            del self.holder.cell_contents


class ItemPlace(Place):
    """A key of a dictionary (a module's variables too), or an index of a list."""

    def read(self) -> Any:
        try:
            return self.holder[self.key]
        except LookupError:
            return UNDEFINED

    def write(self, value: Any) -> None:
        if value is not UNDEFINED:
            self.holder[self.key] = value
        else:
            self.holder.pop(self.key, None)


class AttributePlace(Place):
    @property
    def before(self) -> Any:
        if self.old is not UNDEFINED or isinstance(self.holder, type):
            return self.old
        return next((vars(kind)[self.key] for kind in type(self.holder).__mro__ if self.key in vars(kind)), UNDEFINED)

    def read(self) -> Any:
        if isinstance(self.holder, type):
            return vars(self.holder).get(self.key, UNDEFINED)
        found = getattr(self.holder, "__dict__", {}).get(self.key, UNDEFINED)
        return getattr(self.holder, self.key, UNDEFINED) if found is UNDEFINED else found

    def write(self, value: Any) -> None:
        setter = type if isinstance(self.holder, type) else object
        if value is not UNDEFINED:
            setter.__setattr__(self.holder, self.key, value)
        elif self.read() is not UNDEFINED:
            setter.__delattr__(self.holder, self.key)


class ContentPlace(Place):
    def read(self) -> Any:
        holder = holder_of(self.holder)
        assert holder is not None
        return holder.content(self.holder)

    def write(self, value: Any) -> None:
        holder = holder_of(self.holder)
        assert holder is not None
        holder.set_content(self.holder, value)
