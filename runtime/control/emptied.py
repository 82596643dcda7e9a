"""Arrays of lists that the graph may find empty: of nothing NumPy makes an array of floats that has one axis.

An array of a graph has one dtype, and so many axes. So a graph takes a list that becomes an array to hold something,
and raises an exception where it does not. Then the function is traced anew, with both arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from autograph.operators.branches import if_exp
from runtime.control.rows import Column, Rows
from runtime.graph.dtypes import float64
from runtime.graph.errors import AnotherArrayError
from runtime.graph.graph import Callee, Graph, Node
from runtime.ops import effects
from runtime.tensors.conversion import constant
from runtime.tensors.frames import user_place
from runtime.tensors.mathematics import equal
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply_all
from runtime.tensors.trace import AnotherArrayAt, current, ways

T = TypeVar("T")


class List(Protocol):
    """A list of the graph."""

    rows: Rows | None

    def known_length(self) -> int | None: ...


def unless_empty(values: List, made: Callable[[], T], of_nothing: Callable[[], object]) -> object:
    """What is made of a list that the graph changes; or `of_nothing` where it finds that empty, as is known by then."""
    rows, place = values.rows, user_place()
    if rows is None or place is None or values.known_length() is not None or not _tells(rows):
        return made()
    empty = equal(rows.count(), constant(0, rows.count().dtype))
    if AnotherArrayAt(place.filename, place.line) in ways.taken:
        return if_exp(number(empty), of_nothing, made)
    error = AnotherArrayError(
        "a list is empty, and NumPy makes another array of nothing, of floats and with one axis. Ask for that before "
        f"(if items: …).\n  {place.filename}:{place.line}",
        place.filename,
        place.line,
    )
    apply_all(effects.require_, empty, wanted=0, otherwise=(None, error))
    return made()


def _tells(rows: Rows) -> bool:
    """Whether an array of elements is no array of so many floats."""
    trace = current()
    if trace is None or not trace.numpys:
        return False
    structure = rows.structure
    is_floats = type(structure) is Column and rows.kinds[0].shape == () and rows.kinds[0].dtype == float64
    return not is_floats or bool(structure.types)  # type: ignore[attr-defined]


def assumed(graph: Graph) -> frozenset[AnotherArrayAt]:
    """Where a graph takes lists to become one array rather than another."""
    return frozenset(
        AnotherArrayAt(error.filename, error.line)
        for node in _nodes(graph.nodes)
        if node.op is effects.require_
        for error in node.attributes["otherwise"]
        if isinstance(error, AnotherArrayError)
    )


def _nodes(nodes: Iterable[Node]) -> Iterable[Node]:
    """All nodes, those of branches, loops and graphs that they call, too."""
    waiting, met = [*nodes], set[Callee]()
    for node in waiting:
        yield node
        waiting += [inner for region in node.regions for inner in region.nodes]
        callee = node.callee
        if callee is not None and callee not in met and callee.graph is not None:
            met.add(callee)
            waiting += callee.graph.nodes
