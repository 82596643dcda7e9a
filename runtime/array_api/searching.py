"""The functions that look for elements, order them, and take some of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from runtime.array_api.support import Number, array, pair, tensor
from runtime.tensors.tensor import Tensor


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Where the greatest element is, the first of several.

    Args:
      x: a tensor of any shape, of integers or floats.
      axis: the axis along which; None for the number of the element, in a row.
      keepdims: whether the axis stays, with size 1.
    Returns: a tensor of int64.

    >>> xp = tf.array_api
    >>> print(xp.argmax(xp.asarray([1, 3, 2])))
    tf.Tensor(1, shape=(), dtype=int64)
    """
    given = tensor("argmax", x, "real numeric")
    return array(np.argmax(given, axis=axis, keepdims=keepdims))


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Where the least element is, the first of several.

    Args:
      x: a tensor of any shape, of integers or floats.
      axis: the axis along which; None for the number of the element, in a row.
      keepdims: whether the axis stays, with size 1.
    Returns: a tensor of int64.

    >>> xp = tf.array_api
    >>> print(xp.argmin(xp.asarray([3, 1, 2])))
    tf.Tensor(1, shape=(), dtype=int64)
    """
    given = tensor("argmin", x, "real numeric")
    return array(np.argmin(given, axis=axis, keepdims=keepdims))


def count_nonzero(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """How many elements are not zero.

    Args:
      x: a tensor of any shape.
      axis: the axis along which, or a tuple of them; None for all.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of int64.

    >>> xp = tf.array_api
    >>> print(xp.count_nonzero(xp.asarray([1, 0, 2])))
    tf.Tensor(2, shape=(), dtype=int64)
    """
    given = tensor("count_nonzero", x)
    return array(np.count_nonzero(given, axis=axis, keepdims=keepdims))


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Where elements are that are not zero: a tensor of places for each axis.

    Args:
      x: a tensor of any shape but ().
    Returns: tensors of int64, of shape [n].

    >>> xp = tf.array_api
    >>> print(xp.nonzero(xp.asarray([1, 0, 2]))[0])
    tf.Tensor([0 2], shape=(2,), dtype=int64)
    """
    given = tensor("nonzero", x)
    if given.ndim == 0:
        raise ValueError("nonzero takes tensors of rank 1 or more")
    return tuple(map(array, np.nonzero(given)))


def searchsorted(
    x1: Tensor, x2: Tensor | Number, /, *, side: Literal["left", "right"] = "left", sorter: Tensor | None = None
) -> Tensor:
    """Where elements belong in a row that is in order.

    Args:
      x1: the row, of shape [n], of integers or floats.
      x2: the elements, of any shape.
      side: before equal ones, ``"left"``, or after them, ``"right"``.
      sorter: the places that put `x1` in order, if it is not.
    Returns: a tensor of int64 of the shape of `x2`.

    >>> xp = tf.array_api
    >>> print(xp.searchsorted(xp.asarray([1, 3, 5]), xp.asarray([3, 4])))
    tf.Tensor([1 2], shape=(2,), dtype=int64)
    """
    a, b = pair("searchsorted", x1, x2, "real numeric")
    if sorter is not None:
        a = array(np.take(a, tensor("searchsorted", sorter, "integral")))  # type: ignore[call-overload]
    return array(np.searchsorted(a, b, side=side))


def where(condition: Tensor, x1: Tensor | Number, x2: Tensor | Number, /) -> Tensor:
    """Elements of one tensor where a condition holds, of another where it does not.

    Args:
      condition: a tensor of booleans.
      x1, x2: tensors whose shapes broadcast with that of the condition; one of them may be a number of Python's.
    Returns: a tensor of the shape that all broadcast to, of the dtype that both promote to.

    >>> xp = tf.array_api
    >>> print(xp.where(xp.asarray([True, False]), xp.asarray([1, 2]), 0))
    tf.Tensor([1 0], shape=(2,), dtype=int64)
    """
    a, b = pair("where", x1, x2)
    test = tensor("where", condition, "bool")
    return array(np.where(test, a, b))


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """Parts of a tensor, by their places along an axis.

    Args:
      x: a tensor of any shape but ().
      indices: the places, integers of shape [n].
      axis: the axis; None for the one that there is.
    Raises:
      ValueError: without an axis where there are several.

    >>> xp = tf.array_api
    >>> print(xp.take(xp.asarray([10, 20, 30]), xp.asarray([2, 0])))
    tf.Tensor([30 10], shape=(2,), dtype=int64)
    """
    given = tensor("take", x)
    places = tensor("take", indices, "integral")
    if axis is None and given.ndim != 1:
        raise ValueError(f"take needs an axis of a tensor of rank {given.ndim}")
    if places.ndim != 1:
        raise ValueError(f"take: indices must have rank 1, not {places.ndim}")
    return array(np.take(given, places, axis=0 if axis is None else axis))


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """Elements of a tensor, by their places along an axis, which differ from row to row.

    Args:
      x: a tensor of any shape but ().
      indices: the places, integers of the same rank.
      axis: the axis.

    >>> xp = tf.array_api
    >>> x = xp.asarray([[3, 1, 2]])
    >>> print(xp.take_along_axis(x, xp.argsort(x)))
    tf.Tensor([[1 2 3]], shape=(1, 3), dtype=int64)
    """
    given = tensor("take_along_axis", x)
    places = tensor("take_along_axis", indices, "integral")
    take: Callable[..., object] = np.take_along_axis  # by NumPy's types it takes arrays alone
    return array(take(given, places, axis=axis))


class UniqueAllResult(NamedTuple):
    """What `unique_all` gives: the distinct elements, where each is first, which of them each element is, how many."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` gives: the distinct elements, and how many of each there are."""

    values: Tensor
    counts: Tensor


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` gives: the distinct elements, and which of them each element is."""

    values: Tensor
    inverse_indices: Tensor


def unique_all(x: Tensor, /) -> UniqueAllResult:
    """The distinct elements, where each is first, which of them each element is, and how many there are.

    Args:
      x: a tensor of any shape.
    Returns: a named tuple; the places which of them each element is have the shape of `x`.

    >>> xp = tf.array_api
    >>> print(xp.unique_all(xp.asarray([3, 1, 3])).counts)
    tf.Tensor([1 2], shape=(2,), dtype=int64)
    """
    given = tensor("unique_all", x)
    return UniqueAllResult(*map(array, np.unique_all(given)))


def unique_counts(x: Tensor, /) -> UniqueCountsResult:
    """The distinct elements, and how many of each there are.

    Args:
      x: a tensor of any shape.
    Returns: a named tuple of tensors of shape [n].

    >>> xp = tf.array_api
    >>> print(xp.unique_counts(xp.asarray([3, 1, 3])).values)
    tf.Tensor([1 3], shape=(2,), dtype=int64)
    """
    given = tensor("unique_counts", x)
    return UniqueCountsResult(*map(array, np.unique_counts(given)))


def unique_inverse(x: Tensor, /) -> UniqueInverseResult:
    """The distinct elements, and which of them each element is.

    Args:
      x: a tensor of any shape.
    Returns: a named tuple; the places have the shape of `x`.

    >>> xp = tf.array_api
    >>> print(xp.unique_inverse(xp.asarray([3, 1, 3])).inverse_indices)
    tf.Tensor([1 0 1], shape=(3,), dtype=int64)
    """
    given = tensor("unique_inverse", x)
    return UniqueInverseResult(*map(array, np.unique_inverse(given)))


def unique_values(x: Tensor, /) -> Tensor:
    """The distinct elements, in order.

    Args:
      x: a tensor of any shape.
    Returns: a tensor of shape [n].

    >>> xp = tf.array_api
    >>> print(xp.unique_values(xp.asarray([3, 1, 3])))
    tf.Tensor([1 3], shape=(2,), dtype=int64)
    """
    given = tensor("unique_values", x)
    return array(np.unique_values(given))


def argsort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The places that put elements in order.

    Args:
      x: a tensor of any shape but (), of integers or floats.
      axis: the axis along which.
      descending: whether the greatest is first.
      stable: accepted: equal elements always keep their order.
    Returns: a tensor of int64 of the same shape.

    >>> xp = tf.array_api
    >>> print(xp.argsort(xp.asarray([3, 1, 2]), descending=True))
    tf.Tensor([0 2 1], shape=(3,), dtype=int64)
    """
    given = tensor("argsort", x, "real numeric")
    if not descending:
        return array(np.argsort(given, axis=axis, stable=True))
    # Equal elements keep their order: the row is reversed before, and what comes of it after.
    found = np.flip(np.argsort(np.flip(given, axis), axis=axis, stable=True), axis)
    return array(given.shape[axis] - 1 - found)


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The elements, in order.

    Args:
      x: a tensor of any shape but (), of integers or floats.
      axis: the axis along which.
      descending: whether the greatest is first.
      stable: accepted: equal elements are not told apart.
    Returns: a tensor of the same shape and dtype.

    >>> xp = tf.array_api
    >>> print(xp.sort(xp.asarray([3, 1, 2])))
    tf.Tensor([1 2 3], shape=(3,), dtype=int64)
    """
    given = tensor("sort", x, "real numeric")
    made = np.sort(given, axis=axis)
    return array(np.flip(made, axis) if descending else made)
