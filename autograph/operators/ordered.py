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
        defined(_sink)(heap, index, index)


def _heappush(heap: list[object], item: object) -> None:
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


def _heappop(heap: list[object]) -> object:
    if len(heap) == 0:
        raise IndexError("index out of range")
    item = heap.pop()
    if len(heap) > 0:
        last = item
        item = heap[0]
        heap[0] = last
        sink(heap, 0)
    return item


def _heapreplace(heap: list[object], item: object) -> object:
    if len(heap) == 0:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    sink(heap, 0)
    return least


def _heappushpop(heap: list[object], item: object) -> object:
    if len(heap) > 0 and less(heap[0], item):
        least = heap[0]
        heap[0] = item
        item = least
        sink(heap, 0)
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


def _sink(heap: list[object], top: int, index: int) -> None:
    """Move the item at an index down to the end, the smaller one of each two below it up, and then back up to `top`."""
    item = heap[index]
    below = 2 * index + 1
    while below < len(heap):
        if below + 1 < len(heap) and not less(heap[below], heap[below + 1]):
            below = below + 1
        heap[index] = heap[below]
        index = below
        below = 2 * index + 1
    heap[index] = item
    defined(_rise)(heap, top, index)


class _Met(dispatch.Signal):
    """What would have to be compared is staged."""


def _settled(value: Any) -> Any:
    """A value that Python can compare; raises `_Met` for another."""
    if _is_staged(value):
        raise _Met
    return value


def rise(heap: list[Any], top: int, index: int) -> None:
    """As `_rise` has it. It asks only what it compares whether that is staged: asking all would take time that grows
    with the heap, where this takes its logarithm."""
    if dispatch.backend_of(heap) is None:
        try:
            item = _settled(_get(heap, index))
            while index > top:
                above = (index - 1) // 2
                if not _is_less(heap, item, other := _settled(_get(heap, above))):
                    break
                _set(heap, index, other)
                _set(heap, above, item)
                index = above
            return
        except _Met:
            pass  # it goes on from where the item is
    defined(_rise)(heap, top, index)


def sink(heap: list[Any], top: int) -> None:
    """As `_sink` has it from the top, in the same way."""
    index = top
    if dispatch.backend_of(heap) is None:
        try:
            item, end = _get(heap, top), list.__len__(heap)
            while (below := 2 * index + 1) < end:
                if below + 1 < end:
                    left, right = _settled(_get(heap, below)), _settled(_get(heap, below + 1))
                    below += not _is_less(heap, left, right)
                _set(heap, index, _get(heap, below))
                _set(heap, below, item)
                index = below
            return rise(heap, top, index)
        except _Met:
            pass
    return defined(_sink)(heap, top, index)


_get, _set = list.__getitem__, list.__setitem__


def _is_less(heap: list[object], value: Any, other: Any) -> bool:
    """Whether one is less than another; raises RuntimeError if comparing them, which may be code of the user's, has
    made the heap shorter or longer."""
    size = list.__len__(heap)
    found = bool(value < other)
    if list.__len__(heap) != size:
        raise RuntimeError("list changed size during iteration")
    return found


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
    if id(type(value)) in ATOMS:
        return False
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


def _of_heap(function: Callable[..., object], definition: Callable[..., object]) -> Callable[..., object]:
    """What a function of a heap and items is called as while something is traced: as it is defined. Python follows the
    definition itself where nothing is staged of what that asks for at first."""
    count = definition.__code__.co_argcount  # type: ignore[attr-defined]

    def called(*arguments: Any, **keywords: object) -> object:
        try:
            if not dispatch.active or keywords or len(arguments) != count or not is_a(arguments[0], list):
                return function(*arguments, **keywords)
            heap, *items = arguments
            first = () if dispatch.backend_of(heap) is not None else list.__getitem__(heap, slice(1))
            settled = dispatch.backend_of(heap) is None and not any(map(_is_staged, (*first, *items)))
            return (definition if settled else defined(definition))(*arguments)
        except BaseException as error:
            _hide(error)
            raise

    return called


def _of_search(function: Callable[..., object], definition: Callable[..., object]) -> Callable[..., object]:
    """What a search in a sorted list is called as while something is traced: Python's function, unless that meets what
    is staged."""

    def called(*arguments: Any, **keywords: Any) -> object:
        try:
            if not dispatch.active:
                return function(*arguments, **keywords)
            items = arguments[0] if arguments else keywords.get("a")
            others = (*arguments[1:], *(value for name, value in keywords.items() if name != "a"))
            if dispatch.backend_of(items) is None and not any(map(_is_staged, others)):
                key = keywords.get("key")
                try:
                    asked = _settled if key is None else lambda item: _settled(key(item))
                    return function(*arguments, **{**keywords, "key": asked})
                except _Met:
                    pass
            return defined(definition)(*arguments, **keywords)
        except BaseException as error:
            _hide(error)
            raise

    return called


def _hide(error: BaseException) -> None:
    """Take the frames of what is here out of the traceback of an error of the user's."""
    while error.__traceback__ is not None and error.__traceback__.tb_frame.f_globals is globals():
        hide_frame(error)


HEAPS: dict[Callable[..., object], Callable[..., object]] = {
    heapq.heappop: _heappop,
    heapq.heappush: _heappush,
    heapq.heappushpop: _heappushpop,
    heapq.heapreplace: _heapreplace,
}
SEARCHES: dict[Callable[..., object], Callable[..., object]] = {
    bisect.bisect_left: _bisect_left,
    bisect.bisect_right: _bisect_right,
    bisect.insort_left: _insort_left,
    bisect.insort_right: _insort_right,
}
OF_ALL: dict[Callable[..., object], Callable[..., object]] = {
    heapq.heapify: _heapify,
    heapq.nlargest: _nlargest,
    heapq.nsmallest: _nsmallest,
}
DEFINITIONS = {**HEAPS, **SEARCHES, **OF_ALL}
define(min, min_)
define(max, max_)
MEANINGS = [
    (function, make(function, definition))
    for make, definitions in ((_of_heap, HEAPS), (_of_search, SEARCHES), (meaning, OF_ALL))
    for function, definition in definitions.items()
]
