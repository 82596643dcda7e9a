"""What expression passes share: a table of rewrites by node type, applied from the leaves up within functions."""

from __future__ import annotations

import gast

from autograph.build import Node, at
from autograph.context import Context
from autograph.fence import whole_function


class Rewriter:
    """Applies ``rewrite_X(node)`` of a subclass to every node X inside functions.

    Left alone: decorators, parameter defaults and annotations (they run outside the function), statements directly in
    a class body (their names are not visible to the functions that a rewrite would make), and fenced functions.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.depth = 0

    def visit(self, node: Node) -> Node:
        kind = type(node)
        special = _SPECIAL.get(kind)
        if special is not None:
            return getattr(self, special)(node)
        if kind is gast.Name or kind is gast.Constant:
            return node
        for name in kind._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                value[:] = [self.visit(v) if isinstance(v, gast.AST) else v for v in value]
            elif isinstance(value, gast.AST) and value._fields:
                setattr(node, name, self.visit(value))
        if not self.depth:
            return node
        rewrite = getattr(self, f"rewrite_{kind.__name__}", None)
        return node if rewrite is None else at(rewrite(node), node)

    def _pattern(self, node: Node) -> Node:
        return node  # patterns are not expressions

    def _formatted(self, node: Node) -> Node:
        node.value = self.visit(node.value)
        if node.format_spec is not None:  # itself a part of the text, whatever values it holds
            node.format_spec.values = [self.visit(value) for value in node.format_spec.values]
        return node

    def _annotated(self, node: Node) -> Node:
        if node.value is not None:
            node.value = self.visit(node.value)
        node.target = self.visit(node.target)
        return node

    def _lambda(self, node: Node) -> Node:
        self.depth += 1
        node.body = self.visit(node.body)
        self.depth -= 1
        return node

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


_SPECIAL = {
    gast.FunctionDef: "_function",
    gast.AsyncFunctionDef: "_function",
    gast.ClassDef: "_class",
    gast.AnnAssign: "_annotated",
    gast.FormattedValue: "_formatted",
    gast.Lambda: "_lambda",
    gast.MatchValue: "_pattern",
    gast.MatchClass: "_pattern",
    gast.MatchMapping: "_pattern",
}
