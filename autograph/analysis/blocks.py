"""The blocks of compound statements, and how control leaves them."""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph.analysis.symbols import nodes
from autograph.build import Node

_LOOPS = (gast.While, gast.For, gast.AsyncFor)


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
    """Whether nothing gets to the end of the block: one of these jumps leaves it on each path, or a loop has no end.

    >>> texts = ["if x: return\\nelse: raise x", "for i in x: x()\\nelse: return", "while True: x()", "while x: return"]
    >>> [always_ends(gast.parse(text).body, (gast.Return, gast.Raise)) for text in texts]
    [True, True, True, False]
    """
    return any(_never_passes(node, jumps) for node in block)


def _never_passes(node: Node, jumps: tuple[type, ...]) -> bool:
    if isinstance(node, gast.If):
        return always_ends(node.body, jumps) and always_ends(node.orelse, jumps)
    if isinstance(node, _LOOPS) and not leaves_loop(node.body, gast.Break):
        return is_endless(node) or always_ends(node.orelse, jumps)
    return isinstance(node, jumps)


def is_endless(loop: Node) -> bool:
    """Whether only a jump can leave a loop.

    >>> [is_endless(gast.parse(text).body[0]) for text in ("while True: x()", "while x: x()", "for i in x: x()")]
    [True, False, False]
    """
    return isinstance(loop, gast.While) and isinstance(loop.test, gast.Constant) and bool(loop.test.value)


def jumps_away(block: Iterable[Node]) -> bool:
    """Whether a ``return``, or a ``break`` or ``continue`` of a loop around, leaves the block.

    >>> [jumps_away(gast.parse(t).body) for t in ("for i in x:\\n  break", "while x:\\n  return", "if x:\\n  continue")]
    [False, True, True]
    """
    return any(isinstance(node, gast.Return) for node in nodes(block)) or leaves_loop(block)


def leaves_loop(block: Iterable[Node], *jumps: type) -> bool:
    """Whether a ``break`` or ``continue`` in the block, or one of these jumps, belongs to a loop around it."""
    for node in block:
        if isinstance(node, jumps or (gast.Break, gast.Continue)):
            return True
        inside = [node.orelse] if isinstance(node, _LOOPS) else blocks(node)
        if any(leaves_loop(inner, *jumps) for inner in inside):
            return True
    return False
