"""What the dictionaries of `collections` are where a graph decides their keys, written as users write classes: they are
converted as theirs are."""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable
from typing import ClassVar

from runtime.staging.hashed import CONVERTED, Dict, Item, is_dict, is_of
from runtime.staging.looked_up import are_lists

# Rules go by the names of modules, and this library's own is left alone.
__name__ = CONVERTED


class DefaultDict(Dict):
    stands_for: ClassVar[type] = collections.defaultdict

    def __init__(self, default_factory: Callable[[], Item] | None = None, items: Item = ()) -> None:
        super().__init__(items)
        self.default_factory = default_factory

    def __getitem__(self, key: Item) -> Item:
        make = self.default_factory
        if make is None:
            return super().__getitem__(key)
        return self.contents[self._entry(key, lambda: [] if make is list else make())]

    def __repr__(self) -> str:
        return f"defaultdict({self.default_factory!r}, {super().__repr__()})"

    def __copy__(self) -> DefaultDict:
        return DefaultDict(self.default_factory, self)

    def as_pythons(self) -> dict[Item, Item]:
        found = super().as_pythons()
        return found if self.default_factory is None else collections.defaultdict(self.default_factory, found)


Dict.same_as = (DefaultDict,)


class Counter(Dict):
    stands_for: ClassVar[type] = collections.Counter

    def __getitem__(self, key: Item) -> Item:
        return self.get(key, 0)

    def __delitem__(self, key: Item) -> None:
        if key in self:
            super().__delitem__(key)

    def update(self, items: Item = (), **more: Item) -> None:
        self._count(items, 1)
        self._count(more, 1)

    def subtract(self, items: Item = (), **more: Item) -> None:
        self._count(items, -1)
        self._count(more, -1)

    def _count(self, items: Item, sign: int) -> None:
        if is_dict(items):
            for key, count in items.items():
                self._add(key, sign * count)
        else:
            for key in items:
                self._add(key, sign)

    def _add(self, key: Item, count: int) -> None:
        at = self._entry(key, lambda: 0)
        self._put(at, self.contents[at] + count)

    def __add__(self, other: Item) -> Counter:
        made = Counter(self)
        made.update(other)
        return +made

    def __sub__(self, other: Item) -> Counter:
        made = Counter(self)
        made.subtract(other)
        return +made

    def __or__(self, other: Item) -> Counter:
        made = Counter(self)
        for key, count in other.items():
            if count > made[key]:
                made[key] = count
        return +made

    def __and__(self, other: Item) -> Counter:
        made = Counter()
        for key, count in self._items():
            made[key] = min(count, other[key])
        return +made

    def __iadd__(self, other: Item) -> Counter:
        return self._become(self + other)

    def __isub__(self, other: Item) -> Counter:
        return self._become(self - other)

    def __ior__(self, other: Item) -> Counter:
        return self._become(self | other)

    def __iand__(self, other: Item) -> Counter:
        return self._become(self & other)

    def _become(self, other: Counter) -> Counter:
        self.clear()
        self.update(other)
        return self

    def __le__(self, other: Item) -> bool:
        return all(self[key] <= other[key] for key in self) and all(self[key] <= other[key] for key in other)

    def __ge__(self, other: Item) -> bool:
        return other <= self

    def __lt__(self, other: Item) -> bool:
        return self <= other and self != other

    def __gt__(self, other: Item) -> bool:
        return other < self

    def __eq__(self, other: Item) -> bool:
        if not (is_of(other, Counter) or is_of(other, collections.Counter)):
            return super().__eq__(other)
        return self <= other and other <= self

    __hash__ = None  # type: ignore[assignment]

    def __pos__(self) -> Counter:
        made = Counter()
        for key, count in self._items():
            if count > 0:
                made[key] = count
        return made

    def __neg__(self) -> Counter:
        made = Counter()
        made.subtract(self)
        return +made

    def elements(self) -> list[Item]:
        return [key for key, count in self._items() for _ in range(count)]

    def total(self) -> int:
        return sum(self._values())

    def most_common(self, n: int | None = None) -> list[tuple[Item, int]]:
        found = sorted(self._items(), key=lambda item: item[1], reverse=True)
        return found if n is None else found[:n]

    def __copy__(self) -> Counter:
        return Counter(self)

    def __repr__(self) -> str:
        if len(self) == 0:
            return "Counter()"
        return "Counter({" + ", ".join(f"{key!r}: {count!r}" for key, count in self.most_common()) + "})"

    def as_pythons(self) -> collections.Counter[Item]:
        return collections.Counter(super().as_pythons())


class OrderedDict(Dict):
    stands_for: ClassVar[type] = collections.OrderedDict
    changed = "OrderedDict changed size during iteration", "OrderedDict mutated during iteration"

    def move_to_end(self, key: Item, last: Item = True) -> None:
        at = self._number(key)
        if at < 0:
            raise KeyError(key)
        if last and not are_lists(self.contents):
            if at != len(self.names) - 1:
                name, value = self.names[at], self.contents[at]
                self._take_out(at)
                self._enter(name)
                self.contents.append(value)
                if self.fresh is not None:
                    self.fresh.append(self.fresh[at])
        else:
            self.squeeze()
            at = self._number(key)
            others = [other for other in range(len(self.names)) if other != at]
            self._keep([*others, at] if last else [at, *others])
            self._place_anew(len(self.slots))

    def popitem(self, last: Item = True) -> tuple[Item, Item]:
        if len(self) == 0:
            raise KeyError("dictionary is empty")
        if last:
            return super().popitem()
        at = 0
        while self.places[at] < 0:
            at += 1
        item = self.names[at], self.contents[at]
        self._take_out(at)
        return item

    def __eq__(self, other: Item) -> bool:
        if not (is_of(other, OrderedDict) or is_of(other, collections.OrderedDict)):
            return super().__eq__(other)
        return super().__eq__(other) and self._keys() == (other.as_list() if is_of(other, Dict) else [*other])

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> OrderedDict:
        return OrderedDict(self)

    def __repr__(self) -> str:
        if len(self) == 0:
            return "OrderedDict()"
        if sys.version_info >= (3, 12):
            return f"OrderedDict({super().__repr__()})"
        return f"OrderedDict({self._items()!r})"

    def as_pythons(self) -> collections.OrderedDict[Item, Item]:
        return collections.OrderedDict(super().as_pythons())


for _ours in (DefaultDict, Counter, OrderedDict):
    _ours.__name__ = _ours.__qualname__ = _ours.stands_for.__name__
