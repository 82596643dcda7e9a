"""Room for graphs whose regions lie deeply in one another: what goes over them calls itself for each level."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from runtime.graph import Graph

_FREE = 25  # levels for which there is room anyway
_FRAMES = 30  # of Python's for each level, at most
_DEEPEST = 600  # what an ordinary stack holds

_lock = threading.Lock()
_before: list[int] = []  # the limit that was there, for each that has raised it


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
    with _lock:
        _before.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_before[-1], _before[0] + _FRAMES * depth))
    try:
        yield
    finally:
        with _lock:
            limit = _before.pop(0)
            if _before:
                _before[0] = limit
            else:
                sys.setrecursionlimit(limit)
