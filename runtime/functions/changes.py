"""What a traced function changes of its arguments: found while it is traced, and written back after each run."""

from __future__ import annotations

import array
import copy
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.control.lists import TensorList
from runtime.control.tables import taken_apart
from runtime.functions.signature import Arguments, is_structure, parts_of
from runtime.graph.graph import Value
from runtime.tensors import nest
from runtime.tensors.growing import has_grown
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace
from runtime.tensors.views import Array

_PYTHON = (bool, int, float, complex, str, bytes)
_COPIED = (set, bytearray, array.array)  # values of Python's own that are part of the signature, and can change


@dataclass
class Changed:
    """Which of the tensors are changed, whose values come after the results; and which lists, dictionaries and other
    containers, by parameter and path, which come with the results."""

    tensors: Sequence[int] = ()
    containers: Sequence[tuple[str, tuple[Any, ...]]] = ()


def own(leaf: object, made: dict[int, object]) -> object:
    """What a traced function is given for a Python value: a copy, if it can change."""
    return made.setdefault(id(leaf), copy.copy(leaf)) if type(leaf) in _COPIED else leaf


@dataclass(frozen=True)
class _Constant:
    """A value of Python's own in a container, which stays one."""

    value: object


@dataclass(frozen=True)
class _Argument:
    """A container in a container that the function was given, too: that very one."""

    name: str
    path: tuple[Any, ...]


class Before:
    """What the arguments of a function hold before it is traced."""

    def __init__(self, call: dict[str, object]) -> None:
        self._found: list[tuple[str, tuple[object, ...], object, object]] = []
        seen: set[int] = set()
        for name, value in call.items():
            for path, container in _containers(value, seen):
                self._found.append((name, path, container, _content(container)))

    def containers(self) -> frozenset[int]:
        """The identities of the lists and other containers among them."""
        return frozenset(id(container) for *_, container, _ in self._found)

    def changed(self, trace: Trace, given: Sequence[object], arguments: Arguments) -> tuple[Changed, list[object]]:
        """What was changed of them, and what the containers among it hold now."""
        for *_, container, _ in self._found:
            if isinstance(container, TensorList) and container.is_grown and container.is_table():
                taken_apart(container)
        inputs: set[Value] = set(trace.inputs)
        leaves = [leaf for leaf, kind in zip(given, arguments.types) if kind is not None]
        tensors = [
            i for i, t in enumerate(leaves)
            if isinstance(t, SymbolicTensor) and (t.untold not in inputs or (isinstance(t, Array) and t.doubt))
        ]  # fmt: skip
        found = [(name, path, container) for name, path, container, held in self._found if _differs(container, held)]
        known = {id(container): _Argument(name, path) for name, path, container, _ in self._found}
        return Changed(tensors, [(name, path) for name, path, _ in found]), [_shown(c, known) for *_, c in found]


def _containers(
    value: object, seen: set[int], path: tuple[object, ...] = ()
) -> Iterator[tuple[tuple[object, ...], object]]:
    """The containers in an argument that can change, each once, and how to reach them."""
    if type(value) in _COPIED:
        yield path, value
    if not is_structure(value):
        return
    if not isinstance(value, tuple):
        if id(value) in seen:
            return
        seen.add(id(value))
        yield path, value
    if isinstance(value, dict):
        keys: list[tuple[bool, object]] = [(True, key) for key in value]
    else:
        keys = [(True, i) for i in range(len(parts_of(value)))] if _is_sequence(value) else [
            (False, name) for name in nest.held(value)]  # fmt: skip
    for key, part in zip(keys, parts_of(value)):
        yield from _containers(part, seen, (*path, key))


def _is_sequence(value: object) -> bool:
    return isinstance(value, list | tuple | deque)


def _content(container: Any) -> Any:
    if type(container) in _COPIED:
        return copy.copy(container)
    if _is_sequence(container):
        return dict(enumerate(container))
    return dict(container if isinstance(container, dict) else nest.held(container))


def _differs(container: object, before: Any) -> bool:
    if type(container) in _COPIED:
        return bool(container != before)
    if has_grown(container):
        return True
    now = _content(container)
    # The order counts: a loop over a dictionary finds its items in it.
    return list(now) != list(before) or any(now[key] is not value for key, value in before.items())


def _shown(container: object, known: Mapping[int, _Argument]) -> object:
    """What a container holds, as something that a graph can return."""

    def shown(part: object) -> object:
        if id(part) in known:
            return known[id(part)]
        if nest.is_nested(part):
            return nest.of_kind(part, [shown(inner) for inner in nest.parts(part)])
        return _Constant(part) if type(part) in _PYTHON else part

    content = container if isinstance(container, list | dict) else _content(container)
    return nest.of_kind(content, [shown(part) for part in nest.parts(content)]) if nest.is_nested(content) else content


def write_back(
    bound: Mapping[str, object], containers: Sequence[tuple[str, tuple[Any, ...]]], values: Sequence[object]
) -> None:
    """Give containers in the arguments of a call other contents."""

    def itself(leaf: object) -> object:
        if type(leaf) is _Argument:
            return _reached(bound[leaf.name], leaf.path)
        return leaf.value if type(leaf) is _Constant else leaf

    found = [_reached(bound[name], path) for name, path in containers]
    made = [nest.map_structure(itself, value) if nest.is_nested(value) else value for value in values]
    for container, value in zip(found, made):
        _write(container, value)


def _reached(value: Any, path: Sequence[tuple[bool, Any]]) -> Any:
    for is_item, key in path:
        value = value[key] if is_item else getattr(value, key)
    return value


def _write(value: Any, new: Any) -> None:
    if isinstance(value, dict | set):
        value.clear()
        value.update(new)
    elif isinstance(value, deque):
        value.clear()
        value.extend(new.values())
    elif isinstance(value, list | bytearray | array.array):
        value[:] = new
    else:
        for name in nest.held(value).keys() - new.keys():
            object.__delattr__(value, name)
        for name, part in new.items():
            object.__setattr__(value, name, part)
