"""Elements that truth values choose: they are counted first, and then copied in their order."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native import scalars
from runtime.executors.native.code import memory
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.values import Array, Lowered
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import bool_
from runtime.graph.graph import Node, Value
from runtime.ops import indexing, shape as shape_ops


def holding(lowering: Lowering, mask: Array) -> str:
    """How many elements hold."""
    code, total = lowering.code, lowering.code.slot("i64")
    code.store("i64", "0", total)
    with nest(code, mask.dims) as indices:
        test = _holds(lowering, mask, indices)
        code.store("i64", code.let(f"add i64 {code.load('i64', total)}, {code.let(f'zext i1 {test} to i64')}"), total)
    return code.load("i64", total)


def _holds(lowering: Lowering, mask: Array, indices: Sequence[str]) -> str:
    number = scalars.load(lowering.code, lowering.element(mask, indices), mask.dtype)
    return scalars.cast(lowering.code, number, bool_).text


class EachHolding:
    """Code for each element that holds, in order: its indices, and how many came before it."""

    def __init__(self, lowering: Lowering, mask: Array) -> None:
        self.lowering, self.mask = lowering, mask
        self.position = lowering.code.slot("i64")
        lowering.code.store("i64", "0", self.position)

    def __enter__(self) -> tuple[list[str], str]:
        code = self.lowering.code
        self.nest = nest(code, self.mask.dims, independent=False)
        indices = self.nest.__enter__()
        taken, self.skip = code.label("taken"), code.label("skip")
        code.fork(_holds(self.lowering, self.mask, indices), taken, self.skip)
        code.enter(taken)
        self.here = code.load("i64", self.position)
        return indices, self.here

    def __exit__(self, *error: object) -> None:
        code = self.lowering.code
        code.store("i64", code.add(self.here, "1"), self.position)
        code.block(self.skip)
        self.nest.__exit__(None, None, None)


@handles(shape_ops.nonzero, of_reals=True)
def nonzero(lowering: Lowering, node: Node) -> list[Lowered]:
    code, x = lowering.code, lowering.array(node.inputs[0])
    made = lowering.result(node.outputs[0], [holding(lowering, x), str(len(x.dims))])
    with EachHolding(lowering, x) as (indices, number):
        for axis, index in enumerate(indices):
            code.store("i64", index, lowering.element(made, [number, str(axis)]))
    return [made]


def masked(lowering: Lowering, x: Array, mask: Array, axis: int, output: Value) -> Array:
    """The parts of an array where a mask of some of its axes, from this one on, holds."""
    code, end = lowering.code, axis + len(mask.dims)
    for d, e in zip(mask.dims, x.dims[axis:end], strict=True):
        lowering.require(code.compare("eq", d, e))
    made = lowering.result(output, [*x.dims[:axis], holding(lowering, mask), *x.dims[end:]])
    with EachHolding(lowering, mask) as (indices, number), nest(code, [*x.dims[:axis], *x.dims[end:]]) as others:
        source = lowering.element(x, [*others[:axis], *indices, *others[axis:]])
        target = lowering.element(made, [*others[:axis], number, *others[axis:]])
        code.store(memory(x.dtype), code.load(memory(x.dtype), source), target)
    return made


@handles(indexing.boolean_mask)
def boolean_mask(lowering: Lowering, node: Node) -> list[Lowered]:
    x, mask = (lowering.array(v) for v in node.inputs)
    return [masked(lowering, x, mask, node.attributes["axis"], node.outputs[0])]
