"""What draws random numbers of a shape, in a graph or at once."""

from __future__ import annotations

from typing import Any

from runtime.graph.dtypes import as_dtype
from runtime.graph.op import Op
from runtime.ops import random as ops
from runtime.tensors.conversion import dimensions, operand
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import current
from runtime.tensors.types import DTypeLike


def drawn(op: Op, first: object, second: object, shape: object, dtype: DTypeLike, seed: object) -> Tensor:
    """What a row with two parameters draws."""
    dims, given = dimensions(shape)
    stream = stream_of(seed)
    return apply(op, operand(first), operand(second), *given, shape=dims, dtype=as_dtype(dtype), stream=stream)


def stream_of(seed: Any) -> ops.Stream | None:
    """The stream of a seed: one of its own for each operation of a graph, unless it is a stream itself."""
    if seed is None or isinstance(seed, ops.Stream):
        return seed
    return ops.stream_of(int(seed)) if current() is None else ops.Stream(int(seed))
