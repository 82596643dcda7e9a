"""The blocks of compound statements, and how control leaves them."""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph.analysis.symbols import nodes
from autograph.build import Node


def blocks(statement: Node) -> list[list[Node]]:
    """The blocks directly in a compound statement of the same scope; none for a definition.

    >>> [len(block) for block in blocks(gast.parse("if a:\\n  b; c\\nelse:\\n  d").body[0])]
    [2, 1]
    """
    if isinstance(statement, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
        return []
    parts = [block for part in ("body", "orelse", "finalbody") if (block := getattr(statement, part, None))]
    return parts + [part.body for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]]


def always_ends(block: Iterable[Node], jumps: tuple[type, ...]) -> bool:
    """Whether one of these jumps surely ends the block, on each of its paths."""
    for node in block:
        if isinstance(node, jumps):
            return True
        if isinstance(node, gast.If) and always_ends(node.body, jumps) and always_ends(node.orelse, jumps):
            return True
    return False


def jumps_away(block: Iterable[Node]) -> bool:
    """Whether a ``return``, or a ``break`` or ``continue`` of a loop around, leaves the block.

    >>> [jumps_away(gast.parse(t).body) for t in ("for i in x:\\n  break", "while x:\\n  return", "if x:\\n  continue")]
    [False, True, True]
    """
    return any(isinstance(node, gast.Return) for node in nodes(block)) or leaves_loop(block)


def leaves_loop(block: Iterable[Node]) -> bool:
    """Whether a ``break`` or ``continue`` in the block belongs to a loop around it."""
    for node in block:
        if isinstance(node, gast.Break | gast.Continue):
            return True
        loop = isinstance(node, gast.While | gast.For | gast.AsyncFor)
        if any(leaves_loop(inner) for inner in ([node.orelse] if loop else blocks(node))):
            return True
    return False
