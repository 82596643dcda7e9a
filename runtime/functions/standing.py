"""What was there before a call and is returned, or left in what the caller has: each call gives that very object."""

from __future__ import annotations

import array
import functools
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from autograph import StagingError
from autograph.operators.items import stands_in
from autograph.operators.mutations import Mutations
from autograph.reading import held_by, reached
from runtime.control import Slot
from runtime.control.unions import union_of
from runtime.graph.dtypes import NumPyArray
from runtime.tensors import nest
from runtime.tensors.leaf_types import is_leaf
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.views import whole

Path: TypeAlias = Sequence[tuple[bool, Any]]  # for each step, whether it is an item or an attribute, and which

_MOST = 10_000  # objects that are looked at for a way
_CONTAINERS = (list, dict, set, deque, bytearray, array.array, np.ndarray)  # which are one, and not only alike


@dataclass(frozen=True, eq=False)
class Standing(Slot):
    """The place in a plan of something that was there before the call.

    It is found from an argument (`name`), or from what `root` gives, by way of attributes and items.
    """

    number: int = -1
    name: str = ""
    root: Callable[[], object] = lambda: None
    path: Path = ()

    @classmethod
    def of(cls, value: object) -> Standing:
        """The place of a value that the graph keeps."""
        return cls(root=lambda: value)

    def found(self, bound: Mapping[str, object] | None) -> object:
        """That object, for a call with these arguments."""
        if not self.name:
            return at_path(self.root(), self.path)
        if bound is None or self.name not in bound:
            raise StagingError(
                f"the function returns what it is given as '{self.name}', or changes it, and was given the tensors in "
                "it one by one. Call it with the list, dictionary or object itself."
            )
        return at_path(bound[self.name], self.path)


class WasThere:
    """Knows what was there before a function was traced.

    Args:
      mutations: what the function can reach.
      passed: the structures among the arguments, by identity, with their parameters and paths.
      objects: what the function is bound to or called with, and a graph does not keep alive.
      numpys: whether it gives what it would without a graph, so that what is returned keeps its identity.
    """

    def __init__(
        self, mutations: Mutations, passed: Mapping[int, tuple[str, Path]], objects: Iterable[object], numpys: bool
    ) -> None:  # fmt: skip
        self.numpys, self._mutations, self._passed = numpys, mutations, passed
        self._objects = {id(one): one for one in objects}
        self._bound: set[int] = set()
        self.instead: Mapping[int, object] = {}  # by the identity of what is there while tracing, what was

    def argument(self, value: object) -> Standing | None:
        """Where a container stands among the arguments; None if it is none of them."""
        found = self._passed.get(id(value))
        return None if found is None else Standing(name=found[0], path=found[1])

    def was(self, value: object) -> bool:
        """Whether an object was there."""
        return self._mutations.has(value)

    def stays(self, value: object) -> bool:
        """Whether the program has the very object after the call, as it was there or is bound by now."""
        return self.was(value) or id(value) in self._bound

    def bind(self, values: Iterable[object]) -> None:
        """Know what the program has bound where no graph does it again."""
        bound: object = [*values]
        self._bound = {id(leaf) for leaf in nest.flatten(bound)}
        parts = reached(bound, lambda one: nest.parts(one) if nest.is_nested(one) else ())
        self._bound.update(id(part) for part in islice(parts, _MOST) if part is not bound and _is_one(part))

    def has(self, value: object) -> bool:
        """Whether an object was there, and is that very one where it is returned."""
        if id(value) in self._objects or id(value) in self.instead:
            return True
        if not self.numpys or (type(value) is tuple and not value):
            return False
        return id(value) in self._passed or (_is_one(value) and self.stays(value))

    def was_part(self, value: object) -> bool:
        """Whether an object was there, or is an array that shares the memory of one that was."""
        return self.was(value) or (isinstance(value, np.ndarray) and id(whole(value)) in self._wholes)

    def has_memory(self, array: NumPyArray) -> bool:
        """Whether an array is a view of one that was there."""
        return self.numpys and id(whole(array)) in self._wholes

    @functools.cached_property
    def _wholes(self) -> set[int]:
        return {id(whole(one)) for one in self._mutations.things() if isinstance(one, np.ndarray)}

    def standing(self, value: object) -> Standing | None:
        """Where a value stands that was there; None if it was not."""
        value = self.instead.get(id(value), value)
        if not self.has(value):
            return None
        return self.argument(value) or self._from_an_object(value) or Standing.of(value)

    def reference(self, value: object) -> Callable[[], object]:
        """What finds an object without keeping it alive, where that is possible."""
        try:
            return weakref.ref(value)
        except TypeError:  # its class allows no weak references
            found = self._from_an_object(value)
            return (lambda: value) if found is None else functools.partial(found.found, None)

    def _from_an_object(self, value: object) -> Standing | None:
        found = self._ways.get(id(value))
        return None if found is None else Standing(root=found[0], path=found[1])

    @functools.cached_property
    def _ways(self) -> dict[int, tuple[Callable[[], object], Path]]:
        """How to reach what the objects lead to, by its identity."""
        ways: dict[int, tuple[Callable[[], object], Path]] = {}
        for one in self._objects.values():
            try:
                root = weakref.ref(one)
            except TypeError:
                continue
            for identity, path in _ways_from(one):
                ways.setdefault(identity, (root, path))
        return ways


def at_path(value: Any, path: Path) -> Any:
    for is_item, key in path:
        value = value[key] if is_item else getattr(value, key)
    return value


def _is_one(value: object) -> bool:
    """Whether it matters which of several equal objects a value is."""
    if isinstance(value, _CONTAINERS):
        return True
    return not (is_leaf(value) or union_of(value) is not None or stands_in(value))


def _ways_from(root: object) -> Iterator[tuple[int, Path]]:
    """What an object leads to, by its identity, with the fewest steps to it."""
    waiting: list[tuple[object, Path]] = [(root, ())]
    seen = {id(root)}
    for one, path in islice(waiting, _MOST):
        yield id(one), path
        for step, part in _steps(one):
            if type(part) not in nest.ATOMS and id(part) not in seen:
                seen.add(id(part))
                waiting.append((part, (*path, step)))


def _steps(value: Any) -> Iterator[tuple[tuple[bool, Any], object]]:
    if isinstance(value, SymbolicTensor) or union_of(value) is not None:
        return  # it stands there only while a function is traced
    if isinstance(value, dict):
        yield from (((True, key), part) for key, part in dict.items(value))
    elif isinstance(value, list | tuple):
        yield from (((True, i), part) for i, part in enumerate(value))
    elif not isinstance(value, type):
        yield from (((False, name), part) for name, part in held_by(value).items())
