"""The elements of a TensorArray: a Python list of arrays, copied when it changes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, SupportsInt

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import DType, NumPyArray, int32, int64
from runtime.graph.errors import InvalidArgumentError, OutOfBoundsError
from runtime.graph.graph import ListType, TensorType
from runtime.graph.op import always, kernel, op
from runtime.graph.shapes import Dims
from runtime.ops.elementwise import fitting, narrow_int


def _new(size: TensorType, *, dtype: DType, shape: Dims, weak: bool = False) -> ListType:
    return ListType(dtype, shape, weak)


_MOST = 2**40  # elements


def possible(size: Any) -> int:
    """How many elements there shall be; raises InvalidArgumentError for more than there can be."""
    if size > _MOST:
        raise InvalidArgumentError(f"a TensorArray of {size} elements: no memory holds so many")
    return int(size)


@kernel
def places(size: object) -> list[object]:
    """So many elements that are yet to come."""
    try:
        return [None] * possible(size)
    except MemoryError:
        raise MemoryError(f"Unable to allocate a TensorArray of {size} elements") from None


new = op("list_new", _new, "places({0})", tf="TensorListReserve")


@kernel
def written(elements: list[object], index: np.generic | NumPyArray, value: object, dynamic: bool) -> list[object]:
    """A copy with one element set; a dynamic list grows as needed."""
    at = int(index)
    if at >= len(elements) and dynamic:
        return [*elements, *[None] * (at - len(elements)), value]
    if not 0 <= at < len(elements):
        raise OutOfBoundsError(f"Tried to write to index {at} but array is not resizeable and size is: {len(elements)}")
    result = elements.copy()
    result[at] = value
    return result


def _written(elements: ListType, index: TensorType, value: TensorType, *, dynamic: bool = False) -> ListType:
    return elements.holding(value.shape)


@kernel
def written_to(elements: list[object], index: np.generic | NumPyArray, value: object, dynamic: bool) -> None:
    """Set one element of the list itself, which nobody else has."""
    at = int(index)
    if at == len(elements) and dynamic:
        elements.append(value)
    elif 0 <= at < len(elements):
        elements[at] = value
    else:
        elements[:] = written(elements, index, value, dynamic)


write = op(
    "list_write", _written, "written({0}, {1}, {2}, {dynamic})", tf="TensorListSetItem", shares=always,
    in_place="written_to({0}, {1}, {2}, {dynamic})",
)  # fmt: skip


@kernel
def element_at(elements: list[object], index: np.generic | NumPyArray, shape: object, dtype: object) -> object:
    at = int(index)
    if not 0 <= at < len(elements):
        raise OutOfBoundsError(f"Tried to read from index {at} but array size is: {len(elements)}")
    return _zeros(elements, shape, dtype) if elements[at] is None else elements[at]


def _zeros(elements: Sequence[Any], shape: Any, dtype: Any) -> NumPyArray:
    """What stands for an element that nobody wrote."""
    known = next((np.shape(e) for e in elements if e is not None), shape)
    if known is None or None in known:
        raise unwritten(shape)
    return nothing(known, dtype)


def nothing(shape: Any, dtype: Any) -> NumPyArray:
    """Zeros, or texts that are empty."""
    return np.full(shape, b"", object) if np.dtype(dtype) == object else np.zeros(shape, dtype)


def unwritten(shape: Dims) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"no element of the TensorArray has been written, and their shape is not known: {shapes.show(shape)}; say it "
        "with element_shape=, or write one first"
    )


def _element(elements: ListType, _: TensorType, **__: object) -> TensorType:
    return TensorType(elements.dtype, elements.shape, elements.weak)


read = op("list_read", _element, "element_at({0}, {1}, {shape}, {dtype})", tf="TensorListGetItem", shares=always)


@kernel
def stacked(elements: Sequence[NumPyArray | None], shape: Dims, dtype: type) -> NumPyArray:
    if not elements:
        return np.zeros([0, *(d or 0 for d in shape or ())], dtype)
    found = filled(elements, shape, dtype)
    if len(shapes := dict.fromkeys(map(np.shape, found))) > 1:
        raise InvalidArgumentError(f"elements of shapes {', '.join(map(str, shapes))} cannot be stacked")
    return np.stack(found)


def _stacked(elements: ListType, **__: object) -> TensorType:
    return TensorType(elements.dtype, None if elements.shape is None else (None, *elements.shape))


stack = op("list_stack", _stacked, "stacked({0}, {shape}, {dtype})", tf="TensorListStack")


@kernel
def all_joined(elements: list[object], shape: Dims, dtype: type) -> NumPyArray:
    if not elements:
        return np.zeros([0, *(d or 0 for d in (shape or ())[1:])], dtype)
    return np.concatenate(filled(elements, shape, dtype))


def filled(elements: Sequence[Any], shape: Dims, dtype: Any) -> list[Any]:
    """The elements, and zeros for those that nobody wrote."""
    return [_zeros(elements, shape, dtype) if e is None else e for e in elements]


def _joined(elements: ListType, **__: object) -> TensorType:
    return TensorType(elements.dtype, None if elements.shape is None else (None, *elements.shape[1:]))


concat = op("list_concat", _joined, "all_joined({0}, {shape}, {dtype})", tf="TensorListConcatV2")


def _size(_: ListType) -> TensorType:
    return TensorType(int32, ())


size = op("list_size", _size, "np.int32(len({0}))", tf="TensorListLength")


def _count(x: ListType | TensorType) -> TensorType:
    known = isinstance(x, TensorType) and x.shape
    return TensorType(int64, (), weak=True, sizes=x.shape[:1] if known and x.shape else None)


count = op("len", _count, "np.int64(len({0}))", tf="Size")  # a number of Python's, as len() gives


def _from_tensor(value: TensorType, *, weak: bool = False) -> ListType:
    return ListType(value.dtype, None if value.shape is None else value.shape[1:], weak)


from_tensor = op("list_from_tensor", _from_tensor, "list({0})", tf="TensorListFromTensor", shares=always)


@kernel
def parts(value: NumPyArray, lengths: NumPyArray) -> list[NumPyArray]:
    ends = np.cumsum(lengths)
    if len(value) != (ends[-1] if len(ends) else 0) or np.any(np.less(lengths, 0)):
        raise InvalidArgumentError(f"a tensor of {len(value)} rows is not split into {np.asarray(lengths).tolist()}")
    return np.split(value, ends[:-1]) if len(ends) else []


def _parts(value: TensorType, _: TensorType, *, weak: bool = False) -> ListType:
    return ListType(value.dtype, None if value.shape is None else (None, *value.shape[1:]), weak)


split = op("list_split", _parts, "parts({0}, {1})", tf="TensorListSplit", shares=always)


@kernel
def placed(elements: list[object], indices: object, value: NumPyArray, dynamic: bool) -> list[object]:
    """A copy with some elements set; a dynamic list grows as needed."""
    places = np.asarray(indices).tolist()
    if len(places) != len(value):
        raise InvalidArgumentError(f"{len(value)} rows are not scattered to {len(places)} places")
    size = max([len(elements), *(at + 1 for at in places)]) if dynamic else len(elements)
    result = [*elements, *[None] * (size - len(elements))]
    for at, element in zip(places, value):
        if not 0 <= at < size:
            raise OutOfBoundsError(f"Tried to write to index {at} but array is not resizeable and size is: {size}")
        result[at] = element
    return result


def _placed(elements: ListType, _: TensorType, value: TensorType, *, dynamic: bool) -> ListType:
    return elements.holding(None if value.shape is None else value.shape[1:])


scatter = op(
    "list_scatter", _placed, "placed({0}, {1}, {2}, {dynamic})", tf="TensorListScatterIntoExistingList", shares=always
)


def _gathered(elements: ListType, indices: TensorType, **_: object) -> TensorType:
    if indices.shape is not None and len(indices.shape) != 1:
        raise ValueError(f"the indices of elements to gather are a tensor of shape [n], not {[*indices.shape]}")
    if elements.shape is None or indices.shape is None:
        return TensorType(elements.dtype, None)
    return TensorType(elements.dtype, (*indices.shape, *elements.shape))


gather = op(
    "list_gather", _gathered, "stacked([element_at({0}, i, {shape}, {dtype}) for i in {1}], {shape}, {dtype})",
    tf="TensorListGather",
)  # fmt: skip


def _ordered(elements: ListType, _: TensorType) -> ListType:
    return elements


ordered = op("list_ordered", _ordered, "[{0}[i] for i in {1}]", shares=always)  # those of some numbers


def _packed(*elements: TensorType, dtype: DType, shape: Dims, weak: bool = False) -> ListType:
    return ListType(dtype, shape, weak, mixed=shape is None)


pack = op("list_pack", _packed, "[{*}]", tf="TensorListFromTensor", shares=always)


def _cast(elements: ListType, *, dtype: DType, weak: bool = False) -> ListType:
    return replace(elements, dtype=dtype, weak=weak)


@kernel
def fitting_row(row: Any, dtype: type) -> object:
    """Python integers in a narrower dtype; raises OverflowError for one that it does not hold."""
    if np.ndim(row) == 0:
        return fitting(row, dtype)
    bounds = np.iinfo(dtype)
    for large in row[(row < bounds.min) | (row > bounds.max)]:
        fitting(large, dtype)
    return row.astype(dtype)


@kernel
def narrow_row(row: Any) -> object:
    """Python integers as they leave a graph: int32 where that holds them all, or else int64."""
    if np.ndim(row) == 0:
        return narrow_int(row)
    holds = not row.size or (row.min() >= int32.min and row.max() <= int32.max)
    return row.astype(np.int32 if holds else np.int64)


cast = op("list_cast", _cast, "[np.asarray(e).astype({dtype}) for e in {0}]", tf="Cast")
fit = op("list_fit", _cast, "[fitting_row(e, {dtype}) for e in {0}]", tf="Cast")  # integers of Python's


def _full_like(elements: ListType, *, value: int, dtype: DType) -> ListType:
    return replace(elements, dtype=dtype, weak=False)


full_like = op("list_full_like", _full_like, "[np.full_like(e, {value}, {dtype}) for e in {0}]", tf="FullLike")


def _narrowed(elements: ListType) -> ListType:
    return replace(elements, dtype=int32, weak=False)


narrow = op("list_narrow", _narrowed, "[narrow_row(e) for e in {0}]", tf="Cast")  # the same, as they leave the graph


def _joined_lists(a: ListType, b: ListType) -> ListType:
    return a.joined(b)


extend = op(
    "list_extend", _joined_lists, "{0} + {1}", tf="TensorListConcatLists", shares=always, in_place="{0}.extend({1})"
)


@kernel
def list_sum(a: Sequence[NumPyArray | None], b: Sequence[NumPyArray | None]) -> list[object]:
    """The sums of elements in the same places: what nobody wrote, or a shorter list does not have, adds nothing."""
    return [y if x is None else x if y is None else x + y for x, y in itertools.zip_longest(a, b)]


add = op("list_add", _joined_lists, "list_sum({0}, {1})", tf="AddN", shares=always)


# What gradients do with lists whose elements have sizes of their own: what nobody wrote is zeros of any size.


@kernel
def added_at(elements: list[Any], index: SupportsInt, value: object) -> list[Any]:
    """A copy with something added to one element."""
    result = [*elements]
    added_in(result, index, value)
    return result


@kernel
def added_in(elements: list[Any], index: SupportsInt, value: object) -> None:
    """Add something to one element of the list itself, which nobody else has."""
    before = elements[int(index)]
    elements[int(index)] = value if before is None else before + value


add_at = op(
    "list_add_at", _written, "added_at({0}, {1}, {2})", shares=always, in_place="added_in({0}, {1}, {2})",
)  # fmt: skip


@kernel
def element_or_zeros(elements: Sequence[Any], index: SupportsInt, like: object) -> object:
    found = elements[int(index)]
    return np.zeros_like(like) if found is None else found


def _like(elements: ListType, _: TensorType, like: TensorType) -> TensorType:
    return TensorType(elements.dtype, like.shape)


read_like = op("list_read_like", _like, "element_or_zeros({0}, {1}, {2})", shares=always)


@kernel
def erased(elements: list[Any], index: SupportsInt) -> list[Any]:
    """A copy of which nobody has written one element."""
    result = [*elements]
    result[int(index)] = None
    return result


@kernel
def erased_in(elements: list[Any], index: SupportsInt) -> None:
    elements[int(index)] = None


def _erased(elements: ListType, _: TensorType) -> ListType:
    return elements


erase = op("list_erase", _erased, "erased({0}, {1})", shares=always, in_place="erased_in({0}, {1})")


@kernel
def all_added_at(elements: Sequence[Any], indices: NumPyArray, parts: Sequence[Any]) -> list[Any]:
    """A copy with one of the parts added to each of some elements."""
    result = [*elements]
    for index, part in zip(indices.tolist(), parts):
        if part is not None:
            added_in(result, index, part)
    return result


def _all_added(elements: ListType, _: TensorType, parts: ListType) -> ListType:
    return elements.holding(parts.shape)


add_all_at = op("list_add_all_at", _all_added, "all_added_at({0}, {1}, {2})", shares=always)


@kernel
def position(count: int, index: SupportsInt, what: str) -> int:
    """An index that may be negative, counted from the front; IndexError if there is no such element."""
    at = int(index)
    at = at + int(count) if at < 0 else at
    if not 0 <= at < count:
        raise IndexError(f"{what} index out of range".lstrip() if count or what != "pop" else "pop from empty list")
    return at


def _same(elements: ListType, *_: TensorType, **__: object) -> ListType:
    return elements


def _one(elements: ListType, *_: TensorType, **__: object) -> TensorType:
    return TensorType(elements.dtype, elements.shape, elements.weak and elements.shape == ())


@kernel
def list_item(elements: list[object], index: SupportsInt, kind: str = "list") -> object:
    return elements[position(len(elements), index, kind)]


def _item(elements: ListType, index: TensorType, *, kind: str = "list") -> TensorType:
    return _one(elements)


def _show_item(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
    """``list_item(elements, index)``; what the elements are of, if that is no list."""
    return f"list_item({', '.join([*inputs, *map(repr, attributes.values())])})"


item = op(
    "list_item", _item, "list_item({0}, {1})", tf="TensorListGetItem", effect="read", shares=always, render=_show_item
)


@kernel
def list_with(elements: list[object], index: SupportsInt, value: object) -> list[object]:
    at = position(len(elements), index, "list assignment")
    return [*elements[:at], value, *elements[at + 1 :]]


@kernel
def list_put(elements: list[object], index: SupportsInt, value: object) -> None:
    """Set an element of the list itself, which nobody else has."""
    elements[position(len(elements), index, "list assignment")] = value


def _with(elements: ListType, _: TensorType, value: TensorType) -> ListType:
    return replace(elements, shape=shapes.join(elements.shape, value.shape))


set_item = op(
    "list_set_item", _with, "list_with({0}, {1}, {2})", tf="TensorListSetItem", effect="read", shares=always,
    in_place="list_put({0}, {1}, {2})",
)  # fmt: skip


@kernel
def list_cell(elements: list[Any], index: SupportsInt, place: SupportsInt) -> object:
    row = elements[position(len(elements), index, "list")]
    return row[position(len(row), place, "list")]


def _cell(elements: ListType, *_: TensorType) -> TensorType:
    return TensorType(elements.dtype, None if elements.shape is None else elements.shape[1:], elements.weak)


# A number of an element that is itself a list: ``rows[i][j]``.
cell = op("list_cell", _cell, "list_cell({0}, {1}, {2})", tf="GatherNd", effect="read")


@kernel
def list_with_cell(elements: list[Any], index: SupportsInt, place: SupportsInt, value: object) -> list[Any]:
    result = elements.copy()
    list_cell_put(result, index, place, value)
    return result


@kernel
def list_cell_put(elements: list[Any], index: SupportsInt, place: SupportsInt, value: object) -> None:
    """Set a number of a row of the list itself, which nobody else has; others may have the row."""
    at = position(len(elements), index, "list")
    row = elements[at].copy()
    row[position(len(row), place, "list assignment")] = value
    elements[at] = row


def _with_cell(elements: ListType, *_: TensorType) -> ListType:
    return elements


set_cell = op(
    "list_set_cell", _with_cell, "list_with_cell({0}, {1}, {2}, {3})", tf="TensorScatterUpdate", effect="read",
    shares=always, in_place="list_cell_put({0}, {1}, {2}, {3})",
)  # fmt: skip


@kernel
def list_with_longer(elements: list[Any], index: SupportsInt, value: object) -> list[Any]:
    result = elements.copy()
    list_lengthen(result, index, value)
    return result


@kernel
def list_lengthen(elements: list[Any], index: SupportsInt, value: Any) -> None:
    """Append a number to a row of the list itself, which nobody else has; others may have the row."""
    at = position(len(elements), index, "list")
    row = elements[at]
    elements[at] = np.concatenate([row, np.asarray(value, row.dtype)[None]])


def _with_longer(elements: ListType, *_: TensorType) -> ListType:
    shape = elements.shape
    return elements if shape is None else replace(elements, shape=(None, *shape[1:]))


# ``rows[i].append(value)``; a pass finds it.
append_cell = op(
    "list_append_cell", _with_longer, "list_with_longer({0}, {1}, {2})", tf="TensorListSetItem", effect="read",
    shares=always, in_place="list_lengthen({0}, {1}, {2})",
)  # fmt: skip


@kernel
def list_inserted(elements: list[object], index: SupportsInt, value: object) -> list[object]:
    result = elements.copy()
    result.insert(int(index), value)
    return result


insert = op(
    "list_insert", _with, "list_inserted({0}, {1}, {2})", tf="TensorListInsert", shares=always,
    in_place="{0}.insert(int({1}), {2})",
)  # fmt: skip


@kernel
def list_popped(elements: list[object], index: SupportsInt) -> object:
    return elements[position(len(elements), index, "pop")]


popped = op("list_popped", _one, "list_popped({0}, {1})", tf="TensorListPopBack", effect="read", shares=always)


@kernel
def list_without(elements: list[object], index: SupportsInt) -> list[object]:
    at = position(len(elements), index, "pop")
    return [*elements[:at], *elements[at + 1 :]]


@kernel
def list_removed(elements: list[object], index: SupportsInt) -> None:
    """Take an element out of the list itself, which nobody else has."""
    del elements[position(len(elements), index, "pop")]


remove = op(
    "list_remove", _same, "list_without({0}, {1})", tf="TensorListPopBack", effect="read", shares=always,
    in_place="list_removed({0}, {1})",
)  # fmt: skip


@kernel
def list_part(elements: list[object], *bounds: SupportsInt, given: Sequence[bool]) -> list[object]:
    """``elements[start:stop:step]``; `given` tells which of the three are there."""
    values = iter(bounds)
    return elements[slice(*(int(next(values)) if there else None for there in given))]


part = op("list_slice", _same, "list_part({*}, given={given})", tf="TensorListSlice", shares=always)
