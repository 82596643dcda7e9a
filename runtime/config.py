"""Switches for the whole process."""

from __future__ import annotations

_eager = [False]


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Have every `function` run its Python body on each call, without a graph: for debugging."""
    _eager[0] = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions run without graphs."""
    return _eager[0]
