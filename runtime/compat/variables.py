"""Variables of graphs that a program fills: each session has values of its own for them."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from runtime.compat.graphs import OpenGraph, OpenTrace, default_graph, outermost, run_in
from runtime.compat.initializers import GlorotUniform, Zeros
from runtime.graph import scopes
from runtime.graph.dtypes import DType, NumPyArray, as_dtype
from runtime.graph.errors import FailedPreconditionError, NotFoundError
from runtime.graph.graph import Value
from runtime.graph.operations import Operation
from runtime.graph.scopes import in_scope
from runtime.graph.shapes import TensorShape, pattern
from runtime.ops import effects
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.operations import strong
from runtime.tensors.scopes import name_scope
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, current, in_force, recording
from runtime.tensors.types import DTypeLike, PatternLike, TensorLike
from runtime.tensors.variables import Variable, VariableAggregation, VariableSynchronization

if TYPE_CHECKING:
    from runtime.compat.session import Session

Initial: TypeAlias = (
    "TensorLike | Callable[..., TensorLike] | None"  # a value, or what makes one for a shape and a dtype
)

GLOBAL, LOCAL, TRAINABLE = "variables", "local_variables", "trainable_variables"


class OpenVariable(Variable):
    """A Variable of a graph that a program fills: it has a value in each session that has initialised it."""

    graph: OpenGraph
    initializer: Operation
    initial_value: SymbolicTensor
    snapshot: SymbolicTensor

    def __init__(
        self,
        initial_value: TensorLike | Callable[[], TensorLike] | None = None,
        trainable: bool | None = True,
        validate_shape: bool = True,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        shape: PatternLike = None,
        collections: Sequence[str] | None = None,
        **options: None,
    ) -> None:
        self._take_options(options)
        if initial_value is None:
            raise ValueError("a Variable needs an initial value")
        trace = current()
        assert trace is not None
        root = trace.root
        if trace is not root and trace.function is not None:
            trace.function._creates_variable()
        assert isinstance(root, OpenTrace)
        self.graph = root.public
        self.graph.check_open()
        self.hint = self.graph.unique_name(in_scope(name or "Variable"))
        self.trainable = trainable is not False
        with recording(root), root.depending(None), _inside(f"{self.hint}/"):
            self._make(initial_value, dtype, shape, validate_shape)
        self._own()
        for one in [GLOBAL] if collections is None else collections:
            self.graph.add_to_collection(one, self)
        if self.trainable:
            self.graph.add_to_collection(TRAINABLE, self)

    def _make(
        self,
        given: TensorLike | Callable[[], TensorLike],
        dtype: DTypeLike | None,
        shape: PatternLike,
        validate_shape: bool,
    ) -> None:
        value = given() if callable(given) else given
        with _inside(f"{self.hint}/Initializer/"):
            if isinstance(value, Tensor) and dtype is not None:
                value = cast(value, dtype)
            tensor = convert_to_tensor(value, None if isinstance(value, Tensor) else dtype)
            trace = in_force()
            assert isinstance(trace, OpenTrace)
            first = strong(trace, tensor.record_in(trace))
            self.initial_value = SymbolicTensor(trace, first)
        self.dtype = self.initial_value.dtype
        self._shape = pattern(self.initial_value.type.shape) if validate_shape else None
        if shape is not None:
            self._shape = TensorShape(shape).dims
            if not TensorShape(self._shape).is_compatible_with(TensorShape(self.initial_value.type.shape)):
                raise ValueError(
                    f"the initial value has shape {TensorShape(self.initial_value.type.shape)}, which "
                    f"{TensorShape(self._shape)} does not fit"
                )
        trace.variable(self)
        named = Value(self.type, self.hint)
        kind = effects.assign.rule(named.type, self.initial_value.type)
        handle = self.record_in(trace)
        trace.record(effects.assign, (handle, first), {}, [kind], hints=["Assign"])
        self.initializer = trace.operation()
        with _inside(f"{self.hint}/Read/"):
            self.snapshot = SymbolicTensor(trace, self._read())

    def _read(self) -> Value:
        trace = in_force()
        kind = effects.read_variable.rule(self.type)
        made: Sequence[Value] = trace.record(effects.read_variable, (self.record_in(trace),), {}, [kind])
        return made[0]

    @property
    def array(self) -> NumPyArray:  # type: ignore[override]
        raise NotImplementedError(f"Variable '{self.hint}' of a Graph: a Session has its value, session.run(v).")

    def __hash__(self) -> int:
        return id(self)  # as tensors of such graphs have one

    @property
    def op(self) -> Operation:
        """The operation that stands for the place.

        >>> with tf.Graph().as_default():
        ...     tf.Variable(1.0, name="w").op
        <tf.Operation 'w' type=VarHandleOp>
        """
        return self.graph.get_operation_by_name(self.hint)

    def initialized_value(self) -> SymbolicTensor:
        """The first value, a tensor of the same shape, whatever is assigned later.

        >>> with tf.Graph().as_default():
        ...     tf.Variable(1.0, name="w").initialized_value().shape
        TensorShape([])
        """
        return self.initial_value

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Refused: a session has a value of the Variable, or none.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError(
            f"is_initialized() of Variable '{self.hint}' of a Graph: only a session knows whether it has a value; its "
            "run(v) raises FailedPreconditionError where it has none"
        )

    def concrete(self) -> Variable:
        raise ValueError(
            f"Variable '{self.hint}' belongs to a Graph, and has a value only in a Session. Compute with it inside of "
            "`with graph.as_default():`, and fetch the result with session.run."
        )

    def record_in(self, trace: Trace) -> Value:
        if trace.root is not self.graph.trace:
            raise ValueError(
                f"Variable '{self.hint}' must be from the same graph as what it is used with: it is of another. Make "
                "both inside of the `as_default` of one Graph."
            )
        return super().record_in(trace)

    def numpy(self) -> object:
        raise NotImplementedError(
            f"numpy() is only available when eager execution is enabled: a Session has the value of '{self.hint}', "
            "session.run(v)."
        )

    def eval(self, session: Session | None = None) -> object:
        """The value that a session has, as an array of the same shape and dtype; by default the session in force.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        ...     v = tf.Variable([1.0, 2.0])
        ...     session.run(v.initializer)
        ...     v.eval()
        array([1., 2.], dtype=float32)
        """
        return run_in(session, "evaluate tensor using `eval()`").run(self)

    def load(self, value: TensorLike, session: Session | None = None) -> None:
        """Assign a value in a session.

        Args:
          value: what becomes an array of its dtype, of a shape that fits.
          session: by default the one in force.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        ...     v = tf.Variable(1.0)
        ...     v.load(5.0)
        ...     print(v.eval())
        5.0
        """
        run_in(session, "load a Variable").run(self.initializer, {self.initial_value: value})

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    __str__ = __repr__


Variable._in_open_graph = OpenVariable


@contextmanager
def _inside(scope: str) -> Iterator[None]:
    scopes.enter(scope)
    try:
        yield
    finally:
        scopes.leave()


class Stored(Variable):
    """The value of a Variable in one session."""

    def __init__(self, variable: OpenVariable) -> None:
        self.dtype, self._shape = variable.dtype, variable._shape
        self.trainable, self.hint = variable.trainable, variable.hint
        self.held: NumPyArray | None = None
        self._own()

    @property
    def array(self) -> NumPyArray:  # type: ignore[override]
        if self.held is None:
            raise FailedPreconditionError(
                f"Could not find variable {self.hint}: the session has no value for it. It is uninitialized: run "
                "global_variables_initializer(), or its initializer, first."
            )
        return self.held

    def write(self, array: NumPyArray | bytes) -> object:
        if isinstance(array, bytes):  # text of no dimensions, as operations give it
            array = np.array(array, object)
        with self.lock:
            self._check(array.shape)
            self.held = array
        return array

    def increase(self, delta: object) -> object:
        return self._changed(lambda array: array + delta)

    def decrease(self, delta: object) -> object:
        return self._changed(lambda array: array - delta)

    def _changed(self, change: Callable[[NumPyArray], NumPyArray]) -> object:
        with self.lock:
            if self.held is None:
                raise NotFoundError(
                    f"Could not find resource {self.hint}: the session has no value for the Variable. It is "
                    "uninitialized: run global_variables_initializer(), or its initializer, first."
                )
            return self.write(change(self.held))


class _AnyVariable(type):
    """What takes all Variables for its own."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Variable)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, Variable)


class VariableV1(metaclass=_AnyVariable):
    """`runtime.Variable` with the arguments of TensorFlow 1, in its order.

    Args:
      initial_value: what `convert_to_tensor` takes, of any shape, or a function without parameters that makes it.
      trainable: whether it is one that training is to change; True by default.
      collections: the names of the collections that it is added to in a graph; that of global Variables by default.
      validate_shape: whether the shape of the value is that of all values to come.
      caching_device, variable_def, import_scope, constraint: must be None.
      synchronization, aggregation: accepted: they are for several replicas.
      name: the name; ``Variable`` by default.
      dtype: the dtype; that of the value by default.
      expected_shape, shape: the shape that values must fit; that of the value by default.
      use_resource: accepted: Variables are as TensorFlow's resources are.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.compat.v1.Variable(3.0, name="v")
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     print(session.run(v.assign_add(1.5)))
    4.5
    """

    def __new__(  # type: ignore[misc]
        cls,
        initial_value: TensorLike | Callable[[], TensorLike] | None = None,
        trainable: bool | None = None,
        collections: Sequence[str] | None = None,
        validate_shape: bool = True,
        caching_device: None = None,
        name: str | None = None,
        variable_def: None = None,
        dtype: DTypeLike | None = None,
        expected_shape: PatternLike = None,
        import_scope: None = None,
        constraint: None = None,
        use_resource: bool | None = None,
        synchronization: VariableSynchronization | None = None,
        aggregation: VariableAggregation | None = None,
        shape: PatternLike = None,
    ) -> Variable:
        options: dict[str, Any] = {
            "caching_device": caching_device, "variable_def": variable_def, "import_scope": import_scope,
            "constraint": constraint, "synchronization": synchronization, "aggregation": aggregation,
        }  # fmt: skip
        trace = current()
        if trace is not None and trace.root.is_open:
            options["collections"] = collections
        wanted = expected_shape if shape is None else shape
        return Variable(initial_value, trainable is not False, validate_shape, name, dtype, wanted, **options)


# Variables by their names.


class VariableScope:
    """A block of `variable_scope`, as `get_variable_scope` shows it.

    >>> with tf.compat.v1.variable_scope("layer") as scope:
    ...     scope.name, scope.reuse
    ('layer', False)
    """

    def __init__(self, name: str, reuse: object, initializer: Initial, dtype: DTypeLike | None) -> None:
        self._name, self._reuse, self.dtype = name, reuse, dtype
        self.initializer = initializer

    @property
    def name(self) -> str:
        """The name, with those of the blocks around it.

        >>> with tf.compat.v1.variable_scope("net"), tf.compat.v1.variable_scope("layer") as scope:
        ...     scope.name
        'net/layer'
        """
        return self._name

    @property
    def original_name_scope(self) -> str:
        """What names of operations begin with.

        >>> with tf.compat.v1.variable_scope("net") as scope:
        ...     scope.original_name_scope
        'net/'
        """
        return f"{self._name}/" if self._name else ""

    @property
    def reuse(self) -> object:
        """Whether `get_variable` gives Variables that there are: True, False, or `AUTO_REUSE` for either.

        >>> with tf.compat.v1.variable_scope("net", reuse=tf.compat.v1.AUTO_REUSE) as scope:
        ...     scope.reuse
        AUTO_REUSE
        """
        return self._reuse

    def reuse_variables(self) -> None:
        """Have `get_variable` give Variables that there are, from now on.

        >>> with tf.compat.v1.variable_scope("net") as scope:
        ...     scope.reuse_variables()
        ...     scope.reuse
        True
        """
        self._reuse = True

    def set_initializer(self, initializer: Initial) -> None:
        """Set what makes the first values of Variables that are given none.

        >>> with tf.compat.v1.variable_scope("net") as scope:
        ...     scope.set_initializer(tf.compat.v1.zeros_initializer())
        """
        self.initializer = initializer


class _AutoReuse:
    def __repr__(self) -> str:
        return "AUTO_REUSE"

    def __bool__(self) -> bool:
        return False


AUTO_REUSE = _AutoReuse()


class _VariableScopes(threading.local):
    def __init__(self) -> None:
        self.open = [VariableScope("", False, None, None)]


_open_scopes = _VariableScopes()


def get_variable_scope() -> VariableScope:
    """The block of `variable_scope` in force.

    >>> tf.compat.v1.get_variable_scope().name
    ''
    """
    return _open_scopes.open[-1]


class variable_scope:
    """A block in which the names of `get_variable`, and of operations, begin with a common one.

    Args:
      name_or_scope: the name, or a scope that there was, which is entered again; None with `default_name`.
      default_name: the name if there is no other; a number is added where it is taken.
      values: accepted: the graph is the one in force.
      initializer: what makes the first values of Variables that are given none.
      reuse: True for Variables that there must be, `AUTO_REUSE` for those that there may be, None for what is around.
      dtype: that of Variables that are given none.
      auxiliary_name_scope: whether names of operations begin with it, too.
    Raises:
      TypeError: if there is no name.

    >>> with tf.Graph().as_default():
    ...     with tf.compat.v1.variable_scope("layer"):
    ...         w = tf.compat.v1.get_variable("w", [2])
    >>> w
    <tf.Variable 'layer/w:0' shape=(2,) dtype=float32>
    """

    def __init__(
        self,
        name_or_scope: str | VariableScope | None,
        default_name: str | None = None,
        values: object = None,
        initializer: Initial = None,
        reuse: object = None,
        dtype: DTypeLike | None = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        if name_or_scope is None and default_name is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        self._given, self._default_name, self._reuse = name_or_scope, default_name, reuse
        self._initializer, self._dtype, self._names = initializer, dtype, auxiliary_name_scope

    def __enter__(self) -> VariableScope:
        around = get_variable_scope()
        given = self._given
        if isinstance(given, VariableScope):
            name, inherits = given.name, given
        else:
            if given is None:
                given = _free_scope(around.name, str(self._default_name))
            name, inherits = f"{around.name}/{given}" if around.name else given, around
        reuse = (around.reuse or inherits.reuse) if self._reuse is None else self._reuse
        initializer = inherits.initializer if self._initializer is None else self._initializer
        made = VariableScope(name, reuse, initializer, inherits.dtype if self._dtype is None else self._dtype)
        self._scope = name_scope(f"{name}/" if name else "") if self._names else None
        if self._scope is not None:
            self._scope.__enter__()
        _open_scopes.open.append(made)
        return made

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None) -> None:
        _open_scopes.open.pop()
        if self._scope is not None:
            self._scope.__exit__(kind, error, traceback)


def _free_scope(around: str, stem: str) -> str:
    graph = outermost()
    if graph is None:
        return stem
    whole = graph.unique_name(f"{around}/{stem}" if around else stem)
    return whole.removeprefix(f"{around}/") if around else whole


def get_variable(
    name: str, shape: PatternLike = None, dtype: DTypeLike | None = None, initializer: Initial = None,
    regularizer: None = None, trainable: bool | None = None, collections: Sequence[str] | None = None,
    caching_device: None = None, partitioner: None = None, validate_shape: bool = True,
    use_resource: bool | None = None, custom_getter: None = None, constraint: None = None,
    synchronization: VariableSynchronization | None = None, aggregation: VariableAggregation | None = None,
) -> Variable:  # fmt: skip
    """The Variable of a name in the `variable_scope` in force: a new one, or one that there is, as its `reuse` says.

    Where operations run at once, there is a new one each time.

    Args:
      name: the name; those of the blocks around are put before it.
      shape: the shape; that of the `initializer` where that is a value.
      dtype: the dtype, float32 by default.
      initializer: a value, a function of a shape and a dtype, or a class of such functions; by default `glorot_uniform`
        for floats and zeros for others.
      trainable: whether training is to change it; True by default.
      collections: those that it is added to; that of global Variables by default.
      validate_shape: whether the shape of the value is that of all values to come.
      use_resource, synchronization, aggregation: accepted: Variables are as TensorFlow's resources are, on one replica.
      regularizer, caching_device, partitioner, custom_getter, constraint: must be None.
    Returns: the Variable.
    Raises:
      ValueError: if there is one and none is wanted, or there is none and one is wanted, or it has another shape or
        dtype; where neither shape nor value is given.

    >>> with tf.Graph().as_default():
    ...     with tf.compat.v1.variable_scope("net", reuse=tf.compat.v1.AUTO_REUSE):
    ...         a, b = (tf.compat.v1.get_variable("w", [2, 3]) for _ in range(2))
    >>> a is b, a.name
    (True, 'net/w:0')
    """
    given = {"regularizer": regularizer, "partitioner": partitioner, "custom_getter": custom_getter}
    _only_none(**given, caching_device=caching_device, constraint=constraint)
    scope, graph = get_variable_scope(), outermost()
    full = f"{scope.name}/{name}" if scope.name else name
    known = None if graph is None else graph.named.get(full)
    if known is not None:
        if scope.reuse is False:
            raise ValueError(
                f"Variable {full} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in "
                "VarScope?"
            )
        return _known(known, full, shape, dtype)
    if scope.reuse is True:
        raise ValueError(
            f"Variable {full} does not exist, or was not created with tf.get_variable(). Did you mean to set "
            "reuse=tf.AUTO_REUSE in VarScope?"
        )
    made_by = scope.initializer if initializer is None else initializer
    initial, wanted = _first_value(full, made_by, shape, dtype, as_dtype(dtype or scope.dtype or "float32"))
    with _inside(""):
        made = functools.partial(VariableV1, synchronization=synchronization, aggregation=aggregation)
        found = made(initial, trainable, collections, validate_shape, name=full, dtype=wanted)
    if graph is not None:
        graph.named[full] = found
    return found  # type: ignore[return-value]


def _only_none(**options: object) -> None:
    for option, value in options.items():
        if value is not None:
            raise NotImplementedError(f"get_variable with {option}={value!r}: only None is there")


def _first_value(
    full: str, made: Any, shape: PatternLike, dtype: DTypeLike | None, wanted: DType
) -> tuple[TensorLike | Callable[[], TensorLike], DType | None]:
    """What a new Variable begins with, by its initializer, and the dtype that it has; None for that of the value."""
    if made is None:
        made = GlorotUniform() if wanted.is_floating else Zeros()
    if isinstance(made, type):
        made = made()
    if callable(made):
        if shape is None:
            raise ValueError(f"Shape of a new variable ({full}) must be fully defined, but instead was <unknown>.")
        dims = TensorShape(shape).as_list()
        if None in dims:
            raise ValueError(f"Shape of a new variable ({full}) must be fully defined, but instead was {shape}.")
        return lambda: made(dims, dtype=wanted), wanted
    if shape is not None and not TensorShape(np.shape(made)).is_compatible_with(TensorShape(shape)):
        raise ValueError(f"the initializer of {full} has shape {np.shape(made)}, which is not {shape}")
    return made, None if dtype is None else as_dtype(dtype)


def _known(known: Variable, full: str, shape: PatternLike, dtype: DTypeLike | None) -> Variable:
    if shape is not None and not known.shape.is_compatible_with(TensorShape(shape)):
        raise ValueError(
            f"Trying to share variable {full}, but specified shape {TensorShape(shape)} and found shape {known.shape}."
        )
    if dtype is not None and as_dtype(dtype) != known.dtype:
        raise ValueError(
            f"Trying to share variable {full}, but specified dtype {as_dtype(dtype).name} and found dtype "
            f"{known.dtype.name}."
        )
    return known


# All of them.


def _collected(key: str, scope: str | None) -> list[Variable]:
    graph = outermost()
    return [] if graph is None else graph.get_collection(key, scope)


def global_variables(scope: str | None = None) -> list[Variable]:
    """The Variables of the graph that is filled, but for local ones.

    Args:
      scope: what their names begin with, a regular expression.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="w")
    ...     tf.compat.v1.global_variables()
    [<tf.Variable 'w:0' shape=() dtype=float32>]
    """
    return _collected(GLOBAL, scope)


def local_variables(scope: str | None = None) -> list[Variable]:
    """The Variables of the collection ``local_variables``.

    Args:
      scope: what their names begin with, a regular expression.

    >>> tf.compat.v1.local_variables()
    []
    """
    return _collected(LOCAL, scope)


def trainable_variables(scope: str | None = None) -> list[Variable]:
    """Those of the Variables of the graph that is filled that training is to change.

    Args:
      scope: what their names begin with, a regular expression.

    >>> with tf.Graph().as_default():
    ...     w, step = tf.Variable(1.0, name="w"), tf.Variable(0, trainable=False)
    ...     tf.compat.v1.trainable_variables()
    [<tf.Variable 'w:0' shape=() dtype=float32>]
    """
    return _collected(TRAINABLE, scope)


def variables_initializer(var_list: Sequence[Variable], name: str = "init") -> Operation | None:
    """The operation that gives Variables their first values, in the order of the list.

    Args:
      var_list: the Variables.
      name: the name of the operation.
    Returns: the operation; None where operations run at once, as Variables have a value there.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(1.0)
    ...     session.run(tf.compat.v1.variables_initializer([v]))
    ...     print(session.run(v))
    1.0
    """
    graph = outermost()
    if graph is None:
        return None
    return graph.no_operation(in_scope(name), [v.initializer for v in var_list if isinstance(v, OpenVariable)])


def global_variables_initializer() -> Operation | None:
    """The operation that gives all Variables of the graph that is filled their first values.

    Returns: the operation; None where operations run at once, as Variables have a value there.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable([1.0, 2.0])
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     session.run(v)
    array([1., 2.], dtype=float32)
    """
    return variables_initializer(global_variables())


def tables_initializer(name: str = "init_all_tables") -> Operation | None:
    """The operation that fills the tables of `runtime.lookup`, which are full once they are made: it does nothing.

    Args:
      name: the name of the operation.
    Returns: the operation; None where operations run at once.

    >>> tf.compat.v1.tables_initializer()
    """
    return variables_initializer((), name)


def local_variables_initializer() -> Operation | None:
    """The operation that gives the Variables of the collection ``local_variables`` their first values.

    Returns: the operation; None where operations run at once.

    >>> tf.compat.v1.local_variables_initializer()
    """
    return variables_initializer(local_variables())


def assign(
    ref: Variable, value: TensorLike, validate_shape: bool | None = None, use_locking: bool | None = None,
    name: str | None = None,
) -> object:  # fmt: skip
    """Set the value of a Variable.

    Args:
      ref: the Variable.
      value: the new value, of its dtype and of a shape that fits its own.
      validate_shape: None, or True.
      use_locking: accepted; each assignment is one step for other threads.
    Returns: in a graph the new value, a tensor, to fetch which is to assign; else the Variable.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(1.0)
    ...     print(session.run(tf.compat.v1.assign(v, 5.0)))
    5.0
    """
    if validate_shape is False:
        raise NotImplementedError("assign with validate_shape=False: make the Variable with a shape that is open")
    return ref.assign(value, name=name)


def assign_add(ref: Variable, value: TensorLike, use_locking: bool | None = None, name: str | None = None) -> object:
    """Add to the value of a Variable.

    Args:
      ref: the Variable.
      value: what to add, of its dtype and of a shape that broadcasts to its own.
      use_locking: accepted; each assignment is one step for other threads.
    Returns: in a graph the new value, a tensor, to fetch which is to assign; else the Variable.

    >>> v = tf.Variable(1.0)
    >>> print(tf.compat.v1.assign_add(v, 2.0).numpy())
    3.0
    """
    return ref.assign_add(value, name=name)


def assign_sub(ref: Variable, value: TensorLike, use_locking: bool | None = None, name: str | None = None) -> object:
    """Subtract from the value of a Variable.

    Args:
      ref: the Variable.
      value: what to subtract, of its dtype and of a shape that broadcasts to its own.
      use_locking: accepted; each assignment is one step for other threads.
    Returns: in a graph the new value, a tensor, to fetch which is to assign; else the Variable.

    >>> v = tf.Variable(1.0)
    >>> print(tf.compat.v1.assign_sub(v, 2.0).numpy())
    -1.0
    """
    return ref.assign_sub(value, name=name)


def add_to_collection(name: str, value: object) -> None:
    """Add a value to a collection of the graph that is filled.

    Args:
      name: the name of the collection, as `GraphKeys` has some.
      value: anything.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.add_to_collection("losses", 1.0)
    ...     tf.compat.v1.get_collection("losses")
    [1.0]
    """
    (outermost() or default_graph()).add_to_collection(name, value)


def get_collection(key: str, scope: str | None = None) -> list[object]:
    """The values of a collection of the graph that is filled.

    Args:
      key: the name of the collection.
      scope: what the names of the values begin with, a regular expression.

    >>> tf.compat.v1.get_collection("losses")
    []
    """
    return [*(outermost() or default_graph()).get_collection(key, scope)]
