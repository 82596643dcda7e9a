"""Which operations of a block may write to the memory of an array that nobody needs any more.

A large array costs more to come by than to compute: the system gives memory page by page, and takes it back. Only what
an element-wise operation has made, and what none but operations that keep nothing of it have read, is given away.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from runtime.graph.graph import Node, TensorType, Value
from runtime.graph.shapes import is_known

_LARGE = 32 * 1024  # bytes from which it matters


def function_of(node: Node) -> np.ufunc | None:
    """The function of NumPy's that an element-wise operation is, which takes an array to write to."""
    first = node.op.numpy[0] if node.op.numpy else None
    return first if isinstance(first, np.ufunc) and first.nout == 1 and first.nin == len(node.inputs) else None


Readers = tuple[Mapping[Value, Sequence[int]], Sequence[int]]


def readers(nodes: Sequence[Node], folded: Collection[Value]) -> Readers:
    """The operations of a block that read each value, by number; and the statement that each operation is part of."""
    users: dict[Value, list[int]] = {}
    for number, node in enumerate(nodes):
        for value in node.inputs:
            users.setdefault(value, []).append(number)
    read = list(range(len(nodes)))
    for number in reversed(range(len(nodes))):
        made = nodes[number].outputs
        if len(made) == 1 and made[0] in folded:
            read[number] = read[users[made[0]][0]] if made[0] in users else len(nodes)
    return users, read


def reusable(
    nodes: Sequence[Node], outputs: Sequence[Value], folded: Collection[Value], known: Readers, writes: Collection[Node]
) -> dict[Node, Value]:
    """By operation, the value whose memory it may take; `folded` are written out where they are used, `writes` change
    what they are given."""
    users, read = known
    found: dict[Node, Value] = {}
    free: list[tuple[int, Value]] = []  # from which statement on
    for number, node in enumerate(nodes):
        if function_of(node) is None or node.outputs[0] in folded or not _is_large(node.outputs[0]):
            continue
        result = node.outputs[0]
        taken = next((entry for entry in free if entry[0] <= number and _alike(entry[1], result)), None)
        if taken is not None:
            found[node] = taken[1]
            free.remove(taken)
        readers = users.get(result, [])
        if (
            readers
            and result not in outputs
            and not any(nodes[n].op.shares(nodes[n]) or nodes[n] in writes for n in readers)
        ):
            free.append((max(read[n] for n in readers), result))
    return found


def last_uses(
    nodes: Sequence[Node], outputs: Sequence[Value], folded: Collection[Value], known: Readers,
    writes: Collection[Node], reused: Mapping[Node, Value],
) -> dict[int, list[Value]]:  # fmt: skip
    """By the number of an operation, the large arrays that are made here and that nobody needs after its statement:
    what comes next gets memory that is still in the processor's caches, and that the system has not taken back."""
    users, read = known
    last: dict[Value, int] = {}
    lasting = {*outputs}
    for number in reversed(range(len(nodes))):
        node = nodes[number]
        for value in node.outputs:
            last[value] = max((read[n] for n in users.get(value, ())), default=number)
        if node in writes and node.outputs[0] in lasting:
            lasting.add(node.inputs[0])
    for number, node in reversed([*enumerate(nodes)]):
        if node in reused:
            last[reused[node]] = max(last[reused[node]], number)
        elif node in writes:  # it gives what it has written to, which may be from outside
            end = last.pop(node.outputs[0])
            if node.inputs[0] in last:
                last[node.inputs[0]] = max(last[node.inputs[0]], end)
    ends: dict[int, list[Value]] = {}
    for value, number in last.items():
        if value not in lasting and value not in folded and number < len(nodes) and _may_be_large(value):
            ends.setdefault(number, []).append(value)
    return ends


def _may_be_large(value: Value) -> bool:
    return not isinstance(value.type, TensorType) or not is_known(value.type.shape) or _is_large(value)


def _is_large(value: Value) -> bool:
    type_ = value.type
    if not isinstance(type_, TensorType) or type_.dtype.dtype.kind not in "biufc":
        return False
    return is_known(type_.shape) and math.prod(type_.shape) * type_.dtype.size >= _LARGE


def _alike(a: Value, b: Value) -> bool:
    return a.type.dtype == b.type.dtype and a.type.shape == b.type.shape
