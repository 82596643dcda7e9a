"""Calls: user functions are converted on the way, built-ins have a staged meaning for staged arguments."""

from __future__ import annotations

import builtins
import functools
import threading
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from autograph import dispatch
from autograph.dispatch import may_be_staged, staged_in
from autograph.operators import recursion
from autograph.operators.state import hide_frame
from autograph.rules import STAGED_BUILTINS, is_left_alone

_STAGED = {getattr(builtins, name): None for name in STAGED_BUILTINS}
known: dict[int, Any] = {}  # the converted form of functions, by their identity; None: they stay as they are
_MOST = 10_000
_convert: Callable[[types.FunctionType], types.FunctionType] = lambda function: function
_convert_class: Callable[[type], None] = lambda cls: None
_convert_own: Callable[[types.FunctionType], types.FunctionType] = lambda function: function
_classes: weakref.WeakSet[type] = weakref.WeakSet()


def set_converter(
    convert: Callable[[types.FunctionType], types.FunctionType],
    convert_class: Callable[[type], None],
    convert_own: Callable[[types.FunctionType], types.FunctionType],
) -> None:
    """Tell how a function met in a call is converted, a class, and one of this library's own; the compiler does so when
    it is imported."""
    global _convert, _convert_class, _convert_own
    _convert, _convert_class, _convert_own = convert, convert_class, convert_own


@functools.cache
def defined(definition: types.FunctionType) -> types.FunctionType:
    """A definition of this library's, converted."""
    return _convert_own(definition)


def meet_class(cls: type) -> None:
    """Have the operators, properties and constructor of a user's class converted, once it is met while tracing."""
    if cls in _classes:
        return
    _classes.add(cls)
    for base in cls.__mro__:
        if base is cls and not is_left_alone(cls.__module__):
            _convert_class(cls)
        elif base is not cls:
            meet_class(base)


def call(function: Any, /, *arguments: Any, **keywords: Any) -> Any:
    """``function(*arguments, **keywords)``, with the function converted if it is the user's."""
    try:
        return converted(function)(*arguments, **keywords)
    except BaseException as error:
        hide_frame(error)
        raise


def converted(function: Any) -> Any:
    """What to call for a function: while something is traced, its converted form or staged meaning."""
    if not dispatch.active:
        return function
    try:
        result = known[id(function)]
    except KeyError:
        return _met(function)
    return function if result is None else result


def _met(function: Any) -> Any:
    """What to call for a function that is not known yet, or is none."""
    kind = type(function)
    if kind is types.FunctionType:
        result = recursion.guarded(_convert(function))
        remember(known, function, None if result is function else result)  # or it would never die
        return result
    if kind is types.MethodType:
        inner = function.__func__
        return types.MethodType(converted(inner), function.__self__) if type(inner) is types.FunctionType else function
    if isinstance(function, type) and function not in _STAGED:
        meet_class(function)
        return function
    if kind is types.BuiltinFunctionType and type(function.__self__) is str and function.__name__ in _TEXTS:
        from autograph.operators.texts import made

        return functools.partial(made, getattr(str, function.__name__), function.__self__)
    if kind is types.BuiltinFunctionType or kind is type:
        return _staged_builtin(function) if function in _STAGED else function
    if kind is functools.partial:
        return functools.partial(converted(function.func), *function.args, **function.keywords)
    inner = getattr(kind, "__call__", None)
    if type(inner) is types.FunctionType and not is_left_alone(kind.__module__):
        return types.MethodType(converted(inner), function)
    return function


class Seen:
    """The functions that one piece of code calls by name: each as it was first met, and its converted form.

    Written once, so that no thread finds the one without the other.
    """

    def __init__(self, names: Iterable[str]) -> None:
        for name in names:
            setattr(self, name, _NOTHING)
            setattr(self, f"{name} converted", None)
        _all_seen.add(self)

    def __reduce__(self) -> Any:
        return Seen, ([name for name in vars(self) if not name.endswith(" converted")],)

    def meet(self, name: str, function: Any) -> Any:
        """What to call for a function that is not the one known by this name."""
        result = converted(function)
        with _lock:
            if type(function) in _LASTING and getattr(self, name) is _NOTHING:
                setattr(self, f"{name} converted", result)
                setattr(self, name, function)
        return result


def _forget_recurring() -> None:
    """Meet functions again that call themselves, as is known by now."""
    known.clear()
    for seen in list(_all_seen):
        for name, value in list(vars(seen).items()):
            if getattr(value, "__code__", None) in recursion.recurring:
                setattr(seen, name.removesuffix(" converted"), _NOTHING)


recursion.when_found(_forget_recurring)
_all_seen: weakref.WeakSet[Seen] = weakref.WeakSet()
_TEXTS = frozenset(("format", "join"))  # methods of text that have a staged meaning
_LASTING = (types.FunctionType, types.BuiltinFunctionType, type)
_NOTHING = object()
_lock = threading.Lock()


@functools.cache
def _staged_builtin(function: Callable[..., Any]) -> Callable[..., Any]:
    """A built-in function that does what the backend says where an argument is staged."""

    def called(*arguments: Any, **keywords: Any) -> Any:
        from autograph.operators.items import meaning

        try:
            if dispatch.active and (result := meaning(function, arguments, keywords)) is not NotImplemented:
                return result
            if may_be_staged(arguments) or keywords:
                backend = staged_in((*arguments, *keywords.values()))
                result = NotImplemented if backend is None else backend.call(function, arguments, keywords)
                if result is not NotImplemented:
                    return result
            return function(*arguments, **keywords)
        except BaseException as error:
            hide_frame(error)
            raise

    return called


def remember(known: dict[int, Any], thing: Any, value: Any) -> None:
    """Enter `value` for a function or code object by its identity, for as long as that lives.

    The oldest entries go when there are many: a closure that calls itself never dies while it is known.
    """
    while len(known) >= _MOST:
        known.pop(next(iter(known)), None)
    key = id(thing)
    known[key] = value
    weakref.finalize(thing, known.pop, key, None).atexit = False
