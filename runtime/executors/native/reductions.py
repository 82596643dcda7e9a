"""Sums, extremes, means and positions along axes: the ends of groups of element-wise operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import EXTREMES, element_of
from runtime.executors.native.code import Code, memory, register
from runtime.executors.native.fusion import JOINS, Emission, Pending, join, operands_into
from runtime.executors.native.lowering import Lowering
from runtime.executors.native.values import Array, Scalar, Unsupported, check_type
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import DType, bool_, int8, int64
from runtime.graph.graph import Node
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, reduce


def _fold(node: Node) -> Op:
    assert node.op.fold is not None
    return node.op.fold


def _axes(node: Node, rank: int) -> tuple[int, ...]:
    axis = node.attributes["axis"]
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple | list) else [axis]
    return tuple(sorted({a % rank for a in axes}))


def join_reduction(lowering: Lowering, node: Node) -> None:
    """Let a reduction end the group of what it reduces."""
    source = node.inputs[0]
    check_type(source.type, node)
    if source.type.dtype.is_complex and node.op not in _OF_COMPLEX:
        raise Unsupported("it computes with complex numbers", node)
    rank = len(source.type.shape or ())
    if rank == 0:
        x = lowering.scalar(source)
        x = (
            scalars.literal(0, int64)
            if node.op.by_position
            else scalars.cast(lowering.code, x, _Accumulator.kind_of(node))
        )
        lowering.bind(node.outputs[0], scalars.cast(lowering.code, x, node.outputs[0].type.dtype))
        lowering.used(node.inputs)
        lowering.sweep()
        return
    axes = _axes(node, rank)
    if not axes:  # every element by itself
        join(lowering, replace(node, op=ew.cast, attributes={"dtype": node.outputs[0].type.dtype}))
        return
    dims = lowering.dims_of(source)
    group = lowering.scope.groups.get(dims)
    if group is not None and group.axes and group.axes != axes:
        group.emit(lowering)
    group = operands_into(lowering, node, dims)
    group.axes, group.reduce = axes, _reduce
    group.reductions.append(node)
    lowering.bind(node.outputs[0], Pending(group, _kept(dims, axes, node.attributes.get("keepdims", False))))


_OF_COMPLEX = (reduce.reduce_sum, reduce.reduce_prod, reduce.reduce_mean)
_JOINING = (
    reduce.reduce_sum, reduce.reduce_prod, reduce.reduce_mean, reduce.reduce_max, reduce.reduce_min,
    reduce.reduce_any, reduce.reduce_all, reduce.argmax, reduce.argmin,
)  # fmt: skip
JOINS.update(dict.fromkeys(_JOINING, join_reduction))


def _kept(dims: tuple[str, ...], axes: Sequence[int], keepdims: bool) -> tuple[str, ...]:
    if keepdims:
        return tuple("1" if i in axes else d for i, d in enumerate(dims))
    return tuple(d for i, d in enumerate(dims) if i not in axes)


def _reduce(emission: Emission, dims: list[str], flat: bool) -> None:
    _Reduction(emission, dims, flat).run()


@dataclass
class _Reduction:
    """The loops of a group that ends in reductions."""

    emission: Emission
    dims: list[str]
    flat: bool

    def run(self) -> None:
        emission, code = self.emission, self.emission.code
        lowering, group = emission.lowering, emission.group
        axes = (0,) if self.flat else group.axes
        kept = [] if self.flat else [i for i in range(len(self.dims)) if i not in axes]
        count = code.product([self.dims[a] for a in axes])
        if any(_fold(n).neutral is None for n in group.reductions):
            lowering.require(code.compare("sgt", count, "0"))
        all_dims = emission.dims
        results: dict[Node, Array | None] = {}
        for node in group.reductions:
            dims = _kept(all_dims, group.axes, node.attributes.get("keepdims", False))
            scalar = not kept and not dims
            results[node] = None if scalar else lowering.allocate(dims, node.outputs[0].type.dtype)
        by_position = any(n.op.by_position for n in group.reductions)
        if kept and kept[-1] == len(self.dims) - 1 and not by_position:
            self._in_memory(axes, kept, count, results)
        else:
            self._in_registers(axes, kept, count, results)
        for node, array in results.items():
            if array is not None:
                lowering.bind(node.outputs[0], array)

    def _in_registers(
        self, axes: Sequence[int], kept: Sequence[int], count: str, results: dict[Node, Array | None]
    ) -> None:
        """The kept axes outside, the reduced ones inside, with the sums so far in registers."""
        emission, code = self.emission, self.emission.code
        lowering = emission.lowering
        with nest(code, [self.dims[k] for k in kept], independent=False) as outer:
            states = {node: _Accumulator(code, node) for node in results}
            with nest(code, [self.dims[a] for a in axes]) as inner:
                indices = [""] * len(self.dims)
                for axis, index in [*zip(kept, outer), *zip(axes, inner)]:
                    indices[axis] = index
                found = emission.elements(code, indices, emission.group.inputs, emission.places)
                position = self._position(axes, inner)
                for node, state in states.items():
                    state.take(found[node.inputs[0]], position)
            for node, array in results.items():
                result = states[node].result(count)
                if array is None:
                    lowering.bind(node.outputs[0], result)
                else:
                    target = self._target(array, kept, outer)
                    scalars.store(code, result, target)

    def _position(self, axes: Sequence[int], inner: Sequence[str]) -> str:
        position = "0"
        for axis, index in zip(axes, inner):
            position = self.emission.code.add(self.emission.code.mul(position, self.dims[axis]), index)
        return position

    def _target(self, array: Array, kept: Sequence[int], outer: Sequence[str]) -> str:
        code = self.emission.code
        offset = "0"
        for axis, index in zip(kept, outer):
            offset = code.add(code.mul(offset, self.dims[axis]), index)
        return code.at(memory(array.dtype), array.pointer, offset)

    def _in_memory(
        self, axes: Sequence[int], kept: Sequence[int], count: str, results: dict[Node, Array | None]
    ) -> None:
        """All axes in order, with the sums so far in the result: the innermost axis stays, so that rows are added."""
        emission, code = self.emission, self.emission.code
        kept_dims = [self.dims[k] for k in kept]
        kinds = {node: _Accumulator.kind_of(node) for node in results}
        sums: dict[Node, Array] = {}
        for node, array in results.items():
            assert array is not None
            sums[node] = array
        with nest(code, [code.product(kept_dims)]) as (index,):
            for node, array in sums.items():
                start = scalars.cast(code, _start(node, kinds[node]), array.dtype)
                scalars.store(code, start, code.at(memory(array.dtype), array.pointer, index))
        with nest(code, self.dims) as indices:
            found = emission.elements(code, indices, emission.group.inputs, emission.places)
            for node, array in sums.items():
                place = self._target(array, kept, [indices[k] for k in kept])
                so_far = scalars.load(code, place, array.dtype)
                x = scalars.cast(code, found[node.inputs[0]], kinds[node])
                scalars.store(code, _combined(code, node, kinds[node], so_far, x), place)
        for node, array in sums.items():
            if node.op is reduce.reduce_mean:
                total = scalars.cast(code, Scalar(count, int64), array.dtype)
                with nest(code, [code.product(kept_dims)]) as (index,):
                    place = code.at(memory(array.dtype), array.pointer, index)
                    x = scalars.load(code, place, array.dtype)
                    scalars.store(code, element_of(code, ew.divide, [x, total], array.dtype), place)


def _start(node: Node, kind: DType) -> Scalar:
    """What changes nothing that it is combined with."""
    fold = _fold(node)
    if fold.neutral is None:
        return scalars.lowest(kind) if fold is ew.maximum else scalars.highest(kind)
    return scalars.literal(int(fold.neutral), kind)


def _combined(code: Code, node: Node, kind: DType, a: Scalar, b: Scalar) -> Scalar:
    fold = _fold(node)
    if kind.is_floating and fold.neutral is not None:
        # The order of additions is free: partial sums in parallel are faster, and no less exact.
        how = f"{'fadd' if fold is ew.add else 'fmul'} reassoc nsz"
        return Scalar(code.let(f"{how} {register(kind)} {a.text}, {b.text}"), kind)
    if kind.is_floating and fold in EXTREMES:
        return Scalar(EXTREMES[fold](code, kind, [a, b]), kind)
    return element_of(code, fold, [a, b], kind)


class _Accumulator:
    """What a reduction has so far, in registers."""

    def __init__(self, code: Code, node: Node) -> None:
        self.code, self.node = code, node
        self.kind = self.kind_of(node)
        self.slot = code.slot(register(self.kind))
        self._store(_start(node, self.kind), self.slot)
        self.by_position = node.op.by_position
        if self.by_position:
            self.best = code.slot("i64")
            code.store("i64", "0", self.best)

    @staticmethod
    def kind_of(node: Node) -> DType:
        """The type in which values are combined."""
        if _fold(node) in (ew.logical_and, ew.logical_or):
            return bool_
        dtype = node.attributes.get("dtype")
        if isinstance(dtype, DType) and not node.op.by_position:
            return dtype
        dtype = node.inputs[0].type.dtype
        return int8 if dtype.is_bool and node.op.by_position else dtype

    def _store(self, value: Scalar, slot: str) -> None:
        self.code.store(register(value.dtype), value.text, slot)

    def _load(self) -> Scalar:
        return Scalar(self.code.load(register(self.kind), self.slot), self.kind)

    def take(self, x: Scalar, position: str) -> None:
        code = self.code
        x = scalars.cast(code, x, self.kind)
        so_far = self._load()
        if not self.by_position:
            self._store(_combined(code, self.node, self.kind, so_far, x), self.slot)
            return
        better = element_of(code, ew.greater if _fold(self.node) is ew.maximum else ew.less, [x, so_far], bool_).text
        if self.kind.is_floating:  # the first NaN wins
            first = code.both(
                element_of(code, ew.is_nan, [x], bool_).text,
                code.let(f"fcmp ord {register(self.kind)} {so_far.text}, {so_far.text}"),
            )
            better = code.either(better, first)
        self._store(Scalar(code.choose(better, x.text, so_far.text, register(self.kind)), self.kind), self.slot)
        code.store("i64", code.choose(better, position, code.load("i64", self.best)), self.best)

    def result(self, count: str) -> Scalar:
        code, dtype = self.code, self.node.outputs[0].type.dtype
        if self.by_position:
            return scalars.cast(code, Scalar(code.load("i64", self.best), int64), dtype)
        total = self._load()
        if self.node.op is reduce.reduce_mean:
            number = scalars.cast(code, Scalar(count, int64), total.dtype)
            total = element_of(code, ew.divide, [total, number], total.dtype)
        return scalars.cast(code, total, dtype)
