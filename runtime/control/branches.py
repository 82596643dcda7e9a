"""Branches: `cond` and its kin, and what becomes of an ``if`` on a tensor.

Both functions are traced into regions; what they leave is settled variable by variable: structures must agree, Python
numbers take the type of the tensors that they meet, dimensions that differ become unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph import UNSET, Statement, Variables
from autograph.dispatch import Name, Role
from autograph.operators import questions
from autograph.operators.calls import converted
from runtime.control.joins import Join
from runtime.control.leaves import is_symbolic, to_value, truth
from runtime.control.plans import hints
from runtime.control.regions import Ended, naming, traced, tracing
from runtime.graph.dtypes import int32
from runtime.graph.graph import Place, Value
from runtime.ops import effects, structure
from runtime.tensors.conversion import cast, operand
from runtime.tensors.frames import hides_frames
from runtime.tensors.leaf_types import Leaf
from runtime.tensors.operations import apply_all
from runtime.tensors.trace import Trace, close, recording
from runtime.tensors.types import Structure, TensorLike


def staged_cond(
    test: object, body: Callable[[], Sequence[object]], orelse: Callable[[], Sequence[object]], variables: Variables
) -> list[object]:
    """A branch on a tensor: both functions are traced, and the graph runs one of the regions."""
    trace = tracing()
    with naming(variables):
        predicate = truth(test).record_in(trace)  # type: ignore[attr-defined]
    traces = (Trace("then", trace), Trace("else", trace))
    traces[1].instead = traces[0]
    traces[0].taken_if, traces[1].taken_if = (predicate, True), (predicate, False)
    after: list[Any] = []
    for inner, function in zip(traces, (body, orelse)):
        inner.knows = variables.was_there
        with recording(inner):
            after.append(traced(function))
        del inner.knows  # which holds arrays that would seem to be somebody's
    if after[0] is None and after[1] is None:
        _record(trace, predicate, traces, [[], []], [], [], variables)
        raise Ended
    unset = [UNSET] * len(variables.names)  # after a `raise`: the other branch says what there is
    after = [unset if found is None else found for found in after]
    jumped = [_jumps(variables.names, left) for left in after]
    join = Join(variables, traces, ("in the main branch", "in the else branch"), jumped, predicate=predicate)
    with naming(variables):
        plans = join.plans(variables.names, *after)
    outputs = [[to_value(t, pair[i], pair[2]) for pair in join.pairs] for i, t in enumerate(traces)]
    types = [pair[2] for pair in join.pairs]
    names = ["result" if Name.of(n).phrase else n for n in variables.names]
    results = _record(trace, predicate, traces, outputs, types, hints(plans, names, len(types)), variables)
    made = join.values(plans, results, trace)
    join.settle(after[0], after[1], made)
    return made


def _record(
    trace: Trace, predicate: Value, traces: Sequence[Trace], outputs: Sequence[Sequence[Value]], types: Sequence[Leaf],
    hints: Sequence[str], variables: Variables,
) -> Sequence[Value]:  # fmt: skip
    outer, regions = close(traces, [[], []], outputs)
    statement = variables.statement
    place = Place(statement.filename, statement.line) if isinstance(statement, Statement) else None
    return trace.record(structure.if_, [predicate, *outer], {}, types, regions, hints, place)


def _jumps(names: Sequence[str], left: Sequence[object]) -> bool:
    """Whether a branch has set the flag that the compiler makes of a ``return``."""
    return any(value is True and Name.of(name).role is Role.RETURN_FLAG for name, value in zip(names, left))


_RESULT = Name("the result of cond", Role.RESULT, phrase=True)


@hides_frames
def cond(
    pred: TensorLike,
    true_fn: Callable[[], Structure] | None = None,
    false_fn: Callable[[], Structure] | None = None,
    name: str | None = None,
) -> Structure:
    """The result of one of two functions: of `true_fn` if a condition holds, or else of `false_fn`.

    While tracing, both are traced if only the graph knows the condition, and the graph runs one of them.

    Args:
      pred: a scalar: a tensor of shape (), or a Python value.
      true_fn, false_fn: functions without parameters. Both return the same structure of tensors, of the same dtypes;
        where their shapes differ, dimensions become unknown.
    Returns: what the function returns.
    Raises:
      TypeError: if one is no function; while tracing, if the results differ in structure or dtype.
      ValueError: if `pred` is no scalar.

    >>> x = tf.constant(-3)
    >>> print(tf.cond(x < 0, lambda: -x, lambda: x))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    if not callable(true_fn) or not callable(false_fn):
        raise TypeError("cond needs two functions: cond(pred, true_fn, false_fn)")
    true_fn, false_fn = converted(true_fn), converted(false_fn)
    if not is_symbolic(pred):
        return true_fn() if pred else false_fn()
    variables = Variables((_RESULT,), "")
    question = questions.begin()
    if (known := questions.answered(question)) is not None:
        return true_fn() if known else false_fn()
    with questions.asking(question, pred):
        return staged_cond(pred, lambda: [true_fn()], lambda: [false_fn()], variables)[0]


@hides_frames
def switch_case(
    branch_index: TensorLike,
    branch_fns: Structure,
    default: Callable[[], Structure] | None = None,
    name: str | None = None,
) -> Structure:
    """The result of one function of several, chosen by a number.

    Args:
      branch_index: an integer scalar: a tensor of shape (), or a Python number.
      branch_fns: functions without parameters: a list, or a dict or a list of pairs from numbers to functions. All
        return the same structure of tensors, of the same dtypes.
      default: the function for any other number; the one with the largest number by default.
    Returns: what the function returns.
    Raises:
      TypeError: if there is no function, or the number is no integer; while tracing, if the results differ in structure
        or dtype.

    >>> print(tf.switch_case(tf.constant(1), [lambda: 10, lambda: 20]))
    20
    """
    pairs = branch_fns.items() if isinstance(branch_fns, dict) else branch_fns
    functions: dict[int, Callable[[], object]] = dict(
        p if isinstance(p, tuple) else (i, p) for i, p in enumerate(pairs)
    )
    if not functions:
        raise TypeError("switch_case needs at least one function")
    for index, function in functions.items():
        if not callable(function):
            raise TypeError(
                f"switch_case needs functions, and branch {index} is {function!r:.80}: lambda: {function!r:.80}"
            )
    if not (number := operand(branch_index)).dtype.is_integer:
        raise TypeError(f"switch_case chooses by a whole number, and branch_index is {number.dtype.name}")
    last = default if default is not None else functions[max(functions)]
    if not is_symbolic(branch_index):
        return converted(functions.get(int(number), last))()

    def choose(rest: list[int]) -> object:
        if not rest:
            return converted(last)()
        return cond(number == rest[0], functions[rest[0]], lambda: choose(rest[1:]))

    return choose(sorted(functions))


@hides_frames
def case(
    pred_fn_pairs: Structure,
    default: Callable[[], Structure] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Structure:
    """The result of the first of several functions whose condition holds.

    Args:
      pred_fn_pairs: pairs of a scalar (a tensor of shape (), or a bool) and a function without parameters, in a list or
        a dict. All functions return the same structure of tensors, of the same dtypes.
      default: the function if none holds; by default it is an error that none does.
      exclusive: whether it is an error that more than one holds.
      strict: accepted.
    Returns: what the function returns.
    Raises:
      InvalidArgumentError: without `default`, if no condition holds, and with `exclusive`, if more than one does, when
        it is run.
      ValueError: if there is nothing to choose from.
      TypeError: while tracing, if the results differ in structure or dtype.

    >>> x = tf.constant(5)
    >>> print(tf.case([(x < 3, lambda: 1), (x < 10, lambda: 2)], default=lambda: 3))
    2
    """
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not pairs and default is None:
        raise ValueError("case needs a pair of a predicate and a function, or a default")
    if exclusive:
        count = sum(cast(operand(test), int32) for test, _ in pairs)
        message = "case with exclusive=True: more than one predicate holds:"
        apply_all(effects.assert_, operand(count <= 1), operand(count), message=message, python=False)

    def choose(rest: list[Any]) -> object:
        if not rest:
            return converted(default)()
        (test, function), *others = rest
        if others or default is not None:
            return cond(test, function, lambda: choose(others))
        message = "case without a default: no predicate holds, the last of which is"
        apply_all(effects.assert_, operand(test), operand(test), message=message, python=False)
        return converted(function)()

    return choose(pairs)
