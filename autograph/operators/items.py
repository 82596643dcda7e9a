"""Comprehensions, and what built-in functions make of items that only the graph can count."""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograph import dispatch
from autograph.dispatch import Attempt, attempt_all, backend_of
from autograph.errors import StagingError
from autograph.operators import calls, definitions, protocols, texts
from autograph.operators.calls import applied, call, converted, defined
from autograph.operators.counted import Counted, as_counted, used_up
from autograph.operators.fixed import own
from autograph.operators.lists import dict_, list_, set_, unpacked
from autograph.operators.pushed import Pushed
from autograph.operators.spent import Rest, handed
from autograph.operators.state import INLINED, as_users
from autograph.reading import (
    attributes_of,
    found_in,
    gives_items,
    is_a,
    is_made_later,
    module_of_class,
    slot_in,
    slots_of,
)
from autograph.rules import is_converted_always

_FEW = 64  # so many items of known number are gone through one by one


class Items:
    """What ``map``, ``filter`` and generator expressions make of staged items: each item goes through the steps.

    It passes for what Python would have made, a generator or one of `kind`. Ordinary items are gone through once,
    whoever asks for them.
    """

    def __init__(
        self, source: Any, steps: tuple[tuple[str, Callable[..., Any]], ...] = (), kind: type = types.GeneratorType
    ) -> None:
        self.source, self.steps, self.kind = source, steps, kind
        if type(source) is Items and type(source.source) is Pushed:
            self.source, self.steps = source.source, (*source.steps, *steps)
        elif (backend := backend_of(source)) is not None:
            iterator = backend.call(itertools.chain, (source,), {})
            self.source = source if iterator is NotImplemented else iterator
        elif type(source) is not Rest and type(source) is not Pushed and type(source) is not _InNoOrder:
            self.source = Rest(source)
        self.is_alone = False  # does nobody else have them who could go on with them?
        self._found: Iterator[object] | None = None
        self._function: object = None

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self.kind

    def __reduce__(self) -> tuple[object, ...]:
        if self.kind is not filter or type(self.source) is not Rest or len(self.steps) != 1:
            raise TypeError(f"cannot pickle {self.kind.__name__!r} object")
        return filter, (self._function, self.source.iterator)

    def __reduce_ex__(self, protocol: object) -> tuple[object, ...]:
        return self.__reduce__()

    def close(self) -> None:
        """Give no further item."""
        self._found = iter(())
        self.source, self.steps = Rest(()), ()

    @classmethod
    def of(cls, items: object) -> Items:
        return items if type(items) is cls else cls(items)

    def each(self, step: str, function: Callable[[Any], object], kind: type = types.GeneratorType) -> Items:
        return Items(self.source, (*self.steps, (step, function)), kind)

    def in_any_order(self) -> None:
        """Have items of a set, of which a graph knows no order, in any: for who does not mind."""
        if type(self.source) is _InNoOrder:
            self.source = Items(given_by(self.source.items, _IN_ANY_ORDER)).source

    def is_whole(self) -> bool:
        """Whether no item has been taken apart of which the rest is still to come."""
        return self._found is None or all(step != "nested" for step, _ in self.steps)

    def __iter__(self) -> Iterator[object]:
        return self

    def __next__(self) -> object:
        if self._found is None:
            self._found = self._find()
        return next(self._found)

    def is_counted(self) -> bool:
        """Whether Python counts the items: those of its own, each of which is given once."""
        return type(self.source) is Rest and all(step == "map" for step, _ in self.steps)

    def counted(self) -> object:
        """The source; of a range, the iterator that a loop knows as one of a range, which the graph may repeat."""
        iterator = self.source.iterator if type(self.source) is Rest else None
        return iterator if type(iterator) is type(iter(range(0))) else self.source

    def _find(self) -> Iterator[object]:
        """The items as Python finds them, where that does not take the graph."""
        found = self.source
        if type(found) is Rest and not is_made_later(type(found.iterator)):
            found = found.iterator  # it gives itself, when it is asked for an iterator
        for kind, function in self.steps:
            found = _STEPS[kind](found, function)
        return iter(found)


class _InNoOrder:
    """A set whose order the graph does not know, where something goes through it that may not mind."""

    def __init__(self, items: object) -> None:
        self.items = items

    def __iter__(self) -> Iterator[object]:
        return iter(given_by(self.items))  # type: ignore[call-overload,no-any-return]  # which raises


def _mapped(items: Iterable[object], function: Callable[[object], object]) -> Iterator[object]:
    for item in items:
        yield function(item)


def _filtered(items: Iterable[object], function: Callable[[object], object]) -> Iterator[object]:
    for item in items:
        if function(item):
            yield item


def _nested(items: Iterable[object], function: Callable[[object], Iterable[object]]) -> Iterator[object]:
    for item in items:
        for inner in function(item):  # noqa: UP028 (it is no generator that is asked)
            yield inner


_STEPS = {"map": _mapped, "filter": _filtered, "nested": _nested}


def _inside(items: Items) -> list[object]:
    source = items.source.iterator if type(items.source) is Rest else items.source
    return [source, items._found, *(function for _, function in items.steps)]


own[id(Items)] = _inside


_WITH: Mapping[str, Callable[..., definitions.Body]] = {
    "map": definitions.with_map, "filter": definitions.with_filter, "nested": definitions.with_nested,
}  # fmt: skip


def with_steps(items: Items, body: Callable[[object], object]) -> Callable[[object], object]:
    """The body of a loop over items as one over their source."""
    for step, function in reversed(items.steps):
        body = defined(_WITH[step])(function, body)
    return body


def _of_item(
    function: Callable[..., object], keep: Callable[..., object] | None, nested: Parts | None
) -> tuple[Callable[[object], object], Callable[[object], object] | None]:
    """Functions of an item, which the comprehension may take apart: once, for its condition and its element."""
    count = function.__code__.co_argcount
    if count == 1 and nested is None:
        return function, keep

    def taken(item: object) -> list[object]:
        return _unpacked(item, count) if nested is None else _taken_apart(item, nested)

    if keep is None:
        return lambda item: function(*taken(item)), None
    parts: list[object] = []

    def test(item: object) -> object:
        nonlocal parts
        parts = taken(item)
        return keep(*parts)

    return lambda item: function(*parts), test


Parts = Sequence[Any]  # of an item: a name, or the parts of a part


def _taken_apart(item: object, parts: Parts) -> list[object]:
    """The parts of an item, and of its parts, for the names of a target that nests them."""
    found: list[object] = []
    starred = next((at for at, name in enumerate(parts) if name[0][0] == "*"), None)
    if starred is None:
        each: Any = _unpacked(item, len(parts))
    else:
        _check_iterable(item)
        whole: Any = item
        each = unpacked(whole if backend_of(item) is not None else [*Rest(whole)], starred, len(parts) - starred - 1)
    for name, part in zip(parts, each):
        found += [part] if isinstance(name, str) else _taken_apart(part, name)
    return found


def _unpacked(item: Any, count: int) -> list[object]:
    """The parts of an item; raises what Python does where there are more or fewer."""
    _check_iterable(item)
    if backend_of(item) is not None:
        item = unpacked(item, count)
    parts = list(itertools.islice(Rest(item), count + 1))
    if len(parts) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if len(parts) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(parts)})")
    return parts


def _check_iterable(item: object) -> None:
    kind = type(item)
    if found_in(kind, "__iter__") is None and found_in(kind, "__getitem__") is None:
        raise TypeError(f"cannot unpack non-iterable {kind.__name__} object")


def _with_shared(
    make: Callable[..., Sequence[Callable[[], object]]], targets: Sequence[str] | str
) -> tuple[Callable[[object], object], Callable[[object], object] | None]:
    """The functions of an item, where these take its parts from variables that closures share: all closures made by one
    comprehension see its last item."""
    made = make(*[None] * make.__code__.co_argcount)
    cells = {n: c for f in made for n, c in zip(f.__code__.co_freevars, f.__closure__ or ())}
    for name in make.__code__.co_varnames[: make.__code__.co_argcount]:
        if name in cells:
            del cells[name].cell_contents

    def place(item: object) -> None:
        names, parts = ([targets], [item]) if isinstance(targets, str) else (targets, _unpacked(item, len(targets)))
        for name, part in zip(names, parts):
            if name in cells:
                cells[name].cell_contents = part

    def of_item(item: object) -> object:
        place(item)
        return made[-1]()

    return (lambda item: made[0]()) if len(made) > 1 else of_item, of_item if len(made) > 1 else None


def set_comp(*arguments: Any, **options: Any) -> set[object]:
    """``{function(item) for item in items if keep(item)}``, as `list_comp` has it."""
    try:
        function, items, *test = arguments
        if dispatch.active and _has_no_order(items):
            items = given_by(items, _IN_ANY_ORDER)
        return set_(list_comp(function, items, *test, **options))
    except BaseException as error:
        if (unbound := as_users(error)) is not None:
            raise unbound from None
        raise


def dict_comp(function: Callable[..., object], items: object, *arguments: Any, **options: Any) -> dict[object, object]:
    """``{key: value for …}``, as `list_comp` has it: the function gives a key and its value."""
    try:
        return dict_(
            (generator if dispatch.active and are_staged(items) else list_comp)(function, items, *arguments, **options)
        )
    except BaseException as error:
        if (unbound := as_users(error)) is not None:
            raise unbound from None
        raise


def list_comp(
    function: Callable[..., Any],
    items: Any,
    keep: Callable[..., object] | None = None,
    nested: bool = False,
    shared: Sequence[str] | str | None = None,
    parts: Parts | None = None,
) -> list[object]:
    """``[function(item) for item in items if keep(item)]``; if `nested`, of all that each ``function(item)`` gives.

    The functions take the parts of an item; `parts` are their names as the target nests them, if it does.
    Where closures take the targets of the comprehension with them, these are the `shared` variables of the functions of
    the element and the condition, which `function` then makes.
    """
    if shared is None:
        one, test = _of_item(function, keep, parts)
    else:
        one, test = _with_shared(function, shared)
        function, keep = one, test
    try:
        if nested:
            found = _generated(one, test, items, nested)
            return collected([], found) if type(found) is Items else list_([*found])
        if not dispatch.active:
            return [one(item) for item in items if test is None or test(item)]
        items = given_by(items, ONE_BY_ONE)
        if (counted := as_counted(items, (function, keep))) is not None:
            items, one = used_up(items, counted), _of_counted(one, counted)
            test = None if test is None else _of_counted(test, counted)
        backend = backend_of(items)
        if type(items) is Items or (backend is not None and (test is not None or not _few(backend, items))):
            return collected([], items, one, test)
        made: list[object] = []
        rest, attempt = Rest(items), attempt_all() if type(items) is range else None
        start = 0 if attempt is None else len(attempt.recorded)
        for item in rest:
            if test is not None:
                value = protocols.truth_of(test(item))
                if type(value) is not bool and backend_of(value) is not None:
                    first = _with_first(value, test)
                    if type(items) is not range:
                        return collected(made, itertools.chain([item], rest), one, first)
                    longer = collected(made, [item], one, first)  # and of a long range the graph repeats the others
                    return _collect(longer, items[items.index(item) + 1 :], one, test)  # type: ignore[arg-type]
                if not value:
                    continue
            made.append(one(item))
            if attempt is not None and len(made) == _FIRST and _is_long(attempt, start, items, made):
                return collected(made, items[items.index(item) + 1 :], one, test)
        return list_(made, own=True)
    except BaseException as error:
        if (unbound := as_users(error, *((function, keep) if INLINED else ()))) is not None:
            raise unbound from None
        raise


def _of_counted(function: Callable[[object], object], counted: Counted) -> Callable[[object], object]:
    return lambda number: function(counted.item(number))


_FIRST = 2  # items that are gone through one by one before it is known whether it pays to have the graph do it
_LONG = 8  # times as many operations as a loop may have: of an element that is no list, how many there are stays known


def _is_long(attempt: Attempt, start: int, items: range, made: list[object]) -> bool:
    """Whether a comprehension would record more than a graph should hold of one loop."""
    most = attempt.unrolled * (1 if is_a(made[0], list) else _LONG)
    return attempt.counter is not None and attempt.operations(start) * len(items) / _FIRST > most


def _with_first(value: object, test: Callable[[object], object]) -> Callable[[object], object]:
    """The test whose first answer has been found, which is not asked for again: it may do something besides."""
    found = [value]
    return lambda item: found.pop() if found else test(item)


def collected(made: list[object], items: object, function: object = None, keep: object = None) -> list[object]:
    """The items in a list that the graph may make longer."""
    return _collect(list_(made, own=True), items, function, keep)


def _collect(made: list[object], items: object, function: object, keep: object) -> list[object]:
    return defined(definitions.collect)(made, items, function, keep)  # type: ignore[no-any-return]


def _few(backend: dispatch.Backend, items: object) -> bool:
    count = backend.call(operator.length_hint, (items,), {})
    return isinstance(count, int) and count <= _FEW


def generator(
    function: Callable[..., Any],
    items: object,
    keep: Callable[..., object] | None = None,
    nested: bool = False,
    shared: Sequence[str] | str | None = None,
    parts: Parts | None = None,
) -> Iterable[object]:
    """``(function(item) for item in items if keep(item))``, as `list_comp` has it."""
    if shared is not None:
        return _generated(*_with_shared(function, shared), items, nested)
    return _generated(*_of_item(function, keep, parts), items, nested)


def _generated(
    one: Callable[[object], Any], test: Callable[[object], object] | None, items: Any, nested: bool
) -> Iterable[object]:
    if dispatch.active:
        items = _InNoOrder(items) if _has_no_order(items) else given_by(items, ONE_BY_ONE)
    plain = backend_of(items) is None and type(items) is not Items
    if not dispatch.active or (plain and dispatch.tracing() is None):
        if nested:
            return (part for item in items if test is None or test(item) for part in one(item))
        return (one(item) for item in items if test is None or test(item))
    steps = (("nested" if nested else "map", one),)
    return Items(items, steps if test is None else (("filter", test), *steps))


def meaning(function: object) -> Callable[[tuple[object, ...], dict[str, object]], object]:
    """What knows what a built-in function makes of its arguments; that gives NotImplemented where Python does."""
    if function in (builtins.len, builtins.int, builtins.float):
        return functools.partial(_spoken, function)
    return functools.partial(_meaning, function)


def _given(*arguments: object) -> int:
    """How many references Python counts to what a call alone has been given, where `_meaning` does."""
    for argument in arguments:
        if argument is not None:
            break
    return _counted(arguments)


def _counted(arguments: tuple[object, ...]) -> int:
    items = arguments[0]
    return sys.getrefcount(items)


_ALONE = _given(object())


def _spoken(function: object, arguments: tuple[object, ...], keywords: dict[str, object]) -> object:
    """What a built-in function makes of an object of the user's that says so."""
    if not arguments or arguments[1:] or keywords:
        return NotImplemented
    return protocols.result_of(function, arguments[0])


def _meaning(function: object, arguments: tuple[Any, ...], keywords: dict[str, object]) -> object:
    """What a built-in function makes of staged items, or of a Python list with staged values in it.

    It asks nothing of the built-in functions that it can do without: a program may have put another in their place.
    """
    if arguments and type(arguments[0]) is Items and _minds_no_order(function, keywords):
        arguments[0].in_any_order()
    if function in _GOING_THROUGH and any(map(stands_in, arguments)):
        if function is builtins.sorted and (ordered := found_in(type(arguments[0]), "ordered")) is not None:
            return call(ordered, *arguments, **keywords)
        if function in _LAZY:
            given: list[Any] = [_to_be_held(argument) for argument in arguments]
        else:
            way = _IN_ANY_ORDER if _minds_no_order(function, keywords) else ""
            way = ONE_BY_ONE if keywords.get("key") is not None else way
            given = [given_by(argument, way) for argument in arguments]
        return list_(given[0]) if function is builtins.list else call(function, *given, **keywords)
    if function is builtins.map or function is builtins.filter:
        right = arguments[1:] and (function is builtins.map or not arguments[2:])
        return _lazily(function, arguments, keywords) if right else NotImplemented
    if function is builtins.hasattr or function is builtins.getattr:
        right = arguments[1:] and not arguments[2 + (function is builtins.getattr) :]
        right = right and (type(arguments[1]) is str or backend_of(arguments[1]) is not None)
        return _attribute(function, *arguments) if right and not keywords else NotImplemented
    if function is builtins.vars or function is builtins.dir:
        right = arguments and not arguments[1:] and not keywords
        return _listed(function, *arguments) if right else NotImplemented
    if function is builtins.type and arguments and not arguments[1:]:
        backend = dispatch.tracing()
        return NotImplemented if backend is None else backend.call(function, arguments, {})
    if arguments and not arguments[1:] and not keywords:
        result = protocols.result_of(function, arguments[0])
        if result is not NotImplemented:
            return result
    if function in texts.BUILTINS and arguments and not keywords:
        return texts.of_text(function, arguments, keywords)
    if function in _ORDERING[:2] and arguments[1:] and dispatch.tracing() is not None:
        parts = keywords.get("key") is not None or dispatch.staged_within(arguments)
        parts = parts or any(map(protocols.orders_staged, arguments))
        if parts and set(keywords) <= {"key"} and dispatch.staged_in(arguments) is None:
            return defined(_DEFINED[function])(arguments, **keywords)
    if function is builtins.next and arguments and type(arguments[0]) is Items and not keywords and not arguments[2:]:
        return _first(*arguments)
    if not arguments or function not in _DEFINED or len(arguments) > 1 + (function is builtins.sum):
        return NotImplemented
    return _of_items_alone(function, arguments, keywords)


def _of_items_alone(function: object, arguments: tuple[Any, ...], keywords: dict[str, object]) -> object:
    """What a built-in function makes of the items of its first argument, which may be staged."""
    items = arguments[0]
    is_made = sys.getrefcount(items) <= _ALONE + handed.references(items)  # for this call
    if type(items) is Items:
        items.is_alone = is_made
    if function is builtins.list and not keywords and (id(type(items)) in _LISTED or _gives_items(items)):
        return list_([*items])
    if type(items) is range and function in _ORDERING[:2] and keywords.get("key") is not None and items:
        return defined(_DEFINED[function])(items, **keywords) if dispatch.tracing() is not None else NotImplemented
    if function in _ORDERING and not arguments[1:] and (found := _gone_through(function, items, keywords)) is not None:
        return _of_items(function, found, keywords)
    is_generator = type(items) is types.GeneratorType and dispatch.tracing() is not None
    if function in _TRUTHS and (is_generator or _gives_items(items)):
        # What it gives may be staged, and is asked for its truth.
        given = items if is_generator else (item for item in items)  # which asks it for its iterator once
        return _one_by_one(function, given, items if is_made else None)
    if type(items) is Items and function in _BY_ONE and not keywords and not arguments[1:] and items.is_counted():
        return _one_by_one(function, iter(items), items if is_made else None)
    if (type(items) is Items and items.is_whole()) or (
        backend_of(items) is None
        and (found := dispatch.elements(items))
        and (
            dispatch.staged_within(found)
            or (function in _ORDERING and keywords.get("key") is not None and dispatch.tracing() is not None)
            or (function in _TRUTHS and any(map(protocols.says_truth, found)))
            or (function in _ORDERING and any(map(protocols.orders_staged, found)))
        )
    ):
        if type(items) is Items and function in (builtins.enumerate, builtins.sorted, builtins.reversed):
            return converted(function)(collected([], items), *arguments[1:], **keywords)
        if function is builtins.sorted and (backend := dispatch.tracing()) is not None:
            return backend.call(sorted, (list_([*items]),), keywords)
        definition = _DEFINED[function]
        return NotImplemented if definition is None else defined(definition)(*arguments, **keywords)
    return NotImplemented


def stands_in(items: object) -> bool:
    """Whether it stands for one of Python's containers, and says itself what its items are."""
    return is_made_later(type(items)) and is_converted_always(module_of_class(type(items)))


def are_staged(items: object) -> bool:
    """Whether something of a backend's has the items, or makes them."""
    return stands_in(items) or backend_of(items) is not None or type(items) is Items


def given_by(items: object, way: str = "") -> object:
    """What to go through for the items: a list, or what this method gives, if there is one.

    One by one they are those that there are when each is asked for; a set may have them in no order.
    """
    if not stands_in(items):
        return items
    name = way if way and found_in(type(items), way) is not None else "as_list"
    return call(found_in(type(items), name), items)


ONE_BY_ONE, _IN_ANY_ORDER = "one_by_one", "in_any_order"


def _has_no_order(items: object) -> bool:
    """Whether it stands for a set, whose order is not known."""
    kind = type(items)
    return stands_in(items) and found_in(kind, ONE_BY_ONE) is None and found_in(kind, _IN_ANY_ORDER) is not None


def _minds_no_order(function: object, keywords: Iterable[str]) -> bool:
    """Whether what a built-in function makes of items does not depend on their order."""
    return function in _UNORDERED and {*keywords} <= {"reverse", "default"}


def _to_be_held(items: object) -> object:
    """What to go through for an iterator that may be held by name: where Python counts the items a list, as it is known
    how far the iterator over one has gone."""
    found = given_by(items, ONE_BY_ONE)
    return found if backend_of(found) is not None else given_by(items)


def _first(items: Items, *default: object) -> object:
    """``next(x for x in xs if wanted(x))``, where the graph may say which item that is; nobody can go on then."""
    if items._found is not None or items.steps[:1] == () or any(step == "nested" for step, _ in items.steps):
        return NotImplemented
    (step, test), *after = items.steps
    source: Any = items.source
    if step != "filter":
        return NotImplemented
    if type(source) is Rest:
        for item in source:
            value = protocols.truth_of(test(item))
            if type(value) is not bool and backend_of(value) is not None:
                source, test = itertools.chain([item], source), _with_first(value, test)
                break
            if value:
                return functools.reduce(lambda made, one: one[1](made), after, item)
        else:
            return next(iter(()), *default)
    made = Items(source, ((step, test), *after))
    items.steps, items._found = (), _not_known()
    return defined(definitions.first)(made, *default)


def _not_known() -> Iterator[object]:
    raise StagingError(
        "next() has asked this generator for an item that only the graph can tell: nobody knows which are left. "
        "Make a list of it first, and take items of that."
    )
    yield


def _gives_items(items: object) -> bool:
    """Whether an object of the user's says what its items are, about which the graph may decide."""
    return dispatch.tracing() is not None and backend_of(items) is None and gives_items(items)


def _gone_through(function: object, items: Iterable[object], keywords: dict[str, object]) -> list[object] | None:
    """The items that an iterator of Python's gives, for a built-in function that compares them; None where that is to
    go through them itself."""
    if dispatch.tracing() is None or backend_of(items) is not None:
        return None
    if type(items) is Items:
        return [*items] if items.is_counted() else None
    if gives_items(items) and function is not builtins.sorted:
        return [item for item in items]  # which asks for no length
    gives = id(type(items)) in _GIVERS or (type(items) is range and keywords) or gives_items(items)
    return [*items] if gives else None


def _of_items(function: Callable[..., object], items: list[object], keywords: dict[str, object]) -> object:
    """What a built-in function that compares items makes of these."""
    in_c = keywords.get("key") is None and not dispatch.staged_within(items)
    if not items or (in_c and not any(map(protocols.orders_staged, items))):
        return function(items, **keywords)
    if function is builtins.sorted:
        return call(sorted, list_(items), **keywords)
    return defined(_DEFINED[function])(items, **keywords)


def _one_by_one(function: Callable[..., object], items: Iterator[object], alone: object) -> object:
    """What a built-in function makes of items that Python counts: it does so itself as long as they are numbers.

    They come from an iterator that is `alone`, if nobody else has that.
    """
    made: list[object] = []
    for item in items:
        if type(item) is not int and type(item) is not float and type(item) is not bool:
            return defined(_DEFINED[function])(Rest(itertools.chain([*made, item], items), alone))  # type: ignore[arg-type]
        if function not in _TRUTHS:
            made.append(item)
        elif bool(item) is (function is builtins.any):
            return bool(item)
    return function(made)


def _attribute(function: object, holder: object, name: str, *default: object) -> object:
    """``hasattr`` and ``getattr`` of an attribute that is there only as the graph decides."""
    if backend_of(name) is not None:
        raise StagingError(
            f"{'hasattr' if function is builtins.hasattr else 'getattr'}() wants the name of an attribute as text, and "
            f"{name} gets its value only when the graph runs. Choose with `if`, or keep the values in a list or a "
            "tensor and index that."
        )
    value = slot_in(holder, name) if name in slots_of(type(holder)) else (attributes_of(holder) or {}).get(name)
    absent = _is_absent(value)
    if absent is False:
        return NotImplemented
    if function is builtins.hasattr:
        return backend_of(value).not_(absent)  # type: ignore[union-attr]
    return defined(definitions.attribute_or)(absent, default[0], value) if default else NotImplemented


def _is_absent(value: object) -> object:
    """Whether a variable is unbound: False where it is known to be bound, or else what the graph says."""
    backend = backend_of(value)
    absent = False if backend is None else backend.call(operator.is_, (value, dispatch.UNDEFINED), {})
    return False if absent is NotImplemented else absent


def _listed(function: object, holder: object) -> object:
    """``vars`` and ``dir`` of an object all of whose attributes are there, whatever the graph decides."""
    attributes = attributes_of(holder) or {} if dispatch.tracing() is not None else {}
    for name in [name for name, value in attributes.items() if backend_of(value) is not None]:
        if _is_absent(attributes[name]) is not False:
            called = "vars" if function is builtins.vars else "dir"
            raise StagingError(
                f"{called}() tells at once which attributes an object has, and only the graph knows whether this "
                f"{type(holder).__name__} has '{name}'. Ask hasattr(..., '{name}'), or assign it in all cases."
            )
    return NotImplemented


def _lazily(function: object, arguments: tuple[Any, ...], keywords: dict[str, object]) -> object:
    """``map`` and ``filter``: Python's own, unless only the graph can count the items or tell which to keep."""
    called, items, *more = arguments
    staged = any(type(i) is Items or backend_of(i) is not None for i in (items, *more))
    if function is builtins.filter:
        if not staged and (called is None or dispatch.tracing() is None):
            return filter(applied(called) if called is not None else None, items, **keywords)
        test = converted(called) if called is not None else lambda item: item
        made = Items.of(items).each("filter", test, filter)
        made._function = called
        return made
    if not staged:
        return map(applied(called), items, *more, **keywords)
    called = converted(called)
    if more:
        return Items(converted(builtins.zip)(items, *more)).each("map", lambda item: called(*item), map)
    return Items.of(items).each("map", called, map)


_DEFINED: dict[object, object] = {
    builtins.sum: definitions.sum_,
    builtins.any: definitions.any_,
    builtins.all: definitions.all_,
    builtins.min: None,
    builtins.max: None,
    builtins.list: definitions.collect_all,
    builtins.enumerate: None,
    builtins.sorted: None,
    builtins.reversed: None,
}


def define(function: object, definition: object) -> None:
    """Tell how a built-in function of items is defined, where that takes operators which build on these."""
    _DEFINED[function] = definition


_TRUTHS = (builtins.any, builtins.all)
_BY_ONE = (*_TRUTHS, builtins.sum, builtins.min, builtins.max)
# What goes through items, what of that does not mind in which order, and what asks for one when it is asked for one.
_GOING_THROUGH = frozenset(
    (list, tuple, enumerate, zip, map, filter, iter, reversed, sum, any, all, min, max, sorted)
)  # fmt: skip
_UNORDERED = frozenset((sorted, min, max, any, all))
_LAZY = frozenset((enumerate, zip, map, filter, iter, reversed))
_ORDERING = (builtins.min, builtins.max, builtins.sorted)
# What knows nothing of staged items, and gives those that it has to whoever asks.
_GIVERS = dispatch.kinds(
    enumerate, zip, map, filter, reversed, type({}.keys()), type({}.values()), type({}.items()), types.GeneratorType,
    str, bytes, dict, set, frozenset, itertools.accumulate, itertools.chain, itertools.combinations,
    itertools.combinations_with_replacement, itertools.islice, itertools.pairwise, itertools.permutations,
    itertools.product, itertools.starmap, itertools.zip_longest,
)  # fmt: skip
_LISTED = dispatch.kinds(range, tuple, list)
_LISTED |= _GIVERS  # in place: what passes for a list is added to the set that `kinds` has made

calls.set_meanings(meaning, texts.made)
