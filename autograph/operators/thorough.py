"""What a program is traced by once more where that is refused otherwise: forms in which every call is the operator's.

A list that a function writes out stays Python's unless the function itself changes it. Where its caller does, in a
statement that only the graph decides, what a call gives and nobody else knows is handed on as if it had been written
out there. A generator function is one that hands on each item (`operators.pushed`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_GENERATOR
from sys import getrefcount
from types import FunctionType, MethodType
from typing import Any

from autograph import dispatch
from autograph.operators import calls, questions, recursion, spent
from autograph.operators.items import Items
from autograph.operators.lists import list_
from autograph.operators.pushed import Pushed, pushed
from autograph.reading import attributes_of, found_in, is_made_later, module_of_class, slot_in, slots_of
from autograph.rules import is_left_alone, why_function_stays


@contextmanager
def thoroughly(so: bool) -> Iterator[None]:
    """Whether it is traced by such forms."""
    before, calls.calling.instead = calls.calling.instead, _called if so else None
    try:
        yield
    finally:
        calls.calling.instead, spent.handed.given = before, ()


def form_of(function: Any) -> Any:
    """What is called for a converted function: where it is traced thoroughly, such a form."""
    inner = _inner(function)
    if calls.calling.instead is None or type(inner) is not FunctionType or not calls.is_form(inner):
        return function
    return questions.outlined(function)


def _called(function: Any, arguments: tuple[object, ...], keywords: dict[str, object]) -> object:
    function = spent.behind_check(function, (*arguments, *keywords.values()))
    if isinstance(function, type) and _is_plain(function):
        return constructed(function, arguments, keywords)
    inner = _inner(function)
    if type(inner) is FunctionType and (calls.is_form(inner) or why_function_stays(inner) is None):
        if inner.__code__.co_flags & CO_GENERATOR:
            given = (function.__self__, *arguments) if type(function) is MethodType else arguments
            found = pushed(inner, given, keywords)
            return Items(found) if type(found) is Pushed else found
        function = _outlined(function)
    spent.handed.given, spent.handed.times = arguments, 1
    result = function(*arguments, **keywords)
    return _owned(result) if id(type(result)) in _KINDS and getrefcount(result) == _ALONE else result


def constructed(cls: Any, arguments: tuple[object, ...], keywords: dict[str, object]) -> object:
    """An object of a class of the program's; where it is traced thoroughly, its constructor is, too."""
    if calls.calling.instead is None or not _is_plain(cls):
        return cls(*arguments, **keywords)
    made: object = object.__new__(cls)
    calls.call(found_in(cls, "__init__"), made, *arguments, **keywords)
    _own_attributes(made)
    return made


def _inner(function: Any) -> Any:
    return function.__func__ if type(function) is MethodType else function


def _outlined(function: Any) -> Any:
    """The thorough form of a function or method, but of one that calls itself."""
    if type(function) is MethodType:
        return MethodType(_outlined(function.__func__), function.__self__)
    if recursion.is_guarded(function):
        return function
    return recursion.in_the_form(function, questions.outlined(function))


def _is_plain(cls: type) -> bool:
    """Whether an object of a class of the program's is made by its ``__init__`` alone."""
    made = type(cls).__call__ is type.__call__ and found_in(cls, "__new__") is object.__new__
    return made and type(found_in(cls, "__init__")) is FunctionType and not is_left_alone(module_of_class(cls))


def _owned(value: Any) -> object:
    """A container that nobody else has, as the backend's, and those in a tuple that nobody else has either."""
    kind = type(value)
    if kind is list:
        return list_(value, own=True)
    if kind is not tuple:
        return calls.converted(kind)(value)
    parts = []
    for part in value:
        parts.append(_owned(part) if id(type(part)) in _KINDS and getrefcount(part) == _ALONE + 1 else part)
    return tuple(parts)


def _own_attributes(made: object) -> None:
    """Make containers the backend's that a new object alone has, as one that a data class makes for each object."""
    held = attributes_of(made) or {}
    for name in [*held, *slots_of(type(made))]:
        value = held[name] if name in held else slot_in(made, name)
        if getrefcount(value) != _ALONE + 1:
            continue
        if id(type(value)) in _KINDS:
            object.__setattr__(made, name, _owned(value))
        elif is_made_later(type(value)) and not is_left_alone(module_of_class(type(value))):
            _own_attributes(value)


def _alone() -> int:
    value: list[object] = []
    return getrefcount(value)


_KINDS = dispatch.kinds(list, dict, set, tuple)
_ALONE = _alone()  # references to what only a variable has
