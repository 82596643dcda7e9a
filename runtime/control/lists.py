"""Python lists under a trace: ordinary ones, until the graph decides how long they are."""

from __future__ import annotations

import copy
import functools
import operator
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from autograph import StagingError
from autograph.dispatch import staged_within
from autograph.operators import definitions
from autograph.operators.aliases import held_besides
from autograph.operators.calls import call, defined
from autograph.operators.counted import backwards, forwards
from autograph.operators.effects import is_made_here
from autograph.operators.fixed import register_iterator
from autograph.operators.items import are_staged
from autograph.operators.logic import equal, may_ask, not_, ordered
from autograph.operators.protocols import orders_staged
from autograph.reading import is_a
from runtime.control.missing import NOT_NONE, Maybe, may_be_missing
from runtime.control.one_array import unless_empty
from runtime.control.rows import (
    ELSEWHERE,
    SHORT,
    Column,
    Content,
    Fixed,
    Inner,
    Rows,
    appended,
    as_column,
    as_rows,
    check_there,
    common,
    copied,
    given_away,
    inserted_at,
    one_of,
    places_of,
    position,
    row_type,
)
from runtime.control.shared import Seat, called, is_shared, may_be_another, objects, share
from runtime.graph.dtypes import as_dtype, int64
from runtime.graph.errors import InvalidArgumentError, NoValueYetError, OperatorNotAllowedInGraphError
from runtime.graph.graph import ListType, strong_dtype
from runtime.graph.op import Op
from runtime.graph.owner import Owner
from runtime.ops import elementwise as ew, lists, reduce, shape as shape_ops
from runtime.tensors import nest
from runtime.tensors.bounds import outside
from runtime.tensors.clauses import indexed
from runtime.tensors.conversion import cast, operand
from runtime.tensors.frames import is_augmented, marked
from runtime.tensors.from_numpy import FromNumpy, made_without_axes, stored
from runtime.tensors.growing import Growing, contents, has_grown, is_withheld, withheld
from runtime.tensors.leaf_types import leaf_type
from runtime.tensors.mathematics import equal as equals, where
from runtime.tensors.numbers import Range, number
from runtime.tensors.operations import apply, apply_to_list
from runtime.tensors.python_errors import refuse_where
from runtime.tensors.tensor import Meaning, SymbolicTensor, Tensor
from runtime.tensors.trace import Handled, ListAt, Moment, Way, current, ways
from runtime.tensors.views import ELEMENT, Array, arrayed, before_update, note_element, owned

import numpy as np  # isort: skip


_NUMPY = os.path.dirname(np.__file__)

Made = TypeVar("Made")


def _plain(value: Any) -> Any:
    """A structure with Python's own lists, as far as their length is known."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, TensorList):
        return value if value.is_grown else [_plain(part) for part in list.__iter__(value)]
    return type(value)([_plain(part) for part in value]) if type(value) in (list, tuple) else value


class Elements:
    """The iterator over a list that Python has, which the graph may make longer or shorter in the meantime."""

    __slots__ = ("__weakref__", "at", "values")

    def __init__(self, values: TensorList) -> None:
        self.values: TensorList | None = values
        self.at = 0

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(iter([]))

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> object:
        values, at = self.values, self.at
        if values is None:
            raise StopIteration
        if at >= self._count(values):
            self.values = None
            raise StopIteration
        self.at = at + 1
        return values.element(at) if values.is_grown else list.__getitem__(values, at)

    def __length_hint__(self) -> int:
        return 0 if self.values is None else max(self._count(self.values) - self.at, 0)

    def __reduce__(self) -> Any:
        return (iter, ([],)) if self.values is None else (iter, (self.values,), self.at)

    def __setstate__(self, at: int) -> None:
        self.at = at

    def _count(self, values: TensorList) -> int:
        count = values.known_length() if values.is_grown else list.__len__(values)
        if count is None:
            if values.made_at is not None:
                ways.takes(values.made_at)
            raise StagingError(
                f"{called(values, 'a list')} is gone through, and may have been made longer or shorter meanwhile, as "
                "only the graph knows. Go through a copy of it (items[:]), or count in the loop (while i < len(items))."
            )
        return count

    def where(self) -> bytes:
        """How far it has got; nothing at its end."""
        return b"" if self.values is None else b"%d" % self.at

    def go_to(self, where: bytes) -> None:
        if where and self.values is not None:
            self.at = int(where)


class ElementsBackwards(Elements):
    """The iterator from the end of such a list to its start."""

    __slots__ = ()

    def __init__(self, values: TensorList) -> None:
        super().__init__(values)
        self.at = list.__len__(values) - 1

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(reversed([]))

    def __next__(self) -> object:
        values, at = self.values, self.at
        if values is None or not 0 <= at < self._count(values):
            self.values = None
            raise StopIteration
        self.at = at - 1
        return values.element(at) if values.is_grown else list.__getitem__(values, at)

    def __length_hint__(self) -> int:
        values = self.values
        return self.at + 1 if values is not None and self.at < self._count(values) else 0

    def __reduce__(self) -> Any:
        return (reversed, ([],)) if self.values is None else (reversed, (self.values,), self.at)


for _kind, _kinds in ((Elements, forwards), (ElementsBackwards, backwards)):
    register_iterator(_kind, Elements.where, Elements.go_to)
    _kinds.append(_kind)


class Recorded(Generic[Made]):
    """What was recorded once, as long as that is there."""

    def __init__(self, made: Made) -> None:
        self.made, self.trace = made, current()
        self.at = 0 if self.trace is None else len(self.trace.nodes)
        self.last = self.trace.nodes[-1] if self.trace is not None and self.trace.nodes else None

    def holds(self) -> bool:
        here, trace = current(), self.trace
        if here is None or trace is None or not here.is_within(trace) or len(trace.nodes) < self.at:
            return False
        return not self.at or trace.nodes[self.at - 1] is self.last


class TensorList(Growing):
    """A list made while tracing. Where a staged statement has made it longer or shorter, `rows` holds its elements."""

    given: ClassVar[Callable[[Any], Any]]  # what it has of what it is given: where objects of the graph's are known
    ordered: ClassVar[Callable[[Any, Any, bool, object], Content]]  # what it holds by a key: where loops are known
    row_at: ClassVar[Callable[[TensorList, Tensor], object]]  # the list at an index of a table: where tables are known
    chosen: ClassVar[Callable[[Sequence[object], Tensor], object]]  # the one at an index: where branches are known
    _rows_now: Rows | None = None  # what is asked most often asks this alone, which calls nothing
    _known: Fixed | None = None
    _withheld = 0  # how many elements stood in its own memory
    moves: Sequence[Moment] = ()  # when its elements have moved, or been exchanged
    additions: Sequence[Moment] = ()  # when it has become longer
    made_at: ListAt | None = None  # by which instruction of the program's
    made_of: Sequence[Any] = ()  # the lists of which it became a table
    _table: tuple[Sequence[object], Recorded[Rows] | None] = ([], None)

    @property
    def rows(self) -> Rows | None:
        rows = self._rows_now
        if rows is not None and not is_withheld(self, self._withheld):
            raise StagingError(
                f"<list of {', '.join(map(str, rows.kinds))}> was changed by a function that is not converted, which "
                "knows nothing of what a graph puts into lists. Use the methods of lists in a converted function."
            )
        return rows

    @rows.setter
    def rows(self, rows: Rows | None) -> None:
        if self._rows_now is None and rows is not None:
            self._withhold()
        self._rows_now = rows

    def _withhold(self) -> None:
        """Have what reads the list's own memory find nothing there, but as often as it found elements."""
        self._withheld = list.__len__(self)
        list.__setitem__(self, slice(None), withheld(self._withheld))

    @property
    def is_grown(self) -> bool:
        return self.rows is not None

    @property
    def content(self) -> Any:
        """What it holds now; the same object until that changes."""
        return self.listed

    @content.setter
    def content(self, content: Content | Seat) -> None:
        if isinstance(content, Seat):
            content.kind.take(self, content)  # type: ignore[attr-defined]
        elif isinstance(content, Rows):
            self.__class__ = TensorList
            self.rows = content
        else:
            self.__class__ = KnownList
            self.rows, self._known = None, content
            list.__setitem__(self, slice(None), content.elements)

    @property
    def listed(self) -> Content:
        """Its elements."""
        if self.rows is not None:
            return self.rows
        known = self._known
        if known is None or len(known.elements) != list.__len__(self) or not all(
            map(operator.is_, known.elements, list.__iter__(self))
        ):  # fmt: skip
            self._known = known = Fixed(list.__iter__(self))
        return known

    @property
    def version(self) -> object:
        """The same object until what it holds changes, in whichever list that is."""
        return self.content

    @classmethod
    def holding(cls, content: Content) -> TensorList:
        made = TensorList()
        made.content = content
        return made

    def hold(self, content: Content) -> None:
        """Have other elements from now on."""
        self.content = content

    def staged(self) -> Rows:
        """Its elements as rows from now on."""
        if not self.is_grown:
            self._become_rows(common(self.listed))
        rows = self.rows
        assert rows is not None
        return rows

    def _become_rows(self, types: tuple[object, list[ListType]]) -> None:
        rows = as_rows(self.listed, *types)
        if isinstance(rows.structure, Inner):
            self._become_table(rows)
        else:
            share(self.at_hand(), ELEMENT)  # of which the graph has copies now
            self.content = rows

    def _become_table(self, rows: Rows) -> None:
        """Have its lists be rows of the graph: each goes on as the one at its place."""
        elements = self.at_hand()
        if len({*map(id, elements)}) < len(elements):
            raise self._refused("has one list in several places, and a change of that would be one of each")
        others = [e for e in elements if not isinstance(e, TensorList)]
        if others and held_besides(others, self):
            raise self._refused("has a list that was made before, and is known by another name")
        if any(isinstance(e.content, Seat) for e in elements if isinstance(e, TensorList)):
            raise self._refused("has a row of another list of lists")
        copies = any(is_shared(e) is not None for e in elements)
        self.content, self.made_of = rows, elements
        for place, element in enumerate(elements):
            if isinstance(element, TensorList):
                self._seated(element, place)
        if copies:
            self.freeze()

    def _seated(self, element: object, index: object, from_front: bool = False) -> None:
        """Have a list that was put into a table be its row."""
        if isinstance(element, TensorList) and not isinstance(element.content, Seat):
            if is_shared(element) is not None:  # something else has a copy
                self.freeze()
            element.content = Seat(TensorList.row_kind, self, position(index), from_front)
        elif isinstance(element, TensorList) or held_besides([element], self):
            self._has_copy(element)

    def _has_copy(self, element: object) -> None:
        """Know that a list which was put into a table is known elsewhere, too."""
        self.freeze()
        if isinstance(element, TensorList) and isinstance(element.content, Seat):
            element.content.table.freeze()
        else:
            share(element, ELEMENT)

    exchange: ClassVar[Callable[[TensorList, object, object], None]]  # put another row into a table
    row_kind: ClassVar[type]  # the class of rows of tables

    def freeze(self) -> None:
        """Have no row of the table be changed from now on, as another list has it too."""
        if not self.is_grown and self.has_rows():
            self._become_rows(common(self.listed, table=True))
        rows = self.rows
        if rows is not None and isinstance(rows.structure, Inner) and not rows.structure.frozen:
            self.hold(Rows(rows.structure.with_(rows.structure.count, ELSEWHERE), rows.columns))

    def as_table(self) -> Rows:
        """Its elements, which are lists of numbers, as those of a table; it stays what it is."""
        rows = self.rows
        if rows is None:
            rows = self._rows_of_lists()
            if rows is None:
                raise StagingError(
                    "nothing tells what its elements are: it is a list of empty lists."
                    if self._is_empty_table()
                    else "a list of lists was changed since one of its lists was looked up. Look it up again."
                )
        return rows

    def _rows_of_lists(self) -> Rows | None:
        """Lists of numbers, all made while tracing and each in one place, as those of a table; None for others."""
        content, elements = self.listed, self.at_hand()
        if not elements or not all(type(e) in (KnownList, TensorList, list) for e in elements):
            return None
        held = [e.listed if isinstance(e, TensorList) else [*e] for e in elements]
        known, found = self._table
        if len(known) == len(held) and all(map(_is_same, known, held)):
            if found is None or found.holds():
                return None if found is None else found.made
        rows = None
        own = all(type(e) is not list or is_made_here(e) for e in elements)
        types = [*map(row_type, elements)] if own and len({*map(id, elements)}) == len(elements) else [None]
        objects_in = any(t is not None and t.has_objects() for t in types)
        # Of few lists of arrays the graph finds the very one, and its arrays; of many it finds a row.
        if None not in types and not (objects_in and len(elements) <= _FEW):
            try:
                structure, kinds = common(content, table=True)
            except StagingError:  # they are of different kinds, or all empty
                structure, kinds = None, []
            if isinstance(structure, Inner) and not _are_records(elements):
                rows = as_rows(content, structure, kinds, lasts=objects_in)
        self._table = held, None if rows is None else Recorded(rows)
        return rows

    kind = "list"  # what Python calls it where it has no element
    keeps = False  # is each list in it an object of the graph's?
    is_copy = False  # does it stand for a list of Python's own, for one who reads it?
    counts_from_front = False  # is it asked for no elements by negative indices?

    def has_rows(self) -> bool:
        """Whether the graph finds a row where it looks for an element, rather than one of several lists."""
        if self.is_grown:
            return self.is_table()
        if self.is_copy:
            return False
        elements = self.at_hand()
        if len(elements) <= _FEW:
            lengths = {0 if has_grown(e) else list.__len__(e) for e in elements if isinstance(e, list)}
            if len(lengths) == 1 and 0 < max(lengths) <= SHORT:
                return False
        return self._rows_of_lists() is not None or self._is_empty_table()

    def _is_empty_table(self) -> bool:
        """Whether it holds lists without elements alone, made here, into which the graph may put numbers."""
        elements = self.at_hand()
        if not elements or any(type(e) not in (KnownList, list) or list.__len__(e) for e in elements):
            return False
        return all(type(e) is not list or is_made_here(e) for e in elements)

    def lists(self) -> Sequence[Any]:
        """The lists that it has for elements, or those of which it became a table."""
        return self.made_of if self.is_grown else self.at_hand()

    def at_hand(self) -> Sequence[Any]:
        """Its elements where Python has them; none where the graph does."""
        content = self.listed
        return content.elements if isinstance(content, Fixed) else ()

    def arrayed(self, result: object, given: Sequence[object] = (), made: Owner | None = None) -> object:
        """What was made of it: an array of NumPy's but where it holds tensors."""
        rows = self.rows
        return result if rows is not None and Owner.TENSOR in rows.owners else arrayed(result, given or (self,), made)

    def is_of_numbers(self) -> bool:
        """Whether an array of its elements has one axis."""
        rows = self.rows
        return rows is not None and type(rows.structure) is Column and rows.kinds[0].shape == ()

    def is_table(self) -> bool:
        """Whether it is a list of lists that the graph changes."""
        rows = self.rows
        return rows is not None and isinstance(rows.structure, Inner)

    def _refused(self, why: str) -> StagingError:
        return StagingError(
            f"{called(self, 'a list of lists')} is changed at an index that only the graph knows, and {why}. "
            "Make it a NumPy array, or make the "
            "lists anew before ([row[:] for row in rows])."
        )

    def stacked(self, exact: bool = False) -> object:
        """Its elements as one tensor; Python's numbers keep their 64 bits if it is to be `exact`."""
        rows = self.staged()
        return self._stacked(rows.structure, rows, exact)

    def _stacked(self, structure: object, rows: Rows, exact: bool) -> Tensor:
        if isinstance(structure, Maybe) and type(structure.there) is Column and type(structure.value) is Column:
            there = self._as_one(lists.stack, rows, structure.there)
            all_there = apply(reduce.reduce_all, there, axis=None, keepdims=False)
            refuse_where(apply(ew.logical_not, all_there), functools.partial(_refuse_none, called(self, "a list")))
            return self._stacked(structure.value, rows, exact)
        if may_be_missing(structure):
            raise StagingError(f"{called(self, 'a list')} holds None, and becomes no array. {NOT_NONE}")
        if isinstance(structure, list | tuple) and structure:  # pairs, for example, are rows of two
            parts = [self._stacked(part, rows, exact) for part in structure]
            kind = as_dtype(np.result_type(*(part.dtype.dtype for part in parts)))
            made: Tensor = apply(shape_ops.stack, *(cast(part, kind) for part in parts), axis=1)
            return made
        if not isinstance(structure, int):
            raise TypeError(f"a list whose elements are a {type(structure).__name__} each becomes no array: {self}")
        if isinstance(structure, Inner) and not structure.is_of_one_part():
            raise StagingError("a list of lists of tuples that the graph changes becomes no array.")
        return self._as_one(lists.stack, rows, structure, exact)

    def _as_one(self, op: Op, rows: Rows, number: int, exact: bool = False) -> Tensor:
        """A column of elements as one tensor."""
        column = rows.columns[number]
        kind = column.type
        if kind.weak and not exact:
            column = as_column(column, ListType(strong_dtype(kind), kind.shape))
            kind = column.type
        shape = None if kind.shape is None else tuple(kind.shape)
        return apply(op, column, shape=shape, dtype=kind.dtype)  # type: ignore[no-any-return]

    def concatenated(self) -> Tensor | None:
        """Its elements one behind the other along their first axis, in which alone their shapes may differ; None where
        they are of one shape, or no arrays."""
        rows = self.staged()
        if not isinstance(rows.structure, int):
            return None
        shape = rows.columns[rows.structure].type.shape
        if not shape or isinstance(shape[0], int):
            return None
        return self._as_one(lists.concat, rows, rows.structure)

    # What changes it.

    def append(self, value: object) -> None:
        value = TensorList.given(value)
        if self._rows_now is None:
            list.append(self, value)
            return
        rows = self.staged()
        end = rows.count() if self.is_table() else None
        self.rows = appended(rows, value)
        self._took(value, end, from_front=True)

    def append_row(self, value: TensorList) -> None:
        """Have a list be a row of it, which is a table from then on."""
        rows = self.rows
        if rows is None:
            list.append(self, value)
            self._become_rows(common(self.listed, table=True))
        else:
            self.rows = appended(rows, value)
            self._took(value, rows.count(), from_front=True)

    def _took(self, value: object, at: object = None, from_front: bool = False) -> None:
        """Know that a table has been given a row, and where it is, if that is known."""
        if not self.is_table():
            return
        self.additions = (*self.additions, Moment())
        if at is not None:
            self._seated(value, at, from_front)
        elif isinstance(value, TensorList) or held_besides([value], self):
            self._has_copy(value)

    def extend(self, values: Iterable[object]) -> None:
        if not isinstance(values, list | SymbolicTensor) and _are_graphs(values):
            values = call(list, values)  # only the graph may know how many there are
        if isinstance(values, TensorList) and values.is_grown:
            copied()
            values.freeze()
            given = values.staged()
            structure, kinds = common(self.listed, given)
            mine, more = as_rows(self.listed, structure, kinds), as_rows(given, structure, kinds)
            pairs = zip(mine.columns, more.columns)
            self.hold(Rows(structure, [apply_to_list(lists.extend, a, b) for a, b in pairs]))
            self.additions = (*self.additions, Moment())
            if values.is_table():
                self.freeze()
        elif not self.is_grown and not isinstance(values, SymbolicTensor):
            found = [*values] if isinstance(values, list) else values  # which it may be itself
            list.extend(self, map(TensorList.given, found))
        elif isinstance(values, SymbolicTensor) and not isinstance((values.type.shape or (None,))[0], int):
            self.extend(list_of_rows(values))
        else:
            for value in values:
                self.append(value)

    def __iadd__(self, values: list[object]) -> TensorList:  # type: ignore[override,misc]
        if is_a(values, (Tensor, np.ndarray, np.generic)) and not is_a(values, Range):
            return NotImplemented  # of arrays and numbers a sum is made
        self.extend(values)
        return self

    def insert(self, index: Any, value: object) -> None:
        value = TensorList.given(value)
        if not self.is_grown and not isinstance(index, SymbolicTensor):
            list.insert(self, index, value)
        else:
            rows, at = self.staged(), position(index)
            place = inserted_at(rows, at) if self.is_table() else None
            self.rows = rows.changed(lists.insert, value, at)
            self.has_moved()
            self._took(value, place, from_front=True)

    def pop(self, index: Any = -1) -> object:
        if self._rows_now is None and type(index) is int:
            return list.pop(self, index)
        if not self.is_grown and not isinstance(index, SymbolicTensor):
            return list.pop(self, index)
        self._in_some_place(index, list.pop)
        indexed(self._misses(index), depth=0, what="pop", words=self._pops)
        return self._taken_out(index)

    def _pops(self) -> object:
        """What it says where there is nothing to pop."""
        length = self.known_length()
        count = self._rows().count() if length is None else operand(length)
        return number(where(equals(count, 0), "pop from empty list", "pop index out of range"))

    def _taken_out(self, index: Any) -> object:
        rows = self.staged()
        parts = [apply(lists.popped, column, position(index)) for column in rows.columns]
        self.has_moved()
        if isinstance(rows.structure, Inner):
            self.rows = rows.reduced(lists.remove, position(index))
            row = TensorList.holding(rows.alone(*parts))
            if rows.structure.why_frozen():
                share(row, ELEMENT)
            return row
        found = Rows.found(rows.rebuilt(parts, owned))
        for leaf in nest.flatten(found):
            if isinstance(leaf, Array):
                given_away(leaf)
        if may_be_another(found):
            share(found, ELEMENT)
        self.rows = rows.reduced(lists.remove, position(index))
        return found

    def has_moved(self) -> None:
        """Know that its elements are not where they were."""
        self.moves = (*self.moves, Moment())

    def clear(self) -> None:
        if self.is_grown:
            self.has_moved()
        self.rows = None
        list.clear(self)

    def reverse(self) -> None:
        if not self.is_grown:
            list.reverse(self)
        else:
            self.has_moved()
            self.rows = self.staged().reduced(lists.part, operand(-1), given=(False, False, True))

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        elements = [*list.__iter__(self)]
        if key is not None or self.is_grown or staged_within(elements) or any(map(orders_staged, elements)):
            self.has_moved()
            self.hold(TensorList.ordered(self.listed, key, bool(reverse), self))
        else:
            list.sort(self, reverse=reverse)

    def remove(self, value: object) -> None:
        if self._has_staged(value):
            self.pop(defined(definitions.index_)(self, value, "list.remove(x): x not in list"))
        else:
            self._ordinary("searched")
            list.remove(self, value)

    def __setitem__(self, index: Any, value: object) -> None:
        value = value if isinstance(index, slice) else TensorList.given(value)
        if type(index) is int and self._rows_now is None and type(value) is not TensorList.row_kind:
            list.__setitem__(self, index, value)
            return
        if type(value) is TensorList.row_kind and value.content.table is self and not self.is_grown:  # type: ignore[attr-defined]
            self._become_rows(common(self.listed, table=True))
        known = self._is_plain(index)
        if isinstance(index, slice):
            value = contents(value)
        if isinstance(index, slice) and (not known or _are_graphs(value)):
            self._replace(index, value)
        elif known:
            list.__setitem__(self, index, value)
        else:
            self._in_some_place(index, list.__setitem__, value)
            indexed(self._misses(index), depth=0, what="list assignment")
            elements = self.at_hand()
            check_there(elements)
            with before_update(value, places_of(elements)):
                rows = self.staged()
            if self.is_table() or self.has_rows():
                TensorList.exchange(self, index, value)
            else:
                self.rows = rows.changed(lists.set_item, value, position(index))

    def __delitem__(self, index: Any) -> None:
        if self._is_plain(index):
            list.__delitem__(self, index)
        elif isinstance(index, slice):
            self._replace(index, ())
        else:
            self._in_some_place(index, list.__delitem__)
            indexed(self._misses(index), depth=0, what="list assignment")
            self._taken_out(index)

    def _is_plain(self, index: object) -> bool:
        """Whether the elements at an index, or slice, are known while tracing."""
        parts = (index.start, index.stop, index.step) if isinstance(index, slice) else (index,)
        return not self.is_grown and not any(isinstance(p, SymbolicTensor) for p in parts)

    def _replace(self, index: slice, values: object) -> None:
        """Put values where a slice of the elements is."""
        start, stop = index.start, index.stop
        if self._is_plain(index):
            start, stop, _ = index.indices(list.__len__(self))
        if index.step not in (None, 1):
            raise OperatorNotAllowedInGraphError(
                f"{self!r}: how many elements it has, or where the slice ends, is known only when the graph runs, so "
                "that no slice with a step can be exchanged. Assign its elements one by one."
            )
        if all(isinstance(n, int) and n >= 0 for n in (start, stop)):
            stop = max(start, stop)
        elif start is not None and stop is not None:  # what ends before it starts is where it starts
            rows = self._rows()
            stop = apply(ew.maximum, *(inserted_at(rows, position(n)) for n in (start, stop)))
        made = self._part(slice(0) if start is None else slice(start))
        rest = self._part(slice(0) if stop is None else slice(stop, None))
        made.extend(values)  # type: ignore[arg-type]
        made.extend(rest)
        self.has_moved()
        self.hold(made.listed)

    # What reads it.

    @property
    def __array__(self) -> object:  # NumPy takes a list as it is, if it has none
        if not self.is_grown:
            raise AttributeError("__array__")
        return self._no_array

    def __array_function__(
        self, function: Callable[..., object], types: object, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        return self._numpys(function, args, kwargs, lambda given: Meaning.function(function, args, given))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **kwargs: object) -> object:
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return self._numpys(function, inputs, kwargs, lambda given: Meaning.ufunc(ufunc, method, inputs, given))

    def _numpys(
        self,
        function: Callable[..., object],
        args: Sequence[object],
        kwargs: Mapping[str, object],
        staged: Callable[[object], object],
    ) -> object:
        """What a function of NumPy's makes of lists: NumPy does it where they hold nothing of the graph."""
        if not any(isinstance(v, Tensor) or has_grown(v) for v in nest.flatten([_plain(args), _plain(kwargs)])):
            return function(*_plain(args), **_plain(kwargs))
        given = dict(kwargs)
        out = given.pop("out", None)
        made = made_without_axes(function, args)
        return stored(function, self.arrayed(staged(given), args, made), out)

    def _no_array(self, *_: object, **__: object) -> object:
        raise NoValueYetError(
            f"{self!r} cannot become a NumPy array here: how many elements it has is known only when the graph runs. "
            "Make it a tensor (runtime.stack)."
        )

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and self._rows_now is None:
            return list.__getitem__(self, index)
        if isinstance(index, slice):
            if self.is_grown:
                self.freeze()
            return self._part(index)
        if self._is_plain(index):
            return list.__getitem__(self, index)
        self._in_some_place(index, list.__getitem__)
        indexed(self._misses(index))
        return self.element(index)

    def _in_some_place(self, index: object, operation: Callable[..., object], *given: object) -> None:
        """Have Python raise what there is to raise for any index where there are no elements."""
        if not self.is_grown and not list.__len__(self):
            position(index)
            operation(self, 0, *given)

    def _misses(self, index: object) -> Callable[[], Tensor]:
        """What makes the test whether there is no element at an index."""

        def test() -> Tensor:
            length = self.known_length()
            return outside(position(index), self._rows().count() if length is None else length)

        return test

    def _part(self, index: slice) -> TensorList:
        """The elements in a slice, in a list of their own."""
        if self._is_plain(index):
            return KnownList(list.__getitem__(self, index))
        bounds = (index.start, index.stop, index.step)
        copied()
        given = [operand(b) for b in bounds if b is not None]
        present = tuple(b is not None for b in bounds)
        return TensorList.holding(self._rows().reduced(lists.part, *given, given=present))

    def element(self, index: Any) -> Any:
        """The element at an index that only the graph knows."""
        content = self.listed
        if self.has_rows():
            return TensorList.row_at(self, index)
        if isinstance(content, Rows):
            return content.element(index)
        if are_chosen(content.elements):
            return TensorList.chosen(content.elements, position(index))
        return one_of(content, self._rows().element(index, self.kind))

    def _rows(self) -> Rows:
        return self.staged() if self.is_grown else as_rows(self.listed, *common(self.listed), lasts=False)

    def copy(self) -> TensorList:
        if self.is_grown:
            copied()
            self.freeze()
        return TensorList.holding(self.listed)

    def __add__(self, other: object) -> TensorList:  # type: ignore[override]
        if not isinstance(other, list):
            return NotImplemented
        made = self.copy()
        made.extend(other)
        return made

    def __radd__(self, other: Any) -> list[Any]:
        if type(other) is list and self.known_length() is not None and is_augmented(sys._getframe(1)):
            other.extend(self)  # Python asks the right side of `a += b` first, as of a sum
            return other
        made = KnownList(other)
        made.extend(self)
        return made

    def __mul__(self, count: Any) -> TensorList:  # type: ignore[override]
        if isinstance(count, Tensor):
            return NotImplemented  # it knows
        if self.is_grown:
            made = self[:0]
            for _ in range(count):
                made.extend(self)
            return made  # type: ignore[no-any-return]
        return KnownList(list.__mul__(self, count))

    __rmul__ = __mul__  # type: ignore[assignment]

    def __imul__(self, count: object) -> object:  # type: ignore[override,misc]
        made = self * count
        if not isinstance(made, TensorList):
            return made  # a tensor, of each element times the number
        self.hold(made.listed)
        return self

    def known_length(self) -> int | None:
        rows = self._rows_now
        return list.__len__(self) if rows is None else rows.known_count()

    def __len__(self) -> int:
        length = self.known_length()
        if length is None:
            self._ordinary("counted by len()")
        return length  # type: ignore[return-value]

    def __bool__(self) -> bool:
        length = self.known_length()
        if length is None:
            self._ordinary("asked for its truth")
        return bool(length)

    def __iter__(self) -> Iterator[object]:
        if self._rows_now is not None:
            length = self.known_length()
            if length is not None:
                return map(self.element, range(length))
            if sys._getframe(1).f_code.co_filename.startswith(_NUMPY):
                return iter((self,))  # it looks for one that speaks its protocols
            self._ordinary("iterated over")
        return list.__iter__(self) if current() is None else Elements(self)

    def __reversed__(self) -> Iterator[object]:
        self._ordinary("iterated over")
        return list.__reversed__(self) if current() is None else ElementsBackwards(self)

    def __contains__(self, value: object) -> bool:
        self._ordinary("searched")
        return list.__contains__(self, value)

    def index(self, value: object, *bounds: Any) -> Any:
        if not self._has_staged(value, *bounds):
            return list.index(self, value, *bounds)
        return defined(definitions.index_between if bounds else definitions.index_)(self, value, *bounds)

    def count(self, value: object) -> Any:
        return defined(definitions.count_)(self, value) if self._has_staged(value) else list.count(self, value)

    def _has_staged(self, *given: object) -> bool:
        return self.is_grown or may_ask((*given, *list.__iter__(self)))

    def __eq__(self, other: object) -> Any:
        if other is self:
            return True
        if not isinstance(other, list):
            return list.__eq__(self, other)
        return self._compared(other, equal, definitions.equal_lists)

    def _compared(self, other: list[Any], known: Callable[..., object], asked: Any, *options: object) -> Any:
        """What `known` says of the elements of two lists whose lengths are known, or what is `asked` of others."""
        lengths = [v.known_length() if isinstance(v, TensorList) else len(v) for v in (self, other)]
        if None not in lengths:
            return known([*self], [*other])
        return defined(asked)(self, other if isinstance(other, TensorList) else KnownList(other), *options)

    def _ordered(self, other: object, compare: Callable[[Any, Any], object]) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        known = functools.partial(ordered, compare)
        return self._compared(other, known, definitions.ordered_lists, known)

    def __lt__(self, other: object) -> Any:
        return self._ordered(other, operator.lt)

    def __le__(self, other: object) -> Any:
        return self._ordered(other, operator.le)

    def __gt__(self, other: object) -> Any:
        return self._ordered(other, operator.gt)

    def __ge__(self, other: object) -> Any:
        return self._ordered(other, operator.ge)

    def __ne__(self, other: object) -> Any:
        same = self == other
        return not_(same)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> TensorList:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> object:
        if self.is_grown:  # whose elements never change
            copied()
            return TensorList.holding(self.listed)
        parts = [copy.deepcopy(part, memo) for part in self]
        return parts if current() is None else KnownList(parts)

    def __reduce__(self) -> str | tuple[object, ...]:
        return list, ([*self],)

    def __repr__(self) -> str:
        if not self.is_grown:
            return list.__repr__(self)
        return marked(self, "!r", sys._getframe(1)) or f"<list of {', '.join(map(str, self.staged().kinds))}>"

    def _ordinary(self, wanted: str) -> None:
        if self.is_grown:
            raise OperatorNotAllowedInGraphError(
                f"{self!r} cannot be {wanted} here: how many elements it has is known only when the graph runs. Use "
                "len(), indices, or `for` in a converted function, or stack it (runtime.stack)."
            )


class KnownList(TensorList):
    """A list made while tracing of which everything is known.

    It has the very methods of the others: who holds one goes on with it when the graph has made the list longer.
    """


def _refuse_none(name: str) -> None:
    raise InvalidArgumentError(f"{name} holds None, as only the graph finds, and becomes no array. {NOT_NONE}")


def unless_some_empty(
    function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object], made: Callable[[], object]
) -> object:  # fmt: skip
    """What a function of NumPy's makes of what it is given, as lists in it hold something; or with those that the graph
    finds empty as lists without elements."""
    given = (*args, *kwargs.values())
    parts = [one for part in given for one in (part if _is_open(part) else (part,))]  # type: ignore[attr-defined]
    grown = {id(one): one for one in parts if isinstance(one, TensorList) and one.is_grown}
    for one in grown.values():
        made = _unless_empty(one, function, args, kwargs, made)
    return made()


def _is_open(value: object) -> bool:
    """Whether it is a list or tuple of which Python knows the elements."""
    return isinstance(value, list | tuple) and not has_grown(value) and not hasattr(value, "_fields")


def _unless_empty(
    values: TensorList, function: Any, args: Sequence[object], kwargs: Mapping[str, object], made: Callable[[], object]
) -> Callable[[], object]:  # fmt: skip
    def put(value: Any) -> Any:
        if value is values:
            return []
        return [*map(put, value)] if _is_open(value) else value

    def of_nothing() -> object:
        return call(function, *map(put, args), **{name: put(part) for name, part in kwargs.items()})

    owner = made_without_axes(function, args)
    return lambda: unless_empty(values, lambda: values.arrayed(made(), args, owner), of_nothing)


Rows.as_list = TensorList.holding
_FEW = 16  # elements of which the graph finds the very one, whoever changes it; of more it finds what one holds


def are_chosen(elements: Sequence[object]) -> bool:
    """Whether the graph finds the very one of these, as the program that is traced may change them."""
    return len(elements) <= _FEW and any(True for one in objects((*elements,)) if not _is_kept(*one))


def _is_kept(one: object) -> bool:
    return isinstance(one, TensorList) and one.is_kept


def _are_records(elements: Sequence[Any]) -> bool:
    """Whether these are short lists of an int and a float, or the like, which have to stay what they are."""
    if any(has_grown(e) or list.__len__(e) > SHORT for e in elements):
        return False
    numbers = [leaf_type(leaf) for e in elements for leaf in nest.flatten([*list.__iter__(e)])]
    return len({kind.dtype for kind in numbers if kind is not None}) > 1


def _is_same(known: Any, now: Any) -> bool:
    """Whether a list holds what it did: the same content, or the same elements of one of Python's own."""
    if type(now) is not list or type(known) is not list:
        return known is now
    return len(known) == len(now) and all(map(operator.is_, known, now))


def _are_graphs(values: object) -> bool:
    """Whether the graph has the items of something that is put into a list, and may alone know how many there are."""
    return has_grown(values) if isinstance(values, list) else are_staged(values)


def may_be_kept(value: object) -> bool:
    """Whether a list might be an object of the graph's from the instruction on that has made it; it is known then that
    this was wanted."""
    if not isinstance(value, TensorList) or value.made_at is None or Way.LISTS not in ways.taken:
        return False
    return not ways.takes(Handled(list, ("items",), value.made_at))


def growing(value: object) -> object:
    """A structure with lists in it that staged statements can change."""
    if type(value) is list:
        return KnownList(growing(part) for part in value)
    if type(value) in (tuple, dict):
        return nest.of_kind(value, [growing(part) for part in nest.parts(value)])
    return value


def list_of_rows(values: object) -> TensorList:
    """The rows of a tensor as a list."""
    tensor = operand(values)
    numbers = isinstance(values, FromNumpy) and tensor.shape.rank == 1
    owner = Owner.ARRAY if isinstance(values, Array) else Owner.TENSOR
    if isinstance(values, Range):
        owner, tensor = Owner.PYTHON, cast(tensor, int64)
    elif numbers:
        owner = Owner.NUMPY
    elif isinstance(values, Array):  # whose rows are views of it in Python
        values.place.held = values.place.held or "the array whose rows are elements of a list"
        note_element(values.place)
    column = apply_to_list(lists.from_tensor, tensor, weak=owner is Owner.PYTHON)
    return TensorList.holding(Rows(Column(0, owner), [column]))
