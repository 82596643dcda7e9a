"""What stands for one of Python's containers where a graph changes it."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar

from autograph import do_not_convert
from autograph.errors import GrownError
from autograph.operators.aliases import held_besides
from autograph.operators.calls import converted
from runtime.control.items import Items
from runtime.control.lists import TensorList
from runtime.tensors.frames import is_augmented, looked_into, users_frame, wants_class
from runtime.tensors.handles import Handle
from runtime.tensors.trace import ListAt, current


class StandIn:
    """An object that is one of Python's containers for the user's code.

    It has `as_list`, what there is to go through; `one_by_one`, for those who go through what there is then; and
    `as_pythons`, the container that a function returns.
    """

    stands_for: ClassVar[type]
    is_for_graphs: ClassVar[tuple[str, ...]] = ()  # attributes that `as_pythons` does not ask for
    same_as: ClassVar[tuple[type, ...]] = ()  # classes in which it would do the same

    def __new__(cls, *_: object, **__: object) -> Any:
        made = object.__new__(cls)
        if (trace := current()) is not None:
            frame = users_frame(sys._getframe(1))
            place = None if frame is None else ListAt(frame.f_code, frame.f_lasti)
            trace.root.born[id(made)] = made, trace, place
        return made

    @do_not_convert
    def become(self, kind: type) -> None:
        """Be of another class, if it does the same there: one that may be either is of one class."""
        if kind in type(self).same_as:
            object.__dict__["__class__"].__set__(self, kind)

    @property  # type: ignore[misc]
    @do_not_convert
    def __class__(self) -> type:
        """The container's class, where the user's code asks."""
        return type(self).stands_for if wants_class(sys._getframe(1)) else type(self)


def checked_before(check: Callable[[Any], None]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """For a method of a converted class that keeps a list which it is given: what is asked of one that variables of
    the program lead to, which would be another list from then on."""

    def checked(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def called(self: StandIn, *args: Any, **kwargs: Any) -> Any:
            for value in (*args, *kwargs.values()):
                if isinstance(value, list) and held_besides([value]):
                    check(value)
            return converted(method)(self, *args, **kwargs)

        return called

    return checked


@do_not_convert
def check_in_place(container: object) -> None:
    """Refuse to change a set or dictionary of Python's in place (``container |= {k}``) that is not the graph's."""
    if is_augmented(sys._getframe(1)):
        kind = type(container).__name__
        raise GrownError(
            f"a {kind} is changed in place by what only the graph knows, which would happen once, while tracing. Make "
            "a new one (a = a | b) instead.",
            container,
        )


@do_not_convert
def asked_by(message: str) -> GrownError:
    """What says that a container of Python's which the user's code changes asks for what only the graph knows."""
    return GrownError(message, looked_into())


@do_not_convert
def one_by_one(holder: StandIn, count: Any, item: Callable[..., Any], changes: Callable[[], Any]) -> object:
    """So many items, each made of what the lists of the holder have when it is asked for.

    `changes` raises an error if there may be no more of them; it is not asked where the holder stays as it is.
    """
    item, changes = converted(item), converted(changes)
    lists = [part for part in _held(holder) if isinstance(part, list)]
    if isinstance(count, int) and not any(isinstance(one, TensorList) and one.is_grown for one in lists):
        return _OneByOne(count, item, changes)
    before = _parts(holder)

    def now(_: object) -> object:
        if not all(map(operator.is_, before, _parts(holder))):
            changes()
        return count

    return Items(count, item, of=lists, now=now)


def _parts(holder: StandIn) -> list[object]:
    return [part.version if isinstance(part, TensorList) else part for part in _held(holder)]


def _held(holder: StandIn) -> Collection[object]:
    """What it holds; what is an object of the graph's has that in the lists for all of them."""
    return type(holder).of.columns.values() if isinstance(holder, Handle) else vars(holder).values()


class _OneByOne:
    """Items of which Python knows how many there are."""

    def __init__(self, count: int, item: Callable[[int], object], changes: Callable[[], object]) -> None:
        self.left, self.count, self.item, self.changes = count, count, item, changes

    def __iter__(self) -> _OneByOne:
        return self

    def by_number(self, body: Callable[[object], object]) -> tuple[Sequence[int], Callable[[int], object]]:
        """What a loop goes through for these items, and its body then: a loop that the graph may have left asks for no
        item, and not whether there may be one; after the last that is asked once more."""

        def iteration(number: int) -> None:
            self.changes()
            if number < self.count:
                body(self.item(number))

        return tuple(range(self.count - self.left, self.count + 1)), iteration

    def __length_hint__(self) -> int:
        return self.left

    def __next__(self) -> object:
        self.changes()
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.item(self.count - self.left - 1)
