"""Layers around layers: TimeDistributed and Bidirectional."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Unpack

from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.layers.recurrent import RNN
from runtime.keras.shapes import as_shape, sizes_of
from runtime.tensors import nest
from runtime.tensors.shaping import concat, reshape, reverse
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import recording
from runtime.tensors.types import Structure, TensorLike


class TimeDistributed(Layer):
    """A layer applied to each step of sequences by itself.

    Args:
      layer: the layer.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if it is none.

    >>> layer = tf.keras.layers.TimeDistributed(tf.keras.layers.Conv2D(4, 3))
    >>> layer(tf.ones([2, 5, 8, 8, 1])).shape
    TensorShape([2, 5, 6, 6, 4])
    """

    def __init__(self, layer: Layer, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        if not isinstance(layer, Layer):
            raise ValueError(f"TimeDistributed of {layer!r}: it takes a layer")
        self.layer = layer
        self.supports_masking = True

    def build(self, input_shape: Structure) -> None:
        """Make the weights of the layer.

        Args:
          input_shape: the shape of the inputs, [batch, time, ...].
        """
        dims = as_shape(input_shape)
        if len(dims) < 3:
            raise ValueError(
                f"layer '{self.name}' (TimeDistributed) has inputs of rank 3 or more; these have shape {dims}"
            )
        if not self.layer.built:
            self.layer.build((dims[0], *dims[2:]))
            self.layer.built = True

    def call(self, inputs: Tensor, training: bool | None = None, mask: Tensor | None = None) -> Tensor:
        """What the layer makes of each step.

        Args:
          inputs: a tensor of shape [batch, time, ...].
          training: whether it is training.
          mask: which steps count; the layer is not told.
        Returns: a tensor of shape [batch, time, ...].
        """
        sizes = sizes_of(inputs)
        made = self.layer(reshape(inputs, [-1, *sizes[2:]]))
        inner = sizes_of(made)
        return reshape(made, [sizes[0], sizes[1], *inner[1:]])


class Bidirectional(Layer):
    """A recurrent layer run forwards, and another like it run backwards.

    Args:
      layer: the layer.
      merge_mode: what is made of both outputs: ``"concat"``, ``"sum"``, ``"mul"``, ``"ave"``, or None for a list.
      weights: first weights for both, as `Layer.get_weights` gives them.
      backward_layer: the layer that runs backwards; by default one made as the first was.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if a layer is not recurrent, or they do not go together.

    >>> layer = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(4, return_sequences=True))
    >>> layer(tf.ones([2, 7, 3])).shape
    TensorShape([2, 7, 8])
    """

    def __init__(
        self,
        layer: RNN,
        merge_mode: str | None = "concat",
        weights: Sequence[TensorLike] | None = None,
        backward_layer: RNN | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        for one in (layer, *([] if backward_layer is None else [backward_layer])):
            if not isinstance(one, RNN):
                raise ValueError(f"Bidirectional of {one!r}: it takes a recurrent layer")
        if merge_mode not in ("concat", "sum", "mul", "ave", None):
            raise ValueError(f"merge_mode={merge_mode!r}: it is 'concat', 'sum', 'mul', 'ave' or None")
        self.layer, self.merge_mode, self._first_weights = layer, merge_mode, weights
        self._apart = Layer._apart | {"layer", "backward_given"}
        self.backward_given = backward_layer
        config = layer.get_config()
        forward: RNN = type(layer).from_config(copy.deepcopy({**config, "name": f"forward_{layer.name}"}))
        backwards = {**config, "name": f"backward_{layer.name}", "go_backwards": not layer.go_backwards}
        other: RNN = backward_layer or type(layer).from_config(copy.deepcopy(backwards))
        if other.go_backwards == forward.go_backwards or other.return_sequences != forward.return_sequences:
            raise ValueError(
                "Bidirectional: the layers run in different directions (go_backwards), and agree in return_sequences"
            )
        for one in (forward, other):  # as Keras has it: what is merged is nothing where no step counts
            one.zero_output_for_mask = one.return_sequences
        self.forward_layer, self.backward_layer = forward, other
        self.return_sequences, self.return_state = layer.return_sequences, layer.return_state
        self.supports_masking = True

    def _argument(self, name: str) -> object:
        if name == "weights":
            return None
        return self.backward_given if name == "backward_layer" else super()._argument(name)

    def build(self, sequences_shape: Structure, initial_state_shape: Structure = None) -> None:
        """Make the weights of both layers.

        Args:
          sequences_shape: the shape of the inputs, [batch, time, features].
          initial_state_shape: those of the first states.
        """
        for layer in (self.forward_layer, self.backward_layer):
            if not layer.built:
                layer.build(sequences_shape)
        self.built = True
        if self._first_weights is not None:
            with recording(None):  # once, where a function is traced as anywhere
                self.set_weights(self._first_weights)

    def call(
        self,
        sequences: Tensor,
        initial_state: Structure = None,
        mask: Tensor | None = None,
        training: bool | None = None,
    ) -> Structure:
        """The outputs of both layers.

        Args:
          sequences: a tensor of shape [batch, time, features].
          initial_state: the states of the first layer, then those of the second.
          mask: which steps count, of booleans and of shape [batch, time].
          training: whether it is training.
        Returns: a tensor of shape [batch, units], or [batch, time, units]; and the states where they are asked for.
        """
        half = None if initial_state is None else len(initial_state) // 2
        first = None if half is None else list(initial_state[:half])
        second = None if half is None else list(initial_state[half:])
        y: Tensor = self.forward_layer(sequences, initial_state=first, mask=mask)
        z: Tensor = self.backward_layer(sequences, initial_state=second, mask=mask)
        states: list[Tensor] = []
        if self.return_state:
            states = [*y[1:], *z[1:]]
            y, z = y[0], z[0]
        if self.return_sequences:
            z = reverse(z, [1])
        merged: Tensor | tuple[Tensor, Tensor] = (y, z)
        if self.merge_mode == "concat":
            merged = concat([y, z], -1)
        elif self.merge_mode == "mul":
            merged = y * z
        elif self.merge_mode is not None:
            merged = y + z if self.merge_mode == "sum" else (y + z) / 2.0
        if not states:
            return merged
        return (*merged, *states) if self.merge_mode is None else (merged, *states)

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """The mask of the sequences, where all outputs are given.

        Args:
          inputs: the inputs.
          previous_mask: their mask, of shape [batch, time].
        Returns: the mask, or None; one for each where both outputs are given. States have none.
        """
        mask = nest.flatten(previous_mask)[0] if previous_mask is not None and self.return_sequences else None
        return [mask, mask] if self.merge_mode is None else mask
