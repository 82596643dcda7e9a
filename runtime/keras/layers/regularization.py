"""Layers that do something in training only: dropout and noise; and ActivityRegularization."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from runtime.keras.layers.input_spec import InputSpec
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.settings import checked_format
from runtime.keras.shapes import sizes_of
from runtime.ops import random as draws
from runtime.tensors import mathematics as m
from runtime.tensors.drawing import drawn
from runtime.tensors.normalisation import dropout
from runtime.tensors.reductions import reduce_sum
from runtime.tensors.shaping import shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure

_LIMIT = -1.6732632423543772 * 1.0507009873554805  # of SELU for small numbers


class Dropout(Layer):
    """In training, some elements become 0 and the others grow, so that the sum stays on average.

    Args:
      rate: how likely each is to become 0, in [0, 1].
      noise_shape: the shape of what is drawn, None for dimensions of the inputs: along an axis of size 1 elements go
        together.
      seed: what decides, with that of `random.set_seed`, which elements stay.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the rate is out of its range.

    >>> layer = tf.keras.layers.Dropout(0.5, seed=1)
    >>> print(layer(tf.ones([4])))
    tf.Tensor([1. 1. 1. 1.], shape=(4,), dtype=float32)
    >>> sorted({*layer(tf.ones([100]), training=True).numpy().tolist()})
    [0.0, 2.0]
    """

    def __init__(
        self,
        rate: float,
        noise_shape: Sequence[int | None] | None = None,
        seed: int | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        if not 0 <= rate <= 1:
            raise ValueError(f"{type(self).__name__} with rate={rate!r}: it is a number from 0 to 1")
        self.rate, self.seed, self.noise_shape = rate, seed, noise_shape
        self.supports_masking = True

    def call(self, inputs: Tensor, training: bool | Tensor | None = False) -> Tensor:
        """The inputs, in training with some elements 0.

        Args:
          inputs: a tensor of any shape.
          training: whether it is training.
        Returns: a tensor of its shape.
        """
        if training:
            if self.rate == 1:
                return inputs * 0.0
            if self.rate > 0:
                return dropout(inputs, self.rate, self._noise_shape(inputs), self.seed)
        return inputs

    def _noise_shape(self, inputs: Tensor) -> list[Tensor | int] | None:
        if self.noise_shape is None:
            return None
        sizes = sizes_of(inputs)
        return [size if n is None else n for n, size in zip(self.noise_shape, sizes, strict=True)]


class _SpatialDropout(Dropout):
    """What dropout of whole channels has in common."""

    _rank: int  # how many dimensions the inputs have

    def __init__(
        self, rate: float, data_format: str | None = None, seed: int | None = None, **kwargs: Unpack[Options]
    ) -> None:
        super().__init__(rate, seed=seed, **kwargs)
        self.data_format = checked_format(data_format)
        self.input_spec = InputSpec(ndim=self._rank)

    def _noise_shape(self, inputs: Tensor) -> list[Tensor | int]:
        sizes, ones = sizes_of(inputs), [1] * (self._rank - 2)
        return [sizes[0], *ones, sizes[-1]] if self.data_format == "channels_last" else [*sizes[:2], *ones]


class SpatialDropout1D(_SpatialDropout):
    """Dropout of whole channels of sequences.

    Args:
      rate: how likely each is to become 0, in [0, 1].
      seed: what decides which ones stay.
      kwargs: the options of `Layer`.

    >>> layer = tf.keras.layers.SpatialDropout1D(0.5)
    >>> y = layer(tf.ones([2, 5, 8]), training=True)
    >>> bool(tf.reduce_all(y == y[:, :1]))
    True
    """

    _rank = 3

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Unpack[Options]) -> None:
        super().__init__(rate, "channels_last", seed, **kwargs)


class SpatialDropout2D(_SpatialDropout):
    """Dropout of whole channels of images.

    Args:
      rate: how likely each is to become 0, in [0, 1].
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      seed: what decides which ones stay.
      kwargs: the options of `Layer`.

    >>> layer = tf.keras.layers.SpatialDropout2D(0.5)
    >>> y = layer(tf.ones([2, 5, 5, 8]), training=True)
    >>> bool(tf.reduce_all(y == y[:, :1, :1]))
    True
    """

    _rank = 4


class SpatialDropout3D(_SpatialDropout):
    """Dropout of whole channels of volumes.

    Args:
      rate: how likely each is to become 0, in [0, 1].
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      seed: what decides which ones stay.
      kwargs: the options of `Layer`.

    >>> layer = tf.keras.layers.SpatialDropout3D(0.5, data_format="channels_first")
    >>> y = layer(tf.ones([2, 8, 3, 3, 3]), training=True)
    >>> bool(tf.reduce_all(y == y[:, :, :1, :1, :1]))
    True
    """

    _rank = 5


class GaussianNoise(Layer):
    """In training, normal numbers are added.

    Args:
      stddev: their standard deviation.
      seed: what decides, with that of `random.set_seed`, which numbers come.
      kwargs: the options of `Layer`.

    >>> print(tf.keras.layers.GaussianNoise(0.5)(tf.ones([2])))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    def __init__(self, stddev: float, seed: int | None = None, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        if not stddev >= 0:
            raise ValueError(f"GaussianNoise with stddev={stddev!r}: a standard deviation is at least 0")
        self.stddev, self.seed = stddev, seed
        self.supports_masking = True

    def call(self, inputs: Tensor, training: bool | Tensor | None = False) -> Tensor:
        """The inputs, in training with noise.

        Args:
          inputs: a tensor of any shape.
          training: whether it is training.
        Returns: a tensor of its shape.
        """
        if training:
            return inputs + drawn(draws.normal, 0.0, self.stddev, shape(inputs), inputs.dtype, self.seed)
        return inputs


class GaussianDropout(Layer):
    """In training, elements are multiplied by normal numbers of mean 1.

    Args:
      rate: as of `Dropout`: the standard deviation is ``sqrt(rate / (1 - rate))``.
      seed: what decides, with that of `random.set_seed`, which numbers come.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the rate is out of its range.

    >>> print(tf.keras.layers.GaussianDropout(0.5)(tf.ones([2])))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        if not 0 <= rate < 1:
            raise ValueError(f"GaussianDropout with rate={rate!r}: it is a number from 0 to 1, and not 1")
        self.rate, self.seed = rate, seed
        self.supports_masking = True

    def call(self, inputs: Tensor, training: bool | Tensor | None = False) -> Tensor:
        """The inputs, in training times noise.

        Args:
          inputs: a tensor of any shape.
          training: whether it is training.
        Returns: a tensor of its shape.
        """
        if training:
            deviation = (self.rate / (1 - self.rate)) ** 0.5
            return inputs * drawn(draws.normal, 1.0, deviation, shape(inputs), inputs.dtype, self.seed)
        return inputs


class AlphaDropout(Dropout):
    """Dropout for networks of ``activation="selu"``: mean and variance of the inputs stay as they are.

    Args:
      rate: how likely each element is to become the limit of SELU for small numbers, in [0, 1).
      noise_shape: the shape of what is drawn, as of `Dropout`.
      seed: what decides, with that of `random.set_seed`, which elements stay.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the rate is out of its range.

    >>> layer = tf.keras.layers.AlphaDropout(0.5, seed=1)
    >>> print(layer(tf.ones([2])))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    >>> sorted({*layer(tf.ones([100]), training=True).numpy().round(2).tolist()})
    [-0.7799999713897705, 1.6699999570846558]
    """

    def __init__(
        self,
        rate: float,
        noise_shape: Sequence[int | None] | None = None,
        seed: int | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(rate, noise_shape, seed, **kwargs)
        if rate == 1:
            raise ValueError("AlphaDropout with rate=1: it is a number from 0 to 1, and not 1")

    def call(self, inputs: Tensor, training: bool | Tensor | None = False) -> Tensor:
        """The inputs, in training with some elements at the limit of SELU, scaled and moved.

        Args:
          inputs: a tensor of any shape.
          training: whether it is training.
        Returns: a tensor of its shape.
        """
        if not training or self.rate == 0:
            return inputs
        dims = self._noise_shape(inputs)
        noise = drawn(draws.uniform, 0.0, 1.0, shape(inputs) if dims is None else dims, inputs.dtype, self.seed)
        scale = ((1 - self.rate) * (1 + self.rate * _LIMIT**2)) ** -0.5
        return scale * m.where(noise >= self.rate, inputs, _LIMIT) - scale * _LIMIT * self.rate


class ActivityRegularization(Layer):
    """The inputs as they are, and a loss of them, divided by the number of examples.

    Args:
      l1: what the sum of their absolute values is multiplied by.
      l2: what the sum of their squares is multiplied by.
      kwargs: the options of `Layer`.

    >>> layer = tf.keras.layers.ActivityRegularization(l1=0.5)
    >>> y = layer(tf.constant([[1.0, -3.0], [2.0, -2.0]]))
    >>> print(layer.losses[0])
    tf.Tensor(2.0, shape=(), dtype=float32)
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.l1, self.l2 = l1, l2
        self.activity_regularizer = self._loss
        self.supports_masking = True

    def _loss(self, x: Tensor) -> Tensor:
        return self.l1 * reduce_sum(m.abs(x)) + self.l2 * reduce_sum(m.square(x))

    def call(self, inputs: Structure) -> Structure:
        """The inputs.

        Args:
          inputs: tensors of any shape.
        Returns: the same.
        """
        return inputs
