"""From a syntax tree to readable text: statements by astunparse's writer, expressions by the standard library's."""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import astunparse

from autograph.wrapping import NEWLINE, wrapped


@dataclass
class Comments:
    """The comments of a definition, by the lines that statements have in the user's file."""

    above: dict[tuple[int, int], str] = field(default_factory=dict)  # by the line, and the one of several for a line
    behind: dict[int, str] = field(default_factory=dict)  # by the first line of a simple statement
    headers: dict[int, str] = field(default_factory=dict)  # behind the colon, by the first line of a compound one
    closing: list[tuple[int, int, str]] = field(default_factory=list)  # behind the last of a block: its line, their own


# What tools look for on a line, and so stays there however long it gets.
FOR_TOOLS = re.compile(r"#\s*(type:|noqa|pragma|pylint:|mypy:|pyright:|ruff:|fmt:|nosec|autograph:)", re.IGNORECASE)


class _Statements(astunparse.Unparser):  # type: ignore[misc]
    """Writes statements one per line, with the user's comments beside the lines they came with."""

    def __init__(self, body: Sequence[ast.stmt], comments: Comments, margin: str, width: int) -> None:
        self.f = io.StringIO()
        self._width = width
        self._indent = 0
        self._margin = margin
        self._above = sorted(comments.above.items())
        self._behind, self._headers = dict(sorted(comments.behind.items())), dict(comments.headers)
        self._closing = sorted(comments.closing, key=lambda comment: comment[1])
        self._open: list[int] = []  # the lines of the statements in which what is written stands
        self._last_line = 0
        self._block(body)
        self._indent += 1
        for _, text in sorted(self._of_those_that_have_gone(sys.maxsize)):
            self.fill(text)

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
        ends = {statement.lineno: index for index, statement in enumerate(body)}  # of what became of a statement
        for index, statement in enumerate(body):
            made = self._is_definition(statement)
            if made and not (index and self._is_definition(body[index - 1])):
                self.f.write("\n")
            goes_on = ends[statement.lineno] > index
            prepares = goes_on and _is_preparation(statement)
            if not prepares:
                self._leading_comments(statement)
            start = self.f.tell()
            self._open.append(statement.lineno)
            self.dispatch(statement)
            self._open.pop()
            if not prepares and not hasattr(statement, "body"):
                self._trailing_comment(statement, start)
            if not goes_on and statement.lineno not in self._open:
                self._closing_comments(statement)
            if made and index + 1 < len(body):
                self.f.write("\n")

    @staticmethod
    def _is_definition(node: ast.stmt) -> bool:
        return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)

    def _leading_comments(self, statement: ast.stmt) -> None:
        self._comments_before(min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))]))

    def _comments_before(self, first: int) -> None:
        """The comments above what begins in a line."""
        if gone := [*self._of_those_that_have_gone(first)]:
            self._above = sorted([*self._above, *gone])
        while self._above and self._above[0][0] < (first, 0):
            (line, _), text = self._above.pop(0)
            if line >= self._last_line:
                self.fill(text)
        self._last_line = max(self._last_line, first)

    def _of_those_that_have_gone(self, first: int) -> Iterator[tuple[tuple[int, int], str]]:
        """The comments behind statements before this line of which nothing is left, as they are for what follows."""
        while self._behind and (line := next(iter(self._behind))) < first and line not in self._open:
            yield (max(line, self._last_line), 0), self._behind.pop(line)
        while self._closing and self._closing[0][1] < first and self._closing[0][0] not in self._open:
            _, line, text = self._closing.pop(0)
            yield (max(line, self._last_line), 0), text

    def _header_comment(self, line: int) -> None:
        """A comment behind the colon of a compound statement, or of the function that its body became."""
        text = self._headers.pop(line, "")
        if text and not self._is_too_long(text, self.f.tell()):
            self.write("  " + text)
        elif text:
            self.fill(text)

    def _trailing_comment(self, statement: ast.stmt, start: int) -> None:
        """The comment behind a statement, or above it where the line would be too long."""
        text = self._behind.pop(statement.lineno, "")
        if not text:
            return
        if not self._is_too_long(text, self.f.tell()):
            self.write("  " + text)
            return
        self.f.seek(start)
        written = self.f.read()
        self.f.seek(start)
        self.f.truncate()
        self.fill(text)
        self.f.write(written)

    def _is_too_long(self, text: str, end: int) -> bool:
        """Whether the last line that is written has no room for a comment."""
        if FOR_TOOLS.match(text):
            return False
        self.f.seek(max(0, end - self._width))
        line = self.f.read().rpartition("\n")[2].rpartition(NEWLINE)[2]
        return len(line) + 2 + len(text) > self._width

    def _closing_comments(self, statement: ast.stmt) -> None:
        """The comments at the end of the block that a statement ends."""
        for comment in [c for c in self._closing if c[0] == statement.lineno]:
            self.fill(comment[2])
            self._closing.remove(comment)

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

    def _Nonlocal(self, t: ast.Nonlocal) -> None:
        self._declared("nonlocal", t.names)

    def _Global(self, t: ast.Global) -> None:
        self._declared("global", t.names)

    def _declared(self, keyword: str, names: Sequence[str]) -> None:
        """Names, which have no brackets to break a line in: as many statements as they need lines."""
        line = f"{keyword} {names[0]}"
        for name in names[1:]:
            if len(self._margin) + 4 * self._indent + len(line) + len(name) + 2 <= self._width:
                line += f", {name}"
            else:
                self.fill(line)
                line = f"{keyword} {name}"
        self.fill(line)

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
        self.fill(f"{keyword}{t.name}{_type_parameters(t)}({_parameters(t.args)}){returns}")
        self._suite(t.body, t)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, t: ast.ClassDef) -> None:
        for decorator in t.decorator_list:
            self.fill("@" + ast.unparse(decorator))
        bases = ", ".join(ast.unparse(b) for b in [*t.bases, *t.keywords])
        self.fill(f"class {t.name}{_type_parameters(t)}{f'({bases})' if bases else ''}")
        self._suite(t.body, t)

    def _suite(self, body: list[ast.stmt], header: ast.stmt | ast.excepthandler | ast.pattern | None = None) -> None:
        self.enter()
        if header is not None:
            self._header_comment(header.lineno)
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
            self._comments_before(handler.lineno)
            self.fill(keyword + kind + bound)
            self._suite(handler.body, handler)
        self._else(t.orelse)
        if t.finalbody:
            self.fill("finally")
            self._suite(t.finalbody)

    _TryStar = _Try

    def _Match(self, t: ast.Match) -> None:
        self.fill(f"match {_open_tuple(t.subject)}")
        self.enter()
        self._header_comment(t.lineno)
        for case in t.cases:
            guard = f" if {ast.unparse(case.guard)}" if case.guard is not None else ""
            self._comments_before(case.pattern.lineno)
            self.fill(f"case {ast.unparse(case.pattern)}{guard}")
            self._suite(case.body, case.pattern)
        self.leave()


def _is_preparation(statement: ast.stmt) -> bool:
    """Whether a statement may be one that comes before what is written in its line: ``did_return = False``."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    if isinstance(statement, ast.Assign):
        value = statement.value
        return getattr(value, "value", None) is False or getattr(value, "attr", "") == "unset"
    return isinstance(statement, ast.Nonlocal)


def _open_tuple(node: ast.expr) -> str:
    """``a, b`` without the parentheses that a statement does not need."""
    text = ast.unparse(node)
    if not isinstance(node, ast.Tuple) or len(node.elts) < 2:
        return text
    return text[1:-1] if text.startswith("(") else text


def _parameters(a: ast.arguments) -> str:
    """The parameters of a function: a default stands between spaces where there is an annotation."""
    by_position = [*a.posonlyargs, *a.args]
    defaults = [None] * (len(by_position) - len(a.defaults)) + [*a.defaults]
    parts = [_parameter(p, d) for p, d in zip(by_position, defaults)]
    if a.posonlyargs:
        parts.insert(len(a.posonlyargs), "/")
    if a.vararg or a.kwonlyargs:
        parts.append("*" + (_parameter(a.vararg) if a.vararg else ""))
    parts += [_parameter(p, d) for p, d in zip(a.kwonlyargs, a.kw_defaults)]
    return ", ".join([*parts, *(["**" + _parameter(a.kwarg)] if a.kwarg else [])])


def _parameter(p: ast.arg, default: ast.expr | None = None) -> str:
    annotation = f": {ast.unparse(p.annotation)}" if p.annotation is not None else ""
    if default is None:
        return p.arg + annotation
    return f"{p.arg}{annotation} = {ast.unparse(default)}" if annotation else f"{p.arg}={ast.unparse(default)}"


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
    return _Statements(body, comments or Comments(), margin, width).text()
