"""Operations that are said with others, before they become code."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from runtime.executors.native.lowering import DECOMPOSITIONS
from runtime.executors.native.values import Unsupported
from runtime.graph.dtypes import DType, int64
from runtime.graph.graph import Node, TensorType, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, linalg, reduce, shape as shape_ops


class _Steps:
    """Nodes in the making, in the place of one."""

    def __init__(self, node: Node) -> None:
        self.node, self.nodes = node, list[Node]()

    def __call__(self, op: Op, *inputs: Value, **attributes: object) -> Value:
        """The result of an operation, of the type that its rule gives."""
        type_ = op.rule(*(v.type for v in inputs), **attributes)
        return self.into(Value(type_, op.name), op, *inputs, **attributes)

    def into(self, output: Value, op: Op, *inputs: Value, **attributes: object) -> Value:
        self.nodes.append(Node(op, inputs, (output,), attributes, (), self.node.place))
        return output

    def number(self, value: float, dtype: DType) -> Value:
        output = Value(TensorType(dtype, ()), "c")
        return self.into(output, shape_ops.constant, value=dtype.as_numpy_dtype(value), dtype=dtype)

    def size(self, x: Value, axis: int) -> int | Value:
        known = (x.type.shape or ())[axis]
        return known if isinstance(known, int) else self(shape_ops.length, x, axis=axis, dtype=int64)

    def product(self, sizes: Sequence[int | Value]) -> int | Value:
        total: int | Value = math.prod(s for s in sizes if isinstance(s, int))
        for s in sizes:
            if isinstance(s, Value):
                factor = total if isinstance(total, Value) else self.number(total, int64)
                total = self(ew.multiply, factor, s)
        return total

    def reshaped(self, x: Value, sizes: Sequence[int | Value], output: Value | None = None) -> Value:
        given = [s for s in sizes if isinstance(s, Value)]
        shape = tuple(s if isinstance(s, int) else None for s in sizes)
        if output is None:
            return self(shape_ops.reshape, x, *given, shape=shape)
        return self.into(output, shape_ops.reshape, x, *given, shape=shape)

    def floating(self, x: Value, dtype: DType) -> Value:
        return x if x.type.dtype == dtype else self(ew.cast, x, dtype=dtype)


def _composite(*ops: Op) -> Callable[[Callable[[_Steps], None]], None]:
    def register(function: Callable[[_Steps], None]) -> None:
        def expand(node: Node) -> list[Node]:
            steps = _Steps(node)
            function(steps)
            return steps.nodes

        DECOMPOSITIONS.update(dict.fromkeys(ops, expand))

    return register


@_composite(reduce.reduce_var, reduce.reduce_std)
def _variance(steps: _Steps) -> None:
    """The mean of squared distances from the mean."""
    node = steps.node
    (x,), dtype = node.inputs, node.outputs[0].type.dtype
    axis, keepdims = node.attributes["axis"], node.attributes["keepdims"]
    x = steps.floating(x, dtype)
    centred = steps(ew.subtract, x, steps(reduce.reduce_mean, x, axis=axis, keepdims=True, dtype=dtype))
    how = {"axis": axis, "keepdims": keepdims, "dtype": dtype}
    squares = steps(ew.square, centred)
    if node.op is reduce.reduce_var:
        steps.into(node.outputs[0], reduce.reduce_mean, squares, **how)
    else:
        steps.into(node.outputs[0], ew.sqrt, steps(reduce.reduce_mean, squares, **how))


@_composite(reduce.reduce_logsumexp)
def _log_sum_exp(steps: _Steps) -> None:
    node = steps.node
    (x,), dtype = node.inputs, node.outputs[0].type.dtype
    axis, keepdims = node.attributes["axis"], node.attributes["keepdims"]
    if not x.type.dtype.is_floating:
        x = steps(ew.cast, x, dtype=dtype)
    top = steps(reduce.reduce_max, x, axis=axis, keepdims=True)
    top = steps(ew.where, steps(ew.is_finite, top), top, steps.number(0, dtype))
    grown = steps(ew.exp, steps(ew.subtract, x, top))
    total = steps(ew.log, steps(reduce.reduce_sum, grown, axis=axis, keepdims=True, dtype=dtype))
    if keepdims:
        steps.into(node.outputs[0], ew.add, total, top)
        return
    rank = len(x.type.shape or ())
    axes = tuple(range(rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    steps.into(node.outputs[0], shape_ops.squeeze, steps(ew.add, total, top), axis=axes)


@_composite(linalg.norm)
def _norm(steps: _Steps) -> None:
    node = steps.node
    (x,), dtype = node.inputs, node.outputs[0].type.dtype
    how = {"axis": node.attributes["axis"], "keepdims": node.attributes["keepdims"]}
    order, axis = node.attributes["order"], how["axis"]
    x = steps.floating(x, dtype)
    if order is None:
        steps.into(node.outputs[0], ew.sqrt, steps(reduce.reduce_sum, steps(ew.square, x), dtype=dtype, **how))
        return
    rank = len(x.type.shape or ())
    if rank != 1 and not isinstance(axis, int):
        raise Unsupported("a norm of matrices of another order", node)
    size = steps(ew.absolute, x)
    if math.isinf(order):
        steps.into(node.outputs[0], reduce.reduce_max if order > 0 else reduce.reduce_min, size, **how)
    elif order == 0:
        some = steps(ew.cast, steps(ew.not_equal, x, steps.number(0, dtype)), dtype=dtype)
        steps.into(node.outputs[0], reduce.reduce_sum, some, dtype=dtype, **how)
    elif order == 1:
        steps.into(node.outputs[0], reduce.reduce_sum, size, dtype=dtype, **how)
    elif order == 2:
        steps.into(node.outputs[0], ew.sqrt, steps(reduce.reduce_sum, steps(ew.square, x), dtype=dtype, **how))
    else:
        total = steps(reduce.reduce_sum, steps(ew.power, size, steps.number(order, dtype)), dtype=dtype, **how)
        steps.into(node.outputs[0], ew.power, total, steps.number(1 / order, dtype))


@_composite(ew.is_close)
def _is_close(steps: _Steps) -> None:
    node = steps.node
    x, y = node.inputs
    if not (x.type.dtype.is_floating and x.type.dtype == y.type.dtype):
        raise Unsupported("closeness of integers", node)
    dtype = x.type.dtype
    slack = steps(ew.multiply, steps(ew.absolute, y), steps.number(node.attributes["rtol"], dtype))
    slack = steps(ew.add, slack, steps.number(node.attributes["atol"], dtype))
    near = steps(ew.less_equal, steps(ew.absolute, steps(ew.subtract, x, y)), slack)
    near = steps(ew.logical_and, near, steps(ew.is_finite, y))
    steps.into(node.outputs[0], ew.logical_or, near, steps(ew.equal, x, y))


@_composite(linalg.tensordot)
def _tensordot(steps: _Steps) -> None:
    """Axes that are summed go together, then it is a product of matrices."""
    node = steps.node
    a, b = node.inputs
    assert a.type.shape is not None and b.type.shape is not None
    ra, rb = len(a.type.shape), len(b.type.shape)
    left, right = linalg.summed_axes(node.attributes["axes"], ra, rb)
    kept_a, kept_b = [i for i in range(ra) if i not in left], [i for i in range(rb) if i not in right]
    sizes = [steps.size(a, i) for i in kept_a], [steps.size(b, i) for i in kept_b]
    rows, columns = map(steps.product, sizes)
    depths = [steps.product([steps.size(x, i) for i in summed]) for x, summed in ((a, left), (b, right))]
    a = steps.reshaped(steps(shape_ops.transpose, a, axes=(*kept_a, *left)), [rows, depths[0]])
    b = steps.reshaped(steps(shape_ops.transpose, b, axes=(*right, *kept_b)), [depths[1], columns])
    steps.reshaped(steps(linalg.matmul, a, b), [*sizes[0], *sizes[1]], node.outputs[0])
