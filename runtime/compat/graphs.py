"""Graphs that a program fills, operation by operation, and runs in parts."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from runtime.graph.graph import Callee, Graph, HandleType, Node, Place, TensorType, Type, Value
from runtime.graph.op import Op
from runtime.graph.operations import Operation, names_of
from runtime.graph.scopes import in_scope
from runtime.ops import effects
from runtime.tensors import nest
from runtime.tensors.effects import control_dependencies
from runtime.tensors.operations import symbolic
from runtime.tensors.scopes import device, name_scope
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, current, record_from_now_on, recording
from runtime.tensors.types import Feeds
from runtime.tensors.variables import Variable

if TYPE_CHECKING:
    from runtime.compat.session import Session


R = TypeVar("R")


class OpenOperation(Operation):
    """An operation of a graph that a program fills."""

    def __init__(self, graph: OpenGraph, name: str, kind: str, node: Node | None, makes: tuple[Value, ...]) -> None:
        super().__init__(graph, name, kind, node, makes)
        self.after: tuple[Operation, ...] = ()  # what runs whenever it does, where that is all that it is for

    @property
    def outputs(self) -> list[Tensor]:  # type: ignore[override]
        trace = self._graph.trace  # type: ignore[attr-defined]
        return [
            symbolic(trace, value) if isinstance(value.type, TensorType) else Operation.result(self, i, value)  # type: ignore[misc]
            for i, value in enumerate(self.makes)
        ]

    def run(self, feed_dict: Feeds | None = None, session: Session | None = None) -> None:
        """Run it in a session.

        Args:
          feed_dict: as `Session.run` takes it.
          session: by default the one in force.
        Raises:
          ValueError: if there is none.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session():
        ...     v = tf.Variable(1.0)
        ...     v.initializer.run()
        ...     print(v.eval())
        1.0
        """
        run_in(session, "execute operation using `run()`").run(self, feed_dict)

    @property
    def control_inputs(self) -> list[Operation]:
        graph: Any = self._graph
        return [*self.after, *(graph.operation_of(part) for part in graph.trace.controls.get(self.node, ()))]


class OpenTrace(Trace):
    """What records the operations of a graph that a program fills."""

    is_open = True

    def __init__(self, graph: OpenGraph) -> None:
        super().__init__("graph")
        self.public = graph
        self.function = _Program()
        self.controls: dict[Node | None, tuple[Node | Value, ...]] = {}  # what runs before a node whenever it does
        self.stack: list[tuple[Node | Value, ...]] = [()]

    def record(
        self, op: Op, inputs: Sequence[Value], attributes: Mapping[str, object], types: Sequence[Type],
        regions: Sequence[Graph] = (), hints: Sequence[str] = (), place: Place | None = None,
    ) -> tuple[Value, ...]:  # fmt: skip
        self.public.check_open()
        made = super().record(op, inputs, attributes, types, regions, hints, place)
        if self.stack[-1]:
            self.controls[self.nodes[-1]] = self.stack[-1]
        return made

    def so_far(self) -> Graph:
        return self.public

    def name_of(self, value: Value) -> str:
        found = self.public.makers.get(value)
        return super().name_of(value) if found is None else f"{found[0].name}:{found[1]}"

    def operation(self, since: int = 0) -> Operation:
        if len(self.nodes) == since:
            return self.public.no_operation(in_scope("NoOp"), ())
        return self.public.operation_of(self.nodes[-1])

    @contextmanager
    def depending(self, on: object) -> Iterator[None]:
        given = () if on is None else tuple(dict.fromkeys([*self.stack[-1], *self.public.parts_of(on)]))
        self.stack.append(given)
        try:
            yield
        finally:
            self.stack.pop()

    def assigned(self, variable: Variable, made: SymbolicTensor, read_value: bool) -> object:
        return Assigned(variable, self, made.value) if read_value else self.operation()

    def no_value(self, what: object) -> str:
        return (
            f"{what} belongs to a Graph, and has a value only where a Session runs it: session.run({self._called(what)}"
            "). Compute with it inside of `with graph.as_default():`."
        )

    def _called(self, what: object) -> str:
        return repr(what.name) if isinstance(what, SymbolicTensor) else "..."

    def elsewhere(self, value: Value) -> str:
        return (
            f"'{self.name_of(value)}' ({value.type}) must be from the same graph as what it is used with: it is of "
            "another. Make both inside of the `as_default` of one Graph."
        )


class Assigned(SymbolicTensor):
    """What an assignment gives in a graph that a program fills: the new value. To fetch it is to assign."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Variable, trace: Trace, value: Value) -> None:
        super().__init__(trace, value)
        self._variable = variable

    def __getattr__(self, name: str) -> Any:
        if not name.startswith(("assign", "scatter_", "initial", "handle", "trainable", "read_value", "value")):
            return super().__getattr__(name)
        with self.traced_in.depending([self]):
            found = getattr(self._variable, name)
            if not callable(found):
                return found
            trace = self.traced_in

        def later(*args: object, **kwargs: object) -> object:
            with trace.depending([self]):
                return found(*args, **kwargs)

        return later


class _Program:
    """Who makes the Variables: the program may, at any time."""

    def _creates_variable(self) -> None:
        pass

    def _value_now(self, trace: Trace, value: Value) -> object:
        raise AssertionError("Variables of such graphs have their first value when they are initialised")


class OpenGraph(Graph):
    """A graph that a program fills; `Graph` makes it."""

    def _begin(self) -> None:
        self.trace = OpenTrace(self)
        self.lock = threading.RLock()
        self.runners: dict[object, Any] = {}  # compiled parts, by what is fetched and fed
        self.collections: dict[str, list[Any]] = {}
        self.named: dict[str, Variable] = {}  # the Variables of `get_variable`
        self._kinds: dict[Node, str] = {}
        self._finished = False
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}  # the last that was put behind a name
        self._listed: dict[str, Operation] = {}
        self._of: dict[object, Operation] = {}  # by their nodes; what is given, by the value
        self._makers: dict[Value, tuple[Operation, int]] = {}
        self._count = self._given = 0

    # What graphs are asked for.

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.trace.name

    @property
    def inputs(self) -> tuple[Value, ...]:  # type: ignore[override]
        return (*self.trace.inputs, *(handle for _, handle in self.trace.variables.values()))

    @property
    def nodes(self) -> tuple[Node, ...]:  # type: ignore[override]
        return (*self.trace.first, *self.trace.listed(self.trace.nodes))

    @property
    def outputs(self) -> tuple[Value, ...]:  # type: ignore[override]
        return ()

    @property
    def traced(self) -> None:  # type: ignore[override]
        return None

    @property
    def variables(self) -> tuple[Variable, ...]:  # type: ignore[override]
        return tuple(variable for variable, _ in self.trace.variables.values())

    @property
    def effects(self) -> frozenset[str]:  # type: ignore[override]
        return Graph.effects.func(self)  # type: ignore[attr-defined,no-any-return]

    @property
    def callees(self) -> frozenset[Callee]:  # type: ignore[override]
        return Graph.callees.func(self)  # type: ignore[attr-defined,no-any-return]

    @property
    def _operations(self) -> dict[str, Operation]:  # type: ignore[override]
        self._list()
        return self._listed

    @property
    def makers(self) -> dict[Value, tuple[Operation, int]]:  # type: ignore[override]
        self._list()
        return self._makers

    def __repr__(self) -> str:
        return f"<Graph of {len(self._operations)} operations>"

    def __str__(self) -> str:
        return repr(self)

    def __copy__(self) -> OpenGraph:
        return self

    # The operations, listed as they come.

    def _list(self) -> None:
        trace = self.trace
        given = len(trace.inputs) + len(trace.variables)
        if len(trace.nodes) == self._count and given == self._given and not (trace.before or trace.first):
            return
        with self.lock:
            self._list_new()
            self._given = given

    def _list_new(self) -> None:
        trace = self.trace
        if trace.before or trace.first or len(trace.nodes) < self._count:
            new = [node for node in self.nodes if node not in self._of]
        else:
            new = trace.nodes[self._count :]
        self._count = len(trace.nodes)
        for value in self.inputs:
            if value not in self._of:
                self._add(value.hint, "VarHandleOp" if isinstance(value.type, HandleType) else "Placeholder", value)
        fresh = []
        for node in new:
            known = self._makers.get(node.outputs[0]) if node.outputs else None
            if known is None:
                fresh.append(node)
            else:  # it stands in the place of another
                self._of[node] = known[0]
                known[0].node = node
        names = names_of(fresh, self.unique_name)
        for node in fresh:
            kind = self._kinds.get(node) or node.op.tensorflow_name(node)
            self._enter(OpenOperation(self, names[node], kind, node, node.outputs), node)

    def _add(self, stem: str, kind: str, value: Value) -> None:
        name = stem if stem in self._taken and stem not in self._listed else self.unique_name(stem)  # it may be its own
        self._enter(OpenOperation(self, name, kind, None, (value,)), value)

    def _enter(self, operation: OpenOperation, key: object) -> None:
        self._listed[operation.name] = operation
        self._of[key] = operation
        for i, value in enumerate(operation.makes):
            self._makers[value] = (operation, i)

    def operation_of(self, part: Node | Value) -> Operation:
        self._list()
        return self._of[part]

    def no_operation(self, stem: str, after: Sequence[Operation]) -> Operation:
        """An operation that does nothing by itself, and runs others."""
        self.check_open()
        self._list()
        with self.lock:
            made = OpenOperation(self, self.unique_name(stem), "NoOp", None, ())
            made.after = tuple(after)
            self._enter(made, made)
        return made

    def mark(self, kind: str) -> None:
        """Have the operation that was recorded last be of another type."""
        self._kinds[self.trace.nodes[-1]] = kind

    def parts_of(self, things: object) -> Iterator[Node | Value]:
        """What operations, tensors and Variables are in the graph."""
        for thing in nest.flatten(things):
            if isinstance(thing, OpenOperation):
                if thing.after:
                    yield from self.parts_of(list(thing.after))
                elif thing.node is not None or thing.makes:
                    yield thing.node or thing.makes[0]
            elif isinstance(thing, SymbolicTensor):
                value = thing.record_in(self.trace)
                yield self.makers[value][0].node or value
            elif thing is None:
                raise TypeError("None is neither an operation nor a tensor: what gave it has nothing to run in a graph")

    # What a program does with it.

    def check_open(self) -> None:
        if self._finished:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    @contextmanager
    def as_default(self) -> Iterator[OpenGraph]:
        """A block whose operations become part of the graph, rather than running at once.

        >>> with tf.Graph().as_default() as graph:
        ...     x = tf.compat.v1.placeholder(tf.float32, [None], name="x")
        ...     y = x * 2
        >>> y
        <tf.Tensor 'multiply:0' shape=(None,) dtype=float32>
        """
        with recording(self.trace):
            yield self

    @property
    def finalized(self) -> bool:
        """Whether nothing can be added any more."""
        return self._finished

    def finalize(self) -> None:
        """Have nothing added any more: that raises RuntimeError from now on."""
        self._finished = True

    @property
    def building_function(self) -> bool:
        """False: it is no function's."""
        return False

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """A name that no operation has: the name given, if it is free, or that and a number.

        Args:
          name: the name.
          mark_as_used: whether the name that is returned counts as taken from now on.
        """
        found, number = name, self._numbers.get(name, 0)
        while found in self._taken:
            number += 1
            found = f"{name}_{number}"
        if mark_as_used:
            self._taken.add(found)
            self._numbers[name] = number
        return found

    def as_graph_element(self, obj: object, allow_tensor: bool = True, allow_operation: bool = True) -> object:
        """The tensor or operation of the graph that an object or a name stands for.

        Args:
          obj: a tensor, an operation, a Variable, or the name of one.
          allow_tensor, allow_operation: which of them it may be.
        Raises:
          KeyError: if the graph has none of that name.
          TypeError: for what is none of these.
          ValueError: for what belongs to another graph.
        """
        if isinstance(obj, str):
            name, colon, number = obj.partition(":")
            if colon and not allow_tensor:
                raise ValueError(f"Name {obj!r} appears to refer to a Tensor, not a Operation: that of it is {name!r}.")
            if number and allow_tensor:
                if name not in self._operations:
                    raise KeyError(
                        f"The name {obj!r} refers to a Tensor which does not exist. The operation, {name!r}, does not "
                        "exist in the graph."
                    )
                known = next((v for v in self.variables if v.name == obj), None)
                return self.get_tensor_by_name(obj) if known is None else self.as_graph_element(known)
            if obj not in self._operations:
                raise KeyError(f"The name {obj!r} refers to an Operation not in the graph.")
            if not allow_operation:
                raise ValueError(f"{obj!r} is the name of an Operation; a Tensor of it is {obj}:0.")
            return self.get_operation_by_name(obj)
        if isinstance(obj, Variable) and hasattr(obj, "snapshot"):
            obj = obj.snapshot
        if isinstance(obj, SymbolicTensor) and allow_tensor:
            if obj.traced_in is not self.trace and obj.graph is not self:
                raise ValueError(f"Tensor {obj} is not an element of this graph.")
            return obj
        if isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                raise ValueError(f"Operation {obj.name!r} is not an element of this graph.")
            return obj
        wanted = ["Tensor"] * allow_tensor + ["Operation"] * allow_operation
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {' or '.join(wanted)}.")

    def add_to_collection(self, name: str, value: object) -> None:
        """Add a value to the collection of a name."""
        self.collections.setdefault(name, []).append(value)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """The values of a collection; with a `scope`, a regular expression, those whose names begin with it."""
        found = self.collections.get(name, [])
        return [v for v in found if not scope or re.match(scope, getattr(v, "name", ""))]

    def get_collection_ref(self, name: str) -> list[Any]:
        """The collection itself, which may be changed."""
        return self.collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        """The names of the collections."""
        return [*self.collections]

    def clear_collection(self, name: str) -> None:
        """Make a collection empty."""
        self.collections.pop(name, None)

    def control_dependencies(self, control_inputs: object) -> AbstractContextManager[None]:
        """`runtime.control_dependencies`, as a method."""
        return control_dependencies(control_inputs)

    def name_scope(self, name: str | None) -> name_scope:
        """`runtime.name_scope`, as a method; None for a block in which names have nothing before them."""
        return name_scope("" if name is None else name)

    def device(self, device_name: str | None) -> AbstractContextManager[None]:
        """`runtime.device`, as a method."""
        return device(device_name)

    # What is run of it.

    def runner(self, key: object, make: Callable[[], R]) -> R:
        """What runs a part, made once."""
        found = self.runners.get(key)
        if found is None:
            with self.lock:
                found = self.runners.get(key)
                if found is None:
                    found = self.runners[key] = make()
        return found


def begin(graph: Graph) -> None:
    """Make a new graph one that a program fills."""
    object.__setattr__(graph, "__class__", OpenGraph)
    graph._begin()  # type: ignore[attr-defined]


def needed_for(
    graph: OpenGraph, values: Sequence[Value], wanted: Sequence[Node], fed: set[Value]
) -> tuple[list[Node], list[Value]]:
    """The nodes that a run needs, in program order, and what they are given from outside, but for what is fed."""
    nodes, trace = graph.nodes, graph.trace
    checks = _checks(nodes)
    needed: set[Value] = {v for v in values if v not in fed}
    run: set[Node] = set(wanted)
    kept: list[Node] = []
    for node in reversed(nodes):
        if node not in run and needed.isdisjoint(node.outputs):
            continue
        kept.append(node)
        needed.update(v for v in node.inputs if v not in fed)
        parts = (*trace.controls.get(node, ()), *checks.get(node, ()))
        run.update(part for part in parts if isinstance(part, Node))
        needed.update(part for part in parts if isinstance(part, Value) and part not in fed)
    kept.reverse()
    made = {v for node in kept for v in node.outputs}
    given = dict.fromkeys(v for v in (*values, *(v for n in kept for v in n.inputs)) if v not in made and v not in fed)
    given.update(dict.fromkeys(v for v in graph.inputs if v in needed and v not in made))
    return kept, [*given]


def _checks(nodes: Sequence[Node]) -> dict[Node, tuple[Node, ...]]:
    """For each node the assertions that hold for it: made before it, on the same line of the user's, of the same.

    These belong to what a function gives, as the shape that `ensure_shape` asks for does.
    """
    found: dict[Node, tuple[Node, ...]] = {}
    here: list[tuple[Node, set[Value]]] = []
    outside: dict[Value, set[Value]] = {}  # what each value of this line is made of that other lines have made
    for before, node in zip((None, *nodes), nodes):
        if before is None or before.place != node.place:
            here, outside = [], {}
        of = set().union(*(outside.get(v, {v}) for v in node.inputs))
        outside.update((v, of) for v in node.outputs)
        if held := tuple(check for check, about in here if about <= of):
            found[node] = held
        if node.op is effects.assert_:
            here.append((node, of))
    return found


# The graph that is filled where no other is.

_default: list[OpenGraph] = []


def _new() -> OpenGraph:
    made = Graph()
    assert isinstance(made, OpenGraph)
    return made


def default_graph() -> OpenGraph:
    """The graph of the process."""
    if not _default:
        _default.append(_new())
    return _default[0]


def get_default_graph() -> Graph:
    """The graph that operations become part of: in a `function` that of the function, so far as it is traced.

    Where operations run at once, the one of the process, which is empty unless something was put into it.

    >>> graph = tf.Graph()
    >>> with graph.as_default():
    ...     print(tf.compat.v1.get_default_graph() is graph)
    True
    """
    trace = current()
    return default_graph() if trace is None else trace.so_far()


def reset_default_graph() -> None:
    """Begin with an empty graph of the process.

    Raises AssertionError inside of the `as_default` of another.

    >>> tf.compat.v1.reset_default_graph()
    """
    trace = current()
    if trace is not None and trace is not default_graph().trace:
        raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs. Leave their blocks first.")
    _default[:] = [_new()]
    if trace is not None:
        record_from_now_on(default_graph().trace)


def disable_eager_execution() -> None:
    """Have operations become part of a graph, from now on, in this thread and those that begin later.

    >>> tf.compat.v1.disable_eager_execution()
    >>> tf.constant(1) + 1
    <tf.Tensor 'add:0' shape=() dtype=int32>
    >>> tf.compat.v1.enable_eager_execution()
    >>> tf.compat.v1.reset_default_graph()

    Raises:
      ValueError: inside of a function or of the `as_default` of a graph.
    """
    if current() is not None:
        if current() is default_graph().trace:
            return
        raise ValueError("tf.disable_eager_execution must be called at program startup, outside of any graph.")
    record_from_now_on(default_graph().trace)


def enable_eager_execution(config: object = None, device_policy: object = None, execution_mode: object = None) -> None:
    """Have operations run at once again, as they do by default.

    Args:
      config, device_policy, execution_mode: accepted: there is one device, and one thing runs after the other.
    Raises:
      ValueError: inside of a function or of the `as_default` of a graph.

    >>> tf.compat.v1.enable_eager_execution()
    """
    trace = current()
    if trace is None:
        return
    if trace is not default_graph().trace:
        raise ValueError("tf.enable_eager_execution must be called at program startup, outside of any graph.")
    record_from_now_on(None)


def outermost() -> OpenGraph | None:
    """The graph that is filled where this is; None where operations run at once, or become part of a function alone."""
    trace = current()
    return trace.root.public if trace is not None and isinstance(trace.root, OpenTrace) else None


def run_in(session: Session | None, how: str) -> Session:
    """The session that is given, or the one in force."""
    found = session if session is not None else default_session()
    if found is None:
        raise ValueError(
            f"Cannot {how}: No default session is registered. Use `with sess.as_default()` or pass an explicit session."
        )
    return found


class _Sessions(threading.local):
    def __init__(self) -> None:
        self.open: list[Session] = []


sessions = _Sessions()


def default_session() -> Session | None:
    return sessions.open[-1] if sessions.open else None


def evaluated(tensor: Tensor, feed_dict: Feeds | None, session: Session | None) -> object:
    """What ``tensor.eval(feed_dict, session)`` gives."""
    if not isinstance(tensor, SymbolicTensor):
        raise NotImplementedError("eval is not supported when eager execution is enabled: use numpy()")
    return run_in(session, "evaluate tensor using `eval()`").run(tensor, feed_dict)
