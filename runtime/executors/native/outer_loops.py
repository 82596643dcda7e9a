"""Iterations of a loop that each run a loop of their own are computed several at a time, in the lanes of vectors.

A loop that only the data ends (how long does this point take to leave the circle?) waits for its own last result all
the time, and cannot be vectorised by itself. Where a loop around it counts its iterations, and the inner loop needs
nothing of those before, it is run for several of them at once; what they do with the results is then done one after the
other, in order. Every number is computed as it would be alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from runtime.executors.native import exact, scalars
from runtime.executors.native.arithmetic import element_of, runs_in_vectors
from runtime.executors.native.code import Code, counting, memory, register
from runtime.executors.native.interrupts import Loop
from runtime.executors.native.lowering import Lowering
from runtime.executors.native.machine import vector_bits
from runtime.executors.native.values import Lowered, Scalar, native_dtype
from runtime.executors.native.vectors import Vectors
from runtime.graph.dtypes import bool_
from runtime.graph.graph import Graph, Node, TensorType, Value
from runtime.ops import elementwise as ew, shape as shape_ops, structure
from runtime.ops.trip_count import Count, constants, counted


@dataclass(frozen=True)
class Plan:
    """How a loop that counts its iterations runs several of them at a time.

    `vectors` are the nodes of the body that are computed in lanes; `rest` is the body without them, which takes their
    `results` after its own inputs.
    """

    count: Count
    vectors: tuple[Node, ...]
    rest: Graph
    results: tuple[Value, ...]


def plan(node: Node) -> Plan | None:
    """How to run the iterations of a loop several at a time, if that can be done and is worth it."""
    body = node.regions[1]
    if node.effect or not any(n.op is structure.while_ for n in body.nodes):
        return None
    count = counted(node)
    if count is None:
        return None
    varying = {body.inputs[count.state]}
    known = {*varying, *filter(_is_number, body.inputs[len(node.outputs) :])}
    known_numbers = constants(body)
    for inner in body.nodes:
        if all(v in known for v in inner.inputs) and _fits(inner, known_numbers):
            known.update(inner.outputs)
            if varying.intersection(inner.inputs):
                varying.update(inner.outputs)
    needed = {v for n in body.nodes if n.op is structure.while_ for v in n.outputs if v in varying}
    if not needed:
        return None
    for inner in reversed(body.nodes):
        if needed.intersection(inner.outputs):
            needed.update(inner.inputs)
    vectors = tuple(n for n in body.nodes if needed.intersection(n.outputs))
    rest = tuple(n for n in body.nodes if n not in vectors or n.op is shape_ops.constant)
    used = {v for n in rest for v in n.inputs} | set(body.outputs)
    results = tuple(v for n in vectors if n.op is not shape_ops.constant for v in n.outputs if v in used)
    rest_of_body = Graph(body.name, (*body.inputs, *results), rest, body.outputs)
    return Plan(count, vectors, rest_of_body, results)


def _is_number(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.shape == () and native_dtype(value.type.dtype)


def _fits(node: Node, numbers: Mapping[Value, object]) -> bool:
    """Whether an operation, with all that is in it, can be done on vectors of numbers."""
    if not all(map(_is_number, (*node.inputs, *node.outputs))):
        return False
    if node.op is shape_ops.constant:
        return True
    if node.regions:
        return all(_fits(n, constants(region)) for region in node.regions for n in region.nodes)
    return node.op in exact.IN_LANES if "exact" in node.attributes else runs_in_vectors(node, numbers)


def several_iterations(
    lowering: Lowering,
    plan: Plan,
    state: Sequence[Lowered],
    captured: Sequence[Lowered],
    iteration: Callable[[Graph, list[Scalar]], None],
) -> None:
    """Compute what the next iterations need, at least one; `iteration` writes one, with the results that it takes."""
    code = lowering.code
    counter = state[plan.count.state]
    assert isinstance(counter, Scalar)
    width = 2 * vector_bits() // 64  # two vectors of numbers of 64 bits: one is at work while the other waits
    kind = register(counter.dtype)
    inputs = plan.rest.inputs[: len(state) + len(captured)]
    env = {v: scalars.number(code, x) for v, x in zip(inputs, [*state, *captured]) if _is_number(v)}
    bound = plan.count.bound
    iterations = _left(code, plan.count, counter, bound if isinstance(bound, int) else env[bound])
    iterations = code.call(f"llvm.umin.{kind}", kind, [(kind, iterations), (kind, str(width - 1))])
    iterations = code.let(f"add {kind} {iterations}, 1")
    vectors = Vectors(code, width)
    mask = vectors.let_vector(
        f"icmp ult <{width} x {kind}> {counting(kind, width)}, {vectors.spread(kind, iterations)}"
    )
    ahead = vectors.let_vector(
        f"add <{width} x {kind}> {vectors.spread(kind, counter.text)}, {counting(kind, width, step=plan.count.step)}"
    )
    env[inputs[plan.count.state]] = Scalar(ahead, counter.dtype)
    _nodes(vectors, plan.vectors, env, mask)
    places = [vectors.kept(env[v]) for v in plan.results]
    lane = code.slot("i64")
    code.store("i64", "0", lane)
    again, done = code.label("lane"), code.label("lanes")
    code.block(again)
    number = code.load("i64", lane)
    results = [
        scalars.load(code, code.at(memory(env[v].dtype), place, number), env[v].dtype)
        for v, place in zip(plan.results, places)
    ]
    iteration(plan.rest, results)
    following = code.add(number, "1")
    code.store("i64", following, lane)
    all_iterations = _wide(code, iterations, counter)
    code.fork(code.compare("slt", following, all_iterations), again, done)
    code.enter(done)


def _left(code: Code, count: Count, counter: Scalar, bound: Scalar | int) -> str:
    """How many iterations are left after this one, as a number of the counter's type."""
    kind = register(counter.dtype)
    end = str(bound) if isinstance(bound, int) else bound.text
    ends = (end, counter.text) if count.step > 0 else (counter.text, end)
    left = code.let(f"sub {kind} {ends[0]}, {ends[1]}")  # right without a sign, however far apart they are
    if count.how in (ew.less, ew.greater):
        left = code.let(f"sub {kind} {left}, 1")
    return code.let(f"udiv {kind} {left}, {abs(count.step)}")


def iterations(code: Code, count: Count, counter: Lowered, bound: Lowered | None) -> str:
    """How many iterations are left, this one included: 64 bits."""
    assert isinstance(counter, Scalar)
    end = count.bound if isinstance(count.bound, int) else scalars.number(code, bound)  # type: ignore[arg-type]
    left = _wide(code, _left(code, count, counter, end), counter)
    return code.call("llvm.uadd.sat.i64", "i64", [("i64", left), ("i64", "1")])


def _wide(code: Code, number: str, counter: Scalar) -> str:
    kind = register(counter.dtype)
    return number if kind == "i64" else code.let(f"zext {kind} {number} to i64")


def _nodes(code: Vectors, nodes: Sequence[Node], env: dict[Value, Scalar], mask: str) -> None:
    """Operations on all lanes; those that the mask leaves out come to an end as soon as the others do."""
    for node in nodes:
        xs = [env[v] for v in node.inputs]
        if node.op is shape_ops.constant:
            results = [scalars.literal(node.attributes["value"], node.outputs[0].type.dtype)]
        elif node.op is structure.while_:
            results = _loop(code, node, xs, mask)
        elif node.op is structure.if_:
            results = _branch(code, node, xs, mask)
        elif "exact" in node.attributes:
            results = [_exactly(code, node, xs, mask)]
        else:
            results = [element_of(code, node.op, xs, node.outputs[0].type.dtype, node.attributes)]
        code.outer.work += 1
        env.update(zip(node.outputs, results))


def _exactly(code: Vectors, node: Node, xs: Sequence[Scalar], mask: str) -> Scalar:
    """Arithmetic on Python's whole numbers; where 64 bits may not hold a lane's that counts, NumPy does the work."""
    result, wrong = exact.in_lanes(code, node.op, node.outputs[0].type.dtype, xs)
    if wrong == "false":
        return result
    outer, fits = code.outer, code.outer.label("fits")
    outer.fork(_any(code, code.both(mask, code.spread("i1", wrong))), "fail", fits)
    outer.enter(fits)
    return result


def _any(code: Vectors, lanes: str) -> str:
    return code.outer.call(f"llvm.vector.reduce.or.v{code.width}i1", "i1", [(code.kind("i1"), lanes)])


def _region(code: Vectors, graph: Graph, xs: Sequence[Scalar], mask: str) -> list[Scalar]:
    env = dict(zip(graph.inputs, xs))
    _nodes(code, graph.nodes, env, mask)
    return [env[v] for v in graph.outputs]


def _branch(code: Vectors, node: Node, xs: Sequence[Scalar], mask: str) -> list[Scalar]:
    """Both ways, for the lanes that take each."""
    test = code.in_lanes(scalars.cast(code, xs[0], bool_))
    other = code.let(f"xor i1 {test}, true")
    sides = [_region(code, region, xs[1:], code.both(mask, way)) for region, way in zip(node.regions, (test, other))]
    results = []
    for value, *ways in zip(node.outputs, *sides):
        dtype = value.type.dtype
        then, orelse = (scalars.cast(code, x, dtype).text for x in ways)
        results.append(Scalar(code.choose(test, then, orelse, register(dtype)), dtype))
    return results


def _loop(code: Vectors, node: Node, xs: Sequence[Scalar], mask: str) -> list[Scalar]:
    """Iterations for as long as any lane goes on; a lane that has ended keeps its state."""
    count = len(node.outputs)
    types = [v.type.dtype for v in node.outputs]
    outer = code.outer
    slots = [outer.slot(code.kind(register(t))) for t in types]
    for slot, x, dtype in zip(slots, xs, types):
        code.put(register(dtype), code.in_lanes(scalars.cast(code, x, dtype)), slot)
    live = outer.slot(code.kind("i1"))
    code.put("i1", mask, live)
    head, inside, done = outer.label("while"), outer.label("iteration"), outer.label("end")
    patient = Loop(outer)
    patient.begin()
    outer.block(head)
    state = [Scalar(code.get(register(t), slot), t) for slot, t in zip(slots, types)]
    going = code.get("i1", live)
    test, body = node.regions
    (go_on,) = _region(code, test, [*state, *xs[count:]], going)
    going = code.both(going, code.in_lanes(scalars.cast(code, go_on, bool_)))
    outer.fork(_any(code, going), inside, done)
    outer.enter(inside)
    results = _region(code, body, [*state, *xs[count:]], going)
    for slot, before, after, dtype in zip(slots, state, results, types):
        kind = register(dtype)
        code.put(kind, code.choose(going, scalars.cast(code, after, dtype).text, before.text, kind), slot)
    code.put("i1", going, live)
    patient.again(head)
    outer.enter(done)
    patient.end()
    return state
