"""Functions whose results ``functools.cache`` keeps, where a graph alone knows what they are called with.

Theirs are kept in dictionaries of the graph, as in those that programs write for that. A function that was made so
before keeps none of them between two calls of the graph: what it computes depends on its arguments alone.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from autograph import StagingError, do_not_convert, rules
from autograph.operators import behind, calls
from autograph.reading import module_of_class
from runtime.control.shared import attributes_of, is_object
from runtime.graph.owner import Owner
from runtime.staging.library_functions import staged_among
from runtime.tensors import nest
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.leaf_types import is_scalar
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import current

# Rules go by the names of modules, and this library's own is left alone.
__name__ = "results_of_graphs"
rules.convert_always(__name__)


def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that keeps its results by its arguments, which are numbers, text and tuples of these."""
    of_one: dict[Any, Any] = {}  # by the argument itself, as Python has those of one int or one text
    of_all: dict[Any, Any] = {}

    def called(*arguments: Any) -> Any:
        if len(arguments) == 1 and type(arguments[0]) in (int, str):
            argument = arguments[0]
            if argument in of_one:
                return of_one[argument]
            result = function(argument)
            of_one[argument] = result
            return result
        if arguments in of_all:
            return of_all[arguments]
        result = function(*arguments)
        of_all[arguments] = result
        return result

    return called


def _is_key(value: object) -> bool:
    """Whether a dictionary of the graph can have a value as a key, or as a part of one."""
    if type(value) is tuple:
        return all(map(_is_key, value))
    return isinstance(value, bool | int | float | str | np.generic) or (
        isinstance(value, SymbolicTensor) and is_scalar(value)
    )


class _Active(threading.local):
    def __init__(self) -> None:
        self.results: dict[tuple[object, ...], Callable[..., Any]] = {}


_active = _Active()


def _with_parts(owner: object, function: Any, arguments: Sequence[object], keywords: Mapping[str, object]) -> Any:
    """Call a function, whose results are kept for as long as the outermost call of it goes on: apart for each of the
    objects that are among its arguments."""
    trace = current()
    given = _in_order(function, arguments, keywords)
    if trace is None or given is None:
        return calls.call(function, *arguments, **keywords)
    others = {number: value for number, value in enumerate(given) if not _is_key(value)}
    for value in others.values():
        if isinstance(value, SymbolicTensor) and owner_of(value) is Owner.ARRAY:
            raise TypeError("unhashable type: 'numpy.ndarray'")
        hash(value)
    rest = [value for number, value in enumerate(given) if number not in others]
    key = (id(owner), id(trace.root), *((number, id(value)) for number, value in others.items()))
    known = _active.results.get(key)
    if known is not None:
        return calls.call(known, *rest)
    one = _with_others(function, others) if others else function
    known = _active.results[key] = calls.call(remembering, one)
    try:
        return calls.call(known, *rest)
    finally:
        del _active.results[key]


def _with_others(function: Callable[..., Any], others: Mapping[int, object]) -> Callable[..., Any]:
    """A function of the arguments that are not known."""

    @do_not_convert
    def called(*rest: object) -> object:
        left = iter(rest)
        return calls.call(function, *[others[n] if n in others else next(left) for n in range(len(rest) + len(others))])

    return functools.wraps(function)(called)


def _in_order(function: Any, arguments: Sequence[object], keywords: Mapping[str, object]) -> Sequence[object] | None:
    """The arguments as a function takes them without names; None if it does not."""
    if not keywords:
        return arguments
    try:
        bound = inspect.signature(function).bind(*arguments, **keywords)
    except TypeError:
        return None  # which its call raises
    return None if bound.kwargs else bound.args


def _kept(function: Any) -> Callable[..., object]:
    """What a function whose results ``functools`` keeps is called as while something is traced. How many results are
    kept does not show in them."""

    def called(*arguments: object, **keywords: object) -> object:
        given = [*arguments, *keywords.values()]
        if not _is_of_graph(function) and not staged_among(given, {}) and not any(map(_holds_staged, given)):
            return function(*arguments, **keywords)
        if function.cache_parameters()["typed"]:
            raise StagingError(
                f"'{function.__name__}' keeps its results by the types of its arguments: lru_cache(typed=True) has no "
                "staged meaning. Give it numbers of one type (int(n)), and leave typed out."
            )
        return _with_parts(function, function.__wrapped__, arguments, keywords)

    return called


def _is_of_graph(function: Any) -> bool:
    """Whether what it makes may be the graph's, whatever it is called with: it was made by what is traced, or goes on
    being called by what is."""
    trace, wrapped = current(), function.__wrapped__
    if trace is None:
        return False
    is_local = "<locals>" in getattr(wrapped, "__qualname__", "") and not rules.is_left_alone(wrapped.__module__)
    return bool(_results_of(function)) or (is_local and not trace.root.was_there(function))


_DEPTH = 3  # objects in one another that are looked into


def _holds_staged(value: object, depth: int = _DEPTH) -> bool:
    """Whether an object of the user's has attributes that only the graph knows."""
    if not is_object(value) or rules.is_left_alone(module_of_class(type(value))):
        return False
    parts = nest.flatten([*attributes_of(value).values()])
    return bool(staged_among(parts, {})) or (depth > 0 and any(_holds_staged(part, depth - 1) for part in parts))


def _results_of(function: object) -> list[Callable[..., Any]]:
    """What keeps the results of a function while calls of it go on."""
    return [results for key, results in _active.results.items() if key[0] == id(function)]


def _method(method: Any) -> Callable[..., object]:
    """What a method of such a function does while something is traced."""
    function = method.__self__
    if method.__name__ != "cache_info" or rules.is_left_alone(function.__wrapped__.__module__):
        return method  # type: ignore[no-any-return]

    def refused() -> NoReturn:
        raise StagingError(
            f"cache_info() of '{function.__name__}' has no staged meaning: the graph keeps results, and does not count "
            "them. Count the calls in the function, or ask outside of what is traced."
        )

    return refused


_KEEPS = type(functools.cache(len))
calls.set_kinds([(_KEEPS, _kept)])
calls.set_methods([(_KEEPS, _method)])
behind.set_results(_results_of)
