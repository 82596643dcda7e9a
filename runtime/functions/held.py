"""What the objects, functions and modules of a program held when a graph was made that reads them: with something else
in them it is another graph."""

from __future__ import annotations

import array
import contextvars
import functools
import itertools
import operator
import os
import types
import weakref
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph import UNSET
from autograph.operators.mutations import global_names
from autograph.reading import (
    attributes_of,
    content_of,
    held_by,
    is_made_later,
    is_own,
    members_of,
    module_of_class,
    order_of,
    slots_of,
)
from autograph.rules import is_left_alone
from runtime.graph.dtypes import NumPyArray

_NUMBERS = (bool, int, float, complex, str, bytes)
_BYTES = (bytearray, array.array, memoryview)
_COMPARED = 1 << 18  # bytes of an array that is looked at for what was written into it
_MOST_TESTS = 1000  # of objects; of more it is not asked: that would take longer than the graph
_DEEPEST = 4  # lists, tuples and dictionaries in one another
_MOST = 200  # elements of one: a longer one is what it is by its length and its identity

Test = Callable[[Any], bool]
Find = Callable[[], Any]


@dataclass
class Free:
    """What is not asked for: arrays by their identities and places of numbers, which each call looks up, and what is in
    lists of these identities. What is found on the way: the other arrays that are `met`, and whether nobody looks at
    the elements of some (`large`)."""

    arrays: Collection[int] = ()
    places: Collection[object] = ()
    lists: Collection[int] = ()
    large: bool = False
    met: list[NumPyArray] = field(default_factory=list)


class Held:
    """What some objects hold that code can ask for: numbers, arrays and other objects by identity, small arrays by
    their elements, too, lists and dictionaries by what is in them.

    Args:
      objects: each with the names that are asked for, or None for all: attributes; of functions the variables around
        and of the module, too.
      containers: what is asked for its elements.
      refer: gives what finds an object, for it not to be kept alive.
      others: what else has to hold.
      but: what may be any.

    `has_large` says that there are arrays which the program may write without anybody's noticing, and `arrays` gives
    all of them.
    """

    _tests: list[tuple[Find, Test]]

    def __init__(
        self,
        objects: Iterable[tuple[object, frozenset[str] | None]] = (),
        containers: Iterable[object] = (),
        refer: Callable[[Any], Find] = weakref.ref,
        others: Sequence[Held] = (),
        but: Free | None = None,
    ) -> None:
        but = but or Free()
        self._tests = [test for other in others for test in other._tests]
        tests = ((one, test) for one, names in objects for test in _tests_of(one, names, but))
        self._tests += [(refer(one), test) for one, test in itertools.islice(tests, _MOST_TESTS)]
        self._tests += [(refer(one), _test(one, but)) for one in containers if isinstance(one, _CONTAINERS)]
        self.has_large = but.large
        self.arrays: list[Find] = [find for other in others for find in other.arrays]
        self.arrays += [weakref.ref(array) for array in but.met]

    @classmethod
    def of_answer(cls, ask: Callable[[], object], answer: object) -> Held:
        """That something gives this answer whenever it is asked."""
        made = cls()
        made._tests.append((lambda: ask, lambda ask: bool(ask() == answer)))
        return made

    def __bool__(self) -> bool:
        return bool(self._tests)

    def holds(self) -> bool:
        """Whether all is as it was; objects that are gone are asked for by nobody."""
        for find, test in self._tests:  # noqa: SIM110 (it is asked at each call)
            if (one := find()) is not None and not test(one):
                return False
        return True


def _tests_of(one: Any, names: frozenset[str] | None, but: Free) -> Iterator[Test]:
    """What asks an object for what it holds."""
    kind = type(one)
    if isinstance(one, type):
        if is_made_later(one) and not is_left_alone(module_of_class(one)):
            own, inherited = members_of(one), {name for kind in order_of(one)[1:] for name in members_of(kind)}
            absent = frozenset((inherited if names is None else inherited & names) - own.keys())
            yield from _of_variables(members_of, _data(own, names), one, but, absent)
    elif isinstance(one, types.ModuleType):
        yield from _of_variables(vars, _data(vars(one), names), vars(one), but)
    elif isinstance(one, contextvars.ContextVar):
        is_same = _test(one.get(None), but)
        yield lambda variable: is_same(variable.get(None))
    elif kind is types.FunctionType:
        missing = None if names is None else frozenset[str]()  # which it has seldom, and is asked for by getattr
        yield from _of_variables(vars, _data(vars(one), names), one, but, missing, len(vars(one)))
        module, wanted = one.__globals__, global_names(one.__code__)[0]
        yield from _of_variables(operator.attrgetter("__globals__"), _data(module, wanted), module, but)
        yield from _of_cells(one, but)
        if one.__defaults__ or one.__kwdefaults__:
            yield from _of_variables(_defaults, _defaults(one), one, but)
    elif (is_made_later(kind) or kind is types.SimpleNamespace) and not is_own(module_of_class(kind)):
        yield lambda now: type(now) is kind
        held = held_by(one)
        missing = None if names is None else names - held.keys()
        asked = {key: part for key, part in held.items() if names is None or key in names}
        if missing is None or attributes_of(one) is not None:
            yield from _of_variables(held_by if slots_of(kind) else attributes_of, asked, one, but, missing, len(held))
        elif asked:
            yield from _of_variables(held_by, asked, one, but)


def _of_variables(
    read: Callable[[Any], Mapping[str, Any] | None], held: Mapping[str, object], holder: object, but: Free,
    missing: frozenset[str] | None = frozenset(), count: int = 0,
) -> Iterator[Test]:  # fmt: skip
    """What asks whether names stand for what they did, and for nothing if they are `missing`; where these are not
    known, there are as many names as there were."""
    tests = [(key, _test(value, but)) for key, value in held.items() if (id(holder), key) not in but.places]

    def are_the_same(one: Any) -> bool:
        now = read(one) or {}
        if len(now) != count if missing is None else bool(missing) and not missing.isdisjoint(now):
            return False
        for key, is_same in tests:  # noqa: SIM110
            if not is_same(now.get(key, UNSET)):
                return False
        return True

    if tests or missing is None or missing:
        yield are_the_same


def _defaults(function: types.FunctionType) -> dict[str, object]:
    return {"__defaults__": function.__defaults__, "__kwdefaults__": function.__kwdefaults__}


def _of_cells(function: types.FunctionType, but: Free) -> Iterator[Test]:
    """What asks for the variables of the functions around."""
    for number, cell in enumerate(function.__closure__ or ()):
        content = content_of(cell)
        if content and _is_data(content[0]) and (id(cell), None) not in but.places:
            yield functools.partial(_is_in_cell, number, _test(content[0], but))


def _is_in_cell(number: int, is_same: Test, function: Any) -> bool:
    return is_same((content_of(function.__closure__[number]) or [UNSET])[0])


def _data(variables: Mapping[str, object], names: Iterable[str] | None) -> dict[str, object]:
    """The variables of these names that stand for something that a program computes with."""
    names = variables if names is None else names
    return {name: variables[name] for name in names if name in variables and _is_data(variables[name])}


def _is_data(value: object) -> bool:
    """Whether a variable may well stand for something else later; what is imported by name seldom does."""
    return not isinstance(value, types.ModuleType)


def _test(value: Any, but: Free, deep: int = 0) -> Test:
    """What asks whether another value is this one."""
    kind = type(value)
    if id(value) in but.arrays:
        return lambda now: type(now) is kind
    if id(value) in but.lists:
        return _by_identity(value)
    if kind in _NUMBERS:
        return lambda now: now is value or (type(now) is kind and now == value and repr(now) == repr(value))
    if isinstance(value, (*_NUMBERS, types.NoneType, np.generic)) or _is_of_module(value):
        return lambda now: now is value
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        but.met.append(value)
        if value.nbytes > _COMPARED:
            but.large = True
            return lambda now: now is value
        before = value.tobytes()
        return lambda now: now is value and now.tobytes() == before
    if isinstance(value, _BYTES) and len(value) <= _COMPARED:
        content = bytes(value)
        return lambda now: type(now) is kind and bytes(now) == content
    if (read := next((read for base, read in _READERS if isinstance(value, base)), None)) is None:
        return _by_identity(value)
    parts = read(value)
    if deep >= _DEEPEST or len(parts) > _MOST:
        number, count = id(value), len(parts)
        return lambda now: id(now) == number and len(now) == count
    asked = {key: part for key, part in parts.items() if not but.places or (id(value), key) not in but.places}
    keys, tests = [*parts], [(key, _test(part, but, deep + 1)) for key, part in asked.items()]

    def is_alike(now: Any) -> bool:
        if type(now) is not kind:
            return False
        found = read(now)
        return [*found] == keys and all(is_same(found[key]) for key, is_same in tests)

    return is_alike


def _is_of_module(value: object) -> bool:
    return isinstance(value, types.BuiltinFunctionType) and isinstance(value.__self__, types.ModuleType)


def _numbered(values: Iterable[object]) -> dict[Any, object]:
    return dict(enumerate(values))


_EMPTY: dict[object, object] = {}

# How to read what a container holds: by its keys, or in order.
_READERS: tuple[tuple[type, Callable[[Any], dict[Any, object]]], ...] = (
    (list, lambda value: _numbered(list.__iter__(value))),
    (tuple, lambda value: _numbered(tuple.__iter__(value))),
    (dict, dict.copy),
    (type(os.environ), dict),
    (types.MappingProxyType, dict),
    (set, _numbered),
    (frozenset, _numbered),
    (deque, _numbered),
    (np.ndarray, lambda value: _numbered(value.ravel().tolist())),
    (functools.partial, lambda value: {"func": value.func, "args": value.args, "keywords": value.keywords}),
    (types.BuiltinMethodType, lambda value: {"self": value.__self__, "name": value.__qualname__}),
    *((type(getattr(_EMPTY, view)()), _numbered) for view in ("keys", "values", "items")),
)


_CONTAINERS = (*_BYTES, *(kind for kind, _ in _READERS))


def _by_identity(value: object) -> Test:
    try:
        reference = weakref.ref(value)
    except TypeError:
        number, kind = id(value), type(value)
        return lambda now: id(now) == number and type(now) is kind
    return lambda now: now is reference()


NOTHING_HELD = Held()
