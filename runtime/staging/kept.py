"""What stands for deques, dictionaries and sets that a program keeps, where staged statements change them."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

from autograph.operators.calls import converted
from runtime.control.lists import TensorList
from runtime.functions.kept_containers import Form, Parts
from runtime.functions.restored import is_same, restored
from runtime.staging.dictionaries import Counter, DefaultDict, OrderedDict
from runtime.staging.hashed import OLD, Dict, Set
from runtime.staging.queues import Deque


class _Queue(Form):
    def options(self, container: collections.deque[Any]) -> object:
        return container.maxlen

    def stand_in(self, container: collections.deque[Any], parts: Sequence[TensorList]) -> Deque:
        made = converted(Deque)((), container.maxlen)
        (made.items,) = parts
        return made

    def lists(self, stand_in: Deque) -> Sequence[TensorList]:
        return (converted(Deque.as_list)(stand_in),)


class _Table(Form):
    holds_lists = True

    def __init__(self, ours: type[Dict]) -> None:
        self._ours = ours

    def parts(self, container: dict[Any, Any]) -> Parts:
        return [*dict.keys(container)], [*dict.values(container)]

    def options(self, container: dict[Any, Any]) -> object:
        return getattr(container, "default_factory", None)

    def stand_in(self, container: dict[Any, Any], parts: Sequence[TensorList]) -> Dict:
        made = converted(self._ours)()
        made.default_factory = self.options(container)
        converted(Dict.hold_items)(made, *parts)
        return made

    def lists(self, stand_in: Dict) -> Sequence[TensorList]:
        converted(Dict.squeeze)(stand_in)
        return stand_in.names, stand_in.contents, stand_in.fresh  # type: ignore[return-value]

    def fill(self, container: dict[Any, Any], parts: Parts) -> None:
        """Have it hold other items: keys that were there, and values that have not been put there since; what these
        hold, if they are lists, may be something else."""
        was = {key: (key, value) for key, value in dict.items(container)}
        container.clear()
        put: Any = (
            collections.OrderedDict.__setitem__ if isinstance(container, collections.OrderedDict) else dict.__setitem__
        )
        for key, value, since in zip(*parts, strict=True):
            known, before = was.get(key, (key, value))
            if since == OLD and type(before) is list:
                before[:] = restored(before, [*value])
            put(container, known if is_same(known, key) else key, before if since == OLD else value)


class _Elements(Form):
    def stand_in(self, container: set[Any], parts: Sequence[TensorList]) -> Set:
        made = converted(Set)()
        converted(Set.hold)(made, parts[0])
        return made

    def lists(self, stand_in: Set) -> Sequence[TensorList]:
        converted(Set.squeeze)(stand_in)
        return (stand_in.names,)  # type: ignore[return-value]

    def fill(self, container: set[Any], parts: Parts) -> None:
        """Have it hold other elements, put there as a program puts them one by one: the order depends on that."""
        container.difference_update(container.difference(parts[0]))
        container.update(parts[0])


CONTAINERS: dict[type, Form] = {
    collections.deque: _Queue(),
    set: _Elements(),
    dict: _Table(Dict),
    collections.defaultdict: _Table(DefaultDict),
    collections.Counter: _Table(Counter),
    collections.OrderedDict: _Table(OrderedDict),
}
