"""``if a and (b := f()):`` asks its operands one after the other, in statements: no lambda can bind a variable.

So does a loop whose test binds one and that a ``break`` or ``return`` may end, which is asked before the test.
"""

from __future__ import annotations

import gast

from autograph.analysis.blocks import blocks, leaves_loop
from autograph.analysis.symbols import nodes, walrus_targets
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
            if isinstance(node, gast.If) and self._is_asked(node.test):
                asked, node.test = self._tested(node.test)
                done += asked
            elif isinstance(node, gast.While) and not node.orelse and self._is_asked(node.test):
                self._ask_inside(node, *self._tested(node.test))
            elif isinstance(node, gast.While) and not node.orelse and self._is_asked_behind(node):
                self._ask_inside(node, [], node.test)
            done.append(node)
        return done

    def _is_asked(self, test: Node) -> bool:
        return _binds_late(_without_not(test)) and can_stage(test) and not waits(test)

    def _is_asked_behind(self, loop: Node) -> bool:
        """Whether what tells of a jump would be asked before a test that binds a variable."""
        return _may_end(loop.body) and _binds(loop.test) and can_stage(loop.test) and not waits(loop.test)

    def _ask_inside(self, loop: Node, asked: list[Node], tested: Node) -> None:
        """Have a loop that goes on for ever ask its test first."""
        leaves = at(branch(negation(tested), [gast.Break()]), loop.test)
        loop.test = at(constant(True), loop.test)
        loop.body = [*asked, leaves, *loop.body]

    def _tested(self, test: Node) -> tuple[list[Node], Node]:
        """Statements that ask a test, and the expression that tells what they have found."""
        tested, inner = self.context.fresh("tested"), _without_not(test)
        asked = [at(statement, test) for statement in self._asked(inner, tested)]
        return asked, at(name(tested) if inner is test else negation(name(tested)), test)

    def _truth(self, test: Node) -> Node:
        """A test of which only the truth counts, which is not that of another type in the other case."""
        if _is_truth(test) or "bool" in self.context.shadowed | set(self.context.defined):
            return test
        self.context.kinds.add(gast.Call)  # for the passes that follow
        return gast.Call(func=name("bool"), args=[test], keywords=[])

    def _asked(self, test: Node, tested: str) -> list[Node]:
        """Statements that leave in a variable what is as true as the test: each operand is asked for its truth once."""
        if not _binds_late(test):
            return [assign(tested, self._truth(test))]
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


def _is_truth(test: Node) -> bool:
    """Whether it is a truth value as it stands, as far as its text shows; a number is one only where it is asked."""
    if isinstance(test, gast.BoolOp):
        return all(map(_is_truth, test.values))
    return isinstance(test, gast.Compare) or (isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not))


def _without_not(test: Node) -> Node:
    return test.operand if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not) else test


def _binds_late(test: Node) -> bool:
    """Whether an operand behind the first binds a variable."""
    if not isinstance(test, gast.BoolOp):
        return False
    return any(map(_binds, test.values[1:])) or _binds_late(test.values[0])


def _may_end(body: list[Node]) -> bool:
    """Whether a ``break`` or ``return`` may end a loop."""
    return leaves_loop(body, gast.Break) or any(isinstance(node, gast.Return) for node in nodes(body))


def _binds(value: Node) -> bool:
    return any(True for _ in walrus_targets(gast.Expr(value=value)))


def run(tree: Node, context: Context) -> Node:
    if context.holds(gast.NamedExpr) and context.holds(gast.BoolOp, gast.While):
        for node in functions(tree):
            node.body = Hoisting(context).block(node.body)
    return tree
