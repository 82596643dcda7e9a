"""Layers and what they are made with as plain values, and back."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.graph.dtypes import DType
from runtime.graph.shapes import TensorShape
from runtime.keras.custom_objects import by_its_own_name, custom, custom_object_scope, get_registered_name, named
from runtime.keras.identifiers import nearest

_known: dict[str, type] = {}


def register(cls: type) -> None:
    """Have a class be found by its name in configurations."""
    _known.setdefault(cls.__name__, cls)


def serialized(value: object) -> object:
    """A value as a configuration has it.

    >>> serialized((np.int64(3), tf.float32, [None, "same"]))
    (3, 'float32', [None, 'same'])
    """
    if isinstance(value, Mapping):
        return {name: serialized(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(serialized, value)) if type(value) in (list, tuple) else value
    if isinstance(value, DType):
        return value.name
    if isinstance(value, TensorShape):
        return tuple(value.as_list())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(map(serialized, value), key=repr)
    if inspect.isroutine(value):
        return named(value)
    get_config: Callable[[], object] | None = getattr(value, "get_config", None)
    if get_config is None:
        return value
    cls = type(value)
    ours = cls.__module__.startswith("runtime.keras.")
    module = ".".join(cls.__module__.split(".")[1:3]) if ours else cls.__module__
    name = None if ours else get_registered_name(cls)
    return {"module": module, "class_name": cls.__name__, "config": get_config(), "registered_name": name}


def deserialized(value: object, custom_objects: Mapping[str, object] | None = None) -> Any:
    """What a part of a configuration describes: layers anew, anything else as it is."""
    if custom_objects:
        with custom_object_scope(custom_objects):
            return deserialized(value)
    if isinstance(value, list | tuple):
        return type(value)(map(deserialized, value))
    if not isinstance(value, Mapping):
        return value
    name = value.get("class_name")
    if name is None or "config" not in value:
        return {key: deserialized(inner) for key, inner in value.items()}
    found: object = (
        custom(str(name), value.get("registered_name")) or _known.get(str(name)) or by_its_own_name(str(name))
    )
    if found is None:
        if str(value.get("module", "")).startswith(("keras.layers", "keras.models")) or value.get("registered_name"):
            raise ValueError(
                f"Unknown class: {name!r}.{nearest(str(name), _known)} Classes of one's own are given as "
                f"custom_objects={{{name!r}: {name}}}, or registered by @keras.saving.register_keras_serializable()"
            )
        return value  # it is for the layer: an initializer, a regularizer
    if not hasattr(found, "from_config"):
        return value
    config = dict(value["config"])
    if "custom_objects" in inspect.signature(found.from_config).parameters:
        return found.from_config(config, None)
    return found.from_config({key: deserialized(inner) for key, inner in config.items()})
