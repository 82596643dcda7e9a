"""NumPy's functions that write to an array that they are given, as they write to an array of the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.tensors import conversion, making, mathematics, shaping
from runtime.tensors.from_numpy import WRITERS, rank_of, stored
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Casting, TensorLike
from runtime.tensors.views import Array


def _copyto(dst: Any, src: Any, casting: Casting = "same_kind", where: TensorLike = True) -> None:
    if not isinstance(dst, Array):
        stored(np.copyto, src, dst)
    kind = np.asarray(src).dtype if not isinstance(src, Tensor) else src.dtype.dtype
    number = isinstance(src, bool | int | float | complex)
    if not np.can_cast(np.min_scalar_type(src) if number else kind, dst.dtype.dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {kind!r} to {dst.dtype.dtype!r} according to the rule {casting!r}"
        )
    dst[...] = src if where is True else mathematics.where(where, conversion.of_dtype(src, dst.type.dtype), dst)


def _putmask(a: Any, mask: TensorLike, values: object) -> None:
    if not isinstance(a, Array):
        stored(np.putmask, values, a)
    if rank_of(values) != 0:
        raise a._refused("np.putmask() with several values", "write a[mask] = values[mask]")
    a[...] = mathematics.where(mask, conversion.of_dtype(values, a.type.dtype), a)


def _place(arr: Any, mask: TensorLike, vals: Any) -> None:
    if not isinstance(arr, Array):
        stored(np.place, vals, arr)
    if rank_of(vals) != 0 and len(vals) != 1:
        raise arr._refused("np.place()", "write a[mask] = values")
    arr[...] = mathematics.where(
        mask, conversion.of_dtype(vals if rank_of(vals) == 0 else vals[0], arr.type.dtype), arr
    )


def _fill_diagonal(a: Any, val: object, wrap: bool = False) -> None:
    if not isinstance(a, Array):
        stored(np.fill_diagonal, val, a)
    if rank_of(a) != 2 or wrap or rank_of(val) != 0:
        raise a._refused("np.fill_diagonal() here", "write a[range(n), range(n)] = values")
    sizes = shaping.shape(a)
    eye = making.range(sizes[0])[:, None] == making.range(sizes[1])
    a[...] = mathematics.where(eye, conversion.of_dtype(val, a.type.dtype), a)


def _put(a: object, ind: object, v: object, mode: str = "raise") -> None:
    a.put(ind, v, mode) if isinstance(a, Array) else stored(np.put, v, a)


def _put_along_axis(arr: Any, *_: object, **__: object) -> None:
    if not isinstance(arr, Array):
        stored(np.put_along_axis, arr, arr)
    raise arr._refused("np.put_along_axis()", "write a[indices] = values")


WRITERS |= {
    np.copyto: _copyto,
    np.putmask: _putmask,
    np.place: _place,
    np.fill_diagonal: _fill_diagonal,
    np.put: _put,
    np.put_along_axis: _put_along_axis,
}
