"""Functions that call themselves: where that goes on with tensors of the same types, the graph calls a graph.

A call is traced in place at first, as any other is. Only if it comes to the same call again, under a condition that the
graph decides, is it traced as a graph of its own, over and over until the types of its results settle, and those of
what it changes: lists, arrays, objects and variables of functions around are handed over, and come back with each call.

Where Python decides how often it goes on (a merge sort of an array whose length is known), each call is traced in
place; one that was long, and comes again with the same types, is a graph of its own from then on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph import UNDEFINED, UNSET, StagingError, Variables
from autograph.dispatch import Name, Role, Signal
from autograph.operators.effects import Effects
from autograph.operators.mutations import Mutations
from runtime.control.joins import Join
from runtime.control.leaves import to_value
from runtime.control.lists import TensorList
from runtime.control.plans import hints, same_plan, slots
from runtime.control.regions import Ended, naming, tracing
from runtime.control.rows import Column, Content, Fixed, Rows, as_rows, common, told_in
from runtime.control.shared import PERHAPS_GIVEN, Seat, objects, share
from runtime.control.unions import one_list, union_of
from runtime.graph.dtypes import as_dtype
from runtime.graph.graph import Callee, Node, TensorType, Value
from runtime.graph.op import is_total
from runtime.graph.shapes import pattern
from runtime.ops import structure
from runtime.optimise import optimise
from runtime.tensors import nest
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.growing import has_grown
from runtime.tensors.leaf_types import join_types
from runtime.tensors.links import may_be
from runtime.tensors.operations import symbolic
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, recording
from runtime.tensors.views import Array, check_related, linked, owned

_ROUNDS = 16
_GROWN, _PARTS = 4, 64  # rounds, and parts of a result that has more in each of them
_OPTIONS = 2  # a result that may be more lists than that would go on to be
_DEEPEST = 30  # so many calls with other Python numbers each: they are tensors then
_LONG = 24  # operations; what is traced in place with so many is a call when it comes again
_DEEPEST_DECIDED = 3  # of those that are in a branch or a loop of the one before


class _Given:
    """What a function is called with, argument by argument."""

    def __init__(self, arguments: Sequence[object], keywords: Mapping[str, object]) -> None:
        self.values = [*arguments, *keywords.values()]
        self.count, self.keywords = len(arguments), tuple(keywords)
        self.leaves = [nest.flatten(value) for value in self.values]
        self.shapes = [*map(nest.describe, self.values)]
        self.parts = [[*map(_part, leaves)] for leaves in self.leaves]
        self.objects = self.values  # of the program's, where these have been made of them

    def with_values(self, values: Sequence[object]) -> tuple[Sequence[object], dict[str, object]]:
        """Other arguments and keywords, for the same parameters."""
        return values[: self.count], dict(zip(self.keywords, values[self.count :]))

    @property
    def is_staged(self) -> bool:
        return any(_columns(leaf) for leaves in self.leaves for leaf in leaves)

    def staged_like(self, other: _Given, kept: Collection[int]) -> _Given:
        """The same with Python's numbers as tensors, and lists that are longer in another call as lists of the graph,
        but for the arguments that are the same objects in each call."""
        pairs = enumerate(zip(self.values, other.values))
        return self.with_others([a if number in kept else _staged_like(a, b) for number, (a, b) in pairs])

    def with_others(self, values: Sequence[object]) -> _Given:
        """Other values that have been made of these."""
        made = _Given(*self.with_values(values))
        made.objects = self.objects
        return made


@dataclass
class _Call:
    """A call that is being traced; the rest is known once it is traced as a graph."""

    function: Callable[..., object]
    given: _Given
    trace: Trace  # where it is made; once its graph is whole, the outermost that has all that this takes from outside
    returns: bool = True  # can what it did be put back?
    kept: frozenset[int] = frozenset()  # the numbers of the arguments that are the same objects in each call
    callee: Callee | None = None
    join: Join | None = None
    plan: object = None
    types: list[Any] = field(default_factory=list)
    captured: list[Value] = field(default_factory=list)
    inside: Trace | None = None  # what its graph is being traced in
    made: tuple[Trace, int] | None = None  # where that was, and after how many nodes
    ends: bool = True  # does it return at all, rather than raise an exception in the end?
    given_back: bool = False  # may what it returns be a list that it was given?
    changes: bool = False  # is it known to change something, if it was traced in place?
    again: _Given | None = None  # with what has it come again?
    numbers: bool = False  # and were Python's numbers, or the lengths of lists, others?
    state: _State | None = None

    def taking(self, given: _Given) -> _Given | None:
        """These arguments as a graph of it takes them; None if it does not."""
        mine = self.given
        if (given.count, given.keywords) != (mine.count, mine.keywords):
            return None
        if any(mine.values[number] is not given.values[number] for number in self.kept):
            return None
        made = given.with_others(
            [b if n in self.kept else _like(a, b) for n, (a, b) in enumerate(zip(mine.values, given.values))]
        )
        fits = all(
            n in self.kept or (mine.shapes[n], mine.parts[n]) == (made.shapes[n], made.parts[n])
            for n in range(len(mine.values))
        )
        return made if fits else None

    def serving(self, function: Callable[..., object], given: _Given, trace: Trace) -> _Given | None:
        """The arguments of a call made elsewhere, if the graph of it, which is whole, is what that comes to."""
        if self.function != function or self.state is None or not trace.is_within(self.trace):
            return None
        made = self.taking(given)
        return made if made is not None and self.state.fits(trace) else None

    def is_made_after(self, trace: Trace, count: int = 0) -> bool:
        """Whether its graph was made in a trace, or inside it, after some of the nodes there."""
        if self.made is None:
            return False
        made_in, at = self.made
        return at >= count if made_in is trace else made_in.is_within(trace)

    def differs(self, given: _Given) -> bool | None:
        """Whether other arguments differ; None if in more than Python's numbers and the lengths of lists."""
        mine, numbers = self.given, False
        if (given.count, given.keywords) != (mine.count, mine.keywords):
            return None
        for number, (a, b) in enumerate(zip(mine.values, given.values)):
            if a is b and _is_changeable(a):
                continue  # whatever it holds by now
            if mine.shapes[number] != given.shapes[number]:
                if not _is_flat(a) or not _is_flat(b):
                    return None
                numbers = True
                continue
            for x, y in zip(mine.parts[number], given.parts[number], strict=True):
                if x != y and not (_is_number(x) and _is_number(y)):
                    return None
                numbers = numbers or x != y
        return numbers


class _Again(Signal):
    """The same call has come again."""

    def __init__(self, call: _Call, given: _Given, numbers: bool) -> None:
        self.call = call
        call.again, call.numbers = given, numbers  # a clause of the user's may swallow this
        call.kept = _same_objects(call.given, given)


class _Calls(threading.local):
    def __init__(self) -> None:
        self.active: list[_Call] = []


_calls = _Calls()


def is_going_on() -> bool:
    """Whether a function that calls itself is being traced."""
    return bool(_calls.active)


def recursive(function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]) -> Any:
    """Call a converted function that may call itself."""
    given, trace = _Given(arguments, keywords), tracing()
    mine = [call for call in _calls.active if call.function == function]  # bound methods are made anew
    for call in mine:
        if call.callee is not None and (taken := call.taking(given)) is not None:
            return _record_call(call, taken)
    for call in trace.root.callees:
        if (taken := call.serving(function, given, trace)) is not None:
            return _record_call(call, taken)
    _look_back(mine, given, trace)
    returns = not mine or given.is_staged or trace is not mine[-1].trace
    call = _Call(function, given, trace, returns)
    start = len(trace.nodes)
    if (earlier := _made_before(call)) is not None and _is_made_apart(call, earlier, start):
        return _record_call(call, given)
    mutations = Mutations((function, *given.values), restores=True) if returns else None
    _calls.active.append(call)
    try:
        result = function(*arguments, **keywords)
        if call.again is None:
            if earlier is None and trace.operations(start) >= _LONG:
                trace.root.long_calls.append(call)
            return result
    except _Again as again:
        if again.call is not call:
            raise
    except Exception:
        if call.again is None:
            raise
    finally:
        _calls.active.pop()
    assert mutations is not None
    trace.rewind(start)
    mutations.restore(f"the call of {function.__name__}")
    return _traced_apart(call)


def _look_back(mine: Sequence[_Call], given: _Given, trace: Trace) -> None:
    """Raises _Again if one of the calls that are being traced has come again: with the same arguments, or with one
    number of Python's after the other under conditions that the graph decides."""
    differing = [(call, call.differs(given)) for call in mine]
    like = [call for call, differs in differing if differs is not None]
    same = next((call for call, differs in differing if call.callee is None and differs is False), None)
    others = [call for call, differs in differing if differs]
    decided = {id(call.trace) for call in others} - {id(trace)}
    numbers = len(decided) >= (1 if same is not None else _DEEPEST_DECIDED) or len(others) >= _DEEPEST
    target = next((call for call in like if call.returns and numbers), same)
    if target is None or (target is same and not numbers and same.trace is trace and not given.is_staged):
        return  # Python decides, and will end it or not
    raise _Again(target, given, numbers)


def _made_before(call: _Call) -> _Call | None:
    """A long call that was traced in place with the same arguments, if it may be tried to make this one a call."""
    known = [one for one in call.trace.root.long_calls if one.function == call.function]
    if any(one.changes for one in known):
        return None
    return next((one for one in known if one.returns and one.differs(call.given) is False), None)


def _is_made_apart(call: _Call, earlier: _Call, start: int) -> bool:
    """Whether a call has a graph of its own, which changes nothing and returns what is new; else all is as it was, and
    calls of this kind are traced in place."""
    call.kept, trace = _same_objects(earlier.given, call.given), call.trace
    try:
        _as_callee(call)
    except _Again as again:
        if again.call is not call:
            raise
    except Exception:  # it is raised again in place, unless it was for being a call
        pass
    else:
        assert call.state is not None
        earlier.changes = bool(call.state.effects.places)
        if call.ends and not call.given_back and not earlier.changes:
            return True
    call.trace, earlier.returns = trace, False
    if call.inside is not None:
        trace.forget(call.inside)
    trace.rewind(start)
    call.callee = call.inside = call.again = None
    call.kept = frozenset()
    return False


def _same_objects(a: _Given, b: _Given) -> frozenset[int]:
    """The numbers of the arguments that are one object in both calls."""
    pairs = enumerate(zip(a.values, b.values))
    return frozenset(number for number, (one, other) in pairs if one is other and _is_changeable(one))


def _as_tensor(number: float) -> SymbolicTensor:
    """A Python number as a tensor, which is still one of Python's."""
    trace, array = tracing(), np.asarray(number)
    return SymbolicTensor(trace, trace.constant(array, as_dtype(array.dtype), weak=True))


def _part(leaf: Any) -> object:
    """What of an argument tells one graph from another."""
    if isinstance(leaf, SymbolicTensor):
        return _result_type(leaf.type), owner_of(leaf)
    if isinstance(leaf, bool | int | float | str | bytes | type(None)):
        return type(leaf), leaf
    if has_grown(leaf):
        rows = leaf.rows
        return nest.describe(rows.structure), tuple(rows.kinds), told_in(rows.structure)
    return id(leaf)


def _is_number(part: object) -> bool:
    return isinstance(part, tuple) and part[0] in (int, float)


def _is_flat(value: object) -> bool:
    """Whether a value is a list of numbers, of whatever length."""
    if has_grown(value):
        return type(value.rows.structure) is Column  # type: ignore[attr-defined]
    return isinstance(value, list) and all(isinstance(one, Tensor | int | float) for one in list.__iter__(value))


def _content(value: Any) -> Content:
    return value.rows if has_grown(value) else Fixed(list.__iter__(value))


def _staged_like(value: Any, other: Any) -> Any:
    """An argument as it is handed over to calls that differ in it: with tensors for numbers, a list of any length."""
    if value is other or (nest.describe(value) == nest.describe(other) and not has_grown(value)):
        return nest.map_structure(lambda v: _as_tensor(v) if type(v) in (int, float) else v, value)
    if not _is_flat(value) or not _is_flat(other) or has_grown(value):
        return value
    return TensorList.holding(as_rows(_content(value), *common(_content(value), _content(other))))


def _like(known: Any, value: Any) -> Any:
    """An argument as a graph takes it that was traced with another one, if it can be."""
    if has_grown(known) and _is_flat(value) and not has_grown(value):
        structure, kinds = common(known.rows, _content(value))
        return TensorList.holding(as_rows(_content(value), structure, kinds))
    if has_grown(known) or not nest.alike(known, value):
        return value
    pairs = zip(nest.flatten(known), nest.flatten(value))
    staged = [(isinstance(k, SymbolicTensor) and type(v) in (int, float), v) for k, v in pairs]
    if not any(is_staged for is_staged, _ in staged):
        return value
    return nest.rebuild(value, iter([_as_tensor(v) if is_staged else v for is_staged, v in staged]))


def _is_changeable(value: object) -> bool:
    """Whether it matters which of several equal objects a value is."""
    return isinstance(value, Array | list | dict | set)


def _options(value: object) -> list[object]:
    """The parts of a value, and of one of which only the graph knows which it is, all that it may be."""
    unions = ((part, union_of(part)) for part in nest.flatten(value))
    return [option for part, union in unions for option in ((part,) if union is None else union._options)]


def _may_be_one_of(result: object, given: Sequence[object]) -> bool:
    """Whether what is returned may be, or hold, a list, an object or an array that was given."""
    known = {id(one) for value in given for (one,) in objects(value)}
    known |= {id(leaf.place) for value in given for leaf in nest.flatten(value) if isinstance(leaf, Array)}
    found = [one for option in _options(result) for (one,) in objects(option)]
    found += [one for part in _options(result) if isinstance(part, Array) for one in may_be(part.place)]
    found += [one for (one,) in objects(result)]
    return any(id(one) in known for one in found)


def _columns(leaf: Any) -> Sequence[Any]:
    """What of an argument is handed over in the graph: a tensor, or the elements of a list of unknown length."""
    if isinstance(leaf, SymbolicTensor):
        return [leaf]
    return leaf.rows.columns if has_grown(leaf) else ()


def _handed_over(given: _Given, kept: frozenset[int]) -> list[Any]:
    """The leaves of the arguments but of those that are the same objects in each call."""
    return [leaf for number, leaves in enumerate(given.leaves) if number not in kept for leaf in leaves]


@dataclass
class _Kind:
    """What everything that calls change is made of, as a plan with the types for its slots."""

    join: Join
    plans: list[object]
    types: list[Any]

    def is_same(self, other: _Kind) -> bool:
        alike = len(self.plans) == len(other.plans) and all(map(same_plan, self.plans, other.plans))
        return alike and self.types == other.types

    def values(self, inputs: Sequence[Value], trace: Trace) -> list[object]:
        return self.join.values(self.plans, inputs, trace)


class _State:
    """What the calls of a function change besides, which is handed over to each and comes back."""

    def __init__(self, call: _Call) -> None:
        self.function = call.function.__name__
        self.call = call
        self.effects = Effects([], self._reached(), f"the call of {self.function}")
        self.kind: _Kind | None = None
        self.wider: _Kind | None = None  # that another call needs

    def _reached(self) -> Mutations:
        """What the function can reach now."""
        given = zip(_names(self.call), self.call.given.values)
        return Mutations((self.call.function,), variables=[(n, v) for n, v in given if v is not None])

    def variables(self, name: Name) -> Variables:
        """What is told of the result of a call: it may be an object that was there before."""
        mutations = self.effects.mutations
        return Variables((name,), "", existed=mutations.names_of, was_there=mutations.has)

    @property
    def is_known(self) -> bool:
        """Whether all that changes has been found so far."""
        return len(self.effects.places) == (0 if self.kind is None else len(self.kind.plans))

    def begin(self, trace: Trace) -> list[Value]:
        """Have everything be as a call finds it; what it is given for that."""
        if self.kind is None:
            return []
        labels = hints(self.kind.plans, self.effects.names, len(self.kind.types))
        inputs = [*map(Value, self.kind.types, labels)]
        self.effects.enter(self.kind.values(inputs, trace))
        return inputs

    def end(self, outside: Trace, trace: Trace, after: Sequence[object]) -> bool:
        """Know what there is after a call as well; whether that is of the kind that was known."""
        known, places = self.kind, self.effects.places
        if not places:
            return True
        if known is None or not self.is_known:
            self.kind, self.wider = self._joined((outside, trace), [place.before for place in places], after), None
            return False
        self.kind = self._with(self.wider or known, trace, after)
        self.wider = None
        for name, plan in zip(self.effects.names, self.kind.plans):
            if any(slot.array is not None for slot in slots(plan)):
                raise StagingError(
                    f"{self.function} calls itself as the graph decides, and has '{name}' be another array. "
                    "Write the array in place (a[...] = b), or pass it as an argument and return it."
                )
        return known.is_same(self.kind)

    def _joined(self, traces: tuple[Trace, Trace], a: Sequence[object], b: Sequence[object]) -> _Kind:
        variables = self.effects.variables()
        join = Join(variables, traces, ("before the call", "after it"), iterations=True)
        with naming(variables):
            plans = join.plans(self.effects.names, a, b)
        return _Kind(join, plans, [_result_type(kind) for _, _, kind in join.pairs])

    def _with(self, known: _Kind, trace: Trace, values: Sequence[object]) -> _Kind:
        """The kind that values of a trace are of as well: what is known comes first, and keeps its order."""
        aside = Trace("aside", trace)
        some = known.values([Value(kind, "state") for kind in known.types], aside)
        try:
            return self._joined((aside, trace), some, values)
        finally:
            trace.forget(aside)

    @contextmanager
    def _now(self) -> Iterator[list[object]]:
        """What everything holds where a call is made; meanwhile all is put back, as where kinds are joined it is."""
        now = [(place, place.read()) for place in self.effects.places]
        changed = self.effects.mutations.restore(self.effects.statement)
        for place, _ in changed:
            self.effects.meet(place)
        try:
            yield [place.beneath if value is UNDEFINED else value for place, value in now]
        finally:
            for place, value in changed:
                place.write(value)

    def starts(self, trace: Trace) -> list[Value]:
        """What everything holds where a call is made."""
        with self._now() as now:
            if self.kind is None or not self.is_known:
                return []  # what is traced is traced again
            found = self._with(self.kind, trace, now)
            if not found.is_same(self.kind):
                self.wider = found if self.wider is None else self._with(self.wider, trace, now)
            return [to_value(trace, part, kind) for (_, part, _), kind in zip(found.join.pairs, found.types)]

    def fits(self, trace: Trace) -> bool:
        """Whether a call that is made elsewhere finds everything as those did that have been traced."""
        if not self.effects.mutations.holds(place.identity for place in self.effects.places):
            return False
        if self.kind is None:
            return True
        try:
            with self._now() as now:
                return self._with(self.kind, trace, now).is_same(self.kind)
        except StagingError:
            return False

    def ends(self, trace: Trace, after: Sequence[object]) -> list[Value]:
        """What everything holds at the end of the call."""
        if self.kind is None:
            return []
        found = self._with(self.kind, trace, after)
        return [to_value(trace, part, kind) for (_, part, _), kind in zip(found.join.pairs, self.kind.types)]

    def finish(self, results: Sequence[Value], trace: Trace) -> None:
        """Leave everything as a call will have left it; what the function cannot reach any more stays as it is."""
        if self.kind is None or not self.is_known:
            return
        reached, left = self._reached(), self.kind.values(results, trace)
        for number, place in enumerate(self.effects.places):
            now = place.read()
            holder = now.table if isinstance(now, Seat) else place.holder  # a row is where its table is
            if self.effects.mutations.has(place.holder) and not reached.has(holder):
                left[number] = now
        self.effects.finish(left)

    @property
    def types(self) -> list[Any]:
        return [] if self.kind is None else self.kind.types


def _names(call: _Call) -> list[str]:
    """What the arguments are called in the function."""
    code: Any = getattr(call.function, "__code__", None) or getattr(call.function.__func__, "__code__", None)  # type: ignore[attr-defined]
    names = code.co_varnames[getattr(call.function, "__self__", None) is not None : code.co_argcount]
    count = call.given.count
    return [*names[:count], *("" for _ in range(count - len(names))), *call.given.keywords]


def _traced_apart(call: _Call) -> object:
    """A call of a graph of its own, which calls itself."""
    while True:
        if call.again is not None and call.numbers:
            call.given = call.given.staged_like(call.again, call.kept)
        call.again = None
        try:
            return _record_call(_as_callee(call), call.given)
        except _Again as again:
            if again.call is not call:
                raise
            tracing().forget(call.trace)


def _as_callee(call: _Call) -> _Call:
    function, given, outside = call.function, call.given, tracing()
    call.callee, call.join, call.types, call.captured = Callee(function.__name__), None, [], []
    call.state = state = _State(call)
    name = Name(f"the result of {function.__name__}", Role.RESULT, phrase=True)
    before: list[object] | None = None
    merged = False  # is one list returned that holds what one of several does?
    grown = 0  # in how many rounds, one after the other, it has come to have more parts
    for _ in range(_ROUNDS):
        trace = call.inside = Trace(function.__name__, outside)
        trace.knows = state.effects.mutations.has
        inside, inputs = _arguments(call, trace)
        arguments, keywords = given.with_values(inside)
        own = [(n, v) for number, (n, v) in enumerate(zip(_names(call), inside)) if number not in call.kept]
        passed = Mutations((), variables=own)
        _calls.active.append(call)
        begun = state.begin(trace)
        try:
            with recording(trace), state.effects.mutations.closed(), passed.closed():
                result = function(*arguments, **keywords)
            call.ends = True
        except Ended:
            call.ends, result = False, None
            if not any(map(_may_raise, trace.graph([], inputs).walk())):
                raise StagingError(f"{function.__name__} calls itself in all cases, so that it never ends.") from None
        finally:
            _calls.active.pop()
            after = state.effects.leave()
        _not_changed(passed, state, function.__name__)
        lists = _new_lists(result, state)
        merged = merged or lists > _OPTIONS
        if merged and lists:  # with each call it may be one more
            with recording(trace):
                result = one_list(union_of(result))  # type: ignore[arg-type]
        join = Join(state.variables(name), (trace, trace), ("", ""))
        plan = join.plan(name, result, UNSET)
        anew = [value for number, value in enumerate(inside) if number not in call.kept]
        call.given_back = merged or _may_be_one_of(result, anew)
        types = [_result_type(kind) for _, _, kind in join.pairs]
        grown = grown + 1 if before is not None and len(types) > len(before) else 0
        if grown >= _GROWN and len(types) > _PARTS:
            raise StagingError(
                f"the type of {name} never settles: with each call that is known it has more parts, as a tree that is "
                "made of objects. Keep what they hold in lists, and of an object its index there."
            )
        if before is not None and len(before) == len(types):  # with the calls in it known it may have more parts
            types = [_joined_types(name, a, b) for a, b in zip(before, types, strict=True)]
        # What turns out to be handed over is captured no more, unless the call handed itself what it has captured.
        captured = [*trace.captured] if state.is_known else []
        settled = before == types and same_plan(plan, call.plan) and captured == call.captured
        settled = state.end(outside, trace, after) and settled
        call.join, call.plan, call.types, call.captured, before = join, plan, types, captured, types
        if settled:
            break
    else:
        raise StagingError(f"the type of {name} never settles.")
    check_related((place.holder for place in state.effects.places), trace)
    outputs = [to_value(trace, part, kind) for (part, _, _), kind in zip(join.pairs, types)] + state.ends(trace, after)
    inner = trace.captured
    call.callee.source = trace.graph(outputs, [*inputs, *begun, *(inner[v] for v in captured)])
    call.callee.graph = optimise(call.callee.source)
    call.made = outside, len(outside.nodes)
    _move_out(call, outside)
    outside.root.callees.append(call)
    return call


def _move_out(call: _Call, made_in: Trace) -> None:
    """Have the graph of a call, which is whole, serve wherever all that it takes from outside is known: in another
    branch, too. A function that is being traced around it is one that it may call, as it was in this round."""
    origins = [made_in.origin(value) for value in call.captured]
    rounds = [around.inside for around in _calls.active if around.inside is not None]
    known_in = [made_in.root, *(owner for owner, _ in origins), *rounds]
    call.trace = max(known_in, key=lambda trace: trace.depth)
    call.captured = [call.trace.local(value, owner) for owner, value in origins]


def _may_raise(node: Node) -> bool:
    """Whether the operation itself may raise something; those in its regions, and those of calls, are others."""
    return not node.regions and node.op is not structure.call and not is_total(node)


def _new_lists(result: object, state: _State) -> int:
    """How many lists a result may be, if each is made in a call; 0 if it is anything else."""
    union = union_of(result)
    if union is None or not all(isinstance(o, list) and not state.effects.mutations.has(o) for o in union._options):
        return 0
    return len(union._options)


def _arguments(call: _Call, trace: Trace) -> tuple[list[object], list[Value]]:
    """The arguments as the graph of a call knows them, and what it is given for them."""
    inputs: list[Value] = []
    values = [
        value if number in call.kept else nest.rebuild(value, iter([_inside(leaf, trace, inputs) for leaf in leaves]))
        for number, (value, leaves) in enumerate(zip(call.given.values, call.given.leaves))
    ]
    return values, inputs


def _inside(leaf: Any, trace: Trace, inputs: list[Value]) -> object:
    """A leaf of an argument as the graph of a call knows it."""
    if isinstance(leaf, SymbolicTensor):
        inputs.append(Value(_result_type(leaf.type), leaf.value.hint))
        return owned(SymbolicTensor(trace, inputs[-1]), owner_of(leaf))
    if has_grown(leaf):
        columns = [Value(column.type, column.value.hint) for column in leaf.rows.columns]
        inputs += columns
        return TensorList.holding(Rows(leaf.rows.structure, [symbolic(trace, column) for column in columns]))
    return leaf


def _not_changed(passed: Mutations, state: _State, function: str) -> None:
    """Raises StagingError if a call has changed what it was given anew, which its caller would not see."""
    for place, _ in passed.restore(state.effects.statement):
        if not state.effects.mutations.knows(place):
            raise StagingError(
                f"{function} calls itself as the graph decides, with another list or array each time, and changes "
                f"'{place.name}'. Pass the same one, with the bounds of the part that is meant, or return a new one."
            )


def _result_type(kind: object) -> Any:
    return TensorType(kind.dtype, pattern(kind.shape), kind.weak) if isinstance(kind, TensorType) else kind


def _joined_types(name: str, a: Any, b: Any) -> object:
    joined = join_types(a, b)
    if joined is None:
        raise StagingError(f"{name} has dtype {a.dtype.name} in one call and {b.dtype.name} in another.")
    return joined


def _record_call(call: _Call, given: _Given) -> object:
    """The call in the graph at hand, if it is known what it returns."""
    if call.join is None or call.state is None:
        raise Ended  # not yet: what else the function does tells
    trace, leaves = tracing(), _handed_over(given, call.kept)
    values = [column.record_in(trace) for leaf in leaves for column in _columns(leaf)]
    begin = call.state.starts(trace)
    around = [trace.local(value, call.trace) for value in call.captured]
    types = [*call.types, *call.state.types]
    results = trace.record(structure.call, [*values, *begin, *around], {"graph": call.callee}, types)
    made = call.join.values([call.plan], results[: len(call.types)], trace)[0]
    call.state.finish(results[len(call.types) :], trace)
    if not call.ends:
        raise Ended
    if call.given_back:  # it may be the same list or array
        anew = [value for number, value in enumerate(given.objects) if number not in call.kept]
        arrays = [leaf for leaf in leaves if isinstance(leaf, Array)]
        for value in [made, *_options(made), *anew]:
            share(value, PERHAPS_GIVEN)
        for leaf in nest.flatten(made):
            if isinstance(leaf, Array):
                linked(leaf, *arrays)
    return made
