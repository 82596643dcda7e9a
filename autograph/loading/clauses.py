"""Loaded code asks, where a clause has caught an exception, whether it was the program's to catch."""

from __future__ import annotations

import ast
from typing import TypeVar

from autograph.constructs import Construct, Loop
from autograph.except_clauses import jump_in
from autograph.loading.nodes import changed, placed, remade
from autograph.loading.written import loaded_operators
from autograph.walk import children

T = TypeVar("T", bound=ast.AST)
_DEEPEST = 18  # blocks that may nest in one function; Python has room for two more, which a clause may need


def asked_in_clauses(tree: T) -> T:
    """The tree with a call of the operator `caught` first in each ``except`` and each ``finally`` that jumps, and where
    a ``with`` would hear of an exception."""
    return _asked(tree, _without_room(tree))


def _asked(tree: T, without_room: set[int]) -> T:
    made = remade(tree, lambda part: _asked(part, without_room))
    if isinstance(made, ast.Try):
        handlers = [changed(h, body=[_question(h.body[0]), *h.body]) for h in made.handlers]
        last = made.finalbody
        if jump_in(last) is not None:
            last = [_question(last[0]), *last]
        return changed(made, handlers=handlers, finalbody=last)  # type: ignore[return-value]
    if isinstance(made, ast.With) and id(tree) in without_room:
        *others, item = made.items
        asks = ast.Call(func=_operator("asking"), args=[item.context_expr], keywords=[])
        items = [*others, changed(item, context_expr=placed(asks, item.context_expr))]
        return changed(made, items=items)  # type: ignore[return-value]
    if isinstance(made, ast.With):
        again = [_question(made), ast.Raise(exc=None, cause=None)]
        handler = ast.ExceptHandler(type=_operator("Error"), name=None, body=again)
        tried = ast.Try(body=made.body, handlers=[handler], orelse=[], finalbody=[])
        return changed(made, body=[_in_line(tried, made)])  # type: ignore[return-value]
    return made


def _without_room(tree: ast.AST) -> set[int]:
    """The identities of ``with`` statements in which blocks nest so deep that there cannot be one more for each."""
    found: set[int] = set()
    waiting: list[tuple[ast.AST, int, tuple[int, ...]]] = [(tree, 0, ())]
    while waiting:
        node, depth, around = waiting.pop()
        inside = children(node)
        if isinstance(node, _SCOPES):
            depth, around = 0, ()
        elif isinstance(node, Construct):  # its functions run in place
            inside = [statement for function in node.functions for statement in function.body]
        if isinstance(node, ast.With):
            depth, around = depth + len(node.items) + 1, (*around, id(node))
        elif isinstance(node, ast.AsyncWith):
            depth += len(node.items)
        else:
            depth += _BLOCKS.get(type(node), isinstance(node, Loop))
        if depth > _DEEPEST:
            found.update(around)
        statements = (part for part in inside if isinstance(part, ast.stmt | ast.excepthandler | ast.match_case))
        waiting += [(part, depth, around) for part in statements]
    return found


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS = {ast.Try: 2, ast.TryStar: 2, ast.ExceptHandler: 1, ast.For: 1, ast.AsyncFor: 2, ast.While: 1}


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
