"""Objects whose state can be saved: what they hold, by names, and the state that is their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from runtime.tensors import nest
from runtime.tensors.module import Module
from runtime.tensors.variables import Variable


def children(value: object) -> Iterator[tuple[str, object]]:
    """What an object holds that can be saved, by the names of attributes, keys and numbers.

    >>> m = tf.Module()
    >>> m.w, m.note = [tf.Variable(1.0, name="w")], "text"
    >>> [name for name, _ in children(m)], [name for name, _ in children(m.w)]
    (['w'], ['0'])
    """
    for name, inner in _all_parts(value):
        if can_be_saved(inner):
            if not isinstance(name, str):
                raise ValueError(
                    f"a dictionary with Variables has the key {name!r}, and what is saved is found by texts: write "
                    f"{str(name)!r}"
                )
            yield name, inner


def _all_parts(value: Any) -> Iterable[tuple[object, object]]:
    held: Callable[[], Iterable[tuple[str, object]]] | None = getattr(type(value), "_held_for_checkpoints", None)
    if held is not None:
        return value._held_for_checkpoints()  # type: ignore[no-any-return]
    if isinstance(value, Module):
        return list(vars(value).items())
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, list | tuple):
        return [(str(number), inner) for number, inner in enumerate(value)]
    return nest.held(value).items() if nest.is_nested(value) else ()


def has_state(value: object) -> bool:
    """Whether it has a state of its own, besides that of what it holds."""
    return isinstance(value, Variable | np.random.Generator) or hasattr(type(value), "_state_for_checkpoints")


def is_object(value: object) -> bool:
    """Whether something can be saved in itself, rather than for what is in it."""
    return has_state(value) or isinstance(value, Module) or hasattr(type(value), "_held_for_checkpoints")


def can_be_saved(value: object, within: tuple[int, ...] = ()) -> bool:
    """Whether something has a state, or is a structure in which something has one; it may hold itself."""
    if is_object(value):
        return True
    if id(value) in within or not (isinstance(value, Mapping) or nest.is_nested(value)):
        return False
    return any(can_be_saved(inner, (*within, id(value))) for _, inner in _all_parts(value))


def state_of(generator: Any) -> dict[str, object]:
    """The state of a generator of random numbers, or of an iterator over a dataset, as plain values.

    >>> state_of(np.random.default_rng(0))["generator"]
    'PCG64'
    """
    if not isinstance(generator, np.random.Generator):
        return generator._state_for_checkpoints()  # type: ignore[no-any-return]
    return {"generator": type(generator.bit_generator).__name__, "state": _plain(generator.bit_generator.state)}


def set_state(generator: Any, state: Mapping[str, object], name: str) -> None:
    """Have a generator of random numbers, or an iterator over a dataset, go on from a state."""
    if not isinstance(generator, np.random.Generator):
        try:
            generator._go_on_from(state)
        except (KeyError, TypeError) as error:
            raise ValueError(f"{name} is an iterator over a dataset, and that of the checkpoint is none") from error
        return
    kind = type(generator.bit_generator).__name__
    if state.get("generator") != kind:
        raise ValueError(
            f"{name} is a generator of random numbers with {kind}, and that of the checkpoint has "
            f"{state.get('generator')}: make it with the same"
        )
    generator.bit_generator.state = _as_arrays(state["state"])


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.name, "numbers": value.tolist()}
    return value.item() if isinstance(value, np.generic) else value


def _as_arrays(value: object) -> Any:
    if isinstance(value, Mapping):
        if value.keys() == {"dtype", "numbers"}:
            return np.array(value["numbers"], value["dtype"])
        return {name: _as_arrays(inner) for name, inner in value.items()}
    return value
