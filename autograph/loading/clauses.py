"""Loaded code asks, where a clause has caught an exception, whether it was the program's to catch."""

from __future__ import annotations

import ast
from typing import TypeVar

from autograph.except_clauses import jump_in
from autograph.loading.nodes import changed, placed, remade
from autograph.loading.written import loaded_operators

T = TypeVar("T", bound=ast.AST)


def asked_in_clauses(tree: T) -> T:
    """The tree with a call of the operator `caught` first in each ``except`` and each ``finally`` that jumps, and where
    a ``with`` would hear of an exception."""
    made = remade(tree, asked_in_clauses)
    if isinstance(made, ast.Try):
        handlers = [changed(h, body=[_question(h.body[0]), *h.body]) for h in made.handlers]
        last = made.finalbody
        if jump_in(last) is not None:
            last = [_question(last[0]), *last]
        return changed(made, handlers=handlers, finalbody=last)  # type: ignore[return-value]
    if isinstance(made, ast.With):
        again = [_question(made), ast.Raise(exc=None, cause=None)]
        handler = ast.ExceptHandler(type=_operator("Error"), name=None, body=again)
        tried = ast.Try(body=made.body, handlers=[handler], orelse=[], finalbody=[])
        return changed(made, body=[_in_line(tried, made)])  # type: ignore[return-value]
    return made


def _question(beside: ast.stmt) -> ast.stmt:
    return _in_line(ast.Expr(value=ast.Call(func=_operator("caught"), args=[], keywords=[])), beside)


def _operator(name: str) -> ast.expr:
    return ast.Attribute(value=loaded_operators(), attr=name, ctx=ast.Load())


def _in_line(node: T, beside: ast.stmt) -> T:
    """The node where a statement begins: who steps through lines does not see it."""
    start = ast.Pass(
        lineno=beside.lineno, end_lineno=beside.lineno, col_offset=beside.col_offset,
        end_col_offset=beside.col_offset + 1,
    )  # fmt: skip
    return placed(node, start)
