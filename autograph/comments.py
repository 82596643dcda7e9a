"""Where the comments of a definition go: each to the statement that it speaks of, wherever that is printed."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

from autograph.printer import FOR_TOOLS, Comments
from autograph.source import Definition, Module, first_line
from autograph.walk import every_statement

_Clause = Any  # a statement, or an `except` or a `case` of one


def last_line(module: Module, node: Definition) -> int:
    """The last line of a definition, with the comments behind it that stand as deep as its statements."""
    last = end = node.end_lineno or node.lineno
    if isinstance(node, ast.Lambda) or not module.comments:
        return last
    for number, line in enumerate(module.lines[end - module.shift :], end + 1):
        _, column = module.comments.get(number, ("", None))
        if column is not None and column > node.col_offset:
            last = number
        elif line.strip():
            break
    return last


def comments_of(module: Module, node: Definition, last: int | None = None) -> Comments:
    """The comments of a definition, up to its own last line unless another is given."""
    found = Comments()
    last = node.end_lineno if last is None else last
    lines = [line for line in module.comments if first_line(node) <= line <= (last or node.lineno)]
    if not lines:
        return found
    clauses = [n for n in every_statement(node) if isinstance(n, ast.stmt | ast.excepthandler | ast.match_case)]
    holder = _holders(module, clauses)
    ends = _Ends(module, node, clauses)
    for line in lines:
        text, column = module.comments[line]
        clause, colon = holder.get(line, (None, 0))
        attached = found.headers if _is_compound(clause) else found.behind
        may_stay = clause is not None and (line == colon or FOR_TOOLS.match(text) is not None)
        if may_stay and _head(clause).lineno not in attached:
            attached[_head(clause).lineno] = text
        elif clause is not None:
            found.above[_first_line(clause) - 1, line] = text
        elif column is not None and (before := ends.before(line, column)) is not None:
            found.closing.append((before.lineno, line, text))
        else:
            found.above[line, 0] = text
    return found


def _holders(module: Module, clauses: list[_Clause]) -> dict[int, tuple[_Clause, int]]:
    """By line, the innermost statement whose own text, less that of the statements in it, has the line, and the last
    line of that text."""
    found: dict[int, tuple[_Clause, int]] = {}
    for clause in sorted(clauses, key=lambda n: (_first_line(n), _head(n).col_offset)):
        colon = _colon(module, clause) if _is_compound(clause) else clause.end_lineno
        for line in range(_first_line(clause), colon + 1):
            found[line] = clause, colon
    return found


def _is_compound(clause: _Clause) -> bool:
    return hasattr(clause, "body") or hasattr(clause, "cases")


def _head(clause: _Clause) -> Any:
    """What has the place of a clause: itself, or of a `case` its pattern."""
    return clause.pattern if isinstance(clause, ast.match_case) else clause


def _first_line(clause: _Clause) -> int:
    return first_line(_head(clause))


def _colon(module: Module, clause: _Clause) -> int:
    """The line of the colon of a compound statement."""
    if isinstance(clause, ast.Try) or type(clause).__name__ == "TryStar":
        return clause.lineno  # type: ignore[no-any-return]
    body = getattr(clause, "body", None) or clause.cases
    first = _first_line(body[0])
    parts = [n for n in ast.iter_child_nodes(clause) if n not in body and n not in getattr(clause, "orelse", ())]
    line: int = max(
        [_head(clause).lineno, *(getattr(n, "end_lineno", 0) or 0 for part in parts for n in ast.walk(part))]
    )
    lines = module.lines
    while line < first - 1 and not lines[line - module.shift - 1].partition("#")[0].rstrip().endswith(":"):
        line += 1
    return line


class _Ends:
    """The statements behind which blocks end."""

    def __init__(self, module: Module, node: Definition, clauses: list[_Clause]) -> None:
        self._module = module
        statements = sorted((c for c in clauses if isinstance(c, ast.stmt) and c is not node), key=_where)
        self._by_end: dict[int, list[ast.stmt]] = {}
        for statement in statements:
            self._by_end.setdefault(statement.end_lineno or 0, []).append(statement)
        self._ends, self._starts = sorted(self._by_end), [s.lineno for s in statements]
        self._last = {id(block[-1]) for clause in clauses for block in _blocks(clause)}

    def before(self, line: int, column: int) -> ast.stmt | None:
        """The last statement of the block that a comment ends, which stands as deep as the statements in it."""
        index = bisect_left(self._ends, line)
        if not index or bisect_right(self._starts, self._ends[index - 1]) != bisect_right(self._starts, line):
            return None
        if self._goes_on_between(self._ends[index - 1], line):
            return None
        found = (s for s in self._by_end[self._ends[index - 1]] if s.col_offset == column)
        outermost = next(found, None)
        return outermost if id(outermost) in self._last else None

    def _goes_on_between(self, end: int, line: int) -> bool:
        """Whether a clause begins between these lines: ``else``, ``finally``, which have no place in the tree."""
        between = self._module.lines[end - self._module.shift : line - self._module.shift - 1]
        return any(text.strip() and not text.lstrip().startswith("#") for text in between)


def _where(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _blocks(clause: _Clause) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(clause, name, None)
        if block and not _is_elif(clause, block):
            yield block
    yield from (case.body for case in getattr(clause, "cases", ()))


def _is_elif(clause: _Clause, block: list[ast.stmt]) -> bool:
    first = block[0]
    return isinstance(clause, ast.If) and isinstance(first, ast.If) and first.col_offset == clause.col_offset
