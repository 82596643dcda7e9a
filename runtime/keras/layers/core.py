"""Layers without weights that call functions: Activation, Lambda, and activations as layers; Identity, Masking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from autograph.operators.calls import call
from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.custom_objects import by_its_own_name, custom
from runtime.keras.layers.dense import last_of
from runtime.keras.layers.kinds import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.shapes import as_shape
from runtime.tensors import mathematics as m
from runtime.tensors.activations import relu
from runtime.tensors.conversion import cast
from runtime.tensors.making import zeros_like
from runtime.tensors.reductions import reduce_any
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure


class Activation(Layer):
    """A function, element by element or along the last axis.

    Args:
      activation: the function or its name.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if there is no such activation.

    >>> print(tf.keras.layers.Activation("relu")(tf.constant([-1.0, 2.0])))
    tf.Tensor([0. 2.], shape=(2,), dtype=float32)
    """

    def __init__(self, activation: ActivationLike, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True
        self.activation: Callable[..., Tensor] = activations.get(activation)

    def call(self, inputs: Tensor) -> Tensor:
        """``activation(inputs)``.

        Args:
          inputs: a tensor of any shape.
        Returns: a tensor of its shape.
        """
        made: Tensor = call(self.activation, inputs)
        return made


class ReLU(Layer):
    """``max(x, 0)``, element by element.

    Args:
      max_value: the greatest result; None for any.
      negative_slope: the slope for elements below `threshold`.
      threshold: below it elements count as negative.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for numbers below 0.

    >>> print(tf.keras.layers.ReLU(max_value=6.0)(tf.constant([-1.0, 9.0])))
    tf.Tensor([0. 6.], shape=(2,), dtype=float32)
    """

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        given = {"max_value": max_value, "negative_slope": negative_slope, "threshold": threshold}
        for what, value in given.items():
            if value is None and what == "max_value":
                continue
            if value is None or value < 0:
                raise ValueError(f"ReLU with {what}={value!r}: it is a number of at least 0")
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold
        self.supports_masking = True

    def call(self, inputs: Tensor) -> Tensor:
        """``max(inputs, 0)``.

        Args:
          inputs: a tensor of any shape.
        Returns: a tensor of its shape.
        """
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """Positive elements as they are, the others times a slope.

    Args:
      negative_slope: the slope.
      alpha: its older name.
      kwargs: the options of `Layer`.

    >>> print(tf.keras.layers.LeakyReLU(0.5)(tf.constant([-1.0, 9.0])))
    tf.Tensor([-0.5  9. ], shape=(2,), dtype=float32)
    """

    def __init__(self, negative_slope: float = 0.3, alpha: float | None = None, **kwargs: Unpack[Options]) -> None:
        negative_slope = negative_slope if alpha is None else alpha
        super().__init__(**kwargs)
        if negative_slope is None or negative_slope < 0:
            raise ValueError(f"LeakyReLU with negative_slope={negative_slope!r}: it is a number of at least 0")
        self.negative_slope, self.alpha = negative_slope, None
        self.supports_masking = True

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, negative ones times the slope.

        Args:
          inputs: a tensor of any shape.
        Returns: a tensor of its shape.
        """
        return activations.leaky_relu(inputs, self.negative_slope)


class PReLU(Layer):
    """Positive elements as they are, the others times slopes that are learned.

    Args:
      alpha_initializer: what makes the first slopes.
      alpha_regularizer, alpha_constraint: what makes a loss of them, and what is made of them after each step.
      shared_axes: the axes along which there is one slope, counted with the batch.
      kwargs: the options of `Layer`.

    >>> print(tf.keras.layers.PReLU(alpha_initializer="ones")(tf.constant([[-1.0, 9.0]])))
    tf.Tensor([[-1.  9.]], shape=(1, 2), dtype=float32)
    """

    def __init__(
        self,
        alpha_initializer: InitializerLike = "Zeros",
        alpha_regularizer: RegularizerLike = None,
        alpha_constraint: ConstraintLike = None,
        shared_axes: Sequence[int] | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.alpha_initializer = initializers.get(alpha_initializer)
        self.alpha_regularizer = regularizers.get(alpha_regularizer)
        self.alpha_constraint = constraints.get(alpha_constraint)
        self.shared_axes = None if shared_axes is None else [a for a in as_shape(shared_axes) if a is not None]
        self.supports_masking = True

    def build(self, input_shape: Structure) -> None:
        """Make the slopes.

        Args:
          input_shape: the shape of the inputs; what is not shared must be known.
        """
        rank = len(as_shape(input_shape))
        shape = [1 if a in (self.shared_axes or ()) else last_of(input_shape, self, a) for a in range(1, rank)]
        self.alpha = self.add_weight(
            shape, self.alpha_initializer, name="alpha",
            regularizer=self.alpha_regularizer, constraint=self.alpha_constraint,
        )  # fmt: skip

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, negative ones times their slopes.

        Args:
          inputs: a tensor of any shape.
        Returns: a tensor of its shape.
        """
        return relu(inputs) - self.alpha.read_value() * relu(-inputs)


class ELU(Layer):
    """Positive elements as they are, and ``alpha * (exp(x) - 1)`` for the others.

    Args:
      alpha: what large negative elements approach, with its sign changed.
      kwargs: the options of `Layer`.

    >>> print(tf.keras.layers.ELU(alpha=2.0)(tf.constant([-100.0, 9.0])))
    tf.Tensor([-2.  9.], shape=(2,), dtype=float32)
    """

    def __init__(self, alpha: float = 1.0, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.alpha = alpha
        self.supports_masking = True

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, negative ones bent.

        Args:
          inputs: a tensor of any shape.
        Returns: a tensor of its shape.
        """
        return activations.elu(inputs, self.alpha)


class Softmax(Layer):
    """``exp(x) / sum(exp(x))`` along an axis.

    Args:
      axis: the axis, the last by default, or several.
      kwargs: the options of `Layer`.

    >>> layer = tf.keras.layers.Softmax()
    >>> print(layer(tf.constant([[1.0, 1.0, 5.0]]), mask=tf.constant([[True, True, False]])))
    tf.Tensor([[0.5 0.5 0. ]], shape=(1, 3), dtype=float32)
    """

    def __init__(self, axis: int | Sequence[int] = -1, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.axis = axis
        self.supports_masking = True

    def call(self, inputs: Tensor, mask: Tensor | None = None) -> Tensor:
        """The probabilities.

        Args:
          inputs: a tensor of rank 1 or more.
          mask: which elements take part, of booleans and of the shape of `inputs`.
        Returns: a tensor of its shape.
        """
        return masked_softmax(inputs, mask, self.axis)


def masked_softmax(x: Tensor, mask: Tensor | None, axis: int | Sequence[int] = -1, all_alike: bool = False) -> Tensor:
    """The softmax of the elements that a mask has, the others are 0; where it has none along the axis, all are 0, or,
    if they are to be `all_alike`, as if it had all and they were equal."""
    if mask is None:
        return activations.softmax(x, axis)
    made = activations.softmax(m.where(mask, x, x.dtype.min / 2), axis)  # half: differences from it are finite
    return made if all_alike else m.where(mask, made, zeros_like(made))


class Lambda(Layer):
    """A function as a layer.

    Args:
      function: takes the inputs, and `mask` and `training` if it has such parameters.
      output_shape: accepted; the shape of the outputs is found by itself.
      mask: the mask of the outputs, or a function of inputs and mask that gives it.
      arguments: what else the function is given, by the names of its parameters.
      kwargs: the options of `Layer`.

    >>> layer = tf.keras.layers.Lambda(lambda x: x ** 2)
    >>> print(layer(tf.constant([1.0, 3.0])))
    tf.Tensor([1. 9.], shape=(2,), dtype=float32)
    """

    def __init__(
        self,
        function: Callable[..., Structure],
        output_shape: int | Sequence[int | None] | None = None,
        mask: object = None,
        arguments: Mapping[str, object] | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        if not callable(function):
            raise ValueError(f"Lambda of {function!r}: it is a function")
        self.function, self.arguments, self.mask = function, dict(arguments or {}), mask
        self.supports_masking = mask is not None

    def call(self, inputs: Structure, mask: Tensor | None = None, training: bool | None = None) -> Structure:
        """What the function makes of the inputs.

        Args:
          inputs: what it takes.
        Returns: what it gives.
        """
        code = getattr(self.function, "__code__", None)
        names = () if code is None else code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        more = {name: value for name, value in (("mask", mask), ("training", training)) if name in names}
        return call(self.function, inputs, **{**more, **self.arguments})

    def compute_mask(self, inputs: Structure, previous_mask: Structure) -> Structure:
        """The mask that the layer was given.

        Args:
          inputs: the inputs.
          previous_mask: their mask.
        Returns: the mask of the outputs.
        """
        return call(self.mask, inputs, previous_mask) if callable(self.mask) else self.mask

    @classmethod
    def from_config(cls, config: Mapping[str, Structure]) -> Lambda:
        """A layer as `get_config` describes it.

        Args:
          config: the configuration.
        Raises:
          ValueError: if the name of the function is not known.

        >>> @tf.keras.saving.register_keras_serializable()
        ... def half(x):
        ...     return x / 2
        >>> layer = tf.keras.layers.Lambda.from_config(tf.keras.layers.Lambda(half).get_config())
        >>> print(layer(tf.constant([3.0])))
        tf.Tensor([1.5], shape=(1,), dtype=float32)
        """
        known: dict[str, Any] = dict(config)
        for name in ("function", "mask"):
            if isinstance(known[name], str):
                found = custom(known[name], known[name]) or by_its_own_name(known[name])
                if found is None:
                    raise ValueError(
                        f"Lambda of the function {known[name]!r}, which is not known: give it as custom_objects="
                        f"{{{known[name]!r}: {known[name]}}}, or register it by "
                        "@keras.saving.register_keras_serializable()"
                    )
                known[name] = found
        return cls(**known)


class Identity(Layer):
    """The inputs as they are.

    Args:
      kwargs: the options of `Layer`.

    >>> print(tf.keras.layers.Identity()(tf.constant([1.0])))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """

    def __init__(self, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, inputs: Structure) -> Structure:
        """The inputs.

        Args:
          inputs: any structure of tensors.
        Returns: the same.
        """
        return inputs


class Masking(Layer):
    """A mask for sequences: steps at which all features have one value do not count.

    Args:
      mask_value: the value.
      kwargs: the options of `Layer`.

    >>> x = tf.constant([[[1.0], [2.0], [0.0]]])
    >>> layer = tf.keras.Sequential([tf.keras.layers.Masking(), tf.keras.layers.SimpleRNN(1)])
    >>> bool(tf.reduce_all(layer(x) == layer(x[:, :2])))
    True
    """

    def __init__(self, mask_value: float = 0.0, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.mask_value = mask_value
        self.supports_masking = True

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """Which steps count.

        Args:
          inputs: sequences, of shape [batch, time, features].
          previous_mask: not used.
        Returns: a tensor of booleans of shape [batch, time].
        """
        return reduce_any(m.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, with zeros where a step does not count.

        Args:
          inputs: sequences, of shape [batch, time, features].
        Returns: a tensor of its shape.
        """
        counts = reduce_any(m.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        return inputs * cast(counts, inputs.dtype)
