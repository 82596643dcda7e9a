"""Shapes whose dimensions, or whose rank, may be unknown; the static half of broadcasting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeGuard, Union

import numpy as np

from runtime.graph.dimensions import Symbol
from runtime.graph.errors import UnknownRankError

# A dimension is a number, a symbol (the same one wherever it surely is the same number) or None: unknown, and equal to
# nothing, itself included. Values of a graph have no None: what a rule leaves open is named when the value is made.
Dim = int | Symbol | None
Dims = tuple[Dim, ...] | None  # None: unknown rank
Pattern = tuple[int | None, ...] | None  # what dimensions may be: symbols say nothing outside of their graph
PatternLike: TypeAlias = Union["TensorShape", Iterable[Dim], int, None]  # what a TensorShape can be made of


class TensorShape(Sequence[int | None]):
    """The dimensions of a tensor: a sequence that equals the tuple or list of them.

    Args:
      dims: the dimensions, None for those that are not known; None for a shape of unknown rank.

    >>> shape = tf.TensorShape([2, None])
    >>> shape[0], len(shape), shape == (2, None), shape + [4]
    (2, 2, True, TensorShape([2, None, 4]))
    """

    __slots__ = ("_dims",)

    def __init__(self, dims: PatternLike = None) -> None:
        if isinstance(dims, TensorShape):
            self._dims: Pattern = dims._dims
        else:
            known = None if dims is None else tuple(_sequence(dims))
            self._dims = None if known is None else tuple(None if _is_open(d) else int(d) for d in known)

    @property
    def rank(self) -> int | None:
        """How many dimensions the shape has; None if that is not known.

        >>> tf.TensorShape([2, None]).rank, tf.TensorShape(None).rank
        (2, None)
        """
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """The rank, by its other name.

        >>> tf.TensorShape([2, None]).ndims
        2
        """
        return self.rank

    @property
    def dims(self) -> Pattern:
        """The dimensions of the shape as a tuple, None for those that are not known; None if the rank is not.

        >>> tf.TensorShape([2, None]).dims
        (2, None)
        """
        return self._dims

    def as_list(self) -> list[int | None]:
        """The dimensions of the shape as a list; raises ValueError if the rank is not known.

        >>> tf.TensorShape([2, None]).as_list()
        [2, None]
        """
        return list(self._known())

    def is_fully_defined(self) -> bool:
        """Whether the rank and all dimensions of the shape are known.

        >>> tf.TensorShape([2, 3]).is_fully_defined(), tf.TensorShape([2, None]).is_fully_defined()
        (True, False)
        """
        return is_known(self._dims)

    def num_elements(self) -> int | None:
        """How many elements the shape has room for; None if that is not known.

        >>> tf.TensorShape([2, 3]).num_elements()
        6
        """
        return product(self._dims) if is_known(self._dims) else None

    def is_compatible_with(self, other: PatternLike) -> bool:
        """Whether both shapes may be the same, where nothing is known of a dimension.

        >>> tf.TensorShape([2, None]).is_compatible_with([None, 3]), tf.TensorShape([2]).is_compatible_with([3])
        (True, False)
        """
        return compatible(self.dims, TensorShape(other).dims)

    def merge_with(self, other: PatternLike) -> TensorShape:
        """The shape that knows what either knows; raises ValueError if they differ.

        >>> tf.TensorShape([2, None]).merge_with([None, 3])
        TensorShape([2, 3])
        """
        a, b = self.dims, TensorShape(other).dims
        if a is None or b is None:
            return TensorShape(b if a is None else a)
        if not compatible(a, b):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are not compatible")
        return TensorShape([y if x is None else x for x, y in zip(a, b)])

    def with_rank(self, rank: int) -> TensorShape:
        """The shape, known to be of this rank; raises ValueError if it is of another.

        >>> tf.TensorShape(None).with_rank(2), tf.TensorShape([3]).with_rank(1)
        (TensorShape([None, None]), TensorShape([3]))
        """
        return self.merge_with([None] * rank)

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """The shape; raises ValueError if its rank is surely less.

        >>> tf.TensorShape([3, 4]).with_rank_at_least(1)
        TensorShape([3, 4])
        """
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def assert_has_rank(self, rank: int) -> None:
        """Raise ValueError if the rank is surely another.

        >>> tf.TensorShape([2, None]).assert_has_rank(2)
        """
        if self._dims is not None and len(self._dims) != rank:
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_is_compatible_with(self, other: PatternLike) -> None:
        """Raise ValueError if both shapes are surely not the same.

        >>> tf.TensorShape([2, None]).assert_is_compatible_with([None, 3])
        """
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def assert_is_fully_defined(self) -> None:
        """Raise ValueError if the rank or a dimension is not known.

        >>> tf.TensorShape([2, 3]).assert_is_fully_defined()
        """
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def most_specific_compatible_shape(self, other: PatternLike) -> TensorShape:
        """The narrowest shape that describes both.

        >>> tf.TensorShape([2, 3]).most_specific_compatible_shape([2, 4])
        TensorShape([2, None])
        """
        return TensorShape(join(self._dims, TensorShape(other)._dims))

    def _known(self) -> tuple[int | None, ...]:
        if self._dims is None:
            raise UnknownRankError(
                "the rank of this shape is unknown, so it has no list of dimensions: say it, as in "
                "tf.ensure_shape(x, [None, None]), or in the input_signature"
            )
        return self._dims

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return self._dims is not None

    def __getitem__(self, index: Any) -> Any:
        if self._dims is None:
            return TensorShape(None) if isinstance(index, slice) else None
        found = self._dims[index]
        return TensorShape(found) if isinstance(index, slice) else found

    def concatenate(self, other: PatternLike) -> TensorShape:
        """The dimensions of this shape followed by those of another.

        >>> tf.TensorShape([2]).concatenate([3, 4])
        TensorShape([2, 3, 4])
        """
        more = TensorShape(other)
        unknown = self._dims is None or more._dims is None
        return TensorShape(None if unknown else [*self, *more])

    def __add__(self, other: PatternLike) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: PatternLike) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        if other is None or isinstance(other, TensorShape):
            return self._dims == TensorShape(other)._dims
        return isinstance(other, Sequence) and self._dims is not None and self._dims == tuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({self.as_list() if self.rank is not None else None})"

    def __str__(self) -> str:
        return show(self.dims)


def _sequence(dims: Any) -> Sequence[Any]:
    return [dims] if isinstance(dims, int) else dims


def _is_open(dim: object) -> bool:
    return dim is None or isinstance(dim, Symbol)


def compatible(a: Pattern, b: Pattern) -> bool:
    """Whether two shapes may be the same, as far as they are known."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(x is None or y is None or x == y for x, y in zip(a, b))


def is_known(dims: Dims) -> TypeGuard[tuple[int, ...]]:
    """Whether the rank and all dimensions are numbers."""
    return dims is not None and all(isinstance(d, int) for d in dims)


def pattern(dims: Dims) -> Pattern:
    """The dimensions with None for those that are not numbers."""
    return None if dims is None else tuple(d if isinstance(d, int) else None for d in dims)


def named(dims: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The dimensions with a new symbol for each that is open."""
    return tuple(Symbol.new() if d is None else d for d in dims)


def show(dims: Dims) -> str:
    """``(2, None)``, or ``<unknown>``."""
    return "<unknown>" if dims is None else str(pattern(dims))


def product(dims: Sequence[int]) -> int:
    """The number of elements.

    >>> product((2, 3)), product(())
    (6, 1)
    """
    total = 1
    for d in dims:
        total *= d
    return total


def elements(dims: Dims) -> Dim:
    """The number of elements, or the symbol of it; None where that is open."""
    if dims is None:
        return None
    total: int | Symbol = 1
    for d in dims:
        if d is None:
            return None
        total = total * d
    return total


def fits(dims: Dims, pattern: Dims) -> bool:
    """Whether a shape is one of those that a pattern (with unknown dimensions) describes."""
    if pattern is None:
        return True
    if dims is None or len(dims) != len(pattern):
        return False
    return all(not isinstance(p, int) or d == p for d, p in zip(dims, pattern))


def join(a: Dims, b: Dims) -> Dims:
    """The narrowest shape that describes both; a dimension that is not surely the same is open.

    >>> join((2, 3), (2, 4)), join((2,), (2, 3))
    ((2, None), None)
    """
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b))


def meet(a: Dims, b: Dims) -> Dims:
    """What two descriptions of one shape say together: numbers before symbols, those of the second before the first's.

    >>> meet((2, None), (None, None)), meet(None, (3,))
    ((2, None), (3,))
    """
    if a is None or b is None or len(a) != len(b):
        return b if a is None else a
    return tuple(x if isinstance(x, int) or (y is None and x is not None) else y for x, y in zip(a, b))


def broadcast(*shapes: Dims) -> Dims:
    """The shape of element-wise operands; raises ValueError if two known dimensions do not go together.

    >>> broadcast((2, 1), (3,)), broadcast((None, 3), (1,))
    ((2, 3), (None, 3))
    """
    if None in shapes:
        return None
    known = [s for s in shapes if s is not None]
    most = [s for s in known if s]  # those of single numbers change nothing
    if not most or most.count(most[0]) == len(most):
        return most[0] if most else ()
    rank = max((len(s) for s in known), default=0)
    result: list[Dim] = []
    for axis in range(-rank, 0):
        dims = [s[axis] for s in known if len(s) >= -axis]
        sizes = {d for d in dims if isinstance(d, int) and d != 1}
        if len(sizes) > 1:
            raise ValueError(f"shapes {' and '.join(show(s) for s in known)} do not go together element by element")
        result.append(sizes.pop() if sizes else _same_or_open([d for d in dims if not isinstance(d, int)]))
    return tuple(result)


def _same_or_open(dims: Sequence[Dim]) -> Dim:
    """What dimensions that are not numbers come to beside ones: one symbol stays, of several any may be it."""
    if not dims:
        return 1
    return dims[0] if all(d == dims[0] for d in dims) else None


def surely_broadcast(*shapes: Dims) -> bool:
    """Whether operands of these shapes go together element by element, whatever the symbols stand for."""
    most = [s for s in shapes if s != ()]
    if len(most) <= 1:
        return True
    known = [s for s in most if s is not None]
    if len(known) < len(most):
        return False
    for axis in range(1, max(map(len, known), default=0) + 1):
        dims = {s[-axis] for s in known if len(s) >= axis} - {1}
        if len(dims) > 1 or (None in dims and sum(len(s) >= axis and s[-axis] != 1 for s in known) > 1):
            return False
    return True


def axis_of(axis: int, rank: int) -> int:
    """A negative axis counted from the front; raises AxisError if there is no such axis."""
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(f"axis {axis} of a tensor of rank {rank}: it must be from {-rank} to {rank - 1}")
    return axis % rank
