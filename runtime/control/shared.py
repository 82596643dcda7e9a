"""Lists, dictionaries and objects of which something else holds a copy: they must not change from then on.

A list whose length the graph decides holds values, and no objects: what is put into it stays as it was then, and what
is read from it is another object. In Python it is the same one, by whatever name it is written. So a change of one is
looked for where it would matter: where a branch or an iteration ends, and where the trace does.
"""

from __future__ import annotations

import operator
import sys
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import FrameType
from typing import Any

import numpy as np

from autograph import UNDEFINED, StagingError
from autograph.errors import held_by_exception, with_article
from autograph.operators.aliases import holders
from autograph.operators.effects import is_outside
from autograph.operators.items import stands_in
from autograph.reading import held_by, slots_of
from autograph.rules import is_left_alone
from runtime.graph.graph import Place
from runtime.tensors import nest
from runtime.tensors.frames import OURS, user_place
from runtime.tensors.growing import Growing
from runtime.tensors.handles import Handle
from runtime.tensors.several import OneOf
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import Handled, Moment, Trace, Way, current, traces_around, ways
from runtime.tensors.views import ELEMENT

FOUND = "an element that only the graph finds"
ONE_OF = "one of those that the graph has looked for an element among"
PERHAPS_GIVEN = "perhaps the same list as one that a function was given and returns"
PERHAPS_CALLERS = "perhaps one that the function was given, which the caller would not see changed"
PERHAPS = "perhaps the same object as another variable's after an iteration"


class Seat:
    """What a list holds that is one of a table: where it stands there. `kind` is the class of such lists."""

    def __init__(self, kind: type, table: Any, index: Tensor, from_front: bool = False) -> None:
        self.kind, self.table, self.index = kind, table, index
        known = isinstance(index, EagerTensor) and bool(index.array >= 0)
        self.from_front = from_front or table.counts_from_front or known
        self.moves, self.additions = len(table.moves), len(table.additions)  # what had become of the table by then
        self.lists = table.lists()

    def stands(self) -> bool:
        """Whether the table still has the same lists in the same places; it may have more."""
        table, lists = self.table, self.table.lists()
        if table.keeps:
            return True  # where objects of the graph's are they stay
        if any_past(table.moves[self.moves :]):
            return False
        if not all(map(operator.is_, self.lists, lists)) or len(self.lists) > len(lists):
            return False
        longer = len(self.lists) < len(lists) or any_past(table.additions[self.additions :])
        return self.from_front or not longer


def any_past(moments: Sequence[Moment]) -> bool:
    """Whether what was done then may have been done by now."""
    return any(moment.is_past() is not False for moment in moments)


@dataclass(eq=False)
class Shared:
    """An object, what it holds, and since when it must stay so."""

    value: object
    held: dict[Any, object]
    trace: Trace
    at: int  # how many nodes the trace had
    what: str
    name: str  # of a variable that holds it
    place: Place | None

    def move(self, trace: Trace) -> None:
        self.trace, self.at = trace, len(trace.nodes)

    def check(self, changed: Mapping[object, object]) -> None:
        """Refuse the object if it holds something else, once the changes that were put back are made."""
        now = {**contents(self.value), **changed}
        now = {key: part for key, part in now.items() if part is not UNDEFINED}
        if now.keys() != self.held.keys() or any(
            now[key] is not self.held[key] and not isinstance(now[key], Seat) for key in now
        ):
            raise refused(self)


def is_object(value: object) -> bool:
    """Whether the value is an object of a class of the user's that is its attributes and nothing else."""
    kind = type(value)
    if kind in nest.ATOMS or issubclass(kind, Handle):
        return False
    if isinstance(value, type | types.FunctionType | types.MethodType):
        return False
    if not (hasattr(value, "__dict__") or slots_of(kind)):
        return False
    return kind.__module__ == "types" or isinstance(value, BaseException) or not is_left_alone(kind.__module__)


def attributes_of(value: Any) -> dict[str, object]:
    """What an object holds under names: an exception its arguments, too, but not what is noted of how it was raised."""
    if not isinstance(value, BaseException):
        return held_by(value)
    held = {name: part for name, part in held_by_exception(value).items() if name != "__notes__"}
    return held | {"args": value.args}


def contents(value: object) -> dict[Any, object]:
    """What a list, dictionary or object holds."""
    if isinstance(value, Growing):
        return {None: value.content}  # type: ignore[attr-defined]
    if isinstance(value, list):
        return dict(enumerate(list.__iter__(value)))
    if isinstance(value, dict):
        return dict(dict.items(value))
    return dict(nest.held(value) if nest.is_nested(value) else attributes_of(value))


def objects(*values: object) -> Iterator[tuple[object, ...]]:
    """The lists, dictionaries and objects in a value; in several alike, those that stand in the same place."""
    waiting, seen = [values], set()
    while waiting:
        found = waiting.pop()
        first = found[0]
        nested = nest.is_nested(first)
        if not (nested or isinstance(first, list) or is_object(first)) or (key := (*map(id, found),)) in seen:
            continue
        seen.add(key)
        if not isinstance(first, tuple):
            yield found
        if all(nest.is_nested(value) is nested and type(value) is type(first) for value in found):
            inner = [[*nest.parts(value)] if nested else [*contents(value).values()] for value in found]
            if not isinstance(first, Growing) or nested:
                waiting += zip(*inner)


def share(value: object, what: str, name: str = "") -> None:
    """Have nobody change a value, nor what is in it, from now on."""
    if (trace := current()) is None:
        return
    known = {id(one.value) for one in trace.root.shared if one.what == what and trace.is_within(one.trace)}
    for (one,) in objects(value):
        if id(one) in known or (isinstance(one, Growing) and one.is_kept):
            continue
        called = name or name_of(one)
        trace.root.shared.append(Shared(one, contents(one), trace, len(trace.nodes), what, called, user_place()))


def may_be_handled(value: object, held: Mapping[Any, object] | None = None) -> bool:
    """Whether what a list of the graph cannot hold, or change, might be an object that the graph has, and `held` these
    things before; it is known then that this was wanted."""
    trace = current()
    if trace is None or not trace.numpys or isinstance(value, Handle | BaseException | type | Enum):
        return False
    kind = type(value)
    if stands_in(value):
        _, _, at = trace.root.born.get(id(value), (None, None, None))
        return at is not None and not ways.takes(Handled(kind, (*held_by(value),), at))
    keys = (*(held or value),) if kind is dict else ()  # type: ignore[misc]
    if keys and all(type(key) is str for key in keys):
        return not ways.takes(Handled(dict, keys))
    if kind in CONTAINERS:
        return not ways.takes(CONTAINERS[kind])
    if not is_object(value) or isinstance(value, list | tuple | dict) or trace.root.was_there(value):
        return False
    return bool(held_by(value)) and not ways.takes(Handled(kind, (*held_by(value),)))


def note_lists() -> None:
    """Know that lists in others might be the graph's objects."""
    if (trace := current()) is not None and trace.numpys:
        ways.takes(Way.LISTS)


def note_objects(values: Iterable[Any]) -> None:
    """Know of the program's objects in values, or which these may be, that they might be the graph's."""
    for value in values:
        for option in value._options if isinstance(value, OneOf) else (value,):
            for (one,) in objects(option):
                if is_object(one) and not stands_in(one):
                    may_be_handled(one)


# In which way containers of Python's are the graph's.
CONTAINERS: dict[type, Way] = {
    **dict.fromkeys((dict, set, defaultdict, Counter, OrderedDict), Way.KEYS),
    deque: Way.ARRAYS,
}


def put(*elements: object) -> None:
    """Have nobody change what a list of the graph is given; an object may be in it twice, or in others."""
    if (trace := current()) is None:
        return
    known = {id(one.value) for one in trace.root.shared}
    for element in elements:
        trace.root.copied |= any(id(one) in known for (one,) in objects(element))
        note_put(element, "")
        share(element, ELEMENT)


def note_put(element: object, name: str) -> None:
    """Know that a list of the graph, which may have a name, is given arrays or dictionaries: other lists may have been,
    too, or this one in each iteration of a loop."""
    if (trace := current()) is None:
        return
    root, around = trace.root, traces_around(trace)
    arrays = [leaf for leaf in nest.flatten(element) if type(leaf) is np.ndarray]
    for one in (*(one for (one,) in objects(element)), *arrays):
        _, known = root.put_into.setdefault(id(one), (one, set()))
        root.put_twice |= (bool(known) and (not name or name not in known)) or any(t.finds(one) for t in around)
        known.add(name)


def is_shared(value: object) -> Shared | None:
    trace = current()
    return None if trace is None else next((one for one in trace.root.shared if one.value is value), None)


def may_be_one(value: object, other: object) -> bool:
    """Whether two objects may be one, as both are, or were, in lists of the graph, which has given one of them away."""
    known = [is_shared(one) for one in (value, other)]
    return None not in known and any(one.what == FOUND for one in known if one is not None)


def may_be_another(value: object) -> bool:
    """Whether an object that a list has given away may be known by another name, or be in a list still."""
    trace = current()
    if trace is None or not any(objects(value)):
        return False
    return trace.root.copied or any(True for one in trace.root.shared for _ in holders(one.value, ""))


def refused(one: Shared) -> StagingError:
    kind = "list" if isinstance(one.value, list) else type(one.value).__name__
    found = one.name or name_of(one.value)
    name = f"'{found}'" if found else with_article(kind)
    where = f"\n  {one.place.filename}:{one.place.line}" if one.place is not None else ""
    if kind == "list":
        if Way.ROWS in ways.taken:
            note_lists()
        ways.takes(Way.ROWS)  # in which it may be the row of a table
    else:
        may_be_handled(one.value, one.held)
    return StagingError(
        f"{name} is {one.what}, and is changed: in a graph that would not be seen by all who know it. Change it "
        f"before, use a copy, or assign a new one (items[i] = new).{where}"
    )


def called(value: object, otherwise: str) -> str:
    """What to call an object in a message: a variable that holds it, or what it is."""
    return f"'{found}'" if (found := name_of(value)) else otherwise


def name_of(value: object) -> str:
    """A variable of the program that holds an object."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_outside(frame):
        if not frame.f_code.co_filename.startswith(OURS):
            for name, held in frame.f_locals.items():
                if held is value:
                    return name
        frame = frame.f_back
    return ""
