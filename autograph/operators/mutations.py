"""What a staged statement may change besides its own variables: whatever it can reach.

Tracing runs the user's code, so what it does to lists, dictionaries, objects and variables of other functions really
happens. All of it is looked at before and after: each place that differs is put back, and joins the state of the
statement, wherever in the callees the change was made.
"""

from __future__ import annotations

import contextvars
import copy
import dis
import functools
import operator
import types
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, TypeVar

from autograph.dispatch import UNDEFINED, UNSET, Name, Role, holder_of, progress, roots, ties, wholes
from autograph.errors import StagingError
from autograph.identity import ByIdentity
from autograph.operators.appended import name_of, uses
from autograph.operators.behind import behind, elements_in, functions_in, is_called
from autograph.operators.buffers import Buffer, Closed, copies, is_buffer, put_back
from autograph.operators.calls import meet_class
from autograph.operators.fixed import (
    GROWING,
    Fact,
    facts_of,
    grown,
    holds,
    inside,
    put_in_order,
    reordered_error,
)
from autograph.operators.places import AttributePlace, CellPlace, ContentPlace, ItemPlace, Place, QueuePlace
from autograph.reading import (
    attributes_of,
    found_in,
    is_a,
    is_exactly,
    is_made_later,
    members_of,
    module_of_class,
    order_of,
    reached,
    slot_in,
    slots_of,
)
from autograph.rules import is_converted_always, is_left_alone, why_function_stays

_MOST = 20_000  # objects looked at; what lies behind them is taken not to change
_ATOMS = frozenset(
    id(kind)  # a type need not be hashable
    for kind in (int, float, bool, complex, str, bytes, type(None), type(Ellipsis), range, slice) + (types.CodeType,)
)
_APART = frozenset(("autograph", "runtime", "logging"))  # nothing that is traced depends on what their objects hold
_FOLLOWED = frozenset(  # of the standard library: what holds things
    "collections weakref types queue argparse contextlib graphlib sched configparser shlex html email "
    "functools _weakrefset".split()
)

_CONTAINERS = (list, tuple, frozenset, dict, *GROWING)

Key = TypeVar("Key")
Path = Any  # a text; or the path of an object, whether it is an item of it, and the key: spelled out when needed


def _spelled(path: Path) -> Name:
    if isinstance(path, str):
        return Name(path, Role.VARIABLE)
    holder, item, key = path
    if item:
        return Name(f"{_spelled(holder)}[{key!r}]", Role.ITEM)
    return Name(f"{_spelled(holder)}.{key}", Role.ATTRIBUTE)


@dataclass
class Left:
    """What has changed of what was there."""

    first: str  # the name of the first of it; empty if nothing has
    staged: list[Place]  # what holds something staged by now
    plain: list[Place]  # what does not
    others: list[tuple[str, object]]  # by its name, what does not as far as attributes and elements show
    is_simple: bool  # is it the places alone, each of which may be there before and after, and what is appended?
    appended: list[tuple[list[object], int]] = field(default_factory=list)  # to lists, and how long they were


class Mutations:
    """What can be reached from functions, as it is now; `known` are the places that are state anyway.

    `restores` says that all is put back to be traced again, what arrays hold too; `variables` are looked at besides the
    functions, and `iterators` tells whether these have to stay where they are.
    """

    def __init__(
        self, functions: Iterable[object], known: Iterable[object] = (), restores: bool = False,
        variables: Iterable[tuple[str, object]] = (), iterators: bool = True,
    ) -> None:  # fmt: skip
        self._iterators = iterators
        self._known = set(known)  # the identities of their places
        self._cells: list[tuple[Path, types.CellType, object]] = []
        self._globals: list[tuple[Path, dict[str, object], object]] = []
        self._dicts: list[tuple[Path, dict[Any, object], dict[Any, object]]] = []
        self._objects: list[tuple[Path, Any, dict[str, object]]] = []
        self._lists: list[tuple[Path, list[object], list[object]]] = []
        self._facts: list[Fact] = []
        self._restores = restores
        self._progress: list[tuple[object, object]] = []
        self._contents: list[tuple[Path, object, object]] = []
        self._arrays: list[tuple[str, Buffer]] = []  # that can be written
        self._codes: list[types.CodeType] = []  # of the functions
        self._context: list[object] = []  # variables of contextvars
        self._libraries: list[tuple[types.ModuleType, frozenset[str]]] = []  # and what code takes from them
        self._asks_for_any = False  # does something ask for attributes by names that nobody sees?
        self._seen: dict[object, object] = {}  # holds on to what it has seen, so that ids stay theirs
        self._names: dict[int, list[Path]] = {}
        self._waiting: list[tuple[Path, object]] = []
        self._roots: set[types.CodeType] = set()
        for function in functions:
            called = function.__func__ if type(function) is types.MethodType else function
            if type(called) is types.FunctionType:
                self._roots.add(called.__code__)
            if type(function) is types.FunctionType:
                self._function(function)
            elif function is not None:
                self._waiting.append(("", function))
        self._waiting += variables
        for find in roots:
            self._waiting += find()
        while self._waiting and len(self._seen) < _MOST:
            self._look(*self._waiting.pop())
        self._copies = copies(self._arrays) if restores else []

    # Looking.

    def _look(self, name: Path, value: Any) -> None:
        kind = type(value)
        if id(kind) in _ATOMS or (kind is types.BuiltinFunctionType and type(value.__self__) is types.ModuleType):
            return
        self._names.setdefault(id(value), []).append(name)
        if id(value) in self._seen:
            return
        self._seen[id(value)] = value
        if kind is contextvars.ContextVar:
            self._context.append(value)
        if self._restores and id(kind) in progress:
            self._progress.append((value, progress[id(kind)][0](value)))
        if id(kind) in wholes:
            self._waiting += [(name, whole) for whole in wholes[id(kind)](value)]
            if self._iterators and found_in(kind, "__next__") is not None:
                self._facts += facts_of(name, value)  # how far it has got
            return
        holder = holder_of(value)
        if holder is None and (self._iterators or found_in(kind, "__next__") is None):
            self._facts += facts_of(name, value)
        if holder is not None:
            self._contents.append((name, value, holder.content(value)))
            self._waiting += [(name, other) for other in ties[id(kind)](value)] if id(kind) in ties else []
            if not issubclass(kind, list):
                return
        if issubclass(kind, list):
            elements = [*list.__iter__(value)]
            if holder is None:
                self._lists.append((name, value, elements))
            self._elements(name, elements)
        elif issubclass(kind, tuple):
            self._elements(name, [*tuple.__iter__(value)])
        elif issubclass(kind, frozenset):
            self._elements(name, [*frozenset.__iter__(value)])
        elif issubclass(kind, dict):
            self._dicts.append((name, value, dict.copy(value)))
            self._waiting += [((name, True, k), v) for k, v in dict.items(value) if id(type(v)) not in _ATOMS]
        elif issubclass(kind, set | deque):
            self._elements(name, [*(set if issubclass(kind, set) else deque).__iter__(value)])
        elif is_buffer(value):
            self._arrays.append((_spelled(name), value))
            self._elements(name, elements_in(value))
        elif kind is types.FunctionType:
            if why_function_stays(value) is None or _is_definition(value):
                self._function(value)
            else:
                self._waiting += [(name, function) for function in functions_in(value)]
        elif kind is types.MethodType:
            self._waiting += [(name or "self", value.__self__), (name, value.__func__)]
            if type(value.__func__) is types.FunctionType:
                self._roots.add(value.__func__.__code__)  # it is called by whatever name it is kept under
        elif kind is types.BuiltinFunctionType or kind is types.MethodWrapperType:
            self._waiting.append((name, value.__self__))  # what a method of C's may change
        elif kind is operator.attrgetter or kind is operator.methodcaller:
            self._asks_for_any = True
        elif kind is functools.partial:
            self._waiting += [(name, value.func), (name, value.args), (name, value.keywords)]
        elif kind is types.CellType:
            self._cell(name, value)
        elif issubclass(kind, type):
            home = module_of_class(value)
            if not is_left_alone(home) and not is_converted_always(home):
                self._class(value)
        elif issubclass(kind, types.ModuleType):
            self._module(name, value)
        else:
            self._object(name, value)
            return
        if is_made_later(kind) and issubclass(kind, _CONTAINERS) and holder is None:
            self._object(name, value)  # one of Python's containers, and more

    def _elements(self, name: Path, values: Sequence[object]) -> None:
        if not _ATOMS.issuperset(map(id, map(type, values))):
            self._waiting += [((name, True, i), v) for i, v in enumerate(values) if id(type(v)) not in _ATOMS]

    def _function(self, function: types.FunctionType) -> None:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            if id(cell) not in self._seen:
                self._seen[id(cell)] = cell
                self._cell(name, cell)
        if is_converted_always(function.__globals__.get("__name__")):
            return  # what else this library's own types use stays as it is
        self._codes.append(function.__code__)
        names, stored = global_names(function.__code__)
        module = function.__globals__
        if "globals" in names and "globals" not in module:
            stored = frozenset(k for k in module if type(k) is str and not _is_pythons(k))
            names |= stored
        for name in names:
            if name not in module and name not in stored:
                continue
            value = module.get(name, UNDEFINED)
            if value is copy or (type(value) is types.FunctionType and value.__module__ == "copy"):
                self._asks_for_any = True
            if name in stored and (id(module), name) not in self._known and (id(module), name) not in self._seen:
                self._seen[id(module), name] = module
                self._globals.append((name, module, value))
            if type(value) is types.ModuleType:
                self._waiting += self._used(name, value, names)
            elif id(type(value)) not in _ATOMS:
                self._waiting.append((name, value))
        if not _is_definition(function):
            self._objects.append((function.__name__, function, dict(function.__dict__)))
            self._waiting += [((function.__name__, False, k), v) for k, v in function.__dict__.items()]
        self._waiting += [(function.__name__, default) for default in function.__defaults__ or ()]
        if function.__kwdefaults__:
            self._waiting.append((function.__name__, function.__kwdefaults__))

    def _cell(self, name: Path, cell: types.CellType) -> None:
        try:
            value = cell.cell_contents
        except ValueError:
            value = UNDEFINED
        if (id(cell), None) not in self._known:
            self._cells.append((name, cell, value))
        if id(type(value)) not in _ATOMS:
            self._waiting.append((name, value))

    def _used(self, name: Path, module: types.ModuleType, names: Iterable[str]) -> list[tuple[Path, object]]:
        """A module of the user's, and what code that has these names may take from it."""
        if is_left_alone(_variables(module).get("__name__")):
            self._libraries.append((module, _containers_of(module, names)))
            return [(name, method.__self__) for method in _methods_of(module, names)]
        found: list[tuple[Path, object]] = [(name, module)]
        for key in names:
            value = _variables(module).get(key)
            if type(value) is types.ModuleType and value is not module:
                found += [((name, False, key), value)] if not is_left_alone(_variables(value).get("__name__")) else []
            elif id(type(value)) not in _ATOMS:
                found.append(((name, False, key), value))
        return found

    def _module(self, name: Path, module: types.ModuleType) -> None:
        if not is_left_alone(_variables(module).get("__name__")):
            self._objects.append((name, module, dict(_variables(module))))

    def _class(self, value: type) -> None:
        name = class_name(value)
        held = _held(value)
        for key, part in held.items():
            if type(part) is property:
                self._waiting += [(key, f) for f in (part.fget, part.fset, part.fdel) if f is not None]
            elif is_exactly(part, staticmethod, classmethod):
                self._waiting.append((key, part.__func__))
            elif id(type(part)) not in _ATOMS:
                self._waiting.append((key if type(part) is types.FunctionType else (name, False, key), part))
        self._objects.append((name, value, held))
        self._waiting += [(class_name(base), base) for base in (type(value), *order_of(value)[1:])]

    def _object(self, name: Path, value: object) -> None:
        kind = type(value)
        home = module_of_class(kind)
        users = not is_left_alone(home)
        root = (home or "").partition(".")[0]
        if (inner := inside(value)) or (inner := behind(value)):
            self._waiting += [(name, part) for part in inner]
            return
        if not users and (root in _APART or attributes_of(value) is None):
            return
        held = _held(value)
        self._objects.append((name, value, held))
        if users:
            meet_class(kind)
            self._waiting.append((class_name(kind), kind))
        # What another library's object refers to is its own affair, but for arrays and functions.
        follows = users or root in _FOLLOWED or issubclass(kind, BaseException)
        if issubclass(kind, BaseException):
            held = {**held, "args": BaseException.args.__get__(value)}  # type: ignore[attr-defined]
        for key, part in held.items():
            followed = follows or _is_array(part) or is_called(part) or found_in(type(part), "__next__") is not None
            if id(type(part)) not in _ATOMS and followed:
                self._waiting.append(((name, False, key), part))

    def closed(self) -> Closed:
        """No array that was found can be written meanwhile."""
        return Closed(self._arrays, any(map(_holds_clauses, self._codes)))

    @functools.cached_property
    def _parts(self) -> dict[int, Any]:
        """What each thing that was found held, by its identity."""
        cells: dict[int, object] = {id(cell): {None: old} for _, cell, old in self._cells}
        for _, module, _ in self._globals:
            cells[id(module)] = {name: old for name, other, old in self._globals if other is module}
        return cells | {id(held): known for _, held, known in (*self._objects, *self._dicts, *self._lists)}

    def names_of(self, value: object) -> list[str]:
        """By what names an object was known; none if it was not there."""
        return [spelled for name in self._names.get(id(value), ()) if (spelled := _spelled(name))]

    def has(self, value: object) -> bool:
        """Whether an object was there; the dictionary of its attributes was there with it."""
        return id(value) in self._seen or (
            type(value) is dict and any(attributes_of(held) is value for _, held, _ in self._objects)
        )

    def found(self, identity: int) -> object:
        """The object that was there with this identity; UNSET if none was, as far as that is known."""
        return self._seen.get(identity, UNSET)

    def readable(self) -> list[tuple[object, frozenset[str] | None]]:
        """The objects, classes, modules and functions that were there, and which attributes the program's code can ask
        for by name; None where it, or a library's, may ask for any. Functions that it cannot call are left out."""
        codes, known = self._called
        called = {*map(id, codes)}
        found: list[tuple[object, frozenset[str] | None]] = [(variable, known) for variable in self._context]
        for _, held, _ in self._objects:
            if type(held) is not types.FunctionType:
                is_users = is_a(held, type | types.ModuleType) or not is_left_alone(module_of_class(type(held)))
                found.append((held, known if is_users or type(held) is types.SimpleNamespace else None))
            elif id(held.__code__) in called:
                found.append((held, known))
        return found + [(module, names) for module, names in self._libraries if names]

    @functools.cached_property
    def _called(self) -> tuple[list[types.CodeType], frozenset[str] | None]:
        """The code that the program can call, and the names of attributes that it asks for; None if that may be any."""
        names: set[str] = set()
        called: list[types.CodeType] = []
        waiting, left = [*self._roots], [code for code in self._codes if code not in self._roots]
        while waiting:
            called += waiting
            names.update(*map(_names_in, waiting))
            is_next = [not _is_method(code) or _is_called(code, names) for code in left]
            waiting = [*compress(left, is_next)]
            left = [*compress(left, map(operator.not_, is_next))]
        known = None if self._asks_for_any or not names.isdisjoint(_ANY_NAME) else frozenset(names)
        return called, known

    @functools.cached_property
    def only_appended(self) -> frozenset[int]:
        """The identities of the lists that the program's code does nothing with but append to them."""
        codes, known = self._called
        if known is None:
            return frozenset()
        used = [*map(uses, codes)]
        names = frozenset[str]().union(*(one.appending for one in used)).difference(*(one.other for one in used))
        libraries = {
            id(part) for _, held, parts in self._objects for part in parts.values()
            if not is_a(held, (type, types.ModuleType)) and is_left_alone(module_of_class(type(held)))
        }  # fmt: skip
        lists = {id(elements) for _, elements, _ in self._lists if type(elements) is list} - libraries
        return frozenset(number for number in lists if names.issuperset(map(name_of, self._names[number])))

    def places(self) -> Iterator[Place]:
        """Where something was held that can be put there again: variables, attributes, and items of lists and
        dictionaries; the variables of modules that functions read, too."""
        for name, cell, old in self._cells:
            yield CellPlace(_spelled(name), cell, None, old)
        for name, held, known in self._objects:
            if type(held) is types.FunctionType:
                module = held.__globals__
                for read in global_names(held.__code__)[0] & module.keys():
                    yield ItemPlace(_spelled(read), module, read, module[read])
            yield from (_attribute_place(name, held, k, v) for k, v in known.items())
        for name, items, known in self._dicts:
            yield from (ItemPlace(_spelled((name, True, k)), items, k, v) for k, v in known.items())
        for name, elements, before in self._lists:
            yield from (ItemPlace(_spelled((name, True, i)), elements, i, v) for i, v in enumerate(before))

    def arrays(self) -> list[Buffer]:
        """The arrays that were there."""
        return [array for _, array in self._arrays]

    def things(self) -> Iterable[object]:
        """All that was there, arrays that cannot be written among it."""
        return self._seen.values()

    def may_be_read(self, array: object) -> bool:
        """Whether the program's code asks for a name by which an array was known."""
        _, known = self._called
        return known is None or not known.isdisjoint(map(name_of, self._names.get(id(array), ())))

    def codes(self) -> list[types.CodeType]:
        """The code of the program's functions that was there."""
        return self._codes

    def is_whole(self) -> bool:
        """Whether all was looked at that can be reached."""
        return not self._waiting

    def knows(self, place: Place) -> bool:
        """Whether a place was there, or what it is a part of."""
        return id(place.holder) in self._parts

    def contents(self, names: Collection[str]) -> list[Place]:
        """The places of what staged objects hold that were found by these names."""
        if not names:
            return []
        places = [ContentPlace(_spelled(name), holder, None, old) for name, holder, old in self._contents]
        return [place for place in places if place.name in names]

    def put_back(self, place: Place) -> None:
        """Have a place hold what it held."""
        known = self._parts[id(place.holder)]
        place.write(known[place.key] if isinstance(known, list) else known.get(place.key, UNDEFINED))

    # Comparing.

    def holds(self, places: Iterable[object]) -> bool:
        """Whether all that was found is as it was then, whatever places of these identities hold by now."""
        known = {*places}
        if self._arrays or not all(map(holds, self._facts)):
            return False  # of what arrays hold nothing is known

        def is_same(holder: object, now: dict[Any, object], was: dict[Any, object]) -> bool:
            return all(
                now.get(key, UNDEFINED) is was.get(key, UNDEFINED) or (id(holder), key) in known
                for key in {**now, **was}
            )

        cells = [(cell, CellPlace("", cell, None, old)) for _, cell, old in self._cells]
        contents = [(content, ContentPlace("", content, None, old)) for _, content, old in self._contents]
        return (
            all(place.read() is place.old or (id(holder), None) in known for holder, place in cells + contents)
            and all(module.get(n, UNDEFINED) is old or (id(module), n) in known for n, module, old in self._globals)
            and all(is_same(held, _held(held), was) for _, held, was in self._objects)
            and all(is_same(items, dict.copy(items), was) and [*items] == [*was] for _, items, was in self._dicts)
            and all(
                len(now := [*list.__iter__(items)]) == len(was)
                and is_same(items, dict(enumerate(now)), dict(enumerate(was)))
                for _, items, was in self._lists
            )
        )

    def restore(self, statement: str, grows: bool = False) -> list[tuple[Place, object]]:
        """Put everything back that has changed; returns the places and what they held.

        Where a list `grows`, what it has been made longer by is in places where there was nothing. Raises StagingError
        for what has grown or shrunk and cannot be state.
        """
        found: list[tuple[Place, object]] = []
        put_back(self._copies)
        for value, was in self._progress:
            progress[id(type(value))][1](value, was)
        for name, cell, old in self._cells:
            if cell.cell_contents is old if _is_bound(cell) else old is UNDEFINED:
                continue
            self._compare(CellPlace(_spelled(name), cell, None, old), found)
        for name, module, old in self._globals:
            self._compare(ItemPlace(_spelled(name), module, name, old), found)
        for name, content, old in self._contents:
            if holder_of(content).content(content) is old:  # type: ignore[union-attr]
                continue
            self._compare(ContentPlace(_spelled(name), content, None, old), found)
        for name, held, known in self._objects:
            now = _held(held)
            if _same(now, known):
                continue
            for key in {**known, **now}:
                place = AttributePlace(_spelled((name, False, key)), held, key, known.get(key, UNDEFINED))
                if key not in known and _is_remembered(held, key, now[key]):
                    place.write(UNDEFINED)
                elif not is_a(held, types.ModuleType):
                    self._compare(place, found)
                elif not is_a(now.get(key), types.ModuleType):
                    self._compare(ItemPlace(place.name, _variables(held), key, place.old), found)
        refused = None
        for name, items, known in self._dicts:
            if not _same(items, known):
                reordered = _is_reordered(items, known)
                for key in {**known, **dict.copy(items)}:
                    self._compare(ItemPlace(_spelled((name, True, key)), items, key, known.get(key, UNDEFINED)), found)
                if reordered:
                    put_in_order(items, known)
                    refused = refused or reordered_error(_spelled(name), items, statement)
        for name, elements, before in self._lists:
            unlike = self._restore_list(name, elements, before, found, grows, statement)
            refused = refused or unlike
        for fact in self._facts:
            if not holds(fact):
                if fact.write is not None:
                    fact.write(fact.holder, fact.was)
                refused = refused or fact.refused(_spelled(fact.name), fact.holder, statement)
        if refused is not None:
            raise refused
        return found

    def _restore_list(
        self, name: Path, elements: list[object], before: list[object], found: list[tuple[Place, object]],
        grows: bool, statement: str,
    ) -> StagingError | None:  # fmt: skip
        count = list.__len__(elements)
        if count != len(before) and not (grows and count > len(before)):
            list.__setitem__(elements, slice(None), before)
            return grown(_spelled(name), elements, statement)
        changed: list[tuple[Place, object]] = []
        old = [*before, *[UNDEFINED] * (count - len(before))]
        if not all(map(_is, list.__iter__(elements), old)):
            for index in reversed(range(count)):
                self._compare(ItemPlace(_spelled((name, True, index)), elements, index, old[index]), changed)
        found += reversed(changed)
        return None

    def left(self, is_staged: Callable[[object], bool]) -> Left:
        """What has changed; all stays as it is."""
        places: list[Place] = [CellPlace(_spelled(name), cell, None, old) for name, cell, old in self._cells]
        places += [ItemPlace(_spelled(name), module, name, old) for name, module, old in self._globals]
        remembered: list[Place] = []
        for name, held, known in self._objects:
            now = _held(held)
            for key in {**now, **known}:
                place = _attribute_place(name, held, key, known.get(key, UNDEFINED))
                counts = key in known or _is_one(now[key]) or is_staged(now[key])
                counts = counts or not _is_remembered(held, key, now[key])
                (places if counts else remembered).append(place)
        reordered: list[str] = []
        for name, items, known in self._dicts:
            old = {key: known.get(key, UNDEFINED) for key in {**dict.copy(items), **known}}
            places += [ItemPlace(_spelled((name, True, key)), items, key, value) for key, value in old.items()]
            reordered += [_spelled(name)] * _is_reordered(items, known)
        appended: list[tuple[list[object], int]] = []
        for name, elements, before in self._lists:
            for index in range(max(len(elements), len(before))):
                old_item = before[index] if index < len(before) else UNDEFINED
                places.append(ItemPlace(_spelled((name, True, index)), elements, index, old_item))
            if len(elements) > len(before) and id(elements) in self.only_appended:
                appended.append((elements, len(before)))
        there = [place for place in places if place.read() is not place.old]
        changed = [place.name for place in there if not is_a(place.read(), types.ModuleType)]  # which was imported
        moved = [fact for fact in self._facts if not holds(fact)]
        changed += reordered + [_spelled(fact.name) or "an argument" for fact in moved]
        queues = [
            fact for fact in moved if is_a(fact.holder, deque) and any(map(is_staged, deque.__iter__(fact.holder)))
        ]
        moved = [fact for fact in moved if not any(fact is queue for queue in queues)]
        others = [(_spelled(fact.name) or "an argument", fact.holder) for fact in moved if not is_staged(fact.holder)]
        there += [QueuePlace(_spelled(fact.name), fact.holder, None, [*fact.was]) for fact in queues]
        staged = [is_staged(place.read()) for place in there]
        plain = [*compress(there, map(operator.not_, staged))]
        others += [(place.name or "an argument", place.read()) for place in (*plain, *remembered)]
        remembers = any(place.read() is not place.old for place in remembered)
        longer = {id(elements) for elements, _ in appended}
        is_simple = not (moved or queues or reordered or remembers) and all(
            _may_be_again(place) or id(place.holder) in longer for place in there
        )
        return Left(next(iter(changed), ""), [*compress(there, staged)], plain, others, is_simple, appended)

    def _compare(self, place: Place, found: list[tuple[Place, object]]) -> None:
        now = place.read()
        if now is not place.old:
            found.append((place, now))
            place.write(place.old)


def _attribute_place(name: Path, held: object, key: str, old: object) -> Place:
    """The place of an attribute; of a module it is a variable."""
    spelled = _spelled((name, False, key))
    if is_a(held, types.ModuleType):
        return ItemPlace(spelled, _variables(held), key, old)
    return AttributePlace(spelled, held, key, old)


def _may_be_again(place: Place) -> bool:
    """Whether what has changed in a place may change so again: it is not gone, and no list has grown by it."""
    now = place.read()
    if now is UNDEFINED or is_a(now, types.ModuleType):
        return False
    return place.old is not UNDEFINED or not is_a(place.holder, list)


def _methods_of(module: types.ModuleType, names: Iterable[str], deeper: bool = True) -> list[Any]:
    """The functions of another library's module that are methods of an object in it, as of one that draws numbers."""
    found, variables = [], _variables(module)
    for key in names:
        value = variables.get(key)
        if type(value) is types.MethodType or type(value) is types.BuiltinFunctionType:
            found += [value] if not is_a(value.__self__, (types.ModuleType, type)) else []
        elif type(value) is types.ModuleType and deeper:
            found += _methods_of(value, names, deeper=False)
    return found


def _containers_of(module: types.ModuleType, names: Iterable[str]) -> frozenset[str]:
    """Which names stand for what a module of a library holds in a list or dictionary, as `os.environ`."""
    variables = _variables(module)
    return frozenset(name for name in names if isinstance(variables.get(name), list | Mapping))


def _variables(module: types.ModuleType) -> dict[str, Any]:
    return attributes_of(module) or {}


def _held(value: object) -> dict[str, Any]:
    """What an object or class has for attributes of its own."""
    if is_a(value, type):
        return {k: v for k, v in members_of(value).items() if not _is_pythons(k) or is_exactly(v, *_METHODS)}
    held = dict(attributes_of(value) or ())
    if is_a(value, BaseException):
        held.pop("__notes__", None)  # which tell what is being staged
    for slot in slots_of(type(value)):
        found = slot_in(value, slot, UNDEFINED)
        if found is not UNDEFINED:
            held[slot] = found
    return held


def _same(now: dict[Key, object], known: dict[Key, object]) -> bool:
    """Whether two dictionaries hold the same things, in the same order, without comparing any."""
    return (
        len(now) == len(known)
        and all(map(_is, dict.keys(now), known))
        and all(map(_is, dict.values(now), known.values()))
    )


def _is_reordered(now: dict[Key, object], known: dict[Key, object]) -> bool:
    """Whether keys that a dictionary still has come in another order."""
    mine, theirs = {id(key) for key in dict.keys(now)}, {id(key) for key in known}
    left = [id(key) for key in dict.keys(now) if id(key) in theirs]
    return left != [id(key) for key in known if id(key) in mine]


def _is_remembered(holder: object, key: str, value: object) -> bool:
    """Whether an attribute that is new need not be known after a staged statement: it would be made again, or it is a
    module that has been imported."""
    if is_a(holder, type | types.ModuleType):
        return is_a(holder, types.ModuleType) and _is_pythons(key)
    return is_a(found_in(type(holder), key), functools.cached_property)


def _is_one(value: object) -> bool:
    """Whether it matters that something is that very object, so that a copy, or one made anew, would not do."""
    return not (is_exactly(value, *_VALUES) or is_a(value, types.ModuleType))


_is = operator.is_
_VALUES = (bool, int, float, complex, str, bytes, type(None))
_METHODS = (types.FunctionType, classmethod, staticmethod, property)


def _is_pythons(name: str) -> bool:
    """Whether an attribute is one that Python itself keeps in classes and modules."""
    return (name.startswith("__") and name.endswith("__")) or name == "_abc_impl"


def class_name(cls: type) -> str:
    return cls.__name__ if type(cls) is type else type.__dict__["__name__"].__get__(cls)


def _is_array(value: object) -> bool:
    """Whether a value is one that can be changed in place and is nobody's own affair."""
    return id(type(value)) in wholes or is_buffer(value) or holder_of(value) is not None


def _is_method(code: types.CodeType) -> bool:
    """Whether it is called by the name of an attribute of a class."""
    around, _, _ = code.co_qualname.rpartition(".")
    return bool(around) and not around.endswith("<locals>")


def _is_called(method: types.CodeType, names: Collection[str]) -> bool:
    """Whether code that reads these names may call a method: by its name, its class, or for an operator or the like."""
    name = method.co_name
    if name in names:
        return True
    if name in ("__init__", "__post_init__", "__new__"):
        return method.co_qualname.split(".")[-2] in names
    return name.startswith("__") and name.endswith("__")


_ANY_NAME = frozenset(
    "__dict__ __getattribute__ __setattr__ asdict attrgetter delattr getattr hasattr methodcaller setattr vars".split()
)


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code, and code in it."""
    return reached(code, lambda one: (part for part in one.co_consts if type(part) is types.CodeType))


def _names_in(code: types.CodeType) -> frozenset[str]:
    """The names of attributes, globals and methods that code reads or sets, and code in it: what is set to what it was
    has not changed, and might have."""
    known = _read.get(code)
    if known is None:
        steps = (i for one in codes_in(code) for i in dis.get_instructions(one))
        named = (i for i in steps if i.opname.startswith("LOAD") or i.opname in ("STORE_ATTR", "DELETE_ATTR"))
        known = _read.set(code, frozenset(step.argval for step in named if type(step.argval) is str))
    return known


_read: ByIdentity[frozenset[str]] = ByIdentity()


def _holds_clauses(code: types.CodeType) -> bool:
    """Whether code, or code in it, has any ``try`` or ``with``."""
    known = _guarded.get(code)
    return _guarded.set(code, any(one.co_exceptiontable for one in codes_in(code))) if known is None else known


_guarded: ByIdentity[bool] = ByIdentity()


def _is_bound(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


_DEFINITIONS = frozenset(f"autograph.operators.{stem}" for stem in ("definitions", "mathematics", "ordered"))


def _is_definition(function: types.FunctionType) -> bool:
    """Whether a function belongs to what this library has of the built-in functions."""
    return function.__module__ in _DEFINITIONS


def global_names(code: types.CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """The global names that code (and code in it) may read, and those that it assigns."""
    known = _names_of_code.get(code)  # by identity: to find code equal takes twice as long for each level in it
    if known is not None:
        return known  # type: ignore[no-any-return]
    names, stored = set(code.co_names), set()
    if _STORES & set(code.co_code[::2]):
        stored = {i.argval for i in dis.get_instructions(code) if i.opcode in _STORES}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            more, also = global_names(constant)
            names |= more
            stored |= also
    return _names_of_code.set(code, (frozenset(names), frozenset(stored)))


_names_of_code: ByIdentity[tuple[frozenset[str], frozenset[str]]] = ByIdentity()
_STORES = {dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]}
