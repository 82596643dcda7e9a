"""What expression passes share: a table of rewrites by node type, applied from the leaves up within functions."""

from __future__ import annotations

import gast

from autograph.build import Node, at
from autograph.context import Context
from autograph.fence import whole_function


class Rewriter(gast.NodeTransformer):
    """Applies ``rewrite_X(node)`` of a subclass to every node X inside functions.

    Left alone: decorators, parameter defaults and annotations (they run outside the function), statements directly in
    a class body (their names are not visible to the functions that a rewrite would make), and fenced functions.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.depth = 0

    def visit(self, node: Node) -> Node:
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
            return self._function(node)
        if isinstance(node, gast.ClassDef):
            return self._class(node)
        if isinstance(node, gast.AnnAssign):
            if node.value is not None:
                node.value = self.visit(node.value)
            node.target = self.visit(node.target)
            return node
        if isinstance(node, gast.Lambda):
            self.depth += 1
            node.body = self.visit(node.body)
            self.depth -= 1
            return node
        if isinstance(node, gast.MatchValue | gast.MatchClass | gast.MatchMapping):
            return node  # patterns are not expressions
        self.generic_visit(node)
        rewrite = getattr(self, f"rewrite_{type(node).__name__}", None)
        if rewrite is None or not self.depth:
            return node
        return at(rewrite(node), node)

    def _function(self, node: Node) -> Node:
        if whole_function(node) is None:
            self.depth += 1
            node.body = [self.visit(statement) for statement in node.body]
            self.depth -= 1
        return node

    def _class(self, node: Node) -> Node:
        depth, self.depth = self.depth, 0
        node.body = [self.visit(statement) for statement in node.body]
        self.depth = depth
        return node
