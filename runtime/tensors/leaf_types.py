"""What of a nested structure can be a value of a graph, its type, and how two types become one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.graph import shapes
from runtime.graph.dtypes import as_dtype, bool_, python_numbers, string
from runtime.graph.graph import ListType, TensorType
from runtime.graph.owner import Owner
from runtime.tensors.arrays import TensorArray
from runtime.tensors.composites import Composite
from runtime.tensors.conversion import to_array
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.handles import Handle
from runtime.tensors.nest import ATOMS
from runtime.tensors.tensor import EagerTensor, ListElements, SymbolicTensor, Tensor
from runtime.tensors.types import has_tensor

Leaf = TensorType | ListType


def is_leaf(value: object) -> bool:
    """Whether a value can be a tensor in a graph."""
    if type(value) in ATOMS:
        return not _has_own_class(value)
    simple = (Tensor, bool, int, float, complex, str, bytes, np.ndarray, np.generic, TensorArray, ListElements)
    if isinstance(value, Handle | Composite):
        return False  # they are of several parts
    return (isinstance(value, simple) or has_tensor(value)) and not _has_own_class(value)


def _has_own_class(value: object) -> bool:
    """Whether a program on NumPy has more of a value than the number or the text that a graph would have of it: its
    class, as of an IntEnum. Bytes are no text."""
    if not python_numbers.are_numpys or type(value) in _NUMBERS_AND_TEXT:
        return False
    return isinstance(value, int | float | complex | str | bytes) and not isinstance(value, np.generic)


_NUMBERS_AND_TEXT = (bool, int, float, complex, str)


def leaf_type(value: Any) -> Leaf:
    """The type of a leaf; Python numbers are weak."""
    if isinstance(value, Tensor):
        return value.type
    if isinstance(value, TensorArray):
        kind = value.elements.type
        known = kind if kind.mixed or kind.shape is not None else ListType(value.dtype, value.element_shape.dims)
        return replace(known, dtype=value.dtype, weak=False)
    if isinstance(value, ListElements):
        return value.type
    if isinstance(value, bool):
        return TensorType(bool_, ())
    if is_beyond(value):
        raise OverflowError(f"Python integer {value} is too large for the 64 bits that a graph has for one")
    if isinstance(value, int | float | complex) and not isinstance(value, np.generic):
        return TensorType(as_dtype(np.asarray(value).dtype), (), weak=True)
    if has_tensor(value):
        return TensorType(value.dtype, value.shape.dims)
    array = to_array(value)
    return TensorType(as_dtype(array.dtype), array.shape)


def is_beyond(value: object) -> bool:
    """Whether it is a whole number of Python's that 64 bits do not hold."""
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def join_types(a: Leaf, b: Leaf) -> Leaf | None:
    """The type that holds both, or None if there is none: two tensors of different kinds of numbers."""
    if isinstance(a, ListType) or isinstance(b, ListType):
        lists = isinstance(a, ListType) and isinstance(b, ListType)
        return a.joined(b) if lists and (a.dtype, a.weak) == (b.dtype, b.weak) else None  # type: ignore[union-attr,arg-type]
    assert isinstance(a, TensorType) and isinstance(b, TensorType)
    shape = shapes.join(a.shape, b.shape)
    if a.dtype == b.dtype:
        return TensorType(a.dtype, shape, a.weak and b.weak)
    if string in (a.dtype, b.dtype):
        return None
    if not (a.weak or b.weak):  # 32 and 64 bits go together; a number of another kind may well be a mistake
        same = a.dtype.dtype.kind == b.dtype.dtype.kind
        return TensorType(as_dtype(np.result_type(a.dtype.dtype, b.dtype.dtype)), shape) if same else None
    if a.weak and b.weak:
        return TensorType(as_dtype(np.result_type(a.dtype.dtype, b.dtype.dtype)), shape, weak=True)
    strong, weak = (b, a) if a.weak else (a, b)
    exemplar = {"i": 0, "f": 0.0, "c": 0j}[weak.dtype.dtype.kind]
    return TensorType(as_dtype(np.result_type(strong.dtype.dtype, exemplar)), shape)


def is_scalar(value: object) -> bool:
    """Whether a value is a number, of Python's or of NumPy's."""
    return owner_of(value) in (Owner.NUMPY, Owner.PYTHON) and leaf_type(value).dtype != string


def are_of_several_dtypes(a: object, b: object, unless_known: bool = False) -> bool:
    """Whether no one dtype holds two numbers or arrays of a program on NumPy as they are: each is what it is.

    A number of Python's is held by the dtype that NumPy computes with it in if that has the very same number; one that
    only the graph knows is taken to be such `unless_known`, and else if the dtype has as many bits.
    """
    if not python_numbers.are_numpys or not all(is_scalar(v) or owner_of(v) is Owner.ARRAY for v in (a, b)):
        return False
    kinds = [leaf_type(v) for v in (a, b)]
    if kinds[0].dtype == kinds[1].dtype or string in (kinds[0].dtype, kinds[1].dtype):
        return False
    if kinds[0].weak == kinds[1].weak:
        return not kinds[0].weak
    number, kind = (a, kinds[1]) if kinds[0].weak else (b, kinds[0])
    both = join_types(*kinds)
    assert both is not None
    if both.dtype != kind.dtype:
        return True
    return not (unless_known and isinstance(number, SymbolicTensor)) and not _is_held(number, kind.dtype.dtype)


def _is_held(number: Any, dtype: np.dtype[Any]) -> bool:
    """Whether a dtype has this number of Python's."""
    if isinstance(number, EagerTensor):
        number = number.array.item()
    if isinstance(number, SymbolicTensor):
        return dtype.itemsize >= number.type.dtype.dtype.itemsize
    with np.errstate(all="ignore"):
        held = np.asarray(number).astype(dtype).item()
    return bool(held == number or number != number)


def describe(value: object) -> str:
    if is_leaf(value) and not isinstance(value, TensorArray):
        kind = leaf_type(value)
        return f"{with_article(kind.dtype.name)} tensor of shape {shapes.show(kind.shape)}"
    # What the user's own classes make of themselves may not be text.
    return repr(value) if type(value).__repr__ is object.__repr__ else with_article(type(value).__name__)
