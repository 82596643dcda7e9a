"""What one piece of code has met while something is traced: loaded code looks here before it calls an operator."""

from __future__ import annotations

import threading
import types
import weakref
from collections.abc import Iterable
from typing import Any

from autograph import dispatch
from autograph.dispatch import backend_of, by_type
from autograph.operators import calls, logic, plain, spent
from autograph.operators.items import Items
from autograph.operators.protocols import says_truth
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
        for name in names:
            setattr(self, name, _NOTHING)
            if name.endswith(" met"):
                setattr(self, _converted(name), None)

    def __reduce__(self) -> Any:
        return Seen, ([name for name in vars(self) if not name.endswith(" converted")],)

    # Functions by their names.

    def meet(self, name: str, function: object) -> Any:
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
        if getattr(self, place) is thing:
            return
        with _lock:
            if dispatch.active and not dispatch.lasting:
                if getattr(self, place) is _NOTHING:
                    _filled.append((self, place))
                setattr(self, place, thing)

    def ordinary(self, place: str, value: object) -> Any:
        """A value: nothing of its type is staged."""
        kind = type(value)
        if by_type.get(id(kind), 0) is None or backend_of(value) is by_type[id(kind)] is None:
            self._keep(place, kind)
        return value

    def items(self, place: str, value: object) -> Any:
        """What is searched: nothing in a value of its type is staged."""
        if id(type(value)) in logic.UNSTAGED:
            self._keep(place, type(value))
        return value

    def true(self, place: str, value: object) -> Any:
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

    def callee(self, place: str, function: Any) -> Any:
        """What to call for a function that is not the one known, which does the same as it would converted."""
        result = calls.converted(function)
        if getattr(self, place) is _NOTHING:
            same = _lasts(function) and not spent.left and (result is function or calls.converts_itself(function))
            self._keep(place, function if same else _ANOTHER)
        return result

    def method(self, places: tuple[str, str], function: Any) -> Any:
        """What to call for a method: of an object of a type that has only methods of Python's, or one that does the
        same as it would converted."""
        if type(function) is types.MethodType:
            if getattr(self, places[1]) is _NOTHING:
                same = not spent.left and calls.binds_itself(function)
                self._keep(places[1], function.__func__ if same else _ANOTHER)
        elif type(function) is types.BuiltinFunctionType and not spent.left:
            if calls.is_pythons(type(function.__self__)):
                self._keep(places[0], type(function.__self__))
        return calls.converted(function)


def _lasts(function: object) -> bool:
    """Whether it is a thing that names stand for, and is not made anew for each call."""
    kind = type(function)
    return kind is types.FunctionType or kind is types.BuiltinFunctionType or issubclass(kind, type)


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
