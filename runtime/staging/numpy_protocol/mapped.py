"""What NumPy's functions that call one of the user's for each part of an array do with tensors, and those that go
through an array element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.errors import refused
from autograph.operators import calls
from autograph.operators.counted import products
from runtime import control
from runtime.control.items import widened
from runtime.graph.shapes import axis_of
from runtime.staging.numpy_protocol.creating import makes
from runtime.staging.numpy_protocol.meanings import means, numpys, operand
from runtime.tensors import conversion, making, shaping
from runtime.tensors.conversion import is_tensor
from runtime.tensors.numbers import number
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.types import Size
from runtime.tensors.views import Array


@means(np.apply_along_axis)
def _apply_along_axis(func1d: Callable[..., object], axis: int, arr: object, *args: object, **kwargs: object) -> object:
    x = operand(arr)
    at = axis_of(axis, len(x.shape))
    moved = numpys(np.moveaxis, x, at, -1)
    *others, length = making.like_shape(moved)

    def along(row: Tensor) -> Tensor:
        return operand(calls.call(func1d, _array(row), *args, **kwargs))

    made = control.map_fn(along, shaping.reshape(moved, [_product(others), length]))
    sizes = making.like_shape(made)[1:]  # type: ignore[arg-type]
    made = shaping.reshape(made, [*others, *sizes])  # type: ignore[arg-type]
    count = len(others)
    return _array(numpys(np.moveaxis, made, [*range(count, count + len(sizes))], [*range(at, at + len(sizes))]))


@means(np.apply_over_axes)
def _apply_over_axes(func: Callable[..., object], a: object, axes: int | Sequence[int]) -> Tensor:
    made = _array(operand(a))
    rank = len(made.shape)
    for axis in [axes] if isinstance(axes, int | np.integer) else axes:
        at = axis_of(axis, rank)
        found = operand(calls.call(func, made, at))
        if len(found.shape) != rank:
            found = numpys(np.expand_dims, found, at)
            if len(found.shape) != rank:
                raise ValueError("function is not returning an array of the correct shape")
        made = _array(found)
    return made


def _array(row: Tensor) -> Tensor:
    return Array(row.traced_in, row.value) if isinstance(row, SymbolicTensor) else row


def _product(sizes: list[Size]) -> Size:
    total: Size = 1
    for size in sizes:
        total = total * size
    return total


def vectorised(function: np.vectorize) -> Callable[..., object]:
    """What a function that NumPy calls for each element of arrays is called as while something is traced."""

    def called(*args: object, **kwargs: object) -> object:
        if not any(map(is_tensor, [*args, *kwargs.values()])):
            return function(*args, **kwargs)
        asked = {"excluded": function.excluded, "signature": function.signature, "keywords": kwargs}
        if said := [name for name, value in asked.items() if value]:
            message = f"np.vectorize with {said[0]} has no staged meaning: write the loop over the elements."
            raise refused(TypeError(message))
        arrays = numpys(np.broadcast_arrays, *args)
        kinds = [array.dtype.dtype for array in arrays]
        if function.otypes is None and any(_pythons(kind) != kind for kind in kinds):
            names = ", ".join(sorted({kind.name for kind in kinds}))
            raise refused(
                TypeError(
                    f"np.vectorize of arrays of {names} has no staged meaning unless it is told what the function "
                    "gives: NumPy calls it with a number of that dtype to find out, and then with Python's. Write "
                    "np.vectorize(f, otypes=[...])."
                )
            )
        shape = making.like_shape(arrays[0])

        def element(parts: tuple[Tensor, ...]) -> object:
            made = calls.call(function.pyfunc, *map(_number, parts))
            return tuple(map(operand, made)) if isinstance(made, tuple) else operand(made)

        made = control.map_fn(element, tuple(shaping.reshape(array, [-1]) for array in arrays))
        results = [_shaped(one, shape) for one in (made if isinstance(made, tuple) else (made,))]
        if function.otypes is not None:
            results = [conversion.cast(result, np.dtype(kind)) for result, kind in zip(results, function.otypes)]
        return tuple(results) if isinstance(made, tuple) else results[0]

    return called


def _number(part: Tensor) -> object:
    """An element as NumPy hands it on: as Python's number, which is exact."""
    if part.dtype.is_integer:
        return number(widened(part))
    inexact = part.dtype.is_floating or part.dtype.is_complex
    return number(conversion.cast(part, _pythons(part.dtype.dtype)) if inexact else part)


def _pythons(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype that NumPy gives the Python number of an element."""
    return np.dtype(type(kind.type(0).item()))


def _shaped(made: Any, shape: list[Size]) -> Any:
    return _array(shaping.reshape(made, shape))


calls.set_kinds([(np.vectorize, vectorised)])


products[id(np.ndindex)] = lambda items: items._iter  # of older releases it is no product, and stays what it is


@makes(np.ndenumerate)
def _ndenumerate(arr: object) -> object:
    x = operand(arr)
    sizes = making.like_shape(x)

    def place(pair: tuple[Any, object]) -> object:
        index, value = pair
        found = []
        for size in reversed(sizes[1:]):
            index, at = index // size, index % size
            found.append(at)
        return (index, *reversed(found))[: len(sizes)], value

    return calls.call(map, place, calls.call(enumerate, _array(shaping.reshape(x, [-1]))))


@makes(np.nditer)
def _nditer(op: object) -> object:
    return _array(shaping.reshape(operand(op), [-1]))
