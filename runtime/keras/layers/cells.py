"""Cells of recurrent networks: one step each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

import numpy as np

from runtime.graph.dtypes import NumPyArray
from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.activations import Activation
from runtime.keras.layers.dense import last_of, positive
from runtime.keras.layers.kinds import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.shapes import as_shape
from runtime.tensors import nest
from runtime.tensors.making import ones, zeros
from runtime.tensors.normalisation import dropout as dropped
from runtime.tensors.products import matmul
from runtime.tensors.shaping import shape, split
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, SizeLike, Structure, TensorLike
from runtime.tensors.variables import Variable

OPTIONS = """
      activation: what makes the outputs, a function or its name.
      use_bias: whether a bias is added.
      kernel_initializer, recurrent_initializer, bias_initializer: what makes the first values.
      kernel_regularizer, recurrent_regularizer, bias_regularizer: what makes losses of the weights.
      kernel_constraint, recurrent_constraint, bias_constraint: what is made of them after each step of an optimizer.
      dropout, recurrent_dropout: how likely features of the inputs, and of the state, become 0 in training; the same
        ones at all steps.
      seed: what decides which ones.
      kwargs: the options of `Layer`.
""".rstrip()


class Cell(Layer):
    """What the cells share: products of the inputs and of the state, and dropout of both."""

    parts = 1  # how many gates there are
    states = 1

    def __init__(
        self,
        units: int,
        activation: ActivationLike,
        use_bias: bool,
        kernel_initializer: InitializerLike,
        recurrent_initializer: InitializerLike,
        bias_initializer: InitializerLike,
        kernel_regularizer: RegularizerLike,
        recurrent_regularizer: RegularizerLike,
        bias_regularizer: RegularizerLike,
        kernel_constraint: ConstraintLike,
        recurrent_constraint: ConstraintLike,
        bias_constraint: ConstraintLike,
        dropout: float,
        recurrent_dropout: float,
        seed: int | None,
        options: Options,
    ) -> None:
        super().__init__(**options)
        self.units = positive(units, "units", type(self).__name__)
        self.activation: Activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer: Callable[..., TensorLike] | None = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.recurrent_constraint = constraints.get(recurrent_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        for what, rate in (("dropout", dropout), ("recurrent_dropout", recurrent_dropout)):
            if not 0 <= rate < 1:
                raise ValueError(f"{type(self).__name__} with {what}={rate!r}: it is a number from 0 to 1, and not 1")
        self.dropout, self.recurrent_dropout, self.seed = dropout, recurrent_dropout, seed
        self.bias: Variable | None = None

    @property
    def state_size(self) -> int | list[int]:
        """The size of the state, or a list of the sizes of several.

        >>> tf.keras.layers.LSTMCell(3).state_size
        [3, 3]
        """
        return self.units if self.states == 1 else [self.units] * self.states

    @property
    def output_size(self) -> int:
        """The size of the output.

        >>> tf.keras.layers.GRUCell(3).output_size
        3
        """
        return self.units

    def build(self, input_shape: Structure) -> None:
        """Make the weights.

        Args:
          input_shape: the shape of the inputs of one step, [batch, features].
        """
        width = self.parts * self.units
        self.kernel = self.add_weight(
            (last_of(input_shape, self), width), self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            (self.units, width), self.recurrent_initializer, name="recurrent_kernel",
            regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint,
        )  # fmt: skip
        if self.use_bias:
            self.bias = self.add_weight(
                self._bias_shape(), self._first_bias(), name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    def _bias_shape(self) -> tuple[int, ...]:
        return (self.parts * self.units,)

    def _first_bias(self) -> Callable[..., TensorLike] | None:
        return self.bias_initializer

    def get_initial_state(self, batch_size: int | Tensor | None = None) -> list[Tensor]:
        """Zeros, for the first step.

        Args:
          batch_size: how many examples there are.
        Returns: a list of tensors of shape [batch_size, units].

        >>> [s.shape for s in tf.keras.layers.LSTMCell(3).get_initial_state(2)]
        [TensorShape([2, 3]), TensorShape([2, 3])]
        """
        return [
            zeros([1 if batch_size is None else batch_size, self.units], self.compute_dtype) for _ in range(self.states)
        ]

    def _drawn(
        self, batch: SizeLike, features: Any, training: bool | Tensor | None
    ) -> tuple[Tensor | None, Tensor | None]:
        """What inputs and state are multiplied by in training."""
        if not training:
            return None, None
        seeds = (None, None) if self.seed is None else (self.seed, self.seed + 1)
        sizes = ((self.dropout, features, seeds[0]), (self.recurrent_dropout, self.units, seeds[1]))
        some = [
            dropped(ones([batch, n], self.compute_dtype), rate, seed=seed) if rate else None for rate, n, seed in sizes
        ]
        return some[0], some[1]

    def _projected(self, inputs: Tensor, mask: Tensor | None) -> Tensor:
        """The part of the inputs in what the gates are made of: for one step, or for all of them at once."""
        x = self._float(inputs)
        if mask is not None:
            x = x * (mask if len(x.shape) == 2 else mask[:, None])
        made = matmul(x, self.kernel)
        bias = self._input_bias()
        return made if bias is None else made + bias

    def _input_bias(self) -> Tensor | Variable | None:
        return self.bias

    def _step(self, part: Tensor, states: Sequence[Tensor], mask: Tensor | None) -> tuple[Tensor, list[Tensor]]:
        """The output and the next states, of the part of the inputs."""
        raise NotImplementedError

    def call(
        self, inputs: Tensor, states: Structure, training: bool | Tensor | None = False
    ) -> tuple[Tensor, Structure]:
        """One step.

        Args:
          inputs: a tensor of shape [batch, features].
          states: the states, of shape [batch, units], as `get_initial_state` gives them.
          training: whether it is training.
        Returns: the output, of shape [batch, units], and the next states.
        """
        several = isinstance(states, list | tuple)
        first, second = self._drawn(shape(inputs)[0], shape(inputs)[1], training)
        output, new = self._step(self._projected(inputs, first), list(states) if several else [states], second)
        return output, new if several else new[0]


class SimpleRNNCell(Cell):
    __doc__ = f"""One step of a `SimpleRNN`: ``activation(inputs @ kernel + state @ recurrent_kernel + bias)``.

    Args:
      units: the size of the output and of the state.{OPTIONS}
    Raises:
      ValueError: for numbers out of their range.

    >>> cell = tf.keras.layers.SimpleRNNCell(4)
    >>> output, states = cell(tf.ones([2, 3]), cell.get_initial_state(2))
    >>> output.shape
    TensorShape([2, 4])
    """

    def __init__(
        self,
        units: int,
        activation: ActivationLike = "tanh",
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        recurrent_initializer: InitializerLike = "orthogonal",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        recurrent_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint,
            bias_constraint, dropout, recurrent_dropout, seed, kwargs,
        )  # fmt: skip

    def _step(self, part: Tensor, states: Sequence[Tensor], mask: Tensor | None) -> tuple[Tensor, list[Tensor]]:
        """The output and the next state, of the part of the inputs."""
        before = states[0] if mask is None else states[0] * mask
        output = self.activation(part + matmul(before, self.recurrent_kernel))
        return output, [output]


class LSTMCell(Cell):
    __doc__ = f"""One step of an `LSTM`, with the gates in the order input, forget, candidate, output.

    Args:
      units: the size of the output and of each of the two states.{OPTIONS}
      recurrent_activation: what makes the gates, a function or its name.
      unit_forget_bias: whether the bias of the forget gate begins with ones.
    Raises:
      ValueError: for numbers out of their range.

    >>> cell = tf.keras.layers.LSTMCell(4)
    >>> output, states = cell(tf.ones([2, 3]), cell.get_initial_state(2))
    >>> output.shape, len(states)
    (TensorShape([2, 4]), 2)
    """

    parts, states = 4, 2

    def __init__(
        self,
        units: int,
        activation: ActivationLike = "tanh",
        recurrent_activation: ActivationLike = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        recurrent_initializer: InitializerLike = "orthogonal",
        bias_initializer: InitializerLike = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: RegularizerLike = None,
        recurrent_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint,
            bias_constraint, dropout, recurrent_dropout, seed, kwargs,
        )  # fmt: skip
        self.recurrent_activation: Activation = activations.get(recurrent_activation)
        self.unit_forget_bias = unit_forget_bias

    def _first_bias(self) -> Callable[..., TensorLike] | None:
        start = self.bias_initializer
        if not self.unit_forget_bias or start is None:
            return start

        def first(shape: Sequence[int], dtype: DTypeLike | None = None) -> NumPyArray:
            values = np.array(np.asarray(start(shape, dtype=dtype)))
            values[self.units : 2 * self.units] = 1
            return values

        return first

    def _step(self, part: Tensor, states: Sequence[Tensor], mask: Tensor | None) -> tuple[Tensor, list[Tensor]]:
        """The output and the next states, of the part of the inputs."""
        before = states[0] if mask is None else states[0] * mask
        z = part + matmul(before, self.recurrent_kernel)
        into, forget, candidate, out = split(z, 4, axis=-1)
        gate = self.recurrent_activation
        carry = gate(forget) * states[1] + gate(into) * self.activation(candidate)
        output = gate(out) * self.activation(carry)
        return output, [output, carry]


class GRUCell(Cell):
    __doc__ = f"""One step of a `GRU`, with the gates in the order update, reset, candidate.

    Args:
      units: the size of the output and of the state.{OPTIONS}
      recurrent_activation: what makes the gates, a function or its name.
      reset_after: whether the reset gate applies after the product with the state, which has a bias of its own then.
    Raises:
      ValueError: for numbers out of their range.

    >>> cell = tf.keras.layers.GRUCell(4)
    >>> output, states = cell(tf.ones([2, 3]), cell.get_initial_state(2))
    >>> output.shape
    TensorShape([2, 4])
    """

    parts = 3

    def __init__(
        self,
        units: int,
        activation: ActivationLike = "tanh",
        recurrent_activation: ActivationLike = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        recurrent_initializer: InitializerLike = "orthogonal",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        recurrent_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        reset_after: bool = True,
        seed: int | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint,
            bias_constraint, dropout, recurrent_dropout, seed, kwargs,
        )  # fmt: skip
        self.recurrent_activation: Activation = activations.get(recurrent_activation)
        self.reset_after = reset_after

    def _bias_shape(self) -> tuple[int, ...]:
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def _input_bias(self) -> Tensor | Variable | None:
        return self.bias[0] if self.reset_after and self.bias is not None else self.bias

    def _step(self, part: Tensor, states: Sequence[Tensor], mask: Tensor | None) -> tuple[Tensor, list[Tensor]]:
        """The output and the next state, of the part of the inputs."""
        old = states[0]
        before = old if mask is None else old * mask
        update, reset, candidate = split(part, 3, axis=-1)
        gate = self.recurrent_activation
        if self.reset_after:
            inner = matmul(before, self.recurrent_kernel)
            if self.bias is not None:
                inner = inner + self.bias[1]
            inner_update, inner_reset, inner_candidate = split(inner, 3, axis=-1)
            z, r = gate(update + inner_update), gate(reset + inner_reset)
            new = self.activation(candidate + r * inner_candidate)
        else:
            kernel = self.recurrent_kernel.read_value()
            inner_update, inner_reset = split(matmul(before, kernel[:, : 2 * self.units]), 2, axis=-1)
            z, r = gate(update + inner_update), gate(reset + inner_reset)
            new = self.activation(candidate + matmul(r * before, kernel[:, 2 * self.units :]))
        output = z * old + (1.0 - z) * new
        return output, [output]


class StackedRNNCells(Layer):
    """Several cells as one: the output of each is the input of the next.

    Args:
      cells: the cells.
      kwargs: the options of `Layer`.

    >>> layers = tf.keras.layers
    >>> cell = layers.StackedRNNCells([layers.GRUCell(4), layers.LSTMCell(5)])
    >>> layers.RNN(cell)(tf.ones([2, 7, 3])).shape
    TensorShape([2, 5])
    """

    def __init__(self, cells: Sequence[Layer], **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.cells = list(cells)

    @property
    def state_size(self) -> list[Structure]:
        """The sizes of the states, a list with those of each cell.

        >>> tf.keras.layers.StackedRNNCells([tf.keras.layers.LSTMCell(5)]).state_size
        [[5, 5]]
        """
        return [cell.state_size for cell in self.cells]

    @property
    def output_size(self) -> Structure:
        """The size of the output of the last cell.

        >>> tf.keras.layers.StackedRNNCells([tf.keras.layers.LSTMCell(5)]).output_size
        5
        """
        return output_size(self.cells[-1])

    def build(self, input_shape: Structure) -> None:
        """Make the weights of all cells.

        Args:
          input_shape: the shape of the inputs of one step, [batch, features].
        """
        dims = as_shape(input_shape)
        for cell in self.cells:
            if not cell.built:
                cell.build(dims)
            dims = (*dims[:-1], output_size(cell))

    def call(
        self, inputs: Tensor, states: Structure, training: bool | Tensor | None = False
    ) -> tuple[Tensor, Structure]:
        """One step.

        Args:
          inputs: a tensor of shape [batch, features].
          states: a list of the states of each cell.
          training: whether it is training.
        Returns: the output of the last cell, and the next states.
        """
        new = []
        for cell, state in zip(self.cells, states, strict=True):
            several = nest.is_nested(cell.state_size)
            inputs, after = cell(inputs, state if several else [state])
            new.append(after if several else nest.flatten(after)[0])
        return inputs, new


def output_size(cell: Layer) -> Structure:
    """What a cell says of the size of its output, or else that of its first state."""
    known = getattr(cell, "output_size", None)
    return nest.flatten(cell.state_size)[0] if known is None else known
