"""The functions that make one number of many, and running ones."""

from __future__ import annotations

import numpy as np

from runtime.array_api.support import Axes, array, converted, numpy_dtype, promoted, tensor
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike


def max(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The greatest element; NaN where one is.

    Args:
      x: a tensor of any shape, of integers or floats.
      axis: the axis along which, or a tuple of them; None for all.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of the dtype of `x`, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.max(xp.asarray([1, 3, 2])))
    tf.Tensor(3, shape=(), dtype=int64)
    """
    given = tensor("max", x, "real numeric")
    return array(np.max(given, axis=axis, keepdims=keepdims))


def min(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The least element; NaN where one is.

    Args:
      x: a tensor of any shape, of integers or floats.
      axis: the axis along which, or a tuple of them; None for all.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of the dtype of `x`, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.min(xp.asarray([1, 3, 2])))
    tf.Tensor(1, shape=(), dtype=int64)
    """
    given = tensor("min", x, "real numeric")
    return array(np.min(given, axis=axis, keepdims=keepdims))


def mean(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The mean of the elements.

    Args:
      x: a tensor of any shape, of floats or complex numbers.
      axis: the axis along which, or a tuple of them; None for all.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of the dtype of `x`, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.mean(xp.asarray([1.0, 2.0, 4.5])))
    tf.Tensor(2.5, shape=(), dtype=float64)
    """
    given = tensor("mean", x, "floating-point")
    return array(np.mean(given, axis=axis, keepdims=keepdims))


def sum(x: Tensor, /, *, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The sum of the elements.

    Args:
      x: a tensor of any shape, of numbers.
      axis: the axis along which, or a tuple of them; None for all.
      dtype: the dtype; by default that of `x`, or 64 bits for smaller integers.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of that dtype, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.sum(xp.asarray([1, 2, 4])))
    tf.Tensor(7, shape=(), dtype=int64)
    """
    given = tensor("sum", x, "numeric")
    return array(np.sum(given, axis=axis, dtype=numpy_dtype(dtype), keepdims=keepdims))


def prod(x: Tensor, /, *, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False) -> Tensor:
    """The product of the elements.

    Args:
      x: a tensor of any shape, of numbers.
      axis: the axis along which, or a tuple of them; None for all.
      dtype: the dtype; by default that of `x`, or 64 bits for smaller integers.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of that dtype, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.prod(xp.asarray([2, 3, 4])))
    tf.Tensor(24, shape=(), dtype=int64)
    """
    given = tensor("prod", x, "numeric")
    return array(np.prod(given, axis=axis, dtype=numpy_dtype(dtype), keepdims=keepdims))


def std(x: Tensor, /, *, axis: Axes = None, correction: int | float = 0.0, keepdims: bool = False) -> Tensor:
    """The standard deviation of the elements.

    Args:
      x: a tensor of any shape, of floats.
      axis: the axis along which, or a tuple of them; None for all.
      correction: what is taken from the number of elements that is divided by, 1 for a sample.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of the dtype of `x`, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.std(xp.asarray([1.0, 3.0])))
    tf.Tensor(1.0, shape=(), dtype=float64)
    """
    given = tensor("std", x, "real floating")
    return array(np.std(given, axis=axis, correction=correction, keepdims=keepdims))


def var(x: Tensor, /, *, axis: Axes = None, correction: int | float = 0.0, keepdims: bool = False) -> Tensor:
    """The variance of the elements.

    Args:
      x: a tensor of any shape, of floats.
      axis: the axis along which, or a tuple of them; None for all.
      correction: what is taken from the number of elements that is divided by, 1 for a sample.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of the dtype of `x`, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.var(xp.asarray([1.0, 3.0])))
    tf.Tensor(1.0, shape=(), dtype=float64)
    """
    given = tensor("var", x, "real floating")
    return array(np.var(given, axis=axis, correction=correction, keepdims=keepdims))


def all(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether all elements are True, or not zero.

    Args:
      x: a tensor of any shape, of numbers or booleans.
      axis: the axis along which, or a tuple of them; None for all.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of booleans, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.all(xp.asarray([True, False])))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    given = tensor("all", x, "any")
    return array(np.all(given, axis=axis, keepdims=keepdims))


def any(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether an element is True, or not zero.

    Args:
      x: a tensor of any shape, of numbers or booleans.
      axis: the axis along which, or a tuple of them; None for all.
      keepdims: whether the axes stay, with size 1.
    Returns: a tensor of booleans, without these axes.
    Raises:
      TypeError: for other dtypes.

    >>> xp = tf.array_api
    >>> print(xp.any(xp.asarray([True, False])))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    given = tensor("any", x, "any")
    return array(np.any(given, axis=axis, keepdims=keepdims))


def cumulative_sum(
    x: Tensor, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> Tensor:
    """The sums of the elements so far.

    Args:
      x: a tensor of rank 1 or more, of numbers.
      axis: the axis along which; None for the one that there is.
      dtype: the dtype; by default that of `x`, or 64 bits for smaller integers.
      include_initial: whether the result begins with that of no element.
    Returns: a tensor of that dtype.
    Raises:
      ValueError: without an axis where there are several.

    >>> xp = tf.array_api
    >>> print(xp.cumulative_sum(xp.asarray([1, 2, 4])))
    tf.Tensor([1 3 7], shape=(3,), dtype=int64)
    """
    given = tensor("cumulative_sum", x, "numeric")
    if given.ndim == 0:
        raise ValueError("cumulative_sum takes tensors of rank 1 or more")
    if axis is None and given.ndim > 1:
        raise ValueError(f"cumulative_sum needs an axis of a tensor of rank {given.ndim}")
    made = np.cumulative_sum(given, axis=axis, dtype=numpy_dtype(dtype), include_initial=include_initial)
    return array(made)


def cumulative_prod(
    x: Tensor, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> Tensor:
    """The products of the elements so far.

    Args:
      x: a tensor of rank 1 or more, of numbers.
      axis: the axis along which; None for the one that there is.
      dtype: the dtype; by default that of `x`, or 64 bits for smaller integers.
      include_initial: whether the result begins with that of no element.
    Returns: a tensor of that dtype.
    Raises:
      ValueError: without an axis where there are several.

    >>> xp = tf.array_api
    >>> print(xp.cumulative_prod(xp.asarray([2, 3, 4])))
    tf.Tensor([ 2  6 24], shape=(3,), dtype=int64)
    """
    given = tensor("cumulative_prod", x, "numeric")
    if given.ndim == 0:
        raise ValueError("cumulative_prod takes tensors of rank 1 or more")
    if axis is None and given.ndim > 1:
        raise ValueError(f"cumulative_prod needs an axis of a tensor of rank {given.ndim}")
    made = np.cumulative_prod(given, axis=axis, dtype=numpy_dtype(dtype), include_initial=include_initial)
    return array(made)


def diff(
    x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Tensor | None = None, append: Tensor | None = None
) -> Tensor:
    """The differences of elements beside one another.

    Args:
      x: a tensor of rank 1 or more, of numbers.
      axis: the axis along which.
      n: how many times differences are taken; with 0 it is `x`, and nothing stands before or after it.
      prepend, append: what stands before and after the elements, of the same rank.
    Returns: a tensor of the same rank and dtype.

    >>> xp = tf.array_api
    >>> print(xp.diff(xp.asarray([1, 4, 9])))
    tf.Tensor([3 5], shape=(2,), dtype=int64)
    """
    parts = [tensor("diff", part, "numeric") for part in (prepend, x, append) if part is not None]
    dtype = promoted("diff", [part.dtype for part in parts])
    given = [converted(part, dtype) for part in parts]
    if n == 0:
        return converted(tensor("diff", x, "numeric"), dtype)
    return array(np.diff(np.concatenate(given, axis=axis) if len(given) > 1 else given[0], n=n, axis=axis))
