"""Elements that vectors of indices or comparisons choose."""

from __future__ import annotations

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import as_common
from runtime.executors.native.code import is_literal, memory
from runtime.executors.native.indexing import Fancy, Part, gathered, not_negative, write
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.sorting import before
from runtime.executors.native.values import Array, Lowered, Scalar, Unsupported, strided
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import int64
from runtime.graph.graph import Node
from runtime.ops import indexing

# Vectors of indices.


def _by_vectors(lowering: Lowering, x: Array, vectors: Array, depth: int) -> Part:
    """The parts of an array whose indices are so long a last axis of another, counted from the front."""
    code = lowering.code
    not_negative(lowering, vectors)
    lowering.require(code.compare("eq", vectors.dims[-1], str(depth)))
    fancy = []
    for axis in range(depth):
        pointer = code.at(memory(vectors.dtype), vectors.pointer, code.mul(str(axis), vectors.strides[-1]))
        numbers = strided(vectors, pointer, vectors.dims[:-1], vectors.strides[:-1])
        fancy.append(Fancy(numbers, x.dims[axis], x.strides[axis]))
    return Part(strided(x, x.pointer, x.dims[depth:], x.strides[depth:]), fancy, 0)


@handles(indexing.gather_nd)
def gather_nd(lowering: Lowering, node: Node) -> list[Lowered]:
    x, vectors = (lowering.array(v) for v in node.inputs)
    part = _by_vectors(lowering, x, vectors, int(vectors.dims[-1]))  # known, or the rank of the result were not
    return [gathered(lowering, part, node.outputs[0]) if part.fancy else x]


@handles(indexing.scatter)
def scatter(lowering: Lowering, node: Node) -> list[Lowered]:
    source, numbers, updates = node.inputs
    lowering.settle(source)
    new, vectors = lowering.value(updates), lowering.array(numbers)
    target = lowering.mine(source)
    if is_literal(vectors.dims[-1]):
        depth = int(vectors.dims[-1])
    else:  # what the updates leave of the axes
        depth = len(target.dims) + len(vectors.dims) - 1 - (len(new.dims) if isinstance(new, Array) else 0)
    if not 0 <= depth <= len(target.dims):
        raise Unsupported("vectors of indices of another length than the tensor has axes", node)
    part = _by_vectors(lowering, target, vectors, depth)
    if part.fancy:
        write(lowering, target, part, new, node.attributes["how"])
    else:
        raise Unsupported("vectors of no indices", node)
    return [target]


# Comparisons.


@handles(indexing.searchsorted, of_reals=True)
def searchsorted(lowering: Lowering, node: Node) -> list[Lowered]:
    """Halve what is left until one place is."""
    code = lowering.code
    row, x = (lowering.array(v) for v in node.inputs)
    if len(row.dims) != 1:
        raise Unsupported("a search in more than one row", node)
    made = lowering.result(node.outputs[0], x.dims)
    with nest(code, x.dims, independent=False) as indices:
        wanted = scalars.load(code, lowering.element(x, indices), x.dtype)
        low, high = code.slot("i64"), code.slot("i64")
        code.store("i64", "0", low)
        code.store("i64", row.dims[0], high)
        head, body, done = code.label("search"), code.label("halve"), code.label("place")
        code.block(head)
        a, b = code.load("i64", low), code.load("i64", high)
        code.fork(code.compare("slt", a, b), body, done)
        code.enter(body)
        middle = code.let(f"lshr i64 {code.add(a, b)}, 1")
        found = scalars.load(code, lowering.element(row, [middle]), row.dtype)
        one, other = as_common(code, found, wanted)
        after = before(lowering, one, other)
        if node.attributes["side"] == "right":
            after = code.let(f"xor i1 {before(lowering, other, one)}, true")
        code.store("i64", code.choose(after, code.add(middle, "1"), a), low)
        code.store("i64", code.choose(after, b, middle), high)
        code.jump(head)
        code.enter(done)
        scalars.store(code, scalars.cast(code, Scalar(a, int64), made.dtype), lowering.element(made, indices))
    return [made]
