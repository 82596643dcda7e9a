"""Comments ``# autograph: ignore`` in checked files."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace

from autograph.commands.selection import named
from autograph.reasons import Reason
from autograph.report import Report
from autograph.source import Module, first_line

_MARK = re.compile(
    r"#\s*autograph:\s*ignore\b(?P<wrong>\(|\s*\[[^\]]*$|\s+AG\d)?(?:\s*\[(?P<codes>[^\]]*)\])?", re.IGNORECASE
)
_IGNORED = "a comment says to ignore that"
Ignored = Mapping[int, set[Reason]]


def ignored(module: Module) -> tuple[Ignored, dict[int, str]]:
    """By line, the reasons that comments keep from being told of, and what is wrong with comments.

    A comment behind the head of a function is for all of it.
    """
    if not _MARK.search(module.text):
        return {}, {}
    wrong: dict[int, str] = {}
    found: dict[int, set[Reason]] = {}
    for line, (text, column) in module.comments.items():
        for mark in _MARK.finditer(text):
            try:
                reasons = set(Reason) if mark["codes"] is None else named(mark["codes"].split(","))
            except ValueError as error:
                wrong[line] = f"`{mark[0]}`: {error}"
                continue
            if mark["wrong"]:
                wrong[line] = f"`{text[mark.start() :]}`: write `# autograph: ignore` or `# autograph: ignore[AG201]`"
            elif column is not None:
                wrong[line] = f"`{mark[0]}` stands behind no statement"
            else:
                found[line] = found.get(line, set()) | reasons
    spread = {line: set(reasons) for line, reasons in found.items()}
    heads: set[int] = set()
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.stmt):
            continue
        first = last = node.lineno
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first, last = first_line(node), node.end_lineno or first
        heads.update(head := _head(node, first))
        reasons = set[Reason]().union(*(found.get(line, ()) for line in head))
        for line in range(first, last + 1):
            spread.setdefault(line, set()).update(reasons)
    for line in found.keys() - heads:  # behind an `else`, an `except`, a `case`
        wrong.setdefault(line, f"`{module.comments[line][0].strip()}` stands behind no statement")
    return spread, wrong


def _head(node: ast.stmt, first: int) -> range:
    """The lines of a statement without those of the statements in it."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not isinstance(body, list):
        return range(first, (node.end_lineno or first) + 1)
    inner = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
    start = (
        first_line(inner) if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else inner.lineno
    )
    return range(first, max(start, node.lineno + 1))


def without(ignored: Ignored, report: Report) -> tuple[Report, int]:
    """A report without what comments keep from being told of, and how much that is."""
    kept = tuple(s for s in report.statements if s.reason not in ignored.get(s.line, ()))
    count = len(report.statements) - len(kept)
    if report.kind in ignored.get(report.line, ()):
        report = replace(report, status="left", reason=f"{_IGNORED} {report.reason}")
        count += 1
    return replace(report, statements=kept), count
