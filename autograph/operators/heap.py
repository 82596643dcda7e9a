"""What a staged statement may change besides its own variables: whatever it can reach.

Tracing runs the user's code, so what it does to lists, dictionaries, objects and variables of other functions really
happens. The heap is looked at before and after: each place that differs is put back, and joins the state of the
statement, wherever in the callees the change was made.
"""

from __future__ import annotations

import dis
import functools
import operator
import threading
import types
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from autograph.dispatch import UNDEFINED, Variables, backend_of, holder_of
from autograph.errors import StagingError
from autograph.operators.calls import meet_class
from autograph.operators.places import AttributePlace, CellPlace, ContentPlace, ItemPlace, Place
from autograph.rules import is_left_alone, why_function_stays

_MOST = 20_000  # objects looked at; what lies behind them is taken not to change
_ATOMS = frozenset(
    (int, float, bool, complex, str, bytes, type(None), type(Ellipsis), range, slice, types.ModuleType)
    + (types.BuiltinFunctionType, types.CodeType, types.GeneratorType)
)


Name = Any  # a text; or the name of an object, whether it is an item of it, and the key: spelled out when needed


def _spelled(name: Name) -> str:
    if isinstance(name, str):
        return name
    holder, item, key = name
    return f"{_spelled(holder)}[{key!r}]" if item else f"{_spelled(holder)}.{key}"


class Heap:
    """What can be reached from functions, as it is now; `known` are the places that are state anyway."""

    def __init__(self, functions: Iterable[Callable[..., Any] | None], known: Iterable[Any] = ()) -> None:
        self._known = set(known)  # the identities of their places
        self._cells: list[tuple[Name, types.CellType, Any]] = []
        self._globals: list[tuple[Name, dict[str, Any], Any]] = []
        self._dicts: list[tuple[Name, Any, dict[Any, Any]]] = []
        self._objects: list[tuple[Name, Any, dict[str, Any]]] = []
        self._lists: list[tuple[Name, list[Any], list[Any]]] = []
        self._others: list[tuple[Name, Any, Any]] = []
        self._contents: list[tuple[Name, Any, Any]] = []
        self._seen: dict[Any, Any] = {}  # holds on to what it has seen, so that ids stay theirs
        self._names: dict[int, list[Name]] = {}
        self._waiting: list[tuple[Name, Any]] = []
        for function in functions:
            if isinstance(function, types.FunctionType):
                self._function(function)
            elif function is not None:
                self._waiting.append(("", function))
        while self._waiting and len(self._seen) < _MOST:
            self._look(*self._waiting.pop())

    # Looking.

    def _look(self, name: Name, value: Any) -> None:
        kind = type(value)
        if kind in _ATOMS or isinstance(value, BaseException):
            return
        self._names.setdefault(id(value), []).append(name)
        if id(value) in self._seen:
            return
        self._seen[id(value)] = value
        holder = holder_of(value)
        if holder is not None:
            self._contents.append((name, value, holder.content(value)))
            if not isinstance(value, list):
                return
        if isinstance(value, list):
            elements = [*list.__iter__(value)]
            if holder is None:
                self._lists.append((name, value, elements))
            self._elements(name, elements)
        elif isinstance(value, tuple | frozenset):
            self._elements(name, [*value])
        elif isinstance(value, dict):
            self._dicts.append((name, value, dict(value)))
            self._waiting += [((name, True, k), v) for k, v in value.items() if type(v) not in _ATOMS]
        elif isinstance(value, set | deque | bytearray):
            self._others.append((name, value, value.copy()))
            self._elements(name, [*value])
        elif kind is types.FunctionType:
            if why_function_stays(value) is None or _is_definition(value):
                self._function(value)
        elif kind is types.MethodType:
            self._waiting += [(name or "self", value.__self__), (name, value.__func__)]
        elif kind is functools.partial:
            self._waiting += [(name, value.func), (name, value.args), (name, value.keywords)]
        elif kind is types.CellType:
            self._cell(name, value)
        elif isinstance(value, type):
            if not is_left_alone(value.__module__):
                self._class(value)
        elif not is_left_alone(kind.__module__):
            self._object(name, value)
        elif hasattr(value, "__dict__") and kind.__module__.partition(".")[0] not in ("autograph", "runtime"):
            self._objects.append((name, value, dict(vars(value))))  # a library's: what it refers to is its own affair

    def _elements(self, name: Name, values: Sequence[Any]) -> None:
        if not _ATOMS.issuperset(map(type, values)):
            self._waiting += [((name, True, i), v) for i, v in enumerate(values) if type(v) not in _ATOMS]

    def _function(self, function: types.FunctionType) -> None:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            if id(cell) not in self._seen:
                self._seen[id(cell)] = cell
                self._cell(name, cell)
        names, stored = _global_names(function.__code__)
        module = function.__globals__
        for name in names:
            if name not in module and name not in stored:
                continue
            value = module.get(name, UNDEFINED)
            if name in stored and (id(module), name) not in self._known and (id(module), name) not in self._seen:
                self._seen[id(module), name] = module
                self._globals.append((name, module, value))
            if type(value) not in _ATOMS:
                self._waiting.append((name, value))
        if function.__dict__:
            self._waiting += [((function.__name__, False, k), v) for k, v in function.__dict__.items()]
        self._waiting += [(function.__name__, default) for default in function.__defaults__ or ()]

    def _cell(self, name: Name, cell: types.CellType) -> None:
        try:
            value = cell.cell_contents
        except ValueError:
            value = UNDEFINED
        if (id(cell), None) not in self._known:
            self._cells.append((name, cell, value))
        if type(value) not in _ATOMS:
            self._waiting.append((name, value))

    def _class(self, value: type) -> None:
        held = {}
        for key, part in vars(value).items():
            if isinstance(part, types.FunctionType | classmethod | staticmethod | property):
                function = getattr(part, "__func__", part)
                self._waiting.append((key, function.fget if isinstance(function, property) else function))
            elif not key.startswith("__"):
                held[key] = part
                self._waiting.append(((value.__name__, False, key), part))
        self._objects.append((value.__name__, value, held))
        self._waiting += [(base.__name__, base) for base in value.__bases__]

    def _object(self, name: Name, value: Any) -> None:
        meet_class(type(value))
        held = dict(getattr(value, "__dict__", {}))
        for kind in type(value).__mro__:
            slots = vars(kind).get("__slots__", ())
            for slot in (slots,) if isinstance(slots, str) else slots:
                if slot not in ("__dict__", "__weakref__"):
                    found = getattr(value, slot, UNDEFINED)
                    if found is not UNDEFINED:
                        held[slot] = found
        self._objects.append((name, value, held))
        self._waiting += [((name, False, k), v) for k, v in held.items() if type(v) not in _ATOMS]
        self._waiting.append((type(value).__name__, type(value)))

    @functools.cached_property
    def _parts(self) -> dict[int, Any]:
        """What each thing that was found held, by its identity."""
        cells: dict[int, Any] = {id(cell): {None: old} for _, cell, old in self._cells}
        for _, module, _ in self._globals:
            cells[id(module)] = {name: old for name, other, old in self._globals if other is module}
        return cells | {id(held): known for _, held, known in (*self._objects, *self._dicts, *self._lists)}

    def names_of(self, value: Any) -> list[str]:
        """By what names an object was known; none if it was not there."""
        return [_spelled(name) for name in self._names.get(id(value), ())]

    def knows(self, place: Place) -> bool:
        """Whether a place was there, or what it is a part of."""
        return id(place.holder) in self._parts

    def put_back(self, place: Place) -> None:
        """Have a place hold what it held."""
        known = self._parts[id(place.holder)]
        place.write(known[place.key] if isinstance(known, list) else known.get(place.key, UNDEFINED))

    # Comparing.

    def restore(self, statement: str) -> list[tuple[Place, Any]]:
        """Put everything back that has changed; returns the places and what they held.

        Raises StagingError for what has grown or shrunk and cannot be state.
        """
        found: list[tuple[Place, Any]] = []
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
            now = {k: v for k, v in vars(held).items() if k in known or not isinstance(held, type)} if hasattr(
                held, "__dict__") else {}  # fmt: skip
            if len(now) == len(known) and all(map(operator.is_, map(now.get, known), known.values())):
                continue
            for key in {**known, **now}:
                self._compare(AttributePlace(_spelled((name, False, key)), held, key, known.get(key, UNDEFINED)), found)
        for name, items, known in self._dicts:
            if len(items) != len(known) or not all(map(operator.is_, map(items.get, known), known.values())):
                for key in {**known, **items}:
                    self._compare(ItemPlace(_spelled((name, True, key)), items, key, known.get(key, UNDEFINED)), found)
        refused = None
        for name, elements, before in self._lists:
            if len(elements) != len(before):
                elements[:] = before
                refused = refused or _grown(_spelled(name), elements, statement)
            elif not all(map(operator.is_, elements, before)):
                for index, old in enumerate(before):
                    if elements[index] is not old:
                        self._compare(ItemPlace(_spelled((name, True, index)), elements, index, old), found)
        for name, other, content in self._others:
            if other != content:
                other.clear()
                (other.extend if isinstance(other, deque | bytearray) else other.update)(content)
                refused = refused or _grown(_spelled(name), other, statement)
        if refused is not None:
            raise refused
        return found

    def _compare(self, place: Place, found: list[tuple[Place, Any]]) -> None:
        now = place.read()
        if now is not place.old:
            found.append((place, now))
            place.write(place.old)


def _is_bound(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _is_definition(function: types.FunctionType) -> bool:
    """Whether a function belongs to what this library has of the built-in functions."""
    return function.__module__ == "autograph.operators.definitions"


def _grown(name: str, container: Any, statement: str) -> StagingError:
    kind = type(container).__name__
    return StagingError(
        f"'{name}' is a {kind} that a staged statement changes in place, which would happen once, while tracing. "
        f"Collect the values in a list made in this function, or make the {kind} anew by an assignment.\n  {statement}"
    )


@functools.lru_cache(maxsize=4096)
def _global_names(code: types.CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """The global names that code (and code in it) may read, and those that it assigns."""
    names, stored = set(code.co_names), set()
    if _STORES & set(code.co_code[::2]):
        stored = {i.argval for i in dis.get_instructions(code) if i.opcode in _STORES}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            more, also = _global_names(constant)
            names |= more
            stored |= also
    return frozenset(names), frozenset(stored)


_STORES = {dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]}


class Effects:
    """The places that the parts of one staged statement have changed: each is state of them all.

    `names` and each of `states`, which belong to the statement, grow as places are found.
    """

    def __init__(self, names: list[str], heap: Heap, statement: str) -> None:
        self.names, self.heap, self.statement = names, heap, statement
        self.places: list[Place] = []
        self._numbers: dict[Any, int] = {}

    def enter(self, values: Sequence[Any]) -> None:
        """Put values into the places found so far."""
        for place, value in zip(self.places, values, strict=True):
            place.write(value)

    def leave(self) -> list[Any]:
        """Put the heap back; returns what the places held, those found now included."""
        left = {}
        for place, value in self.heap.restore(self.statement):
            if place.identity not in self._numbers:
                self._numbers[place.identity] = len(self.places)
                self.places.append(place)
                self.names.append(place.name)
            left[self._numbers[place.identity]] = value
        return [left.get(i, place.before) for i, place in enumerate(self.places)]

    def variables(self, names: Sequence[str] | None = None, item: str = "item") -> Variables:
        """What a backend is told of the statement; `names` are those of its state, if not only these."""
        return Variables(self.names if names is None else names, self.statement, item, self.places, self.heap.names_of)

    def finish(self, values: Sequence[Any], variables: Iterable[Place] = ()) -> None:
        """Leave the places as the statement will have left them; `variables` are those that it names."""
        self.enter(values)
        for watch in _watches.active:
            watch.written += [(place, self.statement) for place in (*variables, *self.places)]


class _Watches(threading.local):
    def __init__(self) -> None:
        self.active: list[Watch] = []


_watches = _Watches()


class Watch:
    """Looks after what outlives a trace: no staged value may be left in it.

    Entered before a function is traced, with the function and its arguments.
    """

    def __init__(self, functions: Iterable[Any]) -> None:
        self.heap = Heap(functions)
        self.written: list[tuple[Place, str]] = []

    def __enter__(self) -> Watch:
        _watches.active.append(self)
        return self

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        _watches.active.remove(self)
        if not self.written:
            return
        left = [(p, s) for p, s in self.written if self.heap.knows(p) and _holds_staged(p.read())]
        for place, _ in left:
            self.heap.put_back(place)
        if left and error is None:
            place, statement = left[0]
            raise StagingError(
                f"'{place.name}' outlives the call, so a staged statement cannot change it: the change would be made "
                f"once, while tracing. Keep it in a Variable, or return the new value.\n  {statement}"
            )


def _holds_staged(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_staged, value))
    if isinstance(value, dict):
        return any(map(_holds_staged, value.values()))
    return backend_of(value) is not None
