"""Rows of any length as machine code keeps them: the cells of all one after the other, and the place of each row.

A place is three numbers: where the row begins, its length and one (0 says that nobody has written it), and how many
cells it has room for. Rows never overlap; what is between them has any contents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsInt, cast

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray, bool_, int64
from runtime.graph.errors import InvalidArgumentError, OutOfBoundsError
from runtime.graph.graph import ListType, TensorType
from runtime.graph.op import kernel, op
from runtime.graph.shapes import Dims
from runtime.ops.lists import parts, position, unwritten

Places = list[Any]  # arrays of three numbers; None as nobody wrote it
Cells = list[Any]

PLACES = ListType(int64, (3,))


def of_cells(rows: ListType | TensorType) -> ListType:
    """The type of the cells of a list of rows, or of the rows of an array."""
    shape = rows.shape if isinstance(rows, ListType) else (rows.shape or ())[1:]
    return ListType(rows.dtype, None if shape is None else shape[1:], rows.weak)


def _place(start: int, length: int, room: int) -> NumPyArray:
    return np.array([start, length + 1, room], np.int64)


def _both(_: ListType, cells: ListType, *__: object, **___: object) -> tuple[ListType, ListType]:
    return PLACES, cells


def _of(rows: ListType | TensorType) -> tuple[ListType, ListType]:
    return PLACES, of_cells(rows)


@kernel
def rows_of(rows: Sequence[Any]) -> tuple[Places, Cells]:
    places, cells = Places(), Cells()
    for row in rows:
        places.append(None if row is None else _place(len(cells), len(row), len(row)))
        cells.extend([] if row is None else row)
    return places, cells


of = op("rows_of", _of, "rows_of({0})")  # a list whose elements have one length, or an array


def _even(_: ListType, cells: ListType, **__: object) -> ListType:
    return ListType(cells.dtype, (None, *(cells.shape or ())), cells.weak)


@kernel
def rows_even(places: Places, cells: Cells, shape: Dims, dtype: type) -> list[object]:
    rows = [_row(places, cells, at, shape, dtype) for at in range(len(places))]
    if len({len(row) for row in rows}) > 1:
        raise InvalidArgumentError(f"rows of lengths {', '.join(str(len(r)) for r in rows)} make no array")
    return [*rows]


even = op("rows_even", _even, "rows_even({0}, {1}, {shape}, {dtype})")  # as a list of elements of one length


def _row(places: Places, cells: Cells, at: int, shape: Dims, dtype: type) -> NumPyArray:
    if not _is_there(places[at]):
        raise OutOfBoundsError(f"nobody wrote the row {at}")
    start, size, _ = places[at].tolist()
    return np.array(cells[start : start + size - 1], dtype).reshape(size - 1, *cast("tuple[int, ...]", shape or ()))


@kernel
def rows_item(places: Places, cells: Cells, index: SupportsInt, what: str, shape: Dims, dtype: type) -> NumPyArray:
    return _row(places, cells, position(len(places), index, what), shape, dtype)


def _item(_: ListType, cells: ListType, *__: object, **___: object) -> TensorType:
    return TensorType(cells.dtype, (None, *(cells.shape or ())))


item = op("rows_item", _item, "rows_item({0}, {1}, {2}, {what}, {shape}, {dtype})")


@kernel
def rows_cell(places: Places, cells: Cells, index: SupportsInt, place: SupportsInt) -> object:
    start, size, _ = places[position(len(places), index, "list")].tolist()
    return cells[start + position(size - 1, place, "list")]


def _cell(_: ListType, cells: ListType, *__: TensorType) -> TensorType:
    return TensorType(cells.dtype, cells.shape, cells.weak)


cell = op("rows_cell", _cell, "rows_cell({0}, {1}, {2}, {3})")


def _is_written(*_: ListType | TensorType) -> TensorType:
    return TensorType(bool_, ())


@kernel
def rows_is_written(places: Places, index: SupportsInt) -> np.bool_:
    return np.bool_(_is_there(places[position(len(places), index, "read")]))


is_written = op("rows_is_written", _is_written, "rows_is_written({0}, {1})")


def _is_there(place: NumPyArray | None) -> bool:
    return place is not None and bool(place[1])


def _first_length(_: ListType, **__: object) -> TensorType:
    return TensorType(int64, ())


@kernel
def rows_first_length(places: Places, otherwise: int) -> np.int64:
    length = next((int(place[1]) - 1 for place in places if _is_there(place)), otherwise)
    if length < 0:
        raise unwritten((None,))
    return np.int64(length)


# How long the first row is that somebody wrote; a row that nobody wrote is zeros, and as long. Where there is none, it
# is as long as is said `otherwise`: -1 where nothing is.
first_length = op("rows_first_length", _first_length, "rows_first_length({0}, {otherwise})")

# Which row `put` sets: one that there is, counted from the end perhaps; one that there is; any, before which others
# come into being; the one that was inserted at that place.
AMONG, WITHIN, GROWING, INSERTED = "among", "within", "growing", "inserted"


@kernel
def rows_put(places: Places, cells: Cells, index: SupportsInt, row: NumPyArray, how: str) -> tuple[Places, Cells]:
    places, at, count = [*places], int(index), len(places)
    if how == AMONG:
        at = position(count, index, "list assignment")
    elif how == INSERTED:
        at = min(max(at + count - 1 if at < 0 else at, 0), count - 1)
    elif how == GROWING:
        places += [None] * (at + 1 - count)
    if not 0 <= at < len(places):
        raise OutOfBoundsError(f"Tried to write to index {at} but array is not resizeable and size is: {count}")
    places[at] = _place(len(cells), len(row), len(row))
    return places, [*cells, *row]


put = op("rows_put", _both, "rows_put({0}, {1}, {2}, {3}, {how})")


@kernel
def rows_put_cell(places: Places, cells: Cells, index: SupportsInt, place: SupportsInt, value: object) -> Cells:
    start, size, _ = places[position(len(places), index, "list")].tolist()
    result = [*cells]
    result[start + position(size - 1, place, "list assignment")] = value
    return result


def _cells(_: ListType, cells: ListType, *__: object) -> ListType:
    return cells


put_cell = op("rows_put_cell", _cells, "rows_put_cell({0}, {1}, {2}, {3}, {4})")


@kernel
def rows_append(places: Places, cells: Cells, index: SupportsInt, value: object) -> tuple[Places, Cells]:
    at = position(len(places), index, "list")
    start, size, _ = places[at].tolist()
    places = [*places]
    places[at] = _place(len(cells), size, size)
    return places, [*cells, *cells[start : start + size - 1], value]


append = op("rows_append", _both, "rows_append({0}, {1}, {2}, {3})")


@kernel
def rows_extend(places: Places, cells: Cells, others: Places, more: Cells) -> tuple[Places, Cells]:
    moved = [None if place is None else place + [len(cells), 0, 0] for place in others]
    return [*places, *moved], [*cells, *more]


extend = op("rows_extend", _both, "rows_extend({0}, {1}, {2}, {3})")


def _split(value: TensorType, _: TensorType) -> tuple[ListType, ListType]:
    return PLACES, of_cells(ListType(value.dtype, (None, *(value.shape or ())[1:])))


@kernel
def rows_split(value: NumPyArray, lengths: NumPyArray) -> tuple[Places, Cells]:
    return rows_of(parts(value, lengths))


split = op("rows_split", _split, "rows_split({0}, {1})")  # the first cells, the next …: so many for each row


@kernel
def rows_tight(places: Places, cells: Cells) -> tuple[Places, Cells]:
    """The same rows in their order, with nothing between them."""
    tight, kept = Places(), Cells()
    for place in places:
        start, size, _ = (0, 0, 0) if place is None else place.tolist()
        tight.append(np.array([len(kept), size, max(size - 1, 0)], np.int64))
        kept += cells[start : start + max(size - 1, 0)]
    return tight, kept


tight = op("rows_tight", _both, "rows_tight({0}, {1})")


@kernel
def rows_filled(places: Places, cells: Cells, otherwise: int, dtype: type) -> tuple[Places, Cells]:
    """The same rows in their order, and zeros for each that nobody wrote."""
    length = int(rows_first_length(places, otherwise)) if places else 0
    full, kept = Places(), Cells()
    none: NumPyArray = np.zeros((length, *np.shape(cells[0] if cells else 0)), dtype)
    for place in places:
        start, size, _ = place.tolist() if _is_there(place) else (0, 0, 0)
        row = cells[start : start + size - 1] if size else none
        full.append(_place(len(kept), len(row), len(row)))
        kept += [*row]
    return full, kept


filled = op("rows_filled", _both, "rows_filled({0}, {1}, {otherwise}, {dtype})")


def taken_apart(rows: Sequence[Any], shape: tuple[int, ...], dtype: DType) -> tuple[NumPyArray, NumPyArray]:
    """The places and the cells of the rows of a list, whose cells have this shape, as arrays."""
    lengths = np.array([-1 if row is None else len(row) for row in rows], np.int64)
    room = np.maximum(lengths, 0)
    there = [row for row in rows if row is not None]
    none = np.zeros((0, *shape), dtype.dtype)
    cells = np.concatenate([none, *there], dtype=dtype.dtype, casting="unsafe")
    return np.stack([np.cumsum(room) - room, lengths + 1, room], axis=1), cells


def put_together(places: NumPyArray, cells: NumPyArray) -> list[NumPyArray | None]:
    """The rows."""
    return [cells[start : start + size - 1] if size else None for start, size, _ in places.tolist()]
