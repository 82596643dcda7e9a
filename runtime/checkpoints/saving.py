"""The state of an object and of all that it holds, in a file; and the way back, to objects that may come later."""

from __future__ import annotations

import atexit
import os
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from runtime.checkpoints import archives
from runtime.checkpoints.archives import Path
from runtime.checkpoints.objects import children, has_state, is_object, set_state, state_of
from runtime.graph.callers import warn
from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import InvalidArgumentError, NotFoundError
from runtime.tensors import tracking
from runtime.tensors.trace import recording
from runtime.tensors.variables import Variable

ENDING = ".npz"
VALUE = ".ATTRIBUTES/VARIABLE_VALUE"  # as TensorFlow calls it

_FORMAT, _VERSION = "runtime checkpoint", 1


def file_of(path: Path) -> str:
    """The file of a checkpoint, which is known without the ending."""
    path = os.fspath(path)
    return path if path.endswith(ENDING) else path + ENDING


def write(root: object, path: Path) -> None:
    """Write the state of an object, and of all that it holds, to a file."""
    nodes: list[dict[str, object]] = []
    arrays: dict[str, NumPyArray] = {}
    numbers: dict[int, int] = {}
    waiting: list[tuple[object, tuple[str, ...]]] = [(root, ())]
    numbers[id(root)] = 0
    for value, names in waiting:  # which grows: what is nearest to the root is named first
        below: dict[str, int] = {}
        node: dict[str, object] = {"name": "/".join(map(_escaped, names)), "children": below}
        nodes.append(node)
        if isinstance(value, Variable):
            key = "/".join([*map(_escaped, names), VALUE])
            arrays[key] = np.asarray(value.array)  # a text in it stays an object, whose length may change
            node["array"] = key
        elif has_state(value):
            node["state"] = state_of(value)
        else:
            for name, inner in children(value):
                if id(inner) not in numbers:
                    numbers[id(inner)] = len(waiting)
                    waiting.append((inner, (*names, name)))
                below[name] = numbers[id(inner)]
    archives.write(file_of(path), {"format": _FORMAT, "version": _VERSION, "nodes": nodes}, arrays)


def write_arrays(path: Path, arrays: Mapping[str, NumPyArray]) -> None:
    """Write arrays by names that are no parts of an object."""
    archives.write(file_of(path), {"format": _FORMAT, "version": _VERSION, "nodes": []}, arrays)


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def read(path: Path) -> tuple[list[Mapping[str, Any]], dict[str, NumPyArray]]:
    """The nodes of the graph of objects that a file has the state of, and the arrays."""
    file = file_of(path)
    if not os.path.exists(file):
        raise NotFoundError(
            f"there is no checkpoint {os.fspath(path)!r}: no file {file!r}. The number at its end belongs to the path, "
            "as in 'folder/ckpt-1'; train.latest_checkpoint(folder) tells the last one"
        )
    about, arrays = archives.read(file, "a checkpoint")
    if about.get("format") != _FORMAT:
        raise ValueError(f"{file!r} is not a checkpoint, as train.Checkpoint writes it")
    if about.get("version") != _VERSION:
        raise ValueError(f"{file!r} was written by a later version of the library: {about.get('version')!r}")
    nodes = about["nodes"]
    missing = [node["array"] for node in nodes if "array" in node and node["array"] not in arrays]
    if missing:
        raise ValueError(f"{file!r} is damaged: it has no array {missing[0]!r}")
    return nodes, arrays


class Restoration:
    """States from a file, on their way to objects: at once to those that are there, to others when they come.

    Args:
      root: the object that the file begins with.
      path: the file.
    """

    def __init__(self, root: object, path: Path) -> None:
        self.path = os.fspath(path)
        self.nodes, self.arrays = read(path)
        self.quiet = False
        self._found: dict[int, Callable[[], object]] = {}  # the object of each node
        self._places: dict[int, tuple[Callable[[], object], int]] = {}  # the node of each object, by its identity
        self._bind(self._matched(root, 0))
        if self.unused():
            tracking.waiting.append(self.look_again)

    def place_of(self, value: object) -> int | None:
        """The node of an object."""
        known = self._places.get(id(value))
        return known[1] if known is not None and known[0]() is value else None

    def unused(self) -> list[int]:
        """The nodes with states that no object has got."""
        return [n for n, node in enumerate(self.nodes) if ("array" in node or "state" in node) and n not in self._found]

    def has_found(self) -> bool:
        """Whether any object has got a value."""
        return any("array" in self.nodes[n] or "state" in self.nodes[n] for n in self._found)

    def look_again(self, owner: object = None) -> None:
        """Restore what has come since: an object has more, or any may have."""
        place = self.place_of(owner)
        known = [(owner, place)] if place is not None else self._alive()
        for value, number in known:
            self._bind(self._matched(value, number))
        if (not known or not self.unused()) and self.look_again in tracking.waiting:
            tracking.waiting.remove(self.look_again)

    def _alive(self) -> list[tuple[object, int]]:
        known = [(reference(), number) for reference, number in list(self._places.values())]
        return [(value, number) for value, number in known if value is not None]

    def _matched(self, value: object, number: int) -> list[tuple[object, int]]:
        """Objects that are new, with the nodes that they are for."""
        new: list[tuple[object, int]] = []
        seen: set[int] = set()
        stack = [(value, number)]
        while stack:
            value, number = stack.pop()
            node = self.nodes[number]
            if id(value) in seen or has_state(value) != ("array" in node or "state" in node):
                continue
            seen.add(id(value))
            if is_object(value) and self.place_of(value) is None:
                other = self._found[number]() if number in self._found else None
                other = next((v for v, n in new if n == number), other)
                if other is not None and other is not value:
                    warn(
                        f"{self.shown(number)} of the checkpoint {self.path!r} is one object, and the program has two "
                        f"in its place; only {other!r} is restored"
                    )
                    continue
                new.append((value, number))
            if not has_state(value):
                held = dict(children(value))
                stack += [(held[name], inner) for name, inner in reversed(node["children"].items()) if name in held]
        return new

    def _bind(self, pairs: list[tuple[object, int]]) -> None:
        for value, number in pairs:
            if isinstance(value, Variable) and "array" in self.nodes[number]:
                self._check(value, number)
        for value, number in pairs:
            node = self.nodes[number]
            reference = _reference(value)
            self._places[id(value)] = reference, number
            self._found[number] = reference
            if "array" in node and isinstance(value, Variable):
                with recording(None):  # it may come while a function is traced
                    value.assign(self.arrays[node["array"]])
            elif "state" in node:
                set_state(value, node["state"], self.shown(number))

    def _check(self, variable: Variable, number: int) -> None:
        array = self.arrays[self.nodes[number]["array"]]
        if not variable.shape.is_compatible_with(array.shape):
            raise ValueError(
                f"{self.shown(number)} of the checkpoint {self.path!r} has shape {array.shape}, and the Variable "
                f"'{variable.name}' that it is for {tuple(variable.shape.as_list())}"
            )
        if variable.dtype.dtype != array.dtype:
            raise InvalidArgumentError(
                f"{self.shown(number)} of the checkpoint {self.path!r} has dtype {array.dtype.name}, and the Variable "
                f"'{variable.name}' that it is for {variable.dtype.name}"
            )

    def shown(self, number: int) -> str:
        """The name of a node."""
        name = self.nodes[number]["name"]
        return f"'{name}'" if name else "the root"

    def unmatched(self, root: object) -> Iterator[object]:
        """What the program has that no state was found for."""
        seen: set[int] = set()
        stack = [root]
        while stack:
            value = stack.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if has_state(value):
                if self.place_of(value) is None:
                    yield value
            else:
                stack += [inner for _, inner in children(value)]


def _reference(value: object) -> Callable[[], object]:
    """What gives an object as long as there is one."""
    try:
        return weakref.ref(value)
    except TypeError:  # NumPy's generators have no such thing
        return lambda: value


@atexit.register
def _tell_what_is_left() -> None:
    """Warn of what nobody has asked for, when the program ends: until then objects may come that it is for."""
    for tell in tracking.waiting:
        restoration = getattr(tell, "__self__", None)
        if isinstance(restoration, Restoration) and not restoration.quiet and (left := restoration.unused()):
            names = ", ".join(map(restoration.shown, left[:5])) + (", ..." if len(left) > 5 else "")
            warnings.warn(
                f"the checkpoint {restoration.path!r} has values that nothing of the program was given: {names}. Call "
                "expect_partial() of what restore() gives if that is meant, or assert_consumed() to be sure it is not",
                stacklevel=1,
            )
