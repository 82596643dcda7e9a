"""``if a and (b := f()):`` asks its operands one after the other, in statements: no lambda can bind a variable."""

from __future__ import annotations

import gast

from autograph.analysis.blocks import blocks
from autograph.analysis.symbols import walrus_targets
from autograph.build import Node, assign, at, branch, constant, name, negation, test_of
from autograph.context import Context
from autograph.eligibility import can_stage, functions, waits


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
        """Statements that leave in a variable what is as true as the test: each operand is asked for its truth once."""
        if not _binds_late(test):
            return [assign(tested, test)]
        ends = assign(tested, constant(isinstance(test.op, gast.Or)))
        count = next((i for i, value in enumerate(test.values) if i and _binds(value)), 1)
        if _binds_late(test.values[0]):
            count, before, first = 1, self._asked(test.values[0], tested), name(tested)
        else:
            before, first = [ends], test_of(test.op, test.values[:count])
        goes_on = first if isinstance(test.op, gast.And) else negation(first)
        following = self._asked(test_of(test.op, test.values[count:]), tested)
        return [*before, branch(goes_on, following, [] if ends in before else [ends])]


_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def _binds_late(test: Node) -> bool:
    """Whether an operand behind the first binds a variable."""
    if not isinstance(test, gast.BoolOp):
        return False
    return any(map(_binds, test.values[1:])) or _binds_late(test.values[0])


def _binds(value: Node) -> bool:
    return any(True for _ in walrus_targets(gast.Expr(value=value)))


def run(tree: Node, context: Context) -> Node:
    if context.holds(gast.NamedExpr) and context.holds(gast.BoolOp):
        for node in functions(tree):
            node.body = Hoisting(context).block(node.body)
    return tree
