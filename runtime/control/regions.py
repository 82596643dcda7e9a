"""Tracing functions into closed regions of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph import Variables
from runtime.graph import Graph, Value
from runtime.trace import Trace, current


def tracing() -> Trace:
    trace = current()
    if trace is None:
        raise RuntimeError("staged control flow outside of a trace")
    return trace


class naming:
    """Says in errors which statement of the user was being staged."""

    def __init__(self, variables: Variables) -> None:
        self.statement = variables.statement

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if error is not None and self.statement:
            error.add_note(f"  {self.statement}")


def close(
    traces: Sequence[Trace], parameters: Sequence[Sequence[Value]], outputs: Sequence[Sequence[Value]]
) -> tuple[list[Value], list[Graph]]:
    """The traces as closed regions with the same inputs: their parameters, then whatever any of them captured."""
    outer: dict[Value, None] = {}
    for trace in traces:
        outer.update(dict.fromkeys(around for around, _ in trace.captures.values()))
    regions = []
    for trace, own, results in zip(traces, parameters, outputs):
        inner = {around: value for around, value in trace.captures.values()}
        captured = [inner.get(value) or Value(value.type, value.hint) for value in outer]
        regions.append(trace.graph(results, [*own, *captured]))
    return list(outer), regions
