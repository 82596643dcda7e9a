"""Objects by their names and their configurations: what `get`, `serialize` and `deserialize` of each part stand on."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from autograph.operators.calls import call
from runtime.keras.custom_objects import by_its_own_name, custom, get_registered_name, named

Config: TypeAlias = dict[str, object]
Objects: TypeAlias = "Mapping[str, object] | None"


class Catalogue:
    """The classes and functions of one part, by all of their names.

    Args:
      kind: what one of them is, for messages.
      module: the part, as configurations call it: ``keras.optimizers``.
      members: the classes and functions, by the names that they go by.

    >>> shapes = Catalogue("shape", "keras.shapes", {"Ones": list, "total": sum})
    >>> shapes.find("total")
    <built-in function sum>
    >>> shapes.find("Onse")
    Traceback (most recent call last):
        ...
    ValueError: Unknown shape: 'Onse'. Did you mean 'Ones'?
    """

    def __init__(self, kind: str, module: str, members: Mapping[str, object]) -> None:
        self.kind, self.module, self.members = kind, module, members

    @classmethod
    def in_words(cls, kind: str, module: str, members: Mapping[str, object]) -> Catalogue:
        """One whose classes go by their names in words, too: ``"mean_io_u"`` for `MeanIoU`."""
        named = {in_words(name): member for name, member in members.items() if inspect.isclass(member)}
        return cls(kind, module, {**members, **{name: member for name, member in named.items() if name not in members}})

    def find(self, name: str, custom_objects: Objects = None) -> object:
        """What goes by a name; that of `custom_objects` comes first, then what users have registered."""
        known = {**self.members, **(custom_objects or {})}
        for found in (custom(name, name, custom_objects), self.members.get(name), by_its_own_name(name)):
            if found is not None:
                return found
        raise ValueError(f"Unknown {self.kind}: {name!r}.{nearest(name, known)}")

    def get(self, identifier: object) -> object:
        """What an argument stands for: the object itself, or what its name or its configuration makes."""
        if identifier is None:
            return None
        if isinstance(identifier, str):
            found = self.find(identifier)
            return found() if inspect.isclass(found) else found
        if isinstance(identifier, Mapping):
            return self.deserialize(identifier)
        if inspect.isclass(identifier):
            return identifier()
        if callable(identifier) or hasattr(identifier, "get_config"):
            return identifier
        raise ValueError(
            f"Could not interpret {self.kind} {identifier!r}: it is a name, a configuration, a class or an object"
        )

    def serialize(self, value: object) -> object:
        """The configuration of an object, or the name of a function."""
        if inspect.isroutine(value):
            return named(value)
        get_config: object = getattr(value, "get_config", None)
        if not callable(get_config):
            raise ValueError(f"Could not serialize {self.kind} {value!r}: it has no get_config()")
        name = type(value).__name__
        ours = self.members.get(name) is type(value)
        return {
            "module": self.module if ours else type(value).__module__,
            "class_name": name,
            "config": get_config(),
            "registered_name": None if ours else get_registered_name(type(value)),
        }

    def deserialize(self, config: object, custom_objects: Objects = None) -> object:
        """What a configuration describes, anew."""
        if config is None:
            return None
        if isinstance(config, str):
            found = self.find(config, custom_objects)
            return found() if inspect.isclass(found) else found
        if not isinstance(config, Mapping) or "class_name" not in config:
            raise ValueError(
                f"Could not interpret {config!r} as the configuration of {_article(self.kind)}: it is a dictionary "
                "with 'class_name' and 'config', as serialize() makes it"
            )
        name, settings = config["class_name"], config.get("config", {})
        if config.get("registered_name") and custom(str(name), config["registered_name"], custom_objects) is not None:
            name = config["registered_name"]
        if name == "function":
            return self.find(str(settings), custom_objects)
        cls = self.find(str(name), custom_objects)
        from_config: Callable[[object], object] | None = getattr(cls, "from_config", None)
        if from_config is not None:
            return from_config(dict(settings))
        if not inspect.isclass(cls):
            raise ValueError(f"{name!r} of {self.module} is no class, and cannot be made of a configuration")
        return call(cls, **settings)


def nearest(name: str, known: Iterable[str]) -> str:
    """The name that was meant, in a sentence.

    >>> nearest("learning_rat", ["learning_rate", "momentum"])
    " Did you mean 'learning_rate'?"
    """
    by_letters = {one.lower().replace("_", ""): one for one in known}
    near = difflib.get_close_matches(name.lower().replace("_", ""), list(by_letters), 1)
    if near:
        return f" Did you mean {by_letters[near[0]]!r}?"
    return f" There are: {', '.join(sorted(by_letters.values()))}."


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def in_words(name: str) -> str:
    """The name of a class as Keras names objects after it.

    >>> [in_words(name) for name in ("Dense", "MaxPooling2D", "Conv2DTranspose", "SimpleRNN", "LSTMCell", "ReLU")]
    ['dense', 'max_pooling2d', 'conv2d_transpose', 'simple_rnn', 'lstm_cell', 're_lu']
    """
    return re.sub(r"(?<=.)(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])", "_", name.lstrip("_")).lower()
