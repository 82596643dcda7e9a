"""Where of ``a and b`` only the truth counts, it is marked, so that no operand need be asked for its truth again."""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph.build import Node
from autograph.context import Context
from autograph.walk import every_node

_TESTED = (gast.If, gast.While, gast.IfExp, gast.Assert)


def _tests(node: Node) -> Iterable[Node]:
    """The parts of a node of which only the truth counts."""
    if isinstance(node, _TESTED):
        return [node.test]
    if isinstance(node, gast.comprehension):
        return list(node.ifs)
    if isinstance(node, gast.match_case):
        return [node.guard]
    return ()


def _mark(test: Node) -> None:
    if isinstance(test, gast.BoolOp):
        test.is_test = True
        for value in test.values:
            _mark(value)
    elif isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        _mark(test.operand)
    elif isinstance(test, gast.IfExp):
        _mark(test.body)
        _mark(test.orelse)


def _join(node: Node) -> None:
    """``(a and b) and c`` is ``a and b and c``; of ``(a and b) or c`` the `a` is never the result if it is false, so
    that only its truth counts."""
    while isinstance(node.values[0], gast.BoolOp) and isinstance(node.values[0].op, type(node.op)):
        node.values[:1] = node.values[0].values
    for value in node.values[:-1]:
        if isinstance(value, gast.BoolOp):
            value.is_test = True


def run(tree: Node, context: Context) -> Node:
    for node in every_node(tree) if context.holds(gast.BoolOp) else ():
        if isinstance(node, gast.BoolOp):
            _join(node)
        for test in _tests(node):
            _mark(test)
    return tree
