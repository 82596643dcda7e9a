"""Numbers, texts and ranges of programs on NumPy while they are traced: values that behave as Python's, or NumPy's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.operators.calls import defined
from autograph.reading import is_a, is_made_later
from runtime.graph import errors
from runtime.graph.dtypes import bool_, complex128, float64, int64, string
from runtime.graph.graph import Value
from runtime.graph.owner import Owner
from runtime.graph.shapes import is_known
from runtime.ops import elementwise as ew
from runtime.tensors import mathematics, operators
from runtime.tensors.from_numpy import FromNumpy, owner_of, rank_of, type_of
from runtime.tensors.operations import apply
from runtime.tensors.python_errors import FAILING, after, before
from runtime.tensors.several import Asked
from runtime.tensors.sizes import StagedSizes
from runtime.tensors.tensor import Meaning, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace

METHODS: dict[type, dict[str, Any]] = {}  # of Python's numbers, as they are defined; filled in by `whole_numbers`
OF_TEXT: dict[str, Callable[..., object]] = {}  # what methods of Python's text mean; filled in by `text_methods`
_OF_BITS = frozenset("and or xor lshift rshift".split())
_OF_TRUTHS = frozenset("and or xor".split())  # of which they are truth values
_COMPARED = frozenset("lt le gt ge eq ne".split())


class Scalar(FromNumpy):
    """A number of NumPy's, or a number or text of Python's (`python`): a value, whose text is that of the number."""

    __slots__ = ("python",)

    def __init__(self, trace: Trace, value: Value, python: bool = False) -> None:
        super().__init__(trace, value)
        self.python = python

    def __setitem__(self, index: object, value: object) -> None:
        raise TypeError(f"a number does not support item assignment: {self}")

    def item(self, *index: object) -> object:
        if self.python:
            raise AttributeError(f"{self._kind().__name__!r} object has no attribute 'item'")
        if index not in ((), (0,), ((),)):
            raise IndexError(f"index {index} is out of bounds for size 1")
        return pythons(self)

    tolist = item

    @property
    def real(self) -> object:
        return self._part(mathematics.real(self._computed("add")))

    @property
    def imag(self) -> object:
        return self._part(mathematics.imag(self._computed("add")))

    def _part(self, found: object) -> object:
        return pythons(found) if self.python else self._arrayed(found, [self])

    @property
    def _owner(self) -> Owner:
        return Owner.PYTHON if self.python else Owner.NUMPY

    def _repeats(self) -> bool:
        return True

    def _binary(self, name: str, other: object, swapped: bool = False) -> object:
        made = self._combined(name, other, swapped)
        if made is NotImplemented and name not in ("eq", "ne") and not is_made_later(type(other)):
            like = self._kind()()  # such a number says as whose operand it has no meaning
            operators.function(name)(*((other, like) if swapped else (like, other)))
        return made

    def _combined(self, name: str, other: object, swapped: bool) -> object:
        if isinstance(other, Asked):
            return NotImplemented
        x, y = (other, self) if swapped else (self, other)
        # Python takes np.float64 for a float of its own.
        if _is_complex(x) and (type(y) is np.float64 or (type(y) is Scalar and type_of(y) is np.float64)):
            return operators.function(name)(x, pythons(y) if isinstance(y, Scalar) else float(y))  # type: ignore[arg-type]
        if name == "matmul" and owner_of(other) in (Owner.NUMPY, Owner.PYTHON):
            kinds = [f"'{'numpy.' * issubclass(k, np.generic)}{k.__name__}'" for k in (type_of(x), type_of(y))]
            raise TypeError(f"unsupported operand type(s) for @: {' and '.join(kinds)}")
        if is_text(self) and (name == "mul" or (name == "mod" and not swapped)):
            return OF_TEXT[f"__{name}__"](self, other)
        if self.python and name != "mul" and is_a(other, (list, tuple, range)):
            return NotImplemented  # NumPy's numbers alone make an array of it
        if is_text(self) and is_a(other, bytes):
            return NotImplemented
        if self.python and _is_whole(other, name, self):
            other = int(other) if type(other) is bool else other._computed(name, self)  # type: ignore[attr-defined]
        if not self.python or name not in FAILING or owner_of(other) is not Owner.PYTHON or type_of(other) is str:
            return super()._binary(name, other, swapped)
        x, y = before(name, *((other, self) if swapped else (self, other)))
        made = super(Scalar, x)._binary(name, y) if is_a(x, Scalar) else super(Scalar, y)._binary(name, x, True)
        after(name, x, y, made)
        return made

    def as_index(self, index: Callable[[object], object] = lambda part: part) -> Tensor:
        return self._computed("add") if index is slice else self  # a truth value of Python's is a whole number there

    def __getitem__(self, index: Any) -> Any:
        if is_text(self):
            return OF_TEXT["__getitem__"](self, index)
        if any(map(_is_position, index if is_a(index, tuple) else (index,))):
            if self.python:
                raise TypeError(f"{self._called()!r} object is not subscriptable")
            raise IndexError("invalid index to scalar variable.")
        return super().__getitem__(index)

    def __getattr__(self, name: str) -> object:
        if not name.startswith("_"):
            kind = self._kind()
            if kind is str and name in OF_TEXT:
                return functools.partial(OF_TEXT[name], self)
            known = kind if self.python or not issubclass(kind, np.floating) else np.floating
            if (definition := METHODS.get(known, {}).get(name)) is not None:
                return functools.partial(defined(definition), self)
            if name in ("numerator", "denominator") and issubclass(kind, int | np.integer):
                return +self if name == "numerator" else 1
            if not hasattr(kind, name) and (self.python or issubclass(kind, np.generic)):
                called = kind.__name__ if self.python else f"numpy.{kind.__name__}"
                raise AttributeError(f"{called!r} object has no attribute {name!r}")
            if hasattr(kind, name) and kind is not str and not hasattr(np.ndarray, name):
                raise errors.NoStagedMethodError(
                    f"{kind.__name__} has '{name}', but it has no staged meaning: {self} gets its value only when the "
                    "graph runs. Use runtime.py_function to call it then."
                )
        return super().__getattr__(name)

    def _kind(self) -> type:
        if not self.python:
            return self.dtype.as_numpy_dtype
        return str if self.type.dtype == string else type(np.zeros((), self.dtype.dtype).item())

    def _computed(self, name: str, other: object = None) -> FromNumpy:
        if _is_whole(self, name, other):
            return number(apply(ew.cast, self, dtype=int64, weak=True))
        return self


def _is_position(part: object) -> bool:
    """Whether a part of an index would be the place of an item, of which a number has none."""
    return type(part) is not bool and isinstance(part, int | float | str | np.number | Scalar)


class Range(FromNumpy):
    """What ``range`` makes: its items are Python's numbers, and Python computes with it no more than with a list."""

    __slots__ = ()

    _owner = Owner.RANGE

    def _kind(self) -> type:
        return range

    def _binary(self, name: str, other: object, swapped: bool = False) -> object:
        if is_a(other, operators.Operators) and not is_a(other, Tensor):
            return NotImplemented
        if owner_of(other) in (Owner.ARRAY, Owner.NUMPY):
            if name in _OF_BITS and not is_known(self.type.shape):
                raise errors.OperatorNotAllowedInGraphError(
                    "only the graph knows whether this range is empty, of which NumPy makes an array of floats, which "
                    f"has no `{operators.SYMBOLS[name]}`: {self}. Use np.arange."
                )
            return super()._binary(name, other, swapped)  # NumPy makes an array of it
        if name in ("eq", "ne"):
            return self._equals(other) is (name == "eq")
        x, y = (type_of(v).__name__ for v in ((other, self) if swapped else (self, other)))
        symbol = operators.SYMBOLS[name]
        if name in ("lt", "le", "gt", "ge"):
            raise TypeError(f"'{symbol}' not supported between instances of '{x}' and '{y}'")
        raise TypeError(f"unsupported operand type(s) for {symbol}: '{x}' and '{y}'")

    def _equals(self, other: object) -> bool:
        if is_a(other, (Range, range)):
            raise errors.OperatorNotAllowedInGraphError(
                f"whether two ranges are equal is not found in a graph: {self}. Compare their bounds."
            )
        return False

    def _unary(self, name: str) -> object:
        if name == "abs":
            raise TypeError("bad operand type for abs(): 'range'")
        raise TypeError(f"bad operand type for unary {operators.SYMBOLS[name]}: 'range'")

    def __getattr__(self, name: str) -> object:
        if name in ("start", "stop", "step", "count", "index"):
            raise errors.OperatorNotAllowedInGraphError(
                f"a range whose bounds only the graph knows has no {name} there: {self}. Keep it in a variable."
            )
        raise AttributeError(f"'range' object has no attribute {name!r}")

    def __setitem__(self, index: object, value: object) -> None:
        raise TypeError("'range' object does not support item assignment")

    def __delitem__(self, index: object) -> None:
        raise TypeError("'range' object doesn't support item deletion")

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice) and rank_of(index) != 0:
            raise TypeError(f"range indices must be integers or slices, not {type_of(index).__name__}")
        found = super().__getitem__(index)
        return Range(found.traced_in, found.value) if isinstance(index, slice) else number(apply(ew.widen, found))


Sequence.register(Range)


def _is_complex(value: object) -> bool:
    """Whether it is a complex number of Python's."""
    return type(value) is complex or (type(value) is Scalar and type_of(value) is complex)


def is_text(value: object) -> bool:
    """Whether a value is text of Python's that only the graph knows."""
    return isinstance(value, Scalar) and value.python and value.type.dtype == string


def number(value: object) -> Any:
    """A number, or text, as Python's own."""
    return Scalar(value.traced_in, value.value, python=True) if isinstance(value, SymbolicTensor) else value


StagedSizes.number = number
Meaning.pythons = number


def _is_whole(value: object, name: str, other: object) -> bool:
    """Whether it is a truth value of Python's that Python takes for a whole number, beside another operand: not where
    NumPy has a truth value for that."""
    if not is_truth(value) or name in _COMPARED:
        return False
    beside_truth = type_of(other) in (bool, np.bool_) or getattr(other, "dtype", None) in (bool_, np.bool_)
    return not beside_truth or (name not in _OF_TRUTHS and owner_of(other) is Owner.PYTHON)


def is_truth(value: object) -> bool:
    """Whether a value is True or False of Python's, as the graph may know."""
    return type(value) is bool or (is_a(value, Scalar) and value.python and value.type.dtype.is_bool)


def pythons(value: Any) -> object:
    """A number of NumPy's as Python's, as ``item`` makes it."""
    kind = value.type.dtype
    if not value.type.weak:
        if kind.is_integer:
            value = apply(ew.widen if kind.max <= int64.max else ew.python_int, value)
        elif kind.is_floating or kind.is_complex:
            value = apply(ew.cast, value, dtype=float64 if kind.is_floating else complex128, weak=True)
    return number(value)
