"""Arrays that may be one: what else changes when an array is written.

A variable that holds one array or another as the graph decides holds an array of its own, `below` those that it may be.
Where the graph has the condition under which it is one of them, whoever writes either writes the other under that
condition. Where nobody can tell, what the other holds is not known any more.
"""

from __future__ import annotations

import heapq
import itertools
import operator
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from runtime.graph.graph import Value
from runtime.graph.shapes import compatible, pattern
from runtime.ops import elementwise as ew, structure
from runtime.tensors import shaping
from runtime.tensors.conversion import constant
from runtime.tensors.operations import apply
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, close, current, recording

if TYPE_CHECKING:
    from runtime.tensors.views import Array


class Test(NamedTuple):
    """A truth value of the graph, and what it has to be."""

    trace: Trace
    value: Value
    holds: bool

    def denied(self) -> Test:
        return self._replace(holds=not self.holds)

    def tensor(self) -> Tensor:
        tensor = SymbolicTensor(self.trace, self.value)
        return tensor if self.holds else apply(ew.logical_not, tensor)


class Condition:
    """When something is so: `cases`, in one of which all tests are as they have to be."""

    def __init__(self, cases: Iterable[frozenset[Test]]) -> None:
        possible = {case for case in cases if not any(test.denied() in case for test in case)}
        self.cases = {case for case in possible if not any(other < case for other in possible)}

    @classmethod
    def of(cls, test: Test) -> Condition:
        """That one test is as it has to be."""
        return cls([frozenset([test])])

    @property
    def is_sure(self) -> bool | None:
        """Whether it is so, where that does not depend on the graph."""
        if not self.cases:
            return False
        return True if frozenset() in self.cases else None

    def __and__(self, other: Condition) -> Condition:
        return Condition(a | b for a in self.cases for b in other.cases)

    def __or__(self, other: Condition) -> Condition:
        return Condition(self.cases | other.cases)

    def is_known_in(self, trace: Trace) -> bool:
        tests = [test for case in self.cases for test in case]
        return all(trace.is_within(test.trace) and test.value not in test.trace.gone for test in tests)

    def short(self) -> Condition:
        """The same, in as few cases as can be."""
        return self.shortened() or self

    def shortened(self) -> Condition | None:
        """The same as one test of the graph's, where there are many cases: each branch may double them. None where some
        are known only in a part of the program that has ended."""
        trace = current()
        if len(self.cases) <= _MOST or trace is None:
            return self
        if not (trace.is_within(self._home()) and self.is_known_in(self._home())):
            return None
        told = self.tensor()
        assert isinstance(told, SymbolicTensor)
        return Condition.of(Test(told.traced_in, told.value, True))

    def _home(self) -> Trace:
        """Where all is known."""
        return max((test.trace for case in self.cases for test in case), key=lambda trace: trace.depth)

    def tensor(self) -> Tensor:
        """Whether it is so, a bool of shape (), computed as soon as it is known."""
        if self.is_sure is not None:
            return constant(self.is_sure)
        found: Tensor | None = None
        with recording(self._home()):
            for case in self.cases:
                whole, *others = [test.tensor() for test in case]
                for other in others:
                    whole = apply(ew.logical_and, whole, other)
                found = whole if found is None else apply(ew.logical_or, found, whole)
        assert found is not None
        return found


ALWAYS, _NEVER = Condition([frozenset()]), Condition([])
_MOST = 4  # cases that are told apart
_MOST_WAYS = 50  # from one array to another; each is an operation of the graph or several
_serials = itertools.count(1)


class Aliases:
    """What an array may be, or may be it; it is there after the array, for those that may both be that."""

    __slots__ = ("_place", "above", "below", "serial")

    def __init__(self, place: Array) -> None:
        self._place = weakref.ref(place)
        self.serial = 0  # in what order those were made that are one of several
        self.above: list[Link] = []  # to what it may be, or share memory with
        self.below: list[Link] = []  # to what may be it

    @property
    def place(self) -> Array | None:
        """None once nobody holds it any more."""
        return self._place()


@dataclass(frozen=True, eq=False, slots=True)
class Link:
    """An array that may be another, or a view of another, or share memory with it; `when` it is, if the graph can
    tell. What is only `beside` another is never that very object."""

    below: Aliases
    above: Aliases
    when: Condition | None = None
    view: Array | None = None
    beside: bool = False

    def is_known_in(self, trace: Trace) -> bool:
        """Whether it can be told there when the arrays are one."""
        if self.when is None or not self.when.is_known_in(trace):
            return False
        return self.view is None or all(trace.is_within(one.traced_in) for one in self.view.given())

    def shown(self) -> Array:
        """The array above, or the view of it."""
        shown = self.view if self.view is not None else self.above.place
        assert shown is not None
        return shown

    def add(self) -> None:
        """Know it besides what was known of these two."""
        made = self
        for known in self.below.above:
            if known.above is self.above and _are_same_view(known.view, self.view):
                known.remove()
                both = known.when and self.when and (known.when | self.when)
                made = replace(self, when=both, beside=known.beside and self.beside)
                break
        if made.when is not None and len(made.when.cases) > _MOST:
            short = made.when.shortened()
            made = replace(made, when=short, view=made.view if short is not None else None)
        self.below.above.append(made)
        self.above.below.append(made)

    def remove(self) -> None:
        self.below.above.remove(self)
        self.above.below.remove(self)


def _are_same_view(a: Array | None, b: Array | None) -> bool:
    """Whether two views of an array show the same, in the same way."""
    if a is None or b is None or a is b:
        return a is b
    return len(a.steps) == len(b.steps) and all(
        op is other and mine == its and len(given) == len(others) and all(map(_are_same_value, given, others))
        for (op, given, mine), (other, others, its) in zip(a.steps, b.steps)
    )


def _are_same_value(a: object, b: object) -> bool:
    return a is b or (isinstance(a, SymbolicTensor) and isinstance(b, SymbolicTensor) and a.value is b.value)


def link(below: Array, above: Array, when: Condition | None = None, beside: bool = False) -> None:
    """Know that an array may be another, or is `beside` it. With `when`, `below` has just been made."""
    place = above.place
    if place is below:
        return
    mine, its = _node(below), _node(place)
    if when is not None:
        mine.serial = next(_serials)
    Link(mine, its, when, above if when is not None and above is not place else None, beside).add()


def _node(place: Array) -> Aliases:
    if place.aliases is None:
        place.aliases = Aliases(place)
    return place.aliases


def _above(node: Aliases) -> list[Link]:
    """The links to what is there still of what an array may be."""
    return _there(node.above, _UPWARDS)


def _below(node: Aliases) -> list[Link]:
    return _there(node.below, _DOWNWARDS)


_UPWARDS, _DOWNWARDS = operator.attrgetter("above"), operator.attrgetter("below")


def _there(links: list[Link], end: Callable[[Link], Aliases]) -> list[Link]:
    """The links, once those to what is gone at this end are bridged."""
    while True:
        for known in links:
            if end(known)._place() is None:
                _bridge(end(known))
                break
        else:
            return links


def _bridge(gone: Aliases) -> None:
    """Link those that were linked to an array that nobody holds any more. It was one of those above, never two."""
    above, below = [*gone.above], [*gone.below]
    for known in (*above, *below):
        known.remove()
    for old, new in itertools.combinations(sorted(below, key=lambda known: known.below.serial), 2):
        _link_if(new.below, old.below, old.when and new.when and old.when & new.when, None, old.beside or new.beside)
    for one, other in itertools.product(below, above):
        both = one.when and other.when and one.when & other.when
        _link_if(one.below, other.above, both, other.view, one.beside or other.beside)


def _link_if(below: Aliases, above: Aliases, when: Condition | None, view: Array | None, beside: bool) -> None:
    if below is not above and (when is None or when.cases):
        Link(below, above, when, view if when is not None else None, beside).add()


def may_be(place: Array) -> list[Array]:
    """The places that one may be, or share memory with, itself included."""
    return _places(_closure([place.aliases], _over).values()) if place.aliases is not None else [place]


def related(place: Array) -> list[Array]:
    """Whatever may change with a place."""
    if place.aliases is None:
        return []
    found = _closure(_closure([place.aliases], _over).values(), _under)
    return [one for one in _places(found.values()) if one is not place]


def tied(place: Array) -> list[Array]:
    """What is written along with a place, under a condition."""
    trace = current()
    if place.aliases is None or trace is None:
        return []
    found = _places(_beside(place.aliases, lambda known: known.is_known_in(trace)))
    return [one for one in found if one.can_be_written]


def are_tied(a: Array, b: Array) -> bool:
    """Whether one place may be written along with another, as far as the graph can tell."""
    if a.aliases is None or b.aliases is None:
        return False
    return id(b.aliases) in _closure([a.aliases], lambda node: _beside(node, lambda known: known.when is not None))


@dataclass(eq=False)
class Start:
    """What a variable of a loop held before it, of the array that it holds when an iteration begins: whether it holds
    that each time, as far as the loop has been traced, and whether that has been asked."""

    before: object
    stays: bool
    is_asked: bool = False


def before_loops(array: Any) -> Any:
    """The array that one is which a variable holds when an iteration begins, where it holds the same each time."""
    while (start := getattr(array, "start", None)) is not None and start.stays:
        start.is_asked = True
        array = start.before
    return array


def are_open(a: Array, b: Array | None) -> bool:
    """Whether one array may be what a variable holds when an iteration begins that is being traced, and the other what
    was there then (None: an array of NumPy's): nobody knows yet what iterations leave in it."""
    return _may_begin(a, b) or (b is not None and _may_begin(b, a))


def _may_begin(array: Array, other: Array | None) -> bool:
    bodies = [one.traced_in for one in may_be(array.place) if one.start is not None]
    if not bodies or other is None:
        return bool(bodies)
    return any(
        one.start is not None or any(body is not one.traced_in and body.is_within(one.traced_in) for body in bodies)
        for one in may_be(other.place) if one is not array.place
    )  # fmt: skip


def when_same(a: Array, b: Array) -> Condition | None:
    """When two arrays are the very same object; None where the graph cannot tell, or not yet."""
    return None if a is not b and are_open(a, b) else when_linked(a, b)


def when_linked(a: Array, b: Array) -> Condition | None:
    """When two arrays are the very same object as far as links tell, which an array that a variable holds when an
    iteration begins has none of as long as that is traced; None where the graph cannot tell.

    They are if both are a third one: what may be either of them, and is one or the other, says nothing about them.
    """
    trace = current()
    if a is b:
        return ALWAYS
    if trace is None or a.place.aliases is None or b.place.aliases is None:
        return _NEVER
    if a.place is not b.place and not _meets(a.place.aliases, b.place.aliases, ()):
        return _NEVER
    if a is not a.place or b is not b.place:
        return None
    found, target = _NEVER, _node(b)
    waiting: list[_Path] = [_Path(_node(a), ALWAYS, ())]
    for _ in range(_MOST_WAYS):
        if not waiting:
            return found
        path = waiting.pop()
        if not _above(path.node) and not _above(target):
            continue  # both were made each on its own
        for known in (*(_above(path.node) if not path.descends else ()), *_below(path.node)):
            other = known.below if known.above is path.node else known.above
            goes_up = other is known.above
            if other in path.before or (path.view is not None and (goes_up or known.view is None)):
                continue  # a view is another object than what it is a view of, and one of it than another
            if known.beside or (not goes_up and known.view is not None and path.view is None):
                continue
            if known.when is None or not known.is_known_in(trace):
                if _meets(other, target, {*path.before, path.node}, not goes_up):
                    return None
                continue
            both = (path.when & known.when).short()
            if not both.cases:
                continue
            is_one = path.view is not None and path.view is known.view  # both were chosen for that very view
            by_view = not is_one and (path.by_view or known.view is not None)
            if other is not target:
                before = (*path.before, path.node)
                waiting.append(_Path(other, both, before, by_view, known.view if goes_up else None, not goes_up))
            elif by_view and (path.view is not None or known.view is None):
                return None  # both may be one view
            elif not by_view:
                found = (found | both).short()
    return None


def shown_as(array: Array) -> list[tuple[Array, Condition | None]]:
    """Of which arrays one may be a view, as these views, where the graph can tell when: of what it was chosen for, and
    of what that is a view of in its turn, or may be. There is one without a condition where there are too many."""
    trace = current()
    if trace is None or array.place.aliases is None:
        return []
    found: list[tuple[Array, Condition | None]] = []
    waiting: list[tuple[Aliases, Condition, Any]] = [(array.place.aliases, ALWAYS, None)]
    while waiting:
        node, when, view = waiting.pop()
        if len(found) > _MOST_WAYS:
            return [*found, (found[0][0], None)]
        for known in _above(node):
            if known.when is None or known.beside or not known.is_known_in(trace):
                continue
            both = (when & known.when).short()
            if not both.cases:
                continue
            shown = known.shown() if view is None else view.of(known.shown())
            if shown is not shown.place:
                found.append((shown, both))
            waiting.append((known.above, both, shown if shown is not shown.place else None))
    return found


def _meets(start: Aliases, target: Aliases, before: Collection[Aliases], descends: bool = False) -> bool:
    """Whether two places may both be one, which is the first where that `descends`, but by those that came before."""
    found = _closure([target], _one_of, before)
    return not found.keys().isdisjoint([id(start)] if descends else _closure([start], _one_of, before))


class _Path(NamedTuple):
    """A way from an array to what may be it: whether it led to a view, and the view, if it is still at what that is a
    view of; and whether it leads on to what may be that alone."""

    node: Aliases
    when: Condition
    before: tuple[Aliases, ...]
    by_view: bool = False
    view: Array | None = None
    descends: bool = False


def ways_out(array: Array, outside: Trace) -> tuple[list[tuple[Array, Condition | None]] | None, list[Array]]:
    """What of the places outside of a branch an array may be that was made in it, and when, and the places in the
    branch that it may be; nothing of the former where nobody can tell."""
    held = _connected(_node(array))
    inside = [place for place in may_be(array) if not outside.is_within(place.traced_in)]
    found: list[tuple[Array, Condition | None]] = []
    waiting: list[tuple[Aliases, Condition]] = [(_node(array), ALWAYS)]
    while waiting:
        node, when = waiting.pop()
        for known in node.above:
            both = known.when and (when & known.when).short()
            if outside.is_within(_place(known.above).traced_in):
                found.append((known.shown(), both))
            elif both is None or known.view is not None:
                return None, inside
            else:
                waiting.append((known.above, both))
    del held  # until here nothing is let go
    return found, inside


def sources(array: Array, is_one: Callable[[Array], bool]) -> list[tuple[Array, Condition]] | None:
    """Which others an array may be, and when: the last of those of which the condition holds, or else itself. None
    where the graph cannot tell. What `is_one` is not asked what it may be.
    """
    trace = current()
    if trace is None or array is not array.place:
        return None if is_one(array.place) or array.place.aliases is not None else []
    found: list[tuple[Array, Condition]] = []
    waiting = [(_node(array), ALWAYS)]
    while waiting:
        node, when = waiting.pop()
        place = _place(node)
        if place is not array:
            found.append((place, when))
        for one in _above(node) if place is array or not is_one(place) else ():
            if one.when is None or one.view is not None or not one.is_known_in(trace):
                return None
            if (both := (when & one.when).short()).cases:
                waiting.append((one.above, both))
        if len(found) + len(waiting) > _MOST_WAYS:
            return None
    return found


def _places(nodes: Iterable[Aliases]) -> list[Array]:
    return [place for node in nodes if (place := node.place) is not None]


def _over(node: Aliases) -> Iterator[Aliases]:
    yield from (known.above for known in _above(node))


def _one_of(node: Aliases) -> Iterator[Aliases]:
    """What an array may be itself."""
    yield from (known.above for known in _above(node) if not known.beside)


def _under(node: Aliases) -> Iterator[Aliases]:
    yield from (known.below for known in _below(node))


def _beside(node: Aliases, counts: Callable[[Link], bool]) -> Iterator[Aliases]:
    """What is linked to it, above and below, by links that count."""
    yield from (known.above for known in _above(node) if counts(known))
    yield from (known.below for known in _below(node) if counts(known))


def _around(node: Aliases) -> list[Aliases]:
    """What is linked to it, above and below."""
    return [*map(_UPWARDS, _above(node)), *map(_DOWNWARDS, _below(node))]


def _closure(
    start: Iterable[Aliases], following: Callable[[Aliases], Iterable[Aliases]], before: Iterable[Aliases] = ()
) -> dict[int, Aliases]:
    """What follows from places, but by those that came before."""
    found: dict[int, Aliases] = {}
    passed, waiting = {*map(id, before)}, [*start]
    while waiting:
        node = waiting.pop()
        if id(node) in found or id(node) in passed:
            continue
        found[id(node)] = node
        waiting += [other for other in following(node) if id(other) not in found]
    return found


def _connected(node: Aliases) -> list[Array]:
    """All places that are linked to one, directly or not; the others on the way are bridged."""
    while True:
        nodes = _closure([node], _around)
        found = _places(nodes.values())
        if len(found) == len(nodes):
            return found


def write_others(written: Array) -> list[Array]:
    """Write to whatever else an array is that has just been written; returns the places of which nobody can tell.

    Each array that may be one of several is one of them, and that may be one of several itself. So what is above is
    written first, the newest before what it may be, and then all that may be one of those, the oldest first.
    """
    start, trace = written.aliases, current()
    if start is None or trace is None:
        return []
    held = _connected(start)  # nothing is let go meanwhile
    writing = _Writing(start, trace)
    writing.above()
    writing.below()
    unknown = _closure(writing.unknown_above, _over)
    unknown.update(_closure([*unknown.values(), *writing.unknown_below], _under))
    unknown.pop(id(start), None)
    return [place for place in held if place.aliases is not None and id(place.aliases) in unknown]


class _Writing:
    """What is written along with an array, so far."""

    def __init__(self, start: Aliases, trace: Trace) -> None:
        self.start, self.trace = start, trace
        self.when = {id(start): ALWAYS}  # it is what was written
        self.changed = {id(start): start}
        self.writers: dict[int, set[int]] = {}
        self.unknown_above: list[Aliases] = []
        self.unknown_below: list[Aliases] = []

    def above(self) -> None:
        waiting = [(-self.start.serial, id(self.start), self.start)]
        while waiting:
            *_, node = heapq.heappop(waiting)
            for known in node.above:
                target = known.above
                if _are_apart(known):
                    continue
                if known.when is None or not self._can_write(known, target):
                    self.unknown_above.append(target)
                    continue
                condition = self.when[id(node)] & known.when
                if not condition.cases:
                    continue  # the conditions exclude each other
                _write(known.shown(), condition, _place(node))
                self.when[id(target)] = (self.when.get(id(target), _NEVER) | condition).short()
                if self._is_new(node, target):
                    heapq.heappush(waiting, (-target.serial, id(target), target))

    def below(self) -> None:
        waiting = [(node.serial, key, node) for key, node in self.changed.items()]
        heapq.heapify(waiting)
        while waiting:
            *_, node = heapq.heappop(waiting)
            for known in node.below:
                target = known.below
                if target is self.start or self.writers.get(id(node)) == {id(target)}:
                    continue  # it is what all has come from
                if _are_apart(known):
                    continue
                if known.when is None or not self._can_write(known, target):
                    self.unknown_below.append(target)
                    continue
                _write(_place(target), known.when, known.shown())
                if self._is_new(node, target):
                    heapq.heappush(waiting, (target.serial, id(target), target))

    def _can_write(self, known: Link, target: Aliases) -> bool:
        """Whether it can be told when the arrays are one. Raises StagingError if that is held by what has a copy."""
        if not (known.is_known_in(self.trace) and _are_alike(known) and _place(target).can_be_written):
            return False
        _place(target).check_held()
        return True

    def _is_new(self, writer: Aliases, target: Aliases) -> bool:
        """Note what was written; returns whether it had not been."""
        self.writers.setdefault(id(target), set()).add(id(writer))
        is_new = id(target) not in self.changed
        self.changed[id(target)] = target
        return is_new


def _place(node: Aliases) -> Array:
    place = node.place
    assert place is not None
    return place


def _are_apart(known: Link) -> bool:
    """Whether two arrays differ in size, and so are never one."""
    if known.when is None:
        return False  # one may be a part of the other
    return not compatible(pattern(_place(known.below).type.shape), pattern(known.shown().type.shape))


def _are_alike(known: Link) -> bool:
    """Whether what one array holds can be put into the other."""
    a, b = _place(known.below).type, known.shown().type
    return a.dtype == b.dtype and a.weak == b.weak and a.shape is not None and b.shape is not None


def _write(array: Array, when: Condition, new: Array) -> None:
    """Have an array, which may be a view of one, hold what another does when that is so."""
    trace, place = current(), array.place
    assert trace is not None
    predicate = when.tensor().record_in(trace)  # type: ignore[attr-defined]
    traces = (Trace("then", trace), Trace("else", trace))
    with recording(traces[0]):
        fitting = new if new.type.shape == array.type.shape else shaping.reshape(new, shaping.shape(array))
        first = array.placed(fitting).record_in(traces[0])
    with recording(traces[1]):
        second = place.record_in(traces[1])
    outer, regions = close(traces, [[], []], [[first], [second]])
    kind, hint = place.type, place.value.hint
    [value] = trace.record(structure.if_, [predicate, *outer], {"tied": True}, [kind], regions, [hint])
    place.writes += 1
    place._hold(SymbolicTensor(trace, value))
