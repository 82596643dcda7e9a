"""Nested Python structures (lists, tuples, named tuples, dicts) of leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from runtime.shapes import TensorShape


def is_nested(value: Any) -> bool:
    """Whether the value is a structure; a shape is a leaf."""
    return isinstance(value, list | tuple | dict) and not isinstance(value, TensorShape)


def flatten(value: Any) -> list[Any]:
    """The leaves in order; dicts by their insertion order.

    >>> flatten({'a': 1, 'b': (2, [3])})
    [1, 2, 3]
    """
    if not is_nested(value):
        return [value]
    return [leaf for v in (value.values() if isinstance(value, dict) else value) for leaf in flatten(v)]


def rebuild(structure: Any, leaves: Iterator[Any]) -> Any:
    """The structure with its leaves replaced, in order."""
    if not is_nested(structure):
        return next(leaves)
    if isinstance(structure, dict):
        items = {k: rebuild(v, leaves) for k, v in structure.items()}
        return items if type(structure) is dict else _same_kind(structure, items)
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*(rebuild(v, leaves) for v in structure))
    return type(structure)(rebuild(v, leaves) for v in structure)


def _same_kind(structure: Any, items: dict[Any, Any]) -> Any:
    try:
        return type(structure)(items)
    except TypeError:
        copy = structure.copy()
        copy.update(items)
        return copy


def map_structure(function: Callable[..., Any], *structures: Any) -> Any:
    """The first structure with each leaf replaced by `function` of the corresponding leaves."""
    columns = [flatten(s) for s in structures]
    return rebuild(structures[0], iter([function(*row) for row in zip(*columns, strict=True)]))


def describe(value: Any) -> str:
    """The structure without its leaves: ``(·, [·, ·])``."""
    if not is_nested(value):
        return "·"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {describe(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(describe, value)) + "]"
    return "(" + ", ".join(map(describe, value)) + ("," if len(value) == 1 else "") + ")"
