"""Tensors: eager ones hold an array, symbolic ones stand for a value of a graph; both speak Python and NumPy."""

from __future__ import annotations

import dis
import linecache
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy as np

from autograph.dispatch import answer
from autograph.rules import why_left_alone
from runtime import errors
from runtime.clauses import indexed
from runtime.dtypes import DType, as_dtype, float32, int32, string
from runtime.graph import ListType, Node, TensorType, Value
from runtime.ops import effects, indexing, linalg
from runtime.ops import elementwise as ew
from runtime.ops import shape as shape_ops
from runtime.shapes import TensorShape
from runtime.sizes import shape_of
from runtime.trace import OURS, Trace, apply, current, strong_dtype

Number = bool | int | float | complex


class Tensor:
    """An n-dimensional array of one dtype.

    Operators work element by element with NumPy's broadcasting. Python numbers take the tensor's dtype; tensors of
    different dtypes promote as in NumPy 2.
    """

    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    @property
    def type(self) -> TensorType:
        raise NotImplementedError

    @property
    def dtype(self) -> DType:
        """The element type."""
        return strong_dtype(self.type)

    @property
    def shape(self) -> TensorShape:
        """The shape; unknown dimensions are None."""
        return TensorShape(self.type.shape)

    def get_shape(self) -> TensorShape:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check that the shape is compatible with the tensor's."""
        self.shape.merge_with(shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    # Arithmetic.

    def __add__(self, other: Any) -> Any:
        return conversion.binary(ew.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return conversion.binary(ew.add, other, self)

    def __sub__(self, other: Any) -> Any:
        return conversion.binary(ew.subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        return conversion.binary(ew.subtract, other, self)

    def __mul__(self, other: Any) -> Any:
        if self._repeats() and conversion.is_repeated(other):
            return conversion.repeated(other, self)
        return conversion.binary(ew.multiply, self, other)

    def __rmul__(self, other: Any) -> Any:
        if self._repeats() and conversion.is_repeated(other):
            return conversion.repeated(other, self, in_place=_is_augmented(sys._getframe(1)))
        return conversion.binary(ew.multiply, other, self)

    def _repeats(self) -> bool:
        """Whether a sequence times this is the sequence as many times, rather than each element times a tensor."""
        return self.type.weak

    def __truediv__(self, other: Any) -> Any:
        return conversion.binary(ew.divide, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return conversion.binary(ew.divide, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return conversion.binary(ew.floor_divide, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return conversion.binary(ew.floor_divide, other, self)

    def __mod__(self, other: Any) -> Any:
        return conversion.binary(ew.mod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return conversion.binary(ew.mod, other, self)

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if type(other) is int and other == 2 and self.type.dtype.is_bool and self.type.shape:
            power = apply(ew.square, self)  # int8, as NumPy has it for an array and this exponent alone
        else:
            power = conversion.binary(ew.power, self, other)
        return power if modulo is None else power % modulo

    def __rpow__(self, other: Any) -> Any:
        return conversion.binary(ew.power, other, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __matmul__(self, other: Any) -> Any:
        return conversion.binary(linalg.matmul, self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return conversion.binary(linalg.matmul, other, self)

    def __neg__(self) -> Any:
        return apply(ew.negative, self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return apply(ew.absolute, self)

    def __invert__(self) -> Any:
        return apply(ew.invert, self)

    def __and__(self, other: Any) -> Any:
        return conversion.binary(ew.bitwise_and, self, other)

    def __rand__(self, other: Any) -> Any:
        return conversion.binary(ew.bitwise_and, other, self)

    def __or__(self, other: Any) -> Any:
        return conversion.binary(ew.bitwise_or, self, other)

    def __ror__(self, other: Any) -> Any:
        return conversion.binary(ew.bitwise_or, other, self)

    def __xor__(self, other: Any) -> Any:
        return conversion.binary(ew.bitwise_xor, self, other)

    def __rxor__(self, other: Any) -> Any:
        return conversion.binary(ew.bitwise_xor, other, self)

    def __lshift__(self, other: Any) -> Any:
        return conversion.binary(ew.left_shift, self, other)

    def __rshift__(self, other: Any) -> Any:
        return conversion.binary(ew.right_shift, self, other)

    # Comparison.

    def __lt__(self, other: Any) -> Any:
        return conversion.binary(ew.less, self, other)

    def __le__(self, other: Any) -> Any:
        return conversion.binary(ew.less_equal, self, other)

    def __gt__(self, other: Any) -> Any:
        return conversion.binary(ew.greater, self, other)

    def __ge__(self, other: Any) -> Any:
        return conversion.binary(ew.greater_equal, self, other)

    def __eq__(self, other: Any) -> Any:
        return conversion.binary(ew.equal, self, other) if _comparable(other) else False

    def __ne__(self, other: Any) -> Any:
        return conversion.binary(ew.not_equal, self, other) if _comparable(other) else True

    # Parts.

    def __getitem__(self, index: Any) -> Any:
        parts, given = conversion.index_parts(index)
        if conversion.may_miss(parts, given):
            indexed()
        if self.type.dtype == string and self.type.shape == () and parts != ():
            raise self._refused_text("cannot be indexed then")
        known = conversion.static_value(self) if isinstance(self, SymbolicTensor) and not given else None
        if known is not None:
            return conversion.constant(np.asarray(known[parts]))
        return apply(indexing.getitem, self, *given, index=parts)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Have this tensor, by whatever names it is known, hold other values in a part."""
        parts, given = conversion.index_parts(index)
        if conversion.may_miss(parts, given):
            indexed()
        part = conversion.of_dtype(conversion.operand(value) if isinstance(value, list) else value, self.type.dtype)
        self._become(apply(indexing.setitem, self, part, *given, index=parts, how="set"))

    def _become(self, other: Any) -> None:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        dims = self.type.shape
        unpacked = _unpacks(sys._getframe(1)) if dims is None or (dims and not isinstance(dims[0], int)) else None
        if unpacked is None:
            return (self[i] for i in range(self._count("iterated over")))
        length = apply(shape_ops.length, self, axis=0, dtype=int32)
        fits = apply(ew.equal, length, EagerTensor(np.asarray(unpacked, np.int32)))
        apply(effects.assert_, fits, length, message=f"expected {unpacked} values to unpack, got", python=False)
        return (self[i] for i in range(unpacked))

    def __len__(self) -> int:
        return self._count("counted by len()")

    def _count(self, wanted: str) -> int:
        dims = self.type.shape
        if dims == ():
            raise TypeError(f"a scalar tensor cannot be {wanted}")
        if not dims or not isinstance(dims[0], int):
            raise errors.OperatorNotAllowedInGraphError(
                f"{self} cannot be {wanted} here: its length is known only when the graph runs. Iterate over it with "
                "`for` in a converted function, or use runtime.shape(x)[0] for its length."
            )
        return dims[0]

    # NumPy's methods, so that code written for arrays works.

    @property
    def T(self) -> Any:
        return apply(shape_ops.transpose, self, axes=None)

    def astype(self, dtype: Any) -> Any:
        return conversion.cast(self, dtype)

    def __getattr__(self, name: str) -> Any:
        from runtime.numpy_protocol import METHODS

        if name in METHODS:
            return lambda *args, **kwargs: METHODS[name](self, *args, **kwargs)
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

    # NumPy's protocols.

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from runtime.numpy_protocol import call_ufunc

        return call_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from runtime.numpy_protocol import call_function

        return call_function(function, args, kwargs)


def _asker() -> str:
    """Whose code asks for a value, and why it was not converted."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    if frame is None:
        return "the code that asks was not converted"
    code = frame.f_code
    why = why_left_alone(frame.f_globals.get("__name__"))
    where = f"{code.co_qualname} ({code.co_filename}:{frame.f_lineno})"
    return f"{where}, which asks for it, was not converted{f', as {why}' if why else ''}"


def _indexed_object() -> tuple[str, str] | None:
    """Which of NumPy's objects that make arrays of an index is asking, and what to use instead."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        asks = frame.f_code.co_qualname
        if asks in ("nd_grid.__getitem__", "AxisConcatenator.__getitem__"):
            asker = frame.f_locals.get("self")
            if asks.startswith("nd_grid"):
                name = "np.ogrid" if getattr(asker, "sparse", False) else "np.mgrid"
                return name, "runtime.range, with None in an index for each other axis"
            return {"CClass": "np.c_"}.get(type(asker).__name__, "np.r_"), "runtime.concat or runtime.stack"
        frame = frame.f_back if frame.f_code.co_filename.startswith(OURS) or "numpy" in asks + _module(frame) else None
    return None


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _unpacks(frame: FrameType) -> int | None:
    """How many names the statement that a frame is at takes apart a value for: ``a, b = x``."""
    at, code = frame.f_lasti, frame.f_code.co_code
    return code[at + 1] if dis.opname[code[at]] == "UNPACK_SEQUENCE" else None


def _is_augmented(frame: FrameType | None) -> bool:
    """Whether what a user's frame is at is an augmented assignment: ``a *= b``."""
    while frame is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    if frame is None:
        return False
    at, code = frame.f_lasti, frame.f_code.co_code
    return dis.opname[code[at]] == "BINARY_OP" and code[at + 1] >= _FIRST_AUGMENTED


_FIRST_AUGMENTED = 13  # of Python's operators (NB_INPLACE_ADD)


def assigns_item(frame: FrameType) -> str:
    """The line of an assignment ``a[i] = v`` that a frame is at, if it is at one."""
    if dis.opname[frame.f_code.co_code[frame.f_lasti]] not in ("STORE_SUBSCR", "STORE_SLICE"):
        return ""
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno, frame.f_globals).strip()


def _comparable(other: Any) -> bool:
    return isinstance(other, Tensor | Number | np.ndarray | np.generic | list | tuple | str | bytes) or hasattr(
        other, "__tensor__"
    )


class EagerTensor(Tensor):
    """A tensor that holds its value."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    @classmethod
    def of(cls, array: Any) -> EagerTensor:
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
        return int(self.array.size)

    def concrete(self) -> Any:
        return self.array

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError(
            "'EagerTensor' object does not support item assignment: its value is one for good. In a runtime.function, "
            "`x[i] = v` on a tensor that it was given or made has x hold another; elsewhere use a NumPy array or a "
            "Variable."
        )

    def record_in(self, trace: Trace) -> Value:
        return trace.constant(self.array, as_dtype(self.array.dtype))

    def numpy(self) -> Any:
        """The value as a NumPy array, or as a NumPy scalar (bytes for a string) where the shape is ()."""
        return self.array[()] if self.array.ndim == 0 else self.array.copy()

    def item(self) -> Any:
        return self.array.item()

    def tolist(self) -> Any:
        return self.array.tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.array, dtype=dtype, copy=copy)

    def __bool__(self) -> bool:
        return bool(self.array)

    def __int__(self) -> int:
        return int(self.array)

    def __float__(self) -> float:
        return float(self.array)

    def __complex__(self) -> complex:
        return complex(self.array)

    def __index__(self) -> int:
        return self.array.__index__()  # type: ignore[no-any-return]

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.array[()], digits) if digits is not None else round(float(self.array))

    def __format__(self, spec: str) -> str:
        value = self.numpy()
        return format(value.decode(errors="replace") if isinstance(value, bytes) else value, spec)

    def __contains__(self, value: Any) -> bool:
        return bool(np.any(self.array == np.asarray(value)))

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: Any) -> EagerTensor:
        return EagerTensor(self.array.copy())

    def __reduce__(self) -> Any:
        return EagerTensor, (self.array,)

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={_shown(self.array, repr)}>"

    def __str__(self) -> str:
        return f"tf.Tensor({_shown(self.array, str)}, shape={self.shape}, dtype={self.dtype.name})"


def _shown(array: Any, how: Any) -> str:
    """The value in the text of a tensor; a matrix begins on a line of its own."""
    return ("\n" if array.ndim > 1 else "") + str(how(array)) if array.ndim else str(array[()])


class SymbolicTensor(Tensor):
    """A tensor whose value is known only when the graph runs."""

    __slots__ = ("_content", "traced_in", "value")

    def __init__(self, trace: Trace, value: Value) -> None:
        self.traced_in = trace
        self.value = value
        self._content: SymbolicTensor | None = None

    @property
    def type(self) -> TensorType:
        assert isinstance(self.value.type, TensorType)
        return self.value.type

    @property
    def shape(self) -> TensorShape:
        """The shape; dimensions that are not known are read as tensors."""
        return shape_of(self)

    @property
    def name(self) -> str:
        return f"{self.value.hint}:0"

    @property
    def op(self) -> Any:
        """The operation that makes it."""
        from runtime.graph import Operation

        made = self.maker
        return Operation(self.value.hint, made.op.tensorflow_name(made) if made else "Placeholder")

    @property
    def maker(self) -> Node | None:
        """The node whose result it is; None for an input."""
        return next((n for n in reversed(self.traced_in.nodes) if self.value in n.outputs), None)

    @property
    def size(self) -> Any:
        count = self.shape.num_elements()
        return count if count is not None else apply(shape_ops.size, self, dtype=int32)

    def concrete(self) -> Any:
        raise errors.InaccessibleTensorError(
            f"{self} was made while tracing {self.traced_in.name}, which has ended; it has no value outside. "
            "Return it from the function, or keep it in a Variable."
        )

    def record_in(self, trace: Trace) -> Value:
        return trace.local(self.value, self.traced_in)

    @property
    def place(self) -> Any:
        """The array that it is, or that it is a view of; None for a value."""
        return None

    def _become(self, other: Any) -> None:
        """Be another value from now on: an item is assigned."""
        self.traced_in, self.value = other.traced_in, other.value

    def _rebound(self) -> None:
        """Note that it matters whether it is a tensor, of which ``x += 1`` makes another, or an array that changes."""
        self.traced_in.root.writes = True

    def _hold(self, other: Any) -> None:
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
        if (indexed := _indexed_object()) is not None:
            return self._no_index(*indexed)
        if line := assigns_item(sys._getframe(2)):
            return errors.OperatorNotAllowedInGraphError(self._not_into_arrays(line))
        return errors.OperatorNotAllowedInGraphError(
            f"Using a symbolic tensor as a Python {wanted} is not allowed: {self} gets its value only when the graph "
            f"runs, and {_asker()}. Convert it (autograph.convert), or keep to tensor operations there."
        )

    def __bool__(self) -> bool:
        known = answer(self)
        if known is None:
            raise self._refuse("`bool`")
        return known

    def __int__(self) -> int:
        raise self._refuse("`int`")

    def __float__(self) -> float:
        raise self._refuse("`float`")

    def __index__(self) -> int:
        raise self._refuse("index")

    def __contains__(self, value: Any) -> bool:
        raise self._refuse("container")

    def _no_index(self, name: str, instead: str) -> errors.UnimplementedError:
        return errors.UnimplementedError(
            f"{name}[...] has no staged meaning here: {self} gets its value only when the graph runs. Use {instead}."
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if (indexed := _indexed_object()) is not None:
            raise self._no_index(*indexed)
        if line := assigns_item(sys._getframe(1)):
            raise errors.NoValueYetError(self._not_into_arrays(line))
        raise errors.NoValueYetError(
            f"Cannot convert a symbolic tensor to a numpy array: {self} gets its value only when the graph runs. The "
            "NumPy function it was passed to has no staged meaning; use a runtime operation, or runtime.py_function."
        )

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
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        self._no_text(sys._getframe(1))
        return f'Tensor("{self.name}", shape={self.shape}, dtype={self.dtype.name})'


def _augmented(self: SymbolicTensor, other: Any) -> Any:
    self._rebound()
    return NotImplemented


for _name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split():
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

    def concrete(self) -> Any:
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

    def concrete(self) -> Any:
        return self.elements

    def record_in(self, trace: Trace) -> Value:
        raise errors.InaccessibleTensorError(
            "a TensorArray made outside the function cannot be used inside; pass its elements as a tensor"
        )


def wrap(result: Any) -> Any:
    """The result of a kernel as a tensor, or as the elements of a TensorArray."""
    return EagerElements(result) if isinstance(result, list) else EagerTensor.of(result)


# Tensors compute with whatever converts to tensors, and conversion makes tensors: each needs the other.
from runtime import conversion  # noqa: E402
