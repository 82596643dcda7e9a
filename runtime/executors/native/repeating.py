"""Tensors repeated along axes, or moved round them."""

from __future__ import annotations

from dataclasses import replace

from runtime.executors.native import scalars
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.values import LARGEST, Array, Lowered, strided
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.graph import Node
from runtime.ops import shape as shape_ops


def _times(lowering: Lowering, size: str, count: int) -> str:
    """A dimension so many times; the run fails if there is no memory for it."""
    if count < 0:
        lowering.require("false")
    if count > 1:
        lowering.require(lowering.code.compare("sle", size, str(LARGEST // count)))
    return lowering.code.mul(size, lowering.bounded(count))


@handles(shape_ops.tile)
def tile(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    x, multiples = lowering.array(node.inputs[0]), node.attributes["multiples"]
    rank = max(len(x.dims), len(multiples))
    missing = rank - len(x.dims)
    dims, strides = ["1"] * missing + [*x.dims], ["0"] * missing + [*x.strides]
    counts = [1] * (rank - len(multiples)) + [*multiples]
    made = lowering.result(node.outputs[0], [_times(lowering, d, m) for d, m in zip(dims, counts)])
    split = [s for m, d in zip(counts, dims) for s in (lowering.bounded(m), d)]
    target = [s for d, s in zip(dims, made.strides) for s in (code.mul(d, s), s)]
    source = [s for stride in strides for s in ("0", stride)]
    _copy(lowering, made, x, split, target, source)
    return [made]


@handles(shape_ops.repeat)
def repeat(lowering: Lowering, node: Node) -> list[Lowered]:
    code, axis, count = lowering.code, node.attributes["axis"], node.attributes["repeats"]
    x = lowering.array(node.inputs[0])
    if axis is None:
        x, axis = _flat(lowering, x), 0
    axis %= len(x.dims)
    dims = [_times(lowering, d, count) if i == axis else d for i, d in enumerate(x.dims)]
    made = lowering.result(node.outputs[0], dims)
    split = [*x.dims[: axis + 1], lowering.bounded(count), *x.dims[axis + 1 :]]
    target = [*made.strides[:axis], code.mul(made.strides[axis], lowering.bounded(count)), *made.strides[axis:]]
    source = [*x.strides[: axis + 1], "0", *x.strides[axis + 1 :]]
    _copy(lowering, made, x, split, target, source)
    return [made]


def _copy(lowering: Lowering, made: Array, x: Array, dims: list[str], target: list[str], source: list[str]) -> None:
    to = strided(made, made.pointer, tuple(dims), tuple(target))
    lowering.copy_into(to, strided(x, x.pointer, tuple(dims), tuple(source)))


def _flat(lowering: Lowering, x: Array) -> Array:
    x = lowering.packed(x)
    return replace(x, dims=(lowering.code.product(x.dims),), strides=("1",))


@handles(shape_ops.roll)
def roll(lowering: Lowering, node: Node) -> list[Lowered]:
    code, shift, axis = lowering.code, node.attributes["shift"], node.attributes["axis"]
    x = lowering.array(node.inputs[0])
    made = lowering.result(node.outputs[0], x.dims)
    source, target = x, made
    if axis is None:
        source, target, axis = _flat(lowering, x), _flat(lowering, made), 0
    axes = [axis] if isinstance(axis, int) else [*axis]
    shifts = [shift] if isinstance(shift, int) else [*shift]
    rank, steps = len(source.dims), dict[int, int]()
    for a, s in zip(axes * (len(shifts) if len(axes) == 1 else 1), shifts * (len(axes) if len(shifts) == 1 else 1)):
        steps[a % rank] = steps.get(a % rank, 0) + s
    with nest(code, source.dims) as indices:  # in the order of what is written: LLVM 22 makes bad code of another
        origin = [*indices]
        for a, s in steps.items():
            size = source.dims[a]
            back = code.sub(size, code.rest(lowering.bounded(s), size))
            origin[a] = code.rest(code.add(indices[a], back), size)
        number = scalars.load(code, lowering.element(source, origin), x.dtype)
        scalars.store(code, number, lowering.element(target, indices))
    return [made]
