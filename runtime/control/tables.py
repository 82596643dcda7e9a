"""Tables: lists of lists of numbers or arrays, in which the graph finds rows, and writes into them.

While nothing is written at an index that only the graph knows, a table is a list of lists as any other. Then its rows
become one column of the graph, and whatever list stands for a row looks at that, and writes there.
"""

from __future__ import annotations

import copy
import weakref
from typing import Any, cast as as_type

from autograph import StagingError
from autograph.dispatch import register_view
from runtime.control.lists import KnownList, Recorded, TensorList
from runtime.control.rows import Content, Fixed, Inner, Rows, are_of_row, common, note_in_rows, position, row_type
from runtime.control.shared import Seat, called, is_shared, note_lists
from runtime.graph.dtypes import int64
from runtime.ops import elementwise as ew, lists
from runtime.tensors.clauses import indexed
from runtime.tensors.conversion import operand
from runtime.tensors.growing import withheld
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, current

import numpy as np  # isort: skip


class RowList(TensorList):
    """A list that is the row of a table at an index, whichever that is: it reads and writes the table."""

    _rows_now = as_type(Rows, ())  # it is never one whose elements Python has
    _seat: Seat
    _read: tuple[Rows, Recorded[Rows]] | None = None
    made_in: Trace | None = None  # in which trace it was made to stand for a row; None if it was a list before

    @classmethod
    def at(cls, table: TensorList, index: Tensor) -> RowList:
        made = cls()
        cls.take(made, Seat(cls, table, index))
        made.made_in = current()
        return made

    @staticmethod
    def take(value: TensorList, seat: Seat) -> None:
        """Have a list be a row of a table from now on."""
        hidden = value._withheld if value.is_grown else list.__len__(value)
        made_at = value.made_at
        value.__class__ = RowList
        value.__dict__.clear()
        value.__dict__.update(_seat=seat, _withheld=hidden, made_at=made_at)
        list.__setitem__(value, slice(None), withheld(hidden))

    @property
    def content(self) -> Any:
        return self._seat

    @content.setter
    def content(self, content: Content | Seat) -> None:
        made_at = self.made_at
        self.__dict__.clear()
        self.made_at = made_at
        TensorList.content.fset(self, content)  # type: ignore[attr-defined]

    @property
    def version(self) -> object:
        return self._whole()

    @property
    def is_kept(self) -> bool:
        return bool(self._seat.table.keeps)

    @property
    def is_grown(self) -> bool:
        return True

    @property
    def listed(self) -> Content:
        return self.rows

    # The table.

    @property
    def table(self) -> TensorList:
        """The list that it is an element of, as long as it is."""
        table: TensorList = self._seat.table
        if not self._seat.stands():
            note_lists()  # in which it is a list of its own, wherever it stands
            raise StagingError(
                f"{called(self, 'a list')} was an element of {called(table, 'a list')}, "
                "whose elements have been moved or exchanged since: it is not known "
                "which of them it is now. Look it up again (row = rows[i]), or make it a copy before (row[:])."
            )
        return table

    def _whole(self) -> Rows:
        return self.table.as_table()

    def _written(self, *evidence: object) -> Rows:
        """The table, for one who changes it."""
        table = self.table
        if not table.is_table():
            empty = not any(map(list.__len__, table.at_hand()))
            more = [Fixed([[*evidence]])] if empty and evidence else []
            table._become_rows(common(table.listed, *more, table=True))
        rows = table.rows
        assert rows is not None and isinstance(rows.structure, Inner)
        if why := rows.structure.why_frozen():
            raise StagingError(
                f"a row of {called(table, 'a list of lists')} is changed, and {why}. "
                "Make the rows anew where the list is copied ([row[:] for row in rows])."
            )
        return rows

    @property
    def rows(self) -> Rows:
        whole, read = self._whole(), self._read
        if read is None or read[0] is not whole or not read[1].holds():
            self._read = read = whole, Recorded(whole.row(self._seat.index))
        return read[1].made

    @rows.setter
    def rows(self, rows: Rows | None) -> None:
        if rows is None or not are_of_row(rows):
            raise StagingError(
                "a row of a list of lists that the graph changes holds numbers, arrays of one shape, or tuples of "
                "them, and it gets something else."
            )
        whole = self._written()
        self.table.hold(whole.changed(lists.set_item, TensorList.holding(rows), self._seat.index))

    def hold(self, content: Content) -> None:
        if isinstance(content, Rows):
            self.rows = content
        else:
            whole = self._written(*content.elements)
            self.table.hold(whole.changed(lists.set_item, [*content.elements], self._seat.index))

    def known_length(self) -> int | None:
        kind = self._whole().kinds[0]
        return kind.shape[0] if kind.shape and isinstance(kind.shape[0], int) else None

    # What is different of a row.

    def append(self, value: object) -> None:
        value = TensorList.given(value)
        if row_type([value]) is None:
            note_in_rows(value)
            raise StagingError(
                "a list of lists that the graph changes has lists of numbers, of arrays of one shape, or of tuples of "
                "them, and something else is appended to one of them. Keep what belongs together in tuples, or in "
                "lists of lists of its own."
            )
        self._written(value)
        super().append(value)

    def element(self, index: object) -> object:
        return self._whole().cell(self._seat.index, index)

    def __setitem__(self, index: Any, value: object) -> None:
        if isinstance(index, slice):
            super().__setitem__(index, value)
            return
        value = TensorList.given(value)
        self._written(value)
        indexed(self._misses(index), depth=0, what="list assignment")
        self.table.hold(self._written().with_cell(self._seat.index, index, value))

    def clear(self) -> None:
        self[:] = []

    def __deepcopy__(self, memo: dict[int, object]) -> object:
        return row_at(copy.deepcopy(self.table, memo), self._seat.index)


def row_at(table: TensorList, index: object) -> RowList:
    """The row at an index: the same list as long as it is looked up by the same."""
    at = position(index)
    made = _known(table, index, at)
    if made is None:
        made = RowList.at(table, at)
        table.__dict__.setdefault("views", {})[_key(index, at)] = weakref.ref(made)
    return made


def _key(index: object, at: Tensor) -> object:
    return index if isinstance(index, int) else id(at.value) if isinstance(at, SymbolicTensor) else id(at)


def _known(table: TensorList, index: object, at: Tensor) -> RowList | None:
    """The list that has been looked up by an index, if it still is the row there."""
    link = table.__dict__.get("views", {}).get(_key(index, at))
    row = link() if link is not None else None
    if not isinstance(row, RowList) or row._seat.table is not table or not row._seat.stands():
        return None
    return row if is_same_index(row._seat.index, at) else None


def exchange(table: TensorList, index: object, value: object) -> None:
    """``rows[index] = value``: the list that was there is no row any more, if it is known."""
    at, rows = position(index), table.staged()
    before = _known(table, index, at)
    if before is value and value is not None:
        return
    here, structure = current(), rows.structure
    assert isinstance(structure, Inner)
    ends = structure.twice is not None and is_same_index(structure.twice, at)
    frozen = structure.frozen if ends else structure.why_frozen()
    if before is not None and before.made_in is here:
        before.content = rows.row(at)
    seat = value._seat if isinstance(value, RowList) else None
    changed = rows.changed(lists.set_item, value, at)
    moved = seat is not None and seat.table is table and isinstance(value, RowList) and value.made_in is here
    # Until another is put there: rows are exchanged like that.
    now = changed.structure
    assert isinstance(now, Inner)
    made = Inner(now.record, frozen, structure.count, seat.index if moved and seat is not None else None)
    table.hold(Rows(made, changed.columns))
    table.has_moved()
    if moved and isinstance(value, RowList):
        RowList.take(value, Seat(RowList, table, at))
        value.made_in = here
    else:
        table._took(value, index)


def is_same_index(index: Tensor, other: Tensor) -> bool:
    """Whether two indices are surely one."""
    if isinstance(index, EagerTensor) and isinstance(other, EagerTensor):
        return bool(index.array == other.array)
    return isinstance(index, SymbolicTensor) and isinstance(other, SymbolicTensor) and index.value is other.value


def taken_apart(table: TensorList) -> None:
    """Have a table that a function was given be a list again of the lists that it was made of, which hold its rows."""
    elements = [e if isinstance(e, TensorList) else KnownList(e) for e in table.made_of]
    if table.moves or table.additions or table.known_length() != len(elements):
        raise StagingError(
            "a list of lists that the function was given has lists put in, exchanged or taken away in the graph "
            "alone, and it is not known which lists the caller has there. Change the numbers (rows[i][:] = row), or "
            "return a new list."
        )
    rows = table.as_table()
    for at, element in enumerate(elements):
        place = EagerTensor(np.asarray(at, np.int64))
        element.content = rows.row(place)
    table.content = Fixed(elements)


def same_row(value: object, other: object) -> object:
    """``value is other``, of two lists one of which is the row of a table."""
    if value is other:
        return True
    row = value if isinstance(value, RowList) else other
    assert isinstance(row, RowList)
    table = row.table
    places = [place_in(table, one) for one in (value, other)]
    if None in places:
        if all(map(_may_be_elsewhere, (value, other))):
            note_lists()
            raise StagingError(
                f"whether a row of {called(table, 'a list of lists')} is another list is not known: it may be in "
                "several lists. Keep in a variable of its own which it is."
            )
        return False
    count = table.as_table().count()
    first, second = (_from_front(operand(place), count) for place in places)
    return number(apply(ew.equal, first, second))


def _may_be_elsewhere(value: object) -> bool:
    """Whether a list may be known by the name of another, of which only the graph knows."""
    if isinstance(value, RowList):
        return bool(value.table.as_table().structure.why_frozen())  # type: ignore[attr-defined]
    return is_shared(value) is not None


def _from_front(index: Tensor, count: Tensor) -> Tensor:
    index = apply(ew.cast, index, dtype=int64)
    return apply(ew.where, apply(ew.less, index, EagerTensor(np.asarray(0, np.int64))), index + count, index)


def place_in(table: TensorList, value: object) -> object:
    """The index of a list among those of a table; None if it is not known to be one of them."""
    if isinstance(value, RowList):
        return value._seat.index if value.table is table else None
    return next((at for at, element in enumerate(table.at_hand()) if element is value), None)


TensorList.row_at, TensorList.exchange = staticmethod(row_at), staticmethod(exchange)
TensorList.row_kind = RowList
register_view(RowList, lambda row: (row._seat.table,))
