"""Python's dictionaries, sets and sequences asked for what only the graph knows."""

from __future__ import annotations

import collections
import decimal
import numbers
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from autograph import StagingError
from autograph.dispatch import of_key
from autograph.errors import refused
from autograph.operators.branches import if_exp
from autograph.operators.calls import converted
from autograph.operators.state import user_statement
from autograph.reading import found_in, is_a
from runtime import control
from runtime.control.lists import KnownList
from runtime.graph.dtypes import string
from runtime.graph.op import Op
from runtime.ops import elementwise as ew
from runtime.staging.hashed import Dict
from runtime.tensors import mathematics, nest
from runtime.tensors.clauses import not_caught
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.views import Array

_FEW = 8  # so many keys are compared one by one


def value_of(table: Mapping[Any, Any], key: Any, otherwise: Callable[[], object]) -> object:
    """The value for a staged key: one branch for each key that there is, or a look in a table of the graph's."""
    keys = _comparable(table, key)
    if not _are_hashed(keys) or any(isinstance(leaf, Array | np.ndarray) for leaf in nest.flatten([*table.values()])):
        return _arm(table, keys, key, otherwise)
    at = _place_of(keys, key)
    values = [table[k] for k in keys.values()]
    statement = user_statement(1)
    return if_exp(at >= 0, lambda: control.element_at(values, at, statement), otherwise)


def value_there(table: Mapping[Any, Any], key: Any, error: Exception) -> object:
    """The value for a staged key; the graph raises the error if there is none."""
    if table and not_caught(error, lambda: mathematics.logical_not(is_among(table.keys(), key))):
        return value_of(table, key, lambda: next(iter(table.values())))  # it is there on this way
    return value_of(table, key, lambda: raised(error))


def _arm(table: Mapping[Any, object], keys: Mapping[Any, Any], key: object, otherwise: Callable[[], object]) -> object:
    if not keys:
        return otherwise()
    (first, own), *rest = keys.items()
    return if_exp(_same(key, first), lambda: table[own], lambda: _arm(table, dict(rest), key, otherwise))


def is_among(keys: Collection[object], key: object) -> Any:
    """Whether a staged key is one of a dictionary or set."""
    if (union := control.union_of(key)) is not None:
        return control.whichever(union, lambda one: one in keys if of_key(one) is None else is_among(keys, one))
    alike = _comparable(keys, key)
    if _are_hashed(alike):
        return _place_of(alike, key) >= 0
    return _joined(ew.logical_or, False, [_same(key, one) for one in alike])


def item_of(table: dict[Any, object], key: object) -> object:
    """``table[key]``."""
    if (union := control.union_of(key)) is not None:
        return control.whichever(union, lambda one: table[one] if of_key(one) is None else item_of(table, one))
    if type(table) is collections.Counter:
        return value_of(table, key, lambda: 0)
    if isinstance(table, collections.defaultdict):
        known = table.default_factory is None
    else:
        known = not hasattr(type(table), "__missing__")
    return value_there(table, key, KeyError(key)) if known else NotImplemented


def _get(table: dict[Any, object], key: object, default: object = None) -> object:
    if (union := control.union_of(key)) is not None:
        return control.whichever(
            union, lambda k: table.get(k, default) if of_key(k) is None else _get(table, k, default)
        )
    return value_of(table, key, lambda: default)


def _index(items: Sequence[object], value: object, *bounds: int) -> Any:
    return KnownList(items).index(value, *bounds)


def _count(items: Sequence[object], value: object) -> object:
    return KnownList(items).count(value)


def raised(error: Exception) -> NoReturn:
    raise error


def _comparable(keys: Collection[Any], key: object) -> dict[Any, Any]:
    """The keys that a staged one may be equal to, by what they are compared as."""
    kind: Any = key.type.dtype if is_a(key, Tensor) else None  # type: ignore[attr-defined]
    found = {}
    for one in keys:
        if is_a(key, tuple):
            if is_a(one, tuple) and len(one) == len(key):  # type: ignore[arg-type]
                found[one] = one
        elif kind == string:
            if is_a(one, (str, bytes)):
                found[one] = one
        elif (number := _as_number(one)) is not None:  # a whole number is compared with nothing that it cannot be
            if not (kind is not None and kind.is_integer and is_a(number, int) and not kind.min <= number <= kind.max):
                found[number] = one
    return found


def _as_number(key: Any) -> Any:
    """What a key is compared with a number as; None if it equals none."""
    if is_a(key, (int, float, np.number)):
        return key
    if is_a(key, np.bool_):
        return bool(key)
    if is_a(key, (str, bytes, tuple, frozenset, type(None))) or found_in(type(key), "__eq__") is object.__eq__:
        return None
    if is_a(key, complex):
        return key.real if key.imag == 0 else None
    if is_a(key, (numbers.Rational, decimal.Decimal)):
        return _exactly(key)
    raise refused(
        StagingError(
            f"a {type(key).__name__} is a key of a dictionary or an element of a set that is asked for a number which "
            "only the graph knows, and may be equal to it: compare it with each key (`if n == key:`)."
        )
    )


def _exactly(key: Any) -> int | float | None:
    """A fraction as a number that is equal to it, if there is one."""
    try:
        return next((made for made in (int(key), float(key)) if made == key), None)
    except (OverflowError, ValueError):
        return None


def _same(key: Any, known: Any) -> Any:
    if not is_a(key, tuple):
        return mathematics.equal(key, known) if is_a(key, Tensor) else key == known
    return _joined(ew.logical_and, True, [_same(one, other) for one, other in zip(key, known)])


def _joined(row: Op, start: bool, tests: Iterable[object]) -> object:
    """All of some tests, or any of them."""
    found: object = start
    for test in tests:
        if not isinstance(test, bool):
            found = test if found is start else apply(row, found, test)
        elif test is not start:
            return test
    return found


def _are_hashed(keys: Mapping[Any, Any]) -> bool:
    """Whether there are enough keys for a table, which holds those of one kind."""
    return len(keys) > _FEW and len({_kind(k) for k in keys}) == 1 and all(map(_fits, keys))


def _kind(key: object) -> object:
    return tuple(map(_kind, key)) if isinstance(key, tuple) else type(key)


def _fits(key: object) -> bool:
    if type(key) is tuple:
        return all(map(_fits, key))
    return key == key if type(key) is float else type(key) is str or (type(key) is int and -(2**63) <= key < 2**63)


def _place_of(keys: Mapping[Any, Any], key: object) -> Any:
    """The number of a key, which is negative where it is none of them."""
    places = converted(Dict)({one: at for at, one in enumerate(keys)})
    return number(converted(places.get)(key, -1))


MEANINGS: dict[object, Callable[..., object]] = {
    dict.get: _get,
    list.index: _index,
    list.count: _count,
    tuple.index: _index,
    tuple.count: _count,
}
