"""Numbers of which only the graph knows what dtype, or what class, they have, as those see them that want one dtype."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.tensors import nest
from runtime.tensors.operators import Operators
from runtime.tensors.types import Structure


class Asked(Operators):
    """What answers operators and NumPy's functions for whatever stands beside it."""

    __slots__ = ()

    def distribute(self, function: Callable[[Any], object]) -> object:
        """What a function makes of the one that it is."""
        raise NotImplementedError


class OneOf(Asked):
    """One of several values: no operation takes it as it is."""

    __slots__ = ()

    _options: Sequence[object] = ()  # all that it may be, as far as that is told

    def structure(self) -> object:
        """Where all that it may be are structures that are alike: one of those whose parts are what only the graph
        knows. Itself where they are not."""
        return self


class Arrays(OneOf):
    """One of several numbers and arrays, of different dtypes or with different numbers of dimensions."""

    __slots__ = ()


class Several(OneOf):
    """One of several numbers, of different dtypes or of classes of their own."""

    __slots__ = ()

    def numbers(self) -> Sequence[object]:
        """The numbers that it may be."""
        raise NotImplementedError

    def together(self, others: Sequence[Several], function: Callable[[Mapping[int, object]], object]) -> object:
        """What a function makes of several of these, by their identities, as numbers of one dtype."""
        raise NotImplementedError


def with_each(function: Callable[..., object], *arguments: Any, promoted: bool = False) -> object:
    """What a function makes of arguments in which one is one of several numbers or arrays, also as an element of a
    list, tuple or dictionary: the graph calls it with the one that it is. NotImplemented where there is none.

    Of many such numbers that is not asked one by one: they have one dtype.

    promoted: whether one that is known in the dtype of all it may be is among these, too.
    """
    among = {id(one): one for one in nest.flatten(list(arguments)) if isinstance(one, Asked)}
    found = [one for one in among.values() if isinstance(one, Several)]
    if len(found) > _MANY:
        return found[0].together(found, lambda known: function(*_put(known, arguments)))
    first: Asked | None = next((one for one in among.values() if promoted or isinstance(one, Several | Arrays)), None)
    if first is None:
        return NotImplemented
    return first.distribute(lambda number: function(*_put({id(first): number}, arguments)))


_MANY = 2


def settled(value: Structure) -> Structure:
    """A structure in which no part is one of several structures that are alike, for those who look at its leaves."""
    if isinstance(value, OneOf):
        value = value.structure()
    if not nest.is_nested(value):
        return value
    given = [*nest.parts(value)]
    parts = [settled(part) for part in given]
    return value if all(map(operator.is_, parts, given)) else nest.of_kind(value, parts)


def _put(known: Mapping[int, object], values: Sequence[Any]) -> Any:
    """Values with numbers in the places of those, by their identities, that are one of several."""
    return nest.map_structure(lambda part: known.get(id(part), part) if isinstance(part, Asked) else part, list(values))
