"""Layers that normalise: by the batch, by the features, by groups of them, or to a length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from runtime.graph.shapes import axis_of
from runtime.keras import constraints, initializers, regularizers
from runtime.keras.layers.dense import last_of
from runtime.keras.layers.input_spec import InputSpec
from runtime.keras.layers.kinds import ConstraintLike, InitializerLike, RegularizerLike
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.shapes import as_shape, sizes_of
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast
from runtime.tensors.making import ones_like
from runtime.tensors.normalisation import l2_normalize, moments
from runtime.tensors.reductions import reduce_mean, reduce_sum
from runtime.tensors.shaping import reshape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure
from runtime.tensors.variables import Variable


class _Scaled(Layer):
    """What these layers share: a scale, gamma, and an offset, beta."""

    scale: bool
    center: bool
    rms_scaling = False  # is there a gamma in any case, and no beta?

    def _add_scale(self, dims: Sequence[int]) -> None:
        self.gamma: Variable | None = None
        self.beta: Variable | None = None
        if self.scale or self.rms_scaling:
            self.gamma = self.add_weight(
                dims, self.gamma_initializer, name="gamma",
                regularizer=self.gamma_regularizer, constraint=self.gamma_constraint,
            )  # fmt: skip
        if self.center and not self.rms_scaling:
            self.beta = self.add_weight(
                dims, self.beta_initializer, name="beta",
                regularizer=self.beta_regularizer, constraint=self.beta_constraint,
            )  # fmt: skip

    def _keep(self, options: dict[str, object]) -> None:
        for name in ("gamma", "beta"):
            for kind, module in (
                ("initializer", initializers),
                ("regularizer", regularizers),
                ("constraint", constraints),
            ):
                what = f"{name}_{kind}"
                setattr(self, what, module.get(options.get(what)))


class BatchNormalization(_Scaled):
    """``(x - mean) / sqrt(variance + epsilon) * gamma + beta``, with mean and variance of the batch in training.

    Moving averages of them are kept, and used when it is not training. A layer that is not `trainable` uses them, too.

    Args:
      axis: the axis that is normalised, that of the channels.
      momentum: the part of the averages that stays at each step.
      epsilon: a small number that keeps away from divisions by 0.
      center, scale: whether there is a beta, and a gamma.
      beta_initializer, gamma_initializer: what makes their first values.
      moving_mean_initializer, moving_variance_initializer: what makes the first averages.
      beta_regularizer, gamma_regularizer: what makes losses of them.
      beta_constraint, gamma_constraint: what is made of them after each step of an optimizer.
      synchronized: accepted; there is one machine.
      kwargs: the options of `Layer`.

    >>> layer = tf.keras.layers.BatchNormalization()
    >>> x = tf.constant([[1.0], [3.0]])
    >>> print(layer(x, training=True).numpy().round(2).tolist(), layer.moving_mean.numpy().round(2))
    [[-1.0], [1.0]] [0.02]
    """

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: InitializerLike = "zeros",
        gamma_initializer: InitializerLike = "ones",
        moving_mean_initializer: InitializerLike = "zeros",
        moving_variance_initializer: InitializerLike = "ones",
        beta_regularizer: RegularizerLike = None,
        gamma_regularizer: RegularizerLike = None,
        beta_constraint: ConstraintLike = None,
        gamma_constraint: ConstraintLike = None,
        synchronized: bool = False,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.axis, self.momentum, self.epsilon = int(axis), float(momentum), epsilon
        self.center, self.scale, self.synchronized = center, scale, synchronized
        self._keep(
            {
                "beta_initializer": beta_initializer,
                "gamma_initializer": gamma_initializer,
                "beta_regularizer": beta_regularizer,
                "gamma_regularizer": gamma_regularizer,
                "beta_constraint": beta_constraint,
                "gamma_constraint": gamma_constraint,
            }
        )
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)
        self.supports_masking = True

    def build(self, input_shape: Structure) -> None:
        """Make gamma, beta and the averages.

        Args:
          input_shape: the shape of the inputs; the size of the axis must be known.
        """
        dims = as_shape(input_shape)
        size = last_of(dims, self, self.axis)
        self._add_scale([size])
        self.moving_mean = self.add_weight([size], self.moving_mean_initializer, name="moving_mean", trainable=False)
        self.moving_variance = self.add_weight(
            [size], self.moving_variance_initializer, name="moving_variance", trainable=False
        )
        self.input_spec = InputSpec(ndim=len(dims), axes={self.axis: size})

    def call(self, inputs: Tensor, training: bool | Tensor | None = None, mask: Tensor | None = None) -> Tensor:
        """The inputs, normalised.

        Args:
          inputs: a tensor of shape [..., channels], or with the channels at the axis.
          training: whether it is training.
          mask: what counts for mean and variance, of booleans: [batch, time].
        Returns: a tensor of its shape.
        """
        x = self._float(inputs)
        rank = len(x.shape.as_list())
        axis = axis_of(self.axis, rank)
        others = [i for i in range(rank) if i != axis]
        if training and self.trainable:
            mean, variance = self._moments(x, others, mask)
            for average, now in ((self.moving_mean, mean), (self.moving_variance, variance)):
                average.assign(average * self.momentum + cast(now, average.dtype) * (1 - self.momentum))
        else:
            mean, variance = self.moving_mean.read_value(), self.moving_variance.read_value()
        factor = 1.0 / m.sqrt(variance + self.epsilon)
        if self.gamma is not None:
            factor = factor * self.gamma
        offset = -mean * factor
        if self.beta is not None:
            offset = offset + self.beta
        if axis != rank - 1:
            dims = [-1 if i == axis else 1 for i in range(rank)]
            factor, offset = reshape(factor, dims), reshape(offset, dims)
        return x * factor + offset

    def _moments(self, x: Tensor, axes: Sequence[int], mask: Tensor | None) -> tuple[Tensor, Tensor]:
        if mask is None:
            return moments(x, list(axes))
        counts = cast(mask, x.dtype)
        for _ in range(len(x.shape) - len(mask.shape)):
            counts = counts[..., None]
        total = reduce_sum(counts * ones_like(x), axes)
        mean = reduce_sum(x * counts, axes) / total
        return mean, reduce_sum(m.square(x - mean) * counts, axes) / total


class LayerNormalization(_Scaled):
    """``(x - mean) / sqrt(variance + epsilon) * gamma + beta``, with mean and variance of each example.

    Args:
      axis: the axis that is normalised, or several; the last one by default.
      epsilon: a small number that keeps away from divisions by 0.
      center, scale: whether there is a beta, and a gamma.
      rms_scaling: whether the mean is left where it is: ``x / sqrt(variance + epsilon) * gamma``, without a beta.
      beta_initializer, gamma_initializer: what makes their first values.
      beta_regularizer, gamma_regularizer: what makes losses of them.
      beta_constraint, gamma_constraint: what is made of them after each step of an optimizer.
      kwargs: the options of `Layer`.

    >>> layer = tf.keras.layers.LayerNormalization()
    >>> print(layer(tf.constant([[1.0, 3.0], [10.0, 30.0]])).numpy().round(2))
    [[-1.  1.]
     [-1.  1.]]
    """

    def __init__(
        self,
        axis: int | Sequence[int] = -1,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        rms_scaling: bool = False,
        beta_initializer: InitializerLike = "zeros",
        gamma_initializer: InitializerLike = "ones",
        beta_regularizer: RegularizerLike = None,
        gamma_regularizer: RegularizerLike = None,
        beta_constraint: ConstraintLike = None,
        gamma_constraint: ConstraintLike = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.axis = list(axis) if isinstance(axis, Sequence) else int(axis)
        self.epsilon, self.center, self.scale, self.rms_scaling = epsilon, center, scale, rms_scaling
        self._keep(
            {
                "beta_initializer": beta_initializer,
                "gamma_initializer": gamma_initializer,
                "beta_regularizer": beta_regularizer,
                "gamma_regularizer": gamma_regularizer,
                "beta_constraint": beta_constraint,
                "gamma_constraint": gamma_constraint,
            }
        )
        self.supports_masking = True

    def _axes(self, rank: int) -> list[int]:
        return sorted(axis_of(a, rank) for a in (self.axis if isinstance(self.axis, list) else [self.axis]))

    def build(self, input_shape: Structure) -> None:
        """Make gamma and beta.

        Args:
          input_shape: the shape of the inputs; the sizes of the axes must be known.
        """
        dims = as_shape(input_shape)
        self._add_scale([last_of(dims, self, axis) for axis in self._axes(len(dims))])

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, normalised.

        Args:
          inputs: a tensor of rank 1 or more.
        Returns: a tensor of its shape.
        """
        x = self._float(inputs)
        sizes = x.shape.as_list()
        axes = self._axes(len(sizes))
        mean, variance = moments(x, axes, keepdims=True)
        made = (x if self.rms_scaling else x - mean) / m.sqrt(variance + self.epsilon)
        dims = [1 if i not in axes else -1 if size is None else size for i, size in enumerate(sizes)]
        if self.gamma is not None:
            made = made * reshape(self.gamma, dims)
        return made if self.beta is None else made + reshape(self.beta, dims)


class GroupNormalization(_Scaled):
    """Normalisation of each example, by groups of channels.

    Args:
      groups: how many groups there are; -1 for one for each channel.
      axis: the axis of the channels.
      epsilon: a small number that keeps away from divisions by 0.
      center, scale: whether there is a beta, and a gamma.
      beta_initializer, gamma_initializer: what makes their first values.
      beta_regularizer, gamma_regularizer: what makes losses of them.
      beta_constraint, gamma_constraint: what is made of them after each step of an optimizer.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the groups do not divide the channels.

    >>> layer = tf.keras.layers.GroupNormalization(groups=2)
    >>> print(layer(tf.constant([[1.0, 3.0, 10.0, 30.0]])).numpy().round(2))
    [[-1.  1. -1.  1.]]
    """

    def __init__(
        self,
        groups: int = 32,
        axis: int = -1,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: InitializerLike = "zeros",
        gamma_initializer: InitializerLike = "ones",
        beta_regularizer: RegularizerLike = None,
        gamma_regularizer: RegularizerLike = None,
        beta_constraint: ConstraintLike = None,
        gamma_constraint: ConstraintLike = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.groups, self.axis, self.epsilon, self.center, self.scale = groups, int(axis), epsilon, center, scale
        self._keep(
            {
                "beta_initializer": beta_initializer,
                "gamma_initializer": gamma_initializer,
                "beta_regularizer": beta_regularizer,
                "gamma_regularizer": gamma_regularizer,
                "beta_constraint": beta_constraint,
                "gamma_constraint": gamma_constraint,
            }
        )
        self.supports_masking = True

    def build(self, input_shape: Structure) -> None:
        """Make gamma and beta.

        Args:
          input_shape: the shape of the inputs; the number of channels must be known.
        """
        channels = last_of(input_shape, self, self.axis)
        count = channels if self.groups == -1 else self.groups
        if count < 1 or channels % count:
            raise ValueError(f"layer '{self.name}' has {self.groups} groups, which do not divide {channels} channels")
        self._count, self._channels = count, channels
        self._add_scale([channels])

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, normalised.

        Args:
          inputs: a tensor of shape [batch, ..., channels], or with the channels at the axis.
        Returns: a tensor of its shape.
        """
        x = self._float(inputs)
        sizes = sizes_of(x)
        axis = axis_of(self.axis, len(sizes))
        grouped = reshape(x, [*sizes[:axis], self._count, self._channels // self._count, *sizes[axis + 1 :]])
        mean, variance = moments(grouped, [i for i in range(1, len(sizes) + 1) if i != axis], keepdims=True)
        made = reshape((grouped - mean) / m.sqrt(variance + self.epsilon), sizes)
        dims = [self._channels if i == axis else 1 for i in range(len(sizes))]
        if self.gamma is not None:
            made = made * reshape(self.gamma, dims)
        return made if self.beta is None else made + reshape(self.beta, dims)


class RMSNormalization(Layer):
    """``x / sqrt(mean(x ** 2) + epsilon) * scale``, along an axis or several.

    Args:
      axis: the axis, or several.
      epsilon: a small number that keeps away from divisions by 0.
      kwargs: the options of `Layer`.

    >>> print(tf.keras.layers.RMSNormalization()(tf.constant([[3.0, 4.0]])).numpy().round(2))
    [[0.85 1.13]]
    """

    def __init__(self, axis: int | Sequence[int] = -1, epsilon: float = 1e-6, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.axis = list(axis) if isinstance(axis, Sequence) else int(axis)
        self.epsilon = epsilon

    def _axes(self, rank: int) -> list[int]:
        return sorted(axis_of(a, rank) for a in (self.axis if isinstance(self.axis, list) else [self.axis]))

    def build(self, input_shape: Structure) -> None:
        """Make the scale.

        Args:
          input_shape: the shape of the inputs; the sizes of the axes must be known.
        """
        dims = as_shape(input_shape)
        self.scale = self.add_weight(
            [last_of(dims, self, axis) for axis in self._axes(len(dims))], "ones", name="scale"
        )

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, normalised.

        Args:
          inputs: a tensor of rank 1 or more.
        Returns: a tensor of its shape.
        """
        x = self._float(inputs)
        sizes = x.shape.as_list()
        axes = self._axes(len(sizes))
        made = x / m.sqrt(reduce_mean(m.square(x), axes, keepdims=True) + self.epsilon)
        own = iter([size or 0 for size in self.scale.shape.as_list()])
        return made * reshape(self.scale, [next(own) if i in axes else 1 for i in range(len(sizes))])


class UnitNormalization(Layer):
    """Vectors of length 1.

    Args:
      axis: the axis along which they lie, or several.
      kwargs: the options of `Layer`.

    >>> print(tf.keras.layers.UnitNormalization()(tf.constant([[3.0, 4.0]])))
    tf.Tensor([[0.6 0.8]], shape=(1, 2), dtype=float32)
    """

    def __init__(self, axis: int | Sequence[int] = -1, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.axis = axis
        self.supports_masking = True

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, as long as 1.

        Args:
          inputs: a tensor of rank 1 or more.
        Returns: a tensor of its shape.
        """
        return l2_normalize(self._float(inputs), self.axis)
