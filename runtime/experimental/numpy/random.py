"""NumPy's functions of random numbers, which draw anew at each run of a graph."""

from __future__ import annotations

from runtime.graph.dtypes import as_dtype, float64, int64
from runtime.ops import random as ops
from runtime.tensors.drawing import drawn
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, ShapeLike, TensorLike

__all__ = ["rand", "randint", "randn", "random", "seed", "standard_normal", "uniform"]


def seed(s: int) -> None:
    """Begin anew, as `runtime.random.set_seed` does.

    Args:
      s: what decides which numbers come.

    >>> tf.experimental.numpy.random.seed(3)
    """
    ops.set_seed(s)


def standard_normal(size: ShapeLike | None = None) -> Tensor:
    """Numbers of the normal distribution around 0.

    Args:
      size: the shape; one number by default.
    Returns: a tensor of this shape, of float64.

    >>> tf.experimental.numpy.random.standard_normal((2, 3)).shape
    TensorShape([2, 3])
    """
    return drawn(ops.normal, 0.0, 1.0, () if size is None else size, float64, None)


def randn(*args: int) -> Tensor:
    """Numbers of the normal distribution around 0.

    Args:
      *args: the sizes of the shape; one number by default.
    Returns: a tensor of this shape, of float64.

    >>> tf.experimental.numpy.random.randn(2, 3).shape
    TensorShape([2, 3])
    """
    return standard_normal(args)


def uniform(low: TensorLike = 0.0, high: TensorLike = 1.0, size: ShapeLike | None = None) -> Tensor:
    """Numbers from an interval, all as likely.

    Args:
      low, high: its ends, of which the second is not drawn: scalars, or tensors that broadcast to the shape.
      size: the shape; one number by default.
    Returns: a tensor of this shape, of float64.

    >>> bool(4 <= tf.experimental.numpy.random.uniform(4, 5) < 5)
    True
    """
    return drawn(ops.uniform, low, high, () if size is None else size, float64, None)


def random(size: ShapeLike | None = None) -> Tensor:
    """Numbers from 0 up to 1, all as likely.

    Args:
      size: the shape; one number by default.
    Returns: a tensor of this shape, of float64.

    >>> tf.experimental.numpy.random.random([3]).dtype
    tf.float64
    """
    return uniform(size=size)


def rand(*size: int) -> Tensor:
    """Numbers from 0 up to 1, all as likely.

    Args:
      *size: the sizes of the shape; one number by default.
    Returns: a tensor of this shape, of float64.

    >>> tf.experimental.numpy.random.rand(3).shape
    TensorShape([3])
    """
    return uniform(size=size)


def randint(
    low: TensorLike, high: TensorLike | None = None, size: ShapeLike | None = None, dtype: DTypeLike = int64
) -> Tensor:
    """Whole numbers, all as likely.

    Args:
      low, high: from which one up to which one, which is not drawn itself; from 0 up to `low` without `high`.
      size: the shape; one number by default.
      dtype: the dtype of the result, of integers.
    Returns: a tensor of this shape and dtype.
    Raises:
      ValueError: for another dtype.

    >>> bool(0 <= tf.experimental.numpy.random.randint(6) < 6)
    True
    """
    kind = as_dtype(dtype)
    if not kind.is_integer:
        raise ValueError(f"randint draws whole numbers, not {kind.name}")
    first, last = (0, low) if high is None else (low, high)
    return drawn(ops.uniform, first, last, () if size is None else size, kind, None)
