"""Passes over graphs: each takes a graph and returns a new one that means the same.

On the NumPy executor the results stay the same to the last bit, so that a pass may be left out, or another come
between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runtime.graph.depth import room_for
from runtime.graph.graph import Graph
from runtime.optimise.branches import constant_tests, plain_logic
from runtime.optimise.dead_code import dead_code, dead_state
from runtime.optimise.folding import constant_folding
from runtime.optimise.inlining import inlining
from runtime.optimise.motion import invariant_motion, products_of_rows
from runtime.optimise.simplification import simplification
from runtime.optimise.subexpressions import common_subexpressions
from runtime.optimise.types import type_propagation

Pass = Callable[[Graph], Graph]

PASSES: tuple[Pass, ...] = (
    inlining,  # first, since what is called sees its caller's constants and types then
    type_propagation,
    constant_folding,
    constant_tests,  # what folding has decided
    simplification,
    common_subexpressions,
    invariant_motion,
    products_of_rows,
    plain_logic,
    dead_state,
    dead_code,  # last: the others leave nodes behind
)


def stages(graph: Graph) -> Iterator[tuple[str, Graph]]:
    """The graph as it was traced, under the name ``trace``, and after each pass, under the pass's; each is checked."""
    yield "trace", graph
    for rewrite in PASSES:
        with room_for(graph):
            graph = rewrite(graph).verify()
        yield rewrite.__name__, graph


def optimise(graph: Graph) -> Graph:
    """The graph after all passes, checked."""
    with room_for(graph):
        for rewrite in PASSES:
            graph = rewrite(graph)
        return graph.verify()
