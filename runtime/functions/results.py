"""What a function gives that is NumPy's throughout: arrays, NumPy's numbers and Python's, as they are without a graph.

A function changes the arrays that it is given in place, so it returns one of these as that very array, and a view of
one as a view of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from autograph import UNSET, StagingError, Variables
from autograph.dispatch import RETURN_VALUE, Name, Role
from autograph.reading import found_in, held_by, reached
from runtime.control import Slot
from runtime.control.joins import Join
from runtime.control.leaves import filled_slot
from runtime.control.lists import TensorList
from runtime.control.places import JoinedArray, link_memory, when_memory
from runtime.control.plans import HandlePlan, handles_in
from runtime.control.rows import Rows
from runtime.control.shared import FOUND, is_object, may_be_handled, objects
from runtime.control.unions import bound, union_of
from runtime.functions import kept_views
from runtime.functions.signature import ArrayArgument
from runtime.functions.standing import Standing, WasThere
from runtime.graph.dtypes import DType, NumPyArray, string
from runtime.graph.owner import Owner
from runtime.ops import indexing, shape as shape_ops
from runtime.tensors import nest
from runtime.tensors.growing import Withheld
from runtime.tensors.handles import Handle, number_in
from runtime.tensors.links import ALWAYS, Condition, Test, link, may_be, shown_as, when_same
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply
from runtime.tensors.sizes import StagedSizes
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, Way, ways
from runtime.tensors.views import Array, Flat, Memory, Perhaps, View, arrayed, as_it_is, owned, table_of, whole

_MOST = 10_000  # objects that are looked at
_CONSTANTS = (bool, int, float, complex, str, bytes)  # of which each call gives the same
_VALUES = (*_CONSTANTS, np.generic, tuple, type(None))  # it does not matter which of several equal ones it is
_SEEN = (  # what NumPy makes views by that can be written
    indexing.getitem, shape_ops.transpose, shape_ops.reverse, shape_ops.expand_dims, shape_ops.squeeze,
    shape_ops.reshape,
)  # fmt: skip


@dataclass(frozen=True)
class InPlace:
    """What is left in a place, which may be nothing."""

    value: object


class Results(Join):
    """Plans what a function returns; a shape is a tuple, as it is outside of the graph.

    Where results are NumPy's (`numpys`), Python's own values stay what they are, and what was there before the call is
    that very object.
    """

    ends = True

    def __init__(self, trace: Trace, there: WasThere) -> None:
        super().__init__(Variables((RETURN_VALUE,), ""), (trace, trace), ("", ""))
        self.numpys, self.there, self._in_options = trace.numpys, there, False
        self._open: set[int] = set()  # the identities of what is being planned
        self._sharing: set[int] = set()  # and of objects that hold what is returned besides

    @contextmanager
    def _among_options(self) -> Iterator[None]:
        before, self._in_options = self._in_options, True
        try:
            yield
        finally:
            self._in_options = before

    def of(self, value: object) -> object:
        """The plan of what is returned."""
        if self.numpys:
            self._sharing = self._that_share(value)
        return self.plan(RETURN_VALUE, value, UNSET)

    def check_found(self, results: Sequence[object]) -> None:
        """Have the function traced anew where an object that the graph has found in a list is returned beside others,
        which may be the same one."""
        found = {id(one.value) for one in self.traces[0].root.shared if one.what == FOUND}
        if not found:
            return
        returned = [one for (one,) in objects([*results])]
        made = [one for one in returned if id(one) in found and is_object(one)]
        lists = [one.rows for one in returned if isinstance(one, TensorList) and one.rows is not None]
        beside = len(made) + sum(any(is_object(one) for (one,) in objects(rows.structure)) for rows in lists)
        if made and beside > 1 and any([*map(may_be_handled, made)]):
            raise StagingError("an object that the graph has found in a list is returned beside others.")

    def hold(self, plan: object) -> None:
        """Plan what the objects of the graph's hold that a plan leads to."""
        waiting = [plan]
        while waiting:
            for kind in {*handles_in(waiting.pop())}:
                store = kind.of
                if not store.is_fixed and store.planned is None:
                    columns = {name: column for name, column in store.columns.items() if name not in store.fixed}
                    store.planned = {
                        name: self.plan(Name(f"{store.kind.__name__}.{name}", Role.ATTRIBUTE), column, UNSET)
                        for name, column in columns.items()
                    }
                    waiting += store.planned.values()

    def _that_share(self, value: object) -> set[int]:
        """The identities of objects made in the call that hold a list, array or the like which is returned by another
        way, too: they are made anew of the very parts, rather than copied whole."""

        def inside(one: object) -> Iterable[object]:
            if type(one) in nest.ATOMS or self.there.has(one):
                return ()
            return nest.parts(one) if nest.is_nested(one) else held_by(one).values() if is_object(one) else ()

        def outside(one: object) -> Iterable[object]:
            return () if is_object(one) and not nest.is_nested(one) else inside(one)

        apart = islice(reached(value, outside), _MOST)
        others = {id(one) for one in apart if not isinstance(one, _VALUES)}
        made = [one for one in islice(reached(value, inside), _MOST) if is_object(one) and _copies_plainly(one)]
        found = set()
        for one in made if others else ():
            parts = {id(part) for held in inside(one) for part in islice(reached(held, inside), _MOST)}
            if id(one) not in parts and not parts.isdisjoint(others):
                found.add(id(one))
        return found

    def _made_here(self, value: object, side: int) -> bool:
        return id(value) in self._sharing or super()._made_here(value, side)

    def _unset(self, value: object, first: bool) -> object:
        if type(value) is InPlace:
            if union_of(value.value) is None:
                return self._unset_once(value.value, first)
            with self._among_options():
                return self._unset(value.value, first)
        if (standing := self.there.standing(value)) is not None:
            return standing
        if id(value) in self._open:
            raise StagingError(
                "what is made in the call, and returned or kept, leads to itself, and a graph makes such things from "
                "the inside. Make it outside, or have its parts not refer to it."
            )
        self._open.add(id(value))
        try:
            return self._planned(value, first)
        finally:
            self._open.discard(id(value))

    def _planned(self, value: object, first: bool) -> object:
        if isinstance(value, TensorList) and value.is_kept:
            value = Rows.stored(value)
        if isinstance(value, Handle):
            return HandlePlan(type(value), self._unset(number_in(value), first))
        if not self._in_options:  # only the graph knows whether that is what is returned
            value = bound(value)
        if union_of(value) is not None:
            with self._among_options():
                return super()._unset(value, first)
        if type(value) is Flat:
            raise StagingError(
                "an iterator of an array (a.flat) is returned or kept, and graphs have none: make that a.ravel()."
            )
        if type(value) is StagedSizes:
            value = (*value,)
        if type(value) is Withheld:
            value.refuse()  # what an iterator gives that was made before the graph had the list
        if self.numpys and isinstance(value, DType):
            return value.dtype
        if self.numpys and (issubclass(type(value), _CONSTANTS) or isinstance(value, np.generic)):
            return value
        return super()._unset(value, first)


def _copies_plainly(value: object) -> bool:
    """Whether an object is what it holds: its class says nothing of how it is copied."""
    kind = type(value)
    return found_in(kind, "__deepcopy__") is None and all(
        found_in(kind, name) is found_in(object, name) for name in ("__reduce__", "__reduce_ex__")
    )


@dataclass(frozen=True)
class Given:
    """A result that is an array which was there before the call, or a view of one through these operations."""

    # Its number among the tensors of the arguments, or where it is kept; another result; or a view of what is kept.
    source: int | Slot | NumPyArray
    steps: Sequence[tuple[Any, Sequence[Any], dict[str, Any]]] = ()  # with what they are given: the numbers of results
    way: kept_views.Way | None = None  # another view, of an array that only Python has
    told: int | None = None  # the number of the result that tells whether it is, if the graph decides that

    @property
    def is_of_result(self) -> bool:
        """Whether it is a view of another result, whatever the call is given."""
        return type(self.source) is Slot and self.told is None and not any(numbers for _, numbers, _ in self.steps)

    def of(
        self, leaves: Sequence[object], bound: Mapping[str, object] | None, results: Sequence[Any],
        others: Callable[[Slot], object],
    ) -> object:  # fmt: skip
        """The array, or the view; None if no array was given. `others` gives other results."""
        if isinstance(self.source, Standing):
            array: Any = self.source.found(bound)
        elif isinstance(self.source, Slot):
            array = others(self.source)
        elif isinstance(self.source, np.ndarray):
            array = self.source.view()
        else:
            leaf = leaves[self.source]
            array = leaf.original if isinstance(leaf, ArrayArgument) else leaf
        if not isinstance(array, Array | np.ndarray):
            return None
        if self.way is not None:
            array = self.way.of(array)
        for op, numbers, attributes in self.steps:
            given = [results[number] for number in numbers]
            if isinstance(array, Array) or any(isinstance(one, SymbolicTensor) for one in given):
                array = array if isinstance(array, Array) else as_it_is(array)
                array = arrayed(apply(op, array, *given, **attributes), [array])
            else:
                array = op.kernel(array, *(one.array for one in given), **attributes)
        return array


Views: TypeAlias = Mapping[int, Sequence[Given]]  # of results, by number


def given_as(
    slot: Slot,
    leaves: Sequence[object],
    there: WasThere,
    before: Iterable[Slot],
    constants: Iterable[tuple[Slot, NumPyArray]],
    results: Iterable[tuple[Slot, Array]],
) -> Iterator[tuple[Given, Condition]]:
    """Which of the arrays that were there before the call, of the results `before`, and of `constants` a result is, or
    of which of these and of the `results` it is a view, and when."""
    kept = slot.array.pythons() if slot.array is not None else None
    if kept is not None and there.has_memory(kept):
        yield Given(kept), ALWAYS
    elif kept is not None and whole(kept) is not kept:
        found = ((one, kept_views.way_to(kept, array)) for one, array in constants if array is whole(kept))
        yield from ((Given(one, way=way), ALWAYS) for one, way in found if way is not None)
    value = _array_of(slot)
    if value is None:
        return
    if (number := next((number for number, leaf in enumerate(leaves) if leaf is value), None)) is not None:
        yield Given(number), ALWAYS
        return
    if (steps := _steps(value)) is None:
        return
    candidates = [
        (Given(number, steps), value.place, leaf)
        for number, leaf in enumerate(leaves) if isinstance(leaf, Array) and leaf is leaf.place
    ]  # fmt: skip
    candidates += [
        (source, value, memory)
        for array, memory in value.traced_in.root.memories.values() if (source := _pythons(array, there)) is not None
    ] if not steps else []  # fmt: skip
    for given, mine, other in candidates:
        yield given, _told(when_same(mine, other), value, f"'{other.place.called}'")
    for given, mine, other in _among_results(value, steps, before, results):
        when = when_same(mine, other)
        if when is None and any(one.returned for array in (mine, other) for one in may_be(array.place)):
            when = _told(when, mine, f"'{other.place.called}'")
        if when is not None:  # else reshape, say, has made a view or a copy of it
            yield given, when
    for one, array in constants if not steps else ():
        yield Given(one), _told(when_memory(value, array), value, "an array that it has made of numbers alone")
    if steps and (table := table_of(value.place)) is not None and there.has_memory(table):
        yield Given(table, steps), ALWAYS
    for view, known_when in shown_as(value) if not steps else ():
        when = _told(known_when, value, f"'{view.place.called}'")
        if (given_view := _shown(view, leaves, there, constants, results)) is not None:
            yield given_view, when


def _shown(
    view: Array,
    leaves: Sequence[object],
    there: WasThere,
    constants: Iterable[tuple[Slot, NumPyArray]],
    results: Iterable[tuple[Slot, Array]],
) -> Given | None:
    """How a call gives a view of what was there before it, or of another result; None if it is of neither."""
    if (standing := there.standing(view)) is not None:
        return Given(standing)
    known: list[tuple[int | Slot, object]] = [*enumerate(leaves), *results]
    if (same := next((one for one, array in known if array is view), None)) is not None:
        return Given(same)
    steps, place = _steps(view), view.place
    if steps is None:
        return None
    pythons = next((one for one, memory in place.traced_in.root.memories.values() if memory is place), None)
    if pythons is not None and (given := _pythons(pythons, there)) is not None:
        return replace(given, steps=steps)
    if pythons is not None:
        return next((Given(one, steps) for one, constant in constants if constant is pythons), None)
    return next((Given(one, steps) for one, array in known if array is place), None)


def _among_results(
    value: Array, steps: Sequence[Any], before: Iterable[Slot], results: Iterable[tuple[Slot, Array]]
) -> list[tuple[Given, Array, Array]]:
    """Which results an array may be, or a view of one; a view is no other array, but for one that it was chosen for."""
    if steps:
        return [(Given(one, steps), value.place, other) for one, other in results if other is other.place]
    made = [(one, other) for one in before if (other := _array_of(one)) is not None]
    return [(Given(one), value, other) for one, other in made if not isinstance(other, View)]


def _pythons(array: NumPyArray, there: WasThere) -> Given | None:
    """How a call gives an array that only Python has, or a view of one that was there."""
    if there.stays(array):
        return Given(there.standing(array) or Standing.of(array))
    return Given(array) if there.has_memory(array) and whole(array) is not array else None


def _told(when: Condition | None, array: Array, other: str) -> Condition:
    """When an array is another. Raises StagingError where that is not known."""
    if when is None:
        ways.takes(Way.STATE)  # in which views of one array are known
        raise StagingError(
            f"an array{array.traced_in.line_of(array)} that the function returns or keeps may be {other} or a part of "
            "it, and the graph cannot tell when. Return or keep a copy of it (a.copy()), or of the other."
        )
    return when


def _steps(array: Array) -> Sequence[tuple[Any, Sequence[Any], dict[str, Any]]] | None:
    """By which operations a view is made of its place, with what these are given; None if it is no view of NumPy's."""
    steps = array.steps if isinstance(array, View) else ()
    if any(op not in _SEEN or not all(isinstance(one, SymbolicTensor) for one in given) for op, given, _ in steps):
        return None
    return steps


def arrays_of(slots: Sequence[Slot], leaves: Sequence[object], start: int) -> list[tuple[Slot, Array]]:
    """The arrays that results are, and those that two results or more are views of, or may be, or one that may be
    others, which are further results from the number `start`."""
    found = [(slot, array) for slot in slots if (array := _array_of(slot)) is not None]
    known, seen = {*(id(array) for _, array in found), *map(id, leaves)}, set[int]()
    behind = _behind([array for _, array in found])
    for _, array in [*found]:
        place = array.place
        further = [place] if id(place) in seen or (place is not array and place.aliases is not None) else []
        for one in (*further, *behind.get(id(array), ())):
            if id(one) not in known:
                known.add(id(one))
                found.append((Slot(start, array=JoinedArray((one, UNSET), [])), one))
                start += 1
        seen.add(id(place))
    return found


def _behind(results: Sequence[Array]) -> dict[int, list[Array]]:
    """What results may be views of, as they were chosen for these, that another result may be, too."""
    shown = {id(one): [view.place for view, _ in shown_as(one)] for one in results if one is one.place and one.aliases}
    if not any(shown.values()):
        return {}
    times = Counter(id(place) for one in results for place in may_be(one.place))
    return {
        number: [one for one in places if times[id(one)] > 1 and type(one) is not Memory]
        for number, places in shown.items()
    }


def _array_of(slot: Slot) -> Array | None:
    """The array that a result is."""
    value = next((side for side in slot.array.sides if isinstance(side, Array)), None) if slot.array else None
    return None if isinstance(value, Perhaps) else value


def numpys(result: object, owner: Owner, leaves: Sequence[object] = ()) -> object:
    """What the graph has made, as what the program has without one; arrays of text are as those that were given."""
    if not isinstance(result, EagerTensor):
        return result  # the elements of a list, which are looked at one by one
    array = result.array
    if array.dtype.kind in "OS" and owner is not Owner.PYTHON:
        array = _texts(array, leaves)
    if owner is Owner.PYTHON:
        found = array.item()
        return found.decode() if type(found) is bytes else found
    if owner is Owner.RANGE:
        return _range(array.tolist())
    return array if array.ndim or owner is Owner.ARRAY else array[()]


def _texts(array: NumPyArray, leaves: Sequence[object]) -> NumPyArray:
    """Text, as NumPy has it."""
    given = [leaf.original.dtype.kind for leaf in leaves if isinstance(leaf, ArrayArgument)]
    found = array.ravel().tolist()
    if "S" not in given or "U" in given:
        try:
            found = [text.decode() for text in found]
        except UnicodeDecodeError:  # bytes that are no text
            pass
    return np.array(found, "S" if not found and "S" in given else None if found else "U").reshape(array.shape)


_PYTHONS = frozenset([bool, int, float, complex])
_NUMPYS = frozenset([np.bool_, *(np.dtype(code).type for code in np.typecodes["AllInteger"] + "efdFD")])


def numpys_elements(made: Iterable[Any], owner: Owner) -> list[object]:
    """The elements of a list that the graph has made, as what the program has without one."""
    made = [*made]
    kinds = {*map(type, made)}  # nearly always one kind of number
    if owner is Owner.ARRAY:
        return [*map(np.asarray, made)]
    if owner is not Owner.RANGE and kinds <= (_PYTHONS if owner is Owner.PYTHON else _NUMPYS):
        return made
    if owner is Owner.PYTHON and len(kinds) == 1 and kinds <= _NUMPYS:
        return np.fromiter(made, kinds.pop(), len(made)).tolist()  # six times as fast as item() of each
    return [_numpys_element(element, owner) for element in made]


def _numpys_element(made: Any, owner: Owner) -> object:
    if isinstance(made, Tensor):
        return numpys(made, owner)
    if owner is Owner.PYTHON:
        found = made.item() if isinstance(made, np.generic | np.ndarray) else made
        return found.decode() if type(found) is bytes else found
    if owner is Owner.RANGE:
        return _range(np.asarray(made).tolist())
    return made[()] if isinstance(made, np.ndarray) and not made.ndim else made


def _range(numbers: Sequence[int]) -> range:
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    return range(numbers[0], numbers[-1] + (1 if step > 0 else -1), step) if numbers else range(0)


def owner_in(slot: Slot) -> Owner:
    """Whose a result is."""
    if slot.array is not None:
        return Owner.ARRAY if slot.array.is_array else Owner.NUMPY
    return slot.owner


def in_graph(
    slot: Slot, made: SymbolicTensor, trace: Trace, given: Sequence[tuple[object, SymbolicTensor]] = ()
) -> object:
    """A result inside of another function, whose values are NumPy's, too; it may be one of the arrays `given`, each
    with what tells whether it is."""
    if slot.array is not None and slot.array.is_array:
        array = Array(trace, made.value)
        for other, told in given:
            when = Condition.of(Test(trace, told.value, True))
            if isinstance(other, np.ndarray):
                array.held = "perhaps an array that the program keeps"
                link_memory(array, other, when)
            elif isinstance(other, Array):
                link(array, other, when)
        return array
    if slot.array is not None:
        return Perhaps(trace, made.value)
    if slot.owner is Owner.PYTHON and made.type.dtype != string:
        return number(made)
    return owned(made, slot.owner) if slot.owner is not Owner.TENSOR else filled_slot(slot, made.value, trace)


def reopen(made: object) -> None:
    """Have a view be written as its array is, which was closed to that when the view was made."""
    if isinstance(made, np.ndarray) and not made.flags.writeable and 0 not in made.strides:
        if isinstance(made.base, np.ndarray) and made.base.flags.writeable:
            made.setflags(write=True)


def apart(results: Sequence[object]) -> Sequence[object]:
    """Results of which each has memory of its own, that can be written."""
    seen: set[int] = set()

    def own(result: object) -> object:
        if isinstance(result, EagerTensor):
            array = result.array
            memory = id(array if array.base is None else array.base)
            if memory in seen or not array.flags.writeable:
                return EagerTensor(array.copy())
            seen.add(memory)
        return result

    return [own(result) for result in results]
