"""Sorting as Python does it: items in the order of their keys, which the graph finds where it decides about one."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph import StagingError
from autograph.dispatch import staged_within
from autograph.errors import refused
from autograph.generated import is_made
from autograph.operators import ordered
from autograph.operators.aliases import held_besides
from autograph.operators.calls import converted, defined
from autograph.reading import found_in
from runtime import control
from runtime.control.lists import KnownList, TensorList, are_chosen
from runtime.control.missing import NOT_NONE, may_be_missing
from runtime.control.rows import (
    Content,
    Fixed,
    Inner,
    Rows,
    as_rows,
    common,
    element_of,
    is_of_one_type,
    of_part,
    one_of,
)
from runtime.control.shared import is_object, is_shared, share
from runtime.control.unions import TaggedUnion
from runtime.graph.dtypes import as_dtype, int64, string
from runtime.graph.shapes import is_known
from runtime.ops import indexing, lists, shape as shape_ops
from runtime.staging.numpy_protocol.meanings import need
from runtime.tensors import making, nest, parts
from runtime.tensors.conversion import cast, operand
from runtime.tensors.growing import has_grown
from runtime.tensors.handles import Handle
from runtime.tensors.leaf_types import is_leaf
from runtime.tensors.operations import apply, apply_to_list
from runtime.tensors.several import OneOf, settled
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import Way, ways
from runtime.tensors.views import ELEMENT, Array

Key = Callable[[object], object]


def sorted_tensor(value: Any, key: Key | None, reverse: bool) -> Tensor:
    """The rows of a tensor in order."""
    if key is None:
        return _in_order(value, reverse)
    return parts.gather(value, _order([*nest.flatten(control.map_fn(_key_of(key), value))], reverse))


def in_order(content: Content, key: Key | None, reverse: bool, whole: object = None) -> Content:
    """What a list holds in order; the list itself, where it is put in order in place."""
    elements: Sequence[object] = content.elements if isinstance(content, Fixed) else [content.structure]
    if key is None and len(elements) > isinstance(content, Fixed) and any(map(_says_itself, elements)):
        return defined(ordered.inserted)(TensorList.holding(content), None, reverse).listed  # type: ignore[attr-defined]
    return _of_rows(content, key, reverse) if isinstance(content, Rows) else _of_elements(content, key, reverse, whole)


def _says_itself(structure: object) -> bool:
    """Whether an object, or one in a structure, says itself whether it is less than another: not by all of its fields,
    in their order."""
    if not nest.is_nested(structure):
        return is_object(structure)
    cls = type(structure).of.kind if isinstance(structure, Handle) else type(structure)
    fields: Any = getattr(cls, "__dataclass_fields__", None)
    if isinstance(structure, Handle) or fields is not None:
        made = is_made(found_in(cls, "__lt__"))
        if isinstance(structure, Handle) or not made or not all(field.compare for field in fields.values()):
            return True
    return any(map(_says_itself, nest.parts(structure)))


def _of_elements(content: Fixed, key: Key | None, reverse: bool, whole: object) -> Fixed:
    elements = content.elements
    keys: Sequence[Any] = elements if key is None else [*map(_key_of(key), elements)]
    count = range(len(elements))
    if len(elements) < 2 or not staged_within(keys):
        return Fixed([elements[i] for i in sorted(count, key=keys.__getitem__, reverse=reverse)])
    if any(type(one) is TaggedUnion for one in elements) and not ways.takes(Way.ORDERED):
        raise StagingError("one of several lists, which the graph alone knows, is put in order.")
    if whole is not None and _are_its_own(elements, whole):
        share(elements, ELEMENT)  # who should hold one all the same must not change it
        known = [*map(settled, elements)]
        made = _arranged(Fixed([(*nest.parts(one),) for one in known]), keys, reverse).elements
        return Fixed([nest.of_kind(one, [*nest.parts(parts)]) for one, parts in zip(known, made)])
    if (
        any(not is_leaf(leaf) for leaf in nest.flatten([*content.stored]))
        or are_chosen(elements)
        or not _alike(content.stored)
    ):
        order = _order(_columns(keys), reverse)
        return Fixed([TensorList.chosen(elements, order[i]) for i in count])
    return _arranged(content, keys, reverse, key is None)


def _arranged(content: Fixed, keys: Sequence[object], reverse: bool, by_themselves: bool = False) -> Fixed:
    """Elements that are alike, in the order of their keys, by what they hold."""
    count = range(len(content.elements))
    rows = as_rows(content, *common(content))
    if by_themselves and is_of_one_type(rows):
        return Fixed([_number(_in_order(_stacked(rows)[0], reverse), rows, i) for i in count])
    order = _order(_columns(keys), reverse)
    return Fixed([one_of(content, rows.element(order[i])) for i in count])


def _are_its_own(elements: Sequence[object], whole: object) -> bool:
    """Whether the elements of a list are lists or dictionaries of values, or each one of several, all alike, of which
    nobody else knows: others that hold the same may take their places."""
    known = [{id(option): option for option in _options(element)} for element in elements]
    options: Sequence[Any] = [option for one in known for option in one.values()]
    kinds = {*map(type, options)}
    if len(kinds) > 1 or kinds.isdisjoint((KnownList, list, dict)) or any(map(has_grown, options)):
        return False
    parts = [part for option in options for part in nest.parts(option)]
    if not parts or any(isinstance(one, OneOf | list | dict) or not is_leaf(one) for one in nest.flatten(parts)):
        return False
    if not _alike(options) or any(map(is_shared, options)) or len({*map(id, options)}) < len(options):
        return False
    if held_besides(options, whole):
        return False
    # The arrays would be written by another name, which a list of the graph refuses.
    return not any(isinstance(leaf, Array | np.ndarray) for leaf in nest.flatten(parts)) or ways.takes(Way.ORDERED)


def _options(value: object) -> list[object]:
    """All that a value may be."""
    return [one for option in value._options for one in _options(option)] if isinstance(value, OneOf) else [value]


def _of_rows(rows: Rows, key: Key | None, reverse: bool) -> Rows:
    keys: Any
    if may_be_missing(rows.structure):
        raise StagingError(f"what may be None is not put in order. {NOT_NONE}")
    if key is not None and any(not is_known(kind.shape) for kind in rows.kinds):
        of = _key_of(key)
        keys = control.map_fn(lambda at: of(rows.element(at)), making.range(rows.count()))
        order = _order([*nest.flatten(keys)], reverse)
        return Rows(rows.structure, [apply_to_list(lists.ordered, column, order) for column in rows.columns])
    columns = _stacked(rows)
    if key is None and is_of_one_type(rows):
        made = [_in_order(columns[0], reverse)]
    else:
        keys = columns[: len(rows.owners)]  # and not what tells their types
        if isinstance(rows.structure, Inner) and key is None:
            if not rows.structure.is_of_one_part() or of_part(rows.kinds[0]) != ():
                raise StagingError("lists of tuples, or of arrays, are put in order by a key alone.")
            width = columns[0].type.shape[1] if columns[0].type.shape else None
            if not isinstance(width, int):
                raise StagingError("lists whose lengths differ, or are not known, are put in order by a key alone.")
            keys = [columns[0][:, i] for i in range(width)]
        if key is not None:
            of = _key_of(key)
            keys = control.map_fn(lambda given: of(_element(rows, given)), columns)
        order = _order([*nest.flatten(keys)], reverse)
        made = [parts.gather(column, order) for column in columns]
    pairs = zip(made, rows.kinds)
    return Rows(rows.structure, [apply_to_list(lists.from_tensor, c, weak=kind.weak) for c, kind in pairs])


def _stacked(rows: Rows) -> list[Tensor]:
    """The columns of a list as tensors."""
    made = []
    for column, kind in zip(rows.columns, rows.kinds):
        shape = None if kind.shape is None else tuple(kind.shape)
        made.append(apply(lists.stack, column, shape=shape, dtype=kind.dtype))  # Python's numbers keep their 64 bits
    return made


def _element(rows: Rows, given: Sequence[Tensor]) -> object:
    if isinstance(rows.structure, Inner):
        return TensorList.holding(rows.alone(*given))
    return rows.rebuilt(given, element_of)


def _number(column: Tensor, rows: Rows, index: int) -> object:
    return element_of(column[index], rows.owners[0])


def _alike(elements: Sequence[object]) -> bool:
    """Whether the elements are of one structure, and numbers stand beside numbers and text beside text."""
    if not all(nest.alike(element, elements[0]) for element in elements):
        return False
    leaves = [nest.flatten(element) for element in elements]
    return all(len({operand(leaf).dtype == string for leaf in column}) == 1 for column in zip(*leaves))


def _columns(keys: Sequence[object]) -> list[Tensor]:
    """The keys as tensors: one of numbers, or one for each part of tuples, the first of which counts most."""
    if not all(nest.alike(key, keys[0]) for key in keys):
        raise StagingError(
            "a graph orders by keys of one kind: by numbers, or by tuples that are of one length. These are "
            f"{', '.join(sorted({nest.describe(key) for key in keys}))}."
        )
    columns = [[operand(leaf) for leaf in column] for column in zip(*map(nest.flatten, keys))]
    kinds = [as_dtype(np.result_type(*(leaf.type.dtype.dtype for leaf in column))) for column in columns]
    return [
        apply(shape_ops.stack, *(cast(leaf, kind) for leaf in column), axis=0) for column, kind in zip(columns, kinds)
    ]


def _of_numbers(column: Tensor, is_first: bool) -> Tensor:
    """A column of keys, each of which is one number, if it is an array of one, too."""
    if column.shape.rank == 1:
        return column
    shape = column.type.shape or (None, None)
    count, dims = shape[0], shape[1:]
    if all(size == 1 for size in dims):
        return apply(shape_ops.reshape, column, shape=(-1,))
    if is_first and is_known(dims):  # of two such arrays nobody can tell which is less
        number = count if isinstance(count, int) else apply(shape_ops.length, column, axis=0, dtype=int64)
        need(number < 2, _ambiguous(dims))
        return making.range(number)
    raise StagingError(
        "a graph orders by numbers, or by tuples of them, and this key is an array, or has one. Give a key of numbers "
        "(key=lambda item: item[0])."
    )


def _ambiguous(dims: Sequence[int]) -> ValueError:
    """The error for the truth of an array of this shape."""
    try:
        bool(np.broadcast_to(False, dims))
    except ValueError as error:
        return error
    raise AssertionError(f"an array of shape {dims} has a truth")


def _in_order(column: Tensor, reverse: bool) -> Tensor:
    if column.dtype.is_floating or column.shape.rank != 1:
        return parts.gather(column, _order([column], reverse))
    return parts.sort(column, 0, _direction(reverse))


def _order(columns: Sequence[Tensor], reverse: bool) -> Tensor:
    """The indices by which the rows of columns, the first of which counts most, stand in order; equal ones stay in
    theirs."""
    if not columns:
        raise StagingError("a graph orders by numbers, and these keys have none.")
    columns = [_of_numbers(column, is_first) for is_first, column in zip((True, *[False] * len(columns)), columns)]
    columns = [cast(column, np.int8) if column.dtype.is_bool else column for column in columns]
    if any(column.dtype.is_floating for column in columns):
        return apply(indexing.order_of_rows, *columns, reverse=reverse)
    order: Any = None
    for column in reversed(columns):
        found = parts.argsort(column if order is None else parts.gather(column, order), 0, _direction(reverse))
        order = found if order is None else parts.gather(order, found)
    return order  # type: ignore[no-any-return]


def _key_of(key: Key) -> Key:
    """What gives the key of an item: numbers."""
    if type(key) is _COMPARING:
        raise refused(
            TypeError(
                "key=functools.cmp_to_key(…) orders by a function of two items, which a graph does not do. Give a key "
                "that makes one number of each item (key=lambda item: …)."
            )
        )
    of = converted(key)

    def numbers(item: object) -> object:
        made = of(item)
        if has_grown(made) or (isinstance(made, tuple) and any(map(has_grown, made))):
            raise refused(
                StagingError(
                    "a graph orders by numbers, or by tuples of them, and this key is a list whose length only the "
                    "graph knows, or has one. Give a key of numbers, as (len(row), sum(row))."
                )
            )
        return made

    return numbers


def _direction(reverse: bool) -> str:
    return "DESCENDING" if reverse else "ASCENDING"


TensorList.ordered = staticmethod(in_order)
_COMPARING = type(functools.cmp_to_key(operator.sub))
