"""What convolutions and pooling are told: sizes, strides and padding, and where the channels stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from runtime.graph.shapes import show
from runtime.ops import shape as shape_ops
from runtime.ops.nn import Padding, Pair
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor

NumbersLike = int | Sequence[int]  # one for all sizes, one for each, or those of the batch and the channels, too
PaddingLike = str | Sequence[Sequence[int]]

_LAST = {1: "NWC", 2: "NHWC", 3: "NDHWC"}
_FIRST = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
_SIZES = {1: "the width", 2: "height and width", 3: "depth, height and width"}


T = TypeVar("T")


@dataclass(frozen=True)
class Format:
    """How many sizes images have, and whether channels stand before them."""

    function: str
    count: int
    first: bool

    @classmethod
    def of(cls, function: str, count: int, data_format: str | None) -> Format:
        if data_format not in (None, _LAST[count], _FIRST[count]):
            raise ValueError(
                f"{function} with data_format={data_format!r}: it is {_LAST[count]!r} (channels come last) or "
                f"{_FIRST[count]!r}"
            )
        return cls(function, count, data_format == _FIRST[count])

    def last(self, x: Tensor) -> Tensor:
        """Images with their channels last."""
        if x.type.shape is not None and len(x.type.shape) != self.count + 2:
            raise ValueError(
                f"{self.function} takes images of rank {self.count + 2}, "
                f"{(_FIRST if self.first else _LAST)[self.count]}; these have shape {show(x.type.shape)}"
            )
        n = self.count
        return apply(shape_ops.transpose, x, axes=(0, *range(2, n + 2), 1)) if self.first else x

    def back(self, x: Tensor) -> Tensor:
        """What came of them, with its channels where they were."""
        n = self.count
        return apply(shape_ops.transpose, x, axes=(0, n + 1, *range(1, n + 1))) if self.first else x

    def inner(self, values: Sequence[T]) -> Sequence[T]:
        """Of what there is for each axis, that for sizes."""
        return values[2:] if self.first else values[1:-1]

    def numbers(self, value: Any, what: str) -> tuple[int, ...]:
        """A positive number for each size."""
        given = [int(v) for v in value] if hasattr(value, "__len__") else [int(value)]
        if len(given) == self.count + 2:
            outer = [given[0], given[1] if self.first else given[-1]]
            if outer != [1, 1]:
                raise ValueError(
                    f"{self.function} with {what}={tuple(given)}: those of the batch and of the channels must be 1"
                )
            given = [*self.inner(given)]
        if len(given) not in (1, self.count) or min(given) < 1:
            more = f", or {self.count} for {_SIZES[self.count]}" if self.count > 1 else ""
            raise ValueError(f"{self.function} with {what}={value!r}: one positive number{more}")
        return tuple(given * (self.count if len(given) == 1 else 1))

    def padding(self, padding: Any) -> Padding:
        pairs = f"{self.count + 2} pairs of numbers"
        if isinstance(padding, str):
            if padding.upper() not in ("SAME", "VALID"):
                raise ValueError(f"{self.function} with padding={padding!r}: it is 'SAME', 'VALID' or {pairs}")
            return padding.upper()
        given: list[Pair] = [(int(a), int(b)) for a, b in padding]
        if len(given) != self.count + 2 or any(min(p) < 0 for p in given):
            raise ValueError(f"{self.function} with padding={padding!r}: {pairs}, none negative")
        inner = tuple(self.inner(given))
        if sum(map(sum, given)) != sum(map(sum, inner)):
            where = "two" if self.first else "and the last"
            raise ValueError(f"{self.function} with padding={padding!r}: {pairs}, the first {where} (0, 0)")
        return inner


def format_by_rank(function: str, x: Tensor, data_format: str | None) -> Format:
    """The format of images that may have any number of sizes."""
    if x.type.shape is None:
        raise ValueError(f"{function} needs images whose rank is known: tf.ensure_shape tells it")
    count = len(x.type.shape) - 2
    if count not in _LAST:
        raise ValueError(f"{function} takes images of rank 3, 4 or 5; these have shape {show(x.type.shape)}")
    return Format.of(function, count, data_format)
