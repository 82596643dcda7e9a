"""Sequential: layers one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.keras.identifiers import Config
from runtime.keras.layers.input_layer import InputLayer
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.symbolic import KerasTensor
from runtime.keras.models.model import Model
from runtime.keras.models.network import Network
from runtime.keras.serialization import deserialized, serialized
from runtime.keras.settings import unique_name
from runtime.keras.shapes import as_shape, is_shape
from runtime.tensors.types import Structure


class Sequential(Model):
    """A model of layers one after the other.

    Args:
      layers: the layers. If the first one is an `Input`, or was told the shape of its inputs, weights are made at once;
        otherwise when the model is first called.
      trainable: whether training is to change the weights.
      name: the name.

    >>> model = tf.keras.Sequential()
    >>> model.add(tf.keras.layers.Dense(4, activation="relu", input_shape=(10,)))
    >>> model.add(tf.keras.layers.Dense(1))
    >>> model.count_params(), model.output_shape
    (49, (None, 1))
    """

    _apart = Model._apart | {"_symbol"}

    def __init__(
        self, layers: Sequence[Layer | KerasTensor] | None = None, trainable: bool = True, name: str | None = None
    ) -> None:
        super().__init__(name=name, trainable=trainable)
        self._stack: list[Layer] = []
        self._was_told = True  # the shape of the inputs, rather than found it in the first ones
        self._symbol: KerasTensor | None = None  # what stands for the output, once the shape of the input is known
        for layer in layers or ():
            self.add(layer, rebuild=False)
        self._renew()

    def add(self, layer: Layer | KerasTensor, rebuild: bool = True) -> None:
        """Add a layer at the end.

        Args:
          layer: the layer; an `Input` at the beginning.
          rebuild: whether the model can be called at once, rather than when another one has been added.
        Raises:
          ValueError: if it is none, or one of its name is there.

        >>> model = tf.keras.Sequential()
        >>> model.add(tf.keras.layers.Flatten())
        >>> len(model.layers)
        1
        """
        if isinstance(layer, KerasTensor) and layer.node is not None and isinstance(layer.node.layer, InputLayer):
            layer = layer.node.layer
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Sequential of {layer!r}: it holds layers. Call a function by keras.layers.Lambda(function)"
            )
        if any(layer.name == one.name for one in self._stack):
            raise ValueError(
                f"'{self.name}' has a layer named '{layer.name}' already: give the one to add another name, by name=..."
            )
        if isinstance(layer, InputLayer) and self._stack:
            raise ValueError(f"'{self.name}' begins with {self._stack[0].name!r}: an Input stands before all layers")
        if not self._stack and not isinstance(layer, InputLayer):
            self._begin_with(layer)
        self._stack.append(layer)
        if isinstance(layer, InputLayer):
            self._symbol = layer.symbol
        elif self._symbol is not None:
            with self._naming():
                self._symbol = layer(self._symbol)
        if rebuild:
            self._renew()

    def _begin_with(self, layer: Layer) -> None:
        """Have an input of the shape that a first layer was told."""
        given = layer.__dict__.get("_batch_shape")
        if isinstance(layer, Model) and layer.inputs is not None and len(layer.inputs) == 1:
            given = layer.inputs[0].shape
        if given is not None:
            start = InputLayer(batch_shape=given, dtype=layer.compute_dtype)
            self._stack.append(start)
            self._symbol = start.symbol

    def _renew(self) -> None:
        inner = [layer for layer in self._stack if not isinstance(layer, InputLayer)]
        known = self._symbol is not None and bool(inner)
        self._network = Network(self._stack[0].symbol, self._symbol, self.name) if known else None  # type: ignore[attr-defined]
        if known:  # in Keras it is a model, which the names of those that are made later count
            unique_name("functional")
        self.built = self._network is not None
        self._new_functions()

    def _check_inputs(self, x: Structure) -> None:
        if self._was_told:
            super()._check_inputs(x)

    def pop(self, rebuild: bool = True) -> Layer:
        """Take the last layer away.

        Args:
          rebuild: accepted, for Keras's sake.
        Returns: the layer.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(2)])
        >>> model.pop().units, len(model.layers)
        (2, 1)
        """
        layer = self._stack.pop()
        if self._symbol is not None:
            node = self._symbol.node
            self._symbol = node.inputs[0] if self._stack and node is not None and node.inputs else None
        self._renew()
        return layer

    @property
    def layers(self) -> list[Layer]:
        """The layers, in order.

        >>> [layer.name for layer in tf.keras.Sequential([tf.keras.layers.Flatten(name="flat")]).layers]
        ['flat']
        """
        return [layer for layer in self._stack if not isinstance(layer, InputLayer)]

    def build(self, input_shape: Structure = None) -> None:
        """Make the weights of all layers.

        Args:
          input_shape: the shape of the inputs, with the batch first.
        Raises:
          ValueError: if there are no layers.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        >>> model.build((None, 3))
        >>> model.count_params()
        8
        """
        if self._network is not None:
            return
        if not self._stack:
            raise ValueError(f"'{self.name}' has no layers: add some, by add(layer)")
        if not is_shape(input_shape):
            return
        dtype = self._stack[0].compute_dtype if type(self._stack[0]).__name__ != "Embedding" else "int32"
        begin = InputLayer(batch_shape=as_shape(input_shape), dtype=dtype)
        symbol = begin.symbol
        for layer in self._stack:
            symbol = layer(symbol)
        self._stack.insert(0, begin)
        self._symbol = symbol
        self._renew()

    def _built_for(self, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
        first: Structure = args[0] if args else kwargs.get("inputs")
        if not hasattr(first, "shape"):
            self.built = True
            return
        dims = first.shape.as_list()
        self._was_told = self._network is not None
        self.build((None, *dims[1:]))

    def call(self, inputs: Structure, training: bool | None = None) -> Structure:
        """What the last layer makes of what the one before makes of the inputs, and so on.

        Args:
          inputs: what the first layer takes.
          training: whether it is training.
        Returns: what the last layer gives.
        """
        if self._network is not None and isinstance(inputs, list | tuple) and len(inputs) == 1:
            inputs = inputs[0]  # as a list of all inputs
        if self._network is not None and self._was_told and hasattr(inputs, "shape"):
            inputs = self._network.fitting(inputs, self._network.starts[0])
        for layer in self.layers:
            inputs = layer(inputs)
        return inputs

    def get_config(self) -> Config:
        """The configurations of the layers, as a dictionary of plain values.

        >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        >>> [layer["class_name"] for layer in model.get_config()["layers"]]
        ['InputLayer', 'Dense']
        """
        return {"name": self.name, "trainable": self.trainable, "layers": [serialized(layer) for layer in self._stack]}

    @classmethod
    def from_config(  # type: ignore[override]
        cls, config: Mapping[str, Structure], custom_objects: Mapping[str, object] | None = None
    ) -> Sequential:
        """A model as `get_config` describes it, with new weights.

        Args:
          config: the configuration.
          custom_objects: classes of one's own by their names.

        >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        >>> tf.keras.Sequential.from_config(model.get_config()).count_params()
        8
        """
        layers = [deserialized(layer, custom_objects) for layer in config["layers"]]
        made = cls(layers, name=config["name"])
        if not config.get("trainable", True):  # else each layer is as its own configuration says
            made.trainable = False
        return made
