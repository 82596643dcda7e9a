"""All that the page shows of a function, as plain data.

Lines of different columns belong together that have a key in common: the file, by its number, and the line in it.
"""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autograph.errors import without_frames
from runtime.executors import divide
from runtime.executors.numpy.text import listing
from runtime.explorer.colours import Piece, coloured
from runtime.explorer.drawing import Box, count, drawing, is_small
from runtime.explorer.sources import Sources
from runtime.explorer.timing import Timing, timings
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.function import Function
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Callee, Graph, Node, Place
from runtime.graph.op import Op
from runtime.ops import effects, shape as shape_ops, structure
from runtime.optimise import stages
from runtime.tensors import nest
from runtime.tensors.frames import OURS
from runtime.tensors.spec import TensorSpec


@dataclass
class Line:
    """A line of a column: its number, its text in pieces, the keys of what it belongs to; what became of the statement
    that it begins, and why (`mark`, `note`); whether it is new (``+``) or gone (``-``) since the stage before, or only
    its names have other numbers (``~``)."""

    number: int | None
    pieces: list[Piece]
    keys: list[str]
    mark: str = ""
    note: str = ""
    change: str = ""


@dataclass
class Text:
    """A piece of a column under a title."""

    title: str
    lines: list[Line]


@dataclass
class Stage:
    """The graph after a pass that has changed it, and how many operations it has."""

    name: str
    nodes: int
    lines: list[Line]


@dataclass
class Operation:
    """An operation, or several of one line: what they are, and their keys."""

    label: str
    keys: list[str]


@dataclass
class Native:
    """A part of the graph that runs as machine code, with its LLVM text."""

    title: str
    operations: list[Operation]
    llvm: str


@dataclass
class Left:
    """Operations that NumPy runs, and why."""

    reason: str
    operations: list[Operation]


@dataclass
class Machine:
    """What runs natively, and what does not; `note` says why nothing does."""

    regions: list[Native]
    left: list[Left]
    note: str = ""


@dataclass
class Error:
    """What went wrong, and where in the user's code."""

    message: str
    keys: list[str]


@dataclass
class Page:
    """Everything of one function."""

    name: str
    filename: str
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    source: list[Text] = field(default_factory=list)
    converted: list[Text] = field(default_factory=list)
    graph: list[Line] = field(default_factory=list)
    nodes: int = 0  # in the graph
    drawings: list[Box] = field(default_factory=list)
    drawing_note: str = ""
    stages: list[Stage] = field(default_factory=list)
    machine: Machine | None = None
    timings: list[Timing] = field(default_factory=list)
    timing_note: str = ""
    error: Error | None = None

    def json(self) -> str:
        """As text that may stand in a script element of a page."""
        text = json.dumps(self, default=vars, separators=(",", ":"))
        return text.replace("<", "\\u003c")


def page(f: Callable[..., object], args: Sequence[object], times: bool = False) -> Page:
    """The data of a function that is called with such arguments."""
    function: Function[..., object] = f if isinstance(f, Function) else Function(f)
    sources = Sources(function.python_function)
    made = Page(function.__name__, sources.filename)
    graphs: list[Graph] = []
    try:
        concrete = function.get_concrete_function(*args)
    except Exception as error:  # whatever the user's function raises while it is traced is shown
        made.error = _error(error, sources)
    else:
        graphs = [concrete.traced, *_called(concrete.traced)]
        _add_graphs(made, concrete, function.jit_compile, sources)
        _add_times(made, concrete, function, args, times)
    for part in sources.parts(graphs):
        numbers = enumerate(coloured(part.text), part.first)
        lines = [Line(n, pieces, [sources.key(part.filename, n)], *part.marks.get(n, ())) for n, pieces in numbers]
        made.source.append(Text(part.title, lines))
        if part.converted:
            lines = _converted(part.converted, part.filename, part.origins, sources)
            made.converted.append(Text(part.title, lines))
    return made


def _converted(text: str, filename: str, origins: Mapping[int, int], sources: Sources) -> list[Line]:
    numbers = enumerate(coloured(text), 1)
    return [
        Line(n, pieces, [sources.key(filename, origins[n])] if n in origins and pieces else []) for n, pieces in numbers
    ]


def _add_graphs(made: Page, concrete: ConcreteFunction, jit_compile: bool | str | None, sources: Sources) -> None:
    graph = concrete.graph
    made.inputs = [f"{v.hint}: {v.type}" for v in graph.inputs]
    made.outputs = [str(v.type) for v in graph.outputs]
    made.nodes = count(graph)
    before: tuple[Graph, str] | None = None
    for name, stage in stages(concrete.traced):
        if before is not None and _is_same(stage, before[0]):
            continue  # to print it would take longer than all passes
        text, places = listing(stage)
        if before is None or text != before[1]:
            lines = _lines(text, places, sources)
            made.stages.append(Stage(name, count(stage), _compared(made.graph, lines) if before else lines))
            made.graph = lines
        before = stage, text
    for each in [graph, *_called(graph)]:
        picture = drawing(each, sources.keys)
        if picture is not None:
            made.drawings.append(picture)
        if picture is None or not is_small(each):
            what = "is not drawn" if picture is None else "is drawn without what is inside its branches and loops"
            made.drawing_note += f"{each.name} has {count(each)} operations and {what}. "
    made.machine = _machine(graph, jit_compile, sources)


def _lines(text: str, places: Mapping[int, Sequence[Place]], sources: Sources) -> list[Line]:
    return [
        Line(n, pieces, [key for place in places.get(n, ()) for key in sources.keys(place)])
        for n, pieces in enumerate(coloured(text), 1)
    ]


def _is_same(graph: Graph, other: Graph) -> bool:
    """Whether a pass has left all nodes of a graph as they were."""

    def same(node: Node, another: Node) -> bool:
        if node is another or not node.regions:
            return node is another
        alike = node.op is another.op and (node.inputs, node.outputs) == (another.inputs, another.outputs)
        return alike and all(map(_is_same, node.regions, another.regions))

    ends = (graph.inputs, graph.outputs, len(graph.nodes)) == (other.inputs, other.outputs, len(other.nodes))
    return ends and all(map(same, graph.nodes, other.nodes))


def _compared(before: Sequence[Line], after: Sequence[Line]) -> list[Line]:
    """The lines of a stage, with those of the stage before that are gone between them."""
    old, new = ([_without_numbers(line) for line in lines] for lines in (before, after))
    found: list[Line] = []
    for what, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if what == "equal":
            pairs = zip(before[a:b], after[c:d])
            found += [replace(line, change="" if line.pieces == was.pieces else "~") for was, line in pairs]
        else:
            found += [replace(line, number=None, change="-") for line in before[a:b]]
            found += [replace(line, change="+") for line in after[c:d]]
    return found


def _without_numbers(line: Line) -> str:
    """A line's text without the numbers that tell names apart, which change as soon as a name is gone."""
    return re.sub(r"(?<=[a-z])_\d+\b", "", "".join(text for _, text in line.pieces))


def _called(graph: Graph) -> list[Graph]:
    """The graphs that a graph calls, each once, and those that they call."""
    found: dict[Callee, Graph] = {}
    left = [*graph.callees]
    while left:
        callee = left.pop()
        if callee not in found and callee.graph is not None:
            found[callee] = callee.graph
            left += callee.graph.callees
    return sorted(found.values(), key=lambda g: g.name)


def _machine(graph: Graph, jit_compile: bool | str | None, sources: Sources) -> Machine:
    try:
        division = divide(graph, jit_compile)
    except (InvalidArgumentError, ImportError) as error:
        return Machine([], [], str(error))
    regions = [Native(_title(g, graph), _operations(_walk(g), sources), text) for g, text in division.regions]
    reasons: dict[str, list[Node]] = {}
    for node, why in division.left.items():
        reasons.setdefault(why, []).append(node)
    left = [Left(why, _operations(nodes, sources)) for why, nodes in reasons.items()]
    note = f"NumPy runs it all: {division.why_none}." if division.why_none else ""
    return Machine(regions, left, note)


def _walk(region: Graph) -> Iterator[Node]:
    """The nodes of what runs natively, with those by which Python shows something meanwhile."""
    for node in region.walk():
        yield from node.attributes["function"].graph.nodes if node.op is structure.shown else (node,)


def _title(region: Graph, graph: Graph) -> str:
    first = next((n.place.line for n in region.nodes if n.op is not shape_ops.constant and n.place), None)
    return "All of it runs natively" if region is graph else f"From line {first} on, natively"


def _operations(nodes: Iterable[Node], sources: Sources) -> list[Operation]:
    """Operations, those of one kind and line together."""
    counts: Counter[tuple[Op, tuple[str, ...]]] = Counter()
    for node in nodes:
        if node.op is not shape_ops.constant:
            counts[node.op, tuple(sources.keys(node.place))] += 1
    return [Operation(f"{op.name} ({n})" if n > 1 else op.name, [*keys]) for (op, keys), n in counts.items()]


def _add_times(
    made: Page, concrete: ConcreteFunction, function: Function[..., object], args: Sequence[object], times: bool
) -> None:
    if any(isinstance(a, TensorSpec) for a in nest.flatten(args)):
        made.timing_note = "Give arguments rather than types, and times=True, to see how long each form takes."
    elif not times:
        made.timing_note = "times=True tells how long each form takes, for which it calls the function many times."
    elif concrete.writes or effects.act(concrete.graph.nodes):
        made.timing_note = "Not timed: each call would write or print again, or draw other random numbers."
    else:
        made.timings = timings(function.python_function, args)


def _error(error: Exception, sources: Sources) -> Error:
    """An error with the lines of the user's that it passed."""
    notes = getattr(error, "__notes__", [])
    keys: list[str] = []
    trace = without_frames(error.__traceback__, OURS)
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        keys += sources.keys(Place(filename, trace.tb_lineno))
        trace = trace.tb_next
    return Error("\n".join([f"{type(error).__name__}: {error}", *notes]), keys)
