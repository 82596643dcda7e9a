"""What a program keeps in variables, attributes, lists and dictionaries, and changes: inputs of a graph, which each
call looks up anew."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from autograph.dispatch import UNDEFINED
from autograph.operators.mutations import Mutations
from autograph.operators.places import AttributePlace, Place
from autograph.reading import attributes_of, is_a, slots_of
from runtime.functions.signature import ArrayArgument, is_lent, share_memory
from runtime.functions.standing import WasThere
from runtime.graph.dtypes import float64, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.tensors.numbers import Scalar
from runtime.tensors.tensor import EagerTensor, SymbolicTensor
from runtime.tensors.trace import Trace
from runtime.tensors.views import Array

Identity: TypeAlias = object  # of a place

_PYTHONS = {int: int64, float: float64}


class Reference:
    """A place as a graph knows it, which does not keep alive what it is in."""

    __slots__ = ("_find", "_key", "_kind", "_reads")

    def __init__(self, place: Place, find: Callable[[], Any]) -> None:
        self._kind, self._find, self._key = type(place), find, place.key
        holder = place.holder
        self._reads: Callable[[Any, Any], object] | None = None  # a quick way
        if type(holder) is dict or type(holder) is list:
            self._reads = operator.getitem
        elif type(place) is AttributePlace and not is_a(holder, type) and place.key not in slots_of(type(holder)):
            self._reads = _attribute

    @classmethod
    def of(cls, place: Place, there: WasThere) -> Reference:
        return cls(place, there.reference(place.holder))

    @classmethod
    def to(cls, place: Place) -> Reference:
        """To the very place, for one call."""
        holder = place.holder
        return cls(place, lambda: holder)

    @property
    def place(self) -> Place:
        return self._kind("", self._find(), self._key, UNDEFINED)

    def read(self) -> object:
        """What is there; UNDEFINED if that is nothing."""
        if self._reads is None:
            return self.place.read()
        try:
            return self._reads(self._find(), self._key)
        except LookupError:
            return UNDEFINED


def _attribute(holder: object, name: str) -> object:
    return (attributes_of(holder) or {})[name]


def identities(references: Iterable[Reference]) -> frozenset[Identity]:
    """The identities of places."""
    return frozenset(found.place.identity for found in references)


def is_number(value: object) -> bool:
    """Whether a value is a number that may be an input."""
    if type(value) is int:
        return _fits(value)
    return type(value) is float or (isinstance(value, np.generic) and value.dtype.kind in "iufc")


def _fits(value: int) -> bool:
    return bool(int64.min <= value <= int64.max)


def decide(graph: Graph, numbers: Collection[Value]) -> bool:
    """Whether some numbers, or what is computed of them alone, decide what a graph does, as an index, a size or the
    condition of a branch: what the program knows of them without a graph it then does not know."""
    known, told = set(numbers), {*numbers}
    for node in graph.nodes:
        if not node.inputs:
            known.update(node.outputs)  # a constant
        met = [value for value in node.inputs if value in told]
        if not met:
            continue
        if node.regions:
            inner = [_inside(region, node, told) for region in node.regions]
            if node.inputs[0] in told or any(map(decide, node.regions, inner)):
                return True
        elif node.outputs and not (node.op.keeps_weak or node.op.literals):  # neither on elements nor a conversion
            return True
        elif known.issuperset(node.inputs):
            known.update(node.outputs)
            told.update(node.outputs)
    return False


def _inside(region: Graph, node: Node, values: Collection[Value]) -> set[Value]:
    """What a branch or a loop knows some values as; what it takes from around comes last."""
    return {mine for mine, around in zip(region.inputs[::-1], node.inputs[::-1]) if around in values}


@dataclass
class _Kept:
    """One array or number, the places that hold it, and what stands for it while a function is traced: an argument, if
    it is given as that (`leaf`), too."""

    value: Any
    places: list[Place]
    stand_in: SymbolicTensor
    leaf: int | None = None


class Found:
    """What a program keeps that is an input, in the trace that it is an input of: all arrays, and the numbers in places
    that are known to change (`changing`).

    Without `mutations` there is nothing. Entered, the arrays are exchanged for what stands for them. Arrays that share
    memory with others, and those held where nothing can be exchanged (in tuples), are left out; those that are `given`,
    which has what stands for each argument and the argument, are what stands for that.
    """

    def __init__(
        self, trace: Trace, mutations: Mutations | None, given: Sequence[tuple[Any, object]],
        changing: Collection[Identity],
    ) -> None:  # fmt: skip
        self._trace, self.changing = trace, changing
        self.kept: list[_Kept] = []
        groups: dict[Identity, list[Place]] = defaultdict(list)
        for place in mutations.places() if mutations is not None else ():
            value = place.old
            if type(value) is np.ndarray and value.dtype.kind in "biufc" and value.dtype.isnative:
                groups[id(value)].append(place)
            elif place.identity in changing and is_number(value):
                groups[place.identity].append(place)
        held: list[Any] = [places[0].old for places in groups.values()]
        lent = {id(leaf.original): i for i, (_, leaf) in reversed([*enumerate(given)]) if is_lent(leaf)}
        arrays = [*held, *(leaf.original for _, leaf in given if is_lent(leaf))]
        arrays = [array for array in arrays if isinstance(array, np.ndarray)]
        self.left_out: list[str] = []  # the names of arrays
        for value, places in zip(held, groups.values()):
            if type(value) is np.ndarray and any(o is not value and np.may_share_memory(o, value) for o in arrays):
                self.left_out.append(places[0].name.lstrip("."))
            elif type(value) is np.ndarray and id(value) in lent:
                leaf = lent[id(value)]
                self.kept.append(_Kept(value, places, given[leaf][0], leaf))
            else:
                self._add(value, places)

    def _add(self, value: Any, places: list[Place]) -> None:
        name = places[0].name.lstrip(".")
        if type(value) in _PYTHONS:
            kind = TensorType(_PYTHONS[type(value)], (), weak=True)
        else:
            kind = ArrayArgument(np.asarray(value)).type
        made = self._trace.input(kind, name)
        if type(value) is np.ndarray:
            stand_in: SymbolicTensor = Array(self._trace, made)
            stand_in.layout, stand_in.depends_on_call = value.flags.c_contiguous, True  # type: ignore[attr-defined]
        else:
            stand_in = Scalar(self._trace, made, python=type(value) in _PYTHONS)
        self.kept.append(_Kept(value, places, stand_in))

    @property
    def stand_ins(self) -> list[SymbolicTensor]:
        return [one.stand_in for one in self.kept if one.leaf is None]

    def arrays(self) -> frozenset[int]:
        """The identities of the arrays."""
        return frozenset(id(one.value) for one in self.kept if type(one.value) is np.ndarray)

    def number_inputs(self) -> list[Value]:
        """The inputs that are numbers."""
        return [one.stand_in.untold for one in self.kept if type(one.value) is not np.ndarray]

    def numbers(self) -> frozenset[Identity]:
        """The identities of the places with numbers."""
        return frozenset(one.places[0].identity for one in self.kept if type(one.value) is not np.ndarray)

    def __enter__(self) -> Found:
        for one in self.kept:
            for place in one.places:
                place.write(one.stand_in)
        return self

    def __exit__(self, *_: object) -> None:
        self.put_back()

    def overwritten(self) -> list[Place]:
        """The places that hold something else by now, be it what they held before."""
        return [place for one in self.kept for place in one.places if place.read() is not one.stand_in]

    def put_back(self) -> None:
        """Have all where it was, if what stands for it still is."""
        for one in self.kept:
            for place in one.places:
                if place.read() is one.stand_in:
                    place.write(one.value)

    def state(self, there: WasThere, acts: str) -> State:
        """What calls are given; that for which it was traced where it `acts`, which takes values from their places."""
        sources = [_Source(one, there, bool(acts)) for one in self.kept if one.leaf is None]
        return State(sources, [(one.leaf, _Source(one, there, False)) for one in self.kept if one.leaf is not None])


class _Source:
    """Where a call finds an array or number."""

    def __init__(self, kept: _Kept, there: WasThere, acts: bool) -> None:
        self.name = kept.places[0].name.lstrip(".")
        self._like, self._value = _kind(kept.value), kept.value if acts else UNDEFINED
        self._places = [Reference.of(place, there) for place in kept.places]

    def found(self) -> object:
        """What is there; UNDEFINED where it is not like what was there, or there are several."""
        if self._value is not UNDEFINED:
            return self._value
        value = self._places[0].read()
        if _kind(value) != self._like:
            return UNDEFINED
        for place in self._places[1:]:
            if place.read() is not value:
                return UNDEFINED
        return value


def _kind(value: Any) -> object:
    """What has to be the same of an array or number for one graph to serve."""
    kind = type(value)
    if kind is np.ndarray:
        return kind, value.dtype, value.shape, value.flags.c_contiguous
    return kind, kind is not int or _fits(value)


class State:
    """The arrays and numbers that a graph is given besides its arguments; and those of which it takes the arguments of
    these numbers to be the same arrays (`lent`)."""

    def __init__(self, sources: Sequence[_Source] = (), lent: Sequence[tuple[int, _Source]] = ()) -> None:
        self._sources, self._lent = sources, lent

    def __bool__(self) -> bool:
        return bool(self._sources or self._lent)

    def finders(self) -> list[Callable[[], object]]:
        """What finds each array or number."""
        return [source.found for source in self._sources]

    def fits(self, leaves: Sequence[Any]) -> bool:
        """Whether there is what is like that which was there, for a call with these arguments."""
        return all(source.found() is not UNDEFINED for source in self._sources) and all(
            source.found() is leaves[number].original for number, source in self._lent
        )

    def leaves(self, given: Sequence[object], writes: bool) -> Iterator[EagerTensor]:
        """The arrays and numbers, as leaves of a call that is given others.

        Raises InvalidArgumentError if an array shares memory with another that is kept, where any is written, or is no
        longer the one that is given.
        """
        for number, source in self._lent:
            if getattr(given[number], "original", None) is not source.found():
                raise InvalidArgumentError(
                    f"'{source.name}' was the array that the function was given when it was traced, and is another "
                    "now. Call the function itself."
                )
        others: list[object] = []
        for source in self._sources:
            value: Any = source.found()
            if type(value) is not np.ndarray:
                yield EagerTensor(np.asarray(value))
                continue
            if writes and any(share_memory(value, other) for other in others):
                raise InvalidArgumentError(
                    f"'{source.name}' shares memory with another array that the function keeps, and it writes to one "
                    "of them, which a graph keeps apart. Make one of them a copy."
                )
            others.append(value)
            yield ArrayArgument(value)


NO_STATE = State()


class Apart:
    """That the arrays which a program keeps are none of a call's, or the same of them as when a graph was traced, and
    share no memory with them if it `writes`.

    Args:
      finders: what finds each of them; None for what is gone.
      given: the leaves of the call for which it was traced.
    """

    def __init__(
        self, finders: Sequence[Callable[[], object]] = (), writes: bool = False, given: Iterable[object] = ()
    ) -> None:
        self._finders, self._writes = finders, writes
        self._known = self._shared(given)

    def holds(self, given: Iterable[object]) -> bool:
        """Whether that is so for a call with these leaves."""
        return self._shared(given) == self._known

    def __bool__(self) -> bool:
        return bool(self._finders)

    def _shared(self, given: Iterable[object]) -> set[tuple[int, int]]:
        kept = [(number, array) for number, find in enumerate(self._finders) if type(array := find()) is np.ndarray]
        return {
            (leaf_number, number)
            for leaf_number, leaf in enumerate(given) if is_lent(leaf)
            for number, array in kept
            if leaf.original is array or (self._writes and share_memory(leaf.original, array))
        }  # fmt: skip


NOTHING_SHARED = Apart()
