"""What lists of the graph hold: elements, or where only the graph knows how many, a column for each of their leaves."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from autograph import StagingError
from autograph.reading import is_own
from runtime.control import missing
from runtime.control.missing import Gap, Maybe, Presence, may_be_missing
from runtime.control.shared import FOUND, ONE_OF, may_be_handled, note_lists, put, share
from runtime.graph import shapes
from runtime.graph.dtypes import DType, as_dtype, complex128, float64, int32, int64, string
from runtime.graph.graph import ListType, TensorType
from runtime.graph.op import Op
from runtime.graph.owner import Owner
from runtime.ops import elementwise as ew, indexing, lists, shape as shape_ops
from runtime.tensors import nest, taping
from runtime.tensors.conversion import cast, dtype_for_all, of_dtype, operand
from runtime.tensors.from_numpy import owner_of, type_of
from runtime.tensors.growing import Growing
from runtime.tensors.leaf_types import describe, is_leaf, join_types, leaf_type
from runtime.tensors.links import link, may_be
from runtime.tensors.number_types import PLACES, OfTypes, Types, type_in
from runtime.tensors.numbers import Scalar
from runtime.tensors.operations import apply, apply_to_list
from runtime.tensors.several import OneOf, Several
from runtime.tensors.tensor import EagerElements, EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Way, current, ways
from runtime.tensors.views import ELEMENT, Array, elements_known, may_be_put_twice, note_element, owned

import numpy as np  # isort: skip


class Element(SymbolicTensor):
    """An element of a list whose length the graph decides: the list has a copy, and would not see it written."""

    __slots__ = ()

    def __setitem__(self, index: object, value: object) -> None:
        raise StagingError(
            f"{self.value.hint!r} is an element of a list whose length the graph decides, and cannot be written: the "
            "list would not see it. Write a copy and put that into the list (y = items[i].copy(); y[0] = 5; "
            "items[i] = y)."
        )


class Fixed:
    """The elements of a list whose length is known."""

    def __init__(self, elements: Iterable[object]) -> None:
        self.elements = tuple(elements)

    @functools.cached_property
    def stored(self) -> Sequence[object]:
        """What a list of the graph holds for them."""
        if nest.ATOMS.issuperset(map(type, self.elements)):
            return self.elements
        return [*map(Rows.stored, self.elements)]


class Column(int):
    """The number of a column, and whose its elements are; those of several kinds (`mixed`) have become one.

    Numbers of several `types` are told apart: the column of the number `told`, behind those of all leaves, has the
    place of the type of each.
    """

    def __new__(
        cls, number: int, owner: Owner = Owner.TENSOR, mixed: bool = False, types: Types = frozenset(), told: int = -1
    ) -> Column:
        made = super().__new__(cls, number)
        made.owner, made.mixed, made.types, made.told = owner, mixed, types, told
        return made

    owner: Owner
    mixed: bool
    types: Types
    told: int


class Inner(Column):
    """What the elements of a list are that are rows: lists of numbers, of arrays of one shape, or of tuples of such, in
    a column for each part of these.

    The `record` is the structure of one element of a row: a `Column` for each of its parts. Where the lists may be in
    another list too, `frozen` tells why none may be changed. `count` is how many there are, if that is known. Where one
    of them stands in two places, as it does for a moment while two are exchanged, `twice` is the index of the first of
    them.
    """

    def __new__(cls, record: object, frozen: str = "", count: int | None = None, twice: Tensor | None = None) -> Inner:
        made = super().__new__(cls, 0, nest.flatten(record)[0].owner)
        assert isinstance(made, Inner)
        made.record, made.frozen, made.count, made.twice = record, frozen, count, twice
        return made

    record: object
    frozen: str
    count: int | None
    twice: Tensor | None

    def why_frozen(self) -> str:
        return self.frozen or (ELSEWHERE if self.twice is not None else "")

    def with_(self, count: int | None, frozen: str = "") -> Inner:
        """The same for so many elements."""
        return Inner(self.record, self.why_frozen() or frozen, count)

    def is_of_one_part(self) -> bool:
        """Whether the rows are of numbers or arrays, and of no tuples."""
        return isinstance(self.record, Column)


ELSEWHERE = "a row of it may be in another list, or in two places, which would not see that"


class Rows:
    """The elements of a list whose length the graph knows: all of one structure, and a column for each of its leaves.

    The structure has a `Column` for each leaf; in a table, a list of lists of numbers, it is an `Inner`. Behind the
    columns of the leaves stand those that tell the types of numbers of several.
    """

    def __init__(self, structure: object, columns: Sequence[Any]) -> None:
        self.structure, self.columns = structure, tuple(columns)

    @property
    def kinds(self) -> list[ListType]:
        return [column.type for column in self.columns]

    @property
    def owners(self) -> list[Owner]:
        """Whose the elements of the column of each leaf are."""
        return [column.owner for column in columns_in(self.structure)]

    def told(self) -> Iterator[tuple[Types, Tensor]]:
        """Of numbers of several types: these, and the place of that of each."""
        op = lists.concat if isinstance(self.structure, Inner) else lists.stack
        for leaf in columns_in(self.structure):
            if leaf.types:
                shape = (None,) if op is lists.concat else ()
                yield leaf.types, apply(op, self.columns[leaf.told], shape=shape, dtype=int32)

    def count(self) -> Tensor:
        return apply(lists.count, self.columns[0])

    # What a list holds for what it is given, and what it gives: where objects of the graph's are known.
    stored: ClassVar[Callable[[Any], Any]]
    found: ClassVar[Callable[[Any], Any]]
    number: ClassVar[Callable[[Any, Any, Types], object]]  # one of a type that is told: where such numbers are known
    as_list: ClassVar[Callable[[Rows], object]]  # a list of these elements: where such lists are known

    def element(self, index: object, kind: str = "list") -> object:
        """An element as Python counts, from the end if the index is negative; what has none is called by its `kind`."""
        named = {} if kind == "list" else {"kind": kind}
        found = [apply(lists.item, column, position(index), **named) for column in self.columns]
        if isinstance(self.structure, Inner):
            made = Rows.as_list(self.alone(*found))
            share(made, FOUND)
            return made
        made = Rows.found(self.rebuilt(found, _handed))
        share(made, FOUND)
        return made

    def rebuilt(self, parts: Sequence[Tensor], handed: Callable[[Tensor, Owner], object]) -> object:
        """An element, or one of a row, out of what each column has for it; `handed` says what becomes of a leaf, given
        whose it is."""
        leaves = columns_in(self.structure)
        made = [handed(part, leaf.owner) for part, leaf in zip(parts, leaves)]
        typed = [Rows.number(one, parts[c.told], c.types) if c.types else one for one, c in zip(made, leaves)]
        return nest.rebuild(record_of(self.structure), iter(typed))

    def elements(self, shown: Callable[[Iterable[object], Owner], list[object]]) -> list[object]:
        """All elements, once the graph has run; `shown` says what becomes of the parts of a column, arrays or numbers
        of NumPy's, or tensors that a gradient may be asked of, given whose they are."""
        leaves = columns_in(self.structure)
        if isinstance(self.structure, Inner):
            record = self.structure.record
            rows = [
                [
                    self._typed(leaf, shown(_numbers_of(row), leaf.owner), at)
                    for at, row in enumerate(_elements_of(column))
                ]
                for column, leaf in zip(self.columns, leaves)
            ]
            if isinstance(record, Column):
                return [*rows[0]]
            record = _pythons(record)
            return [[nest.rebuild(record, iter(one)) for one in zip(*parts)] for parts in zip(*rows)]
        columns = [self._typed(leaf, shown(_elements_of(c), leaf.owner)) for leaf, c in zip(leaves, self.columns)]
        if type(self.structure) is Column:
            return columns[0]
        structure = _pythons(self.structure)
        return [missing.at_hand(nest.rebuild(structure, iter(row))) for row in zip(*columns)]

    def _typed(self, leaf: Column, numbers: list[object], row: int | None = None) -> list[object]:
        """The elements of the column of a leaf, or of a row of it, each of its own type."""
        if not leaf.types:
            return numbers
        told = self.columns[leaf.told].elements
        return [Rows.number(*one, leaf.types) for one in zip(numbers, told if row is None else told[row])]

    def changed(self, operation: Op, value: object, *given: object) -> Rows:
        """After an operation on each column that takes a part of `value` too."""
        rows, leaves = self.taking(value)
        columns = [apply(operation, column, *given, leaf) for column, leaf in zip(rows.columns, leaves)]
        structure = rows.structure
        if isinstance(structure, Inner) and operation is not lists.set_item:
            structure = structure.with_(None)
        return Rows(structure, columns)

    def known_count(self) -> int | None:
        """How many elements there are, if that is known."""
        return self.structure.count if isinstance(self.structure, Inner) else None

    def taking(self, value: object) -> tuple[Rows, list[Tensor]]:
        """Rows that can take an element like this, and the leaves of the element."""
        structure, kinds = common(self, Fixed([value]))
        if isinstance(structure, Inner):
            return as_rows(self, structure, kinds), _row(value, structure, kinds)
        put(value)
        value = Rows.stored(value)
        _note_twice([value])
        value = _filled(value, structure, kinds)
        leaves = [_element(leaf, kind) for leaf, kind in zip(_with_types(value, structure), kinds)]
        return as_rows(self, structure, kinds), leaves

    def alone(self, *parts: Tensor) -> Rows:
        """A row, as a tensor of each of its parts, as the elements of a list of its own."""
        assert isinstance(self.structure, Inner)
        columns = [apply_to_list(lists.from_tensor, row, weak=kind.weak) for row, kind in zip(parts, self.kinds)]
        return Rows(self.structure.record, columns)

    def row(self, index: Tensor) -> Rows:
        """A row as the elements of a list of its own."""
        return self.alone(*(apply(lists.item, column, index) for column in self.columns))

    def cell(self, index: Tensor, place: object) -> object:
        """What is at a place of a row."""
        assert isinstance(self.structure, Inner)
        found = [apply(lists.cell, column, index, position(place)) for column in self.columns]
        made = Rows.found(self.rebuilt(found, _handed))
        share(made, FOUND)
        return made

    def with_cell(self, index: Tensor, place: object, value: object) -> Rows:
        """With something else at a place of a row."""
        value = Rows.stored(value)
        structure, found = common(self, Fixed([[value]]))
        length = (self.kinds[0].shape or (None,))[0]
        kinds = [ListType(kind.dtype, (length, *of_part(kind)), kind.weak) for kind in found]
        put(value)
        _note_twice([value])
        columns = []
        for column, kind, leaf in zip(as_rows(self, structure, kinds).columns, kinds, _with_types(value, structure)):
            number = _element(leaf, ListType(kind.dtype, of_part(kind), kind.weak))
            columns.append(apply_to_list(lists.set_cell, column, index, position(place), number))
        return Rows(structure.with_(self.known_count()), columns)  # type: ignore[attr-defined]

    def reduced(self, operation: Op, *given: object, **options: object) -> Rows:
        structure = self.structure.with_(None) if isinstance(self.structure, Inner) else self.structure
        return Rows(structure, [apply(operation, column, *given, **options) for column in self.columns])


def _note_twice(elements: Sequence[object]) -> None:
    """Note arrays that are put into a list and may be in one already."""
    for array in places_of(elements):
        if any(one is array for one in elements_known()) or may_be_put_twice(array):
            copied(twice=True)


Content = Fixed | Rows
_MANY = 17  # numbers that are one constant rather than one each


def _itself(leaf: object) -> object:
    return leaf


def as_rows(
    content: Content, structure: object, kinds: Sequence[ListType], lasts: bool = True,
    shown: Callable[[object], object] = _itself, name: str = "",
) -> Rows:  # fmt: skip
    """The content as rows of this structure, with columns of these types.

    Where the list `lasts` as these rows, its arrays must not be written any more. `shown` tells what a leaf holds, and
    `name` what the list is called.
    """
    if isinstance(structure, Inner):
        count = content.known_count() if isinstance(content, Rows) else len(content.elements)
        structure = structure.with_(count)
    if isinstance(content, Rows):
        return Rows(structure, _as_columns(content, structure, kinds))
    if isinstance(structure, Inner):
        rows = [_row(element, structure, kinds, lasts) for element in content.elements]
        return Rows(structure, [_column_of([row[i] for row in rows], kind) for i, kind in enumerate(kinds)])
    if _are_pythons(content.elements) and type(structure) is Column:
        kind = kinds[0]
        of = type(content.elements[0])
        if kind.shape == () and (kind.weak or structure.types or (kind.dtype.is_bool and of is bool)):
            wholes = [np.array(content.elements, kind.dtype.dtype)]
            wholes += [np.full(len(content.elements), PLACES[of], np.int32)] if structure.types else []
            columns = [apply_to_list(lists.from_tensor, EagerTensor.of(a), weak=k.weak) for a, k in zip(wholes, kinds)]
            return Rows(structure, columns)
    elements = [_filled(element, structure, kinds) for element in content.stored]
    places = places_of(elements)
    if lasts and len({*map(id, places)}) < len(places):
        copied(twice=True)
    leaves = [
        [_element(leaf, kind, lasts, shown, name) for leaf, kind in zip(_with_types(e, structure), kinds)]
        for e in elements
    ]
    columns = []
    for number, kind in enumerate(kinds):
        column = [row[number] for row in leaves]
        found = [i for i, e in enumerate(column) if type(e) is not EagerTensor]
        if len(column) >= max(_MANY, _MANY * len(found)) and shapes.is_known(kind.shape):
            none = np.zeros(kind.shape, kind.dtype.dtype)  # type: ignore[arg-type]
            arrays = [e.array if type(e) is EagerTensor else none for e in column]
            made = apply_to_list(lists.from_tensor, EagerTensor(np.stack(arrays)), weak=kind.weak)
            for i in found:
                made = apply_to_list(lists.set_item, made, EagerTensor.of(np.int64(i)), column[i])
            columns.append(made)
            continue
        columns.append(apply_to_list(lists.pack, *column, dtype=kind.dtype, shape=kind.shape, weak=kind.weak))
    return Rows(structure, columns)


def _filled(element: object, structure: object, kinds: Sequence[ListType]) -> object:
    """An element in a structure of which parts may be None: with something in each of its leaves."""
    if not may_be_missing(structure):
        return element
    columns = columns_in(structure)

    def leaf(number: int, found: object) -> object:
        if not isinstance(found, Gap):
            return found
        return _nothing(kinds[number], columns[number]) if found is Gap.NOTHING else found.value

    found = missing.expressed(element, structure)
    return nest.rebuild(found, iter([*itertools.starmap(leaf, enumerate(nest.flatten(found)))]))


def _nothing(kind: ListType, column: Column) -> object:
    """What stands for a leaf of what is not there."""
    for one in column.types:
        return one(0)
    if kind.shape is None:
        raise _unfit(None)
    if kind.dtype == string:
        return ""
    return EagerTensor.of(np.zeros([size if isinstance(size, int) else 0 for size in kind.shape], kind.dtype.dtype))


def record_of(structure: object) -> object:
    """The structure of an element, or of one of a row."""
    return structure.record if isinstance(structure, Inner) else structure


def columns_in(structure: object) -> list[Column]:
    """What a structure says of each leaf of an element, or of a part of a row."""
    return nest.flatten(record_of(structure))  # type: ignore[return-value]


def told_in(structure: object) -> tuple[tuple[Owner, bool, Types], ...]:
    """What a structure says of whose the leaves are, and of which types."""
    return tuple((column.owner, column.mixed, column.types) for column in columns_in(structure))


def _with_types(element: object, structure: object) -> list[object]:
    """The leaves of an element, and behind them the places of the types of those that have one of several."""
    leaves = nest.flatten(element)
    told = [_told(leaf) for leaf, column in zip(leaves, columns_in(structure)) if column.types]
    return [*leaves, *told]


def _told(number: object) -> Tensor:
    """The place of the type that a number has."""
    if isinstance(number, OfTypes):
        return number.told
    if isinstance(number, Several):
        return operand(number.distribute(_told))
    (kind,) = type_in(leaf_type(number).dtype, owner_of(number))
    return EagerTensor.of(np.int32(PLACES[kind]))


def _as_columns(rows: Rows, structure: object, kinds: Sequence[ListType]) -> list[Any]:
    """The columns of rows as those of a structure that holds what they hold; where there are no elements, one stands
    for all."""
    leaves, own = columns_in(structure), columns_in(rows.structure)
    found = [*zip(rows.columns, own)]
    if isinstance(structure, Inner) and _are_open(rows):
        found = [(_of_empty_rows(rows, kind), own[0]) for kind, _ in zip(kinds, leaves)]
    if may_be_missing(structure) and not (len(own) == 1 and missing.is_nothing(own[0])):
        rest = iter([one for one in found if not missing.is_nothing(one[1])])
        parts = nest.flatten(missing.expressed(rows.structure, structure))
        gaps = zip(parts, kinds, leaves)
        found = [_in_gap(rows, part, kind, leaf) if isinstance(part, Gap) else next(rest) for part, kind, leaf in gaps]
    found = found * len(leaves) if len(found) == 1 else found
    made = [as_column(column, kind) for (column, _), kind in zip(found, kinds)]
    told = [
        rows.columns[before.told] if before.types else _of_one_type(column, before)
        for leaf, (column, before) in zip(leaves, found) if leaf.types
    ]  # fmt: skip
    return [*made, *told]


def _are_open(rows: Rows) -> bool:
    """Whether these are rows without elements, of which nothing is known."""
    return isinstance(rows.structure, Inner) and [c.owner for c in columns_in(rows.structure)] == [Owner.NOBODY]


def _of_empty_rows(rows: Rows, kind: ListType) -> Any:
    """A column of as many rows without elements."""
    if of_part(kind) == ():
        return rows.columns[0]
    none = EagerTensor.of(np.zeros((0, *of_part(kind)), kind.dtype.dtype))
    return _as_often(apply_to_list(lists.pack, none, dtype=kind.dtype, shape=(None, *of_part(kind))), rows)


def _as_often(one: Any, rows: Rows) -> Any:
    """A column of one element as one of as many as there are of others, all the same."""
    numbers = apply(shape_ops.fill, EagerTensor.of(np.int32(0)), rows.count(), shape=(None,))
    return apply_to_list(lists.ordered, one, numbers)


def _in_gap(rows: Rows, gap: Gap, kind: ListType, leaf: Column) -> tuple[Any, Column]:
    """A column of what rows lack where others may be None: the same for all."""
    one, owner = (_nothing(kind, leaf), Owner.NOBODY) if gap is Gap.NOTHING else (gap.value, Owner.PYTHON)
    first = apply_to_list(lists.pack, operand(one), dtype=kind.dtype, shape=kind.shape)
    return _as_often(first, rows), Column(0, owner)


def _of_one_type(column: Any, leaf: Column) -> Any:
    """A column of the place of the type that all numbers of another one have; what has none is of any."""
    places = [PLACES[kind] for kind in type_in(column.type.dtype, leaf.owner)]
    return apply_to_list(lists.full_like, column, value=max(places, default=0), dtype=int32)


def places_of(elements: Iterable[object]) -> list[Array]:
    return [leaf.place for element in elements for leaf in nest.flatten(element) if isinstance(leaf, Array)]


def as_column(column: Any, kind: ListType) -> Any:
    """A column with elements of a type that holds them; one of Python's integers may be too large for it."""
    mine = column.type
    if (mine.dtype, mine.weak) == (kind.dtype, kind.weak):
        return column
    integers = mine.weak and mine.dtype.is_integer and kind.dtype.is_integer and mine.dtype != kind.dtype
    return apply_to_list(lists.fit if integers else lists.cast, column, dtype=kind.dtype, weak=kind.weak)


def _handed(part: object, owner: Owner) -> object:
    """A part of an element that the list keeps."""
    made = owned(part, owner)
    if isinstance(made, Array):
        made.held = ELEMENT
        note_element(made)
    return Element(made.traced_in, made.value) if type(made) is SymbolicTensor else made


def weakened(tensor: Tensor) -> object:
    """A number in 64 bits as one of Python's."""
    made = apply(ew.cast, tensor, dtype=tensor.dtype, weak=True)
    return Scalar(made.traced_in, made.value, python=True) if isinstance(made, SymbolicTensor) else made


def element_of(tensor: Tensor, owner: Owner) -> object:
    """A number out of the tensor that the elements of a list were stacked to, as the one that the list has."""
    return weakened(tensor) if owner is Owner.PYTHON and tensor.dtype in _NUMBERS else owned(tensor, owner)


def is_of_one_type(rows: Rows) -> bool:
    """Whether the elements are numbers of one type, or are taken for such."""
    return type(rows.structure) is Column and not rows.structure.types


def _element(
    leaf: object, kind: ListType, lasts: bool = True, shown: Callable[[object], object] = _itself, name: str = ""
) -> Tensor:
    """A part of an element: an array cannot be written from now on, as the list would have to change with it."""
    if lasts and isinstance(leaf, Array):
        for place in may_be(leaf.place):
            place.held = place.held or ELEMENT
        note_element(leaf.place, name)
    if lasts and isinstance(leaf, np.ndarray) and (trace := current()) is not None:
        trace.put(leaf)
    leaf = leaf.now() if isinstance(leaf, Presence) else shown(leaf)
    if (kind.weak and not isinstance(leaf, Tensor)) or (type(leaf) is bool and kind.dtype.is_bool):
        return EagerTensor.of(kind.dtype.dtype.type(leaf))
    return of_dtype(leaf, kind.dtype) if type(leaf) is int else cast(operand(leaf), kind.dtype)


def position(index: object, kind: str = "list") -> Tensor:
    """An index of a sequence of Python's; raises TypeError for one that is no whole number, as Python does."""
    tensor = index.as_position(_WITHOUT_ITEMS[kind]) if isinstance(index, OfTypes) else operand(index)
    if tensor.dtype.is_bool and isinstance(index, Scalar) and index.python:
        return cast(tensor, int64)
    if owner_of(index) is Owner.ARRAY and not (tensor.dtype.is_integer and tensor.shape.rank in (0, None)):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    if not tensor.dtype.is_integer:
        if type_of(index) in PLACES:
            operator.getitem(_WITHOUT_ITEMS[kind], type_of(index)())  # type: ignore[call-overload]
        raise TypeError(f"{kind} indices must be integers or slices, not {type_of(index).__name__}")
    return tensor


_WITHOUT_ITEMS: dict[str, Any] = {kind.__name__: kind() for kind in (list, tuple, str, bytes, bytearray)} | {
    "range": range(0)
}

# Whose the elements of a column are where they are of several: the first of these.
_ORDER = (Owner.RANGE, Owner.ARRAY, Owner.TENSOR, Owner.NUMPY, Owner.PYTHON, Owner.NOBODY)


@dataclass
class _Leaf:
    """What a leaf of the elements is, as far as they have been looked at."""

    kind: TensorType
    owners: set[Owner]
    mixed: bool  # are they of several kinds that nothing tells apart?
    types: Types  # if they are numbers of types that can be told apart

    @classmethod
    def of(cls, leaf: object, kind: Any, owner: Owner) -> _Leaf:
        mixed = isinstance(leaf, Column) and leaf.mixed
        types = _types_of(leaf, kind, owner) if not mixed and kind.shape == () else frozenset()
        if isinstance(leaf, Several):
            return cls(_of_types(types) if types else kind, {owner}, not types, types)
        return cls(_tensor_type(kind), {owner}, mixed, types)

    @classmethod
    def in_gap(cls, gap: Gap) -> _Leaf:
        """What stands for what an element lacks: nothing is known of a part of what is not there."""
        if gap is Gap.NOTHING:
            return cls(_tensor_type(leaf_type(0)), set(), False, frozenset())
        return cls.of(gap.value, leaf_type(gap.value), owner_of(gap.value))

    def joined(self, other: _Leaf) -> _Leaf:
        if not self.owners or not other.owners:
            return self if self.owners else other
        a, b = self.kind, other.kind
        types = self.types | other.types if self.types and other.types else frozenset()
        kind = _of_types(types) if len(types) > 1 else _tensor_type(join_types(a, b) or _promoted(a, b))
        differ = not types and (not other.owners <= self.owners or (a.dtype, a.weak) != (b.dtype, b.weak))
        return _Leaf(kind, self.owners | other.owners, self.mixed or other.mixed or differ, types)

    def column(self, number: int, told: int) -> Column:
        owner = next((o for o in _ORDER if o in self.owners), Owner.NOBODY)
        if not self.are_told:
            return Column(number, owner, self.mixed)
        return Column(number, owner, self.mixed, self.types, told)

    @property
    def are_told(self) -> bool:
        """Whether they are of several types."""
        return len(self.types) > 1

    def type(self) -> ListType:
        kind = self.kind
        weak = kind.weak or (self.owners == {Owner.PYTHON} and kind.dtype in _NUMBERS)
        return ListType(kind.dtype, kind.shape, weak, mixed=kind.shape is None)


def _types_of(leaf: object, kind: TensorType | ListType, owner: Owner) -> Types:
    """The types that a number may have, or those in a column, if these can be told apart."""
    if isinstance(leaf, Several):
        return _all_of([_types_of(one, leaf_type(one), owner_of(one)) for one in leaf.numbers()])
    return leaf.types if isinstance(leaf, Column | OfTypes) and leaf.types else type_in(kind.dtype, owner)


def common(*contents: Content, table: bool = False) -> tuple[object, list[ListType]]:
    """The structure of the elements of lists, and the types of its leaves.

    Lists of numbers among the elements are rows if it is to be a `table`, or if they are long, or differ in length.
    Raises StagingError if they differ.
    """
    if (of_rows := _inner(contents, table or Way.ROWS in ways.taken)) is not None:
        return of_rows
    structure: object = None
    leaves: Sequence[_Leaf] = []
    for found, told in _alike([row for content in contents for row in _looked_at(content)]):
        if structure is None or _are_nobodys(leaves):
            structure, leaves = found, told
            continue
        if not nest.alike(found, structure):
            for one in (structure, found):
                _may_be_handled_in(one)
            one, other = (nest.describe(element, lambda _: "a value") for element in (structure, found))
            if isinstance(structure, list) and isinstance(found, list):
                ways.takes(Way.ROWS)
            elif _has_list(structure) or _has_list(found):
                note_lists()
            raise StagingError(
                f"a list that grows in a graph must have elements of one structure: it has {one}, and {other}."
            )
        if not _are_nobodys(told):
            leaves = [*map(_Leaf.joined, leaves, told)]
    if not leaves:
        if structure == []:
            ways.takes(Way.ROWS)
        raise StagingError("nothing tells what its elements are: it is empty.")
    if any(Owner.RANGE in leaf.owners and len(leaf.owners) > 1 for leaf in leaves):
        raise StagingError("a list that grows in a graph cannot hold both ranges and other values.")
    if any(Owner.ARRAY in leaf.owners and len(leaf.owners) > 1 and leaf.kind.shape == () for leaf in leaves):
        raise StagingError(
            "a list that grows in a graph cannot hold both numbers and arrays without dimensions. Make these numbers, "
            "as by float(x), or by x[()]."
        )
    several = [number for number, leaf in enumerate(leaves) if leaf.are_told]
    places = {number: place for place, number in enumerate(several, len(leaves))}
    columns = iter([leaf.column(number, places.get(number, -1)) for number, leaf in enumerate(leaves)])
    kinds = [leaf.type() for leaf in leaves] + [ListType(int32, ())] * len(several)
    return nest.map_structure(lambda _: next(columns), structure), kinds


def _are_nobodys(leaves: Sequence[_Leaf]) -> bool:
    """Whether nothing is known of elements, as there are none."""
    return [leaf.owners for leaf in leaves] == [{Owner.NOBODY}]


def _alike(told: Sequence[tuple[object, Sequence[_Leaf]]]) -> Iterable[tuple[object, Sequence[_Leaf]]]:
    """Structures and their leaves, all with the same that may be None."""
    if not any(may_be_missing(structure) for structure, _ in told):
        return told
    told = [one for one in told if not _are_nobodys(one[1])]
    whole = missing.joined(structure for structure, _ in told)
    if missing.may_be_written(whole):
        _may_be_handled_in(whole)
        raise _unfit(None)
    made = []
    for structure, leaves in told:
        found = missing.expressed(structure, whole)
        given = [part for part in nest.flatten(structure) if part is not None]
        own = iter([leaf for part, leaf in zip(given, leaves) if not missing.is_nothing(part)])
        made.append((found, [_Leaf.in_gap(one) if isinstance(one, Gap) else next(own) for one in nest.flatten(found)]))
    return made


def _looked_at(content: Content) -> Iterator[tuple[object, Sequence[_Leaf]]]:
    """What tells of the elements of a list: structures, and what each leaf is that is not None."""
    if isinstance(content, Rows):
        yield content.structure, [*map(_Leaf.of, nest.flatten(content.structure), content.kinds, content.owners)]
        return
    for element in _telling(content.stored):
        leaves = [leaf for leaf in nest.flatten(element) if leaf is not None]
        odd = [
            one
            for leaf in leaves
            for one in (leaf.numbers() if isinstance(leaf, Several) else (leaf,))
            if not is_leaf(one) and not isinstance(one, Presence)
        ]
        if odd:
            _may_be_handled_in(element)
            raise _unfit(odd[0])
        types, of = zip(*map(_type_and_owner, leaves)) if leaves else ((), ())
        yield element, [*map(_Leaf.of, leaves, types, of)]


def check_there(elements: Iterable[object]) -> None:
    """Refuse elements that may be None, as None is: who puts another in the place of one does not ask for the rest."""
    if any(isinstance(element, SymbolicTensor) and element.may_be_none for element in elements):
        raise _unfit(None)


def _unfit(value: object) -> StagingError:
    for one in value._options if isinstance(value, OneOf) else (value,):
        if _has_list(one):
            note_lists()
        _may_be_handled_in(one)
    return StagingError(
        "a list that grows in a graph can hold tensors, numbers, strings and structures of them, not "
        f"{_described(value)}. Append {_content_of(value)}."
    )


def _has_list(structure: object) -> bool:
    if not nest.is_nested(structure):
        return isinstance(structure, list)
    return isinstance(structure, list) or any(map(_has_list, nest.parts(structure)))


def note_in_rows(value: object) -> None:
    """Know of lists and objects in what becomes no element of a row that they might be the graph's."""
    if _has_list(value):
        note_lists()
    _may_be_handled_in(value)


def _may_be_handled_in(structure: object) -> None:
    """Note the objects in a structure that might be the graph's, whatever they hold."""
    may_be_handled(structure)
    for part in nest.parts(structure) if nest.is_nested(structure) else ():
        _may_be_handled_in(part)


def _content_of(value: object) -> str:
    """What of a value such a list may hold, as advice."""
    if isinstance(value, int | float | complex):
        return "its number (as int() gives it)"
    return "its text" if isinstance(value, str | bytes) else "what it holds, as a tuple"


_NUMBERS = (int64, float64, complex128)  # of Python's, which are weak where truth values are among them, too


def _type_and_owner(leaf: object) -> tuple[Any, Owner]:
    if isinstance(leaf, Several):
        return TensorType(dtype_for_all(leaf), ()), Owner.NUMPY
    leaf = True if isinstance(leaf, Presence) else leaf
    return leaf_type(leaf), owner_of(leaf)


def _are_pythons(elements: Sequence[object]) -> bool:
    """Whether these are many numbers of Python's, of one type."""
    return len(elements) >= _MANY and {*map(type, elements)} in _ALIKE


_ALIKE = ({bool}, {int}, {float})


def _telling(elements: Sequence[Any]) -> Sequence[object]:
    """Elements that tell what all are: of many numbers of Python's the least and the largest."""
    return (min(elements), max(elements)) if _are_pythons(elements) else elements


SHORT = 4  # numbers in a list that is taken for a structure of so many rather than for a row


def _inner(contents: Sequence[Content], table: bool) -> tuple[object, list[ListType]] | None:
    """The structure of a table, and the type of its column, if these are lists of lists of numbers."""
    known = [c for c in contents if isinstance(c, Rows)]
    tables = [c for c in known if isinstance(c.structure, Inner)]
    if len(tables) < len(known):
        return None
    elements = [element for c in contents if isinstance(c, Fixed) for element in c.stored]
    types = [row_type(element) for element in elements]
    if None in types:
        if tables:
            odd = elements[types.index(None)]
            raise StagingError(
                "a list of lists that the graph changes has lists of numbers or of arrays of one shape, not "
                f"{nest.describe(odd, describe)}."
            )
        return None
    found = [t for t in types if t is not None and t is not _EMPTY]
    lengths = {t.length for t in types if t is not None}
    (length,) = lengths if len(lengths) == 1 else (None,)
    numbers = all(isinstance(t.record, Column) for t in found)
    alike = isinstance(length, int) and (length <= SHORT or not numbers)
    if not tables and not table and (not found or alike):
        return None
    if not types and not tables:
        return None
    if not found and not tables:
        found = [_EMPTY]  # until there is something in one of them
    found += [RowType(c.structure.record, [*map(_tensor_type, c.kinds)]) for c in tables]  # type: ignore[attr-defined]
    told = [t for t in found if not t.is_open()] or found
    odd = next((t for t in told if not nest.alike(t.record, told[0].record)), None)
    if odd is not None:
        one, other = (nest.describe(t.record, lambda _: "a value") for t in (told[0], odd))
        raise StagingError(
            f"the lists in a list of lists that the graph changes hold one kind of element each: {one}, and {other}."
        )
    parts = _numbered([_part(of) for of in zip(*(t.parts() for t in told))])
    kinds = [kind for kind, _ in parts]
    kinds += [TensorType(int32, kind.shape) for kind, column in parts if column.types]
    if any(t is _EMPTY for t in types) and kinds[0].shape != (0,):
        kinds = [TensorType(kind.dtype, (None, *of_part(kind)), kind.weak) for kind in kinds]
    record = nest.map_structure(lambda i: parts[i][1], told[0].record)
    frozen = next((why for c in tables if (why := c.structure.why_frozen())), "")  # type: ignore[attr-defined]
    return Inner(record, frozen), [ListType(kind.dtype, kind.shape, kind.weak) for kind in kinds]


def _part(told: Sequence[tuple[TensorType, Column]]) -> tuple[TensorType, Column]:
    """The type of a part of rows, and whose it is, as each of several tells it."""
    kinds = [kind for kind, _ in told]
    if _are_arrays_of_several(kinds):
        one, other = sorted({kind.dtype.name for kind in kinds})[:2]
        raise StagingError(
            f"the arrays in a list of lists that the graph changes have one dtype, and these have {one} and {other}. "
            "Make them alike, as by x.astype(float)."
        )
    kind, columns = _joined(kinds), [column for _, column in told]
    owners = {column.owner for column in columns}
    owner = next(o for o in _ORDER if o in owners)
    types = _all_of([frozenset() if of.mixed else _types_of(of, kind, of.owner) for kind, of in told])
    if len(types) > 1:
        return replace(_of_types(types), shape=kind.shape), Column(columns[0], owner, types=types)
    differ = len(owners) > 1 or len({(kind.dtype, kind.weak), *((one.dtype, one.weak) for one, _ in told)}) > 1
    return kind, Column(columns[0], owner, not types and (differ or any(column.mixed for column in columns)))


def _are_arrays_of_several(kinds: Sequence[TensorType]) -> bool:
    """Whether arrays of a program on NumPy, parts of rows of these types, have several dtypes."""
    trace = current()
    return trace is not None and trace.numpys and any(map(of_part, kinds)) and len({k.dtype for k in kinds}) > 1


def _all_of(types: Sequence[Types]) -> Types:
    """The types of numbers that have these, if those of all are known."""
    return frozenset().union(*types) if all(types) else frozenset()


def _numbered(parts: Sequence[tuple[TensorType, Column]]) -> list[tuple[TensorType, Column]]:
    """Parts with the numbers of the columns that tell their types, behind those of all."""
    numbers = itertools.count(len(parts))
    return [
        (kind, Column(one, one.owner, one.mixed, one.types, next(numbers)) if one.types else one) for kind, one in parts
    ]


def of_part(kind: TensorType | ListType) -> tuple[int, ...]:
    """The shape of a part of an element of a row, which is known, given the type of all in the row."""
    return tuple((kind.shape or ())[1:])  # type: ignore[arg-type]


@dataclass(frozen=True)
class RowType:
    """A list of numbers, of arrays, or of tuples of such, as one tensor for each part: the structure of an element,
    and the type of each tensor."""

    record: object
    types: Sequence[TensorType]

    def parts(self) -> Iterator[tuple[TensorType, Column]]:
        return zip(self.types, nest.flatten(self.record))

    @property
    def length(self) -> object:
        return (self.types[0].shape or (None,))[0]

    def has_objects(self) -> bool:
        """Whether its elements have arrays or lists among their parts, which may be written."""
        return any(map(of_part, self.types)) or _has_list(self.record)

    def is_open(self) -> bool:
        """Whether it tells nothing, as there are no elements."""
        return [column.owner for column in nest.flatten(self.record)] == [Owner.NOBODY]


# The type of a list without elements, which tell nothing.
_EMPTY = RowType(Column(0, Owner.NOBODY), [TensorType(int64, (0,), weak=True)])


def is_record(structure: object) -> bool:
    """Whether it is what an element of a row may be: a number, an array, or a tuple or list of such."""
    if isinstance(structure, tuple | list) and not isinstance(structure, Maybe):
        parts = [*nest.parts(structure)]
        return bool(parts) and all(map(is_record, parts))
    return type(structure) is Column


def are_of_row(rows: Rows) -> bool:
    """Whether elements may be those of a row."""
    return is_record(rows.structure) and all(shapes.is_known(kind.shape) for kind in rows.kinds)


def row_type(element: object) -> RowType | None:
    """The type of a list of numbers, of arrays of one shape, or of tuples of them, as a row; None for anything else."""
    if not isinstance(element, list):
        return None
    if isinstance(element, Growing) and element.is_grown:
        rows: Any = element.rows
        if not are_of_row(rows):
            return None
        length = element.known_length()
        types = [TensorType(kind.dtype, (length, *kind.shape), kind.weak) for kind in rows.kinds]
        return RowType(rows.structure, types)
    numbers = [*Fixed(list.__iter__(element)).stored]
    if not numbers:
        return _EMPTY
    if isinstance(numbers[0], tuple | list):
        return _type_of_structures(numbers)
    part = _type_of_numbers(numbers)
    return None if part is None else RowType(part[1], [part[0]])


def _type_of_structures(elements: Sequence[Any]) -> RowType | None:
    if not all(isinstance(element, tuple | list) and nest.alike(element, elements[0]) for element in elements):
        return None
    found = [_type_of_numbers(of, number) for number, of in enumerate(zip(*map(nest.flatten, elements)))]
    parts = [part for part in found if part is not None]
    if len(parts) < len(found):
        return None
    columns = iter([column for _, column in parts])
    record = nest.map_structure(lambda _: next(columns), elements[0])
    return RowType(record, [kind for kind, _ in parts]) if is_record(record) else None


def _type_of_numbers(numbers: Sequence[Any], number: int = 0) -> tuple[TensorType, Column] | None:
    """The type of numbers as one tensor, and whose they are in a column of this number."""
    if (alike := {*map(type, numbers)}) <= _PYTHONS and len(alike) == 1:  # which are many, often
        if alike == {int} and not -(2**63) <= min(numbers) <= max(numbers) < 2**63:
            return None
        kind = leaf_type(numbers[0])
        return TensorType(kind.dtype, (len(numbers),), kind.weak), Column(number, Owner.PYTHON)
    if not all(map(_is_part, numbers)):
        return None
    found = [*map(_type_and_owner, numbers)]
    types = [_tensor_type(kind) for kind, _ in found]
    if len({kind.shape for kind in types}) > 1 or (types[0].shape and len({kind.dtype for kind in types}) > 1):
        return None
    leaves = [_Leaf.of(one, kind, owner) for one, (kind, owner) in zip(numbers, found)]
    whole = functools.reduce(_Leaf.joined, leaves)
    if not whole.are_told and len({kind.dtype.is_bool for kind in types}) > 1:
        return None
    kind = whole.kind if whole.are_told else _joined(types)
    return TensorType(kind.dtype, (len(numbers), *(types[0].shape or ())), kind.weak), whole.column(number, -1)


def _joined(types: Sequence[TensorType]) -> TensorType:
    """The type that numbers of several types have in one list; one that holds them all, where they are NumPy's."""
    trace, kind = current(), types[0]
    for other in types[1:]:
        if other is not kind:
            if trace is not None and trace.numpys and kind.dtype != other.dtype:
                kind = replace(_promoted(kind, other), weak=kind.weak and other.weak)
            else:
                kind = _tensor_type(join_types(kind, other) or _promoted(kind, other))
    return kind


_PYTHONS = {bool, int, float, complex}


def _is_part(value: object) -> bool:
    """Whether it is a number, or an array of numbers whose shape is known."""
    if type(value) is int:
        return -(2**63) <= value < 2**63
    if isinstance(value, bool | float | complex) or type(value) is str:
        return True
    if isinstance(value, Several):
        return all(map(_is_part, value.numbers()))
    if type(value) not in (SymbolicTensor, Element, EagerTensor, np.ndarray) and not isinstance(
        value, Scalar | Array | np.generic
    ):
        return False
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind not in "biufc":
        return False
    kind = leaf_type(value)
    return shapes.is_known(kind.shape)


def _row(element: Any, structure: object, kinds: Sequence[ListType], lasts: bool = True) -> list[Tensor]:
    """A row of a structure as a tensor of each of its parts."""
    if isinstance(element, Growing) and element.is_grown:
        rows: Any = element.rows
        return [_stacked(column, kind) for column, kind in zip(_as_columns(rows, structure, kinds), kinds)]
    elements = [*Fixed(list.__iter__(element)).stored]
    if not elements:
        return [EagerTensor.of(np.zeros((0, *of_part(kind)), kind.dtype.dtype)) for kind in kinds]
    if lasts:
        put(*elements)
        _note_twice(elements)
    parts = [*zip(*map(nest.flatten, elements))]
    told = [_all_told(of) for of, column in zip(parts, columns_in(structure)) if column.types]
    return [_tensor_of(part, kind, lasts) for part, kind in zip((*parts, *told), kinds)]


def _all_told(numbers: Sequence[object]) -> Sequence[object]:
    """The places of the types of numbers."""
    if {*map(type, numbers)} <= _PYTHONS:  # which are many, often
        return [PLACES[type(number)] for number in numbers]
    return [*map(_told, numbers)]


def _stacked(column: Any, kind: ListType) -> Tensor:
    column = as_column(column, ListType(kind.dtype, of_part(kind), kind.weak))
    return apply(lists.stack, column, shape=of_part(kind), dtype=kind.dtype)  # type: ignore[no-any-return]


def _tensor_of(numbers: Sequence[Any], kind: ListType, lasts: bool) -> Tensor:
    if {*map(type, numbers)} <= _PYTHONS:
        return EagerTensor.of(np.array(numbers, kind.dtype.dtype))
    if of_part(kind) == () and not any(isinstance(n, SymbolicTensor) for n in numbers):
        return EagerTensor.of(np.array([np.asarray(getattr(n, "array", n)) for n in numbers], kind.dtype.dtype))
    number = ListType(kind.dtype, of_part(kind), kind.weak)
    return apply(shape_ops.stack, *[_element(n, number, lasts) for n in numbers], axis=0)  # type: ignore[no-any-return]


def _column_of(rows: Sequence[Tensor], kind: ListType) -> Any:
    """The column of one part of rows; one constant if all are, and of one length."""
    arrays = [row.array for row in rows if isinstance(row, EagerTensor)]
    if rows and len(arrays) == len(rows) and len({array.shape for array in arrays}) == 1:
        return apply_to_list(lists.from_tensor, EagerTensor.of(np.stack(arrays)), weak=kind.weak)
    return apply_to_list(lists.pack, *rows, dtype=kind.dtype, shape=kind.shape, weak=kind.weak)


def _described(value: object) -> str:
    return "a list whose numbers the graph has" if isinstance(value, Growing) else describe(value)


def _promoted(a: TensorType, b: TensorType | ListType) -> TensorType:
    """The type that numbers of two dtypes have in one list."""
    if string in (a.dtype, b.dtype):
        raise StagingError("a list that grows in a graph cannot hold both strings and numbers.")
    return TensorType(_holding(a.dtype, b.dtype), shapes.join(a.shape, b.shape))


def _of_types(types: Types) -> TensorType:
    """The type that numbers of several types have in one list."""
    return TensorType(_holding(*map(as_dtype, map(np.dtype, types))), (), weak=types <= _PYTHONS)


def _holding(*dtypes: DType) -> DType:
    """The dtype in which a list has numbers of several."""
    made = as_dtype(np.result_type(*(one.dtype for one in dtypes)))
    if made.is_floating and all(one.is_integer for one in dtypes):
        names = " and ".join(sorted(one.name for one in dtypes))
        raise StagingError(f"a list that grows in a graph cannot hold {names}, as no integer holds both.")
    return made


def _tensor_type(kind: TensorType | ListType) -> TensorType:
    return kind if isinstance(kind, TensorType) else TensorType(kind.dtype, kind.shape, kind.weak)


def appended(rows: Rows, value: object) -> Rows:
    rows, leaves = rows.taking(value)
    columns = []
    for column, leaf in zip(rows.columns, leaves):
        size = apply(lists.size, column)
        columns.append(apply_to_list(lists.write, column, size, leaf, dynamic=True))
    structure = rows.structure.with_(None) if isinstance(rows.structure, Inner) else rows.structure
    return Rows(structure, columns)


def inserted_at(rows: Rows, index: Tensor) -> Tensor:
    """Where an element will be that is about to be inserted at an index."""
    count = rows.count()
    at = cast(index, count.dtype)
    zero = EagerTensor(np.zeros((), count.dtype.dtype))
    at = apply(ew.where, apply(ew.less, at, zero), apply(ew.add, at, count), at)
    return apply(ew.minimum, apply(ew.maximum, at, zero), count)  # type: ignore[no-any-return]


def _pythons(structure: Any) -> Any:
    """The structure of an element with lists of Python's for those of a graph."""
    if not nest.is_nested(structure):
        return structure
    parts = [*map(_pythons, nest.parts(structure))]
    if isinstance(structure, list) and is_own(type(structure).__module__):
        return parts
    return nest.of_kind(structure, parts)


def outside(columns: Sequence[object]) -> bool:
    """Whether the columns are those of a graph that has run."""
    return all(isinstance(column, EagerElements) for column in columns)


def given_away(array: Array) -> None:
    """Know that an array which a list has given away may be one that has another name; if lists have shared what they
    hold, it may be in one still."""
    trace = current()
    assert trace is not None
    if trace.root.copied:
        array.held = ELEMENT
    for other in elements_known():
        link(array, other)


def one_of(content: Fixed, found: object) -> object:
    """An element that only the graph finds: its arrays may be those of any, which can be written by other names."""
    share(content.elements, ONE_OF)
    arrays, trace = places_of([found]), current()
    if arrays and trace is not None:
        for array, other in itertools.product(arrays, places_of(content.elements)):
            link(array, other)
        for leaf in nest.flatten(content.elements):
            if isinstance(leaf, np.ndarray):
                trace.put(leaf)
    return found


def copied(twice: bool = False) -> None:
    """Note that what a list of the graph holds may be in another one, too; or in this one, where it is put `twice`."""
    if (trace := current()) is not None:
        trace.root.copied = True
        trace.root.put_twice |= twice


def _numbers_of(row: Any) -> Iterable[object]:
    """The numbers of a row at hand."""
    if not isinstance(row, Tensor):
        return row  # type: ignore[no-any-return]
    return [apply(indexing.getitem, row, index=(i,)) for i in range(len(row.array))]  # type: ignore[attr-defined]


def _elements_of(column: Any) -> list[object]:
    """The elements of a list at hand; a gradient may be asked of them."""
    if taping.active[0] and taping.follow([column]):
        return [apply(lists.item, column, EagerTensor(np.asarray(i))) for i in range(len(column.elements))]
    return column.elements  # type: ignore[no-any-return]
