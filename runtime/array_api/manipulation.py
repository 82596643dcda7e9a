"""The functions that change shapes, and the order of elements."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from runtime.array_api.support import Axes, array, converted, moved, promoted, tensor
from runtime.tensors.tensor import Tensor


def _together(function: str, arrays: Iterable[object]) -> list[Tensor]:
    given = [tensor(function, x) for x in arrays]
    if not given:
        raise ValueError(f"{function} needs one tensor at least")
    dtype = promoted(function, [x.dtype for x in given])
    return [converted(x, dtype) for x in given]


def concat(arrays: tuple[Tensor, ...] | list[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Tensors one after the other along an axis that there is.

    Args:
      arrays: the tensors, whose shapes differ along that axis alone.
      axis: the axis; None for the elements of all, in a row.
    Returns: a tensor of the same rank.
    Raises:
      ValueError: if the shapes do not go together.

    >>> xp = tf.array_api
    >>> print(xp.concat([xp.asarray([1, 2]), xp.asarray([3])]))
    tf.Tensor([1 2 3], shape=(3,), dtype=int64)
    """
    return array(np.concatenate(_together("concat", arrays), axis=axis))


def expand_dims(x: Tensor, /, axis: int = 0) -> Tensor:
    """A tensor with an axis more.

    Args:
      x: a tensor of any shape.
      axis: where the axis stands in the new shape.

    >>> tf.array_api.expand_dims(tf.array_api.ones(3), axis=1).shape
    TensorShape([3, 1])
    """
    given = tensor("expand_dims", x)
    return array(np.expand_dims(given, axis))


def flip(x: Tensor, /, *, axis: Axes = None) -> Tensor:
    """A tensor with the order of its elements reversed.

    Args:
      x: a tensor of any shape.
      axis: the axis along which, or a tuple of them; None for all.

    >>> xp = tf.array_api
    >>> print(xp.flip(xp.asarray([1, 2, 3])))
    tf.Tensor([3 2 1], shape=(3,), dtype=int64)
    """
    given = tensor("flip", x)
    return array(np.flip(given, axis))


def moveaxis(x: Tensor, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> Tensor:
    """A tensor with axes moved to other places; the rest keep their order.

    Args:
      x: a tensor of any shape.
      source, destination: which axes, and where they come to stand.

    >>> tf.array_api.moveaxis(tf.array_api.ones((2, 3, 4)), 0, -1).shape
    TensorShape([3, 4, 2])
    """
    given = tensor("moveaxis", x)
    return moved(given, source, destination)


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """A tensor with its axes in another order.

    Args:
      x: a tensor of any shape.
      axes: the order: each axis once.

    >>> tf.array_api.permute_dims(tf.array_api.ones((2, 3, 4)), (2, 0, 1)).shape
    TensorShape([4, 2, 3])
    """
    given = tensor("permute_dims", x)
    return array(np.transpose(given, axes))


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Each element, or each part along an axis, several times.

    Args:
      x: a tensor of any shape.
      repeats: how many times, or a tensor of that for each.
      axis: the axis; None for the elements, in a row.

    >>> xp = tf.array_api
    >>> print(xp.repeat(xp.asarray([1, 2]), 2))
    tf.Tensor([1 1 2 2], shape=(4,), dtype=int64)
    """
    given = tensor("repeat", x)
    times = repeats if isinstance(repeats, int) else tensor("repeat", repeats, "integral")
    return array(np.repeat(given, times, axis=axis))


def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Tensor:
    """The same elements, in order, in another shape.

    Args:
      x: a tensor of any shape.
      shape: the shape; -1 for the size that is left.
      copy: accepted: a tensor does not change, so that it is never seen whether it is copied.
    Raises:
      ValueError: if the number of elements is another.

    >>> tf.array_api.reshape(tf.array_api.ones((2, 3)), (3, -1)).shape
    TensorShape([3, 2])
    """
    given = tensor("reshape", x)
    return array(np.reshape(given, shape))


def roll(x: Tensor, /, shift: int | tuple[int, ...], *, axis: Axes = None) -> Tensor:
    """The elements, moved along; those that leave at the end come in at the beginning.

    Args:
      x: a tensor of any shape.
      shift: by how many places; a tuple for several axes.
      axis: along which; None for the elements, in a row.

    >>> xp = tf.array_api
    >>> print(xp.roll(xp.asarray([1, 2, 3]), 1))
    tf.Tensor([3 1 2], shape=(3,), dtype=int64)
    """
    given = tensor("roll", x)
    return array(np.roll(given, shift, axis=axis))


def squeeze(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """A tensor without axes of size 1.

    Args:
      x: a tensor of any shape.
      axis: the axis, or a tuple of them.
    Raises:
      ValueError: if one of them has another size.

    >>> tf.array_api.squeeze(tf.array_api.ones((1, 3)), 0).shape
    TensorShape([3])
    """
    given = tensor("squeeze", x)
    return array(np.squeeze(given, axis))


def stack(arrays: tuple[Tensor, ...] | list[Tensor], /, *, axis: int = 0) -> Tensor:
    """Tensors beside one another along a new axis.

    Args:
      arrays: tensors of one shape.
      axis: where the axis stands in the new shape.
    Raises:
      ValueError: if the shapes differ.

    >>> xp = tf.array_api
    >>> xp.stack([xp.ones(3), xp.zeros(3)], axis=1).shape
    TensorShape([3, 2])
    """
    return array(np.stack(_together("stack", arrays), axis=axis))


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """A tensor, several times along its axes.

    Args:
      x: a tensor of any shape.
      repetitions: how many times along each.

    >>> tf.array_api.tile(tf.array_api.ones(3), (2, 2)).shape
    TensorShape([2, 6])
    """
    given = tensor("tile", x)
    return array(np.tile(given, repetitions))


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The parts of a tensor along an axis, which they do not have.

    Args:
      x: a tensor of any shape but (), of a known size along that axis.
      axis: the axis.

    >>> xp = tf.array_api
    >>> [a.shape for a in xp.unstack(xp.ones((2, 3)))]
    [TensorShape([3]), TensorShape([3])]
    """
    found = tensor("unstack", x)
    given = moved(found, axis, 0)
    return tuple(given[i] for i in range(len(given)))
