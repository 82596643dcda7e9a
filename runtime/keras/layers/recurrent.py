"""Recurrent layers: cells applied step by step, along the time of sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, Unpack

from autograph.operators.calls import call
from runtime.control import while_loop
from runtime.graph.dtypes import as_dtype
from runtime.keras.layers.cells import OPTIONS, Cell, GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells, output_size
from runtime.keras.layers.input_spec import InputSpec
from runtime.keras.layers.kinds import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import LayerOptions, Options
from runtime.keras.shapes import as_shape
from runtime.keras.weights import Placed
from runtime.tensors import mathematics as m, nest
from runtime.tensors.arrays import TensorArray
from runtime.tensors.conversion import constant
from runtime.tensors.making import zeros, zeros_like
from runtime.tensors.scopes import name_scope
from runtime.tensors.shaping import ensure_shape, shape, stack, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import SizeLike, Structure
from runtime.tensors.variables import Variable

_OPTIONS = """
      return_sequences: whether the outputs of all steps are given, rather than the last one.
      return_state: whether the last states are given after the outputs.
      go_backwards: whether it begins with the last step.
      stateful: whether each batch goes on with the states that the one before has left.
      unroll: whether the steps are written one after the other into a graph, rather than as a loop; their number must
        be known.
""".rstrip()


# What a step makes of its inputs and of the states: an output, and the next states.
Step: TypeAlias = "Callable[[Tensor, list[Structure]], tuple[Tensor, list[Structure]]]"


class RNN(Layer):
    __doc__ = f"""A cell applied to sequences, step by step; where a mask does not count a step, the states stay.

    Args:
      cell: a layer whose ``call(inputs, states)`` gives an output and the next states, with a `state_size`; or a list
        of several, which run one after another at each step.{_OPTIONS}
      zero_output_for_mask: whether steps that do not count give zeros, rather than the output before.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the cell is none.

    >>> layer = tf.keras.layers.RNN(tf.keras.layers.LSTMCell(4), return_sequences=True)
    >>> layer(tf.ones([2, 7, 3])).shape
    TensorShape([2, 7, 4])
    """

    def __init__(
        self,
        cell: Structure,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        zero_output_for_mask: bool = False,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        if isinstance(cell, list | tuple):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call") or not hasattr(cell, "state_size"):
            raise ValueError(
                f"RNN of {cell!r}: a cell has a method call(inputs, states) that gives an output and the next states, "
                "and a state_size"
            )
        self.cell = cell
        self.return_sequences, self.return_state, self.go_backwards = return_sequences, return_state, go_backwards
        self.stateful, self.unroll, self.zero_output_for_mask = stateful, unroll, zero_output_for_mask
        self.states: list[Variable] | None = None
        self.supports_masking = True
        self.input_spec = InputSpec(ndim=3) if isinstance(cell, Cell) else None

    _apart = Layer._apart | {"states"}  # which are no weights: they belong to the batches

    def build(self, sequences_shape: Structure, initial_state_shape: Structure = None) -> None:
        """Make the weights of the cell, and the states that last from batch to batch.

        Args:
          sequences_shape: the shape of the inputs, [batch, time, features].
          initial_state_shape: those of the first states.
        """
        dims = as_shape(sequences_shape)
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build((dims[0], *dims[2:]))
            self.cell.built = True
        if self.stateful:
            if dims[0] is None:
                raise ValueError(
                    f"layer '{self.name}' is stateful: the size of its batches must be known. Give it by "
                    "keras.Input(batch_shape=...), or build(input_shape)."
                )
            sizes = nest.flatten(self.cell.state_size)
            with name_scope(self._scope):
                self.states = [self._state(n, [dims[0], size]) for n, size in enumerate(sizes)]

    def _state(self, number: int, dims: list[int]) -> Variable:
        kind = as_dtype(self.dtype)
        return Placed(lambda: zeros(dims, kind), False, name=f"state_{number}", dtype=kind)

    def reset_states(self) -> None:
        """Have the next batch begin with zeros, where the layer is stateful.

        >>> layer = tf.keras.layers.GRU(4, stateful=True)
        >>> y = layer(tf.ones([2, 7, 3]))
        >>> layer.reset_states()
        >>> float(tf.reduce_sum(layer.states[0]))
        0.0
        """
        for state in self.states or ():
            state.assign(zeros_like(state))

    reset_state = reset_states

    def get_initial_state(self, batch_size: int | Tensor) -> Structure:
        """The states before the first step: what the cell says, or zeros.

        Args:
          batch_size: how many examples there are.
        Returns: tensors of shape [batch_size, size], as the `state_size` of the cell.

        >>> [s.shape for s in tf.keras.layers.LSTM(3).get_initial_state(2)]
        [TensorShape([2, 3]), TensorShape([2, 3])]
        """
        own = getattr(self.cell, "get_initial_state", None)
        if own is not None:
            return own(batch_size=batch_size)
        return nest.map_structure(lambda size: zeros([batch_size, size], self.compute_dtype), self._sizes())

    def _sizes(self) -> list[Structure]:
        sizes = self.cell.state_size
        return list(sizes) if isinstance(sizes, list | tuple) else [sizes]

    def call(
        self,
        sequences: Tensor,
        initial_state: Structure = None,
        mask: Tensor | None = None,
        training: bool | Tensor | None = False,
    ) -> Structure:
        """The outputs of the cell.

        Args:
          sequences: a tensor of shape [batch, time, features].
          initial_state: the states before the first step; zeros by default.
          mask: which steps count, of booleans and of shape [batch, time].
          training: whether it is training.
        Returns: a tensor of shape [batch, units], or [batch, time, units]; and the states where they are asked for.
        """
        sizes = sequences.shape.as_list()
        batch = shape(sequences)[0] if sizes[0] is None else sizes[0]
        count = shape(sequences)[1] if sizes[1] is None else sizes[1]
        if initial_state is None:
            initial_state = [v.read_value() for v in self.states] if self.states else self.get_initial_state(batch)
        start = list(initial_state) if isinstance(initial_state, list | tuple) else [initial_state]
        rows, step = self._prepared(sequences, batch, training)
        along = transpose(rows, [1, 0, *range(2, len(rows.shape))])
        counts = None if mask is None else transpose(mask, [1, 0])
        last, every, states = self._run(along, counts, count, start, step, batch)
        if self.states:
            for variable, value in zip(self.states, nest.flatten(states)):
                variable.assign(value)
        result = transpose(every, [1, 0, *range(2, len(every.shape))]) if every is not None else last
        return (result, *states) if self.return_state else result

    def _prepared(self, sequences: Tensor, batch: SizeLike, training: bool | Tensor | None) -> tuple[Tensor, Step]:
        """What a step is given, and what it does: the products of all inputs are one product."""
        cell = self.cell
        if isinstance(cell, Cell) and type(cell).call is Cell.call:
            features = sequences.shape.as_list()[-1]
            first, second = cell._drawn(batch, features, training)
            return cell._projected(sequences, first), lambda part, states: cell._step(part, states, second)
        options = {"training": training} if training and isinstance(cell, Layer) else {}

        def step(inputs: Tensor, states: list[Structure]) -> tuple[Tensor, list[Structure]]:
            output, new = call(cell, inputs, states, **options)
            return output, list(new) if isinstance(new, list | tuple) else [new]

        return sequences, step

    def _run(
        self,
        along: Tensor,
        counts: Tensor | None,
        count: int | Tensor,
        start: list[Structure],
        step: Step,
        batch: SizeLike,
    ) -> tuple[Tensor, Tensor | None, list[Structure]]:
        """The last output, all of them if they are asked for, and the last states."""
        size = output_size(self.cell)
        before = zeros([batch, *(size if isinstance(size, list | tuple) else [size])], self.compute_dtype)

        def one(index: int | Tensor, output: Tensor, states: list[Structure]) -> tuple[Tensor, list[Structure], Tensor]:
            at = count - 1 - index if self.go_backwards else index
            made, new = step(along[at], states)
            shown = made
            if counts is not None:
                wide = counts[at][:, None]
                new = nest.map_structure(lambda a, b: m.where(wide, a, b), new, states)
                shown = (
                    m.where(wide, made, zeros_like(made)) if self.zero_output_for_mask else m.where(wide, made, output)
                )
                made = m.where(wide, made, output)
            return made, new, shown

        if self.unroll:
            if not isinstance(count, int):
                raise ValueError(f"layer '{self.name}' is to be unrolled: the number of steps must be known")
            output, states, steps = before, start, []
            for index in range(count):
                output, states, shown = one(index, output, states)
                steps.append(shown)
            return output, stack(steps) if self.return_sequences else None, states

        arrays = [TensorArray(along.dtype, size=count)] if self.return_sequences else []

        def body(index: Tensor, output: Tensor, states: list[Structure], *kept: TensorArray) -> list[Structure]:
            made, new, shown = one(index, output, states)
            return [index + 1, made, new, *[array.write(index, shown) for array in kept]]

        done = while_loop(lambda index, *_: index < count, body, [constant(0), before, start, *arrays])
        every = done[3].stack() if self.return_sequences else None
        if every is not None and isinstance(count, int):
            every = ensure_shape(every, [count, *every.shape.as_list()[1:]])
        return done[1], every, done[2]

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """The mask of the sequences, where all outputs are given; there is none for the last one.

        Args:
          inputs: the inputs.
          previous_mask: their mask, of shape [batch, time].
        Returns: the mask, or None; a tuple where the states are given, too.
        """
        mask = nest.flatten(previous_mask)[0] if previous_mask is not None else None
        output = mask if self.return_sequences else None
        return (output, *[None] * len(nest.flatten(self.cell.state_size))) if self.return_state else output


class _OfCell(RNN):
    """What the layers share that make their own cell."""

    def __init__(self, cell: Cell, options: LayerOptions, activity_regularizer: RegularizerLike, **own: Any) -> None:
        super().__init__(cell, activity_regularizer=activity_regularizer, **own, **options)

    _of_cell = frozenset(
        """
        units activation recurrent_activation use_bias kernel_initializer recurrent_initializer bias_initializer
        unit_forget_bias kernel_regularizer recurrent_regularizer bias_regularizer kernel_constraint
        recurrent_constraint bias_constraint dropout recurrent_dropout seed reset_after
        """.split()
    )

    def __getattr__(self, name: str) -> Any:
        if name in self._of_cell and "cell" in self.__dict__:
            return getattr(self.cell, name)
        return super().__getattr__(name)

    def _argument(self, name: str) -> object:
        return getattr(self.cell, name) if name in self._of_cell else super()._argument(name)


class SimpleRNN(_OfCell):
    __doc__ = f"""A recurrent layer: ``state = activation(inputs @ kernel + state @ recurrent_kernel + bias)``.

    Args:
      units: the size of the outputs.{OPTIONS}{_OPTIONS}
      activity_regularizer: what makes a loss of the outputs.
    Raises:
      ValueError: for numbers out of their range.

    >>> tf.keras.layers.SimpleRNN(4)(tf.ones([2, 7, 3])).shape
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
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        seed: int | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        cell = SimpleRNNCell(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint,
            bias_constraint, dropout, recurrent_dropout, seed, dtype=kwargs.get("dtype"), name="simple_rnn_cell",
        )  # fmt: skip
        super().__init__(
            cell, kwargs, activity_regularizer, return_sequences=return_sequences, return_state=return_state,
            go_backwards=go_backwards, stateful=stateful, unroll=unroll,
        )  # fmt: skip


class LSTM(_OfCell):
    __doc__ = f"""Long short-term memory: a recurrent layer with gates and a second state, the carry.

    Args:
      units: the size of the outputs.{OPTIONS}{_OPTIONS}
      recurrent_activation: what makes the gates, a function or its name.
      unit_forget_bias: whether the bias of the forget gate begins with ones.
      activity_regularizer: what makes a loss of the outputs.
      use_cudnn: accepted; there is none.
    Raises:
      ValueError: for numbers out of their range.

    >>> outputs, state, carry = tf.keras.layers.LSTM(4, return_sequences=True, return_state=True)(tf.ones([2, 7, 3]))
    >>> outputs.shape, state.shape, carry.shape
    (TensorShape([2, 7, 4]), TensorShape([2, 4]), TensorShape([2, 4]))
    """

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
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        use_cudnn: bool | str = "auto",
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        cell = LSTMCell(
            units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, unit_forget_bias, kernel_regularizer, recurrent_regularizer, bias_regularizer,
            kernel_constraint, recurrent_constraint, bias_constraint, dropout, recurrent_dropout, seed,
            dtype=kwargs.get("dtype"), name="lstm_cell",
        )  # fmt: skip
        super().__init__(
            cell, kwargs, activity_regularizer, return_sequences=return_sequences, return_state=return_state,
            go_backwards=go_backwards, stateful=stateful, unroll=unroll,
        )  # fmt: skip
        self.use_cudnn = use_cudnn


class GRU(_OfCell):
    __doc__ = f"""Gated recurrent units: a recurrent layer with an update and a reset gate.

    Args:
      units: the size of the outputs.{OPTIONS}{_OPTIONS}
      recurrent_activation: what makes the gates, a function or its name.
      reset_after: whether the reset gate applies after the product with the state, which has a bias of its own then.
      activity_regularizer: what makes a loss of the outputs.
      use_cudnn: accepted; there is none.
    Raises:
      ValueError: for numbers out of their range.

    >>> tf.keras.layers.GRU(4, return_sequences=True)(tf.ones([2, 7, 3])).shape
    TensorShape([2, 7, 4])
    """

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
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        recurrent_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        reset_after: bool = True,
        use_cudnn: bool | str = "auto",
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        cell = GRUCell(
            units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint,
            recurrent_constraint, bias_constraint, dropout, recurrent_dropout, reset_after, seed,
            dtype=kwargs.get("dtype"), name="gru_cell",
        )  # fmt: skip
        super().__init__(
            cell, kwargs, activity_regularizer, return_sequences=return_sequences, return_state=return_state,
            go_backwards=go_backwards, stateful=stateful, unroll=unroll,
        )  # fmt: skip
        self.use_cudnn = use_cudnn
