"""Objects that only the graph can tell from one another: each is a number, and each attribute of theirs a list.

An object of the program's that is put into a list which the graph makes longer would be a copy there. Once it is known
that this happens to objects of a class, all that the function makes of it are the graph's from the start: an object
is a handle, its number among those of its class, and what an attribute of theirs holds is one list of the graph. So who
reads or writes an attribute by any name reads or writes the one object.
"""

from __future__ import annotations

import operator
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph import StagingError
from autograph.dispatch import UNDEFINED, Name, Role, register_roots
from autograph.errors import with_article
from autograph.operators.aliases import held_besides
from autograph.operators.calls import call, meet_class, set_constructor
from autograph.operators.items import stands_in
from autograph.operators.thorough import constructed
from autograph.reading import found_in, held_by, order_of, slots_of
from runtime.control.items import python_number
from runtime.control.lists import KnownList, TensorList
from runtime.control.members import as_handle, is_member, same_number
from runtime.control.missing import Maybe, Presence
from runtime.control.records import Record
from runtime.control.rows import Column, Rows, position
from runtime.control.shared import is_object, may_be_handled, share
from runtime.control.tables import RowList
from runtime.control.unions import (
    TaggedUnion,
    chosen,
    if_there,
    is_one_or_none,
    narrowed,
    only,
    statement_here,
    union_of,
    whichever,
)
from runtime.graph.dtypes import int32
from runtime.ops import elementwise as ew, lists
from runtime.tensors import nest
from runtime.tensors.conversion import operand
from runtime.tensors.frames import OURS, wants_class
from runtime.tensors.handles import Handle, number_in
from runtime.tensors.leaf_types import is_leaf
from runtime.tensors.numbers import Scalar, number
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor
from runtime.tensors.trace import Handled, Optionally, Way, current, joined, ways
from runtime.tensors.views import ELEMENT


class Store:
    """What objects of one class hold: a list for each attribute, by the numbers of the objects; or the one value that
    all of them have (`fixed`), where that is no value of the graph's."""

    is_fixed = False

    def __init__(self, kind: type, names: Sequence[str]) -> None:
        self.kind, self.names = kind, names
        self.columns: dict[str, TensorList] = {name: KnownList() for name in names}
        self.fixed: dict[str, object] = {}
        # Attributes that may be None, and of which class they are else.
        self.optional = {w.name: w.other for w in ways.taken if isinstance(w, Optionally) and w.kind is kind}
        self.planned: dict[str, Any] | None = None  # the plan of each list as it leaves the graph
        self.handles = _class_of_handles(self)

    def add(self, held: dict[str, Any]) -> Handle:
        """Have one more object, which holds this."""
        if held.keys() != {*self.names}:
            self._differs(held)
        at: Any = None
        for name in self.names:
            column, value = self.columns[name], self._stored(name, held[name])
            if not self._has(name, value):
                continue
            if at is None:
                known = column.known_length()
                at = python_number(column.staged().count()) if known is None else known
            column.append(value)
        if at is None:
            raise StagingError(
                f"{with_article(self.kind.__name__)} that holds nothing of the graph's becomes an element of a list "
                "that grows there. Give it a number of its own."
            )
        return self.handles.made(at)

    def _has(self, name: str, value: object) -> bool:
        """Whether a value goes into the list of an attribute; if not, all objects have that very one."""
        column = self.columns[name]
        if _is_kept(value) or (value is None and name in self.optional):
            if name in self.fixed:
                if self.fixed[name] is None:
                    self._may_be_none(name, value)
                raise self._unlike(name, self.fixed[name], value)
            return True
        if column.is_grown or list.__len__(column):
            if value is None:
                self._may_be_none(name, column.staged().structure if column.is_grown else list.__getitem__(column, 0))
            raise self._unlike(name, "a value", value)
        if self.fixed.setdefault(name, value) is not value:
            raise self._unlike(name, self.fixed[name], value)
        return False

    def _may_be_none(self, name: str, value: object) -> None:
        """Know that an attribute that is such a value may be None, too."""
        if isinstance(value, Handle):
            ways.takes(Optionally(self.kind, name, type(value).of.kind))
        elif is_leaf(value) or isinstance(value, tuple) or type(value) is Column:
            ways.takes(Optionally(self.kind, name, None))

    def _stored(self, name: str, value: Any) -> Any:
        """What its list has for what an attribute is given: where that may be None, a number that no object has."""
        other = self.optional.get(name)
        if other is None:
            if name not in self.optional and is_one_or_none(value):
                for option in union_of(value)._options:  # type: ignore[union-attr]
                    self._may_be_none(name, option)
            return value
        handles = stores()[other].handles
        if value is None:
            return handles.made(-1)
        union = union_of(value)
        if union is None:
            return value
        return handles.made(whichever(union, lambda one: number_in(one) if isinstance(one, Handle) else -1))

    def _read(self, name: str, value: Any) -> Any:
        """What an attribute holds, for what its list has."""
        if self.optional.get(name) is None:
            return value
        at = number_in(value)
        if isinstance(at, int):
            return None if at < 0 else value
        called = Name(f"{self.kind.__name__}.{name}", Role.ATTRIBUTE)
        there = apply(ew.cast, operand(at >= 0), dtype=int32)
        return chosen([None, value], there, called, statement_here())

    def _unlike(self, name: str, one: object, other: object) -> StagingError:
        return StagingError(
            f"'{name}' of the objects of class {self.kind.__name__} that the graph makes is {_told(one)} of one "
            f"and {_told(other)} of another: it is a value of one kind, or the same for all. Begin with a value of the "
            "kind that it is to be."
        )

    def _differs(self, held: dict[str, Any]) -> None:
        names = tuple(dict.fromkeys([*self.names, *held]))
        ways.takes(Handled(self.kind, names))
        missing = next(name for name in (*names, "") if name not in held or name not in self.names)
        raise StagingError(
            f"objects of class {self.kind.__name__} that the graph makes have '{missing}' in some cases alone: set it "
            "in __init__."
        )

    def get(self, name: str, at: Any) -> Any:
        """What an attribute of an object holds."""
        if name in self.fixed:
            return self.fixed[name]
        column = self.columns[name]
        known = isinstance(at, int) and not column.is_grown
        return self._read(name, list.__getitem__(column, at) if known else column.element(at))

    def set(self, name: str, at: Any, value: object) -> None:
        if name not in self.columns:
            raise StagingError(
                f"'{name}' is set of an object of class {self.kind.__name__} that the graph has made: set it in "
                "__init__, for all of them."
            )
        value = self._stored(name, value)
        if not self._has(name, value):
            return
        column = self.columns[name]
        if isinstance(at, int) and not column.is_grown:
            list.__setitem__(column, at, value)
            return
        rows = column.staged()
        if column.is_table():
            TensorList.exchange(column, at, value)
        else:
            column.rows = rows.changed(lists.set_item, value, position(at))


def _told(value: object) -> str:
    return f"an object of class {type(value).__name__}" if isinstance(value, Handle) else repr(value)


def _is_kept(value: object) -> bool:
    """Whether a value is one that a list of the graph may hold."""
    if isinstance(value, list | Handle) or is_leaf(value):
        return True
    if nest.is_nested(value):
        return not (isinstance(value, tuple) and not value)
    if is_object(value) and may_be_handled(value):
        return True  # which is refused, and is another thing next time
    return type(value) not in _FIXED and not callable(value)


_FIXED = (types.NoneType, types.ModuleType, types.EllipsisType)


def stores() -> dict[Any, Any]:
    """The classes of which the graph has the objects, with what these hold."""
    trace = current()
    if trace is None:
        return {}
    root = trace.root
    names: dict[Any, dict[str, None]] = {}
    for way in ways.taken:
        if isinstance(way, Handled):
            names.setdefault(_key(way), {}).update(dict.fromkeys(way.names))
    if Way.LISTS in ways.taken:
        names[list] = {"items": None}
    for key, found in names.items():
        if key not in root.stores:
            root.stores[key] = Store(dict if isinstance(key, tuple) else key, [*found])
    return root.stores


def _key(way: Handled) -> object:
    """By what a store is known: of dictionaries there is one for all that have the same keys."""
    return (dict, way.names) if way.kind is dict else way.kind


def given(value: Any) -> Any:
    """What a list of the graph has of what it is given: each list in it is an object of the graph's, if that is asked
    for."""
    if type(value) in nest.ATOMS or current() is None:
        return value
    if (union := union_of(value)) is not None:
        is_handle = is_one_or_none(value) and any(isinstance(option, Handle) for option in union._options)
        return only(union) if is_handle else as_handle(narrowed(value))
    if type(value) is dict and (store := stores().get((dict, (*value,)))) is not None:
        kept_one = store.add({name: given(part) for name, part in value.items()})
        share(value, ELEMENT)  # who has it by another name does not see what becomes of it
        return kept_one
    if Way.LISTS not in ways.taken:
        return value
    if isinstance(value, list):
        return _kept_list(value)
    if type(value) is dict:
        for name, part in value.items():
            value[name] = given(part)
        return value
    return _with_parts(value, given) if isinstance(value, tuple) else value


def _with_parts(value: Any, function: Callable[[Any], Any]) -> Any:
    """A structure with what a function makes of its parts; that very one if these are the same."""
    if not nest.is_nested(value) or isinstance(value, Handle | list):
        return value
    before = [*nest.parts(value)]
    after = [*map(function, before)]
    return value if all(map(operator.is_, before, after)) else nest.of_kind(value, after)


def _kept_list(value: Any) -> TensorList:
    table = stores()[list].columns["items"]
    if isinstance(value, RowList):
        if value.table is not table:
            raise StagingError("a row of a list of lists is put into another list. Put a copy there (row[:]).")
        return value
    if not isinstance(value, TensorList):
        if held_besides([value]):
            raise StagingError(
                "a list that was made before the function is called is put into one that the graph changes. Put a copy "
                "there (items[:])."
            )
        value = KnownList(value)
    if not value.is_grown:
        list.__setitem__(value, slice(None), [*map(given, list.__iter__(value))])
    table.append_row(value)
    return value  # type: ignore[no-any-return]


def with_kept_lists(made: KnownList) -> TensorList:
    """A list that a function makes, with what it holds, and itself if that is asked for, the graph's objects."""
    if any(isinstance(way, Handled) and way.at == made.made_at and way.kind is list for way in ways.taken):
        return _kept_list(made)
    list.__setitem__(made, slice(None), [*map(given, list.__iter__(made))])
    return made


def stored(value: Any) -> Any:
    """What a list of the graph holds for what it is given: for a list the number that it has."""
    if type(value) in nest.ATOMS:
        return value
    if isinstance(value, RowList) and value.is_kept:
        at = value.content.index
        number = int(at.array) if isinstance(at, EagerTensor) else Scalar(at.traced_in, at.value, python=True)
        return stores()[list].handles.made(number)
    union = union_of(value)
    if union is not None and any(option is None for option in union._options):
        return _maybe(union, value)
    return as_handle(value) if is_member(value) else _with_parts(value, stored)


def _maybe(union: TaggedUnion, value: object) -> object:
    """What may be None, as a list of the graph holds it; what may be more than one other thing is left as it is."""
    others = [option for option in union._options if option is not None]
    if len(others) != 1 or others[0] is UNDEFINED:
        return value
    return Maybe(Presence(lambda: whichever(union, lambda option: option is not None)), stored(others[0]))


def found(value: Any) -> Any:
    """What a list of the graph gives for what it holds."""
    if isinstance(value, Maybe):
        return if_there(value.there, found(value.value))
    if isinstance(value, Handle):
        store = type(value).of
        return TensorList.row_at(store.columns["items"], number_in(value)) if store.kind is list else value
    return _with_parts(value, found)


TensorList.given, Rows.stored, Rows.found = staticmethod(given), staticmethod(stored), staticmethod(found)


def _columns() -> Iterator[tuple[str, object]]:
    for store in stores().values() if ways.taken else ():
        if isinstance(store, Store):
            yield from ((f"{store.kind.__name__}.{name}", column) for name, column in store.columns.items())


register_roots(_columns)


def kept(value: Any) -> Any:
    """An object that was just made as one of the graph's."""
    trace, store = current(), stores()[type(value)]
    assert trace is not None
    if trace.of_function() is not trace.root:
        raise joined(trace.of_function().name, f"makes objects of class {type(value).__name__}")
    held = held_by(value)
    trace.root.born.pop(id(value), None)
    return store.add(dict(held))


def kept_if_asked(value: Any) -> Any:
    """A container of the graph's, which the program has just made, as one of its objects, where that is asked for."""
    trace = current()
    if trace is None or not stands_in(value) or not any(isinstance(way, Handled) and way.at for way in ways.taken):
        return value
    _, _, at = trace.root.born.get(id(value), (None, None, None))
    asked = any(isinstance(way, Handled) and way.at == at and way.kind is type(value) for way in ways.taken)
    return kept(value) if asked else value


@contextmanager
def constructing() -> Iterator[None]:
    """While a function is traced in some ways, have objects made of the classes that are the graph's then."""
    kinds = [way.kind for way in ways.taken if isinstance(way, Handled) and way.at is None and way.kind is not dict]
    with _constructing:
        for kind in kinds:
            _constructors[kind] = _constructors.get(kind, 0) + 1
            set_constructor(kind, _constructor(kind))
    try:
        yield
    finally:
        with _constructing:
            for kind in kinds:
                _constructors[kind] -= 1
                if not _constructors[kind]:
                    del _constructors[kind]
                    set_constructor(kind, None)


_constructing = threading.Lock()
_constructors: dict[type, int] = {}


def _constructor(kind: Any) -> Callable[..., object]:
    def construct(*arguments: object, **keywords: object) -> object:
        meet_class(kind)
        made = constructed(kind, arguments, keywords)
        return kept(made) if type(made) is kind and current() is not None and kind in stores() else made

    return construct


def _class_of_handles(store: Store) -> Any:
    """The class of handles for objects of a class: their methods, and attributes that the graph has."""
    kind: Any = store.kind
    if kind is dict:
        record = {"of": store, "__slots__": (), "__class__": property(_class_of_record), "__is__": _is_same}
        return type("dict", (Record,), record)
    if kind is list:
        store.columns["items"].keeps = True
        return type("list", (Handle,), {"of": store})
    meet_class(kind)  # so that it says what is unequal, if it says what is equal
    own: dict[str, Any] = {
        "__module__": kind.__module__, "__qualname__": kind.__qualname__, "__slots__": (), "of": store,
        "__getattribute__": _getting(store), "__setattr__": _setting(store), "__delattr__": _deleting,
        "__is__": _is_same,
    }  # fmt: skip
    bases: tuple[Any, ...] = (kind, Handle)
    if slots_of(kind):  # which leave no room for another base
        bases = (Handle,)
        for base in order_of(kind)[-2::-1]:
            own = {**{k: v for k, v in vars(base).items() if k not in slots_of(kind) and k not in _OWN}, **own}
    for name, otherwise in _OTHERWISE.items():
        if name not in own and found_in(kind, name, found_in(object, name)) is found_in(object, name):
            own[name] = otherwise
    return type(kind.__name__, bases, own)


def _class_of_record(record: Record) -> type:
    return dict if wants_class(sys._getframe(1)) else type(record)


_OWN = ("__dict__", "__weakref__", "__slots__", "__new__", "__init__", "__doc__", "__module__", "__qualname__")


def _getting(store: Store) -> Callable[..., object]:
    kind: Any = store.kind

    def get(handle: Handle, name: str) -> object:
        if name in store.columns:
            return store.get(name, number_in(handle))
        if name == "__class__":
            return kind if wants_class(sys._getframe(1)) else type(handle)
        found = found_in(kind, name, _NOTHING)
        if isinstance(found, types.FunctionType):
            return types.MethodType(found, handle)
        if isinstance(found, property) and found.fget is not None:
            return call(found.fget, handle)
        if name == "__dict__" and not sys._getframe(1).f_code.co_filename.startswith(OURS):
            raise StagingError(f"vars() of an object of class {kind.__name__} that the graph has made: ask for its "
                               "attributes by name.")  # fmt: skip
        if found is _NOTHING or isinstance(found, _WITHOUT):
            raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'")
        return found.__get__(handle, kind) if hasattr(found, "__get__") else found

    return get


_NOTHING = object()
_WITHOUT = (types.MemberDescriptorType, types.GetSetDescriptorType)


def _setting(store: Store) -> Callable[..., None]:
    kind: Any = store.kind

    def set_(handle: Handle, name: str, value: object) -> None:
        setter = found_in(kind, "__setattr__")
        if setter is not object.__setattr__:
            setter(handle, name, value)
            return
        found = found_in(kind, name)
        if isinstance(found, property):
            if found.fset is None:
                raise AttributeError(f"property '{name}' of '{kind.__name__}' object has no setter")
            call(found.fset, handle, value)
            return
        store.set(name, number_in(handle), value)

    return set_


def _deleting(handle: Handle, name: str) -> None:
    raise StagingError(f"'{name}' of an object of class {type(handle).__name__} that the graph has made is deleted.")


def _is_same(handle: Handle, other: object) -> object:
    """``handle is other``."""
    if type(other) is not type(handle):
        return False
    return same_number(number_in(handle), number_in(other))  # type: ignore[arg-type]


def _equal(handle: Handle, other: object) -> object:
    return _is_same(handle, other) if isinstance(other, Handle) else NotImplemented


def _unequal(handle: Handle, other: object) -> object:
    if not isinstance(other, Handle):
        return NotImplemented
    same = _is_same(handle, other)
    return not same if isinstance(same, bool) else number(apply(ew.logical_not, same))


def _hash(handle: Handle) -> int:
    ways.takes(Way.KEYS)
    raise StagingError(
        f"an object of class {type(handle).__name__} that the graph has made is a key of a dictionary, or an element "
        "of a set, of Python's own."
    )


def _not_implemented(handle: Handle, other: object) -> object:
    return NotImplemented


def _copy(handle: Handle) -> object:
    store: Store = type(handle).of
    held = {name: store.get(name, number_in(handle)) for name in store.names}
    if any(isinstance(value, list) for value in held.values()):
        raise StagingError(
            f"a copy of an object of class {type(handle).__name__} that the graph has made would share its lists. Make "
            "another one of copies of them."
        )
    return store.add(held)


def _deep_copy(handle: Handle, memo: object) -> object:
    store: Store = type(handle).of
    held = {name: store.get(name, number_in(handle)) for name in store.names}
    if any(isinstance(one, Handle) for value in held.values() for one in nest.flatten(value)) or any(
        isinstance(value, Handle) for value in held.values()
    ):
        raise StagingError(
            f"a deep copy of an object of class {type(handle).__name__} that the graph has made, which leads to "
            "others. Copy what is needed."
        )
    return store.add({name: value[:] if isinstance(value, list) else value for name, value in held.items()})


def _without(what: str) -> Callable[..., object]:
    """What an operation does of which an object's class says nothing."""

    def refuse(handle: Handle, *_: object) -> object:
        raise TypeError(what.format(type(handle).__name__))

    return refuse


def _repr(handle: Handle) -> str:
    raise StagingError(
        f"the text of an object of class {type(handle).__name__} is asked for, which says where in memory it is, and "
        "the graph alone has it: give the class a __repr__."
    )


# What a tuple does, and an object does not whose class says nothing of it.
_OTHERWISE: dict[str, Any] = {
    "__eq__": _equal, "__ne__": _unequal, "__iter__": None, "__contains__": None,
    "__len__": _without("object of type '{}' has no len()"),
    "__getitem__": _without("'{}' object is not subscriptable"), "__bool__": lambda handle: True,
    "__repr__": _repr, "__copy__": _copy,
    "__deepcopy__": _deep_copy, "__hash__": _hash,
    **dict.fromkeys("__lt__ __le__ __gt__ __ge__ __add__ __radd__ __mul__ __rmul__".split(), _not_implemented),
}  # fmt: skip
