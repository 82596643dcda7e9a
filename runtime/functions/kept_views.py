"""Arrays that a program keeps beside the array whose memory they show: by which index the one is made of the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.graph.dtypes import NumPyArray
from runtime.tensors.views import whole

_MOST = 4  # dimensions of an array, with more of which no way is looked for


@dataclass(frozen=True)
class Way:
    """How a view is made: by an index, and then by an order of its dimensions."""

    index: tuple[int | slice, ...]
    order: tuple[int, ...]

    def of(self, array: Any) -> Any:
        """The view of another array, which may be one of the graph."""
        made = array[self.index]
        return made if self.order == (*range(len(self.order)),) else made.transpose(self.order)

    def is_that(self, array: NumPyArray, view: NumPyArray) -> bool:
        """Whether an array is that view of another."""
        if len(self.index) != array.ndim or view.dtype != array.dtype or whole(view) is not whole(array):
            return False
        return _places(self.of(array)) == _places(view)


def way_to(view: NumPyArray, array: NumPyArray) -> Way | None:
    """How a view is made of an array; None if no index does it."""
    if view.dtype != array.dtype or not view.size or max(view.ndim, array.ndim) > _MOST:
        return None
    found = (way for way in _ways(view, array) if way.is_that(array, view))
    return next(found, None)


def _ways(view: NumPyArray, array: NumPyArray) -> Iterator[Way]:
    """Those that may do."""
    start = _start(_places(view)[0] - _places(array)[0], array)
    if start is None:
        return
    for dims in itertools.permutations(range(array.ndim), view.ndim):
        index: list[int | slice] = [*start]
        for dim, length, stride in zip(dims, view.shape, view.strides):
            step = stride // array.strides[dim] if length > 1 and array.strides[dim] else 1
            end = start[dim] + step * length
            index[dim] = slice(start[dim], end if end >= 0 else None, step or 1)
        rank = sorted(dims)
        yield Way((*index,), (*(rank.index(dim) for dim in dims),))


def _start(offset: int, array: NumPyArray) -> Sequence[int] | None:
    """The indices of the element so many bytes from the first."""
    sizes = [abs(stride) for stride in array.strides]
    last = [length - 1 for length in array.shape]
    backwards = [stride < 0 for stride in array.strides]
    offset += sum(size * most for size, most, is_back in zip(sizes, last, backwards) if is_back)  # from the lowest
    found = [0] * array.ndim
    for dim in sorted(range(array.ndim), key=lambda dim: -sizes[dim]):
        if sizes[dim]:
            found[dim] = min(max(offset // sizes[dim], 0), last[dim])
            offset -= found[dim] * sizes[dim]
    if offset:
        return None
    return [most - one if is_back else one for one, most, is_back in zip(found, last, backwards)]


def _places(array: NumPyArray) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Where its elements are; how far from one another is nothing where there is but one."""
    strides = (*(stride if length > 1 else 0 for length, stride in zip(array.shape, array.strides)),)
    return array.__array_interface__["data"][0], array.shape, strides
