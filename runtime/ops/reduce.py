"""Reductions and scans along axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import SupportsInt

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import DType, NumPyArray, as_dtype, bool_, complex64, complex128, float32, float64
from runtime.graph.graph import Node, TensorType
from runtime.graph.op import Op, always, kernel, op, show_attribute, where_rank_is_known, where_shapes_are_known
from runtime.graph.shapes import Dims, axis_of
from runtime.ops import elementwise as ew
from runtime.ops.shape import dims, with_sizes

Axis = int | tuple[int, ...] | None


def reduced(shape: Dims, axis: Axis, keepdims: bool) -> Dims:
    """The shape without the axes that are reduced.

    >>> reduced((2, 3, 4), (0, -1), False), reduced((2, 3), None, True)
    ((3,), (1, 1))
    """
    if shape is None:
        return () if axis is None and not keepdims else None
    rank = len(shape)
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    gone = {axis_of(a, rank) for a in axes}
    if keepdims:
        return tuple(1 if i in gone else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in gone)


def _same(x: TensorType, *, axis: Axis, keepdims: bool, **_: object) -> TensorType:
    return TensorType(x.dtype, reduced(x.shape, axis, keepdims))


def _given(x: TensorType, *, axis: Axis, keepdims: bool, dtype: DType) -> TensorType:
    return TensorType(dtype, reduced(x.shape, axis, keepdims))


def _float(x: TensorType, *, axis: Axis, keepdims: bool, **_: object) -> TensorType:
    dtype = x.dtype if x.dtype.is_floating or x.dtype.is_complex else as_dtype("float64")
    return TensorType(dtype, reduced(x.shape, axis, keepdims))


def _spread(x: TensorType, *, axis: Axis, keepdims: bool) -> TensorType:
    """That of squares of distances, which are real."""
    dtype = {complex64: float32, complex128: float64}.get(x.dtype, x.dtype if x.dtype.is_floating else float64)
    return TensorType(dtype, reduced(x.shape, axis, keepdims))


def _bool(x: TensorType, *, axis: Axis, keepdims: bool) -> TensorType:
    return TensorType(bool_, reduced(x.shape, axis, keepdims))


def _has_elements(node: Node) -> bool:
    """Of nothing there is no mean, of which NumPy warns."""
    return shapes.elements(node.inputs[0].type.shape) not in (None, 0) and where_shapes_are_known(node)


def _of_some(x: TensorType, *, axis: Axis, keepdims: bool) -> TensorType:
    """The same dtype; raises ValueError where there is no element to choose."""
    result = _same(x, axis=axis, keepdims=keepdims)
    if x.shape is not None and 0 in x.shape and result.shape is not None and 0 not in result.shape:
        raise ValueError(f"a reduction of {shapes.show(x.shape)}: no elements have no largest or smallest")
    return result


def _reduction(
    name: str,
    function: str,
    rule: Callable[..., TensorType] = _same,
    tf: str = "",
    extra: str = "",
    total: object = where_rank_is_known,
    fold: Op | None = None,
    raises: tuple[Exception, ...] = (),
) -> Op:
    def render(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
        """What NumPy assumes anyway is not written."""
        axis = f", axis={attributes['axis']}" if attributes["axis"] is not None else ""
        keepdims = ", keepdims=True" if attributes["keepdims"] else ""
        dtype = f", dtype={show_attribute(attributes['dtype'])}" if "dtype" in attributes else ""
        return f"{function}({inputs[0]}{axis}{keepdims}{dtype})"

    text = f"{function}({{0}}, axis={{axis}}, keepdims={{keepdims}}{extra})"
    return op(name, rule, text, tf=tf, render=render, total=total, fold=fold, raises=raises)


reduce_sum = _reduction("sum", "np.sum", _given, "Sum", ", dtype={dtype}", fold=ew.add)
reduce_prod = _reduction("prod", "np.prod", _given, "Prod", ", dtype={dtype}", fold=ew.multiply)
reduce_mean = _reduction("mean", "np.mean", _given, "Mean", ", dtype={dtype}", total=_has_elements, fold=ew.add)
reduce_max = _reduction(
    "max", "np.max", _of_some, tf="Max", total=_has_elements, fold=ew.maximum,
    raises=(ValueError("zero-size array to reduction operation maximum which has no identity"),),
)  # fmt: skip
reduce_min = _reduction(
    "min", "np.min", _of_some, tf="Min", total=_has_elements, fold=ew.minimum,
    raises=(ValueError("zero-size array to reduction operation minimum which has no identity"),),
)  # fmt: skip
reduce_any = _reduction("any", "np.any", _bool, "Any", fold=ew.logical_or)
reduce_all = _reduction("all", "np.all", _bool, "All", fold=ew.logical_and)
reduce_std = _reduction("std", "np.std", _spread, "ReduceStd", total=_has_elements)
reduce_var = _reduction("var", "np.var", _spread, "ReduceVariance", total=_has_elements)


def _to_shape(x: TensorType, *given: TensorType, shape: Sequence[int | None]) -> TensorType:
    return TensorType(x.dtype, with_sizes(shape, given))


@kernel
def summed_to(x: NumPyArray, *given: SupportsInt, shape: Sequence[int | None]) -> object:
    """The sums of what would be one element of an array of another shape, were that broadcast to the shape of `x`.

    Axes of size 1 that have another in that shape are repeated.
    """
    wanted = dims(shape, given)
    lead = np.ndim(x) - len(wanted)
    axes = tuple(i for i, d in enumerate(np.shape(x)) if i >= lead and wanted[i - lead] == 1 and d != 1)
    made = np.sum(x, axis=axes, dtype=x.dtype, keepdims=True) if axes else x
    made = np.sum(made, axis=tuple(range(lead)), dtype=x.dtype) if lead else made
    return (made if np.shape(made) == wanted else np.broadcast_to(made, wanted).copy())[()]


sum_to = op(
    "sum_to", _to_shape, "summed_to({*}, shape={shape})", tf="Sum", takes_shape=True, shares=always,
    render=lambda i, a: f"summed_to({', '.join(i)}, shape={a['shape']})",
)  # fmt: skip


def _like(x: TensorType, other: TensorType) -> TensorType:
    return TensorType(x.dtype, other.shape)


@kernel
def summed_like(x: NumPyArray, other: NumPyArray) -> object:
    """The same for the shape of an array."""
    return summed_to(x, shape=np.shape(other))


sum_like = op("sum_like", _like, "summed_like({0}, {1})", tf="Sum", shares=always)


@kernel
def log_sum_exp(x: object, axis: Axis = None, keepdims: bool = False, **_: object) -> object:
    """log(sum(exp(x))), without overflow."""
    x = np.asarray(x, np.asarray(x).dtype if np.asarray(x).dtype.kind in "fc" else np.float64)
    top = np.max(x, axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    total = np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True)) + top
    return (total if keepdims else np.squeeze(total, axis=axis))[()].astype(x.dtype)


reduce_logsumexp = _reduction("logsumexp", "log_sum_exp", _float, "ReduceLogSumExp", total=_has_elements)


def _arg(x: TensorType, *, axis: int | None, dtype: DType) -> TensorType:
    if x.shape is not None and 0 in (x.shape if axis is None else (x.shape[axis_of(axis, len(x.shape))],)):
        raise ValueError("attempt to get argmax or argmin of an empty sequence")
    return TensorType(dtype, reduced(x.shape, axis, False))


argmax = op(
    "argmax", _arg, "np.argmax({0}, axis={axis}).astype({dtype})", tf="ArgMax", fold=ew.maximum, by_position=True,
    total=_has_elements, raises=(ValueError("attempt to get argmax of an empty sequence"),),
)  # fmt: skip
argmin = op(
    "argmin", _arg, "np.argmin({0}, axis={axis}).astype({dtype})", tf="ArgMin", fold=ew.minimum, by_position=True,
    total=_has_elements, raises=(ValueError("attempt to get argmin of an empty sequence"),),
)  # fmt: skip


@kernel
def running(
    function: Callable[..., NumPyArray], x: NumPyArray, axis: int, exclusive: bool, reverse: bool, dtype: object
) -> object:
    """A cumulative sum or product along an axis; `exclusive` leaves each element itself out."""
    x = np.flip(x, axis) if reverse else x
    result = function(x, axis=axis, dtype=dtype)
    if exclusive and x.shape[axis]:
        start = np.full_like(np.take(result, [0], axis), function is np.cumprod)
        result = np.concatenate([start, np.take(result, range(x.shape[axis] - 1), axis)], axis)
    return np.flip(result, axis) if reverse else result


def _running(x: TensorType, *, dtype: DType, axis: int, **_: object) -> TensorType:
    if x.shape is not None:
        axis_of(axis, len(x.shape))
    return TensorType(dtype, x.shape)


_RUNNING = "{0}, {axis}, exclusive={exclusive}, reverse={reverse}, dtype={dtype})"
cumsum = op("cumsum", _running, "running(np.cumsum, " + _RUNNING, fold=ew.add)
cumprod = op("cumprod", _running, "running(np.cumprod, " + _RUNNING, fold=ew.multiply)
