"""What loops go through whose items the compiled program has."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from autograph.errors import StagingError
from autograph.jax.values import Array, Type, type_of


class Items:
    """So many items: each is made of the parts of arrays at its place."""

    def __init__(self, arrays: Sequence[Array], make: Callable[[Sequence[Array]], object]) -> None:
        self.arrays, self.item = tuple(arrays), make
        self.length: int = min(a.shape[0] for a in arrays)

    @property
    def types(self) -> list[Type]:
        found = [type_of(array) for array in self.arrays]
        return [type_._replace(shape=type_.shape[1:], weak=False) for type_ in found if type_ is not None]

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[object]:
        return (self.item([array[i] for array in self.arrays]) for i in range(self.length))

    @classmethod
    def of(cls, items: Any) -> Items:
        """Arrays' rows, what is in lists and ranges of numbers, or items."""
        if isinstance(items, cls):
            return items
        if isinstance(items, Range):
            raise StagingError(
                "zip() and enumerate() of a range whose length only the compiled program knows: use its numbers as "
                "indices"
            )
        array = jnp.asarray(items if hasattr(items, "shape") else [*items])
        if array.shape == ():
            raise TypeError("iteration over a 0-d array")
        return cls([array], operator.itemgetter(0))


class Range:
    """A range whose bounds only the compiled program knows."""

    def __init__(self, *bounds: Array) -> None:
        start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1) if len(bounds) == 2 else bounds
        if type(step) is int and step == 0:
            raise ValueError("range() arg 3 must not be zero")
        self.start, self.stop, self.step = (
            lax.convert_element_type(x, jnp.result_type(start, stop, step)) for x in (start, stop, step)
        )

    def length(self) -> Array:
        sign = jnp.sign(self.step)
        return jnp.maximum((self.stop - self.start + self.step - sign) // self.step, 0)
