"""Layers and what they are made with as plain values, and back."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.graph.dtypes import DType
from runtime.graph.shapes import TensorShape
from runtime.keras.identifiers import nearest

_known: dict[str, type] = {}


def register(cls: type) -> None:
    """Have a class be found by its name in configurations."""
    _known.setdefault(cls.__name__, cls)


def serialized(value: Any) -> object:
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
    if inspect.isroutine(value):
        return value.__name__
    get_config: Callable[[], object] | None = getattr(value, "get_config", None)
    if get_config is None:
        return value
    cls = type(value)
    ours = cls.__module__.startswith("runtime.keras.")
    module = ".".join(cls.__module__.split(".")[1:3]) if ours else cls.__module__
    name = None if ours else cls.__name__
    return {"module": module, "class_name": cls.__name__, "config": get_config(), "registered_name": name}


def deserialized(value: object, custom_objects: Mapping[str, object] | None = None) -> Any:
    """What a part of a configuration describes: layers anew, anything else as it is."""
    if isinstance(value, list | tuple):
        return type(value)(deserialized(inner, custom_objects) for inner in value)
    if not isinstance(value, Mapping):
        return value
    name = value.get("class_name")
    if name is None or "config" not in value:
        return {key: deserialized(inner, custom_objects) for key, inner in value.items()}
    known = {**_known, **(custom_objects or {})}
    if name not in known:
        if str(value.get("module", "")).startswith(("keras.layers", "keras.models")) or value.get("registered_name"):
            raise ValueError(
                f"Unknown layer: {name!r}.{nearest(str(name), known)} Classes of one's own are given as custom_objects="
                f"{{{name!r}: {name}}}"
            )
        return value  # it is for the layer: an initializer, a regularizer
    cls: Any = known[name]
    config = dict(value["config"])
    if "custom_objects" in inspect.signature(cls.from_config).parameters:
        return cls.from_config(config, custom_objects)
    return cls.from_config({key: deserialized(inner, custom_objects) for key, inner in config.items()})
