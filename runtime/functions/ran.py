"""Which graphs have run, while somebody wants to know."""

from __future__ import annotations

from runtime.graph import settings
from runtime.graph.graph import Graph

_noted: list[dict[int, Graph] | None] = [None]


def watch(into: dict[int, Graph] | None) -> None:
    """Have `note` add graphs to a dictionary, by their identity; None ends that."""
    before, _noted[0] = _noted[0], into
    settings.busy.value += (into is not None) - (before is not None)  # calls go the long way, which tells


def note(graph: Graph) -> None:
    """A graph runs."""
    noted = _noted[0]
    if noted is not None:
        noted.setdefault(id(graph), graph)
