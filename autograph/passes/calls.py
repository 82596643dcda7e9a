"""A call that may reach a function in need of conversion goes through ``ag__.call``."""

from __future__ import annotations

import gast

from autograph.build import Node, at, call
from autograph.constructs import Acting, Called
from autograph.context import Context
from autograph.eligibility import acts, keeps_call, whole_function
from autograph.passes.rewriting import Rewriter


class Calls(Rewriter):
    in_classes = True
    makes_functions = False

    def rewrite_Call(self, node: Node) -> Node:
        """``f(x, *more)`` becomes ``ag__.call(f, x, *more)``, unless what `f` is can be told from the text."""
        if keeps_call(node, self.context):
            return Acting(node.func, node.args, node.keywords) if acts(node, self.context) else node
        return Called(node.func, node.args, node.keywords)

    def _function(self, node: Node) -> Node:
        return self._decorated(super()._function(node))

    def _class(self, node: Node) -> Node:
        return self._decorated(super()._class(node))

    def _decorated(self, node: Node) -> Node:
        """``@d`` becomes ``@ag__.converted(d)``: it is a call, too."""
        if self.depth and whole_function(node) is None:
            node.decorator_list = [self._applied(decorator) for decorator in node.decorator_list]
        return node

    def _applied(self, decorator: Node) -> Node:
        if isinstance(decorator, Called):
            return decorator
        made_by = decorator.func if isinstance(decorator, gast.Call) else decorator
        known = keeps_call(gast.Call(func=made_by, args=[], keywords=[]), self.context)
        return decorator if known else at(call("converted", decorator), decorator)


def run(tree: Node, context: Context) -> Node:
    if not context.recursive or not context.holds(gast.Call):
        return tree
    return Calls(context).visit(tree)
