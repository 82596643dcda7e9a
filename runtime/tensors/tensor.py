"""Tensors: eager ones hold an array, symbolic ones stand for a value of a graph; both speak Python and NumPy."""

from __future__ import annotations

import copy
import dis
import functools
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from autograph.dispatch import answer
from autograph.rules import why_left_alone
from runtime.graph import errors
from runtime.graph.dtypes import DType, NumPyArray, as_dtype, float32, string
from runtime.graph.graph import Graph, ListType, Node, TensorType, Value, strong_dtype
from runtime.graph.operations import Operation
from runtime.graph.shapes import TensorShape
from runtime.ops import strings
from runtime.tensors.frames import asker, assigns_item, hide, indexed_object, looked_into, marked, unhashed
from runtime.tensors.masks import mask_of, set_mask, take_masks
from runtime.tensors.nest import ATOMS
from runtime.tensors.operators import AUGMENTED, Operators, function as of_operator
from runtime.tensors.references import Reference
from runtime.tensors.trace import Trace, Way, current, ways
from runtime.tensors.types import DTypeLike, Feeds, IndexLike, PatternLike, TensorLike

Number = bool | int | float | complex
_SAYS_READ_ONLY = np.lib.NumpyVersion(np.__version__) >= "2.1.0"  # whether NumPy's arrays can, by DLPack
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"  # where tensors are, as TensorFlow calls it


class _Counted:
    """How many references Python counts in a method of what only the call holds, and of what is held besides."""

    def count(self) -> int:
        return sys.getrefcount(self)

    @classmethod
    def held(cls) -> int:
        one = cls()
        return one.count()


_HELD = _Counted.held()
_ALONE = _Counted().count() if _Counted().count() < _HELD else -1


class Meaning:
    """What tensors do with the help of the modules above this one, which fill it in."""

    binary: Callable[[str, Tensor, object, bool], object]  # an operator, with its operands swapped or not
    unary: Callable[[str, Tensor], object]
    namespace: Callable[[str | None], object]
    evaluate: Callable[[Tensor, Feeds | None, object], object]
    part: Callable[[Tensor, object], Any]
    assign: Callable[[Tensor, object, object], None]
    items: Callable[[Tensor], Iterator[Any]]
    cast: Callable[[Tensor, DTypeLike], Tensor]
    transpose: Callable[..., Tensor]  # in the order of some axes, or the other way round
    shape: Callable[[SymbolicTensor], TensorShape]
    size: Callable[[SymbolicTensor], object]
    ensured: Callable[[Tensor, TensorShape], Tensor]  # to have a shape
    method: Callable[[str], Callable[..., Any] | None]  # of arrays, by its name
    ufunc: Callable[..., object]  # NumPy's protocols
    function: Callable[..., object]
    pythons: Callable[[object], object]  # a number or text as one of Python's
    error: Callable[..., Exception]  # what NumPy's own function raises


def _tell(error: Exception, function: Callable[..., object], *args: object, **kwargs: object) -> None:
    """Raise what NumPy's own function does, if it is known that it raises something."""
    told = Meaning.error(error, function, args, kwargs)
    if told is not error:
        raise told from None


class Tensor(Operators):
    """An n-dimensional array of one dtype: with a value, or standing for one that a graph will have.

    Operators work element by element and broadcast shapes as NumPy does. Python's numbers and NumPy's, lists and arrays
    take the dtype of the tensor if they fit, tensors of different dtypes promote as in NumPy 2. What may stand in the
    brackets behind an array may stand behind a tensor, and NumPy's functions and the methods of arrays work on tensors
    as well.

    >>> x = tf.constant([[1, 2], [3, 4]])
    >>> print(x[:, 0] * 10 + 0.5)
    tf.Tensor([10.5 30.5], shape=(2,), dtype=float64)
    >>> print(np.sum(x, axis=1), x.max())
    tf.Tensor([3 7], shape=(2,), dtype=int64) tf.Tensor(4, shape=(), dtype=int32)
    """

    __slots__ = ("__weakref__",)
    __array_priority__ = 100
    of_numpy = False  # whether it has NumPy's manners

    if TYPE_CHECKING:  # what a type checker may expect of a tensor that has a value

        def numpy(self) -> object: ...

        def __int__(self) -> int: ...

        def __float__(self) -> float: ...

        def __complex__(self) -> complex: ...

        def __index__(self) -> int: ...

        def __array__(self, dtype: object = None, copy: bool | None = None) -> object: ...

    __hash__ = None  # type: ignore[assignment]

    @property
    def type(self) -> TensorType:
        raise NotImplementedError

    @property
    def dtype(self) -> DType:
        """The dtype of the elements.

        >>> tf.constant([1, 2]).dtype
        tf.int32
        """
        return strong_dtype(self.type)

    @property
    def shape(self) -> TensorShape:
        """The shape: a sequence of the dimensions, None for those that are not known.

        >>> tf.zeros([2, 3]).shape
        TensorShape([2, 3])
        """
        return TensorShape(self.type.shape)

    def get_shape(self) -> TensorShape:
        """The shape, as a method.

        >>> tf.zeros([2, 3]).get_shape()
        TensorShape([2, 3])
        """
        return self.shape

    def set_shape(self, shape: PatternLike) -> None:
        """Say what shape the tensor has; None stands for dimensions of any size.

        What tracing does not know of the shape it knows afterwards, and the graph checks it when it runs. A branch or a
        loop says nothing of a tensor from around it.

        Raises ValueError if the shape does not fit.

        >>> tf.zeros([2, 3]).set_shape([None, 3])
        >>> @tf.function
        ... def f(x):
        ...     y = tf.py_function(lambda v: v + 1, [x], tf.float32)
        ...     y.set_shape([4])
        ...     print(y.shape)
        ...     return y
        >>> y = f(tf.zeros([4]))
        (4,)
        """
        self.shape.merge_with(shape)

    @property
    def ndim(self) -> int:
        """The rank: how many dimensions the shape has.

        >>> tf.zeros([2, 3]).ndim
        2
        """
        return len(self.shape)

    def ref(self) -> Reference[Tensor]:
        """What stands for the tensor, of whatever shape, in dictionaries and sets; its `deref` is the tensor.

        >>> x = tf.constant([1, 2])
        >>> x.ref() == x.ref(), x.ref() == tf.constant([1, 2]).ref()
        (True, False)
        """
        return Reference(self)

    def _binary(self, name: str, other: object, swapped: bool = False) -> object:
        try:
            return Meaning.binary(name, self, other, swapped)
        except Exception as error:
            hide(error)
            _tell(error, of_operator(name), *((other, self) if swapped else (self, other)))
            raise

    def _unary(self, name: str) -> object:
        try:
            return Meaning.unary(name, self)
        except Exception as error:
            hide(error)
            _tell(error, of_operator(name), self)
            raise

    def _repeats(self) -> bool:
        """Whether a sequence times this is the sequence as many times, rather than each element times a tensor."""
        return self.type.weak

    def __getitem__(self, index: IndexLike, /) -> Tensor:
        try:
            return Meaning.part(self, index)
        except Exception as error:
            hide(error)
            raise

    def __setitem__(self, index: IndexLike, value: TensorLike, /) -> None:
        """Have this tensor, by whatever names it is known, hold other values in a part."""
        Meaning.assign(self, index, value)

    def _become(self, other: object) -> None:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Tensor]:
        try:
            return Meaning.items(self)
        except Exception as error:
            hide(error)
            raise

    def __len__(self) -> int:
        return self._count("counted by len()")

    def _count(self, wanted: str) -> int:
        dims = self.type.shape
        if dims == () and self.type.dtype == string and isinstance(self, SymbolicTensor):
            raise self._refused_text(f"cannot be {wanted} then")
        if dims == ():
            raise TypeError(f"a scalar tensor cannot be {wanted}")
        if not dims or not isinstance(dims[0], int):
            raise errors.OperatorNotAllowedInGraphError(
                f"{self} cannot be {wanted} here: its length is known only when the graph runs. Iterate over it with "
                "`for` in a converted function, or use runtime.shape(x)[0] for its length."
            )
        return dims[0]

    # NumPy's methods and protocols, so that code written for arrays works.

    @property
    def T(self) -> Tensor:
        """The tensor with its axes in reverse order; its shape, too, is reversed.

        >>> tf.zeros([2, 3]).T.shape
        TensorShape([3, 2])
        """
        return Meaning.transpose(self)

    @property
    def mT(self) -> Tensor:
        """The matrices that it holds with rows and columns swapped: the last two axes of the shape.

        Raises ValueError for a rank below 2.

        >>> tf.zeros([5, 2, 3]).mT.shape
        TensorShape([5, 3, 2])
        """
        if self.ndim < 2:
            raise ValueError(f"mT is of matrices, a tensor of rank 2 or more; this one has rank {self.ndim}")
        order = (*range(self.ndim - 2), self.ndim - 1, self.ndim - 2)
        return Meaning.transpose(self, order)

    @property
    def device(self) -> str:
        """Where the tensor is, whatever its shape: the CPU, as TensorFlow calls it.

        >>> tf.constant(1).device
        '/job:localhost/replica:0/task:0/device:CPU:0'
        """
        return CPU

    def to_device(self, device: str, /, *, stream: None = None) -> Tensor:
        """The tensor, of the same shape, on a device: the CPU, which is the one that there is.

        Args:
          device: ``"cpu"``, or what `device` gives.
          stream: must be None.
        Raises:
          ValueError: for any other.

        >>> print(tf.constant(1).to_device("cpu"))
        tf.Tensor(1, shape=(), dtype=int32)
        """
        if device not in ("cpu", CPU) or stream is not None:
            raise ValueError(f"to_device({device!r}, stream={stream!r}): only the CPU computes here, without streams")
        return self

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        return Meaning.namespace(api_version)

    def eval(self, feed_dict: Feeds | None = None, session: object = None) -> object:
        """The value of a tensor of a graph that a `compat.v1.Session` runs, as an array of the same shape and dtype.

        Args:
          feed_dict: what placeholders hold.
          session: the Session; by default the one in whose block this is.
        Raises:
          ValueError: if there is no session.
          NotImplementedError: for a tensor that has a value.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session():
        ...     (tf.constant([1, 2]) * 2).eval()
        array([2, 4], dtype=int32)
        """
        return Meaning.evaluate(self, feed_dict, session)

    def astype(self, dtype: DTypeLike) -> Tensor:
        """A tensor of the same shape with its elements in another dtype, as `cast` makes it.

        >>> print(tf.constant([1.8]).astype(tf.int32))
        tf.Tensor([1], shape=(1,), dtype=int32)
        """
        return Meaning.cast(self, dtype)

    @property
    def _keras_mask(self) -> Tensor:
        """The mask that a layer has given it, by the name that programs on Keras ask for, set and delete it by."""
        mask = mask_of(self)
        if mask is None:
            raise AttributeError(self._no_attribute("_keras_mask"))
        return mask

    @_keras_mask.setter
    def _keras_mask(self, mask: Tensor | None) -> None:
        take_masks(self)
        set_mask(self, mask)

    @_keras_mask.deleter
    def _keras_mask(self) -> None:
        if mask_of(self) is None:
            raise AttributeError(self._no_attribute("_keras_mask"))
        take_masks(self)

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **kwargs: object) -> object:
        try:
            return Meaning.ufunc(ufunc, method, inputs, kwargs)
        except Exception as error:
            _tell(error, getattr(ufunc, method), *inputs, **kwargs)
            raise

    def __array_function__(self, function: Any, types: object, args: Any, kwargs: Any) -> object:
        try:
            return Meaning.function(function, args, kwargs)
        except Exception as error:
            _tell(error, function, *args, **kwargs)
            raise

    def _call(self, name: str, method: Callable[..., object], /, *args: object, **kwargs: object) -> object:
        """A method of arrays."""
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            _tell(error, lambda x, *more, **named: getattr(x, name)(*more, **named), self, *args, **kwargs)
            raise

    def __getattr__(self, name: str) -> Any:
        method = None if name.startswith("_") else Meaning.method(name)
        if method is not None:
            return functools.partial(self._call, name, method)
        if not name.startswith("_") and self.type.dtype == string and hasattr(str, name):
            raise self._refused_text(f"has no method '{name}' then")
        if hasattr(np.ndarray, name) and not name.startswith("_"):
            raise errors.NoStagedMethodError(
                f"arrays have '{name}', but it has no staged meaning: {self} gets its value only when the graph runs. "
                "Use an operation of runtime, or runtime.py_function to call NumPy then."
            )
        raise AttributeError(self._no_attribute(name))

    def _refused_text(self, what: str) -> Exception:
        return errors.OperatorNotAllowedInGraphError(
            f"{self} is text that gets its value only when the graph runs, and {what}: runtime.strings has what a "
            "graph can do with text, and runtime.py_function calls Python for the rest."
        )

    def _no_attribute(self, name: str) -> str:
        return f"'{type(self).__name__}' object has no attribute '{name}'"


class EagerTensor(Tensor):
    """A tensor that holds its value."""

    __slots__ = ("array", "assign")  # what assigns it, where it is a part of a Variable

    def __init__(self, array: Any) -> None:
        self.array = array

    @classmethod
    def of(cls, array: object) -> EagerTensor:
        if type(array) is bytes:  # NumPy's own text has a length, and loses zeros at its end
            text = np.empty((), object)
            text[()] = array
            return cls(text)
        return cls(np.asarray(array))

    @property
    def type(self) -> TensorType:
        return TensorType(as_dtype(self.array.dtype), self.array.shape)

    @property
    def size(self) -> int:
        """How many elements the shape has room for.

        >>> tf.zeros([2, 3]).size
        6
        """
        return int(self.array.size)

    def concrete(self) -> object:
        return self.array

    def __setitem__(self, index: object, value: object, /) -> None:
        raise TypeError(
            "'EagerTensor' object does not support item assignment: its value is one for good. In a runtime.function, "
            "`x[i] = v` on a tensor that it was given or made has x hold another; elsewhere use a NumPy array or a "
            "Variable."
        )

    def record_in(self, trace: Trace) -> Value:
        pinned = trace.pinned_value(self.array)
        return trace.constant(self.array, as_dtype(self.array.dtype)) if pinned is None else pinned

    def numpy(self) -> object:
        """The value as an array of the same shape and dtype; a NumPy scalar (bytes for a string) where the shape is ().

        >>> tf.constant([1, 2]).numpy()
        array([1, 2], dtype=int32)
        """
        array = self.array
        if array.ndim == 0:
            return array[()]
        if sys.getrefcount(self) == _ALONE and sys.getrefcount(array) == _HELD and array.base is None:
            flags = array.flags  # of `f(x).numpy()`, say, nobody else has the memory
            if flags.owndata and flags.writeable and flags.c_contiguous:
                return array
        return array.copy()

    def item(self) -> object:
        """The one element of a tensor as a Python value; raises ValueError for any other shape.

        >>> tf.constant([1.5]).item()
        1.5
        """
        return self.array.item()

    def tolist(self) -> object:
        """The value as Python values, in lists nested by the shape.

        >>> tf.constant([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return self.array.tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> object:
        array = np.array(self.array, dtype=dtype, copy=copy)
        if array is self.array:  # a tensor is one value: who wants to write takes a copy
            array = array.view()
            array.flags.writeable = False
        return array

    def __dlpack__(
        self, *, stream: object = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None, copy: bool | None = None,
    ) -> object:  # fmt: skip
        """What other libraries take it by: the memory itself for those that know what must not be written.

        For those that do not say so it is a copy, as a tensor is one value; who forbids the copy gets the memory, and
        is not to write there.
        """
        if stream is not None:
            raise BufferError(f"__dlpack__ with stream={stream!r}: the CPU has no streams")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"__dlpack__ with dl_device={dl_device!r}: only the CPU, (1, 0), is there")
        if self.array.dtype == object:
            raise BufferError("DLPack has no text: this is a tensor of strings")
        knows = max_version is not None and tuple(max_version) >= (1, 0) and _SAYS_READ_ONLY
        if copy or (copy is None and not knows):
            return self.array.copy().__dlpack__()
        if not knows:
            if not self.array.flags.writeable:
                raise BufferError(
                    "this memory must not be written, which only DLPack 1.0 can say: without copying it goes to a "
                    "library that asks with max_version=(1, 0)"
                )
            return self.array.__dlpack__()
        shared = self.array.view()
        shared.flags.writeable = False
        return shared.__dlpack__(max_version=max_version)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the CPU

    def __bool__(self) -> bool:
        try:
            return bool(self.array)
        except ValueError as error:
            hide(error)
            raise

    def __int__(self) -> int:
        return int(self.array)

    def __float__(self) -> float:
        return float(self.array)

    def __complex__(self) -> complex:
        return complex(self.array)

    def __index__(self) -> int:
        return self.array.__index__()  # type: ignore[no-any-return]

    def __round__(self, digits: int | None = None) -> object:
        return round(self.array[()], digits) if digits is not None else round(float(self.array))

    def __format__(self, spec: str) -> str:
        value = self.numpy()
        return format(value.decode(errors="replace") if isinstance(value, bytes) else value, spec)

    def __contains__(self, value: object) -> bool:
        return bool(np.any(self.array == np.asarray(value)))

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: object) -> EagerTensor:
        return EagerTensor(self.array.copy())

    def __reduce__(self) -> tuple[object, ...]:
        return EagerTensor, (self.array,)

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={shown_value(self.array, repr)}>"

    def __str__(self) -> str:
        return f"tf.Tensor({shown_value(self.array, str)}, shape={self.shape}, dtype={self.dtype.name})"


def shown_value(array: NumPyArray, how: Callable[[NumPyArray], str]) -> str:
    """The value in the text of a tensor; one of several lines begins on a line of its own."""
    if array.ndim:
        text = str(how(array))
    else:  # as Python shows it, where it stands for itself: all digits of a float32
        text = repr(array.item()) if how is repr else str(array[()])
    return f"\n{text}" if "\n" in text else text


class SymbolicTensor(Tensor):
    """A tensor whose value is known only when the graph runs."""

    __slots__ = ("_content", "assign", "traced_in", "value")

    may_be_none = False

    def __init__(self, trace: Trace, value: Value) -> None:
        self.traced_in = trace
        self.value = value
        self._content: SymbolicTensor | None = None

    def __copy__(self) -> Tensor:
        return self  # which never changes

    def __deepcopy__(self, memo: object) -> Tensor:
        return copy.copy(self)

    @property
    def type(self) -> TensorType:
        return self.value.type  # type: ignore[return-value]

    @property
    def shape(self) -> TensorShape:
        """The shape; dimensions that are not known are read as tensors."""
        return Meaning.shape(self)

    def set_shape(self, shape: PatternLike) -> None:
        known = TensorShape(self.type.shape)
        told = known.merge_with(shape)
        if told.dims != known.dims and current() is self.traced_in:  # what a branch says holds in no other
            self._learn(told)

    def _learn(self, shape: TensorShape) -> None:
        before = self.value
        self._hold(Meaning.ensured(self, shape))
        self.traced_in.untold[self.value] = before

    def as_index(self, index: Callable[[object], object] = lambda part: part) -> Tensor:
        """What it is in the brackets behind a tensor, where it is a part of this index."""
        return self

    @property
    def untold(self) -> Value:
        """The value as it was made, before `set_shape` told what shape it has."""
        *_, first = self.traced_in.told(self.value)
        return first

    @property
    def size(self) -> object:
        return Meaning.size(self)

    @property
    def name(self) -> str:
        return self.traced_in.name_of(self.untold)

    @property
    def graph(self) -> Graph:
        """What has been recorded so far of the graph that it belongs to."""
        return self.traced_in.so_far()

    @property
    def op(self) -> Operation:
        """The operation that makes it."""
        return self.graph.makers[self.untold][0]

    @property
    def maker(self) -> Node | None:
        """The node whose result it is; None for an input."""
        return next((n for n in reversed(self.traced_in.nodes) if self.value in n.outputs), None)

    def concrete(self) -> object:
        raise errors.InaccessibleTensorError(self.traced_in.no_value(self))

    def record_in(self, trace: Trace) -> Value:
        return trace.local(self.value, self.traced_in)

    @property
    def place(self) -> object:
        """The array that it is, or that it is a view of; None for a value."""
        return None

    def _become(self, other: Any) -> None:
        """Be another value from now on: an item is assigned."""
        self.traced_in, self.value = other.traced_in, other.value

    def _rebound(self) -> None:
        """Note that it matters whether it is a tensor, of which ``x += 1`` makes another, an array that changes, or a
        number, which repeats a list where an array multiplies its items."""
        self.traced_in.root.writes = True

    def _hold(self, other: object) -> None:
        """Hold what it held at another point of the program."""
        self._become(other)

    @property
    def content(self) -> SymbolicTensor:
        """What it stands for now; the same object until an item is assigned."""
        held = self._content
        if held is None or held.value is not self.value:
            held = self._content = SymbolicTensor(self.traced_in, self.value)
        return held

    def _no_attribute(self, name: str) -> str:
        if name == "numpy":
            trace = current()
            if trace is None or not trace.is_within(self.traced_in):
                return f"'SymbolicTensor' object has no attribute 'numpy': {self.traced_in.no_value(self)}"
            return (
                f"'SymbolicTensor' object has no attribute 'numpy': {self} is traced here and gets its value only when "
                "the graph runs. Print it with runtime.print, or pass it to runtime.py_function."
            )
        return super()._no_attribute(name)

    def _not_into_arrays(self, line: str) -> str:
        return (
            f"{self} gets its value only when the graph runs, so it cannot be put into a NumPy array that was made "
            f"while tracing: {line!r}. Make the array a tensor: runtime.zeros(...), np.zeros_like(...) of an argument, "
            "or runtime.constant(...) of the array."
        )

    def _refuse(self, wanted: str) -> Exception:
        if current() is None:
            self.concrete()
        if (indexed := indexed_object()) is not None:
            return self._no_index(*indexed)
        ways.takes(Way.STATE)  # it may be put into, or the index of, an array that the program keeps
        if line := assigns_item(sys._getframe(2)):
            return errors.OperatorNotAllowedInGraphError(self._not_into_arrays(line))
        return errors.OperatorNotAllowedInGraphError(
            f"Using a symbolic `tf.Tensor` as a Python {wanted} is not allowed: {self} gets its value only when the "
            f"graph runs, and {asker(wanted)}",
            container=looked_into(),
        )

    def __bool__(self) -> bool:
        known = answer(self)
        if known is None:
            raise self._refuse("`bool`")
        return known

    def __int__(self) -> int:
        if self.type.shape == () and self.type.sizes and isinstance(self.type.sizes[0], int):
            return self.type.sizes[0]  # a rank, or a size that is known
        raise self._refuse("`int`")

    def __float__(self) -> float:
        raise self._refuse("`float`")

    def __index__(self) -> int:
        return int(self)

    def __hash__(self) -> int:  # type: ignore[override]
        if self.traced_in.is_open:  # the keys of what a Session is fed
            return id(self)
        if current() is None:
            self.concrete()
        ways.takes(Way.KEYS)
        raise errors.OperatorNotAllowedInGraphError(
            f"{self} cannot be a key of a dictionary or an element of a set: it gets its value only when the graph "
            f"runs. {unhashed()}",
            container=looked_into(),
        )

    def __contains__(self, value: object) -> bool:
        raise self._refuse("container")

    def _no_index(self, name: str, instead: str) -> errors.UnimplementedError:
        return errors.UnimplementedError(
            f"{name}[...] has no staged meaning here: {self} gets its value only when the graph runs. Use {instead}."
        )

    def __array__(self, dtype: object = None, copy: bool | None = None) -> object:
        if current() is None:
            self.concrete()
        if (indexed := indexed_object()) is not None:
            raise self._no_index(*indexed)
        ways.takes(Way.STATE)  # as above
        if line := assigns_item(sys._getframe(1)):
            raise errors.NoValueYetError(self._not_into_arrays(line))
        raise errors.NoValueYetError(
            f"Cannot convert a symbolic tensor to a numpy array: {self} gets its value only when the graph runs, and "
            f"{asker('array')}"
        )

    def __dlpack__(self, **_: object) -> object:
        if current() is None:
            self.concrete()
        raise errors.NoValueYetError(
            f"{self} has no memory to hand over by DLPack: it gets its value only when the graph runs. Return it from "
            "the function, or hand it over in runtime.py_function."
        )

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the CPU

    def _no_text(self, frame: FrameType) -> None:
        """Refuse ``template % tensor`` of the user's; where the template stands there, the compiler has seen to it."""
        if dis.opname[frame.f_code.co_code[frame.f_lasti]] != "BINARY_OP" or current() is None:
            return
        if why_left_alone(frame.f_globals.get("__name__")) is None:
            raise errors.OperatorNotAllowedInGraphError(
                f"'template % value' with {self!r}, which gets its value only when the graph runs, needs the template "
                "in its place: write it there, or use an f-string or template.format(value)."
            )

    def __repr__(self) -> str:
        made = marked(self, "!r", sys._getframe(1))
        return made or f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        if (made := marked(self, "!s", sys._getframe(1))) is not None:
            return made
        self._no_text(sys._getframe(1))
        shape = f"shape={self.shape}, " if self.shape.rank is not None else ""
        return f'Tensor("{self.name}", {shape}dtype={self.dtype.name})'

    def __format__(self, spec: str) -> str:
        made = marked(self, f":{spec}", sys._getframe(1))
        if made is None and spec:
            raise self._refuse("`str`")
        return made or super().__format__(spec)


class GraphTensor(SymbolicTensor):
    """A tensor of a graph that is finished, as one looks at it from outside: it has no value there."""

    __slots__ = ("_op", "value_index")

    def __init__(self, operation: Operation, index: int, value: Value) -> None:
        super().__init__(Trace(operation.graph.name), value)
        self._op, self.value_index = operation, index

    @property
    def type(self) -> TensorType:
        return TensorType(self.value.dtype, self.value.shape.dims)

    @property
    def shape(self) -> TensorShape:
        return self.value.shape

    @property
    def name(self) -> str:
        return f"{self._op.name}:{self.value_index}"

    @property
    def graph(self) -> Graph:
        return self._op.graph

    @property
    def op(self) -> Operation:
        return self._op


Operation.result = GraphTensor


def _augmented(self: SymbolicTensor, other: object) -> object:
    self._rebound()
    return NotImplemented


for _name in AUGMENTED:
    setattr(SymbolicTensor, f"__i{_name}__", _augmented)


class ListElements:
    """The elements of a TensorArray, as a value of a graph."""

    def __init__(self, trace: Trace, value: Value) -> None:
        self.traced_in = trace
        self.value = value

    @property
    def type(self) -> ListType:
        assert isinstance(self.value.type, ListType)
        return self.value.type

    def concrete(self) -> object:
        raise errors.InaccessibleTensorError("a TensorArray made while tracing is used after the trace has ended")

    def record_in(self, trace: Trace) -> Value:
        return trace.local(self.value, self.traced_in)


class EagerElements:
    """The elements of a TensorArray, at hand."""

    def __init__(self, elements: list[Any]) -> None:
        self.elements = elements

    @property
    def type(self) -> ListType:
        known = [e for e in self.elements if e is not None]
        return ListType(as_dtype(known[0].dtype) if known else float32, None)

    def concrete(self) -> object:
        return self.elements

    def record_in(self, trace: Trace) -> Value:
        raise errors.InaccessibleTensorError(
            "a TensorArray made outside the function cannot be used inside; pass its elements as a tensor"
        )


ATOMS.update((EagerTensor, SymbolicTensor))
strings.OWNERS["tensor"] = EagerTensor.of  # text that a graph makes shows tensors as Python does


Elements: TypeAlias = ListElements | EagerElements


def wrap(result: object) -> Any:
    """The result of a kernel as a tensor, or as the elements of a TensorArray."""
    return EagerElements(result) if isinstance(result, list) else EagerTensor.of(result)
