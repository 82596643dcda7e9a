"""What expression passes share: a table of rewrites by node type, applied from the leaves up within functions."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import bound, parameters, reads
from autograph.build import Node, at
from autograph.context import Context
from autograph.eligibility import whole_function
from autograph.walk import every_node


class Rewriter:
    """Applies ``rewrite_X(node)`` of a subclass to every node X inside functions.

    Decorators, parameter defaults and evaluated annotations belong to the function around. Left alone are fenced
    functions; what Python evaluates where a type parameter is known, or a type alias is asked for its value, as it lets
    nothing be assigned there; and directly in a class body statements, and expressions with names of the class, which
    are not visible to the functions that a rewrite would make.
    """

    in_classes = False  # whether the expressions directly in a class body are rewritten
    makes_functions = True

    def __init__(self, context: Context) -> None:
        self.context = context
        self.depth = 0
        self.hidden: set[str] | None = None  # directly in a class: the names that it binds

    def visit(self, node: Node) -> Node:
        kind = type(node)
        special = _SPECIAL.get(kind)
        if special is not None:
            return getattr(self, special)(node)
        if kind is gast.Name or kind is gast.Constant:
            return node
        for name in kind._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                value[:] = [self.visit(v) if isinstance(v, gast.AST) else v for v in value]
            elif isinstance(value, gast.AST) and value._fields:
                setattr(node, name, self.visit(value))
        if not self.depth or (self.hidden is not None and not self._sees_all(node)):
            return node
        rewrite = getattr(self, f"rewrite_{kind.__name__}", None)
        return node if rewrite is None else at(rewrite(node), node)

    def _as_it_is(self, node: Node) -> Node:
        return node

    def _formatted(self, node: Node) -> Node:
        node.value = self.visit(node.value)
        if node.format_spec is not None:  # itself a part of the text, whatever values it holds
            node.format_spec.values = [self.visit(value) for value in node.format_spec.values]
        return node

    def _sees_all(self, node: Node) -> bool:
        """Whether an expression directly in a class body may move into a function."""
        if not self.in_classes or isinstance(node, gast.stmt):
            return False
        return not self.makes_functions or self.hidden is None or self.hidden.isdisjoint(reads(node))

    def _annotated(self, node: Node) -> Node:
        if self.hidden is not None and self.context.annotations:
            node.annotation = self._annotation(node.annotation)
        if node.value is not None:
            node.value = self.visit(node.value)
        node.target = self.visit(node.target)
        return node

    def _lambda(self, node: Node) -> Node:
        self._around(node)
        hidden, self.hidden = self.hidden, None
        self.depth += 1
        node.body = self.visit(node.body)
        self.depth -= 1
        self.hidden = hidden
        return node

    def _function(self, node: Node) -> Node:
        if whole_function(node) is not None:
            return node
        self._around(node)
        hidden, self.hidden = self.hidden, None
        self.depth += 1
        node.body = [self.visit(statement) for statement in node.body]
        self.depth -= 1
        self.hidden = hidden
        return node

    def _around(self, node: Node) -> None:
        """What a nested function evaluates in the function around it."""
        if not self.depth:
            return
        arguments = node.args
        arguments.defaults = [self.visit(default) for default in arguments.defaults]
        arguments.kw_defaults = [d if d is None else self.visit(d) for d in arguments.kw_defaults]
        if isinstance(node, gast.Lambda):
            return
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        if node.type_params or not self.context.annotations:
            return
        for parameter in parameters(node):
            if parameter.annotation is not None:
                parameter.annotation = self._annotation(parameter.annotation)
        if node.returns is not None:
            node.returns = self._annotation(node.returns)

    def _annotation(self, node: Node) -> Node:
        """An annotation: of a type as people write it nothing can be staged."""
        return node if all(type(n) in _OF_TYPES for n in every_node(node)) else self.visit(node)

    def _class(self, node: Node) -> Node:
        if self.depth:
            for part in ("decorator_list",) if node.type_params else ("decorator_list", "bases", "keywords"):
                setattr(node, part, [self.visit(p) for p in getattr(node, part)])
        hidden, self.hidden = self.hidden, set(bound(node.body))
        node.body = [self.visit(statement) for statement in node.body]
        self.hidden = hidden
        return node


_OF_TYPES = frozenset(
    (
        gast.Name,
        gast.Attribute,
        gast.Constant,
        gast.Subscript,
        gast.Slice,
        gast.Tuple,
        gast.List,
        gast.BinOp,
        gast.Starred,
    )
)
_SPECIAL = {
    gast.FunctionDef: "_function",
    gast.AsyncFunctionDef: "_function",
    gast.ClassDef: "_class",
    gast.AnnAssign: "_annotated",
    gast.FormattedValue: "_formatted",
    gast.Lambda: "_lambda",
    gast.MatchValue: "_as_it_is",  # patterns are not expressions
    gast.MatchClass: "_as_it_is",
    gast.MatchMapping: "_as_it_is",
    gast.TypeAlias: "_as_it_is",
}


class Assignments(Rewriter):
    """Has a subclass say what is assigned to each target, in the place of the value that the program assigns."""

    def made(self, target: Node, value: Node) -> Node:
        raise NotImplementedError

    def rewrite_Assign(self, node: Node) -> Node:
        for target in node.targets:
            node.value = self._assigned(target, node.value)
        return node

    def rewrite_NamedExpr(self, node: Node) -> Node:
        node.value = self._assigned(node.target, node.value)
        return node

    def _annotated(self, node: Node) -> Node:
        node = super()._annotated(node)
        if self.depth and node.value is not None:
            node.value = self._assigned(node.target, node.value)
        return node

    def _assigned(self, target: Node, value: Node) -> Node:
        """A value, as it is assigned; of ``a, b = x, y``, part by part."""
        if pairs := parts(target, value):
            value.elts = [self._assigned(*pair) for pair in pairs]
            return value
        return self.made(target, value)


def parts(target: Node, value: Node) -> list[tuple[Node, Node]]:
    """The targets of ``a, b = x, y`` and the value that each is assigned; nothing if they do not pair."""
    if not isinstance(target, gast.Tuple | gast.List) or not isinstance(value, gast.Tuple | gast.List):
        return []
    if len(target.elts) != len(value.elts) or any(isinstance(e, gast.Starred) for e in [*target.elts, *value.elts]):
        return []
    return list(zip(target.elts, value.elts))
