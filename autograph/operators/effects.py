"""What a staged statement changes elsewhere becomes its state; what outlives the trace is put back."""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
import types
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from types import FrameType
from typing import Any

from autograph.dispatch import UNDEFINED, Signal, Variables, backend_of
from autograph.errors import Refuses, StagingError
from autograph.operators.buffers import Buffer
from autograph.operators.items import stands_in
from autograph.operators.mutations import Left, Mutations, class_name
from autograph.operators.places import AttributePlace, ContentPlace, Place
from autograph.reading import attributes_of, is_a, is_exactly, is_made_later, is_own, members_of, reached


class Effects:
    """The places that the parts of one staged statement have changed: each is state of them all.

    `names` and each of `states`, which belong to the statement, grow as places are found. What lists are made longer by
    is refused but where the backend has it (`grows`).
    """

    def __init__(self, names: list[str], mutations: Mutations, statement: str, grows: bool = False) -> None:
        self.names, self.mutations, self.statement = names, mutations, statement
        self.places: list[Place] = []
        self._grows = grows
        self._numbers: dict[object, int] = {}

    def expect(self, names: Collection[str]) -> None:
        """Have what the staged objects of these names hold be state from the start."""
        for place in self.mutations.contents(names):
            self._add(place)

    def meet(self, place: Place) -> None:
        """Have a place be state from now on, if it is not."""
        if place.identity not in self._numbers:
            self._add(place)

    def _add(self, place: Place) -> None:
        self._numbers[place.identity] = len(self.places)
        self.places.append(place)
        self.names.append(place.name)

    def contents(self) -> frozenset[str]:
        """The names of the staged objects that the statement has changed."""
        return frozenset(place.name for place in self.places if isinstance(place, ContentPlace))

    def enter(self, values: Sequence[object]) -> None:
        """Put values into the places found so far."""
        for place, value in zip(self.places, values, strict=True):
            place.write(value)

    def leave(self) -> list[object]:
        """Put everything back; returns what the places held, those found now included."""
        left = {}
        for place, value in self.mutations.restore(self.statement, self._grows):
            if is_a(place.holder, type) and _is_method(value):
                raise StagingError(
                    f"'{place.name}' is a method, and a staged statement cannot replace one: decide in the method, or "
                    f"choose between two objects.\n  {self.statement}"
                )
            self.meet(place)
            left[self._numbers[place.identity]] = place.beneath if value is UNDEFINED else value
        return [left.get(i, place.before) for i, place in enumerate(self.places)]

    def variables(self, names: Sequence[str] | None = None, item: str = "item") -> Variables:
        """What a backend is told of the statement; `names` are those of its state, if not only these."""
        return Variables(
            self.names if names is None else names, self.statement, item, self.places, self.mutations.names_of,
            self.mutations.has,
        )  # fmt: skip

    def finish(self, values: Sequence[object], variables: Iterable[Place] = ()) -> None:
        """Leave the places as the statement will have left them; `variables` are those that it names."""
        self.enter(values)
        for watch in _watches.active:
            watch.written += [(place, self.statement) for place in (*variables, *self.places)]
            for place in self.places:
                if isinstance(place, AttributePlace) and place.old is UNDEFINED and (found := place.inherited()):
                    watch.inherited.append((place, *found, self.statement))


class _Watches(threading.local):
    def __init__(self) -> None:
        self.active: list[Watch] = []


_watches = _Watches()


class Watch:
    """Looks after what outlives a trace: no staged value may be left in it.

    Entered before a function is traced, with the function and its arguments. One that `follows` what the program itself
    leaves there tells of it; a trace that is begun anew finds everything as it was.
    """

    def __init__(self, functions: Iterable[object], follows: bool = False) -> None:
        self.mutations = Mutations(functions)
        self.follows = follows
        self.written: list[tuple[Place, str]] = []
        self.inherited: list[tuple[Place, type, object, str]] = []

    def __enter__(self) -> Watch:
        self.closed = self.mutations.closed()
        if self.closed.handles:
            for around in _watches.active:
                around.closed.handle()
        _watches.active.append(self)
        self.frame: FrameType | None = sys._getframe(1)
        self.closed.__enter__()
        return self

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        _watches.active.remove(self)
        self.frame = None
        self.closed.__exit__(kind, error, _)
        if self.follows and isinstance(error, Refuses | Signal):
            self.put_back()
        if not self.written or (self.follows and error is not None):
            return  # what the program has left where it raises is told of, too
        for place, kind, value, statement in self.inherited if error is None else ():
            if members_of(kind).get(place.key, UNDEFINED) is not value:
                raise StagingError(
                    f"'{place.name}' is set only in some runs of the graph; in the others it is what "
                    f"{class_name(kind)} has, which may not change then. Set it before the statement.\n  {statement}"
                )
        left = [(p, s) for p, s in self.written if self.mutations.knows(p) and _holds_staged(p.read())]
        for place, _ in left:
            self.mutations.put_back(place)
        if left and error is None:
            place, statement = left[0]
            raise StagingError(
                f"'{place.name}' outlives the call, so a staged statement cannot change it: the change would be made "
                f"once, while tracing. Keep it in a Variable, or return the new value.\n  {statement}"
            )

    def put_back(self) -> None:
        """Have everything as it was."""
        with contextlib.suppress(StagingError):  # which tells of what it has put back, too
            self.mutations.restore("")

    def left(self) -> Left:
        """What the program has changed that outlives the trace, and where it has left something staged.

        Raises StagingError if that is in what nothing can be put in its place, as in a deque.
        """
        if not self.follows:
            return Left("", [], [], [], True)
        left = self.mutations.left(_holds_staged)
        name = next((name for name, value in left.others if self._is_hidden(value)), None) if left.first else None
        if name is not None:
            raise StagingError(
                f"'{name}' outlives the call, and holds what gets its value only when the graph runs, where nothing "
                "can be put in its place. Keep it in an attribute, a list or a dictionary, or return it."
            )
        return left

    def _is_hidden(self, value: object) -> bool:
        """Whether something new that is staged is reached from a value, by other ways than attributes and lists."""
        found = reached(value, lambda one: (part for part in _parts_of(one) if not self.mutations.has(part)))
        return any(backend_of(one) is not None for one in islice(found, _MOST_REACHED))


def is_outside(frame: FrameType) -> bool:
    """Whether a function has begun to trace what is being traced, so that it and its callers are no part of that."""
    return bool(_watches.active) and frame is _watches.active[-1].frame


def is_made_here(value: object) -> bool:
    """Whether an object was made in what is being traced, as far as is known, rather than found there."""
    return not any(watch.mutations.has(value) for watch in _watches.active)


def close(array: Buffer) -> None:
    """Have nobody write an array of NumPy's until the trace ends: a variable may be it, as only the graph knows."""
    if _watches.active:
        _watches.active[-1].closed.add(array)


def is_closed(array: object) -> bool:
    """Whether a variable may be this array, as only the graph knows, so that nobody is to write it."""
    return bool(_watches.active) and _watches.active[-1].closed.has(array)


_DEEPEST = 8
_MOST_REACHED = 2000  # objects that are looked at


def _parts_of(value: Any) -> list[object]:
    """What an object refers to; of a function all but its module, of a class or a module nothing."""
    if is_a(value, (type, types.ModuleType, types.CodeType, types.FrameType)):
        return []
    if is_exactly(value, types.FunctionType):
        return [*(value.__closure__ or ()), *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    return gc.get_referents(value)


def _holds_staged(value: Any, deep: int = 0) -> bool:
    if stands_in(value) or (is_own(type(value).__module__) and issubclass(type(value), list | tuple)):
        return True  # it stands for one of Python's own
    if is_a(value, dict):
        parts = [*dict.values(value)]
    elif is_a(value, (list, tuple)):
        parts = [*(list if is_a(value, list) else tuple).__iter__(value)]
    elif backend_of(value) is not None:
        return True
    else:
        parts = [*(attributes_of(value) or {}).values()] if is_made_later(type(value)) else []
    return deep < _DEEPEST and any(_holds_staged(part, deep + 1) for part in parts)


def _is_method(value: object) -> bool:
    return is_exactly(value, types.FunctionType, staticmethod, classmethod, property)
