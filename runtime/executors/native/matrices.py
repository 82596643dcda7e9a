"""Matrices made of little: identities, parts above and below diagonals, diagonals, and rows with a single one."""

from __future__ import annotations

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.values import LARGEST, Lowered, Scalar, Unsupported, strided
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import bool_, int64
from runtime.graph.graph import Node
from runtime.ops import elementwise as ew, linalg, shape as shape_ops


@handles(shape_ops.eye)
def eye(lowering: Lowering, node: Node) -> list[Lowered]:
    rows, columns, dtype = (node.attributes[k] for k in ("rows", "columns", "dtype"))
    made = lowering.result(node.outputs[0], [lowering.bounded(rows), lowering.bounded(columns)])
    code = lowering.code
    with nest(code, made.dims) as indices:
        same = Scalar(code.compare("eq", *indices), bool_)
        scalars.store(code, scalars.cast(code, same, dtype), lowering.element(made, indices))
    return [made]


@handles(shape_ops.one_hot, of_reals=True)
def one_hot(lowering: Lowering, node: Node) -> list[Lowered]:
    code, depth, dtype = lowering.code, node.attributes["depth"], node.attributes["dtype"]
    x = lowering.array(node.inputs[0])
    made = lowering.result(node.outputs[0], [*x.dims, lowering.bounded(depth)])
    with nest(code, made.dims) as indices:
        number = scalars.load(code, lowering.element(x, indices[:-1]), x.dtype)
        same = code.compare("eq", scalars.cast(code, number, int64).text, indices[-1])
        scalars.store(code, scalars.cast(code, Scalar(same, bool_), dtype), lowering.element(made, indices))
    return [made]


@handles(shape_ops.triu, shape_ops.tril)
def triangle(lowering: Lowering, node: Node) -> list[Lowered]:
    code, k = lowering.code, str(max(-LARGEST, min(int(node.attributes["k"]), LARGEST)))
    x = lowering.array(node.inputs[0])
    made = lowering.result(node.outputs[0], x.dims)
    with nest(code, x.dims) as indices:
        edge = code.add(indices[-2], k)
        kept = code.compare("sge" if node.op is shape_ops.triu else "sle", indices[-1], edge)
        number = scalars.load(code, lowering.element(x, indices), x.dtype)
        zero = scalars.literal(0, x.dtype)
        chosen = element_of(code, ew.where, [Scalar(kept, bool_), number, zero], x.dtype)
        scalars.store(code, chosen, lowering.element(made, indices))
    return [made]


@handles(shape_ops.diag)
def diag(lowering: Lowering, node: Node) -> list[Lowered]:
    """The matrix of a diagonal, or the diagonal of a matrix."""
    code, x = lowering.code, lowering.array(node.inputs[0])
    if len(x.dims) == 2:
        return [strided(x, x.pointer, (code.least(*x.dims),), (code.add(*x.strides),))]
    if len(x.dims) != 1:
        raise Unsupported("a diagonal of neither one nor two axes", node)
    made = lowering.result(node.outputs[0], [x.dims[0], x.dims[0]])
    zero = scalars.literal(0, x.dtype)
    with nest(code, made.dims) as indices:
        number = scalars.load(code, lowering.element(x, indices[:1]), x.dtype)
        same = Scalar(code.compare("eq", *indices), bool_)
        chosen = element_of(code, ew.where, [same, number, zero], x.dtype)
        scalars.store(code, chosen, lowering.element(made, indices))
    return [made]


@handles(linalg.trace)
def trace(lowering: Lowering, node: Node) -> list[Lowered]:
    """The sum of the diagonal of the last two axes."""
    code, x = lowering.code, lowering.array(node.inputs[0])
    made = lowering.result(node.outputs[0], x.dims[:-2])
    with nest(code, x.dims[:-2], independent=False) as outer:
        place = lowering.element(made, outer)
        scalars.store(code, scalars.literal(0, x.dtype), place)
        with code.loop(code.least(*x.dims[-2:])) as i:
            so_far = scalars.load(code, place, x.dtype)
            number = scalars.load(code, lowering.element(x, [*outer, i, i]), x.dtype)
            scalars.store(code, element_of(code, ew.add, [so_far, number], x.dtype), place)
    return [made]
