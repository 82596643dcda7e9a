"""ConcreteFunction: one graph of a function, for one signature, and how it is run."""

from __future__ import annotations

import functools
import operator
import threading
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph import StagingError
from runtime.control import Slot
from runtime.control.leaves import PromotedSlot
from runtime.control.one_array import assumed
from runtime.control.plans import slots, values
from runtime.control.promoted import promoted
from runtime.executors import compile_graph
from runtime.functions import ran
from runtime.functions.calls import Calls, Leaves, Run, is_plain, taken_apart
from runtime.functions.changes import Changed, write_back
from runtime.functions.describing import signature_text, structured
from runtime.functions.func_graph import FuncGraph
from runtime.functions.held import NOTHING_HELD, Held
from runtime.functions.own_copies import OwnCopies
from runtime.functions.results import Views, apart, in_graph, numpys, numpys_elements, owner_in, reopen
from runtime.functions.signature import Arguments, ArrayArgument, layout_of, share_memory
from runtime.functions.standing import Standing
from runtime.functions.state import NO_STATE, Apart, Reference, State
from runtime.functions.taped import Taped
from runtime.graph import settings
from runtime.graph.errors import InvalidArgumentError, OpError, OutOfBoundsError
from runtime.graph.graph import Callee, Graph, TensorType, Value, replaced
from runtime.graph.owner import Owner
from runtime.ops import effects, elementwise as ew, structure
from runtime.optimise import optimise
from runtime.tensors import taping
from runtime.tensors.arrays import TensorArray
from runtime.tensors.frames import hide
from runtime.tensors.operations import as_numpys, strong, symbolic
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor, wrap
from runtime.tensors.trace import AnotherArrayAt, Trace, current, silent
from runtime.tensors.types import Structure
from runtime.tensors.variables import Variable
from runtime.tensors.views import Array


def _as_numpy_raises(error: OpError) -> Exception:
    """What NumPy raises where operations raise an error of this library."""
    if error.numpys is not None:
        return error.numpys
    return as_numpys(error) if isinstance(error, OutOfBoundsError) else error


class ConcreteFunction:
    """One graph of a function, for one signature; `Function.get_concrete_function` gives it.

    It is called with the tensors of the signature, by position or by name; Python's arguments keep the values that they
    had when it was traced. Its `graph` is the one that runs, `traced` the one before it was optimised.

    >>> @tf.function
    ... def power(x, n):
    ...     return x**n
    >>> square = power.get_concrete_function(tf.TensorSpec([None], tf.float32), 2)
    >>> square.name, str(square.structured_input_signature[0][0])
    ('power', "TensorSpec(shape=(None,), dtype=tf.float32, name='x')")
    >>> print(square(tf.constant([1.0, 3.0])))
    tf.Tensor([1. 9.], shape=(2,), dtype=float32)
    """

    def __init__(
        self,
        name: str,
        jit_compile: bool | str | None,
        signature: Arguments,
        by_name: frozenset[str],
        traced: Graph,
        plan: Any,
        captured: list[Any],
        changed: Changed,
        families: tuple[type, ...] | None,
        numpys: bool = False,
        views: Views | None = None,
        layouts: tuple[bool | None, ...] | None = None,
        copies: OwnCopies | None = None,
        places: Sequence[Reference] = (),
        acts: str = "",
        held: Held = NOTHING_HELD,
        put_back: Callable[[], None] | None = None,
        raised: Exception | None = None,
        state: State = NO_STATE,
        apart: Apart | None = None,
        changing: Sequence[Reference] | None = None,
        fills: Sequence[Callable[[Sequence[object]], object]] = (),
        asks_which: bool = False,
    ) -> None:
        self.name = name
        self._jit_compile = jit_compile
        self._executable: Callable[..., object] | None = None
        self._compiling = threading.Lock()
        self.traced = traced  # as it was before it was optimised
        variables = tuple(c for c in captured if isinstance(c, Variable))
        running = optimise(traced)
        trace = current()
        self.graph = FuncGraph(
            running.name, running.inputs, running.nodes, running.outputs, traced, variables, signature, by_name,
            plan, captured, None if trace is None else weakref.ref(trace),
        )  # fmt: skip
        self._signature = signature
        self._by_name = by_name  # the parameters that are given by name alone
        self._calls = Calls()
        self._plan = plan
        self._captured = captured
        self._changed = changed
        self._numpys = numpys  # does it give NumPy's arrays and numbers?
        self._views = views or {}  # the results, by number, that are arrays which it was given
        self._families = families  # which tensors it takes for NumPy's arrays and numbers; None if that does not matter

        self.held = held  # what it asks of objects that it reads
        self.acts = acts  # what tracing it has changed that outlives the call; then it is good for that call alone
        self._put_back = put_back if acts else None  # has everything as it was before the call
        self._raised = raised  # what the program has raised, once the graph has run
        self.changing = changing  # what it has changed, if another graph may change it at each call
        self._state = state  # the arrays that it takes besides its arguments
        self._apart = apart  # what it asks of the arrays that the program keeps and those that it is given
        self._asks_which = asks_which  # does it ask which array one is?
        self._fills = fills  # what gives lists of the program what they hold then
        self._places = places  # of what outlives the call, those where it leaves something
        self._copies = copies  # the results of which each call gets a copy
        self._layouts = layouts  # which arrays it takes to lie in C order; None if that does not matter

    def suits(self, arguments: Arguments) -> bool:
        """Whether it takes the same tensors for NumPy's arrays and numbers, and arrays to lie as they do, if that
        matters, and objects hold what they held."""
        if self._layouts is not None and self._layouts != arguments.layouts():
            return False
        if self.held and not self.held.holds():
            return False
        if self._state or self._apart is not None:
            tensors = arguments.tensors()
            kept = self._state.values(tensors)
            if kept is None or (self._apart is not None and not self._apart.holds(tensors, kept)):
                return False
            arguments.kept = kept
        return self._families is None or self._families == arguments.families()

    @functools.cached_property
    def _callee(self) -> Callee:
        python = {slot.number for slot in slots(self._plan) if self._numpys and owner_in(slot) is Owner.PYTHON}
        graph, source = _for_calls(self.traced, python) or (self.graph, self.traced)
        return Callee(self.graph.name, graph, source)

    @functools.cached_property
    def _taped(self) -> Taped:
        return Taped(self.traced, self._jit_compile, lambda: self._execute)

    @property
    def _execute(self) -> Callable[..., Any]:
        """What runs the graph: compiled once, whatever threads ask for it."""
        if self._executable is None:
            with self._compiling:
                if self._executable is None:
                    self._executable = compile_graph(self.graph, self._jit_compile, EagerTensor)
        return self._executable

    @functools.cached_property
    def _takes_arrays(self) -> frozenset[AnotherArrayAt]:
        """Where it takes lists to become one array rather than another."""
        return assumed(self.graph) if self._numpys else frozenset()

    @functools.cached_property
    def _may_begin_anew(self) -> bool:
        """Whether a run that fails has done nothing yet, where the program may have changed what outlives the call by
        then: the call is traced for itself, as one that acts."""
        changes = bool(self._places) and not self.acts
        return changes and all(node.op in effects.CHECKS for node in self.graph.walk() if node.effect)

    @functools.cached_property
    def _changes_state(self) -> bool:
        """Whether it changes arrays, containers or objects."""
        return bool(self._places or self._fills or self._changed.tensors or self._changed.containers or self.acts)

    @functools.cached_property
    def _may_run_again(self) -> bool:
        """Whether it does nothing besides that could not be done once more, with nothing shown."""
        return not effects.act(map(silent, self.graph.nodes))

    @functools.cached_property
    def _needs_structures(self) -> bool:
        """Whether it changes or returns lists and other structures that it is given."""
        return bool(self._changed.containers) or any(isinstance(s, Standing) and s.name for s in slots(self._plan))

    @functools.cached_property
    def _only_computes(self) -> bool:
        """Whether the arguments are inputs and values of Python's, and nothing happens but results."""
        if any(not isinstance(kind, TensorType) for kind in self._signature.types if kind is not None):
            return False
        if self._changed.tensors or self._changed.containers or len(self._plan) != 1:
            return False
        if not all(view.is_of_result for views in self._views.values() for view in views):
            return False
        if self._state or self._apart is not None or self._asks_which:
            return False
        return all(isinstance(c, Variable) for c in self._captured)

    @functools.cached_property
    def _is_plain(self) -> bool:
        """Whether besides results are outputs, one for one."""
        if not self._only_computes:
            return False
        parts = self._results_in_order
        if not all(isinstance(part, Slot) and part.template is None for part in parts):
            return False
        return [slot.number for slot in slots(parts)] == [*range(len(self.graph.outputs))]

    @functools.cached_property
    def _results_in_order(self) -> list[Any]:
        (plan,) = self._plan
        return [*plan] if type(plan) is tuple and len(plan) > 1 else [plan]

    @functools.cached_property
    def _settle(self) -> Callable[[Any], object] | None:
        """From all outputs of a graph that is plain to what it returns, where some tell the type of another."""
        parts = self._results_in_order
        if not any(isinstance(part, PromotedSlot) for part in parts):
            return None
        several = len(parts) > 1

        def settle(made: Sequence[Any]) -> object:
            results = [
                promoted(made[part.number], made[part.told.number], part.types)
                if isinstance(part, PromotedSlot) else made[part.number]
                for part in parts
            ]  # fmt: skip
            return tuple(results) if several else results[0]

        return settle

    @functools.cached_property
    def direct(self) -> Callable[..., object] | None:
        """Native code from eager tensors to what this returns, or to None for other arguments; there may be none."""
        plain = self._is_plain and not self._captured and self._layouts is None and not self._views
        direct = getattr(self._execute, "direct", None) if plain else None
        if direct is not None and self._numpys:
            settled = {slot.number for slot in slots([p for p in self._results_in_order if type(p) is PromotedSlot])}
            given = [
                owner in _BARE[out.type.shape == ()] or number in settled
                for number, (owner, out) in enumerate(zip(self._owners, self.graph.outputs))
            ]
            if not all(given):
                return None
            self._executable.give_arrays(direct)  # type: ignore[union-attr]
        if direct is None:
            return None
        if self._families is not None:
            arrays = {family is Array for family in self._families}
            if len(arrays) != 1:
                return None
            self._executable.only_for(direct, arrays == {True})  # type: ignore[union-attr]
        settle = self._settle
        if settle is None:
            return direct
        return lambda *given: None if (made := direct(*given)) is None else settle(made)

    @property
    def _is_all_native(self) -> bool:
        """Whether `direct` is machine code and nothing else."""
        return self.direct is not None and self._settle is None

    def _front(self, otherwise: Callable[..., object]) -> Callable[..., Any]:
        """A built-in function that calls `direct`, and `otherwise` with arguments that are not for it."""
        made: Callable[..., object] = self._execute.front(self.direct, otherwise)  # type: ignore[attr-defined]
        return made

    @functools.cached_property
    def quick(self) -> Callable[..., object] | None:
        """From the arrays of the arguments to what this returns, without further questions; there may be none."""
        if not self._is_plain:
            return self._quick_structure
        execute, captured, several, settle = self._execute, self._captured, type(self._plan[0]) is tuple, self._settle
        owners, views = self._owners, [(number, views[0]) for number, views in self._views.items()]

        def run(arrays: list[object]) -> object:
            results = execute(*arrays, *captured)
            return tuple(map(wrap, results)) if several else wrap(results[0])

        def run_for_numpy(arrays: list[object]) -> object:
            try:
                results = execute(*arrays, *captured)
            except OpError as error:
                told = _as_numpy_raises(error)
            else:
                made = [*map(numpys, apart([*map(wrap, results)]), owners)]
                for number, view in views:
                    made[number] = view.of((), None, made, lambda slot: made[slot.number])
                    reopen(made[number])
                if settle is not None:
                    return settle(made)
                return tuple(made) if several else made[0]
            raise told  # here, so that nothing of this library's is its context

        return run_for_numpy if self._numpys else run

    def _in_order(self, order: Sequence[int] | None) -> Run:
        """What runs it with the tensors and arrays of a call, which are in this order; for graphs that are `quick`."""
        quick, direct = self.quick, self.direct
        assert quick is not None

        def run(leaves: Leaves) -> object:
            given = leaves if order is None else [leaves[i] for i in order]
            if direct is not None and (result := direct(*given)) is not None:
                return result
            return quick([a.array if type(a) is EagerTensor else a for a in given])

        return run

    @property
    def _quick_structure(self) -> Callable[..., object] | None:
        """The same where results are in a structure."""
        if not self._only_computes or self._numpys:
            return None
        execute, captured = self._execute, self._captured
        build = builder(self._plan[0])
        if build is not None:
            return lambda arrays: build([*map(wrap, execute(*arrays, *captured))])
        if any(isinstance(slot, Standing) for slot in slots(self._plan)):
            return None
        return lambda arrays: self._rebuilt((), [*map(wrap, execute(*arrays, *captured))])[0]

    @functools.cached_property
    def _owners(self) -> list[Owner]:
        """Whose the results are, of a plan that is plain."""
        return [owner_in(slot) for slot in slots(self._plan)]

    @property
    def takes(self) -> int:
        """How many tensors and Variables it is given."""
        return sum(kind is not None for kind in self._signature.types)

    @property
    def writes(self) -> bool:
        """Whether it changes arrays that it is given."""
        return bool(self._changed.tensors)

    @property
    def _tells_apart(self) -> bool:
        """Whether it matters which of the arrays that it is given are one."""
        return self.writes or self._asks_which

    @property
    def _tells_of_caller(self) -> bool:
        """Whether what it does depends on what its caller has, or changes that, so that it has to be a part of it."""
        reads = bool(self.held.arrays or self.borrowed)
        return self._asks_which or bool(self.acts) or (self.writes and reads)

    def _undo(self) -> None:
        """Have everything as it was before it was traced, if that has changed something."""
        if self._put_back is not None:
            self._put_back()

    @property
    def structured_input_signature(self) -> tuple[Structure, Structure]:
        """The arguments, by position and by name, with a TensorSpec of its dtype and shape for every tensor.

        >>> double = tf.function(lambda x: x * 2).get_concrete_function(tf.constant([1, 2]))
        >>> double.structured_input_signature
        ((TensorSpec(shape=(2,), dtype=tf.int32, name='x'),), {})
        """
        return self.graph.structured_input_signature

    @property
    def inputs(self) -> list[Tensor]:
        """The tensors that the graph is given: those of the arguments, then the Variables that it uses besides.

        They have a dtype, that of a Variable is ``resource``, a shape and a name, and no value.

        >>> double = tf.function(lambda x: x * 2).get_concrete_function(tf.TensorSpec([None]))
        >>> double.inputs
        [<tf.Tensor 'x:0' shape=(None,) dtype=float32>]
        """
        return self.graph.given()

    @property
    def outputs(self) -> list[Tensor]:
        """The tensors that the graph returns, which have a dtype, a shape and a name, and no value.

        >>> double = tf.function(lambda x: {"twice": x * 2}).get_concrete_function(tf.TensorSpec([None]))
        >>> double.outputs
        [<tf.Tensor 'Identity:0' shape=(None,) dtype=float32>]
        """
        return self.graph.returned()

    @property
    def borrowed(self) -> list[str]:
        """The names of the values that it uses of functions around it."""
        return [c.value.hint for c in self._captured if isinstance(c, Outer)]

    @property
    def structured_outputs(self) -> Structure:
        """What the function returns, with a tensor that has a dtype and a shape, and no value, for each tensor in it.

        Where the graph decides which of several kinds of things it is, an object whose `options` are these.

        >>> double = tf.function(lambda x: {"twice": x * 2}).get_concrete_function(tf.TensorSpec([None]))
        >>> double.structured_outputs
        {'twice': <tf.Tensor 'Identity:0' shape=(None,) dtype=float32>}
        """
        return self.graph.structured_outputs

    @property
    def output_shapes(self) -> Structure:
        """What the function returns, with the shape of each tensor in its place.

        >>> tf.function(lambda x: (x, -x[0])).get_concrete_function(tf.TensorSpec([None])).output_shapes
        (TensorShape([None]), TensorShape([]))
        """
        return structured(self._plan[0], lambda number: self.graph.output(number).shape)

    @property
    def output_dtypes(self) -> Structure:
        """What the function returns, with the dtype of each tensor in its place.

        >>> tf.function(lambda x: (x, x > 0)).get_concrete_function(tf.TensorSpec([None])).output_dtypes
        (tf.float32, tf.bool)
        """
        return structured(self._plan[0], lambda number: self.graph.output(number).dtype)

    @property
    def captured_inputs(self) -> list[Variable | Tensor]:
        """What the graph uses without being given it: Variables, and in nested functions tensors of those around.

        Tensors that have a value are constants of the graph.

        >>> v = tf.Variable([1.0, 2.0], name="v")
        >>> tf.function(lambda x: x + v).get_concrete_function(tf.constant(1.0)).captured_inputs
        [<tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>]
        """
        return self.graph.external_captures

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The Variables that the graph uses without being given them.

        >>> v = tf.Variable(1.0, name="v")
        >>> [v.name for v in tf.function(lambda x: x + v).get_concrete_function(tf.constant(1.0)).variables]
        ['v:0']
        """
        return self.graph.variables

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of its `variables` that training is to change.

        >>> w, steps = tf.Variable(1.0, name="w"), tf.Variable(0.0, trainable=False)
        >>> [v.name for v in tf.function(lambda: w + steps).get_concrete_function().trainable_variables]
        ['w:0']
        """
        return self.graph.trainable_variables

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The signature, as text: what tensors it takes, with dtypes and shapes, and what it returns.

        Args:
          verbose: whether there is more than the first line.

        >>> power = tf.function(lambda x, n: x**n, name="power").get_concrete_function(tf.TensorSpec([None]), 2)
        >>> print(power.pretty_printed_signature())
        power(x, n=2)
          Args:
            x: float32 Tensor, shape=(None,)
          Returns:
            float32 Tensor, shape=(None,)
        """
        types = [value.type for value in self.traced.outputs]
        return signature_text(self.name, self._signature, self._plan[0] if self._plan else None, types, verbose)

    def is_usable(self) -> bool:
        """Whether the values that it captured belong to the traces going on."""
        if (self._state or self._places or self._fills) and current() is not None:
            return False  # whoever traces it has that as inputs
        outer = [c.traced_in for c in self._captured if isinstance(c, Outer)]
        if not outer:
            return True
        around = []
        trace = current()
        while trace is not None:
            around.append(trace)
            trace = trace.parent
        return all(any(found is one for one in around) for found in outer)

    def has_ended(self) -> bool:
        """Whether it captured values of a trace that is over, so that it is of no use."""
        return any(isinstance(c, Outer) and c.has_ended() for c in self._captured)

    def __call__(self, *args: object, **kwargs: object) -> object:
        if not settings.busy.value and (found := self._calls.find(args, kwargs)) is not None:
            run, given = found
            return run(given)
        try:
            leaves = self._signature.tensors_of(self.name, args, kwargs)
            if self.writes:
                self._check_apart(leaves)
            if self._apart is not None and not self._apart.holds(leaves, self._state.values() or ()):
                raise InvalidArgumentError(
                    f"an array that {self.name} is given is, or shares memory with, another of those that the program "
                    "keeps than when it was traced. Pass a copy, or call the function itself."
                )
            if self._layouts is not None:
                self._check_layouts(leaves)
            result = self.run(leaves, self._signature.structures(args, kwargs) if self._needs_structures else None)
        except Exception as error:
            hide(error)
            raise
        if not settings.busy.value and self.quick is not None and not any(map(_is_converted, leaves)):
            self._learn(args, kwargs, [getattr(leaf, "original", leaf) for leaf in leaves])
        return result

    def _learn(self, args: Sequence[object], kwargs: Mapping[str, object], leaves: Sequence[object]) -> None:
        """Know such calls, whose tensors the graph takes in this order."""
        found = taken_apart(args, kwargs)
        if found is None or len(found[1]) != len(leaves) or not all(map(is_plain, found[1])):
            return
        key, given = found
        places = {id(leaf): number for number, leaf in enumerate(given)}
        if kwargs and len(places) < len(given):  # nothing tells which of them goes where
            return
        if all(a is b for a, b in zip(given, leaves)):
            self._calls.keep(key, self._in_order(None))
        elif kwargs and all(id(leaf) in places for leaf in leaves):
            self._calls.keep(key, self._in_order([places[id(leaf)] for leaf in leaves]))

    def _check_apart(self, leaves: Sequence[object]) -> None:
        """Refuse arrays that share memory, one of which is changed; a Function has other graphs for them."""
        known = {number: earlier for number, (earlier, how) in self._signature.aliases().items() if how is not None}
        arrays = [(i, leaf.original) for i, leaf in enumerate(leaves) if isinstance(leaf, ArrayArgument)]
        for number, array in arrays:
            for other, another in arrays:
                if other < number and known.get(number) != other and share_memory(array, another):
                    raise InvalidArgumentError(
                        f"'{self._signature.names[other]}' and '{self._signature.names[number]}' share memory, and "
                        f"{self.name} writes to one of them. Pass a copy of one, or call the function itself."
                    )

    def _check_layouts(self, leaves: Sequence[object]) -> None:
        """Refuse arrays that lie otherwise than those it was traced for; a Function has other graphs for them."""
        for name, known, leaf in zip(self._signature.names, self._layouts or (), leaves):
            found = layout_of(leaf)
            if known is not None and found is not None and known != found:
                raise InvalidArgumentError(
                    f"the elements of '{name}' {'lie' if found else 'do not lie'} in C order, and {self.name} was "
                    f"traced for an array whose elements {'do' if known else 'do not'}, which decides what shares "
                    "memory. Pass a copy (np.ascontiguousarray(...)), or call the function itself."
                )

    def run(
        self,
        leaves: Sequence[object],
        bound: Mapping[str, object] | None = None,
        kept: Sequence[object] | None = None,
        unfinished: Callable[[Exception], str] = lambda error: "",
    ) -> object:
        """Run with the tensors and Variables of the signature, in order, and what it takes besides, if that is known.

        Containers among the arguments (`bound`) that the function has changed are changed then. Where the graph raises
        an exception, `unfinished` is called to leave what the function has changed by then, if it changes something.
        """
        trace = current()
        if trace is not None:
            return self._record(trace, [*leaves, *self._captured], bound)
        ran.note(self.graph)
        if self._state:
            leaves = [*leaves, *self._state.leaves(leaves, kept)]
        if taping.active[0]:
            if self._numpys and taping.follow([*leaves, *self._captured]):
                raise InvalidArgumentError(
                    f"{self.name} gives NumPy's arrays and numbers, which a gradient cannot be asked of. Leave "
                    "numpy=True out where a tape records, or call it outside of the tape."
                )
            results = self._taped([*leaves, *self._captured])
        else:
            try:
                results = [wrap(r) for r in self._execute(*(leaf.concrete() for leaf in [*leaves, *self._captured]))]
            except BaseException as error:
                self._undo()
                told = _as_numpy_raises(error) if self._numpys and isinstance(error, OpError) else error
                if isinstance(error, Exception) and self._changes_state and (note := unfinished(error)):
                    told.add_note(note)
                if told is error:
                    raise
            else:
                return self._finished(leaves, results, bound)
            raise told
        return self._finished(leaves, results, bound)

    def _finished(self, leaves: Sequence[Any], results: list[object], bound: Mapping[str, object] | None) -> object:
        for number in reversed(self._changed.tensors):
            changed = results.pop()
            if isinstance(leaves[number], ArrayArgument | SymbolicTensor):  # eager tensors do not change
                leaves[number]._become(changed)
        result, *containers = self._rebuilt(leaves, results, bound)
        if self._fills:
            last = len(containers) - len(self._fills)
            for fill, elements in zip(self._fills, containers[last:], strict=True):
                fill(elements)
            del containers[last:]
        if self._places:
            first = len(containers) - len(self._places)
            for place, value in zip(self._places, containers[first:], strict=True):
                place.place.write(value)
            del containers[first:]
        if bound is not None:
            write_back(bound, self._changed.containers, containers)
        if self._raised is not None:
            raise self._raised
        return result

    def _rebuilt(
        self, leaves: Sequence[object], results: Sequence[Any], bound: Mapping[str, object] | None = None
    ) -> Any:
        """What the function returns, given the values for the slots."""
        trace = current()
        if self._numpys and trace is None:
            results = apart(results)
        fill = _Slots(leaves, results, bound, trace, self._views, self._numpys, bool(self.acts)).value
        if not self._numpys:
            return values(self._plan, fill, "", trace is None)
        copied, memo = ({}, None) if self._copies is None else (self._copies.values, self._copies.begun())
        return values(self._plan, fill, "", trace is None, numpys_elements, copied, memo)

    def _record(self, trace: Trace, inputs: Sequence[Any], bound: Mapping[str, object] | None) -> object:
        """A call inside another function is a call in its graph."""
        if self.held:
            trace.of_function().held.append(self.held)
        if self.acts:
            if trace.function is None:
                self._undo()
                raise StagingError(
                    f"{self.name} changes what outlives the call ({self.acts}), so a staged statement cannot call it: "
                    "the change would be made once, while tracing. Keep it in a Variable, or return the new value."
                )
            trace.acts = trace.acts or self.acts
            trace.undo.append(self._undo)
            trace.left = {**{known.place.identity: known.place for known in self._places}, **trace.left}
        callee = self._callee.graph
        assert callee is not None
        given = zip([x.record_in(trace) for x in inputs], callee.inputs)
        values = [v if isinstance(i.type, TensorType) and i.type.weak else strong(trace, v) for v, i in given]
        types = [v.type.without_symbols() for v in callee.outputs]
        outputs = trace.record(structure.call, values, {"graph": self._callee}, types)
        return self._finished(inputs, [symbolic(trace, v) for v in outputs], bound)

    def __copy__(self) -> ConcreteFunction:
        return self

    def __deepcopy__(self, memo: object) -> ConcreteFunction:
        return self  # as functions are not copied either

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            f"{self!r} cannot be pickled: it is bound to this process. Pickle the function that was traced, and call "
            "get_concrete_function again."
        )

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name}({self._signature})>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"


@dataclass
class _Slots:
    """What is in the slots of a plan after a run, or a call in a graph (`trace`)."""

    leaves: Sequence[object]
    results: Sequence[Any]
    bound: Mapping[str, object] | None
    trace: Trace | None
    views: Views
    numpys: bool
    acts: bool
    made: dict[int, object] = field(default_factory=dict)  # so far, by the number of the slot

    def value(self, slot: Slot) -> object:
        if isinstance(slot, Standing):
            return slot.found(self.bound)
        if slot.number not in self.made:
            self.made[slot.number] = self._value(slot)
        return self.made[slot.number]

    def _value(self, slot: Slot) -> object:
        if self.acts and slot.array is not None and (known := slot.array.pythons()) is not None:
            reopen(known)  # the very array, which the program may keep, too
            return known
        made = self.results[slot.number]
        if slot.template is not None:
            return TensorArray.holding(slot.template, made)
        if not self.numpys:
            return made
        views = self.views.get(slot.number, ())
        for view in views:
            if view.told is None or (self.trace is None and self.results[view.told]):
                if (found := view.of(self.leaves, self.bound, self.results, self.value)) is not None:
                    if self.trace is None:
                        reopen(found)
                    return found
        if self.trace is None:
            return numpys(made, owner_in(slot), self.leaves)
        told = [(view, self.results[view.told]) for view in views if view.told is not None]
        may_be = [(view.of(self.leaves, self.bound, self.results, self.value), value) for view, value in told]
        return in_graph(slot, made, self.trace, may_be)


def _is_converted(leaf: object) -> bool:
    return isinstance(leaf, ArrayArgument) and leaf.is_converted


def _for_calls(graph: Graph, python: Collection[int]) -> tuple[Graph, Graph] | None:
    """A graph as others call it, and before it was optimised: what it returns of Python's integers stays as it is, and
    so do the results of these numbers; None if that is nothing."""
    numbers = {graph.outputs[number] for number in python}
    made = {
        node.outputs[0]: node.inputs[0]
        for node in graph.nodes
        if node.op is ew.narrow or (node.op is ew.cast and node.outputs[0] in numbers and _is_weak(node.inputs[0]))
    }
    if not any(v in made for v in graph.outputs):
        return None
    source = replaced(graph, outputs=tuple(made.get(v, v) for v in graph.outputs))
    return optimise(source), source


def _is_weak(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.weak


# Whose results without dimensions, and others, machine code gives as NumPy's functions do.
_BARE = {True: (Owner.NUMPY, Owner.TENSOR), False: (Owner.ARRAY, Owner.TENSOR)}


class Outer:
    """A value of the trace around, which a nested function captured."""

    def __init__(self, trace: Trace | None, value: Value) -> None:
        self.traced_in, self.value = trace, value

    def has_ended(self) -> bool:
        trace = self.traced_in
        while trace is not None and trace.parent is not None:
            trace = trace.parent
        return trace is None or trace.function is None

    def tensor(self) -> SymbolicTensor:
        """The value, as the function around knows it."""
        assert self.traced_in is not None
        return SymbolicTensor(self.traced_in, self.value)

    def concrete(self) -> object:
        raise InvalidArgumentError(f"the function uses '{self.value.hint}' of a function around it, which has ended")

    def record_in(self, trace: Trace) -> Value:
        assert self.traced_in is not None
        return trace.local(self.value, self.traced_in)


def builder(plan: object) -> Callable[[Sequence[object]], object] | None:
    """What puts values into a plan of slots in lists, tuples and dictionaries; None for any other plan."""
    if isinstance(plan, Slot):
        return operator.itemgetter(plan.number) if plan.template is None and type(plan) is Slot else None
    if plan is None or type(plan) in (bool, int, float, complex, str, bytes):
        return lambda values: plan
    if type(plan) not in (list, tuple, dict):
        return None
    inner: Any = plan.values() if isinstance(plan, dict) else plan
    made = [builder(part) for part in inner]
    parts = [one for one in made if one is not None]
    if len(parts) < len(made):
        return None
    if isinstance(plan, dict):
        named = [*zip(plan, parts)]
        return lambda values: {key: part(values) for key, part in named}
    if isinstance(plan, list):
        return lambda values: [part(values) for part in parts]
    return lambda values: tuple([part(values) for part in parts])
