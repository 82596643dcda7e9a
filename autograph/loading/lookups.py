"""Loaded code asks an operator for elements wherever an index may be staged: what it is an index of may be Python's.
It asks one for a text among what may be a staged text.

What is printed has plain subscripts of variables that are most likely to hold what the graph computes with, and looks
plainly for the keys of what is most likely a dictionary.
"""

from __future__ import annotations

import ast
from typing import TypeVar

from autograph.loading.nodes import placed, remade
from autograph.loading.written import loaded_operators

T = TypeVar("T", bound=ast.AST)


def looked_up(tree: T) -> T:
    """The tree with ``ag__.get_item(table, i)`` for ``table[i]``, and ``ag__.in_("a", s)`` for ``"a" in s``."""
    made = remade(tree, looked_up)
    if isinstance(made, ast.Compare) and _asks_for_text(made):
        operator = "in_" if isinstance(made.ops[0], ast.In) else "not_in"
        return placed(ast.Call(func=_operator(operator), args=[made.left, *made.comparators], keywords=[]), made)  # type: ignore[return-value]
    if not isinstance(made, ast.Subscript) or not isinstance(made.ctx, ast.Load) or not _may_be_staged(made.slice):
        return made
    arguments = [made.value, _without_slices(made.slice)]
    return placed(ast.Call(func=_operator("get_item"), args=arguments, keywords=[]), made)  # type: ignore[return-value]


def _asks_for_text(node: ast.Compare) -> bool:
    """Whether it is ``"a" in s``, where `s` may hold anything."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn):
        return False
    is_text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
    return is_text and isinstance(node.comparators[0], ast.Name | ast.Attribute | ast.Subscript | ast.BinOp)


def _may_be_staged(index: ast.expr | None) -> bool:
    if isinstance(index, ast.Tuple):
        return any(map(_may_be_staged, index.elts))
    if isinstance(index, ast.Slice):
        return any(map(_may_be_staged, (index.lower, index.upper, index.step)))
    if isinstance(index, ast.UnaryOp):
        return _may_be_staged(index.operand)
    return not (index is None or isinstance(index, ast.Constant | ast.JoinedStr))


def _without_slices(index: ast.expr) -> ast.expr:
    """An index with calls in the place of ``1:n``."""
    if isinstance(index, ast.Tuple):
        return placed(ast.Tuple(elts=[*map(_without_slices, index.elts)], ctx=ast.Load()), index)
    if not isinstance(index, ast.Slice):
        return index
    bounds = [ast.Constant(value=None) if part is None else part for part in (index.lower, index.upper, index.step)]
    return placed(ast.Call(func=_operator("slice_"), args=bounds, keywords=[]), index)


def _operator(name: str) -> ast.expr:
    return ast.Attribute(value=loaded_operators(), attr=name, ctx=ast.Load())
