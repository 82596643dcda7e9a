"""What a deque of Python's is where a graph changes it, written as users write classes: it is converted as theirs are.

A list of the graph holds the items; those before `start` have been taken out at the left.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator
from typing import Any

from autograph import do_not_convert, rules
from autograph.operators.calls import converted
from autograph.reading import is_a
from runtime.staging.stand_ins import StandIn, one_by_one

# Rules go by the names of modules, and this library's own is left alone.
__name__ = "queues_of_graphs"
rules.convert_always(__name__)


@do_not_convert
def _is_deque(value: object) -> bool:
    return is_a(value, (collections.deque, Deque))


class Deque(StandIn):
    def __init__(self, iterable: Iterable[object] = (), maxlen: int | None = None) -> None:
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self.items: list[Any] = []
        self.start = 0
        self.maxlen = maxlen
        self.extend(iterable)

    stands_for = collections.deque

    def __len__(self) -> int:
        return len(self.items) - self.start

    def __bool__(self) -> bool:
        return len(self.items) > self.start

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items[self.start :])

    def as_list(self) -> list[Any]:
        return self.items[self.start :]

    def one_by_one(self) -> object:
        first, end = self.start, len(self.items)

        def changes() -> None:
            if self.start != first or len(self.items) != end:
                raise RuntimeError("deque mutated during iteration")

        return one_by_one(self, end - first, lambda index: self.items[first + index], changes)

    @do_not_convert
    def __array_function__(self, function: Any, types: object, args: Any, kwargs: Any) -> object:
        """What a function of NumPy's makes of it: that of a list of its items."""
        return function(*[converted(list)(one) if one is self else one for one in args], **kwargs)

    def __contains__(self, item: object) -> bool:
        return item in self.items[self.start :]

    def __getitem__(self, index: int) -> Any:
        return self.items[self._place(index)]

    def __setitem__(self, index: int, item: object) -> None:
        self.items[self._place(index)] = item

    def __delitem__(self, index: int) -> None:
        del self.items[self._place(index)]

    def _place(self, index: int) -> int:
        count = len(self.items) - self.start
        if index < -count or index >= count:
            raise IndexError("deque index out of range")
        return self.start + index if index >= 0 else len(self.items) + index

    def __eq__(self, other: Any) -> bool:
        if not _is_deque(other):
            return NotImplemented
        count, others = len(self.items) - self.start, list(other)
        if count != len(others):
            return False
        return all(self.items[self.start + index] == others[index] for index in range(count))

    def __lt__(self, other: Any) -> bool:
        return list(self) < list(other) if _is_deque(other) else NotImplemented

    def __le__(self, other: Any) -> bool:
        return list(self) <= list(other) if _is_deque(other) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return list(self) > list(other) if _is_deque(other) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        return list(self) >= list(other) if _is_deque(other) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __iadd__(self, other: Iterable[object]) -> Deque:
        self.extend(other)
        return self

    def __repr__(self) -> str:
        limit = "" if self.maxlen is None else f", maxlen={self.maxlen}"
        return f"deque({self.items[self.start :]!r}{limit})"

    def as_pythons(self) -> collections.deque[Any]:
        """What a function returns."""
        return collections.deque(self.items[int(self.start) :], self.maxlen)

    def append(self, item: object) -> None:
        if self.maxlen is not None and len(self.items) - self.start >= self.maxlen:
            if self.maxlen == 0:
                return
            self.start += 1
        self.items.append(item)

    def appendleft(self, item: object) -> None:
        if self.maxlen is not None and len(self.items) - self.start >= self.maxlen:
            if self.maxlen == 0:
                return
            self.items.pop()
        if self.start > 0:
            self.start -= 1
            self.items[self.start] = item
        else:
            self.items.insert(0, item)

    def extend(self, iterable: Iterable[object]) -> None:
        for item in iterable:
            self.append(item)

    def extendleft(self, iterable: Iterable[object]) -> None:
        for item in iterable:
            self.appendleft(item)

    def pop(self) -> Any:
        if len(self.items) <= self.start:
            raise IndexError("pop from an empty deque")
        return self.items.pop()

    def popleft(self) -> Any:
        if len(self.items) <= self.start:
            raise IndexError("pop from an empty deque")
        item = self.items[self.start]
        self.start += 1
        return item

    def clear(self) -> None:
        self.items.clear()
        self.start = 0

    def copy(self) -> Deque:
        return Deque(self.items[self.start :], self.maxlen)

    def __copy__(self) -> Deque:
        return Deque(self.items[self.start :], self.maxlen)

    def count(self, item: object) -> int:
        return self.items[self.start :].count(item)

    def index(self, item: object) -> int:
        for index in range(len(self)):
            if self.items[self.start + index] == item:
                return index
        raise ValueError(f"{item!r} is not in deque")

    def insert(self, index: int, item: object) -> None:
        if self.maxlen is not None and len(self.items) - self.start >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        count = len(self.items) - self.start
        self.items.insert(self.start + min(max(index + count if index < 0 else index, 0), count), item)

    def remove(self, item: object) -> None:
        for index in range(self.start, len(self.items)):
            if self.items[index] == item:
                del self.items[index]
                return
        raise ValueError("deque.remove(x): x not in deque")

    def reverse(self) -> None:
        items = self.items[self.start :]
        self.clear()
        for item in reversed(items):
            self.items.append(item)

    def rotate(self, n: int = 1) -> None:
        items = self.items[self.start :]
        self.clear()
        for index in range(len(items)):
            self.items.append(items[(index - n) % len(items)])


Deque.__name__ = Deque.__qualname__ = "deque"
