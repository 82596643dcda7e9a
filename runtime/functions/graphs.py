"""The graphs of a function, one for each signature, for as long as the objects live that they were made for."""

from __future__ import annotations

import functools
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any

from runtime.functions.concrete import ConcreteFunction
from runtime.functions.keys import ById, Consumed, relaxed, takes, within
from runtime.functions.signature import Arguments
from runtime.functions.state import Identity, Reference, identities
from runtime.graph.graph import TensorType

_FOR_ONE_KEY = 16  # graphs for one signature, as for what objects have held
_KEPT = 64  # objects whose classes allow no weak references


class Latest:
    """Entries of dictionaries for objects of which nothing tells when they go: the oldest of too many goes instead."""

    def __init__(self) -> None:
        self._entries: deque[tuple[dict[object, object], object]] = deque()

    def add(self, entries: dict[Any, Any], key: object) -> None:
        self._entries.append((entries, key))
        if len(self._entries) > _KEPT:
            oldest, key = self._entries.popleft()
            oldest.pop(key, None)


class Graphs(dict[Any, list[ConcreteFunction]]):
    """By the key of a signature, the graphs for it."""

    def __init__(self) -> None:
        super().__init__()
        self._latest = Latest()
        self._changing: dict[Any, Sequence[Reference] | None] = {}

    def usable(self, key: object, arguments: Arguments) -> ConcreteFunction | None:
        """One for these arguments whose captured values belong to the trace going on."""
        known: Sequence[ConcreteFunction] = self.get(key, ())
        return next((concrete for concrete in known if concrete.is_usable() and concrete.suits(arguments)), None)

    def general(self, key: tuple[object, ...], relax: bool) -> object:
        """The key of a graph of open shape that takes these arguments too; the key itself if there is none.

        To `relax`, a key that differs in sizes alone gives one, of which there is no graph yet.
        """
        others = [other for other in self.copy() if len(other) == len(key)]
        for other in others:
            if key != other and all(map(takes, other, key)):
                return other
        if relax:
            for other in reversed(others):
                if key != other and (common := relaxed(other, key)) is not None:
                    return common
        return key

    def changing(self, key: object) -> frozenset[Identity] | None:
        """What a call with this signature changes that outlives it, where a graph may change it at each call; nothing
        where the graphs that there are serve no more, as what they read has changed."""
        if key in self and key not in self._changing:
            return frozenset()
        known = self._changing.get(key)
        return None if known is None else identities(known)

    def note_changing(self, key: object, concrete: ConcreteFunction | None) -> None:
        """Know what a graph has changed, for another one to change that; nothing if that has been tried."""
        if concrete is None:
            self._changing[key] = None
        elif key not in self._changing:
            self._released_with(key)
            self._changing[key] = concrete.changing

    def _released_with(self, key: object) -> None:
        """Have what is known for a key go with the objects in it."""
        known = weakref.ref(self)
        for part in within(key):
            if isinstance(part, ById):
                part.when_gone(functools.partial(_forget, known, key))

    def keep(self, key: object, concrete: ConcreteFunction) -> None:
        """Keep a graph for as long as the objects live that it was made for."""
        if any(isinstance(part, Consumed) for part in within(key)):
            return
        known = self.get(key)
        if known is not None:
            known[:] = [*[c for c in known if not c.has_ended()][1 - _FOR_ONE_KEY :], concrete]
            return
        self._released_with(key)
        self[key] = [concrete]
        if any(isinstance(part, ById) and part.is_kept for part in within(key)):
            self._latest.add(self, key)


def _forget(graphs: weakref.ref[Graphs], key: object, _: object) -> None:
    """An object has gone for which a graph was made."""
    known = graphs()
    if known is not None:
        known.pop(key, None)
        known._changing.pop(key, None)


def with_key(arguments: Arguments, key: Any) -> Arguments:
    """The arguments with the types that a more general key has."""
    if key == arguments.key:
        return arguments
    general = iter([part for part in key if isinstance(part, TensorType)])
    types = [next(general) if isinstance(kind, TensorType) else kind for kind in arguments.types]
    return Arguments(arguments.bound, arguments.names, arguments.leaves, types, key)
