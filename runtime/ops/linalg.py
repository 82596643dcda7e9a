"""Products and decompositions of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import DType, NumPyArray
from runtime.graph.graph import Node, TensorType
from runtime.graph.op import always, kernel, op, where_shapes_are_known
from runtime.graph.shapes import Dim
from runtime.ops.reduce import reduced


def _matmul(a: TensorType, b: TensorType) -> TensorType:
    if a.shape is None or b.shape is None:
        return TensorType(a.dtype, None)
    if not a.shape or not b.shape:
        raise ValueError(f"matmul of {shapes.show(a.shape)} and {shapes.show(b.shape)}: a scalar has no rows; use *")
    inner, outer = a.shape[-1], b.shape[-2] if len(b.shape) > 1 else b.shape[0]
    if isinstance(inner, int) and isinstance(outer, int) and inner != outer:
        raise ValueError(
            f"matmul of {shapes.show(a.shape)} and {shapes.show(b.shape)}: {inner} columns meet {outer} rows"
        )
    batch = shapes.broadcast(a.shape[:-2], b.shape[:-2]) or ()
    rows = a.shape[-2:-1] if len(a.shape) > 1 else ()
    columns = b.shape[-1:] if len(b.shape) > 1 else ()
    return TensorType(a.dtype, (*batch, *rows, *columns))


def _product_name(node: Node) -> str:
    return "MatMul" if all(len(v.type.shape or (0, 0)) < 3 for v in node.inputs) else "BatchMatMulV2"


matmul = op("matmul", _matmul, "{0} @ {1}", numpy=np.matmul, tf=_product_name, total=where_shapes_are_known)


def _common_size(a: Dim, b: Dim) -> Dim:
    """The size that an axis of two operands has in a sum, where one that is 1 goes with any."""
    if a == 1 or a == b:
        return b
    if b == 1 or isinstance(a, int):
        return a
    return b if isinstance(b, int) else None


def _einsum(*xs: TensorType, equation: str) -> TensorType:
    if any(x.shape is None for x in xs) or "..." in equation:
        return TensorType(xs[0].dtype, None)
    terms, _, result = equation.replace(" ", "").partition("->")
    sizes: dict[str, Dim] = {}
    if len(terms.split(",")) != len(xs):
        raise ValueError(f"einsum {equation!r}: it names {len(terms.split(','))} operands, and is given {len(xs)}")
    for term, x in zip(terms.split(","), xs):
        if len(term) != len(x.shape or ()):
            raise ValueError(f"einsum {equation!r}: {term!r} names {len(term)} axes of {shapes.show(x.shape)}")
        for letter, size in zip(term, x.shape or ()):
            known = sizes.setdefault(letter, size)
            if isinstance(known, int) and isinstance(size, int) and known != size and 1 not in (known, size):
                raise ValueError(f"einsum {equation!r}: axis {letter!r} has {known} elements, and {size}")
            sizes[letter] = _common_size(known, size)
    if "->" not in equation:
        letters = terms.replace(",", "")
        result = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return TensorType(xs[0].dtype, tuple(sizes[c] for c in result))


einsum = op("einsum", _einsum, "np.einsum({equation}, {*})", shares=always)


@kernel
def contracted(a: NumPyArray, b: NumPyArray, axes: Any) -> object:
    return np.tensordot(a, b, axes)


def _tensordot(a: TensorType, b: TensorType, *, axes: Any) -> TensorType:
    if a.shape is None or b.shape is None:
        return TensorType(a.dtype, None)
    if isinstance(axes, int):
        left, right = list(range(len(a.shape) - axes, len(a.shape))), list(range(axes))
    else:
        left, right = ([x] if isinstance(x, int) else list(x) for x in axes)
    left, right = [i % len(a.shape) for i in left], [i % len(b.shape) for i in right]
    for i, j in zip(left, right):
        m, n = a.shape[i], b.shape[j]
        if isinstance(m, int) and isinstance(n, int) and m != n:
            raise ValueError(
                f"tensordot of {shapes.show(a.shape)} and {shapes.show(b.shape)}: "
                f"axis {i} has {m} elements, axis {j} has {n}"
            )
    kept = [d for i, d in enumerate(a.shape) if i not in left]
    return TensorType(a.dtype, (*kept, *(d for i, d in enumerate(b.shape) if i not in right)))


tensordot = op("tensordot", _tensordot, "contracted({0}, {1}, {axes})")


def _outer(a: TensorType, b: TensorType) -> TensorType:
    return TensorType(a.dtype, (shapes.elements(a.shape), shapes.elements(b.shape)))


outer = op("outer", _outer, "np.outer({0}, {1})")


def _same(x: TensorType, *_: TensorType, **__: Any) -> TensorType:
    return TensorType(x.dtype, x.shape)


def _square(x: TensorType) -> TensorType:
    """The same type, if these may be square matrices; raises LinAlgError with NumPy's words."""
    if x.shape is not None and len(x.shape) < 2:
        raise np.linalg.LinAlgError(f"{len(x.shape)}-dimensional array given. Array must be at least two-dimensional")
    if x.shape is not None and len(sizes := {d for d in x.shape[-2:] if isinstance(d, int)}) > 1:
        raise np.linalg.LinAlgError(
            f"Last 2 dimensions of the array must be square, not {' and '.join(map(str, sizes))}"
        )
    return _same(x)


inverse = op("inverse", _square, "np.linalg.inv({0})", tf="MatrixInverse")
cholesky = op("cholesky", _square, "np.linalg.cholesky({0})")


def _solve(a: TensorType, b: TensorType) -> TensorType:
    _square(a)
    return TensorType(b.dtype, b.shape)


solve = op("solve", _solve, "np.linalg.solve({0}, {1})", tf="MatrixSolve")


def _det(x: TensorType) -> TensorType:
    _square(x)
    return TensorType(x.dtype, None if x.shape is None else x.shape[:-2])


det = op("det", _det, "np.linalg.det({0})", tf="MatrixDeterminant")


def _norm(x: TensorType, *, order: float | int | None, axis: Any, keepdims: bool, dtype: DType) -> TensorType:
    if order is not None and x.shape is not None:
        np.linalg.norm(np.ones((1,) * len(x.shape)), order, axis)  # raises where these have no such norm
    return TensorType(dtype, reduced(x.shape, axis, keepdims))


@kernel
def norm_of(x: Any, order: float | int | None, axis: Any, keepdims: bool, dtype: object) -> object:
    if x.dtype.kind != "c":
        x = x.astype(dtype)  # small numbers have squares in the dtype of the norm
    if order is None:
        return np.sqrt(np.sum(np.square(np.abs(x)), axis=axis, keepdims=keepdims)).astype(dtype)
    return np.linalg.norm(x, order, axis, keepdims).astype(dtype)


norm = op("norm", _norm, "norm_of({0}, {order}, {axis}, {keepdims}, {dtype})")


def _trace(x: TensorType) -> TensorType:
    return TensorType(x.dtype, None if x.shape is None else x.shape[:-2])


trace = op("trace", _trace, "np.trace({0}, axis1=-2, axis2=-1, dtype=np.asarray({0}).dtype)")
