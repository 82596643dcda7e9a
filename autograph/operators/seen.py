"""What one piece of code has met while something is traced: loaded code looks here before it calls an operator."""

from __future__ import annotations

import threading
import types
import weakref
from collections.abc import Iterable
from typing import Any

from autograph import dispatch
from autograph.dispatch import by_type, is_ordinary
from autograph.operators import calls, lists, logic, plain, protocols, spent
from autograph.operators.counted import as_counted, is_asked
from autograph.operators.items import Items, stands_in
from autograph.operators.protocols import says_truth
from autograph.operators.state import hide_frame
from autograph.reading import found_in, is_exactly

_NOTHING = object()
_ANOTHER = object()  # where what was met first cannot be called as it is: it is called in another form
_lock = threading.Lock()
_filled: list[tuple[Seen, str]] = []


class Seen:
    """The functions that code calls by name, and what its places have met last.

    A function is kept as it was first met, and beside it its converted form: both are written once in a trace, so that
    no thread finds the one without the other. A place of the code has a type: values of it are what Python takes them
    for there, so that the code need not call an operator. A constant of code is nothing that the garbage collector
    looks into, so what is held here is let go of when nothing is traced any more.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._missed: dict[str, int] = {}  # by place: the identity of what was met there last, while another is known
        for name in names:
            setattr(self, name, _NOTHING)
            if name.endswith(" met"):
                setattr(self, _converted(name), None)

    def __reduce__(self) -> str | tuple[object, ...]:
        return Seen, ([name for name in vars(self) if " " in name and not name.endswith(" converted")],)

    # Functions by their names.

    def meet(self, name: str, function: object) -> object:
        """What to call for a function that is not the one known by this name."""
        result = calls.converted(function)
        with _lock:
            if not dispatch.lasting and _lasts(function) and getattr(self, name) is _NOTHING:
                setattr(self, _converted(name), result)
                setattr(self, name, function)
                _filled.append((self, name))
        return result

    # Places, each by what an operator would have to find out. What it is asked about is handed on.

    def _keep(self, place: str, thing: object) -> None:
        """Know a thing at a place; where another one is known, only once it is met there twice in turn."""
        known = getattr(self, place)
        if known is thing:
            return
        if known is not _NOTHING and self._missed.get(place) != id(thing):
            self._missed[place] = id(thing)
            return
        with _lock:
            if dispatch.active and not dispatch.lasting:
                if getattr(self, place) is _NOTHING:
                    _filled.append((self, place))
                setattr(self, place, thing)

    def ordinary(self, place: str, value: object) -> object:
        """A value: nothing of its type is staged."""
        kind = type(value)
        if is_ordinary(kind):
            self._keep(place, kind)
        return value

    def _key(self, place: str, value: object) -> None:
        """An index or a key, of which a part may be staged."""
        if not issubclass(type(value), tuple):
            self.ordinary(place, value)

    def true(self, place: str, value: object) -> object:
        """A value whose truth is asked: Python tells that of its type."""
        kind = type(value)
        if id(kind) in plain.ORDINARY or (
            by_type.get(id(kind), 0) is None
            and not is_exactly(value, Items, spent.Left)
            and not says_truth(value)
            and found_in(kind, "__next__") is None
        ):
            self._keep(place, kind)
        return value

    def decided(self, place: str, value: object, arm: int | None = None) -> object:
        """As `plain.decided` has it."""
        try:
            return plain.decided(self.true(place, value), arm)
        except BaseException as error:
            hide_frame(error)
            raise

    def repeated(self, place: str, items: object) -> bool:
        """As `plain.is_repeated` has it."""
        kind = type(items)
        if is_asked(kind) and as_counted(items) is not None:
            return True
        if id(kind) not in _ASKED and is_ordinary(kind) and not spent.left and not stands_in(items):
            if found_in(kind, "__next__") is None:
                self._keep(place, kind)
            return False
        return plain.is_repeated(items)

    def in_(self, places: tuple[str, str], value: object, items: Any) -> object:
        """As `logic.in_` has it."""
        kind = type(items)
        try:
            if id(kind) in logic.UNSTAGED:
                self._keep(places[0], kind)
                if places[1]:
                    self._key(places[1], value)
            elif dispatch.active and by_type.get(id(kind), 0) is None:
                name = _containing.get(id(kind), "")
                method = getattr(kind, name) if name else None
                if type(method) is types.FunctionType and id(method.__code__) in _forms:
                    result = method(items, value)
                    return result if type(result) is bool else protocols.contained(result)
                if name is None and issubclass(kind, _HASHED) and not issubclass(type(value), tuple):
                    if by_type.get(id(type(value)), 0) is None:
                        return value in items
            return logic.in_(value, items)
        except BaseException as error:
            hide_frame(error)
            raise

    def not_in(self, places: tuple[str, str], value: object, items: object) -> object:
        """As `logic.not_in` has it."""
        try:
            result = self.in_(places, value, items)
        except BaseException as error:
            hide_frame(error)
            raise
        return not result if type(result) is bool else logic.not_(result)

    def is_(self, places: tuple[str, str], value: object, other: object) -> object:
        """As `logic.is_` has it."""
        self.ordinary(places[0], value)
        self.ordinary(places[1], other)
        return logic.is_(value, other)

    def is_not(self, places: tuple[str, str], value: object, other: object) -> object:
        """As `logic.is_not` has it."""
        result = self.is_(places, value, other)
        return not result if type(result) is bool else logic.not_(result)

    def get_item(self, place: str, table: object, index: object) -> object:
        """As `lists.get_item` has it."""
        self._key(place, index)
        try:
            return lists.get_item(table, index)
        except BaseException as error:
            hide_frame(error)
            raise

    def builtin(self, places: tuple[str, str], function: object, value: object) -> object:
        """What to call for a function that may be one of Python's with a staged meaning, and an argument."""
        if calls.does_as_ever(function, type(value)):
            self._keep(places[0], type(value))
            self._keep(places[1], function)
            return function
        return calls.converted(function)

    def callee(self, place: str, function: object) -> object:
        """What to call for a function that is not the one known, which does the same as it would converted."""
        if dispatch.active and not spent.left and id(function) in _meant:
            return _meant[id(function)]
        result = calls.converted(function)
        if result is function:
            if _lasts(function) and not spent.left:
                self._keep(place, function)
        elif getattr(self, place) is _NOTHING:
            same = _lasts(function) and not spent.left and calls.converts_itself(function)
            self._keep(place, function if same else _ANOTHER)
        return result

    def method(self, places: tuple[str, str], function: Any) -> object:
        """What to call for an attribute: the method of an object of a type that has only methods of Python's, or one
        that does the same as it would converted, or a function."""
        kind = type(function)
        if id(kind) not in _CALLED and dispatch.active and not issubclass(kind, type):
            inner = found_in(kind, "__call__")
            if type(inner) is types.FunctionType and id(inner.__code__) in _forms:
                return function
        result = calls.converted(function)
        if spent.left:
            return result
        if kind is types.MethodType:
            if result is function and type(function.__func__) is types.FunctionType:
                self._keep(places[1], function.__func__)
            elif getattr(self, places[1]) is _NOTHING:
                self._keep(places[1], function.__func__ if calls.binds_itself(function) else _ANOTHER)
        elif kind is types.BuiltinFunctionType and type(function.__self__) is not types.ModuleType:
            if places[0] and calls.is_pythons(type(function.__self__), function.__name__):
                self._keep(places[0], type(function.__self__))
        elif result is function and _lasts(function):
            self._keep(places[1], function)
        return result


_HASHED = (dict, set, frozenset)  # nothing that is staged can be hashed
_CALLED = frozenset(map(id, (types.MethodType, types.FunctionType, types.BuiltinFunctionType)))
_forms, _meant, _containing = calls.forms.values, calls.meant, protocols.CONTAINS.known
_ASKED = frozenset(map(id, (Items, range, type(iter(range(0))))))  # items of which more than the type counts


_LASTING = frozenset(map(id, (types.FunctionType, types.BuiltinFunctionType, types.WrapperDescriptorType)))


def _lasts(function: object) -> bool:
    """Whether it is a thing that names stand for, and is not made anew for each call."""
    kind = type(function)
    return id(kind) in _LASTING or issubclass(kind, type)


def _converted(name: str) -> str:
    return name.removesuffix(" met") + " converted"


def _forget() -> list[object]:
    """Have everything met anew; returns what was held."""
    held = []
    with _lock:
        for seen, name in _filled:
            held.append(getattr(seen, name))
            setattr(seen, name, _NOTHING)
            if name.endswith(" met"):
                called = getattr(seen, _converted(name))
                held.append(called)
                # Another thread may be just about to call it.
                setattr(seen, _converted(name), weakref.proxy(called))
        _filled.clear()
    return held


calls.when_forgotten(_forget)
dispatch.when_ended(_forget)
