"""Converted trees as the standard library has them, and the constructs in them written out as calls of operators."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

import gast

from autograph.build import OPERATORS, Node
from autograph.constructs import KINDS, Acting, Branches, Construct, Operation
from autograph.loading.nodes import placed, remade
from autograph.translating import ToAst

T = TypeVar("T", bound=ast.AST)


# A constant of loaded code that stands for the operators, which no source text can spell, until it is compiled.
LOADED = "<autograph operators>"


class _Translator(ToAst):
    """From gast's nodes to the standard library's; constructs stay constructs, and the operators get their name."""

    def __init__(self, operators: Callable[[], ast.expr]) -> None:
        self.operators = operators

    def visit_Name(self, node: Node) -> Node:
        return ast.copy_location(self.operators(), node) if node.id == OPERATORS else super().visit_Name(node)

    def construct(self, node: Node) -> Node:
        return self.copied(node, type(node))


for _kind in KINDS:
    setattr(_Translator, f"visit_{_kind.__name__}", _Translator.construct)


def loaded_operators() -> ast.expr:
    """What loaded code calls the operators."""
    return ast.Constant(value=LOADED)


def translated(tree: Node, operators: Callable[[], ast.expr] = loaded_operators) -> Node:
    """The statement as the standard library has it, to be loaded."""
    module = _Translator(operators).visit(gast.Module(body=[tree], type_ignores=[]))
    return ast.fix_missing_locations(module).body[0]


def written(tree: Node, name: str) -> ast.stmt:
    """The statement as the standard library has it, to be printed; the operators have this name."""

    def operators() -> ast.expr:
        return ast.Name(id=name, ctx=ast.Load())

    return Writer(operators, printed=True).whole(translated(tree, operators))


class Writer:
    """Writes constructs out, for what is loaded or `printed`. Nodes may be shared, and then what is written for them
    is."""

    def __init__(self, operators: Callable[[], ast.expr] = loaded_operators, printed: bool = False) -> None:
        self.operators, self.printed = operators, printed
        self.known: dict[int, tuple[ast.AST, ast.AST]] = {}

    def whole(self, node: T) -> T:
        """The node with everything in it written out."""
        if isinstance(node, ast.Constant | ast.Name):
            return node
        if id(node) not in self.known:
            made = remade(node, self.whole, self.block)
            self.known[id(node)] = (node, self.call(made) if isinstance(made, Operation) else made)
        return self.known[id(node)][1]  # type: ignore[return-value]

    def part(self, part: object) -> object:
        """What a node has in one of its fields, written out."""
        if isinstance(part, ast.AST):
            return self.whole(part)
        if not isinstance(part, list):
            return part
        if any(isinstance(p, ast.stmt) for p in part):
            return self.block(part)
        return [self.whole(p) if isinstance(p, ast.AST) else p for p in part]

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The statements with everything in them written out."""
        done: list[ast.stmt] = []
        for statement in statements:
            if isinstance(statement, Construct):
                done += map(self.whole, statement.functions)
                statement = self.calling(statement)
            done.append(self.whole(statement))
        return done

    def calling(self, construct: Construct) -> ast.stmt:
        """The statement that calls the functions of a construct, which stand before it."""
        kind = ast.Return if isinstance(construct, Branches) and construct.returned else ast.Expr
        return placed(kind(value=self.call(construct)), construct)

    def call(self, node: Operation | Construct) -> ast.Call:
        """The call of an operator alone, with the parts as they are."""
        if self.printed and isinstance(node, Acting):
            return placed(ast.Call(func=node.func, args=node.args, keywords=node.keywords), node)
        operator, arguments, keywords = node.arguments()
        function = placed(ast.Attribute(value=self.operators(), attr=operator, ctx=ast.Load()), node)
        # A call of an attribute is reported at the line where that ends.
        function.end_lineno, function.end_col_offset = function.lineno, function.col_offset + 1
        return placed(ast.Call(func=function, args=arguments, keywords=keywords), node)
