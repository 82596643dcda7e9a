"""Element-wise operations and reductions over the same elements become one loop.

An operation whose result has elements is not computed at once: it joins the group of those over the same dimensions.
The group is written as a loop when somebody needs one of its values as a whole; what only the group itself uses is
never stored. A reduction may end a group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.broadcasting import broadcast_dims
from runtime.executors.native.code import Code, is_literal, memory, register
from runtime.executors.native.parallel import CACHE_LINE, THREADS, divided
from runtime.executors.native.values import Array, Buffer, Lowered, Scalar, Unsupported, check_type
from runtime.executors.native.vectorised_loops import each, nest
from runtime.graph.graph import Node, TensorType, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew

if TYPE_CHECKING:
    from runtime.executors.native.lowering import Lowering


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
    reduce: Callable[[Emission, list[str], bool], None] | None = None  # writes the loops that end in reductions

    def emit(self, lowering: Lowering) -> None:
        """Write the loop, and bind what is needed of it later."""
        Emission(self, lowering).run()


def join(lowering: Lowering, node: Node) -> None:
    """Let a node join a group, or compute it at once if it is about single numbers."""
    type_ = node.outputs[0].type
    assert isinstance(type_, TensorType)
    for value in node.inputs:
        check_type(value.type, node)
    if type_.shape == ():
        operands = [lowering.scalar(v) for v in node.inputs]
        result = element_of(lowering.code, node.op, operands, type_.dtype, node.attributes)
        lowering.bind(node.outputs[0], result)
        lowering.used(node.inputs)
        lowering.sweep()
        return
    operand_dims = [lowering.dims_of(v) for v in node.inputs]
    dims = broadcast_dims(lowering, operand_dims, type_.shape or ())
    operands_into(lowering, node, dims)
    lowering.scope.groups[dims].nodes.append(node)
    lowering.bind(node.outputs[0], Pending(lowering.scope.groups[dims], dims))


JOINS: dict[Op, Callable[[Lowering, Node], None]] = {}  # how others than those on elements join groups


def operands_into(lowering: Lowering, node: Node, dims: tuple[str, ...]) -> Group:
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


@dataclass
class Emission:
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
        if group.reduce is not None:
            group.reduce(self, dims, flat)
        elif flat and not any(n.op is ew.power and n.outputs[0].type.dtype.is_integer for n in group.nodes):
            self._straight(dims[0], again=not reused)
        else:
            with nest(self.code, dims, again=not reused) as indices:
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

    def _straight(self, count: str, again: bool) -> None:
        """One loop, divided among threads if it is long."""
        known, grain = int(count) if is_literal(count) else 1, CACHE_LINE
        least = grain if known >= 2 * grain * THREADS else 0
        multiple = grain if known % grain == 0 else 1
        kept = {**self.group.inputs, **self.places}
        captured = [("ptr", x.pointer) if isinstance(x, Array) else (register(x.dtype), x.text) for x in kept.values()]

        def body(code: Code, texts: Sequence[str], start: str, end: str, _: str) -> None:
            here = {
                v: replace(x, pointer=text) if isinstance(x, Array) else replace(x, text=text)
                for (v, x), text in zip(kept.items(), texts)
            }
            inputs = dict(zip(self.group.inputs, list(here.values())[: len(self.group.inputs)]))
            places = dict(zip(self.places, list(here.values())[len(self.group.inputs) :]))
            with each(code, end, start, again, least, multiple) as index:
                self.elements(code, [index], inputs, places)

        cost = sum(n.op.cost for n in self.group.nodes)
        divided(self.code, count, cost, captured, body, grain)

    def _is_flat(self) -> bool:
        """Whether all arrays are read straight through, so that one loop does."""
        if self.group.axes and len(self.group.axes) < len(self.dims):
            return False
        if any(n.op.by_position and n.attributes["axis"] is not None for n in self.group.reductions):
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
            try:
                found[output] = element_of(code, node.op, xs, output.type.dtype, node.attributes)
            except Unsupported as error:
                error.node = node
                raise
        for value, array in places.items():
            scalars.store(code, found[value], self._at(code, array, value, indices))
        return found

    def _at(self, code: Code, array: Array, value: Value, indices: Sequence[str]) -> str:
        return code.at(memory(array.dtype), array.pointer, code.offset(indices, self.strides[value]))
