"""Graphs from data. Nothing in it is trusted: types follow from the inputs by the rules of the operations, as they did
while tracing, and where a type was declared it is checked that what there is fits it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.depth import raised
from runtime.gradients.custom import OwnGradient
from runtime.gradients.things import gradient_type, has_gradient
from runtime.graph.dtypes import NumPyArray
from runtime.graph.graph import Callee, Graph, HandleType, ListType, Node, Place, TensorType, Type, Value
from runtime.graph.op import OPS, Op
from runtime.ops import lists, shape as shape_ops, structure
from runtime.optimise import optimise
from runtime.serialization import attributes, types
from runtime.serialization.graphs import DECLARED
from runtime.serialization.values import Malformed, Reader, fields, flag, index, listed, text, within

_ROUNDS = 8  # in which the types of what a loop carries settle
_REPEATS = 20
_FREE, _DEEPEST = 25, 600  # branches and loops in one another: for which there is room anyway, and at most
_FRAMES = 30  # of Python's for each


class GraphReader:
    """Reads graphs by number, each once, and those that others call.

    Args:
      graphs, callees: as `GraphWriter` has them.
      arrays: those of the archive.
    """

    def __init__(self, graphs: object, callees: object, arrays: Mapping[str, NumPyArray]) -> None:
        self._graphs, self._callees = listed(graphs), listed(callees)
        decoders = {**attributes.DECODERS, "callee": self._called, "gradient": self._owned}
        self.reader = Reader(arrays, decoders)
        self._used: set[int] = set()
        self._known: dict[int, tuple[Callee, list[Type], list[Type]]] = {}
        self._unfinished: list[Callee] = []
        total = sum(len(one["nodes"]) for one in self._graphs if type(one) is dict and type(one.get("nodes")) is list)
        self._left = _REPEATS * total  # nodes to read, of loops within loops again and again

    @functools.cached_property
    def _deepest(self) -> int:
        """How many regions lie in one another; those within stand before."""
        depths: list[int] = []
        for data in self._graphs:
            inner = [number for number in _regions_of(data) if type(number) is int and 0 <= number < len(depths)]
            depths.append(1 + max((depths[number] for number in inner), default=0))
        return max(depths, default=0)

    @contextmanager
    def room(self) -> Iterator[None]:
        """Raise the recursion limit for the deepest of the graphs.

        Raises Malformed for one that no stack would hold.
        """
        deepest = self._deepest
        if deepest > _DEEPEST:
            raise Malformed(f"{deepest} branches and loops are in one another")
        if deepest <= _FREE:
            yield
            return
        with raised(lambda before: before + _FRAMES * deepest):
            yield

    def graph(self, number: object, inputs: Sequence[Type]) -> Graph:
        """A graph for inputs of these types. Each belongs in one place: another cannot use it, too."""
        at = index(number, len(self._graphs))
        if at in self._used:
            raise Malformed(f"graph {at} is used twice")
        self._used.add(at)
        return self._read(at, inputs)

    def finish(self) -> None:
        """Make ready what others call, once all of it is there."""
        for callee in self._unfinished:
            assert callee.source is not None
            callee.graph = optimise(callee.source)
        self._unfinished = []

    def _read(self, at: int, inputs: Sequence[Type]) -> Graph:
        name, hints, nodes, outputs = fields(self._graphs[at], "name", "inputs", "nodes", "outputs")
        name = text(name)
        with within(f"in graph {name!r}"):
            hints = listed(hints)
            if len(hints) != len(inputs):
                raise Malformed(f"it has {len(hints)} inputs where it is given {len(inputs)}")
            values = [Value(type_, text(hint)) for type_, hint in zip(inputs, hints)]
            count, made = len(values), []
            for number, data in enumerate(listed(nodes)):
                with within(f"node {number}"):
                    made.append(self._node(data, values, at))
                values += made[-1].outputs
            results = tuple(values[index(v, len(values))] for v in listed(outputs))
            return Graph(name or "graph", tuple(values[:count]), tuple(made), results).verify()

    def _node(self, data: object, values: Sequence[Value], at: int) -> Node:
        if type(data) is not dict or not {"op", "inputs", "hints"} <= data.keys() <= _NODE:
            raise Malformed("it is no node")
        self._left -= 1
        if self._left < 0:
            raise Malformed("the types of loops within loops do not settle")
        op = OPS.get(text(data["op"]))
        if op is None or op in attributes.CODE:
            raise Malformed(f"there is no operation {data['op']!r} that a file may have")
        inputs = tuple(values[index(v, len(values))] for v in listed(data["inputs"]))
        hints = list(map(text, listed(data["hints"])))
        place = _place(data.get("place"))
        if op in _WITH_REGIONS:
            regions, found = _WITH_REGIONS[op](self, data, inputs, at)
            if op is structure.call:
                callee = regions
                return self._made(op, inputs, hints, found, {"graph": callee}, (), place)
            return self._made(op, inputs, hints, found, {}, tuple(regions), place)
        if "regions" in data or "types" in data:
            raise Malformed(f"{op.name} has no regions")
        known = self._attributes(op, data.get("attributes", {}), inputs)
        found = _by_rule(op, inputs, known)
        if "weak" in data:
            found = [_as_pythons(op, found[0], data["weak"])]
        return self._made(op, inputs, hints, found, known, (), place)

    def _made(
        self, op: Op, inputs: tuple[Value, ...], hints: Sequence[str], found: Sequence[Type], known: dict[str, object],
        regions: tuple[Graph, ...], place: Place | None,
    ) -> Node:  # fmt: skip
        if len(hints) != len(found):
            raise Malformed(f"{op.name} gives {len(found)} values, not {len(hints)}")
        outputs = tuple(Value(type_, hint) for type_, hint in zip(found, hints))
        return Node(op, inputs, outputs, known, regions, place)

    # Attributes.

    def _attributes(self, op: Op, data: object, inputs: Sequence[Value]) -> dict[str, object]:
        if type(data) is not dict:
            raise Malformed("its attributes are no dictionary")
        if op is shape_ops.with_gradient:
            count, own = fields(data, "count", "gradient")
            count = index(count, len(inputs) + 1)
            return {"count": count, "gradient": self._gradient(own, inputs, count)}
        made = {name: self.reader.value(value) for name, value in data.items()}
        attributes.checked(op, made, len(inputs))
        _agree(op, made, inputs)
        return made

    def _gradient(self, data: object, inputs: Sequence[Value], count: int) -> OwnGradient:
        (inner,) = fields(data, "gradient")
        number, captured, made = listed(inner, 3)
        captured = index(captured, len(inputs) - count + 1)
        given = [v.type for v in inputs[:count]] + [v.type for v in inputs[len(inputs) - captured :] if captured]
        seeds = [gradient_type(t) if has_gradient(t) else t for t in given[:count]]
        graph = self.graph(number, [*seeds, *given[count:]])
        made = [index(i, len(inputs)) for i in listed(made)]
        if made != sorted({*made}) or len(made) != len(graph.outputs):
            raise Malformed("the gradients of a custom_gradient are not those of its inputs")
        return OwnGradient(graph, captured, made)

    def _called(self, data: object, _: Reader) -> object:
        raise Malformed("only a call has the number of a graph")

    _owned = _called

    # Control flow.

    def _branches(self, data: Mapping[str, object], inputs: Sequence[Value], at: int) -> tuple[list[Graph], list[Type]]:
        regions = listed(data.get("regions"), 2)
        given = [value.type for value in inputs]
        if not given or not isinstance(given[0], TensorType) or not given[0].dtype.is_bool or given[0].shape != ():
            raise Malformed("a branch has no condition")
        made = [self._region(number, given[1:], at) for number in regions]
        declared = list(map(types.read, listed(data.get("types"), len(made[0].outputs))))
        if len(made[0].outputs) != len(made[1].outputs):
            raise Malformed("the sides of a branch give different numbers of values")
        found = []
        for a, b, wanted in zip(made[0].outputs, made[1].outputs, declared):
            both = types.joined(a.type, b.type)
            if both is None:
                raise Malformed(f"one side of a branch gives {a.type}, the other {b.type}")
            found.append(wanted if types.fits(both, wanted) else both)
        return made, found

    def _loop(self, data: Mapping[str, object], inputs: Sequence[Value], at: int) -> tuple[list[Graph], list[Type]]:
        test, body = (index(number, at) for number in listed(data.get("regions"), 2))
        state = list(map(types.read, listed(data.get("types"))))
        given = [value.type for value in inputs]
        if len(given) < len(state):
            raise Malformed("a loop is not given what it carries")
        carried = [_wider(*pair) for pair in zip(given, state)]
        used = {*self._used}
        for _ in range(_ROUNDS):
            self._used = {*used}
            inside = self._region(body, [*carried, *given[len(state) :]], at)
            if len(inside.outputs) != len(state):
                raise Malformed("the body of a loop does not give what the loop carries")
            after = [_wider(v.type, type_) for v, type_ in zip(inside.outputs, carried)]
            if after == carried:
                break
            carried = after
        else:
            raise Malformed("the types of what a loop carries do not settle")
        decides = self._region(test, [*carried, *given[len(state) :]], at)
        kinds = [value.type for value in decides.outputs]
        if (
            len(kinds) != 1
            or not isinstance(kinds[0], TensorType)
            or not kinds[0].dtype.is_bool
            or kinds[0].shape != ()
        ):
            raise Malformed("the test of a loop gives no truth")
        return [decides, inside], carried

    def _region(self, number: object, given: Sequence[Type], at: int) -> Graph:
        return self.graph(index(number, at), given)  # those within stand before: so that none is in itself

    def _call(self, data: Mapping[str, object], inputs: Sequence[Value], _: int) -> tuple[Callee, list[Type]]:
        (held,) = fields(data.get("attributes"), "graph")
        (number,) = fields(held, "callee")
        callee, takes, gives = self._callee(index(number, len(self._callees)))
        if len(takes) != len(inputs) or not all(types.fits(v.type, t) for v, t in zip(inputs, takes)):
            raise Malformed(f"{callee.name} does not take {', '.join(str(v.type) for v in inputs)}")
        return callee, gives

    def _callee(self, number: int) -> tuple[Callee, list[Type], list[Type]]:
        if number not in self._known:
            name, graph, takes, gives = fields(self._callees[number], "name", "graph", "takes", "gives")
            callee = Callee(text(name))
            taken, given = [list(map(types.read, listed(side))) for side in (takes, gives)]
            self._known[number] = callee, taken, given
            source = self.graph(graph, taken)
            if len(source.outputs) != len(given) or not all(
                types.fits(v.type, t) for v, t in zip(source.outputs, given)
            ):
                raise Malformed(f"{name} does not give what is said of it")
            callee.source = source
            self._unfinished.append(callee)
        return self._known[number]


def _regions_of(data: object) -> Iterator[object]:
    nodes = data.get("nodes") if type(data) is dict else None
    for node in nodes if type(nodes) is list else ():
        regions = node.get("regions") if type(node) is dict else None
        yield from regions if type(regions) is list else ()


_NODE = frozenset(("op", "inputs", "hints", "attributes", "regions", "types", "place", "weak"))
_WITH_REGIONS: dict[Op, Callable[..., tuple[Any, list[Type]]]] = {
    structure.if_: GraphReader._branches, structure.while_: GraphReader._loop, structure.call: GraphReader._call,
}  # fmt: skip
assert {*DECLARED} < _WITH_REGIONS.keys()


def _wider(type_: Type, declared: Type) -> Type:
    """The declared type, or one that is wider, as what there is does not fit."""
    if types.fits(type_, declared):
        return declared
    both = types.joined(declared, type_)
    if both is None or isinstance(both, HandleType):
        raise Malformed(f"a loop that carries {declared} is given {type_}")
    return both.without_symbols()


def _as_pythons(op: Op, type_: Type, weak: object) -> Type:
    """The type of a constant that is a number of Python's."""
    if op is not shape_ops.constant or not flag(weak) or not isinstance(type_, TensorType):
        raise Malformed(f"what {op.name} gives is no number of Python's")
    return TensorType(type_.dtype, type_.shape, True, type_.sizes)


def _agree(op: Op, made: dict[str, Any], inputs: Sequence[Value]) -> None:
    """Raise Malformed where attributes say another dtype than there is, which executors would believe."""
    held = None
    if op is shape_ops.constant:
        held = made["value"].dtype
    elif inputs and isinstance(inputs[0].type, ListType) and op not in (lists.cast, lists.fit, lists.full_like):
        held = inputs[0].type.dtype.dtype
    if held is not None and "dtype" in made and made["dtype"].dtype != held:
        raise Malformed(f"{op.name} says {made['dtype'].name} of what is {held}")


def _by_rule(op: Op, inputs: Sequence[Value], known: dict[str, object]) -> list[Type]:
    try:
        found = op.rule(*(value.type for value in inputs), **known)
    except Exception as error:  # of whatever kind: rules expect what this library has recorded
        raise Malformed(f"{op.name} of {', '.join(str(v.type) for v in inputs) or 'nothing'}: {error}") from None
    return list(found) if isinstance(found, tuple) else [found]


def _place(data: object) -> Place | None:
    if data is None:
        return None
    filename, line = listed(data, 2)
    return Place(f"<{text(filename)}>", index(line, 2**31))  # which no file is called
