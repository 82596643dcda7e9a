"""Branches, loops and calls: what leaves a block, whichever way control took, and who owns it then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runtime.executors.native import interrupts, memory, outer_loops, scalars, stack
from runtime.executors.native.code import Code, Module, is_literal, register
from runtime.executors.native.lists import appends, with_room
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.values import (
    LARGEST,
    Array,
    Buffer,
    Lowered,
    Scalar,
    Unsupported,
    Whole,
    check_type,
    dense,
    small_vector,
)
from runtime.graph.dtypes import bool_
from runtime.graph.graph import Callee, Graph, HandleType, ListType, Node, TensorType, Type, Value
from runtime.ops import elementwise as ew, structure
from runtime.ops.trip_count import counted

# Results of blocks: the same variables whichever way control took.


def _parts(type_: Type) -> list[str]:
    """What a value of this type is made of: a number; the elements of a small array; or where it is, who owns it, and
    numbers that tell its size."""
    if isinstance(type_, TensorType) and type_.shape == ():
        return [register(type_.dtype)]
    if small_vector(type_):
        return [small_vector(type_)]
    return ["ptr", "ptr", *["i64"] * _numbers_of(type_)]


def _numbers_of(type_: Type) -> int:
    """How many numbers tell the size: of a list its length, its capacity and what is open of the elements' shape."""
    shape = type_.shape or ()
    return len(shape) if isinstance(type_, TensorType) else 2 + sum(not isinstance(d, int) for d in shape)


def _numbers(value: Array, type_: Type) -> Sequence[str]:
    """Those numbers."""
    if not value.is_list:
        return value.dims
    open_ = [n for n, d in zip(value.dims[1:], type_.shape or ()) if not isinstance(d, int)]
    return [value.dims[0], value.capacity, *open_]


def _list_of(pointer: str, numbers: Sequence[str], type_: Type, code: Code) -> Array:
    """A list, of its numbers."""
    length, capacity, *open_ = numbers
    rest = iter(open_)
    dims = (length, *(str(d) if isinstance(d, int) else next(rest) for d in type_.shape or ()))
    return Array(pointer, dims, dense(code, dims), type_.dtype, capacity=capacity)


def new_slots(lowering: Lowering, type_: Type) -> list[str]:
    """Places for the parts of a value of this type."""
    return [lowering.code.slot(part) for part in _parts(type_)]


def put(lowering: Lowering, slots: Sequence[str], value: Lowered | Whole, base: str, type_: Type) -> None:
    if isinstance(value, Scalar):
        lowering.code.store(register(value.dtype), value.text, slots[0])
        return
    if isinstance(value, Whole):
        if value.origin != slots[0]:
            lowering.code.store_vector(value.type_, value.text, slots[0])
        return
    lowering.code.store("ptr", value.pointer, slots[0])
    lowering.code.store("ptr", base, slots[1])
    for slot, number in zip(slots[2:], _numbers(value, type_)):
        lowering.code.store("i64", number, slot)


def get(
    lowering: Lowering,
    slots: Sequence[str],
    type_: Type,
    may_be_borrowed: bool,
    others: frozenset[Buffer] = frozenset(),
) -> Lowered:
    """The value in the slots; its memory is a new buffer, which the caller has to put under an owner."""
    code = lowering.code
    if isinstance(type_, TensorType) and type_.shape == ():
        return Scalar(code.load(register(type_.dtype), slots[0]), type_.dtype)
    if small_vector(type_):
        whole = tuple(map(str, type_.shape or ()))
        return Array(slots[0], whole, dense(code, whole), type_.dtype, frozenset([Buffer("null", on_stack=True)]))
    pointer, base = code.load("ptr", slots[0]), code.load("ptr", slots[1])
    buffers = frozenset([Buffer(base, may_be_borrowed)]) | others
    shape = type_.shape or ()
    if isinstance(type_, ListType):
        made = _list_of(pointer, [code.load("i64", s) for s in slots[2:]], type_, code)
        return replace(made, buffers=buffers, packed=True)
    dims = tuple(str(d) if isinstance(d, int) else code.load("i64", s) for s, d in zip(slots[2:], shape))
    return Array(pointer, dims, dense(code, dims), type_.dtype, buffers)


def leaving(
    lowering: Lowering, results: Sequence[Lowered], types: Sequence[Type], must_own: bool
) -> list[tuple[Lowered | Whole, str]]:
    """Results as they leave the block: in C order, with the memory that goes with each (null if it is borrowed)."""
    moved: set[Buffer] = set()
    found: list[tuple[Lowered | Whole, str]] = []
    for value, type_ in zip(results, types):
        if isinstance(type_, TensorType) and type_.shape == ():
            number = scalars.number(lowering.code, value)
            found.append((scalars.cast(lowering.code, number, type_.dtype), "null"))
            continue
        assert isinstance(value, Array)
        if small_vector(type_):
            found.append((_whole(lowering, value, type_), "null"))
            continue
        if any(buffer.on_stack for buffer in value.buffers):
            value = lowering.copied(value, lasting=True)
        own = value.buffers & lowering.scope.owned.keys()
        if not value.packed or value.buffers & moved or len(own) > 1 or (must_own and len(value.buffers) != 1):
            value = lowering.copied(value, lasting=True)
            own = value.buffers
        if must_own and own and next(iter(own)).may_be_borrowed:
            (buffer,) = own
            value = lowering._ensured(value, buffer)
            own = value.buffers
        if must_own and not own:
            value = lowering.copied(value, lasting=True)
            own = value.buffers
        base = "null"
        for buffer in own:
            base = buffer.base
            del lowering.scope.owned[buffer]
            moved.add(buffer)
        found.append((value, base))
    return found


def _whole(lowering: Lowering, value: Array, type_: Type) -> Whole:
    kind = small_vector(type_)
    value = lowering.packed(value)
    return Whole(lowering.code.load_vector(kind, value.pointer), kind, value.pointer)


# Control flow.


@handles(structure.if_)
def branch(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    test = scalars.cast(code, lowering.scalar(node.inputs[0]), bool_).text
    captured = [_captured(lowering, v) for v in node.inputs[1:]]
    given = _given_away(lowering, node.inputs)
    for buffer in given:
        del lowering.scope.owned[buffer]
    types = [v.type for v in node.outputs]
    slots = [new_slots(lowering, t) for t in types]
    borrowed: list[set[Buffer]] = [set() for _ in types]
    null = [False] * len(types)

    def finish(results: list[Lowered]) -> None:
        for i, (value, base) in enumerate(leaving(lowering, results, types, must_own=False)):
            put(lowering, slots[i], value, base, types[i])
            if isinstance(value, Array):
                borrowed[i] |= {b for b in value.buffers if b.base != base}
                null[i] |= base == "null" or any(b.base == base and b.may_be_borrowed for b in value.buffers)

    labels = code.label("then"), code.label("else")
    done = code.label("joined")
    code.fork(test, *labels)
    for label, region in zip(labels, node.regions):
        code.enter(label)
        lowering.block(region, captured, given, finish)
        code.jump(done)
    code.enter(done)
    results = []
    for i, type_ in enumerate(types):
        value = get(lowering, slots[i], type_, null[i], frozenset(borrowed[i]))
        if isinstance(value, Array):
            for buffer in value.buffers - borrowed[i]:
                lowering.scope.owned[buffer] = 0
        results.append(value)
    return results


def _captured(lowering: Lowering, value: Value) -> Any:
    return lowering.scope.env[value] if isinstance(value.type, HandleType) else lowering.value(value)


def _given_away(lowering: Lowering, inputs: Sequence[Value]) -> list[Buffer]:
    """The memory that dies where these values are used: the statement may have it."""
    dying = {v for v, count in Counter(inputs).items() if lowering.scope.uses[v] == count}
    counts: Counter[Buffer] = Counter()
    for v in dying:
        found = lowering.scope.env[v]
        if isinstance(found, Array):
            counts.update(found.buffers)
    return [b for b, count in counts.items() if lowering.scope.owned.get(b) == count]


@handles(structure.while_)
def loop(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    count = len(node.outputs)
    test, body = node.regions
    types = [v.type for v in node.outputs]
    slots = [new_slots(lowering, t) for t in types]
    for value in node.inputs[:count]:
        lowering.value(value)
    room = _iterations(lowering, node)
    for number, (value, type_, places) in enumerate(zip(node.inputs[:count], types, slots)):
        _enter_loop(lowering, value, type_, places, room if room != "0" and appends(body, number) else "")
    captured = [_captured(lowering, v) for v in node.inputs[count:]]
    head, inside, done = code.label("while"), code.label("iteration"), code.label("end")
    several = outer_loops.plan(node)
    count_ = counted(node) if several is None else None

    def now() -> tuple[list[Lowered], list[Buffer]]:
        values = [get(lowering, places, type_, False) for places, type_ in zip(slots, types)]
        return values, [b for value in values if isinstance(value, Array) for b in value.buffers]

    def decide(results: list[Lowered]) -> str:
        return scalars.cast(code, scalars.number(code, results[0]), bool_).text

    patient = interrupts.Loop(code)
    if count_ is None:
        patient.begin()
        code.block(head)
    state, owned = now()
    code.fork(lowering.block(test, [*state, *captured], (), decide), inside, done)
    code.enter(inside)
    inner = state, owned
    if count_ is not None:  # the test is not done again for each of the iterations that are known to come
        numbers = dict(zip(body.inputs, [*state, *captured]))
        bound = numbers.get(count_.bound) if isinstance(count_.bound, Value) else None
        patient.begin(outer_loops.iterations(code, count_, numbers[body.inputs[count_.state]], bound))
        code.block(head)
        inner = now()

    def finish(results: list[Lowered]) -> None:
        left = leaving(lowering, results, types, must_own=True)
        for places, (value, base), type_ in zip(slots, left, types):
            put(lowering, places, value, base, type_)

    if several is None:
        lowering.block(body, [*inner[0], *captured], inner[1], finish)
    else:

        def iteration(rest: Graph, results: list[Scalar]) -> None:
            values, memory = now()
            lowering.block(rest, [*values, *captured, *results], memory, finish)

        outer_loops.several_iterations(lowering, several, state, captured, iteration)
    patient.again(head)
    code.enter(done)
    patient.end()
    lowering.scope.owned |= dict.fromkeys(owned, 0)
    return state


def _iterations(lowering: Lowering, node: Node) -> str:
    """How many iterations a loop makes that counts them upwards by one; 0 if that is not known before."""
    code, count = lowering.code, counted(node)
    if count is None or count.step != 1 or count.how is not ew.less:
        return "0"
    start = lowering.index(node.inputs[count.state])
    if not is_literal(start) or int(start) < 0:
        return "0"
    if isinstance(count.bound, int):
        return str(min(max(count.bound - int(start), 0), LARGEST))
    bound = lowering.index(node.inputs[node.regions[1].inputs.index(count.bound)])
    return code.least(code.sub(code.most(bound, start), start), str(LARGEST))


def _enter_loop(lowering: Lowering, value: Value, type_: Type, places: Sequence[str], room: str) -> None:
    """The state before the first iteration; a list may need `room` for so many elements more."""
    if isinstance(type_, TensorType) and type_.shape == ():
        put(lowering, places, scalars.cast(lowering.code, lowering.scalar(value), type_.dtype), "null", type_)
        return
    if small_vector(type_):
        put(lowering, places, _whole(lowering, lowering.array(value), type_), "null", type_)
        return
    array = lowering.mine(value)
    if room:
        array = with_room(lowering, array, lowering.code.add(array.dims[0], room))
    if any(buffer.on_stack for buffer in array.buffers):
        array = lowering.copied(array, lasting=True)
    (buffer,) = array.buffers
    lowering.scope.owned.pop(buffer, None)
    put(lowering, places, array, buffer.base, type_)


@handles(structure.call)
def called(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    callee = node.attributes["graph"]
    assert isinstance(callee, Callee) and callee.graph is not None
    captured = [v if isinstance(v, Scalar) else lowering.packed(v) for v in map(lowering.value, node.inputs)]
    given: list[tuple[str, str]] = [("ptr", lowering.context)]
    for lowered, parameter in zip(captured, callee.graph.inputs):
        given += _arguments(lowering, lowered, parameter.type)
    types = [v.type for v in callee.graph.outputs]
    slots = [new_slots(lowering, t) for t in types]
    given += [("ptr", slot) for places in slots for slot in places]
    interrupts.call(code, lowering.callees[id(callee)], given)
    others = frozenset(b for value in captured if isinstance(value, Array) for b in value.buffers)
    results = []
    for places, type_ in zip(slots, types):
        value = get(lowering, places, type_, True, others)
        if isinstance(value, Array):
            lowering.scope.owned |= dict.fromkeys(value.buffers - others, 0)
        results.append(value)
    return results


def _arguments(lowering: Lowering, lowered: Lowered, type_: Type) -> list[tuple[str, str]]:
    if isinstance(lowered, Scalar):
        return [(register(type_.dtype), scalars.cast(lowering.code, lowered, type_.dtype).text)]
    return [("ptr", lowered.pointer), *(("i64", n) for n in _numbers(lowered, type_))]


def lower_callee(module: Module, callees: dict[int, str], callee: Callee) -> None:
    """A graph that is called, as a function: the parts of its inputs, then places for those of its results."""
    graph = callee.graph
    assert graph is not None
    if any(isinstance(v.type, HandleType) for v in graph.inputs):
        raise Unsupported(f"{graph.name}, which is called and takes Variables", None)
    lowering = Lowering(module, callees)
    lowering.has_stack = False
    code = lowering.code
    code.patience = allowance = interrupts.Allowance(code, lowering.context)
    parameters = ["ptr %ctx"]
    given: list[Lowered] = []
    for number, value in enumerate(graph.inputs):
        check_type(value.type, None, inside=True)
        stem = f"%a{number}"
        if isinstance(value.type, TensorType) and value.type.shape == ():
            parameters.append(f"{register(value.type.dtype)} {stem}")
            given.append(Scalar(stem, value.type.dtype))
            continue
        names = [f"{stem}.{i}" for i in range(_numbers_of(value.type))]
        parameters += [f"ptr {stem}", *(f"i64 {n}" for n in names)]
        if isinstance(value.type, ListType):
            given.append(_list_of(stem, names, value.type, code))
            continue
        dims = tuple(str(d) if isinstance(d, int) else names[i] for i, d in enumerate(value.type.shape or ()))
        given.append(Array(stem, dims, dense(code, dims), value.type.dtype))
    types = [v.type for v in graph.outputs]
    slots: list[list[str]] = []
    for number, type_ in enumerate(types):
        check_type(type_, None, inside=True)
        slots.append([f"%r{number}.{i}" for i in range(len(_parts(type_)))])
    parameters += [f"ptr {slot}" for places in slots for slot in places]
    lowering.require(stack.room(code, memory.lowest(code, "%ctx")))
    memory.enter_call(code, lowering.context, allowance.interrupted)

    def finish(results: list[Lowered]) -> None:
        for places, (value, base), type_ in zip(slots, leaving(lowering, results, types, must_own=False), types):
            put(lowering, places, value, base, type_)

    lowering.block(graph, given, (), finish)
    interrupts.end(code)
    code.finish(f"internal i32 @{callees[id(callee)]}({', '.join(parameters)})", "nounwind")
