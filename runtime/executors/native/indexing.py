"""Parts of tensors: views where the index allows, otherwise loops that gather or scatter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.broadcasting import broadcast_dims, broadcast_element, strides_for
from runtime.executors.native.code import Code, is_literal, memory, wrapped
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.masks import EachHolding, holding, masked
from runtime.executors.native.values import LARGEST, Array, Lowered, Scalar, Unsupported, strided
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import DType, as_dtype, int64
from runtime.graph.graph import Node, Value
from runtime.ops import elementwise as ew, indexing, shape as shape_ops
from runtime.ops.indexing import INPUT

_FAR = 2**15  # elements up to which a step times a stride surely fits 64 bits


@dataclass
class Fancy:
    """An axis that is indexed by numbers in a tensor."""

    numbers: Array | Scalar
    size: str
    stride: str


@dataclass
class Part:
    """What an index leaves: a view, and perhaps axes that are gathered."""

    view: Array
    fancy: list[Fancy]
    place: int  # the dimension before which those of the gathered axes go


def _part(lowering: Lowering, x: Array, index: Sequence[object], given: Sequence[Value]) -> Part:
    code = lowering.code
    used = sum(part is not None and part is not Ellipsis for part in index)
    full = [slice(None)] * (len(x.dims) - used)
    at = next((i for i, part in enumerate(index) if part is Ellipsis), None)
    parts = [*index, *full] if at is None else [*index[: at + 1], *full, *index[at + 1 :]]
    rest = iter(given)
    pointer, dims, strides = x.pointer, [], []
    fancy: list[Fancy] = []
    places: list[int] = []
    several = any(part is INPUT and v.type.shape != () for part, v in _inputs_of(parts, given))
    axis = 0
    for number, part in enumerate(parts):
        if part is None:
            dims.append("1")
            strides.append("0")
            continue
        if part is Ellipsis:  # it parts what is on either side of it even if it stands for no axis
            continue
        size, stride = x.dims[axis], x.strides[axis]
        axis += 1
        if isinstance(part, slice):
            bounds = [lowering.index(next(rest)) if b is INPUT else b for b in (part.start, part.stop, part.step)]
            start, count, step = sliced(lowering, bounds, size)
            pointer = code.at(memory(x.dtype), pointer, code.mul(start, stride))
            dims.append(count)
            strides.append(code.mul(stride, step))
            continue
        value = next(rest) if part is INPUT else None
        if several:
            if value is not None and value.type.dtype.is_bool:
                raise Unsupported("an index of truth values", lowering.node)
            numbers = Scalar(str(part), int64, part) if value is None else lowering.value(value)
            fancy.append(Fancy(numbers, size, stride))
            places.append(number)
            if len(places) == 1:
                place = len(dims)
            continue
        if value is not None and value.type.dtype.is_bool:
            raise Unsupported("an index of truth values", lowering.node)
        position = str(part) if value is None else lowering.index(value)
        pointer = code.at(memory(x.dtype), pointer, code.mul(_position(lowering, position, size), stride))
    if fancy and places != list(range(places[0], places[0] + len(places))):
        raise Unsupported("indices of tensors with slices between them", lowering.node)
    view = strided(x, pointer, tuple(dims), tuple(strides))
    return Part(view, fancy, place if fancy else 0)


def _inputs_of(parts: Sequence[object], given: Sequence[Value]) -> list[tuple[object, Value]]:
    """The parts that stand for inputs, with them (the bounds of slices are inputs too)."""
    rest = iter(given)
    found: list[tuple[object, Value]] = []
    for part in parts:
        if isinstance(part, slice):
            for bound in (part.start, part.stop, part.step):
                if bound is INPUT:
                    next(rest)
        elif part is INPUT:
            found.append((part, next(rest)))
    return found


def _position(lowering: Lowering, position: str, size: str) -> str:
    """An index counted from the front; the run ends if there is no such element."""
    code = lowering.code
    if is_literal(position):
        position = lowering.bounded(int(position))
        if int(position) < 0:
            position = code.add(size, position)
            lowering.require(code.compare("sge", position, "0"))
        else:
            lowering.require(code.compare("sgt", size, position))
        return position
    position = code.from_front(position, size)
    inside = code.let(f"icmp ult i64 {position}, {size}")
    lowering.require(inside)
    return position


def sliced(lowering: Lowering, bounds: Sequence[int | str | None], size: str) -> tuple[str, str, str]:
    """Start, count and step of a slice."""
    code = lowering.code
    start, stop, step = bounds
    if isinstance(step, str):
        return _by_any_step(lowering, start, stop, step, size)
    step = 1 if step is None else step
    if step == 0:
        lowering.require("false")
        return "0", "0", "1"
    if is_literal(size) and not isinstance(start, str) and not isinstance(stop, str):
        steps = range(*slice(start, stop, step).indices(int(size)))
        return str(steps.start), str(len(steps)), wrapped(step)
    low, high = ("0", size) if step > 0 else ("-1", code.sub(size, "1"))

    first = _bound(code, start, size, low, high, low if step > 0 else high)
    last = _bound(code, stop, size, low, high, high if step > 0 else low)
    way = code.sub(last, first) if step > 0 else code.sub(first, last)
    by = str(min(abs(step), LARGEST))
    count = code.divide(code.most(code.add(way, str(int(by) - 1)), "0"), by)
    if int(by) > _FAR:  # no further than to the next element, if there were one
        by = code.least(by, code.most(size, "1"))
    return first, count, by if step > 0 else code.sub("0", by)


def _bound(code: Code, given: int | str | None, size: str, low: str, high: str, otherwise: str) -> str:
    """Where a slice begins or ends."""
    if given is None:
        return otherwise
    text = given if isinstance(given, str) else str(max(-LARGEST, min(given, LARGEST)))
    text = code.from_front(text, size)
    return code.least(code.most(text, low), high)


def _by_any_step(
    lowering: Lowering, start: int | str | None, stop: int | str | None, step: str, size: str
) -> tuple[str, str, str]:
    """Start, count and step of a slice whose step is known at run time."""
    code = lowering.code
    lowering.require(code.compare("ne", step, "0"))
    forwards = code.compare("sgt", step, "0")
    before_last = code.sub(size, "1")
    low, high = code.choose(forwards, "0", "-1"), code.choose(forwards, size, before_last)
    first = _bound(code, start, size, low, high, code.choose(forwards, "0", before_last))
    last = _bound(code, stop, size, low, high, code.choose(forwards, size, "-1"))
    way = code.choose(forwards, code.sub(last, first), code.sub(first, last))
    step = code.least(code.most(step, str(-LARGEST)), str(LARGEST))
    by = code.choose(forwards, step, code.sub("0", step))
    count = code.divide(code.most(code.add(way, code.sub(by, "1")), "0"), by)
    by = code.least(by, code.most(size, "1"))  # no further than to the next element, if there were one
    return first, count, code.choose(forwards, by, code.sub("0", by))


def _offset(lowering: Lowering, fancy: Sequence[Fancy], indices: Sequence[str], sound: str) -> str:
    """Where gathered axes point for an element of the indices; `sound` notes whether there is such an element."""
    code = lowering.code
    offset = "0"
    for part in fancy:
        if isinstance(part.numbers, Scalar):
            number = part.numbers
        else:
            number = scalars.load(code, lowering.element(part.numbers, indices), part.numbers.dtype)
        position = scalars.cast(code, number, int64).text
        position = code.from_front(position, part.size)
        inside = code.let(f"icmp ult i64 {position}, {part.size}")
        code.store("i1", code.let(f"and i1 {code.load('i1', sound)}, {inside}"), sound)
        offset = code.add(offset, code.mul(code.choose(inside, position, "0"), part.stride))
    return offset


def _together(lowering: Lowering, fancy: Sequence[Fancy]) -> tuple[list[Fancy], list[str]]:
    """The numbers read as if they had the dimensions that they have together, and those."""
    arrays = [f.numbers for f in fancy if isinstance(f.numbers, Array)]
    rank = max((len(a.dims) for a in arrays), default=0)
    dims = broadcast_dims(lowering, [a.dims for a in arrays], [None] * rank) if rank else ()
    spread = [
        replace(f, numbers=strided(n, n.pointer, dims, tuple(strides_for(lowering, n, dims))))
        if isinstance(n := f.numbers, Array) else f
        for f in fancy
    ]  # fmt: skip
    return spread, [*dims]


def _check_numbers(lowering: Lowering, part: Part, fancy: Sequence[Fancy], middle: Sequence[str]) -> None:
    """The run ends if a number that no element is taken for, since there are none beside it, lies outside."""
    code = lowering.code
    none = code.compare("eq", code.product(middle), "0") if middle else "false"
    for f in fancy:
        lowering.require(code.let(f"or i1 {none}, {code.compare('sgt', f.size, '0')}"))
    beside = [d for d in part.view.dims if not is_literal(d) or d == "0"]
    if not beside:
        return
    look, seen = code.label("look"), code.label("seen")
    sound = code.slot("i1")
    code.store("i1", "true", sound)
    code.fork(code.compare("eq", code.product(beside), "0"), look, seen)
    code.enter(look)
    with nest(code, middle, independent=False) as indices:
        _offset(lowering, fancy, indices, sound)
    code.jump(seen)
    code.enter(seen)
    lowering.require(code.load("i1", sound))


def gathered(lowering: Lowering, part: Part, output: Value) -> Array:
    code = lowering.code
    fancy, middle = _together(lowering, part.fancy)
    before, after = part.view.dims[: part.place], part.view.dims[part.place :]
    result = lowering.result(output, [*before, *middle, *after])
    sound = code.slot("i1")
    code.store("i1", "true", sound)
    _check_numbers(lowering, part, fancy, middle)
    with nest(code, result.dims) as indices:
        inner = indices[len(before) : len(before) + len(middle)]
        offset = _offset(lowering, fancy, inner, sound)
        plain = [*indices[: len(before)], *indices[len(before) + len(middle) :]]
        offset = code.add(offset, code.offset(plain, part.view.strides))
        kind = memory(result.dtype)
        value = code.load(kind, code.at(kind, part.view.pointer, offset))
        code.store(kind, value, lowering.element(result, indices))
    lowering.require(code.load("i1", sound))
    return result


@handles(indexing.getitem)
def getitem(lowering: Lowering, node: Node) -> list[Lowered]:
    if any(v.type.dtype.is_bool for v in node.inputs[1:]):
        return [_where(lowering, node)]
    part = _part(lowering, lowering.array(node.inputs[0]), node.attributes["index"], node.inputs[1:])
    _notice(lowering, node.outputs[0], node.inputs[1:])
    return [gathered(lowering, part, node.outputs[0]) if part.fancy else part.view]


def _where(lowering: Lowering, node: Node) -> Array:
    """``x[:, mask]``."""
    x, mask, index = lowering.array(node.inputs[0]), lowering.array(node.inputs[1]), node.attributes["index"]
    if len(node.inputs) > 2:
        raise Unsupported("an index of truth values among others", node)
    view, axis = _beside_mask(lowering, x, len(mask.dims), index)
    return masked(lowering, view, mask, axis, node.outputs[0])


def _notice(lowering: Lowering, element: Value, indices: Sequence[Value]) -> None:
    """A loop over single elements is where LLVM moves and removes much: what the indices have in common, and tests."""
    if indices and element.type.shape == ():
        lowering.module.thorough = True


@handles(indexing.gather)
def gather(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.array(node.inputs[0])
    axis = node.attributes["axis"] % len(x.dims)
    code = lowering.code
    numbers = lowering.value(node.inputs[1])
    if isinstance(numbers, Scalar):
        position = scalars.cast(code, numbers, int64).text
        lowering.require(code.let(f"icmp ult i64 {position}, {x.dims[axis]}"))
        pointer = code.at(memory(x.dtype), x.pointer, code.mul(position, x.strides[axis]))
        return [strided(x, pointer, x.dims[:axis] + x.dims[axis + 1 :], x.strides[:axis] + x.strides[axis + 1 :])]
    view = strided(x, x.pointer, x.dims[:axis] + x.dims[axis + 1 :], x.strides[:axis] + x.strides[axis + 1 :])
    not_negative(lowering, numbers)
    return [gathered(lowering, Part(view, [Fancy(numbers, x.dims[axis], x.strides[axis])], axis), node.outputs[0])]


def not_negative(lowering: Lowering, numbers: Array) -> None:
    """Gathering does not count from the end."""
    code = lowering.code
    sound = code.slot("i1")
    code.store("i1", "true", sound)
    with nest(code, numbers.dims, independent=False) as indices:
        number = scalars.load(code, lowering.element(numbers, indices), numbers.dtype)
        good = code.compare("sge", scalars.cast(code, number, int64).text, "0")
        code.store("i1", code.let(f"and i1 {code.load('i1', sound)}, {good}"), sound)
    lowering.require(code.load("i1", sound))


@handles(indexing.setitem)
def setitem(lowering: Lowering, node: Node) -> list[Lowered]:
    source, value, *given = node.inputs
    index, how = node.attributes["index"], node.attributes["how"]
    lowering.settle(source)
    new = lowering.value(value)
    target = lowering.mine(source)
    if len(given) == 1 and given[0].type.dtype.is_bool:
        _set_where(lowering, target, new, lowering.array(given[0]), index, how)
        return [target]
    part = _part(lowering, target, index, given)
    _notice(lowering, value, given)
    write(lowering, target, part, new, how)
    return [target]


def _combined(code: Code, how: str, place: str, number: Scalar, dtype: DType) -> Scalar:
    """What `how` makes of the element at a place and a number, computed in the dtype of that."""
    kind = number.dtype.dtype
    made = as_dtype(indexing.combining(how).resolve_dtypes((kind, kind, None))[-1])
    so_far = scalars.cast(code, scalars.load(code, place, dtype), number.dtype)
    return element_of(code, indexing.COMBINED[how], [so_far, number], made)


def write(lowering: Lowering, target: Array, part: Part, new: Lowered, how: str) -> None:
    """Set a part of an array, or have it become what `how` makes of it and the values."""
    fancy, middle = _together(lowering, part.fancy)
    before, after = part.view.dims[: part.place], part.view.dims[part.place :]
    dims = [*before, *middle, *after]
    strides = strides_for(lowering, new, dims)
    code = lowering.code
    sound = code.slot("i1")
    code.store("i1", "true", sound)
    if fancy:
        _check_numbers(lowering, part, fancy, middle)
    with nest(code, dims, independent=not fancy) as indices:
        offset = "0"
        if fancy:
            offset = _offset(lowering, fancy, indices[len(before) : len(before) + len(middle)], sound)
        plain = [*indices[: len(before)], *indices[len(before) + len(middle) :]]
        offset = code.add(offset, code.offset(plain, part.view.strides))
        place = code.at(memory(target.dtype), part.view.pointer, offset)
        number = broadcast_element(lowering, new, strides, indices)
        if how != "set":
            number = _combined(code, how, place, number, target.dtype)
        scalars.store(code, scalars.cast(code, number, target.dtype), place)
    if part.fancy:
        lowering.require(code.load("i1", sound))


def _set_where(lowering: Lowering, target: Array, new: Lowered, mask: Array, index: Sequence[object], how: str) -> None:
    """``x[mask] = values``: a number, or what each place gets that the mask chooses."""
    code = lowering.code
    view, axis = _beside_mask(lowering, target, len(mask.dims), index)
    for d, e in zip(mask.dims, view.dims[axis:]):
        lowering.require(code.compare("eq", d, e))
    if how == "set" and isinstance(new, Scalar) and len(mask.dims) == len(view.dims):
        number = scalars.cast(code, new, target.dtype)
        with nest(code, view.dims) as indices:
            test = scalars.load(code, lowering.element(mask, indices), mask.dtype)
            place = lowering.element(view, indices)
            so_far = scalars.load(code, place, target.dtype)
            scalars.store(code, element_of(code, ew.where, [test, number, so_far], target.dtype), place)
        return
    before, after = view.dims[:axis], view.dims[axis + len(mask.dims) :]
    strides = strides_for(lowering, new, [*before, holding(lowering, mask), *after])
    with EachHolding(lowering, mask) as (chosen, number_of), nest(code, [*before, *after]) as others:
        place = lowering.element(view, [*others[:axis], *chosen, *others[axis:]])
        given = broadcast_element(lowering, new, strides, [*others[:axis], number_of, *others[axis:]])
        made = given if how == "set" else _combined(code, how, place, given, target.dtype)
        scalars.store(code, scalars.cast(code, made, target.dtype), place)


def _beside_mask(lowering: Lowering, x: Array, rank: int, index: Sequence[object]) -> tuple[Array, int]:
    """What is left of an array where a mask of some of its axes has yet to choose, and the first of these axes."""
    if not rank or any(INPUT in (p.start, p.stop, p.step) for p in index if isinstance(p, slice)):
        raise Unsupported("an index of truth values among others", lowering.node)
    at = next(i for i, part in enumerate(index) if part is INPUT)
    kinds = ["1" if part is INPUT or isinstance(part, int) else "0" for part in index if part is not None]
    if "0" in "".join(kinds).strip("0"):  # NumPy puts what is chosen first then
        raise Unsupported("an index of truth values apart from a number", lowering.node)
    part = _part(lowering, x, [*index[:at], *[slice(None)] * rank, *index[at + 1 :]], [])
    if part.fancy:
        raise Unsupported("an index of truth values among others", lowering.node)
    ahead = sum(isinstance(p, slice) or p is None for p in index[:at])
    if Ellipsis in index[:at]:
        ahead = len(part.view.dims) - rank - sum(isinstance(p, slice) or p is None for p in index[at + 1 :])
    return part.view, ahead


@handles(shape_ops.reverse)
def reverse(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.array(node.inputs[0])
    axes = node.attributes["axis"]
    axes = range(len(x.dims)) if axes is None else axes if isinstance(axes, tuple | list) else [axes]
    axes = {a % len(x.dims) for a in axes}
    code, pointer, strides = lowering.code, x.pointer, list(x.strides)
    for axis in axes:
        pointer = code.at(memory(x.dtype), pointer, code.mul(code.sub(x.dims[axis], "1"), strides[axis]))
        strides[axis] = code.sub("0", strides[axis])
    return [replace(x, pointer=pointer, strides=tuple(strides), packed=False)]
