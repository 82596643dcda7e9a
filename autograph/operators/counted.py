"""Items of Python's that the graph may count, though they are no range: products of ranges, and numbers of the graph in
lists, alone, in rows or side by side."""

from __future__ import annotations

import dis
import itertools
import math
import operator
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any, NamedTuple

from autograph import dispatch
from autograph.dispatch import attempt_all, backend_of, holder_of, is_list
from autograph.operators.lists import get_item, unpacked
from autograph.operators.mutations import Mutations
from autograph.operators.ranges import left_of
from autograph.reading import found_in, is_exactly

_FEWEST = 16  # fewer items stay what they are


class Counted(NamedTuple):
    """So many items, by their numbers."""

    size: int
    item: Callable[..., object]


# By the identity of a type of iterators, what has the ``itertools.product`` that one of them goes through.
products: dict[int, Callable[[Any], Any]] = {id(itertools.product): lambda items: items}

# The types of iterators over lists and the like, which tell by ``__reduce__`` of what, and how far they have got; what
# a backend has for a list may have its own.
forwards: list[type] = [*map(type, (iter([]), iter(()), iter(range(0))))]
backwards: list[type] = [type(reversed([])), reversed]
_TOLD = type(iter(range(0)))  # `ranges` knows it
_ASKED = frozenset(map(id, (list, tuple, zip, enumerate)))


def is_asked(kind: type) -> bool:
    """Whether items of a type may be such: `as_counted` tells."""
    number = id(kind)  # a class of the program's is not asked what it is equal to
    if number in products or number in _ASKED or is_list(kind):
        return True
    return _is_among(kind, backwards) or (_is_among(kind, forwards) and kind is not _TOLD)


def _is_among(kind: type, kinds: Sequence[type]) -> bool:
    return any(kind is one for one in kinds)


def as_counted(items: object, functions: Sequence[object] = ()) -> Counted | None:
    """The items of an iterator that nobody has begun with, or of lists that none of the functions can change; None of
    others, or where there are so few items that the graph need not count them."""
    if not dispatch.active or not is_asked(type(items)):
        return None
    is_product = id(type(items)) in products
    if not is_product and not _may_be_many(items):
        return None
    attempt = attempt_all()
    if attempt is None or attempt.counter is None:
        return None
    if is_product:
        return _product(items)
    lists = _Lists(attempt.alike)
    found = lists.counted(items, _parts_taken(functions[0]) if functions else None)
    return None if found is None or found.size < _FEWEST or lists.may_change(functions) else found


def used_up(items: Iterable[object], counted: Counted) -> range:
    """The numbers of the items, which whoever else has the iterator over them finds at its end."""
    if found_in(type(items), "__next__") is not None:
        deque(items, maxlen=0)
    return range(counted.size)


def _may_be_many(items: Any) -> bool:
    """What is quickly told of most items: that they are few, or none of the graph's."""
    kind = type(items)
    if kind is zip or kind is enumerate:
        _, parts, *_ = items.__reduce__()
        return bool(parts) and _may_be_many(parts[0])
    if _is_among(kind, backwards) and not _is_plain(items.__reduce__()[1][0]):
        return False  # a class of the user's would be asked for its length
    if _is_among(kind, forwards) or _is_among(kind, backwards):
        return not _is_backends(items.__reduce__()[1][0]) and operator.length_hint(items) >= _FEWEST
    if kind is not list and kind is not tuple and not is_list(kind):
        return False
    if len(items) < _FEWEST:
        return False
    parts = items[0] if _is_plain(items[0]) else items[:1]
    return any(backend_of(part) is not None for part in parts)


def _parts_taken(function: Any) -> int:
    """In how many parts a function takes what it is given apart, which it does not look at besides; 0 if it does."""
    if type(function) is not FunctionType:
        return 0
    code = function.__code__
    if code.co_argcount != 1:
        return code.co_argcount
    done, given = [*dis.get_instructions(code)], code.co_varnames[0]
    read = [number for number, one in enumerate(done) if one.argval == given]
    if len(read) != 1:
        return 0
    (at,) = read
    after = [one for one in done[at + 1 : at + 5] if one.opname not in _CALL]
    is_checked = after[0].opname == "LOAD_CONST" and done[at - 1].argval == unpacked.__name__
    taking = after[is_checked]
    return (taking.arg or 0) if taking.opname == "UNPACK_SEQUENCE" else 0


_CALL = ("PRECALL", "CALL")


def _product(items: object) -> Counted | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # later Pythons do not tell
            _, pools, *begun = products[id(type(items))](items).__reduce__()
    except (AttributeError, TypeError, ValueError):
        return None
    columns = [*map(_as_range, pools)]
    if begun or any(column is None for column in columns):
        return None
    count = math.prod(map(len, pools))
    return Counted(count, _Places(columns)) if count >= _FEWEST else None  # type: ignore[arg-type]


class _Places:
    """The items of a product of ranges, by their numbers."""

    def __init__(self, columns: Sequence[range]) -> None:
        self._columns = columns

    def __call__(self, number: Any) -> tuple[object, ...]:
        found = []
        for column in reversed(self._columns[1:]):
            found.append(_of_range(column, number % len(column)))
            number = number // len(column)
        return (_of_range(self._columns[0], number), *reversed(found))


def _of_range(items: range, number: Any) -> object:
    """An item of a range, by a number that may be the graph's."""
    return items.start + items.step * number


def _as_range(pool: Sequence[int]) -> range | None:
    """A range with these items; None if there is none."""
    if not pool or any(type(item) is not int for item in pool):
        return None
    step = pool[1] - pool[0] if len(pool) > 1 else 1
    made = range(pool[0], pool[0] + step * len(pool), step) if step else range(0)
    return made if len(made) == len(pool) and all(map(operator.eq, made, pool)) else None


class _Lists:
    """What a loop goes through whose items come from lists, at least one of them of numbers of the graph."""

    def __init__(self, alike: Callable[[Sequence[object]], bool]) -> None:
        self._alike = alike
        self._staged: list[object] = []  # the lists of such numbers

    def may_change(self, functions: Sequence[object]) -> bool:
        """Whether a list can be reached from functions, or whether none is there that makes it worth while."""
        lists = [one for one in self._staged if not issubclass(type(one), tuple)]
        if not functions or not lists:
            return not self._staged
        reached = Mutations(functions)
        return not reached.is_whole() or any(map(reached.has, lists))

    def counted(self, items: Any, taken: int | None = 0) -> Counted | None:
        """The items, each of which is taken apart in so many parts, if any; None if that is not known."""
        kind = type(items)
        if kind is list or kind is tuple or is_list(kind):
            return self._listed(items, 0, 1, taken)
        if kind is zip or kind is enumerate:
            return self._abreast(items)
        if not _is_among(kind, forwards) and not _is_among(kind, backwards):
            return None
        _, (whole,), *index = items.__reduce__()
        if _is_backends(whole):
            return None
        if type(whole) is range:
            left = left_of(items)
            return Counted(len(left), lambda number: _of_range(left, number))
        if _is_among(kind, backwards):
            return self._listed(whole, index[0], -1, taken) if index and _is_plain(whole) else None
        return self._listed(whole, index[0] if index else 0, 1, taken)

    def _listed(self, items: Any, first: int, step: int, taken: int | None) -> Counted | None:
        """The items of a list or tuple: numbers of the graph that are alike, or of Python's of one type, or rows of
        these."""
        left = slice(first, None, step) if first >= 0 else slice(0, 0)
        elements = _held(items)[left]
        if len(elements) < _FEWEST:
            return None
        if _is_plain(elements[0]):
            return self._in_rows(items, elements, taken)
        if not self._are_alike(elements, items):
            return None
        return Counted(len(elements), lambda number: get_item(items, first + step * number))

    def _are_alike(self, elements: Sequence[object], *lists: Any) -> bool:
        """Whether these are numbers of the graph that are alike, taken from some lists, or of Python's of one type."""
        if backend_of(elements[0]) is not None:
            self._staged += lists
            return self._alike(elements)
        return is_exactly(elements[0], int, float) and all(type(one) is type(elements[0]) for one in elements)

    def _in_rows(self, items: Any, rows: Sequence[Any], taken: int | None) -> Counted | None:
        """Tuples of numbers, or lists which nobody comes to know as they are taken apart."""
        size = len(rows[0])
        if any(not _is_plain(row) or len(row) != size for row in rows):
            return None
        if taken is not None and taken != size and any(type(row) is not tuple for row in rows):
            return None
        columns = [*map(list, zip(*map(_held, rows)))]
        if not columns or not all(self._are_alike(column, items, *rows) for column in columns):
            return None
        return Counted(len(rows), lambda number: tuple([get_item(column, number) for column in columns]))

    def _abreast(self, items: Any) -> Counted | None:
        """The items of ``zip`` and ``enumerate`` of iterators that nobody else has."""
        if max(_references(items), default=_SHARED) > _OWN[type(items)]:
            return None
        _, parts, *strict = items.__reduce__()
        if strict:
            return None
        parts, start = ((parts[0],), parts[1]) if type(items) is enumerate else (parts, None)
        columns = []
        for part in parts:
            column = self.counted(part)
            if column is None:
                return None
            columns.append(column)
        if start is not None:
            columns.insert(0, Counted(columns[0].size, lambda number: start + number))
        return Counted(min(c.size for c in columns), lambda number: tuple([c.item(number) for c in columns]))


def _is_plain(items: object) -> bool:
    """Whether it is a list or tuple of no class of the program's."""
    return is_exactly(items, list, tuple) or is_list(type(items))


def _is_backends(items: object) -> bool:
    """Whether only a backend knows what a list holds by now, and how much."""
    return holder_of(items) is not None and not is_list(type(items))


def _held(items: Any) -> Any:
    """What a list or tuple holds, asked of no class of the program's."""
    return (tuple if issubclass(type(items), tuple) else list).__getitem__(items, slice(None))


def _references(items: Any) -> list[int]:
    """How many references there are to each iterator that ``zip`` or ``enumerate`` goes through."""
    _, parts, *_ = items.__reduce__()
    return [sys.getrefcount(part) for part in (parts[:1] if type(items) is enumerate else parts)]


_SHARED = 1 << 30
_OWN = {kind: max(_references(kind([]))) for kind in (zip, enumerate)}  # of iterators that nobody else has
