"""A call that may reach a function in need of conversion goes through ``ag__.call``."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import FUNCTIONS, bound, nodes, parameters
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
        if keeps_call(node, self.context.modules, self.shadowed):
            return node
        return gast.Call(func=operator("call"), args=[node.func, *node.args], keywords=node.keywords)

    def visit(self, node: Node) -> Node:
        if isinstance(node, gast.Raise):
            return node  # making an exception is not a call to stage
        if isinstance(node, gast.withitem):
            return node  # nor is a context manager
        return super().visit(node)


def _shadowed(tree: Node) -> set[str]:
    """Names that some function of the tree binds, which are therefore not the built-in or the module of that name."""
    names: set[str] = set()
    for node in gast.walk(tree):
        if isinstance(node, FUNCTIONS):
            names |= {p.id for p in parameters(node)}
            if not isinstance(node, gast.Lambda):
                imported = [n for n in nodes(node.body) if isinstance(n, gast.Import)]
                names |= set(bound(node.body)) - set(bound(imported))
    return names


def run(tree: Node, context: Context) -> Node:
    if not context.recursive:
        return tree
    return Calls(context, _shadowed(tree)).visit(tree)
