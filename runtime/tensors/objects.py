"""Objects that are inputs of graphs though they are no tensors, as datasets are; one graph suits all of a kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.graph.graph import TensorType, Value
from runtime.ops import streams
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace


class Kind:
    """What a graph has to know of an object that is one of its inputs."""

    def key(self) -> object:
        """What tells it from other kinds; it can be hashed."""
        raise NotImplementedError

    def staged(self, handle: SymbolicTensor) -> object:
        """What stands for such an object while a function is traced."""
        raise NotImplementedError


class Carried:
    """An object that a graph has as one of its inputs.

    outlives_graphs: whether it is there when no graph runs.
    """

    outlives_graphs = True

    def kind(self) -> Kind:
        """What a graph has to know of it."""
        raise NotImplementedError

    def as_argument(self) -> Handle | StagedHandle:
        """The tensor that a graph is given for it."""
        return Handle(self, self.kind())

    def in_trace(self) -> SymbolicTensor:
        """The tensor that it is in the graph that is being traced."""
        return made(lambda: self)


class Handle(EagerTensor):
    """A tensor that is an object."""

    __slots__ = ("kind",)

    def __init__(self, held: object, kind: Kind) -> None:
        super().__init__(held)
        self.kind = kind

    @property
    def type(self) -> TensorType:
        return streams.HANDLE

    def record_in(self, trace: Trace) -> Value:
        return made(lambda: self.array).record_in(trace)


class StagedHandle(SymbolicTensor):
    """A tensor that is an object which the graph makes."""

    __slots__ = ("kind",)

    def __init__(self, handle: SymbolicTensor, kind: Kind) -> None:
        super().__init__(handle.traced_in, handle.value)
        self.kind = kind


def kind_of(leaf: object) -> Kind | None:
    """Of which kind an argument of a graph is, if it is an object."""
    if isinstance(leaf, Handle | StagedHandle):
        return leaf.kind
    return leaf if isinstance(leaf, Kind) else None


def made(source: Callable[..., object], *inputs: Tensor) -> SymbolicTensor:
    """What a function makes of an object and arrays when the graph runs."""
    found = apply(streams.made, *inputs, source=source)
    assert isinstance(found, SymbolicTensor)
    return found


def object_of(tensor: object) -> Any:
    """The object that a tensor is."""
    return streams.object_of(tensor.array if isinstance(tensor, EagerTensor) else tensor)
