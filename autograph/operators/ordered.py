"""The least and the greatest item, heaps and sorted lists: what functions of C's do with items that are staged."""

from __future__ import annotations

import bisect
import heapq
import sys
import types
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from typing import Any

from autograph import dispatch
from autograph.operators.calls import defined
from autograph.operators.items import Items, define
from autograph.operators.logic import ATOMS, greater, less
from autograph.operators.protocols import orders_staged
from autograph.operators.state import hide_frame
from autograph.reading import gives_items, is_a

_MISSING: object = object()
_EMPTY = "{}() iterable argument is empty" if sys.version_info >= (3, 12) else "{}() arg is an empty sequence"

# As the standard library has them, comparison by comparison, so that of equal items the same comes first. These
# definitions are converted.


def min_(items: Iterable[object], key: Callable[[object], object] | None = None, default: object = _MISSING) -> object:
    best = None
    least = None
    for item in items:
        value = item if key is None else key(item)
        if value is None:  # which stands for no item yet, below
            raise TypeError("'<' not supported between None and other items of min()")
        if least is None or less(value, least):
            best, least = item, value
    if least is None:
        if default is _MISSING:
            raise ValueError(_EMPTY.format("min"))
        return default
    return best


def max_(items: Iterable[object], key: Callable[[object], object] | None = None, default: object = _MISSING) -> object:
    best = None
    most = None
    for item in items:
        value = item if key is None else key(item)
        if value is None:
            raise TypeError("'>' not supported between None and other items of max()")
        if most is None or greater(value, most):
            best, most = item, value
    if most is None:
        if default is _MISSING:
            raise ValueError(_EMPTY.format("max"))
        return default
    return best


def _heapify(heap: list[object]) -> None:
    for index in range(len(heap) // 2 - 1, -1, -1):
        defined(_sink)(heap, index)


def _heappush(heap: list[object], item: object) -> None:
    heap.append(item)
    defined(_rise)(heap, 0, len(heap) - 1)


def _heappop(heap: list[object]) -> object:
    if len(heap) == 0:
        raise IndexError("index out of range")
    item = heap.pop()
    if len(heap) > 0:
        last = item
        item = heap[0]
        heap[0] = last
        defined(_sink)(heap, 0)
    return item


def _heapreplace(heap: list[object], item: object) -> object:
    if len(heap) == 0:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    defined(_sink)(heap, 0)
    return least


def _heappushpop(heap: list[object], item: object) -> object:
    if len(heap) > 0 and less(heap[0], item):
        least = heap[0]
        heap[0] = item
        item = least
        defined(_sink)(heap, 0)
    return item


def _rise(heap: list[object], top: int, index: int) -> None:
    """Move the item at an index up, as far as `top`, past those that are greater."""
    item = heap[index]
    while index > top:
        above = (index - 1) // 2
        other = heap[above]
        if not less(item, other):
            break
        heap[index] = other
        index = above
    heap[index] = item


def _sink(heap: list[object], top: int) -> None:
    """Move the item at an index down to the end, the smaller one of each two below it up, and then back up."""
    item = heap[top]
    index = top
    below = 2 * index + 1
    while below < len(heap):
        if below + 1 < len(heap) and not less(heap[below], heap[below + 1]):
            below = below + 1
        heap[index] = heap[below]
        index = below
        below = 2 * index + 1
    heap[index] = item
    defined(_rise)(heap, top, index)


def _nlargest(n: int, iterable: Iterable[Any], key: Callable[[object], Any] | None = None) -> list[object]:
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def _nsmallest(n: int, iterable: Any, key: Callable[[object], Any] | None = None) -> list[object]:
    return sorted(iterable, key=key)[: max(n, 0)]


def _bisect_left(
    a: Sequence[object], x: object, lo: int = 0, hi: int | None = None, *,
    key: Callable[[object], object] | None = None,
) -> int:  # fmt: skip
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        item = a[middle] if key is None else key(a[middle])
        if less(item, x):
            lo = middle + 1
        else:
            end = middle
    return lo


def _bisect_right(
    a: Sequence[object], x: object, lo: int = 0, hi: int | None = None, *,
    key: Callable[[object], object] | None = None,
) -> int:  # fmt: skip
    if lo < 0:
        raise ValueError("lo must be non-negative")
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        item = a[middle] if key is None else key(a[middle])
        if less(x, item):
            end = middle
        else:
            lo = middle + 1
    return lo


def _insort_left(
    a: MutableSequence[object], x: object, lo: int = 0, hi: int | None = None, *,
    key: Callable[[object], object] | None = None,
) -> None:  # fmt: skip
    a.insert(defined(_bisect_left)(a, x if key is None else key(x), lo, hi, key=key), x)


def _insort_right(
    a: MutableSequence[object], x: object, lo: int = 0, hi: int | None = None, *,
    key: Callable[[object], object] | None = None,
) -> None:  # fmt: skip
    a.insert(defined(_bisect_right)(a, x if key is None else key(x), lo, hi, key=key), x)


def inserted(items: list[object], key: Callable[[object], object] | None, reverse: bool) -> list[object]:
    """What ``sorted`` gives of items that say themselves which of two is less."""
    made: list[object] = []
    for index in range(len(items)):
        item = items[len(items) - 1 - index] if reverse else items[index]
        defined(_insort_right)(made, item, key=key)
    if reverse:  # equal ones stay as they were
        made.reverse()
    return made


def _is_staged(value: object) -> bool:
    """Whether the graph decides about a value, about an item of a list or tuple, or which of two objects is less."""
    if dispatch.backend_of(value) is not None or orders_staged(value):
        return True
    if not is_a(value, (list, tuple)):
        return False
    elements = dispatch.elements(value) or ()
    return not ATOMS.issuperset(map(id, map(type, elements))) and any(map(_is_staged, elements))


def meaning(
    function: Callable[..., object], definition: Callable[..., object], takes_all: bool = False
) -> Callable[..., object]:
    """What a function is called as while something is traced: as it is defined, if it is given staged items, or if it
    `takes_all` that a generator gives, which may be staged."""

    def is_defined(value: object) -> bool:
        return _is_staged(value) or (takes_all and (type(value) in (types.GeneratorType, Items) or gives_items(value)))

    def called(*arguments: object, **keywords: object) -> object:
        try:
            if dispatch.active and any(map(is_defined, (*arguments, *keywords.values()))):
                return defined(definition)(*arguments, **keywords)
            return function(*arguments, **keywords)
        except BaseException as error:
            hide_frame(error)
            raise

    return called


DEFINITIONS: dict[Callable[..., object], Callable[..., object]] = {
    heapq.heapify: _heapify,
    heapq.heappop: _heappop,
    heapq.heappush: _heappush,
    heapq.heappushpop: _heappushpop,
    heapq.heapreplace: _heapreplace,
    heapq.nlargest: _nlargest,
    heapq.nsmallest: _nsmallest,
    bisect.bisect_left: _bisect_left,
    bisect.bisect_right: _bisect_right,
    bisect.insort_left: _insort_left,
    bisect.insort_right: _insort_right,
}
define(min, min_)
define(max, max_)
MEANINGS = [(function, meaning(function, definition)) for function, definition in DEFINITIONS.items()]
