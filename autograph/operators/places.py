"""Where a variable or a part of an object is held, to be read, written and put back."""

from __future__ import annotations

from collections import OrderedDict, deque
from types import FunctionType, MethodType
from typing import Any

from autograph.dispatch import UNDEFINED, holder_of
from autograph.reading import attributes_of, found_in, is_a, members_of, order_of, slots_of


class Place:
    """Where a value is held: a cell, a key of a dictionary or list, an attribute, or the content of a staged object."""

    def __init__(self, name: str, holder: Any, key: Any, old: object) -> None:
        self.name, self.holder, self.key, self.old = name, holder, key, old

    @property
    def before(self) -> object:
        """What the place was before the statement, for those who read it."""
        return self.old

    @property
    def beneath(self) -> object:
        """What is read where there is nothing in the place."""
        return UNDEFINED

    @property
    def holder_name(self) -> str:
        """What the holder is called: ``a`` of ``a.n`` and ``a[0]``."""
        return self.name

    @property
    def identity(self) -> object:
        return id(self.holder), self.key

    def read(self) -> object:
        raise NotImplementedError

    def write(self, value: object) -> None:
        raise NotImplementedError


class CellPlace(Place):
    def read(self) -> object:
        try:
            return self.holder.cell_contents
        except ValueError:
            return UNDEFINED

    def write(self, value: object) -> None:
        if value is not UNDEFINED:
            self.holder.cell_contents = value
        elif self.read() is not UNDEFINED:
            del self.holder.cell_contents


class ItemPlace(Place):
    """A key of a dictionary (a module's variables too), or an index of a list."""

    @property
    def holder_name(self) -> str:
        return self.name.rpartition("[")[0]

    @property
    def _kind(self) -> Any:
        """What knows how to read and write the holder, whatever its class makes of that."""
        return next(kind for kind in (OrderedDict, dict, list) if is_a(self.holder, kind))

    def read(self) -> object:
        if is_a(self.holder, dict):
            return dict.get(self.holder, self.key, UNDEFINED)
        try:
            return list.__getitem__(self.holder, self.key)
        except LookupError:
            return UNDEFINED

    def write(self, value: object) -> None:
        if value is not UNDEFINED and is_a(self.holder, list) and self.key == list.__len__(self.holder):
            list.append(self.holder, value)
        elif value is not UNDEFINED:
            self._kind.__setitem__(self.holder, self.key, value)
        elif self.read() is not UNDEFINED:
            self._kind.__delitem__(self.holder, self.key)


class AttributePlace(Place):
    """An attribute of a class, or of an object itself: in a slot, or among its own attributes."""

    @property
    def holder_name(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def before(self) -> object:
        return self.beneath if self.old is UNDEFINED else self.old

    def inherited(self) -> tuple[type, object] | None:
        """What a class has under this name that is read where there is nothing in the place, and that class."""
        kinds = order_of(self.holder)[1:] if is_a(self.holder, type) else order_of(type(self.holder))
        return next(((kind, members_of(kind)[self.key]) for kind in kinds if self.key in members_of(kind)), None)

    @property
    def beneath(self) -> object:
        is_class = is_a(self.holder, type)
        _, found = self.inherited() or (None, UNDEFINED)
        if type(found) is staticmethod:
            return found.__func__
        if type(found) is FunctionType and not is_class:
            return MethodType(found, self.holder)
        if type(found) is classmethod:
            return MethodType(found.__func__, self.holder if is_class else type(self.holder))
        # Any other descriptor would have to be asked for a value, which runs code of the user's.
        return UNDEFINED if found_in(type(found), "__get__") is not None and type(found) is not FunctionType else found

    @property
    def _slot(self) -> Any:
        kind = type(self.holder)
        return found_in(kind, self.key) if self.key in slots_of(kind) else None

    def read(self) -> object:
        if is_a(self.holder, type):
            return members_of(self.holder).get(self.key, UNDEFINED)
        if (slot := self._slot) is not None:
            try:
                return slot.__get__(self.holder)
            except AttributeError:
                return UNDEFINED
        return (attributes_of(self.holder) or {}).get(self.key, UNDEFINED)

    def write(self, value: object) -> None:
        if value is UNDEFINED and self.read() is UNDEFINED:
            return
        if is_a(self.holder, type):
            if value is UNDEFINED:
                type.__delattr__(self.holder, self.key)
            else:
                type.__setattr__(self.holder, self.key, value)
        elif (slot := self._slot) is not None:
            slot.__delete__(self.holder) if value is UNDEFINED else slot.__set__(self.holder, value)
        else:
            attributes: Any = attributes_of(self.holder)
            if value is UNDEFINED:
                dict.__delitem__(attributes, self.key)
            else:
                dict.__setitem__(attributes, self.key, value)


class QueuePlace(Place):
    """All that a deque holds, as a list."""

    def read(self) -> object:
        return [*deque.__iter__(self.holder)]

    def write(self, value: Any) -> None:
        deque.clear(self.holder)
        deque.extend(self.holder, value)


class ContentPlace(Place):
    def read(self) -> object:
        holder = holder_of(self.holder)
        assert holder is not None
        return holder.content(self.holder)

    def write(self, value: object) -> None:
        holder = holder_of(self.holder)
        assert holder is not None
        holder.set_content(self.holder, value)
