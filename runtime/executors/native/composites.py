"""Operations that are said with others, before they become code."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from runtime.executors.native.lowering import COMPOSITES
from runtime.executors.native.values import Unsupported
from runtime.graph.dtypes import DType, int64
from runtime.graph.graph import Node, TensorType, Value
from runtime.graph.op import OPS


class _Steps:
    """Nodes in the making, in the place of one."""

    def __init__(self, node: Node) -> None:
        self.node, self.nodes = node, list[Node]()

    def __call__(self, name: str, *inputs: Value, **attributes: Any) -> Value:
        """The result of an operation, of the type that its rule gives."""
        type_ = OPS[name].rule(*(v.type for v in inputs), **attributes)
        return self.into(Value(type_, name), name, *inputs, **attributes)

    def into(self, output: Value, name: str, *inputs: Value, **attributes: Any) -> Value:
        self.nodes.append(Node(OPS[name], inputs, (output,), attributes, (), self.node.place))
        return output

    def number(self, value: float, dtype: DType) -> Value:
        output = Value(TensorType(dtype, ()), "c")
        return self.into(output, "constant", value=dtype.as_numpy_dtype(value), dtype=dtype)

    def size(self, x: Value, axis: int) -> int | Value:
        known = (x.type.shape or ())[axis]
        return known if isinstance(known, int) else self("length", x, axis=axis, dtype=int64)

    def product(self, sizes: Sequence[int | Value]) -> int | Value:
        total: int | Value = math.prod(s for s in sizes if isinstance(s, int))
        for s in sizes:
            if isinstance(s, Value):
                factor = total if isinstance(total, Value) else self.number(total, int64)
                total = self("multiply", factor, s)
        return total

    def reshaped(self, x: Value, sizes: Sequence[int | Value], output: Value | None = None) -> Value:
        given = [s for s in sizes if isinstance(s, Value)]
        shape = tuple(s if isinstance(s, int) else None for s in sizes)
        if output is None:
            return self("reshape", x, *given, shape=shape)
        return self.into(output, "reshape", x, *given, shape=shape)

    def floating(self, x: Value, dtype: DType) -> Value:
        return x if x.type.dtype == dtype else self("cast", x, dtype=dtype)


def _composite(*names: str) -> Callable[[Callable[[_Steps], None]], None]:
    def register(function: Callable[[_Steps], None]) -> None:
        def expand(node: Node) -> list[Node]:
            steps = _Steps(node)
            function(steps)
            return steps.nodes

        COMPOSITES.update(dict.fromkeys(names, expand))

    return register


@_composite("var", "std")
def _variance(steps: _Steps) -> None:
    """The mean of squared distances from the mean."""
    node = steps.node
    (x,), dtype = node.inputs, node.outputs[0].type.dtype
    axis, keepdims = node.attributes["axis"], node.attributes["keepdims"]
    x = steps.floating(x, dtype)
    centred = steps("subtract", x, steps("mean", x, axis=axis, keepdims=True, dtype=dtype))
    how = {"axis": axis, "keepdims": keepdims, "dtype": dtype}
    squares = steps("square", centred)
    if node.op.name == "var":
        steps.into(node.outputs[0], "mean", squares, **how)
    else:
        steps.into(node.outputs[0], "sqrt", steps("mean", squares, **how))


@_composite("logsumexp")
def _log_sum_exp(steps: _Steps) -> None:
    node = steps.node
    (x,), dtype = node.inputs, node.outputs[0].type.dtype
    axis, keepdims = node.attributes["axis"], node.attributes["keepdims"]
    if not x.type.dtype.is_floating:
        x = steps("cast", x, dtype=dtype)
    top = steps("max", x, axis=axis, keepdims=True)
    top = steps("where", steps("is_finite", top), top, steps.number(0, dtype))
    grown = steps("exp", steps("subtract", x, top))
    total = steps("log", steps("sum", grown, axis=axis, keepdims=True, dtype=dtype))
    if keepdims:
        steps.into(node.outputs[0], "add", total, top)
        return
    rank = len(x.type.shape or ())
    axes = tuple(range(rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    steps.into(node.outputs[0], "squeeze", steps("add", total, top), axis=axes)


@_composite("norm")
def _norm(steps: _Steps) -> None:
    node = steps.node
    (x,), dtype = node.inputs, node.outputs[0].type.dtype
    how = {"axis": node.attributes["axis"], "keepdims": node.attributes["keepdims"]}
    order, axis = node.attributes["order"], how["axis"]
    x = steps.floating(x, dtype)
    if order is None:
        steps.into(node.outputs[0], "sqrt", steps("sum", steps("square", x), dtype=dtype, **how))
        return
    rank = len(x.type.shape or ())
    if rank != 1 and not isinstance(axis, int):
        raise Unsupported("a norm of matrices of another order", node)
    size = steps("absolute", x)
    if math.isinf(order):
        steps.into(node.outputs[0], "max" if order > 0 else "min", size, **how)
    elif order == 0:
        some = steps("cast", steps("not_equal", x, steps.number(0, dtype)), dtype=dtype)
        steps.into(node.outputs[0], "sum", some, dtype=dtype, **how)
    elif order == 1:
        steps.into(node.outputs[0], "sum", size, dtype=dtype, **how)
    elif order == 2:
        steps.into(node.outputs[0], "sqrt", steps("sum", steps("square", x), dtype=dtype, **how))
    else:
        total = steps("sum", steps("power", size, steps.number(order, dtype)), dtype=dtype, **how)
        steps.into(node.outputs[0], "power", total, steps.number(1 / order, dtype))


@_composite("is_close")
def _is_close(steps: _Steps) -> None:
    node = steps.node
    x, y = node.inputs
    if not (x.type.dtype.is_floating and x.type.dtype == y.type.dtype):
        raise Unsupported("closeness of integers", node)
    dtype = x.type.dtype
    slack = steps("multiply", steps("absolute", y), steps.number(node.attributes["rtol"], dtype))
    slack = steps("add", slack, steps.number(node.attributes["atol"], dtype))
    near = steps("less_equal", steps("absolute", steps("subtract", x, y)), slack)
    near = steps("logical_and", near, steps("is_finite", y))
    steps.into(node.outputs[0], "logical_or", near, steps("equal", x, y))


@_composite("tensordot")
def _tensordot(steps: _Steps) -> None:
    """Axes that are summed go together, then it is a product of matrices."""
    node = steps.node
    a, b = node.inputs
    axes = node.attributes["axes"]
    assert a.type.shape is not None and b.type.shape is not None
    ra, rb = len(a.type.shape), len(b.type.shape)
    if isinstance(axes, int):
        left, right = list(range(ra - axes, ra)), list(range(axes))
    else:
        left, right = ([x] if isinstance(x, int) else list(x) for x in axes)
    left, right = [i % ra for i in left], [i % rb for i in right]
    kept_a, kept_b = [i for i in range(ra) if i not in left], [i for i in range(rb) if i not in right]
    sizes = [steps.size(a, i) for i in kept_a], [steps.size(b, i) for i in kept_b]
    rows, columns = map(steps.product, sizes)
    depths = [steps.product([steps.size(x, i) for i in summed]) for x, summed in ((a, left), (b, right))]
    a = steps.reshaped(steps("transpose", a, axes=(*kept_a, *left)), [rows, depths[0]])
    b = steps.reshaped(steps("transpose", b, axes=(*right, *kept_b)), [depths[1], columns])
    steps.reshaped(steps("matmul", a, b), [*sizes[0], *sizes[1]], node.outputs[0])
