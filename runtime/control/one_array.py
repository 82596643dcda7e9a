"""Lists that become one array or another, as only the graph finds: of nothing NumPy makes an array of floats that has
one axis, and of numbers of several types one of the dtype that holds those that there are.

An array of a graph has one dtype, and so many axes. So a graph takes a list to become one of the arrays, and raises an
exception where it does not. Then the function is traced anew, with all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from autograph.operators.branches import if_exp
from runtime.control.rows import Column, Rows
from runtime.graph.dtypes import float64
from runtime.graph.errors import AnotherArrayError
from runtime.graph.graph import Graph, Place
from runtime.ops import effects
from runtime.tensors.conversion import constant
from runtime.tensors.frames import user_place
from runtime.tensors.mathematics import equal
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply_all
from runtime.tensors.tensor import Tensor
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
    if may_be_several(place):
        return if_exp(number(empty), of_nothing, made)
    take_not(
        empty,
        "a list is empty, and NumPy makes another array of nothing, of floats and with one axis. Ask for that before "
        f"(if items: …).\n  {place.filename}:{place.line}",
        place,
    )
    return made()


def may_be_several(place: Place) -> bool:
    """Whether the function is traced with all the arrays that a list may become at a place."""
    return AnotherArrayAt(place.filename, place.line) in ways.taken


def take_not(another: Tensor, message: str, place: Place | None) -> None:
    """Have the graph raise AnotherArrayError where a list becomes another array than it is taken to."""
    where = ("", 0) if place is None else (place.filename, place.line)
    apply_all(effects.require_, another, wanted=0, otherwise=(None, AnotherArrayError(message, *where)))


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
        for node in effects.reached(graph.nodes)
        if node.op is effects.require_
        for error in node.attributes["otherwise"]
        if isinstance(error, AnotherArrayError)
    )
