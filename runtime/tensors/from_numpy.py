"""What is NumPy's while it is traced: how the values of programs on NumPy answer operators and NumPy's functions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any, ClassVar, NoReturn

import numpy as np

from autograph.dispatch import staged_in
from autograph.operators.items import stands_in
from autograph.reading import found_in, is_a, is_made_later
from runtime.graph import errors
from runtime.graph.dtypes import OF_NUMPY, as_dtype, int64, string
from runtime.graph.graph import strong_dtype
from runtime.graph.owner import Owner
from runtime.graph.shapes import is_known, product
from runtime.ops import elementwise as ew, shape as shape_ops
from runtime.tensors import conversion, mathematics, operators
from runtime.tensors.frames import OURS, takes_apart, users_frame
from runtime.tensors.growing import has_grown
from runtime.tensors.operations import apply
from runtime.tensors.several import Asked, OneOf, with_each
from runtime.tensors.sizes import Sizes, StagedSizes, sizes_of
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Way, ways
from runtime.tensors.types import has_tensor

WRITERS: dict[object, Callable[..., object]] = {}  # NumPy's functions that write to an array, and what they do here
_MAKE_ARRAYS = (
    np.where, np.copy, np.zeros_like, np.ones_like, np.full_like, np.empty_like, np.select, np.tensordot,
    np.linalg.tensordot, np.cov, np.broadcast_to,
)  # fmt: skip
_MAKE_NUMBERS = (np.allclose, np.array_equal, np.array_equiv, np.size)  # of Python's
_LIBRARIES = OURS


class FromNumpy(SymbolicTensor):
    """A value of NumPy's: what NumPy and the operators make of it is NumPy's, too."""

    __slots__ = ()
    of_numpy = True
    _arrayed: ClassVar[Callable[..., Any]]  # what NumPy makes of operands: `views.arrayed`, which knows all the kinds
    _made_by: ClassVar[Callable[..., Any]]  # and what a function of this name does

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` asks in the user's code: there it is what NumPy or Python would have."""
        asks = sys._getframe(1).f_code.co_filename
        return type(self) if asks.startswith(_LIBRARIES) else self._kind()

    @__class__.setter
    def __class__(self, kind: type) -> NoReturn:
        raise TypeError(f"the class of a number, or of an array, cannot be exchanged: {self}")

    def _kind(self) -> type:
        """The type that it has where nothing is staged; its own where only the graph knows."""
        return type(self)

    @property
    def _owner(self) -> Owner:
        return Owner.PYTHON if self.type.weak else Owner.TENSOR

    @property
    def dtype(self) -> Any:
        """The dtype of the elements, as NumPy shows it."""
        return self._dtype_for(sys._getframe(1))

    def _dtype_for(self, asks: FrameType) -> Any:
        """The dtype; for a program with NumPy's manners NumPy's own, which it may keep."""
        found = OF_NUMPY[strong_dtype(self.type)]
        return found.dtype if self._is_for_program(asks) and found is not string else found

    def _is_for_program(self, asks: FrameType) -> bool:
        return self.traced_in.numpys and not asks.f_code.co_filename.startswith(OURS)

    @property
    def shape(self) -> Any:
        """The shape, as NumPy has it."""
        return self._shape_for(sys._getframe(1))

    def _shape_for(self, asks: FrameType) -> Any:
        """The shape; for a program with NumPy's manners a tuple, which it may keep."""
        found = sizes_of(self)
        return (*found,) if type(found) is Sizes and self._is_for_program(asks) else found

    @property
    def size(self) -> Any:
        """How many elements there are, a number of Python's."""
        dims = self.type.shape
        if is_known(dims):
            return product(dims)
        return StagedSizes.number(apply(ew.widen, apply(shape_ops.size, self, dtype=int64)))

    @property
    def itemsize(self) -> int:
        return int(self.dtype.dtype.itemsize)

    @property
    def nbytes(self) -> object:
        return self.size * self.itemsize

    @property
    def itself(self) -> FromNumpy:
        """What it is for those that look at it as NumPy does."""
        return self

    def __delitem__(self, index: object) -> None:
        if self.type.shape == ():
            raise TypeError(f"a number does not support item deletion: {self}")
        raise ValueError("cannot delete array elements")

    def _binary(self, name: str, other: Any, swapped: bool = False) -> object:
        if isinstance(other, Asked):
            return NotImplemented
        if has_grown(other) and owner_of(self) is Owner.ARRAY:  # of which it makes an array first
            return UFUNCS[name](*((other, self) if swapped else (self, other)))
        x = self._computed(name, other)
        listed = type(other) in (list, tuple) and owner_of(self) is Owner.ARRAY and staged_in(other) is None
        if type(other) is range or listed:
            other = np.asarray(other)  # whose dtype is NumPy's
        if (
            name in ("eq", "ne")
            and is_a(other, Tensor)
            and (other.type.dtype == string) is not (x.type.dtype == string)
        ):
            text = x if x.type.dtype == string else other
            one = other if text is x else x
            return (one if isinstance(one, FromNumpy) else x)._unlike(
                "" if text.type.shape == () else None, name == "ne"
            )
        result = super(FromNumpy, x)._binary(name, other, swapped)
        if result is NotImplemented and is_a(other, operators.Operators):
            return result
        if name in ("eq", "ne") and (result is NotImplemented or type(result) is bool):
            return self._unlike(other, name == "ne")
        return self._arrayed(result, [x, other])

    def _called(self) -> str:
        """What Python's errors call its type."""
        kind = type_of(self)
        return f"numpy.{kind.__name__}" if issubclass(kind, np.generic | np.ndarray) else kind.__name__

    def no_items(self, frame: FrameType | None = None) -> TypeError:
        """What Python raises where items are asked of it: by the statement that a frame is at, if that is known."""
        if owner_of(self) is Owner.ARRAY:
            return TypeError("iteration over a 0-d array")
        if frame is not None and takes_apart(frame):
            return TypeError(f"cannot unpack non-iterable {self._called()} object")
        return TypeError(f"{self._called()!r} object is not iterable")

    def no_length(self) -> TypeError:
        """What Python raises where its length is asked."""
        unsized = owner_of(self) is Owner.ARRAY
        return TypeError("len() of unsized object" if unsized else f"object of type {self._called()!r} has no len()")

    def _count(self, wanted: str) -> int:
        if self.type.shape == () and self.type.dtype != string:
            raise self.no_items(users_frame(sys._getframe(1)))
        return super()._count(wanted)

    def _no_attribute(self, name: str) -> str:
        asked = not name.startswith("_")  # else by Python, as a rule, which may ask where nobody knows its type
        return f"{self._called()!r} object has no attribute {name!r}" if asked else super()._no_attribute(name)

    def _unlike(self, other: object, differs: bool) -> object:
        """Whether it is equal to what is no number, or differs from it."""
        if owner_of(self) is Owner.PYTHON or stands_in(other):
            return differs
        if isinstance(other, str | bytes):  # which NumPy makes an array of first
            return np.bool_(differs)
        if is_a(other, (list, tuple)) or (is_made_later(type(other)) and found_in(type(other), "__getitem__")):
            raise self._no_comparison(other)
        return differs

    def _no_comparison(self, other: object) -> Exception:
        return errors.OperatorNotAllowedInGraphError(
            f"{self} is compared with {type(other).__name__}, element by element, which a graph does not do. Compare "
            "with numbers."
        )

    def _unary(self, name: str) -> object:
        x = self._computed(name)
        if name == "pos":
            return x
        return self._arrayed(super(FromNumpy, x)._unary(name), [x])

    def _computed(self, name: str, other: object = None) -> FromNumpy:
        """What an operator of this name computes with."""
        return self

    def __getattr__(self, name: str) -> object:
        method = super().__getattr__(name)

        def called(*args: object, out: object = None, **kwargs: object) -> object:
            found = with_each(lambda args, kwargs: called(*args, out=out, **kwargs), args, kwargs)
            if found is not NotImplemented:
                return found
            given, options = [self, *args], _options(args, kwargs)
            return stored(name, self._made_by(name, method(*args, **kwargs), given, None, options, True), out)

        return called

    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        if isinstance(dtype, type) and dtype in (bool, int, float, complex):
            dtype = np.dtype(dtype)  # int64 and float64, where a tensor's are smaller
        wanted = as_dtype(dtype).dtype
        if casting != "unsafe" and not np.can_cast(self.dtype.dtype, wanted, casting):  # type: ignore[arg-type]
            raise TypeError(
                f"Cannot cast array from {self.dtype.dtype!r} to {wanted!r} according to the rule {casting!r}"
            )
        made = conversion.cast(self, dtype)
        return self if made is self else self._arrayed(made, [self])

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, out: Any = None, **kwargs: Any) -> object:
        if any(isinstance(one, Asked) for one in inputs):
            return NotImplemented
        (target,) = out if out is not None and len(out) == 1 else (None,)
        chosen = kwargs.pop("where", True)
        if chosen is not True and (target is None or method != "__call__"):
            kwargs["where"], chosen = chosen, True
        made = _numpys(super().__array_ufunc__(ufunc, method, *inputs, **kwargs))
        result = self._arrayed(made, inputs, Owner.NUMPY)
        if out is not None and len(out) > 1:
            return tuple([stored(ufunc, part, one, inputs) for part, one in zip(result, out, strict=True)])
        if chosen is not True and target is not None:
            result = mathematics.where(chosen, result, target)
        return stored(ufunc if method == "__call__" else method, result, target, (*inputs, chosen))

    def __array_function__(self, function: object, types: Any, args: Any, kwargs: Any) -> object:
        if any(issubclass(one, Asked) for one in types):
            return NotImplemented
        if function in WRITERS:
            return WRITERS[function](*args, **kwargs)
        given = dict(kwargs)
        out = given.pop("out", None)
        result = _numpys(super().__array_function__(function, types, args, given))
        made = made_without_axes(function, args)
        name = getattr(function, "__name__", "")
        return stored(function, self._made_by(name, result, args, made, _options(args, given)), out)


def made_without_axes(function: object, args: Sequence[Any]) -> Owner:
    """What a function of NumPy's makes of arrays where it has no dimensions."""
    is_rank = function is np.linalg.matrix_rank and args and not isinstance(args[0], list)
    if function in _MAKE_NUMBERS or (is_rank and rank_of(args[0]) in (0, 1)):
        return Owner.PYTHON
    return Owner.ARRAY if function in _MAKE_ARRAYS else Owner.NUMPY


def _options(args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, object]:
    """The options by name, and the order of elements that stands among the others."""
    order = next((a for a in args if type(a) is str and a in ("C", "F", "A", "K")), None)
    return {**kwargs, "order": order} if order is not None else dict(kwargs)


def _numpys(result: object) -> object:
    """What NumPy's functions make of Python's numbers: numbers of its own, which keep their dtype."""
    if isinstance(result, SymbolicTensor) and result.type.weak:
        return apply(ew.cast, result, dtype=result.type.dtype)
    return result


UFUNCS = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.true_divide, "mod": np.remainder,
    "floordiv": np.floor_divide, "pow": np.power, "matmul": np.matmul, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor, "lshift": np.left_shift, "rshift": np.right_shift,
}  # fmt: skip


def _reflected(name: str) -> Callable[[FromNumpy, object], object]:
    return lambda self, other: self._binary(name, other, True)


for _name in UFUNCS:
    # Of its own, so that Python asks it before the tensor on its left.
    setattr(FromNumpy, f"__r{_name}__", _reflected(_name))


def owner_of(value: object) -> Owner:
    """Whose a value is; text, None and the like are as tensors are."""
    kind = type(value)
    if issubclass(kind, FromNumpy):
        return value._owner  # type: ignore[attr-defined, no-any-return]
    if issubclass(kind, SymbolicTensor):
        return Owner.PYTHON if value.type.weak else Owner.TENSOR  # type: ignore[attr-defined]
    if isinstance(value, np.ndarray):
        return Owner.ARRAY
    if isinstance(value, np.generic):
        return Owner.NUMPY
    return Owner.PYTHON if is_a(value, (int, float, complex, str)) else Owner.TENSOR


def type_of(value: object) -> type:
    """The type that a value has where nothing is staged."""
    return value._kind() if isinstance(value, FromNumpy) else type(value)


def stored(function: object, result: object, out: Any, operands: Sequence[object] = ()) -> object:
    """The result, in the array that was given for it."""
    if isinstance(out, tuple) and len(out) == 1:
        (out,) = out
    if out is None:
        return result
    if isinstance(out, OneOf):
        out.distribute(lambda one: (stored(function, result, one, operands), None)[1])
        return out
    if owner_of(out) is not Owner.ARRAY or isinstance(out, np.ndarray):
        if is_a(out, np.ndarray):
            ways.takes(Way.STATE)  # it may be one that the program keeps, or computes from one
        raise errors.NoValueYetError(
            f"out= of np.{getattr(function, '__name__', function)} is {type(out).__name__}, which cannot hold what "
            "has a value only when the graph runs. Make it an array of the graph (np.zeros_like(...) of an argument), "
            "or assign the result to a variable."
        )
    if function in (np.dot, "dot") and isinstance(result, Tensor) and result.dtype != out.dtype:
        raise ValueError(
            f"output array is not acceptable: np.dot gives {result.dtype.name} here, and it has {out.dtype.name}"
        )
    out.assign(function, result, operands, broadcasts=isinstance(function, np.ufunc) and function.signature is None)
    return out


def rank_of(value: Any) -> int | None:
    """The number of dimensions, as far as it is known; None also for what is no value of NumPy's."""
    if isinstance(value, Tensor):
        dims = value.type.shape
        return None if dims is None else len(dims)
    return np.ndim(value) if not has_tensor(value) else None
