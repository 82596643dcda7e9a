"""What gradients flow between: tensors, lists and Variables, at hand or in a graph; and sums of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import DType, complex64, complex128
from runtime.graph.graph import HandleType, ListType, TensorType, Type, Value
from runtime.graph.shapes import Dims
from runtime.ops import effects, elementwise as ew, lists, reduce, shape as shape_ops
from runtime.tensors.conversion import dimensions
from runtime.tensors.making import filled_like
from runtime.tensors.operations import apply, apply_to_list, symbolic
from runtime.tensors.tensor import EagerElements, EagerTensor, Elements, ListElements, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace
from runtime.tensors.variables import Variable


class Handle:
    """A Variable as a value of a graph."""

    def __init__(self, trace: Trace, value: Value) -> None:
        self.traced_in, self.value = trace, value

    @property
    def type(self) -> HandleType:
        assert isinstance(self.value.type, HandleType)
        return self.value.type

    def record_in(self, trace: Trace) -> Value:
        return trace.local(self.value, self.traced_in)


Thing: TypeAlias = Tensor | Elements | Variable | Handle
Gradient: TypeAlias = Tensor | Elements


@dataclass(frozen=True)
class Part:
    """The gradient of something of which only a part was used: what is to be added to the gradient of all of it.

    rows: the values, and in which rows they are, where rows were looked up by their numbers.
    """

    into: Callable[[Gradient], Gradient]
    rows: Callable[[], tuple[Tensor, Tensor]] | None = None


def thing_of(trace: Trace, value: Value) -> Thing:
    """What stands for a value of a graph."""
    return Handle(trace, value) if isinstance(value.type, HandleType) else gradient_of(trace, value)


def gradient_of(trace: Trace, value: Value) -> Gradient:
    """What stands for a value that a gradient may be: a tensor, or the elements of a list."""
    made = symbolic(trace, value)
    assert isinstance(made, SymbolicTensor | ListElements)
    return made


def key_of(thing: object) -> object:
    """What tells one from another."""
    return thing.value if isinstance(thing, SymbolicTensor | ListElements | Handle) else id(thing)


def has_gradient(type_: Type) -> bool:
    """Whether numbers of this type can change by a little."""
    return type_.dtype.is_floating or type_.dtype.is_complex


def gradient_type(type_: Type) -> TensorType | ListType:
    """The type of the gradient of what has this type."""
    return type_ if isinstance(type_, ListType) else TensorType(type_.dtype, type_.shape)


def zeros_like(thing: Thing) -> Gradient:
    """Zeros in the shape of something, in its dtype."""
    if isinstance(thing, ListElements | EagerElements):
        type_ = thing.type
        known = {"dtype": type_.dtype, "shape": shapes.pattern(type_.shape), "weak": type_.weak}
        return apply_to_list(lists.new, apply(lists.size, thing), **known)
    if isinstance(thing, Variable | Handle):
        zero = EagerTensor(np.zeros((), thing.type.dtype.dtype))
        if shapes.is_known(thing.type.shape):
            return apply(shape_ops.fill, zero, shape=thing.type.shape)
        return zeros_like(apply(effects.read_variable, thing))
    zero = EagerTensor(np.zeros((), thing.type.dtype.dtype))
    if thing.type.shape == ():
        return zero
    made = filled_like(thing, zero)
    assert isinstance(made, Tensor)
    return made


def added(a: Gradient, b: Gradient) -> Gradient:
    """The sum of two gradients of the same thing."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return apply(ew.add, a, b)
    return apply_to_list(lists.add, a, b)


def stacked(elements: object) -> Tensor:
    """The elements of a list as one tensor."""
    assert isinstance(elements, ListElements | EagerElements)
    return apply(lists.stack, elements, shape=any_size(elements.type), dtype=elements.type.dtype)


def any_size(type_: TensorType | ListType) -> tuple[int, ...]:
    """A shape for zeros that go with elements of any size."""
    return tuple(d if isinstance(d, int) else 1 for d in type_.shape or ())


def element(elements: object, index: Tensor) -> Tensor:
    """One element of a list, zeros if nobody has written it."""
    assert isinstance(elements, ListElements | EagerElements)
    return apply(lists.read, elements, index, shape=any_size(elements.type), dtype=elements.type.dtype)


def like(gradient: Tensor, thing: Thing) -> Tensor:
    """A gradient in the dtype and the shape of what it belongs to, summed where that was repeated."""
    if _are_alike(gradient, thing):
        return gradient
    type_ = thing.type
    return summed(cast(gradient, type_.dtype), thing, type_.shape)


def _are_alike(a: object, b: object) -> bool:
    """Whether two tensors are at hand and of one dtype and shape, which is told faster than what their types are."""
    known = isinstance(a, EagerTensor) and isinstance(b, EagerTensor)
    return known and a.array.dtype == b.array.dtype and a.array.shape == b.array.shape  # type: ignore[attr-defined]


def cast(x: Tensor, dtype: DType) -> Tensor:
    """A tensor in another dtype, the real parts of complex numbers where that is real."""
    if x.type.dtype == dtype and not x.type.weak:
        return x
    if x.type.dtype in (complex64, complex128) and not dtype.is_complex:
        x = apply(ew.real, x)
    return x if x.type.dtype == dtype and not x.type.weak else apply(ew.cast, x, dtype=dtype)


def summed(x: Tensor, thing: Thing, wanted: Dims) -> Tensor:
    """A tensor summed to the shape of what was broadcast to its own."""
    given = x.type.shape
    if wanted == given and wanted is not None and None not in wanted:
        return x
    if given is None or wanted is None:
        return apply(reduce.sum_like, x, thing)
    lead = len(given) - len(wanted)
    if lead < 0:
        return broadcast(x, thing)
    pairs = list(zip(given[lead:], wanted))
    if any(w != 1 and g != w for g, w in pairs):  # they may be of size 1
        if any(g == 1 and isinstance(w, int) and w != 1 for g, w in pairs):
            return broadcast(x, thing)
        assert isinstance(thing, Tensor)
        shape, sizes = dimensions(thing.shape)
        return apply(reduce.sum_to, x, *sizes, shape=shape)
    if lead:
        x = apply(reduce.reduce_sum, x, axis=tuple(range(lead)), keepdims=False, dtype=x.type.dtype)
    ones = tuple(i for i, (g, w) in enumerate(pairs) if w == 1 and g != 1)
    return apply(reduce.reduce_sum, x, axis=ones, keepdims=True, dtype=x.type.dtype) if ones else x


def broadcast(x: Tensor, thing: Thing) -> Tensor:
    """A tensor repeated to the shape of another."""
    if _are_alike(x, thing):
        return x
    if not isinstance(thing, Tensor):
        thing = apply(effects.read_variable, thing)
    if x.type.shape == thing.type.shape and x.type.shape is not None:
        return x
    if thing.type.shape is None:
        return apply(ew.add, x, zeros_like(thing))
    shape, sizes = dimensions(thing.shape)
    return apply(shape_ops.broadcast_to, x, *sizes, shape=shape)
