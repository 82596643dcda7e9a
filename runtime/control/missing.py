"""Elements of a list of the graph that may be None: each is there or not, and has a value all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from runtime.graph.owner import Owner
from runtime.tensors import nest

NOT_NONE = "Take those elements that are not (`[v for v in items if v is not None]`)."


class Maybe(NamedTuple):
    """What an element is, or a part of one, that is None where it is not `there`."""

    there: object
    value: object


@dataclass(frozen=True)
class Presence:
    """Whether an element is there that only the graph knows to be None or not; it is asked where it is needed."""

    now: Callable[[], object]


class Gap(Enum):
    """What stands for a leaf that an element lacks which is None, or no `Maybe`."""

    THERE = True
    ABSENT = False
    NOTHING = None  # a part of what is not there


def may_be_missing(structure: object) -> bool:
    """Whether an element, or a part of it, is None or may be."""
    if structure is None or isinstance(structure, Maybe):
        return True
    return nest.is_nested(structure) and any(map(may_be_missing, nest.parts(structure)))


def may_be_written(structure: object, inside: bool = False) -> bool:
    """Whether something that may be None is a list, a dictionary or an object: a copy of it would not see what others
    write into it."""
    if isinstance(structure, Maybe):
        return may_be_written(structure.value, True)
    if not nest.is_nested(structure):
        return False
    if inside and not isinstance(structure, tuple):
        return True
    return any(may_be_written(part, inside) for part in nest.parts(structure))


def joined(structures: Iterable[object]) -> object:
    """One structure for all elements, as far as they are alike but for what may be None."""
    made, *others = structures
    made = _with_gaps(made)
    for other in others:
        made = _joined(made, other)
    return made


def _with_gaps(structure: Any) -> object:
    """A structure with what may be there in the place of each None."""
    if structure is None:
        return Maybe(Gap.THERE, Gap.NOTHING)
    if not nest.is_nested(structure) or not may_be_missing(structure):
        return structure
    return nest.of_kind(structure, [*map(_with_gaps, nest.parts(structure))])


def _joined(one: Any, other: Any) -> object:
    if one is None or other is None or isinstance(one, Maybe) or isinstance(other, Maybe):
        values = [v.value if isinstance(v, Maybe) else v for v in (one, other) if not _is_none(v)]
        return Maybe(Gap.THERE, joined(values) if values else Gap.NOTHING)
    if nest.is_nested(one) and nest.alike(_parts(one), _parts(other)):
        return nest.of_kind(one, [*map(_joined, nest.parts(one), nest.parts(other))])
    return one


def is_nothing(leaf: object) -> bool:
    """Whether a leaf tells nothing, as no element was there yet."""
    return leaf is Gap.NOTHING or (isinstance(leaf, int) and getattr(leaf, "owner", None) is Owner.NOBODY)


def _is_none(structure: object) -> bool:
    """Whether it is None, or always has been."""
    return structure is None or (isinstance(structure, Maybe) and is_nothing(structure.value))


def _parts(structure: object) -> object:
    """A structure, but not what its parts consist of."""
    if not nest.is_nested(structure):
        return structure
    return nest.of_kind(structure, [0 for _ in nest.parts(structure)])


def expressed(element: Any, structure: Any) -> object:
    """An element in a structure that it has but for what may be None: with gaps for what it lacks."""
    if isinstance(structure, Maybe):
        if _is_none(element):
            there = Gap.ABSENT if element is None else element.there
            return Maybe(there, nest.map_structure(lambda _: Gap.NOTHING, structure.value))
        if isinstance(element, Maybe):
            return Maybe(element.there, expressed(element.value, structure.value))
        return Maybe(Gap.THERE, expressed(element, structure.value))
    if nest.is_nested(element) and nest.alike(_parts(element), _parts(structure)):
        return nest.of_kind(element, [*map(expressed, nest.parts(element), nest.parts(structure))])
    return element


def at_hand(element: Any) -> object:
    """An element that the graph has left, with None for what is not there."""
    if isinstance(element, Maybe):
        return at_hand(element.value) if element.there else None
    if not nest.is_nested(element) or not may_be_missing(element):
        return element
    return nest.of_kind(element, [*map(at_hand, nest.parts(element))])
