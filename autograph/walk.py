"""Walks over trees, the standard library's or gast's: most of the compiler's time goes here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import gast

# What holds no nodes, or nodes that hold nothing; and the lists that hold other things beside nodes.
_EMPTY = frozenset(
    "ctx op ops id attr arg kind type_comment simple is_async level module conversion n s cls_name rest lineno".split()
)
_MIXED = frozenset(("kw_defaults", "keys", "names", "kwd_attrs"))
_fields: dict[type, tuple[str, ...]] = {gast.Constant: (), ast.Constant: ()}


def children(node: object) -> list[Any]:
    """The nodes directly below, less contexts and operator signs, which hold nothing."""
    kind = type(node)
    fields = _fields.get(kind)
    held = node.__dict__.get  # quicker than to ask the node; what it lacks, its type has as None
    found: list[object] = []
    for name in fields_of(kind) if fields is None else fields:
        value = held(name)
        if value.__class__ is list:
            if value:
                found += [v for v in value if isinstance(v, ast.AST)] if name in _MIXED else value
        elif value is not None and isinstance(value, ast.AST):
            found.append(value)
    return found


def fields_of(kind: Any) -> tuple[str, ...]:
    """The fields of a type of nodes that may hold others."""
    fields = _fields.get(kind)
    if fields is None:
        fields = _fields[kind] = tuple(name for name in kind._fields if name not in _EMPTY)
    return fields


def every_statement(tree: object) -> Iterator[Any]:
    """All statements of a tree, nested scopes included, in no particular order, and what holds some: handlers, cases.

    Much quicker than to look for them among all nodes.
    """
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        kind = node.__class__
        names = _blocks.get(kind)
        if names is None:
            names = _blocks[kind] = tuple(n for n in _BLOCKS if n in getattr(kind, "_fields", ()))
        for name in names:
            waiting += _list(getattr(node, name, None))


_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
_blocks: dict[type, tuple[str, ...]] = {}


def _list(block: object) -> list[object]:
    return block if isinstance(block, list) else []  # of a lambda it is an expression


def every_node(tree: object) -> Iterator[Any]:
    """All nodes of a tree, nested scopes included, in no particular order."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if _fields.get(type(node)) != ():  # most nodes are names and constants
            waiting += children(node)
