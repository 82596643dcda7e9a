"""The functions that a graph came from: their text, what they were converted to, and what became of each statement."""

from __future__ import annotations

import ast
import io
import linecache
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import autograph
from autograph import source
from autograph.errors import ConversionError
from autograph.origins import origins
from autograph.report import Statement
from autograph.rules import why_function_stays
from runtime.graph.graph import Graph, Node, Place
from runtime.ops import shape as shape_ops, structure
from runtime.tensors.frames import OURS, user_place

Mark = tuple[str, str]  # what became of a statement, in a word, and why


@dataclass
class Part:
    """A function: its lines from the `first` on, with marks, and its converted text, with the lines that it is from."""

    title: str
    filename: str
    first: int
    text: str
    marks: Mapping[int, Mark]
    converted: str = ""
    origins: Mapping[int, int] = field(default_factory=dict)


class Sources:
    """The files in which a function, and those that it calls, are written."""

    def __init__(self, function: Callable[..., object]) -> None:
        found = source.function_of(function)
        if not isinstance(found, types.FunctionType):
            raise TypeError(f"explore({found!r}): it is a class; ask for one of its methods.")
        self._function = found
        self._files: dict[str, int] = {}
        self.filename = found.__code__.co_filename
        self._found = _found(found)
        caller = user_place()  # of what is recorded before and behind all lines of the function
        within = caller is not None and self._found is not None and caller.line in _span(self._found[1])
        self._caller = None if within and caller is not None and caller.filename == self.filename else caller

    def key(self, filename: str, line: int) -> str:
        """What the lines of all columns have in common that belong to a line of the user's."""
        return f"{self._files.setdefault(filename, len(self._files))}:{line}"

    def keys(self, place: Place | None) -> list[str]:
        """The key of a place in the user's code; none for what came from elsewhere."""
        if place is None or place == self._caller or place.filename.startswith(OURS):
            return []
        return [self.key(place.filename, place.line)]

    def parts(self, graphs: Sequence[Graph]) -> Iterator[Part]:
        """The function, and the others in which operations of the graphs were recorded; without graphs, it alone."""
        recorded: dict[str, dict[int, list[Node]]] = {self.filename: {}}  # by file and line
        for node in (n for graph in graphs for n in graph.walk()):
            if node.place is not None and self.keys(node.place):
                recorded.setdefault(node.place.filename, {}).setdefault(node.place.line, []).append(node)
        if self._found is None:
            return
        module, place = self._found
        traced = bool(graphs)
        yield _part(module, place, self._function, recorded[self.filename], traced)
        own = _span(place)
        for filename, lines in recorded.items():
            other = module if filename == self.filename else _module(filename)
            left = {n for n in lines if filename != self.filename or n not in own}
            for place in other.statements:
                outermost = not isinstance(place.node, ast.ClassDef) and "<locals>" not in place.qualname
                if outermost and not left.isdisjoint(_span(place)):
                    yield _part(other, place, self._live(filename, place.qualname), lines, traced)

    def _live(self, filename: str, qualname: str) -> types.FunctionType | None:
        """A function of a file by its name, if it is still there and is converted where it is called."""
        spaces = [getattr(module, "__dict__", {}) for module in [*sys.modules.values()]]
        spaces = [variables for variables in spaces if variables.get("__file__") == filename]
        if filename == self.filename:
            spaces.append(self._function.__globals__)  # of a file that is run, there is no module
        first, *others = qualname.split(".")
        found: object = next((variables[first] for variables in spaces if first in variables), None)
        for name in others:
            found = getattr(found, name, None)
        try:
            function = source.function_of(found)
        except autograph.SourceNotFoundError:
            return None
        same = isinstance(function, types.FunctionType) and function.__code__.co_filename == filename
        return function if same and why_function_stays(function) is None else None  # type: ignore[return-value, arg-type]


def _found(function: types.FunctionType) -> tuple[source.Module, source.Place] | None:
    try:
        return source.find(function)
    except autograph.SourceNotFoundError:
        return None


def _module(filename: str) -> source.Module:
    try:
        return source.parse("".join(linecache.getlines(filename)), filename)
    except SyntaxError:  # it has changed
        return source.Module(filename, "")


def _span(place: source.Place) -> range:
    return range(source.first_line(place.node), (place.node.end_lineno or place.node.lineno) + 1)


def _part(
    module: source.Module,
    place: source.Place,
    function: types.FunctionType | None,
    recorded: Mapping[int, Sequence[Node]],
    traced: bool,
) -> Part:
    span = _span(place)
    lines = io.StringIO(module.text).readlines()[span.start - 1 - module.shift : span.stop - 1 - module.shift]
    marks: dict[int, Mark] = {}
    for number in span:
        count = sum(1 for node in recorded.get(number, ()) if node.op is not shape_ops.constant)
        if count:
            marks[number] = "graph", f"{count} operation{'s' * (count > 1)} in the graph"
    part = Part(place.qualname, module.filename, span.start, "".join(lines), marks)
    if function is None:
        return part
    report = autograph.explain(function)
    if report.status != "converted":
        marks[report.line] = "python", f"{report.status}: {report.reason}"
    for statement in report.statements:
        marks[statement.line] = _mark(statement, recorded.get(statement.line, ()), traced)
    try:
        part.converted = autograph.to_code(function)
        part.origins = origins(function, part.converted)
    except ConversionError as error:
        marks[report.line] = "python", str(error)
    return part


_LOOPS = ("for ", "while ", "async for ")


def _mark(statement: Statement, recorded: Sequence[Node], traced: bool) -> Mark:
    """What became of a statement, of which these operations were recorded."""
    reason = statement.reason
    if reason is not None and reason.costs:
        return "python", f"stays Python: {reason} ({reason.code})"
    if reason is None and not traced:
        return "can", "can become part of the graph, where a tensor decides"
    loops = statement.text.startswith(_LOOPS)
    if loops:  # one that is unrolled has branches for its jumps
        staged = any(node.op is structure.while_ for node in recorded)
    elif statement.text.startswith("assert"):
        staged = any(node.op.effect for node in recorded)
    else:
        staged = any(node.regions for node in recorded)
    if reason is None and staged:
        return "staged", "part of the graph, which decides when it runs"
    why = f"{reason} ({reason.code})" if reason is not None else "no tensor decided"
    if loops:
        return "unrolled", f"unrolled while tracing, or not reached: {why}"
    return "decided", f"decided while tracing, or not reached: {why}"
