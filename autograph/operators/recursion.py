"""Functions that may call themselves, directly or through others."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

from autograph import dispatch
from autograph.operators.state import hide_frame
from autograph.rules import why_function_stays

_known: dict[types.CodeType, bool] = {}
_MOST = 200  # functions that are looked through


def guarded(original: types.FunctionType, converted: types.FunctionType) -> Callable[..., Any]:
    """The converted function, and if it may call itself, one that a backend can make a call in its graph of."""
    code = original.__code__
    if code not in _known:
        if len(_known) > 10_000:
            _known.clear()
        _known[code] = _may_recur(original)
    if not _known[code]:
        return converted

    @functools.wraps(converted)
    def called(*arguments: Any, **keywords: Any) -> Any:
        backend = dispatch.tracing() if dispatch.active else None
        try:
            if backend is None:
                return converted(*arguments, **keywords)
            return backend.recursive(converted, arguments, keywords)
        except BaseException as error:
            hide_frame(error)
            raise

    return called


def _may_recur(function: types.FunctionType) -> bool:
    """Whether the function can be reached from itself by the names that it and others use."""
    seen: dict[types.CodeType, None] = {}
    waiting = list(_called(function))
    while waiting and len(seen) < _MOST:
        other = waiting.pop()
        if other.__code__ is function.__code__:
            return True
        if other.__code__ not in seen and why_function_stays(other) is None:
            seen[other.__code__] = None
            waiting += _called(other)
    return False


def _called(function: types.FunctionType) -> Iterator[types.FunctionType]:
    """The user's functions that a function names: variables of its own module or around it, and methods."""
    names = set(_names(function.__code__))
    around = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    for name in names:
        value = function.__globals__.get(name)
        if name in around:
            try:
                value = around[name].cell_contents
            except ValueError:
                continue
        value = getattr(value, "__wrapped__", value)
        if isinstance(value, types.FunctionType):
            yield value
    holder: Any = function.__globals__
    for part in function.__qualname__.split(".")[:-1]:
        holder = holder.get(part) if isinstance(holder, dict) else vars(holder).get(part) if holder else None
    if isinstance(holder, type):
        yield from (m for n in names if isinstance(m := getattr(holder, n, None), types.FunctionType))
    elif function.__name__ in function.__code__.co_names:
        yield function  # a method of its name, perhaps its own


@functools.lru_cache(maxsize=4096)
def _names(code: types.CodeType) -> tuple[str, ...]:
    inner = [name for constant in code.co_consts if isinstance(constant, types.CodeType) for name in _names(constant)]
    return (*code.co_names, *code.co_freevars, *inner)
