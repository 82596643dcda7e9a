"""What dictionaries and sets of Python's are where a graph decides their keys, written as users write classes: they are
converted as theirs are.

Lists of the graph hold the keys and the values in the order in which they came. Where each key is tells a table with
open addressing: a place of it is the number of a key, or free, or left behind by one that is gone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, NoReturn, TypeAlias

from autograph import StagingError, do_not_convert, rules
from autograph.errors import with_article
from autograph.reading import is_a
from runtime.control.shared import any_past, may_be_handled, note_lists
from runtime.graph.dtypes import as_dtype
from runtime.graph.graph import TensorType
from runtime.staging.looked_up import (
    are_lists,
    as_key,
    ask_by_number,
    class_of_key,
    copied,
    is_value,
    keep,
    known_number,
    note_number,
    one_key,
    parts_of_key,
    plain_key,
    refuse_nan,
    shared,
    taken_from,
)
from runtime.staging.stand_ins import StandIn, asked_by, check_in_place, checked_before, one_by_one
from runtime.tensors.leaf_types import leaf_type
from runtime.tensors.tensor import EagerTensor

# Rules go by the names of modules, and this library's own is left alone.
CONVERTED = __name__ = "dictionaries_of_graphs"
rules.convert_always(CONVERTED)

OLD, NEW = 0, 1  # since when a key has its value: from before, or it got it since
_FREE, _GONE = -1, -2
_SMALLEST = 8  # places of a table; always a power of two
_PRIME = 2**31 - 1
_MISSING = object()

Item: TypeAlias = Any  # a key, a value, or what has them: Python's or the graph's


@do_not_convert
def _kind(key: object) -> str:
    """How a key is hashed: known while tracing."""
    if (cls := class_of_key(key)) is not None:
        return f"{with_article(cls.__qualname__)} of {cls.__module__}"
    if is_a(key, tuple):
        return "tuple"
    if is_a(key, str):
        return "text"
    if key is None:
        raise _unhashable("None")
    kind = leaf_type(key)
    if not isinstance(kind, TensorType) or kind.shape != ():
        may_be_handled(key)
        raise _unhashable(f"a {type(key).__name__}" if kind is None or not isinstance(kind, TensorType) else "an array")
    if kind.dtype.is_bool:
        return "truth"
    if kind.dtype.is_integer:
        return "whole"
    if kind.dtype.dtype.kind == "f":
        return "float"
    if kind.dtype == as_dtype(str):
        return "text"
    raise _unhashable(f"a number of {kind.dtype.name}")


def _named(key: object) -> str:
    if (cls := class_of_key(key)) is not None:
        return with_article(cls.__name__)
    if is_a(key, tuple):
        return "a tuple"
    kind = leaf_type(key)
    return kind.dtype.name if isinstance(kind, TensorType) else type(key).__name__


@do_not_convert
def _check_alike(one: object, other: object) -> None:
    """Refuse a key beside another where a list would change one of them to hold both."""
    kinds, parts, others = (_kind(one), _kind(other)), parts_of_key(one), parts_of_key(other)
    if parts is not None and others is not None and kinds[0] == kinds[1]:
        for a, b in zip(parts, others):
            _check_alike(a, b)
    elif kinds[0] != kinds[1] or (kinds[0] == "float" and _named(one) != _named(other)):
        raise StagingError(
            "the keys of a dictionary or set that only the graph knows are all of one kind, and not "
            f"{_named(one)} and {_named(other)}. Make them so, as by float(key) or int(key)."
        )


@do_not_convert
def _without_sign(key: Item) -> Item:
    """A whole number as one of 63 bits, which Python's numbers are in a graph."""
    return key & (2**63 - 1) if leaf_type(key).dtype == as_dtype("uint64") else key


def _unhashable(what: str) -> StagingError:
    return StagingError(
        f"a dictionary or set whose keys only the graph knows holds whole numbers, floats, texts, and tuples of these; "
        f"{what} cannot be a key of it."
    )


def _hash(key: Item) -> int:
    """A whole number, not negative, which is the same for keys that are equal."""
    key = plain_key(key)
    kind, parts = _kind(key), parts_of_key(key)
    if parts is not None:
        made = 7
        for part in parts:
            made = (made * 1000003 ^ _hash(part)) & 0xFFFFFFFF
        return made
    if kind == "text":
        return 0  # nothing but comparing tells texts apart
    if kind != "float":
        return _mixed(int(_without_sign(key)) % _PRIME, 0)
    wide = float(key)
    if not math.isfinite(wide):
        return 0
    left = wide % float(_PRIME)
    whole = int(left)
    return _mixed(whole, int((left - whole) * 1073741824.0))


def _refuse_nans(key: Item) -> None:
    key = plain_key(key)
    parts = parts_of_key(key)
    if parts is not None:
        for part in parts:
            _refuse_nans(part)
    elif _kind(key) == "float":
        refuse_nan(float(key))


def _mixed(whole: int, part: int) -> int:
    made = whole * 2654435761 ^ part * 2246822507
    return made ^ made >> 32


def _pythons(key: Item) -> Item:
    """A key that a function returns: tensors have no hash."""
    if type(key) is tuple:
        return tuple(map(_pythons, key))
    return key.array.item() if isinstance(key, EagerTensor) else key


def _equal(one: Item, other: Item) -> bool:
    one, other = plain_key(one), plain_key(other)
    kinds, parts, others = (_kind(one), _kind(other)), parts_of_key(one), parts_of_key(other)
    if parts is None or others is None:
        if parts is not None or others is not None:
            return False
    else:
        if kinds[0] != kinds[1] or len(parts) != len(others):
            return False
        equal: Any = True
        for a, b in zip(parts, others):
            equal = equal & _equal(a, b)  # neither fails: `and` would make a branch of it
        return equal
    if "float" in kinds and "text" not in kinds:
        return float(one) == float(other)  # 0.1 is not what 32 bits hold of it
    return one == other


def _number_of(names: list[Item], slots: list[int], key: Item) -> int:
    """The number of a key among the names that a table has; negative if it is none of them."""
    mask = len(slots) - 1
    slot = _hash(key) & mask
    if len(names) == 0:
        return _FREE
    at = slots[slot]
    while at != _FREE and (at == _GONE or not _equal(names[at], key)):
        slot = (slot + 1) & mask
        at = slots[slot]
    return at


def _vacant(slots: list[int], key: Item) -> int:
    """Where in a table a key is put that is none yet."""
    mask = len(slots) - 1
    slot = _hash(key) & mask
    while slots[slot] >= 0:
        slot = (slot + 1) & mask
    return slot


def _placed(names: list[Item], size: int) -> tuple[list[int], list[int]]:
    """A table of so many places for these keys, and where in it each is."""
    slots, places = [_FREE for _ in range(size)], []  # `*` raises where that is too long
    for at in range(len(names)):
        slot = _hash(names[at]) & (size - 1)
        while slots[slot] != _FREE:
            slot = (slot + 1) & (size - 1)
        slots[slot] = at
        places.append(slot)
    return slots, places


def _become(items: list[Item], others: list[Item]) -> None:
    """Have a list hold others: where branches assign a new one, it is asked who else has the old one."""
    items.clear()
    items.extend(others)


class _Hashed(StandIn):
    """Keys that are told apart by what they are equal to."""

    is_for_graphs = ("slots", "used")

    def __init__(self) -> None:
        self.names: list[Item] = []
        self.places: list[int] = []  # of each key in the table, or that it is gone
        self.slots = [_FREE] * _SMALLEST
        self.gaps = 0  # keys that are gone
        self.used = 0  # places of the table that are not free

    def _number(self, key: Item) -> int:
        """Which key it is: negative if it is none, as None is."""
        if key is None:
            return -1
        key = as_key(key)
        known = known_number(self.names, self.slots, key)
        return note_number(self.names, self.slots, key, self._found(key)) if known is None else known

    def _found(self, key: Item) -> int:
        key = one_key(key)
        _refuse_nans(key)
        return shared(_number_of, self.names, self.slots, key)

    def _enter(self, key: Item) -> None:
        """Have a key that is none yet."""
        key = one_key(as_key(key))
        _kind(key)  # may it be one?
        if len(self.names) > 0:
            _check_alike(self.names[0], key)
        self._make_room()
        slot = shared(_vacant, self.slots, key)
        if self.slots[slot] == _FREE:
            self.used += 1
        self.slots[slot] = len(self.names)
        self.names.append(key)
        self.places.append(slot)

    def _take_out(self, at: int) -> None:
        self.slots[self.places[at]] = _GONE
        self.places[at] = _GONE
        self.gaps += 1

    def _make_room(self) -> None:
        """Have a place for one more key: what is gone is forgotten, and what is left placed anew. A third of the table
        stays free, where each look ends."""
        size = len(self.slots)
        if 3 * len(self.names) >= 2 * size or 3 * self.used >= 2 * size:
            crowded = 3 * (len(self.names) - self.gaps) >= size
            self._place_anew(4 * size if crowded else size)

    def squeeze(self) -> None:
        """Leave no gaps, but for the table."""
        if self.gaps > 0:
            self._place_anew(len(self.slots))

    def hold(self, names: list[Item]) -> None:
        """Have these keys, and no others."""
        for name in names:
            _refuse_nans(name)
        self.names = names
        size = _SMALLEST
        while 3 * len(names) >= 2 * size:
            size = 4 * size
        self._place_anew(size)

    def _keep(self, numbers: list[int]) -> None:
        _become(self.names, [self.names[at] for at in numbers])

    def _place_anew(self, size: int) -> None:
        if self.gaps > 0:
            self._keep([at for at in range(len(self.places)) if self.places[at] >= 0])
        self.gaps = 0
        self.used = len(self.names)
        slots, places = shared(_placed, self.names, size)
        _become(self.slots, slots)
        _become(self.places, places)

    def _keys(self) -> list[Item]:
        """The keys, in the order in which they came."""
        self.squeeze()
        return self.names[:]

    def _pythons_names(self) -> list[Item]:
        """The keys, those that are gone among them, as a function returns them."""
        if any(issubclass(kind, (tuple, EagerTensor)) for kind in {*map(type, self.names)}):
            return [*map(_pythons, self.names)]
        return self.names

    def _there(self, rows: Iterable[Item]) -> Iterable[Item]:
        """Of what belongs to the keys, that of those which are not gone."""
        if int(self.gaps) == 0:
            return rows
        return (row for row, place in zip(rows, self.places) if int(place) >= 0)

    def clear(self) -> None:
        self.names.clear()
        self.places.clear()
        _become(self.slots, [_FREE] * _SMALLEST)
        self.gaps = self.used = 0

    def __len__(self) -> int:
        return len(self.names) - self.gaps

    def __bool__(self) -> bool:
        return len(self.names) > self.gaps

    def __contains__(self, key: object) -> bool:
        return self._number(key) >= 0

    __hash__ = None  # type: ignore[assignment]


@do_not_convert
def is_of(value: object, kind: type) -> bool:
    return is_a(value, kind)


@do_not_convert
def is_dict(value: object) -> bool:
    return is_a(value, (dict, Dict))


@do_not_convert
def _is_set(value: object) -> bool:
    return is_a(value, (set, frozenset, type({}.keys()), type({}.items()), Set, _SetView))


def _kept_elsewhere(_: object) -> None:
    raise StagingError(
        "setdefault() of a list that has a name has no staged meaning here, for the dictionary would have another: "
        "write setdefault(key, []), or `if key not in table: table[key] = []`, and change table[key]."
    )


@do_not_convert
def _check_places(table: Dict, moves: int) -> None:
    """Refuse items of a dictionary that does not have the same lists any more."""
    lost = not isinstance(table.gaps, int) or table.gaps > 0
    if lost or any_past(table.contents.moves[moves:]):
        raise StagingError(
            "the items of a dictionary whose values are lists were put in order, and it has got other lists since, or "
            "lost some: change these lists, or go through `for key in sorted(table):` and table[key]."
        )


@do_not_convert
def _lists_within() -> NoReturn:
    note_lists()
    raise StagingError(
        "the values of this dictionary are lists, and a list of its items would hold others: go through "
        "table.items() or sorted(table.items()) itself, or through `for key in sorted(table):` and table[key]."
    )


class _Nones:
    """The values of a dictionary all of which are None."""

    def append(self, value: object) -> None:
        if value is not None:
            raise StagingError(
                "each value of this dictionary is None, and a list of the graph that holds None holds nothing else: "
                "give dict.fromkeys() a value of the kind that it is to hold, as 0."
            )

    def __setitem__(self, at: object, value: object) -> None:
        self.append(value)

    def __getitem__(self, at: object) -> Item:
        return self if is_of(at, slice) else None

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)

    def pop(self) -> None:
        pass

    def clear(self) -> None:
        pass

    def as_pythons(self) -> Iterator[None]:
        return iter(self)


def _pairs(items: Item) -> Item:
    return items.items() if is_dict(items) else items


class Dict(_Hashed):
    stands_for: ClassVar[type] = dict
    changed: ClassVar = "dictionary changed size during iteration", "dictionary keys changed during iteration"

    default_factory: Any

    def __init__(self, items: Item = ()) -> None:
        super().__init__()
        self.default_factory = None
        self.contents: Any = []
        self.fresh: Any = None  # if that is to be known, of each key since when it has its value
        if is_of(items, Dict):
            items.squeeze()
            self.names, self.places = items.names[:], items.places[:]
            self.slots, self.contents, self.used = items.slots[:], items.contents[:], items.used
            ask_by_number(self.contents)
        else:
            ask_by_number(self.contents)
            self.update(items)

    def hold_items(self, names: list[Item], contents: list[Item]) -> None:
        """Have these items, and no others, and know which of them get another value from now on."""
        self.hold(names)
        self.contents, self.fresh = contents, [OLD] * len(names)
        ask_by_number(self.contents)

    @classmethod
    def fromkeys(cls, keys: Item, value: Item = None) -> Dict:
        made = cls()
        if value is None:
            made.contents = _Nones()
        for key in keys:
            made[key] = value
        return made

    def _keep(self, numbers: list[int]) -> None:
        super()._keep(numbers)
        if are_lists(self.contents):
            keep(self.contents, numbers)
        elif not is_of(self.contents, _Nones):
            _become(self.contents, [self.contents[at] for at in numbers])
        if self.fresh is not None:
            _become(self.fresh, [self.fresh[at] for at in numbers])

    def _entry(self, key: Item, make: Callable[[], Item]) -> int:
        """The number of a key, which is entered with a value if it is new."""
        at = self._number(key)
        if at < 0:
            value = make()
            self._enter(key)
            at = len(self.names) - 1
            self.contents.append(copied(value))
            if self.fresh is not None:
                self.fresh.append(NEW)
        return note_number(self.names, self.slots, key, at)

    def _put(self, at: int, value: Item) -> None:
        self.contents[at] = value
        if self.fresh is not None:
            self.fresh[at] = NEW

    def __getitem__(self, key: Item) -> Item:
        at = self._number(key)
        if at < 0:  # what is found is looked up behind the branch: a list by this very number
            raise KeyError(key)
        return self.contents[at]

    def __setitem__(self, key: Item, value: Item) -> None:
        if not is_value(self.contents, self._number(key), value):
            self._put(self._entry(key, lambda: value), value)

    def __delitem__(self, key: Item) -> None:
        at = self._number(key)
        if at < 0:
            raise KeyError(key)
        self._take_out(at)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._keys())

    def as_list(self) -> list[Item]:
        return self._keys()

    def one_by_one(self) -> object:
        return self._one_by_one(lambda at: self.names[at])

    def _one_by_one(self, item: Callable[[int], Item]) -> object:
        self.squeeze()
        count = len(self.names)

        def changes() -> None:
            if len(self.names) - self.gaps != count:
                raise RuntimeError(self.changed[0])
            if len(self.names) != count:
                raise RuntimeError(self.changed[1])

        return one_by_one(self, count, item, changes)

    def _values(self) -> list[Item]:
        self.squeeze()
        return self.contents[:]

    def _items(self) -> list[tuple[Item, Item]]:
        self.squeeze()
        if are_lists(self.contents):
            _lists_within()
        return [(self.names[at], self.contents[at]) for at in range(len(self.names))]

    def keys(self) -> Keys:
        return Keys(self)

    def values(self) -> Values:
        return Values(self)

    def items(self) -> Items:
        return Items(self)

    def get(self, key: Item, default: Item = None) -> Item:
        at = self._number(key)
        return self.contents[at] if at >= 0 else default

    @checked_before(_kept_elsewhere)
    def setdefault(self, key: Item, default: Item = None) -> Item:
        return self.contents[self._entry(key, lambda: default)]

    def pop(self, key: Item, default: Item = _MISSING) -> Item:
        at = self._number(key)
        if at < 0:
            if default is _MISSING:
                raise KeyError(key)
            return default
        value = self.contents[at]
        self._take_out(at)
        return value

    def popitem(self) -> tuple[Item, Item]:
        self.squeeze()
        if len(self.names) == 0:
            raise KeyError("popitem(): dictionary is empty")
        self.slots[self.places.pop()] = _GONE
        if self.fresh is not None:
            self.fresh.pop()
        return self.names.pop(), taken_from(self, self.contents.pop())

    def update(self, items: Item = (), **more: Item) -> None:
        pairs = _pairs(items)
        if is_of(pairs, list):  # of a long one the graph repeats this
            for at in range(len(pairs)):
                key, value = pairs[at]
                self[key] = value
        else:
            for key, value in pairs:
                self[key] = value
        for key, value in more.items():
            self[key] = value

    def clear(self) -> None:
        super().clear()
        self.contents.clear()
        if self.fresh is not None:
            self.fresh.clear()

    def copy(self) -> Dict:
        return self.__copy__()

    def __copy__(self) -> Dict:
        return Dict(self)

    def __or__(self, other: Item) -> Dict:
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other: Item) -> Dict:
        check_in_place(other)
        made = Dict(other)
        made.update(self)
        return made

    def __ior__(self, other: Item) -> Dict:
        self.update(other)
        return self

    def __eq__(self, other: Item) -> bool:
        if not is_dict(other):
            return NotImplemented
        if len(self) != len(other):
            return False
        return all(key in self and self[key] == value for key, value in other.items())

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in self._items()) + "}"

    def as_pythons(self) -> dict[Item, Item]:
        """What a function returns."""
        return dict(self._there(zip(self._pythons_names(), self.contents)))


class _View(StandIn):
    """What looks at a dictionary, and sees what becomes of it."""

    def __init__(self, table: Dict) -> None:
        self.table = table

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.as_list())

    def __contains__(self, item: Item) -> bool:
        return item in self.as_list()

    def as_list(self) -> list[Item]:
        raise NotImplementedError

    def one_by_one(self) -> object:
        return self.table._one_by_one(self._item)

    def _item(self, at: int) -> Item:
        raise NotImplementedError

    __hash__ = None  # type: ignore[assignment]


class _SetView(_View):
    """A view that can be compared and combined as sets are."""

    def __eq__(self, other: Item) -> bool:
        if not _is_set(other):
            return NotImplemented
        return len(self) == len(other) and all(item in self for item in _elements(other))

    def __and__(self, other: Item) -> Set:
        return Set(self.as_list()).intersection(other)

    def __or__(self, other: Item) -> Set:
        return Set(self.as_list()).union(other)

    def __sub__(self, other: Item) -> Set:
        return Set(self.as_list()).difference(other)

    def __xor__(self, other: Item) -> Set:
        return Set(self.as_list()).symmetric_difference(other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__
    __hash__ = None  # type: ignore[assignment]


class Keys(_SetView):
    stands_for: ClassVar[type] = type({}.keys())

    def as_list(self) -> list[Item]:
        return self.table._keys()

    def _item(self, at: int) -> Item:
        return self.table.names[at]

    def __contains__(self, key: Item) -> bool:
        return key in self.table

    def as_pythons(self) -> Item:
        return self.table.keys()


class Values(_View):
    stands_for: ClassVar[type] = type({}.values())

    def as_list(self) -> list[Item]:
        return self.table._values()

    def _item(self, at: int) -> Item:
        return self.table.contents[at]

    def as_pythons(self) -> Item:
        return self.table.values()


class Items(_SetView):
    stands_for: ClassVar[type] = type({}.items())

    def as_list(self) -> list[Item]:
        return self.table._items()

    def _item(self, at: int) -> Item:
        return self.table.names[at], self.table.contents[at]

    def ordered(self, key: Callable[[Item], Item] | None = None, reverse: bool = False) -> Item:
        """What ``sorted`` gives of them."""
        self.table.squeeze()
        if not are_lists(self.table.contents):
            return sorted(self.as_list(), key=key, reverse=reverse)
        places = range(len(self.table.names))
        if key is None:  # no two keys are equal
            return ItemsInOrder(self, sorted(places, key=lambda at: self.table.names[at], reverse=reverse))
        return ItemsInOrder(self, sorted(places, key=lambda at: key(self._item(at)), reverse=reverse))

    def __contains__(self, item: Item) -> bool:
        key, value = item
        return key in self.table and self.table[key] == value

    def as_pythons(self) -> Item:
        return self.table.items()


class ItemsInOrder(StandIn):
    """The items of a dictionary whose values are lists, in some order: a list that nobody changes."""

    stands_for: ClassVar[type] = list

    def __init__(self, items: Items, places: Any) -> None:
        self.items, self.places = items, places
        self.moves = len(items.table.contents.moves)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, at: Item) -> Item:
        if is_of(at, slice):
            return ItemsInOrder(self.items, self.places[at])
        return self._item(at)

    def _item(self, at: int) -> Item:
        _check_places(self.items.table, self.moves)
        return self.items._item(self.places[at])

    def __iter__(self) -> Iterator[Item]:
        return iter(self.as_list())

    def as_list(self) -> list[Item]:
        return _lists_within()

    def one_by_one(self) -> object:
        return one_by_one(self.items.table, len(self.places), self._item, lambda: None)

    def as_pythons(self) -> list[Item]:
        return _lists_within()


class Set(_Hashed):
    stands_for = set

    def __init__(self, items: Iterable[Item] = ()) -> None:
        super().__init__()
        self.update(items)

    @do_not_convert
    def __iter__(self) -> Iterator[Item]:
        raise asked_by(_UNORDERED)

    def as_list(self) -> list[Item]:
        raise StagingError(_UNORDERED)

    def in_any_order(self) -> list[Item]:
        """The elements, for what does not depend on their order."""
        return self._keys()

    def add(self, key: Item) -> None:
        if self._number(key) < 0:
            self._enter(key)

    def discard(self, key: Item) -> None:
        at = self._number(key)
        if at >= 0:
            self._take_out(at)

    def remove(self, key: Item) -> None:
        at = self._number(key)
        if at < 0:
            raise KeyError(key)
        self._take_out(at)

    def pop(self) -> Item:
        raise StagingError(_UNORDERED)

    def update(self, *others: Item) -> None:
        for other in others:
            keys = _elements(other)
            if is_of(keys, list):  # of a long one the graph repeats this
                for at in range(len(keys)):
                    self.add(keys[at])
            else:
                for key in keys:
                    self.add(key)

    def difference_update(self, *others: Item) -> None:
        for other in others:
            for key in _elements(other):
                self.discard(key)

    def intersection_update(self, *others: Item) -> None:
        for other in others:
            kept = _as_set(other)
            for key in self._keys():
                if key not in kept:
                    self.discard(key)

    def symmetric_difference_update(self, other: Item) -> None:
        for key in _elements(_as_set(other)):
            if key in self:
                self.discard(key)
            else:
                self.add(key)

    def copy(self) -> Set:
        return Set(self._keys())

    def __copy__(self) -> Set:
        return Set(self._keys())

    def union(self, *others: Item) -> Set:
        made = self.copy()
        made.update(*others)
        return made

    def difference(self, *others: Item) -> Set:
        made = self.copy()
        made.difference_update(*others)
        return made

    def intersection(self, *others: Item) -> Set:
        made = self.copy()
        made.intersection_update(*others)
        return made

    def symmetric_difference(self, other: Item) -> Set:
        made = self.copy()
        made.symmetric_difference_update(other)
        return made

    def isdisjoint(self, other: Item) -> bool:
        return not any(key in self for key in _elements(other))

    def issubset(self, other: Item) -> bool:
        others = _as_set(other)
        return all(key in others for key in self._keys())

    def issuperset(self, other: Item) -> bool:
        return all(key in self for key in _elements(other))

    def __or__(self, other: Item) -> Set:
        return self.union(other) if _is_set(other) else NotImplemented

    def __and__(self, other: Item) -> Set:
        return self.intersection(other) if _is_set(other) else NotImplemented

    def __sub__(self, other: Item) -> Set:
        return self.difference(other) if _is_set(other) else NotImplemented

    def __xor__(self, other: Item) -> Set:
        return self.symmetric_difference(other) if _is_set(other) else NotImplemented

    def __ror__(self, other: Item) -> Set:
        check_in_place(other)
        return self.union(other) if _is_set(other) else NotImplemented

    def __rand__(self, other: Item) -> Set:
        check_in_place(other)
        return self.intersection(other) if _is_set(other) else NotImplemented

    def __rxor__(self, other: Item) -> Set:
        check_in_place(other)
        return self.symmetric_difference(other) if _is_set(other) else NotImplemented

    def __rsub__(self, other: Item) -> Set:
        check_in_place(other)
        return Set(other).difference(self) if _is_set(other) else NotImplemented

    def __ior__(self, other: Item) -> Set:
        self.update(other)
        return self

    def __iand__(self, other: Item) -> Set:
        self.intersection_update(other)
        return self

    def __isub__(self, other: Item) -> Set:
        self.difference_update(other)
        return self

    def __ixor__(self, other: Item) -> Set:
        self.symmetric_difference_update(other)
        return self

    def __eq__(self, other: Item) -> bool:
        if not _is_set(other):
            return NotImplemented
        return len(self) == len(other) and self.issuperset(other)

    def __le__(self, other: Item) -> bool:
        return self.issubset(other) if _is_set(other) else NotImplemented

    def __lt__(self, other: Item) -> bool:
        if not _is_set(other):
            return NotImplemented
        return len(self) < len(other) and self.issubset(other)

    def __ge__(self, other: Item) -> bool:
        return self.issuperset(other) if _is_set(other) else NotImplemented

    def __gt__(self, other: Item) -> bool:
        if not _is_set(other):
            return NotImplemented
        return len(self) > len(other) and self.issuperset(other)

    def __repr__(self) -> str:
        raise StagingError(_UNORDERED)

    def as_pythons(self) -> set[Item]:
        """What a function returns."""
        return {*self._there(self._pythons_names())}


def _as_set(other: Item) -> Item:
    return other if _is_set(other) or is_dict(other) else Set(other)


def _elements(other: Item) -> Item:
    return other.in_any_order() if is_of(other, Set) else other


_UNORDERED = (
    "the order in which Python goes through this set depends on its elements, which only the graph knows: go through "
    "sorted(...) of it, or keep a list, or a dictionary, which have an order."
)


for _kind_of_view in (Keys, Values, Items):
    _kind_of_view.__name__ = _kind_of_view.__qualname__ = _kind_of_view.stands_for.__name__
for _ours in (Dict, Set):
    _ours.__name__ = _ours.__qualname__ = _ours.stands_for.__name__
