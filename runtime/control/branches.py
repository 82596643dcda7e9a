"""Branches: `cond` and its kin, and what becomes of an ``if`` on a tensor.

Both functions are traced into regions; what they leave is settled variable by variable: structures must agree, Python
numbers take the type of the tensors that they meet, dimensions that differ become unknown.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Sequence
from typing import Any

from autograph import UNDEFINED, UNSET, StagingError, Statement, UndefinedVariableError, Variables
from runtime import nest
from runtime.arrays import TensorArray
from runtime.control.leaves import (
    Leaf,
    Slot,
    describe,
    filled,
    is_leaf,
    is_symbolic,
    join_types,
    leaf_type,
    to_value,
    truth,
)
from runtime.control.regions import close, naming, tracing
from runtime.conversion import operand
from runtime.graph import Place
from runtime.ops import effects, structure
from runtime.trace import OURS, Trace, apply, recording


class _Merge:
    """What two branches leave, made one."""

    def __init__(self, variables: Variables, jumped: Sequence[bool]) -> None:
        self.variables = variables
        self.jumped = jumped  # whether each branch has ended in a jump, so that nobody reads what it did not set
        self.pairs: list[tuple[Any, Any, Leaf]] = []

    def plan(self, name: str, a: Any, b: Any) -> Any:
        """The merged value of a variable, with a Slot for every leaf that the graph decides."""
        if a is b or (type(a) is type(b) and isinstance(a, bool | int | float | str | bytes) and a == b):
            return a
        if (a is UNDEFINED and self.jumped[0]) or (b is UNDEFINED and self.jumped[1]):
            return self._fill(b if a is UNDEFINED else a, a is UNDEFINED)  # what follows the jump does not see it
        if a is UNDEFINED or b is UNDEFINED:
            raise self._undefined(name, "else" if b is UNDEFINED else "main")
        if a is UNSET or b is UNSET:
            return self._fill(b if a is UNSET else a, a is UNSET)
        if is_leaf(a) and is_leaf(b) and isinstance(a, TensorArray) == isinstance(b, TensorArray):
            kind = join_types(leaf_type(a), leaf_type(b))
            if kind is None:
                raise self._error(
                    name, f"has dtype {leaf_type(a).dtype.name} in the main branch, but dtype "
                    f"{leaf_type(b).dtype.name} in the else branch. Cast one of them (runtime.cast)."
                )  # fmt: skip
            return self._slot(a, b, kind)
        if type(a) is type(b) and nest.is_nested(a) and nest.describe(a) == nest.describe(b):
            if isinstance(a, dict):
                return {k: self.plan(f"{name}[{k!r}]", a[k], b[k]) for k in a}
            parts = [self.plan(f"{name}[{i}]", x, y) for i, (x, y) in enumerate(zip(a, b))]
            return type(a)(*parts) if hasattr(a, "_fields") else type(a)(parts)
        raise self._mismatch(name, a, b)

    def _slot(self, a: Any, b: Any, kind: Leaf) -> Slot:
        self.pairs.append((a, b, kind))
        template = next((v for v in (a, b) if isinstance(v, TensorArray)), None)
        return Slot(len(self.pairs) - 1, template)

    def _fill(self, value: Any, first: bool) -> Any:
        """A variable that one branch has not set yet: a placeholder stands for it."""
        if is_leaf(value):
            return self._slot(UNSET if first else value, value if first else UNSET, leaf_type(value))
        return nest.map_structure(lambda leaf: self._fill(leaf, first), value) if nest.is_nested(value) else value

    def _error(self, name: str, problem: str) -> StagingError:
        shown = name if name.startswith(("the ", "an ")) else f"'{name}'"
        return StagingError(f"{shown} {problem}\n  {self.variables.statement}")

    def _undefined(self, name: str, branch: str) -> UndefinedVariableError:
        return UndefinedVariableError(
            f"'{name}' must also be initialized in the {branch} branch: it is used later, and only the other branch "
            f"assigns it. Assign it before the `if`.\n  {self.variables.statement}"
        )

    def _mismatch(self, name: str, a: Any, b: Any) -> StagingError:
        if a is None or b is None:
            branch, other = ("else", a) if b is None else ("main", b)
            if name == "the return value":
                return self._error(
                    name, f"is None at the end of the {branch} branch, and {describe(other)} in the other: "
                    f"the {branch} branch must also have a return statement with a value."
                )  # fmt: skip
            return self._error(
                name, f"is None at the end of the {branch} branch, and {describe(other)} in the other. "
                "Start it with a value of the same type instead of None."
            )  # fmt: skip
        if nest.is_nested(a) or nest.is_nested(b):
            return self._error(
                name, f"must have the same nested structure in the main and else branches: it is "
                f"{type(a).__name__} {nest.describe(a)} in the main branch and {type(b).__name__} {nest.describe(b)} "
                "in the else branch."
            )  # fmt: skip
        return self._error(
            name, f"is {describe(a)} in the main branch and {describe(b)} in the else branch; "
            "only tensors, numbers, strings and structures of them can be chosen when the graph runs."
        )  # fmt: skip


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
            after.append(_traced(function))
    unset = [UNSET] * len(variables.names)  # after a `raise`: the other branch says what there is
    after = [unset if found is None else found for found in after]
    merge = _Merge(variables, [_jumps(variables.names, left) for left in after])
    plans = [merge.plan(name, a, b) for name, a, b in zip(variables.names, *after, strict=True)]
    outputs = [[to_value(t, pair[i], pair[2]) for pair in merge.pairs] for i, t in enumerate(traces)]
    hints = _hints(plans, variables, len(merge.pairs))
    outer, regions = close(traces, [[], []], outputs)
    types = [pair[2] for pair in merge.pairs]
    statement = variables.statement
    place = Place(statement.filename, statement.line) if isinstance(statement, Statement) else None
    results = trace.record(structure.if_, [predicate, *outer], {}, types, regions, hints, place)
    return [filled(plan, results, trace) for plan in plans]


_JUMP = re.compile(r"did_(return|break|continue)(_\d+)?")


def _jumps(names: Sequence[str], left: Sequence[Any]) -> bool:
    """Whether a branch has set the flag that the compiler makes of a jump."""
    return any(value is True and _JUMP.fullmatch(name) for name, value in zip(names, left))


def _traced(function: Callable[[], Sequence[Any]]) -> Sequence[Any] | None:
    """What a branch leaves; None if it ends in a ``raise`` of the user's, which the graph then does."""
    try:
        return function()
    except Exception as error:
        if not _raised_by_user(error):
            raise
        apply(effects.raise_, exception=error)
        return None


def _raised_by_user(error: Exception) -> bool:
    """Whether the exception comes from a ``raise`` statement outside this library."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or traceback.tb_frame.f_code.co_filename.startswith(OURS):
        return False
    return dis.opname[traceback.tb_frame.f_code.co_code[traceback.tb_lasti]] == "RAISE_VARARGS"


def _hints(plans: Sequence[Any], variables: Variables, count: int) -> list[str]:
    """Names for results: those of the variables."""
    hints = ["result"] * count
    for name, plan in zip(variables.names, plans):
        for part in nest.flatten(plan):
            if isinstance(part, Slot):
                hints[part.number] = "result" if name.startswith(("the ", "an ")) else name
    return hints


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
    variables = Variables(("the result of cond",), "")
    return staged_cond(pred, lambda: (true_fn(),), lambda: (false_fn(),), variables)[0]


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
    """The result of the first function whose predicate holds; `default` (or else the last function) if none does."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    last = default if default is not None else pairs[-1][1]

    def choose(rest: list[Any]) -> Any:
        return cond(rest[0][0], rest[0][1], lambda: choose(rest[1:])) if rest else last()

    return choose(pairs)
