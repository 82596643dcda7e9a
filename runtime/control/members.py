"""Members of enumerations that only the graph knows: each is its number among those of its class."""

from __future__ import annotations

import enum
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

from autograph import StagingError
from autograph.operators.calls import call
from autograph.reading import found_in, is_a
from runtime.control.unions import each, element_at, statement_here, union_of
from runtime.graph.dtypes import int64
from runtime.ops import elementwise as ew
from runtime.tensors import operators
from runtime.tensors.conversion import cast, operand
from runtime.tensors.frames import wants_class
from runtime.tensors.from_numpy import UFUNCS
from runtime.tensors.handles import Handle, number_in
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply
from runtime.tensors.trace import Way, current, ways


class Members:
    """The members of an enumeration, and the class of handles for them."""

    is_fixed = True  # there are as many as there were

    def __init__(self, kind: type[enum.Enum]) -> None:
        self.kind, self.all = kind, [*kind]
        self.handles = _class_of_handles(self)

    def number_of(self, member: enum.Enum) -> int:
        return next(i for i, one in enumerate(self.all) if one is member)

    def at(self, handle: Handle, part: Callable[[Any], object]) -> Any:
        """What the member that it is has for a part."""
        return element_at([*map(part, self.all)], operand(number_in(handle)), statement_here())


def is_member(value: object) -> bool:
    """Whether a value is a member of an enumeration, where that is more than its number."""
    if not is_a(value, enum.Enum) or is_a(value, enum.Flag):
        return False
    trace = current()
    return trace is not None and trace.numpys


def members_of(kind: type[enum.Enum]) -> Members:
    trace = current()
    assert trace is not None
    known: Members = trace.root.stores.get(kind) or trace.root.stores.setdefault(kind, Members(kind))
    return known


def as_handle(value: Any) -> Any:
    """A member of an enumeration, or one of several of one, as its number; anything else as it is."""
    if is_member(value):
        known = members_of(type(value))
        return known.handles.made(known.number_of(value))
    union = union_of(value)
    kinds = {_kind(option) for option in union._options} if union is not None else {None}
    if union is None or len(kinds) > 1 or None in kinds:
        return value
    return members_of(kinds.pop()).handles.made(each(union, lambda one: number_in(as_handle(one))))  # type: ignore


def plain_of(value: Any) -> Any:
    """The number or text that a member of an enumeration is besides; any other value as it is."""
    if is_member(value) and (plain := _plain(type(value))) is not None:
        return plain(value)
    known = type(value).of if isinstance(value, Handle) else None
    if known is None or not known.is_fixed or (plain := _plain(known.kind)) is None:
        return value
    return known.at(value, plain)


def _plain(kind: type) -> Callable[[Any], object] | None:
    """What gives that of the members of an enumeration, if they are that."""
    return next((of for base, of in _PLAIN.items() if issubclass(kind, base)), None)


def _kind(value: object) -> type[enum.Enum] | None:
    """The enumeration that a value is a member of."""
    if is_member(value):
        return type(value)  # type: ignore[return-value]
    return type(value).of.kind if isinstance(value, Handle) and type(value).of.is_fixed else None


def _class_of_handles(members: Members) -> Any:
    kind: Any = members.kind
    own: dict[str, Any] = {
        "__module__": kind.__module__, "__qualname__": kind.__qualname__, "__slots__": (), "of": members,
        "__getattribute__": _getting(members), "__is__": is_same,
        "__eq__": _equal, "__ne__": _unequal, "__hash__": _hash, "__iter__": None, "__len__": None,
        "__contains__": None, "__bool__": lambda handle: True,
    }  # fmt: skip
    for name in ("__str__", "__repr__"):
        own[name] = _text(members, operator.methodcaller(name))
    own["__format__"] = lambda handle, form: members.at(handle, lambda one: format(one, form))
    plain: Any = _plain(kind)
    for name in UFUNCS:
        own[f"__{name}__"] = own[f"__r{name}__"] = _none
        if plain is not None:
            own[f"__{name}__"] = _operation(members, plain, operators.function(name))
            own[f"__r{name}__"] = _operation(members, plain, _swapped(operators.function(name)))
    for name in ("lt", "le", "gt", "ge", "eq", "ne") if plain is not None else ():
        own[f"__{name}__"] = _operation(members, plain, getattr(operator, name))
    if plain is not None:  # it is a number, or a text, too
        own["__tensor__"] = lambda handle: operand(members.at(handle, plain))
        own["__bool__"] = lambda handle: members.at(handle, bool)
        own["__neg__"] = lambda handle: -members.at(handle, plain)
    for name, method in vars(kind).items():
        if isinstance(method, types.FunctionType) and name not in _PYTHONS:
            own[name] = method
    return type(kind.__name__, (Handle,), own)


# What members are besides, and what they are then.
_PLAIN: dict[type, Callable[[Any], object]] = {int: int, float: float, str: str.__str__}
_PYTHONS = ("__new__", "__init__", "_generate_next_value_")


def _getting(members: Members) -> Callable[..., object]:
    kind: Any = members.kind

    def get(handle: Handle, name: str) -> object:
        if name == "__class__":
            return kind if wants_class(sys._getframe(1)) else type(handle)
        found = found_in(kind, name)
        if isinstance(found, types.FunctionType):
            return types.MethodType(found, handle)
        if isinstance(found, property) and not isinstance(found, enum.property) and found.fget is not None:
            return call(found.fget, handle)
        if name.startswith("__"):
            return object.__getattribute__(handle, name)
        return members.at(handle, operator.attrgetter(name))

    return get


def is_same(handle: Handle, other: Any) -> object:
    """``handle is other``."""
    other = as_handle(other)
    if type(other) is not type(handle):
        return False
    return same_number(number_in(handle), number_in(other))


def same_number(one: object, another: object) -> object:
    """Whether two numbers of objects are one."""
    if isinstance(one, int) and isinstance(another, int):
        return one == another
    return number(apply(ew.equal, *(cast(operand(n), int64) for n in (one, another))))


def _equal(handle: Handle, other: object) -> object:
    return is_same(handle, other)


def _unequal(handle: Handle, other: object) -> object:
    same = is_same(handle, other)
    return not same if isinstance(same, bool) else number(apply(ew.logical_not, same))


def _none(handle: Handle, other: object) -> object:
    return NotImplemented


def _operation(members: Members, plain: Callable[[Any], object], function: Callable[..., object]) -> Any:
    return lambda handle, other: function(members.at(handle, plain), other)


def _swapped(function: Callable[..., object]) -> Callable[..., object]:
    return lambda one, other: function(other, one)


def _text(members: Members, text: Callable[[Any], object]) -> Callable[..., object]:
    def written(handle: Handle) -> object:
        return members.at(handle, text)

    return written


def _hash(handle: Handle) -> int:
    ways.takes(Way.KEYS)
    raise StagingError(
        f"a member of {type(handle).__name__} that only the graph knows is a key of a dictionary, or an element of a "
        "set, of Python's own."
    )
