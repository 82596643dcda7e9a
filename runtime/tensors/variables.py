"""Variables: tensors that last from one call to the next and can be assigned."""

from __future__ import annotations

import enum
import itertools
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray
from runtime.graph.errors import InaccessibleTensorError, InvalidArgumentError
from runtime.graph.graph import HandleType, Value
from runtime.graph.op import Op
from runtime.graph.scopes import in_scope
from runtime.graph.shapes import Dims, Pattern, TensorShape, fits, show
from runtime.ops import effects
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.frames import hide
from runtime.tensors.nest import flatten
from runtime.tensors.operations import apply, strong
from runtime.tensors.operators import AUGMENTED, SYMBOLS
from runtime.tensors.read_as_tensors import ReadAsTensor
from runtime.tensors.references import Reference
from runtime.tensors.scattering import Scattering
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor, shown_value
from runtime.tensors.trace import Owner, Trace, current, recording
from runtime.tensors.types import DTypeLike, IndexLike, PatternLike, TensorLike

_count = itertools.count()
_OPTIONS = {  # of TensorFlow's, about places and devices that are not here
    "caching_device", "variable_def", "import_scope", "constraint", "experimental_enable_variable_lifting",
}  # fmt: skip


class VariableAggregation(enum.Enum):
    """What becomes of the values that several replicas give a Variable. There is one replica here.

    >>> tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN).aggregation
    <VariableAggregation.MEAN: 2>
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


class VariableSynchronization(enum.Enum):
    """When several replicas come to have one value for a Variable. There is one replica here.

    >>> tf.Variable(1.0).synchronization
    <VariableSynchronization.AUTO: 0>
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


_OF_REPLICAS: dict[str, type[enum.Enum]] = {
    "aggregation": VariableAggregation, "synchronization": VariableSynchronization,
}  # fmt: skip


def _of_replicas(option: str, value: object) -> object:
    if not isinstance(value, _OF_REPLICAS[option]):
        raise ValueError(f"Variable with {option}={value!r}: it is a tf.{_OF_REPLICAS[option].__name__}")
    if value is VariableSynchronization.ON_READ:
        raise NotImplementedError(f"Variable with {option}={value}: there is one replica")
    return value


class Variable(Scattering, ReadAsTensor):
    """A tensor that can be assigned, and lasts from one call to the next.

    Where a tensor is taken, a Variable stands for its value: in a graph for the one that it has when the run is there.

    Args:
      initial_value: what `convert_to_tensor` takes, of any shape, or a function without parameters that makes it.
      trainable: whether it is one that training is to change, as it is if that is left open.
      validate_shape: whether the shape of the value is that of all values to come.
      name: for messages; ``Variable`` by default.
      dtype: the dtype; that of the value by default.
      shape: the shape that values must fit, None for dimensions of any size; that of the value by default.
      options: TensorFlow's other options: `aggregation` and `synchronization`, which are for several replicas, and
        others, which must be None.
    Raises:
      ValueError: if there is no initial value, or it does not fit `shape`.
      VariableCreationError: in a `function`, on any call but the first, and where the initial value depends on what
        has none yet: an argument that is a TensorSpec, the state of a loop.

    >>> v = tf.Variable([1.0, 2.0])
    >>> v = v.assign_add([10.0, 10.0])
    >>> v
    <tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=array([11., 12.], dtype=float32)>
    >>> print(v * 2)
    tf.Tensor([22. 24.], shape=(2,), dtype=float32)
    """

    __array_priority__ = 101
    aggregation, synchronization = VariableAggregation.NONE, VariableSynchronization.AUTO
    _in_open_graph: ClassVar[type]  # what one is that a program makes in a graph that it fills

    def __hash__(self) -> int:
        raise TypeError(
            f"Variable '{self.name}' is unhashable, as == compares values. Use v.ref() as the key of a dictionary or "
            "an element of a set."
        )

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the Variable has a value, as it has once it is made.

        Returns: a boolean of shape ().

        >>> print(tf.Variable(1).is_initialized())
        tf.Tensor(True, shape=(), dtype=bool)
        """
        return convert_to_tensor(True)

    def ref(self) -> Reference[Variable]:
        """What stands for the Variable in dictionaries and sets, and `deref` of which is the Variable.

        >>> v = tf.Variable([1, 2])
        >>> known = {v.ref(): "weights"}
        >>> known[v.ref()], v.ref().deref() is v
        ('weights', True)
        """
        return Reference(self)

    def __init__(
        self,
        initial_value: TensorLike | Callable[[], TensorLike] | None = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        shape: PatternLike = None,
        **options: object,
    ) -> None:
        trace = current()
        if trace is not None and trace.root.is_open:
            self.__class__ = Variable._in_open_graph
            self.__init__(initial_value, trainable, validate_shape, name, dtype, shape, **options)  # type: ignore[misc]
            return
        self._take_options(options)
        if initial_value is None:
            raise ValueError("a Variable needs an initial value")
        tensor = _initial(initial_value, dtype)
        self.array = tensor.array.copy()
        self.dtype: DType = tensor.dtype
        self._shape: Pattern = self.array.shape if validate_shape else None
        if shape is not None:
            self._shape = TensorShape(shape).dims
            if not fits(self.array.shape, self._shape):
                raise ValueError(
                    f"the initial value has shape {self.array.shape}, which {show(self._shape)} does not fit"
                )
        self.trainable = trainable is None or bool(trainable)
        self.hint = in_scope(name or "Variable")
        self._own()

    def _take_options(self, options: Mapping[str, object]) -> None:
        for option, value in options.items():
            if option in _OF_REPLICAS:
                if value is not None:
                    setattr(self, option, _of_replicas(option, value))
                continue
            if option not in _OPTIONS:
                raise TypeError(f"Variable() got an unexpected keyword argument '{option}'")
            if value is not None:
                raise NotImplementedError(f"Variable with {option}={value!r}: only None is there")

    def _own(self) -> None:
        self.lock = threading.RLock()  # held while the array is replaced by one that depends on it
        self.number = next(_count)  # the order in which locks are taken

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name not in ("lock", "number")}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._own()

    @property
    def name(self) -> str:
        """The name, as graphs show it.

        >>> tf.Variable(1, name="step").name
        'step:0'
        """
        return f"{self.hint}:0"

    @property
    def shape(self) -> TensorShape:
        """The shape that its values have, None for dimensions of any size.

        >>> tf.Variable([1, 2]).shape
        TensorShape([2])
        """
        return TensorShape(self._shape)

    @property
    def handle(self) -> Variable:
        """What stands for the place rather than for the value: the Variable itself.

        >>> v = tf.Variable(1)
        >>> v.handle is v
        True
        """
        return self

    @property
    def type(self) -> HandleType:
        return HandleType(self.dtype, self._shape)

    def concrete(self) -> Variable:
        return self

    def _identify(self) -> None:
        """Called by who has to know which Variable it is: what stands for one begins anew as that."""

    def record_in(self, trace: Trace) -> Value:
        return trace.variable(self)

    # What graphs call. An array that a Variable has held is never written to: it is replaced.

    def write(self, array: NumPyArray | bytes) -> object:
        """Replace the array; returns it."""
        if isinstance(array, bytes):  # text of no dimensions, as operations give it
            array = np.array(array, object)
        with self.lock:
            if array.shape != self.array.shape:
                self._check(array.shape)
            self.array = array
        return array

    def increase(self, delta: object) -> object:
        """Add to the array; returns the sum."""
        with self.lock:  # between reading and writing nobody else writes
            array = self.array + delta
            if array.shape != self.array.shape:
                self._check(array.shape)
            self.array = array
        return array

    def decrease(self, delta: object) -> object:
        """Subtract from the array; returns the difference."""
        with self.lock:
            array = self.array - delta
            if array.shape != self.array.shape:
                self._check(array.shape)
            self.array = array
        return array

    def _check(self, shape: Dims) -> None:
        if not fits(shape, self._shape):
            raise InvalidArgumentError(
                f"'{self.hint}' has shape {show(self._shape)} and cannot be assigned a value of shape {shape}"
            )

    def __tensor__(self) -> Tensor:
        return self.read_value()

    def value(self) -> Tensor:
        """The value now, as a tensor of the shape and dtype of the Variable.

        >>> print(tf.Variable(1).value())
        tf.Tensor(1, shape=(), dtype=int32)
        """
        return self.read_value()

    def read_value(self) -> Tensor:
        """The value now, as a tensor of the shape and dtype of the Variable.

        >>> print(tf.Variable(1).read_value())
        tf.Tensor(1, shape=(), dtype=int32)
        """
        return apply(effects.read_variable, self)

    def numpy(self) -> object:
        """The value now, as a NumPy array of the same shape and dtype, or a NumPy scalar where the shape is ().

        >>> tf.Variable([1, 2]).numpy()
        array([1, 2], dtype=int32)
        """
        return self.array[()] if self.array.ndim == 0 else self.array.copy()

    def assign(
        self, value: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> object:
        """Set the value.

        Args:
          value: the new value, of the dtype of the Variable and of a shape that fits its own.
          use_locking: accepted; each assignment is one step for other threads.
          read_value: whether the new value is wanted.
        Returns: the Variable; None without `read_value`.
        Raises:
          ValueError: if dtype or shape do not fit.

        >>> v = tf.Variable([1, 2])
        >>> v.assign([3, 4])
        <tf.Variable 'Variable:0' shape=(2,) dtype=int32, numpy=array([3, 4], dtype=int32)>
        """
        return self._update(effects.assign, value, read_value)

    def assign_add(
        self, delta: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> object:
        """Add to the value.

        Args:
          delta: what to add, of the dtype of the Variable and of a shape that broadcasts to its own.
          use_locking: accepted; each assignment is one step for other threads.
          read_value: whether the new value is wanted.
        Returns: the Variable; None without `read_value`.
        Raises:
          ValueError: if dtype or shape do not fit.

        >>> v = tf.Variable([1, 2])
        >>> v.assign_add([10, 10])
        <tf.Variable 'Variable:0' shape=(2,) dtype=int32, numpy=array([11, 12], dtype=int32)>
        """
        return self._update(effects.assign_add, delta, read_value)

    def assign_sub(
        self, delta: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> object:
        """Subtract from the value.

        Args:
          delta: what to subtract, of the dtype of the Variable and of a shape that broadcasts to its own.
          use_locking: accepted; each assignment is one step for other threads.
          read_value: whether the new value is wanted.
        Returns: the Variable; None without `read_value`.
        Raises:
          ValueError: if dtype or shape do not fit.

        >>> v = tf.Variable([10, 10])
        >>> v.assign_sub([1, 2])
        <tf.Variable 'Variable:0' shape=(2,) dtype=int32, numpy=array([9, 8], dtype=int32)>
        """
        return self._update(effects.assign_sub, delta, read_value)

    def _fitting(self, value: TensorLike) -> Tensor:
        """What is assigned, of the dtype of the Variable."""
        tensor = convert_to_tensor(value, None if isinstance(value, Tensor) else self.dtype)
        if tensor.type.weak and np.can_cast(tensor.type.dtype.dtype, self.dtype.dtype, "same_kind"):
            tensor = cast(tensor, self.dtype)
        if tensor.dtype != self.dtype:
            raise ValueError(
                f"'{self.hint}' holds {self.dtype.name} and cannot be assigned {tensor.dtype.name}; use runtime.cast"
            )
        return tensor

    def _update(self, op: Op, value: TensorLike, read_value: bool) -> object:
        try:
            tensor = self._fitting(value)
            self._check_fits(op, tensor)
        except Exception as error:
            hide(error)
            raise
        made, trace = apply(op, self, tensor), current()
        return trace.assigned(self, made, read_value) if trace is not None else self if read_value else None

    def _check_fits(self, op: Op, tensor: Tensor) -> None:
        if op is not effects.assign and self.dtype.name in ("string", "bool"):
            raise InvalidArgumentError(
                f"assign_add and assign_sub are for numbers, and '{self.name}' holds {self.dtype.name}: write "
                "v.assign(value)"
            )
        if op is effects.assign and not self.shape.is_compatible_with(tensor.shape):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable shape {self.shape}, and "
                f"the assigned value shape {tensor.shape} are incompatible."
            )

    def __repr__(self) -> str:
        array = vars(self).get("array")  # which an argument of a function that is traced has none of
        known = current() is None and array is not None  # while tracing, it may be another when the graph runs
        shown = f", numpy={shown_value(array, repr)}" if known and array is not None else ""
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}{shown}>"

    def __getitem__(self, index: IndexLike) -> Tensor:
        return self._part(index)


def _augmented(name: str) -> Callable[[Variable, object], object]:
    symbol = SYMBOLS[name].partition(" ")[0]
    remedy = f"v.assign_{name}(value)" if name in ("add", "sub") else f"v.assign(v {symbol} value)"

    def refuse(self: Variable, other: object) -> object:
        raise RuntimeError(
            f"`v {symbol}= value` with the Variable '{self.hint}' would leave it as it is, and make v a tensor. Write "
            f"{remedy} to change the Variable, or v = v {symbol} value for a tensor."
        )

    return refuse


for _name in AUGMENTED:
    setattr(Variable, f"__i{_name}__", _augmented(_name))


def _initial(given: Any, dtype: DTypeLike | None) -> EagerTensor:
    """The first value of a Variable; the function that is being traced is told that there is one."""
    trace = current()
    owner = _traced(trace)
    if owner is not None:
        owner._creates_variable()
    value = given
    if callable(given):
        try:
            with recording(None):
                value = given()
        except InaccessibleTensorError:
            if owner is None:
                raise
            value = given()  # it is made of what is traced
    depends = any(isinstance(part, SymbolicTensor | Variable) for part in flatten(value))
    with recording(trace if depends else None):
        tensor = value if not isinstance(value, Tensor) or dtype is None else cast(value, dtype)
        tensor = convert_to_tensor(tensor, None if isinstance(value, Tensor) else dtype)
        if trace is not None and owner is not None and isinstance(tensor, SymbolicTensor):
            return EagerTensor.of(owner._value_now(trace, strong(trace, tensor.record_in(trace))))
    if not isinstance(tensor, EagerTensor):
        raise ValueError(
            f"the initial value of a Variable cannot depend on {tensor}, which has no value outside the function that "
            "was traced. Make the Variable there, on its first call."
        )
    return tensor


def _traced(trace: Trace | None) -> Owner | None:
    """The function that is being traced, which may make Variables on its first call only."""
    while trace is not None and trace.function is None:
        trace = trace.parent
    return None if trace is None else trace.function


def read(value: object) -> object:
    """The value of a Variable; anything else as it is."""
    return value.read_value() if isinstance(value, Variable) else value
