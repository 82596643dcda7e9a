"""Lists that a program keeps as its history, and does nothing with but append to them."""

from __future__ import annotations

from typing import Any

from autograph import StagingError
from autograph.operators.mutations import Mutations
from autograph.operators.places import Place
from runtime.control.lists import KnownList
from runtime.control.rows import Column, Inner, Rows
from runtime.functions.state import Exchanged
from runtime.graph.owner import Owner
from runtime.tensors import nest


class Histories(Exchanged):
    """While a function is traced, other lists stand for them, to which staged statements may append; what these hold in
    the end each call appends to the histories. Without `mutations` there are none."""

    def __init__(self, mutations: Mutations | None) -> None:
        super().__init__()
        self._stand_ins: dict[int, tuple[list[object], KnownList]] = {}
        self._places: list[Place] = []
        histories = mutations.only_appended if mutations is not None else frozenset[int]()
        for place in mutations.places() if mutations is not None and histories else ():
            held: Any = place.old
            if id(held) in histories:
                self._stand_ins.setdefault(id(held), (held, KnownList()))
                self._places.append(place)

    def __enter__(self) -> Histories:
        for place in self._places:
            self._hold(place, self._stand_ins[id(place.old)][1])
        return self

    def appended(self) -> list[tuple[list[object], KnownList]]:
        """The histories that have something appended to them, and what.

        Raises StagingError where the graph decides which arrays or lists these are, of which a history would have
        copies, in which nobody sees what is written to them later; or of what kind the numbers are.
        """
        found = [(held, made) for held, made in self._stand_ins.values() if made.is_grown or list.__len__(made)]
        for held, made in found:
            if (rows := made.rows) is None:
                continue
            if not _is_of_values(rows):
                raise StagingError(
                    f"a staged statement appends an array or a list to '{self._name_of(held)}', which would be a copy "
                    "of it. Append numbers, texts or tuples of them there, or append outside of the statement what it "
                    "has chosen."
                )
            if any(column.mixed for column in nest.flatten(rows.structure)):
                raise StagingError(
                    f"staged statements append numbers of several types to '{self._name_of(held)}', which a graph "
                    "cannot tell apart later. Make them all of one type, as by float(x)."
                )
        return found

    def _name_of(self, held: list[object]) -> str:
        return next(place.name for place in self._places if place.old is held)


def _is_of_values(rows: Rows) -> bool:
    """Whether the elements are numbers and texts, or tuples of them."""
    return not isinstance(rows.structure, Inner) and _is_value(rows.structure)


def _is_value(structure: object) -> bool:
    if isinstance(structure, Column):
        return structure.owner not in (Owner.ARRAY, Owner.TENSOR)
    return isinstance(structure, tuple) and all(map(_is_value, structure))
