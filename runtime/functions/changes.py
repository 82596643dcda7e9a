"""What a traced function changes of its arguments: found while it is traced, and written back after each run."""

from __future__ import annotations

import array
import copy
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.control.lists import TensorList
from runtime.control.tables import taken_apart
from runtime.functions.restored import restored
from runtime.functions.signature import attributes_besides, is_structure, parts_of
from runtime.functions.standing import Path, Standing, WasThere, at_path
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
    containers: Sequence[tuple[str, Path]] = ()


def own(leaf: object, made: dict[int, object]) -> object:
    """What a traced function is given for a Python value: a copy, if it can change."""
    return made.setdefault(id(leaf), copy.copy(leaf)) if type(leaf) in _COPIED else leaf


class Before:
    """What the arguments of a function hold before it is traced."""

    def __init__(self, call: dict[str, object], kept: Collection[int] = ()) -> None:
        self._found: list[tuple[str, Path, object, object]] = []
        self._tuples: dict[int, tuple[str, Path]] = {}
        seen = {*kept}  # by identity: the program's own, of which it is known elsewhere what changes
        for name, value in call.items():
            for path, container in _containers(value, seen):
                if isinstance(container, tuple):
                    self._tuples.setdefault(id(container), (name, path))
                else:
                    self._found.append((name, path, container, _content(container)))

    def differs(self) -> bool:
        """Whether one of the containers holds something else by now."""
        return any(_differs(container, held) for *_, container, held in self._found)

    def among(self, has: Callable[[object], bool]) -> dict[int, tuple[str, Path]]:
        """The containers that something `has`, by their identities."""
        return {id(container): (name, path) for name, path, container, _ in self._found if has(container)}

    def containers(self) -> dict[int, tuple[str, Path]]:
        """The lists and other containers among them, by their identities: of which parameter, and how to reach them."""
        return {id(container): (name, path) for name, path, container, _ in self._found}

    def passed(self) -> dict[int, tuple[str, Path]]:
        """The same with tuples, which cannot change."""
        return {**self._tuples, **self.containers()}

    def changed(self, trace: Trace, tensors: Sequence[object], there: WasThere) -> tuple[Changed, list[object]]:
        """What was changed of them, and what the containers among it hold now."""
        for *_, container, _ in self._found:
            if isinstance(container, TensorList) and container.is_grown and container.is_table():
                taken_apart(container)
        inputs: set[Value] = set(trace.inputs)
        written = [
            i for i, t in enumerate(tensors)
            if isinstance(t, SymbolicTensor) and (t.untold not in inputs or (isinstance(t, Array) and t.doubt))
        ]  # fmt: skip
        found = [(name, path, container) for name, path, container, held in self._found if _differs(container, held)]
        return Changed(written, [(name, path) for name, path, _ in found]), [_shown(c, there) for *_, c in found]


def _containers(
    value: object, seen: set[int], path: tuple[tuple[bool, Any], ...] = ()
) -> Iterator[tuple[Path, object]]:
    """The containers in an argument, those that can change each once, and how to reach them."""
    if type(value) in _COPIED and id(value) not in seen:
        yield path, value
    if not is_structure(value):
        return
    if not isinstance(value, tuple):
        if id(value) in seen:
            return
        seen.add(id(value))
    yield path, value
    for key, part in zip(_keys(value), parts_of(value)):
        yield from _containers(part, seen, (*path, key))


def _keys(value: Any) -> list[tuple[bool, object]]:
    """How to reach each part of a structure: whether by an item or an attribute, and which."""
    if isinstance(value, list | tuple | dict | deque):
        items = value if isinstance(value, dict) else range(len(value))
        return [*((True, key) for key in items), *((False, name) for name in attributes_besides(value))]
    return [(False, name) for name in nest.held(value)]


def _content(container: Any) -> Any:
    """What a container holds: its parts by how to reach them; of what has bytes a copy."""
    if type(container) in _COPIED:
        return copy.copy(container)
    return dict(zip(_keys(container), parts_of(container)))


def _differs(container: object, before: Any) -> bool:
    if type(container) in _COPIED:
        return bool(container != before)
    if has_grown(container):
        return True
    now = _content(container)
    # The order counts: a loop over a dictionary finds its items in it.
    return list(now) != list(before) or any(now[key] is not value for key, value in before.items())


def _shown(container: object, there: WasThere) -> object:
    """What a container holds, as something that a graph can return; another container that was there is that one."""

    def shown(part: object) -> object:
        if there.numpys:
            return part
        if (argument := there.argument(part)) is not None:
            return argument
        if nest.is_nested(part):
            return nest.of_kind(part, [shown(inner) for inner in nest.parts(part)])
        return Standing.of(part) if type(part) in _PYTHON else part  # of Python's it stays

    if isinstance(container, TensorList) and has_grown(container):
        return TensorList.holding(container.content)  # type: ignore[arg-type]
    content = _content(container)
    return {key: shown(part) for key, part in content.items()} if isinstance(content, dict) else content


def write_back(bound: Mapping[str, object], containers: Sequence[tuple[str, Path]], values: Sequence[object]) -> None:
    """Give containers in the arguments of a call other contents; those are left alone whose tensors were given."""
    found = [(at_path(bound[name], path), value) for (name, path), value in zip(containers, values) if name in bound]
    for container, value in found:
        _write(container, value)


def _write(value: Any, new: Any) -> None:
    if not isinstance(new, dict):  # the list that a graph has made, or a copy
        if isinstance(value, set):
            value.clear()
            value.update(new)
        else:
            value[:] = restored(value, [*new]) if isinstance(value, list) else new
        return
    items = {key: part for (is_item, key), part in new.items() if is_item}
    if isinstance(value, dict):
        kind = OrderedDict if isinstance(value, OrderedDict) else dict
        kind.clear(value)
        for key, part in items.items():
            kind.__setitem__(value, key, part)
    elif isinstance(value, deque):
        deque.clear(value)
        deque.extend(value, items.values())
    elif isinstance(value, list):
        list.__setitem__(value, slice(None), items.values())
    attributes = {key: part for (is_item, key), part in new.items() if not is_item}
    known = attributes_besides(value) if isinstance(value, list | dict | deque) else nest.held(value)
    for name in known.keys() - attributes.keys():
        object.__delattr__(value, name)
    for name, part in attributes.items():
        object.__setattr__(value, name, part)
