"""What regions hand over: leaves of nested structures, their types, and how two types become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph import UNSET, StagingError
from runtime import shapes
from runtime.arrays import TensorArray
from runtime.control.choices import choice_of, truth_of
from runtime.control.places import MergedArray
from runtime.conversion import of_dtype, operand, to_array
from runtime.dtypes import as_dtype, bool_, string
from runtime.graph import ListType, TensorType, Value
from runtime.growing import has_grown
from runtime.operations import apply, symbolic
from runtime.ops import elementwise as ew
from runtime.ops import lists
from runtime.ops import shape as shape_ops
from runtime.ops import strings as string_ops
from runtime.tensor import EagerTensor, ListElements, SymbolicTensor, Tensor
from runtime.trace import Trace, current, recording
from runtime.views import Scalar

Leaf = TensorType | ListType


@dataclass(frozen=True)
class Slot:
    """The place of a leaf among the results of a node; `template` is kept for what a TensorArray needs besides, `array`
    for what an array that can be written does."""

    number: int
    template: Any = None
    array: MergedArray | None = None
    whose: str = ""  # number it is, if not a tensor: Python's or NumPy's


def is_leaf(value: Any) -> bool:
    """Whether a value can be a tensor in a graph."""
    simple = (Tensor, bool, int, float, complex, str, bytes, np.ndarray, np.generic, TensorArray, ListElements)
    return isinstance(value, simple) or hasattr(value, "__tensor__")


def leaf_type(value: Any) -> Leaf:
    """The type of a leaf; Python numbers are weak."""
    if isinstance(value, TensorArray):
        kind = value.elements.type
        return ListType(value.dtype, kind.shape if kind.shape is not None else value.element_shape.dims)
    if isinstance(value, ListElements):
        return value.type
    if isinstance(value, bool):
        return TensorType(bool_, ())
    if isinstance(value, int | float | complex) and not isinstance(value, np.generic):
        return TensorType(as_dtype(np.asarray(value).dtype), (), weak=True)
    if hasattr(value, "__tensor__"):
        return TensorType(value.dtype, value.shape.dims)
    if isinstance(value, Tensor):
        return value.type
    array = to_array(value)
    return TensorType(as_dtype(array.dtype), array.shape)


def to_value(trace: Trace, value: Any, type_: Leaf) -> Value:
    """A leaf as a value of the trace, with the type that was settled for it."""
    with recording(trace):
        if value is UNSET:
            return _placeholder(trace, type_)
        if isinstance(type_, ListType):
            elements = value.elements if isinstance(value, TensorArray) else value
            made: Value = elements.record_in(trace)
            return made
        if isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic):
            array = np.asarray(
                value, type_.dtype.dtype if isinstance(value, int) else None
            )  # raises if it does not fit
            return trace.constant(array.astype(type_.dtype.dtype), type_.dtype, type_.weak)
        tensor = operand(value)
        if tensor.type.dtype != type_.dtype:
            tensor = of_dtype(tensor, type_.dtype)
        return tensor.record_in(trace)  # type: ignore[attr-defined, no-any-return]


def _placeholder(trace: Trace, type_: Leaf) -> Value:
    """Something of the right type for a variable that will be assigned before it is read."""
    dims = [d if isinstance(d, int) else 0 for d in type_.shape or ()]
    if isinstance(type_, ListType):
        empty = apply(lists.new, EagerTensor.of(np.int32(0)), dtype=type_.dtype, shape=type_.shape, weak=type_.weak)
        made: Value = empty.record_in(trace)
        return made
    zeros = np.zeros(dims, type_.dtype.dtype)
    if type_.dtype == string:
        zeros[...] = b""
    return trace.constant(zeros, type_.dtype, type_.weak)


def join_types(a: Leaf, b: Leaf) -> Leaf | None:
    """The type that holds both, or None if there is none: two tensors of different kinds of numbers."""
    if isinstance(a, ListType) or isinstance(b, ListType):
        same = isinstance(a, ListType) and isinstance(b, ListType) and (a.dtype, a.weak) == (b.dtype, b.weak)
        if not same:
            return None
        known = b.shape if a.shape is None else a.shape if b.shape is None else shapes.join(a.shape, b.shape)
        return ListType(a.dtype, known, a.weak)
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


def truth(value: Any) -> Tensor:
    """The truth of a tensor as a bool scalar; numbers are true where not zero, strings where not empty.

    Raises ValueError for several elements, as Python does.
    """
    if (choice := choice_of(value)) is not None:
        return truth_of(choice, truth)
    if has_grown(value):
        value = value.rows.count()
    tensor = operand(value)
    dims = tensor.type.shape
    if shapes.is_known(dims) and shapes.product(dims) != 1:
        raise StagingError(
            f"the truth of {tensor} is ambiguous: it has shape {shapes.show(dims)}. "
            "Use runtime.reduce_any(...) or runtime.reduce_all(...); to check for None, use `is not None`."
        )
    if tensor.type.dtype == string:
        tensor = apply(string_ops.length, tensor, unit="BYTE")
    if not tensor.type.dtype.is_bool:
        tensor = apply(ew.not_equal, tensor, EagerTensor(np.zeros((), tensor.type.dtype.dtype)))
    if dims != ():
        tensor = apply(shape_ops.reshape, tensor, shape=())
    return tensor


def describe(value: Any) -> str:
    if is_leaf(value) and not isinstance(value, TensorArray):
        kind = leaf_type(value)
        return f"a {kind.dtype.name} tensor of shape {shapes.show(kind.shape)}"
    return f"a {type(value).__name__}"


def filled_slot(slot: Slot, value: Value, trace: Trace) -> Any:
    """What user code holds for the value in a slot."""
    if slot.array is not None:
        return slot.array.filled(trace, value)
    made = symbolic(trace, value)
    if slot.whose:
        return Scalar(trace, value, python=slot.whose == "Python")
    return TensorArray.holding(slot.template, made) if slot.template is not None else made


def whose(values: Sequence[Any], kind: Leaf) -> str:
    """Whose number a variable holds that is one of these: Python's, or NumPy's; nothing if it may be a tensor."""
    if not isinstance(kind, TensorType) or kind.shape != () or kind.weak or not values:
        return ""
    found = [v for v in values if isinstance(v, np.generic) or (isinstance(v, Scalar) and not v.python)]
    python = [v for v in values if type(v) in (bool, int, float, complex) or (isinstance(v, Scalar) and v.python)
              or (isinstance(v, SymbolicTensor) and v.type.weak)]  # fmt: skip
    return "" if len(found) + len(python) < len(values) else "NumPy" if found else "Python"


def is_symbolic(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) or (hasattr(value, "__tensor__") and current() is not None)
