"""What a variable is after a branch or loop, with slots for what the graph gives: a plan, and how it is filled.

A plan is the value itself with a `Slot` for each leaf that the graph has, and the classes below for what else there is.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograph.dispatch import Name
from autograph.operators.items import stands_in
from autograph.reading import bare_copy, is_exactly
from runtime.control.leaves import PromotedSlot, Slot
from runtime.control.lists import KnownList, TensorList
from runtime.control.promoted import promoted
from runtime.control.rows import Fixed, Inner, Rows, columns_in, outside
from runtime.control.tables import RowList
from runtime.control.unions import chosen
from runtime.graph.owner import Owner
from runtime.graph.shapes import TensorShape
from runtime.tensors import nest
from runtime.tensors.handles import Handle, number_in
from runtime.tensors.sizes import Sizes, are_one
from runtime.tensors.tensor import EagerTensor, Tensor


@dataclass
class Chosen:
    """A union in a plan: the plans of its options, and the slot of the number that tells."""

    options: list[object]
    index: Any
    name: Name


@dataclass
class ListPlan:
    """A list in a plan, by its content: the plans of its elements, or the slots of its columns and their structure."""

    elements: list[object]
    columns: list[Any] | None = None
    structure: object = None
    bare: bool = False  # it stands for the content alone


@dataclass
class ObjectPlan:
    """An object of the user's in a plan: one to copy, and the plans of its attributes; if its class is derived from a
    list, tuple or dictionary, of its items, too."""

    template: object
    attributes: dict[str, object]
    items: list[object] | None = None

    @property
    def parts(self) -> list[object]:
        return [*self.attributes.values(), *(self.items or ())]


@dataclass
class RowPlan:
    """A row of a table in a plan: the table, which stays the same list, and the slot of the index."""

    table: TensorList
    index: Any


@dataclass
class HandlePlan:
    """An object of the graph's that leaves it: the class of its handles, and the plan of its number.

    What the objects of its class hold then is planned with all that leaves the graph: `Store.planned` has it.
    """

    kind: type[Handle]
    number: Any


def _tensors(elements: Iterable[object], owner: Owner) -> list[object]:
    return [element if isinstance(element, Tensor) else EagerTensor.of(element) for element in elements]


def values(
    plan: object,
    fill: Callable[[Slot], object],
    statement: str,
    ended: bool = False,
    elements: Callable[[Iterable[object], Owner], list[object]] = _tensors,
    copied: Mapping[int, Callable[[dict[int, object] | None], object]] = {},
    memo: dict[int, object] | None = None,
) -> object:
    """A plan with its slots filled; once the trace has ended its lists are Python's, and `elements` says what becomes
    of what is in those whose length the graph has found."""
    filling = Filling(fill, statement, ended, elements, copied, memo)
    made = filling.value(plan)
    filling.finish()
    return made


class Filling:
    """Plans with their slots filled; an object of the user's without any is that very object."""

    def __init__(
        self,
        slot: Callable[[Slot], object],
        statement: str,
        ended: bool = False,
        elements: Callable[[Iterable[object], Owner], list[object]] = _tensors,
        copied: Mapping[int, Callable[[dict[int, object] | None], object]] = {},
        memo: dict[int, object] | None = None,
    ) -> None:
        self.slot, self.statement, self.ended, self.elements = slot, statement, ended, elements
        self.copied, self.memo = copied, memo  # what copies parts, by their identity, and what it knows to be copied
        self.made: dict[int, object] = {}  # of each plan, by its identity
        self.objects: dict[tuple[type, int], object] = {}  # of the graph's, as the program has them
        self.bare: list[tuple[type[Handle], int, object]] = []  # of these, those that hold nothing yet

    def value(self, plan: object) -> object:
        if id(plan) not in self.made:
            self.made[id(plan)] = self._value(plan)
        return self.made[id(plan)]

    def _value(self, plan: object) -> object:
        if isinstance(plan, PromotedSlot):
            told = plan.told if isinstance(plan.told, int) else self.slot(plan.told)
            return promoted(self.slot(plan), told, plan.types)
        if isinstance(plan, Slot):
            return self.slot(plan)
        if id(plan) in self.copied:
            return self.copied[id(plan)](self.memo)
        if isinstance(plan, Chosen):
            options = [self.value(option) for option in plan.options]
            return chosen(options, self.value(plan.index), plan.name, self.statement)
        if isinstance(plan, ListPlan):
            content = self._content(plan)
            if plan.columns is not None and outside(content.columns):
                found = content.elements(self.elements)
                return [*map(self._resolved, found)] if any(handles_in(plan.structure)) else found
            if plan.bare:
                return content
            return [*content.elements] if self.ended and plan.columns is None else TensorList.holding(content)
        if isinstance(plan, HandlePlan):
            return self._object(plan.kind, self.value(plan.number))
        if isinstance(plan, RowPlan):
            return RowList.at(plan.table, self.value(plan.index))  # type: ignore[arg-type]
        if isinstance(plan, ObjectPlan):
            made = self._bare(plan)
            left_out = made.is_for_graphs if self.ended and stands_in(made) else ()
            for key, attribute in plan.attributes.items():
                if key in left_out:
                    continue
                object.__setattr__(made, key, self.value(attribute))
            return made.as_pythons() if self.ended and stands_in(made) else made
        if nest.is_nested(plan):
            before = [*nest.parts(plan)]
            after = [self.value(part) for part in before]
            if self.ended and is_exactly(plan, TensorList, KnownList):
                return after
            if self.ended and is_exactly(plan, Sizes):
                return (*after,)
            return plan if all(a is b for a, b in zip(before, after)) else nest.of_kind(plan, after)
        return plan.as_pythons() if self.ended and stands_in(plan) else plan  # type: ignore[attr-defined]

    def _resolved(self, value: object) -> object:
        """A structure out of a list of the graph with the objects that its handles stand for."""
        if isinstance(value, Handle):
            return self._object(type(value), number_in(value))
        if not nest.is_nested(value) or not any(handles_in(value)):
            return value
        return nest.of_kind(value, [*map(self._resolved, nest.parts(value))])

    def _object(self, kind: type[Handle], number: Any) -> object:
        """The object of a number; it may hold nothing before all are found."""
        if kind.of.is_fixed:
            return kind.of.all[int(number)]
        if int(number) < 0:
            return None
        key = kind, int(number)
        if key not in self.objects:
            made: Any = kind.of.kind() if kind.of.kind in (list, dict) else object.__new__(kind.of.kind)
            self.objects[key] = made
            if stands_in(made):
                self._hold(*key, made)
                self.objects[key] = made.as_pythons()
            else:
                self.bare.append((*key, made))
        return self.objects[key]

    def _hold(self, kind: type[Handle], number: int, made: object) -> None:
        if isinstance(made, list):
            made.extend(self.value(kind.of.planned["items"])[number])  # type: ignore[index]
            return
        held = {**{name: self.value(plan)[number] for name, plan in kind.of.planned.items()}, **kind.of.fixed}  # type: ignore[index]
        for name in kind.of.names:
            if isinstance(made, dict):
                made[name] = held[name]
            else:
                object.__setattr__(made, name, held[name])

    def finish(self) -> None:
        """Have the objects of the graph's hold what they do."""
        while self.bare:
            self._hold(*self.bare.pop())

    def _bare(self, plan: ObjectPlan) -> Any:
        if plan.items is None:
            return bare_copy(plan.template)
        return nest.derived(plan.template, [self.value(item) for item in plan.items])

    def _content(self, part: ListPlan) -> Any:
        if part.columns is None:
            return Fixed([self.value(element) for element in part.elements])
        return Rows(part.structure, [self.value(slot) for slot in part.columns])


def handles_in(structure: object) -> Iterator[type[Handle]]:
    """The classes of the handles in a structure, or in a plan."""
    if isinstance(structure, HandlePlan):
        yield structure.kind
    elif isinstance(structure, Handle):
        yield type(structure)
    elif isinstance(structure, Inner):
        yield from handles_in(structure.record)
    elif isinstance(structure, ListPlan):
        yield from (kind for part in (*structure.elements, structure.structure) for kind in handles_in(part))
    elif isinstance(structure, Chosen):
        yield from (kind for part in structure.options for kind in handles_in(part))
    elif isinstance(structure, ObjectPlan):
        yield from (kind for part in structure.parts for kind in handles_in(part))
    elif nest.is_nested(structure):
        yield from (kind for part in nest.parts(structure) for kind in handles_in(part))


def slots(plan: object) -> Iterator[Slot]:
    """The slots of a plan."""
    for part in nest.flatten(plan):
        if isinstance(part, Slot):
            yield part
            if isinstance(part, PromotedSlot) and isinstance(part.told, Slot):
                yield part.told
        elif isinstance(part, Chosen):
            yield from (s for option in part.options for s in slots(option))
            yield part.index
        elif isinstance(part, ListPlan):
            yield from (s for element in (*part.elements, *(part.columns or ())) for s in slots(element))
        elif isinstance(part, RowPlan):
            yield part.index
        elif isinstance(part, HandlePlan):
            yield from slots(part.number)
        elif isinstance(part, ObjectPlan):
            yield from (s for inner in part.parts for s in slots(inner))


def index_slots(plan: object) -> set[int]:
    """The numbers of those slots that tell which option a union is, or which type a number has."""
    found = {part.index.number for part in nest.flatten(plan) if isinstance(part, Chosen)}
    found |= {slot.told.number for slot in slots(plan) if isinstance(slot, PromotedSlot)}
    lists = [(part.structure, part.columns) for part in nest.flatten(plan) if isinstance(part, ListPlan)]
    found |= {of[one.told].number for kind, of in lists if of is not None for one in columns_in(kind) if one.types}
    inner = [o for part in nest.flatten(plan) if isinstance(part, Chosen) for o in part.options]
    return found.union(*map(index_slots, inner))


def options_in(plan: object) -> int:
    """How many options the largest union in a plan has."""
    return max((len(part.options) for part in nest.flatten(plan) if isinstance(part, Chosen)), default=1)


def hints(plans: Sequence[object], names: Sequence[str], count: int) -> list[str]:
    """Names for the values in the slots: those of the variables."""
    made = ["result"] * count
    for name, plan in zip(names, plans):
        for slot in slots(plan):
            made[slot.number] = name
        for number in index_slots(plan):
            made[number] += "_kind"
    return made


def same_plan(a: object, b: object) -> bool:
    """Whether two plans of a variable are the same."""
    if isinstance(a, Slot) and isinstance(b, Slot):
        if (a.array is None) != (b.array is None) or (a.array and b.array and not a.array.is_like(b.array)):
            return False
        types = [slot.types if isinstance(slot, PromotedSlot) else () for slot in (a, b)]
        return a.number == b.number and (a.template is None) == (b.template is None) and types[0] == types[1]
    if isinstance(a, Chosen) and isinstance(b, Chosen):
        return len(a.options) == len(b.options) and all(map(same_plan, a.options, b.options))
    if isinstance(a, ListPlan) and isinstance(b, ListPlan):
        parts = [[*p.elements, *(p.columns or ())] for p in (a, b)]
        told = [p.columns and [(column.owner, column.types) for column in columns_in(p.structure)] for p in (a, b)]
        return told[0] == told[1] and len(parts[0]) == len(parts[1]) and all(
            map(same_plan, *parts)
        )  # fmt: skip
    if isinstance(a, RowPlan) and isinstance(b, RowPlan):
        return a.table is b.table and same_plan(a.index, b.index)
    if isinstance(a, ObjectPlan) and isinstance(b, ObjectPlan):
        if a.attributes.keys() != b.attributes.keys() or len(a.parts) != len(b.parts):
            return False
        attributes = [(part, b.attributes[name]) for name, part in a.attributes.items()]
        return all(same_plan(x, y) for x, y in [*attributes, *zip(a.items or (), b.items or ())])
    if nest.is_nested(a) and nest.alike(a, b):
        return all(map(same_plan, nest.flatten(a), nest.flatten(b)))
    return a is b or same_constant(a, b) or same_function(a, b)


def only_option(plan: object, ends: Callable[[Slot], object]) -> object:
    """The plan without a union whose number a side always leaves the same, or with the one type that it leaves."""
    if isinstance(plan, Chosen) and isinstance(number := ends(plan.index), int):
        return plan.options[number]
    if isinstance(plan, PromotedSlot) and isinstance(told := ends(plan.told), int):
        return replace(plan, told=told)
    return plan


def same_constant(a: Any, b: Any) -> bool:
    """Whether two of Python's values are one, or two shapes surely the same."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return repr(a) == repr(b)  # which tells 0.0 from -0.0, and has NaN equal itself
    if issubclass(type(a), TensorShape):  # tensors of unknown rank refuse to be asked what they are
        return are_one(a, b)
    return isinstance(a, bool | int | str | bytes) and bool(a == b)


def same_function(a: object, b: object) -> bool:
    """Whether two functions were made by the same code from the same variables and defaults."""
    if type(a) is not types.FunctionType or type(b) is not types.FunctionType or a.__code__ is not b.__code__:
        return False
    given = [
        (*(f.__closure__ or ()), *(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values(), *vars(f).values())
        for f in (a, b)
    ]
    return len(given[0]) == len(given[1]) and all(x is y for x, y in zip(*given))
