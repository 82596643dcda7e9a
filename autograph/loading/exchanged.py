"""Functions that have other code while something is traced: they stay the same objects, whoever holds them."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from autograph import dispatch
from autograph.identity import Attributes
from autograph.operators.appended import does_the_same
from autograph.operators.fixed import stands_for
from autograph.operators.logic import not_
from autograph.reading import attributes_of, content_of, is_a, members_of

_exchanged: list[tuple[weakref.ref[types.FunctionType], types.CodeType, types.CodeType]] = []


def exchange(function: types.FunctionType, code: types.CodeType) -> bool:
    """Give a function other code, which does the same, until nothing is traced any more; tells whether it has it."""
    original = function.__code__
    if code.co_freevars != original.co_freevars:
        return False
    stands_for(code, original)
    does_the_same(code, original)
    with dispatch.changing:
        if dispatch.active and function.__code__ is original:
            _exchanged.append((weakref.ref(function), original, code))
            function.__code__ = code
    return function.__code__ is code


_lent: list[tuple[weakref.ref[type], str, object]] = []


class Unequal:
    """``!=`` of a class that has but ``==``: Python itself would want a bool of that at once."""

    def __get__(self, value: object, kind: type | None = None) -> object:
        return self if value is None else lambda other: self._answer(value, other)

    def __call__(self, value: object, other: object) -> object:
        return self._answer(value, other)

    def _answer(self, value: object, other: object) -> object:
        equal: Callable[[object, object], object] = type(value).__eq__
        result = equal(value, other)
        return result if result is NotImplemented else not_(result)


def lend(cls: type, name: str, member: object) -> None:
    """Give a class what it does not have itself, until nothing is traced any more."""
    with dispatch.changing:
        if dispatch.active and name not in members_of(cls):
            _lent.append((weakref.ref(cls), name, member))
            type.__setattr__(cls, name, member)


def _put_back() -> None:
    """Have these functions and classes as they were: nothing is traced any more."""
    while _lent:
        lender, name, member = _lent.pop()
        cls = lender()
        if cls is not None and members_of(cls).get(name) is member:
            type.__delattr__(cls, name)
    while _exchanged:
        reference, original, code = _exchanged.pop()
        function = reference()
        if function is not None and function.__code__ is code:
            function.__code__ = original
            own: object = function.__dict__
            if type(own) is Attributes:
                own.since = None  # what it is called as was found out when it had the other code


dispatch.when_ended(_put_back)


def functions_named(qualname: str, variables: Mapping[str, object]) -> list[types.FunctionType]:
    """The functions that stand under a dotted name among the variables of a module, with those that what stands there
    was made of: a property, a decorator's closure or object. Nothing of the user's is run."""
    first, *names = qualname.split(".")
    found = variables.get(first)
    for name in names:
        if not is_a(found, type):
            return []
        found = members_of(found).get(name)
    near = [found, *_parts(found)]
    return [part for part in near if type(part) is types.FunctionType]


def _parts(value: Any) -> list[object]:
    kind = type(value)
    if kind is property:
        return [value.fget, value.fset, value.fdel]
    if kind is types.FunctionType:
        return [*value.__dict__.values(), *(part for cell in value.__closure__ or () for part in content_of(cell))]
    if kind is staticmethod or kind is classmethod:
        return [value.__func__, *_parts(value.__func__)]
    return [*(attributes_of(value) or {}).values()] if not is_a(value, type) and value is not None else []
