"""Loaded code asks an operator for elements wherever an index may be staged: what it is an index of may be Python's.
It asks one which exception a variable holds that is raised, for a text among what may be a staged text, and to take
apart what may have a length that only the graph knows.

What is printed has plain subscripts of variables that are most likely to hold what the graph computes with, and looks
plainly for the keys of what is most likely a dictionary.
"""

from __future__ import annotations

import ast
from typing import TypeVar

from autograph.loading.nodes import changed, placed, remade
from autograph.loading.written import loaded_operators

T = TypeVar("T", bound=ast.AST)


def looked_up(tree: T) -> T:
    """The tree with ``ag__.get_item(table, i)`` for ``table[i]``, and ``ag__.in_("a", s)`` for ``"a" in s``."""
    made = remade(tree, looked_up)
    if isinstance(made, ast.Compare) and _asks_for_text(made):
        operator = "in_" if isinstance(made.ops[0], ast.In) else "not_in"
        return placed(ast.Call(func=_operator(operator), args=[made.left, *made.comparators], keywords=[]), made)  # type: ignore[return-value]
    if isinstance(made, ast.Raise) and isinstance(made.exc, ast.Name):
        kept = placed(ast.Call(func=_operator("to_raise"), args=[made.exc], keywords=[]), made.exc)
        return changed(made, exc=kept)  # type: ignore[return-value]
    if isinstance(made, ast.Assign):
        return _taken_apart(made)  # type: ignore[return-value]
    if isinstance(made, ast.List) and isinstance(made.ctx, ast.Load):
        return _with_starred(made) if any(isinstance(part, ast.Starred) for part in made.elts) else made  # type: ignore[return-value]
    if not isinstance(made, ast.Subscript) or not isinstance(made.ctx, ast.Load) or not _may_be_staged(made.slice):
        return made
    arguments = [made.value, _without_slices(made.slice)]
    return placed(ast.Call(func=_operator("get_item"), args=arguments, keywords=[]), made)  # type: ignore[return-value]


def _taken_apart(node: ast.Assign) -> ast.Assign:
    """``a, *b = ag__.unpacked(items, 1, 0)``, of which the second is a list already, for ``a, *b = items``."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Tuple | ast.List):
        return node
    if isinstance(node.value, ast.Constant | ast.Tuple | ast.List):
        return node
    stars = [number for number, part in enumerate(target.elts) if isinstance(part, ast.Starred)]
    counts = [stars[0], len(target.elts) - stars[0] - 1] if stars else [len(target.elts)]
    arguments = [node.value, *(ast.Constant(value=count) for count in counts)]
    value = placed(ast.Call(func=_operator("unpacked"), args=arguments, keywords=[]), node.value)
    parts = [part.value if isinstance(part, ast.Starred) else part for part in target.elts]
    return changed(node, targets=[changed(target, elts=parts)], value=value)


def _with_starred(node: ast.List) -> ast.expr:
    """``ag__.displayed("* ", a, b)`` for ``[*a, b]``."""
    marks = "".join("*" if isinstance(part, ast.Starred) else " " for part in node.elts)
    values = [part.value if isinstance(part, ast.Starred) else part for part in node.elts]
    arguments = [ast.Constant(value=marks), *values]
    return placed(ast.Call(func=_operator("displayed"), args=arguments, keywords=[]), node)


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
