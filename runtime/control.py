"""Control flow in graphs: branches and loops as nodes with regions.

The operations take Python functions. Each is traced into a region; what the branches of a `cond` leave, or what a turn
of a loop leaves, is settled variable by variable: structures must agree, Python numbers take the type of the tensors
that they meet, dimensions that differ become unknown. A loop is traced again until the types of its variables settle.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograph import UNDEFINED, UNSET, StagingError, UndefinedVariableError, Variables
from runtime import nest, shapes
from runtime.arrays import TensorArray
from runtime.dtypes import as_dtype, bool_, int32, string
from runtime.graph import Graph, ListType, TensorType, Value
from runtime.ops import effects, lists, structure
from runtime.ops import elementwise as ew
from runtime.ops import indexing as indexing_ops
from runtime.ops import shape as shape_ops
from runtime.ops import strings as string_ops
from runtime.tensor import EagerTensor, ListElements, SymbolicTensor, Tensor, operand, to_array
from runtime.trace import OURS, Trace, apply, current, recording, symbolic

Leaf = TensorType | ListType

_ROUNDS = 8  # a type that is still changing after so many traces of a loop body never settles


# Leaves: what a region can hand over.


@dataclass(frozen=True)
class Slot:
    """The place of a leaf among the results of a node; `template` is kept for what a TensorArray needs besides."""

    number: int
    template: Any = None


def is_leaf(value: Any) -> bool:
    """Whether a value can be a tensor in a graph."""
    simple = (Tensor, bool, int, float, complex, str, bytes, np.ndarray, np.generic, TensorArray)
    return isinstance(value, simple) or hasattr(value, "__tensor__")


def leaf_type(value: Any) -> Leaf:
    """The type of a leaf; Python numbers are weak."""
    if isinstance(value, TensorArray):
        kind = value.elements.type
        return ListType(value.dtype, kind.shape if kind.shape is not None else value.element_shape.dims)
    if isinstance(value, bool):
        return TensorType(bool_, ())
    if isinstance(value, int | float | complex) and not isinstance(value, np.generic):
        return TensorType(as_dtype(np.asarray(value).dtype), (), weak=True)
    if hasattr(value, "__tensor__"):
        return TensorType(value.dtype, value.shape.dims)
    if isinstance(value, Tensor):
        return value.type
    array = to_array(value)
    return TensorType(as_dtype(array.dtype), array.shape)


def to_value(trace: Trace, value: Any, type_: Leaf) -> Value:
    """A leaf as a value of the trace, with the type that was settled for it."""
    with recording(trace):
        if value is UNSET:
            return _placeholder(trace, type_)
        if isinstance(type_, ListType):
            made: Value = value.elements.record_in(trace)
            return made
        if isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic):
            return trace.constant(np.asarray(value).astype(type_.dtype.dtype), type_.dtype, type_.weak)
        tensor = operand(value)
        if tensor.type.dtype != type_.dtype:
            tensor = apply(ew.cast, tensor, dtype=type_.dtype)
        return tensor.record_in(trace)  # type: ignore[attr-defined, no-any-return]


def _placeholder(trace: Trace, type_: Leaf) -> Value:
    """Something of the right type for a variable that will be assigned before it is read."""
    dims = [d or 0 for d in type_.shape or ()]
    if isinstance(type_, ListType):
        empty = apply(lists.new, EagerTensor.of(np.int32(0)), dtype=type_.dtype, shape=type_.shape)
        made: Value = empty.record_in(trace)
        return made
    zeros = np.zeros(dims, type_.dtype.dtype)
    if type_.dtype == string:
        zeros[...] = b""
    return trace.constant(zeros, type_.dtype, type_.weak)


def join_types(a: Leaf, b: Leaf) -> Leaf | None:
    """The type that holds both, or None if there is none: two tensors of different dtypes."""
    if isinstance(a, ListType) or isinstance(b, ListType):
        same = isinstance(a, ListType) and isinstance(b, ListType) and a.dtype == b.dtype
        if not same:
            return None
        return ListType(
            a.dtype, b.shape if a.shape is None else a.shape if b.shape is None else shapes.join(a.shape, b.shape)
        )
    assert isinstance(a, TensorType) and isinstance(b, TensorType)
    shape = shapes.join(a.shape, b.shape)
    if a.dtype == b.dtype:
        return TensorType(a.dtype, shape, a.weak and b.weak)
    if not (a.weak or b.weak) or string in (a.dtype, b.dtype):
        return None
    if a.weak and b.weak:
        return TensorType(as_dtype(np.result_type(a.dtype.dtype, b.dtype.dtype)), shape, weak=True)
    strong, weak = (b, a) if a.weak else (a, b)
    exemplar = {"i": 0, "f": 0.0, "c": 0j}[weak.dtype.dtype.kind]
    return TensorType(as_dtype(np.result_type(strong.dtype.dtype, exemplar)), shape)


def truth(value: Any) -> Tensor:
    """The truth of a tensor as a bool scalar; numbers are true where not zero, strings where not empty.

    Raises ValueError for several elements, as Python does.
    """
    tensor = operand(value)
    dims = tensor.type.shape
    if dims is not None and None not in dims and shapes.product(dims) != 1:
        raise StagingError(
            f"the truth of {tensor} is ambiguous: it has shape {shapes.show(dims)}. "
            "Use runtime.reduce_any(...) or runtime.reduce_all(...); to check for None, use `is not None`."
        )
    if tensor.type.dtype == string:
        tensor = apply(string_ops.length, tensor, unit="BYTE")
    if not tensor.type.dtype.is_bool:
        tensor = apply(ew.not_equal, tensor, EagerTensor(np.zeros((), tensor.type.dtype.dtype)))
    if dims != ():
        tensor = apply(shape_ops.reshape, tensor, shape=())
    return tensor


# Branches.


class _Merge:
    """What two branches leave, made one."""

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self.pairs: list[tuple[Any, Any, Leaf]] = []

    def plan(self, name: str, a: Any, b: Any) -> Any:
        """The merged value of a variable, with a Slot for every leaf that the graph decides."""
        if a is b or (type(a) is type(b) and isinstance(a, bool | int | float | str | bytes) and a == b):
            return a
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
                    name, f"is None at the end of the {branch} branch, and {_describe(other)} in the other: "
                    f"the {branch} branch must also have a return statement with a value."
                )  # fmt: skip
            return self._error(
                name, f"is None at the end of the {branch} branch, and {_describe(other)} in the other. "
                "Start it with a value of the same type instead of None."
            )  # fmt: skip
        if nest.is_nested(a) or nest.is_nested(b):
            return self._error(
                name, f"must have the same nested structure in the main and else branches: it is "
                f"{type(a).__name__} {nest.describe(a)} in the main branch and {type(b).__name__} {nest.describe(b)} "
                "in the else branch."
            )  # fmt: skip
        return self._error(
            name, f"is {_describe(a)} in the main branch and {_describe(b)} in the else branch; "
            "only tensors, numbers, strings and structures of them can be chosen when the graph runs."
        )  # fmt: skip


def _describe(value: Any) -> str:
    if is_leaf(value) and not isinstance(value, TensorArray):
        kind = leaf_type(value)
        return f"a {kind.dtype.name} tensor of shape {shapes.show(kind.shape)}"
    return f"a {type(value).__name__}"


def _filled(plan: Any, results: Sequence[Value], trace: Trace) -> Any:
    """A plan with the results of the node in its slots."""

    def leaf(part: Any) -> Any:
        if not isinstance(part, Slot):
            return part
        made = symbolic(trace, results[part.number])
        return TensorArray.holding(part.template, made) if isinstance(made, ListElements) else made

    return nest.map_structure(leaf, plan) if nest.is_nested(plan) else leaf(plan)


def staged_cond(
    test: Any, body: Callable[[], Sequence[Any]], orelse: Callable[[], Sequence[Any]], variables: Variables
) -> list[Any]:
    """A branch on a tensor: both functions are traced, and the graph runs one of the regions."""
    trace = _tracing()
    with _statement(variables):
        predicate = truth(test).record_in(trace)  # type: ignore[attr-defined]
    traces = (Trace("then", trace), Trace("else", trace))
    after: list[Any] = []
    for inner, function in zip(traces, (body, orelse)):
        with recording(inner):
            after.append(_traced(function))
    unset = [UNSET] * len(variables.names)  # after a `raise`: the other branch says what there is
    after = [unset if found is None else found for found in after]
    merge = _Merge(variables)
    plans = [merge.plan(name, a, b) for name, a, b in zip(variables.names, *after, strict=True)]
    outputs = [[to_value(t, pair[i], pair[2]) for pair in merge.pairs] for i, t in enumerate(traces)]
    hints = _hints(plans, variables, len(merge.pairs))
    outer, regions = _close(traces, [[], []], outputs)
    results = trace.record(structure.if_, [predicate, *outer], {}, [pair[2] for pair in merge.pairs], regions, hints)
    return [_filled(plan, results, trace) for plan in plans]


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


def _tracing() -> Trace:
    trace = current()
    if trace is None:
        raise RuntimeError("staged control flow outside of a trace")
    return trace


class _statement:
    """Says in errors which statement of the user was being staged."""

    def __init__(self, variables: Variables) -> None:
        self.statement = variables.statement

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if error is not None and self.statement:
            error.add_note(f"  {self.statement}")


def _hints(plans: Sequence[Any], variables: Variables, count: int) -> list[str]:
    """Names for results: those of the variables."""
    hints = ["result"] * count
    for name, plan in zip(variables.names, plans):
        for part in nest.flatten(plan):
            if isinstance(part, Slot):
                hints[part.number] = "result" if name.startswith(("the ", "an ")) else name
    return hints


def _close(
    traces: Sequence[Trace], parameters: Sequence[Sequence[Value]], outputs: Sequence[Sequence[Value]]
) -> tuple[list[Value], list[Graph]]:
    """The traces as closed regions with the same inputs: their parameters, then whatever any of them captured."""
    outer: dict[Value, None] = {}
    for trace in traces:
        outer.update(dict.fromkeys(around for around, _ in trace.captures.values()))
    regions = []
    for trace, own, results in zip(traces, parameters, outputs):
        inner = {around: value for around, value in trace.captures.values()}
        captured = [inner.get(value) or Value(value.type, value.hint) for value in outer]
        regions.append(trace.graph(results, [*own, *captured]))
    return list(outer), regions


# Loops.


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

        plan = nest.map_structure(leaf, value) if nest.is_nested(value) else leaf(value)
        return cls(name, plan, types, initial)

    def inside(self, trace: Trace, values: Iterator[Value]) -> Any:
        """The variable as the traced function sees it."""
        return _filled(self.plan, [next(values) for _ in self.types], trace)

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
                f"'{self.name}' is {_describe(self.plan)} before the loop and {_describe(after)} after a turn; only "
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
    trace = _tracing()
    known = [_Variable.of(name, value) for name, value in zip(variables.names, state, strict=True)]
    for _ in range(_ROUNDS):
        traces = (Trace("loop_test", trace), Trace("loop_body", trace))
        parameters = [[Value(t, v.name) for v in known for t in v.types] for _ in traces]
        with recording(traces[0]):
            decision = test(*_inside(known, traces[0], parameters[0]))
            with _statement(variables):
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
    outer, regions = _close(traces, parameters, [[go_on], ends])
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


# The operations that users call.


def _symbolic(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) or (hasattr(value, "__tensor__") and current() is not None)


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
    if not _symbolic(pred):
        return true_fn() if pred else false_fn()
    variables = Variables(("the result of cond",), "")
    return staged_cond(pred, lambda: (true_fn(),), lambda: (false_fn(),), variables)[0]


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
    if not _symbolic(branch_index):
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
