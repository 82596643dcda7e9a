"""Variables, which are kept in memory of the run and handed back at its end, and conditions that end a run."""

from __future__ import annotations

from runtime.dtypes import bool_
from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.independent import nest
from runtime.executors.native.indexing import broadcast_element, strides_for
from runtime.executors.native.lowering import Handle, Lowering, handles
from runtime.executors.native.values import Array, Lowered, Scalar, Unsupported
from runtime.graph import Node, Value


def _held(lowering: Lowering, node: Node, handle: Handle) -> Lowered:
    """The value of the Variable now: a copy, unless nothing changes the Variable while the value is used here."""
    code, array = lowering.code, handle.array
    if not array.dims:
        return scalars.load(code, array.pointer, array.dtype)
    nodes, position = lowering.scope.nodes, lowering.scope.position
    value, variable = node.outputs[0], node.inputs[0]
    last = max((i for i, n in enumerate(nodes) if value in n.inputs), default=position)
    inside = lowering.scope.uses[value] == sum(n.inputs.count(value) for n in nodes)
    changed = any(n.effect == "write" and variable in n.inputs for n in nodes[position + 1 : last + 1])
    return array if not handle.written or (inside and not changed) else lowering.copied(array)


@handles("read_variable")
def read(lowering: Lowering, node: Node) -> list[Lowered]:
    return [_held(lowering, node, lowering.handle(node.inputs[0]))]


def _changed(lowering: Lowering, node: Node, operation: str) -> list[Lowered]:
    """Write elements in place: a sum or difference with what is there, or a new value."""
    code = lowering.code
    lowering.emit_groups()
    handle = lowering.handle(node.inputs[0])
    target, value = handle.array, lowering.value(node.inputs[1])
    if isinstance(value, Array) and len(value.dims) > len(target.dims):
        raise Unsupported("a value of more dimensions than the Variable", node)
    if not operation:
        given = value.dims if isinstance(value, Array) else ()
        if len(given) < len(target.dims):
            raise Unsupported("a value of fewer dimensions than the Variable", node)
        for d, wanted in zip(given, target.dims):
            lowering.require(code.compare("eq", d, wanted))
    strides = strides_for(lowering, value, target.dims)
    with nest(code, target.dims) as indices:
        place = lowering.element(target, indices)
        number = broadcast_element(lowering, value, strides, indices)
        number = scalars.cast(code, number, target.dtype)
        if operation:
            so_far = scalars.load(code, place, target.dtype)
            number = element_of(code, operation, [so_far, number], target.dtype, {})
        scalars.store(code, number, place)
    return [_held(lowering, node, handle)]


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
    with nest(code, found.dims, independent=False) as indices:
        element = scalars.cast(code, scalars.load(code, lowering.element(found, indices), found.dtype), bool_).text
        code.store("i1", code.let(f"and i1 {code.load('i1', sound)}, {element}"), sound)
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
