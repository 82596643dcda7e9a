"""NumPy's functions and methods on tensors, with NumPy's result types, so that plain NumPy code can be staged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime import mathematics, shaping
from runtime.conversion import cast, operand, promote
from runtime.dtypes import DType, as_dtype
from runtime.ops import elementwise as ew
from runtime.ops import linalg, reduce
from runtime.ops import shape as shape_ops
from runtime.ops.op import NUMPY, Op
from runtime.tensor import SymbolicTensor, Tensor
from runtime.trace import apply, current

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}


def call_ufunc(ufunc: Any, method: str, inputs: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """A universal function on tensors."""
    row = NUMPY.get(ufunc)
    if method == "reduce" and ufunc in _REDUCTIONS and kwargs.get("out") in (None, (None,)):
        given = {k: v for k, v in kwargs.items() if k in ("axis", "keepdims", "dtype") and v is not None}
        return _REDUCTIONS[ufunc](inputs[0], **{"axis": 0, **given})
    if row is None or method != "__call__" or set(kwargs) - {"dtype"} or kwargs.get("dtype") is not None:
        return _on_arrays(ufunc if method == "__call__" else getattr(ufunc, method), inputs, kwargs)
    return apply(row, *(promote(inputs) if len(inputs) > 1 else [operand(inputs[0])]))


def call_function(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Any other function of NumPy on tensors."""
    meaning = FUNCTIONS.get(function)
    return meaning(*args, **kwargs) if meaning is not None else _on_arrays(function, args, kwargs)


def _on_arrays(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """A function without a meaning here runs on the arrays, if they are at hand."""
    from runtime import nest

    def plain(value: Any) -> Any:
        value = value.__tensor__() if hasattr(value, "__tensor__") else value
        if isinstance(value, SymbolicTensor) or (isinstance(value, Tensor) and current() is not None):
            name = f"np.{getattr(function, '__name__', function)}"
            raise TypeError(
                f"{name} has no staged meaning here, and {value} gets its value only when the graph runs. Use an "
                "operation of runtime, or runtime.py_function to call NumPy at run time."
            )
        return value.numpy() if isinstance(value, Tensor) else value

    return function(*nest.map_structure(plain, tuple(args)), **nest.map_structure(plain, dict(kwargs)))


def _means(*functions: Any, method: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(meaning: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(functions, meaning))
        if method is not None:
            METHODS[method] = meaning
        return meaning

    return register


# Reductions: NumPy widens small integers.


def _summed(x: Tensor, dtype: Any) -> DType:
    if dtype is not None:
        return as_dtype(dtype)
    return as_dtype(np.sum(np.ones(1, x.dtype.dtype)).dtype)


def _no(out: Any = None, initial: Any = None, where: Any = True, **rest: Any) -> None:
    if out is not None or rest or where is not True or initial is not None:
        raise TypeError("out=, initial= and where= have no meaning for tensors, which are never changed in place")


def _tuple(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list) else axis


@_means(np.sum, method="sum")
def _sum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **rest: Any) -> Any:
    _no(out, **_given(rest))
    x = operand(a)
    return apply(reduce.reduce_sum, x, axis=_tuple(axis), keepdims=bool(keepdims), dtype=_summed(x, dtype))


@_means(np.prod, method="prod")
def _prod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **rest: Any) -> Any:
    _no(out, **_given(rest))
    x = operand(a)
    return apply(reduce.reduce_prod, x, axis=_tuple(axis), keepdims=bool(keepdims), dtype=_summed(x, dtype))


@_means(np.mean, method="mean")
def _mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **rest: Any) -> Any:
    _no(out, **_given(rest))
    x = operand(a)
    kind = as_dtype(dtype) if dtype is not None else as_dtype(np.mean(np.ones(1, x.dtype.dtype)).dtype)
    return apply(reduce.reduce_mean, x, axis=_tuple(axis), keepdims=bool(keepdims), dtype=kind)


def _given(rest: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in rest.items() if v is not np._NoValue}  # type: ignore[attr-defined]


def _plain_reduction(op: Op) -> Callable[..., Any]:
    def meaning(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **rest: Any) -> Any:
        _no(out, **_given(rest))
        return apply(op, operand(a), axis=_tuple(axis), keepdims=keepdims is True)

    return meaning


for _functions, _method, _op in (
    ((np.max, np.amax), "max", reduce.reduce_max),
    ((np.min, np.amin), "min", reduce.reduce_min),
    ((np.any,), "any", reduce.reduce_any),
    ((np.all,), "all", reduce.reduce_all),
):
    _means(*_functions, method=_method)(_plain_reduction(_op))

_REDUCTIONS: dict[Any, Callable[..., Any]] = {
    np.add: _sum,
    np.multiply: _prod,
    np.maximum: METHODS["max"],
    np.minimum: METHODS["min"],
    np.logical_or: METHODS["any"],
    np.logical_and: METHODS["all"],
}


def _spread(op: Op) -> Callable[..., Any]:
    def meaning(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: Any = False, **rest: Any
    ) -> Any:
        _no(out, **_given(rest))
        if ddof or dtype is not None:
            raise TypeError("ddof= and dtype= are not supported for tensors")
        return apply(op, operand(a), axis=_tuple(axis), keepdims=keepdims is True)

    return meaning


_means(np.std, method="std")(_spread(reduce.reduce_std))
_means(np.var, method="var")(_spread(reduce.reduce_var))


def _position(op: Op) -> Callable[..., Any]:
    def meaning(a: Any, axis: Any = None, out: Any = None, **rest: Any) -> Any:
        _no(out, **_given(rest))
        return apply(op, operand(a), axis=axis, dtype=as_dtype(np.int64))

    return meaning


_means(np.argmax, method="argmax")(_position(reduce.argmax))
_means(np.argmin, method="argmin")(_position(reduce.argmin))


def _cumulative(op: Op) -> Callable[..., Any]:
    def meaning(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        _no(out)
        x = operand(a)
        x = shaping.reshape(x, [-1]) if axis is None else x
        return apply(op, x, axis=axis or 0, exclusive=False, reverse=False, dtype=_summed(x, dtype))

    return meaning


_means(np.cumsum, method="cumsum")(_cumulative(reduce.cumsum))
_means(np.cumprod, method="cumprod")(_cumulative(reduce.cumprod))

# Shapes.


@_means(np.reshape)
def _reshape(a: Any, shape: Any = None, order: str = "C", **_: Any) -> Any:
    return shaping.reshape(a, shape)


METHODS["reshape"] = lambda x, *shape, order="C": shaping.reshape(x, shape[0] if len(shape) == 1 else list(shape))
METHODS["flatten"] = METHODS["ravel"] = lambda x, order="C": shaping.reshape(x, [-1])
METHODS["copy"] = lambda x, order="C": shaping.identity(x)
METHODS["dot"] = lambda x, y: _dot(x, y)
METHODS["transpose"] = lambda x, *axes: shaping.transpose(x, (axes[0] if len(axes) == 1 else axes) or None)
METHODS["squeeze"] = lambda x, axis=None: shaping.squeeze(x, axis)
METHODS["repeat"] = lambda x, repeats, axis=None: shaping.repeat(x, repeats, axis)
METHODS["conj"] = METHODS["conjugate"] = mathematics.conj
METHODS["round"] = lambda x, decimals=0: _round(x, decimals)
METHODS["clip"] = lambda x, min=None, max=None: _clip(x, min, max)

_means(np.ravel)(lambda a, order="C": shaping.reshape(a, [-1]))
_means(np.transpose, np.permute_dims)(lambda a, axes=None: shaping.transpose(a, axes))
_means(np.matrix_transpose)(shaping.matrix_transpose)
_means(np.expand_dims)(lambda a, axis: shaping.expand_dims(a, axis))
_means(np.squeeze)(lambda a, axis=None: shaping.squeeze(a, axis))
_means(np.concatenate, np.concat)(lambda arrays, axis=0: shaping.concat(list(arrays), axis))
_means(np.stack)(lambda arrays, axis=0: shaping.stack(list(arrays), axis))
_means(np.vstack)(lambda tup: shaping.concat([_at_least_2d(t) for t in tup], 0))
_means(np.broadcast_to)(lambda array, shape: shaping.broadcast_to(array, shape))
_means(np.tile)(lambda a, reps: shaping.tile(a, reps))
_means(np.repeat)(lambda a, repeats, axis=None: shaping.repeat(a, repeats, axis))
_means(np.flip)(lambda m, axis=None: shaping.reverse(m, axis))
_means(np.roll)(lambda a, shift, axis=None: shaping.roll(a, shift, axis))
_means(np.zeros_like)(lambda a, dtype=None, **_: shaping.zeros_like(a, dtype))
_means(np.ones_like)(lambda a, dtype=None, **_: shaping.ones_like(a, dtype))
_means(np.full_like)(lambda a, fill_value, dtype=None, **_: shaping.zeros_like(a, dtype) + fill_value)
_means(np.shape)(lambda a: operand(a).shape)
_means(np.ndim)(lambda a: operand(a).ndim)
_means(np.size)(lambda a, axis=None: operand(a).size if axis is None else operand(a).shape[axis])
_means(np.copy)(lambda a, **_: shaping.identity(a))
_means(np.diag)(lambda v, k=0: apply(shape_ops.diag, operand(v)))
_means(np.triu)(lambda m, k=0: apply(shape_ops.triu, operand(m), k=k))
_means(np.tril)(lambda m, k=0: apply(shape_ops.tril, operand(m), k=k))


def _at_least_2d(x: Any) -> Any:
    x = operand(x)
    return x if x.ndim >= 2 else shaping.reshape(x, [1, -1])


# Elements.

_means(np.sort)(lambda a, axis=-1, **_: shaping.sort(a, axis))
_means(np.argsort)(lambda a, axis=-1, **_: cast(shaping.argsort(a, axis), np.int64))
_means(np.take)(lambda a, indices, axis=None, **_: shaping.gather(_flat(a, axis), indices, axis=axis or 0))
_means(np.real)(mathematics.real)
_means(np.imag)(mathematics.imag)
_means(np.angle)(lambda z, deg=False: mathematics.angle(z))
_means(np.linalg.inv)(mathematics.inv)
_means(np.linalg.det)(mathematics.det)
_means(np.linalg.solve)(mathematics.solve)
_means(np.linalg.cholesky)(mathematics.cholesky)
_means(np.einsum)(lambda equation, *operands, **_: mathematics.einsum(equation, *operands))
_means(np.tensordot)(lambda a, b, axes=2: mathematics.tensordot(a, b, axes))
_means(np.searchsorted)(lambda a, v, side="left", sorter=None: cast(shaping.searchsorted(a, v, side), np.int64))


def _flat(a: Any, axis: Any) -> Any:
    return shaping.reshape(a, [-1]) if axis is None else a


@_means(np.where)
def _where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None and y is None:
        raise TypeError("np.where with a condition alone has no staged meaning; use runtime.where(condition)")
    numbers = (bool, int, float, complex)
    if isinstance(x, numbers) and isinstance(y, numbers):  # on their own they are what NumPy makes of them
        x, y = np.asarray(x), np.asarray(y)
    return mathematics.where(condition, x, y)


@_means(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None, **kwargs: Any) -> Any:
    low, high = kwargs.get("min", a_min), kwargs.get("max", a_max)
    result = operand(a)
    result = result if low is None else mathematics.maximum(result, low)
    return result if high is None else mathematics.minimum(result, high)


@_means(np.round, np.around)
def _round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    return apply(ew.round_, operand(a), decimals=decimals)


@_means(np.dot)
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    x, y = promote([operand(a), operand(b)])
    if not x.shape.as_list() or not y.shape.as_list():
        return apply(ew.multiply, x, y)
    if len(y.shape) > 2:
        return mathematics.tensordot(x, y, [[-1], [-2]])
    return apply(linalg.matmul, x, y)


@_means(np.outer)
def _outer(a: Any, b: Any, out: Any = None) -> Any:
    return apply(linalg.outer, *promote([operand(a), operand(b)]))


@_means(np.linalg.norm)
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    tensor = operand(x)
    kind = tensor.dtype if tensor.dtype.is_floating else as_dtype("float64")
    return apply(linalg.norm, tensor, order=ord, axis=axis, keepdims=keepdims, dtype=kind)


@_means(np.trace)
def _trace(a: Any, **_: Any) -> Any:
    return mathematics.trace(a)


@_means(np.isclose)
def _is_close(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    return apply(ew.is_close, *promote([operand(a), operand(b)]), rtol=rtol, atol=atol)


@_means(np.allclose)
def _all_close(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    return mathematics.reduce_all(_is_close(a, b, rtol, atol))


@_means(np.count_nonzero)
def _count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return mathematics.count_nonzero(a, axis, keepdims)
