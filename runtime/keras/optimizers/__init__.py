"""Optimizers: ways to change Variables by gradients, step by step."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.keras.identifiers import Catalogue, Objects
from runtime.keras.optimizers import schedules
from runtime.keras.optimizers.adam import Adam, Adamax, AdamW, Lamb, Nadam
from runtime.keras.optimizers.adaptive import Adadelta, Adafactor, Adagrad, Ftrl, RMSprop
from runtime.keras.optimizers.descent import SGD, Lion
from runtime.keras.optimizers.optimizer import Optimizer

__all__ = [
    "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion", "Nadam", "Optimizer",
    "RMSprop", "deserialize", "get", "schedules", "serialize",
]  # fmt: skip

_CLASSES = (SGD, Adadelta, Adafactor, Adagrad, Adam, AdamW, Adamax, Ftrl, Lamb, Lion, Nadam, RMSprop)
_CATALOGUE = Catalogue(
    "optimizer",
    "keras.optimizers",
    {**{cls.__name__.lower(): cls for cls in _CLASSES}, **{cls.__name__: cls for cls in _CLASSES}},
)


def get(identifier: str | Mapping[str, object] | type[Optimizer] | Optimizer) -> Optimizer:
    """An optimizer by its name, or by its configuration.

    Args:
      identifier: a name, as ``"adam"``, what `serialize` gives, a class, or an optimizer.
    Returns: the optimizer.
    Raises:
      ValueError: if there is no such optimizer.

    >>> tf.keras.optimizers.get("rmsprop").rho
    0.9
    >>> tf.keras.optimizers.get("adm")
    Traceback (most recent call last):
        ...
    ValueError: Unknown optimizer: 'adm'. Did you mean 'Adam'?
    """
    return _optimizer(_CATALOGUE.get(identifier), identifier)


def serialize(optimizer: Optimizer) -> object:
    """The configuration of an optimizer, as a dictionary; what it has kept is not in it.

    Args:
      optimizer: the optimizer.
    Returns: a dictionary with ``class_name``, ``config``, ``module`` and ``registered_name``.

    >>> tf.keras.optimizers.serialize(tf.keras.optimizers.SGD(0.5))["config"]["learning_rate"]
    0.5
    """
    return _CATALOGUE.serialize(optimizer)


def deserialize(config: Mapping[str, object], custom_objects: Objects = None) -> Optimizer:
    """The optimizer that a configuration describes, before its first step.

    Args:
      config: what `serialize` gives.
      custom_objects: classes of one's own by their names.
    Returns: the optimizer.
    Raises:
      ValueError: if there is no such class.

    >>> config = tf.keras.optimizers.serialize(tf.keras.optimizers.SGD(0.5, momentum=0.25))
    >>> tf.keras.optimizers.deserialize(config).momentum
    0.25
    """
    return _optimizer(_CATALOGUE.deserialize(config, custom_objects), config)


def _optimizer(found: object, given: object) -> Optimizer:
    if not isinstance(found, Optimizer):
        raise ValueError(f"Could not interpret optimizer {given!r}: it is a name, a configuration or an Optimizer")
    return found
