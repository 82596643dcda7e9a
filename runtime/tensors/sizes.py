"""The shape of a symbolic tensor, as the code that is traced sees it: what is not known is a number of the graph."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from runtime.graph import shapes
from runtime.graph.dimensions import Symbol
from runtime.graph.dtypes import int64
from runtime.graph.shapes import Dim, TensorShape
from runtime.ops import elementwise as ew, shape as shape_ops
from runtime.tensors.frames import OURS
from runtime.tensors.operations import apply
from runtime.tensors.trace import current

if TYPE_CHECKING:
    from runtime.tensors.tensor import SymbolicTensor


class StagedShape(TensorShape):
    """The dimensions of a tensor whose items, where they are not known, are tensors that hold them.

    So ``x.shape[0] * 2``, ``n, m = x.shape`` and ``x.reshape(x.shape[0], -1)`` mean what they mean for arrays. Printed,
    in `as_list()` and as part of a `TensorSpec` an unknown dimension is None, and outside of the trace an item is, too.
    """

    __slots__ = ("_sources", "_symbols")

    def __init__(self, dims: Sequence[Dim], sources: Sequence[tuple[SymbolicTensor, int] | None]) -> None:
        super().__init__(dims)
        self._symbols = tuple(dims)
        self._sources = tuple(sources)

    def _item(self, at: int) -> object:
        known, source = self._symbols[at], self._sources[at]
        if isinstance(known, int) or source is None:
            return known if isinstance(known, int) else None
        return size_of(*source)

    def __iter__(self) -> Iterator[Any]:
        return (self._item(i) for i in range(len(self._symbols)))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return StagedShape(self._symbols[index], self._sources[index])
        return self._item(range(len(self._symbols))[index])

    def _joined(self, other: Any, first: bool) -> TensorShape:
        if isinstance(other, TensorShape) and other.rank is None:
            return TensorShape(None)
        if not isinstance(other, StagedShape):
            if not all(isinstance(d, int) or d is None for d in other):
                parts = [tuple(self), tuple(other)]
                return parts[0] + parts[1] if first else parts[1] + parts[0]  # type: ignore[return-value]
            other = StagedShape(tuple(other), [None] * len(other))
        a, b = (self, other) if first else (other, self)
        return StagedShape((*a._symbols, *b._symbols), (*a._sources, *b._sources))

    def concatenate(self, other: object) -> TensorShape:
        """The dimensions of this shape followed by those of another."""
        return self._joined(other, first=True)

    def __radd__(self, other: object) -> TensorShape:
        return self._joined(other, first=False)

    def __eq__(self, other: object) -> Any:
        """Whether the shapes are equal: a tensor if only the graph knows; None equals only what is not known."""
        if other is None or not isinstance(other, Sequence) or (isinstance(other, TensorShape) and other.rank is None):
            return False
        theirs = other._symbols if isinstance(other, StagedShape) else tuple(other)
        if len(theirs) != len(self._symbols):
            return False
        if None in theirs or current() is None:
            return self._dims == shapes.pattern(theirs)
        open_ones = [i for i, (a, b) in enumerate(zip(self._symbols, theirs)) if not (a is b or _same(a, b))]
        if any(isinstance(self._symbols[i], int) and isinstance(theirs[i], int) for i in open_ones):
            return False
        result: object = True
        for i in open_ones:
            same = self[i] == other[i]
            result = same if result is True else apply(ew.logical_and, result, same)
        return result

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return not equal if isinstance(equal, bool) else apply(ew.logical_not, equal)

    def __hash__(self) -> int:
        return hash(self._dims)


class Sizes(tuple[int, ...]):
    """The shape of an array of NumPy's whose dimensions are known: a tuple, which has a `TensorShape`'s names too."""

    __slots__ = ()

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(TensorShape(self), name)


class StagedSizes(StagedShape):
    """The shape of an array of NumPy's of which only the graph knows all dimensions, each a number of Python's."""

    __slots__ = ()
    number: ClassVar[Callable[[object], object]]  # where numbers are known

    def _item(self, at: int) -> object:
        return StagedSizes.number(super()._item(at))

    def __eq__(self, other: object) -> Any:
        return StagedSizes.number(super().__eq__(other))

    def __ne__(self, other: object) -> Any:
        return StagedSizes.number(super().__ne__(other))

    def __hash__(self) -> int:
        return super().__hash__()

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` is told in the user's code."""
        return type(self) if sys._getframe(1).f_code.co_filename.startswith(OURS) else tuple


class ShapeOfUnknownRank(TensorShape):
    """The shape of a tensor whose number of dimensions is not known, either; an item is one that the graph finds."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: SymbolicTensor) -> None:
        super().__init__(None)
        self._tensor = tensor

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index) if isinstance(index, slice) else size_of(self._tensor, index)


def _same(a: object, b: object) -> bool:
    return isinstance(b, int | Symbol) and bool(a == b)


def are_one(a: TensorShape, b: TensorShape) -> bool:
    """Whether two shapes are surely the same: what is not known has to be that of one and the same tensor."""
    if isinstance(a, ShapeOfUnknownRank) and isinstance(b, ShapeOfUnknownRank):
        return a._tensor is b._tensor
    if not isinstance(a, StagedShape) or not isinstance(b, StagedShape):
        return a.is_fully_defined() and a.dims == b.dims
    pairs = zip(a._symbols, a._sources, b._symbols, b._sources)
    return a.rank == b.rank and all(
        known == other if isinstance(known, int) else _are_one_source(source, theirs)
        for known, source, other, theirs in pairs
    )


def _are_one_source(a: tuple[SymbolicTensor, int] | None, b: tuple[SymbolicTensor, int] | None) -> bool:
    return a is not None and b is not None and a[0] is b[0] and a[1] == b[1]


def shape_of(tensor: SymbolicTensor) -> TensorShape:
    """The shape of a symbolic tensor."""
    dims = tensor.type.shape
    if dims is None:
        return ShapeOfUnknownRank(tensor.content)
    if shapes.is_known(dims):
        return TensorShape(dims)
    return StagedShape(dims, [(tensor.content, axis) for axis in range(len(dims))])


def sizes_of(array: SymbolicTensor) -> object:
    """The shape of an array of NumPy's."""
    dims = array.type.shape
    if shapes.is_known(dims):
        return Sizes(dims)
    if dims is None:
        return ShapeOfUnknownRank(array.content)
    return StagedSizes(dims, [(array.content, axis) for axis in range(len(dims))])


def size_of(tensor: SymbolicTensor, axis: int) -> object:
    """The size of a tensor along an axis, a number of Python's; None where nothing is traced."""
    return None if current() is None else apply(shape_ops.length, tensor, axis=axis, dtype=int64, weak=True)
