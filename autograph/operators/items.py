"""Comprehensions, and what built-in functions make of items that only the graph can count."""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph import dispatch
from autograph.dispatch import backend_of
from autograph.operators import definitions
from autograph.operators.calls import converted, defined
from autograph.operators.lists import list_
from autograph.operators.state import as_users

_INLINED = sys.version_info >= (3, 12)  # a list comprehension has the variables of the function around
_FEW = 64  # so many items of known number are gone through one by one


class Items:
    """What ``map``, ``filter`` and generator expressions make of staged items: each item goes through the steps."""

    def __init__(self, source: Any, steps: tuple[tuple[str, Callable[[Any], Any]], ...] = ()) -> None:
        self.source, self.steps = source, steps
        self._found: Iterator[Any] | None = None

    @classmethod
    def of(cls, items: Any) -> Items:
        return items if isinstance(items, cls) else cls(items)

    def each(self, kind: str, function: Callable[[Any], Any]) -> Items:
        return Items(self.source, (*self.steps, (kind, function)))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._found is None:
            self._found = self._find()
        return next(self._found)

    def _find(self, item: Any = None, number: int = -1) -> Iterator[Any]:
        """The items as Python finds them, where that does not take the graph: those of the source from `number` on."""
        if number < 0:
            for item in self.source:
                yield from self._find(item, 0)
        elif number == len(self.steps):
            yield item
        else:
            kind, function = self.steps[number]
            if kind == "filter" and not function(item):
                return
            made = item if kind == "filter" else function(item)
            for inner in made if kind == "nested" else (made,):
                yield from self._find(inner, number + 1)


def with_steps(items: Items, body: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The body of a loop over items as one over their source."""
    return functools.partial(defined(definitions.go_through), items.steps, 0, body)


def _of_item(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """A function of an item, where the comprehension takes the item apart."""
    if function.__code__.co_argcount == 1:
        return function
    return lambda item: function(*item)


def list_comp(
    function: Callable[..., Any], items: Any, keep: Callable[..., Any] | None = None, nested: bool = False
) -> list[Any]:
    """``[function(item) for item in items if keep(item)]``; if `nested`, of all that each ``function(item)`` gives."""
    one, test = _of_item(function), None if keep is None else _of_item(keep)
    try:
        if nested:
            found = generator(function, items, keep, nested)
            return collected([], found) if isinstance(found, Items) else list_([*found])
        if not dispatch.active:
            return [one(item) for item in items if test is None or test(item)]
        backend = backend_of(items)
        if isinstance(items, Items) or (backend is not None and (test is not None or not _few(backend, items))):
            return collected([], items, one, test)
        made: list[Any] = []
        rest = iter(items)
        for item in rest:
            if test is not None:
                value = test(item)
                if type(value) is not bool and backend_of(value) is not None:
                    return collected(made, itertools.chain([item], rest), one, test)
                if not value:
                    continue
            made.append(one(item))
        return list_(made)
    except BaseException as error:
        if (unbound := as_users(error, function, keep)) is not None and _INLINED:
            raise unbound from None
        raise


def collected(made: list[Any], items: Any, function: Any = None, keep: Any = None) -> list[Any]:
    """The items in a list that the graph may make longer."""
    return defined(definitions.collect)(list_(made), items, function, keep)  # type: ignore[no-any-return]


def _few(backend: dispatch.Backend, items: Any) -> bool:
    count = backend.call(len, (items,), {})
    return isinstance(count, int) and count <= _FEW


def generator(
    function: Callable[..., Any], items: Any, keep: Callable[..., Any] | None = None, nested: bool = False
) -> Iterable[Any]:
    """``(function(item) for item in items if keep(item))``; if `nested`, all that each ``function(item)`` gives."""
    one, test = _of_item(function), None if keep is None else _of_item(keep)
    plain = backend_of(items) is None and not isinstance(items, Items)
    if not dispatch.active or (plain and ((test is None and not nested) or dispatch.tracing() is None)):
        if nested:
            return (part for item in items if test is None or test(item) for part in one(item))
        return (one(item) for item in items if test is None or test(item))
    made = Items(items)
    return (made if test is None else made.each("filter", test)).each("nested" if nested else "map", one)


def meaning(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What a built-in function makes of staged items, or of a Python list with staged values in it."""
    if function is builtins.map or function is builtins.filter:
        return _lazily(function, *arguments)
    if function is builtins.hasattr or function is builtins.getattr:
        return _attribute(function, *arguments)
    if not arguments or function not in _DEFINED or len(arguments) > 1 + (function is builtins.sum):
        return NotImplemented
    items = arguments[0]
    if isinstance(items, Items) or (
        isinstance(items, list | tuple | set | frozenset | dict)
        and backend_of(items) is None
        and dispatch.staged_in([*items]) is not None
    ):
        if isinstance(items, Items) and function in (builtins.enumerate, builtins.sorted, builtins.reversed):
            return converted(function)(collected([], items), *arguments[1:], **keywords)
        if function is builtins.sorted and (backend := dispatch.tracing()) is not None:
            return backend.call(sorted, (list_([*items]),), keywords)
        definition = _DEFINED[function]
        return NotImplemented if definition is None else defined(definition)(*arguments, **keywords)
    return NotImplemented


def _attribute(function: Any, holder: Any, name: str, *default: Any) -> Any:
    """``hasattr`` and ``getattr`` of an attribute that is there only as the graph decides."""
    value = getattr(holder, "__dict__", {}).get(name)
    backend = backend_of(value)
    absent = NotImplemented if backend is None else backend.call(operator.is_, (value, dispatch.UNDEFINED), {})
    if backend is None or absent is NotImplemented or absent is False:
        return NotImplemented
    if function is builtins.hasattr:
        return backend.not_(absent)
    return defined(definitions.attribute_or)(absent, default[0], value) if default else NotImplemented


def _lazily(function: Any, applied: Any, items: Any = (), *more: Any) -> Any:
    applied = converted(applied) if applied is not None else None
    if function is builtins.map:
        staged = any(isinstance(i, Items) or backend_of(i) is not None for i in (items, *more))
        if not staged:
            return map(applied, items, *more)
        if more:
            return Items(converted(builtins.zip)(items, *more)).each("map", lambda item: applied(*item))
        return Items.of(items).each("map", applied)
    return Items.of(items).each("filter", applied if applied is not None else lambda item: item)


_DEFINED: dict[Any, Any] = {
    builtins.sum: definitions.sum_,
    builtins.any: definitions.any_,
    builtins.all: definitions.all_,
    builtins.min: definitions.min_,
    builtins.max: definitions.max_,
    builtins.list: definitions.collect_all,
    builtins.enumerate: None,
    builtins.sorted: None,
    builtins.reversed: None,
}
