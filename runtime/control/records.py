"""Dictionaries with texts for keys that the graph keeps, each of which has the same keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograph import StagingError
from autograph.operators.logic import and_, equal
from runtime.tensors.handles import Handle, number_in


class Record(Handle):
    """Such a dictionary: its values are in the lists of a store."""

    __slots__ = ()

    def _names(self) -> tuple[str, ...]:
        return type(self).of.names  # type: ignore[no-any-return]

    def __getitem__(self, key: Any) -> Any:
        if key not in self._names():
            raise KeyError(key)
        return type(self).of.get(key, number_in(self))

    def __setitem__(self, key: Any, value: object) -> None:
        if key not in self._names():
            raise _fixed(f"gets the key {key!r}")
        type(self).of.set(key, number_in(self), value)

    def __delitem__(self, key: object) -> None:
        raise _fixed(f"loses the key {key!r}")

    def __contains__(self, key: object) -> bool:
        return key in self._names()

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._names())

    def __bool__(self) -> bool:
        return True

    def keys(self) -> list[str]:
        return [*self._names()]

    def values(self) -> list[Any]:
        return [self[name] for name in self._names()]

    def items(self) -> list[tuple[str, Any]]:
        return [(name, self[name]) for name in self._names()]

    def get(self, key: object, default: object = None) -> Any:
        return self[key] if key in self._names() else default

    def setdefault(self, key: object, default: object = None) -> Any:
        if key not in self._names():
            raise _fixed(f"gets the key {key!r}")
        return self[key]

    def update(self, other: Any = (), **more: object) -> None:
        for key, value in {**dict(other), **more}.items():
            self[key] = value

    def copy(self) -> dict[str, Any]:
        return dict(self.items())

    __copy__ = copy

    def pop(self, *_: object) -> object:
        raise _fixed("loses a key")

    popitem = clear = pop

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, dict | Record):
            return NotImplemented
        if {*self.keys()} != {*other.keys()}:
            return False
        tests = [lambda name=name: equal(self[name], other[name]) for name in self._names()]
        return and_(tests[0](), *tests[1:])

    __hash__ = None  # type: ignore[assignment]


def _fixed(why: str) -> StagingError:
    return StagingError(
        f"a dictionary in a list that grows in a graph {why}: all of these have the keys that they were made with. "
        "Make it with all keys, or use one whose keys are numbers."
    )
