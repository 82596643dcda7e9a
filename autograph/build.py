"""The emitted language: the few constructors that passes may emit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

Node = Any  # gast has no type stubs; every node is dynamically typed

# Stands for the operators in trees until the pipeline has chosen a name that the user does not use.
OPERATORS = "<operators>"


def name(identifier: str) -> Node:
    """A variable that is read."""
    return gast.Name(id=identifier, ctx=gast.Load(), annotation=None, type_comment=None)


def stored(identifier: str) -> Node:
    """A variable that is assigned."""
    return gast.Name(id=identifier, ctx=gast.Store(), annotation=None, type_comment=None)


def constant(value: object) -> Node:
    return gast.Constant(value=value, kind=None)


def operator(attribute: str) -> Node:
    """``ag__.attribute``."""
    return gast.Attribute(value=name(OPERATORS), attr=attribute, ctx=gast.Load())


def call(attribute: str, *arguments: Node, keywords: tuple[tuple[str, Node], ...] = ()) -> Node:
    """``ag__.attribute(*arguments)``."""
    named = [gast.keyword(arg=key, value=value) for key, value in keywords]
    return gast.Call(func=operator(attribute), args=list(arguments), keywords=named)


def is_operator_call(node: Node) -> bool:
    """Whether the node is a call that this compiler emitted."""
    return isinstance(node, gast.Call) and _is_operator(node.func)


def _is_operator(node: Node) -> bool:
    return isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) and node.value.id == OPERATORS


def names_tuple(names: tuple[str | None, ...]) -> Node:
    """``('x', 'y')``."""
    return gast.Tuple(elts=[constant(n) for n in names], ctx=gast.Load())


def no_arguments() -> Node:
    return gast.arguments(args=[], posonlyargs=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])


def thunk(body: Node, parameters: Sequence[str] = ()) -> Node:
    """``lambda: body``, of the compiler's own."""
    made = gast.Lambda(args=no_arguments(), body=body)
    made.args.args = [gast.Name(id=p, ctx=gast.Param(), annotation=None, type_comment=None) for p in parameters]
    made.is_made = True
    return made


def assign(target: str, value: Node) -> Node:
    """``target = value``."""
    return gast.Assign(targets=[stored(target)], value=value, type_comment=None)


def assign_to(target: Node, value: Node) -> Node:
    return gast.Assign(targets=[target], value=value, type_comment=None)


def declare(identifier: str) -> Node:
    """``identifier: ag__.Undefined``, which makes a local variable and binds nothing."""
    return gast.AnnAssign(target=stored(identifier), annotation=operator("Undefined"), value=None, simple=1)


def function(identifier: str, parameters: tuple[str, ...], body: list[Node]) -> Node:
    """``def identifier(*parameters): body``, of the compiler's own."""
    arguments = no_arguments()
    arguments.args = [gast.Name(id=p, ctx=gast.Param(), annotation=None, type_comment=None) for p in parameters]
    made = gast.FunctionDef(
        name=identifier,
        args=arguments,
        body=body or [gast.Pass()],
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
    made.is_made = True
    return made


def branch(test: Node, body: list[Node], orelse: list[Node] | None = None) -> Node:
    """``if test: body else: orelse``."""
    return gast.If(test=test, body=body or [gast.Pass()], orelse=orelse or [])


def negation(test: Node) -> Node:
    """``not test``, where only the truth counts: ``test`` for ``not test``, ``not in`` for ``in``."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
        return gast.Compare(left=test.left, ops=[_OPPOSITES[type(test.ops[0])]()], comparators=test.comparators)
    if is_operator_call(test) and test.func.attr in _OPPOSITE_OPERATORS:
        return call(_OPPOSITE_OPERATORS[test.func.attr], *test.args)
    return gast.UnaryOp(op=gast.Not(), operand=test)


_OPPOSITES = {gast.In: gast.NotIn, gast.NotIn: gast.In, gast.Is: gast.IsNot, gast.IsNot: gast.Is}
_OPPOSITE_OPERATORS = {"in_": "not_in", "not_in": "in_", "is_": "is_not", "is_not": "is_"}


def any_of(names: list[str]) -> Node:
    """``a or b or c``."""
    values = [name(n) for n in names]
    return values[0] if len(values) == 1 else gast.BoolOp(op=gast.Or(), values=values)


def test_of(op: Node, values: list[Node]) -> Node:
    """``a and b``, or ``or``, of which only the truth counts."""
    if len(values) == 1:
        return values[0]
    made = gast.BoolOp(op=op, values=values)
    made.is_test = True
    return made


def on_top(body: list[Node], statements: list[Node]) -> list[Node]:
    """The body with statements put first, behind its docstring, at the place of what they come before."""
    if not statements:
        return body
    first = body[0]
    documented = isinstance(first, gast.Expr) and isinstance(getattr(first.value, "value", None), str)
    start = 1 if documented and isinstance(first.value, gast.Constant) else 0
    place = body[start] if len(body) > start else first
    return [*body[:start], *(at(statement, place) for statement in statements), *body[start:]]


def at(node: Node, origin: Node) -> Node:
    """Give `node`, and whatever below it has no place yet, the place of `origin` in the user's file."""
    if getattr(origin, "lineno", None) is None:
        return node
    place = _header(origin) if isinstance(getattr(origin, "body", None), list) else _span(origin)
    waiting = [node]
    while waiting:
        child = waiting.pop()
        if isinstance(child, _PLACED):
            if getattr(child, "lineno", None) is not None:
                continue  # and so has everything below it
            child.lineno, child.col_offset, child.end_lineno, child.end_col_offset = place
            if _is_operator(child):  # a call of an attribute is reported at the line where that ends
                child.end_lineno, child.end_col_offset = child.lineno, child.col_offset + 1
        for value in child.__dict__.values():
            if isinstance(value, gast.AST):
                waiting.append(value)
            elif value.__class__ is list:
                waiting += [v for v in value if isinstance(v, gast.AST)]
    return node


def _span(node: Node) -> tuple[int, int, int, int]:
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def _header(node: Node) -> tuple[int, int, int, int]:
    """The first line of a compound statement: a place over several lines would make Python report its last."""
    test: Node = getattr(node, "test", getattr(node, "iter", None))
    end = test.end_col_offset if test is not None and test.end_lineno == node.lineno else node.col_offset + 1
    return (node.lineno, node.col_offset, node.lineno, end)


_PLACED = (gast.expr, gast.stmt, gast.keyword, gast.alias, gast.ExceptHandler, gast.Name)


def unannotated(node: Node, names: set[str]) -> Node:
    """An annotated name cannot be nonlocal; the annotation of a local variable has no effect anyway."""

    class Drop(gast.NodeTransformer):
        def visit_FunctionDef(self, node: Node) -> Node:
            return node

        visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef

        def visit_AnnAssign(self, node: Node) -> Node:
            if not isinstance(node.target, gast.Name) or node.target.id not in names:
                return node
            return gast.copy_location(assign_to(node.target, node.value) if node.value else gast.Pass(), node)

    return Drop().visit(node)
