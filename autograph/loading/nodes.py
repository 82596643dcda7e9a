"""Nodes of the standard library's that are shared and never changed: what is to be different is made anew."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

from autograph.walk import children, fields_of

T = TypeVar("T", bound=ast.AST)


def changed(node: T, **changes: object) -> T:
    """The node with other parts, or itself where they are the same."""
    if all(_same(getattr(node, name, None), value) for name, value in changes.items()):
        return node
    made = type(node).__new__(type(node))
    made.__dict__.update(node.__dict__, **changes)
    if "lineno" in node.__dict__:
        for child in children(made):
            if "lineno" not in child.__dict__ and "lineno" in child._attributes:
                placed(child, node)
    return made


def remade(node: T, part: Callable[[Any], object], block: Callable[[list[Any]], list[Any]] | None = None) -> T:
    """The node with what a function makes of each node that it holds, and another, if given, of lists of statements."""
    changes: dict[str, object] = {}
    for name in fields_of(type(node)):
        before = getattr(node, name, None)
        if isinstance(before, ast.AST):
            after = part(before)
            if after is not before:
                changes[name] = after
        elif before.__class__ is list and before:
            if block is not None and any(isinstance(p, ast.stmt) for p in before):
                made = block(before)
            else:
                made = [part(p) if isinstance(p, ast.AST) else p for p in before]
            if not _same(before, made):
                changes[name] = made
    return changed(node, **changes) if changes else node


def _same(before: object, after: Any) -> bool:
    if isinstance(before, list):
        return len(before) == len(after) and all(a is b for a, b in zip(before, after))
    return before is after


_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def placed(node: T, origin: ast.AST) -> T:
    """Give what has no place yet, from `node` down, that of `origin`."""
    if "lineno" in node.__dict__:
        return node
    place = {name: getattr(origin, name) for name in _PLACE if hasattr(origin, name)}
    waiting: list[ast.AST] = [node]
    while waiting:
        child = waiting.pop()
        own = child.__dict__  # of all that is made, each node comes by: one update is quicker than four assignments
        if "lineno" in own:
            continue
        if "lineno" in child._attributes:
            own.update(place)
        waiting += children(child)
    return node
