"""Classes and functions of users, which configurations have by name: registered for good, or known for a while."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_registered: dict[str, object] = {}
_for_all: dict[str, object] = {}  # what users have added to get_custom_objects()
_names: dict[int, str] = {}  # by the identity of what is registered, which is kept for good


class _Scopes(threading.local):
    def __init__(self) -> None:
        self.open: list[Mapping[str, object]] = []
        self.as_they_are = False  # functions, in configurations that are read at once


_scopes = _Scopes()


def register_keras_serializable(package: str = "Custom", name: str | None = None) -> Callable[[T], T]:
    """Have a class or a function be found by its name when models are made from configurations, as a decorator.

    Args:
      package: what stands before the name in configurations, so that names of others are other ones.
      name: the name, that of the class or the function by default.
    Returns: a function that gives back what it was given.
    Raises:
      ValueError: if it is neither a class with a method `get_config` nor a function.

    >>> @tf.keras.utils.register_keras_serializable("mine")
    ... class Double(tf.keras.layers.Layer):
    ...     def call(self, inputs):
    ...         return inputs * 2.0
    >>> model = tf.keras.Sequential([tf.keras.Input([2]), Double()])
    >>> print(tf.keras.models.clone_model(model)(tf.ones([1, 2])))
    tf.Tensor([[2. 2.]], shape=(1, 2), dtype=float32)
    >>> tf.keras.saving.get_registered_name(Double)
    'mine>Double'
    """

    def registered(value: T) -> T:
        if not (callable(value) and hasattr(value, "__name__")):
            raise ValueError(f"register_keras_serializable of {value!r}: it is for classes and functions")
        if isinstance(value, type) and not hasattr(value, "get_config"):
            raise ValueError(
                f"register_keras_serializable of the class {value.__name__}, which has no method get_config(): it "
                "tells what an object was made with"
            )
        full = f"{package}>{name or value.__name__}"
        _registered[full] = value
        _names[id(value)] = full
        return value

    return registered


def get_registered_name(obj: object) -> str:
    """The name by which configurations have a class or a function.

    Args:
      obj: the class or the function.
    Returns: ``"package>name"`` where it is registered, else its own name.

    >>> class Plain:
    ...     pass
    >>> tf.keras.saving.get_registered_name(Plain)
    'Plain'
    """
    return _names.get(id(obj)) or str(getattr(obj, "__name__", type(obj).__name__))


def get_registered_object(
    name: str, custom_objects: Mapping[str, object] | None = None, module_objects: Mapping[str, object] | None = None
) -> object:
    """What goes by a name: given now, known in the `custom_object_scope` around, or registered.

    Args:
      name: the name.
      custom_objects: what is looked through first, by names.
      module_objects: what is looked through last.
    Returns: the class or the function; None if there is none.

    >>> tf.keras.saving.get_registered_object("Nobody") is None
    True
    """
    for known in (custom_objects or {}, *reversed(_scopes.open), _for_all, _registered, module_objects or {}):
        if name in known:
            return known[name]
    return None


def custom(name: str, registered_name: object = None, custom_objects: Mapping[str, object] | None = None) -> object:
    """What a configuration has by a class's name, and by the one it is registered with; None if there is none."""
    for known in (custom_objects or {}, *reversed(_scopes.open), _for_all):
        for one in (registered_name, name):
            if isinstance(one, str) and one in known:
                return known[one]
    return _registered.get(registered_name) if isinstance(registered_name, str) else None


def by_its_own_name(name: str) -> object:
    """What is registered with a name, in whichever package; None if there is none, or more than one."""
    found = [value for full, value in _registered.items() if full.split(">")[-1] == name]
    return found[0] if len(found) == 1 else None


def get_custom_objects() -> dict[str, object]:
    """The classes and functions that all configurations know by name; add one's own to it.

    >>> class Double(tf.keras.layers.Layer):
    ...     pass
    >>> tf.keras.saving.get_custom_objects()["Double"] = Double
    >>> tf.keras.saving.get_registered_object("Double") is Double
    True
    >>> tf.keras.saving.get_custom_objects().clear()
    """
    return _for_all


@contextmanager
def custom_object_scope(custom_objects: Mapping[str, object] | None) -> Iterator[None]:
    """A block for `with` in which configurations know classes and functions of users.

    Args:
      custom_objects: the classes and functions by their names.

    >>> class Double(tf.keras.layers.Layer):
    ...     def call(self, inputs):
    ...         return inputs * 2.0
    >>> config = Double(name="twice").get_config()
    >>> with tf.keras.saving.custom_object_scope({"Double": Double}):
    ...     tf.keras.layers.deserialize({"class_name": "Double", "config": config}).name
    'twice'
    """
    _scopes.open.append(dict(custom_objects or {}))
    try:
        yield
    finally:
        _scopes.open.pop()


@contextmanager
def functions_as_they_are() -> Iterator[None]:
    """A block for `with` in which configurations have functions themselves, for copies that are made at once."""
    before, _scopes.as_they_are = _scopes.as_they_are, True
    try:
        yield
    finally:
        _scopes.as_they_are = before


def named(function: Callable[..., object]) -> object:
    """The name by which a configuration has a function.

    >>> named(lambda x: x)
    Traceback (most recent call last):
        ...
    ValueError: a function without a name has no place in a configuration: write it with def, and register it by \
@keras.saving.register_keras_serializable(), or give it as custom_objects where the configuration is read
    """
    if _scopes.as_they_are:
        return function
    name = get_registered_name(function)
    if name == "<lambda>":
        raise ValueError(
            "a function without a name has no place in a configuration: write it with def, and register it by "
            "@keras.saving.register_keras_serializable(), or give it as custom_objects where the configuration is read"
        )
    return name
