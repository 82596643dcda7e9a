"""Lists of numbers of several types, of which NumPy makes arrays: which dtype these have depends on numbers that only
the graph knows."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.control.promoted import Promoted, of_promoted
from runtime.control.rows import Rows, columns_in
from runtime.graph.errors import InvalidArgumentError
from runtime.tensors import mathematics, nest, parts, reductions, shaping
from runtime.tensors.conversion import cast, operand
from runtime.tensors.growing import has_grown
from runtime.tensors.leaf_types import leaf_type
from runtime.tensors.number_types import TYPES, Types
from runtime.tensors.python_errors import refuse_where
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import Trace, in_force, recording
from runtime.tensors.views import arrayed


def of_their_dtype(
    args: Sequence[Any], kwargs: Mapping[str, Any], made: Callable[[Sequence[Any], Mapping[str, Any]], object]
) -> object:  # fmt: skip
    """What a function of NumPy's makes of what it is given, where lists make arrays of the dtype that holds all that
    they may hold.

    The graph raises InvalidArgumentError where no number has that dtype, and another would lead to another result:
    which dtype an array has is never left to the graph.
    """
    found = {id(one): one for one in nest.flatten([*args, *kwargs.values()]) if has_grown(one)}
    lists = [one for one in found.values() if _dtypes(one.rows)]
    if not lists or kwargs.get("out") is not None:
        return made(args, kwargs)
    arrays = {id(one): operand(one) for one in lists}

    def kinds(dtype: np.dtype[Any] | None) -> object:
        """Of what types the result is if all these lists are of a dtype, or each of its own."""

        def put(value: object) -> object:
            array = arrays.get(id(value))
            return value if array is None else cast(array, array.dtype.dtype if dtype is None else dtype)

        with recording(Trace("aside", in_force())):
            return _described(made(nest.map_structure(put, [*args]), nest.map_structure(put, dict(kwargs))))

    wanted = kinds(None)
    others = {dtype for one in lists for dtype in _dtypes(one.rows) if dtype != arrays[id(one)].dtype.dtype}
    if any(_unlike(wanted, kinds, dtype) for dtype in others):
        _need_one([(one.rows, arrays[id(one)].dtype.dtype) for one in lists])
    return made(args, kwargs)


def of_each_type(
    function: object, meant: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object]
) -> object:
    """What a function of NumPy's makes of numbers among its arguments each of which has one of several types."""
    given = nest.flatten([*args, *kwargs.values()])
    if not any(isinstance(one, Promoted) for one in given):
        return meant(*args, **kwargs)

    def made(*args: object, **kwargs: object) -> object:
        return arrayed(meant(*args, **kwargs), given)  # arrays, which keep their dtypes where tensors do not

    return of_promoted(function, made)(*args, **kwargs)


def _dtypes(rows: Rows) -> frozenset[np.dtype[Any]]:
    """Which dtypes the numbers have, if they are several."""
    found = frozenset(np.dtype(kind) for column in columns_in(rows.structure) for kind in column.types)
    return found if len(found) > 1 else frozenset()


def _described(result: object) -> object:
    leaves = nest.flatten(result)
    return [getattr(leaf_type(leaf), "dtype", None) for leaf in leaves], nest.describe(result)


def _unlike(wanted: object, kinds: Callable[[np.dtype[Any]], object], dtype: np.dtype[Any]) -> bool:
    try:
        return kinds(dtype) != wanted
    except TypeError:  # NumPy does not do that with numbers of this dtype: as with truth values
        return True


def _need_one(lists: Sequence[tuple[Rows, np.dtype[Any]]]) -> None:
    """Raise where the numbers of no list make it an array of the dtype that holds all of them."""
    found = [(_makes(types, told, dtype), types, dtype) for rows, dtype in lists for types, told in rows.told()]
    (made, types, dtype), *others = found
    for other, _, _ in others:
        made = mathematics.logical_or(made, other)
    names = " or ".join(sorted(kind.__name__ for kind in types))

    def fail() -> None:
        raise InvalidArgumentError(
            f"an array is made of a list of numbers that are {names}, and none of them makes it one of {dtype}, as "
            f"only the graph finds. Say which dtype it has (np.array(x, dtype=np.{dtype}))."
        )

    refuse_where(mathematics.logical_not(made), fail)


def _makes(types: Types, told: Tensor, dtype: np.dtype[Any]) -> Tensor:
    """Whether the numbers that there are of these types have a dtype together."""
    known = sorted({*map(np.dtype, types)}, key=str)
    made: Tensor | None = None
    for count in range(1, len(known) + 1):
        for some in itertools.combinations(known, count):
            if np.result_type(*some) != dtype:
                continue
            there = _all_there(some, told)
            made = there if made is None else mathematics.logical_or(made, there)
    if made is None or dtype == np.float64:  # as NumPy's arrays of nothing are
        empty = mathematics.equal(shaping.size(told), 0)
        made = empty if made is None else mathematics.logical_or(made, empty)
    return made


def _all_there(dtypes: Iterable[np.dtype[Any]], told: Tensor) -> Tensor:
    are_there = [
        reductions.reduce_any(parts.gather(np.array([np.dtype(kind) == dtype for kind in TYPES]), told))
        for dtype in dtypes
    ]
    return functools.reduce(mathematics.logical_and, are_there)
