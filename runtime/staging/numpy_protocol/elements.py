"""What NumPy's functions that choose, order and multiply elements do with tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime import control
from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew, linalg
from runtime.ops.shape import nonzero
from runtime.staging.numpy_protocol.meanings import METHODS, is_pythons, means, on_arrays, operand
from runtime.tensors import making, mathematics, parts, products, reductions, shaping
from runtime.tensors.bounds import may_be_outside
from runtime.tensors.conversion import cast, index_parts, promote, result_dtype
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Casting, DTypeLike, TensorLike

_NOTHING = np.empty(0)


def _flat(a: Any, axis: object) -> Tensor:
    return shaping.reshape(a, [-1]) if axis is None else operand(a)


@means(np.sort)
def _sort(a: object, axis: int | None = -1, kind: Any = None, *, stable: bool | None = None) -> object:
    np.sort(_NOTHING, kind=kind, stable=stable)  # which refuses what it does not know; all sorting here is stable
    return parts.sort(_flat(a, axis), -1 if axis is None else axis)


@means(np.argsort, method="argsort")
def _argsort(a: object, axis: int | None = -1, kind: Any = None, *, stable: bool | None = None) -> Tensor:
    np.argsort(_NOTHING, kind=kind, stable=stable)
    axis = None if operand(a).shape.rank == 0 and axis in (0, -1) else axis
    return cast(parts.argsort(_flat(a, axis), -1 if axis is None else axis), np.int64)


@means(np.take, method="take")
def _take(a: object, indices: object, axis: int | None = None, mode: str = "raise") -> object:
    x, at = _flat(a, axis), operand(indices)
    x = x if x.shape.rank != 0 else shaping.reshape(x, [1])
    along = 0 if axis is None else axis_of(axis, len(x.shape))
    size = making.like_shape(x)[along]
    if at.dtype.is_bool or at.shape.num_elements() == 0:
        at = cast(at, np.int64)
    if not at.dtype.is_integer:
        raise TypeError(
            f"Cannot cast array data from {at.dtype.dtype!r} to dtype('int64') according to the rule 'safe'"
        )
    if mode == "wrap":
        at = at % size
    elif mode == "clip":
        at = mathematics.maximum(mathematics.minimum(at, size - 1), 0)
    elif mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    index: tuple[Any, ...] = (*(slice(None),) * along, at)
    may_be_outside(x, *index_parts(index), 0)
    return x[index]


@means(np.searchsorted)
def _search_sorted(a: object, v: TensorLike, side: str = "left", sorter: object = None) -> Tensor:
    x = operand(a) if sorter is None else _take(a, sorter, 0)
    if len(x.type.shape or ()) > 1:
        raise ValueError("object too deep for desired array")  # in NumPy's words, which has one sequence only
    return cast(parts.searchsorted(x, operand(v), side), np.int64)


METHODS["searchsorted"] = lambda x, v, side="left", sorter=None: _search_sorted(x, v, side, sorter)


@means(np.argwhere)
def _argwhere(a: object) -> object:
    x = operand(a)
    return apply(nonzero, x)


@means(np.nonzero, method="nonzero")
def _nonzero(a: object) -> object:
    x = operand(a)
    if x.shape.rank == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    found = apply(nonzero, x)
    return tuple(found[:, i] for i in range(len(x.shape)))


@means(np.flatnonzero)
def _flat_nonzero(a: TensorLike) -> object:
    return apply(nonzero, shaping.reshape(a, [-1]))[:, 0]


@means(np.where)
def _where(condition: object, x: TensorLike | None = None, y: TensorLike | None = None) -> object:
    if x is None and y is None:
        return _nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    if is_pythons(x) and is_pythons(y):  # on their own they are what NumPy makes of them
        x, y = operand(x), operand(y)
    x, y = (operand(v) if type(v) in (list, tuple) else v for v in (x, y))
    kind = result_dtype([x, y])
    if kind is not None and kind.is_integer:  # a number of Python's need not fit: it wraps
        x, y = (cast(v, kind) if is_pythons(v) else v for v in (x, y))
    return mathematics.where(cast(operand(condition), np.bool), x, y)


@means(np.ix_)
def _ix(*args: object) -> object:
    """Index vectors as an open mesh; masks become the indices where they hold."""
    made = []
    for i, arg in enumerate(args):
        x = operand(arg)
        if len(x.shape) != 1:
            raise ValueError("Cross index must be 1 dimensional")
        x = _flat_nonzero(x) if x.dtype.is_bool else x
        made.append(x[(*(None,) * i, slice(None), *(None,) * (len(args) - i - 1))])
    return tuple(made)


@means(np.clip, method="clip")
def _clip(
    a: object,
    a_min: TensorLike | None = None,
    a_max: TensorLike | None = None,
    *,
    min: TensorLike | None = None,
    max: TensorLike | None = None,
) -> object:
    if (min is not None or max is not None) and (a_min is not None or a_max is not None):
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    low, high = (operand(v) if type(v) in (list, tuple) else v for v in (low, high))
    result = operand(a)
    if result.dtype.is_integer:
        low, high = _within(low, result.dtype, mathematics.maximum), _within(high, result.dtype, mathematics.minimum)
    if low is None and high is None:
        return apply(ew.positive, result)  # which truth values have not
    if low is not None and high is not None and result.dtype.is_floating:
        return mathematics.clipped(result, low, high)
    result = result if low is None else mathematics.maximum(result, low)
    return result if high is None else mathematics.minimum(result, high)


def _within(limit: TensorLike | None, dtype: DType, nearer: Callable[..., Tensor]) -> TensorLike | None:
    """A number of Python's beyond all numbers of a dtype is no limit, as the last of these is none."""
    last = dtype.min if nearer is mathematics.maximum else dtype.max
    if limit is None or not is_pythons(limit) or isinstance(limit, bool | float | complex):
        return limit
    if isinstance(limit, int):
        return max(limit, last) if nearer is mathematics.maximum else min(limit, last)
    return nearer(limit, last) if operand(limit).dtype.is_integer and abs(last) <= np.iinfo(np.int64).max else limit


@means(np.nan_to_num)
def _nan_to_num(
    x: object, nan: TensorLike = 0.0, posinf: TensorLike | None = None, neginf: TensorLike | None = None
) -> Tensor:
    result = operand(x)
    if result.dtype.is_complex:
        return on_arrays(np.nan_to_num, (x,), {"nan": nan, "posinf": posinf, "neginf": neginf})
    if not result.dtype.is_floating:
        return shaping.identity(result)
    limits = np.finfo(result.dtype.dtype)
    for found, value in (
        (mathematics.is_nan(result), nan),
        (mathematics.equal(result, np.inf), limits.max if posinf is None else posinf),
        (mathematics.equal(result, -np.inf), limits.min if neginf is None else neginf),
    ):
        result = mathematics.where(found, cast(value, result.dtype), result)
    return result


@means(np.round, np.around, method="round")
def _round(a: object, decimals: int = 0) -> object:
    return apply(ew.round_, operand(a), decimals=int(decimals))


@means(np.real)
def _real(val: TensorLike) -> object:
    return mathematics.real(val)


@means(np.imag)
def _imag(val: TensorLike) -> object:
    return mathematics.imag(val)


@means(np.angle)
def _angle(z: TensorLike, deg: bool = False) -> object:
    found = mathematics.angle(z)
    return found * (180 / np.pi) if deg else found


# Closeness.


@means(np.isclose)
def _is_close(a: object, b: object, rtol: object = 1e-5, atol: object = 1e-8, equal_nan: bool = False) -> object:
    x, y = promote([operand(a), operand(b)])
    if not all(isinstance(v, bool | int | float) for v in (rtol, atol)):
        raise refused(TypeError("np.isclose of tensors takes rtol and atol as Python numbers"))
    close = apply(ew.is_close, x, y, rtol=rtol, atol=atol)
    if not equal_nan or not (x.dtype.is_floating or x.dtype.is_complex):
        return close
    return apply(ew.logical_or, close, apply(ew.logical_and, apply(ew.is_nan, x), apply(ew.is_nan, y)))


@means(np.allclose)
def _all_close(a: object, b: object, rtol: object = 1e-5, atol: object = 1e-8, equal_nan: bool = False) -> object:
    return reductions.reduce_all(_is_close(a, b, rtol, atol, equal_nan))


@means(np.array_equal)
def _array_equal(a1: object, a2: object, equal_nan: bool = False) -> object:
    try:
        x, y = promote([operand(a1), operand(a2)])
    except TypeError:  # text and numbers
        return False
    mine, others = x.type.shape, y.type.shape
    if mine is None or others is None:
        raise refused(TypeError("np.array_equal of an array of which only the graph knows how many dimensions it has"))
    pairs = [*zip(mine, others)]
    if len(mine) != len(others) or any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs):
        return False

    def equal() -> object:
        same = apply(ew.equal, x, y)
        if equal_nan and (x.dtype.is_floating or x.dtype.is_complex):
            same = apply(ew.logical_or, same, apply(ew.logical_and, apply(ew.is_nan, x), apply(ew.is_nan, y)))
        return reductions.reduce_all(same)

    if all(a == b for a, b in pairs):
        return equal()
    alike = reductions.reduce_all(mathematics.equal(shaping.shape(x), shaping.shape(y)))
    return control.cond(alike, equal, lambda: False)


# Products.


@means(np.dot, method="dot")
def _dot(a: object, b: object) -> object:
    x, y = promote([operand(a), operand(b)])
    if x.shape.rank == 0 or y.shape.rank == 0:
        return apply(ew.multiply, x, y)
    if len(y.shape) > 2:
        return products.tensordot(x, y, [[-1], [-2]])
    return apply(linalg.matmul, x, y)


@means(np.outer)
def _outer(a: object, b: object) -> object:
    return apply(linalg.outer, *promote([operand(a), operand(b)]))


@means(np.tensordot)
def _tensordot(a: TensorLike, b: TensorLike, axes: int | Sequence[int | Sequence[int]] = 2) -> object:
    return products.tensordot(operand(a), operand(b), axes)


@means(np.einsum)
def _einsum(
    *operands: object, dtype: DTypeLike | None = None, casting: Casting = "safe", order: str = "K", **rest: object
) -> object:
    if rest.keys() - {"optimize"}:
        raise refused(
            TypeError(f"np.einsum with {', '.join(rest)}= has no staged meaning: tensors are never changed in place")
        )
    equation, *given = operands
    if not isinstance(equation, str):
        raise refused(TypeError("np.einsum of tensors takes its subscripts as text, before the operands"))
    values = promote([operand(x) for x in given])
    if dtype is not None:
        for x in values:
            if not np.can_cast(x.dtype.dtype, dtype, casting):
                raise TypeError(f"Cannot cast operand from {x.dtype.name} to {np.dtype(dtype)} by {casting!r}")
        values = [cast(x, dtype) for x in values]
    return products.einsum(equation, *values, optimize=False)


# Matrices.


def _floating(x: object) -> Tensor:
    """A matrix as NumPy's linear algebra computes with it: whole numbers are float64."""
    x = operand(x)
    if x.dtype.name in ("float16", "string"):
        raise TypeError(f"array type {x.dtype.name} is unsupported in linalg")
    made: Tensor = x if x.dtype.is_floating or x.dtype.is_complex else cast(x, np.float64)
    return made


means(np.linalg.det)(lambda a: products.det(_floating(a)))


@means(np.linalg.inv)
def _inv(a: object) -> Tensor:
    return products.inv(_floating(a))


@means(np.linalg.solve)
def _solve(a: object, b: object) -> Tensor:
    return products.solve(_floating(a), _floating(b))


@means(np.linalg.cholesky)
def _cholesky(a: object, *, upper: bool = False) -> object:
    x = _floating(a)
    if upper:
        x = mathematics.conj(products.matrix_transpose(x))
    found = products.cholesky(x)
    return mathematics.conj(products.matrix_transpose(found)) if upper else found


@means(np.linalg.norm)
def _norm(x: object, ord: object = None, axis: object = None, keepdims: bool = False) -> object:
    tensor = operand(x)
    if not tensor.dtype.is_floating and not tensor.dtype.is_complex:
        tensor = cast(tensor, np.float64)
    where = tuple(axis) if isinstance(axis, list) else axis
    if isinstance(where, int) and tensor.shape.rank is not None:
        axis_of(where, tensor.shape.rank)
    kind = np.linalg.norm(np.ones(1, tensor.dtype.dtype)).dtype
    return apply(linalg.norm, tensor, order=ord, axis=where, keepdims=bool(keepdims), dtype=as_dtype(kind))
