"""Arrays that a variable may hold after a branch or in a loop: which place each is, as far as it is known.

A variable that holds one array or another as the graph decides holds an array of its own, which is linked to those: as
long as none of them is written nobody can tell. A loop gives its variables arrays of their own, too, and has the array
that a variable held before the loop be written if every iteration writes that very array.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph import UNSET, StagingError, Variables
from autograph.dispatch import Name, Role
from autograph.operators.effects import is_closed
from runtime.graph.dtypes import NumPyArray, as_dtype
from runtime.graph.graph import TensorType, Value
from runtime.tensors.links import Condition, Start, Test, are_open, link, may_be, related, when_same
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace, traces_around
from runtime.tensors.views import Array, Memory, Perhaps, View, is_read, linked, whole


@dataclass(eq=False)
class Way:
    """An array from before a branch that one made in the branch may be: whether the graph can tell (`is_sure`) and in
    which slot it is told, if it is not so whenever the branch is run, and in which slots the branch leaves what a view
    was made with there."""

    above: Array
    is_sure: bool
    told: int | None = None
    given: dict[int, int] = field(default_factory=dict)

    def shown(self, results: Sequence[Value], trace: Trace) -> Array:
        """The array as it is known outside."""
        if not isinstance(self.above, View) or not self.given:
            return self.above
        return self.above.given_again(
            lambda one: SymbolicTensor(trace, results[self.given[id(one)]]) if id(one) in self.given else one
        )


@dataclass(eq=False)
class Beyond:
    """What an array that was made in a branch may be: which from before it (None if nobody can tell), and places that
    were made in it."""

    ways: list[Way] | None
    inside: list[Array]


@dataclass(eq=False)
class JoinedArray:
    """What is known of an array that two sides leave in a variable; `others` are those of the same join.

    For the variable of a loop, `outside` is the trace around the loop; after a branch, `when` tells when each side is
    taken, and `beyond` what an array is that was made on a side.
    """

    sides: tuple[object, object]
    others: list[JoinedArray]
    outside: Trace | None = None
    held: str = ""  # by what besides, of an array that is no place
    when: tuple[Condition, Condition] | None = None
    beyond: dict[int, Beyond] = field(default_factory=dict)
    aliases: list[Array] = field(init=False, default_factory=list)  # from outside, that it may be after an iteration
    made: dict[Trace, Array] = field(default_factory=dict)
    results: Sequence[Value] = ()  # what the graph has for all slots
    # The slots that tell whether another variable has the same array, by the side and the identity of that variable.
    told: dict[tuple[int, int], int] = field(default_factory=dict)
    identity: Callable[[Array], None] | None = None  # links what a loop leaves to what it may be, where that is known
    kept: Array | None = None  # what a loop leaves in the variable as it was
    unknown: str = ""  # why nobody knows what a loop leaves in it
    start: Start | None = None  # of the array that the variable of a loop holds when an iteration begins

    def __post_init__(self) -> None:
        before, after = self.sides
        if self.outside is not None:
            self.start = Start(before, after is UNSET or self._stays(before, after))
        if self.outside is not None and isinstance(after, Array):
            places = [place for place in may_be(after.place) if self.outside.is_within(place.traced_in)]
            if not after.place.held:  # what only Python has is made anew in each iteration
                places = [place for place in places if type(place) is not Memory]
            self.aliases = [p for p in places if not isinstance(before, Array) or p is not before.place]

    def _stays(self, before: object, after: object) -> bool:
        """Whether an iteration leaves in a variable of the loop what was there before that."""
        if not isinstance(after, Array) or after is not after.place or after.traced_in.parent is not self.outside:
            return after is before
        return after.start is not None and after.start.stays and after.start.before is before

    def pythons(self) -> NumPyArray | None:
        """The array, if it is one that only Python has, whatever the graph does."""
        first, second = self.sides
        return first if type(first) is np.ndarray and second is UNSET else None

    def filled(self, trace: Trace, value: Value) -> Array:
        """The array that the variable holds in a trace."""
        if self.kept is not None and trace is self.outside:
            return self.kept
        known = self.made.get(trace)
        if known is None or (known.value is not value and type(known) in (Array, Perhaps) and not known.writes):
            known = self.made[trace] = Array(trace, value) if self.is_array else Perhaps(trace, value)
            known.doubt = self.doubt
            held = (s.place.held for s in self.sides if isinstance(s, Array) and s.place.held)
            known.held = next(held, self.held)
            inside = self.outside is not None and trace is not self.outside
            known.start = self.start if inside else None
            linking: Sequence[object] = self.aliases if inside else self.sides
            if self.identity is not None and trace is self.outside:
                self.identity(known)
                linking = ()
            for number, side in enumerate(linking):
                if isinstance(side, Array):
                    self._link(known, side, number)
                elif isinstance(side, np.ndarray):
                    link_memory(known, side, self.when[number] if self.when and type(known) is Array else None)
                for other in self.others:
                    if other is not self and trace in other.made:
                        self._link_to(known, side, other, other.made[trace], number)
        return known

    def _link(self, known: Array, side: Array, number: int) -> None:
        """Know that the array may be what a side has: a place from before the branch, or one that is made in it."""
        known.held = known.held or side.place.held
        when = self.when[number] if self.when is not None and type(known) is Array else None
        ways = self.beyond[number].ways if number in self.beyond else None
        for way in ways or () if when is not None else ():
            told = when
            if way.told is not None:
                told = Condition.of(Test(known.traced_in, self.results[way.told], True))
            link(known, way.shown(self.results, known.traced_in), told if way.is_sure else None)
        if when is None or ways is None:
            link(known, side, when if known.traced_in.is_within(side.place.traced_in) else None)

    def _link_to(self, known: Array, side: object, other: JoinedArray, array: Array, number: int) -> None:
        """Know that another variable may have the same array."""
        if not isinstance(side, Array):
            return  # the memory of an array of NumPy's is known itself
        if self.when is None:
            if _holds(other, side):
                linked(known, array)
        elif side is other.sides[number] and not isinstance(side, View):
            link(known, array, self.when[number] if type(known) is type(array) is Array else None)
        elif _root(side) is _root(other.sides[number]):
            if not known.traced_in.is_within(side.place.traced_in):
                linked(known, array)  # else both are linked to where it is
        elif number in self.beyond and number in other.beyond and self.may_share(other, number):
            slot = self.told.get((number, id(other)))
            if slot is not None and type(known) is type(array) is Array:
                link(known, array, Condition.of(Test(known.traced_in, self.results[slot], True)))
            else:
                linked(known, array)

    def may_share(self, other: JoinedArray, side: int) -> bool:
        """Whether two variables may have the same array, or parts of one, that was made on a side."""
        mine = {*map(id, self.beyond[side].inside)}
        return any(id(place) in mine for place in other.beyond[side].inside)

    def places(self) -> list[Array]:
        """The places of the graph that it may be."""
        places = [place for side in self.sides if isinstance(side, Array) for place in may_be(side.place)]
        return [place for place in places if type(place) is not Memory]

    @property
    def is_array(self) -> bool:
        """Whether it is an array, whichever side the graph takes."""
        return all(
            side is UNSET or (isinstance(side, Array | np.ndarray) and not isinstance(side, Perhaps))
            for side in self.sides
        )

    @property
    def doubt(self) -> str:
        """Why nobody knows what it holds."""
        doubts = (s.place.doubt for s in self.sides if isinstance(s, Array) and s.place.doubt)
        return self.unknown or next(doubts, "")

    def is_like(self, other: JoinedArray) -> bool:
        """Whether a variable may share memory with the same array from outside the loop, and is known to stay what it
        was before it, if that was asked."""
        if self.start is not None and other.start is not None and self.start.stays != other.start.stays:
            if self.start.is_asked or other.start.is_asked:
                return False
        return [*map(id, self.aliases)] == [*map(id, other.aliases)]


def _holds(joined: JoinedArray, array: Array) -> bool:
    return any(_root(side) is array.place for side in joined.sides)


def _root(array: object) -> object:
    return array.place if isinstance(array, Array) else array


def are_one_memory(a: object, b: object) -> bool:
    """Whether two arrays are one place, or arrays of NumPy's that may share memory."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a is b or bool(np.may_share_memory(a, b))
    return a is b and isinstance(a, Array)


def memory_of(trace: Trace, array: np.ndarray) -> Array:
    """What stands for an array of NumPy's among those that one may be."""
    known = trace.root.memories.get(id(array))
    if known is None:
        kind = TensorType(as_dtype(array.dtype), array.shape)
        known = trace.root.memories[id(array)] = (array, Memory(trace.root, Value(kind, "array")))
    return known[1]


def link_memory(below: Array, array: NumPyArray, when: Condition | None) -> None:
    """Know that an array may be one of NumPy's, `when` it is if that is known, and may share memory with the whole."""
    trace = below.traced_in
    link(below, memory_of(trace, array), when)
    if (behind := whole(array)) is not array:
        link(below, memory_of(trace, behind))


def when_memory(array: Array, other: np.ndarray) -> Condition | None:
    """When an array is one of NumPy's, as `when_same` tells of two of the graph's."""
    if are_open(array, None):
        return None
    root = array.traced_in.root
    known = root.memories.get(id(other))
    found: Condition | None = Condition([]) if known is None else when_same(array.place, known[1])
    for lent, original in (row for trace in traces_around(array.traced_in) for row in trace.lent):
        if original is other:
            same = when_same(array, lent)
            found = found | same if found is not None and same is not None else None
    return found


@dataclass(eq=False)
class LoopArray:
    """An array among the variables of a loop: what it was before, in the last iteration traced, and after that."""

    names: Collection[str]
    joined: JoinedArray
    before: object
    inside: Array
    after: Any
    writes: int  # of the place that it was before, when the loop began
    slot: int


def changing(arrays: Sequence[LoopArray]) -> list[LoopArray]:
    """Those of the arrays that are written in the loop, or may become one that is."""
    found = [one for one in arrays if one.inside.writes]
    while more := [o for o in arrays if o not in found and any(_becomes(o, other) for other in found)]:
        found += more
    return found


def leave_loop(
    arrays: Sequence[LoopArray], results: Sequence[Value], trace: Trace, bodies: Sequence[Trace], variables: Variables
) -> None:
    """Settle which arrays the variables hold after the loop, whose parts are `bodies`.

    Raises StagingError if an array is written in the loop that is known by other names, too.
    """
    statement = str(variables.statement)
    changed = [place.holder for place in variables.places if isinstance(place.holder, Array) and place.key is None]
    for one in arrays:
        if isinstance(one.before, Array) and any(one.before.place is place for place in changed):
            raise _refused(one, "may be an array that is written by another name in the loop", statement)
    writing = changing(arrays)
    returned = [(one, other) for one in arrays for other in arrays if _is_returned(one, other)]
    for one in arrays:
        same = [o for o in arrays if may_share(o, one) and not {(one, o), (o, one)} & {*returned}]
        written = any(o in writing for o in same)
        if len(same) > 1 and written:
            other = same[0] if same[0] is not one else same[1]
            verb = "is" if one.after.place is other.after.place else "may be"
            raise _refused(
                one, f"{verb} the same array as '{_name(other)}' after an iteration, and is written", statement
            )
    for one in writing:
        _check_others(one, arrays, bodies, statement)
    for one in arrays:
        linked(one.inside, *_at_start(one, arrays, trace, returned))
        one.inside.start = None  # by now it is known what iterations leave there
    for one in sorted(arrays, key=lambda one: one not in writing):  # first those that are written: others may be them
        if not isinstance(one.before, Array):
            if one in writing and isinstance(one.before, np.ndarray) and is_closed(one.before):
                raise _refused(one, "is perhaps the array that another variable holds, and is written", statement)
            continue
        place = one.before.place
        if place.writes != one.writes:
            raise _refused(one, "is written by another name in the loop", statement)
        stays = one.after is one.inside
        if one in writing and one.inside.held:
            raise _refused(one, f"is {one.inside.held}, and is written", statement)
        if one not in writing:
            if one.inside.doubt:  # what may be it is written
                place.doubt = place.doubt or one.inside.doubt
                one.joined.unknown = one.inside.doubt
            elif stays:
                one.joined.kept = one.before
            continue
        names = [name for name in variables.existed(place) if name not in one.names]
        if names or isinstance(one.before, View):
            raise _refused(one, f"is known as '{names[0]}', too, and is written" if names
                           else "is a part of another array, and is written", statement)  # fmt: skip
        if stays:
            place._become(SymbolicTensor(trace, results[one.slot]))
            one.joined.made[trace] = place
        else:
            place._become(SymbolicTensor(trace, results[one.slot]))
            for known in (place, *related(place)):
                known.doubt = str(_refused(one, "is written in an iteration, and then another array", statement))
            one.joined.made[trace] = linked(Array(trace, results[one.slot]), *one.joined.aliases)
    for one in dict.fromkeys(one for one, _ in returned):
        others = [o for left, o in returned if left is one and o in writing and may_share(one, o)]
        perhaps = [o.before.place for o in others if isinstance(o.before, Array)]
        if perhaps:  # it may be one of them, as whoever calls this function may go on with both
            one.joined.made[trace] = left = linked(Array(trace, results[one.slot]), *perhaps)
            left.returned = True


def _is_returned(one: LoopArray, other: LoopArray) -> bool:
    """Whether an array is what the function returns, which ends the loop, and the other one that it has made and goes
    on writing if the loop does."""
    if one is other or type(one.after) is not Array or other.after is not other.inside:
        return False
    return all(Name.of(name).role is Role.RETURNED for name in one.names) and _is_own(other.before)


def _is_own(array: object) -> bool:
    """Whether nobody but the variable knows an array of the graph."""
    if type(array) is not Array or array.held or array.aliases is not None:
        return False
    lent = (one for trace in traces_around(array.traced_in) for one, _ in trace.lent)
    return all(one is not array for one in lent)


def _check_others(array: LoopArray, arrays: Sequence[LoopArray], bodies: Sequence[Trace], statement: str) -> None:
    """Refuse to read in a loop what may be the array that is written there: it would be read as it was before."""
    if isinstance(array.before, Array):
        near = related(array.before.place)
    elif isinstance(array.before, np.ndarray):
        behind = {id(one): one for one in (array.before, whole(array.before))}.values()
        near = [place for one in behind for place in related(memory_of(array.inside.traced_in, one))]
    else:
        return
    inside = [o.inside for o in arrays if isinstance(o.before, Array) and any(o.before.place is p for p in near)]
    if any(is_read(place, body) for place in (*near, *inside) for body in bodies if place is not array.inside):
        raise _refused(array, "may be the same array as another that is read in the loop, and is written", statement)


def _at_start(
    array: LoopArray, arrays: Sequence[LoopArray], outside: Trace, returned: Sequence[tuple[LoopArray, LoopArray]]
) -> list[Array]:
    """What the array that a variable holds when an iteration begins may be: that from before the loop, or one that the
    iteration before left there, which made it itself or had it from elsewhere."""
    found = [array.before] if isinstance(array.before, Array) else []
    if isinstance(array.after, Array):
        apart = {id(one.inside) for pair in returned if array in pair for one in pair if one is not array}
        insides = {id(one.inside) for one in arrays} - apart
        found += [p for p in may_be(array.after.place) if id(p) in insides or outside.is_within(p.traced_in)]
        others = (one for one in arrays if one is not array and id(one.inside) not in apart)
        found += [one.inside for one in others if may_share(one, array)]
    return found


def _becomes(array: LoopArray, other: LoopArray) -> bool:
    """Whether the array that one variable holds may be that of another after an iteration."""
    return isinstance(other.after, Array) and any(place is array.inside for place in may_be(other.after.place))


def may_share(a: LoopArray, b: LoopArray) -> bool:
    """Whether two variables may hold the same memory after an iteration."""
    if not (isinstance(a.after, Array) and isinstance(b.after, Array)):
        return False
    mine = {*map(id, may_be(a.after.place))}
    return any(id(place) in mine for place in may_be(b.after.place))


def _name(array: LoopArray) -> str:
    return next(iter(array.names), "an array")


def _refused(array: LoopArray, what: str, statement: str) -> StagingError:
    return StagingError(
        f"'{_name(array)}' {what}: in a graph it would not be known which arrays change. Make it a copy before the "
        f"loop (a = a.copy()), or assign a new array (a = a + b) instead of writing.\n  {statement}"
    )
