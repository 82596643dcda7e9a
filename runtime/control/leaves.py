"""What regions hand over: leaves of nested structures, their types, and how two types become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph import UNSET, StagingError
from runtime.control.items import OneShot
from runtime.control.places import JoinedArray
from runtime.control.unions import truth_of, union_of
from runtime.graph import shapes
from runtime.graph.dtypes import int64, python_numbers, string
from runtime.graph.graph import ListType, TensorType, Value
from runtime.graph.owner import Owner
from runtime.ops import elementwise as ew, lists, shape as shape_ops, strings as string_ops
from runtime.tensors.arrays import TensorArray
from runtime.tensors.conversion import of_dtype, operand
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.growing import has_grown
from runtime.tensors.leaf_types import Leaf
from runtime.tensors.numbers import Range
from runtime.tensors.operations import apply, apply_to_list, symbolic
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, current, recording
from runtime.tensors.types import has_tensor
from runtime.tensors.views import owned


@dataclass(frozen=True)
class Slot:
    """The place of a leaf among the results of a node; `template` is kept for what a TensorArray needs besides, `array`
    for what an array that can be written does."""

    number: int
    template: Any = None
    array: JoinedArray | None = None
    owner: Owner = Owner.TENSOR


@dataclass(frozen=True)
class PromotedSlot(Slot):
    """The place of a number of several types, one of `types`, and that of the number which tells its type."""

    told: Any = None
    types: frozenset[type] = frozenset()


def to_value(trace: Trace, value: Any, type_: Leaf) -> Value:
    """A leaf as a value of the trace, with the type that was settled for it."""
    if type(value) is SymbolicTensor and isinstance(type_, TensorType) and value.type.dtype == type_.dtype:
        return value.record_in(trace)  # nothing is recorded for it
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
        empty = apply_to_list(
            lists.new, EagerTensor.of(np.int32(0)), dtype=type_.dtype, shape=type_.shape, weak=type_.weak
        )
        made: Value = empty.record_in(trace)
        return made
    zeros = np.zeros(dims, type_.dtype.dtype)
    if type_.dtype == string:
        zeros[...] = b""
    return trace.constant(zeros, type_.dtype, type_.weak)


def truth(value: Any) -> Tensor:
    """The truth of a tensor as a bool scalar; numbers are true where not zero, strings where not empty.

    Raises ValueError for several elements, as Python does.
    """
    if (union := union_of(value)) is not None:
        return truth_of(union, truth)
    if has_grown(value):
        value = value.rows.count()
    elif isinstance(value, Range):
        value = apply(shape_ops.length, value, axis=0, dtype=int64)
    elif type(value) is OneShot:
        return EagerTensor(np.asarray(True))  # as iterators are
    tensor = operand(value)
    dims = tensor.type.shape
    if shapes.is_known(dims) and shapes.product(dims) != 1:
        if python_numbers.are_numpys:
            bool(np.broadcast_to(False, dims))  # raises what NumPy does, which the program may catch
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


def filled_slot(slot: Slot, value: Value, trace: Trace) -> object:
    """What user code holds for the value in a slot."""
    if slot.array is not None:
        return slot.array.filled(trace, value)
    made = symbolic(trace, value)
    if slot.owner is not Owner.TENSOR:
        return owned(made, slot.owner)
    return TensorArray.holding(slot.template, made) if slot.template is not None else made


def owner_of_all(values: Sequence[object], kind: Leaf) -> Owner:
    """Whose number a variable holds that is one of these: NumPy's if one of them is; a tensor if that may be one."""
    owners = {owner_of(value) for value in values}
    if owners == {Owner.RANGE}:
        return Owner.RANGE
    if not isinstance(kind, TensorType) or kind.shape != () or not values:
        return Owner.TENSOR
    if not owners <= {Owner.PYTHON, Owner.NUMPY}:
        return Owner.TENSOR
    return Owner.NUMPY if Owner.NUMPY in owners else Owner.PYTHON


def is_symbolic(value: object) -> bool:
    return isinstance(value, SymbolicTensor) or (has_tensor(value) and current() is not None)
