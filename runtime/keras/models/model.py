"""Model: layers with inputs and outputs, which can be trained, summed up, saved and made again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from runtime.functions.function import Function, function
from runtime.keras.identifiers import Config
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.symbolic import KerasTensor
from runtime.keras.models import files
from runtime.keras.models.network import Network, by_keys, rebuilt
from runtime.keras.models.summary import summarize
from runtime.keras.models.trainer import Trainer
from runtime.keras.serialization import serialized
from runtime.keras.shapes import Shape
from runtime.tensors import nest
from runtime.tensors.spec import TensorSpec
from runtime.tensors.types import Structure

M = TypeVar("M", bound="Model")


class Model(Trainer):
    """Layers from inputs to outputs, which can be trained.

    A class of one's own makes layers in ``__init__`` and calls them in ``call(inputs)``, with `training` if it has such
    a parameter. Or ``Model(inputs, outputs)`` of what `Input` gives and what layers make of it: one input and output,
    or lists or dictionaries of them.

    Args:
      inputs: what `Input` gave.
      outputs: what layers made of it.
      name: the name; by default it is made of that of the class.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the outputs need something that is not among the inputs.

    >>> class Classifier(tf.keras.Model):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.hidden = tf.keras.layers.Dense(4, activation="relu")
    ...         self.scores = tf.keras.layers.Dense(2)
    ...     def call(self, inputs):
    ...         return self.scores(self.hidden(inputs))
    >>> model = Classifier()
    >>> model(tf.ones([3, 5])).shape
    TensorShape([3, 2])
    >>> [v.path for v in model.trainable_variables]
    ['classifier/dense/kernel', 'classifier/dense/bias', 'classifier/dense_1/kernel', 'classifier/dense_1/bias']

    >>> x = tf.keras.Input([5])
    >>> h = tf.keras.layers.Dense(4, activation="relu")(x)
    >>> model = tf.keras.Model(inputs=x, outputs=[h, tf.keras.layers.Dense(2)(h)])
    >>> [y.shape for y in model(tf.ones([3, 5]))]
    [TensorShape([3, 4]), TensorShape([3, 2])]
    """

    _apart = Trainer._apart | {"_network"}
    _network: Network | None

    def __new__(cls, *args: object, **kwargs: object) -> Model:
        given = len(args) >= 2 or "outputs" in kwargs
        made: Model = Layer.__new__(Functional if cls is Model and given else cls, *args, **kwargs)  # type: ignore[assignment]
        made.__dict__["_network"] = None
        made._start_training()
        return made

    def __init__(
        self, inputs: Structure = None, outputs: Structure = None, name: str | None = None, **kwargs: Structure
    ) -> None:
        super().__init__(name=name, **kwargs)
        if (inputs is None) != (outputs is None):
            raise ValueError(
                f"{type(self).__name__} with inputs={inputs!r} and outputs={outputs!r}: both are given, or none"
            )
        if inputs is not None:
            self._network = Network(inputs, outputs, self.name)
            self._network_layers = self._network.layers
            self.built = True

    @property
    def layers(self) -> list[Layer]:
        """The layers, in order.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(2)])
        >>> [layer.units for layer in model.layers]
        [4, 2]
        """
        return list({id(layer): layer for layer in self._own(Layer)}.values())

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """A layer by its name, or by its place.

        Args:
          name: the name.
          index: the place in `layers`, instead of the name.
        Raises:
          ValueError: if there is no such layer.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(4, name="hidden")])
        >>> model.get_layer("hidden") is model.get_layer(index=0)
        True
        """
        layers = self.layers
        if (name is None) == (index is None):
            raise ValueError(f"get_layer(name={name!r}, index={index!r}): one of them is given")
        if index is not None:
            if not -len(layers) <= index < len(layers):
                raise ValueError(f"get_layer(index={index}): '{self.name}' has {len(layers)} layers")
            return layers[index]
        for layer in layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name!r}. Existing layers are: {[layer.name for layer in layers]}")

    @property
    def inputs(self) -> list[KerasTensor] | None:
        """What stands for the inputs; None for a model of one's own class.

        >>> x = tf.keras.Input([3], name="x")
        >>> tf.keras.Model(x, tf.keras.layers.Dense(2)(x)).inputs
        [<KerasTensor shape=(None, 3), dtype=float32, name=x>]
        """
        network = self._known_network()
        return None if network is None else list(network.starts)

    @property
    def outputs(self) -> list[KerasTensor] | None:
        """What stands for the outputs; None for a model of one's own class.

        >>> x = tf.keras.Input([3])
        >>> [y.shape for y in tf.keras.Model(x, tf.keras.layers.Dense(2)(x)).outputs]
        [(None, 2)]
        """
        network = self._known_network()
        return None if network is None else by_keys(network.outputs)

    def _check_inputs(self, x: Structure) -> None:
        if self._network is not None:
            self._network.given(x)

    def _known_network(self) -> Network | None:
        return self._network

    @property
    def input(self) -> Structure:
        """What stands for the inputs, as they were given.

        Raises:
          AttributeError: if there is nothing: the model is of one's own class, or not built.

        >>> x = tf.keras.Input([3])
        >>> tf.keras.Model(x, tf.keras.layers.Dense(2)(x)).input is x
        True
        """
        network = self._known_network()
        return super().input if network is None else network.inputs

    @property
    def output(self) -> Structure:
        """What stands for the outputs, as they were given.

        Raises:
          AttributeError: if there is nothing: the model is of one's own class, or not built.

        >>> x = tf.keras.Input([3])
        >>> tf.keras.Model(x, tf.keras.layers.Dense(2)(x)).output.shape
        (None, 2)
        """
        network = self._known_network()
        return super().output if network is None else network.outputs

    @property
    def input_shape(self) -> Shape | Structure:
        """The shape of the inputs.

        Raises:
          AttributeError: if it is not known: the model is of one's own class, or not built.

        >>> tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)]).input_shape
        (None, 3)
        """
        return nest.map_structure(lambda t: t.shape, self.input)

    @property
    def output_shape(self) -> Shape | Structure:
        """The shape of the outputs.

        Raises:
          AttributeError: if it is not known: the model is of one's own class, or not built.

        >>> tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)]).output_shape
        (None, 2)
        """
        return nest.map_structure(lambda t: t.shape, self.output)

    def call(self, inputs: Structure, training: bool | None = None) -> Structure:
        """The outputs; a class of one's own replaces it.

        Args:
          inputs: tensors of the shapes of the inputs.
          training: whether it is training.
        Returns: tensors, as the outputs were given.
        """
        if self._network is None:
            raise NotImplementedError(
                f"{type(self).__name__} has no method `call`: write def call(self, inputs) in the class, or make the "
                "model of inputs and outputs"
            )
        return self._network.run(inputs)

    def build(self, input_shape: Structure) -> None:
        """Make the weights of all layers, as a call with inputs of a shape would.

        Args:
          input_shape: a shape with the batch first, or a structure of shapes.

        >>> class Twice(tf.keras.Model):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense = tf.keras.layers.Dense(3)
        ...     def call(self, inputs):
        ...         return self.dense(self.dense(inputs))
        >>> model = Twice()
        >>> model.build((None, 3))
        >>> model.count_params()
        12
        """
        if self._network is None and not self._building_now:
            self._building_now = True
            try:
                self.built = True
                self.compute_output_shape(input_shape)
            finally:
                self._building_now = False

    def _built_for(self, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
        if type(self).build is not Model.build:
            super()._built_for(args, kwargs)
        self.built = True

    def count_params(self) -> int:
        """How many numbers the weights hold.

        Raises:
          ValueError: if the model is not built.

        >>> tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)]).count_params()
        8
        """
        return super().count_params()

    def summary(
        self,
        line_length: int | None = None,
        positions: Sequence[float] | None = None,
        print_fn: Callable[..., object] | None = None,
        expand_nested: bool = False,
        show_trainable: bool = False,
        layer_range: Sequence[str] | None = None,
    ) -> None:
        """Print the layers, the shapes of their outputs, and how many numbers their weights hold.

        Args:
          line_length: how wide the table is.
          positions: where the columns end, as parts of the width.
          print_fn: is called with the text, instead of `print`.
          expand_nested: whether layers inside of models are listed, too.
          show_trainable: whether there is a column that tells which layers are trained.
          layer_range: the names of the first and the last layer to list.

        >>> tf.keras.backend.clear_session()
        >>> tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)]).summary()
        Model: "sequential"
        ┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
        ┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
        ┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
        │ dense (Dense)                   │ (None, 2)              │             8 │
        └─────────────────────────────────┴────────────────────────┴───────────────┘
         Total params: 8 (32.00 B)
         Trainable params: 8 (32.00 B)
         Non-trainable params: 0 (0.00 B)
        """
        text = summarize(self, line_length, positions, expand_nested, show_trainable, layer_range)
        (print_fn or print)(text)

    # Saving.

    def save(self, filepath: str | os.PathLike[str], overwrite: bool = True) -> None:
        """Write the model to a file, with its weights, and with what it takes to go on training it.

        The file is an archive of plain values as JSON and of arrays in NumPy's format; it has no code, and nothing of
        it is run when it is read by `keras.models.load_model`. It takes its place when it is written whole.

        Args:
          filepath: the file, whose name ends in ``.keras``.
          overwrite: whether a file of that name is replaced.
        Raises:
          ValueError: if the model is not built, or the file has another ending.
          FileExistsError: if there is a file, and it is not to be replaced.
          NotImplementedError: if a layer of one's own does not say what it was made with.

        >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        >>> import tempfile, os
        >>> path = os.path.join(tempfile.mkdtemp(), "model.keras")
        >>> model.save(path)
        >>> other = tf.keras.models.load_model(path)
        >>> bool(tf.reduce_all(other(tf.ones([1, 3])) == model(tf.ones([1, 3]))))
        True
        """
        files.save(self, filepath, overwrite)

    def save_weights(self, filepath: str | os.PathLike[str], overwrite: bool = True) -> None:
        """Write the weights to a file, in the format of NumPy's `savez`, whatever its name.

        Args:
          filepath: the file, as ``"model.weights.npz"``.
          overwrite: whether a file of that name is replaced.
        Raises:
          ValueError: if the model is not built.
          FileExistsError: if there is a file, and it is not to be replaced.

        >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        >>> import tempfile, os
        >>> path = os.path.join(tempfile.mkdtemp(), "model.weights.npz")
        >>> model.save_weights(path)
        >>> model.load_weights(path)
        """
        files.save_weights(self, filepath, overwrite)

    def load_weights(self, filepath: str | os.PathLike[str], skip_mismatch: bool = False) -> None:
        """Read weights that `save_weights` or `save` has written, or arrays that NumPy's `savez` has.

        Args:
          filepath: the file.
          skip_mismatch: whether weights of other shapes are left as they are, with a warning, rather than refused.
        Raises:
          ValueError: if the model is not built, or the weights are not those of such a model, or the file is damaged.
          FileNotFoundError: if there is no such file.

        >>> tf.keras.Sequential([tf.keras.layers.Dense(2)]).load_weights("model.npz")
        Traceback (most recent call last):
            ...
        ValueError: load_weights() of 'sequential', which is not built: call it with inputs first, or build(input_shape)
        """
        files.load_weights(self, filepath, skip_mismatch)

    def _save_state(self, path: str, about: Mapping[str, object]) -> None:
        """Write weights, what the optimizer has kept, and plain values."""
        files.save_state(self, path, about)

    def _restore_state(self, path: str) -> Mapping[str, object]:
        """Go on from what `_save_state` has written; gives the plain values."""
        return files.restore_state(self, path)

    @property
    def _default_save_signature(self) -> Function[..., object] | None:
        """The call of the model, for batches of any size of inputs like those that it was built for, which
        `saved_model.save` asks for; None if it is not built, or is called with more than its inputs."""
        network = self._known_network()
        args, kwargs = ([network.inputs], {}) if network is not None else self._layer_state.first or ([], {})
        symbols = nest.flatten(args)
        if not self.built or len(args) != 1 or not all(isinstance(t, KerasTensor) for t in symbols):
            return None
        if any(isinstance(t, KerasTensor) for t in nest.flatten(kwargs)):
            return None

        def serving_default(inputs: Structure) -> Structure:
            return self(inputs)

        spec = nest.map_structure(lambda t: TensorSpec((None, *t.shape[1:]), t.dtype, "inputs"), args[0])
        return function(serving_default, input_signature=[spec])

    def _held_for_checkpoints(self) -> Iterator[tuple[str, object]]:
        yield "optimizer", self.optimizer
        stacked = self._network is not None or "_stack" in vars(self)
        if stacked:  # whose inputs may be told later, so that numbers would change
            yield "layers", self.layers
        hidden = ("_stack", "_network_layers") if stacked else ()
        yield from (pair for pair in super()._held_for_checkpoints() if pair[0] not in hidden)

    def _whole_config(self) -> Config | None:
        if self._network is not None and isinstance(self, Functional):
            return {"name": self.name, "trainable": self.trainable, **self._network.config()}
        return None

    @classmethod
    def from_config(
        cls: type[M], config: Mapping[str, Structure], custom_objects: Mapping[str, object] | None = None
    ) -> M:
        """A model as `get_config` describes it, with new weights.

        Args:
          config: the configuration.
          custom_objects: classes of one's own by their names.

        >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        >>> tf.keras.Sequential.from_config(model.get_config()).output_shape
        (None, 2)
        """
        if "calls" in config:
            inputs, outputs = rebuilt(config, custom_objects)
            made: Any = Functional(inputs, outputs, name=config["name"])
            if not config.get("trainable", True):  # else each layer is as its own configuration says
                made.trainable = False
            return made  # type: ignore[no-any-return]
        return super().from_config(config)

    def to_json(self, **kwargs: Structure) -> str:
        """The configuration as JSON, which `model_from_json` reads.

        Args:
          kwargs: options of `json.dumps`.

        >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        >>> tf.keras.models.model_from_json(model.to_json()).output_shape
        (None, 2)
        """
        return json.dumps(serialized(self), **kwargs)


class Functional(Model):
    """A `Model` of inputs and outputs.

    >>> x = tf.keras.Input([3])
    >>> type(tf.keras.Model(x, tf.keras.layers.Dense(2)(x))).__name__
    'Functional'
    """

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs, by which `fit` finds them in a dictionary.

        >>> x = tf.keras.Input([3], name="pixels")
        >>> tf.keras.Model(x, tf.keras.layers.Dense(2)(x)).input_names
        ['pixels']
        """
        return [t.name for t in by_keys(self.input)]

    @property
    def output_names(self) -> list[str]:
        """The names of the layers that make the outputs, by which `compile` knows their losses.

        >>> x = tf.keras.Input([3])
        >>> tf.keras.Model(x, tf.keras.layers.Dense(2, name="scores")(x)).output_names
        ['scores']
        """
        return self._output_names() or []
