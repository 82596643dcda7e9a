"""Containers that a program keeps, and staged statements make longer or shorter."""

from __future__ import annotations

import functools
import itertools
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeAlias, cast

import numpy as np

from autograph import StagingError
from autograph.dispatch import UNDEFINED
from autograph.operators.items import stands_in
from autograph.operators.mutations import Mutations
from autograph.operators.places import Place
from autograph.reading import is_a, reached
from runtime.control.lists import KnownList, TensorList
from runtime.control.missing import Maybe
from runtime.control.rows import Column, Fixed, Inner, Rows, columns_in, common, record_of
from runtime.control.shared import is_shared
from runtime.control.tables import RowList
from runtime.control.unions import union_of
from runtime.functions.restored import restored
from runtime.functions.standing import WasThere
from runtime.functions.state import Exchanged, Identity, Reference, Source
from runtime.graph.dtypes import DType, int64, string
from runtime.graph.graph import TensorType
from runtime.graph.owner import Owner
from runtime.ops import lists
from runtime.tensors import nest
from runtime.tensors.conversion import to_array
from runtime.tensors.growing import has_grown
from runtime.tensors.links import may_be
from runtime.tensors.number_types import PLACES
from runtime.tensors.operations import apply_to_list
from runtime.tensors.tensor import EagerTensor, SymbolicTensor
from runtime.tensors.trace import Grown, Trace, Way, in_force, recording, ways
from runtime.tensors.views import ELEMENT, Array

Fill: TypeAlias = Callable[[Any], None]  # gives a container of the program what it holds in the end
Kind: TypeAlias = object  # what has to be the same of all that a list holds for one graph to serve
Parts: TypeAlias = Sequence[Sequence[Any]]  # lists of what a container holds: its elements, or its keys and its values

_PYTHONS = (bool, int, float, complex, str, bytes)
_ALONE = (str, bytes)  # what is never of one kind with others
_EXACT = 1 << 53  # the whole numbers to here are numbers of float64 each


class Form:
    """How a container is read, what stands for it while a function is traced, and how it is filled: a list."""

    holds_lists = False  # may what it holds be lists that the graph changes? It knows which of them is which

    def parts(self, container: Any) -> Parts:
        """What it holds."""
        return ([*type(container).__iter__(container)],)

    def options(self, container: Any) -> object:
        """What else has to be the same for one graph to serve."""
        return None

    def stand_in(self, container: Any, parts: Sequence[TensorList]) -> Any:
        """What stands for it, given what it holds as the graph's."""
        return parts[0]

    def lists(self, stand_in: Any) -> Sequence[TensorList]:
        """What stands for its parts, once it is sure which elements are gone."""
        return (stand_in,)

    def fill(self, container: Any, parts: Parts) -> None:
        """Have it hold something else; what was there, where that is the same."""
        made = restored(self.parts(container)[0], [*parts[0]])
        container.clear()
        container.extend(made)


FORMS: dict[type, Form] = {list: Form()}  # others are entered where it is known what stands for them


@dataclass(frozen=True)
class _Layout:
    """What a part of a container is given in: the dtypes of the columns, and the numbers of those of which the types
    are told, in columns behind them."""

    dtypes: Sequence[DType] = ()
    several: Sequence[int] = ()


@dataclass
class _Kept:
    """A container, what stands for it, and the places that hold it; what is read of it, if it is: the kinds of its
    parts, and the columns that they are given in."""

    held: Any
    form: Form
    stand_in: Any
    places: list[Place] = field(default_factory=list)
    layouts: Sequence[_Layout] = ()
    inputs: list[SymbolicTensor] = field(default_factory=list)
    is_replaced: bool = False

    def __post_init__(self) -> None:
        self._before = self._now()

    @property
    def name(self) -> str:
        return self.places[0].name.lstrip(".")

    def lists(self) -> list[TensorList]:
        """The lists that stand for what it holds, or tell that."""
        return [part for part in self._parts() if isinstance(part, TensorList)]

    def look(self) -> None:
        """See whether a place that held it holds another by now that is the graph's, or perhaps that one."""
        others = [other for place in self.places if (other := place.read()) is not self.stand_in]
        self.is_replaced |= any(stands_in(one) or has_grown(one) or union_of(one) is not None for one in others)

    def has_changed(self) -> bool:
        now = self._now()
        return len(now) != len(self._before) or any(a is not b for a, b in zip(now, self._before))

    def _now(self) -> list[object]:
        return [part.listed if isinstance(part, TensorList) else part for part in self._parts()]

    def _parts(self) -> list[object]:
        return [self.stand_in] if isinstance(self.stand_in, list) else [*vars(self.stand_in).values()]

    def left(self) -> list[TensorList]:
        """What it holds in the end, in lists of their own: what stands for the container is the container."""
        return [TensorList.holding(part.listed) for part in self.form.lists(self.stand_in)]


class KeptContainers(Exchanged):
    """While a function is traced, others stand for them, which staged statements may change; in the end each call has
    them hold what these do. Without `mutations` there are none.

    Of lists to which the program only appends nothing is read, and each call appends to them.
    """

    def __init__(self, trace: Trace, mutations: Mutations | None) -> None:
        super().__init__()
        self._trace, self._mutations = trace, mutations
        self._appended: dict[int, _Kept] = {}
        self._replaced: dict[int, _Kept] = {}
        if mutations is None or Way.HISTORIES not in ways.taken:
            return
        histories = mutations.only_appended
        grown = {way.identity for way in ways.taken if isinstance(way, Grown)}
        for place in mutations.places():
            number = id(place.old)
            if number in grown:
                if number not in self._replaced:
                    self._replaced[number] = _as_inputs(trace, place)
                self._replaced[number].places.append(place)
            elif number in histories:
                kept = self._appended.setdefault(number, _Kept(place.old, FORMS[list], KnownList()))
                kept.places.append(place)

    def __enter__(self) -> KeptContainers:
        for kept in (*self._appended.values(), *self._replaced.values()):
            for place in kept.places:
                self._hold(place, kept.stand_in)
        return self

    def put_back(self) -> None:
        for kept in self._replaced.values():
            kept.look()
        super().put_back()

    @property
    def stand_ins(self) -> list[SymbolicTensor]:
        """What stands for the inputs."""
        return [one for kept in self._replaced.values() for one in kept.inputs]

    def instead(self) -> dict[int, object]:
        """By the identity of what stands for a container, that."""
        return {id(kept.stand_in): kept.held for kept in self._replaced.values()}

    def identities(self) -> frozenset[int]:
        """Those of containers of which nobody has to ask besides what they hold."""
        return self._mutations.only_appended | self._replaced.keys() if self._mutations is not None else frozenset()

    def rebindable(self) -> frozenset[Identity]:
        """The identities of places of containers, for which another of the same kind may be there at each call: it
        is looked up there, and is none of those that the program keeps besides."""
        return frozenset(place.identity for kept in self._replaced.values() for place in self._rebound(kept))

    def _rebound(self, kept: _Kept) -> Sequence[Place]:
        return () if type(kept.held) in self._kept_besides else kept.places

    @functools.cached_property
    def _kept_besides(self) -> frozenset[type]:
        """The types of containers of which the program keeps others than those."""
        things = self._mutations.things() if self._mutations is not None else ()
        return frozenset(type(one) for one in things if id(one) not in self._replaced)

    def _finder(self, kept: _Kept, there: WasThere) -> Callable[[], object]:
        """What finds a container, or the one that is where it was; UNDEFINED where the places do not agree."""
        if not (places := self._rebound(kept)):
            return there.reference(kept.held)
        references = [Reference.of(place, there) for place in places]
        if len(references) == 1:
            return references[0].read
        return functools.partial(_agreed, references)

    def sources(self, there: WasThere, acts: bool) -> list[Source]:
        """Where calls find the inputs."""
        finders = {number: self._finder(kept, there) for number, kept in self._replaced.items()}
        return [
            _Source(kept, finders[number], [f for other, f in finders.items() if other != number], acts)
            for number, kept in self._replaced.items()
        ]

    def asks_for(self, container: object) -> None:
        """Have the function traced anew with a container as the graph's, if it may be: it is in places alone."""
        known, form = self._mutations, FORMS.get(type(container))
        if known is None or form is None or not known.has(container) or _is_elsewhere(container, known.things()):
            return
        if _kinds(form, container) is not None and not any(
            len(known.names_of(one)) > 1 for one in _lists(form, container)
        ):
            ways.takes(Way.HISTORIES)
            ways.takes(Grown(id(container)))

    def check_apart(self, results: Iterable[object], inputs: Iterable[object], there: WasThere) -> None:
        """Refuse that an array or dictionary which the graph has put into a container is one of the results, or one of
        the inputs, or was there before the call, or has been put into two: it would be a copy, in which nobody sees
        what is written to the other later."""
        results = [*_all(results)]
        tables = {id(part): kept.name for kept in self._replaced.values() for part in kept.lists() if part.is_table()}
        shared = {id(one.value) for one in self._trace.root.shared} if tables else ()
        if name := next((found for one in results if (found := _is_of(one, tables, shared))), ""):
            raise StagingError(
                f"a list that is in '{name}' is returned, or known by another name in the end: it would be a copy "
                "of it. Return a copy (a[:]), or what it holds."
            )
        every = (*self._appended.values(), *self._replaced.values())
        kept = next((one for one in every if any(map(_holds_objects, one.lists()))), None)
        if kept is None:
            return
        trace = self._trace
        put = [*trace.arrays_put(), *(one.value for one in trace.shared if one.what == ELEMENT)]
        if trace.put_twice or any(map(_is_element, (*inputs, *results))) or any(map(there.was_part, put)):
            raise StagingError(
                f"a staged statement puts an array or a dictionary into '{kept.name}' that has another name, too, "
                "or is in two lists, or is returned from there: it would be a copy of it. Put a copy there "
                "(a.copy()), or return one."
            )

    def fills(
        self, appended: Iterable[tuple[list[object], list[object]]], there: WasThere
    ) -> list[tuple[Fill, object]]:  # fmt: skip
        """What gives each container what it holds in the end, and what that is; of others that have been `appended` to,
        too.

        Raises StagingError where the graph decides which arrays or lists these are, of which a list would have
        copies, in which nobody sees what is written to them later; or of what kind the numbers are.
        """
        for kept in self._replaced.values():
            if kept.has_changed() and any(map(_why_frozen, kept.lists())):
                raise StagingError(
                    f"a list in '{kept.name}', which staged statements change, may be there twice, or has another "
                    "name, too: it would be a copy of it. Put a copy there (a[:])."
                )
        for kept in (*self._appended.values(), *self._replaced.values()):
            for part in kept.lists():
                _check(part, kept)
        for kept in self._replaced.values():
            if kept.has_changed() and kept.is_replaced:
                raise StagingError(
                    f"'{kept.name}' is changed, and assigned another container that the graph changes, too: which of "
                    "the two it is then is not followed. Empty it (a.clear()), and fill it anew."
                )
        longer = [*appended]
        longer += [(kept.held, kept.stand_in) for kept in self._appended.values() if kept.has_changed()]
        found: list[tuple[Fill, object]] = []
        found += [(functools.partial(_append, there.reference(held)), more) for held, more in longer]
        with recording(self._trace):
            for kept in self._replaced.values():
                if kept.has_changed():
                    found.append((functools.partial(_fill, kept.form, self._finder(kept, there)), kept.left()))
        return found


def _agreed(references: Sequence[Reference]) -> object:
    """What is in each of several places; UNDEFINED if that is not the same."""
    first, *others = (one.read() for one in references)
    return first if all(other is first for other in others) else UNDEFINED


def _append(find: Callable[[], Any], elements: Iterable[object]) -> None:
    find().extend(elements)


def _fill(form: Form, find: Callable[[], object], parts: Parts) -> None:
    form.fill(find(), parts)


def _all(values: Iterable[object]) -> Iterable[object]:
    """Values and their parts, and all that one of several may be."""

    def parts(one: object) -> Iterable[object]:
        if (union := union_of(one)) is not None:
            return union._options
        return nest.parts(one) if nest.is_nested(one) else ()

    return reached(cast(object, [*values]), parts)


def _is_element(value: object) -> bool:
    """Whether a list of the graph may have a copy of what could be written later."""
    if isinstance(value, Array):
        return any(place.held for place in may_be(value.place))
    if isinstance(value, TensorList) and value.is_grown:
        return _holds_objects(value) and in_force().root.copied
    return type(value) is dict and is_shared(value) is not None


def _is_of(value: object, tables: Mapping[int, str], shared: Collection[int]) -> str:
    """What may hold a list, of containers of lists with these names, where those are `shared` of which something else
    has a copy; nothing for any other value."""
    if isinstance(value, RowList):
        return tables.get(id(value.content.table), "")
    return next(iter(tables.values()), "") if isinstance(value, TensorList) and id(value) in shared else ""


def _as_inputs(trace: Trace, place: Place) -> _Kept:
    """A container whose elements are inputs of the graph."""
    held: Any = place.old
    form, inputs, layouts = FORMS[type(held)], list[SymbolicTensor](), list[_Layout]()
    with recording(trace):
        made = []
        for part in form.parts(held):
            named = place.name.lstrip(".")
            rows, tensors, layout = _rows(trace, part, named) if part else (None, [], _Layout())
            made.append(KnownList() if rows is None else TensorList.holding(rows))
            inputs += tensors
            layouts.append(layout)
        return _Kept(held, form, form.stand_in(held, made), [], layouts, inputs)


def _rows(
    trace: Trace, elements: Sequence[object], name: str
) -> tuple[Rows, list[SymbolicTensor], _Layout]:  # fmt: skip
    """Elements like these as inputs, in a column for each of their leaves; of lists all that they hold, and their
    lengths."""
    are_lists = type(elements[0]) is list
    found, kinds = common(Fixed(elements), table=are_lists)
    leaves = columns_in(found)
    layout = _Layout([kind.dtype for kind in kinds[: len(leaves)]], [n for n, leaf in enumerate(leaves) if leaf.types])
    made = nest.map_structure(lambda c: Column(c, c.owner, types=c.types, told=c.told), record_of(found))

    def given(kind: TensorType) -> SymbolicTensor:
        return SymbolicTensor(trace, trace.input(kind, name))

    if not are_lists:
        tensors = [given(TensorType(kind.dtype, (None, *(kind.shape or ())))) for kind in kinds]
        columns = [apply_to_list(lists.from_tensor, x, weak=kind.weak) for x, kind in zip(tensors, kinds)]
        return Rows(made, columns), tensors, layout
    tensors = [given(TensorType(kind.dtype, (None,))) for kind in kinds]
    lengths = given(TensorType(int64, (None,)))
    columns = [apply_to_list(lists.split, x, lengths, weak=kind.weak) for x, kind in zip(tensors, kinds)]
    return Rows(Inner(made), columns), [*tensors, lengths], layout


def _is_elsewhere(container: object, things: Iterable[object]) -> bool:
    """Whether a container is also held where nothing else can be put for it meanwhile."""
    for thing in things:
        if is_a(thing, (tuple, frozenset, deque)) and any(part is container for part in thing):  # type: ignore[attr-defined]
            return True
        defaults = getattr(thing, "__defaults__", None) if is_a(thing, FunctionType) else None
        if any(part is container for part in defaults or ()) or getattr(thing, "__self__", None) is container:
            return True
    return False


def _kinds(form: Form, container: object) -> tuple[Kind, ...] | None:
    found = tuple(_kind_of_lists(part) if _are_lists(form, part) else _kind(part) for part in form.parts(container))
    return None if None in found else found


def _are_lists(form: Form, part: Sequence[object]) -> bool:
    return form.holds_lists and bool(part) and type(part[0]) is list


def _lists(form: Form, container: object) -> Iterable[object]:
    """The lists that a container holds."""
    return [one for part in form.parts(container) if _are_lists(form, part) for one in part]


def _kind_of_lists(elements: Sequence[Any]) -> Kind | None:
    """What lists of numbers are, or of tuples of numbers; None for anything else, and where one is there twice."""
    if {*map(type, elements)} != {list} or len({*map(id, elements)}) < len(elements):
        return None
    numbers = [*itertools.chain.from_iterable(elements)]
    kind = _kind(numbers) if numbers else frozenset()
    return (list, kind) if _is_of_numbers(kind) else None


def _is_of_numbers(kind: Any) -> bool:
    if isinstance(kind, frozenset):
        if len(kind) > 1 and not kind.isdisjoint((bool, np.bool_)):
            return False
        return all(issubclass(one, bool | int | float | complex | np.number | np.bool_) for one in kind)
    return kind is not None and issubclass(kind[0], tuple) and len(kind) > 2 and all(map(_is_of_numbers, kind[2:]))


def _kind(elements: Sequence[Any]) -> Kind | None:
    """What numbers and texts are, arrays of one dtype and shape, or tuples and dictionaries of them; None for anything
    else."""
    kinds = {*map(type, elements)}
    if len(kinds) == 1 and issubclass(kind := type(elements[0]), tuple | dict):
        parts = _parts(elements)
        inner = [*map(_kind, parts)] if parts is not None else [None]
        keys = (*elements[0],) if issubclass(kind, dict) else len(elements[0])
        return None if None in inner else (kind, keys, *inner)
    if kinds == {np.ndarray}:
        layouts = {(array.dtype, array.shape) for array in elements}
        (dtype, shape), *others = layouts
        return None if others or dtype.kind not in "biufc" or not dtype.isnative else (np.ndarray, dtype, shape)
    if any(kind not in _PYTHONS and not issubclass(kind, np.generic) for kind in kinds):
        return None
    if len(kinds) > 1 and not kinds.isdisjoint(_ALONE):
        return None
    if int in kinds:
        least, bound = min(elements), _EXACT if len(kinds) > 1 else 1 << 63
        if not -bound <= least <= max(elements) < bound:
            return None
    return frozenset(kinds)


def _parts(elements: Sequence[Any]) -> list[tuple[Any, ...]] | None:
    """The parts of tuples of one length, or of dictionaries with the same keys in one order; None for others."""
    if isinstance(elements[0], dict):
        if len({(*element,) for element in elements}) > 1:
            return None
        elements = [(*element.values(),) for element in elements]
    elif len({*map(len, elements)}) > 1:
        return None
    return [*zip(*elements)]


class _Source(Source):
    """Where a call finds the elements of a container that are inputs, a column of each of their leaves."""

    def __init__(
        self, kept: _Kept, find: Callable[[], Any], others: Sequence[Callable[[], object]], acts: bool
    ) -> None:  # fmt: skip
        super().__init__(kept.name)
        self._find, self._others, self._form, self._type = find, others, kept.form, type(kept.held)
        self._like = _kinds(kept.form, kept.held), kept.form.options(kept.held)
        self._layouts = kept.layouts
        self._given = self._columns(kept.held) if acts else None

    def found(self) -> object:
        if self._given:
            return self._given
        held = self._find()
        return UNDEFINED if any(find() is held for find in self._others) else self._columns(held)

    def _columns(self, held: object) -> object:
        if type(held) is not self._type:
            return UNDEFINED
        if (_kinds(self._form, held), self._form.options(held)) != self._like:
            return UNDEFINED
        return [EagerTensor(a) for part, of in zip(self._form.parts(held), self._layouts) for a in _arrays(part, of)]


def _arrays(elements: Sequence[Any], layout: _Layout) -> list[Any]:
    """What `_rows` takes."""
    are_lists = bool(elements) and type(elements[0]) is list
    leaves = [*_leaves([*itertools.chain.from_iterable(elements)] if are_lists else elements)]
    columns = [_array(column, dtype) for column, dtype in zip(leaves, layout.dtypes)]
    columns += [np.array([PLACES[type(one)] for one in leaves[number]], np.int32) for number in layout.several]
    return [*columns, np.array([*map(len, elements)], np.int64)] if are_lists else columns


def _leaves(elements: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """A column for each leaf of the elements."""
    return zip(*map(nest.flatten, elements)) if elements and nest.is_nested(elements[0]) else (elements,)


def _array(values: Sequence[Any], dtype: DType) -> Any:
    return to_array([*values]) if dtype == string else np.array(values, dtype.dtype)  # one of arrays has another axis


def _is_mixed(made: TensorList) -> bool:
    rows = made.rows
    if rows is None:
        return False
    return any(column.mixed for column in columns_in(rows.structure))


def _why_frozen(made: TensorList) -> str:
    """Why no list in a list may be changed."""
    rows = made.rows
    return rows.structure.why_frozen() if rows is not None and isinstance(rows.structure, Inner) else ""


def _check(made: TensorList, kept: _Kept) -> None:
    if (rows := made.rows) is None:
        return
    name, is_table = kept.name, kept.form.holds_lists and made.is_table()
    if Owner.TENSOR in rows.owners or not (is_table or _is_of_values(rows.structure)):
        raise StagingError(
            f"a staged statement puts a list or an object into '{name}', which would be a copy of it. Put numbers, "
            "texts, arrays, or tuples of them there, or put there outside of the statement what it has chosen."
        )
    if _is_mixed(made):
        raise StagingError(
            f"staged statements put numbers of several types into '{name}', which a graph cannot tell apart later. "
            "Make them all of one type, as by float(x)."
        )


def _is_of_values(structure: object) -> bool:
    """Whether elements are numbers, texts and arrays, or tuples and dictionaries of them."""
    if type(structure) is dict:
        return all(map(_is_of_values, structure.values()))
    if isinstance(structure, Maybe):
        return False
    return type(structure) is Column or (isinstance(structure, tuple) and all(map(_is_of_values, structure)))


def _holds_objects(made: TensorList) -> bool:
    """Whether the elements that the graph has are, or hold, what may be changed later."""
    rows = made.rows
    return rows is not None and (Owner.ARRAY in rows.owners or _has_dictionaries(rows.structure))


def _has_dictionaries(structure: object) -> bool:
    return type(structure) is dict or (isinstance(structure, tuple) and any(map(_has_dictionaries, structure)))
