"""The changes: each takes a node of a syntax tree and says what might stand in its place."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}  # fmt: skip
_ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One mutant: where in a file, and what stands there before and after."""

    path: str
    line: int
    inside: str  # the function or class around it
    around: str  # the line itself
    before: str
    after: str
    text: str  # the file, changed
    shows: tuple[int, int]  # the lines that may show it: where importing runs it, those of what it is a part of

    @property
    def key(self) -> str:
        """What the mutant is called, whatever line it comes to stand on."""
        around = "" if self.around == self.before else f"{self.around}: "
        return f"{self.path}: {self.inside}: {around}{self.before}  ->  {self.after}"


def changes(path: str, text: str, lines: set[int]) -> Iterator[Change]:
    """All changes of a file on some of its lines; a few are no Python."""
    tree = ast.parse(text)
    starts, whole = [0], text.encode()
    for line in whole.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    rows = text.splitlines()
    for node, inside, shows in _worth(tree, "-", (1, len(rows))):
        if node.lineno not in lines:
            continue
        place = node.test if isinstance(node, ast.If | ast.While) else node
        start, end = starts[place.lineno - 1] + place.col_offset, starts[place.end_lineno - 1] + place.end_col_offset
        before = whole[start:end].decode()
        for new in _instead(node):
            after = new if isinstance(new, str) else ast.unparse(ast.fix_missing_locations(new))
            if isinstance(place, ast.expr):
                after = f"({after})"
            changed = (whole[:start] + after.encode() + whole[end:]).decode()
            around, before, after = (" ".join(t.split()) for t in (rows[node.lineno - 1], before, after))
            yield Change(path, node.lineno, inside, around, before, after, changed, shows or (node.lineno, node.lineno))


_SAY = ast.Assert | ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.arg  # nothing is computed there
_SAYS = {"__repr__", "__str__", "warn"}  # functions that say something, or are told what to say
_SAID = {"message", "hint", "why", "reason", "what"}  # variables for texts of messages


Lines = tuple[int, int]


def _worth(node: ast.AST, inside: str, shows: Lines | None) -> Iterator[tuple[ast.AST, str, Lines | None]]:
    """The statements and expressions that compute something: no texts, annotations, assertions, messages of errors.

    With each goes where it is, and, as far as importing runs it, the lines of what it is a part of.
    """
    if isinstance(node, _SAY) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, ast.Assign) and {getattr(t, "id", None) for t in node.targets} & _SAID:
        return
    name = getattr(node, "name", None) or ast.unparse(getattr(node, "func", ast.Name(""))).rpartition(".")[2]
    if name in _SAYS or any(ast.unparse(d).endswith("overload") for d in getattr(node, "decorator_list", ())):
        return
    if isinstance(node, ast.stmt | ast.expr):
        yield node, inside, shows
    body: list[ast.AST] = []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inside = f"{inside}.{node.name}".removeprefix("-.")
        shows = shows and (node.lineno, node.end_lineno or node.lineno)
        body = node.body if not isinstance(node, ast.ClassDef) else []
    elif isinstance(node, ast.Lambda):
        body = [node.body]
    for child in _parts(node):
        yield from _worth(child, inside, None if child in body else shows)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body)
    elif isinstance(node, ast.ClassDef):
        yield from node.body
    elif isinstance(node, ast.AnnAssign):
        yield from filter(None, [node.value])
    else:
        yield from ast.iter_child_nodes(node)


def _instead(node: ast.AST) -> Iterator[ast.AST | str]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in _COMPARISONS[type(node.ops[0])]:
            yield _with_field(node, ops=[other()])
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        text = isinstance(node.right, ast.JoinedStr) or isinstance(getattr(node.right, "value", None), str | bytes)
        if not text:
            yield _with_field(node, op=_ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield _with_field(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        yield _with_field(node, values=node.values[:-1]) if len(node.values) > 2 else node.values[0]
        yield node.values[-1]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int):
        yield ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.If | ast.While):
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
            yield ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Return) and node.value is not None:
        value = getattr(node.value, "value", ...)
        if not (isinstance(node.value, ast.Constant) and (value is None or value is False)):  # they are false alike
            yield "return None"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom):
        yield ast.Expr(ast.IfExp(ast.Constant(False), node.value, ast.Constant(None)))  # it stays a generator
    elif isinstance(node, ast.Expr | ast.AugAssign | ast.Delete):
        yield "pass"
    elif isinstance(node, ast.Continue):
        yield "break"
    elif isinstance(node, ast.Break):
        yield "continue"


def _with_field(node: ast.AST, **fields: object) -> ast.AST:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def sample(found: list[Change], count: int, seed: int) -> list[Change]:
    """So many of the changes at random, at most one for each line."""
    order = sorted(found, key=lambda c: (c.path, c.line, c.after))
    random.Random(seed).shuffle(order)
    chosen: dict[tuple[str, int], Change] = {}
    for change in order:
        if len(chosen) == count:
            break
        if (change.path, change.line) not in chosen and _is_python(change.text):
            chosen[change.path, change.line] = change
    return list(chosen.values())


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
