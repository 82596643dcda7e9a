"""Which array a variable holds after a loop: its loop carries that as a number.

A variable that a loop assigns holds what it did before if there was no iteration, and otherwise an array that an
iteration made, or what another variable held. The arrays from before the loop have numbers; one that an iteration makes
has a number that no other array has, where it matters.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np

from runtime.control.leaves import to_value
from runtime.control.places import LoopArray, changing, may_share, memory_of
from runtime.graph.dtypes import int64
from runtime.graph.graph import TensorType, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew
from runtime.tensors.conversion import constant
from runtime.tensors.leaf_types import Leaf
from runtime.tensors.links import ALWAYS, Condition, Test, link, sources
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, recording
from runtime.tensors.views import Array, Memory, whole

KIND = TensorType(int64, ())  # of what is carried
_NONE = -1  # the number of what is none of them

One = TypeVar("One")
Source: TypeAlias = tuple[bool, int]  # an array: whether it is one from before the loop, and its number among these


@dataclass(eq=False)
class Number:
    """What a loop carries: what it is before, in an iteration, and after that."""

    start: int
    inside: Value = field(default_factory=lambda: Value(KIND, "which"))
    last: Tensor | None = None
    after: Tensor | None = None  # once the loop has ended


@dataclass(eq=False)
class Held:
    """What is known of the array that a variable holds after an iteration: which variable's it is, and when, or which
    array from before the loop, or one that the iteration has made; the last of which the condition holds."""

    array: LoopArray
    number: Number
    moved: list[tuple[LoopArray, Condition]] = field(default_factory=list)
    outer: list[tuple[int, Condition]] = field(default_factory=list)
    made: list[tuple[int, Condition]] = field(default_factory=list)
    ends: set[Source] = field(default_factory=set)  # what it may be after the loop

    def by(self) -> str:
        """By what else the array is known, if that is one of Python's."""
        after = self.array.after
        return self.array.joined.held or (after.place.held if isinstance(after, Array) else "")

    def outer_ends(self) -> list[int]:
        """The arrays from before the loop that it may be after it."""
        return sorted(number for is_outer, number in self.ends if is_outer)


class Identities:
    """The arrays that the variables of a loop may hold after it, where that is known.

    Args:
      arrays: those among the loop's variables, with what they are after an iteration.
      trace: what the loop stands in.
      body: the trace of an iteration.
      runs: whether there is an iteration.
      was_there: tells of what was there before the loop.
    """

    def __init__(
        self, arrays: Sequence[LoopArray], trace: Trace, body: Trace, runs: bool, was_there: Callable[[object], bool]
    ) -> None:
        self._trace, self._body, self._all, self._was_there = trace, body, arrays, was_there
        self._arrays: list[Array] = []
        self._made: list[object] = []
        self._turn = Number(0)
        self._known = self._followed(changing(arrays))
        self._spread(runs)
        self.carried = self._carried()

    def _followed(self, writing: Sequence[LoopArray]) -> dict[LoopArray, Held]:
        known = {
            one: Held(one, Number(self._number(one.before)))
            for one in self._all if one.joined.is_array and one not in writing
        }  # fmt: skip
        with recording(self._body):
            while unknown := [one for one, held in known.items() if not self._follow(held, known)]:
                for one in unknown:
                    del known[one]
        return known

    def _number(self, array: object) -> int:
        """The number of an array from before the loop."""
        if isinstance(array, np.ndarray):
            array = memory_of(self._trace, array)
        if not isinstance(array, Array):
            return _NONE
        return _place_among(array, self._arrays)

    def _follow(self, held: Held, known: dict[LoopArray, Held]) -> bool:
        """Find what a variable may hold after an iteration; whether all of that is known."""
        after = held.array.after
        held.moved, held.outer, held.made = [], [], []
        if isinstance(after, np.ndarray):
            if held.array.joined.held and (self._was_there(after) or self._was_there(whole(after))):
                held.outer.append((self._number(after), ALWAYS))
            else:
                held.made.append((_place_among(after, self._made), ALWAYS))
            return True
        others = [one for one in self._all if one is not held.array]
        if not isinstance(after, Array) or any(may_share(held.array, one) for one in others if one not in known):
            return False
        insides = {id(one.inside): one for one in self._all}
        if id(after) in insides or self._is_outer(after.place):
            ways: list[tuple[Array, Condition]] | None = [(after, ALWAYS)]
        else:
            ways = sources(after, lambda place: id(place) in insides or self._is_outer(place))
        if ways is None or (after is not after.place and any(may_share(held.array, one) for one in others)):
            return False
        for array, when in ways:
            if (one := insides.get(id(array))) is not None:
                held.moved.append((one, when))
            elif self._is_outer(array.place) and (type(array) is not Memory or after.place.held):
                held.outer.append((self._number(array), when))
            else:
                held.made.append((_place_among(array, self._made), when))
        if not any(when.is_sure for _, when in ways):
            held.made.insert(0, (_place_among(after, self._made), ALWAYS))  # where it is none of these
        return all(one in known for one, _ in held.moved)

    def _is_outer(self, place: Array) -> bool:
        return self._trace.is_within(place.traced_in)

    def _spread(self, runs: bool) -> None:
        """Find which arrays each variable may hold after the loop."""
        starts = {one: {(True, held.number.start)} - {(True, _NONE)} for one, held in self._known.items()}
        found = {one: set[Source]() for one in self._known}
        while True:
            more = {one: self._next(held, starts, found) for one, held in self._known.items()}
            if more == found:
                break
            found = more
        for one, held in self._known.items():
            held.ends = found[one] if runs else found[one] | starts[one]

    def _next(
        self, held: Held, starts: Mapping[LoopArray, set[Source]], found: Mapping[LoopArray, set[Source]]
    ) -> set[Source]:
        """What a variable may hold after an iteration, given what each may hold before it."""
        ends = {*((True, number) for number, _ in held.outer), *((False, number) for number, _ in held.made)}
        return ends.union(*(starts[one] | found[one] for one, _ in held.moved))

    def _carried(self) -> list[Number]:
        """The numbers that the loop has to carry, with what becomes of them in an iteration."""
        several = [pair for pair in itertools.combinations(self._known.values(), 2) if _made_in(*pair)]
        asked = [held for held in self._known.values() if any(held in pair for pair in several) or held.outer_ends()]
        carried = [*asked]
        for held in carried:  # and what is moved to them
            carried += [self._known[one] for one, _ in held.moved if self._known[one] not in carried]
        with recording(self._body):
            turn = SymbolicTensor(self._body, self._turn.inside) if several else None
            for held in carried:
                held.number.last = self._last(held, turn)
            if turn is not None:
                self._turn.last = turn + 1
        self._pairs = several
        return [*(held.number for held in carried), *([self._turn] if several else [])]

    def _last(self, held: Held, turn: Tensor | None) -> Tensor:
        """The number of what a variable holds after an iteration."""
        made: list[tuple[Tensor | int, Condition]] = [(_NONE, ALWAYS)]
        if turn is not None:
            made = [(turn * len(self._made) + (len(self._arrays) + number), when) for number, when in held.made]
        moved = [(SymbolicTensor(self._body, self._known[one].number.inside), when) for one, when in held.moved]
        found: Tensor = constant(_NONE, int64)
        for number, when in (*made, *held.outer, *moved):
            number = constant(number, int64)
            found = number if when.is_sure else apply(ew.where, when.tensor(), number, found)
        return found

    def join(
        self, starts: list[Value], parameters: Sequence[list[Value]], last: list[Value], types: Sequence[Leaf],
        labels: Sequence[str],
    ) -> tuple[list[Leaf], list[str]]:  # fmt: skip
        """Have the loop carry the numbers, beside its other variables: what these are before it, in its test and its
        body, and after an iteration. Returns the types and names of all."""
        for number in self.carried:
            starts.append(to_value(self._trace, EagerTensor.of(np.int64(number.start)), KIND))
            parameters[0].append(Value(KIND, number.inside.hint))
            parameters[1].append(number.inside)
            last.append(to_value(self._body, number.last, KIND))
        return [*types, *(KIND for _ in self.carried)], [*labels, *(number.inside.hint for number in self.carried)]

    def left(self, results: Sequence[Value]) -> None:
        """Know the arrays that the variables hold after the loop, given the numbers there."""
        for number, value in zip(self.carried, results, strict=True):
            number.after = SymbolicTensor(self._trace, value)
        for one, held in self._known.items():
            one.joined.identity = functools.partial(self._link, held)

    def _link(self, held: Held, known: Array) -> None:
        """Link what a variable holds after the loop to what it may be."""
        for number in held.outer_ends():
            link(known, self._arrays[number], self._test(ew.equal, held, number))
            known.held = known.held or self._arrays[number].place.held or self._held(number)
        for other in [b if a is held else a for a, b in self._pairs if held in (a, b)]:
            array = other.array.joined.made.get(self._trace)
            if array is not None and array is not known:
                assert other.number.after is not None
                made = self._test(ew.greater_equal, held, len(self._arrays))
                link(known, array, self._test(ew.equal, held, other.number.after) & made)

    def _held(self, number: int) -> str:
        """By what an array is known that no place of the graph stands for."""
        of = (one.by() for one in self._known.values() if (True, number) in one.ends)
        return next((held for held in of if held), "") if type(self._arrays[number]) is Memory else ""

    def _test(self, op: Op, held: Held, other: Tensor | int) -> Condition:
        """That the number of what a variable holds compares so."""
        with recording(self._trace):
            told = apply(op, held.number.after, constant(other, int64))
        assert isinstance(told, SymbolicTensor)
        return Condition.of(Test(self._trace, told.value, True))


def _place_among(array: One, known: list[One]) -> int:
    """The place of an array among some, which it joins if it is none of them."""
    if not any(array is one for one in known):
        known.append(array)
    return next(number for number, one in enumerate(known) if one is array)


def _made_in(a: Held, b: Held) -> bool:
    """Whether two variables may hold one array that an iteration has made."""
    return any(not is_outer for is_outer, _ in a.ends & b.ends)
