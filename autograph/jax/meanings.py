"""What built-in functions mean for values that the compiled program has."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence, Sized
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from autograph.errors import StagingError
from autograph.jax.items import Items, Range, is_of_arrays, numbers
from autograph.jax.tracing import path
from autograph.jax.values import Array, Type, cast, described, joined, parts_of, truth, type_of
from autograph.operators import calls


def _range(*bounds: Array) -> Range:
    for bound in bounds:
        type_ = type_of(bound)
        if type_ is None or type_.shape != () or type_.dtype.kind not in "iu":
            raise TypeError(f"range() wants whole numbers, not {described(bound)}")
    return Range(*bounds)


def _enumerate(items: object, start: int = 0) -> object:
    if not is_of_arrays(items):
        return NotImplemented
    given = Items.of(items)
    return Items(
        [numbers(range(start, start + given.length)), *given.arrays],
        lambda parts: (parts[0], given.item(parts[1:])),
        lambda: enumerate(given, start),
    )


def _zip(*items: object, strict: bool = False) -> object:
    if not all(isinstance(one, range) or is_of_arrays(one) for one in items):
        return NotImplemented  # Python goes through them one by one
    given = [*map(Items.of, items)]
    length = min(one.length for one in given)
    if strict and any(one.length != length for one in given):
        raise ValueError("zip() arguments have different lengths")
    ends = [*itertools.accumulate((len(one.arrays) for one in given), initial=0)]

    def item(parts: Sequence[Array]) -> tuple[object, ...]:
        return tuple(one.item(parts[a:b]) for one, a, b in zip(given, ends, ends[1:]))

    return Items([array[:length] for one in given for array in one.arrays], item, lambda: zip(*given))


def _reversed(items: object) -> object:
    if isinstance(items, Range):
        last = items.start + (items.length() - 1) * items.step
        return Range(last, items.start - items.step, -items.step)
    given = Items.of(items)
    return Items([array[::-1] for array in given.arrays], given.item, lambda: [*given][::-1])


def _as_python(value: Array, dtype: type) -> Array:
    """A number of Python's, which takes the dtype of what it meets."""
    return cast(value, Type((), jnp.asarray(dtype()).dtype, dtype is not bool))


def _of_number(name: str, dtype: type) -> Callable[[Array], Array]:
    """``int(x)`` and the like, of one number."""

    def made(value: Array) -> Array:
        if (type_ := type_of(value)) is None:
            return NotImplemented
        if jnp.shape(value) != ():
            raise TypeError(f"only numbers can be converted by {name}(), not arrays of shape {jnp.shape(value)}")
        return _as_python(jnp.trunc(value) if dtype is int and type_.dtype.kind in "fV" else value, dtype)

    return made


def _keys(items: Any, key: Callable[[object], object] | None) -> Array:
    """What tells the order of these items, an array of one dimension."""
    if key is None and hasattr(items, "shape"):
        found = items
    else:
        keys = [item if key is None else calls.call(key, item) for item in items]
        shape = next((shape for found in keys if type_of(found) and (shape := jnp.shape(found))), ())
        found = jnp.zeros((0, *shape)) if shape else _stacked(keys)
    if found.ndim != 1:
        raise StagingError(
            f"which of two arrays of shape {found.shape[1:]} is the greater one is not known: use jnp.max, jnp.maximum "
            "or jnp.sort."
        )
    return found


def _extreme(argument: Callable[[Array], Array], worst: float) -> Callable[..., object]:
    """``min`` or ``max``: the first of those that none is better than. NaN is better than nothing, and nothing than it:
    it is found where it comes first."""

    def chosen(*values: Any, key: Callable[[object], object] | None = None, **default: object) -> object:
        items = values[0] if len(values) == 1 else values
        items = items if hasattr(items, "shape") else [*items]
        if not len(items):
            return default["default"] if default else NotImplemented
        keys = _keys(items, key)
        if jnp.issubdtype(keys.dtype, jnp.inexact):
            unknown = jnp.isnan(keys)
            best = argument(jnp.where(unknown, worst, keys))
            return _item(items, jnp.where(unknown[0] | jnp.all(unknown), 0, best))
        return _item(items, argument(keys))

    return chosen


def _sum(values: Any, start: object = 0) -> object:
    if not hasattr(values, "shape"):
        return functools.reduce(operator.add, [*values], start)
    values = jnp.where(values, 1, 0) if values.dtype == bool else values
    total = cast(jnp.sum(values, axis=0, dtype=values.dtype), Type(values.shape[1:], values.dtype, values.weak_type))
    return total if type(start) is int and start == 0 else start + total


def _told(function: Callable[[Array], Array]) -> Callable[[object], Array]:
    def made(values: Any) -> Array:
        if hasattr(values, "shape"):
            return function(values != 0)
        found = [truth(value) for value in values]
        return function(jnp.stack(found)) if found else NotImplemented

    return made


def _round(value: Array, digits: int | None = None) -> Array:
    if digits is None and jnp.shape(value) == ():
        return lax.convert_element_type(jnp.round(value), int)
    return jnp.round(value, digits or 0)


def _sorted(values: Any, key: Callable[[object], object] | None = None, reverse: bool = False) -> list[object]:
    """``sorted(values)``: a list; NaN comes last, where Python leaves it anywhere."""
    items = values if hasattr(values, "shape") else [*values]
    if not len(items):
        return []
    order = jnp.argsort(_keys(items, key), stable=True, descending=reverse)
    return [*items[order]] if hasattr(items, "shape") else [_item(items, number) for number in order]


def _contains(items: Any, value: object) -> object:
    if isinstance(items, list | tuple) or hasattr(items, "shape"):
        array = (
            items if hasattr(items, "shape") else jnp.stack([jnp.asarray(item) for item in items]) if items else None
        )
        return False if array is None else jnp.any(array == value)
    raise StagingError(f"whether {type(items).__name__} holds a value is not known before the program runs.")


def _item(table: Any, index: Array) -> object:
    """``table[index]`` of a list or tuple of alike arrays or numbers."""
    if type_of(index) is None or not (isinstance(table, list | tuple) or hasattr(table, "shape")):
        return NotImplemented
    if hasattr(table, "shape"):
        return jnp.asarray(table)[index]
    trees = [parts_of(element) for element in table]
    if not trees or any(tree != trees[0][1] for _, tree in trees):
        raise StagingError(
            "the elements of a list differ in structure, and only the compiled program knows which is meant."
        )
    columns = zip(*(parts for parts, _ in trees))
    return jax.tree.unflatten(trees[0][1], [_stacked(column)[index] for column in columns])


def _stacked(parts: Sequence[object]) -> Array:
    """An array of arrays or numbers that are alike."""
    types = [type_of(part) for part in parts]
    both = functools.reduce(lambda a, b: a and b and joined(a, b), types)
    if both is None:
        shown = ", ".join(described(part) for part in parts[:4])
        raise StagingError(
            f"only the compiled program knows which element of a list is meant, and it chooses among arrays of one "
            f"shape alone; in the list are {shown}."
        )
    return jnp.stack([cast(part, both) for part in parts])


def _text(*values: object, **keywords: object) -> object:
    """Text is made while tracing, where a loop that is unrolled has the numbers that are ints of Python's."""
    given = jax.tree.leaves((values, keywords))
    if path.unrolls and any(type_.weak and type_.dtype.kind == "i" for type_ in map(type_of, given) if type_):
        raise StagingError("a number that counts is part of a text.")
    return NotImplemented


def _len(value: Sized) -> object:
    if isinstance(value, Range):
        return value.length()
    return len(value)


MEANINGS: dict[object, Callable[..., object]] = {
    len: _len,
    operator.length_hint: lambda items: items.length() if isinstance(items, Range) else len(items),
    range: _range,
    enumerate: _enumerate,
    zip: _zip,
    reversed: _reversed,
    bool: lambda value: truth(value) if type_of(value) else NotImplemented,
    int: _of_number("int", int),
    float: _of_number("float", float),
    complex: _of_number("complex", complex),
    min: _extreme(jnp.argmin, jnp.inf),
    max: _extreme(jnp.argmax, -jnp.inf),
    sum: _sum,
    any: _told(jnp.any),
    all: _told(jnp.all),
    round: _round,
    sorted: _sorted,
    **dict.fromkeys((str, repr, ascii, format, str.format, str.format_map, operator.mod), _text),
    operator.contains: _contains,
    operator.getitem: _item,
}
