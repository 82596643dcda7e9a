"""Making tensors, and changing their shape: views where nothing has to move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.broadcasting import broadcast_dims, broadcast_element, strides_for
from runtime.executors.native.code import is_literal, memory, register
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.values import Array, Lowered, Scalar, Unsupported, dense, strided
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import bool_, int64
from runtime.graph.graph import Node, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, reduce, shape as shape_ops


@handles(shape_ops.constant)
def constant(lowering: Lowering, node: Node) -> list[Lowered]:
    value, dtype = np.asarray(node.attributes["value"]), node.attributes["dtype"]
    if value.ndim == 0:
        return [scalars.literal(value.item(), dtype)]
    value = np.ascontiguousarray(value.astype(dtype.dtype))
    pointer = lowering.module.constant(value.tobytes())
    dims = tuple(map(str, value.shape))
    return [Array(pointer, dims, dense(lowering.code, dims), dtype)]


def _shape(lowering: Lowering, shape: Sequence[int | None], given: Sequence[Value]) -> list[str]:
    """Dimensions, those that are not known taken from inputs."""
    rest = iter(given)
    return [lowering.index(next(rest)) if d is None else lowering.bounded(d) for d in shape]


@handles(shape_ops.fill)
def fill(lowering: Lowering, node: Node) -> list[Lowered]:
    value = lowering.array(node.inputs[0])
    dims = _shape(lowering, node.attributes["shape"], node.inputs[1:])
    lowering.checked_size(dims, value.dtype)
    return [strided(value, value.pointer, tuple(dims), ("0",) * len(dims))]


@handles(shape_ops.broadcast_to)
def broadcast_to(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.array(node.inputs[0])
    dims = _shape(lowering, node.attributes["shape"], node.inputs[1:])
    if len(x.dims) > len(dims):
        raise Unsupported("broadcasting to fewer dimensions", node)
    lowering.checked_size(dims, x.dtype)
    return [strided(x, x.pointer, tuple(dims), tuple(strides_for(lowering, x, dims)))]


@handles(reduce.sum_to)
def sum_to(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.array(node.inputs[0])
    return [_summed(lowering, x, _shape(lowering, node.attributes["shape"], node.inputs[1:]))]


@handles(reduce.sum_like)
def sum_like(lowering: Lowering, node: Node) -> list[Lowered]:
    return [_summed(lowering, lowering.array(node.inputs[0]), lowering.array(node.inputs[1]).dims)]


def _summed(lowering: Lowering, x: Array, dims: Sequence[str]) -> Array:
    """Each element added to the one of an array of these dimensions that goes with it when both are broadcast."""
    if len(dims) > len(x.dims):
        raise Unsupported("a sum with more dimensions", lowering.node)
    if tuple(dims) == x.dims:
        return x
    code = lowering.code
    made = lowering.allocate(dims, x.dtype, zero=True)
    around = broadcast_dims(lowering, [x.dims, tuple(dims)], [None] * len(x.dims))
    view = strided(made, made.pointer, around, tuple(strides_for(lowering, made, around)))
    source = strided(x, x.pointer, around, tuple(strides_for(lowering, x, around)))
    with nest(code, around, independent=False) as indices:
        place = lowering.element(view, indices)
        number = scalars.load(code, lowering.element(source, indices), x.dtype)
        so_far = scalars.load(code, place, x.dtype)
        scalars.store(code, element_of(code, ew.add, [so_far, number], x.dtype), place)
    return made


@handles(shape_ops.reshape)
def reshape(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    x = lowering.packed(lowering.array(node.inputs[0]))
    dims = _shape(lowering, node.attributes["shape"], node.inputs[1:])
    total = code.product(x.dims)
    if "-1" in dims:
        at = dims.index("-1")
        known = [d for i, d in enumerate(dims) if i != at]
        lowering.checked_size(known, x.dtype)
        others = code.product(known)
        lowering.require(code.compare("sgt", others, "0"))
        dims[at] = code.divide(total, others)
    lowering.checked_size(dims, x.dtype)
    lowering.require(code.compare("eq", code.product(dims), total))
    return [replace(x, dims=tuple(dims), strides=dense(code, tuple(dims)), capacity="")]


@handles(shape_ops.transpose)
def transpose(lowering: Lowering, node: Node) -> list[Lowered]:
    x, axes = lowering.array(node.inputs[0]), node.attributes["axes"]
    rank = len(x.dims)
    order = list(range(rank))[::-1] if axes is None else [a % rank for a in axes]
    if order == list(range(rank)):
        return [x]
    return [strided(x, x.pointer, tuple(x.dims[a] for a in order), tuple(x.strides[a] for a in order))]


@handles(shape_ops.expand_dims)
def expand_dims(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.array(node.inputs[0])
    at = node.attributes["axis"] % (len(x.dims) + 1)
    return [replace(x, dims=(*x.dims[:at], "1", *x.dims[at:]), strides=(*x.strides[:at], "0", *x.strides[at:]))]


@handles(shape_ops.squeeze)
def squeeze(lowering: Lowering, node: Node) -> list[Lowered]:
    x, axis = lowering.array(node.inputs[0]), node.attributes["axis"]
    gone = {i for i, d in enumerate(x.dims) if d == "1"} if axis is None else {a % len(x.dims) for a in axis}
    if axis is None and not all(map(is_literal, x.dims)):
        raise Unsupported("squeezing a tensor of unknown dimensions", node)
    for a in gone:
        lowering.require(lowering.code.compare("eq", x.dims[a], "1"))
    kept = [i for i in range(len(x.dims)) if i not in gone]
    return [replace(x, dims=tuple(x.dims[i] for i in kept), strides=tuple(x.strides[i] for i in kept))]


@handles(shape_ops.identity, shape_ops.stop_gradient)
def identity(lowering: Lowering, node: Node) -> list[Lowered]:
    return [lowering.value(node.inputs[0])]


@handles(shape_ops.with_gradient)
def with_gradient(lowering: Lowering, node: Node) -> list[Lowered]:
    return [lowering.value(v) for v in node.inputs[: node.attributes["count"]]]


@handles(shape_ops.ensure_shape)
def ensure_shape(lowering: Lowering, node: Node) -> list[Lowered]:
    x, shape = lowering.value(node.inputs[0]), node.attributes["shape"]
    if isinstance(x, Array) and shape is not None:
        if len(shape) != len(x.dims):
            raise Unsupported("a shape of another rank", node)
        for d, wanted in zip(x.dims, shape):
            if wanted is not None:
                lowering.require(lowering.code.compare("eq", d, str(wanted)))
    return [x]


# What is asked about shapes.


def _integer(lowering: Lowering, text: str, node: Node) -> Lowered:
    return scalars.cast(
        lowering.code, Scalar(text, int64, int(text) if is_literal(text) else None), node.attributes["dtype"]
    )


@handles(shape_ops.shape, of_shapes=True)
def shape(lowering: Lowering, node: Node) -> list[Lowered]:
    dims, dtype = lowering.dims_of(node.inputs[0]), node.attributes["dtype"]
    made = lowering.allocate([str(len(dims))], dtype)
    for i, d in enumerate(dims):
        place = lowering.code.at(memory(dtype), made.pointer, str(i))
        scalars.store(lowering.code, scalars.cast(lowering.code, Scalar(d, int64), dtype), place)
    return [made]


@handles(shape_ops.size, of_shapes=True)
def size(lowering: Lowering, node: Node) -> list[Lowered]:
    return [_integer(lowering, lowering.code.product(lowering.dims_of(node.inputs[0])), node)]


@handles(shape_ops.rank, of_shapes=True)
def rank(lowering: Lowering, node: Node) -> list[Lowered]:
    return [_integer(lowering, str(len(lowering.dims_of(node.inputs[0]))), node)]


@handles(shape_ops.length, of_shapes=True)
def length(lowering: Lowering, node: Node) -> list[Lowered]:
    return [_integer(lowering, lowering.dims_of(node.inputs[0])[node.attributes["axis"]], node)]


# New tensors from others.


@handles(shape_ops.concat)
def concat(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    xs = [lowering.array(v) for v in node.inputs]
    axis = node.attributes["axis"] % len(xs[0].dims)
    for x in xs[1:]:
        for i, (d, e) in enumerate(zip(xs[0].dims, x.dims)):
            if i != axis:
                lowering.require(code.compare("eq", d, e))
    total = "0"
    for x in xs:
        total = code.add(total, x.dims[axis])
    dims = [total if i == axis else d for i, d in enumerate(xs[0].dims)]
    return [_placed(lowering, node, xs, dims, axis)]


@handles(shape_ops.stack)
def stack(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    xs = [lowering.array(v) for v in node.inputs]
    axis = node.attributes["axis"] % (len(xs[0].dims) + 1)
    for x in xs[1:]:
        for d, e in zip(xs[0].dims, x.dims):
            lowering.require(code.compare("eq", d, e))
    rows = [
        replace(x, dims=(*x.dims[:axis], "1", *x.dims[axis:]), strides=(*x.strides[:axis], "0", *x.strides[axis:]))
        for x in xs
    ]
    dims = [*xs[0].dims[:axis], str(len(xs)), *xs[0].dims[axis:]]
    return [_placed(lowering, node, rows, dims, axis)]


def _placed(lowering: Lowering, node: Node, xs: Sequence[Array], dims: Sequence[str], axis: int) -> Array:
    """Arrays one after the other along an axis, as the result's dtype."""
    code = lowering.code
    made = lowering.result(node.outputs[0], dims)
    start = "0"
    for x in xs:
        pointer = code.at(memory(made.dtype), made.pointer, code.mul(start, made.strides[axis]))
        part = strided(made, pointer, x.dims, made.strides)
        with nest(code, x.dims) as indices:
            number = scalars.load(code, lowering.element(x, indices), x.dtype)
            scalars.store(code, scalars.cast(code, number, made.dtype), lowering.element(part, indices))
        start = code.add(start, x.dims[axis])
    return made


@handles(shape_ops.pad)
def pad(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    x, paddings = lowering.array(node.inputs[0]), node.attributes["paddings"]
    if any(n < 0 for pair in paddings for n in pair):
        lowering.require("false")
    dims = [code.add(d, lowering.bounded(a + b)) for d, (a, b) in zip(x.dims, paddings)]
    made = lowering.result(node.outputs[0], dims)
    number = scalars.cast(code, scalars.literal(node.attributes["value"], made.dtype), made.dtype)
    with nest(code, dims) as indices:
        scalars.store(code, number, lowering.element(made, indices))
    pointer = made.pointer
    for (before, _), stride in zip(paddings, made.strides):
        pointer = code.at(memory(made.dtype), pointer, code.mul(lowering.bounded(before), stride))
    lowering.copy_into(strided(made, pointer, x.dims, made.strides), x)
    return [made]


@handles(shape_ops.range_, of_reals=True)
def range_(lowering: Lowering, node: Node) -> list[Lowered]:
    code, dtype = lowering.code, node.attributes["dtype"]
    start, limit, delta = (scalars.cast(code, lowering.scalar(v), dtype) for v in node.inputs)
    count = node.attributes["count"]
    if count is None:
        if not dtype.is_integer or dtype.name.startswith("u"):
            raise Unsupported("a range whose length is not known", node)
        a, b, c = (scalars.cast(code, v, int64).text for v in (start, limit, delta))
        lowering.require(code.compare("ne", c, "0"))
        up = code.compare("sgt", c, "0")
        low, high = code.choose(up, a, b), code.choose(up, b, a)
        step = code.choose(up, c, code.let(f"sub i64 0, {c}"))
        some, way = code.compare("slt", low, high), code.let(f"sub i64 {high}, {low}")
        lowering.require(code.let(f"icmp eq i1 {some}, {code.let(f'icmp sgt i64 {way}, 0')}"))  # it fits 64 bits
        way = code.choose(some, way, "1")
        less = code.let(f"udiv i64 {code.sub(way, '1')}, {step}")
        total = code.choose(some, code.add(less, "1"), "0")
    else:
        total = lowering.bounded(count)
    made = lowering.result(node.outputs[0], [total])
    with nest(code, made.dims) as indices:
        index = scalars.cast(code, Scalar(indices[0], int64), dtype)
        moved = element_of(code, ew.multiply, [index, delta], dtype)
        number = element_of(code, ew.add, [moved, start], dtype)
        scalars.store(code, number, lowering.element(made, indices))
    return [made]


@handles(shape_ops.linspace, of_reals=True)
def linspace(lowering: Lowering, node: Node) -> list[Lowered]:
    """As NumPy does it: multiples of steps, which are divided last where one is zero; the last numbers exactly."""
    code, output = lowering.code, node.outputs[0]
    dtype, num = output.type.dtype, int(lowering.bounded(node.attributes["num"]))
    ends = [lowering.array(v) for v in node.inputs]
    rank = max(len(x.dims) for x in ends)
    axis = node.attributes["axis"] % (rank + 1)
    known = output.type.shape or ()
    around = list(broadcast_dims(lowering, [x.dims for x in ends], (*known[:axis], *known[axis + 1 :]))) if rank else []
    strides = [strides_for(lowering, x, around) for x in ends]
    made = lowering.result(output, [*around[:axis], str(num), *around[axis:]])
    parts = scalars.literal(max(num - 1, 1), dtype)

    def of(op: Op, *xs: Scalar) -> Scalar:
        return element_of(code, op, xs, dtype)

    def between(indices: Sequence[str]) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """The ends, the way and the step."""
        start, stop = (
            scalars.cast(code, broadcast_element(lowering, x, s, indices), dtype) for x, s in zip(ends, strides)
        )
        way = of(ew.subtract, stop, start)
        return start, stop, way, of(ew.divide, way, parts)

    none = code.slot("i1")
    code.store("i1", "false", none)
    with nest(code, around, independent=False) as indices:
        still = code.let(f"fcmp oeq {register(dtype)} {between(indices)[3].text}, {scalars.zero_of(dtype)}")
        code.store("i1", code.either(code.load("i1", none), still), none)
    stands = Scalar(code.load("i1", none), bool_)
    with nest(code, made.dims) as indices:
        start, _, way, step = between([*indices[:axis], *indices[axis + 1 :]])
        i = scalars.cast(code, Scalar(indices[axis], int64), dtype)
        moved = of(ew.multiply, i, way)
        if num > 1:
            moved = of(ew.where, stands, of(ew.multiply, of(ew.divide, i, parts), way), of(ew.multiply, i, step))
        scalars.store(code, of(ew.add, moved, start), lowering.element(made, indices))
    if num > 1:
        with nest(code, around) as indices:
            last = lowering.element(made, [*indices[:axis], str(num - 1), *indices[axis:]])
            scalars.store(code, between(indices)[1], last)
    return [made]


@handles(reduce.cumsum, reduce.cumprod)
def running(lowering: Lowering, node: Node) -> list[Lowered]:
    code, attributes, dtype, fold = lowering.code, node.attributes, node.attributes["dtype"], node.op.fold
    assert fold is not None
    x = lowering.array(node.inputs[0])
    axis = attributes["axis"] % len(x.dims)
    made = lowering.result(node.outputs[0], x.dims)
    others = [d for i, d in enumerate(x.dims) if i != axis]
    start = scalars.literal(fold.neutral, dtype)
    nothing = scalars.negative_zero(dtype) if fold is ew.add and not dtype.is_integer else start
    with nest(code, others, independent=False) as outer:
        so_far = code.slot(register(dtype))
        code.store(register(dtype), nothing.text, so_far)
        with code.loop(x.dims[axis]) as position:
            at, first = position, code.compare("eq", position, "0")
            if attributes["reverse"]:
                at = code.sub(code.sub(x.dims[axis], "1"), position)
            indices = [*outer[:axis], at, *outer[axis:]]
            number = scalars.cast(code, scalars.load(code, lowering.element(x, indices), x.dtype), dtype)
            before = Scalar(code.load(register(dtype), so_far), dtype)
            after = element_of(code, fold, [before, number], dtype)
            if dtype.is_complex and fold is ew.multiply:  # (1+0j) * complex(inf, 0) has a NaN
                after = Scalar(code.choose(first, number.text, after.text, register(dtype)), dtype)
            code.store(register(dtype), after.text, so_far)
            if attributes["exclusive"]:
                after = Scalar(code.choose(first, start.text, before.text, register(dtype)), dtype)
            scalars.store(code, after, lowering.element(made, indices))
    return [made]
