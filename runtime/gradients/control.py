"""Gradients of branches, loops and calls."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runtime.gradients.cells import Step, gradient, refused
from runtime.gradients.regions import Halves, Pair, Region, differentiated
from runtime.gradients.reverse import REACHES, steps_through
from runtime.gradients.things import Gradient, Part, Thing, gradient_type, has_gradient, thing_of, zeros_like
from runtime.graph import shapes
from runtime.graph.dtypes import DType, bool_, int32, int64
from runtime.graph.errors import NoGradientError
from runtime.graph.graph import Callee, Graph, HandleType, ListType, Node, Place, TensorType, Type, Value
from runtime.ops import effects, elementwise as ew, lists, shape as shape_ops, structure
from runtime.optimise import optimise
from runtime.optimise.rewriting import Names
from runtime.tensors.trace import Trace, current

Given = Sequence[Gradient | Part | None]


def _tracing() -> Trace:
    trace = current()
    assert trace is not None, "nodes are only in graphs"
    return trace


def _constant(number: int, dtype: DType) -> Node:
    type_ = TensorType(dtype, (), sizes=(number,))
    value = Value(type_, "c")
    return Node(shape_ops.constant, (), (value,), {"value": np.asarray(number, dtype.dtype), "dtype": dtype})


def _flow(graph: Graph, inputs: Sequence[bool]) -> list[bool]:
    """Which results of a graph change a little if these inputs do."""
    reach = {v for v, there in zip(graph.inputs, inputs) if there}
    steps_through(Trace(graph.name), graph.nodes, reach)
    return [v in reach for v in graph.outputs]


# Branches.


def _through_branches(node: Node, inputs: Sequence[bool]) -> list[bool]:
    sides = [_flow(region, inputs[1:]) for region in node.regions]
    return [any(pair) for pair in zip(*sides)]


REACHES[structure.if_] = _through_branches


@gradient(structure.if_, masks=True)
def branches(step: Step, *given: Gradient | None) -> Given:
    """The same condition says which way back there is; what a branch did not do is not undone."""
    node, trace = step.node, step.trace
    assert node is not None and trace is not None
    wanted = step.wanted[1:]
    seeds = [i for i, g in enumerate(given) if g is not None]
    regions = [Region(r, wanted, seeds, step.masked, node.place) for r in node.regions]
    numbers = sorted({i for region in regions for i in region.made})
    if not numbers:
        return []
    halves = []
    for region in regions:
        region.fill(numbers)
        halves.append(region.apart([region.made[i] for i in numbers], set(region.graph.inputs)))
    slots, places = _slots(halves)
    other = _keeping_of_branches(node, regions, halves, slots, places)
    trace.replace(node, other)
    more = other.outputs[len(node.outputs) :]
    # The way back.
    used = sorted({region.graph.inputs.index(v) for region, half in zip(regions, halves) for v in half.at_hand})
    backward = []
    for region, half, taken in zip(regions, halves, places):
        inputs = [_own(half.own, region.graph.inputs[i]) for i in used]
        inputs += [
            half.own[half.kept[taken.index(i)]] if i in taken else Value(v.type, "kept") for i, v in enumerate(more)
        ]
        inputs += region.seeds.values()
        backward.append(Graph(f"{region.graph.name}_gradient", tuple(inputs), tuple(half.back), tuple(half.results)))
    here = _tracing()
    outside: list[Any] = [step.inputs[0], *(step.inputs[i + 1] for i in used), *(thing_of(trace, v) for v in more)]
    outside += [given[i] for i in seeds]
    types = [gradient_type(step.inputs[i + 1].type) for i in numbers]
    hints = [f"d_{node.inputs[i + 1].hint}" for i in numbers]
    made = here.record(
        structure.if_, [x.record_in(here) for x in outside], {}, types, [g.verify() for g in backward], hints,
        node.place,
    )  # fmt: skip
    found: list[Any] = [None] * len(step.inputs)
    for i, value in zip(numbers, made):
        found[i + 1] = thing_of(here, value)
    return found


def _slots(halves: Sequence[Halves]) -> tuple[list[Value], list[list[int]]]:
    """What branches keep, and which of that each does: values of one type go the same way."""
    slots: list[Value] = []
    places: list[list[int]] = []
    for half in halves:
        taken: list[int] = []
        for value in half.kept:
            type_ = value.type.without_symbols()
            free = (i for i, v in enumerate(slots) if v.type.without_symbols() == type_ and i not in taken)
            number = next(free, len(slots))
            if number == len(slots):
                slots.append(value)
            taken.append(number)
        places.append(taken)
    return slots, places


def _keeping_of_branches(
    node: Node, regions: Sequence[Region], halves: Sequence[Halves], slots: Sequence[Value],
    places: Sequence[Sequence[int]],
) -> Node:  # fmt: skip
    """The branches, which also give what the way back needs."""
    forward = []
    for region, half, taken in zip(regions, halves, places):
        nodes = list(half.there)
        kept = []
        for i, value in enumerate(slots):
            if i in taken:
                kept.append(half.kept[taken.index(i)])
            else:
                nodes += _nothing(value.type.without_symbols(), value.type, region.graph.inputs)
                kept.append(nodes[-1].outputs[0])
        graph = region.graph
        forward.append(Graph(graph.name, graph.inputs, tuple(nodes), (*graph.outputs, *kept)))
    more = (Value(v.type.without_symbols(), "kept") for v in slots)
    return replace(node, regions=tuple(forward), outputs=(*node.outputs, *more))


def _own(names: dict[Value, Value], value: Value) -> Value:
    return names.get(value) or Value(value.type, value.hint)


def _nothing(type_: Type, sizes: Type, inputs: Sequence[Value]) -> list[Node]:
    """Nodes that make something of a type, which nobody looks at; of the size that it has elsewhere, if one of the
    inputs tells."""
    if isinstance(type_, ListType):
        size = _constant(0, int32)
        attributes = {"dtype": type_.dtype, "shape": type_.shape, "weak": type_.weak}
        return [size, Node(lists.new, size.outputs, (Value(type_, "nothing"),), attributes)]
    assert isinstance(type_, TensorType)
    zero = Node(
        shape_ops.constant, (), (Value(replace(type_, shape=(), sizes=None), "c"),),
        {"value": np.zeros((), type_.dtype.dtype), "dtype": type_.dtype, "weak": type_.weak},
    )  # fmt: skip
    if type_.shape == ():
        return [zero]
    known = {
        d: (v, axis) for v in inputs if isinstance(v.type, TensorType) for axis, d in enumerate(v.type.shape or ())
    }
    lengths: list[Node] = []
    dims: list[int | None] = []
    for d in sizes.shape or (() if type_.shape is not None else (0,)):
        if isinstance(d, int) or d not in known:
            dims.append(d if isinstance(d, int) else 0)
            continue
        value, axis = known[d]
        made = Value(TensorType(int64, ()), "size")
        lengths.append(Node(shape_ops.length, (value,), (made,), {"axis": axis, "dtype": int64}))
        dims.append(None)
    given = (zero.outputs[0], *(n.outputs[0] for n in lengths))
    return [zero, *lengths, Node(shape_ops.fill, given, (Value(type_, "nothing"),), {"shape": tuple(dims)})]


# Loops.


def _state_that_flows(node: Node, inputs: Sequence[bool]) -> list[bool]:
    """Which variables of a loop change a little, in some iteration, if these inputs do."""
    count = len(node.outputs)
    flows = list(inputs[:count])
    while True:
        after = _flow(node.regions[1], [*flows, *inputs[count:]])
        more = [a or b for a, b in zip(flows, after)]
        if more == flows:
            return flows
        flows = more


REACHES[structure.while_] = _state_that_flows


@gradient(structure.while_, masks=True)
def loop(step: Step, *given: Gradient | None) -> Given:
    """Another loop, through the iterations from the last to the first; what each has to keep is in lists."""
    node, trace = step.node, step.trace
    assert node is not None and trace is not None
    count = len(node.outputs)
    state = _state_that_flows(node, step.wanted)
    wanted = [*state, *step.wanted[count:]]
    sums = [i for i in range(count, len(wanted)) if wanted[i]]
    flows = {i for i, g in enumerate(given) if g is not None and state[i]}
    masked = step.masked
    while True:
        region = Region(node.regions[1], wanted, flows, masked, node.place, sums)
        back = {i for i in region.made if i < count}
        if region.masked and not masked and back:
            masked = True
        elif back <= flows:
            break
        else:
            flows |= back
    if not flows:
        return []
    order = sorted(flows)
    collected = [i for i in sums if i in region.made]
    region.fill(order)
    graph = region.graph
    results = [region.made[i] for i in (*order, *collected)]
    captured = dict(zip(graph.inputs[count:], node.inputs[count:]))
    reads = _steady_reads(graph, captured)
    half = region.apart(results, {*captured, *reads}, again=True)
    before = [replace(reads[v], outputs=(Value(v.type, v.hint),)) for v in half.at_hand if v in reads]
    other = _keeping(trace, node, graph, half.there, half.kept)
    trace.replace(node, other, before)
    read = iter([n.outputs[0] for n in before])
    outside = [thing_of(trace, next(read) if v in reads else captured[v]) for v in half.at_hand]
    return _backward(step, other, region, half, order, collected, given, outside)


def _steady_reads(graph: Graph, captured: Mapping[Value, Value]) -> dict[Value, Node]:
    """The Variables that an iteration reads and none writes, as they are read before the loop, once."""
    for inner in graph.walk():
        held = any(isinstance(v.type, HandleType) for v in inner.inputs)
        if inner.effect == "write" and (held or inner.callee is not None or inner.op.calls_back):
            return {}
    return {
        n.outputs[0]: replace(n, inputs=(captured[n.inputs[0]],))
        for n in graph.nodes
        if n.op is effects.read_variable and n.inputs[0] in captured
    }


def _keeping(trace: Trace, node: Node, graph: Graph, nodes: Sequence[Node], kept: Sequence[Value]) -> Node:
    """The loop, which also counts its iterations, and keeps values of each.

    Of a list it keeps the elements, behind those of earlier iterations, and how many there are then.
    """
    count = len(node.outputs)
    number = TensorType(int64, ())
    stacks = _stacks(kept)
    zero, none, one = _constant(0, int64), _constant(0, int32), _constant(1, int64)
    starts = [
        Node(
            lists.new,
            none.outputs,
            (Value(kind, hint),),
            {"dtype": kind.dtype, "shape": kind.shape, "weak": kind.weak},
        )
        for kind, hint in stacks
    ]
    trace.first += [zero, none, *starts] if kept else [zero]
    inside = [Value(number, "iteration"), *(Value(kind, hint) for kind, hint in stacks)]
    after = Node(ew.add, (inside[0], one.outputs[0]), (Value(number, "iteration"),), {}, (), node.place)
    more: list[Node] = [one, after]
    left: list[Value] = []
    waiting = iter(inside[1:])

    def write(stack: Value, value: Value) -> None:
        made = Value(stack.type, stack.hint)
        more.append(Node(lists.write, (stack, inside[0], value), (made,), {"dynamic": True}, (), node.place))
        left.append(made)

    for value in kept:
        stack = next(waiting)
        if not isinstance(value.type, ListType):
            write(stack, value)
            continue
        longer, size = Value(stack.type, stack.hint), Value(TensorType(int32, ()), "end")
        more.append(Node(lists.extend, (stack, value), (longer,), {}, (), node.place))
        more.append(Node(lists.size, (longer,), (size,), {}, (), node.place))
        left.append(longer)
        write(next(waiting), size)
    test = node.regions[0]
    test_inputs = (*test.inputs[:count], *(Value(v.type, v.hint) for v in inside), *test.inputs[count:])
    body = Graph(
        graph.name, (*graph.inputs[:count], *inside, *graph.inputs[count:]), (*nodes, *more),
        (*graph.outputs, after.outputs[0], *left),
    )  # fmt: skip
    outputs = (*node.outputs, Value(number, "iterations"), *(Value(kind, hint) for kind, hint in stacks))
    return replace(
        node,
        inputs=(*node.inputs[:count], zero.outputs[0], *(n.outputs[0] for n in starts), *node.inputs[count:]),
        outputs=outputs,
        regions=(replace(test, inputs=test_inputs), body.verify()),
    )


def _stacks(kept: Sequence[Value]) -> list[tuple[ListType, str]]:
    """The lists in which values of each iteration are kept, and their names."""
    found = []
    for value in kept:
        type_ = value.type
        if isinstance(type_, ListType):
            found += [(type_, value.hint), (ListType(int32, ()), "ends")]
        else:
            assert isinstance(type_, TensorType)
            found.append((ListType(type_.dtype, type_.shape, type_.weak), value.hint))
    return found


def _kept_before(
    iteration: Value, stacks: Sequence[Value], kept: Sequence[Value], own: Names, place: Place | None
) -> list[Node]:
    """What an iteration has kept, as the way back has it."""
    waiting = iter(stacks)
    made: list[Node] = []

    def read(stack: Value, at: Value, value: Value) -> Value:
        type_ = value.type
        options = {"shape": shapes.pattern(type_.shape), "dtype": type_.dtype}
        made.append(Node(lists.read, (stack, at), (value,), options, (), place))
        return value

    for value in kept:
        stack = next(waiting)
        if not isinstance(value.type, ListType):
            read(stack, iteration, own[value])
            continue
        ends = next(waiting)
        number, end = TensorType(int64, ()), TensorType(int32, ())
        one, zero = _constant(1, int64), _constant(0, int64)
        none = _constant(0, int32)
        before, first, least = Value(number, "before"), Value(TensorType(bool_, ()), "first"), Value(number, "before")
        made += [
            one, zero, none,
            Node(ew.subtract, (iteration, one.outputs[0]), (before,), {}),
            Node(ew.less, (before, zero.outputs[0]), (first,), {}),
            Node(ew.maximum, (before, zero.outputs[0]), (least,), {}),
        ]  # fmt: skip
        known = read(ends, least, Value(end, "start"))
        start = Value(end, "start")
        made.append(Node(ew.where, (first, none.outputs[0], known), (start,), {}))
        stop = read(ends, iteration, Value(end, "end"))
        made.append(Node(lists.part, (stack, start, stop), (own[value],), {"given": (True, True, False)}))
    return made


def _backward(
    step: Step, node: Node, region: Region, half: Halves, order: Sequence[int], collected: Sequence[int],
    given: Sequence[Gradient | None], outside: Sequence[Thing],
) -> Given:  # fmt: skip
    here = _tracing()
    assert step.trace is not None
    count = len(step.outputs)
    number = TensorType(int64, ())
    iteration = Value(number, "iteration")
    stacks = [Value(kind, hint) for kind, hint in _stacks(half.kept)]
    reads = _kept_before(iteration, stacks, half.kept, half.own, node.place)
    one = _constant(1, int64)
    before = Node(ew.subtract, (iteration, one.outputs[0]), (Value(number, "iteration"),), {}, (), node.place)
    flowing = [*(region.seeds[i] for i in order), *(region.sums[i] for i in collected)]
    captured = [half.own[v] for v in half.at_hand]
    inputs = (iteration, *flowing, *stacks, *captured)
    body = Graph(
        f"{region.graph.name}_gradient", inputs, (*reads, *half.back, one, before), (before.outputs[0], *half.results)
    )
    zero = _constant(0, int64)
    other_inputs = tuple(Value(v.type, v.hint) for v in inputs)
    more = Node(ew.greater_equal, (other_inputs[0], zero.outputs[0]), (Value(TensorType(bool_, ()), "more"),), {})
    test = Graph("loop_test", other_inputs, (zero, more), more.outputs)
    last = _last(here, thing_of(step.trace, node.outputs[count]))
    starts: list[Any] = [given[i] if given[i] is not None else zeros_like(step.outputs[i]) for i in order]
    starts += [zeros_like(step.inputs[i]) for i in collected]
    starts += [thing_of(step.trace, v) for v in node.outputs[count + 1 :]]
    starts += outside
    ends = [step.outputs[i] for i in order]
    types = [
        number,
        *(gradient_type(x.type.without_symbols()) for x in ends),
        *(gradient_type(step.inputs[i].type) for i in collected),
    ]
    hints = ["iteration", *(f"d_{x.value.hint}" for x in (*ends, *(step.inputs[i] for i in collected)))]
    made = here.record(
        structure.while_, [last, *(x.record_in(here) for x in starts)], {}, types, [test.verify(), body.verify()],
        hints, node.place,
    )  # fmt: skip
    found: list[Any] = [None] * len(step.inputs)
    for i, value in zip([*order, *collected], made[1:]):
        if step.wanted[i]:
            found[i] = thing_of(here, value)
    return found


def _last(here: Trace, iterations: Thing) -> Value:
    """The number of the last iteration."""
    one = here.constant(np.asarray(1, np.int64), int64)
    return here.record(
        ew.subtract, [iterations.record_in(here), one], {}, [TensorType(int64, ())], hints=["iteration"]
    )[0]


# Calls.


def _through_call(node: Node, inputs: Sequence[bool]) -> list[bool]:
    """All that is computed: graphs may call themselves."""
    return [any(inputs) and has_gradient(v.type) for v in node.outputs]


REACHES[structure.call] = _through_call

_pairs: weakref.WeakKeyDictionary[Callee, dict[object, tuple[Pair, Callee, Callee]]] = weakref.WeakKeyDictionary()
_recursive: weakref.WeakKeyDictionary[Callee, Callee] = weakref.WeakKeyDictionary()


def called(step: Step, *given: Gradient | None) -> Given:
    own = step.attributes.get("gradient")
    if own is not None:
        return own(step, given)  # type: ignore[no-any-return]
    node, trace = step.node, step.trace
    assert node is not None and trace is not None
    callee = node.callee
    assert callee is not None
    if callee.graph is None or _calls_itself(callee):
        return _recursion(step, callee, given)
    graph = callee.source or callee.graph
    seeds = [i for i, g in enumerate(given) if g is not None]
    key = (tuple(step.wanted), tuple(seeds), step.masked)
    known = _pairs.setdefault(callee, {})
    if key not in known:
        pair = differentiated(graph, step.wanted, seeds, step.masked)
        known[key] = pair, callee_of(pair.there), callee_of(pair.back)
    pair, there, back = known[key]
    kept = [Value(v.type.without_symbols(), v.hint) for v in pair.there.outputs[len(node.outputs) :]]
    other = replace(node, outputs=(*node.outputs, *kept), attributes={**node.attributes, "graph": there})
    trace.replace(node, other)
    here = _tracing()
    inputs: list[Any] = [step.inputs[i] for i in pair.inputs]
    inputs += [thing_of(trace, v) for v in kept]
    inputs += [given[i] for i in seeds]
    types: list[Type] = [gradient_type(step.inputs[i].type) for i in pair.made]
    types += [v.type.without_symbols() for v in pair.back.outputs[len(pair.made) :]]
    made = here.record(structure.call, [x.record_in(here) for x in inputs], {"graph": back}, types, place=node.place)
    return pair.gradients([thing_of(here, value) for value in made], len(step.inputs))


gradient(structure.call, masks=True)(called)
refused("it is machine code already", structure.native, structure.shown)


def callee_of(graph: Graph) -> Callee:
    """A graph to be called, which may be differentiated again."""
    return Callee(graph.name, optimise(graph), graph)


def _calls_itself(callee: Callee) -> bool:
    waiting, seen = [callee], set()
    while waiting:
        graph = waiting.pop().graph
        for other in graph.callees if graph is not None else ():
            if other is callee:
                return True
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return False


def _recursion(step: Step, callee: Callee, given: Sequence[Gradient | None]) -> Given:
    """The way back of a graph that calls itself goes there again first: what it needed on the way is not kept."""
    node = step.node
    assert node is not None
    back = _recursive.get(callee)
    if back is None:
        assert callee.graph is not None
        back = _recursive[callee] = Callee(f"{callee.name}_gradient")
        graph = _there_and_back(callee.source or callee.graph, step)
        back.source = graph
        back.graph = optimise(graph)
    here = _tracing()
    ends = [i for i, v in enumerate(node.outputs) if has_gradient(v.type)]
    inputs = [*step.inputs, *(given[i] if given[i] is not None else zeros_like(step.outputs[i]) for i in ends)]
    numbers = [i for i, v in enumerate(node.inputs) if has_gradient(v.type)]
    types = [gradient_type(step.inputs[i].type.without_symbols()) for i in numbers]
    made = here.record(structure.call, [x.record_in(here) for x in inputs], {"graph": back}, types, place=node.place)
    found: list[Any] = [None] * len(step.inputs)
    for i, value in zip(numbers, made):
        found[i] = thing_of(here, value)
    return found


def _there_and_back(graph: Graph, step: Step) -> Graph:
    wanted = [has_gradient(v.type) for v in graph.inputs]
    seeds = [i for i, v in enumerate(graph.outputs) if has_gradient(v.type)]
    region = Region(graph, wanted, seeds, True, step.place)
    numbers = [i for i, there in enumerate(wanted) if there]
    region.fill(numbers)
    for inner in region.trace.nodes[: region.count]:
        if inner.op.effect == "write" and inner.outputs:
            raise NoGradientError(
                f"no gradient goes through '{inner.op.name}' in '{graph.name}', which calls itself: on the way back it "
                "would be done again. Do it outside of the recursion, or write a loop."
            )
    own = [n for n in region.trace.nodes[: region.count] if n.outputs]
    nodes = (*region.trace.first, *own, *region.trace.nodes[region.count :])
    return Graph(
        f"{graph.name}_gradient", (*region.graph.inputs, *region.seeds.values()), nodes,
        tuple(region.made[i] for i in numbers),
    ).verify()  # fmt: skip
