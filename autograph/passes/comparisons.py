"""``in`` and ``is`` become calls where they may have to be answered by the graph."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph.analysis.symbols import FUNCTIONS, bound, parameters
from autograph.build import Node, call
from autograph.context import Context
from autograph.eligibility import asks_for_class, can_stage, keeps_call
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
        know what `y` is: where a staged statement, or a function that was called, may have left None in it. So does
        ``y is True``, of which the graph may know the truth."""
        operator = _OPERATORS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        if operator is None:
            return node
        left, right = node.left, node.comparators[0]
        if operator in ("in_", "not_in"):
            key = isinstance(left, gast.Constant) and isinstance(left.value, str)  # as mostly, but of what a call makes
            made = isinstance(right, gast.Call | gast.JoinedStr | gast.ListComp | gast.GeneratorExp)
            asked = (not key or made) and (can_stage(left) or can_stage(right) or asks_for_class(left))
        else:
            asked = id(node) not in self.known and (
                self._may_be_optional(left) or self._may_be_optional(right) or _tells_truth(left, right)
            )
        return call(operator, left, right) if asked else node

    def _may_be_optional(self, node: Node) -> bool:
        if isinstance(node, gast.Call):
            return not _is_sure(node, self.context)
        if isinstance(node, gast.Attribute | gast.Subscript | gast.Await):
            return True  # whatever holds it may be changed anywhere
        if isinstance(node, gast.BinOp | gast.UnaryOp | gast.Compare):
            return True  # an operator may be a function of the user's
        if isinstance(node, gast.NamedExpr):
            return self._may_be_optional(node.value)
        if isinstance(node, gast.IfExp | gast.BoolOp):
            return any(
                map(self._may_be_optional, node.values if isinstance(node, gast.BoolOp) else (node.body, node.orelse))
            )
        return (path := _path(node)) is not None and path in self.optional


def _tells_truth(left: Node, right: Node) -> bool:
    """Whether something that may be staged is compared with True or False."""
    truths = [isinstance(n, gast.Constant) and isinstance(n.value, bool) for n in (left, right)]
    return any(truths) and all(truth or can_stage(n) for truth, n in zip(truths, (left, right)))


def _path(node: Node) -> str | None:
    """A variable or attribute by its text: ``x``, ``self.best``."""
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Attribute) and (holder := _path(node.value)) is not None:
        return f"{holder}.{node.attr}"
    return None


# What has these values is not what a staged statement, or a function (which an operator may be), may have left None.
_SURE = (
    gast.Constant, gast.JoinedStr, gast.List, gast.Tuple, gast.Set, gast.Dict,
    gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Lambda,
)  # fmt: skip


_OF_THEIR_OWN = (
    "numpy",
    "math",
    "cmath",
)  # modules whose functions give what they make, and nothing that they are given


def _is_sure(call: Node, context: Context) -> bool:
    """Whether a call gives something of Python's or NumPy's own, and not what somebody else has left None."""
    if isinstance(call.func, FUNCTIONS) or keeps_call(call, context) is None:
        return False
    root = call.func
    while isinstance(root, gast.Attribute):
        root = root.value
    module = context.modules.get(root.id) if isinstance(root, gast.Name) and root.id not in context.shadowed else None
    return module.partition(".")[0] in _OF_THEIR_OWN if module is not None else getattr(root, "id", "") != "eval"


def _optional(tree: Node, context: Context) -> tuple[set[str], set[int]]:
    """Variables of which only the graph may know whether they are None, and the comparisons that are about them all the
    same known while tracing: those by which a default stands in for None.

    That are parameters, what belongs to a function around this one or to the module, and what is assigned None and
    something else, or something that may be either.
    """
    nothing: set[str] = set()
    something: set[str] = set()
    unsure: set[str] = set()
    given: set[str] = set()
    local: set[str] = set()
    asked: set[str] = set()
    defaults: dict[int, str] = {}
    for node in every_node(tree):
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda):
            given.update(p.id for p in parameters(node))
            local.update(bound(node if isinstance(node, gast.Lambda) else node.body))
        elif isinstance(node, gast.ClassDef):
            local.update(bound(node.body))
        elif isinstance(node, gast.Compare) and (path := _asked(node)) is not None and "." not in path:
            asked.add(path)
        elif isinstance(node, gast.If) and (path := _tested(node)) is not None and _gives_default(node, path):
            if "." not in path:
                defaults[id(node.test)] = path
    for path, value, is_default in _assignments(tree):
        if isinstance(value, gast.Constant) and value.value is None:
            nothing.add(path)
            continue
        something.add(path)
        sure = isinstance(value, _SURE) or (isinstance(value, gast.Call) and _is_sure(value, context))
        if not is_default and not sure:
            unsure.add(path)
    own = unsure | (nothing & something)
    others = asked - local - given
    known = {number for number, path in defaults.items() if path not in own and not context.thorough}
    return own | given | others, known


def _asked(node: Node) -> str | None:
    """What a comparison compares with None."""
    right = node.comparators[0]
    return _identified(node) if isinstance(right, gast.Constant) and right.value is None else None


def _identified(test: Node) -> str | None:
    """What ``is`` or ``is not`` asks about, if that is the whole test."""
    if isinstance(test, gast.Compare) and isinstance(test.ops[0], gast.Is | gast.IsNot) and len(test.ops) == 1:
        return _path(test.left)
    return None


def _gives_default(node: Node, path: str) -> bool:
    """``if x is None: x = 0``, or an exception instead."""
    if node.orelse or not isinstance(node.test.ops[0], gast.Is):
        return False
    return all(
        isinstance(s, gast.Raise) or (isinstance(s, gast.Assign) and [_path(t) for t in s.targets] == [path])
        for s in node.body
    )


def _assignments(tree: Node) -> Iterator[tuple[str, Node | None, bool]]:
    """What is assigned: the path, the value if the text shows it, and whether only in place of None."""
    waiting: list[tuple[Node, str | None]] = [(tree, None)]
    while waiting:
        node, tested = waiting.pop()
        targets = node.targets if isinstance(node, gast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, gast.Assign | gast.AnnAssign | gast.NamedExpr) and node.value is not None:
            for target in targets:
                yield from ((path, value, path == tested) for path, value in _pairs(target, node.value))
        elif isinstance(node, gast.For | gast.AsyncFor | gast.comprehension | gast.withitem):
            target = node.optional_vars if isinstance(node, gast.withitem) else node.target
            if target is not None:
                yield from ((path, None, False) for path, _ in _pairs(target, None))
        elif isinstance(node, gast.MatchAs | gast.MatchStar) and node.name is not None:
            yield node.name, None, False
        elif isinstance(node, gast.MatchMapping) and node.rest is not None:
            yield node.rest, None, False
        path = _tested(node) if isinstance(node, gast.If) else None
        if path is None:
            waiting += [(child, tested) for child in children(node)]
            continue
        where_none = node.body if isinstance(node.test.ops[0], gast.Is) else node.orelse
        waiting += [(child, path if child in where_none else tested) for child in (*node.body, *node.orelse, node.test)]


def _pairs(target: Node, value: Node | None) -> Iterator[tuple[str, Node | None]]:
    """The variables of a target, and what the text gives them."""
    if not isinstance(target, gast.Tuple | gast.List):
        if isinstance(target, gast.Starred):
            target, value = target.value, None
        if (path := _path(target)) is not None:
            yield path, value
        return
    parts: list[Node | None] = [None] * len(target.elts)
    if isinstance(value, gast.Tuple | gast.List) and len(value.elts) == len(parts):
        if not any(isinstance(part, gast.Starred) for part in (*target.elts, *value.elts)):
            parts = list(value.elts)
    for inner, part in zip(target.elts, parts):
        yield from _pairs(inner, part)


def _tested(node: Node) -> str | None:
    """What an ``if`` compares with None."""
    return _asked(node.test) if isinstance(node.test, gast.Compare) else None


def run(tree: Node, context: Context) -> Node:
    if not context.holds(gast.Compare):
        return tree
    return Comparisons(context, *_optional(tree, context)).visit(tree)
