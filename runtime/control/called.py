"""Functions that compute something of their arguments alone, as graphs that all calls have in common.

What is done often, as looking for a key, would be a large part of a graph, and of what is compiled, were it recorded
each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.control.leaves import to_value
from runtime.control.lists import TensorList
from runtime.control.regions import tracing
from runtime.control.rows import Column, Rows, told_in
from runtime.graph import settings
from runtime.graph.dtypes import string
from runtime.graph.graph import Callee, TensorType, Value
from runtime.graph.shapes import pattern
from runtime.ops import structure
from runtime.optimise import optimise
from runtime.tensors import nest
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.growing import has_grown
from runtime.tensors.leaf_types import Leaf
from runtime.tensors.operations import symbolic
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace, recording
from runtime.tensors.views import owned


def can_be_called(*arguments: Any) -> bool:
    """Whether the graph has all of these: lists of numbers or of tuples of them, and numbers, alone or in tuples. A
    number of Python's is a part of the graph, which knows more of it than of any."""
    return all(can_be_called(*one) if type(one) is tuple else _is_of_graph(one) for one in arguments)


def _is_of_graph(leaf: Any) -> bool:
    if has_grown(leaf):
        return bool(leaf.rows.columns) and _is_flat(leaf.rows.structure) and not any(map(_is_text, leaf.rows.columns))
    return isinstance(leaf, SymbolicTensor) and not _is_text(leaf)


def _is_text(column: Any) -> bool:
    return bool(column.type.dtype == string)  # which machine code leaves to Python, but not a whole graph for it


def _is_flat(record: object) -> bool:
    return all(map(_is_flat, record)) if type(record) is tuple else type(record) is Column


@dataclass(frozen=True)
class _Shared:
    """A graph that calls have in common, and what it gives."""

    callee: Callee
    result: _Parts


_known: dict[object, _Shared] = {}  # by the function, and what the graph has for its arguments


def called(function: Callable[..., Any], *arguments: object) -> object:
    """What a function makes of arguments which `can_be_called` so, and which it leaves as they are: numbers and new
    lists of them. Nothing in it fails: its operations are those of the first call."""
    trace = tracing()
    given = [_Parts(one, _columns(one)) for one in arguments]
    key = function, trace.numpys, settings.checks_numerics(), *(one.kind for one in given)
    shared = _known.get(key)
    if shared is None:
        shared = _known[key] = _traced(function, given, trace)
    inputs = [column.record_in(trace) for one in arguments for column in _columns(one)]
    made = trace.record(structure.call, inputs, {"graph": shared.callee}, shared.result.types)
    return shared.result.made_of(SymbolicTensor(trace, value) for value in made)


def _traced(function: Callable[..., Any], given: Sequence[_Parts], outside: Trace) -> _Shared:
    trace = Trace(function.__name__.lstrip("_"), outside)
    inputs = [Value(kind, "given") for one in given for kind in one.types]
    columns = (symbolic(trace, value) for value in inputs)
    with recording(trace):
        result = function(*[one.made_of(columns) for one in given])
        made = _columns(result)
    assert not trace.captured
    parts = _Parts(result, made)
    graph = trace.graph([to_value(trace, column, kind) for column, kind in zip(made, parts.types)], inputs)
    return _Shared(Callee(trace.name, optimise(graph), graph), parts)


class _Parts:
    """What there is to know of an argument or a result, but for the tensors that it is made of."""

    def __init__(self, value: object, columns: Sequence[Any]) -> None:
        leaves = nest.flatten(value)
        self.leaves = [*map(_Leaf.of, leaves)]
        self.whole = nest.rebuild(value, iter(self.leaves))
        self.types = [_pattern(column.type) for column in columns]
        self.kind = nest.describe(self.whole, lambda leaf: ""), *(one.kind for one in self.leaves), *self.types

    def made_of(self, columns: Iterator[Any]) -> object:
        """The same, of other tensors."""
        return nest.rebuild(self.whole, iter([leaf.made_of(columns) for leaf in self.leaves]))


class _Leaf:
    """A number, or a list that is made of columns."""

    def __init__(self, kind: object, made_of: Callable[[Iterator[Any]], object]) -> None:
        self.kind = kind
        self.made_of = made_of

    @classmethod
    def of(cls, leaf: Any) -> _Leaf:
        if not has_grown(leaf):
            owner = owner_of(leaf)
            return cls(owner, lambda columns: owned(next(columns), owner))
        record, count = leaf.rows.structure, len(leaf.rows.columns)
        kind = nest.describe(record), told_in(record)
        return cls(kind, lambda columns: TensorList.holding(Rows(record, [next(columns) for _ in range(count)])))


def _columns(value: object) -> list[Any]:
    return [column for leaf in nest.flatten(value) for column in (leaf.rows.columns if has_grown(leaf) else [leaf])]


def _pattern(kind: Any) -> Leaf:
    return TensorType(kind.dtype, pattern(kind.shape), kind.weak) if isinstance(kind, TensorType) else kind
