"""The elements of TensorArrays and growing lists: one block of memory with room to grow, changed in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from runtime.executors.native import memory as blocks, scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import is_literal, memory
from runtime.executors.native.indexing import sliced
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.values import LARGEST, Array, Lowered, Scalar, Unsupported, dense, strided
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import int64
from runtime.graph.graph import Graph, ListType, Node, Type, Value
from runtime.ops import elementwise as ew, lists, shape as shape_ops


def _empty(lowering: Lowering, node: Node, length: str, capacity: str, like: Sequence[str] = ()) -> Array:
    """A list with room, of elements whose shape is known, or those of another list."""
    type_ = node.outputs[0].type
    dims = like or [str(d) if isinstance(d, int) else "0" for d in type_.shape or ()]
    return lowering.new_list(length, capacity, dims, type_.dtype)


def _sized(lowering: Lowering, elements: Array, type_: Type, dims: Sequence[str]) -> Array:
    """A list whose elements may have any size, about to get the first: they all are of that size then."""
    if all(isinstance(d, int) for d in type_.shape or ()) or len(dims) != len(elements.dims) - 1:
        return elements
    code = lowering.code
    first = code.compare("eq", elements.dims[0], "0")
    known = [
        str(d) if isinstance(d, int) else code.choose(first, new, old)
        for d, new, old in zip(type_.shape or (), dims, elements.dims[1:])
    ]
    whole = (elements.dims[0], *known)
    capacity = code.choose(first, "0", elements.capacity)
    return replace(elements, dims=whole, strides=dense(code, whole), capacity=capacity)


@handles(lists.new)
def new(lowering: Lowering, node: Node) -> list[Lowered]:
    length = lowering.index(node.inputs[0])
    dims = node.outputs[0].type.shape
    if length != "0" and (dims is None or None in dims):
        raise Unsupported("the shape of the elements of a list is not known", node)
    lowering.require(lowering.code.compare("sge", length, "0"))  # since its capacity is never so small
    return [_empty(lowering, node, length, lowering.code.most(length, "4"))]


@handles(lists.pack)
def pack(lowering: Lowering, node: Node) -> list[Lowered]:
    count = str(len(node.inputs))
    known = [dims for v in node.inputs if all(map(is_literal, dims := tuple(lowering.dims_of(v))))]
    if len({*known}) > 1:
        raise Unsupported("elements whose shapes may differ", node)
    like = lowering.dims_of(node.inputs[0]) if node.inputs else ()
    made = _empty(lowering, node, count, str(max(len(node.inputs), 4)), like)
    for i, value in enumerate(node.inputs):
        _put(lowering, made, str(i), value)
    return [made]


@handles(lists.from_tensor)
def from_tensor(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.array(node.inputs[0])
    made = _empty(lowering, node, x.dims[0], lowering.code.most(x.dims[0], "4"), x.dims[1:])
    lowering.copy_into(replace(made, dims=x.dims, capacity=""), x)
    return [made]


def _step(elements: Array) -> str:
    return elements.strides[0]


def place_of(lowering: Lowering, elements: Array, index: str) -> str:
    return lowering.code.at(memory(elements.dtype), elements.pointer, lowering.code.mul(index, _step(elements)))


def _put(lowering: Lowering, elements: Array, index: str, value: Value) -> None:
    """Copy a value into an element."""
    pointer = place_of(lowering, elements, index)
    target = Array(pointer, elements.dims[1:], elements.strides[1:], elements.dtype)
    fill(lowering, target, lowering.value(value))


def fill(lowering: Lowering, target: Array, found: Lowered) -> None:
    """Copy a value to where a part of a list is, of as many dimensions; the run fails if it has another size."""
    code = lowering.code
    dims = found.dims if isinstance(found, Array) else ()
    if len(dims) != len(target.dims):
        raise Unsupported("elements of different shapes in a list", lowering.node)
    if isinstance(found, Scalar):
        scalars.store(code, scalars.cast(code, found, target.dtype), target.pointer)
        return
    for d, wanted in zip(dims, target.dims):
        lowering.require(code.compare("eq", d, wanted))
    if found.dtype == target.dtype and found.packed:
        blocks.copy(code, target.pointer, found.pointer, lowering.size_in_bytes(target))
        return
    with nest(code, target.dims) as indices:
        number = scalars.load(code, lowering.element(found, indices), found.dtype)
        scalars.store(code, scalars.cast(code, number, target.dtype), lowering.element(target, indices))


def element(lowering: Lowering, elements: Array, index: str) -> Array:
    """A view of an element."""
    view = strided(elements, place_of(lowering, elements, index), elements.dims[1:], elements.strides[1:])
    return replace(view, packed=True)


def from_front(lowering: Lowering, index: str, length: str, negative: bool) -> str:
    code = lowering.code
    if negative:
        index = code.from_front(index, length)
    lowering.require(code.compare("sge", index, "0"))
    lowering.require(code.compare("slt", index, length))
    return index


def with_room(lowering: Lowering, elements: Array, length: str) -> Array:
    """A list of one's own with room for so many elements: it grows by half, so that appending stays cheap."""
    code = lowering.code
    if len(elements.buffers) != 1:
        elements = lowering.copied(elements)
    (buffer,) = elements.buffers
    pointer, base, capacity = code.slot("ptr"), code.slot("ptr"), code.slot("i64")
    for text, slot, kind in (
        (elements.pointer, pointer, "ptr"),
        (buffer.base, base, "ptr"),
        (elements.capacity, capacity, "i64"),
    ):
        code.store(kind, text, slot)
    grow, done = code.label("grow"), code.label("room")
    code.fork(code.compare("sgt", length, elements.capacity), grow, done)
    code.enter(grow)
    more = code.most(length, code.add(elements.capacity, code.divide(code.add(elements.capacity, "1"), "2")))
    made = lowering.new_list("0", code.most(more, "4"), elements.dims[1:], elements.dtype)
    blocks.copy(code, made.pointer, elements.pointer, lowering.size_in_bytes(elements))
    (fresh,) = made.buffers
    del lowering.scope.owned[fresh]
    blocks.release(code, lowering.context, buffer.base)
    for text, slot, kind in (
        (made.pointer, pointer, "ptr"),
        (made.pointer, base, "ptr"),
        (made.capacity, capacity, "i64"),
    ):
        code.store(kind, text, slot)
    code.block(done)
    new = replace(buffer, base=code.load("ptr", base))
    count = lowering.scope.owned.pop(buffer)
    lowering.scope.owned[new] = count - 1 if count else 0
    return Array(
        code.load("ptr", pointer), elements.dims, elements.strides, elements.dtype, frozenset([new]), True,
        code.load("i64", capacity),
    )  # fmt: skip


def resized(elements: Array, length: str) -> Array:
    return replace(elements, dims=(length, *elements.dims[1:]))


def own(lowering: Lowering, value: Value) -> Array:
    array = lowering.mine(value)
    assert array.is_list
    return array


@handles(lists.write)
def write(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    elements, index = own(lowering, node.inputs[0]), lowering.index(node.inputs[1])
    lowering.require(code.compare("sge", index, "0"))
    if not node.attributes["dynamic"]:
        lowering.require(code.compare("slt", index, elements.dims[0]))
        _put(lowering, elements, index, node.inputs[2])
        return [elements]
    value = lowering.value(node.inputs[2])
    lowering.require(code.compare("slt", index, str(LARGEST)))
    elements = _sized(lowering, elements, node.outputs[0].type, value.dims if isinstance(value, Array) else ())
    before, length = elements.dims[0], code.most(elements.dims[0], code.add(index, "1"))
    elements = resized(with_room(lowering, elements, length), length)
    cleared_between(lowering, elements, before, index)
    _put(lowering, elements, index, node.inputs[2])
    return [elements]


def cleared_between(lowering: Lowering, elements: Array, start: str, end: str) -> None:
    """Zeros for elements that nobody has written, if there are any."""
    code = lowering.code
    some, done = code.label("between"), code.label("cleared")
    code.fork(code.compare("slt", start, end), some, done)
    code.enter(some)
    size = code.mul(code.mul(code.sub(end, start), _step(elements)), str(elements.dtype.size))
    blocks.clear(code, place_of(lowering, elements, start), size)
    code.jump(done)
    code.enter(done)


def appends(body: Graph, number: int) -> bool:
    """Whether each iteration writes the next element of the list that is this part of a loop's state."""
    value, made = body.inputs[number], {v: n for n in body.nodes for v in n.outputs}
    if not isinstance(value.type, ListType) or not all(isinstance(d, int) for d in value.type.shape or ()):
        return False
    written = made.get(body.outputs[number])
    if written is None or written.op is not lists.write or written.inputs[0] is not value:
        return False
    index = written.inputs[1]
    if index not in body.inputs[: len(body.outputs)] or not written.attributes["dynamic"]:
        return False
    after = made.get(body.outputs[body.inputs.index(index)])
    return after is not None and after.op is ew.add and after.inputs[0] is index and _is_one(made.get(after.inputs[1]))


def _is_one(node: Node | None) -> bool:
    return node is not None and node.op is shape_ops.constant and np.array_equal(node.attributes["value"], 1)


@handles(lists.set_item)
def set_item(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = own(lowering, node.inputs[0])
    index = from_front(lowering, lowering.index(node.inputs[1]), elements.dims[0], negative=True)
    _put(lowering, elements, index, node.inputs[2])
    return [elements]


@handles(lists.read, lists.read_like)
def read(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = lowering.array(node.inputs[0])
    index = from_front(lowering, lowering.index(node.inputs[1]), elements.dims[0], negative=False)
    return [element(lowering, elements, index)]


@handles(lists.add_at)
def add_at(lowering: Lowering, node: Node) -> list[Lowered]:
    code, elements = lowering.code, own(lowering, node.inputs[0])
    index = from_front(lowering, lowering.index(node.inputs[1]), elements.dims[0], negative=False)
    target, value = element(lowering, elements, index), lowering.array(node.inputs[2])
    for d, wanted in zip(value.dims, target.dims):
        lowering.require(code.compare("eq", d, wanted))
    with nest(code, target.dims) as indices:
        address = lowering.element(target, indices)
        parts = [
            scalars.load(code, address, target.dtype),
            scalars.load(code, lowering.element(value, indices), value.dtype),
        ]
        scalars.store(code, element_of(code, ew.add, parts, target.dtype), address)
    return [elements]


@handles(lists.erase)
def erase(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = own(lowering, node.inputs[0])
    index = from_front(lowering, lowering.index(node.inputs[1]), elements.dims[0], negative=False)
    cleared_between(lowering, elements, index, lowering.code.add(index, "1"))
    return [elements]


@handles(lists.item, lists.popped)
def item(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = lowering.array(node.inputs[0])
    index = from_front(lowering, lowering.index(node.inputs[1]), elements.dims[0], negative=True)
    return [element(lowering, elements, index)]


@handles(lists.cell)
def cell(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = lowering.array(node.inputs[0])
    view = _row(lowering, elements, node)
    place = from_front(lowering, lowering.index(node.inputs[2]), view.dims[0], negative=True)
    at = lowering.code.at(memory(view.dtype), view.pointer, lowering.code.mul(place, view.strides[0]))
    return [replace(strided(view, at, view.dims[1:], view.strides[1:]), packed=True)]


def _row(lowering: Lowering, elements: Array, node: Node) -> Array:
    if len(elements.dims) < 2:
        raise Unsupported("elements whose number of dimensions is not known", node)
    index = from_front(lowering, lowering.index(node.inputs[1]), elements.dims[0], negative=True)
    return element(lowering, elements, index)


@handles(lists.set_cell)
def set_cell(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = own(lowering, node.inputs[0])
    row = _row(lowering, elements, node)
    place = from_front(lowering, lowering.index(node.inputs[2]), row.dims[0], negative=True)
    _put(lowering, row, place, node.inputs[3])
    return [elements]


@handles(lists.append_cell)
def append_cell(lowering: Lowering, node: Node) -> list[Lowered]:
    # Other rows than these are places and cells.
    raise Unsupported("rows of any length, of elements whose shape is not known", node)


@handles(lists.stack)
def stack(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = lowering.array(node.inputs[0])
    return [replace(elements, capacity="")]


@handles(lists.concat)
def concat(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = lowering.array(node.inputs[0])
    if len(elements.dims) == 1:
        raise Unsupported("scalars are not joined", node)
    dims = (lowering.code.mul(*elements.dims[:2]), *elements.dims[2:])
    return [replace(elements, dims=dims, strides=dense(lowering.code, dims), capacity="")]


@handles(lists.size, lists.count, of_shapes=True)
def size(lowering: Lowering, node: Node) -> list[Lowered]:
    dims = lowering.dims_of(node.inputs[0])
    text = dims[0]
    known = int(text) if is_literal(text) else None
    return [scalars.cast(lowering.code, Scalar(text, int64, known), node.outputs[0].type.dtype)]


@handles(lists.extend)
def extend(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    more = lowering.array(node.inputs[1])
    elements = _sized(lowering, own(lowering, node.inputs[0]), node.outputs[0].type, more.dims[1:])
    for d, wanted in zip(more.dims[1:], elements.dims[1:]):
        lowering.require(
            code.choose(code.compare("eq", more.dims[0], "0"), "true", code.compare("eq", d, wanted), "i1")
        )
    length = code.add(elements.dims[0], more.dims[0])
    grown = with_room(lowering, elements, length)
    blocks.copy(code, place_of(lowering, grown, elements.dims[0]), more.pointer, lowering.size_in_bytes(more))
    return [resized(grown, length)]


@handles(lists.add)
def add(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    more = lowering.array(node.inputs[1])
    elements = _sized(lowering, own(lowering, node.inputs[0]), node.outputs[0].type, more.dims[1:])
    before, length = elements.dims[0], code.most(elements.dims[0], more.dims[0])
    grown = resized(with_room(lowering, elements, length), length)
    cleared_between(lowering, grown, before, length)
    if len(more.dims) != len(grown.dims):
        raise Unsupported("elements of different shapes in a list", node)
    for d, wanted in zip(more.dims[1:], grown.dims[1:]):
        lowering.require(
            code.choose(code.compare("eq", more.dims[0], "0"), "true", code.compare("eq", d, wanted), "i1")
        )
    with nest(code, more.dims) as indices:
        place = lowering.element(grown, indices)
        pair = [
            scalars.load(code, place, grown.dtype), scalars.load(code, lowering.element(more, indices), more.dtype),
        ]  # fmt: skip
        scalars.store(code, element_of(code, ew.add, pair, grown.dtype), place)
    return [grown]


@handles(lists.insert)
def insert(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    value = lowering.value(node.inputs[2])
    elements = own(lowering, node.inputs[0])
    elements = _sized(lowering, elements, node.outputs[0].type, value.dims if isinstance(value, Array) else ())
    length, index = elements.dims[0], lowering.index(node.inputs[1])
    index = code.least(code.most(code.from_front(index, length), "0"), length)
    grown = with_room(lowering, elements, code.add(length, "1"))
    _shift(lowering, grown, index, code.add(index, "1"), code.sub(length, index))
    _put(lowering, grown, index, node.inputs[2])
    return [resized(grown, code.add(length, "1"))]


@handles(lists.remove)
def remove(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    elements = own(lowering, node.inputs[0])
    length = elements.dims[0]
    index = from_front(lowering, lowering.index(node.inputs[1]), length, negative=True)
    after = code.add(index, "1")
    _shift(lowering, elements, after, index, code.sub(length, after))
    return [resized(elements, code.sub(length, "1"))]


def _shift(lowering: Lowering, elements: Array, start: str, to: str, count: str) -> None:
    code = lowering.code
    size = code.mul(code.mul(count, _step(elements)), str(elements.dtype.size))
    blocks.move(code, place_of(lowering, elements, to), place_of(lowering, elements, start), size)


@handles(lists.cast)
def cast(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = lowering.array(node.inputs[0])
    made = _empty(lowering, node, elements.dims[0], elements.capacity, elements.dims[1:])
    with nest(lowering.code, elements.dims) as indices:
        number = scalars.load(lowering.code, lowering.element(elements, indices), elements.dtype)
        scalars.store(lowering.code, scalars.cast(lowering.code, number, made.dtype), lowering.element(made, indices))
    return [made]


@handles(lists.full_like)
def full_like(lowering: Lowering, node: Node) -> list[Lowered]:
    code, elements = lowering.code, lowering.array(node.inputs[0])
    made = _empty(lowering, node, elements.dims[0], elements.capacity, elements.dims[1:])
    value = scalars.literal(node.attributes["value"], made.dtype)
    with nest(code, made.dims) as indices:
        scalars.store(code, value, lowering.element(made, indices))
    return [made]


@handles(lists.fit, lists.narrow, of_reals=True)
def fit(lowering: Lowering, node: Node) -> list[Lowered]:
    """Python's integers in a narrower dtype; a list with one that it does not hold is left to NumPy."""
    code, elements = lowering.code, lowering.array(node.inputs[0])
    made = _empty(lowering, node, elements.dims[0], elements.capacity, elements.dims[1:])
    with nest(code, elements.dims) as indices:
        number = scalars.load(code, lowering.element(elements, indices), elements.dtype)
        lowering.require(scalars.fits(code, number, made.dtype))
        scalars.store(code, scalars.cast(code, number, made.dtype), lowering.element(made, indices))
    return [made]


@handles(lists.gather)
def gather(lowering: Lowering, node: Node) -> list[Lowered]:
    elements, numbers = lowering.array(node.inputs[0]), lowering.array(node.inputs[1])
    made = lowering.allocate([*numbers.dims, *elements.dims[1:]], elements.dtype)
    return [_gathered(lowering, made, elements, numbers)]


@handles(lists.ordered)
def ordered(lowering: Lowering, node: Node) -> list[Lowered]:
    elements, numbers = lowering.array(node.inputs[0]), lowering.array(node.inputs[1])
    count = numbers.dims[0]
    made = lowering.new_list(count, lowering.code.most(count, "4"), elements.dims[1:], elements.dtype)
    return [_gathered(lowering, made, elements, numbers)]


def _gathered(lowering: Lowering, made: Array, elements: Array, numbers: Array) -> Array:
    code = lowering.code
    step = code.product(elements.dims[1:])
    with nest(code, numbers.dims, independent=False) as indices:
        index = scalars.cast(code, scalars.load(code, lowering.element(numbers, indices), numbers.dtype), int64).text
        index = from_front(lowering, index, elements.dims[0], negative=False)
        source = place_of(lowering, elements, index)
        blocks.copy(code, lowering.element(made, indices), source, code.mul(step, str(elements.dtype.size)))
    return made


@handles(lists.part)
def part(lowering: Lowering, node: Node) -> list[Lowered]:
    elements = lowering.array(node.inputs[0])
    rest = iter(node.inputs[1:])
    bounds = [lowering.index(next(rest)) if there else None for there in node.attributes["given"]]
    step = bounds[2] or "1"
    if not is_literal(step):
        raise Unsupported("a slice with a step that is not known", node)
    start, count, by = sliced(lowering, [*bounds[:2], int(step)], elements.dims[0])
    made = _empty(lowering, node, count, lowering.code.most(count, "4"), elements.dims[1:])
    view = strided(
        elements, place_of(lowering, elements, start), (count, *elements.dims[1:]),
        (lowering.code.mul(_step(elements), by), *elements.strides[1:]),
    )  # fmt: skip
    lowering.copy_into(replace(made, capacity=""), view)
    return [made]
