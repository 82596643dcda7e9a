"""A call that may reach a function in need of conversion goes through ``ag__.call``."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import bound_inside
from autograph.build import Node, operator
from autograph.context import Context
from autograph.fence import keeps_call
from autograph.passes.rewriting import Rewriter


class Calls(Rewriter):
    def __init__(self, context: Context, shadowed: set[str]) -> None:
        super().__init__(context)
        self.shadowed = shadowed

    def rewrite_Call(self, node: Node) -> Node:
        """``f(x, *more)`` becomes ``ag__.call(f, x, *more)``, unless what `f` is can be told from the text."""
        if keeps_call(node, self.context, self.shadowed):
            return node
        return gast.Call(func=operator("call"), args=[node.func, *node.args], keywords=node.keywords)

    def visit(self, node: Node) -> Node:
        if isinstance(node, gast.Raise):
            return node  # making an exception is not a call to stage
        if isinstance(node, gast.withitem):
            return node  # nor is a context manager
        return super().visit(node)


def run(tree: Node, context: Context) -> Node:
    if not context.recursive or not context.holds(gast.Call):
        return tree
    return Calls(context, bound_inside(tree)).visit(tree)
