"""Models in files, and the names by which these have classes and functions of users."""

from __future__ import annotations

import os
from collections.abc import Mapping

from runtime.keras import constraints, initializers, losses, metrics, optimizers, regularizers
from runtime.keras.custom_objects import (
    custom_object_scope,
    get_custom_objects,
    get_registered_name,
    get_registered_object,
    register_keras_serializable,
)
from runtime.keras.models import Model, load_model, save_model
from runtime.keras.optimizers import schedules
from runtime.keras.serialization import deserialized, serialized

__all__ = [
    "CustomObjectScope", "custom_object_scope", "deserialize_keras_object", "get_custom_objects",
    "get_registered_name", "get_registered_object", "load_model", "load_weights", "register_keras_serializable",
    "save_model", "save_weights", "serialize_keras_object",
]  # fmt: skip

CustomObjectScope = custom_object_scope


def serialize_keras_object(obj: object) -> object:
    """A layer, an optimizer or anything else with `get_config` as a dictionary of plain values.

    Args:
      obj: the object, or a structure of some.
    Returns: for an object a dictionary with ``class_name``, ``config``, ``module`` and ``registered_name``.

    >>> tf.keras.saving.serialize_keras_object(tf.keras.layers.Flatten())["class_name"]
    'Flatten'
    """
    return serialized(obj)


def deserialize_keras_object(config: object, custom_objects: Mapping[str, object] | None = None) -> object:
    """What `serialize_keras_object` has described, with new weights where it has some.

    Args:
      config: the configuration.
      custom_objects: classes of one's own by their names.
    Raises:
      ValueError: for a class that is not known.

    >>> config = tf.keras.saving.serialize_keras_object(tf.keras.layers.Dense(3))
    >>> tf.keras.saving.deserialize_keras_object(config).units
    3
    """
    if isinstance(config, list | tuple):
        return type(config)(deserialize_keras_object(one, custom_objects) for one in config)
    with custom_object_scope(custom_objects):
        part = _PARTS.get(str(config.get("module"))) if isinstance(config, Mapping) else None
        return deserialized(config) if part is None else part.deserialize(config)


_PARTS = {
    "keras.constraints": constraints, "keras.initializers": initializers, "keras.losses": losses,
    "keras.metrics": metrics, "keras.optimizers": optimizers, "keras.optimizers.schedules": schedules,
    "keras.regularizers": regularizers,
}  # fmt: skip


def save_weights(model: Model, filepath: str | os.PathLike[str], overwrite: bool = True) -> None:
    """`Model.save_weights`, as a function.

    Args:
      model: the model.
      filepath, overwrite: as there.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "model.weights.npz")
    >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
    >>> tf.keras.saving.save_weights(model, path)
    >>> tf.keras.saving.load_weights(model, path)
    """
    model.save_weights(filepath, overwrite)


def load_weights(model: Model, filepath: str | os.PathLike[str], skip_mismatch: bool = False) -> None:
    """`Model.load_weights`, as a function.

    Args:
      model: the model.
      filepath, skip_mismatch: as there.

    >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
    >>> tf.keras.saving.load_weights(model, "no.weights.npz")
    Traceback (most recent call last):
        ...
    FileNotFoundError: [Errno 2] No such file or directory: 'no.weights.npz'
    """
    model.load_weights(filepath, skip_mismatch)
