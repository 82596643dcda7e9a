"""What was left as Python, and why: for a live function, or for every function of a file."""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from autograph import eligibility
from autograph.api import context_of, to_graph
from autograph.context import Context
from autograph.convert_file import converted_functions
from autograph.depth import room
from autograph.errors import ConversionError, SourceNotFoundError, hides_frames
from autograph.listing import converted_definition
from autograph.reasons import Reason
from autograph.rules import why_function_stays
from autograph.source import Module, Place, find, function_of
from autograph.translating import to_gast


@dataclass(frozen=True)
class Statement:
    """A statement that could be staged: its line, its first line of text, and why it stays Python (None: it stages)."""

    line: int
    text: str
    reason: Reason | None


@dataclass(frozen=True)
class Report:
    """What became of one function: ``converted``, ``left`` as Python, or ``refused`` with an error, for a reason."""

    name: str
    filename: str
    line: int
    status: str
    reason: str | None
    statements: tuple[Statement, ...]

    @property
    def kind(self) -> Reason | None:
        """The row of the table that the reason belongs to, if it is left or refused."""
        if self.status == "refused":
            return Reason.REFUSED
        return self.reason if isinstance(self.reason, Reason) else None

    def as_dict(self) -> dict[str, object]:
        """The report as JSON has it."""
        found: dict[str, object] = {**asdict(self), "code": self.kind and self.kind.code}
        found["statements"] = [{**asdict(s), "code": s.reason and s.reason.code} for s in self.statements]
        return found

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Report:
        """The report that was that."""
        fields = {name: found[name] for name in ("name", "filename", "line", "status")}
        statements = tuple(Statement(s["line"], s["text"], _read(s)) for s in found["statements"])
        return cls(**fields, reason=_read(found), statements=statements)

    def __str__(self) -> str:
        return self.showing(self.statements)

    def showing(self, statements: Iterable[Statement]) -> str:
        """The report with some of its statements."""
        why = f": {self.reason}" if self.reason else ""
        code = f" ({self.kind.code})" if self.kind else ""
        lines = [f"{shown(self.filename)}:{self.line}: {self.name} is {_WORDS[self.status]}{why}{code}"]
        for statement in statements:
            reason = statement.reason
            verdict = f"stays Python: {reason} ({reason.code})" if reason else "can stage"
            lines.append(f"  {statement.line:5}  {statement.text:40}  {verdict}")
        return "\n".join(lines)


def shown(filename: str) -> str:
    """A name of a file on one line: characters that end or control lines are written as Python writes them.

    >>> shown("model.py"), shown("two\\nlines.py")
    ('model.py', 'two\\\\nlines.py')
    """
    return "".join(c.encode("unicode_escape").decode() if _CONTROLS.match(c) else c for c in filename)


_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def _read(found: Mapping[str, Any]) -> Any:
    """A reason as JSON has it: a row of the table, or free text."""
    known = {reason.value: reason for reason in Reason}
    return known.get(found["reason"], found["reason"])


_WORDS = {"converted": "converted", "left": "left as Python", "refused": "refused"}
_STAGEABLE = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.Match, ast.Assert)


@hides_frames
@room()
def explain(entity: object, *, source: str | None = None) -> Report:
    """What becomes of a live function, and of each of its statements; print it, or read its fields.

    Takes what `to_code` takes. A class is refused: ask for its methods.
    """
    function = function_of(entity)
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"explain({entity!r}): it is a class; ask for its methods one by one.")
    code = function.__code__
    try:
        module, place = find(function, source)
    except SourceNotFoundError as error:
        return Report(function.__qualname__, code.co_filename, code.co_firstlineno, "refused", str(error), ())
    why = eligibility.whole_function(place.node)
    if why is not None:
        return Report(place.qualname, module.filename, place.node.lineno, "left", why, ())
    context = context_of(module, place, function)
    try:
        converted_definition(place, context)
        to_graph(function, source=source)
    except ConversionError as error:
        return Report(place.qualname, module.filename, place.node.lineno, "refused", str(error), ())
    alone = why_function_stays(function)
    hint = f"where converted code calls it, it is called as it is, since {alone}" if alone else None
    return _report(module, place, context, hint)


def reports(module: Module) -> Iterator[Report]:
    """The reports on every function of a file that stands in no other, in the order of their lines."""
    for place, context, outcome in converted_functions(module):
        if isinstance(outcome, str):
            yield Report(place.qualname, module.filename, place.node.lineno, "left", outcome, ())
            continue
        try:
            if isinstance(outcome, Exception):
                raise outcome
            _compile(outcome[0], module)
        except (ConversionError, SyntaxError) as error:
            yield Report(place.qualname, module.filename, place.node.lineno, "refused", str(error), ())
        else:
            yield _report(module, place, context, None)


@room()
def _compile(definition: ast.stmt, module: Module) -> None:
    compile(ast.Module([definition], []), module.filename, "exec", dont_inherit=True)


def _report(module: Module, place: Place, context: Context, reason: str | None) -> Report:
    lines = module.text.split("\n")  # as Python counts them
    found = sorted(_stageable(place.node), key=lambda pair: (pair[0].lineno, pair[0].col_offset))
    statements = tuple(
        Statement(node.lineno, lines[node.lineno - 1 - module.shift].strip(), _why(node, around, context))
        for node, around in found
    )
    return Report(place.qualname, module.filename, place.node.lineno, "converted", reason, statements)


def _stageable(node: ast.AST, around: Reason = Reason.UNREACHABLE) -> Iterator[tuple[ast.stmt, Reason]]:
    """The statements that could be staged, and for each why no pass should come by."""
    if isinstance(node, ast.ClassDef):
        around = Reason.IN_CLASS_BODY
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        around = eligibility.whole_function(node) or Reason.UNREACHABLE
    for name, part in ast.iter_fields(node):
        here = Reason.IN_FINALLY if name == "finalbody" else around
        for inner in part if isinstance(part, list) else ():
            if isinstance(inner, _STAGEABLE):
                yield inner, here
            if isinstance(inner, (ast.stmt, ast.excepthandler, ast.match_case)):
                yield from _stageable(inner, here)


def _why(node: ast.stmt, around: Reason, context: Context) -> Reason | None:
    """Why a statement of a converted function stays Python, or None; `around` is why no pass should come by."""
    if isinstance(node, ast.Assert):
        return None if eligibility.can_stage(to_gast(node.test)) else Reason.PYTHON_CONDITION
    return context.notes.get((node.lineno, node.col_offset), around)
