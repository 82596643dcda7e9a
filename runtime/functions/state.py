"""Arrays that a program keeps in variables, attributes, lists and dictionaries, and writes in place: inputs of a graph,
which each call looks up anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.dispatch import UNDEFINED
from autograph.operators.mutations import Mutations
from autograph.operators.places import Place
from runtime.functions.signature import ArrayArgument, share_memory
from runtime.functions.standing import WasThere
from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import InvalidArgumentError
from runtime.tensors.trace import Trace
from runtime.tensors.views import Array


@dataclass
class _Kept:
    """One array, the places that hold it, and what stands for it while a function is traced."""

    array: NumPyArray
    places: list[Place]
    stand_in: Array


class Found:
    """What of a program's arrays is an input, in the trace that it is an input of.

    Without `mutations` there is none. Entered, the arrays are exchanged for what stands for them. Arrays that share
    memory with others, and those held where nothing can be exchanged (in tuples), are left out.
    """

    def __init__(self, trace: Trace, mutations: Mutations | None, given: Iterable[object]) -> None:
        groups: dict[int, list[Place]] = defaultdict(list)
        for place in mutations.places() if mutations is not None else ():
            if type(place.old) is np.ndarray and place.old.dtype.kind in "biufc" and place.old.dtype.isnative:
                groups[id(place.old)].append(place)
        arrays: list[Any] = [places[0].old for places in groups.values()]
        others = [getattr(leaf, "original", None) for leaf in given]
        all_arrays = [*arrays, *(other for other in others if isinstance(other, np.ndarray))]
        self.kept: list[_Kept] = []
        for array, places in zip(arrays, groups.values()):
            if any(one is not array and np.may_share_memory(one, array) for one in all_arrays):
                continue
            leaf = ArrayArgument(array)
            stand_in = Array(trace, trace.input(leaf.type, places[0].name))
            stand_in.layout, stand_in.depends_on_call = array.flags.c_contiguous, True
            self.kept.append(_Kept(array, places, stand_in))

    @property
    def stand_ins(self) -> list[Array]:
        return [one.stand_in for one in self.kept]

    def arrays(self) -> set[int]:
        """The identities of the arrays."""
        return {id(one.array) for one in self.kept}

    def __enter__(self) -> Found:
        for one in self.kept:
            for place in one.places:
                place.write(one.stand_in)
        return self

    def __exit__(self, *_: object) -> None:
        self.put_back()

    def put_back(self) -> None:
        """Have the arrays where they were, if what stands for them still is."""
        for one in self.kept:
            for place in one.places:
                if place.read() is one.stand_in:
                    place.write(one.array)

    def state(self, there: WasThere, acts: str) -> State:
        """What calls are given; that for which it was traced where it `acts`, which takes arrays from their places."""
        return State([_Source(one, there, bool(acts)) for one in self.kept])


class _Source:
    """Where a call finds an array."""

    def __init__(self, kept: _Kept, there: WasThere, acts: bool) -> None:
        self._array = kept.array if acts else None
        self.name, self.like = (
            kept.places[0].name.lstrip("."),
            (kept.array.dtype, kept.array.shape, kept.stand_in.layout),
        )
        self._places: list[tuple[type[Place], Callable[[], Any], Any]] = [
            (type(place), there.reference(place.holder), place.key) for place in kept.places
        ]

    def found(self) -> NumPyArray | None:
        """The array; None where there is none like the one that was there, or several."""
        if self._array is not None:
            return self._array
        values = (kind("", find(), key, UNDEFINED).read() for kind, find, key in self._places)
        value: Any = next(values)
        if type(value) is not np.ndarray or (value.dtype, value.shape, value.flags.c_contiguous) != self.like:
            return None
        return value if all(other is value for other in values) else None


class State:
    """The arrays that a graph is given besides its arguments."""

    def __init__(self, sources: Sequence[_Source] = ()) -> None:
        self._sources = sources

    def __bool__(self) -> bool:
        return bool(self._sources)

    def fits(self) -> bool:
        """Whether there are arrays like those that were there."""
        return all(source.found() is not None for source in self._sources)

    def leaves(self, given: Sequence[object], writes: bool) -> list[ArrayArgument]:
        """The arrays, as leaves of a call that is given others.

        Raises InvalidArgumentError if one shares memory with another, where any is written.
        """
        leaves: list[ArrayArgument] = []
        others = [leaf.original for leaf in given if isinstance(leaf, ArrayArgument)]
        for source, array in zip(self._sources, self._found()):
            if writes and any(share_memory(array, other) for other in others):
                raise InvalidArgumentError(
                    f"'{source.name}' shares memory with another array that the function is given or keeps, and it "
                    "writes to one of them, which a graph keeps apart. Make one of them a copy."
                )
            leaves.append(ArrayArgument(array))
            others.append(array)
        return leaves

    def _found(self) -> Iterator[NumPyArray]:
        for source in self._sources:
            array = source.found()
            assert array is not None  # as it has been asked
            yield array


NO_STATE = State()
