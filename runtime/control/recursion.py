"""Functions that call themselves: where that goes on with tensors of the same types, the graph calls a graph.

A call is traced in place at first, as any other is. Only if it comes to the same call again, under a condition that the
graph decides, is it traced as a graph of its own, over and over until the types of its results settle.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph import UNSET, StagingError, Variables
from autograph.dispatch import Name, Role, Signal
from autograph.operators.mutations import Mutations
from runtime.control.joins import Join
from runtime.control.leaves import to_value
from runtime.control.lists import TensorList
from runtime.control.plans import same_plan
from runtime.control.regions import Ended, tracing
from runtime.control.rows import Rows
from runtime.control.shared import PERHAPS_GIVEN, share
from runtime.control.unions import union_of
from runtime.graph.dtypes import as_dtype
from runtime.graph.graph import Callee, TensorType, Value
from runtime.graph.shapes import pattern
from runtime.ops import structure
from runtime.optimise import optimise
from runtime.tensors import nest
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.growing import has_grown
from runtime.tensors.leaf_types import join_types
from runtime.tensors.operations import symbolic
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace, recording
from runtime.tensors.views import owned

_ROUNDS = 8
_DEEPEST = 30  # so many calls with other Python numbers each: they are tensors then


@dataclass
class _Call:
    """A call that is being traced; the rest is known once it is traced as a graph."""

    function: Callable[..., object]
    key: Any
    callee: Callee | None = None
    outside: Trace | None = None
    join: Join | None = None
    plan: object = None
    types: list[Any] = field(default_factory=list)
    captured: list[Value] = field(default_factory=list)
    given_back: bool = False  # may what it returns be a list that it was given?
    again: bool | None = None  # has it come again, and with numbers that differ?


class _Again(Signal):
    """The same call has come again."""

    def __init__(self, call: _Call, numbers: bool) -> None:
        self.call = call
        call.again = numbers  # a clause of the user's may swallow this


class _Calls(threading.local):
    def __init__(self) -> None:
        self.active: list[_Call] = []


_calls = _Calls()


def is_going_on() -> bool:
    """Whether a function that calls itself is being traced."""
    return bool(_calls.active)


def recursive(function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]) -> Any:
    """Call a converted function that may call itself."""
    given = [list(arguments), dict(keywords)]
    leaves = nest.flatten(given)
    if not any(map(_columns, leaves)):
        return function(*arguments, **keywords)
    key = (nest.describe(given), tuple(map(_part, leaves)))
    mine = [call for call in _calls.active if call.function == function]  # bound methods are made anew
    same = next((call for call in mine if call.key == key), None)
    if same is not None:
        if same.callee is None:
            raise _Again(same, numbers=False)
        return _record_call(same, leaves)
    alike = [call for call in mine if call.callee is None and call.key[0] == key[0]]  # with as many arguments
    if len(alike) >= _DEEPEST:
        raise _Again(alike[0], numbers=True)
    trace = tracing()
    start = len(trace.nodes)
    call = _Call(function, key)
    mutations = Mutations((function, *leaves), restores=True)
    _calls.active.append(call)
    try:
        result = function(*arguments, **keywords)
        if call.again is None:
            return result
    except _Again as again:
        if again.call is not call:
            raise
    except Exception:
        if call.again is None:
            raise
    finally:
        _calls.active.pop()
    trace.rewind(start)
    mutations.restore(f"the call of {function.__name__}")
    if call.again:
        leaves = [_as_tensor(v) if type(v) in (int, float) else v for v in leaves]
        key = (nest.describe(given), tuple(map(_part, leaves)))
    return _traced_apart(function, given, leaves, key)


def _as_tensor(number: float) -> SymbolicTensor:
    """A Python number as a tensor, which is still one of Python's."""
    trace, array = tracing(), np.asarray(number)
    return SymbolicTensor(trace, trace.constant(array, as_dtype(array.dtype), weak=True))


def _part(leaf: Any) -> object:
    """What of an argument tells one graph from another."""
    if isinstance(leaf, SymbolicTensor):
        return _result_type(leaf.type), owner_of(leaf)
    if isinstance(leaf, bool | int | float | str | bytes | type(None)):
        return type(leaf), leaf
    if has_grown(leaf):
        return nest.describe(leaf.rows.structure), tuple(leaf.rows.kinds), tuple(leaf.rows.owners)
    return id(leaf)


def _options(value: object) -> list[object]:
    """The parts of a value, and of one of which only the graph knows which it is, all that it may be."""
    unions = ((part, union_of(part)) for part in nest.flatten(value))
    return [option for part, union in unions for option in ((part,) if union is None else union._options)]


def _columns(leaf: Any) -> Sequence[Any]:
    """What of an argument is handed over in the graph: a tensor, or the elements of a list of unknown length."""
    if isinstance(leaf, SymbolicTensor):
        return [leaf]
    return leaf.rows.columns if has_grown(leaf) else ()


def _traced_apart(function: Callable[..., object], given: object, leaves: Sequence[Any], key: object) -> object:
    outside = tracing()
    call = _Call(function, key, Callee(function.__name__), outside)
    name = Name(f"the result of {function.__name__}", Role.RESULT, phrase=True)
    before: list[object] | None = None
    for _ in range(_ROUNDS):
        trace = Trace(function.__name__, outside)
        inputs, inside = [], []
        for leaf in leaves:
            if isinstance(leaf, SymbolicTensor):
                inputs.append(Value(_result_type(leaf.type), leaf.value.hint))
                leaf = owned(SymbolicTensor(trace, inputs[-1]), owner_of(leaf))
            elif has_grown(leaf):
                columns = [Value(column.type, column.value.hint) for column in leaf.rows.columns]
                inputs += columns
                leaf = TensorList.holding(Rows(leaf.rows.structure, [symbolic(trace, column) for column in columns]))
            inside.append(leaf)
        arguments, keywords = nest.rebuild(given, iter(inside))
        mutations = Mutations((function, *inside))
        _calls.active.append(call)
        try:
            with recording(trace), mutations.closed():
                result = function(*arguments, **keywords)
        except Ended:
            raise StagingError(f"{function.__name__} calls itself in all cases, so that it never ends.") from None
        finally:
            _calls.active.pop()
        changed = mutations.restore(f"the call of {function.__name__}")
        if changed:
            raise StagingError(
                f"{function.__name__} calls itself as the graph decides, and changes '{changed[0][0].name}'. "
                "Pass it as an argument and return it."
            )
        join = Join(Variables((name,), ""), (trace, trace), ("", ""))
        plan = join.plan(name, result, UNSET)
        call.given_back = any(part is leaf for part in _options(result) for leaf in inside if has_grown(leaf))
        types = [_result_type(kind) for _, _, kind in join.pairs]
        if before is not None and len(before) == len(types):  # with the calls in it known it may have more parts
            types = [_joined(name, a, b) for a, b in zip(before, types, strict=True)]
        captured = [*trace.captured]
        settled = before == types and same_plan(plan, call.plan) and captured == call.captured
        call.join, call.plan, call.types, call.captured, before = join, plan, types, captured, types
        if settled:
            break
    else:
        raise StagingError(f"the type of {name} never settles.")
    outputs = [to_value(trace, part, kind) for (part, _, _), kind in zip(join.pairs, types)]
    inner = trace.captured
    assert call.callee is not None
    call.callee.source = trace.graph(outputs, [*inputs, *(inner[v] for v in captured)])
    call.callee.graph = optimise(call.callee.source)
    return _record_call(call, leaves)


def _result_type(kind: object) -> Any:
    return TensorType(kind.dtype, pattern(kind.shape), kind.weak) if isinstance(kind, TensorType) else kind


def _joined(name: str, a: Any, b: Any) -> object:
    joined = join_types(a, b)
    if joined is None:
        raise StagingError(f"{name} has dtype {a.dtype.name} in one call and {b.dtype.name} in another.")
    return joined


def _record_call(call: _Call, leaves: Sequence[object]) -> object:
    """The call in the graph at hand, if it is known what it returns."""
    if call.join is None:
        raise Ended  # not yet: what else the function does tells
    trace = tracing()
    assert call.outside is not None
    values = [column.record_in(trace) for leaf in leaves for column in _columns(leaf)]
    around = [trace.local(value, call.outside) for value in call.captured]
    results = trace.record(structure.call, [*values, *around], {"graph": call.callee}, call.types)
    made = call.join.values([call.plan], results, trace)[0]
    for value in [*_options(made), *leaves] if call.given_back else ():
        if has_grown(value):
            share(value, PERHAPS_GIVEN)  # it may be the same list
    return made
