"""Variables, which are kept in memory of the run and handed back at its end, and conditions that end a run."""

from __future__ import annotations

from runtime.dtypes import bool_
from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import memory
from runtime.executors.native.fusion import nest
from runtime.executors.native.lowering import Handle, Lowering, handles
from runtime.executors.native.values import Array, Lowered, Scalar, Unsupported
from runtime.graph import Node, Value


def _loaded(lowering: Lowering, handle: Handle) -> Lowered:
    array = handle.array
    return array if array.dims else scalars.load(lowering.code, array.pointer, array.dtype)


def _stays(lowering: Lowering, node: Node) -> bool:
    """Whether nothing changes the Variable while the value that was read is used in this block."""
    nodes, start = lowering.scope.nodes, lowering.scope.position
    value, variable = node.outputs[0], node.inputs[0]
    last = max((i for i, n in enumerate(nodes) if value in n.inputs), default=start)
    inside = lowering.scope.uses[value] == sum(n.inputs.count(value) for n in nodes)
    return inside and not any(n.effect == "write" and variable in n.inputs for n in nodes[start : last + 1])


@handles("read_variable")
def read(lowering: Lowering, node: Node) -> list[Lowered]:
    handle = lowering.handle(node.inputs[0])
    found = _loaded(lowering, handle)
    if isinstance(found, Scalar) or not handle.written or _stays(lowering, node):
        return [found]
    return [lowering.copied(found)]


def _changed(lowering: Lowering, node: Node, operation: str) -> list[Lowered]:
    """Write elements in place: a sum or difference with what is there, or a new value."""
    code = lowering.code
    lowering.emit_groups()
    handle = lowering.handle(node.inputs[0])
    target, value = handle.array, lowering.value(node.inputs[1])
    if isinstance(value, Array):
        if len(value.dims) > len(target.dims):
            raise Unsupported("a value of more dimensions than the Variable", node)
        skipped = len(target.dims) - len(value.dims)
        if not operation and skipped:
            raise Unsupported("a value of fewer dimensions than the Variable", node)
        for d, wanted in zip(value.dims, target.dims[skipped:]):
            if operation and d == "1":
                continue
            lowering.require(code.compare("eq", d, wanted))
        strides = ["0"] * skipped + [s if d != "1" else "0" for d, s in zip(value.dims, value.strides)]
    elif target.dims and not operation:
        raise Unsupported("a value of fewer dimensions than the Variable", node)
    with nest(code, target.dims) as indices:
        place = lowering.element(target, indices)
        number = value
        if isinstance(value, Array):
            offset = "0"
            for index, stride in zip(indices, strides):
                offset = code.add(offset, code.mul(index, stride))
            number = scalars.load(code, code.at(memory(value.dtype), value.pointer, offset), value.dtype)
        assert isinstance(number, Scalar)
        number = scalars.cast(code, number, target.dtype)
        if operation:
            so_far = scalars.load(code, place, target.dtype)
            number = element_of(code, operation, [so_far, number], target.dtype, {})
        scalars.store(code, number, place)
    if not lowering.scope.uses[node.outputs[0]]:
        return [_loaded(lowering, handle)]
    found = _loaded(lowering, handle)
    return [found if isinstance(found, Scalar) or _stays_after(lowering, node) else lowering.copied(found)]


def _stays_after(lowering: Lowering, node: Node) -> bool:
    nodes, start = lowering.scope.nodes, lowering.scope.position + 1
    value, variable = node.outputs[0], node.inputs[0]
    inside = lowering.scope.uses[value] == sum(n.inputs.count(value) for n in nodes)
    return inside and not any(n.effect == "write" and variable in n.inputs for n in nodes[start:])


@handles("assign")
def assign(lowering: Lowering, node: Node) -> list[Lowered]:
    return _changed(lowering, node, "")


@handles("assign_add")
def assign_add(lowering: Lowering, node: Node) -> list[Lowered]:
    return _changed(lowering, node, "add")


@handles("assign_sub")
def assign_sub(lowering: Lowering, node: Node) -> list[Lowered]:
    return _changed(lowering, node, "subtract")


def _all(lowering: Lowering, value: Value) -> str:
    """Whether every element holds."""
    code, found = lowering.code, lowering.value(value)
    if isinstance(found, Scalar):
        return scalars.cast(code, found, bool_).text
    sound = code.slot("i1")
    code.store("i1", "true", sound)
    with nest(code, found.dims, parallel=False) as indices:
        element = scalars.cast(code, scalars.load(code, lowering.element(found, indices), found.dtype), bool_).text
        code.store("i1", code.let(f"and i1 {code.load('i1', sound)}, {element}", "i1"), sound)
    return code.load("i1", sound)


@handles("assert")
def assert_(lowering: Lowering, node: Node) -> list[Lowered]:
    lowering.require(_all(lowering, node.inputs[0]))
    return []


@handles("raise")
def raise_(lowering: Lowering, node: Node) -> list[Lowered]:
    lowering.require("false")
    return []


@handles("require")
def require(lowering: Lowering, node: Node) -> list[Lowered]:
    code, wanted = lowering.code, node.attributes["wanted"]
    index = lowering.index(node.inputs[0])
    for number, error in enumerate(node.attributes["otherwise"]):
        if error is not None and number != wanted:
            lowering.require(code.compare("ne", index, str(number)))
    return []
