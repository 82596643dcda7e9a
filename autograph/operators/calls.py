"""Calls: user functions are converted on the way, built-ins have a staged meaning for staged arguments."""

from __future__ import annotations

import builtins
import functools
import types
import weakref
from collections.abc import Callable
from typing import Any

from autograph.dispatch import staged_in
from autograph.operators.state import hide_frame
from autograph.rules import STAGED_BUILTINS, is_left_alone

_STAGED = frozenset(getattr(builtins, name) for name in STAGED_BUILTINS)
_converted: dict[int, tuple[weakref.ref[types.FunctionType], types.FunctionType]] = {}
_convert: Callable[[types.FunctionType], types.FunctionType] = lambda function: function


def set_converter(convert: Callable[[types.FunctionType], types.FunctionType]) -> None:
    """Tell how a function met in a call is converted; the compiler does so when it is imported."""
    global _convert
    _convert = convert


def call(function: Any, /, *arguments: Any, **keywords: Any) -> Any:
    """``function(*arguments, **keywords)``, with the function converted if it is the user's."""
    try:
        kind = type(function)
        if kind is types.FunctionType:
            return converted(function)(*arguments, **keywords)
        if kind is types.MethodType:
            inner = function.__func__
            if type(inner) is types.FunctionType:
                return converted(inner)(function.__self__, *arguments, **keywords)
            return function(*arguments, **keywords)
        if kind is types.BuiltinFunctionType or kind is type:
            if function in _STAGED and (backend := staged_in((*arguments, *keywords.values()))) is not None:
                result = backend.call(function, arguments, keywords)
                if result is not NotImplemented:
                    return result
            return function(*arguments, **keywords)
        if kind is functools.partial:
            return call(function.func, *function.args, *arguments, **{**function.keywords, **keywords})
        inner = getattr(kind, "__call__", None)
        if type(inner) is types.FunctionType and not is_left_alone(kind.__module__):
            return converted(inner)(function, *arguments, **keywords)
        return function(*arguments, **keywords)
    except BaseException as error:
        hide_frame(error)
        raise


def converted(function: types.FunctionType) -> types.FunctionType:
    """The converted form of a function, made once."""
    entry = _converted.get(id(function))
    if entry is not None and entry[0]() is function:
        return entry[1]
    result, key = _convert(function), id(function)
    _converted[key] = (weakref.ref(function, functools.partial(forget, _converted, key)), result)
    return result


def forget(known: dict[Any, Any], key: object, _: object) -> None:
    """Drop an entry whose function or code is gone."""
    known.pop(key, None)
