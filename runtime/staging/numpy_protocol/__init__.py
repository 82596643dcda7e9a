"""NumPy's functions and methods on tensors, with NumPy's result types, so that plain NumPy code can be staged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.graph.op import NUMPY, Op
from runtime.staging.numpy_protocol import (  # noqa: F401 - each registers
    arithmetic,
    bits,
    choosing,
    creating,
    differences,
    elements,
    joining,
    mapped,
    matrices,
    polynomials,
    reductions,
    shapes,
    statistics,
    windows,
    writers,
)
from runtime.staging.numpy_protocol.listed import made_of_lists, of_each_type
from runtime.staging.numpy_protocol.meanings import (
    ACCUMULATIONS,
    FUNCTIONS,
    METHODS,
    REDUCTIONS,
    UFUNCS,
    is_pythons,
    on_arrays,
    operand,
    plain,
    values_of,
)
from runtime.staging.numpy_protocol.windows import by_stretches
from runtime.tensors.conversion import binary, cast, promote
from runtime.tensors.from_numpy import made_without_axes
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Meaning, Tensor
from runtime.tensors.variables import Variable

__all__ = ["FUNCTIONS", "MAKERS", "METHODS", "UFUNCS", "call_function", "call_ufunc"]


def call_function(function: Any, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
    """A function of NumPy on tensors."""
    meaning = FUNCTIONS.get(function)

    def meant(*given: object, **named: object) -> object:
        return meaning(*given, **named) if meaning is not None else on_arrays(function, given, named)

    def made(args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        given, named = values_of(args, kwargs)
        return of_each_type(function, meant, given, named)

    return made_of_lists(function, args, kwargs, made, made_without_axes(function, args))


def call_ufunc(ufunc: Any, method: str, inputs: Sequence[object], kwargs: Mapping[str, object]) -> object:
    """A universal function, or one of its methods, on tensors."""
    function = ufunc if method == "__call__" else getattr(ufunc, method)

    def meant(*given: object, **named: object) -> object:
        return _call_ufunc(ufunc, method, given, named)

    def made(inputs: Sequence[object], kwargs: Mapping[str, object]) -> object:
        return of_each_type(function, meant, [*map(plain, inputs)], kwargs)

    if method == "at":  # which writes to an array
        return _call_ufunc(ufunc, method, inputs, kwargs)
    return made_of_lists(function, inputs, kwargs, made)


def _call_ufunc(ufunc: object, method: str, inputs: Sequence[object], kwargs: Mapping[str, object]) -> object:
    given = {k: v for k, v in kwargs.items() if k not in ("subok", "order") and not _is_assumed(k, v)}
    row = NUMPY.get(ufunc)
    if method != "at":  # whose tuples are indices
        inputs = [operand(x) if isinstance(x, list | tuple) else x for x in inputs]
    if method == "__call__" and row is not None:
        refused = next(iter(given.keys() - {"dtype", "casting"}), "")
        if refused:
            return on_arrays(ufunc, inputs, kwargs, refused)
        if given:
            return _with_dtype(ufunc, row, inputs, given)
        if row.compares and len(inputs) == 2:
            compared = binary(row, *inputs)  # where a number of Python's may lie outside of the dtype of the other
            return on_arrays(ufunc, inputs, kwargs) if compared is NotImplemented else compared
        return apply(row, *(promote(_as_computed(ufunc, inputs)) if len(inputs) > 1 else [operand(inputs[0])]))
    if method == "__call__" and ufunc in UFUNCS:
        inputs = [*map(operand, inputs)] if all(map(is_pythons, inputs)) else inputs
        if given:
            return on_arrays(ufunc, inputs, kwargs, next(iter(given)))
        return UFUNCS[ufunc](*_as_computed(ufunc, inputs))
    if method == "outer" and row is not None and not given:
        x, y = map(operand, inputs)
        if x.shape.rank is not None and y.shape.rank is not None:
            return apply(row, *promote([_trailed(x, len(y.shape)), y]))
    if method == "reduceat" and ufunc in REDUCTIONS and (made := by_stretches(ufunc, *inputs, **given)) is not None:
        return made
    table = {"reduce": REDUCTIONS, "accumulate": ACCUMULATIONS}.get(method, {})
    if ufunc in table:
        if method == "accumulate" and operand(inputs[0]).shape.rank == 0:
            raise TypeError("cannot accumulate on a scalar")
        axis = given.pop("axis", None if kwargs.get("axis", 0) is None else 0)
        return table[ufunc](*inputs, axis=axis, **given)
    return on_arrays(ufunc if method == "__call__" else getattr(ufunc, method), inputs, kwargs)


def _as_computed(ufunc: Any, inputs: Sequence[Any]) -> Sequence[Any]:
    """Whole numbers of two dtypes, or one of Python's among them, as the floats that NumPy computes with, if it does,
    or as truth values: the smallest floats that hold those of each; a whole number that holds both would make them
    larger."""
    if len(inputs) != 2 or not any(map(_has_dtype, inputs)):
        return inputs
    kinds = [operand(x).dtype for x in inputs]
    if (kinds[0] == kinds[1] and all(map(_has_dtype, inputs))) or not all(kind.is_integer for kind in kinds):
        return inputs
    given = [kind.dtype if _has_dtype(x) else int for x, kind in zip(inputs, kinds)]
    found = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))
    if found[0] != found[1] or found[0].kind not in "fb":
        return inputs
    return [cast(x, kind) for x, kind in zip(inputs, found)]


def _is_assumed(name: str, value: object) -> bool:
    assumed = {"where": True, "casting": "same_kind", "keepdims": False}
    if name == "out" and isinstance(value, tuple):
        return all(v is None for v in value)
    return (
        value is None
        or value is np._NoValue
        or value is assumed.get(name)
        or (  # type: ignore[attr-defined]
            name == "casting" and value == "same_kind"
        )
    )


def _with_dtype(ufunc: Any, row: Op, inputs: Sequence[object], given: Mapping[str, Any]) -> object:
    """With ``dtype=`` and ``casting=``, operands are cast to what NumPy computes the result with; it raises what NumPy
    does."""
    together = promote(inputs) if len(inputs) > 1 else [operand(inputs[0])]
    tensors = [operand(x) if _has_dtype(x) else t for x, t in zip(inputs, together)]
    kinds = tuple(t.dtype.dtype for t in tensors)
    wanted = {}
    if given.get("dtype") is not None:
        wanted["signature"] = (None,) * len(kinds) + (np.dtype(given["dtype"]),)
    found = ufunc.resolve_dtypes((*kinds, None), casting=given.get("casting", "same_kind"), **wanted)
    result = apply(row, *(cast(t, kind) for t, kind in zip(tensors, found)))
    if result.dtype != found[-1]:
        return on_arrays(ufunc, inputs, given, "dtype")
    return result


def _has_dtype(value: object) -> bool:
    """Whether a value has a dtype whatever it meets: Python's numbers take that of the others."""
    return isinstance(value, np.ndarray | np.generic | Variable) or (isinstance(value, Tensor) and not value.type.weak)


def _trailed(x: Any, count: int) -> object:
    return x[(..., *[None] * count)] if count else x


def method_of(name: str) -> Callable[..., object] | None:
    """What a method of arrays does with a tensor, if there is such a thing."""
    return METHODS.get(name)


Meaning.method, Meaning.ufunc, Meaning.function = method_of, call_ufunc, call_function
