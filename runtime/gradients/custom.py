"""Gradients that a program gives itself, and what has none because the program says so."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import autograph
from autograph.errors import refused
from runtime.gradients.cells import Step, gradient
from runtime.gradients.regions import copied
from runtime.gradients.tape import GradientTape
from runtime.gradients.things import Gradient, gradient_of, gradient_type, has_gradient, zeros_like
from runtime.graph.graph import Graph, TensorType, Value
from runtime.graph.op import Op
from runtime.ops import effects, shape as shape_ops, structure
from runtime.optimise.rewriting import spliced
from runtime.tensors import nest, taping
from runtime.tensors.conversion import convert_to_tensor, operand
from runtime.tensors.operations import apply, leaving, symbolic
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import Trace, current, recording
from runtime.tensors.types import Structure, TensorLike
from runtime.tensors.variables import Variable

P = ParamSpec("P")
R = TypeVar("R")


def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """A tensor that counts as a constant for gradients.

    Args:
      input: a tensor of any shape.
    Returns: a tensor of the shape and dtype of `input`, and with its elements.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * tf.stop_gradient(x)
    >>> print(tape.gradient(y, x))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """
    return apply(shape_ops.stop_gradient, operand(input))


def grad_pass_through(f: Callable[P, R]) -> Callable[P, R]:
    """A function whose gradient is what its result counts: that of the identity.

    Args:
      f: it takes tensors of any shape, and returns as many, of the same shapes.
    Returns: a function like `f`.

    >>> x = tf.Variable(2.6)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.grad_pass_through(tf.round)(x) * 3.0
    >>> print(tape.gradient(y, x))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """

    @custom_gradient
    def passing(*args: P.args, **kwargs: P.kwargs) -> tuple[R, Callable[..., Structure]]:
        def grad(*upstream: Tensor, variables: Sequence[Variable] | None = None) -> Structure:
            made = upstream[0] if len(upstream) == 1 else list(upstream)
            return made if variables is None else (made, [None] * len(variables))

        return f(*args, **kwargs), grad

    return passing


def custom_gradient(f: Callable[P, tuple[R, Callable[..., Structure]]]) -> Callable[P, R]:
    """Have a function say itself what its gradient is.

    Args:
      f: it takes tensors, and returns a pair: its result, a tensor or a structure of tensors, and a function that gives
        the gradient. That takes a tensor of the shape of each result, what the result counts, and returns one of the
        shape of each tensor that `f` was given (None for no gradient), as a list if there are several. If `f` reads
        trainable Variables, it is also given a list of these, `variables`, and returns a pair: these gradients, and a
        list of those of the Variables.
    Returns: a function like `f` that returns its result.
    Raises:
      TypeError: when it is called, if `f` reads Variables and the function for the gradient takes no `variables`.
      ValueError: if there are not as many gradients as tensors.

    >>> @tf.custom_gradient
    ... def clipped(x):
    ...     return tf.identity(x), lambda upstream: tf.clip_by_value(upstream, -1.0, 1.0)
    >>> x = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = 10.0 * clipped(x)
    >>> print(tape.gradient(y, x))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    @functools.wraps(f)
    def decorated(*args: P.args, **kwargs: P.kwargs) -> Any:
        given = [convert_to_tensor(a) for a in nest.flatten(list(args))]
        arguments = nest.rebuild(list(args), iter(given))
        trace = current()
        if trace is None:
            return _at_once(f, arguments, kwargs, given)
        if kwargs:
            raise refused(
                ValueError(f"{_name(f)} has a custom gradient: in a graph it takes arguments by position alone")
            )
        return _in_graph(trace, staged_form(f), arguments, given)

    return decorated


def staged_form(f: Callable[..., Structure]) -> Callable[..., Structure]:
    """What to call while tracing: a function with its branches and loops staged, if its source is known."""
    try:
        converted: Callable[..., Structure] = autograph.traced_form(f)
    except autograph.SourceNotFoundError:
        return f
    return converted


def _name(f: object) -> str:
    return str(getattr(f, "__name__", f))


class _Reads:
    """Takes note of the Variables that are read."""

    def __init__(self) -> None:
        self.variables: dict[int, Variable] = {}

    def note(
        self, op: Op, inputs: Sequence[object], attributes: Mapping[str, object], outputs: Sequence[object]
    ) -> None:
        self.follows(inputs)

    def follows(self, inputs: Sequence[object]) -> bool:
        self.variables.update((id(x), x) for x in inputs if isinstance(x, Variable) and x.trainable)
        return False

    def holding(self, array: int) -> object:
        return None


def _at_once(
    f: Callable[..., Structure], args: Sequence[object], kwargs: Mapping[str, object], given: Sequence[Tensor]
) -> Structure:
    reads = _Reads()
    taping.start(reads)
    try:
        result, back = _pair(f, f(*args, **kwargs))
    finally:
        taping.stop(reads)
    variables = list(reads.variables.values())
    _check_variables(f, back, variables)
    leaves = [convert_to_tensor(leaf) for leaf in nest.flatten(result)]
    made = [EagerTensor(leaf.array) for leaf in leaves if isinstance(leaf, EagerTensor)]

    def of_call(_: object, upstream: Sequence[Gradient | None]) -> Sequence[Tensor | None]:
        seeds = [zeros_like(y) if g is None else g for g, y in zip(upstream, made)]
        return _gradients(f, back, seeds, len(given), variables)

    taping.note(structure.call, [*given, *variables], {"gradient": of_call}, made)
    return nest.rebuild(result, iter(made))


def _pair(f: object, returned: object) -> tuple[Structure, Callable[..., Structure]]:
    if not isinstance(returned, tuple) or len(returned) != 2 or not callable(returned[1]):
        raise TypeError(
            f"{_name(f)} has a custom gradient: it returns its result and a function for the gradient, not {returned!r}"
        )
    return returned


def _check_variables(f: object, back: Callable[..., Structure], variables: Sequence[Variable]) -> None:
    if variables and not _takes_variables(back):
        names = ", ".join(f"'{v.name}'" for v in variables)
        raise TypeError(
            f"{_name(f)} reads {names}: the function for its gradient needs a parameter `variables`, and returns a "
            "pair: the gradients of the tensors, and a list of those of the Variables"
        )


def _takes_variables(back: Callable[..., Structure]) -> bool:
    parameters = inspect.signature(back).parameters
    return "variables" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _gradients(
    f: object, back: Callable[..., Structure], seeds: Sequence[object], count: int, variables: Sequence[Variable]
) -> list[Tensor | None]:
    """What the function for the gradient returns, as a list: for the tensors, and then for the Variables."""
    made = back(*seeds, variables=list(variables)) if variables else back(*seeds)
    more: list[Structure] = []
    if variables:
        made, more = made
        more = nest.flatten(more, expanded=False) if isinstance(more, list | tuple) else [more]
    found = nest.flatten(list(made), expanded=False) if isinstance(made, list | tuple) else [made]
    for what, some, wanted in (("tensors", found, count), ("Variables", more, len(variables))):
        if len(some) != wanted:
            raise ValueError(f"custom_gradient of {_name(f)}: {len(some)} gradients for {wanted} {what}")
    return [None if g is None else convert_to_tensor(g) for g in (*found, *more)]


class OwnGradient:
    """The gradient that a program gives of values, as a graph.

    It takes what the results count, and the last `captured` inputs of the node; it gives gradients of those inputs that
    `made` names.
    """

    def __init__(self, graph: Graph, captured: int, made: Sequence[int]) -> None:
        self.graph, self.captured, self.made = graph, captured, made

    def __repr__(self) -> str:
        return self.graph.name


def _in_graph(trace: Trace, f: Callable[..., Structure], args: Sequence[object], given: Sequence[Tensor]) -> Structure:
    start = len(trace.nodes)
    result, back = _pair(f, f(*args))
    leaves = [convert_to_tensor(leaf) for leaf in nest.flatten(result)]
    ys = [leaving(trace, leaf.record_in(trace)) for leaf in leaves]
    variables = _read_since(trace, start)
    _check_variables(f, back, variables)
    inner = Trace(f"{_name(f)}_gradient", trace)
    with recording(inner):
        seeds: list[Value] = []
        for y in ys:
            assert isinstance(y.type, TensorType)
            seeds.append(inner.input(gradient_type(y.type), f"d_{y.hint}"))
        found = _gradients(f, back, [symbolic(inner, s) for s in seeds], len(given), variables)
        made = [i for i, g in enumerate(found) if g is not None]
        outputs = [leaving(inner, g.record_in(inner)) for g in found if g is not None]
    captured = inner.captured
    graph = inner.graph(outputs, [*seeds, *captured.values()]).verify()
    own = OwnGradient(graph, len(captured), [len(ys) + i for i in made])
    things: list[Tensor | Variable] = [*given, *variables]
    sources = [x.record_in(trace) for x in things]
    types = [y.type for y in ys]
    attributes = {"count": len(ys), "gradient": own}
    values = trace.record(
        shape_ops.with_gradient, [*ys, *sources, *captured], attributes, types, hints=[y.hint for y in ys]
    )
    return nest.rebuild(result, iter([symbolic(trace, v) for v in values]))


def _read_since(trace: Trace, start: int) -> list[Variable]:
    """The trainable Variables that nodes from a number on read."""
    nodes = [n for node in trace.nodes[start:] for n in (node, *(m for r in node.regions for m in r.walk()))]
    if not any(n.op is effects.read_variable or n.callee is not None for n in nodes):
        return []
    used = {v for node in trace.nodes[start:] for v in node.inputs}
    handles = trace.root.handles
    return [var for v, var in handles.items() if var.trainable and used & {v, trace.captures.get(v, (v, v))[1]}]


@gradient(shape_ops.with_gradient, masks=True)
def with_gradient(step: Step, *given: Gradient | None) -> Sequence[Gradient | None]:
    own: OwnGradient = step.attributes["gradient"]
    trace = current()
    assert trace is not None
    captured = step.inputs[len(step.inputs) - own.captured :] if own.captured else []
    seeds = [zeros_like(y) if g is None else g for g, y in zip(given, step.outputs)]
    nodes, made = spliced(copied(own.graph), [x.record_in(trace) for x in (*seeds, *captured)])
    trace.nodes += nodes
    found: list[Gradient | None] = [None] * len(step.inputs)
    for i, value in zip(own.made, made):
        found[i] = gradient_of(trace, value)
    return found


def recompute_grad(f: Callable[P, R]) -> Callable[P, R]:
    """Have what a function computes on the way be computed again for its gradient, rather than kept until then.

    Args:
      f: it takes tensors, and returns a tensor or a structure of tensors.
    Returns: a function like `f`, whose gradient takes less memory and more time.

    >>> @tf.recompute_grad
    ... def layer(x):
    ...     return tf.tanh(x) * tf.exp(x)
    >>> x = tf.constant(0.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = layer(x)
    >>> print(tape.gradient(y, x))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    @functools.wraps(f)
    def both(*args: Structure) -> tuple[Structure, Callable[..., Structure]]:
        called: Callable[..., Structure] = f if current() is None else staged_form(f)
        given = [a for a in nest.flatten(list(args)) if isinstance(a, Tensor)]
        result = called(*args)

        def back(*upstream: Tensor, variables: Sequence[Variable] = ()) -> Structure:
            with GradientTape(watch_accessed_variables=False) as tape:
                tape.watch([*given, *variables])
                again = called(*args)
            leaves = [y for y in nest.flatten(again) if has_gradient(y.type)]
            seeds = [g for g, y in zip(upstream, nest.flatten(again)) if has_gradient(y.type)]
            found: Structure = tape.gradient(leaves, [*given, *variables], output_gradients=seeds)
            parts: list[Tensor | None] = list(found)  # type: ignore[call-overload]
            return (parts[: len(given)], parts[len(given) :]) if variables else parts

        return result, back

    made: Any = custom_gradient(both)
    return made  # type: ignore[no-any-return]
