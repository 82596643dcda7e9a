"""Whether an index that only the graph knows is in range, where the program would catch that it is not."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

from runtime.graph.dtypes import int64, python_numbers
from runtime.ops import elementwise as ew, indexing, reduce
from runtime.tensors.clauses import indexed
from runtime.tensors.conversion import cast, may_miss, operand
from runtime.tensors.operations import apply, fails, words
from runtime.tensors.python_errors import refuse_where
from runtime.tensors.tensor import Tensor


def outside(index: Tensor, length: int | Tensor) -> Tensor:
    """Whether an index, or one of an array of them, is none of so many; it counts from the end if it is negative."""
    index, length = cast(index, int64), cast(operand(length), int64)
    found = apply(
        ew.logical_or, apply(ew.less, index, apply(ew.negative, length)), apply(ew.greater_equal, index, length)
    )
    return found if found.type.shape == () else apply(reduce.reduce_any, found, axis=None, keepdims=False)


def may_be_outside(x: Tensor, parts: Sequence[object], given: Sequence[Tensor], depth: int = 3) -> None:
    """Have the program catch that an index of an array or tensor, in parts as `index_parts` has them, is out of range,
    if it would and only the graph knows; `depth` calls away is the frame that gives the index: 0 if that is the program
    in any case. A step of 0 is refused as well."""
    for step in _steps(parts, given) if python_numbers.are_numpys else ():
        refuse_where(apply(ew.equal, cast(step, int64), cast(operand(0), int64)), _no_step)
    if not _are_too_many(x, parts) and (may_miss(parts, given) or _is_unsure(x, parts)):
        said = functools.partial(words, indexing.getitem, (x, *given), {"index": parts})
        indexed(functools.partial(_out_of, x, parts, given), depth, words=said)


_no_step = functools.partial(operator.getitem, (), slice(None, None, 0))  # which says so


def _steps(parts: Sequence[object], given: Sequence[Tensor]) -> list[Tensor]:
    """The steps of slices that only the graph knows."""
    asked: list[object] = []  # as they are given, those of a slice one after the other
    for part in parts:
        asked += [part.start, part.stop, [part.step]] if isinstance(part, slice) else [part]
    places = [part for part in asked if part is indexing.INPUT or part == [indexing.INPUT]]
    return [one for part, one in zip(places, given) if isinstance(part, list)]


def _are_too_many(x: Tensor, parts: Sequence[object]) -> bool:
    """Whether there are fewer dimensions than indices, which the operation refuses."""
    count = sum(part is not None and part is not Ellipsis for part in parts)
    return x.type.shape is not None and count > len(x.type.shape)


def _is_unsure(x: Tensor, parts: Sequence[object]) -> bool:
    """Whether a known number is the index along an axis of which only the graph knows how long it is."""
    if x.type.shape is None or not all(isinstance(part, int | slice) or part is indexing.INPUT for part in parts):
        return False
    return any(isinstance(part, int) and not isinstance(size, int) for part, size in zip(parts, x.type.shape))


def _out_of(x: Tensor, parts: Sequence[object], given: Sequence[Tensor]) -> Tensor | None:
    """Whether a number is out of range, beside slices; for an index of another kind it is looked up to find out."""
    if x.type.shape is None or any(part is None or part is Ellipsis or isinstance(part, list) for part in parts):
        return fails(IndexError, indexing.getitem, (x, *given), {"index": parts})
    if any(g.shape.rank != 0 and not g.dtype.is_integer for g in given):
        return fails(IndexError, indexing.getitem, (x, *given), {"index": parts})
    sizes: list[Any] = list(x.shape)
    rest, asked = iter(given), []
    for axis, part in enumerate(parts):
        if isinstance(part, slice):
            if part.step is indexing.INPUT:
                return None
            for bound in (part.start, part.stop):  # which may be anything
                if bound is indexing.INPUT:
                    next(rest)
        elif isinstance(part, int):
            if not isinstance(x.type.shape[axis], int):
                asked.append(outside(operand(part), sizes[axis]))
        elif part is indexing.INPUT:
            asked.append(outside(next(rest), sizes[axis]))
    return functools.reduce(functools.partial(apply, ew.logical_or), asked)
