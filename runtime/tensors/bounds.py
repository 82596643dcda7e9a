"""Whether an index that only the graph knows is in range, where the program would catch that it is not."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from runtime.graph.dtypes import int64
from runtime.ops import elementwise as ew, indexing
from runtime.tensors.clauses import indexed
from runtime.tensors.conversion import cast, may_miss, operand
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor


def outside(index: Tensor, length: int | Tensor) -> Tensor:
    """Whether an index, from the end if it is negative, is none of so many."""
    index, length = cast(index, int64), cast(operand(length), int64)
    return apply(
        ew.logical_or, apply(ew.less, index, apply(ew.negative, length)), apply(ew.greater_equal, index, length)
    )


def may_be_outside(x: Tensor, parts: Sequence[object], given: Sequence[Tensor], depth: int = 3) -> None:
    """Have the program catch that an index of an array or tensor, in parts as `index_parts` has them, is out of range,
    if it would and only the graph knows; `depth` calls away is the frame that gives the index: 0 if that is the program
    in any case."""
    if may_miss(parts, given):
        indexed(functools.partial(_out_of, x, parts, given), depth)


def _out_of(x: Tensor, parts: Sequence[object], given: Sequence[Tensor]) -> Tensor | None:
    """Whether a number is out of range, beside slices; None for an index of another kind."""
    if x.type.shape is None or any(part is None or part is Ellipsis for part in parts):
        return None
    if any(g.shape.rank != 0 for g in given):
        return None
    sizes: list[Any] = list(x.shape)
    rest, asked = iter(given), []
    for axis, part in enumerate(parts):
        if isinstance(part, slice):
            if part.step is indexing.INPUT:
                return None
            for bound in (part.start, part.stop):  # which may be anything
                if bound is indexing.INPUT:
                    next(rest)
        elif part is indexing.INPUT:
            asked.append(outside(next(rest), sizes[axis]))
    return functools.reduce(functools.partial(apply, ew.logical_or), asked)
