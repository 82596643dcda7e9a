"""What loops go through whose items the compiled program has."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import jax.numpy as jnp

from autograph.errors import StagingError
from autograph.jax.values import Array, Type, cast, type_of


class Items:
    """So many items: each is made of the parts of arrays at its place.

    Args:
      each: gives them one by one, as Python has them: what counts them is an int.
    """

    def __init__(
        self,
        arrays: Sequence[Array],
        make: Callable[[Sequence[Array]], object],
        each: Callable[[], Iterable[object]],
    ) -> None:
        self.arrays, self.item, self._each = tuple(arrays), make, each
        self.length: int = min(a.shape[0] for a in arrays)

    @property
    def types(self) -> list[Type]:
        found = [type_of(array) for array in self.arrays]
        return [type_._replace(shape=type_.shape[1:]) for type_ in found if type_ is not None]

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[object]:
        return iter(self._each())

    @classmethod
    def of(cls, items: Any) -> Items:
        """Arrays' rows, the numbers of ranges, or items."""
        if isinstance(items, cls):
            return items
        if isinstance(items, Range):
            raise StagingError(
                "zip() and enumerate() of a range whose length only the compiled program knows: use its numbers as "
                "indices"
            )
        array = numbers(items) if isinstance(items, range) else jnp.asarray(items)
        if array.shape == ():
            raise TypeError("iteration over a 0-d array")
        return cls([array], operator.itemgetter(0), lambda: items)


def numbers(given: range) -> Array:
    """An array of the numbers of a range, which are Python's."""
    array = jnp.arange(given.start, given.stop, given.step)
    return cast(array, Type(array.shape, array.dtype, True))


class Range:
    """A range whose bounds only the compiled program knows."""

    def __init__(self, *bounds: Array) -> None:
        start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1) if len(bounds) == 2 else bounds
        if type(step) is int and step == 0:
            raise ValueError("range() arg 3 must not be zero")
        # They are Python's, however few bits the bounds have: those of `range(n, -1, -1)` go down to zero.
        self.type = Type((), jnp.result_type(jnp.asarray(0).dtype, start, stop, step), True)
        self.start, self.stop, self.step = (cast(x, self.type) for x in (start, stop, step))

    def length(self) -> Array:
        sign = jnp.sign(self.step)
        return jnp.maximum((self.stop - self.start + self.step - sign) // self.step, 0)


def is_of_arrays(items: object) -> bool:
    """Whether the compiled program has what a loop goes through."""
    return isinstance(items, Items | Range) or hasattr(items, "shape")
