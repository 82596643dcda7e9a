"""The gradient of a region is a region: in one trace at first, then apart, with what the way back needs between."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runtime.gradients.reverse import Gradients, steps_through, sweep
from runtime.gradients.things import Gradient, Part, gradient_type, has_gradient, thing_of, zeros_like
from runtime.graph.graph import Graph, Node, Place, TensorType, Value
from runtime.ops import indexing, shape as shape_ops
from runtime.optimise.rewriting import Names, in_regions, is_pure, renamed
from runtime.tensors.operations import apply
from runtime.tensors.shaping import expand_dims
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import Trace, recording


def copied(graph: Graph) -> Graph:
    """The graph with values of its own, of the same types."""
    names: Names = {v: Value(v.type, v.hint) for v in graph.inputs}
    nodes = []
    for node in graph.nodes:
        node = in_regions(renamed(node, names), copied)
        outputs = tuple(Value(v.type, v.hint) for v in node.outputs)
        names.update(zip(node.outputs, outputs))
        nodes.append(replace(node, outputs=outputs))
    return Graph(
        graph.name, tuple(names[v] for v in graph.inputs), tuple(nodes), tuple(names[v] for v in graph.outputs)
    )


class Region:
    """A region, and behind it the way back: from gradients of its results to those of its inputs.

    wanted: of which inputs the gradient is asked.
    seeds: of which results there is one.
    masked: whether zeros of these may stand for what was not used.
    sums: to which inputs' gradients more is to be added, which is then given, too.
    in_rows: whether the gradient of a Variable of which only rows were looked up is these `rows`, rather than `made`.
    """

    def __init__(
        self, graph: Graph, wanted: Sequence[bool], seeds: Collection[int], masked: bool, place: Place | None,
        sums: Collection[int] = (), in_rows: bool = False,
    ) -> None:  # fmt: skip
        graph = copied(graph)
        self.graph = graph
        self.trace = trace = Trace(graph.name)
        trace.inputs, trace.nodes, trace.place = list(graph.inputs), list(graph.nodes), place
        reach = {v for v, there in zip(graph.inputs, wanted) if there}
        steps = steps_through(trace, graph.nodes, reach)
        self.count = len(graph.nodes)  # so many of the nodes are those of the region itself
        self.seeds = {i: _gradient_of(graph.outputs[i]) for i in sorted(seeds)}
        self.sums = {i: _gradient_of(graph.inputs[i]) for i in sums}
        self.made: dict[int, Value] = {}
        self.rows: dict[int, tuple[Value, Value]] = {}
        self.masked = masked
        gradients = Gradients()
        with recording(trace):
            for values, owners in ((self.seeds, graph.outputs), (self.sums, graph.inputs)):
                for i, value in values.items():
                    if owners[i] in reach:
                        start: Any = thing_of(trace, value)
                        gradients.add(thing_of(trace, owners[i]), start, masked and values is self.seeds)
            sweep(reversed(steps), gradients)
            for i, there in enumerate(wanted):
                thing = thing_of(trace, graph.inputs[i])
                rows = gradients.rows_of(thing) if there and in_rows else None
                if rows is not None:
                    self.rows[i] = rows[0].record_in(trace), rows[1].record_in(trace)
                    continue
                found = gradients.of(thing) if there else None
                if found is not None:
                    value = found.record_in(trace)
                    if value is not self.sums.get(i):
                        self.made[i] = value
                        self.masked = self.masked or gradients.masked(thing)

    def fill(self, numbers: Iterable[int]) -> None:
        """Have zeros for the gradients of inputs on which nothing depends."""
        with recording(self.trace):
            for i in numbers:
                if i not in self.made:
                    thing = thing_of(self.trace, self.graph.inputs[i])
                    zeros = zeros_like(thing)
                    self.made[i] = zeros.record_in(self.trace)

    def apart(self, results: Sequence[Value], outside: Collection[Value], again: bool = False) -> Halves:
        """The way there and the way back.

        Args:
          results: what the way back is to give.
          outside: inputs of the region that are at hand outside of it as they are.
          again: whether what follows from these alone, and what follows with little work from what is kept, is
            computed again on the way back, rather than kept.
        """
        there = [*self.trace.first, *self.trace.listed(self.trace.nodes[: self.count])]
        back = _needed(self.trace.listed(self.trace.nodes[self.count :]), results)
        made_there = [v for n in there for v in n.outputs]
        moved: list[Value] = []
        known = {*self.graph.inputs, *made_there}
        given = {*self.seeds.values(), *self.sums.values()}
        constants = {n.outputs[0]: n for n in back if n.op is shape_ops.constant}
        dependent = set(given)
        left: list[Node] = []
        names: Names = {}
        for node in back:  # sizes are kept rather than the arrays that have them
            if not any(v in dependent for v in node.inputs) and node.inputs and _is_small(node):
                if all(v in known or v in constants for v in node.inputs):
                    for v in node.inputs:
                        if v in constants and v not in names:
                            names[v] = Value(v.type, v.hint)
                            there.append(replace(constants[v], outputs=(names[v],)))
                    there.append(renamed(node, names))
                    known.update(node.outputs)
                    moved += node.outputs
                    continue
            if any(v in dependent for v in node.inputs) or node.regions:
                dependent.update(node.outputs)
            left.append(node)
        left = _needed(left, results)
        needed = {v for v in (*(v for n in left for v in n.inputs), *results) if v in known}
        repeated = self._repeated(there, needed, outside, again)
        own: Names = {v: Value(v.type, v.hint) for v in (*self.graph.inputs, *made_there, *moved) if v in needed}
        at_hand, kept = [v for v in own if v in outside], [v for v in own if v not in outside]
        nodes: list[Node] = []
        for node in there:
            if node not in repeated:
                continue
            outputs = tuple(Value(v.type, v.hint) for v in node.outputs)
            nodes.append(replace(renamed(node, own), outputs=outputs))
            own.update(zip(node.outputs, outputs))
        nodes += [renamed(node, own) for node in left]
        return Halves(there, kept, nodes, [own.get(v, v) for v in results], at_hand, own)

    def _repeated(
        self, there: Sequence[Node], needed: set[Value], outside: Collection[Value], again: bool
    ) -> set[Node]:
        """Which nodes of the way there are computed again on the way back; `needed` becomes what these need."""
        free = set(outside)  # what is known outside, or follows from that
        for node in there:
            if node.op is shape_ops.constant or (again and is_pure(node) and all(v in free for v in node.inputs)):
                free.update(node.outputs)
        repeated: set[Node] = set()
        before = -1
        while len(repeated) > before:  # what is kept for one may be enough for another
            before = len(repeated)
            given_now = {*free, *needed.intersection(self.graph.inputs)}
            follows = _that_follow(there, needed, given_now) if again else free
            for node in reversed(there):
                is_known = any(v in needed and (v in free or v in follows) for v in node.outputs)
                if is_known or (again and _spares(node, needed, free)):
                    needed.difference_update(node.outputs)
                    needed.update(node.inputs)
                    repeated.add(node)
        return repeated


@dataclass
class Halves:
    """The way there and the way back.

    kept: values of the way there that the way back needs; `at_hand` are those that it has from outside.
    own: such values, as the way back has them.
    """

    there: list[Node]
    kept: list[Value]
    back: list[Node]
    results: list[Value]
    at_hand: list[Value]
    own: Names


def _gradient_of(value: Value) -> Value:
    return Value(gradient_type(value.type), f"d_{value.hint}")


def _needed(nodes: Sequence[Node], results: Iterable[Value]) -> list[Node]:
    """The nodes whose results are needed, and those that do something."""
    needed = set(results)
    found = []
    for node in reversed(nodes):
        if node.effect == "write" or any(v in needed for v in node.outputs):
            needed.update(node.inputs)
            found.append(node)
    return found[::-1]


_CHAIN = 8  # operations in a row that are done again


def _that_follow(nodes: Sequence[Node], needed: Collection[Value], given: Collection[Value]) -> Collection[Value]:
    """What light work makes of values that are given, or needed and made otherwise."""
    depth = dict.fromkeys(given, 0)
    found: set[Value] = set()
    for node in nodes:
        steps = 1 + max((depth.get(v, _CHAIN) for v in node.inputs), default=_CHAIN)
        if steps <= _CHAIN and _is_light(node):
            found.update(node.outputs)
            depth.update(dict.fromkeys(node.outputs, steps))
        else:
            depth.update((v, 0) for v in node.outputs if v in needed)
    return found


def _spares(node: Node, needed: Collection[Value], free: Collection[Value]) -> bool:
    """Whether there is less to keep if a node whose result is needed is done again, or as much and no copy."""
    if not _is_light(node) or not any(v in needed for v in node.outputs):
        return False
    kept = [_size(v) for v in {*node.inputs} if v not in needed and v not in free]
    own = [_size(v) for v in node.outputs]
    if None in kept or None in own:
        return False
    more, less = (sum(s or 0 for s in sizes) for sizes in (kept, own))
    return more < less or (more == less and node.op.shares(node))


def _is_light(node: Node) -> bool:
    return node.op.light and is_pure(node) and all(isinstance(v.type, TensorType) for v in node.inputs)


def _size(value: Value) -> int | None:
    """In bytes, if it is known."""
    shape = value.type.shape
    known = [d for d in shape if isinstance(d, int)] if shape is not None else None
    if shape is None or known is None or len(known) < len(shape):
        return None
    return math.prod(known, start=value.type.dtype.size)


def _is_small(node: Node) -> bool:
    """Whether it gives whole numbers that say something about shapes."""
    return is_pure(node) and all(
        isinstance(v.type, TensorType)
        and (v.type.dtype.is_integer or v.type.dtype.is_bool)
        and v.type.shape is not None
        and len(v.type.shape) <= 1
        for v in node.outputs
    )


@dataclass(frozen=True)
class Pair:
    """A graph that also gives what the way back needs, and the way back.

    there: the graph, with more results.
    kept: how many more.
    back: it takes the inputs of the graph that `inputs` names, what was kept, and the gradients of the results that
      `seeds` names; it gives those of the inputs that `made` names, and rows of those that `rows` names.
    """

    there: Graph
    kept: int
    back: Graph
    inputs: tuple[int, ...]
    seeds: tuple[int, ...]
    made: tuple[int, ...]
    rows: tuple[int, ...]

    def gradients(self, found: Sequence[Any], count: int) -> list[Gradient | Part | None]:
        """Those of so many inputs of the graph, of what the way back has given."""
        gradients: list[Gradient | Part | None] = [None] * count
        for i, gradient in zip(self.made, found):
            gradients[i] = gradient
        pairs = found[len(self.made) :]
        for i, values, indices in zip(self.rows, pairs[::2], pairs[1::2]):
            gradients[i] = _in_rows(values, indices)
        return gradients


def _in_rows(values: Tensor, indices: Tensor) -> Part:
    def into(whole: Gradient) -> Gradient:
        return apply(indexing.scatter, whole, expand_dims(indices, -1), values, how="add")

    return Part(into, lambda: (values, indices))


def differentiated(graph: Graph, wanted: Sequence[bool], seeds: Collection[int], masked: bool = False) -> Pair:
    """A graph and its gradient."""
    region = Region(graph, wanted, seeds, masked, None, in_rows=True)
    made, rows = tuple(sorted(region.made)), tuple(region.rows)
    graph = region.graph
    results = [*(region.made[i] for i in made), *(v for pair in region.rows.values() for v in pair)]
    halves = region.apart(results, set(graph.inputs))
    there = Graph(graph.name, graph.inputs, tuple(halves.there), (*graph.outputs, *halves.kept))
    numbers = {v: i for i, v in enumerate(graph.inputs)}
    inputs = (*(halves.own[v] for v in (*halves.at_hand, *halves.kept)), *region.seeds.values())
    back = Graph(f"{graph.name}_gradient", inputs, tuple(halves.back), tuple(halves.results))
    return Pair(
        there.verify(), len(halves.kept), back.verify(), tuple(numbers[v] for v in halves.at_hand),
        tuple(region.seeds), made, rows,
    )  # fmt: skip


def with_gradient(graph: Graph) -> list[int]:
    """The results of a graph that have a gradient."""
    return [i for i, v in enumerate(graph.outputs) if has_gradient(v.type)]
