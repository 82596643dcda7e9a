"""Loops: `while_loop` and its kin, and what becomes of a ``while`` or a ``for`` on a tensor.

The body is traced again until the types of the loop's variables stay the same: Python numbers take the type of the
tensors that they meet, dimensions that change become unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograph import UNDEFINED, UNSET, StagingError, Variables
from runtime import nest
from runtime.arrays import TensorArray
from runtime.control.leaves import Leaf, Slot, describe, filled, is_leaf, join_types, leaf_type, to_value, truth
from runtime.control.regions import close, naming, tracing
from runtime.conversion import operand
from runtime.dtypes import int32
from runtime.graph import Value
from runtime.ops import effects, structure
from runtime.ops import elementwise as ew
from runtime.ops import indexing as indexing_ops
from runtime.ops import shape as shape_ops
from runtime.tensor import EagerTensor, Tensor
from runtime.trace import Trace, apply, current, recording

_ROUNDS = 8  # a type that is still changing after so many traces of a loop body never settles


@dataclass
class _Variable:
    """A loop variable: its structure, the types of its leaves and their values before the loop.

    A variable without leaves is a Python object that must stay the same.
    """

    name: str
    plan: Any
    types: list[Leaf]
    initial: list[Any]
    undefined: bool = False

    @classmethod
    def of(cls, name: str, value: Any) -> _Variable:
        types: list[Leaf] = []
        initial: list[Any] = []

        def leaf(part: Any) -> Any:
            if not is_leaf(part):
                return part
            types.append(leaf_type(part))
            initial.append(part)
            return Slot(len(types) - 1, part if isinstance(part, TensorArray) else None)

        plan = nest.map_structure(leaf, value)
        return cls(name, plan, types, initial)

    def inside(self, trace: Trace, values: Iterator[Value]) -> Any:
        """The variable as the traced function sees it."""
        return filled(self.plan, [next(values) for _ in self.types], trace)

    def widened(self, after: Any, statement: str) -> tuple[_Variable, list[Any]]:
        """The variable with types that also hold what a turn leaves, and the leaves of that."""
        if self.plan is UNDEFINED or self.plan is UNSET:
            if after is self.plan:
                return self, []
            found = _Variable.of(self.name, after)
            unset = [UNSET] * len(found.types)
            return _Variable(self.name, found.plan, found.types, unset, self.plan is UNDEFINED), found.initial
        new = _Variable.of(self.name, after)
        if not self.types and not new.types:
            if self.plan is after or self.plan == after:
                return self, []
            raise StagingError(
                f"'{self.name}' is {describe(self.plan)} before the loop and {describe(after)} after a turn; only "
                f"tensors, numbers, strings and structures of them can change in a staged loop.\n  {statement}"
            )
        if not _same_structure(self.plan, new.plan):
            raise StagingError(
                f"'{self.name}' must keep its structure: it is {_structure(self.plan)} before the loop and "
                f"{_structure(new.plan)} after a turn.\n  {statement}"
            )
        types = []
        for before, now in zip(self.types, new.types):
            joined = join_types(before, now)
            if joined is None:
                raise StagingError(
                    f"'{self.name}' has dtype {before.dtype.name} before the loop, but dtype {now.dtype.name} after a "
                    f"turn. Cast one of them (runtime.cast).\n  {statement}"
                )
            types.append(joined)
        return replace(self, types=types), new.initial


def _same_structure(a: Any, b: Any) -> bool:
    if isinstance(a, Slot) and isinstance(b, Slot):
        return (a.template is None) == (b.template is None)
    if nest.is_nested(a) and type(a) is type(b) and nest.describe(a) == nest.describe(b):
        return all(_same_structure(x, y) for x, y in zip(nest.flatten(a), nest.flatten(b)))
    return a is b or (not isinstance(a, Slot) and not isinstance(b, Slot) and bool(a == b))


def _structure(plan: Any) -> str:
    if isinstance(plan, Slot):
        return "a tensor" if plan.template is None else "a TensorArray"
    return "None" if plan is None else f"a {type(plan).__name__} {nest.describe(plan)}"


def staged_while(
    test: Callable[..., Any], body: Callable[..., Sequence[Any]], state: Sequence[Any], variables: Variables
) -> list[Any]:
    """A loop on a tensor: `test` and `body` take the state and are traced until its types settle."""
    trace = tracing()
    known = [_Variable.of(name, value) for name, value in zip(variables.names, state, strict=True)]
    for _ in range(_ROUNDS):
        traces = (Trace("loop_test", trace), Trace("loop_body", trace))
        parameters = [[Value(t, v.name) for v in known for t in v.types] for _ in traces]
        with recording(traces[0]):
            decision = test(*_inside(known, traces[0], parameters[0]))
            with naming(variables):
                go_on = truth(decision).record_in(traces[0])  # type: ignore[attr-defined]
        with recording(traces[1]):
            after = body(*_inside(known, traces[1], parameters[1]))
        widened = [v.widened(value, variables.statement) for v, value in zip(known, after, strict=True)]
        before, known = known, [v for v, _ in widened]
        if [v.types for v in before] == [v.types for v in known]:
            break
    else:
        names = ", ".join(f"'{v.name}'" for v, w in zip(before, known) if v.types != w.types)
        raise StagingError(f"the type of {names} never settles in this loop.\n  {variables.statement}")
    leaves = [leaf for _, found in widened for leaf in found]
    types = [t for v in known for t in v.types]
    ends = [to_value(traces[1], leaf, t) for leaf, t in zip(leaves, types, strict=True)]
    _check_first_turn(test, state, known, variables)
    starts = [to_value(trace, leaf, t) for v in known for leaf, t in zip(v.initial, v.types, strict=True)]
    outer, regions = close(traces, parameters, [[go_on], ends])
    hints = [v.name for v in known for _ in v.types]
    results = iter(trace.record(structure.while_, [*starts, *outer], {}, types, regions, hints))
    return [v.inside(trace, results) for v in known]


def _inside(known: Sequence[_Variable], trace: Trace, parameters: Sequence[Value]) -> list[Any]:
    values = iter(parameters)
    return [v.inside(trace, values) for v in known]


def _check_first_turn(
    test: Callable[..., Any], state: Sequence[Any], known: Sequence[_Variable], variables: Variables
) -> None:
    """A variable that only the body assigns exists after the loop only if there was a turn."""
    missing = [v.name for v in known if v.undefined]
    if missing:
        names = ", ".join(missing)
        message = f"the loop must run at least once to define {names} ({variables.statement})"
        apply(effects.assert_, truth(test(*state)), message=message, python=False)


def staged_for(
    items: Any,
    test: Callable[..., Any] | None,
    body: Callable[..., Sequence[Any]],
    state: Sequence[Any],
    variables: Variables,
) -> list[Any]:
    """A loop over the first axis of a tensor."""
    items = operand(items)
    if items.type.shape == ():
        raise StagingError(f"cannot iterate over a scalar tensor, {items}\n  {variables.statement}")
    count = items.type.shape[0] if items.type.shape is not None else None
    total = apply(shape_ops.length, items, axis=0, dtype=int32) if count is None else count

    def go_on(index: Any, *values: Any) -> Any:
        more = index < total
        return more if test is None else apply(ew.logical_and, more, truth(test(*values)))

    def turn(index: Any, *values: Any) -> Sequence[Any]:
        item = apply(indexing_ops.getitem, items, index, index=(indexing_ops.INPUT,))
        item.value.hint = variables.item
        return (index + 1, *body(item, *values))

    loop = Variables(("index", *variables.names), variables.statement)
    return staged_while(go_on, turn, (EagerTensor.of(np.int32(0)), *state), loop)[1:]


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Sequence[Any],
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Repeat ``loop_vars = body(*loop_vars)`` while ``cond(*loop_vars)``; returns the last `loop_vars`.

    `loop_vars` is a list or tuple of nested structures of tensors. Dimensions that change from turn to turn become
    unknown by themselves, so `shape_invariants` is not needed. The other options are accepted for TensorFlow's sake.
    """
    variables = list(loop_vars)
    limit = maximum_iterations

    def turn(*values: Any) -> list[Any]:
        result = body(*values)
        if len(values) == 1 and not (isinstance(result, list | tuple) and len(result) == 1):
            return [result]
        if not isinstance(result, list | tuple) or len(result) != len(values):
            raise ValueError(
                f"body must return {len(values)} values, one for each of loop_vars; it returned {result!r}"
            )
        return list(result)

    if current() is None:
        turns = 0
        while (limit is None or turns < int(limit)) and cond(*variables):
            variables = turn(*variables)
            turns += 1
        made = [_tensors(v) for v in variables]
        return tuple(made) if isinstance(loop_vars, tuple) else made
    names = tuple(f"loop_vars[{i}]" for i in range(len(variables)))
    if limit is None:
        result = staged_while(cond, turn, variables, Variables(names, ""))
    else:
        counted = Variables(("turns", *names), "")
        start = EagerTensor.of(np.int32(0))

        def both(turns: Any, *values: Any) -> Any:
            return apply(ew.logical_and, turns < limit, truth(cond(*values)))

        result = staged_while(both, lambda t, *v: [t + 1, *turn(*v)], [start, *variables], counted)[1:]
    return tuple(result) if isinstance(loop_vars, tuple) else result


def _tensors(value: Any) -> Any:
    return nest.map_structure(lambda v: operand(v) if is_leaf(v) and not isinstance(v, TensorArray) else v, value)


def map_fn(
    fn: Callable[..., Any], elems: Any, dtype: Any = None, parallel_iterations: int | None = None,
    back_prop: bool = True, swap_memory: bool = False, infer_shape: bool = True, name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:  # fmt: skip
    """``fn`` of each element along the first axis, stacked; `elems` and the results may be nested structures."""

    def step(_: Any, element: Any) -> Any:
        return fn(element)

    return _scanned(step, elems, None, reverse=False)


def scan(
    fn: Callable[..., Any], elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, reverse: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """All values of ``a = fn(a, element)`` along the first axis, stacked; by default the first element starts it."""
    if initializer is not None:
        return _scanned(fn, elems, initializer, reverse)
    at = -1 if reverse else 0
    rest = slice(None, -1) if reverse else slice(1, None)
    first = nest.map_structure(lambda e: operand(e)[at], elems)
    others = nest.map_structure(lambda e: operand(e)[rest], elems)
    results = _scanned(fn, others, first, reverse)

    def joined(start: Any, stacked: Any) -> Any:
        parts = [stacked, start[None]] if reverse else [start[None], stacked]
        return apply(shape_ops.concat, *parts, axis=0)

    return nest.map_structure(joined, first, results)


def _scanned(step: Callable[..., Any], elems: Any, start: Any, reverse: bool) -> Any:
    leaves = [operand(e) for e in nest.flatten(elems)]
    count = leaves[0].type.shape[0] if leaves[0].type.shape is not None else None
    total = apply(shape_ops.length, leaves[0], axis=0, dtype=int32) if count is None else count

    def element(index: Any) -> Any:
        at = total - 1 - index if reverse else index
        return nest.rebuild(elems, iter([e[at] for e in leaves]))

    shown: list[Any] = []

    def turn(index: Any, carry: Any, *outputs: TensorArray) -> list[Any]:
        result = step(carry, element(index))
        shown[:] = [result]
        at = total - 1 - index if reverse else index
        values = [operand(v) for v in nest.flatten(result)]
        written = [a.write(at, v) for a, v in zip(outputs, values, strict=True)]
        return [index + 1, carry if start is None else result, *written]

    kinds = _result_dtypes(lambda: step(start, element(EagerTensor.of(np.int32(0)))))
    arrays = [TensorArray(kind, size=total) for kind in kinds]
    loop_vars = [EagerTensor.of(np.int32(0)), start, *arrays]
    done = while_loop(lambda index, *_: index < total, turn, loop_vars)
    stacks = [a.stack() for a in done[2:]]
    if count == 0 and not shown:
        shown.append(nest.flatten(elems)[0])
    return nest.rebuild(shown[0], iter(stacks))


def _result_dtypes(function: Callable[[], Any]) -> list[Any]:
    """The dtypes of what a function returns, found by tracing it aside."""
    aside = Trace("aside", current())
    with recording(aside):
        result = function()
    return [operand(v).dtype if not isinstance(v, Tensor) else v.dtype for v in nest.flatten(result)]
