"""What the condition of a branch says of what is traced in it: in ``if x is not None: …``, that `x` is not None."""

from __future__ import annotations

import numpy as np

from runtime.graph.graph import Value
from runtime.ops import elementwise as ew, shape as shape_ops, structure
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace, current

_FEW = 64  # nodes, among the last of which a condition is looked for


def is_never(number: SymbolicTensor, known: int) -> bool:
    """Whether what is being traced runs only where a number is not a known one."""
    trace = current()
    around = trace
    while around is not None:
        own = around.known(number.value, number.traced_in)
        if own is not None and (own, known) in around.excluded:
            return True
        around = around.parent
    while trace is not None and trace.parent is not None:
        value = trace.parent.known(number.value, number.traced_in)
        if trace.taken_if is not None and value is not None and _excludes(trace.parent, value, known, *trace.taken_if):
            return True
        trace = trace.parent
    return False


def _excludes(trace: Trace, value: Value, known: int, condition: Value, holds: bool) -> bool:
    """Whether a value is not a known number where a condition holds, or does not."""
    node = next((node for node in reversed(trace.nodes[-_FEW:]) if condition in node.outputs), None)
    if node is None:
        return False
    if node.op is ew.logical_not:
        return _excludes(trace, value, known, node.inputs[0], not holds)
    if node.op is ew.logical_and and holds:
        return any(_excludes(trace, value, known, part, True) for part in node.inputs)
    if node.op is structure.if_ and holds:  # `a and b`, of which the first holds where the whole does
        otherwise = node.regions[1].outputs[node.outputs.index(condition)]
        made = next((one for one in node.regions[1].nodes if otherwise in one.outputs), None)
        is_and = made is not None and made.op is shape_ops.constant and not np.any(made.attributes["value"])
        return is_and and _excludes(trace, value, known, node.inputs[0], True)
    if node.op is ew.logical_or and not holds:
        return any(_excludes(trace, value, known, part, False) for part in node.inputs)
    if node.op is not ew.equal or node.inputs[0] is not value or node.inputs[1] not in trace.constants:
        return False
    return bool(np.all(trace.constants[node.inputs[1]] == known)) is not holds
