"""Arrays that are read as if they had more dimensions, or larger ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.executors.native import scalars
from runtime.executors.native.code import is_literal, memory
from runtime.executors.native.values import Lowered, Scalar
from runtime.graph.shapes import Dim

if TYPE_CHECKING:
    from runtime.executors.native.lowering import Lowering


def broadcast_dims(lowering: Lowering, operands: Sequence[tuple[str, ...]], known: Sequence[Dim]) -> tuple[str, ...]:
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
    return tuple(str(k) if isinstance(k, int) else found for k, found in zip(known, result))


def strides_for(lowering: Lowering, value: Lowered, dims: Sequence[str]) -> list[str]:
    """Strides with which a value is read as if it had these dimensions; the run ends if it does not fit."""
    if isinstance(value, Scalar):
        return ["0"] * len(dims)
    code = lowering.code
    extra = len(value.dims) - len(dims)
    for d in value.dims[: max(extra, 0)]:
        lowering.require(code.compare("eq", d, "1"))
    own, steps = value.dims[max(extra, 0) :], value.strides[max(extra, 0) :]
    strides = ["0"] * (len(dims) - len(own))
    for d, s, total in zip(own, steps, dims[len(strides) :]):
        if d == total:
            strides.append(s)
            continue
        one = code.compare("eq", d, "1")
        lowering.require(code.either(one, code.compare("eq", d, total)))
        strides.append(code.choose(one, "0", s))
    return strides


def broadcast_element(lowering: Lowering, value: Lowered, strides: Sequence[str], indices: Sequence[str]) -> Scalar:
    """An element of a value that is read with such strides."""
    if isinstance(value, Scalar):
        return value
    code = lowering.code
    return scalars.load(code, code.at(memory(value.dtype), value.pointer, code.offset(indices, strides)), value.dtype)
