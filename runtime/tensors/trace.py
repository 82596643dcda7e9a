"""Recording: a Python function becomes a Graph."""

from __future__ import annotations

import linecache
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum, unique
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from autograph import StagingError, begin_staging, end_staging
from autograph.dispatch import Signal
from autograph.operators import recursion
from runtime.graph import settings as config
from runtime.graph.dtypes import DType, NumPyArray, bool_, python_numbers
from runtime.graph.errors import InaccessibleTensorError
from runtime.graph.graph import Graph, HandleType, Node, Place, TensorType, Type, Value, replaced
from runtime.graph.op import Op
from runtime.graph.operations import Operation
from runtime.graph.scopes import in_scope
from runtime.ops import effects, shape as shape_ops
from runtime.tensors.frames import user_call, user_place

if TYPE_CHECKING:
    from runtime.tensors.variables import Variable

_MOST = 500_000  # operations; to trace and to compile them takes minutes
_DEEP, _MANY = 30, 300  # regions in one another, and in all, after which it is asked whether a function calls itself


class Recurs(Signal):
    """What is being traced calls itself, which was not known when its tracing began."""


class Which(Signal):
    """It matters which of the arrays that a function is given are one."""


class Owner(Protocol):
    """What is being traced."""

    def _creates_variable(self) -> None:
        """Take note of a Variable that is made meanwhile; raises VariableCreationError if none may be."""

    def _value_now(self, trace: Trace, value: Value) -> object:
        """The array that a value has in the call that is traced; raises VariableCreationError if that is not known."""


def nothing_was_there(value: object) -> bool:
    """Whether something was there, where nobody knows of anything that was."""
    return False


def _all_was_there(value: object) -> bool:
    return True


class Trace:
    """A graph in the making."""

    is_open = False  # is it a graph that a program fills and runs in parts, rather than a function's?
    put_twice = False  # may an array or a dictionary have been put into lists of the graph twice?
    finds: Callable[[object], bool] = staticmethod(nothing_was_there)  # of the body of a loop: before the loop
    knows: Callable[[object], bool] = staticmethod(
        _all_was_there
    )  # what there was before, the same in each of its runs

    def __init__(self, name: str, parent: Trace | None = None, repeats: bool = False) -> None:
        self.name = name
        self.parent = parent
        self.repeats = repeats  # does it run once for each iteration of a loop?
        self.instead: Trace | None = None  # the other branch of the statement, if it comes after one
        self.taken_if: tuple[Value, bool] | None = None  # of a branch: the condition, and what it is then
        # Numbers that are not these known ones here, as the program has been told.
        self.excluded: set[tuple[Value, int]] = set()
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        self.captures: dict[Value, tuple[Value, Value]] = {}  # by any of its names: as the parent knows it, and this
        self.gone: set[Value] = set()  # the results of nodes that have been taken back
        self.constants: dict[Value, object] = {}
        self.tables: dict[int, tuple[NumPyArray, NumPyArray, Value]] = {}  # Python's arrays, copies, and constants
        self.origins: dict[Value, Value] = {}  # of numbers that were made Python's: what they were
        self.untold: dict[Value, Value] = {}  # of tensors whose shape was told: what they were before
        self.variables: dict[int, tuple[Variable, Value]] = {}
        self.writes = False  # has it mattered whether a value is a tensor, a number or an array, which can be written?
        self.layouts: list[Any] = []  # arrays of which it matters, once they are written, how they lie; None: it does
        self._kept: dict[int, tuple[Any, Any]] = {}
        self.first: list[Node] = []  # nodes that need nothing, and stand before all others
        self.before: dict[Node, list[Node]] = {}  # those that have come to stand before a node
        self.finds_place: Callable[[], Place | None] | None = None  # who knows it, until it is asked for
        self.place: Place | None = None  # of the nodes that are made, if it is not the line that is being run
        self.handles: dict[Value, Variable] = {}  # the Variables behind handles
        self.pinned: dict[int, tuple[object, Value, Trace]] = {}  # arrays of which each use is the same value
        self.shared: list[Any] = []  # objects that must not change any more, of the outermost graph
        # Containers of the graph, where they were made, and by which instruction of the program's.
        self.born: dict[int, tuple[object, Trace, ListAt | None]] = {}
        self.stores: dict[type, Any] = {}  # what objects of classes hold that are the graph's, of the outermost graph
        self.acts = ""  # what a function that it calls has changed that outlives the call
        self.undo: list[Callable[[], None]] = []  # has it as it was before that
        self.sources: dict[int, Any] = {}  # of random numbers, by the identities of generators, of the outermost graph
        self.bits: dict[int, Any] = {}  # what such generators take theirs from, with its class and seed
        self.was_there: Callable[[object], bool] = nothing_was_there  # before the Function was traced
        self.left: dict[object, Any] = {}  # and where such functions leave something, by what tells places apart
        self.held: list[Any] = []  # what the graphs of such functions ask of objects
        self.callers: frozenset[int] = frozenset()  # the identities of lists and other containers that it was given
        self.callees: list[Any] = []  # calls of functions that call themselves, of the outermost graph
        self.long_calls: list[Any] = []  # such calls that are a part of the graph, of the outermost graph
        self.results: dict[int, list[Any]] = {}  # what keeps those of cached functions, by their identities
        self.copied = False  # may an object be in a list of the graph twice?
        self.put_into: dict[int, tuple[object, set[str]]] = {}  # by its identity one, and the names of such lists
        self.met: list[Any] = []  # arrays that may be others, each with a trace that reads it
        self.memories: dict[int, Any] = {}  # what stands for arrays of NumPy's that variables may hold
        self.lent: list[tuple[Any, NumPyArray]] = []  # what stands for the caller's arrays, and these
        self.sharing: list[tuple[Any, Any]] = []  # of these, those of which two share memory
        self.asks_which = False  # has it been asked which of the program's arrays one is?
        self.arrays: list[Any] = []  # that lists were given or gave away, in which trace, and the list
        self.written: list[Trace] = []  # where an array has been written as the element of such a list
        self._put: dict[int, tuple[NumPyArray, NumPyArray, Place | None]] = {}
        self._so_far: Graph | None = None  # as it was shown last
        self.handled: BaseException | None = None  # what the caller of the Function was handling
        self.given: Sequence[object] | None = None  # the tensors that the Function was called with
        self.function: Owner | None = None  # the Function being traced, if this is its outermost graph
        self.numpys: bool = parent is not None and parent.numpys  # are Python's numbers what NumPy makes of them?
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.tells_apart = False  # was one array given twice, which it is traced for as two?
        self.joins = False  # may it be a part of the graph around instead?
        self.unrolls = False  # are loops over Python's ranges unrolled, whatever that comes to?
        self.counted: list[tuple[Trace, int]] = []  # where one of them is a loop of the graph
        self.recurs = False  # has it been found that what is traced calls itself, and must be traced anew?
        self._regions: list[int] = [0] if parent is None else parent._regions  # how many there have been, of all
        self._regions[0] += 1
        # What has called the outermost function may call itself, or be code of a test's runner that was converted once.
        self._outside: int = recursion.depth() if parent is None else parent._outside
        many = self.depth > 0 and self._regions[0] % _MANY == 0
        if (many or (self.depth and self.depth % _DEEP == 0)) and recursion.found(twice=many, outside=self._outside):
            self._tell_it_recurs()
            raise Recurs

    def _tell_it_recurs(self) -> None:
        """Tell whoever traces the Function around: a clause of the user's may swallow the signal."""
        around: Trace | None = self
        while around is not None and around.function is None:
            around = around.parent
        if around is not None:
            around.recurs = True

    def input(self, type_: Type, hint: str) -> Value:
        value = Value(type_, hint)
        self.inputs.append(value)
        return value

    def local(self, value: Value, owner: Trace) -> Value:
        """A value of this trace, or of one around it, as this one knows it."""
        if owner is self:
            return value
        if value not in self.captures:
            if self.parent is None:
                raise InaccessibleTensorError(owner.elsewhere(value))
            around = self.parent.local(value, owner)
            if around not in self.captures:
                self.captures[around] = (around, Value(value.type, value.hint))
            self.captures[value] = self.captures[around]  # whoever asks, by whatever name
        return self.captures[value][1]

    def origin(self, value: Value) -> tuple[Trace, Value]:
        """Which trace has made a value that this one has, itself or one around it, and what that is there."""
        around = next((outer for outer, own in self.captures.values() if own is value), None)
        return (self, value) if around is None or self.parent is None else self.parent.origin(around)

    def told(self, value: Value) -> Iterator[Value]:
        """What a tensor has been, the last first, as its shape was told: all of it is one thing to a gradient."""
        known: Value | None = value
        while known is not None:
            yield known
            known = self.untold.get(known)

    @property
    def captured(self) -> dict[Value, Value]:
        """What it has of traces around it: each value as the parent knows it, and as this one does."""
        return dict(self.captures.values())

    def variable(self, variable: Variable) -> Value:
        """The handle of a Variable: an input of the outermost graph."""
        root = self
        while root.parent is not None:
            root = root.parent
        if id(variable) not in root.variables:
            handle = Value(HandleType(variable.dtype, variable.shape.dims), variable.hint)
            root.variables[id(variable)] = (variable, handle)
            root.handles[handle] = variable
        return self.local(root.variables[id(variable)][1], root)

    @property
    def root(self) -> Trace:
        """The outermost graph."""
        return self if self.parent is None else self.parent.root

    def ask_which(self) -> None:
        """Note that it matters which array one is.

        Raises StagingError in a Function that only as a part of the graph around knows that, and Which where it is not
        told which of the arrays that the Function was given are one.
        """
        inner = self.of_function()
        if inner.joins:
            raise joined(inner.name, "asks which array one is")
        if inner.tells_apart:
            raise Which
        self._asked_which()

    def _asked_which(self) -> None:
        self.asks_which = True
        if self.parent is not None:
            self.parent._asked_which()

    def reach(self, owner: Trace) -> None:
        """Have the very array of some trace, to write or to return it. Raises StagingError where that is around the
        Function, which has it only as a part of that graph."""
        inner = self.of_function()
        if inner.joins and not owner.is_within(inner):
            raise joined(inner.name, "changes or returns an array that its caller has made")

    def of_function(self) -> Trace:
        """The outermost graph of the Function that is being traced."""
        return self if self.function is not None or self.parent is None else self.parent.of_function()

    def is_within(self, other: Trace) -> bool:
        """Whether it is another trace, or goes on inside it."""
        return self is other or (self.parent is not None and self.parent.is_within(other))

    def known(self, value: Value, owner: Trace) -> Value | None:
        """A value of this trace or of one around it as this one knows it, if it has met it."""
        return value if owner is self else self.captures.get(value, (None, None))[1]

    def kept(self, array: NumPyArray) -> object:
        """What an array of the user's holds now, whatever is written into it later."""
        if self.parent is not None:
            return self.parent.kept(array)
        known, copy = self._kept.get(id(array), (None, None))
        if known is array and not array.flags.writeable:
            return copy
        if known is not array or copy.shape != array.shape or copy.tobytes() != array.tobytes():
            self._kept[id(array)] = (array, copy := array.copy())
        return copy

    def put(self, array: NumPyArray) -> None:
        """Know an array of Python's own of which the graph has a copy from now on."""
        if id(array) not in self.root._put:
            self.root._put[id(array)] = array, array.copy(), user_place()

    def arrays_put(self) -> list[NumPyArray]:
        """The arrays of Python's own of which the graph has copies."""
        return [array for array, *_ in self.root._put.values()]

    def written_since(self) -> tuple[object, Place | None] | None:
        """Such an array that holds something else by now, and where the graph had a copy."""
        put = self._put.values()
        return next(((a, place) for a, copy, place in put if a.tobytes() != copy.tobytes()), None)

    def constant(self, array: object, dtype: DType, weak: bool = False) -> Value:
        """An array that is the same at every run."""
        type_ = shape_ops.constant.rule(value=array, dtype=dtype, weak=weak)
        return self.record(shape_ops.constant, (), {"value": array, "dtype": dtype}, [type_], hints=["c"])[0]

    def record(
        self,
        op: Op,
        inputs: Sequence[Value],
        attributes: Mapping[str, object],
        types: Sequence[Type],
        regions: Sequence[Graph] = (),
        hints: Sequence[str] = (),
        place: Place | None = None,
    ) -> tuple[Value, ...]:
        """Add a node; returns its results. Its place is the user's line that is being run, if no other is given."""
        names = hints or [op.name] * len(types)
        outputs = tuple([Value(t, hint) for t, hint in zip(types, names, strict=True)])
        if op is shape_ops.constant:
            self.constants[outputs[0]] = attributes["value"]
        at, name = user_call()
        if self.finds_place is not None:
            self.place, self.finds_place = self.finds_place(), None
        at = place or self.place or at
        self.nodes.append(Node(op, tuple(inputs), outputs, dict(attributes), tuple(regions), at, in_scope(""), name))
        if len(self.nodes) > _MOST:
            raise self._too_long()
        return outputs

    @contextmanager
    def at(self, finds: Callable[[], Place | None]) -> Iterator[None]:
        """Record nodes as of a line of the user's that is not run any more, and is looked for once there is one."""
        before = self.place
        self.finds_place = finds if before is None else None
        try:
            yield
        finally:
            self.place, self.finds_place = before, None

    def _too_long(self) -> StagingError:
        place = user_place()
        where = f"\n  {place.filename}:{place.line}" if place is not None else ""
        return StagingError(
            f"the graph of {self.name} has more than {_MOST:,} operations, and a loop that Python runs adds more. "
            f"Loop over a tensor, or over runtime.range, so that the graph repeats the body.{where}"
        )

    def graph(self, outputs: Sequence[Value], inputs: Sequence[Value] | None = None) -> Graph:
        """The finished graph."""
        inputs = self.inputs if inputs is None else inputs
        return Graph(self.name, tuple(inputs), (*self.first, *self.listed(self.nodes)), tuple(outputs))

    def replace(self, node: Node, other: Node, before: Sequence[Node] = ()) -> None:
        """Have another node that makes the same, and more, stand in the place of one, and some stand before it.

        The number of every node stays the same.
        """
        at = next(i for i in range(len(self.nodes) - 1, -1, -1) if self.nodes[i] is node)
        self.nodes[at] = other
        earlier = self.before.pop(node, [])
        if earlier or before:
            self.before[other] = [*earlier, *before]

    def listed(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes of it with those that have come to stand before them."""
        return [each for node in nodes for each in (*self.before.get(node, ()), node)] if self.before else list(nodes)

    def pin(self, tensor: Any) -> Value:
        """The value for a tensor that is at hand, the same wherever it is used from now on, as a gradient asks for."""
        known = self.pinned_value(tensor.array)
        if known is None:
            value = self.constant(tensor.array, tensor.type.dtype)
            self.root.pinned[id(tensor.array)] = (tensor, value, self)
            return value
        return known

    def pinned_value(self, array: object) -> Value | None:
        """What stands for such an array here."""
        pinned = self.root.pinned
        _, value, owner = pinned.get(id(array), (None, None, None)) if pinned else (None, None, None)
        return self.local(value, owner) if value is not None and owner is not None and self.is_within(owner) else None

    def so_far(self) -> Graph:
        """The graph with what has been recorded by now: the same one until there is more."""
        handles = [handle for _, handle in self.variables.values()]
        inputs = [*self.inputs, *handles, *self.captured.values()]
        known = self._so_far
        if known is None or (len(known.nodes), len(known.inputs)) != (len(self.nodes), len(inputs)):
            known = self._so_far = self.graph((), inputs)
        return known

    def name_of(self, value: Value) -> str:
        """What a tensor is called, as `Graph.get_tensor_by_name` calls it."""
        return f"{value.hint}:0"

    def operation(self, since: int = 0) -> Operation | None:
        """The operation that was recorded last, where it can be run by itself; if none is after the first `since`,
        one that does nothing."""
        return None

    def assigned(self, variable: Variable, made: Any, read_value: bool) -> object:
        """What an assignment to a Variable gives, of which `made` is the new value."""
        return variable if read_value else None

    @contextmanager
    def depending(self, on: object) -> Iterator[None]:
        """A block whose operations run after others: here they keep the order of the program anyway."""
        yield

    def line_of(self, what: object) -> str:
        """The line that made a tensor of it, or a value, in brackets; nothing for its inputs."""
        value = getattr(what, "value", what)
        places = (node.place for node in reversed(self.nodes) if value in node.outputs)
        place = next(places, None)
        if place is None:
            return ""
        return f" ({place.filename}:{place.line}: {linecache.getline(place.filename, place.line).strip()})"

    def no_value(self, what: object) -> str:
        """Why a tensor of it has no value outside."""
        return (
            f"{what} was made while tracing {self.name}{self.line_of(what)}, which has ended; it has no value "
            "outside. Return it from the function, or keep it in a Variable."
        )

    def elsewhere(self, value: Value) -> str:
        """Why another one cannot use a value of it."""
        return (
            f"'{value.hint}' ({value.type}) was made while tracing {self.name}{self.line_of(value)}, which has ended "
            "or is another function. Pass it as an argument, return it, or keep it in a Variable."
        )

    def rewind(self, count: int) -> None:
        """Take back all nodes but the first `count`; what was captured for the others stays an input, and unused."""
        self.gone.update(*(node.outputs for node in self.nodes[count:]))
        del self.nodes[count:]
        self._so_far = None
        root = self.root
        root.shared = [one for one in root.shared if one.trace is not self or one.at < count]
        root.counted = [(trace, at) for trace, at in root.counted if trace is not self or at < count]
        root.callees = [call for call in root.callees if not call.is_made_after(self, count)]

    def forget(self, region: Trace) -> None:
        """Let go of what is known of objects from a region that was traced in vain."""
        if region is not self:
            self.root.shared = [one for one in self.root.shared if not one.trace.is_within(region)]
            self.root.arrays = [one for one in self.root.arrays if not one[1].is_within(region)]
            self.root.written = [trace for trace in self.root.written if not trace.is_within(region)]
            self.root.counted = [one for one in self.root.counted if not one[0].is_within(region)]
            self.root.callees = [call for call in self.root.callees if not call.is_made_after(region)]

    def known_constants(self) -> dict[Value, object]:
        """What is the same at each run, by the values that this trace has for it."""
        if self.parent is None:
            return self.constants
        around = self.parent.known_constants()
        return self.constants | {own: around[value] for value, own in self.captured.items() if value in around}

    @property
    def is_repeated(self) -> bool:
        """Whether what is recorded here runs once for each iteration of a loop."""
        return self.repeats or (self.parent is not None and self.parent.is_repeated)

    def operations(self, count: int) -> int:
        """How many operations come after the first `count`, those in branches and loops included."""
        return sum(map(_operations, self.nodes[count:]))

    def acted(self, count: int) -> bool:
        """Whether a node after the first `count` does something that is not the same when it is done twice."""
        return effects.act(self.nodes[count:])

    def silence(self, count: int) -> None:
        """Have nodes after the first `count` show the user nothing: they stay for what they compute, and what follows
        does all that they did once more. The number of every node stays the same."""
        for node in self.nodes[count:]:
            if (made := silent(node)) is not node:
                self.replace(node, made)


def _operations(node: Node) -> int:
    return 1 + sum(_operations(inner) for region in node.regions for inner in region.nodes)


def silent(node: Node) -> Node:
    """The node, or one in its place that shows nothing."""
    if node.op.tells:
        nothing = Value(TensorType(bool_, ()), "nothing")
        attributes = {"value": np.False_, "dtype": bool_, "weak": False}
        return replaced(node, op=shape_ops.constant, inputs=(), outputs=(nothing,), attributes=attributes)
    regions = [replaced(g, nodes=tuple(map(silent, g.nodes))) for g in node.regions]
    same = all(a is b for r, g in zip(regions, node.regions) for a, b in zip(r.nodes, g.nodes))
    return node if same else replaced(node, regions=tuple(regions))


_ground: list[Trace | None] = [None]  # what threads begin with


class _Stack(threading.local):
    def __init__(self) -> None:
        self.traces: list[Trace | None] = [*_ground]


_stack = _Stack()


@unique
class Way(Enum):
    """What may be the graph's from the start, so that it can change it, though Python is quicker where it need not."""

    ARRAYS = 0  # arrays and deques that a traced function makes
    KEYS = 1  # dictionaries and sets that it makes
    ROWS = 2  # lists of lists, which are rows of any length
    STATE = 3  # arrays that the program keeps
    HISTORIES = 4  # lists that it keeps and only appends to
    CALLS = 5  # what other functions do, that give what is NumPy's
    DRAWN = 6  # not even random numbers: Python draws them, while tracing
    LISTS = 8  # lists that are put into others, or into tuples there
    ORDERED = 10  # lists with arrays in them, put in order: others of what they hold take their places
    COUNTERS = 11  # each ``itertools.count`` that it makes
    THOROUGH = 9  # each call, which may be what yields, or give what nobody else knows
    FIRST = 12  # the first iteration of a loop that adds keys to dictionaries: it is done before the loop
    PASSED = 7  # no lists and dictionaries that are arguments and kept by the program: each is one


class ListAt(NamedTuple):
    """A way, too: the list that is made at an instruction of some code."""

    code: CodeType
    instruction: int


class Followed(NamedTuple):
    """A way, too: functions of this code are followed with the exceptions that they catch and without."""

    code: CodeType


class AnotherArrayAt(NamedTuple):
    """A way, too: a list that becomes an array at a line may become one of another shape or dtype there, as it is empty
    or holds numbers of other types."""

    filename: str
    line: int


class Grown(NamedTuple):
    """A way, too: a container of this identity that the program keeps is the graph's, which makes it longer or
    shorter."""

    identity: int


class Handled(NamedTuple):
    """A way, too: objects of a class, which have attributes of these names, are the graph's; of a class of this
    library's those that are made at an instruction of the program's."""

    kind: type
    names: tuple[str, ...]
    at: ListAt | None = None


class Optionally(NamedTuple):
    """A way, too: an attribute of such objects is None, or one of the objects of another class, or a value."""

    kind: type
    name: str
    other: type | None


AnyWay: TypeAlias = Way | ListAt | Followed | AnotherArrayAt | Grown | Handled | Optionally


class _Ways(threading.local):
    """The ways in which a function is being traced, and what would have done otherwise in another way."""

    taken: frozenset[AnyWay] = frozenset()
    wanted: frozenset[AnyWay] = frozenset()
    asking = True  # is it followed what seldom is raised?
    asked = False  # has that been asked for?
    lends = False  # may the outermost function's arguments be held by an object instead, where it refuses one?

    def asks(self) -> bool:
        """Whether a function is followed with what operations seldom raise, too; it is known that this was asked."""
        self.asked = True
        return self.asking

    @property
    def join(self) -> bool:
        """Whether a function becomes part of the graph that calls it, as that has what the program keeps."""
        return not JOINING.isdisjoint(self.taken)

    def takes(self, way: AnyWay) -> bool:
        """Whether the function is traced in a way; if not, it is known that it might be."""
        if way not in self.taken:
            self.wanted |= {way}
        return way in self.taken


JOINING = frozenset((Way.STATE, Way.HISTORIES, Way.CALLS, Way.DRAWN))
ways = _Ways()


def joined(name: str, why: str) -> StagingError:
    """What says that a Function has to be a part of the graph that calls it: that is traced anew, and then it is."""
    ways.takes(Way.CALLS)
    return StagingError(
        f"{name} {why}, and which array that is would be lost in a graph of its own. Do not decorate it, and it is a "
        "part of the graph that calls it."
    )


def in_force() -> Trace:
    """The innermost trace, where it is known that there is one."""
    trace = current()
    assert trace is not None
    return trace


def current() -> Trace | None:
    """The trace that records what this thread does, or None where operations run at once."""
    return _stack.traces[-1]


class Moment:
    """A place in a graph that is being recorded."""

    def __init__(self) -> None:
        self._within = traces_around(current())

    def is_past(self) -> bool | None:
        """Whether it came before what is recorded now, rather than in the other branch of one statement; None where
        only the graph knows."""
        here = traces_around(current())
        if self._within[:1] and self._within[0] in here:
            return True
        return False if any(trace.instead in self._within for trace in here if trace.instead is not None) else None


def traces_around(trace: Trace | None) -> list[Trace]:
    """A trace and those that it is in."""
    return [] if trace is None else [trace, *traces_around(trace.parent)]


def outside_of_functions() -> bool:
    """Whether what is being traced is the graph of no Function: it runs once, now, or is not run at all."""
    trace = current()
    while trace is not None and trace.parent is not None:
        trace = trace.parent
    return trace is not None and trace.function is None and not trace.is_open


def executing_eagerly() -> bool:
    """Whether operations run at once, rather than being recorded in a graph: they do outside of a `function`.

    >>> tf.executing_eagerly(), tf.function(lambda: tf.executing_eagerly())()
    (True, <tf.Tensor: shape=(), dtype=bool, numpy=False>)
    """
    return current() is None


class recording:
    """Record into `trace`; None runs operations at once, inside a trace too."""

    __slots__ = ("before", "trace")

    def __init__(self, trace: Trace | None) -> None:
        self.trace = trace

    def __enter__(self) -> None:
        begin_staging()  # which may import what is staged: nothing of that is recorded
        _stack.traces.append(self.trace)
        _count_trace(1)
        self.before = python_numbers.are_numpys
        if self.trace is not None:
            python_numbers.are_numpys = self.trace.numpys

    def __exit__(self, *_: object) -> None:
        python_numbers.are_numpys = self.before
        _count_trace(-1)
        end_staging()
        _stack.traces.pop()


def record_from_now_on(trace: Trace | None) -> None:
    """Record into `trace` wherever nothing else is said, in this thread and those to come; None ends that."""
    before, _ground[0] = _ground[0], trace
    _stack.traces[0] = trace
    if trace is not None and before is None:
        begin_staging()
        _count_trace(1)
    elif trace is None and before is not None:
        _count_trace(-1)
        end_staging()


_counting = threading.Lock()


def _count_trace(change: int) -> None:
    with _counting:
        config.busy.value += change


def close(
    traces: Sequence[Trace], parameters: Sequence[Sequence[Value]], outputs: Sequence[Sequence[Value]]
) -> tuple[list[Value], list[Graph]]:
    """The traces as closed regions with the same inputs: their parameters, then whatever any of them captured."""
    outer: dict[Value, None] = {}
    for trace in traces:
        outer.update(dict.fromkeys(trace.captured))
    regions = []
    for trace, own, results in zip(traces, parameters, outputs):
        inner = trace.captured
        captured = [inner.get(value) or Value(value.type, value.hint) for value in outer]
        regions.append(trace.graph(results, [*own, *captured]))
    return list(outer), regions
