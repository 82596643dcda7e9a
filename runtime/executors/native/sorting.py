"""Sorting along an axis: merges of runs that double, so that equal elements keep their order."""

from __future__ import annotations

import functools
from collections.abc import Callable

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import memory
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.memory import move
from runtime.executors.native.values import Array, Lowered, Scalar
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import bool_, int64
from runtime.graph.graph import Node
from runtime.ops import elementwise as ew, indexing

Key = Callable[[str], Scalar]  # from an index to what decides its place


@handles(indexing.sort, indexing.argsort, of_reals=True)
def sort(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    x = lowering.array(node.inputs[0])
    axis = node.attributes["axis"] % len(x.dims)
    size = x.dims[axis]
    made = lowering.result(node.outputs[0], x.dims)
    order, spare = lowering.allocate([size], int64), lowering.allocate([size], int64)
    others = [d for i, d in enumerate(x.dims) if i != axis]
    with nest(code, others, independent=False) as outer:

        def element(array: Array, at: str) -> str:
            return lowering.element(array, [*outer[:axis], at, *outer[axis:]])

        _count(lowering, order, size)
        sorted_ = _order(lowering, order, spare, size, lambda at: scalars.load(code, element(x, at), x.dtype))
        with code.loop(size) as i:
            source = code.load("i64", code.at("i64", sorted_, i))
            found = Scalar(source, int64)
            if not node.op.by_position:
                found = scalars.load(code, element(x, source), x.dtype)
            scalars.store(code, scalars.cast(code, found, made.dtype), element(made, i))
    return [made]


@handles(indexing.order_of_rows, of_reals=True)
def order_of_rows(lowering: Lowering, node: Node) -> list[Lowered]:
    """By the last column first, then by those that count more; with NaN Python's way of sorting decides."""
    code, reverse = lowering.code, node.attributes["reverse"]
    columns = [lowering.array(value) for value in node.inputs]
    size = columns[0].dims[0]
    made = lowering.result(node.outputs[0], [size])
    order, spare = lowering.allocate([size], int64), lowering.allocate([size], int64)
    _count(lowering, order, size, reverse)
    for column in reversed(columns):
        key = functools.partial(_key, lowering, column)
        if column.dtype.is_floating:
            with code.loop(size) as i:
                number = element_of(code, ew.is_nan, [key(i)], bool_).text
                lowering.require(code.let(f"xor i1 {number}, true"))
        found = _order(lowering, order, spare, size, key)
        if column is not columns[0]:
            move(code, order.pointer, found, code.mul(size, "8"))
    with code.loop(size) as i:
        place = Scalar(code.load("i64", code.at("i64", found, i)), int64)
        at = code.sub(code.sub(size, "1"), i) if reverse else i
        scalars.store(code, scalars.cast(code, place, made.dtype), lowering.element(made, [at]))
    return [made]


def _key(lowering: Lowering, column: Array, at: str) -> Scalar:
    return scalars.load(lowering.code, lowering.element(column, [at]), column.dtype)


@handles(indexing.top_k, of_reals=True)
def top_k(lowering: Lowering, node: Node) -> list[Lowered]:
    """The k largest of the last axis, in order, by insertion: most elements are smaller than all of them."""
    code, k = lowering.code, lowering.bounded(node.attributes["k"])
    x = lowering.packed(lowering.array(node.inputs[0]))
    size = x.dims[-1]
    lowering.require(code.compare("sge", size, k))
    dims = [*x.dims[:-1], k]
    values, places = lowering.result(node.outputs[0], dims), lowering.result(node.outputs[1], dims)
    if int(k) <= 0:
        return [values, places]
    kind, whole = memory(x.dtype), memory(places.dtype)
    with nest(code, [code.product(x.dims[:-1])], independent=False) as (row,):
        source = code.at(kind, x.pointer, code.mul(row, size))
        best, at = code.at(kind, values.pointer, code.mul(row, k)), code.at(whole, places.pointer, code.mul(row, k))
        filled = code.slot("i64")
        code.store("i64", "0", filled)
        with code.loop(size) as i:
            element = scalars.load(code, code.at(kind, source, i), x.dtype)
            count = code.load("i64", filled)
            room, full, skip = code.label("room"), code.label("full"), code.label("skip")
            insert = code.label("insert")
            code.fork(code.let(f"icmp slt i64 {count}, {k}"), room, full)
            code.enter(full)
            worst = scalars.load(code, code.at(kind, best, code.sub(k, "1")), x.dtype)
            code.fork(_larger(lowering, element, worst), insert, skip)
            code.enter(room)
            code.store("i64", code.add(count, "1"), filled)
            code.block(insert)
            code.spend(k)
            _insert(lowering, element, i, best, at, code.least(count, code.sub(k, "1")), node)
            code.block(skip)
    return [values, places]


def _insert(lowering: Lowering, element: Scalar, index: str, best: str, at: str, last: str, node: Node) -> None:
    """Put an element where it belongs among the best so far; those after it move by one."""
    code = lowering.code
    kind, whole = memory(element.dtype), memory(node.outputs[1].type.dtype)
    place = code.slot("i64")
    code.store("i64", last, place)
    head, look, move, done = (code.label(s) for s in ("head", "look", "move", "found"))
    code.block(head)
    here = code.load("i64", place)
    code.fork(code.let(f"icmp sgt i64 {here}, 0"), look, done)
    code.enter(look)
    before = code.sub(here, "1")
    other = scalars.load(code, code.at(kind, best, before), element.dtype)
    code.fork(_larger(lowering, element, other), move, done)
    code.enter(move)
    scalars.store(code, other, code.at(kind, best, here))
    code.store(whole, code.load(whole, code.at(whole, at, before)), code.at(whole, at, here))
    code.store("i64", before, place)
    code.jump(head)
    code.enter(done)
    scalars.store(code, element, code.at(kind, best, here))
    number = scalars.cast(code, Scalar(index, int64), node.outputs[1].type.dtype)
    scalars.store(code, number, code.at(whole, at, here))


def _larger(lowering: Lowering, a: Scalar, b: Scalar) -> str:
    """Whether a comes before b when the largest come first; NaN is larger than any number, as NumPy sorts."""
    return before(lowering, b, a)


def _count(lowering: Lowering, order: Array, size: str, backwards: bool = False) -> None:
    """The indices 0, 1 …, or these from the last to the first."""
    code = lowering.code
    with code.loop(size) as i:
        at = code.sub(code.sub(size, "1"), i) if backwards else i
        code.store("i64", i, code.at("i64", order.pointer, at))


def _order(lowering: Lowering, order: Array, spare: Array, size: str, key: Key) -> str:
    """Where the indices in sorted order lie; of equal ones that comes first which did so before."""
    code = lowering.code
    source, target = code.slot("ptr"), code.slot("ptr")
    width = code.slot("i64")
    code.store("ptr", order.pointer, source)
    code.store("ptr", spare.pointer, target)
    code.store("i64", "1", width)
    head, body, done = code.label("width"), code.label("pass"), code.label("sorted")
    code.block(head)
    step = code.load("i64", width)
    code.fork(code.let(f"icmp slt i64 {step}, {size}"), body, done)
    code.enter(body)
    old, new = code.load("ptr", source), code.load("ptr", target)
    pairs = code.divide(code.sub(code.add(size, code.mul(step, "2")), "1"), code.mul(step, "2"))
    with code.loop(pairs) as pair:
        start = code.mul(pair, code.mul(step, "2"))
        middle = code.least(code.add(start, step), size)
        _merge(lowering, old, new, start, middle, code.least(code.add(middle, step), size), key)
    code.store("ptr", new, source)
    code.store("ptr", old, target)
    code.store("i64", code.mul(step, "2"), width)
    code.jump(head)
    code.enter(done)
    return code.load("ptr", source)


def _merge(lowering: Lowering, old: str, new: str, start: str, middle: str, end: str, key: Key) -> None:
    code = lowering.code
    left, right = code.slot("i64"), code.slot("i64")
    code.store("i64", start, left)
    code.store("i64", middle, right)
    with code.loop(end, start) as place:
        a, b = code.load("i64", left), code.load("i64", right)
        from_left, from_right, done = (code.label(s) for s in ("left", "right", "merged"))
        one, both = code.label("left.some"), code.label("both")
        code.fork(code.let(f"icmp slt i64 {a}, {middle}"), one, from_right)
        code.enter(one)
        code.fork(code.let(f"icmp slt i64 {b}, {end}"), both, from_left)
        code.enter(both)
        x, y = (key(code.load("i64", code.at("i64", old, i))) for i in (a, b))
        code.fork(before(lowering, y, x), from_right, from_left)
        for label, slot, index in ((from_left, left, a), (from_right, right, b)):
            code.enter(label)
            code.store("i64", code.load("i64", code.at("i64", old, index)), code.at("i64", new, place))
            code.store("i64", code.add(index, "1"), slot)
            code.jump(done)
        code.enter(done)


def before(lowering: Lowering, a: Scalar, b: Scalar) -> str:
    """Whether a comes before b; NaN comes last."""
    code = lowering.code
    less = element_of(code, ew.less, [a, b], bool_).text
    if not a.dtype.is_floating:
        return less
    number = element_of(code, ew.is_nan, [a], bool_).text
    last = element_of(code, ew.is_nan, [b], bool_).text
    return code.either(less, code.both(code.let(f"xor i1 {number}, true"), last))
