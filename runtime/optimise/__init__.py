"""Passes over graphs: each takes a graph and returns a new one that means the same.

On the NumPy executor the results stay the same to the last bit, so that a pass may be left out, or another come
between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runtime.graph.depth import room_for
from runtime.graph.graph import Graph
from runtime.graph.op import Op
from runtime.ops import lists, structure
from runtime.optimise.appending import appending
from runtime.optimise.branches import constant_tests, plain_logic
from runtime.optimise.dead_code import dead_code, dead_state
from runtime.optimise.exactness import exact_numbers
from runtime.optimise.folding import constant_folding
from runtime.optimise.inlining import inlining
from runtime.optimise.motion import invariant_motion, products_of_rows
from runtime.optimise.simplification import simplification
from runtime.optimise.sinking import sinking
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
    appending,  # of what is the same by now
    exact_numbers,  # before nodes are moved to where the program may not compute them: what is exact may fail
    invariant_motion,
    products_of_rows,
    sinking,  # after what it asks for has been moved out
    plain_logic,
    dead_state,
    dead_code,  # last: the others leave nodes behind
)


# Of which operations a graph has to have one for a pass to do anything.
_NEEDS: dict[Pass, frozenset[Op]] = {
    inlining: frozenset((structure.call,)),
    constant_tests: frozenset((structure.if_, structure.while_)),
    appending: frozenset((lists.from_tensor,)),
    sinking: frozenset((structure.if_,)),
    plain_logic: frozenset((structure.if_,)),
    invariant_motion: frozenset((structure.while_,)),
    products_of_rows: frozenset((structure.while_,)),
    dead_state: frozenset((structure.while_,)),
}


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
        present = called = {node.op for node in graph.walk()}
        for rewrite in PASSES:
            if rewrite in _NEEDS and present.isdisjoint(_NEEDS[rewrite]):
                continue
            if rewrite is type_propagation:
                graph = type_propagation(graph, recorded=structure.call not in called)
            else:
                graph = rewrite(graph)
            if rewrite is inlining:  # no other pass brings in what one needs
                present = {node.op for node in graph.walk()}
        return graph.verify()
