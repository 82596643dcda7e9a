"""Conditional expressions, ``and``, ``or``, ``not`` and chained comparisons become lazy calls."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import walrus_targets
from autograph.build import Node, at, call, is_operator_call, thunk
from autograph.constructs import Chain, Lazy, Operation
from autograph.context import Context
from autograph.eligibility import STATEMENTS, can_stage, is_builtin, waits
from autograph.passes.rewriting import Rewriter

_SYMBOLS = {
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=",
    "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip


class Logic(Rewriter):
    in_classes = True

    def rewrite_IfExp(self, node: Node) -> Node:
        """``a if t else b`` becomes ``ag__.if_exp(t, lambda: a, lambda: b)``."""
        if not can_stage(node.test) or _stays(node.body, node.orelse):
            return node
        return Lazy("if_exp", _once(node.test), [thunk(node.body), thunk(node.orelse)], False)

    def rewrite_BoolOp(self, node: Node) -> Node:
        """``a and b`` becomes ``ag__.and_(a, lambda: b)``; the last operand's value is never asked for its truth.

        Where only that of the result counts, and an operand before the last may give anything, it is told so.
        """
        if not any(can_stage(value) for value in node.values[:-1]) or _stays(*node.values[1:]):
            return node
        operator = "and_" if isinstance(node.op, gast.And) else "or_"
        told = getattr(node, "is_test", False) and not all(map(_answers, node.values[:-1]))
        return Lazy(operator, _once(node.values[0]), [thunk(value) for value in node.values[1:]], told)

    def rewrite_UnaryOp(self, node: Node) -> Node:
        """``not a`` becomes ``ag__.not_(a)``."""
        if not isinstance(node.op, gast.Not) or not can_stage(node.operand):
            return node
        return Lazy("not_", _once(node.operand), [], False)

    def rewrite_Branches(self, node: Node) -> Node:
        """The test of a statement that became a call; several are in lambdas."""
        node.tests = [_once(test) for test in node.tests]
        return node

    def rewrite_Assertion(self, node: Node) -> Node:
        node.tested = _once(node.tested)
        return node

    def rewrite_Return(self, node: Node) -> Node:
        """The test of a loop is what a function returns."""
        node.value = _once(node.value)
        return node

    def rewrite_Compare(self, node: Node) -> Node:
        """``a < b < c`` becomes an ``and_`` where the middle may be read twice, and a ``chain`` where it may not.

        ``(a, b) == c`` becomes a ``chain`` of one, as the graph may have to compare the items; so does ``a == b`` where
        nothing is taken for granted.
        """
        asked = _compares_items(node) or (self.context.thorough and _may_compare_items(node))
        if not (len(node.ops) > 1 or asked) or not can_stage(node) or _stays(*node.comparators):
            return node
        middle = node.comparators[:-1]
        if middle and all(isinstance(m, gast.Name | gast.Constant) for m in middle):
            left = [node.left, *middle]
            pairs = [
                gast.Compare(left=a if i == 0 else _again(a), ops=[op], comparators=[b])
                for i, (a, op, b) in enumerate(zip(left, node.ops, node.comparators))
            ]
            return Lazy("and_", pairs[0], [thunk(pair) for pair in pairs[1:]], False)
        signs = tuple(_SYMBOLS[type(op).__name__] for op in node.ops)
        return Chain(node.left, signs, [thunk(value) for value in node.comparators], False)


def _compares_items(node: Node) -> bool:
    """Whether something is compared with a tuple or list that is written out."""
    return isinstance(node.ops[0], _OF_ITEMS) and any(
        isinstance(side, gast.Tuple | gast.List) and side.elts for side in (node.left, *node.comparators)
    )


def _may_compare_items(node: Node) -> bool:
    """Whether what is compared may be tuples or lists, as far as the text tells."""
    sides = (node.left, *node.comparators)
    return isinstance(node.ops[0], _OF_ITEMS) and all(isinstance(side, _HOLDING) for side in sides)


_HOLDING = (gast.Name, gast.Attribute, gast.Subscript, gast.Call, gast.IfExp, gast.List, gast.Tuple)
_OF_ITEMS = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)


def _again(node: Node) -> Node:
    fields = {key: getattr(node, key) for key in node._fields}
    return gast.copy_location(type(node)(**fields), node)


def _once(test: Node) -> Node:
    """A test for an operator to ask: what stays an ``and`` of Python's gives the truth of an operand instead of it."""
    if isinstance(test, gast.BoolOp) and getattr(test, "is_test", False):
        *values, last = test.values
        test.values = [v if _answers(v) else at(call("decided", v), v) for v in values] + [_once(last)]
    return test


def _answers(node: Node) -> bool:
    """Whether an operand, whose own parts are rewritten already, can be asked for its truth again at no cost: it gives
    a bool, or is a comparison, which mostly does."""
    if isinstance(node, Lazy):
        operands = [node.first, *(thunk.body for thunk in node.thunks)]
        return node.operator == "not_" or (node.operator != "if_exp" and all(map(_answers, operands)))
    if isinstance(node, Operation):
        return isinstance(node, Chain)
    if is_operator_call(node):
        return node.func.attr in ("in_", "not_in", "is_", "is_not")
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.Not)
    return isinstance(node, gast.Compare | gast.Constant) or is_builtin(getattr(node, "func", node), *_QUESTIONS)


_QUESTIONS = ("isinstance", "issubclass", "callable")


def _stays(*delayed: Node) -> bool:
    """Whether an operand cannot be delayed in a lambda: it waits, or binds a variable of the function."""
    return any(waits(value) or any(True for _ in walrus_targets(gast.Expr(value=value))) for value in delayed)


_OPERATORS = (gast.IfExp, gast.BoolOp, gast.UnaryOp, gast.Compare)


def run(tree: Node, context: Context) -> Node:
    if not context.holds(*_OPERATORS, *STATEMENTS):  # statements, since the guards of jumps have conditions
        return tree
    return Logic(context).visit(tree)
