"""Trees of the standard library's nodes as gast has them, and back.

gast's translators know which nodes differ. What most nodes need is a copy of all that they hold: that is done here in
one step, as every function that is converted goes both ways.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any, TypeVar

import gast
from gast.ast3 import Ast3ToGAst, GAstToAst3

N = TypeVar("N", bound=ast.AST)
_Visit = Callable[["_Translator", ast.AST], ast.AST]


class _Translator:
    """Nodes of one library as nodes of the other, of the same names."""

    kinds: types.ModuleType
    _visits: dict[type, _Visit]

    def __init_subclass__(cls) -> None:
        cls._visits = {}

    def visit(self, node: ast.AST) -> Any:
        """The node as the other library has it."""
        kind = type(node)
        visit = self._visits.get(kind)
        if visit is None:
            visit = self._visits[kind] = self._way(kind)
        return visit(self, node)

    def _way(self, kind: type) -> _Visit:
        """How nodes of a type are translated."""
        name = f"visit_{kind.__name__}"
        own: _Visit | None = getattr(type(self), name, None)
        if own is not None and own is not getattr(ast.NodeVisitor, name, None):
            return own
        made: type[ast.AST] = getattr(self.kinds, kind.__name__)
        if not issubclass(kind, ast.expr_context | ast.operator | ast.unaryop | ast.cmpop | ast.boolop):
            return lambda self, node: self.copied(node, made)
        sign = made()  # signs hold nothing, and Python's own trees share them
        return lambda self, node: sign

    def copied(self, node: ast.AST, kind: type[N]) -> N:
        """A node of another type that holds what this one does, translated, and stands where it does."""
        made = kind.__new__(kind)
        own = made.__dict__
        for name, value in node.__dict__.items():
            own[name] = value if value.__class__ in _ATOMS else self._visit(value)
        return made

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """What gast's translators ask for where a node is as all others are, for once."""
        return self.copied(node, getattr(self.kinds, type(node).__name__))

    def _visit(self, part: object) -> object:
        if part.__class__ is list:
            return [self._visit(p) for p in part]
        return self.visit(part) if isinstance(part, ast.AST) else part


_ATOMS = frozenset((int, str, type(None), bool, float))


class _ToGast(_Translator, Ast3ToGAst):  # type: ignore[misc]
    kinds = gast

    def visit_Name(self, node: ast.Name) -> ast.AST:
        made = self.copied(node, gast.Name)
        made.annotation = made.type_comment = None
        return made


class ToAst(_Translator, GAstToAst3):  # type: ignore[misc]
    """From gast's nodes to the standard library's."""

    kinds = ast


def to_gast(node: ast.AST) -> Any:
    """A tree of the standard library's as gast has it."""
    return _ToGast().visit(node)


def to_ast(node: ast.AST) -> Any:
    """A tree of gast's as the standard library has it."""
    return ToAst().visit(node)
