"""Which parts of a graph become native code.

Runs of nodes that have a native form become one node each, which calls machine code; printing, callbacks, text and what
else has none stay between them. With `jit_compile=True` that is every run that does some work; where nothing is said,
the runs that hold a loop, a function that calls itself, or a convolution, since there native code is worth its
compilation: the rule looks at the graph alone, so that one signature is always computed in one way.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from runtime.executors.native.absent import ABOUT_TEXT, ABSENT, is_handed_back
from runtime.executors.native.calling import compile_region, llvm_text
from runtime.executors.native.entry_points import front, give_arrays, only_for
from runtime.executors.native.lowering import has_form
from runtime.executors.native.telling import gathered
from runtime.executors.native.values import Unsupported, is_too_large, why_not_held
from runtime.executors.numpy import run as numpy
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Callee, Graph, HandleType, Node, Value
from runtime.graph.op import are_heavy
from runtime.ops import effects, indexing, shape as shape_ops, structure
from runtime.ops.trip_count import has_loop

_WORTH = 6  # operations on single numbers that cost as much as a call


class Region:
    """A run of nodes as a function: machine code, and the NumPy executor where that fails, which says why.

    Args:
      told: the graph with the messages of its errors, which machine code does without.
    """

    def __init__(self, graph: Graph, tensor_type: object = None, told: Graph | None = None) -> None:
        self.graph, self._told = graph, told or graph
        self.__name__ = "native"
        compiled = compile_region(graph, tensor_type)
        self.run, self.direct, self.keep = compiled.run, compiled.direct, compiled.keep
        self.only_for, self.front, self.give_arrays = only_for, front, give_arrays

    @functools.cached_property
    def _python(self) -> Callable[..., object]:
        return numpy.compile_graph(self._told)

    def __call__(self, *arrays: object) -> object:
        before = effects.shown.count
        result = self.run(*arrays)
        return self.anew(before, *arrays) if result is None else result

    def anew(self, before: int, *arrays: object) -> object:
        """What NumPy gives, or raises, where machine code has failed; what that has shown is not shown again."""
        with effects.already_shown(effects.shown.count - before):
            return self._python(*arrays)


def compile_graph(graph: Graph, whole: bool, tensor_type: object = None) -> Callable[..., object]:
    """A function from arrays (and Variables) to a tuple of arrays; see the module for what `whole` decides.

    Raises InvalidArgumentError for an operation that has no native form, if the `whole` shall be compiled.
    """
    made, _ = _divided(graph, whole, tensor_type)
    return made if isinstance(made, Region) else numpy.compile_graph(made)


def divide(graph: Graph, whole: bool) -> tuple[list[tuple[Graph, str]], dict[Node, str]]:
    """What `compile_graph` makes machine code of, each with its LLVM text; and why other nodes are left to NumPy.

    Raises InvalidArgumentError as it does.
    """
    made, division = _divided(graph, whole, None)
    if isinstance(made, Region):
        return [(made.graph, llvm_text(made.graph))], {}
    native = [n.attributes["function"].graph for n in made.walk() if n.op is structure.native]
    inside = {node for region in native for node in region.walk()}
    inside |= {each for n in inside if n.op is structure.shown for each in n.attributes["function"].graph.nodes}
    left = [n for n in graph.walk() if n not in inside and n.op is not shape_ops.constant]
    return [(region, llvm_text(region)) for region in native], {n: division.why_left(n) for n in left}


def _divided(graph: Graph, whole: bool, tensor_type: object) -> tuple[Region | Graph, _Division]:
    """A graph as machine code, or with nodes that call some; and what has decided."""
    rejected: dict[Node, str] = {}
    told = gathered(graph)
    held = all(not why_not_held(v) for v in (*graph.inputs, *graph.outputs))
    bare = _without_messages(told) if held else told
    while True:
        division = _Division(whole, rejected)
        try:
            if held and not any(map(division.why_not, bare.nodes)) and (whole or division.is_worth(bare.nodes)):
                return Region(bare, tensor_type, graph), division
            made = division.graph(told)
            return made if told is graph or any(n.op is structure.native for n in made.walk()) else graph, division
        except Unsupported as error:
            known = error.node is not None and error.node in _nodes(told) | _nodes(bare)
            if error.node is None or error.node in rejected or not known:  # it would be of no use
                if whole:
                    raise InvalidArgumentError(
                        f"jit_compile=True: {graph.name} cannot be compiled: {error}. Without jit_compile=True it runs "
                        "on NumPy."
                    ) from None
                return graph, division
            rejected[error.node] = str(error)


def _without_messages(graph: Graph) -> Graph:
    """The graph without the text of its errors: where one is raised, all begins anew on NumPy."""
    if not any(node.op is effects.raise_ and node.inputs for node in graph.walk()):
        return graph
    needed, nodes = set(graph.outputs), []
    messages: set[Value] = set()
    for node in reversed(graph.nodes):
        if node.outputs and needed.isdisjoint(node.outputs) and messages.issuperset(node.outputs):
            messages.update(node.inputs)
            continue
        if node.op is effects.raise_:
            messages.update(node.inputs)
            node = replace(node, inputs=())
        elif node.regions:
            node = replace(node, regions=tuple(map(_without_messages, node.regions)))
        needed.update(node.inputs)
        nodes.append(node)
    return replace(graph, nodes=tuple(reversed(nodes)))


def _nodes(graph: Graph) -> set[Node]:
    """All nodes of a graph and of those that it calls."""
    found: set[Node] = set()
    left = [graph]
    while left:
        for node in left.pop().walk():
            callee = node.attributes.get("graph")
            if node not in found and isinstance(callee, Callee) and callee.graph is not None:
                left.append(callee.graph)
            found.add(node)
    return found


class _Division:
    def __init__(self, everything: bool, rejected: dict[Node, str]) -> None:
        self.everything, self.rejected = everything, rejected
        self.called: dict[int, str] = {}  # why not, for graphs that are called; nothing while they are looked at

    def graph(self, graph: Graph) -> Graph:
        """Replace runs of nodes, here and inside what stays Python."""
        nodes: list[Node] = []
        run: list[Node] = []
        constants = {n.outputs[0]: n for n in graph.nodes if n.op is shape_ops.constant}
        last = {v: i for i, node in enumerate(graph.nodes) for v in node.inputs}  # where a value is used last
        last |= dict.fromkeys(graph.outputs, len(graph.nodes))
        for number, node in enumerate(graph.nodes):
            if node.op is shape_ops.constant:
                nodes.append(node)
            elif self.compilable(node):
                run.append(node)
            else:
                nodes += self._native(run, constants, {v for v, i in last.items() if i >= number})
                nodes.append(replace(node, regions=tuple(map(self._inside(node), node.regions))))
                run = []
        nodes += self._native(run, constants, set(graph.outputs))
        return replace(graph, nodes=tuple(nodes))

    def _inside(self, node: Node) -> Callable[[Graph], Graph]:
        """Tests of loops stay as they are, since they are written into the `while`."""
        return lambda region: (
            region if node.op is structure.while_ and region is node.regions[0] else self.graph(region)
        )

    def compilable(self, node: Node) -> bool:
        """Whether a node has a native form, as far as can be told without writing it."""
        why = self.why_not(node)
        if why and self.everything and not _python_by_nature(node):
            raise _refusal(node, why)
        return not why

    def why_not(self, node: Node) -> str:
        """Why a node has no native form, as far as can be told without writing it; nothing if it has one."""
        if node in self.rejected:
            return self.rejected[node]
        if node.op in (structure.if_, structure.while_):
            inner = [self.why_not(n) for region in node.regions for n in region.nodes]
            why = next(filter(None, inner), "")
            if why:
                self._refuse_inside(node)
                return why
        elif node.op is structure.call:
            why = self._why_not_call(node.attributes["graph"])
            if why:
                return why
        elif not has_form(node.op):
            return f"'{node.op.name}' has no native form: {ABSENT.get(node.op, 'nobody has written one')}"
        return next(filter(None, (why_not_held(v, inside=True) for v in (*node.inputs, *node.outputs))), "")

    def why_left(self, node: Node) -> str:
        """Why a node is not part of native code: it cannot be, or what stands around it is too little work."""
        return self.why_not(node) or "it is less work than a call of machine code, or neither loops nor recurs"

    def _refuse_inside(self, node: Node) -> None:
        for region in node.regions:
            for inner in region.nodes:
                self.compilable(inner)

    def _why_not_call(self, callee: Callee) -> str:
        if id(callee) not in self.called:
            self.called[id(callee)] = ""
            known = callee.graph is not None
            why = [self.why_not(n) for n in callee.graph.nodes] if callee.graph else []
            self.called[id(callee)] = next(filter(None, why), "") if known else "it is still being traced"
        return self.called[id(callee)]

    def is_worth(self, run: Sequence[Node]) -> bool:
        if self.everything:
            return _works(run)
        return any(map(_loops, run)) or are_heavy(n for node in run for n in (node, *_inside(node)))

    def _native(self, run: Sequence[Node], constants: dict[Value, Node], needed: set[Value]) -> list[Node]:
        """A run as one node; or as it was, if it is too small to be worth it."""
        if not run or not self.is_worth(run):
            return list(run)
        made = {v for node in run for v in node.outputs}
        if not any(map(_loops, run)) and any(n.op is indexing.setitem and n.inputs[0] not in made for n in run):
            return list(run)  # NumPy writes where the array is, and machine code, which is only lent it, in a copy
        used = list(dict.fromkeys(v for node in run for v in node.inputs if v not in made))
        inside = [constants[v] for v in used if v in constants]
        inputs = tuple(v for v in used if v not in constants)
        outputs = tuple(v for node in run for v in node.outputs if v in needed)
        if any(map(why_not_held, (*inputs, *outputs))):
            return list(run)
        name = f"native_{run[0].place.line}" if run[0].place else "native"
        graph = Graph(name, inputs, (*inside, *run), outputs)
        attributes = {"function": Region(graph), "graph": Callee(name, graph)}
        return [Node(structure.native, inputs, outputs, attributes)]


def _works(run: Sequence[Node]) -> bool:
    """Whether a run is more work than a call."""
    if any(map(_loops, run)) or are_heavy(run):
        return True
    big = [n for n in run if any(v.type.shape != () for v in n.outputs)]
    return bool(big) or len(run) >= _WORTH


def _inside(node: Node) -> Iterator[Node]:
    """The nodes in the regions of a node."""
    return (inner for region in node.regions for inner in region.walk())


def _loops(node: Node) -> bool:
    if node.op is structure.while_:
        return True
    callee = node.attributes.get("graph")
    if isinstance(callee, Callee) and callee.graph is not None:
        return _recurs(callee, set()) or has_loop(callee.graph)
    return any(_loops(n) for region in node.regions for n in region.nodes)


def _recurs(callee: Callee, around: set[int]) -> bool:
    """Whether a graph calls itself, by way of others perhaps."""
    if id(callee) in around or callee.graph is None:
        return True
    inner = (n.attributes["graph"] for n in callee.graph.walk() if n.op is structure.call)
    return any(_recurs(c, {*around, id(callee)}) for c in inner)


def _python_by_nature(node: Node, known: frozenset[Callee] = frozenset()) -> bool:
    """What native code hands back to Python: effects other than on Variables, text, tensors of any rank, those that
    no memory holds, what NumPy's libraries compute, and statements around them.

    A function that calls itself does what it does otherwise.
    """
    if node.callee is not None:
        if node.callee.graph is None or node.callee in known:
            return False
        return any(_python_by_nature(n, known | {node.callee}) for n in node.callee.graph.nodes)
    if is_handed_back(node) or node.op in ABOUT_TEXT:
        return True
    values = (*node.inputs, *node.outputs)
    if any(v.type.dtype.has_objects or v.type.shape is None or is_too_large(v.type) for v in values):
        return True  # of what callbacks give, the rank is not known
    if node.regions:
        return any(_python_by_nature(n, known) for region in node.regions for n in region.nodes)
    variables = any(isinstance(v.type, HandleType) for v in node.inputs)
    return bool(node.op.effect) and not variables and not has_form(node.op)


def _refusal(node: Node, why: str) -> InvalidArgumentError:
    where = ""
    if node.place is not None:
        import linecache

        source = linecache.getline(node.place.filename, node.place.line).strip()
        where = f'\n  File "{node.place.filename}", line {node.place.line}\n    {source}'
    return InvalidArgumentError(
        f"jit_compile=True: '{node.op.name}' cannot be compiled: {why}. "
        f"Without jit_compile=True it runs on NumPy.{where}"
    )
