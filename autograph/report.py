"""What was left as Python, and why: for a live function, or for every function of a file."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

import gast

from autograph import eligibility
from autograph.api import context_of, to_graph
from autograph.context import Context
from autograph.convert_file import converted_functions
from autograph.depth import room
from autograph.errors import ConversionError, SourceNotFoundError
from autograph.listing import converted_definition
from autograph.rules import why_function_stays
from autograph.source import Module, Place, find, function_of
from autograph.walk import every_node


@dataclass(frozen=True)
class Statement:
    """A statement that could be staged: its line, its first line of text, and why it stays Python (None: it stages)."""

    line: int
    text: str
    reason: str | None


@dataclass(frozen=True)
class Report:
    """What became of one function: ``converted``, ``left`` as Python, or ``refused`` with an error, for a reason."""

    name: str
    filename: str
    line: int
    status: str
    reason: str | None
    statements: tuple[Statement, ...]

    def as_dict(self) -> dict[str, object]:
        """The report as JSON has it."""
        return asdict(self)

    def __str__(self) -> str:
        return self.showing(self.statements)

    def showing(self, statements: Iterable[Statement]) -> str:
        """The report with some of its statements."""
        why = f": {self.reason}" if self.reason else ""
        lines = [f"{self.filename}:{self.line}: {self.name} is {_WORDS[self.status]}{why}"]
        for statement in statements:
            verdict = f"stays Python: {statement.reason}" if statement.reason else "can stage"
            lines.append(f"  {statement.line:5}  {statement.text:40}  {verdict}")
        return "\n".join(lines)


_WORDS = {"converted": "converted", "left": "left as Python", "refused": "refused"}
_STAGEABLE = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.Match, ast.Assert)


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
    lines = module.text.splitlines()
    found = [node for node in every_node(place.node) if isinstance(node, _STAGEABLE)]
    statements = tuple(
        Statement(node.lineno, lines[node.lineno - 1 - module.shift].strip(), _why(node, context))
        for node in sorted(found, key=lambda n: (n.lineno, n.col_offset))
    )
    return Report(place.qualname, module.filename, place.node.lineno, "converted", reason, statements)


def _why(node: ast.stmt, context: Context) -> str | None:
    """Why a statement of a converted function stays Python, or None."""
    if isinstance(node, ast.Match):
        return context.notes.get((node.lineno, node.col_offset), "its patterns have nothing to decide")
    if isinstance(node, ast.Assert):
        return None if eligibility.can_stage(gast.ast_to_gast(node.test)) else "its condition is a Python value"
    return context.notes.get(
        (node.lineno, node.col_offset), "it is behind a jump, in a class body or in a finally clause that jumps"
    )
