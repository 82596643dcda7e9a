"""`GradientTape`: what is computed while it records is differentiated when asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.control.loops import map_fn
from runtime.gradients.cells import Step, cell_of
from runtime.gradients.reverse import Gradients, reached, steps_through, sweep
from runtime.gradients.things import Gradient, Thing, broadcast, has_gradient, like, thing_of, zeros_like
from runtime.graph.dtypes import int32
from runtime.graph.graph import Node, Value
from runtime.graph.op import Op
from runtime.ops import elementwise as ew, shape as shape_ops
from runtime.tensors import nest, taping
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.frames import hides_frames, user_place
from runtime.tensors.indexed_slices import IndexedSlices
from runtime.tensors.making import like_shape, ones_like, range as arange
from runtime.tensors.operations import apply
from runtime.tensors.parts import gather
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.several import settled
from runtime.tensors.shaping import reshape, stack
from runtime.tensors.sparse_tensor import SparseTensor
from runtime.tensors.tensor import EagerElements, EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, current
from runtime.tensors.types import Size, Structure, TensorLike
from runtime.tensors.variables import Variable


class UnconnectedGradients(Enum):
    """What stands for the gradient of a source on which the target does not depend.

    >>> tf.UnconnectedGradients("zero")
    <UnconnectedGradients.ZERO: 'zero'>
    """

    NONE = "none"
    ZERO = "zero"


class AtOnce:
    """Takes note of operations that run at once."""

    def __init__(self, watches_variables: bool) -> None:
        self.watches_variables = watches_variables
        self.steps: list[Step] = []
        self.known: dict[int, object] = {}  # what depends on what is watched, by identity; here it stays alive
        self.arrays: dict[int, object] = {}  # the same tensors, by their arrays
        self.variables: dict[int, Variable] = {}

    def watch(self, thing: Thing) -> None:
        if isinstance(thing, Variable):
            self.variables[id(thing)] = thing
        self._know(thing)

    def _know(self, thing: object) -> None:
        self.known[id(thing)] = thing
        if isinstance(thing, EagerTensor):
            self.arrays[id(thing.array)] = thing

    def holding(self, array: int) -> object:
        return self.arrays.get(array)

    def follows(self, inputs: Sequence[object]) -> bool:
        return True in [self._counts(x) for x in inputs]  # each is looked at

    def _counts(self, thing: object) -> bool:
        if isinstance(thing, Variable) and self.watches_variables and thing.trainable:
            self.watch(thing)
        return id(thing) in self.known

    def note(
        self, op: Op, inputs: Sequence[object], attributes: Mapping[str, object], outputs: Sequence[object]
    ) -> None:
        wanted = [self._counts(x) for x in inputs]
        if not any(wanted):
            return
        cell = cell_of(op)
        if cell.rule is None and not cell.why:
            return
        flows = [x for x in outputs if isinstance(x, EagerElements) or has_gradient(x.type)]  # type: ignore[attr-defined]
        if flows:
            for x in flows:
                self._know(x)
            wanted = [w and _can_change(x) for w, x in zip(wanted, inputs)]
            self.steps.append(Step(op, inputs, outputs, dict(attributes), wanted, user_place()))

    def gradients(
        self, targets: Sequence[Thing], seeds: Sequence[Gradient], sources: Sequence[Thing]
    ) -> list[Gradient | IndexedSlices | None]:
        found = Gradients()
        for target, seed in zip(targets, seeds):
            found.add(target, seed)
        sweep(reversed(self._towards(sources)), found)
        return [found.of_source(s) for s in sources]

    def _towards(self, sources: Sequence[object]) -> list[Step]:
        """The operations through which sources have an influence."""
        reach = set(map(id, sources))
        steps = []
        for step in self.steps:
            wanted = [w and id(x) in reach for w, x in zip(step.wanted, step.inputs)]
            if any(wanted):
                reach.update(map(id, step.outputs))
                steps.append(Step(**{**step.__dict__, "wanted": wanted}))
        return steps


def _can_change(thing: Any) -> bool:
    return isinstance(thing, EagerElements) or has_gradient(thing.type)


class InGraph:
    """Knows which nodes of a trace are recorded: those that come after its beginning, in it and in traces within."""

    def __init__(self, trace: Trace, watches_variables: bool, everything: bool = False) -> None:
        self.trace = trace
        self.watches_variables = watches_variables
        self.start = 0 if everything else len(trace.nodes)
        self.end: int | None = None
        self.without: set[Value] = set()  # results of what ran while it did not record
        self.watched: list[tuple[Trace, int, Value]] = []
        self.things: dict[int, tuple[Thing, Value, Trace]] = {}  # the objects that were watched
        self.variables: dict[int, Variable] = {}

    def watch(self, thing: Thing) -> None:
        trace = _tracing()
        if isinstance(thing, Variable):
            self.variables[id(thing)] = thing
        value = trace.pin(thing) if isinstance(thing, EagerTensor) else thing.record_in(trace)
        self.watched.append((trace, len(trace.nodes), value))
        self.things[id(thing)] = (thing, value, trace)

    def pause(self) -> tuple[Trace, int]:
        trace = _tracing()
        return trace, len(trace.nodes)

    def resume(self, mark: tuple[Trace, int]) -> None:
        trace, start = mark
        self.without.update(v for node in trace.nodes[start:] for v in node.outputs)

    def value_of(self, thing: Thing, here: Trace) -> Value | None:
        """What a source or target is, as the trace at hand knows it."""
        if id(thing) in self.things:
            _, value, owner = self.things[id(thing)]
            if isinstance(thing, SymbolicTensor) and thing.place is None:
                if value not in owner.told(thing.record_in(owner)):
                    raise _overwritten(thing)
            return here.local(value, owner) if here.is_within(owner) else None
        if isinstance(thing, EagerTensor):
            return here.pinned_value(thing.array)
        if type(thing) is SymbolicTensor:
            return here.local(thing.untold, thing.traced_in)
        return thing.record_in(here)  # type: ignore[no-any-return]

    def gradients(
        self, targets: Sequence[Thing], seeds: Sequence[Gradient], sources: Sequence[Thing]
    ) -> list[Gradient | IndexedSlices | None]:
        here = _tracing()
        if not here.is_within(self.trace):
            raise refused(
                ValueError(
                    f"this GradientTape was opened while tracing {self.trace.name}, which has ended or is another "
                    "function: ask for the gradient there"
                )
            )
        chain = [here]
        while chain[-1] is not self.trace:
            chain.append(chain[-1].parent)  # type: ignore[arg-type]
        chain.reverse()
        values = [self.value_of(s, here) for s in sources]
        owned = [None if v is None else _outermost(chain, v) for v in values]
        steps = self._towards(chain, {v for found in owned if found is not None for v in [found[1]]})
        found = Gradients()
        asked: set[Value] = set()
        for target, seed in zip(targets, seeds):
            value = self.value_of(target, here)
            if value is not None:
                asked.add(value)
                found.add(thing_of(here, value), seed)
        self._check_state(chain, asked)
        for at in range(len(chain) - 1, -1, -1):
            trace = chain[at]
            sweep(reversed(steps[at]), found)
            for around, inner in trace.captured.items() if at else ():
                found.hand_on(thing_of(trace, inner), thing_of(chain[at - 1], around))
        targeted = {_outermost(chain, value) for value in asked}  # each has a gradient of its own, watched or not
        there = [at if at in targeted or (at is not None and self._counts(at[1])) else None for at in owned]
        things = [None if at is None else thing_of(*at) for at in there]
        return [None if one is None else found.of_source(one) for one in things]

    def _counts(self, value: Value) -> bool:
        return value in self._reach

    def _check_state(self, chain: Sequence[Trace], asked: set[Value]) -> None:
        """Refuse targets that depend on what earlier iterations of a loop have left: only the graph knows how that
        depends on anything before the loop."""
        for trace in reversed(chain[1:]):
            reach = set(asked)
            for node in reversed(trace.listed(trace.nodes)):
                if any(v in reach for v in node.outputs):
                    flows = [has_gradient(v.type) for v in node.inputs]
                    if any(reached(node, flows)):
                        reach.update(v for v, there in zip(node.inputs, flows) if there)
            made = {v for node in (*trace.first, *trace.listed(trace.nodes)) for v in node.outputs}
            inner = {value: around for around, value in trace.captured.items()}
            watched = {v for where, _, v in self.watched if where is trace}
            for value in reach - made - watched:
                if value not in inner:
                    raise refused(
                        ValueError(
                            f"the gradient depends on '{value.hint}', which comes from an earlier iteration of a loop "
                            "that began while this GradientTape recorded; only the graph knows how that came to be. "
                            "Ask for the gradient after the loop, or open a tape inside of it."
                        )
                    )
            asked = {inner[v] for v in reach if v in inner}

    def _towards(self, chain: Sequence[Trace], sources: set[Value]) -> list[list[Step]]:
        """For each trace, the nodes that depend on what is watched, and on the sources."""
        self._reach: set[Value] = set()
        reach: set[Value] = set(sources)
        found = []
        for at, trace in enumerate(chain):
            captured = trace.captured.items() if at else ()
            self._reach.update(inner for around, inner in captured if around in self._reach)
            reach.update(inner for around, inner in captured if around in reach)
            self._reach.update(self._handles(trace))
            start, end = (self.start, self.end) if trace is self.trace else (0, None)
            nodes = trace.listed(trace.nodes[start:end])
            entering: dict[int, list[Value]] = {}
            for where, number, value in self.watched:
                if where is trace:
                    place = len(trace.listed(trace.nodes[start : max(number, start)]))
                    entering.setdefault(min(place, len(nodes)), []).append(value)
            recorded = steps_through(trace, nodes, self._reach, entering, self.without)
            towards = []
            for step in recorded:
                assert step.node is not None
                wanted = [w and v in reach for w, v in zip(step.wanted, step.node.inputs)]
                if any(wanted):
                    reach.update(v for v in step.node.outputs if v in self._reach)
                    towards.append(Step(**{**step.__dict__, "wanted": wanted}))
            found.append(towards)
        return found

    def _handles(self, trace: Trace) -> Iterator[Value]:
        """The Variables that count, as a trace knows them."""
        for value, variable in trace.root.handles.items():
            if (self.watches_variables and variable.trainable) or id(variable) in self.variables:
                yield value
                if value in trace.captures:
                    yield trace.captures[value][1]

    def accessed(self) -> list[Variable]:
        """The Variables that have been read while it recorded."""
        root = self.trace.root
        end = self.end if self.end is not None else len(self.trace.nodes)
        nodes = [n for node in self.trace.nodes[self.start : end] for n in _within(node)]
        used = {v for node in nodes for v in node.inputs}
        names = {
            v: w for v, w in ((value, self.trace.captures.get(value, (value, value))[1]) for value in root.handles)
        }
        read = [root.handles[v] for v, inner in names.items() if inner in used or v in used]
        found = {id(v): v for v in read if self.watches_variables and v.trainable}
        return list({**found, **self.variables}.values())


def _within(node: Node) -> Iterator[Node]:
    yield node
    for region in node.regions:
        yield from region.walk()


def _outermost(chain: Sequence[Trace], value: Value) -> tuple[Trace, Value]:
    """The trace that made a value, as far out as the chain goes, and what it is there."""
    for at in range(len(chain) - 1, 0, -1):
        around = next((o for o, inner in chain[at].captured.items() if inner is value), None)
        if around is None:
            return chain[at], value
        value = around
    return chain[0], value


def _tracing() -> Trace:
    trace = current()
    if trace is None:
        raise ValueError("this GradientTape was opened while tracing, and is used after that has ended")
    return trace


def _overwritten(thing: object) -> Exception:
    return refused(
        ValueError(
            f"{thing} was written to after it was watched, so that its gradient would be that of what it holds now. "
            "Watch it again after the last write, or write to a copy (y = x + 0)."
        )
    )


class GradientTape:
    """Records what is computed in its block, so that it can be differentiated.

    It works with operations that run at once, around calls of functions, and inside of functions, their branches and
    loops.

    Args:
      persistent: whether it can be asked for more than one set of gradients.
      watch_accessed_variables: whether trainable Variables that are read are watched.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> print(tape.gradient(y, x))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watches_variables = watch_accessed_variables
        self._recorder: AtOnce | InGraph | None = None
        self._recording = False
        self._used = False

    def __enter__(self) -> GradientTape:
        if self._recording:
            raise ValueError("Tape is already recording.")
        if self._recorder is None:
            trace = current()
            self._recorder = (
                AtOnce(self._watches_variables) if trace is None else InGraph(trace, self._watches_variables)
            )
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._recording:
            self._stop()

    def _start(self) -> None:
        self._recording = True
        if isinstance(self._recorder, AtOnce):
            taping.start(self._recorder)
        elif isinstance(self._recorder, InGraph) and self._recorder.end is not None:
            self._recorder.resume((self._recorder.trace, self._recorder.end))
            self._recorder.end = None

    def _stop(self) -> None:
        self._recording = False
        if isinstance(self._recorder, AtOnce):
            taping.stop(self._recorder)
        elif isinstance(self._recorder, InGraph):
            self._recorder.end = len(self._recorder.trace.nodes)

    def watch(self, tensor: Structure) -> None:
        """Have tensors count as what the gradient is asked of.

        Args:
          tensor: a tensor of any shape, a Variable, or a structure of these; of integers there is no gradient.
        Raises:
          ValueError: for what is no tensor.

        >>> x = tf.constant(2.0)
        >>> with tf.GradientTape() as tape:
        ...     tape.watch([x])
        ...     y = x * x * x
        >>> print(tape.gradient(y, x))
        tf.Tensor(12.0, shape=(), dtype=float32)
        """
        recorder = self._open()
        for thing in nest.flatten(settled(tensor)):
            if not isinstance(thing, Tensor | Variable):
                raise ValueError(
                    f"GradientTape.watch takes tensors and Variables, not {type(thing).__name__}: make a tensor of it "
                    "first (x = runtime.constant(x)), and compute with that"
                )
            if has_gradient(thing.type):
                recorder.watch(thing)

    def _open(self) -> AtOnce | InGraph:
        if self._recorder is None:
            raise RuntimeError("this GradientTape records nothing yet: use it in a `with` statement")
        return self._recorder

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """A block of which the tape takes no note.

        Raises:
          ValueError: if it is not recording.

        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     with tape.stop_recording():
        ...         scale = x * 2.0
        ...     y = x * scale
        >>> print(tape.gradient(y, x))
        tf.Tensor(6.0, shape=(), dtype=float32)
        """
        if not self._recording:
            raise ValueError("Tape is not recording.")
        recorder = self._open()
        if isinstance(recorder, InGraph):
            mark = recorder.pause()
            try:
                yield
            finally:
                recorder.resume(mark)
            return
        taping.stop(recorder)
        try:
            yield
        finally:
            taping.start(recorder)

    def reset(self) -> None:
        """Forget all that was recorded and watched.

        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        ...     tape.reset()
        ...     z = 2.0 * x
        >>> print(tape.gradient(z, x))
        tf.Tensor(2.0, shape=(), dtype=float32)
        """
        recording = self._recording
        if recording:
            self._stop()
        self._recorder, self._used = None, False
        if recording:
            self.__enter__()

    def watched_variables(self) -> tuple[Variable, ...]:
        """The Variables that have been read, or watched, in the order in which they were.

        >>> v = tf.Variable(1.0, name="v")
        >>> with tf.GradientTape() as tape:
        ...     y = v + 1
        >>> [variable.name for variable in tape.watched_variables()]
        ['v:0']
        """
        recorder = self._recorder
        if recorder is None:
            return ()
        return tuple(recorder.variables.values() if isinstance(recorder, AtOnce) else recorder.accessed())

    @hides_frames
    def gradient(
        self,
        target: Structure,
        sources: Structure,
        output_gradients: Structure = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Structure:
        """How a target changes with each of its sources.

        Args:
          target: a tensor of any shape, or a structure of tensors, whose elements are added up.
          sources: a tensor or Variable, or a structure of these, that the tape has watched or recorded.
          output_gradients: what the elements of the target count: tensors of their shapes; 1 by default.
          unconnected_gradients: ``"none"`` to have None for a source on which the target does not depend, ``"zero"``
            to have zeros.
        Returns: a tensor of the shape and dtype of each source, in the structure of `sources`; `IndexedSlices` for a
          Variable of which rows are looked up, and which is not used otherwise. Complex numbers have the gradient whose
          parts say how the target changes with theirs, as in TensorFlow.
        Raises:
          RuntimeError: if the tape has been asked before and is not persistent.
          LookupError: if an operation on the way has no gradient; it says which, and where.
          ValueError: if a source was written to after it was watched.

        >>> w, b = tf.Variable([1.0, 2.0]), tf.Variable(0.5)
        >>> with tf.GradientTape() as tape:
        ...     loss = tf.reduce_sum(w * w) + 3.0 * b
        >>> for gradient in tape.gradient(loss, [w, b]):
        ...     print(gradient)
        tf.Tensor([2. 4.], shape=(2,), dtype=float32)
        tf.Tensor(3.0, shape=(), dtype=float32)
        """
        recorder = self._use()
        mode = UnconnectedGradients(unconnected_gradients)
        targets, seeds = _seeded(target, output_gradients)
        sources = settled(sources)
        leaves = [_source(s) for s in nest.flatten(sources, expanded=False)]
        found = recorder.gradients(targets, seeds, leaves)
        return nest.rebuild(sources, iter([_finished(g, s, mode) for g, s in zip(found, leaves)]))

    def _use(self) -> AtOnce | InGraph:
        recorder = self._open()
        if self._used and not self._persistent:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians): make "
                "it with GradientTape(persistent=True), or ask for all gradients at once, with a list of sources"
            )
        self._used = True
        if self._recording and not self._persistent:
            self._stop()
        return recorder

    @hides_frames
    def jacobian(
        self,
        target: TensorLike,
        sources: Structure,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Structure:
        """How each element of a target changes with each element of its sources.

        Args:
          target: a tensor of any shape.
          sources: a tensor or Variable, or a structure of these.
          unconnected_gradients: as for `gradient`.
          parallel_iterations, experimental_use_pfor: accepted.
        Returns: a tensor of shape [*the shape of the target, *the shape of the source] for each source.
        Raises:
          RuntimeError: if the tape has been asked before and is not persistent.

        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> print(tape.jacobian(y, x))
        tf.Tensor(
        [[2. 0.]
         [0. 4.]], shape=(2, 2), dtype=float32)
        """
        recorder = self._use()
        mode = UnconnectedGradients(unconnected_gradients)
        rows = target if isinstance(target, IndexedSlices) else None
        y, sources = convert_to_tensor(target if rows is None else rows.values), settled(sources)
        leaves = [_source(s) for s in nest.flatten(sources, expanded=False)]
        count = size_of(y)

        def row(number: TensorLike) -> list[Gradient | None]:
            seed = reshape(_one(number, count, y), like_shape(y))
            return [_whole(g) for g in recorder.gradients([y], [seed], leaves)]

        made = _rows(row, count)
        found = []
        for part, source in zip(made, leaves):
            if part is not None:
                part = reshape(part, [*like_shape(y), *like_shape(source)])
                part = part if rows is None else _of_whole(rows, part)
            elif mode is UnconnectedGradients.ZERO:
                like_target = y if rows is None else convert_to_tensor(rows)
                part = _repeated(zeros_like(source), size_of(like_target))
                part = reshape(part, [*like_shape(like_target), *like_shape(source)])
            found.append(part)
        return nest.rebuild(sources, iter(found))

    @hides_frames
    def batch_jacobian(
        self,
        target: TensorLike,
        source: TensorLike,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Structure:
        """How each element of a target changes with each of a source, for each pair along their first axes.

        Args:
          target: a tensor of shape [b, ...].
          source: a tensor of shape [b, ...]; its part ``i`` has an influence on part ``i`` of the target alone.
          unconnected_gradients: as for `gradient`.
          parallel_iterations, experimental_use_pfor: accepted.
        Returns: a tensor of shape [b, *the other axes of the target, *the other axes of the source].
        Raises:
          RuntimeError: if the tape has been asked before and is not persistent.
          ValueError: if the first axes differ, or there are none.

        >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = tf.reduce_sum(x * x, axis=1, keepdims=True)
        >>> print(tape.batch_jacobian(y, x))
        tf.Tensor(
        [[[2. 4.]]
        <BLANKLINE>
         [[6. 8.]]], shape=(2, 1, 2), dtype=float32)
        """
        recorder = self._use()
        mode = UnconnectedGradients(unconnected_gradients)
        y, x = convert_to_tensor(target), _source(source)
        if y.type.shape == () or x.type.shape == ():
            raise ValueError(f"batch_jacobian of {y.shape} and {x.shape}: both need a first axis, that of the batch")
        sizes = (y.type.shape or (None,))[0], (x.type.shape or (None,))[0]
        if isinstance(sizes[0], int) and isinstance(sizes[1], int) and sizes[0] != sizes[1]:
            raise ValueError(f"batch_jacobian of {y.shape} and {x.shape}: the first axes must be the same")
        batch, *rest = like_shape(y)
        columns: Size = 1
        for d in rest:
            columns = columns * d

        def row(number: TensorLike) -> list[Gradient | None]:
            seed = broadcast(reshape(_one(number, columns, y), [1, *rest]), y)
            return [_whole(g) for g in recorder.gradients([y], [seed], [x])]

        (made,) = _rows(row, columns)
        shape = [batch, *rest, *like_shape(x)[1:]]
        if made is None:
            return reshape(_repeated(zeros_like(x), columns), shape) if mode is UnconnectedGradients.ZERO else None
        axes = [1, 0, *range(2, 1 + len(like_shape(x)))]
        return reshape(transposed(made, axes), shape)


def size_of(y: Tensor) -> Size:
    """How many elements a tensor has: a number if that is known."""
    known = y.shape.num_elements()
    return known if known is not None else apply(shape_ops.size, y, dtype=int32)


def _one(number: TensorLike, count: Size, like: Tensor) -> Tensor:
    """1 in one place, 0 in all others, in the dtype of a tensor."""
    return apply(ew.cast, apply(ew.equal, arange(count), convert_to_tensor(number)), dtype=like.type.dtype)


def transposed(x: Tensor, axes: Sequence[int]) -> Tensor:
    return apply(shape_ops.transpose, x, axes=tuple(axes))


def _repeated(x: Any, count: Size) -> Tensor:
    """Zeros so many times."""
    return map_fn(lambda _: x, arange(count), fn_output_signature=x.dtype)  # type: ignore[return-value]


def _rows(row: Callable[[TensorLike], list[Gradient | None]], count: Size) -> list[Tensor | None]:
    """What a function gives for each number below another, stacked; None where it gives None."""
    if isinstance(count, int) and current() is None:
        parts = [row(np.int32(i)) for i in range(count)]
        columns = list(zip(*parts)) if parts else [(None,)]
        return [None if any(p is None for p in column) else stack(list(column)) for column in columns]
    there: list[bool] = []

    def some(number: TensorLike) -> list[Gradient]:
        made = row(number)
        there[:] = [part is not None for part in made]
        return [part for part in made if part is not None]

    found = map_fn(some, arange(count))
    rest = iter(found)
    return [next(rest) if is_there else None for is_there in there]


def _source(thing: object) -> Any:
    if isinstance(thing, Tensor | Variable):
        return thing
    raise TypeError(
        f"a gradient is asked of a tensor or a Variable that the tape has watched, not of {type(thing).__name__}: make "
        "a tensor of it first (x = runtime.constant(x)), watch it, and compute with that"
    )


_WITH_VALUES = (IndexedSlices, RaggedTensor, SparseTensor)


def _seeded(target: Structure, output_gradients: Structure) -> tuple[list[Tensor | Variable], list[Tensor]]:
    """The targets that can have a gradient, and what their elements count."""
    found = nest.flatten(settled(target), expanded=False)
    leaves: list[Tensor | Variable] = [
        t if isinstance(t, Tensor | Variable) else convert_to_tensor(t.values if isinstance(t, _WITH_VALUES) else t)
        for t in found
    ]
    given: list[TensorLike | None] = (
        [None] * len(leaves) if output_gradients is None else nest.flatten(settled(output_gradients), expanded=False)
    )
    if len(given) != len(leaves):
        raise ValueError(f"{len(given)} output_gradients for {len(leaves)} targets: one for each is wanted")
    targets, seeds = [], []
    for of, leaf, seed in zip(found, leaves, given):
        if seed is not None and isinstance(of, IndexedSlices):
            seed = gather(broadcast(convert_to_tensor(seed, leaf.type.dtype), convert_to_tensor(of)), of.indices)
        if not has_gradient(leaf.type):
            continue
        targets.append(leaf)
        if seed is None:
            seeds.append(ones_like(leaf, dtype=leaf.type.dtype))
            continue
        tensor = convert_to_tensor(seed, None if isinstance(seed, Tensor) else leaf.type.dtype)
        seeds.append(like(broadcast(tensor, leaf), leaf) if tensor.type.shape != leaf.type.shape else tensor)
    return targets, seeds


def _of_whole(rows: IndexedSlices, part: Tensor) -> Tensor:
    """What belongs to rows, as what belongs to the tensor whose rows they are."""
    assert rows.dense_shape is not None  # the tape has made it
    further = like_shape(part)[len(like_shape(rows.values)) :]
    return convert_to_tensor(IndexedSlices(part, rows.indices, [*like_shape(convert_to_tensor(rows)), *further]))


def _whole(gradient: Gradient | IndexedSlices | None) -> Gradient | None:
    return convert_to_tensor(gradient) if isinstance(gradient, IndexedSlices) else gradient


def _finished(
    gradient: Gradient | IndexedSlices | None, source: Thing, mode: UnconnectedGradients
) -> Gradient | IndexedSlices | None:
    if gradient is None:
        return zeros_like(source) if mode is UnconnectedGradients.ZERO else None
    return broadcast(gradient, source) if isinstance(gradient, Tensor) else gradient


def gradients(
    ys: Structure,
    xs: Structure,
    grad_ys: Structure = None,
    name: str | None = None,
    gate_gradients: bool = False,
    aggregation_method: None = None,
    stop_gradients: Structure = None,
    unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
) -> list[Structure]:
    """How tensors of a graph change with others, while it is being traced: `GradientTape` is for everything else.

    Args:
      ys: a tensor of any shape, or a list of them, whose elements are added up.
      xs: a tensor or a Variable, or a list of these.
      grad_ys: what the elements of `ys` count: a tensor for each, or None for 1.
      gate_gradients: accepted.
      aggregation_method: must be None.
      stop_gradients: tensors that count as constants.
      unconnected_gradients: as for `GradientTape.gradient`.
    Returns: a list with a tensor of the shape and dtype of each of `xs`.
    Raises:
      RuntimeError: outside of a function.
      ValueError: for one of `xs` that was made outside of the function, and used in it: it counts as a constant there.

    >>> @tf.function
    ... def slope(x):
    ...     return tf.gradients(x * x * x, x)[0]
    >>> print(slope(tf.constant(2.0)))
    tf.Tensor(12.0, shape=(), dtype=float32)
    """
    trace = current()
    if trace is None:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    if aggregation_method is not None:
        raise NotImplementedError("gradients with aggregation_method=: only None is there")
    recorder = InGraph(trace.root, watches_variables=False, everything=True)
    xs = settled(xs)
    leaves = [_source(x) for x in nest.flatten(xs, expanded=False)]
    for leaf in leaves:
        _check_no_constant(leaf, trace)
        recorder.watch(leaf)
        where, _, value = recorder.watched.pop()
        at, outer = _outermost(_chain(where), value)
        *_, first = at.told(outer)
        recorder.watched.append((at, 0, first))
        recorder.things[id(leaf)] = (leaf, first, at)
    for stopped in nest.flatten(stop_gradients) if stop_gradients is not None else ():
        at, outer = _outermost(_chain(trace), stopped.record_in(trace))  # type: ignore[attr-defined]
        recorder.without.update(at.told(outer))
    targets, seeds = _seeded(ys, grad_ys)
    found = recorder.gradients(targets, seeds, leaves)
    mode = UnconnectedGradients(unconnected_gradients)
    return [_finished(g, leaf, mode) for g, leaf in zip(found, leaves)]


def _check_no_constant(leaf: Thing, trace: Trace) -> None:
    """Refuse a tensor at hand that was used before anybody asked for a gradient: its uses are constants by now."""
    if not isinstance(leaf, EagerTensor) or trace.pinned_value(leaf.array) is not None:
        return
    if any(array is leaf.array for around in _chain(trace) for array in around.constants.values()):
        raise ValueError(
            f"tf.gradients by {leaf!r:.80}, which was made outside of the function and is a constant in it: give it to "
            "the function as an argument, or have a GradientTape watch it before it is used"
        )


def _chain(trace: Trace) -> list[Trace]:
    """The traces around one, from the outermost on."""
    chain = [trace]
    while chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain[::-1]
