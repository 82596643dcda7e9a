"""Nodes of the standard library's that are shared and never changed: what is to be different is made anew."""

from __future__ import annotations

import ast
from typing import Any, TypeVar

from autograph.walk import children

T = TypeVar("T", bound=ast.AST)


def changed(node: T, **changes: object) -> T:
    """The node with other parts, or itself where they are the same."""
    if all(_same(getattr(node, name, None), value) for name, value in changes.items()):
        return node
    fields = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
    changed = ast.copy_location(type(node)(**{**fields, **changes}), node)
    for child in children(changed):
        if "lineno" in child._attributes and not hasattr(child, "lineno") and hasattr(node, "lineno"):
            placed(child, node)
    return changed


def _same(before: object, after: Any) -> bool:
    if isinstance(before, list):
        return len(before) == len(after) and all(a is b for a, b in zip(before, after))
    return before is after


_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def placed(node: T, origin: ast.AST) -> T:
    """Give what has no place yet, from `node` down, that of `origin`."""
    place = [(name, getattr(origin, name)) for name in _PLACE if hasattr(origin, name)]
    waiting: list[ast.AST] = [node]
    while waiting:
        child = waiting.pop()
        if "lineno" in child._attributes:
            if hasattr(child, "lineno"):
                continue
            for name, value in place:  # `ast.copy_location` asks for each anew
                setattr(child, name, value)
        waiting.extend(children(child))
    return node
