"""``assert`` becomes a call, so that a staged condition is checked when the graph runs."""

from __future__ import annotations

from autograph.analysis.symbols import walrus_targets
from autograph.build import Node, at, thunk
from autograph.constructs import Assertion
from autograph.context import Context
from autograph.eligibility import can_stage, waits
from autograph.passes.rewriting import Rewriter

import gast  # isort: skip


class Asserts(Rewriter):
    def rewrite_Assert(self, node: Node) -> Node:
        """``assert t, m`` checks the condition now or in the graph, and makes the message only if it fails."""
        if not __debug__ or not can_stage(node.test) or waits(node) or _binds(node.msg):
            return node
        message = [thunk(node.msg)] if node.msg is not None else []
        return gast.Expr(value=at(Assertion(node.test, message), node))


def _binds(message: Node | None) -> bool:
    """Whether the message binds a variable, which no lambda can do for the function."""
    return message is not None and any(True for _ in walrus_targets(gast.Expr(value=message)))


def run(tree: Node, context: Context) -> Node:
    return Asserts(context).visit(tree) if context.holds(gast.Assert) else tree
