"""Folds, filters, exact sums and medians: what library functions do that go through items which may be staged.

These definitions are converted. They raise what the functions raise.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph.operators.calls import defined, set_functions_of
from autograph.operators.mathematics import real
from autograph.operators.ordered import meaning

_MISSING: object = object()


def _sequence(items: Any) -> object:
    """Items that have an order and a length: those of anything else in a list."""
    if getattr(items, "shape", None) == ():
        raise TypeError(f"'numpy.{type(items).__name__}' object is not iterable")
    return items if isinstance(items, (list, tuple, range)) or hasattr(items, "shape") else list(items)


def _reduce(function: Callable[..., object], iterable: object, initial: object = _MISSING) -> object:
    items = defined(_sequence)(iterable)
    if initial is not _MISSING:
        made = initial
        for item in items:
            made = function(made, item)
        return made
    if len(items) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    made = items[0]
    for item in items[1:]:
        made = function(made, item)
    return made


def _accumulate(
    iterable: object, func: Callable[..., object] | None = None, *, initial: object = None
) -> Iterator[object]:
    function = operator.add if func is None else func
    items = defined(_sequence)(iterable)
    made = [initial] if initial is not None else list(items[:1])
    for item in items if initial is not None else items[1:]:
        made.append(function(made[-1], item))
    return iter(made)


def _filterfalse(function: Callable[[object], object] | None, iterable: Iterable[object]) -> Iterator[object]:
    return iter([item for item in iterable if not (item if function is None else function(item))])


def _takewhile(predicate: Callable[[object], object], iterable: Iterable[object]) -> Iterator[object]:
    made = []
    for item in iterable:
        if not predicate(item):
            break
        made.append(item)
    return iter(made)


def _dropwhile(predicate: Callable[[object], object], iterable: Iterable[object]) -> Iterator[object]:
    made, drops = [], True
    for item in iterable:
        drops = drops and bool(predicate(item))
        if not drops:
            made.append(item)
    return iter(made)


def _compress(data: Iterable[object], selectors: Iterable[object]) -> Iterator[object]:
    return iter([item for item, chosen in zip(data, selectors) if chosen])


def _prod(iterable: Iterable[object], *, start: object = 1) -> object:
    items, product = defined(_sequence)(iterable), start
    if len(items) == 0:
        return start
    for item in items:
        product = product * item
    return product


def _fsum(seq: Iterable[object]) -> float:
    """The exact sum, rounded once: `partials` are floats that have no bits in common, the smallest first."""
    partials: list[float] = []
    special = 0.0  # the sum of what is not finite
    infinities = 0.0
    for item in defined(_sequence)(seq):
        x = defined(real)(item)
        if math.isfinite(x):
            kept: list[float] = []
            for y in partials:
                total = x + y
                lost = y - (total - x) if abs(x) >= abs(y) else x - (total - y)
                if lost != 0.0:
                    kept.append(lost)
                x = total
            if not math.isfinite(x):
                raise OverflowError("intermediate overflow in fsum")
            kept.append(x)
            partials = kept
        else:
            special += x
            if math.isinf(x):
                infinities += x
    if special != 0.0:
        if math.isnan(infinities):
            raise ValueError("-inf + inf in fsum")
        return special
    return defined(_rounded)(partials)


def _rounded(partials: list[float]) -> float:
    """The sum of floats without common bits: what lies half-way goes where the bits below it say."""
    total, lost = 0.0, 0.0
    at = len(partials)
    while at > 0 and lost == 0.0:
        at -= 1
        high, low = total, partials[at]
        total = high + low
        lost = low - (total - high)
    if at > 0 and lost * partials[at - 1] > 0.0:
        twice = lost * 2.0
        further = total + twice
        if further - total == twice:
            total = further
    return total


def _fmean(data: object) -> float:
    items = defined(_sequence)(data)
    if len(items) == 0:
        raise sys.modules["statistics"].StatisticsError("fmean requires at least one data point")
    return defined(_fsum)(items) / len(items)


def _ordered(data: Any) -> list[object]:
    ordered = sorted(data)
    if len(ordered) == 0:
        raise sys.modules["statistics"].StatisticsError("no median for empty data")
    return ordered


def _median(data: object) -> object:
    ordered = defined(_ordered)(data)
    half = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) / 2


def _median_low(data: object) -> object:
    ordered = defined(_ordered)(data)
    return ordered[(len(ordered) - 1) // 2]


def _median_high(data: object) -> object:
    ordered = defined(_ordered)(data)
    return ordered[len(ordered) // 2]


DEFINITIONS: dict[Callable[..., object], Callable[..., object]] = {
    functools.reduce: _reduce,
    itertools.accumulate: _accumulate,
    itertools.compress: _compress,
    itertools.dropwhile: _dropwhile,
    itertools.filterfalse: _filterfalse,
    itertools.takewhile: _takewhile,
    math.fsum: _fsum,
    math.prod: _prod,
}
_OF_STATISTICS = {"fmean": _fmean, "median": _median, "median_high": _median_high, "median_low": _median_low}
_LAZY = frozenset(function for function in DEFINITIONS if getattr(function, "__module__", "") == "itertools")
MEANINGS = [
    (function, meaning(function, definition, function not in _LAZY)) for function, definition in DEFINITIONS.items()
]


def _of_statistics() -> list[tuple[object, Callable[..., object]]]:
    module = sys.modules["statistics"]  # which takes long to import
    named = [(getattr(module, name), definition) for name, definition in _OF_STATISTICS.items()]
    return [(function, meaning(function, definition, True)) for function, definition in named]


set_functions_of("statistics", _of_statistics)
