"""What two traces leave in a variable, made one: after a branch, and at the head of a loop.

Structures are joined part by part, Python numbers take the type of the tensors that they meet, dimensions that differ
become unknown. What has no common type (None and a tensor, a bound and an unbound variable, two functions) becomes a
union, of which the graph knows what it is.
"""

from __future__ import annotations

import functools
import linecache
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

from autograph import UNDEFINED, UNSET, StagingError, Variables
from autograph.dispatch import Name, Role
from autograph.errors import GrownError, with_article
from autograph.operators.aliases import held_besides, holders
from autograph.operators.effects import close
from autograph.operators.items import stands_in
from runtime.control.leaves import PromotedSlot, Slot, filled_slot, owner_of_all
from runtime.control.lists import TensorList, may_be_kept
from runtime.control.places import Beyond, JoinedArray, Way, are_one_memory
from runtime.control.plans import Chosen, Filling, ListPlan, ObjectPlan, RowPlan, same_constant, same_function
from runtime.control.promoted import told_of, types_of_both
from runtime.control.rows import ELSEWHERE, Fixed, Inner, Rows, as_rows, common
from runtime.control.shared import (
    PERHAPS,
    PERHAPS_CALLERS,
    Seat,
    Shared,
    attributes_of,
    contents,
    is_object,
    is_shared,
    note_put,
    objects,
    refused,
    share,
)
from runtime.control.tables import RowList, is_same_index, place_in
from runtime.control.unions import is_one_or_none, narrowed, renumbered, union_of
from runtime.graph.dtypes import int32, int64, python_numbers, string
from runtime.graph.graph import TensorType, Value
from runtime.graph.owner import Owner
from runtime.tensors import nest
from runtime.tensors.arrays import TensorArray
from runtime.tensors.conversion import operand
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.growing import has_grown
from runtime.tensors.leaf_types import (
    Leaf,
    are_of_several_dtypes,
    describe,
    is_leaf,
    is_scalar,
    join_types,
    leaf_type,
)
from runtime.tensors.links import ALWAYS, Condition, Test, may_be, ways_out, when_linked
from runtime.tensors.tensor import EagerTensor, ListElements, SymbolicTensor
from runtime.tensors.trace import Trace, recording
from runtime.tensors.views import ELEMENT, Array, View

import numpy as np  # isort: skip


_FREE = (Role.RETURNED, Role.OPERAND)
_NAMELESS = Name("", Role.VARIABLE)


class Join:
    """Plans what variables become: their value with a Slot for every leaf that the graph decides.

    `pairs` are the leaves on both sides and the type that holds both, in the order of the slots.
    """

    ends = False  # does what is traced end there, so that nobody writes what is left?

    def __init__(
        self, variables: Variables, traces: tuple[Trace, Trace], sides: tuple[str, str], jumped: Sequence[bool] = (),
        iterations: bool = False, predicate: Value | None = None,
    ) -> None:  # fmt: skip
        self.variables = variables
        self.traces = traces
        self.sides = sides  # what to call them
        self.jumped = jumped or (False, False)  # has a side ended in a jump, so that nobody reads what it did not set?
        self.when: tuple[Condition, Condition] | None = None  # is each side taken?
        if predicate is not None and traces[0].parent is not None:
            test = Test(traces[0].parent, predicate, True)
            self.when = Condition.of(test), Condition.of(test.denied())
        self.pairs: list[tuple[object, object, Leaf]] = []
        self.iterations = iterations  # are they those before and after an iteration?
        self.arrays: dict[tuple[int, int], Slot] = {}
        self.held: list[dict[Any, object]] = [{}, {}]
        self.changed: list[set[int]] = [set(), set()]  # the identities of what holds these
        # Plans, by the objects on the two sides, which they hold.
        self.together: dict[tuple[int, int], tuple[object, object, object]] = {}
        self.torn: set[object] = set()  # objects that are one on one side, and several on the other
        self.names: Sequence[str] = ()
        self.name = self.variable = _NAMELESS  # of the part that is planned, and of what that is a part of
        self.free = False  # may the values at hand be of different structure?
        self.both: tuple[Sequence[object], ...] = ((), ())  # the values on both sides
        self.place: Any = None  # that is planned, if it is no variable
        self.apart: dict[int, tuple[object, object]] = {}  # rows of tables, and their copies

    def plans(self, names: Sequence[str], a: Sequence[object], b: Sequence[object]) -> list[object]:
        """The plans of all variables. What a side has changed of an object is among them, and put back by now."""
        places = self.variables.places
        for side, values in enumerate((a, b)):
            left = values[len(values) - len(places) :]
            self.held[side] = {(id(p.holder), p.key): v for p, v in zip(places, left) if v is not UNSET}
            self.changed[side] = {holder for holder, _ in self.held[side]}
        self.names, self.both = names, (a, b)
        self._find_torn(a, b)
        self._check_shared()
        parts = [*(None for _ in range(len(a) - len(places))), *places]
        for self.place, name, x, y in zip(parts, names, a, b, strict=True):
            self._check_seats(name, x, y)
        made = []
        for self.place, name, x, y in zip(parts, names, a, b, strict=True):
            self.variable = Name.of(name)
            made.append(self.plan(name, x, y))
        return made

    @property
    def holder(self) -> object:
        """What holds the content that is planned; None for a variable."""
        return None if self.place is None else self.place.holder

    def _check_seats(self, name: str, a: object, b: object) -> None:
        """Refuse a list that is the row of a table on one side, and is not where that stands on the other; where the
        sides have other lists in a table, or in another order, nobody knows which is where."""
        holder = self.holder
        if not isinstance(holder, TensorList):
            return
        for side, mine, other in ((1, a, b), (0, b, a)):
            if isinstance(mine, Seat) and not isinstance(other, Seat) and other is not UNSET:
                content, at = self._content(side, mine.table), mine.index
                lists = content.elements if isinstance(content, Fixed) else ()
                number = int(at.array) if isinstance(at, EagerTensor) else len(lists)
                if not -len(lists) <= number < len(lists) or lists[number] is not holder:
                    may_be_kept(holder)
                    raise self.error(
                        Name.of(name),
                        "becomes a row of a list of lists in some cases alone. Put a copy there (row[:]).",
                    )
        if any(isinstance(v, Rows) and isinstance(v.structure, Inner) for v in (a, b)):
            mine, others = (
                [id(e) for e in (v.elements if isinstance(v, Fixed) else holder.made_of)] for v in (a, b)
            )  # fmt: skip
            if a is not UNSET and b is not UNSET and mine != others:
                holder.has_moved()

    def _find_torn(self, a: Sequence[object], b: Sequence[object]) -> None:
        """Find the objects that have two names on one side which stand for two objects on the other: whoever writes
        such an object by one name cannot know whether that is seen by the other."""
        partners: dict[object, object] = {}
        waiting, seen = [*zip(a, b)], set()
        while waiting:
            pair = waiting.pop()
            if type(pair[0]) in nest.ATOMS and type(pair[1]) in nest.ATOMS:
                continue
            if (key := (id(pair[0]), id(pair[1]))) in seen:
                if any(map(_is_absent, pair)):  # a tuple is made anew for each name, with what is in it
                    self.torn |= {id(one) for value in pair if isinstance(value, tuple) for (one,) in objects(value)}
                continue
            seen.add(key)
            places = [_place(value) for value in pair]
            perhaps = [_is_absent(value) or union_of(value) is not None for value in pair]
            met = [places, places[::-1]] if all(map(_is_mutable, pair)) and pair[0] is not pair[1] else []
            for value, another, unsure, place in zip(pair, pair[::-1], perhaps[::-1], places[::-1]):
                known = () if unsure else _options(another)
                options = [o for o in _options(value) if not _is_absent(o) and not any(o is one for one in known)]
                if unsure or (any(perhaps) and not self.iterations):
                    met += [[id(one), place] for option in options for (one,) in objects(option)]
            for one, other in met:
                if partners.setdefault(one, other) != other:
                    self.torn |= {one, other, partners[one]}
            if isinstance(pair[0], Fixed) and isinstance(pair[1], Fixed):
                waiting += zip(pair[0].elements, pair[1].elements)
            elif not isinstance(pair[0], Fixed | Rows) and all(map(nest.is_nested, pair)) and nest.alike(*pair):
                waiting += zip(*(self._parts(side, value) for side, value in enumerate(pair)))

    def _part(self, side: int, holder: object, key: object, now: object) -> object:
        """A part of an object as a side leaves it."""
        return self.held[side].get((id(holder), key), now)

    def _parts(self, side: int, value: object) -> list[object]:
        return [self._part(side, value, key, part) for key, part in zip(nest.keys(value), nest.parts(value))]

    def _attributes(self, side: int, value: object) -> dict[Any, object]:
        """The attributes of an object as a side leaves them; it may have added some."""
        left: dict[Any, object] = {**attributes_of(value), **self._changed(side, value)}
        items: Container[Any] = nest.keys(value) if _is_derived(value) else ()
        return {key: part for key, part in left.items() if part is not UNDEFINED and key not in items}

    def _changes(self, side: int, value: object) -> bool:
        """Whether a side changes what a list holds."""
        return isinstance(value, TensorList) and (id(value), None) in self.held[side]

    def _content(self, side: int, value: object) -> Any:
        if isinstance(value, Fixed | Rows):
            return value
        if isinstance(value, TensorList):
            content = self._part(side, value, None, value.content)
            if isinstance(content, Seat):
                may_be_kept(value)
                raise self.error(self.name, "becomes a row of a list of lists in some cases. Put a copy there.")
            return content
        return Fixed(self._parts(side, value))

    def _left(self, side: int, value: object) -> object:
        """A structure with all its parts as a side leaves them."""
        if isinstance(value, TensorList) and not isinstance(value, RowList) and self._changes(side, value):
            content = self._content(side, value)
            if isinstance(content, Rows):
                return TensorList.holding(content)
        if not nest.is_nested(value):
            return value
        if id(value) not in self.changed[side] and all(type(part) in nest.ATOMS for part in nest.parts(value)):
            return value
        if not isinstance(value, TensorList):
            parts = self._parts(side, value)
        elif isinstance(content := self._content(side, value), Rows):
            return TensorList.holding(content)
        else:
            parts = content.elements
        return nest.of_kind(value, [self._left(side, part) for part in parts])

    def plan(self, name: str, a: object, b: object) -> object:
        """The plan of a variable that one side leaves as `a` and the other as `b`."""
        name = Name.of(name)
        self.name = name
        self.free = name.role in _FREE or python_numbers.are_numpys
        if a is b or same_constant(a, b) or same_function(a, b):
            return a
        if (a is UNDEFINED and self.jumped[0]) or (b is UNDEFINED and self.jumped[1]):
            a, b = (UNSET if v is UNDEFINED else v for v in (a, b))  # what follows the jump does not see it
        if isinstance(a, Seat) or isinstance(b, Seat):
            return self._seat(name, a, b)
        if (isinstance(a, RowList) or isinstance(b, RowList)) and all(v is UNSET or _is_list(v) for v in (a, b)):
            pair = self._rows_of(a, b)
            if pair is None:
                if any([*map(may_be_kept, (a, b))]):
                    raise self.error(name, "is a list that others hold in some cases. Put a copy there (items[:]).")
                return self._union(name, a, b)
            a, b = pair
            if isinstance(a, RowList) or isinstance(b, RowList):
                return self._once(a, b, lambda: self._row(a, b))
        if a is UNSET or b is UNSET:
            return self._once(a, b, lambda: self._unset(b if a is UNSET else a, a is UNSET))
        if type(a) is not type(b) and stands_in(a) and stands_in(b):
            a.become(type(b))  # type: ignore[attr-defined]
            b.become(type(a))  # type: ignore[attr-defined]
        if all(map(_is_mutable, (a, b))) and (id(a), id(b)) in self.together:  # by a name which may know more of them
            return self.together[id(a), id(b)][0]
        a, b = self._narrowed(0, a), self._narrowed(1, b)
        if union_of(a) is not None or union_of(b) is not None or not self._are_alike(a, b):
            return self._once(a, b, lambda: self._union(name, a, b))
        return self._once(a, b, lambda: self._alike(name, a, b))

    def _seat(self, name: Name, a: Any, b: Any) -> Seat:
        """What a list holds that has become the row of a table, which stands where it stood there."""
        seat: Seat = a if isinstance(a, Seat) else b
        other = b if seat is a else a
        may_be_kept(self.holder)
        if isinstance(other, Seat) and not (seat.table is other.table and is_same_index(seat.index, other.index)):
            raise self.error(name, "becomes a row of one list of lists or of another. Put a copy there (row[:]).")
        if isinstance(seat.index, SymbolicTensor) and any(seat.index.traced_in.is_within(t) for t in self.traces):
            raise self.error(
                name,
                "becomes a row of a list of lists, at a place that is known only there. Put a copy there (row[:]).",
            )
        return seat

    def _rows_of(self, a: object, b: object) -> tuple[object, object] | None:
        """Two lists one of which is the row of a table: the rows that they are of one that was there before, or copies
        of them where it was not; None where a value is neither."""
        table = next(v.table for v in (a, b) if isinstance(v, RowList))
        if self.ends or not self.variables.was_there(table):
            return self._apart(0, a), self._apart(1, b)
        made: list[object] = []
        for value in (a, b):
            at = UNSET if value is UNSET else place_in(table, value)
            if at is None:
                return None
            made.append(value if value is UNSET or isinstance(value, RowList) else RowList.at(table, operand(at)))
        return made[0], made[1]

    def _apart(self, side: int, value: object) -> object:
        """A row of a table as a list of its own, where nobody else knows the table."""
        if not isinstance(value, RowList):
            return value
        if id(value) not in self.apart:
            if not self.ends:
                left = [one for v in self.both[side] for option in _options(v) for (one,) in objects(option)]
                if any(one is value.table or (isinstance(one, RowList) and one is not value) for one in left):
                    raise self.error(
                        self.name, "is a row of a list of lists that is made here. Make it a copy (row[:])."
                    )
            with recording(self.traces[side]):
                self.apart[id(value)] = value, TensorList.holding(value.rows)
        return self.apart[id(value)][1]

    def _row(self, a: object, b: object) -> RowPlan:
        row: Any = a if isinstance(a, RowList) else b
        indices = [v.content.index if isinstance(v, RowList) else UNSET for v in (a, b)]
        return RowPlan(row.table, self._slot(indices[0], indices[1], TensorType(int64, ())))

    def _once(self, a: object, b: object, plan: Callable[[], object]) -> object:
        """The plan of two objects, which by another name are the same."""
        if not all(v is UNSET or _is_mutable(v) for v in (a, b)):
            return plan()
        if (id(a), id(b)) not in self.together:
            self.together[id(a), id(b)] = plan(), a, b  # held, so that their identities stay theirs
        return self.together[id(a), id(b)][0]

    def _alike(self, name: Name, a: object, b: object) -> object:
        if (
            _is_list(a)
            and _is_list(b)
            and (self._changes(0, a) or self._changes(1, b) or _grows(a) or _grows(b) or not nest.alike(a, b))
        ):
            return self._lists(name, a, b)
        if is_leaf(a) and is_leaf(b) and isinstance(a, TensorArray) == isinstance(b, TensorArray):
            kind = join_types(leaf_type(a), leaf_type(b))
            if kind is None:
                raise self.error(
                    name, f"has dtype {leaf_type(a).dtype.name} {self.sides[0]}{self._line(0, a)}, but dtype "
                    f"{leaf_type(b).dtype.name} {self.sides[1]}{self._line(1, b)}. {_remedy(a, b)}"
                )  # fmt: skip
            return self._number(a, b, kind)
        if _same_shape(a, b) and not _is_derived(a):
            return nest.of_kind(a, self._paired_parts(name, a, b))
        if is_object(a) and is_object(b):
            mine, other = self._attributes(0, a), self._attributes(1, b)
            attributes = {k: self.plan(name.part(f".{k}"), x, other[k]) for k, x in mine.items()}
            return ObjectPlan(a, attributes, self._items(a, lambda: self._paired_parts(name, a, b)))
        raise self._mismatch(name, a, b)

    def _paired_parts(self, name: Name, a: object, b: object) -> list[object]:
        pairs = zip(nest.paths(a), self._parts(0, a), self._parts(1, b))
        return [self.plan(name.part(suffix), x, y) for suffix, x, y in pairs]

    @staticmethod
    def _items(value: object, plan: Callable[[], list[object]]) -> list[object] | None:
        """The plans of the items of an object that has such besides its attributes."""
        return plan() if _is_derived(value) else None

    def _lists(self, name: Name, a: object, b: object) -> ListPlan:
        """Two lists, or the contents of one: element by element if they are of one known length, else as rows."""
        bare = isinstance(a, Fixed | Rows) or isinstance(b, Fixed | Rows)
        sides = [None if v is UNSET else self._content(side, v) for side, v in enumerate((a, b))]
        contents = [content for content in sides if content is not None]
        fixed = [c.elements for c in contents if isinstance(c, Fixed)]
        if len(fixed) == len(contents) and len({len(elements) for elements in fixed}) == 1:
            filled = [[UNSET] * len(fixed[0]) if side is None else side.elements for side in sides]
            return ListPlan([self.plan(name.part(f"[{i}]"), x, y) for i, (x, y) in enumerate(zip(*filled))], bare=bare)
        for content in sides if not self.ends else ():
            elements = content.elements if isinstance(content, Fixed) else ()
            if any(isinstance(leaf, RowList) and not leaf.is_kept for leaf in nest.flatten([*elements])):
                raise self.error(name, "holds rows of another list of lists. Put copies of them there (row[:]).")
        found, loose = [*sides], self._loose(a, b, sides)
        for side, content in enumerate(sides):  # what a side has changed is put back by now
            if isinstance(content, Fixed):
                sides[side] = Fixed(self._left(side, element) for element in content.elements)
        try:
            structure, kinds = common(*(content for content in sides if content is not None))
        except StagingError as error:
            raise self.error(name, f"changes its length, and {error}") from None
        for trace, content in zip(self.traces, found):
            if isinstance(content, Fixed) and (loose or not isinstance(structure, Inner)):
                with recording(trace):
                    share(content.elements, ELEMENT)
                    for element in content.elements:
                        if sum(any(one is element for one in elements) for elements in fixed) < 2:
                            note_put(element, name)
        columns: list[list[object]] = []
        for side, (trace, content) in enumerate(zip(self.traces, sides)):
            shown = functools.partial(self._read, side)
            with recording(trace):
                rows = None if content is None else as_rows(content, structure, kinds, shown=shown, name=name)
            columns.append([UNSET] * len(kinds) if rows is None else list(rows.columns))
        slots = [self._slot(x, y, kind) for x, y, kind in zip(*columns, kinds)]
        if isinstance(structure, Inner):
            counts = {len(c.elements) if isinstance(c, Fixed) else c.known_count() for c in sides if c is not None}
            structure = structure.with_(counts.pop() if len(counts) == 1 else None, ELSEWHERE if loose else "")
        return ListPlan([], slots, structure, bare)

    def _is_seated(self, side: int, one: object) -> bool:
        """Whether a list is a row, on a side, of the table whose content is planned."""
        seat = self._part(side, one, None, None)
        return isinstance(seat, Seat) and seat.table is self.holder

    def _loose(self, a: object, b: object, sides: Sequence[Any]) -> bool:
        """Whether somebody else knows a list that is to be a row of a table, and would not be that row."""
        lists = [
            one for side, content in enumerate(sides) if isinstance(content, Fixed) for one in content.elements
            if isinstance(one, list) and not self._is_seated(1 - side, one)
        ]  # fmt: skip
        if self.holder is None:  # what has rows of one of the lists by another name does not have those of the new one
            held = [one for value in (a, b) if isinstance(value, TensorList) for one in value.lists()]
            lists += [one for one in held if isinstance(one, list)]
        if not lists or self.ends:
            return False
        wholes = [id(one) for one in (a, b, self.holder)]
        known = {
            id(one) for left in self.both for value in left for option in _options(value)
            if id(option) not in wholes for (one,) in objects(option)
        }  # fmt: skip
        twice = any(isinstance(c, Fixed) and len({*map(id, c.elements)}) < len(c.elements) for c in sides)
        return twice or any(id(one) in known for one in lists) or bool(held_besides(lists, a, b, self.holder))

    def _slot(self, a: object, b: object, kind: Leaf) -> Slot:
        if a is UNSET or b is UNSET:  # what one side alone knows of its size says nothing around it
            kind = kind.without_symbols()
        if _is_array(a) or _is_array(b):
            return self._array(a, b, kind)
        self.pairs.append((a, b, kind))
        arrays = [v for v in (a, b) if isinstance(v, TensorArray)]
        template = functools.reduce(TensorArray._joined, arrays) if arrays else None
        return Slot(len(self.pairs) - 1, template, owner=owner_of_all([v for v in (a, b) if v is not UNSET], kind))

    def _number(self, a: object, b: object, kind: Leaf) -> Slot:
        """The slot of what may be a number of several types, and then of what tells its type."""
        known = b if a is UNSET else a
        slot = self._slot(a, b, kind)
        types = types_of_both(known, known if b is UNSET else b)
        if types is None:
            return slot
        first, second = [UNSET if v is UNSET else told_of(v) for v in (a, b)]
        told = self._slot(first, second, TensorType(int32, ()))
        return PromotedSlot(slot.number, owner=slot.owner, told=told, types=types)

    def _array(self, a: object, b: object, kind: Leaf) -> Slot:
        """Arrays that can be written; on the other side may be a number, which cannot."""
        known = self.arrays.get((id(a), id(b)))
        if known is not None:
            return known
        for trace, value in zip(self.traces, (a, b)):
            if isinstance(value, np.ndarray):  # what it is joined to may be this very array
                trace.put(value)
        shown = [self._shown(side, value) for side, value in enumerate((a, b))]
        self.pairs.append((*shown, kind))
        outside = self.traces[0] if self.iterations else None
        others = [s.array for s in self.arrays.values() if s.array is not None]
        held = next((held for v in (a, b) if (held := self._holder(v, a is not UNSET and b is not UNSET))), "")
        number = len(self.pairs) - 1
        joined = JoinedArray((a, b), others, outside, held, self.when, self._beyond(a, b))
        joined.told = {(side, id(one)): told for one in others for side, told in self._same(joined, one)}
        made = self.arrays[id(a), id(b)] = Slot(number, array=joined)
        return made

    def _beyond(self, *sides: object) -> dict[int, Beyond]:
        """What arrays are that were made in a branch, by its number."""
        found: dict[int, Beyond] = {}
        for side, value in enumerate(sides):
            outside = self.traces[side].parent
            if self.when is None or outside is None or not isinstance(value, Array):
                continue
            if not outside.is_within(value.place.traced_in):
                ways, inside = ways_out(value, outside) if value is value.place else (None, may_be(value.place))
                found[side] = Beyond(None if ways is None else [self._way(side, *way) for way in ways], inside)
            elif value is not value.place:
                found[side] = Beyond([self._way(side, value, ALWAYS)], [])
        return found

    def _same(self, one: JoinedArray, other: JoinedArray) -> Iterator[tuple[int, int]]:
        """Of two variables that both have an array which was made in a branch, perhaps the same: the branch, by its
        number, and the slot in which it is told."""
        for side in one.beyond.keys() & other.beyond.keys():
            a, b, trace = one.sides[side], other.sides[side], self.traces[side]
            if a is not b and one.may_share(other, side):
                with recording(trace):
                    when = when_linked(a, b)  # type: ignore[arg-type]
                    if when is not None and when.is_known_in(trace):
                        yield side, self._told(side, when.tensor())

    def _way(self, side: int, above: Array, when: Condition | None) -> Way:
        """An array from before a branch, and what the branch tells of it."""
        trace = self.traces[side]
        outside = trace.parent
        assert outside is not None
        way = Way(above, when is not None and when.is_known_in(trace))
        if when is not None and way.is_sure and not when.is_sure:
            with recording(trace):
                way.told = self._told(side, when.tensor())
        for one in above.given():
            if not outside.is_within(one.traced_in):
                way.given[id(one)] = self._told(side, one)
        return way

    def _told(self, side: int, value: Any) -> int:
        """The slot of what a branch tells, if it is run."""
        self.pairs.append((value, UNSET, value.type) if side == 0 else (UNSET, value, value.type))
        return len(self.pairs) - 1

    def _holder(self, value: Any, perhaps: bool) -> str:
        """By what an array is known that is no place of the graph, besides the name at hand; the variable is that array
        only `perhaps`."""
        if isinstance(value, Array) or not _is_array(value):
            return ""
        names = self.variables.existed(value)
        known = [(name, value) for name in names if name != self.name]
        if perhaps or names or value.base is not None:
            known += holders(value, str(self.name), are_one_memory)
        if not known:
            return ""
        for _, array in (("", value), *known):
            close(array)
        name, array = known[0]
        return f"perhaps the array '{name}'" if array is value else f"perhaps memory of the array '{name}'"

    def _shown(self, side: int, value: object) -> Any:
        """What an array holds as a side leaves it."""
        if not isinstance(value, Array):
            return value
        content = self._part(side, value.place, None, value.place.content)
        if content is value.place.content or not isinstance(value, View):
            return content if not isinstance(value, View) else value
        with recording(self.traces[side]):
            return value.showing(content)

    def _read(self, side: int, value: object) -> Any:
        """The same for who has a copy of it, and no way to know that nobody knows what it holds."""
        if isinstance(value, Array) and value.place.doubt:
            raise StagingError(value.place.doubt)
        return self._shown(side, value)

    def _unset(self, value: object, first: bool) -> object:
        """A variable that one side has not set: a placeholder stands for it."""
        if isinstance(value, RowList):
            return self.plan(self.name, *((UNSET, value) if first else (value, UNSET)))
        union = union_of(value)
        if union is not None:
            options = [self._unset_once(option, first) for option in union._options]
            return Chosen(options, self._unset(union._index, first), union._name)
        if (_is_mutable(value) or (isinstance(value, Array) and not self.iterations)) and self.variables.existed(value):
            return value  # that very object
        if (_is_list(value) and _grows(value)) or isinstance(value, Fixed):
            return self._lists(_NAMELESS, *((UNSET, value) if first else (value, UNSET)))
        if is_leaf(value):
            return self._number(UNSET if first else value, value if first else UNSET, leaf_type(value))
        if is_object(value) and self._made_here(value, 1 if first else 0):
            held = self._attributes(1 if first else 0, value)
            attributes = {k: self._unset_once(v, first) for k, v in held.items()}
            return ObjectPlan(value, attributes, self._items(value, lambda: self._unset_parts(value, first)))
        if nest.is_nested(value):
            return nest.of_kind(value, self._unset_parts(value, first))
        return value

    def _unset_parts(self, value: object, first: bool) -> list[object]:
        return [self._unset_once(part, first) for part in self._parts(1 if first else 0, value)]

    def _unset_once(self, value: object, first: bool) -> object:
        """The same for a part, which by another name may be the same object."""
        a, b = (UNSET, value) if first else (value, UNSET)
        return self._once(a, b, lambda: self._unset(value, first))

    def _made_here(self, value: object, side: int) -> bool:
        """Whether an object holds values that only one side knows, so that it must have been made there, or is known
        to have been."""
        _, born, _ = self.traces[side].root.born.get(id(value), (None, None, None))
        if born is not None and born.is_within(self.traces[side]) and (side or not self.iterations):
            return True
        known: list[Any] = []
        for (one,) in objects(value):
            content: Any = self._part(side, one, None, one.content) if isinstance(one, TensorList) else None
            if isinstance(content, Rows):
                known += content.columns
            elif isinstance(content, Seat):
                known.append(content.index)
            else:
                known += nest.flatten([*(contents(one).values() if content is None else content.elements)])
            if _is_derived(one):
                known += nest.flatten([*attributes_of(one).values()])
        known += [union._index for one in known if (union := union_of(one)) is not None]
        kinds = SymbolicTensor | ListElements
        return any(isinstance(one, kinds) and one.traced_in is self.traces[side] for one in known)

    def _are_alike(self, a: object, b: object) -> bool:
        """Whether two values must have one type, rather than be two options."""
        rows = [v for v in (a, b) if isinstance(v, RowList)]
        if rows and all(map(_is_list, (a, b))):
            return self.ends or not self.variables.was_there(rows[0].table) or self._rows_of(a, b) is not None
        if _is_mutable(a) and _is_mutable(b):
            known = [self.variables.existed(v) for v in (a, b)]
            if all(known) or any(name != self.name for names in known for name in names):
                return False  # the variable is one or the other, which others may know too
            there = [value for value, names in zip((a, b), known) if names]
            if any(True for value in there for _ in holders(value, str(self.variable), place=self.place)):
                return False
            if not self.iterations and (id(a) in self.torn or id(b) in self.torn):
                return False
        if is_leaf(a) and is_leaf(b) and (owner_of(a) is Owner.RANGE) is not (owner_of(b) is Owner.RANGE):
            return False
        if are_of_several_dtypes(a, b, unless_known=self.variable.role is not Role.RESULT):
            return False
        if self._are_of_several_ranks(a, b):
            return False
        if self.free and is_leaf(a) and is_leaf(b) and join_types(leaf_type(a), leaf_type(b)) is None:
            return False
        if all(is_leaf(v) or nest.is_nested(v) or _is_list(v) for v in (a, b)):
            return not self.free or (is_leaf(a) and is_leaf(b)) or (_is_list(a) and _is_list(b)) or _same_shape(a, b)
        if type(a) is not type(b) or not is_object(a) or not is_object(b):
            return False
        if self._attributes(0, a).keys() != self._attributes(1, b).keys():
            return False
        return self._made_here(a, 0) or self._made_here(b, 1)  # one that was there before keeps its identity

    def _are_of_several_ranks(self, a: object, b: object) -> bool:
        """Whether two numbers or arrays of a program on NumPy have different numbers of dimensions, on which it depends
        what can be done with them. A loop may leave an array more dimensions each time: there it has one rank, which is
        unknown."""
        if not python_numbers.are_numpys or not all(is_leaf(v) and (is_scalar(v) or _is_array(v)) for v in (a, b)):
            return False
        if self.iterations and not is_scalar(a) and not is_scalar(b):
            return False
        shapes = leaf_type(a).shape, leaf_type(b).shape
        return None not in shapes and len({*map(len, shapes)}) > 1  # type: ignore[arg-type]

    def _pairs(self, a: object, b: object) -> bool:
        """Whether an option of one side is the same as one of the other's, or has to become the same."""
        return a is b or same_constant(a, b) or same_function(a, b) or self._are_alike(a, b)

    # Choices.

    def _union(self, name: Name, a: object, b: object) -> Chosen:
        """All that either side may leave; an option that both know stands once."""
        first, second = (v._options if (v := union_of(value)) is not None else (value,) for value in (a, b))
        rows = [[option, UNSET] for option in first]
        numbers = [[*range(len(rows))], [*range(len(second))]]
        paired = self._paired(first, second)
        for i, option in enumerate(second):
            if i not in paired:
                rows.append([UNSET, option])
            numbers[1][i] = place = paired.get(i, len(rows) - 1)
            rows[place][1] = option
        if name.role is Role.ITEM and (a is UNDEFINED or b is UNDEFINED):
            raise self._missing(name, a is UNDEFINED)
        order = sorted(range(len(rows)), key=lambda i: _rank(rows[i]))  # so that numbers seldom have to be translated
        rows = [rows[i] for i in order]
        numbers = [[order.index(i) for i in own] for own in numbers]
        known = [union._name for v in (a, b) if (union := union_of(v)) is not None]
        if known and (name.phrase or name.role is Role.RETURNED):
            name = known[0]  # the variable that was returned
        options = [self.plan(name, *row) for row in rows]
        indices = [self._index(side, value, numbers[side]) for side, value in enumerate((a, b))]
        index = self._slot(indices[0], indices[1], TensorType(int32, ()))
        return Chosen(options, index, name)

    def _paired(self, first: Sequence[object], second: Sequence[object]) -> dict[int, int]:
        """The options of the second side that are the same as ones of the first, by their numbers. Numbers of one type
        find each other; one of Python's that several dtypes hold stays what it is."""
        fitting = [(i, j) for i, b in enumerate(second) for j, a in enumerate(first) if self._pairs(a, b)]
        exact = {(i, j) for i, j in fitting if not _differ_in_type(first[j], second[i])}
        found: dict[int, int] = {}
        for i, j in sorted(fitting, key=lambda pair: pair not in exact):
            others = [pair for pair in fitting if pair != (i, j) and (pair[0] == i or pair[1] == j)]
            if i not in found and j not in found.values() and ((i, j) in exact or not others):
                found[i] = j
        return found

    def _narrowed(self, side: int, value: object) -> object:
        """What may be None, as what it is where a side is taken only if it is not."""
        if not is_one_or_none(value):
            return value
        with recording(self.traces[side]):
            return narrowed(value)

    def _index(self, side: int, value: object, numbers: list[int]) -> object:
        """The number of a side's value among all options."""
        union = union_of(value)
        if union is None:
            return numbers[0]
        if numbers == list(range(len(numbers))):
            return union._index
        with recording(self.traces[side]):
            return renumbered(numbers, union._index)

    # Errors.

    def error(self, name: Name, problem: str) -> StagingError:
        return StagingError(f"{name.shown} {problem}\n  {self.variables.statement}")

    def _line(self, side: int, value: object) -> str:
        """Where a side made a value: `` (line 12: y = 1)``."""
        made = [leaf.value for leaf in nest.flatten(value) if isinstance(leaf, SymbolicTensor)]
        if made:
            for node in reversed(self.traces[side].nodes):
                if any(v in node.outputs for v in made) and node.place is not None:
                    source = linecache.getline(node.place.filename, node.place.line).strip()
                    return f" (line {node.place.line}: {source})"
        return ""

    def _missing(self, name: Name, first: bool) -> StagingError:
        holder = name.rpartition("[")[0]
        key = f"a key of '{holder}'" if holder else "a key of a dictionary"
        return GrownError(
            f"{name.shown} must also be initialized {self.sides[0 if first else 1]}: a graph cannot have {key} only in "
            f"some cases. Assign it before.\n  {self.variables.statement}",
            next((place.holder for place in self.variables.places if place.name == name), None),
        )

    def _mismatch(self, name: Name, a: object, b: object) -> StagingError:
        if nest.is_nested(a) or nest.is_nested(b):
            return self.error(
                name, f"must have the same nested structure in all cases: it is {_structure(a)} {self.sides[0]}"
                f"{self._line(0, a)} and {_structure(b)} {self.sides[1]}{self._line(1, b)}."
            )  # fmt: skip
        return self.error(
            name, f"is {describe(a)} {self.sides[0]} and {describe(b)} {self.sides[1]}; "
            "only tensors, numbers, strings and structures of them can be chosen when the graph runs."
        )  # fmt: skip

    # Objects that must not change.

    def _changed(self, side: int, value: object) -> dict[object, object]:
        """What a side has changed in an object, and is put back."""
        return {key: part for (holder, key), part in self.held[side].items() if holder == id(value)}

    def _check_shared(self) -> None:
        """Refuse an object that a side changes though something else has a copy."""
        outer, inner = self.traces
        for one in outer.root.shared if outer is not inner else ():
            for side, trace in enumerate(self.traces):
                if (side or not self.iterations) and (one.trace.is_within(trace) or trace.is_within(one.trace)):
                    one.check(self._changed(side, one.value))
                    if self.iterations and one.trace.is_within(trace) and self._changed(side, one.value):
                        raise refused(one)  # before, in the next iteration

    def check_iteration(self, inside: Sequence[object], held: dict[int, Any], after: Sequence[object]) -> None:
        """Refuse an object that an iteration changes, if the iteration before may have left it where that is not seen;
        `held` tells what the objects `inside` held at first."""
        for value, left, start in zip(inside, after, self.both[0]):
            for one, others in counterparts(value, left, start):
                why = self._why_shared(others)
                if why is not None and id(one) in held:
                    Shared(one, held[id(one)], self.traces[1], 0, *why).check(self._changed(1, one))

    def settle(self, before: Sequence[object], after: Sequence[object], made: Sequence[object]) -> None:
        """Know the objects that must not change as the statement leaves them."""
        trace = self.traces[0] if self.iterations else self.traces[0].parent
        assert trace is not None
        places = self.variables.places
        for known in trace.root.shared:
            for place, value in zip(places, made[len(made) - len(places) :]):
                if place.holder is known.value:
                    known.held[place.key] = value
            if known.trace is not trace and known.trace.is_within(trace):
                known.move(trace)
        for name, a, b, result in zip(self.names, before, after, made):
            for one, others in counterparts(result, b if a is UNSET else a, a if b is UNSET else b):
                why = self._why_shared(others)
                if why is not None and is_shared(one) is None:
                    share(one, why[0], name)

    def _why_shared(self, values: Sequence[object]) -> tuple[str, str, Any] | None:
        """Why none of these objects, which may be the same, must be changed; what they are called, and since when."""
        known = next((one for value in values if (one := is_shared(value)) is not None), None)
        if known is not None:
            return known.what, known.name, known.place
        callers = self.traces[0].root.callers
        if callers and len({*map(id, values)}) > 1 and any(id(value) in callers for value in values):
            return PERHAPS_CALLERS, "", None
        return (PERHAPS, "", None) if self.iterations and any(id(value) in self.torn for value in values) else None

    # Results.

    def values(self, plans: Sequence[object], results: Sequence[Value], trace: Trace) -> list[object]:
        """What planned variables are, given the values for the slots; what has several names is one object."""
        for slot in self.arrays.values():
            assert slot.array is not None
            slot.array.results = results
        fill = Filling(lambda slot: filled_slot(slot, results[slot.number], trace), self.variables.statement)
        return [fill.value(plan) for plan in plans]


def _remedy(a: object, b: object) -> str:
    if (leaf_type(a).dtype == string) != (leaf_type(b).dtype == string):
        return "Text and numbers have no dtype in common: keep them in variables of their own, or make both text."
    return "Cast one of them (runtime.cast)."


def counterparts(value: object, *others: object) -> Iterator[tuple[object, Sequence[object]]]:
    """The objects in a value, each with those in the others that it may stand for."""
    if not any(union_of(v) is not None for v in (value, *others)):
        yield from ((one, rest) for one, *rest in objects(value, *others))
        return
    found = [one for other in others for option in _options(other) for (one,) in objects(option)]
    yield from ((one, found) for option in _options(value) for (one,) in objects(option))


def _options(value: object) -> Sequence[object]:
    union = union_of(value)
    return (value,) if union is None else union._options


def _place(value: object) -> Any:
    """What a value is known by: its identity, or those of all that it may be."""
    union = union_of(value)
    return id(value) if union is None else tuple(map(id, union._options))


def _is_absent(value: object) -> bool:
    return value is None or value is UNDEFINED or value is UNSET


def _differ_in_type(a: object, b: object) -> bool:
    """Whether two numbers are of different types."""
    if not (is_leaf(a) and is_leaf(b) and is_scalar(a) and is_scalar(b)):
        return False
    x, y = leaf_type(a), leaf_type(b)
    return (x.dtype, x.weak) != (y.dtype, y.weak)


def _rank(row: Sequence[object]) -> tuple[int, int]:
    """Unbound comes first among options, then None; numbers stand in the order of their dtypes."""
    known = [option for option in row if option is not UNSET]
    if known[:1] and (known[0] is UNDEFINED or known[0] is None):
        return (0 if known[0] is UNDEFINED else 1), 0
    return 2, max((leaf_type(v).dtype.dtype.num for v in known if is_leaf(v) and is_scalar(v)), default=0)


def _same_shape(a: object, b: object) -> bool:
    """Whether two values are one structure; a part that is one of several values may be beside any other."""
    return nest.is_nested(a) and nest.alike(a, b, lambda x, y: union_of(x) is not None or union_of(y) is not None)


def _is_derived(value: object) -> bool:
    """Whether it is a list, tuple or dictionary of a class of the user's, which may have attributes besides."""
    return isinstance(value, list | tuple | dict) and is_object(value)


def _is_mutable(value: object) -> bool:
    """Whether it matters which of several equal objects a value is: lists, dictionaries, objects of the user's."""
    if type(value) in nest.ATOMS or isinstance(value, Fixed | Rows | tuple):
        return False
    return isinstance(value, list | dict) or (not is_leaf(value) and (nest.is_nested(value) or is_object(value)))


def _is_array(value: object) -> bool:
    """Whether a value is an array that can be written (one of NumPy's is closed while a statement is traced)."""
    return isinstance(value, Array | np.ndarray)


def _is_list(value: object) -> bool:
    return isinstance(value, list | Fixed | Rows)


def _grows(value: object) -> bool:
    """Whether only the graph knows the length of a list (or of a content, which may come to that)."""
    return isinstance(value, Fixed | Rows) or has_grown(value)


def _structure(value: object) -> str:
    if nest.is_nested(value):
        return f"{with_article(type(value).__name__)} {nest.describe(value, _kind)}"
    return describe(value)


def _kind(leaf: object) -> str:
    return f"{leaf_type(leaf).dtype.name}" if is_leaf(leaf) else type(leaf).__name__
