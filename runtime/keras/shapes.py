"""Shapes as Keras writes them: tuples of numbers, with None for what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, SupportsIndex, SupportsInt, TypeAlias

from runtime.graph.shapes import TensorShape
from runtime.tensors.shaping import shape
from runtime.tensors.tensor import Tensor

Shape: TypeAlias = tuple[int | None, ...]
ShapeGiven: TypeAlias = "TensorShape | Iterable[SupportsIndex | None] | int | None"  # what `as_shape` makes one of


class HasShape(Protocol):
    """What has a shape: a tensor, a Variable, an array, a KerasTensor."""

    @property
    def shape(self) -> TensorShape | Shape: ...


def shape_of(value: HasShape) -> Shape:
    """The shape of a tensor as a tuple.

    >>> shape_of(np.ones([2, 3]))
    (2, 3)
    """
    found = value.shape
    if isinstance(found, TensorShape):
        if found.rank is None:
            raise ValueError(f"{value!r} has no known rank, which layers need; see tf.ensure_shape")
        return tuple(found.as_list())
    return tuple(found)


def sizes_of(x: Tensor) -> list[int | Tensor]:
    """The size of each axis: a number where it is known, else what the graph finds.

    >>> sizes_of(tf.ones([2, 3]))
    [2, 3]
    """
    return [shape(x)[i] if n is None else n for i, n in enumerate(x.shape.as_list())]


def as_shape(given: ShapeGiven) -> Shape:
    """A shape that a user gave, as a tuple."""
    if isinstance(given, TensorShape):
        return tuple(given.as_list())
    if given is None or isinstance(given, int):
        return (given,)
    return tuple(None if d is None else int(d) for d in given)


def is_shape(given: object) -> bool:
    """Whether it is one shape rather than a structure of shapes.

    >>> is_shape((None, 3)), is_shape([(None, 3), (None, 4)]), is_shape({3: (None, 3)}), is_shape(3)
    (True, False, False, False)
    """
    if isinstance(given, TensorShape):
        return True
    return isinstance(given, Sequence) and all(d is None or hasattr(d, "__index__") for d in given)


def show(dims: Sequence[int | None]) -> str:
    return str(tuple(dims))


def several(value: SupportsInt | Iterable[SupportsInt], count: int, what: str, least: int = 1) -> tuple[int, ...]:
    """One number for each of `count` axes: as many as were given, or one for all of them.

    >>> several(3, 2, "kernel_size"), several([1, 2], 2, "strides")
    ((3, 3), (1, 2))
    >>> several([1, 2], 3, "strides")
    Traceback (most recent call last):
        ...
    ValueError: strides=[1, 2]: a whole number of at least 1, or 3 of them
    """
    given = list(value) if isinstance(value, Iterable) else [value] * count
    if len(given) != count or not all(hasattr(n, "__index__") and int(n) >= least for n in given):
        raise ValueError(f"{what}={value!r}: a whole number of at least {least}, or {count} of them")
    return tuple(int(n) for n in given)
