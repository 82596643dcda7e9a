"""How tightly the parts of an expression bind, as Python has it: where one needs parentheses inside another."""

from __future__ import annotations

import ast
import functools
import re

ANYTHING, _OR, _AND, _NOT, COMPARISON, UNARY, _POWER, ATOM = -3, -2, -1, 0, 1, 8, 9, 10
_LEVELS: dict[type, int] = {
    ast.IfExp: ANYTHING, ast.Lambda: ANYTHING, ast.Or: _OR, ast.And: _AND, ast.Not: _NOT, ast.Compare: COMPARISON,
    ast.BitOr: 2, ast.BitXor: 3, ast.BitAnd: 4, ast.LShift: 5, ast.RShift: 5, ast.Add: 6, ast.Sub: 6, ast.Mult: 7,
    ast.Div: 7, ast.FloorDiv: 7, ast.Mod: 7, ast.MatMult: 7, ast.UnaryOp: UNARY, ast.Pow: _POWER,
}  # fmt: skip


def _level_of(tree: ast.expr) -> int:
    if isinstance(tree, ast.BinOp | ast.BoolOp) or isinstance(getattr(tree, "op", None), ast.Not):
        return _LEVELS[type(tree.op)]  # type: ignore[attr-defined]
    return _LEVELS.get(type(tree), ATOM)


@functools.lru_cache(maxsize=4096)
def level(form: str) -> int:
    """How tightly the operator of an expression binds; calls and items bind tightest."""
    return _level_of(ast.parse(form, mode="eval").body)


@functools.lru_cache(maxsize=4096)
def needed(form: str, index: int) -> int:
    """How tightly an input must bind to stand in an expression without parentheses."""
    trees = list(ast.walk(ast.parse(form, mode="eval").body))
    return max([_beside(tree, part) for tree in trees for part in _named(tree, f"input{index}")], default=ANYTHING)


@functools.cache
def numbered(text: str, count: int) -> str:
    """The text of a row with names for its inputs and attributes."""
    inputs = ", ".join(f"input{i}" for i in range(count))
    text = text.replace("{*}", inputs) if count else text.replace(", {*}", "").replace("{*}, ", "").replace("{*}", "")
    return re.sub(r"{([a-z_]+)}", r"\1", re.sub(r"{(\d+)}", r"input\1", text))


def _named(tree: ast.AST, name: str) -> list[ast.AST]:
    return [part for part in ast.iter_child_nodes(tree) if isinstance(part, ast.Name) and part.id == name]


def _beside(tree: ast.AST, part: ast.AST) -> int:
    """How tightly a part of an expression must bind."""
    if isinstance(tree, ast.Attribute | ast.Subscript | ast.Call) and part is next(ast.iter_child_nodes(tree)):
        return ATOM
    if not isinstance(tree, ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.Compare | ast.IfExp | ast.Starred):
        return ANYTHING  # between brackets or commas
    if isinstance(tree, ast.BinOp) and not isinstance(tree.op, ast.Pow):
        associates = part is tree.left
    else:
        associates = isinstance(tree, ast.UnaryOp) or (isinstance(tree, ast.BoolOp) and part is tree.values[0])
    return _level_of(tree) + (not associates)  # type: ignore[arg-type]
