"""What is known while tracing is computed then."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.graph.dtypes import DType
from runtime.graph.graph import Graph, Node, TensorType, Value, replaced
from runtime.ops import shape as shape_ops, structure
from runtime.ops.elementwise import PYTHONS_WHOLE
from runtime.optimise.rewriting import constant, in_regions, is_pure

_LARGEST = 4096  # elements of a result; a larger one is made when the graph runs


def constant_folding(graph: Graph) -> Graph:
    """Compute the nodes whose inputs are constants; regions get constants of their own for those that they capture.

    What raises is left, to raise when the graph runs.
    """
    known: dict[Value, object] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.op is shape_ops.constant:
            known[node.outputs[0]] = node.attributes["value"]
        elif node.regions:
            node = in_regions(_with_constants_inside(node, known), constant_folding)
        elif is_pure(node) and node.inputs and all(v in known for v in node.inputs):
            results = _computed(node, known)
            if results is not None:
                nodes += [constant(r, v, node) for r, v in zip(results, node.outputs)]
                known.update(zip(node.outputs, results))
                continue
        nodes.append(node)
    return replaced(graph, nodes=tuple(nodes))


def _computed(node: Node, known: dict[Value, Any]) -> list[object] | None:
    types = [v.type for v in node.outputs]
    if not all(isinstance(t, TensorType) and not t.dtype.has_objects for t in types):
        return None
    given = [known[v] for v in node.inputs]
    if sum(np.size(x) for x in given) > _LARGEST:
        return None
    attributes = {k: v.as_numpy_dtype if isinstance(v, DType) else v for k, v in node.attributes.items()}
    try:
        with np.errstate(all="ignore"):
            result = node.op.kernel(*given, **attributes)
    except Exception:  # whatever it is, the user shall meet it when the graph runs
        return None
    results: list[Any] = list(result) if isinstance(result, tuple) else [result]
    if node.op.grows and types[0] == PYTHONS_WHOLE:
        exact = node.op.kernel(*map(int, given), **attributes)  # as Python computes it, which has no limit
        if exact != result:
            return None
    right = all(np.asarray(r).dtype == t.dtype.dtype and np.size(r) <= _LARGEST for r, t in zip(results, types))
    return [np.array(r)[()] for r in results] if right else None  # numbers, and arrays of their own


def _with_constants_inside(node: Node, known: dict[Value, object]) -> Node:
    """Constants that a branch or loop captures (not its state) are written into its regions."""
    if node.op not in (structure.if_, structure.while_):
        return node
    first = 1 if node.op is structure.if_ else 0
    start = len(node.outputs) if node.op is structure.while_ else 0
    inside = [i for i in range(start, len(node.regions[0].inputs)) if _is_number(known.get(node.inputs[first + i]))]
    if not inside:
        return node
    regions = []
    for region in node.regions:
        made = [constant(known[node.inputs[first + i]], region.inputs[i], node) for i in inside]
        inputs = tuple(v for i, v in enumerate(region.inputs) if i not in inside)
        regions.append(replaced(region, inputs=inputs, nodes=(*made, *region.nodes)))
    inputs = tuple(v for i, v in enumerate(node.inputs) if i - first not in inside)
    return replaced(node, inputs=inputs, regions=tuple(regions))


def _is_number(value: Any) -> bool:
    return value is not None and np.ndim(value) == 0
