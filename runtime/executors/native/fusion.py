"""Element-wise operations and reductions over the same elements become one loop.

An operation whose result has elements is not computed at once: it joins the group of those over the same dimensions.
The group is written as a loop when somebody needs one of its values as a whole; what only the group itself uses is
never stored. A reduction may end a group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from runtime.dtypes import DType, bool_, int64
from runtime.executors.native import scalars
from runtime.executors.native.code import Code, is_literal, memory, register
from runtime.executors.native.parallel import divided
from runtime.executors.native.values import Array, Buffer, Lowered, Scalar, Unsupported, check_type
from runtime.graph import Node, TensorType, Value

if TYPE_CHECKING:
    from runtime.executors.native.lowering import Lowering


# How much longer than an addition an operation takes, for the decision on threads.
_COSTS = {"exp": 8, "log": 12, "tanh": 12, "sigmoid": 12, "divide": 3, "sqrt": 3, "sin": 60, "cos": 60, "power": 60}


@dataclass(frozen=True)
class Pending:
    """A value that a group will compute."""

    group: Group
    dims: tuple[str, ...]


@dataclass(eq=False)
class Group:
    """Operations over the same elements, in order; perhaps reductions of some of them over the same axes."""

    dims: tuple[str, ...]
    nodes: list[Node] = field(default_factory=list)
    reductions: list[Node] = field(default_factory=list)
    inputs: dict[Value, Lowered] = field(default_factory=dict)
    axes: tuple[int, ...] = ()

    def emit(self, lowering: Lowering) -> None:
        """Write the loop, and bind what is needed of it later."""
        _Emission(self, lowering).run()


def join(lowering: Lowering, node: Node) -> bool:
    """Let a node join a group, or compute it at once if it is about single numbers; False if it is no such node."""
    name = node.op.name
    if name in REDUCTIONS:
        return _join_reduction(lowering, node)
    if name not in scalars.NAMES:
        return False
    type_ = node.outputs[0].type
    assert isinstance(type_, TensorType)
    for value in node.inputs:
        check_type(value.type, node)
    if type_.shape == ():
        operands = [lowering.scalar(v) for v in node.inputs]
        result = scalars.element(lowering.code, name, operands, type_.dtype, node.attributes)
        lowering.bind(node.outputs[0], result)
        lowering.used(node.inputs)
        lowering.sweep()
        return True
    operand_dims = [lowering.dims_of(v) for v in node.inputs]
    dims = _broadcast(lowering, operand_dims, type_.shape or ())
    _check_element(node, [v.type for v in node.inputs])
    _add(lowering, node, dims)
    lowering.scope.groups[dims].nodes.append(node)
    lowering.bind(node.outputs[0], Pending(lowering.scope.groups[dims], dims))
    return True


def _check_element(node: Node, types: Sequence[Any]) -> None:
    """Find out now what has no native form, while the node is at hand."""
    from runtime.executors.native.code import Module

    code = Code(Module(""))
    xs = [Scalar(f"%x{i}", t.dtype) for i, t in enumerate(types)]
    scalars.element(code, node.op.name, xs, node.outputs[0].type.dtype, node.attributes)


def _add(lowering: Lowering, node: Node, dims: tuple[str, ...]) -> Group:
    """The open group over these dimensions, with the operands of a node computed unless the group does so."""
    scope = lowering.scope
    for value in node.inputs:
        found = scope.env[value]
        if isinstance(found, Pending) and (found.dims != dims or value in _reduced(found.group)):
            lowering.value(value)
    group = scope.groups.setdefault(dims, Group(dims))
    for value in node.inputs:
        found = scope.env[value]
        if not isinstance(found, Pending):
            group.inputs[value] = found
    return group


def _reduced(group: Group) -> set[Value]:
    return {v for node in group.reductions for v in node.outputs}


def _broadcast(lowering: Lowering, operands: Sequence[tuple[str, ...]], known: Sequence[int | None]) -> tuple[str, ...]:
    """The dimensions that operands have together."""
    code = lowering.code
    rank = max(len(d) for d in operands)
    result = []
    for axis in range(-rank, 0):
        dims = list(dict.fromkeys(d[axis] for d in operands if len(d) >= -axis))
        literals = [d for d in dims if is_literal(d) and d != "1"]
        total = literals[0] if literals else dims[0]
        for d in dims:
            if d == total or d == "1":
                continue
            if total == "1":
                total = d
                continue
            one = code.compare("eq", d, "1")
            same = code.compare("eq", d, total)
            if is_literal(total):
                lowering.require(code.either(one, same))
                continue
            lowering.require(code.either(same, code.either(one, code.compare("eq", total, "1"))))
            total = code.choose(code.compare("eq", total, "1"), d, total)
        result.append(total)
    return tuple(result if known[i] is None else str(known[i]) for i, result in enumerate(result))


# Loops.


@contextmanager
def nest(code: Code, dims: Sequence[str], parallel: bool = True) -> Iterator[list[str]]:
    """Loops in one another over all elements; only the innermost is marked parallel."""
    with ExitStack() as stack:
        indices = []
        last = max((i for i, d in enumerate(dims) if d != "1"), default=-1)
        for axis, d in enumerate(dims):
            if d == "1":
                indices.append("0")
            else:
                indices.append(stack.enter_context(code.loop(d, parallel=parallel and axis == last)))
        yield indices


@dataclass
class _Emission:
    """The writing of one group."""

    group: Group
    lowering: Lowering

    def __post_init__(self) -> None:
        self.code = self.lowering.code
        self.dims = self.group.dims
        self.places: dict[Value, Array] = {}
        self.strides: dict[Value, list[str]] = {}

    def run(self) -> None:
        lowering, group, scope = self.lowering, self.group, self.lowering.scope
        del scope.groups[group.dims]
        inside = Counter(v for node in [*group.nodes, *group.reductions] for v in node.inputs)
        made = [v for node in group.nodes for v in node.outputs]
        kept = [v for v in made if scope.uses[v] > inside[v]]
        reused: set[Buffer] = set()
        for value in kept:
            self.places[value] = self._place(value, inside, reused)
        flat = self._is_flat()
        if flat:
            self.strides = {v: ["1"] for v in self.places} | {
                v: ["0" if not x.dims or all(s == "0" for s in x.strides) else "1"]
                for v, x in group.inputs.items() if isinstance(x, Array)
            }  # fmt: skip
        else:
            self.strides = {v: list(a.strides) for v, a in self.places.items()}
            for v, x in group.inputs.items():
                if isinstance(x, Array):
                    self.strides[v] = self._aligned(x)
        dims = [self.code.product(self.dims)] if flat else list(self.dims)
        if group.reductions:
            _Reduction(self, dims, flat).run()
        elif flat and not any(n.op.name == "power" and n.outputs[0].type.dtype.is_integer for n in group.nodes):
            self._straight(dims[0])
        else:
            with nest(self.code, dims) as indices:
                self.elements(self.code, indices, group.inputs, self.places)
        for value in kept:
            lowering.bind(value, self.places[value])
        for node in group.nodes:
            for value in node.outputs:
                if value not in kept:
                    scope.env[value] = Scalar("poison", value.type.dtype)
        for node in [*group.nodes, *group.reductions]:
            lowering.used(node.inputs)
        lowering.sweep()

    def _straight(self, count: str) -> None:
        """One loop, divided among threads if it is long."""
        kept = {**self.group.inputs, **self.places}
        captured = [("ptr", x.pointer) if isinstance(x, Array) else (register(x.dtype), x.text) for x in kept.values()]

        def body(code: Code, texts: Sequence[str], start: str, end: str, _: str) -> None:
            here = {
                v: replace(x, pointer=text) if isinstance(x, Array) else replace(x, text=text)
                for (v, x), text in zip(kept.items(), texts)
            }
            inputs = dict(zip(self.group.inputs, list(here.values())[: len(self.group.inputs)]))
            places = dict(zip(self.places, list(here.values())[len(self.group.inputs) :]))
            with code.loop(end, start, parallel=True) as index:
                self.elements(code, [index], inputs, places)

        divided(self.code, count, sum(_COSTS.get(n.op.name, 1) for n in self.group.nodes), captured, body)

    def _is_flat(self) -> bool:
        """Whether all arrays are read straight through, so that one loop does."""
        if self.group.axes and len(self.group.axes) < len(self.dims):
            return False
        if any(n.op.name in ("argmax", "argmin") and n.attributes["axis"] is not None for n in self.group.reductions):
            if len(self.dims) > 1:
                return False
        return all(
            isinstance(x, Scalar)
            or not x.dims
            or (x.dims == self.dims and x.packed)
            or all(s == "0" for s in x.strides)
            for x in self.group.inputs.values()
        )

    def _aligned(self, array: Array) -> list[str]:
        """Strides for the loops: 0 where the array is broadcast."""
        code = self.code
        missing = len(self.dims) - len(array.dims)
        strides = ["0"] * missing
        for d, s, total in zip(array.dims, array.strides, self.dims[missing:]):
            if d == total:
                strides.append(s)
            elif is_literal(d):
                strides.append("0" if d == "1" else s)
            else:
                strides.append(code.choose(code.compare("eq", d, "1"), "0", s))
        return strides

    def _place(self, value: Value, inside: Counter[Value], reused: set[Buffer]) -> Array:
        if value in self.lowering.targets:
            return self.lowering.targets[value]
        return self._reusable(value, inside, reused) or self.lowering.allocate(self.dims, value.type.dtype)

    def _reusable(self, value: Value, inside: Counter[Value], reused: set[Buffer]) -> Array | None:
        """An input that dies here and whose elements are read just where this value's are written."""
        scope = self.lowering.scope
        for source, array in self.group.inputs.items():
            if not isinstance(array, Array) or array.dims != self.dims or array.is_list:
                continue
            if array.dtype.size != value.type.dtype.size or scope.uses[source] > inside[source]:
                continue
            buffer = self.lowering.sole_owner(array)
            if buffer is not None and buffer not in reused:
                reused.add(buffer)
                return Array(array.pointer, array.dims, array.strides, value.type.dtype, array.buffers)
        return None

    def elements(
        self, code: Code, indices: Sequence[str], inputs: Mapping[Value, Lowered], places: Mapping[Value, Any]
    ) -> dict[Value, Scalar]:
        """The operations on one element, and the stores of what is kept."""
        found: dict[Value, Scalar] = {}
        for value, x in inputs.items():
            found[value] = (
                x if isinstance(x, Scalar) else scalars.load(code, self._at(code, x, value, indices), x.dtype)
            )
        for node in self.group.nodes:
            (output,) = node.outputs
            xs = [found[v] for v in node.inputs]
            found[output] = scalars.element(code, node.op.name, xs, output.type.dtype, node.attributes)
        for value, array in places.items():
            scalars.store(code, found[value], self._at(code, array, value, indices))
        return found

    def _at(self, code: Code, array: Array, value: Value, indices: Sequence[str]) -> str:
        offset = "0"
        for index, stride in zip(indices, self.strides[value]):
            offset = code.add(offset, code.mul(index, stride))
        return code.at(memory(array.dtype), array.pointer, offset)


# Reductions.

REDUCTIONS = {"sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin"}


def _axes(node: Node, rank: int) -> tuple[int, ...]:
    axis = node.attributes["axis"]
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple | list) else [axis]
    return tuple(sorted({a % rank for a in axes}))


def _join_reduction(lowering: Lowering, node: Node) -> bool:
    source = node.inputs[0]
    check_type(source.type, node)
    rank = len(source.type.shape or ())
    if rank == 0:
        x = lowering.scalar(source)
        x = (
            scalars.literal(0, int64)
            if "arg" in node.op.name
            else scalars.cast(lowering.code, x, _Accumulator.kind_of(node))
        )
        lowering.bind(node.outputs[0], scalars.cast(lowering.code, x, node.outputs[0].type.dtype))
        lowering.used(node.inputs)
        lowering.sweep()
        return True
    if source.type.dtype.is_bool and "arg" in node.op.name:
        raise Unsupported("the position of a truth value", node)
    axes = _axes(node, rank)
    if not axes:
        raise Unsupported("a reduction over no axis", node)
    dims = lowering.dims_of(source)
    group = lowering.scope.groups.get(dims)
    if group is not None and group.axes and group.axes != axes:
        group.emit(lowering)
    group = _add(lowering, node, dims)
    group.axes = axes
    group.reductions.append(node)
    lowering.bind(node.outputs[0], Pending(group, _kept(dims, axes, node.attributes.get("keepdims", False))))
    return True


def _kept(dims: tuple[str, ...], axes: Sequence[int], keepdims: bool) -> tuple[str, ...]:
    if keepdims:
        return tuple("1" if i in axes else d for i, d in enumerate(dims))
    return tuple(d for i, d in enumerate(dims) if i not in axes)


@dataclass
class _Reduction:
    """The loops of a group that ends in reductions."""

    emission: _Emission
    dims: list[str]
    flat: bool

    def run(self) -> None:
        emission, code = self.emission, self.emission.code
        lowering, group = emission.lowering, emission.group
        axes = (0,) if self.flat else group.axes
        kept = [] if self.flat else [i for i in range(len(self.dims)) if i not in axes]
        count = code.product([self.dims[a] for a in axes])
        if any(n.op.name in ("max", "min", "argmax", "argmin") for n in group.reductions):
            lowering.require(code.compare("sgt", count, "0"))
        all_dims = emission.dims
        results: dict[Node, Array | None] = {}
        for node in group.reductions:
            dims = _kept(all_dims, group.axes, node.attributes.get("keepdims", False))
            scalar = not kept and not dims
            results[node] = None if scalar else lowering.allocate(dims, node.outputs[0].type.dtype)
        by_position = any("arg" in n.op.name for n in group.reductions)
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
        with nest(code, [self.dims[k] for k in kept], parallel=False) as outer:
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
            if node.op.name == "mean":
                total = scalars.cast(code, Scalar(count, int64), array.dtype)
                with nest(code, [code.product(kept_dims)]) as (index,):
                    place = code.at(memory(array.dtype), array.pointer, index)
                    x = scalars.load(code, place, array.dtype)
                    scalars.store(code, scalars.element(code, "divide", [x, total], array.dtype, {}), place)


def _start(node: Node, kind: DType) -> Scalar:
    name = node.op.name
    if name in ("sum", "mean", "any"):
        return scalars.literal(0, kind)
    if name in ("prod", "all"):
        return scalars.literal(1, kind)
    return scalars.lowest(kind) if name in ("max", "argmax") else scalars.highest(kind)


def _combined(code: Code, node: Node, kind: DType, a: Scalar, b: Scalar) -> Scalar:
    name, text = node.op.name, register(kind)
    if name in ("sum", "mean", "prod"):
        word = "mul" if name == "prod" else "add"
        # The order of additions is free: partial sums in parallel are faster, and no less exact.
        how = f"f{word} reassoc nsz" if kind.is_floating else word
        return Scalar(code.let(f"{how} {text} {a.text}, {b.text}", text), kind)
    if name in ("any", "all"):
        return Scalar(code.let(f"{'or' if name == 'any' else 'and'} i1 {a.text}, {b.text}", "i1"), bool_)
    return scalars.element(code, "maximum" if name == "max" else "minimum", [a, b], kind, {})


class _Accumulator:
    """What a reduction has so far, in registers."""

    def __init__(self, code: Code, node: Node) -> None:
        self.code, self.node = code, node
        self.kind = self.kind_of(node)
        self.slot = code.slot(register(self.kind))
        self._store(_start(node, self.kind), self.slot)
        self.by_position = "arg" in node.op.name
        if self.by_position:
            self.best = code.slot("i64")
            code.store("i64", "0", self.best)

    @staticmethod
    def kind_of(node: Node) -> DType:
        """The type in which values are combined."""
        if node.op.name in ("any", "all"):
            return bool_
        dtype = node.attributes.get("dtype")
        if isinstance(dtype, DType) and "arg" not in node.op.name:
            return dtype
        return node.inputs[0].type.dtype

    def _store(self, value: Scalar, slot: str) -> None:
        group, self.code.group = self.code.group, ""
        self.code.store(register(value.dtype), value.text, slot)
        self.code.group = group

    def _load(self) -> Scalar:
        group, self.code.group = self.code.group, ""
        loaded = Scalar(self.code.load(register(self.kind), self.slot), self.kind)
        self.code.group = group
        return loaded

    def take(self, x: Scalar, position: str) -> None:
        code = self.code
        x = scalars.cast(code, x, self.kind)
        so_far = self._load()
        if not self.by_position:
            self._store(_combined(code, self.node, self.kind, so_far, x), self.slot)
            return
        better = scalars.element(
            code, "greater" if self.node.op.name == "argmax" else "less", [x, so_far], bool_, {}
        ).text
        if self.kind.is_floating:  # the first NaN wins
            first = code.both(
                scalars.element(code, "is_nan", [x], bool_, {}).text,
                code.let(f"fcmp ord {register(self.kind)} {so_far.text}, {so_far.text}", "i1"),
            )
            better = code.either(better, first)
        self._store(Scalar(code.choose(better, x.text, so_far.text, register(self.kind)), self.kind), self.slot)
        group, code.group = code.group, ""
        code.store("i64", code.choose(better, position, code.load("i64", self.best)), self.best)
        code.group = group

    def result(self, count: str) -> Scalar:
        code, dtype = self.code, self.node.outputs[0].type.dtype
        if self.by_position:
            return scalars.cast(code, Scalar(code.load("i64", self.best), int64), dtype)
        total = self._load()
        if self.node.op.name == "mean":
            number = scalars.cast(code, Scalar(count, int64), total.dtype)
            total = scalars.element(code, "divide", [total, number], total.dtype, {})
        return scalars.cast(code, total, dtype)
