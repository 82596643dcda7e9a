"""Whether operations fail, asked by operations that have machine code."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np

from runtime.graph.dtypes import DType, int64
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, indexing, reduce, shape as shape_ops
from runtime.tensors.operations import FAILS, apply
from runtime.tensors.tensor import EagerTensor, Tensor


def _anywhere(truths: Tensor) -> Tensor:
    return truths if truths.type.shape == () else apply(reduce.reduce_any, truths, axis=None, keepdims=False)


def _number(value: float, like: Tensor) -> EagerTensor:
    return EagerTensor(np.asarray(value, like.type.dtype.dtype))


def _is_nan(x: Tensor) -> Tensor:
    return _anywhere(apply(ew.is_nan, x))


def _is_large(x: Tensor) -> Tensor:
    """Whether 64 bits do not hold it, or it is infinite."""
    large = apply(ew.greater_equal, x, _number(2.0**63, x))
    return _anywhere(apply(ew.logical_or, large, apply(ew.less, x, _number(-(2.0**63), x))))


def _is_below_zero(x: Tensor, y: Tensor) -> Tensor:
    return _anywhere(apply(ew.less, y, _number(0, y)))


def _is_outside(x: Tensor, *, dtype: DType) -> Tensor:
    low, high = (EagerTensor.of(int(limit)) for limit in (dtype.min, dtype.max))
    return _anywhere(apply(ew.logical_or, apply(ew.less, x, low), apply(ew.greater, x, high)))


def _is_empty(x: Tensor, *, axis: object, **_: object) -> Tensor | None:
    """Whether there is no element to choose; it is not said of some axes of several."""
    shape = x.type.shape
    if shape is None or (axis is not None and len(shape) != 1):
        return None
    lengths = [apply(shape_ops.length, x, axis=i, dtype=int64) for i in range(len(shape))]
    empty = [apply(ew.equal, length, EagerTensor(np.int64(0))) for length in lengths]
    return functools.reduce(functools.partial(apply, ew.logical_or), empty)


def _does_not_fit(
    x: Tensor, value: Tensor, *given: Tensor, index: Sequence[object], **_: object
) -> EagerTensor | None:  # fmt: skip
    """False where a value surely fits the part that it is assigned to; it is not said of others."""
    dims, part = value.type.shape, indexing.indexed(x.type.shape, index, [one.type for one in given])
    if dims != () and (dims is None or part is None):
        return None
    pairs = itertools.zip_longest(reversed(dims), reversed(part or ()), fillvalue=1)
    fits = all(mine == 1 or (mine is not None and mine == other) for mine, other in pairs)
    return EagerTensor(np.asarray(False)) if fits else None


_CHOOSING: tuple[Op, ...] = (reduce.reduce_max, reduce.reduce_min, reduce.argmax, reduce.argmin)

FAILS[ew.python_int, ValueError] = _is_nan
FAILS[ew.python_int, OverflowError] = _is_large
FAILS[ew.power, ValueError] = _is_below_zero
FAILS[ew.fit, OverflowError] = _is_outside
FAILS[indexing.setitem, ValueError] = _does_not_fit
for _op in _CHOOSING:
    FAILS[_op, ValueError] = _is_empty
