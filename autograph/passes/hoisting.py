"""``if a and (b := f()):`` asks its operands one after the other, in statements: no lambda can bind a variable."""

from __future__ import annotations

import gast

from autograph.analysis.blocks import blocks
from autograph.analysis.symbols import walrus_targets
from autograph.build import Node, assign, at, branch, name, negation
from autograph.context import Context
from autograph.fence import can_stage, functions, waits


class Hoisting:
    def __init__(self, context: Context) -> None:
        self.context = context

    def block(self, statements: list[Node]) -> list[Node]:
        done: list[Node] = []
        for node in statements:
            if not isinstance(node, _DEFINITIONS):
                for inner in blocks(node):
                    inner[:] = self.block(inner)
            if isinstance(node, gast.If) and _binds_late(node.test) and can_stage(node.test) and not waits(node.test):
                tested = self.context.fresh("tested")
                done += [at(statement, node.test) for statement in self._asked(node.test, tested)]
                node.test = at(name(tested), node.test)
            done.append(node)
        return done

    def _asked(self, test: Node, tested: str) -> list[Node]:
        """Statements that leave in a variable what the test gives."""
        if not isinstance(test, gast.BoolOp):
            return [assign(tested, test)]
        first, *rest = test.values
        following: list[Node] = []
        for value in reversed(rest):
            goes_on = name(tested) if isinstance(test.op, gast.And) else negation(name(tested))
            following = [branch(goes_on, self._asked(value, tested) + following)]
        return self._asked(first, tested) + following


_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def _binds_late(test: Node) -> bool:
    """Whether an operand behind the first binds a variable."""
    if not isinstance(test, gast.BoolOp):
        return False
    late = [gast.Expr(value=value) for value in test.values[1:]]
    return any(True for value in late for _ in walrus_targets(value)) or _binds_late(test.values[0])


def run(tree: Node, context: Context) -> Node:
    if context.holds(gast.NamedExpr) and context.holds(gast.BoolOp):
        for node in functions(tree):
            node.body = Hoisting(context).block(node.body)
    return tree
