"""A call that may reach a function in need of conversion goes through ``ag__.call``."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import FUNCTIONS
from autograph.build import Node, at, call
from autograph.constructs import Called
from autograph.context import Context
from autograph.eligibility import keeps_call, whole_function
from autograph.passes.rewriting import Rewriter
from autograph.walk import every_node


class Calls(Rewriter):
    in_classes = True
    makes_functions = False

    def __init__(self, context: Context, stars: tuple[set[str], set[str]]) -> None:
        super().__init__(context)
        self.lists, self.tables = stars

    def rewrite_Call(self, node: Node) -> Node:
        """``f(x, y)`` becomes ``ag__.call(f, x, y)``, unless what `f` is can be told from the text; and ``f(*more)``
        ``ag__.callee(f)(*more)``, unless these are parameters, ``*args`` and ``**kwargs``, which can be spread."""
        if keeps_call(node, self.context):
            return node
        made = Called(node.func, node.args, node.keywords)
        lists = [_name(argument.value) for argument in node.args if isinstance(argument, gast.Starred)]
        tables = [_name(keyword.value) for keyword in node.keywords if keyword.arg is None]
        made.spread = not (self.lists.issuperset(lists) and self.tables.issuperset(tables))
        made.spread |= bool(tables) and len(node.keywords) > 1  # two may give the same
        return made

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


def _name(node: Node) -> str:
    return node.id if isinstance(node, gast.Name) else ""


def _stars(tree: Node) -> tuple[set[str], set[str]]:
    """The parameters ``*args`` and those ``**kwargs`` whose names nothing else has."""
    found: tuple[set[str], set[str]] = set(), set()
    others: set[str] = set()
    for node in every_node(tree):
        if isinstance(node, FUNCTIONS):
            a = node.args
            others.update(p.id for p in (*a.posonlyargs, *a.args, *a.kwonlyargs))
            for names, parameter in zip(found, (a.vararg, a.kwarg)):
                names.update([] if parameter is None else [parameter.id])
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store | gast.Del):
            others.add(node.id)
    lists, tables = found
    return lists - tables - others, tables - lists - others


def run(tree: Node, context: Context) -> Node:
    if not context.recursive or not context.holds(gast.Call):
        return tree
    return Calls(context, _stars(tree) if context.holds(gast.Starred, gast.keyword) else (set(), set())).visit(tree)
