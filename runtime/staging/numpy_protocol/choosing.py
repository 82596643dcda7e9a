"""What NumPy's functions that choose elements, order them and compare sets of them do with tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.errors import refused
from autograph.operators.calls import converted
from runtime import control
from runtime.graph.shapes import axis_of
from runtime.staging.numpy_protocol.joining import along, common_shape, flat
from runtime.staging.numpy_protocol.meanings import (
    METHODS,
    is_pythons,
    means,
    need,
    need_one_shape,
    numpys,
    operand,
)
from runtime.tensors import conversion, making, mathematics, parts, reductions, shaping
from runtime.tensors.conversion import cast, promote
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Size, TensorLike


def _as_numpy_promotes(choice: Any) -> Any:
    """A dtype; of a number of Python's such a number, which takes the dtype of others."""
    if not isinstance(choice, Tensor):
        return choice
    kind = conversion.operand(choice).type
    return kind.dtype.dtype.type(0).item() if kind.weak else kind.dtype.dtype


@means(np.select)
def _select(condlist: Sequence[TensorLike], choicelist: Sequence[TensorLike], default: TensorLike = 0) -> Tensor:
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    choices: list[Any] = [c if is_pythons(c) else operand(c) for c in (*choicelist, default)]
    kind = np.result_type(*map(_as_numpy_promotes, choices))
    conditions = [operand(c) for c in condlist]
    for i, condition in enumerate(conditions):
        if not condition.dtype.is_bool:
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    values = [cast(operand(c), kind) for c in choices]
    found = shaping.broadcast_to(values[-1], common_shape([*conditions, *values]))
    for condition, value in zip(conditions[::-1], values[-2::-1]):
        found = mathematics.where(condition, value, found)
    return found


@means(np.piecewise)
def _piecewise(
    x: object, condlist: Sequence[TensorLike], funclist: Sequence[object], *args: object, **kw: object
) -> Tensor:
    value = operand(x)
    rank = len(value.shape)
    if isinstance(condlist, Tensor | np.ndarray):
        several = len(operand(condlist).shape) > rank
        conditions = [operand(condlist)[i] for i in range(len(condlist))] if several else [operand(condlist)]
    elif (
        isinstance(condlist, list | tuple)
        and condlist
        and (isinstance(condlist[0], list | tuple | np.ndarray | Tensor))
    ):
        conditions = [operand(c) for c in condlist]
    else:
        conditions = [operand(condlist)] if rank else [operand(c) for c in condlist]
    conditions = [cast(c, np.bool) for c in conditions]
    if len(conditions) == len(funclist) - 1:
        other = conditions[0]
        for condition in conditions[1:]:
            other = mathematics.logical_or(other, condition)
        conditions.append(mathematics.logical_not(other))
    elif len(conditions) != len(funclist):
        n = len(conditions)
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    found = cast(making.zeros(making.like_shape(value), value.dtype), value.dtype)
    for condition, function in zip(conditions, funclist):
        if callable(function):
            found = _where_any(condition, value, found, function, args, kw)
        else:
            found = mathematics.where(condition, cast(operand(function), value.dtype), found)
    return found


def _where_any(
    condition: Tensor,
    value: Tensor,
    found: Tensor,
    function: Callable[..., object],
    args: Sequence[object],
    kw: Mapping[str, object],
) -> Tensor:
    """What the function makes of the elements that the condition chooses, if there are any."""

    def put() -> Tensor:
        made = operand(converted(function)(value[condition], *args, **kw))
        return parts.with_item(found, condition, cast(made, value.dtype))

    return control.cond(reductions.reduce_any(condition), put, lambda: found)


@means(np.choose, method="choose")
def _choose(a: object, choices: Sequence[TensorLike], mode: str = "raise") -> Tensor:
    which = operand(a)
    if not which.dtype.is_integer and not which.dtype.is_bool:
        raise TypeError(
            f"Cannot cast array data from {which.dtype.dtype!r} to dtype('int64') according to the rule 'safe'"
        )
    which = cast(which, np.int64)
    count = making.like_shape(operand(choices))[0] if isinstance(choices, Tensor) else len(choices)
    if not isinstance(count, int):
        raise refused(TypeError("np.choose of a number of choices that only the graph knows has no staged meaning"))
    kind = np.result_type(*(operand(c).dtype.dtype for c in (choices[i] for i in range(count))))
    values = [cast(operand(choices[i]), kind) for i in range(count)]
    if mode == "wrap":
        which = which % count
    elif mode == "clip":
        which = mathematics.minimum(mathematics.maximum(which, 0), count - 1)
    elif mode == "raise":
        inside = mathematics.logical_and(which >= 0, which < count)
        need(reductions.reduce_all(inside), ValueError("invalid entry in choice array"))
    else:
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    found = shaping.broadcast_to(values[0], common_shape([which, *values]))
    for i, value in enumerate(values[1:], 1):
        found = mathematics.where(which == i, value, found)
    return found


@means(np.extract)
def _extract(condition: object, arr: object) -> object:
    return flat(arr)[numpys(np.flatnonzero, flat(condition))]


@means(np.compress)
def _compress(condition: object, a: object, axis: int | None = None) -> object:
    x = flat(a) if axis is None else operand(a)
    chosen = operand(condition)
    if len(chosen.shape) != 1:
        raise ValueError("condition must be a 1-d array")
    at = axis_of(0 if axis is None else axis, len(x.shape))
    return along(x, at, numpys(np.flatnonzero, chosen))


METHODS["compress"] = lambda x, condition, axis=None: _compress(condition, x, axis)


def index_along(x: Tensor, indices: Tensor, axis: int) -> tuple[Tensor, ...]:
    """The index that picks, or puts, elements along an axis, with all others in their places."""
    if not indices.dtype.is_integer:
        raise IndexError("`indices` must be an integer array")
    rank = len(x.shape)
    if len(indices.shape) != rank:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    sizes = making.like_shape(x)
    return tuple(
        indices if i == axis else making.range(sizes[i], dtype=np.int64)[(slice(None), *[None] * (rank - 1 - i))]
        for i in range(rank)
    )


@means(np.take_along_axis)
def _take_along_axis(arr: object, indices: object, axis: int | None = -1) -> Tensor:
    x, at = operand(arr), operand(indices)
    if axis is None:
        if len(at.shape) != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        x, axis = flat(x), 0
    return x[index_along(x, at, axis_of(axis, len(x.shape)))]


# In order.


@means(np.partition)
def _partition(a: object, kth: TensorLike, axis: int | None = -1, kind: str = "introselect") -> Tensor:
    x = flat(a) if axis is None else operand(a)
    _check_kth(x, kth, 0 if axis is None else axis, kind)
    return parts.sort(x, 0 if axis is None else axis)


@means(np.argpartition, method="argpartition")
def _argpartition(a: object, kth: TensorLike, axis: int | None = -1, kind: str = "introselect") -> Tensor:
    x = flat(a) if axis is None else operand(a)
    _check_kth(x, kth, 0 if axis is None else axis, kind)
    return cast(parts.argsort(x, 0 if axis is None else axis), np.int64)


def _check_kth(x: Tensor, kth: Any, axis: int, kind: str) -> None:
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    at = axis_of(axis, len(x.shape))
    size = making.like_shape(x)[at]
    if isinstance(size, int) and not isinstance(kth, Tensor):
        np.partition(np.empty(size), kth)  # raises what NumPy raises
    elif not isinstance(kth, Tensor) or isinstance(size, int):
        places = operand(kth)
        inside = mathematics.logical_and(places >= -size, places < size)
        need(reductions.reduce_all(inside), ValueError(f"kth(={kth}) out of bounds ({size})"))


@means(np.lexsort)
def _lexicographic(keys: Sequence[TensorLike], axis: int = -1) -> Tensor:
    rows = (
        [operand(k) for k in keys] if isinstance(keys, list | tuple) else [operand(keys)[i] for i in range(len(keys))]
    )
    if not rows:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    for row in rows[1:]:
        need_one_shape(rows[0], row, ValueError("all keys need to be the same shape"))
    rank = len(rows[0].shape)
    if not rank and axis in (0, -1):
        return operand(np.int64(0))  # as the one item of each key
    at = axis_of(axis, rank)
    order = cast(parts.argsort(rows[0], at), np.int64)
    for row in rows[1:]:
        again = parts.argsort(_take_along_axis(row, order, at), at)
        order = _take_along_axis(order, cast(again, np.int64), at)
    return order


@means(np.sort_complex)
def _sorted_complex(a: object) -> Tensor:
    made = parts.sort(operand(a))
    small = made.dtype.name in ("int8", "int16", "uint8", "uint16")
    kind = made.dtype.dtype if made.dtype.is_complex else np.complex64 if small else np.complex128
    return cast(made, kind)


# Sets.


@means(np.unique)
def _unique(
    ar: object, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, *, equal_nan: bool = True,
) -> Tensor | tuple[Tensor, ...]:  # fmt: skip
    whole = operand(ar)
    if axis is not None:
        axis_of(axis, len(whole.shape))
        if len(whole.shape) != 1:
            raise refused(TypeError("np.unique with axis= has no staged meaning for arrays of several dimensions"))
    x = flat(whole)
    order = parts.argsort(x)
    ordered = x[order]
    new = ordered[1:] != ordered[:-1]
    if equal_nan and (x.dtype.is_floating or x.dtype.is_complex):
        lost = mathematics.is_nan(ordered)
        new = mathematics.logical_and(new, mathematics.logical_not(mathematics.logical_and(lost[1:], lost[:-1])))
    first = cast(making.ones([making.like_shape(x)[0]], np.int8), np.bool)[:1]
    starts = shaping.concat([first, new], 0)
    found = [ordered[starts]]
    if return_index:
        found.append(cast(order[starts], np.int64))
    if return_inverse:
        numbers = numpys(np.cumsum, starts) - 1
        found.append(shaping.reshape(numbers[parts.argsort(order)], making.like_shape(whole)))
    if return_counts:
        end = cast(shaping.reshape(operand(making.like_shape(x)[0]), [1]), np.int64)
        found.append(numpys(np.diff, shaping.concat([numpys(np.flatnonzero, starts), end], 0)))
    return tuple(found) if len(found) > 1 else found[0]


@means(np.unique_values)
def _unique_values(x: object) -> Tensor:
    return _unique(x, equal_nan=False)


def _pair(*which: str) -> Callable[..., object]:
    def meaning(x: object) -> tuple[Tensor, ...]:
        made = _unique(x, **dict.fromkeys((f"return_{name}" for name in which), True), equal_nan=False)
        return kind(*made)

    function = getattr(np, "unique_all" if len(which) == 3 else f"unique_{which[0]}")
    kind = type(function(np.zeros(1)))
    return means(function)(meaning)


_pair("counts")
_pair("inverse")
_pair("index", "inverse", "counts")


@means(np.isin)
def _is_in(element: object, test_elements: object, assume_unique: object = False, invert: bool = False) -> Tensor:
    x, others = promote([operand(element), operand(test_elements)])
    if x.dtype.is_bool:
        x, others = cast(x, np.uint8), cast(others, np.uint8)
    ordered = parts.sort(flat(others), 0)
    low, high = (parts.searchsorted(ordered, x, side, np.int64) for side in ("left", "right"))
    found = low < high
    if x.dtype.is_floating or x.dtype.is_complex:
        found = mathematics.logical_and(found, mathematics.equal(x, x))
    return mathematics.logical_not(found) if invert else found


@means(np.union1d)
def _union(ar1: object, ar2: object) -> Tensor:
    return _unique(numpys(np.concatenate, (ar1, ar2), None))


@means(np.intersect1d)
def _intersection(ar1: object, ar2: object, assume_unique: bool = False) -> Tensor:
    both: Sequence[Tensor] = [flat(v) if assume_unique else _unique(v) for v in (ar1, ar2)]
    ordered = parts.sort(shaping.concat([*promote(both)], 0))
    return ordered[:-1][ordered[1:] == ordered[:-1]]


@means(np.setdiff1d)
def _difference(ar1: object, ar2: object, assume_unique: bool = False) -> Tensor:
    x = flat(ar1) if assume_unique else _unique(ar1)
    return x[_is_in(x, ar2, invert=True)]


@means(np.setxor1d)
def _either(ar1: object, ar2: object, assume_unique: bool = False) -> Tensor:
    both = [flat(v) if assume_unique else _unique(v) for v in (ar1, ar2)]
    ordered = parts.sort(shaping.concat([*promote(both)], 0))
    if isinstance(making.like_shape(ordered)[0], int) and not making.like_shape(ordered)[0]:
        return ordered
    differ = ordered[1:] != ordered[:-1]
    one = cast(making.ones([1], np.int8), np.bool)
    flags = shaping.concat([one, differ, one], 0)
    mask = mathematics.logical_and(flags[1:], flags[:-1])
    return ordered[mask[: making.like_shape(ordered)[0]]]


@means(np.ravel_multi_index)
def _raveled(multi_index: Sequence[TensorLike], dims: int | Sequence[Size]) -> Tensor:
    sizes = [dims] if isinstance(dims, int) else [*dims]
    rows = [cast(operand(multi_index[i]), np.int64) for i in range(len(sizes))]
    total: Any = None
    for row, size in zip(rows, sizes):
        inside = reductions.reduce_all(mathematics.logical_and(row >= 0, row < size))
        need(inside, ValueError("invalid entry in coordinates array"))
        total = row if total is None else total * size + row
    return total


@means(np.unravel_index)
def _unraveled(indices: object, shape: int | Sequence[Size]) -> tuple[Tensor, ...]:
    rest = cast(operand(indices), np.int64)
    sizes = [shape] if isinstance(shape, int) else [*shape]
    total: Size = 1
    for size in sizes:
        total = total * size
    inside = reductions.reduce_all(mathematics.logical_and(rest >= 0, rest < total))
    need(inside, ValueError("index is out of bounds for array"))
    found: list[Tensor] = []
    for size in sizes[::-1]:
        found.insert(0, rest % size)
        rest = rest // size
    return tuple(found)
