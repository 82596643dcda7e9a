"""Looks at classes and objects without running any code of theirs: no property or metaclass is asked."""

from __future__ import annotations

import _thread
import copy
import types
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from autograph.identity import ByIdentity

if TYPE_CHECKING:
    from typing_extensions import TypeIs

T = TypeVar("T")
Kinds: TypeAlias = "type | types.UnionType | tuple[Kinds, ...]"  # as `isinstance` takes them


def is_exactly(value: object, *kinds: type) -> bool:
    """Whether the value is of one of these types itself."""
    kind = type(value)
    for other in kinds:  # noqa: SIM110 (it is asked often)
        if kind is other:  # a class may say itself what it equals
            return True
    return False


_members: Any = type.__dict__["__dict__"].__get__  # type: ignore[index]
_order: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__  # type: ignore[index]
_home: Callable[[type], object] = type.__dict__["__module__"].__get__  # type: ignore[index]
_flags: Callable[[type], int] = type.__dict__["__flags__"].__get__  # type: ignore[index]
_MADE_LATER = 1 << 9  # of the flags of a class: it was made while Python ran
_GETTERS = frozenset((id(types.GetSetDescriptorType), id(types.MemberDescriptorType)))


@overload
def is_a(value: object, kinds: type[T]) -> TypeIs[T]: ...
@overload
def is_a(value: object, kinds: Kinds) -> bool: ...
def is_a(value: object, kinds: Kinds) -> bool:
    """Whether the value is of one of these types, whatever it gives as its ``__class__``."""
    return issubclass(type(value), kinds)


def order_of(cls: type) -> tuple[type, ...]:
    """The class and those that it inherits from, as Python looks through them."""
    return _order(cls)


def members_of(cls: type) -> types.MappingProxyType[str, Any]:
    """What the class itself defines."""
    return _members(cls)  # type: ignore[no-any-return]


def module_of_class(cls: type) -> str | None:
    """The name of the module that a class says it is from; none for one that a program made where nothing has a name,
    which finds that of the built-ins, or none if `type` made it."""
    try:
        name = _home(cls)
    except AttributeError:
        return None
    return name if type(name) is str and not (name == "builtins" and is_made_later(cls)) else None


def is_own(module: object) -> bool:
    """Whether a module of this name is part of the compiler, or of what it gives staged values a meaning with."""
    return str(module).partition(".")[0] in ("autograph", "runtime")


def gives_items(value: object) -> bool:
    """Whether an object is of a class of the program's that says in Python what its items are."""
    kind = type(value)
    if not is_made_later(kind) or is_own(_home(kind)):
        return False
    method = found_in(kind, "__iter__")
    return type(found_in(kind, "__getitem__") if method is None else method) is types.FunctionType


def is_made_later(cls: type) -> bool:
    """Whether a class was made while Python ran, as those of users are."""
    return bool(_flags(cls) & _MADE_LATER)


def found_in(cls: type, name: str, default: object = None) -> Any:
    """What a class has under a name, as it stands there; inherited or not."""
    for kind in _order(cls):
        members = _members(kind)
        if name in members:
            return members[name]
    return default


def attributes_of(value: object) -> dict[str, Any] | None:
    """The attributes that an object itself has, but for those in slots; None if it can have none."""
    kind = type(value)
    if id(kind) not in _ordinary.values:
        _ordinary.set(kind, _is_ordinary(kind))
    if _ordinary.values[id(kind)]:
        return _ask(value, "__dict__")  # type: ignore[no-any-return]
    for base in _order(kind):
        if base is _thread._local:
            return base.__getattribute__(value, "__dict__")  # type: ignore[no-any-return, arg-type]
        getter = _members(base).get("__dict__")
        if id(type(getter)) in _GETTERS:
            found = getter.__get__(value)
            return found if issubclass(type(found), dict) else None
    return None


def held_by(value: object) -> dict[str, object]:
    """All attributes that an object itself has, those in slots, too."""
    held = attributes_of(value) or {}
    slots = slots_of(type(value))
    return {**held, **{s: v for s in slots if (v := slot_in(value, s, _NOTHING)) is not _NOTHING}} if slots else held


_NOTHING = object()
_ask = object.__getattribute__
_ordinary: ByIdentity[bool] = ByIdentity()


def _is_ordinary(kind: type) -> bool:
    """Whether what Python finds as ``__dict__`` of objects of a class are their attributes."""
    return not issubclass(kind, type | _thread._local) and id(type(found_in(kind, "__dict__"))) in _GETTERS


def content_of(cell: types.CellType) -> list[Any]:
    """What a variable of a closure holds; nothing if it is not bound."""
    try:
        return [cell.cell_contents]
    except ValueError:
        return []


def variable_in(frame: types.FrameType, name: str) -> object:
    """What code that is running finds under a name; None if it finds nothing."""
    for variables in (frame.f_locals, frame.f_globals, frame.f_builtins):
        if name in variables:
            return variables[name]
    return None


def reached(value: T, parts: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """A value and all that it leads to, each once, the nearest first; `parts` gives what one object leads to."""
    waiting, seen = [value], {id(value)}
    for one in waiting:
        yield one
        new = {id(part): part for part in parts(one) if id(part) not in seen}
        seen |= new.keys()
        waiting += new.values()


_slots: ByIdentity[tuple[str, ...]] = ByIdentity()


def slots_of(cls: type) -> tuple[str, ...]:
    """The names of the slots that objects of a class have."""
    known = _slots.get(cls)
    if known is None:
        user = [members for kind in _order(cls) if "__slots__" in (members := _members(kind))]
        names = (n for members in user for n, m in members.items() if type(m) is types.MemberDescriptorType)
        known = _slots.set(cls, tuple(dict.fromkeys(names)))
    return known


def slot_in(value: object, name: str, default: object = None) -> object:
    """What an object holds in a slot."""
    try:
        return found_in(type(value), name).__get__(value)
    except AttributeError:
        return default


def new_one(like: object) -> object:
    """An object of the same class, without any attributes."""
    kind = type(like)
    return kind.__new__(kind, *like.args) if isinstance(like, BaseException) else object.__new__(kind)


def bare_copy(value: object) -> object:
    """An object with the same attributes, whatever its class makes of a copy.

    >>> class Counted:
    ...     def __getstate__(self):
    ...         return {**vars(self), "copies": 1}
    >>> vars(bare_copy(Counted())), vars(copy.copy(Counted()))
    ({}, {'copies': 1})
    """
    try:
        made = new_one(value)
    except TypeError:  # it has more than attributes, as a list does
        return copy.copy(value)
    if (held := attributes_of(value)) is not None:
        vars(made).update(held)
    for slot in slots_of(type(value)):
        if (content := slot_in(value, slot, _NOTHING)) is not _NOTHING:
            object.__setattr__(made, slot, content)
    return made


_ITERATION: tuple[tuple[type, Callable[..., Iterator[object]]], ...] = tuple(
    (kind, kind.__iter__) for kind in (list, tuple, dict, set, frozenset)
)


def elements_of(items: object) -> list[object] | None:
    """The elements of a list, tuple, set or dictionary of Python's.

    None for anything else, and for one that says itself how it is iterated over.
    """
    kind = type(items)
    for base, iterate in _ITERATION:
        if kind is base or (issubclass(kind, base) and found_in(kind, "__iter__") is iterate):
            return [*iterate(items)]
    return None
