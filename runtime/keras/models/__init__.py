"""Models: layers put together, which can be trained."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping

from runtime.keras.custom_objects import functions_as_they_are
from runtime.keras.layers.input_layer import InputLayer
from runtime.keras.layers.layer import Layer
from runtime.keras.models import files
from runtime.keras.models.model import Functional, Model
from runtime.keras.models.network import rebuilt
from runtime.keras.models.sequential import Sequential
from runtime.keras.serialization import deserialized

__all__ = [
    "Functional", "Model", "Sequential", "clone_model", "load_model", "model_from_json", "save_model",
]  # fmt: skip


def clone_model(
    model: Model, input_tensors: object = None, clone_function: Callable[[Layer], Layer] | None = None
) -> Model:
    """A model with the same layers, and weights of its own.

    Args:
      model: the model, of inputs and outputs or a `Sequential`, or of a class of one's own with `get_config`.
      input_tensors: must be None: the new model has inputs like those of the old one.
      clone_function: makes the new layer for each layer, where it is not to be like the old one; for models of inputs
        and outputs and for a `Sequential`.
    Returns: the new one.
    Raises:
      ValueError: for `input_tensors`, or a `clone_function` that gives no layer, or with a model of another kind.

    >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
    >>> other = tf.keras.models.clone_model(model)
    >>> other.output_shape, other.weights[0] is model.weights[0]
    ((None, 2), False)
    """
    if input_tensors is not None:
        raise ValueError("clone_model with input_tensors: call the new model with them instead, other(input_tensors)")
    with functions_as_they_are():
        config = model.get_config()
        if clone_function is None:
            return type(model).from_config(config)
        if not isinstance(model, Functional | Sequential):
            raise ValueError(
                f"clone_model with a clone_function, of {type(model).__name__}: only models of inputs and outputs and "
                "a Sequential say which layers they have"
            )
        made = {}
        for layer in model._stack if isinstance(model, Sequential) else model.layers:
            is_input = isinstance(layer, InputLayer)
            made[layer.name] = type(layer).from_config(layer.get_config()) if is_input else clone_function(layer)
            if not isinstance(made[layer.name], Layer):
                raise ValueError(f"clone_function gave {made[layer.name]!r} for '{layer.name}': it gives a layer")
        if isinstance(model, Sequential):
            return Sequential(list(made.values()), name=model.name, trainable=model.trainable)
        inputs, outputs = rebuilt(config, None, made)
        return Functional(inputs, outputs, name=model.name)


def load_model(
    filepath: str | os.PathLike[str],
    custom_objects: Mapping[str, object] | None = None,
    compile: bool = True,
    safe_mode: bool = True,
) -> Model:
    """The model that `Model.save` has written, with its weights.

    Args:
      filepath: the file.
      custom_objects: classes and functions of one's own by their names, unless they are registered by
        `keras.saving.register_keras_serializable`.
      compile: whether it is compiled as it was, and its optimizer goes on where it was.
      safe_mode: must be true: a file has no code that could be run.
    Returns: the model.
    Raises:
      FileNotFoundError: if there is no such file; it is a ValueError, too.
      ValueError: if it is none of a model, or is damaged, or has classes that are not known.

    >>> import tempfile, os
    >>> model = tf.keras.Sequential([tf.keras.Input([1]), tf.keras.layers.Dense(1)])
    >>> model.compile(optimizer="sgd", loss="mse")
    >>> history = model.fit(np.ones([4, 1]), np.ones([4, 1]), verbose=0)
    >>> path = os.path.join(tempfile.mkdtemp(), "model.keras")
    >>> model.save(path)
    >>> int(tf.keras.models.load_model(path).optimizer.iterations)
    1
    """
    if not safe_mode:
        raise ValueError("load_model with safe_mode=False: there is no code in a file, and no other mode")
    made = files.load(filepath, custom_objects, compile)
    assert isinstance(made, Model)
    return made


def save_model(model: Model, filepath: str | os.PathLike[str], overwrite: bool = True) -> None:
    """`Model.save`, as a function.

    Args:
      model: the model.
      filepath, overwrite: as there.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "model.keras")
    >>> tf.keras.models.save_model(tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)]), path)
    >>> tf.keras.models.load_model(path).output_shape
    (None, 2)
    """
    model.save(filepath, overwrite)


def model_from_json(json_string: str, custom_objects: Mapping[str, object] | None = None) -> Model:
    """The model that `Model.to_json` has described, with new weights.

    Args:
      json_string: the description.
      custom_objects: classes of one's own by their names.
    Raises:
      ValueError: if it is none of a model, or has classes that are not known.

    >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
    >>> tf.keras.models.model_from_json(model.to_json()).count_params()
    8
    """
    try:
        config = json.loads(json_string)
    except json.JSONDecodeError as error:
        raise ValueError(f"model_from_json of a text that is no JSON: {error}") from error
    made: object = deserialized(config, custom_objects)
    if not isinstance(made, Model):
        raise ValueError("model_from_json of a text that does not describe a model: it is what to_json() gives")
    return made
