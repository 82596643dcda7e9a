"""The sweep: from the last operation back to the first, what depends on what, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from runtime.gradients.cells import Step, cell_of
from runtime.gradients.things import (
    Gradient,
    Handle,
    Part,
    Thing,
    added,
    broadcast,
    has_gradient,
    key_of,
    like,
    thing_of,
    zeros_like,
)
from runtime.graph import shapes
from runtime.graph.errors import NoGradientError
from runtime.graph.graph import Node, Value
from runtime.graph.op import Op
from runtime.ops import effects
from runtime.tensors.indexed_slices import IndexedSlices
from runtime.tensors.operations import apply
from runtime.tensors.shaping import concat, shape as shape_of
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import Trace
from runtime.tensors.variables import Variable


@dataclass
class _Sum:
    """What has come together so far of the gradient of something."""

    whole: Gradient | None = None
    parts: list[Part] = field(default_factory=list)
    masked: bool = False


class Gradients:
    """The gradients found so far, by what they belong to."""

    def __init__(self) -> None:
        self._sums: dict[object, _Sum] = {}

    def add(self, thing: Thing, gradient: Gradient | Part, masked: bool = False) -> None:
        """Add to the gradient of something."""
        found = self._sums.setdefault(key_of(thing), _Sum())
        found.masked = found.masked or masked
        if isinstance(gradient, Part):
            found.parts.append(gradient)
            return
        if isinstance(gradient, Tensor):
            gradient = like(gradient, thing)
        found.whole = gradient if found.whole is None else added(found.whole, gradient)

    def masked(self, thing: Thing) -> bool:
        """Whether zeros of the gradient may stand for what was not used."""
        found = self._sums.get(key_of(thing))
        return found is not None and found.masked

    def hand_on(self, result: Thing, thing: Thing, masked: bool = False) -> None:
        """Add the gradient of something to that of what is the same, in the parts in which it has come."""
        found = self._sums.get(key_of(result))
        if found is not None:
            came = [*([] if found.whole is None else [found.whole]), *found.parts]
            for gradient in came:
                self.add(thing, gradient, masked or found.masked)

    def of_source(self, thing: Thing) -> Gradient | IndexedSlices | None:
        """The gradient of what was asked for: that of a Variable of which only rows were looked up as these rows."""
        rows = self.rows_of(thing)
        if rows is None:
            return self.of(thing)
        shape = thing.type.shape
        known = shape if shapes.is_known(shape) else shape_of(apply(effects.read_variable, thing))
        return IndexedSlices(*rows, known)

    def rows_of(self, thing: Thing) -> tuple[Tensor, Tensor] | None:
        """The gradient of a Variable of which only rows were looked up: values, and the numbers of their rows."""
        found = self._sums.get(key_of(thing))
        if found is None or found.whole is not None or not isinstance(thing, Variable | Handle):
            return None
        made = [part.rows() for part in found.parts if part.rows is not None]
        if not made or len(made) < len(found.parts):
            return None
        values, indices = made[0] if len(made) == 1 else [concat(parts, 0) for parts in zip(*made)]
        return values, indices

    def of(self, thing: Thing) -> Gradient | None:
        """The gradient of something; None if nothing has come."""
        found = self._sums.get(key_of(thing))
        if found is None:
            return None
        if found.parts:
            whole = zeros_like(thing) if found.whole is None else found.whole
            if isinstance(whole, Tensor):
                whole = broadcast(whole, thing)
            for part in found.parts:
                whole = part.into(whole)
            found.whole, found.parts = whole, []
        return found.whole


def sweep(steps: Iterable[Step], gradients: Gradients) -> None:
    """Go through operations, the last one first, and add what comes from the results to the inputs."""
    for step in steps:
        if cell_of(step.op).passes:
            gradients.hand_on(step.outputs[0], step.inputs[0])
            continue
        given = [gradients.of(thing) for thing in step.outputs]
        if all(g is None for g in given):
            continue
        given = [
            broadcast(g, thing) if isinstance(g, Tensor) and isinstance(thing, Tensor) else g
            for g, thing in zip(given, step.outputs)
        ]
        masked = any(gradients.masked(thing) for thing in step.outputs)
        for thing, wanted, made in zip(step.inputs, step.wanted, of_step(step, given, masked)):
            if wanted and made is not None:
                gradients.add(thing, made, masked or cell_of(step.op).masks)


def of_step(step: Step, given: Sequence[Gradient | None], masked: bool) -> Sequence[Gradient | Part | None]:
    """The gradients of the inputs of an operation.

    Raises NoGradientError, with the user's line, where it has none.
    """
    cell = cell_of(step.op)
    if cell.why:
        raise NoGradientError(f"no gradient goes through {_named(step)}: {cell.why}{_REMEDY}")
    if cell.rule is None:
        return []
    if masked:
        step = Step(**{**step.__dict__, "masked": True})
    try:
        return cell.rule(step, *given)
    except LookupError as error:
        if isinstance(error, NoGradientError) or type(error) is not LookupError:
            raise
        raise NoGradientError(f"{error} ({_named(step)}){_REMEDY}") from None
    except ValueError as error:
        if not getattr(error, "__notes__", None):
            error.add_note(f"  in the gradient of {_named(step)}")
        raise


_REMEDY = ". Where none is needed, say tf.stop_gradient(...) of what goes in; or give one with tf.custom_gradient."


def _named(step: Step) -> str:
    place = step.place
    return f"'{step.op.name}'" + (f" at {place.filename}:{place.line}" if place is not None else "")


# What depends on what.

Reach = Callable[[Node, Sequence[bool]], Sequence[bool]]
REACHES: dict[Op, Reach] = {}  # of nodes with regions, which results depend on these inputs


def reached(node: Node, inputs: Sequence[bool]) -> Sequence[bool]:
    """Which results of a node change a little if these inputs do."""
    cell = cell_of(node.op)
    if node.op in REACHES:
        return REACHES[node.op](node, inputs)
    flows = any(inputs) and (cell.rule is not None or bool(cell.why))
    return [flows and has_gradient(v.type) for v in node.outputs]


def steps_through(
    trace: Trace,
    nodes: Sequence[Node],
    reach: set[Value],
    entering: Mapping[int, Sequence[Value]] | None = None,
    without: Collection[Value] = (),
) -> list[Step]:
    """The nodes that depend on values, in order; `reach` grows by their results.

    `entering` says which values count only from which node on; nothing goes on through those that `without` names.
    """
    steps = []
    for number, node in enumerate(nodes):
        reach.update((entering or {}).get(number, ()))
        wanted = [v in reach for v in node.inputs]
        if not any(wanted) or any(v in without for v in node.outputs):
            continue
        flows = reached(node, wanted)
        if any(flows):
            reach.update(v for v, there in zip(node.outputs, flows) if there)
            steps.append(step_of(trace, node, wanted))
    reach.update((entering or {}).get(len(nodes), ()))
    return steps


def step_of(trace: Trace, node: Node, wanted: Sequence[bool]) -> Step:
    inputs, outputs = ([thing_of(trace, v) for v in values] for values in (node.inputs, node.outputs))
    return Step(node.op, inputs, outputs, node.attributes, wanted, node.place, node=node, trace=trace)
