"""What becomes a tensor and how: constants, conversion, promotion, indices and shapes given as arguments."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph import StagingError
from autograph.errors import with_article
from runtime.graph import shapes
from runtime.graph.dtypes import (
    DType,
    NumPyArray,
    NumPyDType,
    as_dtype,
    bool_,
    complex128,
    float32,
    float64,
    int32,
    int64,
    python_numbers,
    string,
)
from runtime.graph.errors import NotATensorError
from runtime.graph.graph import TensorType, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, indexing, shape as shape_ops, strings as string_ops
from runtime.tensors import taping
from runtime.tensors.composites import Composite
from runtime.tensors.frames import hide
from runtime.tensors.growing import has_grown
from runtime.tensors.handles import Handle
from runtime.tensors.operations import apply
from runtime.tensors.several import Several
from runtime.tensors.tensor import EagerTensor, Number, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, current
from runtime.tensors.types import DTypeLike, ShapeLike, TensorLike, has_tensor


def is_tensor(value: object) -> bool:
    """Whether a value is a tensor, a Variable, or made of several tensors, as a RaggedTensor is.

    Args:
      value: anything. Arrays, numbers and lists become tensors, and are none; the shape and the dtype are of no matter.
    Returns: a bool.

    >>> tf.is_tensor(tf.constant(1)), tf.is_tensor(1)
    (True, False)
    """
    return isinstance(value, Tensor | Composite) or has_tensor(value)


def is_symbolic_tensor(tensor: object) -> bool:
    """Whether a value is a tensor that gets its value only when a graph runs.

    Args:
      tensor: anything; the shape and the dtype are of no matter.
    Returns: a bool.

    >>> @tf.function
    ... def f(x):
    ...     print(tf.is_symbolic_tensor(x))
    ...     return x
    >>> x = f(tf.constant(1))
    True
    >>> tf.is_symbolic_tensor(x)
    False
    """
    return isinstance(tensor, SymbolicTensor)


def has_dtype(value: object) -> bool:
    """Whether the value has a dtype of its own: it is a tensor, an array or a Variable."""
    return is_tensor(value) or isinstance(value, np.ndarray | np.generic)


def plain_only(value: np.ndarray[Any, Any] | np.generic) -> None:
    """Refuse an array, or a number, of a class that may compute in another way than NumPy's own: of a graph it would
    come as a plain one. Files that are looked at as arrays (`np.memmap`) compute as arrays do."""
    kind = type(value)
    if kind is np.ndarray or kind is np.memmap or kind is value.dtype.type:
        return
    instead = "x.filled(...) and x.mask" if isinstance(value, np.ma.MaskedArray) else "np.asarray(x)"
    raise TypeError(
        f"{with_article(kind.__name__)} cannot be part of a graph, which computes with plain arrays: pass {instead}."
    )


def to_array(value: object, dtype: DType | None = None) -> Any:
    """A Python value as an array: Python numbers are int32, float32 or complex128, or as NumPy has them; arrays keep
    their dtype."""
    if isinstance(value, str):
        no_symbols(value)
        value = value.encode()
    if isinstance(value, EagerTensor):
        value = value.array
    if isinstance(value, Composite):
        raise NotATensorError(f"a {type(value).__name__} cannot become a tensor: {value.instead}")
    if isinstance(value, Handle):
        name = type(value).__name__
        raise NotATensorError(f"an object of class {name} cannot become a tensor: it is no number, text or array.")
    if isinstance(value, bytes) or dtype == string or (isinstance(value, list | tuple) and _has_text(value)):
        return _text_array(value, dtype)
    try:
        array = np.asarray(value)
    except ValueError as error:
        if not isinstance(value, list | tuple) or "inhomogeneous" not in str(error):
            raise
        raise ValueError(_of_lengths(value)) from None
    if array.dtype.kind in "SU":
        return _text_array(array, dtype)
    if array.dtype == object and array.size and all(isinstance(v, str | bytes) for v in array.flat):
        return _text_array(value, dtype)  # as a tensor of text holds it
    if array.dtype == object:
        why = (
            "its elements are not numbers, or its rows differ in length"
            if array.ndim
            else "it is no number, text or array"
        )
        raise NotATensorError(f"{value!r} cannot become a tensor: {why}.")
    if dtype is not None:
        return _exactly(array, dtype, value)
    if python_numbers.are_numpys:
        if isinstance(value, np.ndarray | np.generic):
            plain_only(value)
        return array
    if not isinstance(value, np.ndarray | np.generic) and not _holds_arrays(value):
        if array.dtype == np.float64:
            return array.astype(np.float32)
        if array.dtype == np.int64 and np.all((array >= -(2**31)) & (array < 2**31)):
            return array.astype(np.int32)
    return array


_MADE = (bool, int, float, complex, str, bytes, list, tuple, np.generic, Tensor)  # of which NumPy makes an array


def is_lent(value: object) -> bool:
    """Whether a value as an array may lie in memory of somebody else: an array, a buffer, a column of a table …"""
    return not isinstance(value, _MADE)


def _exactly(array: NumPyArray, dtype: DType, value: object) -> object:
    kind, wanted = array.dtype.kind, dtype.dtype.kind
    order = "biufc"
    number = not isinstance(value, np.ndarray | np.generic | Tensor) and not _holds_arrays(value)
    if array.size and order.index(kind if kind != "u" else "i") > order.index(wanted if wanted != "u" else "i"):
        raise TypeError(f"{value!r} is {as_dtype(array.dtype).name} and does not convert to {dtype.name} by itself.")
    if number and array.size and wanted == "b" != kind:
        raise TypeError(f"{value!r} does not convert to bool by itself.")
    return array.astype(dtype.dtype)


def _has_text(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(_has_text(v) for v in value)
    return isinstance(value, str | bytes)


def _holds_arrays(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(_holds_arrays(v) for v in value)
    return isinstance(value, np.ndarray | np.generic | Tensor)


def _of_lengths(value: object) -> str:
    return f"{value!r:.100} cannot become a tensor: its rows differ in length, or in how deep they are nested."


def _text_array(value: object, dtype: DType | None = None) -> object:
    if dtype is not None and dtype != string:
        raise TypeError(
            f"{value!r:.60} is text, which does not convert to {dtype.name} by itself: strings.to_number reads numbers."
        )

    def encode(v: object) -> Any:
        if isinstance(v, list | tuple):
            return [encode(e) for e in v]
        if isinstance(v, str | bytes):
            return v.encode() if isinstance(v, str) else v
        kind = with_article(type(v).__name__)
        if isinstance(value, list | tuple):
            raise ValueError(
                f"{value!r} cannot become a tensor: it has {kind} among its texts. Make texts of them: str(v)."
            )
        raise TypeError(f"{value!r} is {kind}, which is no text: runtime.strings.as_string makes text of numbers.")

    if isinstance(value, np.ndarray):
        if not value.size:
            return np.empty(value.shape, object)  # whose shape no list tells
        value = value.tolist()
    encoded = encode(value)
    try:
        array = np.empty(np.shape(encoded), object)
    except ValueError:
        raise ValueError(_of_lengths(value)) from None
    array[...] = encoded
    return array


def no_symbols(text: str) -> None:
    """Refuse text, made by code that is not converted, that describes a value of the graph where it should show it."""
    if ("Tensor" in text or "<list of" in text) and (found := _SYMBOL.search(text)) is not None:
        raise StagingError(
            f"a text has {found[0]} in it, as code that is not converted made it: what only the graph knows "
            "has no text there. Make the text with str, format or an f-string in your own function."
        )


# What a value of the graph says of itself, and what `reprlib` leaves of that, its quotes doubled or escaped or not; a
# list whose length only the graph knows.
_SYMBOL = re.compile(
    r"""<tf\.Tensor \W*'(?:[^']*' shape=[^\n]* dtype=\w+>|[^\n]*\.\.\.[^\n]*)"""
    r"""|Tensor\(\W*"[^"]*"+, shape=[^\n]*, dtype=\w+\)|<list of (?:list of )?\w+\*?\([^\n]*\)>"""
)


def _filling(array: NumPyArray, shape: ShapeLike) -> NumPyArray:
    """An array in a shape that its elements fill, or its one element fills alone."""
    dims: Any = shape
    if array.size == 1:
        return np.broadcast_to(array, dims).copy()
    try:
        return array.reshape(dims)
    except ValueError:
        room = tuple(np.ravel(np.asarray(dims)).tolist())
        raise TypeError(f"{array.size} elements do not fill the shape {room}") from None


def constant(
    value: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """A tensor that holds a value.

    Args:
      value: a number, text, a nested list of these, or an array. Python's integers become int32, or int64 where that
        does not hold them, its floats float32, text becomes bytes; arrays keep their dtype.
      dtype: the dtype, if it is to be another.
      shape: the shape, if it is to be another: a single number fills it, other values are put into it in order.
    Returns: a tensor of the shape of the value, or of `shape`.
    Raises:
      TypeError: if the value does not fit the dtype, nothing makes a tensor of it, or its elements do not fill the
        shape.
      ValueError: if lists differ in length or mix text with other things.

    >>> print(tf.constant([[1, 2], [3, 4]]))
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    >>> print(tf.constant(1.5, shape=[3]))
    tf.Tensor([1.5 1.5 1.5], shape=(3,), dtype=float32)
    >>> print(tf.constant("green"))
    tf.Tensor(b'green', shape=(), dtype=string)
    """
    if isinstance(value, SymbolicTensor | Several) or _holds_tensors(value):
        made = convert_to_tensor(value, dtype)
        if shape is None:
            return made
        wanted, given = dimensions(shape)
        row = shape_ops.broadcast_to if shapes.elements(made.type.shape) == 1 else shape_ops.reshape
        return apply(row, made, *given, shape=wanted)
    try:
        array = to_array(value, None if dtype is None else as_dtype(dtype))
        if shape is not None:
            array = _filling(array, shape)
    except (TypeError, ValueError) as error:
        hide(error)
        raise
    if dtype is None and is_lent(value):
        array = array.copy()
    if current() is None:
        return EagerTensor(array)
    return apply(shape_ops.constant, value=array, dtype=as_dtype(array.dtype))


def convert_to_tensor(
    value: TensorLike, dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None, name: str | None = None
) -> Tensor:
    """A value as a tensor: tensors stay what they are, Variables are read, lists that hold tensors are stacked.

    Args:
      value: a tensor of any shape, or what `constant` takes; lists may hold both.
      dtype: the dtype that it is to have. Python's numbers become it; a tensor of another dtype is an error.
      dtype_hint: the dtype to take where `value` has none and it fits.
    Returns: a tensor of the shape of the value.
    Raises:
      TypeError: for what cannot become a tensor.
      ValueError: if a tensor has another dtype than `dtype`.

    >>> x = tf.constant(1.5)
    >>> print(tf.convert_to_tensor([x, 2 * x]))
    tf.Tensor([1.5 3. ], shape=(2,), dtype=float32)
    """
    given: Any = value
    if has_tensor(given):
        given = given.__tensor__()
    elif has_grown(given):
        given = given.stacked()
    if isinstance(given, Tensor):
        if dtype is not None and given.type.weak:
            if not np.can_cast(given.type.dtype.dtype, as_dtype(dtype).dtype, "same_kind"):
                raise TypeError(
                    f"{given} is {given.dtype.name} and does not convert to {as_dtype(dtype).name} by itself."
                )
            return cast(given, dtype)
        if dtype is not None and given.dtype != dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {as_dtype(dtype).name} for Tensor with dtype {given.dtype.name}: "
                f"{given}"
            )
        return given
    if _holds_tensors(given):
        if dtype is None and not python_numbers.are_numpys:
            return apply(shape_ops.stack, *matched([*given]), axis=0)
        parts = [convert_to_tensor(v, dtype) for v in given]
        return apply(shape_ops.stack, *promote(parts), axis=0)
    if dtype is None and dtype_hint is not None:
        try:
            return constant(given, dtype_hint)
        except TypeError:
            return constant(given)
    return constant(given, dtype)


def _holds_tensors(value: object) -> bool:
    if has_grown(value):
        return True
    if isinstance(value, list | tuple):
        return any(_holds_tensors(v) or isinstance(v, Tensor | Several) or has_tensor(v) for v in value)
    return False


def operand(value: Any) -> Tensor:
    """A value as an input of an operation: unlike `convert_to_tensor`, constants are not recorded by themselves."""
    if isinstance(value, Tensor):
        return value
    if has_tensor(value):
        tensor: Tensor = value.__tensor__()
        return tensor
    if _holds_tensors(value):
        made: Tensor = convert_to_tensor(value)
        return made
    if isinstance(value, Several):
        return _in_one_dtype(value)
    array, trace = to_array(value), current()
    if is_lent(value):  # whoever owns it may write it, and a tensor is one value
        array = array.copy() if trace is None else trace.kept(array)
    return EagerTensor(array)


def _in_one_dtype(value: Several) -> Tensor:
    """One of several numbers, in the one dtype for all of them."""
    wanted = dtype_for_all(value)
    return operand(value.distribute(lambda number: cast(operand(number), wanted)))


def dtype_for_all(value: Several) -> DType:
    """The dtype that NumPy computes with several numbers in."""
    numbers = value.numbers()
    wanted = result_dtype([number if is_number(number) else operand(number) for number in numbers])
    return wanted or as_dtype(np.result_type(*(operand(number).dtype.dtype for number in numbers)))


def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """A tensor with its elements in another dtype.

    Args:
      x: a tensor of any shape, or what becomes one.
      dtype: the dtype wanted. For integers floats are rounded towards zero; numbers are True where they are not zero;
        text is read as a number, and numbers become text.
    Returns: a tensor of the shape of `x` and of this dtype.
    Raises:
      TypeError: if there is no such dtype.

    >>> print(tf.cast([1.8, -1.8], tf.int32))
    tf.Tensor([ 1 -1], shape=(2,), dtype=int32)
    >>> print(tf.cast([0, 2], tf.bool))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    if isinstance(x, Composite):
        return x.mapped(lambda values: cast(values, dtype))  # type: ignore[no-any-return]
    x, wanted = operand(x), as_dtype(dtype)
    if x.type.weak and x.type.dtype.is_integer and wanted.is_integer:
        return of_dtype(x, wanted)
    if x.type.dtype == wanted and not x.type.weak:
        return x if not isinstance(x, EagerTensor) or current() is None else apply(shape_ops.identity, x)
    if wanted == string:
        return apply(string_ops.as_string, x)
    if x.type.dtype == string:
        return apply(string_ops.to_number, x, dtype=wanted)
    return apply(ew.cast, x, dtype=wanted)


# Promotion.

_EXEMPLARS = {"b": False, "i": 0, "u": 0, "f": 0.0, "c": 0j}
_NUMBERS = (("b", bool), ("i", int), ("f", float), ("c", complex))


def bitcast(input: TensorLike, type: DTypeLike, name: str | None = None) -> Tensor:
    """A tensor with the bits of its elements read as those of another dtype.

    Args:
      input: a tensor of numbers, of shape [...], or for a larger dtype of shape [..., pieces of each number].
      type: the dtype of the result.
    Returns: a tensor of shape [...], or for a smaller dtype of shape [..., pieces of each number].
    Raises:
      ValueError: if the last axis does not hold the pieces of one number.
      TypeError: of bools and strings.

    >>> print(tf.bitcast([1.0], tf.int32).numpy())
    [1065353216]
    """
    return apply(shape_ops.bitcast, operand(input), dtype=as_dtype(type))


def result_dtype(values: Sequence[object]) -> DType | None:
    """The dtype that operands take together; None if all are weak (or strings)."""
    strong_types: list[NumPyDType] = []
    classed: list[NumPyDType] = []  # of numbers of the user's classes, as an IntEnum: NumPy takes them as arrays
    weak: list[str] = []
    texts, others = 0, False
    for value in values:
        if isinstance(value, Tensor):
            kind = value.type
            if kind.dtype == string:
                texts += 1
            elif kind.weak:
                weak.append(kind.dtype.dtype.kind)
            else:
                strong_types.append(kind.dtype.dtype)
        elif is_number(value):
            code, number = next(row for row in _NUMBERS if isinstance(value, row[1]))
            if type(value) is number or not python_numbers.are_numpys:
                weak.append(code)
            else:
                classed.append(np.dtype(number))
        else:
            others = True
    if texts:
        if texts < len(values):
            raise TypeError("strings and numbers do not go together; runtime.strings.as_string makes text of numbers")
        return string
    return _together((*strong_types, *classed), (*weak,)) if strong_types and not others else None


@functools.cache
def _together(strong_types: tuple[NumPyDType, ...], weak: tuple[str, ...]) -> DType:
    """The dtype of tensors beside numbers of Python's of these kinds."""
    return as_dtype(np.result_type(*strong_types, *(_EXEMPLARS[code] for code in weak)))


def promote(values: Sequence[object]) -> list[Tensor]:
    """Operands with one dtype between them."""
    made = operands(values)
    kinds = {value.type.dtype for value in made}
    if len(kinds) == 1 or string in kinds:
        return made
    kind = as_dtype(np.result_type(*(kind.dtype for kind in kinds)))  # of Python's numbers
    return [v if v.type.dtype == kind else apply(ew.cast, v, dtype=kind, weak=True) for v in made]


def matched(values: Sequence[object]) -> list[Tensor]:
    """Arguments of a function as operands with one dtype: numbers of Python's, and lists of such, take that of the
    tensors beside them; where there are none, they become tensors as they do anywhere."""
    known = _known(values)
    if result_dtype([v.exemplar if isinstance(v, _Listed) else v for v in known]) is not None:
        return promote(values)
    plain = not any(isinstance(v, Tensor) for v in known)
    if plain and (wanted := _default_dtype(known)).is_floating:
        return [of_dtype(v, wanted) for v in values]
    return promote([operand(v) for v in values])


def is_number(value: object) -> bool:
    """Whether it is a number of Python's."""
    return isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic)


def operands(values: Sequence[object]) -> list[Tensor]:
    """Operands with one dtype between them, but for Python's numbers among each other, which NumPy puts together."""
    known = _known(values)
    wanted = result_dtype([v if not isinstance(v, _Listed) else v.exemplar for v in known])
    if wanted is None and any(isinstance(v, _Listed) for v in known):
        wanted = _default_dtype(known)
    if wanted is None:
        return [_weak(v) for v in known]
    return [of_dtype(v, wanted) for v in known]


def _default_dtype(values: Sequence[Any]) -> DType:
    """What Python numbers become when no tensor says otherwise."""
    exemplars = [v.exemplar if isinstance(v, _Listed) else v for v in values if not isinstance(v, Tensor)]
    kind = np.result_type(*exemplars).kind
    real, whole = (float64, int64) if python_numbers.are_numpys else (float32, int32)
    return {"b": bool_, "c": complex128}.get(kind, real if kind == "f" else whole)


class _Listed:
    """Numbers that take a tensor's dtype as one of Python's does: a list of them, or an array beside a tensor."""

    def __init__(self, values: object, kind: str) -> None:
        self.values = values
        self.exemplar = _EXEMPLARS.get(kind, 0.0)


def _known(values: Sequence[object]) -> list[object]:
    """Operands as what their dtypes are told by: numbers of Python's, lists of such, and tensors."""
    known = [v if is_number(v) else _listed(v) for v in values]
    if python_numbers.are_numpys or not any(isinstance(v, np.ndarray | np.generic) for v in values):
        return known
    given = [(one, is_tensor(value)) for one, value in zip(known, values, strict=True)]
    beside = [one.type.dtype for one, made in given if made and isinstance(one, Tensor) and _decides(one)]
    if not beside:
        return known
    return [one if made or not isinstance(one, EagerTensor) else _beside(one, beside) for one, made in given]


def _decides(tensor: Tensor) -> bool:
    """Whether an array beside it takes its dtype: arrays have NumPy's manners among each other, those that only the
    graph knows, too."""
    return not tensor.of_numpy and not tensor.type.weak


_RANKS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}  # of the kinds of dtypes: those of one have its precision


def _beside(made: EagerTensor, dtypes: Sequence[DType]) -> _Listed | EagerTensor:
    """An array beside tensors of these dtypes, one of which it takes as a list does, unless none of them has numbers of
    its kind, or its integers do not fit."""
    array = made.array
    kind = array.dtype.kind
    if kind not in _EXEMPLARS or _RANKS[kind] > max(_RANKS.get(dtype.dtype.kind, -1) for dtype in dtypes):
        return made
    if array.dtype.kind in "iu" and array.size:
        bounds = [np.iinfo(dtype.dtype) for dtype in dtypes if dtype.is_integer]
        if any(array.min() < b.min or array.max() > b.max for b in bounds):
            return made
    return _Listed(made, array.dtype.kind)


def _listed(value: object) -> object:
    if (
        isinstance(value, list | tuple)
        and not _holds_arrays(value)
        and not _holds_tensors(value)
        and not _has_text(value)
    ):
        return _Listed(value, np.asarray(value).dtype.kind)
    return operand(value)


def _weak(value: Any) -> Tensor | WeakConstant:
    if isinstance(value, _Listed):
        return operand(value.values)
    if isinstance(value, Tensor):
        return value
    return WeakConstant(value)


def _in_64_bits(value: int) -> int:
    return min(max(value, -(2**63)), 2**63 - 1)


class WeakConstant(EagerTensor):
    """A Python number among weak tensors."""

    __slots__ = ()

    def __init__(self, value: Number) -> None:
        if isinstance(value, int) and value != _in_64_bits(value):
            raise OverflowError(
                f"{value} meets a number of Python's that only the graph knows, and whole numbers have 64 bits there. "
                "Make floats of both (float(n)), or take the smaller part of it first (n % 2**32)."
            )
        super().__init__(np.asarray(value))

    @property
    def type(self) -> TensorType:
        return TensorType(as_dtype(self.array.dtype), (), self.array.dtype.kind != "b")

    def record_in(self, trace: Trace) -> Value:
        return trace.constant(self.array, as_dtype(self.array.dtype), weak=self.array.dtype.kind != "b")


def assigned(value: object, dtype: DType) -> NumPyArray:
    """What an element becomes that a number is assigned to; raises what NumPy raises if the number does not fit."""
    element = np.empty((), dtype.dtype)
    element[()] = value
    return element


def of_dtype(value: object, dtype: DType) -> Tensor:
    """An operand in another dtype; constants are converted at once."""
    if isinstance(value, _Listed):
        value = value.values
    if not isinstance(value, Tensor):
        if dtype == string:
            return EagerTensor(to_array(value))
        # NumPy checks that an int fits, and rounds everything else.
        fits = isinstance(value, int) or (isinstance(value, list | tuple) and dtype.is_integer and _are_integers(value))
        return EagerTensor(np.asarray(value, dtype.dtype) if fits else np.asarray(value).astype(dtype.dtype))
    if value.type.dtype == dtype and not value.type.weak:
        return value
    is_number = value.type.weak and value.type.dtype.is_integer and dtype.is_integer and dtype != value.type.dtype
    if isinstance(value, EagerTensor) and not _is_followed(value):  # NumPy checks that a Python number fits
        array = value.array
        return EagerTensor(np.asarray(int(array), dtype.dtype) if is_number else array.astype(dtype.dtype))
    if is_number and isinstance(value, SymbolicTensor):
        origin = value.traced_in.origins.get(value.value)
        if origin is not None and origin.type.dtype == dtype:
            return SymbolicTensor(value.traced_in, origin)
    result: Tensor = apply(ew.fit if is_number else ew.cast, value, dtype=dtype)
    return result


def _is_followed(value: EagerTensor) -> bool:
    """Whether a gradient may be asked of it: what becomes of it is recorded then."""
    if taping.active[0] and taping.follow([value]):
        return True
    trace = current()
    return trace is not None and trace.pinned_value(value.array) is not None


def _are_integers(values: object) -> bool:
    return np.asarray(values).dtype.kind in "iuO"


def is_repeated(value: object) -> bool:
    """Whether a value times a whole number of Python's, or NumPy's, is the value so many times over."""
    if isinstance(value, Tensor):  # which only the graph may know the class of
        return False
    return isinstance(value, Sequence) and hasattr(type(value), "__mul__")


def repeated(sequence: Any, count: Tensor, in_place: bool = False) -> object:
    """A sequence of Python's times a number: so many times over; `in_place` if all who hold it are to see that."""
    if not count.type.dtype.is_integer:
        raise TypeError(f"can't multiply sequence by non-int of type '{count.dtype.name}'")
    known = static_value(count)
    if known is not None:
        if not in_place:
            return sequence * int(known)
        sequence *= int(known)
        return sequence
    if in_place and type(sequence) is list:
        raise StagingError(
            f"{sequence!r} *= {count}: only the graph knows how long this list gets, and others who hold it would not "
            "see it. Make a new list (a = a * n), or have it begin as [*a]."
        )
    if type(sequence) not in REPEATED:
        raise StagingError(
            f"{sequence!r} times {count}: only the graph knows how long it gets. Make it a list, which can have such a "
            "length."
        )
    return REPEATED[type(sequence)](sequence, count)


REPEATED: dict[type, Callable[[object, object], object]] = {}  # how a sequence of each type is repeated in a graph


def _as_they_are(op: Op, x: object, y: object) -> list[object] | None:
    """The operands of a comparison of a tensor of integers with a Python integer, which may be larger than its dtype
    holds; None for any others."""
    if not op.compares:
        return None
    for number, other in ((x, y), (y, x)):
        if isinstance(other, Tensor) and not other.type.weak and other.type.dtype.is_integer:
            if type(number) is int and -(2**63) <= number < 2**63:
                bounds = np.iinfo(other.type.dtype.dtype)
                if not bounds.min <= number <= bounds.max:
                    return [WeakConstant(v) if v is number else v for v in (x, y)]
            elif isinstance(number, SymbolicTensor) and number.type.weak and number.type.dtype.is_integer:
                return [x, y]
        counts = isinstance(other, Tensor) and (other.type.weak or other.type.dtype.is_integer)
        if counts and isinstance(number, int) and number != _in_64_bits(number):
            return [WeakConstant(math.copysign(math.inf, v)) if v is number else v for v in (x, y)]
    return None


def _in_float64(op: Op, x: object, y: object) -> list[Tensor] | None:
    """The operands of a quotient of integers, one of them Python's, which the dtype of the other may not hold: NumPy
    divides them in float64. None for any others."""
    for number, other in ((x, y), (y, x)):
        if op is ew.divide and isinstance(other, Tensor) and not other.type.weak and other.type.dtype.is_integer:
            if _may_not_hold(other.type.dtype, number):
                return [cast(operand(v), float64) for v in (x, y)]
    return None


def _may_not_hold(dtype: DType, number: object) -> bool:
    """Whether a dtype of integers may not have a whole number of Python's."""
    if isinstance(number, SymbolicTensor):
        return number.type.weak and number.type.dtype.is_integer and number.type.dtype != dtype
    bounds = np.iinfo(dtype.dtype)
    return type(number) is int and not bounds.min <= number <= bounds.max


def binary(op: Op, x: object, y: object) -> object:
    """A binary operation after promotion; NotImplemented for what is no tensor."""
    try:
        a, b = _as_they_are(op, x, y) or _in_float64(op, x, y) or operands([x, y])
    except TypeError:
        if isinstance(x, Tensor) and isinstance(y, Tensor):
            raise
        return NotImplemented
    return apply(op, a, b)


_NO_BOUND = "slice indices must be integers or None or have an __index__ method"
_NO_INDICES = "arrays used as indices must be of integer (or boolean) type"
_NO_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid "
    "indices"
)


def index_parts(index: object) -> tuple[tuple[object, ...], list[Tensor]]:
    """An index as an attribute (its Python parts) and inputs (its tensors)."""
    given: list[Tensor] = []

    def one(part: object) -> object:
        if isinstance(part, SymbolicTensor):
            part = part.as_index()
        if part is None or part is Ellipsis:
            return part
        if isinstance(part, int) and not isinstance(part, bool):
            return int(part)  # an IntEnum, say, whose text is no Python
        if isinstance(part, slice):
            return slice(*(bound(b) for b in (part.start, part.stop, part.step)))
        if isinstance(part, np.integer):
            return int(part)
        if isinstance(part, EagerTensor) and part.array.ndim == 0 and part.array.dtype.kind in "iu":
            return int(part)
        given.append(whole(part))
        return indexing.INPUT

    def bound(part: object) -> object:
        if isinstance(part, SymbolicTensor):
            part = part.as_index(slice)
        if part is None:
            return part
        if isinstance(part, int):
            return int(part)
        if isinstance(part, np.integer) or (isinstance(part, EagerTensor) and part.array.shape == ()):
            return int(whole(part, TypeError))  # type: ignore[call-overload]
        given.append(whole(part, TypeError))
        return indexing.INPUT

    def whole(part: Any, error: type[Exception] = IndexError) -> Tensor:
        found = operand(part.stacked(exact=True) if has_grown(part) else part)
        if isinstance(part, list) and found.shape.num_elements() == 0:
            return operand(np.zeros(found.type.shape, np.int64))  # of a list without elements nothing tells the dtype
        if python_numbers.are_numpys and not (found.dtype.is_integer or found.dtype.is_bool):
            raise error(_NO_BOUND if error is TypeError else _NO_INDICES if found.shape.rank else _NO_INDEX)
        if found.dtype == string:
            raise IndexError(
                f"{part!r:.60} is text, and only integers, slices, None, ... and arrays of integers or booleans stand "
                "in the brackets behind a tensor; a dictionary has names for what it holds."
            )
        if found.dtype.is_floating or found.dtype.is_complex or (found.dtype.is_bool and error is TypeError):
            raise error(
                f"{part!r:.60} is {found.dtype.name}, and only integers, slices, None, ... and arrays of integers or "
                "booleans stand in the brackets behind a tensor: cast it."
            )
        return found

    parts = index if isinstance(index, tuple) and not isinstance(index, Handle) else (index,)
    parts = tuple(operand(part) if isinstance(part, Handle) else part for part in parts)
    return tuple([one(part) for part in parts]), given


def may_miss(parts: Sequence[object], given: Sequence[Tensor]) -> bool:
    """Whether only the graph knows if an index is in range."""
    return any(part is indexing.INPUT for part in parts) and not all(part.dtype.is_bool for part in given)


def static_value(value: object) -> Any:
    """The array behind a tensor if it is known while tracing, or None."""
    if isinstance(value, EagerTensor):
        return value.array
    if isinstance(value, SymbolicTensor):
        known = value.traced_in.constants.get(value.value)
        return numbers_of(value.type) if known is None else known
    return None if has_tensor(value) else np.asarray(value)


def numbers_of(type_: TensorType) -> NumPyArray | None:
    """The numbers of a rank or a shape, where these are known; None elsewhere."""
    sizes = type_.sizes
    if sizes is None or not shapes.is_known(type_.shape) or not all(isinstance(size, int) for size in sizes):
        return None
    return np.asarray(sizes, type_.dtype.dtype).reshape(type_.shape)


def known_numbers(value: object) -> Any:
    """Numbers that are known while tracing, also those in lists, as an array; None if one is not."""
    if not isinstance(value, list | tuple):
        return static_value(operand(value))
    parts = [known_numbers(part) for part in value]
    return None if any(part is None for part in parts) else np.asarray(parts)


def are_open(value: object) -> bool:
    """Whether only the graph knows a number, or one of several in a list."""
    if isinstance(value, list | tuple):
        return any(map(are_open, value))
    is_staged = isinstance(value, Tensor) or has_tensor(value)
    return is_staged and static_value(operand(value)) is None


def get_static_value(tensor: TensorLike, partial: bool = False) -> object:
    """The value of a tensor where it is known by now: also that of a constant while a graph is traced.

    Args:
      tensor: the tensor, of any shape.
      partial: must be False.
    Returns: an array or scalar of NumPy's, of the same shape and dtype; None where only the graph knows the value.

    >>> tf.get_static_value(tf.constant([1, 2]))
    array([1, 2], dtype=int32)
    >>> tf.function(lambda x: print(tf.get_static_value(x), tf.get_static_value(tf.constant(3))))(tf.constant(1))
    None 3
    """
    if partial:
        raise NotImplementedError("get_static_value with partial=True: a tensor is known as a whole or not at all")
    given = tensor if isinstance(tensor, Tensor) or has_tensor(tensor) else EagerTensor(to_array(tensor))
    known = static_value(given)
    return None if known is None else EagerTensor.of(known).numpy()


def dimensions(shape: Any) -> tuple[tuple[int | None, ...], list[Tensor]]:
    """A shape argument as an attribute (None where a tensor stands) and those tensors.

    Takes an int, a list of ints and scalar tensors, a TensorShape, or a tensor of rank 1 whose length is known.
    """
    if isinstance(shape, Tensor) or has_tensor(shape):
        shape = operand(shape)
        known = static_value(shape)
        if known is not None:
            return tuple(int(d) for d in np.atleast_1d(known)), []
        shape = [shape] if shape.type.shape == () else [shape[i] for i in range(len(shape))]
    if isinstance(shape, int | np.integer):
        shape = [shape]
    dims: list[int | None] = []
    given = []
    for d in shape:
        if d is None:
            raise ValueError(
                f"the shape {tuple(shape)} has an unknown size, and a tensor of it is wanted: say how large it is, or "
                "take it from a tensor, as in tf.shape(x)[0]"
            )
        if has_tensor(d):
            d = operand(d)
        known = static_value(d) if isinstance(d, Tensor) else d
        try:
            dims.append(None if known is None else int(known))
        except (TypeError, ValueError):
            raise TypeError(
                f"the sizes of a shape are whole numbers, and one of {shape!r:.100} is {known!r:.60}"
            ) from None
        if known is None:
            given.append(operand(d))
    return tuple(dims), given
