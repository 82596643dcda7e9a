"""The targets of comprehensions get names of their own where a variable around the function made here has theirs.

From 3.12 on Python runs a comprehension in the frame of the function around it, and there its target hides, or
overwrites, a variable of the same name that this function only hands on to scopes inside it. A program that has no such
function may get one here, when a part of it becomes a function.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph.analysis.symbols import (
    COMPREHENSIONS,
    FUNCTIONS,
    SCOPES,
    bound,
    comprehension_parts,
    free,
    nodes,
    variables,
)
from autograph.build import Node
from autograph.context import Context
from autograph.walk import children

_IN_PLACE = (gast.ListComp, gast.SetComp, gast.DictComp)


class Hygiene:
    def __init__(self, context: Context) -> None:
        self.context = context

    def visit(self, node: Node, around: frozenset[str]) -> None:
        """Rename targets in what stands below; `around` are the variables of the functions around it."""
        if isinstance(node, FUNCTIONS):
            own = variables(node)
            if getattr(node, "is_made", False):
                self._separate(node.body, around - own)
            around |= own
        for child in children(node):
            self.visit(child, around)

    def _separate(self, body: Node | list[Node], around: frozenset[str]) -> None:
        comprehensions, handed_on = _inside(body)
        for node in comprehensions:
            for target in bound([g.target for g in node.generators]):
                if target in around and target in handed_on:
                    _rename(_own_parts(node), target, self.context.fresh(target))


def _inside(code: Node | Iterable[Node]) -> tuple[list[Node], set[str]]:
    """The comprehensions that run in the frame of this code, and the names that all scopes in it take from outside."""
    found: list[Node] = []
    names: set[str] = set()
    for node in nodes(code):
        if isinstance(node, SCOPES):
            names |= free(node)
        if isinstance(node, _IN_PLACE):
            inner, more = _inside(comprehension_parts(node))
            found += [node, *inner]
            names |= more
    return found, names


def _own_parts(comprehension: Node) -> list[Node]:
    """What of a comprehension belongs to its own scope: all but the first iterable."""
    targets = [g.target for g in comprehension.generators]
    first = comprehension.generators[0].iter
    return [*targets, *(part for part in comprehension_parts(comprehension) if part is not first)]


def _rename(code: Node | list[Node], old: str, new: str) -> None:
    for node in nodes(code):
        if type(node) is gast.Name and node.id == old:
            node.id = new
        elif isinstance(node, gast.Lambda) and old not in variables(node):
            _rename(node.body, old, new)
        elif isinstance(node, COMPREHENSIONS) and old not in bound([g.target for g in node.generators]):
            _rename(_own_parts(node), old, new)


def run(tree: Node, context: Context) -> Node:
    if context.holds(*_IN_PLACE):
        Hygiene(context).visit(tree, frozenset())
    return tree
