"""The order of work: a function's tree goes through PASSES, one after the other."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autograph.analysis.symbols import all_names
from autograph.build import OPERATORS, Node
from autograph.context import Context
from autograph.passes import asserts, bodies, calls, jumps, logic

PASSES = (asserts, jumps, bodies, calls, logic)
# jumps before bodies: once they are gone, statements nest and liveness is a recursion over the tree;
# bodies before calls and logic: the lambdas that these emit would look like captures to the liveness


def convert(tree: Node, context: Context, watch: Callable[[str, Node], None] | None = None) -> Node:
    """Rewrite a function, lambda or class; `watch` is called with the name of each pass and the tree it made."""
    context.taken |= all_names(tree)
    for rewrite in PASSES:
        tree = rewrite.run(tree, context)
        if watch is not None:
            watch(rewrite.__name__.rpartition(".")[2], tree)
    _name_operators(tree, context)
    return gast.fix_missing_locations(tree)


def _name_operators(tree: Node, context: Context) -> None:
    """Call the operators ``ag__``, or something like it where the user has that name."""
    context.operators = context.fresh("ag__")
    for node in gast.walk(tree):
        if isinstance(node, gast.Name) and node.id == OPERATORS:
            node.id = context.operators
