"""What makes the first values of Variables: functions of a shape and a dtype."""

from __future__ import annotations

import math

import numpy as np

from runtime.graph.dtypes import as_dtype, float32
from runtime.graph.op import Op
from runtime.ops import random as ops
from runtime.tensors.conversion import constant, operand
from runtime.tensors.making import ones, zeros
from runtime.tensors.operations import apply
from runtime.tensors.shaping import listed_shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, ShapeLike, TensorLike


class Zeros:
    """Zeros, of any shape and dtype.

    >>> print(tf.compat.v1.zeros_initializer()([2]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    def __init__(self, dtype: DTypeLike = float32) -> None:
        self.dtype = as_dtype(dtype)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: None = None) -> Tensor:
        return zeros(shape, dtype or self.dtype)


class Ones:
    """Ones, of any shape and dtype.

    >>> print(tf.compat.v1.ones_initializer()([2]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    def __init__(self, dtype: DTypeLike = float32) -> None:
        self.dtype = as_dtype(dtype)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: None = None) -> Tensor:
        return ones(shape, dtype or self.dtype)


class Constant:
    """One value everywhere, or the elements of a list in order.

    Args:
      value: a number, or a list of as many as the shape has elements.
      dtype: the dtype where none is asked for.
      verify_shape: whether the value must have the shape that is asked for.

    >>> print(tf.compat.v1.constant_initializer(7)([2], tf.int32))
    tf.Tensor([7 7], shape=(2,), dtype=int32)
    """

    def __init__(self, value: TensorLike = 0, dtype: DTypeLike = float32, verify_shape: bool = False) -> None:
        self.value, self.dtype, self.verify_shape = value, as_dtype(dtype), verify_shape

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: None = None,
        verify_shape: bool | None = None,
    ) -> Tensor:  # fmt: skip
        wanted: object = shape
        verify = self.verify_shape if verify_shape is None else verify_shape
        if verify and np.shape(self.value) != tuple(wanted):  # type: ignore[arg-type]
            raise TypeError(f"the value of constant_initializer has shape {np.shape(self.value)}, not {shape}")  # type: ignore[arg-type]
        return constant(np.asarray(self.value).tolist(), dtype or self.dtype, shape)


class _Drawn:
    """Random numbers; those that belong to a seed are the same each time."""

    op: Op

    def __init__(self, first: float, second: float, seed: int | None, dtype: DTypeLike) -> None:
        self._first, self._second, self.seed, self.dtype = first, second, seed, as_dtype(dtype)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: None = None) -> Tensor:
        first, second = self._limits(listed_shape(shape))
        stream = None if self.seed is None else ops.Stream(int(self.seed))
        dims = tuple(listed_shape(shape))
        return apply(
            self.op, operand(first), operand(second), shape=dims, dtype=as_dtype(dtype or self.dtype), stream=stream
        )

    def _limits(self, shape: list[int]) -> tuple[float, float]:
        return self._first, self._second


class RandomNormal(_Drawn):
    """Numbers from a normal distribution, of float dtypes and any shape.

    >>> tf.compat.v1.random_normal_initializer(stddev=0.1, seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    op = ops.normal

    def __init__(
        self, mean: float = 0.0, stddev: float = 1.0, seed: int | None = None, dtype: DTypeLike = float32
    ) -> None:
        super().__init__(mean, stddev, seed, dtype)


class TruncatedNormal(_Drawn):
    """Normal numbers within two standard deviations of the mean, of float dtypes and any shape.

    >>> tf.compat.v1.truncated_normal_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    op = ops.truncated_normal

    def __init__(
        self, mean: float = 0.0, stddev: float = 1.0, seed: int | None = None, dtype: DTypeLike = float32
    ) -> None:
        super().__init__(mean, stddev, seed, dtype)


class RandomUniform(_Drawn):
    """Numbers from an interval, all as likely, of float dtypes and any shape.

    >>> tf.compat.v1.random_uniform_initializer(-1.0, 1.0, seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    op = ops.uniform

    def __init__(
        self, minval: float = 0.0, maxval: float = 1.0, seed: int | None = None, dtype: DTypeLike = float32
    ) -> None:
        super().__init__(minval, maxval, seed, dtype)


class GlorotUniform(_Drawn):
    """Numbers between -x and x, where x is sqrt(6 / (inputs + outputs)) of the layer that a shape is the kernel of.

    >>> tf.compat.v1.glorot_uniform_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    op = ops.uniform

    def __init__(self, seed: int | None = None, dtype: DTypeLike = float32) -> None:
        super().__init__(0.0, 0.0, seed, dtype)

    def _limits(self, shape: list[int]) -> tuple[float, float]:
        limit = math.sqrt(6 / max(1, sum(_fans(shape))))
        return -limit, limit


class GlorotNormal(_Drawn):
    """Normal numbers within two standard deviations of 0; the variance is 2 / (inputs + outputs).

    >>> tf.compat.v1.glorot_normal_initializer(seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    op = ops.truncated_normal

    def __init__(self, seed: int | None = None, dtype: DTypeLike = float32) -> None:
        super().__init__(0.0, 0.0, seed, dtype)

    def _limits(self, shape: list[int]) -> tuple[float, float]:
        # What lies within two standard deviations has a smaller one, by this factor.
        return 0.0, math.sqrt(2 / max(1, sum(_fans(shape)))) / 0.87962566103423978


def _fans(shape: list[int]) -> tuple[int, int]:
    """How many inputs and outputs a layer has, of its kernel's shape."""
    if not shape:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    around = math.prod(shape[:-2])
    return shape[-2] * around, shape[-1] * around
