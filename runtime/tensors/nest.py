"""Nested Python structures (lists, tuples, named tuples, dicts, dataclasses) of leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from autograph.reading import bare_copy, held_by, is_made_later
from autograph.rules import is_left_alone
from runtime.graph.shapes import TensorShape
from runtime.tensors.composites import Composite
from runtime.tensors.growing import Growing, has_grown
from runtime.tensors.handles import Handle, again, number_in
from runtime.tensors.types import Structure

ATOMS: set[type] = {bool, int, float, complex, str, bytes}
"""Types of what is a leaf wherever it stands: most of what is asked about. Tensors add themselves."""


def is_nested(value: object) -> bool:
    """Whether a value is a structure: a list, tuple or dict, a dataclass of the user's, or what is made of several
    tensors. Tensors and shapes are none."""
    kind = type(value)
    if kind in ATOMS:
        return False
    if isinstance(value, list):
        return not has_grown(value)  # else only the graph knows how long it is
    if isinstance(value, tuple | dict):
        return not isinstance(value, TensorShape)
    if issubclass(kind, Composite):
        return True
    return hasattr(kind, "__dataclass_fields__") and not isinstance(value, type) and not is_left_alone(kind.__module__)


def parts(value: object) -> Iterable[object]:
    """What a structure consists of, in order."""
    if isinstance(value, Handle):
        return (number_in(value),)
    if isinstance(value, list | tuple):
        return value
    return value.values() if isinstance(value, dict) else held(value).values()


def keys(value: Any) -> Collection[object]:
    """By what the parts of a structure are known in it: indices, keys, or the names of attributes."""
    if isinstance(value, list | tuple):
        return range(1 if isinstance(value, Handle) else len(value))
    return value if isinstance(value, dict) else held(value)


def held(value: Any) -> dict[str, object]:
    """The attributes of a dataclass, with slots or without."""
    known: dict[str, object] | None = getattr(value, "__dict__", None)
    if known is not None:
        return known
    return {name: getattr(value, name) for name in value.__dataclass_fields__ if hasattr(value, name)}


def paths(value: object) -> list[str]:
    """How to reach each part of a structure: ``[0]``, ``['key']``, ``.attribute``."""
    if isinstance(value, list | tuple):
        return [f"[{i}]" for i in keys(value)]  # type: ignore[str-bytes-safe]
    return [f"[{k!r}]" for k in value] if isinstance(value, dict) else [f".{k}" for k in held(value)]


def flatten(value: Structure, expanded: bool = True) -> list[Structure]:
    """The leaves of a structure, such as tensors of any shape, in order; those of a dict as they were put in.

    What is made of several tensors is a leaf unless it is `expanded`.

    >>> tf.nest.flatten({"a": 1, "b": (2, [3])})
    [1, 2, 3]
    """
    if not is_nested(value) or (isinstance(value, Composite) and not expanded):
        return [value]
    return [leaf for part in parts(value) for leaf in flatten(part, expanded)]


def rebuild(structure: object, leaves: Iterator[object]) -> Any:
    """The structure with its leaves replaced, in order."""
    if not is_nested(structure):
        return next(leaves)
    return of_kind(structure, [rebuild(part, leaves) for part in parts(structure)])


def of_kind(structure: Structure, new: Sequence[object]) -> object:
    """A structure like this one with other parts, in the same order."""
    kind = type(structure)
    if isinstance(structure, list):
        return kind(new)
    if isinstance(structure, Handle):
        return again(structure, new)
    if isinstance(structure, tuple):
        return kind(*new) if hasattr(structure, "_fields") else kind(new)
    if not isinstance(structure, dict):
        made = bare_copy(structure)
        for name, part in zip(held(structure), new):
            object.__setattr__(made, name, part)
        return made
    items = dict(zip(structure, new))
    if kind is dict:
        return items
    try:
        return kind(items)
    except TypeError:
        made = structure.copy()
        made.update(items)
        return made


def derived(template: Any, new: Iterable[object]) -> Any:
    """A list, tuple or dictionary of the same class with the same attributes, and with other items in the same order;
    nothing that the class says of how it is made is asked."""
    kind = type(template)
    native: Any = next(base for base in kind.__mro__ if not is_made_later(base))
    if isinstance(template, tuple):
        made = native.__new__(kind, new)
    else:
        made = native.__new__(kind)
        native.__init__(made, *([template.default_factory] if native is defaultdict else []))
    if isinstance(template, list):
        list.extend(made, new)
    elif isinstance(template, dict):
        for key, item in zip(native.__iter__(template), new):
            native.__setitem__(made, key, item)
    for name, attribute in held_by(template).items():
        object.__setattr__(made, name, attribute)
    return made


def keys_in_order(structure: dict[object, object]) -> list[Any]:
    """The keys of a dictionary in order; those that have none as they were put in."""
    try:
        return sorted(structure)
    except TypeError:
        return [*structure]


def in_order(structure: object) -> object:
    """A structure whose dictionaries are sorted by their keys, where these have an order."""
    if not is_nested(structure):
        return structure
    if isinstance(structure, dict):
        return {key: in_order(structure[key]) for key in keys_in_order(structure)}
    return of_kind(structure, [in_order(part) for part in parts(structure)])


def map_structure(function: Callable[..., object], *structures: Structure) -> Structure:
    """A structure with each leaf replaced by what a function makes of it.

    Args:
      function: takes a leaf, such as a tensor of any shape, of each structure.
      structures: one structure, or several with as many leaves each.
    Returns: a structure like the first.
    Raises:
      ValueError: if the structures do not have as many leaves.

    >>> tf.nest.map_structure(lambda x, y: x + y, {"a": 1, "b": (2, 3)}, {"a": 10, "b": (20, 30)})
    {'a': 11, 'b': (22, 33)}
    """
    columns = [flatten(s) for s in structures]
    return rebuild(structures[0], iter([function(*row) for row in zip(*columns, strict=True)]))


def alike(a: object, b: object, free: Callable[[object, object], bool] = lambda a, b: False) -> bool:
    """Whether two values are the same structure, of the same kinds all the way down; any two leaves are alike, and
    any two parts that are `free`.

    >>> alike([1, (2, 3)], [4, (5, 6)]), alike([1, (2, 3)], [4, [5, 6]])
    (True, False)
    """
    if not is_nested(a) or not is_nested(b):
        return is_nested(a) is is_nested(b) or free(a, b)
    kinds = [list if isinstance(value, Growing) else type(value) for value in (a, b)]
    if kinds[0] is not kinds[1] or len(own := list(parts(a))) != len(others := list(parts(b))):
        return False
    return paths(a) == paths(b) and all(alike(x, y, free) for x, y in zip(own, others))


def describe(value: object, leaf: Callable[[object], str] = lambda _: "·") -> str:
    """The structure, by default without its leaves: ``(·, [·, ·])``."""
    if not is_nested(value):
        return leaf(value)
    inner = [describe(part, leaf) for part in parts(value)]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {text}" for k, text in zip(value, inner)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(inner) + "]"
    if isinstance(value, Handle):
        return f"a {type(value).__name__}"
    if not isinstance(value, tuple):
        return f"{type(value).__name__}({', '.join(f'{k}={text}' for k, text in zip(held(value), inner))})"
    if hasattr(value, "_fields"):
        return f"{type(value).__name__}({', '.join(f'{k}={text}' for k, text in zip(value._fields, inner))})"
    return "(" + ", ".join(inner) + ("," if len(value) == 1 else "") + ")"
