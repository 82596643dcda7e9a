"""Layers of products: Dense, EinsumDense and Embedding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.activations import Activation
from runtime.keras.layers.input_spec import InputSpec
from runtime.keras.layers.kinds import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import LayerOptions, Options
from runtime.keras.shapes import ShapeGiven, as_shape, show
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast
from runtime.tensors.normalisation import embedding_lookup
from runtime.tensors.products import einsum, matmul, tensordot
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure, TensorLike


class Dense(Layer):
    """Products with a matrix: ``activation(inputs @ kernel + bias)``, along the last axis of the inputs.

    Args:
      units: the size of the last axis of the outputs.
      activation: a function or its name; nothing is done by default.
      use_bias: whether a bias is added.
      kernel_initializer, bias_initializer: what makes the first values.
      kernel_regularizer, bias_regularizer, activity_regularizer: what makes losses of the weights and the outputs.
      kernel_constraint, bias_constraint: what is made of the weights after each step of an optimizer.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if `units` is not positive, and for options that are not known.

    >>> layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
    >>> print(layer(tf.constant([[1.0, 2.0, 3.0]])))
    tf.Tensor([[6. 6.]], shape=(1, 2), dtype=float32)
    >>> [v.path for v in layer.weights]
    ['dense/kernel', 'dense/bias']
    """

    def __init__(
        self,
        units: int,
        activation: ActivationLike = None,
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.units = positive(units, "units", "Dense")
        self.activation: Activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.input_spec = InputSpec(min_ndim=2)
        self.supports_masking = True

    def build(self, input_shape: Structure) -> None:
        """Make kernel and bias.

        Args:
          input_shape: the shape of the inputs, [..., features]; the last dimension must be known.
        """
        features = last_of(input_shape, self)
        self.kernel = self.add_weight(
            (features, self.units), self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                (self.units,), self.bias_initializer, name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.input_spec = InputSpec(min_ndim=2, axes={-1: features})

    def call(self, inputs: Tensor, training: bool | None = None) -> Tensor:
        """``activation(inputs @ kernel + bias)``.

        Args:
          inputs: a tensor of shape [..., features].
        Returns: a tensor of shape [..., units].
        """
        x = self._float(inputs)
        kernel = self.kernel.read_value()
        made = matmul(x, kernel) if x.shape.rank == 2 else tensordot(x, kernel, 1)
        if self.bias is not None:
            made = made + self.bias
        return self.activation(made)


class EinsumDense(Layer):
    """Products along any axes, as `einsum` says it: ``activation(einsum(equation, inputs, kernel) + bias)``.

    Args:
      equation: as of `einsum`, of two operands: ``"abc,cd->abd"``, or with ``...`` for what stays.
      output_shape: the shape of the outputs without the batch, None for dimensions that are those of the inputs.
      activation: a function or its name; nothing is done by default.
      bias_axes: the letters of the outputs that the bias has; None for no bias.
      kernel_initializer, bias_initializer: what makes the first values.
      kernel_regularizer, bias_regularizer: what makes losses of the weights.
      kernel_constraint, bias_constraint: what is made of the weights after each step of an optimizer.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the equation does not fit the shapes.

    >>> layer = tf.keras.layers.EinsumDense("ab,bc->ac", output_shape=4, bias_axes="c")
    >>> layer(tf.ones([2, 3])).shape, layer.kernel.shape, layer.bias.shape
    (TensorShape([2, 4]), TensorShape([3, 4]), TensorShape([4]))
    """

    def __init__(
        self,
        equation: str,
        output_shape: int | Sequence[int | None],
        activation: ActivationLike = None,
        bias_axes: str | None = None,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.equation, self.bias_axes = equation.replace(" ", ""), bias_axes
        self.partial_output_shape = (output_shape,) if isinstance(output_shape, int) else as_shape(output_shape)
        self.activation: Activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)

    @property
    def output_shape(self) -> tuple[int | None, ...]:
        """The shape of the outputs without the batch, as it was given.

        >>> tf.keras.layers.EinsumDense("ab,bc->ac", output_shape=4).output_shape
        (4,)
        """
        return self.partial_output_shape

    def build(self, input_shape: Structure) -> None:
        """Make kernel and bias.

        Args:
          input_shape: the shape of the inputs.
        """
        kernel, bias = self._shapes(as_shape(input_shape))
        self.kernel = self.add_weight(
            kernel, self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if bias is not None:
            self.bias = self.add_weight(
                bias, self.bias_initializer, name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    def _shapes(self, input_shape: tuple[int | None, ...]) -> tuple[list[int], list[int] | None]:
        """The shapes of kernel and bias that the letters of the equation have."""
        given, _, result = self.equation.partition("->")
        first, comma, second = given.partition(",")
        if not comma or not result:
            raise ValueError(
                f"equation={self.equation!r}: it is as 'ab,bc->ac', of the inputs, the kernel and the outputs"
            )
        sizes: dict[str, int | None] = {}
        for letters, shape in ((first, input_shape), (result, (input_shape[0], *self.partial_output_shape))):
            head, dots, tail = letters.partition("...")
            pairs = [*zip(head, shape), *zip(reversed(tail), reversed(shape))] if dots else [*zip(letters, shape)]
            if len(shape) < len(head + tail) or (not dots and len(shape) != len(letters)):
                raise ValueError(f"equation={self.equation!r}: {letters!r} does not fit the shape {show(shape)}")
            for letter, size in pairs:
                sizes[letter] = size if sizes.get(letter) is None else sizes[letter]
        missing = [letter for letter in second if sizes.get(letter) is None]
        if missing:
            raise ValueError(
                f"equation={self.equation!r}: the size of {missing[0]!r} is known neither from the inputs "
                f"{show(input_shape)} nor from output_shape={self.partial_output_shape}"
            )
        kernel = [sizes[letter] or 0 for letter in second]
        if self.bias_axes is None:
            return kernel, None
        letters = result.replace("...", "")
        unknown = [letter for letter in self.bias_axes if letter not in letters]
        if unknown:
            raise ValueError(f"bias_axes={self.bias_axes!r}: {unknown[0]!r} is no axis of the outputs, {result!r}")
        begin = min(letters.index(letter) for letter in self.bias_axes)
        return kernel, [(sizes[c] or 0) if c in self.bias_axes else 1 for c in letters[begin:]]

    def call(self, inputs: Tensor, training: bool | None = None) -> Tensor:
        """``activation(einsum(equation, inputs, kernel) + bias)``.

        Args:
          inputs: a tensor of a shape that fits the equation.
        Returns: a tensor of the shape that it says.
        """
        contracted = _contracted(self.equation)
        x = self._float(inputs)
        made = tensordot(x, self.kernel, contracted) if contracted else einsum(self.equation, x, self.kernel)
        return self.activation(made if self.bias is None else made + self.bias)


def _contracted(equation: str) -> int:
    """How many axes are added along, where those at the end of the inputs meet the first ones of the kernel; else 0.

    >>> _contracted("abc,cde->abde"), _contracted("abcd,cde->abe"), _contracted("ab,ac->bc")
    (1, 2, 0)
    """
    given, _, result = equation.partition("->")
    inputs, _, kernel = given.partition(",")
    for count in range(1, min(len(inputs), len(kernel)) + 1):
        rest = inputs[:-count] + kernel[count:]
        if inputs[-count:] == kernel[:count] and rest == result and len({*inputs, *kernel}) == len(rest) + count:
            return count
    return 0


class Embedding(Layer):
    """Rows of a table by their numbers: words as vectors.

    Args:
      input_dim: how many rows the table has.
      output_dim: how long a row is.
      embeddings_initializer: what makes the first table.
      embeddings_regularizer, embeddings_constraint: what makes a loss of it, and what is made of it after each step.
      mask_zero: whether the number 0 stands for nothing: the outputs bear a mask then, which layers over time heed.
      weights: a first table, of shape [input_dim, output_dim].
      input_length: accepted, of older programs; sequences may have any length.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if a size is not positive.

    >>> layer = tf.keras.layers.Embedding(10, 3)
    >>> layer(tf.constant([[1, 2, 3, 4]])).shape
    TensorShape([1, 4, 3])
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: InitializerLike = "random_uniform",
        embeddings_regularizer: RegularizerLike = None,
        embeddings_constraint: ConstraintLike = None,
        mask_zero: bool = False,
        weights: TensorLike | None = None,
        input_length: int | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.input_dim = positive(input_dim, "input_dim", "Embedding")
        self.output_dim = positive(output_dim, "output_dim", "Embedding")
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.mask_zero = self.supports_masking = mask_zero
        if weights is not None:
            self.build()
            self.set_weights(weights if isinstance(weights, list) and len(weights) == 1 else [weights])

    def build(self, input_shape: Structure = None) -> None:
        """Make the table.

        Args:
          input_shape: any shape; the table does not depend on it.
        """
        if self.built:  # with the first table
            return
        self.embeddings = self.add_weight(
            (self.input_dim, self.output_dim), self.embeddings_initializer, name="embeddings",
            regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint,
        )  # fmt: skip

    def _argument(self, name: str) -> object:
        return None if name in ("weights", "input_length") else super()._argument(name)

    def call(self, inputs: Tensor) -> Tensor:
        """The rows with these numbers.

        Args:
          inputs: whole numbers, of any shape.
        Returns: a tensor of that shape, then [output_dim].
        """
        numbers = inputs if inputs.dtype.is_integer else cast(inputs, "int32")
        return embedding_lookup(self.embeddings, numbers)

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """Which of the numbers are not 0; None without `mask_zero`.

        Args:
          inputs: whole numbers, of any shape.
          previous_mask: not used.
        Returns: a tensor of booleans of the same shape, or None.
        """
        return m.not_equal(inputs, 0) if self.mask_zero else None


def positive(value: object, what: str, owner: str) -> int:
    """A whole number of at least 1."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or int(value) < 1:
        raise ValueError(f"{owner} with {what}={value!r}: it is a whole number of at least 1")
    return int(value)


def last_of(shape: ShapeGiven, layer: Layer, axis: int = -1) -> int:
    """The size of the axis of the channels, which must be known."""
    dims = as_shape(shape)
    size = dims[axis] if -len(dims) <= axis < len(dims) else None
    if size is None:
        raise ValueError(
            f"layer '{layer.name}' ({type(layer).__name__}) makes its weights by the size of axis {axis} of its "
            f"inputs, which is not known: their shape is {show(dims)}. Use inputs of a known size there (keras.Input, "
            "tf.ensure_shape), or call build(input_shape) with it."
        )
    return size
