"""Room for graphs whose regions lie deeply in one another: what makes them, and goes over them, calls itself for each
level."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from autograph.depth import raised
from runtime.graph.graph import Graph

_FREE = 25  # levels for which there is room anyway
_FRAMES = 30  # of Python's for each level, at most
_DEEPEST = 600  # what an ordinary stack holds


def levels(graph: Graph) -> int:
    """How many regions lie in one another."""
    deepest = 0
    left = [(graph, 0)]
    while left:
        region, depth = left.pop()
        deepest = max(deepest, depth)
        left += [(inner, depth + 1) for node in region.nodes for inner in node.regions]
    return deepest


@contextmanager
def room_for(graph: Graph) -> Iterator[None]:
    """Raise the recursion limit for what goes over a deep graph; the last that needs it puts it back.

    Raises RecursionError for a graph that no stack would hold.
    """
    depth = levels(graph)
    if depth <= _FREE:
        yield
        return
    if depth > _DEEPEST:
        raise RecursionError(
            f"{depth} branches and loops in one another in '{graph.name}'; at most {_DEEPEST} can be run"
        )
    with raised(lambda before: before + _FRAMES * depth):
        yield


class _Traced(threading.local):
    depth = 0  # regions that are being traced, in one another


_traced = _Traced()


@contextmanager
def one_deeper() -> Iterator[None]:
    """Make room for a region that is traced within others.

    Raises RecursionError for one that no stack would hold.
    """
    _traced.depth += 1
    try:
        if _traced.depth > _DEEPEST:
            raise RecursionError(
                f"more than {_DEEPEST} branches and loops in one another, or arms in one chain: a graph cannot be so "
                "deep. Split them, or look values up in a list by an index"
            )
        if _traced.depth % _FREE:
            yield
            return
        frames = sum(1 for _ in traceback.walk_stack(None))
        with raised(lambda before: frames + before):
            yield
    finally:
        _traced.depth -= 1
