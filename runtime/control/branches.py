"""Branches: `cond` and its kin, and what becomes of an ``if`` on a tensor.

Both functions are traced into regions; what they leave is settled variable by variable: structures must agree, Python
numbers take the type of the tensors that they meet, dimensions that differ become unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph import UNSET, Statement, Variables
from autograph.dispatch import Name, Role
from runtime.control.leaves import is_symbolic, to_value, truth
from runtime.control.merging import Merge, hints
from runtime.control.regions import Ended, close, naming, traced, tracing
from runtime.graph.dtypes import int32
from runtime.graph.graph import Place, Value
from runtime.ops import effects, structure
from runtime.tensors.conversion import cast, operand
from runtime.tensors.leaf_types import Leaf
from runtime.tensors.operations import apply
from runtime.tensors.trace import Trace, recording


def staged_cond(
    test: Any, body: Callable[[], Sequence[Any]], orelse: Callable[[], Sequence[Any]], variables: Variables
) -> list[Any]:
    """A branch on a tensor: both functions are traced, and the graph runs one of the regions."""
    trace = tracing()
    with naming(variables):
        predicate = truth(test).record_in(trace)  # type: ignore[attr-defined]
    traces = (Trace("then", trace), Trace("else", trace))
    after: list[Any] = []
    for inner, function in zip(traces, (body, orelse)):
        with recording(inner):
            after.append(traced(function))
    if after[0] is None and after[1] is None:
        _record(trace, predicate, traces, [[], []], [], [], variables)
        raise Ended
    unset = [UNSET] * len(variables.names)  # after a `raise`: the other branch says what there is
    after = [unset if found is None else found for found in after]
    jumped = [_jumps(variables.names, left) for left in after]
    merge = Merge(variables, traces, ("in the main branch", "in the else branch"), jumped)
    with naming(variables):
        plans = merge.plans(variables.names, *after)
    outputs = [[to_value(t, pair[i], pair[2]) for pair in merge.pairs] for i, t in enumerate(traces)]
    types = [pair[2] for pair in merge.pairs]
    names = ["result" if Name.of(n).phrase else n for n in variables.names]
    results = _record(trace, predicate, traces, outputs, types, hints(plans, names, len(types)), variables)
    made = merge.values(plans, results, trace)
    merge.settle(after[0], after[1], made)
    return made


def _record(
    trace: Trace, predicate: Value, traces: Sequence[Trace], outputs: Sequence[Sequence[Value]], types: Sequence[Leaf],
    hints: Sequence[str], variables: Variables,
) -> Sequence[Value]:  # fmt: skip
    outer, regions = close(traces, [[], []], outputs)
    statement = variables.statement
    place = Place(statement.filename, statement.line) if isinstance(statement, Statement) else None
    return trace.record(structure.if_, [predicate, *outer], {}, types, regions, hints, place)


def _jumps(names: Sequence[str], left: Sequence[Any]) -> bool:
    """Whether a branch has set the flag that the compiler makes of a ``return``."""
    return any(value is True and Name.of(name).role is Role.RETURN_FLAG for name, value in zip(names, left))


_RESULT = Name("the result of cond", Role.RESULT, phrase=True)


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """``true_fn()`` if `pred` holds, else ``false_fn()``.

    Both return the same structure of tensors. With a traced `pred` both are traced and the graph decides.
    Raises TypeError if the results differ in structure or dtype, ValueError if `pred` is no scalar.
    """
    if not callable(true_fn) or not callable(false_fn):
        raise TypeError("cond needs two functions: cond(pred, true_fn, false_fn)")
    if not is_symbolic(pred):
        return true_fn() if pred else false_fn()
    variables = Variables((_RESULT,), "")
    return staged_cond(pred, lambda: [true_fn()], lambda: [false_fn()], variables)[0]


def switch_case(
    branch_index: Any,
    branch_fns: Any,
    default: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """``branch_fns[branch_index]()``; the default (or else the last function) for any other index.

    `branch_fns` is a list of functions, or a dict or list of pairs from int to function.
    """
    pairs = branch_fns.items() if isinstance(branch_fns, dict) else branch_fns
    functions: dict[int, Callable[[], Any]] = dict(p if isinstance(p, tuple) else (i, p) for i, p in enumerate(pairs))
    if not functions or not all(callable(f) for f in functions.values()):
        raise TypeError("switch_case needs at least one function")
    last = default if default is not None else functions[max(functions)]
    if not is_symbolic(branch_index):
        return functions.get(int(branch_index), last)()

    def choose(rest: list[int]) -> Any:
        if not rest:
            return last()
        return cond(operand(branch_index) == rest[0], functions[rest[0]], lambda: choose(rest[1:]))

    return choose(sorted(functions))


def case(
    pred_fn_pairs: Any, default: Callable[[], Any] | None = None, exclusive: bool = False, strict: bool = False,
    name: str = "case",
) -> Any:  # fmt: skip
    """The result of the first function whose predicate holds; `default` (or else the last function) if none does.

    With `exclusive`, more than one predicate that holds is an InvalidArgumentError. `strict` changes nothing.
    """
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if exclusive:
        count = sum(cast(operand(test), int32) for test, _ in pairs)
        message = "case with exclusive=True: more than one predicate holds:"
        apply(effects.assert_, operand(count <= 1), operand(count), message=message, python=False)
    last = default if default is not None else pairs[-1][1]

    def choose(rest: list[Any]) -> Any:
        return cond(rest[0][0], rest[0][1], lambda: choose(rest[1:])) if rest else last()

    return choose(pairs)
