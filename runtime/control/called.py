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
from runtime.graph.owner import Owner
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
    """A graph that calls have in common, and what kind of number it gives."""

    callee: Callee
    kind: Leaf
    owner: Owner


_known: dict[object, _Shared] = {}  # by the function, and what the graph has for its arguments


def called(function: Callable[..., Any], *arguments: object) -> object:
    """The number that a function makes of arguments which `can_be_called` so, and which it leaves as they are. Nothing
    in it fails: its operations are those of the first call."""
    trace = tracing()
    given = [*map(_Given, arguments)]
    key = function, trace.numpys, settings.checks_numerics(), *(one.kind for one in given)
    shared = _known.get(key)
    if shared is None:
        shared = _known[key] = _traced(function, given, trace)
    inputs = [column.record_in(trace) for one in given for column in one.columns]
    (made,) = trace.record(structure.call, inputs, {"graph": shared.callee}, [shared.kind])
    return owned(SymbolicTensor(trace, made), shared.owner)


def _traced(function: Callable[..., Any], given: Sequence[_Given], outside: Trace) -> _Shared:
    trace = Trace(function.__name__.lstrip("_"), outside)
    inputs = [Value(kind, "given") for one in given for kind in one.types]
    columns = (symbolic(trace, value) for value in inputs)
    with recording(trace):
        result = function(*[one.made_of(columns) for one in given])
    assert isinstance(result, SymbolicTensor) and not trace.captured
    kind = _pattern(result.type)
    graph = trace.graph([to_value(trace, result, kind)], inputs)
    return _Shared(Callee(trace.name, optimise(graph), graph), kind, owner_of(result))


class _Given:
    """An argument: what of it the graph hands over, and what else there is to know."""

    def __init__(self, value: object) -> None:
        self.value, self.leaves = value, nest.flatten(value)
        self.columns = [column for leaf in self.leaves for column in _columns(leaf)]
        self.types = [_pattern(column.type) for column in self.columns]
        self.kind = nest.describe(value, lambda leaf: ""), tuple(map(_kind, self.leaves)), tuple(self.types)

    def made_of(self, columns: Iterator[Any]) -> object:
        """The same, of what the graph is handed over."""
        return nest.rebuild(self.value, iter([_inside(leaf, columns) for leaf in self.leaves]))


def _columns(leaf: Any) -> Sequence[Any]:
    return leaf.rows.columns if has_grown(leaf) else [leaf]


def _kind(leaf: Any) -> object:
    if not has_grown(leaf):
        return owner_of(leaf)
    return nest.describe(leaf.rows.structure), told_in(leaf.rows.structure)


def _inside(leaf: Any, columns: Iterator[Any]) -> object:
    if has_grown(leaf):
        return TensorList.holding(Rows(leaf.rows.structure, [next(columns) for _ in leaf.rows.columns]))
    return owned(next(columns), owner_of(leaf))


def _pattern(kind: Any) -> Leaf:
    return TensorType(kind.dtype, pattern(kind.shape), kind.weak) if isinstance(kind, TensorType) else kind
