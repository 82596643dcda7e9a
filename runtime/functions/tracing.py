"""Tracing: a Python function, called with symbolic tensors, becomes the graph of one signature."""

from __future__ import annotations

import dis
import functools
import gc
import inspect
import itertools
import sys
import threading
import types
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import autograph
from autograph.dispatch import UNDEFINED, Signal, begin_staging, end_staging
from autograph.errors import ChangedError, GrownError, Refused, Refuses, refusals
from autograph.operators import recursion
from autograph.operators.aliases import traced_call
from autograph.operators.buffers import WrittenArray
from autograph.operators.caught import failed
from autograph.operators.effects import Watch
from autograph.operators.mutations import codes_in
from autograph.operators.places import Place as Placed
from autograph.operators.questions import Uncaught, followed, following
from autograph.operators.thorough import form_of, thoroughly
from runtime.control import to_value
from runtime.control.handles import constructing
from runtime.control.regions import Ended, in_order, not_replaced, not_swallowed
from runtime.control.shared import CONTAINERS
from runtime.functions.binding import Binding
from runtime.functions.changes import Before, Changed, own
from runtime.functions.concrete import ConcreteFunction, Outer
from runtime.functions.held import NOTHING_HELD, Free, Held
from runtime.functions.kept_containers import Fill, KeptContainers
from runtime.functions.lending import Container
from runtime.functions.own_copies import OwnCopies
from runtime.functions.results import Given, InPlace, Results, Views, arrays_of, given_as, reopen
from runtime.functions.returned import check_returned
from runtime.functions.signature import Arguments, ArrayArgument, family, is_lent, layout_of, share_memory
from runtime.functions.standing import WasThere, at_path
from runtime.functions.state import Apart, Found, Identity, Reference, decide
from runtime.graph.dtypes import as_dtype, string
from runtime.graph.errors import InaccessibleTensorError, OperatorNotAllowedInGraphError
from runtime.graph.graph import HandleType, Place, TensorType, Value, strong_dtype
from runtime.tensors.conversion import to_array
from runtime.tensors.objects import kind_of
from runtime.tensors.operations import leaving
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import (
    JOINING,
    AnyWay,
    Followed,
    Grown,
    Recurs,
    Trace,
    Way,
    current,
    nothing_was_there,
    recording,
    ways,
)
from runtime.tensors.variables import Variable
from runtime.tensors.views import Array


class Anonymous(Signal):
    """It depends on which Variable an argument is."""


class VariableArgument(Variable):
    """A Variable that a traced function was given: it stands for whichever is passed."""

    def __init__(self, original: Variable, trace: Trace, value: Value) -> None:
        self.dtype, self._shape = original.dtype, original._shape
        self.trainable, self.hint = original.trainable, value.hint
        self.owner, self.place = trace, value
        self._own()
        trace.root.handles[value] = self

    def concrete(self) -> Variable:
        raise InaccessibleTensorError(f"'{self.hint}' is an argument of a function that is being traced")

    def record_in(self, trace: Trace) -> Value:
        return trace.local(self.place, self.owner)

    def _identify(self) -> None:
        raise Anonymous


def traced(
    owner: Any, function: Callable[..., object], binding: Binding, arguments: Arguments, objects: Sequence[object],
    changing: Collection[Identity] | None = None,
) -> ConcreteFunction:  # fmt: skip
    """The graph of a converted function for a signature; the numbers in places that are `changing` are inputs.

    A long loop over a range of Python's becomes one of the graph. Where what it left does not do for the rest, the
    function is traced anew, with such loops unrolled.
    """
    tried: list[Trace] = []

    def trace(unrolls: bool) -> ConcreteFunction:
        tried.append(Trace(owner.__name__, current()))
        tried[-1].unrolls = unrolls
        tried[-1].numpys = owner.gives_numpys
        tried[-1].joins = owner._can_join_caller()
        tried[-1].tells_apart = owner.gives_numpys and arguments.has_same()
        return trace_once(tried[-1], owner, function, binding, arguments, objects, changing)

    begun: frozenset[AnyWay] = owner._several_arrays | frozenset((Way.STATE,) if changing is not None else ())

    def traced_as_asked() -> ConcreteFunction:
        try:
            return _in_some_way(functools.partial(trace, unrolls=False), begun)
        except Exception:
            if current() is not None or not any(one.counted for one in tried):
                raise
        return _in_some_way(functools.partial(trace, unrolls=True), begun)

    with _collects_seldom:
        if current() is not None:
            return traced_as_asked()
        ways.asked = False
        try:
            return traced_as_asked()
        except Refuses as refusal:
            if not ways.asked or is_lent_instead(refusal):
                raise
        ways.asking = False  # what operations seldom raise is out of the program's reach, rather than all refused
        try:
            return traced_as_asked()
        finally:
            ways.asking = True


class _CollectsSeldom:
    """While some thread traces, garbage is looked for less often: what a trace makes lives as long as that, and going
    through it again and again takes a quarter of the time."""

    _ALLOCATIONS = 10_000  # between two looks

    def __init__(self) -> None:
        self.lock, self.traces = threading.Lock(), 0

    def __enter__(self) -> None:
        with self.lock:
            self.traces += 1
            if self.traces == 1:
                self.before = gc.get_threshold()
                self.during = (max(self.before[0], self._ALLOCATIONS) if self.before[0] else 0, *self.before[1:])
                gc.set_threshold(*self.during)

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.traces -= 1
            if not self.traces and gc.get_threshold() == self.during:  # else the program has set its own
                gc.set_threshold(*self.before)


_collects_seldom = _CollectsSeldom()


def _in_some_way(trace: Callable[[], ConcreteFunction], begun: frozenset[AnyWay]) -> ConcreteFunction:
    """What a trace gives where arrays and dictionaries that the function makes stay Python's, which is quick to fill
    them with what is known; it is `begun` in some ways.

    Where that turns out to be refused, since the graph changes them, the function is traced anew, with what it may
    change as the graph's, and in the end thoroughly. If that is refused, too, it is told why it was before.
    """
    taken, wanted = ways.taken, ways.wanted
    ways.taken, ways.wanted = taken | begun, frozenset()
    first: Exception | None = None
    try:
        while True:
            codes = frozenset(way.code for way in ways.taken if isinstance(way, Followed))
            with refusals() as refused, following(codes), thoroughly(Way.THOROUGH in ways.taken), constructing():
                try:
                    return trace()
                except Exception as error:
                    # Calls with another array each time; a queue of Python's that has been put back as it was.
                    misled = type(error) in (RecursionError, RuntimeError)
                    more = ways.wanted - ways.taken
                    if current() is not None:
                        more -= {Way.CALLS}  # it is for who calls this
                    if isinstance(error, WrittenArray) and Way.STATE in more:
                        more = frozenset((Way.STATE,))
                    if not (isinstance(error, ChangedError) and isinstance(error.holder, itertools.count)):
                        more -= {Way.COUNTERS}
                    if isinstance(error, GrownError):
                        more = _for_container(error.container, more)
                    is_refused = _is_among(error, refused)
                    asks = isinstance(error, GrownError | OperatorNotAllowedInGraphError)
                    if not more and is_refused and is_lent_instead(error):
                        raise
                    if not more and is_refused and asks and Way.THOROUGH not in ways.taken:
                        first, more = error, frozenset((Way.THOROUGH,))
                    if not (more and (misled or is_refused)):
                        if first is None or not (is_refused or isinstance(error, RecursionError)):
                            raise
                        break
                    refused.clear()
            ways.taken |= next(some for some in (more - dear for dear in _DEAREST) if some)
            ways.wanted = frozenset()
    finally:
        ways.taken, tried = taken, ways.taken
        ways.wanted |= wanted | (tried & JOINING)  # what is kept is the outermost function's to be given
    raise first


def refused_argument(error: BaseException) -> Container | None:
    """Which argument is refused, or what is in it, if one is."""
    return error.argument if isinstance(error, GrownError | OperatorNotAllowedInGraphError) else None


def is_lent_instead(error: BaseException) -> bool:
    """Whether an argument is refused that an object may hold instead, which is tried before what is dearer."""
    return ways.lends and current() is None and refused_argument(error) is not None


def _for_container(container: object, more: frozenset[AnyWay]) -> frozenset[AnyWay]:
    """The ways of `more` in which a container may grow: as the function has made it, or as the program keeps it."""
    own = CONTAINERS.get(type(container))
    if own in more and Grown(id(container)) not in more:
        return frozenset((own,))
    if Way.FIRST in more:  # it is no container of a program on NumPy
        return more
    return frozenset((Way.HISTORIES,)) - ways.taken or more


# What is done only where nothing else helps, the dearest last: of several ways some without these, while there are any.
_DEAR = Way.ARRAYS, Way.ORDERED, Way.STATE, Way.FIRST, Way.DRAWN
_DEAREST = [frozenset(_DEAR[number:]) for number in range(len(_DEAR) + 1)]


def is_refusal(error: BaseException) -> bool:
    """Whether a trace has ended in this since the graph alone knows a value, and the program is not wrong."""
    if isinstance(error, Refuses):
        return True
    begin_staging()
    try:
        return failed(error) is not None
    finally:
        end_staging()


def _is_among(error: BaseException | None, refused: Sequence[Refused]) -> bool:
    """Whether an error, or what NumPy has made of it, says that this library has refused something."""
    if error is None:
        return False
    told = isinstance(error, Refuses) or any(one.error is error for one in refused)
    return told or _is_among(error.__cause__ or error.__context__, refused)


def trace_once(
    trace: Trace, owner: Any, function: Callable[..., object], binding: Binding, arguments: Arguments,
    objects: Sequence[object], changing: Collection[Identity] | None,
) -> ConcreteFunction:  # fmt: skip
    """The graph of a converted function for a signature, recorded in a trace.

    `owner` is the Function that it belongs to; the graph keeps none of the `objects` alive. Where places are known to
    be `changing`, what it leaves in them may be left by each run of the graph.
    """
    trace.function = owner
    trace.given, trace.handled = arguments.tensors(), sys.exception()
    begin_staging()  # the classes of what it watches are converted for as long as something is traced
    try:
        watch, originals = Watch([function, *arguments.leaves], trace.numpys), Before(arguments.bound)
        passed = originals.among(watch.mutations.has) if Way.PASSED in ways.taken else {}
        trace.acts = "an argument that the program keeps" if passed else ""
        given = [*_inputs(trace, arguments, passed)]
        call = arguments.rebuilt(iter(given), traced=True, kept=passed)
        before = Before(call, passed)
        trace.callers = frozenset(before.containers())
        owned = [*arguments.objects(), *objects]  # which the graph does not keep alive
        there = WasThere(watch.mutations, before.passed(), owned, trace.numpys)
        trace.was_there = there.was
        kept = watch.mutations if trace.numpys and trace.parent is None else None
        state = Found(trace, kept if Way.STATE in ways.taken else None, arguments.zipped(given), changing or ())
        containers = KeptContainers(trace, kept)
        there.instead = ChainMap(state.instead, containers.instead())
        attempt = _Attempt(
            trace, owner, arguments, arguments.released(), given, originals, before, watch, there, state, containers,
            changing is not None,
        )  # fmt: skip
        left = attempt.left(function, *binding.unbound(call))
    finally:
        trace.function = trace.given = trace.handled = None
        trace.was_there = nothing_was_there  # what knows it holds on to all that the function can reach
        end_staging()
    return attempt.concrete(left, binding)


@dataclass
class _Left:
    """What a trace has come to: the plan of what is returned, the values for it, what is changed of the arguments, and
    which results are these; what is changed that outlives the call, where something is left of it, and what is raised
    in the end."""

    plan: object
    outputs: list[Value]
    changed: Changed
    views: Views
    acts: str = ""
    places: Sequence[Placed] = ()
    raised: Exception | None = None
    plain: Sequence[Placed] = ()  # the places that hold something else by now, which is no graph's
    changing: Sequence[Reference] | None = None  # places of numbers, and others, that it changes, if that is all
    fills: Sequence[Fill] = ()  # what gives lists what they hold then


@dataclass
class _Attempt:
    """A function that is being traced, and what was there before; `again` says that what an earlier call has changed is
    to be changed by each run of the graph."""

    trace: Trace
    owner: Any
    arguments: Arguments
    signature: Arguments
    given: Sequence[Any]
    originals: Before  # the arguments themselves, of which the function is given copies
    before: Before
    watch: Watch
    there: WasThere
    state: Found
    containers: KeptContainers
    again: bool

    def put_back(self) -> None:
        """Have everything as it was before, what functions have changed that it has called, too."""
        for undo in reversed(self.trace.undo):
            undo()
        self.watch.put_back()

    def left(self, function: Callable[..., object], args: Sequence[object], kwargs: dict[str, object]) -> _Left:
        """Call the function, and tell what that has come to. What is refused leaves everything as it was."""
        try:
            return self._called(function, args, kwargs)
        except (Refuses, Signal):
            if self.trace.numpys:
                self.put_back()  # it may be traced anew
            raise

    def _called(self, function: Callable[..., object], args: Sequence[object], kwargs: dict[str, object]) -> _Left:
        trace, refused = self.trace, list[Refused]()
        try:
            with (
                self.watch, self.state, self.containers, recording(trace), refusals() as refused,
                traced_call(function, args, kwargs),
            ):  # fmt: skip
                result = in_order(trace, form_of(followed(function)), *args, **kwargs)
                if trace.recurs:
                    raise Recurs
                not_swallowed(refused)
                return self._returned(result)
        except Ended:
            if trace.recurs:
                raise Recurs from None
            not_swallowed(refused)
            return self._ended()
        except Uncaught as refusal:
            raise autograph.StagingError(str(refusal)).with_traceback(refusal.__traceback__) from None
        except Exception as error:
            return self._raised(error, refused)

    def _returned(self, result: object) -> _Left:
        """What it has come to if the function has returned."""
        trace, watch = self.trace, self.watch
        _check_put(trace)
        overwritten = self.state.overwritten()
        self.state.put_back()
        self.containers.put_back()
        _check_drawn(trace, watch.mutations.codes())
        tensors = self._tensors()
        changed, contents = self.before.changed(trace, tensors, self.there)
        self._check_passed(changed)
        with trace.at(functools.partial(_left_at, self.owner.python_function)):
            left = watch.left()
            acts, is_simple = left.first or trace.acts, left.is_simple and not trace.acts
            changing = None
            if acts and is_simple and trace.numpys and trace.parent is None:
                changing = [Reference.of(place, self.there) for place in (*left.staged, *left.plain)]
            again = self.again and is_simple
            self.there.bind(() if again else (place.read() for place in left.plain))
            own_places = [*overwritten, *left.staged, *left.plain] if again else left.staged
            longer = {id(elements) for elements, _ in left.appended} if again else ()
            own_places = [place for place in own_places if id(place.holder) not in longer]
            places = [*{**trace.left, **{place.identity: place for place in own_places}}.values()]
            kept = _taken_out(places, again)
            appended = [(held, _cut(held, length)) for held, length in left.appended] if again else []
            fills = self.containers.fills(appended, self.there)
            plan, outputs, views = self._outputs([result, *contents], tensors, kept, [made for _, made in fills])
        outputs += [tensors[number].record_in(trace) for number in changed.tensors]
        acts = "" if again else acts
        puts = [fill for fill, _ in fills]
        return _Left(plan, outputs, changed, views, acts, places, None, left.plain, changing, puts)

    def _ended(self) -> _Left:
        """What it has come to if the graph raises whatever it is given."""
        left = self.watch.left()
        _taken_out(left.staged)
        return _Left([None], [], Changed(), {}, left.first)

    def _raised(self, error: Exception, refused: Sequence[Refused]) -> _Left:
        """What it has come to if the program has raised an exception, which is raised again where nothing is left that
        the graph has to compute first."""
        trace, watch = self.trace, self.watch
        if isinstance(error, GrownError | OperatorNotAllowedInGraphError):
            self.containers.asks_for(error.container)
            error.argument = self.before.containers().get(id(error.container))
        if isinstance(error, WrittenArray):
            ways.takes(Way.STATE)
        if trace.recurs or (isinstance(error, RecursionError) and recursion.found(error)):
            raise Recurs from None
        not_replaced(error, refused)
        if isinstance(error, Refuses | RecursionError | RuntimeError) or _is_among(error, refused) or is_refusal(error):
            if trace.numpys and not isinstance(error, Refuses):  # after which everything is put back anyway
                self.put_back()
            if self.state.left_out:
                error.add_note(
                    f"(What shares memory with another array cannot be written: {', '.join(self.state.left_out)}. "
                    "Make it a copy, or pass one.)"
                )
            raise error
        left = watch.left()
        if left.first and trace.counted and not trace.unrolls:
            self.put_back()  # it is traced anew, with loops unrolled
            raise error
        _check_drawn(trace, watch.mutations.codes(), error)
        tensors = self._tensors()
        changed, contents = self.before.changed(trace, tensors, self.there) if trace.numpys else (Changed(), [])
        self._check_passed(changed)
        fills = self.containers.fills([], self.there)
        if not left.staged and not changed.tensors and not changed.containers and not fills:
            raise error
        self.there.bind(place.read() for place in left.plain)
        with recording(trace):
            filled = [made for _, made in fills]
            plan, outputs, views = self._outputs([None, *contents], tensors, _taken_out(left.staged), filled)
            outputs += [tensors[number].record_in(trace) for number in changed.tensors]
        acts = left.first or "what it raises"
        return _Left(plan, outputs, changed, views, acts, left.staged, error, fills=[fill for fill, _ in fills])

    def _check_passed(self, changed: Changed) -> None:
        """Have the function traced anew where a container that is an argument and is kept by the program is changed in
        either way: it is then given that very one."""
        if not self.trace.numpys or Way.PASSED in ways.taken:
            return
        known, bound = self.watch.mutations, self.arguments.bound
        if not self.originals.differs():
            found = [at_path(bound[name], path) for name, path in changed.containers]
            if not any(known.has(one) and known.may_be_read(one) for one in found):
                return
        ways.takes(Way.PASSED)
        raise autograph.StagingError("an argument is a list or dictionary that the program keeps, too, and is changed")

    def _tensors(self) -> list[Any]:
        """What stands for the arguments, and for what the program keeps."""
        return [stand_in for stand_in, _ in self.arguments.zipped(self.given)] + self.state.stand_ins

    def _outputs(
        self, results: Sequence[object], tensors: Sequence[object], left: Sequence[object],
        filled: Sequence[object],
    ) -> tuple[object, list[Value], Views]:  # fmt: skip
        check_returned([*results, *left, *filled], self.there)
        self.containers.check_apart([*results, *left], tensors, self.there)
        return _outputs(self.trace, [*results, *map(InPlace, left), *filled], tensors, self.there)

    def concrete(self, left: _Left, binding: Binding) -> ConcreteFunction:
        """The graph and all that a call of it needs."""
        trace, arguments, there, state, known = (
            self.trace, self.arguments, self.there, self.state, self.watch.mutations,
        )  # fmt: skip
        if trace.numpys and trace.parent is None and left.changed.tensors:
            self._check_apart(left.changed.tensors)
        captured: list[object] = []
        for variable, value in trace.variables.values():
            trace.inputs.append(value)
            captured.append(variable)
        for around, value in trace.captured.items():
            trace.inputs.append(value)
            captured.append(Outer(trace.parent, around))
        held, apart = NOTHING_HELD, None
        kept = state.state(there, left.acts, self.containers.sources(there, bool(left.acts)))
        free = Free(state.arrays(), state.numbers() | self.containers.rebindable(), self.containers.identities())
        if trace.numpys and not left.acts:
            held = Held(known.readable(), arguments.objects(), there.reference, trace.held, free)
            if left.changed.tensors or trace.asks_which:
                values = kept.values() or ()
                apart = Apart(
                    [*kept.finders(), *held.arrays], frozenset(left.changed.tensors), arguments.tensors(), values
                )
        places = [Reference.to(place) if left.acts else Reference.of(place, there) for place in left.places]
        copies = OwnCopies(left.plan, known.found) if trace.numpys and known.is_whole() else None
        if left.acts:
            for place in left.plain:
                reopen(place.read())
        if not self.owner._shows:
            trace.silence(0)
        graph = trace.graph(left.outputs)
        if self.again and not left.acts and decide(graph, state.number_inputs()):
            raise autograph.StagingError("a number that changes at each call decides what the function does")
        # A number of NumPy's and an array without dimensions are given back as what they are.
        numbers = trace.numpys and any(isinstance(kind, TensorType) and kind.shape == () for kind in arguments.types)
        families = arguments.families() if trace.writes or numbers else None
        matters = trace.writes and any(place is None or place.writes for place in trace.layouts)
        layouts = arguments.layouts() if matters else None
        return ConcreteFunction(
            self.owner.__name__, self.owner.jit_compile, self.signature, binding.by_name, graph, left.plan,
            captured, left.changed, families, trace.numpys, left.views, layouts, copies, places, left.acts, held,
            self.put_back, left.raised, kept, apart, left.changing,
            left.fills, trace.asks_which,
        )  # fmt: skip

    def _check_apart(self, written: Collection[int]) -> None:
        """Refuse to write an argument that shares memory with what the program keeps, and a graph keeps apart."""
        known, inputs = self.watch.mutations, self.state.arrays()
        tensors = self.arguments.zipped(self.arguments.names)
        lent = [(name, leaf) for i, (name, leaf) in enumerate(tensors) if i in written and is_lent(leaf)]
        called = [array for held in self.trace.held for find in held.arrays if (array := find()) is not None]
        for array in (*(one for one in known.arrays() if known.may_be_read(one)), *called):
            for name, leaf in lent if id(array) not in inputs else ():
                if share_memory(leaf.original, array):
                    self.put_back()
                    ways.takes(Way.STATE)
                    kept = next(iter(known.names_of(array)), "an array that the program keeps").lstrip(".")
                    raise WrittenArray(
                        f"'{name}' and '{kept}' share memory, and one of them is written, which a graph keeps apart. "
                        "Make one of them a copy."
                    )


def _check_drawn(trace: Trace, codes: Iterable[types.CodeType], error: Exception | None = None) -> None:
    """Refuse that the graph draws random numbers where the program would have drawn them before it has run."""
    drawn = [*trace.sources.values()] if trace.parent is None else []
    if drawn and (error is not None or any(one.is_elsewhere() for one in drawn) or any(map(_asks_state, codes))):
        raise autograph.StagingError(
            f"{trace.name} draws random numbers in its graph, and others while it is traced. Draw them in one place, "
            "with methods of one generator."
        ) from error


def _asks_state(code: types.CodeType) -> bool:
    """Whether code, or code in it, asks what the next random numbers depend on, or sets that."""
    return any(not _STATE.isdisjoint(one.co_names) for one in codes_in(code))


_STATE = frozenset("bit_generator _bit_generator get_state set_state getstate setstate spawn jumped advance".split())


def _taken_out(places: Sequence[Placed], exactly: bool = False) -> list[object]:
    """What places hold, where something else is put until the graph has run, `exactly` what was there if the graph is
    to find it again; an object that they are part of is that very object meanwhile."""
    held = [place.read() for place in places]
    for place in places:
        is_nothing = place.old is UNDEFINED or isinstance(place.holder, list)
        place.write(None if is_nothing and not exactly else place.old)
    return held


def _cut(elements: list[object], length: int) -> list[object]:
    """What a list has beyond some length, which it loses."""
    tail = elements[length:]
    del elements[length:]
    return tail


def _left_at(function: Callable[..., object]) -> Place | None:
    """The line with the only ``return`` of a function, or else its first."""
    code = getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
    if code is None:
        return None
    done = code.co_code[::2]
    lines = {
        line
        for before, opcode, (line, *_) in zip((0, *done), done, code.co_positions())
        if opcode == _RETURN and before != _CONSTANT
    }
    return Place(code.co_filename, lines.pop() or code.co_firstlineno if len(lines) == 1 else code.co_firstlineno)


_RETURN, _CONSTANT = dis.opmap["RETURN_VALUE"], dis.opmap["LOAD_CONST"]


def _check_put(trace: Trace) -> None:
    """Refuse to have a list keep what an array in it held once."""
    for one in trace.root.shared if trace.parent is None else ():
        one.check({})
    if (found := trace.written_since()) is not None:
        _, place = found
        where = f"\n  {place.filename}:{place.line}" if place is not None else ""
        raise autograph.StagingError(
            "a NumPy array is written after it became an element of a list whose length the graph decides, or one of "
            "several arrays that the graph chooses from: it has a copy, which would stay as it is. Give it a copy "
            f"(items.append(a.copy())).{where}"
        )


def _inputs(trace: Trace, arguments: Arguments, kept: Collection[int]) -> Iterator[Any]:
    """What the traced function is given: symbolic tensors for tensors, everything else as it is; what can change as a
    copy, unless it is `kept`, by identity."""
    variables: dict[int, object] = {}
    copies: dict[int, object] = {}
    given: list[object] = []
    aliases = arguments.aliases()
    for number, (name, leaf, kind) in enumerate(zip(arguments.names, arguments.leaves, arguments.types)):
        if kind is None:
            given.append(leaf if id(leaf) in kept else own(leaf, copies))
            continue
        hint = leaf.name if isinstance(leaf, TensorSpec) and leaf.name else name
        value = trace.input(kind, hint)
        if (carried := kind_of(leaf)) is not None:
            given.append(carried.staged(SymbolicTensor(trace, value)))
        elif isinstance(kind, HandleType):
            given.append(variables.setdefault(id(leaf), VariableArgument(leaf, trace, value)))
        else:
            earlier, is_one = aliases.get(number, (None, None))
            other = None if earlier is None else given[earlier]
            made = _array(trace, value, leaf, other, is_one)
            trace.sharing += [(made, other)] if other is not None and is_one is None else []
            given.append(made)
    return iter(given)


def _array(trace: Trace, value: Value, leaf: Any, other: Any, is_one: bool | None) -> object:
    """What stands for a tensor or an array; where another is that very array, or all of it, that or a view of it."""
    if is_one is None:
        made: Any = family(leaf)(trace, value)
        if isinstance(made, Array):
            made.layout, made.depends_on_call = layout_of(leaf), True
    else:
        with recording(trace):
            made = other if is_one else other[...]
    if isinstance(leaf, ArrayArgument) and isinstance(made, Array):
        trace.lent.append((made, leaf.original))
    return made


def _outputs(
    trace: Trace, result: Sequence[object], tensors: Sequence[object], there: WasThere
) -> tuple[object, list[Value], Views]:
    """What the function returned, as a plan with a slot for every tensor, and the values in the slots; and which of
    them are arrays that it was given, if it returns NumPy's arrays, with the values that tell about it."""
    join = Results(trace, there)
    if trace.numpys:
        join.check_found(result)
    plan = join.of(result)
    join.hold(plan)
    outputs = []
    for slot in join.arrays.values():
        if slot.array is not None and slot.array.doubt:
            raise autograph.StagingError(slot.array.doubt)
    for part, _, kind in join.pairs:
        if isinstance(kind, TensorType) and not (kind.weak and isinstance(part, Tensor)):
            array = None if isinstance(part, Tensor) or hasattr(part, "__tensor__") else to_array(part)
            dtype = strong_dtype(kind) if array is None else as_dtype(array.dtype)
            kind = TensorType(string if kind.dtype == string else dtype, kind.shape)
        value = to_value(trace, part, kind)
        outputs.append(leaving(trace, value))
    views: dict[int, list[Given]] = {}
    slots = [*join.arrays.values()] if trace.numpys else []
    constants = [(one, array) for one in slots if one.array is not None and (array := one.array.pythons()) is not None]
    results, count = arrays_of(slots, tensors, len(outputs)), len(outputs)
    further = [(slot, array) for slot, array in results if slot.number >= count]
    outputs += [leaving(trace, array.record_in(trace)) for _, array in further]
    for number, slot in enumerate([*slots, *(slot for slot, _ in further)]):
        for one in slot.array.places() if slot.array is not None and trace.joins else ():
            trace.reach(one.traced_in)
        for view, when in given_as(slot, tensors, there, slots[:number], constants, results):
            if when.is_sure is False:
                continue
            if not when.is_sure:
                view = replace(view, told=len(outputs))
                outputs.append(when.tensor().record_in(trace))  # type: ignore[attr-defined]
            steps = []
            for op, given, attributes in view.steps:
                steps.append((op, range(len(outputs), len(outputs) + len(given)), attributes))
                outputs += [one.record_in(trace) for one in given]
            view = replace(view, steps=steps)
            views.setdefault(slot.number, []).append(view)
    return plan, outputs, views
