"""Shapes whose dimensions, or whose rank, may be unknown; the static half of broadcasting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Dims = tuple[int | None, ...] | None  # None: unknown rank; a None inside: an unknown dimension


class TensorShape(Sequence[int | None]):
    """A sequence of dimensions, equal to the tuple or list of them; ``TensorShape(None)`` has unknown rank."""

    __slots__ = ("_dims",)

    def __init__(self, dims: Any = None) -> None:
        if isinstance(dims, TensorShape):
            self._dims: Dims = dims._dims
        else:
            self._dims = None if dims is None else tuple(None if d is None else int(d) for d in _sequence(dims))

    @property
    def rank(self) -> int | None:
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        return self.rank

    @property
    def dims(self) -> Dims:
        return self._dims

    def as_list(self) -> list[int | None]:
        """The dimensions as a list; raises ValueError where the rank is unknown."""
        return list(self._known())

    def is_fully_defined(self) -> bool:
        return self._dims is not None and None not in self._dims

    def num_elements(self) -> int | None:
        if not self.is_fully_defined():
            return None
        return product(self)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some fully known shape fits both."""
        return fits(TensorShape(other).dims, self.dims) or fits(self.dims, TensorShape(other).dims)

    def merge_with(self, other: Any) -> TensorShape:
        """The shape that knows what either knows; raises ValueError if they differ."""
        a, b = self.dims, TensorShape(other).dims
        if a is None or b is None:
            return TensorShape(b if a is None else a)
        if not fits(a, b) and not fits(b, a) and not _compatible(a, b):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are not compatible")
        return TensorShape([y if x is None else x for x, y in zip(a, b)])

    def _known(self) -> tuple[int | None, ...]:
        if self._dims is None:
            raise ValueError("the rank of this shape is unknown, so it has no list of dimensions")
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

    def concatenate(self, other: Any) -> TensorShape:
        """The dimensions of this shape followed by those of another."""
        more = TensorShape(other)
        unknown = self._dims is None or more._dims is None
        return TensorShape(None if unknown else [*self, *more])

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
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


def _compatible(a: tuple[int | None, ...], b: tuple[int | None, ...]) -> bool:
    return len(a) == len(b) and all(x is None or y is None or x == y for x, y in zip(a, b))


def show(dims: Dims) -> str:
    """``(2, None)``, or ``<unknown>``."""
    return "<unknown>" if dims is None else str(tuple(dims))


def product(dims: Sequence[int | None]) -> int:
    total = 1
    for d in dims:
        total *= d or 0
    return total


def fits(dims: Dims, pattern: Dims) -> bool:
    """Whether a shape is one of those that a pattern (with unknown dimensions) describes."""
    if pattern is None:
        return True
    if dims is None or len(dims) != len(pattern):
        return False
    return all(p is None or d == p for d, p in zip(dims, pattern))


def join(a: Dims, b: Dims) -> Dims:
    """The narrowest pattern that describes both shapes.

    >>> join((2, 3), (2, 4)), join((2,), (2, 3))
    ((2, None), None)
    """
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b))


def broadcast(*shapes: Dims) -> Dims:
    """The shape of element-wise operands; raises ValueError if two known dimensions do not go together.

    >>> broadcast((2, 1), (3,)), broadcast((None, 3), (1,))
    ((2, 3), (None, 3))
    """
    if any(s is None for s in shapes):
        return None
    known = [s for s in shapes if s is not None]
    rank = max((len(s) for s in known), default=0)
    result: list[int | None] = []
    for axis in range(-rank, 0):
        dims = [s[axis] for s in known if len(s) >= -axis]
        sizes = {d for d in dims if d is not None and d != 1}
        if len(sizes) > 1:
            raise ValueError(f"shapes {' and '.join(show(s) for s in known)} do not go together element by element")
        result.append(sizes.pop() if sizes else (None if None in dims else 1))
    return tuple(result)


def axis_of(axis: int, rank: int) -> int:
    """A negative axis counted from the front; raises ValueError if there is no such axis."""
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} of a tensor of rank {rank}: it must be from {-rank} to {rank - 1}")
    return axis % rank
