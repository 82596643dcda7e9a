"""``in`` and ``is`` become calls where they may have to be answered by the graph."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph.analysis.symbols import parameters
from autograph.build import Node, call
from autograph.context import Context
from autograph.eligibility import can_stage, keeps_call
from autograph.passes.rewriting import Rewriter
from autograph.walk import children, every_node

_OPERATORS = {gast.In: "in_", gast.NotIn: "not_in", gast.Is: "is_", gast.IsNot: "is_not"}


class Comparisons(Rewriter):
    in_classes = True
    makes_functions = False

    def __init__(self, context: Context, optional: set[str], known: set[int]) -> None:
        super().__init__(context)
        self.optional = optional
        self.known = known  # the identities of comparisons that are decided while tracing

    def rewrite_Compare(self, node: Node) -> Node:
        """``x in xs`` becomes ``ag__.in_(x, xs)``; ``y is None`` becomes ``ag__.is_(y, None)`` if only the graph may
        know what `y` is: where a staged statement, or a function that was called, may have left None in it."""
        operator = _OPERATORS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        if operator is None:
            return node
        left, right = node.left, node.comparators[0]
        if operator in ("in_", "not_in"):
            text = isinstance(left, gast.Constant) and isinstance(left.value, str)
            asked = not text and (can_stage(left) or can_stage(right))
        else:
            asked = id(node) not in self.known and (self._may_be_optional(left) or self._may_be_optional(right))
        return call(operator, left, right) if asked else node

    def _may_be_optional(self, node: Node) -> bool:
        if isinstance(node, gast.Call):
            return not keeps_call(node, self.context)
        if isinstance(node, gast.Attribute | gast.Subscript):
            return True  # whatever holds it may be changed anywhere
        return (path := _path(node)) is not None and path in self.optional


def _path(node: Node) -> str | None:
    """A variable or attribute by its text: ``x``, ``self.best``."""
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Attribute) and (holder := _path(node.value)) is not None:
        return f"{holder}.{node.attr}"
    return None


def _optional(tree: Node, context: Context) -> tuple[set[str], set[int]]:
    """Variables of which only the graph may know whether they are None, and the comparisons that are about them all the
    same known while tracing: those by which a default stands in for None.

    That are parameters, and what is assigned None and something else, or something that may be either.
    """
    nothing: set[str] = set()
    something: set[str] = set()
    unsure: set[str] = set()
    given: set[str] = set()
    defaults: dict[int, str] = {}
    for node in every_node(tree):
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda):
            given.update(p.id for p in parameters(node))
        elif isinstance(node, gast.If) and (path := _tested(node)) is not None and _gives_default(node, path):
            if "." not in path:
                defaults[id(node.test)] = path
    for path, value, is_default in _assignments(tree):
        if isinstance(value, gast.Constant) and value.value is None:
            nothing.add(path)
            continue
        something.add(path)
        called = isinstance(value, gast.Call) and not keeps_call(value, context)
        if not is_default and (called or isinstance(value, gast.IfExp | gast.BoolOp | gast.Name)):
            unsure.add(path)
    own = unsure | (nothing & something)
    return own | given, {number for number, path in defaults.items() if path not in own}


def _gives_default(node: Node, path: str) -> bool:
    """``if x is None: x = 0``, or an exception instead."""
    if node.orelse or not isinstance(node.test.ops[0], gast.Is):
        return False
    return all(
        isinstance(s, gast.Raise) or (isinstance(s, gast.Assign) and [_path(t) for t in s.targets] == [path])
        for s in node.body
    )


def _assignments(tree: Node) -> Iterator[tuple[str, Node, bool]]:
    """What is assigned: the path, the value, and whether only in place of None."""
    waiting: list[tuple[Node, str | None]] = [(tree, None)]
    while waiting:
        node, tested = waiting.pop()
        targets = node.targets if isinstance(node, gast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, gast.Assign | gast.AnnAssign | gast.NamedExpr) and node.value is not None:
            for target in targets:
                for part in target.elts if isinstance(target, gast.Tuple | gast.List) else [target]:
                    path = _path(part)
                    if path is not None:
                        yield path, node.value, path == tested
        inner = _tested(node) if isinstance(node, gast.If) else tested
        waiting += [(child, inner) for child in children(node)]


def _tested(node: Node) -> str | None:
    """What an ``if`` compares with None."""
    test = node.test
    if isinstance(test, gast.Compare) and isinstance(test.ops[0], gast.Is | gast.IsNot) and len(test.ops) == 1:
        return _path(test.left)
    return None


def run(tree: Node, context: Context) -> Node:
    if not context.holds(gast.Compare):
        return tree
    return Comparisons(context, *_optional(tree, context)).visit(tree)
