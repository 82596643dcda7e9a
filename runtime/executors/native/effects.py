"""Variables, which are kept in memory of the run and handed back at its end, and conditions that end a run."""

from __future__ import annotations

import numpy as np

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.broadcasting import broadcast_element, strides_for
from runtime.executors.native.lowering import Handle, Lowering, handles
from runtime.executors.native.updates import WRITES
from runtime.executors.native.values import Array, Lowered, Scalar, Unsupported
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import bool_, float64, int64, uint64
from runtime.graph.graph import Node, Value
from runtime.ops import effects, elementwise as ew


def _held(lowering: Lowering, handle: Handle) -> Lowered:
    """The value of the Variable now: what still needs it when the Variable changes gets a copy then."""
    array = handle.array
    return array if array.dims else scalars.load(lowering.code, array.pointer, array.dtype)


@handles(effects.read_variable)
def read(lowering: Lowering, node: Node) -> list[Lowered]:
    return [_held(lowering, lowering.handle(node.inputs[0]))]


@handles(*WRITES)
def write(lowering: Lowering, node: Node) -> list[Lowered]:
    """Write elements in place: a sum or difference with what is there, or a new value."""
    code, operation = lowering.code, WRITES[node.op]
    handle = lowering.handle(node.inputs[0])
    source = target = handle.array
    if handle.place is not None:
        target = handle.place
        handle = Handle(target)
        lowering.scope.env[node.inputs[0]] = handle  # type: ignore[assignment]
    else:
        lowering.emit_groups()
        if not _is_itself(lowering, node, target):
            lowering.unshare(handle)
    value = lowering.value(node.inputs[1])
    if isinstance(value, Array) and len(value.dims) > len(target.dims):
        raise Unsupported("a value of more dimensions than the Variable", node)
    if operation is None:
        given = value.dims if isinstance(value, Array) else ()
        if len(given) < len(target.dims):
            raise Unsupported("a value of fewer dimensions than the Variable", node)
        for d, wanted in zip(given, target.dims):
            lowering.require(code.compare("eq", d, wanted))
        if source is not target and isinstance(value, Array) and value.pointer == target.pointer:
            return [_held(lowering, handle)]  # it was made there
    strides = strides_for(lowering, value, target.dims)
    with nest(code, target.dims) as indices:
        place = lowering.element(target, indices)
        number = broadcast_element(lowering, value, strides, indices)
        number = scalars.cast(code, number, target.dtype)
        if operation is not None:
            so_far = scalars.load(code, lowering.element(source, indices), target.dtype)
            number = element_of(code, operation, [so_far, number], target.dtype)
        scalars.store(code, number, place)
    return [_held(lowering, handle)]


def _is_itself(lowering: Lowering, node: Node, target: Array) -> bool:
    """Whether the value is what the Variable holds, element by element, and nothing else still needs it."""
    value = lowering.scope.env[node.inputs[1]]
    if not isinstance(value, Array) or (value.pointer, value.strides) != (target.pointer, target.strides):
        return False
    return lowering.scope.uses[node.inputs[1]] == 1 and len(lowering.sharing(target.buffers)) == 1


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


@handles(effects.assert_)
def assert_(lowering: Lowering, node: Node) -> list[Lowered]:
    lowering.require(_all(lowering, node.inputs[0]))
    return []


@handles(effects.raise_)
def raise_(lowering: Lowering, node: Node) -> list[Lowered]:
    lowering.require("false")
    return []


@handles(effects.require_)
def require(lowering: Lowering, node: Node) -> list[Lowered]:
    code, wanted = lowering.code, node.attributes["wanted"]
    index = lowering.index(node.inputs[0])
    for number, error in enumerate(node.attributes["otherwise"]):
        if error is not None and number != wanted:
            lowering.require(code.compare("ne", index, str(number)))
    return []


@handles(effects.checked_)
def checked(lowering: Lowering, node: Node) -> list[Lowered]:
    lowering.value(node.inputs[0])
    return []


@handles(ew.fit, ew.narrow, of_reals=True)
def fitted(lowering: Lowering, node: Node) -> list[Lowered]:
    """A Python integer in a narrower dtype; one that it does not hold is left to NumPy, which has other ways."""
    code, x, dtype = lowering.code, lowering.scalar(node.inputs[0]), node.outputs[0].type.dtype
    if isinstance(x.known, int):
        if not np.iinfo(dtype.dtype).min <= x.known <= np.iinfo(dtype.dtype).max:
            lowering.require("false")
        return [scalars.cast(code, x, dtype)]
    lowering.require(scalars.fits(code, x, dtype))
    return [scalars.cast(code, x, dtype)]


@handles(ew.python_int, of_reals=True)
def python_int(lowering: Lowering, node: Node) -> list[Lowered]:
    """What 64 bits do not hold, and NaN, is left to NumPy, which raises."""
    code, x = lowering.code, lowering.scalar(node.inputs[0])
    if x.dtype.is_floating:
        wide = scalars.cast(code, x, float64).text
        size = code.call("llvm.fabs.f64", "double", [("double", wide)])
        lowering.require(code.let(f"fcmp olt double {size}, {scalars.float_text(2.0**63)}"))
    elif x.dtype == uint64:
        lowering.require(code.compare("sge", x.text, "0"))
    return [scalars.cast(code, x, int64)]
