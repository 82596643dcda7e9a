"""Models: layers put together, which can be trained."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from runtime.keras.models.model import Functional, Model
from runtime.keras.models.sequential import Sequential
from runtime.keras.serialization import deserialized

__all__ = ["Functional", "Model", "Sequential", "clone_model", "model_from_json"]


def clone_model(model: Model) -> Model:
    """A model with the same layers, and weights of its own.

    Args:
      model: the model, of inputs and outputs or a `Sequential`.
    Returns: the new one.

    >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
    >>> other = tf.keras.models.clone_model(model)
    >>> other.output_shape, other.weights[0] is model.weights[0]
    ((None, 2), False)
    """
    return type(model).from_config(model.get_config())


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
    made: Any = deserialized(json.loads(json_string), custom_objects)
    if not isinstance(made, Model):
        raise ValueError("model_from_json of a text that does not describe a model: it is what to_json() gives")
    return made
