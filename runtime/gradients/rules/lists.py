"""Gradients of lists: the gradient of a list is a list, of the gradients of its elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.gradients.cells import Step, constant, gradient, refused
from runtime.gradients.things import Gradient, Part, any_size, element, stacked, zeros_like
from runtime.graph import shapes
from runtime.graph.dtypes import int64
from runtime.ops import elementwise as ew, indexing, lists, rows, shape as shape_ops
from runtime.tensors.operations import apply, apply_to_list
from runtime.tensors.tensor import EagerElements, EagerTensor, ListElements, Tensor

Given = Sequence[Gradient | Part | None]


def _number(value: int) -> Tensor:
    return EagerTensor(np.asarray(value, np.int64))


def _size(elements: object) -> Tensor:
    return apply(ew.cast, apply(lists.size, elements), dtype=int64)


def _from_front(elements: object, index: Tensor) -> Tensor:
    """An index that may count from the end, as one that counts from the front."""
    index = apply(ew.cast, index, dtype=int64)
    return apply(ew.where, apply(ew.less, index, _number(0)), index + _size(elements), index)


def _set(elements: object, index: Tensor, value: Tensor) -> Gradient:
    return apply_to_list(lists.write, elements, index, value, dynamic=False)


def _is_open(elements: object) -> bool:
    """Whether elements may have sizes of their own: then what nobody has written yet is zeros of any size."""
    assert isinstance(elements, ListElements | EagerElements)
    return isinstance(elements, EagerElements) or not shapes.is_known(elements.type.shape)


def _one_more(g: Tensor, index: Tensor) -> Part:
    """A gradient of one element alone."""

    def into(whole: Gradient) -> Gradient:
        if _is_open(whole):
            return apply_to_list(lists.add_at, whole, index, g)
        return _set(whole, index, element(whole, index) + g)

    return Part(into)


def _element(g: object, index: Tensor, value: Tensor) -> Tensor:
    """The gradient of a value that is an element of a list, given that of the list."""
    return apply(lists.read_like, g, index, value) if _is_open(g) else element(g, index)


@gradient(lists.write)
def write(step: Step, g: object) -> Given:
    _, index, value = step.inputs
    return _replaced(step, g, index, value)


@gradient(lists.set_item)
def set_item(step: Step, g: object) -> Given:
    before, index, value = step.inputs
    return _replaced(step, g, _from_front(before, index), value)


def _replaced(step: Step, g: object, index: Tensor, value: Tensor) -> Given:
    """Nothing flows back to what was there before."""
    rest: Gradient | None = None
    if step.wanted[0]:
        open_ = _is_open(g)
        rest = apply_to_list(lists.erase, g, index) if open_ else _set(g, index, zeros_like(value))  # type: ignore[arg-type]
    return [rest, None, _element(g, index, value) if step.wanted[2] else None]


@gradient(lists.read)
def read(step: Step, g: Tensor) -> Given:
    return [_one_more(g, step.inputs[1]), None]


@gradient(lists.item, lists.popped)
def item(step: Step, g: Tensor) -> Given:
    elements, index = step.inputs
    return [_one_more(g, _from_front(elements, index)), None]


@gradient(lists.set_cell)
def set_cell(step: Step, g: object) -> Given:
    before, index, place, value = step.inputs
    index = _from_front(before, index)
    row = _element(g, index, apply(lists.item, before, index))
    rest = _set(g, index, _in_row("set", row, place, zeros_like(value))) if step.wanted[0] else None
    return [rest, None, None, apply(indexing.getitem, row, place, index=_AT) if step.wanted[3] else None]


@gradient(lists.cell)
def cell(step: Step, g: Tensor) -> Given:
    elements, index, place = step.inputs
    row = apply(lists.item, elements, index)
    return [_one_more(_in_row("add", zeros_like(row), place, g), _from_front(elements, index)), None, None]


_AT = (indexing.INPUT,)


def _in_row(how: str, row: Gradient, place: Tensor, value: Gradient) -> Tensor:
    return apply(indexing.setitem, row, value, place, index=_AT, how=how)


@gradient(lists.stack)
def stack(_: Step, g: Tensor) -> Given:
    return [apply_to_list(lists.from_tensor, g)]


@gradient(lists.from_tensor)
def from_tensor(step: Step, g: object) -> Given:
    """As many rows as there were: the list may have grown since."""
    (value,) = step.inputs
    rows = apply(shape_ops.length, value, axis=0, dtype=int64)
    return [apply(indexing.getitem, stacked(g), rows, index=(slice(None, indexing.INPUT),))]


@gradient(lists.pack)
def pack(step: Step, g: object) -> Given:
    pairs = zip(step.inputs, step.wanted)
    return [_element(g, _number(i), value) if wanted else None for i, (value, wanted) in enumerate(pairs)]  # type: ignore[arg-type]


@gradient(lists.concat)
def concat(step: Step, g: Tensor) -> Given:
    (elements,) = step.inputs
    if isinstance(elements, EagerElements):
        known = [
            len(one) for one in lists.filled(elements.elements, step.attributes["shape"], elements.type.dtype.dtype)
        ]
        return [apply_to_list(lists.split, g, EagerTensor(np.asarray(known, np.int64)))]
    rows = (elements.type.shape or (None,))[0]
    if not isinstance(rows, int):
        raise LookupError(
            "no gradient goes through concat() of a TensorArray whose elements may differ in size: say their shape "
            "with element_shape=, or stack() them"
        )
    lengths = apply(shape_ops.fill, _number(rows), _size(elements), shape=(None,))
    return [apply_to_list(lists.split, g, lengths)]


@gradient(lists.split)
def split(step: Step, g: Gradient) -> Given:
    value, lengths = step.inputs
    shape, dtype = any_size(g.type), g.type.dtype
    none = apply_to_list(lists.split, zeros_like(value), lengths)  # those that nobody has used are as long
    return [apply(lists.concat, apply_to_list(lists.add, none, g), shape=shape, dtype=dtype), None]


@gradient(lists.scatter)
def scatter(step: Step, g: Gradient) -> Given:
    _, indices, value = step.inputs
    rest = apply_to_list(lists.scatter, g, indices, zeros_like(value), dynamic=False) if step.wanted[0] else None
    shape, dtype = any_size(g.type), g.type.dtype
    return [rest, None, apply(lists.gather, g, indices, shape=shape, dtype=dtype) if step.wanted[2] else None]


@gradient(lists.gather)
def gather(step: Step, g: Tensor) -> Given:
    _, indices = step.inputs

    def into(whole: Gradient) -> Gradient:
        if _is_open(whole):
            return apply_to_list(lists.add_all_at, whole, indices, apply_to_list(lists.from_tensor, g))
        new = apply(indexing.setitem, stacked(whole), g, indices, index=(indexing.INPUT,), how="add")
        return apply_to_list(lists.from_tensor, new)

    return [Part(into), None]


@gradient(lists.ordered)
def ordered(step: Step, g: Gradient) -> Given:
    back = apply(indexing.argsort, step.inputs[1], axis=0)
    return [apply_to_list(lists.ordered, g, back), None]


@gradient(lists.cast)
def cast(step: Step, g: object) -> Given:
    type_ = step.inputs[0].type
    return [apply_to_list(lists.cast, g, dtype=type_.dtype, weak=type_.weak)]


@gradient(lists.add)
def add(_: Step, g: object) -> Given:
    return [g, g]  # type: ignore[list-item]


@gradient(lists.extend)
def extend(step: Step, g: object) -> Given:
    first, _ = step.inputs
    size = _size(first)
    return [
        apply_to_list(lists.part, g, size, given=(False, True, False)) if step.wanted[0] else None,
        apply_to_list(lists.part, g, size, given=(True, False, False)) if step.wanted[1] else None,
    ]


@gradient(lists.insert)
def insert(step: Step, g: object) -> Given:
    before, index, value = step.inputs
    index = _from_front(before, index)
    size = _size(before)
    at = apply(ew.minimum, apply(ew.maximum, index, _number(0)), size)
    return [apply_to_list(lists.remove, g, at), None, _element(g, at, value) if step.wanted[2] else None]


@gradient(lists.remove)
def remove(step: Step, g: object) -> Given:
    before, index = step.inputs
    at = _from_front(before, index)
    gone = zeros_like(apply(lists.item, before, at))
    return [apply_to_list(lists.insert, g, at, gone), None]


@gradient(lists.part)
def part(step: Step, g: object) -> Given:
    _, *bounds = step.inputs
    slots = [indexing.INPUT if there else None for there in step.attributes["given"]]

    def into(whole: Gradient) -> Gradient:
        index = (slice(*slots),)
        if _is_open(whole):
            every = apply(shape_ops.range_, _number(0), _size(whole), _number(1), count=None, dtype=int64)
            return apply_to_list(lists.add_all_at, whole, apply(indexing.getitem, every, *bounds, index=index), g)
        new = apply(indexing.setitem, stacked(whole), stacked(g), *bounds, index=index, how="add")
        return apply_to_list(lists.from_tensor, new)

    return [Part(into), *(None for _ in bounds)]


@gradient(lists.add_at)
def add_at(step: Step, g: object) -> Given:
    _, index, value = step.inputs
    return [g, None, _element(g, index, value)]  # type: ignore[list-item]


@gradient(lists.read_like)
def read_like(step: Step, g: Tensor) -> Given:
    return [_one_more(g, step.inputs[1]), None, None]


@gradient(lists.erase)
def erase(step: Step, g: object) -> Given:
    return [apply_to_list(lists.erase, g, step.inputs[1]), None]


constant(lists.new, lists.size, lists.count, lists.fit, lists.full_like, lists.narrow)
refused("a part of a list whose elements have sizes of their own has but one derivative", lists.add_all_at)
refused(
    "only a graph that is about to run has it",
    lists.append_cell, rows.of, rows.even, rows.item, rows.cell, rows.put, rows.put_cell, rows.append, rows.extend,
    rows.tight, rows.filled, rows.split, rows.is_written, rows.first_length,
)  # fmt: skip
