"""What a program keeps in variables, attributes, lists and dictionaries, and changes: inputs of a graph, which each
call looks up anew."""

from __future__ import annotations

import operator
import weakref
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from autograph.dispatch import UNDEFINED
from autograph.operators.mutations import Mutations
from autograph.operators.places import AttributePlace, Place
from autograph.reading import attributes_of, is_a, slots_of
from runtime.functions.kept_views import Way, way_to
from runtime.functions.signature import ArrayArgument, is_lent, share_memory
from runtime.functions.standing import WasThere
from runtime.graph.dtypes import NumPyArray, float64, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.tensors.numbers import Scalar
from runtime.tensors.tensor import EagerTensor, SymbolicTensor
from runtime.tensors.trace import Trace, recording
from runtime.tensors.views import Array, whole

Identity: TypeAlias = object  # of a place

_PYTHONS = {int: int64, float: float64}
_DEEPEST = 4  # tuples in one another


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
class _Spot:
    """Where something is held: in a place, or in tuples in it, one in another (`path`)."""

    place: Place
    path: tuple[int, ...] = ()


def _name(spots: Sequence[_Spot]) -> str:
    return spots[0].place.name.lstrip(".") if spots else "an argument"


@dataclass
class _Kept:
    """One array or number, where it is held, and what stands for it while a function is traced: what stands for an
    argument, if it is given as that (`leaf`), or for a view of another, if it is one (`shown`). Of an array that is
    held by its views alone (`is_behind`) it is known where one of these is."""

    value: Any
    held: list[_Spot]
    stand_in: SymbolicTensor
    leaf: int | None = None
    shown: tuple[_Kept, Way] | None = None
    is_behind: bool = False

    @property
    def is_input(self) -> bool:
        return self.leaf is None and self.shown is None

    @property
    def name(self) -> str:
        return _name(self.held)


class Exchanged:
    """Places that hold something else while a function is traced."""

    def __init__(self) -> None:
        self._held: list[tuple[Place, object]] = []

    def _hold(self, place: Place, new: object) -> None:
        self._held.append((place, new))
        place.write(new)

    def __exit__(self, *_: object) -> None:
        self.put_back()

    def overwritten(self) -> list[Place]:
        """Those that hold yet another thing by now, be it what they held before."""
        found = {id(place): place for place, new in self._held if place.read() is not new}
        return [*found.values()]

    def put_back(self) -> None:
        """Have all where it was, if what stands for it still is."""
        for place, new in self._held:
            if place.read() is new:
                place.write(place.old)


class Found(Exchanged):
    """What a program keeps that is an input, in the trace that it is an input of: all arrays, and the numbers in places
    that are known to change (`changing`).

    Without `mutations` there is nothing. Entered, the arrays are exchanged for what stands for them, and tuples for
    others with that in them. Arrays that are `given`, which has what stands for each argument and the argument, are
    what stands for that; views of others are views of what stands for those; and others that share memory are left out.
    """

    def __init__(
        self, trace: Trace, mutations: Mutations | None, given: Sequence[tuple[Any, object]],
        changing: Collection[Identity],
    ) -> None:  # fmt: skip
        super().__init__()
        self._trace, self.changing = trace, changing
        self.kept: list[_Kept] = []
        self.left_out: list[str] = []  # the names of arrays
        self.instead: dict[int, object] = {}  # by the identity of what is there instead, what was
        groups: dict[Identity, list[_Spot]] = defaultdict(list)
        values: dict[Any, Any] = {}
        for place in mutations.places() if mutations is not None else ():
            if place.identity in changing and is_number(place.old):
                groups[place.identity].append(_Spot(place))
                values[place.identity] = place.old
            for path, array in _arrays_in(place.old):
                groups[id(array)].append(_Spot(place, path))
                values[id(array)] = array
        lent = {id(leaf.original): i for i, (_, leaf) in reversed([*enumerate(given)]) if is_lent(leaf)}
        for number, value in values.items():
            if type(value) is not np.ndarray:
                self._add(value, groups[number])
        arrays = {id(leaf.original): leaf.original for _, leaf in given if is_lent(leaf)}
        arrays |= {number: array for number, array in values.items() if type(array) is np.ndarray}
        for together in _together(arrays.values()):
            first = max(together, key=lambda array: array.size)  # of several an argument
            if (ways := _ways(together, first)) is None:
                first = whole(first)
                ways = _ways(together, first)
            if ways is None or not all(number in groups and number not in lent for number, _ in ways):
                self.left_out += [_name(groups[id(a)]) for a in together if id(a) in groups]
                continue
            if id(first) not in arrays:
                parent = self._add(first, groups[ways[0][0]][:1])
                parent.is_behind = True
            elif id(first) in lent:
                leaf = lent[id(first)]
                parent = _Kept(first, groups.get(id(first), []), given[leaf][0], leaf)
                self.kept += [parent] if parent.held else []
            else:
                parent = self._add(first, groups[id(first)])
            for number, way in ways:
                self._add_view(arrays[number], groups[number], parent, way)

    def _add(self, value: Any, held: list[_Spot]) -> _Kept:
        if type(value) in _PYTHONS:
            kind = TensorType(_PYTHONS[type(value)], (), weak=True)
        else:
            kind = ArrayArgument(np.asarray(value)).type
        made = self._trace.input(kind, _name(held))
        if type(value) is np.ndarray:
            stand_in: SymbolicTensor = Array(self._trace, made)
            stand_in.layout, stand_in.depends_on_call = value.flags.c_contiguous, True  # type: ignore[attr-defined]
        else:
            stand_in = Scalar(self._trace, made, python=type(value) in _PYTHONS)
        self.kept.append(_Kept(value, held, stand_in))
        return self.kept[-1]

    def _add_view(self, array: NumPyArray, held: list[_Spot], parent: _Kept, way: Way) -> None:
        with recording(self._trace):
            stand_in = way.of(parent.stand_in)
        self.kept.append(_Kept(array, held, stand_in, shown=(parent, way)))
        self.instead[id(stand_in)] = array

    @property
    def stand_ins(self) -> list[SymbolicTensor]:
        """What stands for the inputs."""
        return [one.stand_in for one in self.kept if one.is_input]

    def arrays(self) -> frozenset[int]:
        """The identities of the arrays."""
        return frozenset(id(one.value) for one in self.kept if type(one.value) is np.ndarray)

    def number_inputs(self) -> list[Value]:
        """The inputs that are numbers."""
        return [one.stand_in.untold for one in self.kept if type(one.value) is not np.ndarray]

    def numbers(self) -> frozenset[Identity]:
        """The identities of the places with numbers."""
        return frozenset(one.held[0].place.identity for one in self.kept if type(one.value) is not np.ndarray)

    def __enter__(self) -> Found:
        by_array = {id(one.value): one.stand_in for one in self.kept if type(one.value) is np.ndarray}
        tuples: dict[int, object] = {}
        for one in self.kept:
            for held in one.held if not one.is_behind else ():
                new: object = one.stand_in
                if held.path:
                    new = _with(held.place.old, by_array, tuples)
                    self.instead[id(new)] = held.place.old
                self._hold(held.place, new)
        return self

    def state(self, there: WasThere, acts: str, others: Sequence[Source]) -> State:
        """What calls are given, and `others` besides; that for which it was traced where it `acts`, which takes values
        from their places."""
        sources = {id(one): _Source(one, there, bool(acts)) for one in self.kept}
        inputs = [*(sources[id(one)] for one in self.kept if one.is_input), *others]
        if acts:
            return State(inputs)
        return State(
            inputs,
            [(one.leaf, sources[id(one)]) for one in self.kept if one.leaf is not None],
            [
                (parent.leaf if parent.leaf is not None else sources[id(parent)], way, sources[id(one)])
                for one in self.kept if one.shown is not None for parent, way in [one.shown]
            ],
        )  # fmt: skip


def _arrays_in(value: object, deep: int = 0) -> Iterator[tuple[tuple[int, ...], NumPyArray]]:
    """An array that may be an input; or those in tuples, and how to reach them."""
    if type(value) is np.ndarray:
        if value.dtype.kind in "biufc" and value.dtype.isnative:
            yield (), value
    elif isinstance(value, tuple) and deep < _DEEPEST:
        for number, part in enumerate(tuple.__iter__(value)):
            yield from (((number, *path), array) for path, array in _arrays_in(part, deep + 1))


def _ways(arrays: Iterable[NumPyArray], first: NumPyArray) -> list[tuple[int, Way]] | None:
    """How others are made of one array, by their identities; None if one of them is not."""
    found = [(id(array), way_to(array, first)) for array in arrays if array is not first]
    return [(number, way) for number, way in found if way] if all(way for _, way in found) else None


def _together(arrays: Iterable[NumPyArray]) -> list[list[NumPyArray]]:
    """The arrays, those together that share memory."""
    found: list[list[NumPyArray]] = []
    for array in arrays:
        near = [one for one in found if any(np.may_share_memory(array, other) for other in one)]
        found = [one for one in found if not any(one is other for other in near)]
        found.append([*(other for one in near for other in one), array])
    return found


def _with(value: Any, stand_ins: Mapping[int, object], made: dict[int, object]) -> object:
    """A tuple with what stands for the arrays in it."""
    if not isinstance(value, tuple):
        return stand_ins.get(id(value), value)
    if id(value) not in made:
        parts = [_with(part, stand_ins, made) for part in tuple.__iter__(value)]
        is_same = all(a is b for a, b in zip(parts, tuple.__iter__(value)))
        made[id(value)] = value if is_same else tuple.__new__(type(value), parts)
    return made[id(value)]


class Source:
    """Where a call finds what it takes besides its arguments."""

    def __init__(self, name: str) -> None:
        self.name = name

    def found(self) -> object:
        """What is there, a list if it is several things; UNDEFINED where it is not like what was there."""
        raise NotImplementedError


class _Source(Source):
    """Where a call finds an array or number."""

    def __init__(self, kept: _Kept, there: WasThere, acts: bool) -> None:
        super().__init__(kept.name)
        self._like, self._value = _kind(kept.value), kept.value if acts else UNDEFINED
        self._places = [(Reference.of(held.place, there), held.path) for held in kept.held]
        self._is_behind = kept.is_behind

    def found(self) -> object:
        """The one thing that is there; UNDEFINED where there are several."""
        if self._value is not UNDEFINED:
            return self._value
        first, path = self._places[0]
        value = _part(first.read(), path)
        if self._is_behind and type(value) is np.ndarray:
            value = whole(value)
        if _kind(value) != self._like:
            return UNDEFINED
        for place, path in self._places[1:]:
            if _part(place.read(), path) is not value:
                return UNDEFINED
        return value


def _part(value: object, path: tuple[int, ...]) -> object:
    """What is in a tuple; UNDEFINED if it is none, or is shorter."""
    for number in path:
        if not isinstance(value, tuple) or number >= len(value):
            return UNDEFINED
        value = value[number]
    return value


def _kind(value: Any) -> object:
    """What has to be the same of an array or number for one graph to serve."""
    kind = type(value)
    if kind is np.ndarray:
        return kind, value.dtype, value.shape, value.flags.c_contiguous
    return kind, kind is not int or _fits(value)


class State:
    """The arrays and numbers that a graph is given besides its arguments; of which of them it takes the arguments of
    these numbers to be the same arrays (`lent`); and which of them it takes for views of others, or of arguments."""

    def __init__(
        self, sources: Sequence[Source] = (), lent: Sequence[tuple[int, _Source]] = (),
        views: Sequence[tuple[int | _Source, Way, _Source]] = (),
    ) -> None:  # fmt: skip
        self._sources, self._lent, self._views = sources, lent, views

    def __bool__(self) -> bool:
        return bool(self._sources or self._lent or self._views)

    def finders(self) -> list[Callable[[], object]]:
        """What finds each view."""
        return [source.found for *_, source in self._views]

    def values(self, leaves: Sequence[Any] | None = None) -> list[object] | None:
        """The arrays and numbers; None if there is no longer what is like that which was there, for a call with these
        arguments."""
        found = self._found()
        if any(value is UNDEFINED for value in found) or (leaves is not None and self._another(leaves)):
            return None
        return found

    def _another(self, leaves: Sequence[Any]) -> str:
        """The name of an array that is not what it was of an argument, or of another array; empty if all are."""
        for number, source in self._lent:
            if getattr(leaves[number], "original", None) is not source.found():
                return source.name
        for above, way, source in self._views:
            array = above.found() if isinstance(above, _Source) else getattr(leaves[above], "original", None)
            view = source.found()
            if type(array) is not np.ndarray or type(view) is not np.ndarray or view is array:
                return source.name
            if not way.is_that(array, view):
                return source.name
        return ""

    def leaves(self, given: Sequence[object], kept: Sequence[object] | None) -> list[EagerTensor]:
        """The arrays and numbers (`kept`, if they have been found), as leaves of a call that is given others.

        Raises InvalidArgumentError if an array is not what it was of another.
        """
        if kept is None:
            kept = self._found_for(given)
        return [_as_leaf(value) for value in kept]

    def _found(self) -> list[object]:
        found = (source.found() for source in self._sources)
        return [value for one in found for value in (one if type(one) is list else (one,))]

    def _found_for(self, given: Sequence[object]) -> list[object]:
        if name := self._another(given):
            raise InvalidArgumentError(
                f"'{name}' was the array that the function was given when it was traced, or a view of one, and is "
                "another now. Call the function itself."
            )
        for source in self._sources:
            if source.found() is UNDEFINED:
                raise InvalidArgumentError(
                    f"'{source.name}' holds something of another kind than when the function was traced, or is gone. "
                    "Call the function itself."
                )
        return self._found()


def _as_leaf(value: object) -> Any:
    if type(value) is np.ndarray:
        return ArrayArgument(value)
    return value if type(value) is EagerTensor else EagerTensor(np.asarray(value))


NO_STATE = State()


class Apart:
    """That the arrays which a program keeps are none of a call's, nor one another, or the same of them as when a graph
    was traced; and share no memory where it writes one of two.

    Args:
      written: the numbers of those that it writes, among the leaves of a call and the inputs besides.
      finders: what finds each of those that are no inputs; None for what is gone.
      given, kept: the leaves of the call for which it was traced, and the inputs besides.
    """

    def __init__(
        self, finders: Sequence[Callable[[], object]], written: Collection[int], given: Sequence[object],
        kept: Sequence[object],
    ) -> None:  # fmt: skip
        self._finders, self._written = finders, written
        self._seen: list[weakref.ref[NumPyArray]] = []  # the inputs that were found last to be as they were
        self._known = self._shared(given, self._arrays(kept)), self._shared_inputs(kept, len(given))

    def holds(self, given: Sequence[object], kept: Sequence[object]) -> bool:
        """Whether that is so for a call with these leaves, which takes this besides."""
        shared, shared_inputs = self._known
        if self._shared(given, self._arrays(kept)) != shared:
            return False
        inputs = [array for array in kept if type(array) is np.ndarray]
        if len(inputs) != len(self._seen) or any(seen() is not array for seen, array in zip(self._seen, inputs)):
            if self._shared_inputs(kept, len(given)) != shared_inputs:
                return False
            self._seen = [*map(weakref.ref, inputs)]
        return True

    def _arrays(self, kept: Sequence[object]) -> list[object]:
        return [*kept, *(find() for find in self._finders)]

    def _shared(self, given: Sequence[object], arrays: Sequence[object]) -> list[tuple[int, int]]:
        """Which arguments are which of some arrays, or share memory with them."""
        return [
            (leaf_number, number)
            for leaf_number, leaf in enumerate(given) if is_lent(leaf)
            for number, array in enumerate(arrays)
            if self._are_together(leaf.original, leaf_number, array, len(given) + number)
        ]  # fmt: skip

    def _shared_inputs(self, kept: Sequence[object], start: int) -> list[tuple[int, int]]:
        """The same of the inputs besides, the first of which has this number, and of all that is kept."""
        arrays = self._arrays(kept)
        return [
            (i, k) for i, array in enumerate(kept) for k in range(i + 1, len(arrays))
            if type(array) is np.ndarray and self._are_together(array, start + i, arrays[k], start + k)
        ]  # fmt: skip

    def _are_together(self, array: NumPyArray, number: int, other: object, its: int) -> bool:
        """Whether two arrays of these numbers are one, or one is written that shares memory with the other."""
        if array is other:
            return True
        is_written = number in self._written or its in self._written
        return is_written and type(other) is np.ndarray and share_memory(array, other)
