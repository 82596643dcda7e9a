"""What a ConcreteFunction takes and returns, as tensors without values and as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.reading import bare_copy
from runtime.control import Slot
from runtime.control.plans import Chosen, ListPlan, ObjectPlan
from runtime.functions.signature import Arguments, attributes_besides, is_structure, parts_of
from runtime.functions.standing import Standing
from runtime.graph.graph import HandleType, ListType, TensorType, Type, strong_dtype
from runtime.graph.shapes import show
from runtime.tensors import nest


@dataclass(frozen=True)
class OneOf:
    """What a function returns where the graph decides which of several kinds of things that is.

    >>> @tf.function
    ... def positive(x):
    ...     if x > 0:
    ...         return x
    >>> positive.get_concrete_function(tf.constant(1)).structured_outputs
    OneOf(options=(None, <tf.Tensor 'Identity:0' shape=() dtype=int32>))
    """

    options: tuple[object, ...]


def structured(plan: object, leaf: Callable[[int], object]) -> object:
    """What a plan stands for, with `leaf` of its number in the place of each result of the graph."""

    def inside(part: object) -> object:
        if isinstance(part, Standing):
            return _Text(part.name) if part.name else part.found(None)
        if isinstance(part, Slot):
            return leaf(part.number)
        if isinstance(part, Chosen):
            return OneOf(tuple(map(inside, part.options)))
        if isinstance(part, ListPlan):
            return list(map(inside, part.elements if part.columns is None else part.columns))
        if isinstance(part, ObjectPlan):
            made: Any = (
                bare_copy(part.template) if part.items is None
                else nest.derived(part.template, [inside(item) for item in part.items])
            )  # fmt: skip
            for name, attribute in part.attributes.items():
                object.__setattr__(made, name, inside(attribute))
            return made
        if nest.is_nested(part):
            kind = list if isinstance(part, list) else type(part)
            inner = [inside(one) for one in nest.parts(part)]
            return kind(inner) if kind in (list, tuple) else nest.of_kind(part, inner)
        return part

    return inside(plan)


def numbers_of(plan: object) -> list[int]:
    """Which results of the graph a plan shows, in order."""
    found: dict[int, None] = {}
    structured(plan, lambda number: found.setdefault(number))
    return list(found)


class _Text:
    """Text that stands for itself in a structure that is shown."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def described(type_: Type | None) -> str:
    """A tensor, in words: ``float32 Tensor, shape=(2,)``."""
    if isinstance(type_, HandleType):
        return f"{type_.dtype.name} Variable, shape={show(type_.shape)}"
    if isinstance(type_, ListType):
        return f"list of {strong_dtype(type_).name} Tensors, shape={show(type_.shape)}"
    assert isinstance(type_, TensorType)
    return f"{strong_dtype(type_).name} Tensor, shape={show(type_.without_symbols().shape)}"


def signature_text(name: str, arguments: Arguments, result: object, types: Sequence[Type], verbose: bool = True) -> str:
    """The signature of a graph: ``f(x, n=2)``, what tensors it takes, and what it returns."""
    head, taken = [], []
    leaves = iter(zip(arguments.leaves, arguments.types))
    seen: dict[int, object] = {}
    for parameter, value in arguments.bound.items():
        own = parameter.lstrip("*")
        held: list[str] = []
        shown = _numbered(value, leaves, held, seen)
        if not held:
            head.append(f"{own}={shown!r}")
            continue
        head.append(own)
        taken += _entry(own, shown, held, is_structure(value))
    first = f"{name}({', '.join(head)})"
    if not verbose:
        return first
    returned: list[str] = []
    shown = structured(result, lambda number: _mark(returned, described(types[number])))
    lines = [first, *(["  Args:", *taken] if taken else []), "  Returns:"]
    if len(returned) == 1 and isinstance(shown, _Text):
        return "\n".join([*lines, f"    {returned[0]}"])
    return "\n".join([*lines, f"    {shown!r}", *_marked(returned)])


def _numbered(
    value: object, leaves: Iterator[tuple[object, Type | None]], held: list[str], seen: dict[int, object]
) -> object:
    """A structure of arguments with a mark for each tensor, whose description goes to `held`."""
    if not is_structure(value):
        leaf, kind = next(leaves)
        return leaf if kind is None else _mark(held, described(kind))
    if not isinstance(value, tuple) and id(value) in seen:
        return seen[id(value)]
    inner = [_numbered(part, leaves, held, seen) for part in parts_of(value)]
    if besides := len(attributes_besides(value)):
        inner = inner[:-besides]
    if isinstance(value, list | tuple) or not nest.is_nested(value):
        made: object = tuple(inner) if isinstance(value, tuple) and not hasattr(value, "_fields") else inner
        if hasattr(value, "_fields"):
            made = nest.of_kind(value, inner)
    elif isinstance(value, Mapping):
        made = dict(zip(value, inner))
    else:
        made = nest.of_kind(value, inner)
    seen[id(value)] = made
    return made


def _mark(held: list[str], text: str) -> _Text:
    held.append(text)
    return _Text(f"<{len(held)}>")


def _entry(name: str, shown: object, held: Sequence[str], is_nested: bool) -> list[str]:
    if not is_nested:
        return [f"    {name}: {held[0]}"]
    return [f"    {name}: {shown!r}", *_marked(held)]


def _marked(held: Sequence[str]) -> list[str]:
    return [f"      <{number}>: {text}" for number, text in enumerate(held, 1)]
