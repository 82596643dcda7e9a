"""Lists of numbers of several types, of which NumPy makes arrays: which dtype these have depends on numbers that only
the graph knows."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.operators.branches import if_exp
from runtime.control.lists import unless_some_empty
from runtime.control.one_array import may_be_several, take_not
from runtime.control.promoted import Promoted, of_promoted
from runtime.control.rows import Column, Rows, columns_in
from runtime.graph.graph import Place
from runtime.graph.owner import Owner
from runtime.tensors import mathematics, nest, parts, reductions
from runtime.tensors.conversion import cast, operand
from runtime.tensors.frames import user_place
from runtime.tensors.growing import has_grown
from runtime.tensors.leaf_types import leaf_type
from runtime.tensors.number_types import TYPES, Types
from runtime.tensors.numbers import number
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import Trace, in_force, recording
from runtime.tensors.views import arrayed


def made_of_lists(
    function: Callable[..., object],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    made: Callable[[Sequence[Any], Mapping[str, Any]], object],
    owner: Owner | None = None,
) -> object:
    """What a function of NumPy's makes of lists, which may be empty, or hold numbers of several types; `made` tells
    what it makes of what it is given, and `owner` whose that is, if it has no axes."""
    return unless_some_empty(function, args, kwargs, lambda: of_their_dtype(args, kwargs, made, owner))


def of_their_dtype(
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    made: Callable[[Sequence[Any], Mapping[str, Any]], object],
    owner: Owner | None = None,
) -> object:
    """What a function of NumPy's makes of what it is given, where lists make arrays of the dtype that holds all that
    they may hold.

    Where the numbers that there are have another dtype together, and that would lead to another result, the graph says
    so, and the function is traced anew, with what comes of each dtype.
    """
    found = {id(one): one for one in nest.flatten([*args, *kwargs.values()]) if has_grown(one)}
    lists = [one for one in found.values() if len(_dtypes(one.rows)) > 1]
    if not lists or kwargs.get("out") is not None:
        return made(args, kwargs)
    arrays = {id(one): operand(one) for one in lists}

    def of(dtypes: Mapping[int, np.dtype[Any]]) -> object:
        """What is made if lists are of these dtypes."""

        def put(value: object) -> object:
            dtype = dtypes.get(id(value))
            return value if dtype is None else arrayed(cast(arrays[id(value)], dtype), [], Owner.ARRAY)

        given, named = nest.map_structure(put, [*args]), nest.map_structure(put, dict(kwargs))
        return arrayed(made(given, named), nest.flatten([given, named]), owner)

    def kinds(dtypes: Mapping[int, np.dtype[Any]]) -> object:
        try:
            with recording(Trace("aside", in_force())):
                return _described(of(dtypes))
        except TypeError:  # NumPy does not do that with numbers of these dtypes: as with truth values
            return None

    widest = {key: array.dtype.dtype for key, array in arrays.items()}
    wanted = kinds(widest)
    if all(kinds(dict.fromkeys(arrays, dtype)) == wanted for one in lists for dtype in _dtypes(one.rows)):
        return made(args, kwargs)
    place = user_place()
    are_numbers = all(type(one.rows.structure) is Column for one in lists)
    if are_numbers and place is not None and may_be_several(place):
        return _of_each_dtype([(id(one), one.rows) for one in lists], of, {})
    _need_widest([(one.rows, widest[id(one)]) for one in lists], place)
    return made(args, kwargs)


def _of_each_dtype(
    lists: Sequence[tuple[int, Rows]],
    of: Callable[[Mapping[int, np.dtype[Any]]], object],
    known: Mapping[int, np.dtype[Any]],
) -> object:
    """What is made of lists of the dtypes that the graph finds."""
    if not lists:
        return of(known)
    (key, rows), *others = lists
    ((types, told),) = rows.told()
    floats = np.dtype(np.float64)  # which an array of nothing has, too
    *dtypes, last = *sorted(_dtypes(rows) - {floats}, key=str), floats

    def chosen(dtypes: Sequence[np.dtype[Any]]) -> object:
        if not dtypes:
            return _of_each_dtype(others, of, {**known, key: last})
        first, *rest = dtypes
        test = number(_makes(types, told, first))  # type: ignore[arg-type]
        return if_exp(test, lambda: _of_each_dtype(others, of, {**known, key: first}), lambda: chosen(rest))

    return chosen(dtypes)


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
    """Which dtypes arrays of numbers may have each of which has one of several types; none, if they have one."""
    known = {np.dtype(kind) for column in columns_in(rows.structure) for kind in column.types}
    counts = range(1, len(known) + 1)
    return frozenset(np.result_type(*some) for count in counts for some in itertools.combinations(known, count))


def _described(result: object) -> object:
    leaves = nest.flatten(result)
    return [getattr(leaf_type(leaf), "dtype", None) for leaf in leaves], nest.describe(result)


def _need_widest(lists: Sequence[tuple[Rows, np.dtype[Any]]], place: Place | None) -> None:
    """Raise where the numbers of a list have another dtype together than all that it may hold."""
    for rows, dtype in lists:
        found = [(types, one) for types, told in rows.told() if (one := _makes(types, told, dtype)) is not None]
        if not found:  # others make it that whatever these are
            continue
        names = " or ".join(sorted(kind.__name__ for kind in found[0][0]))
        take_not(
            mathematics.logical_not(functools.reduce(mathematics.logical_or, [one for _, one in found])),
            f"an array is made of a list of numbers that are {names}, and none of them makes it one of {dtype}, as "
            f"only the graph finds. Say which dtype it has (np.array(x, dtype=np.{dtype})).",
            place,
        )


def _makes(types: Types, told: Tensor, dtype: np.dtype[Any]) -> Tensor | None:
    """Whether the numbers that there are of these types have a dtype together; None if no such numbers have it."""
    known = sorted({*map(np.dtype, types)}, key=str)
    counts = range(1, len(known) + 1)
    some = [one for count in counts for one in itertools.combinations(known, count) if np.result_type(*one) == dtype]
    if not some:
        return None
    there = {one: reductions.reduce_any(parts.gather(_are_of(one), told)) for one in known}
    made = [_are_just(one, there) for one in some]
    if dtype == np.float64:  # as NumPy's arrays of nothing are
        made.append(_are_just((), there))
    return functools.reduce(mathematics.logical_or, made)


def _are_of(dtype: np.dtype[Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.array([np.dtype(kind) == dtype for kind in TYPES])


def _are_just(dtypes: Sequence[np.dtype[Any]], there: Mapping[np.dtype[Any], Tensor]) -> Tensor:
    """Whether numbers of these dtypes are there, of each, and none of the others."""
    asked = [found if dtype in dtypes else mathematics.logical_not(found) for dtype, found in there.items()]
    return functools.reduce(mathematics.logical_and, asked)
