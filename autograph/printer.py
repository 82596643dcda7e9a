"""From a syntax tree to readable text: statements by astunparse's writer, expressions by the standard library's."""

from __future__ import annotations

import ast
import io
from collections.abc import Mapping, Sequence

import astunparse

from autograph.wrapping import NEWLINE, wrapped

# By line: the text, and whether it stands alone, behind a statement, or behind the colon of a compound statement.
Comments = Mapping[int, tuple[str, str]]


class _Statements(astunparse.Unparser):  # type: ignore[misc]
    """Writes statements one per line, with the user's comments beside the lines they came with."""

    def __init__(self, body: Sequence[ast.stmt], comments: Comments, margin: str, width: int) -> None:
        self.f = io.StringIO()
        self._width = width
        self._indent = 0
        self._margin = margin
        self._comments = dict(comments)
        self._last_line = 0
        self._block(body)

    def text(self) -> str:
        return self.f.getvalue().strip("\n").replace(NEWLINE, "\n") + "\n"

    def dispatch(self, tree: ast.AST | list[ast.stmt]) -> None:
        if isinstance(tree, ast.expr):
            self.write(ast.unparse(tree))
        elif isinstance(tree, list):
            self._block(tree)
        else:
            super().dispatch(tree)

    def _block(self, body: Sequence[ast.stmt]) -> None:
        """A function stands between blank lines; runs of simple statements stay together."""
        for index, statement in enumerate(body):
            made = self._is_definition(statement)
            if made and not (index and self._is_definition(body[index - 1])):
                self.f.write("\n")
            self._leading_comments(statement)
            self.dispatch(statement)
            self._trailing_comment(statement)
            if made and index + 1 < len(body):
                self.f.write("\n")

    @staticmethod
    def _is_definition(node: ast.stmt) -> bool:
        return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)

    def _leading_comments(self, statement: ast.stmt) -> None:
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        for line in sorted(self._comments):
            if self._last_line < line < first and self._comments[line][1] == "alone":
                self.fill(self._comments.pop(line)[0])
        self._last_line = max(self._last_line, first)

    def _header_comment(self, statement: ast.stmt) -> None:
        """A comment behind the colon of a compound statement, or of the function that its body became."""
        text, kind = self._comments.get(statement.lineno, ("", ""))
        if kind == "header":
            self.write("  " + text)
            del self._comments[statement.lineno]

    def _trailing_comment(self, statement: ast.stmt) -> None:
        end = statement.end_lineno or statement.lineno
        if hasattr(statement, "body") or self._comments.get(end, ("", ""))[1] != "behind":
            return
        self.write("  " + self._comments.pop(end)[0])

    def fill(self, text: str = "") -> None:
        margin = self._margin + "    " * self._indent
        for line in wrapped(text, len(margin), self._width, tail=1):  # a colon may follow
            self.f.write(f"\n{margin}{line}")

    def enter(self) -> None:
        self.write(":")
        self._indent += 1

    def _Expr(self, t: ast.Expr) -> None:
        if isinstance(t.value, ast.Constant) and isinstance(t.value.value, str):
            self.fill(_docstring(t.value))
            return
        self._value("", t.value)

    def _value(self, before: str, value: ast.expr) -> None:
        """An expression, or the arms of a chain one a line, as people would write them."""
        call = value if isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "if_chain" else None
        arms = call.args[0] if call is not None and call.args else None
        if call is None or not isinstance(arms, ast.List):
            self.fill(before + _open_tuple(value) if before else ast.unparse(ast.Expr(value)))
            return
        rest = [*map(ast.unparse, [*call.args[1:], *call.keywords])]
        end = ", ".join(["]", *rest]) + ")"
        beside = len(self._margin) + 4 * self._indent + len(end) <= self._width
        self.fill(f"{before}{ast.unparse(call.func)}(" + "[" * beside)
        self._indent += 1
        if not beside:
            self.fill("[")
            self._indent += 1
        for arm in arms.elts:
            self.fill(f"{ast.unparse(arm)},")
        self._indent -= 1
        if not beside:
            for part in ("]", *rest):
                self.fill(f"{part},")
            self._indent -= 1
        self.fill(end if beside else ")")

    def _Assign(self, t: ast.Assign) -> None:
        if not isinstance(t.value, ast.Tuple) and not any(isinstance(target, ast.Tuple) for target in t.targets):
            self.fill(ast.unparse(t))
            return
        self.fill("".join(_open_tuple(target) + " = " for target in t.targets) + _open_tuple(t.value))

    def _plain(self, t: ast.stmt) -> None:
        self.fill(ast.unparse(t))

    _AugAssign = _AnnAssign = _Delete = _Assert = _Raise = _Import = _ImportFrom = _TypeAlias = _plain

    def _Return(self, t: ast.Return) -> None:
        if t.value is None:
            self.fill("return")
        else:
            self._value("return ", t.value)

    def _FunctionDef(self, t: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in t.decorator_list:
            self.fill("@" + ast.unparse(decorator))
        keyword = "async def " if isinstance(t, ast.AsyncFunctionDef) else "def "
        returns = f" -> {ast.unparse(t.returns)}" if t.returns is not None else ""
        self.fill(f"{keyword}{t.name}{_type_parameters(t)}({ast.unparse(t.args)}){returns}")
        self._suite(t.body, t)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, t: ast.ClassDef) -> None:
        for decorator in t.decorator_list:
            self.fill("@" + ast.unparse(decorator))
        bases = ", ".join(ast.unparse(b) for b in [*t.bases, *t.keywords])
        self.fill(f"class {t.name}{_type_parameters(t)}{f'({bases})' if bases else ''}")
        self._suite(t.body, t)

    def _suite(self, body: list[ast.stmt], header: ast.stmt | None = None) -> None:
        self.enter()
        if header is not None:
            self._header_comment(header)
        self._block(body)
        self.leave()

    def _if(self, keyword: str, t: ast.If) -> None:
        self.fill(f"{keyword} {ast.unparse(t.test)}")
        self._suite(t.body, t)
        if len(t.orelse) == 1 and isinstance(t.orelse[0], ast.If):
            self._leading_comments(t.orelse[0])
            self._if("elif", t.orelse[0])
        else:
            self._else(t.orelse)

    def _If(self, t: ast.If) -> None:
        self._if("if", t)

    def _else(self, orelse: list[ast.stmt]) -> None:
        if orelse:
            self.fill("else")
            self._suite(orelse)

    def _While(self, t: ast.While) -> None:
        self.fill(f"while {ast.unparse(t.test)}")
        self._suite(t.body, t)
        self._else(t.orelse)

    def _For(self, t: ast.For | ast.AsyncFor) -> None:
        keyword = "async for" if isinstance(t, ast.AsyncFor) else "for"
        self.fill(f"{keyword} {_open_tuple(t.target)} in {_open_tuple(t.iter)}")
        self._suite(t.body, t)
        self._else(t.orelse)

    _AsyncFor = _For

    def _With(self, t: ast.With | ast.AsyncWith) -> None:
        keyword = "async with" if isinstance(t, ast.AsyncWith) else "with"
        self.fill(f"{keyword} {', '.join(ast.unparse(item) for item in t.items)}")
        self._suite(t.body, t)

    _AsyncWith = _With

    def _Try(self, t: ast.Try) -> None:
        keyword = "except*" if type(t).__name__ == "TryStar" else "except"
        self.fill("try")
        self._suite(t.body, t)
        for handler in t.handlers:
            kind = f" {ast.unparse(handler.type)}" if handler.type is not None else ""
            bound = f" as {handler.name}" if handler.name else ""
            self.fill(keyword + kind + bound)
            self._suite(handler.body)
        self._else(t.orelse)
        if t.finalbody:
            self.fill("finally")
            self._suite(t.finalbody)

    _TryStar = _Try

    def _Match(self, t: ast.Match) -> None:
        self.fill(f"match {_open_tuple(t.subject)}")
        self.enter()
        for case in t.cases:
            guard = f" if {ast.unparse(case.guard)}" if case.guard is not None else ""
            self.fill(f"case {ast.unparse(case.pattern)}{guard}")
            self._suite(case.body)
        self.leave()


def _open_tuple(node: ast.expr) -> str:
    """``a, b`` without the parentheses that a statement does not need."""
    text = ast.unparse(node)
    if not isinstance(node, ast.Tuple) or len(node.elts) < 2:
        return text
    return text[1:-1] if text.startswith("(") else text


def _type_parameters(node: ast.AST) -> str:
    parameters = getattr(node, "type_params", None)
    return f"[{', '.join(ast.unparse(p) for p in parameters)}]" if parameters else ""


def _docstring(node: ast.Constant) -> str:
    """A string statement as people write it: between triple quotes, its lines as they are."""
    value = str(node.value)
    plain = value.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if value.endswith('"') or any(not c.isprintable() and c not in "\n\t" for c in value):
        return repr(value)
    text = f'"""{plain}"""'
    return text if ast.literal_eval(text) == value else repr(value)


WIDTH = 100  # columns


def to_text(body: Sequence[ast.stmt], comments: Comments | None = None, margin: str = "", width: int = WIDTH) -> str:
    """The statements as text, each line behind `margin`; longer ones than `width` are wrapped where they can be.

    >>> print(to_text(ast.parse("if a:  b = (1,)").body), end="")
    if a:
        b = (1,)
    """
    return _Statements(body, comments or {}, margin, width).text()
