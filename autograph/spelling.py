"""Literals as the user wrote them: `"a"`, `0xFF` and `1e-9`, where `ast.unparse` has one way to write each value."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import Any

from autograph import printer
from autograph.comments import comments_of
from autograph.loading.nodes import remade
from autograph.source import Definition, Module
from autograph.wrapping import NEWLINE


def text_of(
    module: Module,
    node: Definition,
    made: object,
    margin: str = "",
    width: int = printer.WIDTH,
    last: int | None = None,
) -> str:
    """The text of what became of a definition of the module, with the literals that stand there, and the comments up to
    its `last` line."""
    return printer.to_text([_Literals(module).spelled(made)], comments_of(module, node, last), margin, width)


class _Literals:
    def __init__(self, module: Module) -> None:
        self._module = module

    def spelled(self, node: Any) -> Any:
        """The tree with the user's text of a literal, as a name, in the place of the literal."""
        if isinstance(node, ast.Name):
            return node
        if isinstance(node, ast.Constant | ast.JoinedStr):
            text = self._text(node)
            return node if text is None else ast.copy_location(ast.Name(text, ast.Load()), node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return node  # a docstring, which the printer knows how to write
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Constant):
            if not isinstance(node.value.value, str | bytes):
                return node  # `1 .real` is written with a space
        if type(node).__name__ == "TemplateStr":  # of Python 3.14
            return node
        return remade(node, self.spelled)

    def _text(self, node: ast.Constant | ast.JoinedStr) -> str | None:
        """What to write for a literal; None where what `ast.unparse` writes is as good, or nothing else is known."""
        if isinstance(node, ast.Constant) and type(node.value) not in (str, bytes, int, float, complex):
            return None
        text = self._module.text_at(node)
        if not _LITERAL.match(text) or (isinstance(node, ast.Constant) and text == repr(node.value)):
            return None  # what the compiler has made has the place of what it was made for, which may be long
        try:
            there = ast.parse(f"({text}\n)", mode="eval").body
        except (SyntaxError, ValueError):
            return None
        if isinstance(there, ast.Constant) and isinstance(node, ast.Constant):
            same = type(there.value) is type(node.value) and repr(there.value) == repr(node.value)
        else:
            same = ast.dump(there) == ast.dump(node)
        if same and "\n" not in text:
            return text
        if same and (kept := _kept(text, node)) is not None:
            return kept
        return _double(node.value) if isinstance(node, ast.Constant) and _DOUBLE.match(text) else None


_LITERAL = re.compile(r"\w*['\"]|\.?\d")
_DOUBLE = re.compile(r'\w*"')
_LINE = re.compile(r"(?s).{1,72}(?: |\Z)|.{1,72}")  # as much of a text as one line of it has
_LONG = 60  # characters; shorter texts of several literals are one


def _kept(text: str, node: ast.Constant | ast.JoinedStr) -> str | None:
    """A long literal as it was written over several lines, or the several in a row that it is; None for a short one."""
    pieces = list(_strings(f"({text}\n)"))
    is_short = isinstance(node, ast.Constant) and len(repr(node.value)) <= _LONG
    if NEWLINE in text or (is_short and max(piece.count("\n") for piece in pieces) < 2):
        return None
    return " ".join(pieces).replace("\n", NEWLINE)


def _strings(text: str) -> Iterator[str]:
    """The texts of the literals that stand in a row; since Python 3.12, one with values in it is several tokens."""
    lines, depth, first = text.splitlines(keepends=True), 0, (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if not depth:
            first = token.start
        depth += (kind in ("FSTRING_START", "TSTRING_START")) - (kind in ("FSTRING_END", "TSTRING_END"))
        if not depth and (kind == "STRING" or kind.endswith("_END")):
            (start, column), (end, last) = first, token.end
            if start == end:
                yield lines[start - 1][column:last]
            else:
                yield "".join([lines[start - 1][column:], *lines[start : end - 1], lines[end - 1][:last]])


def _double(value: object) -> str | None:
    """A text of several lines, of several literals, or made of another one, between double quotes."""
    if not isinstance(value, str) or '"' in value:
        return None
    pieces = _LINE.findall(value) if len(value) > _LONG else [value]
    return " ".join('"' + repr("'" + piece)[2:] for piece in pieces)  # between double quotes, for the apostrophe
