"""Built-in functions as plain Python defines them; these definitions are converted to be used on staged items."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias


class NoItem(RuntimeError, StopIteration):
    """A StopIteration of a graph, which says what it is wherever it ends nothing."""


_MISSING: object = object()
NO_ITEM = "next() found no item (StopIteration): give it what to return then, next(items, None)"
_MOST = 2**40  # times; a list of more elements fits into no memory


def _added(items: Iterable[object], start: Any = 0) -> object:
    for item in items:
        start = start + item
    return start


def _compensated(items: Iterable[object], start: Any = 0) -> object:
    """What each sum of floats loses is added up beside them, and to the last of them."""
    total, lost = start, 0.0
    for item in items:
        if type(item) is float and type(total) in (int, float):
            larger = total + item
            lost = lost + ((total - larger) + item if abs(total) >= abs(item) else (item - larger) + total)
            total = larger
        else:
            total = total + item
    if type(total) is float:
        if lost != 0 and lost - lost == 0:  # not of infinities, which leave NaN
            total = total + lost
    return total


sum_ = _compensated if sys.version_info >= (3, 12) else _added


def listed(items: Iterable[Any]) -> list[object]:
    return [item.tolist() for item in items]


def any_(items: Iterable[object]) -> bool:
    for item in items:  # noqa: SIM110
        if item:
            return True
    return False


def all_(items: Iterable[object]) -> bool:
    for item in items:  # noqa: SIM110
        if not item:
            return False
    return True


def first(items: Iterable[object], default: object = _MISSING) -> object:
    for item in items:
        return item
    if default is _MISSING:
        raise NoItem(NO_ITEM)
    return default


def index_(items: Iterable[object], value: object, otherwise: str | None = None) -> int:
    for index, item in enumerate(items):
        if (item,) == (value,):  # it is the value, or equals it; of tuples item by item
            return index
    raise ValueError(f"{value!r} is not in list" if otherwise is None else otherwise)


def index_between(items: Any, value: object, start: int, stop: int | None = None) -> int:
    first = start if start >= 0 else max(len(items) + start, 0)
    return first + items[first:stop].index(value)


def count_(items: Iterable[object], value: object) -> int:
    count = 0
    for item in items:
        if (item,) == (value,):  # it is the value, or equals it; of tuples item by item
            count += 1
    return count


def contains_(items: Iterable[object], value: object) -> bool:
    found = False
    for item in items:
        if (item,) == (value,):  # as in index_
            found = True
            break
    return found


def unpacked(items: Sequence[object], count: int) -> tuple[object, ...]:
    length = len(items)
    if length > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if length < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {length})")
    return tuple([items[index] for index in range(count)])


def unpacked_with_rest(items: Sequence[object], before: int, behind: int) -> tuple[object, ...]:
    length, least = len(items), before + behind
    if length < least:
        raise ValueError(f"not enough values to unpack (expected at least {least}, got {length})")
    first = [items[index] for index in range(before)]
    last = [items[index - behind] for index in range(behind)]
    return (*first, items[before : length - behind], *last)


def equal_lists(items: Sequence[object], others: Sequence[object]) -> bool:
    if len(items) != len(others):
        return False
    same = True
    for index in range(len(items)):
        if (items[index],) != (others[index],):  # as in index_
            same = False
            break
    return same


def ordered_lists(
    items: Sequence[object], others: Sequence[object], compare: Callable[[object, object], object]
) -> object:
    """``compare(items, others)`` of an ordering, which the first items decide that are not equal."""
    count = min(len(items), len(others))
    place = 0
    while place < count and (items[place],) == (others[place],):
        place += 1
    if place < count:
        return compare(items[place], others[place])
    return compare(len(items), len(others))


def attribute_or(absent: bool, default: object, value: object) -> object:
    return default if absent else value


def collect(
    made: list[object], items: Iterable[object], function: Callable[[object], object] | None,
    keep: Callable[[object], object] | None,
) -> list[object]:  # fmt: skip
    for item in items:
        if keep is None or keep(item):
            made.append(item if function is None else function(item))
    return made


def collect_all(items: Iterable[object]) -> list[object]:
    made: list[object] = []
    for item in items:
        made.append(item)
    return made


def text_of_list(items: list[object]) -> str:
    return "[" + ", ".join([repr(item) for item in items]) + "]"


def repeat(items: list[object], count: int) -> list[object]:
    made: list[object] = []
    if count > _MOST and len(items) > 0:
        raise MemoryError
    for _ in range(count if len(items) > 0 else 0):
        made.extend(items)
    return made


Body: TypeAlias = Callable[[object], object]  # of a loop


def with_map(function: Callable[[object], object], body: Body) -> Body:
    """The body of a loop over items as one over what they are made of."""

    def step(item: object) -> None:
        body(function(item))

    return step


def with_filter(function: Callable[[object], object], body: Body) -> Body:
    def step(item: object) -> None:
        if function(item):
            body(item)

    return step


def with_nested(function: Callable[[object], Iterable[object]], body: Body) -> Body:
    def step(item: object) -> None:
        for inner in function(item):
            body(inner)

    return step
