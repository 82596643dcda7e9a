"""Sessions: parts of a graph that a program has filled are run, with values for what it was not given."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from runtime.compat.graphs import OpenGraph, default_graph, get_default_graph, needed_for, sessions
from runtime.compat.older import SparseTensorValue
from runtime.compat.variables import OpenVariable, Stored
from runtime.executors import compile_graph
from runtime.graph.dtypes import DType, NumPyArray, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Graph, HandleType, Node, TensorType, Value, strong_dtype
from runtime.graph.operations import Operation
from runtime.graph.shapes import TensorShape, fits
from runtime.optimise import optimise
from runtime.tensors import nest
from runtime.tensors.conversion import to_array
from runtime.tensors.indexed_slices import IndexedSlices
from runtime.tensors.operations import leaving
from runtime.tensors.sparse_tensor import SparseTensor
from runtime.tensors.tensor import EagerTensor, SymbolicTensor
from runtime.tensors.trace import Trace, current, recording
from runtime.tensors.types import Feeds, Structure
from runtime.tensors.variables import Variable


class IndexedSlicesValue(NamedTuple):
    """What a `Session` gives for IndexedSlices: rows as arrays, which rows of a tensor they are, and its shape.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     session.run(tf.IndexedSlices(tf.constant([1.0]), [5]))
    IndexedSlicesValue(values=array([1.], dtype=float32), indices=array([5], dtype=int32), dense_shape=None)
    """

    values: NumPyArray
    indices: NumPyArray
    dense_shape: NumPyArray | None


class ConfigProto:
    """The options of a TensorFlow 1 session, which say how its devices are used: accepted, there is one device.

    >>> config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
    >>> config.gpu_options.allow_growth = True
    >>> config.allow_soft_placement
    True
    """

    def __init__(self, **options: object) -> None:
        self.__dict__.update(options)

    def __getattr__(self, name: str) -> Any:
        if not name.endswith("options"):
            raise AttributeError(f"no option {name!r} was set")
        self.__dict__[name] = made = ConfigProto()
        return made


class Session:
    """Runs parts of a graph, and keeps values for its Variables; in a ``with`` block its graph is filled, too.

    Args:
      target: must be empty: nothing runs elsewhere.
      graph: the graph; by default the one that is filled where the Session is made.
      config: a `ConfigProto`, or None.

    >>> graph = tf.Graph()
    >>> with graph.as_default():
    ...     x = tf.compat.v1.placeholder(tf.float32, [None], name="x")
    ...     y = tf.reduce_sum(x * x)
    >>> with tf.compat.v1.Session(graph=graph) as session:
    ...     print(session.run(y, {x: [1.0, 2.0]}))
    5.0
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: object = None) -> None:
        if target:
            raise NotImplementedError(f"Session(target={target!r}): nothing runs elsewhere; leave target out")
        found = get_default_graph() if graph is None else graph
        if not isinstance(found, OpenGraph):
            raise TypeError(
                f"Session(graph={type(found).__name__}): it runs a graph that a program fills, of tf.Graph(). A "
                "function's runs when the function is called."
            )
        self._graph = found
        self._config = config
        self._stored: dict[int, Stored] = {}
        self._closed = False
        self._entered: list[ExitStack] = []

    @property
    def graph(self) -> Graph:
        """The graph that it runs parts of.

        >>> graph = tf.Graph()
        >>> tf.compat.v1.Session(graph=graph).graph is graph
        True
        """
        return self._graph

    @property
    def sess_str(self) -> str:
        """The target, which is empty.

        >>> tf.compat.v1.Session().sess_str
        ''
        """
        return ""

    def run(
        self,
        fetches: object,
        feed_dict: Feeds | None = None,
        options: None = None,
        run_metadata: None = None,
    ) -> Structure:
        """Compute what is asked for: what it depends on is run, in the order in which the program made it.

        Args:
          fetches: tensors of any shape, Variables, operations, or names of these; also lists, tuples, dictionaries of
            them.
          feed_dict: values by placeholders, or by other tensors, whose value they take then, or by their names. They
            become arrays of the tensor's dtype, and must have its shape.
          options, run_metadata: must be None.
        Returns: the structure of `fetches` with arrays for tensors, of their shapes and dtypes, NumPy scalars where the
          shape is (), bytes for text, and None for operations.
        Raises:
          RuntimeError: if the session is closed, or the graph empty.
          InvalidArgumentError: if a placeholder is needed that is not fed.
          ValueError: for names that the graph does not have, tensors of another graph, values of another shape.
          TypeError: for what cannot be fetched or fed.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        ...     a = tf.compat.v1.placeholder(tf.int32, [], name="a")
        ...     print(session.run({"twice": a * 2, "both": [a, "a:0"]}, {a: 21}))
        {'twice': np.int32(42), 'both': [np.int32(21), np.int32(21)]}
        """
        for name, value in (("options", options), ("run_metadata", run_metadata)):
            if value is not None:
                raise NotImplementedError(f"run with {name}={value!r}: only None is there")
        self._check()
        wanted = _Fetched(self._graph, fetches)
        fed = self._fed(feed_dict)
        return wanted.filled(self._run(wanted, fed))

    def make_callable(
        self, fetches: object, feed_list: Sequence[object] | None = None, accept_options: bool = False
    ) -> Callable[..., object]:
        """A function that runs the same fetches each time.

        Args:
          fetches: as `run` takes them.
          feed_list: the tensors, of any shape, whose values the function takes, in order.
          accept_options: must be False.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        ...     x = tf.compat.v1.placeholder(tf.float32, [])
        ...     double = session.make_callable(x * 2, [x])
        ...     print(double(1.0), double(2.0))
        2.0 4.0
        """
        if accept_options:
            raise NotImplementedError("make_callable with accept_options=True: there are no options")
        wanted = _Fetched(self._graph, fetches)
        tensors = [_tensor(self._graph, key) for key in feed_list or ()]

        def call(*values: object) -> object:
            self._check()
            if len(values) != len(tensors):
                raise InvalidArgumentError(
                    f"the callable takes {len(tensors)} values, one for each of feed_list, not {len(values)}"
                )
            fed = {value: array(tensor, given) for (tensor, value), given in zip(tensors, values)}
            return wanted.filled(self._run(wanted, fed))

        return call

    def _check(self) -> None:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self._graph.trace.nodes and not self._graph.get_operations():
            raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")

    def _fed(self, given: Feeds | None) -> dict[Value, NumPyArray]:
        if given is None:
            return {}
        if not isinstance(given, Mapping):
            raise TypeError(f"feed_dict must be a dictionary from tensors to values, not a {type(given).__name__}")
        fed = {}
        for key, what in given.items():
            if isinstance(key, SparseTensor):
                key = (key.indices, key.values, key.dense_shape)  # which go together
            several = isinstance(key, tuple | list)
            keys, values = (key, what) if several else ([key], [what])
            for one, value in zip(keys, values, strict=True):  # type: ignore[call-overload]
                tensor, found = _tensor(self._graph, one)
                fed[found] = array(tensor, value)
        return fed

    def _run(self, wanted: _Fetched, fed: dict[Value, NumPyArray]) -> list[object]:
        key = (tuple(map(id, wanted.keys)), tuple(map(id, fed)))
        part = self._graph.runner(key, lambda: _Part(self._graph, wanted, [*fed]))
        states = [self._state(variable) for variable in part.variables]
        run = part.careful if any(type(s) is Stored and s.held is None for s in states) else part.run
        if current() is None:
            return [_own(a) for a in run(*fed.values(), *states)]
        with recording(None):  # what Python does meanwhile is done at once
            return [_own(a) for a in run(*fed.values(), *states)]

    def _state(self, variable: Variable) -> Variable:
        """What holds the value of a Variable: that of the session, or its own."""
        if not isinstance(variable, OpenVariable):
            return variable
        found = self._stored.get(id(variable))
        if found is None:
            found = self._stored.setdefault(id(variable), Stored(variable))
        return found

    def close(self) -> None:
        """Let go of the values of Variables; `run` raises RuntimeError from now on.

        >>> session = tf.compat.v1.Session()
        >>> session.close()
        """
        self._closed = True
        self._stored.clear()

    @contextmanager
    def as_default(self) -> Iterator[Session]:
        """A block in which `Tensor.eval` and `Operation.run` mean this session.

        >>> with tf.Graph().as_default():
        ...     session, x = tf.compat.v1.Session(), tf.constant([1, 2])
        >>> with session.as_default():
        ...     x.eval()
        array([1, 2], dtype=int32)
        """
        sessions.open.append(self)
        try:
            yield self
        finally:
            sessions.open.remove(self)

    def __enter__(self) -> Session:
        stack = ExitStack()
        stack.enter_context(self._graph.as_default())
        stack.enter_context(self.as_default())
        self._entered.append(stack)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._entered.pop().close()
        self.close()


class InteractiveSession(Session):
    """A `Session` that is the one in force from when it is made until it is closed, as its graph is.

    Args:
      target: must be empty: nothing runs elsewhere.
      graph: the graph; by default the one that is filled where the Session is made.
      config: a `ConfigProto`, or None.

    >>> with tf.Graph().as_default():
    ...     session = tf.compat.v1.InteractiveSession()
    ...     print((tf.constant(3) + 4).eval())
    ...     session.close()
    7
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: object = None) -> None:
        super().__init__(target, graph, config)
        self._blocks = ExitStack()
        trace = current()
        if graph is not None or (trace is None and self._graph is not default_graph()):
            self._blocks.enter_context(self._graph.as_default())
        self._blocks.enter_context(self.as_default())

    def close(self) -> None:
        """Let go of the values of Variables, and have the session and its graph no more in force.

        >>> session = tf.compat.v1.InteractiveSession()
        >>> session.close()
        """
        super().close()
        self._blocks.close()


def get_default_session() -> Session | None:
    """The session in whose block this is, or None.

    >>> with tf.compat.v1.Session() as session:
    ...     print(tf.compat.v1.get_default_session() is session)
    True
    """
    return sessions.open[-1] if sessions.open else None


# What is fetched.


Filling: TypeAlias = "Callable[[Sequence[object]], Structure]"  # puts results together as they were asked for


class _Fetched:
    """Fetches, taken apart: what is to be computed, and how it is put together."""

    def __init__(self, graph: OpenGraph, fetches: object) -> None:
        self.graph = graph
        self.values: list[Value] = []
        self.nodes: list[Node] = []
        self.keys: list[object] = []
        self._numbers: dict[int, int] = {}
        self._fill = self._taken(fetches)

    def filled(self, results: Sequence[object]) -> Structure:
        return self._fill(results)

    def _taken(self, part: Structure) -> Filling:
        kind: Callable[..., object] = type(part)
        if isinstance(part, list | tuple):
            fills = [self._taken(p) for p in part]
            if hasattr(part, "_fields"):
                return lambda results: kind(*[fill(results) for fill in fills])
            return lambda results: kind([fill(results) for fill in fills])
        if isinstance(part, Mapping):
            named = {key: self._taken(value) for key, value in part.items()}
            return lambda results: kind((key, fill(results)) for key, fill in named.items())
        if isinstance(part, SparseTensor):
            sparse = [self._taken(p) for p in (part.indices, part.values, part.dense_shape)]
            return lambda results: SparseTensorValue(*(fill(results) for fill in sparse))  # type: ignore[arg-type]
        if nest.is_nested(part) and not isinstance(part, IndexedSlices):
            inner = [self._taken(p) for p in nest.parts(part)]
            return lambda results: nest.of_kind(part, [fill(results) for fill in inner])
        return self._leaf(part)

    def _leaf(self, part: Structure) -> Filling:
        if isinstance(part, IndexedSlices):
            parts = [self._taken(p) for p in (part.values, part.indices)]
            shape = (lambda _: None) if part.dense_shape is None else self._taken(part.dense_shape)
            return lambda results: IndexedSlicesValue(parts[0](results), parts[1](results), shape(results))
        if isinstance(part, EagerTensor) or (isinstance(part, Variable) and not isinstance(part, OpenVariable)):
            return lambda _: part.numpy()
        found = self._element(part)
        if isinstance(found, Operation):
            self._operation(found)
            return lambda _: None
        value = found.record_in(self.graph.trace) if isinstance(found, SymbolicTensor) else None
        if value is None or not isinstance(value.type, TensorType):
            raise TypeError(f"Argument `fetch` = {part!r} has no value that is an array.")
        return self._value(value)

    def _element(self, part: object) -> object:
        if part is None:
            raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
        try:
            return self.graph.as_graph_element(part)
        except TypeError as error:
            raise TypeError(
                f'Argument `fetch` = {part!r} has invalid type "{type(part).__name__}" must be a string or Tensor. '
                f"({error})"
            ) from None
        except (ValueError, KeyError) as error:
            raise ValueError(
                f"Argument `fetch` = {part} cannot be interpreted as a Tensor. ({error.args[0]})"
            ) from None

    def _value(self, value: Value) -> Filling:
        number = self._numbers.setdefault(id(value), len(self.values))
        if number == len(self.values):
            self.values.append(value)
        self.keys.append(value)
        return lambda results: results[number]

    def _operation(self, operation: Operation) -> None:
        self.keys.append(operation)
        for part in self.graph.parts_of([operation]):
            if isinstance(part, Node):
                self.nodes.append(part)
            elif not isinstance(part.type, HandleType):
                self._value(part)
                self.keys.pop()


def _own(result: object) -> object:
    """A result as the user gets it, who may write to it: nobody else holds its memory."""
    if not isinstance(result, np.ndarray) or result.ndim == 0:
        return result[()] if isinstance(result, np.ndarray) else result
    # Held by what calls here, by this, and by what counts.
    return result if result.base is None and sys.getrefcount(result) <= _HOLDERS else result.copy()


_HOLDERS = 4

# What is fed.


def _tensor(graph: OpenGraph, key: object) -> tuple[SymbolicTensor, Value]:
    if isinstance(key, Variable):
        raise TypeError(f"Variable '{key.hint}' cannot be fed: assign it, or give it a value with its method load.")
    try:
        found = graph.as_graph_element(key, allow_operation=False)
    except (ValueError, KeyError, TypeError) as error:
        raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error.args[0]}") from None
    assert isinstance(found, SymbolicTensor)
    return found, graph.trace.local(found.untold, found.traced_in)


def array(tensor: SymbolicTensor, given: object) -> NumPyArray:
    """What a tensor is fed, as an array of its dtype; raises ValueError if it has another shape."""
    if isinstance(given, SymbolicTensor | Variable):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object that belongs to a graph. Feed numbers, text, lists or "
            f"arrays; '{tensor.name}' was given {given!r}."
        )
    made = _as_array(given.array if isinstance(given, EagerTensor) else given, tensor)
    if not fits(made.shape, TensorShape(tensor.type.shape).dims):
        raise ValueError(
            f"Cannot feed value of shape {made.shape} for Tensor {tensor.name}, which has shape {_shape_text(tensor)}"
        )
    return made


def _shape_text(tensor: SymbolicTensor) -> str:
    return str(TensorShape(tensor.type.shape))


def _as_array(given: object, tensor: SymbolicTensor) -> NumPyArray:
    type_ = tensor.type
    dtype: DType = strong_dtype(type_)
    if dtype == string:
        return to_array(given, string)
    found = given if isinstance(given, np.ndarray) else np.asarray(given)
    if found.dtype.kind not in "biufc":
        raise ValueError(
            f"{given!r} was fed to '{tensor.name}', which is a tensor of {dtype.name}: it does not become one"
        )
    with np.errstate(all="ignore"):
        made = found.astype(dtype.dtype, copy=False)
    if _loses(found, made):
        raise TypeError(
            f"Type of feed value {given!r} with type {type(given)} is not compatible with Tensor type "
            f"{dtype.name}: '{tensor.name}' would lose what it holds. Feed it as {dtype.name}."
        )
    return made.astype(type_.dtype.dtype, copy=False)


def _loses(found: NumPyArray, made: NumPyArray) -> bool:
    """Whether numbers are others after they became another dtype, other than by rounding."""
    if made.dtype.kind in "fc" and found.dtype.kind != "c":
        return False
    if found.dtype == made.dtype or (found.dtype.kind == "c" and made.dtype.kind == "c"):
        return False
    return not np.array_equal(found, made)


# What is run.


class _Part:
    """A part of a graph, as it is run for what is fetched and fed."""

    def __init__(self, graph: OpenGraph, wanted: _Fetched, fed: Sequence[Value]) -> None:
        known = set(fed)
        nodes, outside = needed_for(graph, wanted.values, wanted.nodes, known)
        missing = [v for v in outside if not isinstance(v.type, HandleType)]
        if missing:
            raise InvalidArgumentError(_unfed(graph, missing[0]))
        scratch = Trace(graph.name)
        scratch.nodes = [*nodes]
        outputs = [leaving(scratch, value) for value in wanted.values]
        handles = {handle: variable for variable, handle in graph.trace.variables.values()}
        self.variables = [handles[value] for value in outside]
        self._graph = optimise(Graph("run", (*fed, *outside), tuple(scratch.nodes), tuple(outputs)))
        self.run: Callable[..., Sequence[object]] = compile_graph(self._graph, None)
        self.holds = (graph, wanted)  # their names in the key of it are addresses
        self._careful: Callable[..., Sequence[object]] | None = None

    @property
    def careful(self) -> Callable[..., Sequence[object]]:
        """What runs it where Variables may have no value: each is looked at when the program is there."""
        if self._careful is None:
            self._careful = compile_graph(self._graph, False)
        return self._careful


def _unfed(graph: OpenGraph, value: Value) -> str:
    operation = graph.operation_of(value)
    shape = "" if TensorShape(value.type.shape).rank in (None, 0) else f" and shape {TensorShape(value.type.shape)}"  # type: ignore[union-attr]
    return (
        f"You must feed a value for placeholder tensor '{operation.name}' with dtype {value.dtype.name}{shape}: "
        f"session.run(..., feed_dict={{'{operation.name}:0': ...}})"
    )
