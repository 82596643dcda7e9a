"""Layers that prepare data: Rescaling and Normalization."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from runtime.control.items import Source
from runtime.graph.dtypes import as_dtype
from runtime.graph.shapes import axis_of
from runtime.keras.layers.dense import last_of
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.shapes import as_shape
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, constant
from runtime.tensors.shaping import reshape
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import recording
from runtime.tensors.types import Structure, TensorLike
from runtime.tensors.variables import Variable


class Rescaling(Layer):
    """``inputs * scale + offset``.

    Args:
      scale: what the inputs are multiplied by.
      offset: what is added.
      kwargs: the options of `Layer`.

    >>> print(tf.keras.layers.Rescaling(1 / 255)(tf.constant([0, 255], tf.uint8)))
    tf.Tensor([0. 1.], shape=(2,), dtype=float32)
    """

    def __init__(
        self, scale: float | Sequence[float], offset: float | Sequence[float] = 0.0, **kwargs: Unpack[Options]
    ) -> None:
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset
        self.supports_masking = True

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, rescaled.

        Args:
          inputs: a tensor of any shape, of numbers.
        Returns: a tensor of its shape.
        """
        x = cast(inputs, self.compute_dtype)
        return x * constant(self.scale, self.compute_dtype) + constant(self.offset, self.compute_dtype)


class Normalization(Layer):
    """``(inputs - mean) / sqrt(variance)``, with mean and variance of data that are shown to it before.

    Args:
      axis: the axis that has means of its own, or several; None for one mean of all numbers.
      mean, variance: what `adapt` would find; the layer has no weights then.
      invert: whether it does the opposite: ``inputs * sqrt(variance) + mean``.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if only one of mean and variance is given.

    >>> layer = tf.keras.layers.Normalization()
    >>> layer.adapt(np.array([[1.0, 10.0], [3.0, 30.0]]))
    >>> print(layer(tf.constant([[1.0, 30.0]])))
    tf.Tensor([[-1.  1.]], shape=(1, 2), dtype=float32)
    """

    adapt_mean: Tensor | Variable
    adapt_variance: Tensor | Variable

    def __init__(
        self,
        axis: int | Sequence[int] | None = -1,
        mean: TensorLike | None = None,
        variance: TensorLike | None = None,
        invert: bool = False,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        if (mean is None) != (variance is None):
            raise ValueError(f"Normalization with mean={mean!r} and variance={variance!r}: both are given, or none")
        self.axis, self.invert, self.input_mean, self.input_variance = axis, invert, mean, variance
        self.supports_masking = True

    def _argument(self, name: str) -> object:
        return getattr(self, f"input_{name}") if name in ("mean", "variance") else super()._argument(name)

    def _axes(self, rank: int) -> list[int]:
        given = () if self.axis is None else self.axis if isinstance(self.axis, Sequence) else (self.axis,)
        return sorted(axis_of(a, rank) for a in given)

    def build(self, input_shape: Structure) -> None:
        """Make mean and variance.

        Args:
          input_shape: the shape of the inputs; the sizes of the axes must be known.
        """
        dims = as_shape(input_shape)
        axes = self._axes(len(dims))
        sizes = [last_of(dims, self, axis) for axis in axes]
        self._broadcast = [sizes[axes.index(i)] if i in axes else 1 for i in range(len(dims))]
        if self.input_mean is None:
            self.adapt_mean = self.add_weight(sizes, "zeros", trainable=False, name="mean")
            self.adapt_variance = self.add_weight(sizes, "ones", trainable=False, name="variance")
        else:
            dtype = as_dtype(self.dtype).dtype
            given = (np.asarray(self.input_mean, dtype), np.asarray(self.input_variance, dtype))
            with recording(None):  # they outlive a function that is being traced
                self.adapt_mean, self.adapt_variance = (constant(np.broadcast_to(one, sizes)) for one in given)

    @property
    def mean(self) -> Tensor:
        """The mean, of the rank of the data: along axes that have none of their own the size is 1.

        >>> layer = tf.keras.layers.Normalization()
        >>> layer.adapt(np.array([[1.0, 10.0], [3.0, 30.0]]))
        >>> print(layer.mean)
        tf.Tensor([[ 2. 20.]], shape=(1, 2), dtype=float32)
        """
        return cast(reshape(self.adapt_mean, self._broadcast), self.compute_dtype)

    @property
    def variance(self) -> Tensor:
        """The variance, of the shape of `mean`.

        >>> layer = tf.keras.layers.Normalization()
        >>> layer.adapt(np.array([[1.0, 10.0], [3.0, 30.0]]))
        >>> print(layer.variance)
        tf.Tensor([[  1. 100.]], shape=(1, 2), dtype=float32)
        """
        return cast(reshape(self.adapt_variance, self._broadcast), self.compute_dtype)

    def adapt(self, data: Structure) -> None:
        """Find mean and variance.

        Args:
          data: an array of shape [n, ...], or a dataset of batches.
        Raises:
          ValueError: if mean and variance are given.

        >>> layer = tf.keras.layers.Normalization(axis=None)
        >>> layer.adapt(np.array([1.0, 3.0]))
        >>> print(layer.mean)
        tf.Tensor([2.], shape=(1,), dtype=float32)
        """
        if self.input_mean is not None:
            raise ValueError(f"layer '{self.name}' was given mean and variance, and cannot adapt() to data")
        batches = [np.asarray(b) for b in data.as_numpy_iterator()] if isinstance(data, Source) else [np.asarray(data)]  # type: ignore[attr-defined]
        array = np.concatenate(batches).astype(np.float64)
        if not self.built:
            self.build((None, *array.shape[1:]))
        axes = tuple(i for i in range(array.ndim) if i not in self._axes(array.ndim))
        for weight, found in ((self.adapt_mean, array.mean(axes)), (self.adapt_variance, array.var(axes))):
            assert isinstance(weight, Variable)
            weight.assign(np.asarray(found).astype(weight.dtype.dtype))

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, normalised.

        Args:
          inputs: a tensor of the rank of the data, of numbers.
        Returns: a tensor of its shape.
        """
        x = cast(inputs, self.compute_dtype)
        mean, deviation = self.mean, m.sqrt(self.variance)
        if self.invert:
            return mean + x * m.maximum(deviation, 1e-7)
        return (x - mean) / m.maximum(deviation, 1e-7)
